/* SPDX-License-Identifier: Apache-2.0 */
/* test_stack_distance.c - are stack distances those of the definition, and do the misses that
 * follow from them come out of the cache filter too? */
#include "test_util.h"

#include "octrace/cache.h"

/* Distances by going back through the trace, for small traces: misses of one cache. */
static uint64_t brute_misses(const uint64_t *addrs, size_t n, uint32_t sets, uint32_t ways,
                             uint32_t line_bytes) {
  uint64_t misses = 0;
  for (size_t i = 0; i < n; i++) {
    uint64_t block = addrs[i] / line_bytes, seen[512];
    size_t n_seen = 0, k = i;
    bool found = false;
    while (k-- && !found && n_seen < ways) {
      uint64_t b = addrs[k] / line_bytes;
      bool again = b % sets != block % sets;
      found = b == block;
      for (size_t s = 0; s < n_seen && !again; s++) again = seen[s] == b;
      if (!found && !again) seen[n_seen++] = b;
    }
    misses += !found;
  }
  return misses;
}

/* Addresses: a mixture of hot blocks, strides and noise. */
static uint64_t *make_addrs(size_t n, uint64_t spread) {
  uint64_t *addrs = malloc(n * sizeof *addrs), walk = 0;
  for (size_t i = 0; i < n; i++) {
    uint64_t kind = below(4);
    walk += kind == 0 ? 64 : 0;
    addrs[i] = kind == 0   ? walk % (spread * 64)
               : kind == 1 ? 64 * below(8)
               : kind == 2 ? 64 * below(spread)
                           : UINT64_MAX - 64 * below(spread);
    if (kind == 2) addrs[i] += below(64);
  }
  return addrs;
}

static oct_stack_distance *put_all(const oct_stack_level_config *levels, unsigned n_levels,
                                   uint32_t line_bytes, const uint64_t *addrs, size_t n) {
  oct_stack_distance *s;
  oct_diag diag;
  if (oct_stack_distance_new(levels, n_levels, line_bytes, &s, &diag))
    fail_msg("%s", oct_diag_line(&diag).text);
  for (size_t i = 0, part; i < n; i += part) {
    part = 1 + below(100);
    if (part > n - i) part = n - i;
    assert_int_equal(oct_stack_distance_put(s, addrs + i, part), 0);
  }
  assert_int_equal(oct_stack_distance_addresses(s), n);
  return s;
}

static void against_brute_force(void **state) {
  (void)state;
  seed_random("against brute force");
  for (int round = 0; round < 30; round++) {
    if (is_left_out()) continue;
    oct_stack_level_config levels[5];
    unsigned n_levels = (unsigned)(1 + below(5)), sets = 1u << below(3);
    uint32_t line_bytes = 1u << below(8);
    size_t n = (size_t)(1 + below(1200));
    uint64_t *addrs = make_addrs(n, 1 + below(120));
    for (unsigned i = 0; i < n_levels; i++, sets <<= 1 + below(2))
      levels[i] = (oct_stack_level_config){sets, below(2) ? 0 : (uint32_t)(1 + below(40))};
    oct_stack_distance *s = put_all(levels, n_levels, line_bytes, addrs, n);
    for (unsigned i = 0; i < n_levels; i++) {
      uint32_t most = levels[i].ways ? levels[i].ways : 300;
      for (uint32_t ways = 1; ways <= most; ways += 1 + ways / 4) {
        uint64_t want = brute_misses(addrs, n, levels[i].sets, ways, line_bytes);
        uint64_t got = oct_stack_distance_misses(s, i, ways);
        if (want != got)
          fail_msg("round %d, %u sets, %u of %u ways: %llu misses, not %llu", round, levels[i].sets,
                   ways, levels[i].ways, (unsigned long long)got, (unsigned long long)want);
      }
      if (levels[i].ways)
        assert_true(oct_stack_distance_misses(s, i, levels[i].ways + 1) == UINT64_MAX);
      assert_true(oct_stack_distance_misses(s, i, 0) == UINT64_MAX);
    }
    assert_true(oct_stack_distance_misses(s, n_levels, 1) == UINT64_MAX);
    oct_stack_distance_free(s);
    free(addrs);
  }
}

