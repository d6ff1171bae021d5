/* SPDX-License-Identifier: Apache-2.0 */
/* oct_port_search.c - how many pins and how deep buffers a trace needs, by few runs of the cycle
 * engine.
 *
 * The first point of a row that loses nothing is looked for from where it is expected, in steps
 * that double until it is known to lie between two points, and then by halves. A run ends at its
 * first loss. Where the losses themselves are asked, the points run in turn until one loses
 * nothing, or its buffer was never more than half full: a larger one would do the same then, since
 * stages ask of a buffer only whether it has room, and whether it is at most half full. */
#include "oct_port_search.h"

#include <stdlib.h>
#include <string.h>

enum {
  RUNS_OF_A_SEARCH = 4, /* about, for the progress */
  HALF_MIN = 8          /* words or bytes: stages may ask for room for some at once */
};

typedef enum port_known {
  NOT_KNOWN,
  IS_LOSSY,
  IS_WHOLE /* its counters are of all the trace */
} port_known;

typedef struct port_answer {
  port_known known;
  uint32_t never_half; /* a bit for each buffer that was never half full */
  uint64_t values[OCT_TRACER_COUNTERS_MAX];
} port_answer;

struct oct_port_search {
  const oct_tracer *tracer;
  oct_run_options options;
  size_t n_points, n_rows;
  oct_port_point *points;
  port_answer *answers;
  oct_port_row *rows;
  size_t *fewest;      /* by row */
  oct_port_needs *all; /* points at once, without a recording */
  /* While it runs: */
  const oct_recording *recording;
  void (*moved)(void *context, double part);
  void *context;
  uint64_t work, work_done; /* runs, about */
};

static int no_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

static bool loses(const oct_port_search *s, const uint64_t *values) {
  return oct_tracer_count(s->tracer, values, "overflows") != 0;
}

int oct_port_search_new(const oct_tracer *t, const oct_port_point *points, size_t n_points,
                        const oct_port_row *rows, size_t n_rows, const oct_run_options *options,
                        oct_port_search **out, oct_diag *diag) {
  oct_port_search *s = calloc(1, sizeof *s);
  *out = NULL;
  if (!s) return no_memory(diag);
  *s = (oct_port_search){.tracer = t, .options = *options, .n_points = n_points, .n_rows = n_rows};
  s->options.find_depths = 0;
  s->points = malloc((n_points + 1) * sizeof *s->points);
  s->answers = calloc(n_points + 1, sizeof *s->answers);
  s->rows = malloc((n_rows + 1) * sizeof *s->rows);
  s->fewest = calloc(n_rows + 1, sizeof *s->fewest);
  if (!s->points || !s->answers || !s->rows || !s->fewest) {
    oct_port_search_free(s);
    return no_memory(diag);
  }
  memcpy(s->points, points, n_points * sizeof *points);
  memcpy(s->rows, rows, n_rows * sizeof *rows);
  for (size_t r = 0; r < n_rows; r++) {
    for (size_t i = 0; i < rows[r].n; i++)
      s->points[rows[r].first + i].end_at_loss = !rows[r].wants_losses;
    s->work += rows[r].wants_losses ? rows[r].n : RUNS_OF_A_SEARCH;
  }
  *out = s;
  return 0;
}

void oct_port_search_free(oct_port_search *s) {
  if (!s) return;
  oct_port_needs_free(s->all);
  free(s->points);
  free(s->answers);
  free(s->rows);
  free(s->fewest);
  free(s);
}

static bool are_equal(const oct_port_search *s, const oct_port_point *a, const oct_port_point *b) {
  return a->clock_divider == b->clock_divider &&
         !memcmp(a->params, b->params, s->tracer->n_params * sizeof *a->params);
}

static void know(oct_port_search *s, const oct_port_point *point, port_known known,
                 uint32_t never_half, const uint64_t *values) {
  for (size_t i = 0; i < s->n_points; i++) {
    if (s->answers[i].known == IS_WHOLE || !are_equal(s, &s->points[i], point)) continue;
    s->answers[i].known = known;
    s->answers[i].never_half = never_half;
    memcpy(s->answers[i].values, values, s->tracer->n_counters * sizeof *values);
  }
}

void oct_port_search_know(oct_port_search *s, const oct_port_point *point, const uint64_t *values) {
  know(s, point, IS_WHOLE, 0, values);
}

static void tell(const oct_port_search *s, double runs) {
  if (s->moved) s->moved(s->context, ((double)s->work_done + runs) / (double)s->work);
}

/* The buffers that a run of this point never had half full. */
static uint32_t find_never_half(const oct_port_search *s, const oct_port_point *point,
                                const void *encoder) {
  const oct_tracer *t = s->tracer;
  uint64_t cycles[OCT_OCCUPANCY_LEVELS_MAX];
  uint32_t found = 0;
  for (unsigned b = 0; b < t->n_buffers && b < OCT_PORT_NO_BUFFER; b++) {
    const int size = oct_tracer_param(t, t->buffers[b].param);
    const unsigned n = t->encoder.occupancy(encoder, b, cycles);
    unsigned level = n / 2;
    while (level < n && !cycles[level]) level++;
    if (n && level == n && point->params[size] >= 2 * HALF_MIN) found |= UINT32_C(1) << b;
  }
  return found;
}

