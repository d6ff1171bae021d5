/* SPDX-License-Identifier: Apache-2.0 */
/* oct_effect_aarch64.c - effects of AArch64 code, after the ARMv8-A architecture manual
 * (ARM DDI 0487).
 *
 * The space is split by bits 28..25, as the manual does. Registers 0 to 30 are the general ones and
 * 31 the stack pointer; where 31 means zero it is OCT_REG_ZERO, or OCT_REG_NONE as a destination.
 * Condition codes are those of oct_effect_flag_cond. Arithmetic with carry, multiplication, most
 * bit fields and conditional comparison are not followed; the vector registers are none of ours. */
#include "oct_effect_build.h"
#include "oct_isa_decode.h"
#include "oct_mask.h"

enum { REG_LR = 30, REG_31 = 31 };

typedef struct a64_insn {
  uint32_t word;
  uint64_t addr;
  oct_effect *op;
} a64_insn;

static inline uint32_t bits(uint32_t word, unsigned high, unsigned low) {
  return word >> low & ((2u << (high - low)) - 1);
}

static inline int bit(uint32_t word, unsigned n) {
  return word >> n & 1;
}

/* Registers where 31 is zero. */
static inline unsigned source(unsigned reg) {
  return reg == REG_31 ? OCT_REG_ZERO : reg;
}

static inline unsigned dest(unsigned reg) {
  return reg == REG_31 ? OCT_REG_NONE : reg;
}

static inline void clobber(a64_insn *i, unsigned rd) {
  if (rd != REG_31) oct_effect_clobber(i->op, rd);
}

/* Extensions by their three bits: the whole register where there is nothing to extend. */
static const uint8_t oct_a64_extends[8] = {OCT_EXTEND_U8,   OCT_EXTEND_U16, OCT_EXTEND_U32,
                                           OCT_EXTEND_NONE, OCT_EXTEND_S8,  OCT_EXTEND_S16,
                                           OCT_EXTEND_S32,  OCT_EXTEND_NONE};

/* ---- Effects of AArch64 loads and stores: single registers and
 * pairs in all forms of address, exclusive and atomic accesses, structures of vectors.
 * ---- */

/* Extension of what a load of the general registers brings: by size and the two bits opc. */
static void set_extension(a64_insn *i, unsigned size, unsigned opc) {
  if (opc < 2 || (size == 3 && opc == 2)) return;
  i->op->width |= OCT_EFFECT_LOAD_SIGNED;
  if (opc == 3) i->op->width |= OCT_EFFECT_LOAD_SIGNED_32;
}

static void pair(a64_insn *i) {
  uint32_t w = i->word;
  unsigned opc = bits(w, 31, 30), how = bits(w, 24, 23), scale;
  int is_vector = bit(w, 26), is_load = bit(w, 22);
  scale = is_vector ? 2 + opc : opc & 2 ? 3 : 2;
  int64_t offset = (int64_t)(oct_sign_extend(bits(w, 21, 15), 7) << scale);
  oct_effect_mem *m = oct_effect_memory(i->op, 0, bits(w, 9, 5), (uint64_t)offset);
  if (how == 1) { /* after */
    m->form |= OCT_MEM_BACK_STEP;
    m->step = (int32_t)offset;
    m->offset = 0;
  } else if (how == 3) {
    m->form |= OCT_MEM_BACK_ADDRESS;
  }
  if (is_vector) return;
  unsigned t1 = bits(w, 4, 0), t2 = bits(w, 14, 10);
  i->op->data[0] = (uint8_t)(is_load ? dest(t1) : source(t1));
  i->op->data[1] = (uint8_t)(is_load ? dest(t2) : source(t2));
  if (opc == 1) i->op->width |= OCT_EFFECT_LOAD_SIGNED; /* ldpsw */
}

/* Load-exclusive, store-exclusive, with acquire and release; compare and swap. Two registers of 32
 * bits are one access of 8 bytes, of which the parts are not followed. */
