/* SPDX-License-Identifier: Apache-2.0 */
/* test_register_counters.c - do the debugger's counters stop at all ones, and the marks rise alone?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oct_regs.h"

enum { OVERFLOWS, LOST_INSNS, LOST_ACCESSES, HIGH_STREAM, HIGH_DATA, HIGH_OUT };

static oct_regs started(void) {
  oct_regs s;
  oct_regs_init(&s, 1000, 0, false);
  return s;
}

static oct_apb_out cycle(oct_regs *s, const oct_regs_in *in) {
  oct_apb_out out;
  oct_regs_eval(s, in, &out);
  oct_regs_clock(s);
  return out;
}

static uint32_t read_count(oct_regs *s, unsigned number) {
  oct_regs_in in = {.apb = {.psel = true, .penable = true}};
  in.apb.paddr = (uint8_t)(OCT_REG_OVERFLOWS + 4 * number);
  oct_apb_out out = cycle(s, &in);
  assert_false(out.pslverr);
  return out.prdata;
}

/* Each counter from two before its end, alone: it stops there, and the others do not move. */
static void counters_stop_at_all_ones(void **state) {
  (void)state;
  for (unsigned i = OVERFLOWS; i <= LOST_ACCESSES; i++) {
    oct_regs s = started();
    oct_regs_in in = {.overflow = i == OVERFLOWS,
                      .lost_insns = i == LOST_INSNS,
                      .lost_access = i == LOST_ACCESSES};
    s.count_q[i] = OCT_REGS_COUNT_MAX - 2;
    for (unsigned n = 0; n < 5; n++) {
      assert_int_equal(read_count(&s, i), n < 2 ? OCT_REGS_COUNT_MAX - 2 + n : OCT_REGS_COUNT_MAX);
      cycle(&s, &in);
    }
    for (unsigned k = OVERFLOWS; k <= HIGH_OUT; k++)
      if (k != i) assert_int_equal(read_count(&s, k), 0);
  }
}

/* Several traps may be lost in a cycle. */
static void lost_traps_stop_at_all_ones(void **state) {
  oct_regs s = started();
  const oct_regs_in lost = {.lost_traps = 9};
  const oct_regs_in read = {.apb = {.psel = true, .penable = true, .paddr = OCT_REG_LOST_TRAPS}};
  static const uint32_t expected[] = {OCT_REGS_COUNT_MAX - 19, OCT_REGS_COUNT_MAX - 10,
                                      OCT_REGS_COUNT_MAX - 1, OCT_REGS_COUNT_MAX,
                                      OCT_REGS_COUNT_MAX};
  (void)state;
  s.lost_traps_q = OCT_REGS_COUNT_MAX - 19;
  for (unsigned n = 0; n < 5; n++) {
    const oct_apb_out out = cycle(&s, &read);
    assert_false(out.pslverr);
    assert_int_equal(out.prdata, expected[n]);
    cycle(&s, &lost);
  }
  for (unsigned k = OVERFLOWS; k <= HIGH_OUT; k++) assert_int_equal(read_count(&s, k), 0);
}

static void clear_ends_saturation(void **state) {
  oct_regs s = started();
  oct_regs_in in = {.apb = {.psel = true, .penable = true, .pwrite = true, .paddr = OCT_REG_CLEAR}};
  oct_regs_in lost = {.lost_insns = 1};
  (void)state;
  for (unsigned k = OVERFLOWS; k <= HIGH_OUT; k++) s.count_q[k] = OCT_REGS_COUNT_MAX;
  s.lost_traps_q = OCT_REGS_COUNT_MAX;
  cycle(&s, &in);
  assert_int_equal(s.lost_traps_q, 0);
  for (unsigned k = OVERFLOWS; k <= HIGH_OUT; k++) assert_int_equal(read_count(&s, k), 0);
  cycle(&s, &lost);
  assert_int_equal(read_count(&s, LOST_INSNS), 1);
}

static void high_marks_rise_alone(void **state) {
  static const uint32_t levels[] = {3, 1, 3, 7, 0};
  static const uint32_t highs[] = {3, 3, 3, 7, 7};
  oct_regs s = started();
  (void)state;
  for (unsigned n = 0; n < 5; n++) {
    oct_regs_in in = {
        .stream_count = levels[n], .data_count = 2 * levels[n], .out_count_bytes = 4 * levels[n]};
    cycle(&s, &in);
    assert_int_equal(read_count(&s, HIGH_STREAM), highs[n]);
    assert_int_equal(read_count(&s, HIGH_DATA), 2 * highs[n]);
    assert_int_equal(read_count(&s, HIGH_OUT), 4 * highs[n]);
  }
}

/* A buffer that holds more than a mark can say. */
static void high_marks_stop_at_all_ones(void **state) {
  oct_regs s = started();
  const oct_regs_in in = {
      .stream_count = OCT_REGS_COUNT_MAX - 1, .data_count = 0x10003, .out_count_bytes = 0x10000};
  (void)state;
  cycle(&s, &in);
  assert_int_equal(read_count(&s, HIGH_STREAM), OCT_REGS_COUNT_MAX - 1);
  assert_int_equal(read_count(&s, HIGH_DATA), OCT_REGS_COUNT_MAX);
  assert_int_equal(read_count(&s, HIGH_OUT), OCT_REGS_COUNT_MAX);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counters_stop_at_all_ones),   cmocka_unit_test(lost_traps_stop_at_all_ones),
      cmocka_unit_test(clear_ends_saturation),       cmocka_unit_test(high_marks_rise_alone),
      cmocka_unit_test(high_marks_stop_at_all_ones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
