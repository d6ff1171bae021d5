/* SPDX-License-Identifier: Apache-2.0 */
/* test_rvfi.c - does what RVFI tells become a trace that is never wrong, where RVFI leaves
 * something out: behind a gate that was closed, at an interrupt before the handler of an exception,
 * and where the core halts? */
#include "oct_rvfi.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "octrace/trace.h"

enum { NOP = 0x13, ECALL = 0x73 };

/* What a channel tells in a cycle, the gate, and whether the core is halted. */
typedef struct step {
  bool is_closed;
  oct_rvfi_in in;
  bool is_halted;
} step;

static step retire(uint64_t pc, uint8_t mode) {
  return (step){.in = {.valid = true, .insn = NOP, .pc = pc, .mode = mode}};
}
static step trap(uint64_t pc, uint8_t mode) {
  return (step){
      .in = {.valid = true, .insn = ECALL, .pc = pc, .mode = mode, .trap = true, .cause = 0x3f}};
}
/* The first of a handler, which finds cause and epc. */
static step handler(uint64_t pc, uint8_t mode, uint32_t cause, uint64_t epc) {
  step s = retire(pc, mode);
  s.in.intr = true;
  s.in.cause = cause;
  s.in.epc = epc;
  s.in.tval = 0x5ec4e7;
  return s;
}
static step closed(step s) {
  s.is_closed = true;
  return s;
}

/* All that leaves, a word an event: G a gap, of instructions the address, and of traps kind,
 * privilege, cause, address and value. */
static void expect(bool with_traps, const step *steps, unsigned n, const char *expected) {
  oct_rvfi rvfi;
  char text[256] = "";
  oct_rvfi_init(&rvfi, 32, 1, 8, with_traps);
  for (unsigned i = 0; i < n + 16; i++) {
    const step nothing = {.is_closed = false}, *s = i < n ? &steps[i] : &nothing;
    size_t end = strlen(text);
    oct_retire out;
    oct_rvfi_cycle(&rvfi, !s->is_closed, s->is_halted, &s->in, &out);
    if (out.core_error) snprintf(text + end, sizeof text - end, "G ");
    if (out.insn_valid) snprintf(text + end, sizeof text - end, "%x ", (unsigned)out.insn_addr);
    if (out.trap_valid)
      snprintf(text + end, sizeof text - end, "t%u/%u/%u/%x/%x ", out.trap_kind, out.trap_privilege,
               (unsigned)out.trap_cause, (unsigned)out.trap_addr, (unsigned)out.trap_tval);
  }
  assert_false(rvfi.error);
  assert_string_equal(text, expected);
}

static void test_trap(void **state) {
  (void)state;
  const step steps[] = {retire(0x10, 0), trap(0x14, 0), handler(0x80, 3, 8, 0x14),
                        handler(0x90, 3, 7, 0x84)};
  expect(true, steps, 4, "10 t0/3/8/14/5ec4e7 80 t1/3/7/84/0 90 ");
  expect(false, steps, 4, "10 80 90 ");
}

/* What an instruction that trapped says of its accesses means nothing: it made none. */
static void test_masks_of_trap(void **state) {
  (void)state;
  step odd = trap(0x14, 0);
  odd.in.rmask = 5;
  odd.in.wmask = 3;
  const step steps[] = {retire(0x10, 0), odd, handler(0x80, 3, 5, 0x14), retire(0x84, 3)};
  expect(true, steps, 4, "10 t0/3/5/14/5ec4e7 80 84 ");
  expect(false, steps, 4, "10 80 84 ");
}

/* Accesses of the opcode, with the mask that it must have; any other ends the trace, with a gap. Of
 * some instructions no access is known: without a mask they are traced, with one they end it. */
