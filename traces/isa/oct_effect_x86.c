/* SPDX-License-Identifier: Apache-2.0 */
/* oct_effect_x86.c - effects of x86 code (32 and 64 bits), from what Capstone 4 says of
 * an instruction.
 *
 * Every instruction starts as one of which only the memory operand is known: registers that it may
 * write are clobbered, the flags become unknown. Those named below are then described in full.
 * Registers are numbered as in the encoding: ax, cx, dx, bx, sp, bp, si, di, r8 to r15. Flag C is
 * the complement of the carry flag. Registers written in part (8 or 16 bits) become unknown. A
 * string instruction with a repeat prefix is one per iteration: it acts while the counter is not 0.
 */
#include "oct_effect_build.h"
#include "oct_isa_decode.h"
#include "oct_mask.h"

#include <string.h>

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

/* Whether the operands have 16 bits by a prefix. */
static inline int is_narrow(const x86_decode *i) {
  return i->x->prefix[2] == X86_PREFIX_OPSIZE;
}

static unsigned number_of(unsigned reg, int *is_high);

static inline unsigned reg_of(unsigned reg) {
  int is_high;
  unsigned r = number_of(reg, &is_high);
  return is_high ? OCT_REG_NONE : r;
}

static inline unsigned width_of(unsigned bytes) {
  return bytes < 8 ? oct_size_log2(bytes, 3) : 3;
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

static void clobber(x86_decode *i, unsigned reg);
static oct_effect_mem *set_memory(x86_decode *i, unsigned k, const cs_x86_op *o);
static void push_at(x86_decode *i, unsigned k, unsigned bytes);
static void pop_at(x86_decode *i, unsigned k, unsigned bytes);
static unsigned condition(const x86_decode *i);

/* ---- Effects of x86: moves, the stack and arithmetic (Intel 64
 * manual, volume 2).
 *
 * A whole register gets the result, a part of one becomes unknown, but that writing 32 bits clears
 * the upper half. push and pop move the stack pointer and touch memory; comparisons only set flags.
 * ---- */

/* Where a result goes: to a whole register, or (size 1 and 2) to a part of it. */
static void set_dest(x86_decode *i, const cs_x86_op *o) {
  i->op->width = (uint8_t)width_of(o->size);
  if (o->size >= 4)
    i->op->dest = (uint8_t)reg_of(o->reg);
  else
    clobber(i, o->reg);
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
  op->width = (uint8_t)width_of(to->size);
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
  op->width = (uint8_t)width_of(to->size);
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
  op->width = (uint8_t)width_of(to->size);
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
  oct_effect_mem *m = set_memory(i, 0, operand(i, 1));
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
    push_at(i, 1, bytes);
    oct_effect_set_first(i->op, 1);
    i->op->data[1] = OCT_REG_LOADED;
    return;
  }
  push_at(i, 0, bytes);
  i->op->data[0] = (uint8_t)(from->type == X86_OP_IMM ? OCT_REG_ZERO : reg_of(from->reg));
  if (from->type == X86_OP_IMM) i->op->imm = (uint64_t)from->imm;
}

