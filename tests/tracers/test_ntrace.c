/* SPDX-License-Identifier: Apache-2.0 */
/* test_ntrace.c - do N-Trace streams give every trace back? */
#include "tracer_run.h"

#include "oct_ntrace.h"

static const oct_tracer *t;

static void test_options(void **state) {
  size_t found = 0;
  (void)state;
  for (int i = 0; i < 150; i++) {
    if (is_left_out()) continue;
    oct_nt_params p = {0};
    p.history = random_pm(600);
    p.hist_bits = below32(31) + 1;
    p.icnt_bits = random_pm(500) ? 16 : below32(27) + 4;
    p.repeat = random_pm(500);
    p.return_stack = random_pm(500) ? 0 : below32(33);
    p.sync_period_insns = 1u << below(14);
    p.src_bits = random_pm(700) ? 0 : below32(13);
    p.count = !random_pm(200);
    p.timestamp = random_pm(300);
    p.src_id = below32(1u << p.src_bits);
    if (random_pm(200)) p.sync_period_insns = 0;
    /* Low, of 48 bits, and with a top that an extension leaves out, whose highest bit is set. */
    static const uint64_t bases[] = {0x10000, 0x7fff00000000, 0xffffffff80000000};
    const uint64_t base = bases[below(3)];
    p.extend_addr = random_pm(500) ? 0 : base != 0x10000 || random_pm(500) ? 64 : 32;
    random_rules rules = random_rules_of(base, UINT64_MAX, 2, 4);
    random_run r = random_run_new(&rules, 1 + below(random_pm(300) ? 20 : 6000));
    uint32_t values[sizeof p / sizeof(uint32_t)];
    if (p.timestamp && random_pm(500)) stamp_run(&r);
    memcpy(values, &p, sizeof values);
    port_bytes bytes = encode_run(t, values, &r);
    decode_run(t, values, &r, &bytes, (decode_how){0});
    if (p.count) found += cut_run(t, values, &r, &bytes, false);
    if (random_pm(300)) damage_run(t, values, &r, &bytes);
    free(bytes.bytes);
    random_free(&r);
  }
  assert_true(runs_share() || found > 0);
}

/* Counts that damage made large are refused before anyone waits for their end. */
static void counts_have_bounds(void **state) {
  enum { BASE = 0x1000, PERIOD = 1000 };
  static const oct_nt_message wrong[] = {
      {.tcode = OCT_NT_REPEAT, .value = OCT_NT_REPEAT_MOST},
      {.tcode = OCT_NT_REPEAT, .value = UINT64_C(1) << 40},
      {.tcode = OCT_NT_DIRECT, .icnt = UINT64_C(1) << 29},
      {.tcode = OCT_NT_DIRECT, .icnt = UINT64_MAX},
      {.tcode = OCT_NT_FULL, .rcode = OCT_NT_FULL_REPEAT, .hist = 7, .value = UINT64_C(1) << 33}};
  (void)state;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    oct_nt_params p = {.hist_bits = 31, .icnt_bits = 16, .repeat = 1, .sync_period_insns = PERIOD};
    const oct_nt_message all[] = {
        {.tcode = OCT_NT_SYNC, .sync = OCT_NT_SYNC_ENABLED, .addr = BASE >> 1},
        {.tcode = OCT_NT_DIRECT, .icnt = 4},
        wrong[i]};
    uint8_t bytes[3 * OCT_NT_MESSAGE_BYTES_MAX];
    uint32_t values[sizeof p / sizeof(uint32_t)];
    port_bytes stream = {.bytes = bytes};
    p.history = i == 2; /* there I-CNT leads over branches, whose outcomes are told before */
    memcpy(values, &p, sizeof values);
    if (p.history) {
      const oct_nt_message full = {
          .tcode = OCT_NT_FULL, .rcode = OCT_NT_FULL_REPEAT, .hist = 0xffffffff, .value = 65535};
      const oct_nt_message far = {.tcode = OCT_NT_HIST, .icnt = UINT64_C(1) << 29, .hist = 1};
      stream.n = oct_nt_write(&p, all, bytes);
      stream.n += oct_nt_write(&p, &full, bytes + stream.n);
      stream.n += oct_nt_write(&p, &far, bytes + stream.n);
    } else {
      for (size_t k = 0; k < 3; k++) stream.n += oct_nt_write(&p, &all[k], bytes + stream.n);
    }
    refuse_counts(t, values, BASE, &stream, PERIOD + 100);
  }
}

int main(void) {
  t = oct_tracer_find("ntrace");
  seed_random("ntrace");
  const struct CMUnitTest tests[] = {cmocka_unit_test(counts_have_bounds),
                                     cmocka_unit_test(test_options)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
