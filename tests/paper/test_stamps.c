/* SPDX-License-Identifier: Apache-2.0 */
/* test_stamps.c - do the time stamps of the tracer paper come back, where and as often as its
 * parameters say? */
#include "../port/tracer_util.h"

enum { TRACE_INSNS = 8000 };

enum stamping { SOME, ALL, CORE_TIME, BEYOND };

enum { STAMP_BITS = 56 };

/* Cycles between instructions: few, none, and now and then very many. */
static void add_stamps(test_trace *x, bool all) {
  uint64_t cycle = below(1000);
  for (size_t i = 0; i < x->n_insns; i++) {
    cycle += below(4) ? below(3) : below(50) ? below(300) : random_magnitude() >> 9;
    cycle &= (UINT64_C(1) << STAMP_BITS) - 1;
    if (!all && below(3) == 0) continue;
    x->insns[i].cycle = cycle;
    x->insns[i].flags |= OCT_INSN_HAS_CYCLE;
  }
}

/* From some instruction on, more bits than a stamp has. */
static void add_large_stamps(test_trace *x) {
  uint64_t cycle = (UINT64_C(1) << STAMP_BITS) - below(TRACE_INSNS);
  for (size_t i = 0; i < x->n_insns; i++) {
    x->insns[i].cycle = cycle += below(4);
    x->insns[i].flags |= OCT_INSN_HAS_CYCLE;
  }
}

/* Stamps that come back: at which instructions, and of what cycle; lost instructions are left out.
 */
static uint64_t cycles[TRACE_INSNS];
static bool has[TRACE_INSNS];
static size_t n_partial; /* of those that have a stamp, how many lack accesses */

static size_t decode_stamps(const oct_tracer *t, const uint32_t *params, const test_trace *x,
                            const test_stream *s) {
  oct_decoded run;
  oct_diag diag = {0};
  size_t n = 0;
  void *d;
  int got;
  assert_int_equal(t->decoder.create(params, OCT_START_IN_STEP, &d, &diag), 0);
  assert_int_equal(t->decoder.map(d, x->updates, x->n_updates, &diag), 0);
  assert_int_equal(t->decoder.push(d, s->bytes, s->n_bytes, &diag), 0);
  t->decoder.finish(d);
  while ((got = t->decoder.next(d, &run, &diag)) > 0)
    for (size_t i = 0; i < run.batch.n_insns; i++) {
      size_t number = (size_t)run.first_insn + i;
      assert_true(number < x->n_insns);
      assert_int_equal(run.batch.insns[i].addr, x->insns[number].addr);
      has[number] = run.batch.insns[i].flags & OCT_INSN_HAS_CYCLE;
      cycles[number] = run.batch.insns[i].cycle;
      n += has[number];
      n_partial += has[number] && run.batch.insns[i].flags & OCT_INSN_PARTIAL;
    }
  if (got < 0) fail_msg("%s", oct_diag_line(&diag).text);
  t->decoder.destroy(d);
  return n;
}

