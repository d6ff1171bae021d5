/* SPDX-License-Identifier: Apache-2.0 */
/* oct_stage.c - the second stages: one compressing call each, and its defaults.
 *
 * Every library is called once for the whole input, into room for the largest output that the
 * library says it may make. The frame of the library is the whole payload, so its command-line tool
 * reads it. */
#include "octrace/codec.h"

#include <brotli/encode.h>
#include <bzlib.h>
#include <limits.h>
#include <lz4frame.h>
#include <lzma.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

const char oct_stage_names[] = "none|gzip|bzip2|xz|zstd|brotli|lz4";

static const struct {
  const char *name;
  int min, max, def;
} levels[OCT_STAGE_COUNT] = {
    [OCT_STAGE_NONE] = {"none", 0, 0, 0},   [OCT_STAGE_GZIP] = {"gzip", 1, 9, 9},
    [OCT_STAGE_BZIP2] = {"bzip2", 1, 9, 9}, [OCT_STAGE_XZ] = {"xz", 0, 9, 6},
    [OCT_STAGE_ZSTD] = {"zstd", 1, 22, 3},  [OCT_STAGE_BROTLI] = {"brotli", 0, 11, 11},
    [OCT_STAGE_LZ4] = {"lz4", 0, 12, 1},
};

int oct_stage_default_level(oct_stage_kind stage) {
  return levels[stage].def;
}

int oct_stage_check(oct_stage_kind stage, int level, oct_diag *diag) {
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
  if (level == OCT_STAGE_STORE) return xz_store(bytes, n, out, room);
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

/* Memory of brotli's encoder. The library ends the program when it is given none, so that a failed
 * allocation does not return to it: it leads out of it, and all that it had is freed. */
typedef struct brotli_memory {
  jmp_buf lacks;
  struct brotli_block *first;
} brotli_memory;

typedef struct brotli_block {
  struct brotli_block *next, **from;
  max_align_t bytes[];
} brotli_block;

static void *brotli_take(void *opaque, size_t n) {
  brotli_memory *m = opaque;
  brotli_block *b = malloc(sizeof *b + n);
  if (!b) longjmp(m->lacks, 1);
  b->next = m->first;
  b->from = &m->first;
  if (b->next) b->next->from = &b->next;
  m->first = b;
  return b->bytes;
}

static void brotli_free(void *opaque, void *bytes) {
  (void)opaque;
  if (!bytes) return;
  brotli_block *b = (brotli_block *)(void *)((char *)bytes - offsetof(brotli_block, bytes));
  *b->from = b->next;
  if (b->next) b->next->from = b->from;
  free(b);
}

static size_t brotli_compress(int level, const uint8_t *bytes, size_t n, uint8_t *out,
                              size_t room) {
  brotli_memory m = {.first = NULL};
  size_t left = room, n_in = n;
  volatile bool is_whole = false;
  if (!setjmp(m.lacks)) {
    BrotliEncoderState *e = BrotliEncoderCreateInstance(brotli_take, brotli_free, &m);
    BrotliEncoderSetParameter(e, BROTLI_PARAM_QUALITY, (uint32_t)level);
    BrotliEncoderSetParameter(e, BROTLI_PARAM_SIZE_HINT, n < UINT32_MAX ? (uint32_t)n : UINT32_MAX);
    is_whole =
        BrotliEncoderCompressStream(e, BROTLI_OPERATION_FINISH, &n_in, &bytes, &left, &out, NULL) &&
        BrotliEncoderIsFinished(e);
    BrotliEncoderDestroyInstance(e);
  }
  while (m.first) brotli_free(&m, m.first->bytes);
  return is_whole ? room - left : 0;
}

static LZ4F_preferences_t lz4_preferences(int level) {
  LZ4F_preferences_t p = LZ4F_INIT_PREFERENCES;
  p.compressionLevel = level;
  p.frameInfo.blockSizeID = LZ4F_max4MB;
  return p;
}

static size_t lz4_compress(int level, const uint8_t *bytes, size_t n, uint8_t *out, size_t room) {
  LZ4F_preferences_t p = lz4_preferences(level);
  size_t written = LZ4F_compressFrame(out, room, bytes, n, &p);
  return LZ4F_isError(written) ? 0 : written;
}

/* Room that the output of n bytes may need at most. */
static size_t bound(oct_stage_kind stage, int level, size_t n) {
  LZ4F_preferences_t p;
  switch (stage) {
    case OCT_STAGE_GZIP:
      return n + n / 1000 + 1024; /* stored blocks: 5 bytes for 16 KiB or more */
    case OCT_STAGE_BZIP2:
      return n + n / 50 + 1024;
    case OCT_STAGE_XZ:
      return lzma_stream_buffer_bound(n);
    case OCT_STAGE_ZSTD:
      return ZSTD_compressBound(n);
    case OCT_STAGE_BROTLI:
      return BrotliEncoderMaxCompressedSize(n) + n / 8 + 1024; /* levels 0 and 1 may need more */
    case OCT_STAGE_LZ4:
      p = lz4_preferences(level);
      return LZ4F_compressFrameBound(n, &p);
    default:
      return n;
  }
}

int oct_stage_compress(oct_stage_kind stage, int level, const uint8_t *bytes, size_t n,
                       oct_buffer *out, oct_diag *diag) {
  typedef size_t compress_fn(int, const uint8_t *, size_t, uint8_t *, size_t);
  static compress_fn *const compress[OCT_STAGE_COUNT] = {
      [OCT_STAGE_GZIP] = gzip_compress,     [OCT_STAGE_BZIP2] = bzip2_compress,
      [OCT_STAGE_XZ] = xz_compress,         [OCT_STAGE_ZSTD] = zstd_compress,
      [OCT_STAGE_BROTLI] = brotli_compress, [OCT_STAGE_LZ4] = lz4_compress,
  };
  if (stage == OCT_STAGE_NONE)
    return oct_buffer_put(out, bytes, n) ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory") : 0;
  if (level == OCT_STAGE_STORE && stage != OCT_STAGE_XZ)
    level = stage == OCT_STAGE_GZIP ? Z_NO_COMPRESSION : levels[stage].min;
  static const uint8_t nothing[1];
  size_t room = bound(stage, level, n);
  uint8_t *p = oct_buffer_room(out, room);
  if (!p) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  size_t written = compress[stage](level, bytes ? bytes : nothing, n, p, room);
  if (!written)
    return oct_fail(diag, OCT_ERR_NOMEM, "no memory for %s to compress %zu bytes",
                    levels[stage].name, n);
  out->n_bytes += written;
  return 0;
}
