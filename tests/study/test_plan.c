/* SPDX-License-Identifier: Apache-2.0 */
/* test_plan.c - do axes make the geometries they say, and windows the sums? */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../test_random.h"
#include "oct_config.h"
#include "octrace/sweep.h"
#include "oct_windows.h"

static oct_plan plan;
static oct_config base;

/* Parameters as the plan has them, until the next call. */
static const uint32_t *params_of(const oct_config *cfg) {
  static uint32_t params[OCT_CONFIG_PARAMS];
  oct_config_put(cfg, params);
  return params;
}

static const oct_config *geometry(size_t i) {
  static oct_config cfg;
  cfg = oct_config_of(plan.geometries[i].params);
  return &cfg;
}

static int set_up(void **state) {
  (void)state;
  oct_plan_init(&plan, oct_tracer_find("paper"));
  oct_config_init(&base);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  oct_plan_free(&plan);
  return 0;
}

/* The values that a parameter has in the plan, in order. */
static void expect_axis(const char *axis, const char *name, const uint32_t *values, size_t n) {
  const int parameter = oct_tracer_param(plan.tracer, name);
  oct_diag diag = {0};
  assert_int_equal(oct_plan_add_grid(&plan, params_of(&base), &axis, 1, &diag), 0);
  assert_int_equal(plan.n, n);
  for (size_t i = 0; i < n; i++) assert_int_equal(plan.geometries[i].params[parameter], values[i]);
  tear_down(NULL);
}

