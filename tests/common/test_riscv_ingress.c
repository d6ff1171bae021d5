/* SPDX-License-Identifier: Apache-2.0 */
/* test_riscv_ingress.c - is what arrives at RISC-V's trace ingress port passed on as the port's
 * specification means it? Traps with and without instructions, and signals that mean nothing. */
#include "oct_riscv_ingress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oct_event.h"

enum { NOP = 0x13, ECALL = 0x73, C_NOP = 1, C_EBREAK = 0x9002 };

static oct_riscv_ingress ingress;

static int setup(void **state) {
  (void)state;
  oct_riscv_ingress_init(&ingress, 1, 4, 16, 32);
  return 0;
}

/* One block of one instruction, or none where word is 0. */
static oct_riscv_in block(uint8_t itype, uint64_t addr, uint32_t word) {
  bool is_long = (word & 3) == 3;
  oct_riscv_in in = {.priv = 3, .cause = 5};
  in.blocks[0] = (oct_riscv_block){
      itype, (uint8_t)(!word ? 0 : 1 + is_long), is_long, addr, {(uint16_t)word, word >> 16}};
  return in;
}

/* What leaves for the inputs, of which the last has an instruction: traps into traps, and whether
 * there was an error. */
static unsigned run(const oct_riscv_in *in, unsigned n, oct_retire *traps, bool *error) {
  unsigned n_traps = 0;
  *error = false;
  for (unsigned i = 0; i < n + 16; i++) {
    const oct_riscv_in nothing = {.priv = 0};
    oct_retire out;
    oct_riscv_ingress_cycle(&ingress, i < n ? &in[i] : &nothing, &out);
    *error |= out.core_error;
    if (out.trap_valid) traps[n_traps++] = out;
  }
  return n_traps;
}

/* The address of an interrupt without instruction means nothing, and may be odd. It is the one
 * behind the last instruction, where that did not jump. */
static void test_interrupt_between(void **state) {
  static const struct {
    uint8_t itype;
    uint32_t word;
    uint64_t addr;
  } cases[] = {{0, NOP, 0x104}, {4, C_NOP, 0x102}, {5, C_NOP, 0}, {11, NOP, 0}, {13, NOP, 0}};
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
  } cases[] = {{NOP, 0x104}, {C_NOP, 0x102}, {0, 0x100}, {ECALL, 0x100}, {C_EBREAK, 0x100}};
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_interrupt_between, setup),
      cmocka_unit_test_setup(test_exception, setup),
      cmocka_unit_test_setup(test_privilege_of_none, setup),
      cmocka_unit_test_setup(test_two_traps, setup),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
