/* SPDX-License-Identifier: Apache-2.0 */
/* oct_effect_thumb.h - inside of the library: what the two decoders of Thumb code share. Register
 * 15 never appears, as in oct_effect_arm.c. */
#ifndef OCT_EFFECT_THUMB_H
#define OCT_EFFECT_THUMB_H

#include "oct_isa_decode.h"
#include "oct_effect_build.h"

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

/* An instruction of four bytes, its first halfword above. */
void oct_thumb_long_shadow(thumb_insn *i, uint32_t w, uint64_t addr);

#endif
