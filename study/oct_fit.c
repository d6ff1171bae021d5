/* SPDX-License-Identifier: Apache-2.0 */
/* oct_fit.c - what would let a trace through that loses events.
 *
 * Many compressors of the cycle engine are given the same part of the trace side by side, each
 * until it loses something: with more pins, with more pins and the largest buffers, pipelined, and,
 * where the trace does not say when instructions retire, with slower cores. Other tracers that have
 * a cycle engine are tried likewise. The least of each way that loses nothing there is then tried
 * on the whole, and the next one where that fails: what is printed lost nothing. */
#include "oct_fit.h"

#include <string.h>

#include "octrace/sweep.h"

enum { PINS_STEP = 4 };

static const uint32_t cpis_milli[] = {1000, 1500, 2000, 3000, 4000, 6000, 8000, 12000, 16000};
enum { N_CPIS = sizeof cpis_milli / sizeof *cpis_milli };
_Static_assert((int)N_CPIS <= (int)OCT_FIT_VALUES_MAX &&
                   (int)(OCT_FIT_PINS_MAX / PINS_STEP) <= (int)OCT_FIT_VALUES_MAX,
               "room for all values");

/* Compressors side by side: NULL where one is not tried, or not any more. */
typedef oct_port_needs *trials[OCT_FIT_WAYS_MAX][OCT_FIT_VALUES_MAX];

static bool is_timed(const oct_tracer *t, const char *name) {
  for (const char *const *p = t->timed_params; p && *p; p++)
    if (!strcmp(*p, name)) return true;
  return false;
}

/* Whether parameter i is the size of a buffer. A buffer of several kinds of things has a size of
 * each, and their names begin alike. */
static bool is_depth(const oct_tracer *t, unsigned i) {
  const char *name = t->params[i].name;
  for (unsigned b = 0; b < t->n_buffers; b++) {
    const char *size = t->buffers[b].param;
    if (!strcmp(name, size)) return true;
    if (is_timed(t, name) && !strncmp(name, size, strcspn(size, "_") + 1)) return true;
  }
  return false;
}

/* The machine that is asked for, with the parameters that the trace gives it. */
typedef struct machine {
  const oct_tracer *tracer;
  const oct_run_options *run;
  uint32_t params[OCT_TRACER_PARAMS_MAX];
} machine;

/* Whether a core of so many cycles per instruction is slower than the one asked for. */
static bool is_slower(const machine *m, uint32_t cpi_milli) {
  if (m->run->arrival == OCT_ARRIVAL_CPI) return cpi_milli > m->run->cpi_milli;
  return m->run->arrival == OCT_ARRIVAL_FULL &&
         (cpi_milli > 1000 || oct_tracer_value(m->tracer, m->params, OCT_ROLE_RETIRE_WIDTH) > 1);
}

/* One more way, with pins above so many. */
static oct_fit_way *add_pins(oct_fit *fit, const oct_tracer *t, const uint32_t *params,
                             uint32_t above) {
  if (fit->n_ways == OCT_FIT_WAYS_MAX) return NULL;
  oct_fit_way *w = &fit->ways[fit->n_ways++];
  w->tracer = t;
  memcpy(w->params, params, sizeof w->params);
  for (uint32_t pins = PINS_STEP; pins <= OCT_FIT_PINS_MAX; pins += PINS_STEP)
    if (pins > above) w->values[w->n_values++] = pins;
  return w;
}

static void add_deep(oct_fit *fit, const oct_tracer *t, const uint32_t *params) {
  oct_fit_way *w = add_pins(fit, t, params, 0);
  if (!w) return;
  w->is_deep = true;
  for (unsigned i = 0; i < t->n_params; i++)
    if (is_depth(t, i)) w->params[i] = t->params[i].max;
}

static void add_own(oct_fit *fit, const machine *a) {
  const oct_tracer *t = a->tracer;
  int pipelined = oct_tracer_role(t, OCT_ROLE_PIPELINED);
  add_pins(fit, t, a->params, oct_tracer_value(a->tracer, a->params, OCT_ROLE_PORT_PINS));
  add_deep(fit, t, a->params);
  if (pipelined >= 0 && !a->params[pipelined]) {
    oct_fit_way *w = add_pins(fit, t, a->params, 0);
    w->is_pipelined = true;
    w->params[pipelined] = 1;
  }
  oct_fit_way *core = &fit->ways[fit->n_ways++];
  core->tracer = t;
  core->is_core = true;
  memcpy(core->params, a->params, sizeof core->params);
  for (unsigned i = 0; i < N_CPIS; i++)
    if (is_slower(a, cpis_milli[i])) core->values[core->n_values++] = cpis_milli[i];
}

