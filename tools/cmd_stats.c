/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_stats.c - octrace stats: what a program does, by its trace. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oct_cli.h"
#include "oct_python.h"
#include "oct_report.h"
#include "oct_trace_stats.h"
#include "oct_symbols.h"
#include "octrace/error.h"

const char oct_help_stats[] =
    "Usage: octrace stats [OPTION...] TRACE\n"
    "Report the mix of instructions, branches and their prediction, memory touched, reuse\n"
    "distances and functions of a trace.\n\n"
    "      --json          as JSON\n"
    "      --html FILE     also write a page with plots, which needs no network\n"
    "      --top N         list N functions, 0..1000 (default 10), by --elf\n"
    "      --no-distances  leave out the reuse distances, which take most of the time\n"
    "      --bbv FILE      also write basic block vectors for SimPoint\n"
    "      --interval N    instructions of a vector (default 10M)\n" OCT_INPUT_HELP
        OCT_READ_EXIT_HELP;

enum { OPT_FROM = OCT_OPT_OWN, OPT_HTML, OPT_TOP, OPT_NO_DISTANCES, OPT_BBV, OPT_INTERVAL };
enum { TOP_DEFAULT = 10, TOP_MAX = 1000, INTERVAL_DEFAULT = 10000000 };

typedef struct stats_args {
  oct_source_options source;
  bool json, has_no_distances;
  const char *in, *html, *bbv;
  char *command;
  uint64_t top, interval; /* interval: 0 = not given */
} stats_args;

typedef struct stats_run {
  const stats_args *args;
  oct_source source;
  oct_symbols symbols;
  oct_trace_stats *stats;
  oct_outfile *bbv;
  oct_progress progress;
} stats_run;

static const char *const class_names[OCT_CLASS_COUNT] = {
    "unknown",     "other",         "conditional branch", "direct jump",
    "direct call", "indirect jump", "indirect call",      "return"};
static const char *const kind_names[4] = {"plain", "load", "store", "load_store"};
static const char *const predictor_names[OCT_TRACE_STATS_PREDICTORS] = {"bimodal", "gshare",
                                                                        "tage"};

static void set_count(json_t *o, const char *name, uint64_t value) {
  json_object_set_new(o, name, json_integer((json_int_t)value));
}

/* part of whole; null where whole is 0. */
static void set_ratio(json_t *o, const char *name, uint64_t part, uint64_t whole) {
  json_object_set_new(o, name, whole ? json_real((double)part / (double)whole) : json_null());
}

static json_t *mix_json(const oct_trace_stats_result *r) {
  json_t *mix = json_object();
  for (int c = 0; c < OCT_CLASS_COUNT; c++) {
    json_t *o = json_object();
    for (int k = 0; k < 4; k++) set_count(o, kind_names[k], r->by_class[c][k]);
    json_object_set_new(mix, class_names[c], o);
  }
  return mix;
}

static json_t *sizes_json(const uint64_t *at) {
  char name[8];
  json_t *o = json_object();
  for (int i = 0; i < OCT_TRACE_STATS_SIZES; i++) {
    snprintf(name, sizeof name, "%d", 1 << i);
    set_count(o, i < OCT_TRACE_STATS_SIZES - 1 ? name : "unknown", at[i]);
  }
  return o;
}

static json_t *branches_json(const oct_trace_stats_result *r) {
  json_t *o = json_object(), *predictors = json_object();
  set_count(o, "conditional", r->branches);
  set_count(o, "taken", r->taken);
  set_ratio(o, "taken_ratio", r->taken, r->branches);
  for (int i = 0; i < OCT_TRACE_STATS_PREDICTORS; i++) {
    json_t *p = json_object();
    set_count(p, "misses", r->misses[i]);
    set_ratio(p, "miss_ratio", r->misses[i], r->branches);
    set_ratio(p, "misses_per_1000_instructions", 1000 * r->misses[i], r->insns);
    json_object_set_new(predictors, predictor_names[i], p);
  }
  json_object_set_new(o, "predictors", predictors);
  set_count(o, "indirect", r->indirects);
  set_count(o, "indirect_misses", r->indirect_misses);
  set_count(o, "returns", r->returns);
  set_count(o, "return_misses", r->return_misses);
  return o;
}

