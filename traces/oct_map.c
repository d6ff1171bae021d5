/* SPDX-License-Identifier: Apache-2.0 */
/* oct_map.c - the program map: an array of entries, an open-addressing hash of their numbers, and
 * for each entry the remembered numbers of the one that follows it in memory and of the one that
 * was executed after it; then the tracker, which keeps a map that explains a trace. The few entries
 * that are continued (x86 `xsave`) have a list of slot bytes from number 16 on.
 *
 * A lean map has nodes of half the size: its effects stand in a pool, each once, in whose hash they
 * are looked up as entries come. Those that no entry has any more are dropped when the pool has
 * more effects than the map can need. */
#include "octrace/map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "oct_grow.h"
#include "oct_hash.h"
#include "oct_inline.h"
#include "oct_mask.h"

#define NONE UINT32_MAX

typedef struct slot_list {
  uint8_t *slots; /* of accesses 16 .. 16 + n - 1 */
  unsigned n;
  size_t room;
} slot_list;

/* What a step of a trace looks up of an entry, in one line of most caches: a lean map has only
 * this. */
enum { LINE_BYTES = 64 };
typedef struct node {
  /* Number of the follower, NONE = not looked up or not there; of the one executed after it last
   * that stands elsewhere, or NONE. */
  uint32_t ways[2];
  oct_map_head head;
} node;
/* In a map that is not lean, the whole entry is where the head is, and its effect a line of its
 * own. */
enum { LEAN_LOG2 = 6, FULL_LOG2 = 7, ENTRY_AT = offsetof(node, head) };
_Static_assert(sizeof(node) == LINE_BYTES && ENTRY_AT + offsetof(oct_map_entry, op) == LINE_BYTES &&
                   ENTRY_AT + sizeof(oct_map_entry) == 2 * LINE_BYTES,
               "a node does not fit its lines");

/* Effects, each once. Number 0 is the one of zeros. */
typedef struct effect_pool {
  oct_effect *of;
  size_t n, room;
  uint32_t *hash; /* numbers, NONE = free; at most half is used */
  size_t n_hash;
} effect_pool;

struct oct_map {
  void *block; /* of memory, in which the nodes begin at a line */
  char *nodes;
  unsigned node_log2; /* FULL_LOG2, or LEAN_LOG2: nodes have no effect */
  effect_pool pool;   /* of a lean map, where head.effect is the number in it */
  uint32_t *beyond;   /* per entry: number of its list, or NONE; NULL: there are no lists */
  slot_list *lists;
  uint32_t n_lists;
  size_t room_lists;
  size_t n, room;
  uint32_t *hash; /* NONE = free, or a number and above it bits of its address's hash, which spare
                   * most looks at other nodes; at most two of three places are used */
  size_t n_hash;  /* a power of two, more than any number */
};

static node *node_of(const oct_map *map, size_t id) {
  return (node *)(void *)(map->nodes + (id << map->node_log2));
}

static bool is_lean(const oct_map *map) {
  return map->node_log2 == LEAN_LOG2;
}

/* Of a map that is not lean. */
static oct_map_entry *entry_of(const oct_map *map, size_t id) {
  return (oct_map_entry *)(void *)(map->nodes + (id << map->node_log2) + ENTRY_AT);
}

/* ---- Effects of a lean map ---- */

/* The place in the hash of an effect, or the free one where it belongs. */
static size_t place_effect(const effect_pool *p, const oct_effect *op) {
  uint64_t words[sizeof *op / 8], h = 0;
  memcpy(words, op, sizeof words);
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    h = (h ^ words[k]) * OCT_HASH_FACTOR + (h >> 29);
  size_t mask = p->n_hash - 1, i = (size_t)(h >> 32) & mask;
  while (p->hash[i] != NONE && memcmp(&p->of[p->hash[i]], op, sizeof *op) != 0) i = (i + 1) & mask;
  return i;
}

static int grow_pool(effect_pool *p) {
  const size_t n_hash = p->n_hash ? p->n_hash * 2 : 256;
  uint32_t *hash = malloc(n_hash * sizeof *hash);
  if (!hash) return OCT_ERR_NOMEM;
  free(p->hash);
  p->hash = hash;
  p->n_hash = n_hash;
  memset(hash, 0xff, n_hash * sizeof *hash);
  for (size_t k = 0; k < p->n; k++) hash[place_effect(p, &p->of[k])] = (uint32_t)k;
  return 0;
}

