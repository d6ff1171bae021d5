/* SPDX-License-Identifier: Apache-2.0 */
/* oct_replay_coder.h - the arithmetic coder of the tracer `replay`, both halves
 * (docs/replay-format.md, section 3).
 *
 * It is the coder of `shadow`, with its probabilities: a symbol has up to three decisions, which a
 * circuit takes in one cycle. Each function gives back the outcome, which the encoder's half is
 * told and the decoder's finds, so that what is coded is written once for both. */
#ifndef OCT_REPLAY_CODER_H
#define OCT_REPLAY_CODER_H

#include "oct_mask.h"
#include "oct_shadow_encode.h"
#include "oct_shadow_prob.h"
#include "oct_shadow_uncode.h"

enum { OCT_RP_SYMBOL_DECISIONS = 3 };

typedef struct oct_rp_coder {
  bool is_decoding, is_open; /* a symbol is under way, */
  unsigned n_left;           /* which has so many decisions more at most */
  oct_encode encode;
  oct_uncode uncode;
} oct_rp_coder;

static inline void oct_rp_coder_begin(oct_rp_coder *c) {
  c->is_open = false;
  oct_encode_begin(&c->encode);
}

static inline void oct_rp_coder_read(oct_rp_coder *c, const uint8_t *bytes, size_t n) {
  c->is_open = false;
  oct_uncode_begin(&c->uncode, bytes, n);
}

/* A symbol of up to n decisions: open, each of them, close. */
static inline void oct_rp_open(oct_rp_coder *c, unsigned n) {
  c->is_open = true;
  c->n_left = n;
  if (c->is_decoding)
    oct_uncode_open(&c->uncode);
  else
    oct_encode_open(&c->encode);
}

static inline unsigned oct_rp_path(oct_rp_coder *c, oct_prob *p, unsigned bit) {
  const uint32_t least = UINT32_C(1) << --c->n_left, of = oct_prob_of(*p);
  bit = c->is_decoding ? oct_uncode_path(&c->uncode, of, bit, least)
                       : oct_encode_path(&c->encode, of, bit, least);
  oct_prob_learn(p, bit);
  return bit;
}

static inline void oct_rp_close(oct_rp_coder *c) {
  c->is_open = false;
  if (c->is_decoding)
    oct_uncode_close(&c->uncode);
  else
    oct_encode_close(&c->encode);
}

/* A symbol of one decision. */
static inline unsigned oct_rp_bit(oct_rp_coder *c, oct_prob *p, unsigned bit) {
  const uint32_t of = oct_prob_of(*p);
  bit = c->is_decoding ? oct_uncode_bit(&c->uncode, of, bit) : oct_encode_bit(&c->encode, of, bit);
  oct_prob_learn(p, bit);
  return bit;
}

/* The n lowest bits of v, the highest first, all equally likely. */
static inline uint64_t oct_rp_raw(oct_rp_coder *c, uint64_t v, unsigned n) {
  if (c->is_decoding) return oct_uncode_raw(&c->uncode, v, n);
  oct_encode_raw(&c->encode, v, n);
  return v & oct_mask(n);
}

/* n bits with the probabilities of a tree, the highest first: node 1, then 2i or 2i + 1. They are
 * in symbols of three, the last with the rest. */
static inline uint32_t oct_rp_tree(oct_rp_coder *c, oct_prob *tree, uint32_t v, unsigned n) {
  uint32_t node = 1;
  while (n) {
    unsigned k = n < OCT_RP_SYMBOL_DECISIONS ? n : OCT_RP_SYMBOL_DECISIONS;
    oct_rp_open(c, k);
    while (k--) node = 2 * node + oct_rp_path(c, &tree[node], v >> --n & 1);
    oct_rp_close(c);
  }
  return node;
}

#endif
