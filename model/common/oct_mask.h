/* SPDX-License-Identifier: Apache-2.0 */
/* oct_mask.h - bit masks: the one thing that compressor and decoder share beside the parameters. */
#ifndef OCT_MASK_H
#define OCT_MASK_H

#include <stdint.h>

/* The lowest bits ones: 0 to 64, and all of them for more. */
static inline uint64_t oct_mask(unsigned bits) {
  return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

#endif
