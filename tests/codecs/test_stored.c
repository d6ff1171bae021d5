/* SPDX-License-Identifier: Apache-2.0 */
/* test_stored.c - the flow channel of the codec `shadow` is what an arithmetic coder made: the
 * second stage stores it, in a file of its own format, and compresses the other channels. */
#include <lzma.h>

#include "codec_util.h"
#include "octrace/codec.h"
#include "oct_trace_channels.h"

/* More than the heads, chunks and checksums of a stored file of these tests. */
enum { OVERHEAD_BYTES = 128, CHUNK_BYTES = 1 << 16 };

/* Whether a stage stores. The others have no such form, and take their least effort. */
static bool stores(unsigned stage) {
  return stage == OCT_GENERAL_NONE || stage == OCT_GENERAL_GZIP || stage == OCT_GENERAL_XZ;
}

/* Sizes about the chunks of .xz come back through every stage. */
static void test_sizes(void **state) {
  static const size_t sizes[] = {1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1,
                                 3 * CHUNK_BYTES + 5};
  (void)state;
  seed_random("stored sizes");
  for (unsigned stage = 0; stage < OCT_GENERAL_COUNT; stage++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      for (int kind = 0; kind < RECORDS_KINDS; kind++) {
        uint8_t *bytes = make_records(kind, sizes[k], 1);
        oct_buffer packed = {0}, back = {0};
        oct_diag diag = {0};
        if (oct_general_compress((oct_general_kind)stage, OCT_GENERAL_STORE, bytes, sizes[k],
                                 &packed, &diag) ||
            oct_general_decompress((oct_general_kind)stage, packed.bytes, packed.n_bytes, sizes[k],
                                   &back, &diag))
          fail_msg("stage %u, %zu bytes: %s", stage, sizes[k], oct_diag_line(&diag).text);
        assert_memory_equal(back.bytes, bytes, sizes[k]);
        if (stores(stage)) assert_in_range(packed.n_bytes, sizes[k], sizes[k] + OVERHEAD_BYTES);
        oct_buffer_free(&packed);
        oct_buffer_free(&back);
        free(bytes);
      }
    }
}

/* A plain decoder of .xz, with the least memory, takes a stored file whole. */
static void test_xz_file(void **state) {
  enum { N = 2 * CHUNK_BYTES + 7 };
  static uint8_t back[N];
  (void)state;
  seed_random("stored xz");
  uint8_t *bytes = make_records(RECORDS_RANDOM, N, 1);
  oct_buffer packed = {0};
  uint64_t memory = 1 << 20;
  size_t in = 0, out = 0;
  assert_int_equal(oct_general_compress(OCT_GENERAL_XZ, OCT_GENERAL_STORE, bytes, N, &packed, NULL),
                   0);
  assert_int_equal(
      lzma_stream_buffer_decode(&memory, 0, NULL, packed.bytes, &in, packed.n_bytes, back, &out, N),
      LZMA_OK);
  assert_int_equal(in, packed.n_bytes);
  assert_int_equal(out, N);
  assert_memory_equal(back, bytes, N);
  oct_buffer_free(&packed);
  free(bytes);
}

/* Zeros in each channel: those of flow take their room, whatever the level. */
static void test_flow(void **state) {
  enum { N = 100000 };
  static const char *const codecs[] = {"shadow", "shadow:stage=xz,level=9", "shadow:stage=gzip",
                                       "plain:stage=xz"};
  static const uint8_t zeros[N];
  static oct_codec_head head;
  (void)state;
  for (unsigned k = 0; k < sizeof codecs / sizeof *codecs; k++) {
    memory_file file = {{0}, 0};
    const oct_sink sink = {memory_write, &file};
    oct_codec_writer *w;
    oct_diag diag = {0};
    memset(&head, 0, sizeof head);
    head.settings = settings_of(codecs[k]);
    head.content = OCT_CONTENT_TRACE;
    head.n_channels = OCT_TRACE_CHANNELS;
    for (unsigned c = 0; c < OCT_TRACE_CHANNELS; c++) {
      head.channels[c] = (oct_codec_channel){"", true, oct_layout_byte};
      head.channels[c].name[0] = (char)('a' + c);
    }
    if (oct_codec_writer_new(&head, &sink, 0, &w, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
    for (unsigned c = 0; c < OCT_TRACE_CHANNELS; c++)
      assert_int_equal(oct_codec_writer_put(w, c, zeros, N, &diag), 0);
    if (oct_codec_writer_finish(w, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
    const oct_codec_totals *totals = oct_codec_writer_totals(w);
    for (unsigned c = 0; c < OCT_TRACE_CHANNELS; c++) {
      bool stored = c == OCT_CHANNEL_FLOW && head.settings.codec->takes == OCT_TAKES_TRACE;
      assert_in_range(totals->packed_bytes[c], stored ? N : 1, stored ? N + OVERHEAD_BYTES : 1000);
    }
    oct_codec_writer_free(w);
    oct_buffer_free(&file.bytes);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_xz_file),
      cmocka_unit_test(test_flow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
