/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_events_convert.c - octrace events: the commands that read one trace and write another. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "oct_events_cli.h"
#include "oct_ev_reader.h"
#include "oct_ev_verify.h"
#include "oct_report.h"

/* Print what failed of the output at path. */
static int output_diag(const char *path, const oct_diag *diag) {
  return oct_cli_diag(strcmp(path, "-") ? path : "standard output", diag);
}

static void print_note(const char *path, const char *note) {
  if (note && note[0]) oct_cli_error(0, "%s: %s", path, note);
}

/* Open the sink of a command: 0, or an exit code after printing why not. */
static int open_sink(const oct_events_args *a, const char *path, oct_ev_format format,
                     const oct_ev_defs *defs, oct_ev_sink **out) {
  oct_diag diag = {0};
  const bool is_binary = format == OCT_EV_FORMAT_COMPRESSED || format == OCT_EV_FORMAT_RECORDS;
  const int code = is_binary ? oct_cli_binary(a->cmd, path) : 0;
  if (code) return code;
  return oct_ev_sink_open(path, format, defs, &a->params, out, &diag) ? output_diag(path, &diag)
                                                                      : 0;
}

/* All of a source to a sink at path. Prints what fails, and what is left out. */
static int copy(const oct_events_args *a, oct_ev_source *s, const char *in, const char *path,
                oct_ev_format format, oct_ev_counts *counts) {
  oct_ev_sink *out;
  oct_diag diag = {0};
  const oct_ev_record *records;
  size_t n;
  char note[200] = "";
  int got, put = 0;
  const int code = open_sink(a, path, format, oct_ev_source_defs(s), &out);
  if (code) return code;
  while ((got = oct_ev_source_next(s, &records, &n, &diag)) > 0)
    if ((put = oct_ev_sink_put(out, records, n, &diag)) < 0) break;
  if (got < 0 || put < 0) {
    oct_ev_sink_abort(out);
    /* What the writer says names its file, but it may be the trace that it refuses. */
    return oct_cli_diag(put == OCT_ERR_IO ? NULL : in, &diag);
  }
  if (oct_ev_sink_commit(out, counts, note, &diag)) return output_diag(path, &diag);
  print_note(in, oct_ev_source_note(s));
  print_note(path, note);
  return OCT_EXIT_OK;
}

static int open_source(const char *path, oct_ev_format format, oct_ev_source **s) {
  oct_diag diag = {0};
  return oct_ev_source_open(path, format, s, &diag) ? oct_cli_diag(path, &diag) : 0;
}

/* Times of the command line, now that the clock is known. */
static void set_times(oct_events_args *a, uint64_t clock) {
  oct_ev_params with_clock;
  bool unit;
  oct_ev_params_init(&with_clock, clock);
  a->params.t_abs_ticks = with_clock.t_abs_ticks;
  a->params.drift_ticks = with_clock.drift_ticks;
  if (a->t_abs) oct_events_ticks(a->t_abs, clock, &a->params.t_abs_ticks, &unit);
  if (a->drift) oct_events_ticks(a->drift, clock, &a->params.drift_ticks, &unit);
}

