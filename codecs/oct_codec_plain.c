/* SPDX-License-Identifier: Apache-2.0 */
/* oct_codec_plain.c - the codec that leaves records as they are, in one stream or in one for each
 * of their fields: only the second stage works.
 *
 * It is the zero point of the other codecs. With `split=fields` the fields of all records stand
 * behind each other, which gives the second stage runs of like values. */
#include "oct_codec_plain.h"

enum { OPTION_SPLIT, N_OPTIONS };

static const oct_codec_option plain_options[N_OPTIONS] = {
    [OPTION_SPLIT] = {.name = "split",
                      .kind = OCT_OPTION_CHOICE,
                      .choices = "no|fields",
                      .text = "records in one stream, or each of their fields in one of its own"},
};

/* What goes to one stream: the whole record, or a field. */
typedef struct plain {
  unsigned n_streams;
  size_t record_bytes, offset_bytes[OCT_LAYOUT_FIELDS_MAX], part_bytes[OCT_LAYOUT_FIELDS_MAX];
} plain;

static unsigned plain_streams(const oct_codec_settings *settings, const oct_layout *layout) {
  return settings->value[OPTION_SPLIT] ? layout->n_fields : 1;
}

static int plain_new(const oct_codec_settings *settings, const oct_layout *layout, void **state,
                     oct_diag *diag) {
  plain *s = calloc(1, sizeof *s);
  if (!s) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  s->n_streams = plain_streams(settings, layout);
  s->record_bytes = s->part_bytes[0] = oct_layout_bytes(layout);
  for (unsigned k = 0, at = 0; s->n_streams > 1 && k < s->n_streams; k++) {
    s->offset_bytes[k] = at;
    s->part_bytes[k] = layout->field_bytes[k];
    at += layout->field_bytes[k];
  }
  *state = s;
  return 0;
}

/* n pieces from one place to another, each with its own distance to the next. */
static void copy(uint8_t *to, size_t to_step, const uint8_t *from, size_t from_step, size_t bytes,
                 size_t n) {
  if (to_step == bytes && from_step == bytes)
    memcpy(to, from, n * bytes);
  else if (bytes == 8)
    for (size_t i = 0; i < n; i++) memcpy(to + i * to_step, from + i * from_step, 8);
  else if (bytes == 4)
    for (size_t i = 0; i < n; i++) memcpy(to + i * to_step, from + i * from_step, 4);
  else
    for (size_t i = 0; i < n; i++) memcpy(to + i * to_step, from + i * from_step, bytes);
}

static int plain_encode(void *state, const uint8_t *records, size_t n_records, oct_buffer *streams,
                        oct_diag *diag) {
  const plain *s = state;
  for (unsigned k = 0; n_records && k < s->n_streams; k++) {
    const size_t bytes = s->part_bytes[k];
    uint8_t *to = oct_buffer_room(&streams[k], n_records * bytes);
    if (!to) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    copy(to, bytes, records + s->offset_bytes[k], s->record_bytes, bytes, n_records);
    streams[k].n_bytes += n_records * bytes;
  }
  return 0;
}

static int plain_decode(void *state, oct_cursor *streams, uint8_t *records, size_t n_records,
                        oct_diag *diag) {
  const plain *s = state;
  for (unsigned k = 0; k < s->n_streams; k++) {
    const size_t bytes = s->part_bytes[k];
    const uint8_t *from = oct_cursor_take(&streams[k], n_records * bytes);
    if (!from) return oct_fail(diag, OCT_ERR_FORMAT, "the records end too early");
    copy(records + s->offset_bytes[k], s->record_bytes, from, bytes, bytes, n_records);
  }
  return 0;
}

const oct_codec oct_codec_plain = {
    .name = "plain",
    .version = 1,
    .text = "records as they are; only the second stage compresses",
    .takes = OCT_TAKES_ANY,
    .lossless = true,
    .stage = OCT_GENERAL_ZSTD,
    .level = 3,
    .options = plain_options,
    .n_options = N_OPTIONS,
    .n_streams = plain_streams,
    .encoder_new = plain_new,
    .encode = plain_encode,
    .encoder_free = free,
    .decoder_new = plain_new,
    .decode = plain_decode,
    .decoder_free = free,
};
