/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etm_none.c - ETMv4 where the build had no OpenCSD: the format is named and refused. */
#include "oct_reader_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int none_open(oct_reader *r, oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_UNSUPPORTED,
                  "%s: ETMv4 is read with OpenCSD: this octrace was built without it (Debian "
                  "package libopencsd-dev)",
                  oct_input_name(r->in));
}

static int none_fill(oct_reader *r, oct_diag *diag) {
  return none_open(r, diag);
}

/* A snapshot is a folder with a list of its files. */
static int list(const char *folder, char ***paths, size_t *n_paths, oct_diag *diag) {
  char *path;
  *paths = NULL;
  *n_paths = 0;
  if (asprintf(&path, "%s/snapshot.ini", folder) < 0)
    return oct_fail(diag, OCT_ERR_NOMEM, "%s: out of memory", folder);
  if (access(path, F_OK)) {
    free(path);
    return oct_fail(diag, OCT_ERR_FORMAT,
                    "%s: a folder: expected a file, a folder of drmemtrace files (*.trace.zip, "
                    "*.trace.gz), or a snapshot with ETMv4 (snapshot.ini)",
                    folder);
  }
  if (!(*paths = malloc(sizeof **paths))) {
    free(path);
    return oct_fail(diag, OCT_ERR_NOMEM, "%s: out of memory", folder);
  }
  (*paths)[(*n_paths)++] = path;
  return 0;
}

static const oct_reader_ops none_reader = {none_open, none_fill, NULL};
const oct_format_desc oct_etmv4_format = {
    .name = "etmv4",
    .reader = &none_reader,
    .addr_bits = 64,
    .list = list,
    .lacks = "data addresses; cycle stamps unless the trace unit counts cycles"};
