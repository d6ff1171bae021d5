/* SPDX-License-Identifier: Apache-2.0 */
/* test_survey.c - does the survey count streams, distinct things and tasks as they are? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oct_config.h"
#include "octrace/sweep.h"

/* A loop of three at 0x100 twice, then two at 0x200 in another task. */
static void counts_streams(void **state) {
  static const uint64_t addrs[] = {0x100, 0x104, 0x108, 0x100, 0x104, 0x108, 0x200, 0x202};
  oct_insn insns[8] = {0};
  const oct_access accesses[] = {{0x10, 4, 0, 0}, {0x20, 4, 1, 0}, {0x30, 4, 0, 0}};
  oct_survey_stream top[4];
  oct_config cfg;
  oct_survey s;
  (void)state;
  for (unsigned i = 0; i < 8; i++)
    insns[i] = (oct_insn){.addr = addrs[i], .size_bytes = i < 6 ? 4 : 2, .task = i < 6 ? 1 : 2};
  insns[0].n_access = 1;
  insns[7].n_access = 2;
  oct_config_init(&cfg);
  assert_int_equal(oct_survey_init(&s, 1u << cfg.sl_bits), 0);
  assert_string_equal(oct_survey_isa(&s), "unknown");
  /* In two batches: a stream goes on over the border. */
  oct_batch batch = {.insns = insns, .n_insns = 5, .accesses = accesses, .n_accesses = 1};
  assert_int_equal(oct_survey_put(&s, &batch), 0);
  const oct_trap traps[] = {{.kind = OCT_TRAP_INTERRUPT}, {.kind = OCT_TRAP_EXCEPTION},
                            {.kind = OCT_TRAP_EXCEPTION}, {.kind = OCT_TRAP_PRIVILEGE},
                            {.kind = OCT_TRAP_PRIVILEGE}, {.kind = OCT_TRAP_PRIVILEGE}};
  batch = (oct_batch){.insns = insns + 5,
                      .n_insns = 3,
                      .accesses = accesses + 1,
                      .n_accesses = 2,
                      .traps = traps,
                      .n_traps = 6};
  assert_int_equal(oct_survey_put(&s, &batch), 0);
  assert_int_equal(oct_survey_end(&s), 0);
  assert_int_equal(s.insns, 8);
  assert_int_equal(s.unique_insns, 5);
  assert_int_equal(s.accesses, 3);
  assert_int_equal(s.loads, 2);
  assert_int_equal(s.stores, 1);
  assert_int_equal(s.interrupts, 1);
  assert_int_equal(s.exceptions, 2);
  assert_int_equal(s.privilege_changes, 3);
  assert_int_equal(s.streams, 3);
  assert_int_equal(s.unique_streams, 2);
  assert_int_equal(s.max_sl, 3);
  assert_int_equal(s.tasks, 2);
  assert_int_equal(s.task_switches, 1);
  assert_string_equal(oct_survey_isa(&s), "sizes of 2 and 4 bytes (RISC-V with C, Thumb)");
  assert_int_equal(oct_survey_top(&s, top, 4), 2);
  assert_int_equal(top[0].sa, 0x100);
  assert_int_equal(top[0].count, 2);
  assert_int_equal(top[0].sl, 3);
  assert_int_equal(top[1].sa, 0x200);
  assert_int_equal(oct_survey_top(&s, top, 1), 1);
  assert_int_equal(top[0].sa, 0x100);
  oct_survey_free(&s);
}

/* More distinct addresses than the sets begin with: none is lost as they grow. */
static void grows(void **state) {
  enum { INSNS = 20000 };
  oct_config cfg;
  oct_survey s;
  (void)state;
  oct_config_init(&cfg);
  assert_int_equal(oct_survey_init(&s, 1u << cfg.sl_bits), 0);
  for (unsigned round = 0; round < 2; round++) {
    for (uint64_t i = 0; i < INSNS; i++) {
      oct_insn insn = {.addr = 8 * i, .size_bytes = 4};
      oct_batch batch = {.insns = &insn, .n_insns = 1};
      assert_int_equal(oct_survey_put(&s, &batch), 0);
    }
  }
  assert_int_equal(oct_survey_end(&s), 0);
  assert_int_equal(s.unique_insns, INSNS);
  assert_int_equal(s.unique_streams, INSNS);
  assert_int_equal(s.streams, 2 * INSNS);
  oct_survey_free(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(counts_streams), cmocka_unit_test(grows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
