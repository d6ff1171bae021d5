/* SPDX-License-Identifier: Apache-2.0 */
/* oct_hash.h - the constant of multiplicative hashing (Knuth 1998, section 6.4): the high bits of a
 * key times this depend on all bits of the key. */
#ifndef OCT_HASH_H
#define OCT_HASH_H

#include <stdint.h>

/* 2^64 divided by the golden ratio, made odd. */
#define OCT_HASH_FACTOR UINT64_C(0x9E3779B97F4A7C15)

#endif
