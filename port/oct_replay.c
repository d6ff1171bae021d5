/* SPDX-License-Identifier: Apache-2.0 */
/* oct_replay.c - holds runs until they are confirmed, and goes on behind damage.
 *
 * Runs of the decoder are copied to a list. When the decoder's confirmed number passes the end of
 * the first run in the list, it is handed out. On an error all that is still in the list is
 * dropped, the decoder looks for its next sync, and the first run confirmed behind it tells by its
 * number how many instructions are missing: the gap is handed out in front of it, with an empty
 * run. A gap that the tracer itself told stands in the list with its run.
 *
 * A run that breaks a rule of its trace (oct_batch_rules.h) is taken up to that place, and then as
 * if the decoder had failed there.
 *
 * Without checks, damage may have been in a number, too. One that goes back, or counts more
 * instructions than the bytes between can have been sent for, is not believed: how many are missing
 * is unknown then, and counting goes on from what came before. */
#include "octrace/container.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "oct_batch_rules.h"

#define HOLD_MAX_BYTES ((size_t)1 << 30)

typedef struct held held;
struct held {
  held *next;
  size_t n_bytes;
  bool is_confirmed;
  oct_stamps stamps; /* behind it */
  oct_decoded run;   /* its arrays stand behind this struct */
};

struct oct_replay {
  const oct_tracer *tracer;
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  void *decoder;
  oct_replay_options options;
  held *first, **end; /* the list; */
  held *out;          /* and what was handed out last */
  size_t held_bytes;
  uint64_t confirmed_insns; /* by a check behind the last damage: numbers may go back there */
  uint64_t told_confirmed;  /* what the decoder said last, */
  bool told_late;           /* and whether of late traps */
  uint64_t next_insn;       /* number that follows what was handed out */
  bool has_begun;           /* something was */
  uint64_t ahead_insns;  /* what the decoder's numbers are ahead of these, without belief in one */
  uint64_t from_bits;    /* where the decoder stood before it came to a gap */
  uint8_t privilege;     /* of the last trap that was */
  bool is_resuming;      /* looking for a sync, */
  bool has_resumed;      /* or behind one that ends the open gap, if all goes well */
  oct_batch_rules rules; /* for what is decoded next; no addr_bits: none */
  oct_stamps stamps;     /* behind what was handed out */
  oct_diag broken;       /* has an error: a rule is broken behind the list */
  bool is_damaged;       /* gap is open: */
  oct_gap gap;
  bool is_finished, is_ended;
  int error;
  oct_diag diag;
  oct_replay_counts counts;
};

int oct_replay_new(const oct_tracer *t, const uint32_t *params, oct_decoder_start start,
                   const oct_replay_options *options, oct_replay **out, oct_diag *diag) {
  int error = 0;
  *out = NULL;
  oct_replay *r = calloc(1, sizeof *r);
  if (!r) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  r->tracer = t;
  if (options) r->options = *options;
  if (!r->options.hold_max_bytes) r->options.hold_max_bytes = HOLD_MAX_BYTES;
  memcpy(r->params, params, t->n_params * sizeof *params);
  r->end = &r->first;
  r->privilege = OCT_PRIVILEGE_UNKNOWN;
  r->has_begun = start == OCT_START_IN_STEP;
  error = t->decoder.create(params, start, &r->decoder, diag);
  if (error) {
    free(r);
    return error;
  }
  *out = r;
  return 0;
}

static void drop_held(oct_replay *r) {
  while (r->first) {
    held *h = r->first;
    r->first = h->next;
    free(h);
  }
  r->end = &r->first;
  r->held_bytes = 0;
  r->rules.stamps = r->stamps;
  r->broken.error = 0;
}

void oct_replay_free(oct_replay *r) {
  if (!r) return;
  drop_held(r);
  free(r->out);
  r->tracer->decoder.destroy(r->decoder);
  free(r);
}

