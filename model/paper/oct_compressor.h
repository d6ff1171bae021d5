/* SPDX-License-Identifier: Apache-2.0 */
/* oct_compressor.h - the whole compressor behind one interface: instructions in, port bytes out.
 * Two engines share every stage's step: the untimed one (nothing is ever lost) and the
 * cycle-level one (real buffers, latencies and pins: it may overflow, and says so).
 *
 * Threads: A compressor is for one thread at a time, different ones may be used by different
 * threads. */
#ifndef OCT_COMPRESSOR_H
#define OCT_COMPRESSOR_H

#include "oct_config.h"
#include "octrace/trace.h"
#include "octrace/tracer.h"
#include "oct_stats.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct oct_compressor oct_compressor;

/* options may be NULL (untimed). The caller frees *c. OCT_ERR_CONFIG, OCT_ERR_ARG, OCT_ERR_NOMEM.
 */
int oct_compressor_new(const oct_config *cfg, const oct_run_options *options, oct_compressor **c,
                       oct_diag *diag);
void oct_compressor_free(oct_compressor *c);

/* Compress instructions (with OCT_INSN_END as oct_map_track sets it) and their accesses, in order.
 * 0, or OCT_ERR_NOMEM, OCT_ERR_LIMIT (an address or task wider than configured, misaligned, or a
 * stamp over 2^62 cycles after the first). A pause costs no time once the machine is at rest. */
int oct_compressor_put(oct_compressor *c, const oct_insn *insns, size_t n_insns,
                       const oct_access *accesses, oct_diag *diag);
/* A trap before the next instruction, which is of this task; left out without the parameter traps.
 * 0, or OCT_ERR_NOMEM, OCT_ERR_LIMIT (wider than configured). */
int oct_compressor_put_trap(oct_compressor *c, const oct_trap *trap, uint32_t task, oct_diag *diag);
/* End of trace: everything leaves, closed by a flush packet. May be followed by more. */
int oct_compressor_flush(oct_compressor *c, oct_diag *diag);
/* Port bytes so far, in order; owned by c, valid until the next call on c; they are handed out
 * once. */
size_t oct_compressor_take(oct_compressor *c, const uint8_t **bytes);
const oct_stats *oct_compressor_stats(const oct_compressor *c);
const oct_config *oct_compressor_config(const oct_compressor *c);

#ifdef __cplusplus
}
#endif
#endif
