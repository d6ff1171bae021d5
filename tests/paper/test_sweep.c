/* SPDX-License-Identifier: Apache-2.0 */
/* test_sweep.c - is each row of a sweep what a run of that geometry alone counts, to the bit? And
 * are parts shared?
 *
 * OCT_TEST_SEED=N repeats a run; the seed is printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oct_compressor.h"
#include "oct_lru_stack.h"
#include "../test_random.h"
#include "oct_sweep.h"
#include "oct_types.h"

#define TRACE_INSNS 40000
#define BLOCKS 120
#define GEOMETRIES 60

static oct_insn insns[TRACE_INSNS];
static oct_access accesses[TRACE_INSNS * 3];
static size_t n_accesses;

/* Blocks that follow each other in habits, now and then a task switch or a stray address. */
static void make_trace(void) {
  struct {
    uint64_t addr, base;
    uint32_t length, next[3];
  } block[BLOCKS];
  uint32_t at = 0, left, task = 0, turn[BLOCKS] = {0};
  for (unsigned i = 0; i < BLOCKS; i++) {
    block[i].addr = 0x10000 + 4 * (uint64_t)below32(20000);
    block[i].base = below32(1u << 30);
    block[i].length = 1 + below32(below32(4) ? 9 : 700);
    for (unsigned k = 0; k < 3; k++) block[i].next[k] = below32(below32(3) ? 12 : BLOCKS);
  }
  left = block[0].length;
  n_accesses = 0;
  for (unsigned i = 0; i < TRACE_INSNS; i++) {
    oct_insn *insn = &insns[i];
    *insn = (oct_insn){.addr = block[at].addr + 4 * (uint64_t)(block[at].length - left),
                       .task = task,
                       .size_bytes = 4};
    if (insn->addr / 4 % 3 == 0) {
      insn->n_access = (uint16_t)below32(below32(8) ? 2 : 4);
      if (insn->n_access != 1) insn->flags = OCT_INSN_END;
    }
    for (uint32_t k = 0; k < insn->n_access; k++)
      accesses[n_accesses++] = (oct_access){
          .addr = (block[at].base + 4 * turn[at]++ + (below32(9) ? 0 : below32(5000))) & 0xffffffff,
          .size_bytes = 4};
    if (--left) continue;
    at = block[at].next[below32(9) ? 0 : below32(3)];
    left = block[at].length;
    if (below32(200) == 0) task = below32(5);
  }
}

static void run_alone(const oct_config *cfg, oct_stats *stats) {
  oct_compressor *c;
  assert_int_equal(oct_compressor_new(cfg, NULL, &c, NULL), 0);
  assert_int_equal(oct_compressor_put(c, insns, TRACE_INSNS, accesses, NULL), 0);
  assert_int_equal(oct_compressor_flush(c, NULL), 0);
  *stats = *oct_compressor_stats(c);
  oct_compressor_free(c);
}

/* Sweep them all, in pieces of random size, and compare each with a run of its own. */
static void compare_all(const oct_config *cfgs, size_t n, oct_sweep_parts *parts) {
  oct_sweep *s;
  const oct_access *a = accesses;
  assert_int_equal(oct_sweep_new(cfgs, n, &s, NULL), 0);
  for (size_t i = 0; i < TRACE_INSNS;) {
    size_t piece = 1 + below32(30000);
    if (piece > TRACE_INSNS - i) piece = TRACE_INSNS - i;
    assert_int_equal(oct_sweep_put(s, insns + i, piece, a, NULL), 0);
    for (size_t k = i; k < i + piece; k++) a += insns[k].n_access;
    i += piece;
  }
  assert_int_equal(oct_sweep_flush(s, NULL), 0);
  for (size_t i = 0; i < n; i++) {
    oct_stats wanted, got;
    run_alone(&cfgs[i], &wanted);
    oct_sweep_stats(s, i, &got);
    if (memcmp(&wanted, &got, sizeof got))
      print_message("geometry %zu: sets %u ways %u index %u repl %u tuple %u\n", i, cfgs[i].sc_sets,
                    cfgs[i].sc_ways, cfgs[i].sc_index_fn, cfgs[i].sc_repl, cfgs[i].ntuple_n);
    assert_memory_equal(&wanted, &got, sizeof got);
  }
  oct_sweep_get_parts(s, parts);
  oct_sweep_free(s);
}

/* The 24 stream caches of Table 2, the 6 DASCs of Table 4 and the N-tuples of Table 3. */
static void test_tables(void **state) {
  oct_config cfgs[31];
  oct_sweep_parts parts;
  size_t n = 0;
  (void)state;
  for (uint32_t entries = 8; entries <= 256; entries *= 2) {
    for (uint32_t ways = 1; ways <= 8; ways *= 2) {
      assert_int_equal(oct_geometry_get("paper", &cfgs[n]), 0);
      cfgs[n].ntuple_n = 0;
      cfgs[n].sync_period_insns = 9000;
      cfgs[n].sc_sets = entries / ways;
      cfgs[n++].sc_ways = ways;
    }
  }
  for (uint32_t entries = 32; entries <= 1024; entries *= 2) {
    assert_int_equal(oct_geometry_get("paper", &cfgs[n]), 0);
    cfgs[n].sync_period_insns = 9000;
    cfgs[n++].dasc_entries = entries;
  }
  cfgs[n] = cfgs[n - 1];
  cfgs[n++].thb_depth = 63;
  assert_int_equal(n, 31);
  if (!is_chosen()) return;
  make_trace();
  compare_all(cfgs, n, &parts);
  assert_int_equal(parts.fronts, 1);
  assert_int_equal(parts.stacks, 1); /* 1, 2, ... 256 sets within each other */
  assert_int_equal(parts.caches, 1); /* 32x4, in front of the tuples */
  assert_int_equal(parts.tuples, 2);
  assert_int_equal(parts.dascs, 6);
  assert_int_equal(parts.repetitions, 6);
}

