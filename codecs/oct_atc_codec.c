/* SPDX-License-Identifier: Apache-2.0 */
/* oct_atc_codec.c - the codec `atc-lossy`: the lossy mode of ATC (Michaud 2009, section 5) in the
 * streams of a codec file instead of a directory.
 *
 * An interval that looks like none of the chunks kept becomes a chunk, whose columns are those of
 * `bytesort`; of another one only the interval trace tells, in a stream behind the columns. As a
 * file in a pipe has no chunks to be read again, both sides keep the newest ones in memory. At the
 * end of a segment an interval may be short: it is held against the beginnings of the chunks, as
 * many addresses of each, so that it costs no chunk when segments are small. */
#include <inttypes.h>
#include <stdio.h>

#include "oct_atc_profile.h"
#include "octrace/codec.h"

extern const oct_codec oct_codec_bytesort;

enum { OPTION_INTERVAL, OPTION_BUFFER, OPTION_THRESHOLD, OPTION_HISTOGRAMS, N_OPTIONS };
enum { COLUMNS = OCT_BYTESORT_COLUMNS_MAX, TRACE = COLUMNS, N_STREAMS };
enum { KIND_CHUNK = 0, KIND_COPY = 1, COPY_BYTES = 5, PIECE = 512 };
enum {
  ADDRESSES_MAX = 100000000,
  HISTOGRAMS_MAX = 65536,
  SEGMENT_INTERVALS = 4,
  GROUP_SEGMENTS = 64
};

static const oct_codec_option atc_options[N_OPTIONS] = {
    [OPTION_INTERVAL] = {.name = "interval",
                         .kind = OCT_OPTION_NUMBER,
                         .def = 1000000,
                         .min = 1,
                         .max = ADDRESSES_MAX,
                         .text = "addresses of an interval; the paper has 10000000"},
    [OPTION_BUFFER] = {.name = "buffer",
                       .kind = OCT_OPTION_NUMBER,
                       .def = 1000000,
                       .min = 1,
                       .max = ADDRESSES_MAX,
                       .text = "addresses that are sorted together"},
    [OPTION_THRESHOLD] = {.name = "threshold",
                          .kind = OCT_OPTION_NUMBER,
                          .def = 100,
                          .max = 2000,
                          .text = "thousandths; intervals at a smaller distance look alike"},
    [OPTION_HISTOGRAMS] = {.name = "histograms",
                           .kind = OCT_OPTION_NUMBER,
                           .def = 32,
                           .min = 1,
                           .max = HISTOGRAMS_MAX,
                           .text = "chunks kept to be imitated, of 8 bytes an address"},
};

/* A few intervals, which are seldom short then. */
static uint64_t atc_segment(const oct_codec_settings *s) {
  const uint64_t mib = (uint64_t)1 << 20;
  uint64_t bytes = SEGMENT_INTERVALS * 8 * s->value[OPTION_INTERVAL];
  return bytes < 32 * mib ? 0 : (bytes + mib - 1) / mib * mib;
}

static unsigned atc_streams(const oct_codec_settings *s, const oct_layout *layout) {
  (void)s, (void)layout;
  return N_STREAMS;
}

/* What both directions have: the chunks kept, in a ring, and the codec that their columns go to. */
typedef struct ring {
  size_t interval, n_chunks, next, n; /* addresses; room; the place of the next; those there */
  uint64_t **chunks;                  /* of an interval each */
  void *columns;
} ring;

static int no_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

static int ring_init(ring *r, const oct_codec_settings *settings, bool encoder, oct_diag *diag) {
  char text[64];
  oct_codec_settings sorted;
  r->interval = (size_t)settings->value[OPTION_INTERVAL];
  r->n_chunks = (size_t)settings->value[OPTION_HISTOGRAMS];
  r->chunks = calloc(r->n_chunks, sizeof *r->chunks);
  if (!r->chunks) return no_memory(diag);
  snprintf(text, sizeof text, "bytesort:buffer=%" PRIu64, settings->value[OPTION_BUFFER]);
  int error = oct_codec_parse(text, &sorted, diag);
  if (error) return error;
  return (encoder ? sorted.codec->encoder_new : sorted.codec->decoder_new)(
      &sorted, &oct_layout_addr64, &r->columns, diag);
}

