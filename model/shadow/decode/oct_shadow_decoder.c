/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_decoder.c - the decoder of `shadow` (docs/shadow-format.md). A period is decoded once
 * it is wholly there, up to the mark that closes it, and its check was right; from a mark on, the
 * model runs as the compressor's did (oct_shadow_step.h), with the decoder's half of the coder. */
#include "oct_shadow_decoder_state.h"

#include <stdlib.h>
#include <string.h>

int oct_shadow_decoder_new(const oct_shadow_config *cfg, oct_decoder_start start,
                           oct_shadow_decoder **out, oct_diag *diag) {
  oct_shadow_decoder *d = calloc(1, sizeof *d);
  *out = NULL;
  if (!d) return oct_fail(diag, OCT_ERR_NOMEM, "no memory for a decoder");
  d->at = NONE;
  d->privilege = d->told_privilege = OCT_PRIVILEGE_UNKNOWN;
  d->is_searching = start == OCT_START_SEARCH;
  if (oct_shadow_model_init(&d->model, cfg) ||
      oct_plans_init(&d->plans, d->model.mask, cfg->delay_slots) ||
      oct_bits_push(&d->bits, NULL, 0)) {
    oct_shadow_decoder_free(d);
    return oct_fail(diag, OCT_ERR_NOMEM, "no memory for a decoder");
  }
  *out = d;
  return 0;
}

void oct_shadow_decoder_free(oct_shadow_decoder *d) {
  if (!d) return;
  oct_shadow_model_free(&d->model);
  oct_plans_free(&d->plans);
  free(d->updates);
  free(d->bits.bytes);
  free(d->period);
  free(d->traps);
  free(d);
}

int oct_shadow_decoder_map(oct_shadow_decoder *d, const oct_map_update *updates, size_t n,
                           oct_diag *diag) {
  for (size_t i = 0; i < n; i++) {
    if (updates[i].from_insn < d->last_update_insn)
      return oct_fail(diag, OCT_ERR_ARG, "map update from instruction %llu after one from %llu",
                      (unsigned long long)updates[i].from_insn,
                      (unsigned long long)d->last_update_insn);
    if (d->n_updates == d->room_updates) {
      /* Those that hold already are dropped. */
      if (d->at_update)
        memmove(d->updates, d->updates + d->at_update,
                (d->n_updates - d->at_update) * sizeof *d->updates);
      d->n_updates -= d->at_update;
      d->at_update = 0;
      if (2 * d->n_updates >= d->room_updates) {
        size_t room = d->room_updates ? 2 * d->room_updates : 1024;
        oct_map_update *p = realloc(d->updates, room * sizeof *p);
        if (!p) return oct_fail(diag, OCT_ERR_NOMEM, "no memory for map updates");
        d->updates = p;
        d->room_updates = room;
      }
    }
    d->due_insn = 0;
    d->updates[d->n_updates++] = updates[i];
    d->last_update_insn = updates[i].from_insn;
  }
  return 0;
}

int oct_shadow_decoder_push(oct_shadow_decoder *d, const uint8_t *bytes, size_t n, oct_diag *diag) {
  if (d->is_finished) return oct_fail(diag, OCT_ERR_ARG, "port bytes after the end");
  if (oct_bits_push(&d->bits, bytes, n))
    return oct_fail(diag, OCT_ERR_NOMEM, "no memory for %zu port bytes", n);
  return 0;
}

void oct_shadow_decoder_finish(oct_shadow_decoder *d) {
  d->is_finished = true;
}

static int take_updates(oct_shadow_decoder *d) {
  while (d->at_update < d->n_updates && d->updates[d->at_update].from_insn <= d->n_insns) {
    int64_t id = oct_plans_put(&d->plans, &d->updates[d->at_update++].entry);
    if (id < 0)
      return oct_shadow_fail(d, (int)id, "%s",
                             id == OCT_ERR_NOMEM
                                 ? "no memory for the program map"
                                 : "an update of the program map that continues no entry");
  }
  return 0;
}

/* ---- Events ---- */

/* Without the instruction that came last, and the traps behind it: where the mark is none, nobody
 * knows whether that one lacks accesses. */
