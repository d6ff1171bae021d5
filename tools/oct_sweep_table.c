/* SPDX-License-Identifier: Apache-2.0 */
/* oct_sweep_table.c - the rows of a sweep as CSV and JSON: each row is a flat object, whose names
 * are the columns. */
#include "oct_sweep_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "oct_cli.h"
#include "oct_csv.h"
#include "oct_report.h"

typedef struct table {
  oct_outfile *out;
  oct_diag *diag;
  bool json;
  json_t *rows;   /* to be drawn; or NULL */
  int line_param; /* of which they have a line for each value, or -1 */
  size_t n_rows;
} table;

static int put_text(table *t, const char *text) {
  return oct_outfile_write(t->out, text, strlen(text), t->diag);
}

static int put_csv_string(table *t, const char *text) {
  if (!oct_csv_needs_quotes(text)) return put_text(t, text);
  return oct_csv_write_quoted(t->out, text, t->diag);
}

static int put_csv_row(table *t, json_t *row) {
  const char *name, *before = "";
  json_t *value;
  int error = 0;
  json_object_foreach(row, name, value) {
    char number[40] = "";
    if (error) return error;
    error = put_text(t, before);
    before = ",";
    if (json_is_integer(value))
      snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    if (json_is_real(value)) snprintf(number, sizeof number, "%.9g", json_real_value(value));
    if (!error)
      error =
          json_is_string(value) ? put_csv_string(t, json_string_value(value)) : put_text(t, number);
  }
  return error ? error : put_text(t, "\n");
}

static int put_csv_head(table *t, json_t *row) {
  const char *name, *before = "";
  json_t *value;
  int error = 0;
  json_object_foreach(row, name, value) {
    if (!error) error = put_text(t, before);
    if (!error) error = put_text(t, name);
    before = ",";
  }
  return error ? error : put_text(t, "\n");
}

static int put_row(table *t, json_t *row) {
  char *text = t->json ? json_dumps(row, JSON_COMPACT) : NULL;
  int error = oct_report_lacks_memory() ? oct_fail(t->diag, OCT_ERR_NOMEM, "out of memory") : 0;
  if (error) {
  } else if (t->json) {
    error = put_text(t, t->n_rows ? ",\n" : "[\n");
    if (!error) error = put_text(t, text);
  } else {
    if (!t->n_rows) error = put_csv_head(t, row);
    if (!error) error = put_csv_row(t, row);
  }
  free(text);
  t->n_rows++;
  json_decref(row);
  return error;
}

/* A row for the plot: has it a place on the front of all, and of its line? */
static void keep_row(table *t, json_t *row, bool on_front, bool on_line) {
  json_t *copy = json_copy(row);
  json_object_set_new(copy, "pareto", json_integer(on_front));
  json_object_set_new(copy, "on_line", json_integer(on_line));
  json_array_append_new(t->rows, copy);
}

/* The rows of one trace. */
static int put_rows(table *t, const oct_tracer *tracer, const char *path,
                    const oct_plan_geometry *geometries, const uint64_t *counters, size_t n,
                    bool pareto) {
  double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
  bool *front = malloc(n * sizeof *front), *lossy = malloc(n * sizeof *lossy);
  bool *on_line = malloc(n * sizeof *on_line);
  uint32_t *line = malloc(n * sizeof *line);
  bool has_room = x && y && front && lossy && on_line && line;
  for (size_t i = 0; i < n && has_room; i++) {
    const uint64_t *values = counters + i * tracer->n_counters;
    uint64_t insns = oct_tracer_count(tracer, values, "insns");
    double bits = (double)oct_tracer_port_bits(tracer, values, OCT_GROUP_TRACE);
    x[i] = (double)oct_tracer_state_bits(tracer, geometries[i].params);
    y[i] = insns ? bits / (double)insns : 0;
    lossy[i] = oct_tracer_count(tracer, values, "overflows") != 0;
    line[i] = t->line_param < 0 ? 0 : geometries[i].params[t->line_param];
  }
  if ((pareto || t->rows) && has_room) has_room = !oct_pareto(x, y, lossy, n, front);
  if (t->rows && has_room) has_room = !oct_pareto_of_groups(x, y, lossy, line, n, on_line);
  int error = has_room ? 0 : oct_fail(t->diag, OCT_ERR_NOMEM, "out of memory");
  for (size_t i = 0; i < n && !error; i++) {
    const oct_reported counted = {tracer, geometries[i].params, counters + i * tracer->n_counters,
                                  NULL};
    json_t *row = json_object();
    json_object_set_new(row, "trace", oct_report_string(oct_cli_input_name(path)));
    json_object_set_new(row, "tracer", json_string(tracer->name));
    json_object_update_new(row, oct_report_params(tracer, geometries[i].params));
    json_object_update_new(row, oct_report_flat(&counted));
    if (pareto) json_object_set_new(row, "pareto", json_integer(front[i]));
    if (t->rows) keep_row(t, row, front[i], on_line[i]);
    error = put_row(t, row);
  }
  free(x);
  free(y);
  free(front);
  free(lossy);
  free(on_line);
  free(line);
  return error;
}

