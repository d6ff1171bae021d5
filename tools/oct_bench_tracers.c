/* SPDX-License-Identifier: Apache-2.0 */
/* oct_bench_tracers.c - one table of all tracers that can take a trace: port bits per instruction,
 * spent on instructions, data addresses, syncs and headers. */
#include "oct_bench_tracers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oct_report.h"

enum { GEOMETRIES_MAX = 8, ROWS_MAX = 256 };

/* Bits by what they were spent on. */
typedef struct tracer_bits {
  uint64_t insn, data, sync, overhead, packets;
} tracer_bits;

typedef struct tracer_row {
  const oct_tracer *tracer;
  const char *geometry;
  bool has_data;
  unsigned n_files;                  /* traces that it took */
  double insn, data, sync, overhead; /* sums over them of bits per instruction */
  double ratio;
} tracer_row;

static int run_tracer(const oct_bench_input *in, const oct_tracer *t, const uint32_t *params,
                      tracer_bits *bits, oct_diag *diag) {
  const oct_run_options run = {.engine = OCT_ENGINE_UNTIMED, .cpi_milli = 1000};
  const oct_tracer_input all = {.insns = in->insns,
                                .n_insns = in->n_insns,
                                .accesses = in->accesses,
                                .n_accesses = in->n_accesses,
                                .updates = in->updates,
                                .n_updates = in->n_updates};
  uint64_t counters[OCT_TRACER_COUNTERS_MAX];
  void *e;
  int error = t->encoder.create(params, &run, &e, diag);
  if (error) return error;
  error = t->encoder.put(e, &all, diag);
  if (!error) error = t->encoder.flush(e, diag);
  t->encoder.counters(e, counters);
  t->encoder.destroy(e);
  bits->insn = oct_tracer_port_bits(t, counters, OCT_GROUP_PORT_INSN);
  bits->data = oct_tracer_port_bits(t, counters, OCT_GROUP_PORT_DATA);
  bits->sync = oct_tracer_port_bits(t, counters, OCT_GROUP_PORT_SYNC);
  bits->overhead = oct_tracer_port_bits(t, counters, OCT_GROUP_PORT_OVERHEAD);
  bits->packets = oct_tracer_count(t, counters, "packets");
  return error;
}

/* Bits that the events have as addresses of the trace's width: of instructions, and of the data
 * accesses too where a tracer carries them. */
static double raw_bits(const oct_bench_input *in, bool has_data) {
  double n = (double)in->n_insns + (has_data ? (double)in->n_accesses : 0);
  return n * (in->info.addr_bits ? in->info.addr_bits : 32);
}

static json_t *row_json(const char *path, const tracer_row *row, const oct_bench_input *in,
                        const tracer_bits *b) {
  double n = (double)in->n_insns;
  uint64_t total = b->insn + b->data + b->sync + b->overhead;
  json_t *o = json_object();
  json_object_set_new(o, "file", oct_report_string(path));
  json_object_set_new(o, "tracer", json_string(row->tracer->name));
  json_object_set_new(o, "geometry", json_string(row->geometry));
  json_object_set_new(o, "carries_data", json_boolean(row->has_data));
  json_object_set_new(o, "instructions", json_integer((json_int_t)in->n_insns));
  json_object_set_new(o, "insn_bits_per_insn", json_real((double)b->insn / n));
  json_object_set_new(o, "data_bits_per_insn", json_real((double)b->data / n));
  json_object_set_new(o, "sync_bits_per_insn", json_real((double)b->sync / n));
  json_object_set_new(o, "header_bits_per_insn", json_real((double)b->overhead / n));
  json_object_set_new(o, "bits_per_insn", json_real((double)total / n));
  json_object_set_new(o, "ratio", json_real(raw_bits(in, row->has_data) / (double)total));
  json_object_set_new(o, "packets", json_integer((json_int_t)b->packets));
  return o;
}

static void print_head(const char *title) {
  printf("%s\n  %-12s %-12s %9s %9s %9s %9s %9s %9s\n", title, "tracer", "geometry", "insns",
         "data", "syncs", "headers", "bits/insn", "ratio");
}

