/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_ingress.c - what the core and the bus bring to the machine of `shadow`: instructions
 * and accesses for gather, requests for flushes and syncs, loss.
 *
 * If gather has no room, all is dropped until nothing is left ahead of the coder. What the filter
 * leaves out, and what breaks a rule of the core interface, is dropped likewise. But what the
 * filter leaves out is no overflow, and taking begins again as soon as the numbers of the gap
 * before have left gather. */
#include "oct_shadow_ingress.h"

void oct_shadow_ingress_init(oct_shadow_ingress *s, const oct_shadow_config *cfg,
                             oct_shadow_gather *gather) {
  *s = (oct_shadow_ingress){
      .cfg = *cfg, .gather = gather, .is_enabled = true, .privilege = OCT_PRIVILEGE_UNKNOWN};
  oct_core_rules_init(&s->core_rules, cfg->pc_align_bits);
  oct_filter_init(&s->filter, cfg->filters, cfg->addr_bits, cfg->task_bits);
}

static void lose(oct_shadow_ingress *s, bool has_insn, bool has_access, bool is_filtered) {
  s->gap.insns += has_insn;
  s->gap.accesses += has_access;
  s->counts.lost_insns += has_insn;
  s->counts.lost_accesses += has_access;
  s->counts.filtered_insns += has_insn && is_filtered;
  s->counts.filtered_accesses += has_access && is_filtered;
  s->out.lost_insns += has_insn && !is_filtered;
  s->out.lost_access |= has_access && !is_filtered;
}

/* is_filtered: for what the filter leaves out; is_wanted: it did not leave out the traps
 * themselves, but what comes with them. */
static void lose_traps(oct_shadow_ingress *s, uint32_t n, bool is_filtered, bool is_wanted) {
  s->counts.lost_traps += n;
  s->counts.filtered_traps += is_filtered ? n : 0;
  s->out.lost_traps += is_wanted ? n : 0;
}

/* Traps whose place has not come yet go with it. */
static void start_dropping(oct_shadow_ingress *s, bool is_filtered) {
  lose_traps(s, s->n_new_traps, is_filtered, true);
  oct_shadow_gather_drop_traps(s->gather, s->n_new_traps);
  s->n_new_traps = 0;
  s->is_dropping = true;
  s->is_overflow = false;
  s->gap = (oct_gather_gap){.is_cut = false};
}

/* What is dropped is more than the filter leaves out. */
static void overflow(oct_shadow_ingress *s) {
  if (!s->is_dropping) start_dropping(s, false);
  if (s->is_overflow) return;
  s->is_overflow = true;
  s->counts.overflows++;
  s->out.overflow = true;
}

/* No more accesses of the last instruction come. */
static void complete(oct_shadow_ingress *s) {
  if (s->has_open) oct_shadow_gather_complete(s->gather);
  s->has_open = false;
}

/* A place of gather, with what is in it and the marks that come before that. */
static void push(oct_shadow_ingress *s, oct_gathered place) {
  const bool has_gap = s->is_dropping;
  place.n_traps = s->n_new_traps;
  place.privilege = s->privilege;
  place.has_overflow = has_gap;
  s->n_new_traps = 0;
  s->is_dropping = false;
  if (s->flush_pending && !s->flush_busy) {
    place.has_flush = s->flush_busy = true;
    s->af_busy = s->af_pending;
    s->flush_pending = s->af_pending = false;
  }
  oct_shadow_gather_put(s->gather, &place, has_gap ? &s->gap : NULL);
  s->in.insns_room--;
  s->in.can_resume = s->in.can_mark = false;
}

/* An access of the last instruction, at addr. */
static void take_access(oct_shadow_ingress *s, uint64_t addr) {
  oct_shadow_gather_put_access(s->gather, addr);
  s->in.accesses_room--;
}

/* May dropping end? */
static bool can_end(const oct_shadow_ingress *s) {
  return s->is_overflow ? s->in.can_resume : s->in.can_mark;
}

