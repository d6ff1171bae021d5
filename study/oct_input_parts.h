/* SPDX-License-Identifier: Apache-2.0 */
/* oct_input_parts.h - a batch in parts, each of them an input of a tracer.
 *
 * Accesses go with their instructions. The changes of the map are told with the first part: they
 * say themselves when they begin. A trap goes with the part of the instruction behind it, or with
 * the last part, and counts from the first instruction of that part; so does a fact. All parts have
 * the values of the batch.
 *
 * Threads: the parts of a batch are for one thread at a time. */
#ifndef OCT_INPUT_PARTS_H
#define OCT_INPUT_PARTS_H

#include <stdlib.h>
#include <string.h>

#include "octrace/tracer.h"

typedef struct oct_input_parts {
  oct_tracer_input part; /* given out last */
  size_t n_done, n_insns;
  oct_trap *traps; /* of all parts; owned */
  oct_trap *trap;  /* the first of the n_traps of later parts */
  size_t n_traps;
  oct_fact *facts, *fact; /* likewise */
  size_t n_facts;
} oct_input_parts;

/* What *all points to stays as it is until the last part has been used. oct_input_parts_end in any
 * case. OCT_ERR_NOMEM. */
static inline int oct_input_parts_begin(oct_input_parts *p, const oct_tracer_input *all,
                                        oct_diag *diag) {
  *p = (oct_input_parts){.part = *all, .n_insns = all->n_insns};
  p->part.n_insns = p->part.n_accesses = p->part.n_traps = p->part.n_facts = 0;
  if ((all->n_traps && !(p->traps = malloc(all->n_traps * sizeof *p->traps))) ||
      (all->n_facts && !(p->facts = malloc(all->n_facts * sizeof *p->facts))))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  if (p->traps) memcpy(p->traps, all->traps, all->n_traps * sizeof *p->traps);
  if (p->facts) memcpy(p->facts, all->facts, all->n_facts * sizeof *p->facts);
  p->trap = p->traps;
  p->n_traps = all->n_traps;
  p->fact = p->facts;
  p->n_facts = all->n_facts;
  return 0;
}

static inline void oct_input_parts_end(oct_input_parts *p) {
  free(p->traps);
  free(p->facts);
}

/* The next part, of at most n instructions. A batch of traps alone has one part, without any. */
static inline const oct_tracer_input *oct_input_parts_next(oct_input_parts *p, size_t n) {
  oct_tracer_input *part = &p->part;
  if (p->n_done) {
    part->updates += part->n_updates;
    part->n_updates = 0;
  }
  part->insns += part->n_insns;
  part->accesses += part->n_accesses;
  part->traps = p->trap;
  part->facts = p->fact;
  part->n_insns = p->n_insns - p->n_done < n ? p->n_insns - p->n_done : n;
  part->n_accesses = part->n_traps = part->n_facts = 0;
  for (size_t i = 0; i < part->n_insns; i++) part->n_accesses += part->insns[i].n_access;
  size_t end = p->n_done + part->n_insns;
  for (; p->n_traps && (p->trap->insn < end || end == p->n_insns); p->trap++, p->n_traps--) {
    p->trap->insn -= (uint32_t)p->n_done;
    part->n_traps++;
  }
  for (; p->n_facts && (p->fact->insn < end || end == p->n_insns); p->fact++, p->n_facts--) {
    p->fact->insn -= (uint32_t)p->n_done;
    part->n_facts++;
  }
  p->n_done = end;
  return part;
}

static inline bool oct_input_parts_has_more(const oct_input_parts *p) {
  return p->n_done < p->n_insns;
}

#endif
