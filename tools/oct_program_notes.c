/* SPDX-License-Identifier: Apache-2.0 */
/* oct_program_notes.c - what is said of the program beside a trace: a file in which no instruction
 * of the trace lies, a file that differs from the trace in some.
 */
#include "oct_cli.h"

#include <inttypes.h>

static void tell_unused(const oct_program *p, size_t image, const oct_map *met) {
  const char *path = oct_program_images(p)[image].path;
  uint64_t bias = 0;
  if (met && oct_program_find_bias(p, image, met, &bias))
    oct_cli_error(0, "note: %s: it was loaded elsewhere: give --elf %s@0x%" PRIx64, path, path,
                  bias);
  else
    oct_cli_error(0,
                  "note: %s: no instruction of the trace is in it: if it was loaded elsewhere, "
                  "give --elf %s@BIAS",
                  path, path);
}

void oct_cli_tell_program(const oct_reader *reader, uint64_t n_insns) {
  static bool is_told[1 + OCT_MORE_FILES_MAX];
  const oct_program *p = oct_reader_program(reader);
  const oct_map *met = oct_reader_met(reader);
  for (size_t i = 0; p && n_insns && i < oct_program_n_images(p); i++) {
    uint64_t n_told, first, n_differing = oct_reader_differing(reader, i, &n_told, &first);
    bool is_used = met && oct_program_is_used(p, i, met);
    if (is_told[i] || (is_used && !n_differing)) continue;
    is_told[i] = true;
    if (!is_used)
      tell_unused(p, i, met);
    else
      oct_cli_error(0,
                    "note: %s: %" PRIu64 " of %" PRIu64
                    " instructions differ in the trace, which is right, the first at 0x%" PRIx64,
                    oct_program_images(p)[i].path, n_differing, n_told, first);
  }
}
