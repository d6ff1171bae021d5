/* SPDX-License-Identifier: Apache-2.0 */
/* oct_input.c - bytes of a file or of standard input, with gzip, bzip2, xz, zstd and zip undone.
 *
 * Compressed bytes stand in raw, decompressed ones in window. Damage is reported only when the
 * bytes before it have been taken. Compressed files may be several members in a row. */
#include "oct_input.h"

#include "oct_infile.h"
#include "oct_zip.h"

#include <bzlib.h>
#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { RAW_BYTES = 65536, WINDOW_BYTES = 4 * OCT_INPUT_PEEK_BYTES, SEEK_BYTES = 2048 };
/* A damaged stream may ask for any window; these bound what a decompressor takes. */
enum { ZSTD_WINDOW_LOG = 27 };
#define XZ_MEMORY_BYTES (UINT64_C(256) << 20)

enum { CODEC_PLAIN, CODEC_GZIP, CODEC_BZIP2, CODEC_XZ, CODEC_ZSTD, CODEC_ZIP };
static const char *const codec_names[] = {"plain", "gzip", "bzip2", "xz", "zstd", "zip"};

struct oct_input {
  char *name;
  int fd, codec;
  int between; /* no member is open: at a member's start or at the end */
  int can_seek, at_end;
  uint64_t bytes_read, bytes_total, offset;
  uint64_t packed_before, packed; /* of the file, unpacked before the last fill and by its end */
  size_t filled;                  /* bytes that it added to the window */
  oct_diag error;                 /* error.error != 0: what follows the window */
  size_t raw_begin, raw_end, begin, end;
  int is_line_open;                            /* the last line has no line end */
  bool is_plain_text;                          /* escape sequences are left out */
  enum { NO_ESCAPE, ESCAPE, SEQUENCE } escape; /* where the window ends within one */
  size_t ahead_bytes; /* how much a read of a plain file asks for: little after a seek, then more */
  z_stream gzip;
  bz_stream bzip2;
  lzma_stream xz;
  ZSTD_DStream *zstd;
  size_t zstd_wants; /* bytes to be given to it next */
  oct_zip *zip;
  uint8_t raw[RAW_BYTES], window[WINDOW_BYTES];
};

static int detect(const uint8_t *p, size_t n) {
  if (n >= 3 && p[0] == 0x1f && p[1] == 0x8b && p[2] == 8) return CODEC_GZIP;
  if (n >= 4 && !memcmp(p, "BZh", 3) && p[3] >= '1' && p[3] <= '9') return CODEC_BZIP2;
  if (n >= 6 && !memcmp(p, "\xfd\x37zXZ", 6)) return CODEC_XZ;
  if (n >= 4 && (!memcmp(p, "\x28\xb5\x2f\xfd", 4) ||
                 ((p[0] & 0xf0) == 0x50 && !memcmp(p + 1, "\x2a\x4d\x18", 3))))
    return CODEC_ZSTD;
  if (n >= 4 && !memcmp(p, "PK\3\4", 4)) return CODEC_ZIP;
  return CODEC_PLAIN;
}

/* Returns bytes read, 0 at the end, or -1 with in->error set. */
static int64_t read_file(oct_input *in, void *p, size_t n) {
  for (;;) {
    ssize_t got = read(in->fd, p, n);
    if (got >= 0) {
      in->bytes_read += (uint64_t)got;
      return got;
    }
    if (errno != EINTR) {
      oct_fail_in(&in->error, OCT_ERR_IO, in->name, "cannot read: %s", strerror(errno));
      return -1;
    }
  }
}

/* Fill raw until it holds at least n bytes or the file ends. */
static int fill_raw(oct_input *in, size_t n) {
  if (in->raw_begin == in->raw_end) in->raw_begin = in->raw_end = 0;
  if (in->raw_end - in->raw_begin < n && in->raw_begin) {
    memmove(in->raw, in->raw + in->raw_begin, in->raw_end - in->raw_begin);
    in->raw_end -= in->raw_begin;
    in->raw_begin = 0;
  }
  while (in->raw_end - in->raw_begin < n && !in->at_end) {
    int64_t got = read_file(in, in->raw + in->raw_end, RAW_BYTES - in->raw_end);
    if (got < 0) return in->error.error;
    in->at_end = got == 0;
    in->raw_end += (size_t)got;
  }
  return 0;
}

