/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_prob.h - adaptive probabilities of binary decisions (docs/shadow-format.md, section
 * 5).
 *
 * A probability and, in its low bits, how often it was used: the first uses move it fast, later
 * ones slowly. There are two rates only, so that a circuit reads, learns and writes in a cycle. */
#ifndef OCT_SHADOW_PROB_H
#define OCT_SHADOW_PROB_H

#include <stdint.h>

/* A probability: 13 bits of a 1, in units of 2^-13; 3 bits of count. */
typedef uint16_t oct_prob;
enum {
  OCT_PROB_BITS = 16,
  OCT_PROB_COUNT_BITS = 3,
  OCT_PROB_COUNT_MASK = 7,
  OCT_PROB_HALF = 0x8000,
  OCT_PROB_FAST = 2, /* rates, as shifts: of the first 7 uses, of all others */
  OCT_PROB_SLOW = 5
};

/* One of a decision that is nearly always 0. */
typedef struct oct_prob_streak {
  oct_prob p;
  uint8_t streak; /* decisions of 0 since the last 1; from OCT_STREAK_SILENT on they are silent */
} oct_prob_streak;
enum { OCT_STREAK_BITS = 6, OCT_STREAK_SILENT = 63 };

/* What the coder takes: of 4096 for a 1; 15 to 4080. */
static inline uint32_t oct_prob_of(oct_prob p) {
  return (uint32_t)p >> 4;
}

static inline void oct_prob_learn(oct_prob *p, unsigned bit) {
  uint32_t n = *p & OCT_PROB_COUNT_MASK, v = *p >> OCT_PROB_COUNT_BITS;
  unsigned rate = n < OCT_PROB_COUNT_MASK ? OCT_PROB_FAST : OCT_PROB_SLOW;
  if (bit)
    v += (8191 - v) >> rate;
  else
    v -= v >> rate;
  *p = (oct_prob)(v << OCT_PROB_COUNT_BITS | (n < OCT_PROB_COUNT_MASK ? n + 1 : n));
}

/* A probability of a branch: 12 bits, of which 10 are the probability and 2 the count. */
typedef uint16_t oct_prob_branch;
enum { OCT_PROB_BRANCH_BITS = 12, OCT_PROB_BRANCH_HALF = 0x800 };

/* Of 1024. */
static inline uint32_t oct_prob_branch_of(oct_prob_branch p) {
  return (uint32_t)p >> 2;
}

/* limit: the rate from the fourth use on, a shift. */
static inline void oct_prob_branch_learn(oct_prob_branch *p, unsigned bit, unsigned limit) {
  uint32_t n = *p & 3, v = *p >> 2;
  unsigned rate = n < 3 ? 1 : limit;
  if (bit)
    v += (1023 - v + (1u << (rate - 1))) >> rate;
  else
    v -= (v + (1u << (rate - 1))) >> rate;
  *p = (oct_prob_branch)(v << 2 | (n < 3 ? n + 1 : 3));
}

#endif
