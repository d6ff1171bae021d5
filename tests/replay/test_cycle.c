/* SPDX-License-Identifier: Apache-2.0 */
/* test_cycle.c - is `replay` with time the same as without, where nothing is lost? Recorded
 * programs with values and random traces with traps, in random batches, with flushes between. With
 * few pins and small buffers, at any rate and with a port that stalls: is all that comes right, and
 * the rest counted? Do more pins and a larger queue lose less? Does a core that waits lose nothing?
 */
#include "values.h"

static const char largest[] = "queue_words=4096,out_fifo_bytes=65536,port_pins=32,sync_bits=0";

static void same_bits(const replay_trace *t, const uint32_t *params, const char *what) {
  static const oct_run_options untimed = {.engine = OCT_ENGINE_UNTIMED, .cpi_milli = 1000};
  /* Random accesses are more than the coder can take from a core that never waits. */
  const oct_run_options timed = {.engine = OCT_ENGINE_CYCLE,
                                 .arrival = t->n_values ? OCT_ARRIVAL_FULL : OCT_ARRIVAL_CPI,
                                 .cpi_milli = 200000};
  const uint64_t seed = random_u64();
  test_stream a, b;
  random_state = seed;
  encode_run(t, params, &untimed, true, &a);
  random_state = seed;
  encode_run(t, params, &timed, true, &b);
  assert_int_equal(oct_tracer_count(replay, b.counters, "lost_insns"), 0);
  assert_in_range(oct_tracer_count(replay, b.counters, "cycles"), t->x.n_insns,
                  1000 * t->x.n_insns);
  if (a.n_bytes != b.n_bytes || memcmp(a.bytes, b.bytes, a.n_bytes) != 0)
    fail_msg("%s: %s: %zu bytes, without time %zu", t->x.name, what, b.n_bytes, a.n_bytes);
  free(a.bytes);
  free(b.bytes);
}

static void nothing_lost(void **state) {
  (void)state;
  seed_random("nothing lost");
  for (unsigned p = 0; p < PROGRAMS; p++) {
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    char settings[200];
    replay_trace t;
    read_values(programs[p], &t);
    snprintf(settings, sizeof settings, "%s,%s,sync_insns=%u",
             replay->geometries[below(replay->n_geometries)].name, largest,
             3000 + (unsigned)below(9000));
    fit_params(replay, settings, &t.x, params);
    same_bits(&t, params, settings);
    free_values(&t);
  }
}

static void random_programs(void **state) {
  (void)state;
  seed_random("random programs");
  for (unsigned round = 0; round < 8; round++) {
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    char settings[200];
    replay_trace t = {.x = random_test_trace(round & 1 ? 64 : 32, 1u << below(3), 700)};
    /* Across lines they would be more than one a cycle. */
    for (size_t i = 0; i < t.x.n_accesses; i++) t.x.accesses[i].addr &= ~UINT64_C(3);
    snprintf(settings, sizeof settings, "replay,%s,told_entries=%u", largest, 1u << below(4));
    fit_params(replay, settings, &t.x, params);
    same_bits(&t, params, settings);
    free_values(&t);
  }
}

/* What came of a trace with time: all of it, or less that was counted. */
static uint64_t lost_of(const replay_trace *t, const char *settings, const oct_run_options *run) {
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  test_stream s;
  fit_params(replay, settings, &t->x, params);
  encode_run(t, params, run, below(2), &s);
  decode_trace(t, params, &s);
  const uint64_t lost = oct_tracer_count(replay, s.counters, "lost_insns");
  const uint64_t pins = oct_tracer_value(replay, params, OCT_ROLE_PORT_PINS);
  assert_int_equal(lost + oct_tracer_count(replay, s.counters, "insns"), t->x.n_insns);
  assert_int_equal(oct_tracer_count(replay, s.counters, "lost_accesses") +
                       oct_tracer_count(replay, s.counters, "accesses"),
                   t->x.n_accesses);
  assert_int_equal(lost != 0, oct_tracer_count(replay, s.counters, "overflows") != 0);
  assert_true(oct_tracer_count(replay, s.counters, "port_busy_cycles") * pins >= 8 * s.n_bytes);
  free(s.bytes);
  return lost;
}

