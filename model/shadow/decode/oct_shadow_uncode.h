/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_uncode.h - the arithmetic coder, decoder's half (docs/shadow-format.md, section 4). It
 * reads the bytes of one period, and ones behind them. */
#ifndef OCT_SHADOW_UNCODE_H
#define OCT_SHADOW_UNCODE_H

#include "oct_shadow_coder.h"

#include <stdbool.h>

#include <stddef.h>

typedef struct oct_uncode {
  uint64_t code; /* distance from the interval's start, n_ahead more bits below */
  uint32_t range;
  uint32_t n_ahead;
  const uint8_t *at, *end;
  uint32_t last;     /* byte read before */
  uint32_t n_behind; /* bits read behind the end */
  uint32_t category; /* told by the model; of no use here */
  uint32_t a, b;     /* parts that the symbol under way has left */
  bool is_looked;    /* whether an escape is next was seen */
  bool is_bad;       /* something came that no compressor sends */
  uint32_t escape_bits;
  bool has_escape; /* one was read and waits: */
  oct_escape escape;
  uint64_t escape_after; /* for so many instructions or silent decisions */
} oct_uncode;

/* Bits until 32 are ahead at least; the byte after one of eight ones, which may carry, comes with
 * it. */
static inline void oct_uncode_fill(oct_uncode *c) {
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

/* Whether more bits were read behind the end than any period leaves out there: ones, fewer than in
 * a mark, and what is ahead. A loop that the bits alone end asks this. */
static inline bool oct_uncode_is_past(const oct_uncode *c) {
  return c->n_behind > c->n_ahead + 32;
}

static inline void oct_uncode_begin(oct_uncode *c, const uint8_t *bytes, size_t n) {
  c->code = 0;
  c->range = (UINT32_C(1) << OCT_CODER_BITS) - 1;
  c->at = bytes;
  c->end = bytes + n;
  c->last = 0;
  c->n_behind = 0;
  c->is_looked = c->is_bad = c->has_escape = false;
  /* The first fill brings the interval's own bits too. */
  c->n_ahead = 0;
  oct_uncode_fill(c);
  c->n_ahead -= OCT_CODER_BITS;
  oct_uncode_fill(c);
}

static inline void oct_uncode_normalise(oct_uncode *c) {
  unsigned n = (unsigned)__builtin_clz(c->range) - (32 - OCT_CODER_BITS);
  c->range <<= n;
  c->n_ahead -= n;
  if (c->n_ahead < 24) oct_uncode_fill(c);
}

/* For the compressor's engine with time. */
static inline void oct_uncode_access(oct_uncode *c) {
  (void)c;
}
static inline void oct_uncode_item(oct_uncode *c) {
  (void)c;
}
static inline void oct_uncode_wide(oct_uncode *c) {
  (void)c;
}
static inline void oct_uncode_stamp(oct_uncode *c) {
  (void)c;
}

static inline uint32_t oct_uncode_distance(const oct_uncode *c) {
  return (uint32_t)(c->code >> c->n_ahead);
}

/* One step: of the interval, counted from its top in 4096ths, the parts a to b. */
static inline void oct_uncode_take(oct_uncode *c, uint32_t a, uint32_t b) {
  uint32_t part = c->range >> OCT_CODER_PART_BITS, below = c->range - part * b;
  if (oct_uncode_distance(c) < below || oct_uncode_distance(c) - below >= part * (b - a))
    c->is_bad = true; /* a value that no compressor sends */
  c->code -= (uint64_t)below << c->n_ahead;
  c->range = part * (b - a);
  c->is_looked = false;
  oct_uncode_normalise(c);
}

/* A symbol of one decision; p of 4096 is the probability of a 1, at most 4094. The last argument
 * serves the other half. */
static inline unsigned oct_uncode_bit(oct_uncode *c, uint32_t p, unsigned bit) {
  unsigned is_swapped = p >= OCT_CODER_WHOLE / 2;
  uint32_t part = oct_coder_part(is_swapped ? OCT_CODER_PARTS - p : p, OCT_CODER_PARTS, 1);
  uint32_t unit = c->range >> OCT_CODER_PART_BITS, distance = oct_uncode_distance(c);
  uint32_t below = c->range - unit * (OCT_CODER_ESCAPE + part);
  unsigned is_top = distance >= below;
  (void)bit;
  /* Above both outcomes is an escape, which was looked for before. */
  c->is_bad |= c->has_escape | (distance >= below + unit * part && is_top);
  c->code -= (uint64_t)oct_coder_select(is_top, below, 0) << c->n_ahead;
  c->range = oct_coder_select(is_top, unit * part, below);
  c->is_looked = false;
  oct_uncode_normalise(c);
  return is_top ^ is_swapped;
}

/* A symbol of several decisions. */
static inline void oct_uncode_open(oct_uncode *c) {
  c->is_bad |= c->has_escape;
  c->a = OCT_CODER_ESCAPE;
  c->b = OCT_CODER_WHOLE;
}

static inline unsigned oct_uncode_path(oct_uncode *c, uint32_t p, unsigned bit, uint32_t least) {
  uint32_t middle = c->a + oct_coder_part(p, c->b - c->a, least);
  bit = oct_uncode_distance(c) >= c->range - (c->range >> OCT_CODER_PART_BITS) * middle;
  c->b = oct_coder_select(bit, middle, c->b);
  c->a = oct_coder_select(bit, c->a, middle);
  return bit;
}

static inline void oct_uncode_close(oct_uncode *c) {
  oct_uncode_take(c, c->a, c->b);
}

static inline uint64_t oct_uncode_raw(oct_uncode *c, uint64_t value, unsigned n) {
  for (value = 0; n;) {
    unsigned k = OCT_CODER_RAW_BITS;
    uint32_t part, below, v;
    if (n < k) k = n;
    n -= k;
    part = (c->range >> OCT_CODER_PART_BITS) << (OCT_CODER_PART_BITS - k);
    below = c->range - (part << k); /* left over */
    v = (oct_uncode_distance(c) - below) / part;
    if (oct_uncode_distance(c) < below || v >> k) {
      c->is_bad = true;
      v = (1u << k) - 1;
    }
    value = value << k | v;
    c->code -= (uint64_t)(below + part * v) << c->n_ahead;
    c->range = part;
    oct_uncode_normalise(c);
  }
  return value;
}

static inline uint64_t oct_uncode_number(oct_uncode *c, uint64_t v) {
  unsigned n = (unsigned)oct_uncode_raw(c, 0, OCT_NUMBER_BITS);
  (void)v;
  if (n == OCT_NUMBER_LONG) n = (unsigned)oct_uncode_raw(c, 0, OCT_NUMBER_LONG_BITS);
  return n > 1 ? UINT64_C(1) << (n - 1) | oct_uncode_raw(c, 0, n - 1) : n;
}

/* Is an escape next? Once for each place behind a symbol; it is read up to its number. */
static inline void oct_uncode_look(oct_uncode *c) {
  if (c->is_looked || c->has_escape) return;
  if (oct_uncode_distance(c) >= c->range - (c->range >> OCT_CODER_PART_BITS) * OCT_CODER_ESCAPE) {
    oct_uncode_take(c, 0, OCT_CODER_ESCAPE);
    c->has_escape = true;
    c->escape = OCT_ESCAPE_WRONG;
    if (!oct_uncode_raw(c, 0, 1)) {
      uint64_t kind = oct_uncode_raw(c, 0, c->escape_bits);
      c->is_bad |= kind > OCT_ESCAPE_TRAP;
      c->escape = kind > OCT_ESCAPE_TRAP ? OCT_ESCAPE_END : (oct_escape)kind;
    }
    c->escape_after = oct_uncode_number(c, 0);
  }
  c->is_looked = true;
}

/* The escape that was read is over. */
static inline void oct_uncode_pass_escape(oct_uncode *c) {
  c->has_escape = c->is_looked = false;
}

static inline unsigned oct_uncode_silent(oct_uncode *c, unsigned bit) {
  (void)bit;
  oct_uncode_look(c);
  if (!c->has_escape || c->escape != OCT_ESCAPE_WRONG || c->escape_after--) return 0;
  oct_uncode_pass_escape(c);
  return 1;
}

#endif