/* Keep a chunk, in the place of the oldest when there is no other. */
static void ring_keep(ring *r, uint64_t *chunk) {
  free(r->chunks[r->next]);
  r->chunks[r->next] = chunk;
  if (r->n < r->n_chunks) r->n++;
  r->next = (r->next + 1) % r->n_chunks;
}

static void ring_free(ring *r) {
  for (size_t i = 0; i < r->n; i++) free(r->chunks[i]);
  free(r->chunks);
}

typedef struct encoder {
  ring ring;
  double threshold;
  oct_atc_table table; /* of the chunks in the ring, numbered from 1 by their place */
  oct_buffer gathered; /* records of the interval */
  uint64_t n_addresses, n_intervals, n_imitated, n_translated;
} encoder;

static void encoder_free(void *state) {
  encoder *e = state;
  if (!e) return;
  oct_codec_bytesort.encoder_free(e->ring.columns);
  ring_free(&e->ring);
  oct_atc_table_free(&e->table);
  oct_buffer_free(&e->gathered);
  free(e);
}

static int encoder_new(const oct_codec_settings *settings, const oct_layout *layout, void **state,
                       oct_diag *diag) {
  (void)layout;
  encoder *e = calloc(1, sizeof *e);
  if (!e) return no_memory(diag);
  e->threshold = (double)settings->value[OPTION_THRESHOLD] / 1000;
  int error = ring_init(&e->ring, settings, true, diag);
  if (!error && oct_atc_table_init(&e->table, e->ring.n_chunks)) error = no_memory(diag);
  if (error)
    encoder_free(e);
  else
    *state = e;
  return error;
}

/* The chunk that a whole interval looks like, or a short one: then the beginnings of the chunks are
 * what counts, and their histograms are made for it. Its place in the ring and one, and the
 * translation; or 0. */
static int look_like(const encoder *e, const oct_atc_profile *profile, uint32_t *chunk,
                     unsigned *mask, uint8_t maps[][OCT_ATC_SYMBOLS], oct_diag *diag) {
  if (profile->n == e->ring.interval) {
    *chunk = oct_atc_imitate(&e->table, profile, e->threshold, mask, maps);
    return 0;
  }
  oct_atc_table begins;
  oct_atc_profile *begin = malloc(sizeof *begin);
  int error = oct_atc_table_init(&begins, e->ring.n_chunks);
  /* From the oldest, as the table has them. */
  for (size_t i = 0; begin && !error && i < e->ring.n; i++) {
    size_t place = e->ring.n < e->ring.n_chunks ? i : (e->ring.next + i) % e->ring.n;
    oct_atc_profile_make(e->ring.chunks[place], (size_t)profile->n, begin);
    error = oct_atc_table_add(&begins, begin, (uint32_t)place + 1);
  }
  if (begin && !error) *chunk = oct_atc_imitate(&begins, profile, e->threshold, mask, maps);
  oct_atc_table_free(&begins);
  error = begin ? error : OCT_ERR_NOMEM;
  free(begin);
  return error ? no_memory(diag) : 0;
}

static int put_copy(encoder *e, uint32_t place, unsigned mask,
                    const uint8_t maps[][OCT_ATC_SYMBOLS], oct_buffer *streams, oct_diag *diag) {
  uint8_t head[1 + COPY_BYTES] = {KIND_COPY};
  for (unsigned i = 0; i < 4; i++) head[1 + i] = (uint8_t)(place >> 8 * i);
  head[5] = (uint8_t)mask;
  int error = oct_buffer_put(&streams[TRACE], head, sizeof head);
  for (unsigned j = 0; !error && j < OCT_ATC_BYTES; j++)
    if (mask >> j & 1) error = oct_buffer_put(&streams[TRACE], maps[j], OCT_ATC_SYMBOLS);
  e->n_imitated++;
  e->n_translated += mask != 0;
  return error ? no_memory(diag) : 0;
}

/* The interval becomes a chunk. */
static int put_chunk(encoder *e, size_t n, oct_buffer *streams, oct_diag *diag) {
  static const uint8_t kind = KIND_CHUNK;
  if (oct_buffer_put(&streams[TRACE], &kind, 1)) return no_memory(diag);
  int error = oct_codec_bytesort.encode(e->ring.columns, e->gathered.bytes, n, streams, diag);
  return error ? error : oct_codec_bytesort.encode_end(e->ring.columns, streams, diag);
}

