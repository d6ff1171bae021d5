/* SPDX-License-Identifier: Apache-2.0 */
/* oct_effect_mips.c - effects of MIPS32 code, release 2, after the architecture manual.
 *
 * Jumps are delayed: the instruction behind one retires before the target is reached. Register 0 is
 * OCT_REG_ZERO as a source and OCT_REG_NONE as a destination. lwl, lwr, swl and swr touch a part of
 * a word, whose place is not followed; neither are multiplication, comparison to a register (slt)
 * and bit fields. */
#include "oct_isa_decode.h"
#include "oct_effect_build.h"

enum { REG_RA = 31 };

typedef struct insn {
  unsigned rs, rt, rd, amount, funct;
  uint64_t imm; /* of 16 bits, signed */
  oct_effect *op;
} insn;

static unsigned source(unsigned reg) {
  return reg ? reg : OCT_REG_ZERO;
}

static unsigned dest(unsigned reg) {
  return reg ? reg : OCT_REG_NONE;
}

static void clobber(insn *i, unsigned reg) {
  if (reg) oct_effect_clobber(i->op, reg);
}

static void alu(insn *i, unsigned result, unsigned rd, unsigned a, unsigned b, uint64_t imm) {
  if (rd) oct_effect_alu(i->op, result, rd, source(a), source(b), imm);
}

static void branch(insn *i, unsigned compare, unsigned a, unsigned b, int is_likely) {
  i->op->flags |= (uint8_t)(OCT_EFFECT_DELAYED | (is_likely ? OCT_EFFECT_LIKELY : 0));
  if (compare == OCT_CMP_EQ && a == b) return;
  i->op->cond = (uint8_t)(OCT_COND_REGS | compare);
  i->op->cond_a = (uint8_t)source(a);
  i->op->cond_b = (uint8_t)source(b);
}

static void jump_register(insn *i, unsigned link) {
  oct_effect_jump(i->op, source(i->rs), 0);
  i->op->flags |= OCT_EFFECT_DELAYED;
  i->op->link = (uint8_t)dest(link);
}

static void system_call(insn *i) {
  /* at, v0, v1, a3, the temporaries: what the kernel's convention does not keep. */
  i->op->clobbers = 0x0300ff8e;
  i->op->flags |= OCT_EFFECT_SYSTEM;
}

static void special(insn *i) {
  static const uint8_t results[64] = {
      [0x20] = OCT_RESULT_ADD, [0x21] = OCT_RESULT_ADD, [0x22] = OCT_RESULT_SUB,
      [0x23] = OCT_RESULT_SUB, [0x24] = OCT_RESULT_AND, [0x25] = OCT_RESULT_OR,
      [0x26] = OCT_RESULT_XOR};
  static const uint8_t shifts[4] = {OCT_SHIFT_LEFT, 0, OCT_SHIFT_RIGHT, OCT_SHIFT_SIGNED};
  static const uint8_t results_shift[4] = {OCT_RESULT_SHL, 0, OCT_RESULT_SHR, OCT_RESULT_SAR};
  unsigned f = i->funct;
  if (f < 4 && f != 1) { /* sll srl sra, and rotr */
    alu(i, OCT_RESULT_ADD, i->rd, 0, i->rt, 0);
    if (i->rd)
      i->op->b_form = (uint8_t)((f == 2 && i->rs ? OCT_SHIFT_ROTATE : shifts[f]) | i->amount);
  } else if (f >= 4 && f < 8 && f != 5 && !i->amount) { /* sllv srlv srav */
    alu(i, results_shift[f - 4], i->rd, i->rt, i->rs, 0);
  } else if (f == 8) {
    jump_register(i, 0);
  } else if (f == 9) {
    jump_register(i, i->rd);
  } else if (f == 10 || f == 11) { /* movz movn */
    alu(i, OCT_RESULT_SELECT, i->rd, i->rs, i->rd, 0);
    i->op->cond = (uint8_t)(OCT_COND_REGS | (f == 10 ? OCT_CMP_EQ : OCT_CMP_NE));
    i->op->cond_a = (uint8_t)source(i->rt);
    i->op->cond_b = OCT_REG_ZERO;
  } else if (f == 12) {
    system_call(i);
  } else if (f == 13) {
    i->op->flags |= OCT_EFFECT_SYSTEM; /* break */
  } else if (results[f]) {
    alu(i, results[f], i->rd, i->rs, i->rt, 0);
  } else if (f == 0x27 && (!i->rs || !i->rt)) { /* nor with zero: not */
    alu(i, OCT_RESULT_ORN, i->rd, 0, i->rs | i->rt, 0);
  } else if (f < 0x30 && f != 0x0f && f != 0x11 && f != 0x13) {
    if (f < 0x18 || f > 0x1f) clobber(i, i->rd); /* products go to hi and lo */
  }
}

