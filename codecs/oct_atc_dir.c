/* SPDX-License-Identifier: Apache-2.0 */
/* oct_atc_dir.c - the directory of a trace: its names, made whole or not at all.
 *
 * A directory is made under a temporary name beside the final one, with a lock that ends with its
 * maker, and renamed when all is in it. One that is replaced must be empty or hold nothing but the
 * files of ATC. The directories under way stand in a list that a signal handler can walk. */
#include "oct_atc_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "oct_temporary.h"

bool oct_atc_suffix_ok(const char *suffix) {
  size_t n = strlen(suffix);
  for (size_t i = 0; i < n; i++)
    if (suffix[i] <= ' ' || suffix[i] > '~' || suffix[i] == '/') return false;
  return n <= OCT_ATC_SUFFIX_MAX;
}

char *oct_atc_path(const char *dir, uint32_t number, const char *suffix) {
  size_t n = strlen(dir) + strlen(suffix) + 16;
  char *path = malloc(n), name[12] = "INFO";
  if (!path) return NULL;
  if (number) snprintf(name, sizeof name, "%" PRIu32, number);
  snprintf(path, n, "%s/%s%s%s", dir, name, *suffix ? "." : "", suffix);
  return path;
}

/* Whether a file of this name may stand in an ATC directory; *suffix: of INFO, or NULL. */
static bool is_ours(const char *name, const char **suffix) {
  bool info = !strncmp(name, "INFO", 4);
  size_t n = info ? 4 : strspn(name, "0123456789");
  const char *rest = name + n + (name[n] == '.');
  *suffix = info ? rest : NULL;
  return n && (name[n] == '.' || !name[n]) && oct_atc_suffix_ok(rest);
}

/* How many files a directory has: INFO files, files that are not ours, and all. */
typedef struct dir_counts {
  unsigned n_info, n_others, n;
  char suffix[OCT_ATC_SUFFIX_MAX + 1]; /* of an INFO file */
} dir_counts;

/* Look at what is in a directory, and with remove take ours away. -1 when it cannot be read. */
static int look(const char *name, bool remove, dir_counts *counts) {
  const struct dirent *e;
  const char *suffix;
  DIR *d = opendir(name);
  *counts = (dir_counts){0};
  if (!d) return -1;
  while ((e = readdir(d))) {
    if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")) continue;
    bool ours = is_ours(e->d_name, &suffix);
    counts->n++;
    if (!ours) counts->n_others++;
    if (ours && suffix) {
      counts->n_info++;
      strcpy(counts->suffix, suffix);
    }
    if (ours && remove) unlinkat(dirfd(d), e->d_name, 0);
  }
  closedir(d);
  return 0;
}

int oct_atc_dir_suffix(const char *name, char suffix[OCT_ATC_SUFFIX_MAX + 1], oct_diag *diag) {
  dir_counts counts;
  if (look(name, false, &counts))
    return oct_fail_in(diag, OCT_ERR_IO, name, "cannot open: %s", strerror(errno));
  strcpy(suffix, counts.suffix);
  if (counts.n_info == 1) return 0;
  return oct_fail_in(diag, OCT_ERR_FORMAT, name, "expected one file INFO.*, found %u",
                     counts.n_info);
}

/* Is the place free, or may it be taken? */
static int check_place(const char *name, bool replace, oct_diag *diag) {
  struct stat st;
  dir_counts counts;
  if (lstat(name, &st))
    return errno == ENOENT ? 0 : oct_fail_in(diag, OCT_ERR_IO, name, "%s", strerror(errno));
  if (!S_ISDIR(st.st_mode))
    return oct_fail_in(diag, OCT_ERR_IO, name, "exists and is not a directory");
  if (look(name, false, &counts)) return oct_fail_in(diag, OCT_ERR_IO, name, "%s", strerror(errno));
  if (!counts.n) return 0;
  if (!replace) return oct_fail_in(diag, OCT_ERR_IO, name, "exists and is not empty");
  if (counts.n_info == 1 && !counts.n_others) return 0;
  return oct_fail_in(diag, OCT_ERR_IO, name, "exists and is not an ATC directory");
}

/* Directories being made: the name with a slash, and behind its end the suffix with its dot. */
static _Atomic(char *) listed[64];

