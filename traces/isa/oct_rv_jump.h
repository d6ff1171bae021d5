/* SPDX-License-Identifier: Apache-2.0 */
/* oct_rv_jump.h - the class of RISC-V's jumps, as "Efficient Trace for RISC-V" 2.0 defines it (jump
 * classification and target inference): x1 and x5 are link registers. rtl/common/oct_rv_jump.vh
 * and oct_rv_class.vh are the same in Verilog.
 *
 * A return from a trap goes where a control register says, so its target cannot be inferred: it is
 * an indirect jump, which no stack of returns predicts.
 *
 * A jalr from x0 has its target in the instruction, so it is direct. A co-routine swap (jalr x1, x5
 * and jalr x5, x1) is neither a call nor a return: no stack of returns changes. */
#ifndef OCT_RV_JUMP_H
#define OCT_RV_JUMP_H

#include <stdbool.h>
#include <stdint.h>

#include "octrace/trace.h"

static inline bool oct_rv_is_link(unsigned reg) {
  return reg == 1 || reg == 5;
}

static inline oct_class oct_rv_jal_class(unsigned rd) {
  return oct_rv_is_link(rd) ? OCT_CLASS_DIRECT_CALL : OCT_CLASS_DIRECT_JUMP;
}

static inline oct_class oct_rv_jalr_class(unsigned rd, unsigned rs1) {
  if (!rs1) return oct_rv_jal_class(rd);
  if (!oct_rv_is_link(rd)) return oct_rv_is_link(rs1) ? OCT_CLASS_RETURN : OCT_CLASS_INDIRECT_JUMP;
  bool is_swap = oct_rv_is_link(rs1) && rs1 != rd;
  return is_swap ? OCT_CLASS_INDIRECT_JUMP : OCT_CLASS_INDIRECT_CALL;
}

static inline bool oct_rv_is_trap_return(uint32_t word) {
  enum { URET = 0x00200073, SRET = 0x10200073, MRET = 0x30200073 };
  enum { MNRET = 0x70200073, DRET = 0x7b200073 };
  return word == MRET || word == SRET || word == URET || word == MNRET || word == DRET;
}

/* The class of an instruction by its bytes. */
static inline oct_class oct_rv_class(uint32_t word, bool is_64) {
  unsigned rd = word >> 7 & 31, funct3 = word >> 13 & 7;
  switch (word & 3) {
    case 3:
      if ((word >> 2 & 31) == 24) return OCT_CLASS_COND_BRANCH;
      if ((word >> 2 & 31) == 25) return oct_rv_jalr_class(rd, word >> 15 & 31);
      if ((word >> 2 & 31) == 27) return oct_rv_jal_class(rd);
      return oct_rv_is_trap_return(word) ? OCT_CLASS_INDIRECT_JUMP : OCT_CLASS_OTHER;
    case 1:
      if (funct3 == 5) return OCT_CLASS_DIRECT_JUMP;
      if (funct3 == 1 && !is_64) return OCT_CLASS_DIRECT_CALL;
      return funct3 >= 6 ? OCT_CLASS_COND_BRANCH : OCT_CLASS_OTHER;
    case 2:
      if (funct3 == 4 && !(word >> 2 & 31) && rd) return oct_rv_jalr_class(word >> 12 & 1, rd);
      return OCT_CLASS_OTHER;
    default:
      return OCT_CLASS_OTHER;
  }
}

#endif
