/* SPDX-License-Identifier: Apache-2.0 */
/* test_atc_lossy.c - does the codec atc-lossy imitate as section 5 of Michaud 2009 says, the same
 * as the directories do, and keep what it promises: as many addresses, and in each interval
 * histograms of their bytes no further away than the threshold? */
#include "atc_util.h"
#include "codec_util.h"
#include "oct_atc_profile.h"

enum { INTERVAL = 2000 };

static memory_file pack(const char *codec, uint64_t segment_bytes, const uint64_t *values, size_t n,
                        unsigned n_threads) {
  memory_file file = {{0}, 0};
  oct_codec_settings s = settings_of(codec);
  if (segment_bytes) s.segment_bytes = segment_bytes;
  pack_records(&s, (const uint8_t *)values, n, n_threads, &file);
  return file;
}

/* There and back: the addresses that come, to be freed; their number is n. */
static uint64_t *imitate(const char *codec, uint64_t segment_bytes, const uint64_t *values,
                         size_t n, unsigned n_threads, size_t *file_bytes) {
  memory_file file = pack(codec, segment_bytes, values, n, n_threads);
  oct_buffer back = {0};
  oct_diag diag = {0};
  if (unpack_records(&file, n_threads, &back, &diag))
    fail_msg("%s: %s", codec, oct_diag_line(&diag).text);
  assert_int_equal(back.n_bytes, 8 * n);
  if (file_bytes) *file_bytes = file.bytes.n_bytes;
  oct_buffer_free(&file.bytes);
  return (uint64_t *)(void *)back.bytes;
}

/* What the encoder counts of one segment. */
static void count(const char *codec, const uint64_t *values, size_t n, uint64_t counts[3]) {
  oct_codec_settings s = settings_of(codec);
  oct_buffer streams[OCT_CODEC_STREAMS_MAX] = {{0}};
  oct_codec_stat stats[3];
  void *encoder;
  oct_diag diag = {0};
  assert_int_equal(s.codec->encoder_new(&s, &oct_layout_addr64, &encoder, &diag), 0);
  assert_int_equal(s.codec->encode(encoder, (const uint8_t *)values, n, streams, &diag), 0);
  assert_int_equal(s.codec->encode_end(encoder, streams, &diag), 0);
  assert_int_equal(s.codec->stats(encoder, stats, 3), 3);
  for (unsigned i = 0; i < 3; i++) counts[i] = stats[i].value;
  for (unsigned k = 0; k < OCT_CODEC_STREAMS_MAX; k++) oct_buffer_free(&streams[k]);
  s.codec->encoder_free(encoder);
}

/* Phases of so many addresses that come again elsewhere: strides and random offsets in one of a few
 * regions. */
static uint64_t *phases(size_t n, size_t length) {
  uint64_t *values = malloc(8 * n + 8);
  assert_non_null(values);
  uint64_t base = 0, mask = 0;
  for (size_t i = 0; i < n; i++) {
    if (i % length == 0) {
      base = below(6) + 1;
      base <<= 16 + 8 * below(3);
      mask = ((uint64_t)1 << (6 + below(8))) - 1;
    }
    values[i] = base + 64 * (i & 1 ? i & mask : random_u64() & mask);
  }
  return values;
}

/* The furthest that an interval's histograms are away from those of its imitation. */
static double furthest(const uint64_t *a, const uint64_t *b, size_t n) {
  oct_atc_profile *p = malloc(sizeof *p), *q = malloc(sizeof *q);
  double most = 0;
  oct_atc_profile_make(a, n, p);
  oct_atc_profile_make(b, n, q);
  for (unsigned j = 0; j < OCT_ATC_BYTES; j++) {
    double d = oct_atc_histogram_distance(p->count[j], q->count[j], n);
    if (d > most) most = d;
  }
  free(p);
  free(q);
  return most;
}