static void exclusive(a64_insn *i) {
  uint32_t w = i->word;
  unsigned rt = bits(w, 4, 0), rt2 = bits(w, 14, 10), rs = bits(w, 20, 16), rn = bits(w, 9, 5);
  int is_load = bit(w, 22), is_ordered = bit(w, 23), is_pair = bit(w, 21);
  int is_swap_pair = is_pair && !is_ordered && !bit(w, 31); /* casp */
  int is_wide = is_swap_pair ? bit(w, 30) : bits(w, 31, 30) == 3;
  oct_effect_mem *m = oct_effect_memory(i->op, 0, rn, 0);
  if (is_ordered && is_pair) { /* cas */
    m->form |= OCT_MEM_SAME;
    i->op->data[0] = (uint8_t)dest(rs);
  } else if (is_swap_pair || (!is_ordered && !is_load)) {
    /* An emulator may compare first: what the first access stores is not known. */
    clobber(i, rs);
    if (is_swap_pair) clobber(i, rs | 1);
    if (!is_pair || !is_wide) {
      m->form |= OCT_MEM_SAME;
    } else { /* two words twice */
      oct_effect_memory(i->op, 1, rn, 0);
      oct_effect_set_first(i->op, 2);
    }
  } else if (is_pair && !is_wide) {
    clobber(i, rt);
    clobber(i, rt2);
  } else {
    i->op->data[0] = (uint8_t)(is_load ? dest(rt) : source(rt));
    if (is_pair) i->op->data[1] = (uint8_t)dest(rt2);
  }
}

/* One register, by base and offset in any of its forms. */
static void single(a64_insn *i) {
  uint32_t w = i->word;
  unsigned size = bits(w, 31, 30), opc = bits(w, 23, 22), rn = bits(w, 9, 5), rt = bits(w, 4, 0);
  int is_vector = bit(w, 26), is_store = is_vector ? !(opc & 1) : !opc;
  unsigned scale = is_vector && (opc & 2) ? 4 : size;
  uint64_t near = oct_sign_extend(bits(w, 20, 12), 9);
  oct_effect_mem *m;
  if (bit(w, 24)) {
    m = oct_effect_memory(i->op, 0, rn, (uint64_t)bits(w, 21, 10) << scale);
  } else if (!bit(w, 21)) {
    m = oct_effect_memory(i->op, 0, rn, near);
    if (bits(w, 11, 10) == 1) {
      m->form |= OCT_MEM_BACK_STEP;
      m->step = (int32_t)near;
      m->offset = 0;
    } else if (bits(w, 11, 10) == 3) {
      m->form |= OCT_MEM_BACK_ADDRESS;
    }
  } else if (bits(w, 11, 10) == 2) { /* indexed by a register */
    m = oct_effect_memory(i->op, 0, rn, 0);
    m->index = (uint8_t)source(bits(w, 20, 16));
    m->form |= (uint8_t)(oct_a64_extends[bits(w, 15, 13)] << 4);
    m->shift = (uint8_t)(bit(w, 12) ? scale : 0);
  } else if (bit(w, 10)) { /* with an authenticated base (ldraa): the address is not followed */
    clobber(i, rt);
    if (bit(w, 11)) oct_effect_clobber(i->op, rn);
    return;
  } else { /* read, change and write; what is stored is not followed, but for a swap */
    m = oct_effect_memory(i->op, 0, rn, 0);
    m->form |= OCT_MEM_SAME;
    i->op->data[0] = (uint8_t)dest(rt);
    if (bits(w, 15, 12) == 8) i->op->data[1] = (uint8_t)source(bits(w, 20, 16));
    return;
  }
  if (is_vector) return;
  if (size == 3 && opc == 2) { /* prefetch */
    m->form = 0;
    return;
  }
  i->op->data[0] = (uint8_t)(is_store ? source(rt) : dest(rt));
  set_extension(i, size, opc);
}

