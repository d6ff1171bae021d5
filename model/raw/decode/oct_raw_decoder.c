/* SPDX-License-Identifier: Apache-2.0 */
/* oct_raw_decoder.c - decoder of the tracer `raw`, written from docs/raw-format.md.
 *
 * An instruction is decoded when all bytes of its accesses are there; the position moves with it.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "oct_buffer.h"
#include "oct_leb128.h"
#include "oct_raw_format.h"

#define NO_ID UINT32_MAX

typedef struct raw_decoder {
  oct_buffer in; /* bytes from number base on */
  size_t at;     /* the next, of in.bytes */
  uint64_t base; /* bytes dropped before in.bytes */
  oct_map *map;
  oct_map_update *updates; /* n_updates, of which the first next_update are done */
  size_t n_updates, updates_room, next_update;
  oct_insn *insns;
  oct_access *accesses;
  uint64_t pc, stream_left, insn; /* of the stream under way; number of the next instruction */
  uint32_t task, map_id;
  bool is_finished, is_searching, is_resyncing, is_flushed;
  int error;
  oct_diag diag;
  oct_decoder_counts counts;
} raw_decoder;

/* Answers of what reads a packet, beside errors. */
enum { MORE_BYTES, DONE, GAP };

static int fail(raw_decoder *d, int error, const char *what) {
  d->error = error;
  return oct_fail(&d->diag, error, "bit %" PRIu64 ": %s", 8 * (d->base + d->at), what);
}

void oct_raw_decoder_destroy(void *decoder) {
  raw_decoder *d = decoder;
  if (!d) return;
  oct_buffer_free(&d->in);
  oct_map_free(d->map);
  free(d->updates);
  free(d->insns);
  free(d->accesses);
  free(d);
}

int oct_raw_decoder_create(const uint32_t *params, oct_decoder_start start, void **out,
                           oct_diag *diag) {
  raw_decoder *d = calloc(1, sizeof *d);
  (void)params;
  *out = d;
  if (d) {
    d->map = oct_map_new();
    d->insns = malloc(OCT_DECODED_INSNS * sizeof *d->insns);
    d->accesses = malloc((OCT_DECODED_ACCESSES + OCT_INSN_ACCESSES_MAX) * sizeof *d->accesses);
    d->is_searching = start == OCT_START_SEARCH;
    d->map_id = NO_ID;
  }
  if (d && d->map && d->insns && d->accesses) return 0;
  oct_raw_decoder_destroy(d);
  *out = NULL;
  return oct_fail(diag, OCT_ERR_NOMEM, "no memory for a decoder");
}

int oct_raw_decoder_map(void *decoder, const oct_map_update *updates, size_t n, oct_diag *diag) {
  raw_decoder *d = decoder;
  if (d->n_updates + n > d->updates_room) {
    size_t room = 2 * (d->n_updates + n);
    oct_map_update *grown = realloc(d->updates, room * sizeof *grown);
    if (!grown) return oct_fail(diag, OCT_ERR_NOMEM, "no memory for map updates");
    d->updates = grown;
    d->updates_room = room;
  }
  if (n) memcpy(d->updates + d->n_updates, updates, n * sizeof *updates);
  d->n_updates += n;
  return 0;
}

int oct_raw_decoder_push(void *decoder, const uint8_t *bytes, size_t n, oct_diag *diag) {
  raw_decoder *d = decoder;
  if (d->is_finished) return oct_fail(diag, OCT_ERR_ARG, "port bytes after the end");
  if (d->at) memmove(d->in.bytes, d->in.bytes + d->at, d->in.n_bytes - d->at);
  d->in.n_bytes -= d->at;
  d->base += d->at;
  d->at = 0;
  return oct_buffer_put(&d->in, bytes, n) ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory") : 0;
}

void oct_raw_decoder_finish(void *decoder) {
  ((raw_decoder *)decoder)->is_finished = true;
}

/* Carry out the map updates that are due. */
static int update_map(raw_decoder *d) {
  for (; d->next_update < d->n_updates; d->next_update++) {
    const oct_map_update *u = &d->updates[d->next_update];
    if (u->from_insn > d->insn) return 0;
    int64_t id = oct_map_put(d->map, &u->entry);
    if (id < 0) return fail(d, (int)id, "a map entry that cannot be put");
    d->map_id = NO_ID;
  }
  d->next_update = d->n_updates = 0;
  return 0;
}