/* Bits per instruction, one row; what a tracer does not carry is a dash. */
static void print_row(const tracer_row *row, double insn, double data, double sync, double overhead,
                      double ratio) {
  char text[16] = "-";
  if (row->has_data) snprintf(text, sizeof text, "%.4f", data);
  printf("  %-12s %-12s %9.4f %9s %9.4f %9.4f %9.4f %9.1f\n", row->tracer->name, row->geometry,
         insn, text, sync, overhead, insn + data + sync + overhead, ratio);
}

static int measure_row(const char *path, const oct_bench_input *in, tracer_row *row, bool json,
                       json_t *rows) {
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  bool given[OCT_TRACER_PARAMS_MAX] = {false};
  oct_diag diag = {0};
  tracer_bits b;
  double n = (double)in->n_insns;
  oct_tracer_defaults(row->tracer, params);
  if (oct_tracer_parse(row->tracer, row->geometry, params, given, &diag) ||
      oct_cli_fit(row->tracer, params, given, &in->info, &diag))
    return 0; /* not of this instruction set */
  row->has_data = oct_tracer_carries_data(row->tracer, params);
  int error = run_tracer(in, row->tracer, params, &b, &diag);
  if (error == OCT_ERR_UNSUPPORTED || error == OCT_ERR_LIMIT) return 0;
  if (error) return oct_cli_diag(path, &diag);
  uint64_t total = b.insn + b.data + b.sync + b.overhead;
  double ratio = total ? raw_bits(in, row->has_data) / (double)total : 0;
  row->n_files++;
  row->insn += (double)b.insn / n;
  row->data += (double)b.data / n;
  row->sync += (double)b.sync / n;
  row->overhead += (double)b.overhead / n;
  if (json)
    json_array_append_new(rows, row_json(path, row, in, &b));
  else
    print_row(row, (double)b.insn / n, (double)b.data / n, (double)b.sync / n,
              (double)b.overhead / n, ratio);
  row->ratio += ratio;
  return 0;
}

static size_t make_rows(tracer_row *rows) {
  size_t n = 0;
  for (unsigned i = 0; i < oct_tracers_count; i++) {
    const oct_tracer *t = oct_tracers[i];
    unsigned n_geometries = t->n_geometries > GEOMETRIES_MAX ? 1 : t->n_geometries;
    for (unsigned g = 0; g < n_geometries && n < ROWS_MAX; g++)
      rows[n++] = (tracer_row){.tracer = t, .geometry = t->geometries[g].name};
  }
  return n;
}

static int print_json(json_t *rows) {
  json_t *o = json_object();
  json_object_set_new(o, "rows", rows);
  return oct_report_print(o);
}

int oct_bench_tracers(char **files, size_t n_files, oct_run_args *a) {
  tracer_row rows[ROWS_MAX];
  size_t n_rows = make_rows(rows);
  json_t *list = a->json ? json_array() : NULL;
  int code = OCT_EXIT_OK;
  for (size_t f = 0; f < n_files && !code; f++) {
    oct_bench_input in;
    oct_diag diag = {0};
    if (oct_bench_load(files[f], OCT_INPUT_TRACE, true, a, &in, &diag) < 0) {
      code = oct_cli_diag(files[f], &diag);
      break;
    }
    if (!in.is_trace || !in.n_insns) {
      code = oct_cli_error(OCT_EXIT_INPUT, "%s: a trace with instructions is expected", files[f]);
    } else {
      if (!a->json) print_head(files[f]);
      for (size_t r = 0; r < n_rows && !code; r++)
        code = measure_row(files[f], &in, &rows[r], a->json, list);
    }
    oct_bench_release(&in);
  }
  if (!code && a->json) {
    code = print_json(list);
  } else if (!code && n_files > 1) {
    print_head("mean over the traces");
    for (size_t r = 0; r < n_rows; r++) {
      double n = rows[r].n_files;
      if (rows[r].n_files)
        print_row(&rows[r], rows[r].insn / n, rows[r].data / n, rows[r].sync / n,
                  rows[r].overhead / n, rows[r].ratio / n);
    }
  }
  if (code) json_decref(list);
  return code;
}
