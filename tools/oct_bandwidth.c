/* SPDX-License-Identifier: Apache-2.0 */
/* oct_bandwidth.c - collects the trace-port bandwidth report of one trace.
 *
 * The trace goes once through the untimed engines, and its beginning through the cycle engine at
 * the geometry itself. This beginning is recorded. Afterwards other pins and depths are tried over
 * the recording, as few of them as answer the question; over a beginning that is too long to be
 * recorded all of them run at once. */
#include "oct_bandwidth.h"

#include <stdlib.h>
#include <string.h>

#include "oct_input_parts.h"
#include "oct_pin_queue.h"
#include "oct_pins_loss.h"
#include "oct_port_search.h"
#include "oct_report.h"
#include "oct_tracer_rows.h"
#include "oct_windows.h"

static const uint64_t queue_bytes[] = {64, 256, 1024, 4096};
#define COUNT(a) (sizeof(a) / sizeof *(a))

enum {
  CYCLE_STEP_INSNS = 4096, /* between two looks at the progress line */
  RECORDING_BYTES_MAX = 256 << 20,
  PINS_MAX = OCT_PIN_QUEUE_PINS,
  PIN_POINTS = OCT_PIN_QUEUE_CLOCKS * PINS_MAX,
  FIRST_PINS_LARGEST = PIN_POINTS,
  FIRST_DEPTH = FIRST_PINS_LARGEST + PIN_POINTS,
  DEPTHS_MAX = 32, /* of one buffer: a power of two each */
  /* Rows of points: pins at each clock, the same with the largest buffers, depths of each buffer.
   */
  ROW_LARGEST = OCT_PIN_QUEUE_CLOCKS,
  ROW_DEPTH = ROW_LARGEST + OCT_PIN_QUEUE_CLOCKS
};

typedef struct collector {
  const oct_bandwidth_options *o;
  oct_run_args args;
  const oct_tracer *tracer;
  oct_source source;
  void *encoder; /* untimed, */
  uint64_t counters[OCT_TRACER_COUNTERS_MAX];
  oct_windows windows;
  oct_pin_queue queue;
  void *misses;          /* of the tracer's profile, or NULL */
  oct_port_needs *needs; /* the geometry itself; NULL where there is no cycle engine */
  oct_port_search *search;
  oct_pins_loss *losses; /* of all tracers with one, or of this one; may be NULL */
  oct_recording recording;
  bool is_recorded;      /* all of the cycle model's part so far */
  oct_tracer_rows *rows; /* all tracers, or NULL */
  oct_symbols symbols;   /* of files that the trace names */
  uint64_t cycle_left;
  uint64_t bytes_done; /* of the file, by the batches before */
} collector;

/* Number of the parameter of a name that there is. */
static unsigned param(const collector *c, const char *name) {
  return (unsigned)oct_tracer_param(c->tracer, name);
}

/* The sizes of a buffer that are tried: powers of two, from its least to its largest. Returns how
 * many. */
static size_t depths_of(const collector *c, unsigned buffer, uint32_t *depths) {
  const oct_param *p = &c->tracer->params[param(c, c->tracer->buffers[buffer].param)];
  size_t n = 0;
  for (uint64_t depth = 1; depth <= p->max && n < DEPTHS_MAX; depth *= 2)
    if (depth >= p->min) depths[n++] = (uint32_t)depth;
  return n;
}

/* The points of rows from number row on: pins at each clock. */
static size_t make_pin_points(const collector *c, const uint32_t *params, oct_port_point *points,
                              size_t first, oct_port_row *rows, int row) {
  size_t n = first;
  for (int d = 0; d < OCT_PIN_QUEUE_CLOCKS; d++) {
    rows[row + d] = (oct_port_row){.first = n,
                                   .n = PINS_MAX,
                                   .no_earlier_than = d ? row + d - 1 : OCT_PORT_ROW_NONE,
                                   .no_later_than = row ? d : OCT_PORT_ROW_NONE,
                                   .times = 2};
    for (uint32_t p = 1; p <= PINS_MAX; p++) {
      oct_port_point *point = &points[n++];
      memcpy(point->params, params, sizeof point->params);
      point->params[oct_tracer_role(c->tracer, OCT_ROLE_PORT_PINS)] = p;
      point->clock_divider = oct_pin_queue_dividers[d];
    }
  }
  return n;
}

