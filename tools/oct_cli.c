/* SPDX-License-Identifier: Apache-2.0 */
/* oct_cli.c - what all subcommands share: exit codes, errors, options, progress, trace source. */
#include "oct_cli.h"

#include "oct_infile.h"
#include "oct_near.h"
#include "octrace/trace.h"
#include "octrace/error.h"
#include "oct_peek.h"
#include "oct_radix.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

const char *oct_cli_input_name(const char *path) {
  /* The library does not know that a named pipe has become standard input. */
  return strcmp(path, "-") && strcmp(path, "standard input") ? path : oct_peek_stdin_name();
}

static bool has_told_memory;

bool oct_cli_has_told_memory(void) {
  return has_told_memory;
}

int oct_cli_diag(const char *what, const oct_diag *diag) {
  has_told_memory |= diag->error == OCT_ERR_NOMEM;
  oct_diag named = *diag;
  if (!named.path && what && *what) named.path = what;
  if (named.path) named.path = oct_cli_input_name(named.path);
  return oct_cli_error(named.origin == OCT_ORIGIN_OUTPUT ? OCT_EXIT_USAGE : OCT_EXIT_INPUT, "%s",
                       oct_diag_line(&named).text);
}

int oct_cli_refuse(const char *cmd, const oct_diag *diag) {
  if (diag->error == OCT_ERR_NOMEM) return oct_cli_diag(NULL, diag);
  return oct_cli_usage(cmd, "%s", oct_diag_reason(diag).text);
}

int oct_cli_inputs(char *const *paths, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (oct_infile_note_path(paths[i])) return oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  return 0;
}

int oct_cli_output(const char *cmd, const char *out) {
  oct_diag diag;
  int error = out ? oct_outfile_check(out, &diag) : 0;
  if (error == OCT_ERR_ARG)
    return oct_cli_error(OCT_EXIT_USAGE, "%s: %s", cmd, oct_diag_line(&diag).text);
  return error ? oct_cli_diag(out, &diag) : 0;
}

int oct_cli_write(const char *path, const void *bytes, size_t n, oct_diag *diag) {
  oct_outfile *f;
  int error = oct_outfile_open(path, &f, diag);
  if (error < 0) return error;
  error = oct_outfile_write(f, bytes, n, diag);
  if (!error) return oct_outfile_commit(f, diag);
  oct_outfile_abort(f);
  return error;
}

/* The folder of path, and its last name. NULL: there is none, or no memory. */
static char *place_of(const char *path) {
  const char *slash = strrchr(path, '/');
  char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
  char *resolved = folder ? realpath(folder, NULL) : NULL, *place = NULL;
  if (resolved && asprintf(&place, "%s/%s", resolved, slash ? slash + 1 : path) < 0) place = NULL;
  free(folder);
  free(resolved);
  return place;
}

/* Whether path leads into a folder. */
static bool is_within(const char *folder, const char *path) {
  char *whole = realpath(folder, NULL), *place = realpath(path, NULL);
  if (!place) place = place_of(path);
  const size_t n = whole ? strlen(whole) : 0;
  const bool is = n && place && !strncmp(place, whole, n) && place[n] == '/';
  free(whole);
  free(place);
  return is;
}

int oct_cli_distinct_outputs(const char *cmd, const char *what, const char *a, const char *b) {
  struct stat at_a, at_b;
  bool same = false;
  if (!a || !b) return 0;
  bool is_a = !(strcmp(a, "-") ? stat(a, &at_a) : fstat(STDOUT_FILENO, &at_a));
  bool is_b = !(strcmp(b, "-") ? stat(b, &at_b) : fstat(STDOUT_FILENO, &at_b));
  if (!strcmp(a, b)) {
    same = !is_a || !S_ISCHR(at_a.st_mode) || !strcmp(a, "-");
  } else if (is_a && is_b) {
    same = at_a.st_dev == at_b.st_dev && at_a.st_ino == at_b.st_ino && !S_ISCHR(at_a.st_mode);
  } else if (!is_a && !is_b) {
    char *place_a = place_of(a), *place_b = place_of(b);
    same = place_a && place_b && !strcmp(place_a, place_b);
    free(place_a);
    free(place_b);
  }
  if (!same && is_a && S_ISDIR(at_a.st_mode) && strcmp(b, "-") && is_within(a, b))
    return oct_cli_error(OCT_EXIT_USAGE, "%s: %s: %s: one is inside of the other", cmd, b, what);
  if (!same) return 0;
  return oct_cli_error(OCT_EXIT_USAGE, "%s: %s: %s are the same file", cmd,
                       strcmp(b, "-") ? b : "standard output", what);
}

