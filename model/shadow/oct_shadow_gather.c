/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_gather.c - what leaves gather for the core: starts of periods, instructions access by
 * access, marks (docs/notes/shadow-rtl.md, beats).
 *
 * An instruction leaves when its accesses are there and what comes after it: so it is known where
 * it went, and whether a mark ends its period. Of marks that come before the same instruction the
 * overflow is first, then the flush, then the sync.
 *
 * A sync that comes alone is in the last beat of the instruction before it, with the start behind
 * it: at one instruction a cycle gather could never make good for beats of their own. */
#include "oct_shadow_gather.h"

#include <stdlib.h>
#include <string.h>

int oct_shadow_gather_init(oct_shadow_gather *s, const oct_shadow_config *cfg, oct_coder_log *log) {
  *s = (oct_shadow_gather){.cfg = *cfg, .log = log};
  /* One that is given to the core has left its place. */
  s->gathered = (oct_gathered *)calloc(2 * cfg->gather_insns, sizeof *s->gathered);
  s->accesses = (oct_access *)calloc(cfg->gather_accesses, sizeof *s->accesses);
  s->together = (oct_access *)calloc(cfg->gather_accesses, sizeof *s->together);
  return s->gathered && s->accesses && s->together ? 0 : OCT_ERR_NOMEM;
}

void oct_shadow_gather_free(oct_shadow_gather *s) {
  free(s->gathered);
  free(s->accesses);
  free(s->together);
}

/* ---- What comes ---- */

void oct_shadow_gather_put(oct_shadow_gather *s, const oct_gathered *place,
                           const oct_gather_gap *gap) {
  *oct_shadow_gathered_at(s, s->tail++) = *place;
  if (!gap) return;
  s->gap = *gap;
  s->has_gap = true;
}

void oct_shadow_gather_put_access(oct_shadow_gather *s, uint64_t addr) {
  s->accesses[s->access_tail++ & (s->cfg.gather_accesses - 1)] = (oct_access){.addr = addr};
  oct_shadow_gathered_at(s, s->tail - 1)->insn.n_access++;
}

void oct_shadow_gather_complete(oct_shadow_gather *s) {
  oct_shadow_gathered_at(s, s->tail - 1)->is_complete = true;
}

void oct_shadow_gather_put_trap(oct_shadow_gather *s, const oct_trap *trap) {
  s->traps[s->trap_tail++ % OCT_GATHER_TRAPS] = *trap;
}

void oct_shadow_gather_drop_traps(oct_shadow_gather *s, uint32_t n) {
  s->trap_tail -= n;
}

/* ---- What leaves ---- */

/* Whether a sync comes before g, if so many more instructions have left before it. */
static bool is_sync_due(const oct_shadow_gather *s, const oct_gather_in *in, const oct_gathered *g,
                        uint64_t more) {
  const uint32_t period = in->sync_period_insns;
  return g->has_insn && (g->is_sync || in->is_long || (period && s->since_sync + more >= period));
}

/* The mark that comes next before g, which has left the FIFO; OCT_FRAME_KINDS: none. */
static oct_frame_kind next_mark(const oct_shadow_gather *s, const oct_gather_in *in,
                                const oct_gathered *g) {
  if (!s->has_period) return OCT_FRAME_SYNC;
  if (g->has_overflow) return s->gap.is_cut ? OCT_FRAME_OVERFLOW_CUT : OCT_FRAME_OVERFLOW;
  if (g->has_flush) return OCT_FRAME_FLUSH;
  /* Behind an instruction it was decided when that left. */
  if (s->is_sync_forced || (!s->is_started && is_sync_due(s, in, g, 0))) return OCT_FRAME_SYNC;
  return OCT_FRAME_KINDS;
}

/* The first mark alone comes before the traps of its place, and before what was lost there: the
 * privilege that these leave is not yet that of the mark. */
