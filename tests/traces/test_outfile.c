/* SPDX-License-Identifier: Apache-2.0 */
/* test_outfile.c - does an output appear under its name only when it is whole, and does nothing
 * stay behind when a signal ends the program? */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "test_util.h"

#include "oct_infile.h"
#include "octrace/error.h"

static bool has_unnamed = true; /* files (O_TMPFILE): not every file system */

/* In place of libc's. */
int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  unsigned mode = va_arg(list, unsigned);
  va_end(list);
  if (!has_unnamed && (flags & O_TMPFILE) == O_TMPFILE) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static char folder[] = "/tmp/oct-outfile-XXXXXX";

static const char *in_folder(const char *name) {
  static char path[4][sizeof folder + 1 + NAME_MAX];
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

static void commit_and_abort(void) {
  oct_diag diag;
  struct stat st;
  mode_t mask = umask(0);
  umask(mask);
  oct_outfile *f = opened("a");
  assert_int_equal(count_files(), has_unnamed ? 0 : 1);
  assert_int_equal(access(in_folder("a"), F_OK), -1);
  assert_int_equal(oct_outfile_tell(f), 4);
  assert_int_equal(oct_outfile_commit(f, &diag), 0);
  assert_int_equal(stat(in_folder("a"), &st), 0);
  assert_int_equal(st.st_mode, S_IFREG | (0666 & ~mask));
  assert_int_equal(count_files(), 1);
  oct_outfile_abort(opened("a"));
  assert_int_equal(count_files(), 1);
  /* A file that is there is replaced. */
  f = opened("a");
  assert_int_equal(oct_outfile_write(f, "more", 4, &diag), 0);
  assert_int_equal(oct_outfile_commit(f, &diag), 0);
  assert_int_equal(stat(in_folder("a"), &st), 0);
  assert_int_equal(st.st_size, 8);
  assert_int_equal(count_files(), 1);
  unlink(in_folder("a"));
  oct_outfile_abort(NULL);
}

static void test_commit_and_abort(void **state) {
  (void)state;
  commit_and_abort();
  has_unnamed = false;
  commit_and_abort();
  has_unnamed = true;
}

/* Inputs are kept once there is a guard: those known before the output is opened, and later ones.
 */
static void test_inputs(void **state) {
  (void)state;
  struct stat st;
  oct_diag diag;
  oct_outfile *f;
  save(in_folder("a"), "first", 5);
  save(in_folder("b"), "later", 5);
  int fd = oct_infile_open(in_folder("a"));
  assert_true(fd >= 0);
  close(fd);
  assert_int_equal(oct_outfile_commit(opened("a"), &diag), 0); /* no guard yet */
  oct_infile_guard(NULL);
  FILE *in = oct_infile_fopen(in_folder("a"));
  assert_non_null(in);
  fclose(in);
  assert_int_equal(oct_outfile_check(in_folder("a"), &diag), OCT_ERR_ARG);
  assert_int_equal(oct_outfile_open(in_folder("a"), &f, &diag), OCT_ERR_ARG);
  assert_int_equal(oct_outfile_check(in_folder("b"), &diag), 0);
  f = opened("b");
  assert_int_equal(oct_infile_note_path(in_folder("b")), 0);
  assert_int_equal(oct_outfile_settle(f, &diag), OCT_ERR_ARG);
  assert_int_equal(oct_outfile_commit(f, &diag), OCT_ERR_ARG);
  assert_int_equal(stat(in_folder("b"), &st), 0);
  assert_int_equal(st.st_size, 5);
  /* A file that is written for the first time is no input, nor is a device. */
  assert_int_equal(oct_infile_note_path(in_folder("none")), 0);
  assert_int_equal(oct_outfile_commit(opened("none"), &diag), 0);
  assert_int_equal(oct_infile_note_path("/dev/null"), 0);
  assert_int_equal(oct_outfile_check("/dev/null", &diag), 0);
  unlink(in_folder("a"));
  unlink(in_folder("b"));
  unlink(in_folder("none"));
}

/* What replaces a file is for the eyes of the same, from its first byte on. */
static void keeps_rights(mode_t mode) {
  oct_diag diag;
  struct stat before, after;
  save(in_folder("a"), "x", 1);
  if (!geteuid()) assert_int_equal(chown(in_folder("a"), 7, 8), 0);
  assert_int_equal(chmod(in_folder("a"), mode), 0);
  assert_int_equal(stat(in_folder("a"), &before), 0);
  oct_outfile *f = opened("a");
  DIR *d = opendir(folder);
  assert_non_null(d);
  for (struct dirent *e; (e = readdir(d)) != NULL;) {
    if (e->d_name[0] == '.') continue;
    assert_int_equal(stat(in_folder(e->d_name), &after), 0);
    assert_int_equal(after.st_mode, before.st_mode);
  }
  closedir(d);
  assert_int_equal(oct_outfile_commit(f, &diag), 0);
  assert_int_equal(stat(in_folder("a"), &after), 0);
  assert_true(after.st_ino != before.st_ino);
  assert_int_equal(after.st_size, 4);
  assert_int_equal(after.st_mode, before.st_mode);
  assert_int_equal(after.st_uid, before.st_uid);
  assert_int_equal(after.st_gid, before.st_gid);
  unlink(in_folder("a"));
}

static void test_keeps_rights(void **state) {
  static const mode_t modes[] = {0600, 0644, 0640, 0666, 0755, 0200};
  (void)state;
  for (int turn = 0; turn < 2; turn++) {
    has_unnamed = turn;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) keeps_rights(modes[i]);
  }
  has_unnamed = true;
}

