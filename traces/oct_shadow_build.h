/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_build.h - inside of the library: the parts that decoders put shadow operations
 * together from. Each starts with oct_shadow_start and fills in what differs. */
#ifndef OCT_SHADOW_BUILD_H
#define OCT_SHADOW_BUILD_H

#include "oct_shadow_op.h"

#include <string.h>

/* A known operation that does nothing, of 32-bit registers or (is_64) of 64-bit ones. */
static inline void oct_shadow_start(oct_shadow_op *op, int is_64) {
  memset(op, 0, sizeof *op);
  op->flags = (uint8_t)(OCT_SHADOW_KNOWN | (is_64 ? OCT_SHADOW_64 : 0));
  op->width = is_64 ? 3 : 2;
  op->dest = op->a = op->b = op->data[0] = op->data[1] = op->link = OCT_REG_NONE;
  op->cond_a = op->cond_b = OCT_REG_NONE;
  op->set_flags = 15 << 4;
  for (int i = 0; i < 2; i++) op->mem[i].base = op->mem[i].index = OCT_REG_NONE;
}

/* dest <- a with B = b + imm. */
static inline void oct_shadow_alu(oct_shadow_op *op, unsigned result, unsigned dest, unsigned a,
                                  unsigned b, uint64_t imm) {
  op->result = (uint8_t)result;
  op->dest = (uint8_t)dest;
  op->a = (uint8_t)a;
  op->b = (uint8_t)b;
  op->imm = imm;
}

static inline void oct_shadow_constant(oct_shadow_op *op, unsigned dest, uint64_t value) {
  oct_shadow_alu(op, OCT_RESULT_ADD, dest, OCT_REG_ZERO, OCT_REG_ZERO, value);
}

/* A register that gets some value. */
static inline void oct_shadow_clobber(oct_shadow_op *op, unsigned reg) {
  if (reg < OCT_REG_COUNT) op->clobbers |= UINT32_C(1) << reg;
}

/* A jump through a register. */
static inline void oct_shadow_jump(oct_shadow_op *op, unsigned reg, uint64_t imm) {
  oct_shadow_alu(op, OCT_RESULT_ADD, OCT_REG_NONE, reg, OCT_REG_ZERO, imm);
  op->target = OCT_TARGET_RESULT;
}

/* A memory operand at base + offset. */
static inline oct_shadow_mem *oct_shadow_memory(oct_shadow_op *op, unsigned i, unsigned base,
                                                uint64_t offset) {
  oct_shadow_mem *m = &op->mem[i];
  m->form = OCT_MEM_VALID;
  m->base = (uint8_t)base;
  m->index = OCT_REG_ZERO;
  m->offset = offset;
  return m;
}

static inline void oct_shadow_set_flags(oct_shadow_op *op, unsigned how) {
  op->set_flags = (uint8_t)((op->set_flags & 0xf0) | how);
}

static inline void oct_shadow_set_first(oct_shadow_op *op, unsigned n_first) {
  op->set_flags = (uint8_t)((op->set_flags & 0x0f) | n_first << 4);
}

/* Say the same with fewer kinds of results: a move or a constant is an addition whatever it was
 * made of, and so is the subtraction of a constant, unless flags are set. */
static inline void oct_shadow_simplify(oct_shadow_op *op) {
  int is_constant = op->b == OCT_REG_ZERO, is_zero = is_constant && !op->imm;
  int keeps_flags = (op->set_flags & 15) == OCT_FLAGS_KEEP;
  switch (op->result) {
    case OCT_RESULT_OR:
    case OCT_RESULT_XOR:
      if (op->a == OCT_REG_ZERO || is_zero) op->result = OCT_RESULT_ADD;
      break;
    case OCT_RESULT_ORN:
      if (op->a != OCT_REG_ZERO || !is_constant) break;
      op->result = OCT_RESULT_ADD;
      op->imm = ~op->imm;
      break;
    case OCT_RESULT_BIC:
      if (!is_constant) break;
      op->result = OCT_RESULT_AND;
      op->imm = ~op->imm;
      break;
    case OCT_RESULT_SUB:
      if (!is_constant || !keeps_flags) break;
      op->result = OCT_RESULT_ADD;
      op->imm = 0 - op->imm;
      break;
    default:
      break;
  }
}

#endif
