/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_data.h - data addresses (docs/shadow-format.md, section 7). A template over the coder:
 * the file that includes it has included oct_shadow_encode.h or decode/oct_shadow_uncode.h before.
 *
 * The first access by each memory operand is claimed by the shadow, if it knows the registers. If
 * not, or if the claim was wrong, a stride entry and a table of differences guess; else the
 * difference from what is near is coded. The other accesses follow at their widths. */
#ifndef OCT_SHADOW_DATA_H
#define OCT_SHADOW_DATA_H

#include "oct_shadow_exec.h"
#include "oct_shadow_match.h"

OCT_INLINE void oct_streak_learn(oct_prob_streak *s, unsigned bit) {
  s->streak = (uint16_t)((s->streak + (s->streak < OCT_STREAK_SILENT)) & (bit - 1));
  oct_prob_learn(&s->p, bit);
}

/* One decision that counts its 0s; never silent. */
OCT_INLINE unsigned oct_symbol_streak(oct_coder *c, oct_prob_streak *s, unsigned bit) {
  bit = oct_coder_bit(c, oct_prob_of(s->p), bit);
  oct_streak_learn(s, bit);
  return bit;
}

/* The same. After many that were 0 it is silent. */
OCT_INLINE unsigned oct_code_streak(oct_coder *c, oct_prob_streak *s, unsigned bit) {
  if (s->streak < OCT_STREAK_SILENT) return oct_symbol_streak(c, s, bit);
  bit = oct_coder_silent(c, bit);
  if (bit) oct_streak_learn(s, bit);
  return bit;
}

/* The same as a decision of a symbol that is open; never silent. */
OCT_INLINE unsigned oct_path_streak(oct_coder *c, oct_prob_streak *s, unsigned bit,
                                    uint32_t least) {
  bit = oct_coder_path(c, oct_prob_of(s->p), bit, least);
  oct_streak_learn(s, bit);
  return bit;
}

OCT_INLINE unsigned oct_path_prob(oct_coder *c, oct_prob *p, unsigned bit, uint32_t least) {
  bit = oct_coder_path(c, oct_prob_of(*p), bit, least);
  oct_prob_learn(p, bit);
  return bit;
}

OCT_INLINE unsigned oct_length_of(uint64_t v) {
  return v ? 64 - (unsigned)__builtin_clzll(v) : 0;
}

/* The length of v in bits, OCT_LENGTH_RAW for all that are longer, as 5 bits, most significant bit
 * first, by a tree of probabilities: three bits in one symbol, two in another, which stays open.
 * more: decisions that follow in that one. */
OCT_INLINE unsigned oct_path_length(oct_coder *c, oct_prob *tree, uint64_t v, unsigned more) {
  unsigned length = OCT_CODER_DECODES ? 0 : oct_length_of(v);
  if (length > OCT_LENGTH_RAW) length = OCT_LENGTH_RAW;
  oct_coder_open(c);
  unsigned node = 2 | oct_path_prob(c, &tree[1], length >> 4 & 1, 4);
  node = node << 1 | oct_path_prob(c, &tree[node], length >> 3 & 1, 2);
  node = node << 1 | oct_path_prob(c, &tree[node], length >> 2 & 1, 1);
  oct_coder_close(c);
  oct_coder_open(c);
  node = node << 1 | oct_path_prob(c, &tree[node], length >> 1 & 1, 2u << more);
  node = node << 1 | oct_path_prob(c, &tree[node], length & 1, 1u << more);
  return node - OCT_LENGTHS;
}

/* v of this length: the bits below its highest, or all of raw_bits where the length does not say
 * how many they are. */
OCT_INLINE uint64_t oct_code_rest(oct_coder *c, unsigned length, uint64_t v, unsigned raw_bits) {
  if (length == OCT_LENGTH_RAW) return oct_coder_raw(c, v, raw_bits);
  if (length < 2) return length;
  return UINT64_C(1) << (length - 1) | oct_coder_raw(c, v & oct_ones(length - 1), length - 1);
}