static int put_interval(encoder *e, oct_buffer *streams, oct_diag *diag) {
  uint8_t maps[OCT_ATC_BYTES][OCT_ATC_SYMBOLS];
  const size_t n = e->gathered.n_bytes / 8;
  uint32_t chunk = 0;
  unsigned mask = 0;
  uint64_t *values = malloc(8 * n);
  oct_atc_profile *profile = malloc(sizeof *profile);
  int error = values && profile ? 0 : no_memory(diag);
  if (!error) {
    oct_values_load(e->gathered.bytes, n, 8, values);
    oct_atc_profile_make(values, n, profile);
    error = look_like(e, profile, &chunk, &mask, maps, diag);
  }
  if (!error)
    error =
        chunk ? put_copy(e, chunk - 1, mask, (const uint8_t(*)[OCT_ATC_SYMBOLS])maps, streams, diag)
              : put_chunk(e, n, streams, diag);
  if (!error && !chunk && n == e->ring.interval) {
    if (oct_atc_table_add(&e->table, profile, (uint32_t)e->ring.next + 1)) {
      error = no_memory(diag);
    } else {
      ring_keep(&e->ring, values);
      values = NULL;
    }
  }
  free(profile);
  free(values);
  e->n_addresses += n;
  e->n_intervals++;
  e->gathered.n_bytes = 0;
  return error;
}

static int encode(void *state, const uint8_t *records, size_t n_records, oct_buffer *streams,
                  oct_diag *diag) {
  encoder *e = state;
  int error = 0;
  while (!error && n_records) {
    size_t n = e->ring.interval - e->gathered.n_bytes / 8;
    if (n > n_records) n = n_records;
    if (oct_buffer_put(&e->gathered, records, 8 * n)) return no_memory(diag);
    records += 8 * n;
    n_records -= n;
    if (e->gathered.n_bytes == 8 * e->ring.interval) error = put_interval(e, streams, diag);
  }
  return error;
}

static int encode_end(void *state, oct_buffer *streams, oct_diag *diag) {
  encoder *e = state;
  return e->gathered.n_bytes ? put_interval(e, streams, diag) : 0;
}

static unsigned stats(const void *state, oct_codec_stat *stats, unsigned max) {
  const encoder *e = state;
  const oct_codec_stat all[] = {{"intervals", e->n_intervals, 0},
                                {"imitated", e->n_imitated, e->n_intervals},
                                {"translated", e->n_translated, e->n_intervals}};
  const unsigned n = sizeof all / sizeof *all;
  memcpy(stats, all, (max < n ? max : n) * sizeof *all);
  return n;
}

typedef struct decoder {
  ring ring;
  uint64_t left;        /* records of the segment, behind the interval */
  size_t at, n;         /* in the interval */
  uint64_t *filling;    /* the chunk on its way, when it will be kept */
  const uint64_t *from; /* what the interval imitates; NULL: it is a chunk */
  unsigned mask;
  const uint8_t *maps;
} decoder;

static void decoder_free(void *state) {
  decoder *d = state;
  if (!d) return;
  oct_codec_bytesort.decoder_free(d->ring.columns);
  ring_free(&d->ring);
  free(d->filling);
  free(d);
}

static int decoder_new(const oct_codec_settings *settings, const oct_layout *layout, void **state,
                       oct_diag *diag) {
  (void)layout;
  decoder *d = calloc(1, sizeof *d);
  if (!d) return no_memory(diag);
  int error = ring_init(&d->ring, settings, false, diag);
  if (error)
    decoder_free(d);
  else
    *state = d;
  return error;
}

/* The chunks that are kept, the one on its way, and what sorts it. */
static uint64_t decoder_bytes(const void *state, uint64_t n_records, uint64_t n_group,
                              uint64_t stream_bytes) {
  const decoder *d = state;
  uint64_t n = n_records < d->ring.interval ? n_records : d->ring.interval;
  uint64_t kept = (uint64_t)d->ring.interval * d->ring.n_chunks;
  return sizeof(uint64_t) * ((kept < n_group ? kept : n_group) + n) +
         oct_codec_bytesort.decoder_bytes(d->ring.columns, n, n_group, stream_bytes);
}

static int decode_begin(void *state, const oct_cursor *streams, uint64_t n_records,
                        oct_diag *diag) {
  decoder *d = state;
  (void)streams, (void)diag;
  d->left = n_records;
  d->at = d->n = 0;
  return 0;
}

