/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_mix.h - the curves that probabilities are mixed on (docs/shadow-format.md, section 8).
 */
#ifndef OCT_SHADOW_MIX_H
#define OCT_SHADOW_MIX_H

#include <stdint.h>

/* Weights: OCT_WEIGHT_ONE is 1. A product takes their OCT_WEIGHT_PRODUCT_BITS highest bits. */
enum {
  OCT_WEIGHT_BITS = 13,
  OCT_WEIGHT_PRODUCT_BITS = 8,
  OCT_WEIGHT_CUT = OCT_WEIGHT_BITS - OCT_WEIGHT_PRODUCT_BITS,
  OCT_WEIGHT_ONE = 1 << (OCT_WEIGHT_BITS - 2),
  OCT_WEIGHT_START = OCT_WEIGHT_ONE * 2 / 5,
  OCT_WEIGHT_MAX = 2 * OCT_WEIGHT_ONE - 1
};
enum { OCT_STRETCH_MAX = 127, OCT_STRETCH_BITS = 8, OCT_MIX_ERROR_BITS = 9 };

extern int8_t oct_stretch_table[1024];
extern uint16_t oct_squash_table[2 * OCT_STRETCH_MAX + 1];

/* About ln(p / (1 - p)) in 16ths, of a probability in 1024ths. */
static inline int oct_stretch(unsigned p) {
  return oct_stretch_table[p];
}

/* The inverse: in 4096ths, 1 to 4094. */
static inline unsigned oct_squash(int x) {
  if (x > OCT_STRETCH_MAX) x = OCT_STRETCH_MAX;
  if (x < -OCT_STRETCH_MAX) x = -OCT_STRETCH_MAX;
  return oct_squash_table[x + OCT_STRETCH_MAX];
}

#endif
