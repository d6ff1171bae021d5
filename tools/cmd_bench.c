/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_bench.c - octrace bench: every codec and tracers on the same input, in one table. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "oct_bench_run.h"
#include "oct_bench_table.h"
#include "oct_bench_tracers.h"
#include "oct_report.h"

const char oct_help_bench[] =
    "Usage: octrace bench [OPTION...] FILE...\n"
    "Compress traces, or files of VPC3 records, with every codec, decode them, and print ratio,\n"
    "speed and memory, for each file and in total. Files are held in memory. Each repetition runs "
    "in\n"
    "a process of its own; times are medians, noise is (slowest - fastest) / median.\n\n"
    "      --codec C[:OPTION=VALUE,...]  only this codec; may be given several times\n"
    "      --input I       mem (default), loads, stores: (PC, address) records of a trace's\n"
    "                      accesses; trace: all its events, as tracers always take them;\n"
    "                      addresses: a file of 64-bit little-endian addresses\n"
    "      --timer C       wall (default): elapsed time; cpu: processor time of all threads\n"
    "                      together\n"
    "      --repeat N      repetitions (default 3)\n"
    "  -j, --jobs N        workers for second stages (default 1)\n"
    "      --csv FILE      write the table as CSV too (scripts/study plot-bench draws it)\n"
    "      --json          print JSON instead of the table\n"
    "      --tracer NAME   a tracer (default paper); may be given several times\n"
    "  -g, --geometry G    geometry of the last tracer given\n"
    "      --tracers       instead of codecs, compare all tracers that take the trace: port bits\n"
    "                      per instruction for instructions, data addresses, syncs and "
    "headers\n" OCT_INPUT_HELP
    "\nExit status: 0 fine, 1 a decompressed file differs, 2 wrong command line,\n"
    "4 bad input or input/output failed.\n";

enum { TRACERS_MAX = 16 };
enum { CODECS_MAX = 64, OPT_REPEAT = OCT_OPT_AGAINST + 1, OPT_CSV, OPT_TIMER, OPT_TRACERS };

/* Measured unless others are named: every codec as it is by default, VPC3 with what else may stand
 * behind it, and the general-purpose ones on records as they are and on their fields apart. */
static const char *const extra_codecs[] = {
    "vpc3:stage=none",
    "vpc3:stage=gzip",
    "vpc3:stage=zstd,level=3",
    "vpc3:stage=zstd,level=19",
    "vpc3:stage=xz",
    "vpc3:update=changed",
    "plain:stage=gzip",
    "plain:stage=bzip2",
    "plain:stage=xz",
    "plain:stage=zstd,level=3",
    "plain:split=fields,stage=gzip",
    "plain:split=fields,stage=bzip2",
    "plain:split=fields,stage=xz",
    "plain:split=fields,stage=zstd,level=3",
};

/* Rows of tracers are named so, and the tracer. */
static const char tracer_row[] = "tracer ";

static const oct_tracer *tracer_of(const char *codec) {
  return strncmp(codec, tracer_row, strlen(tracer_row))
             ? NULL
             : oct_tracer_find(codec + strlen(tracer_row));
}

/* A step is a codec on a file. */
typedef struct bench_steps {
  oct_progress progress;
  uint64_t n, total;
  char what[160];
} bench_steps;

/* One step may take minutes: that it goes on is to be seen. */
static void tell_repetition(void *context, unsigned number, unsigned total) {
  bench_steps *steps = context;
  char what[200];
  snprintf(what, sizeof what, "%s, repetition %u of %u, %.0f s", steps->what, number, total,
           oct_progress_seconds(&steps->progress));
  oct_progress_step(&steps->progress, what, steps->n, steps->total);
}

static int measure_tracer(const oct_bench_input *in, const oct_tracer *t, const oct_run_args *a,
                          unsigned repeats, oct_bench_result *result, oct_diag *diag) {
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  bool given[OCT_TRACER_PARAMS_MAX] = {false};
  if (!in->is_trace) return oct_fail(diag, OCT_ERR_UNSUPPORTED, "a file of records has no events");
  oct_tracer_defaults(t, params);
  if (t == a->tracer) {
    memcpy(params, a->params, sizeof params);
    memcpy(given, a->given, sizeof given);
  }
  int error = oct_cli_fit(t, params, given, &in->fitted, diag);
  return error ? error : oct_bench_tracer(in, t, params, repeats, result, diag);
}

