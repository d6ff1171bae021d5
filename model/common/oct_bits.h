/* SPDX-License-Identifier: Apache-2.0 */
/* oct_bits.h - a decoder's buffers: the window of port bits not yet parsed, and queues.
 *
 * Bit n of the window is bit n mod 8 of byte n / 8. OCT_BITS_PAD zero bytes stand behind the last
 * byte, so that a read just past the end is harmless: the parser compares lengths afterwards. */
#ifndef OCT_BITS_H
#define OCT_BITS_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "oct_mask.h"

#define OCT_BITS_PAD 64

typedef struct oct_bits {
  uint8_t *bytes;
  size_t n_bytes, cap_bytes;
  size_t pos_bits;    /* next bit, within bytes */
  uint64_t base_bits; /* bits dropped in front of bytes */
} oct_bits;

static inline size_t oct_bits_left(const oct_bits *b) {
  return b->n_bytes * 8 - b->pos_bits;
}

static inline uint64_t oct_bits_offset(const oct_bits *b) {
  return b->base_bits + b->pos_bits;
}

/* The field of width_bits (0..64) that starts `ahead` bits after the position. */
static inline uint64_t oct_bits_at(const oct_bits *b, size_t ahead, unsigned width_bits) {
  size_t at = b->pos_bits + ahead;
  const uint8_t *p = b->bytes + at / 8;
  unsigned shift = at % 8;
  uint64_t word;
  memcpy(&word, p, 8);
  word = le64toh(word) >> shift;
  if (width_bits + shift > 64) word |= (uint64_t)p[8] << (64 - shift);
  return word & oct_mask(width_bits);
}

/* Append bytes; of those behind the position `history` bytes stay in the window, at least. 0, or -1
 * when out of memory. */
static inline int oct_bits_push_keeping(oct_bits *b, const uint8_t *bytes, size_t n,
                                        size_t history) {
  size_t used = b->pos_bits / 8 > history ? b->pos_bits / 8 - history : 0;
  size_t keep = b->n_bytes - used;
  if (n > SIZE_MAX / 32 - keep) return -1;
  if (used && keep) memmove(b->bytes, b->bytes + used, keep);
  b->n_bytes = keep;
  b->pos_bits -= used * 8;
  b->base_bits += (uint64_t)used * 8;
  if (!b->bytes || keep + n > b->cap_bytes) {
    size_t cap = b->cap_bytes * 2 > keep + n ? b->cap_bytes * 2 : keep + n;
    uint8_t *grown = realloc(b->bytes, cap + OCT_BITS_PAD);
    if (!grown) return -1;
    b->bytes = grown;
    b->cap_bytes = cap;
  }
  if (n) memcpy(b->bytes + keep, bytes, n);
  b->n_bytes = keep + n;
  memset(b->bytes + b->n_bytes, 0, OCT_BITS_PAD);
  return 0;
}

static inline int oct_bits_push(oct_bits *b, const uint8_t *bytes, size_t n) {
  return oct_bits_push_keeping(b, bytes, n, 0);
}

/* A queue of elements of one size, grown on demand. */
typedef struct oct_queue {
  uint8_t *bytes;
  size_t head, tail, cap; /* in elements */
} oct_queue;

static inline size_t oct_queue_count(const oct_queue *q) {
  return q->tail - q->head;
}

static inline int oct_queue_make_room(oct_queue *q, size_t element_bytes) {
  if (q->head > q->cap / 2) {
    memmove(q->bytes, q->bytes + q->head * element_bytes, (q->tail - q->head) * element_bytes);
    q->tail -= q->head;
    q->head = 0;
    return 0;
  }
  size_t cap = q->cap ? q->cap * 2 : 64;
  uint8_t *grown = realloc(q->bytes, cap * element_bytes);
  if (!grown) return -1;
  q->bytes = grown;
  q->cap = cap;
  return 0;
}

/* Typed access: OCT_QUEUE_OF(dmt, oct_dmt) makes oct_dmt_put, _front, _back and _pop. put returns
 * storage for one more element or NULL when out of memory; front and back need a non-empty queue.
 */
#define OCT_QUEUE_OF(name, type)                                                \
  static inline type *oct_##name##_put(oct_queue *q) {                          \
    if (q->tail == q->cap && oct_queue_make_room(q, sizeof(type))) return NULL; \
    return (type *)(void *)q->bytes + q->tail++;                                \
  }                                                                             \
  static inline type *oct_##name##_front(const oct_queue *q) {                  \
    return (type *)(void *)q->bytes + q->head;                                  \
  }                                                                             \
  static inline type *oct_##name##_back(const oct_queue *q) {                   \
    return (type *)(void *)q->bytes + q->tail - 1;                              \
  }                                                                             \
  static inline void oct_##name##_pop(oct_queue *q) {                           \
    if (++q->head == q->tail) q->head = q->tail = 0;                            \
  }

#endif