static void take_back(oct_shadow_decoder *d) {
  d->n_insns--;
  d->n_accesses -= d->insns[--d->n_batch].n_access;
  while (d->n_traps && d->traps[d->n_traps - 1].insn > d->n_batch) d->n_traps--;
}

/* The period ends, after entry e (NULL at its start). */
static int pass_end(oct_shadow_decoder *d, const oct_map_entry *e) {
  const oct_coder *c = &d->coder;
  if (e) {
    oct_step_leave(&d->model, e);
    d->model.base = e->addr;
    if (d->is_cut) d->insns[d->n_batch - 1].flags |= OCT_INSN_PARTIAL;
  }
  d->is_in_period = false;
  if (c->at == c->end && d->n_insns == d->limit) return 0;
  oct_shadow_fail(d, OCT_ERR_PACKET, "a period ends after instruction %llu, its mark says %llu",
                  (unsigned long long)d->n_insns, (unsigned long long)d->limit);
  if (e) take_back(d);
  return d->error;
}

static void pass_task(oct_shadow_decoder *d) {
  uint32_t task = (uint32_t)oct_coder_raw(&d->coder, 0, d->model.cfg.task_bits);
  oct_shadow_switch(&d->model, d->task, task);
  d->task = task;
}

/* A value of a trap: how many bytes it has, then these. */
static uint64_t trap_value(oct_shadow_decoder *d) {
  unsigned n = (unsigned)oct_coder_raw(&d->coder, 0, OCT_TRAP_BYTES_BITS);
  if (n > 8) d->coder.is_bad = true;
  return oct_coder_raw(&d->coder, 0, 8 * (n > 8 ? 8 : n)) & d->model.mask;
}

/* A place for one more; NULL: no memory. */
static oct_trap *put_trap(oct_shadow_decoder *d) {
  d->has_had_traps = true;
  if (!d->n_batch && !d->n_traps) d->first_insn = d->n_insns;
  if (d->n_traps == d->room_traps) {
    size_t room = d->room_traps ? 2 * d->room_traps : 16;
    oct_trap *p = realloc(d->traps, room * sizeof *p);
    if (!p) return NULL;
    d->traps = p;
    d->room_traps = room;
  }
  d->traps[d->n_traps] = (oct_trap){.insn = (uint32_t)d->n_batch};
  return &d->traps[d->n_traps++];
}

/* A mark tells another privilege than the traps before it, which were lost or are not in this part
 * of the stream. */
static int change_privilege(oct_shadow_decoder *d) {
  oct_trap *t = put_trap(d);
  if (!t) return oct_shadow_fail(d, OCT_ERR_NOMEM, "no memory for traps");
  t->kind = OCT_TRAP_PRIVILEGE;
  t->privilege = d->privilege = d->told_privilege;
  return 0;
}

/* Traps after an instruction; next is the address behind it. Returns what comes behind them, or an
 * error. */
static int pass_traps(oct_shadow_decoder *d, uint64_t next) {
  oct_coder *c = &d->coder;
  oct_behind_trap behind;
  do {
    oct_trap *t = put_trap(d);
    if (!t) return oct_shadow_fail(d, OCT_ERR_NOMEM, "no memory for traps");
    t->kind = (uint8_t)oct_coder_raw(c, 0, OCT_TRAP_KIND_BITS);
    t->privilege = (uint8_t)oct_coder_raw(c, 0, OCT_TRAP_PRIVILEGE_BITS);
    d->privilege = d->told_privilege = t->privilege;
    if (t->kind != OCT_TRAP_PRIVILEGE) {
      t->cause = (uint32_t)oct_coder_raw(c, 0, d->model.cfg.cause_bits);
      t->addr = oct_coder_raw(c, 0, 1) ? next : trap_value(d);
    }
    if (t->kind == OCT_TRAP_EXCEPTION) t->tval = trap_value(d);
    if (t->kind >= OCT_TRAP_KINDS || oct_coder_is_past(c)) c->is_bad = true;
    behind = (oct_behind_trap)oct_coder_raw(c, 0, OCT_BEHIND_BITS);
    if (c->is_bad) {
      d->n_traps--;
      return oct_shadow_fail(d, OCT_ERR_PACKET, "what no compressor sends");
    }
  } while (behind == OCT_BEHIND_TRAP);
  return behind;
}

