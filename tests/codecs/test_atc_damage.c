/* SPDX-License-Identifier: Apache-2.0 */
/* test_atc_damage.c - does a damaged ATC directory end in an error that says file and offset? */
#include <xxhash.h>

#include "atc_util.h"
#include "oct_atc_info.h"

enum { N = 700, INTERVAL = 200 };

/* A chunk, its translated copy, a chunk and a short one. */
static void make_dir(const char *dir, oct_general_kind stage, uint64_t *values) {
  oct_atc_options o = small_options(64, INTERVAL);
  oct_atc_counts counts;
  o.stage = stage;
  o.level = oct_general_default_level(stage);
  for (unsigned i = 0; i < N; i++)
    values[i] = i < INTERVAL       ? 0x10000 + i % 8 * 64
                : i < 2 * INTERVAL ? 0x20000 + i % 8 * 64
                                   : (uint64_t)i * i * i << 20;
  write_atc('k', dir, &o, values, N, &counts);
  assert_int_equal(counts.chunks, 3);
  assert_int_equal(counts.translated, 1);
}

/* Reading fails, and says `file` and an offset; or gives the values, if it may. */
static void expect_error(const char *file, const uint64_t *values, bool may_be_right) {
  oct_buffer back = {0};
  oct_diag diag = {0};
  int error = read_atc("d", below(8) == 0, &back, &diag);
  if (!error && !may_be_right) fail_msg("%s: damage was not found", file);
  if (!error) assert_int_equal(back.n_bytes, 8 * N);
  if (error && !strstr(oct_diag_line(&diag).text, file))
    fail_msg("%s is not named: %s", file, oct_diag_line(&diag).text);
  if (error && !strstr(oct_diag_line(&diag).text, "offset "))
    fail_msg("no offset: %s", oct_diag_line(&diag).text);
  if (error && strchr(oct_diag_line(&diag).text, '\n'))
    fail_msg("several lines: %s", oct_diag_line(&diag).text);
  /* What came before the error is right (the second interval is an exact imitation). */
  assert_true(back.n_bytes <= 8 * N);
  if (back.n_bytes) assert_memory_equal(back.bytes, values, back.n_bytes);
  oct_buffer_free(&back);
}

/* Every file of the directory: cut anywhere, a bit flipped anywhere, longer than it was. */
static void test_every_byte(void **state) {
  (void)state;
  static const struct {
    oct_general_kind stage;
    const char *suffix;
  } stages[] = {{OCT_GENERAL_NONE, "raw"},
                {OCT_GENERAL_BZIP2, "bz2"},
                {OCT_GENERAL_ZSTD, "zst"},
                {OCT_GENERAL_GZIP, "gz"}};
  static uint64_t values[N];
  seed_random("every byte");
  for (unsigned s = 0; s < sizeof stages / sizeof *stages; s++)
    for (unsigned number = 0; number <= 3; number++) {
      char path[32], name[8] = "INFO";
      if (number) snprintf(name, sizeof name, "%u", number);
      snprintf(path, sizeof path, "d/%s.%s", name, stages[s].suffix);
      make_dir("d", stages[s].stage, values);
      size_t n;
      uint8_t *file = load(path, &n);
      for (size_t at = 0; at < n; at += 1 + (n > 100 ? below(8) : 0)) {
        if (is_left_out()) continue;
        uint8_t bit = (uint8_t)(1u << below(8));
        file[at] ^= bit;
        save(path, file, n);
        /* A header of a library has bits that mean nothing. */
        expect_error(path, values, !number && stages[s].stage != OCT_GENERAL_NONE);
        file[at] ^= bit;
        save(path, file, at);
        expect_error(path, values, false);
      }
      file[n] = 'x'; /* load leaves room for it */
      save(path, file, n + 1);
      expect_error(path, values, !number && stages[s].stage == OCT_GENERAL_GZIP);
      free(file);
    }
}

/* Files that are missing, or stand for another. */
static void test_wrong_files(void **state) {
  (void)state;
  uint64_t values[N];
  oct_buffer back = {0};
  oct_diag diag = {0};
  make_dir("d", OCT_GENERAL_NONE, values);
  assert_int_equal(rename("d/3.raw", "d/4.raw"), 0);
  assert_int_equal(read_atc("d", 1, &back, &diag), OCT_ERR_IO);
  assert_non_null(strstr(oct_diag_line(&diag).text, "d/3.raw: cannot open: No such file"));
  assert_int_equal(back.n_bytes, 8 * 3 * INTERVAL);
  /* 1 and 2 have the same length. */
  assert_int_equal(rename("d/1.raw", "d/3.raw"), 0);
  assert_int_equal(rename("d/2.raw", "d/1.raw"), 0);
  assert_int_equal(rename("d/3.raw", "d/2.raw"), 0);
  back.n_bytes = 0;
  assert_int_equal(read_atc("d", 1, &back, &diag), OCT_ERR_CHECKSUM);
  assert_non_null(strstr(oct_diag_line(&diag).text, "d/1.raw: offset 0: "));
  save("d/INFO.bz2", "x", 1);
  assert_int_equal(read_atc("d", 1, &back, &diag), OCT_ERR_FORMAT);
  assert_non_null(strstr(oct_diag_line(&diag).text, "d: expected one file INFO.*, found 2"));
  unlink("d/INFO.bz2");
  unlink("d/INFO.raw");
  assert_int_equal(read_atc("d", 1, &back, &diag), OCT_ERR_FORMAT);
  assert_int_equal(read_atc("d/1.raw", 1, &back, &diag), OCT_ERR_IO);
  oct_buffer_free(&back);
}

