/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_store.c - opens event files and reads their blocks (docs/events.md).
 *
 * A block is columns, each packed by zstd or stored, behind a checksum of the whole. Its sizes are
 * checked against the limits of the format before memory is taken. Files that are compressed as a
 * whole, or come from a pipe, are undone into a temporary file first, since blocks are read in any
 * order. */
#include "oct_ev_store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>
#include <xxhash.h>

#include "oct_input.h"

int oct_ev_store_read(oct_ev_store *s, uint64_t offset, void *p, size_t n, oct_diag *diag) {
  uint8_t *out = p;
  if (offset > s->bytes_total || n > s->bytes_total - offset)
    return oct_diag_in(
        diag, s->name,
        oct_fail_at(diag, OCT_ERR_TRUNCATED, OCT_AT_BYTE, offset, "file ends too early"));
  s->bytes_read += n;
  if (s->fd < 0) {
    memcpy(p, s->memory + offset, n);
    return 0;
  }
  while (n) {
    ssize_t got = pread(s->fd, out, n, (off_t)offset);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0)
      return oct_fail_in(diag, OCT_ERR_IO, s->name, "cannot read: %s",
                         got ? strerror(errno) : "file became shorter");
    out += got;
    offset += (uint64_t)got;
    n -= (size_t)got;
  }
  return 0;
}

static int block_error(const oct_ev_store *s, const oct_ev_place *at, int error, const char *what,
                       oct_diag *diag) {
  return oct_fail_in(diag, error, s->name, "block at offset %llu: %s",
                     (unsigned long long)at->offset, what);
}

uint64_t oct_ev_store_sizes(oct_cursor *sizes, uint64_t n, unsigned n_columns,
                            uint64_t raw[OCT_EV_COLUMNS_MAX], uint64_t stored[OCT_EV_COLUMNS_MAX]) {
  size_t before = sizes->n_bytes;
  uint64_t raw_sum = 0, stored_sum = 0;
  for (unsigned i = 0; i < n_columns; i++) {
    raw[i] = oct_cursor_take_leb128(sizes);
    stored[i] = oct_cursor_take_leb128(sizes);
    if (raw[i] > OCT_EV_BLOCK_BYTES_MAX || stored[i] > raw[i]) return UINT64_MAX;
    raw_sum += raw[i];
    stored_sum += stored[i];
  }
  bool fits = !sizes->has_failed && stored_sum + (before - sizes->n_bytes) == n;
  return fits && raw_sum <= OCT_EV_BLOCK_BYTES_MAX ? raw_sum : UINT64_MAX;
}

/* Decompress the columns of a block's rest into memory of its own. */
static int unpack(oct_ev_store *s, const oct_ev_place *place, const uint8_t *rest, size_t n,
                  unsigned n_columns, oct_ev_columns *out, oct_diag *diag) {
  oct_cursor sizes = {.bytes = rest, .n_bytes = n};
  uint64_t raw[OCT_EV_COLUMNS_MAX], stored[OCT_EV_COLUMNS_MAX];
  uint64_t raw_sum = oct_ev_store_sizes(&sizes, n, n_columns, raw, stored);
  if (raw_sum == UINT64_MAX)
    return block_error(s, place, OCT_ERR_FORMAT, "sizes of columns do not fit", diag);
  const uint8_t *from = sizes.bytes;
  for (unsigned i = 0; i < n_columns; i++) {
    if (stored[i] < raw[i] && ZSTD_getFrameContentSize(from, stored[i]) != raw[i])
      return block_error(s, place, OCT_ERR_FORMAT, "size of a column does not fit", diag);
    from += stored[i];
  }
  if (!(out->memory = malloc(raw_sum + 1)))
    return block_error(s, place, OCT_ERR_NOMEM, "out of memory", diag);
  uint8_t *to = out->memory;
  from = sizes.bytes;
  for (unsigned i = 0; i < n_columns; i++) {
    if (stored[i] == raw[i]) {
      memcpy(to, from, raw[i]);
    } else {
      size_t got = ZSTD_decompressDCtx(s->zstd, to, raw[i], from, stored[i]);
      if (ZSTD_isError(got) || got != raw[i]) {
        free(out->memory);
        out->memory = NULL;
        return block_error(s, place, OCT_ERR_FORMAT, "damaged zstd frame", diag);
      }
    }
    out->column[i] = (oct_cursor){.bytes = to, .n_bytes = raw[i]};
    from += stored[i];
    to += raw[i];
  }
  return 0;
}

