/* SPDX-License-Identifier: Apache-2.0 */
/* oct_vpc.c - records of the configurable VPC (Burtscher 2004) there and back, a block of columns
 * at a time.
 *
 * A block of records is turned to columns, one a field. The key field comes first: its values
 * choose the lines of the tables of the others. For each field a kernel tries its predictors and
 * gives a code for each value, which names the predictor that was right, or says that none was;
 * values that nobody predicted go to a second stream in full. */
#include "oct_vpc.h"

#include "oct_endian.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct vpc_state {
  oct_vpc_config config;
  oct_vpc_kernels kernels[OCT_LAYOUT_FIELDS_MAX];
  oct_vpc_field fields[OCT_LAYOUT_FIELDS_MAX];
  uint32_t offset_bytes[OCT_LAYOUT_FIELDS_MAX]; /* of the field in its record */
  uint32_t record_bytes;
  void *memory;
  size_t memory_bytes;
  uint64_t n_records;
  uint64_t keys[OCT_VPC_BLOCK], column64[OCT_VPC_BLOCK], misses64[OCT_VPC_BLOCK];
  uint32_t column32[OCT_VPC_BLOCK], misses32[OCT_VPC_BLOCK];
  char (*names)[OCT_VPC_CODES_MAX + 1][40]; /* of the statistics */
} vpc_state;

void oct_vpc_layout(const oct_vpc_config *config, oct_layout *layout) {
  memset(layout, 0, sizeof *layout);
  layout->n_fields = config->n_fields;
  for (unsigned f = 0; f < config->n_fields; f++)
    layout->field_bytes[f] = config->fields[f].value_bytes;
}

/* Name the predictors of field f as Table 4 does: FCM1a, DFCM3b, L4Va. */
static void name_codes(vpc_state *s, unsigned f) {
  const oct_vpc_spec *spec = &s->config.fields[f];
  char field[12];
  if (s->config.n_fields == 2 && spec->value_bytes >= 4)
    snprintf(field, sizeof field, "%s", f ? "ED" : "PC");
  else
    snprintf(field, sizeof field, "%u", f + 1);
  for (unsigned t = 0; t < spec->n_tables; t++)
    for (unsigned d = 0; d < spec->tables[t].depth; d++)
      snprintf(s->names[f][spec->tables[t].first_code + d], sizeof s->names[f][0], "%s %sFCM%u%c",
               field, spec->tables[t].differential ? "D" : "", spec->tables[t].order,
               (char)('a' + d));
  for (unsigned d = 0; d < spec->n_last; d++)
    snprintf(s->names[f][spec->last_code + d], sizeof s->names[f][0], "%s L%uV%c", field,
             spec->n_last, (char)('a' + d));
  snprintf(s->names[f][spec->n_codes], sizeof s->names[f][0], "%s not predicted", field);
}

int oct_vpc_new(const oct_vpc_config *config, const oct_vpc_kernels *kernels, void **state,
                oct_diag *diag) {
  uint64_t n_bytes = 0;
  for (unsigned f = 0; f < config->n_fields; f++) n_bytes += oct_vpc_bytes(&config->fields[f]);
  if (n_bytes > (uint64_t)4 << 30)
    return oct_fail(diag, OCT_ERR_LIMIT, "predictor tables of %" PRIu64 " MiB, 4096 are the most",
                    (n_bytes + 0xfffff) >> 20);
  vpc_state *s = calloc(1, sizeof *s);
  if (s) s->memory_bytes = (size_t)n_bytes;
  if (s) s->memory = oct_vpc_alloc(s->memory_bytes);
  if (s) s->names = calloc(config->n_fields, sizeof *s->names);
  if (!s || !s->memory || !s->names) {
    oct_vpc_free(s);
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  }
  s->config = *config;
  uint8_t *p = s->memory;
  for (unsigned f = 0; f < config->n_fields; f++) {
    s->kernels[f] = kernels[f];
    s->offset_bytes[f] = s->record_bytes;
    s->record_bytes += config->fields[f].value_bytes;
    oct_vpc_field_init(&s->fields[f], &config->fields[f], p);
    p += oct_vpc_bytes(&config->fields[f]);
    name_codes(s, f);
  }
  *state = s;
  return 0;
}