static int take_copy(decoder *d, oct_cursor *trace, oct_diag *diag) {
  uint32_t place = 0;
  unsigned n_maps = 0;
  const uint8_t *p = oct_cursor_take(trace, COPY_BYTES);
  for (unsigned i = 0; p && i < 4; i++) place |= (uint32_t)p[i] << 8 * i;
  d->mask = p ? p[4] : 0;
  for (unsigned j = 0; j < OCT_ATC_BYTES; j++) n_maps += d->mask >> j & 1;
  d->maps = p ? oct_cursor_take(trace, (size_t)OCT_ATC_SYMBOLS * n_maps) : NULL;
  if (!d->maps) return oct_fail(diag, OCT_ERR_FORMAT, "the interval trace ends too early");
  if (place >= d->ring.n)
    return oct_fail(diag, OCT_ERR_FORMAT, "chunk %" PRIu32 " of %zu is imitated", place, d->ring.n);
  d->from = d->ring.chunks[place];
  return 0;
}

/* Memory for a chunk is had when the bytes of its columns are there. */
static int begin_chunk(decoder *d, const oct_cursor *columns, oct_diag *diag) {
  d->from = NULL;
  free(d->filling);
  d->filling = NULL;
  if (d->n == d->ring.interval && columns[0].n_bytes >= d->n) {
    d->filling = malloc(8 * d->n);
    if (!d->filling) return no_memory(diag);
  }
  return oct_codec_bytesort.decode_begin(d->ring.columns, columns, d->n, diag);
}

static int begin_interval(decoder *d, oct_cursor *streams, oct_diag *diag) {
  const uint8_t *kind = oct_cursor_take(&streams[TRACE], 1);
  d->n = d->left < d->ring.interval ? (size_t)d->left : d->ring.interval;
  d->left -= d->n;
  d->at = 0;
  if (!kind) return oct_fail(diag, OCT_ERR_FORMAT, "the interval trace ends too early");
  if (*kind == KIND_COPY) return take_copy(d, &streams[TRACE], diag);
  if (*kind == KIND_CHUNK) return begin_chunk(d, streams, diag);
  return oct_fail(diag, OCT_ERR_FORMAT, "an interval of unknown kind %u", *kind);
}

static void decode_copy(const decoder *d, uint8_t *records, size_t n) {
  uint64_t values[PIECE];
  for (size_t i = 0; i < n; i += PIECE) {
    size_t part = n - i < PIECE ? n - i : PIECE;
    oct_atc_translate(d->maps, d->mask, d->from + d->at + i, values, part);
    oct_values_store(values, part, 8, records + 8 * i);
  }
}

static int decode(void *state, oct_cursor *streams, uint8_t *records, size_t n_records,
                  oct_diag *diag) {
  decoder *d = state;
  while (n_records) {
    int error = d->at == d->n ? begin_interval(d, streams, diag) : 0;
    if (error) return error;
    size_t n = d->n - d->at < n_records ? d->n - d->at : n_records;
    if (d->from)
      decode_copy(d, records, n);
    else
      error = oct_codec_bytesort.decode(d->ring.columns, streams, records, n, diag);
    if (error) return error;
    if (!d->from && d->filling) oct_values_load(records, n, 8, d->filling + d->at);
    d->at += n;
    records += 8 * n;
    n_records -= n;
    if (!d->from && d->filling && d->at == d->n) {
      ring_keep(&d->ring, d->filling);
      d->filling = NULL;
    }
  }
  return 0;
}

const oct_codec oct_codec_atc_lossy = {
    .name = "atc-lossy",
    .version = 1,
    .text = "imitates addresses interval by interval, within a distance of histograms (ATC)",
    .takes = OCT_TAKES_ADDR64,
    .lossless = false,
    .stage = OCT_GENERAL_BZIP2,
    .level = 9,
    .options = atc_options,
    .n_options = N_OPTIONS,
    .segment_bytes = atc_segment,
    .group = GROUP_SEGMENTS,
    .n_streams = atc_streams,
    .encoder_new = encoder_new,
    .encode = encode,
    .encode_end = encode_end,
    .stats = stats,
    .encoder_free = encoder_free,
    .decoder_new = decoder_new,
    .decode_begin = decode_begin,
    .decode = decode,
    .decoder_free = decoder_free,
    .decoder_bytes = decoder_bytes,
};
