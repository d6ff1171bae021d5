/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_ingress.c - what the core and the bus bring to the machine of `shadow`: instructions
 * and accesses for gather, requests for flushes and syncs, loss.
 *
 * If gather has no room, all is dropped until nothing is left ahead of the coder. What the filter
 * leaves out, and what breaks a rule of the core interface, is dropped likewise. But what the
 * filter leaves out is no overflow, and taking begins again as soon as the numbers of the gap
 * before have left gather. */
#include "oct_shadow_timed.h"

static void lose(oct_shadow_timed *s, bool has_insn, bool has_access, bool is_filtered) {
  s->lost_insns += has_insn;
  s->lost_accesses += has_access;
  s->stats.lost_insns += has_insn;
  s->stats.lost_accesses += has_access;
  s->stats.filtered_insns += has_insn && is_filtered;
  s->stats.filtered_accesses += has_access && is_filtered;
  s->new_lost_insns += has_insn && !is_filtered;
  s->lost_access |= has_access && !is_filtered;
}

/* is_filtered: for what the filter leaves out; is_wanted: it did not leave out the traps
 * themselves, but what comes with them. */
static void lose_traps(oct_shadow_timed *s, uint32_t n, bool is_filtered, bool is_wanted) {
  s->stats.lost_traps += n;
  s->stats.filtered_traps += is_filtered ? n : 0;
  s->new_lost_traps += is_wanted ? n : 0;
}

/* Traps whose place has not come yet go with it. */
static void start_dropping(oct_shadow_timed *s, bool is_filtered) {
  lose_traps(s, s->n_new_traps, is_filtered, true);
  s->trap_tail -= s->n_new_traps;
  s->n_new_traps = 0;
  s->is_dropping = true;
  s->is_cut = s->is_overflow = false;
  s->lost_insns = s->lost_accesses = 0;
}

/* What is dropped is more than the filter leaves out. */
static void overflow(oct_shadow_timed *s) {
  if (!s->is_dropping) start_dropping(s, false);
  if (s->is_overflow) return;
  s->is_overflow = true;
  s->stats.overflows++;
  s->overflow = true;
}

/* No more accesses of the last instruction come. */
static void complete(oct_shadow_timed *s) {
  if (s->has_open) oct_shadow_gathered_at(s, s->tail - 1)->is_complete = true;
  s->has_open = false;
}

/* A place of gather, with the marks that come before what is in it. */
static oct_gathered *push(oct_shadow_timed *s) {
  oct_gathered *g = oct_shadow_gathered_at(s, s->tail++);
  *g = (oct_gathered){.insn = {.task = s->task},
                      .n_traps = s->n_new_traps,
                      .privilege = s->privilege,
                      .has_overflow = s->is_dropping};
  s->n_new_traps = 0;
  if (s->is_dropping) {
    s->resumes_cut = s->is_cut;
    s->resumes_insns = s->lost_insns;
    s->resumes_accesses = s->lost_accesses;
    s->is_dropping = false;
    s->has_gap = true;
  }
  if (s->flush_pending && !s->flush_busy) {
    g->has_flush = s->flush_busy = true;
    s->af_busy = s->af_pending;
    s->flush_pending = s->af_pending = false;
  }
  s->insns_room--;
  s->can_resume = s->can_mark = false;
  return g;
}

/* An access of the last instruction, at addr. */
static void take_access(oct_shadow_timed *s, uint64_t addr) {
  oct_gathered *g = oct_shadow_gathered_at(s, s->tail - 1);
  s->accesses[s->access_tail++ & (s->cfg.gather_accesses - 1)] = (oct_access){.addr = addr};
  g->insn.n_access++;
  s->accesses_room--;
}

/* May dropping end? */
static bool can_end(const oct_shadow_timed *s) {
  return s->is_overflow ? s->can_resume : s->can_mark;
}

/* What is not to be traced: is_bad, as it breaks a rule; else the filter leaves it out. */
static void leave_out(oct_shadow_timed *s, const oct_retire *r, bool is_bad) {
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
  s->is_cut |= is_cut;
  lose(s, r->insn_valid, has_access, !is_bad);
  lose_traps(s, r->trap_valid, !is_bad, is_bad);
}

static void take(oct_shadow_timed *s, const oct_retire *r) {
  bool has_access = r->da_valid && !r->da_end;
  bool has_room = s->insns_room && (!has_access || s->accesses_room);
  s->is_retiring |= r->insn_valid || r->da_valid;
  if (r->insn_valid) {
    complete(s);
    if (s->is_dropping ? !can_end(s) || !has_room : !has_room) {
      overflow(s);
      lose(s, true, has_access, false);
      return;
    }
    oct_gathered *g = push(s);
    g->insn = (oct_insn){
        .addr = r->insn_addr, .task = s->task = r->task, .size_bytes = r->insn_size_bytes};
    if (s->cfg.timestamp) {
      g->insn.cycle = s->cfg.time_source ? r->time : s->stats.cycles;
      g->insn.flags = OCT_INSN_HAS_CYCLE;
    }
    g->has_insn = s->has_open = true;
    g->is_sync = s->needs_sync;
    s->needs_sync = false;
    if (has_access) take_access(s, r->da_addr);
  } else if (has_access && s->is_dropping) {
    overflow(s);
    lose(s, false, true, false);
  } else if (has_access && s->has_open) {
    if (s->accesses_room) {
      take_access(s, r->da_addr);
      return;
    }
    complete(s); /* with the accesses that came so far */
    overflow(s);
    lose(s, false, true, false);
    s->is_cut = true;
  }
}