/* A signed difference against reference ref, of an access of 2^log2_size bytes. */
OCT_INLINE int64_t oct_code_diff(oct_shadow_model *m, oct_coder *c, unsigned ref, int64_t d,
                                 unsigned log2_size) {
  oct_shadow_probs *p = &m->probs;
  unsigned k = log2_size > 3 ? 0 : log2_size;
  unsigned shift = 0;
  if (k) { /* in the symbol of the reference */
    unsigned is_odd =
        oct_path_prob(c, &p->aligned[ref][k], !OCT_CODER_DECODES && (d & (int64_t)oct_ones(k)), 1);
    shift = is_odd ? 0 : k;
  }
  oct_coder_close(c);
  c->category = OCT_SC_LENGTH;
  uint64_t magnitude = 0;
  unsigned negative = 0;
  if (!OCT_CODER_DECODES) {
    negative = d < 0;
    magnitude = (negative ? -(uint64_t)d : (uint64_t)d) >> shift;
    if (negative) magnitude--;
  }
  unsigned length = oct_path_length(c, p->length[ref], magnitude, 1);
  negative = oct_path_prob(c, &p->sign[ref][length > 6], negative, 1);
  oct_coder_close(c);
  c->category = OCT_SC_DIFF;
  magnitude = oct_code_rest(c, length, magnitude, m->cfg.addr_bits);
  if (negative) magnitude++;
  magnitude <<= shift;
  return (int64_t)(negative ? -magnitude : magnitude);
}

/* Two folds, as loops whose instructions stand at equal distances would share entries with one. */
OCT_INLINE uint32_t oct_stride_index(const oct_shadow_model *m, uint64_t pc, unsigned group) {
  uint64_t w = pc >> m->cfg.pc_align_bits;
  return (uint32_t)((w ^ w >> 5 ^ w >> 9 ^ (group ? m->cfg.stride_entries >> 1 : 0)) &
                    (m->cfg.stride_entries - 1));
}

/* Entries of a table of differences that stays in a processor's nearest cache. */
enum { OCT_DFCM_NEAR = 2048 };

/* Of e's last two strides alone: entries that stride alike share what they learn. */
OCT_INLINE oct_dfcm_entry *oct_dfcm_at(oct_shadow_model *m, const oct_stride_entry *e) {
  uint64_t h = (uint64_t)e->s1 ^ (uint64_t)e->s1 >> 7 ^ (uint64_t)e->s2 << 3;
  h ^= h >> m->dfcm_index_bits;
  return &m->dfcm[h & (m->cfg.dfcm_entries - 1)];
}

/* A stride, in the 12 bits that its place in the table of differences needs of it. */
OCT_INLINE uint16_t oct_stride_hash(int64_t stride) {
  uint64_t v = (uint64_t)stride;
  return (uint16_t)((v ^ v >> 12 ^ v >> 24) & 0xfff);
}

OCT_INLINE uint64_t oct_distance(const oct_shadow_model *m, uint64_t a, uint64_t b) {
  return oct_sign((a - b) & m->mask, m->cfg.addr_bits);
}

/* The guess of a match, if there is one: 0 where it is right, and *addr is it. guess: of the
 * tables, which goes next. */
OCT_INLINE unsigned oct_code_match(oct_shadow_model *m, oct_coder *c, const oct_stride_entry *e,
                                   uint64_t key, uint64_t guess, uint64_t *addr) {
  const oct_match_entry *x = m->cfg.match_entries ? oct_match_guess(&m->match, key) : NULL;
  if (!x) return 1;
  unsigned set = x->addr == guess ? 0 : !(e->hist & 1) ? 1 : !(e->hist & 2) ? 2 : 3;
  unsigned miss = oct_code_streak(c, &m->probs.match[set][m->match.length], *addr != x->addr);
  if (!miss) *addr = x->addr;
  return miss;
}