/* The number of an effect, which is added where it is new: 0, or OCT_ERR_NOMEM. */
static int pool_effect(effect_pool *p, const oct_effect *op, uint32_t *number) {
  if (2 * (p->n + 1) > p->n_hash && grow_pool(p)) return OCT_ERR_NOMEM;
  size_t i = place_effect(p, op);
  if (p->hash[i] == NONE) {
    oct_effect *grown = p->n < NONE ? oct_grown(p->of, &p->room, p->n + 1, sizeof *grown) : NULL;
    if (!grown) return OCT_ERR_NOMEM;
    p->of = grown;
    p->hash[i] = (uint32_t)p->n;
    p->of[p->n++] = *op;
  }
  *number = p->hash[i];
  return 0;
}

static void free_pool(effect_pool *p) {
  free(p->of);
  free(p->hash);
}

/* Keep the effects that entries have. */
static int sweep_pool(oct_map *map) {
  effect_pool fresh = {.of = NULL};
  uint32_t *numbers = malloc(map->n * sizeof *numbers);
  int error = numbers ? 0 : OCT_ERR_NOMEM;
  for (size_t id = 0; id < map->n && !error; id++)
    error = pool_effect(&fresh, &map->pool.of[node_of(map, id)->head.effect], &numbers[id]);
  for (size_t id = 0; id < map->n && !error; id++) node_of(map, id)->head.effect = numbers[id];
  free(numbers);
  free_pool(error ? &fresh : &map->pool);
  if (!error) map->pool = fresh;
  return error;
}

/* Let entry id be this one. 0 or OCT_ERR_NOMEM, and it is what it was. */
static int set_entry(oct_map *map, size_t id, const oct_map_entry *e) {
  enum { SPARE = 4096 };
  uint32_t number;
  if (!is_lean(map)) {
    *entry_of(map, id) = *e;
    return 0;
  }
  if (map->pool.n > 2 * map->n + SPARE && sweep_pool(map)) return OCT_ERR_NOMEM;
  if (pool_effect(&map->pool, &e->op, &number)) return OCT_ERR_NOMEM;
  node *n = node_of(map, id);
  n->head = e->head;
  n->head.effect = number;
  return 0;
}

const oct_effect *oct_map_effect(const oct_map *map, uint32_t id) {
  return is_lean(map) ? &map->pool.of[node_of(map, id)->head.effect] : &entry_of(map, id)->op;
}

const oct_map_entry *oct_map_entry_at(const oct_map *map, uint32_t id) {
  return is_lean(map) ? NULL : entry_of(map, id);
}

void oct_map_get(const oct_map *map, uint32_t id, oct_map_entry *e) {
  e->head = node_of(map, id)->head;
  e->head.effect = 0;
  e->op = *oct_map_effect(map, id);
}

/* ---- The map ---- */

static oct_map *new_map(unsigned node_log2) {
  oct_map *map = calloc(1, sizeof *map);
  if (!map) return NULL;
  map->node_log2 = node_log2;
  map->n_hash = 1024;
  map->hash = malloc(map->n_hash * sizeof *map->hash);
  if (!map->hash) {
    free(map);
    return NULL;
  }
  memset(map->hash, 0xff, map->n_hash * sizeof *map->hash);
  return map;
}

oct_map *oct_map_new(void) {
  return new_map(FULL_LOG2);
}

oct_map *oct_map_new_lean(void) {
  return new_map(LEAN_LOG2);
}

void oct_map_free(oct_map *map) {
  if (!map) return;
  free(map->block);
  free(map->beyond);
  for (uint32_t i = 0; i < map->n_lists; i++) free(map->lists[i].slots);
  free(map->lists);
  free(map->hash);
  free_pool(&map->pool);
  free(map);
}

size_t oct_map_count(const oct_map *map) {
  return map->n;
}

const oct_map_head *oct_map_at(const oct_map *map, uint32_t id) {
  return &node_of(map, id)->head;
}