void oct_replay_expect(oct_replay *r, unsigned addr_bits, unsigned insn_align_bytes) {
  r->rules.addr_bits = addr_bits;
  r->rules.insn_align_bytes = insn_align_bytes;
}

int oct_replay_map(oct_replay *r, const oct_map_update *updates, size_t n, oct_diag *diag) {
  return r->tracer->decoder.map(r->decoder, updates, n, diag);
}

int oct_replay_push(oct_replay *r, const uint8_t *bytes, size_t n, oct_diag *diag) {
  return r->tracer->decoder.push(r->decoder, bytes, n, diag);
}

void oct_replay_finish(oct_replay *r) {
  r->is_finished = true;
  r->tracer->decoder.finish(r->decoder);
}

static int fail(oct_replay *r, int error, const oct_diag *diag) {
  r->error = error;
  r->diag = *diag;
  return error;
}

/* Copy a run to the end of the list. */
static int hold(oct_replay *r, const oct_decoded *run) {
  size_t insns_bytes = run->batch.n_insns * sizeof *run->batch.insns;
  size_t accesses_bytes = run->batch.n_accesses * sizeof *run->batch.accesses;
  size_t traps_bytes = run->batch.n_traps * sizeof *run->batch.traps;
  size_t n = sizeof(held) + insns_bytes + accesses_bytes + traps_bytes;
  oct_diag diag;
  if (r->held_bytes + n > r->options.hold_max_bytes)
    return fail(r, OCT_ERR_LIMIT,
                (oct_fail(&diag, OCT_ERR_LIMIT,
                          "more than %zu bytes of instructions wait for a check of the port",
                          r->options.hold_max_bytes),
                 &diag));
  held *h = malloc(n);
  if (!h) return fail(r, OCT_ERR_NOMEM, (oct_fail(&diag, OCT_ERR_NOMEM, "out of memory"), &diag));
  oct_insn *insns = (oct_insn *)(void *)(h + 1);
  oct_access *accesses = (oct_access *)(void *)(insns + run->batch.n_insns);
  oct_trap *traps = (oct_trap *)(void *)(accesses + run->batch.n_accesses);
  h->next = NULL;
  h->n_bytes = n;
  bool is_late = run->has_late_traps && run->batch.n_traps &&
                 run->batch.traps[run->batch.n_traps - 1].insn == run->batch.n_insns;
  h->is_confirmed =
      r->options.is_unconfirmed || r->confirmed_insns == UINT64_MAX ||
      (!is_late && run->first_insn + run->batch.n_insns + run->lost_insns <= r->confirmed_insns);
  h->stamps = r->rules.stamps;
  h->run = *run;
  if (insns_bytes) memcpy(insns, run->batch.insns, insns_bytes);
  if (accesses_bytes) memcpy(accesses, run->batch.accesses, accesses_bytes);
  h->run.batch.insns = insns;
  h->run.batch.accesses = accesses;
  if (traps_bytes) memcpy(traps, run->batch.traps, traps_bytes);
  h->run.batch.traps = traps;
  *r->end = h;
  r->end = &h->next;
  r->held_bytes += n;
  if (r->held_bytes > r->counts.held_bytes_max) r->counts.held_bytes_max = r->held_bytes;
  return 0;
}

/* A check has agreed: what is in the list and numbered below `to` is confirmed, gaps included. */
static void confirm(oct_replay *r, uint64_t to) {
  r->confirmed_insns = to;
  for (held *h = r->first; h; h = h->next)
    if (h->run.first_insn + h->run.batch.n_insns + h->run.lost_insns <= to) h->is_confirmed = true;
}

