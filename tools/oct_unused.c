/* SPDX-License-Identifier: Apache-2.0 */
/* oct_unused.c - what is said of a file of the program in which no instruction of the trace lies.
 */
#include "oct_cli.h"

#include <inttypes.h>

void oct_cli_tell_unused(const oct_reader *reader, uint64_t n_insns) {
  static bool is_told[1 + OCT_MORE_FILES_MAX];
  const oct_program *p = oct_reader_program(reader);
  const oct_map *met = oct_reader_met(reader);
  for (size_t i = 0; p && n_insns && i < oct_program_n_images(p); i++) {
    const char *path = oct_program_images(p)[i].path;
    uint64_t bias = 0;
    if (is_told[i] || (met && oct_program_is_used(p, i, met))) continue;
    is_told[i] = true;
    if (met && oct_program_find_bias(p, i, met, &bias))
      oct_cli_error(0, "note: %s: it was loaded elsewhere: give --elf %s@0x%" PRIx64, path, path,
                    bias);
    else
      oct_cli_error(0,
                    "note: %s: no instruction of the trace is in it: if it was loaded elsewhere, "
                    "give --elf %s@BIAS",
                    path, path);
  }
}
