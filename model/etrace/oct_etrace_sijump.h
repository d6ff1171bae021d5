/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etrace_sijump.h - what the bytes of RISC-V instructions say: environment calls, and
 * sequentially inferable jumps, which are an indirect jump whose register the
 * instruction before it, in memory and in time, loaded with a constant by lui, c.lui or auipc
 * ("Efficient Trace for RISC-V" 2.0, 5.2.5). The effects of both say so. */
#ifndef OCT_ETRACE_SIJUMP_H
#define OCT_ETRACE_SIJUMP_H

#include <stdbool.h>

#include "octrace/trace.h"

/* Whether the bytes are a lui, c.lui or auipc. */
static inline bool oct_et_loads_constant(const oct_map_entry *e) {
  enum { LUI = 0x37, AUIPC = 0x17, MAJOR = 0x7f, C_LUI_MASK = 0xe003, C_LUI = 0x6001 };
  uint32_t half = e->code[0] | (uint32_t)e->code[1] << 8;
  const oct_effect *op = &e->op;
  if (!e->code_isa || !(op->flags & OCT_EFFECT_KNOWN) || op->result != OCT_RESULT_ADD ||
      op->a != OCT_REG_ZERO || op->b != OCT_REG_ZERO)
    return false;
  if (e->size_bytes == 2) return (half & C_LUI_MASK) == C_LUI;
  return (half & MAJOR) == LUI || (half & MAJOR) == AUIPC;
}

/* Whether the bytes are an ecall, ebreak or c.ebreak, whose exception has their own address. */
static inline bool oct_et_calls_environment(const oct_map_entry *e) {
  enum { ECALL = 0x73, EBREAK = 0x100073, C_EBREAK = 0x9002 };
  uint32_t half = e->code[0] | (uint32_t)e->code[1] << 8;
  uint32_t word = half | (uint32_t)e->code[2] << 16 | (uint32_t)e->code[3] << 24;
  if (!e->code_isa) return false;
  return e->size_bytes == 2 ? half == C_EBREAK
                            : e->size_bytes == 4 && (word == ECALL || word == EBREAK);
}

/* Whether the jump goes where the instruction before it says, and where that is. */
static inline bool oct_et_sijump(const oct_map_entry *before, const oct_map_entry *jump,
                                 uint64_t addr_mask, uint64_t *target) {
  const oct_effect *op = &jump->op;
  if (before->addr + before->size_bytes != jump->addr || !oct_et_loads_constant(before) ||
      !(op->flags & OCT_EFFECT_KNOWN) || op->target != OCT_TARGET_RESULT ||
      op->result != OCT_RESULT_ADD)
    return false;
  if (!(op->a == before->op.dest && op->b == OCT_REG_ZERO) &&
      !(op->b == before->op.dest && op->a == OCT_REG_ZERO && !op->b_form && !op->b_extend))
    return false;
  *target = (before->op.imm + op->imm) & addr_mask & ~UINT64_C(1);
  return true;
}

#endif
