/* SPDX-License-Identifier: Apache-2.0 */
/* oct_map_walk.c - the program map behind a gap of unknown length.
 *
 * Changes that wait may hold already or not yet. They stay in the queue, for the case that the
 * place is known again; until then nothing is taken out of it. A change of an address that the map
 * lacks is taken at once: who comes to that address comes after the change. One that says the same
 * as the map changes nothing. Any other leaves the address in doubt. */
#include "oct_map_walk.h"

#include <inttypes.h>

/* Whether both lead to the same instructions, and accesses where they are minded. */
static bool is_alike(const oct_map_walk *w, const oct_map_entry *a, const oct_map_entry *b) {
  if (a->size_bytes != b->size_bytes || a->cls != b->cls || a->target != b->target ||
      a->code_isa != b->code_isa || memcmp(a->code, b->code, sizeof a->code) != 0)
    return false;
  return !w->minds_slots || (a->n_slots == b->n_slots && a->flags == b->flags &&
                             !memcmp(a->slots, b->slots, sizeof a->slots));
}

static int set_doubt(oct_map_walk *w, uint32_t id) {
  size_t had = w->doubts_room;
  uint8_t *doubts = (uint8_t *)oct_grown(w->doubts, &w->doubts_room, (size_t)id + 1, 1);
  if (!doubts) return OCT_ERR_NOMEM;
  if (w->doubts_room > had) memset(doubts + had, 0, w->doubts_room - had);
  w->doubts = doubts;
  w->doubts[id] = 1;
  return 0;
}

int oct_map_walk_doubt(oct_map_walk *w, size_t first) {
  bool is_new = false; /* the entry before was taken */
  for (size_t i = first; i < w->n; i++) {
    const oct_map_entry *e = &w->updates[i].entry;
    uint32_t id = oct_map_find(w->map, e->addr);
    bool continues = e->flags & OCT_MAP_CONTINUES;
    if (!continues) is_new = id == OCT_WALK_NONE;
    if (is_new) {
      int64_t put = oct_map_put(w->map, e);
      if (put < 0) return (int)put;
    } else if (id != OCT_WALK_NONE &&
               (continues ? w->minds_slots : !is_alike(w, oct_map_entry_at(w->map, id), e))) {
      if (set_doubt(w, id)) return OCT_ERR_NOMEM;
    }
  }
  return 0;
}

void oct_map_walk_place(oct_map_walk *w) {
  w->is_unplaced = false;
  w->next_from = w->at < w->n ? w->updates[w->at].from_insn : UINT64_MAX;
}

int oct_map_walk_lose(oct_map_walk *w, uint64_t insn) {
  oct_map_walk_place(w);
  int error = oct_map_walk_to(w, insn);
  if (error) return error;
  if (w->doubts_room) memset(w->doubts, 0, w->doubts_room);
  w->is_unplaced = true;
  w->next_from = UINT64_MAX;
  return oct_map_walk_doubt(w, w->at);
}

int oct_map_walk_explain(const oct_map_walk *w, int error, uint64_t addr, uint64_t bit,
                         oct_diag *diag) {
  if (error != OCT_ERR_MAP) return oct_fail_at(diag, error, OCT_AT_BIT, bit, "out of memory");
  if (oct_map_find(w->map, addr) == OCT_WALK_NONE)
    return oct_fail_at(diag, error, OCT_AT_BIT, bit, "no instruction is known at 0x%" PRIx64, addr);
  if (!w->is_unplaced)
    return oct_fail_at(diag, error, OCT_AT_BIT, bit,
                       "an entry of the program map that continues no other");
  return oct_fail_at(diag, error, OCT_AT_BIT, bit,
                     "the program changes at 0x%" PRIx64
                     ", and after a gap of unknown length nobody knows whether it has",
                     addr);
}
