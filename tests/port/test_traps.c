/* SPDX-License-Identifier: Apache-2.0 */
/* test_traps.c - do traps come back through every tracer that sends them, at their places, and do
 * those that are lost leave only with a gap? And does a trace without traps cost nothing more? */
#include "octrace/container.h"
#include "tracer_util.h"

enum { TRACE_INSNS = 6000, PAIRS = 60, PAIR_INSNS = 1500, LEVEL_MAX = 4096 };

typedef struct trap_list {
  oct_trap *traps;
  size_t n;
} trap_list;

/* Traps before and behind the instructions, some at one place, of what the parameters can hold. */
static trap_list random_traps(const oct_tracer *t, const uint32_t *params, const test_trace *x,
                              unsigned one_in) {
  int cause_bits = oct_tracer_param(t, "cause_bits");
  uint64_t mask = x->addr_bits >= 64 ? UINT64_MAX : (UINT64_C(1) << x->addr_bits) - 1;
  trap_list l = {calloc(3 * (x->n_insns + 1), sizeof *l.traps), 0};
  assert_non_null(l.traps);
  for (size_t i = 0; i <= x->n_insns; i++) {
    uint64_t n = i == x->n_insns || i == 0 || below(one_in) == 0 ? 1 + below(3) / 2 : 0;
    for (; n; n--) {
      oct_trap *p = &l.traps[l.n++];
      *p = (oct_trap){.insn = (uint32_t)i, .kind = (uint8_t)below(OCT_TRAP_KINDS)};
      p->privilege = (uint8_t)below(OCT_PRIVILEGE_UNKNOWN + 1);
      if (p->kind == OCT_TRAP_PRIVILEGE) continue;
      p->cause = (uint32_t)below(UINT64_C(1) << (cause_bits < 0 ? 32 : params[cause_bits]));
      p->addr = i && below(3) ? x->insns[i - 1].addr + x->insns[i - 1].size_bytes : random_u64();
      if (below(8) == 0) p->addr = UINT64_MAX;
      p->addr &= mask;
      if (p->kind == OCT_TRAP_EXCEPTION && below(3))
        p->tval = (below(4) ? random_magnitude() : UINT64_MAX) & mask;
    }
  }
  return l;
}

/* Instructions and traps in batches of random sizes. */
static void encode_all(const oct_tracer *t, const uint32_t *params, const oct_run_options *run,
                       const test_trace *x, const trap_list *l, test_stream *s) {
  size_t access = 0, trap = 0, u = 0;
  oct_diag diag = {0};
  void *e;
  if (t->encoder.create(params, run, &e, &diag))
    fail_msg("%s: %s", t->name, oct_diag_line(&diag).text);
  for (size_t i = 0, n; i < x->n_insns; i += n) {
    oct_trap own[3 * 700 + 6];
    oct_tracer_input in = {.insns = x->insns + i, .accesses = x->accesses + access};
    n = 1 + below(600);
    if (n > x->n_insns - i) n = x->n_insns - i;
    in.n_insns = n;
    for (size_t k = i; k < i + n; k++) in.n_accesses += x->insns[k].n_access;
    access += in.n_accesses;
    in.updates = x->updates + u;
    for (; u < x->n_updates && x->updates[u].from_insn < i + n; u++) in.n_updates++;
    size_t end = i + n == x->n_insns ? i + n + 1 : i + n;
    for (; trap < l->n && l->traps[trap].insn < end; trap++) {
      own[in.n_traps] = l->traps[trap];
      own[in.n_traps++].insn -= (uint32_t)i;
    }
    in.traps = own;
    if (t->encoder.put(e, &in, &diag)) fail_msg("%s: %s", t->name, oct_diag_line(&diag).text);
    take_bytes(t, e, s);
  }
  assert_int_equal(t->encoder.flush(e, &diag), 0);
  take_bytes(t, e, s);
  t->encoder.counters(e, s->counters);
  t->encoder.destroy(e);
}