/* Branches by sign, some of which link whether they are taken or not. */
static void regimm(insn *i) {
  if ((i->rt & 15) > 3) return; /* traps, synci */
  branch(i, i->rt & 1 ? OCT_CMP_GE : OCT_CMP_LT, i->rs, 0, (i->rt & 2) != 0);
  if (!(i->rt & 16)) return;
  i->op->link = REG_RA;
  i->op->cond = i->rt & 1 && !i->rs ? OCT_COND_ALWAYS : OCT_COND_UNKNOWN;
  i->op->cond_a = i->op->cond_b = OCT_REG_NONE;
  if (i->op->cond) {
    i->op->link = OCT_REG_NONE;
    clobber(i, REG_RA);
  }
}

static void special_3(insn *i) {
  if (i->funct == 0x20 && (i->amount == 0x10 || i->amount == 0x18)) { /* seb seh */
    alu(i, OCT_RESULT_ADD, i->rd, 0, i->rt, 0);
    i->op->b_extend = i->amount == 0x10 ? OCT_EXTEND_S8 : OCT_EXTEND_S16;
  } else if (i->funct == 0x20) {
    clobber(i, i->rd);
  } else if (i->funct == 0 || i->funct == 4 || i->funct == 0x3b) { /* ext ins rdhwr */
    clobber(i, i->rt);
  } else {
    clobber(i, i->rt);
    clobber(i, i->rd);
  }
}

static void coprocessor(insn *i, unsigned number) {
  if (number == 1 && i->rs == 8) { /* bc1f bc1t */
    i->op->flags |= (uint8_t)(OCT_EFFECT_DELAYED | (i->rt & 2 ? OCT_EFFECT_LIKELY : 0));
    i->op->cond = OCT_COND_UNKNOWN;
  } else if (i->rs < 4 || (number == 0 && i->rs == 11)) {
    clobber(i, i->rt); /* from the coprocessor */
  }
}

static void load(insn *i, int is_signed) {
  oct_effect_memory(i->op, 0, source(i->rs), i->imm);
  i->op->data[0] = (uint8_t)dest(i->rt);
  if (is_signed) i->op->width |= OCT_EFFECT_LOAD_SIGNED;
}

static void store(insn *i) {
  oct_effect_memory(i->op, 0, source(i->rs), i->imm);
  i->op->data[0] = (uint8_t)source(i->rt);
}

static void load_or_store(insn *i, unsigned op) {
  switch (op) {
    case 32:
    case 33:
    case 35:
    case 48: /* lb lh lw ll */
      load(i, 1);
      break;
    case 36:
    case 37: /* lbu lhu */
      load(i, 0);
      break;
    case 34:
    case 38: /* lwl lwr */
      clobber(i, i->rt);
      break;
    case 40:
    case 41:
    case 43: /* sb sh sw */
      store(i);
      break;
    case 49:
    case 53:
    case 57:
    case 61: /* of the floating-point unit */
      oct_effect_memory(i->op, 0, source(i->rs), i->imm);
      break;
    case 56: /* sc: an emulator may compare first */
      oct_effect_memory(i->op, 0, source(i->rs), i->imm)->form |= OCT_MEM_SAME;
      clobber(i, i->rt);
      break;
    default:
      break;
  }
}

void oct_mips_effect(uint32_t word, oct_effect *op) {
  insn i = {.rs = word >> 21 & 31,
            .rt = word >> 16 & 31,
            .rd = word >> 11 & 31,
            .amount = word >> 6 & 31,
            .funct = word & 63,
            .imm = (uint64_t)(((word & 0xffff) ^ 0x8000) - INT64_C(0x8000)),
            .op = op};
  unsigned code = word >> 26, low = word & 0xffff;
  static const uint8_t compares[4] = {OCT_CMP_EQ, OCT_CMP_NE, OCT_CMP_LE, OCT_CMP_GT};
  oct_effect_start(op, 0);
  if (code == 0) {
    special(&i);
  } else if (code == 1) {
    regimm(&i);
  } else if (code == 2 || code == 3) {
    op->flags |= OCT_EFFECT_DELAYED;
    if (code == 3) op->link = REG_RA;
  } else if ((code >= 4 && code < 8) || (code >= 20 && code < 24)) {
    branch(&i, compares[code & 3], i.rs, code & 2 ? 0 : i.rt, code >= 20);
  } else if (code == 8 || code == 9) {
    alu(&i, OCT_RESULT_ADD, i.rt, i.rs, 0, i.imm);
  } else if (code == 12 || code == 13 || code == 14) {
    static const uint8_t results[3] = {OCT_RESULT_AND, OCT_RESULT_OR, OCT_RESULT_XOR};
    alu(&i, results[code - 12], i.rt, i.rs, 0, low);
  } else if (code == 15) {
    if (i.rt) oct_effect_constant(op, i.rt, (uint64_t)low << 16);
  } else if (code >= 16 && code < 19) {
    coprocessor(&i, code - 16);
  } else if (code == 19) { /* indexed by a register */
    if (i.funct == 0 || i.funct == 1 || i.funct == 8 || i.funct == 9)
      oct_effect_memory(op, 0, source(i.rs), 0)->index = (uint8_t)source(i.rt);
  } else if (code == 28) {
    clobber(&i, i.rd); /* mul clz */
  } else if (code == 31) {
    special_3(&i);
  } else if (code >= 32) {
    load_or_store(&i, code);
  } else {
    clobber(&i, i.rt); /* slti and what is not of MIPS32 */
  }
}
