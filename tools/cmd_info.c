/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_info.c - octrace info: what a trace is, what a container holds, which machines there are. */
#include <inttypes.h>
#include <string.h>

#include "oct_cli.h"
#include "oct_codec_cli.h"
#include "oct_container.h"
#include "oct_input.h"
#include "oct_report.h"
#include "oct_survey.h"

const char oct_help_info[] =
    "Usage: octrace info [OPTION...] TRACE|FILE.octp|FILE.octc\n"
    "       octrace info --geometries|--params [--json]\n"
    "Say what a trace is and consists of, or what a compressed file holds.\n\n"
    "      --format F      format of the trace: auto, native, text, bin32, bin64, simplescalar\n"
    "      --skip N, --limit N   look at a part of the trace\n"
    "      --geometries    list the named machines\n"
    "      --params        list a machine's parameters\n"
    "  -g, --geometry G    the machine for --params, and for cutting streams\n"
    "      --json          as JSON\n" OCT_EXIT_HELP;

enum { OPT_GEOMETRIES = OCT_OPT_OWN, OPT_PARAMS };

static void set_count(json_t *o, const char *name, uint64_t value) {
  json_object_set_new(o, name, json_integer((json_int_t)value));
}

static void set_text(json_t *o, const char *name, const char *value) {
  json_object_set_new(o, name, json_string(value));
}

/* Print an object of plain values: as JSON, or a line each. */
static int print_object(json_t *o, bool json) {
  if (json) return oct_report_print(o);
  const char *name;
  json_t *value;
  json_object_foreach(o, name, value) {
    if (json_is_string(value))
      printf("%-22s %s\n", name, json_string_value(value));
    else if (json_is_real(value))
      printf("%-22s %.3f\n", name, json_real_value(value));
    else if (json_is_integer(value))
      printf("%-22s %" JSON_INTEGER_FORMAT "\n", name, json_integer_value(value));
  }
  json_decref(o);
  return OCT_EXIT_OK;
}

static int list_geometries(bool json) {
  json_t *o = json_object();
  for (unsigned i = 0; i < oct_geometry_count(); i++)
    set_text(o, oct_geometry_name(i), oct_geometry_text(i));
  return print_object(o, json);
}

static int list_params(const oct_config *cfg, bool json) {
  if (json) return oct_report_print(oct_report_config(cfg));
  const uint32_t *value = (const uint32_t *)cfg;
  for (unsigned i = 0; i < oct_params_count; i++) {
    const oct_param *p = &oct_params[i];
    printf("%-18s %8" PRIu32 "  %" PRIu32 "..%" PRIu32 "%s  %s\n", p->name, value[i], p->min,
           p->max, p->rule == OCT_POW2 ? " (power of two)" : "", p->text);
  }
  return OCT_EXIT_OK;
}

static json_t *trace_object(const char *path, const oct_source *s, const oct_survey *v) {
  const oct_trace_info *t = oct_reader_info(s->reader);
  json_t *o = json_object();
  set_text(o, "file", path);
  set_text(o, "format", oct_format_name(t->format));
  set_text(o, "isa", t->isa);
  set_text(o, "origin", t->origin);
  set_text(o, "command", t->command);
  set_count(o, "addr_bits", t->addr_bits);
  set_count(o, "insn_align_bytes", t->insn_align_bytes);
  set_count(o, "instructions", v->insns);
  set_count(o, "accesses", v->accesses);
  set_count(o, "loads", v->loads);
  set_count(o, "stores", v->stores);
  set_count(o, "tasks", v->tasks);
  set_count(o, "task_switches", v->task_switches);
  set_count(o, "unique_instructions", v->unique_insns);
  set_count(o, "map_entries", oct_map_count(oct_map_tracker_map(s->tracker)));
  set_count(o, "dynamic_streams", v->streams);
  set_count(o, "unique_streams", v->unique_streams);
  set_count(o, "max_stream_length", v->max_sl);
  json_object_set_new(o, "average_stream_length",
                      json_real(v->streams ? (double)v->insns / (double)v->streams : 0));
  return o;
}

static int info_trace(const char *path, oct_run_args *a) {
  oct_source s;
  oct_survey v;
  oct_diag diag = {0};
  int got, error = oct_source_open(&s, path, a, "info", &diag);
  if (error < 0) return oct_cli_diag(path, &diag);
  if (oct_survey_init(&v, &a->cfg) < 0) {
    oct_source_close(&s);
    return oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  }
  while (!error && (got = oct_source_next(&s, &diag)) != 0)
    error = got < 0 ? got : oct_survey_put(&v, &s.batch);
  if (!error) error = oct_survey_end(&v);
  oct_progress_end(&s.progress);
  if (error && !diag.error) oct_fail(&diag, error, "%s", oct_error_text(error));
  int code = error ? oct_cli_diag(path, &diag) : print_object(trace_object(path, &s, &v), a->json);
  oct_survey_free(&v);
  oct_source_close(&s);
  return code;
}

