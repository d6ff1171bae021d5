/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ingress.c - core interface: marks and loss (oct_ingress.h).
 *
 * What a cycle brings goes to both sides, behind the mark that is due: a sync, a task switch, a
 * flush. When a side is full, everything is dropped and counted, and an OVERFLOW mark goes to each
 * side as soon as it has room; when there is room for more than a few, taking begins again. What
 * the filter leaves out is dropped as well, but need not wait for that room. */
#include "oct_ingress.h"

#include "octrace/trace.h"

#include <string.h>

void oct_ingress_init(oct_ingress *s, const oct_config *cfg, oct_stats *stats) {
  memset(s, 0, sizeof *s);
  s->addr_mask = oct_mask(cfg->addr_bits);
  s->stats = stats;
  s->need_sync = true;
  s->privilege = OCT_PRIVILEGE_UNKNOWN;
  s->has_time = cfg->timestamp;
  s->takes_time = cfg->time_source;
  s->pace.is_on = cfg->timestamp == 2;
  s->time_period_insns = cfg->time_period_insns;
}

/* Does this cycle bring something that is to be traced? */
static bool brings(const oct_ingress_in *in, const oct_retire *r, bool bad) {
  return bad || (!in->skip && (r->insn_valid || r->trap_valid || r->da_valid));
}

static void drop(oct_ingress *s, const oct_ingress_in *in, const oct_retire *r,
                 oct_ingress_out *out) {
  if (r->insn_valid) {
    s->lost_insns++;
    s->insn_count++;
    s->stats->lost_insns++;
    s->stats->filtered_insns += in->skip;
    out->lost_insn = !in->skip;
  }
  if (r->da_valid && !r->da_end) {
    s->lost_accesses++;
    s->stats->lost_accesses++;
    s->stats->filtered_accesses += in->skip;
    out->lost_access = !in->skip;
  }
  if (r->trap_valid) {
    s->stats->lost_traps++;
    s->stats->filtered_traps += in->skip;
    out->lost_traps += !in->skip;
  }
}

/* The first trap has its packet. */
static void pop_trap(oct_ingress *s) {
  s->barrier.trap = s->later_traps[0];
  memmove(&s->later_traps[0], &s->later_traps[1], sizeof s->later_traps - sizeof s->later_traps[0]);
  s->n_traps--;
}

static void push_trap(oct_ingress *s, const oct_retire *r) {
  const oct_trap_word trap = {.addr = r->trap_addr,
                              .tval = r->trap_tval,
                              .cause = r->trap_cause,
                              .kind = r->trap_kind,
                              .privilege = r->trap_privilege};
  *(s->n_traps ? &s->later_traps[s->n_traps - 1] : &s->barrier.trap) = trap;
  s->n_traps++;
  s->stats->traps++;
}

static void count_overflow(oct_ingress *s, oct_ingress_out *out) {
  s->is_overflow = true;
  s->stats->overflows++;
  out->overflow = true;
}

static void start_dropping(oct_ingress *s, const oct_ingress_in *in, const oct_retire *r,
                           bool is_overflow, oct_ingress_out *out) {
  s->dropping = true;
  s->empties_buffers = !in->stream_ready;
  s->empties_out_fifo = in->is_out_full && s->n_taken < OCT_INGRESS_SHORT_INSNS;
  s->n_taken = 0;
  s->stream_mark_due = true;
  s->data_mark_due = true;
  s->lost_insns = 0;
  s->lost_accesses = 0;
  s->is_overflow = false;
  if (is_overflow || s->trap_due) count_overflow(s, out);
  if (s->trap_due) { /* the last that waits */
    s->trap_due = false;
    s->n_traps--;
    s->stats->traps--;
    s->stats->lost_traps++;
    out->lost_traps++;
  }
  drop(s, in, r, out);
}

/* The OVERFLOW marks go to both sides as soon as there is room, one each. They wait until the
 * numbers of the gap before have been sent, where that ended before its marks had come to the head.
 */