/* Instructions that access memory. */
static void load_store(a64_insn *i) {
  uint32_t w = i->word;
  unsigned kind = bits(w, 29, 28);
  if (kind == 0 && !bit(w, 26)) {
    exclusive(i);
  } else if (kind == 0) { /* structures of vectors; with a step that is not followed */
    oct_effect_memory(i->op, 0, bits(w, 9, 5), 0);
    if (bit(w, 23)) oct_effect_clobber(i->op, bits(w, 9, 5));
  } else if (kind == 1 && !bit(w, 24)) { /* from a place relative to the instruction */
    uint64_t at = i->addr + (oct_sign_extend(bits(w, 23, 5), 19) << 2);
    unsigned opc = bits(w, 31, 30);
    oct_effect_memory(i->op, 0, OCT_REG_ZERO, at);
    if (!bit(w, 26) && opc < 3) i->op->data[0] = (uint8_t)dest(bits(w, 4, 0));
    if (!bit(w, 26) && opc == 2) i->op->width |= OCT_EFFECT_LOAD_SIGNED;
  } else if (kind == 1) { /* unscaled with acquire and release */
    i->op->clobbers = 0x7fffffff;
  } else if (kind == 2) {
    pair(i);
  } else {
    single(i);
  }
}

/* Operand width by bit 31. */
static void set_width(a64_insn *i) {
  i->op->width = (uint8_t)((i->op->width & ~OCT_EFFECT_WIDTH_LOG2) | (bit(i->word, 31) ? 3 : 2));
}

/* ---- Data processing, immediate ---- */

/* The bit mask of a logic immediate (N, imms, immr), or 0 when it is none. */
static uint64_t bit_mask(uint32_t word, unsigned n_bits) {
  unsigned n = bits(word, 22, 22), imms = bits(word, 15, 10), immr = bits(word, 21, 16);
  unsigned combined = n << 6 | (~imms & 63), size = 64;
  if (combined < 2) return 0;
  while (!(combined & size)) size /= 2;
  unsigned ones = (imms & (size - 1)) + 1, turn = immr & (size - 1);
  uint64_t mask = UINT64_MAX >> (64 - ones), all = UINT64_MAX >> (64 - size);
  if (turn) mask = (mask >> turn | mask << (size - turn)) & all;
  for (; size < 64; size *= 2) mask |= mask << size;
  return n_bits == 64 ? mask : mask & UINT32_MAX;
}

/* Bit fields that are shifts or extensions of the whole register. */
static void bit_field(a64_insn *i) {
  uint32_t w = i->word;
  unsigned rd = bits(w, 4, 0), rn = bits(w, 9, 5), kind = bits(w, 30, 29);
  unsigned immr = bits(w, 21, 16), imms = bits(w, 15, 10), top = bit(w, 31) ? 63 : 31;
  oct_effect *op = i->op;
  if (kind == 1 || kind == 3) { /* bfm */
    clobber(i, rd);
    return;
  }
  oct_effect_alu(op, OCT_RESULT_ADD, dest(rd), OCT_REG_ZERO, source(rn), 0);
  if (imms == top) { /* lsr asr */
    op->b_form = (uint8_t)((kind ? OCT_SHIFT_RIGHT : OCT_SHIFT_SIGNED) | immr);
  } else if (immr == 0 && (imms == 7 || imms == 15 || imms == 31)) {
    op->b_extend = (uint8_t)((imms == 7    ? OCT_EXTEND_U8
                              : imms == 15 ? OCT_EXTEND_U16
                                           : OCT_EXTEND_U32) +
                             (kind ? 0 : OCT_EXTEND_S8 - OCT_EXTEND_U8));
  } else if (kind == 2 && imms + 1 == immr) { /* lsl */
    op->b_form = (uint8_t)(OCT_SHIFT_LEFT | (top - imms));
  } else if (immr > imms &&
             (imms == 7 || imms == 15 || imms == 31)) { /* extended and shifted left */
    op->b_extend = (uint8_t)((imms == 7    ? OCT_EXTEND_U8
                              : imms == 15 ? OCT_EXTEND_U16
                                           : OCT_EXTEND_U32) +
                             (kind ? 0 : OCT_EXTEND_S8 - OCT_EXTEND_U8));
    op->b_form = (uint8_t)(OCT_SHIFT_LEFT | (top + 1 - immr));
  } else {
    oct_effect_alu(op, OCT_RESULT_NONE, OCT_REG_NONE, OCT_REG_NONE, OCT_REG_NONE, 0);
    clobber(i, rd);
  }
}

