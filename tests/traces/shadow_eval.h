/* SPDX-License-Identifier: Apache-2.0 */
/* shadow_eval.h - what an effect computes, from values that are known: arithmetic, flags
 * and conditions, by the definition in docs/trace-format.md. The tracer computes with code of its
 * own (model/shadow/oct_shadow_execute.h), which must also do with operands that are not known. All
 * functions are pure. */
#ifndef SHADOW_EVAL_H
#define SHADOW_EVAL_H

#include "octrace/trace.h"

/* N, Z, C and V, and in bits 4..7 whether each is known. */
enum { OCT_FLAG_N = 1, OCT_FLAG_Z = 2, OCT_FLAG_C = 4, OCT_FLAG_V = 8, OCT_FLAG_KNOWN_SHIFT = 4 };

/* All ones in the low n bits, 1..64. */
static inline uint64_t oct_shadow_ones(unsigned n) {
  return UINT64_MAX >> (64 - n);
}

/* The low n bits (1..64) of v as a signed number. */
static inline uint64_t oct_shadow_signed(uint64_t v, unsigned n) {
  uint64_t sign = UINT64_C(1) << (n - 1);
  return ((v & oct_shadow_ones(n)) ^ sign) - sign;
}

/* Registers and addresses: 32 or 64. */
static inline unsigned oct_shadow_reg_bits(const oct_effect *op) {
  return op->flags & OCT_EFFECT_64 ? 64 : 32;
}

/* Operands, result and flags: 8, 16, 32 or 64. */
static inline unsigned oct_shadow_bits(const oct_effect *op) {
  return 8u << (op->width & OCT_EFFECT_WIDTH_LOG2);
}

/* v shifted as a form byte says (amount and kind), in n bits. */
static inline uint64_t oct_shadow_shift(uint64_t v, unsigned form, unsigned n) {
  unsigned amount = form & 63;
  v &= oct_shadow_ones(n);
  if (!amount) return v;
  if (amount >= n) return (form & 192) == OCT_SHIFT_SIGNED && v >> (n - 1) ? oct_shadow_ones(n) : 0;
  switch (form & 192) {
    case OCT_SHIFT_LEFT:
      v <<= amount;
      break;
    case OCT_SHIFT_RIGHT:
      v >>= amount;
      break;
    case OCT_SHIFT_SIGNED:
      v = (uint64_t)((int64_t)oct_shadow_signed(v, n) >> amount);
      break;
    default:
      v = v >> amount | v << (n - amount);
      break;
  }
  return v & oct_shadow_ones(n);
}

static inline uint64_t oct_shadow_eval_extended(uint64_t v, unsigned extend) {
  static const uint8_t n[8] = {64, 8, 16, 32, 8, 16, 32, 64};
  return extend >= OCT_EXTEND_S8 ? oct_shadow_signed(v, n[extend & 7])
                                 : v & oct_shadow_ones(n[extend & 7]);
}

/* B from the value of register b. */
static inline uint64_t oct_shadow_b(const oct_effect *op, uint64_t b) {
  unsigned form = op->result == OCT_RESULT_INSERT ? 0 : op->b_form, n = oct_shadow_bits(op);
  return (oct_shadow_shift(oct_shadow_eval_extended(b, op->b_extend), form, n) + op->imm) &
         oct_shadow_ones(n);
}

/* The result before it is widened, from the value of register a and B, both known. It stands in the
 * low oct_shadow_bits. Returns 0 when it is not known all the same (SELECT and ADDRESS are not
 * computed here), else 1. */