/* Of an entry of the map. */
static uint32_t id_of(const oct_map *map, const oct_map_head *e) {
  size_t at = (size_t)((const char *)e - map->nodes) - ENTRY_AT;
  return (uint32_t)(at >> map->node_log2);
}

static uint32_t hash_of(uint64_t addr) {
  return (uint32_t)((addr * OCT_HASH_FACTOR) >> 32);
}

/* The place in the hash that holds addr, or the free one where it belongs. */
static size_t place(const oct_map *map, uint64_t addr) {
  const size_t mask = map->n_hash - 1;
  const uint32_t hash = hash_of(addr);
  size_t i = hash & mask;
  while (map->hash[i] != NONE && (((map->hash[i] ^ hash) & ~mask) != 0 ||
                                  node_of(map, map->hash[i] & mask)->head.addr != addr))
    i = (i + 1) & mask;
  return i;
}

/* The number in a place of the hash, or NONE. */
static uint32_t number_at(const oct_map *map, size_t i) {
  return map->hash[i] == NONE ? NONE : (uint32_t)(map->hash[i] & (map->n_hash - 1));
}

static void set_number(oct_map *map, size_t i, uint64_t addr, size_t id) {
  map->hash[i] = (uint32_t)((hash_of(addr) & ~(map->n_hash - 1)) | id);
}

uint32_t oct_map_find(const oct_map *map, uint64_t addr) {
  return number_at(map, place(map, addr));
}

uint32_t oct_map_next(oct_map *map, uint32_t id) {
  uint32_t next = node_of(map, id)->ways[0];
  if (next == NONE) {
    const oct_map_head *e = &node_of(map, id)->head;
    next = oct_map_find(map, e->addr + e->size_bytes);
    node_of(map, id)->ways[0] = next;
  }
  return next;
}

/* The way is not known yet, or it was another one the last time. */
static OCT_NO_INLINE uint32_t find_way(oct_map *map, uint32_t id, uint64_t addr, bool is_jump) {
  const uint32_t at = oct_map_find(map, addr);
  node_of(map, id)->ways[is_jump] = at;
  return at;
}

/* Entries come as they are executed first, so most often the next one is it: then nothing waits for
 * what entry id says. Else the way to what stands behind it and the last way elsewhere are
 * remembered apart: a branch takes both in turn. Which of the two it is takes no branch here. */
OCT_INLINE uint32_t follow(oct_map *map, uint32_t id, uint64_t addr) {
  if (id + 1 < map->n && node_of(map, id + 1)->head.addr == addr) return id + 1;
  const node *from = node_of(map, id);
  const bool is_jump = addr != from->head.addr + from->head.size_bytes;
  const uint32_t at = from->ways[is_jump];
  if (at != NONE && node_of(map, at)->head.addr == addr) return at;
  return find_way(map, id, addr, is_jump);
}

uint32_t oct_map_follow(oct_map *map, uint32_t id, uint64_t addr) {
  return follow(map, id, addr);
}

/* A large block grows in place by pages, so that nothing is there twice. */
static int grow_entries(oct_map *map) {
  size_t room = map->room ? map->room * 2 : 512;
  size_t before = (size_t)(map->nodes - (char *)map->block);
  if (map->beyond) {
    uint32_t *beyond = realloc(map->beyond, room * sizeof *beyond);
    if (!beyond) return OCT_ERR_NOMEM;
    map->beyond = beyond;
  }
  char *block = realloc(map->block, (room << map->node_log2) + 3 * LINE_BYTES);
  if (!block) return OCT_ERR_NOMEM;
  size_t at = LINE_BYTES - (size_t)((uintptr_t)block % LINE_BYTES);
  if (map->n && at != before) memmove(block + at, block + before, map->n << map->node_log2);
  map->block = block;
  map->nodes = block + at;
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
  for (size_t id = 0; id < map->n; id++) {
    const uint64_t addr = node_of(map, id)->head.addr;
    set_number(map, place(map, addr), addr, id);
  }
  return 0;
}

/* What continues entry id, or NULL. */
static const slot_list *list_of(const oct_map *map, uint32_t id) {
  return !map->beyond || map->beyond[id] == NONE ? NULL : &map->lists[map->beyond[id]];
}

