/* SPDX-License-Identifier: Apache-2.0 */
/* oct_effect_thumb_long.c - effects of Thumb instructions of four bytes, after the
 * ARMv7-A architecture manual (ARM DDI 0406). The coprocessor's are the same as in ARM code, and
 * described there. */
#include "oct_effect_thumb.h"

/* The constant of twelve bits, and whether C is kept. */
static uint32_t expanded(uint32_t w, int *keeps_carry) {
  uint32_t imm = bits(w, 26, 26) << 11 | bits(w, 14, 12) << 8 | bits(w, 7, 0), low = imm & 255;
  *keeps_carry = !(imm >> 10);
  switch (imm >> 8) {
    case 0:
      return low;
    case 1:
      return low << 16 | low;
    case 2:
      return low << 24 | low << 8;
    case 3:
      return low * UINT32_C(0x01010101);
    default:
      low = 0x80 | (imm & 0x7f);
      return low << (32 - (imm >> 7)); /* turned right by 8 to 31 */
  }
}

/* Data processing; b, its shift and imm are set. */
static void data_processing(thumb_insn *i, uint32_t w, int keeps_carry) {
  unsigned opcode = bits(w, 24, 21), rn = bits(w, 19, 16), rd = bits(w, 11, 8);
  static const uint8_t results[16] = {OCT_RESULT_AND,
                                      OCT_RESULT_BIC,
                                      OCT_RESULT_OR,
                                      OCT_RESULT_ORN,
                                      OCT_RESULT_XOR,
                                      0,
                                      0,
                                      0,
                                      OCT_RESULT_ADD,
                                      0,
                                      0,
                                      0,
                                      0,
                                      OCT_RESULT_SUB,
                                      OCT_RESULT_RSB,
                                      0};
  oct_effect *op = i->op;
  if (!results[opcode]) { /* with carry, packing */
    op->b = OCT_REG_NONE;
    op->imm = op->b_form = 0;
    set_unknown(i, rd, bit(w, 20));
    return;
  }
  op->result = results[opcode];
  op->a = (uint8_t)rn;
  op->dest = (uint8_t)(rd == REG_PC ? OCT_REG_NONE : rd);
  if (rn == REG_PC) { /* mov mvn */
    op->a = OCT_REG_ZERO;
    op->result = opcode == 3 ? OCT_RESULT_ORN : OCT_RESULT_ADD;
  }
  if (bit(w, 20))
    oct_effect_set_flags(op, opcode >= 8   ? OCT_FLAGS_ALU
                             : keeps_carry ? OCT_FLAGS_NZ
                                           : OCT_FLAGS_NZ_C);
}

static void shifted_register(thumb_insn *i, uint32_t w) {
  i->op->b = (uint8_t)bits(w, 3, 0);
  int is_shifted = set_shift(i, bits(w, 5, 4), bits(w, 14, 12) << 2 | bits(w, 7, 6));
  data_processing(i, w, !is_shifted);
}

static void plain_immediate(thumb_insn *i, uint32_t w) {
  unsigned rn = bits(w, 19, 16), rd = bits(w, 11, 8), kind = bits(w, 24, 20);
  uint32_t imm12 = bits(w, 26, 26) << 11 | bits(w, 14, 12) << 8 | bits(w, 7, 0);
  uint32_t imm16 = rn << 12 | imm12;
  if (kind == 0 || kind == 10) {
    uint32_t at = i->pc & ~UINT32_C(3);
    if (rn == REG_PC)
      oct_effect_constant(i->op, rd, kind ? at - imm12 : at + imm12);
    else
      oct_effect_alu(i->op, kind ? OCT_RESULT_SUB : OCT_RESULT_ADD, rd, rn, OCT_REG_ZERO, imm12);
  } else if (kind == 4) {
    oct_effect_constant(i->op, rd, imm16);
  } else if (kind == 12) {
    oct_effect_alu(i->op, OCT_RESULT_INSERT, rd, rd, OCT_REG_ZERO, imm16);
    i->op->b_form = 16;
  } else {
    set_unknown(i, rd, 0);
  }
}

