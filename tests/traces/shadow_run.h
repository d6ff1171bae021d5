/* SPDX-License-Identifier: Apache-2.0 */
/* shadow_run.h - a shadow of a program, to hold effects against what was executed.
 *
 * It is as simple as can be: registers and flags that are known or not, a memory without limit that
 * remembers which of its bytes are known. Addresses that the trace shows teach it unknown bases.
 * What follows from known values is a claim, and the trace says whether it is right. A wrong claim
 * means a wrong decoder, unless the kernel wrote what the shadow could not see. */
#ifndef OCT_SHADOW_RUN_H
#define OCT_SHADOW_RUN_H

#include "octrace/trace.h"

typedef enum claim_kind {
  CLAIM_ABSOLUTE,  /* address that is absolute or relative to the instruction */
  CLAIM_BASE,      /* base + offset */
  CLAIM_INDEX,     /* with an index */
  CLAIM_FURTHER,   /* the later accesses of an instruction, from the first */
  CLAIM_FLAGS,     /* a branch that flags decide */
  CLAIM_COMPARE,   /* a branch that compares registers */
  CLAIM_BIT,       /* a branch by one bit */
  CLAIM_PREDICATE, /* whether a predicated instruction makes its accesses */
  CLAIM_RESULT,    /* target from a register */
  CLAIM_LOADED,    /* target from a loaded word */
  CLAIM_KINDS
} claim_kind;

typedef struct claims {
  uint64_t right, wrong, open; /* open: such a decision, of which nothing was known */
} claims;

typedef struct shadow_run shadow_run;
/* NULL when out of memory. is_big: memory is big-endian. trace_wrong > 0: so many wrong claims are
 * printed. */
shadow_run *shadow_run_new(int is_big, unsigned trace_wrong);
void shadow_run_free(shadow_run *run);
/* The next instruction, with its accesses and its entry of the map. */
void shadow_run_step(shadow_run *run, const oct_insn *insn, const oct_access *access,
                     const oct_map_entry *entry);
const claims *shadow_run_claims(const shadow_run *run); /* CLAIM_KINDS of them */
const char *shadow_run_kind(claim_kind kind);

#endif
