/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_step.h - one instruction through the model, by way of a coder (docs/shadow-format.md,
 * sections 3 and 7 to 9): its accesses, its stamp, where it goes.
 *
 * A template over the coder: compressor and decoder take the same steps, and only the coder knows
 * which way the decisions go. Who includes it defines
 *   OCT_SHADOW_CODER    the coder: a type, and the prefix of its functions,
 *   OCT_SHADOW_DECODES  1 if outcomes come from the coder, 0 if they go to it.
 * The includers are oct_shadow_encoder.c (oct_encode, 0) and decode/oct_shadow_decoder.c
 * (oct_uncode, 1); and sim/oct_shadow_record.h (oct_record, 0) with tests, which look at the steps.
 *
 * Of a coder c the template needs the field `category` (oct_shadow_category of the decisions that
 * follow) and these functions. Each takes the outcome, which a decoder ignores, and returns it.
 *   bit(c, p, bit)          a symbol of one decision; p of 4096: a 1
 *   open(c), close(c)       around the decisions of a symbol that has several,
 *   path(c, p, bit, least)  each of them; least: 1 for the last one, 2 for that before, 4
 *   raw(c, value, n)        n bits, as likely 0 as 1
 *   silent(c, bit)          a decision that costs nothing as long as it is 0
 *   item(c), wide(c), access(c), stamp(c)
 *                           where items end for an engine with time, that one has two words, that
 *                           it was an access, or a stamp
 *
 * Before each symbol the coder has room for an escape, which says what the program does not: that
 * the flow goes on elsewhere, that a period ends. It takes effect some instructions later. */
#ifndef OCT_SHADOW_STEP_H
#define OCT_SHADOW_STEP_H

#if !defined(OCT_SHADOW_CODER) || !defined(OCT_SHADOW_DECODES)
#error "oct_shadow_step.h is a template: define OCT_SHADOW_CODER and OCT_SHADOW_DECODES"
#endif

#include "oct_grow.h"
#include "oct_mask.h"
#include "oct_shadow_execute.h"
#include "oct_shadow_match.h"
#include "oct_shadow_mix.h"
#include "oct_shadow_plan.h"

typedef OCT_SHADOW_CODER oct_coder;
#define OCT_CODER_JOIN(coder, name) coder##_##name
#define OCT_CODER_NAME(coder, name) OCT_CODER_JOIN(coder, name)
#define OCT_CODER(name) OCT_CODER_NAME(OCT_SHADOW_CODER, name)

/* ---- Data addresses (section 7) ----
 *
 * The first access by each memory operand is claimed by the shadow, if it knows the registers. If
 * not, or if the claim was wrong, a stride entry and a table of differences guess; else the
 * difference from what is near is coded. The other accesses follow at their widths. */

OCT_INLINE void oct_streak_learn(oct_prob_streak *s, unsigned bit) {
  s->streak = (uint16_t)((s->streak + (s->streak < OCT_STREAK_SILENT)) & (bit - 1));
  oct_prob_learn(&s->p, bit);
}

/* One decision that counts its 0s; never silent. */
OCT_INLINE unsigned oct_symbol_streak(oct_coder *c, oct_prob_streak *s, unsigned bit) {
  bit = OCT_CODER(bit)(c, oct_prob_of(s->p), bit);
  oct_streak_learn(s, bit);
  return bit;
}

/* The same. After many that were 0 it is silent. */
OCT_INLINE unsigned oct_code_streak(oct_coder *c, oct_prob_streak *s, unsigned bit) {
  if (s->streak < OCT_STREAK_SILENT) return oct_symbol_streak(c, s, bit);
  bit = OCT_CODER(silent)(c, bit);
  if (bit) oct_streak_learn(s, bit);
  return bit;
}

/* The same as a decision of a symbol that is open; never silent. */
OCT_INLINE unsigned oct_path_streak(oct_coder *c, oct_prob_streak *s, unsigned bit,
                                    uint32_t least) {
  bit = OCT_CODER(path)(c, oct_prob_of(s->p), bit, least);
  oct_streak_learn(s, bit);
  return bit;
}

OCT_INLINE unsigned oct_path_prob(oct_coder *c, oct_prob *p, unsigned bit, uint32_t least) {
  bit = OCT_CODER(path)(c, oct_prob_of(*p), bit, least);
  oct_prob_learn(p, bit);
  return bit;
}

/* The length of v in bits, OCT_LENGTH_RAW for all that are longer, as 5 bits, most significant bit
 * first, by a tree of probabilities: three bits in one symbol, two in another, which stays open.
 * more: decisions that follow in that one. */
OCT_INLINE unsigned oct_path_length(oct_coder *c, oct_prob *tree, uint64_t v, unsigned more) {
  unsigned length = OCT_SHADOW_DECODES ? 0 : oct_bit_width(v);
  if (length > OCT_LENGTH_RAW) length = OCT_LENGTH_RAW;
  OCT_CODER(open)(c);
  unsigned node = 2 | oct_path_prob(c, &tree[1], length >> 4 & 1, 4);
  node = node << 1 | oct_path_prob(c, &tree[node], length >> 3 & 1, 2);
  node = node << 1 | oct_path_prob(c, &tree[node], length >> 2 & 1, 1);
  OCT_CODER(close)(c);
  OCT_CODER(open)(c);
  node = node << 1 | oct_path_prob(c, &tree[node], length >> 1 & 1, 2u << more);
  node = node << 1 | oct_path_prob(c, &tree[node], length & 1, 1u << more);
  return node - OCT_LENGTHS;
}

