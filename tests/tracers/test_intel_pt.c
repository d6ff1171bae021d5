/* SPDX-License-Identifier: Apache-2.0 */
/* test_intel_pt.c - do Intel PT streams give every trace back, and does libipt read the same out of
 * them? */
#include "tracer_run.h"

#include "oct_pt.h"

static const oct_tracer *t;

static random_rules random_program_rules(void) {
  const uint64_t base = random_pm(500) ? 0x400000 : UINT64_C(0x7fff00000000);
  random_rules r = random_rules_of(base, UINT64_MAX, 1, 7);
  r.no_self = true;
  r.far_pm = random_pm(500) ? 0 : 20;
  return r;
}

static void test_options(void **state) {
  size_t found = 0, lost = 0;
  (void)state;
  for (int i = 0; i < 150; i++) {
    if (is_left_out()) continue;
    oct_pt_params p = {.mode_bits = 64};
    p.sync_period_insns = 1u << below(14);
    p.ret_compression = !random_pm(300);
    p.tnt_long = random_pm(300);
    p.tsc = !random_pm(200);
    p.cyc = random_pm(300);
    p.mtc = random_pm(300);
    p.mtc_freq = 3 + below32(13);
    p.drain_bits = random_pm(700) ? 1 : 8;
    if (p.tsc && random_pm(500)) p.buffer_bytes = OCT_PT_BUFFER_LEAST + below32(500);
    if (random_pm(200)) p.sync_period_insns = 0;
    random_rules rules = random_program_rules();
    random_run r = random_run_new(&rules, 1 + below(random_pm(300) ? 20 : 6000));
    const random_trap_rules traps = {UINT64_MAX, UINT32_MAX, 7};
    if (random_pm(700)) random_traps(&r, &traps);
    uint32_t values[OCT_TRACER_PARAMS_MAX];
    if (p.cyc || p.mtc) stamp_run(&r);
    oct_pt_params_put(&p, values);
    port_bytes bytes = encode_run(t, values, &r);
    decode_run(t, values, &r, &bytes, (decode_how){0});
    lost += bytes.lost_insns > 0;
    if (p.tsc) found += cut_run(t, values, &r, &bytes, false);
    if (random_pm(300)) damage_run(t, values, &r, &bytes);
    free(bytes.bytes);
    random_free(&r);
  }
  assert_true(runs_share() || found > 0);
  assert_true(runs_share() || lost > 0);
}

/* The count of a PSB that damage made large is refused before anyone waits for its end. */
static void counts_have_bounds(void **state) {
  enum { BASE = 0x1000, PERIOD = 1000 };
  uint8_t bytes[256];
  port_bytes stream = {.bytes = bytes};
  uint32_t values[OCT_TRACER_PARAMS_MAX];
  (void)state;
  oct_tracer_defaults(t, values);
  values[oct_tracer_param(t, "sync_period_insns")] = PERIOD;
  for (int round = 0; round < 2; round++) { /* two PSB, of which the second counts too many */
    for (int i = 0; i < OCT_PT_PSB_BYTES; i++) bytes[stream.n++] = i & 1 ? 0x82 : 0x02;
    const uint8_t rest[] = {0x19, 0,   0, 0, round ? 64 : 0, 0, 0, 0, /* TSC */
                            0x02, 0x23};                              /* PSBEND */
    memcpy(bytes + stream.n, rest, sizeof rest);
    stream.n += sizeof rest;
    if (round) break;
    const uint8_t begin[] = {0x51, BASE & 0xff, BASE >> 8, 0, 0}; /* TIP.PGE */
    memcpy(bytes + stream.n, begin, sizeof begin);
    stream.n += sizeof begin;
  }
  refuse_counts(t, values, BASE, &stream, PERIOD, false);
}

int main(void) {
  t = oct_tracer_find("intel-pt");
  seed_random("intel-pt");
  const struct CMUnitTest tests[] = {cmocka_unit_test(counts_have_bounds),
                                     cmocka_unit_test(test_options)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
