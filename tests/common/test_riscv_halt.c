/* SPDX-License-Identifier: Apache-2.0 */
/* test_riscv_halt.c - is a trap told behind which nothing retires, as the hart is halted or in
 * reset, once, in its place, and with what is known? */
#include "oct_riscv_cycles.h"

static oct_riscv_in halted(bool is_reset) {
  return (oct_riscv_in){.halted = !is_reset, .reset = is_reset};
}
static oct_riscv_in of_priv(oct_riscv_in in, uint8_t priv) {
  in.priv = priv;
  return in;
}

/* A trap behind which nothing retires is told when the hart is halted, or in reset, with the
 * privilege that is known: of the last instruction, or where there was none, of its own cycle. If
 * its handler retires after all, the privilege changes there. */
static void test_halted(void **state) {
  for (unsigned is_reset = 0; is_reset < 2; is_reset++)
    for (unsigned with_insn = 0; with_insn < 2; with_insn++) {
      const oct_riscv_in in[] = {of_priv(block(0, 0x100, with_insn ? NOP : 0), 0),
                                 of_priv(block(1, 0x104, 0), 1), halted(is_reset)};
      const oct_riscv_in handler = of_priv(block(0, 0x800, NOP), 3);
      oct_retire traps[4];
      bool error;
      setup(state);
      assert_int_equal(run(in, 2, traps, &error), 0);
      assert_int_equal(run(&in[2], 1, traps, &error), 1);
      assert_false(error);
      assert_int_equal(traps[0].trap_kind, OCT_TRAP_EXCEPTION);
      assert_int_equal(traps[0].trap_privilege, with_insn ? 0 : 1);
      assert_int_equal(traps[0].trap_cause, 5);
      assert_int_equal(traps[0].trap_addr, 0x104);
      assert_int_equal(run(&in[2], 1, traps, &error), 0);
      assert_int_equal(run(&handler, 1, traps, &error), 1);
      assert_int_equal(traps[0].trap_kind, OCT_TRAP_PRIVILEGE);
      assert_int_equal(traps[0].trap_privilege, 3);
      assert_int_equal(ingress.has_trap, false);
    }
}

/* It is told in its place, though more waits in the queue, and with the task of what it belongs to.
 * In the very cycle of a trap the halt is behind it. */
static void test_halted_in_order(void **state) {
  (void)state;
  oct_riscv_in trap = with_context(block(1, 0x10, NOP), 2, 7);
  trap.halted = true;
  const oct_riscv_in in[] = {block(0, 0x0c, NOP), trap, of_priv(block(0, 0x80, NOP), 1),
                             with_context(block(0, 0x84, 0), 2, 9)};
  expect(in, 4, "0c/0 10/7 T T 80/7 ");
  setup(state);
  oct_retire out;
  for (unsigned i = 0; i < 8;
       i++) { /* nothing behind it; the context of what has nothing is none */
    const oct_riscv_in nothing = {.priv = 0};
    oct_riscv_ingress_cycle(&ingress, true, i < 2 ? &in[i] : &nothing, &out);
    if (out.trap_valid) assert_int_equal(out.task, 7);
    assert_int_equal(out.trap_valid, i == 3);
  }
}

/* Before a cycle that broke a rule it is told, behind cycles that were lost it is not. */
static void test_halted_before_gap(void **state) {
  (void)state;
  const oct_riscv_in in[] = {block(1, 0x10, NOP), halted(false), block(0, 0x81, NOP),
                             block(0, 0x84, NOP)};
  expect(in, 4, "10/0 T E 84/0 ");
  setup(state);
  oct_riscv_in many[9];
  for (unsigned i = 0; i < 7; i++) { /* the last is lost */
    many[i] = block(i == 5, 0x10 + 8 * i, NOP);
    many[i].blocks[0].iretire = 4;
    many[i].blocks[0].words[2] = NOP;
  }
  many[7] = halted(false);
  many[8] = block(0, 0x90, NOP);
  expect(many, 8, "10/0 14/0 18/0 1c/0 20/0 24/0 28/0 2c/0 30/0 34/0 38/0 3c/0 T ");
  setup(state);
  expect(many, 9, "10/0 14/0 18/0 1c/0 20/0 24/0 28/0 2c/0 30/0 34/0 38/0 3c/0 E 90/0 ");
}

/* Where an interrupt without instructions came is not known behind a halt. */
static void test_interrupt_behind_halt(void **state) {
  (void)state;
  const oct_riscv_in in[] = {block(0, 0x100, NOP), halted(true), (oct_riscv_in){.trigger = 1},
                             block(2, 1, 0), block(0, 0x900, NOP)};
  oct_retire traps[4];
  bool error;
  assert_int_equal(run(in, 5, traps, &error), 1);
  assert_int_equal(traps[0].trap_addr, 0);
  setup(state);
  assert_int_equal(run(in, 1, traps, &error), 0);
  assert_int_equal(run(&in[2], 3, traps, &error), 1);
  assert_int_equal(traps[0].trap_addr, 0x104);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_halted, setup),
      cmocka_unit_test_setup(test_halted_in_order, setup),
      cmocka_unit_test_setup(test_halted_before_gap, setup),
      cmocka_unit_test_setup(test_interrupt_behind_halt, setup),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
