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

/* What became of the traps of a damaged stream so far. */
typedef struct fault_marks {
  size_t next;        /* of all traps, the first that may still come */
  uint64_t wrong;     /* traps that were not there, and those missing without a gap */
  bool is_behind_gap; /* the run before ended in a gap, */
  bool has_told;      /* and behind it the privilege was told */
} fault_marks;

static inline bool is_same_trap(const oct_trap *a, const oct_trap *b) {
  return a->kind == b->kind && a->privilege == b->privilege && a->cause == b->cause &&
         a->addr == b->addr && a->tval == b->tval;
}

/* Is it a change of privilege to what the traps that are missing behind a gap made of it? */
static inline bool tells_privilege(const fault_marks *m, const oct_trap *traps, size_t n_traps,
                                   const oct_trap *t, uint64_t place) {
  uint8_t privilege = m->next ? traps[m->next - 1].privilege : OCT_PRIVILEGE_UNKNOWN;
  size_t k = m->next;
  while (privilege != t->privilege && k < n_traps && traps[k].insn <= place)
    privilege = traps[k++].privilege;
  return t->kind == OCT_TRAP_PRIVILEGE && privilege == t->privilege;
}

/* Hold a run's traps against those of its places. Behind a gap, those up to its first instruction
 * may be missing; those in front of what follows its last may come with the next run. */
static inline void take_fault_traps(fault_marks *m, const oct_trap *traps, size_t n_traps,
                                    const oct_decoded *run, bool is_far) {
  uint64_t end = run->first_insn + run->batch.n_insns;
  bool may_lack = is_far || m->is_behind_gap;
  for (size_t i = 0; i < run->batch.n_traps; i++) {
    const oct_trap *t = &run->batch.traps[i];
    uint64_t place = run->first_insn + t->insn;
    size_t k = m->next;
    uint64_t lacking = 0;
    /* A trap at the same place may look the same: what comes first behind a gap is told. */
    if (may_lack && !m->has_told && place == run->first_insn &&
        tells_privilege(m, traps, n_traps, t, place)) {
      m->has_told = true;
      continue;
    }
    for (; k < n_traps && traps[k].insn <= place; k++) {
      if (traps[k].insn == place && is_same_trap(&traps[k], t)) break;
      lacking += !(may_lack && traps[k].insn <= run->first_insn);
    }
    bool is_there = k < n_traps && traps[k].insn == place;
    m->wrong += is_there ? lacking : 1;
    if (is_there) m->next = k + 1;
  }
  for (; m->next < n_traps && traps[m->next].insn < end; m->next++)
    m->wrong += !(may_lack && traps[m->next].insn <= run->first_insn);
  if (run->batch.n_insns) m->is_behind_gap = false;
  if (run->batch.n_insns || run->is_gap) m->has_told = false;
}

#endif
