/* SPDX-License-Identifier: Apache-2.0 */
/* oct_port_needs.h - how many pins and how deep buffers a trace needs: many encoders of one tracer
 * side by side, on its cycle engine, given the same instructions (Milenković 2007, section 3.3).
 *
 * A point is a geometry and a port clock: with clock_divider k the pins move once in k cycles of
 * the core. A point may end at its first loss, when only whether it loses is asked.
 *
 * Threads: An object is for one thread at a time, different ones may be used by different threads.
 */
#ifndef OCT_PORT_NEEDS_H
#define OCT_PORT_NEEDS_H

#include "oct_tracer.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct oct_port_point {
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  uint32_t clock_divider; /* at least 1 */
  bool end_at_loss;
  uint64_t reserved[4]; /* 0 */
} oct_port_point;

typedef struct oct_port_needs oct_port_needs;

/* n points, copied; options as for the cycle engine (arrival, stalls). The caller frees *s.
 * OCT_ERR_CONFIG, OCT_ERR_ARG (the tracer has no cycle engine), OCT_ERR_NOMEM. */
int oct_port_needs_new(const oct_tracer *t, const oct_port_point *points, size_t n,
                       const oct_run_options *options, oct_port_needs **s, oct_diag *diag);
void oct_port_needs_free(oct_port_needs *s);
/* Instructions and their accesses, in order. 0, or an error of the encoder. */
int oct_port_needs_put(oct_port_needs *s, const oct_tracer_input *in, oct_diag *diag);
/* What point i counted up to now, or to soon after its first loss. */
void oct_port_needs_counters(const oct_port_needs *s, size_t i, uint64_t *values);
/* The encoder of point i, owned by s. */
const void *oct_port_needs_encoder(const oct_port_needs *s, size_t i);

#ifdef __cplusplus
}
#endif
#endif