/* The points of the report; room for FIRST_DEPTH and DEPTHS_MAX for each buffer, and for ROW_DEPTH
 * rows and one for each buffer. */
static size_t make_points(const collector *c, oct_port_point *points, oct_port_row *rows) {
  const oct_tracer *t = c->tracer;
  uint32_t largest[OCT_TRACER_PARAMS_MAX], depths[DEPTHS_MAX];
  memcpy(largest, c->args.params, sizeof largest);
  for (unsigned b = 0; b < t->n_buffers; b++) {
    unsigned i = param(c, t->buffers[b].param);
    largest[i] = t->params[i].max;
  }
  size_t n = make_pin_points(c, c->args.params, points, 0, rows, 0);
  n = make_pin_points(c, largest, points, n, rows, ROW_LARGEST);
  for (unsigned b = 0; b < t->n_buffers; b++) {
    size_t n_depths = depths_of(c, b, depths);
    rows[ROW_DEPTH + b] = (oct_port_row){n, n_depths, .wants_losses = true, .buffer = b};
    for (size_t i = 0; i < n_depths; i++) {
      points[n] = (oct_port_point){.clock_divider = 1};
      memcpy(points[n].params, c->args.params, sizeof points[n].params);
      points[n++].params[param(c, t->buffers[b].param)] = depths[i];
    }
  }
  return n;
}

/* The geometry itself. */
static oct_port_point own_point(const collector *c) {
  oct_port_point own = {.clock_divider = 1};
  memcpy(own.params, c->args.params, sizeof own.params);
  return own;
}

static int make_cycles(collector *c, oct_diag *diag) {
  const size_t n_buffers = c->tracer->n_buffers;
  const oct_port_point own = own_point(c);
  oct_port_point *points = calloc(FIRST_DEPTH + DEPTHS_MAX * n_buffers, sizeof *points);
  oct_port_row *rows = calloc(ROW_DEPTH + n_buffers, sizeof *rows);
  int error = points && rows ? 0 : oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  if (!error) error = oct_port_needs_new(c->tracer, &own, 1, &c->args.run, &c->needs, diag);
  if (!error) {
    size_t n = make_points(c, points, rows);
    error = oct_port_search_new(c->tracer, points, n, rows, ROW_DEPTH + n_buffers, &c->args.run,
                                &c->search, diag);
  }
  free(points);
  free(rows);
  c->is_recorded = true;
  return error;
}

