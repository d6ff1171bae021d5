/* SPDX-License-Identifier: Apache-2.0 */
/* oct_effect_riscv.c - effects of RISC-V code: RV32 and RV64 with G, C, Zcb, Zba and
 * Zbb's extensions, after the unprivileged ISA manual (20191213), the bit-manipulation extension
 * and the code size reduction extensions (1.0).
 *
 * Registers are the integer ones; x0 is OCT_REG_ZERO as a source and OCT_REG_NONE as a destination.
 * Instructions of two bytes are described as what they stand for. Multiplication, division and
 * comparison to a register (slt) are not followed. */
#include "oct_isa_decode.h"
#include "oct_rv_jump.h"
#include "oct_rv_reserved.h"
#include "oct_effect_build.h"

enum { REG_RA = 1, REG_SP = 2 };

/* One instruction's fields, and the operation in the making. */
typedef struct insn {
  oct_effect *op;
  int is_64;
  uint64_t addr;
} insn;

static uint32_t bits(uint32_t word, unsigned high, unsigned low) {
  return word >> low & ((2u << (high - low)) - 1);
}

/* The low n bits of value as a signed number. */
static uint64_t sign_extend(uint32_t value, unsigned n) {
  uint64_t sign = UINT64_C(1) << (n - 1);
  return (value ^ sign) - sign;
}

static unsigned source(unsigned reg) {
  return reg ? reg : OCT_REG_ZERO;
}

static unsigned dest(unsigned reg) {
  return reg ? reg : OCT_REG_NONE;
}

static void alu(insn *i, unsigned result, unsigned rd, unsigned a, unsigned b, uint64_t imm) {
  if (!rd) return;
  oct_effect_alu(i->op, result, rd, source(a), source(b), imm);
}

/* The same of the low 32 bits, with the sign of the result. */
static void alu_word(insn *i, unsigned result, unsigned rd, unsigned a, unsigned b, uint64_t imm) {
  alu(i, result, rd, a, b, imm);
  i->op->width = 2 | OCT_EFFECT_SIGNED_RESULT;
}

static void constant(insn *i, unsigned rd, uint64_t value) {
  if (rd) oct_effect_constant(i->op, rd, i->is_64 ? value : (uint32_t)value);
}

static void load(insn *i, unsigned width, unsigned rd, unsigned rs1, uint64_t offset) {
  oct_effect_memory(i->op, 0, source(rs1), offset);
  i->op->data[0] = (uint8_t)dest(rd);
  if (width < 4) i->op->width |= OCT_EFFECT_LOAD_SIGNED;
}

static void store(insn *i, unsigned rs2, unsigned rs1, uint64_t offset) {
  oct_effect_memory(i->op, 0, source(rs1), offset);
  i->op->data[0] = (uint8_t)source(rs2);
}

/* Loads and stores of the floating-point registers, which are none of ours. */
static void transfer_float(insn *i, unsigned rs1, uint64_t offset) {
  oct_effect_memory(i->op, 0, source(rs1), offset);
}

static void branch(insn *i, unsigned compare, unsigned a, unsigned b) {
  i->op->cond = (uint8_t)(OCT_COND_REGS | compare);
  i->op->cond_a = (uint8_t)source(a);
  i->op->cond_b = (uint8_t)source(b);
}

static void jump_register(insn *i, unsigned rd, unsigned rs1, uint64_t offset) {
  oct_effect_jump(i->op, source(rs1), offset);
  i->op->flags |= OCT_EFFECT_EVEN_TARGET;
  i->op->link = (uint8_t)dest(rd);
}

/* What is not known may write any register, and go anywhere that its class allows. */
static void unknown(insn *i, uint32_t word) {
  i->op->clobbers = ~UINT32_C(1);
  if (bits(word, 6, 0) == 0x63) i->op->cond = OCT_COND_UNKNOWN;
  if (bits(word, 6, 0) == 0x67) i->op->target = OCT_TARGET_UNKNOWN;
}

/* ---- Instructions of four bytes ---- */

