/* SPDX-License-Identifier: Apache-2.0 */
/* test_pauses.c - is a long pause of the core, which is not run cycle by cycle, the same as if it
 * were? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../test_random.h"
#include "oct_compressor.h"
#include "oct_core.h"
#include "oct_top.h"
#include "oct_untimed.h"

#define N_INSNS 400

typedef struct trace {
  oct_insn insns[N_INSNS];
  oct_access accesses[4 * N_INSNS];
  size_t n_accesses;
} trace;

static trace t;

/* Bursts of instructions with accesses, jumps and task switches; behind each a pause. */
static void make_trace(uint32_t pause_max) {
  uint64_t cycle = 1000, pc = 0x8000;
  memset(&t, 0, sizeof t);
  for (unsigned i = 0; i < N_INSNS; i++) {
    oct_insn *insn = &t.insns[i];
    if (below32(4) == 0) pc = 0x8000 + 4 * (uint64_t)below32(300);
    *insn = (oct_insn){.addr = pc, .size_bytes = 4, .task = i / 100, .flags = OCT_INSN_HAS_CYCLE};
    pc += 4;
    if (below32(16) == 0) cycle += below32(pause_max);
    insn->cycle = cycle;
    cycle += below32(3);
    for (unsigned k = below32(8) < 3 ? 1 + below32(3) : 0; k; k--) {
      t.accesses[t.n_accesses++] = (oct_access){.addr = below32(1u << 20), .size_bytes = 4};
      insn->n_access++;
    }
  }
}

/* The reference: every cycle is run. */
static oct_stats run_every_cycle(const oct_config *cfg, const oct_run_options *o, oct_buffer *b) {
  oct_core core;
  oct_stats stats;
  oct_top_in in;
  oct_top_out out = {.afready = false};
  oct_top *top = test_malloc(sizeof *top);
  const oct_access *accesses = t.accesses;
  assert_int_equal(oct_top_init(top, cfg), 0);
  oct_core_init(&core, o);
  for (unsigned i = 0; i <= N_INSNS; i++) {
    bool flush = i == N_INSNS, more = true;
    if (!flush) assert_int_equal(oct_core_put(&core, &t.insns[i], accesses, i, NULL), 0);
    while (flush ? !out.afready : (more = oct_core_next(&core, &in))) {
      if (flush) {
        oct_core_idle(&core, &in);
        in.afvalid = true;
      }
      oct_top_cycle(top, &in, &out);
      assert_non_null(oct_buffer_room(b, 4));
      if (out.atvalid && out.atready)
        for (uint32_t k = 0; k <= out.atbytes; k++)
          b->bytes[b->n_bytes++] = (uint8_t)(out.atdata >> (8 * k));
    }
    if (!flush) accesses += t.insns[i].n_access;
  }
  do {
    oct_core_idle(&core, &in);
    in.end = true;
    oct_top_cycle(top, &in, &out);
  } while (out.port.valid || in.port_stall);
  stats = top->stats;
  oct_top_free(top);
  test_free(top);
  return stats;
}

static oct_stats run_compressor(const oct_config *cfg, const oct_run_options *o, oct_buffer *b) {
  oct_compressor *c;
  oct_diag diag;
  const uint8_t *bytes;
  assert_int_equal(oct_compressor_new(cfg, o, &c, &diag), 0);
  assert_int_equal(oct_compressor_put(c, t.insns, N_INSNS, t.accesses, &diag), 0);
  assert_int_equal(oct_compressor_flush(c, &diag), 0);
  size_t n = oct_compressor_take(c, &bytes);
  assert_int_equal(oct_buffer_put(b, bytes, n), 0);
  oct_stats stats = *oct_compressor_stats(c);
  oct_compressor_free(c);
  return stats;
}

