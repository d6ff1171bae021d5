/* SPDX-License-Identifier: Apache-2.0 */
/* oct_codec_input.h - inside of the library: the bytes of a codec file, which may be looked at
 * before they are taken, and gone back to. */
#ifndef OCT_CODEC_INPUT_H
#define OCT_CODEC_INPUT_H

#include "oct_codec_format.h"

/* All zero but the source is an input at its beginning. */
typedef struct oct_codec_input {
  oct_source_bytes source;
  uint64_t offset;  /* of the next byte */
  oct_buffer seen;  /* bytes that came from the source, */
  size_t seen_from; /* of which these are taken */
} oct_codec_input;

void oct_codec_input_free(oct_codec_input *in);

/* The next n bytes, fewer only at the end: how many there are, in *bytes until the next call.
 * OCT_ERR_NOMEM, errors of the source. */
int64_t oct_codec_look(oct_codec_input *in, size_t n, const uint8_t **bytes, oct_diag *diag);
/* Take bytes that were looked at. */
void oct_codec_take(oct_codec_input *in, size_t n);
/* Take exactly n bytes. OCT_ERR_TRUNCATED, with all there are in *bytes and taken; errors of the
 * source. what is the name of what they are. */
int oct_codec_fetch(oct_codec_input *in, uint8_t *bytes, size_t n, const char *what,
                    oct_diag *diag);
/* The error of a file that ends at offset, within what begins at the next byte. */
int oct_codec_ends_within(const oct_codec_input *in, uint64_t offset, const char *what,
                          oct_diag *diag);
/* Go back: these bytes, which were the last, come again. OCT_ERR_NOMEM. */
int oct_codec_untake(oct_codec_input *in, const uint8_t *bytes, size_t n);
/* Go on to the next OCT_CODEC_MARK: 1, or 0 at the end. OCT_ERR_NOMEM, errors of the source. */
int oct_codec_find_mark(oct_codec_input *in, oct_diag *diag);

#endif