/* Hand a run out, with the gap that the tracer told. */
static int hand_out(oct_replay *r, const oct_decoded *run, const oct_stamps *stamps,
                    oct_decoded *out, oct_gap *gap) {
  *out = *run;
  r->stamps = *stamps;
  r->has_begun = true;
  r->next_insn = run->first_insn + run->batch.n_insns;
  r->counts.insns += run->batch.n_insns;
  r->counts.accesses += run->batch.n_accesses;
  if (run->batch.n_traps) r->privilege = run->batch.traps[run->batch.n_traps - 1].privilege;
  if (!run->is_gap) return 1;
  gap->insn = r->next_insn;
  gap->lost_insns = run->is_uncounted ? UINT64_MAX : run->lost_insns;
  gap->lost_accesses = run->is_uncounted ? UINT64_MAX : run->lost_accesses;
  gap->least_insns = run->lost_insns;
  gap->least_accesses = run->lost_accesses;
  r->next_insn += run->lost_insns;
  oct_gaps_add(&r->counts.gaps, gap);
  return 1;
}

/* How many instructions may be missing between from_bits and the decoder's place: with a sync every
 * so many, no more than syncs fit there. */
static uint64_t most_missing(const oct_replay *r) {
  enum { SYNC_BYTES_MIN = 4, SYNC_LATE_INSNS = 64 };
  uint64_t period = oct_tracer_value(r->tracer, r->params, OCT_ROLE_SYNC_INSNS);
  oct_decoder_counts counts;
  r->tracer->decoder.counts(r->decoder, &counts);
  if (!period || counts.bit_offset < r->from_bits) return INT64_MAX;
  uint64_t bits = counts.bit_offset - r->from_bits;
  return (period + SYNC_LATE_INSNS) * (bits / (8 * SYNC_BYTES_MIN) + 2);
}

/* Number a run as those before it, of a decoder without checks. */
static void number(oct_replay *r, oct_decoded *run) {
  uint64_t told = run->first_insn;
  bool is_uncounted = run->is_uncounted;
  run->first_insn -= r->ahead_insns;
  run->is_uncounted |= r->ahead_insns != 0;
  if (!r->is_damaged && !run->is_gap && run->first_insn == r->next_insn) return;
  uint64_t most = most_missing(r), missing = r->is_damaged ? most : 0;
  if (told - r->next_insn <= missing) {
    r->ahead_insns = 0;
    run->first_insn = told;
    run->is_uncounted = is_uncounted;
  } else if (run->first_insn - r->next_insn > missing) {
    r->ahead_insns = told - r->next_insn;
    run->first_insn = r->next_insn;
    run->is_uncounted = 1;
  }
  /* A machine that loses as many as it likes says so. */
  if (run->lost_insns > (r->tracer->has_cycle_engine ? INT64_MAX : most)) {
    r->ahead_insns += run->lost_insns;
    run->lost_insns = 0;
    run->is_uncounted = 1;
  }
}

/* The open gap ends in front of the run `next`, or is that behind the last. */
static int hand_out_damage(oct_replay *r, const oct_decoded *next, oct_decoded *out, oct_gap *gap) {
  bool is_end = !next;
  uint64_t to = is_end ? r->next_insn : next->first_insn;
  uint64_t lost = to > r->next_insn ? to - r->next_insn : 0;
  bool is_known = !is_end && !next->is_uncounted;
  *gap = r->gap;
  gap->is_end = is_end;
  gap->insn = r->next_insn;
  gap->lost_insns = is_known ? lost : UINT64_MAX;
  gap->least_insns = lost;
  gap->lost_accesses = UINT64_MAX;
  memset(out, 0, sizeof *out);
  out->first_insn = r->next_insn;
  out->confirmed_insns = r->confirmed_insns;
  out->is_gap = 1;
  out->is_uncounted = !is_end && !is_known;
  out->lost_insns = lost;
  oct_gaps_add(&r->counts.gaps, gap);
  r->is_damaged = r->has_resumed = false;
  r->next_insn = to;
  return 1;
}

