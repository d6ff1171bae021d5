/* SPDX-License-Identifier: Apache-2.0 */
/* test_atc.c - does an ATC directory give back what was put in, without loss all of it, and with
 * loss what section 5 of Michaud 2009 says? */
#include "atc_util.h"
#include "oct_atc_info.h"

enum { RANDOM, EQUAL, SORTED, ALTERNATING, MAXIMAL, KINDS };

static void make_values(int kind, uint64_t *values, size_t n) {
  for (size_t i = 0; i < n; i++)
    values[i] = kind == RANDOM        ? random_u64()
                : kind == EQUAL       ? UINT64_C(0x7f00deadbeefc0)
                : kind == SORTED      ? UINT64_C(0xffffff00) + 64 * i
                : kind == ALTERNATING ? (i & 1 ? UINT64_MAX : 0)
                                      : UINT64_MAX - (i % 7 == 0);
}

/* Every kind and size, around buffers and intervals, by every second stage. */
static void test_lossless(void **state) {
  (void)state;
  static uint64_t values[30000];
  static const size_t sizes[] = {0, 1, 2, 999, 1000, 1001, 30000};
  seed_random("lossless");
  for (int kind = 0; kind < KINDS; kind++)
    for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      if (is_left_out()) continue;
      oct_atc_options o = small_options(1000, 5000);
      oct_buffer back = {0};
      oct_diag diag = {0};
      oct_atc_counts counts;
      o.stage = (oct_general_kind)((kind + k) % (OCT_GENERAL_ZSTD + 1));
      o.level = oct_general_default_level(o.stage);
      o.n_threads = k % 3;
      make_values(kind, values, sizes[k]);
      write_atc('c', "there", &o, values, sizes[k], &counts);
      assert_int_equal(counts.addresses, sizes[k]);
      assert_int_equal(counts.chunks, sizes[k] != 0);
      assert_int_equal(count_entries("there"), 1 + (sizes[k] != 0));
      if (read_atc("there/", (k + 1) % 3, &back, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
      assert_int_equal(back.n_bytes, 8 * sizes[k]);
      if (sizes[k]) assert_memory_equal(back.bytes, values, back.n_bytes);
      oct_buffer_free(&back);
    }
  assert_true(runs_share() || count_entries(".") == 1);
}

/* Several pieces, with the workers of both sides busy. */
static void test_pieces(void **state) {
  (void)state;
  const size_t n = 5 * OCT_ATC_PIECE_BYTES / 8 + 1234;
  uint64_t *values = malloc(8 * n);
  assert_non_null(values);
  for (size_t i = 0; i < n; i++) values[i] = i * 64 + (i % 1000) * 4096;
  for (unsigned threads = 0; threads < 4; threads++) {
    oct_atc_options o = small_options(1000000, 1);
    oct_buffer back = {0};
    oct_diag diag = {0};
    o.n_threads = threads;
    write_atc('c', "pieces", &o, values, n, NULL);
    if (read_atc("pieces", 3 - threads, &back, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
    assert_int_equal(back.n_bytes, 8 * n);
    assert_memory_equal(back.bytes, values, back.n_bytes);
    oct_buffer_free(&back);
  }
  free(values);
}

/* With loss all keeps its length, and what looks like nothing before comes back as it was. */
static void test_lossy_lengths(void **state) {
  (void)state;
  static uint64_t values[30000];
  static const size_t sizes[] = {0, 1, 2499, 2500, 2501, 5000, 29999, 30000};
  seed_random("lossy lengths");
  for (int kind = 0; kind < KINDS; kind++)
    for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      if (is_left_out()) continue;
      oct_atc_options o = small_options(1000, 2500);
      oct_buffer back = {0};
      oct_diag diag = {0};
      oct_atc_counts counts;
      make_values(kind, values, sizes[k]);
      write_atc('k', "there", &o, values, sizes[k], &counts);
      assert_int_equal(counts.intervals, (sizes[k] + 2499) / 2500);
      if (read_atc("there", k % 3, &back, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
      assert_int_equal(back.n_bytes, 8 * sizes[k]);
      /* The first interval is a chunk; so is a short one at the end. */
      size_t exact = sizes[k] < 2500 ? sizes[k] : 2500, rest = sizes[k] % 2500;
      if (exact) assert_memory_equal(back.bytes, values, 8 * exact);
      if (rest)
        assert_memory_equal(back.bytes + 8 * (sizes[k] - rest), values + sizes[k] - rest, 8 * rest);
      /* Intervals of one set of addresses are imitated without an error. */
      if (kind == EQUAL || kind == ALTERNATING) {
        if (back.n_bytes) assert_memory_equal(back.bytes, values, back.n_bytes);
        if (sizes[k]) assert_int_equal(counts.chunks, 1 + (sizes[k] > 2500 && rest));
      }
      /* threshold 0: nothing looks like anything. */
      o.threshold = 0;
      write_atc('k', "there", &o, values, sizes[k], &counts);
      assert_int_equal(counts.chunks, counts.intervals);
      back.n_bytes = 0;
      if (read_atc("there", 1, &back, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
      if (back.n_bytes) assert_memory_equal(back.bytes, values, back.n_bytes);
      oct_buffer_free(&back);
    }
}

/* Figure 8 with intervals of 200000: random values, ten intervals that look alike, one chunk. */
static void test_random_tenfold(void **state) {
  (void)state;
  seed_random("random tenfold");
  if (!is_chosen()) return;
  const size_t interval = 200000, n = 10 * interval;
  uint64_t *values = malloc(8 * n);
  oct_atc_options o = small_options(1000000, (uint32_t)interval);
  oct_buffer back = {0};
  oct_diag diag = {0};
  oct_atc_counts counts;
  assert_non_null(values);
  make_values(RANDOM, values, n);
  o.stage = OCT_GENERAL_BZIP2;
  write_atc('k', "foobar", &o, values, n, &counts);
  assert_int_equal(counts.intervals, 10);
  assert_int_equal(counts.chunks, 1);
  assert_int_equal(counts.translated, 0);
  /* bzip2 makes random bytes half a percent longer: 80355941 for 80000000 in the paper. */
  assert_true(counts.file_bytes < 8 * interval * 101 / 100);
  assert_int_equal(count_entries("foobar"), 2);
  assert_int_equal(access("foobar/1.bz2", R_OK), 0);
  assert_int_equal(access("foobar/INFO.bz2", R_OK), 0);
  if (read_atc("foobar", 1, &back, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  assert_int_equal(back.n_bytes, 8 * n);
  for (size_t i = 0; i < 10; i++)
    assert_memory_equal(back.bytes + 8 * i * interval, values, 8 * interval);
  oct_buffer_free(&back);
  free(values);
}

/* The example of section 5.1: F200..F2FF and F300..F3FF; the second byte is translated, the first
 * is not, and the imitation is perfect. */
static void test_translation_example(void **state) {
  (void)state;
  uint64_t values[512];
  uint8_t maps[OCT_ATC_BYTES][OCT_ATC_SYMBOLS];
  oct_atc_profile *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  oct_atc_options o = small_options(100, 256);
  oct_buffer back = {0};
  oct_diag diag = {0};
  oct_atc_counts counts;
  for (unsigned i = 0; i < 512; i++) values[i] = 0xf200 + i;
  oct_atc_profile_make(values, 256, a);
  oct_atc_profile_make(values + 256, 256, b);
  /* p_A[1] = (F2, 0, 1 ... F1, F3 ... FF) and p_B[1] = (F3, 0, 1 ... F2, F4 ... FF) */
  for (unsigned i = 0; i < 256; i++) {
    assert_int_equal(a->order[1][i], i == 0 ? 0xf2 : i <= 0xf2 ? i - 1 : i);
    assert_int_equal(b->order[1][i], i == 0 ? 0xf3 : i <= 0xf3 ? i - 1 : i);
    assert_int_equal(a->sorted[1][i], i ? 0 : 256);
    assert_int_equal(a->order[0][i], i);
  }
  assert_true(oct_atc_profile_distance(a, b) == 0);
  assert_true(oct_atc_histogram_distance(a->count[1], b->count[1], 256) == 2);
  assert_int_equal(oct_atc_translation(a, b, 0.1, maps), 1 << 1);
  /* t[1] = (0, 1 ... F1, F3, F2, F4 ... FF) */
  for (unsigned i = 0; i < 256; i++)
    assert_int_equal(maps[1][i], i == 0xf2 ? 0xf3 : i == 0xf3 ? 0xf2 : i);
  write_atc('k', "example", &o, values, 512, &counts);
  assert_int_equal(counts.chunks, 1);
  assert_int_equal(counts.translated, 1);
  if (read_atc("example", 1, &back, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  assert_memory_equal(back.bytes, values, sizeof values);
  oct_buffer_free(&back);
  free(a);
  free(b);
}

/* The distance is the largest over the bytes, and below the threshold means below. */
static void test_distance(void **state) {
  (void)state;
  uint64_t a[100], b[100];
  oct_atc_profile *p = malloc(sizeof *p), *q = malloc(sizeof *q);
  const oct_atc_profile *found;
  oct_atc_table table;
  for (unsigned i = 0; i < 100; i++) {
    a[i] = i % 2;                             /* 50, 50 */
    b[i] = (i < 40) | (i < 5 ? 1u << 24 : 0); /* 60, 40; and of byte 3 95, 5 */
  }
  oct_atc_profile_make(a, 100, p);
  oct_atc_profile_make(b, 100, q);
  assert_true(oct_atc_profile_distance(p, q) == 0.2);
  assert_true(oct_atc_profile_distance(q, p) == 0.2);
  assert_int_equal(oct_atc_table_init(&table, 2), 0);
  assert_int_equal(oct_atc_table_find(&table, q, 2, &found), 0);
  assert_int_equal(oct_atc_table_add(&table, p, 1), 0);
  assert_int_equal(oct_atc_table_find(&table, q, 0.2, &found), 0);
  assert_int_equal(oct_atc_table_find(&table, q, 0.2000001, &found), 1);
  /* The nearest, not the first; and the oldest chunk leaves a full table. */
  assert_int_equal(oct_atc_table_add(&table, q, 2), 0);
  assert_int_equal(oct_atc_table_find(&table, q, 0.3, &found), 2);
  assert_int_equal(oct_atc_table_find(&table, p, 0.3, &found), 1);
  assert_int_equal(oct_atc_table_add(&table, q, 3), 0);
  assert_int_equal(oct_atc_table_find(&table, p, 0.3, &found), 2);
  oct_atc_table_free(&table);
  free(p);
  free(q);
}

/* Phases that come back, of which the decoder keeps the chunks: translated in several bytes at
 * once, the imitation of an exact shift is exact. */
static void test_phases(void **state) {
  (void)state;
  enum { L = 4096, INTERVALS = 12 };
  static uint64_t values[L * INTERVALS];
  oct_atc_options o = small_options(1000, L);
  oct_buffer back = {0};
  oct_diag diag = {0};
  oct_atc_counts counts;
  for (unsigned k = 0; k < INTERVALS; k++)
    for (unsigned i = 0; i < L; i++)
      values[k * L + i] = k % 3 == 2
                              ? UINT64_C(0x400000) + 64 * (i % 256)
                              : (uint64_t)(0x10 + k) << 40 | (uint64_t)(0x90 - k) << 16 | i % 64;
  write_atc('k', "phases", &o, values, L * INTERVALS, &counts);
  assert_int_equal(counts.chunks, 2);
  assert_int_equal(counts.translated, 7);
  if (read_atc("phases", 1, &back, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  assert_memory_equal(back.bytes, values, sizeof values);
  oct_buffer_free(&back);
}

/* The four calls with the paper's arguments, and its loops. */
static void test_four_calls(void **state) {
  (void)state;
  oct_atc cp;
  unsigned long long x, n = 0;
  assert_int_equal(oct_atc_open(&cp, 'c', "four", "bz2", "bzip2 -c"), 0);
  for (x = 0; x < 10000; x++) assert_int_equal(oct_atc_code(&cp, x * x), 0);
  assert_int_equal(oct_atc_close(&cp), 0);
  assert_int_equal(oct_atc_open(&cp, 'd', "four", "bz2", "bunzip2 -c"), 0);
  while (oct_atc_decode(&cp, &x)) {
    assert_int_equal(x, n * n);
    n++;
  }
  assert_int_equal(n, 10000);
  assert_int_equal(oct_atc_close(&cp), 0);
  assert_int_equal(oct_atc_open(&cp, 'k', "none", "xz", "xz -0 -c"), 0);
  assert_int_equal(oct_atc_close(&cp), 0);
  assert_int_equal(oct_atc_open(&cp, 'd', "none", NULL, NULL), 0);
  assert_int_equal(oct_atc_decode(&cp, &x), 0);
  assert_int_equal(oct_atc_close(&cp), 0);
}

/* Wrong arguments and wrong turns end in one error that stays. */
static void test_misuse(void **state) {
  (void)state;
  static const struct {
    char mode;
    const char *dir, *suffix, *command;
  } bad[] = {{'x', "a", "bz2", "bzip2 -c"},  {'c', "a", "b/z", "bzip2 -c"},
             {'c', "a", "bz2", "compress"},  {'c', "a", "bz2", "bzip2 --best"},
             {'c', "a", "bz2", "bzip2 -0"},  {'c', "", "bz2", "bzip2"},
             {'c', "a b/c", "bz2", "bzip2"}, {'d', "missing", "bz2", "bunzip2 -c"},
             {'d', "missing", NULL, NULL}};
  oct_atc cp;
  unsigned long long x;
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    int error = oct_atc_open(&cp, bad[i].mode, bad[i].dir, bad[i].suffix, bad[i].command);
    assert_true(error < 0);
    assert_true(cp.diag.text[0]);
    assert_int_equal(oct_atc_code(&cp, 1), error);
    assert_int_equal(oct_atc_decode(&cp, &x), 0);
    assert_int_equal(oct_atc_close(&cp), error);
    assert_int_equal(count_entries("a"), -1);
  }
  oct_atc_options o;
  oct_atc_options_init(&o);
  assert_int_equal(oct_atc_open(&cp, 'k', "turn", NULL, NULL), 0);
  oct_atc_code(&cp, 1);
  assert_int_equal(oct_atc_decode(&cp, &x), 0);
  assert_int_equal(oct_atc_close(&cp), OCT_ERR_ARG);
  assert_int_equal(count_entries("turn"), -1);
  assert_int_equal(oct_atc_open(&cp, 'k', "turn", NULL, NULL), 0);
  oct_atc_code(&cp, 1);
  assert_int_equal(oct_atc_close(&cp), 0);
  assert_int_equal(oct_atc_open(&cp, 'd', "turn", NULL, NULL), 0);
  assert_int_equal(oct_atc_code(&cp, 1), OCT_ERR_ARG);
  assert_int_equal(oct_atc_close(&cp), OCT_ERR_ARG);
  /* A directory that is there stays, unless it may be replaced. */
  assert_int_equal(oct_atc_open_options(&cp, 'k', "turn", &o), OCT_ERR_IO);
  assert_int_equal(oct_atc_close(&cp), OCT_ERR_IO);
  o.replace = true;
  assert_int_equal(oct_atc_open_options(&cp, 'k', "turn", &o), 0);
  oct_atc_code(&cp, 1);
  oct_atc_abort(&cp);
  assert_int_equal(count_entries("turn"), 2);
  fclose(fopen("turn/notes.txt", "w"));
  assert_int_equal(oct_atc_open_options(&cp, 'k', "turn", &o), OCT_ERR_IO);
  assert_int_equal(oct_atc_close(&cp), OCT_ERR_IO);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lossless),
      cmocka_unit_test(test_pieces),
      cmocka_unit_test(test_lossy_lengths),
      cmocka_unit_test(test_random_tenfold),
      cmocka_unit_test(test_translation_example),
      cmocka_unit_test(test_distance),
      cmocka_unit_test(test_phases),
      cmocka_unit_test(test_four_calls),
      cmocka_unit_test(test_misuse),
  };
  return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
