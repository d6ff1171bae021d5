/* SPDX-License-Identifier: Apache-2.0 */
/* oct_decoder.c - the decoder's interface: making it, feeding it, and handing out batches.
 *
 * Data goes one way: bytes to the parser (oct_parser.h), what packets say to queues
 * (oct_packet_queues.h), from there to the two sides (oct_insn_side.h, oct_data_side.h), whose
 * streams and accesses the join (oct_join.h) makes instructions of, until a batch is full or bytes
 * run out. At a barrier the parser waits until the join has used up what stands before it. An error
 * is kept until what stands before it is handed out. To go on behind damage, all of this is dropped
 * and the parser searches for the next sync. */
#include "oct_decoder.h"

#include "oct_join.h"
#include "oct_parser.h"

struct oct_decoder {
  oct_parser parser;
  oct_packet_queues queues;
  oct_port_barrier barrier; /* that the parser has come to */
  oct_join join;
  bool is_finished;
  bool owes_check;    /* traps were given that stand behind the last check */
  bool is_error_held; /* what stands before the bad packet is still to be joined */
  int error;
  oct_diag diag;
  uint64_t resync_bit; /* where a search behind the error begins */
};

/* Where a search behind damage begins: a sync at which it shows is where the decoder may go on, but
 * not one that it went on at. */
static void keep_place(oct_decoder *d, bool is_check) {
  bool is_sync = d->barrier.kind == OCT_BARRIER_SYNC && !d->barrier.is_found;
  d->resync_bit = is_sync || is_check ? d->barrier.bit : oct_parser_offset(&d->parser);
}

/* Keep an error for the caller. is_before: packets that were parsed contradict each other. */
static int fail(oct_decoder *d, bool is_before, const oct_diag *why) {
  uint64_t at = oct_parser_offset(&d->parser);
  if (why->error == OCT_ERR_CHECKSUM) {
    at = d->barrier.bit;
    is_before = false;
  }
  keep_place(d, why->error == OCT_ERR_CHECKSUM);
  d->error = why->error;
  return oct_fail_at(&d->diag, why->error, is_before ? OCT_AT_BEFORE_BIT : OCT_AT_BIT, at, "%s",
                     oct_diag_reason(why).text);
}

int oct_decoder_new(const oct_config *cfg, oct_decoder_start start, oct_decoder **out,
                    oct_diag *diag) {
  *out = NULL;
  int r = oct_config_check(cfg, diag);
  if (r) return r;
  oct_decoder *d = calloc(1, sizeof *d);
  if (!d) return oct_fail(diag, OCT_ERR_NOMEM, "no memory for a decoder");
  r = oct_parser_init(&d->parser, cfg, start == OCT_START_IN_STEP);
  if (oct_join_init(&d->join, cfg)) r = OCT_ERR_NOMEM;
  if (r) {
    oct_decoder_free(d);
    return oct_fail(diag, r, "no memory for a decoder");
  }
  *out = d;
  return 0;
}

void oct_decoder_free(oct_decoder *d) {
  if (!d) return;
  oct_parser_free(&d->parser);
  oct_packet_queues_free(&d->queues);
  oct_join_free(&d->join);
  free(d);
}

int oct_decoder_map(oct_decoder *d, const oct_map_update *updates, size_t n, oct_diag *diag) {
  return oct_join_map(&d->join, updates, n, diag);
}

int oct_decoder_push(oct_decoder *d, const uint8_t *bytes, size_t n, oct_diag *diag) {
  if (d->is_finished) return oct_fail(diag, OCT_ERR_ARG, "port bytes after the end");
  if (oct_parser_push(&d->parser, bytes, n))
    return oct_fail(diag, OCT_ERR_NOMEM, "no memory for %zu port bytes", n);
  return 0;
}

void oct_decoder_finish(oct_decoder *d) {
  d->is_finished = true;
}

