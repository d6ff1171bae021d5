/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_exec.h - shadow execution: what an instruction does to the shadow registers and to the
 * value cache (docs/shadow-format.md, section 6). Nothing here depends on the coder. */
#ifndef OCT_SHADOW_EXEC_H
#define OCT_SHADOW_EXEC_H

#include "oct_inline.h"
#include "oct_shadow_model.h"

/* ---- Value cache ---- */

OCT_INLINE uint64_t oct_ones(unsigned n_bits) {
  return n_bits >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n_bits) - 1;
}

OCT_INLINE bool oct_vc_is(const oct_vc_entry *e, uint64_t key) {
  return e->key - key - 1 < OCT_VC_HALVES; /* key itself: none of its halves is valid */
}

/* Way w of a set, with this contents, becomes the one used last. */
OCT_INLINE oct_vc_entry *oct_vc_use(oct_vc_entry *set, unsigned w, oct_vc_entry contents) {
  for (; w; w--) set[w] = set[w - 1];
  *set = contents;
  return set;
}

/* The entry that holds the word at addr, or NULL; for put a place is made. The ways of a set stand
 * in the order of their use, the one used last first. */
OCT_INLINE oct_vc_entry *oct_vc_find(oct_shadow_model *m, uint64_t addr, bool is_put) {
  uint64_t word = addr >> m->word_log2;
  unsigned ways = m->cfg.vc_ways;
  if (!m->cfg.vc_sets || !(m->has_words |= is_put)) return NULL;
  uint32_t set = (uint32_t)(word ^ word >> m->vc_set_bits) & (m->cfg.vc_sets - 1);
  uint64_t tag = word >> m->vc_set_bits;
  tag = (tag ^ tag >> m->cfg.vc_tag_bits) & m->vc_tag_mask;
  uint64_t key = tag << OCT_VC_KEY_TAG;
  oct_vc_entry *e = &m->vc[(size_t)set * ways];
  if (oct_vc_is(e, key)) return e;
  for (unsigned w = 1; w < ways; w++)
    if (oct_vc_is(&e[w], key)) return oct_vc_use(e, w, e[w]);
  if (!is_put) return NULL;
  unsigned old = 0; /* one that holds nothing, or the one not used for longest */
  while (old < ways - 1 && e[old].key & OCT_VC_HALVES) old++;
  return oct_vc_use(e, old, (oct_vc_entry){.key = key});
}

/* Halves of 32 bits that size bytes at addr lie in. */
OCT_INLINE unsigned oct_vc_halves(const oct_shadow_model *m, uint64_t addr, unsigned size) {
  if (m->word_log2 == 2) return 1;
  return (addr & 4 ? 0 : 1) | ((addr & 7) + size > 4 ? 2 : 0);
}

OCT_INLINE bool oct_vc_read(oct_shadow_model *m, uint64_t addr, unsigned size, uint64_t *v) {
  uint64_t in_word = addr & oct_ones(m->word_log2);
  if (!size || in_word + size > (1u << m->word_log2)) return false;
  oct_vc_entry *e = oct_vc_find(m, addr, 0);
  unsigned halves = oct_vc_halves(m, addr, size);
  if (!e || (e->key & halves) != halves) return false;
  *v = e->val >> (8 * in_word) & oct_ones(8 * size);
  return true;
}

