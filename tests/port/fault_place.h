/* SPDX-License-Identifier: Apache-2.0 */
/* fault_place.h - the experiment with damage (inject_faults.c): what it compares with, and where in
 * the trace stands what came behind a gap of unknown length. */
#ifndef FAULT_PLACE_H
#define FAULT_PLACE_H

#include "fault_traps.h"
#include "tracer_util.h"

#include "octrace/container.h"

enum { PERIODS_MAX = 1 << 16, PARTS = 8 };

typedef struct experiment {
  const oct_tracer *tracer;
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  oct_replay_options options;
  test_trace trace;
  test_stream stream;
  uint64_t *first_access; /* of each instruction */
  /* Where the syncs end: bits, and instructions before them. */
  uint64_t sync_bits[PERIODS_MAX], sync_insns[PERIODS_MAX];
  size_t n_syncs;
  oct_map *map;    /* the program, as it stands at the end */
  oct_trap *traps; /* that went in, with their places in the whole trace */
  size_t n_traps;
  oct_insn *decoded;   /* of the undamaged stream: their stamps */
  uint64_t own_losses; /* instructions that the machine lost, without damage */
  bool has_checks, in_container;
  bool is_each;        /* damage at each byte, not at random */
  bool is_full_rate;   /* the stream is the cycle engine's */
  size_t header_bytes; /* of the container */
  /* Parts of the trace that are encoded one after the other: behind each, bytes and map updates. */
  size_t n_parts, part_bytes[PARTS], part_updates[PARTS];
  int fd;
  char path[32];
} experiment;

typedef struct outcome {
  uint64_t delivered, wrong;
  uint64_t foreign; /* of those wrong, not of the program */
  uint64_t wrong_stamps;
  uint64_t untold; /* places where instructions are missing and no gap is told */
  fault_marks traps;
  bool is_told;                  /* damage was found */
  uint64_t first_lost, end_lost; /* all that was lost lies between */
} outcome;

static inline bool is_set(const experiment *x, const char *name) {
  int i = oct_tracer_param(x->tracer, name);
  return i >= 0 && x->params[i];
}

/* Of an instruction that lost accesses, the first ones came. */
static inline bool is_same(const experiment *x, uint64_t number, const oct_insn *d,
                           const oct_access *a) {
  if (number >= x->trace.n_insns) return false;
  const oct_insn *e = &x->trace.insns[number];
  const oct_access *b = x->trace.accesses + x->first_access[number];
  if (d->addr != e->addr || d->size_bytes != e->size_bytes || d->task != e->task) return false;
  if (!oct_tracer_carries_data(x->tracer, x->params)) return true;
  bool is_partial = d->flags & OCT_INSN_PARTIAL;
  if (is_partial ? d->n_access > e->n_access : d->n_access != e->n_access) return false;
  for (unsigned k = 0; k < d->n_access; k++)
    if (a[k].addr != b[k].addr || a[k].is_store != b[k].is_store) return false;
  return true;
}

/* Instructions that came as numbers `first` on; *next is the number that would have followed. */
static inline void take_insns(const experiment *x, const oct_insn *insns, size_t n,
                              const oct_access *a, uint64_t first, outcome *o, uint64_t *next) {
  if (first != *next) {
    if (o->first_lost == UINT64_MAX) o->first_lost = *next;
    o->end_lost = first;
  }
  for (size_t i = 0; i < n; i++) {
    o->wrong += !is_same(x, first + i, &insns[i], a);
    if (insns[i].n_access) a += insns[i].n_access;
    uint32_t id = oct_map_find(x->map, insns[i].addr);
    o->foreign += id == UINT32_MAX || oct_map_at(x->map, id)->size_bytes != insns[i].size_bytes;
  }
  o->delivered += n;
  *next = first + n;
}

/* What came behind a gap of unknown length. */
static struct {
  oct_insn *insns;
  oct_access *accesses;
  size_t n_insns, n_accesses;
} unplaced;

/* How many of these stand in the trace from number `from` on. */
static inline size_t agrees(const experiment *x, uint64_t from) {
  const oct_access *a = unplaced.accesses;
  size_t n = 0;
  for (; n < unplaced.n_insns && is_same(x, from + n, &unplaced.insns[n], a); n++)
    if (unplaced.insns[n].n_access) a += unplaced.insns[n].n_access;
  return n;
}

/* A gap, or the end: find where it stands that came since the gap before. Too many wrong
 * instructions may have come before that gap, so that it stands before *next. */
static inline void place(const experiment *x, outcome *o, uint64_t *next) {
  uint64_t best = *next;
  if (!unplaced.n_insns) return;
  size_t most = agrees(x, best);
  for (uint64_t i = 1; i < x->trace.n_insns && most < unplaced.n_insns; i++) {
    uint64_t at = (*next + i) % x->trace.n_insns;
    size_t n = agrees(x, at);
    if (n > most) best = at;
    if (n > most) most = n;
  }
  if (best < *next) *next = best;
  take_insns(x, unplaced.insns, unplaced.n_insns, unplaced.accesses, best, o, next);
  unplaced.n_insns = unplaced.n_accesses = 0;
}

#endif
