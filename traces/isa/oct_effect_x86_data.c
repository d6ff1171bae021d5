/* SPDX-License-Identifier: Apache-2.0 */
/* oct_effect_x86_data.c - effects of x86: moves, the stack and arithmetic (Intel 64
 * manual, volume 2).
 *
 * A whole register gets the result, a part of one becomes unknown, but that writing 32 bits clears
 * the upper half. push and pop move the stack pointer and touch memory; comparisons only set flags.
 */
#include "oct_effect_x86.h"

#include <string.h>

/* Where a result goes: to a whole register, or (size 1 and 2) to a part of it. */
static void set_dest(x86_decode *i, const cs_x86_op *o) {
  i->op->width = (uint8_t)log2_of(o->size);
  if (o->size >= 4)
    i->op->dest = (uint8_t)reg_of(o->reg);
  else
    oct_x86_clobber(i, o->reg);
}

/* Second operand of arithmetic: a register, a constant or the loaded word. */
static void set_b(x86_decode *i, const cs_x86_op *o) {
  i->op->imm = 0;
  if (o->type == X86_OP_IMM) {
    i->op->b = OCT_REG_ZERO;
    i->op->imm = (uint64_t)o->imm;
  } else {
    i->op->b = (uint8_t)(o->type == X86_OP_MEM ? OCT_REG_LOADED : reg_of(o->reg));
  }
}

/* a and b with a result, its flags, and where it goes unless it is only compared. */
static void arithmetic(x86_decode *i, unsigned result, unsigned flags, int is_compare) {
  const cs_x86_op *to = operand(i, 0), *from = operand(i, 1);
  oct_effect *op = i->op;
  if (i->x->op_count != 2) return;
  op->clobbers = 0;
  op->result = (uint8_t)result;
  op->width = (uint8_t)log2_of(to->size);
  op->a = (uint8_t)(to->type == X86_OP_MEM ? OCT_REG_LOADED : reg_of(to->reg));
  set_b(i, from);
  oct_effect_set_flags(op, flags);
  if (is_compare) return;
  if (to->type == X86_OP_MEM) {
    op->mem[0].form |= op->mem[0].form ? OCT_MEM_SAME : 0;
    op->data[1] = OCT_REG_RESULT;
  } else {
    set_dest(i, to);
    if (from->type == X86_OP_REG && from->reg == to->reg &&
        (result == OCT_RESULT_XOR || result == OCT_RESULT_SUB))
      op->a = op->b = OCT_REG_ZERO; /* zero, whatever it was */
  }
}

/* The same of one operand with a constant. */
static void unary(x86_decode *i, unsigned result, uint64_t imm, unsigned flags) {
  const cs_x86_op *to = operand(i, 0);
  oct_effect *op = i->op;
  unsigned a = to->type == X86_OP_MEM ? OCT_REG_LOADED : reg_of(to->reg);
  op->clobbers = 0;
  op->result = (uint8_t)result;
  op->width = (uint8_t)log2_of(to->size);
  op->a = (uint8_t)a;
  op->b = OCT_REG_ZERO;
  op->imm = imm;
  oct_effect_set_flags(op, flags);
  if (to->type == X86_OP_MEM) {
    op->mem[0].form |= op->mem[0].form ? OCT_MEM_SAME : 0;
    op->data[1] = OCT_REG_RESULT;
  } else {
    set_dest(i, to);
  }
}

/* Shifts by a constant; the flags are not followed. */
static void shift(x86_decode *i, unsigned kind) {
  const cs_x86_op *to = operand(i, 0), *by = operand(i, 1);
  unsigned amount = i->x->op_count == 2 ? (unsigned)by->imm : 1;
  if (!is_reg(i, 0) || to->size < 4 || (i->x->op_count == 2 && by->type != X86_OP_IMM)) return;
  i->op->clobbers = 0;
  amount &= to->size == 8 ? 63 : 31;
  oct_effect_alu(i->op, OCT_RESULT_ADD, OCT_REG_NONE, OCT_REG_ZERO, reg_of(to->reg), 0);
  set_dest(i, to);
  i->op->b_form = (uint8_t)(kind | amount);
  if (!amount) oct_effect_set_flags(i->op, OCT_FLAGS_KEEP);
}