void oct_vpc_free(void *state) {
  vpc_state *s = state;
  if (!s) return;
  oct_vpc_release(s->memory, s->memory_bytes);
  free(s->names);
  free(s);
}

/* The field that is coded at place `turn`: the key field, then the others in order. */
static unsigned field_at(const oct_vpc_config *config, unsigned turn) {
  if (!turn) return config->key_field;
  return turn <= config->key_field ? turn - 1 : turn;
}

/* Copy a column out of the records into column64 or column32. */
static void gather(vpc_state *s, unsigned f, const uint8_t *records, size_t n) {
  const uint8_t *p = records + s->offset_bytes[f];
  const size_t step = s->record_bytes;
  switch (s->config.fields[f].value_bytes) {
    case 8:
      for (size_t i = 0; i < n; i++) s->column64[i] = oct_get_u64(p + i * step);
      break;
    case 4:
      for (size_t i = 0; i < n; i++) s->column32[i] = oct_get_u32(p + i * step);
      break;
    case 2:
      for (size_t i = 0; i < n; i++) s->column32[i] = oct_get_u16(p + i * step);
      break;
    default:
      for (size_t i = 0; i < n; i++) s->column32[i] = p[i * step];
  }
}

static void scatter(const vpc_state *s, unsigned f, uint8_t *records, size_t n) {
  uint8_t *p = records + s->offset_bytes[f];
  const size_t step = s->record_bytes;
  switch (s->config.fields[f].value_bytes) {
    case 8:
      for (size_t i = 0; i < n; i++) oct_put_u64(p + i * step, s->column64[i]);
      break;
    case 4:
      for (size_t i = 0; i < n; i++) oct_put_u32(p + i * step, s->column32[i]);
      break;
    case 2:
      for (size_t i = 0; i < n; i++) oct_put_bytes(p + i * step, s->column32[i], 2);
      break;
    default:
      for (size_t i = 0; i < n; i++) p[i * step] = (uint8_t)s->column32[i];
  }
}

/* The column of the key field becomes the keys of the others. */
static void take_keys(vpc_state *s, unsigned f, size_t n) {
  if (s->config.fields[f].value_bytes == 8)
    memcpy(s->keys, s->column64, n * sizeof *s->keys);
  else
    for (size_t i = 0; i < n; i++) s->keys[i] = s->column32[i];
}

static int put_misses32(vpc_state *s, unsigned value_bytes, size_t n, oct_buffer *stream) {
  uint8_t *to = oct_buffer_room(stream, n * value_bytes);
  if (!to) return n ? OCT_ERR_NOMEM : 0;
  if (value_bytes == 4)
    for (size_t i = 0; i < n; i++) oct_put_u32(to + 4 * i, s->misses32[i]);
  else
    for (size_t i = 0; i < n; i++) oct_put_bytes(to + i * value_bytes, s->misses32[i], value_bytes);
  stream->n_bytes += n * value_bytes;
  return 0;
}

static int encode_field(vpc_state *s, unsigned f, size_t n, oct_buffer *streams) {
  const oct_vpc_spec *spec = &s->config.fields[f];
  uint8_t *codes = oct_buffer_room(&streams[2 * f], n);
  if (!codes) return OCT_ERR_NOMEM;
  streams[2 * f].n_bytes += n;
  if (spec->value_bytes == 8) {
    size_t misses =
        s->kernels[f].encode64(spec, &s->fields[f], s->column64, s->keys, n, codes, s->misses64);
    uint8_t *to = oct_buffer_room(&streams[2 * f + 1], 8 * misses);
    if (!to) return misses ? OCT_ERR_NOMEM : 0;
    for (size_t i = 0; i < misses; i++) oct_put_u64(to + 8 * i, s->misses64[i]);
    streams[2 * f + 1].n_bytes += 8 * misses;
    return 0;
  }
  size_t misses =
      s->kernels[f].encode32(spec, &s->fields[f], s->column32, s->keys, n, codes, s->misses32);
  return put_misses32(s, spec->value_bytes, misses, &streams[2 * f + 1]);
}

