/* SPDX-License-Identifier: Apache-2.0 */
/* oct_lru_stack.h - stack distances of streams in the sets of LRU stream caches: one pass per
 * number of sets answers for every associativity.
 *
 * An LRU set of K usable ways holds the K streams of that set used last, so a stream hits where
 * fewer than K others of its set were used since its last use (Mattson 1970). Way 0 of set 0 is
 * index 0, the miss: set 0 has one usable way fewer. Only hits are known here, not which way. */
#ifndef OCT_LRU_STACK_H
#define OCT_LRU_STACK_H

#include "oct_lru_levels.h"
#include "oct_stream_cache.h"

#define OCT_WAYS_MAX 16

/* Numbers distinct streams 0, 1, ... in order of appearance. */
typedef struct oct_stream_ids {
  struct oct_stream_id *slots; /* open addressing, a power of two, at most half used */
  oct_stream_word *streams;    /* by number, without marks */
  size_t size, count;
} oct_stream_ids;

/* Start empty; OCT_ERR_NOMEM. */
int oct_stream_ids_init(oct_stream_ids *s);
void oct_stream_ids_free(oct_stream_ids *s);
/* The number of a stream (sl > 0), a new one if it was not seen before; OCT_ERR_NOMEM. */
int64_t oct_stream_ids_get(oct_stream_ids *s, uint64_t sa, uint32_t sl);

/* Stands for no stream. */
#define OCT_STREAM_NONE UINT32_MAX

#define OCT_SET_BITS_MAX 10 /* of sc_sets */

/* What was counted at one number of sets. */
typedef struct oct_lru_hits {
  uint64_t hits_at[2][OCT_WAYS_MAX]; /* by distance; [1]: in set 0. Distance 0 left out: */
  /* streams that this is the first level to have on top of their list, by the zero bits at the end
   * of their set among the most sets; they are on top in all levels after it, too */
  uint64_t on_top[OCT_SET_BITS_MAX + 1];
} oct_lru_hits;

/* Levels by rising numbers of sets. Where there are several, the sets of each are parts of those of
 * the one before, so that what is on top of its list in one is so in all that follow. */
typedef struct oct_lru_stack {
  oct_stream_cache probe;                     /* for the set of a stream among the most sets */
  uint8_t level_of[OCT_SET_BITS_MAX + 1];     /* by log2 of sets; for those asked for */
  oct_lru_level levels[OCT_SET_BITS_MAX + 1]; /* lists of numbers, OCT_STREAM_NONE = empty */
  oct_lru_hits hits[OCT_SET_BITS_MAX + 1];    /* by level */
  uint32_t n_levels;
  uint16_t *set_of; /* by number */
  size_t set_of_count, set_of_size;
} oct_lru_stack;

/* Distances under the index function of *cfg for 2^i sets, up to ways[i] (1..OCT_WAYS_MAX, 0 = not
 * wanted; several are only where oct_stream_cache_sets_nest). OCT_ERR_NOMEM. */
int oct_lru_stack_init(oct_lru_stack *s, const oct_config *cfg,
                       const uint32_t ways[OCT_SET_BITS_MAX + 1]);
void oct_lru_stack_free(oct_lru_stack *s);
/* Forget what was used, as at a sync. */
void oct_lru_stack_reset(oct_lru_stack *s);
/* Take n streams by number, of those that ids knows. OCT_ERR_NOMEM. */
int oct_lru_stack_put(oct_lru_stack *s, const oct_stream_ids *ids, const uint32_t *numbers,
                      size_t n);
/* Streams that hit a cache of so many sets and ways (1 to those of init for these sets). */
uint64_t oct_lru_stack_hits(const oct_lru_stack *s, uint32_t sets, uint32_t ways);

#endif
