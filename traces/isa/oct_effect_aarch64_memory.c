/* SPDX-License-Identifier: Apache-2.0 */
/* oct_effect_aarch64_memory.c - effects of AArch64 loads and stores: single registers and
 * pairs in all forms of address, exclusive and atomic accesses, structures of vectors. */
#include "oct_effect_aarch64.h"

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
  int64_t offset = (int64_t)(sign_extend(bits(w, 21, 15), 7) << scale);
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
  uint64_t near = sign_extend(bits(w, 20, 12), 9);
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

void oct_aarch64_load_store(a64_insn *i) {
  uint32_t w = i->word;
  unsigned kind = bits(w, 29, 28);
  if (kind == 0 && !bit(w, 26)) {
    exclusive(i);
  } else if (kind == 0) { /* structures of vectors; with a step that is not followed */
    oct_effect_memory(i->op, 0, bits(w, 9, 5), 0);
    if (bit(w, 23)) oct_effect_clobber(i->op, bits(w, 9, 5));
  } else if (kind == 1 && !bit(w, 24)) { /* from a place relative to the instruction */
    uint64_t at = i->addr + (sign_extend(bits(w, 23, 5), 19) << 2);
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
