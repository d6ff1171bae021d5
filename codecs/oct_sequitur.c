/* SPDX-License-Identifier: Apache-2.0 */
/* oct_sequitur.c - Sequitur as Burtscher 2004 uses it (section 2.1): a grammar for each field of
 * the records, values made numbers by a map, and new grammars where the old ones get too large.
 *
 * The limits are looked at after each block of records and taken over all fields together, so that
 * what is made does not depend on the pieces in which records come. */
#include <inttypes.h>

#include "octrace/codec.h"
#include "oct_endian.h"
#include "oct_sequitur_map.h"
#include "oct_sequitur_stream.h"

enum { BLOCK = 4096, SEARCHES = 65536 };

enum { OPTION_SYMBOLS, OPTION_MEMORY, OPTION_TRIALS, N_OPTIONS };

static const oct_codec_option sequitur_options[N_OPTIONS] = {
    [OPTION_SYMBOLS] = {.name = "symbols",
                        .kind = OCT_OPTION_NUMBER,
                        .def = 8000000,
                        .min = 1000,
                        .max = 500000000,
                        .text = "different values after which new grammars begin"},
    [OPTION_MEMORY] = {.name = "memory",
                       .kind = OCT_OPTION_NUMBER,
                       .def = 384,
                       .min = 1,
                       .max = 8192,
                       .text = "MiB of symbols and rules after which new grammars begin"},
    [OPTION_TRIALS] = {.name = "trials",
                       .kind = OCT_OPTION_NUMBER,
                       .def = 30,
                       .min = 1,
                       .max = 1000,
                       .text =
                           "new grammars begin when 65536 searches took more trials on average"},
};

typedef struct sequitur_field {
  unsigned offset_bytes, value_bytes;
  oct_grammar grammar;
  oct_number_map map;
  uint64_t searches, trials; /* where the current 65536 searches began */
  oct_sequitur_reader *reader;
} sequitur_field;

typedef struct sequitur {
  uint64_t limit[N_OPTIONS];
  sequitur_field fields[OCT_LAYOUT_FIELDS_MAX];
  unsigned n_fields, record_bytes;
  unsigned in_block; /* records since the limits were looked at */
  uint64_t n_grammars, n_rules, n_symbols, n_values, n_records;
  uint64_t column[BLOCK];
} sequitur;

static unsigned sequitur_streams(const oct_codec_settings *settings, const oct_layout *layout) {
  (void)settings;
  return OCT_SEQUITUR_STREAMS * layout->n_fields;
}

/* Grammars end with their segment: it is larger than that of other codecs, as what bounds memory
 * is what the grammars take. */
static uint64_t sequitur_segment(const oct_codec_settings *settings) {
  (void)settings;
  return (uint64_t)256 << 20;
}

static int no_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

static void sequitur_free(void *state) {
  sequitur *s = state;
  if (!s) return;
  for (unsigned f = 0; f < s->n_fields; f++) {
    oct_grammar_free(&s->fields[f].grammar);
    oct_number_map_free(&s->fields[f].map);
    oct_sequitur_reader_free(s->fields[f].reader);
  }
  free(s);
}

static sequitur *new_state(const oct_codec_settings *settings, const oct_layout *layout) {
  sequitur *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  memcpy(s->limit, settings->value, sizeof s->limit);
  s->n_fields = layout->n_fields;
  for (unsigned f = 0; f < s->n_fields; f++) {
    s->fields[f].offset_bytes = s->record_bytes;
    s->fields[f].value_bytes = layout->field_bytes[f];
    s->record_bytes += layout->field_bytes[f];
  }
  return s;
}

static int encoder_new(const oct_codec_settings *settings, const oct_layout *layout, void **state,
                       oct_diag *diag) {
  sequitur *s = new_state(settings, layout);
  int error = s ? 0 : OCT_ERR_NOMEM;
  for (unsigned f = 0; !error && f < s->n_fields; f++)
    error = oct_grammar_init(&s->fields[f].grammar);
  if (error) {
    sequitur_free(s);
    return no_memory(diag);
  }
  *state = s;
  return 0;
}

/* All grammars end, and new ones begin. */
static int cut(sequitur *s, oct_buffer *streams) {
  for (unsigned f = 0; f < s->n_fields; f++) {
    sequitur_field *field = &s->fields[f];
    oct_grammar *g = &field->grammar;
    if (oct_sequitur_write(g, field->map.values, field->value_bytes,
                           streams + OCT_SEQUITUR_STREAMS * f))
      return OCT_ERR_NOMEM;
    s->n_grammars++;
    s->n_rules += g->n_rules - 1;
    s->n_symbols += g->n_symbols;
    s->n_values += field->map.n_values;
    oct_grammar_reset(g);
    oct_number_map_reset(&field->map);
    field->searches = field->trials = 0;
  }
  s->in_block = 0;
  return 0;
}

/* The limits of section 2.1. */
static bool is_full(sequitur *s) {
  uint64_t n_values = 0, n_bytes = 0;
  bool slow = false;
  for (unsigned f = 0; f < s->n_fields; f++) {
    sequitur_field *field = &s->fields[f];
    const oct_grammar *g = &field->grammar;
    n_values += field->map.n_values;
    n_bytes += oct_grammar_bytes(g);
    uint64_t searches = g->n_searches - field->searches;
    if (searches < SEARCHES) continue;
    slow |= g->n_trials - field->trials > searches * s->limit[OPTION_TRIALS];
    field->searches = g->n_searches;
    field->trials = g->n_trials;
  }
  return slow || n_values >= s->limit[OPTION_SYMBOLS] || n_bytes >> 20 >= s->limit[OPTION_MEMORY];
}

