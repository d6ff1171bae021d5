/* SPDX-License-Identifier: Apache-2.0 */
/* oct_effect_arm.c - effects of ARM code (A32), after the ARM architecture manual (ARM
 * DDI 0100 and, for ARMv6 and v7, DDI 0406).
 *
 * The space is split as in oct_isa_arm.c. Register 15 never appears: read, it is the constant addr
 * + 8; written, it is the target. Condition codes are those of oct_effect_flag_cond. Arithmetic
 * with carry, multiplies and the rotation through carry are not followed. */
#include "oct_isa_decode.h"
#include "oct_effect_build.h"

enum { COND_ALWAYS = 14, REG_LR = 14, REG_PC = 15, PC_AHEAD_BYTES = 8 };

static uint32_t bits(uint32_t word, unsigned high, unsigned low) {
  return word >> low & ((2u << (high - low)) - 1);
}

static int bit(uint32_t word, unsigned n) {
  return word >> n & 1;
}

/* A register shifted by a constant. */
typedef struct operand {
  unsigned reg;    /* or OCT_REG_ZERO, OCT_REG_NONE */
  unsigned form;   /* as b_form */
  uint32_t value;  /* what is added: an immediate or the program counter */
  int keeps_carry; /* logic operations leave C as it is */
} operand;

/* Register and shift in bits 11..0: 32 places to the right leave zeros, or the sign. */
static operand shifted(uint32_t word, uint32_t pc) {
  unsigned kind = bits(word, 6, 5), amount = bits(word, 11, 7);
  operand o = {bits(word, 3, 0), kind << 6 | amount, 0, kind == 0 && !amount};
  if (kind && !amount) {
    o.form = OCT_SHIFT_SIGNED | 31;
    if (kind != 2) {
      o.form = 0;
      o.reg = kind == 1 ? OCT_REG_ZERO : OCT_REG_NONE;
    }
  }
  if (o.reg != REG_PC) return o;
  o.reg = o.form ? OCT_REG_NONE : OCT_REG_ZERO;
  o.value = pc;
  return o;
}

static operand immediate(uint32_t word) {
  unsigned rotate = 2 * bits(word, 11, 8);
  uint32_t value = bits(word, 7, 0);
  operand o = {OCT_REG_ZERO, 0, value, !rotate};
  if (rotate) o.value = value >> rotate | value << (32 - rotate);
  return o;
}

/* The result goes to a register, or to the program counter, which it then jumps to. */
static void set_dest(oct_effect *op, unsigned rd) {
  op->dest = (uint8_t)(rd == REG_PC ? OCT_REG_NONE : rd);
  if (rd == REG_PC) op->target = OCT_TARGET_RESULT;
}

/* A result that is not followed. */
static void set_unknown(oct_effect *op, unsigned rd, int sets_flags) {
  if (rd == REG_PC) op->target = OCT_TARGET_UNKNOWN;
  if (rd != REG_PC) oct_effect_clobber(op, rd);
  if (sets_flags) oct_effect_set_flags(op, OCT_FLAGS_UNKNOWN);
}

enum { AND, EOR, SUB, RSB, ADD, ADC, SBC, RSC, TST, TEQ, CMP, CMN, ORR, MOV, BIC, MVN };

static const uint8_t results[16] = {
    [AND] = OCT_RESULT_AND, [EOR] = OCT_RESULT_XOR, [SUB] = OCT_RESULT_SUB, [RSB] = OCT_RESULT_RSB,
    [ADD] = OCT_RESULT_ADD, [TST] = OCT_RESULT_AND, [TEQ] = OCT_RESULT_XOR, [CMP] = OCT_RESULT_SUB,
    [CMN] = OCT_RESULT_ADD, [ORR] = OCT_RESULT_OR,  [MOV] = OCT_RESULT_ADD, [BIC] = OCT_RESULT_BIC,
    [MVN] = OCT_RESULT_ORN,
};

