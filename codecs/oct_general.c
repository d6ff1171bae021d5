/* SPDX-License-Identifier: Apache-2.0 */
/* oct_general.c - the second stages: one compressing call each, and its defaults.
 *
 * Every library is called once for the whole input, into room for the largest output that the
 * library says it may make. The frame of the library is the whole payload, so its command-line tool
 * reads it. */
#include "octrace/codec.h"

#include <bzlib.h>
#include <inttypes.h>
#include <limits.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

const char oct_general_names[] = "none|gzip|bzip2|xz|zstd";

static const struct {
  const char *name;
  int min, max, def;
} levels[OCT_GENERAL_COUNT] = {
    [OCT_GENERAL_NONE] = {"none", 0, 0, 0},   [OCT_GENERAL_GZIP] = {"gzip", 1, 9, 9},
    [OCT_GENERAL_BZIP2] = {"bzip2", 1, 9, 9}, [OCT_GENERAL_XZ] = {"xz", 0, 9, 6},
    [OCT_GENERAL_ZSTD] = {"zstd", 1, 22, 3},
};

int oct_general_default_level(oct_general_kind stage) {
  return levels[stage].def;
}

int oct_general_check(oct_general_kind stage, int level, oct_diag *diag) {
  if (level >= levels[stage].min && level <= levels[stage].max) return 0;
  return oct_fail(diag, OCT_ERR_ARG, "level: stage %s has levels %d to %d, not %d",
                  levels[stage].name, levels[stage].min, levels[stage].max, level);
}

/* Each returns the bytes written to out, or 0 when the library failed: room is what it may need at
 * most, so that only memory can be what it lacked. */

static size_t gzip_compress(int level, const uint8_t *bytes, size_t n, uint8_t *out, size_t room) {
  z_stream z = {0};
  int state = Z_OK;
  size_t written = 0, taken = 0;
  if (deflateInit2(&z, level, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
  while (state == Z_OK) {
    size_t in = n - taken < UINT_MAX ? n - taken : UINT_MAX;
    size_t space = room - written < UINT_MAX ? room - written : UINT_MAX;
    z.next_in = (Bytef *)(bytes + taken);
    z.avail_in = (uInt)in;
    z.next_out = out + written;
    z.avail_out = (uInt)space;
    state = deflate(&z, taken + in == n ? Z_FINISH : Z_NO_FLUSH);
    taken += in - z.avail_in;
    written += space - z.avail_out;
  }
  deflateEnd(&z);
  return state == Z_STREAM_END ? written : 0;
}

static size_t bzip2_compress(int level, const uint8_t *bytes, size_t n, uint8_t *out, size_t room) {
  bz_stream z = {0};
  int state = BZ_RUN_OK;
  size_t written = 0, taken = 0;
  if (BZ2_bzCompressInit(&z, level, 0, 0) != BZ_OK) return 0;
  while (state == BZ_RUN_OK || state == BZ_FINISH_OK) {
    size_t in = n - taken < UINT_MAX ? n - taken : UINT_MAX;
    size_t space = room - written < UINT_MAX ? room - written : UINT_MAX;
    z.next_in = (char *)(bytes + taken);
    z.avail_in = (unsigned)in;
    z.next_out = (char *)(out + written);
    z.avail_out = (unsigned)space;
    state = BZ2_bzCompress(&z, taken + in == n ? BZ_FINISH : BZ_RUN);
    taken += in - z.avail_in;
    written += space - z.avail_out;
    if (state == BZ_FINISH_OK && written == room) break;
  }
  BZ2_bzCompressEnd(&z);
  return state == BZ_STREAM_END ? written : 0;
}

/* A file of one block, whose chunks are as they are: what lzma_stream_buffer_encode makes when its
 * search has found nothing. */
static size_t xz_store(const uint8_t *bytes, size_t n, uint8_t *out, size_t room) {
  size_t written = 0;
  lzma_stream_flags flags = {.check = LZMA_CHECK_CRC64};
  lzma_block block = {.check = flags.check};
  if (lzma_stream_header_encode(&flags, out) != LZMA_OK) return 0;
  written += LZMA_STREAM_HEADER_SIZE;
  if (lzma_block_uncomp_encode(&block, bytes, n, out, &written, room) != LZMA_OK) return 0;
  lzma_index *index = lzma_index_init(NULL);
  bool indexed = index &&
                 lzma_index_append(index, NULL, lzma_block_unpadded_size(&block), n) == LZMA_OK &&
                 lzma_index_buffer_encode(index, out, &written, room) == LZMA_OK;
  flags.backward_size = index ? lzma_index_size(index) : 0;
  lzma_index_end(index, NULL);
  if (!indexed || room - written < LZMA_STREAM_HEADER_SIZE ||
      lzma_stream_footer_encode(&flags, out + written) != LZMA_OK)
    return 0;
  return written + LZMA_STREAM_HEADER_SIZE;
}

static size_t xz_compress(int level, const uint8_t *bytes, size_t n, uint8_t *out, size_t room) {
  if (level == OCT_GENERAL_STORE) return xz_store(bytes, n, out, room);
  size_t written = 0;
  lzma_options_lzma options;
  lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, NULL}};
  if (lzma_lzma_preset(&options, (uint32_t)level)) return 0;
  /* A dictionary larger than the input is memory for nothing, the reader's too. */
  if (n < options.dict_size)
    options.dict_size = n < LZMA_DICT_SIZE_MIN ? LZMA_DICT_SIZE_MIN : (uint32_t)n;
  return lzma_stream_buffer_encode(filters, LZMA_CHECK_CRC64, NULL, bytes, n, out, &written,
                                   room) == LZMA_OK
             ? written
             : 0;
}