/* Carry out the barrier at hand: 1 when the batch ends there, else 0 or an error. */
static int pass_barrier(oct_decoder *d, oct_decoded *out) {
  uint64_t confirmed = d->join.confirmed_insns;
  bool is_check = d->barrier.check == OCT_CHECK_GOOD;
  oct_diag why;
  if (oct_join_pass(&d->join, &d->queues, &d->barrier, &why)) return fail(d, true, &why);
  if (d->barrier.kind == OCT_BARRIER_OVERFLOW) {
    out->is_gap = 1;
    out->lost_insns = d->barrier.insns;
    out->lost_accesses = d->barrier.accesses;
  }
  d->barrier.kind = OCT_BARRIER_NONE;
  /* A run ends where it, or traps before it, are confirmed. */
  bool ends = out->is_gap || d->join.confirmed_insns != confirmed ||
              (is_check && (d->owes_check || d->join.n_traps));
  if (is_check && ends) out->has_late_traps = 0;
  if (is_check) d->owes_check = false;
  return ends;
}

static bool has_batch(const oct_decoder *d) {
  return d->join.n_insns || d->join.n_traps;
}

/* Fill the batch. 1 when it shall be delivered, 0 when nothing more can be decoded, or an error. */
static int fill(oct_decoder *d, oct_decoded *out) {
  for (;;) {
    oct_diag why;
    int r = oct_join_run(&d->join, &d->queues, &why);
    if (r < 0) {
      d->is_error_held = false; /* this error comes before that of a bad packet */
      return fail(d, true, &why);
    }
    if (r == OCT_FULL) return 1;
    if (d->is_error_held) return d->error;
    if (d->barrier.kind != OCT_BARRIER_NONE) {
      /* Without checks a run ends at a sync: who finds it wrong loses no more than up to there. */
      if (d->barrier.kind == OCT_BARRIER_SYNC && !d->join.has_checks && has_batch(d)) return 1;
      r = pass_barrier(d, out);
      if (r) return r;
      continue;
    }
    r = oct_parser_run(&d->parser, &d->queues, &d->barrier, &why);
    if (!r) return has_batch(d);
    if (r < 0) {
      fail(d, false, &why);
      d->is_error_held = true;
    }
  }
}

int oct_decoder_next(oct_decoder *d, oct_decoded *out, oct_diag *diag) {
  memset(out, 0, sizeof *out);
  out->confirmed_insns = UINT64_MAX;
  if (!d->error || d->is_error_held) {
    oct_diag why;
    oct_join_begin(&d->join);
    out->has_late_traps = d->join.has_checks;
    int r = fill(d, out);
    if (r > 0 || has_batch(d)) {
      oct_join_deliver(&d->join, out);
      d->owes_check = out->has_late_traps && (d->owes_check || out->batch.n_traps);
      return 1;
    }
    if (!r && d->is_finished && oct_parser_check_end(&d->parser, &why)) fail(d, false, &why);
  }
  if (d->error && diag) *diag = d->diag;
  return d->error;
}

int oct_decoder_resync(oct_decoder *d, oct_diag *diag) {
  if (d->error == OCT_ERR_NOMEM || d->error == OCT_ERR_CONFIG) {
    if (diag) *diag = d->diag;
    return d->error;
  }
  /* A caller that found damage itself, in what was handed out. */
  if (!d->error && !d->parser.is_searching) keep_place(d, false);
  if (d->error || !d->parser.is_searching) {
    oct_packet_queues_clear(&d->queues);
    oct_join_drop(&d->join);
    d->barrier.kind = OCT_BARRIER_NONE;
    d->is_error_held = d->owes_check = false;
    d->error = 0;
    oct_parser_start_search(&d->parser, d->resync_bit);
  }
  return oct_parser_search(&d->parser);
}

void oct_decoder_had_privilege(oct_decoder *d, unsigned privilege) {
  d->join.privilege = d->join.told_privilege = (uint8_t)privilege;
}

void oct_decoder_get_counts(const oct_decoder *d, oct_decoder_counts *counts) {
  *counts = d->join.counts;
  counts->first_sync_bits = d->parser.found_bits;
  counts->bit_offset = oct_parser_offset(&d->parser);
}
