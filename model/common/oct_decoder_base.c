/* SPDX-License-Identifier: Apache-2.0 */
/* oct_decoder_base.c - what decoders have in common, whatever their format.
 *
 * Port bytes wait in a buffer and are dropped as packets are taken. Instructions are appended by
 * the walk through the program map and handed out in batches; a gap or an error is handed out
 * behind what came before it. To go on behind damage, all of this is dropped and the format looks
 * for its sync. */
#include "oct_decoder_base.h"

#include <inttypes.h>

int oct_decoder_base_create(const oct_tracer *t, size_t n_bytes,
                            int (*init)(void *d, const uint32_t *params, oct_diag *diag),
                            const uint32_t *params, oct_decoder_start start, void **out,
                            oct_diag *diag) {
  *out = NULL;
  int rc = oct_tracer_check(t, params, diag);
  if (rc) return rc;
  oct_decoder_base *d = calloc(1, n_bytes);
  if (!d) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  d->is_searching = d->is_lost = start == OCT_START_SEARCH;
  d->id = OCT_WALK_NONE;
  rc = oct_map_walk_init(&d->walk) ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory")
                                   : init(d, params, diag);
  if (rc) {
    t->decoder.destroy(d);
    return rc;
  }
  *out = d;
  return 0;
}

void oct_decoder_base_destroy(void *decoder) {
  oct_decoder_base *d = decoder;
  if (!d) return;
  oct_buffer_free(&d->in);
  oct_buffer_free(&d->out);
  oct_buffer_free(&d->out_accesses);
  oct_buffer_free(&d->out_traps);
  oct_buffer_free(&d->out_facts);
  oct_buffer_free(&d->out_values);
  oct_map_walk_free(&d->walk);
  free(d);
}

int oct_decoder_base_map(void *d, const oct_map_update *updates, size_t n, oct_diag *diag) {
  return oct_map_walk_add(&((oct_decoder_base *)d)->walk, updates, n)
             ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory")
             : 0;
}

void oct_decoder_base_compact(oct_decoder_base *d) {
  if (!d->at) return;
  d->in.n_bytes -= d->at;
  if (d->in.n_bytes) memmove(d->in.bytes, d->in.bytes + d->at, d->in.n_bytes);
  d->base_bytes += d->at;
  d->at = 0;
}

int oct_decoder_base_push(void *decoder, const uint8_t *bytes, size_t n, oct_diag *diag) {
  oct_decoder_base *d = decoder;
  if (d->is_finished) return oct_fail(diag, OCT_ERR_ARG, "port bytes after the end");
  oct_decoder_base_compact(d);
  return oct_buffer_put(&d->in, bytes, n) ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory") : 0;
}

void oct_decoder_base_finish(void *d) {
  ((oct_decoder_base *)d)->is_finished = true;
}

void oct_decoder_base_behind_gap(void *decoder, uint64_t insn) {
  oct_decoder_base *d = decoder;
  d->insn = d->out_insn = insn;
}

void oct_decoder_base_counts(const void *decoder, oct_decoder_counts *counts) {
  const oct_decoder_base *d = decoder;
  *counts = d->counts;
  counts->bit_offset = 8 * (d->base_bytes + d->at);
}

int oct_decoder_base_fail(void *decoder, int error, const char *what) {
  oct_decoder_base *d = decoder;
  return oct_fail_at(&d->diag, error, OCT_AT_BIT, d->bit, "%s", what);
}

bool oct_decoder_base_is_found(void *decoder, bool (*search)(void *d)) {
  oct_decoder_base *d = decoder;
  if (d->is_searching) d->is_searching = !search(d);
  return !d->is_searching;
}

int oct_decoder_base_resync(void *decoder, bool (*search)(void *d)) {
  oct_decoder_base *d = decoder;
  d->error = 0;
  d->has_gap = false;
  d->is_lost = d->is_resumed = d->is_searching = true;
  d->insn = d->out_insn;
  if (d->failed_bytes == d->base_bytes + d->at + 1 && d->at < d->in.n_bytes) d->at++;
  if (!oct_decoder_base_is_found(d, search)) return 0;
  d->failed_bytes = d->base_bytes + d->at + 1;
  return 1;
}

