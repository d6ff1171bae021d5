/* SPDX-License-Identifier: Apache-2.0 */
/* test_confirmed.c - each bit of a stream of many short periods flipped, alone: what is handed out
 * as confirmed is what was traced, at its place. In the mark of a sync the number counts, too: it
 * may say less than before. */
#include "tracer_util.h"

#include "oct_replay.h"

enum { INSNS = 60 };

static void flip_each(const oct_tracer *t, const char *settings, const test_trace *x) {
  const oct_run_options run = {.engine = OCT_ENGINE_UNTIMED, .cpi_milli = 1000};
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  bool given[OCT_TRACER_PARAMS_MAX] = {false};
  test_stream s = {.n_bytes = 0};
  oct_diag diag = {0};
  uint64_t confirmed = 0;
  oct_tracer_defaults(t, params);
  assert_int_equal(oct_tracer_parse(t, settings, params, given, &diag), 0);
  if (t->fit)
    assert_int_equal(t->fit(params, given, x->isa, x->addr_bits, x->align_bytes, &diag), 0);
  if (encode(t, params, &run, x, &s, &diag)) fail_msg("%s", diag.text);
  for (size_t bit = 0; bit < 8 * s.n_bytes; bit++) {
    oct_replay *r;
    oct_decoded out;
    oct_gap gap;
    s.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    assert_int_equal(oct_replay_new(t, params, OCT_START_IN_STEP, NULL, &r, &diag), 0);
    assert_int_equal(oct_replay_map(r, x->updates, x->n_updates, &diag), 0);
    for (size_t at = 0; at <= s.n_bytes; at++) { /* as from a cable: a check may stand alone */
      if (at < s.n_bytes)
        assert_int_equal(oct_replay_push(r, s.bytes + at, 1, &diag), 0);
      else
        oct_replay_finish(r);
      while (oct_replay_next(r, &out, &gap, &diag) > 0)
        for (size_t i = 0; i < out.batch.n_insns; i++, confirmed++)
          if (out.first_insn + i >= x->n_insns ||
              out.batch.insns[i].addr != x->insns[out.first_insn + i].addr)
            fail_msg("%s: bit %zu flipped: instruction %llu is wrong", t->name, bit,
                     (unsigned long long)(out.first_insn + i));
    }
    oct_replay_free(r);
    s.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
  }
  assert_true(confirmed > 8 * s.n_bytes * INSNS / 2);
  free(s.bytes);
}

static void each_bit(void **state) {
  (void)state;
  test_trace x = load_test_trace(TEST_SAMPLES "/threads.oct", INSNS);
  flip_each(oct_tracer_find("paper"), "wide64,sl_bits=1,dasc_entries=1,sync_period_insns=7", &x);
  flip_each(oct_tracer_find("paper"), "sync_period_insns=8,check_bits=32,check_period_bits=128",
            &x);
  flip_each(oct_tracer_find("shadow"), "sync_insns=8", &x);
  free_test_trace(&x);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_bit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