/* With a register as the amount of the shift: of these only mov is followed. */
static void shift_by_register(uint32_t word, oct_effect *op) {
  static const uint8_t shifts[4] = {OCT_RESULT_SHL, OCT_RESULT_SHR, OCT_RESULT_SAR, 0};
  unsigned opcode = bits(word, 24, 21), rd = bits(word, 15, 12), rm = bits(word, 3, 0);
  unsigned how = shifts[bits(word, 6, 5)];
  if (opcode != MOV || !how || rm == REG_PC) {
    set_unknown(op, opcode >= TST && opcode <= CMN ? OCT_REG_NONE : rd, bit(word, 20));
    return;
  }
  oct_effect_alu(op, how, rd, rm, bits(word, 11, 8), 0);
  op->b_extend = OCT_EXTEND_U8;
  if (bit(word, 20)) oct_effect_set_flags(op, OCT_FLAGS_NZ_C);
}

static void data_processing(uint32_t word, uint32_t pc, oct_effect *op) {
  unsigned opcode = bits(word, 24, 21), rn = bits(word, 19, 16), rd = bits(word, 15, 12);
  int sets_flags = bit(word, 20), is_test = opcode >= TST && opcode <= CMN;
  int is_arithmetic = (opcode >= SUB && opcode <= RSC) || opcode == CMP || opcode == CMN;
  operand o = bit(word, 25) ? immediate(word) : shifted(word, pc);
  if (!results[opcode]) { /* with carry */
    set_unknown(op, rd, sets_flags);
    return;
  }
  if (opcode == MOV || opcode == MVN) rn = OCT_REG_ZERO;
  oct_effect_alu(op, results[opcode], OCT_REG_NONE, rn, o.reg, o.value);
  op->b_form = (uint8_t)o.form;
  if (rn == REG_PC) {
    op->a = OCT_REG_NONE;
    if (opcode == ADD) {
      op->a = OCT_REG_ZERO;
      op->imm = (uint32_t)(op->imm + pc);
    } else if (opcode == SUB && o.reg == OCT_REG_ZERO) {
      oct_effect_constant(op, OCT_REG_NONE, pc - o.value);
    }
  }
  if (is_test)
    op->dest = OCT_REG_NONE;
  else
    set_dest(op, rd);
  if (sets_flags)
    oct_effect_set_flags(op, is_arithmetic   ? OCT_FLAGS_ALU
                             : o.keeps_carry ? OCT_FLAGS_NZ
                                             : OCT_FLAGS_NZ_C);
  if (sets_flags && !is_test && rd == REG_PC) { /* return from an exception */
    op->flags |= OCT_EFFECT_SYSTEM;
    oct_effect_set_flags(op, OCT_FLAGS_UNKNOWN);
  }
}

/* The space of tst to cmn without S: BX, BLX, CLZ, MRS, MSR, saturating and halfword arithmetic. */
static void miscellaneous(uint32_t word, oct_effect *op) {
  unsigned kind = bits(word, 22, 21), op2 = bits(word, 7, 4), rm = bits(word, 3, 0);
  unsigned rd = bits(word, 15, 12);
  if (op2 & 8) { /* smlaxy smlawy smlalxy smulxy */
    oct_effect_clobber(op, bits(word, 19, 16));
    if (kind == 2) oct_effect_clobber(op, rd);
  } else if (kind == 1 && op2 >= 1 && op2 <= 3) {
    if (rm == REG_PC)
      op->target = OCT_TARGET_UNKNOWN;
    else
      oct_effect_jump(op, rm, 0);
    op->flags |= OCT_EFFECT_EVEN_TARGET;
    if (op2 == 3) op->link = REG_LR;
  } else if (op2 == 0 && (kind & 1)) { /* msr */
    oct_effect_set_flags(op, OCT_FLAGS_UNKNOWN);
  } else if (op2 != 7) { /* mrs clz qadd; bkpt has none */
    oct_effect_clobber(op, rd);
  } else {
    op->flags |= OCT_EFFECT_SYSTEM;
  }
}

/* The same with an immediate: movw, movt, msr and hints. */
static void miscellaneous_immediate(uint32_t word, oct_effect *op) {
  unsigned rd = bits(word, 15, 12);
  uint32_t value = bits(word, 19, 16) << 12 | bits(word, 11, 0);
  switch (bits(word, 22, 21)) {
    case 0:
      oct_effect_constant(op, rd, value);
      break;
    case 2:
      oct_effect_alu(op, OCT_RESULT_INSERT, rd, rd, OCT_REG_ZERO, value);
      op->b_form = 16;
      break;
    default:
      if (bits(word, 19, 16)) oct_effect_set_flags(op, OCT_FLAGS_UNKNOWN);
      break;
  }
}

