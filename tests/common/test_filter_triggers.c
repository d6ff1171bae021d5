/* SPDX-License-Identifier: Apache-2.0 */
/* test_filter_triggers.c - do external triggers switch tracing when docs/filters.md says: on from
 * the cycle of the trigger, off from the one behind it, and both in one cycle so that this cycle
 * alone is traced? */
#include "oct_filter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* trTeInstTracing and trTeInstTrigEnable; trTeDataTracing and trTeDataTrigEnable. */
enum { INST_TRACING = 4, INST_TRIGGERS = 0x800, DATA_TRACING = 2, DATA_TRIGGERS = 4 };
/* Actions of trTeTrigExtInControl: external trigger 0 is to switch on, 1 off. */
enum { ON = 1, OFF = 2, ACTIONS = 2 | 3 << 4 };

static void put(oct_filter *f, uint32_t paddr, uint32_t value) {
  const oct_filter_in in = {
      .apb = {.psel = true, .penable = true, .pwrite = true, .paddr = paddr, .pwdata = value}};
  oct_filter_out out;
  oct_filter_eval(f, &in, &out);
  assert_false(out.apb.pslverr);
  oct_filter_clock(f);
}

/* An instruction with an access retires in each cycle, beside the trigger of that cycle. What is
 * traced, a letter each: I the instruction with its access, i without, - nothing. */
static void expect(uint32_t control, uint32_t data, const uint8_t *triggers, const char *expected) {
  oct_filter f;
  char text[32] = "";
  oct_filter_init(&f, 1, 32, 16);
  put(&f, OCT_REG_TR_TE_TRIG_EXT_IN, ACTIONS);
  put(&f, OCT_REG_TR_TE_CONTROL, control);
  put(&f, OCT_REG_TR_TE_DATA_CONTROL, data);
  for (unsigned i = 0; i < strlen(expected); i++) {
    const oct_filter_in in = {.insn_valid = true,
                              .da_valid = true,
                              .insn_addr = 4 * i,
                              .da_addr = 8,
                              .trigger = triggers[i]};
    oct_filter_out out;
    oct_filter_eval(&f, &in, &out);
    strcat(text, out.skip ? "-" : out.da_valid && !out.da_end ? "I" : "i");
    oct_filter_clock(&f);
  }
  assert_string_equal(text, expected);
}

static const uint8_t triggers[] = {0, ON, 0, OFF, 0, ON | OFF, 0, ON, ON | OFF, 0};

static void test_instructions(void **state) {
  (void)state;
  expect(INST_TRIGGERS, DATA_TRACING, triggers, "-III-I-II-");
  expect(INST_TRIGGERS | INST_TRACING, DATA_TRACING, triggers, "IIII-I-II-");
}

static void test_accesses(void **state) {
  (void)state;
  expect(INST_TRACING, DATA_TRIGGERS, triggers, "iIIIiIiIIi");
  expect(INST_TRACING, DATA_TRIGGERS | DATA_TRACING, triggers, "IIIIiIiIIi");
}

/* Without their enables triggers switch nothing. */
static void test_disabled(void **state) {
  (void)state;
  expect(INST_TRACING, DATA_TRACING, triggers, "IIIIIIIIII");
  expect(INST_TRACING, 0, triggers, "iiiiiiiiii");
  expect(0, DATA_TRACING, triggers, "----------");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_instructions),
      cmocka_unit_test(test_accesses),
      cmocka_unit_test(test_disabled),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
