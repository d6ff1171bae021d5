/* SPDX-License-Identifier: Apache-2.0 */
/* oct_atc_pieces.c - a chunk's file in pieces: a whole file of the second stage each, one behind
 * the other, which the stage's own tool takes as one file.
 *
 * Pieces are packed by worker threads. Writing fills pieces one after the other; when all are full,
 * the workers finish and the pieces are written in order. Reading has two halves: while the caller
 * takes from one, the workers unpack the other. */
#include "oct_atc_pieces.h"
#include "oct_checksum.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "oct_infile.h"
#include "oct_jobs.h"

/* A piece with the workers. */
typedef struct piece {
  oct_buffer raw, packed;
  oct_general_kind stage;
  int level;
  uint32_t chunk;
  oct_atc_piece entry;
  uint64_t offset; /* in the file, when reading */
  int error;
  oct_diag diag;
} piece;

static void free_pieces(piece *pieces, size_t n) {
  for (size_t i = 0; pieces && i < n; i++) {
    oct_buffer_free(&pieces[i].raw);
    oct_buffer_free(&pieces[i].packed);
  }
  free(pieces);
}

/* Writing: pieces are filled one after the other; when all are full, the workers finish, and the
 * pieces are written. */

struct oct_atc_packer {
  oct_jobs *jobs;
  piece *pieces;
  size_t n_pieces, filled; /* filled: those given to the workers */
  FILE *file;
  char *path;
  uint32_t chunk;
};

oct_atc_packer *oct_atc_packer_new(oct_general_kind stage, int level, unsigned n_threads) {
  oct_atc_packer *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->n_pieces = n_threads ? 2 * n_threads : 1;
  p->pieces = calloc(p->n_pieces, sizeof *p->pieces);
  p->jobs = oct_jobs_new(n_threads);
  if (!p->pieces || !p->jobs) {
    oct_atc_packer_free(p);
    return NULL;
  }
  for (size_t i = 0; i < p->n_pieces; i++) {
    p->pieces[i].stage = stage;
    p->pieces[i].level = level;
  }
  return p;
}

static void close_file(oct_atc_packer *p) {
  if (p->file) fclose(p->file);
  free(p->path);
  p->file = NULL;
  p->path = NULL;
}

void oct_atc_packer_free(oct_atc_packer *p) {
  if (!p) return;
  if (p->jobs) oct_jobs_free(p->jobs);
  free_pieces(p->pieces, p->n_pieces);
  close_file(p);
  free(p);
}

int oct_atc_packer_begin(oct_atc_packer *p, const char *path, uint32_t number, oct_diag *diag) {
  p->path = strdup(path);
  if (!p->path) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  p->chunk = number;
  p->file = fopen(path, "wb");
  return p->file ? 0 : oct_fail_in(diag, OCT_ERR_IO, path, "cannot create: %s", strerror(errno));
}

static void pack(void *arg) {
  piece *x = arg;
  x->packed.n_bytes = 0;
  x->error =
      oct_general_compress(x->stage, x->level, x->raw.bytes, x->raw.n_bytes, &x->packed, &x->diag);
  x->entry = (oct_atc_piece){x->packed.n_bytes, x->raw.n_bytes, 0};
  if (!x->error) x->entry.hash = XXH64(x->packed.bytes, x->packed.n_bytes, x->chunk);
}

/* Write the pieces that the workers have. */
static int drain(oct_atc_packer *p, oct_atc_info *info, oct_diag *diag) {
  int error = 0;
  oct_jobs_wait(p->jobs);
  for (size_t i = 0; !error && i < p->filled; i++) {
    piece *x = &p->pieces[i];
    x->raw.n_bytes = 0;
    if (x->error)
      error = oct_fail_in(diag, x->error, p->path, "%.100s", oct_diag_reason(&x->diag).text);
    else if (fwrite(x->packed.bytes, 1, x->packed.n_bytes, p->file) != x->packed.n_bytes)
      error = oct_fail_in(diag, OCT_ERR_IO, p->path, "cannot write: %s", strerror(errno));
    else if (oct_atc_info_add_piece(info, &x->entry))
      error = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  }
  p->filled = 0;
  return error;
}