OCT_INLINE void oct_vc_write(oct_shadow_model *m, uint64_t addr, unsigned size, bool is_known,
                             uint64_t v) {
  uint64_t in_word = addr & oct_ones(m->word_log2);
  unsigned word_bytes = 1u << m->word_log2;
  if (!size || size > word_bytes || in_word + size > word_bytes) { /* wide or crossing: forget */
    unsigned n = (unsigned)((in_word + (size ? size : 8) + word_bytes - 1) >> m->word_log2);
    for (unsigned i = 0; i < n; i++) {
      oct_vc_entry *e = oct_vc_find(m, (addr + i * word_bytes) & m->mask, 0);
      if (e) e->key &= ~(uint64_t)OCT_VC_HALVES;
    }
    return;
  }
  unsigned halves = oct_vc_halves(m, addr, size);
  bool fills = size >= 4 && !(addr & 3); /* each half that it touches */
  if (!is_known || !fills) {
    oct_vc_entry *e = oct_vc_find(m, addr, 0);
    if (!e) return;
    if (!is_known) {
      e->key &= ~(uint64_t)halves;
    } else if ((e->key & halves) == halves) {
      uint64_t mask = oct_ones(8 * size) << (8 * in_word);
      e->val = (e->val & ~mask) | (v << (8 * in_word) & mask);
    }
    return;
  }
  oct_vc_entry *e = oct_vc_find(m, addr, 1);
  if (!e) return;
  uint64_t mask = oct_ones(8 * size) << (8 * in_word);
  e->val = (e->val & ~mask) | (v << (8 * in_word) & mask);
  e->key |= halves;
}

/* ---- Registers ---- */

OCT_INLINE bool oct_sr_known(const oct_shadow_model *m, unsigned r) {
  return r < 64 && (m->regs.known >> r & 1);
}

OCT_INLINE void oct_sr_set(oct_shadow_model *m, unsigned r, bool is_known, uint64_t v) {
  if (r >= m->cfg.regs) return;
  uint64_t bit = UINT64_C(1) << r;
  m->regs.has_origin &= (uint32_t)~bit;
  if (is_known) {
    m->regs.val[r] = v & m->mask;
    m->regs.known |= bit;
  } else {
    m->regs.known &= ~bit;
  }
}

/* The word at addr turns out to be v. */
OCT_INLINE void oct_vc_learn(oct_shadow_model *m, uint64_t addr, uint64_t v) {
  m->learnt = (oct_learnt_word){addr, v, true};
}

OCT_INLINE bool oct_is_near_word(const oct_shadow_model *m, uint64_t a, uint64_t b) {
  return !((a ^ b) >> m->word_log2 & oct_ones(OCT_STALE_BITS));
}

/* A store at addr changes the word there. What was loaded from it before is its value no more. */
OCT_INLINE void oct_vc_stale(oct_shadow_model *m, uint64_t addr) {
  if (m->due.is_valid && oct_is_near_word(m, m->due.addr, addr)) m->due.is_valid = false;
  for (uint32_t left = m->regs.has_origin; left; left &= left - 1)
    if (oct_is_near_word(m, m->regs.origin[__builtin_ctz(left)], addr))
      m->regs.has_origin &= ~(left & -left);
}

/* An instruction begins. What was learnt before the last one goes to the value cache if this one
 * has no accesses, which need the cache for themselves. */
OCT_INLINE void oct_vc_settle(oct_shadow_model *m, bool has_data) {
  if (!has_data && m->due.is_valid) {
    oct_vc_write(m, m->due.addr, 1u << m->word_log2, true, m->due.val);
    m->due.is_valid = false;
  }
  if (m->learnt.is_valid) m->due = m->learnt;
  m->learnt.is_valid = false;
}

/* The register turns out to hold v, and so does the word that it came from. */
OCT_INLINE void oct_sr_learn(oct_shadow_model *m, unsigned r, uint64_t v) {
  if (r >= m->cfg.regs) return;
  bool has_origin = m->regs.has_origin >> r & 1;
  uint64_t origin = m->regs.origin[r];
  if (has_origin) oct_vc_learn(m, origin, v & m->mask);
  oct_sr_set(m, r, true, v);
}

OCT_INLINE uint64_t oct_sign(uint64_t v, unsigned bits) {
  return bits >= 64 ? v : (uint64_t)((int64_t)(v << (64 - bits)) >> (64 - bits));
}

