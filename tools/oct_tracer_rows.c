/* SPDX-License-Identifier: Apache-2.0 */
/* oct_tracer_rows.c - one trace through all tracers that take it. */
#include "oct_tracer_rows.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oct_report.h"

enum {
  GEOMETRIES_MAX = 8,  /* of one tracer; of one that has more, the first alone */
  NOTE_PARAMS_MAX = 6, /* that a note lists */
  NOTE_BYTES = 512     /* of these: each has a name of up to 32, two numbers, and 25 between */
};

static bool is_refusal(int error) {
  return error == OCT_ERR_UNSUPPORTED || error == OCT_ERR_LIMIT || error == OCT_ERR_CONFIG;
}

static void drop(oct_tracer_row *row) {
  row->tracer->encoder.destroy(row->encoder);
  row->encoder = NULL;
}

static int init_row(oct_tracer_row *row, const oct_trace_info *info) {
  const oct_run_options run = {.engine = OCT_ENGINE_UNTIMED, .cpi_milli = 1000};
  const oct_tracer *t = row->tracer;
  bool given[OCT_TRACER_PARAMS_MAX] = {false};
  oct_tracer_defaults(t, row->params);
  int error = oct_tracer_parse(t, row->geometry, row->params, given, &row->why);
  if (!error) error = oct_cli_fit(t, row->params, given, info, &row->why);
  if (!error) error = t->encoder.create(row->params, &run, &row->encoder, &row->why);
  row->has_data = !error && oct_tracer_carries_data(t, row->params);
  row->is_other = error == OCT_ERR_UNSUPPORTED && info->isa && strcmp(info->isa, "unknown") != 0;
  return is_refusal(error) ? 0 : error;
}

int oct_tracer_rows_init(oct_tracer_rows *r, const oct_trace_info *info, oct_diag *diag) {
  memset(r, 0, sizeof *r);
  r->info = *info;
  for (unsigned i = 0; oct_tracer_at(i); i++) {
    const oct_tracer *t = oct_tracer_at(i);
    unsigned n_geometries = t->n_geometries > GEOMETRIES_MAX ? 1 : t->n_geometries;
    for (unsigned g = 0; g < n_geometries && r->n < OCT_TRACER_ROWS_MAX; g++) {
      oct_tracer_row *row = &r->row[r->n++];
      row->tracer = t;
      row->geometry = t->geometries[g].name;
      int error = init_row(row, info);
      if (error) *diag = row->why;
      if (error) return error;
    }
  }
  return 0;
}

void oct_tracer_rows_free(oct_tracer_rows *r) {
  for (size_t i = 0; i < r->n; i++) drop(&r->row[i]);
  r->n = 0;
}

/* The row's answer to a part of the trace. */
static int settle(oct_tracer_row *row, int error, oct_diag *diag) {
  const uint8_t *bytes;
  if (!error) {
    (void)row->tracer->encoder.take(row->encoder, &bytes);
    return 0;
  }
  if (!is_refusal(error)) {
    *diag = row->why;
    return error;
  }
  drop(row);
  return 0;
}

int oct_tracer_rows_put(oct_tracer_rows *r, const oct_tracer_input *in, oct_diag *diag) {
  r->n_insns += in->n_insns;
  r->n_accesses += in->n_accesses;
  r->has_values |= in->values && in->n_values;
  for (size_t i = 0; i < r->n; i++) {
    oct_tracer_row *row = &r->row[i];
    if (!row->encoder) continue;
    int error = settle(row, row->tracer->encoder.put(row->encoder, in, &row->why), diag);
    if (error) return error;
  }
  return 0;
}

int oct_tracer_rows_flush(oct_tracer_rows *r, oct_diag *diag) {
  for (size_t i = 0; i < r->n; i++) {
    oct_tracer_row *row = &r->row[i];
    const oct_tracer *t = row->tracer;
    uint64_t counters[OCT_TRACER_COUNTERS_MAX];
    if (!row->encoder) continue;
    int error = settle(row, t->encoder.flush(row->encoder, &row->why), diag);
    if (error) return error;
    if (!row->encoder) continue;
    t->encoder.counters(row->encoder, counters);
    row->insn = oct_tracer_port_bits(t, counters, OCT_GROUP_PORT_INSN);
    row->data = oct_tracer_port_bits(t, counters, OCT_GROUP_PORT_DATA);
    row->sync = oct_tracer_port_bits(t, counters, OCT_GROUP_PORT_SYNC);
    row->overhead = oct_tracer_port_bits(t, counters, OCT_GROUP_PORT_OVERHEAD);
    row->packets = oct_tracer_count(t, counters, "packets");
  }
  return 0;
}

/* a / b, null where there is nothing to divide by. */
static json_t *quotient(double a, double b) {
  return b > 0 ? json_real(a / b) : json_null();
}

