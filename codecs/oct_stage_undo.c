/* SPDX-License-Identifier: Apache-2.0 */
/* oct_stage_undo.c - the second stages backwards: each library in steps, so that memory grows with
 * what is really there.
 *
 * A table of operations (open, step, close) stands in front of each library. A step takes what
 * input there is and fills what output there is room for. The room is doubled as it fills, up to
 * the size that the file tells, which is not believed before. */
#include <bzlib.h>
#include <inttypes.h>
#include <limits.h>
#include <lzma.h>
#include <stdbool.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "octrace/codec.h"

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

static const undo_ops undo[OCT_STAGE_COUNT] = {
    [OCT_STAGE_GZIP] = {"gzip", gzip_open, gzip_step, gzip_close},
    [OCT_STAGE_BZIP2] = {"bzip2", bzip2_open, bzip2_step, bzip2_close},
    [OCT_STAGE_XZ] = {"xz", xz_open, xz_step, xz_close},
    [OCT_STAGE_ZSTD] = {"zstd", zstd_open, zstd_step, zstd_close},
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

int oct_stage_decompress(oct_stage_kind stage, const uint8_t *bytes, size_t n, uint64_t raw_bytes,
                         oct_buffer *out, oct_diag *diag) {
  if (stage == OCT_STAGE_NONE) {
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