OCT_INLINE uint64_t oct_shadow_extended(uint64_t v, unsigned how) {
  switch (how) {
    case OCT_EXTEND_U8:
      return v & 0xff;
    case OCT_EXTEND_U16:
      return v & 0xffff;
    case OCT_EXTEND_U32:
      return v & 0xffffffff;
    case OCT_EXTEND_S8:
      return oct_sign(v, 8);
    case OCT_EXTEND_S16:
      return oct_sign(v, 16);
    case OCT_EXTEND_S32:
      return oct_sign(v, 32);
    default:
      return v;
  }
}

OCT_INLINE uint64_t oct_shadow_shifted(uint64_t v, unsigned form, unsigned bits) {
  unsigned n = form & 63;
  if (!n) return v;
  v &= oct_ones(bits);
  switch (form & 192) {
    case OCT_SHIFT_LEFT:
      return v << n;
    case OCT_SHIFT_RIGHT:
      return n < bits ? v >> n : 0;
    case OCT_SHIFT_SIGNED:
      return (uint64_t)((int64_t)oct_sign(v, bits) >> (n < bits ? n : bits - 1));
    default:
      n %= bits;
      return n ? v >> n | v << (bits - n) : v;
  }
}

/* The address of a memory operand. */
OCT_INLINE bool oct_shadow_address(const oct_shadow_model *m, const oct_effect_mem *mem,
                                   uint64_t *addr) {
  if (!(mem->form & OCT_MEM_VALID)) return false;
  if (!oct_sr_known(m, mem->base)) return false;
  uint64_t v = m->regs.val[mem->base] + mem->offset;
  if (mem->index != OCT_REG_ZERO && (mem->form & OCT_MEM_BACK) != OCT_MEM_BACK_INDEX) {
    if (!oct_sr_known(m, mem->index)) return false;
    uint64_t i =
        oct_shadow_extended(m->regs.val[mem->index], (mem->form & OCT_MEM_INDEX_EXTEND) >> 4);
    i = oct_shadow_shifted(i, mem->shift, m->cfg.addr_bits);
    v += mem->form & OCT_MEM_MINUS ? -i : i;
  }
  *addr = v & m->mask;
  return true;
}

/* An access at addr shows what an unknown (or wrong) base or index is. */
OCT_INLINE void oct_shadow_learn_address(oct_shadow_model *m, const oct_effect_mem *mem,
                                         uint64_t addr) {
  if (!(mem->form & OCT_MEM_VALID)) return;
  bool has_index = mem->index != OCT_REG_ZERO && (mem->form & OCT_MEM_BACK) != OCT_MEM_BACK_INDEX;
  uint64_t rest = addr - mem->offset;
  if (!has_index) {
    if (mem->base < OCT_REG_COUNT) oct_sr_learn(m, mem->base, rest);
    return;
  }
  unsigned n = mem->shift & 63;
  if (oct_sr_known(m, mem->index)) {
    uint64_t i =
        oct_shadow_extended(m->regs.val[mem->index], (mem->form & OCT_MEM_INDEX_EXTEND) >> 4);
    i = oct_shadow_shifted(i, mem->shift, m->cfg.addr_bits);
    if (mem->base < OCT_REG_COUNT)
      oct_sr_learn(m, mem->base, mem->form & OCT_MEM_MINUS ? rest + i : rest - i);
  } else if (oct_sr_known(m, mem->base) && mem->index < OCT_REG_COUNT && !(mem->shift & 192) &&
             !(mem->form & OCT_MEM_INDEX_EXTEND)) {
    uint64_t d = rest - m->regs.val[mem->base];
    if (mem->form & OCT_MEM_MINUS) d = -d;
    d = oct_sign(d & m->mask, m->cfg.addr_bits);
    if (!(d & oct_ones(n))) oct_sr_learn(m, mem->index, (uint64_t)((int64_t)d >> n));
  }
}

/* ---- Conditions ---- */