/* Sizes that only a walk through the whole file tells; its checksums are checked on the way. */
static int container_object(const char *path, oct_container_reader *r, json_t *o, oct_diag *diag) {
  const oct_container_info *info = oct_container_get_info(r);
  uint64_t updates = 0;
  oct_chunk chunk;
  int got;
  set_text(o, "file", path);
  set_text(o, "format", "container");
  set_text(o, "isa", info->isa);
  set_text(o, "origin", info->origin);
  set_text(o, "command", info->command);
  set_count(o, "insn_align_bytes", info->insn_align_bytes);
  while ((got = oct_container_next(r, &chunk, diag)) > 0) {
    if (chunk.kind == OCT_CHUNK_MAP) updates += chunk.n_updates;
    if (chunk.kind != OCT_CHUNK_END) continue;
    set_count(o, "instructions", chunk.totals.insns);
    set_count(o, "accesses", chunk.totals.accesses);
    set_count(o, "lost_instructions", chunk.totals.lost_insns);
    set_count(o, "lost_accesses", chunk.totals.lost_accesses);
    set_count(o, "port_bytes", chunk.totals.port_bytes);
    set_count(o, "map_bytes", chunk.totals.map_bytes);
    set_count(o, "map_updates", updates);
  }
  return got;
}

static int info_container(const char *path, bool json) {
  oct_container_reader *r;
  oct_diag diag = {0};
  if (oct_container_open(path, &r, &diag) < 0) return oct_cli_diag(path, &diag);
  json_t *o = json_object();
  if (container_object(path, r, o, &diag) < 0) {
    json_decref(o);
    oct_container_close(r);
    return oct_cli_diag(path, &diag);
  }
  json_t *params = oct_report_config(oct_container_config(r));
  if (json)
    json_object_set(o, "parameters", params);
  else
    json_object_update(o, params);
  json_decref(params);
  oct_container_close(r);
  return print_object(o, json);
}

/* Whether the file at path is a container. Standard input, which can be read once only, is taken
 * for a trace. */
static bool is_container(const char *path) {
  oct_container_reader *r;
  oct_diag diag;
  if (!strcmp(path, "-") || oct_container_open(path, &r, &diag) < 0) return false;
  oct_container_close(r);
  return true;
}

int oct_cmd_info(int argc, char **argv) {
  static const struct option options[] = {{"geometry", required_argument, NULL, 'g'},
                                          {"format", required_argument, NULL, OCT_OPT_FORMAT},
                                          {"limit", required_argument, NULL, OCT_OPT_LIMIT},
                                          {"skip", required_argument, NULL, OCT_OPT_SKIP},
                                          {"json", no_argument, NULL, OCT_OPT_JSON},
                                          {"geometries", no_argument, NULL, OPT_GEOMETRIES},
                                          {"params", no_argument, NULL, OPT_PARAMS},
                                          {NULL, 0, NULL, 0}};
  oct_run_args a;
  int c, list = 0;
  oct_run_args_init(&a);
  while ((c = getopt_long(argc, argv, "g:", options, NULL)) != -1) {
    int code = 0;
    if (c == OPT_GEOMETRIES || c == OPT_PARAMS)
      list = c;
    else
      code = oct_run_arg(&a, "info", c, optarg);
    if (code) return code;
  }
  if (optind + (list ? 0 : 1) != argc)
    return oct_cli_usage("info", list ? "a list takes no file" : "one file is needed");
  if (list) return list == OPT_PARAMS ? list_params(&a.cfg, a.json) : list_geometries(a.json);
  FILE *file;
  oct_diag diag = {0};
  int is_codec = strcmp(argv[optind], "-") ? oct_codec_open(argv[optind], &file, &diag) : 0;
  if (is_codec < 0) return oct_cli_diag(NULL, &diag);
  int code = is_codec ? oct_codec_info(file, argv[optind], a.json) : OCT_EXIT_OK;
  if (strcmp(argv[optind], "-")) fclose(file);
  if (is_codec) return code;
  if (is_container(argv[optind])) return info_container(argv[optind], a.json);
  return info_trace(argv[optind], &a);
}
