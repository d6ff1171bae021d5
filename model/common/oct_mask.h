/* SPDX-License-Identifier: Apache-2.0 */
/* oct_mask.h - bit masks and logarithms: all that compressor and decoder share beside the
 * parameters. */
#ifndef OCT_MASK_H
#define OCT_MASK_H

#include <stdint.h>

/* The lowest bits ones: 0 to 64, and all of them for more. */
static inline uint64_t oct_mask(unsigned bits) {
  return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* log2, rounded down, and up; 0 of 0. */
static inline unsigned oct_log2(uint32_t v) {
  return v ? 31u - (unsigned)__builtin_clz(v) : 0;
}
static inline unsigned oct_log2_up(uint32_t v) {
  return v > 1 ? oct_log2(v - 1) + 1 : 0;
}

#endif
