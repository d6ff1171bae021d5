/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_codec.c - any bytes as a codec file, and any streams for each codec's decoder: all end with
 * a result.
 *
 * First byte 255: the rest is a codec file. Else it chooses a codec, and the rest is cut into its
 * streams, two bytes of length before each: checksums would keep most inputs from the decoders.
 * Built with -DOCT_FUZZ_MAIN it runs over the files given as arguments; else it is a libFuzzer
 * target. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oct_codec_file.h"
#include "oct_trace_split.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { RECORDS = 3000, RECORD_BYTES_MAX = 8 * OCT_LAYOUT_FIELDS_MAX };

static int64_t read_cursor(void *context, void *bytes, size_t n, oct_diag *diag) {
  oct_cursor *c = context;
  (void)diag;
  if (n > c->n_bytes) n = c->n_bytes;
  const uint8_t *p = oct_cursor_take(c, n);
  if (n) memcpy(bytes, p, n);
  return (int64_t)n;
}

static void fuzz_file(const uint8_t *data, size_t size) {
  oct_cursor cursor = {data, size};
  const oct_source_bytes source = {read_cursor, &cursor};
  oct_codec_reader *r;
  oct_trace_join *join;
  oct_diag diag;
  static uint8_t records[RECORD_BYTES_MAX * 64];
  if (oct_codec_reader_new(&source, 0, &r, &diag)) return;
  const oct_codec_head *head = oct_codec_reader_head(r);
  if (head->content == OCT_CONTENT_TRACE) {
    oct_batch batch;
    int batches = 0;
    if (!oct_trace_join_new(r, &join, &diag))
      while (batches++ < 16 && oct_trace_join_next(join, &batch, &diag) > 0) continue;
    oct_trace_join_free(join);
  } else {
    for (int i = 0; i < 1000 && oct_codec_reader_get(r, 0, records, 64, &diag) > 0;) i++;
  }
  oct_codec_reader_free(r);
}

static void fuzz_streams(const oct_codec *codec, const uint8_t *data, size_t size) {
  static uint8_t records[RECORDS * RECORD_BYTES_MAX];
  static const char small[] =
      "16: L1=1, L2=16: FCM2[3], DFCM1[1]; 64: L1=64, L2=64: DFCM3[2], FCM1[2], LV[4]; "
      "8: L1=4, L2=8: DFCM2[2]";
  oct_codec_settings s;
  oct_layout layout = oct_layout_pc_ed;
  oct_cursor streams[OCT_CODEC_STREAMS_MAX];
  void *decoder;
  oct_diag diag;
  oct_codec_defaults(codec, &s);
  if (codec->takes == OCT_TAKES_ADDR64) layout = oct_layout_addr64;
  if (codec->takes == OCT_TAKES_SPEC) {
    memcpy(s.option_text, small, sizeof small);
    if (codec->layout(&s, &layout, &diag)) abort();
  }
  unsigned n_streams = codec->n_streams(&s, &layout);
  for (unsigned k = 0; k < n_streams; k++) {
    size_t n = size >= 2 ? (size_t)data[0] | (size_t)data[1] << 8 : 0;
    data += size >= 2 ? 2 : size;
    size -= size >= 2 ? 2 : size;
    if (n > size || k + 1 == n_streams) n = size;
    streams[k] = (oct_cursor){data, n};
    data += n;
    size -= n;
  }
  if (codec->decoder_new(&s, &layout, &decoder, &diag)) return;
  int error = codec->decode_begin ? codec->decode_begin(decoder, streams, RECORDS, &diag) : 0;
  for (size_t i = 0; !error && i < RECORDS; i += RECORDS / 3)
    error = codec->decode(decoder, streams, records, RECORDS / 3, &diag);
  codec->decoder_free(decoder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  unsigned n_codecs = 0;
  if (!size) return 0;
  while (oct_codec_at(n_codecs)) n_codecs++;
  if (data[0] == 255)
    fuzz_file(data + 1, size - 1);
  else
    fuzz_streams(oct_codec_at(data[0] % n_codecs), data + 1, size - 1);
  return 0;
}

#ifdef OCT_FUZZ_MAIN
int main(int argc, char **argv) {
  static uint8_t bytes[1 << 20];
  for (int i = 1; i < argc; i++) {
    FILE *f = fopen(argv[i], "rb");
    if (!f) {
      perror(argv[i]);
      return 1;
    }
    size_t n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    LLVMFuzzerTestOneInput(bytes, n);
  }
  return 0;
}
#endif