/* What of the list may go: 1 and *out, or 0. */
static int take_held(oct_replay *r, oct_decoded *out, oct_gap *gap) {
  held *h = r->first;
  if (!h) return 0;
  if (!h->is_confirmed) return 0;
  if (r->is_damaged) return hand_out_damage(r, &h->run, out, gap);
  r->first = h->next;
  if (!r->first) r->end = &r->first;
  r->held_bytes -= h->n_bytes;
  free(r->out);
  r->out = h;
  return hand_out(r, &h->run, &h->stamps, out, gap);
}

/* A gap begins, unless one is open. */
static void open_gap(oct_replay *r, const oct_diag *why) {
  drop_held(r);
  if (r->confirmed_insns != UINT64_MAX) r->confirmed_insns = 0;
  if (r->is_damaged) {
    r->gap.failed_syncs += r->has_resumed;
    r->has_resumed = false;
    r->gap.last = *why;
    return;
  }
  r->is_damaged = true;
  r->gap = (oct_gap){.error = why->error, .diag = *why, .last = *why};
}

int oct_replay_break(oct_replay *r, const oct_diag *why, const oct_map_update *updates, size_t n,
                     oct_diag *diag) {
  void *d;
  open_gap(r, why);
  int error = r->tracer->decoder.create(r->params, OCT_START_SEARCH, &d, diag);
  if (error) return error;
  r->tracer->decoder.destroy(r->decoder);
  r->decoder = d;
  r->from_bits = UINT64_MAX; /* the new one counts from its own start */
  r->is_resuming = false;
  if (r->tracer->decoder.behind_gap) r->tracer->decoder.behind_gap(d, r->next_insn);
  if (r->tracer->decoder.had_privilege) r->tracer->decoder.had_privilege(d, r->privilege);
  return n ? r->tracer->decoder.map(d, updates, n, diag) : 0;
}

/* The decoder has failed: begin to look for its next sync. */
static int take_damage(oct_replay *r, int error, const oct_diag *diag) {
  bool is_fatal = error == OCT_ERR_NOMEM || error == OCT_ERR_CONFIG || error == OCT_ERR_ARG;
  drop_held(r);
  if (!is_fatal && r->is_damaged && !r->tracer->decoder.resync && r->is_finished) {
    r->is_resuming = true; /* nothing will come of it */
    return 0;
  }
  oct_decoder_counts counts;
  r->tracer->decoder.counts(r->decoder, &counts);
  if (is_fatal || r->options.ends_at_damage || !r->tracer->decoder.resync ||
      (!r->has_begun && !counts.syncs))
    return fail(r, error, diag);
  open_gap(r, diag);
  r->is_resuming = true;
  return 0;
}

/* Leave of a run what stands before the place that breaks a rule, if one does. */
static void cut_at_break(oct_replay *r, oct_decoded *run) {
  oct_decoder_counts counts;
  oct_diag why;
  size_t n;
  if (!r->rules.addr_bits || !oct_batch_check(&r->rules, &run->batch, run->first_insn, &n, &why))
    return;
  r->tracer->decoder.counts(r->decoder, &counts);
  oct_fail_at(&r->broken, OCT_ERR_PACKET, OCT_AT_BEFORE_BIT, counts.bit_offset, "%s",
              oct_diag_reason(&why).text);
  run->batch.n_insns = n;
  run->batch.n_accesses = 0;
  for (size_t i = 0; i < n; i++) run->batch.n_accesses += run->batch.insns[i].n_access;
  while (run->batch.n_traps && run->batch.traps[run->batch.n_traps - 1].insn >= n)
    run->batch.n_traps--;
  run->is_gap = 0;
  run->lost_insns = run->lost_accesses = 0;
  /* A check that agrees with what cannot be tells nothing. */
  if (run->confirmed_insns != UINT64_MAX && run->confirmed_insns > run->first_insn + n)
    run->confirmed_insns = r->told_confirmed;
}

/* Whether this run, the first of a stream that begins in step, is of a later sync than the first:
 * what was in front of it is missing. Without checks the number alone is no proof (number). */
