/* SPDX-License-Identifier: Apache-2.0 */
/* oct_recording.h - a part of a trace kept in memory, for encoders that go through it again.
 *
 * Threads: A recording that does not grow may be read by several threads at a time. */
#ifndef OCT_RECORDING_H
#define OCT_RECORDING_H

#include "octrace/tracer.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct oct_recording {
  oct_tracer_input *inputs; /* what they point to is the recording's, too */
  size_t n, room;
  uint64_t n_insns, n_bytes;
} oct_recording;

/* Copy in behind what is there. OCT_ERR_NOMEM. The caller frees *r, which starts as all 0. */
int oct_recording_put(oct_recording *r, const oct_tracer_input *in, oct_diag *diag);
/* Empty again. */
void oct_recording_free(oct_recording *r);

#ifdef __cplusplus
}
#endif
#endif
