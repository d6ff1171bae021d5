/* SPDX-License-Identifier: Apache-2.0 */
/* oct_stack_distance.h - LRU miss ratios of many caches in one pass over their addresses.
 *
 * An LRU set of K ways holds the K blocks of that set used last (Mattson 1970), so that counting
 * how many other blocks of its set were used since a block's last use, its stack distance, answers
 * for all K at once. A level is a number of sets. From one level to the next, which has at least
 * twice the sets, a block's distance can only shrink (Hill 1989): no list is searched
 * further than the level before says, and a block on top of its set is on top at all later levels,
 * which is where most look-ups end. Michaud 2009 uses the program Cheetah for this.
 *
 * Threads: An object is for one thread at a time, different ones may be used by different threads.
 */
#ifndef OCT_STACK_DISTANCE_H
#define OCT_STACK_DISTANCE_H

#include <stddef.h>
#include <stdint.h>

#include "oct_error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { OCT_STACK_LEVELS_MAX = 32, OCT_STACK_WAYS_MAX = 4096 };
#define OCT_STACK_SETS_MAX (UINT32_C(1) << 26)

/* One number of sets. */
typedef struct oct_stack_level_config {
  uint32_t sets; /* a power of two up to OCT_STACK_SETS_MAX, more than the level before has */
  uint32_t ways; /* associativities up to this are told apart, 1 .. OCT_STACK_WAYS_MAX; 0: all */
} oct_stack_level_config;

typedef struct oct_stack_distance oct_stack_distance;

/* Memory: 12 to 24 bytes for each distinct block; 4 for each set and way of a level with bounded
 * ways; about 25 for each block of a level without. *s is owned by the caller. line_bytes is a
 * power of two. OCT_ERR_CONFIG with *diag, OCT_ERR_NOMEM. */
int oct_stack_distance_new(const oct_stack_level_config *levels, unsigned n_levels,
                           uint32_t line_bytes, oct_stack_distance **s, oct_diag *diag);
void oct_stack_distance_free(oct_stack_distance *s); /* NULL is allowed */

/* Take n byte addresses. OCT_ERR_NOMEM; OCT_ERR_LIMIT beyond 2^32 - 2 distinct blocks. */
int oct_stack_distance_put(oct_stack_distance *s, const uint64_t *addrs, size_t n);

/* Addresses taken, and distinct blocks among them. */
uint64_t oct_stack_distance_addresses(const oct_stack_distance *s);
uint64_t oct_stack_distance_blocks(const oct_stack_distance *s);
/* Misses of an LRU cache with the sets of a level and so many ways, from 1 to those of the level.
 * UINT64_MAX for other ways, which are not known. */
uint64_t oct_stack_distance_misses(const oct_stack_distance *s, unsigned level, uint32_t ways);

#ifdef __cplusplus
}
#endif
#endif