static int is_segment(const cs_x86_op *o) {
  if (o->type != X86_OP_REG) return 0;
  return o->reg == X86_REG_CS || o->reg == X86_REG_DS || o->reg == X86_REG_ES ||
         o->reg == X86_REG_FS || o->reg == X86_REG_GS || o->reg == X86_REG_SS;
}

/* mov, movzx, movsx, movsxd, movabs. */
static void move(x86_decode *i, int is_signed) {
  const cs_x86_op *to = operand(i, 0), *from = operand(i, 1);
  oct_effect *op = i->op;
  if (i->x->op_count != 2) return;
  if (to->type == X86_OP_MEM) {
    op->data[0] = (uint8_t)(from->type == X86_OP_IMM ? OCT_REG_ZERO : reg_of(from->reg));
    if (from->type == X86_OP_IMM) op->imm = (uint64_t)from->imm;
    return;
  }
  unsigned rd = reg_of(to->reg);
  if (is_segment(to) && from->type == X86_OP_MEM)
    oct_effect_set_first(op, 1);                  /* then the emulator's tables */
  if (rd == OCT_REG_NONE || to->size < 4) return; /* a part stays clobbered */
  if (from->type == X86_OP_REG && reg_of(from->reg) == OCT_REG_NONE) return;
  op->clobbers = 0;
  if (from->type == X86_OP_MEM) {
    op->data[0] = (uint8_t)rd;
    if (is_signed) op->width |= OCT_EFFECT_LOAD_SIGNED;
    if (is_signed && to->size == 4 && i->is_64) op->width |= OCT_EFFECT_LOAD_SIGNED_32;
    return;
  }
  oct_effect_alu(op, OCT_RESULT_ADD, rd, OCT_REG_ZERO, OCT_REG_ZERO, 0);
  op->width = (uint8_t)log2_of(to->size);
  set_b(i, from);
  if (from->type == X86_OP_IMM || from->size >= to->size) return;
  op->b_extend = (uint8_t)((from->size == 1   ? OCT_EXTEND_U8
                            : from->size == 2 ? OCT_EXTEND_U16
                                              : OCT_EXTEND_U32) +
                           (is_signed ? OCT_EXTEND_S8 - OCT_EXTEND_U8 : 0));
}

/* movsxd without REX.W, which extends nothing. Capstone says 8 bytes of its register. */
static void move_word(x86_decode *i) {
  const cs_x86_op *from = operand(i, 1);
  unsigned rd = reg_of(operand(i, 0)->reg);
  i->op->clobbers = 0;
  if (from->type == X86_OP_MEM) {
    i->op->data[0] = (uint8_t)rd;
    return;
  }
  oct_effect_alu(i->op, OCT_RESULT_ADD, rd, OCT_REG_ZERO, reg_of(from->reg), 0);
  i->op->width = 2;
}

static void load_address(x86_decode *i) {
  const cs_x86_op *to = operand(i, 0);
  oct_effect_mem *m = oct_x86_set_memory(i, 0, operand(i, 1));
  if (to->size < 4 || !m->form) {
    m->form = 0;
    return;
  }
  i->op->clobbers = 0;
  i->op->result = OCT_RESULT_ADDRESS;
  set_dest(i, to);
}

/* What a push or pop moves: constants and segments have no size of their own. */
static unsigned stack_bytes(const x86_decode *i, const cs_x86_op *o) {
  if (o->type != X86_OP_IMM && !is_segment(o)) return o->size;
  return is_narrow(i) ? 2 : i->word_bytes;
}

