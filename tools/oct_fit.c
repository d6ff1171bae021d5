/* SPDX-License-Identifier: Apache-2.0 */
/* oct_fit.c - what would let a trace through that loses events.
 *
 * Many compressors of the cycle engine are given the same part of the trace side by side, each
 * until it loses something: with more pins, with more pins and the largest buffers, and, at the
 * rate of an instruction a cycle, with slower cores. */
#include "oct_fit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "oct_port_needs.h"

enum { PINS_MAX = 32, PINS_STEP = 4, N_PINS = PINS_MAX / PINS_STEP, N_POINTS = 1 + 2 * N_PINS };

static const uint32_t cpis_milli[] = {1500, 2000, 3000, 4000, 6000, 8000, 12000, 16000};
enum { N_CPIS = sizeof cpis_milli / sizeof *cpis_milli };

typedef struct search {
  oct_source source;
  oct_port_needs *ports;         /* the geometry; so many pins; so many with the largest buffers */
  oct_port_needs *cores[N_CPIS]; /* the geometry, slower cores */
} search;

static int begin(search *s, const oct_run_args *a, oct_diag *diag) {
  oct_port_point points[N_POINTS];
  const oct_tracer *t = a->tracer;
  int pins = oct_tracer_param(t, "port_pins");
  for (unsigned i = 0; i < N_POINTS; i++) {
    oct_port_point *p = &points[i];
    *p = (oct_port_point){.clock_divider = 1, .end_at_loss = true};
    memcpy(p->params, a->params, sizeof p->params);
    for (unsigned b = 0; i > N_PINS && b < t->n_buffers; b++) {
      int size = oct_tracer_param(t, t->buffers[b].param);
      p->params[size] = t->params[size].max;
    }
    if (i) p->params[pins] = PINS_STEP * (1 + (i - 1) % N_PINS);
  }
  int error = oct_port_needs_new(t, points, N_POINTS, &a->run, &s->ports, diag);
  for (unsigned i = 0; i < N_CPIS && !error && a->run.arrival == OCT_ARRIVAL_FULL; i++) {
    oct_run_options slower = a->run;
    slower.arrival = OCT_ARRIVAL_CPI;
    slower.cpi_milli = cpis_milli[i];
    error = oct_port_needs_new(t, points, 1, &slower, &s->cores[i], diag);
  }
  return error;
}

static int run(search *s, oct_diag *diag) {
  int got, error = 0;
  while (!error && (got = oct_source_next(&s->source, diag)) != 0) {
    const oct_source *x = &s->source;
    if (got < 0) return got;
    const oct_tracer_input in = oct_tracer_input_of(&x->batch, x->updates, x->n_updates);
    error = oct_port_needs_put(s->ports, &in, diag);
    for (unsigned i = 0; i < N_CPIS && !error && s->cores[i]; i++)
      error = oct_port_needs_put(s->cores[i], &in, diag);
  }
  return error;
}

static bool fits(const oct_tracer *t, const oct_port_needs *needs, size_t i) {
  uint64_t values[OCT_TRACER_COUNTERS_MAX];
  oct_port_needs_counters(needs, i, values);
  return !oct_tracer_count(t, values, "overflows");
}

static uint32_t fewest_pins(const oct_tracer *t, const oct_port_needs *needs, size_t first) {
  for (uint32_t i = 0; i < N_PINS; i++)
    if (fits(t, needs, first + i)) return PINS_STEP * (i + 1);
  return 0;
}

int oct_fit_find(const char *path, const oct_run_args *args, oct_fit *fit, oct_diag *diag) {
  oct_run_args a = *args;
  search s = {.ports = NULL};
  *fit = (oct_fit){.loses = false};
  a.run.engine = OCT_ENGINE_CYCLE;
  a.run.find_depths = 0;
  if (!a.limit || a.limit > OCT_FIT_INSNS) a.limit = OCT_FIT_INSNS;
  int error = oct_cli_open(&s.source, path, &a, "verify", diag);
  if (error < 0) return error;
  error = begin(&s, &a, diag);
  if (!error) error = run(&s, diag);
  if (!error) {
    fit->loses = !fits(a.tracer, s.ports, 0);
    fit->insns = s.source.n_insns;
    fit->pins = fewest_pins(a.tracer, s.ports, 1);
    fit->pins_deep = fewest_pins(a.tracer, s.ports, 1 + N_PINS);
    for (unsigned i = 0; i < N_CPIS && !fit->cpi_milli && s.cores[i]; i++)
      if (fits(a.tracer, s.cores[i], 0)) fit->cpi_milli = cpis_milli[i];
  }
  oct_port_needs_free(s.ports);
  for (unsigned i = 0; i < N_CPIS; i++) oct_port_needs_free(s.cores[i]);
  oct_cli_close(&s.source, &a);
  return error;
}

/* Settings that make all buffers as large as they can be, with a comma before each. */
static void print_largest(const oct_tracer *t, char *text, size_t room) {
  size_t used = 0;
  text[0] = 0;
  for (unsigned b = 0; b < t->n_buffers && used < room; b++)
    used += (size_t)snprintf(text + used, room - used, ",%s=%u", t->buffers[b].param,
                             t->params[oct_tracer_param(t, t->buffers[b].param)].max);
}

void oct_fit_print(const char *path, const oct_tracer *t, const oct_fit *fit, const char *command) {
  char more[256], largest[200];
  if (!fit->loses) {
    printf("%s: nothing is lost in the first %" PRIu64
           " instructions: octrace report --cycle-insns 0"
           " looks at the whole\n",
           path, fit->insns);
    return;
  }
  if (!fit->pins && !fit->pins_deep && !fit->cpi_milli) {
    printf(
        "%s: no port of up to %d pins, no buffers and no core of up to %u cycles an instruction "
        "lose nothing\n",
        path, PINS_MAX, cpis_milli[N_CPIS - 1] / 1000);
    return;
  }
  printf("%s: of its first %" PRIu64 " instructions nothing would be lost with\n", path,
         fit->insns);
  if (fit->pins) {
    printf("  %" PRIu32 " pins:\n", fit->pins);
    snprintf(more, sizeof more, "-g port_pins=%" PRIu32, fit->pins);
    printf("    %s %s\n", command, more);
  }
  if (fit->pins_deep && (!fit->pins || fit->pins_deep < fit->pins)) {
    printf("  %" PRIu32 " pins and the largest buffers:\n", fit->pins_deep);
    print_largest(t, largest, sizeof largest);
    snprintf(more, sizeof more, "-g port_pins=%" PRIu32 "%s", fit->pins_deep, largest);
    printf("    %s %s\n", command, more);
  }
  if (fit->cpi_milli) {
    printf("  a core of %g cycles an instruction, where this takes one a cycle:\n",
           fit->cpi_milli / 1000.0);
    snprintf(more, sizeof more, "--arrival cpi=%g", fit->cpi_milli / 1000.0);
    printf("    %s %s\n", command, more);
  }
}
