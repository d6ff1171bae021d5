/* SPDX-License-Identifier: Apache-2.0 */
/* test_cycle.c - does the engine with time of `shadow` send what the untimed one sends, where
 * nothing is lost; does it come back, with losses counted, where buffers are small; and does it
 * keep its latency? */
#include "../port/tracer_util.h"

extern const oct_tracer oct_tracer_shadow;
static const oct_tracer *const t = &oct_tracer_shadow;

static void set(uint32_t *params, const char *settings) {
  oct_diag diag;
  if (oct_tracer_parse(t, settings, params, NULL, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
}

static uint64_t count_of(const test_stream *s, const char *name) {
  return s->counters[oct_tracer_counter(t, name)];
}

/* Compress x, flushed at `flushes` places, the same for each engine. */
static test_stream compress(const uint32_t *params, const oct_run_options *run, const test_trace *x,
                            const size_t *flushes, size_t n_flushes) {
  test_stream s = {.bytes = NULL};
  oct_diag diag;
  void *e;
  size_t from = 0;
  if (t->encoder.create(params, run, &e, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  for (size_t i = 0; i <= n_flushes; i++) {
    size_t to = i < n_flushes ? flushes[i] : x->n_insns;
    encode_part(t, e, x, from, to, &s);
    from = to;
    assert_int_equal(t->encoder.flush(e, &diag), 0);
    take_bytes(t, e, &s);
  }
  t->encoder.counters(e, s.counters);
  t->encoder.destroy(e);
  return s;
}

static void expect_decoded(const uint32_t *params, const test_trace *x, const test_stream *s) {
  test_decoded d = {.start = OCT_START_IN_STEP};
  if (decode(t, params, x, s->bytes, s->n_bytes, &d)) fail_msg("%s", oct_diag_line(&d.diag).text);
  assert_int_equal(d.counts.insns + d.counts.lost_insns, x->n_insns);
  assert_int_equal(d.counts.accesses + d.counts.lost_accesses, x->n_accesses);
  assert_int_equal(d.counts.gaps, count_of(s, "overflows"));
  assert_int_equal(d.counts.lost_insns, count_of(s, "lost_insns"));
  assert_int_equal(d.counts.lost_accesses, count_of(s, "lost_accesses"));
}

static oct_run_options random_run(void) {
  oct_run_options run = {.engine = OCT_ENGINE_CYCLE, .cpi_milli = 1000};
  if (below(2)) run.stall_milli = (uint32_t)below(900);
  run.seed = random_u64();
  run.clock_divider = (uint32_t)below(4);
  if (below(3) == 0) {
    run.arrival = OCT_ARRIVAL_CPI;
    run.cpi_milli = 1000 + (uint32_t)below(30000);
  }
  return run;
}

static size_t random_flushes(size_t *flushes, size_t n_max, size_t n_insns) {
  size_t n = below(3) ? 0 : below(n_max + 1), at = 0;
  for (size_t i = 0; i < n; i++) flushes[i] = at += below((n_insns - at) / n + 1);
  return n;
}

static void test_lossless(void **unused) {
  (void)unused;
  seed_random("lossless");
  for (unsigned round = 0; round < 24; round++) {
    if (is_left_out()) continue;
    test_trace x = random_test_trace(round & 1 ? 64 : 32, 4, 1500);
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    char settings[240];
    unsigned sync_insns = 1 + (unsigned)below(2000), banks = 1 + (unsigned)below(3);
    oct_tracer_defaults(t, params);
    snprintf(settings, sizeof settings,
             "addr_bits=%u,sync_insns=%u,sync_bits=0,banks=%u,retire_width=%u,lanes=%u,gather_"
             "insns=1024,"
             "gather_accesses=1024,queue_words=4096,out_fifo_bytes=65536,port_pins=32",
             x.addr_bits, sync_insns, banks, 1u << below(3), 1u << below(3));
    set(params, settings);
    oct_run_options timed = random_run(), untimed = {.engine = OCT_ENGINE_UNTIMED};
    timed.stall_milli /= 2;
    /* One that waits for nothing else could fill any buffer. */
    timed.arrival = OCT_ARRIVAL_CPI;
    timed.cpi_milli = 60000;
    size_t flushes[4], n_flushes = random_flushes(flushes, 4, x.n_insns);
    test_stream a = compress(params, &untimed, &x, flushes, n_flushes);
    test_stream b = compress(params, &timed, &x, flushes, n_flushes);
    assert_int_equal(count_of(&b, "overflows"), 0);
    assert_int_equal(a.n_bytes, b.n_bytes);
    assert_memory_equal(a.bytes, b.bytes, a.n_bytes);
    expect_decoded(params, &x, &b);
    free(a.bytes);
    free(b.bytes);
    free_test_trace(&x);
  }
}

static void test_losses(void **unused) {
  uint64_t n_overflows = 0;
  (void)unused;
  seed_random("losses");
  for (unsigned round = 0; round < 60; round++) {
    if (is_left_out()) continue;
    test_trace x = random_test_trace(round & 1 ? 64 : 32, 4, 1500);
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    char settings[240];
    unsigned sync_insns = 1 + (unsigned)below(2000), banks = 1 + (unsigned)below(3);
    unsigned sync_bits = below(2) ? 100 + (unsigned)below(5000) : 0;
    unsigned retire_width = 1u << below(3), gather_insns = 2u << below(5);
    unsigned gather_accesses = 1u << below(7), queue_words = 16u << below(5);
    unsigned out_fifo_bytes = 32u << below(5), port_pins = 1 + (unsigned)below(16);
    oct_tracer_defaults(t, params);
    snprintf(
        settings, sizeof settings,
        "addr_bits=%u,sync_insns=%u,sync_bits=%u,banks=%u,retire_width=%u,lanes=%u,gather_insns=%u,"
        "gather_accesses=%u,queue_words=%u,out_fifo_bytes=%u,port_pins=%u",
        x.addr_bits, sync_insns, sync_bits, banks, retire_width, 1u << below(3), gather_insns,
        gather_accesses, queue_words, out_fifo_bytes, port_pins);
    set(params, settings);
    oct_run_options run = random_run();
    size_t flushes[4], n_flushes = random_flushes(flushes, 4, x.n_insns);
    test_stream s = compress(params, &run, &x, flushes, n_flushes);
    expect_decoded(params, &x, &s);
    n_overflows += count_of(&s, "overflows");
    free(s.bytes);
    free_test_trace(&x);
  }
  assert_true(runs_share() || n_overflows > 100);
}

/* Buffers as large as find_depths says lose nothing, if the largest do not. */
static void test_depths(void **unused) {
  (void)unused;
  seed_random("depths");
  for (unsigned round = 0; round < 8; round++) {
    if (is_left_out()) continue;
    test_trace x = random_test_trace(32, 4, 3000);
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    char settings[200];
    oct_tracer_defaults(t, params);
    set(params, "port_pins=8,gather_accesses=64");
    oct_run_options run = {.engine = OCT_ENGINE_CYCLE,
                           .arrival = OCT_ARRIVAL_CPI,
                           .cpi_milli = 12000 + (uint32_t)below(20000),
                           .find_depths = 1};
    test_stream s = compress(params, &run, &x, NULL, 0);
    if (!count_of(&s, "sufficient_overflows")) {
      snprintf(settings, sizeof settings, "gather_insns=%u,queue_words=%u,out_fifo_bytes=%u",
               (unsigned)count_of(&s, "sufficient_gather"),
               (unsigned)count_of(&s, "sufficient_queue"),
               (unsigned)count_of(&s, "sufficient_output"));
      set(params, settings);
      run.find_depths = 0;
      test_stream again = compress(params, &run, &x, NULL, 0);
      if (count_of(&again, "overflows")) fail_msg("%s loses", settings);
      free(again.bytes);
    }
    free(s.bytes);
    free_test_trace(&x);
  }
}

/* Blocks of up to four instructions lose nothing where all of the trace fits into gather. */
static void test_blocks(void **unused) {
  (void)unused;
  seed_random("blocks");
  for (unsigned round = 0; round < 24; round++) {
    if (is_left_out()) continue;
    test_trace x = random_test_trace(round & 1 ? 64 : 32, 4, 400);
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    char settings[240];
    oct_tracer_defaults(t, params);
    snprintf(settings, sizeof settings,
             "addr_bits=%u,sync_bits=0,retire_width=%u,lanes=%u,gather_insns=1024,gather_accesses="
             "1024,queue_words=4096,out_fifo_bytes=65536,port_pins=32",
             x.addr_bits, 2u << below(2), 1u << below(3));
    set(params, settings);
    const oct_run_options timed = {.engine = OCT_ENGINE_CYCLE, .cpi_milli = 1000},
                          untimed = {.engine = OCT_ENGINE_UNTIMED};
    test_stream a = compress(params, &untimed, &x, NULL, 0);
    test_stream b = compress(params, &timed, &x, NULL, 0);
    if (count_of(&b, "overflows")) fail_msg("%s loses", settings);
    assert_int_equal(a.n_bytes, b.n_bytes);
    assert_memory_equal(a.bytes, b.bytes, a.n_bytes);
    free(a.bytes);
    free(b.bytes);
    free_test_trace(&x);
  }
}

/* Instructions without accesses: the mark of the first sync goes through gather, framer, buffer and
 * bus in the cycles of docs/shadow-rtl.md. */
static void test_latency(void **unused) {
  static const struct {
    uint64_t cycles;
    size_t n_bytes;
  } steps[] = {{7, 0}, {8, 4}, {11, 4}, {12, 8}};
  (void)unused;
  for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++) {
    oct_insn insns[64] = {{0}};
    oct_map_update update = {0, {.addr = 0x8000, .size_bytes = 4, .cls = OCT_CLASS_DIRECT_JUMP}};
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    oct_run_options run = {.engine = OCT_ENGINE_CYCLE, .cpi_milli = 1000};
    oct_diag diag;
    const uint8_t *bytes;
    void *e;
    update.entry.target = 0x8000;
    for (unsigned k = 0; k < 64; k++) insns[k] = (oct_insn){.addr = 0x8000, .size_bytes = 4};
    oct_tracer_input in = {
        .insns = insns, .n_insns = steps[i].cycles, .updates = &update, .n_updates = 1};
    oct_tracer_defaults(t, params);
    assert_int_equal(t->encoder.create(params, &run, &e, &diag), 0);
    if (t->encoder.put(e, &in, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
    size_t n = t->encoder.take(e, &bytes);
    if (n != steps[i].n_bytes)
      fail_msg("%zu bytes after %llu cycles", n, (unsigned long long)steps[i].cycles);
    t->encoder.destroy(e);
  }
}

/* A store in each cycle, by `step` bytes from the store before: lost instructions. Its operation is
 * not known, so all words it touches are freed. */
static uint64_t lost_of_stores(uint32_t addr_bits, uint32_t size_log2, uint64_t first,
                               uint64_t step) {
  enum { STORES = 3000 };
  const uint8_t store = OCT_SLOT_STORE | (uint8_t)size_log2;
  oct_insn insns[STORES] = {{0}};
  oct_access accesses[STORES] = {{0}};
  oct_map_update updates[STORES] = {{0}};
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  uint64_t counters[OCT_TRACER_COUNTERS_MAX];
  oct_run_options run = {.engine = OCT_ENGINE_CYCLE, .cpi_milli = 1000};
  oct_tracer_input in = {.insns = insns,
                         .n_insns = STORES,
                         .accesses = accesses,
                         .updates = updates,
                         .n_updates = STORES};
  oct_diag diag;
  void *e;
  for (unsigned i = 0; i < STORES; i++) {
    insns[i] = (oct_insn){.addr = 0x8000 + 4 * i, .size_bytes = 4, .n_access = 1};
    accesses[i] = (oct_access){
        .addr = first + i * step, .is_store = 1, .size_bytes = (uint8_t)(1u << size_log2)};
    updates[i].entry = (oct_map_entry){.addr = insns[i].addr,
                                       .size_bytes = 4,
                                       .cls = OCT_CLASS_OTHER,
                                       .n_slots = 1,
                                       .slots = {store}};
  }
  oct_tracer_defaults(t, params);
  params[oct_tracer_param(t, "addr_bits")] = addr_bits;
  /* Nothing but the stores makes gather wait. */
  set(params, "port_pins=32,queue_words=4096,out_fifo_bytes=65536,sync_insns=0,sync_bits=0");
  assert_int_equal(t->encoder.create(params, &run, &e, &diag), 0);
  if (t->encoder.put(e, &in, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  assert_int_equal(t->encoder.flush(e, &diag), 0);
  t->encoder.counters(e, counters);
  t->encoder.destroy(e);
  return counters[oct_tracer_counter(t, "lost_insns")];
}

/* Two words of the value cache are freed in a cycle, wherever they begin, but for the last one of
 * as many in a row as there are sets: such stores may come in each cycle. */
static void test_wide_stores(void **unused) {
  (void)unused;
  for (uint32_t addr_bits = 32; addr_bits <= 64; addr_bits += 32) {
    const uint32_t word_log2 = addr_bits > 32 ? 3 : 2;
    const uint64_t word = UINT64_C(1) << word_log2;
    assert_int_equal(lost_of_stores(addr_bits, word_log2, 0x1000, word), 0);
    assert_int_equal(lost_of_stores(addr_bits, word_log2 + 1, 0x1000, 2 * word), 0);
    assert_int_equal(lost_of_stores(addr_bits, word_log2 + 1, 0x1000 + word, 0), 0);
    assert_int_equal(lost_of_stores(addr_bits, word_log2, 0x1001, 0), 0);
    assert_int_equal(lost_of_stores(addr_bits, word_log2 + 1, 0x1000 + 4 * word, 64 * word), 0);
    /* Three words take two cycles; so do two around a multiple of 64 words. */
    assert_true(lost_of_stores(addr_bits, word_log2 + 1, 0x1001, 0) > 1000);
    assert_true(lost_of_stores(addr_bits, word_log2 + 2, 0x1000, 4 * word) > 1000);
    assert_true(lost_of_stores(addr_bits, word_log2, 0x1000 + 64 * word - 1, 0) > 1000);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wide_stores), cmocka_unit_test(test_lossless),
      cmocka_unit_test(test_losses),      cmocka_unit_test(test_depths),
      cmocka_unit_test(test_blocks),      cmocka_unit_test(test_latency)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