static void push(x86_decode *i) {
  const cs_x86_op *from = operand(i, 0);
  unsigned bytes = stack_bytes(i, from);
  i->op->clobbers = 0;
  if (from->type == X86_OP_MEM) {
    oct_x86_push_at(i, 1, bytes);
    oct_effect_set_first(i->op, 1);
    i->op->data[1] = OCT_REG_LOADED;
    return;
  }
  oct_x86_push_at(i, 0, bytes);
  i->op->data[0] = (uint8_t)(from->type == X86_OP_IMM ? OCT_REG_ZERO : reg_of(from->reg));
  if (from->type == X86_OP_IMM) i->op->imm = (uint64_t)from->imm;
}

static void pop(x86_decode *i) {
  const cs_x86_op *to = operand(i, 0);
  i->op->clobbers = 0;
  if (to->type == X86_OP_MEM) {
    oct_effect_mem *m = oct_x86_set_memory(i, 1, to);
    if (m->base == SP) m->offset += to->size; /* the pointer has moved by then */
    oct_effect_set_first(i->op, 1);
    i->op->data[1] = OCT_REG_LOADED;
  } else if (to->size >= 4) {
    i->op->data[0] = (uint8_t)reg_of(to->reg);
  } else {
    oct_x86_clobber(i, to->reg);
  }
  if (is_segment(to)) oct_effect_set_first(i->op, 1); /* then the emulator's tables */
  oct_x86_pop_at(i, 0, stack_bytes(i, to));
}

/* A frame of so many bytes below the base pointer that is pushed; inner frames are not followed. */
static void enter(x86_decode *i) {
  unsigned bytes = (unsigned)operand(i, 0)->imm & 0xffff, level = (unsigned)operand(i, 1)->imm & 31;
  if (is_narrow(i) || level) {
    i->op->mem[0].form = 0;
    i->op->clobbers = UINT32_C(1) << SP | UINT32_C(1) << BP;
    return;
  }
  int32_t word = (int32_t)i->word_bytes;
  i->op->clobbers = 0;
  oct_effect_mem *m = oct_effect_memory(i->op, 0, SP, (uint64_t) - (int64_t)word);
  m->form |= OCT_MEM_BACK_STEP;
  m->step = -word - (int32_t)bytes;
  i->op->data[0] = BP;
  oct_effect_alu(i->op, OCT_RESULT_ADD, BP, SP, OCT_REG_ZERO, (uint64_t) - (int64_t)word);
}

static void leave(x86_decode *i) {
  i->op->clobbers = 0;
  oct_effect_memory(i->op, 0, BP, 0);
  if (is_narrow(i))
    oct_effect_clobber(i->op, BP);
  else
    i->op->data[0] = BP;
  oct_effect_alu(i->op, OCT_RESULT_ADD, SP, BP, OCT_REG_ZERO, is_narrow(i) ? 2 : i->word_bytes);
}

static void select_move(x86_decode *i) {
  const cs_x86_op *to = operand(i, 0), *from = operand(i, 1);
  if (to->size < 4) return;
  i->op->clobbers = 0;
  oct_effect_alu(i->op, OCT_RESULT_SELECT, OCT_REG_NONE,
                 from->type == X86_OP_MEM ? OCT_REG_LOADED : reg_of(from->reg), reg_of(to->reg), 0);
  set_dest(i, to);
  i->op->cond = (uint8_t)oct_x86_condition(i);
}

static void exchange(x86_decode *i) {
  if (!is_mem(i, 0) || !is_reg(i, 1) || operand(i, 1)->size < 4) return;
  i->op->clobbers = 0;
  i->op->mem[0].form |= i->op->mem[0].form ? OCT_MEM_SAME : 0;
  i->op->data[0] = i->op->data[1] = (uint8_t)reg_of(operand(i, 1)->reg);
}

static void extend_accumulator(x86_decode *i, unsigned dest, unsigned width, unsigned extend,
                               unsigned form) {
  i->op->clobbers = 0;
  oct_effect_alu(i->op, OCT_RESULT_ADD, dest, OCT_REG_ZERO, AX, 0);
  i->op->width = (uint8_t)width;
  i->op->b_extend = (uint8_t)extend;
  i->op->b_form = (uint8_t)form;
}

