/* SPDX-License-Identifier: Apache-2.0 */
/* oct_port_needs.h - how many pins and how deep buffers a trace needs: many cycle-level compressors
 * side by side, given the same cycles of the core (Milenković 2007, section 3.3).
 *
 * A point is a geometry and a port clock: with clock_divider k the pins move once in k cycles of
 * the core. A point may end at its first loss, when only whether it loses is asked.
 *
 * Threads: An object is for one thread at a time, different ones may be used by different threads.
 */
#ifndef OCT_PORT_NEEDS_H
#define OCT_PORT_NEEDS_H

#include <stdbool.h>

#include "oct_compressor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct oct_port_point {
  oct_config cfg;
  uint32_t clock_divider; /* at least 1 */
  bool end_at_loss;
} oct_port_point;

typedef struct oct_port_needs oct_port_needs;

/* n points, copied; options as for the cycle engine (arrival, stalls). The caller frees *s.
 * OCT_ERR_CONFIG, OCT_ERR_ARG, OCT_ERR_NOMEM. */
int oct_port_needs_new(const oct_port_point *points, size_t n, const oct_run_options *options,
                       oct_port_needs **s, oct_diag *diag);
void oct_port_needs_free(oct_port_needs *s);
/* Instructions that fit the widths of all points (oct_core_check) and their accesses, in order. 0,
 * or OCT_ERR_LIMIT for a cycle stamp over 2^62 cycles after the first. */
int oct_port_needs_put(oct_port_needs *s, const oct_insn *insns, size_t n_insns,
                       const oct_access *accesses, oct_diag *diag);
/* What point i counted up to now, or to its first loss. */
const oct_stats *oct_port_needs_stats(const oct_port_needs *s, size_t i);

#ifdef __cplusplus
}
#endif
#endif