static void move_wide(a64_insn *i) {
  uint32_t w = i->word;
  unsigned rd = bits(w, 4, 0), shift = 16 * bits(w, 22, 21);
  uint64_t imm = bits(w, 20, 5);
  switch (bits(w, 30, 29)) {
    case 0: /* movn */
      imm = ~(imm << shift);
      oct_effect_constant(i->op, dest(rd), bit(w, 31) ? imm : imm & UINT32_MAX);
      break;
    case 2:
      oct_effect_constant(i->op, dest(rd), imm << shift);
      break;
    case 3: /* movk */
      oct_effect_alu(i->op, OCT_RESULT_INSERT, dest(rd), source(rd), OCT_REG_ZERO, imm);
      i->op->b_form = (uint8_t)shift;
      break;
    default:
      break;
  }
}

static const uint8_t logic[4] = {OCT_RESULT_AND, OCT_RESULT_OR, OCT_RESULT_XOR, OCT_RESULT_AND};

static void immediate(a64_insn *i) {
  uint32_t w = i->word;
  unsigned rd = bits(w, 4, 0), rn = bits(w, 9, 5), kind = bits(w, 25, 23);
  uint64_t imm = bits(w, 21, 10);
  set_width(i);
  switch (kind) {
    case 0:
    case 1: /* adr adrp */
      imm = oct_sign_extend(bits(w, 23, 5) << 2 | bits(w, 30, 29), 21);
      imm = bit(w, 31) ? (i->addr & ~UINT64_C(0xfff)) + (imm << 12) : i->addr + imm;
      oct_effect_constant(i->op, dest(rd), imm);
      i->op->width = 3;
      break;
    case 2: /* add adds sub subs: 31 is the stack pointer but for the result of adds and subs */
      if (bit(w, 22)) imm <<= 12;
      oct_effect_alu(i->op, bit(w, 30) ? OCT_RESULT_SUB : OCT_RESULT_ADD,
                     bit(w, 29) ? dest(rd) : rd, rn, OCT_REG_ZERO, imm);
      if (bit(w, 29)) oct_effect_set_flags(i->op, OCT_FLAGS_ALU);
      break;
    case 4: /* and orr eor ands */
      imm = bit_mask(w, bit(w, 31) ? 64 : 32);
      oct_effect_alu(i->op, logic[bits(w, 30, 29)], bits(w, 30, 29) == 3 ? dest(rd) : rd,
                     source(rn), OCT_REG_ZERO, imm);
      if (bits(w, 30, 29) == 3) oct_effect_set_flags(i->op, OCT_FLAGS_NZ_00);
      break;
    case 5:
      move_wide(i);
      break;
    case 6:
      bit_field(i);
      break;
    default: /* extr, and additions with tags */
      if (rd != REG_31 || kind == 3) oct_effect_clobber(i->op, rd);
      break;
  }
}

/* ---- Data processing, registers ---- */

