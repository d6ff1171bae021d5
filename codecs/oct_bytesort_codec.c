/* SPDX-License-Identifier: Apache-2.0 */
/* oct_bytesort_codec.c - the codecs `bytesort` and `unshuffle` (Michaud 2009, section 4.1): one
 * stream per byte of an address, the most significant first.
 *
 * `unshuffle` only deals the bytes out. `bytesort` gathers a buffer of addresses and sorts while it
 * deals: after each column the addresses are in the order of the bytes so far, so that each next
 * column is nearly constant within runs (oct_bytesort.c). */
#include <stdlib.h>

#include "octrace/codec.h"

enum { OPTION_BYTES, OPTION_BUFFER };
enum { BUFFER_DEFAULT = 1000000, BUFFER_MAX = 100000000, PIECE = 4096 };

static const oct_codec_option bytesort_options[] = {
    [OPTION_BYTES] = {.name = "bytes",
                      .kind = OCT_OPTION_CHOICE,
                      .choices = "8|4|2|1",
                      .text = "of an address"},
    [OPTION_BUFFER] =
        {.name = "buffer",
         .kind = OCT_OPTION_NUMBER,
         .def = BUFFER_DEFAULT,
         .min = 1,
         .max = BUFFER_MAX,
         .text = "addresses that are sorted together; the paper has 1000000 and 10000000"},
};

static unsigned width_of(const oct_codec_settings *s) {
  return 8u >> s->value[OPTION_BYTES];
}

static int column_layout(const oct_codec_settings *s, oct_layout *layout, oct_diag *diag) {
  (void)diag;
  *layout = (oct_layout){1, {(uint8_t)width_of(s)}};
  return 0;
}

static unsigned column_streams(const oct_codec_settings *s, const oct_layout *layout) {
  (void)layout;
  return width_of(s);
}

/* Whole buffers as far as 32 MiB go, at least one: what is left over at the end of a segment is
 * sorted apart. Segments are whole MiB, so a few addresses are always left. */
static uint64_t bytesort_segment(const oct_codec_settings *s) {
  const uint64_t mib = (uint64_t)1 << 20;
  uint64_t buffer_bytes = s->value[OPTION_BUFFER] * width_of(s);
  uint64_t buffers = 32 * mib / buffer_bytes;
  return (buffer_bytes * (buffers ? buffers : 1) + mib - 1) / mib * mib;
}

/* A buffer being filled, or given out. */
typedef struct sorter {
  unsigned width;
  size_t buffer;  /* addresses, at most */
  uint64_t *area; /* room for three times `room` values: the buffer, and scratch */
  size_t room, n, at;
  uint64_t left; /* records of the segment not yet undone */
} sorter;

static int sorter_new(const oct_codec_settings *settings, const oct_layout *layout, void **state,
                      oct_diag *diag) {
  (void)layout;
  sorter *s = calloc(1, sizeof *s);
  if (!s) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  s->width = width_of(settings);
  s->buffer = (size_t)settings->value[OPTION_BUFFER];
  *state = s;
  return 0;
}

static void sorter_free(void *state) {
  sorter *s = state;
  if (!s) return;
  free(s->area);
  free(s);
}

/* Room for n values, which are there already to s->n. */
static int grow(sorter *s, size_t n, oct_diag *diag) {
  if (n <= s->room) return 0;
  size_t room = 2 * s->room < n ? n : 2 * s->room;
  if (room > s->buffer) room = s->buffer;
  uint64_t *area = realloc(s->area, 3 * room * sizeof *area);
  if (!area) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  s->area = area;
  s->room = room;
  return 0;
}

/* Sort what is in the buffer, to the streams. */
static int bytesort_end(void *state, oct_buffer *streams, oct_diag *diag) {
  sorter *s = state;
  uint8_t *columns[OCT_BYTESORT_COLUMNS_MAX];
  if (!s->n) return 0;
  for (unsigned k = 0; k < s->width; k++) {
    columns[k] = oct_buffer_room(&streams[k], s->n);
    if (!columns[k]) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  }
  oct_bytesort(s->area, s->n, s->width, columns, s->area + s->room);
  for (unsigned k = 0; k < s->width; k++) streams[k].n_bytes += s->n;
  s->n = 0;
  return 0;
}

static int bytesort_encode(void *state, const uint8_t *records, size_t n_records,
                           oct_buffer *streams, oct_diag *diag) {
  sorter *s = state;
  int error = 0;
  while (!error && n_records) {
    size_t n = s->buffer - s->n;
    if (n > n_records) n = n_records;
    error = grow(s, s->n + n, diag);
    if (error) return error;
    oct_values_load(records, n, s->width, s->area + s->n);
    s->n += n;
    records += n * s->width;
    n_records -= n;
    if (s->n == s->buffer) error = bytesort_end(s, streams, diag);
  }
  return error;
}

/* Each address of a buffer has three values (grow). */
static uint64_t bytesort_bytes(const void *state, uint64_t n_records, uint64_t n_group,
                               uint64_t stream_bytes) {
  const sorter *s = state;
  (void)n_group, (void)stream_bytes;
  return 3 * sizeof *s->area * (n_records < s->buffer ? n_records : s->buffer);
}

