/* SPDX-License-Identifier: Apache-2.0 */
/* oct_bench_table.c - what octrace bench measured, as a table, JSON or CSV. */
#include "oct_bench_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oct_report.h"

static double ratio(const oct_bench_result *r) {
  return r->packed_bytes ? (double)r->raw_bytes / (double)r->packed_bytes : 0;
}

static double per_second(double amount, double seconds) {
  return seconds > 0 ? amount * 1e-6 / seconds : 0;
}

/* Null when it was not measured. */
static json_t *speed_json(double amount, double seconds) {
  return seconds > 0 ? json_real(amount * 1e-6 / seconds) : json_null();
}

static json_t *noise_json(double noise) {
  return noise < 0 ? json_null() : json_real(noise);
}

static json_t *row_json(const oct_bench_row *row) {
  const oct_bench_result *r = &row->r;
  json_t *o = json_object();
  json_object_set_new(o, "file", oct_report_string(row->path));
  json_object_set_new(o, "codec", json_string(row->codec));
  if (row->failed) {
    json_object_set_new(o, "failed", oct_report_string(row->why.text));
    return o;
  }
  json_object_set_new(o, "raw_bytes", json_integer((json_int_t)r->raw_bytes));
  json_object_set_new(o, "packed_bytes", json_integer((json_int_t)r->packed_bytes));
  json_object_set_new(o, "records", json_integer((json_int_t)r->n_records));
  json_object_set_new(o, "instructions", json_integer((json_int_t)row->n_insns));
  json_object_set_new(o, "ratio", json_real(ratio(r)));
  json_object_set_new(
      o, "bits_per_record",
      json_real(r->n_records ? 8.0 * (double)r->packed_bytes / (double)r->n_records : 0));
  json_object_set_new(
      o, "bits_per_instruction",
      row->n_insns ? json_real(8.0 * (double)r->packed_bytes / (double)row->n_insns) : json_null());
  json_object_set_new(o, "compress_MB_s", speed_json((double)r->raw_bytes, r->pack_seconds));
  json_object_set_new(o, "compress_M_records_s", speed_json((double)r->n_records, r->pack_seconds));
  json_object_set_new(o, "compress_noise", noise_json(r->pack_noise));
  json_object_set_new(o, "decompress_MB_s", speed_json((double)r->raw_bytes, r->unpack_seconds));
  json_object_set_new(o, "decompress_M_records_s",
                      speed_json((double)r->n_records, r->unpack_seconds));
  json_object_set_new(o, "decompress_noise",
                      r->unpack_seconds > 0 ? noise_json(r->unpack_noise) : json_null());
  json_object_set_new(o, "peak_bytes", json_integer((json_int_t)r->peak_bytes));
  json_object_set_new(o, "lossless", json_boolean(!row->lossy));
  return o;
}

/* Over all files: sum of raw over sum of packed, sums of times, largest of noise and memory, and
 * the geometric mean of the ratios. A codec that failed anywhere has no total. */
static bool total_of(const oct_bench_table *t, size_t codec, oct_bench_row *total,
                     double *geometric_mean) {
  double logs = 0;
  memset(total, 0, sizeof *total);
  total->path = "all";
  total->codec = t->rows[codec].codec;
  total->lossy = t->rows[codec].lossy;
  total->r.pack_noise = total->r.unpack_noise = -1;
  for (size_t f = 0; f < t->n_files; f++) {
    const oct_bench_row *row = &t->rows[f * t->n_codecs + codec];
    const oct_bench_result *r = &row->r;
    if (row->failed || !r->packed_bytes || !r->raw_bytes) return false;
    total->n_insns += row->n_insns;
    total->r.raw_bytes += r->raw_bytes;
    total->r.packed_bytes += r->packed_bytes;
    total->r.n_records += r->n_records;
    total->r.pack_seconds += r->pack_seconds;
    total->r.unpack_seconds += r->unpack_seconds;
    if (r->pack_noise > total->r.pack_noise) total->r.pack_noise = r->pack_noise;
    if (r->unpack_noise > total->r.unpack_noise) total->r.unpack_noise = r->unpack_noise;
    if (r->peak_bytes > total->r.peak_bytes) total->r.peak_bytes = r->peak_bytes;
    logs += log(ratio(r));
  }
  *geometric_mean = exp(logs / (double)t->n_files);
  return true;
}

/* Speeds in one direction. */
static void print_speed(const oct_bench_result *r, double seconds, double noise) {
  if (seconds <= 0) {
    printf(" %8s %7s %5s", "-", "-", "-");
    return;
  }
  printf(" %8.1f %7.2f", per_second((double)r->raw_bytes, seconds),
         per_second((double)r->n_records, seconds));
  if (noise < 0)
    printf(" %5s", "-");
  else
    printf(" %4.0f%%", 100 * noise);
}

