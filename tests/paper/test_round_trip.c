/* SPDX-License-Identifier: Apache-2.0 */
/* test_round_trip.c - does every trace come back? Random traces through both engines at every named
 * geometry and at random ones, decoding from every sync, and truncation at every byte.
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

#include "../test_random.h"
#include "oct_compressor.h"
#include "oct_decoder.h"
#include "oct_types.h"

#define TRACE_INSNS 20000
#define PROGRAM_INSNS 600

typedef struct trace {
  oct_insn insns[TRACE_INSNS];
  oct_access *accesses;
  size_t n_accesses;
  oct_map_update *updates;
  size_t n_updates;
} trace;

/* A random program: sizes, slots, some conditional, some variable, loops and task switches. */
static trace *make_trace(const oct_config *cfg) {
  struct {
    uint64_t addr, base;
    uint8_t size, slots, may_fail, is_variable, is_string;
  } program[PROGRAM_INSNS];
  trace *t = calloc(1, sizeof *t);
  uint32_t align = 1u << cfg->pc_align_bits;
  uint64_t addr = 0x8000, time = 1000000; /* far enough from 0 to go back */
  uint32_t at = 0, task = 0;
  oct_map_tracker *tracker = oct_map_tracker_new();
  const oct_map_update *updates;
  t->accesses = malloc(TRACE_INSNS * 40 * sizeof *t->accesses);
  for (unsigned i = 0; i < PROGRAM_INSNS; i++) {
    program[i].addr = addr;
    program[i].size = (uint8_t)(align * (1 + below32(align >= 8 ? 1 : 2)));
    program[i].slots = below32(3) ? 0 : (uint8_t)(1 + (below32(6) ? 0 : below32(40)));
    program[i].may_fail = below32(5) == 0;
    program[i].is_variable = below32(40) == 0;
    program[i].is_string = below32(2) == 0; /* loads and stores in turn, as `rep movs` */
    program[i].base = ((uint64_t)below32(1u << 31) << 20) & oct_mask(cfg->addr_bits);
    addr += program[i].size + (below32(50) ? 0 : 64);
  }
  for (unsigned i = 0; i < TRACE_INSNS; i++) {
    oct_insn *insn = &t->insns[i];
    uint32_t n = program[at].slots;
    insn->addr = program[at].addr;
    insn->size_bytes = program[at].size;
    insn->task = task;
    if (cfg->time_source) { /* the core's time, which goes back now and then */
      time += below32(5);
      if (below32(300) == 0) time -= below32(1000);
      insn->cycle = time;
      insn->flags = OCT_INSN_HAS_CYCLE;
    }
    if (program[at].may_fail && n) n = below32(n + 1);
    if (program[at].is_variable) n = below32(20);
    insn->n_access = (uint16_t)n;
    for (uint32_t k = 0; k < n; k++) {
      oct_access *a = &t->accesses[t->n_accesses++];
      a->addr = program[at].base + k * 4;
      if (below32(10) == 0) a->addr ^= below32(1u << 30);
      a->addr &= oct_mask(cfg->addr_bits);
      a->size_bytes = 4;
      a->is_store = program[at].is_string && (k & 1);
      if (below32(500) == 0) a->is_store = !a->is_store;
    }
    program[at].base = (program[at].base + (at & 15)) & oct_mask(cfg->addr_bits);
    if (below32(8) == 0)
      at = below32(3) ? (at > 12 ? at - below32(12) : 0) : below32(PROGRAM_INSNS);
    else
      at = (at + 1) % PROGRAM_INSNS;
    if (below32(2000) == 0) task = below32(2);
  }
  oct_batch batch = {t->insns, TRACE_INSNS, t->accesses, t->n_accesses, NULL, 0, NULL,
                     0,        NULL,        0,           NULL,          0};
  int64_t got = oct_map_track(tracker, &batch, t->insns, &updates);
  assert_true(got >= 0);
  t->n_updates = (size_t)got;
  t->updates = malloc(t->n_updates * sizeof *t->updates + 1);
  memcpy(t->updates, updates, t->n_updates * sizeof *t->updates);
  oct_map_tracker_free(tracker);
  return t;
}

static void free_trace(trace *t) {
  free(t->accesses);
  free(t->updates);
  free(t);
}