/* What is not to be traced: is_bad, as it breaks a rule; else the filter leaves it out. */
static void leave_out(oct_shadow_ingress *s, const oct_retire *r, bool is_bad) {
  bool has_access = r->da_valid && !r->da_end;
  bool is_cut = is_bad && !r->insn_valid && has_access && s->has_open && !s->is_dropping;
  /* Without its instruction an access is left out already, or there is none to which it belongs. */
  if (!is_bad && !r->insn_valid && !r->trap_valid && !s->is_dropping) return;
  complete(s);
  s->is_retiring |= is_bad || !s->is_dropping;
  if (is_bad)
    overflow(s);
  else if (!s->is_dropping)
    start_dropping(s, true);
  s->gap.is_cut |= is_cut;
  lose(s, r->insn_valid, has_access, !is_bad);
  lose_traps(s, r->trap_valid, !is_bad, is_bad);
}

static void take(oct_shadow_ingress *s, const oct_retire *r) {
  bool has_access = r->da_valid && !r->da_end;
  bool has_room = s->in.insns_room && (!has_access || s->in.accesses_room);
  s->is_retiring |= r->insn_valid || r->da_valid;
  if (r->insn_valid) {
    complete(s);
    if (s->is_dropping ? !can_end(s) || !has_room : !has_room) {
      overflow(s);
      lose(s, true, has_access, false);
      return;
    }
    s->task = r->task;
    oct_gathered place = {
        .insn = {.addr = r->insn_addr, .task = r->task, .size_bytes = r->insn_size_bytes},
        .has_insn = true,
        .is_sync = s->needs_sync};
    if (s->cfg.timestamp) {
      place.insn.cycle = s->cfg.time_source ? r->time : s->in.cycle;
      place.insn.flags = OCT_INSN_HAS_CYCLE;
    }
    push(s, place);
    s->has_open = true;
    s->needs_sync = false;
    if (has_access) take_access(s, r->da_addr);
  } else if (has_access && s->is_dropping) {
    overflow(s);
    lose(s, false, true, false);
  } else if (has_access && s->has_open) {
    if (s->in.accesses_room) {
      take_access(s, r->da_addr);
      return;
    }
    complete(s); /* with the accesses that came so far */
    overflow(s);
    lose(s, false, true, false);
    s->gap.is_cut = true;
  }
}

/* A trap waits for the place that comes next. */
static void take_trap(oct_shadow_ingress *s, const oct_retire *r, bool is_left_out) {
  complete(s);
  s->is_retiring = true;
  if (s->is_dropping || is_left_out) {
    if (!s->is_dropping) start_dropping(s, true);
    lose_traps(s, 1, is_left_out || !s->is_overflow, !is_left_out);
  } else if (!s->in.traps_room) {
    lose_traps(s, 1, false, true);
    overflow(s);
  } else {
    const oct_trap trap = {.addr = r->trap_addr,
                           .tval = r->trap_tval,
                           .cause = r->trap_cause,
                           .kind = r->trap_kind,
                           .privilege = r->trap_privilege};
    oct_shadow_gather_put_trap(s->gather, &trap);
    s->n_new_traps++;
  }
}

static void retire(oct_shadow_ingress *s, const oct_retire *r, bool is_skipped, bool is_bad) {
  bool begins = r->insn_valid || r->trap_valid;
  if (r->trap_valid) s->privilege = is_bad ? OCT_PRIVILEGE_UNKNOWN : r->trap_privilege;
  if (!s->is_enabled && s->in.enable && begins) s->is_enabled = s->needs_sync = true;
  if (!s->is_enabled) return;
  if (r->trap_valid && !is_bad)
    take_trap(s, r, is_skipped);
  else if (is_skipped ? r->insn_valid || r->da_valid || r->trap_valid : is_bad)
    leave_out(s, r, !is_skipped);
  else
    take(s, r);
}

/* Flags of the rules that r breaks. */
static uint32_t check(oct_core_rules *rules, const oct_retire *r) {
  const oct_core_rules_in in = {.insn_valid = r->insn_valid,
                                .da_valid = r->da_valid,
                                .da_end = r->da_end,
                                .core_error = r->core_error,
                                .insn_addr = r->insn_addr,
                                .insn_size_bytes = r->insn_size_bytes,
                                .trap_valid = r->trap_valid,
                                .trap_kind = r->trap_kind};
  return oct_core_rules_eval(rules, &in);
}

void oct_shadow_ingress_retire(oct_shadow_ingress *s, const oct_retire *r) {
  retire(s, r, false, check(&s->core_rules, r) != 0);
}