/* An access that the shadow does not know: addr is it (compressor), or what is returned (decoder).
 * near is an address that it may be near to, if has_near. */
static inline uint64_t oct_code_unknown(oct_shadow_model *m, oct_coder *c, uint64_t pc,
                                        unsigned group, uint64_t addr, unsigned log2_size,
                                        bool has_near, uint64_t near) {
  oct_shadow_probs *p = &m->probs;
  oct_stride_entry *e = &m->stride[oct_stride_index(m, pc, group)];
  oct_dfcm_entry *d = m->cfg.dfcm_entries ? oct_dfcm_at(m, e) : NULL;
  int64_t s_diff = e->s1, d_diff = d ? d->diff : e->s1;
  unsigned d_conf = d ? d->conf : 0;
  bool agree = s_diff == d_diff;
  /* The one that was right more often goes first. */
  bool d_first = !agree && d_conf >= 2 && d_conf > e->conf_s;
  int64_t first = d_first ? d_diff : s_diff, second = d_first ? s_diff : d_diff;
  unsigned ctx = agree     ? e->hist & 7u
                 : d_first ? 8 | (e->hist & 3u) << 1 | (d_conf & 1)
                           : 16 | (e->hist & 3u) << 2 | e->conf_s;
  c->category = OCT_SC_STRIDE;
  uint64_t guess = (e->last + (uint64_t)first) & m->mask;
  m->stats.strides++;
  unsigned miss = 0, again = 1, unmatched = oct_code_match(m, c, e, pc + group, guess, &addr);
  uint64_t other = (e->last + (uint64_t)second) & m->mask;
  if (!unmatched) {
    miss = addr != guess;
  } else if (agree) {
    miss = oct_code_streak(c, &p->stride[ctx], addr != guess);
  } else {
    oct_prob_streak *ps = &p->second[(unsigned)d_first << 2 | (e->hist & 3)];
    if (p->stride[ctx].streak == OCT_STREAK_SILENT) {
      miss = oct_code_streak(c, &p->stride[ctx], addr != guess);
      if (miss) again = oct_symbol_streak(c, ps, addr != other);
    } else { /* both in one symbol */
      oct_coder_open(c);
      miss = oct_path_streak(c, &p->stride[ctx], addr != guess, 2);
      if (miss) again = oct_path_streak(c, ps, addr != other, 1);
      oct_coder_close(c);
    }
  }
  unsigned hit_now = !miss;
  if (!unmatched) {
    m->stats.strides_right += hit_now;
  } else if (!miss) {
    addr = guess;
    m->stats.strides_right++;
  } else {
    if (!again) {
      addr = other;
      m->stats.seconds_right++;
    }
    if (again) {
      uint64_t refs[OCT_REFS] = {e->last, m->last_addr, near};
      unsigned ref = 0;
      m->stats.coded++;
      oct_coder_wide(c);
      if (!OCT_CODER_DECODES) {
        unsigned best = 99;
        for (unsigned r = 0; r < (has_near ? 3u : 2u); r++) {
          int64_t diff = (int64_t)oct_distance(m, addr, refs[r]);
          unsigned n = oct_length_of((uint64_t)(diff < 0 ? ~diff : diff));
          if (r == 2) n = n > 2 ? n - 2 : 0;
          if (n < best) best = n, ref = r;
        }
      }
      c->category = OCT_SC_REF;
      oct_prob_streak *rp = &p->ref[e->ref * 3];
      oct_coder_open(c);
      if (has_near) {
        unsigned is_near = oct_path_streak(c, &rp[0], ref == 2, 4);
        ref = is_near ? 2 : oct_path_streak(c, &rp[1], ref == 1, 2);
      } else {
        ref = oct_path_streak(c, &rp[2], ref == 1, 2);
      }
      e->ref = (uint16_t)ref;
      int64_t diff = oct_code_diff(m, c, ref, (int64_t)oct_distance(m, addr, refs[ref]), log2_size);
      addr = (refs[ref] + (uint64_t)diff) & m->mask;
    }
  }
  if (m->cfg.match_entries) oct_match_learn(&m->match, pc + group, addr);
  uint64_t now = oct_distance(m, addr, e->last);
  /* Learn. */
  bool s_right = ((e->last + (uint64_t)e->s1) & m->mask) == addr;
  e->conf_s = (uint16_t)(!s_right ? 0 : e->conf_s < 3 ? e->conf_s + 1 : 3);
  e->hist = (uint16_t)((e->hist << 1 | hit_now) & 255);
  int64_t diff = (int64_t)oct_sign(now, m->cfg.diff_bits);
  if (d) {
    if (d->diff == diff) {
      d->conf += d->conf < 3;
    } else if (d->conf) {
      d->conf--;
    } else {
      d->diff = diff;
    }
  }
  e->s2 = oct_stride_hash(e->s1);
  e->s1 = (int64_t)oct_sign(now, m->cfg.stride_bits);
  e->last = addr;
  m->last_addr = addr;
  /* Of a large table what comes next is fetched ahead. */
  if (m->cfg.dfcm_entries > OCT_DFCM_NEAR) __builtin_prefetch(oct_dfcm_at(m, e));
  return addr;
}