static void decode_all(const oct_tracer *t, const uint32_t *params, const test_trace *x,
                       const trap_list *l, const test_stream *s, const char *what) {
  oct_compare *c = oct_compare_new(0);
  size_t at = 0, n_traps = 0;
  oct_diag diag = {0};
  oct_decoded run;
  void *d;
  int got = 0;
  assert_non_null(c);
  assert_int_equal(oct_compare_expect_traps(c, l->traps, l->n), 0);
  assert_int_equal(oct_compare_expect(c, x->insns, x->n_insns, x->accesses), 0);
  if (!oct_tracer_carries_data(t, params)) oct_compare_without_accesses(c);
  assert_int_equal(t->decoder.create(params, OCT_START_IN_STEP, &d, &diag), 0);
  assert_int_equal(t->decoder.map(d, x->updates, x->n_updates, &diag), 0);
  for (;;) {
    while ((got = t->decoder.next(d, &run, &diag)) > 0) {
      n_traps += run.batch.n_traps;
      if (oct_compare_run(c, &run, &diag))
        fail_msg("%s: %s: %s", t->name, what, oct_diag_line(&diag).text);
    }
    if (got < 0) fail_msg("%s: %s: %s", t->name, what, oct_diag_line(&diag).text);
    if (at == s->n_bytes) break;
    size_t n = 1 + below(3000);
    if (n > s->n_bytes - at) n = s->n_bytes - at;
    assert_int_equal(t->decoder.push(d, s->bytes + at, n, &diag), 0);
    at += n;
    if (at == s->n_bytes) t->decoder.finish(d);
  }
  if (oct_compare_end(c, &diag)) fail_msg("%s: %s: %s", t->name, what, oct_diag_line(&diag).text);
  uint64_t lost = oct_tracer_count(t, s->counters, "lost_traps");
  /* Behind a gap there may be one more, for the privilege that traps lost there left. */
  uint64_t sent = oct_tracer_count(t, s->counters, "sent_traps");
  oct_decoder_counts counts;
  t->decoder.counts(d, &counts);
  assert_in_range(n_traps, sent, sent + counts.gaps);
  assert_int_equal(sent + lost, l->n);
  /* With the mark of a gap a change of privilege that was lost there may come, or seem to. */
  uint64_t found = oct_compare_lost_traps(c), edges = found < lost ? lost - found : found - lost;
  assert_in_range(edges, 0, counts.gaps);
  if (!oct_tracer_count(t, s->counters, "overflows")) assert_int_equal(lost, 0);
  t->decoder.destroy(d);
  oct_compare_free(c);
}

static void loop(const oct_tracer *t, const uint32_t *params, const oct_run_options *run,
                 const test_trace *x, unsigned one_in, const char *what) {
  trap_list l = random_traps(t, params, x, one_in);
  test_stream s = {0};
  encode_all(t, params, run, x, &l, &s);
  decode_all(t, params, x, &l, &s, what);
  free(s.bytes);
  free(l.traps);
}

/* Settings to try beside the tracer's own; those that it does not have are passed over. */
static const char *const settings[] = {"sync_period_insns=0",
                                       "sync_period_insns=97",
                                       "sync_period_bits=1024",
                                       "ntuple_n=0",
                                       "check_bits=0",
                                       "cause_bits=16",
                                       "check_period_bits=128",
                                       "pipelined=1",
                                       "stream_fifo_depth=1",
                                       "port_pins=1",
                                       "sync_insns=64",
                                       "sync_keeps=1",
                                       "timestamp=1,time_period_insns=1"};

static void every_tracer(void **state) {
  (void)state;
  seed_random("traps");
  for (unsigned k = 0; oct_tracer_at(k); k++) {
    const oct_tracer *t = oct_tracer_at(k);
    int traps = oct_tracer_param(t, "traps");
    if (traps < 0) continue;
    for (size_t i = 0; i <= sizeof settings / sizeof *settings; i++) {
      if (is_left_out()) continue;
      const char *what = i ? settings[i - 1] : "defaults";
      uint32_t params[OCT_TRACER_PARAMS_MAX];
      bool given[OCT_TRACER_PARAMS_MAX] = {false};
      oct_diag diag;
      oct_tracer_defaults(t, params);
      if (i && oct_tracer_parse(t, what, params, given, &diag)) continue;
      assert_int_equal(oct_tracer_trap_parts(t, params), 0);
      params[traps] = 1;
      assert_int_equal(oct_tracer_trap_parts(t, params), OCT_TRAPS_ALL);
      uint32_t addr_bits = below(2) ? 32 : 64;
      test_trace x = random_test_trace(addr_bits, 1u << below(3), TRACE_INSNS);
      if (oct_tracer_fit(t, params, given, "unknown", x.addr_bits, x.align_bytes, &diag))
        fail_msg("%s", oct_diag_line(&diag).text);
      oct_run_options run = {.engine = OCT_ENGINE_UNTIMED, .cpi_milli = 1000, .seed = below(1000)};
      loop(t, params, &run, &x, 50, what);
      loop(t, params, &run, &x, 3, what);
      run.engine = OCT_ENGINE_CYCLE;
      for (unsigned one_in = 3; t->has_cycle_engine && one_in < 100; one_in *= 5) {
        loop(t, params, &run, &x, one_in, what);
        run.arrival = OCT_ARRIVAL_CPI;
        run.cpi_milli = 1500 + (uint32_t)below(20000);
        run.stall_milli = (uint32_t)below(300);
      }
      free_test_trace(&x);
    }
  }
}

