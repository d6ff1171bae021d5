/* SPDX-License-Identifier: Apache-2.0 */
/* oct_sweep.h - what many geometries make of one trace, in one pass over it.
 *
 * Streams are cut once for all geometries that agree in sl_bits and sync_period_insns; each stream
 * cache, N-tuple stage, DASC and repetition FSM that several geometries have in common runs once;
 * and where only hits matter, one stack-distance pass per number of sets serves all associativities
 * of LRU. The steps are the stages' own: each row equals a run of that geometry alone on the
 * untimed engine, to the bit (docs/sweep.md).
 *
 * Threads: A sweep is for one thread at a time, different ones may be used by different threads. */
#ifndef OCT_SWEEP_H
#define OCT_SWEEP_H

#include "oct_config.h"
#include "octrace/trace.h"
#include "octrace/tracer.h"
#include "oct_stats.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct oct_sweep oct_sweep;

/* What the geometries of a sweep have to be run as. */
typedef struct oct_sweep_parts {
  unsigned fronts, stacks, caches, tuples, dascs, repetitions;
} oct_sweep_parts;

/* n geometries, at least 1, which are copied. The caller frees *s. OCT_ERR_CONFIG: one is illegal;
 * OCT_ERR_ARG: n is 0; OCT_ERR_NOMEM. */
int oct_sweep_new(const oct_config *cfgs, size_t n, oct_sweep **s, oct_diag *diag);
void oct_sweep_free(oct_sweep *s);
/* Instructions (with OCT_INSN_END as oct_map_track sets it) and their accesses, in order. 0, or
 * OCT_ERR_NOMEM, OCT_ERR_LIMIT (an address or task wider than one geometry has it, misaligned). */
int oct_sweep_put(oct_sweep *s, const oct_insn *insns, size_t n_insns, const oct_access *accesses,
                  oct_diag *diag);
/* End of trace; nothing may be put after it. OCT_ERR_NOMEM. */
int oct_sweep_flush(oct_sweep *s, oct_diag *diag);
/* After the flush: what geometry number i counted. */
void oct_sweep_stats(const oct_sweep *s, size_t i, oct_stats *stats);
void oct_sweep_get_parts(const oct_sweep *s, oct_sweep_parts *parts);

#ifdef __cplusplus
}
#endif
#endif
