/* SPDX-License-Identifier: Apache-2.0 */
/* oct_lru_ranks.c - stack distances by marks in time, summed by a Fenwick tree (Bennett 1975;
 * oct_lru_ranks.h).
 *
 * A use clears the mark of the item's last use, counts the marks behind it, which is the distance,
 * and sets one at the end of time. When time is used up, the marks that are left are moved together
 * to the start, or the room is doubled. */
#include "oct_lru_ranks.h"

#include <stdlib.h>
#include <string.h>

#include "oct_mask.h"

enum { FIRST_ROOM = 64 };
#define ROOM_MAX (UINT32_C(1) << 31)

void oct_lru_ranks_free(oct_lru_ranks *r) {
  free(r->marks);
  free(r->sums);
  free(r->items);
  *r = (oct_lru_ranks){0};
}

static void add(oct_lru_ranks *r, uint32_t time, uint32_t n) {
  uint32_t words = r->room / 64;
  for (uint32_t i = time / 64 + 1; i <= words; i += i & (0 - i)) r->sums[i] += n;
}

/* Marks at times up to and including this one. */
static uint32_t marks_until(const oct_lru_ranks *r, uint32_t time) {
  uint64_t upto = UINT64_MAX >> (63 - time % 64);
  uint32_t n = (uint32_t)__builtin_popcountll(r->marks[time / 64] & upto);
  for (uint32_t i = time / 64; i; i &= i - 1) n += r->sums[i];
  return n;
}

/* Sums of the first `live` times being marked. */
static void mark_live(oct_lru_ranks *r) {
  uint32_t words = r->room / 64;
  memset(r->sums, 0, (words + 1) * sizeof *r->sums);
  for (uint32_t w = 0; w < words; w++) {
    uint32_t left = r->live > 64 * w ? r->live - 64 * w : 0;
    r->marks[w] = oct_mask(left);
    r->sums[w + 1] += left < 64 ? left : 64;
    uint32_t parent = (w + 1) + ((w + 1) & (0 - (w + 1)));
    if (parent <= words) r->sums[parent] += r->sums[w + 1];
  }
}

/* Start time over, with room for at least as many uses again as there are items. */
static int compact(oct_lru_ranks *r, uint32_t *last) {
  uint32_t room = r->room ? r->room : FIRST_ROOM, n = 0;
  if (r->live > room / 2) {
    if (room == ROOM_MAX) return -1;
    room *= 2;
  }
  if (room != r->room) {
    uint64_t *marks = malloc(room / 64 * sizeof *marks);
    uint32_t *sums = malloc((room / 64 + 1) * sizeof *sums);
    uint32_t *items = realloc(r->items, room * sizeof *items);
    if (items) r->items = items;
    if (!marks || !sums || !items) {
      free(marks);
      free(sums);
      return -1;
    }
    if (r->marks) memcpy(marks, r->marks, r->room / 64 * sizeof *marks);
    free(r->marks);
    free(r->sums);
    r->marks = marks;
    r->sums = sums;
  }
  for (uint32_t t = 0; t < r->now; t++) {
    if (!(r->marks[t / 64] >> t % 64 & 1)) continue;
    uint32_t item = r->items[t];
    r->items[n++] = item;
    last[item] = n;
  }
  r->room = room;
  r->now = r->live;
  mark_live(r);
  return 0;
}

int64_t oct_lru_ranks_use(oct_lru_ranks *r, uint32_t *last, uint32_t item) {
  int64_t distance = -1;
  if (r->now == r->room && compact(r, last)) return -2;
  if (last[item]) {
    uint32_t time = last[item] - 1;
    distance = r->live - marks_until(r, time);
    r->marks[time / 64] &= ~(UINT64_C(1) << time % 64);
    add(r, time, UINT32_MAX);
    r->live--;
  }
  r->marks[r->now / 64] |= UINT64_C(1) << r->now % 64;
  add(r, r->now, 1);
  r->items[r->now] = item;
  r->live++;
  last[item] = ++r->now;
  return distance;
}
