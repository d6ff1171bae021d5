/* SPDX-License-Identifier: Apache-2.0 */
/* test_scheme.c - are the rules, thresholds, corrections and name spaces those of the paper? */
#include "events_util.h"
#include "oct_ev_location.h"
#include "oct_ev_match.h"
#include "oct_ev_survey.h"

enum { N = 1000 };

static void feed(oct_ev_location *l, const char *calls, uint32_t max_order) {
  for (uint64_t t = 10; *calls; calls++, t += 10) {
    if (*calls >= 'a')
      assert_int_equal(oct_ev_location_enter(l, t, (uint32_t)(*calls - 'a')), 0);
    else
      assert_int_equal(oct_ev_location_leave(l, t, (uint32_t)(*calls - 'A'), max_order), 0);
  }
}

/* Small letters enter, capitals leave: figure 1 of the paper, by each rule. */
static void test_rules(void **state) {
  (void)state;
  oct_ev_location l = {0};
  feed(&l, "cC", N);
  assert_int_equal(l.n_items, 1);
  assert_int_equal(l.metas.v[l.items[0].meta].rule, OCT_EV_RULE_PAIR);
  assert_int_equal(l.metas.v[l.items[0].meta].order, 2);
  feed(&l, "bcCB", N);
  assert_int_equal(l.n_items, 2);
  const oct_ev_meta *around = &l.metas.v[l.items[1].meta];
  assert_int_equal(around->rule, OCT_EV_RULE_AROUND);
  assert_int_equal(around->a, 1);
  assert_int_equal(around->b, l.items[0].meta); /* the same call has the same token */
  assert_int_equal(around->order, 4);
  feed(&l, "bcCdDcCB", N);
  const oct_ev_meta *m = &l.metas.v[l.items[2].meta];
  assert_int_equal(m->rule, OCT_EV_RULE_AROUND);
  assert_int_equal(m->order, 8);
  m = &l.metas.v[m->b]; /* rule 3 twice for three parts, from the left */
  assert_int_equal(m->rule, OCT_EV_RULE_JOIN);
  assert_int_equal(m->order, 6);
  assert_int_equal(m->b, l.items[0].meta);
  m = &l.metas.v[m->a];
  assert_int_equal(m->rule, OCT_EV_RULE_JOIN);
  assert_int_equal(m->order, 4);
  assert_int_equal(oct_ev_location_join(&l, N), 0);
  assert_int_equal(l.n_items, 1);
  assert_int_equal(l.metas.v[l.items[0].meta].order, 14);
  oct_ev_location_free(&l);
}

/* Leaves of any open call, of calls that are not open, and of functions with the highest numbers,
 * held against a plain stack. Memory goes with the calls, not with the numbers of functions. */
static void test_open_calls(void **state) {
  enum { DEEP = 600, STEPS = 20000 };
  (void)state;
  seed_random("open calls");
  for (int round = 0; round < 20; round++) {
    oct_ev_location l = {0};
    uint32_t stack[DEEP], depth = 0, most = 2 + below32(round % 2 ? 4 : 900);
    uint64_t stray = 0, lost = 0;
    for (uint64_t t = 0; t < STEPS; t++) {
      uint32_t function = OCT_EV_NAMES_MAX - 1 - below32(most);
      bool is_same = depth && below32(20);
      if (depth < DEEP && below32(2)) {
        stack[depth++] = function;
        assert_int_equal(oct_ev_location_enter(&l, t, function), 0);
      } else {
        if (is_same) function = stack[depth - 1];
        assert_int_equal(oct_ev_location_leave(&l, t, function, N), 0);
        uint32_t at = depth;
        while (at && stack[at - 1] != function) at--;
        stray += !at;
        lost += at ? depth - at : 0;
        if (at) depth = at - 1;
      }
      assert_int_equal(l.depth, depth);
      assert_int_equal(l.stray_leaves, stray);
      assert_int_equal(l.lost_leaves, lost);
    }
    assert_true(stray > 0 && lost > 0);
    assert_true(l.n_open_slots <= 8 * DEEP);
    oct_ev_location_free(&l);
  }
}