static void losses(void **state) {
  uint64_t n_lost = 0;
  (void)state;
  seed_random("losses");
  /* Some settings lose nothing. */
  for (unsigned round = 0; round < 30 / ROUNDS_DIVISOR || (n_lost <= 1000 && round < 300);
       round++) {
    const oct_run_options run = {.engine = OCT_ENGINE_CYCLE,
                                 .arrival = below(3) ? OCT_ARRIVAL_FULL : OCT_ARRIVAL_CPI,
                                 .cpi_milli = 1000 + (uint32_t)below(6000),
                                 .stall_milli = below(2) ? (uint32_t)below(900) : 0,
                                 .seed = random_u64(),
                                 .clock_divider = (uint32_t)below(4)};
    char settings[200];
    replay_trace t;
    read_values(programs[below(PROGRAMS)], &t);
    const unsigned waits = below(3) == 0;
    snprintf(settings, sizeof settings,
             "replay-small,port_pins=%u,queue_words=%u,out_fifo_bytes=%u,sync_insns=%u,"
             "sync_bits=%u,core_waits=%u",
             1 + (unsigned)below(3), 16 + (waits ? 0 : (unsigned)below(40)), 32u << below(2),
             below(2) ? 500 + (unsigned)below(9000) : 0, (unsigned)below(2) * 20000, waits);
    const uint64_t n = lost_of(&t, settings, &run);
    if (waits) assert_int_equal(n, 0);
    n_lost += n;
    free_values(&t);
  }
  assert_true(n_lost > 1000);
}

static void less_is_lost(void **state) {
  const oct_run_options run = {.engine = OCT_ENGINE_CYCLE, .cpi_milli = 1000};
  (void)state;
  seed_random("less is lost");
  uint64_t few = 0, more = 0;
  for (unsigned p = 0; p < PROGRAMS; p++) {
    replay_trace t;
    read_values(programs[p], &t);
    few += lost_of(&t, "replay,port_pins=1,queue_words=16", &run);
    more += lost_of(&t, "replay,port_pins=4,queue_words=512", &run);
    free_values(&t);
  }
  assert_true(more < few);
}

/* Buffers that are to suffice lose nothing. */
static void sufficient_buffers(void **state) {
  const oct_run_options deep = {.engine = OCT_ENGINE_CYCLE, .cpi_milli = 1000, .find_depths = 1};
  const oct_run_options run = {.engine = OCT_ENGINE_CYCLE, .cpi_milli = 1000};
  (void)state;
  seed_random("sufficient buffers");
  for (unsigned p = 0; p < PROGRAMS; p++) {
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    char settings[200];
    replay_trace t;
    test_stream s;
    read_values(programs[p], &t);
    fit_params(replay, "replay,port_pins=4,sync_bits=0", &t.x, params);
    encode_run(&t, params, &deep, false, &s);
    free(s.bytes);
    assert_int_equal(oct_tracer_count(replay, s.counters, "sufficient_overflows"), 0);
    snprintf(settings, sizeof settings,
             "replay,port_pins=4,sync_bits=0,queue_words=%u,out_fifo_bytes=%u",
             (unsigned)oct_tracer_count(replay, s.counters, "sufficient_queue"),
             (unsigned)oct_tracer_count(replay, s.counters, "sufficient_output"));
    assert_int_equal(lost_of(&t, settings, &run), 0);
    free_values(&t);
  }
}

int main(void) {
  replay = oct_tracer_find("replay");
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  if (!replay) return 1;
  const struct CMUnitTest any[] = {cmocka_unit_test(random_programs)};
  const struct CMUnitTest executed[] = {cmocka_unit_test(nothing_lost), cmocka_unit_test(losses),
                                        cmocka_unit_test(less_is_lost),
                                        cmocka_unit_test(sufficient_buffers)};
  if (cmocka_run_group_tests_name("told", any, NULL, NULL)) return 1;
  oct_tracer_defaults(replay, params);
  params[oct_tracer_param(replay, "isa")] = OCT_ISA_ARM + 1;
  if (oct_tracer_check(replay, params, NULL)) return 77; /* this build has no emulator */
  return cmocka_run_group_tests_name("executed", executed, NULL, NULL);
}