/* The escape takes effect, after entry e (NULL at the start of a period). */
static int pass_escape(oct_shadow_decoder *d, const oct_map_entry *e) {
  oct_shadow_model *m = &d->model;
  oct_coder *c = &d->coder;
  bool is_trap = c->escape == OCT_ESCAPE_TRAP, has_task = c->escape == OCT_ESCAPE_TASK;
  oct_coder_pass_escape(c);
  if (c->escape == OCT_ESCAPE_END) return pass_end(d, e);
  if (!e && !has_task && !is_trap)
    return oct_shadow_fail(d, OCT_ERR_PACKET, "an escape before an instruction");
  if (is_trap) {
    int behind = pass_traps(d, e ? oct_fall(m, e) : m->base);
    if (behind < 0) return behind;
    if (behind == OCT_BEHIND_END) return pass_end(d, e);
    has_task = behind == OCT_BEHIND_TASK;
  }
  if (has_task) pass_task(d);
  if (e && is_trap) {
    oct_step_leave(m, e);
    d->pc = oct_code_target(m, c, OCT_SC_PERIOD, oct_fall(m, e), 0);
    return 0;
  }
  d->pc = e ? oct_step_jump(m, c, e, 0) : oct_code_target(m, c, OCT_SC_PERIOD, m->base, 0);
  return 0;
}

/* Access s of entry e, at addr, into the batch. map: that of e, or NULL if no entries continue it.
 */
OCT_INLINE void put_access(oct_shadow_decoder *d, const oct_map *map, const oct_map_entry *e,
                           unsigned s, uint64_t addr) {
  uint8_t slot = map ? oct_map_slot(map, e, s) : e->slots[oct_access_slot(s)];
  unsigned log2_size = slot & OCT_SLOT_SIZE_MASK;
  uint8_t size_bytes = log2_size == OCT_SLOT_SIZE_UNKNOWN ? 0 : (uint8_t)(1u << log2_size);
  d->accesses[d->n_accesses++] = (oct_access){addr, size_bytes, (slot & OCT_SLOT_STORE) != 0};
}

/* Accesses of entry *e, which may leave some out or make others. Where the instruction exceeds it,
 * *e becomes d->exceeding. */
static int decode_any_accesses(oct_shadow_decoder *d, const oct_map_entry **e, unsigned *n,
                               bool is_partial, oct_shadow_done *done) {
  oct_coder *c = &d->coder;
  const oct_map *map = d->plans.map;
  if (is_partial) {
    *n = (unsigned)oct_coder_raw(c, 0, OCT_COUNT_BITS);
    oct_coder_pass_escape(c);
    if (!*n && !oct_has_data(*e))
      return oct_shadow_fail(d, OCT_ERR_PACKET,
                             "an escape for no access of an instruction "
                             "without data");
    if (oct_exceeds(*e, *n)) {
      oct_exceed(&d->exceeding, *e);
      *e = &d->exceeding;
      map = NULL;
    }
  }
  *done = oct_step_data(&d->model, c, map, *e, d->addr, n, is_partial);
  for (unsigned s = 0; s < *n; s++) put_access(d, map, *e, s, d->addr[s]);
  return 0;
}

OCT_INLINE int decode_accesses(oct_shadow_decoder *d, const oct_entry_plan *plan,
                               const oct_map_entry **e, unsigned *n, bool is_partial,
                               oct_shadow_done *done) {
  int r = 0;
  if (plan->kind != OCT_PLAN_ANY && !is_partial) {
    uint64_t addr = 0;
    oct_step_one(&d->model, &d->coder, plan, *e, &addr);
    put_access(d, NULL, *e, 0, addr);
    *n = 1;
  } else {
    r = decode_any_accesses(d, e, n, is_partial, done);
  }
  oct_coder_look(&d->coder);
  return r;
}

