/* SPDX-License-Identifier: Apache-2.0 */
/* test_riscv_ingress.c - is what arrives at RISC-V's trace ingress port passed on as the port's
 * specification means it? Traps with and without instructions, signals that mean nothing, accesses,
 * triggers, and what is left when cycles are lost or break a rule. */
#include "oct_riscv_cycles.h"

static oct_riscv_in with_access(oct_riscv_in in, unsigned slot, uint8_t dtype, uint8_t dsize,
                                uint64_t insn_addr) {
  in.accesses[slot] = (oct_riscv_access){true, dtype, 0, dsize, insn_addr >> 1 & 15, 0x9000};
  return in;
}

/* The address of an interrupt without instruction means nothing, and may be odd. It is the one
 * behind the last instruction, where that did not jump. */
static void test_interrupt_between(void **state) {
  static const struct {
    uint8_t itype;
    uint32_t word;
    uint64_t addr;
  } cases[] = {{0, NOP, 0x104}, {4, C_NOP, 0x102}, {5, C_NOP, 0}, {11, NOP, 0},
               {13, NOP, 0},    {4, BEQ, 0x104},   {0, JAL, 0}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    setup(state);
    const oct_riscv_in in[] = {block(cases[i].itype, 0x100, cases[i].word), block(2, 0xdead, 0),
                               block(0, 0x800, NOP)};
    oct_retire traps[4];
    bool error;
    assert_int_equal(run(in, 3, traps, &error), 1);
    assert_false(error);
    assert_int_equal(traps[0].trap_kind, OCT_TRAP_INTERRUPT);
    assert_int_equal(traps[0].trap_addr, cases[i].addr);
  }
}

/* An exception has the address of its instruction, be it reported with what retired before, alone,
 * or be it an environment call that counts as retired. */
static void test_exception(void **state) {
  static const struct {
    uint32_t word;
    uint64_t addr;
  } cases[] = {{NOP, 0x104},      {C_NOP, 0x102}, {0, 0x100}, {ECALL, 0x100},
               {C_EBREAK, 0x100}, {JAL, 0},       {BEQ, 0},   {C_J, 0}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    setup(state);
    const oct_riscv_in in[] = {block(1, 0x100, cases[i].word), block(0, 0x800, NOP)};
    oct_retire traps[4];
    bool error;
    assert_int_equal(run(in, 2, traps, &error), 1);
    assert_false(error);
    assert_int_equal(traps[0].trap_kind, OCT_TRAP_EXCEPTION);
    assert_int_equal(traps[0].trap_addr, cases[i].addr);
  }
}

/* The privilege is that of the instructions that retire in the cycle. Without one it changes
 * nothing. */
static void test_privilege_of_none(void **state) {
  (void)state;
  oct_riscv_in in[] = {block(0, 0x100, NOP), block(1, 0x104, 0), block(0, 0x800, NOP)};
  oct_retire traps[4];
  bool error;
  in[0].priv = 0;
  assert_int_equal(run(in, 3, traps, &error), 1);
  assert_false(error);
  assert_int_equal(traps[0].trap_kind, OCT_TRAP_EXCEPTION);
  assert_int_equal(traps[0].trap_privilege, 3);
}

/* Two traps with nothing retired between them. */
static void test_two_traps(void **state) {
  (void)state;
  const oct_riscv_in in[] = {block(1, 0x100, NOP), block(1, 0x800, 0), block(2, 1, 0),
                             block(0, 0x900, NOP)};
  oct_retire traps[4];
  bool error;
  assert_int_equal(run(in, 4, traps, &error), 3);
  assert_false(error);
  assert_int_equal(traps[0].trap_addr, 0x104);
  assert_int_equal(traps[1].trap_addr, 0x800);
  assert_int_equal(traps[2].trap_kind, OCT_TRAP_INTERRUPT);
  assert_int_equal(traps[2].trap_addr, 0);
}

/* The context of a cycle that broke a rule, or for which the queue had no room, is still that of
 * the instructions behind it. In a cycle with nothing in it the signals mean nothing. */
static void test_context(void **state) {
  (void)state;
  const oct_riscv_in in[] = {
      with_context(block(0, 0x10, NOP), 2, 7),  with_context(block(0, 0x14, NOP), 0, 8),
      with_context(block(0, 0x18, 0), 1, 9),    block(0, 0x18, NOP),
      with_context(block(0, 0x1d, NOP), 3, 10), block(0, 0x20, NOP),
  };
  expect(in, 6, "10/7 14/7 18/7 E 20/10 ");
  setup(state);
  oct_riscv_in many[8];
  for (unsigned i = 0; i < 8; i++) {
    many[i] = block(0, 0x10 + 8 * i, NOP);
    many[i].blocks[0].iretire = 4;
    many[i].blocks[0].words[2] = NOP;
  }
  many[6] = with_context(many[6], 1, 5); /* lost */
  expect(many, 8, "10/0 14/0 18/0 1c/0 20/0 24/0 28/0 2c/0 30/0 34/0 38/0 3c/0 E 48/5 4c/5 ");
}

