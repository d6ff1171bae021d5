/* SPDX-License-Identifier: Apache-2.0 */
/* oct_advice.c - what would let a trace through that loses events, as commands. */
#include "oct_advice.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oct_fit.h"

/* A trace that is opened several times. */
typedef struct advised {
  const char *path;
  const oct_run_args *args;
  oct_run_args run; /* while it is open */
} advised;

static int open_trace(void *context, uint64_t limit, oct_source *s, uint32_t *params,
                      oct_diag *diag) {
  advised *x = context;
  x->run = *x->args;
  x->run.run.engine = OCT_ENGINE_CYCLE;
  x->run.run.find_depths = 0;
  x->run.limit = limit;
  const int error = oct_cli_open(s, x->path, &x->run, "verify", diag);
  memcpy(params, x->run.params, sizeof x->run.params);
  return error;
}

static void close_trace(void *context, oct_source *s, int error) {
  advised *x = context;
  oct_cli_close(s, &x->run, error);
}

/* Whether an argument is that option, whose name may be abbreviated: one that begins several
 * options has been refused. */
static bool is_option(const char *arg, const char *name) {
  size_t n = strcspn(arg, "=");
  return n > 2 && !strncmp(arg, name, n);
}

/* How many arguments from argv[0] on choose the machine; 0: none. */
static int of_machine(char **argv) {
  if (!strncmp(argv[0], "-g", 2)) return argv[0][2] ? 1 : 2;
  if (is_option(argv[0], "--tracer") || is_option(argv[0], "--geometry"))
    return strchr(argv[0], '=') ? 1 : 2;
  return 0;
}

/* Options, cut where there is no room. */
typedef struct settings {
  char text[400];
  size_t n;
} settings;

OCT_PRINTF(2, 3) static void add(settings *s, const char *format, ...) {
  va_list values;
  va_start(values, format);
  if (s->n < sizeof s->text)
    s->n += (size_t)vsnprintf(s->text + s->n, sizeof s->text - s->n, format, values);
  va_end(values);
}

static settings settings_of(const oct_fit_way *w, bool is_other) {
  const oct_tracer *t = w->tracer;
  const uint32_t value = w->values[w->at];
  settings s = {.n = 0};
  int at;
  if (is_other) add(&s, "--tracer %s ", t->name);
  if (w->is_core) add(&s, "--arrival cpi=%g", value / 1000.0);
  if (!w->is_core) add(&s, "-g ");
  if (w->is_pipelined) add(&s, "%s=1,", t->params[oct_tracer_role(t, OCT_ROLE_PIPELINED)].name);
  if (!w->is_core) add(&s, "%s=%u", t->params[oct_tracer_role(t, OCT_ROLE_PORT_PINS)].name, value);
  for (unsigned i = 0; i < t->n_params; i++)
    if (oct_fit_sets_depth(w, i)) add(&s, ",%s=%u", t->params[i].name, w->params[i]);
  for (unsigned i = 0; is_other && (at = oct_fit_content(w, i)) != OCT_FIT_NO_MORE; i++)
    if (at >= 0) add(&s, ",%s=%u", t->params[at].name, w->params[at]);
  return s;
}

/* A way that was found, and its command. OCT_ERR_NOMEM. */
static int print_way(const oct_fit_way *w, bool is_other, char *path, char **argv) {
  char **kept = calloc((size_t)optind + 2, sizeof *kept);
  const settings options = settings_of(w, is_other);
  uint32_t value = w->values[w->at];
  int n = 0;
  for (int i = 0, drop; i < optind && kept; i += drop ? drop : 1)
    if (!(drop = is_other ? of_machine(&argv[i]) : 0)) kept[n++] = argv[i];
  if (kept) kept[n] = path;
  char *command = kept ? oct_cli_command_with(n + 1, kept, n, options.text) : NULL;
  if (command && w->is_core)
    printf("  a slower core, of %g cycle%s per instruction:\n", value / 1000.0,
           value == 1000 ? "" : "s");
  else if (command)
    printf("  %s%s%s%u pins%s:\n", is_other ? "the tracer " : "", is_other ? w->tracer->name : "",
           is_other ? ", " : "", value,
           w->is_deep        ? " and the largest buffers"
           : w->is_pipelined ? " and a pipelined machine"
                             : "");
  if (command) printf("    %s\n", command);
  free(command);
  free(kept);
  return command ? 0 : OCT_ERR_NOMEM;
}

static uint32_t value_of(const oct_fit_way *w) {
  return w->at < w->n_values ? w->values[w->at] : 0;
}

/* Nothing was found: what was tried. */
static void print_none(const char *path, const oct_tracer *t, const oct_fit *fit) {
  uint32_t slowest_milli = 0;
  bool has_others = false;
  for (unsigned i = 0; i < fit->n_ways; i++) {
    const oct_fit_way *w = &fit->ways[i];
    if (w->is_core && w->n_values) slowest_milli = w->values[w->n_values - 1];
    has_others |= w->tracer != t;
  }
  printf("%s: each port of up to %d pins loses something, with the largest buffers, too",
         oct_cli_shown(path).text, OCT_FIT_PINS_MAX);
  if (has_others) printf("; so do other tracers");
  if (slowest_milli)
    printf("; so does a core of up to %u cycles per instruction", slowest_milli / 1000);
  putchar('\n');
}

static int print_ways(const char *path, const oct_tracer *t, const oct_fit *fit, char **argv) {
  const oct_fit_way *plain = NULL; /* the way of the same tracer that needs no more than pins */
  bool any = false;
  int error = 0;
  for (unsigned i = 0; i < fit->n_ways && !error; i++) {
    const oct_fit_way *w = &fit->ways[i];
    if (!w->is_core && !w->is_deep && !w->is_pipelined) plain = w;
    if (!value_of(w)) continue;
    uint32_t pins = plain && plain->tracer == w->tracer ? value_of(plain) : 0;
    if (pins && ((w->is_deep && value_of(w) >= pins) || (w->is_pipelined && value_of(w) > pins)))
      continue;
    if (!any) printf("%s: nothing would be lost with\n", oct_cli_shown(path).text);
    any = true;
    error = print_way(w, w->tracer != t, (char *)path, argv);
  }
  if (!any) print_none(path, t, fit);
  return error;
}

int oct_advise(const char *path, const oct_run_args *args, char **argv, oct_diag *diag) {
  advised x = {.path = path, .args = args};
  oct_run_options run = args->run;
  const oct_fit_trace trace = {.open = open_trace,
                               .close = close_trace,
                               .suit = oct_cli_fit,
                               .context = &x,
                               .limit = args->limit};
  oct_fit fit;
  run.engine = OCT_ENGINE_CYCLE;
  run.find_depths = 0;
  int error = oct_fit_find(&trace, args->tracer, &run, &fit, diag);
  if (!error && print_ways(path, args->tracer, &fit, argv))
    error = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  return error;
}
