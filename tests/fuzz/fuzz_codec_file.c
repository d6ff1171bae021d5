/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_codec_file.c - any bytes as a codec file: reading it ends with a result. Start it with files
 * of octrace compress --codec. */
#include <string.h>

#include "octrace/codec.h"
#include "oct_fuzz.h"

static int64_t read_cursor(void *context, void *bytes, size_t n, oct_diag *diag) {
  oct_cursor *c = context;
  (void)diag;
  if (n > c->n_bytes) n = c->n_bytes;
  const uint8_t *p = oct_cursor_take(c, n);
  if (n) memcpy(bytes, p, n);
  return (int64_t)n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  oct_cursor cursor = {.bytes = data, .n_bytes = size};
  const oct_source_bytes source = {read_cursor, &cursor};
  oct_codec_reader *r;
  oct_trace_join *join;
  oct_diag diag;
  static uint8_t records[8 * OCT_LAYOUT_FIELDS_MAX * 64];
  /* With a worker, or without; the codec `shadow` then decodes a segment as it is read. */
  if (oct_codec_reader_new(&source, size & 1, &r, &diag)) return 0;
  const oct_codec_head *head = oct_codec_reader_head(r);
  if (head->content == OCT_CONTENT_TRACE) {
    oct_batch batch;
    int batches = 0;
    uint64_t insn;
    if (!oct_trace_join_new(r, &join, &diag))
      while (batches++ < 16 && (oct_trace_join_next(join, &batch, &diag) > 0 ||
                                oct_trace_join_resync(join, &insn, &diag) > 0))
        continue;
    oct_trace_join_free(join);
  } else {
    for (int i = 0; i < 1000 && (oct_codec_reader_get(r, 0, records, 64, &diag) > 0 ||
                                 oct_codec_reader_resync(r, &diag) > 0);)
      i++;
  }
  oct_codec_reader_free(r);
  return 0;
}