static void test_maximum_order(void **state) {
  (void)state;
  oct_ev_location l = {0};
  feed(&l, "abBbBA", 6);
  assert_int_equal(l.n_items, 1);
  oct_ev_location_clear(&l);
  feed(&l, "abBbBA", 5); /* the call is too long: its events stay, what is inside is joined */
  assert_int_equal(l.n_items, 4);
  assert_int_equal(oct_ev_location_join(&l, 5), 0);
  assert_int_equal(l.n_items, 3);
  assert_int_equal(l.items[0].meta, OCT_EV_NONE);
  assert_int_equal(l.metas.v[l.items[1].meta].order, 4);
  assert_int_equal(l.items[2].meta, OCT_EV_NONE);
  oct_ev_location_clear(&l);
  feed(&l, "aABbc", N); /* a stray leave and an open call stay plain */
  assert_int_equal(l.n_items, 4);
  assert_int_equal(l.stray_leaves, 1);
  oct_ev_location_free(&l);
}

/* A matcher for one meta-event, and occurrences with given time differences. */
typedef struct bench {
  oct_ev_match m;
  oct_ev_params p;
  uint64_t times[4000];
  oct_ev_occurrence o[100];
  uint32_t n, order;
} bench;

static void bench_init(bench *b, uint32_t order, uint64_t t_abs, uint32_t t_rel_ppm) {
  memset(b, 0, sizeof *b);
  oct_ev_params_init(&b->p, 0);
  b->p.t_abs_ticks = t_abs;
  b->p.t_rel_ppm = t_rel_ppm;
  b->order = order;
  oct_ev_match_reset(&b->m, &b->p, b->times);
  b->m.corrections_cap = 0;
  assert_int_equal(oct_ev_match_begin(&b->m, 0, order), 0);
}

/* Add an occurrence whose differences are all d, but x at place at. Returns its pattern. */
static uint32_t bench_add(bench *b, uint64_t d, uint32_t at, uint64_t x) {
  uint32_t first = b->n * b->order;
  for (uint32_t i = 0; i + 1 < b->order; i++)
    b->times[first + i + 1] = b->times[first + i] + (i == at ? x : d);
  b->o[++b->n] = (oct_ev_occurrence){.event = first};
  if (b->n > 1) b->o[b->n - 1].next = b->n;
  assert_int_equal(oct_ev_match_add(&b->m, &b->o[b->n]), 0);
  return b->o[b->n].pattern;
}

static void test_thresholds(void **state) {
  (void)state;
  static bench b;
  bench_init(&b, 4, 10, 0); /* Tabs alone: 10 is similar, 11 is not */
  assert_int_equal(bench_add(&b, 100, 0, 100), 0);
  assert_int_equal(bench_add(&b, 100, 1, 110), 0);
  assert_int_equal(bench_add(&b, 100, 1, 90), 0);
  assert_int_equal(bench_add(&b, 100, 1, 111), 1);
  assert_int_equal(bench_add(&b, 100, 1, 106), 1); /* the best fit of two that are similar */
  assert_int_equal(bench_add(&b, 100, 1, 105), 0);
  oct_ev_match_free(&b.m);
  bench_init(&b, 4, 0, 200000); /* Trel alone: a fifth of the representative */
  assert_int_equal(bench_add(&b, 1000, 0, 50), 0);
  assert_int_equal(bench_add(&b, 1200, 0, 60), 0);
  assert_int_equal(bench_add(&b, 1000, 0, 61), 1);
  assert_int_equal(bench_add(&b, 800, 0, 40), 0);
  assert_int_equal(bench_add(&b, 799, 0, 40), 2);
  oct_ev_match_free(&b.m);
  bench_init(&b, 4, 20, 100000); /* one threshold for all components: no mixture of both */
  assert_int_equal(bench_add(&b, 1000, 0, 50), 0);
  assert_int_equal(bench_add(&b, 1090, 0, 65), 1);
  oct_ev_match_free(&b.m);
}

