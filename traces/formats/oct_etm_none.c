/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etm_none.c - ETMv4 where the build had no OpenCSD: the format is named and refused. */
#include "oct_unit_formats.h"

static int none_open(oct_reader *r, oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_UNSUPPORTED,
                  "ETMv4 is read with OpenCSD: this octrace was built without it (Debian package "
                  "libopencsd-dev)");
}

static int none_fill(oct_reader *r, oct_diag *diag) {
  return none_open(r, diag);
}

const oct_reader_ops oct_etm_reader = {.open = none_open, .fill = none_fill};
