/* SPDX-License-Identifier: Apache-2.0 */
/* oct_effect_thumb.c - effects of Thumb code (T32), after the ARMv7-A architecture manual
 * (ARM DDI 0406).
 *
 * Condition and flags of an instruction in an IT block hang on the block, which the caller knows:
 * cond is 14 outside. Register 15 never appears, as in oct_effect_arm.c, which also describes the
 * coprocessor's instructions: they are the same in both sets. */
#include "oct_effect_build.h"
#include "oct_isa_decode.h"

enum { COND_ALWAYS = 14, REG_SP = 13, REG_LR = 14, REG_PC = 15 };

typedef struct thumb_insn {
  oct_effect *op;
  uint32_t pc; /* as instructions read it: 4 ahead */
  int in_it;
} thumb_insn;

static inline uint32_t bits(uint32_t word, unsigned high, unsigned low) {
  return word >> low & ((2u << (high - low)) - 1);
}

static inline int bit(uint32_t word, unsigned n) {
  return word >> n & 1;
}

static inline void set_dest(thumb_insn *i, unsigned rd) {
  i->op->dest = (uint8_t)(rd == REG_PC ? OCT_REG_NONE : rd);
  if (rd != REG_PC) return;
  i->op->target = OCT_TARGET_RESULT;
  i->op->flags |= OCT_EFFECT_EVEN_TARGET;
}

static inline void set_unknown(thumb_insn *i, unsigned rd, int sets_flags) {
  if (rd != REG_PC) oct_effect_clobber(i->op, rd);
  if (sets_flags) oct_effect_set_flags(i->op, OCT_FLAGS_UNKNOWN);
}

/* What is loaded or stored by access k. */
static inline void set_data(thumb_insn *i, unsigned k, unsigned reg, int is_load) {
  i->op->data[k] = (uint8_t)(reg == REG_PC ? OCT_REG_NONE : reg);
  if (reg != REG_PC || !is_load) return;
  i->op->target = (uint8_t)(OCT_TARGET_LOADED | k << 4);
  i->op->flags |= OCT_EFFECT_EVEN_TARGET;
}

/* base + offset; relative to the instruction, the word that it stands in counts. */
static inline oct_effect_mem *set_base(thumb_insn *i, unsigned rn, int32_t offset) {
  if (rn == REG_PC)
    return oct_effect_memory(i->op, 0, OCT_REG_ZERO, (i->pc & ~UINT32_C(3)) + (uint32_t)offset);
  return oct_effect_memory(i->op, 0, rn, (uint64_t)(int64_t)offset);
}

/* A list of registers from base + offset on; lr and pc are in it as such. */
static inline void set_list(thumb_insn *i, unsigned rn, int32_t offset, uint32_t list, int is_load,
                            int32_t step) {
  unsigned n = (unsigned)__builtin_popcount(list);
  oct_effect_mem *m = oct_effect_memory(i->op, 0, rn, (uint64_t)(int64_t)offset);
  if (step) m->form |= OCT_MEM_BACK_STEP;
  m->step = step;
  i->op->list = list & 0x7fff;
  if (!is_load || !bit(list, REG_PC)) return;
  i->op->target = (uint8_t)(OCT_TARGET_LOADED | (n - 1) << 4);
  i->op->flags |= OCT_EFFECT_EVEN_TARGET;
}

/* A shift by a constant: kinds 0 left, 1 right, 2 right with signs, 3 rotation; 0 places mean 32,
 * or a rotation through carry. Returns whether there is a shift at all. */
static inline int set_shift(thumb_insn *i, unsigned kind, unsigned amount) {
  oct_effect *op = i->op;
  op->b_form = (uint8_t)(kind << 6 | amount);
  if (amount || !kind) return amount != 0;
  op->b_form = OCT_SHIFT_SIGNED | 31;
  if (kind == 1) op->b = OCT_REG_ZERO;
  if (kind == 3) op->b = OCT_REG_NONE;
  if (kind != 2) op->b_form = 0;
  return 1;
}

/* ---- Effects of Thumb instructions of four bytes, after the
 * ARMv7-A architecture manual (ARM DDI 0406). The coprocessor's are the same as in ARM code, and
 * described there.
 * ---- */

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
  if (bits(w, 27, 24) != 15) oct_arm_effect(w, addr, i->op);
}

