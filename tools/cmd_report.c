/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_report.c - octrace report: the bandwidth that traces need at the trace port. */
#include <stdlib.h>
#include <string.h>

#include "oct_memory_file.h"
#include "oct_bandwidth.h"
#include "oct_report.h"

const char oct_help_report[] =
    "Usage: octrace report [OPTION...] TRACE...\n"
    "Report the contents of the trace port: bits per instruction by logical stream, over time "
    "and\n"
    "in total; pins against port clock; buffer depths against loss; the streams that miss most.\n\n"
    "      --html FILE     also write a page with plots, which needs no network\n"
    "      --csv FILE      also write rows of trace,table,key,value (-: instead of text)\n"
    "      --top N         streams that miss most (default 20)\n"
    "      --cycle-insns N     instructions that the cycle model runs through (default 1000000,\n"
    "                          0: all)\n"
    "      --no-tracers    leave out the other tracers\n"
    "      --clock HZ      also Gbit/s, at an instruction each cycle of this clock "
    "(800M)\n" OCT_RUN_HELP OCT_STUDY_EXIT_HELP;

enum { OPT_HTML = OCT_OPT_OWN, OPT_CSV, OPT_TOP, OPT_CYCLE_INSNS, OPT_NO_TRACERS, OPT_CLOCK };

typedef struct report_args {
  oct_run_args run;
  oct_bandwidth_options options;
  oct_symbols symbols;
  const char *html, *csv;
  oct_memory_file rows; /* of csv, if that is a file */
  char *command;        /* as a shell would take it */
} report_args;

static int take_option(report_args *r, int c) {
  switch (c) {
    case OPT_HTML:
      r->html = optarg;
      return 0;
    case OPT_CSV:
      r->csv = optarg;
      return 0;
    case OPT_TOP:
      return oct_cli_range("report", "--top", optarg, 0, 100000, &r->options.top);
    case OPT_CYCLE_INSNS:
      return oct_cli_range("report", "--cycle-insns", optarg, 0, UINT64_MAX,
                           &r->options.cycle_insns);
    case OPT_NO_TRACERS:
      r->options.no_tracers = true;
      return 0;
    case OPT_CLOCK:
      return oct_cli_range("report", "--clock", optarg, 1, UINT64_MAX, &r->options.clock_hz);
    default:
      return oct_run_arg(&r->run, "report", c, optarg);
  }
}

/* Whether the rows take the place of the text. */
static bool is_printed(const report_args *r) {
  return r->csv && !strcmp(r->csv, "-");
}

/* Each trace is reported as soon as it is through. */
static int report_all(report_args *r, char **paths, int n) {
  json_t *reports = json_array();
  oct_diag diag = {0};
  int code = OCT_EXIT_OK;
  if (r->csv && !is_printed(r) && oct_memory_file_open(&r->rows)) {
    json_decref(reports);
    return oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  }
  for (int i = 0; i < n; i++) {
    json_t *one = oct_bandwidth_collect(paths[i], &r->options, &diag);
    if (!one) {
      code = oct_cli_diag(paths[i], &diag);
      memset(&diag, 0, sizeof diag);
      continue;
    }
    bool first = json_array_size(reports) == 0;
    if (r->csv) oct_bandwidth_csv(is_printed(r) ? stdout : r->rows.file, one, first);
    if (!is_printed(r) && !r->run.json) {
      if (!first) putchar('\n');
      oct_bandwidth_text(stdout, one);
    }
    json_array_append_new(reports, one);
  }
  if (r->rows.file && oct_memory_file_close(&r->rows))
    code = oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  else if (r->rows.text.n_bytes &&
           oct_cli_write(r->csv, r->rows.text.bytes, r->rows.text.n_bytes, &diag))
    code = oct_cli_diag(r->csv, &diag);
  oct_buffer_free(&r->rows.text);
  if (r->html && json_array_size(reports) &&
      oct_bandwidth_html(reports, r->command, r->html, &diag))
    code = oct_cli_diag(r->html, &diag);
  for (size_t i = 0; i < json_array_size(reports) && !code; i++) {
    json_t *one = json_array_get(reports, i);
    uint64_t found = (uint64_t)json_integer_value(json_object_get(one, "insn_align_bytes_found"));
    oct_cli_tell_alignment(json_string_value(json_object_get(one, "trace")), found, &r->run);
  }
  if (r->run.json && oct_report_print(json_incref(reports))) code = OCT_EXIT_INPUT;
  json_decref(reports);
  return code;
}

/* The report looks at both engines, where there are two. */
static int check_args(oct_run_args *a) {
  a->both_engines = true;
  return oct_run_args_check(a, "report");
}

int oct_cmd_report(int argc, char **argv) {
  static const struct option options[] = {OCT_RUN_OPTIONS,
                                          {"html", required_argument, NULL, OPT_HTML},
                                          {"csv", required_argument, NULL, OPT_CSV},
                                          {"top", required_argument, NULL, OPT_TOP},
                                          {"cycle-insns", required_argument, NULL, OPT_CYCLE_INSNS},
                                          {"no-tracers", no_argument, NULL, OPT_NO_TRACERS},
                                          {"clock", required_argument, NULL, OPT_CLOCK},
                                          {NULL, 0, NULL, 0}};
  report_args r = {.options = {.cycle_insns = 1000000, .top = 20}};
  oct_diag diag = {0};
  int c, code = 0;
  oct_run_args_init(&r.run);
  r.options.run = &r.run;
  r.options.symbols = &r.symbols;
  while (!code && (c = oct_cli_getopt("report", argc, argv, "g:", options)) != -1)
    code = take_option(&r, c);
  if (!code) code = check_args(&r.run);
  if (!code && optind == argc) code = oct_cli_usage("report", "a trace is needed");
  if (!code && is_printed(&r) && r.run.json)
    code = oct_cli_usage("report", "--csv and --json cannot both go to standard output");
  if (!code && r.html && !strcmp(r.html, "-"))
    code = oct_cli_usage("report", "--html: expected a file, as standard output has the report");
  if (!code) code = oct_cli_inputs(argv + optind, (size_t)(argc - optind));
  if (!code) code = oct_cli_output("report", r.html);
  if (!code) code = oct_cli_output("report", r.csv);
  if (!code) code = oct_cli_distinct_outputs("report", "--html and --csv", r.html, r.csv);
  if (!code && r.html && !(r.command = oct_cli_command(argc, argv)))
    code = oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  if (!code && oct_symbols_add_all(&r.symbols, &r.run.read, &diag))
    code = oct_cli_diag(NULL, &diag);
  if (!code) code = report_all(&r, argv + optind, argc - optind);
  free(r.command);
  oct_symbols_free(&r.symbols);
  return code;
}
