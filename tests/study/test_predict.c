/* SPDX-License-Identifier: Apache-2.0 */
/* test_predict.c - predictors learn what their descriptions say, and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../test_random.h"
#include "oct_predict.h"

enum { BIMODAL, GSHARE, TAGE, KINDS, BRANCHES = 60000 };

/* Misses in percent of the second half of the branches of `at`, each of which next() gives. */
static void run(uint64_t (*next)(uint64_t i, bool *is_taken), uint64_t at, double *percent) {
  static oct_counters bimodal, gshare;
  static oct_tage tage;
  uint64_t misses[KINDS] = {0}, n = 0;
  oct_counters_init(&bimodal, 0);
  oct_counters_init(&gshare, 15);
  oct_tage_init(&tage);
  for (uint64_t i = 0; i < BRANCHES; i++) {
    bool is_taken;
    uint64_t pc = next(i, &is_taken);
    bool is_counted = pc == at && i > BRANCHES / 2;
    n += is_counted;
    misses[BIMODAL] += (oct_counters_predict(&bimodal, pc, is_taken) != is_taken) & is_counted;
    misses[GSHARE] += (oct_counters_predict(&gshare, pc, is_taken) != is_taken) & is_counted;
    misses[TAGE] += (oct_tage_predict(&tage, pc, is_taken) != is_taken) & is_counted;
  }
  for (int k = 0; k < KINDS; k++) percent[k] = 100.0 * (double)misses[k] / (double)n;
}

static uint64_t coin(uint64_t i, bool *is_taken) {
  (void)i;
  *is_taken = below(2);
  return 100;
}

static uint64_t biased(uint64_t i, bool *is_taken) {
  *is_taken = below(100) < 95;
  return 100 + i % 8;
}

/* A loop of 12 turns: its end shows in 12 outcomes. */
static uint64_t loop_12(uint64_t i, bool *is_taken) {
  *is_taken = i % 12 != 11;
  return 100;
}

/* A loop of 67 turns: beyond the history of gshare. */
static uint64_t loop_67(uint64_t i, bool *is_taken) {
  *is_taken = i % 67 != 66;
  return 100;
}

/* Branch 200 repeats a coin that was thrown 40 branches before; those in between are constant. */
static uint64_t echo(uint64_t i, bool *is_taken) {
  static bool thrown;
  uint64_t turn = i % 41;
  if (!turn) thrown = below(2);
  *is_taken = !turn || turn == 40 ? thrown : turn & 1;
  return turn == 40 ? 200 : 100 + turn;
}

static void test_budget(void **state) {
  (void)state;
  assert_int_equal(OCT_TAGE_TABLES * (1 << OCT_TAGE_INDEX_BITS) * OCT_TAGE_ENTRY_BITS +
                       2 * (1 << OCT_TAGE_BASE_BITS),
                   OCT_PREDICT_BITS);
}

static void test_patterns(void **state) {
  (void)state;
  double p[KINDS];
  run(coin, 100, p);
  for (int k = 0; k < KINDS; k++) assert_true(p[k] > 45 && p[k] < 55);
  run(biased, 100, p);
  for (int k = 0; k < KINDS; k++) assert_true(p[k] > 2 && p[k] < 13);
  assert_true(p[BIMODAL] < 7);
  run(loop_12, 100, p);
  assert_true(p[BIMODAL] > 8 && p[GSHARE] < 0.1 && p[TAGE] < 0.1);
  run(loop_67, 100, p);
  assert_true(p[GSHARE] > 1.3 && p[TAGE] < 0.2);
  run(echo, 200, p);
  assert_true(p[BIMODAL] > 40 && p[GSHARE] > 40 && p[TAGE] < 3);
}

/* Folded histories are those of the bits themselves. */
static void test_folds(void **state) {
  (void)state;
  static oct_tage t;
  static bool outcomes[1000];
  oct_tage_init(&t);
  for (int i = 0; i < 1000; i++) {
    outcomes[i] = below(2);
    oct_tage_predict(&t, below(4096), outcomes[i]);
    for (int k = 0; k < OCT_TAGE_TABLES; k++) {
      const oct_tage_fold *f = &t.tag[0][k];
      uint32_t want = 0;
      for (unsigned age = 0; age < f->length && age <= (unsigned)i; age++)
        want ^= (uint32_t)outcomes[i - (int)age] << age % f->bits;
      assert_int_equal(f->value, want);
    }
  }
}

static void test_targets(void **state) {
  (void)state;
  static oct_targets targets;
  static oct_returns returns;
  assert_false(oct_targets_predict(&targets, 8, 100));
  assert_true(oct_targets_predict(&targets, 8, 100));
  assert_false(oct_targets_predict(&targets, 8 + OCT_TARGETS, 100));
  assert_false(oct_targets_predict(&targets, 8, 100));
  for (uint64_t i = 0; i < OCT_RETURNS + 2; i++) oct_returns_push(&returns, 1000 + i);
  for (uint64_t i = OCT_RETURNS + 2; i-- > 2;) assert_true(oct_returns_predict(&returns, 1000 + i));
  assert_false(oct_returns_predict(&returns, 1001));
}

int main(void) {
  seed_random("test_predict");
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_budget), cmocka_unit_test(test_patterns),
                                     cmocka_unit_test(test_folds), cmocka_unit_test(test_targets)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