bool oct_decoder_base_find_mark(void *decoder, const uint8_t *mark, size_t n) {
  oct_decoder_base *d = decoder;
  for (; d->in.n_bytes - d->at >= n; d->at++)
    if (!memcmp(d->in.bytes + d->at, mark, n)) return true;
  return false;
}

int oct_decoder_base_list(void *decoder, bool (*search)(void *d),
                          int (*step)(void *d, oct_packet *p), oct_packet *out, oct_diag *diag) {
  oct_decoder_base *d = decoder;
  *out = (oct_packet){.insn = d->insn};
  if (!oct_decoder_base_is_found(d, search))
    return d->is_finished ? oct_fail_at(diag, OCT_ERR_TRUNCATED, OCT_AT_BIT,
                                        8 * (d->base_bytes + d->at), "no sync was found")
                          : 0;
  int rc = step(d, out);
  if (rc < 0 && diag) *diag = d->diag;
  out->bit = d->bit;
  out->n_bits = 8 * (d->base_bytes + d->at) - d->bit;
  return rc;
}

int oct_decoder_base_find(void *decoder, const oct_map_entry **e) {
  oct_decoder_base *d = decoder;
  int rc = oct_map_walk_find(&d->walk, d->insn, d->id, d->ip, &d->id);
  if (rc) return oct_map_walk_explain(&d->walk, rc, d->ip, d->bit, &d->diag);
  *e = oct_map_entry_at(d->walk.map, d->id);
  return 0;
}

int oct_decoder_base_access(void *decoder, const oct_map_entry *e, unsigned number, uint64_t addr) {
  static const uint8_t size_bytes[OCT_SLOT_SIZE_MASK + 1] = {1, 2, 4, 8, 16, 32, 64, 0};
  oct_decoder_base *d = decoder;
  if (number == OCT_INSN_ACCESSES_MAX)
    return oct_decoder_base_fail(d, OCT_ERR_LIMIT, "too many accesses of one instruction");
  uint8_t slot = oct_map_slot(d->walk.map, &e->head, number);
  const oct_access access = {addr, size_bytes[slot & OCT_SLOT_SIZE_MASK],
                             (slot & OCT_SLOT_STORE) != 0, 0};
  return oct_buffer_put(&d->out_accesses, &access, sizeof access)
             ? oct_decoder_base_fail(d, OCT_ERR_NOMEM, "out of memory")
             : 0;
}

int oct_decoder_base_emit(void *decoder, const oct_map_entry *e, unsigned n_accesses,
                          uint8_t flags) {
  oct_decoder_base *d = decoder;
  oct_insn *insn = (oct_insn *)(void *)oct_buffer_room(&d->out, sizeof *insn);
  if (!insn) return oct_decoder_base_fail(d, OCT_ERR_NOMEM, "out of memory");
  *insn = (oct_insn){.addr = d->ip, .task = d->task, .size_bytes = e->size_bytes};
  insn->n_access = (uint16_t)n_accesses;
  insn->flags = flags | (uint8_t)(e->cls << OCT_INSN_CLASS_SHIFT);
  d->out.n_bytes += sizeof *insn;
  d->insn++;
  return 0;
}

int oct_decoder_base_retire(void *d, const oct_map_entry **e) {
  int rc = oct_decoder_base_find(d, e);
  return rc ? rc : oct_decoder_base_emit(d, *e, 0, 0);
}

uint32_t oct_decoder_base_value(void *decoder, const uint8_t *bytes, size_t n) {
  oct_decoder_base *d = decoder;
  const uint32_t value = (uint32_t)d->out_values.n_bytes + 1;
  return oct_buffer_put(&d->out_values, bytes, n) ? 0 : value;
}

