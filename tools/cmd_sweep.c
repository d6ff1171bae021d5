/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_sweep.c - octrace sweep: what many geometries make of traces, each read once. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "oct_cli.h"
#include "oct_plan_file.h"
#include "oct_python.h"
#include "oct_sweep_table.h"

const char oct_help_sweep[] =
    "Usage: octrace sweep [OPTION...] TRACE...\n"
    "Measure every geometry of a cross product in one pass over each trace.\n"
    "\n"
    "  -a, --axis NAME=LIST    vary a parameter, or sc_entries (sets times ways); LIST has "
    "numbers\n"
    "                          and ranges A..B, A..B+STEP, A..B*FACTOR between commas\n"
    "      --plan FILE         also take the axes of each [section] of an INI file\n"
    "      --max-state BYTES   leave out geometries with more state (8192, 8K) for one of the "
    "traces\n"
    "      --pareto            mark the front of bits per instruction against state\n"
    "      --plot FILE         draw bits per instruction against state: .svg, .png or .pdf\n"
    "  -o, --output OUT        write OUT instead of standard output, as CSV or --json\n"
    "      --journal FILE      keep finished counts in FILE, and resume from it\n"
    "                          (default: OUT.journal until OUT is whole)\n"
    "  -j, --jobs N            threads (default: one per core): traces side by side and, in\n"
    "                          the cycle engine, geometries of one trace side by side\n"
    "      --engine untimed|cycle        untimed (default): geometries share work;\n"
    "                                    cycle: each on its own, with buffers and "
    "pins\n" OCT_RUN_HELP OCT_STUDY_EXIT_HELP;

enum { OPT_PLAN = OCT_OPT_OWN, OPT_MAX_STATE, OPT_PARETO, OPT_JOURNAL, OPT_PLOT };
enum { LEFT_OUT_SHOWN = 10, AXES_MAX = 32 };

typedef struct sweep_args {
  oct_run_args run;
  const char *axes[AXES_MAX];
  size_t n_axes;
  const char *plan, *out, *journal, *plot;
  double max_state_bytes;
  bool pareto;
  uint64_t jobs;
  uint32_t elsewhere[OCT_TRACER_PARAMS_MAX]; /* with which other commands would begin */
  bool is_first_implied; /* the plan has the first geometry where nothing names one */
} sweep_args;

/* A number of bytes, with K or M behind it. */
static bool parse_bytes(const char *text, double *bytes) {
  char *end;
  *bytes = strtod(text, &end);
  if (*end == 'K' || *end == 'k') *bytes *= 1024, end++;
  if (*end == 'M') *bytes *= 1048576, end++;
  return end != text && !*end && *bytes > 0 && *bytes < 1e12;
}

static int take_option(sweep_args *s, int c) {
  switch (c) {
    case 'a':
      if (s->n_axes == AXES_MAX) return oct_cli_usage("sweep", "too many axes");
      s->axes[s->n_axes++] = optarg;
      return 0;
    case 'o':
      s->out = optarg;
      return 0;
    case 'j':
      return oct_cli_range("sweep", "--jobs", optarg, 1, 1024, &s->jobs);
    case OPT_PLAN:
      s->plan = optarg;
      return 0;
    case OPT_MAX_STATE:
      if (!parse_bytes(optarg, &s->max_state_bytes))
        return oct_cli_usage("sweep", "--max-state '%s': expected a number of bytes (8192, 8K)",
                             optarg);
      return 0;
    case OPT_PARETO:
      s->pareto = true;
      return 0;
    case OPT_PLOT:
      s->plot = optarg;
      return oct_cli_check_plot("sweep", optarg);
    case OPT_JOURNAL:
      s->journal = optarg;
      return 0;
    default:
      return oct_run_arg(&s->run, "sweep", c, optarg);
  }
}

/* Pins and buffers are nothing to the untimed engine. */
static int check_axes(const sweep_args *s, const oct_plan *plan) {
  if (s->run.run.engine == OCT_ENGINE_CYCLE || !plan->timed_axis) return 0;
  return oct_cli_usage("sweep", "axis %s changes nothing without --engine cycle", plan->timed_axis);
}

/* The cross product of the axes given, without those that are unknown, unless all are. */
static int add_axes(sweep_args *s, oct_plan *plan, oct_diag *diag) {
  size_t n = 0;
  for (size_t i = 0; i < s->n_axes; i++) {
    if (oct_plan_check_axis(plan->tracer, s->axes[i], diag) != OCT_ERR_ARG)
      s->axes[n++] = s->axes[i];
    else if (oct_plan_leave_out(plan, "axis", oct_diag_reason(diag).text, diag))
      return OCT_ERR_NOMEM;
  }
  if (s->n_axes && !n) n = 1; /* is refused */
  return oct_plan_add_grid(plan, s->run.params, s->axes, n, diag);
}