const char *oct_tracer_row_gives(const oct_tracer_rows *r, const oct_tracer_row *row) {
  if (r->has_values && row->tracer->carries_values) return "everything";
  return row->has_data ? "addresses" : "path";
}

json_t *oct_tracer_row_json(const oct_tracer_rows *r, const oct_tracer_row *row) {
  double n = r->n_insns ? (double)r->n_insns : 1;
  double width = r->info.addr_bits ? r->info.addr_bits : 32;
  double insn_raw = width * (double)r->n_insns;
  double data_raw = row->has_data ? width * (double)r->n_accesses : 0;
  double total = (double)(row->insn + row->data + row->sync + row->overhead);
  json_t *o = json_object();
  json_object_set_new(o, "tracer", json_string(row->tracer->name));
  json_object_set_new(o, "geometry", json_string(row->geometry));
  json_object_set_new(o, "carries_data", json_boolean(row->has_data));
  json_object_set_new(o, "gives", json_string(oct_tracer_row_gives(r, row)));
  json_object_set_new(
      o, "state_bytes",
      json_real((double)oct_tracer_state_bits(row->tracer, row->params) / CHAR_BIT));
  json_object_set_new(o, "insn_bits_per_insn", json_real((double)row->insn / n));
  json_object_set_new(o, "data_bits_per_insn", json_real((double)row->data / n));
  json_object_set_new(o, "sync_bits_per_insn", json_real((double)row->sync / n));
  json_object_set_new(o, "header_bits_per_insn", json_real((double)row->overhead / n));
  json_object_set_new(o, "bits_per_insn", json_real(total / n));
  json_object_set_new(o, "insn_ratio", quotient(insn_raw, (double)row->insn));
  json_object_set_new(
      o, "data_ratio",
      row->has_data && r->n_accesses ? quotient(data_raw, (double)row->data) : json_null());
  json_object_set_new(o, "ratio", quotient(insn_raw + data_raw, total));
  json_object_set_new(o, "sync_share", quotient((double)row->sync, total));
  json_object_set_new(o, "header_share", quotient((double)row->overhead, total));
  json_object_set_new(o, "packets",
                      oct_tracer_counter(row->tracer, "packets") < 0
                          ? json_null()
                          : json_integer((json_int_t)row->packets));
  return o;
}

json_t *oct_tracer_rows_json(const oct_tracer_rows *r) {
  json_t *list = json_array();
  for (size_t i = 0; i < r->n; i++)
    if (r->row[i].encoder) json_array_append_new(list, oct_tracer_row_json(r, &r->row[i]));
  return list;
}

/* In how many parameters a row differs from own; text, of NOTE_BYTES, gets them if not NULL. */
static unsigned differences(const oct_tracer_row *row, const uint32_t *own, char *text) {
  unsigned n = 0;
  size_t at = 0;
  for (unsigned i = 0; i < row->tracer->n_params; i++) {
    if (row->params[i] == own[i]) continue;
    if (text && at < NOTE_BYTES)
      at += (size_t)snprintf(text + at, NOTE_BYTES - at,
                             "%s%s=%" PRIu32 " where the row has %" PRIu32, n ? ", " : "",
                             row->tracer->params[i].name, own[i], row->params[i]);
    n++;
  }
  return n;
}

json_t *oct_tracer_rows_note(const oct_tracer_rows *r, const oct_tracer *t, const uint32_t *own) {
  const oct_tracer_row *nearest = NULL;
  unsigned least = UINT_MAX;
  for (size_t i = 0; i < r->n && least; i++) {
    if (r->row[i].tracer != t || !r->row[i].encoder) continue;
    unsigned d = differences(&r->row[i], own, NULL);
    if (d < least) least = d, nearest = &r->row[i];
  }
  if (!nearest || !least) return json_null();
  char what[NOTE_BYTES], text[2 * NOTE_BYTES];
  if (least <= NOTE_PARAMS_MAX)
    differences(nearest, own, what);
  else
    snprintf(what, sizeof what, "%u other parameters", least);
  /* Each word said once: shadow-large, raw short. */
  size_t n = strlen(t->name);
  bool has_name = !strncmp(nearest->geometry, t->name, n) && strchr("-", nearest->geometry[n]);
  snprintf(text, sizeof text, "the figures above are not of the row %s%s%s: this report has %s",
           has_name ? "" : t->name, has_name ? "" : " ", nearest->geometry, what);
  return oct_report_string(text);
}

json_t *oct_tracer_rows_refused(const oct_tracer_rows *r) {
  json_t *o = json_object();
  for (size_t i = 0; i < r->n; i++)
    if (!r->row[i].encoder && !r->row[i].is_other)
      json_object_set_new(o, r->row[i].tracer->name,
                          oct_report_string(oct_diag_reason(&r->row[i].why).text));
  return o;
}