static void print_row(const oct_bench_row *row, double mean) {
  const oct_bench_result *r = &row->r;
  const int n = (int)strlen(row->codec);
  if (row->failed) {
    printf("  %-28s %s\n", row->codec, row->why.text);
    return;
  }
  printf("  %s%-*s %8.2f", row->codec, n < 28 ? 28 - n : 0, row->lossy ? " (lossy)" : "", ratio(r));
  if (mean > 0) printf(" %8.2f", mean);
  printf(" %9.4f", r->n_records ? 8.0 * (double)r->packed_bytes / (double)r->n_records : 0);
  print_speed(r, r->pack_seconds, r->pack_noise);
  print_speed(r, r->unpack_seconds, r->unpack_noise);
  printf(" %7.1f\n", (double)r->peak_bytes / 1048576.0);
}

static void print_head(const char *title, bool mean) {
  printf("%s\n  %-28s %8s%s %9s %8s %7s %5s %8s %7s %5s %7s\n", title, "codec", "ratio",
         mean ? "  geomean" : "", "bits/rec", "MB/s", "Mrec/s", "noise", "MB/s", "Mrec/s", "noise",
         "MiB");
}

void oct_bench_print_table(const oct_bench_table *t) {
  for (size_t f = 0; f < t->n_files; f++) {
    print_head(oct_cli_shown(oct_cli_input_name(t->rows[f * t->n_codecs].path)).text, false);
    for (size_t c = 0; c < t->n_codecs; c++) print_row(&t->rows[f * t->n_codecs + c], 0);
    putchar('\n');
  }
  print_head("all files (MB/s, Mrec/s, noise: compression, then decompression)", true);
  for (size_t c = 0; c < t->n_codecs; c++) {
    oct_bench_row total;
    double mean;
    if (total_of(t, c, &total, &mean)) print_row(&total, mean);
  }
}

int oct_bench_print_json(const oct_bench_table *t) {
  json_t *o = json_object(), *rows = json_array(), *totals = json_array();
  for (size_t i = 0; i < t->n_files * t->n_codecs; i++)
    json_array_append_new(rows, row_json(&t->rows[i]));
  for (size_t c = 0; c < t->n_codecs; c++) {
    oct_bench_row total;
    double mean;
    if (!total_of(t, c, &total, &mean)) continue;
    json_t *row = row_json(&total);
    json_object_set_new(row, "geometric_mean_ratio", json_real(mean));
    json_array_append_new(totals, row);
  }
  json_object_set_new(o, "rows", rows);
  json_object_set_new(o, "totals", totals);
  return oct_report_print(o);
}

/* The same columns as in JSON, and one with the geometric mean, which only totals have. */
int oct_bench_write_csv(const oct_bench_table *t, const char *path, oct_diag *diag) {
  static const char *const columns[] = {"file",
                                        "codec",
                                        "raw_bytes",
                                        "packed_bytes",
                                        "records",
                                        "instructions",
                                        "ratio",
                                        "bits_per_record",
                                        "bits_per_instruction",
                                        "compress_MB_s",
                                        "compress_M_records_s",
                                        "compress_noise",
                                        "decompress_MB_s",
                                        "decompress_M_records_s",
                                        "decompress_noise",
                                        "peak_bytes",
                                        "lossless"};
  enum { N = sizeof columns / sizeof *columns };
  oct_outfile *f;
  int error = oct_outfile_open(path, &f, diag);
  if (error < 0) return error;
  for (size_t c = 0; !error && c < N; c++) {
    error = oct_outfile_write(f, columns[c], strlen(columns[c]), diag);
    if (!error) error = oct_outfile_write(f, ",", 1, diag);
  }
  if (!error) error = oct_outfile_write(f, "geometric_mean_ratio\n", 21, diag);
  for (size_t i = 0; !error && i < (t->n_files + 1) * t->n_codecs; i++) {
    oct_bench_row total;
    const oct_bench_row *row = &t->rows[i];
    double mean = 0;
    char text[64];
    if (i >= t->n_files * t->n_codecs) {
      if (!total_of(t, i - t->n_files * t->n_codecs, &total, &mean)) continue;
      row = &total;
    }
    if (row->failed) continue;
    json_t *o = row_json(row);
    for (size_t c = 0; !error && c < N; c++) {
      const json_t *value = json_object_get(o, columns[c]);
      char *dump = value && !json_is_null(value) ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
      if (dump) error = oct_outfile_write(f, dump, strlen(dump), diag);
      if (!error) error = oct_outfile_write(f, ",", 1, diag);
      free(dump);
    }
    json_decref(o);
    int n =
        mean > 0 ? snprintf(text, sizeof text, "%.6g\n", mean) : snprintf(text, sizeof text, "\n");
    if (!error) error = oct_outfile_write(f, text, (size_t)n, diag);
  }
  if (error < 0) {
    oct_outfile_abort(f);
    return error;
  }
  return oct_outfile_commit(f, diag);
}