static void eval_dropping(oct_ingress *s, const oct_ingress_in *in, const oct_retire *r, bool bad,
                          oct_ingress_out *out) {
  bool waits = s->is_early && s->resume;
  if (s->stream_mark_due && in->stream_ready && !waits) {
    out->mark = OCT_MARK_OVERFLOW;
    s->stream_mark_due = false;
  }
  if (s->data_mark_due && in->data_ready && !waits) {
    out->data_push = true;
    out->data.mark = OCT_MARK_OVERFLOW;
    s->data_mark_due = false;
  }
  if (!s->is_overflow && brings(in, r, bad)) count_overflow(s, out);
  drop(s, in, r, out);
}

/* There is room for more than a few, and what was full as the loss began is empty. */
static bool has_room(const oct_ingress *s, const oct_ingress_in *in) {
  return in->is_drained && (!s->empties_buffers || in->is_empty) &&
         (!s->empties_out_fifo || in->is_out_empty);
}

/* The marks are in the buffers and, if something was lost, there is room again; and this cycle does
 * not continue an instruction. */
static bool can_resume(const oct_ingress *s, const oct_ingress_in *in, const oct_retire *r,
                       bool bad) {
  bool begins = r->insn_valid || r->trap_valid, flush = s->flush_pending && !s->flush_busy;
  if (s->stream_mark_due || s->data_mark_due || bad) return false;
  if (s->is_overflow && !has_room(s, in)) return false;
  if (begins && in->skip) return flush && in->stream_ready && in->data_ready;
  return begins || (!r->da_valid && flush);
}

