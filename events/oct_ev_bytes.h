/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_bytes.h - growing arrays, and bytes read with LEB128 numbers. */
#ifndef OCT_EV_BYTES_H
#define OCT_EV_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "oct_buffer.h"
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

/* Bytes being read. bad tells that a number was asked for which is not there. */
typedef struct oct_ev_cut {
  const uint8_t *p, *end;
  int bad;
} oct_ev_cut;

static inline uint64_t oct_ev_get_leb128(oct_ev_cut *c) {
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
