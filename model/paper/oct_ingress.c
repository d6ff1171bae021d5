/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ingress.c - core interface: marks and loss (oct_ingress.h).
 *
 * What a cycle brings goes to both sides, behind the mark that is due: a sync, a task switch, a
 * flush. When a side is full, everything is dropped and counted, and an OVERFLOW mark goes to each
 * side as soon as it has room; when both have come to theirs and are empty, taking begins again. */
#include "oct_ingress.h"

void oct_ingress_init(oct_ingress *s, const oct_config *cfg, oct_stats *stats) {
  memset(s, 0, sizeof *s);
  s->addr_mask = oct_mask(cfg->addr_bits);
  s->stats = stats;
  s->need_sync = true;
}

static void drop(oct_ingress *s, const oct_retire *r, oct_ingress_out *out) {
  if (r->insn_valid) {
    s->lost_insns++;
    s->insn_count++;
    s->stats->lost_insns++;
    out->lost_insn = true;
  }
  if (r->da_valid && !r->da_end) {
    s->lost_accesses++;
    s->stats->lost_accesses++;
    out->lost_access = true;
  }
  if (r->trap_valid) s->stats->lost_traps++;
}

/* The first trap has its packet. */
static void pop_trap(oct_ingress *s) {
  s->barrier.trap = s->last_trap;
  s->n_traps--;
}

static void push_trap(oct_ingress *s, const oct_retire *r) {
  const oct_trap_word trap = {r->trap_addr, r->trap_tval, r->trap_cause, r->trap_kind,
                              r->trap_privilege};
  *(s->n_traps ? &s->last_trap : &s->barrier.trap) = trap;
  s->n_traps++;
  s->stats->traps++;
}

static void start_dropping(oct_ingress *s, const oct_retire *r, oct_ingress_out *out) {
  s->dropping = true;
  s->stream_mark_due = true;
  s->data_mark_due = true;
  s->lost_insns = 0;
  s->lost_accesses = 0;
  s->stats->overflows++;
  out->overflow = true;
  if (s->trap_due) { /* the last that waits */
    s->trap_due = false;
    s->n_traps--;
    s->stats->traps--;
    s->stats->lost_traps++;
  }
  drop(s, r, out);
}

/* The OVERFLOW marks go to both sides as soon as there is room, one each. */
static void eval_dropping(oct_ingress *s, const oct_ingress_in *in, const oct_retire *r,
                          oct_ingress_out *out) {
  if (s->stream_mark_due && in->stream_ready) {
    out->mark = OCT_MARK_OVERFLOW;
    s->stream_mark_due = false;
  }
  if (s->data_mark_due && in->data_ready) {
    out->data_push = true;
    out->data.mark = OCT_MARK_OVERFLOW;
    s->data_mark_due = false;
  }
  drop(s, r, out);
}

/* Both sides are empty up to their OVERFLOW marks, and this cycle does not continue an instruction.
 */
static bool can_resume(const oct_ingress *s, const oct_ingress_in *in, const oct_retire *r) {
  bool begins = r->insn_valid || r->trap_valid, idle = !begins && !r->da_valid;
  if (!in->overflow_at_head || s->stream_mark_due || s->data_mark_due) return false;
  return begins || (idle && s->flush_pending && !s->flush_busy);
}

static void end_dropping(oct_ingress *s) {
  s->barrier.lost_insns = s->lost_insns < s->addr_mask ? s->lost_insns : s->addr_mask;
  s->barrier.lost_accesses = s->lost_accesses < s->addr_mask ? s->lost_accesses : s->addr_mask;
  s->dropping = false;
  s->resume = true;
  if (s->lost_insns >= s->addr_mask) s->need_sync = true;
}

static void eval_enable(oct_ingress *s, const oct_ingress_in *in) {
  const oct_retire *r = in->retire;
  if (s->enabled && !in->enable && (r->insn_valid || !r->da_valid)) {
    s->enabled = false;
    s->flush_pending = true;
  } else if (!s->enabled && in->enable && (r->insn_valid || r->trap_valid)) {
    s->enabled = true;
    s->need_sync = true;
  }
}

/* Push what the cycle brings, with the mark that stands before it, or start to drop. */
static void eval_taking(oct_ingress *s, const oct_ingress_in *in, const oct_retire *r,
                        oct_ingress_out *out) {
  bool boundary = r->insn_valid || !r->da_valid;
  bool begins = r->insn_valid || r->trap_valid;
  uint8_t mark = OCT_MARK_NONE;
  bool stream_push;
  bool data_push;
  bool two_marks = s->trap_due && begins && r->task != s->task;
  if (s->trap_due && boundary)
    mark = OCT_MARK_TRAP;
  else if (begins)
    mark = oct_ingress_mark(s, r->task, in->sync_period_insns);
  bool places_own = !mark && r->trap_valid;
  if (places_own) mark = OCT_MARK_TRAP;
  if (!mark && s->flush_pending && !s->flush_busy && boundary) mark = OCT_MARK_FLUSH;
  stream_push = mark || (r->insn_valid && in->closes_insn);
  data_push = r->da_valid || mark == OCT_MARK_SYNC || mark == OCT_MARK_FLUSH;
  bool no_room = r->trap_valid && s->n_traps == OCT_INGRESS_TRAPS;
  if ((stream_push && !in->stream_ready) || (data_push && !in->data_ready) || no_room ||
      two_marks) {
    if (begins || r->da_valid) start_dropping(s, r, out);
    return;
  }
  out->mark = mark;
  out->task = r->task;
  out->insn_valid = r->insn_valid;
  out->data_push = data_push;
  if (mark == OCT_MARK_FLUSH) {
    s->flush_busy = true;
    s->af_busy = s->af_pending;
    s->flush_pending = s->af_pending = false;
  }
  if (r->insn_valid)
    oct_ingress_take_insn(s, r->insn_addr, r->task, mark);
  else if (r->trap_valid)
    oct_ingress_take_mark(s, r->task, mark);
  if (r->trap_valid) push_trap(s, r);
  s->trap_due = r->trap_valid ? !places_own : s->trap_due && mark != OCT_MARK_TRAP;
  if (r->da_valid) oct_ingress_take_data(s, r->da_end, r->da_addr, &out->data);
  out->data.mark = oct_mark_is_barrier(mark) ? mark : OCT_MARK_NONE;
}

/* AFVALID that is held while its flush is under way asks for no other. */
static void eval_requests(oct_ingress *s, const oct_ingress_in *in) {
  if (in->afvalid && !s->af_busy) s->flush_pending = s->af_pending = true;
  if (in->syncreq) s->need_sync = true;
}

static void eval_cycle(oct_ingress *s, const oct_ingress_in *in, oct_ingress_out *out) {
  static const oct_retire nothing;
  const oct_retire *r;
  eval_requests(s, in);
  eval_enable(s, in);
  r = s->enabled ? in->retire : &nothing;
  if (in->sync_done) s->sync_busy = false;
  if (in->overflow_done) s->resume = false;
  s->bits_due = in->sync_due;
  if (s->dropping) {
    if (!can_resume(s, in, r)) {
      eval_dropping(s, in, r, out);
      return;
    }
    end_dropping(s);
  }
  eval_taking(s, in, r, out);
}

void oct_ingress_eval(oct_ingress *s, const oct_ingress_in *in, oct_ingress_out *out) {
  memset(out, 0, sizeof *out);
  eval_cycle(s, in, out);
  if (in->trap_done) pop_trap(s);
  if (in->flush_done) s->flush_busy = s->af_busy = false;
}
