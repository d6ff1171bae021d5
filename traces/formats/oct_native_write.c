/* SPDX-License-Identifier: Apache-2.0 */
/* oct_native_write.c - writer of the native format (docs/trace-format.md): the block encoder of
 * octrace_feed.h with zstd behind it.
 *
 * Events are gathered to a block of columns, which is compressed and written with its hash; map
 * entries have blocks of their own, written before the events that need them. An index of all
 * blocks ends the file. */
#define OCTRACE_FEED_ENCODER_ONLY
#include "oct_grow.h"
#include "oct_map_fault.h"
#include "oct_native_decode.h"
#include "oct_effect_file.h"
#include "octrace/feed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

typedef struct native {
  oct_encoder encoder;
  ZSTD_CCtx *zstd;
  uint8_t *stored;
  size_t room_stored;
  uint64_t n_insns, n_accesses;
  uint8_t *index, *hashes; /* records, and the hash of each one's block */
  size_t n_index, room_index, room_hashes;
  uint8_t *traps; /* records of the block in the making */
  size_t n_traps, room_traps;
  uint8_t *facts, *fact_bytes; /* likewise, and the bytes that they tell */
  size_t n_facts, room_facts, n_fact_bytes, room_fact_bytes;
} native;

static int out_of_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

static int native_open(oct_writer *w, oct_diag *diag) {
  const oct_trace_info *info = w->options.info;
  /* What a reader would refuse is not written. */
  uint32_t align = info->insn_align_bytes;
  if (info->addr_bits != 32 && info->addr_bits != 64)
    return oct_fail(diag, OCT_ERR_ARG, "addr_bits=%" PRIu32 ": expected 32 or 64", info->addr_bits);
  if (!align || align > 8 || (align & (align - 1)))
    return oct_fail(diag, OCT_ERR_ARG, "insn_align_bytes=%" PRIu32 ": expected 1, 2, 4 or 8",
                    align);
  native *s = calloc(1, sizeof *s);
  size_t n;
  if (!s || oct_encoder_init(&s->encoder)) {
    free(s);
    return out_of_memory(diag);
  }
  w->state = s;
  s->room_stored = ZSTD_compressBound(OCT_BLOCK_MAX_BYTES);
  s->zstd = ZSTD_createCCtx();
  s->stored = malloc(s->room_stored);
  if (!s->zstd || !s->stored) return out_of_memory(diag);
  ZSTD_CCtx_setParameter(s->zstd, ZSTD_c_compressionLevel, w->options.level ? w->options.level : 3);
  if (!w->options.block_insns) w->options.block_insns = OCT_BLOCK_MAX_INSNS;
  /* Counts are left to the end block: what will be put need not be all that info speaks of. */
  n = oct_file_header(s->encoder.raw, info->isa, info->origin, info->command, info->addr_bits,
                      info->insn_align_bytes, 0, 0, 0);
  return oct_outfile_write(w->file, s->encoder.raw, n, diag);
}

static int add_index(oct_writer *w, int kind, uint32_t count, oct_diag *diag) {
  native *s = w->state;
  uint8_t *p = oct_grown(s->index, &s->room_index, s->n_index + 1, OCT_INDEX_RECORD_BYTES);
  if (!p) return out_of_memory(diag);
  s->index = p;
  p = oct_grown(s->hashes, &s->room_hashes, s->n_index + 1, OCT_INDEX_HASH_BYTES);
  if (!p) return out_of_memory(diag);
  s->hashes = p;
  oct_index_record(s->index + s->n_index++ * OCT_INDEX_RECORD_BYTES, oct_outfile_tell(w->file),
                   kind, s->n_insns, count);
  return 0;
}

/* Write a block, compressed unless it is small or does not shrink. */
static int write_block(oct_writer *w, int kind, const uint8_t *raw, uint32_t raw_bytes,
                       uint32_t n_insns, uint32_t n_items, oct_diag *diag) {
  native *s = w->state;
  uint8_t header[OCT_BLOCK_HEADER_BYTES];
  const uint8_t *stored = raw;
  uint32_t stored_bytes = raw_bytes;
  int rc, codec = OCT_CODEC_NONE;
  if (kind != OCT_BLOCK_END) {
    size_t n = ZSTD_compress2(s->zstd, s->stored, s->room_stored, raw, raw_bytes);
    if (ZSTD_isError(n)) return out_of_memory(diag); /* it has all the room it may need */
    if (n < raw_bytes) {
      codec = OCT_CODEC_ZSTD;
      stored = s->stored;
      stored_bytes = (uint32_t)n;
    }
  }
  oct_block_header(header, kind, codec, stored, stored_bytes, raw_bytes, s->n_insns, n_insns,
                   n_items);
  if (kind != OCT_BLOCK_INDEX && kind != OCT_BLOCK_END)
    memcpy(s->hashes + (s->n_index - 1) * OCT_INDEX_HASH_BYTES,
           header + sizeof header - OCT_INDEX_HASH_BYTES, OCT_INDEX_HASH_BYTES);
  if ((rc = oct_outfile_write(w->file, header, sizeof header, diag))) return rc;
  return oct_outfile_write(w->file, stored, stored_bytes, diag);
}