OCT_INLINE void oct_shadow_set_nzcv(oct_shadow_model *m, unsigned known, unsigned v) {
  /* Bits of both: 0 EQ (Z), 1 CS (C), 2 MI (N), 3 VS (V); HI, GE and GT follow. */
  unsigned z = v & 1, c = v >> 1 & 1, n = v >> 2 & 1, o = v >> 3 & 1;
  unsigned val = v & 15, know = known & 15;
  if ((known & 3) == 3) {
    know |= 16;
    val |= (c & !z) << 4;
  }
  if ((known & 12) == 12) {
    know |= 32;
    val |= (unsigned)(n == o) << 5;
  }
  if ((known & 13) == 13) {
    know |= 64;
    val |= (unsigned)(!z && n == o) << 6;
  }
  m->regs.cond_known = (uint8_t)know;
  m->regs.cond_val = (uint8_t)(val & know);
}

/* Whether the condition of op is known; *holds is then whether it holds. */
OCT_INLINE bool oct_shadow_cond(const oct_shadow_model *m, const oct_effect *op, bool *holds) {
  unsigned which = op->cond & OCT_COND_WHICH;
  switch (op->cond & OCT_COND_OF) {
    case OCT_COND_ALWAYS:
      *holds = true;
      return true;
    case OCT_COND_FLAGS: {
      unsigned i = which >> 1;
      *holds = (m->regs.cond_val >> i & 1) ^ (which & 1);
      return m->regs.cond_known >> i & 1;
    }
    case OCT_COND_REGS: {
      if (!oct_sr_known(m, op->cond_a) || !oct_sr_known(m, op->cond_b)) return false;
      unsigned bits = op->width & OCT_EFFECT_BIT_NARROW ? 32 : m->cfg.addr_bits;
      int64_t a = (int64_t)oct_sign(m->regs.val[op->cond_a], bits);
      int64_t b = (int64_t)oct_sign(m->regs.val[op->cond_b], bits);
      switch (which) {
        case OCT_CMP_EQ:
          *holds = a == b;
          break;
        case OCT_CMP_NE:
          *holds = a != b;
          break;
        case OCT_CMP_LT:
          *holds = a < b;
          break;
        case OCT_CMP_GE:
          *holds = a >= b;
          break;
        case OCT_CMP_LE:
          *holds = a <= b;
          break;
        case OCT_CMP_GT:
          *holds = a > b;
          break;
        case OCT_CMP_LTU:
          *holds = (uint64_t)a < (uint64_t)b;
          break;
        default:
          *holds = (uint64_t)a >= (uint64_t)b;
          break;
      }
      return true;
    }
    case OCT_COND_BIT:
      if (!oct_sr_known(m, op->cond_a)) return false;
      *holds = (m->regs.val[op->cond_a] >> (op->cond_b & 63) & 1) == which;
      return true;
    default:
      return false;
  }
}

/* The condition of op turned out so: what it was made of is known now. */
OCT_INLINE void oct_shadow_reveal(oct_shadow_model *m, const oct_effect *op, bool holds) {
  unsigned which = op->cond & OCT_COND_WHICH;
  if ((op->cond & OCT_COND_OF) == OCT_COND_FLAGS) {
    unsigned i = which >> 1;
    m->regs.cond_known |= (uint8_t)(1u << i);
    m->regs.cond_val =
        (uint8_t)((m->regs.cond_val & ~(1u << i)) | (unsigned)((unsigned)holds ^ (which & 1)) << i);
  } else if ((op->cond & OCT_COND_OF) == OCT_COND_REGS && m->cfg.learn_equal) {
    if ((which == OCT_CMP_EQ && holds) || (which == OCT_CMP_NE && !holds)) {
      if (oct_sr_known(m, op->cond_b) && !oct_sr_known(m, op->cond_a) && op->cond_a < OCT_REG_COUNT)
        oct_sr_learn(m, op->cond_a, m->regs.val[op->cond_b]);
      else if (oct_sr_known(m, op->cond_a) && !oct_sr_known(m, op->cond_b) &&
               op->cond_b < OCT_REG_COUNT)
        oct_sr_learn(m, op->cond_b, m->regs.val[op->cond_a]);
    }
  }
}

#endif
