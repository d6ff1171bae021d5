/* SPDX-License-Identifier: Apache-2.0 */
/* oct_perf.c - perf.data files with Intel PT as a format. The reader is in oct_perf_reader.c; a
 * build without libipt has one that says so. */
#include <string.h>

#include "oct_unit_formats.h"

static int perf_probe(const uint8_t *p, size_t n, int is_text) {
  (void)is_text;
  return n >= 8 && !memcmp(p, "PERFILE2", 8);
}

const oct_format_desc oct_perf_format = {.name = "perf",
                                         .text = "perf.data with Intel PT",
                                         .probe = perf_probe,
                                         .reader = &oct_perf_reader,
                                         .addr_bits = 64,
                                         .takes_params = 1,
                                         .lacks = "data addresses, cycle stamps"};