int oct_decoder_base_trap(void *decoder, const oct_trap *trap) {
  oct_decoder_base *d = decoder;
  oct_trap t = *trap;
  t.insn = (uint32_t)(d->out.n_bytes / sizeof(oct_insn));
  return oct_buffer_put(&d->out_traps, &t, sizeof t)
             ? oct_decoder_base_fail(d, OCT_ERR_NOMEM, "out of memory")
             : 0;
}

static int tell_gap(oct_decoder_base *d, oct_decoded *out) {
  out->first_insn = d->out_insn - d->gap_insns;
  out->is_gap = 1;
  out->lost_insns = d->gap_insns;
  out->is_uncounted = d->walk.is_unplaced;
  d->has_gap = false;
  return 1;
}

int oct_decoder_base_next(void *decoder, int (*run)(void *d), bool (*is_open)(const void *d),
                          oct_decoded *out, oct_diag *diag) {
  oct_decoder_base *d = decoder;
  memset(out, 0, sizeof *out);
  out->confirmed_insns = UINT64_MAX;
  d->out.n_bytes = d->out_accesses.n_bytes = d->out_traps.n_bytes = 0;
  d->out_facts.n_bytes = d->out_values.n_bytes = 0;
  if (!d->error && !d->has_gap) {
    int rc = run(d);
    if (rc < 0) d->error = rc;
  }
  size_t n = d->out.n_bytes / sizeof(oct_insn);
  if (n || d->out_traps.n_bytes) {
    out->batch.insns = (const oct_insn *)(const void *)d->out.bytes;
    out->batch.n_insns = n;
    out->batch.accesses = (const oct_access *)(const void *)d->out_accesses.bytes;
    out->batch.n_accesses = d->out_accesses.n_bytes / sizeof(oct_access);
    out->batch.traps = (const oct_trap *)(const void *)d->out_traps.bytes;
    out->batch.n_traps = d->out_traps.n_bytes / sizeof(oct_trap);
    out->batch.facts = (const oct_fact *)(const void *)d->out_facts.bytes;
    out->batch.n_facts = d->out_facts.n_bytes / sizeof(oct_fact);
    out->batch.values = d->out_values.n_bytes ? d->out_values.bytes : NULL;
    out->batch.n_values = d->out_values.n_bytes;
    out->first_insn = d->out_insn;
    out->is_uncounted = d->walk.is_unplaced;
    d->out_insn += n;
    d->counts.insns += n;
    d->counts.accesses += out->batch.n_accesses;
    return 1;
  }
  if (d->has_gap) return tell_gap(d, out);
  if (!d->error && d->is_finished && is_open(d))
    d->error = oct_decoder_base_fail(d, OCT_ERR_TRUNCATED, "the stream ends where tracing goes on");
  if (d->error && diag) *diag = d->diag;
  return d->error;
}

int oct_decoder_base_join(void *decoder, bool is_counted, uint64_t insn, uint64_t bit) {
  oct_decoder_base *d = decoder;
  bool is_unknown = !is_counted && d->is_lost;
  if (insn > OCT_INSN_NUMBER_MAX)
    return oct_decoder_base_fail(d, OCT_ERR_PACKET, OCT_BAD_NUMBER_TEXT);
  if (d->is_synced) {
    d->has_gap = !d->is_resumed;
    d->gap_insns = insn > d->out_insn ? insn - d->out_insn : 0; /* damage may count back */
    d->counts.gaps++;
    d->counts.lost_insns += d->gap_insns;
  } else {
    d->counts.first_sync_bits = bit;
  }
  d->insn = d->out_insn = insn;
  d->is_synced = true;
  d->is_lost = d->is_resumed = false;
  if (is_unknown) {
    int error = oct_map_walk_lose(&d->walk, insn);
    return error ? oct_decoder_base_fail(d, error, oct_error_text(error)) : 0;
  }
  oct_map_walk_place(&d->walk);
  return 0;
}