int oct_vpc_encode(void *state, const uint8_t *records, size_t n_records, oct_buffer *streams,
                   oct_diag *diag) {
  vpc_state *s = state;
  while (n_records) {
    size_t n = n_records < OCT_VPC_BLOCK ? n_records : OCT_VPC_BLOCK;
    for (unsigned turn = 0; turn < s->config.n_fields; turn++) {
      unsigned f = field_at(&s->config, turn);
      gather(s, f, records, n);
      if (!turn && s->config.n_fields > 1) take_keys(s, f, n);
      if (encode_field(s, f, n, streams)) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    }
    records += n * s->record_bytes;
    n_records -= n;
    s->n_records += n;
  }
  return 0;
}

static int decode_field(vpc_state *s, unsigned f, size_t n, oct_cursor *streams, oct_diag *diag) {
  const oct_vpc_spec *spec = &s->config.fields[f];
  oct_cursor *misses = &streams[2 * f + 1];
  const uint8_t *codes = oct_cursor_take(&streams[2 * f], n);
  int64_t taken = OCT_ERR_FORMAT;
  if (codes) {
    size_t there = misses->n_bytes / spec->value_bytes;
    taken = spec->value_bytes == 8 ? s->kernels[f].decode64(spec, &s->fields[f], codes, s->keys, n,
                                                            misses->bytes, there, s->column64)
                                   : s->kernels[f].decode32(spec, &s->fields[f], codes, s->keys, n,
                                                            misses->bytes, there, s->column32);
  }
  if (taken < 0)
    return oct_fail(diag, OCT_ERR_FORMAT, "field %u of records %" PRIu64 " to %" PRIu64 ": %s",
                    f + 1, s->n_records, s->n_records + n - 1,
                    codes ? "a code that does not exist, or too few values" : "too few codes");
  oct_cursor_take(misses, (size_t)taken * spec->value_bytes);
  return 0;
}

int oct_vpc_decode(void *state, oct_cursor *streams, uint8_t *records, size_t n_records,
                   oct_diag *diag) {
  vpc_state *s = state;
  while (n_records) {
    size_t n = n_records < OCT_VPC_BLOCK ? n_records : OCT_VPC_BLOCK;
    for (unsigned turn = 0; turn < s->config.n_fields; turn++) {
      unsigned f = field_at(&s->config, turn);
      int error = decode_field(s, f, n, streams, diag);
      if (error) return error;
      if (!turn && s->config.n_fields > 1) take_keys(s, f, n);
      scatter(s, f, records, n);
    }
    records += n * s->record_bytes;
    n_records -= n;
    s->n_records += n;
  }
  return 0;
}

uint64_t oct_vpc_decoder_bytes(const void *state, uint64_t n_records, uint64_t n_group,
                               uint64_t stream_bytes) {
  (void)n_records, (void)n_group, (void)stream_bytes;
  return ((const vpc_state *)state)->memory_bytes;
}

unsigned oct_vpc_stats(const void *state, oct_codec_stat *stats, unsigned max) {
  const vpc_state *s = state;
  unsigned n = 0;
  for (unsigned f = 0; f < s->config.n_fields; f++)
    for (unsigned c = 0; c <= s->config.fields[f].n_codes; c++, n++)
      if (n < max)
        stats[n] = (oct_codec_stat){s->names[f][c], s->fields[f].selector.used[c], s->n_records};
  return n;
}