static void test_corrections(void **state) {
  (void)state;
  static bench b;
  bench_init(&b, 21, 10, 0);
  assert_int_equal(bench_add(&b, 100, 0, 100), 0);
  assert_int_equal(bench_add(&b, 101, 7, 5000), 0); /* one disturbed component of twenty */
  const uint32_t *c = b.m.corrections + b.o[2].corrections;
  assert_int_equal(c[0], 1);
  assert_int_equal(c[1], 7);
  assert_int_equal(bench_add(&b, 300, 0, 300), 1); /* all are different: another pattern */
  assert_int_equal(bench_add(&b, 99, 3, 100), 0);
  assert_int_equal(b.o[4].corrections, 0);
  oct_ev_match_keep(&b.m, b.o, 1);
  assert_int_equal(b.m.patterns[0].count, 3);
  assert_int_equal(b.m.patterns[0].disturbed, 1);
  assert_true(b.m.patterns[0].t_abs_ticks <= 10);
  oct_ev_match_free(&b.m);
  /* The first one is the disturbed one: in the end it is the one that is corrected. */
  bench_init(&b, 21, 10, 0);
  bench_add(&b, 100, 7, 5000);
  for (int i = 0; i < 9; i++) assert_int_equal(bench_add(&b, 100, 7, 102), 0);
  assert_int_equal(b.m.patterns[0].corrections, 9);
  assert_int_equal(oct_ev_match_refit(&b.m, b.o, 1), 0);
  assert_int_equal(b.m.patterns[0].corrections, 1);
  assert_true(b.o[1].corrections != 0);
  assert_int_equal(b.m.vectors[7], 102);
  oct_ev_match_free(&b.m);
}

/* A loop of equal calls: e events of one pattern of order n. */
static void loop(events *t, uint32_t locations, uint32_t times) {
  memset(t, 0, sizeof *t);
  name_all(t, 40, locations);
  for (uint32_t i = 0; i < times; i++)
    for (uint32_t l = 0; l < locations; l++)
      for (uint32_t k = 0; k < 64; k++)
        add_event(t, 10000u * i + 10 * k, l, k < 32 ? k : 63 - k,
                  k < 32 ? OCT_EV_ENTER : OCT_EV_LEAVE, NULL);
}

static void test_accounting(void **state) {
  (void)state;
  events t;
  oct_ev_params p;
  oct_ev_counts c;
  loop(&t, 1, 1500);
  oct_ev_params_init(&p, 0);
  p.max_order = 64;
  free(compress_events(&t, &p, &c).p);
  assert_int_equal(c.events, 96000);
  assert_int_equal(c.patterns, 1);
  assert_int_equal(c.metas, 32);
  assert_int_equal(c.occurrences, 1500);
  assert_int_equal(c.plain_events, 0);
  assert_int_equal(oct_ev_size_before(&c), 18 * 96000);
  assert_int_equal(oct_ev_size_after(&c), 23 * 32 + 26 + 8 * 64 + 30 * 1500);
  double k = (double)oct_ev_size_before(&c) / (double)oct_ev_size_after(&c);
  assert_true(k / oct_ev_theory(96000, 64, 32) > 0.999999);
  assert_true(k / oct_ev_theory(96000, 64, 32) < 1.000001);
  assert_true(oct_ev_theory(1e12, 64, 32) > 0.6 * 64 * 0.999); /* Eq. 9 */
  free_events(&t);
}

/* Threads that do the same have tokens of their own, and one definition in the end. */
static void test_name_spaces(void **state) {
  (void)state;
  events t;
  oct_ev_params p;
  oct_ev_counts c;
  oct_ev_reader *r;
  oct_ev_survey s;
  oct_diag diag = {0};
  loop(&t, 3, 200);
  oct_ev_params_init(&p, 0);
  p.max_order = 64;
  file_bytes f = compress_events(&t, &p, &c);
  assert_int_equal(c.patterns, 1);
  assert_int_equal(c.metas, 32);
  assert_int_equal(c.occurrences, 600);
  assert_int_equal(oct_ev_reader_open_memory(f.p, f.n, 0, &r, &diag), 0);
  assert_int_equal(oct_ev_survey_make(r, 100, &s, &diag), 0);
  assert_int_equal(s.n_groups, 1);
  assert_int_equal(s.groups[0].occurrences, 600);
  assert_int_equal(s.groups[0].n_locations, 3);
  assert_int_equal(s.groups[0].mean_ticks, 630);
  assert_int_equal(s.groups[0].covered_ticks, 600 * 630);
  char *tree = oct_ev_group_tree(&s.groups[0], oct_ev_reader_defs(r), 3, 99);
  assert_string_equal(tree, "f0\n  f1\n    ...\n");
  free(tree);
  oct_ev_survey_free(&s);
  oct_ev_reader_close(r);
  free(f.p);
  free_events(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rules),         cmocka_unit_test(test_open_calls),
      cmocka_unit_test(test_maximum_order), cmocka_unit_test(test_thresholds),
      cmocka_unit_test(test_corrections),   cmocka_unit_test(test_accounting),
      cmocka_unit_test(test_name_spaces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
