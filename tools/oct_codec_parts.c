/* SPDX-License-Identifier: Apache-2.0 */
/* oct_codec_parts.c - the files of streams that stand apart. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "oct_infile.h"

#include "oct_codec_cli.h"

static char *part_name(const char *name, unsigned k) {
  char *path = NULL;
  return asprintf(&path, "%s.%u", name, k + 1) < 0 ? NULL : path;
}

int oct_codec_parts_create(oct_codec_parts *p, const char *name, oct_codec_writer *w,
                           oct_diag *diag) {
  oct_sink sinks[OCT_FILE_STREAMS_MAX];
  unsigned n = oct_codec_writer_streams(w);
  int error = 0;
  p->out = calloc(n, sizeof *p->out);
  if (!p->out) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  for (; !error && p->n < n; p->n += !error) {
    char *path = part_name(name, p->n);
    error = path ? oct_outfile_open(path, &p->out[p->n], diag)
                 : oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    if (!error) sinks[p->n] = oct_codec_file_sink(p->out[p->n]);
    free(path);
  }
  if (!error) oct_codec_writer_apart(w, sinks);
  return error;
}

/* Remove those that are there for the first time. */
static void remove_new(const oct_codec_parts *p, const char *name, unsigned n) {
  for (unsigned k = 0; k < n; k++) {
    char *path = p->is_new[k] ? part_name(name, k) : NULL;
    if (path) unlink(path);
    free(path);
  }
}

int oct_codec_parts_commit(oct_codec_parts *p, const char *name, oct_outfile *whole,
                           oct_diag *diag) {
  unsigned n_done = 0;
  int error = 0;
  for (unsigned k = 0; k < p->n && !error; k++) error = oct_outfile_settle(p->out[k], diag);
  if (!error) error = oct_outfile_settle(whole, diag);
  for (unsigned k = 0; k < p->n && !error; k++) {
    p->is_new[k] = oct_outfile_is_new(p->out[k]);
    error = oct_outfile_commit(p->out[k], diag);
    p->out[k] = NULL;
    n_done += !error;
  }
  if (error)
    oct_outfile_abort(whole);
  else
    error = oct_outfile_commit(whole, diag);
  if (error) remove_new(p, name, n_done);
  return error;
}

int oct_codec_parts_open(oct_codec_parts *p, const char *name, oct_codec_reader *r,
                         oct_diag *diag) {
  oct_source_bytes sources[OCT_FILE_STREAMS_MAX];
  unsigned n = oct_codec_reader_streams(r);
  int error = 0;
  p->in = calloc(n, sizeof *p->in);
  if (!p->in) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  for (; !error && p->n < n; p->n += !error) {
    char *path = part_name(name, p->n);
    p->in[p->n] = path ? oct_infile_fopen(path) : NULL;
    if (!p->in[p->n])
      error = oct_diag_in(diag, path ? path : name,
                          oct_fail(diag, path ? OCT_ERR_IO : OCT_ERR_NOMEM,
                                   "the file of stream %u: %s", p->n + 1, strerror(errno)));
    else
      sources[p->n] = oct_codec_file_source(p->in[p->n]);
    free(path);
  }
  if (!error) oct_codec_reader_apart(r, sources);
  return error;
}

void oct_codec_parts_close(oct_codec_parts *p) {
  for (unsigned k = 0; k < p->n; k++) {
    if (p->out && p->out[k]) oct_outfile_abort(p->out[k]);
    if (p->in && p->in[k]) fclose(p->in[k]);
  }
  free(p->out);
  free(p->in);
  *p = (oct_codec_parts){0};
}