unsigned oct_map_slots_beyond(const oct_map *map, uint32_t id) {
  const slot_list *list = list_of(map, id);
  return list ? list->n : 0;
}

uint8_t oct_map_slot_beyond(const oct_map *map, const oct_map_head *e, unsigned s) {
  const slot_list *list = list_of(map, id_of(map, e));
  return list && s - OCT_SLOTS_MAX < list->n ? list->slots[s - OCT_SLOTS_MAX]
                                             : e->slots[oct_access_slot(s)];
}

/* The list of entry id, made where there is none; NULL when out of memory. */
static slot_list *make_list(oct_map *map, uint32_t id) {
  if (!map->beyond) {
    if (!(map->beyond = malloc(map->room * sizeof *map->beyond))) return NULL;
    memset(map->beyond, 0xff, map->room * sizeof *map->beyond);
  }
  if (map->beyond[id] == NONE) {
    slot_list *lists = oct_grown(map->lists, &map->room_lists, map->n_lists + 1, sizeof *lists);
    if (!lists) return NULL;
    map->lists = lists;
    lists[map->n_lists] = (slot_list){0};
    map->beyond[id] = map->n_lists++;
  }
  return &map->lists[map->beyond[id]];
}

static int64_t continue_entry(oct_map *map, uint32_t id, const oct_map_entry *e) {
  if (id == NONE || !e->n_slots || e->n_slots > OCT_SLOTS_MAX) return OCT_ERR_MAP;
  slot_list *list = make_list(map, id);
  if (!list) return OCT_ERR_NOMEM;
  if (e->target != OCT_SLOTS_MAX + list->n || e->target + e->n_slots > UINT16_MAX)
    return OCT_ERR_MAP;
  uint8_t *slots = oct_grown(list->slots, &list->room, list->n + e->n_slots, 1);
  if (!slots) return OCT_ERR_NOMEM;
  list->slots = slots;
  memcpy(list->slots + list->n, e->slots, e->n_slots);
  list->n += e->n_slots;
  return id;
}

int64_t oct_map_put(oct_map *map, const oct_map_entry *e) {
  size_t i = place(map, e->addr);
  uint32_t id = number_at(map, i);
  if (e->flags & OCT_MAP_CONTINUES) return continue_entry(map, id, e);
  if (id != NONE) {
    node *n = node_of(map, id);
    const uint8_t size_bytes = n->head.size_bytes;
    if (set_entry(map, id, e)) return OCT_ERR_NOMEM;
    if (map->beyond && map->beyond[id] != NONE) map->lists[map->beyond[id]].n = 0;
    if (size_bytes != e->size_bytes) n->ways[0] = NONE; /* another one follows now */
    return id;
  }
  if (map->n == NONE || (map->n == map->room && grow_entries(map))) return OCT_ERR_NOMEM;
  if ((map->n + 1) * 3 > map->n_hash * 2) {
    if (grow_hash(map)) return OCT_ERR_NOMEM;
    i = place(map, e->addr);
  }
  if (set_entry(map, map->n, e)) return OCT_ERR_NOMEM;
  id = (uint32_t)map->n++;
  set_number(map, i, e->addr, id);
  node_of(map, id)->ways[0] = node_of(map, id)->ways[1] = NONE;
  if (map->beyond) map->beyond[id] = NONE;
  return id;
}

/* ---- Tracker ---- */

struct oct_map_tracker {
  oct_map *map;
  uint32_t last;    /* entry of the last instruction, UINT32_MAX at the start */
  uint64_t n_insns; /* of the batches before */
  oct_map_update *updates;
  size_t n_updates, room_updates;
  /* Entries of the program that made more accesses than it says: how many it says, and as target
   * how often they went back to that. */
  oct_map *grown;
  uint8_t *beyond; /* slot bytes from number 16 on of a new version, UINT16_MAX of them fit */
  uint8_t *runs; /* per entry: 0 until it is executed, then 1 and how much more often accesses were
                    missing than not */
  size_t room_runs;
  bool keeps_counts; /* of accesses, that entries come with */
};

