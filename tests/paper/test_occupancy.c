/* SPDX-License-Identifier: Apache-2.0 */
/* test_occupancy.c - does the cycle model count what its buffers hold, and when its pins are busy?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "oct_compressor.h"
#include "oct_top.h"

enum { CYCLES = 100 };

/* Cycles, in the first of which one instruction retires; its accesses come from then on, one
 * a cycle. */
static oct_stats run_insn(const char *geometry, uint32_t n_accesses, uint32_t cycles) {
  oct_config cfg;
  oct_stats stats;
  oct_top *top = test_malloc(sizeof *top);
  oct_config_init(&cfg);
  assert_int_equal(oct_config_parse(&cfg, geometry, NULL), 0);
  assert_int_equal(oct_top_init(top, &cfg), 0);
  for (uint32_t i = 0; i < cycles; i++) {
    oct_top_in in = {.retire = {.insn_valid = i == 0,
                                .insn_addr = 0x8000,
                                .insn_size_bytes = 4,
                                .da_valid = i < n_accesses,
                                .da_addr = 0x12340 * (uint64_t)(i + 1)}};
    oct_top_out out;
    oct_top_cycle(top, &in, &out);
  }
  stats = top->stats;
  oct_top_free(top);
  test_free(top);
  return stats;
}

/* The cycles at each occupancy that is not named are none. */
static void expect_bins(const oct_stats *s, int buffer, const uint64_t (*bins)[2], size_t n) {
  for (unsigned i = 0; i <= OCT_OCCUPANCY_MAX; i++) {
    uint64_t want = 0;
    for (size_t k = 0; k < n; k++)
      if (bins[k][0] == i) want = bins[k][1];
    if (s->occupancy[buffer][i] != want)
      fail_msg("buffer %d held %u in %llu cycles, not %llu", buffer, i,
               (unsigned long long)s->occupancy[buffer][i], (unsigned long long)want);
  }
}
#define EXPECT_BINS(stats, buffer, ...)                           \
  do {                                                            \
    const uint64_t bins[][2] = {__VA_ARGS__};                     \
    expect_bins(stats, buffer, bins, sizeof bins / sizeof *bins); \
  } while (0)

/* The first instruction is led by a sync. Its marks are pushed in cycle 1 and stand at the heads of
 * both buffers in cycle 2, in which both are popped. Both have come to the output controller in
 * cycle 5: 72 ones and a zero, 32 bits of number and 16 of task, of which a word of 64 bits enters
 * the output FIFO with cycle 6. It is all there in cycle 7, half of it in cycle 8. */
static void a_sync_alone(void **state) {
  (void)state;
  oct_stats s = run_insn("paper,check_bits=0,out_fifo_bytes=64", 0, CYCLES);
  assert_int_equal(s.cycles, CYCLES);
  EXPECT_BINS(&s, OCT_BUFFER_STREAM, {0, CYCLES - 1}, {1, 1});
  EXPECT_BINS(&s, OCT_BUFFER_DATA, {0, CYCLES - 1}, {1, 1});
  EXPECT_BINS(&s, OCT_BUFFER_OUT, {0, CYCLES - 2}, {8, 1}, {4, 1});
  assert_int_equal(s.high_water[OCT_BUFFER_STREAM], 1);
  assert_int_equal(s.high_water[OCT_BUFFER_DATA], 1);
  assert_int_equal(s.high_water[OCT_BUFFER_OUT], 8);
  /* Four beats of 16 bits: 64 bits leave, and the other 57 wait for more. */
  assert_int_equal(s.port_busy_cycles, 64 / 16);
  /* The same 8 and 4 bytes of a FIFO of another size. */
  s = run_insn("paper,check_bits=0,out_fifo_bytes=128", 0, CYCLES);
  EXPECT_BINS(&s, OCT_BUFFER_OUT, {0, CYCLES - 2}, {4, 1}, {2, 1});
  s = run_insn("paper,check_bits=0,out_fifo_bytes=4096", 0, CYCLES);
  EXPECT_BINS(&s, OCT_BUFFER_OUT, {0, CYCLES});
  assert_int_equal(s.high_water[OCT_BUFFER_OUT], 8);
}

/* What a buffer holds is counted at the beginning of a cycle. */
static void a_push_counts_with_the_next_cycle(void **state) {
  (void)state;
  oct_stats s = run_insn("paper", 0, 1);
  EXPECT_BINS(&s, OCT_BUFFER_STREAM, {0, 1});
  assert_int_equal(s.high_water[OCT_BUFFER_STREAM], 0);
  s = run_insn("paper", 0, 2);
  EXPECT_BINS(&s, OCT_BUFFER_STREAM, {0, 1}, {1, 1});
  assert_int_equal(s.high_water[OCT_BUFFER_STREAM], 1);
}