OCT_INLINE oct_insn *put_insn(oct_shadow_decoder *d, const oct_entry_plan *plan,
                              const oct_map_entry *e, unsigned n) {
  if (!d->n_batch) d->first_insn = d->n_insns;
  oct_insn *insn = &d->insns[d->n_batch++];
  *insn = (oct_insn){.addr = plan->addr,
                     .task = d->task,
                     .n_access = (uint16_t)n,
                     .size_bytes = plan->size_bytes,
                     .flags = plan->insn_flags};
  if (plan->has_data && n < e->n_slots) insn->flags |= OCT_INSN_END;
  d->n_insns++;
  return insn;
}

/* Changes of the map that hold from the next instruction on, or the end of the period. */
static int take_dues(oct_shadow_decoder *d) {
  int r = take_updates(d);
  if (r) return r;
  if (d->n_insns == d->limit)
    return oct_shadow_fail(d, OCT_ERR_PACKET,
                           "a period goes on behind instruction %llu, where its mark says "
                           "that it ends",
                           (unsigned long long)d->limit);
  d->due_insn = d->limit;
  if (d->at_update < d->n_updates && d->updates[d->at_update].from_insn < d->limit)
    d->due_insn = d->updates[d->at_update].from_insn;
  return 0;
}

/* One instruction, and where it goes. 0 or an error. */
OCT_INLINE int decode_insn(oct_shadow_decoder *d) {
  oct_shadow_model *m = &d->model;
  oct_coder *c = &d->coder;
  int r = d->n_insns >= d->due_insn ? take_dues(d) : 0;
  if (r) return r;
  uint32_t next = d->at == NONE ? NONE : oct_plans_expect(&d->plans, &d->plans.of[d->at], d->pc);
  d->at = next == NONE ? oct_plans_find(&d->plans, d->at, d->pc) : next;
  if (d->at == NONE)
    return oct_shadow_fail(d, OCT_ERR_MAP, "no map entry for the instruction at %#llx",
                           (unsigned long long)d->pc);
  const oct_entry_plan *plan = &d->plans.of[d->at];
  const oct_map_entry *mapped = oct_map_at(d->plans.map, d->at), *e = mapped;
  unsigned n = 0;
  oct_shadow_done done = OCT_DONE_YES;
  oct_coder_look(c);
  bool is_partial = c->has_escape && c->escape == OCT_ESCAPE_PARTIAL && c->escape_after == 1;
  if (plan->has_data || is_partial) {
    r = decode_accesses(d, plan, &e, &n, is_partial, &done);
    if (r) return r;
  } else {
    oct_step_planned(m, plan, e);
  }
  oct_insn *insn = put_insn(d, plan, mapped, n);
  if (m->cfg.timestamp) {
    if (oct_step_time(m, c, e->addr, n, false, &insn->cycle)) insn->flags |= OCT_INSN_HAS_CYCLE;
    oct_coder_look(c);
  }
  if (c->is_bad) return oct_shadow_fail(d, OCT_ERR_PACKET, "what no compressor sends");
  if (c->has_escape && c->escape != OCT_ESCAPE_WRONG) {
    if (!c->escape_after)
      return oct_shadow_fail(d, OCT_ERR_PACKET, "an escape after no instruction");
    if (--c->escape_after == 0) return pass_escape(d, e);
  }
  if (plan->is_straight && e == mapped && !m->delayed.stage) {
    d->pc = plan->fall;
  } else if (oct_has_control(m, e)) {
    d->pc = oct_step_control(m, c, e, done, 0);
  } else {
    d->pc = oct_linear_next(m, e);
    oct_step_linear(m, e);
  }
  return 0;
}

/* The first instruction of a period, or its end. */
static int decode_first(oct_shadow_decoder *d) {
  oct_coder *c = &d->coder;
  oct_coder_look(c);
  if (c->has_escape) {
    if (c->escape == OCT_ESCAPE_PARTIAL || c->escape == OCT_ESCAPE_WRONG || c->escape_after)
      return oct_shadow_fail(d, OCT_ERR_PACKET, "an escape before an instruction");
    return pass_escape(d, NULL);
  }
  d->pc = oct_code_target(&d->model, c, OCT_SC_PERIOD, d->model.base, 0);
  return 0;
}