oct_map_tracker *oct_map_tracker_new(void) {
  oct_map_tracker *t = calloc(1, sizeof *t);
  if (!t) return NULL;
  t->last = UINT32_MAX;
  t->map = oct_map_new_lean();
  t->grown = oct_map_new();
  t->beyond = malloc(UINT16_MAX);
  if (!t->map || !t->grown || !t->beyond) {
    oct_map_tracker_free(t);
    return NULL;
  }
  return t;
}

void oct_map_tracker_free(oct_map_tracker *t) {
  if (!t) return;
  oct_map_free(t->map);
  oct_map_free(t->grown);
  free(t->updates);
  free(t->beyond);
  free(t->runs);
  free(t);
}

const oct_map *oct_map_tracker_map(const oct_map_tracker *t) {
  return t->map;
}

static uint8_t kind_of(const oct_access *a) {
  unsigned log2_size = oct_size_log2(a->size_bytes, OCT_SLOT_SIZE_UNKNOWN);
  return (uint8_t)(log2_size | (a->is_store ? OCT_SLOT_STORE : 0));
}

static int update(oct_map_tracker *t, uint64_t from_insn, const oct_map_entry *e) {
  oct_map_update *p = oct_grown(t->updates, &t->room_updates, t->n_updates + 1, sizeof *p);
  if (!p) return OCT_ERR_NOMEM;
  t->updates = p;
  t->updates[t->n_updates].from_insn = from_insn;
  t->updates[t->n_updates++].entry = *e;
  int64_t id = oct_map_put(t->map, e);
  return id < 0 ? (int)id : 0;
}

static bool is_kind(uint8_t slot, uint8_t kind) {
  return (slot & (OCT_SLOT_SIZE_MASK | OCT_SLOT_STORE)) == kind;
}

/* Whether the entry foresees the accesses of an instruction. */
static int foresees(const oct_map *map, const oct_map_head *e, const oct_insn *insn,
                    const oct_access *access) {
  if (insn->n_access > e->n_slots && !(e->flags & OCT_MAP_VARIABLE)) return 0;
  for (unsigned s = 0; s < insn->n_access; s++) {
    if (s >= e->n_slots && s < OCT_SLOTS_MAX) return 0;
    if (!is_kind(oct_map_slot(map, e, s), kind_of(&access[s]))) return 0;
  }
  return 1;
}

static void set_kind(uint8_t *slot, uint8_t kind) {
  *slot = (uint8_t)((*slot & OCT_SLOT_PC_RELATIVE) | kind);
}

/* The slots of *e, and beyond them t->beyond with *n_beyond bytes, so that they also foresee this
 * instruction. The list grows only for accesses that are not as the last two slots say in turn. */
static void foresee(oct_map_tracker *t, oct_map_entry *e, unsigned *n_beyond, const oct_insn *insn,
                    const oct_access *access) {
  for (unsigned s = 0; s < insn->n_access && s < OCT_SLOTS_MAX; s++)
    set_kind(&e->slots[s], kind_of(&access[s]));
  for (unsigned s = OCT_SLOTS_MAX; s < insn->n_access; s++) {
    unsigned k = s - OCT_SLOTS_MAX;
    uint8_t kind = kind_of(&access[s]);
    if (k >= *n_beyond && is_kind(e->slots[oct_access_slot(s)], kind)) continue;
    for (; *n_beyond <= k; ++*n_beyond)
      t->beyond[*n_beyond] = e->slots[oct_access_slot(OCT_SLOTS_MAX + *n_beyond)];
    set_kind(&t->beyond[k], kind);
  }
  if (insn->n_access <= e->n_slots) return;
  if (insn->n_access > UINT8_MAX) e->flags |= OCT_MAP_VARIABLE;
  e->n_slots = (uint8_t)(insn->n_access > UINT8_MAX ? UINT8_MAX : insn->n_access);
}

/* An entry of the program grows. Of one that grew before, the number it began with is kept. */
static int note_growth(oct_map_tracker *t, const oct_map_head *old) {
  if (old->cls == OCT_CLASS_UNKNOWN || oct_map_find(t->grown, old->addr) != NONE) return 0;
  const oct_map_entry e = {.addr = old->addr, .size_bytes = 1, .n_slots = old->n_slots};
  return oct_map_put(t->grown, &e) < 0 ? OCT_ERR_NOMEM : 0;
}