/* The privilege of each instruction that a decoder gives which begins in the middle of a stream. */
static void hold_privileges(const oct_tracer *t, const uint32_t *params, const test_trace *x,
                            const trap_list *l, const test_stream *s) {
  size_t from = s->n_bytes / 4 + below(s->n_bytes / 2), n_insns = 0, trap = 0;
  uint8_t expected = OCT_PRIVILEGE_UNKNOWN, privilege = OCT_PRIVILEGE_UNKNOWN;
  oct_diag diag = {0};
  oct_decoded run;
  void *d;
  int got;
  assert_int_equal(t->decoder.create(params, OCT_START_SEARCH, &d, &diag), 0);
  assert_int_equal(t->decoder.map(d, x->updates, x->n_updates, &diag), 0);
  assert_int_equal(t->decoder.push(d, s->bytes + from, s->n_bytes - from, &diag), 0);
  t->decoder.finish(d);
  assert_int_equal(t->decoder.resync(d, &diag), 1);
  while ((got = t->decoder.next(d, &run, &diag)) > 0) {
    const oct_trap *p = run.batch.traps, *end = p + run.batch.n_traps;
    for (size_t i = 0; i < run.batch.n_insns; i++, n_insns++) {
      for (; p < end && p->insn <= i; p++) privilege = p->privilege;
      for (; trap < l->n && l->traps[trap].insn <= run.first_insn + i; trap++)
        expected = l->traps[trap].privilege;
      if (privilege != expected)
        fail_msg("%s: instruction %llu: privilege %u, decoded %u", t->name,
                 (unsigned long long)(run.first_insn + i), expected, privilege);
    }
    for (; p < end; p++) privilege = p->privilege;
  }
  if (got < 0) fail_msg("%s: %s", t->name, oct_diag_line(&diag).text);
  assert_in_range(n_insns, 1, x->n_insns);
  t->decoder.destroy(d);
}

