/* SPDX-License-Identifier: Apache-2.0 */
/* oct_player.c - a container opened together with the decoder of its port bits.
 *
 * To begin at a later sync, a searching decoder is started behind each sync found, until the wanted
 * one: what stands before it is never needed. */
#include "oct_player.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Remember map changes and tell the decoder of them. */
static int take_updates(oct_player *p, const oct_chunk *chunk, oct_diag *diag) {
  if (p->n_updates + chunk->n_updates > p->updates_room) {
    size_t size = 2 * (p->n_updates + chunk->n_updates);
    oct_map_update *updates = realloc(p->updates, size * sizeof *updates);
    if (!updates) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    p->updates = updates;
    p->updates_room = size;
  }
  if (chunk->n_updates)
    memcpy(p->updates + p->n_updates, chunk->updates, chunk->n_updates * sizeof *p->updates);
  p->n_updates += chunk->n_updates;
  return p->tracer->decoder.map(p->decoder, chunk->updates, chunk->n_updates, diag);
}

static int new_decoder(oct_player *p, oct_decoder_start start, oct_diag *diag) {
  const oct_tracer_decoder *d = &p->tracer->decoder;
  d->destroy(p->decoder);
  p->decoder = NULL;
  int error = d->create(oct_container_params(p->reader), start, &p->decoder, diag);
  if (!error && p->n_updates) error = d->map(p->decoder, p->updates, p->n_updates, diag);
  return error;
}

/* Keep a chunk's bytes: a decoder may have to start over within them. */
static int keep_bits(oct_player *p, const oct_chunk *chunk, oct_diag *diag) {
  p->bits_first += p->bits.n_bytes;
  p->bits.n_bytes = 0;
  return oct_buffer_put(&p->bits, chunk->bytes, chunk->n_bytes)
             ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory")
             : 0;
}

/* Take a chunk in. 1 when there was one, 0 after the last, or an error. */
static int take_chunk(oct_player *p, oct_chunk *chunk, oct_diag *diag) {
  int got = oct_container_next(p->reader, chunk, diag);
  if (got <= 0) return got;
  int error = 0;
  if (chunk->kind == OCT_CHUNK_MAP) {
    error = take_updates(p, chunk, diag);
  } else if (chunk->kind == OCT_CHUNK_BITS) {
    if (p->salvage) error = keep_bits(p, chunk, diag);
    if (!error) error = p->tracer->decoder.push(p->decoder, chunk->bytes, chunk->n_bytes, diag);
  } else {
    p->at_end = p->has_totals = true;
    p->totals = chunk->totals;
  }
  return error < 0 ? error : 1;
}

/* Bytes of the pending chunk, seen by a decoder that began at its byte number from. */
static int try_sync(oct_player *p, oct_diag *diag) {
  oct_decoded run;
  int got;
  while ((got = p->tracer->decoder.next(p->decoder, &run, diag)) > 0) {
    oct_decoder_counts counts;
    p->tracer->decoder.counts(p->decoder, &counts);
    if (counts.syncs) break;
  }
  return got < 0 ? got : 0;
}

/* Leave the decoder at sync number n, all of whose bytes it has been given. The next sync is
 * searched for from the byte after the one in which this one begins. */
static int seek_sync(oct_player *p, uint64_t n, oct_diag *diag) {
  oct_buffer bytes = {NULL, 0, 0};
  uint64_t found = 0;
  int result = new_decoder(p, OCT_START_SEARCH, diag);
  while (!result) {
    oct_decoder_counts counts;
    oct_chunk chunk;
    result = try_sync(p, diag);
    p->tracer->decoder.counts(p->decoder, &counts);
    if (counts.syncs && found == n)
      break; /* errors behind it are found again when its run is taken */
    if (counts.syncs) {
      size_t past = (size_t)(counts.first_sync_bits / 8) + 1;
      past = past < bytes.n_bytes ? past : bytes.n_bytes;
      memmove(bytes.bytes, bytes.bytes + past, bytes.n_bytes - past);
      bytes.n_bytes -= past;
      found++;
      result = new_decoder(p, OCT_START_SEARCH, diag);
      if (!result && bytes.n_bytes)
        result = p->tracer->decoder.push(p->decoder, bytes.bytes, bytes.n_bytes, diag);
      continue;
    }
    if (result) break;
    result = take_chunk(p, &chunk, diag);
    if (result == 0) {
      result = found ? oct_fail(diag, OCT_ERR_ARG, "sync %" PRIu64 ": expected 0 to %" PRIu64, n,
                                found - 1)
                     : oct_fail(diag, OCT_ERR_ARG, "sync %" PRIu64 ": the stream has none", n);
    } else if (result > 0) {
      result = 0;
      if (chunk.kind == OCT_CHUNK_BITS && oct_buffer_put(&bytes, chunk.bytes, chunk.n_bytes))
        result = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    }
  }
  if (result >= 0 && found == n) { /* from its beginning, with nothing of it taken */
    result = new_decoder(p, OCT_START_SEARCH, diag);
    if (!result && bytes.n_bytes)
      result = p->tracer->decoder.push(p->decoder, bytes.bytes, bytes.n_bytes, diag);
  }
  oct_buffer_free(&bytes);
  return result;
}

