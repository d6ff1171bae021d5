/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_otf2_none.c - what a build without the OTF2 library says. */
#include "oct_ev_sink_format.h"
#include "oct_ev_source_format.h"

static const char text[] =
    "this build has no OTF2: libopen-trace-format2-dev was not there when it was configured";

static int no_source(oct_ev_source *s, oct_diag *diag) {
  return oct_fail_in(diag, OCT_ERR_UNSUPPORTED, s->path, "%s", text);
}
static void close_source(oct_ev_source *s) {
  (void)s;
}
static int no_sink(oct_ev_sink *s, oct_diag *diag) {
  return oct_fail_in(diag, OCT_ERR_UNSUPPORTED, s->path, "%s", text);
}

int oct_ev_have_otf2(void) {
  return 0;
}
const oct_ev_source_ops oct_ev_otf2_source = {no_source, NULL, close_source};
const oct_ev_sink_ops oct_ev_otf2_sink = {no_sink, NULL, NULL, NULL};
