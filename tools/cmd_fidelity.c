/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_fidelity.c - octrace fidelity: what a lossy copy of an address trace does to caches and to an
 * address predictor. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "oct_address_open.h"
#include "oct_cli.h"
#include "oct_fidelity_report.h"
#include "oct_memory_file.h"
#include "oct_python.h"
#include "oct_report.h"

const char oct_help_fidelity[] =
    "Usage: octrace fidelity [OPTION...] EXACT LOSSY\n"
    "Compare a lossy address trace with the exact one: LRU miss ratios by sets and ways, and the\n"
    "results of an address predictor. A file is raw 64-bit addresses, an ATC directory, a file of\n"
    "a codec, a compressed trace, or any trace.\n\n"
    "      --sets A..B     numbers of sets, powers of two (default 2..524288)\n"
    "      --ways N        associativities, 1 to N (default 32)\n"
    "      --line-bytes N  of a cache line (default 64)\n"
    "      --zone-bytes N  of a zone of the C/DC predictor (default 65536)\n"
    "      --index N       entries of its index table (default 256)\n"
    "      --history N     entries of its history buffer (default 256)\n"
    "      --key N         differences in its key (default 2)\n"
    "      --take T        of a trace: insn, data or both (default) addresses\n"
    "      --from F        format of both (default: by content, else raw addresses, da64)\n"
    "      --lossy-from F  format of LOSSY\n"
    "      --limit N       stop after N addresses of each\n" OCT_CODEC_MEMORY_HELP
    "      --csv FILE      also write rows of measure,sets,ways,exact,lossy,difference (-: "
    "instead\n"
    "                      of text)\n"
    "      --json          print JSON\n"
    "      --plot FILE     also draw the curves: .svg, .png, .pdf or .html\n" OCT_READ_EXIT_HELP;

enum {
  OPT_SETS = OCT_OPT_OWN,
  OPT_WAYS,
  OPT_LINE,
  OPT_ZONE,
  OPT_INDEX,
  OPT_HISTORY,
  OPT_KEY,
  OPT_TAKE,
  OPT_FROM,
  OPT_LOSSY_FROM,
  OPT_CSV,
  OPT_PLOT
};

typedef struct fidelity_args {
  oct_fidelity_config config;
  oct_address_options exact, lossy;
  const char *csv;
  bool json, lossy_from;
  const char *plot;
  char *command; /* as a shell would take it */
} fidelity_args;

/* Take all of one side. */
static int profile(const char *path, const oct_address_options *options,
                   const oct_fidelity_config *config, oct_fidelity **f) {
  oct_addresses source;
  oct_progress progress;
  oct_diag diag = {0};
  int64_t got = oct_address_open(path, options, &source, &diag);
  if (got < 0) return oct_cli_diag(path, &diag);
  got = oct_fidelity_new(config, f, &diag);
  oct_progress_start(&progress, "fidelity");
  progress.limit = config->limit;
  while (got >= 0 && (got = oct_fidelity_pull(*f, &source, &diag)) > 0)
    oct_progress_update(&progress, oct_fidelity_addresses(*f), 0, 0);
  oct_progress_end(&progress);
  oct_addresses_close(&source);
  if (got >= 0 && !oct_fidelity_addresses(*f))
    return oct_cli_error(OCT_EXIT_INPUT, "%s: expected addresses, found none", path);
  return got < 0 ? oct_cli_diag(path, &diag) : 0;
}

/* Whether the rows take the place of the text. */
static bool is_printed(const fidelity_args *a) {
  return a->csv && !strcmp(a->csv, "-");
}

static int write_rows(const fidelity_args *a, const json_t *o) {
  oct_memory_file m = {0};
  oct_diag diag = {0};
  if (oct_memory_file_open(&m)) return oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  oct_fidelity_print_csv(m.file, o);
  int error = oct_memory_file_close(&m);
  int code = error ? oct_cli_error(OCT_EXIT_INPUT, "out of memory") : 0;
  if (!code && oct_cli_write(a->csv, m.text.bytes, m.text.n_bytes, &diag))
    code = oct_cli_diag(a->csv, &diag);
  oct_buffer_free(&m.text);
  return code;
}