static void end_dropping(oct_ingress *s, const oct_ingress_in *in) {
  s->barrier.lost_insns = s->lost_insns < s->addr_mask ? s->lost_insns : s->addr_mask;
  s->barrier.lost_accesses = s->lost_accesses < s->addr_mask ? s->lost_accesses : s->addr_mask;
  s->barrier.lost_privilege = s->privilege;
  s->dropping = false;
  s->resume = true;
  s->is_early = !in->overflow_at_head;
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

/* The time of what the cycle brings. */
static uint64_t time_of(const oct_ingress *s, const oct_retire *r) {
  return s->takes_time ? r->time & oct_mask(OCT_TIME_BITS) : s->stats->cycles;
}

/* A stamp may not be earlier than the last one: where time went back, none stands. */
static bool is_back(const oct_ingress *s, uint64_t time) {
  return s->takes_time && time < s->told_time;
}

/* The mark that stands before what the cycle brings. */
static uint8_t mark_of(const oct_ingress *s, const oct_ingress_in *in, const oct_retire *r,
                       bool left_out) {
  bool boundary = r->insn_valid || !r->da_valid;
  bool begins = r->insn_valid || r->trap_valid;
  uint8_t mark = OCT_MARK_NONE;
  if (s->trap_due && boundary)
    mark = OCT_MARK_TRAP;
  else if (begins && !left_out)
    mark = oct_ingress_mark(s, r->task, in->sync_period_insns);
  else if (r->insn_valid && left_out && !s->begun)
    mark = OCT_MARK_SYNC;
  if (!mark && r->trap_valid && !left_out) mark = OCT_MARK_TRAP;
  if (!mark && s->flush_pending && !s->flush_busy && boundary) mark = OCT_MARK_FLUSH;
  uint64_t time = time_of(s, r);
  if (!mark && r->insn_valid && !left_out && oct_ingress_time_due(s, time) && !is_back(s, time))
    mark = OCT_MARK_TIME;
  return mark;
}

/* Push what the cycle brings, with the mark that stands before it, or start to drop. */
static void eval_taking(oct_ingress *s, const oct_ingress_in *in, const oct_retire *r, bool bad,
                        oct_ingress_out *out) {
  bool left_out = in->skip || bad, begins = r->insn_valid || r->trap_valid;
  bool starts = s->begun && (bad || (in->skip && (begins || r->da_valid)));
  uint8_t mark = mark_of(s, in, r, left_out);
  bool takes_insn = r->insn_valid && !left_out, takes_data = r->da_valid && !left_out;
  bool takes_trap = r->trap_valid && !left_out, takes_sync = mark == OCT_MARK_SYNC;
  bool places_own = takes_trap && mark == OCT_MARK_TRAP && !s->trap_due;
  bool two_marks = s->trap_due && begins && !left_out && r->task != s->task;
  bool no_room = takes_trap && s->n_traps == OCT_INGRESS_TRAPS;
  bool stream_push = mark || (takes_insn && in->closes_insn);
  bool data_push = takes_data || mark == OCT_MARK_SYNC || mark == OCT_MARK_FLUSH;
  if ((stream_push && !in->stream_ready) || (data_push && !in->data_ready) || no_room ||
      two_marks) {
    if (starts || (!left_out && brings(in, r, bad)))
      start_dropping(s, in, r, brings(in, r, bad), out);
    else
      s->insn_count += r->insn_valid; /* left out ahead of the first sync, which has its number */
    return;
  }
  out->mark = mark;
  out->task = r->task;
  out->insn_valid = takes_insn;
  out->data_push = data_push;
  if (mark == OCT_MARK_FLUSH) {
    s->flush_busy = true;
    s->af_busy = s->af_pending;
    s->flush_pending = s->af_pending = false;
  }
  out->time_back =
      takes_insn && oct_ingress_time_due(s, time_of(s, r)) && is_back(s, time_of(s, r));
  if (mark == OCT_MARK_TIME) oct_ingress_take_time(s, time_of(s, r));
  if (takes_insn)
    out->delay = oct_ingress_take_pace(s, mark || in->opens_stream, mark, true, s->stats->cycles);
  if (takes_insn)
    oct_ingress_take_insn(s, r->insn_addr, r->task, mark);
  else if (takes_trap || takes_sync)
    oct_ingress_take_mark(s, r->task, mark);
  if (takes_trap) push_trap(s, r);
  s->trap_due = takes_trap ? !places_own : s->trap_due && mark != OCT_MARK_TRAP;
  if (takes_data) oct_ingress_take_data(s, r->da_end, r->da_addr, &out->data);
  out->data.mark = oct_mark_is_barrier(mark) ? mark : OCT_MARK_NONE;
  if (starts || (left_out && takes_sync)) start_dropping(s, in, r, bad, out);
}

/* AFVALID that is held while its flush is under way asks for no other. */
static void eval_requests(oct_ingress *s, const oct_ingress_in *in) {
  if (in->afvalid && !s->af_busy) s->flush_pending = s->af_pending = true;
  if (in->syncreq) s->need_sync = true;
}

static void eval_cycle(oct_ingress *s, const oct_ingress_in *in, oct_ingress_out *out) {
  static const oct_retire nothing;
  const oct_retire *r;
  bool bad;
  eval_requests(s, in);
  eval_enable(s, in);
  r = s->enabled ? in->retire : &nothing;
  bad = in->bad && s->enabled && !in->skip;
  if (in->sync_done) s->sync_busy = false;
  if (in->overflow_done) s->resume = false;
  s->bits_due = in->sync_due;
  if (s->dropping) {
    if (!can_resume(s, in, r, bad)) {
      eval_dropping(s, in, r, bad, out);
      return;
    }
    end_dropping(s, in);
  }
  eval_taking(s, in, r, bad, out);
}

void oct_ingress_eval(oct_ingress *s, const oct_ingress_in *in, oct_ingress_out *out) {
  memset(out, 0, sizeof *out);
  eval_cycle(s, in, out);
  if (in->retire->trap_valid) /* what breaks a rule tells none */
    s->privilege = in->bad ? OCT_PRIVILEGE_UNKNOWN : in->retire->trap_privilege;
  if (in->trap_done) pop_trap(s);
  if (in->time_done) s->time_busy = false;
  if (in->flush_done) s->flush_busy = s->af_busy = false;
  s->n_taken += out->insn_valid && s->n_taken < OCT_INGRESS_SHORT_INSNS;
}