/* Addition and logic with a shifted register. */
static void shifted(a64_insn *i) {
  uint32_t w = i->word;
  unsigned rd = bits(w, 4, 0), rn = bits(w, 9, 5), rm = bits(w, 20, 16);
  static const uint8_t negated[4] = {OCT_RESULT_BIC, OCT_RESULT_ORN, 0, OCT_RESULT_BIC};
  unsigned what = bits(w, 30, 29), result;
  if (bit(w, 24)) {
    result = bit(w, 30) ? OCT_RESULT_SUB : OCT_RESULT_ADD;
    if (bit(w, 29)) oct_effect_set_flags(i->op, OCT_FLAGS_ALU);
  } else {
    result = bit(w, 21) ? negated[what] : logic[what];
    if (what == 3) oct_effect_set_flags(i->op, OCT_FLAGS_NZ_00);
  }
  if (!result) { /* eon */
    clobber(i, rd);
    return;
  }
  oct_effect_alu(i->op, result, dest(rd), source(rn), source(rm), 0);
  i->op->b_form = (uint8_t)(bits(w, 23, 22) << 6 | bits(w, 15, 10));
}

static void extended(a64_insn *i) {
  uint32_t w = i->word;
  unsigned rd = bits(w, 4, 0), rn = bits(w, 9, 5), rm = bits(w, 20, 16);
  oct_effect_alu(i->op, bit(w, 30) ? OCT_RESULT_SUB : OCT_RESULT_ADD, bit(w, 29) ? dest(rd) : rd,
                 rn, source(rm), 0);
  i->op->b_extend = oct_a64_extends[bits(w, 15, 13)];
  i->op->b_form = (uint8_t)(OCT_SHIFT_LEFT | bits(w, 12, 10));
  if (bit(w, 29)) oct_effect_set_flags(i->op, OCT_FLAGS_ALU);
}

static void registers(a64_insn *i) {
  uint32_t w = i->word;
  unsigned rd = bits(w, 4, 0), rn = bits(w, 9, 5), rm = bits(w, 20, 16);
  static const uint8_t shifts[4] = {OCT_RESULT_SHL, OCT_RESULT_SHR, OCT_RESULT_SAR, 0};
  set_width(i);
  if (!bit(w, 28)) {
    if (bit(w, 24) && bit(w, 21))
      extended(i);
    else
      shifted(i);
    return;
  }
  switch (bits(w, 24, 21)) {
    case 0: /* with carry */
      clobber(i, rd);
      if (bit(w, 29)) oct_effect_set_flags(i->op, OCT_FLAGS_UNKNOWN);
      break;
    case 2: /* ccmp ccmn */
      oct_effect_set_flags(i->op, OCT_FLAGS_UNKNOWN);
      break;
    case 4: /* csel csinc csinv csneg */
      if (bits(w, 15, 12) < 14 && !bit(w, 30) && !bit(w, 10)) {
        oct_effect_alu(i->op, OCT_RESULT_SELECT, dest(rd), source(rn), source(rm), 0);
        i->op->cond = (uint8_t)(OCT_COND_FLAGS | bits(w, 15, 12));
      } else {
        clobber(i, rd);
      }
      break;
    case 6: /* two sources or one */
      if (!bit(w, 30) && bits(w, 15, 12) == 2 && shifts[bits(w, 11, 10)])
        oct_effect_alu(i->op, shifts[bits(w, 11, 10)], dest(rd), source(rn), source(rm), 0);
      else
        clobber(i, rd);
      break;
    default: /* three sources: multiplication */
      clobber(i, rd);
      break;
  }
}

/* ---- Branches and the system ---- */