static void give_mark(oct_shadow_gather *s, oct_gathered *g, oct_frame_kind mark) {
  bool is_behind_traps = s->has_period || !(g->n_traps || g->has_overflow);
  oct_shadow_encoder_privilege(s->encoder, is_behind_traps ? g->privilege : OCT_PRIVILEGE_UNKNOWN);
  switch (mark) {
    case OCT_FRAME_SYNC:
      s->error = oct_shadow_encoder_sync(s->encoder, g->insn.task, &s->diag);
      g->is_sync = s->is_sync_forced = false;
      s->since_sync = 0;
      break;
    case OCT_FRAME_FLUSH:
      s->error = oct_shadow_encoder_flush(s->encoder, &s->diag);
      g->has_flush = false;
      break;
    default:
      s->error = oct_shadow_encoder_lose(s->encoder, s->gap.insns, s->gap.accesses, s->gap.is_cut,
                                         &s->diag);
      g->has_overflow = s->has_gap = false;
      s->since_sync += s->gap.insns;
      break;
  }
  oct_shadow_encoder_pass(s->encoder);
  s->has_period = s->has_mark = true;
  s->is_started = false;
  s->mark = mark;
}

/* Traps that come before what is in a place. */
static void give_traps(oct_shadow_gather *s, oct_gathered *g) {
  for (; g->n_traps && !s->error; g->n_traps--) {
    const oct_trap *trap = &s->traps[s->trap_head++ % OCT_GATHER_TRAPS];
    s->error = oct_shadow_encoder_trap(s->encoder, trap, &s->diag);
  }
}

/* The first instruction of a period is known, or the period ends without one. */
static void give_start(oct_shadow_gather *s, oct_gathered *g, bool is_empty) {
  give_traps(s, g);
  if (s->error) return;
  s->error = is_empty ? oct_shadow_encoder_end(s->encoder, &s->diag)
                      : oct_shadow_encoder_arrive(s->encoder, &g->insn, &s->diag);
  oct_shadow_encoder_item(s->encoder);
  s->is_started = true;
}

/* With the last beat of an instruction: where it goes, or that the period ends. A sync comes along,
 * with the start behind it, if no mark is under way and no other one comes before the next
 * instruction. */
static void give_last(oct_shadow_gather *s, const oct_gather_in *in, bool had_mark) {
  oct_gathered *next = oct_shadow_fifo_count(s) ? oct_shadow_gathered_at(s, s->head + 1) : NULL;
  if (next) give_traps(s, next);
  if (s->error) return;
  s->is_sync_forced = next && is_sync_due(s, in, next, 1);
  bool goes_on = next && next->has_insn && !next->has_overflow && !next->has_flush;
  if (s->cfg.lanes > 1) s->has_control = oct_shadow_encoder_has_control(s->encoder);
  s->error = goes_on && !s->is_sync_forced
                 ? oct_shadow_encoder_arrive(s->encoder, &next->insn, &s->diag)
                 : oct_shadow_encoder_end(s->encoder, &s->diag);
  oct_shadow_encoder_item(s->encoder);
  s->since_sync++;
  s->is_synced = goes_on && s->is_sync_forced && !had_mark && !s->cfg.sync_keeps;
  if (!s->is_synced || s->error) return;
  give_mark(s, next, OCT_FRAME_SYNC);
  if (!s->error) give_start(s, next, false);
}

/* Whether the instruction has a stamp. One of the core's time that went back is left out. */
static void decide_stamp(oct_shadow_gather *s, oct_insn *insn) {
  s->is_stamped = oct_shadow_encoder_stamp_is_due(s->encoder);
  s->is_late = s->is_stamped && s->cfg.time_source && insn->cycle < s->last_time;
  if (s->is_late)
    insn->flags &= (uint8_t)~OCT_INSN_HAS_CYCLE;
  else if (s->is_stamped)
    s->last_time = insn->cycle;
}