static void test_accesses(void **state) {
  static const struct {
    uint32_t word;
    uint8_t rmask, wmask, wrong_rmask, wrong_wmask;
  } cases[] = {
      {0x8080, 1, 0, 3, 0},      /* c.lbu */
      {0x80e0, 8, 0, 0, 8},      /* c.lbu */
      {0x8480, 3, 0, 1, 0},      /* c.lhu */
      {0x84c0, 12, 0, 15, 0},    /* c.lh */
      {0x8880, 0, 2, 2, 0},      /* c.sb */
      {0x8c80, 0, 12, 0, 4},     /* c.sh */
      {0x8cc0, 0, 0, 0, 3},      /* reserved */
      {0x9080, 0, 0, 1, 0},      /* reserved */
      {0x9c61, 0, 0, 1, 0},      /* c.zext.b */
      {0x68054073, 0, 0, 15, 0}, /* hlv.w */
      {0x6a054073, 0, 0, 0, 15}, /* hsv.w */
      {0x0045200f, 0, 0, 0, 15}, /* cbo.zero */
      {0x02050007, 0, 0, 1, 0},  /* vle8.v */
      {0x02056027, 0, 0, 0, 15}, /* vse32.v */
  };
  (void)state;
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
    for (unsigned is_wrong = 0; is_wrong < 2; is_wrong++) {
      oct_rvfi rvfi;
      unsigned insns = 0, accesses = 0, gaps = 0;
      oct_rvfi_init(&rvfi, 32, 1, 8, false);
      for (unsigned cycle = 0; cycle < 8; cycle++) {
        const oct_rvfi_in in = {.valid = cycle < 2,
                                .insn = cycle ? NOP : cases[i].word,
                                .pc = 0x10 + 4 * cycle,
                                .mem_addr = 0x100,
                                .rmask = cycle      ? 0
                                         : is_wrong ? cases[i].wrong_rmask
                                                    : cases[i].rmask,
                                .wmask = cycle      ? 0
                                         : is_wrong ? cases[i].wrong_wmask
                                                    : cases[i].wmask};
        oct_retire out;
        oct_rvfi_cycle(&rvfi, true, false, &in, &out);
        insns += out.insn_valid;
        accesses += out.da_valid && !out.da_end;
        gaps += out.core_error;
        uint8_t mask = cases[i].rmask | cases[i].wmask;
        if (out.da_valid && mask)
          assert_int_equal(out.da_addr, 0x100 + (unsigned)__builtin_ctz(mask));
      }
      assert_int_equal(rvfi.error, is_wrong);
      assert_int_equal(gaps, is_wrong);
      assert_int_equal(insns, is_wrong ? 0 : 2);
      assert_int_equal(accesses, !is_wrong && (cases[i].rmask || cases[i].wmask));
    }
}

/* A call into a world that may not be traced: neither its cause nor the exception is told of what
 * comes back from there, and a gap is. */
static void test_gate(void **state) {
  (void)state;
  const step steps[] = {retire(0x10, 0),       trap(0x14, 0),   closed(handler(0x80, 3, 8, 0x14)),
                        closed(trap(0x85, 3)), retire(0x18, 0), retire(0x1c, 0)};
  expect(true, steps, 6, "10 G 18 1c ");
  expect(false, steps, 6, "10 G 18 1c ");
}

/* Whether it was an exception that led out of it is not known, so no trap is told, but the
 * privilege. */
static void test_handler_behind_gate(void **state) {
  (void)state;
  const step steps[] = {retire(0x10, 0), closed(trap(0x80, 3)), handler(0x40, 1, 8, 0x80),
                        handler(0x50, 1, 7, 0x44)};
  expect(true, steps, 4, "10 G t2/1/0/0/0 40 t1/1/7/44/0 50 ");
}

/* A gate that leaves nothing out marks nothing, nor does one that never opens. */
static void test_gate_of_nothing(void **state) {
  (void)state;
  const step nothing = {.is_closed = true};
  const step steps[] = {retire(0x10, 0), nothing, retire(0x14, 0), closed(retire(0x80, 3))};
  expect(true, steps, 4, "10 14 ");
}

/* An exception that is delegated, and an interrupt before its handler's first instruction: RVFI
 * has the cause of the interrupt alone. */
static void test_interrupt_before_handler(void **state) {
  (void)state;
  const step steps[] = {trap(0x14, 0), handler(0x90, 3, 7, 0x40), retire(0x40, 1)};
  expect(true, steps, 3, "G t1/3/7/40/0 90 t2/1/0/0/0 40 ");
}

/* The handler's first instruction traps itself. */
static void test_two_exceptions(void **state) {
  (void)state;
  step second = trap(0x80, 3);
  second.in.intr = true;
  second.in.cause = 8;
  second.in.epc = 0x14;
  const step steps[] = {trap(0x14, 0), second, handler(0x80, 3, 2, 0x80)};
  expect(true, steps, 3, "t0/3/8/14/0 t0/3/2/80/5ec4e7 80 ");
}