static int report(const fidelity_args *a, const oct_fidelity_side *exact,
                  const oct_fidelity_side *lossy) {
  json_t *o = oct_fidelity_json(exact, lossy, &a->config);
  json_t *page = json_object();
  oct_diag diag = {0};
  json_object_set(page, "report", o);
  json_object_set_new(page, "version", json_string(OCT_VERSION));
  json_object_set_new(page, "command", oct_report_string(a->command));
  int code = oct_report_memory();
  if (!code && a->plot &&
      oct_python_run("plot_fidelity.py", strrchr(a->plot, '.') + 1, page, a->plot, &diag))
    code = oct_cli_diag(a->plot, &diag);
  json_decref(page);
  if (!code && a->json) code = oct_report_print(json_incref(o));
  if (!code && a->csv) code = write_rows(a, o);
  if (!code && !a->json && !is_printed(a)) oct_fidelity_print_text(o);
  json_decref(o);
  return code;
}

static int fidelity(const fidelity_args *a, const char *exact, const char *lossy) {
  oct_fidelity_side e = {exact, NULL}, l = {lossy, NULL};
  oct_fidelity *fe = NULL, *fl = NULL;
  int code = profile(exact, &a->exact, &a->config, &fe);
  if (!code) code = profile(lossy, &a->lossy, &a->config, &fl);
  e.f = fe;
  l.f = fl;
  if (!code) code = report(a, &e, &l);
  oct_fidelity_free(fe);
  oct_fidelity_free(fl);
  return code;
}

static int take_number(const char *what, const char *value, uint64_t max, uint32_t *to) {
  uint64_t number = 0;
  int code = oct_cli_range("fidelity", what, value, 1, max, &number);
  *to = (uint32_t)number;
  return code;
}

/* A..B, or one number. */
static int take_sets(fidelity_args *a, char *value) {
  char *dots = strstr(value, "..");
  if (dots) *dots = 0;
  int code = take_number("--sets", value, OCT_STACK_SETS_MAX, &a->config.first_sets);
  a->config.last_sets = a->config.first_sets;
  if (!code && dots)
    code = take_number("--sets", dots + 2, OCT_STACK_SETS_MAX, &a->config.last_sets);
  return code;
}

static int take_kinds(fidelity_args *a, const char *value) {
  static const char *const names[] = {"insn", "data", "both"};
  unsigned i = 0;
  while (i < 3 && strcmp(value, names[i])) i++;
  if (i == 3) return oct_cli_usage("fidelity", "--take '%s': expected insn, data or both", value);
  a->exact.kinds = a->lossy.kinds = i + 1; /* OCT_ADDRESSES_INSN, _DATA, both */
  return 0;
}

static int take_plot(fidelity_args *a, const char *value) {
  const char *dot = strrchr(value, '.');
  if (!dot ||
      (strcmp(dot, ".svg") && strcmp(dot, ".png") && strcmp(dot, ".pdf") && strcmp(dot, ".html")))
    return oct_cli_usage("fidelity", "--plot '%s': expected a name in .svg, .png, .pdf or .html",
                         value);
  a->plot = value;
  return 0;
}

