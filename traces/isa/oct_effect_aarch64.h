/* SPDX-License-Identifier: Apache-2.0 */
/* oct_effect_aarch64.h - inside of the library: what the two files of AArch64 effects
 * share. */
#ifndef OCT_EFFECT_AARCH64_H
#define OCT_EFFECT_AARCH64_H

#include "oct_isa_decode.h"
#include "oct_effect_build.h"

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

/* The low n bits of value as a signed number. */
static inline uint64_t sign_extend(uint32_t value, unsigned n) {
  uint64_t sign = UINT64_C(1) << (n - 1);
  return (value ^ sign) - sign;
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

/* Instructions that access memory. */
void oct_aarch64_load_store(a64_insn *i);

#endif