const char *oct_input_shown(const char *path) {
  return strcmp(path, "-") ? path : "standard input";
}

int oct_input_fail(const oct_input *in, uint64_t offset, oct_diag *diag, int error,
                   const char *format, ...) {
  char text[240];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  const oct_unit unit = in->codec == CODEC_PLAIN ? OCT_AT_BYTE : OCT_AT_UNPACKED_BYTE;
  return oct_diag_in(diag, in->name, oct_fail_at(diag, error, unit, offset, "%s", text));
}

static int damaged(oct_input *in, const char *what) {
  return oct_input_fail(in, in->offset + (in->end - in->begin), &in->error, OCT_ERR_FORMAT,
                        "damaged %s stream: %s", codec_names[in->codec], what);
}

static int out_of_memory(oct_input *in) {
  return oct_fail_in(&in->error, OCT_ERR_NOMEM, in->name, "out of memory");
}

/* Start a decompressor; those of a member before are ended by end_member. */
static int start_member(oct_input *in) {
  int ok = 1;
  if (in->codec == CODEC_GZIP) {
    memset(&in->gzip, 0, sizeof in->gzip);
    ok = inflateInit2(&in->gzip, 15 + 16) == Z_OK;
  } else if (in->codec == CODEC_BZIP2) {
    memset(&in->bzip2, 0, sizeof in->bzip2);
    ok = BZ2_bzDecompressInit(&in->bzip2, 0, 0) == BZ_OK;
  } else if (in->codec == CODEC_XZ) {
    lzma_stream fresh = LZMA_STREAM_INIT;
    in->xz = fresh;
    ok = lzma_stream_decoder(&in->xz, XZ_MEMORY_BYTES, LZMA_CONCATENATED) == LZMA_OK;
  } else if (in->codec == CODEC_ZSTD) {
    if (!in->zstd) in->zstd = ZSTD_createDStream();
    in->zstd_wants = in->zstd ? ZSTD_initDStream(in->zstd) : 0;
    ok = in->zstd && !ZSTD_isError(in->zstd_wants) &&
         !ZSTD_isError(ZSTD_DCtx_setParameter(in->zstd, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG));
  }
  if (!ok) return out_of_memory(in);
  in->between = 0;
  return 0;
}

static void end_member(oct_input *in) {
  if (in->between) return;
  if (in->codec == CODEC_GZIP)
    inflateEnd(&in->gzip);
  else if (in->codec == CODEC_BZIP2)
    BZ2_bzDecompressEnd(&in->bzip2);
  else if (in->codec == CODEC_XZ)
    lzma_end(&in->xz);
  in->between = 1;
}

/* Decompress from raw to the window's end. Returns 1 at the end of a member, 0 or an error; what
 * was decompressed before damage comes first, with 0. */
