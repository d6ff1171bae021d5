/* SPDX-License-Identifier: Apache-2.0 */
/* oct_memory.c - a trace to port bits in memory, and back.
 *
 * Each batch of the source goes to the tracer's encoder; port bytes and map updates are kept. To
 * decode, all updates are told first, then the bytes a piece at a time, so that the decoder holds
 * no second copy of them. */
#include "octrace/tracer.h"

#include <stdlib.h>
#include <string.h>

#include "octrace/error.h"

enum { PIECE_BYTES = 1 << 16 };

struct oct_memory {
  const oct_tracer *tracer;
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  oct_buffer port;
  oct_buffer updates; /* oct_map_update, one after the other */
  void *decoder;      /* NULL before the first call, and behind the end */
  size_t n_pushed;
};

static int no_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

static int choose_params(oct_memory *m, const char *settings, const oct_trace_info *info,
                         oct_diag *diag) {
  const oct_tracer *t = m->tracer;
  bool given[OCT_TRACER_PARAMS_MAX] = {false};
  oct_tracer_defaults(t, m->params);
  int error = settings ? oct_tracer_parse(t, settings, m->params, given, diag) : 0;
  if (!error)
    error = oct_tracer_fit(t, m->params, given, info->isa, info->addr_bits, info->insn_align_bytes,
                           diag);
  return error ? error : oct_tracer_check(t, m->params, diag);
}

static int keep_port(oct_memory *m, void *encoder, oct_diag *diag) {
  const uint8_t *bytes;
  size_t n = m->tracer->encoder.take(encoder, &bytes);
  return oct_buffer_put(&m->port, bytes, n) ? no_memory(diag) : 0;
}

static int encode(oct_memory *m, void *encoder, oct_source *source, oct_diag *diag) {
  int got, error = 0;
  while (!error && (got = oct_source_next(source, diag)) != 0) {
    const oct_tracer_input in =
        oct_tracer_input_of(&source->batch, source->updates, source->n_updates);
    if (got < 0) return got;
    if (oct_buffer_put(&m->updates, in.updates, in.n_updates * sizeof *in.updates))
      return no_memory(diag);
    error = m->tracer->encoder.put(encoder, &in, diag);
    if (!error) error = keep_port(m, encoder, diag);
  }
  if (!error) error = m->tracer->encoder.flush(encoder, diag);
  return error ? error : keep_port(m, encoder, diag);
}

int oct_memory_compress(const oct_tracer *tracer, const char *settings, oct_source *source,
                        oct_memory **out, oct_diag *diag) {
  const oct_run_options run = {.engine = OCT_ENGINE_UNTIMED};
  oct_memory *m = calloc(1, sizeof *m);
  void *encoder;
  *out = NULL;
  if (!m) return no_memory(diag);
  m->tracer = tracer;
  int error = choose_params(m, settings, &source->info, diag);
  if (!error) error = tracer->encoder.create(m->params, &run, &encoder, diag);
  if (!error) {
    error = encode(m, encoder, source, diag);
    tracer->encoder.destroy(encoder);
  }
  if (error) {
    oct_memory_free(m);
    return error;
  }
  *out = m;
  return 0;
}

static void end_decoding(oct_memory *m) {
  if (m->decoder) m->tracer->decoder.destroy(m->decoder);
  m->decoder = NULL;
}

void oct_memory_free(oct_memory *m) {
  if (!m) return;
  end_decoding(m);
  oct_buffer_free(&m->port);
  oct_buffer_free(&m->updates);
  free(m);
}

size_t oct_memory_port(const oct_memory *m, const uint8_t **bytes) {
  *bytes = m->port.bytes;
  return m->port.n_bytes;
}

static int begin_decoding(oct_memory *m, oct_diag *diag) {
  const oct_tracer_decoder *d = &m->tracer->decoder;
  const oct_map_update *updates = (const oct_map_update *)(const void *)m->updates.bytes;
  int error = d->create(m->params, OCT_START_IN_STEP, &m->decoder, diag);
  if (error) {
    m->decoder = NULL;
    return error;
  }
  m->n_pushed = 0;
  return d->map(m->decoder, updates, m->updates.n_bytes / sizeof *updates, diag);
}

int oct_memory_next(oct_memory *m, oct_decoded *run, oct_diag *diag) {
  const oct_tracer_decoder *d = &m->tracer->decoder;
  int got = m->decoder ? 0 : begin_decoding(m, diag);
  if (!got) got = d->next(m->decoder, run, diag);
  while (!got && m->n_pushed < m->port.n_bytes) {
    size_t n = m->port.n_bytes - m->n_pushed;
    if (n > PIECE_BYTES) n = PIECE_BYTES;
    got = d->push(m->decoder, m->port.bytes + m->n_pushed, n, diag);
    m->n_pushed += n;
    if (m->n_pushed == m->port.n_bytes) d->finish(m->decoder);
    if (!got) got = d->next(m->decoder, run, diag);
  }
  if (got <= 0) end_decoding(m);
  return got;
}