/* The piece being filled goes to the workers. */
static int hand_over(oct_atc_packer *p, oct_atc_info *info, oct_diag *diag) {
  piece *x = &p->pieces[p->filled];
  x->chunk = p->chunk;
  if (oct_jobs_add(p->jobs, pack, x)) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  return ++p->filled == p->n_pieces ? drain(p, info, diag) : 0;
}

int oct_atc_packer_put(oct_atc_packer *p, const uint8_t *bytes, size_t n, oct_atc_info *info,
                       oct_diag *diag) {
  int error = 0;
  while (!error && n) {
    piece *x = &p->pieces[p->filled];
    size_t part = OCT_ATC_PIECE_BYTES - x->raw.n_bytes;
    if (part > n) part = n;
    if (oct_buffer_put(&x->raw, bytes, part)) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    bytes += part;
    n -= part;
    if (x->raw.n_bytes == OCT_ATC_PIECE_BYTES) error = hand_over(p, info, diag);
  }
  return error;
}

int oct_atc_packer_end(oct_atc_packer *p, oct_atc_info *info, oct_diag *diag) {
  int error = p->pieces[p->filled].raw.n_bytes ? hand_over(p, info, diag) : 0;
  if (!error) error = drain(p, info, diag);
  if (!error && fclose(p->file))
    error = oct_fail_in(diag, OCT_ERR_IO, p->path, "cannot write: %s", strerror(errno));
  else if (error)
    return error;
  p->file = NULL;
  close_file(p);
  return error;
}

/* Reading: while one half of the pieces is taken from, the workers unpack the other half. */

struct oct_atc_unpacker {
  oct_jobs *jobs;
  piece *pieces;           /* two halves of `half` each */
  size_t half, n[2];       /* n: pieces there in each half */
  size_t current, at, pos; /* half, piece in it and byte in that, to be taken next */
  const oct_atc_info *info;
  const oct_atc_chunk *chunk;
  uint32_t number;
  size_t next_piece; /* of the chunk, to be read next */
  uint64_t offset;   /* in the file */
  FILE *file;
  char *path;
  oct_general_kind stage;
};

oct_atc_unpacker *oct_atc_unpacker_new(oct_general_kind stage, unsigned n_threads) {
  oct_atc_unpacker *u = calloc(1, sizeof *u);
  if (!u) return NULL;
  u->stage = stage;
  u->half = n_threads ? n_threads : 1;
  u->pieces = calloc(2 * u->half, sizeof *u->pieces);
  u->jobs = oct_jobs_new(n_threads);
  if (u->pieces && u->jobs) return u;
  oct_atc_unpacker_free(u);
  return NULL;
}

static void end_reading(oct_atc_unpacker *u) {
  oct_jobs_wait(u->jobs);
  if (u->file) fclose(u->file);
  free(u->path);
  u->file = NULL;
  u->path = NULL;
  u->n[0] = u->n[1] = u->current = u->at = u->pos = u->next_piece = 0;
  u->offset = 0;
}

void oct_atc_unpacker_free(oct_atc_unpacker *u) {
  if (!u) return;
  if (u->jobs) {
    end_reading(u);
    oct_jobs_free(u->jobs);
  }
  free_pieces(u->pieces, 2 * u->half);
  free(u);
}

int oct_atc_unpacker_begin(oct_atc_unpacker *u, const char *path, const oct_atc_info *info,
                           uint32_t number, oct_diag *diag) {
  struct stat st;
  uint64_t size = 0;
  end_reading(u);
  u->info = info;
  u->number = number;
  u->chunk = &oct_atc_chunks(info)[number - 1];
  u->path = strdup(path);
  if (!u->path) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  u->file = oct_infile_fopen(path);
  if (!u->file || fstat(fileno(u->file), &st))
    return oct_fail_in(diag, OCT_ERR_IO, path, "cannot open: %s", strerror(errno));
  for (size_t i = 0; i < u->chunk->n_pieces; i++)
    size += oct_atc_pieces(info)[u->chunk->first_piece + i].packed_bytes;
  if (!S_ISREG(st.st_mode) || (uint64_t)st.st_size < size)
    return oct_diag_in(diag, path,
                       oct_fail_at(diag, OCT_ERR_TRUNCATED, OCT_AT_BYTE, (uint64_t)st.st_size,
                                   "the file ends; expected %" PRIu64 " bytes", size));
  if ((uint64_t)st.st_size > size)
    return oct_diag_in(
        diag, path,
        oct_fail_at(diag, OCT_ERR_FORMAT, OCT_AT_BYTE, size, "bytes follow the last piece"));
  return 0;
}

