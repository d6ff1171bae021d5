/* SPDX-License-Identifier: Apache-2.0 */
/* oct_effect_build.h - inside of the library: the parts that decoders put effects
 * together from. Each starts with oct_effect_start and fills in what differs. */
#ifndef OCT_EFFECT_BUILD_H
#define OCT_EFFECT_BUILD_H

#include "octrace/trace.h"

#include <string.h>

/* A known operation that does nothing, of 32-bit registers or (is_64) of 64-bit ones. */
static inline void oct_effect_start(oct_effect *op, int is_64) {
  memset(op, 0, sizeof *op);
  op->flags = (uint8_t)(OCT_EFFECT_KNOWN | (is_64 ? OCT_EFFECT_64 : 0));
  op->width = is_64 ? 3 : 2;
  op->dest = op->a = op->b = op->data[0] = op->data[1] = op->link = OCT_REG_NONE;
  op->cond_a = op->cond_b = OCT_REG_NONE;
  op->set_flags = 15 << 4;
  for (int i = 0; i < 2; i++) op->mem[i].base = op->mem[i].index = OCT_REG_NONE;
}

/* dest <- a with B = b + imm. */
static inline void oct_effect_alu(oct_effect *op, unsigned result, unsigned dest, unsigned a,
                                  unsigned b, uint64_t imm) {
  op->result = (uint8_t)result;
  op->dest = (uint8_t)dest;
  op->a = (uint8_t)a;
  op->b = (uint8_t)b;
  op->imm = imm;
}

static inline void oct_effect_constant(oct_effect *op, unsigned dest, uint64_t value) {
  oct_effect_alu(op, OCT_RESULT_ADD, dest, OCT_REG_ZERO, OCT_REG_ZERO, value);
}

/* A register that gets some value. */
static inline void oct_effect_clobber(oct_effect *op, unsigned reg) {
  if (reg < OCT_REG_COUNT) op->clobbers |= UINT32_C(1) << reg;
}

/* A jump through a register. */
static inline void oct_effect_jump(oct_effect *op, unsigned reg, uint64_t imm) {
  oct_effect_alu(op, OCT_RESULT_ADD, OCT_REG_NONE, reg, OCT_REG_ZERO, imm);
  op->target = OCT_TARGET_RESULT;
}

/* A memory operand at base + offset. */
static inline oct_effect_mem *oct_effect_memory(oct_effect *op, unsigned i, unsigned base,
                                                uint64_t offset) {
  oct_effect_mem *m = &op->mem[i];
  m->form = OCT_MEM_VALID;
  m->base = (uint8_t)base;
  m->index = OCT_REG_ZERO;
  m->offset = offset;
  return m;
}

static inline void oct_effect_set_flags(oct_effect *op, unsigned how) {
  op->set_flags = (uint8_t)((op->set_flags & 0xf0) | how);
}

static inline void oct_effect_set_first(oct_effect *op, unsigned n_first) {
  op->set_flags = (uint8_t)((op->set_flags & 0x0f) | n_first << 4);
}

/* Say the same with fewer kinds of results: a move or a constant is an addition whatever it was
 * made of, and so is the subtraction of a constant, unless flags are set. */
static inline void oct_effect_simplify(oct_effect *op) {
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
