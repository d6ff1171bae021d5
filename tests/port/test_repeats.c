/* SPDX-License-Identifier: Apache-2.0 */
/* test_repeats.c - blocks of a stream with whole syncs in them come twice, or in another order:
 * what is handed out stays in order, each instruction at most once and right, and no gap is longer
 * than the trace. */
#include "tracer_util.h"

#include "octrace/container.h"

enum { INSNS = 20000, PLACES = 12 };

/* The number of instructions that came. */
static uint64_t replay(const oct_tracer *t, const uint32_t *params, const test_trace *x,
                       const uint8_t *bytes, size_t n_bytes) {
  oct_replay *r;
  oct_decoded out;
  oct_gap gap;
  oct_diag diag = {0};
  uint64_t next = 0, n = 0;
  assert_int_equal(oct_replay_new(t, params, OCT_START_IN_STEP, NULL, &r, &diag), 0);
  assert_int_equal(oct_replay_map(r, x->updates, x->n_updates, &diag), 0);
  assert_int_equal(oct_replay_push(r, bytes, n_bytes, &diag), 0);
  oct_replay_finish(r);
  while (oct_replay_next(r, &out, &gap, &diag) > 0) {
    assert_true(out.first_insn >= next);
    next = out.first_insn + out.batch.n_insns + out.lost_insns;
    assert_true(next <= x->n_insns);
    for (size_t i = 0; i < out.batch.n_insns; i++, n++)
      assert_true(out.batch.insns[i].addr == x->insns[out.first_insn + i].addr);
  }
  oct_replay_free(r);
  return n;
}

static void repeat_blocks(const char *name, const char *settings, const test_trace *x) {
  const oct_tracer *t = oct_tracer_find(name);
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  fit_params(t, settings, x, params);
  test_stream s = encode_whole(t, params, x, NULL, 0);
  uint8_t *bytes = malloc(2 * s.n_bytes);
  assert_non_null(bytes);
  assert_int_equal(replay(t, params, x, s.bytes, s.n_bytes), INSNS);
  for (unsigned i = 0; i < PLACES; i++) {
    size_t n = 300 + below(1500), from = below(s.n_bytes - 2 * n);
    uint64_t got;
    memcpy(bytes, s.bytes, from + n); /* doubled */
    memcpy(bytes + from + n, s.bytes + from, s.n_bytes - from);
    got = replay(t, params, x, bytes, s.n_bytes + n);
    assert_true(got > INSNS / 2 && got <= INSNS);
    memcpy(bytes, s.bytes, s.n_bytes); /* swapped with the next one */
    memcpy(bytes + from, s.bytes + from + n, n);
    memcpy(bytes + from + n, s.bytes + from, n);
    got = replay(t, params, x, bytes, s.n_bytes);
    assert_true(got > INSNS / 4 && got <= INSNS);
  }
  free(bytes);
  free(s.bytes);
}

static void each_tracer(void **state) {
  (void)state;
  test_trace x = load_test_trace(TEST_SAMPLES "/threads.oct", INSNS);
  repeat_blocks("paper", "sync_period_bits=1024", &x);
  repeat_blocks("paper", "sync_period_bits=2048,check_period_bits=256", &x);
  repeat_blocks("shadow", "sync_bits=1024", &x);
  free_test_trace(&x);
}

int main(void) {
  seed_random("repeats");
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_tracer)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