static int step(oct_input *in) {
  uint8_t *src = in->raw + in->raw_begin, *dst = in->window + in->end;
  size_t n_src = in->raw_end - in->raw_begin, n_dst = WINDOW_BYTES - in->end;
  const char *bad = NULL;
  int done = 0, lacks_memory = 0;
  if (in->codec == CODEC_GZIP) {
    z_stream *z = &in->gzip;
    z->next_in = src, z->avail_in = (unsigned)n_src;
    z->next_out = dst, z->avail_out = (unsigned)n_dst;
    int rc = inflate(z, Z_NO_FLUSH);
    if (rc != Z_OK && rc != Z_STREAM_END && rc != Z_BUF_ERROR)
      bad = z->msg ? z->msg : "cannot decompress";
    lacks_memory = rc == Z_MEM_ERROR;
    done = rc == Z_STREAM_END;
    n_src -= z->avail_in, n_dst -= z->avail_out;
  } else if (in->codec == CODEC_BZIP2) {
    bz_stream *z = &in->bzip2;
    z->next_in = (char *)src, z->avail_in = (unsigned)n_src;
    z->next_out = (char *)dst, z->avail_out = (unsigned)n_dst;
    int rc = BZ2_bzDecompress(z);
    if (rc != BZ_OK && rc != BZ_STREAM_END) bad = "cannot decompress";
    lacks_memory = rc == BZ_MEM_ERROR;
    done = rc == BZ_STREAM_END;
    n_src -= z->avail_in, n_dst -= z->avail_out;
  } else if (in->codec == CODEC_XZ) {
    lzma_stream *z = &in->xz;
    z->next_in = src, z->avail_in = n_src;
    z->next_out = dst, z->avail_out = n_dst;
    lzma_ret rc = lzma_code(z, in->at_end && !n_src ? LZMA_FINISH : LZMA_RUN);
    if (rc != LZMA_OK && rc != LZMA_STREAM_END && rc != LZMA_BUF_ERROR) bad = "cannot decompress";
    if (rc == LZMA_MEMLIMIT_ERROR) bad = "needs more than 256 MiB of memory to unpack";
    lacks_memory = rc == LZMA_MEM_ERROR;
    done = rc == LZMA_STREAM_END;
    n_src -= z->avail_in, n_dst -= z->avail_out;
  } else {
    /* A block at a time: of the call that finds damage, zstd does not tell what it gave before. */
    ZSTD_inBuffer zi = {src, n_src < in->zstd_wants ? n_src : in->zstd_wants, 0};
    ZSTD_outBuffer zo = {dst, n_dst, 0};
    size_t rc = ZSTD_decompressStream(in->zstd, &zo, &zi);
    if (ZSTD_isError(rc))
      bad = ZSTD_getErrorName(rc);
    else
      in->zstd_wants = rc ? rc : SIZE_MAX;
    lacks_memory = ZSTD_getErrorCode(rc) == ZSTD_error_memory_allocation;
    done = rc == 0;
    n_src = zi.pos, n_dst = zo.pos;
  }
  in->raw_begin += n_src;
  in->end += n_dst;
  if (bad) {
    int error = lacks_memory ? out_of_memory(in) : damaged(in, bad);
    return n_dst ? 0 : error;
  }
  if (!done && !n_src && !n_dst && in->at_end && in->raw_begin == in->raw_end)
    return oct_input_fail(in, in->offset + (in->end - in->begin), &in->error, OCT_ERR_TRUNCATED,
                          "the %s stream ends too early", codec_names[in->codec]);
  return done;
}

/* Bytes of the file that have gone through the decompressor, if there is one. */
static uint64_t packed_bytes(const oct_input *in) {
  if (in->codec == CODEC_ZIP) return (uint64_t)(oct_zip_part(in->zip) * (double)in->bytes_total);
  return in->bytes_read - (in->raw_end - in->raw_begin);
}

static int add(oct_input *in) {
  size_t before = in->end;
  int rc;
  if (in->error.error) return in->error.error;
  if (in->codec == CODEC_PLAIN) {
    size_t n = in->raw_end - in->raw_begin;
    if (n) { /* what was read to recognise the format */
      memcpy(in->window + in->end, in->raw + in->raw_begin, n);
      in->raw_begin = in->raw_end;
    } else {
      size_t room = WINDOW_BYTES - in->end;
      int64_t got =
          read_file(in, in->window + in->end, room < in->ahead_bytes ? room : in->ahead_bytes);
      if (got < 0) return in->error.error;
      if (in->ahead_bytes < RAW_BYTES) in->ahead_bytes *= 2;
      n = (size_t)got;
    }
    in->end += n;
    return n > 0;
  }
  if (in->codec == CODEC_ZIP) {
    int64_t got = oct_zip_read(in->zip, in->window + in->end, WINDOW_BYTES - in->end, &in->error);
    if (got > 0) in->end += (size_t)got;
    return got > 0 ? 1 : (int)got;
  }
  while (in->end == before) {
    if ((rc = fill_raw(in, in->between ? 6 : 1))) return rc;
    if (in->between) {
      size_t n = in->raw_end - in->raw_begin;
      if (!n) return 0;
      if (detect(in->raw + in->raw_begin, n) != in->codec) return damaged(in, "data after its end");
      if ((rc = start_member(in))) return rc;
    }
    if ((rc = step(in)) < 0) return rc;
    if (rc == 1) end_member(in);
  }
  return 1;
}

