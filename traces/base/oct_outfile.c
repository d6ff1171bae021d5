/* SPDX-License-Identifier: Apache-2.0 */
/* oct_outfile.c - an output file that appears under its name only when it is whole.
 *
 * Until then it has no name, where the file system can do that, or a temporary one
 * (oct_temporary.h). Whether another program made a file of the final name in the meantime, or this
 * one has read it, is looked at before that is replaced.
 *
 * The names of temporary files stand in a list that a signal handler can walk: places are added at
 * its head and never freed, and whoever takes a name out of its place owns it, so that a handler
 * and a thread that closes the same file never both use it. */
#include "octrace/error.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "oct_infile.h"
#include "oct_temporary.h"

enum { IS_INPUT = -1 }; /* beside the values of errno */

typedef struct place {
  _Atomic(char *) name; /* NULL = free */
  struct place *next;
} place;

static _Atomic(place *) places;

struct oct_outfile {
  FILE *stream;
  char *path;        /* where links have led */
  char *given;       /* path as the caller said it */
  const char *label; /* the same as messages show it */
  bool is_unnamed;   /* has a descriptor, and will have the name path */
  char *temporary;   /* NULL when written directly, or unnamed; owned through its place */
  place *place;
  struct stat before; /* what is to be replaced; all 0: there was no such file */
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

void oct_outfile_forget_folder(void *p) {
  if (p) free(atomic_exchange(&((place *)p)->name, NULL));
}

/* The temporary file is gone, or has its final name. */
static void forget_temporary(oct_outfile *f) {
  oct_outfile_forget_folder(f->place);
  f->place = NULL;
  f->temporary = NULL;
}

void oct_outfile_unlink_all(void) {
  for (place *p = atomic_load(&places); p; p = p->next) {
    char *name = atomic_exchange(&p->name, NULL), *none = NULL;
    if (!name) continue;
    oct_temporary_remove(name);
    atomic_compare_exchange_strong(&p->name, &none, name); /* back to its owner */
  }
}

static void free_file(oct_outfile *f) {
  forget_temporary(f);
  free(f->path);
  free(f->given);
  free(f);
}

/* Make a file or a folder with a temporary name, and enlist that name, which listed gets, too, with
 * no signal in between. Returns its descriptor, or -1 with errno set. */
static int make_enlisted(char *name, const char *path, bool is_folder, char *listed, place **at) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  int fd = oct_temporary_make(name, path, is_folder), reason = errno;
  if (fd >= 0) {
    if (listed != name) strcpy(listed, name);
    *at = enlist(listed);
    if (!*at) {
      remove(name);
      close(fd);
      fd = -1;
      reason = ENOMEM;
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = reason;
  return fd;
}

int oct_outfile_make_folder(char *name, const char *path, void **listed) {
  char *copy = malloc(strlen(path) + OCT_TEMPORARY_BYTES);
  place *at = NULL;
  errno = ENOMEM;
  int fd = copy ? make_enlisted(name, path, true, copy, &at) : -1;
  if (fd < 0) free(copy);
  *listed = at;
  return fd;
}

/* A file without a name, or one with a temporary one. Returns its descriptor, or an error. */
static int create(oct_outfile *f, oct_diag *diag) {
  int fd = oct_temporary_unnamed(f->path);
  f->is_unnamed = fd >= 0;
  if (f->is_unnamed) return fd;
  char *name = malloc(strlen(f->path) + OCT_TEMPORARY_BYTES);
  if (!name) return oct_fail_in(diag, OCT_ERR_NOMEM, f->label, "out of memory");
  fd = make_enlisted(name, f->path, false, name, &f->place);
  if (fd >= 0) {
    f->temporary = name;
    return fd;
  }
  int error = oct_fail_in(diag, errno == ENOMEM ? OCT_ERR_NOMEM : OCT_ERR_IO, f->label,
                          "cannot create: %s", strerror(errno));
  free(name);
  return error;
}

/* Give the file owner and rights of the one that it is to replace, before it holds anything. Where
 * the owner or group cannot be kept, nobody gets rights by that. */
static void keep_rights(const struct stat *before, int fd) {
  mode_t kept = 07777;
  if (fchown(fd, before->st_uid, (gid_t)-1)) kept &= ~(mode_t)S_ISUID;
  if (fchown(fd, (uid_t)-1, before->st_gid)) kept &= ~(mode_t)(S_ISGID | S_IRWXG);
  (void)fchmod(fd, before->st_mode & kept); /* not on every file system */
}

static int open_temporary(oct_outfile *f, oct_diag *diag) {
  oct_temporary_sweep(f->path);
  if (lstat(f->path, &f->before)) memset(&f->before, 0, sizeof f->before);
  int fd = create(f, diag);
  if (fd < 0) return fd;
  if (f->before.st_ino) keep_rights(&f->before, fd);
  f->stream = fdopen(fd, "wb");
  if (f->stream) return 0;
  int error = oct_fail_in(diag, OCT_ERR_IO, f->label, "%s", strerror(errno));
  close(fd);
  return error;
}

/* A copy of path, or of that of the file that it links to, so that links stay. NULL with errno set
 * when it links to nothing, or out of memory. */
static char *follow(const char *path) {
  struct stat st;
  return strcmp(path, "-") && !lstat(path, &st) && S_ISLNK(st.st_mode) ? realpath(path, NULL)
                                                                       : strdup(path);
}

/* follow, or an error. */
static int follow_or_fail(const char *path, char **final, oct_diag *diag) {
  *final = follow(path);
  if (*final) return 0;
  if (errno == ENOMEM) return oct_fail_in(diag, OCT_ERR_NOMEM, path, "out of memory");
  return oct_fail_in(diag, OCT_ERR_IO, path, "a link that leads nowhere");
}

static int fail_as_input(const char *label, oct_diag *diag) {
  return oct_diag_from(diag, OCT_ORIGIN_OUTPUT,
                       oct_fail_in(diag, OCT_ERR_ARG, label, "input and output are the same file"));
}

int oct_outfile_check(const char *path, oct_diag *diag) {
  struct stat st;
  char *final;
  if (!strcmp(path, "-"))
    return !fstat(STDOUT_FILENO, &st) && oct_infile_is(&st) ? fail_as_input("standard output", diag)
                                                            : 0;
  if (!stat(path, &st) && oct_infile_is(&st)) return fail_as_input(path, diag);
  int error = follow_or_fail(path, &final, diag);
  if (error) return error;
  int reason;
  if (!*final)
    reason = ENOENT;
  else if (stat(final, &st) || S_ISREG(st.st_mode))
    reason = oct_temporary_refusal(final);
  else
    reason = S_ISDIR(st.st_mode) ? EISDIR : access(final, W_OK) ? errno : 0;
  free(final);
  return reason ? oct_fail_in(diag, OCT_ERR_IO, path, "%s", strerror(reason)) : 0;
}

int oct_outfile_open(const char *path, oct_outfile **out, oct_diag *diag) {
  struct stat st;
  oct_outfile *f = calloc(1, sizeof *f);
  *out = NULL;
  if (!f) return oct_fail_in(diag, OCT_ERR_NOMEM, path, "out of memory");
  bool is_input =
      !(strcmp(path, "-") ? stat(path, &st) : fstat(STDOUT_FILENO, &st)) && oct_infile_is(&st);
  int error = is_input ? fail_as_input(strcmp(path, "-") ? path : "standard output", diag)
                       : follow_or_fail(path, &f->path, diag);
  if (!error && !(f->given = strdup(path)))
    error = oct_fail_in(diag, OCT_ERR_NOMEM, path, "out of memory");
  if (error) {
    free_file(f);
    return error;
  }
  f->label = f->given;
  if (strcmp(path, "-") == 0) {
    f->stream = stdout;
    f->label = "standard output";
  } else if (!*path) {
    error = oct_fail_in(diag, OCT_ERR_IO, path, "%s", strerror(ENOENT));
  } else if (stat(f->path, &st) == 0 && !S_ISREG(st.st_mode)) {
    f->stream = fopen(f->path, "wb");
    if (!f->stream) error = oct_fail_in(diag, OCT_ERR_IO, path, "%s", strerror(errno));
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
    return oct_fail_in(diag, OCT_ERR_IO, f->label, "cannot write: %s", strerror(errno));
  f->written_bytes += n;
  return 0;
}

uint64_t oct_outfile_tell(const oct_outfile *f) {
  return f->written_bytes;
}

/* Whether the file that is to be replaced, or that there is none, is as it was. */
static bool is_as_before(const oct_outfile *f) {
  struct stat now;
  if (lstat(f->path, &now)) memset(&now, 0, sizeof now);
  const struct stat *b = &f->before;
  return now.st_dev == b->st_dev && now.st_ino == b->st_ino && now.st_size == b->st_size &&
         now.st_mtim.tv_sec == b->st_mtim.tv_sec && now.st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

bool oct_outfile_is_new(const oct_outfile *f) {
  return (f->is_unnamed || f->temporary) && !f->before.st_ino;
}

/* Give the file, which has none yet, its name. -1: errno. */
static int name_file(const oct_outfile *f) {
  sigset_t all, before;
  if (oct_outfile_is_new(f)) return oct_temporary_link(fileno(f->stream), f->path);
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  int failed = oct_temporary_replace(fileno(f->stream), f->path), reason = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = reason;
  return failed;
}

/* 0, IS_INPUT, or why the file cannot get its name, as errno has it. */
static int settle(oct_outfile *f) {
  if (fflush(f->stream)) return errno;
  if ((f->is_unnamed || f->temporary) && f->before.st_ino && oct_infile_is(&f->before))
    return IS_INPUT;
  return (f->is_unnamed || f->temporary) && !is_as_before(f) ? EEXIST : 0;
}

static int fail_to_write(const oct_outfile *f, int reason, oct_diag *diag) {
  bool is_new = f->is_unnamed || f->temporary;
  if (reason == IS_INPUT) return fail_as_input(f->label, diag);
  return oct_fail_in(
      diag, OCT_ERR_IO, f->label, "cannot write: %s",
      is_new && reason == EEXIST ? "another program wrote it in the meantime" : strerror(reason));
}

int oct_outfile_settle(oct_outfile *f, oct_diag *diag) {
  int reason = settle(f);
  return reason ? fail_to_write(f, reason, diag) : 0;
}

int oct_outfile_commit(oct_outfile *f, oct_diag *diag) {
  int reason = settle(f), error = 0;
  if (!reason && f->is_unnamed && name_file(f)) reason = errno;
  if (f->stream != stdout && fclose(f->stream) && !reason) reason = errno;
  f->stream = NULL;
  if (!reason && f->temporary && rename(f->temporary, f->path)) reason = errno;
  if (reason) error = fail_to_write(f, reason, diag);
  if (error && f->temporary) unlink(f->temporary);
  free_file(f);
  return error;
}

void oct_outfile_abort(oct_outfile *f) {
  if (!f) return;
  if (f->stream && f->stream != stdout) fclose(f->stream);
  if (f->temporary) unlink(f->temporary);
  free_file(f);
}