static void print_compressed(const oct_ev_counts *c, uint64_t ticks_per_second, const char *path,
                             int64_t bytes) {
  double before = (double)oct_ev_size_before(c), after = (double)oct_ev_size_after(c);
  printf("%" PRIu64 " event%s and %" PRIu64 " other record%s: %" PRIu64 " pattern%s of %" PRIu64
         " meta-event%s, %" PRIu64 " occurrence%s (%" PRIu64 " disturbed), %" PRIu64
         " plain event%s\n",
         c->events, OCT_S(c->events), c->others, OCT_S(c->others), c->patterns, OCT_S(c->patterns),
         c->metas, OCT_S(c->metas), c->occurrences, OCT_S(c->occurrences), c->disturbed,
         c->plain_events, OCT_S(c->plain_events));
  printf("records: %.0f of %.0f bytes, K = %.3f\n", after, before, after > 0 ? before / after : 1);
  if (bytes >= 0)
    printf("file %s: %" PRId64 " byte%s, %.3f bytes per event\n", oct_cli_shown(path).text, bytes,
           OCT_S(bytes), c->events ? (double)bytes / (double)c->events : 0);
  if (c->stray_leaves)
    printf("leaves without an enter, which are kept: %" PRIu64 "\n", c->stray_leaves);
  if (c->lost_leaves)
    printf("enters without a leave, as an outer function was left; they are kept: %" PRIu64 "\n",
           c->lost_leaves);
  if (c->open_enters)
    printf("enters open at the end, which are kept: %" PRIu64 "\n", c->open_enters);
  if (c->max_drift_ticks)
    printf("time stamps are off by %s at most\n",
           oct_events_show_time((double)c->max_drift_ticks, ticks_per_second).text);
}

static json_t *counts_json(const oct_ev_counts *c) {
  json_t *o = json_object();
#define OCT_X(name, text) json_object_set_new(o, #name, json_integer((json_int_t)c->name));
  OCT_EV_COUNTS(OCT_X)
#undef OCT_X
  uint64_t before = oct_ev_size_before(c), after = oct_ev_size_after(c);
  json_object_set_new(o, "record_bytes_before", json_integer((json_int_t)before));
  json_object_set_new(o, "record_bytes_after", json_integer((json_int_t)after));
  json_object_set_new(o, "k", after ? json_real((double)before / (double)after) : json_null());
  return o;
}

/* Bytes of the file; -1 of what is none, such as a pipe, which is not to be opened again. */
static int64_t file_bytes(const char *path) {
  struct stat file;
  return stat(path, &file) || !S_ISREG(file.st_mode) ? -1 : (int64_t)file.st_size;
}

/* The name of what TRACE becomes: beside it, with .octev. */
static char *default_output(const char *in) {
  size_t n = strlen(in);
  char *path = malloc(n + 7);
  if (!path) return NULL;
  memcpy(path, in, n + 1);
  while (n > 1 && path[n - 1] == '/') path[--n] = 0;
  strcat(path, ".octev");
  return path;
}

int oct_events_compress(oct_events_args *a, int argc, char **argv) {
  oct_ev_source *s;
  oct_ev_counts counts = {0};
  (void)argc;
  char *path = a->output               ? strdup(a->output)
               : !strcmp(argv[0], "-") ? strdup("-")
                                       : default_output(argv[0]);
  if (!path) return oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  int code = open_source(argv[0], a->from_format, &s);
  if (code) {
    free(path);
    return code;
  }
  const uint64_t clock = oct_ev_source_defs(s)->ticks_per_second;
  set_times(a, clock);
  code = copy(a, s, argv[0], path, OCT_EV_FORMAT_COMPRESSED, &counts);
  oct_ev_source_close(s);
  if (!code && strcmp(path, "-")) {
    int64_t bytes = file_bytes(path);
    if (a->json) {
      json_t *o = counts_json(&counts);
      json_object_set_new(o, "file_bytes", bytes < 0 ? json_null() : json_integer(bytes));
      code = oct_report_print(o);
    } else {
      print_compressed(&counts, clock, path, bytes);
    }
  }
  free(path);
  return code;
}

static int to_format(const oct_events_args *a, const char *in, oct_ev_format from) {
  oct_ev_source *s;
  int code = open_source(in, from, &s);
  if (code) return code;
  code = copy(a, s, in, a->output ? a->output : "-", a->to_format, NULL);
  oct_ev_source_close(s);
  return code;
}

int oct_events_convert(oct_events_args *a, int argc, char **argv) {
  (void)argc;
  return to_format(a, argv[0], a->from_format);
}

