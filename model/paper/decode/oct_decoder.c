/* SPDX-License-Identifier: Apache-2.0 */
/* oct_decoder.c - the decoder's interface: making it, feeding it, and handing out batches.
 *
 * Bytes go to the cutter, packets from there to the queues of the two sides, and the join makes
 * instructions of these until a batch is full or bytes run out. Errors are kept until what stands
 * before them is handed out. To go on behind damage, all state is dropped and the cutter looks for
 * the next sync. */
#include "oct_decoder_state.h"

#include <stdarg.h>
#include <stdio.h>

static int fail_at(oct_decoder *d, int error, const char *where, uint64_t bit, const char *format,
                   va_list args) {
  char text[160];
  vsnprintf(text, sizeof text, format, args);
  /* A sync at which damage shows is where the decoder may go on. */
  d->resync_bit = d->barrier == OCT_BARRIER_SYNC ? d->barrier_bit : oct_cutter_offset(&d->cutter);
  d->error = error;
  return oct_fail(&d->diag, error, "%s %llu: %s", where, (unsigned long long)bit, text);
}

int oct_decoder_fail(oct_decoder *d, int error, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fail_at(d, error, "bit", oct_cutter_offset(&d->cutter), format, args);
  va_end(args);
  return error;
}

int oct_decoder_fail_before(oct_decoder *d, int error, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fail_at(d, error, "before bit", oct_cutter_offset(&d->cutter), format, args);
  va_end(args);
  return error;
}

int oct_decoder_fail_at(oct_decoder *d, int error, uint64_t bit, const char *text) {
  d->resync_bit = d->barrier == OCT_BARRIER_SYNC ? d->barrier_bit : bit;
  d->error = error;
  return oct_fail(&d->diag, error, "bit %llu: %s", (unsigned long long)bit, text);
}

static unsigned log2_of(uint64_t power_of_two) {
  return (unsigned)__builtin_ctzll(power_of_two);
}

