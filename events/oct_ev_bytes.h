/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_bytes.h - growing arrays, and numbers of few bytes. */
#ifndef OCT_EV_BYTES_H
#define OCT_EV_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "octrace/error.h"
#include "oct_grow.h"

/* Make room in the array *p of *cap elements of size bytes for need of them. OCT_ERR_NOMEM. */
static inline int oct_ev_grow(void **p, size_t *cap, size_t need, size_t size) {
  if (need <= *cap) return 0;
  void *q = oct_grown(*p, cap, need, size);
  if (!q) return OCT_ERR_NOMEM;
  *p = q;
  return 0;
}

static inline uint64_t oct_ev_load(const uint8_t *p, unsigned n_bytes) {
  uint64_t v = 0;
  for (unsigned i = 0; i < n_bytes; i++) v |= (uint64_t)p[i] << 8 * i;
  return v;
}

#endif
