/* SPDX-License-Identifier: Apache-2.0 */
/* oct_fit.c - what would let a trace through that loses events.
 *
 * Many compressors of the cycle engine are given the same part of the trace side by side, each
 * until it loses something: with more pins, with more pins and the largest buffers, pipelined, and,
 * where the trace does not say when instructions retire, with slower cores. All other tracers that
 * take the trace encode the same part too, since one that sends fewer bits needs fewer pins. */
#include "oct_fit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oct_port_needs.h"
#include "oct_tracer_rows.h"

enum { PINS_MAX = 32, PINS_STEP = 4, N_PINS = PINS_MAX / PINS_STEP };
/* Compressors side by side: the geometry; so many pins; so many with the largest buffers; so many,
 * pipelined, where that is a choice. */
enum {
  FEWEST = 1,
  FEWEST_DEEP = FEWEST + N_PINS,
  PIPELINED = FEWEST_DEEP + N_PINS,
  N_POINTS = PIPELINED + N_PINS
};

static const uint32_t cpis_milli[] = {1000, 1500, 2000, 3000, 4000, 6000, 8000, 12000, 16000};
enum { N_CPIS = sizeof cpis_milli / sizeof *cpis_milli };

typedef struct search {
  oct_source source;
  oct_port_needs *ports;         /* N_POINTS */
  oct_port_needs *cores[N_CPIS]; /* the geometry, slower cores */
  void *untimed;                 /* encoder of the geometry, for the bits that it sends */
  oct_tracer_rows others;
} search;

/* Number of the parameter that makes every stage take one item a cycle, -1: it is so, or none. */
static int pipelined_param(const oct_tracer *t, const uint32_t *params) {
  int i = oct_tracer_param(t, "pipelined");
  return i < 0 || params[i] ? -1 : i;
}

/* Whether a core of so many cycles an instruction is slower than the one asked for. */
static bool is_slower(const oct_run_args *a, uint32_t cpi_milli) {
  if (a->run.arrival == OCT_ARRIVAL_CPI) return cpi_milli > a->run.cpi_milli;
  return a->run.arrival == OCT_ARRIVAL_FULL &&
         (cpi_milli > 1000 || oct_cli_param(a, "retire_width") > 1);
}

static int begin(search *s, const oct_run_args *a, oct_diag *diag) {
  oct_port_point points[N_POINTS];
  const oct_tracer *t = a->tracer;
  int pins = oct_tracer_param(t, "port_pins"), pipelined = pipelined_param(t, a->params);
  for (unsigned i = 0; i < N_POINTS; i++) {
    oct_port_point *p = &points[i];
    *p = (oct_port_point){.clock_divider = 1, .end_at_loss = true};
    memcpy(p->params, a->params, sizeof p->params);
    if (i >= PIPELINED && pipelined >= 0) p->params[pipelined] = 1;
    for (unsigned b = 0; i >= FEWEST_DEEP && i < PIPELINED && b < t->n_buffers; b++) {
      int size = oct_tracer_param(t, t->buffers[b].param);
      p->params[size] = t->params[size].max;
    }
    if (i) p->params[pins] = PINS_STEP * (1 + (i - 1) % N_PINS);
  }
  oct_run_options untimed = a->run;
  untimed.engine = OCT_ENGINE_UNTIMED;
  int error = oct_port_needs_new(t, points, N_POINTS, &a->run, &s->ports, diag);
  if (!error) error = t->encoder.create(a->params, &untimed, &s->untimed, diag);
  if (!error) error = oct_tracer_rows_init(&s->others, &s->source.info, diag);
  for (unsigned i = 0; i < N_CPIS && !error; i++) {
    if (!is_slower(a, cpis_milli[i])) continue;
    oct_run_options slower = a->run;
    slower.arrival = OCT_ARRIVAL_CPI;
    slower.cpi_milli = cpis_milli[i];
    error = oct_port_needs_new(t, points, 1, &slower, &s->cores[i], diag);
  }
  return error;
}