/* OP-IMM and OP-IMM-32: by width (bits 14..12). */
static void immediate(insn *i, uint32_t word, int is_word) {
  unsigned rd = bits(word, 11, 7), rs1 = bits(word, 19, 15), width = bits(word, 14, 12);
  uint64_t imm = sign_extend(bits(word, 31, 20), 12);
  unsigned amount = bits(word, i->is_64 && !is_word ? 25 : 24, 20), top = bits(word, 31, 26);
  static const uint8_t results[8] = {OCT_RESULT_ADD, 0, 0, 0, OCT_RESULT_XOR, 0, OCT_RESULT_OR,
                                     OCT_RESULT_AND};
  int is_far = (is_word || !i->is_64) && bits(word, 25, 25); /* no shift has such an amount */
  if (width == 1 && top == 0 && !is_far) {
    (is_word ? alu_word : alu)(i, OCT_RESULT_ADD, rd, 0, rs1, 0);
    i->op->b_form = (uint8_t)(OCT_SHIFT_LEFT | amount);
  } else if (width == 1 && top == 2 && is_word) { /* slli.uw */
    alu(i, OCT_RESULT_ADD, rd, 0, rs1, 0);
    i->op->b_extend = OCT_EXTEND_U32;
    i->op->b_form = (uint8_t)(OCT_SHIFT_LEFT | bits(word, 25, 20));
  } else if (width == 1 && bits(word, 31, 25) == 0x30 && amount >> 1 == 2 && !is_word) {
    alu(i, OCT_RESULT_ADD, rd, 0, rs1, 0); /* sext.b sext.h */
    i->op->b_extend = amount == 4 ? OCT_EXTEND_S8 : OCT_EXTEND_S16;
  } else if (width == 5 && (top == 0 || top == 0x10) && !is_far) {
    (is_word ? alu_word : alu)(i, OCT_RESULT_ADD, rd, 0, rs1, 0);
    i->op->b_form = (uint8_t)((top ? OCT_SHIFT_SIGNED : OCT_SHIFT_RIGHT) | amount);
  } else if (results[width] && !(is_word && width)) {
    (is_word ? alu_word : alu)(i, results[width], rd, rs1, 0, imm);
  } else if (rd) {
    oct_effect_clobber(i->op, rd);
  }
}

/* OP and OP-32: by bits 31..25 and the width. */
static void registers(insn *i, uint32_t word, int is_word) {
  unsigned rd = bits(word, 11, 7), rs1 = bits(word, 19, 15), rs2 = bits(word, 24, 20);
  unsigned width = bits(word, 14, 12), what = bits(word, 31, 25);
  static const uint8_t plain[8] = {
      OCT_RESULT_ADD, OCT_RESULT_SHL, 0, 0, OCT_RESULT_XOR, OCT_RESULT_SHR,
      OCT_RESULT_OR,  OCT_RESULT_AND};
  static const uint8_t negated[8] = {OCT_RESULT_SUB, 0, 0, 0, 0, OCT_RESULT_SAR, OCT_RESULT_ORN,
                                     OCT_RESULT_BIC};
  unsigned result = what == 0 ? plain[width] : what == 0x20 ? negated[width] : 0;
  if (is_word && width != 0 && width != 1 && width != 5) result = 0;
  if (result) {
    (is_word ? alu_word : alu)(i, result, rd, rs1, rs2, 0);
    /* Only the low 5 or 6 bits count as an amount: a larger one is not followed. */
  } else if (what == 0x10 && (width == 2 || width == 4 || width == 6)) { /* sh1add .. sh3add */
    alu(i, OCT_RESULT_ADD, rd, rs2, rs1, 0);
    i->op->b_form = (uint8_t)(OCT_SHIFT_LEFT | width / 2);
    if (is_word) i->op->b_extend = OCT_EXTEND_U32;
  } else if (what == 4 && is_word && width == 0) { /* add.uw */
    alu(i, OCT_RESULT_ADD, rd, rs2, rs1, 0);
    i->op->b_extend = OCT_EXTEND_U32;
  } else if (what == 4 && width == 4 && !rs2 && is_word == i->is_64) { /* zext.h */
    alu(i, OCT_RESULT_ADD, rd, 0, rs1, 0);
    i->op->b_extend = OCT_EXTEND_U16;
  } else if (rd) {
    oct_effect_clobber(i->op, rd);
  }
}

