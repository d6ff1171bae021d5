/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_calls.c - octrace calls: function calls out of an instruction trace. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oct_calls.h"
#include "oct_cli.h"
#include "oct_ev_sink.h"
#include "oct_report.h"
#include "oct_symbols.h"
#include "octrace/error.h"

const char oct_help_calls[] =
    "Usage: octrace calls [OPTION...] TRACE [OUT]\n"
    "Find the function calls in an instruction trace, by the classes of its instructions.\n"
    "Without OUT, write to standard output.\n\n"
    "  -o, --output OUT    instead of the second name\n"
    "      --to F          folded (default): a line for each stack and its time, for flame "
    "graphs;\n"
    "                      chrome: JSON for Perfetto and chrome://tracing; or text, otf2, octev,\n"
    "                      records: as octrace events has them\n"
    "      --clock HZ      cycles per second of the trace's stamps (10K, 2M)\n\n"
    "Times are cycle stamps, or numbers of instructions in a trace without stamps. --elf has the\n"
    "names of functions, and the classes of instructions if the trace lacks "
    "them.\n" OCT_INPUT_HELP OCT_READ_EXIT_HELP;

enum { OPT_FROM = OCT_OPT_OWN, OPT_TO, OPT_CLOCK };
enum { TO_FOLDED = -2, TO_CHROME = -3 }; /* others: oct_ev_format */

typedef struct calls_args {
  oct_source_options source;
  int to;
  uint64_t clock;
  const char *in, *out;
} calls_args;

/* One of sink and file is there. */
typedef struct calls_run {
  const calls_args *args;
  oct_source source;
  oct_symbols symbols;
  oct_calls *calls;
  oct_ev_sink *sink;
  oct_outfile *file;
  oct_buffer text;
  char **names; /* of functions, as JSON has them */
  size_t n_names, n_threads;
  uint64_t n_unknown; /* instructions without a class */
  oct_progress progress;
} calls_run;

static int flush(calls_run *r, size_t at_least, oct_diag *diag) {
  if (r->text.has_failed) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  if (r->text.n_bytes < at_least) return 0;
  int error = oct_outfile_write(r->file, r->text.bytes, r->text.n_bytes, diag);
  r->text.n_bytes = 0;
  return error;
}

static void put_text(calls_run *r, const char *text) {
  oct_buffer_put(&r->text, text, strlen(text));
}

/* ---- Folded stacks ---- */

/* A name in which a semicolon would end it. */
static void put_folded_name(calls_run *r, const char *name) {
  for (; *name; name++)
    oct_buffer_put(&r->text, *name == ';' ? ":" : *name == '\n' ? " " : name, 1);
}

static int write_folded(calls_run *r, oct_diag *diag) {
  size_t n_nodes, n = 0;
  const oct_calls_node *nodes = oct_calls_nodes(r->calls, &n_nodes);
  const oct_ev_defs *defs = oct_calls_defs(r->calls);
  uint32_t *way = malloc(n_nodes * sizeof *way);
  int error = way ? 0 : oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  for (size_t i = 1; i < n_nodes && !error; i++) {
    char number[32];
    if (!nodes[i].self_ticks) continue;
    for (uint32_t k = (uint32_t)i; k; k = nodes[k].parent) way[n++] = k;
    if (defs->locations.n > 1) {
      put_folded_name(r, oct_ev_names_text(&defs->locations, nodes[i].location));
      put_text(r, ";");
    }
    while (n) {
      put_folded_name(r, oct_ev_names_text(&defs->functions, nodes[way[--n]].function));
      put_text(r, n ? ";" : "");
    }
    snprintf(number, sizeof number, " %" PRIu64 "\n", nodes[i].self_ticks);
    put_text(r, number);
    error = flush(r, 1 << 16, diag);
  }
  free(way);
  return error;
}

/* ---- Chrome's JSON ---- */

/* The JSON of a function's name, made once. */
static const char *json_name(calls_run *r, uint32_t function) {
  const oct_ev_names *functions = &oct_calls_defs(r->calls)->functions;
  if (function >= r->n_names) {
    char **grown = realloc(r->names, functions->n * sizeof *grown);
    if (!grown) return NULL;
    memset(grown + r->n_names, 0, (functions->n - r->n_names) * sizeof *grown);
    r->names = grown;
    r->n_names = functions->n;
  }
  if (!r->names[function]) {
    json_t *name = oct_report_string(oct_ev_names_text(functions, function));
    r->names[function] = json_dumps(name, JSON_ENCODE_ANY);
    json_decref(name);
  }
  return r->names[function];
}

/* Microseconds. Without a clock a tick is shown as a nanosecond. */
static double microseconds(const calls_run *r, uint64_t ticks) {
  return r->args->clock ? (double)ticks * 1e6 / (double)r->args->clock : (double)ticks / 1000;
}