/* Take escape sequences, `ESC [ ... letter`, out of what the window has from `from` on. */
static void strip_escapes(oct_input *in, size_t from) {
  size_t to = from;
  if (in->escape == NO_ESCAPE) {
    const uint8_t *first = memchr(in->window + from, '\033', in->end - from);
    if (!first) return;
    from = to = (size_t)(first - in->window);
  }
  for (; from < in->end; from++) {
    const uint8_t c = in->window[from];
    const bool is_inside = in->escape == SEQUENCE ? c >= ' ' && c < 127 : c == '[';
    if (c == '\033')
      in->escape = ESCAPE;
    else if (in->escape && is_inside)
      in->escape = in->escape == SEQUENCE && c >= '@' ? NO_ESCAPE : SEQUENCE;
    else {
      in->escape = NO_ESCAPE;
      in->window[to++] = c;
    }
  }
  if (to < in->end) in->can_seek = 0; /* offsets are no longer those of the file */
  in->end = to;
}

void oct_input_take_as_text(oct_input *in) {
  if (in->is_plain_text) return;
  in->is_plain_text = true;
  strip_escapes(in, in->begin);
}

/* Add bytes to the window. Returns 1, 0 at the end, or an error. */
static int fill(oct_input *in) {
  size_t before = in->end;
  in->packed_before = in->packed;
  int rc = add(in);
  if (in->is_plain_text) strip_escapes(in, before);
  in->packed = packed_bytes(in);
  in->filled = in->end - before;
  return rc;
}

int oct_input_open(const char *path, oct_input **input, oct_diag *diag) {
  struct stat st;
  oct_input *in = calloc(1, sizeof *in);
  int rc;
  *input = NULL;
  if (!in) return oct_fail_in(diag, OCT_ERR_NOMEM, path, "out of memory");
  in->between = 1;
  in->ahead_bytes = RAW_BYTES;
  in->fd = -1;
  in->name = strdup(oct_input_shown(path));
  if (!in->name) {
    rc = oct_fail_in(diag, OCT_ERR_NOMEM, path, "out of memory");
    goto fail;
  }
  in->fd = strcmp(path, "-") ? oct_infile_open(path) : STDIN_FILENO;
  if (in->fd < 0 || fstat(in->fd, &st) || (in->fd == STDIN_FILENO && oct_infile_note(in->fd))) {
    rc = oct_fail_in(diag, OCT_ERR_IO, in->name, "cannot open: %s", strerror(errno));
    goto fail;
  }
  if ((rc = fill_raw(in, 6))) {
    if (diag) *diag = in->error;
    goto fail;
  }
  in->codec = detect(in->raw, in->raw_end);
  if (S_ISREG(st.st_mode)) {
    if (in->fd != STDIN_FILENO || in->codec != CODEC_ZIP) in->bytes_total = (uint64_t)st.st_size;
    /* Standard input may stand anywhere in its file: offsets would not be positions. */
    in->can_seek = in->codec == CODEC_PLAIN && in->fd != STDIN_FILENO;
  }
  if (in->codec == CODEC_ZIP) {
    /* The directory of a zip file stands at its end. */
    rc = in->bytes_total ? oct_zip_open(path, &in->zip, diag)
                         : oct_fail_in(diag, OCT_ERR_UNSUPPORTED, in->name,
                                       "a zip file cannot be read from a pipe");
    if (rc) goto fail;
  }
  *input = in;
  return 0;
fail:
  oct_input_close(in);
  return rc;
}

void oct_input_close(oct_input *in) {
  if (!in) return;
  end_member(in);
  ZSTD_freeDStream(in->zstd);
  oct_zip_close(in->zip);
  if (in->fd > STDIN_FILENO) close(in->fd);
  free(in->name);
  free(in);
}

const char *oct_input_name(const oct_input *in) {
  return in->name;
}

int64_t oct_input_peek(oct_input *in, size_t n_bytes, const uint8_t **p, oct_diag *diag) {
  if (in->end - in->begin < n_bytes && in->begin + OCT_INPUT_PEEK_BYTES * 2 > WINDOW_BYTES) {
    memmove(in->window, in->window + in->begin, in->end - in->begin);
    in->end -= in->begin;
    in->begin = 0;
  }
  while (in->end - in->begin < n_bytes) {
    int rc = fill(in);
    if (rc < 0) {
      if (diag) *diag = in->error;
      *p = in->window + in->begin;
      return rc;
    }
    if (rc == 0) break;
  }
  *p = in->window + in->begin;
  return (int64_t)(in->end - in->begin);
}

