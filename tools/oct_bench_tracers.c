/* SPDX-License-Identifier: Apache-2.0 */
/* oct_bench_tracers.c - one table of all tracers that can take a trace: port bits per instruction,
 * spent on instructions, data addresses, syncs and headers, as text, JSON and CSV. */
#include "oct_bench_tracers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oct_report.h"
#include "oct_tracer_rows.h"

/* Over the traces that a tracer took: sums. */
typedef struct tracer_sum {
  unsigned n_files;
  double insn, data, sync, overhead; /* bits per instruction */
  /* Bits sent for instructions and for data addresses, and the same addresses in full. */
  double insn_sent, insn_full, data_sent, data_full;
  double packets;
  bool has_data;
  const char *gives; /* NULL: no trace has values, so that the column is left out */
} tracer_sum;

static void print_head(const char *title, bool has_values) {
  printf("%s\n  %-9s %-15s %9s %9s %9s %9s %9s %6s %7s %8s %8s %9s %6s%s\n", title, "tracer",
         "geometry", "insns", "data", "syncs", "headers", "bits/insn", "sync%", "header%",
         "I ratio", "D ratio", "packets", "traces", has_values ? "  gives" : "");
}

static void print_ratio(char *text, size_t n, double full, double sent) {
  if (sent > 0)
    snprintf(text, n, "%.1f", full / sent);
  else
    snprintf(text, n, "-");
}

/* Bits per instruction, one row: means over the traces, and ratios of their sums, in which each bit
 * counts the same. What a tracer does not carry is a dash. */
static void print_row(const oct_tracer_row *row, const tracer_sum *s) {
  double n = s->n_files;
  char data[16] = "-", packets[24] = "-", insn_ratio[32], data_ratio[32];
  if (s->has_data) snprintf(data, sizeof data, "%.4f", s->data / n);
  if (s->packets > 0) snprintf(packets, sizeof packets, "%.0f", s->packets / n);
  print_ratio(insn_ratio, sizeof insn_ratio, s->insn_full, s->insn_sent);
  print_ratio(data_ratio, sizeof data_ratio, s->data_full, s->data_sent);
  double all = s->insn + s->data + s->sync + s->overhead, percent = all > 0 ? 100 / all : 0;
  printf("  %-9s %-15s %9.4f %9s %9.4f %9.4f %9.4f %6.2f %7.2f %8s %8s %9s %6u%s%s\n",
         row->tracer->name, row->geometry, s->insn / n, data, s->sync / n, s->overhead / n, all / n,
         s->sync * percent, s->overhead * percent, insn_ratio, data_ratio, packets, s->n_files,
         s->gives ? "  " : "", s->gives ? s->gives : "");
}

static void add(tracer_sum *s, const tracer_sum *one) {
  s->n_files += one->n_files;
  s->insn += one->insn;
  s->data += one->data;
  s->sync += one->sync;
  s->overhead += one->overhead;
  s->insn_sent += one->insn_sent;
  s->insn_full += one->insn_full;
  s->data_sent += one->data_sent;
  s->data_full += one->data_full;
  s->packets += one->packets;
  s->has_data = one->has_data;
  if (one->gives) s->gives = one->gives;
}

/* One trace's rows: printed if asked for, appended to list, and added to the sums. */
static void take_rows(const char *path, const oct_tracer_rows *r, bool is_printed, json_t *list,
                      tracer_sum *sums) {
  double n = (double)r->n_insns;
  for (size_t i = 0; i < r->n; i++) {
    const oct_tracer_row *row = &r->row[i];
    if (!row->encoder) continue;
    json_t *o = oct_tracer_row_json(r, row);
    const tracer_sum one = {
        .n_files = 1,
        .insn = (double)row->insn / n,
        .data = (double)row->data / n,
        .sync = (double)row->sync / n,
        .overhead = (double)row->overhead / n,
        .insn_sent = (double)row->insn,
        .insn_full = json_number_value(json_object_get(o, "insn_ratio")) * (double)row->insn,
        .data_sent = (double)row->data,
        .data_full = json_number_value(json_object_get(o, "data_ratio")) * (double)row->data,
        .packets = (double)row->packets,
        .has_data = row->has_data,
        .gives = r->has_values ? oct_tracer_row_gives(r, row) : NULL};
    add(&sums[i], &one);
    json_object_set_new(o, "file", oct_report_string(path));
    json_object_set_new(o, "instructions", json_integer((json_int_t)r->n_insns));
    json_array_append_new(list, o);
    if (is_printed) print_row(row, &one);
  }
}

/* Tracers that do not take the trace, but would if it said more or less. */
static void print_refused(const oct_tracer_rows *r) {
  json_t *refused = oct_tracer_rows_refused(r);
  for (void *at = json_object_iter(refused); at; at = json_object_iter_next(refused, at))
    printf("  %-12s no: %s\n", json_object_iter_key(at),
           json_string_value(json_object_iter_value(at)));
  json_decref(refused);
}

