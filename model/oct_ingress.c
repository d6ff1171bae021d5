/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ingress.c - core interface: marks and loss. */
#include "oct_ingress.h"

void oct_ingress_init(oct_ingress *s, const oct_config *cfg, oct_stats *stats) {
  memset(s, 0, sizeof *s);
  s->period_insns = cfg->sync_period_insns;
  s->addr_mask = oct_mask(cfg->addr_bits);
  s->stats = stats;
  s->need_sync = true;
}

static void drop(oct_ingress *s, const oct_retire *r) {
  if (r->insn_valid) {
    s->lost_insns++;
    s->insn_count++;
    s->stats->lost_insns++;
  }
  if (r->da_valid && !r->da_end) {
    s->lost_accesses++;
    s->stats->lost_accesses++;
  }
}

static void start_dropping(oct_ingress *s, const oct_retire *r) {
  s->dropping = true;
  s->stream_mark_due = true;
  s->data_mark_due = true;
  s->lost_insns = 0;
  s->lost_accesses = 0;
  s->stats->overflows++;
  drop(s, r);
}

/* The OVERFLOW marks go to both sides as soon as there is room, one each. */
static void eval_dropping(oct_ingress *s, const oct_ingress_in *in, oct_ingress_out *out) {
  if (s->stream_mark_due && in->stream_ready) {
    out->mark = OCT_MARK_OVERFLOW;
    s->stream_mark_due = false;
  }
  if (s->data_mark_due && in->data_ready) {
    out->data_push = true;
    out->data.mark = OCT_MARK_OVERFLOW;
    s->data_mark_due = false;
  }
  drop(s, in->retire);
}

/* Both sides are empty up to their OVERFLOW marks, and this cycle does not continue an instruction.
 */
static bool can_resume(const oct_ingress *s, const oct_ingress_in *in) {
  bool idle = !in->retire->insn_valid && !in->retire->da_valid;
  if (!in->overflow_at_head || s->stream_mark_due || s->data_mark_due) return false;
  return in->retire->insn_valid || (idle && s->flush_pending);
}

static void end_dropping(oct_ingress *s) {
  s->barrier.lost_insns = s->lost_insns < s->addr_mask ? s->lost_insns : s->addr_mask;
  s->barrier.lost_accesses = s->lost_accesses < s->addr_mask ? s->lost_accesses : s->addr_mask;
  s->dropping = false;
  s->resume = true;
  if (s->lost_insns >= s->addr_mask) s->need_sync = true;
}

void oct_ingress_eval(oct_ingress *s, const oct_stream_detector *detector, const oct_ingress_in *in,
                      oct_ingress_out *out) {
  const oct_retire *r = in->retire;
  bool boundary = r->insn_valid || !r->da_valid;
  bool stream_push;
  bool data_push;
  memset(out, 0, sizeof *out);
  if (in->sync_done) s->sync_busy = false;
  if (in->overflow_done) s->resume = false;
  if (s->dropping) {
    if (!can_resume(s, in)) {
      eval_dropping(s, in, out);
      return;
    }
    end_dropping(s);
  }
  if (r->insn_valid) out->mark = oct_ingress_mark(s, r->task);
  if (!out->mark && s->flush_pending && boundary) out->mark = OCT_MARK_FLUSH;
  stream_push = oct_stream_detector_closes(detector, r->insn_valid, r->insn_addr, out->mark);
  data_push = r->da_valid || out->mark == OCT_MARK_SYNC || out->mark == OCT_MARK_FLUSH;
  if ((stream_push && !in->stream_ready) || (data_push && !in->data_ready)) {
    out->mark = OCT_MARK_NONE;
    if (r->insn_valid || r->da_valid) start_dropping(s, r);
    return;
  }
  out->task = r->task;
  out->insn_valid = r->insn_valid;
  out->data_push = data_push;
  if (out->mark == OCT_MARK_FLUSH) s->flush_pending = false;
  if (r->insn_valid) oct_ingress_take_insn(s, r->insn_addr, r->task, out->mark);
  if (r->da_valid) oct_ingress_take_data(s, r->da_end, r->da_addr, &out->data);
  out->data.mark = out->mark == OCT_MARK_TASK ? OCT_MARK_NONE : out->mark;
}