int oct_cli_check_plot(const char *cmd, const char *path) {
  const char *dot = strrchr(path, '.');
  if (dot && (!strcmp(dot, ".svg") || !strcmp(dot, ".png") || !strcmp(dot, ".pdf"))) return 0;
  return oct_cli_usage(cmd, "--plot '%s': expected a name in .svg, .png or .pdf", path);
}

bool oct_cli_number(const char *text, uint64_t max, uint64_t *value) {
  char *end;
  if (text[0] < '0' || text[0] > '9') return false;
  errno = 0;
  unsigned long long v = strtoull(text, &end, oct_radix(text));
  if (errno || *end || v > max) return false;
  *value = v;
  return true;
}

bool oct_cli_count(const char *text, uint64_t *value) {
  char digits[24];
  const size_t n = strlen(text);
  const char unit = n ? (char)(text[n - 1] & ~32) : 0;
  const uint64_t factor = unit == 'K' ? 1000 : unit == 'M' ? 1000000 : 1;
  if (factor == 1) return oct_cli_number(text, UINT64_MAX, value);
  if (n > sizeof digits) return false;
  memcpy(digits, text, n - 1);
  digits[n - 1] = 0;
  if (!oct_cli_number(digits, UINT64_MAX / factor, value)) return false;
  *value *= factor;
  return true;
}

int oct_cli_range(const char *cmd, const char *option, const char *value, uint64_t min,
                  uint64_t max, uint64_t *number) {
  if (oct_cli_count(value, number) && *number >= min && *number <= max) return 0;
  if (max > UINT32_MAX)
    return oct_cli_usage(cmd, "%s '%s': expected a number from %" PRIu64 " (1000, 10K, 2M)", option,
                         value, min);
  return oct_cli_usage(cmd, "%s '%s': expected a number from %" PRIu64 " to %" PRIu64, option,
                       value, min, max);
}

int oct_cli_limit(const char *cmd, const char *value, uint64_t *limit) {
  return oct_cli_range(cmd, "--limit", value, 1, UINT64_MAX, limit);
}

int oct_cli_skip(const char *cmd, const char *value, uint64_t *skip) {
  return oct_cli_range(cmd, "--skip", value, 0, UINT64_MAX, skip);
}

oct_counts_text oct_cli_lost(uint64_t insns, uint64_t accesses, uint64_t traps) {
  oct_counts_text t;
  int n = snprintf(t.text, sizeof t.text, "%" PRIu64 " instruction%s%s %" PRIu64 " access%s", insns,
                   OCT_S(insns), traps ? "," : " and", accesses, OCT_ES(accesses));
  if (traps)
    snprintf(t.text + n, sizeof t.text - (size_t)n, " and %" PRIu64 " trap%s", traps, OCT_S(traps));
  return t;
}

oct_counts_text oct_cli_counts(uint64_t insns, uint64_t accesses) {
  return oct_cli_lost(insns, accesses, 0);
}

static const char *near_formats(const void *context, unsigned i) {
  (void)context;
  return i < (unsigned)oct_format_count() ? oct_format_name((oct_format)(i + 1)) : NULL;
}

int oct_cli_format(const char *cmd, const char *name, oct_format *format) {
  if (!strcmp(name, "auto")) {
    *format = OCT_FORMAT_AUTO;
    return 0;
  }
  int f = oct_format_by_name(name);
  if (f < 0)
    return oct_cli_usage(cmd, "unknown format '%s': expected one that octrace list formats lists%s",
                         name, oct_near(name, "", near_formats, NULL).text);
  *format = (oct_format)f;
  return 0;
}

/* A copy of an argument, to be cut while commands are shown as they were typed. It stays until the
 * program ends. NULL when out of memory. */
static char *copy_of(const char *text) {
  static struct kept {
    struct kept *before;
    char text[];
  } * last;
  const size_t room = strlen(text) + 1;
  struct kept *k = malloc(sizeof *k + room);
  if (!k) return NULL;
  memcpy(k->text, text, room);
  k->before = last;
  last = k;
  return k->text;
}