static json_t *footprint_json(const oct_trace_stats_footprint *f) {
  json_t *o = json_object();
  set_count(o, "bytes", f->bytes);
  set_count(o, "lines", f->lines);
  set_count(o, "pages", f->pages);
  return o;
}

static json_t *reuse_json(const oct_trace_stats_reuse *reuse) {
  json_t *o = json_object(), *list = json_array();
  set_count(o, "uses", reuse->n);
  set_count(o, "first_uses", reuse->cold);
  for (int i = 0; i < OCT_TRACE_STATS_DISTANCES; i++) {
    json_t *at = json_object();
    if (!reuse->at[i]) {
      json_decref(at);
      continue;
    }
    set_count(at, "from", i ? UINT64_C(1) << (i - 1) : 0);
    set_count(at, "uses", reuse->at[i]);
    json_array_append_new(list, at);
  }
  json_object_set_new(o, "distances", list);
  return o;
}

static json_t *functions_json(const stats_run *r, const oct_trace_stats_result *result) {
  size_t n;
  const oct_trace_stats_function *f = oct_trace_stats_functions(r->stats, &n);
  json_t *list = json_array();
  for (size_t i = 0; i < n && i < r->args->top; i++) {
    json_t *o = json_object();
    json_object_set_new(o, "function", f[i].name ? oct_report_string(f[i].name) : json_null());
    set_count(o, "instructions", f[i].insns);
    set_ratio(o, "share", f[i].insns, result->insns);
    set_count(o, "accesses", f[i].accesses);
    set_count(o, "branches", f[i].branches);
    set_count(o, "tage_misses", f[i].misses);
    json_array_append_new(list, o);
  }
  return list;
}

static json_t *to_json(const stats_run *r, const oct_trace_stats_result *result) {
  json_t *o = json_object(), *accesses = json_object(), *reuse = json_object();
  json_object_set_new(o, "trace", oct_report_string(oct_cli_input_name(r->args->in)));
  json_object_set_new(o, "isa", oct_report_string(r->source.info.isa));
  set_count(o, "instructions", result->insns);
  set_ratio(o, "bytes_per_instruction", result->insn_bytes, result->insns);
  json_object_set_new(o, "mix", mix_json(result));
  json_object_set_new(accesses, "loads", sizes_json(result->accesses[0]));
  json_object_set_new(accesses, "stores", sizes_json(result->accesses[1]));
  json_object_set_new(o, "accesses", accesses);
  json_object_set_new(o, "branches", branches_json(result));
  json_object_set_new(o, "code", footprint_json(&result->code));
  json_object_set_new(o, "data", footprint_json(&result->data));
  if (!r->args->has_no_distances) {
    json_object_set_new(reuse, "code", reuse_json(&result->code_reuse));
    json_object_set_new(reuse, "data", reuse_json(&result->data_reuse));
    json_object_set_new(o, "reuse", reuse);
  } else {
    json_decref(reuse);
  }
  json_object_set_new(o, "functions", functions_json(r, result));
  return o;
}

/* ---- The table ---- */

static double percent(uint64_t part, uint64_t whole) {
  return whole ? 100 * (double)part / (double)whole : 0;
}

static void print_mix(const oct_trace_stats_result *r) {
  printf("\n%-20s %14s %8s %14s %14s\n", "instructions", "number", "%", "with loads",
         "with stores");
  for (int c = 0; c < OCT_CLASS_COUNT; c++) {
    const uint64_t *k = r->by_class[c];
    uint64_t n = k[0] + k[1] + k[2] + k[3];
    if (n)
      printf("%-20s %14" PRIu64 " %8.2f %14" PRIu64 " %14" PRIu64 "\n", class_names[c], n,
             percent(n, r->insns), k[1] + k[3], k[2] + k[3]);
  }
}