static bool is_alike(const oct_trace_info *a, const oct_trace_info *b) {
  return a->addr_bits == b->addr_bits && a->insn_align_bytes == b->insn_align_bytes &&
         !strcmp(a->isa, b->isa);
}

/* The different widths among the traces, by which the state is limited. What cannot be read is left
 * to the sweep; standard input cannot be read twice. isa is the caller's to free.
 * OCT_ERR_NOMEM. */
static int look_at_widths(const sweep_args *s, char **paths, size_t n_paths, oct_trace_info *infos,
                          size_t *n_infos) {
  const oct_source_options options = oct_cli_source_options(&s->run);
  size_t n = 0;
  int error = 0;
  for (size_t i = 0; i < n_paths && error != OCT_ERR_NOMEM; i++) {
    oct_source source;
    size_t known = 0;
    oct_diag diag;
    if (!strcmp(paths[i], "-")) {
      oct_cli_error(0,
                    "sweep: note: of standard input the widths are not known before: the state "
                    "that counts is that of the geometry as given");
      continue;
    }
    if ((error = oct_source_open(&source, paths[i], &options, &diag))) continue;
    while (known < n && !is_alike(&infos[known], &source.info)) known++;
    if (known == n) {
      infos[n] = source.info;
      infos[n].isa = strdup(source.info.isa);
      if (infos[n].isa)
        n++;
      else
        error = OCT_ERR_NOMEM;
    }
    oct_source_close(&source);
  }
  *n_infos = n;
  return error == OCT_ERR_NOMEM ? error : 0;
}

/* The geometries; what is illegal is named and left out, which *code says. */
static int make_plan(sweep_args *s, oct_plan *plan, int *code) {
  oct_diag diag = {0};
  int error = 0;
  plan->max_state_bytes = s->max_state_bytes;
  plan->fixed = s->run.given;
  s->is_first_implied = s->n_axes || !s->plan;
  if (s->plan)
    error = oct_plan_file_load(plan, s->plan, s->run.params, &s->is_first_implied, &diag);
  if (!error && (s->n_axes || !s->plan)) error = add_axes(s, plan, &diag);
  if (error)
    return oct_cli_error(error == OCT_ERR_ARG || error == OCT_ERR_CONFIG || error == OCT_ERR_LIMIT
                             ? OCT_EXIT_USAGE
                             : OCT_EXIT_INPUT,
                         "sweep: %s", oct_diag_line(&diag).text);
  for (size_t i = 0; i < plan->n_left_out && i < LEFT_OUT_SHOWN; i++)
    *code = oct_cli_error(OCT_EXIT_INPUT, "sweep: %s", plan->left_out[i]);
  if (plan->n_left_out > LEFT_OUT_SHOWN)
    oct_cli_error(0, "sweep: and %zu more", plan->n_left_out - LEFT_OUT_SHOWN);
  if (plan->n_too_large)
    oct_cli_error(0, "sweep: %zu of %zu geometries %s more than %.0f byte%s of state",
                  plan->n_too_large, plan->n + plan->n_too_large,
                  plan->n_too_large == 1 ? "has" : "have", plan->max_state_bytes,
                  plan->max_state_bytes == 1 ? "" : "s");
  if (!plan->n) return oct_cli_error(OCT_EXIT_INPUT, "sweep: no geometry is left");
  return check_axes(s, plan);
}

/* Bits against state as a picture. */
static int draw(const oct_sweep_run *run, json_t *rows, int line_param, const char *path) {
  const oct_tracer *tracer = run->plan->tracer;
  oct_diag diag = {0};
  size_t n_swept = 0;
  for (size_t k = 0; k < run->n_traces; k++) n_swept += !run->traces[k].error;
  json_t *o = json_object(), *names = json_array();
  for (unsigned i = 0; i < tracer->n_params; i++)
    json_array_append_new(names, json_string(tracer->params[i].name));
  json_object_set_new(o, "tracer", json_string(tracer->name));
  json_object_set_new(o, "n_traces", json_integer((json_int_t)n_swept));
  json_object_set_new(o, "parameters", names);
  json_object_set_new(o, "line",
                      line_param < 0 ? json_null() : json_string(tracer->params[line_param].name));
  json_object_set(o, "rows", rows);
  int error = oct_python_run("plot_sweep.py", strrchr(path, '.') + 1, o, path, &diag);
  json_decref(o);
  return error ? oct_cli_diag(path, &diag) : OCT_EXIT_OK;
}