/* v of this length: the bits below its highest, or all of raw_bits where the length does not say
 * how many they are. */
OCT_INLINE uint64_t oct_code_rest(oct_coder *c, unsigned length, uint64_t v, unsigned raw_bits) {
  if (length == OCT_LENGTH_RAW) return OCT_CODER(raw)(c, v, raw_bits);
  if (length < 2) return length;
  return UINT64_C(1) << (length - 1) | OCT_CODER(raw)(c, v & oct_mask(length - 1), length - 1);
}

/* A signed difference against reference ref, of an access of 2^log2_size bytes. */
OCT_INLINE int64_t oct_code_diff(oct_shadow_model *m, oct_coder *c, unsigned ref, int64_t d,
                                 unsigned log2_size) {
  oct_shadow_probs *p = &m->probs;
  unsigned k = log2_size > 3 ? 0 : log2_size;
  unsigned shift = 0;
  if (k) { /* in the symbol of the reference */
    unsigned is_odd =
        oct_path_prob(c, &p->aligned[ref][k], !OCT_SHADOW_DECODES && (d & (int64_t)oct_mask(k)), 1);
    shift = is_odd ? 0 : k;
  }
  OCT_CODER(close)(c);
  c->category = OCT_SC_LENGTH;
  uint64_t magnitude = 0;
  unsigned negative = 0;
  if (!OCT_SHADOW_DECODES) {
    negative = d < 0;
    magnitude = (negative ? -(uint64_t)d : (uint64_t)d) >> shift;
    if (negative) magnitude--;
  }
  unsigned length = oct_path_length(c, p->length[ref], magnitude, 1);
  negative = oct_path_prob(c, &p->sign[ref][length > 6], negative, 1);
  OCT_CODER(close)(c);
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
  return oct_sign_extend((a - b) & m->mask, m->cfg.addr_bits);
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
      OCT_CODER(open)(c);
      miss = oct_path_streak(c, &p->stride[ctx], addr != guess, 2);
      if (miss) again = oct_path_streak(c, ps, addr != other, 1);
      OCT_CODER(close)(c);
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
      OCT_CODER(wide)(c);
      if (!OCT_SHADOW_DECODES) {
        unsigned best = 99;
        for (unsigned r = 0; r < (has_near ? 3u : 2u); r++) {
          int64_t diff = (int64_t)oct_distance(m, addr, refs[r]);
          unsigned n = oct_bit_width((uint64_t)(diff < 0 ? ~diff : diff));
          if (r == 2) n = n > 2 ? n - 2 : 0;
          if (n < best) best = n, ref = r;
        }
      }
      c->category = OCT_SC_REF;
      oct_prob_streak *rp = &p->ref[e->ref * 3];
      OCT_CODER(open)(c);
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
  int64_t diff = (int64_t)oct_sign_extend(now, m->cfg.diff_bits);
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
  e->s1 = (int64_t)oct_sign_extend(now, m->cfg.stride_bits);
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

/* ---- Branches and indirect targets (section 8) ---- */

/* The last n_bits outcomes, folded to `bits`. */
OCT_INLINE uint64_t oct_mix_history(uint64_t h, unsigned n_bits, unsigned bits) {
  uint64_t f = 0;
  if (!bits) return 0;
  h &= oct_mask(n_bits);
  if (n_bits <= bits) return h;
  if (n_bits <= 2 * bits) { /* no branch that depends on it */
    uint64_t high = h >> bits;
    f = (h << 1 | h >> (bits - 1)) ^ high;
    return (high ? f : h) & oct_mask(bits);
  }
  for (; h; h >>= bits) f = (f << 1 | f >> (bits - 1)) ^ h;
  return f & oct_mask(bits);
}

/* A direction that was coded some directions ago moves the weights that it used. */
OCT_INLINE void oct_mix_learn(oct_shadow_model *m, const oct_mix_lesson *lesson) {
  int32_t *weights = m->weights[lesson->set];
  for (unsigned i = 0; i < 3; i++) {
    weights[i] += (lesson->stretch[i] * lesson->error) >> m->cfg.mix_shift;
    if (weights[i] > OCT_WEIGHT_MAX) weights[i] = OCT_WEIGHT_MAX;
    if (weights[i] < -OCT_WEIGHT_MAX) weights[i] = -OCT_WEIGHT_MAX;
  }
}

/* Of a direction for a 1, without weights: that of the surest of three branch probabilities (by
 * address, short and long history), less sure if not all are on its side of one half. */
OCT_INLINE unsigned oct_mix_surest(oct_prob_branch *const t[3]) {
  static const unsigned order[3] = {1, 2, 0};
  unsigned n_ones = 0, best = 0, amount = 0;
  for (unsigned i = 0; i < 3; i++) {
    unsigned v = oct_prob_branch_of(*t[order[i]]), is_one = v >> 9;
    unsigned far = (is_one ? v : ~v) & 511;
    n_ones += is_one;
    if (i && far <= amount) continue;
    best = is_one;
    amount = far;
  }
  amount = (n_ones % 3 ? 3 : 4) * amount + 2;
  return best ? OCT_CODER_WHOLE / 2 + amount : OCT_CODER_WHOLE / 2 - amount;
}

/* Direction of a branch at pc that the shadow does not know. */
static inline unsigned oct_code_direction(oct_shadow_model *m, oct_coder *c, uint64_t pc,
                                          unsigned taken) {
  uint64_t w = pc >> m->cfg.pc_align_bits;
  oct_prob_branch *t[3] = {
      &m->by_pc[(w ^ w >> m->pc_index_bits) & (m->cfg.pc_entries - 1)],
      &m->by_short[(w ^ w >> 5 ^
                    oct_mix_history(m->history, m->cfg.short_bits, m->short_index_bits)) &
                   (m->cfg.short_entries - 1)],
      &m->by_long[(w ^ w >> 7 ^ oct_mix_history(m->history, m->cfg.long_bits, m->long_index_bits)) &
                  (m->cfg.long_entries - 1)]};
  if (!m->cfg.mix_sets) {
    unsigned p = oct_mix_surest(t);
    taken = OCT_CODER(bit)(c, p, taken);
    m->stats.predicted_right += (p >= OCT_CODER_WHOLE / 2) == taken;
    for (unsigned i = 0; i < 3; i++) oct_prob_branch_learn(t[i], taken, m->cfg.branch_limit);
    return taken;
  }
  uint32_t set = (uint32_t)(w ^ w >> 4) & (m->cfg.mix_sets - 1);
  const int32_t *weights = m->weights[set];
  int st[3], dot = 0;
  for (unsigned i = 0; i < 3; i++) {
    st[i] = oct_stretch(oct_prob_branch_of(*t[i]));
    dot += (weights[i] >> OCT_WEIGHT_CUT) * st[i];
  }
  unsigned p = oct_squash(dot >> (OCT_WEIGHT_PRODUCT_BITS - 2));
  taken = OCT_CODER(bit)(c, p, taken);
  m->stats.predicted_right += (p >= OCT_CODER_WHOLE / 2) == taken;
  /* What the weights learn waits for its turn, as it does in a pipeline. */
  oct_mix_lesson *lesson = &m->lessons[m->lesson_at];
  oct_mix_learn(m, lesson);
  lesson->set = set;
  lesson->error = ((int)(taken << 12) - (int)p) >> 4;
  for (unsigned i = 0; i < 3; i++) {
    lesson->stretch[i] = (int8_t)st[i];
    oct_prob_branch_learn(t[i], taken, m->cfg.branch_limit);
  }
  m->lesson_at = m->lesson_at + 1 < OCT_MIX_DELAY ? m->lesson_at + 1 : 0;
  return taken;
}

/* Whether the condition of e holds, of which the shadow claims so if it is known. */
OCT_INLINE unsigned oct_code_claimed(oct_shadow_model *m, oct_coder *c, const oct_map_entry *e,
                                     bool is_known, bool claim, unsigned holds) {
  m->stats.branches++;
  if (is_known) {
    unsigned wrong = oct_code_streak(
        c, &m->probs.decided[(e->op.cond & OCT_COND_OF) == OCT_COND_FLAGS], holds != claim);
    m->stats.decided++;
    m->stats.decided_right += !wrong;
    if (m->cfg.history_all) m->history = m->history << 1 | ((unsigned)claim ^ wrong);
    if (wrong) oct_shadow_reveal(m, &e->op, !claim);
    OCT_CODER(item)(c);
    return (unsigned)claim ^ wrong;
  }
  holds = oct_code_direction(m, c, e->addr, holds);
  m->history = m->history << 1 | holds;
  if (e->op.flags & OCT_EFFECT_KNOWN) oct_shadow_reveal(m, &e->op, holds);
  OCT_CODER(item)(c);
  return holds;
}

OCT_INLINE unsigned oct_code_condition(oct_shadow_model *m, oct_coder *c, const oct_map_entry *e,
                                       unsigned holds) {
  bool claim = false;
  bool is_known = (e->op.flags & OCT_EFFECT_KNOWN) && oct_shadow_cond(m, &e->op, &claim);
  return oct_code_claimed(m, c, e, is_known, claim, holds);
}

/* An address of an instruction that nothing foresaw, against base. */
static inline uint64_t oct_code_target(oct_shadow_model *m, oct_coder *c,
                                       oct_shadow_category category, uint64_t base,
                                       uint64_t target) {
  c->category = category;
  unsigned a = m->cfg.pc_align_bits;
  uint64_t d = (target >> a) - (base >> a);
  uint64_t v = (d << 1) ^ (0 - (d >> 63));
  OCT_CODER(item)(c);
  OCT_CODER(wide)(c);
  unsigned length = oct_path_length(c, m->probs.target_length, v, 0);
  OCT_CODER(close)(c);
  v = oct_code_rest(c, length, v, 64);
  OCT_CODER(item)(c);
  d = (v >> 1) ^ -(v & 1);
  return (((base >> a) + d) << a) & m->mask;
}

OCT_INLINE void oct_push_return(oct_shadow_model *m, uint64_t link) {
  m->return_top = (m->return_top + 1) & (m->cfg.return_entries - 1);
  m->returns[m->return_top] = link;
}

OCT_INLINE void oct_pass_path(oct_shadow_model *m, uint64_t target) {
  m->path_hash = m->path_hash << 2 ^ m->path_hash >> 11 ^ target >> m->cfg.pc_align_bits;
  m->path_hash &= 0xffff;
}

OCT_INLINE oct_target_entry *oct_path_entry(oct_shadow_model *m, uint64_t pc) {
  uint64_t w = pc >> m->cfg.pc_align_bits;
  return &m->path[(w ^ w >> 6 ^ m->path_hash) & (m->cfg.path_entries - 1)];
}

/* Where an instruction of unknown class goes that leaves at its learnt end t: back to a caller, or
 * as after the same path, or as the last time. */
static inline uint64_t oct_code_leave(oct_shadow_model *m, oct_coder *c, const oct_map_entry *e,
                                      oct_target_entry *t, uint64_t next) {
  oct_target_entry *tp = oct_path_entry(m, e->addr);
  const uint64_t guesses[3] = {t->target, m->returns[m->return_top], tp->target};
  bool found = false;
  c->category = OCT_SC_TARGET;
  for (unsigned i = 0; i < 3 && !found; i++) {
    if ((i && guesses[i] == guesses[0]) || (i == 2 && guesses[2] == guesses[1])) continue;
    if (!oct_code_streak(c, &m->probs.leave[i], next != guesses[i])) {
      found = true;
      next = guesses[i];
      if (i == 1) m->return_top = (m->return_top - 1) & (m->cfg.return_entries - 1);
    }
  }
  if (!found) {
    next = oct_code_target(m, c, OCT_SC_TARGET_ADDR, e->addr, next);
  }
  t->target = tp->target = next;
  oct_pass_path(m, next);
  return next;
}

/* Target of an indirect jump, call or return. */
static inline uint64_t oct_code_indirect(oct_shadow_model *m, oct_coder *c, const oct_map_entry *e,
                                         uint64_t target) {
  oct_shadow_probs *p = &m->probs;
  uint64_t w = e->addr >> m->cfg.pc_align_bits;
  uint32_t by_pc = (uint32_t)(w ^ w >> m->target_index_bits) & (m->cfg.target_entries - 1);
  oct_target_entry *tp = oct_path_entry(m, e->addr), *tc = &m->targets[by_pc];
  uint64_t guesses[3];
  unsigned n = 0, kinds[3];
  m->stats.indirects++;
  if (m->regs.target_known) kinds[n] = 0, guesses[n++] = m->regs.target;
  if (e->cls == OCT_CLASS_RETURN) {
    kinds[n] = 1;
    guesses[n++] = m->returns[m->return_top];
    m->return_top = (m->return_top - 1) & (m->cfg.return_entries - 1);
  } else {
    kinds[n] = 2;
    guesses[n++] = tp->target;
  }
  if (n < 3) kinds[n] = 3, guesses[n++] = tc->target;
  c->category = OCT_SC_TARGET;
  unsigned i;
  bool found = false;
  for (i = 0; i < n && !found; i++) {
    unsigned seen = 0;
    for (unsigned k = 0; k < i; k++) seen |= guesses[k] == guesses[i];
    if (seen) continue;
    unsigned miss = oct_code_streak(c, &p->target[kinds[i] | (i ? 4u : 0)], target != guesses[i]);
    if (kinds[i] == 0) {
      m->stats.known++;
      m->stats.known_right += !miss;
    } else if (!miss) {
      m->stats.cached_right++;
    }
    if (!miss) {
      target = guesses[i];
      found = true;
    }
  }
  if (!found) {
    target = oct_code_target(m, c, OCT_SC_TARGET_ADDR, e->addr, target);
  }
  if (!(m->regs.target_known && m->regs.target == target)) {
    if (e->cls != OCT_CLASS_RETURN) tp->target = target;
    tc->target = target;
    /* The register or word that the target came from is known now. */
    const oct_effect *op = &e->op;
    if ((op->flags & OCT_EFFECT_KNOWN) && (op->target & 15) == OCT_TARGET_RESULT &&
        op->result == OCT_RESULT_ADD && op->b == OCT_REG_ZERO && !op->imm && op->a < OCT_REG_COUNT)
      oct_sr_learn(m, op->a, target);
    else if (m->regs.has_target_word && e->cls != OCT_CLASS_RETURN)
      oct_vc_learn(m, m->regs.target_word, target);
  }
  oct_pass_path(m, target);
  return target;
}

/* ---- Time stamps (section 9) ----
 *
 * Both sides know which instructions have a stamp, and expect one instruction or access a cycle
 * since the last one. What a stamp is late by is most often what it was late by before: at the same
 * instruction, where each has a stamp. That costs nothing after a while; else the change is coded.
 * Where not each has a stamp, its decisions are always symbols: so the stages of a circuit need not
 * know what a stamp says. */

OCT_INLINE oct_time_entry *oct_time_entry_of(oct_shadow_model *m, uint64_t pc) {
  uint64_t w = pc >> m->cfg.pc_align_bits;
  if (m->cfg.time_period_insns != 1) return &m->time.entries[0];
  return &m->time.entries[(w ^ w >> OCT_TIME_INDEX_BITS) & (OCT_TIME_ENTRIES - 1)];
}

/* Whether there is a stamp, which is *cycle (compressor: has, and *cycle, as the trace tells). */
static inline bool oct_code_stamp(oct_shadow_model *m, oct_coder *c, uint64_t pc, bool has,
                                  uint64_t *cycle) {
  oct_shadow_time *t = &m->time;
  oct_time_entry *entry = oct_time_entry_of(m, pc);
  const uint64_t expected = t->last_cycle + t->pace + (uint64_t)(int64_t)entry->late;
  const bool is_each = m->cfg.time_period_insns == 1;
  if (is_each ? oct_code_streak(c, &t->missing, !has) : oct_symbol_streak(c, &t->missing, !has))
    return false;
  uint64_t d = *cycle - expected, v = (d << 1) ^ (0 - (d >> 63));
  oct_prob_streak *s = &t->differs[entry->history & 3];
  const bool is_silent = is_each && s->streak == OCT_STREAK_SILENT;
  unsigned differs = is_silent && oct_code_streak(c, s, d != 0), is_far = 0, is_less = 0;
  if (differs || !is_silent) OCT_CODER(open)(c);
  if (!is_silent) differs = oct_path_streak(c, s, d != 0, 4);
  if (differs) is_far = oct_path_prob(c, &t->far, v > 2, 2);
  if (differs && !is_far) is_less = oct_path_prob(c, &t->less[entry->history >> 2], d >> 63, 1);
  if (differs || !is_silent) OCT_CODER(close)(c);
  if (is_far) {
    unsigned length = oct_path_length(c, t->length, v, 0);
    OCT_CODER(close)(c);
    v = oct_code_rest(c, length, v, 64);
    is_less = v & 1;
    d = (v >> 1) ^ (0 - (v & 1));
  } else {
    d = differs ? is_less ? UINT64_MAX : 1 : 0;
  }
  const uint64_t late = d + (uint64_t)(int64_t)entry->late;
  entry->late = late + 0x8000 < 0x10000 ? (int16_t)late : 0;
  const unsigned was_less = differs ? is_less : entry->history >> 2;
  entry->history = (uint8_t)(was_less << 2 | (entry->history << 1 & 2) | differs);
  *cycle = expected + d;
  return true;
}

/* The instruction at pc, which made n accesses: its stamp, if one is due. As oct_code_stamp. */
OCT_INLINE bool oct_step_time(oct_shadow_model *m, oct_coder *c, uint64_t pc, unsigned n, bool has,
                              uint64_t *cycle) {
  oct_shadow_time *t = &m->time;
  const uint32_t period_insns = m->cfg.time_period_insns;
  bool is_stamped = false;
  if (!t->left_insns) {
    c->category = OCT_SC_TIME;
    is_stamped = oct_code_stamp(m, c, pc, has, cycle);
    OCT_CODER(stamp)(c);
    OCT_CODER(item)(c);
    if (is_stamped) {
      t->last_cycle = *cycle;
      t->pace = 0;
    }
    t->left_insns = period_insns ? period_insns : UINT64_MAX;
  }
  t->left_insns--;
  t->pace += n > 1 ? n : 1;
  return is_stamped;
}

/* ---- One instruction (section 3) ---- */

/* Whether n accesses are more than the program map foresees. */
OCT_INLINE bool oct_exceeds(const oct_map_entry *e, unsigned n) {
  return n > e->n_slots && !(e->flags & OCT_MAP_VARIABLE);
}

/* Access s of an instruction that exceeds e: what kind it is, of unknown size. */
OCT_INLINE uint8_t oct_exceeding_slot(const oct_map_entry *e, unsigned s) {
  unsigned at = oct_access_slot(s);
  if (!e->n_slots) return OCT_SLOT_SIZE_UNKNOWN;
  if (at >= e->n_slots) at = e->n_slots - 1u;
  return OCT_SLOT_SIZE_UNKNOWN | (e->slots[at] & OCT_SLOT_STORE);
}

/* What counts in place of e where an instruction exceeds it: it did something else than its bytes
 * say, so nothing is known of it but where it stands. */
static inline void oct_exceed(oct_map_entry *exceeding, const oct_map_entry *e) {
  *exceeding = *e;
  exceeding->flags |= OCT_MAP_VARIABLE;
  exceeding->cls = OCT_CLASS_OTHER;
  memset(&exceeding->op, 0, sizeof exceeding->op);
  for (unsigned s = 0; s < OCT_SLOTS_MAX; s++) exceeding->slots[s] = oct_exceeding_slot(e, s);
}

OCT_INLINE oct_target_entry *oct_learnt_end(oct_shadow_model *m, uint64_t pc) {
  uint64_t w = pc >> m->cfg.pc_align_bits;
  return &m->targets[(w ^ w >> m->target_index_bits) & (m->cfg.target_entries - 1)];
}

OCT_INLINE uint64_t oct_end_tag(const oct_shadow_model *m, uint64_t pc) {
  uint64_t w = pc >> m->cfg.pc_align_bits >> m->target_index_bits;
  return (w ^ w >> 8) & 255;
}

/* The same where a delayed branch or its slot is at hand. One that is "likely" decides before its
 * slot, which is left out if it fails; the others decide behind it. */
OCT_INLINE bool oct_delay_has_control(const oct_shadow_model *m) {
  const oct_map_entry *b = &m->delayed.branch;
  bool is_likely = b->op.flags & OCT_EFFECT_LIKELY;
  if (m->delayed.stage == OCT_DELAY_BRANCH) return is_likely;
  if (is_likely) return false;
  return (b->cls != OCT_CLASS_DIRECT_JUMP && b->cls != OCT_CLASS_DIRECT_CALL) ||
         (b->flags & OCT_MAP_CONDITIONAL);
}

/* Whether its successor is a decision. */
OCT_INLINE bool oct_has_control(oct_shadow_model *m, const oct_map_entry *e) {
  if (m->delayed.stage) return oct_delay_has_control(m);
  switch (e->cls) {
    case OCT_CLASS_OTHER:
      return oct_repeats(e);
    case OCT_CLASS_DIRECT_JUMP:
    case OCT_CLASS_DIRECT_CALL:
      return e->flags & OCT_MAP_CONDITIONAL;
    case OCT_CLASS_UNKNOWN: {
      const oct_target_entry *t = oct_learnt_end(m, e->addr);
      return t->valid && t->tag == oct_end_tag(m, e->addr);
    }
    default:
      return true;
  }
}

OCT_INLINE uint64_t oct_fall(const oct_shadow_model *m, const oct_map_entry *e) {
  return (e->addr + e->size_bytes) & m->mask;
}

/* What is there to be done for an instruction that has no accesses by its map entry. */
OCT_INLINE void oct_step_plain(oct_shadow_model *m, const oct_map_entry *e) {
  oct_shadow_done done = OCT_DONE_YES;
  oct_vc_settle(m, false);
  if (oct_is_late(e)) return;
  if ((e->op.flags & OCT_EFFECT_KNOWN) && (e->op.cond & OCT_COND_OF) != OCT_COND_ALWAYS &&
      e->op.result != OCT_RESULT_SELECT && e->cls != OCT_CLASS_COND_BRANCH) {
    bool holds;
    done = !oct_shadow_cond(m, &e->op, &holds) ? OCT_DONE_MAYBE
           : holds                             ? OCT_DONE_YES
                                               : OCT_DONE_NO;
  }
  if (oct_is_delayed(e) && !m->delayed.stage) {
    oct_delayed *d = &m->delayed;
    d->stage = OCT_DELAY_BRANCH;
    d->branch = *e;
    d->cond = false;
    d->cond_known = oct_shadow_cond(m, &e->op, &d->cond);
    oct_shadow_execute_plain(m, e, done);
    d->target_known = m->regs.target_known;
    d->target = m->regs.target;
    d->has_target_word = m->regs.has_target_word;
    d->target_word = m->regs.target_word;
    return;
  }
  oct_shadow_execute_plain(m, e, done);
}

/* Addresses of the accesses of an instruction. */
typedef struct oct_step_addrs {
  uint64_t *of;
  size_t room;
  bool is_full; /* no memory for more */
} oct_step_addrs;

/* Room for n of them; false: is_full. */
static inline bool oct_step_room(oct_step_addrs *a, size_t n) {
  uint64_t *grown = (uint64_t *)oct_grown(a->of, &a->room, n, sizeof *a->of);
  if (grown) a->of = grown;
  a->is_full = !grown;
  return grown != NULL;
}

/* Accesses of e, *n of them at addrs, which has room for them (compressor), or to be found
 * (decoder), which makes room. is_partial: *n is known already. map: that of e, or NULL if no
 * entries continue it. */
static inline oct_shadow_done oct_step_data(oct_shadow_model *m, oct_coder *c, const oct_map *map,
                                            const oct_map_entry *e, oct_step_addrs *addrs,
                                            unsigned *n, bool is_partial) {
  const oct_effect *op = &e->op;
  unsigned count = e->n_slots, n_first;
  oct_shadow_done done = OCT_DONE_YES;
  bool is_open = !is_partial && (e->flags & OCT_MAP_VARIABLE);
  oct_vc_settle(m, true);
  if (is_partial) {
    count = *n;
    if (!count && (e->flags & OCT_MAP_CONDITIONAL)) done = OCT_DONE_NO;
  } else if (e->flags & OCT_MAP_CONDITIONAL) {
    c->category = OCT_SC_DONE;
    if (!oct_code_condition(m, c, e, *n != 0)) {
      count = 0;
      done = OCT_DONE_NO;
    }
  }
  n_first = op->flags & OCT_EFFECT_KNOWN ? oct_effect_n_first(op) : UINT32_MAX;
  unsigned i = 0, last_log2 = 0;
  for (;; i++) {
    if (is_open && done == OCT_DONE_YES) {
      c->category = OCT_SC_DONE;
      if (i == UINT16_MAX || !oct_code_streak(c, &m->probs.more[i != 0], i < *n)) break;
    } else if (i == count) {
      break;
    }
    if (OCT_SHADOW_DECODES && i >= addrs->room && !oct_step_room(addrs, i + 1)) break;
    uint64_t *addr = addrs->of;
    uint8_t slot = map ? oct_map_slot(map, &e->head, i) : e->slots[oct_access_slot(i)];
    unsigned log2_size = slot & OCT_SLOT_SIZE_MASK;
    if (i == 0 || i == n_first)
      addr[i] = oct_code_first(m, c, e, i != 0, addr[i], log2_size);
    else
      addr[i] = oct_code_next(m, c, e, i, addr[i - 1], addr[i], last_log2, log2_size);
    last_log2 = log2_size;
    OCT_CODER(access)(c);
  }
  *n = i;
  oct_shadow_execute(m, e, addrs->of, i, done);
  return done;
}

/* An instruction without accesses by its plan: as oct_step_plain. */
OCT_INLINE void oct_step_planned(oct_shadow_model *m, const oct_entry_plan *plan,
                                 const oct_map_entry *e) {
  if (plan->kind != OCT_PLAN_ANY) oct_vc_settle(m, false);
  switch (plan->kind) {
    case OCT_PLAN_UNKNOWN:
      oct_shadow_doubt(m);
      break;
    case OCT_PLAN_NOTHING:
      break;
#define OCT_X(kind, parts)                                    \
  case OCT_PLAN_##kind:                                       \
    oct_shadow_carry_out(m, e, NULL, 0, OCT_DONE_YES, parts); \
    break;
      OCT_PLANS_WITHOUT_ACCESS(OCT_X)
#undef OCT_X
    default:
      oct_step_plain(m, e);
      break;
  }
}

/* The only access of an instruction of a kind from OCT_PLAN_ONE on, at addr[0]: as oct_step_data.
 */
OCT_INLINE void oct_step_one(oct_shadow_model *m, oct_coder *c, const oct_entry_plan *plan,
                             const oct_map_entry *e, uint64_t *addr) {
  unsigned log2_size = e->slots[0] & OCT_SLOT_SIZE_MASK;
  oct_vc_settle(m, true);
  addr[0] = plan->kind == OCT_PLAN_ONE
                ? oct_code_unknown(m, c, e->addr, 0, addr[0], log2_size, false, 0)
                : oct_code_first(m, c, e, 0, addr[0], log2_size);
  OCT_CODER(access)(c);
  switch (plan->kind) {
    case OCT_PLAN_ONE:
      oct_shadow_carry_unknown(m, e, addr, 1);
      break;
#define OCT_X(kind, parts)                                    \
  case OCT_PLAN_##kind:                                       \
    oct_shadow_carry_out(m, e, addr, 1, OCT_DONE_YES, parts); \
    break;
      OCT_PLANS_WITH_ACCESS(OCT_X)
#undef OCT_X
  }
}

/* Whether e may write register r. */
OCT_INLINE bool oct_writes(const oct_map_entry *e, unsigned r) {
  const oct_effect *op = &e->op;
  if (r >= OCT_REG_COUNT) return false;
  if (!(op->flags & OCT_EFFECT_KNOWN)) return true;
  for (unsigned i = 0; i < 2; i++) {
    if (op->mem[i].form & OCT_MEM_BACK && op->mem[i].base == r) return true;
    if (op->data[i] == r && !(e->slots[i] & OCT_SLOT_STORE)) return true;
  }
  return op->dest == r || op->link == r || (op->clobbers | op->list) >> r & 1;
}

/* What the delayed branch decides is of its registers before the slot e: one that e writes is not
 * known by it any more. */
OCT_INLINE void oct_delay_outdates(oct_map_entry *branch, const oct_map_entry *e) {
  oct_effect *op = &branch->op;
  if ((op->cond & OCT_COND_OF) == OCT_COND_REGS &&
      (oct_writes(e, op->cond_a) || oct_writes(e, op->cond_b)))
    op->cond = OCT_COND_UNKNOWN;
  if (oct_writes(e, op->a)) op->target = OCT_TARGET_NONE;
}

/* The same where a delayed branch or its slot e is at hand. */
static inline uint64_t oct_delay_control(oct_shadow_model *m, oct_coder *c, const oct_map_entry *e,
                                         uint64_t next) {
  oct_delayed *d = &m->delayed;
  oct_map_entry *b = &d->branch;
  uint64_t fall = oct_fall(m, e);
  c->category = OCT_SC_BRANCH;
  if (d->stage == OCT_DELAY_BRANCH) {
    bool holds = oct_code_claimed(m, c, b, d->cond_known, d->cond, next == fall);
    d->stage = holds ? OCT_DELAY_SLOT : OCT_DELAY_NONE;
    return holds ? fall : (fall + e->size_bytes) & m->mask;
  }
  d->stage = OCT_DELAY_NONE;
  oct_delay_outdates(b, e);
  if (b->cls == OCT_CLASS_COND_BRANCH || b->cls == OCT_CLASS_DIRECT_JUMP ||
      b->cls == OCT_CLASS_DIRECT_CALL) {
    if (!oct_code_claimed(m, c, b, d->cond_known, d->cond, next == b->target)) return fall;
    if (b->cls == OCT_CLASS_DIRECT_CALL) oct_push_return(m, fall);
    return b->target;
  }
  m->regs.target_known = d->target_known;
  m->regs.target = d->target;
  m->regs.has_target_word = d->has_target_word;
  m->regs.target_word = d->target_word;
  next = oct_code_indirect(m, c, b, next);
  if (b->cls == OCT_CLASS_INDIRECT_CALL) oct_push_return(m, fall);
  return next;
}

/* Where e goes: next (compressor), or what is returned (decoder). done: what oct_step_data said. */
static inline uint64_t oct_step_control(oct_shadow_model *m, oct_coder *c, const oct_map_entry *e,
                                        oct_shadow_done done, uint64_t next) {
  uint64_t fall = oct_fall(m, e);
  bool holds = false;
  if (m->delayed.stage) return oct_delay_control(m, c, e, next);
  switch (e->cls) {
    case OCT_CLASS_COND_BRANCH:
      c->category = OCT_SC_BRANCH;
      return oct_code_condition(m, c, e, next == e->target) ? e->target : fall;
    case OCT_CLASS_OTHER:
      if (done == OCT_DONE_NO) return fall;
      c->category = OCT_SC_BRANCH;
      if (oct_shadow_cond(m, &e->op, &holds) && !holds)
        return oct_code_streak(c, &m->probs.more[1], next == e->addr) ? e->addr : fall;
      return oct_code_condition(m, c, e, next == e->addr) ? e->addr : fall;
    case OCT_CLASS_UNKNOWN: {
      oct_target_entry *t = oct_learnt_end(m, e->addr);
      c->category = OCT_SC_BRANCH;
      unsigned leaves = oct_code_direction(m, c, e->addr, next != fall);
      OCT_CODER(item)(c);
      m->history = m->history << 1 | leaves;
      if (!leaves) return fall;
      return oct_code_leave(m, c, e, t, next);
    }
    default:
      break;
  }
  if (oct_is_late(e)) {
    c->category = OCT_SC_BRANCH;
    done = oct_code_condition(m, c, e, next != fall) ? OCT_DONE_YES : OCT_DONE_NO;
    oct_shadow_execute_plain(m, e, done);
  }
  if (done == OCT_DONE_NO) return fall;
  if (e->cls == OCT_CLASS_DIRECT_JUMP || e->cls == OCT_CLASS_DIRECT_CALL)
    next = e->target;
  else
    next = oct_code_indirect(m, c, e, next);
  if (e->cls == OCT_CLASS_DIRECT_CALL || e->cls == OCT_CLASS_INDIRECT_CALL)
    oct_push_return(m, fall);
  return next;
}

/* Where an instruction that is no decision goes. */
OCT_INLINE uint64_t oct_linear_next(const oct_shadow_model *m, const oct_map_entry *e) {
  if (m->delayed.stage)
    return m->delayed.stage == OCT_DELAY_SLOT ? m->delayed.branch.target : oct_fall(m, e);
  return e->cls == OCT_CLASS_DIRECT_JUMP || e->cls == OCT_CLASS_DIRECT_CALL ? e->target
                                                                            : oct_fall(m, e);
}

/* It went there. */
OCT_INLINE void oct_step_linear(oct_shadow_model *m, const oct_map_entry *e) {
  if (m->delayed.stage == OCT_DELAY_BRANCH) {
    m->delayed.stage = OCT_DELAY_SLOT;
    return;
  }
  if (m->delayed.stage) {
    m->delayed.stage = OCT_DELAY_NONE;
    if (m->delayed.branch.cls == OCT_CLASS_DIRECT_CALL) oct_push_return(m, oct_fall(m, e));
    return;
  }
  if (e->cls == OCT_CLASS_DIRECT_CALL) oct_push_return(m, oct_fall(m, e));
}

/* Whether next can be told as a decision of e. */
OCT_INLINE bool oct_can_follow(oct_shadow_model *m, const oct_map_entry *e, oct_shadow_done done,
                               uint64_t next) {
  uint64_t fall = oct_fall(m, e);
  if (m->delayed.stage) {
    const oct_map_entry *b = &m->delayed.branch;
    if (m->delayed.stage == OCT_DELAY_BRANCH)
      return next == fall || next == ((fall + e->size_bytes) & m->mask);
    return b->cls > OCT_CLASS_DIRECT_CALL || next == b->target || next == fall;
  }
  switch (e->cls) {
    case OCT_CLASS_COND_BRANCH:
      return next == e->target || next == fall;
    case OCT_CLASS_OTHER:
      return next == fall || (done != OCT_DONE_NO && next == e->addr);
    case OCT_CLASS_UNKNOWN:
      return true;
    default:
      break;
  }
  if (done == OCT_DONE_NO) return next == fall;
  if (oct_is_late(e) && next == fall) return true;
  return (e->cls != OCT_CLASS_DIRECT_JUMP && e->cls != OCT_CLASS_DIRECT_CALL) || next == e->target;
}

/* e was left before its decision was made. */
OCT_INLINE void oct_step_leave(oct_shadow_model *m, const oct_map_entry *e) {
  bool is_delayed = m->delayed.stage != OCT_DELAY_NONE;
  m->delayed.stage = OCT_DELAY_NONE;
  if (is_delayed) return;
  if (oct_is_late(e))
    oct_shadow_execute_plain(m, e, OCT_DONE_MAYBE);
  else
    oct_step_linear(m, e);
}

/* The flow went elsewhere from e, which the program does not explain. */
static inline uint64_t oct_step_jump(oct_shadow_model *m, oct_coder *c, const oct_map_entry *e,
                                     uint64_t next) {
  oct_step_leave(m, e);
  next = oct_code_target(m, c, (oct_shadow_category)c->category, oct_fall(m, e), next);
  if (e->cls == OCT_CLASS_UNKNOWN) {
    oct_target_entry *t = oct_learnt_end(m, e->addr);
    t->valid = 1;
    t->tag = oct_end_tag(m, e->addr);
    t->target = next;
  }
  return next;
}

#endif
