/* SPDX-License-Identifier: Apache-2.0 */
/* oct_mask.h - bits of numbers: masks, signs, widths, logarithms. */
#ifndef OCT_MASK_H
#define OCT_MASK_H

#include <stdint.h>

/* The lowest bits ones: 0 to 64, and all of them for more. */
static inline uint64_t oct_mask(unsigned bits) {
  return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* The lowest bits of a value, 1 to 64, as a number with a sign. */
static inline uint64_t oct_sign_extend(uint64_t v, unsigned bits) {
  return (uint64_t)((int64_t)(v << (64 - bits)) >> (64 - bits));
}

/* The bits from the highest one down: 1 for 1, 64 for UINT64_MAX, 0 for 0. And the bytes. */
static inline unsigned oct_bit_width(uint64_t v) {
  return v ? 64u - (unsigned)__builtin_clzll(v) : 0;
}
static inline unsigned oct_byte_width(uint64_t v) {
  return (oct_bit_width(v) + 7) / 8;
}

/* log2, rounded down, and up; 0 of 0. */
static inline unsigned oct_log2(uint32_t v) {
  return v ? 31u - (unsigned)__builtin_clz(v) : 0;
}
static inline unsigned oct_log2_up(uint32_t v) {
  return v > 1 ? oct_log2(v - 1) + 1 : 0;
}

/* The log2 of a power of two; other for what is none. */
static inline unsigned oct_size_log2(unsigned size_bytes, unsigned other) {
  return size_bytes && !(size_bytes & (size_bytes - 1)) ? oct_log2(size_bytes) : other;
}

#endif