/* An instruction of four bytes, its first halfword above. */
static void long_effect(thumb_insn *i, uint32_t w, uint64_t addr) {
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

/* Flags of short instructions: none within an IT block. */
static void short_flags(thumb_insn *i, unsigned how) {
  if (!i->in_it) oct_effect_set_flags(i->op, how);
}

static void short_arithmetic(thumb_insn *i, uint32_t w) {
  unsigned code = bits(w, 15, 11), rd = bits(w, 2, 0), rn = bits(w, 5, 3), rm = bits(w, 8, 6);
  if (code < 3) {
    oct_effect_alu(i->op, OCT_RESULT_ADD, rd, OCT_REG_ZERO, rn, 0);
    short_flags(i, set_shift(i, code, bits(w, 10, 6)) ? OCT_FLAGS_NZ_C : OCT_FLAGS_NZ);
  } else if (code == 3) {
    unsigned result = bit(w, 9) ? OCT_RESULT_SUB : OCT_RESULT_ADD;
    oct_effect_alu(i->op, result, rd, rn, bit(w, 10) ? OCT_REG_ZERO : rm, bit(w, 10) ? rm : 0);
    short_flags(i, OCT_FLAGS_ALU);
  } else {
    unsigned r = bits(w, 10, 8), imm = bits(w, 7, 0);
    if (code == 4) oct_effect_constant(i->op, r, imm);
    if (code == 4) short_flags(i, OCT_FLAGS_NZ);
    if (code == 4) return;
    oct_effect_alu(i->op, code == 6 ? OCT_RESULT_ADD : OCT_RESULT_SUB, code == 5 ? OCT_REG_NONE : r,
                   r, OCT_REG_ZERO, imm);
    if (code == 5)
      oct_effect_set_flags(i->op, OCT_FLAGS_ALU);
    else
      short_flags(i, OCT_FLAGS_ALU);
  }
}

/* Two registers, the first of which is the destination. */
static void short_registers(thumb_insn *i, uint32_t w) {
  unsigned rd = bits(w, 2, 0), rm = bits(w, 5, 3), opcode = bits(w, 9, 6);
  static const uint8_t results[16] = {OCT_RESULT_AND,
                                      OCT_RESULT_XOR,
                                      OCT_RESULT_SHL,
                                      OCT_RESULT_SHR,
                                      OCT_RESULT_SAR,
                                      0,
                                      0,
                                      0,
                                      OCT_RESULT_AND,
                                      OCT_RESULT_RSB,
                                      OCT_RESULT_SUB,
                                      OCT_RESULT_ADD,
                                      OCT_RESULT_OR,
                                      0,
                                      OCT_RESULT_BIC,
                                      OCT_RESULT_ORN};
  int is_test = opcode == 8 || opcode == 10 || opcode == 11;
  unsigned how = opcode >= 2 && opcode <= 4                    ? OCT_FLAGS_NZ_C
                 : opcode == 9 || opcode == 10 || opcode == 11 ? OCT_FLAGS_ALU
                                                               : OCT_FLAGS_NZ;
  if (!results[opcode]) {
    set_unknown(i, rd, !i->in_it);
    return;
  }
  oct_effect_alu(i->op, results[opcode], is_test ? OCT_REG_NONE : rd, rd, rm, 0);
  if (opcode == 9) { /* rsb from 0 */
    i->op->a = (uint8_t)rm;
    i->op->b = OCT_REG_ZERO;
  }
  if (opcode == 15) i->op->a = OCT_REG_ZERO;
  if (opcode >= 2 && opcode <= 4) i->op->b_extend = OCT_EXTEND_U8;
  if (is_test)
    oct_effect_set_flags(i->op, how);
  else
    short_flags(i, how);
}

/* add, cmp and mov of any registers, bx, blx. */
static void short_special(thumb_insn *i, uint32_t w) {
  unsigned rd = bits(w, 7, 7) << 3 | bits(w, 2, 0), rm = bits(w, 6, 3);
  unsigned b = rm == REG_PC ? OCT_REG_ZERO : rm;
  uint32_t imm = rm == REG_PC ? i->pc : 0;
  switch (bits(w, 9, 8)) {
    case 0:
      oct_effect_alu(i->op, OCT_RESULT_ADD, OCT_REG_NONE, rd == REG_PC ? OCT_REG_ZERO : rd, b, imm);
      if (rd == REG_PC) i->op->imm = (uint32_t)(imm + i->pc);
      set_dest(i, rd);
      break;
    case 1:
      oct_effect_alu(i->op, OCT_RESULT_SUB, OCT_REG_NONE, rd, b, imm);
      oct_effect_set_flags(i->op, OCT_FLAGS_ALU);
      break;
    case 2:
      oct_effect_alu(i->op, OCT_RESULT_ADD, OCT_REG_NONE, OCT_REG_ZERO, b, imm);
      set_dest(i, rd);
      break;
    default:
      oct_effect_jump(i->op, b, imm);
      i->op->flags |= OCT_EFFECT_EVEN_TARGET;
      if (bit(w, 7)) i->op->link = REG_LR;
      break;
  }
}

/* By a register: str strh strb ldrsb ldr ldrh ldrb ldrsh. */
static void short_indexed(thumb_insn *i, uint32_t w) {
  unsigned kind = bits(w, 11, 9);
  oct_effect_memory(i->op, 0, bits(w, 5, 3), 0)->index = (uint8_t)bits(w, 8, 6);
  i->op->data[0] = (uint8_t)bits(w, 2, 0);
  if (kind == 3 || kind == 7) i->op->width |= OCT_EFFECT_LOAD_SIGNED;
}

static void short_miscellaneous(thumb_insn *i, uint32_t w) {
  static const uint8_t extends[4] = {OCT_EXTEND_S16, OCT_EXTEND_S8, OCT_EXTEND_U16, OCT_EXTEND_U8};
  unsigned code = bits(w, 11, 8), list = bits(w, 7, 0), n;
  uint32_t imm = bits(w, 6, 0) << 2;
  switch (code) {
    case 0:
      oct_effect_alu(i->op, bit(w, 7) ? OCT_RESULT_SUB : OCT_RESULT_ADD, REG_SP, REG_SP,
                     OCT_REG_ZERO, imm);
      break;
    case 1:
    case 3:
    case 9:
    case 11: /* cbz cbnz */
      i->op->cond = (uint8_t)(OCT_COND_REGS | (bit(w, 11) ? OCT_CMP_NE : OCT_CMP_EQ));
      i->op->cond_a = (uint8_t)bits(w, 2, 0);
      i->op->cond_b = OCT_REG_ZERO;
      break;
    case 2:
      oct_effect_alu(i->op, OCT_RESULT_ADD, bits(w, 2, 0), OCT_REG_ZERO, bits(w, 5, 3), 0);
      i->op->b_extend = extends[bits(w, 7, 6)];
      break;
    case 4:
    case 5:
      list |= bits(w, 8, 8) << REG_LR;
      n = 4 * (unsigned)__builtin_popcount(list);
      set_list(i, REG_SP, -(int32_t)n, list, 0, -(int32_t)n);
      break;
    case 12:
    case 13:
      list |= bits(w, 8, 8) << REG_PC;
      set_list(i, REG_SP, 0, list, 1, 4 * __builtin_popcount(list));
      break;
    case 10: /* rev */
      oct_effect_clobber(i->op, bits(w, 2, 0));
      break;
    case 15: /* it, and hints */
      break;
    default: /* bkpt cps setend */
      i->op->flags |= OCT_EFFECT_SYSTEM;
      break;
  }
}

static void short_insn(thumb_insn *i, uint32_t w) {
  unsigned rt = bits(w, 2, 0), rn = bits(w, 5, 3), imm5 = bits(w, 10, 6), r8 = bits(w, 10, 8);
  uint32_t list = bits(w, 7, 0), imm8 = list << 2;
  int is_load = bit(w, 11);
  switch (bits(w, 15, 12)) {
    case 0:
    case 1:
    case 2:
    case 3:
      short_arithmetic(i, w);
      break;
    case 4:
      if (bit(w, 11)) {
        set_base(i, REG_PC, (int32_t)imm8);
        i->op->data[0] = (uint8_t)r8;
      } else if (bit(w, 10)) {
        short_special(i, w);
      } else {
        short_registers(i, w);
      }
      break;
    case 5:
      short_indexed(i, w);
      break;
    case 6:
    case 7:
    case 8:
      set_base(i, rn, (int32_t)(imm5 << (bit(w, 15) ? 1 : bit(w, 12) ? 0 : 2)));
      i->op->data[0] = (uint8_t)rt;
      break;
    case 9:
      set_base(i, REG_SP, (int32_t)imm8);
      i->op->data[0] = (uint8_t)r8;
      break;
    case 10:
      if (bit(w, 11))
        oct_effect_alu(i->op, OCT_RESULT_ADD, r8, REG_SP, OCT_REG_ZERO, imm8);
      else
        oct_effect_constant(i->op, r8, (i->pc & ~UINT32_C(3)) + imm8);
      break;
    case 11:
      short_miscellaneous(i, w);
      break;
    case 12:
      set_list(i, r8, 0, list, is_load,
               is_load && bit(list, r8) ? 0 : 4 * __builtin_popcount(list));
      break;
    case 13:
      if (bits(w, 11, 8) == 15) {
        i->op->flags |= OCT_EFFECT_SYSTEM;
        oct_effect_clobber(i->op, 0);
      } else if (bits(w, 11, 8) < COND_ALWAYS) {
        i->op->cond = (uint8_t)(OCT_COND_FLAGS | bits(w, 11, 8));
      }
      break;
    default:
      break;
  }
}

void oct_thumb_effect(uint32_t first, uint32_t second, unsigned size, unsigned cond, uint64_t addr,
                      oct_effect *op) {
  thumb_insn i = {op, (uint32_t)addr + 4, cond != COND_ALWAYS};
  oct_effect_start(op, 0);
  op->flags |= OCT_EFFECT_LINK_ODD;
  if (size == 2)
    short_insn(&i, first);
  else
    long_effect(&i, first << 16 | second, addr);
  if (op->link == OCT_REG_NONE) op->flags &= (uint8_t)~OCT_EFFECT_LINK_ODD;
  if (cond < COND_ALWAYS) op->cond = (uint8_t)(OCT_COND_FLAGS | cond);
  op->clobbers &= 0x7fff;
}