/* What the user asks of a trace: its contents, not how they are made small. */
static const oct_param_role contents[] = {
    OCT_ROLE_TRAPS,       OCT_ROLE_CAUSE_BITS, OCT_ROLE_TIMESTAMP, OCT_ROLE_TIME_PERIOD_INSNS,
    OCT_ROLE_TIME_SOURCE, OCT_ROLE_FILTERS,    OCT_ROLE_TASK_BITS};
enum { N_CONTENTS = sizeof contents / sizeof *contents };

/* Let another tracer tell as much as the user's: false if it has not all of that. */
static bool take_contents(const oct_tracer *t, uint32_t *params, bool *given, const machine *a) {
  for (unsigned i = 0; i < N_CONTENTS; i++) {
    const int from = oct_tracer_role(a->tracer, contents[i]), to = oct_tracer_role(t, contents[i]);
    if (from < 0 || a->params[from] == a->tracer->params[from].def) continue;
    if (to < 0) return false;
    params[to] = a->params[from];
    given[to] = true;
  }
  return true;
}

/* Other tracers that carry as much and take the trace. */
static void add_others(oct_fit *fit, const machine *a, const oct_fit_trace *trace,
                       const oct_trace_info *info) {
  for (unsigned i = 0; oct_tracer_at(i); i++) {
    const oct_tracer *t = oct_tracer_at(i);
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    bool given[OCT_TRACER_PARAMS_MAX] = {false};
    oct_diag ignored;
    if (t == a->tracer || !t->has_cycle_engine || t->carries_values != a->tracer->carries_values)
      continue;
    oct_tracer_defaults(t, params);
    if (!take_contents(t, params, given, a) || trace->suit(t, params, given, info, &ignored) ||
        oct_tracer_carries_data(t, params) != oct_tracer_carries_data(a->tracer, a->params))
      continue;
    add_pins(fit, t, params, 0);
    add_deep(fit, t, params);
  }
}

/* A compressor of one value of a way; none where the tracer cannot be so. */
static int begin_trial(const oct_fit_way *w, uint32_t value, const machine *a,
                       oct_port_needs **trial, oct_diag *diag) {
  oct_port_point point = {.clock_divider = 1, .end_at_loss = true};
  oct_run_options run = *a->run;
  oct_diag ignored;
  memcpy(point.params, w->params, sizeof point.params);
  if (w->is_core) {
    run.arrival = OCT_ARRIVAL_CPI;
    run.cpi_milli = value;
  } else {
    point.params[oct_tracer_role(w->tracer, OCT_ROLE_PORT_PINS)] = value;
  }
  if (oct_tracer_check(w->tracer, point.params, &ignored)) return 0;
  return oct_port_needs_new(w->tracer, &point, 1, &run, trial, diag);
}

/* Give a part of the trace to a compressor. One that cannot take it, such as another tracer for
 * which a number is too wide, is dropped: the user's own has taken all of it. */
static int put(oct_port_needs **trial, const oct_tracer_input *in, oct_diag *diag) {
  oct_diag why = {0};
  int error = *trial ? oct_port_needs_put(*trial, in, &why) : 0;
  if (error == OCT_ERR_LIMIT || error == OCT_ERR_CONFIG) {
    oct_port_needs_free(*trial);
    *trial = NULL;
    return 0;
  }
  if (error) *diag = why;
  return error;
}

/* Drop a compressor that has lost something. Whether one is left. */
static bool drop_lossy(const oct_tracer *t, oct_port_needs **trial) {
  uint64_t values[OCT_TRACER_COUNTERS_MAX];
  if (!*trial) return false;
  oct_port_needs_counters(*trial, 0, values);
  if (!oct_tracer_count(t, values, "overflows")) return true;
  oct_port_needs_free(*trial);
  *trial = NULL;
  return false;
}