/* A trap waits for the place that comes next. */
static void take_trap(oct_shadow_timed *s, const oct_retire *r, bool is_left_out) {
  complete(s);
  s->is_retiring = true;
  if (s->is_dropping || is_left_out) {
    if (!s->is_dropping) start_dropping(s, true);
    lose_traps(s, 1, is_left_out || !s->is_overflow, !is_left_out);
  } else if (!s->traps_room) {
    lose_traps(s, 1, false, true);
    overflow(s);
  } else {
    s->traps[s->trap_tail++ % OCT_GATHER_TRAPS] = (oct_trap){.addr = r->trap_addr,
                                                             .tval = r->trap_tval,
                                                             .cause = r->trap_cause,
                                                             .kind = r->trap_kind,
                                                             .privilege = r->trap_privilege};
    s->n_new_traps++;
  }
}

static void retire(oct_shadow_timed *s, const oct_retire *r, bool is_skipped, bool is_bad) {
  bool begins = r->insn_valid || r->trap_valid;
  if (r->trap_valid) s->privilege = is_bad ? OCT_PRIVILEGE_UNKNOWN : r->trap_privilege;
  if (!s->is_enabled && s->regs.enable_q && begins) s->is_enabled = s->needs_sync = true;
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

void oct_shadow_timed_retire(oct_shadow_timed *s, const oct_retire *r) {
  retire(s, r, false, check(&s->core_rules, r) != 0);
}

/* Whether an instruction retires ahead of that of the cycle. */
static bool has_lead(const oct_shadow_timed *s, const oct_retire *r) {
  return s->cfg.retire_width > 1 && r->lead_valid && r->insn_valid;
}

static uint32_t check_lead(const oct_shadow_timed *s, const oct_retire *r) {
  oct_core_rules rules = s->core_rules;
  const oct_core_rules_in ci = {
      .insn_valid = true, .insn_addr = r->lead_addr, .insn_size_bytes = r->lead_size_bytes};
  return oct_core_rules_eval(&rules, &ci);
}

static void retire_lead(oct_shadow_timed *s, const oct_retire *r, bool is_bad) {
  const oct_retire lead = {.insn_valid = true,
                           .insn_size_bytes = r->lead_size_bytes,
                           .task = r->task,
                           .insn_addr = r->lead_addr,
                           .time = r->time};
  retire(s, &lead, false, is_bad);
}

/* What the core brings, *r, as the filter lets it through, unless it is to be skipped; the flags of
 * rules that it breaks. */
static uint32_t cycle_gate(oct_shadow_timed *s, const oct_pins_in *in, oct_retire *r,
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
  oct_filter_in fi = {in->apb,    r->insn_valid, r->da_valid,  r->da_end, r->priv,
                      r->trigger, r->task,       r->insn_addr, r->da_addr};
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
static void request(oct_shadow_timed *s, const oct_pins_in *in, const oct_retire *r,
                    const oct_pins_bus *bus) {
  if (in->afvalid && bus->atclken && !s->af_busy) s->flush_pending = s->af_pending = true;
  if (bus->syncreq && bus->atclken) s->needs_sync = true;
  if (s->is_enabled && !s->regs.enable_q && (r->insn_valid || !r->da_valid)) {
    s->is_enabled = false;
    s->flush_pending = true;
    complete(s);
  }
}

uint32_t oct_shadow_ingress_cycle(oct_shadow_timed *s, const oct_pins_in *in,
                                  const oct_pins_bus *bus, oct_apb_out *filter_apb) {
  oct_retire r = in->retire;
  bool is_skipped;
  r.trap_valid = r.trap_valid && s->cfg.traps;
  uint32_t errors = cycle_gate(s, in, &r, &is_skipped, filter_apb);
  r.insn_valid |= r.lead_valid; /* a lead alone is lost, and counted */
  request(s, in, &r, bus);
  if (has_lead(s, &in->retire)) retire_lead(s, &r, errors != 0);
  retire(s, &r, is_skipped, errors != 0);
  return errors;
}

void oct_shadow_ingress_settle(oct_shadow_timed *s) {
  if (s->is_retiring) return;
  complete(s);
  bool has_room = s->is_dropping ? can_end(s) : s->insns_room != 0;
  if (s->flush_pending && !s->flush_busy && has_room) push(s);
}