/* Load-reserved, store-conditional, and operations on memory: what they store is not followed, but
 * for a swap. */
static void atomic(insn *i, uint32_t word) {
  unsigned rd = bits(word, 11, 7), rs1 = bits(word, 19, 15), rs2 = bits(word, 24, 20);
  unsigned kind = bits(word, 31, 27);
  enum { SWAP = 1, LR = 2, SC = 3 };
  oct_effect_mem *m = oct_effect_memory(i->op, 0, source(rs1), 0);
  m->form |= OCT_MEM_SAME;
  i->op->width |= OCT_EFFECT_LOAD_SIGNED;
  if (kind == SC) {
    if (rd) oct_effect_clobber(i->op, rd);
    /* An emulator may compare first: the first access is then a load. */
    return;
  }
  i->op->data[0] = (uint8_t)dest(rd);
  if (kind == SWAP) i->op->data[1] = (uint8_t)source(rs2);
}

static void system_insn(insn *i, uint32_t word) {
  unsigned rd = bits(word, 11, 7), width = bits(word, 14, 12);
  enum { ECALL = 0x73, REG_A0 = 10 };
  if (width) { /* of control registers */
    if (rd) oct_effect_clobber(i->op, rd);
    return;
  }
  if (word == ECALL) oct_effect_clobber(i->op, REG_A0);
  i->op->flags |= OCT_EFFECT_SYSTEM;
  if (oct_rv_is_trap_return(word)) i->op->target = OCT_TARGET_UNKNOWN;
}

/* Floating-point operations, some of which write an integer register. */
static void float_operation(insn *i, uint32_t word) {
  unsigned kind = bits(word, 31, 27), rd = bits(word, 11, 7);
  /* Comparison, conversion to an integer, move to an integer and classification. */
  if (rd && (kind == 0x14 || kind == 0x18 || kind == 0x1c)) oct_effect_clobber(i->op, rd);
}

static void long_insn(insn *i, uint32_t word) {
  unsigned rd = bits(word, 11, 7), rs1 = bits(word, 19, 15), rs2 = bits(word, 24, 20);
  unsigned width = bits(word, 14, 12);
  uint64_t imm = sign_extend(bits(word, 31, 20), 12);
  uint64_t store_imm = sign_extend(bits(word, 31, 25) << 5 | rd, 12);
  uint64_t upper = sign_extend(word & 0xfffff000u, 32);
  static const uint8_t compares[8] = {OCT_CMP_EQ, OCT_CMP_NE, 0,           0,
                                      OCT_CMP_LT, OCT_CMP_GE, OCT_CMP_LTU, OCT_CMP_GEU};
  switch (bits(word, 6, 2)) {
    case 0x00:
      load(i, width, rd, rs1, imm);
      break;
    case 0x01:
      if (width >= 1 && width <= 4) transfer_float(i, rs1, imm);
      break;
    case 0x03: /* fence; cbo.zero writes zeros that emulators do not tell */
      if (width == 2) i->op->flags |= OCT_EFFECT_SYSTEM;
      break;
    case 0x04:
      immediate(i, word, 0);
      break;
    case 0x05:
      constant(i, rd, i->addr + upper);
      break;
    case 0x06:
      immediate(i, word, 1);
      break;
    case 0x08:
      store(i, rs2, rs1, store_imm);
      break;
    case 0x09:
      if (width >= 1 && width <= 4) transfer_float(i, rs1, store_imm);
      break;
    case 0x0b:
      atomic(i, word);
      break;
    case 0x0c:
      registers(i, word, 0);
      break;
    case 0x0d:
      constant(i, rd, upper);
      break;
    case 0x0e:
      registers(i, word, 1);
      break;
    case 0x14:
      float_operation(i, word);
      break;
    case 0x18:
      branch(i, compares[width], rs1, rs2);
      break;
    case 0x19:
      jump_register(i, rd, rs1, imm);
      break;
    case 0x1b:
      i->op->link = (uint8_t)dest(rd);
      break;
    case 0x1c:
      system_insn(i, word);
      break;
    default: /* fused multiplication and addition */
      break;
  }
}

/* ---- Instructions of two bytes ---- */

