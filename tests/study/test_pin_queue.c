/* SPDX-License-Identifier: Apache-2.0 */
/* test_pin_queue.c - does the queue say how many pins a buffer needs?
 *
 * By hand: what arrives in a cycle, what leaves in it, what is left. Against the definition: for
 * each number of pins and each clock a queue of its own, cycle by cycle. */
#include <stdbool.h>

#include "test_util.h"

#include "oct_pin_queue.h"

static const oct_run_options full = {.arrival = OCT_ARRIVAL_FULL, .cpi_milli = 1000};

static void put(oct_pin_queue *q, unsigned n_access, uint64_t n_bits) {
  const oct_insn insn = {.addr = 0x1000, .size_bytes = 4, .n_access = (uint16_t)n_access};
  oct_pin_queue_put(q, &insn, n_bits);
}

static void by_hand(void **state) {
  (void)state;
  oct_pin_queue q;
  oct_pin_queue_init(&q, &full);
  assert_int_equal(oct_pin_queue_needs(&q, 0, 0), 1); /* nothing was sent */
  put(&q, 0, 24);
  /* 24 bits are there at once: a buffer of 3 bytes holds them, one of 2 does not, whatever the
   * pins. */
  assert_int_equal(oct_pin_queue_needs(&q, 0, 3), 1);
  assert_int_equal(oct_pin_queue_needs(&q, 0, 2), 0);
  /* A cycle later p pins have taken p bits, and 16 more come: 24 - p + 16 <= 32 needs p = 8. */
  put(&q, 0, 16);
  assert_int_equal(oct_pin_queue_needs(&q, 0, 4), 8);
  assert_int_equal(oct_pin_queue_needs(&q, 0, 5), 1);
  /* Pins that move once in two cycles moved at cycle 2: the same. Once in four: not yet. */
  assert_int_equal(oct_pin_queue_needs(&q, 1, 4), 8);
  assert_int_equal(oct_pin_queue_needs(&q, 2, 4), 0);
  assert_int_equal(oct_pin_queue_needs(&q, 2, 5), 1);
}

/* An instruction of several accesses takes a cycle for each, in which the pins go on. */
static void accesses_take_cycles(void **state) {
  (void)state;
  for (unsigned n_access = 0; n_access <= 4; n_access++) {
    oct_pin_queue q;
    oct_pin_queue_init(&q, &full);
    put(&q, 0, 32);
    put(&q, n_access, 8);
    /* 32 - cycles * p + 8 <= 32 */
    unsigned cycles = n_access > 1 ? n_access : 1;
    assert_int_equal(oct_pin_queue_needs(&q, 0, 4), (8 + cycles - 1) / cycles);
  }
}

/* The least pins whose queue never holds more, from the definition. */
static uint32_t least_pins(const uint64_t *cycle, const uint64_t *bits, size_t n, uint32_t divider,
                           uint64_t room_bits) {
  for (uint32_t pins = 1; pins <= OCT_PIN_QUEUE_PINS; pins++) {
    uint64_t level = 0, now = 0;
    bool is_enough = true;
    for (size_t i = 0; i < n && is_enough; i++) {
      while (now < cycle[i])
        if (++now % divider == 0) level = level > pins ? level - pins : 0;
      level += bits[i];
      is_enough = level <= room_bits;
    }
    if (is_enough) return pins;
  }
  return 0;
}

static void against_the_definition(void **state) {
  (void)state;
  enum { N = 300 };
  uint64_t cycle[N], bits[N];
  unsigned n_found = 0;
  seed_random("against the definition");
  for (int round = 0; round < 20; round++) {
    oct_run_options run = full;
    oct_pin_queue q;
    uint64_t at = 0, milli = 0;
    if (round & 1) {
      run.arrival = OCT_ARRIVAL_CPI;
      run.cpi_milli = 1000 + (uint32_t)below(3000);
    }
    oct_pin_queue_init(&q, &run);
    for (size_t i = 0; i < N; i++) {
      unsigned n_access = (unsigned)below(5);
      bits[i] = below(8) ? below(12) : below(200);
      put(&q, n_access, bits[i]);
      at += n_access > 1 ? n_access : 1;
      milli += run.cpi_milli;
      if (round & 1 && milli / 1000 > at) at = milli / 1000;
      cycle[i] = at;
    }
    for (unsigned c = 0; c < OCT_PIN_QUEUE_CLOCKS; c++)
      for (uint64_t bytes = 8; bytes <= 512; bytes *= 2) {
        uint32_t want = least_pins(cycle, bits, N, oct_pin_queue_dividers[c], 8 * bytes);
        assert_int_equal(oct_pin_queue_needs(&q, c, bytes), want);
        n_found += want > 1;
      }
  }
  assert_true(n_found > 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(by_hand),
      cmocka_unit_test(accesses_take_cycles),
      cmocka_unit_test(against_the_definition),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