/* An instruction that once made more accesses than the program says, as where an emulator writes
 * the frame of a signal, and does not any more: the entry is again what it was. After a number of
 * times the number of its accesses is left open. 1 with a new version, 0 or an error. */
static int go_back(oct_map_tracker *t, uint64_t from_insn, const oct_map_head *now,
                   const oct_insn *insn) {
  enum { BACK_MAX = 15 };
  if (now->cls == OCT_CLASS_UNKNOWN || (now->flags & (OCT_MAP_VARIABLE | OCT_MAP_CONDITIONAL)))
    return 0;
  uint32_t id = oct_map_find(t->grown, now->addr);
  if (id == NONE || oct_map_at(t->grown, id)->n_slots != insn->n_access) return 0;
  oct_map_entry e, grown = *oct_map_entry_at(t->grown, id);
  oct_map_get(t->map, id_of(t->map, now), &e);
  if (grown.target++ == BACK_MAX) {
    e.flags |= OCT_MAP_VARIABLE;
  } else {
    e.n_slots = grown.n_slots;
    for (unsigned s = e.n_slots; s < OCT_SLOTS_MAX; s++) e.slots[s] = 0;
  }
  int rc = update(t, from_insn, &e);
  if (!rc && oct_map_put(t->grown, &grown) < 0) rc = OCT_ERR_NOMEM;
  return rc ? rc : 1;
}

/* Whether the program leaves open how many accesses it makes. */
static bool is_open_entry(const oct_map_head *e) {
  return e->cls == OCT_CLASS_UNKNOWN || (e->flags & (OCT_MAP_CONDITIONAL | OCT_MAP_VARIABLE));
}

/* Room to note how entry id was executed. NULL when out of memory. */
static uint8_t *runs_of(oct_map_tracker *t, uint32_t id) {
  size_t before = t->room_runs;
  if (id < before) return t->runs + id;
  uint8_t *p = oct_grown(t->runs, &t->room_runs, (size_t)id + 1, 1);
  if (!p) return NULL;
  t->runs = p;
  memset(p + before, 0, t->room_runs - before);
  return p + id;
}

/* Tools differ in how they report what an instruction accesses: a pair of registers, a vector or a
 * block as one access or as several, those of a gather by the elements that are active. An entry
 * that says more accesses than its first execution made, of an instruction that always makes them,
 * has from there on those that were made. Where accesses of an instruction that is known are
 * missing more often than not, their number is left open. Whether *fitted is another than *e. */
static bool fit_count(const oct_map *map, oct_map_entry *fitted, const oct_map_head *e,
                      unsigned n_access, uint8_t *runs) {
  enum { SHORT_MAX = 4 };
  bool is_first = !*runs;
  if (n_access >= e->n_slots || (e->flags & OCT_MAP_VARIABLE)) {
    *runs -= *runs > 1;
    *runs += is_first;
    return false;
  }
  if (is_first && !is_open_entry(e)) {
    *runs = 1;
    oct_map_get(map, id_of(map, e), fitted);
    fitted->n_slots = (uint8_t)n_access;
    for (unsigned s = n_access; s < OCT_SLOTS_MAX; s++) fitted->slots[s] = 0;
    return true;
  }
  if (e->cls == OCT_CLASS_UNKNOWN || (!n_access && (e->flags & OCT_MAP_CONDITIONAL)) ||
      ++*runs <= SHORT_MAX)
    return false;
  oct_map_get(map, id_of(map, e), fitted);
  fitted->flags |= OCT_MAP_VARIABLE;
  return true;
}

/* Make a version of the entry, old or NULL, that also foresees this instruction; as is NULL, or
 * differs from old in its flags, or has fewer slots. */