/* Mark the threads asked for; 0, or an exit code after printing which is not there. */
static int choose_threads(const oct_events_args *a, const oct_ev_defs *defs, uint8_t *chosen) {
  for (size_t i = 0; i < a->n_threads; i++) {
    const char *name = a->threads[i];
    int64_t at = oct_ev_names_find(&defs->locations, name, strlen(name));
    uint64_t id;
    bool is_number = oct_cli_number(name, UINT64_MAX, &id);
    for (uint32_t l = 0; l < defs->locations.n && at < 0 && is_number; l++)
      if (defs->location[l].id == id) at = l;
    if (at < 0)
      return oct_cli_error(OCT_EXIT_USAGE, "%s: no thread '%s' in the file", a->cmd, name);
    chosen[at] = 1;
  }
  return 0;
}

/* A bound of time as ticks of the file. */
static uint64_t bound(const char *text, uint64_t start, uint64_t clock, uint64_t otherwise) {
  uint64_t ticks;
  bool unit;
  if (!text || !oct_events_ticks(text, clock, &ticks, &unit)) return otherwise;
  return unit ? start + ticks : ticks;
}

/* What is to be said of names that the file has lost. */
static const char *names_text(const oct_ev_reader *r) {
  return oct_ev_reader_lacks_names(r)
             ? "; the names of functions and threads are lost, numbers replace them"
             : "";
}

/* Damage ended the input behind n records, which are kept. */
static int report_cut(const char *in, uint64_t n, const oct_ev_reader *r, const oct_diag *why) {
  const bool is_all = oct_ev_reader_gave_all(r);
  return oct_cli_error(
      OCT_EXIT_INPUT,
      is_all ? "%s: %s: wrote all %" PRIu64 " record%s of the file; some may be wrong%s"
             : "%s: %s: wrote the %" PRIu64
               " record%s before it; the rest is missing (--salvage continues after it)%s",
      in, oct_diag_reason(why).text, n, OCT_S(n), names_text(r));
}

/* What is asked for of r, to the output. */
static int extract(oct_events_args *a, oct_ev_reader *r, const char *in, bool is_part,
                   uint8_t *chosen) {
  const oct_ev_defs *defs = oct_ev_reader_defs(r);
  const char *path = a->output ? a->output : "-";
  oct_ev_record record;
  oct_ev_sink *out;
  oct_diag diag = {0};
  uint64_t start, end, n = 0;
  char note[200] = "";
  int got, put = 0, code = choose_threads(a, defs, chosen);
  if (code) return code;
  oct_ev_reader_span(r, &start, &end);
  uint64_t from = bound(a->from, start, defs->ticks_per_second, 0);
  uint64_t to = bound(a->to, start, defs->ticks_per_second, UINT64_MAX);
  if (from > to) return oct_cli_error(OCT_EXIT_USAGE, "%s: --from is after --to", a->cmd);
  if (oct_ev_reader_select(r, from, to, a->n_threads ? chosen : NULL, &diag))
    return oct_cli_diag(in, &diag);
  if ((code = open_sink(a, path, a->to_format, defs, &out))) return code;
  while ((got = oct_ev_reader_next(r, &record, &diag)) > 0 &&
         (put = oct_ev_sink_put(out, &record, 1, &diag)) >= 0)
    n++;
  const oct_diag why = diag;
  bool is_cut = got < 0 && got != OCT_ERR_NOMEM && got != OCT_ERR_LIMIT && n;
  if ((got < 0 && !is_cut) || put < 0) {
    oct_ev_sink_abort(out);
    return oct_cli_diag(put == OCT_ERR_IO ? NULL : in, &diag);
  }
  if (oct_ev_sink_commit(out, NULL, note, &diag)) return output_diag(path, &diag);
  if (is_cut) return report_cut(in, n, r, &why);
  print_note(path, note);
  uint64_t read = oct_ev_reader_bytes_read(r), all = oct_ev_reader_bytes_total(r);
  if (is_part)
    fprintf(stderr,
            "octrace: %s: %" PRIu64 " record%s; read %" PRIu64 " of %" PRIu64 " bytes (%.1f %%)\n",
            in, n, OCT_S(n), read, all, all ? 100.0 * (double)read / (double)all : 0);
  const oct_ev_damage *d = oct_ev_reader_damage(r);
  if (d->n_places) {
    char lost[64] = "the events of damaged blocks, whose number is gone";
    if (d->lost_events || !d->is_unknown)
      snprintf(lost, sizeof lost, "%" PRIu64 " event%s", d->lost_events, OCT_S(d->lost_events));
    return oct_cli_error(
        OCT_EXIT_LOSS, "%s: damaged in %" PRIu64 " place%s, first: %s: lost %s%s%s", in,
        d->n_places, OCT_S(d->n_places), oct_diag_reason(&d->first).text, lost,
        d->is_unknown && d->lost_events ? ", and those of damaged blocks, whose number is gone"
                                        : "",
        names_text(r));
  }
  return OCT_EXIT_OK;
}