static int take_option(fidelity_args *a, int c, char *value) {
  uint32_t zone = 0;
  int code;
  switch (c) {
    case OPT_SETS:
      return take_sets(a, value);
    case OPT_WAYS:
      return take_number("--ways", value, OCT_STACK_WAYS_MAX, &a->config.ways);
    case OPT_LINE:
      return take_number("--line-bytes", value, 65536, &a->config.predictor.line_bytes);
    case OPT_ZONE:
      code = take_number("--zone-bytes", value, UINT32_MAX, &zone);
      if (!code) a->config.predictor.zone_bytes = zone;
      return code;
    case OPT_INDEX:
      return take_number("--index", value, OCT_CDC_ENTRIES_MAX, &a->config.predictor.index_entries);
    case OPT_HISTORY:
      return take_number("--history", value, OCT_CDC_ENTRIES_MAX, &a->config.predictor.ghb_entries);
    case OPT_KEY:
      return take_number("--key", value, OCT_CDC_KEY_MAX, &a->config.predictor.key_deltas);
    case OPT_TAKE:
      return take_kinds(a, value);
    case OPT_FROM:
      return oct_cli_read_format(&a->exact.read, "fidelity", value);
    case OPT_LOSSY_FROM:
      a->lossy_from = true;
      return oct_cli_read_format(&a->lossy.read, "fidelity", value);
    case OPT_CSV:
      a->csv = value;
      return 0;
    case OCT_OPT_JSON:
      a->json = true;
      return 0;
    case OPT_PLOT:
      return take_plot(a, value);
    case OCT_OPT_MAX_MEMORY:
      code = oct_codec_memory_arg("fidelity", value, &a->exact.limits);
      a->lossy.limits = a->exact.limits;
      return code;
    case OCT_OPT_LIMIT:
      return oct_cli_limit("fidelity", value, &a->config.limit);
    default:
      return OCT_EXIT_USAGE;
  }
}

/* After the last option. */
static int check(fidelity_args *a, int argc, char **argv) {
  oct_fidelity *tried;
  oct_diag diag;
  if (optind + 2 != argc) return oct_cli_usage("fidelity", "an exact and a lossy trace are needed");
  if (is_printed(a) && a->json)
    return oct_cli_usage("fidelity", "--csv and --json cannot both go to standard output");
  if (!strcmp(argv[optind], "-") && !strcmp(argv[optind + 1], "-"))
    return oct_cli_usage("fidelity", "standard input can be one of both only");
  if (oct_fidelity_new(&a->config, &tried, &diag)) return oct_cli_refuse("fidelity", &diag);
  oct_fidelity_free(tried);
  int code = oct_cli_inputs(argv + optind, 2);
  if (!code) code = oct_cli_output("fidelity", a->plot);
  if (!code) code = oct_cli_output("fidelity", a->csv);
  if (!code) code = oct_cli_distinct_outputs("fidelity", "--plot and --csv", a->plot, a->csv);
  if (code) return code;
  if (!a->lossy_from) {
    a->lossy.read.format = a->exact.read.format;
    a->lossy.read.params = a->exact.read.params;
  }
  return 0;
}

int oct_cmd_fidelity(int argc, char **argv) {
  static const struct option options[] = {
      {"sets", required_argument, NULL, OPT_SETS},
      {"ways", required_argument, NULL, OPT_WAYS},
      {"line-bytes", required_argument, NULL, OPT_LINE},
      {"zone-bytes", required_argument, NULL, OPT_ZONE},
      {"index", required_argument, NULL, OPT_INDEX},
      {"history", required_argument, NULL, OPT_HISTORY},
      {"key", required_argument, NULL, OPT_KEY},
      {"take", required_argument, NULL, OPT_TAKE},
      {"from", required_argument, NULL, OPT_FROM},
      {"lossy-from", required_argument, NULL, OPT_LOSSY_FROM},
      {"limit", required_argument, NULL, OCT_OPT_LIMIT},
      {"max-memory", required_argument, NULL, OCT_OPT_MAX_MEMORY},
      {"csv", required_argument, NULL, OPT_CSV},
      {"json", no_argument, NULL, OCT_OPT_JSON},
      {"plot", required_argument, NULL, OPT_PLOT},
      {NULL, 0, NULL, 0}};
  enum { BOTH = OCT_ADDRESSES_INSN | OCT_ADDRESSES_DATA };
  fidelity_args a = {.config = oct_fidelity_defaults, .exact.kinds = BOTH, .lossy.kinds = BOTH};
  int c, code = 0;
  a.command = oct_cli_command(argc, argv); /* before ranges are taken apart */
  while (!code && (c = oct_cli_getopt("fidelity", argc, argv, "", options)) != -1)
    code = take_option(&a, c, optarg);
  if (!code) code = check(&a, argc, argv);
  if (!code && !a.command) code = oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  if (!code) code = fidelity(&a, argv[optind], argv[optind + 1]);
  free(a.command);
  return code;
}
