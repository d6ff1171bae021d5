/* SPDX-License-Identifier: Apache-2.0 */
/* test_port_search.c - does a search of pins and depths find what all of its points together say?
 *
 * Random traces, tracers and cores: the search over a recording against all points at once. */
#include "../port/tracer_util.h"

#include "oct_port_search.h"

enum { ROUNDS_MIN = 6, ROUNDS_MAX = 80, FOUND_MIN = 3 };
enum {
  PINS = 24,
  CLOCKS = 3,
  DEPTHS = 8,
  ROWS = 2 * CLOCKS + 1,
  POINTS = 2 * CLOCKS * PINS + DEPTHS
};

typedef struct scene {
  const oct_tracer *tracer;
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  oct_run_options run;
  test_trace x;
  oct_port_point points[POINTS];
  oct_port_row rows[ROWS];
  size_t n_points;
} scene;

static void put_pins(scene *s, const uint32_t *params, int row) {
  for (int d = 0; d < CLOCKS; d++) {
    s->rows[row + d] = (oct_port_row){.first = s->n_points,
                                      .n = PINS,
                                      .no_earlier_than = d ? row + d - 1 : OCT_PORT_ROW_NONE,
                                      .no_later_than = row ? d : OCT_PORT_ROW_NONE,
                                      .times = 2};
    for (uint32_t p = 1; p <= PINS; p++) {
      oct_port_point *point = &s->points[s->n_points++];
      memcpy(point->params, params, sizeof point->params);
      point->params[oct_tracer_role(s->tracer, OCT_ROLE_PORT_PINS)] = p;
      point->clock_divider = 1u << d;
    }
  }
}

/* Pins at three clocks, the same with the largest buffers, depths of one buffer. */
static void make_points(scene *s) {
  const oct_tracer *t = s->tracer;
  uint32_t largest[OCT_TRACER_PARAMS_MAX];
  memcpy(largest, s->params, sizeof largest);
  for (unsigned b = 0; b < t->n_buffers; b++) {
    int i = oct_tracer_param(t, t->buffers[b].param);
    largest[i] = t->params[i].max;
  }
  put_pins(s, s->params, 0);
  put_pins(s, largest, CLOCKS);
  const unsigned b = (unsigned)below(t->n_buffers);
  const oct_param *p = &t->params[oct_tracer_param(t, t->buffers[b].param)];
  oct_port_row *row = &s->rows[2 * CLOCKS];
  *row = (oct_port_row){s->n_points, 0, .wants_losses = true, .buffer = b};
  for (uint64_t depth = 1; depth <= p->max && row->n < DEPTHS; depth *= 2) {
    if (depth < p->min) continue;
    oct_port_point *point = &s->points[s->n_points++];
    *point = (oct_port_point){.clock_divider = 1};
    memcpy(point->params, s->params, sizeof point->params);
    point->params[p - t->params] = (uint32_t)depth;
    row->n++;
  }
}

static void random_scene(scene *s) {
  const char *const settings[] = {"paper",           "small",  "small,port_pins=1",
                                  "paper-pipelined", "shadow", "shadow-tiny"};
  memset(s, 0, sizeof *s);
  unsigned which = (unsigned)below(6);
  s->tracer = oct_tracer_find(which < 4 ? "paper" : "shadow");
  const uint32_t most_milli = 2u << below(18), cpi_milli = 1000 + below32(most_milli);
  /* Few instructions of a slow core, which runs at each point. */
  uint64_t n_insns = 300 + below(cpi_milli < 32000 ? 2000 : 64000000 / cpi_milli),
           is_wide = below(2);
  s->x = random_test_trace(is_wide ? 64 : 32, 4, n_insns);
  fit_params(s->tracer, settings[which], &s->x, s->params);
  s->run = (oct_run_options){.arrival = below(4) ? OCT_ARRIVAL_CPI : OCT_ARRIVAL_FULL};
  s->run.cpi_milli = cpi_milli;
  s->run.stall_milli = below(3) ? 0 : below32(400);
  s->run.seed = below(1000);
  make_points(s);
}

static oct_port_search *new_search(const scene *s) {
  oct_port_search *search;
  oct_diag diag = {0};
  if (oct_port_search_new(s->tracer, s->points, s->n_points, s->rows, ROWS, &s->run, &search,
                          &diag))
    fail_msg("%s", oct_diag_line(&diag).text);
  return search;
}

static void grows(void *context, double part) {
  double *last = context;
  assert_true(part >= *last && part <= 1);
  *last = part;
}

static void as_all_points(void **state) {
  (void)state;
  unsigned n_between = 0, n_lossy = 0;
  seed_random("as all points");
  /* Until enough answers lie between none and all. */
  for (int round = 0;
       round < ROUNDS_MAX && (round < ROUNDS_MIN || n_between < FOUND_MIN || n_lossy < FOUND_MIN);
       round++) {
    static scene s;
    oct_diag diag = {0};
    oct_recording recording = {0};
    double part = 0;
    if (is_left_out()) continue;
    random_scene(&s);
    const oct_tracer_input in = {.insns = s.x.insns,
                                 .n_insns = s.x.n_insns,
                                 .accesses = s.x.accesses,
                                 .n_accesses = s.x.n_accesses,
                                 .updates = s.x.updates,
                                 .n_updates = s.x.n_updates};
    oct_port_search *few = new_search(&s), *all = new_search(&s);
    assert_int_equal(oct_port_search_put(all, &in, &diag), 0);
    oct_port_search_end(all);
    assert_int_equal(oct_recording_put(&recording, &in, &diag), 0);
    assert_int_equal(recording.n_insns, s.x.n_insns);
    if (below(2)) { /* something is known before */
      uint64_t values[OCT_TRACER_COUNTERS_MAX];
      size_t i = s.rows[ROWS - 1].first + below(s.rows[ROWS - 1].n);
      oct_port_search_counters(all, i, values);
      oct_port_search_know(few, oct_port_search_point(all, i), values);
    }
    assert_int_equal(oct_port_search_run(few, &recording, grows, &part, &diag), 0);
    assert_true(part > 0.999);
    for (size_t r = 0; r < ROWS; r++) {
      size_t want = oct_port_search_fewest(all, r);
      assert_int_equal(oct_port_search_fewest(few, r), want);
      n_between += want && want < s.rows[r].n;
    }
    for (size_t i = 0; i < s.rows[ROWS - 1].n; i++) {
      static const char *const counted[] = {"insns", "overflows", "lost_insns", "lost_accesses"};
      uint64_t a[OCT_TRACER_COUNTERS_MAX], b[OCT_TRACER_COUNTERS_MAX];
      oct_port_search_counters(all, s.rows[ROWS - 1].first + i, a);
      oct_port_search_counters(few, s.rows[ROWS - 1].first + i, b);
      for (unsigned k = 0; k < sizeof counted / sizeof *counted; k++)
        assert_int_equal(oct_tracer_count(s.tracer, a, counted[k]),
                         oct_tracer_count(s.tracer, b, counted[k]));
      n_lossy += oct_tracer_count(s.tracer, a, "overflows") != 0;
    }
    oct_recording_free(&recording);
    oct_port_search_free(few);
    oct_port_search_free(all);
    free_test_trace(&s.x);
  }
  assert_true(runs_share() || (n_between >= FOUND_MIN && n_lossy >= FOUND_MIN));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_all_points)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