/* "FORMAT:PARAMETERS": both apart, parameters NULL without any. */
static int cut_params(char **text, const char **params) {
  if (!(*text = copy_of(*text))) return oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  char *colon = strchr(*text, ':');
  if (colon) *colon++ = 0;
  *params = colon;
  return 0;
}

int oct_cli_write_format(oct_write_options *write, const char *cmd, char *text) {
  int code = cut_params(&text, &write->params);
  if (!code) code = oct_cli_format(cmd, text, &write->format);
  if (code || write->format == OCT_FORMAT_AUTO || oct_format_can_write(write->format)) return code;
  return oct_cli_usage(cmd,
                       "format '%s' can only be read: expected one that octrace list formats "
                       "lists as written",
                       text);
}

/* FILE[@BIAS]: the file is told apart from the number behind its last @. */
static int parse_elf(oct_read_options *read, const char *cmd, char *value) {
  if (!(value = copy_of(value))) return oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  char *at = strrchr(value, '@');
  uint64_t bias = 0;
  if (at && !oct_cli_number(at + 1, UINT64_MAX, &bias))
    return oct_cli_usage(cmd, "bias '%s' is not a number", at + 1);
  if (at) *at = 0;
  int code = oct_cli_inputs(&value, 1);
  if (code) return code;
  if (!read->elf) {
    read->elf = value;
    read->elf_bias = bias;
    return 0;
  }
  if (read->n_more == OCT_MORE_FILES_MAX)
    return oct_cli_usage(cmd, "more than %d files of the program", OCT_MORE_FILES_MAX + 1);
  read->more[read->n_more++] = (oct_program_file){value, bias};
  return 0;
}

int oct_cli_program(const oct_read_options *read, oct_program **program, oct_diag *diag) {
  *program = NULL;
  int error = read->elf ? oct_program_open(read->elf, read->elf_bias, program, diag) : 0;
  for (size_t i = 0; i < read->n_more && !error; i++)
    error = oct_program_add(*program, read->more[i].path, read->more[i].bias, diag);
  if (!error) return 0;
  oct_program_close(*program);
  *program = NULL;
  return error;
}

int oct_cli_read_format(oct_read_options *read, const char *cmd, char *text) {
  int code = cut_params(&text, &read->params);
  return code ? code : oct_cli_format(cmd, text, &read->format);
}

static int refuse_isa(const char *cmd, const char *name) {
  char list[OCT_ISA_COUNT * 16] = "";
  for (int i = 0; i < OCT_ISA_COUNT; i++) {
    strcat(list, i ? i + 1 < OCT_ISA_COUNT ? ", " : " or " : "");
    strcat(list, oct_isa_get((oct_isa)i)->name);
  }
  return oct_cli_usage(cmd, "unknown instruction set '%s': expected %s", name, list);
}

int oct_cli_read_arg(oct_read_options *read, const char *cmd, int code, char *value) {
  uint64_t number = 0;
  int error;
  switch (code) {
    case OCT_OPT_ISA:
      read->isa = value;
      return oct_isa_by_name(value) >= 0 ? 0 : refuse_isa(cmd, value);
    case OCT_OPT_INSN_BYTES:
      error = oct_cli_range(cmd, "--insn-bytes", value, 1, 15, &number);
      read->insn_bytes = (uint32_t)number;
      return error;
    case OCT_OPT_MAX_MAP:
      return oct_cli_range(cmd, "--max-map", value, 1, UINT64_MAX, &read->map_max);
    case OCT_OPT_ELF:
      return parse_elf(read, cmd, value);
    case OCT_OPT_FROM_SYNC:
      return oct_cli_range(cmd, "--from-sync", value, 0, UINT64_MAX, &read->from_sync);
    default: /* oct_cli_getopt has printed why */
      return OCT_EXIT_USAGE;
  }
}

void oct_run_args_init(oct_run_args *a) {
  memset(a, 0, sizeof *a);
  a->tracer = oct_tracer_at(0);
  oct_tracer_defaults(a->tracer, a->params);
  a->run.cpi_milli = 1000;
  a->run.seed = 1;
}