static uint8_t *compress(const oct_config *cfg, const oct_run_options *options, const trace *t,
                         size_t *n_bytes, oct_stats *stats) {
  oct_compressor *c;
  oct_diag diag;
  const uint8_t *bytes;
  uint8_t *copy;
  if (oct_compressor_new(cfg, options, &c, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  if (oct_compressor_put(c, t->insns, TRACE_INSNS, t->accesses, &diag))
    fail_msg("%s", oct_diag_line(&diag).text);
  assert_int_equal(oct_compressor_flush(c, &diag), 0);
  *n_bytes = oct_compressor_take(c, &bytes);
  assert_int_equal(*n_bytes * 8, oct_stats_port_bits(oct_compressor_stats(c)));
  copy = malloc(*n_bytes + 1);
  memcpy(copy, bytes, *n_bytes);
  *stats = *oct_compressor_stats(c);
  oct_compressor_free(c);
  return copy;
}

/* Compress in pieces of random size: the same bytes, and the same counts. */
static void compress_in_pieces(const oct_config *cfg, const oct_run_options *options,
                               const trace *t, const uint8_t *bytes, size_t n_bytes,
                               const oct_stats *stats) {
  oct_compressor *c;
  const oct_access *access = t->accesses;
  const uint8_t *more;
  size_t n_got = 0;
  assert_int_equal(oct_compressor_new(cfg, options, &c, NULL), 0);
  for (size_t i = 0; i < TRACE_INSNS;) {
    size_t piece = 1 + below32(TRACE_INSNS / 2);
    if (piece > TRACE_INSNS - i) piece = TRACE_INSNS - i;
    assert_int_equal(oct_compressor_put(c, t->insns + i, piece, access, NULL), 0);
    for (size_t k = i; k < i + piece; k++) access += t->insns[k].n_access;
    i += piece;
    if (i == TRACE_INSNS) assert_int_equal(oct_compressor_flush(c, NULL), 0);
    size_t n = oct_compressor_take(c, &more);
    assert_true(n <= n_bytes - n_got);
    if (n) assert_memory_equal(more, bytes + n_got, n);
    n_got += n;
  }
  assert_int_equal(n_got, n_bytes);
  assert_memory_equal(oct_compressor_stats(c), stats, sizeof *stats);
  oct_compressor_free(c);
}

/* Decode and compare; the decoder's last answer (0 or an error) is returned. */
static int decode(const oct_config *cfg, oct_decoder_start start, const trace *t,
                  const uint8_t *bytes, size_t n_bytes, size_t piece, oct_decoder_counts *counts) {
  oct_decoder *d;
  oct_diag diag = {0};
  oct_decoded run;
  const oct_access *expected = t->accesses;
  uint64_t next = 0;
  size_t at = 0;
  int got;
  assert_int_equal(oct_decoder_new(cfg, start, &d, &diag), 0);
  assert_int_equal(oct_decoder_map(d, t->updates, t->n_updates, &diag), 0);
  for (;;) {
    while ((got = oct_decoder_next(d, &run, &diag)) > 0) {
      const oct_access *a = run.batch.accesses;
      for (; run.batch.n_insns && next < run.first_insn; next++)
        expected += t->insns[next].n_access;
      for (size_t i = 0; i < run.batch.n_insns; i++, next++) {
        const oct_insn *x = &run.batch.insns[i], *y = &t->insns[next];
        if (next >= TRACE_INSNS || x->addr != y->addr || x->size_bytes != y->size_bytes ||
            x->task != y->task || (x->n_access != y->n_access && !(x->flags & OCT_INSN_PARTIAL)))
          fail_msg("instruction %llu differs", (unsigned long long)next);
        for (uint32_t k = 0; k < x->n_access; k++, a++)
          if (a->addr != expected[k].addr || a->is_store != expected[k].is_store ||
              a->size_bytes != expected[k].size_bytes)
            fail_msg("access %u of instruction %llu differs", k, (unsigned long long)next);
        expected += y->n_access;
      }
    }
    if (got < 0 || at == n_bytes) break;
    size_t n = n_bytes - at < piece ? n_bytes - at : piece;
    assert_int_equal(oct_decoder_push(d, bytes + at, n, &diag), 0);
    at += n;
    if (at == n_bytes) oct_decoder_finish(d);
  }
  oct_decoder_get_counts(d, counts);
  if (!got && counts->insns + counts->lost_insns + (start ? next - counts->insns : 0) < next)
    fail_msg("%llu instructions missing", (unsigned long long)(next - counts->insns));
  oct_decoder_free(d);
  return got;
}

static void loop(const oct_config *cfg, const oct_run_options *options, const char *what) {
  oct_decoder_counts counts;
  size_t n_bytes;
  oct_stats stats;
  trace *t = make_trace(cfg);
  uint8_t *bytes = compress(cfg, options, t, &n_bytes, &stats);
  compress_in_pieces(cfg, options, t, bytes, n_bytes, &stats);
  if (decode(cfg, OCT_START_IN_STEP, t, bytes, n_bytes, 1 + below32(5000), &counts))
    fail_msg("%s: decoder failed", what);
  if (counts.insns + counts.lost_insns != TRACE_INSNS)
    fail_msg("%s: %llu instructions and %llu lost of %d", what, (unsigned long long)counts.insns,
             (unsigned long long)counts.lost_insns, TRACE_INSNS);
  if (options->engine == OCT_ENGINE_UNTIMED) assert_int_equal(counts.gaps, 0);
  free(bytes);
  free_trace(t);
}

static void all_geometries(void **state) {
  (void)state;
  for (unsigned g = 0; g < oct_geometry_count(); g++) {
    if (is_left_out()) continue;
    oct_config cfg;
    oct_run_options o = {.engine = OCT_ENGINE_UNTIMED, .seed = random_state};
    oct_geometry_get(oct_geometry_name(g), &cfg);
    cfg.sync_period_insns = 3000;
    loop(&cfg, &o, oct_geometry_name(g));
    o.engine = OCT_ENGINE_CYCLE;
    loop(&cfg, &o, oct_geometry_name(g));
    o.arrival = OCT_ARRIVAL_CPI;
    o.cpi_milli = 2500;
    o.stall_milli = 300;
    o.find_depths = 1;
    loop(&cfg, &o, oct_geometry_name(g));
  }
}

static void random_geometries(void **state) {
  (void)state;
  for (unsigned round = 0; round < 60; round++) {
    if (is_left_out()) continue;
    oct_config cfg;
    oct_run_options o = {.engine = round & 1, .seed = random_state};
    char text[64];
    do {
      uint32_t values[OCT_CONFIG_PARAMS];
      for (unsigned i = 0; i < oct_params_count; i++) {
        const oct_param *p = &oct_params[i];
        uint32_t span = p->max < 4096 ? p->max - p->min + 1 : 4096;
        uint32_t v =
            p->rule == OCT_POW2 ? 1u << below32(oct_log2(p->max) + 1) : p->min + below32(span);
        values[i] = v < p->min ? p->min : v > p->max ? p->max : v;
      }
      cfg = oct_config_of(values);
      if (cfg.dasc_ways > 16 || below32(2)) cfg.dasc_ways = 0;
      cfg.addr_bits = below32(2) ? 32 + below32(33) : 32;
    } while (oct_config_check(&cfg, NULL));
    snprintf(text, sizeof text, "random geometry %u", round);
    loop(&cfg, &o, text);
  }
}

static void every_sync_is_a_start(void **state) {
  oct_config cfg;
  oct_run_options o = {.engine = OCT_ENGINE_UNTIMED};
  oct_decoder_counts counts;
  size_t n_bytes, at = 0;
  oct_stats stats;
  unsigned starts = 0;
  (void)state;
  if (!is_chosen()) return;
  oct_config_init(&cfg);
  cfg.sync_period_insns = 500;
  trace *t = make_trace(&cfg);
  uint8_t *bytes = compress(&cfg, &o, t, &n_bytes, &stats);
  while (decode(&cfg, OCT_START_SEARCH, t, bytes + at, n_bytes - at, 4096, &counts) == 0 &&
         counts.syncs) {
    assert_int_equal(counts.insns, TRACE_INSNS - 500 * starts);
    starts++;
    at += counts.first_sync_bits / 8 + 9; /* behind the ones of this sync */
  }
  assert_int_equal(starts, TRACE_INSNS / 500);
  free(bytes);
  free_trace(t);
}

static void truncation_is_told(void **state) {
  oct_config cfg;
  oct_run_options o = {.engine = OCT_ENGINE_UNTIMED};
  oct_decoder_counts counts;
  size_t n_bytes;
  oct_stats stats;
  (void)state;
  if (!is_chosen()) return;
  oct_geometry_get("small", &cfg);
  trace *t = make_trace(&cfg);
  uint8_t *bytes = compress(&cfg, &o, t, &n_bytes, &stats);
  size_t small = n_bytes < 3000 ? n_bytes : 3000;
  for (size_t n = 1; n < small; n++) {
    if (is_left_out()) continue;
    assert_int_equal(decode(&cfg, OCT_START_IN_STEP, t, bytes, n, 1 + n / 2, &counts),
                     OCT_ERR_TRUNCATED);
  }
  free(bytes);
  free_trace(t);
}

static oct_stats cycle_stats(const oct_config *cfg, const oct_run_options *o, const trace *t) {
  oct_compressor *c;
  oct_stats stats;
  assert_int_equal(oct_compressor_new(cfg, o, &c, NULL), 0);
  const oct_access *accesses = t->accesses;
  for (unsigned i = 0, n; i < TRACE_INSNS; i += n) {
    const oct_trap trap = {.kind = OCT_TRAP_INTERRUPT, .addr = t->insns[i].addr};
    n = TRACE_INSNS - i < 20 ? TRACE_INSNS - i : 20;
    assert_int_equal(oct_compressor_put(c, t->insns + i, n, accesses, NULL), 0);
    for (unsigned k = i; k < i + n; k++) accesses += t->insns[k].n_access;
    assert_int_equal(oct_compressor_put_trap(c, &trap, t->insns[i + n - 1].task, NULL), 0);
  }
  assert_int_equal(oct_compressor_flush(c, NULL), 0);
  stats = *oct_compressor_stats(c);
  oct_compressor_free(c);
  return stats;
}

/* With the depths that are found nothing is lost; with one entry less of either buffer something
 * is, where there are no traps, whose marks may find their place later. */
static void depths_found_are_the_least(void **state) {
  unsigned sufficed = 0;
  (void)state;
  for (unsigned round = 0; round < 16; round++) {
    if (is_left_out()) continue;
    oct_config cfg;
    oct_run_options o = {.engine = OCT_ENGINE_CYCLE,
                         .arrival = OCT_ARRIVAL_CPI,
                         .cpi_milli = 3000 + below32(15000),
                         .stall_milli = below32(200),
                         .seed = random_state,
                         .find_depths = 1};
    oct_geometry_get("paper", &cfg);
    cfg.timestamp = round % 4 % 3;
    cfg.traps = round / 4 % 2;
    trace *t = make_trace(&cfg);
    oct_stats found = cycle_stats(&cfg, &o, t);
    o.find_depths = 0;
    cfg.stream_fifo_depth = found.sufficient[OCT_BUFFER_STREAM];
    cfg.data_fifo_depth = found.sufficient[OCT_BUFFER_DATA];
    cfg.out_fifo_bytes = found.sufficient[OCT_BUFFER_OUT];
    if (found.sufficient_overflows == 0) {
      sufficed++;
      assert_int_equal(cycle_stats(&cfg, &o, t).overflows, 0);
      for (int b = OCT_BUFFER_STREAM; b <= OCT_BUFFER_DATA && !cfg.traps; b++) {
        oct_config less = cfg;
        uint32_t *depth = b == OCT_BUFFER_STREAM ? &less.stream_fifo_depth : &less.data_fifo_depth;
        if (--*depth) assert_true(cycle_stats(&less, &o, t).overflows > 0);
      }
    }
    free_trace(t);
  }
  assert_true(runs_share() || sufficed > 0);
}

/* The delays of streams wait beside the stream buffer, as deep, and refuse words that are none of
 * theirs. */
static void depths_found_hold_delays(void **state) {
  (void)state;
  for (unsigned round = 0; round < 60; round++) {
    if (is_left_out()) continue;
    oct_config cfg;
    oct_run_options o = {.engine = OCT_ENGINE_CYCLE,
                         .arrival = OCT_ARRIVAL_CPI,
                         .cpi_milli = 3000 + below32(15000),
                         .stall_milli = below32(200),
                         .seed = random_state,
                         .find_depths = 1};
    oct_geometry_get("paper", &cfg);
    cfg.timestamp = 2;
    cfg.traps = cfg.pipelined = 1;
    cfg.sync_period_insns = 20 + below32(50);
    cfg.sc_sets = 2;
    cfg.sl_bits = 16;
    trace *t = make_trace(&cfg);
    oct_stats found = cycle_stats(&cfg, &o, t);
    o.find_depths = 0;
    cfg.stream_fifo_depth = found.sufficient[OCT_BUFFER_STREAM];
    cfg.data_fifo_depth = found.sufficient[OCT_BUFFER_DATA];
    cfg.out_fifo_bytes = found.sufficient[OCT_BUFFER_OUT];
    if (!found.sufficient_overflows) assert_int_equal(cycle_stats(&cfg, &o, t).overflows, 0);
    free_trace(t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_geometries),
      cmocka_unit_test(random_geometries),
      cmocka_unit_test(every_sync_is_a_start),
      cmocka_unit_test(truncation_is_told),
      cmocka_unit_test(depths_found_are_the_least),
      cmocka_unit_test(depths_found_hold_delays),
  };
  seed_random("test_round_trip");
  return cmocka_run_group_tests(tests, NULL, NULL);
}