static void branch(a64_insn *i) {
  uint32_t w = i->word;
  unsigned top = bits(w, 31, 24), rt = bits(w, 4, 0);
  oct_effect *op = i->op;
  if ((top & 0x7e) == 0x34) { /* cbz cbnz */
    op->cond = (uint8_t)(OCT_COND_REGS | (top & 1 ? OCT_CMP_NE : OCT_CMP_EQ));
    op->cond_a = (uint8_t)source(rt);
    op->cond_b = OCT_REG_ZERO;
    if (!bit(w, 31)) op->width |= OCT_EFFECT_BIT_NARROW;
  } else if ((top & 0x7e) == 0x36) { /* tbz tbnz */
    op->cond = (uint8_t)(OCT_COND_BIT | (top & 1));
    op->cond_a = (uint8_t)source(rt);
    op->cond_b = (uint8_t)(bit(w, 31) << 5 | bits(w, 23, 19));
  } else if (top == 0x54) {
    if (bits(w, 3, 0) < 14) op->cond = (uint8_t)(OCT_COND_FLAGS | bits(w, 3, 0));
  } else if ((top & 0x7c) == 0x14) { /* b bl */
    if (bit(w, 31)) op->link = REG_LR;
  } else if (top == 0xd6 || top == 0xd7) { /* br blr ret, and those with pointer authentication */
    unsigned kind = bits(w, 23, 21), rn = bits(w, 9, 5);
    if (kind == 2 && bit(w, 11)) rn = REG_LR; /* retaa */
    if (kind == 4) {
      op->flags |= OCT_EFFECT_SYSTEM; /* eret */
      op->target = OCT_TARGET_UNKNOWN;
    } else {
      oct_effect_jump(op, source(rn), 0);
    }
    if (kind == 1) op->link = REG_LR;
  } else if (top == 0xd4) { /* svc and its kin */
    op->flags |= OCT_EFFECT_SYSTEM;
    oct_effect_clobber(op, 0);
  } else if (top == 0xd5 && bit(w, 21)) { /* mrs */
    clobber(i, rt);
    if ((w & ~UINT32_C(0x3f)) == 0xd53b2400) /* rndr rndrrs: whether there is a number */
      oct_effect_set_flags(op, OCT_FLAGS_UNKNOWN);
  } else if (top == 0xd5 && bits(w, 20, 19) == 3) { /* msr, of the flags too */
    oct_effect_set_flags(op, OCT_FLAGS_UNKNOWN);
  } else if ((w & ~UINT32_C(0x1f)) == 0xd50b7420) { /* dc zva: zeros that emulators do not tell */
    op->flags |= OCT_EFFECT_SYSTEM;
  }
}

/* Of the vector unit only what touches a general register or the flags. */
static void vector(a64_insn *i) {
  uint32_t w = i->word;
  unsigned rd = bits(w, 4, 0);
  if ((w & 0x5f200c00) == 0x1e200000) {
    if (bits(w, 15, 10) == 8) oct_effect_set_flags(i->op, OCT_FLAGS_UNKNOWN); /* fcmp */
    /* Conversions and moves to a general register. */
    else if (!bits(w, 15, 10) && bits(w, 18, 16) != 2 && bits(w, 18, 16) != 3 &&
             !(bits(w, 18, 16) == 7))
      clobber(i, rd);
  } else if ((w & 0x5f200c00) == 0x1e200400) { /* fccmp */
    oct_effect_set_flags(i->op, OCT_FLAGS_UNKNOWN);
  } else if ((w & 0x5f000000) == 0x1e000000 && !bit(w, 21)) { /* to and from fixed point */
    clobber(i, rd);
  } else if ((w & 0xbfe08400) == 0x0e000400 && (bits(w, 14, 11) == 5 || bits(w, 14, 11) == 7)) {
    clobber(i, rd); /* smov umov */
  }
}

void oct_aarch64_effect(uint32_t word, uint64_t addr, oct_effect *op) {
  a64_insn i = {word, addr, op};
  oct_effect_start(op, 1);
  switch (bits(word, 28, 25)) {
    case 8:
    case 9:
      immediate(&i);
      break;
    case 10:
    case 11:
      branch(&i);
      break;
    case 4:
    case 6:
    case 12:
    case 14:
      load_store(&i);
      break;
    case 5:
    case 13:
      registers(&i);
      break;
    case 7:
    case 15:
      vector(&i);
      break;
    default: /* scalable vectors and what is reserved */
      op->clobbers = UINT32_MAX;
      break;
  }
}