static uint32_t largest(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

static void derive_widths(oct_decoder *d) {
  const oct_config *c = &d->cfg;
  d->set_bits = log2_of(c->sc_sets);
  d->dasc_set_bits = log2_of(c->dasc_entries / largest(c->dasc_ways, 1));
  d->addr_mask = oct_mask(c->addr_bits);
}

static int allocate(oct_decoder *d) {
  const oct_config *c = &d->cfg;
  d->map = oct_map_new();
  d->sc = calloc((size_t)c->sc_sets * c->sc_ways, sizeof *d->sc);
  d->sc_sets = calloc(c->sc_sets, sizeof *d->sc_sets);
  d->thb = calloc((size_t)(c->thb_depth + 1) * largest(c->ntuple_n, 1), sizeof *d->thb);
  d->dasc = calloc(c->dasc_entries, sizeof *d->dasc);
  d->dasc_tags = c->dasc_ways ? calloc(c->dasc_entries, sizeof *d->dasc_tags) : NULL;
  d->insns = malloc(OCT_DECODED_INSNS * sizeof *d->insns);
  d->accesses = malloc((OCT_DECODED_ACCESSES + OCT_INSN_ACCESSES_MAX) * sizeof *d->accesses);
  return d->map && d->sc && d->sc_sets && d->thb && d->dasc && (d->dasc_tags || !c->dasc_ways) &&
         d->insns && d->accesses;
}

int oct_decoder_new(const oct_config *cfg, oct_decoder_start start, oct_decoder **out,
                    oct_diag *diag) {
  *out = NULL;
  int r = oct_config_check(cfg, diag);
  if (r) return r;
  oct_decoder *d = calloc(1, sizeof *d);
  if (!d) return oct_fail(diag, OCT_ERR_NOMEM, "no memory for a decoder");
  d->cfg = *cfg;
  derive_widths(d);
  if (oct_cutter_init(&d->cutter, cfg, start == OCT_START_IN_STEP) || !allocate(d)) {
    oct_decoder_free(d);
    return oct_fail(diag, OCT_ERR_NOMEM, "no memory for a decoder");
  }
  oct_decoder_parse_init(d);
  d->map_id = OCT_NO_ID;
  d->is_searching = start == OCT_START_SEARCH;
  d->confirmed_insns = cfg->check_bits ? 0 : UINT64_MAX;
  d->is_sync_due = 1;
  *out = d;
  return 0;
}

void oct_decoder_free(oct_decoder *d) {
  if (!d) return;
  oct_queue *queues[] = {&d->updates, &d->tokens, &d->indices, &d->scmts, &d->dts, &d->dmts};
  for (size_t i = 0; i < sizeof queues / sizeof *queues; i++) free(queues[i]->bytes);
  oct_map_free(d->map);
  oct_cutter_free(&d->cutter);
  free(d->sc);
  free(d->sc_sets);
  free(d->thb);
  free(d->dasc);
  free(d->dasc_tags);
  free(d->insns);
  free(d->accesses);
  free(d);
}

int oct_decoder_map(oct_decoder *d, const oct_map_update *updates, size_t n, oct_diag *diag) {
  for (size_t i = 0; i < n; i++) {
    if (updates[i].from_insn < d->last_update_insn)
      return oct_fail(diag, OCT_ERR_ARG, "map update from instruction %llu after one from %llu",
                      (unsigned long long)updates[i].from_insn,
                      (unsigned long long)d->last_update_insn);
    oct_map_update *u = oct_update_put(&d->updates);
    if (!u) return oct_fail(diag, OCT_ERR_NOMEM, "no memory for map updates");
    *u = updates[i];
    d->last_update_insn = u->from_insn;
  }
  return 0;
}

int oct_decoder_push(oct_decoder *d, const uint8_t *bytes, size_t n, oct_diag *diag) {
  if (d->is_finished) return oct_fail(diag, OCT_ERR_ARG, "port bytes after the end");
  if (oct_cutter_push(&d->cutter, bytes, n))
    return oct_fail(diag, OCT_ERR_NOMEM, "no memory for %zu port bytes", n);
  return 0;
}

void oct_decoder_finish(oct_decoder *d) {
  d->is_finished = 1;
}

static int check_end(oct_decoder *d) {
  size_t left = oct_bits_left(&d->cutter.bits);
  if (d->is_searching) return oct_decoder_fail(d, OCT_ERR_TRUNCATED, "no whole sync packet found");
  if (!d->is_flush_last)
    return oct_decoder_fail(d, OCT_ERR_TRUNCATED, "the stream does not end in a flush");
  if (left > OCT_END_ZEROS_MAX || oct_bits_at(&d->cutter.bits, 0, (unsigned)left))
    return oct_decoder_fail(d, OCT_ERR_TRUNCATED, "the stream ends in the middle of a packet");
  return 0;
}

/* Start a batch; the accesses of an instruction that is not complete move to its front. */
static void begin_batch(oct_decoder *d) {
  if (d->insn_accesses && d->n_accesses)
    memmove(d->accesses, d->accesses + d->n_accesses, d->insn_accesses * sizeof *d->accesses);
  d->n_insns = d->n_accesses = 0;
  d->batch_first = d->insn_number;
}

static int deliver(oct_decoder *d, oct_decoded *out) {
  out->batch.insns = d->insns;
  out->batch.n_insns = d->n_insns;
  out->batch.accesses = d->accesses;
  out->batch.n_accesses = d->n_accesses;
  out->first_insn = d->batch_first;
  out->confirmed_insns = d->confirmed_insns;
  d->counts.insns += d->n_insns;
  d->counts.accesses += d->n_accesses;
  return 1;
}

/* Fill the batch. 1 when it shall be delivered, 0 when nothing more can be decoded, or an error. */
static int fill(oct_decoder *d, oct_decoded *out) {
  for (;;) {
    int r = oct_decoder_join(d);
    if (r < 0) d->barrier = OCT_BARRIER_NONE; /* this error comes before that of a bad packet */
    if (r) return r;
    if (d->barrier == OCT_BARRIER_ERROR) return d->error;
    if (d->barrier != OCT_BARRIER_NONE) {
      oct_decoder_barrier barrier = d->barrier;
      uint64_t lost_insns = d->barrier_number, lost_accesses = d->barrier_extra;
      uint64_t confirmed = d->confirmed_insns;
      r = oct_decoder_pass_barrier(d);
      if (r) return r;
      if (barrier == OCT_BARRIER_OVERFLOW) {
        out->is_gap = 1;
        out->lost_insns = lost_insns;
        out->lost_accesses = lost_accesses;
        return 1;
      }
      if (d->confirmed_insns != confirmed) return 1; /* a run ends where it is confirmed */
    } else if (!oct_decoder_parse(d)) {
      return d->n_insns > 0;
    }
  }
}

int oct_decoder_next(oct_decoder *d, oct_decoded *out, oct_diag *diag) {
  memset(out, 0, sizeof *out);
  out->confirmed_insns = UINT64_MAX;
  if (!d->error || d->barrier == OCT_BARRIER_ERROR) {
    begin_batch(d);
    int r = fill(d, out);
    if (r > 0 || d->n_insns) return deliver(d, out);
    if (!r && d->is_finished) check_end(d);
  }
  if (d->error && diag) *diag = d->diag;
  return d->error;
}

static void clear_queue(oct_queue *q) {
  q->head = q->tail = 0;
}

/* Forget all that the damage may have touched and go to the mark. */
static void start_resync(oct_decoder *d) {
  /* A mark that was found, but whose packet is bad, is passed over. */
  if (d->is_searching && d->is_mark_found) d->resync_bit += d->cutter.sync_ones + 1;
  oct_queue *queues[] = {&d->tokens, &d->indices, &d->scmts, &d->dts, &d->dmts};
  for (size_t i = 0; i < sizeof queues / sizeof *queues; i++) clear_queue(queues[i]);
  d->scmt_put = d->scmt_taken = 0;
  d->tuple_pos = d->tuple_n = 0;
  d->pattern_left = 0;
  d->stream_left = 0;
  d->insn_accesses = 0;
  d->n_insns = d->n_accesses = 0;
  d->map_id = OCT_NO_ID;
  d->is_lost_saturated = d->is_flush_last = 0;
  d->barrier = OCT_BARRIER_NONE;
  d->is_searching = d->is_sync_due = 1;
  d->is_mark_found = 0;
  d->n_resyncs++;
  d->error = 0;
  oct_cutter_start_search(&d->cutter, d->resync_bit);
}

int oct_decoder_resync(oct_decoder *d, oct_diag *diag) {
  if (d->error == OCT_ERR_NOMEM || d->error == OCT_ERR_CONFIG) {
    if (diag) *diag = d->diag;
    return d->error;
  }
  if (d->error) start_resync(d);
  if (d->is_searching && !d->is_mark_found) d->is_mark_found = oct_cutter_search(&d->cutter);
  return !d->is_searching || d->is_mark_found;
}

void oct_decoder_get_counts(const oct_decoder *d, oct_decoder_counts *counts) {
  *counts = d->counts;
  counts->bit_offset = oct_cutter_offset(&d->cutter);
}
