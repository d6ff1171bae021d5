/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_mix.h - the curve that probabilities are mixed on (docs/shadow-format.md, section 8).
 */
#ifndef OCT_SHADOW_MIX_H
#define OCT_SHADOW_MIX_H

#include <stdint.h>

/* Weights: 65536 is 1. */
enum { OCT_WEIGHT_BITS = 18, OCT_WEIGHT_MAX = (1 << 17) - 1 };

extern int16_t oct_stretch_table[4096];
extern uint16_t oct_squash_table[4096];

/* ln(p / (1 - p)) in 256ths, of a probability in 4096ths: -2047..2047. */
static inline int oct_stretch(unsigned p) {
  return oct_stretch_table[p];
}

/* The inverse: in 65536ths. */
static inline unsigned oct_squash(int x) {
  if (x > 2047) x = 2047;
  if (x < -2047) x = -2047;
  return oct_squash_table[x + 2048];
}

#endif