static int run(search *s, const oct_tracer *t, oct_diag *diag) {
  int got, error = 0;
  while (!error && (got = oct_source_next(&s->source, diag)) != 0) {
    const oct_source *x = &s->source;
    if (got < 0) return got;
    const oct_tracer_input in = oct_tracer_input_of(&x->batch, x->updates, x->n_updates);
    const uint8_t *bytes;
    error = oct_port_needs_put(s->ports, &in, diag);
    if (!error) error = t->encoder.put(s->untimed, &in, diag);
    if (!error) (void)t->encoder.take(s->untimed, &bytes);
    if (!error) error = oct_tracer_rows_put(&s->others, &in, diag);
    for (unsigned i = 0; i < N_CPIS && !error; i++)
      if (s->cores[i]) error = oct_port_needs_put(s->cores[i], &in, diag);
  }
  if (!error) error = t->encoder.flush(s->untimed, diag);
  if (!error) error = oct_tracer_rows_flush(&s->others, diag);
  return error;
}

/* The other tracer that sends the fewest bits for the same events, if fewer than this one. */
static void find_other(const search *s, const oct_run_args *a, oct_fit *fit) {
  uint64_t values[OCT_TRACER_COUNTERS_MAX];
  a->tracer->encoder.counters(s->untimed, values);
  uint64_t least = fit->bits = oct_tracer_port_bits(a->tracer, values, OCT_GROUP_TRACE);
  for (size_t i = 0; i < s->others.n; i++) {
    const oct_tracer_row *row = &s->others.row[i];
    uint64_t bits = row->insn + row->data + row->sync + row->overhead;
    if (!row->encoder || row->tracer == a->tracer || bits >= least ||
        row->has_data != oct_tracer_carries_data(a->tracer, a->params) ||
        strcmp(row->geometry, row->tracer->geometries[0].name) != 0)
      continue;
    least = fit->other_bits = bits;
    fit->other = row->tracer;
  }
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
  if (!error) error = run(&s, a.tracer, diag);
  if (!error) {
    fit->loses = !fits(a.tracer, s.ports, 0);
    fit->insns = s.source.n_insns;
    fit->pins = fewest_pins(a.tracer, s.ports, FEWEST);
    fit->pins_deep = fewest_pins(a.tracer, s.ports, FEWEST_DEEP);
    if (pipelined_param(a.tracer, a.params) >= 0)
      fit->pins_pipelined = fewest_pins(a.tracer, s.ports, PIPELINED);
    find_other(&s, &a, fit);
    fit->tried_cores = s.cores[N_CPIS - 1];
    for (unsigned i = 0; i < N_CPIS && !fit->cpi_milli; i++)
      if (s.cores[i] && fits(a.tracer, s.cores[i], 0)) fit->cpi_milli = cpis_milli[i];
  }
  oct_tracer_rows_free(&s.others);
  if (s.untimed) a.tracer->encoder.destroy(s.untimed);
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

/* Whether an argument is that option, whose name may be abbreviated: one that begins several
 * options has been refused. */
static bool is_option(const char *arg, const char *name) {
  size_t n = strcspn(arg, "=");
  return n > 2 && !strncmp(arg, name, n);
}

/* How many arguments from argv[0] on choose the machine and its rate; 0: none. */
static int of_machine(char **argv) {
  static const char *const with_value[] = {"--tracer",  "--geometry", "--engine",
                                           "--arrival", "--stall",    "--seed"};
  if (!strncmp(argv[0], "-g", 2)) return argv[0][2] ? 1 : 2;
  for (unsigned k = 0; k < sizeof with_value / sizeof *with_value; k++)
    if (is_option(argv[0], with_value[k])) return strchr(argv[0], '=') ? 1 : 2;
  return is_option(argv[0], "--depths");
}

/* The command at another tracer. OCT_ERR_NOMEM. */
static int print_other(const oct_fit *fit, const oct_tracer *t, int argc, char **argv) {
  char **kept = calloc((size_t)argc + 1, sizeof *kept), more[64];
  int n = 0;
  for (int i = 0, drop; i < argc && kept; i += drop ? drop : 1)
    if (!(drop = i < optind ? of_machine(&argv[i]) : 0)) kept[n++] = argv[i];
  snprintf(more, sizeof more, "--tracer %s --engine untimed", fit->other->name);
  char *command = kept ? oct_cli_command_with(n, kept, n - (argc - optind), more) : NULL;
  double insns = fit->insns ? (double)fit->insns : 1;
  if (command)
    printf(
        "the tracer %s sends fewer bits: %.3f an instruction, %s %.3f\n"
        "    %s\n",
        fit->other->name, (double)fit->other_bits / insns, t->name, (double)fit->bits / insns,
        command);
  free(command);
  free(kept);
  return command ? 0 : OCT_ERR_NOMEM;
}

/* Print the command with these settings. OCT_ERR_NOMEM. */
static int print_command(int argc, char **argv, const char *more) {
  char *command = oct_cli_command_with(argc, argv, optind, more);
  if (command) printf("    %s\n", command);
  free(command);
  return command ? 0 : OCT_ERR_NOMEM;
}

/* Nothing is lost in the part looked at: the command that looks at the whole. */
static int print_whole(const char *path, const oct_fit *fit) {
  char *file[] = {"report", (char *)path};
  char *command = oct_cli_command_with(2, file, 1, "--cycle-insns 0");
  if (command)
    printf("%s: nothing is lost in the first %" PRIu64 " instruction%s: %s looks at the whole\n",
           oct_cli_shown(path).text, fit->insns, OCT_S(fit->insns), command);
  free(command);
  return command ? 0 : OCT_ERR_NOMEM;
}

static int print_ways(const char *path, const oct_tracer *t, const oct_fit *fit, int argc,
                      char **argv) {
  char more[256], largest[200];
  int error = 0;
  if (!fit->loses) return print_whole(path, fit);
  if (!fit->pins && !fit->pins_deep && !fit->pins_pipelined && !fit->cpi_milli) {
    printf("%s: no port of up to %d pins", oct_cli_shown(path).text, PINS_MAX);
    if (fit->tried_cores)
      printf(", no buffers and no core of up to %u cycles an instruction lose nothing\n",
             cpis_milli[N_CPIS - 1] / 1000);
    else
      printf(" and no buffers lose nothing\n");
    return 0;
  }
  printf("%s: of its first %" PRIu64 " instruction%s nothing would be lost with\n",
         oct_cli_shown(path).text, fit->insns, OCT_S(fit->insns));
  if (fit->pins) {
    printf("  %" PRIu32 " pins:\n", fit->pins);
    snprintf(more, sizeof more, "-g port_pins=%" PRIu32, fit->pins);
    error = print_command(argc, argv, more);
  }
  if (!error && fit->pins_deep && (!fit->pins || fit->pins_deep < fit->pins)) {
    printf("  %" PRIu32 " pins and the largest buffers:\n", fit->pins_deep);
    print_largest(t, largest, sizeof largest);
    snprintf(more, sizeof more, "-g port_pins=%" PRIu32 "%s", fit->pins_deep, largest);
    error = print_command(argc, argv, more);
  }
  if (!error && fit->pins_pipelined && (!fit->pins || fit->pins_pipelined <= fit->pins)) {
    printf("  %" PRIu32 " pins and a pipelined machine:\n", fit->pins_pipelined);
    snprintf(more, sizeof more, "-g pipelined=1,port_pins=%" PRIu32, fit->pins_pipelined);
    error = print_command(argc, argv, more);
  }
  if (!error && fit->cpi_milli) {
    printf("  a slower core, of %g cycle%s an instruction:\n", fit->cpi_milli / 1000.0,
           fit->cpi_milli == 1000 ? "" : "s");
    snprintf(more, sizeof more, "--arrival cpi=%g", fit->cpi_milli / 1000.0);
    error = print_command(argc, argv, more);
  }
  return error;
}

int oct_fit_print(const char *path, const oct_tracer *t, const oct_fit *fit, int argc,
                  char **argv) {
  int error = print_ways(path, t, fit, argc, argv);
  return !error && fit->loses && fit->other ? print_other(fit, t, argc, argv) : error;
}
