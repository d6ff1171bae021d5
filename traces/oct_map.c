/* SPDX-License-Identifier: Apache-2.0 */
/* oct_map.c - the program map: an array of entries, an open-addressing hash of their numbers, and
 * for each entry the remembered numbers of the one that follows it in memory and of the one that
 * was executed after it; then the tracker, which keeps a map that explains a trace. */
#include "oct_map.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

struct oct_map {
  oct_map_entry *entries;
  uint32_t *next;     /* per entry: number of the follower, or NONE = not looked up or not there */
  uint32_t *executed; /* per entry: number of the one executed after it last, or NONE */
  size_t n, room;
  uint32_t *hash; /* numbers, NONE = free; twice as many places as entries at least */
  size_t n_hash;  /* a power of two */
};

oct_map *oct_map_new(void) {
  oct_map *map = calloc(1, sizeof *map);
  if (!map) return NULL;
  map->n_hash = 1024;
  map->hash = malloc(map->n_hash * sizeof *map->hash);
  if (!map->hash) {
    free(map);
    return NULL;
  }
  memset(map->hash, 0xff, map->n_hash * sizeof *map->hash);
  return map;
}

void oct_map_free(oct_map *map) {
  if (!map) return;
  free(map->entries);
  free(map->next);
  free(map->executed);
  free(map->hash);
  free(map);
}

size_t oct_map_count(const oct_map *map) {
  return map->n;
}

const oct_map_entry *oct_map_at(const oct_map *map, uint32_t id) {
  return &map->entries[id];
}