/* The memory operand of a transfer of one or two words: bit 24 indexed before, 23 up, 21
 * write-back. */
static void set_address(uint32_t word, uint32_t pc, operand o, oct_effect *op) {
  unsigned rn = bits(word, 19, 16);
  int before = bit(word, 24), up = bit(word, 23);
  uint32_t offset = up ? o.value : 0u - o.value;
  oct_effect_mem *m = oct_effect_memory(op, 0, rn, (uint64_t)(int64_t)(int32_t)offset);
  if (o.reg == OCT_REG_NONE) { /* not followed */
    m->form = 0;
    if (!before || bit(word, 21)) oct_effect_clobber(op, rn);
    return;
  }
  m->index = (uint8_t)o.reg;
  m->shift = (uint8_t)o.form;
  if (!up && o.reg != OCT_REG_ZERO) m->form |= OCT_MEM_MINUS;
  if (before && bit(word, 21)) m->form |= OCT_MEM_BACK_ADDRESS;
  if (!before && o.reg != OCT_REG_ZERO) m->form |= OCT_MEM_BACK_INDEX;
  if (!before && o.reg == OCT_REG_ZERO) {
    m->form |= OCT_MEM_BACK_STEP;
    m->step = (int32_t)offset;
    m->offset = 0;
  }
  if (rn != REG_PC) return;
  m->base = OCT_REG_ZERO;
  m->offset = (uint32_t)(m->offset + pc);
  m->form &= (uint8_t)~OCT_MEM_BACK;
}

/* What is loaded or stored by access i. */
static void set_data(oct_effect *op, unsigned i, unsigned reg, int is_load) {
  op->data[i] = (uint8_t)(reg == REG_PC ? OCT_REG_NONE : reg);
  if (reg != REG_PC || !is_load) return;
  op->target = (uint8_t)(OCT_TARGET_LOADED | i << 4);
  op->flags |= OCT_EFFECT_EVEN_TARGET;
}

/* Multiplies, and the exclusive loads and stores of ARMv6. An emulator may make an exclusive store
 * as a load, to compare first, and a store: what its first access stores is not known. */
static void multiply_or_swap(uint32_t word, oct_effect *op) {
  unsigned rn = bits(word, 19, 16), rd = bits(word, 15, 12), rm = bits(word, 3, 0);
  int is_load = bit(word, 20);
  if (!bit(word, 24)) {
    oct_effect_clobber(op, rn);
    if (bit(word, 23) || bits(word, 22, 20) == 4) oct_effect_clobber(op, rd);
    if (bit(word, 20)) oct_effect_set_flags(op, OCT_FLAGS_UNKNOWN);
    return;
  }
  oct_effect_mem *m = oct_effect_memory(op, 0, rn, 0);
  if (!bit(word, 23)) { /* swp */
    m->form |= OCT_MEM_SAME;
    op->data[0] = (uint8_t)rd;
    op->data[1] = (uint8_t)rm;
    return;
  }
  if (is_load) {
    op->data[0] = (uint8_t)rd;
    if (bits(word, 22, 21) == 1) { /* two words, or one access of 8 bytes */
      op->data[1] = (uint8_t)((rd + 1) & 15);
      oct_effect_clobber(op, (rd + 1) & 15);
    }
  } else if (bit(word, 9)) {
    oct_effect_clobber(op, rd);
    m->form |= OCT_MEM_SAME;
  } else { /* stl */
    op->data[0] = (uint8_t)rm;
  }
}