/* The first access of memory operand `group` (0, 1) of e. */
OCT_INLINE uint64_t oct_code_first(oct_shadow_model *m, oct_coder *c, const oct_map_entry *e,
                                   unsigned group, uint64_t addr, unsigned log2_size) {
  const oct_effect_mem *mem = &e->op.mem[group];
  uint64_t claim = 0, near = 0;
  bool is_claimed = oct_shadow_address(m, mem, &claim), has_near = false;
  bool is_fixed = mem->base == OCT_REG_ZERO && mem->index == OCT_REG_ZERO;
  if (is_claimed) {
    c->category = OCT_SC_CLAIM;
    unsigned conf = is_fixed ? 7 : m->regs.conf[mem->base] + (mem->index != OCT_REG_ZERO ? 4u : 0);
    m->stats.claims++;
    unsigned miss = oct_code_streak(c, &m->probs.claim[conf & 7], addr != claim);
    uint8_t *rc = &m->regs.conf[mem->base];
    if (!miss) {
      m->stats.claims_right++;
      *rc += *rc < 3;
      m->regs.has_conf = true;
      return claim;
    }
    *rc = 0;
    near = claim;
    has_near = true;
  } else if ((mem->form & OCT_MEM_VALID) && oct_sr_known(m, mem->base)) {
    near = (m->regs.val[mem->base] + mem->offset) & m->mask;
    has_near = true;
  }
  addr = oct_code_unknown(m, c, e->addr, group, addr, log2_size, has_near, near);
  oct_shadow_learn_address(m, mem, addr);
  return addr;
}

/* Access s > 0 that follows one at last. */
OCT_INLINE uint64_t oct_code_next(oct_shadow_model *m, oct_coder *c, const oct_map_entry *e,
                                  unsigned s, uint64_t last, uint64_t addr, unsigned last_log2,
                                  unsigned log2_size) {
  const oct_effect_mem *mem = &e->op.mem[s >= oct_effect_n_first(&e->op)];
  bool is_same = (e->op.flags & OCT_EFFECT_KNOWN) && (mem->form & OCT_MEM_SAME);
  uint64_t claim = (last + (is_same ? 0 : last_log2 > 6 ? 4 : UINT64_C(1) << last_log2)) & m->mask;
  c->category = OCT_SC_NEXT;
  m->stats.nexts++;
  unsigned miss =
      oct_code_streak(c, &m->probs.next[(e->op.flags & OCT_EFFECT_KNOWN) != 0], addr != claim);
  if (!miss) {
    m->stats.nexts_right++;
    return claim;
  }
  return oct_code_unknown(m, c, e->addr + s, 1, addr, log2_size, true, claim);
}

#endif
