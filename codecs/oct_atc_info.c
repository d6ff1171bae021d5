/* SPDX-License-Identifier: Apache-2.0 */
/* oct_atc_info.c - the lists of an ATC directory (chunks, their pieces, intervals), and their text
 * (docs/atc.md, section 3).
 *
 * The text is parsed by hand from the first byte to the last: each line has one form, each number a
 * range, and what one line says is held against the lines before it. Nothing is allocated beyond
 * what the text itself has room for. */
#include "oct_atc_info.h"
#include "oct_checksum.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <xxhash.h>

void oct_atc_info_free(oct_atc_info *info) {
  oct_buffer_free(&info->chunks);
  oct_buffer_free(&info->pieces);
  oct_buffer_free(&info->intervals);
  oct_buffer_free(&info->maps);
}

static size_t n_pieces(const oct_atc_info *info) {
  return info->pieces.n_bytes / sizeof(oct_atc_piece);
}

int oct_atc_info_add_piece(oct_atc_info *info, const oct_atc_piece *piece) {
  int error = oct_buffer_put(&info->pieces, piece, sizeof *piece);
  if (!error) oct_atc_chunks(info)[oct_atc_n_chunks(info) - 1].n_pieces++;
  return error;
}

int oct_atc_info_add_chunk(oct_atc_info *info) {
  const oct_atc_chunk chunk = {.first_piece = n_pieces(info)};
  return oct_buffer_put(&info->chunks, &chunk, sizeof chunk);
}

int oct_atc_info_add_interval(oct_atc_info *info, uint32_t chunk, uint32_t mask,
                              uint8_t maps[][OCT_ATC_SYMBOLS]) {
  const oct_atc_interval interval = {chunk, mask, info->maps.n_bytes};
  int error = 0;
  for (unsigned j = 0; !error && j < OCT_ATC_BYTES; j++)
    if (mask >> j & 1) error = oct_buffer_put(&info->maps, maps[j], OCT_ATC_SYMBOLS);
  return error ? error : oct_buffer_put(&info->intervals, &interval, sizeof interval);
}

/* Text out. */

static const char *const stage_names[OCT_GENERAL_COUNT] = {
    [OCT_GENERAL_NONE] = "none", [OCT_GENERAL_GZIP] = "gzip", [OCT_GENERAL_BZIP2] = "bzip2",
    [OCT_GENERAL_XZ] = "xz",     [OCT_GENERAL_ZSTD] = "zstd",
};

__attribute__((format(printf, 2, 3))) static int put(oct_buffer *text, const char *format, ...) {
  char line[256];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(line, sizeof line, format, args);
  va_end(args);
  return oct_buffer_put(text, line, (size_t)n);
}

static int put_chunk(const oct_atc_info *info, const oct_atc_chunk *chunk, oct_buffer *text) {
  int error = put(text, "chunk %" PRIu64 " %016" PRIx64 "\n", chunk->n, chunk->hash);
  for (size_t i = 0; !error && i < chunk->n_pieces; i++) {
    const oct_atc_piece *p = &oct_atc_pieces(info)[chunk->first_piece + i];
    error = put(text, "piece %" PRIu64 " %" PRIu64 " %016" PRIx64 "\n", p->packed_bytes,
                p->raw_bytes, p->hash);
  }
  return error;
}

static int put_copy(const oct_atc_info *info, const oct_atc_interval *interval, oct_buffer *text) {
  static const char digits[] = "0123456789abcdef";
  char map[2 * OCT_ATC_SYMBOLS];
  const uint8_t *bytes = info->maps.bytes + interval->maps;
  int error = put(text, "copy %" PRIu32, interval->chunk);
  for (unsigned j = 0; !error && j < OCT_ATC_BYTES; j++) {
    if (!(interval->mask >> j & 1)) continue;
    for (unsigned i = 0; i < OCT_ATC_SYMBOLS; i++, bytes++) {
      map[2 * i] = digits[*bytes >> 4];
      map[2 * i + 1] = digits[*bytes & 15];
    }
    error = put(text, " %u:", j);
    if (!error) error = oct_buffer_put(text, map, sizeof map);
  }
  return error ? error : put(text, "\n");
}