/* Port bytes and every count are the same, histograms and losses included. */
static void pauses_are_as_if_run(void **state) {
  uint64_t overflows = 0;
  (void)state;
  seed_random("test_pauses");
  for (unsigned round = 0; round < 40; round++) {
    if (is_left_out()) continue;
    oct_run_options o = {
        .engine = OCT_ENGINE_CYCLE, .arrival = OCT_ARRIVAL_STAMPS, .seed = random_state};
    oct_config cfg;
    oct_buffer want = {0}, got = {0};
    const char *name = oct_geometry_name(round % oct_geometry_count());
    oct_geometry_get(name, &cfg);
    cfg.pc_align_bits = 2;
    cfg.sync_period_insns = below32(2) ? 50 : 0;
    cfg.port_pins = 1 + below32(4);
    make_trace(round % 8 == 7 ? 100000 : 5000);
    o.stall_milli = (uint32_t[]){0, 0, 500, 990}[below32(4)];
    oct_stats a = run_every_cycle(&cfg, &o, &want);
    oct_stats b = run_compressor(&cfg, &o, &got);
    if (a.cycles != b.cycles || memcmp(&a, &b, sizeof a))
      fail_msg("round %u, %s: counts differ: %llu cycles, not %llu", round, name,
               (unsigned long long)b.cycles, (unsigned long long)a.cycles);
    assert_int_equal(got.n_bytes, want.n_bytes);
    assert_memory_equal(got.bytes, want.bytes, want.n_bytes);
    overflows += a.overflows;
    oct_buffer_free(&want);
    oct_buffer_free(&got);
  }
  assert_int_not_equal(overflows, 0); /* a pause in the middle of a loss was among them */
}

/* A pause that nobody can run adds itself to the cycles, and to those at the occupancy in which the
 * machine has come to rest, and to nothing else. */
static void pauses_of_any_length_count(void **state) {
  const uint64_t longest = (uint64_t)1 << 61;
  oct_stats s[2];
  (void)state;
  for (unsigned find_depths = 0; find_depths < 2; find_depths++) {
    for (unsigned i = 0; i < 2; i++) {
      oct_run_options o = {.engine = OCT_ENGINE_CYCLE,
                           .arrival = OCT_ARRIVAL_STAMPS,
                           .find_depths = (int)find_depths};
      oct_buffer b = {0};
      oct_config cfg;
      random_state = 1; /* both alike */
      make_trace(10);
      for (unsigned k = N_INSNS / 2; k < N_INSNS; k++) t.insns[k].cycle += i ? longest : 1 << 20;
      oct_geometry_get("paper", &cfg);
      s[i] = run_compressor(&cfg, &o, &b);
      oct_buffer_free(&b);
    }
    uint64_t more = longest - (1 << 20);
    assert_int_equal(s[1].cycles - s[0].cycles, more);
    for (unsigned b = 0; b < OCT_BUFFER_COUNT; b++) {
      unsigned changed = 0;
      for (unsigned k = 0; k <= OCT_OCCUPANCY_MAX; k++) {
        if (s[1].occupancy[b][k] == s[0].occupancy[b][k]) continue;
        assert_int_equal(s[1].occupancy[b][k] - s[0].occupancy[b][k], more);
        changed++;
      }
      assert_int_equal(changed, 1);
    }
    assert_int_equal(s[1].lost_insns, s[0].lost_insns);
    assert_int_equal(oct_stats_port_bits(&s[1]), oct_stats_port_bits(&s[0]));
  }
}

/* Cycles are counted up to 2^62; a stamp beyond is refused, with the instruction that has it. */
static void stamps_are_bounded(void **state) {
  (void)state;
  for (unsigned beyond = 0; beyond < 2; beyond++) {
    oct_run_options o = {.engine = OCT_ENGINE_CYCLE, .arrival = OCT_ARRIVAL_STAMPS};
    const oct_insn insns[3] = {
        {.addr = 0x8000, .size_bytes = 4, .flags = OCT_INSN_HAS_CYCLE, .cycle = 7},
        {.addr = 0x8004, .size_bytes = 4},
        {.addr = 0x8008,
         .size_bytes = 4,
         .flags = OCT_INSN_HAS_CYCLE,
         .cycle = 7 + OCT_CYCLES_MAX + beyond}};
    oct_config cfg;
    oct_compressor *c;
    oct_diag diag = {0};
    oct_config_init(&cfg);
    assert_int_equal(oct_compressor_new(&cfg, &o, &c, &diag), 0);
    assert_int_equal(oct_compressor_put(c, insns, 3, NULL, &diag), beyond ? OCT_ERR_LIMIT : 0);
    if (beyond)
      assert_string_equal(oct_diag_line(&diag).text,
                          "instruction 2: a cycle stamp 4611686018427387905 cycles after the first:"
                          " expected 4611686018427387904 at most");
    oct_compressor_free(c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pauses_are_as_if_run),
      cmocka_unit_test(pauses_of_any_length_count),
      cmocka_unit_test(stamps_are_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
