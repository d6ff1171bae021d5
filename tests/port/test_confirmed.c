/* SPDX-License-Identifier: Apache-2.0 */
/* test_confirmed.c - each bit of a stream of many short periods flipped, alone: what is handed out
 * as confirmed is what was traced, at its place. In the mark of a sync the number counts, too: it
 * may say less than before. Of traps none is handed out that was not there, and none is missing
 * where no gap is told. */
#include "fault_traps.h"

#include "octrace/container.h"

enum { INSNS = 60 };

static void flip_each(const oct_tracer *t, const char *settings, const test_trace *x) {
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  oct_diag diag = {0};
  uint64_t confirmed = 0, n_traps_back = 0;
  fit_params(t, settings, x, params);
  size_t n_traps = 0;
  bool has_traps = oct_tracer_trap_parts(t, params);
  oct_trap *traps = has_traps ? make_fault_traps(t, params, x, &n_traps) : NULL;
  test_stream s = encode_whole(t, params, x, traps, n_traps);
  for (size_t bit = 0; bit < 8 * s.n_bytes; bit++) {
    oct_replay *r;
    oct_decoded out;
    oct_gap gap;
    fault_marks marks = {0};
    uint64_t next = 0;
    s.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    assert_int_equal(oct_replay_new(t, params, OCT_START_IN_STEP, NULL, &r, &diag), 0);
    assert_int_equal(oct_replay_map(r, x->updates, x->n_updates, &diag), 0);
    for (size_t at = 0; at <= s.n_bytes; at++) { /* as from a cable: a check may stand alone */
      if (at < s.n_bytes)
        assert_int_equal(oct_replay_push(r, s.bytes + at, 1, &diag), 0);
      else
        oct_replay_finish(r);
      while (oct_replay_next(r, &out, &gap, &diag) > 0) {
        take_fault_traps(&marks, traps, n_traps, &out, out.first_insn != next);
        marks.is_behind_gap |= out.is_gap || gap.error;
        if (out.batch.n_insns) next = out.first_insn + out.batch.n_insns;
        n_traps_back += out.batch.n_traps;
        for (size_t i = 0; i < out.batch.n_insns; i++, confirmed++)
          if (out.first_insn + i >= x->n_insns ||
              out.batch.insns[i].addr != x->insns[out.first_insn + i].addr)
            fail_msg("%s: bit %zu flipped: instruction %llu is wrong", t->name, bit,
                     (unsigned long long)(out.first_insn + i));
      }
    }
    if (marks.wrong)
      fail_msg("%s: bit %zu flipped: %llu traps are wrong or missing", t->name, bit,
               (unsigned long long)marks.wrong);
    oct_replay_free(r);
    s.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
  }
  assert_true(confirmed > 8 * s.n_bytes * INSNS / 4);
  assert_true(n_traps_back >= 8 * s.n_bytes * n_traps / 4);
  free(traps);
  free(s.bytes);
}

static void each_bit(void **state) {
  (void)state;
  test_trace x = load_test_trace(TEST_SAMPLES "/threads.oct", INSNS);
  flip_each(oct_tracer_find("paper"), "wide64,sl_bits=1,dasc_entries=1,sync_period_insns=7", &x);
  flip_each(oct_tracer_find("paper"), "sync_period_insns=8,check_bits=32,check_period_bits=128",
            &x);
  flip_each(oct_tracer_find("shadow"), "sync_insns=8", &x);
  flip_each(oct_tracer_find("paper"), "traps=1,sync_period_insns=30,check_period_bits=128", &x);
  flip_each(oct_tracer_find("paper"), "traps=1,sync_period_insns=7", &x);
  flip_each(oct_tracer_find("shadow"), "traps=1,sync_insns=8", &x);
  free_test_trace(&x);
}

int main(void) {
  seed_random("confirmed");
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_bit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