/* Offsets of loads and stores, scaled by the size of the access. */
static uint64_t word_offset(uint32_t w) {
  return bits(w, 5, 5) << 6 | bits(w, 12, 10) << 3 | bits(w, 6, 6) << 2;
}

static uint64_t double_offset(uint32_t w) {
  return bits(w, 6, 5) << 6 | bits(w, 12, 10) << 3;
}

/* c.lbu, c.lhu and c.lh, c.sb, c.sh. */
static void zcb_access(insn *i, uint32_t w, unsigned rd, unsigned rs1) {
  unsigned kind = bits(w, 12, 10), is_half = kind & 1, is_marked = bits(w, 6, 6);
  uint64_t offset = bits(w, 5, 5) << 1 | (!is_half && is_marked);
  if (kind < 2)
    load(i, is_half | (is_half && is_marked ? 0u : 4u), rd, rs1, offset);
  else
    store(i, rd, rs1, offset);
}

/* Quadrant 0: loads and stores by a base register, and an address on the stack. */
static void quadrant_0(insn *i, uint32_t w, unsigned code) {
  unsigned rd = 8 + bits(w, 4, 2), rs1 = 8 + bits(w, 9, 7);
  uint64_t nzuimm =
      bits(w, 10, 7) << 6 | bits(w, 12, 11) << 4 | bits(w, 5, 5) << 3 | bits(w, 6, 6) << 2;
  switch (code) {
    case 0:
      alu(i, OCT_RESULT_ADD, rd, REG_SP, 0, nzuimm);
      break;
    case 2:
      load(i, 2, rd, rs1, word_offset(w));
      break;
    case 6:
      store(i, rd, rs1, word_offset(w));
      break;
    case 3:
      if (i->is_64)
        load(i, 3, rd, rs1, double_offset(w));
      else
        transfer_float(i, rs1, word_offset(w));
      break;
    case 7:
      if (i->is_64)
        store(i, rd, rs1, double_offset(w));
      else
        transfer_float(i, rs1, word_offset(w));
      break;
    case 4:
      zcb_access(i, w, rd, rs1);
      break;
    default:
      transfer_float(i, rs1, double_offset(w));
      break;
  }
}

/* c.zext.b, c.sext.b, c.zext.h, c.sext.h, c.zext.w and c.not. */
static void zcb_change(insn *i, unsigned kind, unsigned rd) {
  static const uint8_t extends[5] = {0, OCT_EXTEND_S8, OCT_EXTEND_U16, OCT_EXTEND_S16,
                                     OCT_EXTEND_U32};
  if (kind == 0) {
    alu(i, OCT_RESULT_AND, rd, rd, 0, 0xff);
  } else if (kind == 5) {
    alu(i, OCT_RESULT_XOR, rd, rd, 0, UINT64_MAX);
  } else {
    alu(i, OCT_RESULT_ADD, rd, 0, rd, 0);
    i->op->b_extend = extends[kind];
  }
}

/* c.srli, c.srai, c.andi and arithmetic of two registers of x8 to x15. */
static void short_arithmetic(insn *i, uint32_t w) {
  unsigned rd = 8 + bits(w, 9, 7), rs2 = 8 + bits(w, 4, 2);
  unsigned imm = bits(w, 12, 12) << 5 | bits(w, 6, 2), kind = bits(w, 11, 10);
  static const uint8_t results[4] = {OCT_RESULT_SUB, OCT_RESULT_XOR, OCT_RESULT_OR, OCT_RESULT_AND};
  if (kind < 2) {
    alu(i, OCT_RESULT_ADD, rd, 0, rd, 0);
    i->op->b_form = (uint8_t)((kind ? OCT_SHIFT_SIGNED : OCT_SHIFT_RIGHT) | imm);
  } else if (kind == 2) {
    alu(i, OCT_RESULT_AND, rd, rd, 0, sign_extend(imm, 6));
  } else if (!bits(w, 12, 12)) {
    alu(i, results[bits(w, 6, 5)], rd, rd, rs2, 0);
  } else if (bits(w, 6, 5) < 2) {
    alu_word(i, bits(w, 6, 5) ? OCT_RESULT_ADD : OCT_RESULT_SUB, rd, rd, rs2, 0);
  } else if (bits(w, 6, 5) == 3) {
    zcb_change(i, bits(w, 4, 2), rd);
  } else { /* c.mul */
    oct_effect_clobber(i->op, rd);
  }
}