static int parse_engine(oct_run_args *a, const char *cmd, const char *value) {
  if (!strcmp(value, "untimed")) {
    a->run.engine = OCT_ENGINE_UNTIMED;
    a->both_engines = false;
  } else if (!strcmp(value, "cycle")) {
    a->run.engine = OCT_ENGINE_CYCLE;
    a->both_engines = false;
  } else if (!strcmp(value, "both") && !strcmp(cmd, "verify")) {
    a->both_engines = true;
  } else {
    return oct_cli_usage(cmd, "unknown engine '%s': expected untimed%s", value,
                         strcmp(cmd, "verify") ? " or cycle" : ", cycle or both");
  }
  return 0;
}

static const char *near_geometries(const void *context, unsigned i) {
  const oct_tracer *t = context;
  return i < t->n_geometries ? t->geometries[i].name : NULL;
}

/* What the geometry at the start of text was meant to be, if it is none. */
static oct_near_text near_geometry(const oct_tracer *t, const char *text) {
  char name[40];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ","), text);
  for (unsigned i = 0; i < t->n_geometries; i++)
    if (!strcmp(t->geometries[i].name, name)) return (oct_near_text){""};
  if (strchr(name, '=')) return (oct_near_text){""};
  return oct_near(name, "", near_geometries, t);
}

int oct_run_args_check(oct_run_args *a, const char *cmd) {
  oct_diag diag = {0};
  if ((a->run.engine == OCT_ENGINE_CYCLE || a->cycle_option) && !a->tracer->has_cycle_engine)
    return oct_cli_usage(cmd, "the tracer %s has no cycle engine", a->tracer->name);
  oct_tracer_defaults(a->tracer, a->params);
  memset(a->given, 0, sizeof a->given);
  for (size_t i = 0; i < a->n_geometries; i++)
    if (oct_tracer_parse(a->tracer, a->geometries[i], a->params, a->given, &diag) < 0)
      return diag.error == OCT_ERR_NOMEM
                 ? oct_cli_diag(NULL, &diag)
                 : oct_cli_error(OCT_EXIT_USAGE,
                                 "%s: %s%s (see octrace list geometries and params)", cmd,
                                 oct_diag_reason(&diag).text,
                                 near_geometry(a->tracer, a->geometries[i]).text);
  if (!a->cycle_option || a->both_engines || a->run.engine == OCT_ENGINE_CYCLE) return 0;
  return oct_cli_usage(cmd, "%s is for --engine cycle", a->cycle_option);
}

static const char *near_tracers(const void *context, unsigned i) {
  (void)context;
  return oct_tracer_at(i) ? oct_tracer_at(i)->name : NULL;
}

int oct_run_arg(oct_run_args *a, const char *cmd, int code, char *value) {
  oct_diag diag = {0};
  uint64_t number = 0;
  switch (code) {
    case 'g':
      if (a->n_geometries == OCT_GEOMETRY_OPTIONS_MAX)
        return oct_cli_usage(cmd, "too many geometries");
      a->geometries[a->n_geometries++] = value;
      return 0;
    case OCT_OPT_TRACER:
      a->tracer = oct_tracer_find(value);
      return a->tracer ? 0
                       : oct_cli_usage(cmd,
                                       "unknown tracer '%s': expected one that octrace list "
                                       "tracers lists%s",
                                       value, oct_near(value, "", near_tracers, NULL).text);
    case OCT_OPT_ENGINE:
      return parse_engine(a, cmd, value);
    case OCT_OPT_ARRIVAL:
      a->cycle_option = "--arrival";
      return oct_arrival_parse(value, &a->run, &diag)
                 ? oct_cli_usage(cmd, "%s", oct_diag_reason(&diag).text)
                 : 0;
    case OCT_OPT_STALL:
      if (oct_cli_range(cmd, "--stall", value, 0, 999, &number)) return OCT_EXIT_USAGE;
      a->run.stall_milli = (uint32_t)number;
      a->cycle_option = "--stall";
      return 0;
    case OCT_OPT_DEPTHS:
      a->run.find_depths = 1;
      a->cycle_option = "--depths";
      return 0;
    case OCT_OPT_SEED:
      return oct_cli_range(cmd, "--seed", value, 0, UINT64_MAX, &a->run.seed);
    case OCT_OPT_FORMAT:
      return oct_cli_read_format(&a->read, cmd, value);
    case OCT_OPT_LIMIT:
      return oct_cli_limit(cmd, value, &a->limit);
    case OCT_OPT_SKIP:
      return oct_cli_skip(cmd, value, &a->skip);
    case OCT_OPT_JSON:
      a->json = true;
      return 0;
    default:
      return oct_cli_read_arg(&a->read, cmd, code, value);
  }
}

