/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_info.c - octrace info: what a trace is, what a container holds. */
#include <inttypes.h>
#include <string.h>

#include "oct_cli.h"
#include "oct_codec_cli.h"
#include "octrace/container.h"
#include "oct_module_list.h"
#include "oct_peek.h"
#include "oct_report.h"
#include "octrace/sweep.h"
#include "oct_symbols.h"

const char oct_help_info[] =
    "Usage: octrace info [OPTION...] TRACE|FILE.octp|FILE.octc\n"
    "Describe a trace (format, instruction set, counts, hot streams) or a compressed file; with\n"
    "an option that is not for the file itself (--json, --max-map, --max-memory), the trace in\n"
    "it.\n\n" OCT_CODEC_MEMORY_HELP
    "      --top N         list N streams, 0..1000 (default 10)\n" OCT_TRACER_HELP
    "      --json          as JSON\n" OCT_INPUT_HELP OCT_READ_EXIT_HELP;

enum { OPT_TOP = OCT_OPT_OWN };
enum { TOP_DEFAULT = 10, TOP_MAX = 1000, STREAM_INSNS_DEFAULT = 256 };

static void set_count(json_t *o, const char *name, uint64_t value) {
  json_object_set_new(o, name, json_integer((json_int_t)value));
}

static void set_text(json_t *o, const char *name, const char *value) {
  json_object_set_new(o, name, oct_report_string(value));
}

/* Print a list of streams as a table. */
static void print_streams(const json_t *list) {
  size_t i;
  json_t *o;
  if (json_array_size(list)) printf("top streams\n");
  json_array_foreach(list, i, o) {
    const char *symbol = json_string_value(json_object_get(o, "symbol"));
    const char *line = json_string_value(json_object_get(o, "source"));
    printf("  %5.1f %%  %8" JSON_INTEGER_FORMAT " x %-4" JSON_INTEGER_FORMAT " %s%s%s%s%s\n",
           json_real_value(json_object_get(o, "percent")),
           json_integer_value(json_object_get(o, "runs")),
           json_integer_value(json_object_get(o, "length")),
           json_string_value(json_object_get(o, "start")), symbol ? "  " : "",
           symbol ? oct_cli_shown(symbol).text : "", line ? "  " : "",
           line ? oct_cli_shown(line).text : "");
  }
}

/* Print the files of code, or the streams. */
static void print_array(const json_t *list) {
  if (json_object_get(json_array_get(list, 0), "path"))
    oct_modules_print(list);
  else
    print_streams(list);
}

/* How long streams are at most: as the tracer has it, where it cuts them. */
static uint32_t stream_insns_max(const oct_run_args *a) {
  return a->tracer->stream_insns_max ? a->tracer->stream_insns_max(a->params)
                                     : STREAM_INSNS_DEFAULT;
}

/* The streams in which most instructions ran: start, symbol, length, how often, share. */
static json_t *top_streams(const oct_symbols *symbols, const oct_survey *v, size_t room) {
  oct_survey_stream top[TOP_MAX];
  size_t n = oct_survey_top(v, top, room);
  json_t *list = json_array();
  for (size_t i = 0; i < n; i++) {
    char text[24];
    char symbol[96], line[96];
    oct_symbols_name(symbols, top[i].sa, symbol, sizeof symbol);
    oct_symbols_line(symbols, top[i].sa, line, sizeof line);
    json_t *o = json_object();
    snprintf(text, sizeof text, "0x%" PRIx64, top[i].sa);
    set_text(o, "start", text);
    if (symbol[0]) set_text(o, "symbol", symbol);
    if (line[0]) set_text(o, "source", line);
    set_count(o, "length", top[i].sl);
    set_count(o, "runs", top[i].count);
    json_object_set_new(o, "percent",
                        json_real(100.0 * (double)(top[i].count * top[i].sl) / (double)v->insns));
    json_array_append_new(list, o);
  }
  return list;
}

/* Executed instructions of which more is known than class and accesses. */
typedef struct known_insns {
  uint64_t n, with_code, with_operation;
  uint64_t values, facts; /* accesses with a value; registers and memory told beside them */
} known_insns;

static void count_known(const oct_source *s, known_insns *k) {
  const oct_map *map = s->map;
  for (size_t i = 0; i < s->batch.n_insns; i++) {
    uint32_t id = oct_map_find(map, s->batch.insns[i].addr);
    if (id == UINT32_MAX) continue;
    const oct_map_head *e = oct_map_at(map, id);
    k->with_code += e->code_isa != 0;
    k->with_operation += (oct_map_effect(map, id)->flags & OCT_EFFECT_KNOWN) != 0;
  }
  k->n += s->batch.n_insns;
  for (size_t i = 0; i < s->batch.n_facts; i++) k->facts += s->batch.facts[i].kind != OCT_FACT_GAP;
  for (size_t i = 0; s->batch.values && i < s->batch.n_accesses; i++)
    k->values += s->batch.accesses[i].value != 0;
}