static size_t zstd_compress(int level, const uint8_t *bytes, size_t n, uint8_t *out, size_t room) {
  size_t written = ZSTD_compress(out, room, bytes, n, level);
  return ZSTD_isError(written) ? 0 : written;
}

/* Room that the output of n bytes may need at most. */
static size_t bound(oct_general_kind stage, size_t n) {
  switch (stage) {
    case OCT_GENERAL_GZIP:
      return n + n / 1000 + 1024; /* stored blocks: 5 bytes for 16 KiB or more */
    case OCT_GENERAL_BZIP2:
      return n + n / 50 + 1024;
    case OCT_GENERAL_XZ:
      return lzma_stream_buffer_bound(n);
    case OCT_GENERAL_ZSTD:
      return ZSTD_compressBound(n);
    default:
      return n;
  }
}

int oct_general_compress(oct_general_kind stage, int level, const uint8_t *bytes, size_t n,
                         oct_buffer *out, oct_diag *diag) {
  typedef size_t compress_fn(int, const uint8_t *, size_t, uint8_t *, size_t);
  static compress_fn *const compress[OCT_GENERAL_COUNT] = {
      [OCT_GENERAL_GZIP] = gzip_compress,
      [OCT_GENERAL_BZIP2] = bzip2_compress,
      [OCT_GENERAL_XZ] = xz_compress,
      [OCT_GENERAL_ZSTD] = zstd_compress,
  };
  if (stage == OCT_GENERAL_NONE)
    return oct_buffer_put(out, bytes, n) ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory") : 0;
  if (level == OCT_GENERAL_STORE && stage != OCT_GENERAL_XZ)
    level = stage == OCT_GENERAL_GZIP ? Z_NO_COMPRESSION : levels[stage].min;
  static const uint8_t nothing[1];
  size_t room = bound(stage, n);
  uint8_t *p = oct_buffer_room(out, room);
  if (!p) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  size_t written = compress[stage](level, bytes ? bytes : nothing, n, p, room);
  if (!written)
    return oct_fail(diag, OCT_ERR_NOMEM, "no memory for %s to compress %zu bytes",
                    levels[stage].name, n);
  out->n_bytes += written;
  return 0;
}

