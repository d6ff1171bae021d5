/* SPDX-License-Identifier: Apache-2.0 */
/* oct_bit_width.h - how many bits a value needs, and the logarithm of a size in bytes. */
#ifndef OCT_BIT_WIDTH_H
#define OCT_BIT_WIDTH_H

#include <stdint.h>

/* The bits from the highest one down: 1 for 1, 64 for UINT64_MAX, 0 for 0. */
static inline unsigned oct_bit_width(uint64_t v) {
  return v ? 64u - (unsigned)__builtin_clzll(v) : 0;
}

/* The log2 of a power of two; other for what is none. */
static inline unsigned oct_size_log2(unsigned size_bytes, unsigned other) {
  return size_bytes && !(size_bytes & (size_bytes - 1)) ? oct_bit_width(size_bytes) - 1 : other;
}

#endif