int oct_atc_info_print(const oct_atc_info *info, oct_buffer *text, oct_diag *diag) {
  uint32_t chunks = 0;
  int error = put(text, "ATC 1\nmode %s\nstage %s\nbuffer %" PRIu64 "\n",
                  info->lossy ? "lossy" : "lossless", stage_names[info->stage], info->buffer);
  /* As short as it can be and still is the same number. */
  char threshold[32];
  snprintf(threshold, sizeof threshold, "%.15g", info->threshold);
  if (strtod(threshold, NULL) != info->threshold)
    snprintf(threshold, sizeof threshold, "%.17g", info->threshold);
  if (!error && info->lossy)
    error = put(text, "interval %" PRIu64 "\nthreshold %s\n", info->interval, threshold);
  for (size_t i = 0; !error && i < oct_atc_n_intervals(info); i++) {
    const oct_atc_interval *interval = &oct_atc_intervals(info)[i];
    if (interval->chunk > chunks)
      error = put_chunk(info, &oct_atc_chunks(info)[chunks++], text);
    else
      error = put_copy(info, interval, text);
  }
  if (!error) error = put(text, "addresses %" PRIu64 "\n", info->n_addresses);
  if (!error) error = put(text, "end %016" PRIx64 "\n", XXH64(text->bytes, text->n_bytes, 0));
  if (error) return oct_fail(diag, error, "out of memory");
  if (text->n_bytes > OCT_ATC_INFO_BYTES_MAX)
    return oct_fail(diag, OCT_ERR_LIMIT, "INFO would have %zu bytes: take longer intervals",
                    text->n_bytes);
  return 0;
}

/* Text in. */

typedef struct parser {
  const char *text, *end, *at, *line; /* line: its beginning */
  oct_atc_info *info;
  oct_diag *diag;
} parser;

static int bad(const parser *p, const char *expected) {
  return oct_fail_at(p->diag, OCT_ERR_FORMAT, OCT_AT_BYTE, (size_t)(p->at - p->text), "expected %s",
                     expected);
}

/* Take this text, if it stands there. */
static bool take(parser *p, const char *text) {
  size_t n = strlen(text);
  if ((size_t)(p->end - p->at) < n || memcmp(p->at, text, n)) return false;
  p->at += n;
  return true;
}

static bool take_number(parser *p, uint64_t max, uint64_t *value) {
  uint64_t v = 0;
  const char *from = p->at, *at = from;
  for (; at < p->end && *at >= '0' && *at <= '9'; at++) {
    uint64_t digit = (uint64_t)(*at - '0');
    if (digit > max || v > (max - digit) / 10) return false;
    v = 10 * v + digit;
  }
  *value = v;
  p->at = at;
  return at > from;
}