/* Three accesses are pushed in cycles 1, 2 and 3 and, as the DASC takes one every second cycle,
 * popped in cycles 2, 4 and 6: at the beginning of cycles 1 to 7 there are 0 1 1 2 1 1 0. */
static void three_accesses(void **state) {
  (void)state;
  oct_stats s = run_insn("paper", 3, CYCLES);
  EXPECT_BINS(&s, OCT_BUFFER_STREAM, {0, CYCLES - 1}, {1, 1});
  EXPECT_BINS(&s, OCT_BUFFER_DATA, {0, CYCLES - 5}, {1, 4}, {2, 1});
  assert_int_equal(s.high_water[OCT_BUFFER_DATA], 2);
  /* 121 bits of sync and three DMT packets of 34: three words of 64 bits. */
  assert_int_equal(s.port_busy_cycles, 3 * 64 / 16);
}

/* A trace with jumps and accesses; what it says matters to nobody. */
#define N_INSNS 3000
static oct_stats run_trace(const char *geometry, const oct_run_options *options, size_t *n_bytes) {
  static oct_insn insns[N_INSNS];
  static oct_access accesses[N_INSNS];
  oct_config cfg;
  oct_compressor *c;
  oct_diag diag;
  oct_stats stats;
  const uint8_t *bytes;
  size_t n_accesses = 0;
  for (uint32_t i = 0; i < N_INSNS; i++) {
    insns[i] = (oct_insn){.addr = 0x1000 + 4 * (i * 7919 % 501), .size_bytes = 4};
    insns[i].n_access = i % 3 == 0;
    if (i % 3 == 0) accesses[n_accesses++] = (oct_access){.addr = i * 2654435761u, .size_bytes = 4};
  }
  oct_config_init(&cfg);
  assert_int_equal(oct_config_parse(&cfg, geometry, &diag), 0);
  assert_int_equal(oct_compressor_new(&cfg, options, &c, &diag), 0);
  assert_int_equal(oct_compressor_put(c, insns, N_INSNS, accesses, &diag), 0);
  assert_int_equal(oct_compressor_flush(c, &diag), 0);
  *n_bytes = oct_compressor_take(c, &bytes);
  stats = *oct_compressor_stats(c);
  oct_compressor_free(c);
  return stats;
}

/* Each buffer is looked at once a cycle, and nothing is seen above the highest level reached. */
static void bins_add_up_to_the_cycles(void **state) {
  static const char *const geometries[] = {"paper", "small,port_pins=2", "tiny", "odd", "max"};
  (void)state;
  for (unsigned g = 0; g < sizeof geometries / sizeof *geometries; g++) {
    oct_run_options options = {.engine = OCT_ENGINE_CYCLE, .seed = 7, .stall_milli = 100 * g};
    size_t n_bytes;
    oct_stats s = run_trace(geometries[g], &options, &n_bytes);
    oct_config cfg;
    oct_config_init(&cfg);
    assert_int_equal(oct_config_parse(&cfg, geometries[g], NULL), 0);
    for (int b = 0; b < OCT_BUFFER_COUNT; b++) {
      uint64_t sum = 0, top = s.high_water[b];
      if (b == OCT_BUFFER_OUT) top = top * OCT_OCCUPANCY_MAX / cfg.out_fifo_bytes;
      assert_true(s.occupancy[b][top] > 0);
      for (unsigned i = 0; i <= OCT_OCCUPANCY_MAX; i++) {
        sum += s.occupancy[b][i];
        if (i > top) assert_int_equal(s.occupancy[b][i], 0);
      }
      assert_int_equal(sum, s.cycles);
    }
    assert_int_not_equal(s.cycles, 0);
  }
}

/* The pins are busy in as many cycles as the bits need, padded once at the end, however long the
 * receiver keeps them waiting. */
static void pins_are_busy_while_bits_leave(void **state) {
  (void)state;
  for (uint32_t pins = 1; pins <= 32; pins += pins < 3 ? 1 : 7) {
    for (uint32_t stall = 0; stall < 1000; stall += 450) {
      oct_run_options options = {.engine = OCT_ENGINE_CYCLE,
                                 .arrival = OCT_ARRIVAL_CPI,
                                 .cpi_milli = 5000,
                                 .stall_milli = stall,
                                 .seed = 3};
      char geometry[64];
      size_t n_bytes;
      snprintf(geometry, sizeof geometry, "paper,port_pins=%u", pins);
      oct_stats s = run_trace(geometry, &options, &n_bytes);
      assert_int_equal(s.port_busy_cycles, (8 * n_bytes + pins - 1) / pins);
      assert_true(s.port_busy_cycles < s.cycles);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sync_alone),
      cmocka_unit_test(a_push_counts_with_the_next_cycle),
      cmocka_unit_test(three_accesses),
      cmocka_unit_test(bins_add_up_to_the_cycles),
      cmocka_unit_test(pins_are_busy_while_bits_leave),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