/* The promise, for thresholds, segments and lengths that cut intervals anywhere. */
static void test_promise(void **state) {
  (void)state;
  seed_random("promise");
  static const unsigned thresholds[] = {0, 50, 100, 700, 2000};
  static const size_t segments[] = {0, 8 * INTERVAL, 8 * (3 * INTERVAL + 500), 8 * 700};
  for (unsigned t = 0; t < 5; t++)
    for (unsigned k = 0; k < 4; k++) {
      if (is_left_out()) continue;
      const size_t n = 20 * INTERVAL + below(INTERVAL);
      const size_t per_segment = segments[k] ? segments[k] / 8 : n;
      uint64_t *values = phases(n, INTERVAL / 2 + 7);
      int buffer = 1 + (int)below(2 * INTERVAL), histograms = 2 + (int)below(5);
      char codec[100];
      snprintf(codec, sizeof codec,
               "atc-lossy:stage=zstd,interval=%d,buffer=%d,threshold=%u,histograms=%d", INTERVAL,
               buffer, thresholds[t], histograms);
      uint64_t *back = imitate(codec, segments[k], values, n, k, NULL);
      for (size_t at = 0; at < n;) {
        size_t left = per_segment - at % per_segment;
        size_t m = left < INTERVAL ? left : INTERVAL;
        if (m > n - at) m = n - at;
        double d = furthest(values + at, back + at, m);
        if (d > thresholds[t] / 1000.0) fail_msg("%s: %g at %zu", codec, d, at);
        at += m;
      }
      if (!thresholds[t]) assert_memory_equal(back, values, 8 * n);
      /* Where a segment is shorter than an interval, no chunk can be kept. */
      if (k == 3) assert_memory_equal(back, values, 8 * n);
      if (k < 3 && thresholds[t] == 2000) assert_memory_not_equal(back, values, 8 * n);
      free(values);
      free(back);
    }
}

