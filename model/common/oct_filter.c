/* SPDX-License-Identifier: Apache-2.0 */
/* oct_filter.c - filters, comparators and triggers (oct_filter.h).
 *
 * Each comparator is a pair, primary and secondary. Their inputs are those of the instruction under
 * way, or the access of this cycle. Filters are met by what comparators and privilege say; a
 * decision for an instruction is kept for its accesses. */
#include "oct_filter.h"

#include <string.h>

#include "oct_mask.h"

enum { INPUT_IADDR, INPUT_CONTEXT, INPUT_TVAL, INPUT_DADDR };
enum {
  IS_EQUAL,
  IS_NOT_EQUAL,
  IS_LESS,
  IS_AT_MOST,
  IS_GREATER,
  IS_AT_LEAST,
  IS_SPECIAL,
  IS_ALWAYS
};
enum { MODE_P, MODE_BOTH, MODE_NOT_BOTH, MODE_LATCH };
enum { TRIGGER_ON = 2, TRIGGER_OFF = 3 };
enum { INST_TRACING = 1 << 2, INST_TRIGGERS = 1 << 11 };
enum { DATA_IMPLEMENTED = 1 << 0, DATA_TRACING = 1 << 1, DATA_TRIGGERS = 1 << 2 };

/* What comparators look at in this cycle. */
typedef struct view {
  bool has_access, is_event;
  uint64_t pc, da;
  uint32_t task;
  uint32_t task_mask; /* of a match value, as much as a task has */
  uint8_t priv;
} view;

void oct_filter_init(oct_filter *s, uint32_t n, uint32_t addr_bits, uint32_t task_bits) {
  memset(s, 0, sizeof *s);
  s->n = n;
  s->addr_mask = oct_mask(addr_bits);
  s->task_mask = (uint32_t)oct_mask(task_bits);
  s->q.control = INST_TRACING;
  s->q.data_control = DATA_TRACING;
  s->q.pass = true;
  s->d = s->q;
}

static bool holds(unsigned function, uint64_t value, uint64_t match) {
  switch (function) {
    case IS_EQUAL:
      return value == match;
    case IS_NOT_EQUAL:
      return value != match;
    case IS_LESS:
      return value < match;
    case IS_AT_MOST:
      return value <= match;
    case IS_GREATER:
      return value > match;
    default:
      return value >= match;
  }
}

/* One half of a comparator; mask: the bits that are compared. */
static bool half_holds(const view *v, unsigned input, unsigned function, uint64_t match,
                       uint64_t mask) {
  uint64_t value = input == INPUT_IADDR ? v->pc : input == INPUT_CONTEXT ? v->task : v->da;
  if (function == IS_ALWAYS) return true;
  if (input == INPUT_TVAL || (input == INPUT_DADDR && !v->has_access)) return false;
  if (input == INPUT_CONTEXT) match &= v->task_mask;
  return holds(function, value & mask, match & mask);
}

static bool eval_comp(const oct_filter_comp *q, oct_filter_comp *d, const view *v,
                      bool insn_valid) {
  uint32_t c = q->control;
  unsigned p_function = c >> 4 & 7, s_function = c >> 8 & 7;
  bool is_mask = s_function == IS_SPECIAL;
  bool p = p_function != IS_SPECIAL &&
           half_holds(v, c & 3, p_function, q->p_match, is_mask ? q->s_match : UINT64_MAX);
  bool s = is_mask || half_holds(v, c >> 2 & 3, s_function, q->s_match, UINT64_MAX);
  bool out;
  switch (c >> 12 & 3) {
    case MODE_P:
      return p;
    case MODE_BOTH:
      return p && s;
    case MODE_NOT_BOTH:
      return !(p && s);
    default:
      out = (q->latch && !(insn_valid && q->stop)) || p;
      if (v->is_event) {
        d->latch = out;
        d->stop = (q->stop && !insn_valid) || (out && s);
      }
      return out;
  }
}

