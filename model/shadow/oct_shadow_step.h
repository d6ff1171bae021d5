/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_step.h - one instruction through the model (docs/shadow-format.md, section 3): first
 * its accesses, then where it goes. A template over the coder, as oct_shadow_data.h.
 *
 * Before each symbol the coder has room for an escape, which says what the program does not: that
 * the flow goes on elsewhere, that a period ends. It takes effect some instructions later. */
#ifndef OCT_SHADOW_STEP_H
#define OCT_SHADOW_STEP_H

#include "oct_shadow_execute.h"
#include "oct_shadow_flow.h"
#include "oct_shadow_plan.h"
#include "oct_shadow_time.h"

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

/* Accesses of e, *n of them at addr[] (compressor), or to be found (decoder). is_partial: *n is
 * told already. map: that of e, or NULL if no entries continue it. */
static inline oct_shadow_done oct_step_data(oct_shadow_model *m, oct_coder *c, const oct_map *map,
                                            const oct_map_entry *e, uint64_t *addr, unsigned *n,
                                            bool is_partial) {
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
    uint8_t slot = map ? oct_map_slot(map, e, i) : e->slots[oct_access_slot(i)];
    unsigned log2_size = slot & OCT_SLOT_SIZE_MASK;
    if (i == 0 || i == n_first)
      addr[i] = oct_code_first(m, c, e, i != 0, addr[i], log2_size);
    else
      addr[i] = oct_code_next(m, c, e, i, addr[i - 1], addr[i], last_log2, log2_size);
    last_log2 = log2_size;
    oct_coder_access(c);
  }
  *n = i;
  oct_shadow_execute(m, e, addr, i, done);
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
  oct_coder_access(c);
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
      oct_coder_item(c);
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