unsigned oct_ev_store_columns(const oct_ev_store *s, unsigned kind) {
  static const uint8_t n_columns[] = {
      [OCT_EV_BLOCK_METAS] = OCT_EV_META_COLUMNS,  [OCT_EV_BLOCK_PATTERNS] = OCT_EV_PATTERN_COLUMNS,
      [OCT_EV_BLOCK_CHUNK] = OCT_EV_CHUNK_COLUMNS, [OCT_EV_BLOCK_DEFS] = OCT_EV_DEFS_COLUMNS,
      [OCT_EV_BLOCK_INDEX] = OCT_EV_INDEX_COLUMNS,
  };
  return n_columns[kind] - (kind == OCT_EV_BLOCK_INDEX && s->version < 2);
}

int oct_ev_store_block(oct_ev_store *s, const oct_ev_place *place, unsigned kind,
                       oct_ev_columns *out, oct_diag *diag) {
  const unsigned n_columns = oct_ev_store_columns(s, kind);
  memset(out, 0, sizeof *out);
  if (!place->bytes)
    return block_error(s, place, OCT_ERR_FORMAT, "in the index, but not in the file", diag);
  if (place->bytes < OCT_EV_BLOCK_HEAD_BYTES ||
      place->bytes > OCT_EV_BLOCK_BYTES_MAX + OCT_EV_BLOCK_HEAD_BYTES)
    return block_error(s, place, OCT_ERR_FORMAT, "impossible size", diag);
  if (place->offset > s->bytes_total || place->bytes > s->bytes_total - place->offset)
    return block_error(s, place, OCT_ERR_TRUNCATED, "file ends too early", diag);
  uint8_t *bytes = malloc(place->bytes);
  if (!bytes) return block_error(s, place, OCT_ERR_NOMEM, "out of memory", diag);
  size_t n = (size_t)place->bytes - OCT_EV_BLOCK_HEAD_BYTES;
  const uint8_t *rest = bytes + OCT_EV_BLOCK_HEAD_BYTES;
  int error = oct_ev_store_read(s, place->offset, bytes, place->bytes, diag);
  if (!error && (bytes[0] != kind || bytes[1] != n_columns || bytes[2] || bytes[3] ||
                 oct_ev_load(bytes + 4, 4) != n))
    error = block_error(s, place, OCT_ERR_FORMAT, "not the block expected", diag);
  if (!error && !s->trust && oct_ev_load(bytes + 8, 8) != XXH64(rest, n, XXH64(bytes, 8, 0)))
    error = block_error(s, place, OCT_ERR_CHECKSUM, "checksum does not match", diag);
  if (!error && !s->trust && place->sum && oct_ev_load(bytes + 8, 8) != place->sum)
    error = block_error(s, place, OCT_ERR_CHECKSUM, "of another file: the index names another one",
                        diag);
  if (!error) error = unpack(s, place, rest, n, n_columns, out, diag);
  free(bytes);
  return error;
}

