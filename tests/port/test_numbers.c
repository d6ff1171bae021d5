/* SPDX-License-Identifier: Apache-2.0 */
/* test_numbers.c - a stream may count any number of instructions, the highest one included: no
 * decoder takes a number for a mark of its own. */
#include "tracer_util.h"

#include "octrace/container.h"

/* In what an encoder holds, put another number for that of the instructions that came. */
static void renumber(const oct_tracer *t, void *e, uint64_t from, uint64_t to) {
  memory_state m = {.io.move = memory_state_save};
  unsigned n = 0;
  t->encoder.state(e, &m.io);
  for (size_t at = 0; at + sizeof from <= m.n; at++) {
    if (memcmp(m.bytes + at, &from, sizeof from) != 0) continue;
    memcpy(m.bytes + at, &to, sizeof to);
    n++;
  }
  if (!n) fail_msg("%s: an encoder does not count its instructions", t->name);
  m.io.move = memory_state_restore;
  t->encoder.state(e, &m.io);
  assert_int_equal(m.io.error, 0);
  free(m.bytes);
}

/* Follow a stream to its end: no sync's number is above what a trace can have, and none passes for
 * the mark of a port without checks. */
static void follow(const oct_tracer *t, const uint32_t *params, const test_trace *x,
                   oct_decoder_start start, const uint8_t *bytes, size_t n_bytes) {
  int check = oct_tracer_param(t, "check_bits");
  if (check < 0) check = oct_tracer_param(t, "check");
  const bool has_checks = check >= 0 && params[check];
  oct_replay *r;
  oct_decoded out;
  oct_gap gap;
  oct_diag diag = {0};
  int got;
  assert_int_equal(oct_replay_new(t, params, start, NULL, &r, &diag), 0);
  assert_int_equal(oct_replay_map(r, x->updates, x->n_updates, &diag), 0);
  assert_int_equal(oct_replay_push(r, bytes, n_bytes, &diag), 0);
  oct_replay_finish(r);
  while ((got = oct_replay_next(r, &out, &gap, &diag)) > 0) {
    assert_true(out.first_insn + out.batch.n_insns <= OCT_INSN_NUMBER_MAX + (uint64_t)x->n_insns);
    assert_true(!has_checks || out.confirmed_insns != UINT64_MAX);
  }
  oct_replay_free(r);
}

static void count_from(const char *name, const char *settings, const char *sample) {
  enum { FIRST = 4999, NEAR = 2 };
  char path[1024];
  snprintf(path, sizeof path, "%s/isa/%s.oct", TEST_SAMPLES, sample);
  test_trace x = load_test_trace(path, 2 * FIRST);
  const oct_tracer *t = oct_tracer_find(name);
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  fit_params(t, settings, &x, params);
  const uint64_t numbers[] = {0,          FIRST,      OCT_INSN_NUMBER_MAX,
                              UINT32_MAX, UINT64_MAX, UINT64_MAX >> 22};
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
    for (uint64_t number = numbers[i] - NEAR; number != numbers[i] + NEAR + 1; number++) {
      if (is_left_out()) continue;
      const oct_run_options run = {.engine = OCT_ENGINE_UNTIMED};
      test_stream s = {0};
      oct_diag diag = {0};
      void *e;
      assert_int_equal(t->encoder.create(params, &run, &e, &diag), 0);
      encode_part(t, e, &x, 0, FIRST, &s);
      assert_int_equal(t->encoder.flush(e, &diag), 0);
      take_bytes(t, e, &s);
      size_t n_first = s.n_bytes;
      renumber(t, e, FIRST, number);
      encode_part(t, e, &x, FIRST, x.n_insns, &s);
      (void)t->encoder.flush(e, &diag); /* it need not like the number either */
      take_bytes(t, e, &s);
      t->encoder.destroy(e);
      follow(t, params, &x, OCT_START_IN_STEP, s.bytes, s.n_bytes);
      follow(t, params, &x, OCT_START_IN_STEP, s.bytes + n_first, s.n_bytes - n_first);
      follow(t, params, &x, OCT_START_SEARCH, s.bytes + n_first, s.n_bytes - n_first);
      free(s.bytes);
    }
  free_test_trace(&x);
}

static void extreme_counts(void **state) {
  (void)state;
  count_from("raw", "sync_period_insns=300", "riscv64");
  count_from("etrace", "all,sync_period_insns=300,time_bits=64", "riscv64");
  count_from("etrace", "base,sync_period_insns=0", "riscv64");
  count_from("ntrace", "all,sync_period_insns=300", "riscv64");
  count_from("intel-pt", "sync_period_insns=300", "x86-64");
  count_from("etmv4", "sync_period_insns=300", "aarch64");
  count_from("paper", "sync_period_insns=300,addr_bits=64", "aarch64");
  count_from("paper", "sync_period_insns=300,addr_bits=64,check_bits=0", "aarch64");
  count_from("shadow", "sync_insns=300", "aarch64");
  count_from("shadow", "sync_insns=300,check=0", "aarch64");
}

int main(void) {
  seed_random("numbers");
  const struct CMUnitTest tests[] = {cmocka_unit_test(extreme_counts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