/* out: NULL when it is to be opened now. */
static int write_table(const oct_sweep_run *run, const sweep_args *s, oct_outfile *out) {
  oct_diag diag = {0};
  json_t *rows = s->plot ? json_array() : NULL;
  const oct_plan *plan = run->plan;
  int line_param = rows ? oct_plan_line_param(plan->tracer, plan->geometries, plan->n) : -1;
  int error = out ? 0 : oct_outfile_open(s->out ? s->out : "-", &out, &diag);
  if (!error) {
    error = oct_sweep_table_write(run, s->run.json, s->pareto, out, rows, line_param, &diag);
    if (error)
      oct_outfile_abort(out);
    else
      error = oct_outfile_commit(out, &diag);
  }
  int code = error ? oct_cli_diag(s->out, &diag) : OCT_EXIT_OK;
  if (!code && rows) code = draw(run, rows, line_param, s->plot);
  json_decref(rows);
  return code;
}

/* Say how other commands would begin with another geometry, which nobody asked for. */
static void tell_first_geometry(const sweep_args *s, const oct_plan *plan) {
  const oct_tracer *t = plan->tracer;
  for (unsigned i = 0; i < t->n_params && s->is_first_implied; i++)
    if (s->run.params[i] != s->elsewhere[i] && !plan->given[i])
      oct_cli_error(
          0,
          "note: to share a pass, the geometries begin with %s (%s=%u), in other commands with "
          "%s=%u: give them -g %s, or sweep -g %s=%u, which takes longer",
          t->geometries[0].name, t->params[i].name, s->run.params[i], t->params[i].name,
          s->elsewhere[i], t->geometries[0].name, t->params[i].name, s->elsewhere[i]);
}

static void say_failed(void *context, const oct_sweep_trace *t) {
  (void)context;
  oct_cli_diag(t->path, &t->diag);
}

static void show_progress(void *context, uint64_t n_insns, uint64_t done, uint64_t total) {
  oct_progress_update(context, n_insns, done, total);
}

static void tell_read(void *context, const oct_reader *reader, uint64_t n_insns) {
  (void)context;
  oct_cli_tell_program(reader, n_insns);
}

/* Whether a file comes to be there: beside a device or a pipe nothing is left. */
static bool is_for_keeps(const char *path) {
  struct stat file;
  return strcmp(path, "-") && (stat(path, &file) || S_ISREG(file.st_mode));
}

/* Sweep and write. The journal that came by itself goes when all is well. A file is opened before
 * the sweep, so that what another one makes of it meanwhile is noticed. */
static int sweep(sweep_args *s, oct_sweep_run *run, const char *journal) {
  oct_diag diag = {0};
  oct_outfile *out = NULL;
  size_t reused = 0, failed = 0;
  if (journal && oct_journal_open(journal, !s->journal, &run->journal, &diag))
    return oct_cli_diag(NULL, &diag);
  if (s->out && is_for_keeps(s->out) && oct_outfile_open(s->out, &out, &diag))
    return oct_cli_diag(s->out, &diag);
  oct_progress_start(&s->run.progress, "sweep");
  if (s->run.limit < UINT64_MAX / run->n_traces)
    s->run.progress.limit = s->run.limit * run->n_traces;
  int code = oct_sweep_run_all(run) ? OCT_EXIT_INPUT : OCT_EXIT_OK;
  oct_progress_end(&s->run.progress);
  for (size_t i = 0; i < run->n_traces; i++) {
    reused += run->traces[i].error ? 0 : run->traces[i].n_reused;
    failed += run->traces[i].error != 0;
  }
  if (reused)
    oct_cli_error(0, "sweep: %zu of %zu rows %s in %s", reused, run->n_traces * run->plan->n,
                  reused == 1 ? "was" : "were", journal);
  if (failed == run->n_traces) {
    struct stat file;
    oct_outfile_abort(out);
    if (journal && !s->journal && !stat(journal, &file) && !file.st_size) unlink(journal);
    return code;
  }
  int table_code = write_table(run, s, out);
  for (size_t i = 0; i < run->n_traces && !table_code; i++)
    if (!run->traces[i].error)
      oct_cli_tell_alignment(run->traces[i].path, run->traces[i].found_align_bytes, &s->run);
  if (!table_code) tell_first_geometry(s, run->plan);
  if (!code && !table_code && journal && !s->journal) unlink(journal);
  return table_code ? table_code : code;
}