/* A file of a program that stands apart from the container. */
static void set_image(json_t *o, size_t i, const oct_program_image *image) {
  char name[40], hash[20];
  snprintf(name, sizeof name, "program_%zu", i);
  set_text(o, name, image->path);
  snprintf(name, sizeof name, "program_%zu_bias", i);
  set_count(o, name, image->bias);
  snprintf(name, sizeof name, "program_%zu_hash", i);
  snprintf(hash, sizeof hash, "%016" PRIx64, image->hash);
  set_text(o, name, hash);
}

static void set_share(json_t *o, const char *name, uint64_t part, uint64_t whole) {
  json_object_set_new(o, name, json_real(whole ? 100.0 * (double)part / (double)whole : 0));
}

static void set_modules(json_t *o, const oct_module *modules, size_t n) {
  json_t *list = n ? json_array() : NULL;
  for (size_t i = 0; i < n; i++) json_array_append_new(list, oct_module_json(&modules[i]));
  if (n) json_object_set_new(o, "modules", list);
}

static json_t *trace_object(const char *path, const oct_source *s, const oct_survey *v,
                            const known_insns *k, const oct_symbols *symbols, size_t room) {
  const oct_trace_info *t = oct_reader_info(s->reader);
  json_t *o = json_object();
  set_text(o, "file", path);
  set_text(o, "format", oct_format_name(t->format));
  set_text(o, "isa", t->isa);
  /* A size that is only the format's default says nothing. */
  bool is_default = t->default_insn_bytes && v->insn_sizes == 1u << t->default_insn_bytes;
  if (!strcmp(t->isa, "unknown"))
    set_text(o, "isa_guess", is_default ? "unknown" : oct_survey_isa(v));
  set_text(o, "origin", t->origin);
  set_text(o, "command", t->command);
  if (*oct_format_lacks(t->format)) set_text(o, "lacks", oct_format_lacks(t->format));
  if (oct_reader_gaps(s->reader)) set_count(o, "gaps", oct_reader_gaps(s->reader));
  set_count(o, "addr_bits", t->addr_bits);
  set_count(o, "insn_align_bytes", t->insn_align_bytes);
  if (s->found_align_bytes > 1) set_count(o, "insn_align_bytes_found", s->found_align_bytes);
  set_count(o, "instructions", v->insns);
  set_count(o, "accesses", v->accesses);
  set_count(o, "loads", v->loads);
  set_count(o, "stores", v->stores);
  if (k->values) set_count(o, "values", k->values);
  if (k->facts) set_count(o, "facts", k->facts);
  set_count(o, "tasks", v->tasks);
  set_count(o, "task_switches", v->task_switches);
  if (v->exceptions + v->interrupts + v->privilege_changes) {
    set_count(o, "exceptions", v->exceptions);
    set_count(o, "interrupts", v->interrupts);
    set_count(o, "privilege_changes", v->privilege_changes);
  }
  set_count(o, "unique_instructions", v->unique_insns);
  set_count(o, "map_entries", oct_map_count(s->map));
  set_share(o, "code_percent", k->with_code, k->n);
  set_share(o, "effect_percent", k->with_operation, k->n);
  set_count(o, "dynamic_streams", v->streams);
  set_count(o, "unique_streams", v->unique_streams);
  set_count(o, "max_stream_length", v->max_sl);
  json_object_set_new(o, "average_stream_length",
                      json_real(v->streams ? (double)v->insns / (double)v->streams : 0));
  set_modules(o, t->modules, t->n_modules);
  json_object_set_new(o, "top_streams", top_streams(symbols, v, room));
  return o;
}

static int info_trace(const char *name, const char *path, oct_run_args *a, size_t room) {
  oct_source s;
  oct_survey v;
  known_insns k = {0};
  oct_symbols symbols = {.at = NULL};
  oct_diag diag = {0};
  int got, error = oct_cli_open(&s, path, a, "info", &diag);
  if (error < 0) return oct_cli_diag(path, &diag);
  s.only_looks = true;
  if (oct_survey_init(&v, stream_insns_max(a)) < 0) {
    oct_cli_close(&s, a, OCT_ERR_NOMEM);
    return oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  }
  while (!error && (got = oct_source_next(&s, &diag)) != 0) {
    error = got < 0 ? got : oct_survey_put(&v, &s.batch);
    if (!error) count_known(&s, &k);
  }
  if (!error) error = oct_survey_end(&v);
  /* A program without symbols has described the instructions all the same. */
  if (!error) error = oct_symbols_add_all(&symbols, &a->read, &diag);
  if (!error) error = oct_symbols_add_modules(&symbols, s.reader, &a->read, &diag);
  oct_progress_end(&a->progress);
  if (error && !diag.error) oct_fail(&diag, error, "%s", oct_error_text(error));
  int code = error ? oct_cli_diag(path, &diag)
                   : oct_report_object(trace_object(name, &s, &v, &k, &symbols, room), a->json,
                                       print_array);
  if (!error) oct_symbols_tell(&symbols, path);
  oct_symbols_free(&symbols);
  oct_survey_free(&v);
  oct_cli_close(&s, a, error);
  return code;
}