int oct_input_drain(oct_input *in, uint64_t most_bytes, oct_diag *diag) {
  int rc = 1;
  for (uint64_t n = 0; in->codec != CODEC_PLAIN && n < most_bytes && rc > 0; n += in->filled) {
    in->offset += in->end - in->begin;
    in->begin = in->end = 0;
    rc = fill(in);
  }
  if (rc < 0 && diag) *diag = in->error;
  return rc < 0 ? rc : 0;
}

void oct_input_take(oct_input *in, size_t n_bytes) {
  in->begin += n_bytes;
  in->offset += n_bytes;
  if (in->begin == in->end) in->begin = in->end = 0;
}

int64_t oct_input_read(oct_input *in, void *buffer, size_t n_bytes, oct_diag *diag) {
  uint8_t *out = buffer;
  size_t done = 0;
  while (done < n_bytes) {
    const uint8_t *p;
    int64_t n = oct_input_peek(in, 1, &p, diag);
    if (n < 0) return n;
    if (n == 0) break;
    if ((size_t)n > n_bytes - done) n = (int64_t)(n_bytes - done);
    memcpy(out + done, p, (size_t)n);
    oct_input_take(in, (size_t)n);
    done += (size_t)n;
  }
  return (int64_t)done;
}

int oct_input_line(oct_input *in, const char **line, size_t *length, oct_diag *diag) {
  size_t seen = 0;
  for (;;) {
    const uint8_t *p;
    int64_t n = oct_input_peek(in, seen + 1, &p, diag);
    if (n < 0) return (int)n;
    const uint8_t *end = n > (int64_t)seen ? memchr(p + seen, '\n', (size_t)n - seen) : NULL;
    size_t bytes = end ? (size_t)(end - p) : (size_t)n;
    if (!end && n > (int64_t)seen && n < OCT_INPUT_PEEK_BYTES) {
      seen = (size_t)n;
      continue;
    }
    if (bytes >= OCT_INPUT_PEEK_BYTES)
      return oct_input_fail(in, in->offset, diag, OCT_ERR_LIMIT, "a line of more than %d bytes",
                            OCT_INPUT_PEEK_BYTES);
    if (!end && n == 0) return 0;
    *line = (const char *)p;
    *length = bytes;
    /* Not oct_input_take: the line must stay where it is until the next call. */
    in->begin += bytes + (end != NULL);
    in->offset += bytes + (end != NULL);
    in->is_line_open = !end;
    if (*length && (*line)[*length - 1] == '\r') --*length;
    return 1;
  }
}

int oct_input_is_line_open(const oct_input *in) {
  return in->is_line_open;
}

int oct_input_is_damaged(const oct_input *in) {
  return in->error.error == OCT_ERR_FORMAT;
}

uint64_t oct_input_offset(const oct_input *in) {
  return in->offset;
}

int oct_input_can_seek(const oct_input *in) {
  return in->can_seek;
}

int oct_input_seek(oct_input *in, uint64_t offset, oct_diag *diag) {
  if (!in->can_seek) return oct_fail_in(diag, OCT_ERR_UNSUPPORTED, in->name, "cannot seek");
  if (offset >= in->offset && offset - in->offset <= in->end - in->begin) {
    oct_input_take(in, (size_t)(offset - in->offset));
    return 0;
  }
  if (lseek(in->fd, (off_t)offset, SEEK_SET) < 0)
    return oct_fail_in(diag, OCT_ERR_IO, in->name, "cannot seek: %s", strerror(errno));
  in->begin = in->end = in->raw_begin = in->raw_end = 0;
  in->at_end = 0;
  in->ahead_bytes = SEEK_BYTES;
  in->offset = offset;
  return 0;
}

uint64_t oct_input_bytes_read(const oct_input *in) {
  return in->bytes_read;
}
uint64_t oct_input_bytes_done(const oct_input *in) {
  size_t left = in->end - in->begin;
  if (in->can_seek) return in->offset;
  if (in->codec == CODEC_PLAIN) return in->bytes_read - left - (in->raw_end - in->raw_begin);
  if (left > in->filled) left = in->filled;
  double part = in->filled ? (double)left / (double)in->filled : 0;
  return in->packed - (uint64_t)(part * (double)(in->packed - in->packed_before));
}
uint64_t oct_input_bytes_total(const oct_input *in) {
  return in->bytes_total;
}
