/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_execute.h - shadow execution: an instruction's effect on the shadow registers and on
 * the value cache (docs/shadow-format.md, section 6). Nothing here depends on the coder. */
#ifndef OCT_SHADOW_EXECUTE_H
#define OCT_SHADOW_EXECUTE_H

#include "oct_inline.h"
#include "oct_mask.h"
#include "oct_shadow_model.h"
#include "oct_shadow_plan.h"

#include <string.h>

/* ---- Value cache ---- */

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
  uint64_t in_word = addr & oct_mask(m->word_log2);
  if (!size || in_word + size > (1u << m->word_log2)) return false;
  oct_vc_entry *e = oct_vc_find(m, addr, 0);
  unsigned halves = oct_vc_halves(m, addr, size);
  if (!e || (e->key & halves) != halves) return false;
  *v = e->val >> (8 * in_word) & oct_mask(8 * size);
  return true;
}

OCT_INLINE void oct_vc_write(oct_shadow_model *m, uint64_t addr, unsigned size, bool is_known,
                             uint64_t v) {
  uint64_t in_word = addr & oct_mask(m->word_log2);
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
      uint64_t mask = oct_mask(8 * size) << (8 * in_word);
      e->val = (e->val & ~mask) | (v << (8 * in_word) & mask);
    }
    return;
  }
  oct_vc_entry *e = oct_vc_find(m, addr, 1);
  if (!e) return;
  uint64_t mask = oct_mask(8 * size) << (8 * in_word);
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
  return !((a ^ b) >> m->word_log2 & oct_mask(OCT_STALE_BITS));
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

OCT_INLINE uint64_t oct_shadow_extended(uint64_t v, unsigned how) {
  switch (how) {
    case OCT_EXTEND_U8:
      return v & 0xff;
    case OCT_EXTEND_U16:
      return v & 0xffff;
    case OCT_EXTEND_U32:
      return v & 0xffffffff;
    case OCT_EXTEND_S8:
      return oct_sign_extend(v, 8);
    case OCT_EXTEND_S16:
      return oct_sign_extend(v, 16);
    case OCT_EXTEND_S32:
      return oct_sign_extend(v, 32);
    default:
      return v;
  }
}