static int put_chrome(calls_run *r, const oct_ev_record *records, size_t n, oct_diag *diag) {
  const oct_ev_defs *defs = oct_calls_defs(r->calls);
  char line[160];
  for (; r->n_threads < defs->locations.n; r->n_threads++) {
    snprintf(line, sizeof line,
             "%s\n{\"ph\":\"M\",\"pid\":1,\"tid\":%zu,\"name\":\"thread_name\",\"args\":{\"name\":"
             "\"%s\"}}",
             r->n_threads ? "," : "", r->n_threads + 1,
             oct_ev_names_text(&defs->locations, (uint32_t)r->n_threads));
    put_text(r, line);
  }
  for (size_t i = 0; i < n; i++) {
    const char *name = json_name(r, records[i].function);
    if (!name) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    snprintf(line, sizeof line, ",\n{\"ph\":\"%s\",\"pid\":1,\"tid\":%u,\"ts\":%.3f,\"name\":",
             records[i].kind == OCT_EV_ENTER ? "B" : "E", (unsigned)records[i].location + 1,
             microseconds(r, records[i].time_ticks));
    put_text(r, line);
    put_text(r, name);
    put_text(r, "}");
    int error = flush(r, 1 << 16, diag);
    if (error) return error;
  }
  return 0;
}

/* ---- The way of records ---- */

static int put_records(calls_run *r, const oct_ev_record *records, size_t n, oct_diag *diag) {
  if (r->sink) return n ? oct_ev_sink_put(r->sink, records, n, diag) : 0;
  return r->args->to == TO_CHROME ? put_chrome(r, records, n, diag) : 0;
}

static int find_calls(calls_run *r, oct_diag *diag) {
  const oct_ev_record *records;
  size_t n;
  int got = 0, error = 0;
  while (!error && (got = oct_source_next(&r->source, diag)) > 0) {
    const oct_batch *b = &r->source.batch;
    for (size_t i = 0; i < b->n_insns; i++)
      r->n_unknown += oct_insn_class(&b->insns[i]) == OCT_CLASS_UNKNOWN;
    error = oct_symbols_add_modules(&r->symbols, r->source.reader, &r->args->source.read, diag);
    if (error) return error;
    error = oct_calls_put(r->calls, b, &records, &n);
    if (error) return oct_fail(diag, error, "%s", oct_error_text(error));
    error = put_records(r, records, n, diag);
  }
  if (error || got < 0) return error ? error : got;
  if (r->n_unknown && r->n_unknown == r->source.n_insns)
    return oct_fail_in(diag, OCT_ERR_ARG, oct_cli_input_name(r->args->in),
                       "no instruction's class is known, as the trace has no code: give the "
                       "program with --elf FILE");
  error = oct_calls_end(r->calls, &records, &n);
  if (error) return oct_fail(diag, error, "%s", oct_error_text(error));
  error = put_records(r, records, n, diag);
  if (!error && r->args->to == TO_FOLDED) error = write_folded(r, diag);
  if (!error && r->args->to == TO_CHROME) put_text(r, "\n]}\n");
  return error || r->sink ? error : flush(r, 1, diag);
}

static void progress(void *context, uint64_t n_insns, uint64_t done_bytes, uint64_t total_bytes) {
  oct_progress_update(context, n_insns, done_bytes, total_bytes);
}

