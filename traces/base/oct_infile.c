/* SPDX-License-Identifier: Apache-2.0 */
/* oct_infile.c - files that are opened to be read, so that no output replaces one of them.
 *
 * Only regular files and folders are kept: a device or a pipe can be read and written. */
#include "oct_infile.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct file_id {
  dev_t device;
  ino_t inode;
} file_id;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_guarded;
static void (*refuse)(void);
static file_id *files;
static size_t n_files, room;

void oct_infile_guard(void (*on_stdout)(void)) {
  pthread_mutex_lock(&lock);
  is_guarded = true;
  refuse = on_stdout;
  pthread_mutex_unlock(&lock);
}

static bool is_listed(const struct stat *st) {
  for (size_t i = 0; i < n_files; i++)
    if (files[i].inode == st->st_ino && files[i].device == st->st_dev) return true;
  return false;
}

bool oct_infile_is(const struct stat *st) {
  pthread_mutex_lock(&lock);
  bool is = is_listed(st);
  pthread_mutex_unlock(&lock);
  return is;
}

static bool is_stdout(const struct stat *st) {
  struct stat out;
  return S_ISREG(st->st_mode) && !fstat(STDOUT_FILENO, &out) && out.st_ino == st->st_ino &&
         out.st_dev == st->st_dev;
}

static int note(const struct stat *st) {
  int error = 0;
  if (!S_ISREG(st->st_mode) && !S_ISDIR(st->st_mode)) return 0;
  pthread_mutex_lock(&lock);
  if (is_guarded && !is_listed(st)) {
    if (n_files == room) {
      size_t more = room ? 2 * room : 16;
      file_id *p = realloc(files, more * sizeof *p);
      if (p) {
        files = p;
        room = more;
      } else {
        error = -1;
      }
    }
    if (!error) files[n_files++] = (file_id){st->st_dev, st->st_ino};
  }
  void (*const told)(void) = refuse;
  pthread_mutex_unlock(&lock);
  if (told && is_stdout(st)) told();
  if (error) errno = ENOMEM;
  return error;
}

int oct_infile_note(int fd) {
  struct stat st;
  return fstat(fd, &st) ? 0 : note(&st);
}

int oct_infile_note_path(const char *path) {
  struct stat st;
  if (!strcmp(path, "-")) return oct_infile_note(STDIN_FILENO);
  return stat(path, &st) ? 0 : note(&st);
}

int oct_infile_open(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || !oct_infile_note(fd)) return fd;
  close(fd);
  errno = ENOMEM;
  return -1;
}

FILE *oct_infile_fopen(const char *path) {
  FILE *f = fopen(path, "rbe");
  if (!f || !oct_infile_note(fileno(f))) return f;
  fclose(f);
  errno = ENOMEM;
  return NULL;
}