static int add_trap(oct_writer *w, const oct_trap *t, oct_diag *diag) {
  native *s = w->state;
  uint8_t *p = oct_grown(s->traps, &s->room_traps, s->n_traps + 1, OCT_TRAP_RECORD_BYTES);
  if (!p) return out_of_memory(diag);
  s->traps = p;
  oct_trap_record(s->traps + s->n_traps++ * OCT_TRAP_RECORD_BYTES, s->encoder.n_insns, t->kind,
                  t->privilege, t->cause, t->addr, t->tval);
  return 0;
}

/* Those before the block's instructions; the others go with the next block, where nothing is
 * before them. */
static int flush_traps(oct_writer *w, oct_diag *diag) {
  native *s = w->state;
  size_t n_now = s->n_traps, done, n;
  if (s->encoder.n_insns)
    while (n_now &&
           oct_get_le(s->traps + (n_now - 1) * OCT_TRAP_RECORD_BYTES + 20, 4) == s->encoder.n_insns)
      n_now--;
  for (done = 0; done < n_now; done += n) {
    int rc;
    n = n_now - done;
    if (n > OCT_BLOCK_MAX_INSNS) n = OCT_BLOCK_MAX_INSNS;
    if ((rc = add_index(w, OCT_BLOCK_TRAPS, (uint32_t)n, diag)) ||
        (rc = write_block(w, OCT_BLOCK_TRAPS, s->traps + done * OCT_TRAP_RECORD_BYTES,
                          (uint32_t)(n * OCT_TRAP_RECORD_BYTES), 0, (uint32_t)n, diag)))
      return rc;
  }
  s->n_traps -= n_now;
  for (size_t i = 0; i < s->n_traps; i++) {
    uint8_t *record = s->traps + i * OCT_TRAP_RECORD_BYTES;
    memmove(record, record + n_now * OCT_TRAP_RECORD_BYTES, OCT_TRAP_RECORD_BYTES);
    oct_put_le(record + 20, 0, 4);
  }
  return 0;
}

static int add_fact(oct_writer *w, const oct_batch *b, const oct_fact *f, oct_diag *diag) {
  native *s = w->state;
  const uint8_t *bytes = oct_value_of(b, f->value);
  size_t n_bytes = bytes ? f->n_bytes : 0;
  uint8_t *p = oct_grown(s->facts, &s->room_facts, s->n_facts + 1, OCT_FACT_RECORD_BYTES);
  if (!p) return out_of_memory(diag);
  s->facts = p;
  p = oct_grown(s->fact_bytes, &s->room_fact_bytes, s->n_fact_bytes + n_bytes + 1, 1);
  if (!p) return out_of_memory(diag);
  s->fact_bytes = p;
  oct_fact_record(s->facts + s->n_facts++ * OCT_FACT_RECORD_BYTES, s->encoder.n_insns, f->kind,
                  f->number, f->addr, f->n_bytes, bytes != NULL);
  if (n_bytes) memcpy(s->fact_bytes + s->n_fact_bytes, bytes, n_bytes);
  s->n_fact_bytes += n_bytes;
  return 0;
}

/* Bytes that fact number i tells. */
static size_t fact_bytes(const native *s, size_t i) {
  const uint8_t *record = s->facts + i * OCT_FACT_RECORD_BYTES;
  return record[19] ? (size_t)oct_get_le(record + 12, 4) : 0;
}

/* The first n facts, with their bytes, as one block. */
static int write_facts(oct_writer *w, size_t first, size_t n, size_t first_byte, size_t n_bytes,
                       oct_diag *diag) {
  native *s = w->state;
  const size_t n_records = n * OCT_FACT_RECORD_BYTES;
  uint8_t *payload = malloc(n_records + n_bytes + 1);
  if (!payload) return out_of_memory(diag);
  memcpy(payload, s->facts + first * OCT_FACT_RECORD_BYTES, n_records);
  if (n_bytes) memcpy(payload + n_records, s->fact_bytes + first_byte, n_bytes);
  int rc = add_index(w, OCT_BLOCK_FACTS, (uint32_t)n, diag);
  if (!rc)
    rc = write_block(w, OCT_BLOCK_FACTS, payload, (uint32_t)(n_records + n_bytes), 0, (uint32_t)n,
                     diag);
  free(payload);
  return rc;
}

