/* SPDX-License-Identifier: Apache-2.0 */
/* oct_lru_stack.c - stack distances of streams in the sets of LRU stream caches (Mattson 1970;
 * oct_lru_stack.h).
 *
 * Streams have numbers, so that a set is a list of numbers, the last used first. For each number of
 * sets a stream is looked for in its list, as deep as the largest associativity, and moved to the
 * front; its depth is counted. One on top of its set at few sets is on top at more, so the search
 * ends there. */
#include "oct_lru_stack.h"

#include <stdlib.h>

#include "oct_hash.h"

typedef struct oct_stream_id {
  uint64_t sa;
  uint32_t sl; /* 0 = free */
  uint32_t id;
} oct_stream_id;

int oct_stream_ids_init(oct_stream_ids *s) {
  s->size = 4096;
  s->count = 0;
  s->slots = calloc(s->size, sizeof *s->slots);
  s->streams = malloc(s->size / 2 * sizeof *s->streams);
  return s->slots && s->streams ? 0 : OCT_ERR_NOMEM;
}

void oct_stream_ids_free(oct_stream_ids *s) {
  free(s->slots);
  free(s->streams);
  s->slots = NULL;
  s->streams = NULL;
}

static oct_stream_id *find(oct_stream_id *slots, size_t size, uint64_t sa, uint32_t sl) {
  uint64_t h = (sa ^ (uint64_t)sl << 40) * OCT_HASH_FACTOR;
  size_t i = (size_t)(h >> 24) & (size - 1);
  while (slots[i].sl && (slots[i].sa != sa || slots[i].sl != sl)) i = (i + 1) & (size - 1);
  return &slots[i];
}

static int grow(oct_stream_ids *s) {
  oct_stream_word *streams = realloc(s->streams, s->size * sizeof *streams);
  if (!streams) return OCT_ERR_NOMEM;
  s->streams = streams;
  oct_stream_id *slots = calloc(2 * s->size, sizeof *slots);
  if (!slots) return OCT_ERR_NOMEM;
  for (size_t i = 0; i < s->size; i++)
    if (s->slots[i].sl) *find(slots, 2 * s->size, s->slots[i].sa, s->slots[i].sl) = s->slots[i];
  free(s->slots);
  s->slots = slots;
  s->size *= 2;
  return 0;
}

int64_t oct_stream_ids_get(oct_stream_ids *s, uint64_t sa, uint32_t sl) {
  oct_stream_id *at = find(s->slots, s->size, sa, sl);
  if (at->sl) return at->id;
  if (2 * (s->count + 1) > s->size) {
    if (grow(s)) return OCT_ERR_NOMEM;
    at = find(s->slots, s->size, sa, sl);
  }
  *at = (oct_stream_id){.sa = sa, .sl = sl, .id = (uint32_t)s->count};
  s->streams[s->count] = (oct_stream_word){.sa = sa, .sl = sl};
  return (int64_t)s->count++;
}

void oct_lru_stack_reset(oct_lru_stack *s) {
  for (uint32_t i = 0; i < s->n_levels; i++)
    memset(s->levels[i].lists, 0xff,
           (size_t)(s->levels[i].mask + 1) * s->levels[i].ways * sizeof *s->levels[i].lists);
}

int oct_lru_stack_init(oct_lru_stack *s, const oct_config *cfg,
                       const uint32_t ways[OCT_SET_BITS_MAX + 1]) {
  oct_config most = *cfg;
  memset(s, 0, sizeof *s);
  for (uint32_t i = 0; i <= OCT_SET_BITS_MAX; i++) {
    if (!ways[i]) continue;
    oct_lru_level *level = &s->levels[s->n_levels];
    most.sc_sets = (uint32_t)1 << i;
    s->level_of[i] = (uint8_t)s->n_levels;
    s->n_levels++;
    level->mask = most.sc_sets - 1;
    level->ways = ways[i];
    level->lists = malloc((size_t)most.sc_sets * ways[i] * sizeof *level->lists);
    if (!level->lists) return OCT_ERR_NOMEM;
  }
  most.sc_ways = 1;
  if (oct_stream_cache_init(&s->probe, &most, NULL)) return OCT_ERR_NOMEM;
  oct_lru_stack_reset(s);
  return 0;
}

void oct_lru_stack_free(oct_lru_stack *s) {
  oct_stream_cache_free(&s->probe);
  for (uint32_t i = 0; i < s->n_levels; i++) free(s->levels[i].lists);
  free(s->set_of);
  s->n_levels = 0;
  s->set_of = NULL;
}

/* The sets of streams that are new. */
static int know_sets(oct_lru_stack *s, const oct_stream_ids *ids) {
  if (ids->count > s->set_of_size) {
    uint16_t *grown = realloc(s->set_of, ids->size * sizeof *grown);
    if (!grown) return OCT_ERR_NOMEM;
    s->set_of = grown;
    s->set_of_size = ids->size;
  }
  for (; s->set_of_count < ids->count; s->set_of_count++) {
    const oct_stream_word *w = &ids->streams[s->set_of_count];
    s->set_of[s->set_of_count] = (uint16_t)oct_stream_cache_set(&s->probe, w->sa, w->sl);
  }
  return 0;
}

static inline unsigned zeros_at_end(uint32_t set) {
  return (unsigned)__builtin_ctz(set | 1u << OCT_SET_BITS_MAX);
}

static inline void count_hit(void *context, unsigned level, uint32_t at, uint32_t distance) {
  oct_lru_stack *s = context;
  s->hits[level].hits_at[at == 0][distance]++;
}

static inline void put_stream(oct_lru_stack *s, uint32_t stream) {
  uint32_t set = s->set_of[stream];
  int top = oct_lru_levels_use(s->levels, s->n_levels, set, stream, false, count_hit, NULL, s);
  if (top < (int)s->n_levels) s->hits[top].on_top[zeros_at_end(set)]++;
}

OCT_NO_INLINE int oct_lru_stack_put(oct_lru_stack *s, const oct_stream_ids *ids,
                                    const uint32_t *numbers, size_t n) {
  if (know_sets(s, ids)) return OCT_ERR_NOMEM;
  for (size_t i = 0; i < n; i++) put_stream(s, numbers[i]);
  return 0;
}

uint64_t oct_lru_stack_hits(const oct_lru_stack *s, uint32_t sets, uint32_t ways) {
  unsigned set_bits = oct_log2(sets), last = s->level_of[set_bits];
  const oct_lru_hits *level = &s->hits[last];
  uint64_t hits = 0;
  for (uint32_t d = 1; d < ways; d++) hits += level->hits_at[0][d];
  for (uint32_t d = 1; d + 1 < ways; d++) hits += level->hits_at[1][d];
  for (unsigned i = 0; i <= last; i++)
    for (unsigned zeros = 0; zeros <= OCT_SET_BITS_MAX; zeros++)
      if (zeros < set_bits || ways > 1) hits += s->hits[i].on_top[zeros];
  return hits;
}