static int fill(oct_shadow_decoder *d) {
  for (;;) {
    int r;
    if (!d->is_in_period) {
      oct_mark_fields m;
      /* Without checks a run ends at a sync: who finds it wrong loses no more than up to there. */
      if (!d->model.cfg.check && (d->n_batch || d->n_traps) &&
          oct_shadow_read_mark(d, 0, &m) == 1 && m.kind == OCT_FRAME_SYNC)
        return 1;
      if (d->is_searching) {
        r = oct_shadow_search(d);
        if (!r && d->is_finished)
          return oct_shadow_fail(d, OCT_ERR_TRUNCATED, "no whole sync mark found");
        if (!r) return 0;
        if (!d->counts.syncs) d->counts.first_sync_bits = oct_bits_offset(&d->bits);
      }
      r = oct_shadow_begin_period(d);
      if (r <= 0) return r;
      if (d->has_gap) return 1;
    }
    if (!d->is_begun) {
      d->is_begun = true;
      r = d->privilege == d->told_privilege ? 0 : change_privilege(d);
      if (!r) r = decode_first(d);
      if (r) return r;
    }
    while (d->is_in_period) {
      if (d->n_batch == BATCH_INSNS || d->n_accesses >= BATCH_ACCESSES) return 1;
      r = decode_insn(d);
      if (r) return r;
    }
  }
}

int oct_shadow_decoder_next(oct_shadow_decoder *d, oct_decoded *out, oct_diag *diag) {
  memset(out, 0, sizeof *out);
  d->n_batch = d->n_accesses = d->n_traps = 0;
  if (!d->error) {
    int r = fill(d);
    if (d->n_batch || d->n_traps || d->has_gap) {
      out->batch.insns = d->insns;
      out->batch.n_insns = d->n_batch;
      out->batch.accesses = d->accesses;
      out->batch.n_accesses = d->n_accesses;
      out->batch.traps = d->traps;
      out->batch.n_traps = d->n_traps;
      out->first_insn = d->n_batch || d->n_traps ? d->first_insn : d->n_insns - d->lost_insns;
      out->confirmed_insns = d->model.cfg.check ? d->confirmed : UINT64_MAX;
      d->counts.insns += d->n_batch;
      d->counts.accesses += d->n_accesses;
      if (d->has_gap) {
        out->is_gap = 1;
        out->lost_insns = d->lost_insns;
        out->lost_accesses = d->lost_accesses;
        d->counts.gaps++;
        d->counts.lost_insns += d->lost_insns;
        d->counts.lost_accesses += d->lost_accesses;
        d->has_gap = false;
      }
      return 1;
    }
    if (!r) return 0;
  }
  if (diag) *diag = d->diag;
  return d->error;
}

int oct_shadow_decoder_resync(oct_shadow_decoder *d, oct_diag *diag) {
  (void)diag;
  /* Without an error the caller found damage itself, in what was handed out. */
  if (d->error || !d->is_searching) {
    /* The mark at the position opened the bad period, if none is under way; else its period was bad
     * and the mark at the position, which closes it, will do. */
    if (d->error && !d->is_in_period && oct_bits_left(&d->bits) >= 24) oct_shadow_skip(d, 8);
    d->error = 0;
    d->is_in_period = d->has_gap = false;
    d->is_searching = true;
    /* What was decoded last may not have been given out: the next sync tells its privilege anew. If
     * no trap ever came, a privilege that is not known is nothing new. */
    d->privilege = d->told_privilege = OCT_PRIVILEGE_UNKNOWN + d->has_had_traps;
    d->counts.gaps++;
  }
  int r = oct_shadow_search(d);
  return r;
}

void oct_shadow_decoder_had_privilege(oct_shadow_decoder *d, unsigned privilege) {
  d->privilege = d->told_privilege = (uint8_t)privilege;
}

void oct_shadow_decoder_counts(const oct_shadow_decoder *d, oct_decoder_counts *counts) {
  *counts = d->counts;
  counts->bit_offset = oct_bits_offset(&d->bits);
}
