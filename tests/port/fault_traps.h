/* SPDX-License-Identifier: Apache-2.0 */
/* fault_traps.h - traps for the experiment with damage (inject_faults.c): a third of all places has
 * one or two, so that many stand beside syncs and checks. */
#ifndef FAULT_TRAPS_H
#define FAULT_TRAPS_H

#include "tracer_util.h"

/* Of what the parameters can hold, in the order of their places; the caller frees them. */
static inline oct_trap *make_fault_traps(const oct_tracer *t, const uint32_t *params,
                                         const test_trace *x, size_t *n_traps) {
  int cause_bits = oct_tracer_param(t, "cause_bits");
  oct_trap *traps = calloc(2 * x->n_insns + 2, sizeof *traps);
  *n_traps = 0;
  for (size_t i = 0; i < x->n_insns; i++)
    for (uint64_t n = below(3) ? 0 : 1 + below(2); n; n--) {
      oct_trap *p = &traps[(*n_traps)++];
      *p = (oct_trap){.insn = (uint32_t)i, .kind = (uint8_t)below(OCT_TRAP_KINDS)};
      p->privilege = (uint8_t)below(OCT_PRIVILEGE_UNKNOWN + 1);
      if (p->kind == OCT_TRAP_PRIVILEGE) continue;
      p->cause = (uint32_t)below(cause_bits < 0 ? 16 : UINT64_C(1) << params[cause_bits]);
      p->addr = x->insns[below(x->n_insns)].addr;
      if (p->kind == OCT_TRAP_EXCEPTION) p->tval = x->insns[below(x->n_insns)].addr;
    }
  return traps;
}

/* Whether this one is among those of the place. */
static inline bool has_fault_trap(const oct_trap *traps, size_t n_traps, uint64_t place,
                                  const oct_trap *t) {
  size_t low = 0, high = n_traps;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (traps[middle].insn < place)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < n_traps && traps[low].insn == place; low++) {
    const oct_trap *e = &traps[low];
    if (e->kind == t->kind && e->privilege == t->privilege && e->cause == t->cause &&
        e->addr == t->addr && e->tval == t->tval)
      return true;
  }
  return false;
}

#endif
