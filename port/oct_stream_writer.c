/* SPDX-License-Identifier: Apache-2.0 */
/* oct_stream_writer.c - a trace as the bare stream of a trace unit: E-Trace, N-Trace, Intel PT.
 *
 * The tracer of the format's name encodes; what it writes is what a chip would leave in memory.
 * Such a stream says where the program went: readers need the program's ELF files, and the
 * parameters. */
#include <stdlib.h>
#include <string.h>

#include "oct_stream_writers.h"
#include "oct_stream.h"

int oct_stream_open(oct_writer *w, oct_stream *s, oct_diag *diag) {
  const oct_trace_info *info = w->options.info;
  const oct_run_options untimed = {.engine = OCT_ENGINE_UNTIMED};
  const oct_tracer *t = s->tracer = oct_tracer_find(oct_format_name(w->options.format));
  bool given[OCT_TRACER_PARAMS_MAX] = {false};
  oct_diag why = {0};
  if (!(s->map = oct_map_tracker_new())) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  oct_tracer_defaults(t, s->params);
  int rc = w->options.params ? oct_tracer_parse(t, w->options.params, s->params, given, &why) : 0;
  if (!rc)
    rc = oct_tracer_fit(t, s->params, given, info->isa, info->addr_bits, info->insn_align_bytes,
                        &why);
  if (!rc) rc = t->encoder.create(s->params, &untimed, &s->encoder, &why);
  return rc ? oct_diag_pass(diag, &why, rc) : 0;
}

static int write_out(oct_writer *w, oct_diag *diag) {
  oct_stream *s = w->state;
  const uint8_t *bytes;
  size_t n = s->tracer->encoder.take(s->encoder, &bytes);
  return n ? s->write(w, bytes, n, diag) : 0;
}

int oct_stream_put(oct_writer *w, const oct_batch *b, oct_diag *diag) {
  oct_stream *s = w->state;
  const oct_map_update *updates;
  oct_diag why = {0};
  if (b->n_insns > s->room) {
    oct_insn *p = realloc(s->insns, b->n_insns * sizeof *p);
    if (!p) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    s->insns = p;
    s->room = b->n_insns;
  }
  if (b->n_insns) memcpy(s->insns, b->insns, b->n_insns * sizeof *s->insns);
  int64_t n = oct_map_track(s->map, b, s->insns, &updates);
  if (n < 0) return oct_fail(diag, (int)n, "%s", oct_error_text((int)n));
  int rc = s->learn ? s->learn(w, updates, (size_t)n, diag) : 0;
  if (rc) return rc;
  const oct_tracer_input in = {.insns = s->insns,
                               .n_insns = b->n_insns,
                               .accesses = b->accesses,
                               .n_accesses = b->n_accesses,
                               .updates = updates,
                               .n_updates = (size_t)n,
                               .traps = b->traps,
                               .n_traps = b->n_traps,
                               .facts = b->facts,
                               .n_facts = b->n_facts,
                               .values = b->values,
                               .n_values = b->n_values};
  rc = s->tracer->encoder.put(s->encoder, &in, &why);
  return rc ? oct_diag_pass(diag, &why, rc) : write_out(w, diag);
}

int oct_stream_finish(oct_writer *w, oct_diag *diag) {
  oct_stream *s = w->state;
  oct_diag why = {0};
  int rc = s->tracer->encoder.flush(s->encoder, &why);
  return rc ? oct_diag_pass(diag, &why, rc) : write_out(w, diag);
}

void oct_stream_end(oct_stream *s) {
  if (s->encoder) s->tracer->encoder.destroy(s->encoder);
  oct_map_tracker_free(s->map);
  free(s->insns);
}

/* ---- A bare stream ---- */

static int write_file(oct_writer *w, const uint8_t *bytes, size_t n, oct_diag *diag) {
  return oct_outfile_write(w->file, bytes, n, diag);
}

static int stream_open(oct_writer *w, oct_diag *diag) {
  oct_stream *s = w->state = calloc(1, sizeof *s);
  if (!s) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  s->write = write_file;
  return oct_stream_open(w, s, diag);
}

static void stream_close(oct_writer *w) {
  if (w->state) oct_stream_end(w->state);
  free(w->state);
}

const oct_writer_ops oct_stream_writer = {.open = stream_open,
                                          .put = oct_stream_put,
                                          .finish = oct_stream_finish,
                                          .close = stream_close,
                                          .flush = oct_stream_finish};