/* Whether a row is of whole traces, whatever records the others are of. */
static bool is_of_events(const char *codec) {
  oct_codec_settings s;
  oct_diag diag;
  if (tracer_of(codec)) return true;
  return !oct_codec_parse(codec, &s, &diag) && s.codec->takes == OCT_TAKES_TRACE;
}

/* Fill the rows of one file. */
static int measure_file(const char *path, oct_input_form kind, oct_run_args *a, unsigned n_threads,
                        unsigned repeats, oct_bench_row *rows, size_t n_codecs,
                        bench_steps *steps) {
  oct_bench_input in;
  oct_diag diag = {0};
  bool events = kind == OCT_INPUT_TRACE;
  for (size_t c = 0; c < n_codecs; c++) events |= is_of_events(rows[c].codec);
  int error = oct_bench_load(path, kind, events, a, &in, &diag);
  if (error < 0) return oct_cli_diag(path, &diag);
  in.waits = tell_repetition;
  in.waits_context = steps;
  for (size_t c = 0; c < n_codecs; c++) {
    oct_bench_row *row = &rows[c];
    oct_codec_settings s;
    snprintf(steps->what, sizeof steps->what, "%.100s: %.40s", path, row->codec);
    oct_progress_step(&steps->progress, steps->what, ++steps->n, steps->total);
    row->path = path;
    row->n_insns = in.n_all_insns;
    const oct_tracer *t = tracer_of(row->codec);
    row->found_align_bytes = t ? in.found_align_bytes : 0;
    if (t)
      error = measure_tracer(&in, t, a, repeats, &row->r, &diag);
    else if (!(error = oct_codec_parse(row->codec, &s, &diag))) {
      row->lossy = !s.codec->lossless;
      bool whole = s.codec->takes == OCT_TAKES_TRACE;
      error = whole && !in.is_trace
                  ? oct_fail(&diag, OCT_ERR_UNSUPPORTED, "a file of records has no events")
                  : oct_bench_codec(&in, &s, whole || kind == OCT_INPUT_TRACE, n_threads, repeats,
                                    &row->r, &diag);
    }
    row->failed = error != 0;
    if (error) row->why = oct_diag_reason(&diag);
    if (error == OCT_ERR_MISMATCH) {
      oct_bench_release(&in);
      return oct_cli_error(OCT_EXIT_DIFFER, "%s: %s: %s", path, row->codec,
                           oct_diag_reason(&diag).text);
    }
  }
  oct_bench_release(&in);
  return OCT_EXIT_OK;
}

static int bench(char **files, size_t n_files, const char **codecs, size_t n_codecs,
                 oct_input_form kind, oct_run_args *a, unsigned n_threads, unsigned repeats,
                 const char *csv) {
  oct_bench_table t = {calloc(n_files * n_codecs, sizeof *t.rows), n_files, n_codecs};
  oct_diag diag = {0};
  int code = OCT_EXIT_OK;
  if (!t.rows) return oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  bench_steps steps = {.total = n_files * n_codecs};
  oct_progress_start(&steps.progress, "bench");
  for (size_t f = 0; !code && f < n_files; f++) {
    for (size_t c = 0; c < n_codecs; c++) t.rows[f * n_codecs + c].codec = codecs[c];
    code = measure_file(files[f], kind, a, n_threads, repeats, t.rows + f * n_codecs, n_codecs,
                        &steps);
    steps.n = (f + 1) * n_codecs;
  }
  oct_progress_end(&steps.progress);
  if (!code && csv && oct_bench_write_csv(&t, csv, &diag) < 0) code = oct_cli_diag(NULL, &diag);
  for (size_t f = 0; f < n_files && !code; f++) { /* the tracers' rows are the last of a file */
    const oct_bench_row *row = &t.rows[(f + 1) * n_codecs - 1];
    oct_cli_tell_alignment(row->path, row->found_align_bytes, a);
  }
  if (!code && a->json)
    code = oct_bench_print_json(&t);
  else if (!code)
    oct_bench_print_table(&t);
  free(t.rows);
  return code;
}

