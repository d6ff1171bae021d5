/* SPDX-License-Identifier: Apache-2.0 */
/* oct_lru_ranks.h - stack distances without a bound: how many others were used since an item was
 * used last.
 *
 * Bennett 1975: one bit per point in time says whether what was used then is still
 * that item's last use; the distance is the number of bits set behind it. The bits stand in words,
 * whose sums a Fenwick tree keeps, so that a use costs O(log(items / 64)). When time has run
 * through the room, the items are given new times, close together. */
#ifndef OCT_LRU_RANKS_H
#define OCT_LRU_RANKS_H

#include <stdint.h>

/* Items of one set. All zero is an empty set. */
typedef struct oct_lru_ranks {
  uint64_t *marks; /* bit t: the last use of an item was at time t */
  uint32_t *sums;  /* Fenwick tree over the words of marks, from 1 */
  uint32_t *items; /* by time */
  uint32_t room;   /* points in time: 0 or a power of two from 64 on */
  uint32_t now, live;
} oct_lru_ranks;

void oct_lru_ranks_free(oct_lru_ranks *r);

/* Use an item: its distance, or -1 when it is used for the first time. last[item], of the caller,
 * is 0 at first and belongs to the set afterwards. OCT_ERR_NOMEM is told as -2; nothing has
 * changed. */
int64_t oct_lru_ranks_use(oct_lru_ranks *r, uint32_t *last, uint32_t item);

#endif