static int digit_of(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool take_hash(parser *p, uint64_t *value) {
  uint64_t v = 0;
  if (p->end - p->at < 16) return false;
  for (unsigned i = 0; i < 16; i++) {
    int digit = digit_of(p->at[i]);
    if (digit < 0) return false;
    v = v << 4 | (uint64_t)digit;
  }
  p->at += 16;
  *value = v;
  return true;
}

/* `KEY NUMBER` on a line of its own. */
static int line_number(parser *p, const char *key, uint64_t min, uint64_t max, uint64_t *value) {
  char expected[64];
  snprintf(expected, sizeof expected, "'%s%" PRIu64 "..%" PRIu64 "'", key, min, max);
  p->line = p->at;
  if (take(p, key) && take_number(p, max, value) && *value >= min && take(p, "\n")) return 0;
  p->at = p->line;
  return bad(p, expected);
}

static int parse_head(parser *p) {
  oct_atc_info *info = p->info;
  if (!take(p, "ATC 1\n"))
    return take(p, "ATC ") ? oct_fail_at(p->diag, OCT_ERR_UNSUPPORTED, OCT_AT_BYTE, 0,
                                         "expected version 1 of INFO")
                           : bad(p, "'ATC 1'");
  info->lossy = take(p, "mode lossy\n");
  if (!info->lossy && !take(p, "mode lossless\n")) return bad(p, "'mode lossless' or 'mode lossy'");
  if (!take(p, "stage ")) return bad(p, "'stage'");
  unsigned k = 0;
  while (k < OCT_GENERAL_COUNT && !(stage_names[k] && take(p, stage_names[k]))) k++;
  if (k == OCT_GENERAL_COUNT || !take(p, "\n")) return bad(p, "none, gzip, bzip2, xz or zstd");
  info->stage = (oct_general_kind)k;
  int error = line_number(p, "buffer ", 1, 100000000, &info->buffer);
  if (error || !info->lossy) return error;
  error = line_number(p, "interval ", 1, 1000000000, &info->interval);
  if (error) return error;
  const char *line = p->at;
  if (!take(p, "threshold ")) return bad(p, "'threshold'");
  char number[32], *after;
  size_t n = 0;
  while (n + 1 < sizeof number && p->at < p->end && *p->at != '\n') number[n++] = *p->at++;
  number[n] = '\0';
  info->threshold = strtod(number, &after);
  if (after == number || *after || !(info->threshold >= 0 && info->threshold <= 2) ||
      !take(p, "\n")) {
    p->at = line;
    return bad(p, "'threshold 0..2'");
  }
  return 0;
}

/* `piece` lines to the end of their chunk. */
static int parse_pieces(parser *p, uint64_t raw_bytes) {
  uint64_t raw = 0;
  while (raw < raw_bytes) {
    oct_atc_piece piece;
    p->line = p->at;
    if (!take(p, "piece ") || !take_number(p, 2 * OCT_ATC_PIECE_BYTES, &piece.packed_bytes) ||
        !take(p, " ") || !take_number(p, OCT_ATC_PIECE_BYTES, &piece.raw_bytes) || !take(p, " ") ||
        !take_hash(p, &piece.hash) || !take(p, "\n") || !piece.packed_bytes || !piece.raw_bytes ||
        piece.raw_bytes > raw_bytes - raw) {
      p->at = p->line;
      return bad(p, "'piece PACKED RAW HASH' of this chunk");
    }
    raw += piece.raw_bytes;
    if (oct_atc_info_add_piece(p->info, &piece))
      return oct_fail(p->diag, OCT_ERR_NOMEM, "out of memory");
  }
  return 0;
}

static int parse_chunk(parser *p) {
  oct_atc_info *info = p->info;
  uint64_t n, hash, most = info->lossy ? info->interval : UINT64_MAX / 8;
  if (!take_number(p, most, &n) || !n || !take(p, " ") || !take_hash(p, &hash) || !take(p, "\n")) {
    p->at = p->line;
    return bad(p, "'chunk ADDRESSES HASH'");
  }
  if (n > UINT64_MAX / 8 - info->n_addresses) return bad(p, "a trace of less than 2^61 addresses");
  if (oct_atc_info_add_chunk(info)) return oct_fail(p->diag, OCT_ERR_NOMEM, "out of memory");
  size_t number = oct_atc_n_chunks(info);
  oct_atc_chunks(info)[number - 1].n = n;
  oct_atc_chunks(info)[number - 1].hash = hash;
  info->n_addresses += n;
  if (oct_atc_info_add_interval(info, (uint32_t)number, 0, NULL))
    return oct_fail(p->diag, OCT_ERR_NOMEM, "out of memory");
  return parse_pieces(p, 8 * n);
}

/* A map of a byte: each byte once. */
static int parse_map(parser *p, uint8_t *map) {
  bool seen[OCT_ATC_SYMBOLS] = {false};
  for (unsigned i = 0; i < OCT_ATC_SYMBOLS; i++, p->at += 2) {
    int high = p->end - p->at < 2 ? -1 : digit_of(p->at[0]),
        low = high < 0 ? -1 : digit_of(p->at[1]);
    if (low < 0 || seen[16 * high + low]) return bad(p, "a permutation of the bytes");
    map[i] = (uint8_t)(16 * high + low);
    seen[map[i]] = true;
  }
  return 0;
}

static int parse_copy(parser *p) {
  oct_atc_info *info = p->info;
  uint8_t maps[OCT_ATC_BYTES][OCT_ATC_SYMBOLS];
  uint64_t chunk, j;
  uint32_t mask = 0;
  if (!info->lossy || !take_number(p, oct_atc_n_chunks(info), &chunk) || !chunk ||
      oct_atc_chunks(info)[chunk - 1].n != info->interval) {
    p->at = p->line;
    return bad(p, info->lossy ? "a copy of a whole chunk above" : "no copy without loss");
  }
  while (take(p, " ")) {
    if (!take_number(p, OCT_ATC_BYTES - 1, &j) || mask >> j || !take(p, ":"))
      return bad(p, "'BYTE:MAP', by increasing byte");
    int error = parse_map(p, maps[j]);
    if (error) return error;
    mask |= 1u << j;
  }
  if (!take(p, "\n")) return bad(p, "the end of the line");
  if (info->interval > UINT64_MAX / 8 - info->n_addresses)
    return bad(p, "a trace of less than 2^61 addresses");
  info->n_addresses += info->interval;
  return oct_atc_info_add_interval(info, (uint32_t)chunk, mask, maps)
             ? oct_fail(p->diag, OCT_ERR_NOMEM, "out of memory")
             : 0;
}

/* Intervals but the last have their full length; without loss there is one at most. */
static int parse_intervals(parser *p) {
  int error = 0;
  bool last = false;
  for (;;) {
    p->line = p->at;
    bool chunk = take(p, "chunk "), copy = !chunk && take(p, "copy ");
    if (!chunk && !copy) return 0;
    if (last) {
      p->at = p->line;
      return bad(p, "no interval after the last one");
    }
    error = chunk ? parse_chunk(p) : parse_copy(p);
    if (error) return error;
    last = !p->info->lossy ||
           oct_atc_chunks(p->info)[oct_atc_n_chunks(p->info) - 1].n < p->info->interval;
  }
}

int oct_atc_info_parse(const char *text, size_t n, oct_atc_info *info, oct_diag *diag) {
  enum { END_BYTES = 4 + 16 + 1 };
  parser p = {.text = text, .end = text + n, .at = text, .line = text, .info = info, .diag = diag};
  uint64_t total, hash;
  memset(info, 0, sizeof *info);
  int error = parse_head(&p);
  if (error) return error;
  const char *behind_head = p.at;
  /* What the checksum tells comes before what the lists tell. */
  if (n < END_BYTES || memcmp(text + n - END_BYTES, "end ", 4) || text[n - 1] != '\n')
    return oct_fail_at(diag, OCT_ERR_TRUNCATED, OCT_AT_BYTE, n, "expected 'end HASH' at the end");
  p.at = text + n - END_BYTES + 4;
  if (!take_hash(&p, &hash)) return bad(&p, "a hash");
  if (!oct_checksum_is(hash, XXH64(text, n - END_BYTES, 0)))
    return oct_fail_at(diag, OCT_ERR_CHECKSUM, OCT_AT_BYTE, n - END_BYTES,
                       "the checksum of all above does not match");
  p.at = behind_head;
  p.end = text + n - END_BYTES;
  if (p.at > p.end) return bad(&p, "'addresses'");
  error = parse_intervals(&p);
  if (!error) error = line_number(&p, "addresses ", info->n_addresses, info->n_addresses, &total);
  if (!error && p.at != p.end) error = bad(&p, "'end'");
  return error;
}
