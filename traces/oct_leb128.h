/* SPDX-License-Identifier: Apache-2.0 */
/* oct_leb128.h - numbers of 64 bits in one to ten bytes: seven bits a byte, the lowest first; all
 * bytes but the last have their top bit set. Signed numbers are folded to have few bits when they
 * are near zero: 0, -1, 1, -2 ... are 0, 1, 2, 3 ...
 *
 * Threads: All functions may be called by any threads on memory of their own. */
#ifndef OCT_LEB128_H
#define OCT_LEB128_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Most bytes of a number. */
#define OCT_LEB128_MAX 10

/* Write v to p, which has room for OCT_LEB128_MAX bytes. Returns where it ends. */
static inline uint8_t *oct_leb128_put(uint8_t *p, uint64_t v) {
  for (; v >= 128; v >>= 7) *p++ = (uint8_t)(v | 128);
  *p++ = (uint8_t)v;
  return p;
}

/* Read a number from p to *v. Returns where it ends; NULL when it does not end before end, or has
 * more than 64 bits. */
static inline const uint8_t *oct_leb128_get(const uint8_t *p, const uint8_t *end, uint64_t *v) {
  uint64_t value = 0;
  if (p < end && *p < 128) { /* most are of one byte */
    *v = *p;
    return p + 1;
  }
  for (unsigned shift = 0; p < end; p++, shift += 7) {
    if (shift == 63 && *p > 1) return NULL;
    value |= (uint64_t)(*p & 127) << shift;
    if (*p < 128) {
      *v = value;
      return p + 1;
    }
  }
  return NULL;
}

/* A difference modulo 2^64, folded and unfolded. */
static inline uint64_t oct_fold_sign(uint64_t difference) {
  return (difference << 1) ^ (difference >> 63 ? UINT64_MAX : 0);
}
static inline uint64_t oct_unfold_sign(uint64_t folded) {
  return folded >> 1 ^ (folded & 1 ? UINT64_MAX : 0);
}

#ifdef __cplusplus
}
#endif
#endif
