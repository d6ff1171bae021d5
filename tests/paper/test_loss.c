/* SPDX-License-Identifier: Apache-2.0 */
/* test_loss.c - what short loops lose, an instruction and an access a cycle: nothing for ever where
 * the pins suffice, and no more with more pins; and what streams lose that were never seen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "../test_random.h"
#include "oct_top.h"
#include "oct_trace_port.h"

enum { INSNS = 20000, PINS_MAX = 32, RANDOM = -1, APART = -2 };

/* Instructions lost of all, and of the second half. */
typedef struct loss {
  uint64_t all, late;
} loss;

/* A loop of n_insns with an access each, stride bytes behind the last one; or anywhere; or each
 * instruction in an array of its own. */
static loss run_loop(const char *geometry, uint32_t pins, uint32_t n_insns, int stride) {
  oct_config cfg;
  oct_top *top = test_malloc(sizeof *top);
  loss lost = {0, 0};
  assert_int_equal(oct_geometry_get(geometry, &cfg), 0);
  cfg.port_pins = pins;
  assert_int_equal(oct_top_init(top, &cfg), 0);
  random_state = 1;
  for (uint32_t i = 0; i < INSNS; i++) {
    uint64_t da = stride == RANDOM  ? 4 * (uint64_t)below32(1u << 20)
                  : stride == APART ? (uint64_t)(i % n_insns + 2) << 16 | 4 * (i / n_insns)
                                    : 0x20000 + (uint64_t)stride * i;
    oct_top_in in = {.retire = {.insn_valid = true,
                                .insn_addr = 0x8000 + 4 * (uint64_t)(i % n_insns),
                                .insn_size_bytes = 4,
                                .da_valid = true,
                                .da_addr = da}};
    oct_top_out out;
    oct_top_cycle(top, &in, &out);
    if (i == INSNS / 2) lost.late = top->stats.lost_insns;
  }
  lost.all = top->stats.lost_insns;
  lost.late = lost.all - lost.late;
  oct_top_free(top);
  test_free(top);
  return lost;
}

/* A short loss late in the run may be, but not one behind the other. */
static void expect_loop_fits(uint32_t pins, uint32_t n_insns, int stride) {
  loss lost = run_loop("paper-pipelined", pins, n_insns, stride);
  if (lost.late > INSNS / 1000 || lost.all > INSNS / 50)
    fail_msg("loop of %u, %u pins: %llu lost, %llu late", n_insns, pins,
             (unsigned long long)lost.all, (unsigned long long)lost.late);
}

/* Each access is as far behind the last one of its instruction as that was: 1.4 bits an instruction
 * at most. A longer loop than 31 has strides of 128 bytes and more, which the table does not hold.
 */
static void test_nothing_is_lost_where_the_pins_suffice(void **state) {
  (void)state;
  for (uint32_t n_insns = 1; n_insns <= 31; n_insns++)
    for (uint32_t pins = n_insns == 1 ? 2 : 4; pins <= PINS_MAX; pins++)
      expect_loop_fits(pins, n_insns, 4);
  for (uint32_t n_insns = 1; n_insns <= 100; n_insns += 9)
    for (uint32_t pins = 16; pins <= PINS_MAX; pins++) expect_loop_fits(pins, n_insns, APART);
}

/* Each access misses, which is more than most pins can send; losses have a grain of some per cent:
 * the time between two of them has to do with that of the loop. */
static void expect_no_more_with_more_pins(const char *geometry, uint32_t n_insns, int stride) {
  loss before = {INSNS, INSNS};
  for (uint32_t pins = 1; pins <= PINS_MAX; pins++) {
    loss lost = run_loop(geometry, pins, n_insns, stride);
    if (lost.all > before.all + INSNS / 25)
      fail_msg("%s, loop of %u: %llu lost with %u pins, %llu with one more", geometry, n_insns,
               (unsigned long long)before.all, pins - 1, (unsigned long long)lost.all);
    before = lost;
  }
}

static void test_more_pins_lose_no_more(void **state) {
  (void)state;
  static const char *const geometries[] = {"paper", "paper-pipelined"};
  for (size_t g = 0; g < 2; g++)
    for (uint32_t n_insns = 1; n_insns <= 8; n_insns += n_insns == 1 ? 1 : 3) {
      expect_no_more_with_more_pins(geometries[g], n_insns, 4);
      expect_no_more_with_more_pins(geometries[g], n_insns, RANDOM);
    }
}

/* Instructions lost of INSNS, each a stream of its own at a new address. */
static uint64_t lose_new_streams(const char *geometry, uint32_t pins) {
  oct_config cfg;
  oct_top *top = test_malloc(sizeof *top);
  uint64_t lost;
  assert_int_equal(oct_geometry_get(geometry, &cfg), 0);
  cfg.port_pins = pins;
  assert_int_equal(oct_top_init(top, &cfg), 0);
  for (uint32_t i = 0; i < INSNS; i++) {
    oct_top_in in = {.retire = {.insn_valid = true,
                                .insn_addr = 0x100000 + 64 * (uint64_t)i,
                                .insn_size_bytes = 4}};
    oct_top_out out;
    oct_top_cycle(top, &in, &out);
  }
  lost = top->stats.lost_insns;
  oct_top_free(top);
  test_free(top);
  return lost;
}

/* The stream cache takes half of them, and 32 pins nearly as many. */
static void test_losses_of_new_streams_are_short(void **state) {
  (void)state;
  static const char *const geometries[] = {"paper", "paper-pipelined"};
  for (size_t g = 0; g < 2; g++) {
    uint64_t lost = lose_new_streams(geometries[g], PINS_MAX);
    if (lost > INSNS / 100 * 57)
      fail_msg("%s: %llu of %d lost", geometries[g], (unsigned long long)lost, INSNS);
  }
}

/* Bits that leave in 1000 cycles in which a beat comes whenever it can, behind one of a byte. */
static uint64_t bits_of(uint32_t pins) {
  oct_trace_port port;
  uint64_t bits = 0;
  oct_trace_port_init(&port, pins);
  for (unsigned i = 0; i < 1000; i++) {
    oct_trace_port_in in = {oct_trace_port_ready(&port, false), i ? 3 : 0, i ? 0x12345678 : 0x9a,
                            false, false};
    bits += oct_trace_port_eval(&port, &in).valid ? pins : 0;
    oct_trace_port_clock(&port);
  }
  return bits;
}

static void test_pins_never_idle_while_beats_wait(void **state) {
  (void)state;
  for (uint32_t pins = 1; pins <= PINS_MAX; pins++)
    if (bits_of(pins) < 997 * pins)
      fail_msg("%u pins: %llu bits", pins, (unsigned long long)bits_of(pins));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_nothing_is_lost_where_the_pins_suffice),
      cmocka_unit_test(test_more_pins_lose_no_more),
      cmocka_unit_test(test_losses_of_new_streams_are_short),
      cmocka_unit_test(test_pins_never_idle_while_beats_wait),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