/* Such a handler, and then a gate until the core is back where it was: the privilege that the trap
 * told holds no more. */
static void test_gate_behind_two_exceptions(void **state) {
  (void)state;
  step second = trap(0x80, 1);
  second.in.intr = true;
  second.in.cause = 13;
  second.in.epc = 0x14;
  const step steps[] = {retire(0x10, 0), trap(0x14, 0), second, closed(handler(0xc0, 3, 1, 0x80)),
                        retire(0x14, 0)};
  expect(true, steps, 5, "10 t0/1/13/14/0 G t2/0/0/0/0 14 ");
}

/* An exception that halts the core has no handler that tells of it: it is told at once, with what
 * is told in its cycle. */
static step halting(uint64_t pc, uint8_t mode, uint32_t cause, uint64_t tval) {
  step s = trap(pc, mode);
  s.in.halt = true;
  s.in.cause = cause;
  s.in.epc = 0xbad;
  s.in.tval = tval;
  return s;
}
static void test_halting_exception(void **state) {
  (void)state;
  const step steps[] = {retire(0x10, 3), halting(0x14, 3, 4, 0x123)};
  expect(true, steps, 2, "10 t0/3/4/14/123 ");
  expect(false, steps, 2, "10 ");
  const step first[] = {halting(0x14, 1, 2, 0), retire(0x80, 1), retire(0x84, 3)};
  expect(true, first, 3, "t0/1/2/14/0 80 t2/3/0/0/0 84 ");
  step last = retire(0x14, 3);
  last.in.halt = true;
  const step plain[] = {retire(0x10, 3), last};
  expect(true, plain, 2, "10 14 ");
}

/* It is the first of a handler: nothing tells what led there, which a gap stands for. */
static void test_halting_handler(void **state) {
  (void)state;
  step first = halting(0x80, 3, 2, 7);
  first.in.intr = true;
  first.in.epc = 0x14;
  const step steps[] = {retire(0x10, 0), trap(0x14, 0), first};
  expect(true, steps, 3, "10 G t0/3/2/80/7 ");
  const step interrupt[] = {retire(0x10, 0), first, handler(0x90, 3, 7, 0x84)};
  expect(true, interrupt, 3, "10 G t0/3/2/80/7 t1/3/7/84/0 90 ");
}

/* The cause that two channels share is that of the exception that halts. */
static void test_halting_beside_handler(void **state) {
  (void)state;
  oct_rvfi rvfi;
  oct_rvfi_init(&rvfi, 32, 2, 8, true);
  const oct_rvfi_in in[] = {handler(0x80, 3, 2, 0x14).in, halting(0x84, 3, 2, 5).in};
  const oct_rvfi_in nothing[2] = {{.valid = false}};
  unsigned gaps = 0, traps = 0;
  for (unsigned cycle = 0; cycle < 8; cycle++) {
    oct_retire out;
    oct_rvfi_cycle(&rvfi, true, false, cycle ? nothing : in, &out);
    gaps += out.core_error;
    traps += out.trap_valid;
    if (out.insn_valid) assert_int_equal(out.insn_addr, 0x80);
    if (out.trap_valid) assert_int_equal(out.trap_addr, 0x84);
  }
  assert_int_equal(gaps, 1);
  assert_int_equal(traps, 1);
}

/* A core that is halted before the handler of an exception begins: a gap, and no interrupt where
 * the handler begins after all. */
static const step HALTED = {.is_halted = true}, IDLE = {.is_halted = false};
static void test_halted(void **state) {
  (void)state;
  const step steps[] = {retire(0x10, 0), trap(0x14, 0), IDLE, IDLE, HALTED};
  expect(true, steps, 4, "10 ");
  expect(true, steps, 5, "10 G ");
  expect(false, steps, 5, "10 ");
  const step later[] = {trap(0x14, 0),
                        IDLE,
                        HALTED,
                        IDLE,
                        IDLE,
                        handler(0x80, 3, 8, 0x14),
                        handler(0x90, 3, 7, 0x84)};
  expect(true, later, 7, "G 80 t1/3/7/84/0 90 ");
  /* Told with the exception itself, and gone before its time comes. */
  step both = trap(0x18, 0);
  both.is_halted = true;
  const step queued[] = {retire(0x10, 0), retire(0x14, 0), both, handler(0x80, 3, 8, 0x18)};
  expect(true, queued, 4, "10 14 t0/3/8/18/5ec4e7 80 ");
  expect(true, queued, 3, "10 14 G ");
}

