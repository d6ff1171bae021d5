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
  uint16_t streak; /* decisions of 0 since the last 1; from OCT_STREAK_SILENT on they are silent */
} oct_prob_streak;
enum { OCT_STREAK_BITS = 6, OCT_STREAK_SILENT = 63 };

/* What the coder takes: of 4096 for a 1; 15 to 4080. */
static inline uint32_t oct_prob_of(oct_prob p) {
  return (uint32_t)p >> 4;
}

/* Both outcomes without a branch, which a processor would guess wrong: 8191 - v is v with all bits
 * flipped. */
static inline void oct_prob_learn(oct_prob *p, unsigned bit) {
  uint32_t n = *p & OCT_PROB_COUNT_MASK, flip = (0 - bit) & 8191;
  uint32_t gap = (uint32_t)(*p >> OCT_PROB_COUNT_BITS) ^ flip;
  gap -= gap >> (n < OCT_PROB_COUNT_MASK ? OCT_PROB_FAST : OCT_PROB_SLOW);
  *p = (oct_prob)((gap ^ flip) << OCT_PROB_COUNT_BITS | (n + (n < OCT_PROB_COUNT_MASK)));
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
  uint32_t n = *p & 3, flip = (0 - bit) & 1023, gap = (uint32_t)(*p >> 2) ^ flip;
  unsigned rate = n < 3 ? 1 : limit;
  gap -= (gap + (1u << (rate - 1))) >> rate;
  *p = (oct_prob_branch)((gap ^ flip) << 2 | (n + (n < 3)));
}

#endif
