/* SPDX-License-Identifier: Apache-2.0 */
/* oct_bandwidth.c - collects the trace-port bandwidth report of one trace. */
#include "oct_bandwidth.h"

#include <stdlib.h>
#include <string.h>

#include "oct_miss_profile.h"
#include "oct_port_needs.h"
#include "oct_report.h"
#include "oct_windows.h"

static const uint32_t dividers[] = {1, 2, 4, 8};
static const uint32_t depths[] = {1, 2, 4, 8, 16, 32, 64};
static const uint32_t out_bytes[] = {32, 64, 128, 256, 512, 1024, 2048, 4096};
#define COUNT(a) (sizeof(a) / sizeof *(a))

enum {
  CYCLE_STEP_INSNS = 1024, /* between two looks at the progress line */
  PINS_MAX = 32,
  PIN_POINTS = COUNT(dividers) * PINS_MAX,
  FIRST_PINS = 1, /* point 0 is the geometry itself */
  FIRST_PINS_LARGEST = FIRST_PINS + PIN_POINTS,
  FIRST_STREAM = FIRST_PINS_LARGEST + PIN_POINTS,
  FIRST_DATA = FIRST_STREAM + COUNT(depths),
  FIRST_OUT = FIRST_DATA + COUNT(depths),
  N_POINTS = FIRST_OUT + COUNT(out_bytes)
};

typedef struct collector {
  const oct_bandwidth_options *o;
  oct_run_args args;
  oct_cli_source source;
  oct_compressor *compressor;
  oct_windows windows;
  oct_miss_profile *misses;
  oct_port_needs *needs;
  uint64_t cycle_left;
  oct_progress progress;
  uint64_t bytes_done; /* of the file, by the batches before */
} collector;

static size_t make_pin_points(const oct_config *cfg, oct_port_point *points) {
  size_t n = 0;
  for (size_t d = 0; d < COUNT(dividers); d++) {
    for (uint32_t p = 1; p <= PINS_MAX; p++) {
      points[n] = (oct_port_point){.cfg = *cfg, .clock_divider = dividers[d], .end_at_loss = true};
      points[n++].cfg.port_pins = p;
    }
  }
  return n;
}

static void make_points(const oct_config *cfg, oct_port_point *points) {
  oct_config largest = *cfg;
  size_t n = 0;
  largest.stream_fifo_depth = depths[COUNT(depths) - 1];
  largest.data_fifo_depth = depths[COUNT(depths) - 1];
  largest.out_fifo_bytes = out_bytes[COUNT(out_bytes) - 1];
  points[n++] = (oct_port_point){.cfg = *cfg, .clock_divider = 1};
  n += make_pin_points(cfg, points + n);
  n += make_pin_points(&largest, points + n);
  for (size_t i = 0; i < COUNT(depths); i++) {
    points[n] = points[0];
    points[n++].cfg.stream_fifo_depth = depths[i];
  }
  for (size_t i = 0; i < COUNT(depths); i++) {
    points[n] = points[0];
    points[n++].cfg.data_fifo_depth = depths[i];
  }
  for (size_t i = 0; i < COUNT(out_bytes); i++) {
    points[n] = points[0];
    points[n++].cfg.out_fifo_bytes = out_bytes[i];
  }
}

static int begin(collector *c, const char *path, oct_diag *diag) {
  static const oct_run_options untimed = {.engine = OCT_ENGINE_UNTIMED};
  oct_port_point points[N_POINTS];
  int error = oct_cli_source_open(&c->source, path, &c->args, "report", diag);
  if (error) return error;
  c->progress = c->source.progress; /* the source's own would be ahead of the work */
  c->source.progress.enabled = false;
  make_points(&c->args.cfg, points);
  oct_windows_init(&c->windows);
  error = oct_compressor_new(&c->args.cfg, &untimed, &c->compressor, diag);
  if (!error) error = oct_port_needs_new(points, N_POINTS, &c->args.run, &c->needs, diag);
  if (!error && oct_miss_profile_new(&c->args.cfg, &c->misses))
    error = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  return error;
}

/* The cycle model's part of a batch, which takes long: the bar goes from where the batch began in
 * the file to where it ended. */