static void print_branches(const oct_trace_stats_result *r) {
  printf("\n%-20s %14s %8s %14s\n", "prediction", "misses", "%", "per 1000 insns");
  for (int i = 0; i < OCT_TRACE_STATS_PREDICTORS; i++)
    printf("%-20s %14" PRIu64 " %8.3f %14.3f\n", predictor_names[i], r->misses[i],
           percent(r->misses[i], r->branches), 10 * percent(r->misses[i], r->insns));
  printf("%-20s %14" PRIu64 " %8.3f %14.3f\n", "indirect targets", r->indirect_misses,
         percent(r->indirect_misses, r->indirects), 10 * percent(r->indirect_misses, r->insns));
  printf("%-20s %14" PRIu64 " %8.3f %14.3f\n", "returns", r->return_misses,
         percent(r->return_misses, r->returns), 10 * percent(r->return_misses, r->insns));
}

static void print_reuse(const oct_trace_stats_result *r) {
  const oct_trace_stats_reuse *code = &r->code_reuse, *data = &r->data_reuse;
  uint64_t code_sum = 0, data_sum = 0;
  printf("\n%-20s %14s %8s %14s %8s\n", "reuse distance", "code lines", "sum %", "data lines",
         "sum %");
  for (int i = 0; i < OCT_TRACE_STATS_DISTANCES; i++) {
    char name[32] = "0";
    code_sum += code->at[i];
    data_sum += data->at[i];
    if (!code->at[i] && !data->at[i]) continue;
    if (i == 1) snprintf(name, sizeof name, "1");
    if (i > 1) snprintf(name, sizeof name, "%d to %d", 1 << (i - 1), (1 << i) - 1);
    if (i == OCT_TRACE_STATS_DISTANCES - 1)
      snprintf(name, sizeof name, "%d and more", 1 << (i - 1));
    printf("%-20s %14" PRIu64 " %8.3f %14" PRIu64 " %8.3f\n", name, code->at[i],
           percent(code_sum, code->n), data->at[i], percent(data_sum, data->n));
  }
  printf("%-20s %14" PRIu64 " %8s %14" PRIu64 "\n", "first use", code->cold, "", data->cold);
}

static void print_functions(const stats_run *r, const oct_trace_stats_result *result) {
  size_t n;
  const oct_trace_stats_function *f = oct_trace_stats_functions(r->stats, &n);
  if (!r->symbols.n || !r->args->top) return;
  printf("\n%14s %8s %14s %14s %12s  %s\n", "instructions", "%", "accesses", "branches",
         "TAGE misses", "function");
  for (size_t i = 0; i < n && i < r->args->top; i++)
    printf("%14" PRIu64 " %8.2f %14" PRIu64 " %14" PRIu64 " %12" PRIu64 "  %s\n", f[i].insns,
           percent(f[i].insns, result->insns), f[i].accesses, f[i].branches, f[i].misses,
           f[i].name ? oct_cli_shown(f[i].name).text : "(without a symbol)");
}

static void print_text(const stats_run *r, const oct_trace_stats_result *result) {
  uint64_t n[2] = {0, 0};
  for (int i = 0; i < OCT_TRACE_STATS_SIZES; i++)
    for (int k = 0; k < 2; k++) n[k] += result->accesses[k][i];
  printf("%-20s %14" PRIu64 "\n", "instructions", result->insns);
  printf("%-20s %14.3f\n", "bytes each",
         result->insns ? (double)result->insn_bytes / (double)result->insns : 0);
  printf("%-20s %14" PRIu64 "\n%-20s %14" PRIu64 "\n", "loads", n[0], "stores", n[1]);
  printf("%-20s %14" PRIu64 " %8.2f %% taken\n", "conditional branches", result->branches,
         percent(result->taken, result->branches));
  printf("%-20s %14s %14s %14s\n", "touched", "bytes", "64-byte lines", "4 KB pages");
  printf("%-20s %14" PRIu64 " %14" PRIu64 " %14" PRIu64 "\n", "  code", result->code.bytes,
         result->code.lines, result->code.pages);
  printf("%-20s %14" PRIu64 " %14" PRIu64 " %14" PRIu64 "\n", "  data", result->data.bytes,
         result->data.lines, result->data.pages);
  print_mix(result);
  print_branches(result);
  if (!r->args->has_no_distances) print_reuse(result);
  print_functions(r, result);
}