static int measure(const char *path, const oct_bench_input *in, oct_tracer_rows *r,
                   const oct_run_args *a, json_t *list, tracer_sum *sums) {
  const oct_tracer_input all = {.insns = in->insns,
                                .n_insns = in->n_insns,
                                .accesses = in->accesses,
                                .n_accesses = in->n_accesses,
                                .updates = in->updates,
                                .n_updates = in->n_updates,
                                .traps = in->traps,
                                .n_traps = in->n_traps,
                                .facts = in->facts,
                                .n_facts = in->n_facts,
                                .values = in->values,
                                .n_values = in->n_values};
  oct_diag diag = {0};
  int error = oct_tracer_rows_init(r, &in->fitted, &diag);
  if (!error) error = oct_tracer_rows_put(r, &all, &diag);
  if (!error) error = oct_tracer_rows_flush(r, &diag);
  if (error) return oct_cli_diag(path, &diag);
  if (!a->json) print_head(oct_cli_shown(oct_cli_input_name(path)).text, r->has_values);
  take_rows(path, r, !a->json, list, sums);
  if (!a->json) print_refused(r);
  return 0;
}

static int print_json(json_t *rows) {
  json_t *o = json_object();
  json_object_set(o, "rows", rows);
  return oct_report_print(o);
}

/* The rows, with the columns of JSON. */
static int write_rows(oct_outfile *f, const json_t *rows, oct_diag *diag) {
  static const char *const columns[] = {"file",
                                        "instructions",
                                        "tracer",
                                        "geometry",
                                        "carries_data",
                                        "gives",
                                        "state_bytes",
                                        "packets",
                                        "bits_per_insn",
                                        "insn_bits_per_insn",
                                        "data_bits_per_insn",
                                        "sync_bits_per_insn",
                                        "header_bits_per_insn",
                                        "insn_ratio",
                                        "data_ratio",
                                        "ratio",
                                        "sync_share",
                                        "header_share"};
  enum { N = sizeof columns / sizeof *columns };
  int error = 0;
  for (size_t c = 0; !error && c < N; c++) {
    error = oct_outfile_write(f, columns[c], strlen(columns[c]), diag);
    if (!error) error = oct_outfile_write(f, c + 1 < N ? "," : "\n", 1, diag);
  }
  for (size_t i = 0; i < json_array_size(rows); i++)
    for (size_t c = 0; !error && c < N; c++) {
      const json_t *value = json_object_get(json_array_get(rows, i), columns[c]);
      char *text = json_is_null(value) ? NULL : json_dumps(value, JSON_ENCODE_ANY);
      if (text) error = oct_outfile_write(f, text, strlen(text), diag);
      if (!error) error = oct_outfile_write(f, c + 1 < N ? "," : "\n", 1, diag);
      free(text);
    }
  return error;
}

static int write_csv(const json_t *rows, const char *path) {
  oct_outfile *f;
  oct_diag diag = {0};
  int error = oct_outfile_open(path, &f, &diag);
  if (error < 0) return oct_cli_diag(NULL, &diag);
  error = write_rows(f, rows, &diag);
  if (error < 0)
    oct_outfile_abort(f);
  else
    error = oct_outfile_commit(f, &diag);
  return error < 0 ? oct_cli_diag(NULL, &diag) : OCT_EXIT_OK;
}

int oct_bench_tracers(char **files, size_t n_files, oct_run_args *a, const char *csv) {
  tracer_sum sums[OCT_TRACER_ROWS_MAX] = {{0}};
  oct_tracer_rows *r = calloc(1, sizeof *r);
  json_t *list = json_array();
  uint32_t *found_align_bytes = calloc(n_files, sizeof *found_align_bytes);
  int code =
      r && list && found_align_bytes ? OCT_EXIT_OK : oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  for (size_t f = 0; f < n_files && !code; f++) {
    oct_bench_input in;
    oct_diag diag = {0};
    if (oct_bench_load(files[f], OCT_INPUT_TRACE, true, a, &in, &diag) < 0) {
      code = oct_cli_diag(files[f], &diag);
      break;
    }
    if (!in.is_trace || !in.n_insns)
      code = oct_cli_error(OCT_EXIT_INPUT, "%s: expected a trace with instructions", files[f]);
    else
      code = measure(files[f], &in, r, a, list, sums);
    found_align_bytes[f] = in.found_align_bytes;
    if (f + 1 < n_files) oct_tracer_rows_free(r);
    oct_bench_release(&in);
  }
  if (!code && !a->json && n_files > 1) {
    char title[96];
    snprintf(title, sizeof title,
             "mean of %zu traces (ratios: all addresses in full by all bits sent)", n_files);
    bool has_values = false;
    for (size_t i = 0; i < r->n; i++) has_values |= sums[i].gives != NULL;
    print_head(title, has_values);
    for (size_t i = 0; i < r->n; i++)
      if (sums[i].n_files) print_row(&r->row[i], &sums[i]);
  }
  if (!code && a->json) code = print_json(list);
  if (!code && csv) code = write_csv(list, csv);
  for (size_t f = 0; f < n_files && !code; f++)
    oct_cli_tell_alignment(files[f], found_align_bytes[f], a);
  free(found_align_bytes);
  json_decref(list);
  if (r) oct_tracer_rows_free(r);
  free(r);
  return code;
}