static int put_cycles(collector *c, const oct_batch *b, oct_diag *diag) {
  oct_cli_source *s = &c->source;
  const uint64_t end = oct_reader_bytes_read(s->reader), total = oct_reader_bytes_total(s->reader);
  const oct_access *accesses = b->accesses;
  size_t wanted = b->n_insns < c->cycle_left ? b->n_insns : (size_t)c->cycle_left;
  int error = 0;
  for (size_t i = 0, n; i < wanted && !error; i += n) {
    n = wanted - i < CYCLE_STEP_INSNS ? wanted - i : CYCLE_STEP_INSNS;
    error = oct_port_needs_put(c->needs, b->insns + i, n, accesses, diag);
    for (size_t k = i; k < i + n; k++) accesses += b->insns[k].n_access;
    double part = (double)(i + n) / (double)b->n_insns;
    oct_progress_update(&c->progress, s->n_insns - b->n_insns + i + n,
                        c->bytes_done + (uint64_t)(part * (double)(end - c->bytes_done)), total);
  }
  c->cycle_left -= wanted;
  c->bytes_done = end;
  oct_progress_update(&c->progress, s->n_insns, end, total);
  return error;
}

/* One batch, cut at the windows. */
static int put(collector *c, const oct_batch *b, oct_diag *diag) {
  const oct_access *accesses = b->accesses;
  int error = 0;
  for (size_t i = 0; i < b->n_insns && !error;) {
    uint64_t room = oct_windows_room(&c->windows);
    size_t n = b->n_insns - i < room ? b->n_insns - i : (size_t)room;
    const uint8_t *bytes;
    error = oct_compressor_put(c->compressor, b->insns + i, n, accesses, diag);
    oct_compressor_take(c->compressor, &bytes);
    oct_windows_take(&c->windows, oct_compressor_stats(c->compressor));
    for (size_t k = i; k < i + n; k++) accesses += b->insns[k].n_access;
    i += n;
  }
  if (!error && oct_miss_profile_put(c->misses, b->insns, b->n_insns, b->accesses))
    error = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  return error ? error : put_cycles(c, b, diag);
}

static int run(collector *c, oct_diag *diag) {
  int got, error = 0;
  while (!error && (got = oct_cli_source_next(&c->source, diag)) != 0)
    error = got < 0 ? got : put(c, &c->source.batch, diag);
  if (!error) error = oct_compressor_flush(c->compressor, diag);
  if (!error) oct_windows_take(&c->windows, oct_compressor_stats(c->compressor));
  if (!error && oct_miss_profile_flush(c->misses))
    error = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  return error;
}

static json_t *integer(uint64_t x) {
  return json_integer((json_int_t)x);
}

static json_t *windows_json(const oct_windows *w) {
  static const char *const labels[] = {
#define OCT_X(name, group, label, text) label,
      OCT_LOGICAL(OCT_X)
#undef OCT_X
  };
  json_t *o = json_object(), *starts = json_array(), *streams = json_object();
  for (size_t i = 0; i < w->n; i++) json_array_append_new(starts, integer(i * w->window_insns));
  json_object_set_new(o, "window_instructions", integer(w->window_insns));
  json_object_set_new(o, "start_instruction", starts);
  for (unsigned k = 0; k < OCT_LOGICAL_COUNT; k++) {
    json_t *values = json_array();
    for (size_t i = 0; i < w->n; i++) {
      double insns = w->window[i].insns ? (double)w->window[i].insns : 1;
      json_array_append_new(values, json_real((double)w->window[i].port[k] / insns));
    }
    json_object_set_new(streams, labels[k], values);
  }
  json_object_set_new(o, "bits_per_instruction", streams);
  return o;
}

/* The fewest pins that lose nothing of the points from first on; null when 32 do not suffice. */
static json_t *fewest_pins(const oct_port_needs *needs, size_t first) {
  for (uint32_t p = 1; p <= PINS_MAX; p++)
    if (!oct_port_needs_stats(needs, first + p - 1)->overflows) return integer(p);
  return json_null();
}

static json_t *pins_json(const oct_port_needs *needs) {
  json_t *list = json_array();
  for (size_t d = 0; d < COUNT(dividers); d++) {
    json_t *o = json_object();
    size_t at = d * PINS_MAX;
    json_object_set_new(o, "port_clock", json_real(1.0 / dividers[d]));
    json_object_set_new(o, "pins", fewest_pins(needs, FIRST_PINS + at));
    json_object_set_new(o, "pins_with_largest_buffers",
                        fewest_pins(needs, FIRST_PINS_LARGEST + at));
    json_array_append_new(list, o);
  }
  return list;
}