/* ---- The run ---- */

static void progress(void *context, uint64_t n_insns, uint64_t done_bytes, uint64_t total_bytes) {
  oct_progress_update(context, n_insns, done_bytes, total_bytes);
}

static int open_all(stats_run *r, stats_args *a, oct_diag *diag) {
  a->source.progress = progress;
  a->source.progress_context = &r->progress;
  oct_progress_start(&r->progress, "stats");
  int error = oct_symbols_add_all(&r->symbols, &a->source.read, diag);
  if (!error) error = oct_source_open(&r->source, a->in, &a->source, diag);
  if (error) return error;
  error = oct_symbols_add_modules(&r->symbols, r->source.reader, &a->source.read, diag);
  if (error) return error;
  int isa = oct_isa_by_name(r->source.info.isa);
  oct_trace_stats_options options = {
      .functions = {r->symbols.n ? oct_symbols_function : NULL, &r->symbols},
      .has_delay_slots = isa >= 0 && oct_isa_get((oct_isa)isa)->has_delay_slots,
      .has_conditional_jumps = isa < 0 || isa == OCT_ISA_ARM || isa == OCT_ISA_THUMB,
      .insn_align_bytes = r->source.info.insn_align_bytes,
      .has_distances = !a->has_no_distances,
      .bbv_insns = !a->bbv       ? 0
                   : a->interval ? a->interval
                                 : INTERVAL_DEFAULT};
  error = oct_trace_stats_new(&options, &r->stats);
  if (error) return oct_fail(diag, error, "out of memory");
  return a->bbv ? oct_outfile_open(a->bbv, &r->bbv, diag) : 0;
}

static int put_bbv(stats_run *r, oct_diag *diag) {
  size_t n;
  if (!r->bbv) return 0;
  const char *text = oct_trace_stats_bbv(r->stats, &n);
  return n ? oct_outfile_write(r->bbv, text, n, diag) : 0;
}