static void branch(thumb_insn *i, uint32_t w) {
  if (bit(w, 14)) { /* bl blx */
    i->op->link = REG_LR;
  } else if (!bit(w, 12) && bits(w, 25, 23) != 7) {
    i->op->cond = (uint8_t)(OCT_COND_FLAGS | bits(w, 25, 22));
  } else if (!bit(w, 12)) {
    unsigned kind = bits(w, 26, 20);
    if (kind == 0x38 || kind == 0x39) oct_effect_set_flags(i->op, OCT_FLAGS_UNKNOWN); /* msr */
    if (kind == 0x3e || kind == 0x3f) set_unknown(i, bits(w, 11, 8), 0);              /* mrs */
    if (kind == 0x7e || kind == 0x7f || kind == 0x3d || kind == 0x3c)
      i->op->flags |= OCT_EFFECT_SYSTEM;
  }
}

/* An exclusive store, whose status goes to status. An emulator may compare first: what the first
 * access stores is not known. */
static void store_exclusive(thumb_insn *i, unsigned rn, int32_t offset, unsigned status) {
  oct_effect_mem *m = set_base(i, rn, offset);
  oct_effect_clobber(i->op, status);
  m->form |= OCT_MEM_SAME;
}

/* Two words, exclusive accesses, and jumps by a table. */
static void pair_or_exclusive(thumb_insn *i, uint32_t w) {
  unsigned rn = bits(w, 19, 16), rt = bits(w, 15, 12), rt2 = bits(w, 11, 8), kind = bits(w, 7, 4);
  int is_load = bit(w, 20), before = bit(w, 24), back = bit(w, 21);
  int32_t offset = (int32_t)(bits(w, 7, 0) << 2);
  if (before || back) {
    if (!bit(w, 23)) offset = -offset;
    oct_effect_mem *m = set_base(i, rn, before ? offset : 0);
    if (back) m->form |= OCT_MEM_BACK_STEP;
    m->step = offset * back;
    set_data(i, 0, rt, is_load);
    set_data(i, 1, rt2, is_load);
  } else if (!bit(w, 23) && !is_load) {
    store_exclusive(i, rn, offset, rt2);
  } else if (!bit(w, 23)) { /* ldrex */
    set_base(i, rn, offset);
    set_data(i, 0, rt, 1);
  } else if (is_load && kind < 2) { /* tbb tbh */
    oct_effect_mem *m =
        oct_effect_memory(i->op, 0, rn == REG_PC ? OCT_REG_ZERO : rn, rn == REG_PC ? i->pc : 0);
    m->index = (uint8_t)bits(w, 3, 0);
    m->shift = (uint8_t)kind;
    i->op->target = OCT_TARGET_UNKNOWN;
  } else if (!is_load && kind >> 2 != 2) { /* but for stl */
    store_exclusive(i, rn, 0, bits(w, 3, 0));
  } else {
    set_base(i, rn, 0);
    set_data(i, 0, rt, is_load);
    if ((kind & 3) != 3) return;
    set_data(i, 1, rt2, is_load);
    if (is_load) set_unknown(i, rt2, 0); /* if both are one access of 8 bytes */
  }
}

static void single(thumb_insn *i, uint32_t w) {
  unsigned rn = bits(w, 19, 16), rt = bits(w, 15, 12), size = bits(w, 22, 21);
  int is_load = bit(w, 20);
  int32_t imm8 = (int32_t)bits(w, 7, 0);
  if (is_load && rt == REG_PC && size != 2) return; /* hints */
  if (rn == REG_PC) {
    set_base(i, rn, bit(w, 23) ? (int32_t)bits(w, 11, 0) : -(int32_t)bits(w, 11, 0));
  } else if (bit(w, 23)) {
    set_base(i, rn, (int32_t)bits(w, 11, 0));
  } else if (!bit(w, 11)) {
    oct_effect_mem *m = set_base(i, rn, 0);
    m->index = (uint8_t)bits(w, 3, 0);
    m->shift = (uint8_t)bits(w, 5, 4);
  } else {
    int before = bit(w, 10), back = bit(w, 8);
    if (!bit(w, 9)) imm8 = -imm8;
    oct_effect_mem *m = set_base(i, rn, before ? imm8 : 0);
    if (back) m->form |= OCT_MEM_BACK_STEP;
    m->step = imm8 * back;
  }
  set_data(i, 0, rt, is_load);
  if (bit(w, 24) && is_load) i->op->width |= OCT_EFFECT_LOAD_SIGNED;
}

