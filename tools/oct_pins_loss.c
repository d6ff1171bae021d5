/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pins_loss.c - tracers side by side on the same pins: a search for each tracer, all over the
 * same instructions. */
#include "oct_pins_loss.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t pins[] = {1, 2, 4, 8, 16, 32};
enum { N_PINS = sizeof pins / sizeof *pins, TRACERS_MAX = 8 };

struct oct_pins_loss {
  unsigned n;
  const oct_tracer *tracers[TRACERS_MAX];
  oct_port_search *searches[TRACERS_MAX];
  /* While they run: */
  void (*moved)(void *context, double part);
  void *context;
  uint64_t work_done, work_now; /* of those before, and of the one that runs */
};

/* Parameters of a tracer for the trace; false: it does not take it. */
static bool fit(const oct_tracer *t, const oct_run_args *args, const oct_trace_info *info,
                uint32_t *params) {
  bool given[OCT_TRACER_PARAMS_MAX] = {false};
  oct_diag diag;
  if (t == args->tracer) {
    memcpy(params, args->params, sizeof args->params);
    return true;
  }
  oct_tracer_defaults(t, params);
  return !oct_tracer_fit(t, params, given, info->isa, info->addr_bits, info->insn_align_bytes,
                         &diag);
}

static int add(oct_pins_loss *s, const oct_tracer *t, const uint32_t *params,
               const oct_run_options *run, oct_diag *diag) {
  const oct_port_row row = {.n = N_PINS, .wants_losses = true, .buffer = OCT_PORT_NO_BUFFER};
  oct_port_point points[N_PINS] = {{.clock_divider = 0}};
  for (unsigned i = 0; i < N_PINS; i++) {
    memcpy(points[i].params, params, sizeof points[i].params);
    points[i].params[oct_tracer_role(t, OCT_ROLE_PORT_PINS)] = pins[i];
    points[i].clock_divider = 1;
  }
  s->tracers[s->n] = t;
  int error = oct_port_search_new(t, points, N_PINS, &row, 1, run, &s->searches[s->n], diag);
  if (!error) s->n++;
  return error;
}

int oct_pins_loss_new(const oct_run_args *args, const oct_trace_info *info, bool is_alone,
                      oct_pins_loss **out, oct_diag *diag) {
  oct_pins_loss *s = calloc(1, sizeof *s);
  *out = NULL;
  if (!s) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  int error = 0;
  for (unsigned i = 0; oct_tracer_at(i) && s->n < TRACERS_MAX && !error; i++) {
    const oct_tracer *t = oct_tracer_at(i);
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    /* One that sends values is another thing: it is there if it is asked for. */
    const bool is_other = t != args->tracer && (is_alone || t->carries_values);
    if (!t->has_cycle_engine || is_other || !fit(t, args, info, params)) continue;
    error = add(s, t, params, &args->run, diag);
  }
  if (error)
    oct_pins_loss_free(s);
  else
    *out = s;
  return error;
}

void oct_pins_loss_free(oct_pins_loss *s) {
  if (!s) return;
  for (unsigned i = 0; i < s->n; i++) oct_port_search_free(s->searches[i]);
  free(s);
}

int oct_pins_loss_put(oct_pins_loss *s, const oct_tracer_input *in, oct_diag *diag) {
  int error = 0;
  for (unsigned i = 0; i < s->n && !error; i++)
    error = oct_port_search_put(s->searches[i], in, diag);
  return error;
}

void oct_pins_loss_end(oct_pins_loss *s) {
  for (unsigned i = 0; i < s->n; i++) oct_port_search_end(s->searches[i]);
}

void oct_pins_loss_know(oct_pins_loss *s, const oct_tracer *t, const oct_port_point *point,
                        const uint64_t *values) {
  for (unsigned i = 0; i < s->n; i++)
    if (s->tracers[i] == t) oct_port_search_know(s->searches[i], point, values);
}

uint64_t oct_pins_loss_work(const oct_pins_loss *s) {
  uint64_t work = 0;
  for (unsigned i = 0; i < s->n; i++) work += oct_port_search_work(s->searches[i]);
  return work;
}

static void one_moves(void *context, double part) {
  const oct_pins_loss *s = context;
  double done = (double)s->work_done + part * (double)s->work_now;
  s->moved(s->context, done / (double)oct_pins_loss_work(s));
}

int oct_pins_loss_run(oct_pins_loss *s, const oct_recording *r,
                      void (*moved)(void *context, double part), void *context, oct_diag *diag) {
  int error = 0;
  s->moved = moved;
  s->context = context;
  s->work_done = 0;
  for (unsigned i = 0; i < s->n && !error; i++) {
    s->work_now = oct_port_search_work(s->searches[i]);
    error = oct_port_search_run(s->searches[i], r, moved ? one_moves : NULL, s, diag);
    s->work_done += s->work_now;
  }
  return error;
}

void oct_pins_loss_tell(const oct_pins_loss *s, const oct_tracer *t, oct_port_search *to) {
  for (unsigned i = 0; i < s->n; i++) {
    for (size_t k = 0; s->tracers[i] == t && k < N_PINS; k++) {
      uint64_t values[OCT_TRACER_COUNTERS_MAX];
      oct_port_search_counters(s->searches[i], k, values);
      oct_port_search_know(to, oct_port_search_point(s->searches[i], k), values);
    }
  }
}

json_t *oct_pins_loss_json(const oct_pins_loss *s) {
  json_t *all = json_object();
  for (unsigned i = 0; i < s->n; i++) {
    const oct_tracer *t = s->tracers[i];
    json_t *list = json_array();
    for (unsigned k = 0; k < N_PINS; k++) {
      uint64_t values[OCT_TRACER_COUNTERS_MAX];
      oct_port_search_counters(s->searches[i], k, values);
      uint64_t lost = oct_tracer_count(t, values, "lost_insns");
      uint64_t n = oct_tracer_count(t, values, "insns") + lost;
      json_t *o = json_object();
      json_object_set_new(o, "pins", json_integer(pins[k]));
      json_object_set_new(o, "loss", json_real(n ? (double)lost / (double)n : 0));
      json_object_set_new(o, "lost_instructions", json_integer((json_int_t)lost));
      json_array_append_new(list, o);
    }
    json_object_set_new(all, t->name, list);
  }
  return all;
}