OCT_INLINE uint64_t oct_shadow_shifted(uint64_t v, unsigned form, unsigned bits) {
  unsigned n = form & 63;
  if (!n) return v;
  v &= oct_mask(bits);
  switch (form & 192) {
    case OCT_SHIFT_LEFT:
      return v << n;
    case OCT_SHIFT_RIGHT:
      return n < bits ? v >> n : 0;
    case OCT_SHIFT_SIGNED:
      return (uint64_t)((int64_t)oct_sign_extend(v, bits) >> (n < bits ? n : bits - 1));
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
    d = oct_sign_extend(d & m->mask, m->cfg.addr_bits);
    if (!(d & oct_mask(n))) oct_sr_learn(m, mem->index, (uint64_t)((int64_t)d >> n));
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
      int64_t a = (int64_t)oct_sign_extend(m->regs.val[op->cond_a], bits);
      int64_t b = (int64_t)oct_sign_extend(m->regs.val[op->cond_b], bits);
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

/* ---- Instructions ---- */

typedef struct oct_shadow_value {
  uint64_t v;
  bool known;
} oct_shadow_value;

/* Whether it was carried out. */
typedef enum oct_shadow_done { OCT_DONE_NO, OCT_DONE_YES, OCT_DONE_MAYBE } oct_shadow_done;

/* Every register is unknown: an instruction of which nothing is known may have changed it. */
OCT_INLINE void oct_shadow_forget(oct_shadow_model *m) {
  m->regs.known = UINT64_C(1) << OCT_REG_ZERO;
  m->regs.has_origin = 0;
  m->regs.cond_known = 0;
}

/* Another task runs: its registers, if there is a bank of them; else they are unknown, in a bank
 * that is free or was not used for longest. */
static inline void oct_shadow_switch(oct_shadow_model *m, uint32_t from, uint32_t to) {
  oct_shadow_bank *b = m->banks;
  uint32_t at = UINT32_MAX, oldest = m->bank;
  b[m->bank].task = from;
  b[m->bank].is_used = true;
  b[m->bank].used_at = ++m->n_switches;
  for (uint32_t i = m->cfg.banks; i--;) {
    if (b[i].is_used && b[i].task == to) at = i;
    if (b[i].is_used ? b[oldest].is_used && b[i].used_at < b[oldest].used_at : true) oldest = i;
  }
  bool is_kept = at != UINT32_MAX;
  if (!is_kept) at = oldest;
  if (at != m->bank) {
    b[m->bank].regs = m->regs;
    m->regs = b[at].regs;
    m->bank = at;
  }
  if (!is_kept) oct_shadow_forget(m);
}

/* Instructions were lost: no register of any task is known. */
static inline void oct_shadow_forget_all(oct_shadow_model *m) {
  m->time.left_insns = 0;
  oct_shadow_forget(m);
  for (uint32_t i = 0; i < m->cfg.banks; i++) m->banks[i].is_used = false;
}

/* Some register may have changed, none is known which: they are believed less. */
OCT_INLINE void oct_shadow_doubt(oct_shadow_model *m) {
  if (m->regs.has_conf) memset(m->regs.conf, 0, m->cfg.regs);
  m->regs.has_conf = false;
  m->regs.has_origin = 0;
  m->regs.cond_known = 0;
}

OCT_INLINE void oct_shadow_put_flags(oct_shadow_model *m, const oct_effect *op, unsigned how,
                                     oct_shadow_value a, oct_shadow_value b, oct_shadow_value r,
                                     unsigned bits) {
  uint64_t sign = UINT64_C(1) << (bits - 1), mask = oct_mask(bits);
  unsigned kept_known = m->regs.cond_known, kept_val = m->regs.cond_val;
  if (how == OCT_FLAGS_UNKNOWN || !r.known) {
    unsigned keep = 0; /* C and V that stay */
    if (how == OCT_FLAGS_NZV) keep = 2;
    if (how == OCT_FLAGS_NZ) keep = 10;
    if (how == OCT_FLAGS_NZ_C) keep = 8;
    unsigned known = kept_known & keep, val = kept_val & keep;
    if (how == OCT_FLAGS_NZ_00 || how == OCT_FLAGS_NZ_10) {
      known |= 10;
      val |= how == OCT_FLAGS_NZ_10 ? 2 : 0;
    }
    oct_shadow_set_nzcv(m, known, val);
    return;
  }
  uint64_t res = r.v & mask;
  unsigned z = !res, n = (res & sign) != 0, known = 15, c = 0, v = 0;
  if (how == OCT_FLAGS_ALU || how == OCT_FLAGS_ALU_X86 || how == OCT_FLAGS_NZV) {
    uint64_t x = a.v & mask, y = b.v & mask;
    if (op->result == OCT_RESULT_RSB) {
      uint64_t t = x;
      x = y;
      y = t;
    }
    if (op->result == OCT_RESULT_ADD) {
      c = res < x;
      if (how == OCT_FLAGS_ALU_X86) c = !c;
      v = ((x ^ res) & (y ^ res) & sign) != 0;
    } else {
      c = x >= y;
      v = ((x ^ y) & (x ^ res) & sign) != 0;
    }
  }
  switch (how) {
    case OCT_FLAGS_NZV:
      c = kept_val >> 1 & 1;
      known = 13 | (kept_known & 2);
      break;
    case OCT_FLAGS_NZ:
      c = kept_val >> 1 & 1;
      v = kept_val >> 3 & 1;
      known = 5 | (kept_known & 10);
      break;
    case OCT_FLAGS_NZ_C:
      v = kept_val >> 3 & 1;
      known = 5 | (kept_known & 8);
      break;
    case OCT_FLAGS_NZ_10:
      c = 1;
      break;
    default:
      break;
  }
  oct_shadow_set_nzcv(m, known, z | c << 1 | n << 2 | v << 3);
}

OCT_INLINE oct_shadow_value oct_shadow_compute(const oct_effect *op, oct_shadow_value a,
                                               oct_shadow_value b, unsigned bits, bool cond_known,
                                               bool cond_holds) {
  uint64_t mask = oct_mask(bits), x = a.v & mask, y = b.v & mask;
  oct_shadow_value r = {0, a.known && b.known};
  switch (op->result) {
    case OCT_RESULT_ADD:
      r.v = x + y;
      break;
    case OCT_RESULT_SUB:
      r.v = x - y;
      break;
    case OCT_RESULT_RSB:
      r.v = y - x;
      break;
    case OCT_RESULT_AND:
      r.v = x & y;
      break;
    case OCT_RESULT_OR:
      r.v = x | y;
      break;
    case OCT_RESULT_XOR:
      r.v = x ^ y;
      break;
    case OCT_RESULT_BIC:
      r.v = x & ~y;
      break;
    case OCT_RESULT_ORN:
      r.v = x | ~y;
      break;
    case OCT_RESULT_SHL:
      if (y >= bits)
        r.known = false;
      else
        r.v = x << y;
      break;
    case OCT_RESULT_SHR:
      if (y >= bits)
        r.known = false;
      else
        r.v = x >> y;
      break;
    case OCT_RESULT_SAR:
      if (y >= bits)
        r.known = false;
      else
        r.v = (uint64_t)((int64_t)oct_sign_extend(x, bits) >> y);
      break;
    case OCT_RESULT_INSERT: {
      unsigned at = op->b_form & 63;
      r.known = a.known;
      r.v = (x & ~(UINT64_C(0xffff) << at)) | (op->imm & 0xffff) << at;
      break;
    }
    case OCT_RESULT_SELECT:
      r.known = cond_known && (cond_holds ? a.known : b.known);
      r.v = cond_holds ? x : y;
      break;
    default:
      r.known = false;
      break;
  }
  r.v &= mask;
  if (op->width & OCT_EFFECT_SIGNED_RESULT) r.v = oct_sign_extend(r.v, bits);
  return r;
}

/* The register that access number s loads or stores. */
OCT_INLINE unsigned oct_shadow_data_reg(const oct_effect *op, bool has_list, unsigned s,
                                        uint32_t *list) {
  if (has_list) {
    if (!*list) return OCT_REG_NONE;
    unsigned r = (unsigned)__builtin_ctz(*list);
    *list &= *list - 1;
    return r;
  }
  return s < 2 ? op->data[s] : OCT_REG_NONE;
}

/* The same of an instruction of which nothing is known. */
OCT_INLINE void oct_shadow_carry_unknown(oct_shadow_model *m, const oct_map_entry *e,
                                         const uint64_t *addr, unsigned n) {
  for (unsigned s = 0; s < n; s++) {
    uint8_t slot = e->slots[oct_access_slot(s)];
    unsigned log2_size = slot & OCT_SLOT_SIZE_MASK;
    if (!(slot & OCT_SLOT_STORE)) continue;
    oct_vc_write(m, addr[s], log2_size == 7 ? 0 : 1u << log2_size, false, 0);
    oct_vc_stale(m, addr[s]);
  }
  if (e->cls == OCT_CLASS_OTHER || e->cls == OCT_CLASS_UNKNOWN) oct_shadow_doubt(m);
}

/* Carry out e, whose n accesses were at addr[]. The compiler makes it for any n and for none, and
 * for kinds of instructions that have these parts alone. */
OCT_INLINE void oct_shadow_carry_out(oct_shadow_model *m, const oct_map_entry *e,
                                     const uint64_t *addr, unsigned n, oct_shadow_done done,
                                     unsigned parts) {
  const oct_effect *op = &e->op;
  oct_shadow_regs *regs = &m->regs;
  const bool is_any = parts & OCT_PART_OTHER, has_list = is_any && op->list;
  if (is_any) regs->target_known = regs->has_target_word = false;
  if (is_any && !(op->flags & OCT_EFFECT_KNOWN)) {
    oct_shadow_carry_unknown(m, e, addr, n);
    return;
  }
  if (done == OCT_DONE_NO) return;

  /* Operands, before anything is written. */
  unsigned width_bits = 8u << (op->width & OCT_EFFECT_WIDTH_LOG2);
  unsigned bits = width_bits;
  uint64_t loaded[2] = {0, 0};
  bool loaded_known[2] = {false, false};
  oct_shadow_value result = {0, false};
  oct_shadow_value a = {0, true}, b = {0, true};
  uint64_t link = e->addr + e->size_bytes * (op->flags & OCT_EFFECT_DELAYED ? 2u : 1u) +
                  (op->flags & OCT_EFFECT_LINK_ODD ? 1u : 0u);

  uint32_t list = op->list;
  oct_shadow_value list_val[OCT_SLOTS_MAX];
  uint64_t full_bytes = UINT64_C(1) << m->word_log2;
  /* Loaded words are looked up before stores change them. */
  for (unsigned s = 0; parts & OCT_PART_LOAD && s < n && s < OCT_SLOTS_MAX; s++) {
    uint8_t slot = e->slots[s];
    list_val[s].known = false;
    if (slot & OCT_SLOT_STORE) continue;
    unsigned log2_size = slot & OCT_SLOT_SIZE_MASK;
    if (log2_size > 3) continue;
    uint64_t v;
    if (oct_vc_read(m, addr[s], 1u << log2_size, &v)) {
      if (op->width & OCT_EFFECT_LOAD_SIGNED) {
        v = oct_sign_extend(v, 8u << log2_size);
        if (op->width & OCT_EFFECT_LOAD_SIGNED_32) v &= 0xffffffff;
      }
      list_val[s].v = v;
      list_val[s].known = true;
      if (s < 2) {
        loaded[s] = v;
        loaded_known[s] = true;
      }
    }
  }
  if (is_any) {
    regs->val[OCT_REG_LOADED] = loaded[0];
    regs->val[OCT_REG_LINK] = link;
    regs->known = (regs->known & ~(UINT64_C(1) << OCT_REG_LOADED | UINT64_C(1) << OCT_REG_RESULT)) |
                  (uint64_t)loaded_known[0] << OCT_REG_LOADED | UINT64_C(1) << OCT_REG_LINK;
  }

  if (parts & OCT_PART_RESULT && op->result != OCT_RESULT_NONE) {
    if (op->result == OCT_RESULT_ADDRESS) {
      result.known = oct_shadow_address(m, &op->mem[0], &result.v);
    } else {
      a.known = oct_sr_known(m, op->a);
      a.v = regs->val[op->a];
      b.known = oct_sr_known(m, op->b);
      b.v = regs->val[op->b];
      if (op->b_extend) b.v = oct_shadow_extended(b.v, op->b_extend);
      if (op->b_form && op->result != OCT_RESULT_INSERT)
        b.v = oct_shadow_shifted(b.v, op->b_form, bits);
      b.v += op->imm;
      bool holds = false, cond_known = false;
      if (is_any && op->result == OCT_RESULT_SELECT) cond_known = oct_shadow_cond(m, op, &holds);
      result = oct_shadow_compute(op, a, b, bits, cond_known, holds);
    }
    if (is_any) regs->val[OCT_REG_RESULT] = result.v;
    if (is_any && result.known) regs->known |= UINT64_C(1) << OCT_REG_RESULT;
  }
  if (!is_any) {
    /* It goes to no target of its own. */
  } else if ((op->target & 15) == OCT_TARGET_RESULT) {
    regs->target_known = result.known;
    regs->target = result.v;
  } else if ((op->target & 15) == OCT_TARGET_LOADED) {
    unsigned s = op->target >> 4;
    regs->has_target_word = s < n;
    if (s < n) regs->target_word = addr[s];
    regs->target_known = s < n && list_val[s].known;
    regs->target = regs->target_known ? list_val[s].v : 0;
  }
  if (is_any && op->flags & OCT_EFFECT_EVEN_TARGET) regs->target &= ~UINT64_C(1);
  if (is_any) regs->target &= m->mask;

  bool is_sure = done == OCT_DONE_YES;
  /* Stores. */
  uint32_t stored = op->list;
  for (unsigned s = 0; parts & OCT_PART_STORE && s < n; s++) {
    uint8_t slot = e->slots[oct_access_slot(s)];
    unsigned r = oct_shadow_data_reg(op, has_list, s, &stored);
    if (!(slot & OCT_SLOT_STORE)) continue;
    unsigned log2_size = slot & OCT_SLOT_SIZE_MASK;
    bool known = oct_sr_known(m, r);
    uint64_t v = r == OCT_REG_ZERO ? op->imm : regs->val[r];
    oct_vc_write(m, addr[s], log2_size == 7 ? 0 : 1u << log2_size, known && is_sure, v);
    oct_vc_stale(m, addr[s]);
  }
  /* Bases, before clobbers take them. */
  oct_shadow_value back[2];
  bool has_back = parts & OCT_PART_BACK && (op->mem[0].form | op->mem[1].form) & OCT_MEM_BACK;
  for (unsigned i = 0; has_back && i < 2; i++) {
    const oct_effect_mem *mem = &op->mem[i];
    unsigned how = mem->form & OCT_MEM_BACK;
    if (!how || !(mem->form & OCT_MEM_VALID)) continue;
    back[i].known = oct_sr_known(m, mem->base);
    back[i].v = regs->val[mem->base];
    if (how == OCT_MEM_BACK_ADDRESS) {
      back[i].known = oct_shadow_address(m, mem, &back[i].v);
    } else if (how == OCT_MEM_BACK_STEP) {
      back[i].v += (uint64_t)(int64_t)mem->step;
    } else {
      uint64_t x =
          oct_shadow_extended(regs->val[mem->index], (mem->form & OCT_MEM_INDEX_EXTEND) >> 4);
      x = oct_shadow_shifted(x, mem->shift, m->cfg.addr_bits);
      back[i].known = back[i].known && oct_sr_known(m, mem->index);
      back[i].v += mem->form & OCT_MEM_MINUS ? -x : x;
    }
    /* An index that is the base itself may just have been learnt as that. */
    back[i].known = back[i].known && is_sure && mem->index != mem->base;
  }
  for (uint32_t c = parts & OCT_PART_CLOBBERS ? op->clobbers : 0; c; c &= c - 1)
    oct_sr_set(m, (unsigned)__builtin_ctz(c), false, 0);
  for (unsigned i = 0; has_back && i < 2; i++)
    if ((op->mem[i].form & OCT_MEM_VALID) && (op->mem[i].form & OCT_MEM_BACK))
      oct_sr_set(m, op->mem[i].base, back[i].known, back[i].v);
  if (parts & OCT_PART_RESULT && op->result != OCT_RESULT_NONE) {
    if (op->dest < OCT_REG_COUNT) oct_sr_set(m, op->dest, result.known && is_sure, result.v);
  }
  if (is_any && op->link < OCT_REG_COUNT) oct_sr_set(m, op->link, is_sure, link);
  unsigned how = op->set_flags & 15;
  if (parts & OCT_PART_FLAGS && how != OCT_FLAGS_KEEP) {
    if (is_sure)
      oct_shadow_put_flags(m, op, how, a, b, result, bits);
    else
      regs->cond_known = 0;
  }
  /* Loaded words. */
  if (done == OCT_DONE_MAYBE) {
    for (unsigned s = 0; s < e->n_slots; s++) {
      unsigned r = oct_shadow_data_reg(op, has_list, s, &list);
      if (!(e->slots[oct_access_slot(s)] & OCT_SLOT_STORE) && r < OCT_REG_COUNT)
        oct_sr_set(m, r, false, 0);
    }
    return;
  }
  bool has_origin = !(op->mem[0].form & OCT_MEM_SAME); /* else a store has changed the word */
  for (unsigned s = 0; parts & OCT_PART_LOAD && s < n; s++) {
    uint8_t slot = e->slots[oct_access_slot(s)];
    unsigned r = oct_shadow_data_reg(op, has_list, s, &list);
    if (slot & OCT_SLOT_STORE || r >= OCT_REG_COUNT || r >= m->cfg.regs) continue;
    unsigned log2_size = slot & OCT_SLOT_SIZE_MASK;
    bool known = s < OCT_SLOTS_MAX && list_val[s].known;
    oct_sr_set(m, r, known, known ? list_val[s].v : 0);
    if (!known && has_origin && (UINT64_C(1) << log2_size) == full_bytes) {
      regs->origin[r] = addr[s];
      regs->has_origin |= UINT32_C(1) << r;
    }
  }
}

static inline void oct_shadow_execute(oct_shadow_model *m, const oct_map_entry *e,
                                      const uint64_t *addr, unsigned n, oct_shadow_done done) {
  oct_shadow_carry_out(m, e, addr, n, done, OCT_PARTS_ALL);
}

static inline void oct_shadow_execute_plain(oct_shadow_model *m, const oct_map_entry *e,
                                            oct_shadow_done done) {
  oct_shadow_carry_out(m, e, NULL, 0, done, OCT_PARTS_ALL);
}

#endif