static void pop(x86_decode *i) {
  const cs_x86_op *to = operand(i, 0);
  i->op->clobbers = 0;
  if (to->type == X86_OP_MEM) {
    oct_effect_mem *m = set_memory(i, 1, to);
    if (m->base == SP) m->offset += to->size; /* the pointer has moved by then */
    oct_effect_set_first(i->op, 1);
    i->op->data[1] = OCT_REG_LOADED;
  } else if (to->size >= 4) {
    i->op->data[0] = (uint8_t)reg_of(to->reg);
  } else {
    clobber(i, to->reg);
  }
  if (is_segment(to)) oct_effect_set_first(i->op, 1); /* then the emulator's tables */
  pop_at(i, 0, stack_bytes(i, to));
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
  i->op->cond = (uint8_t)condition(i);
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

/* Moves and arithmetic: 1 when the instruction is one of them. */
static int data_effect(x86_decode *i) {
  return describe_data(i) || describe_arithmetic(i);
}

/* Number of a general register, OCT_REG_NONE for others; *is_high: ah, ch, dh or bh. */
static unsigned number_of(unsigned reg, int *is_high) {
  static const uint16_t names[][5] = {
      {X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL, X86_REG_AH},
      {X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL, X86_REG_CH},
      {X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL, X86_REG_DH},
      {X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL, X86_REG_BH},
      {X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL, X86_REG_SPL},
      {X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL, X86_REG_BPL},
      {X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL, X86_REG_SIL},
      {X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL, X86_REG_DIL},
      {X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B, X86_REG_R8B},
      {X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B, X86_REG_R9B},
      {X86_REG_R10, X86_REG_R10D, X86_REG_R10W, X86_REG_R10B, X86_REG_R10B},
      {X86_REG_R11, X86_REG_R11D, X86_REG_R11W, X86_REG_R11B, X86_REG_R11B},
      {X86_REG_R12, X86_REG_R12D, X86_REG_R12W, X86_REG_R12B, X86_REG_R12B},
      {X86_REG_R13, X86_REG_R13D, X86_REG_R13W, X86_REG_R13B, X86_REG_R13B},
      {X86_REG_R14, X86_REG_R14D, X86_REG_R14W, X86_REG_R14B, X86_REG_R14B},
      {X86_REG_R15, X86_REG_R15D, X86_REG_R15W, X86_REG_R15B, X86_REG_R15B},
  };
  for (unsigned r = 0; reg && r < sizeof names / sizeof *names; r++)
    for (unsigned k = 0; k < 5; k++)
      if (names[r][k] == reg) {
        *is_high = k == 4 && r < 4;
        return r;
      }
  *is_high = 0;
  return OCT_REG_NONE;
}

/* A register that an instruction writes, in part or in full. */
static void clobber(x86_decode *i, unsigned reg) {
  int is_high;
  oct_effect_clobber(i->op, number_of(reg, &is_high));
}

/* Make o memory operand k. */
static oct_effect_mem *set_memory(x86_decode *i, unsigned k, const cs_x86_op *o) {
  uint64_t offset = (uint64_t)o->mem.disp;
  unsigned base = o->mem.base == X86_REG_INVALID ? OCT_REG_ZERO : reg_of(o->mem.base);
  if (o->mem.base == X86_REG_RIP) {
    base = OCT_REG_ZERO;
    offset += i->addr + i->cs->size;
  }
  if (o->mem.segment == X86_REG_FS || o->mem.segment == X86_REG_GS) base = OCT_REG_NONE;
  oct_effect_mem *m = oct_effect_memory(i->op, k, base, offset);
  if (o->mem.index != X86_REG_INVALID) {
    m->index = (uint8_t)reg_of(o->mem.index);
    m->shift = (uint8_t)(OCT_SHIFT_LEFT | __builtin_ctz((unsigned)o->mem.scale));
  }
  if ((o->access & CS_AC_READ) && (o->access & CS_AC_WRITE)) m->form |= OCT_MEM_SAME;
  if (i->x->prefix[0] == X86_PREFIX_LOCK || i->cs->id == X86_INS_CMPXCHG ||
      i->cs->id == X86_INS_XADD)
    m->form |= OCT_MEM_SAME;
  if (i->x->addr_size != i->word_bytes) m->form = 0;
  return m;
}

/* Memory operand k is what is pushed or popped. */
static void push_at(x86_decode *i, unsigned k, unsigned bytes) {
  oct_effect_memory(i->op, k, SP, (uint64_t) - (int64_t)bytes)->form |= OCT_MEM_BACK_ADDRESS;
}

static void pop_at(x86_decode *i, unsigned k, unsigned bytes) {
  oct_effect_mem *m = oct_effect_memory(i->op, k, SP, 0);
  m->form |= OCT_MEM_BACK_STEP;
  m->step = (int32_t)bytes;
}

/* Direct jumps have their target in the map. */
static void jump(x86_decode *i, int is_call) {
  const cs_x86_op *to = operand(i, 0);
  oct_effect *op = i->op;
  int is_loaded = to->type == X86_OP_MEM;
  op->clobbers = 0;
  if (is_call) {
    push_at(i, is_loaded, i->word_bytes);
    if (is_loaded) oct_effect_set_first(op, 1);
    op->data[is_loaded] = OCT_REG_LINK;
  }
  if (is_loaded) op->target = OCT_TARGET_LOADED;
  if (to->type == X86_OP_REG) oct_effect_jump(op, reg_of(to->reg), 0);
}

/* Pops n words, the first of which is the target, and what its operand says. */
static void ret(x86_decode *i, unsigned n, unsigned word_bytes) {
  unsigned more = i->x->op_count ? (unsigned)operand(i, 0)->imm & 0xffff : 0;
  i->op->clobbers = 0;
  pop_at(i, 0, n * word_bytes + more);
  i->op->target = OCT_TARGET_LOADED;
}

/* The condition behind j, cmov: by the low four bits of the opcode. */
static unsigned condition(const x86_decode *i) {
  static const uint8_t conds[16] = {
      OCT_IF_VS, OCT_IF_VC, OCT_IF_CC, OCT_IF_CS, OCT_IF_EQ, OCT_IF_NE, OCT_IF_LS, OCT_IF_HI,
      OCT_IF_MI, OCT_IF_PL, 255,       255,       OCT_IF_LT, OCT_IF_GE, OCT_IF_LE, OCT_IF_GT};
  unsigned code = i->x->opcode[0] == 0x0f ? i->x->opcode[1] : i->x->opcode[0];
  unsigned cond = conds[code & 15];
  return cond == 255 ? OCT_COND_UNKNOWN : OCT_COND_FLAGS | cond;
}

/* Whether memory without an operand of its own is in a segment that does not begin at 0. */
static int has_segment_prefix(const x86_decode *i) {
  return i->x->prefix[1] == X86_PREFIX_FS || i->x->prefix[1] == X86_PREFIX_GS;
}

/* movs, stos, lods, scas, cmps of so many bytes: accesses at first and, unless it is none, at then.
 * With a prefix, pointers and counter have half of their bits. Only the source has another segment.
 */
static void string(x86_decode *i, unsigned first, unsigned then, unsigned bytes) {
  oct_effect *op = i->op;
  const unsigned pointers[2] = {first, then};
  int is_short = i->x->addr_size != i->word_bytes;
  op->clobbers = 0;
  op->data[0] = op->data[1] = OCT_REG_NONE;
  for (unsigned k = 0; k < 2 && pointers[k] != OCT_REG_NONE; k++) {
    oct_effect_mem *m = oct_effect_memory(op, k, pointers[k], 0);
    m->form |= OCT_MEM_BACK_STEP;
    m->step = i->is_down ? -(int32_t)bytes : (int32_t)bytes;
    if (is_short || (pointers[k] == SI && has_segment_prefix(i))) {
      m->form = 0;
      oct_effect_clobber(op, pointers[k]);
    }
  }
  if (then != OCT_REG_NONE) oct_effect_set_first(op, 1);
  if (i->x->prefix[0] != X86_PREFIX_REP && i->x->prefix[0] != X86_PREFIX_REPNE) return;
  if (is_short && !i->is_64) {
    op->cond = OCT_COND_UNKNOWN;
    oct_effect_clobber(op, CX);
    return;
  }
  oct_effect_alu(op, OCT_RESULT_ADD, CX, CX, OCT_REG_ZERO, UINT64_MAX);
  op->cond = OCT_COND_REGS | OCT_CMP_NE;
  op->cond_a = CX;
  op->cond_b = OCT_REG_ZERO;
  if (is_short) op->width = 2 | OCT_EFFECT_BIT_NARROW;
}

/* By the opcode: Capstone says 4 of cmpsw and scasw with repne. */
static unsigned string_bytes(const x86_decode *i) {
  if (!(i->x->opcode[0] & 1)) return 1;
  return i->x->rex & 8 ? 8 : is_narrow(i) ? 2 : 4;
}

/* pcmpestri and its kin, whose flags and counter Capstone does not tell. */
static int is_string_comparison(const x86_decode *i) {
  return strstr(i->cs->mnemonic, "pcmpistr") || strstr(i->cs->mnemonic, "pcmpestr");
}

/* Whether there is no claim about the memory operand: a mask says which of its elements are
 * accessed, its accesses are not in a row, or it has none (prefetch). */
static int is_scattered(const x86_decode *i) {
  static const char *const names[] = {"gather", "scatter", "maskmov", "prefetch"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (strstr(i->cs->mnemonic, names[k])) return 1;
  for (unsigned k = 0; k < i->x->op_count; k++) {
    const cs_x86_op *o = operand(i, k);
    if (o->type == X86_OP_REG && o->reg >= X86_REG_K0 && o->reg <= X86_REG_K7)
      return strncmp(i->cs->mnemonic, "kmov", 4) != 0;
  }
  return 0;
}

/* Memory operands, registers that may be written, and flags. */
static void start(x86_decode *i) {
  const cs_detail *d = i->cs->detail;
  int is_fpu = 0;
  oct_effect_start(i->op, i->is_64);
  for (unsigned k = 0; k < d->groups_count; k++) is_fpu |= d->groups[k] == X86_GRP_FPU;
  for (unsigned k = 0; k < d->regs_write_count; k++) clobber(i, d->regs_write[k]);
  for (unsigned k = 0; k < i->x->op_count; k++) {
    const cs_x86_op *o = operand(i, k);
    if (o->type == X86_OP_REG && (k == 0 || (o->access & CS_AC_WRITE))) clobber(i, o->reg);
    if (o->type == X86_OP_MEM) set_memory(i, 0, o);
  }
  const uint64_t reads = X86_EFLAGS_TEST_OF | X86_EFLAGS_TEST_SF | X86_EFLAGS_TEST_ZF |
                         X86_EFLAGS_TEST_PF | X86_EFLAGS_TEST_CF | X86_EFLAGS_TEST_NT |
                         X86_EFLAGS_TEST_DF | X86_EFLAGS_TEST_RF | X86_EFLAGS_TEST_IF |
                         X86_EFLAGS_TEST_TF | X86_EFLAGS_TEST_AF;
  /* cmpps and its kin set no flags. Capstone gives them those of the string comparisons. */
  const int is_vector_compare = i->x->opcode[0] == 0x0f && i->x->opcode[1] == 0xc2;
  if (is_fpu || (!is_vector_compare && (i->x->eflags & ~reads)) ||
      strstr(i->cs->mnemonic, "comis") || strstr(i->cs->mnemonic, "test") ||
      is_string_comparison(i))
    oct_effect_set_flags(i->op, OCT_FLAGS_UNKNOWN);
  if (is_string_comparison(i) && strstr(i->cs->mnemonic, "stri")) oct_effect_clobber(i->op, CX);
}

/* Pushes and pops that are not described by their operands, and areas of several accesses. */
static void rest(x86_decode *i) {
  switch (i->cs->id) {
    case X86_INS_CMPXCHG:
      oct_effect_clobber(i->op, AX);
      break;
    case X86_INS_CMPXCHG8B:
    case X86_INS_CMPXCHG16B:
      i->op->clobbers = UINT32_C(1) << AX | UINT32_C(1) << DX;
      i->op->mem[0].form = 0; /* loads two words, then stores two */
      break;
    case X86_INS_PUSHF:
    case X86_INS_PUSHFQ:
    case X86_INS_PUSHFD:
      i->op->clobbers = 0;
      push_at(i, 0, is_narrow(i) ? 2 : i->word_bytes);
      break;
    case X86_INS_POPF:
    case X86_INS_POPFQ:
    case X86_INS_POPFD:
      i->op->clobbers = 0;
      pop_at(i, 0, is_narrow(i) ? 2 : i->word_bytes);
      oct_effect_set_flags(i->op, OCT_FLAGS_UNKNOWN);
      break;
    case X86_INS_XLATB: {
      oct_effect_mem *m = oct_effect_memory(i->op, 0, has_segment_prefix(i) ? OCT_REG_NONE : BX, 0);
      m->index = AX;
      m->form |= OCT_EXTEND_U8 << 4;
      if (i->x->addr_size != i->word_bytes) m->form = 0;
      i->op->clobbers = UINT32_C(1) << AX;
      break;
    }
    case X86_INS_AAA:
    case X86_INS_AAS:
    case X86_INS_AAM:
    case X86_INS_AAD:
    case X86_INS_DAA:
    case X86_INS_DAS:
      i->op->clobbers = UINT32_C(1) << AX;
      break;
    case X86_INS_LDS:
    case X86_INS_LES:
    case X86_INS_LFS:
    case X86_INS_LGS:
    case X86_INS_LSS:
      oct_effect_set_first(i->op, 2); /* offset and selector, then the emulator's tables */
      break;
    case X86_INS_LAR:
    case X86_INS_LSL:
    case X86_INS_VERR:
    case X86_INS_VERW:
      if (i->op->mem[0].form) oct_effect_set_first(i->op, 1);
      break;
    case X86_INS_LJMP:
      i->op->target = OCT_TARGET_UNKNOWN;
      break;
    case X86_INS_RETF:
    case X86_INS_RETFQ:
      ret(i, 2, i->x->rex & 8 ? 8 : is_narrow(i) ? 2 : 4);
      oct_effect_set_first(i->op, 2); /* then the emulator's tables of segments */
      break;
    case X86_INS_IRET:
    case X86_INS_IRETD:
    case X86_INS_IRETQ:
      i->op->clobbers = UINT32_C(1) << SP;
      i->op->target = OCT_TARGET_UNKNOWN;
      oct_effect_set_flags(i->op, OCT_FLAGS_UNKNOWN);
      break;
    case X86_INS_LCALL:
      i->op->target = OCT_TARGET_UNKNOWN;
      oct_effect_clobber(i->op, SP);
      i->op->mem[0].form =
          0; /* besides the place of the target, the emulator's tables of segments */
      break;
    case X86_INS_ROL:
    case X86_INS_ROR:
    case X86_INS_RCL:
    case X86_INS_RCR: /* Capstone does not tell that they store */
      i->op->mem[0].form |= i->op->mem[0].form ? OCT_MEM_SAME : 0;
      break;
    case X86_INS_FNSTENV:
    case X86_INS_FLDENV:
    case X86_INS_FNSAVE:
    case X86_INS_FRSTOR:
    case X86_INS_FBLD:
    case X86_INS_FBSTP: /* accesses of several sizes, in an order of the emulator's */
      i->op->mem[0].form = 0;
      break;
    case X86_INS_SYSCALL:
      i->op->clobbers = UINT32_C(1) << AX | UINT32_C(1) << CX | UINT32_C(1) << R11;
      i->op->flags |= OCT_EFFECT_SYSTEM;
      break;
    case X86_INS_INT:
      i->op->clobbers = UINT32_C(1) << AX;
      i->op->flags |= OCT_EFFECT_SYSTEM;
      break;
    case X86_INS_NOP:
      i->op->mem[0].form = 0;
      i->op->clobbers = 0;
      break;
    case X86_INS_BT:
    case X86_INS_BTC:
    case X86_INS_BTR:
    case X86_INS_BTS:
      if (is_reg(i, 1)) i->op->mem[0].form = 0; /* the bit is anywhere */
      break;
    default:
      if (!strncmp(i->cs->mnemonic, "xsave", 5) || !strncmp(i->cs->mnemonic, "xrstor", 6) ||
          !strncmp(i->cs->mnemonic, "fx", 2) || is_scattered(i))
        i->op->mem[0].form = 0;
      break;
  }
}

static int describe_string(x86_decode *i) {
  unsigned bytes = string_bytes(i);
  switch (i->cs->id) {
    case X86_INS_MOVSD:
      if (!is_mem(i, 0) || !is_mem(i, 1)) return 0; /* of vector registers */
      /* fall through */
    case X86_INS_MOVSB:
    case X86_INS_MOVSW:
    case X86_INS_MOVSQ:
      string(i, SI, DI, bytes);
      i->op->data[1] = OCT_REG_LOADED;
      return 1;
    case X86_INS_STOSB:
    case X86_INS_STOSW:
    case X86_INS_STOSD:
    case X86_INS_STOSQ:
      string(i, DI, OCT_REG_NONE, bytes);
      i->op->data[0] = AX;
      return 1;
    case X86_INS_LODSB:
    case X86_INS_LODSW:
    case X86_INS_LODSD:
    case X86_INS_LODSQ:
      string(i, SI, OCT_REG_NONE, bytes);
      oct_effect_clobber(i->op, AX);
      return 1;
    case X86_INS_SCASB:
    case X86_INS_SCASW:
    case X86_INS_SCASD:
    case X86_INS_SCASQ:
      string(i, DI, OCT_REG_NONE, bytes);
      oct_effect_set_flags(i->op, OCT_FLAGS_UNKNOWN);
      return 1;
    case X86_INS_CMPSD:
      if (!is_mem(i, 0) || !is_mem(i, 1)) return 0;
      /* fall through */
    case X86_INS_CMPSB:
    case X86_INS_CMPSW:
    case X86_INS_CMPSQ:
      string(i, DI, SI, bytes); /* in the order of QEMU */
      oct_effect_set_flags(i->op, OCT_FLAGS_UNKNOWN);
      return 1;
    default:
      return 0;
  }
}

static int describe_control(x86_decode *i) {
  const cs_detail *d = i->cs->detail;
  switch (i->cs->id) {
    case X86_INS_CALL:
      jump(i, 1);
      return 1;
    case X86_INS_JMP:
      jump(i, 0);
      return 1;
    case X86_INS_RET:
      ret(i, 1, i->word_bytes);
      return 1;
    case X86_INS_JRCXZ:
    case X86_INS_JECXZ:
      i->op->cond = OCT_COND_REGS | OCT_CMP_EQ;
      i->op->cond_a = CX;
      i->op->cond_b = OCT_REG_ZERO;
      if (i->is_64 && i->cs->id == X86_INS_JECXZ) i->op->width |= OCT_EFFECT_BIT_NARROW;
      return 1;
    case X86_INS_LOOP:
    case X86_INS_LOOPE:
    case X86_INS_LOOPNE:
    case X86_INS_JCXZ:
      i->op->cond = OCT_COND_UNKNOWN;
      if (i->cs->id != X86_INS_JCXZ) oct_effect_clobber(i->op, CX);
      return 1;
    default:
      break;
  }
  for (unsigned k = 0; k < d->groups_count; k++)
    if (d->groups[k] == CS_GRP_JUMP && i->x->op_count == 1 && operand(i, 0)->type == X86_OP_IMM) {
      i->op->cond = (uint8_t)condition(i);
      return 1;
    }
  return 0;
}

void oct_x86_effect(const cs_insn *cs, int is_64, int is_down, uint64_t addr, oct_effect *op) {
  x86_decode i = {.cs = cs,
                  .x = &cs->detail->x86,
                  .op = op,
                  .addr = addr,
                  .is_64 = is_64,
                  .is_down = is_down,
                  .word_bytes = is_64 ? 8 : 4};
  start(&i);
  if (!describe_string(&i) && !describe_control(&i) && !data_effect(&i)) rest(&i);
}
