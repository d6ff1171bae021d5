/* SPDX-License-Identifier: Apache-2.0 */
/* oct_temporary.c - names under which files and directories are made until they are whole.
 *
 * Where it can be, a file has no name before it is whole (O_TMPFILE): when its maker is killed, it
 * is gone. Else it has a name that tells what it is, and a lock that ends with its maker. Whoever
 * makes a file of the same final name later removes what has such a name and no lock. */
#include "oct_temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char mark[] = ".octrace-";
enum { LETTERS = 6, TRIES = 100 };

/* "DIR" of DIR/NAME, to be freed, and NAME; NULL when out of memory. */
static char *split(const char *path, const char **name) {
  const char *slash = strrchr(path, '/');
  *name = slash ? slash + 1 : path;
  if (!slash) return strdup(".");
  return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static void append_letters(char *name) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  unsigned char bytes[LETTERS] = {0};
  /* Without random bytes the names are taken one after the other, by whoever comes first. */
  static _Thread_local unsigned turn;
  if (getrandom(bytes, sizeof bytes, GRND_NONBLOCK) != sizeof bytes)
    for (unsigned n = turn++, i = 0; i < LETTERS; i++, n /= 36) bytes[i] = (unsigned char)(n % 36);
  for (unsigned i = 0; i < LETTERS; i++) name[i] = letters[bytes[i] % 36];
  name[LETTERS] = '\0';
}

static int make_once(const char *name, bool is_directory) {
  if (!is_directory) return open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (mkdir(name, 0777)) return -1;
  int fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) rmdir(name);
  return fd;
}

int oct_temporary_make(char *name, const char *path, bool is_directory) {
  size_t n = strlen(path);
  memcpy(name, path, n);
  memcpy(name + n, mark, sizeof mark);
  for (unsigned i = 0; i < TRIES; i++) {
    struct stat st;
    append_letters(name + n + sizeof mark - 1);
    int fd = make_once(name, is_directory);
    if (fd < 0 && errno == EEXIST) continue;
    if (fd < 0) return -1;
    /* Between being made and being locked it may have been taken for one that was left. */
    bool is_swept = flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;
    if (!is_swept && !stat(name, &st)) return fd;
    close(fd);
  }
  errno = EEXIST;
  return -1;
}

static int remove_at(int folder, const char *name);

/* Remove all that is in the open directory, a bufferful at a time. */
static void empty(int fd) {
  _Alignas(struct dirent64) char names[1024];
  for (bool is_less = true; is_less;) {
    is_less = false;
    if (lseek(fd, 0, SEEK_SET)) return;
    for (long n; (n = syscall(SYS_getdents64, fd, names, sizeof names)) > 0;)
      for (long at = 0; at < n;) {
        const struct dirent64 *e = (const struct dirent64 *)(const void *)(names + at);
        at += e->d_reclen;
        if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) is_less |= !remove_at(fd, e->d_name);
      }
  }
}

static int remove_at(int folder, const char *name) {
  if (!unlinkat(folder, name, 0)) return 0;
  if (errno != EISDIR) return -1;
  int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return -1;
  empty(fd);
  close(fd);
  return unlinkat(folder, name, AT_REMOVEDIR);
}

int oct_temporary_remove(const char *name) {
  return remove_at(AT_FDCWD, name);
}

/* Whether name is a temporary one of final. */
static bool is_temporary(const char *name, const char *final) {
  size_t n = strlen(final);
  return !strncmp(name, final, n) && !strncmp(name + n, mark, sizeof mark - 1) &&
         strspn(name + n + sizeof mark - 1, "abcdefghijklmnopqrstuvwxyz0123456789") == LETTERS &&
         !name[n + sizeof mark - 1 + LETTERS];
}

void oct_temporary_sweep(const char *path) {
  const char *final;
  const struct dirent *e;
  char *folder = split(path, &final);
  DIR *d = folder ? opendir(folder) : NULL;
  while (d && (e = readdir(d))) {
    struct stat st;
    char name[PATH_MAX];
    if (!is_temporary(e->d_name, final)) continue;
    int fd = openat(dirfd(d), e->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) continue;
    if (!fstat(fd, &st) && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)) &&
        !flock(fd, LOCK_EX | LOCK_NB) &&
        snprintf(name, sizeof name, "%s/%s", folder, e->d_name) < (int)sizeof name)
      oct_temporary_remove(name);
    close(fd);
  }
  if (d) closedir(d);
  free(folder);
}

int oct_temporary_refusal(const char *path) {
  const char *name;
  char *folder = split(path, &name);
  int refused = !folder || access(folder, W_OK | X_OK) ? errno : 0;
  free(folder);
  return refused;
}

static void descriptor_path(int fd, char path[32]) {
  snprintf(path, 32, "/proc/self/fd/%d", fd);
}

int oct_temporary_unnamed(const char *path) {
  const char *name;
  char own[32];
  char *folder = split(path, &name);
  int fd = folder ? open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666) : -1;
  free(folder);
  if (fd < 0) return -1;
  descriptor_path(fd, own);
  flock(fd, LOCK_EX | LOCK_NB);
  if (!access(own, F_OK)) return fd; /* by which it gets its name */
  close(fd);
  return -1;
}

int oct_temporary_link(int fd, const char *path) {
  char own[32];
  descriptor_path(fd, own);
  return linkat(AT_FDCWD, own, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

int oct_temporary_replace(int fd, const char *path) {
  size_t n = strlen(path);
  char *name = malloc(n + OCT_TEMPORARY_BYTES);
  int failed = -1;
  if (!name) return -1;
  memcpy(name, path, n);
  memcpy(name + n, mark, sizeof mark);
  for (unsigned i = 0; i < TRIES && failed; i++) {
    append_letters(name + n + sizeof mark - 1);
    failed = oct_temporary_link(fd, name);
    if (failed && errno != EEXIST) break;
  }
  if (!failed && rename(name, path)) {
    failed = errno;
    unlink(name);
    errno = failed;
    failed = -1;
  }
  free(name); /* keeps errno (glibc 2.33) */
  return failed;
}