/* Whether an instruction retires ahead of that of the cycle. */
static bool has_lead(const oct_shadow_ingress *s, const oct_retire *r) {
  return s->cfg.retire_width > 1 && r->lead_valid && r->insn_valid;
}

static uint32_t check_lead(const oct_shadow_ingress *s, const oct_retire *r) {
  oct_core_rules rules = s->core_rules;
  const oct_core_rules_in ci = {
      .insn_valid = true, .insn_addr = r->lead_addr, .insn_size_bytes = r->lead_size_bytes};
  return oct_core_rules_eval(&rules, &ci);
}

static void retire_lead(oct_shadow_ingress *s, const oct_retire *r, bool is_bad) {
  const oct_retire lead = {.insn_valid = true,
                           .insn_size_bytes = r->lead_size_bytes,
                           .task = r->task,
                           .insn_addr = r->lead_addr,
                           .time = r->time};
  retire(s, &lead, false, is_bad);
}

/* What the core brings, *r, as the filter lets it through, unless it is to be skipped; the flags of
 * rules that it breaks. */
static uint32_t cycle_gate(oct_shadow_ingress *s, const oct_pins_in *in, oct_retire *r,
                           bool *is_skipped, oct_apb_out *apb) {
  uint32_t errors = check(&s->core_rules, r);
  if (has_lead(s, r))
    errors |= check_lead(s, r);
  else if (r->lead_valid)
    errors |= OCT_CORE_ERROR_ACCESS;
  bool is_asked = in->apb.psel && in->apb.paddr >= OCT_REG_TR_TE_CONTROL;
  *is_skipped = false;
  *apb = (oct_apb_out){.pready = true};
  if (!s->filter.n && !is_asked) return errors;
  oct_filter_in fi = {.apb = in->apb,
                      .insn_valid = r->insn_valid,
                      .da_valid = r->da_valid,
                      .da_end = r->da_end,
                      .priv = r->priv,
                      .trigger = r->trigger,
                      .task = r->task,
                      .insn_addr = r->insn_addr,
                      .da_addr = r->da_addr};
  oct_filter_out fo;
  fi.apb.psel = is_asked;
  oct_filter_eval(&s->filter, &fi, &fo);
  oct_filter_clock(&s->filter);
  r->da_valid = fo.da_valid;
  r->da_end = fo.da_end;
  *is_skipped = fo.skip;
  *apb = fo.apb;
  return errors;
}

/* Requests of the bus and of the debugger. */
static void request(oct_shadow_ingress *s, const oct_pins_in *in, const oct_retire *r,
                    const oct_pins_bus *bus) {
  if (in->afvalid && bus->atclken && !s->af_busy) s->flush_pending = s->af_pending = true;
  if (bus->syncreq && bus->atclken) s->needs_sync = true;
  if (s->is_enabled && !s->in.enable && (r->insn_valid || !r->da_valid)) {
    s->is_enabled = false;
    s->flush_pending = true;
    complete(s);
  }
}

void oct_shadow_ingress_cycle(oct_shadow_ingress *s, const oct_shadow_ingress_in *in,
                              const oct_pins_in *pins, const oct_pins_bus *bus) {
  oct_retire r = pins->retire;
  bool is_skipped;
  s->in = *in;
  s->out = (oct_shadow_ingress_out){.overflow = false};
  s->is_retiring = false;
  r.trap_valid = r.trap_valid && s->cfg.traps;
  s->out.errors = cycle_gate(s, pins, &r, &is_skipped, &s->out.apb);
  r.insn_valid |= r.lead_valid; /* a lead without its instruction is lost, and counted */
  request(s, pins, &r, bus);
  const bool is_bad = s->out.errors != 0;
  if (has_lead(s, &pins->retire)) retire_lead(s, &r, is_bad);
  retire(s, &r, is_skipped, is_bad);
}

void oct_shadow_ingress_settle(oct_shadow_ingress *s, bool flush_ends) {
  if (!s->is_retiring) {
    complete(s);
    bool has_room = s->is_dropping ? can_end(s) : s->in.insns_room != 0;
    if (s->flush_pending && !s->flush_busy && has_room)
      push(s, (oct_gathered){.insn = {.task = s->task}});
  }
  if (flush_ends) s->flush_busy = s->af_busy = false;
}
