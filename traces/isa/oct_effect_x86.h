/* SPDX-License-Identifier: Apache-2.0 */
/* oct_effect_x86.h - inside of the library: what the two files of x86 effects share. */
#ifndef OCT_EFFECT_X86_H
#define OCT_EFFECT_X86_H

#include "oct_isa_decode.h"
#include "oct_effect_build.h"

enum { AX, CX, DX, BX, SP, BP, SI, DI, R11 = 11 };

typedef struct x86_decode {
  const cs_insn *cs;
  const cs_x86 *x;
  oct_effect *op;
  uint64_t addr;
  int is_64;
  int is_down; /* strings go down */
  unsigned word_bytes;
} x86_decode;

/* Number of a general register, OCT_REG_NONE for others; *is_high: ah, ch, dh or bh. */
unsigned oct_x86_number_of(unsigned reg, int *is_high);
/* A register that an instruction writes, in part or in full. */
void oct_x86_clobber(x86_decode *i, unsigned reg);
/* Make o memory operand k. */
oct_effect_mem *oct_x86_set_memory(x86_decode *i, unsigned k, const cs_x86_op *o);
/* Memory operand k is what is pushed or popped. */
void oct_x86_push_at(x86_decode *i, unsigned k, unsigned bytes);
void oct_x86_pop_at(x86_decode *i, unsigned k, unsigned bytes);
/* The condition behind j, cmov: by the low four bits of the opcode. */
unsigned oct_x86_condition(const x86_decode *i);
/* Whether the operands have 16 bits by a prefix. */
static inline int is_narrow(const x86_decode *i) {
  return i->x->prefix[2] == X86_PREFIX_OPSIZE;
}
/* Moves and arithmetic: 1 when the instruction is one of them. */
int oct_x86_data_shadow(x86_decode *i);

static inline unsigned reg_of(unsigned reg) {
  int is_high;
  unsigned r = oct_x86_number_of(reg, &is_high);
  return is_high ? OCT_REG_NONE : r;
}

static inline unsigned log2_of(unsigned bytes) {
  return bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
}

static inline const cs_x86_op *operand(const x86_decode *i, unsigned k) {
  return &i->x->operands[k];
}

static inline int is_reg(const x86_decode *i, unsigned k) {
  return k < i->x->op_count && operand(i, k)->type == X86_OP_REG;
}

static inline int is_mem(const x86_decode *i, unsigned k) {
  return k < i->x->op_count && operand(i, k)->type == X86_OP_MEM;
}

#endif
