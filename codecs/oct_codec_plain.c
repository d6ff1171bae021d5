/* SPDX-License-Identifier: Apache-2.0 */
/* oct_codec_plain.c - the codec that leaves records as they are: only the second stage works. */
#include "oct_codec_plain.h"

static unsigned plain_streams(const oct_codec_settings *settings, const oct_layout *layout) {
  (void)settings, (void)layout;
  return 1;
}

/* The state is the size of a record. */
static int plain_new(const oct_codec_settings *settings, const oct_layout *layout, void **state,
                     oct_diag *diag) {
  (void)settings;
  size_t *record_bytes = malloc(sizeof *record_bytes);
  if (!record_bytes) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  *record_bytes = oct_layout_bytes(layout);
  *state = record_bytes;
  return 0;
}

static int plain_encode(void *state, const uint8_t *records, size_t n_records, oct_buffer *streams,
                        oct_diag *diag) {
  const size_t *record_bytes = state;
  if (oct_buffer_put(streams, records, n_records * *record_bytes))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  return 0;
}

static int plain_decode(void *state, oct_cursor *streams, uint8_t *records, size_t n_records,
                        oct_diag *diag) {
  const size_t *record_bytes = state;
  const uint8_t *p = oct_cursor_take(streams, n_records * *record_bytes);
  if (!p) return oct_fail(diag, OCT_ERR_FORMAT, "the records end too early");
  memcpy(records, p, n_records * *record_bytes);
  return 0;
}

const oct_codec oct_codec_plain = {
    .name = "plain",
    .version = 1,
    .text = "records as they are; only the second stage compresses",
    .takes = OCT_TAKES_ANY,
    .lossless = true,
    .stage = OCT_STAGE_ZSTD,
    .level = 3,
    .n_streams = plain_streams,
    .encoder_new = plain_new,
    .encode = plain_encode,
    .encoder_free = free,
    .decoder_new = plain_new,
    .decode = plain_decode,
    .decoder_free = free,
};
