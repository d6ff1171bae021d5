/* SPDX-License-Identifier: Apache-2.0 */
/* oct_stack_distance.c - stack distances at many numbers of sets (Mattson 1970, Hill 1989;
 * oct_stack_distance.h).
 *
 * Blocks have numbers. At each level a block is looked for in the list of its set, no deeper than
 * its distance at the level before, and moved to the front. A block on top ends the look-up, since
 * it is on top at all levels behind. Lists of the next addresses are fetched ahead. */
#include "octrace/cache.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "oct_block_ids.h"
#include "oct_lru_ranks.h"
#include "oct_lru_levels.h"

/* Addresses whose sets are fetched into the host's cache before they are searched. */
enum { AHEAD = 8, HOST_LINE_BYTES = 64 };

typedef struct level {
  uint64_t *hits_at;    /* by distance */
  uint64_t on_top;      /* looks that ended here, the block being on top: so it is further on */
  oct_lru_ranks *ranks; /* unbounded: one of each set, and by block number: */
  uint32_t *last;
  size_t room; /* of last and hits_at, unbounded */
} level;

struct oct_stack_distance {
  unsigned line_log2, n_levels;
  uint64_t n_addrs;
  oct_block_ids ids;
  oct_lru_level stacks[OCT_STACK_LEVELS_MAX]; /* of block numbers, 0 = empty */
  level levels[OCT_STACK_LEVELS_MAX];
};

static int check(const oct_stack_level_config *levels, unsigned n, uint32_t line_bytes,
                 oct_diag *diag) {
  if (!line_bytes || (line_bytes & (line_bytes - 1)))
    return oct_fail(diag, OCT_ERR_CONFIG, "line of %" PRIu32 " bytes: expected a power of two",
                    line_bytes);
  if (!n || n > OCT_STACK_LEVELS_MAX)
    return oct_fail(diag, OCT_ERR_CONFIG, "%u numbers of sets: expected 1 to %d", n,
                    OCT_STACK_LEVELS_MAX);
  for (unsigned i = 0; i < n; i++) {
    uint32_t sets = levels[i].sets;
    if (!sets || (sets & (sets - 1)) || sets > OCT_STACK_SETS_MAX)
      return oct_fail(diag, OCT_ERR_CONFIG,
                      "%" PRIu32 " sets: expected a power of two up to %" PRIu32, sets,
                      OCT_STACK_SETS_MAX);
    if (i && sets <= levels[i - 1].sets)
      return oct_fail(diag, OCT_ERR_CONFIG, "%" PRIu32 " sets: expected more than %" PRIu32, sets,
                      levels[i - 1].sets);
    if (levels[i].ways > OCT_STACK_WAYS_MAX)
      return oct_fail(diag, OCT_ERR_CONFIG, "%" PRIu32 " ways: expected at most %d", levels[i].ways,
                      OCT_STACK_WAYS_MAX);
  }
  return 0;
}

int oct_stack_distance_new(const oct_stack_level_config *levels, unsigned n_levels,
                           uint32_t line_bytes, oct_stack_distance **out, oct_diag *diag) {
  *out = NULL;
  int error = check(levels, n_levels, line_bytes, diag);
  if (error) return error;
  oct_stack_distance *s = calloc(1, sizeof *s);
  if (!s) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  while (UINT32_C(1) << s->line_log2 < line_bytes) s->line_log2++;
  error = oct_block_ids_init(&s->ids);
  for (unsigned i = 0; i < n_levels && !error; i++) {
    oct_lru_level *stack = &s->stacks[s->n_levels];
    level *l = &s->levels[s->n_levels++];
    stack->mask = levels[i].sets - 1;
    stack->ways = levels[i].ways;
    if (stack->ways) {
      stack->lists = calloc((size_t)levels[i].sets * stack->ways, sizeof *stack->lists);
      l->hits_at = calloc(stack->ways, sizeof *l->hits_at);
      if (!stack->lists || !l->hits_at) error = OCT_ERR_NOMEM;
    } else if (!(l->ranks = calloc(levels[i].sets, sizeof *l->ranks))) {
      error = OCT_ERR_NOMEM;
    }
  }
  if (error) {
    oct_stack_distance_free(s);
    return oct_fail(diag, error, "out of memory");
  }
  *out = s;
  return 0;
}

