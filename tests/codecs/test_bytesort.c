/* SPDX-License-Identifier: Apache-2.0 */
/* test_bytesort.c - is bytesort the transformation of section 4.1 of Michaud 2009, and is its
 * inverse one? */
#include "codec_util.h"
#include "octrace/codec.h"

enum { N_MAX = 5000 };

typedef struct columns {
  uint8_t *of[OCT_BYTESORT_COLUMNS_MAX];
  uint8_t bytes[OCT_BYTESORT_COLUMNS_MAX * N_MAX];
} columns;

static void lay_out(columns *c, size_t n) {
  memset(c->bytes, 0xee, sizeof c->bytes);
  for (unsigned k = 0; k < OCT_BYTESORT_COLUMNS_MAX; k++) c->of[k] = c->bytes + k * n;
}

/* F200, F201, A100, F202, F203, A101 ... F2FE, F2FF, A17F. */
static void worked_example(uint64_t *a) {
  for (unsigned i = 0; i < 128; i++) {
    a[3 * i] = 0xf200 + 2 * i;
    a[3 * i + 1] = 0xf201 + 2 * i;
    a[3 * i + 2] = 0xa100 + i;
  }
}

static void test_worked_example(void **state) {
  (void)state;
  static uint64_t a[384], back[384], scratch[2 * 384];
  static columns c;
  worked_example(a);
  lay_out(&c, 384);
  oct_bytesort(a, 384, 2, c.of, scratch);
  for (unsigned i = 0; i < 384; i++) {
    assert_int_equal(c.of[0][i], i % 3 == 2 ? 0xa1 : 0xf2);
    assert_int_equal(c.of[1][i], i < 128 ? i : i - 128);
  }
  oct_bytesort_undo((const uint8_t *const *)c.of, 384, 2, back, scratch);
  assert_memory_equal(a, back, sizeof a);
  oct_unshuffle(a, 384, 2, c.of);
  for (unsigned i = 0; i < 384; i++) assert_int_equal(c.of[1][i], (uint8_t)a[i]);
  oct_unshuffle_undo((const uint8_t *const *)c.of, 384, 2, back);
  assert_memory_equal(a, back, sizeof a);
}

/* The same through the codec: two streams, as said above. */
static void test_worked_example_as_codec(void **state) {
  (void)state;
  oct_codec_settings s = settings_of("bytesort:bytes=2");
  uint64_t a[384];
  uint8_t records[768];
  oct_buffer streams[2] = {{0}, {0}};
  oct_layout layout = layout_of(&s);
  oct_diag diag = {0};
  void *encoder;
  worked_example(a);
  oct_values_store(a, 384, 2, records);
  assert_int_equal(s.codec->n_streams(&s, &layout), 2);
  assert_int_equal(s.codec->encoder_new(&s, &layout, &encoder, &diag), 0);
  assert_int_equal(s.codec->encode(encoder, records, 100, streams, &diag), 0);
  assert_int_equal(s.codec->encode(encoder, records + 200, 284, streams, &diag), 0);
  assert_int_equal(s.codec->encode_end(encoder, streams, &diag), 0);
  s.codec->encoder_free(encoder);
  for (unsigned k = 0; k < 2; k++) assert_int_equal(streams[k].n_bytes, 384);
  for (unsigned i = 0; i < 384; i++) assert_int_equal(streams[1].bytes[i], i < 128 ? i : i - 128);
  oct_buffer_free(&streams[0]);
  oct_buffer_free(&streams[1]);
}

/* Figure 2 word by word: write the top byte, sort by it stably, shift it out. */
static void by_figure_2(const uint64_t *values, size_t n, unsigned width, uint8_t *const *out) {
  uint64_t *a = malloc((n + 1) * sizeof *a), *b = malloc((n + 1) * sizeof *b);
  memcpy(a, values, n * sizeof *a);
  for (unsigned k = 0; k < width; k++) {
    size_t at = 0;
    for (size_t i = 0; i < n; i++) out[k][i] = (uint8_t)(a[i] >> 8 * (width - 1));
    for (unsigned byte = 0; byte < 256; byte++)
      for (size_t i = 0; i < n; i++)
        if (out[k][i] == byte) b[at++] = a[i] << 8;
    memcpy(a, b, n * sizeof *a);
  }
  free(a);
  free(b);
}

enum { RANDOM, FEW_COLUMNS, EQUAL, SORTED, ALTERNATING, MAXIMAL, KINDS };

