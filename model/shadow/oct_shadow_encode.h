/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_encode.h - the arithmetic coder, compressor's half (docs/shadow-format.md, section 4).
 *
 * An interval [low, low + range) of 24 bits is cut in two by each decision, and doubled until its
 * range has 24 bits again. What leaves at the top goes out by bytes; after a byte of eight ones the
 * next one has seven bits of its own and room for a carry, so that a carry never goes further than
 * one byte back, and no two bytes look like a mark. */
#ifndef OCT_SHADOW_ENCODE_H
#define OCT_SHADOW_ENCODE_H

#include "oct_shadow_prob.h"

#include <stddef.h>
#include <stdlib.h>

enum { OCT_CODER_BITS = 24, OCT_CODER_SPACER_BITS = 3, OCT_CODER_ESCAPE_SHIFT = 16 };
enum { OCT_CODER_CATEGORIES = 24 };

typedef struct oct_coder {
  uint64_t low; /* OCT_CODER_BITS + n_bits bits, and one for the carry */
  uint32_t range;
  uint32_t n_bits; /* that are in low above the interval and did not leave yet */
  int32_t last;    /* byte that a carry may still change, -1 = none */
  uint32_t category;
  uint8_t *bytes; /* that left */
  size_t n, room;
  int is_full;                         /* no memory for more bytes */
  uint64_t bits[OCT_CODER_CATEGORIES]; /* that left the interval, by what they were spent on */
} oct_coder;

enum { OCT_CODER_DECODES = 0 };

static inline void oct_coder_begin(oct_coder *c) {
  c->low = 0;
  c->range = (UINT32_C(1) << OCT_CODER_BITS) - 1;
  c->n_bits = 0;
  c->last = -1;
}

static inline void oct_coder_put(oct_coder *c, uint8_t byte) {
  if (c->n == c->room) {
    size_t room = c->room ? c->room * 2 : 4096;
    uint8_t *bytes = realloc(c->bytes, room);
    if (!bytes) {
      c->is_full = 1;
      return;
    }
    c->bytes = bytes;
    c->room = room;
  }
  c->bytes[c->n++] = byte;
}

static inline void oct_coder_bytes(oct_coder *c) {
  for (;;) {
    unsigned need = c->last == 0xff ? 7 : 8;
    if (c->n_bits < need + OCT_CODER_SPACER_BITS) return;
    unsigned shift = OCT_CODER_BITS + c->n_bits - need;
    uint32_t top = (uint32_t)(c->low >> shift);
    if (need == 8 && top > 0xff) { /* carry */
      c->low &= (UINT64_C(1) << (OCT_CODER_BITS + c->n_bits)) - 1;
      if (++c->last == 0xff) continue;
      top &= 0xff;
    }
    if (c->last >= 0) oct_coder_put(c, (uint8_t)c->last);
    c->last = (int32_t)top;
    c->low &= (UINT64_C(1) << shift) - 1;
    c->n_bits -= need;
  }
}

static inline void oct_coder_normalise(oct_coder *c) {
  unsigned n = (unsigned)__builtin_clz(c->range) - (32 - OCT_CODER_BITS);
  if (!n) return;
  c->range <<= n;
  c->low <<= n;
  c->n_bits += n;
  c->bits[c->category] += n;
  if (c->n_bits >= 8) oct_coder_bytes(c);
}

/* One decision; p of 65536 is the probability of a 1. Returns bit. */
static inline unsigned oct_coder_bit(oct_coder *c, uint32_t p, unsigned bit) {
  uint32_t one = ((c->range >> 8) * p) >> 8;
  if (bit) {
    c->low += c->range - one;
    c->range = one;
  } else {
    c->range -= one;
  }
  oct_coder_normalise(c);
  return bit;
}

/* n <= 16 bits that are as likely 0 as 1. */
static inline uint32_t oct_coder_raw(oct_coder *c, uint32_t value, unsigned n) {
  while (n) {
    n--;
    oct_coder_bit(c, 0x8000, value >> n & 1);
  }
  return value;
}

/* The place before a decision where something else may be said: a 2^-16th of the range. */
static inline unsigned oct_coder_point(oct_coder *c, unsigned is_escape) {
  uint32_t sliver = c->range >> OCT_CODER_ESCAPE_SHIFT;
  if (is_escape) {
    c->low += c->range - sliver;
    c->range = sliver;
  } else {
    c->range -= sliver;
  }
  oct_coder_normalise(c);
  return is_escape;
}

/* Close: as few bytes as tell a value of the interval, if ones are read behind them. */
static inline void oct_coder_end(oct_coder *c) {
  uint64_t ones = (UINT64_C(1) << (OCT_CODER_BITS - 1)) - 1, top = c->low + c->range - 1;
  uint32_t n_ones = OCT_CODER_BITS - 1; /* lowest bits of low that are ones */
  c->low = (top | ones) > top ? (top | ones) - ones - 1 : top | ones;
  while (OCT_CODER_BITS + c->n_bits > n_ones) {
    c->low = c->low << 8 | 0xff;
    c->n_bits += 8;
    n_ones += 8;
    oct_coder_bytes(c);
  }
  if (c->last >= 0 && c->last != 0xff) oct_coder_put(c, (uint8_t)c->last);
}

#endif
