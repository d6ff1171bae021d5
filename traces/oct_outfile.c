/* SPDX-License-Identifier: Apache-2.0 */
/* oct_outfile.c - an output file that appears under its name only when it is whole.
 *
 * The names of temporary files stand in a list that a signal handler can walk: places are added at
 * its head and never freed, and whoever takes a name out of its place owns it, so that a handler
 * and a thread that closes the same file never both use it. */
#include "oct_outfile.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct place {
  _Atomic(char *) name; /* NULL = free */
  struct place *next;
} place;

static _Atomic(place *) places;

struct oct_outfile {
  FILE *stream;
  char *path;        /* where links have led */
  const char *label; /* path as messages show it */
  char *temporary;   /* NULL when written directly; owned through its place */
  place *place;
  uint64_t written_bytes;
};

/* Put name into a free place, or a new one. NULL when out of memory. */
static place *enlist(char *name) {
  place *p;
  for (p = atomic_load(&places); p; p = p->next) {
    char *none = NULL;
    if (atomic_compare_exchange_strong(&p->name, &none, name)) return p;
  }
  p = malloc(sizeof *p);
  if (!p) return NULL;
  atomic_init(&p->name, name);
  p->next = atomic_load(&places);
  while (!atomic_compare_exchange_weak(&places, &p->next, p)) continue;
  return p;
}

/* The temporary file is gone, or has its final name. */
static void forget_temporary(oct_outfile *f) {
  if (f->place) free(atomic_exchange(&f->place->name, NULL));
  f->place = NULL;
  f->temporary = NULL;
}

void oct_outfile_unlink_all(void) {
  for (place *p = atomic_load(&places); p; p = p->next) {
    char *name = atomic_exchange(&p->name, NULL), *none = NULL;
    if (!name) continue;
    unlink(name);
    atomic_compare_exchange_strong(&p->name, &none, name); /* back to its owner */
  }
}

static void free_file(oct_outfile *f) {
  forget_temporary(f);
  free(f->path);
  free(f);
}

/* Create the file of this name and enlist it, with no signal in between. Returns its descriptor, or
 * -1 with errno set. */
static int create_enlisted(oct_outfile *f, char *name) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  int fd = mkstemp(name), reason = errno;
  if (fd >= 0 && !(f->place = enlist(name))) {
    unlink(name);
    close(fd);
    fd = -1;
    reason = ENOMEM;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = reason;
  return fd;
}

static int open_temporary(oct_outfile *f, oct_diag *diag) {
  size_t n = strlen(f->path) + 8;
  mode_t mask = umask(0);
  umask(mask);
  char *name = malloc(n);
  if (!name) return oct_fail(diag, OCT_ERR_NOMEM, "%s: out of memory", f->path);
  snprintf(name, n, "%s.XXXXXX", f->path);
  int fd = create_enlisted(f, name);
  if (fd < 0) {
    int error = oct_fail(diag, OCT_ERR_IO, "%s: cannot create: %s", f->path, strerror(errno));
    free(name);
    return error;
  }
  f->temporary = name;
  fchmod(fd, 0666 & ~mask);
  f->stream = fdopen(fd, "wb");
  return f->stream ? 0 : oct_fail(diag, OCT_ERR_IO, "%s: %s", f->path, strerror(errno));
}

/* A copy of path, or of that of the file that it links to, so that links stay. NULL with errno set
 * when it links to nothing, or out of memory. */
static char *follow(const char *path) {
  struct stat st;
  return strcmp(path, "-") && !lstat(path, &st) && S_ISLNK(st.st_mode) ? realpath(path, NULL)
                                                                       : strdup(path);
}

int oct_outfile_open(const char *path, oct_outfile **out, oct_diag *diag) {
  struct stat st;
  int error = 0;
  oct_outfile *f = calloc(1, sizeof *f);
  *out = NULL;
  if (!f) return oct_fail(diag, OCT_ERR_NOMEM, "%s: out of memory", path);
  if (!(f->path = follow(path))) {
    free(f);
    return oct_fail(diag, errno == ENOMEM ? OCT_ERR_NOMEM : OCT_ERR_IO,
                    "%s: a link that leads nowhere", path);
  }
  f->label = f->path;
  if (strcmp(path, "-") == 0) {
    f->stream = stdout;
    f->label = "standard output";
  } else if (stat(f->path, &st) == 0 && !S_ISREG(st.st_mode)) {
    f->stream = fopen(f->path, "wb");
    if (!f->stream) error = oct_fail(diag, OCT_ERR_IO, "%s: %s", path, strerror(errno));
  } else {
    error = open_temporary(f, diag);
  }
  if (error) {
    oct_outfile_abort(f);
    return error;
  }
  *out = f;
  return 0;
}

int oct_outfile_write(oct_outfile *f, const void *bytes, size_t n, oct_diag *diag) {
  if (n && fwrite(bytes, 1, n, f->stream) != n)
    return oct_fail(diag, OCT_ERR_IO, "%s: cannot write: %s", f->label, strerror(errno));
  f->written_bytes += n;
  return 0;
}

uint64_t oct_outfile_tell(const oct_outfile *f) {
  return f->written_bytes;
}

int oct_outfile_commit(oct_outfile *f, oct_diag *diag) {
  int error = 0;
  int failed = fflush(f->stream) != 0;
  if (f->stream != stdout && fclose(f->stream) != 0) failed = 1;
  f->stream = NULL;
  if (failed || (f->temporary && rename(f->temporary, f->path) != 0)) {
    error = oct_fail(diag, OCT_ERR_IO, "%s: cannot write: %s", f->label, strerror(errno));
    if (f->temporary) unlink(f->temporary);
  }
  free_file(f);
  return error;
}

void oct_outfile_abort(oct_outfile *f) {
  if (!f) return;
  if (f->stream && f->stream != stdout) fclose(f->stream);
  if (f->temporary) unlink(f->temporary);
  free_file(f);
}