static void quadrant_1(insn *i, uint32_t w, unsigned code) {
  unsigned rd = bits(w, 11, 7), imm = bits(w, 12, 12) << 5 | bits(w, 6, 2);
  uint64_t value = sign_extend(imm, 6);
  uint32_t stack = bits(w, 12, 12) << 9 | bits(w, 4, 3) << 7 | bits(w, 5, 5) << 6 |
                   bits(w, 2, 2) << 5 | bits(w, 6, 6) << 4;
  switch (code) {
    case 0:
      alu(i, OCT_RESULT_ADD, rd, rd, 0, value);
      break;
    case 1:
      if (i->is_64)
        alu_word(i, OCT_RESULT_ADD, rd, rd, 0, value);
      else
        i->op->link = REG_RA;
      break;
    case 2:
      constant(i, rd, value);
      break;
    case 3:
      if (rd == REG_SP)
        alu(i, OCT_RESULT_ADD, REG_SP, REG_SP, 0, sign_extend(stack, 10));
      else if (imm) /* else c.mop.n, which does nothing, or pushes ra */
        constant(i, rd, sign_extend(imm << 12, 18));
      break;
    case 4:
      short_arithmetic(i, w);
      break;
    case 5:
      break;
    default:
      branch(i, code == 6 ? OCT_CMP_EQ : OCT_CMP_NE, 8 + bits(w, 9, 7), 0);
      break;
  }
}

/* Quadrant 2: the stack, moves and jumps. */
static void quadrant_2(insn *i, uint32_t w, unsigned code) {
  unsigned rd = bits(w, 11, 7), rs2 = bits(w, 6, 2), imm = bits(w, 12, 12) << 5 | rs2;
  uint64_t load_word = bits(w, 3, 2) << 6 | bits(w, 12, 12) << 5 | bits(w, 6, 4) << 2;
  uint64_t load_double = bits(w, 4, 2) << 6 | bits(w, 12, 12) << 5 | bits(w, 6, 5) << 3;
  uint64_t store_word = bits(w, 8, 7) << 6 | bits(w, 12, 9) << 2;
  uint64_t store_double = bits(w, 9, 7) << 6 | bits(w, 12, 10) << 3;
  switch (code) {
    case 0:
      alu(i, OCT_RESULT_ADD, rd, 0, rd, 0);
      i->op->b_form = (uint8_t)(OCT_SHIFT_LEFT | imm);
      break;
    case 1:
      transfer_float(i, REG_SP, load_double);
      break;
    case 2:
      load(i, 2, rd, REG_SP, load_word);
      break;
    case 3:
      if (i->is_64)
        load(i, 3, rd, REG_SP, load_double);
      else
        transfer_float(i, REG_SP, load_word);
      break;
    case 4:
      if (rs2)
        alu(i, OCT_RESULT_ADD, rd, bits(w, 12, 12) ? rd : 0, rs2, 0);
      else if (rd)
        jump_register(i, bits(w, 12, 12) ? REG_RA : 0, rd, 0);
      else
        i->op->flags |= OCT_EFFECT_SYSTEM; /* c.ebreak */
      break;
    case 5:
      transfer_float(i, REG_SP, store_double);
      break;
    case 6:
      store(i, rs2, REG_SP, store_word);
      break;
    default:
      if (i->is_64)
        store(i, rs2, REG_SP, store_double);
      else
        transfer_float(i, REG_SP, store_word);
      break;
  }
}

void oct_riscv_effect(int is_64, uint32_t word, uint64_t addr, oct_effect *op) {
  insn i = {op, is_64, addr};
  unsigned code = bits(word, 15, 13);
  oct_effect_start(op, is_64);
  if (oct_rv_is_reserved(is_64, word)) {
    unknown(&i, word);
    return;
  }
  switch (bits(word, 1, 0)) {
    case 0:
      quadrant_0(&i, word, code);
      break;
    case 1:
      quadrant_1(&i, word, code);
      break;
    case 2:
      quadrant_2(&i, word, code);
      break;
    default:
      long_insn(&i, word);
      break;
  }
}
