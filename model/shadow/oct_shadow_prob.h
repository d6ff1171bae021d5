/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_prob.h - adaptive probabilities of binary decisions (docs/shadow-format.md, section
 * 5).
 *
 * A probability is 16 bits, of which the low ones count how often it was used, up to a limit: the
 * first uses move it fast, later ones slowly. What is left of the 16 bits is the probability that
 * the decision is 1. Wide ones (32 bits) serve the decisions that are nearly always 0. */
#ifndef OCT_SHADOW_PROB_H
#define OCT_SHADOW_PROB_H

#include <stdint.h>

/* A probability of the tables: bits 15..3 of the probability of a 1, bits 2..0 the count. */
typedef uint16_t oct_prob;
enum { OCT_PROB_COUNT_BITS = 3, OCT_PROB_COUNT_MASK = 7, OCT_PROB_HALF = 0x8000 };

/* A probability of a fixed context: bits 21..6 of 22 are the probability, with 6 more of fraction,
 * and the count stands beside. */
typedef struct oct_prob_wide {
  uint32_t p;     /* of a 1, in units of 2^-22 */
  uint8_t n;      /* uses, up to the limit */
  uint8_t streak; /* decisions of 0 since the last 1; from OCT_STREAK_SILENT on they are silent */
} oct_prob_wide;
enum { OCT_PROB_WIDE_BITS = 22, OCT_PROB_WIDE_STATE_BITS = 22 + 5 + 6, OCT_STREAK_SILENT = 63 };

enum { OCT_PROB_LIMIT = 5 }; /* slowest rate of the trees, a shift */

/* What the coder takes: 1..65535 of 65536 for a 1. */
static inline uint32_t oct_prob_of(oct_prob p) {
  return (uint32_t)(p & ~OCT_PROB_COUNT_MASK) | 4;
}

/* Learn an outcome; limit is the slowest rate, a shift. */
static inline void oct_prob_learn(oct_prob *p, unsigned bit, unsigned limit) {
  static const uint8_t rates[8] = {1, 2, 2, 3, 3, 4, 4, 5};
  uint32_t n = *p & OCT_PROB_COUNT_MASK, v = *p >> OCT_PROB_COUNT_BITS;
  unsigned rate = rates[n] < limit ? rates[n] : limit;
  if (n == OCT_PROB_COUNT_MASK) rate = limit;
  if (bit)
    v += ((8191 - v) + (1u << (rate - 1))) >> rate;
  else
    v -= (v + (1u << (rate - 1)) - 1) >> rate;
  if (n < OCT_PROB_COUNT_MASK) n++;
  *p = (oct_prob)(v << OCT_PROB_COUNT_BITS | n);
}

/* A probability of a branch: 12 bits, of which 10 are the probability and 2 the count. */
typedef uint16_t oct_prob_branch;
enum { OCT_PROB_BRANCH_BITS = 12, OCT_PROB_BRANCH_HALF = 0x800 };

/* Of 4096. */
static inline uint32_t oct_prob_branch_of(oct_prob_branch p) {
  return (p & 0xffcu) | 2;
}

static inline void oct_prob_branch_learn(oct_prob_branch *p, unsigned bit, unsigned limit) {
  uint32_t n = *p & 3, v = *p >> 2, rate = n < 3 ? n + 1 : limit;
  if (rate > limit) rate = limit;
  if (bit)
    v += (1023 - v + (1u << (rate - 1))) >> rate;
  else
    v -= (v + (1u << (rate - 1))) >> rate;
  *p = (oct_prob_branch)(v << 2 | (n < 3 ? n + 1 : 3));
}

static inline uint32_t oct_prob_wide_of(const oct_prob_wide *w) {
  uint32_t p = w->p >> 6;
  return p < 1 ? 1 : p;
}

static inline void oct_prob_wide_learn(oct_prob_wide *w, unsigned bit, unsigned limit) {
  unsigned rate = w->n / 2u + 1;
  if (rate > limit) rate = limit;
  if (bit)
    w->p += ((UINT32_C(1) << OCT_PROB_WIDE_BITS) - 1 - w->p) >> rate;
  else
    w->p -= w->p >> rate;
  if (w->n < 31) w->n++;
}

#endif
