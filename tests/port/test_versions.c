/* SPDX-License-Identifier: Apache-2.0 */
/* test_versions.c - a format that changed before it was released: is what was made then refused by
 * its version? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chunk_sums.h"

static void test_unreleased_version(void **state) {
  static const char line[] = "\ntracer_version: 3\n", other[] = "\ntracer_version: 2\n";
  char path[] = "/tmp/oct_versions_XXXXXX";
  const oct_tracer *shadow = oct_tracer_find("shadow");
  const oct_container_info info = {.isa = "armv5te"};
  const oct_container_totals totals = {.insns = 0};
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  uint8_t bytes[4096];
  oct_container_writer *w;
  oct_container_reader *r;
  oct_diag diag;
  (void)state;
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  oct_tracer_defaults(shadow, params);
  assert_int_equal(oct_container_create(path, shadow, params, &info, &w, &diag), 0);
  assert_int_equal(oct_container_commit(w, &totals, &diag), 0);
  FILE *f = fopen(path, "r+b");
  size_t n = fread(bytes, 1, sizeof bytes, f);
  assert_true(n > 0 && n < sizeof bytes);
  uint8_t *at = memmem(bytes, n, line, strlen(line));
  assert_non_null(at);
  memcpy(at, other, strlen(other));
  renew_head(bytes);
  rewind(f);
  assert_int_equal(fwrite(bytes, 1, n, f), n);
  fclose(f);
  assert_int_equal(oct_container_open(path, &r, &diag), OCT_ERR_UNSUPPORTED);
  assert_non_null(
      strstr(oct_diag_line(&diag).text, "version 2 of the tracer shadow is no longer read"));
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_unreleased_version)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
