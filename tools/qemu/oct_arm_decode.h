/* SPDX-License-Identifier: Apache-2.0 */
/* oct_arm_decode.h - program-map entries from ARM machine code. */
#ifndef OCT_ARM_DECODE_H
#define OCT_ARM_DECODE_H

#include "oct_event.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Describe the size_bytes bytes of machine code at addr (little-endian ARMv5TE, ARM state). Code of
 * another size (Thumb), or none, gives OCT_CLASS_UNKNOWN without slots. A conditional call, return
 * or indirect jump keeps its class and has OCT_MAP_CONDITIONAL; only B<cond> is a conditional
 * branch. */
void oct_arm_decode(uint64_t addr, const uint8_t *code, size_t size_bytes, oct_map_entry *e);

#ifdef __cplusplus
}
#endif
#endif