static int begin(collector *c, const char *path, oct_diag *diag) {
  static const oct_run_options untimed = {.engine = OCT_ENGINE_UNTIMED, .cpi_milli = 1000};
  const oct_tracer *t = c->tracer;
  int error = oct_cli_open(&c->source, path, &c->args,
                           t->has_cycle_engine ? "report, step 1 of 2" : "report", diag);
  if (error) return error;
  c->source.is_quiet = true; /* the source's own would be ahead of the work */
  oct_windows_init(&c->windows, t);
  oct_pin_queue_init(&c->queue, &c->args.run);
  error = t->encoder.create(c->args.params, &untimed, &c->encoder, diag);
  if (!error && t->has_cycle_engine) error = make_cycles(c, diag);
  if (!error && t->has_cycle_engine)
    error = oct_pins_loss_new(&c->args, &c->source.info, c->o->no_tracers, &c->losses, diag);
  if (!error && t->profile && t->profile->create(c->args.params, &c->misses))
    error = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  if (error || c->o->no_tracers) return error;
  c->rows = calloc(1, sizeof *c->rows);
  return c->rows ? oct_tracer_rows_init(c->rows, &c->source.info, diag)
                 : oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

static int search_at_once(collector *c, const oct_tracer_input *in, oct_diag *diag) {
  int error = oct_port_search_put(c->search, in, diag);
  return error ? error : oct_pins_loss_put(c->losses, in, diag);
}

/* It is too long to be recorded. */
static int end_recording(collector *c, oct_diag *diag) {
  oct_source *s = &c->source;
  int error = 0;
  for (size_t i = 0; i < c->recording.n && !error; i++) {
    error = search_at_once(c, &c->recording.inputs[i], diag);
    oct_progress_update(&c->args.progress, s->n_insns, c->bytes_done,
                        oct_reader_bytes_total(s->reader));
  }
  oct_recording_free(&c->recording);
  c->is_recorded = false;
  return error;
}

static int put_part(collector *c, const oct_tracer_input *in, oct_diag *diag) {
  int error = oct_port_needs_put(c->needs, in, diag);
  if (!error && c->is_recorded && c->recording.n_bytes > RECORDING_BYTES_MAX)
    error = end_recording(c, diag);
  if (error) return error;
  return c->is_recorded ? oct_recording_put(&c->recording, in, diag) : search_at_once(c, in, diag);
}

/* The cycle model's part of a batch, which may take long: the bar goes from where the batch began
 * in the file to where it ended. */
static int put_cycles(collector *c, const oct_tracer_input *all, oct_diag *diag) {
  oct_source *s = &c->source;
  const uint64_t end = oct_reader_bytes_done(s->reader), total = oct_reader_bytes_total(s->reader);
  size_t wanted = all->n_insns < c->cycle_left ? all->n_insns : (size_t)c->cycle_left;
  oct_input_parts parts;
  int error = oct_input_parts_begin(&parts, all, diag);
  while (c->needs && parts.n_done < wanted && !error) {
    size_t left = wanted - parts.n_done;
    error = put_part(
        c, oct_input_parts_next(&parts, left < CYCLE_STEP_INSNS ? left : CYCLE_STEP_INSNS), diag);
    double part = (double)parts.n_done / (double)all->n_insns;
    oct_progress_update(&c->args.progress, s->n_insns - all->n_insns + parts.n_done,
                        c->bytes_done + (uint64_t)(part * (double)(end - c->bytes_done)), total);
  }
  oct_input_parts_end(&parts);
  c->cycle_left -= wanted;
  c->bytes_done = end;
  oct_progress_update(&c->args.progress, s->n_insns, end, total);
  return error;
}

/* Of all runs of the search so many are done. */
static void runs_move(collector *c, double done) {
  enum { PARTS = 1000 };
  const double all = (double)(oct_pins_loss_work(c->losses) + oct_port_search_work(c->search));
  oct_progress_update(&c->args.progress, (uint64_t)(done * (double)c->recording.n_insns),
                      (uint64_t)(done / all * PARTS), PARTS);
}

static void losses_move(void *context, double part) {
  collector *c = context;
  runs_move(c, part * (double)oct_pins_loss_work(c->losses));
}

static void search_moves(void *context, double part) {
  collector *c = context;
  runs_move(c,
            (double)oct_pins_loss_work(c->losses) + part * (double)oct_port_search_work(c->search));
}

/* Other pins and depths over what was recorded. */
static int search(collector *c, oct_diag *diag) {
  uint64_t values[OCT_TRACER_COUNTERS_MAX];
  const oct_port_point own = own_point(c);
  if (!c->is_recorded) {
    oct_port_search_end(c->search);
    oct_pins_loss_end(c->losses);
    return 0;
  }
  oct_progress_end(&c->args.progress);
  oct_progress_start(&c->args.progress, "report, step 2 of 2");
  oct_port_needs_counters(c->needs, 0, values);
  oct_pins_loss_know(c->losses, c->tracer, &own, values);
  oct_port_search_know(c->search, &own, values);
  int error = oct_pins_loss_run(c->losses, &c->recording, losses_move, c, diag);
  if (error) return error;
  oct_pins_loss_tell(c->losses, c->tracer, c->search);
  return oct_port_search_run(c->search, &c->recording, search_moves, c, diag);
}

/* Part of a batch through the untimed encoder. */
static int put_untimed(collector *c, const oct_tracer_input *in, size_t *n_bytes, oct_diag *diag) {
  const uint8_t *bytes;
  int error = c->tracer->encoder.put(c->encoder, in, diag);
  *n_bytes = c->tracer->encoder.take(c->encoder, &bytes);
  return error;
}

/* Instructions one by one, for the queue. */
static int put_one_by_one(collector *c, const oct_tracer_input *all, oct_diag *diag) {
  oct_input_parts parts;
  int error = oct_input_parts_begin(&parts, all, diag);
  while (oct_input_parts_has_more(&parts) && !error) {
    const oct_tracer_input *in = oct_input_parts_next(&parts, 1);
    size_t n_bytes;
    error = put_untimed(c, in, &n_bytes, diag);
    oct_pin_queue_put(&c->queue, in->insns, 8 * (uint64_t)n_bytes);
  }
  oct_input_parts_end(&parts);
  return error;
}

/* One batch, cut at the windows and where the look at cycles ends. */
static int put(collector *c, const oct_tracer_input *all, oct_diag *diag) {
  uint64_t cycle_left = c->cycle_left;
  oct_input_parts parts;
  int error = oct_input_parts_begin(&parts, all, diag);
  do {
    uint64_t room = oct_windows_room(&c->windows);
    size_t n_bytes;
    if (error) break;
    if (cycle_left && room > cycle_left) room = cycle_left;
    const oct_tracer_input *in =
        oct_input_parts_next(&parts, room < all->n_insns ? (size_t)room : all->n_insns);
    error = cycle_left && in->n_insns ? put_one_by_one(c, in, diag)
                                      : put_untimed(c, in, &n_bytes, diag);
    c->tracer->encoder.counters(c->encoder, c->counters);
    oct_windows_take(&c->windows, c->counters);
    cycle_left -= cycle_left < in->n_insns ? cycle_left : in->n_insns;
  } while (oct_input_parts_has_more(&parts));
  oct_input_parts_end(&parts);
  if (!error && c->misses && c->tracer->profile->put(c->misses, all))
    error = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  if (!error && c->rows) error = oct_tracer_rows_put(c->rows, all, diag);
  return error ? error : put_cycles(c, all, diag);
}

static int run(collector *c, oct_diag *diag) {
  int got, error = 0;
  while (!error && (got = oct_source_next(&c->source, diag)) != 0) {
    const oct_source *s = &c->source;
    const oct_tracer_input in = oct_tracer_input_of(&s->batch, s->updates, s->n_updates);
    error = got < 0 ? got : put(c, &in, diag);
  }
  if (!error) error = c->tracer->encoder.flush(c->encoder, diag);
  if (error) return error;
  c->tracer->encoder.counters(c->encoder, c->counters);
  oct_windows_take(&c->windows, c->counters);
  if (c->misses && c->tracer->profile->flush(c->misses))
    error = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  if (!error && c->rows) error = oct_tracer_rows_flush(c->rows, diag);
  return error || !c->needs ? error : search(c, diag);
}

static json_t *integer(uint64_t x) {
  return json_integer((json_int_t)x);
}

static json_t *windows_json(const oct_windows *w) {
  json_t *o = json_object(), *starts = json_array(), *streams = json_object();
  for (size_t i = 0; i < w->n; i++) json_array_append_new(starts, integer(i * w->window_insns));
  json_object_set_new(o, "window_instructions", integer(w->window_insns));
  json_object_set_new(o, "start_instruction", starts);
  for (unsigned k = 0; k < w->n_counters; k++) {
    json_t *values = json_array();
    for (size_t i = 0; i < w->n; i++) {
      double insns = w->window[i].insns ? (double)w->window[i].insns : 1;
      json_array_append_new(values, json_real((double)w->window[i].bits[k] / insns));
    }
    json_object_set_new(streams, w->tracer->counters[w->counter[k]].label, values);
  }
  json_object_set_new(o, "bits_per_instruction", streams);
  return o;
}

/* The fewest pins that lose nothing of a row; null when 32 do not suffice. */
static json_t *fewest_pins(const collector *c, size_t row) {
  size_t at = oct_port_search_fewest(c->search, row);
  return at < PINS_MAX ? integer(at + 1) : json_null();
}

static json_t *pins_json(const collector *c) {
  json_t *list = json_array();
  for (size_t d = 0; d < OCT_PIN_QUEUE_CLOCKS; d++) {
    json_t *o = json_object();
    json_object_set_new(o, "port_clock", json_real(1.0 / oct_pin_queue_dividers[d]));
    json_object_set_new(o, "pins", fewest_pins(c, d));
    json_object_set_new(o, "pins_with_largest_buffers", fewest_pins(c, ROW_LARGEST + d));
    json_array_append_new(list, o);
  }
  return list;
}

/* By clock and bytes of the queue; null when 32 pins do not suffice. */
static json_t *queue_json(const collector *c) {
  json_t *list = json_array();
  for (unsigned d = 0; d < OCT_PIN_QUEUE_CLOCKS; d++) {
    json_t *o = json_object(), *pins = json_object();
    for (size_t i = 0; i < COUNT(queue_bytes); i++) {
      char bytes[24];
      uint32_t n = oct_pin_queue_needs(&c->queue, d, queue_bytes[i]);
      snprintf(bytes, sizeof bytes, "%llu", (unsigned long long)queue_bytes[i]);
      json_object_set_new(pins, bytes, n ? integer(n) : json_null());
    }
    json_object_set_new(o, "port_clock", json_real(1.0 / oct_pin_queue_dividers[d]));
    json_object_set_new(o, "pins_by_queue_bytes", pins);
    json_array_append_new(list, o);
  }
  return list;
}

static json_t *depth_json(const collector *c, size_t first, const uint32_t *depths, size_t n) {
  const oct_tracer *t = c->tracer;
  json_t *list = json_array();
  for (size_t i = 0; i < n; i++) {
    uint64_t values[OCT_TRACER_COUNTERS_MAX];
    oct_port_search_counters(c->search, first + i, values);
    uint64_t lost = oct_tracer_count(t, values, "lost_insns"),
             all = oct_tracer_count(t, values, "insns") + lost;
    json_t *o = json_object();
    json_object_set_new(o, "depth", integer(depths[i]));
    json_object_set_new(o, "overflows", integer(oct_tracer_count(t, values, "overflows")));
    json_object_set_new(o, "lost_instructions", integer(lost));
    json_object_set_new(o, "lost_accesses", integer(oct_tracer_count(t, values, "lost_accesses")));
    json_object_set_new(o, "lost_traps", integer(oct_tracer_count(t, values, "lost_traps")));
    json_object_set_new(o, "loss", json_real(all ? (double)lost / (double)all : 0));
    json_array_append_new(list, o);
  }
  return list;
}

static json_t *loss_json(const collector *c) {
  json_t *o = json_object();
  size_t first = FIRST_DEPTH;
  for (unsigned b = 0; b < c->tracer->n_buffers; b++) {
    uint32_t depths[DEPTHS_MAX];
    size_t n = depths_of(c, b, depths);
    json_object_set_new(o, c->tracer->buffers[b].name, depth_json(c, first, depths, n));
    first += n;
  }
  return o;
}

/* The names of the user's files, or of those that the trace names. */
static const oct_symbols *symbols_of(const collector *c) {
  return c->symbols.n ? &c->symbols : c->o->symbols;
}

static json_t *missed_json(const collector *c) {
  oct_missed_stream *top = malloc((c->o->top + 1) * sizeof *top);
  int64_t n = top ? c->tracer->profile->top(c->misses, top, (size_t)c->o->top) : 0;
  json_t *list = json_array();
  for (int64_t i = 0; i < n; i++) {
    char addr[24], name[96], line[96];
    json_t *o = json_object();
    snprintf(addr, sizeof addr, "0x%llx", (unsigned long long)top[i].addr);
    oct_symbols_name(symbols_of(c), top[i].addr, name, sizeof name);
    json_object_set_new(o, "address", json_string(addr));
    json_object_set_new(o, "length", integer(top[i].insns));
    json_object_set_new(o, "misses", integer(top[i].misses));
    json_object_set_new(o, "executions", integer(top[i].executions));
    oct_symbols_line(symbols_of(c), top[i].addr, line, sizeof line);
    json_object_set_new(o, "symbol", oct_report_string(name));
    json_object_set_new(o, "source", oct_report_string(line));
    json_array_append_new(list, o);
  }
  free(top);
  return list;
}

/* What a port carries in a second, where an instruction retires in each cycle of the clock. */
static json_t *rate_json(double bits_per_insn, uint64_t clock_hz) {
  return json_real(bits_per_insn * (double)clock_hz / 1e9);
}

static void set_rates(json_t *o, double bits_per_insn, uint64_t clock_hz) {
  json_t *row;
  size_t i;
  json_object_set_new(o, "clock_hz", integer(clock_hz));
  json_object_set_new(o, "gbit_per_second", rate_json(bits_per_insn, clock_hz));
  json_array_foreach(json_object_get(o, "tracers"), i, row) {
    const double bits = json_number_value(json_object_get(row, "bits_per_insn"));
    json_object_set_new(row, "gbit_per_second", rate_json(bits, clock_hz));
  }
}

static json_t *make_json(const collector *c, const char *path) {
  const oct_tracer *t = c->tracer;
  const uint32_t *params = c->args.params;
  const oct_reported total = {t, params, c->counters, NULL};
  json_t *o = json_object();
  json_object_set_new(o, "trace", oct_report_string(oct_cli_input_name(path)));
  json_object_set_new(o, "tracer", json_string(t->name));
  json_object_set_new(o, "parameters", oct_report_params(t, params));
  if (c->source.found_align_bytes)
    json_object_set_new(o, "insn_align_bytes_found", integer(c->source.found_align_bytes));
  json_object_set_new(o, "total", oct_report_json(&total));
  json_object_set_new(o, "state", oct_report_state(t, params));
  json_object_set_new(o, "words", oct_report_words(t));
  json_object_set_new(o, "over_time", windows_json(&c->windows));
  if (c->misses) {
    json_object_set_new(o, "distinct_streams", integer(t->profile->count(c->misses)));
    json_object_set_new(o, "missed_streams", missed_json(c));
  }
  if (c->needs) {
    uint64_t values[OCT_TRACER_COUNTERS_MAX];
    const oct_reported cycle = {t, params, values, oct_port_needs_encoder(c->needs, 0)};
    oct_port_needs_counters(c->needs, 0, values);
    json_object_set_new(
        o, "cycle_instructions",
        integer(oct_tracer_count(t, values, "insns") + oct_tracer_count(t, values, "lost_insns")));
    json_object_set_new(o, "cycle", oct_report_json(&cycle));
    json_object_set_new(o, "pins_for_no_loss", pins_json(c));
    json_object_set_new(o, "loss_by_depth", loss_json(c));
    json_object_set_new(o, "loss_by_pins", oct_pins_loss_json(c->losses));
  }
  json_object_set_new(o, "pins_by_queue", queue_json(c));
  if (c->rows) {
    json_object_set_new(o, "tracers", oct_tracer_rows_json(c->rows));
    json_object_set_new(o, "tracers_refused", oct_tracer_rows_refused(c->rows));
    json_object_set_new(o, "tracers_note", oct_tracer_rows_note(c->rows, t, params));
  }
  const json_t *bits = json_object_get(json_object_get(o, "total"), "port_bits_per_instruction");
  if (c->o->clock_hz) set_rates(o, json_number_value(bits), c->o->clock_hz);
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
  c->tracer = c->args.tracer;
  c->cycle_left = o->cycle_insns ? o->cycle_insns : UINT64_MAX;
  int error = begin(c, path, diag);
  if (!error) error = run(c, diag);
  oct_progress_end(&c->args.progress);
  if (!error) error = oct_symbols_add_modules(&c->symbols, c->source.reader, &c->args.read, diag);
  if (!error) json = make_json(c, path);
  if (!error) oct_symbols_tell(&c->symbols, path);
  if (!error && oct_report_lacks_memory()) {
    oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    json_decref(json);
    json = NULL;
  }
  c->tracer->encoder.destroy(c->encoder);
  if (c->misses) c->tracer->profile->destroy(c->misses);
  oct_port_needs_free(c->needs);
  oct_port_search_free(c->search);
  oct_pins_loss_free(c->losses);
  oct_recording_free(&c->recording);
  if (c->rows) oct_tracer_rows_free(c->rows);
  free(c->rows);
  oct_symbols_free(&c->symbols);
  if (c->source.reader) oct_cli_close(&c->source, &c->args, !json);
  free(c);
  return json;
}