/* Whole intervals in one segment: what a directory of the same parameters gives back. */
static void test_like_the_directory(void **state) {
  (void)state;
  uint64_t chunks = 0, translated = 0;
  seed_random("like the directory");
  for (unsigned turn = 0; turn < 6; turn++) {
    if (is_left_out()) continue;
    const size_t n = 40 * INTERVAL;
    uint64_t *values = phases(n, INTERVAL), counts[3];
    oct_atc_options o = small_options(300 + 900 * turn, INTERVAL);
    oct_atc_counts want;
    oct_buffer directory = {0};
    oct_diag diag = {0};
    char codec[120];
    o.histograms = 1 + turn * turn;
    o.threshold = 0.3;
    snprintf(codec, sizeof codec,
             "atc-lossy:stage=zstd,interval=%d,buffer=%u,histograms=%u,threshold=300", INTERVAL,
             o.buffer, o.histograms);
    write_atc('k', "same", &o, values, n, &want);
    if (read_atc("same", 0, &directory, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
    uint64_t *back = imitate(codec, 0, values, n, 1, NULL);
    assert_memory_equal(back, directory.bytes, 8 * n);
    count(codec, values, n, counts);
    assert_int_equal(counts[0], want.intervals);
    assert_int_equal(counts[1], want.intervals - want.chunks);
    assert_int_equal(counts[2], want.translated);
    chunks += want.chunks;
    translated += want.translated;
    oct_buffer_free(&directory);
    free(back);
    free(values);
  }
  assert_true(runs_share() || (chunks > 6 && translated > 6));
}

/* Figure 8: random values, ten intervals that look alike, a tenth of the bytes; over segments. */
static void test_random_tenfold(void **state) {
  (void)state;
  seed_random("random tenfold");
  if (!is_chosen()) return;
  const size_t interval = 131072, n = 10 * interval;
  uint64_t *values = malloc(8 * n);
  size_t file_bytes;
  assert_non_null(values);
  for (size_t i = 0; i < n; i++) values[i] = random_u64();
  uint64_t *back = imitate("atc-lossy:interval=131072,segment=4", 0, values, n, 1, &file_bytes);
  assert_true(file_bytes < 8 * interval * 102 / 100);
  for (size_t i = 0; i < 10; i++) assert_memory_equal(back + i * interval, values, 8 * interval);
  free(back);
  free(values);
}

/* An interval that its segment's end makes short is held against the beginnings of the chunks. */
static void test_short_intervals(void **state) {
  (void)state;
  seed_random("short intervals");
  uint64_t values[5 * INTERVAL];
  uint64_t counts[3];
  for (size_t i = 0; i < INTERVAL; i++) values[i] = i < INTERVAL / 2 ? 64 * i : random_u64();
  for (size_t i = INTERVAL; i < 5 * INTERVAL; i++) values[i] = values[i % INTERVAL];
  const size_t n = 3 * INTERVAL + INTERVAL / 2;
  count("atc-lossy:interval=2000", values, n, counts);
  assert_int_equal(counts[0], 4);
  assert_int_equal(counts[1], 3);
  uint64_t *back = imitate("atc-lossy:interval=2000,stage=none,level=0", 0, values, n, 0, NULL);
  assert_memory_equal(back, values, 8 * n);
  free(back);
  /* The first half looks like the whole of none: by the beginnings alone it does. */
  assert_true(furthest(values, values + INTERVAL / 2, INTERVAL / 2) > 0.1);
  /* Cut anywhere: the first segment has the chunk, the others imitate what begins alike. */
  size_t file_bytes;
  back = imitate("atc-lossy:interval=2000,stage=none,level=0", 8 * (INTERVAL + 300), values,
                 INTERVAL + 300, 0, &file_bytes);
  assert_memory_equal(back, values, 8 * (INTERVAL + 300));
  assert_true(file_bytes < 8 * INTERVAL + 1000);
  free(back);
}

/* So many chunks are kept, the newest. */
static void test_kept(void **state) {
  (void)state;
  static uint64_t values[60 * INTERVAL];
  static const struct {
    unsigned histograms, kinds, imitated;
  } cases[] = {{1, 1, 59}, {1, 2, 0}, {2, 2, 58}, {2, 3, 0}, {3, 3, 57}, {4, 3, 57}};
  for (unsigned c = 0; c < sizeof cases / sizeof *cases; c++) {
    uint64_t counts[3];
    char codec[80];
    /* Kind k has 2^k different addresses. */
    for (size_t i = 0; i < 60 * INTERVAL; i++)
      values[i] = i & ((1u << i / INTERVAL % cases[c].kinds) - 1);
    snprintf(codec, sizeof codec, "atc-lossy:interval=2000,stage=zstd,histograms=%u",
             cases[c].histograms);
    count(codec, values, 60 * INTERVAL, counts);
    assert_int_equal(counts[0], 60);
    assert_int_equal(counts[1], cases[c].imitated);
    uint64_t *back = imitate(codec, 8 * 7 * INTERVAL, values, 60 * INTERVAL, 2, NULL);
    assert_memory_equal(back, values, sizeof values);
    free(back);
  }
}

/* An interval trace that tells of what is not there. */
static void test_interval_trace_that_lies(void **state) {
  (void)state;
  static const uint8_t zeros[8];
  static const struct {
    const char *trace;
    size_t n;
    const char *said;
  } cases[] = {
      {"", 0, "ends too early"},           {"\2", 1, "unknown kind 2"},
      {"\1\0\0\0\0\0", 6, "chunk 0 of 0"}, {"\0\1\1\0\0\0\0", 7, "chunk 1 of 1"},
      {"\0\1\0\0\0", 5, "ends too early"}, {"\0\1\0\0\0\0\1map", 10, "ends too early"},
      {"\0\0", 2, "column 0 has 0 bytes"},
  };
  oct_codec_settings s = settings_of("atc-lossy:interval=8");
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    oct_cursor streams[9];
    uint8_t records[8 * 16];
    void *decoder;
    oct_diag diag = {0};
    for (unsigned k = 0; k < 8; k++) streams[k] = (oct_cursor){zeros, 8, false};
    streams[8] = (oct_cursor){(const uint8_t *)cases[i].trace, cases[i].n, false};
    assert_int_equal(s.codec->decoder_new(&s, &oct_layout_addr64, &decoder, &diag), 0);
    assert_int_equal(s.codec->decode_begin(decoder, streams, 16, &diag), 0);
    assert_int_equal(s.codec->decode(decoder, streams, records, 16, &diag), OCT_ERR_FORMAT);
    if (!strstr(oct_diag_line(&diag).text, cases[i].said))
      fail_msg("case %u: %s", i, oct_diag_line(&diag).text);
    s.codec->decoder_free(decoder);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_promise),        cmocka_unit_test(test_like_the_directory),
      cmocka_unit_test(test_random_tenfold), cmocka_unit_test(test_short_intervals),
      cmocka_unit_test(test_kept),           cmocka_unit_test(test_interval_trace_that_lies),
  };
  return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
