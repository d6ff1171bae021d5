/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_write.c - writes head, blocks, index and tail of an event file (docs/events.md).
 *
 * A block is columns of bytes; each is compressed by zstd if that makes it smaller, and a checksum
 * stands in front of all. Blocks are only appended, so a file can be written to a pipe. */
#include "oct_ev_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <xxhash.h>

enum { PACK_BYTES_MIN = 24 }; /* of less, zstd makes more */

static int write_bytes(oct_ev_writer *w, const void *p, size_t n, oct_diag *diag) {
  w->offset += n;
  return oct_outfile_write(w->file, p, n, diag);
}

int oct_ev_writer_open(oct_ev_writer *w, oct_outfile *file, const oct_ev_params *p,
                       oct_diag *diag) {
  char text[512], magic[OCT_EV_MAGIC_BYTES + 1];
  memset(w, 0, sizeof *w);
  w->file = file;
  w->level = p->level;
  w->zstd = ZSTD_createCCtx();
  int n = snprintf(text, sizeof text,
                   "mode: %s\nmax_order: %" PRIu32 "\nt_abs_ticks: %" PRIu64 "\nt_rel_ppm: %" PRIu32
                   "\ndrift_ticks: %" PRIu64 "\nmax_corrections: %" PRIu32 "\nkeep_all: %" PRIu32
                   "\nbuffer_events: %" PRIu32 "\n",
                   p->lossy ? "lossy" : "lossless", p->max_order, p->t_abs_ticks, p->t_rel_ppm,
                   p->drift_ticks, p->max_corrections, p->keep_all, p->buffer_events);
  oct_buffer head = {0};
  snprintf(magic, sizeof magic, OCT_EV_MAGIC "%d", OCT_EV_VERSION);
  oct_buffer_put(&head, magic, OCT_EV_MAGIC_BYTES);
  oct_buffer_put_le(&head, (uint64_t)n, 4);
  oct_buffer_put(&head, text, (size_t)n);
  if (!head.has_failed) oct_buffer_put_le(&head, XXH64(head.bytes, head.n_bytes, 0), 8);
  int error = !w->zstd || head.has_failed ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory")
                                          : write_bytes(w, head.bytes, head.n_bytes, diag);
  free(head.bytes);
  return error;
}

/* Column i behind the payload: raw bytes, stored bytes, and the bytes. */
static int put_column(oct_ev_writer *w, oct_buffer *c, oct_buffer *sizes) {
  size_t stored = c->n_bytes;
  if (c->has_failed) return OCT_ERR_NOMEM;
  if (c->n_bytes >= PACK_BYTES_MIN) {
    size_t bound = ZSTD_compressBound(c->n_bytes);
    w->packed.n_bytes = 0;
    if (!oct_buffer_room(&w->packed, bound)) return OCT_ERR_NOMEM;
    size_t got = ZSTD_compressCCtx(w->zstd, w->packed.bytes, bound, c->bytes, c->n_bytes, w->level);
    if (ZSTD_isError(got)) return OCT_ERR_NOMEM;
    if (got < c->n_bytes) stored = got;
  }
  oct_buffer_put_leb128(sizes, c->n_bytes);
  oct_buffer_put_leb128(sizes, stored);
  oct_buffer_put(&w->payload, stored < c->n_bytes ? w->packed.bytes : c->bytes, stored);
  c->n_bytes = 0;
  return w->payload.has_failed || sizes->has_failed ? OCT_ERR_NOMEM : 0;
}

int64_t oct_ev_writer_block(oct_ev_writer *w, unsigned kind, unsigned n_columns, oct_diag *diag) {
  oct_buffer head = {0}, rest = {0};
  int64_t error = 0;
  w->payload.n_bytes = 0;
  for (unsigned i = 0; i < n_columns && !error; i++) {
    if (w->column[i].n_bytes > OCT_EV_BLOCK_BYTES_MAX) error = OCT_ERR_LIMIT;
    if (!error) error = put_column(w, &w->column[i], &rest);
  }
  oct_buffer_put(&rest, w->payload.bytes, w->payload.n_bytes);
  if (!error && rest.n_bytes > OCT_EV_BLOCK_BYTES_MAX) error = OCT_ERR_LIMIT;
  oct_buffer_put_le(&head, kind | n_columns << 8, 4);
  oct_buffer_put_le(&head, rest.n_bytes, 4);
  if (!error) {
    uint64_t sum = XXH64(rest.bytes, rest.n_bytes, XXH64(head.bytes, head.n_bytes, 0));
    oct_buffer_put_le(&head, sum, 8);
    oct_buffer_put_le(&w->sums, sum, 8);
  }
  if (!error && (head.has_failed || rest.has_failed || w->sums.has_failed)) error = OCT_ERR_NOMEM;
  if (error)
    oct_fail(diag, (int)error, "block of events: %s", oct_error_text((int)error));
  else
    error = write_bytes(w, head.bytes, head.n_bytes, diag);
  if (!error) error = write_bytes(w, rest.bytes, rest.n_bytes, diag);
  int64_t bytes = (int64_t)(head.n_bytes + rest.n_bytes);
  free(head.bytes);
  free(rest.bytes);
  return error ? error : bytes;
}

int oct_ev_writer_tail(oct_ev_writer *w, uint64_t index_offset, oct_diag *diag) {
  uint8_t tail[OCT_EV_TAIL_BYTES];
  for (unsigned i = 0; i < 8; i++) tail[i] = (uint8_t)(index_offset >> 8 * i);
  memcpy(tail + 8, OCT_EV_END_MAGIC, 8);
  return write_bytes(w, tail, sizeof tail, diag);
}

void oct_ev_writer_free(oct_ev_writer *w) {
  ZSTD_freeCCtx(w->zstd);
  for (unsigned i = 0; i < OCT_EV_COLUMNS_MAX; i++) free(w->column[i].bytes);
  free(w->packed.bytes);
  free(w->payload.bytes);
  free(w->sums.bytes);
  memset(w, 0, sizeof *w);
}