static inline int oct_shadow_eval_result(const oct_effect *op, uint64_t a, uint64_t b,
                                         uint64_t *result) {
  unsigned n = oct_shadow_bits(op), place = op->b_form & 63;
  uint64_t v;
  a &= oct_shadow_ones(n);
  switch (op->result) {
    case OCT_RESULT_ADD:
      v = a + b;
      break;
    case OCT_RESULT_SUB:
      v = a - b;
      break;
    case OCT_RESULT_RSB:
      v = b - a;
      break;
    case OCT_RESULT_AND:
      v = a & b;
      break;
    case OCT_RESULT_OR:
      v = a | b;
      break;
    case OCT_RESULT_XOR:
      v = a ^ b;
      break;
    case OCT_RESULT_BIC:
      v = a & ~b;
      break;
    case OCT_RESULT_ORN:
      v = a | ~b;
      break;
    case OCT_RESULT_SHL:
    case OCT_RESULT_SHR:
    case OCT_RESULT_SAR:
      if (b >= n) return 0;
      v = oct_shadow_shift(a, (unsigned)b | (op->result - OCT_RESULT_SHL) << 6, n);
      break;
    case OCT_RESULT_INSERT:
      v = (a & ~(UINT64_C(0xffff) << place)) | (b & 0xffff) << place;
      break;
    default:
      return 0;
  }
  *result = v & oct_shadow_ones(n);
  return 1;
}

/* A result as the register holds it. */
static inline uint64_t oct_shadow_widened(const oct_effect *op, uint64_t result) {
  unsigned n = oct_shadow_bits(op);
  if (op->width & OCT_EFFECT_SIGNED_RESULT) result = oct_shadow_signed(result, n);
  return result & oct_shadow_ones(oct_shadow_reg_bits(op));
}

/* A word of n bytes that was loaded, as the register holds it. */
static inline uint64_t oct_shadow_loaded(const oct_effect *op, uint64_t word, unsigned n_bytes) {
  if (!n_bytes || n_bytes > 8) return word;
  word &= oct_shadow_ones(8 * n_bytes);
  if (op->width & OCT_EFFECT_LOAD_SIGNED) word = oct_shadow_signed(word, 8 * n_bytes);
  if (op->width & OCT_EFFECT_LOAD_SIGNED_32) word &= UINT32_MAX;
  return word & oct_shadow_ones(oct_shadow_reg_bits(op));
}

/* The flags behind the instruction: from those before, and, if is_known, from a, B and result. */
static inline unsigned oct_shadow_new_flags(const oct_effect *op, unsigned before, int is_known,
                                            uint64_t a, uint64_t b, uint64_t result) {
  unsigned how = op->set_flags & 15, n = oct_shadow_bits(op), set, flags = 0;
  static const uint8_t sets[16] = {0, 15, 15, 11, 3, 7, 15, 15, 15};
  if (how == OCT_FLAGS_KEEP) return before;
  set = sets[how];
  before &= ~(set | set << OCT_FLAG_KNOWN_SHIFT);
  if (how == OCT_FLAGS_NZ_C) set &= ~(unsigned)OCT_FLAG_C;
  if (!is_known || how == OCT_FLAGS_UNKNOWN) return before;
  a &= oct_shadow_ones(n);
  if (result >> (n - 1)) flags |= OCT_FLAG_N;
  if (!result) flags |= OCT_FLAG_Z;
  if (how <= OCT_FLAGS_NZV) {
    uint64_t first = op->result == OCT_RESULT_RSB ? b : a,
             second = op->result == OCT_RESULT_RSB ? a : b;
    if (op->result == OCT_RESULT_ADD) {
      if (result < first) flags |= OCT_FLAG_C;
      if (how == OCT_FLAGS_ALU_X86) flags ^= OCT_FLAG_C;
      if ((~(first ^ second) & (first ^ result)) >> (n - 1) & 1) flags |= OCT_FLAG_V;
    } else if (op->result == OCT_RESULT_SUB || op->result == OCT_RESULT_RSB) {
      if (first >= second) flags |= OCT_FLAG_C;
      if (((first ^ second) & (first ^ result)) >> (n - 1) & 1) flags |= OCT_FLAG_V;
    } else {
      set &= OCT_FLAG_N | OCT_FLAG_Z;
    }
  }
  if (how == OCT_FLAGS_NZ_10) flags |= OCT_FLAG_C;
  return before | (flags & set) | set << OCT_FLAG_KNOWN_SHIFT;
}