/* Point i over the recording, to its end or its first loss. runs: those of its row before it. */
static int run_point(oct_port_search *s, size_t i, size_t runs, oct_diag *diag) {
  uint64_t values[OCT_TRACER_COUNTERS_MAX];
  const oct_recording *r = s->recording;
  const bool ends = s->points[i].end_at_loss;
  oct_port_needs *needs;
  uint64_t n_done = 0;
  int error = oct_port_needs_new(s->tracer, &s->points[i], 1, &s->options, &needs, diag);
  if (error) return error;
  oct_port_needs_counters(needs, 0, values);
  for (size_t k = 0; k < r->n && !error && !(ends && loses(s, values)); k++) {
    error = oct_port_needs_put(needs, &r->inputs[k], diag);
    oct_port_needs_counters(needs, 0, values);
    n_done += r->inputs[k].n_insns;
    tell(s, (double)runs + (double)n_done / (double)(r->n_insns ? r->n_insns : 1));
  }
  if (!error)
    know(s, &s->points[i], ends && loses(s, values) ? IS_LOSSY : IS_WHOLE,
         find_never_half(s, &s->points[i], oct_port_needs_encoder(needs, 0)), values);
  oct_port_needs_free(needs);
  return error;
}

/* What the points of the row lose, in turn. Those behind the last one that runs are as it. */
static int run_in_turn(oct_port_search *s, size_t row, oct_diag *diag) {
  const oct_port_row *r = &s->rows[row];
  size_t k = 0;
  for (; k < r->n; k++) {
    const port_answer *a = &s->answers[r->first + k];
    int error = a->known == IS_WHOLE ? 0 : run_point(s, r->first + k, k, diag);
    if (error) return error;
    if (!loses(s, a->values) || a->never_half >> r->buffer & 1) break;
  }
  s->fewest[row] = k < r->n && !loses(s, s->answers[r->first + k].values) ? k : r->n;
  for (size_t i = k + 1; i < r->n; i++)
    know(s, &s->points[r->first + i], IS_WHOLE, 0, s->answers[r->first + k].values);
  return 0;
}

/* The row's first point without loss. */
static int run_search(oct_port_search *s, size_t row, oct_diag *diag) {
  const oct_port_row *r = &s->rows[row];
  const port_answer *answers = s->answers + r->first;
  size_t from = r->no_earlier_than < 0 ? 0 : s->fewest[r->no_earlier_than], guess = r->times * from;
  size_t to = r->no_later_than < 0 ? r->n : s->fewest[r->no_later_than], step = 1;
  bool has_lossy = false, has_lossless = false;
  for (size_t k = 0; k < r->n; k++) {
    if (answers[k].known == NOT_KNOWN) continue;
    if (loses(s, answers[k].values))
      from = k + 1 > from ? k + 1 : from;
    else
      to = k < to ? k : to;
  }
  for (size_t runs = 0; from < to; runs++) {
    size_t k = from + (to - from) / 2;
    if (!runs)
      k = guess < from ? from : guess < to ? guess : to - 1;
    else if (!has_lossy)
      k = to - from > step ? to - step : from;
    else if (!has_lossless)
      k = to - from > step ? from + step - 1 : to - 1;
    step *= runs ? 2 : 1;
    int error =
        run_point(s, r->first + k, runs < RUNS_OF_A_SEARCH ? runs : RUNS_OF_A_SEARCH - 1, diag);
    if (error) return error;
    if (loses(s, answers[k].values)) {
      from = k + 1;
      has_lossy = true;
    } else {
      to = k;
      has_lossless = true;
    }
  }
  s->fewest[row] = to;
  return 0;
}

int oct_port_search_run(oct_port_search *s, const oct_recording *recording,
                        void (*moved)(void *context, double part), void *context, oct_diag *diag) {
  int error = 0;
  s->recording = recording;
  s->moved = moved;
  s->context = context;
  for (size_t r = 0; r < s->n_rows && !error; r++) {
    const oct_port_row *row = &s->rows[r];
    error = row->wants_losses ? run_in_turn(s, r, diag) : run_search(s, r, diag);
    s->work_done += row->wants_losses ? row->n : RUNS_OF_A_SEARCH;
    tell(s, 0);
  }
  return error;
}

uint64_t oct_port_search_work(const oct_port_search *s) {
  return s->work;
}

int oct_port_search_put(oct_port_search *s, const oct_tracer_input *in, oct_diag *diag) {
  int error =
      s->all ? 0
             : oct_port_needs_new(s->tracer, s->points, s->n_points, &s->options, &s->all, diag);
  return error ? error : oct_port_needs_put(s->all, in, diag);
}

void oct_port_search_end(oct_port_search *s) {
  for (size_t i = 0; s->all && i < s->n_points; i++)
    oct_port_needs_counters(s->all, i, s->answers[i].values);
  for (size_t r = 0; r < s->n_rows; r++) {
    const oct_port_row *row = &s->rows[r];
    size_t k = 0;
    while (k < row->n && loses(s, s->answers[row->first + k].values)) k++;
    s->fewest[r] = k;
  }
}

size_t oct_port_search_fewest(const oct_port_search *s, size_t row) {
  return s->fewest[row];
}

void oct_port_search_counters(const oct_port_search *s, size_t i, uint64_t *values) {
  memcpy(values, s->answers[i].values, s->tracer->n_counters * sizeof *values);
}

const oct_port_point *oct_port_search_point(const oct_port_search *s, size_t i) {
  return &s->points[i];
}
