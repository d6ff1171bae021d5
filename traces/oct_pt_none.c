/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pt_none.c - Intel PT where the build had no libipt: its formats are named and refused. */
#include "oct_reader_format.h"

#include <string.h>

static int none_open(oct_reader *r, oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_UNSUPPORTED,
                  "%s: Intel PT is read with libipt: this octrace was built without it (Debian "
                  "package libipt-dev)",
                  oct_input_name(r->in));
}

static int none_fill(oct_reader *r, oct_diag *diag) {
  return none_open(r, diag);
}

static int perf_probe(const uint8_t *p, size_t n, int is_text) {
  (void)is_text;
  return n >= 8 && !memcmp(p, "PERFILE2", 8);
}

static const oct_reader_ops none_reader = {none_open, none_fill, NULL};
const oct_format_desc oct_intel_pt_format = {.name = "intel-pt",
                                             .reader = &none_reader,
                                             .writer = &oct_stream_writer,
                                             .addr_bits = 64,
                                             .takes_params = 1,
                                             .lacks = "data addresses, cycle stamps"};
const oct_format_desc oct_perf_format = {.name = "perf",
                                         .probe = perf_probe,
                                         .reader = &none_reader,
                                         .addr_bits = 64,
                                         .lacks = "data addresses, cycle stamps"};