static int count_all(stats_run *r, const oct_trace_stats_result **result, oct_diag *diag) {
  int got, error = 0;
  while (!error && (got = oct_source_next(&r->source, diag)) != 0) {
    if (got < 0) return got;
    const oct_batch *b = &r->source.batch;
    error = oct_symbols_add_modules(&r->symbols, r->source.reader, &r->args->source.read, diag);
    if (error) return error;
    error = oct_trace_stats_put(r->stats, b);
    if (error) return oct_fail(diag, error, "%s", oct_error_text(error));
    error = put_bbv(r, diag);
  }
  if (error) return error;
  *result = oct_trace_stats_end(r->stats);
  return *result ? put_bbv(r, diag) : oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

static int write_html(const stats_run *r, const oct_trace_stats_result *result, oct_diag *diag) {
  json_t *page = json_object();
  json_object_set_new(page, "stats", to_json(r, result));
  json_object_set_new(page, "version", json_string(OCT_VERSION));
  json_object_set_new(page, "command", oct_report_string(r->args->command));
  int error = oct_report_lacks_memory()
                  ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory")
                  : oct_python_run("stats_html.py", NULL, page, r->args->html, diag);
  json_decref(page);
  return error;
}

static int run(stats_args *a) {
  stats_run r = {.args = a};
  const oct_trace_stats_result *result = NULL;
  oct_diag diag = {0};
  int code = OCT_EXIT_OK, error = open_all(&r, a, &diag);
  if (!error) error = count_all(&r, &result, &diag);
  oct_progress_end(&r.progress);
  if (error < 0)
    oct_outfile_abort(r.bbv);
  else if (r.bbv)
    error = oct_outfile_commit(r.bbv, &diag);
  if (!error && a->html) error = write_html(&r, result, &diag);
  if (!error) {
    oct_cli_tell_gaps(a->in, r.source.reader);
    oct_cli_tell_input(a->in, r.source.reader);
    oct_cli_tell_program(r.source.reader, r.source.n_insns);
    oct_symbols_tell(&r.symbols, a->in);
    if (a->json)
      code = oct_report_print(to_json(&r, result));
    else
      print_text(&r, result);
  }
  oct_trace_stats_free(r.stats);
  oct_symbols_free(&r.symbols);
  if (r.source.state) oct_source_close(&r.source);
  return error < 0 ? oct_cli_diag(NULL, &diag) : code;
}

static int take_option(stats_args *a, int c, char *value) {
  switch (c) {
    case OPT_FROM:
      return oct_cli_read_format(&a->source.read, "stats", value);
    case OPT_HTML:
      a->html = value;
      return 0;
    case OPT_TOP:
      return oct_cli_range("stats", "--top", value, 0, TOP_MAX, &a->top);
    case OPT_NO_DISTANCES:
      a->has_no_distances = true;
      return 0;
    case OPT_BBV:
      a->bbv = value;
      return 0;
    case OPT_INTERVAL:
      return oct_cli_range("stats", "--interval", value, 1, UINT64_MAX, &a->interval);
    case OCT_OPT_JSON:
      a->json = true;
      return 0;
    case OCT_OPT_SKIP:
      return oct_cli_skip("stats", value, &a->source.skip);
    case OCT_OPT_LIMIT:
      return oct_cli_limit("stats", value, &a->source.limit);
    default:
      return oct_cli_read_arg(&a->source.read, "stats", c, value);
  }
}

int oct_cmd_stats(int argc, char **argv) {
  static const struct option options[] = {OCT_READ_OPTIONS,
                                          {"from", required_argument, NULL, OPT_FROM},
                                          {"json", no_argument, NULL, OCT_OPT_JSON},
                                          {"html", required_argument, NULL, OPT_HTML},
                                          {"top", required_argument, NULL, OPT_TOP},
                                          {"no-distances", no_argument, NULL, OPT_NO_DISTANCES},
                                          {"bbv", required_argument, NULL, OPT_BBV},
                                          {"interval", required_argument, NULL, OPT_INTERVAL},
                                          {"skip", required_argument, NULL, OCT_OPT_SKIP},
                                          {"limit", required_argument, NULL, OCT_OPT_LIMIT},
                                          {NULL, 0, NULL, 0}};
  stats_args a = {.top = TOP_DEFAULT};
  int c, code = 0;
  while (!code && (c = oct_cli_getopt("stats", argc, argv, "", options)) != -1)
    code = take_option(&a, c, optarg);
  if (code) return code;
  if (optind + 1 != argc) return oct_cli_usage("stats", "one trace is needed");
  if (a.interval && !a.bbv)
    return oct_cli_usage("stats",
                         "--interval needs --bbv, whose vectors have so many instructions");
  a.in = argv[optind];
  code = oct_cli_inputs(argv + optind, 1);
  if (!code && a.html && !strcmp(a.html, "-"))
    code = oct_cli_usage("stats", "--html: expected a file, as standard output has the report");
  if (!code && a.bbv && !strcmp(a.bbv, "-"))
    code = oct_cli_usage("stats", "--bbv: expected a file, as standard output has the report");
  if (!code && a.html) code = oct_cli_output("stats", a.html);
  if (!code && a.bbv) code = oct_cli_output("stats", a.bbv);
  if (!code) code = oct_cli_distinct_outputs("stats", "--html and --bbv", a.html, a.bbv);
  if (!code && a.html && !(a.command = oct_cli_command(argc, argv)))
    code = oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  if (!code) code = run(&a);
  free(a.command);
  return code;
}