/* Shifts by a register and extensions; the rest is not followed. */
static void register_processing(thumb_insn *i, uint32_t w) {
  unsigned rn = bits(w, 19, 16), rd = bits(w, 11, 8), rm = bits(w, 3, 0), kind = bits(w, 23, 20);
  static const uint8_t shifts[4] = {OCT_RESULT_SHL, OCT_RESULT_SHR, OCT_RESULT_SAR, 0};
  static const uint8_t extends[6] = {OCT_EXTEND_S16, OCT_EXTEND_U16, 0, 0,
                                     OCT_EXTEND_S8,  OCT_EXTEND_U8};
  if (!bits(w, 7, 4) && kind < 8) {
    if (!shifts[kind >> 1]) {
      set_unknown(i, rd, bit(w, 20));
      return;
    }
    oct_effect_alu(i->op, shifts[kind >> 1], rd, rn, rm, 0);
    i->op->b_extend = OCT_EXTEND_U8;
    if (bit(w, 20)) oct_effect_set_flags(i->op, OCT_FLAGS_NZ_C);
  } else if (bit(w, 7) && kind < 6 && extends[kind] && rn == REG_PC && !bits(w, 5, 4)) {
    oct_effect_alu(i->op, OCT_RESULT_ADD, rd, OCT_REG_ZERO, rm, 0);
    i->op->b_extend = extends[kind];
  } else {
    set_unknown(i, rd, 0);
  }
}

/* rfe and srs, which leave an exception and save its return. */
static void exception_frame(thumb_insn *i, uint32_t w) {
  i->op->flags |= OCT_EFFECT_SYSTEM;
  if (bit(w, 21)) set_unknown(i, bits(w, 19, 16), 0);
  if (bit(w, 20)) i->op->target = OCT_TARGET_UNKNOWN;
}

/* The coprocessor's, as in ARM code. Where that has swi, these have Neon's data processing, which
 * touches no register of ours. */
static void coprocessor(thumb_insn *i, uint32_t w, uint64_t addr) {
  if (bits(w, 27, 24) != 15) oct_arm_shadow(w, addr, i->op);
}

void oct_thumb_long_shadow(thumb_insn *i, uint32_t w, uint64_t addr) {
  unsigned op1 = bits(w, 28, 27), op2 = bits(w, 26, 20);
  int keeps_carry;
  if (op1 == 1 && op2 < 0x20 && !(op2 & 4)) {
    unsigned rn = bits(w, 19, 16);
    int32_t bytes = 4 * __builtin_popcount(bits(w, 15, 0));
    if (bits(w, 24, 23) == 1)
      set_list(i, rn, 0, bits(w, 15, 0), bit(w, 20), bytes * bit(w, 21));
    else if (bits(w, 24, 23) == 2)
      set_list(i, rn, -bytes, bits(w, 15, 0), bit(w, 20), -bytes * bit(w, 21));
    else
      exception_frame(i, w);
  } else if (op1 == 1 && op2 < 0x20) {
    pair_or_exclusive(i, w);
  } else if (op1 == 1 && op2 < 0x40) {
    shifted_register(i, w);
  } else if (op1 == 1) {
    coprocessor(i, w, (addr & ~UINT64_C(3)) - 4);
  } else if (op1 == 2 && bit(w, 15)) {
    branch(i, w);
  } else if (op1 == 2 && !(op2 & 0x20)) {
    i->op->b = OCT_REG_ZERO;
    i->op->imm = expanded(w, &keeps_carry);
    data_processing(i, w, keeps_carry);
  } else if (op1 == 2) {
    plain_immediate(i, w);
  } else if (op2 < 0x20 && !(op2 & 1) && (op2 & 0x10)) { /* vld1 .. vst4 */
    oct_effect_memory(i->op, 0, bits(w, 19, 16), 0);
    if (bits(w, 3, 0) != REG_PC) oct_effect_clobber(i->op, bits(w, 19, 16));
  } else if (op2 < 0x20) {
    single(i, w);
  } else if (op2 < 0x30) {
    register_processing(i, w);
  } else if (op2 < 0x40) { /* products and quotients */
    set_unknown(i, bits(w, 11, 8), 0);
    if (op2 >= 0x38) set_unknown(i, bits(w, 15, 12), 0);
  } else {
    coprocessor(i, w, addr);
  }
}
