/* SPDX-License-Identifier: Apache-2.0 */
/* oct_replay_coder.h - the arithmetic coder of the tracer `replay`, both halves
 * (docs/replay-format.md, section 3).
 *
 * A range coder of 32 bits for binary decisions with adaptive probabilities, after G. N. N. Martin
 * (1979), with the carry of I. Pavlov's LZMA: bytes of ones wait for a carry with the byte before
 * them. Each function gives back the outcome, which the encoder's half is told and the decoder's
 * finds, so that what is coded is written once for both. */
#ifndef OCT_REPLAY_CODER_H
#define OCT_REPLAY_CODER_H

#include "octrace/error.h"

#include <stdbool.h>
#include <stdint.h>

/* The probability of a 1, of 8192, and how often it was used. */
typedef struct oct_rp_prob {
  uint16_t p;
  uint16_t n;
} oct_rp_prob;
enum {
  OCT_RP_PROB_BITS = 16, /* 13 and 3 of count */
  OCT_RP_PROB_SLOW = 5,  /* the last rate, a shift */
  OCT_RP_PROB_WHOLE_LOG2 = 13,
  OCT_RP_PROB_HALF = 1 << 12,
  OCT_RP_PROB_LEAST = 8 /* no outcome has less */
};

typedef struct oct_rp_coder {
  bool is_decoding;
  uint32_t range;
  /* Encoder: */
  uint64_t low;
  uint64_t n_waiting; /* bytes that a carry may still change: the first of them is `waiting` */
  uint8_t waiting;
  bool is_first;   /* no byte has left: the first is always 0, and left out */
  oct_buffer *out; /* bytes of the period */
  uint64_t *bits;  /* of the category under way */
  /* Decoder: */
  uint32_t code;
  const uint8_t *at, *end;
} oct_rp_coder;

static inline void oct_rp_coder_begin(oct_rp_coder *c) {
  c->range = UINT32_MAX;
  c->low = 0;
  c->n_waiting = 0;
  c->waiting = 0;
  c->is_first = true;
}

static inline void oct_rp_coder_read(oct_rp_coder *c, const uint8_t *bytes, size_t n) {
  oct_rp_coder_begin(c);
  c->at = bytes;
  c->end = bytes + n;
  c->code = 0;
  for (int i = 0; i < 4; i++) c->code = c->code << 8 | (c->at < c->end ? *c->at++ : 0);
}

static inline void oct_rp_coder_byte(oct_rp_coder *c, uint8_t byte) {
  oct_buffer_put(c->out, &byte, 1);
}

/* The highest byte of low leaves, or waits. */
static inline void oct_rp_coder_shift(oct_rp_coder *c) {
  const uint8_t carry = (uint8_t)(c->low >> 32);
  if (carry || (uint32_t)c->low < 0xff000000u) {
    if (!c->is_first) oct_rp_coder_byte(c, (uint8_t)(c->waiting + carry));
    for (; c->n_waiting; c->n_waiting--) oct_rp_coder_byte(c, (uint8_t)(0xff + carry));
    c->is_first = false;
    c->waiting = (uint8_t)(c->low >> 24);
  } else {
    c->n_waiting++;
  }
  c->low = (c->low & 0x00ffffffu) << 8;
}

static inline void oct_rp_coder_normalise(oct_rp_coder *c) {
  while (c->range < UINT32_C(1) << 24) {
    c->range <<= 8;
    if (c->is_decoding) {
      c->code = c->code << 8 | (c->at < c->end ? *c->at++ : 0);
    } else {
      oct_rp_coder_shift(c);
      *c->bits += 8;
    }
  }
}

/* All that was coded leaves, but for zeros at the end, which a decoder reads by itself. */
static inline void oct_rp_coder_end(oct_rp_coder *c) {
  /* Of the numbers from low on and below low + range, that with the most zeros at its end. */
  uint64_t last = c->low + c->range - 1;
  unsigned n = 0;
  while (n < 32 && ((last >> (n + 1)) << (n + 1)) >= c->low) n++;
  c->low = (last >> n) << n;
  for (int i = 0; i < 5; i++) oct_rp_coder_shift(c);
  while (c->out->n_bytes && !c->out->bytes[c->out->n_bytes - 1]) c->out->n_bytes--;
}

/* A decision; p is the probability of a 1, of 8192. */
static inline unsigned oct_rp_coder_decide(oct_rp_coder *c, uint32_t p, unsigned bit) {
  if (p < OCT_RP_PROB_LEAST) p = OCT_RP_PROB_LEAST;
  if (p > (1 << OCT_RP_PROB_WHOLE_LOG2) - OCT_RP_PROB_LEAST)
    p = (1 << OCT_RP_PROB_WHOLE_LOG2) - OCT_RP_PROB_LEAST;
  const uint32_t bound = (c->range >> OCT_RP_PROB_WHOLE_LOG2) * p;
  if (c->is_decoding) {
    bit = c->code < bound;
    if (!bit) c->code -= bound;
  } else if (!bit) {
    c->low += bound;
  }
  c->range = bit ? bound : c->range - bound;
  oct_rp_coder_normalise(c);
  return bit;
}

static inline void oct_rp_prob_learn(oct_rp_prob *p, unsigned bit) {
  const unsigned rate = p->n + 1u;
  if (bit)
    p->p = (uint16_t)(p->p + ((8191u - p->p) >> rate));
  else
    p->p = (uint16_t)(p->p - (p->p >> rate));
  if (p->n < OCT_RP_PROB_SLOW - 1) p->n++;
}

/* A decision with a probability that learns from it. */
static inline unsigned oct_rp_bit(oct_rp_coder *c, oct_rp_prob *p, unsigned bit) {
  bit = oct_rp_coder_decide(c, p->p, bit);
  oct_rp_prob_learn(p, bit);
  return bit;
}

/* The n lowest bits of v, the highest first, all equally likely. */
static inline uint64_t oct_rp_raw(oct_rp_coder *c, uint64_t v, unsigned n) {
  uint64_t out = 0;
  while (n) {
    const unsigned k = n < 8 ? n : 8;
    n -= k;
    c->range >>= k;
    uint32_t part = (uint32_t)(v >> n) & ((1u << k) - 1);
    if (c->is_decoding) {
      part = c->code / c->range;
      if (part >> k) part = (1u << k) - 1; /* nothing that an encoder sends */
      c->code -= part * c->range;
    } else {
      c->low += (uint64_t)part * c->range;
    }
    out = out << k | part;
    oct_rp_coder_normalise(c);
  }
  return out;
}

/* n bits with the probabilities of a tree, the highest first: node 1, then 2i or 2i + 1. */
static inline uint32_t oct_rp_tree(oct_rp_coder *c, oct_rp_prob *tree, uint32_t v, unsigned n) {
  uint32_t node = 1;
  while (n--) node = 2 * node + oct_rp_bit(c, &tree[node], v >> n & 1);
  return node;
}

#endif
