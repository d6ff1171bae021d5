/* SPDX-License-Identifier: Apache-2.0 */
/* oct_raw_decoder.c - decoder of the tracer `raw`, written from docs/raw-format.md.
 *
 * An instruction is decoded when all bytes of its accesses are there; the position moves with it.
 */
#include <stdlib.h>
#include <string.h>

#include "oct_decoder_base.h"
#include "oct_leb128.h"
#include "oct_raw_format.h"

extern const oct_tracer oct_tracer_raw;

/* base.ip is the next instruction of the stream under way, base.id its entry, if that is known. */
typedef struct raw_decoder {
  oct_decoder_base base;
  oct_insn *insns;
  oct_access *accesses;
  uint64_t stream_left; /* instructions of the stream under way */
  bool is_resyncing, is_flushed;
} raw_decoder;

/* Answers of what reads a packet, beside errors. */
enum { MORE_BYTES, DONE, GAP };

static int fail(raw_decoder *d, int error, const char *what) {
  d->base.error = error;
  d->base.bit = 8 * (d->base.base_bytes + d->base.at);
  return oct_decoder_base_fail(d, error, what);
}

void oct_raw_decoder_destroy(void *decoder) {
  raw_decoder *d = decoder;
  if (d) {
    free(d->insns);
    free(d->accesses);
  }
  oct_decoder_base_destroy(d);
}

