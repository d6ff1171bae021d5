/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_uncode.h - the arithmetic coder, decoder's half (docs/shadow-format.md, section 4). It
 * reads the bytes of one period, and ones behind them. */
#ifndef OCT_SHADOW_UNCODE_H
#define OCT_SHADOW_UNCODE_H

#include "oct_shadow_prob.h"

#include <stddef.h>

enum { OCT_CODER_BITS = 24, OCT_CODER_ESCAPE_SHIFT = 16 };

typedef struct oct_coder {
  uint64_t code; /* distance from the interval's start, n_ahead more bits below */
  uint32_t range;
  uint32_t n_ahead;
  const uint8_t *at, *end;
  uint32_t last;     /* byte read before */
  uint32_t n_behind; /* bits read behind the end */
  uint32_t category; /* told by the model; of no use here */
} oct_coder;

enum { OCT_CODER_DECODES = 1 };

/* Bits until 32 are ahead at least; the byte after one of eight ones, which may carry, comes with
 * it. */
static inline void oct_coder_fill(oct_coder *c) {
  while (c->n_ahead < 24 || c->last == 0xff) {
    if (c->at == c->end) {
      if (c->n_ahead >= 24) return;
      c->code = c->code << 8 | 0xff;
      c->n_ahead += 8;
      c->n_behind += 8;
      c->last = 0;
      continue;
    }
    unsigned n = c->last == 0xff ? 7 : 8;
    c->last = *c->at++;
    c->code = (c->code << n) + c->last;
    c->n_ahead += n;
  }
}

static inline void oct_coder_begin(oct_coder *c, const uint8_t *bytes, size_t n) {
  c->code = 0;
  c->range = (UINT32_C(1) << OCT_CODER_BITS) - 1;
  c->at = bytes;
  c->end = bytes + n;
  c->last = 0;
  c->n_behind = 0;
  /* The first fill brings the interval's own bits too. */
  c->n_ahead = 0;
  oct_coder_fill(c);
  c->n_ahead -= OCT_CODER_BITS;
  oct_coder_fill(c);
}

static inline void oct_coder_normalise(oct_coder *c) {
  unsigned n = (unsigned)__builtin_clz(c->range) - (32 - OCT_CODER_BITS);
  if (!n) return;
  c->range <<= n;
  c->n_ahead -= n;
  if (c->n_ahead < 24) oct_coder_fill(c);
}

/* One decision; p of 65536 is the probability of a 1. The last argument serves the other half. */
static inline unsigned oct_coder_bit(oct_coder *c, uint32_t p, unsigned bit) {
  uint32_t one = ((c->range >> 8) * p) >> 8, zero = c->range - one;
  (void)bit;
  if ((uint32_t)(c->code >> c->n_ahead) >= zero) {
    c->code -= (uint64_t)zero << c->n_ahead;
    c->range = one;
    bit = 1;
  } else {
    c->range = zero;
    bit = 0;
  }
  oct_coder_normalise(c);
  return bit;
}

static inline uint32_t oct_coder_raw(oct_coder *c, uint32_t value, unsigned n) {
  for (value = 0; n; n--) value = value << 1 | oct_coder_bit(c, 0x8000, 0);
  return value;
}

static inline unsigned oct_coder_point(oct_coder *c, unsigned is_escape) {
  uint32_t sliver = c->range >> OCT_CODER_ESCAPE_SHIFT, rest = c->range - sliver;
  is_escape = (uint32_t)(c->code >> c->n_ahead) >= rest;
  if (is_escape) {
    c->code -= (uint64_t)rest << c->n_ahead;
    c->range = sliver;
  } else {
    c->range = rest;
  }
  oct_coder_normalise(c);
  return is_escape;
}

#endif