int oct_player_open(oct_player *p, const char *path, uint64_t from_sync, oct_diag *diag) {
  memset(p, 0, sizeof *p);
  int error = oct_container_open(path, &p->reader, diag);
  if (error < 0) return error;
  p->tracer = oct_container_tracer(p->reader);
  p->is_part = from_sync != 0;
  error = from_sync ? seek_sync(p, from_sync, diag) : new_decoder(p, OCT_START_IN_STEP, diag);
  if (error < 0) oct_player_close(p);
  return error;
}

/* Does the end say of the trace what the port did? */
static int check_totals(const oct_player *p, oct_diag *diag) {
  const oct_container_totals *t = &p->totals;
  oct_decoder_counts c;
  p->tracer->decoder.counts(p->decoder, &c);
  bool has_data = oct_tracer_carries_data(p->tracer, oct_container_params(p->reader));
  bool same_data = !has_data || (c.accesses + c.lost_accesses == t->accesses &&
                                 c.lost_accesses == t->lost_accesses);
  if (c.insns + c.lost_insns == t->insns && c.lost_insns == t->lost_insns && same_data) return 0;
  return oct_fail(diag, OCT_ERR_FORMAT,
                  "the end tells of %" PRIu64 " instructions (%" PRIu64 " lost) and %" PRIu64
                  " accesses (%" PRIu64 " lost), the port bits of %" PRIu64 " (%" PRIu64
                  ") and %" PRIu64 " (%" PRIu64 ")",
                  t->insns, t->lost_insns, t->accesses, t->lost_accesses, c.insns + c.lost_insns,
                  c.lost_insns, c.accesses + c.lost_accesses, c.lost_accesses);
}

static void note_damage(oct_player *p, const oct_diag *diag) {
  if (!p->n_damaged++) p->first_damage = *diag;
  p->after_damage = true;
}

/* Another decoder, which searches for a sync in the kept chunk from byte number from on, and in
 * what follows. */
static int start_over(oct_player *p, size_t from, oct_diag *diag) {
  const oct_tracer_decoder *d = &p->tracer->decoder;
  oct_buffer *bits = &p->bits;
  int error = new_decoder(p, OCT_START_SEARCH, diag);
  p->bits_first = 0;
  bits->n_bytes -= from;
  if (bits->n_bytes) memmove(bits->bytes, bits->bytes + from, bits->n_bytes);
  if (!error && bits->n_bytes) error = d->push(p->decoder, bits->bytes, bits->n_bytes, diag);
  if (!error && p->at_end) d->finish(p->decoder);
  return error;
}

static bool is_damage(int error) {
  return error != OCT_ERR_NOMEM && error != OCT_ERR_IO && error != OCT_ERR_UNSUPPORTED;
}

/* Of a chunk that is damaged: go on with the next whole one, or end. */
static int skip_chunks(oct_player *p, oct_diag *diag) {
  note_damage(p, diag);
  int got = oct_container_skip_damage(p->reader, diag);
  if (got < 0 && got != OCT_ERR_UNSUPPORTED) return got;
  p->at_end = got != 1;
  return start_over(p, p->bits.n_bytes, diag);
}

/* Of bits that make no sense: go on behind what was read of them. */
static int skip_bits(oct_player *p, oct_diag *diag) {
  oct_decoder_counts c;
  p->tracer->decoder.counts(p->decoder, &c);
  uint64_t read = c.bit_offset / 8 > p->bits_first ? c.bit_offset / 8 - p->bits_first : 0;
  if (!read) read = 1;
  note_damage(p, diag);
  return start_over(p, read < p->bits.n_bytes ? (size_t)read : p->bits.n_bytes, diag);
}

/* What the decoder makes of the chunks, as its own next. */
static int next_run(oct_player *p, oct_decoded *run, oct_diag *diag) {
  const oct_tracer_decoder *d = &p->tracer->decoder;
  for (;;) {
    int got = d->next(p->decoder, run, diag), error = 0;
    if (got > 0) return got;
    if (got < 0) {
      if (!p->salvage || !is_damage(got)) return got;
      if (p->at_end && !p->bits.n_bytes) return 0;
      error = skip_bits(p, diag);
    } else if (p->at_end) {
      return 0;
    } else {
      oct_chunk chunk;
      int more = take_chunk(p, &chunk, diag);
      if (more < 0 && p->salvage && is_damage(more))
        error = skip_chunks(p, diag);
      else if (more < 0)
        return more;
      else if (!more)
        p->at_end = true;
      if (more >= 0 && p->at_end) d->finish(p->decoder);
    }
    if (error) return error;
  }
}

int oct_player_next(oct_player *p, oct_decoded *run, oct_diag *diag) {
  int got = next_run(p, run, diag);
  if (got > 0) {
    bool has_gap = p->after_damage && run->first_insn > p->next_insn;
    p->gap_insns = has_gap ? run->first_insn - p->next_insn : 0;
    p->after_damage = false;
    p->next_insn = run->first_insn + run->batch.n_insns + run->lost_insns;
    p->n_insns += run->batch.n_insns;
  }
  return got || p->is_part || p->n_damaged ? got : check_totals(p, diag);
}

void oct_player_counts(const oct_player *p, oct_decoder_counts *counts) {
  memset(counts, 0, sizeof *counts);
  if (p->decoder) p->tracer->decoder.counts(p->decoder, counts);
}

void oct_player_close(oct_player *p) {
  if (p->tracer) p->tracer->decoder.destroy(p->decoder);
  oct_container_close(p->reader);
  free(p->updates);
  oct_buffer_free(&p->bits);
  memset(p, 0, sizeof *p);
}