static int from_compressed(oct_events_args *a, const char *in, bool is_part) {
  oct_ev_reader *r;
  oct_diag diag = {0};
  int error = a->salvage ? oct_ev_reader_open_salvage(in, &r, &diag)
                         : oct_ev_reader_open_part(in, &r, &diag);
  if (error) return oct_cli_diag(in, &diag);
  oct_ev_reader_max_memory(r, a->max_memory_bytes);
  uint8_t *chosen = calloc((size_t)oct_ev_reader_defs(r)->locations.n + 1, 1);
  int code =
      chosen ? extract(a, r, in, is_part, chosen) : oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  free(chosen);
  oct_ev_reader_close(r);
  return code;
}

int oct_events_extract(oct_events_args *a, int argc, char **argv) {
  (void)argc;
  return from_compressed(a, argv[0], true);
}

int oct_events_decompress(oct_events_args *a, int argc, char **argv) {
  (void)argc;
  return from_compressed(a, argv[0], false);
}

int oct_events_verify(oct_events_args *a, int argc, char **argv) {
  oct_ev_reader *r;
  oct_ev_source *original;
  oct_ev_verdict v;
  oct_diag diag = {0};
  (void)argc;
  if (oct_ev_reader_open(argv[0], &r, &diag)) return oct_cli_diag(argv[0], &diag);
  oct_ev_reader_max_memory(r, a->max_memory_bytes);
  int code = open_source(argv[1], a->from_format, &original);
  if (code) {
    oct_ev_reader_close(r);
    return code;
  }
  const uint64_t clock = oct_ev_reader_defs(r)->ticks_per_second;
  const oct_shown_text shown = oct_cli_shown(oct_cli_input_name(argv[0]));
  const char *name = shown.text;
  if (oct_ev_verify(r, original, &v, &diag)) {
    code = oct_cli_diag(NULL, &diag);
  } else if (!v.equal) {
    printf("%s: differs: %s\n", name, oct_cli_shown(v.difference).text);
    code = OCT_EXIT_DIFFER;
  } else if (oct_ev_reader_params(r)->lossy) {
    printf("%s: within the thresholds: %" PRIu64 " event%s, %" PRIu64
           " other record%s; time differences off by %s at most, time stamps by %s\n",
           name, v.events, OCT_S(v.events), v.others, OCT_S(v.others),
           oct_events_show_time((double)v.max_diff_ticks, clock).text,
           oct_events_show_time((double)v.max_off_ticks, clock).text);
  } else {
    printf("%s: equal: %" PRIu64 " event%s, %" PRIu64 " other record%s\n", name, v.events,
           OCT_S(v.events), v.others, OCT_S(v.others));
  }
  oct_ev_source_close(original);
  oct_ev_reader_close(r);
  return code;
}
