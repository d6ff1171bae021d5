/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_flow.h - branches and indirect targets (docs/shadow-format.md, section 8). A template
 * over the coder, as oct_shadow_data.h. */
#ifndef OCT_SHADOW_FLOW_H
#define OCT_SHADOW_FLOW_H

#include "oct_shadow_data.h"
#include "oct_shadow_mix.h"

/* The last n_bits outcomes, folded to `bits`. */
OCT_INLINE uint64_t oct_mix_history(uint64_t h, unsigned n_bits, unsigned bits) {
  uint64_t f = 0;
  if (!bits) return 0;
  h &= oct_ones(n_bits);
  if (n_bits <= bits) return h;
  if (n_bits <= 2 * bits) { /* no branch that depends on it */
    uint64_t high = h >> bits;
    f = (h << 1 | h >> (bits - 1)) ^ high;
    return (high ? f : h) & oct_ones(bits);
  }
  for (; h; h >>= bits) f = (f << 1 | f >> (bits - 1)) ^ h;
  return f & oct_ones(bits);
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
  uint32_t set = (uint32_t)(w ^ w >> 4) & (m->cfg.mix_sets - 1);
  const int32_t *weights = m->weights[set];
  int st[3], dot = 0;
  for (unsigned i = 0; i < 3; i++) {
    st[i] = oct_stretch(oct_prob_branch_of(*t[i]));
    dot += (weights[i] >> OCT_WEIGHT_CUT) * st[i];
  }
  unsigned p = oct_squash(dot >> (OCT_WEIGHT_PRODUCT_BITS - 2));
  taken = oct_coder_bit(c, p, taken);
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
    oct_coder_item(c);
    return (unsigned)claim ^ wrong;
  }
  holds = oct_code_direction(m, c, e->addr, holds);
  m->history = m->history << 1 | holds;
  if (e->op.flags & OCT_EFFECT_KNOWN) oct_shadow_reveal(m, &e->op, holds);
  oct_coder_item(c);
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
  oct_coder_item(c);
  oct_coder_wide(c);
  unsigned length = oct_path_length(c, m->probs.target_length, v, 0);
  oct_coder_close(c);
  v = oct_code_rest(c, length, v, 64);
  oct_coder_item(c);
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

#endif