/* Whether a condition of the flags holds: 1, 0, or -1 when they are not known. */
static inline int oct_shadow_flags_hold(unsigned which, unsigned flags) {
  static const uint8_t needs[14] = {2, 2, 4, 4, 1, 1, 8, 8, 6, 6, 9, 9, 11, 11};
  unsigned need = which < 14 ? needs[which] : 15;
  int n = flags & OCT_FLAG_N ? 1 : 0, z = flags & OCT_FLAG_Z ? 1 : 0;
  int c = flags & OCT_FLAG_C ? 1 : 0, v = flags & OCT_FLAG_V ? 1 : 0, holds;
  if ((flags >> OCT_FLAG_KNOWN_SHIFT & need) != need) return -1;
  switch (which >> 1) {
    case OCT_IF_EQ >> 1:
      holds = z;
      break;
    case OCT_IF_CS >> 1:
      holds = c;
      break;
    case OCT_IF_MI >> 1:
      holds = n;
      break;
    case OCT_IF_VS >> 1:
      holds = v;
      break;
    case OCT_IF_HI >> 1:
      holds = c && !z;
      break;
    case OCT_IF_GE >> 1:
      holds = n == v;
      break;
    default:
      holds = !z && n == v;
      break;
  }
  return holds ^ (int)(which & 1);
}

/* Whether a condition of one or two registers holds, from their values. */
static inline int oct_shadow_regs_hold(const oct_effect *op, uint64_t a, uint64_t b) {
  unsigned n = op->width & OCT_EFFECT_BIT_NARROW ? 32 : oct_shadow_reg_bits(op);
  unsigned which = op->cond & OCT_COND_WHICH;
  if ((op->cond & OCT_COND_OF) == OCT_COND_BIT) return (a >> (op->cond_b & 63) & 1) == which;
  int64_t x = (int64_t)oct_shadow_signed(a, n), y = (int64_t)oct_shadow_signed(b, n);
  a &= oct_shadow_ones(n);
  b &= oct_shadow_ones(n);
  switch (which) {
    case OCT_CMP_EQ:
      return a == b;
    case OCT_CMP_NE:
      return a != b;
    case OCT_CMP_LT:
      return x < y;
    case OCT_CMP_GE:
      return x >= y;
    case OCT_CMP_LE:
      return x <= y;
    case OCT_CMP_GT:
      return x > y;
    case OCT_CMP_LTU:
      return a < b;
    default:
      return a >= b;
  }
}

/* The address of a memory operand, from the values of its base and index; *back is what the base
 * becomes (the same value without write-back). */
static inline uint64_t oct_shadow_eval_address(const oct_effect *op, const oct_effect_mem *m,
                                               uint64_t base, uint64_t index, uint64_t *back) {
  unsigned n = oct_shadow_reg_bits(op);
  uint64_t moved = oct_shadow_shift(
      oct_shadow_eval_extended(index, (m->form & OCT_MEM_INDEX_EXTEND) >> 4), m->shift, n);
  uint64_t addr = base + m->offset, how = m->form & OCT_MEM_BACK;
  if (m->form & OCT_MEM_MINUS) moved = 0 - moved;
  if (how != OCT_MEM_BACK_INDEX) addr += moved;
  addr &= oct_shadow_ones(n);
  *back = base;
  if (how == OCT_MEM_BACK_ADDRESS) *back = addr;
  if (how == OCT_MEM_BACK_STEP) *back = base + (uint64_t)(int64_t)m->step;
  if (how == OCT_MEM_BACK_INDEX) *back = base + moved;
  *back &= oct_shadow_ones(n);
  return addr;
}

#endif
