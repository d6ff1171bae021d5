/* SPDX-License-Identifier: Apache-2.0 */
/* oct_stream_writer.c - a trace as the bare stream of a trace unit: E-Trace, N-Trace, Intel PT.
 *
 * The tracer of the format's name encodes; what it writes is what a chip would leave in memory.
 * Such a stream says where the program went: readers need the program's ELF files, and the
 * parameters. */
#include <stdlib.h>
#include <string.h>

#include "oct_reader_format.h"
#include "oct_tracer.h"

typedef struct stream {
  const oct_tracer *tracer;
  void *encoder;
  oct_map_tracker *map;
  oct_insn *insns; /* a copy of the batch's, room of them */
  size_t room;
} stream;

static int stream_open(oct_writer *w, oct_diag *diag) {
  const oct_trace_info *info = w->options.info;
  const oct_run_options untimed = {.engine = OCT_ENGINE_UNTIMED};
  const oct_tracer *t = oct_tracer_find(oct_format_name(w->options.format));
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  bool given[OCT_TRACER_PARAMS_MAX] = {false};
  oct_diag why = {0};
  stream *s = calloc(1, sizeof *s);
  w->state = s;
  if (!s || !(s->map = oct_map_tracker_new()))
    return oct_fail(diag, OCT_ERR_NOMEM, "%s: out of memory", w->path);
  s->tracer = t;
  oct_tracer_defaults(t, params);
  int rc = w->options.params ? oct_tracer_parse(t, w->options.params, params, given, &why) : 0;
  if (!rc) rc = t->fit(params, given, info->isa, info->addr_bits, info->insn_align_bytes, &why);
  if (!rc) rc = t->encoder.create(params, &untimed, &s->encoder, &why);
  return rc ? oct_fail(diag, rc, "%s: %s", w->path, why.text) : 0;
}

static int write_out(oct_writer *w, oct_diag *diag) {
  stream *s = w->state;
  const uint8_t *bytes;
  size_t n = s->tracer->encoder.take(s->encoder, &bytes);
  return n ? oct_outfile_write(w->file, bytes, n, diag) : 0;
}

static int stream_put(oct_writer *w, const oct_batch *b, oct_diag *diag) {
  stream *s = w->state;
  const oct_map_update *updates;
  oct_diag why = {0};
  if (b->n_insns > s->room) {
    oct_insn *p = realloc(s->insns, b->n_insns * sizeof *p);
    if (!p) return oct_fail(diag, OCT_ERR_NOMEM, "%s: out of memory", w->path);
    s->insns = p;
    s->room = b->n_insns;
  }
  if (b->n_insns) memcpy(s->insns, b->insns, b->n_insns * sizeof *s->insns);
  int64_t n = oct_map_track(s->map, b, s->insns, &updates);
  if (n < 0) return oct_fail(diag, (int)n, "%s: %s", w->path, oct_error_text((int)n));
  const oct_tracer_input in = {.insns = s->insns,
                               .n_insns = b->n_insns,
                               .accesses = b->accesses,
                               .n_accesses = b->n_accesses,
                               .updates = updates,
                               .n_updates = (size_t)n};
  int rc = s->tracer->encoder.put(s->encoder, &in, &why);
  return rc ? oct_fail(diag, rc, "%s: %s", w->path, why.text) : write_out(w, diag);
}

static int stream_finish(oct_writer *w, oct_diag *diag) {
  stream *s = w->state;
  oct_diag why = {0};
  int rc = s->tracer->encoder.flush(s->encoder, &why);
  return rc ? oct_fail(diag, rc, "%s: %s", w->path, why.text) : write_out(w, diag);
}

static void stream_close(oct_writer *w) {
  stream *s = w->state;
  if (!s) return;
  if (s->encoder) s->tracer->encoder.destroy(s->encoder);
  oct_map_tracker_free(s->map);
  free(s->insns);
  free(s);
}

const oct_writer_ops oct_stream_writer = {stream_open, stream_put, stream_finish, stream_close,
                                          NULL};