/* A descriptor of the decompressed bytes of path: of the file itself, or of a temporary copy. */
static int open_bytes(oct_ev_store *s, const char *path, oct_diag *diag) {
  oct_input *in;
  uint8_t buffer[16384];
  int error = oct_input_open(path, &in, diag);
  if (error) return error;
  if (oct_input_can_seek(in)) {
    s->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (s->fd < 0) error = oct_fail_in(diag, OCT_ERR_IO, path, "cannot open: %s", strerror(errno));
  } else {
    FILE *copy = tmpfile();
    int64_t got = 0;
    if (copy) s->fd = dup(fileno(copy));
    if (s->fd < 0)
      error = oct_fail_in(diag, OCT_ERR_IO, path, "temporary file: %s", strerror(errno));
    while (!error && (got = oct_input_read(in, buffer, sizeof buffer, diag)) > 0)
      if (fwrite(buffer, 1, (size_t)got, copy) != (size_t)got)
        error = oct_fail_in(diag, OCT_ERR_IO, path, "cannot write a temporary copy");
    if (got < 0) error = (int)got;
    if (copy && fclose(copy) && !error)
      error = oct_fail_in(diag, OCT_ERR_IO, path, "cannot write a temporary copy");
  }
  oct_input_close(in);
  if (!error) s->bytes_total = (uint64_t)lseek(s->fd, 0, SEEK_END);
  return error;
}

static int start(oct_ev_store *s, oct_ev_care care, oct_diag *diag) {
  s->care = care;
  if (!s->name || !(s->zstd = ZSTD_createDCtx()))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  int error = oct_ev_store_read_head(s, diag);
  if (error) return error;
  error = oct_ev_store_read_index(s, diag);
  bool is_damage = error && error != OCT_ERR_NOMEM && error != OCT_ERR_IO;
  return care != OCT_EV_REFUSE && is_damage ? oct_ev_store_rebuild(s, diag) : error;
}

int oct_ev_store_open(oct_ev_store *s, const char *path, oct_ev_care care, oct_diag *diag) {
  memset(s, 0, sizeof *s);
  s->fd = -1;
  s->name = strdup(oct_input_shown(path));
  int error = open_bytes(s, path, diag);
  if (!error) error = start(s, care, diag);
  if (error) oct_ev_store_close(s);
  return error;
}

int oct_ev_store_open_memory(oct_ev_store *s, const void *bytes, size_t n, int trust,
                             oct_ev_care care, oct_diag *diag) {
  memset(s, 0, sizeof *s);
  s->fd = -1;
  s->memory = bytes;
  s->bytes_total = n;
  s->trust = trust;
  s->name = strdup("memory");
  int error = start(s, care, diag);
  if (error) oct_ev_store_close(s);
  return error;
}

static void forget_part(oct_ev_part *p) {
  for (size_t i = 0; i < p->n_meta_blocks; i++) {
    free(p->metas[i].v);
    p->metas[i].v = NULL;
  }
  for (size_t i = 0; i < p->n_shape_blocks; i++) {
    oct_ev_shape_block *b = &p->shapes[i];
    for (uint32_t k = 0; b->v && k < b->n; k++) free(b->v[k].ops);
    free(b->v);
    free(b->vectors);
    b->v = NULL;
    b->vectors = NULL;
  }
}

void oct_ev_store_enter(oct_ev_store *s, uint32_t segment) {
  s->parts[segment].users++;
}

void oct_ev_store_leave(oct_ev_store *s, uint32_t segment) {
  if (!--s->parts[segment].users) forget_part(&s->parts[segment]);
}

void oct_ev_store_forget_parts(oct_ev_store *s) {
  for (size_t i = 0; i < s->n_parts; i++) {
    forget_part(&s->parts[i]);
    free(s->parts[i].metas);
    free(s->parts[i].shapes);
  }
  free(s->parts);
  free(s->chunks);
  memset(&s->counts, 0, sizeof s->counts);
  s->parts = NULL;
  s->chunks = NULL;
  s->n_parts = s->parts_cap = s->n_chunks = s->chunks_cap = 0;
}

void oct_ev_store_forget_index(oct_ev_store *s) {
  oct_ev_store_forget_parts(s);
  oct_ev_defs_free(&s->defs);
  memset(&s->defs, 0, sizeof s->defs);
}

void oct_ev_store_close(oct_ev_store *s) {
  oct_ev_store_forget_index(s);
  ZSTD_freeDCtx(s->zstd);
  if (s->fd >= 0) close(s->fd);
  free(s->name);
  memset(s, 0, sizeof *s);
  s->fd = -1;
}
