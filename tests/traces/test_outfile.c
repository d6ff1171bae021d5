/* SPDX-License-Identifier: Apache-2.0 */
/* test_outfile.c - does an output appear under its name only when it is whole, and does nothing
 * stay behind when a signal ends the program? */
#include <dirent.h>

#include "test_util.h"

#include "oct_outfile.h"

static char folder[] = "/tmp/oct-outfile-XXXXXX";

static const char *in_folder(const char *name) {
  static char path[4][64];
  static unsigned turn;
  char *p = path[turn++ % 4];
  snprintf(p, sizeof path[0], "%s/%s", folder, name);
  return p;
}

static unsigned count_files(void) {
  unsigned n = 0;
  DIR *d = opendir(folder);
  assert_non_null(d);
  for (struct dirent *e; (e = readdir(d)) != NULL;) n += e->d_name[0] != '.';
  closedir(d);
  return n;
}

static oct_outfile *opened(const char *name) {
  oct_outfile *f;
  oct_diag diag;
  assert_int_equal(oct_outfile_open(in_folder(name), &f, &diag), 0);
  assert_int_equal(oct_outfile_write(f, "text", 4, &diag), 0);
  return f;
}

static void test_commit_and_abort(void **state) {
  oct_diag diag;
  (void)state;
  oct_outfile *f = opened("a");
  assert_int_equal(access(in_folder("a"), F_OK), -1);
  assert_int_equal(oct_outfile_tell(f), 4);
  assert_int_equal(oct_outfile_commit(f, &diag), 0);
  assert_int_equal(access(in_folder("a"), F_OK), 0);
  assert_int_equal(count_files(), 1);
  oct_outfile_abort(opened("a"));
  assert_int_equal(count_files(), 1);
  unlink(in_folder("a"));
  oct_outfile_abort(NULL);
}

/* What is open goes; what is closed already stays, in whatever order; places are used again. */
static void test_unlink_all(void **state) {
  oct_diag diag;
  (void)state;
  for (unsigned round = 0; round < 3; round++) {
    oct_outfile *a = opened("a"), *b = opened("b"), *c = opened("c"), *d;
    assert_int_equal(oct_outfile_commit(b, &diag), 0);
    d = opened("d");
    assert_int_equal(count_files(), 4);
    oct_outfile_unlink_all();
    assert_int_equal(count_files(), 1);
    oct_outfile_unlink_all();
    assert_int_equal(access(in_folder("b"), F_OK), 0);
    oct_outfile_abort(a);
    assert_int_equal(oct_outfile_commit(c, &diag), OCT_ERR_IO);
    oct_outfile_abort(d);
    assert_int_equal(count_files(), 1);
    unlink(in_folder("b"));
  }
}

static void test_errors_name_the_output(void **state) {
  oct_outfile *f;
  oct_diag diag;
  (void)state;
  assert_int_equal(oct_outfile_open(in_folder("no/such"), &f, &diag), OCT_ERR_IO);
  assert_non_null(strstr(diag.text, "no/such: cannot create"));
  assert_null(f);
  assert_int_equal(oct_outfile_open("/dev/full", &f, &diag), 0);
  assert_int_equal(oct_outfile_write(f, "text", 4, &diag), 0);
  assert_int_equal(oct_outfile_commit(f, &diag), OCT_ERR_IO);
  assert_non_null(strstr(diag.text, "/dev/full: cannot write: No space left"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_commit_and_abort),
      cmocka_unit_test(test_unlink_all),
      cmocka_unit_test(test_errors_name_the_output),
  };
  if (!mkdtemp(folder)) return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  rmdir(folder);
  return failed;
}
