/* SPDX-License-Identifier: Apache-2.0 */
/* oct_move_to_front.h - a list of what was used last: the step of every bounded LRU stack. */
#ifndef OCT_MOVE_TO_FRONT_H
#define OCT_MOVE_TO_FRONT_H

#include <stdint.h>

/* Put id in front of the first n of a list, each of those before it one step down. Returns where it
 * stood, its stack distance; n when it was not found, the last of the n is gone then. */
static inline uint32_t oct_move_to_front(uint32_t *list, uint32_t n, uint32_t id) {
  uint32_t moved = id;
  for (uint32_t distance = 0; distance < n; distance++) {
    uint32_t next = list[distance];
    list[distance] = moved;
    if (next == id) return distance;
    moved = next;
  }
  return n;
}

#endif