void oct_stack_distance_free(oct_stack_distance *s) {
  if (!s) return;
  for (unsigned i = 0; i < s->n_levels; i++) {
    level *l = &s->levels[i];
    for (uint32_t k = 0; l->ranks && k <= s->stacks[i].mask; k++) oct_lru_ranks_free(&l->ranks[k]);
    free(l->ranks);
    free(l->last);
    free(s->stacks[i].lists);
    free(l->hits_at);
  }
  oct_block_ids_free(&s->ids);
  free(s);
}

/* Room by block number and by distance in a level without a bound. */
static int grow(level *l, size_t n) {
  if (n <= l->room) return 0;
  size_t room = n < 2048 ? 4096 : 2 * n;
  uint32_t *last = realloc(l->last, room * sizeof *last);
  if (last) l->last = last;
  uint64_t *hits_at = realloc(l->hits_at, room * sizeof *hits_at);
  if (hits_at) l->hits_at = hits_at;
  if (!last || !hits_at) return OCT_ERR_NOMEM;
  memset(last + l->room, 0, (room - l->room) * sizeof *last);
  memset(hits_at + l->room, 0, (room - l->room) * sizeof *hits_at);
  l->room = room;
  return 0;
}

static inline void count_hit(void *context, unsigned number, uint32_t at, uint32_t distance) {
  oct_stack_distance *s = context;
  (void)at;
  s->levels[number].hits_at[distance]++;
}

/* As oct_lru_unbounded. */
static inline int64_t rank(void *context, unsigned number, uint32_t at, uint32_t id) {
  oct_stack_distance *s = context;
  level *l = &s->levels[number];
  return grow(l, (size_t)id + 1) ? -2 : oct_lru_ranks_use(&l->ranks[at], l->last, id);
}

/* Look one block up at every level. */
static int take(oct_stack_distance *s, uint64_t block, uint32_t id) {
  int top = oct_lru_levels_use(s->stacks, s->n_levels, block, id, true, count_hit, rank, s);
  if (top < 0) return OCT_ERR_NOMEM;
  if (top < (int)s->n_levels) s->levels[top].on_top++;
  return 0;
}

static void prefetch(const oct_stack_distance *s, uint64_t block) {
  oct_block_ids_prefetch(&s->ids, block);
  for (unsigned i = 0; i < s->n_levels; i++) {
    const oct_lru_level *l = &s->stacks[i];
    const uint32_t *list = l->lists + (size_t)(block & l->mask) * l->ways;
    for (uint32_t w = 0; w < l->ways; w += HOST_LINE_BYTES / sizeof *list)
      __builtin_prefetch(list + w, 1);
  }
}

int oct_stack_distance_put(oct_stack_distance *s, const uint64_t *addrs, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint64_t block = addrs[i] >> s->line_log2;
    if (i + AHEAD < n) prefetch(s, addrs[i + AHEAD] >> s->line_log2);
    int64_t id = oct_block_ids_get(&s->ids, block);
    int error = id < 0 ? (int)id : take(s, block, (uint32_t)id);
    if (error) return error;
    s->n_addrs++;
  }
  return 0;
}

uint64_t oct_stack_distance_addresses(const oct_stack_distance *s) {
  return s->n_addrs;
}

uint64_t oct_stack_distance_blocks(const oct_stack_distance *s) {
  return s->ids.count;
}

uint64_t oct_stack_distance_misses(const oct_stack_distance *s, unsigned number, uint32_t ways) {
  const level *l = &s->levels[number];
  uint64_t hits = 0;
  uint32_t most = number < s->n_levels ? s->stacks[number].ways : 0; /* 0: any */
  if (number >= s->n_levels || !ways || (most && ways > most)) return UINT64_MAX;
  for (unsigned i = 0; i <= number; i++) hits += s->levels[i].on_top;
  for (uint32_t d = 1; d < ways && (most || d < l->room); d++) hits += l->hits_at[d];
  return s->n_addrs - hits;
}
