/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_codec.c - any streams for the decoder of one codec, OCT_FUZZ_CODEC: it ends with a result.
 *
 * The input is cut into streams, two bytes of length before each; the last has the rest. */
#include <string.h>

#include "octrace/codec.h"
#include "oct_fuzz.h"

enum { RECORDS = 3000, RECORD_BYTES_MAX = 8 * OCT_LAYOUT_FIELDS_MAX };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const oct_codec *codec = oct_codec_find(OCT_FUZZ_CODEC);
  static uint8_t records[RECORDS * RECORD_BYTES_MAX];
  static const char small[] =
      "16: L1=1, L2=16: FCM2[3], DFCM1[1]; 64: L1=64, L2=64: DFCM3[2], FCM1[2], LV[4]; "
      "8: L1=4, L2=8: DFCM2[2]";
  oct_codec_settings s;
  oct_layout layout = oct_layout_pc_ed;
  oct_cursor streams[OCT_CODEC_STREAMS_MAX];
  uint8_t *own[OCT_CODEC_STREAMS_MAX];
  void *decoder;
  oct_diag diag;
  if (!codec) abort();
  oct_codec_defaults(codec, &s);
  if (codec->takes == OCT_TAKES_ADDR64) layout = oct_layout_addr64;
  if (codec->takes == OCT_TAKES_SPEC) {
    memcpy(s.option_text, small, sizeof small);
    if (codec->layout(&s, &layout, &diag)) abort();
  }
  /* So short that a few records are several. */
  for (unsigned i = 0; i < codec->n_options; i++)
    if (!strcmp(codec->options[i].name, "interval")) s.value[i] = 16;
  unsigned n_streams = codec->n_streams(&s, &layout);
  for (unsigned k = 0; k < n_streams; k++) {
    size_t n = size >= 2 ? (size_t)data[0] | (size_t)data[1] << 8 : 0;
    data += size >= 2 ? 2 : size;
    size -= size >= 2 ? 2 : size;
    if (n > size || k + 1 == n_streams) n = size;
    /* Memory of its own: a read behind the stream's end is to be seen. */
    own[k] = malloc(n);
    if (n && !own[k]) abort();
    if (n) memcpy(own[k], data, n);
    streams[k] = (oct_cursor){.bytes = own[k], .n_bytes = n};
    data += n;
    size -= n;
  }
  if (codec->decoder_new(&s, &layout, &decoder, &diag)) abort();
  int error = codec->decode_begin ? codec->decode_begin(decoder, streams, RECORDS, &diag) : 0;
  for (size_t i = 0; !error && i < RECORDS; i += RECORDS / 3)
    error = codec->decode(decoder, streams, records, RECORDS / 3, &diag);
  codec->decoder_free(decoder);
  for (unsigned k = 0; k < n_streams; k++) free(own[k]);
  return 0;
}
