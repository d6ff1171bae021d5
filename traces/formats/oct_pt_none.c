/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pt_none.c - Intel PT where the build had no libipt: its formats are named and refused. */
#include "oct_unit_formats.h"

static int none_open(oct_reader *r, oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_UNSUPPORTED,
                  "Intel PT is read with libipt: this octrace was built without it (Debian package "
                  "libipt-dev)");
}

static int none_fill(oct_reader *r, oct_diag *diag) {
  return none_open(r, diag);
}

const oct_reader_ops oct_pt_reader = {.open = none_open, .fill = none_fill};
const oct_reader_ops oct_perf_reader = {.open = none_open, .fill = none_fill};
