/* SPDX-License-Identifier: Apache-2.0 */
/* oct_sweep_table.c - the rows of a sweep as CSV and JSON: each row is a flat object, whose names
 * are the columns. */
#include "oct_sweep_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "oct_report.h"

typedef struct table {
  oct_outfile *out;
  oct_diag *diag;
  bool json;
  size_t n_rows;
} table;

static int put_text(table *t, const char *text) {
  return oct_outfile_write(t->out, text, strlen(text), t->diag);
}

/* A name is quoted where it holds what CSV is made of. */
static int put_csv_string(table *t, const char *text) {
  int error;
  if (!text[strcspn(text, ",\"\r\n")]) return put_text(t, text);
  error = put_text(t, "\"");
  for (; *text && !error; text++) {
    const char twice[3] = {*text, *text == '"' ? '"' : '\0', '\0'};
    error = put_text(t, twice);
  }
  return error ? error : put_text(t, "\"");
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

static double bits_per_insn(const oct_counts *c) {
  oct_stats s;
  oct_counts_unpack(c, &s);
  return s.insns ? (double)oct_stats_port_bits(&s) / (double)s.insns : 0;
}

static bool lost_events(const oct_counts *c) {
  oct_stats s;
  oct_counts_unpack(c, &s);
  return s.overflows != 0;
}

static double state_bytes(const oct_config *cfg) {
  oct_state_bytes state;
  oct_config_state(cfg, &state);
  return state.total;
}

/* The rows of one trace. */
static int put_rows(table *t, const char *path, const oct_config *cfgs, const oct_counts *counts,
                    size_t n, bool pareto) {
  double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
  bool *front = malloc(n * sizeof *front), *lossy = malloc(n * sizeof *lossy);
  bool has_room = x && y && front && lossy;
  for (size_t i = 0; i < n && has_room; i++) {
    x[i] = state_bytes(&cfgs[i]);
    y[i] = bits_per_insn(&counts[i]);
    lossy[i] = lost_events(&counts[i]);
  }
  if (pareto && has_room) has_room = !oct_pareto(x, y, lossy, n, front);
  int error = has_room ? 0 : oct_fail(t->diag, OCT_ERR_NOMEM, "out of memory");
  for (size_t i = 0; i < n && !error; i++) {
    oct_stats stats;
    json_t *row = json_object();
    oct_counts_unpack(&counts[i], &stats);
    json_object_set_new(row, "trace", oct_report_string(path));
    json_object_update_new(row, oct_report_config(&cfgs[i]));
    json_object_update_new(row, oct_report_flat(&stats, &cfgs[i]));
    if (pareto) json_object_set_new(row, "pareto", json_integer(front[i]));
    error = put_row(t, row);
  }
  free(x);
  free(y);
  free(front);
  free(lossy);
  return error;
}

/* Counts of geometry i over all traces: sums, but the most of what is a high-water mark. */
static void sum_up(const oct_sweep_run *r, size_t i, oct_counts *sum) {
  memset(sum, 0, sizeof *sum);
  for (size_t k = 0; k < r->n_traces; k++) {
    const oct_counts *c = &r->traces[k].counts[i];
    for (size_t v = 0; v < OCT_COUNTS && !r->traces[k].error; v++) {
      bool is_level = v >= offsetof(oct_stats, high_water) / sizeof(uint64_t) && v + 1 < OCT_COUNTS;
      if (!is_level)
        sum->value[v] += c->value[v];
      else if (c->value[v] > sum->value[v])
        sum->value[v] = c->value[v];
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
    if (memcmp(first->cfgs, t->cfgs, r->plan->n * sizeof *t->cfgs)) return NULL;
    n++;
  }
  return n > 1 ? first : NULL;
}

static int put_sum(table *t, const oct_sweep_run *r, bool pareto) {
  const oct_sweep_trace *first = summable(r);
  if (!first) return 0;
  oct_counts *sums = malloc(r->plan->n * sizeof *sums);
  if (!sums) return oct_fail(t->diag, OCT_ERR_NOMEM, "out of memory");
  for (size_t i = 0; i < r->plan->n; i++) sum_up(r, i, &sums[i]);
  int error = put_rows(t, OCT_SWEEP_ALL, first->cfgs, sums, r->plan->n, pareto);
  free(sums);
  return error;
}

int oct_sweep_table_write(const oct_sweep_run *r, bool json, bool pareto, oct_outfile *out,
                          oct_diag *diag) {
  table t = {.out = out, .diag = diag, .json = json};
  int error = 0;
  for (size_t k = 0; k < r->n_traces && !error; k++)
    if (!r->traces[k].error)
      error = put_rows(&t, r->traces[k].path, r->traces[k].cfgs, r->traces[k].counts, r->plan->n,
                       pareto);
  if (!error) error = put_sum(&t, r, pareto);
  if (!error && json) error = put_text(&t, t.n_rows ? "\n]\n" : "[]\n");
  return error;
}
