/* SPDX-License-Identifier: Apache-2.0 */
/* oct_map_walk.h - the program map as a trace is followed: changes wait in a queue until the
 * instruction from which they hold, then go into the map. Encoders and decoders of formats that
 * name instructions by what the program does next (branch traces) walk the map with it.
 *
 * A walk is one position in it: the entry of the last instruction. Its number stays the same while
 * entries change, so that a walk goes on over a change.
 *
 * Behind a gap of unknown length nobody knows which changes hold already. Where all that may hold
 * say the same of an address, the walk goes on with that; elsewhere the address is in doubt. */
#ifndef OCT_MAP_WALK_H
#define OCT_MAP_WALK_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "oct_grow.h"
#include "octrace/map.h"

#ifdef __cplusplus
extern "C" {
#endif

/* No entry. */
#define OCT_WALK_NONE UINT32_MAX

typedef struct oct_map_walk {
  oct_map *map;
  oct_map_update *updates; /* waiting: at .. n-1, in order */
  size_t at, n, room;
  uint64_t next_from; /* none that waits is due before this instruction */
  oct_map_code code;  /* asked for instructions that the map lacks; .insn NULL: nobody is */
  bool minds_slots;   /* whoever walks needs the slots of entries */
  bool is_unplaced;   /* the number of the next instruction is not known: */
  uint8_t *doubts;    /* of each entry whether it is in doubt, */
  size_t doubts_room; /* those behind are not */
} oct_map_walk;

/* An empty map with nothing waiting. 0 or OCT_ERR_NOMEM. */
static inline int oct_map_walk_init(oct_map_walk *w) {
  memset(w, 0, sizeof *w);
  w->next_from = UINT64_MAX;
  w->map = oct_map_new();
  return w->map ? 0 : OCT_ERR_NOMEM;
}

static inline void oct_map_walk_free(oct_map_walk *w) {
  oct_map_free(w->map);
  free(w->updates);
  free(w->doubts);
}

/* The number of the next instruction is not known, but it is insn or a later one. Changes from insn
 * on hold at once where the map has nothing of their address; where it has something else, the
 * address is in doubt. 0, or an error as of oct_map_walk_to. */
int oct_map_walk_lose(oct_map_walk *w, uint64_t insn);
/* The next instruction is known again. */
void oct_map_walk_place(oct_map_walk *w);
/* Of the changes that wait take what can be taken, from number `first` on; for oct_map_walk_add. */
int oct_map_walk_doubt(oct_map_walk *w, size_t first);

/* Whether nobody knows what stands at the address of entry id. */
static inline bool oct_map_walk_is_doubtful(const oct_map_walk *w, uint32_t id) {
  return w->is_unplaced && id < w->doubts_room && w->doubts[id];
}

/* Queue changes, ordered by from_insn, none before one that waits. Copied. 0 or OCT_ERR_NOMEM. */
static inline int oct_map_walk_add(oct_map_walk *w, const oct_map_update *updates, size_t n) {
  if (!n) return 0;
  if (w->at == w->n) w->at = w->n = 0;
  oct_map_update *p = (oct_map_update *)oct_grown(w->updates, &w->room, w->n + n, sizeof *p);
  if (!p) return OCT_ERR_NOMEM;
  w->updates = p;
  memcpy(w->updates + w->n, updates, n * sizeof *updates);
  w->n += n;
  if (w->is_unplaced) return oct_map_walk_doubt(w, w->n - n);
  w->next_from = w->updates[w->at].from_insn;
  return 0;
}

/* Whether the first change that waits holds for instruction number insn. A stream may choose any
 * number, so next_from only makes the common answer quick. */
static inline bool oct_map_walk_is_due(const oct_map_walk *w, uint64_t insn) {
  return w->next_from <= insn && w->at < w->n && !w->is_unplaced;
}

/* Make the map what it is for instruction number insn: called before each instruction; a
 * comparison unless there is something to do. 0, OCT_ERR_NOMEM, or OCT_ERR_MAP: a change continues
 * no entry. */
static inline int oct_map_walk_to(oct_map_walk *w, uint64_t insn) {
  while (oct_map_walk_is_due(w, insn)) {
    int64_t id = oct_map_put(w->map, &w->updates[w->at].entry);
    if (id < 0) return (int)id;
    w->at++;
    w->updates =
        (oct_map_update *)oct_queue_left(w->updates, &w->room, &w->at, &w->n, sizeof *w->updates);
    w->next_from = w->at < w->n ? w->updates[w->at].from_insn : UINT64_MAX;
  }
  return 0;
}

/* Number of the entry for addr, which the map lacks, from the code behind it; OCT_ERR_MAP when that
 * has none either, or OCT_ERR_NOMEM. */
static inline int64_t oct_map_walk_ask(oct_map_walk *w, uint64_t addr) {
  oct_map_entry e;
  bool is_there = w->code.insn && w->code.insn(w->code.context, addr, &e);
  return is_there ? oct_map_put(w->map, &e) : OCT_ERR_MAP;
}

/* The entry of the instruction at addr, number insn, which comes after entry `last` (or NONE). 0
 * and *id, OCT_ERR_NOMEM, or OCT_ERR_MAP: there is none, or it is in doubt. */
static inline int oct_map_walk_find(oct_map_walk *w, uint64_t insn, uint32_t last, uint64_t addr,
                                    uint32_t *id) {
  int error = oct_map_walk_to(w, insn);
  if (error) return error;
  uint32_t at =
      last == OCT_WALK_NONE ? oct_map_find(w->map, addr) : oct_map_follow(w->map, last, addr);
  if (at == OCT_WALK_NONE) {
    int64_t asked = oct_map_walk_ask(w, addr);
    if (asked < 0) return (int)asked;
    at = (uint32_t)asked;
  }
  if (oct_map_walk_is_doubtful(w, at)) return OCT_ERR_MAP;
  *id = at;
  return 0;
}
/* What to say of such an error, of a packet that begins at this bit. Returns it. */
int oct_map_walk_explain(const oct_map_walk *w, int error, uint64_t addr, uint64_t bit,
                         oct_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