static int bytesort_begin(void *state, const oct_cursor *streams, uint64_t n_records,
                          oct_diag *diag) {
  sorter *s = state;
  (void)streams, (void)diag;
  s->left = n_records;
  s->n = s->at = 0;
  return 0;
}

/* Take n bytes of each stream. */
static int take_columns(oct_cursor *streams, unsigned width, size_t n, const uint8_t **columns,
                        oct_diag *diag) {
  for (unsigned k = 0; k < width; k++) {
    columns[k] = oct_cursor_take(&streams[k], n);
    if (!columns[k])
      return oct_fail(diag, OCT_ERR_FORMAT, "column %u has %zu bytes; expected %zu", k,
                      streams[k].n_bytes, n);
  }
  return 0;
}

static int bytesort_decode(void *state, oct_cursor *streams, uint8_t *records, size_t n_records,
                           oct_diag *diag) {
  sorter *s = state;
  const uint8_t *columns[OCT_BYTESORT_COLUMNS_MAX];
  while (n_records) {
    if (s->at == s->n) {
      size_t n = s->left < s->buffer ? (size_t)s->left : s->buffer;
      int error = take_columns(streams, s->width, n, columns, diag);
      if (!error) error = grow(s, n, diag);
      if (error) return error;
      oct_bytesort_undo(columns, n, s->width, s->area, s->area + s->room);
      s->left -= n;
      s->n = n;
      s->at = 0;
    }
    size_t n = s->n - s->at < n_records ? s->n - s->at : n_records;
    oct_values_store(s->area + s->at, n, s->width, records);
    s->at += n;
    records += n * s->width;
    n_records -= n;
  }
  return 0;
}

const oct_codec oct_codec_bytesort = {
    .name = "bytesort",
    .version = 1,
    .text = "addresses as columns of bytes, sorted by the columns before (ATC, lossless)",
    .takes = OCT_TAKES_SPEC,
    .lossless = true,
    .stage = OCT_GENERAL_BZIP2,
    .level = 9,
    .options = bytesort_options,
    .n_options = 2,
    .layout = column_layout,
    .segment_bytes = bytesort_segment,
    .n_streams = column_streams,
    .encoder_new = sorter_new,
    .encode = bytesort_encode,
    .encode_end = bytesort_end,
    .encoder_free = sorter_free,
    .decoder_new = sorter_new,
    .decode_begin = bytesort_begin,
    .decode = bytesort_decode,
    .decoder_free = sorter_free,
    .decoder_bytes = bytesort_bytes,
};

/* Byte-unshuffling keeps nothing from one record to the next: the state is the width. */
static int unshuffle_new(const oct_codec_settings *settings, const oct_layout *layout, void **state,
                         oct_diag *diag) {
  (void)layout;
  unsigned *width = malloc(sizeof *width);
  if (!width) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  *width = width_of(settings);
  *state = width;
  return 0;
}

static int unshuffle_encode(void *state, const uint8_t *records, size_t n_records,
                            oct_buffer *streams, oct_diag *diag) {
  const unsigned width = *(const unsigned *)state;
  uint64_t values[PIECE];
  uint8_t *columns[OCT_BYTESORT_COLUMNS_MAX];
  for (unsigned k = 0; k < width; k++)
    if (!oct_buffer_room(&streams[k], n_records))
      return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  while (n_records) {
    size_t n = n_records < PIECE ? n_records : PIECE;
    oct_values_load(records, n, width, values);
    for (unsigned k = 0; k < width; k++) {
      columns[k] = streams[k].bytes + streams[k].n_bytes;
      streams[k].n_bytes += n;
    }
    oct_unshuffle(values, n, width, columns);
    records += n * width;
    n_records -= n;
  }
  return 0;
}

static int unshuffle_decode(void *state, oct_cursor *streams, uint8_t *records, size_t n_records,
                            oct_diag *diag) {
  const unsigned width = *(const unsigned *)state;
  uint64_t values[PIECE];
  const uint8_t *columns[OCT_BYTESORT_COLUMNS_MAX];
  while (n_records) {
    size_t n = n_records < PIECE ? n_records : PIECE;
    int error = take_columns(streams, width, n, columns, diag);
    if (error) return error;
    oct_unshuffle_undo(columns, n, width, values);
    oct_values_store(values, n, width, records);
    records += n * width;
    n_records -= n;
  }
  return 0;
}

const oct_codec oct_codec_unshuffle = {
    .name = "unshuffle",
    .version = 1,
    .text = "addresses as columns of bytes; bytesort without the sorting, to compare",
    .takes = OCT_TAKES_SPEC,
    .lossless = true,
    .stage = OCT_GENERAL_BZIP2,
    .level = 9,
    .options = bytesort_options,
    .n_options = 1,
    .layout = column_layout,
    .n_streams = column_streams,
    .encoder_new = unshuffle_new,
    .encode = unshuffle_encode,
    .encoder_free = free,
    .decoder_new = unshuffle_new,
    .decode = unshuffle_decode,
    .decoder_free = free,
};