/* Halted without a trap that waits, it tells nothing. */
static void test_halted_at_nothing(void **state) {
  (void)state;
  const step steps[] = {HALTED, retire(0x10, 0), HALTED, IDLE, handler(0x80, 3, 7, 0x14), HALTED};
  expect(true, steps, 6, "10 t1/3/7/14/0 80 ");
}

/* What broke a rule behind an exception is the gap that stands for both. */
static void test_halted_behind_error(void **state) {
  (void)state;
  oct_rvfi rvfi;
  oct_rvfi_init(&rvfi, 32, 1, 8, true);
  const oct_rvfi_in in[] = {trap(0x14, 0).in, retire(0x81, 3).in}, nothing = {.valid = false};
  unsigned gaps = 0;
  for (unsigned cycle = 0; cycle < 8; cycle++) {
    oct_retire out;
    oct_rvfi_cycle(&rvfi, true, cycle > 0, cycle < 2 ? &in[cycle] : &nothing, &out);
    gaps += out.core_error;
    assert_false(out.insn_valid || out.trap_valid);
  }
  assert_int_equal(gaps, 1);
}

/* What has no room is lost, and what comes up to where nothing waits: a gap tells it then, whether
 * or not anything follows, and the adapter goes on. */
static void test_too_fast(void **state) {
  (void)state;
  for (unsigned follows = 0; follows < 2; follows++) {
    oct_rvfi rvfi;
    uint64_t traced[40] = {0};
    unsigned insns = 0, gaps = 0, gap_at = 0, traps = 0;
    oct_rvfi_init(&rvfi, 32, 2, 4, true);
    for (unsigned cycle = 0; cycle < 24; cycle++) {
      oct_rvfi_in in[2] = {retire(0x100 + 8 * cycle, 3).in, retire(0x104 + 8 * cycle, 3).in};
      oct_retire out;
      /* Two a cycle; then, if anything follows, the handler of an interrupt, and what is behind. */
      if (cycle >= 6) in[0] = in[1] = (oct_rvfi_in){.valid = false};
      if (follows && cycle == 18) in[0] = handler(0x80, 3, 7, 0x130).in;
      if (follows && cycle == 20) in[0] = retire(0x84, 3).in;
      oct_rvfi_cycle(&rvfi, true, false, in, &out);
      if (cycle >= 6) assert_false(rvfi.loses);
      if (out.core_error) gap_at = insns, gaps++;
      if (out.insn_valid) traced[insns++] = out.insn_addr;
      traps += out.trap_valid;
    }
    assert_false(rvfi.error);
    /* Two go in each cycle, one leaves: the fourth pair has no room, nor what comes behind it. */
    assert_int_equal(gaps, 1);
    assert_int_equal(gap_at, 6);
    assert_int_equal(insns, follows ? 8 : 6);
    for (unsigned i = 0; i < 6; i++) assert_int_equal(traced[i], 0x100 + 4 * i);
    if (follows) {
      assert_int_equal(traced[6], 0x80);
      assert_int_equal(traced[7], 0x84);
    }
    assert_int_equal(traps, 0); /* what led to the first behind the gap may be lost */
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_too_fast),
      cmocka_unit_test(test_trap),
      cmocka_unit_test(test_masks_of_trap),
      cmocka_unit_test(test_accesses),
      cmocka_unit_test(test_gate),
      cmocka_unit_test(test_handler_behind_gate),
      cmocka_unit_test(test_gate_of_nothing),
      cmocka_unit_test(test_interrupt_before_handler),
      cmocka_unit_test(test_two_exceptions),
      cmocka_unit_test(test_gate_behind_two_exceptions),
      cmocka_unit_test(test_halting_exception),
      cmocka_unit_test(test_halting_handler),
      cmocka_unit_test(test_halting_beside_handler),
      cmocka_unit_test(test_halted),
      cmocka_unit_test(test_halted_at_nothing),
      cmocka_unit_test(test_halted_behind_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