/* As flush_traps. */
static int flush_facts(oct_writer *w, oct_diag *diag) {
  enum { FACTS_MAX = OCT_BLOCK_MAX_INSNS, BYTES_MAX = OCT_BLOCK_MAX_BYTES / 2 };
  native *s = w->state;
  size_t n_now = s->n_facts, done = 0, done_bytes = 0;
  if (s->encoder.n_insns)
    while (n_now &&
           oct_get_le(s->facts + (n_now - 1) * OCT_FACT_RECORD_BYTES + 8, 4) == s->encoder.n_insns)
      n_now--;
  while (done < n_now) {
    size_t n = 0, n_bytes = 0;
    for (; done + n < n_now && n < FACTS_MAX; n++) {
      size_t more = fact_bytes(s, done + n);
      if (n && n_bytes + more > BYTES_MAX) break;
      n_bytes += more;
    }
    int rc = write_facts(w, done, n, done_bytes, n_bytes, diag);
    if (rc) return rc;
    done += n;
    done_bytes += n_bytes;
  }
  s->n_facts -= done;
  s->n_fact_bytes -= done_bytes;
  if (s->n_fact_bytes) memmove(s->fact_bytes, s->fact_bytes + done_bytes, s->n_fact_bytes);
  for (size_t i = 0; i < s->n_facts; i++) {
    uint8_t *record = s->facts + i * OCT_FACT_RECORD_BYTES;
    memmove(record, record + done * OCT_FACT_RECORD_BYTES, OCT_FACT_RECORD_BYTES);
    oct_put_le(record + 8, 0, 4);
  }
  return 0;
}

/* The values of the block's accesses. */
static int flush_values(oct_writer *w, oct_diag *diag) {
  native *s = w->state;
  int rc = s->encoder.n_values ? add_index(w, OCT_BLOCK_VALUES, 0, diag) : 0;
  if (rc || !s->encoder.n_values) return rc;
  return write_block(w, OCT_BLOCK_VALUES, s->encoder.values, (uint32_t)s->encoder.n_values, 0, 0,
                     diag);
}

/* A block of events behind its traps, facts and values. Those behind the last instruction of all
 * stand alone. */
static int flush_events(oct_writer *w, oct_diag *diag) {
  native *s = w->state;
  oct_encoder *e = &s->encoder;
  int rc = flush_traps(w, diag);
  if (!rc) rc = flush_facts(w, diag);
  if (!rc) rc = flush_values(w, diag);
  if (rc || !e->n_insns) return rc;
  uint32_t n_bytes = oct_encoder_finish(e);
  if ((rc = add_index(w, OCT_BLOCK_EVENTS, e->n_insns, diag)) ||
      (rc = write_block(w, OCT_BLOCK_EVENTS, e->raw, n_bytes, e->n_insns, e->n_accesses, diag)))
    return rc;
  s->n_insns += e->n_insns;
  s->n_accesses += e->n_accesses;
  oct_encoder_reset(e);
  return 0;
}

/* Map entries hold from the batch's first instruction on, so what came before is written first. A
 * block ends where entries with and without an operation meet. */
static int put_map(oct_writer *w, const oct_batch *batch, oct_diag *diag) {
  native *s = w->state;
  int rc = batch->n_map ? flush_events(w, diag) : 0;
  for (size_t done = 0, n; !rc && done < batch->n_map; done += n) {
    const oct_map_entry *e = &batch->map[done];
    int ops = oct_map_has_operation(e), kind = ops ? OCT_BLOCK_OPS : OCT_BLOCK_MAP;
    uint8_t *p = s->encoder.raw;
    for (n = 0;
         n < OCT_BLOCK_MAX_INSNS && done + n < batch->n_map && oct_map_has_operation(e) == ops;
         n++) {
      oct_map_record(p, e->addr, e->size_bytes, e->cls, e->target, e->n_slots, e->slots, e->flags,
                     e->code_isa, e->code);
      p += OCT_MAP_RECORD_BYTES;
      if (ops) oct_effect_put(p, &e->op);
      if (ops) p += OCT_EFFECT_BYTES;
      e++;
    }
    if (!(rc = add_index(w, kind, (uint32_t)n, diag)))
      rc = write_block(w, kind, s->encoder.raw, (uint32_t)(p - s->encoder.raw), 0, (uint32_t)n,
                       diag);
  }
  return rc;
}