/* A beat of the instruction; true with its last one. */
static bool give_insn(oct_shadow_gather *s, const oct_gather_in *in, oct_gathered *g, bool had_mark,
                      bool *time_back) {
  oct_insn *insn = &g->insn;
  uint32_t n_beats = insn->n_access ? insn->n_access : 1;
  if (!s->n_given) {
    s->log->last_beat = s->beat + n_beats - 1;
    for (unsigned i = 0; i < insn->n_access; i++)
      s->together[i] = s->accesses[(s->access_head + i) & (s->cfg.gather_accesses - 1)];
    s->frees = oct_shadow_encoder_frees(s->encoder, insn, s->together, 0);
    decide_stamp(s, insn);
    s->error = oct_shadow_encoder_access(s->encoder, insn, s->together, &s->diag);
    oct_shadow_encoder_item(s->encoder);
  }
  if (s->n_given) s->frees = oct_shadow_encoder_frees(s->encoder, insn, s->together, s->n_given);
  s->access_head += insn->n_access != 0;
  if (++s->n_given < n_beats) return false;
  s->n_given = 0;
  s->log->beat = s->beat;
  s->n_stamps += s->is_stamped;
  *time_back |= s->is_late;
  if (!s->error) give_last(s, in, had_mark);
  return true;
}

/* May the instruction leave? All its accesses are there and what comes after it, or nothing does,
 * and its stamp has room. */
static bool is_whole(const oct_shadow_gather *s, const oct_gather_in *in, const oct_gathered *g) {
  if (in->stamps_wait && oct_shadow_encoder_stamp_is_due(s->encoder)) return false;
  return g->is_complete && (oct_shadow_fifo_count(s) || in->is_dropping);
}

/* More instructions in the same beat, with more than one lane: behind one without accesses and
 * decisions. */
static bool give_more(oct_shadow_gather *s, const oct_gather_in *in, bool had_mark,
                      bool *time_back) {
  bool leaves = true;
  for (uint32_t k = 1; k < s->cfg.lanes && leaves && !s->error; k++) {
    const oct_gathered *before = oct_shadow_gathered_at(s, s->head);
    if (before->insn.n_access || s->has_control || s->is_sync_forced || s->is_synced ||
        !oct_shadow_fifo_count(s))
      break;
    oct_gathered *g = oct_shadow_gathered_at(s, s->head + 1);
    if (!g->has_insn || g->has_overflow || g->has_flush || !g->is_complete) break;
    if (oct_shadow_fifo_count(s) < 2 && !in->is_dropping) break;
    s->head++;
    leaves = give_insn(s, in, g, had_mark, time_back);
  }
  return leaves;
}

/* A beat, s->beat, if there is one. had_mark: a mark was under way as the cycle began. *leaves: all
 * is given of what is at the head. */
static bool give(oct_shadow_gather *s, const oct_gather_in *in, bool had_mark, bool *leaves,
                 bool *time_back) {
  oct_gathered *g = oct_shadow_gathered_at(s, s->head);
  oct_frame_kind mark = next_mark(s, in, g);
  s->beat = s->n_beats + 1;
  s->frees = 0;
  if (s->n_given) {
    *leaves = give_insn(s, in, g, had_mark, time_back);
  } else {
    s->log->beat = s->log->last_beat = s->beat;
    if (s->has_period && !s->is_started) {
      s->is_sync_forced = mark == OCT_FRAME_SYNC;
      give_start(s, g, mark != OCT_FRAME_KINDS);
    } else if (mark != OCT_FRAME_KINDS) {
      if (had_mark) return false;
      give_mark(s, g, mark);
      *leaves = !g->has_insn && !g->has_overflow && !g->has_flush;
    } else if (is_whole(s, in, g)) {
      *leaves = give_insn(s, in, g, had_mark, time_back);
    } else {
      return false;
    }
  }
  if (*leaves && s->is_started && s->cfg.lanes > 1) *leaves = give_more(s, in, had_mark, time_back);
  s->n_beats++;
  return true;
}

void oct_shadow_gather_cycle(oct_shadow_gather *s, const oct_gather_in *in, oct_gather_out *out) {
  const bool had_mark = s->has_mark;
  bool leaves = false;
  *out = (oct_gather_out){.gives = false};
  if (in->mark_done) s->has_mark = false;
  if (in->is_taken && s->has_current && !s->error)
    out->gives = give(s, in, had_mark, &leaves, &out->time_back);
  out->beat = s->beat;
  out->frees = s->frees;
  if (leaves) {
    s->head++;
    s->has_current = false;
  }
  if (!s->has_current && s->tail != s->head) s->has_current = true;
}