static int open_all(calls_run *r, calls_args *a, oct_diag *diag) {
  a->source.progress = progress;
  a->source.progress_context = &r->progress;
  oct_progress_start(&r->progress, "calls");
  int error = oct_symbols_add_all(&r->symbols, &a->source.read, diag);
  if (!error) error = oct_source_open(&r->source, a->in, &a->source, diag);
  if (error) return error;
  error = oct_symbols_add_modules(&r->symbols, r->source.reader, &a->source.read, diag);
  if (error) return error;
  int isa = oct_isa_by_name(r->source.info.isa);
  oct_functions functions = {r->symbols.n ? oct_symbols_function : NULL, &r->symbols};
  error =
      oct_calls_new(&functions, isa >= 0 && oct_isa_get((oct_isa)isa)->has_delay_slots, &r->calls);
  if (error) return oct_fail(diag, error, "out of memory");
  oct_ev_defs *defs = oct_calls_defs(r->calls);
  defs->ticks_per_second = a->clock;
  if (a->to < 0) {
    if (a->to == TO_CHROME) put_text(r, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    return oct_outfile_open(a->out, &r->file, diag);
  }
  oct_ev_params params;
  oct_ev_params_init(&params, a->clock);
  return oct_ev_sink_open(a->out, (oct_ev_format)a->to, defs, &params, &r->sink, diag);
}

static int close_output(calls_run *r, int error, oct_diag *diag) {
  if (error < 0) {
    oct_ev_sink_abort(r->sink);
    oct_outfile_abort(r->file);
    return error;
  }
  if (r->sink) return oct_ev_sink_commit(r->sink, NULL, NULL, diag);
  return oct_outfile_commit(r->file, diag);
}

/* What the picture does not show as it was. */
static void tell_doubts(const calls_run *r) {
  const char *name = oct_cli_input_name(r->args->in);
  oct_calls_counts n = oct_calls_get_counts(r->calls);
  oct_symbols_tell(&r->symbols, r->args->in);
  if (!r->symbols.n)
    oct_cli_error(0, "note: %s: functions are named by their addresses: --elf FILE has their names",
                  name);
  if (r->n_unknown)
    oct_cli_error(0, "note: %s: the class of %" PRIu64 " instruction%s is not known", name,
                  r->n_unknown, OCT_S(r->n_unknown));
  if (n.missed_returns)
    oct_cli_error(0, "note: %s: %" PRIu64 " return%s to a place from which no call was seen", name,
                  n.missed_returns, OCT_S(n.missed_returns));
  if (n.discontinuities)
    oct_cli_error(0, "note: %s: the trace goes on elsewhere without a jump at %" PRIu64 " place%s",
                  name, n.discontinuities, OCT_S(n.discontinuities));
}

static int find(calls_args *a) {
  calls_run r = {.args = a};
  oct_diag diag = {0};
  int error = open_all(&r, a, &diag);
  if (!error) error = find_calls(&r, &diag);
  error = close_output(&r, error, &diag);
  oct_progress_end(&r.progress);
  if (error >= 0) {
    oct_cli_tell_gaps(a->in, r.source.reader);
    oct_cli_tell_input(a->in, r.source.reader);
    oct_cli_tell_program(r.source.reader, r.source.n_insns);
    tell_doubts(&r);
  }
  for (size_t i = 0; i < r.n_names; i++) free(r.names[i]);
  free(r.names);
  oct_buffer_free(&r.text);
  oct_calls_free(r.calls);
  oct_symbols_free(&r.symbols);
  if (r.source.state) oct_source_close(&r.source);
  return error < 0 ? oct_cli_diag(NULL, &diag) : OCT_EXIT_OK;
}

static int take_to(calls_args *a, const char *name) {
  int format = oct_ev_format_by_name(name);
  a->to = !strcmp(name, "folded") ? TO_FOLDED : !strcmp(name, "chrome") ? TO_CHROME : format;
  bool is_written =
      format >= 0 && format != OCT_EV_FORMAT_UFTRACE && format != OCT_EV_FORMAT_UFTRACE_DUMP;
  if (a->to == TO_FOLDED || a->to == TO_CHROME || is_written) return 0;
  return oct_cli_usage(
      "calls", "--to: expected folded, chrome, text, otf2, octev or records, found '%s'", name);
}

static int take_option(calls_args *a, int c, char *value) {
  switch (c) {
    case 'o':
      a->out = value;
      return 0;
    case OPT_FROM:
      return oct_cli_read_format(&a->source.read, "calls", value);
    case OPT_TO:
      return take_to(a, value);
    case OPT_CLOCK:
      return oct_cli_range("calls", "--clock", value, 1, UINT64_MAX, &a->clock);
    case OCT_OPT_SKIP:
      return oct_cli_skip("calls", value, &a->source.skip);
    case OCT_OPT_LIMIT:
      return oct_cli_limit("calls", value, &a->source.limit);
    default:
      return oct_cli_read_arg(&a->source.read, "calls", c, value);
  }
}

int oct_cmd_calls(int argc, char **argv) {
  static const struct option options[] = {OCT_READ_OPTIONS,
                                          {"output", required_argument, NULL, 'o'},
                                          {"from", required_argument, NULL, OPT_FROM},
                                          {"to", required_argument, NULL, OPT_TO},
                                          {"clock", required_argument, NULL, OPT_CLOCK},
                                          {"skip", required_argument, NULL, OCT_OPT_SKIP},
                                          {"limit", required_argument, NULL, OCT_OPT_LIMIT},
                                          {NULL, 0, NULL, 0}};
  calls_args a = {.to = TO_FOLDED};
  int c, code = 0;
  while (!code && (c = oct_cli_getopt("calls", argc, argv, "o:", options)) != -1)
    code = take_option(&a, c, optarg);
  if (code) return code;
  if (optind == argc || optind + (a.out ? 1 : 2) < argc)
    return oct_cli_usage("calls", "a trace, and at most one output, is needed");
  a.in = argv[optind];
  if (!a.out) a.out = optind + 1 < argc ? argv[optind + 1] : "-";
  code = oct_cli_inputs(argv + optind, 1);
  if (!code) code = oct_cli_output("calls", a.out);
  if (!code && (a.to == OCT_EV_FORMAT_COMPRESSED || a.to == OCT_EV_FORMAT_RECORDS))
    code = oct_cli_binary("calls", a.out);
  return code ? code : find(&a);
}