/* A number at *p, which moves behind it. */
static int take_number(raw_decoder *d, const uint8_t **p, uint64_t *v) {
  const uint8_t *end = d->in.bytes + d->in.n_bytes, *after = oct_leb128_get(*p, end, v);
  if (!after)
    return end - *p < OCT_LEB128_MAX ? MORE_BYTES : fail(d, OCT_ERR_PACKET, "expected a number");
  *p = after;
  return DONE;
}

/* The accesses of an instruction, from p on; they are its own when its end is returned. NULL: more
 * bytes are needed, or an error. */
static const uint8_t *read_accesses(raw_decoder *d, const oct_map_entry *e, const uint8_t *p,
                                    oct_access *to, oct_insn *insn) {
  const uint8_t *end = d->in.bytes + d->in.n_bytes;
  bool is_variable = e->flags & OCT_MAP_VARIABLE;
  unsigned n = 0;
  for (; is_variable || n < e->n_slots; n++) {
    if (end - p >= 2 && p[0] == OCT_RAW_END_0 && p[1] == OCT_RAW_END_1) {
      insn->flags |= OCT_INSN_END;
      p += 2;
      break;
    }
    if (n == OCT_INSN_ACCESSES_MAX) return fail(d, OCT_ERR_LIMIT, "too many accesses"), NULL;
    uint8_t slot = oct_map_slot(d->map, e, n), log2_size = slot & OCT_SLOT_SIZE_MASK;
    if (take_number(d, &p, &to[n].addr) != DONE) return NULL;
    to[n].size_bytes = log2_size == OCT_SLOT_SIZE_UNKNOWN ? 0 : (uint8_t)(1u << log2_size);
    to[n].is_store = (slot & OCT_SLOT_STORE) != 0;
  }
  insn->n_access = (uint16_t)n;
  return p;
}

/* As many instructions of the stream at hand as fit into the batch. */
static int read_stream(raw_decoder *d, oct_batch *b) {
  while (d->stream_left && b->n_insns < OCT_DECODED_INSNS && b->n_accesses < OCT_DECODED_ACCESSES) {
    int error = update_map(d);
    if (error) return error;
    if (d->map_id == NO_ID) d->map_id = oct_map_find(d->map, d->pc);
    if (d->map_id == NO_ID) return fail(d, OCT_ERR_MAP, "an instruction that the map lacks");
    const oct_map_entry *e = oct_map_at(d->map, d->map_id);
    oct_insn *insn = &d->insns[b->n_insns];
    *insn = (oct_insn){.addr = e->addr,
                       .task = d->task,
                       .size_bytes = e->size_bytes,
                       .flags = (uint8_t)(e->cls << OCT_INSN_CLASS_SHIFT)};
    const uint8_t *p = d->in.bytes + d->at;
    if (e->n_slots || (e->flags & OCT_MAP_VARIABLE)) {
      p = read_accesses(d, e, p, d->accesses + b->n_accesses, insn);
      if (!p) return d->error;
    }
    d->at = (size_t)(p - d->in.bytes);
    b->n_insns++;
    b->n_accesses += insn->n_access;
    d->insn++;
    d->pc = e->addr + e->size_bytes;
    d->map_id = --d->stream_left ? oct_map_next(d->map, d->map_id) : NO_ID;
  }
  return DONE;
}

static int take_sync(raw_decoder *d, uint64_t number, uint64_t task, oct_decoded *out) {
  bool is_gap = d->is_resyncing;
  if (task > UINT32_MAX || (!d->is_searching && number != d->insn))
    return fail(d, OCT_ERR_PACKET, "a sync of another instruction");
  if (is_gap) {
    out->is_gap = 1;
    out->lost_insns = number > d->insn ? number - d->insn : 0;
    d->counts.gaps++;
    d->counts.lost_insns += out->lost_insns;
  }
  if (d->is_searching && !is_gap) out->first_insn = number;
  d->is_searching = d->is_resyncing = false;
  d->insn = number;
  d->task = (uint32_t)task;
  d->counts.syncs++;
  return is_gap ? GAP : DONE;
}

