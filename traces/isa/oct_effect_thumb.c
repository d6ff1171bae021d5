/* SPDX-License-Identifier: Apache-2.0 */
/* oct_effect_thumb.c - effects of Thumb code (T32), after the ARMv7-A architecture manual
 * (ARM DDI 0406).
 *
 * Condition and flags of an instruction in an IT block hang on the block, which the caller knows:
 * cond is 14 outside. Register 15 never appears, as in oct_effect_arm.c, which also describes the
 * coprocessor's instructions: they are the same in both sets. */
#include "oct_effect_thumb.h"

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

void oct_thumb_shadow(uint32_t first, uint32_t second, unsigned size, unsigned cond, uint64_t addr,
                      oct_effect *op) {
  thumb_insn i = {op, (uint32_t)addr + 4, cond != COND_ALWAYS};
  oct_effect_start(op, 0);
  op->flags |= OCT_EFFECT_LINK_ODD;
  if (size == 2)
    short_insn(&i, first);
  else
    oct_thumb_long_shadow(&i, first << 16 | second, addr);
  if (op->link == OCT_REG_NONE) op->flags &= (uint8_t)~OCT_EFFECT_LINK_ODD;
  if (cond < COND_ALWAYS) op->cond = (uint8_t)(OCT_COND_FLAGS | cond);
  op->clobbers &= 0x7fff;
}