#define EXPECT_AXIS(axis, parameter, ...)                  \
  expect_axis(axis, #parameter, (uint32_t[]){__VA_ARGS__}, \
              sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void test_lists(void **state) {
  (void)state;
  EXPECT_AXIS("sc_sets=8..64", sc_sets, 8, 16, 32, 64);
  EXPECT_AXIS("dasc_ways=0..4", dasc_ways, 0, 1, 2, 4);
  EXPECT_AXIS("thb_depth=3..6", thb_depth, 3, 4, 5, 6);
  EXPECT_AXIS("thb_depth=10..100+40,7", thb_depth, 10, 50, 90, 7);
  EXPECT_AXIS("thb_depth=1..30*3", thb_depth, 1, 3, 9, 27);
  EXPECT_AXIS("sync_period_insns=4294967295", sync_period_insns, 4294967295u);
  EXPECT_AXIS("sc_repl=random,0,plru", sc_repl, 3, 0, 2);
  EXPECT_AXIS("sc_index_fn=paper,fold,concat,sa", sc_index_fn, 0, 1, 2, 3);
  EXPECT_AXIS("sc_entries=4..16", sc_sets, 1, 2, 4);
  EXPECT_AXIS("sc_sets=8,8", sc_sets, 8); /* the same once */
}

static void test_cross_product(void **state) {
  const char *const axes[] = {"sc_ways=1,2", "sc_entries=2,4", "ntuple_n=0,4"};
  const char *const wide[] = {"dasc_entries=1..65536"};
  oct_diag diag = {0};
  (void)state;
  assert_int_equal(oct_plan_add_grid(&plan, params_of(&base), axes, 3, &diag), 0);
  assert_int_equal(plan.n, 8);
  assert_int_equal(geometry(1)->ntuple_n, 4); /* the last axis changes first */
  assert_int_equal(geometry(2)->sc_sets, 4);
  assert_int_equal(geometry(7)->sc_sets, 2);
  plan.max_state_bytes = 4000;
  assert_int_equal(oct_plan_add_grid(&plan, params_of(&base), wide, 1, &diag), 0);
  assert_int_equal(plan.n, 8 + 9); /* 1 to 256 entries */
  assert_int_equal(plan.n_too_large, 8);
}

static void test_illegal(void **state) {
  const char *const axes[] = {"ntuple_n=8,16", "sc_sets=1,3,1024"};
  oct_diag diag = {0};
  (void)state;
  assert_int_equal(oct_plan_add_grid(&plan, params_of(&base), axes, 2, &diag), 0);
  assert_int_equal(plan.n, 4);
  assert_int_equal(plan.n_left_out, 2);
  assert_string_equal(
      plan.left_out[0],
      "illegal geometry left out: ntuple_n=8,sc_sets=3: sc_sets=3: expected a power of two");
}

static void test_illegal_alone(void **state) {
  const char *const axis = "sc_sets=3";
  oct_diag diag = {0};
  (void)state;
  assert_int_equal(oct_plan_add_grid(&plan, params_of(&base), &axis, 1, &diag), 0);
  assert_string_equal(plan.left_out[0],
                      "illegal geometry left out: sc_sets=3: expected a power of two");
}

static void test_too_many(void **state) {
  const char *const axes[] = {"thb_depth=1..1023", "stride_bits=1..32", "task_bits=1..32"};
  oct_diag diag = {0};
  (void)state;
  plan.max_state_bytes = 1; /* nothing is kept */
  assert_int_equal(oct_plan_add_grid(&plan, params_of(&base), axes, 2, &diag), 0);
  assert_int_equal(plan.n_too_large, 1023 * 32);
  assert_int_equal(
      oct_plan_add_grid(&plan, params_of(&base),
                        (const char *[]){"sc_sets=3..4000+2", "thb_depth=1..3", "sc_ways=5,6"}, 3,
                        &diag),
      0);
  assert_int_equal(plan.n_left_out, 1999 * 3 * 2); /* counted, and the first of them kept */
  assert_string_equal(plan.left_out[OCT_PLAN_LEFT_OUT_MAX - 1],
                      "illegal geometry left out: sc_sets=23,thb_depth=2,sc_ways=6: sc_sets=23: "
                      "expected a power of two");
  assert_int_equal(oct_plan_add_grid(
                       &plan, params_of(&base),
                       (const char *[]){"thb_depth=1..1023", "stride_bits=1..32", "task_bits=1..32",
                                        "addr_bits=32..64", "rep_pattern_bits=1..32"},
                       5, &diag),
                   OCT_ERR_LIMIT);
  assert_int_equal(
      oct_plan_add_grid(&plan, params_of(&base), (const char *[]){"thb_depth=0..9999"}, 1, &diag),
      OCT_ERR_LIMIT);
}

static void test_pareto(void **state) {
  const double x[] = {1, 2, 3, 3, 4, 2}, y[] = {9, 5, 5, 4, 4, 5};
  const bool wanted[] = {true, true, false, true, false, true};
  const bool none[6] = {false}, all[] = {true, true, true, true, true, true};
  /* Without the lossy points at 3 and 2 the one at 4 is on the front. */
  const bool some[] = {false, true, true, true, false, false};
  const bool wanted_of_some[] = {true, false, false, false, true, true};
  bool front[6];
  (void)state;
  assert_int_equal(oct_pareto(x, y, none, 6, front), 0);
  assert_memory_equal(front, wanted, sizeof front);
  assert_int_equal(oct_pareto(x, y, some, 6, front), 0);
  assert_memory_equal(front, wanted_of_some, sizeof front);
  assert_int_equal(oct_pareto(x, y, all, 6, front), 0); /* nothing better is to be had */
  assert_memory_equal(front, wanted, sizeof front);
  assert_int_equal(oct_pareto(x, y, none, 0, front), 0);
}

/* The fronts as they are defined, of random points with many ties, and of groups of them. */
static void test_pareto_random(void **state) {
  enum { POINTS = 60, ROUNDS = 500 };
  (void)state;
  seed_random("test_plan");
  for (int round = 0; round < ROUNDS; round++) {
    double x[POINTS], y[POINTS];
    bool lossy[POINTS], front[POINTS], of_groups[POINTS], any = false;
    uint32_t group[POINTS];
    for (int i = 0; i < POINTS; i++) {
      x[i] = (double)below(12);
      y[i] = (double)below(12);
      lossy[i] = below(4) == 0 || round == 0;
      any |= !lossy[i];
      group[i] = (uint32_t)below(1 + (uint64_t)round % 5) << 20;
    }
    assert_int_equal(oct_pareto(x, y, lossy, POINTS, front), 0);
    assert_int_equal(oct_pareto_of_groups(x, y, lossy, group, POINTS, of_groups), 0);
    for (int i = 0; i < POINTS; i++) {
      bool wanted = !any || !lossy[i], wanted_of_group = !lossy[i];
      for (int k = 0; k < POINTS; k++) {
        if (x[k] > x[i] || y[k] > y[i] || (x[k] >= x[i] && y[k] >= y[i])) continue;
        if (!any || !lossy[k]) wanted = false;
        if (!lossy[k] && group[k] == group[i]) wanted_of_group = false;
      }
      assert_int_equal(front[i], wanted);
      assert_int_equal(of_groups[i], wanted_of_group);
    }
  }
}

/* A picture has a line for each number of ways, else for each value of what has few. */
static void test_lines(void **state) {
  static const struct {
    const char *axes[2], *line;
  } cases[] = {{{"sc_sets=8..256", "sc_ways=1,2,4"}, "sc_ways"},
               {{"sc_ways=1,2,4", "thb_depth=3,7"}, "sc_ways"},
               {{"dasc_ways=1,2", "thb_depth=3..63"}, "dasc_ways"},
               {{"thb_depth=3..63", "ntuple_n=0,4"}, "ntuple_n"},
               {{"thb_depth=3,7", "stride_bits=8..16"}, "thb_depth"},
               {{"thb_depth=3..63", "stride_bits=1..16"}, NULL},
               {{"thb_depth=3..63", "ntuple_n=4"}, NULL},
               {{"sc_ways=1,2", "ntuple_n=4"}, "sc_ways"}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    oct_diag diag = {0};
    const oct_tracer *t = plan.tracer;
    assert_int_equal(oct_plan_add_grid(&plan, params_of(&base), cases[i].axes, 2, &diag), 0);
    int line = oct_plan_line_param(t, plan.geometries, plan.n);
    if (cases[i].line)
      assert_string_equal(line < 0 ? "none" : t->params[line].name, cases[i].line);
    else
      assert_int_equal(line, -1);
    oct_plan_free(&plan);
    oct_plan_init(&plan, t);
  }
  assert_int_equal(oct_plan_line_param(plan.tracer, NULL, 0), -1);
}

/* A geometry of several grids stands where it first came up. */
static void test_duplicates(void **state) {
  const char *const first[] = {"thb_depth=40,3,900,3", "sc_ways=4,1,4"};
  const char *const second[] = {"sc_ways=8,1", "thb_depth=2,3,40"};
  const uint32_t wanted[][2] = {{40, 4},  {40, 1}, {3, 4}, {3, 1},  {900, 4},
                                {900, 1}, {2, 8},  {3, 8}, {40, 8}, {2, 1}};
  const size_t n = sizeof wanted / sizeof *wanted;
  const char *const many[] = {"thb_depth=1..1023", "stride_bits=1..32", "ntuple_n=1,2"};
  oct_diag diag = {0};
  (void)state;
  assert_int_equal(oct_plan_add_grid(&plan, params_of(&base), first, 2, &diag), 0);
  assert_int_equal(oct_plan_add_grid(&plan, params_of(&base), second, 2, &diag), 0);
  assert_int_equal(plan.n, n);
  for (size_t i = 0; i < n; i++) {
    assert_int_equal(geometry(i)->thb_depth, wanted[i][0]);
    assert_int_equal(geometry(i)->sc_ways, wanted[i][1]);
  }
  for (int round = 0; round < 2; round++) {
    assert_int_equal(oct_plan_add_grid(&plan, params_of(&base), many, 3, &diag), 0);
    assert_int_equal(plan.n, n + (size_t)1023 * 32 * 2);
  }
  /* The limit is of distinct ones: what is there may come up again, what is new may not. */
  const char *const few[] = {"rep_pattern_bits=1..5", "task_bits=1..10"};
  assert_int_equal(oct_plan_add_grid(&plan, params_of(&base), few, 2, &diag), 0);
  assert_int_equal(
      oct_plan_add_grid(&plan, params_of(&base), (const char *[]){"task_bits=17..32"}, 1, &diag),
      OCT_ERR_LIMIT);
  assert_int_equal(plan.n, OCT_PLAN_MAX);
  assert_int_equal(oct_plan_add_grid(&plan, params_of(&base), many, 3, &diag), 0);
  assert_int_equal(oct_plan_add_grid(&plan, params_of(&base), few, 2, &diag), 0);
}

/* However long a trace is, all is in some window, and none but the last is short. */
static void test_windows(void **state) {
  static oct_windows w;
  const oct_tracer *t = oct_tracer_find("paper");
  uint64_t counters[OCT_TRACER_COUNTERS_MAX] = {0};
  uint64_t *insns = &counters[oct_tracer_counter(t, "insns")], seen = 0;
  unsigned dt = 0, pad = 0; /* of the port's counters */
  (void)state;
  oct_windows_init(&w, t);
  while (strcmp(t->counters[w.counter[dt]].label, "DT") && dt + 1 < w.n_counters) dt++;
  while (strcmp(t->counters[w.counter[pad]].label, "pad") && pad + 1 < w.n_counters) pad++;
  assert_true(dt + 1 < w.n_counters);
  assert_string_equal(t->counters[w.counter[pad]].label, "pad");
  while (*insns < 3000000) {
    uint64_t n = oct_windows_room(&w);
    assert_true(n > 0);
    n = n > 777 ? 777 : n;
    *insns += n;
    counters[w.counter[dt]] += 3 * n;
    oct_windows_take(&w, counters);
  }
  counters[w.counter[pad]] += 5; /* the flush brings bits without instructions */
  oct_windows_take(&w, counters);
  for (size_t i = 0; i < w.n; i++) {
    if (i + 1 < w.n) assert_int_equal(w.window[i].insns, w.window_insns);
    assert_int_equal(w.window[i].bits[dt], 3 * w.window[i].insns);
    seen += w.window[i].insns;
  }
  assert_int_equal(seen, *insns);
  assert_int_equal(w.window[w.n - 1].bits[pad], 5);
  assert_in_range(w.n, OCT_WINDOWS_MAX / 2, OCT_WINDOWS_MAX);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_lists),         TEST(test_cross_product), TEST(test_illegal),
      TEST(test_illegal_alone), TEST(test_too_many),      TEST(test_pareto),
      TEST(test_pareto_random), TEST(test_lines),         TEST(test_duplicates),
      TEST(test_windows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