/* The place in the hash that holds addr, or the free one where it belongs. */
static size_t place(const oct_map *map, uint64_t addr) {
  size_t mask = map->n_hash - 1;
  size_t i = (size_t)((addr * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & mask;
  while (map->hash[i] != NONE && map->entries[map->hash[i]].addr != addr) i = (i + 1) & mask;
  return i;
}

uint32_t oct_map_find(const oct_map *map, uint64_t addr) {
  return map->hash[place(map, addr)];
}

uint32_t oct_map_next(oct_map *map, uint32_t id) {
  uint32_t next = map->next[id];
  if (next == NONE) {
    const oct_map_entry *e = &map->entries[id];
    next = oct_map_find(map, e->addr + e->size_bytes);
    map->next[id] = next;
  }
  return next;
}

uint32_t oct_map_follow(oct_map *map, uint32_t id, uint64_t addr) {
  uint32_t at = map->executed[id];
  if (at != NONE && map->entries[at].addr == addr) return at;
  at = oct_map_find(map, addr);
  map->executed[id] = at;
  return at;
}

static int grow_entries(oct_map *map) {
  size_t room = map->room ? map->room * 2 : 512;
  oct_map_entry *entries = realloc(map->entries, room * sizeof *entries);
  if (!entries) return OCT_ERR_NOMEM;
  map->entries = entries;
  uint32_t *next = realloc(map->next, room * sizeof *next);
  if (!next) return OCT_ERR_NOMEM;
  map->next = next;
  uint32_t *executed = realloc(map->executed, room * sizeof *executed);
  if (!executed) return OCT_ERR_NOMEM;
  map->executed = executed;
  map->room = room;
  return 0;
}

static int grow_hash(oct_map *map) {
  uint32_t *hash = malloc(map->n_hash * 2 * sizeof *hash);
  if (!hash) return OCT_ERR_NOMEM;
  free(map->hash);
  map->hash = hash;
  map->n_hash *= 2;
  memset(hash, 0xff, map->n_hash * sizeof *hash);
  for (size_t id = 0; id < map->n; id++) hash[place(map, map->entries[id].addr)] = (uint32_t)id;
  return 0;
}

int64_t oct_map_put(oct_map *map, const oct_map_entry *e) {
  size_t i = place(map, e->addr);
  uint32_t id = map->hash[i];
  if (id != NONE) {
    if (map->entries[id].size_bytes != e->size_bytes)
      map->next[id] = NONE; /* another one follows now */
    map->entries[id] = *e;
    return id;
  }
  if (map->n == NONE || (map->n == map->room && grow_entries(map))) return OCT_ERR_NOMEM;
  if ((map->n + 1) * 2 > map->n_hash) {
    if (grow_hash(map)) return OCT_ERR_NOMEM;
    i = place(map, e->addr);
  }
  id = (uint32_t)map->n++;
  map->hash[i] = id;
  map->entries[id] = *e;
  map->next[id] = map->executed[id] = NONE;
  return id;
}

/* ---- Tracker ---- */

struct oct_map_tracker {
  oct_map *map;
  uint32_t last;    /* entry of the last instruction, UINT32_MAX at the start */
  uint64_t n_insns; /* of the batches before */
  oct_map_update *updates;
  size_t n_updates, room_updates;
};

oct_map_tracker *oct_map_tracker_new(void) {
  oct_map_tracker *t = calloc(1, sizeof *t);
  if (!t) return NULL;
  t->last = UINT32_MAX;
  t->map = oct_map_new();
  if (!t->map) {
    free(t);
    return NULL;
  }
  return t;
}

void oct_map_tracker_free(oct_map_tracker *t) {
  if (!t) return;
  oct_map_free(t->map);
  free(t->updates);
  free(t);
}

const oct_map *oct_map_tracker_map(const oct_map_tracker *t) {
  return t->map;
}

static uint8_t kind_of(const oct_access *a) {
  unsigned log2_size = a->size_bytes ? (unsigned)__builtin_ctz(a->size_bytes) : 7;
  if (log2_size > 7) log2_size = 7;
  return (uint8_t)(log2_size | (a->is_store ? OCT_SLOT_STORE : 0));
}

static int update(oct_map_tracker *t, uint64_t from_insn, const oct_map_entry *e) {
  if (t->n_updates == t->room_updates) {
    size_t room = t->room_updates ? t->room_updates * 2 : 1024;
    oct_map_update *p = realloc(t->updates, room * sizeof *p);
    if (!p) return OCT_ERR_NOMEM;
    t->updates = p;
    t->room_updates = room;
  }
  t->updates[t->n_updates].from_insn = from_insn;
  t->updates[t->n_updates++].entry = *e;
  return oct_map_put(t->map, e) < 0 ? OCT_ERR_NOMEM : 0;
}

/* Whether the entry foresees the accesses of an instruction. */
static int foresees(const oct_map_entry *e, const oct_insn *insn, const oct_access *access) {
  if (insn->n_access > e->n_slots && !(e->flags & OCT_MAP_VARIABLE)) return 0;
  for (unsigned s = 0; s < insn->n_access; s++) {
    uint8_t slot = e->slots[oct_access_slot(s)];
    if (s >= e->n_slots && s < OCT_SLOTS_MAX) return 0;
    if ((slot & (OCT_SLOT_SIZE_MASK | OCT_SLOT_STORE)) != kind_of(&access[s])) return 0;
  }
  return 1;
}

/* The entry that also foresees this instruction. Accesses beyond the slots share two
 * slot bytes, each of which can only speak for the last of its accesses. */
static oct_map_entry merged(const oct_map_entry *old, const oct_insn *insn,
                            const oct_access *access) {
  oct_map_entry e = {.addr = insn->addr, .size_bytes = insn->size_bytes};
  if (old && old->size_bytes == insn->size_bytes) e = *old;
  for (unsigned s = 0; s < insn->n_access; s++) {
    uint8_t *slot = &e.slots[oct_access_slot(s)];
    *slot = (uint8_t)((*slot & OCT_SLOT_PC_RELATIVE) | kind_of(&access[s]));
  }
  if (insn->n_access > e.n_slots) {
    if (insn->n_access > UINT8_MAX) {
      e.flags |= OCT_MAP_VARIABLE;
      e.n_slots = UINT8_MAX;
    } else {
      e.n_slots = (uint8_t)insn->n_access;
    }
  }
  return e;
}

uint64_t oct_map_tracker_insns(const oct_map_tracker *t) {
  return t->n_insns;
}

/* Instruction number i of the batch is beyond a limit. */
static int beyond_limit(oct_map_tracker *t, size_t i) {
  t->n_insns += i;
  return OCT_ERR_LIMIT;
}

int64_t oct_map_track(oct_map_tracker *t, const oct_batch *batch, oct_insn *insns,
                      const oct_map_update **updates) {
  const oct_access *access = batch->accesses;
  uint32_t id = t->last;
  t->n_updates = 0;
  for (size_t i = 0; i < batch->n_map; i++) {
    const oct_map_entry *e = &batch->map[i];
    uint32_t known = oct_map_find(t->map, e->addr);
    if (known != UINT32_MAX && !memcmp(oct_map_at(t->map, known), e, sizeof *e)) continue;
    if (update(t, t->n_insns, e)) return OCT_ERR_NOMEM;
  }
  for (size_t i = 0; i < batch->n_insns; i++) {
    oct_insn insn = batch->insns[i];
    const oct_map_entry *e = NULL;
    if (insn.size_bytes < 1 || insn.size_bytes > 15) return beyond_limit(t, i);
    id = id == UINT32_MAX ? oct_map_find(t->map, insn.addr) : oct_map_follow(t->map, id, insn.addr);
    if (id != UINT32_MAX) e = oct_map_at(t->map, id);
    if (!e || e->size_bytes != insn.size_bytes || (insn.n_access && !foresees(e, &insn, access))) {
      oct_map_entry new_entry = merged(e, &insn, access);
      /* Accesses of one slot that differ in kind: no version could tell them. */
      if (!foresees(&new_entry, &insn, access)) return beyond_limit(t, i);
      if (update(t, t->n_insns + i, &new_entry)) return OCT_ERR_NOMEM;
      id = oct_map_find(t->map, insn.addr);
      e = oct_map_at(t->map, id);
    }
    access += insn.n_access;
    insn.flags &= (1u << OCT_INSN_CLASS_SHIFT) - 1 - OCT_INSN_END;
    insn.flags |= (uint8_t)(e->cls << OCT_INSN_CLASS_SHIFT);
    if (insn.n_access < e->n_slots || (e->flags & OCT_MAP_VARIABLE)) insn.flags |= OCT_INSN_END;
    insns[i] = insn;
  }
  t->n_insns += batch->n_insns;
  t->last = id;
  *updates = t->updates;
  return (int64_t)t->n_updates;
}