static uint64_t value_of(int kind, size_t i) {
  switch (kind) {
    case RANDOM:
      return random_u64();
    case FEW_COLUMNS: { /* some columns with one value in them */
      uint64_t value = UINT64_C(0x7fff001200000000) + (below(300) << 6);
      return value + (below(3) << 40);
    }
    case EQUAL:
      return UINT64_C(0x0123456789abcdef);
    case SORTED:
      return UINT64_C(0xfffffff0) + 64 * i;
    case ALTERNATING:
      return i & 1 ? UINT64_C(0xff00ff00ff00ff00) : UINT64_C(0x00ff00ff00ff00ff);
    default:
      return UINT64_MAX - (i % 3 == 0);
  }
}

static void test_against_definition(void **state) {
  (void)state;
  static uint64_t a[N_MAX], back[N_MAX], scratch[2 * N_MAX];
  static columns got, want;
  static const size_t sizes[] = {0, 1, 2, 3, 255, 256, 257, N_MAX};
  seed_random("against the definition");
  for (unsigned width = 1; width <= 8; width++)
    for (int kind = 0; kind < KINDS; kind++)
      for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        if (is_left_out()) continue;
        size_t n = sizes[k];
        uint64_t mask = UINT64_MAX >> (64 - 8 * width);
        for (size_t i = 0; i < n; i++) a[i] = value_of(kind, i) & mask;
        lay_out(&got, n);
        lay_out(&want, n);
        by_figure_2(a, n, width, want.of);
        oct_bytesort(a, n, width, got.of, scratch);
        if (memcmp(got.bytes, want.bytes, sizeof got.bytes))
          fail_msg("width %u, values %d, %zu of them: columns differ", width, kind, n);
        oct_bytesort_undo((const uint8_t *const *)got.of, n, width, back, scratch);
        if (memcmp(a, back, n * sizeof *a))
          fail_msg("width %u, values %d, %zu of them: not undone", width, kind, n);
        oct_unshuffle(a, n, width, got.of);
        oct_unshuffle_undo((const uint8_t *const *)got.of, n, width, back);
        if (memcmp(a, back, n * sizeof *a))
          fail_msg("width %u, values %d, %zu of them: not unshuffled", width, kind, n);
      }
}

/* Any columns have values: bytesort goes both ways round. */
static void test_any_columns(void **state) {
  (void)state;
  static uint64_t a[N_MAX], scratch[2 * N_MAX];
  static columns first, again;
  seed_random("any columns");
  lay_out(&first, N_MAX);
  lay_out(&again, N_MAX);
  for (size_t i = 0; i < 8 * N_MAX; i++) first.bytes[i] = (uint8_t)below(1 + i / N_MAX * 36);
  oct_bytesort_undo((const uint8_t *const *)first.of, N_MAX, 8, a, scratch);
  oct_bytesort(a, N_MAX, 8, again.of, scratch);
  assert_memory_equal(first.bytes, again.bytes, 8 * N_MAX);
}

/* Buffers and segments that do not divide the trace, all widths, through the codec file. */
static void test_buffers(void **state) {
  (void)state;
  static const char *const settings[] = {"bytesort:buffer=1,stage=zstd",
                                         "bytesort:buffer=7,stage=zstd",
                                         "bytesort:buffer=2500,stage=xz,level=0",
                                         "bytesort:buffer=5000,stage=bzip2",
                                         "bytesort:buffer=4999,bytes=4,stage=gzip",
                                         "bytesort:buffer=1000,bytes=2,stage=zstd",
                                         "bytesort:buffer=1000,bytes=1",
                                         "unshuffle:bytes=4"};
  seed_random("buffers");
  for (unsigned k = 0; k < sizeof settings / sizeof *settings; k++) {
    oct_codec_settings s = settings_of(settings[k]);
    oct_layout layout = layout_of(&s);
    size_t n_bytes = N_MAX * oct_layout_bytes(&layout);
    for (int cut = 0; cut < 2; cut++) {
      if (is_left_out()) continue;
      uint8_t *records = make_records(RECORDS_RANDOM, N_MAX, oct_layout_bytes(&layout));
      memory_file file = {{0}, 0};
      oct_buffer back = {0};
      oct_diag diag = {0};
      if (cut) s.segment_bytes = 3001;
      pack_records(&s, records, N_MAX, 1, &file);
      if (unpack_records(&file, 1, &back, &diag))
        fail_msg("%s: %s", settings[k], oct_diag_line(&diag).text);
      assert_int_equal(back.n_bytes, n_bytes);
      assert_memory_equal(back.bytes, records, n_bytes);
      oct_buffer_free(&back);
      oct_buffer_free(&file.bytes);
      free(records);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_worked_example),
      cmocka_unit_test(test_worked_example_as_codec),
      cmocka_unit_test(test_against_definition),
      cmocka_unit_test(test_any_columns),
      cmocka_unit_test(test_buffers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