/* Of two that write one file, the later does not take the place of what the earlier made. */
static void two_writers(bool there_is_one) {
  oct_diag diag;
  struct stat before, after;
  if (there_is_one) assert_int_equal(oct_outfile_commit(opened("a"), &diag), 0);
  oct_outfile *first = opened("a"), *second = opened("a");
  assert_int_equal(oct_outfile_write(first, "first", 5, &diag), 0);
  assert_int_equal(oct_outfile_commit(first, &diag), 0);
  assert_int_equal(stat(in_folder("a"), &before), 0);
  assert_int_equal(oct_outfile_commit(second, &diag), OCT_ERR_IO);
  assert_non_null(strstr(oct_diag_line(&diag).text,
                         "/a: cannot write: another program wrote it in the meantime"));
  assert_int_equal(stat(in_folder("a"), &after), 0);
  assert_int_equal(after.st_size, 9);
  assert_true(before.st_ino == after.st_ino);
  assert_int_equal(count_files(), 1);
  unlink(in_folder("a"));
}

/* Nor of one that was changed in its place, by as many bytes or by others. */
static void changed_in_place(const char *text) {
  oct_diag diag;
  struct stat after;
  assert_int_equal(oct_outfile_commit(opened("a"), &diag), 0);
  const struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
  assert_int_equal(utimensat(AT_FDCWD, in_folder("a"), old, 0), 0);
  oct_outfile *f = opened("a");
  save(in_folder("a"), text, strlen(text));
  assert_int_equal(oct_outfile_commit(f, &diag), OCT_ERR_IO);
  assert_int_equal(stat(in_folder("a"), &after), 0);
  assert_int_equal(after.st_size, strlen(text));
  unlink(in_folder("a"));
}

static void test_two_writers(void **state) {
  (void)state;
  for (int turn = 0; turn < 4; turn++) {
    has_unnamed = turn & 1;
    two_writers(turn & 2);
    changed_in_place("else");
    changed_in_place("longer");
  }
  has_unnamed = true;
}

/* What a killed program leaves is nothing, or is removed by who writes the same file next. What
 * another one is still writing, and what only looks alike, stays. */
static void test_killed(void **state) {
  (void)state;
  for (int turn = 0; turn < 2; turn++) {
    int status;
    has_unnamed = turn;
    pid_t child = fork();
    if (!child) {
      opened("a");
      kill(getpid(), SIGKILL);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(count_files(), has_unnamed ? 0 : 1);
    has_unnamed = false;
    save(in_folder("a.octrace-abc12"), "x", 1);
    save(in_folder("a.octrace-abc1234"), "x", 1);
    save(in_folder("b.octrace-abc123"), "x", 1);
    save(in_folder("a.octrace-abc123.c"), "x", 1);
    oct_outfile *other = opened("a");
    assert_int_equal(count_files(), 5);
    oct_outfile_abort(opened("a"));
    assert_int_equal(count_files(), 5);
    oct_outfile_abort(other);
    assert_int_equal(count_files(), 4);
    unlink(in_folder("a.octrace-abc123.c"));
    unlink(in_folder("a.octrace-abc12"));
    unlink(in_folder("a.octrace-abc1234"));
    unlink(in_folder("b.octrace-abc123"));
  }
  has_unnamed = true;
}

/* What is open goes; what is closed already stays, in whatever order; places are used again. */
static void test_unlink_all(void **state) {
  oct_diag diag;
  (void)state;
  has_unnamed = false;
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
  has_unnamed = true;
}

static void test_errors_name_the_output(void **state) {
  oct_outfile *f;
  oct_diag diag;
  (void)state;
  assert_int_equal(oct_outfile_open(in_folder("no/such"), &f, &diag), OCT_ERR_IO);
  assert_non_null(strstr(oct_diag_line(&diag).text, "no/such: cannot create"));
  assert_null(f);
  assert_int_equal(oct_outfile_open("/dev/full", &f, &diag), 0);
  assert_int_equal(oct_outfile_write(f, "text", 4, &diag), 0);
  assert_int_equal(oct_outfile_commit(f, &diag), OCT_ERR_IO);
  assert_non_null(strstr(oct_diag_line(&diag).text, "/dev/full: cannot write: No space left"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_commit_and_abort), cmocka_unit_test(test_keeps_rights),
      cmocka_unit_test(test_two_writers),      cmocka_unit_test(test_killed),
      cmocka_unit_test(test_unlink_all),       cmocka_unit_test(test_errors_name_the_output),
      cmocka_unit_test(test_inputs), /* last: its guard stays */
  };
  if (!mkdtemp(folder)) return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  rmdir(folder);
  return failed;
}
