/* SPDX-License-Identifier: Apache-2.0 */
/* test_stamps.c - do time stamps of `shadow` come back: of each instruction that is due one and has
 * one, and of no other, from the trace and from the machine, over syncs, flushes and losses? */
#include "../port/tracer_util.h"

extern const oct_tracer oct_tracer_shadow;
static const oct_tracer *const t = &oct_tracer_shadow;

/* A core that mostly takes what the same instruction took before; some stamps are not known. */
static void stamp(test_trace *x, unsigned missing_percent, bool is_wild) {
  uint64_t cycle = below(2) ? 0 : random_magnitude() >> 8;
  for (size_t i = 0; i < x->n_insns; i++) {
    oct_insn *insn = &x->insns[i];
    cycle += 1 + (insn->addr >> 2) % 3 + insn->n_access;
    if (below(20) == 0) cycle += below(100);
    if (is_wild && below(50) == 0) cycle += random_magnitude() >> 12;
    insn->cycle = cycle;
    if (below(100) >= missing_percent) insn->flags |= OCT_INSN_HAS_CYCLE;
  }
}

static test_stream compress(const uint32_t *params, const oct_run_options *run,
                            const test_trace *x) {
  test_stream s = {.bytes = NULL};
  oct_diag diag;
  void *e;
  size_t half = below(x->n_insns);
  if (t->encoder.create(params, run, &e, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  encode_part(t, e, x, 0, half, &s);
  assert_int_equal(t->encoder.flush(e, &diag), 0);
  encode_part(t, e, x, half, x->n_insns, &s);
  assert_int_equal(t->encoder.flush(e, &diag), 0);
  take_bytes(t, e, &s);
  t->encoder.counters(e, s.counters);
  t->encoder.destroy(e);
  return s;
}

/* Instructions with a stamp; those of the trace are compared. is_own: stamps are the machine's. */
static size_t decode_stamps(const uint32_t *params, const test_trace *x, const test_stream *s,
                            bool is_own) {
  oct_decoded run;
  oct_diag diag;
  void *d;
  size_t n_stamps = 0;
  uint64_t last = 0;
  int got;
  assert_int_equal(t->decoder.create(params, OCT_START_IN_STEP, &d, &diag), 0);
  assert_int_equal(t->decoder.map(d, x->updates, x->n_updates, &diag), 0);
  assert_int_equal(t->decoder.push(d, s->bytes, s->n_bytes, &diag), 0);
  t->decoder.finish(d);
  while ((got = t->decoder.next(d, &run, &diag)) > 0)
    for (size_t i = 0; i < run.batch.n_insns; i++) {
      const oct_insn *insn = &run.batch.insns[i], *want = &x->insns[run.first_insn + i];
      assert_int_equal(insn->addr, want->addr);
      if (!(insn->flags & OCT_INSN_HAS_CYCLE)) continue;
      n_stamps++;
      if (!is_own) {
        assert_true(want->flags & OCT_INSN_HAS_CYCLE);
        assert_int_equal(insn->cycle, want->cycle);
      }
      assert_true(!last || insn->cycle >= last);
      last = insn->cycle;
    }
  if (got < 0) fail_msg("%s", oct_diag_line(&diag).text);
  t->decoder.destroy(d);
  return n_stamps;
}

static void set(uint32_t *params, uint32_t period_insns, uint32_t sync_insns) {
  char settings[100];
  oct_diag diag;
  oct_tracer_defaults(t, params);
  snprintf(settings, sizeof settings, "timestamp=1,time_period_insns=%u,sync_insns=%u,sync_bits=0",
           period_insns, sync_insns);
  if (oct_tracer_parse(t, settings, params, NULL, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
}

static void stamps_of_the_trace(void **unused) {
  static const uint32_t periods[] = {0, 1, 2, 7, 100};
  const oct_run_options run = {.engine = OCT_ENGINE_UNTIMED, .cpi_milli = 1000};
  (void)unused;
  seed_random("stamps of the trace");
  for (unsigned round = 0; round < 30; round++) {
    if (is_left_out()) continue;
    test_trace x = random_test_trace(32, 4, 1500);
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    uint32_t period = periods[below(5)], sync = below(2) ? 1 + (uint32_t)below(700) : 0;
    unsigned missing = below(3) ? 0 : (unsigned)below(101);
    size_t want = 0;
    stamp(&x, missing, below(2));
    set(params, period, sync);
    for (size_t i = 0, left = 0; i < x.n_insns; i++, left--) {
      if (sync && i % sync == 0) left = 0;
      if (left) continue;
      want += (x.insns[i].flags & OCT_INSN_HAS_CYCLE) != 0;
      left = period ? period : SIZE_MAX;
    }
    test_stream s = compress(params, &run, &x);
    assert_int_equal(decode_stamps(params, &x, &s, false), want);
    free(s.bytes);
    free_test_trace(&x);
  }
}

static void stamps_of_the_machine(void **unused) {
  uint64_t n_overflows = 0;
  (void)unused;
  seed_random("stamps of the machine");
  for (unsigned round = 0; round < 20; round++) {
    if (is_left_out()) continue;
    test_trace x = random_test_trace(32, 4, 1500);
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    oct_run_options run = {.engine = OCT_ENGINE_CYCLE, .cpi_milli = 1000, .seed = random_u64()};
    if (round & 1) {
      run.arrival = OCT_ARRIVAL_CPI;
      run.cpi_milli = 1000 + (uint32_t)below(60000);
    }
    set(params, 1, below(2) ? 1 + (uint32_t)below(700) : 0);
    test_stream s = compress(params, &run, &x);
    uint64_t lost = s.counters[oct_tracer_counter(t, "lost_insns")];
    assert_int_equal(decode_stamps(params, &x, &s, true), x.n_insns - lost);
    n_overflows += s.counters[oct_tracer_counter(t, "overflows")];
    free(s.bytes);
    free_test_trace(&x);
  }
  assert_true(runs_share() || n_overflows > 0);
}

/* Of the core's time each is that of the trace, unless time went back: then it is missing. */
static void stamps_of_the_core(void **unused) {
  size_t n_stamps = 0, n_due = 0;
  (void)unused;
  seed_random("stamps of the core's time");
  for (unsigned round = 0; round < 20; round++) {
    if (is_left_out()) continue;
    static const uint32_t periods[] = {1, 2, 7, 30};
    test_trace x = random_test_trace(32, 4, 1500);
    const oct_run_options run = {.engine = OCT_ENGINE_CYCLE, .cpi_milli = 1000};
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    const uint32_t period = periods[below(4)];
    stamp_core_time(&x);
    set(params, period, below(2) ? 1 + (uint32_t)below(700) : 0);
    params[oct_tracer_param(t, "time_source")] = 1;
    test_stream s = compress(params, &run, &x);
    n_stamps += decode_stamps(params, &x, &s, false);
    n_due += (x.n_insns - s.counters[oct_tracer_counter(t, "lost_insns")]) / period;
    free(s.bytes);
    free_test_trace(&x);
  }
  if (!runs_share()) assert_in_range(n_stamps, n_due / 4, n_due - n_due / 100);
}

/* One instruction a cycle costs nothing after a while: neither here nor for one that takes two. */
static void what_is_expected_is_free(void **unused) {
  (void)unused;
  seed_random("what is expected");
  for (unsigned pace = 1; pace < 3; pace++) {
    const oct_run_options run = {.engine = OCT_ENGINE_UNTIMED, .cpi_milli = 1000};
    test_trace x = random_test_trace(32, 4, 4000);
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    uint64_t cycle = 1000;
    for (size_t i = 0; i < x.n_insns; i++) {
      x.insns[i].cycle = cycle;
      x.insns[i].flags |= OCT_INSN_HAS_CYCLE;
      cycle += pace - 1 + (x.insns[i].n_access > 1 ? x.insns[i].n_access : 1);
    }
    set(params, 1, 0);
    test_stream s = compress(params, &run, &x);
    assert_true(s.counters[oct_tracer_counter(t, "port_time_bits")] < 64 * 12 + 100);
    free(s.bytes);
    free_test_trace(&x);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stamps_of_the_trace), cmocka_unit_test(stamps_of_the_machine),
      cmocka_unit_test(stamps_of_the_core), cmocka_unit_test(what_is_expected_is_free)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
