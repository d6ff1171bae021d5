/* SPDX-License-Identifier: Apache-2.0 */
/* oct_port_needs.c - how many pins and how deep buffers a trace needs.
 *
 * Each encoder takes a part of the instructions at a time, so that what it holds stays in the
 * processor's caches. */
#include "octrace/sweep.h"

#include <stdlib.h>

#include "oct_input_parts.h"

enum { PART_INSNS = 4096 };

struct oct_port_needs {
  const oct_tracer *tracer;
  void **encoders;
  bool *end_at_loss, *has_ended;
  size_t n;
};

int oct_port_needs_new(const oct_tracer *t, const oct_port_point *points, size_t n,
                       const oct_run_options *options, oct_port_needs **out, oct_diag *diag) {
  int error = 0;
  *out = NULL;
  oct_port_needs *s = calloc(1, sizeof *s);
  if (s) {
    s->tracer = t;
    s->n = n;
    s->encoders = calloc(n + 1, sizeof *s->encoders);
    s->end_at_loss = calloc(n + 1, sizeof *s->end_at_loss);
    s->has_ended = calloc(n + 1, sizeof *s->has_ended);
  }
  error = s && s->encoders && s->end_at_loss && s->has_ended
              ? 0
              : oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  for (size_t i = 0; i < n && !error; i++) {
    oct_run_options run = *options;
    run.engine = OCT_ENGINE_CYCLE;
    run.clock_divider = points[i].clock_divider;
    s->end_at_loss[i] = points[i].end_at_loss;
    error = points[i].clock_divider
                ? t->encoder.create(points[i].params, &run, &s->encoders[i], diag)
                : oct_fail(diag, OCT_ERR_ARG, "clock divider 0: expected at least 1");
  }
  if (error)
    oct_port_needs_free(s);
  else
    *out = s;
  return error;
}

void oct_port_needs_free(oct_port_needs *s) {
  if (!s) return;
  for (size_t i = 0; s->encoders && i < s->n; i++) s->tracer->encoder.destroy(s->encoders[i]);
  free(s->encoders);
  free(s->end_at_loss);
  free(s->has_ended);
  free(s);
}

static int put_part(oct_port_needs *s, const oct_tracer_input *in, oct_diag *diag) {
  uint64_t values[OCT_TRACER_COUNTERS_MAX];
  int error = 0;
  for (size_t i = 0; i < s->n && !error; i++) {
    const uint8_t *bytes;
    if (s->has_ended[i]) continue;
    error = s->tracer->encoder.put(s->encoders[i], in, diag);
    s->tracer->encoder.take(s->encoders[i], &bytes);
    if (!s->end_at_loss[i]) continue;
    s->tracer->encoder.counters(s->encoders[i], values);
    s->has_ended[i] = oct_tracer_count(s->tracer, values, "overflows") != 0;
  }
  return error;
}

int oct_port_needs_put(oct_port_needs *s, const oct_tracer_input *in, oct_diag *diag) {
  oct_input_parts parts;
  int error = oct_input_parts_begin(&parts, in, diag);
  while (!error && oct_input_parts_has_more(&parts))
    error = put_part(s, oct_input_parts_next(&parts, PART_INSNS), diag);
  oct_input_parts_end(&parts);
  return error;
}

void oct_port_needs_counters(const oct_port_needs *s, size_t i, uint64_t *values) {
  s->tracer->encoder.counters(s->encoders[i], values);
}

const void *oct_port_needs_encoder(const oct_port_needs *s, size_t i) {
  return s->encoders[i];
}