/* A tracer that executes programs says so where it cannot. */
static void note_not_executed(const oct_tracer *t, const uint32_t *params, const bool *given,
                              const char *isa) {
  static bool is_noted;
  const int i = oct_tracer_role(t, OCT_ROLE_EXECUTED_ISA);
  if (is_noted || i < 0 || params[i] || given[i] || oct_isa_by_name(isa) < 0) return;
  is_noted = true;
  oct_cli_error(0,
                "note: %s executes nothing: this build has no emulator for %s: every access is "
                "reported, at many bits",
                t->name, isa);
}

int oct_cli_fit(const oct_tracer *t, uint32_t *params, const bool *given,
                const oct_trace_info *info, oct_diag *diag) {
  int error =
      oct_tracer_fit(t, params, given, info->isa, info->addr_bits, info->insn_align_bytes, diag);
  oct_tracer_fit_events(t, params, given, info);
  if (!error) note_not_executed(t, params, given, info->isa);
  return error ? error : oct_tracer_check(t, params, diag);
}

oct_shown_text oct_cli_alignment(uint64_t found_align_bytes) {
  oct_shown_text t;
  snprintf(t.text, sizeof t.text,
           "no known instruction set is named: pc_align_bits=%d was found in the trace",
           ffs((int)found_align_bytes) - 1);
  return t;
}

void oct_cli_tell_traps(const char *name, uint64_t n_traps, const oct_run_args *a) {
  uint32_t parts = oct_tracer_trap_parts(a->tracer, a->params);
  if (!n_traps || parts == OCT_TRAPS_ALL) return;
  const char *more = !parts && oct_tracer_role(a->tracer, OCT_ROLE_TRAPS) >= 0
                         ? ": -g traps=1 sends them"
                     : !parts                  ? ""
                     : parts & OCT_TRAPS_CAUSE ? ", except cause, address and privilege of traps"
                                               : ", except addresses of traps";
  oct_cli_tell_left_out(name, n_traps, more);
}

void oct_cli_tell_alignment(const char *path, uint64_t found_align_bytes, const oct_run_args *a) {
  if (found_align_bytes && !a->json)
    oct_cli_error(0, "note: %s: %s", oct_cli_input_name(path),
                  oct_cli_alignment(found_align_bytes).text);
}

static void show_progress(void *context, uint64_t n_insns, uint64_t done, uint64_t total) {
  oct_progress_update(context, n_insns, done, total);
}

static bool is_given(const oct_run_args *a, oct_param_role role) {
  int i = oct_tracer_role(a->tracer, role);
  return i >= 0 && a->given[i];
}

uint32_t oct_cli_param(const oct_run_args *a, oct_param_role role) {
  return oct_tracer_value(a->tracer, a->params, role);
}

oct_source_options oct_cli_source_options(const oct_run_args *a) {
  const oct_source_options options = {.read = a->read,
                                      .skip = a->skip,
                                      .limit = a->limit,
                                      .by_stamps = a->run.arrival == OCT_ARRIVAL_STAMPS,
                                      .find_alignment = !is_given(a, OCT_ROLE_PC_ALIGN_BITS)};
  return options;
}

int oct_cli_open(oct_source *s, const char *path, oct_run_args *a, const char *verb,
                 oct_diag *diag) {
  oct_source_options options = oct_cli_source_options(a);
  options.progress = show_progress;
  options.progress_context = &a->progress;
  int error = oct_source_open(s, path, &options, diag);
  if (error) return error;
  error = oct_cli_fit(a->tracer, a->params, a->given, &s->info, diag);
  if (!oct_cli_param(a, OCT_ROLE_PC_ALIGN_BITS)) s->found_align_bytes = 0;
  if (error) {
    oct_source_close(s);
    return error;
  }
  oct_progress_start(&a->progress, verb);
  a->progress.limit = a->limit;
  if (a->skip) a->progress.begin = oct_reader_bytes_done(s->reader);
  return 0;
}

void oct_cli_close(oct_source *s, oct_run_args *a, int error) {
  oct_progress_end(&a->progress);
  if (s->reader) oct_cli_tell_gaps(s->name, s->reader);
  if (s->reader && !error && !oct_cli_has_failed()) {
    oct_cli_tell_input(s->name, s->reader);
    oct_cli_tell_program(s->reader, s->n_insns);
  }
  oct_source_close(s);
}
