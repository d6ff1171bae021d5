/* SPDX-License-Identifier: Apache-2.0 */
/* oct_compare.h - holds a decoded trace against the one that was expected, event by event, in
 * memory bounded by how far the two are apart.
 *
 * Threads: An oct_compare is for one thread at a time, different ones may be used by different
 * threads. */
#ifndef OCT_COMPARE_H
#define OCT_COMPARE_H

#include "oct_decoded.h"
#include "oct_error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct oct_compare oct_compare;

/* NULL when out of memory. The caller frees it. first is the number of the first instruction that
 * will be expected. */
oct_compare *oct_compare_new(uint64_t first);
void oct_compare_free(oct_compare *c);
/* Pass over data accesses, which the tracer does not carry. */
void oct_compare_without_accesses(oct_compare *c);

/* Events to expect, after those expected before. Copied. OCT_ERR_NOMEM. */
int oct_compare_expect(oct_compare *c, const oct_insn *insns, size_t n_insns,
                       const oct_access *accesses);
/* Traps among the instructions that oct_compare_expect is given next, counted from the first of
 * them; call it before. Copied. Without a call decoded traps are passed over. OCT_ERR_NOMEM. */
int oct_compare_expect_traps(oct_compare *c, const oct_trap *traps, size_t n_traps);
/* What of them is compared, OCT_TRAPS_* of oct_tracer.h; all unless it is set. */
void oct_compare_trap_parts(oct_compare *c, uint32_t parts);
/* Instructions expected and not yet compared. */
size_t oct_compare_pending(const oct_compare *c);

/* Compare a decoded run, and pass over what its gap says is missing: a trap on either edge of the
 * gap may have come or not. The privilege behind the gap has to be that of the trace, or unknown.
 * At least as many instructions as the run holds must be pending, one more if it has traps, unless
 * the expected trace is over.
 * OCT_ERR_MISMATCH with the first difference in *diag. */
int oct_compare_run(oct_compare *c, const oct_decoded *run, oct_diag *diag);
/* The decoded trace is over: is the expected one? OCT_ERR_MISMATCH. */
int oct_compare_end(oct_compare *c, oct_diag *diag);

/* Instructions found equal. */
uint64_t oct_compare_equal(const oct_compare *c);
/* Expected traps that were passed over, as they are in a gap or on its edge. */
uint64_t oct_compare_lost_traps(const oct_compare *c);

#ifdef __cplusplus
}
#endif

#endif