static size_t run_paper(const char *settings, oct_engine engine, enum stamping how, test_trace *x,
                        test_stream *s) {
  const oct_tracer *t = oct_tracer_find("paper");
  const oct_run_options run = {.engine = engine, .cpi_milli = 4000, .arrival = OCT_ARRIVAL_CPI};
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  bool given[OCT_TRACER_PARAMS_MAX] = {false};
  oct_diag diag = {0};
  oct_tracer_defaults(t, params);
  if (oct_tracer_parse(t, settings, params, given, &diag))
    fail_msg("%s", oct_diag_line(&diag).text);
  *x = random_test_trace(32, 4, TRACE_INSNS);
  if (how == CORE_TIME)
    stamp_core_time(x);
  else if (how == BEYOND)
    add_large_stamps(x);
  else
    add_stamps(x, how == ALL);
  assert_int_equal(oct_tracer_fit(t, params, given, "unknown", 32, 4, &diag), 0);
  if (encode(t, params, &run, x, s, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  memset(has, 0, sizeof has);
  n_partial = 0;
  return decode_stamps(t, params, x, s);
}

static void untimed(void **state) {
  static const char *const settings[] = {
      "timestamp=1", "timestamp=1,time_period_insns=1", "timestamp=1,time_period_insns=100",
      "timestamp=1,time_period_insns=7,sync_period_insns=333,ntuple_n=0",
      "timestamp=1,time_period_insns=100,sync_period_bits=1024"};
  (void)state;
  seed_random("stamps");
  for (size_t k = 0; k < 2 * sizeof settings / sizeof *settings; k++) {
    if (is_left_out()) continue;
    test_trace x;
    test_stream s = {0};
    size_t n = run_paper(settings[k / 2], OCT_ENGINE_UNTIMED, k & 1 ? ALL : SOME, &x, &s);
    assert_true(n > 0);
    for (size_t i = 0; i < x.n_insns; i++) {
      if (has[i] && !(x.insns[i].flags & OCT_INSN_HAS_CYCLE)) fail_msg("%zu has no stamp", i);
      if (has[i] && cycles[i] != x.insns[i].cycle) fail_msg("stamp of %zu differs", i);
    }
    /* Each but those behind a sync, at a task switch. */
    if (k / 2 == 1 && k & 1) assert_in_range(n, TRACE_INSNS - 40, TRACE_INSNS - 1);
    /* And at syncs. */
    if (k / 2 == 2) assert_in_range(n, TRACE_INSNS / 110, TRACE_INSNS / 100 + 8);
    if (k / 2 == 0) assert_in_range(n, 1, 40);
    free(s.bytes);
    free_test_trace(&x);
  }
}

/* A stamp that has too many bits stays away: none is wrong. */
static void too_large(void **state) {
  static const char *const settings[] = {"timestamp=1,time_period_insns=5",
                                         "timestamp=1,time_period_insns=1,sync_period_insns=300",
                                         "timestamp=2,sync_period_insns=500"};
  (void)state;
  seed_random("stamps of too many bits");
  for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
    if (is_left_out()) continue;
    test_trace x;
    test_stream s = {0};
    const size_t n = run_paper(settings[k], OCT_ENGINE_UNTIMED, BEYOND, &x, &s);
    size_t n_fit = 0;
    for (size_t i = 0; i < x.n_insns; i++) {
      if (has[i] && cycles[i] != x.insns[i].cycle) fail_msg("stamp of %zu differs", i);
      n_fit += !(x.insns[i].cycle >> STAMP_BITS);
    }
    assert_true(n > 0 || n_fit < 500); /* the first stream to have one may be too late */
    assert_true(x.insns[x.n_insns - 1].cycle >> STAMP_BITS);
    free(s.bytes);
    free_test_trace(&x);
  }
}

/* Every stream's first instruction has its cycle, but few: those behind a sync, and where a stamp
 * was needed but could not stand. */
static void streams(void **state) {
  static const char *const settings[] = {"timestamp=2",
                                         "timestamp=2,ntuple_n=0,time_period_insns=50",
                                         "timestamp=2,sync_period_bits=2048,rep_count_bits=0",
                                         "timestamp=2,sl_bits=1,traps=1,ntuple_n=3"};
  (void)state;
  seed_random("cycles of streams");
  for (size_t k = 0; k < 2 * sizeof settings / sizeof *settings; k++) {
    if (is_left_out()) continue;
    test_trace x;
    test_stream s = {0};
    size_t n = run_paper(settings[k / 2], OCT_ENGINE_UNTIMED, k & 1 ? ALL : SOME, &x, &s),
           n_streams = 0;
    for (size_t i = 0; i < x.n_insns; i++) {
      bool is_far = i && x.insns[i].addr != x.insns[i - 1].addr + x.insns[i - 1].size_bytes;
      n_streams += !i || is_far;
      if (has[i] && !(x.insns[i].flags & OCT_INSN_HAS_CYCLE)) fail_msg("%zu has no stamp", i);
      if (has[i] && cycles[i] != x.insns[i].cycle) fail_msg("cycle of %zu differs", i);
    }
    if (k & 1) assert_in_range(n, n_streams * 4 / 5, TRACE_INSNS);
    assert_true(n > 50);
    free(s.bytes);
    free_test_trace(&x);
  }
}

/* In the machine they are its own cycles: they grow, and come as often. */
static void timed(void **state) {
  (void)state;
  seed_random("stamps of the machine");
  test_trace x;
  test_stream s = {0};
  uint64_t last = 0;
  size_t n = run_paper("timestamp=1,time_period_insns=50", OCT_ENGINE_CYCLE, ALL, &x, &s);
  assert_true(n > TRACE_INSNS / 200);
  for (size_t i = 0; i < x.n_insns; i++) {
    if (!has[i]) continue;
    assert_true(cycles[i] > last || !i);
    /* An instruction a cycle at most. The first is that of the sync ahead of a stream. */
    if (last) assert_in_range(cycles[i], i, 44 * i + 64);
    last = cycles[i];
  }
  free(s.bytes);
  free_test_trace(&x);
}

/* Stamps of the core's time are those of the trace, and do not go back: over all rounds some stamps
 * that were due stay away, each where time had gone back. */
static void core_time(void **state) {
  static const char *const settings[] = {
      "timestamp=1,time_source=1,time_period_insns=20",
      "timestamp=1,time_source=1,time_period_insns=5,port_pins=32,sync_period_insns=150",
      "timestamp=1,time_source=1,sync_period_insns=64,port_pins=32"};
  size_t n_all = 0, n_equal = 0;
  (void)state;
  seed_random("the core's time");
  for (unsigned round = 0; round < 12; round++) {
    if (is_left_out()) continue;
    test_trace x;
    test_stream s = {0};
    uint64_t last = 0;
    n_all += run_paper(settings[round % 3], OCT_ENGINE_CYCLE, CORE_TIME, &x, &s);
    for (size_t i = 0; i < x.n_insns; i++) {
      if (!has[i]) continue;
      if (cycles[i] != x.insns[i].cycle) fail_msg("stamp of %zu differs", i);
      if (cycles[i] < last) fail_msg("stamp of %zu goes back", i);
      n_equal += cycles[i] == last;
      last = cycles[i];
    }
    free(s.bytes);
    free_test_trace(&x);
  }
  assert_true(runs_share() || (n_all > 500 && n_equal > 5));
}

/* Of an instruction without a stamp the cycle engine cannot know the core's time. */
static void no_time(void **state) {
  const oct_tracer *t = oct_tracer_find("paper");
  const oct_run_options run = {.engine = OCT_ENGINE_CYCLE, .cpi_milli = 1000};
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  test_trace x = random_test_trace(32, 4, 100);
  test_stream s = {0};
  oct_diag diag = {0};
  (void)state;
  stamp_core_time(&x);
  x.insns[50].flags &= (uint8_t)~OCT_INSN_HAS_CYCLE;
  fit_params(t, "timestamp=1,time_source=1", &x, params);
  assert_int_equal(encode(t, params, &run, &x, &s, &diag), OCT_ERR_CONFIG);
  assert_non_null(strstr(oct_diag_line(&diag).text, "instruction 50 has no time stamp"));
  free(s.bytes);
  free_test_trace(&x);
}

/* The circuit keeps the low bits of a time that has more: both engines refuse it. The largest that
 * fits comes back. */
static void check_largest_time(oct_engine engine) {
  const oct_tracer *t = oct_tracer_find("paper");
  const oct_run_options run = {.engine = engine, .cpi_milli = 1000};
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  test_trace x = random_test_trace(32, 4, 100);
  test_stream s = {0};
  oct_diag diag = {0};
  stamp_core_time(&x);
  x.insns[99].cycle = (UINT64_C(1) << STAMP_BITS) - 1;
  fit_params(t, "timestamp=1,time_source=1,time_period_insns=1,port_pins=32", &x, params);
  assert_int_equal(encode(t, params, &run, &x, &s, &diag), 0);
  free(s.bytes);
  s = (test_stream){0};
  x.insns[99].cycle++;
  assert_int_equal(encode(t, params, &run, &x, &s, &diag), OCT_ERR_CONFIG);
  assert_non_null(
      strstr(oct_diag_line(&diag).text, "instruction 99 has the time stamp 72057594037927936"));
  free(s.bytes);
  s = (test_stream){0};
  fit_params(t, "timestamp=1", &x,
             params); /* the compressor's own cycles are none of the trace's */
  assert_int_equal(encode(t, params, &run, &x, &s, &diag), 0);
  free(s.bytes);
  free_test_trace(&x);
}

static void too_large_a_time(void **state) {
  (void)state;
  check_largest_time(OCT_ENGINE_CYCLE);
  check_largest_time(OCT_ENGINE_UNTIMED);
}

/* An instruction that an overflow cuts off keeps its stamp. */
static void cut_off(void **state) {
  size_t n_cut = 0;
  (void)state;
  seed_random("stamps of instructions that are cut off");
  for (unsigned round = 0; round < 8; round++) {
    if (is_left_out()) continue;
    test_trace x;
    test_stream s = {0};
    run_paper("timestamp=1,time_period_insns=1,port_pins=1,data_fifo_depth=2", OCT_ENGINE_CYCLE,
              ALL, &x, &s);
    n_cut += n_partial;
    free(s.bytes);
    free_test_trace(&x);
  }
  assert_true(runs_share() || n_cut > 0);
}

/* Cycles of streams likewise, where most streams have them. */
static void streams_timed(void **state) {
  static const char *const settings[] = {
      "timestamp=2,port_pins=32", "timestamp=2,port_pins=32,stream_fifo_depth=1",
      "timestamp=2,stream_fifo_depth=8,pipelined=1,sync_period_insns=500",
      "timestamp=2,ntuple_n=0,port_pins=2,time_period_insns=20"};
  (void)state;
  seed_random("cycles of streams of the machine");
  for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
    if (is_left_out()) continue;
    test_trace x;
    test_stream s = {0};
    uint64_t last = 0;
    size_t n = run_paper(settings[k], OCT_ENGINE_CYCLE, ALL, &x, &s);
    if (n <= 50) fail_msg("%s: %zu of %zu have a cycle", settings[k], n, x.n_insns);
    for (size_t i = 0; i < x.n_insns; i++) {
      if (!has[i]) continue;
      assert_true(cycles[i] > last);
      assert_in_range(cycles[i], i, 44 * i + 64);
      last = cycles[i];
    }
    free(s.bytes);
    free_test_trace(&x);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(untimed), cmocka_unit_test(too_large),        cmocka_unit_test(streams),
      cmocka_unit_test(timed),   cmocka_unit_test(streams_timed),    cmocka_unit_test(core_time),
      cmocka_unit_test(no_time), cmocka_unit_test(too_large_a_time), cmocka_unit_test(cut_off)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