/* Long enough for times to be given anew many times over; both kinds of level, and the filter. */
static void against_the_filter(void **state) {
  (void)state;
  enum { N = 60000, LEVELS = 7, WAYS = 24 };
  seed_random("against the filter");
  if (!is_chosen()) return;
  uint64_t *addrs = make_addrs(N, 3000);
  oct_access *accesses = calloc(N, sizeof *accesses);
  oct_insn *insns = calloc(N, sizeof *insns);
  oct_stack_level_config bounded[LEVELS], unbounded[LEVELS];
  for (unsigned i = 0; i < LEVELS; i++) {
    bounded[i] = (oct_stack_level_config){1u << 2 * i, WAYS};
    unbounded[i] = (oct_stack_level_config){1u << 2 * i, 0};
  }
  for (size_t i = 0; i < N; i++) {
    accesses[i].addr = addrs[i];
    insns[i] = (oct_insn){.size_bytes = 4, .n_access = 1};
  }
  oct_stack_distance *b = put_all(bounded, LEVELS, 64, addrs, N);
  oct_stack_distance *u = put_all(unbounded, LEVELS, 64, addrs, N);
  assert_int_equal(oct_stack_distance_blocks(b), oct_stack_distance_blocks(u));
  for (unsigned i = 0; i < LEVELS; i++)
    for (uint32_t ways = 1; ways <= WAYS; ways++) {
      uint64_t misses = oct_stack_distance_misses(b, i, ways);
      oct_cache_filter_config c = {
          .has_data_cache = true,
          .data_cache = {UINT64_C(64) * ways * bounded[i].sets, ways, 64, OCT_CACHE_LRU, true}};
      oct_batch batch = {insns, N, accesses, N, NULL, 0, NULL, 0, NULL, 0, NULL, 0};
      oct_cache_filter *f;
      oct_filtered m;
      assert_int_equal(misses, oct_stack_distance_misses(u, i, ways));
      assert_int_equal(oct_cache_filter_new(&c, &f, NULL), 0);
      assert_int_equal(oct_cache_filter_put(f, &batch, &m), 0);
      assert_int_equal(misses, oct_cache_filter_data_counts(f)->misses);
      assert_int_equal(misses, m.n_blocks);
      oct_cache_filter_free(f);
    }
  /* A cache that holds everything misses each block once. */
  assert_int_equal(oct_stack_distance_misses(u, 0, 1u << 20), oct_stack_distance_blocks(u));
  oct_stack_distance_free(b);
  oct_stack_distance_free(u);
  free(addrs);
  free(accesses);
  free(insns);
}

static void bad_configurations(void **state) {
  (void)state;
  oct_stack_level_config levels[OCT_STACK_LEVELS_MAX + 1] = {{2, 4}, {1, 4}};
  oct_stack_distance *s;
  oct_diag diag;
  assert_int_equal(oct_stack_distance_new(levels, 2, 64, &s, &diag), OCT_ERR_CONFIG);
  assert_int_equal(oct_stack_distance_new(levels, 0, 64, &s, &diag), OCT_ERR_CONFIG);
  assert_int_equal(oct_stack_distance_new(levels, OCT_STACK_LEVELS_MAX + 1, 64, &s, &diag),
                   OCT_ERR_CONFIG);
  assert_int_equal(oct_stack_distance_new(levels, 1, 48, &s, &diag), OCT_ERR_CONFIG);
  assert_int_equal(oct_stack_distance_new(levels, 1, 0, &s, &diag), OCT_ERR_CONFIG);
  levels[0].sets = 3;
  assert_int_equal(oct_stack_distance_new(levels, 1, 64, &s, &diag), OCT_ERR_CONFIG);
  levels[0] = (oct_stack_level_config){2, OCT_STACK_WAYS_MAX + 1};
  assert_int_equal(oct_stack_distance_new(levels, 1, 64, &s, &diag), OCT_ERR_CONFIG);
  assert_null(s);
  /* Nothing taken yet. */
  levels[0].ways = 0;
  assert_int_equal(oct_stack_distance_new(levels, 1, 64, &s, &diag), 0);
  assert_int_equal(oct_stack_distance_misses(s, 0, 5), 0);
  oct_stack_distance_free(s);
  oct_stack_distance_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(against_brute_force),
      cmocka_unit_test(against_the_filter),
      cmocka_unit_test(bad_configurations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
