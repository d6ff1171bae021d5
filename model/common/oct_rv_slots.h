/* SPDX-License-Identifier: Apache-2.0 */
/* oct_rv_slots.h - how many accesses a RISC-V instruction's opcode has
 * (rtl/common/oct_rv_access.vh). */
#ifndef OCT_RV_SLOTS_H
#define OCT_RV_SLOTS_H

#include <stdint.h>

/* 0 to 2: an AMO loads and stores. */
static inline unsigned oct_rv_slots(uint32_t word) {
  unsigned funct5 = word >> 27, funct3 = word >> 12 & 7, opcode = word >> 2 & 31;
  if ((word & 3) == 1) return 0;
  if ((word & 3) != 3) return (word >> 13 & 3) != 0; /* neither 000 nor 100 */
  if (opcode == 0 || opcode == 8) return 1;
  if (opcode == 1 || opcode == 9) return funct3 >= 1 && funct3 <= 4;
  return opcode != 11 ? 0 : funct5 == 2 || funct5 == 3 ? 1 : 2;
}

#endif
