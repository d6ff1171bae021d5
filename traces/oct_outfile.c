/* SPDX-License-Identifier: Apache-2.0 */
/* oct_outfile.c - an output file that appears under its name only when it is whole. */
#include "oct_outfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct oct_outfile {
  FILE *stream;
  char *path;
  char *temporary; /* NULL when written directly */
  uint64_t written_bytes;
};

static void free_file(oct_outfile *f) {
  free(f->path);
  free(f->temporary);
  free(f);
}

static int open_temporary(oct_outfile *f, oct_diag *diag) {
  size_t n = strlen(f->path) + 8;
  mode_t mask = umask(0);
  int fd;
  umask(mask);
  f->temporary = malloc(n);
  if (!f->temporary) return oct_fail(diag, OCT_ERR_NOMEM, "%s: out of memory", f->path);
  snprintf(f->temporary, n, "%s.XXXXXX", f->path);
  fd = mkstemp(f->temporary);
  if (fd < 0) {
    int error = oct_fail(diag, OCT_ERR_IO, "%s: cannot create: %s", f->path, strerror(errno));
    free(f->temporary);
    f->temporary = NULL;
    return error;
  }
  fchmod(fd, 0666 & ~mask);
  f->stream = fdopen(fd, "wb");
  return f->stream ? 0 : oct_fail(diag, OCT_ERR_IO, "%s: %s", f->path, strerror(errno));
}

int oct_outfile_open(const char *path, oct_outfile **out, oct_diag *diag) {
  struct stat st;
  int error = 0;
  oct_outfile *f = calloc(1, sizeof *f);
  *out = NULL;
  if (!f || !(f->path = strdup(path))) {
    free(f);
    return oct_fail(diag, OCT_ERR_NOMEM, "%s: out of memory", path);
  }
  if (strcmp(path, "-") == 0) {
    f->stream = stdout;
  } else if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
    f->stream = fopen(path, "wb");
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
    return oct_fail(diag, OCT_ERR_IO, "%s: cannot write: %s", f->path, strerror(errno));
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
    error = oct_fail(diag, OCT_ERR_IO, "%s: cannot write: %s", f->path, strerror(errno));
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
