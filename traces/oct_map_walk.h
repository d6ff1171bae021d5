/* SPDX-License-Identifier: Apache-2.0 */
/* oct_map_walk.h - the program map as a trace is followed: changes wait in a queue until the
 * instruction from which they hold, then go into the map. Encoders and decoders of formats that
 * name instructions by what the program does next (branch traces) walk the map with it.
 *
 * A walk is one position in it: the entry of the last instruction. Its number stays the same while
 * entries change, so that a walk goes on over a change. */
#ifndef OCT_MAP_WALK_H
#define OCT_MAP_WALK_H

#include <stdlib.h>
#include <string.h>

#include "oct_grow.h"
#include "oct_map.h"

#ifdef __cplusplus
extern "C" {
#endif

/* No entry. */
#define OCT_WALK_NONE UINT32_MAX

typedef struct oct_map_walk {
  oct_map *map;
  oct_map_update *updates; /* waiting: at .. n-1, in order */
  size_t at, n, room;
  uint64_t next_from; /* from_insn of the first that waits, UINT64_MAX without */
  oct_map_code code;  /* asked for instructions that the map lacks; .insn NULL: nobody is */
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
  w->next_from = w->updates[w->at].from_insn;
  return 0;
}

/* Make the map what it is for instruction number insn: called before each instruction; a
 * comparison unless there is something to do. 0 or OCT_ERR_NOMEM. */
static inline int oct_map_walk_to(oct_map_walk *w, uint64_t insn) {
  while (w->next_from <= insn) {
    if (oct_map_put(w->map, &w->updates[w->at].entry) < 0) return OCT_ERR_NOMEM;
    w->at++;
    w->next_from = w->at < w->n ? w->updates[w->at].from_insn : UINT64_MAX;
    if (w->at == w->n) return 0;
  }
  return 0;
}

/* Number of the entry for addr, which the map lacks, from the code behind it; OCT_WALK_NONE when
 * that has none either, or memory is out. */
static inline uint32_t oct_map_walk_ask(oct_map_walk *w, uint64_t addr) {
  oct_map_entry e;
  if (!w->code.insn || !w->code.insn(w->code.context, addr, &e)) return OCT_WALK_NONE;
  int64_t id = oct_map_put(w->map, &e);
  return id < 0 ? OCT_WALK_NONE : (uint32_t)id;
}

#ifdef __cplusplus
}
#endif
#endif