static int new_version(oct_map_tracker *t, uint64_t from_insn, const oct_map_head *old,
                       const oct_map_entry *as, const oct_insn *insn, const oct_access *access) {
  oct_map_entry e = {.addr = insn->addr, .size_bytes = insn->size_bytes};
  unsigned n_beyond = 0;
  if (old && old->size_bytes == insn->size_bytes) {
    const slot_list *list = list_of(t->map, id_of(t->map, old));
    if (as)
      e = *as;
    else
      oct_map_get(t->map, id_of(t->map, old), &e);
    if (insn->n_access > old->n_slots) {
      int rc = note_growth(t, old);
      if (rc) return rc;
    }
    if (list) n_beyond = list->n;
    if (e.n_slots < old->n_slots) {
      unsigned left = e.n_slots > OCT_SLOTS_MAX ? e.n_slots - OCT_SLOTS_MAX : 0;
      if (n_beyond > left) n_beyond = left;
    }
    if (n_beyond) memcpy(t->beyond, list->slots, n_beyond);
  }
  foresee(t, &e, &n_beyond, insn, access);
  int rc = update(t, from_insn, &e);
  for (unsigned done = 0; !rc && done < n_beyond; done += OCT_SLOTS_MAX) {
    unsigned n = n_beyond - done < OCT_SLOTS_MAX ? n_beyond - done : OCT_SLOTS_MAX;
    oct_map_entry more = {.addr = e.addr,
                          .target = OCT_SLOTS_MAX + done,
                          .size_bytes = e.size_bytes,
                          .cls = e.cls,
                          .n_slots = (uint8_t)n,
                          .flags = OCT_MAP_CONTINUES};
    memcpy(more.slots, t->beyond + done, n);
    rc = update(t, from_insn, &more);
  }
  return rc;
}

/* Whether an instruction of which no class is known left out its accesses for the first time: where
 * it does so once it may again, as a predicated one. */
static bool shows_condition(const oct_map_head *e, const oct_insn *insn) {
  return !insn->n_access && e->n_slots && e->n_slots <= OCT_SLOTS_MAX &&
         e->cls == OCT_CLASS_UNKNOWN && !(e->flags & (OCT_MAP_CONDITIONAL | OCT_MAP_VARIABLE));
}

/* Whether the map holds the n entries at e, of which the second and later continue the first. */
static bool holds(const oct_map *map, const oct_map_entry *e, size_t n) {
  uint32_t id = oct_map_find(map, e->addr);
  oct_map_entry held;
  if (id == NONE) return false;
  oct_map_get(map, id, &held);
  if (memcmp(&held, e, sizeof held) != 0) return false;
  const slot_list *list = list_of(map, id);
  for (size_t i = 1; i < n; i++)
    if (!list || e[i].target < OCT_SLOTS_MAX || e[i].n_slots > OCT_SLOTS_MAX ||
        e[i].target - OCT_SLOTS_MAX + e[i].n_slots > list->n ||
        memcmp(list->slots + e[i].target - OCT_SLOTS_MAX, e[i].slots, e[i].n_slots) != 0)
      return false;
  return true;
}

/* Take in the entries of a batch that say something new. */
static int take_entries(oct_map_tracker *t, const oct_batch *batch) {
  for (size_t i = 0, n; i < batch->n_map; i += n) {
    const oct_map_entry *e = &batch->map[i];
    for (n = 1; i + n < batch->n_map && (e[n].flags & OCT_MAP_CONTINUES) && e[n].addr == e->addr;)
      n++;
    if (holds(t->map, e, n)) continue;
    for (size_t k = 0; k < n; k++) {
      int rc = update(t, t->n_insns, &e[k]);
      if (rc) return rc;
      uint32_t id = k ? NONE : oct_map_find(t->map, e->addr);
      if (id < t->room_runs) t->runs[id] = 0;
    }
  }
  return 0;
}

/* Whether an instruction is as entry id says and as it was the last time, so that nothing changes.
 * Only of few accesses, and without branches: what an instruction has is hard to foresee. */
OCT_INLINE bool is_as_ever(const oct_map_tracker *t, uint32_t id, const oct_map_head *e,
                           const oct_insn *insn, const oct_access *access) {
  enum { KIND = OCT_SLOT_SIZE_MASK | OCT_SLOT_STORE, FEW = 2 };
  static const oct_access none;
  const unsigned n = insn->n_access, runs = id < t->room_runs ? t->runs[id] : 0;
  unsigned differs = (unsigned)(e->size_bytes ^ insn->size_bytes) | (e->n_slots ^ n) | (n > FEW);
  for (unsigned s = 0; s < FEW; s++) {
    const oct_access *a = s < n ? access + s : &none;
    const unsigned unlike = (unsigned)(kind_of(a) ^ e->slots[s]) & KIND;
    differs |= s < n ? unlike : 0;
  }
  differs |= (n != 0) & (runs != 1);
  return !differs && !t->keeps_counts;
}