static int describe_data(x86_decode *i) {
  switch (i->cs->id) {
    case X86_INS_MOV:
    case X86_INS_MOVABS:
    case X86_INS_MOVZX:
      move(i, 0);
      return 1;
    case X86_INS_MOVSX:
      move(i, 1);
      return 1;
    case X86_INS_MOVSXD:
      if (i->x->rex & 8)
        move(i, 1);
      else if (!is_narrow(i))
        move_word(i);
      return 1;
    case X86_INS_LEA:
      load_address(i);
      return 1;
    case X86_INS_PUSH:
      push(i);
      return 1;
    case X86_INS_POP:
      pop(i);
      return 1;
    case X86_INS_LEAVE:
      leave(i);
      return 1;
    case X86_INS_ENTER:
      enter(i);
      return 1;
    case X86_INS_XCHG:
      exchange(i);
      return 1;
    case X86_INS_CDQE:
      extend_accumulator(i, AX, 3, OCT_EXTEND_S32, 0);
      return 1;
    case X86_INS_CWDE:
      extend_accumulator(i, AX, 2, OCT_EXTEND_S16, 0);
      return 1;
    case X86_INS_CDQ:
      extend_accumulator(i, DX, 2, 0, OCT_SHIFT_SIGNED | 31);
      return 1;
    case X86_INS_CQO:
      extend_accumulator(i, DX, 3, 0, OCT_SHIFT_SIGNED | 63);
      return 1;
    default:
      if (strncmp(i->cs->mnemonic, "cmov", 4) != 0) return 0;
      select_move(i);
      return 1;
  }
}

static int describe_arithmetic(x86_decode *i) {
  switch (i->cs->id) {
    case X86_INS_ADD:
      arithmetic(i, OCT_RESULT_ADD, OCT_FLAGS_ALU_X86, 0);
      break;
    case X86_INS_SUB:
      arithmetic(i, OCT_RESULT_SUB, OCT_FLAGS_ALU_X86, 0);
      break;
    case X86_INS_CMP:
      arithmetic(i, OCT_RESULT_SUB, OCT_FLAGS_ALU_X86, 1);
      break;
    case X86_INS_TEST:
      arithmetic(i, OCT_RESULT_AND, OCT_FLAGS_NZ_10, 1);
      break;
    case X86_INS_AND:
      arithmetic(i, OCT_RESULT_AND, OCT_FLAGS_NZ_10, 0);
      break;
    case X86_INS_OR:
      arithmetic(i, OCT_RESULT_OR, OCT_FLAGS_NZ_10, 0);
      break;
    case X86_INS_XOR:
      arithmetic(i, OCT_RESULT_XOR, OCT_FLAGS_NZ_10, 0);
      break;
    case X86_INS_INC:
      unary(i, OCT_RESULT_ADD, 1, OCT_FLAGS_NZV);
      break;
    case X86_INS_DEC:
      unary(i, OCT_RESULT_SUB, 1, OCT_FLAGS_NZV);
      break;
    case X86_INS_NEG:
      unary(i, OCT_RESULT_RSB, 0, OCT_FLAGS_ALU_X86);
      break;
    case X86_INS_NOT:
      unary(i, OCT_RESULT_XOR, UINT64_MAX, OCT_FLAGS_KEEP);
      break;
    case X86_INS_SHL:
    case X86_INS_SAL:
      shift(i, OCT_SHIFT_LEFT);
      break;
    case X86_INS_SHR:
      shift(i, OCT_SHIFT_RIGHT);
      break;
    case X86_INS_SAR:
      shift(i, OCT_SHIFT_SIGNED);
      break;
    default:
      return 0;
  }
  return 1;
}

int oct_x86_data_shadow(x86_decode *i) {
  return describe_data(i) || describe_arithmetic(i);
}