/* INFO of this text, with the right hash: what is said of it. */
static int parse(const char *text, oct_diag *diag) {
  char whole[4096];
  oct_atc_info info;
  int n = snprintf(whole, sizeof whole, "%s", text);
  n += snprintf(whole + n, sizeof whole - (size_t)n, "end %016llx\n",
                (unsigned long long)XXH64(whole, (size_t)n, 0));
  int error = oct_atc_info_parse(whole, (size_t)n, &info, diag);
  oct_atc_info_free(&info);
  return error;
}

#define HEAD "ATC 1\nmode lossy\nstage none\nbuffer 10\ninterval 4\nthreshold 0.1\n"
#define CHUNK "chunk 4 0123456789abcdef\npiece 32 32 0123456789abcdef\n"

/* A hash made right does not help lists that make no sense. */
static void test_lists_that_lie(void **state) {
  (void)state;
  static const struct {
    const char *text, *says;
  } bad[] = {
      {"ATC 2\n", "version 1"},
      {"atc 1\n", "'ATC 1'"},
      {"ATC 1\nmode loss\n", "'mode lossless'"},
      {"ATC 1\nmode lossy\nstage lzo\n", "none, gzip"},
      {"ATC 1\nmode lossy\nstage xz\nbuffer 0\n", "'buffer 1..100000000'"},
      {"ATC 1\nmode lossy\nstage xz\nbuffer 100000001\n", "'buffer 1..100000000'"},
      {"ATC 1\nmode lossy\nstage xz\nbuffer 1\ninterval 0\n", "interval"},
      {"ATC 1\nmode lossy\nstage xz\nbuffer 1\ninterval 1\nthreshold 3\n", "threshold"},
      {"ATC 1\nmode lossy\nstage xz\nbuffer 1\ninterval 1\nthreshold nan\n", "threshold"},
      {HEAD, "'addresses 0..0'"},
      {HEAD "addresses 1\n", "'addresses 0..0'"},
      {HEAD "addresses 0\naddresses 0\n", "'end'"},
      {HEAD "chunk 5 0123456789abcdef\n", "'chunk ADDRESSES HASH'"},
      {HEAD "chunk 0 0123456789abcdef\n", "'chunk ADDRESSES HASH'"},
      {HEAD "chunk 4 0123456789abcdeX\n", "'chunk ADDRESSES HASH'"},
      {HEAD "chunk 4 0123456789abcdef\naddresses 4\n", "'piece PACKED RAW HASH'"},
      {HEAD "chunk 4 0123456789abcdef\npiece 32 33 0123456789abcdef\n", "'piece PACKED"},
      {HEAD "chunk 4 0123456789abcdef\npiece 0 32 0123456789abcdef\n", "'piece PACKED"},
      {HEAD "chunk 4 0123456789abcdef\npiece 99999999 32 0123456789abcdef\n", "'piece PACKED"},
      {HEAD "copy 1\naddresses 4\n", "a copy of a whole chunk above"},
      {HEAD CHUNK "copy 2\n", "a copy of a whole chunk above"},
      {HEAD CHUNK "copy 0\n", "a copy of a whole chunk above"},
      {HEAD CHUNK "copy 1 8:00\n", "'BYTE:MAP'"},
      {HEAD CHUNK "copy 1 0:0000\n", "a permutation"},
      {HEAD CHUNK "copy 1 0:00\n", "a permutation"},
      {HEAD CHUNK "copy 1x\n", "the end of the line"},
      {HEAD "chunk 3 0123456789abcdef\npiece 24 24 0123456789abcdef\n" CHUNK, "no interval after"},
      {"ATC 1\nmode lossless\nstage none\nbuffer 10\n" CHUNK "copy 1\n", "no interval after"},
      {"ATC 1\nmode lossless\nstage none\nbuffer 10\nchunk 99999999999999999999 "
       "0123456789abcdef\n",
       "'chunk ADDRESSES HASH'"}};
  oct_diag diag = {0};
  assert_int_equal(parse(HEAD "addresses 0\n", &diag), 0);
  assert_int_equal(parse(HEAD CHUNK "copy 1\naddresses 8\n", &diag), 0);
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    if (!parse(bad[i].text, &diag)) fail_msg("taken: %s", bad[i].text);
    if (!strstr(oct_diag_line(&diag).text, bad[i].says) ||
        strncmp(oct_diag_line(&diag).text, "offset ", 7))
      fail_msg("%s, for %s", oct_diag_line(&diag).text, bad[i].text);
  }
  /* A map of all bytes, and one that has a byte twice. */
  for (unsigned twice = 0; twice < 2; twice++) {
    char text[1024] = HEAD CHUNK "copy 1 7:";
    for (unsigned b = 0; b < 256; b++)
      snprintf(text + strlen(text), 3, "%02x", b == 200 && twice ? 7 : 255 - b);
    strcat(text, "\naddresses 8\n");
    assert_int_equal(parse(text, &diag), twice ? OCT_ERR_FORMAT : 0);
    if (twice) assert_non_null(strstr(oct_diag_line(&diag).text, "a permutation"));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_byte),
      cmocka_unit_test(test_wrong_files),
      cmocka_unit_test(test_lists_that_lie),
  };
  return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
