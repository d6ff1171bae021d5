/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_bytes.h - growing arrays, and bytes written and read with LEB128 numbers (vlq). */
#ifndef OCT_EV_BYTES_H
#define OCT_EV_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "oct_error.h"
#include "oct_leb128.h"

/* Make room in the array *p of *cap elements of size bytes for need of them. OCT_ERR_NOMEM. */
static inline int oct_ev_grow(void **p, size_t *cap, size_t need, size_t size) {
  if (need <= *cap) return 0;
  size_t n = *cap ? *cap + *cap / 2 : 16;
  if (n < need) n = need;
  if (n > SIZE_MAX / size) return OCT_ERR_NOMEM;
  void *q = realloc(*p, n * size);
  if (!q) return OCT_ERR_NOMEM;
  *p = q;
  *cap = n;
  return 0;
}

/* Bytes being written. failed tells at the end whether memory was short on the way. */
typedef struct oct_ev_buf {
  uint8_t *p;
  size_t n, cap;
  int failed;
} oct_ev_buf;

enum { OCT_EV_VLQ_BYTES = 10 };

static inline int oct_ev_buf_room(oct_ev_buf *b, size_t n) {
  if (b->cap - b->n >= n) return 1;
  if (b->failed || oct_ev_grow((void **)&b->p, &b->cap, b->n + n, 1)) b->failed = 1;
  return !b->failed;
}

static inline void oct_ev_put_vlq(oct_ev_buf *b, uint64_t v) {
  if (!oct_ev_buf_room(b, OCT_EV_VLQ_BYTES)) return;
  b->n = (size_t)(oct_leb128_put(b->p + b->n, v) - b->p);
}

static inline void oct_ev_put_bytes(oct_ev_buf *b, const void *p, size_t n) {
  if (!n || !oct_ev_buf_room(b, n)) return;
  memcpy(b->p + b->n, p, n);
  b->n += n;
}

static inline void oct_ev_put_u64(oct_ev_buf *b, uint64_t v, unsigned n_bytes) {
  uint8_t bytes[8];
  for (unsigned i = 0; i < n_bytes; i++) bytes[i] = (uint8_t)(v >> 8 * i);
  oct_ev_put_bytes(b, bytes, n_bytes);
}

/* Bytes being read. bad tells that a number was asked for which is not there. */
typedef struct oct_ev_cut {
  const uint8_t *p, *end;
  int bad;
} oct_ev_cut;

static inline uint64_t oct_ev_get_vlq(oct_ev_cut *c) {
  uint64_t v;
  const uint8_t *after = oct_leb128_get(c->p, c->end, &v);
  if (!after) {
    c->bad = 1;
    c->p = c->end;
    return 0;
  }
  c->p = after;
  return v;
}

static inline const uint8_t *oct_ev_get_bytes(oct_ev_cut *c, uint64_t n) {
  if (n > (uint64_t)(c->end - c->p)) {
    c->bad = 1;
    c->p = c->end;
    return NULL;
  }
  const uint8_t *p = c->p;
  c->p += n;
  return p;
}

static inline uint64_t oct_ev_load(const uint8_t *p, unsigned n_bytes) {
  uint64_t v = 0;
  for (unsigned i = 0; i < n_bytes; i++) v |= (uint64_t)p[i] << 8 * i;
  return v;
}

#endif