/* ---- The second stages backwards: each library in steps, so that memory grows with
 * what is really there.
 *
 * A table of operations (open, step, close) stands in front of each library. A step takes what
 * input there is and fills what output there is room for. The room is doubled as it fills, up to
 * the size that the file tells, which is not believed before.
 * ---- */

#define STEP_BYTES ((size_t)16 << 20)

typedef enum undo_state { UNDO_MORE, UNDO_END, UNDO_BAD, UNDO_NO_MEMORY } undo_state;

/* A library at work: bytes still to be read, and where its next output goes. */
typedef struct undo_io {
  const uint8_t *in;
  size_t n_in;
  uint8_t *out;
  size_t n_out;
} undo_io;

typedef struct undo_ops {
  const char *name;
  void *(*open)(void); /* NULL when out of memory */
  undo_state (*step)(void *state, undo_io *io);
  void (*close)(void *state);
} undo_ops;

static size_t at_most(size_t n, size_t limit) {
  return n < limit ? n : limit;
}

static void *gzip_open(void) {
  z_stream *z = calloc(1, sizeof *z);
  if (z && inflateInit2(z, 15 + 16) == Z_OK) return z;
  free(z);
  return NULL;
}

static undo_state gzip_step(void *state, undo_io *io) {
  z_stream *z = state;
  size_t in = at_most(io->n_in, UINT_MAX), out = at_most(io->n_out, UINT_MAX);
  z->next_in = (Bytef *)io->in;
  z->avail_in = (uInt)in;
  z->next_out = io->out;
  z->avail_out = (uInt)out;
  int result = inflate(z, Z_NO_FLUSH);
  io->in += in - z->avail_in;
  io->n_in -= in - z->avail_in;
  io->n_out -= out - z->avail_out;
  return result == Z_STREAM_END  ? UNDO_END
         : result == Z_OK        ? UNDO_MORE
         : result == Z_MEM_ERROR ? UNDO_NO_MEMORY
                                 : UNDO_BAD;
}

static void gzip_close(void *state) {
  inflateEnd(state);
  free(state);
}

static void *bzip2_open(void) {
  bz_stream *z = calloc(1, sizeof *z);
  if (z && BZ2_bzDecompressInit(z, 0, 0) == BZ_OK) return z;
  free(z);
  return NULL;
}

static undo_state bzip2_step(void *state, undo_io *io) {
  bz_stream *z = state;
  size_t in = at_most(io->n_in, UINT_MAX), out = at_most(io->n_out, UINT_MAX);
  z->next_in = (char *)io->in;
  z->avail_in = (unsigned)in;
  z->next_out = (char *)io->out;
  z->avail_out = (unsigned)out;
  int result = BZ2_bzDecompress(z);
  if (in) io->in += in - z->avail_in; /* without input, in may be NULL */
  io->n_in -= in - z->avail_in;
  io->n_out -= out - z->avail_out;
  return result == BZ_STREAM_END  ? UNDO_END
         : result == BZ_OK        ? UNDO_MORE
         : result == BZ_MEM_ERROR ? UNDO_NO_MEMORY
                                  : UNDO_BAD;
}

static void bzip2_close(void *state) {
  BZ2_bzDecompressEnd(state);
  free(state);
}

static void *xz_open(void) {
  lzma_stream *z = calloc(1, sizeof *z);
  /* -9 needs 65 MiB; more is no file of ours. */
  if (z && lzma_stream_decoder(z, (uint64_t)128 << 20, 0) == LZMA_OK) return z;
  free(z);
  return NULL;
}