/* Is one of the filters met that the register names, or does it name none? */
static bool is_met(const oct_filter *s, uint32_t filters, const bool *comps, const view *v) {
  if (!filters) return true;
  for (uint32_t i = 0; i < s->n; i++) {
    uint32_t c = s->q.filter_control[i];
    bool met = (filters >> i & 1) && (c & 1);
    if ((c & 2) && !(s->q.filter_inst[i] >> v->priv & 1)) met = false;
    for (unsigned k = 4; k <= 12; k += 4) {
      unsigned number = c >> (k + 1) & 7;
      if ((c >> k & 1) && !(number < s->n && comps[number])) met = false;
    }
    if (met) return true;
  }
  return false;
}

/* Does a trigger with this action fire? */
static bool fires(const oct_filter *s, uint8_t trigger, unsigned action) {
  for (unsigned i = 0; i < OCT_TRIGGERS; i++)
    if ((trigger >> i & 1) && (s->q.trig_ext_in >> (4 * i) & 15) == action) return true;
  return false;
}

/* Trace-on holds from this cycle on, trace-off from the next. Whether this cycle is traced. */
static bool eval_tracing(uint32_t *d, uint32_t tracing, uint32_t triggers, bool on, bool off) {
  bool is_triggered = *d & triggers;
  bool now = (*d & tracing) || (is_triggered && on);
  *d = now && !(is_triggered && off) ? *d | tracing : *d & ~tracing;
  return now;
}

/* What writes and reads choose by an offset: NULL where there is no such register. */
static uint32_t *reg_at(const oct_filter *s, oct_filter_state *d, uint32_t paddr, uint32_t *mask) {
  uint32_t number = paddr >> 5 & 15;
  uint32_t all = (1u << s->n) - 1;
  *mask = all;
  switch (paddr) {
    case OCT_REG_TR_TE_CONTROL:
      *mask = OCT_TR_TE_CONTROL_MASK;
      return &d->control;
    case OCT_REG_TR_TE_INST_FILTERS:
      return &d->inst_filters;
    case OCT_REG_TR_TE_DATA_CONTROL:
      *mask = OCT_TR_TE_DATA_MASK;
      return &d->data_control;
    case OCT_REG_TR_TE_DATA_FILTERS:
      return &d->data_filters;
    case OCT_REG_TR_TE_TRIG_EXT_IN:
      *mask = 0xff;
      return &d->trig_ext_in;
    default:
      break;
  }
  if (number >= s->n) return NULL;
  switch (paddr & ~0x1e0u) {
    case OCT_REG_TR_TE_FILTER_CONTROL:
      *mask = OCT_TR_TE_FILTER_MASK;
      return &d->filter_control[number];
    case OCT_REG_TR_TE_FILTER_INST:
      *mask = OCT_TR_TE_INST_MASK;
      return &d->filter_inst[number];
    case OCT_REG_TR_TE_COMP_CONTROL:
      *mask = OCT_TR_TE_COMP_MASK;
      return &d->comp[number].control;
    default:
      return NULL;
  }
}

/* The same for match values, which are as wide as an address. */
static uint64_t *match_at(const oct_filter *s, oct_filter_state *d, uint32_t paddr) {
  uint32_t number = paddr >> 5 & 15;
  if (number >= s->n) return NULL;
  switch (paddr & ~0x1e4u) {
    case OCT_REG_TR_TE_COMP_P_MATCH_LOW:
      return &d->comp[number].p_match;
    case OCT_REG_TR_TE_COMP_S_MATCH_LOW:
      return &d->comp[number].s_match;
    default:
      return NULL;
  }
}

/* An action that there is not becomes none. */
static uint32_t legal_triggers(uint32_t value) {
  for (unsigned i = 0; i < OCT_TRIGGERS; i++) {
    unsigned action = value >> (4 * i) & 15;
    if (action != TRIGGER_ON && action != TRIGGER_OFF) value &= ~(15u << (4 * i));
  }
  return value;
}