/* Bits 7 and 4 set in the register space. */
static void extra(uint32_t word, uint32_t pc, oct_effect *op) {
  unsigned kind = bits(word, 6, 5), rd = bits(word, 15, 12);
  int is_load = bit(word, 20), is_pair = !is_load && kind >= 2;
  if (!kind) {
    multiply_or_swap(word, op);
    return;
  }
  operand o = {OCT_REG_ZERO, 0, bits(word, 11, 8) << 4 | bits(word, 3, 0), 0};
  if (!bit(word, 22)) {
    o.reg = bits(word, 3, 0) == REG_PC ? OCT_REG_NONE : bits(word, 3, 0);
    o.value = 0;
  }
  set_address(word, pc, o, op);
  if (is_pair) is_load = kind == 2;
  set_data(op, 0, rd, is_load);
  if (is_pair) set_data(op, 1, (rd + 1) & 15, is_load);
  if (is_load && !is_pair && kind >= 2) op->width |= OCT_EFFECT_LOAD_SIGNED;
}

/* ARMv6: extensions are followed, all else is not. */
static void media(uint32_t word, oct_effect *op) {
  unsigned code = bits(word, 27, 20), rd = bits(word, 15, 12);
  int is_extension = bits(word, 9, 4) == 7 && bits(word, 19, 16) == REG_PC && !bits(word, 11, 10);
  if (is_extension && (code == 0x6a || code == 0x6b || code == 0x6e || code == 0x6f)) {
    static const uint8_t extends[8] = {0, 0, OCT_EXTEND_S8, OCT_EXTEND_S16,
                                       0, 0, OCT_EXTEND_U8, OCT_EXTEND_U16};
    oct_effect_alu(op, OCT_RESULT_ADD, rd, OCT_REG_ZERO, bits(word, 3, 0), 0);
    op->b_extend = extends[code & 7];
    return;
  }
  if (code >= 0x70 && code < 0x7a) oct_effect_clobber(op, bits(word, 19, 16));
  int is_undefined = code == 0x7f && bits(word, 7, 4) == 15; /* else ubfx of 17 bits or more */
  if (!is_undefined) oct_effect_clobber(op, rd);
}

static void single(uint32_t word, uint32_t pc, oct_effect *op) {
  operand o = {OCT_REG_ZERO, 0, bits(word, 11, 0), 0};
  if (bit(word, 25)) o = shifted(word & ~UINT32_C(0x10), pc);
  if (o.reg == OCT_REG_ZERO && bit(word, 25) && o.value) o.reg = OCT_REG_NONE; /* indexed by pc */
  set_address(word, pc, o, op);
  set_data(op, 0, bits(word, 15, 12), bit(word, 20));
}

static void block(uint32_t word, oct_effect *op) {
  uint32_t list = bits(word, 15, 0);
  unsigned rn = bits(word, 19, 16), n = (unsigned)__builtin_popcount(list);
  int up = bit(word, 23), before = bit(word, 24), is_load = bit(word, 20);
  int32_t bytes = 4 * (int32_t)n;
  int32_t offset = up ? (before ? 4 : 0) : (before ? -bytes : 4 - bytes);
  oct_effect_mem *m = oct_effect_memory(op, 0, rn, (uint64_t)(int64_t)offset);
  if (bit(word, 21)) m->form |= OCT_MEM_BACK_STEP;
  m->step = up ? bytes : -bytes;
  if (rn == REG_PC) m->form = 0;
  if (is_load && bit(list, REG_PC)) {
    op->target = (uint8_t)(OCT_TARGET_LOADED | (n - 1) << 4);
    op->flags |= OCT_EFFECT_EVEN_TARGET;
  }
  list &= ~(UINT32_C(1) << REG_PC);
  if (!bit(word, 22)) {
    op->list = list;
  } else if (is_load) { /* registers of another mode, or return from an exception */
    op->clobbers = list;
    op->flags |= OCT_EFFECT_SYSTEM;
  }
}

/* Transfers of coprocessors, but for the addresses of the floating-point unit's. Returns whether
 * memory is accessed. */
static int coprocessor_registers(uint32_t word, oct_effect *op) {
  unsigned rn = bits(word, 19, 16);
  int back = bit(word, 21), is_load = bit(word, 20);
  int is_between = !bit(word, 24) && !bit(word, 23) && !back; /* registers */
  if (is_between && bit(word, 22) && is_load) oct_effect_clobber(op, bits(word, 15, 12));
  if (is_between ? bit(word, 22) && is_load : bits(word, 11, 9) != 5 && back)
    oct_effect_clobber(op, rn);
  return !is_between;
}