static json_t *depth_json(const oct_port_needs *needs, size_t first, const uint32_t *depth,
                          size_t n) {
  json_t *list = json_array();
  for (size_t i = 0; i < n; i++) {
    const oct_stats *s = oct_port_needs_stats(needs, first + i);
    uint64_t lost = s->lost_insns, all = s->insns + lost;
    json_t *o = json_object();
    json_object_set_new(o, "depth", integer(depth[i]));
    json_object_set_new(o, "overflows", integer(s->overflows));
    json_object_set_new(o, "lost_instructions", integer(lost));
    json_object_set_new(o, "lost_accesses", integer(s->lost_accesses));
    json_object_set_new(o, "loss", json_real(all ? (double)lost / (double)all : 0));
    json_array_append_new(list, o);
  }
  return list;
}

static json_t *missed_json(const collector *c) {
  oct_missed_stream *top = malloc((c->o->top + 1) * sizeof *top);
  int64_t n = top ? oct_miss_profile_top(c->misses, top, (size_t)c->o->top) : 0;
  json_t *list = json_array();
  for (int64_t i = 0; i < n; i++) {
    char addr[24], name[96];
    json_t *o = json_object();
    snprintf(addr, sizeof addr, "0x%llx", (unsigned long long)top[i].addr);
    oct_symbols_name(c->o->symbols, top[i].addr, name, sizeof name);
    json_object_set_new(o, "address", json_string(addr));
    json_object_set_new(o, "length", integer(top[i].insns));
    json_object_set_new(o, "misses", integer(top[i].misses));
    json_object_set_new(o, "executions", integer(top[i].executions));
    json_object_set_new(o, "symbol", oct_report_string(name));
    json_array_append_new(list, o);
  }
  free(top);
  return list;
}

static json_t *make_json(const collector *c, const char *path) {
  const oct_config *cfg = &c->args.cfg;
  const oct_stats *cycle = oct_port_needs_stats(c->needs, 0);
  json_t *o = json_object(), *loss = json_object();
  json_object_set_new(o, "trace", oct_report_string(path));
  json_object_set_new(o, "parameters", oct_report_config(cfg));
  json_object_set_new(o, "total", oct_report_json(oct_compressor_stats(c->compressor), cfg));
  json_object_set_new(o, "state", oct_report_state(cfg));
  json_object_set_new(o, "over_time", windows_json(&c->windows));
  json_object_set_new(o, "distinct_streams", integer(oct_miss_profile_count(c->misses)));
  json_object_set_new(o, "missed_streams", missed_json(c));
  json_object_set_new(o, "cycle_instructions", integer(cycle->insns + cycle->lost_insns));
  json_object_set_new(o, "cycle", oct_report_json(cycle, cfg));
  json_object_set_new(o, "pins_for_no_loss", pins_json(c->needs));
  json_object_set_new(loss, "stream", depth_json(c->needs, FIRST_STREAM, depths, COUNT(depths)));
  json_object_set_new(loss, "data", depth_json(c->needs, FIRST_DATA, depths, COUNT(depths)));
  json_object_set_new(loss, "output", depth_json(c->needs, FIRST_OUT, out_bytes, COUNT(out_bytes)));
  json_object_set_new(o, "loss_by_depth", loss);
  return o;
}

json_t *oct_bandwidth_collect(const char *path, const oct_bandwidth_options *o, oct_diag *diag) {
  collector *c = calloc(1, sizeof *c);
  json_t *json = NULL;
  if (!c) {
    oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    return NULL;
  }
  c->o = o;
  c->args = *o->run;
  c->args.run.engine = OCT_ENGINE_CYCLE;
  c->cycle_left = o->cycle_insns ? o->cycle_insns : UINT64_MAX;
  int error = begin(c, path, diag);
  if (!error) error = run(c, diag);
  oct_progress_end(&c->progress);
  if (!error) json = make_json(c, path);
  if (!error && oct_report_lacks_memory()) {
    oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    json_decref(json);
    json = NULL;
  }
  oct_compressor_free(c->compressor);
  oct_miss_profile_free(c->misses);
  oct_port_needs_free(c->needs);
  if (c->source.reader) oct_cli_source_close(&c->source);
  free(c);
  return json;
}
