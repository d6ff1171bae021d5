/* SPDX-License-Identifier: Apache-2.0 */
/* oct_lru_levels.h - LRU stacks at several numbers of sets in one pass: the engine of every stack
 * distance here, for caches and for stream caches.
 *
 * An LRU set of K ways holds the K items of that set used last (Mattson 1970), so that counting how
 * many others of its set were used since an item's last use, its stack distance, answers for all K
 * at once. A level is a number of sets. Where the sets of each level are parts of those of the one
 * before, an item's distance can only shrink from one to the next (Hill 1989): no list is searched
 * further than the level before says, and an item on top of its list is on top at all later levels,
 * which is where most uses end. */
#ifndef OCT_LRU_LEVELS_H
#define OCT_LRU_LEVELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oct_move_to_front.h"

typedef struct oct_lru_level {
  uint32_t mask;   /* sets - 1 */
  uint32_t ways;   /* distances below this are told apart */
  uint32_t *lists; /* sets * ways: items, last used first. NULL: distances without a bound */
} oct_lru_level;

/* What the user of the levels does, as constant functions that are inlined. found: the item was
 * found in set `at` of a level, not on top. unbounded: use the item at a level without lists; its
 * distance, -1 when it is used for the first time, or below that an error; NULL where no level is.
 */
typedef void oct_lru_found(void *context, unsigned level, uint32_t at, uint32_t distance);
typedef int64_t oct_lru_unbounded(void *context, unsigned level, uint32_t at, uint32_t item);

/* Use an item, whose set among any number of them is the low bits of `set`. The first level that
 * has it on top, n when none has, or an error of `unbounded`. narrows: search no list further than
 * the level before says, which is worth it for long lists; found in both cases is the same. */
__attribute__((always_inline)) static inline int oct_lru_levels_use(
    const oct_lru_level *levels, unsigned n, uint64_t set, uint32_t item, bool narrows,
    oct_lru_found *found, oct_lru_unbounded *unbounded, void *context) {
  uint32_t bound = UINT32_MAX; /* its distance is at most this */
  for (unsigned i = 0; i < n; i++) {
    const oct_lru_level *level = &levels[i];
    uint32_t at = (uint32_t)set & level->mask, distance;
    if (!unbounded || level->lists) {
      uint32_t *list = level->lists + (size_t)at * level->ways;
      uint32_t most = narrows && bound < level->ways ? bound + 1 : level->ways;
      if (*list == item) return (int)i;
      distance = oct_move_to_front(list, most, item);
      if (distance == most) continue;
    } else {
      int64_t answer = unbounded(context, i, at, item);
      if (answer < -1) return (int)answer;
      if (answer < 0) continue;
      if (!answer) return (int)i;
      distance = (uint32_t)answer;
    }
    bound = distance;
    found(context, i, at, distance);
  }
  return (int)n;
}

#endif
