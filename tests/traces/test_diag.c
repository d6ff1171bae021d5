/* SPDX-License-Identifier: Apache-2.0 */
/* test_diag.c - an error is a value: its fields, and the line that is made of them. */
#include "octrace/error.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void assert_line(const oct_diag *diag, const char *line) {
  assert_string_equal(oct_diag_line(diag).text, line);
}

static void lines(void **state) {
  oct_diag diag;
  (void)state;
  assert_int_equal(oct_fail(&diag, OCT_ERR_ARG, "a %s", "word"), OCT_ERR_ARG);
  assert_line(&diag, "a word");
  assert_int_equal(oct_diag_in(&diag, "file", 0), 0);
  assert_null(diag.path); /* no error, no path */
  oct_diag_in(&diag, "file", OCT_ERR_ARG);
  oct_diag_in(&diag, "another", OCT_ERR_ARG); /* the first layer knows best */
  assert_line(&diag, "file: a word");
  oct_diag_in(&diag, "file", oct_fail_at(&diag, OCT_ERR_FORMAT, OCT_AT_LINE, 12, "odd"));
  assert_line(&diag, "file:12: odd");
  assert_string_equal(oct_diag_reason(&diag).text, "line 12: odd");
  static const struct {
    oct_unit unit;
    const char *words;
  } units[] = {{OCT_AT_BYTE, "file: offset 7: odd"},
               {OCT_AT_UNPACKED_BYTE, "file: offset 7 of the unpacked data: odd"},
               {OCT_AT_BIT, "file: bit 7: odd"},
               {OCT_AT_BEFORE_BIT, "file: before bit 7: odd"},
               {OCT_AT_INSN, "file: instruction 7: odd"},
               {OCT_AT_BEFORE_INSN, "file: before instruction 7: odd"}};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    oct_fail_at(&diag, OCT_ERR_FORMAT, units[i].unit, 7, "odd");
    oct_diag_at(&diag, OCT_AT_LINE, 8, OCT_ERR_FORMAT); /* it has a place */
    oct_diag_in(&diag, "file", OCT_ERR_FORMAT);
    assert_line(&diag, units[i].words);
  }
  oct_fail_insn(&diag, OCT_ERR_LIMIT, UINT64_MAX, 0x8000, "odd");
  assert_line(&diag, "instruction 18446744073709551615 (0x8000): odd");
  oct_diag_in(&diag, "file", oct_fail_param(&diag, OCT_ERR_CONFIG, "pins", 3, "expected 4"));
  assert_line(&diag, "file: pins=3: expected 4");
  assert_true(diag.origin == OCT_ORIGIN_PARAM);
  oct_diag_other(&diag, "second", oct_fail_in(&diag, OCT_ERR_ARG, "file", "not that of"));
  assert_line(&diag, "file: not that of (second)");
  oct_diag empty = {.error = OCT_ERR_NOMEM};
  assert_line(&empty, "out of memory");
}

static void itself(void **state) {
  oct_diag diag, copy;
  (void)state;
  oct_fail_in(&diag, OCT_ERR_IO, "file", "odd");
  oct_fail_in(&diag, OCT_ERR_IO, diag.path, "head: %s", diag.text); /* of its own parts */
  assert_line(&diag, "file: head: odd");
  assert_int_equal(oct_diag_pass(&copy, &diag, OCT_ERR_FORMAT), OCT_ERR_FORMAT);
  assert_int_equal(copy.error, OCT_ERR_FORMAT);
  assert_line(&copy, "file: head: odd");
  assert_int_equal(oct_fail(NULL, OCT_ERR_IO, "none"), OCT_ERR_IO);
  assert_int_equal(oct_diag_in(NULL, "file", OCT_ERR_IO), OCT_ERR_IO);
  assert_int_equal(oct_diag_pass(NULL, &diag, OCT_ERR_IO), OCT_ERR_IO);
}

/* A path is whole up to the longest that a system opens; the reason is whole in any case. */
static void long_paths(void **state) {
  static char path[9500], line[2 * sizeof path + 100];
  oct_diag diag;
  (void)state;
  for (size_t n = 200; n < 4096; n += 97) {
    memset(path, 'a' + n % 26, n);
    path[n] = '\0';
    oct_diag_in(&diag, path, oct_fail_at(&diag, OCT_ERR_FORMAT, OCT_AT_INSN, n, "odd"));
    snprintf(line, sizeof line, "%s: instruction %zu: odd", path, n);
    assert_line(&diag, line);
    oct_diag_other(&diag, path, OCT_ERR_FORMAT);
    snprintf(line, sizeof line, "%s: instruction %zu: odd (%s)", path, n, path);
    assert_line(&diag, line);
  }
  memset(path, 'z', sizeof path - 1);
  oct_fail_in(&diag, OCT_ERR_IO, path, "%s", strerror(36));
  const oct_diag_text cut = oct_diag_line(&diag);
  assert_non_null(strstr(cut.text, "zzz...zzz"));
  assert_non_null(strstr(cut.text, strerror(36)));
  path[7000] = 0;
  memset(path, 'y', 7000); /* a text that long keeps both ends */
  oct_fail(&diag, OCT_ERR_ARG, "begin %s end", path);
  assert_int_equal(strlen(diag.text), sizeof diag.text - 1);
  assert_non_null(strstr(diag.text, "begin yyy"));
  assert_string_equal(diag.text + strlen(diag.text) - 8, "yyyy end");
}

static void *fail_often(void *context) {
  const unsigned me = *(const unsigned *)context;
  for (unsigned i = 0; i < 2000; i++) {
    char path[32], line[64];
    oct_diag diag;
    snprintf(path, sizeof path, "file %u", (i * 7 + me) % 50);
    oct_fail_in(&diag, OCT_ERR_IO, path, "odd");
    snprintf(line, sizeof line, "%s: odd", path);
    if (strcmp(oct_diag_line(&diag).text, line) != 0) return context;
  }
  return NULL;
}

static void threads(void **state) {
  unsigned number[4];
  pthread_t thread[4];
  (void)state;
  for (unsigned i = 0; i < 4; i++) {
    number[i] = i;
    assert_int_equal(pthread_create(&thread[i], NULL, fail_often, &number[i]), 0);
  }
  for (unsigned i = 0; i < 4; i++) {
    void *wrong;
    assert_int_equal(pthread_join(thread[i], &wrong), 0);
    assert_null(wrong);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lines), cmocka_unit_test(itself),
                                     cmocka_unit_test(long_paths), cmocka_unit_test(threads)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