static undo_state xz_step(void *state, undo_io *io) {
  lzma_stream *z = state;
  z->next_in = io->in;
  z->avail_in = io->n_in;
  z->next_out = io->out;
  z->avail_out = io->n_out;
  lzma_ret result = lzma_code(z, LZMA_RUN);
  io->in = z->next_in;
  io->n_in = z->avail_in;
  io->n_out = z->avail_out;
  return result == LZMA_STREAM_END  ? UNDO_END
         : result == LZMA_OK        ? UNDO_MORE
         : result == LZMA_MEM_ERROR ? UNDO_NO_MEMORY
                                    : UNDO_BAD;
}

static void xz_close(void *state) {
  lzma_end(state);
  free(state);
}

static void *zstd_open(void) {
  return ZSTD_createDCtx();
}

static undo_state zstd_step(void *state, undo_io *io) {
  ZSTD_inBuffer in = {io->in, io->n_in, 0};
  ZSTD_outBuffer out = {io->out, io->n_out, 0};
  size_t result = ZSTD_decompressStream(state, &out, &in);
  io->in += in.pos;
  io->n_in -= in.pos;
  io->n_out -= out.pos;
  if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation) return UNDO_NO_MEMORY;
  return ZSTD_isError(result) ? UNDO_BAD : result ? UNDO_MORE : UNDO_END;
}

static void zstd_close(void *state) {
  ZSTD_freeDCtx(state);
}

static const undo_ops undo[OCT_GENERAL_COUNT] = {
    [OCT_GENERAL_GZIP] = {"gzip", gzip_open, gzip_step, gzip_close},
    [OCT_GENERAL_BZIP2] = {"bzip2", bzip2_open, bzip2_step, bzip2_close},
    [OCT_GENERAL_XZ] = {"xz", xz_open, xz_step, xz_close},
    [OCT_GENERAL_ZSTD] = {"zstd", zstd_open, zstd_step, zstd_close},
};

/* Run the library to its end, or to what is wrong. */
static int run(const undo_ops *ops, void *state, undo_io *io, uint64_t raw_bytes, oct_buffer *out,
               oct_diag *diag) {
  uint64_t left = raw_bytes;
  undo_state result = UNDO_MORE;
  uint8_t spare = 0;
  while (result == UNDO_MORE) {
    size_t space = left < STEP_BYTES ? (size_t)left : STEP_BYTES, had_in = io->n_in;
    /* With all the output there, one byte of room shows whether more follows. */
    uint8_t *p = space ? oct_buffer_room(out, space) : &spare;
    if (!p) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    io->out = p;
    io->n_out = space ? space : 1;
    result = ops->step(state, io);
    size_t got = (space ? space : 1) - io->n_out;
    if (!space && got)
      return oct_fail(diag, OCT_ERR_FORMAT, "%s gives more than %" PRIu64 " bytes", ops->name,
                      raw_bytes);
    left -= got;
    out->n_bytes += got;
    if (result == UNDO_MORE && !got && io->n_in == had_in) result = UNDO_BAD;
  }
  if (result == UNDO_NO_MEMORY) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  if (result == UNDO_END && !left && !io->n_in) return 0;
  return oct_fail(diag, OCT_ERR_FORMAT, "%s data is damaged after %" PRIu64 " of %" PRIu64 " bytes",
                  ops->name, raw_bytes - left, raw_bytes);
}

int oct_general_decompress(oct_general_kind stage, const uint8_t *bytes, size_t n,
                           uint64_t raw_bytes, oct_buffer *out, oct_diag *diag) {
  if (stage == OCT_GENERAL_NONE) {
    if (n != raw_bytes)
      return oct_fail(diag, OCT_ERR_FORMAT, "expected %" PRIu64 " bytes, found %zu", raw_bytes, n);
    return oct_buffer_put(out, bytes, n) ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory") : 0;
  }
  void *state = undo[stage].open();
  if (!state) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  undo_io io = {bytes, n, NULL, 0};
  int error = run(&undo[stage], state, &io, raw_bytes, out, diag);
  undo[stage].close(state);
  return error;
}