static int native_put_modules(oct_writer *w, const oct_module *modules, size_t n, oct_diag *diag) {
  native *s = w->state;
  int rc = flush_events(w, diag);
  for (size_t i = 0; !rc && i < n; i++) {
    const oct_module *m = &modules[i];
    size_t n_bytes = oct_module_record(s->encoder.raw, m->addr, m->n_bytes, m->bias, m->build_id,
                                       m->build_id_bytes, m->path);
    if (!(rc = add_index(w, OCT_BLOCK_MODULES, 1, diag)))
      rc = write_block(w, OCT_BLOCK_MODULES, s->encoder.raw, (uint32_t)n_bytes, 0, 1, diag);
  }
  return rc;
}

static int native_put(oct_writer *w, const oct_batch *batch, oct_diag *diag) {
  native *s = w->state;
  const oct_access *access = batch->accesses;
  int rc = put_map(w, batch, diag);
  size_t t = 0, f = 0;
  for (size_t i = 0; !rc && i < batch->n_insns; i++) {
    const oct_insn *insn = &batch->insns[i];
    if (oct_encoder_full(&s->encoder, w->options.block_insns) && (rc = flush_events(w, diag)))
      break;
    for (; t < batch->n_traps && batch->traps[t].insn == i; t++)
      if ((rc = add_trap(w, &batch->traps[t], diag))) return rc;
    for (; f < batch->n_facts && batch->facts[f].insn == i; f++)
      if ((rc = add_fact(w, batch, &batch->facts[f], diag))) return rc;
    if (oct_encoder_insn(&s->encoder, insn->task, insn->addr, insn->size_bytes))
      return oct_fail(diag, OCT_ERR_LIMIT, "an instruction of %u bytes: expected 1 to 15",
                      insn->size_bytes);
    if (insn->flags & OCT_INSN_HAS_CYCLE) oct_encoder_cycle(&s->encoder, insn->cycle);
    for (unsigned k = 0; k < insn->n_access; k++, access++) {
      if (oct_encoder_access(&s->encoder, access->addr, access->size_bytes, access->is_store))
        return oct_fail(diag, OCT_ERR_LIMIT,
                        "an access of %u bytes: expected a power of two up to 64",
                        access->size_bytes);
      const uint8_t *value = batch->values ? oct_value_of(batch, access->value) : NULL;
      if (value && oct_encoder_value(&s->encoder, value)) return out_of_memory(diag);
    }
  }
  for (; !rc && t < batch->n_traps; t++) rc = add_trap(w, &batch->traps[t], diag);
  for (; !rc && f < batch->n_facts; f++) rc = add_fact(w, batch, &batch->facts[f], diag);
  return rc;
}

/* The index, if it is not too large; *offset is where it stands. */
static int put_index(oct_writer *w, uint64_t *offset, oct_diag *diag) {
  native *s = w->state;
  const size_t n = oct_index_bytes(s->n_index), n_records = s->n_index * OCT_INDEX_RECORD_BYTES;
  if (n > OCT_BLOCK_MAX_BYTES) return 0;
  uint8_t *p = calloc(1, n);
  if (!p) return out_of_memory(diag);
  if (n_records) memcpy(p, s->index, n_records);
  if (n_records) memcpy(p + n_records, s->hashes, s->n_index * OCT_INDEX_HASH_BYTES);
  *offset = oct_outfile_tell(w->file);
  int rc = write_block(w, OCT_BLOCK_INDEX, p, (uint32_t)n, 0, (uint32_t)s->n_index, diag);
  free(p);
  return rc;
}

static int native_finish(oct_writer *w, oct_diag *diag) {
  native *s = w->state;
  uint8_t end[OCT_END_BYTES];
  uint64_t index_offset = 0;
  int rc = flush_events(w, diag);
  if (!rc) rc = flush_traps(w, diag);
  if (!rc) rc = flush_facts(w, diag);
  if (!rc) rc = put_index(w, &index_offset, diag);
  if (rc) return rc;
  oct_put_le(end, s->n_insns, 8);
  oct_put_le(end + 8, s->n_accesses, 8);
  oct_put_le(end + 16, index_offset, 8);
  return write_block(w, OCT_BLOCK_END, end, sizeof end, 0, 0, diag);
}

static void native_close(oct_writer *w) {
  native *s = w->state;
  if (!s) return;
  oct_encoder_free(&s->encoder);
  ZSTD_freeCCtx(s->zstd);
  free(s->stored);
  free(s->index);
  free(s->hashes);
  free(s->traps);
  free(s->facts);
  free(s->fact_bytes);
  free(s);
}

const oct_writer_ops oct_native_writer = {.open = native_open,
                                          .put = native_put,
                                          .put_modules = native_put_modules,
                                          .finish = native_finish,
                                          .close = native_close,
                                          .flush = flush_events};