/* Every number of sets and ways under every index function: those that nest take one pass. */
static void test_all_stacks(void **state) {
  oct_config cfgs[4 * 11 * 5];
  oct_sweep_parts parts;
  size_t n = 0;
  (void)state;
  for (uint32_t i = 0; i < 4 * 11 * 5; i++) {
    assert_int_equal(oct_geometry_get("paper", &cfgs[n]), 0);
    cfgs[n].ntuple_n = 0;
    cfgs[n].sync_period_insns = 9000;
    cfgs[n].sc_index_fn = i % 4;
    cfgs[n].sc_sets = (uint32_t)1 << i / 4 % 11;
    cfgs[n].sc_ways = (uint32_t)1 << i / 44;
    n += oct_config_check(&cfgs[n], NULL) == 0;
  }
  assert_int_equal(n, 4 * 11 * 5);
  if (!is_chosen()) return;
  make_trace();
  compare_all(cfgs, n, &parts);
  assert_int_equal(parts.stacks, 2 + 2 * 11);
}

static uint32_t pow2(uint32_t bits) {
  return (uint32_t)1 << below32(bits + 1);
}

static void random_geometry(oct_config *c) {
  static const uint32_t lengths[] = {1, 3, 5, 8, 16};
  static const uint32_t syncs[] = {0, 777, 12000};
  do {
    oct_config_init(c);
    c->sl_bits = lengths[below32(5)];
    c->sync_period_insns = syncs[below32(3)];
    c->sc_sets = pow2(7);
    c->sc_ways = pow2(4);
    c->sc_index_fn = below32(4);
    c->sc_repl = below32(2) ? 0 : below32(4);
    c->ntuple_n = below32(2) ? 0 : below32(17);
    c->thb_depth = 1 + below32(300);
    c->thb_update = below32(2);
    c->dasc_entries = pow2(9);
    c->dasc_ways = below32(2) ? 0 : pow2(3);
    c->stride_bits = 1 + below32(32);
    c->rep_pattern_bits = 1 + below32(32);
    c->rep_count_bits = below32(17);
    c->task_bits = 3 + below32(30);
    c->addr_bits = 32 + 8 * below32(5);
    c->pc_align_bits = below32(3);
    c->port_pins = 1 + below32(32);
    c->check_bits = 16 * below32(3);
    c->sync_period_bits = below32(3) ? 0 : 1024 << below32(8);
    c->check_period_bits = c->check_bits && !below32(3) ? 128 << below32(8) : 0;
  } while (oct_config_check(c, NULL));
}

static void test_random_geometries(void **state) {
  static oct_config cfgs[GEOMETRIES];
  oct_sweep_parts parts;
  (void)state;
  unsigned n = 0;
  make_trace();
  for (unsigned i = 0; i < GEOMETRIES - 1; i++)
    if (i < 2 || is_chosen()) random_geometry(&cfgs[n++]);
  cfgs[n++] = cfgs[0]; /* the same twice */
  compare_all(cfgs, n, &parts);
  assert_in_range(parts.fronts, runs_share() ? 0 : 1, 15);
}

static void test_named_geometries(void **state) {
  oct_config cfgs[32];
  oct_sweep_parts parts;
  unsigned n = oct_geometry_count();
  (void)state;
  if (!is_chosen()) return;
  make_trace();
  for (unsigned i = 0; i < n; i++)
    assert_int_equal(oct_geometry_get(oct_geometry_name(i), &cfgs[i]), 0);
  compare_all(cfgs, n, &parts);
}

/* What does not fit the narrowest geometry, and what is no sweep. */
static void test_refused(void **state) {
  oct_config cfg;
  oct_sweep *s;
  oct_diag diag = {0};
  const oct_insn odd = {.addr = 0x8001, .size_bytes = 4};
  (void)state;
  oct_config_init(&cfg);
  assert_int_equal(oct_sweep_new(&cfg, 0, &s, &diag), OCT_ERR_ARG);
  assert_int_equal(oct_sweep_new(&cfg, 1, &s, &diag), 0);
  assert_int_equal(oct_sweep_put(s, &odd, 1, NULL, &diag), OCT_ERR_LIMIT);
  assert_non_null(strstr(oct_diag_line(&diag).text, "0x8001"));
  oct_sweep_free(s);
  cfg.sc_sets = 3;
  assert_int_equal(oct_sweep_new(&cfg, 1, &s, &diag), OCT_ERR_CONFIG);
  assert_null(s);
}

/* More distinct streams than the first table of ids holds. */
static void test_many_streams(void **state) {
  oct_stream_ids ids;
  (void)state;
  assert_int_equal(oct_stream_ids_init(&ids), 0);
  for (unsigned round = 0; round < 2; round++)
    for (uint32_t i = 0; i < 20000; i++)
      assert_int_equal(oct_stream_ids_get(&ids, 4 * (uint64_t)(i / 3), 1 + i % 3), i);
  oct_stream_ids_free(&ids);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tables),
      cmocka_unit_test(test_all_stacks),
      cmocka_unit_test(test_random_geometries),
      cmocka_unit_test(test_named_geometries),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_many_streams),
  };
  seed_random("test_sweep");
  return cmocka_run_group_tests(tests, NULL, NULL);
}