/* Is this counter the level of a buffer, of which the most counts? */
static bool is_level(const oct_tracer *t, const char *name) {
  for (unsigned b = 0; b < t->n_buffers; b++)
    if (!strcmp(name, t->buffers[b].high_water) ||
        (t->buffers[b].sufficient && !strcmp(name, t->buffers[b].sufficient)))
      return true;
  return false;
}

/* Counters over all traces: sums, but the most of what is a level. */
static void sum_up(const oct_sweep_run *r, uint64_t *sums) {
  const oct_tracer *tracer = r->plan->tracer;
  size_t n = tracer->n_counters;
  for (unsigned v = 0; v < n; v++) {
    bool level = is_level(tracer, tracer->counters[v].name);
    for (size_t k = 0; k < r->n_traces; k++) {
      if (r->traces[k].error) continue;
      for (size_t i = v; i < r->plan->n * n; i += n) {
        uint64_t value = r->traces[k].counters[i];
        if (!level)
          sums[i] += value;
        else if (value > sums[i])
          sums[i] = value;
      }
    }
  }
}

/* The trace that lends the sum its geometries; NULL when there is nothing to sum up. */
static const oct_sweep_trace *summable(const oct_sweep_run *r) {
  const oct_sweep_trace *first = NULL;
  size_t n = 0;
  for (size_t k = 0; k < r->n_traces; k++) {
    const oct_sweep_trace *t = &r->traces[k];
    if (t->error) continue;
    if (!first) first = t;
    if (memcmp(first->geometries, t->geometries, r->plan->n * sizeof *t->geometries)) return NULL;
    n++;
  }
  return n > 1 ? first : NULL;
}

static int put_sum(table *t, const oct_sweep_run *r, bool pareto) {
  const oct_sweep_trace *first = summable(r);
  if (!first) return 0;
  const oct_tracer *tracer = r->plan->tracer;
  uint64_t *sums = calloc(r->plan->n, tracer->n_counters * sizeof *sums);
  if (!sums) return oct_fail(t->diag, OCT_ERR_NOMEM, "out of memory");
  sum_up(r, sums);
  json_array_clear(t->rows);
  int error = put_rows(t, tracer, OCT_SWEEP_ALL, first->geometries, sums, r->plan->n, pareto);
  free(sums);
  return error;
}

int oct_sweep_table_write(const oct_sweep_run *r, bool json, bool pareto, oct_outfile *out,
                          json_t *rows, int line_param, oct_diag *diag) {
  table t = {.out = out, .diag = diag, .json = json, .rows = rows, .line_param = line_param};
  int error = 0;
  for (size_t k = 0; k < r->n_traces && !error; k++)
    if (!r->traces[k].error)
      error = put_rows(&t, r->plan->tracer, r->traces[k].path, r->traces[k].geometries,
                       r->traces[k].counters, r->plan->n, pareto);
  if (!error) error = put_sum(&t, r, pareto);
  if (!error && json) error = put_text(&t, t.n_rows ? "\n]\n" : "[]\n");
  return error;
}