/* Sizes that only a walk through the whole file tells; its checksums are checked on the way. */
static int container_object(const char *path, oct_container_reader *r, json_t *o, oct_diag *diag) {
  const oct_container_info *info = oct_container_get_info(r);
  uint64_t updates = 0, gaps = 0;
  oct_chunk chunk;
  int got;
  set_text(o, "file", path);
  set_text(o, "format", "container");
  set_text(o, "tracer", oct_container_tracer(r)->name);
  set_text(o, "isa", info->isa);
  set_text(o, "origin", info->origin);
  set_text(o, "command", info->command);
  if (info->insn_align_bytes) set_count(o, "insn_align_bytes", info->insn_align_bytes);
  if (info->addr_bits) set_count(o, "trace_addr_bits", info->addr_bits);
  size_t n_images;
  const oct_program_image *images = oct_container_images(r, &n_images);
  for (size_t i = 0; i < n_images; i++) set_image(o, i, &images[i]);
  set_modules(o, info->modules, info->n_modules);
  while ((got = oct_container_next(r, &chunk, diag)) > 0) {
    if (chunk.kind == OCT_CHUNK_GAPS) gaps += chunk.n_gaps;
    if (chunk.kind == OCT_CHUNK_MAP) updates += chunk.n_updates;
    if (chunk.kind != OCT_CHUNK_END) continue;
    set_count(o, "instructions", chunk.totals.insns);
    set_count(o, "accesses", chunk.totals.accesses);
    if (gaps) set_count(o, "gaps", gaps);
    set_count(o, "lost_instructions", chunk.totals.lost_insns);
    set_count(o, "lost_accesses", chunk.totals.lost_accesses);
    set_count(o, "port_bytes", chunk.totals.port_bytes);
    set_count(o, "map_bytes", chunk.totals.map_bytes);
    if (updates || !n_images) set_count(o, "map_updates", updates);
  }
  return got;
}

static int info_container(const char *name, const char *path, uint64_t map_max, bool json) {
  oct_container_reader *r;
  oct_diag diag = {0};
  int error = oct_container_open(path, &r, &diag);
  json_t *o = json_object();
  if (!error) {
    oct_container_limit_map(r, map_max);
    error = container_object(name, r, o, &diag);
  }
  if (error < 0) {
    json_decref(o);
    oct_container_close(r);
    return oct_cli_diag(path, &diag);
  }
  json_t *params = oct_report_params(oct_container_tracer(r), oct_container_params(r));
  if (json)
    json_object_set(o, "parameters", params);
  else
    json_object_update(o, params);
  json_decref(params);
  oct_container_close(r);
  return oct_report_object(o, json, oct_modules_print);
}

int oct_cmd_info(int argc, char **argv) {
  static const struct option options[] = {
      OCT_TRACER_OPTIONS,
      {"from", required_argument, NULL, OCT_OPT_FORMAT},
      OCT_READ_OPTIONS,
      {"max-memory", required_argument, NULL, OCT_OPT_MAX_MEMORY},
      {"top", required_argument, NULL, OPT_TOP},
      {"limit", required_argument, NULL, OCT_OPT_LIMIT},
      {"skip", required_argument, NULL, OCT_OPT_SKIP},
      {"json", no_argument, NULL, OCT_OPT_JSON},
      {NULL, 0, NULL, 0}};
  oct_run_args a;
  oct_codec_limits limits = {0};
  uint64_t room = TOP_DEFAULT;
  bool is_of_trace = false;
  int c;
  oct_run_args_init(&a);
  while ((c = oct_cli_getopt("info", argc, argv, "g:", options)) != -1) {
    int code = 0;
    is_of_trace |= c != OCT_OPT_JSON && c != OCT_OPT_MAX_MAP && c != OCT_OPT_MAX_MEMORY;
    if (c == OPT_TOP)
      code = oct_cli_range("info", "--top", optarg, 0, TOP_MAX, &room);
    else if (c == OCT_OPT_MAX_MEMORY)
      code = oct_codec_memory_arg("info", optarg, &limits);
    else
      code = oct_run_arg(&a, "info", c, optarg);
    if (code) return code;
  }
  if ((c = oct_run_args_check(&a, "info")) != 0) return c;
  if (optind + 1 != argc) return oct_cli_usage("info", "one file is needed");
  char magic[OCT_CONTAINER_MAGIC_BYTES] = "";
  const char *path = argv[optind], *name = oct_cli_input_name(path);
  a.read.memory_max_bytes = limits.memory_max_bytes;
  if (is_of_trace) return info_trace(name, path, &a, (size_t)room);
  FILE *file;
  oct_diag diag = {0};
  int is_codec = oct_codec_open(&path, &file, &diag);
  if (is_codec < 0) return oct_cli_diag(NULL, &diag);
  if (is_codec) {
    int code = oct_codec_info(file, name, &limits, a.json);
    if (file != stdin) fclose(file);
    return code;
  }
  oct_peek(&path, magic, sizeof magic);
  if (!memcmp(magic, OCT_CONTAINER_MAGIC, sizeof OCT_CONTAINER_MAGIC - 1))
    return info_container(name, path, a.read.map_max, a.json);
  return info_trace(name, path, &a, (size_t)room);
}