static int init(void *decoder, const uint32_t *params, oct_diag *diag) {
  raw_decoder *d = decoder;
  (void)params;
  d->insns = malloc(OCT_DECODED_INSNS * sizeof *d->insns);
  d->accesses = malloc((OCT_DECODED_ACCESSES + OCT_INSN_ACCESSES_MAX) * sizeof *d->accesses);
  return d->insns && d->accesses ? 0 : oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

int oct_raw_decoder_create(const uint32_t *params, oct_decoder_start start, void **out,
                           oct_diag *diag) {
  return oct_decoder_base_create(&oct_tracer_raw, sizeof(raw_decoder), init, params, start, out,
                                 diag);
}

/* Carry out the map updates that are due. */
static int update_map(raw_decoder *d) {
  if (d->base.walk.next_from > d->base.insn) return 0;
  d->base.id = OCT_WALK_NONE;
  return oct_map_walk_to(&d->base.walk, d->base.insn)
             ? fail(d, OCT_ERR_MAP, "a map entry that cannot be put")
             : 0;
}

/* A number at *p, which moves behind it. */
static int take_number(raw_decoder *d, const uint8_t **p, uint64_t *v) {
  const uint8_t *end = d->base.in.bytes + d->base.in.n_bytes, *after = oct_leb128_get(*p, end, v);
  if (!after)
    return end - *p < OCT_LEB128_MAX ? MORE_BYTES : fail(d, OCT_ERR_PACKET, "expected a number");
  *p = after;
  return DONE;
}

/* The accesses of an instruction, from p on; they are its own when its end is returned. NULL: more
 * bytes are needed, or an error. */
static const uint8_t *read_accesses(raw_decoder *d, const oct_map_entry *e, const uint8_t *p,
                                    oct_access *to, oct_insn *insn) {
  const uint8_t *end = d->base.in.bytes + d->base.in.n_bytes;
  bool is_variable = e->flags & OCT_MAP_VARIABLE;
  unsigned n = 0;
  for (; is_variable || n < e->n_slots; n++) {
    if (end - p >= 2 && p[0] == OCT_RAW_END_0 && p[1] == OCT_RAW_END_1) {
      insn->flags |= OCT_INSN_END;
      p += 2;
      break;
    }
    if (n == OCT_INSN_ACCESSES_MAX) return fail(d, OCT_ERR_LIMIT, "too many accesses"), NULL;
    uint8_t slot = oct_map_slot(d->base.walk.map, e, n), log2_size = slot & OCT_SLOT_SIZE_MASK;
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
    if (d->base.id == OCT_WALK_NONE) d->base.id = oct_map_find(d->base.walk.map, d->base.ip);
    if (d->base.id == OCT_WALK_NONE)
      return fail(d, OCT_ERR_MAP, "an instruction that the map lacks");
    const oct_map_entry *e = oct_map_at(d->base.walk.map, d->base.id);
    oct_insn *insn = &d->insns[b->n_insns];
    *insn = (oct_insn){.addr = e->addr,
                       .task = d->base.task,
                       .size_bytes = e->size_bytes,
                       .flags = (uint8_t)(e->cls << OCT_INSN_CLASS_SHIFT)};
    const uint8_t *p = d->base.in.bytes + d->base.at;
    if (e->n_slots || (e->flags & OCT_MAP_VARIABLE)) {
      p = read_accesses(d, e, p, d->accesses + b->n_accesses, insn);
      if (!p) return d->base.error;
    }
    d->base.at = (size_t)(p - d->base.in.bytes);
    b->n_insns++;
    b->n_accesses += insn->n_access;
    d->base.insn++;
    d->base.ip = e->addr + e->size_bytes;
    d->base.id = --d->stream_left ? oct_map_next(d->base.walk.map, d->base.id) : OCT_WALK_NONE;
  }
  return DONE;
}

static int take_sync(raw_decoder *d, uint64_t number, uint64_t task, oct_decoded *out) {
  bool is_gap = d->is_resyncing;
  if (task > UINT32_MAX || (!d->base.is_searching && number != d->base.insn))
    return fail(d, OCT_ERR_PACKET, "a sync of another instruction");
  if (is_gap) {
    out->is_gap = 1;
    out->lost_insns = number > d->base.insn ? number - d->base.insn : 0;
    d->base.counts.gaps++;
    d->base.counts.lost_insns += out->lost_insns;
  }
  if (d->base.is_searching && !is_gap) out->first_insn = number;
  d->base.is_searching = d->is_resyncing = false;
  d->base.insn = number;
  d->base.task = (uint32_t)task;
  d->base.counts.syncs++;
  return is_gap ? GAP : DONE;
}

/* One packet but the accesses that follow a stream's. */
static int read_packet(raw_decoder *d, oct_decoded *out) {
  static const uint8_t mark[OCT_RAW_SYNC_BYTES + 1] = {[0 ... OCT_RAW_SYNC_BYTES - 1] = 0xff, 0};
  const uint8_t *p = d->base.in.bytes + d->base.at, *end = d->base.in.bytes + d->base.in.n_bytes;
  uint64_t head, number, task;
  int result;
  if ((size_t)(end - p) >= sizeof mark && !memcmp(p, mark, sizeof mark)) {
    p += sizeof mark;
    if ((result = take_number(d, &p, &number)) == DONE) result = take_number(d, &p, &task);
    if (result == DONE) result = take_sync(d, number, task, out);
    if (result > MORE_BYTES) d->base.at = (size_t)(p - d->base.in.bytes);
    return result;
  }
  if ((size_t)(end - p) < sizeof mark && end != p && *p == 0xff && !d->base.is_finished)
    return MORE_BYTES; /* perhaps a mark */
  if ((result = take_number(d, &p, &head)) != DONE) return result;
  d->is_flushed = false;
  switch (head & 3) {
    case OCT_RAW_STREAM:
      if ((result = take_number(d, &p, &d->base.ip)) != DONE) return result;
      if (!(head >> 2)) return fail(d, OCT_ERR_PACKET, "a stream of no instructions");
      d->stream_left = head >> 2;
      d->base.id = OCT_WALK_NONE;
      break;
    case OCT_RAW_TASK:
      if (head >> 2 > UINT32_MAX) return fail(d, OCT_ERR_PACKET, "a task of over 32 bits");
      d->base.task = (uint32_t)(head >> 2);
      break;
    case OCT_RAW_FLUSH:
      if (head == OCT_RAW_FLUSH) {
        d->is_flushed = true;
        break;
      } /* fall through */
    default:
      return fail(d, OCT_ERR_PACKET, "expected a packet");
  }
  d->base.at = (size_t)(p - d->base.in.bytes);
  return DONE;
}

/* Move to the next mark. */
static bool search(raw_decoder *d) {
  unsigned ones = 0;
  size_t from = d->base.at;
  for (; d->base.at + OCT_RAW_SYNC_BYTES < d->base.in.n_bytes; d->base.at++) {
    for (ones = 0; d->base.in.bytes[d->base.at + ones] == 0xff && ones < OCT_RAW_SYNC_BYTES;)
      ones++;
    if (ones == OCT_RAW_SYNC_BYTES && !d->base.in.bytes[d->base.at + ones]) break;
  }
  if (!d->base.counts.syncs) d->base.counts.first_sync_bits += 8 * (d->base.at - from);
  return d->base.at + OCT_RAW_SYNC_BYTES < d->base.in.n_bytes;
}

static int read_run(raw_decoder *d, oct_decoded *out) {
  int result = DONE;
  while (result == DONE && out->batch.n_insns < OCT_DECODED_INSNS &&
         out->batch.n_accesses < OCT_DECODED_ACCESSES) {
    if (d->stream_left)
      result = read_stream(d, &out->batch);
    else if (d->base.is_searching && !search(d))
      result = MORE_BYTES;
    else
      result = read_packet(d, out);
  }
  if (result != MORE_BYTES || !d->base.is_finished) return result;
  if (d->base.is_searching) return fail(d, OCT_ERR_TRUNCATED, "no whole sync packet found");
  return d->is_flushed && d->base.at == d->base.in.n_bytes
             ? MORE_BYTES
             : fail(d, OCT_ERR_TRUNCATED, "the stream does not end in a flush");
}

int oct_raw_decoder_next(void *decoder, oct_decoded *out, oct_diag *diag) {
  raw_decoder *d = decoder;
  *out = (oct_decoded){.first_insn = d->base.insn, .confirmed_insns = UINT64_MAX};
  out->batch.insns = d->insns;
  out->batch.accesses = d->accesses;
  int result = d->base.error ? d->base.error : read_run(d, out);
  if (out->batch.n_insns || result == GAP) {
    d->base.counts.insns += out->batch.n_insns;
    d->base.counts.accesses += out->batch.n_accesses;
    return 1;
  }
  if (result < 0 && diag) *diag = d->base.diag;
  return result < 0 ? result : 0;
}

int oct_raw_decoder_resync(void *decoder, oct_diag *diag) {
  raw_decoder *d = decoder;
  (void)diag;
  d->base.error = 0;
  d->stream_left = 0;
  d->base.id = OCT_WALK_NONE;
  d->base.is_searching = d->is_resyncing = true;
  return search(d);
}