static void write_reg(oct_filter *s, const oct_apb_in *apb, uint32_t *reg, uint32_t mask,
                      uint64_t *match) {
  uint32_t value = apb->pwdata & mask;
  if (match) {
    *match = (apb->paddr & 4 ? (*match & 0xffffffffu) | (uint64_t)apb->pwdata << 32
                             : (*match & ~(uint64_t)0xffffffffu) | apb->pwdata) &
             s->addr_mask;
    return;
  }
  *reg = apb->paddr == OCT_REG_TR_TE_TRIG_EXT_IN ? legal_triggers(value) : value;
  if ((apb->paddr & ~0x1e0u) == OCT_REG_TR_TE_COMP_CONTROL) {
    oct_filter_comp *comp = &s->d.comp[apb->paddr >> 5 & 15];
    comp->latch = (value >> 12 & 3) == MODE_LATCH && (value >> 4 & 7) == IS_SPECIAL;
    comp->stop = false;
  }
}

static void eval_apb(oct_filter *s, const oct_apb_in *apb, oct_apb_out *out) {
  *out = (oct_apb_out){.pready = true};
  if (!apb->psel || !apb->penable) return;
  uint32_t mask = 0;
  oct_filter_state *at = apb->pwrite ? &s->d : &s->q;
  uint32_t *reg = s->n ? reg_at(s, at, apb->paddr, &mask) : NULL;
  uint64_t *match = s->n ? match_at(s, at, apb->paddr) : NULL;
  if (!reg && !match)
    out->pslverr = true;
  else if (apb->pwrite)
    write_reg(s, apb, reg, mask, match);
  else
    out->prdata = match ? (uint32_t)(*match >> (apb->paddr & 4 ? 32 : 0))
                        : *reg | (apb->paddr == OCT_REG_TR_TE_DATA_CONTROL ? DATA_IMPLEMENTED : 0u);
}

void oct_filter_eval(oct_filter *s, const oct_filter_in *in, oct_filter_out *out) {
  oct_filter_state *d = &s->d;
  bool comps[OCT_FILTERS_MAX] = {false};
  *out = (oct_filter_out){.da_valid = in->da_valid, .da_end = in->da_end, .apb.pready = true};
  if (!s->n) {
    eval_apb(s, &in->apb, &out->apb);
    return;
  }
  *d = s->q;
  if (in->insn_valid) {
    d->pc = in->insn_addr;
    d->task = in->task;
    d->priv = in->priv;
    d->cut = false;
  }
  const view v = {.has_access = in->da_valid && !in->da_end,
                  .is_event = in->insn_valid || (in->da_valid && !in->da_end),
                  .pc = d->pc,
                  .da = in->da_addr,
                  .task = d->task,
                  .task_mask = s->task_mask,
                  .priv = d->priv};
  for (uint32_t j = 0; j < s->n; j++)
    comps[j] = eval_comp(&s->q.comp[j], &d->comp[j], &v, in->insn_valid);
  bool on = fires(s, in->trigger, TRIGGER_ON), off = fires(s, in->trigger, TRIGGER_OFF);
  bool insn_traced = eval_tracing(&d->control, INST_TRACING, INST_TRIGGERS, on, off);
  bool data_traced = eval_tracing(&d->data_control, DATA_TRACING, DATA_TRIGGERS, on, off);
  if (in->insn_valid) d->pass = insn_traced && is_met(s, s->q.inst_filters, comps, &v);
  out->skip = !d->pass;
  if (d->pass && in->da_valid) {
    bool is_wanted = !v.has_access || (data_traced && is_met(s, s->q.data_filters, comps, &v));
    out->da_valid = !d->cut;
    out->da_end = in->da_end || !is_wanted;
    if (!is_wanted) d->cut = true;
  }
  eval_apb(s, &in->apb, &out->apb);
}

void oct_filter_clock(oct_filter *s) {
  if (s->n) s->q = s->d;
}
