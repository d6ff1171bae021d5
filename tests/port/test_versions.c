/* SPDX-License-Identifier: Apache-2.0 */
/* test_versions.c - a format that changed before it was released: is what was made then refused by
 * its version? A parameter that got another name: is a file with the old one read? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chunk_sums.h"

/* Opens an empty container of a tracer in whose head a line is replaced by another of its length:
 * oct_container_open. */
static int open_changed(const char *tracer, const char *settings, const char *line,
                        const char *other, oct_container_reader **r, oct_diag *diag) {
  char path[] = "/tmp/oct_versions_XXXXXX";
  const oct_tracer *t = oct_tracer_find(tracer);
  const oct_container_info info = {.isa = "armv5te"};
  const oct_container_totals totals = {.insns = 0};
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  uint8_t bytes[4096];
  oct_container_writer *w;
  assert_int_equal(strlen(line), strlen(other));
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  oct_tracer_defaults(t, params);
  assert_int_equal(oct_tracer_parse(t, settings, params, NULL, diag), 0);
  assert_int_equal(oct_container_create(path, t, params, &info, &w, diag), 0);
  assert_int_equal(oct_container_commit(w, &totals, diag), 0);
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
  int error = oct_container_open(path, r, diag);
  unlink(path);
  return error;
}

static void test_unreleased_version(void **state) {
  oct_container_reader *r;
  oct_diag diag;
  (void)state;
  assert_int_equal(
      open_changed("shadow", "shadow", "\ntracer_version: 3\n", "\ntracer_version: 2\n", &r, &diag),
      OCT_ERR_UNSUPPORTED);
  assert_non_null(
      strstr(oct_diag_line(&diag).text, "version 2 of the tracer shadow is no longer read"));
}

static void test_old_name(void **state) {
  const oct_tracer *etmv4 = oct_tracer_find("etmv4");
  oct_container_reader *r;
  oct_diag diag;
  (void)state;
  assert_int_equal(open_changed("etmv4", "isa=1", "\nparam.default_isa: 1\n",
                                "\nparam.isa: 000000001\n", &r, &diag),
                   0);
  assert_int_equal(oct_container_params(r)[oct_tracer_param(etmv4, "default_isa")], 1);
  oct_container_close(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_unreleased_version),
                                     cmocka_unit_test(test_old_name)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