void oct_map_tracker_keep_counts(oct_map_tracker *t) {
  t->keeps_counts = true;
}

uint64_t oct_map_tracker_insns(const oct_map_tracker *t) {
  return t->n_insns;
}

/* Instruction number i of the batch is beyond a limit. */
static int beyond_limit(oct_map_tracker *t, size_t i) {
  t->n_insns += i;
  return OCT_ERR_LIMIT;
}

/* Make the map explain instruction i of the batch. *id is that of its address, or NONE, and becomes
 * that of its entry. 0 or an error. */
static OCT_NO_INLINE int meet(oct_map_tracker *t, size_t i, const oct_insn *insn,
                              const oct_access *access, uint32_t *id) {
  const oct_map_head *e = *id == NONE ? NULL : oct_map_at(t->map, *id);
  oct_map_entry fitted;
  int rc;
  if (e && e->n_slots && e->size_bytes == insn->size_bytes && !t->keeps_counts) {
    uint8_t *runs = runs_of(t, *id);
    if (!runs) return OCT_ERR_NOMEM;
    if (fit_count(t->map, &fitted, e, insn->n_access, runs)) {
      if ((rc = new_version(t, t->n_insns + i, e, &fitted, insn, access))) return rc;
      e = oct_map_at(t->map, *id);
    }
  }
  if (!e || e->size_bytes != insn->size_bytes ||
      (insn->n_access && !foresees(t->map, e, insn, access))) {
    if ((rc = new_version(t, t->n_insns + i, e, NULL, insn, access))) return rc;
    *id = oct_map_find(t->map, insn->addr);
  } else if (shows_condition(e, insn)) {
    oct_map_get(t->map, *id, &fitted);
    fitted.flags |= OCT_MAP_CONDITIONAL;
    if ((rc = update(t, t->n_insns + i, &fitted))) return rc;
    *id = oct_map_find(t->map, insn->addr);
  } else if (insn->n_access < e->n_slots && (rc = go_back(t, t->n_insns + i, e, insn)) < 0) {
    return rc;
  }
  return 0;
}

int64_t oct_map_track(oct_map_tracker *t, const oct_batch *batch, oct_insn *insns,
                      const oct_map_update **updates) {
  const oct_access *access = batch->accesses;
  uint32_t id = t->last;
  t->n_updates = 0;
  int rc = take_entries(t, batch);
  if (rc) return rc;
  for (size_t i = 0; i < batch->n_insns; i++) {
    const oct_insn *insn = &batch->insns[i];
    const oct_map_head *e = NULL;
    if (insn->size_bytes < 1 || insn->size_bytes > 15) return beyond_limit(t, i);
    id = id == UINT32_MAX ? oct_map_find(t->map, insn->addr) : follow(t->map, id, insn->addr);
    if (id != UINT32_MAX) e = oct_map_at(t->map, id);
    if (!e || !is_as_ever(t, id, e, insn, access)) {
      if ((rc = meet(t, i, insn, access, &id))) return rc;
      e = oct_map_at(t->map, id);
    }
    access += insn->n_access;
    /* The flags last, as the copy of a whole that was just written in part waits. */
    unsigned flags = insn->flags & ((1u << OCT_INSN_CLASS_SHIFT) - 1 - OCT_INSN_END);
    flags |= (unsigned)e->cls << OCT_INSN_CLASS_SHIFT;
    if (insn->n_access < e->n_slots || (e->flags & OCT_MAP_VARIABLE)) flags |= OCT_INSN_END;
    insns[i] = *insn;
    insns[i].flags = (uint8_t)flags;
  }
  t->n_insns += batch->n_insns;
  t->last = id;
  *updates = t->updates;
  return (int64_t)t->n_updates;
}