static int sweep_traces(sweep_args *s, const oct_plan *plan, char **paths, size_t n_paths) {
  const oct_source_options source = oct_cli_source_options(&s->run);
  oct_sweep_run run = {.plan = plan,
                       .run = &s->run.run,
                       .source = &source,
                       .given = s->run.given,
                       .n_traces = n_paths,
                       .failed = say_failed,
                       .progress = show_progress,
                       .read = tell_read,
                       .context = &s->run.progress};
  char *journal = s->journal ? strdup(s->journal) : NULL;
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  int code = OCT_EXIT_OK;
  run.threads = s->jobs ? (unsigned)s->jobs : cores > 0 ? (unsigned)cores : 1;
  run.traces = calloc(n_paths, sizeof *run.traces);
  if (!run.traces || (s->journal && !journal))
    code = oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  if (!code && !journal && s->out && is_for_keeps(s->out) &&
      asprintf(&journal, "%s.journal", s->out) < 0)
    code = oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  if (!code) code = oct_cli_distinct_outputs("sweep", "output and journal", s->out, journal);
  if (!code) code = oct_cli_distinct_outputs("sweep", "table and plot", s->out, s->plot);
  if (!code) code = oct_cli_distinct_outputs("sweep", "journal and plot", journal, s->plot);
  const char *outputs[] = {s->out, journal, s->plot};
  if (!code) code = oct_cli_inputs(paths, n_paths);
  if (!code && s->plan) code = oct_cli_inputs((char *const *)&s->plan, 1);
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs && !code; i++)
    code = oct_cli_output("sweep", outputs[i]);
  for (size_t i = 0; i < n_paths && !code; i++) run.traces[i].path = paths[i];
  if (!code) code = sweep(s, &run, journal);
  if (run.traces) oct_sweep_run_free(&run);
  oct_journal_close(run.journal);
  free(run.traces);
  free(journal);
  return code;
}

/* Where geometries share a pass, it begins with the tracer's first geometry, not with its defaults:
 * those of `paper` have syncs by port bits, which stand elsewhere for every geometry. */
static int take_geometry(sweep_args *s) {
  oct_run_args *a = &s->run;
  int code = oct_run_args_check(a, "sweep");
  memcpy(s->elsewhere, a->params, sizeof s->elsewhere);
  if (code || !a->tracer->sweep || a->run.engine == OCT_ENGINE_CYCLE ||
      a->n_geometries == OCT_GEOMETRY_OPTIONS_MAX)
    return code;
  memmove(a->geometries + 1, a->geometries, a->n_geometries++ * sizeof *a->geometries);
  a->geometries[0] = a->tracer->geometries[0].name;
  return oct_run_args_check(a, "sweep");
}

int oct_cmd_sweep(int argc, char **argv) {
  static const struct option options[] = {OCT_ENGINE_OPTION,
                                          OCT_RUN_OPTIONS,
                                          {"axis", required_argument, NULL, 'a'},
                                          {"plan", required_argument, NULL, OPT_PLAN},
                                          {"max-state", required_argument, NULL, OPT_MAX_STATE},
                                          {"pareto", no_argument, NULL, OPT_PARETO},
                                          {"plot", required_argument, NULL, OPT_PLOT},
                                          {"output", required_argument, NULL, 'o'},
                                          {"journal", required_argument, NULL, OPT_JOURNAL},
                                          {"jobs", required_argument, NULL, 'j'},
                                          {NULL, 0, NULL, 0}};
  sweep_args s = {0};
  oct_plan plan;
  int c, plan_code = OCT_EXIT_OK;
  oct_run_args_init(&s.run);
  while ((c = oct_cli_getopt("sweep", argc, argv, "g:a:o:j:", options)) != -1) {
    int code = take_option(&s, c);
    if (code) return code;
  }
  if ((c = take_geometry(&s)) != 0) return c;
  if (optind == argc) return oct_cli_usage("sweep", "a trace is needed");
  char **paths = argv + optind;
  size_t n_paths = (size_t)(argc - optind);
  oct_trace_info *infos = s.max_state_bytes > 0 ? calloc(n_paths, sizeof *infos) : NULL;
  if (s.max_state_bytes > 0 && !infos) return oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  oct_plan_init(&plan, s.run.tracer);
  plan.infos = infos;
  int code = OCT_EXIT_OK;
  if (infos && look_at_widths(&s, paths, n_paths, infos, &plan.n_infos))
    code = oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  if (!code) code = make_plan(&s, &plan, &plan_code);
  for (size_t i = 0; i < plan.n_infos; i++) free((char *)infos[i].isa);
  free(infos);
  plan.infos = NULL;
  plan.n_infos = 0;
  if (!code) code = sweep_traces(&s, &plan, paths, n_paths);
  oct_plan_free(&plan);
  return code ? code : plan_code;
}