/* A trap that waits is told before the next instruction, or not at all: never behind a gap. */
static void test_trap_before_gap(void **state) {
  (void)state;
  const oct_riscv_in in[] = {block(1, 0x10, NOP), block(0, 0x81, NOP), block(0, 0x84, NOP)};
  expect(in, 3, "10/0 E 84/0 ");
}

/* Behind a gap nobody knows where an interrupt without instructions came: behind a cycle that broke
 * a rule, one that was lost, and an access that no instruction made. */
static void test_interrupt_behind_gap(void **state) {
  for (unsigned i = 0; i < 3; i++) {
    setup(state);
    const oct_riscv_in gaps[] = {block(0, 0x105, NOP), block(0, 0x104, NOP),
                                 with_access(block(0, 0x104, NOP), 0, 0, 2, 0x10a)};
    const oct_riscv_in in[] = {block(0, 0x100, NOP), gaps[i], block(2, 0xdead, 0),
                               block(0, 0x800, NOP)};
    oct_retire traps[4];
    bool error;
    closed_cycles = i == 1 ? 1u << 1 : 0;
    assert_int_equal(run(in, 4, traps, &error), 1);
    assert_true(error);
    assert_int_equal(traps[0].trap_kind, OCT_TRAP_INTERRUPT);
    assert_int_equal(traps[0].trap_addr, 0);
  }
}

/* An interrupt told with the block before it. Where that can have jumped by its last instruction,
 * nobody knows the address: the type of the block is the trap's. */
static void test_interrupt_behind_jump(void **state) {
  static const struct {
    uint32_t word;
    uint64_t addr;
  } cases[] = {{NOP, 0x108}, {C_NOP, 0x106}, {JAL, 0}, {BEQ, 0}, {C_J, 0}, {LONGER, 0}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    setup(state);
    oct_riscv_in two = block(2, 0x100, NOP);
    const bool is_long = (cases[i].word & 3) == 3;
    two.blocks[0].words[2] = (uint16_t)cases[i].word;
    two.blocks[0].words[3] = (uint16_t)(cases[i].word >> 16);
    two.blocks[0].iretire = 3 + is_long;
    two.blocks[0].ilastsize = is_long;
    const oct_riscv_in in[] = {two, block(0, 0x800, NOP)};
    oct_retire traps[4];
    bool error;
    assert_int_equal(run(in, 2, traps, &error), 1);
    assert_int_equal(error, cases[i].word == LONGER);
    assert_int_equal(traps[0].trap_kind, OCT_TRAP_INTERRUPT);
    assert_int_equal(traps[0].trap_addr, cases[i].addr);
  }
}

/* What comes while the gate is closed is left out, and a gap tells that: a trap that waits goes
 * with it. The context behind it is the newest. Without anything left out there is no gap. */
static void test_gate(void **state) {
  (void)state;
  const oct_riscv_in in[] = {
      with_context(block(0, 0x10, NOP), 2, 7),
      block(1, 0x14, ECALL),
      with_context(block(0, 0x80, NOP), 1, 9), /* closed */
      block(1, 0x85, LONGER),                  /* closed, and breaks rules */
      block(0, 0x18, NOP),
      {.priv = 3}, /* closed, nothing comes */
      block(0, 0x1c, NOP),
  };
  closed_cycles = 1u << 2 | 1u << 3 | 1u << 5;
  expect(in, 7, "10/7 14/7 E 18/9 1c/9 ");
}

/* Codes that the specification keeps back, and instructions that are longer than 32 bits. */
static void test_reserved(void **state) {
  (void)state;
  const oct_riscv_in in[] = {block(7, 0x10, NOP),
                             with_access(block(0, 0x14, LW), 0, 2, 2, 0x14),
                             with_access(block(0, 0x18, LW), 0, 3, 2, 0x18),
                             with_access(block(0, 0x1c, LW), 0, 7, 2, 0x1c),
                             block(0, 0x20, LONGER),
                             block(0, 0x24, NOP)};
  expect(in, 6, "E E E E E 24/0 ");
}