static void unpack(void *arg) {
  piece *x = arg;
  x->raw.n_bytes = 0;
  if (!oct_checksum_is(x->entry.hash, XXH64(x->packed.bytes, x->packed.n_bytes, x->chunk)))
    x->error = oct_fail(&x->diag, OCT_ERR_CHECKSUM, "the checksum does not match");
  else
    x->error = oct_general_decompress(x->stage, x->packed.bytes, x->packed.n_bytes,
                                      x->entry.raw_bytes, &x->raw, &x->diag);
}

/* Read pieces of the chunk into a half, and give them to the workers. */
static int fill(oct_atc_unpacker *u, size_t half, oct_diag *diag) {
  u->n[half] = 0;
  while (u->n[half] < u->half && u->next_piece < u->chunk->n_pieces) {
    piece *x = &u->pieces[half * u->half + u->n[half]];
    x->entry = oct_atc_pieces(u->info)[u->chunk->first_piece + u->next_piece];
    x->stage = u->stage;
    x->chunk = u->number;
    x->offset = u->offset;
    x->packed.n_bytes = 0;
    uint8_t *p = oct_buffer_room(&x->packed, (size_t)x->entry.packed_bytes);
    if (!p) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    if (fread(p, 1, (size_t)x->entry.packed_bytes, u->file) != x->entry.packed_bytes)
      return oct_diag_in(
          diag, u->path,
          oct_fail_at(diag, ferror(u->file) ? OCT_ERR_IO : OCT_ERR_TRUNCATED, OCT_AT_BYTE,
                      u->offset, "cannot read a piece of %" PRIu64 " bytes",
                      x->entry.packed_bytes));
    x->packed.n_bytes = (size_t)x->entry.packed_bytes;
    if (oct_jobs_add(u->jobs, unpack, x)) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    u->offset += x->entry.packed_bytes;
    u->next_piece++;
    u->n[half]++;
  }
  return 0;
}

/* Have a piece to take from. */
static int advance(oct_atc_unpacker *u, oct_diag *diag) {
  int error = 0;
  if (!u->n[u->current]) { /* the first piece of the chunk */
    error = fill(u, u->current, diag);
    oct_jobs_wait(u->jobs);
    if (!error) error = fill(u, !u->current, diag);
  } else if (u->at == u->n[u->current]) {
    oct_jobs_wait(u->jobs);
    u->current = !u->current;
    u->at = 0;
    error = fill(u, !u->current, diag);
  }
  if (error) return error;
  if (u->at >= u->n[u->current])
    return oct_diag_in(
        diag, u->path,
        oct_fail_at(diag, OCT_ERR_TRUNCATED, OCT_AT_BYTE, u->offset, "expected more pieces"));
  const piece *x = &u->pieces[u->current * u->half + u->at];
  if (!x->error) return 0;
  return oct_diag_in(diag, u->path,
                     oct_fail_at(diag, x->error, OCT_AT_BYTE, x->offset, "%.100s",
                                 oct_diag_reason(&x->diag).text));
}

int oct_atc_unpacker_get(oct_atc_unpacker *u, size_t n, oct_buffer *out, oct_diag *diag) {
  while (n) {
    int error = advance(u, diag);
    if (error) return error;
    const oct_buffer *raw = &u->pieces[u->current * u->half + u->at].raw;
    size_t part = raw->n_bytes - u->pos < n ? raw->n_bytes - u->pos : n;
    if (oct_buffer_put(out, raw->bytes + u->pos, part))
      return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    n -= part;
    u->pos += part;
    if (u->pos == raw->n_bytes) {
      u->pos = 0;
      u->at++;
    }
  }
  return 0;
}
