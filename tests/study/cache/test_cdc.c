/* SPDX-License-Identifier: Apache-2.0 */
/* test_cdc.c - does the address predictor do what its definition says? */
#include "test_util.h"

#include <stdbool.h>

#include "octrace/cache.h"

/* Blocks of one zone, numbered: what the predictor counts of them. */
static oct_cdc_counts count(const oct_cdc_config *config, const uint64_t *blocks, size_t n) {
  oct_cdc *p;
  oct_diag diag;
  if (oct_cdc_new(config, &p, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  for (size_t i = 0; i < n; i++) {
    uint64_t addr = blocks[i] * 64 + i % 64; /* the offset in a line does not count */
    oct_cdc_put(p, &addr, 1);
  }
  oct_cdc_counts counts = *oct_cdc_result(p);
  oct_cdc_free(p);
  return counts;
}

static void assert_result(oct_cdc_counts c, uint64_t correct, uint64_t incorrect,
                          uint64_t not_predicted) {
  assert_int_equal(c.correct, correct);
  assert_int_equal(c.incorrect, incorrect);
  assert_int_equal(c.not_predicted, not_predicted);
}

#define COUNT(config, ...)                       \
  count(config, (const uint64_t[]){__VA_ARGS__}, \
        sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

/* Two deltas are the key, so that three addresses make the first key, and the fourth can be the
 * first to find it further back. */
static void by_hand(void **state) {
  (void)state;
  const oct_cdc_config *d = &oct_cdc_defaults;
  assert_int_equal(d->zone_bytes, 65536);
  assert_int_equal(d->index_entries, 256);
  assert_int_equal(d->ghb_entries, 256);
  assert_int_equal(d->key_deltas, 2);
  /* Stride 1: after 0 1 2 3 the key (1,1) stands at the deltas of 3,2 and of 2,1: 4 is predicted.
   */
  assert_result(COUNT(d, 0, 1, 2, 3), 0, 0, 4);
  assert_result(COUNT(d, 0, 1, 2, 3, 4), 1, 0, 4);
  assert_result(COUNT(d, 0, 1, 2, 3, 4, 5, 6), 3, 0, 4);
  /* Deltas 1 2 5 1 2: at 11 the key (1 2) is found, 5 came after it: 16. Then (2 5) and (5 1). */
  assert_result(COUNT(d, 0, 1, 3, 8, 9, 11), 0, 0, 6);
  assert_result(COUNT(d, 0, 1, 3, 8, 9, 11, 16), 1, 0, 6);
  assert_result(COUNT(d, 0, 1, 3, 8, 9, 11, 17), 0, 1, 6);
  assert_result(COUNT(d, 0, 1, 3, 8, 9, 11, 16, 17, 19), 3, 0, 6);
  /* After a wrong prediction the new key (2 6) is not known, and nothing is predicted. */
  assert_result(COUNT(d, 0, 1, 3, 8, 9, 11, 17, 18), 0, 1, 7);
  /* The newest of two matches counts: 1 2 was followed by 5, later by 7. */
  assert_result(COUNT(d, 0, 1, 3, 8, 9, 11, 18, 19, 21, 28), 1, 1, 8);
  /* Negative deltas. */
  assert_result(COUNT(d, 50, 49, 47, 46, 44, 43), 1, 0, 5);
  assert_result(count(d, NULL, 0), 0, 0, 0);
}

/* Zones are kept apart: 1024 blocks each; 256 zones further on they share an index entry. */
static void zones(void **state) {
  (void)state;
  oct_cdc_config one = oct_cdc_defaults;
  const uint64_t z = 1024;
  /* Two strides in turn, each predicted from its fifth address on. */
  assert_result(COUNT(&one, 0, z, 1, z + 3, 2, z + 6, 3, z + 9, 4, z + 12, 5), 3, 0, 8);
  /* The same where both zones have one entry: neither ever has a chain. */
  one.index_entries = 1;
  assert_result(COUNT(&one, 0, z, 1, z + 3, 2, z + 6, 3, z + 9, 4, z + 12, 5), 0, 0, 11);
  assert_result(COUNT(&oct_cdc_defaults, 0, 256 * z, 1, 256 * z + 3, 2, 256 * z + 6, 3, 4, 5), 0, 0,
                9);
  /* One zone that is as large as both: other deltas, no key comes back. */
  one.index_entries = 256;
  one.zone_bytes *= 2;
  assert_result(COUNT(&one, 0, z, 1, z + 3, 2, z + 6, 3, z + 9, 4, z + 12, 5), 0, 0, 11);
}

/* What the ring has run over is forgotten, the prediction made before is not. */
static void history(void **state) {
  (void)state;
  oct_cdc_config c = oct_cdc_defaults;
  const uint64_t z = 1024;
  c.ghb_entries = 4; /* 0 1 2 3 just fit */
  assert_result(COUNT(&c, 0, 1, 2, 3, 4, 5), 2, 0, 4);
  assert_result(COUNT(&c, 0, 1, 2, 3, z, 4), 1, 0, 5);
  assert_result(COUNT(&c, 0, 1, 2, z, 3, 4), 0, 0, 6);
  assert_result(COUNT(&c, 0, 1, 2, 3, z, 4, 5), 1, 0, 6);
  c.ghb_entries = 3;
  assert_result(COUNT(&c, 0, 1, 2, 3, 4, 5), 0, 0, 6);
  /* A key of one delta needs one address fewer. */
  c.key_deltas = 1;
  assert_result(COUNT(&c, 0, 1, 2, 3, 4, 5), 3, 0, 3);
}

/* The definition over whole lists, without rings and links. */
static oct_cdc_counts naive(const oct_cdc_config *c, const uint64_t *blocks, size_t n) {
  oct_cdc_counts counts = {0, 0, 0};
  uint64_t *owner = malloc(c->index_entries * sizeof *owner),
           *chain = malloc((n + 1) * sizeof *chain);
  size_t *since = calloc(c->index_entries, sizeof *since); /* when the owner took the entry */
  bool *predicts = calloc(c->index_entries, sizeof *predicts);
  uint64_t *prediction = calloc(c->index_entries, sizeof *prediction);
  uint64_t zone_blocks = c->zone_bytes / c->line_bytes;
  memset(owner, 0xff, c->index_entries * sizeof *owner);
  for (size_t i = 0; i < n; i++) {
    uint64_t zone = blocks[i] / zone_blocks, e = zone % c->index_entries;
    if (owner[e] != zone) predicts[e] = false, since[e] = i;
    owner[e] = zone;
    if (!predicts[e])
      counts.not_predicted++;
    else if (prediction[e] == blocks[i])
      counts.correct++;
    else
      counts.incorrect++;
    size_t length = 0;
    for (size_t k = i + 1; k-- > since[e] && i - k < c->ghb_entries;)
      if (blocks[k] / zone_blocks == zone) chain[length++] = blocks[k];
    predicts[e] = false;
    for (size_t m = 1; m + c->key_deltas < length && !predicts[e]; m++) {
      bool same = true;
      for (size_t d = 0; d < c->key_deltas; d++)
        same &= chain[d] - chain[d + 1] == chain[m + d] - chain[m + d + 1];
      predicts[e] = same;
      prediction[e] = blocks[i] + chain[m - 1] - chain[m];
    }
  }
  free(owner);
  free(chain);
  free(since);
  free(predicts);
  free(prediction);
  return counts;
}

static void against_the_definition(void **state) {
  (void)state;
  enum { N = 3000 };
  uint64_t blocks[N];
  seed_random("against the definition");
  for (int round = 0; round < 30; round++) {
    oct_cdc_config c = {.line_bytes = 64};
    c.zone_bytes = 64u << below(12);
    c.index_entries = 1u << below(5);
    c.ghb_entries = (uint32_t)(2 + below(60));
    c.key_deltas = (uint32_t)(1 + below(4));
    uint64_t at = 0;
    for (size_t i = 0; i < N; i++) {
      at = below(9) ? at + 1 + (below(2) ? below(3) : 0) : below(4096);
      blocks[i] = at;
    }
    oct_cdc_counts want = naive(&c, blocks, N), got = count(&c, blocks, N);
    print_message("%llu right, %llu wrong\n", (unsigned long long)want.correct,
                  (unsigned long long)want.incorrect);
    assert_result(got, want.correct, want.incorrect, want.not_predicted);
  }
}

static void bad_configurations(void **state) {
  (void)state;
  oct_cdc_config wrong[8];
  oct_cdc *p;
  oct_diag diag;
  for (int i = 0; i < 8; i++) wrong[i] = oct_cdc_defaults;
  wrong[0].zone_bytes = 32;
  wrong[1].zone_bytes = 65537;
  wrong[2].line_bytes = 0;
  wrong[3].index_entries = 0;
  wrong[4].index_entries = 3;
  wrong[5].ghb_entries = 1;
  wrong[6].key_deltas = 0;
  wrong[7].key_deltas = OCT_CDC_KEY_MAX + 1;
  for (int i = 0; i < 8; i++) {
    assert_int_equal(oct_cdc_new(&wrong[i], &p, &diag), OCT_ERR_CONFIG);
    assert_null(p);
  }
  oct_cdc_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(by_hand),
      cmocka_unit_test(zones),
      cmocka_unit_test(history),
      cmocka_unit_test(against_the_definition),
      cmocka_unit_test(bad_configurations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