int oct_cmd_bench(int argc, char **argv) {
  static const struct option options[] = {OCT_TRACE_OPTIONS,
                                          OCT_TRACER_OPTIONS,
                                          {"codec", required_argument, NULL, OCT_OPT_CODEC},
                                          {"input", required_argument, NULL, OCT_OPT_INPUT},
                                          {"jobs", required_argument, NULL, 'j'},
                                          {"repeat", required_argument, NULL, OPT_REPEAT},
                                          {"csv", required_argument, NULL, OPT_CSV},
                                          {"timer", required_argument, NULL, OPT_TIMER},
                                          {"tracers", no_argument, NULL, OPT_TRACERS},
                                          {NULL, 0, NULL, 0}};
  const char *codecs[CODECS_MAX + TRACERS_MAX], *csv = NULL;
  char tracers[TRACERS_MAX][64];
  size_t n_codecs = 0, n_tracers = 0;
  uint64_t repeats = 3;
  bool all_tracers = false;
  oct_codec_args codec;
  oct_codec_settings settings;
  oct_run_args a;
  oct_diag diag = {0};
  int c, code = 0;
  oct_run_args_init(&a);
  oct_codec_args_init(&codec);
  while ((c = oct_cli_getopt("bench", argc, argv, "g:j:", options)) != -1) {
    if (c == OPT_TIMER) {
      if (strcmp(optarg, "cpu") && strcmp(optarg, "wall"))
        return oct_cli_usage("bench", "--timer: expected wall or cpu");
      oct_bench_clock(!strcmp(optarg, "cpu"));
    } else if (c == OPT_CSV) {
      csv = optarg;
    } else if (c == OPT_TRACERS) {
      all_tracers = true;
    } else if (c == OPT_REPEAT) {
      if (oct_cli_range("bench", "--repeat", optarg, 1, 99, &repeats)) return OCT_EXIT_USAGE;
    } else if (c == OCT_OPT_CODEC) {
      if (n_codecs == CODECS_MAX) return oct_cli_usage("bench", "too many codecs");
      if (oct_codec_parse(optarg, &settings, &diag))
        return oct_codec_refuse("bench", optarg, &diag);
      codecs[n_codecs++] = optarg;
    } else if ((code = oct_codec_arg(&codec, "bench", c, optarg)) < 0) {
      code = oct_run_arg(&a, "bench", c, optarg);
    }
    if (c == OCT_OPT_TRACER && !code) {
      if (n_tracers == TRACERS_MAX) return oct_cli_usage("bench", "too many tracers");
      snprintf(tracers[n_tracers++], sizeof *tracers, "%s%s", tracer_row, optarg);
    }
    if (code) return code;
  }
  if (codec.input == OCT_INPUT_AUTO) codec.input = OCT_INPUT_MEM;
  if (codec.input > OCT_INPUT_STORES && codec.input != OCT_INPUT_ADDRESSES)
    return oct_cli_usage("bench", "--input: mem, loads, stores, trace or addresses");
  if (optind == argc) return oct_cli_usage("bench", "a file is needed");
  if ((c = oct_run_args_check(&a, "bench")) != 0) return c;
  if (all_tracers && (n_codecs || n_tracers))
    return oct_cli_usage("bench", "--tracers cannot be combined with --codec or --tracer");
  c = oct_cli_inputs(argv + optind, (size_t)(argc - optind));
  if (c || (c = oct_cli_output("bench", csv)) != 0) return c;
  if (all_tracers) return oct_bench_tracers(argv + optind, (size_t)(argc - optind), &a, csv);
  bool all = !n_codecs;
  if (all) {
    for (; oct_codec_at((unsigned)n_codecs) && n_codecs < CODECS_MAX; n_codecs++)
      codecs[n_codecs] = oct_codec_at((unsigned)n_codecs)->name;
    for (size_t i = 0; i < sizeof extra_codecs / sizeof *extra_codecs && n_codecs < CODECS_MAX; i++)
      codecs[n_codecs++] = extra_codecs[i];
  }
  if (!n_tracers && (all || codec.input == OCT_INPUT_TRACE) && codec.input != OCT_INPUT_ADDRESSES)
    snprintf(tracers[n_tracers++], sizeof *tracers, "%s%s", tracer_row, a.tracer->name);
  for (size_t i = 0; i < n_tracers; i++) codecs[n_codecs++] = tracers[i];
  return bench(argv + optind, (size_t)(argc - optind), codecs, n_codecs, codec.input, &a,
               codec.n_threads, (unsigned)repeats, csv);
}