static bool begins_late(const oct_replay *r, const oct_decoded *run) {
  return r->has_begun && !r->is_damaged && !r->first && !r->next_insn && run->first_insn &&
         run->confirmed_insns != UINT64_MAX;
}

/* 1 when a sync was found, 0 when more bytes are needed or there is none. */
static int resume(oct_replay *r) {
  oct_diag diag = {0};
  int found = r->tracer->decoder.resync ? r->tracer->decoder.resync(r->decoder, &diag) : 0;
  if (found < 0) return fail(r, found, &diag);
  if (!found) return 0;
  oct_decoder_counts counts;
  r->tracer->decoder.counts(r->decoder, &counts);
  r->gap.sync_bits = counts.bit_offset;
  r->is_resuming = false;
  r->has_resumed = true;
  if (r->tracer->decoder.had_privilege) r->tracer->decoder.had_privilege(r->decoder, r->privilege);
  return 1;
}

/* The end: damage that nothing follows. */
static int end(oct_replay *r, oct_decoded *out, oct_gap *gap) {
  if (!r->is_finished) return 0;
  r->is_ended = true;
  return r->is_damaged ? hand_out_damage(r, NULL, out, gap) : 0;
}

int oct_replay_next(oct_replay *r, oct_decoded *out, oct_gap *gap, oct_diag *diag) {
  memset(out, 0, sizeof *out);
  memset(gap, 0, sizeof *gap);
  while (!r->error && !r->is_ended) {
    oct_decoded run;
    oct_diag why = {0};
    if (take_held(r, out, gap)) return 1;
    if (r->broken.error) {
      why = r->broken;
      if (take_damage(r, why.error, &why)) break;
      continue;
    }
    if (r->is_resuming) {
      int found = resume(r);
      if (found < 0) break;
      if (!found) return end(r, out, gap);
    }
    if (!r->is_damaged) {
      oct_decoder_counts counts;
      r->tracer->decoder.counts(r->decoder, &counts);
      r->from_bits = counts.bit_offset;
    }
    int got = r->tracer->decoder.next(r->decoder, &run, &why);
    if (got < 0) {
      if (take_damage(r, got, &why)) break;
      continue;
    }
    if (!got) return end(r, out, gap);
    if (!r->has_begun && !r->is_damaged) r->next_insn = run.first_insn;
    if (begins_late(r, &run)) {
      oct_fail(&why, OCT_ERR_PACKET,
               "the stream begins with a sync before instruction %" PRIu64 ", expected 0",
               run.first_insn);
      if (r->options.ends_at_damage) {
        fail(r, why.error, &why);
        break;
      }
      open_gap(r, &why);
    }
    if (run.confirmed_insns == UINT64_MAX && !r->first) number(r, &run);
    cut_at_break(r, &run);
    if (r->broken.error && !run.batch.n_insns && !run.batch.n_traps) continue;
    if (run.confirmed_insns == UINT64_MAX && !r->first && !r->is_damaged)
      return hand_out(r, &run, &r->rules.stamps, out, gap); /* nothing to wait for: no copy */
    bool is_check =
        run.confirmed_insns != r->told_confirmed || (r->told_late && !run.has_late_traps);
    r->told_confirmed = run.confirmed_insns;
    r->told_late = run.has_late_traps;
    if (run.confirmed_insns == UINT64_MAX) r->confirmed_insns = UINT64_MAX;
    if ((run.batch.n_insns || run.batch.n_traps || run.is_gap) && hold(r, &run)) break;
    if (is_check) confirm(r, run.confirmed_insns);
  }
  if (r->error && diag) *diag = r->diag;
  return r->error;
}

void oct_replay_get_counts(const oct_replay *r, oct_replay_counts *counts) {
  *counts = r->counts;
}

void oct_replay_decoder_counts(const oct_replay *r, oct_decoder_counts *counts) {
  r->tracer->decoder.counts(r->decoder, counts);
}