/* The place it takes is where unlink_listed finds its name, too. False when out of memory. */
static bool enlist(oct_atc_dir *dir, const char *suffix) {
  size_t n = strlen(dir->temporary), n_suffix = strlen(suffix);
  dir->listed = calloc(1, n + 2 + n_suffix + 2);
  if (!dir->listed) return false;
  memcpy(dir->listed, dir->temporary, n);
  dir->listed[n] = '/';
  if (n_suffix) dir->listed[n + 2] = '.';
  memcpy(dir->listed + n + 2 + (n_suffix != 0), suffix, n_suffix);
  for (unsigned i = 0; i < sizeof listed / sizeof *listed; i++) {
    char *none = NULL;
    if (atomic_compare_exchange_strong(&listed[i], &none, dir->listed)) break;
  }
  return true;
}

static void strike_out(oct_atc_dir *dir) {
  for (unsigned i = 0; dir->listed && i < sizeof listed / sizeof *listed; i++) {
    char *own = dir->listed;
    atomic_compare_exchange_strong(&listed[i], &own, NULL);
  }
  free(dir->listed);
  dir->listed = NULL;
}

/* Remove DIR/N.SUFFIX, or INFO for 0. Only what a signal handler may call. */
static int unlink_file(const char *dir, uint32_t number) {
  char path[4096], digits[12];
  size_t n = strlen(dir), n_digits = 0, n_suffix = strlen(dir + n + 1);
  if (n + sizeof digits + n_suffix >= sizeof path) return -1;
  memcpy(path, dir, n);
  for (uint32_t v = number; v; v /= 10) digits[n_digits++] = (char)('0' + v % 10);
  if (!number) memcpy(path + n, "INFO", 4), n += 4;
  while (n_digits) path[n++] = digits[--n_digits];
  memcpy(path + n, dir + strlen(dir) + 1, n_suffix + 1);
  return unlink(path);
}

/* Remove a directory being made, by the name enlisted. No memory is needed. */
static void unlink_listed(const char *dir) {
  for (uint32_t number = 1; !unlink_file(dir, number);) number++;
  unlink_file(dir, 0);
  rmdir(dir);
}

void oct_atc_unlink_all(void) {
  for (unsigned i = 0; i < sizeof listed / sizeof *listed; i++) {
    const char *dir = atomic_load(&listed[i]);
    if (dir) unlink_listed(dir);
  }
}

static void unlock(oct_atc_dir *dir) {
  if (dir->lock >= 0) close(dir->lock);
  dir->lock = -1;
}

int oct_atc_dir_make(oct_atc_dir *dir, const char *name, const char *suffix, bool replace,
                     oct_diag *diag) {
  *dir = (oct_atc_dir){.replace = replace, .lock = -1};
  size_t n = strlen(name);
  while (n > 1 && name[n - 1] == '/') n--;
  dir->final = strndup(name, n);
  dir->temporary = malloc(n + OCT_TEMPORARY_BYTES);
  int error = 0;
  if (!dir->final || !dir->temporary) error = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  if (!error) error = check_place(dir->final, replace, diag);
  if (!error) oct_temporary_sweep(dir->final);
  if (!error && (dir->lock = oct_temporary_make(dir->temporary, dir->final, true)) < 0)
    error = oct_fail_in(diag, OCT_ERR_IO, dir->final, "cannot create: %s", strerror(errno));
  if (!error && !enlist(dir, suffix)) {
    error = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    rmdir(dir->temporary);
  }
  if (!error) return 0;
  unlock(dir);
  free(dir->temporary);
  dir->temporary = NULL;
  return error;
}

static void remove_dir(const char *name) {
  dir_counts counts;
  look(name, true, &counts);
  rmdir(name);
}

int oct_atc_dir_commit(oct_atc_dir *dir, oct_diag *diag) {
  /* rename takes the place of an empty directory, and of nothing else. */
  if (rename(dir->temporary, dir->final)) {
    bool full = dir->replace && (errno == ENOTEMPTY || errno == EEXIST);
    if (!full || renameat2(AT_FDCWD, dir->temporary, AT_FDCWD, dir->final, RENAME_EXCHANGE))
      return oct_fail_in(diag, OCT_ERR_IO, dir->final, "cannot create: %s", strerror(errno));
    remove_dir(dir->temporary);
  }
  strike_out(dir);
  unlock(dir);
  free(dir->temporary);
  dir->temporary = NULL;
  return 0;
}

void oct_atc_dir_free(oct_atc_dir *dir) {
  if (dir->temporary) {
    unlink_listed(dir->listed);
    remove_dir(dir->temporary); /* pieces beyond one that is missing */
    unlock(dir);
  }
  strike_out(dir);
  free(dir->final);
  free(dir->temporary);
  *dir = (oct_atc_dir){0};
}