/* A decoder that begins at a sync knows the privilege. */
static void at_syncs(void **state) {
  (void)state;
  seed_random("at syncs");
  for (unsigned round = 0; round < 40; round++) {
    if (is_left_out()) continue;
    const oct_tracer *t = oct_tracer_find(round % 2 ? "shadow" : "paper");
    const oct_run_options run = {.engine = round % 4 < 2 ? OCT_ENGINE_UNTIMED : OCT_ENGINE_CYCLE,
                                 .cpi_milli = 30000};
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    bool given[OCT_TRACER_PARAMS_MAX] = {false};
    oct_diag diag;
    oct_tracer_defaults(t, params);
    const char *sets = round % 2 ? "traps=1,sync_insns=64" : "traps=1,sync_period_insns=97";
    if (oct_tracer_parse(t, sets, params, given, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
    test_trace x = random_test_trace(32, 4, TRACE_INSNS);
    assert_int_equal(oct_tracer_fit(t, params, given, "unknown", 32, 4, &diag), 0);
    trap_list l = random_traps(t, params, &x, 3 + (unsigned)below(400));
    test_stream s = {0};
    encode_all(t, params, &run, &x, &l, &s);
    hold_privileges(t, params, &x, &l, &s);
    free(s.bytes);
    free(l.traps);
    free_test_trace(&x);
  }
}

/* A value that a parameter may have: its ends more often than others. */
static uint32_t random_level(const oct_param *p) {
  uint64_t most = p->max < LEVEL_MAX ? p->max : LEVEL_MAX, least = p->min;
  if (most < least || below(4) == 0) return p->min;
  if (p->rule == OCT_ANY)
    return below(3) ? (uint32_t)(least + below(most - least + 1)) : (uint32_t)most;
  uint64_t level = least ? least : 1;
  while (2 * level <= most && below(3)) level *= 2;
  return (uint32_t)level;
}

/* Whether a parameter has to be what the trace needs, which has no stamps. */
static bool is_of_trace(const char *name) {
  return !strcmp(name, "addr_bits") || !strcmp(name, "pc_align_bits") ||
         !strcmp(name, "task_bits") || !strcmp(name, "time_source");
}

/* The same with any two parameters at any legal values, however many instructions retire in a
 * cycle. */
static void any_pair(void **state) {
  (void)state;
  seed_random("pairs");
  for (unsigned k = 0; oct_tracer_at(k); k++) {
    const oct_tracer *t = oct_tracer_at(k);
    int traps = oct_tracer_param(t, "traps"), width = oct_tracer_param(t, "retire_width");
    int filters = oct_tracer_param(t, "filters"); /* one looks at one instruction a cycle */
    unsigned n_tried = 0;
    for (unsigned round = 0; traps >= 0 && round < PAIRS; round++) {
      if (is_left_out()) continue;
      uint32_t params[OCT_TRACER_PARAMS_MAX];
      bool given[OCT_TRACER_PARAMS_MAX] = {false};
      unsigned pair[2] = {(unsigned)below(t->n_params), (unsigned)below(t->n_params)};
      char what[160];
      oct_diag diag;
      oct_tracer_defaults(t, params);
      for (unsigned i = 0; i < 2; i++) {
        if (is_of_trace(t->params[pair[i]].name)) pair[i] = (unsigned)traps;
        params[pair[i]] = random_level(&t->params[pair[i]]);
        given[pair[i]] = true;
      }
      params[traps] = 1;
      if (width >= 0) params[width] = filters >= 0 && params[filters] ? 1 : 1u << below(3);
      test_trace x =
          random_test_trace(below(2) ? 32 : 64, 1u << below(3), 200 + (size_t)below(PAIR_INSNS));
      oct_run_options run = {.engine = OCT_ENGINE_UNTIMED, .cpi_milli = 1000, .seed = below(1000)};
      if (!oct_tracer_fit(t, params, given, "unknown", x.addr_bits, x.align_bytes, &diag) &&
          !oct_tracer_check(t, params, &diag)) {
        n_tried++;
        snprintf(what, sizeof what, "%s=%u,%s=%u,retire_width=%u", t->params[pair[0]].name,
                 params[pair[0]], t->params[pair[1]].name, params[pair[1]],
                 width >= 0 ? params[width] : 1);
        loop(t, params, &run, &x, 3 + (unsigned)below(40), what);
        run.engine = OCT_ENGINE_CYCLE;
        if (below(2)) run.arrival = OCT_ARRIVAL_CPI, run.cpi_milli = 1200 + (uint32_t)below(9000);
        if (t->has_cycle_engine) loop(t, params, &run, &x, 3 + (unsigned)below(40), what);
      }
      free_test_trace(&x);
    }
    if (traps >= 0 && !runs_share()) assert_in_range(n_tried, PAIRS / 2, PAIRS);
  }
}

/* Without the parameter traps are left out, and the port's bits are those of the same trace without
 * any. */
static void left_out(void **state) {
  (void)state;
  seed_random("left out");
  for (unsigned k = 0; oct_tracer_at(k); k++) {
    const oct_tracer *t = oct_tracer_at(k);
    const oct_run_options run = {.engine = OCT_ENGINE_UNTIMED, .cpi_milli = 1000};
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    const bool given[OCT_TRACER_PARAMS_MAX] = {false};
    oct_diag diag;
    if (oct_tracer_param(t, "traps") < 0) continue;
    oct_tracer_defaults(t, params);
    test_trace x = random_test_trace(32, 4, TRACE_INSNS);
    assert_int_equal(oct_tracer_fit(t, params, given, "unknown", 32, 4, &diag), 0);
    trap_list l = random_traps(t, params, &x, 10), none = {NULL, 0};
    test_stream a = {0}, b = {0};
    encode_all(t, params, &run, &x, &l, &a);
    encode_all(t, params, &run, &x, &none, &b);
    assert_int_equal(a.n_bytes, b.n_bytes);
    assert_memory_equal(a.bytes, b.bytes, a.n_bytes);
    free(a.bytes);
    free(b.bytes);
    free(l.traps);
    free_test_trace(&x);
  }
}

/* What does not fit is refused. */
static void too_wide(void **state) {
  (void)state;
  const oct_trap bad[] = {{.kind = OCT_TRAP_INTERRUPT, .cause = 64},
                          {.kind = OCT_TRAP_INTERRUPT, .addr = UINT64_C(1) << 32},
                          {.tval = UINT64_C(1) << 32}};
  for (unsigned k = 0; oct_tracer_at(k); k++) {
    const oct_tracer *t = oct_tracer_at(k);
    const oct_run_options run = {.engine = OCT_ENGINE_UNTIMED, .cpi_milli = 1000};
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    int traps = oct_tracer_param(t, "traps");
    if (traps < 0 || oct_tracer_param(t, "cause_bits") < 0) continue; /* numbers of any length */
    oct_tracer_defaults(t, params);
    params[traps] = 1;
    for (size_t i = 0; i < 3; i++) {
      const oct_tracer_input in = {.traps = &bad[i], .n_traps = 1};
      oct_diag diag = {0};
      void *e;
      assert_int_equal(t->encoder.create(params, &run, &e, &diag), 0);
      assert_int_equal(t->encoder.put(e, &in, &diag), OCT_ERR_LIMIT);
      assert_non_null(strstr(oct_diag_line(&diag).text, "trap before instruction 0"));
      t->encoder.destroy(e);
    }
  }
}

/* What is no trap is refused by every tracer: kinds and privileges that there are not, fields that
 * a kind does not have, places outside the batch or out of order. */
static void no_trap(void **state) {
  (void)state;
  const oct_trap bad[][2] = {{{.kind = OCT_TRAP_KINDS}},
                             {{.kind = 255}},
                             {{.privilege = OCT_PRIVILEGE_UNKNOWN + 1}},
                             {{.kind = OCT_TRAP_INTERRUPT, .tval = 1}},
                             {{.kind = OCT_TRAP_PRIVILEGE, .cause = 1}},
                             {{.kind = OCT_TRAP_PRIVILEGE, .addr = 1}},
                             {{.insn = 3}},
                             {{.insn = 2}, {.insn = 1}}};
  oct_insn insns[2] = {{.addr = 0x8000, .size_bytes = 4}, {.addr = 0x8004, .size_bytes = 4}};
  for (unsigned k = 0; oct_tracer_at(k); k++)
    for (unsigned cycle = 0; cycle <= oct_tracer_at(k)->has_cycle_engine; cycle++)
      for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const oct_tracer *t = oct_tracer_at(k);
        const oct_run_options run = {.engine = cycle ? OCT_ENGINE_CYCLE : OCT_ENGINE_UNTIMED,
                                     .cpi_milli = 1000};
        const oct_tracer_input in = {
            .insns = insns, .n_insns = 2, .traps = bad[i], .n_traps = bad[i][1].insn ? 2 : 1};
        uint32_t params[OCT_TRACER_PARAMS_MAX];
        oct_diag diag = {0};
        void *e;
        oct_tracer_defaults(t, params);
        int traps = oct_tracer_param(t, "traps");
        if (traps >= 0) params[traps] = 1;
        assert_int_equal(t->encoder.create(params, &run, &e, &diag), 0);
        assert_int_equal(t->encoder.put(e, &in, &diag), OCT_ERR_ARG);
        if (!strstr(oct_diag_line(&diag).text, "of a batch"))
          fail_msg("%s: %zu: %s", t->name, i, oct_diag_line(&diag).text);
        t->encoder.destroy(e);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_tracer), cmocka_unit_test(any_pair),
                                     cmocka_unit_test(left_out),     cmocka_unit_test(too_wide),
                                     cmocka_unit_test(no_trap),      cmocka_unit_test(at_syncs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