/* One packet but the accesses that follow a stream's. */
static int read_packet(raw_decoder *d, oct_decoded *out) {
  static const uint8_t mark[OCT_RAW_SYNC_BYTES + 1] = {[0 ... OCT_RAW_SYNC_BYTES - 1] = 0xff, 0};
  const uint8_t *p = d->in.bytes + d->at, *end = d->in.bytes + d->in.n_bytes;
  uint64_t head, number, task;
  int result;
  if ((size_t)(end - p) >= sizeof mark && !memcmp(p, mark, sizeof mark)) {
    p += sizeof mark;
    if ((result = take_number(d, &p, &number)) == DONE) result = take_number(d, &p, &task);
    if (result == DONE) result = take_sync(d, number, task, out);
    if (result > MORE_BYTES) d->at = (size_t)(p - d->in.bytes);
    return result;
  }
  if ((size_t)(end - p) < sizeof mark && end != p && *p == 0xff && !d->is_finished)
    return MORE_BYTES; /* perhaps a mark */
  if ((result = take_number(d, &p, &head)) != DONE) return result;
  d->is_flushed = false;
  switch (head & 3) {
    case OCT_RAW_STREAM:
      if ((result = take_number(d, &p, &d->pc)) != DONE) return result;
      if (!(head >> 2)) return fail(d, OCT_ERR_PACKET, "a stream of no instructions");
      d->stream_left = head >> 2;
      d->map_id = NO_ID;
      break;
    case OCT_RAW_TASK:
      if (head >> 2 > UINT32_MAX) return fail(d, OCT_ERR_PACKET, "a task of over 32 bits");
      d->task = (uint32_t)(head >> 2);
      break;
    case OCT_RAW_FLUSH:
      if (head == OCT_RAW_FLUSH) {
        d->is_flushed = true;
        break;
      } /* fall through */
    default:
      return fail(d, OCT_ERR_PACKET, "expected a packet");
  }
  d->at = (size_t)(p - d->in.bytes);
  return DONE;
}

/* Move to the next mark. */
static bool search(raw_decoder *d) {
  unsigned ones = 0;
  size_t from = d->at;
  for (; d->at + OCT_RAW_SYNC_BYTES < d->in.n_bytes; d->at++) {
    for (ones = 0; d->in.bytes[d->at + ones] == 0xff && ones < OCT_RAW_SYNC_BYTES;) ones++;
    if (ones == OCT_RAW_SYNC_BYTES && !d->in.bytes[d->at + ones]) break;
  }
  if (!d->counts.syncs) d->counts.first_sync_bits += 8 * (d->at - from);
  return d->at + OCT_RAW_SYNC_BYTES < d->in.n_bytes;
}

static int read_run(raw_decoder *d, oct_decoded *out) {
  int result = DONE;
  while (result == DONE && out->batch.n_insns < OCT_DECODED_INSNS &&
         out->batch.n_accesses < OCT_DECODED_ACCESSES) {
    if (d->stream_left)
      result = read_stream(d, &out->batch);
    else if (d->is_searching && !search(d))
      result = MORE_BYTES;
    else
      result = read_packet(d, out);
  }
  if (result != MORE_BYTES || !d->is_finished) return result;
  if (d->is_searching) return fail(d, OCT_ERR_TRUNCATED, "no whole sync packet found");
  return d->is_flushed && d->at == d->in.n_bytes
             ? MORE_BYTES
             : fail(d, OCT_ERR_TRUNCATED, "the stream does not end in a flush");
}

int oct_raw_decoder_next(void *decoder, oct_decoded *out, oct_diag *diag) {
  raw_decoder *d = decoder;
  *out = (oct_decoded){.first_insn = d->insn, .confirmed_insns = UINT64_MAX};
  out->batch.insns = d->insns;
  out->batch.accesses = d->accesses;
  int result = d->error ? d->error : read_run(d, out);
  if (out->batch.n_insns || result == GAP) {
    d->counts.insns += out->batch.n_insns;
    d->counts.accesses += out->batch.n_accesses;
    return 1;
  }
  if (result < 0 && diag) *diag = d->diag;
  return result < 0 ? result : 0;
}

int oct_raw_decoder_resync(void *decoder, oct_diag *diag) {
  raw_decoder *d = decoder;
  (void)diag;
  d->error = 0;
  d->stream_left = 0;
  d->map_id = NO_ID;
  d->is_searching = d->is_resyncing = true;
  return search(d);
}

void oct_raw_decoder_counts(const void *decoder, oct_decoder_counts *counts) {
  const raw_decoder *d = decoder;
  *counts = d->counts;
  counts->bit_offset = 8 * (d->base + d->at);
}