/* Give the trace to all compressors, until its end, or until each has lost something. */
static int run_trials(oct_source *s, const oct_fit *fit, trials all, oct_diag *diag) {
  int got = 0, error = 0;
  bool any = true;
  while (!error && any && (got = oct_source_next(s, diag)) > 0) {
    const oct_tracer_input in = oct_tracer_input_of(&s->batch, s->updates, s->n_updates);
    any = false;
    for (unsigned i = 0; i < fit->n_ways; i++)
      for (unsigned k = 0; k < fit->ways[i].n_values && !error; k++) {
        error = put(&all[i][k], &in, diag);
        any |= drop_lossy(fit->ways[i].tracer, &all[i][k]);
      }
  }
  return got < 0 ? got : error;
}

/* Take of each way the least value that lost nothing. */
static void choose(oct_fit *fit, trials all) {
  for (unsigned i = 0; i < fit->n_ways; i++) {
    oct_fit_way *w = &fit->ways[i];
    while (w->at < w->n_values && !all[i][w->at]) w->at++;
  }
}

static void free_trials(trials all) {
  for (unsigned i = 0; i < OCT_FIT_WAYS_MAX; i++)
    for (unsigned k = 0; k < OCT_FIT_VALUES_MAX; k++) {
      oct_port_needs_free(all[i][k]);
      all[i][k] = NULL;
    }
}

/* Try all values on the first part of the trace, and choose. *is_whole: that was all of it. */
static int choose_by_part(const oct_fit_trace *trace, machine *a, oct_fit *fit, bool *is_whole,
                          oct_diag *diag) {
  const bool is_cut = !trace->limit || trace->limit > OCT_FIT_INSNS;
  oct_source s;
  trials all = {{NULL}};
  int error =
      trace->open(trace->context, is_cut ? OCT_FIT_INSNS : trace->limit, &s, a->params, diag);
  if (error < 0) return error;
  add_own(fit, a);
  add_others(fit, a, trace, &s.info);
  for (unsigned i = 0; i < fit->n_ways; i++)
    for (unsigned k = 0; k < fit->ways[i].n_values && !error; k++)
      error = begin_trial(&fit->ways[i], fit->ways[i].values[k], a, &all[i][k], diag);
  if (!error) error = run_trials(&s, fit, all, diag);
  if (!error) choose(fit, all);
  *is_whole = !is_cut || s.n_insns < OCT_FIT_INSNS;
  free_trials(all);
  trace->close(trace->context, &s, error);
  return error;
}

/* Try on the whole what was chosen and is not known to be right. The next value where it fails;
 * *n_failed: how many did. */
static int confirm(const oct_fit_trace *trace, machine *a, oct_fit *fit, bool *is_right,
                   unsigned *n_failed, oct_diag *diag) {
  oct_source s;
  trials all = {{NULL}};
  *n_failed = 0;
  int error = trace->open(trace->context, trace->limit, &s, a->params, diag);
  if (error < 0) return error;
  for (unsigned i = 0; i < fit->n_ways && !error; i++) {
    const oct_fit_way *w = &fit->ways[i];
    if (w->at < w->n_values && !is_right[i])
      error = begin_trial(w, w->values[w->at], a, &all[i][w->at], diag);
  }
  if (!error) error = run_trials(&s, fit, all, diag);
  for (unsigned i = 0; i < fit->n_ways && !error; i++) {
    oct_fit_way *w = &fit->ways[i];
    if (is_right[i] || w->at == w->n_values) continue;
    is_right[i] = all[i][w->at];
    if (is_right[i]) continue;
    w->at++;
    ++*n_failed;
  }
  free_trials(all);
  trace->close(trace->context, &s, error);
  return error;
}

int oct_fit_find(const oct_fit_trace *trace, const oct_tracer *t, const oct_run_options *run,
                 oct_fit *fit, oct_diag *diag) {
  machine a = {.tracer = t, .run = run};
  bool is_whole = false, is_right[OCT_FIT_WAYS_MAX] = {false};
  unsigned n_failed = 1;
  *fit = (oct_fit){.n_ways = 0};
  int error = choose_by_part(trace, &a, fit, &is_whole, diag);
  while (!error && !is_whole && n_failed)
    error = confirm(trace, &a, fit, is_right, &n_failed, diag);
  return error;
}

bool oct_fit_sets_depth(const oct_fit_way *w, unsigned i) {
  return w->is_deep && is_depth(w->tracer, i);
}

int oct_fit_content(const oct_fit_way *w, unsigned i) {
  if (i >= N_CONTENTS) return OCT_FIT_NO_MORE;
  const int at = oct_tracer_role(w->tracer, contents[i]);
  return at >= 0 && w->params[at] != w->tracer->params[at].def ? at : OCT_FIT_UNCHANGED;
}
