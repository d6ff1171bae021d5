/* SPDX-License-Identifier: Apache-2.0 */
/* oct_grow.h - arrays that grow, and queues that shrink: the one rule by which they do. Bytes alone
 * have oct_buffer.h. */
#ifndef OCT_GROW_H
#define OCT_GROW_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An array from malloc, or NULL, with room for *room elements: it, or a larger one in its place,
 * that has room for n at least; *room is then that one's. NULL when out of memory; array and *room
 * are unchanged then. Room grows by half at least, so that n appends cost O(n). */
static inline void *oct_grown(void *array, size_t *room, size_t n, size_t element_bytes) {
  enum { ROOM_MIN = 64 };
  if (n <= *room && array) return array;
  size_t bigger = *room + *room / 2;
  if (bigger < n) bigger = n;
  if (bigger < ROOM_MIN) bigger = ROOM_MIN;
  if (bigger < *room || bigger > SIZE_MAX / 2 / element_bytes) return NULL;
  void *grown = realloc(array, bigger * element_bytes);
  if (grown) *room = bigger;
  return grown;
}

/* The same of a queue of *n elements, of which the first *at were taken: once these are many and a
 * quarter of all, they leave, and their memory with them. So n that are taken cost O(n). */
static inline void *oct_queue_left(void *array, size_t *room, size_t *at, size_t *n,
                                   size_t element_bytes) {
  enum { MANY = 4096 };
  if (*at < MANY || *at < *n / 4) return array;
  *n -= *at;
  memmove(array, (char *)array + *at * element_bytes, *n * element_bytes);
  *at = 0;
  void *less = *n ? realloc(array, *n * element_bytes) : NULL;
  if (less) *room = *n;
  return less ? less : array;
}

#ifdef __cplusplus
}
#endif
#endif