/* The same with addresses; the floating-point unit's registers are none of ours. */
static void coprocessor_transfer(uint32_t word, uint32_t pc, oct_effect *op) {
  unsigned rn = bits(word, 19, 16);
  int up = bit(word, 23), before = bit(word, 24), back = bit(word, 21);
  int32_t bytes = 4 * (int32_t)bits(word, 7, 0), offset = up ? bytes : -bytes;
  if (!coprocessor_registers(word, op) || bits(word, 11, 9) != 5) return;
  oct_effect_mem *m = oct_effect_memory(op, 0, rn, before ? (uint64_t)(int64_t)offset : 0);
  if (rn == REG_PC) {
    m->base = OCT_REG_ZERO;
    m->offset = pc + (uint32_t)offset;
  } else if (back) {
    m->form |= OCT_MEM_BACK_STEP;
    m->step = offset;
  }
}

static void coprocessor(uint32_t word, oct_effect *op) {
  if (bit(word, 24)) { /* swi */
    op->flags |= OCT_EFFECT_SYSTEM;
    oct_effect_clobber(op, 0);
  } else if (bit(word, 4) && bit(word, 20)) { /* mrc */
    set_unknown(op, bits(word, 15, 12) == REG_PC ? OCT_REG_NONE : bits(word, 15, 12),
                bits(word, 15, 12) == REG_PC);
  }
}

/* Space without a condition: BLX, Neon, hints, and what leads into and out of exceptions. */
static void unconditional(uint32_t word, oct_effect *op) {
  unsigned top = bits(word, 27, 24);
  if (bits(word, 27, 25) == 5) {
    op->link = REG_LR;
  } else if (top == 4 && !bit(word, 20)) { /* vld1 .. vst4, their registers are none of ours */
    oct_effect_memory(op, 0, bits(word, 19, 16), 0);
    if (bits(word, 3, 0) != REG_PC) oct_effect_clobber(op, bits(word, 19, 16));
  } else if (bits(word, 27, 25) == 4 || bits(word, 27, 20) == 0x10) {
    op->flags |= OCT_EFFECT_SYSTEM; /* rfe srs cps setend */
    if (bit(word, 21)) oct_effect_clobber(op, bits(word, 19, 16));
    if (bits(word, 27, 25) == 4 && bit(word, 20)) op->target = OCT_TARGET_UNKNOWN;
  } else if (bits(word, 27, 25) == 6) { /* ldc2 stc2 mrrc2 */
    coprocessor_registers(word, op);
  } else if (top == 14) {
    coprocessor(word, op); /* mrc2 */
  }
}

void oct_arm_effect(uint32_t word, uint64_t addr, oct_effect *op) {
  unsigned cond = bits(word, 31, 28);
  uint32_t pc = (uint32_t)addr + PC_AHEAD_BYTES;
  oct_effect_start(op, 0);
  if (cond > COND_ALWAYS) {
    unconditional(word, op);
    return;
  }
  if (cond < COND_ALWAYS) op->cond = (uint8_t)(OCT_COND_FLAGS | cond);
  switch (bits(word, 27, 25)) {
    case 0:
      if (bit(word, 7) && bit(word, 4))
        extra(word, pc, op);
      else if (bits(word, 24, 23) == 2 && !bit(word, 20))
        miscellaneous(word, op);
      else if (bit(word, 4))
        shift_by_register(word, op);
      else
        data_processing(word, pc, op);
      break;
    case 1:
      if (bits(word, 24, 23) == 2 && !bit(word, 20))
        miscellaneous_immediate(word, op);
      else
        data_processing(word, pc, op);
      break;
    case 2:
      single(word, pc, op);
      break;
    case 3:
      if (bit(word, 4))
        media(word, op);
      else
        single(word, pc, op);
      break;
    case 4:
      block(word, op);
      break;
    case 5:
      if (bit(word, 24)) op->link = REG_LR;
      break;
    case 6:
      coprocessor_transfer(word, pc, op);
      break;
    default:
      coprocessor(word, op);
      break;
  }
  op->clobbers &= 0x7fff;
}