/* The values of a field, little-endian as records are. */
static void gather(const sequitur_field *field, const uint8_t *records, size_t record_bytes,
                   size_t n, uint64_t *values) {
  const uint8_t *p = records + field->offset_bytes;
  for (size_t i = 0; i < n; i++, p += record_bytes)
    values[i] = oct_get_bytes(p, field->value_bytes);
}

/* All numbers first: so the map's places are fetched one behind the other, without waiting. */
static int encode_field(sequitur_field *field, const uint64_t *values, size_t n) {
  uint32_t numbers[BLOCK];
  for (size_t i = 0; i < n; i++)
    if (oct_number_map_get(&field->map, values[i], &numbers[i])) return OCT_ERR_NOMEM;
  for (size_t i = 0; i < n; i++)
    if (oct_grammar_append(&field->grammar, numbers[i])) return OCT_ERR_NOMEM;
  return 0;
}

static int sequitur_encode(void *state, const uint8_t *records, size_t n_records,
                           oct_buffer *streams, oct_diag *diag) {
  sequitur *s = state;
  while (n_records) {
    size_t n = BLOCK - s->in_block;
    if (n > n_records) n = n_records;
    for (unsigned f = 0; f < s->n_fields; f++) {
      gather(&s->fields[f], records, s->record_bytes, n, s->column);
      if (encode_field(&s->fields[f], s->column, n)) return no_memory(diag);
    }
    records += n * s->record_bytes;
    n_records -= n;
    s->n_records += n;
    s->in_block += (unsigned)n;
    if (s->in_block < BLOCK) continue;
    s->in_block = 0;
    if (is_full(s) && cut(s, streams)) return no_memory(diag);
  }
  return 0;
}

static int sequitur_encode_end(void *state, oct_buffer *streams, oct_diag *diag) {
  return cut(state, streams) ? no_memory(diag) : 0;
}

static unsigned sequitur_stats(const void *state, oct_codec_stat *stats, unsigned max) {
  const sequitur *s = state;
  const oct_codec_stat all[] = {
      {"grammars", s->n_grammars, 0},
      {"rules", s->n_rules, 0},
      {"symbols", s->n_symbols, s->n_records * s->n_fields},
      {"different values", s->n_values, s->n_records * s->n_fields},
  };
  const unsigned n = sizeof all / sizeof *all;
  memcpy(stats, all, (n < max ? n : max) * sizeof *all);
  return n;
}

static int decoder_new(const oct_codec_settings *settings, const oct_layout *layout, void **state,
                       oct_diag *diag) {
  sequitur *s = new_state(settings, layout);
  int error = s ? 0 : OCT_ERR_NOMEM;
  for (unsigned f = 0; !error && f < s->n_fields; f++) {
    s->fields[f].reader = oct_sequitur_reader_new(s->fields[f].value_bytes);
    if (!s->fields[f].reader) error = OCT_ERR_NOMEM;
  }
  if (error) {
    sequitur_free(s);
    return no_memory(diag);
  }
  *state = s;
  return 0;
}

/* A byte of a grammar is a symbol of 4 bytes, or half of a rule, or a part of a value. */
static uint64_t sequitur_bytes(const void *state, uint64_t n_records, uint64_t n_group,
                               uint64_t stream_bytes) {
  (void)state, (void)n_records, (void)n_group;
  return 8 * stream_bytes;
}

static int sequitur_decode_begin(void *state, const oct_cursor *streams, uint64_t n_records,
                                 oct_diag *diag) {
  sequitur *s = state;
  (void)streams, (void)diag;
  for (unsigned f = 0; f < s->n_fields; f++)
    oct_sequitur_reader_begin(s->fields[f].reader, n_records);
  return 0;
}

static void scatter(const sequitur_field *field, uint8_t *records, size_t record_bytes, size_t n,
                    const uint64_t *values) {
  uint8_t *p = records + field->offset_bytes;
  for (size_t i = 0; i < n; i++, p += record_bytes) oct_put_bytes(p, values[i], field->value_bytes);
}

static int sequitur_decode(void *state, oct_cursor *streams, uint8_t *records, size_t n_records,
                           oct_diag *diag) {
  sequitur *s = state;
  while (n_records) {
    size_t n = n_records < BLOCK ? n_records : BLOCK;
    for (unsigned f = 0; f < s->n_fields; f++) {
      oct_diag own = {0};
      int error = oct_sequitur_read(s->fields[f].reader, streams + OCT_SEQUITUR_STREAMS * f,
                                    s->column, n, &own);
      if (error)
        return oct_fail(diag, error, "field %u of records %" PRIu64 " to %" PRIu64 ": %.100s",
                        f + 1, s->n_records, s->n_records + n - 1, oct_diag_reason(&own).text);
      scatter(&s->fields[f], records, s->record_bytes, n, s->column);
    }
    records += n * s->record_bytes;
    n_records -= n;
    s->n_records += n;
  }
  return 0;
}

const oct_codec oct_codec_sequitur = {
    .name = "sequitur",
    .version = 1,
    .text = "Sequitur: a context-free grammar for each field of the records",
    .takes = OCT_TAKES_ANY,
    .lossless = true,
    .stage = OCT_GENERAL_BZIP2,
    .level = 9,
    .options = sequitur_options,
    .n_options = N_OPTIONS,
    .segment_bytes = sequitur_segment,
    .n_streams = sequitur_streams,
    .encoder_new = encoder_new,
    .encode = sequitur_encode,
    .encode_end = sequitur_encode_end,
    .stats = sequitur_stats,
    .encoder_free = sequitur_free,
    .decoder_new = decoder_new,
    .decode_begin = sequitur_decode_begin,
    .decode = sequitur_decode,
    .decoder_free = sequitur_free,
    .decoder_bytes = sequitur_bytes,
};