/* Type and size of an access are those of the opcode, and it is of one instruction. */
static void test_accesses(void **state) {
  static const struct {
    uint32_t word;
    uint8_t dtype, dsize;
    const char *expected;
  } cases[] = {
      {LW, 0, 2, "10/0D "},
      {LW, 0, 1, "E "},
      {LW, 1, 2, "E "},
      {LW, 9, 2, "E "},
      {LW, 15, 2, "E "},
      {SW, 1, 2, "10/0D "},
      {SW, 0, 2, "E "},
      {SC_W, 1, 2, "10/0D "},
      {SC_W, 15, 2, "10/0e "},
      {SC_W, 0, 2, "E "},
      {AMOADD_W, 9, 2, "10/0D D "},
      {AMOADD_W, 0, 2, "10/0D e "},
      {AMOADD_W, 1, 2, "10/0D e "},
      {AMOADD_W, 15, 2, "E "},
      {NOP, 0, 2, "E "},
      {NOP, 4, 2, "10/0 "},
      {C_LBU, 0, 0, "10/0D "},
      {C_LBU, 0, 1, "E "},
      {C_LHU, 0, 1, "10/0D "},
      {C_LH, 0, 1, "10/0D "},
      {C_LH, 0, 2, "E "},
      {C_SB, 1, 0, "10/0D "},
      {C_SB, 0, 0, "E "},
      {C_SH, 1, 1, "10/0D "},
      {C_SH | C_RESERVED, 1, 1, "E "},
      {C_SH | C_RESERVED, 4, 1, "10/0 "},
      {HLV_W, 0, 2, "E "},
      {HSV_W, 1, 2, "E "},
      {CBO_ZERO, 1, 6, "E "},
      {VLE8, 0, 0, "E "},
      {VSE64, 1, 3, "E "},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    setup(state);
    const oct_riscv_in in =
        with_access(block(0, 0x10, cases[i].word), 0, cases[i].dtype, cases[i].dsize, 0x10);
    expect(&in, 1, cases[i].expected);
  }
  setup(state);
  oct_riscv_in two = block(0, 0x10, LW);
  two.blocks[0].iretire = 4;
  two.blocks[0].words[2] = SW;
  const oct_riscv_in in[] = {with_access(with_access(two, 0, 1, 2, 0x14), 1, 0, 2, 0x10),
                             with_access(with_access(two, 0, 0, 2, 0x10), 1, 0, 2, 0x10),
                             with_access(with_access(two, 0, 0, 2, 0x12), 1, 1, 2, 0x14), two};
  expect(in, 4, "10/0D 14/0D E 10/0e 14/0D E 10/0e 14/0e ");
}

/* Tracing starts with the oldest instruction of the cycle and stops behind the newest, whatever
 * waits before it; a trigger of its own cycle tells no trap. */
static void test_triggers(void **state) {
  (void)state;
  oct_riscv_in two = block(0, 0x10, NOP);
  two.blocks[0].iretire = 4;
  two.blocks[0].words[2] = LW;
  two.trigger = 3;
  oct_riscv_in alone = {.trigger = 1};
  const oct_riscv_in in[] = {block(1, 0x0c, NOP), alone, two};
  expect(in, 3, "0c/0 < T 10/0< 14/0e> ");
}

/* Of the triggers that come while the gate is closed, or the queue full, the newest is told with
 * what comes behind the gap, if that has none of its own. */
static void test_lost_triggers(void **state) {
  (void)state;
  const oct_riscv_in start = {.trigger = 1}, stop = {.trigger = 2};
  oct_riscv_in own = block(0, 0x18, NOP), burst = block(0, 0x20, NOP);
  own.trigger = 1;
  burst.blocks[0].iretire = 4;
  burst.blocks[0].words[2] = NOP;
  const oct_riscv_in in[] = {start,
                             stop,
                             block(0, 0x10, NOP), /* a gap; only stop is left */
                             start,
                             block(0, 0x14, NOP), /* nothing open in between */
                             stop,
                             own};
  closed_cycles = 1u << 0 | 1u << 1 | 1u << 3 | 1u << 5;
  expect(in, 7, "E 10/0> E< 14/0 E< 18/0 ");
  /* What is lost behind it without a trigger does not take it away. */
  const oct_riscv_in kept[] = {stop, block(0, 0x80, NOP), block(0, 0x1c, NOP)};
  closed_cycles = 1u << 0 | 1u << 1;
  expect(kept, 3, "E 1c/0> ");
  const oct_riscv_in full[] = {burst, burst, burst, burst,
                               burst, burst, start, block(0, 0x30, NOP)};
  closed_cycles = 0;
  expect(full, 8, "20/0 24/0 20/0 24/0 20/0 24/0 20/0 24/0 20/0 24/0 20/0 24/0 E< 30/0 ");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_interrupt_between, setup),
      cmocka_unit_test_setup(test_exception, setup),
      cmocka_unit_test_setup(test_privilege_of_none, setup),
      cmocka_unit_test_setup(test_two_traps, setup),
      cmocka_unit_test_setup(test_context, setup),
      cmocka_unit_test_setup(test_trap_before_gap, setup),
      cmocka_unit_test_setup(test_interrupt_behind_gap, setup),
      cmocka_unit_test_setup(test_interrupt_behind_jump, setup),
      cmocka_unit_test_setup(test_gate, setup),
      cmocka_unit_test_setup(test_reserved, setup),
      cmocka_unit_test_setup(test_accesses, setup),
      cmocka_unit_test_setup(test_triggers, setup),
      cmocka_unit_test_setup(test_lost_triggers, setup),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
