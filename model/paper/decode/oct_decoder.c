/* SPDX-License-Identifier: Apache-2.0 */
/* oct_decoder.c - the decoder's interface: making it, feeding it, and handing out batches. */
#include "oct_decoder_state.h"

#include <stdarg.h>
#include <stdio.h>

/* Zero bits that may follow the last flush: up to 30 of 31 pins, then up to the end of a byte. */
#define END_ZEROS_MAX 32

static int fail_at(oct_decoder *d, int error, const char *where, const char *format, va_list args) {
  char text[160];
  vsnprintf(text, sizeof text, format, args);
  d->error = error;
  return oct_fail(&d->diag, error, "%s %llu: %s", where,
                  (unsigned long long)oct_bits_offset(&d->bits), text);
}

int oct_decoder_fail(oct_decoder *d, int error, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fail_at(d, error, "bit", format, args);
  va_end(args);
  return error;
}

int oct_decoder_fail_before(oct_decoder *d, int error, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fail_at(d, error, "before bit", format, args);
  va_end(args);
  return error;
}

static unsigned log2_of(uint64_t power_of_two) {
  return (unsigned)__builtin_ctzll(power_of_two);
}

static uint32_t largest(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

/* The widths of section 1 of docs/port-format.md. */
static void derive_widths(oct_decoder *d) {
  const oct_config *c = &d->cfg;
  uint32_t n = largest(c->ntuple_n, 1), a = c->addr_bits, w = c->rep_pattern_bits;
  d->index_bits = largest(1, log2_of((uint64_t)c->sc_sets * c->sc_ways));
  for (d->thb_bits = 1; (UINT32_C(1) << d->thb_bits) <= c->thb_depth; d->thb_bits++) continue;
  uint32_t p = largest(2 * a, a + c->task_bits);
  p = largest(p, a - c->pc_align_bits + c->sl_bits);
  p = largest(p, n * d->index_bits);
  p = largest(p, 4 + (n - 1) * d->index_bits);
  p = largest(p, d->thb_bits);
  p = largest(p, w + c->rep_count_bits);
  p = largest(p, 5 + w - 1);
  d->sync_ones = 8 * ((p + 7 + 7) / 8);
  d->set_bits = log2_of(c->sc_sets);
  d->dasc_set_bits = log2_of(c->dasc_entries / largest(c->dasc_ways, 1));
  d->addr_mask = oct_mask(a);
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
         d->insns && d->accesses && !oct_bits_push(&d->bits, NULL, 0);
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
  if (!allocate(d)) {
    oct_decoder_free(d);
    return oct_fail(diag, OCT_ERR_NOMEM, "no memory for a decoder");
  }
  oct_decoder_parse_init(d);
  d->map_id = OCT_NO_ID;
  d->is_search = d->is_searching = start == OCT_START_SEARCH;
  d->is_sync_due = 1;
  *out = d;
  return 0;
}

void oct_decoder_free(oct_decoder *d) {
  if (!d) return;
  oct_queue *queues[] = {&d->updates, &d->tokens, &d->indices, &d->scmts, &d->dts, &d->dmts};
  for (size_t i = 0; i < sizeof queues / sizeof *queues; i++) free(queues[i]->bytes);
  oct_map_free(d->map);
  free(d->bits.bytes);
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
  if (oct_bits_push(&d->bits, bytes, n))
    return oct_fail(diag, OCT_ERR_NOMEM, "no memory for %zu port bytes", n);
  return 0;
}

void oct_decoder_finish(oct_decoder *d) {
  d->is_finished = 1;
}

static int check_end(oct_decoder *d) {
  size_t left = oct_bits_left(&d->bits);
  if (d->is_searching) return oct_decoder_fail(d, OCT_ERR_TRUNCATED, "no whole sync packet found");
  if (!d->is_flush_last)
    return oct_decoder_fail(d, OCT_ERR_TRUNCATED, "the stream does not end in a flush");
  if (left > END_ZEROS_MAX || oct_bits_at(&d->bits, 0, (unsigned)left))
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
      r = oct_decoder_pass_barrier(d);
      if (r) return r;
      if (barrier == OCT_BARRIER_OVERFLOW) {
        out->is_gap = 1;
        out->lost_insns = lost_insns;
        out->lost_accesses = lost_accesses;
        return 1;
      }
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

void oct_decoder_get_counts(const oct_decoder *d, oct_decoder_counts *counts) {
  *counts = d->counts;
  counts->bit_offset = oct_bits_offset(&d->bits);
}
