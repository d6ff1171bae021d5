/* SPDX-License-Identifier: Apache-2.0 */
/* test_tracers.c - does every tracer of the list give back what it was given? All bundled samples
 * and random traces, at every geometry and on every engine; the same bits however the trace is cut
 * into batches; a flush in the middle; decoding from a later sync, and again after damage;
 * truncation; state saved and restored; sweeps; tables without holes.
 *
 * A tracer is tested by being listed. One that cannot take an instruction set says so
 * (OCT_ERR_UNSUPPORTED) and is not given it. OCT_TEST_SEED=N repeats a run; the seed is printed. */
#include "octrace/container.h"
#include "tracer_util.h"

/* The names that reports look up, where a tracer has them, must not be twice. */
static void tables_have_no_holes(void **state) {
  (void)state;
  for (unsigned n = 0; oct_tracer_at(n); n++) {
    const oct_tracer *t = oct_tracer_at(n);
    uint32_t params[OCT_TRACER_PARAMS_MAX], again[OCT_TRACER_PARAMS_MAX];
    assert_true(oct_tracer_find(t->name) == t && t->version && t->text[0]);
    assert_true(t->n_params <= OCT_TRACER_PARAMS_MAX);
    assert_true(t->n_counters <= OCT_TRACER_COUNTERS_MAX);
    assert_true(t->n_geometries >= 1);
    oct_tracer_defaults(t, params);
    assert_int_equal(oct_tracer_check(t, params, NULL), 0);
    for (unsigned i = 0; i < t->n_params; i++) {
      assert_int_equal(oct_tracer_param(t, t->params[i].name), i);
      assert_true(t->params[i].unit && t->params[i].text[0]);
      assert_true(t->params[i].absent >= t->params[i].min &&
                  t->params[i].absent <= t->params[i].max);
      if (t->params[i].role) assert_int_equal(oct_tracer_role(t, t->params[i].role), i);
      if (t->params[i].old_name) assert_int_equal(oct_tracer_param(t, t->params[i].old_name), i);
      /* One name has one role, whichever tracer has it. */
      for (unsigned k = 0; oct_tracer_at(k); k++) {
        const oct_tracer *other = oct_tracer_at(k);
        const int same = oct_tracer_param(other, t->params[i].name);
        if (same >= 0 && !strcmp(other->params[same].name, t->params[i].name))
          assert_int_equal(other->params[same].role, t->params[i].role);
      }
    }
    assert_true(oct_tracer_role(t, OCT_ROLE_PORT_PINS) >= 0 || !t->has_cycle_engine);
    for (unsigned i = 0; i < t->n_counters; i++) {
      assert_int_equal(oct_tracer_counter(t, t->counters[i].name), i);
      assert_true(t->counters[i].unit && t->counters[i].label && t->counters[i].text);
    }
    assert_true(oct_tracer_counter(t, "insns") >= 0);
    for (unsigned i = 0; i < t->n_buffers; i++) {
      assert_true(oct_tracer_param(t, t->buffers[i].param) >= 0);
      assert_true(oct_tracer_counter(t, t->buffers[i].high_water) >= 0);
      assert_true(!t->buffers[i].sufficient ||
                  oct_tracer_counter(t, t->buffers[i].sufficient) >= 0);
    }
    for (unsigned i = 0; i < t->n_geometries; i++)
      assert_int_equal(oct_tracer_parse(t, t->geometries[i].name, params, NULL, NULL), 0);
    /* Parameters begin from the defaults, whatever they held. */
    assert_int_equal(oct_tracer_parse(t, t->geometries[0].name, params, NULL, NULL), 0);
    oct_tracer_defaults(t, again);
    assert_int_equal(oct_tracer_parse(t, t->geometries[0].name, again, NULL, NULL), 0);
    assert_memory_equal(params, again, t->n_params * sizeof *params);
  }
}

/* Rows of a sweep hold parameters, counters and figures side by side: no name is there twice. */
static void names_are_told_apart(void **state) {
  static const char *const of_rows[] = {
      "trace", "tracer", "pareto", "port_bits", "port_bits_per_instruction", "state_bytes"};
  (void)state;
  for (unsigned n = 0; oct_tracer_at(n); n++) {
    const oct_tracer *t = oct_tracer_at(n);
    const char *names[OCT_TRACER_PARAMS_MAX + OCT_TRACER_COUNTERS_MAX + 64];
    unsigned n_names = 0;
    for (unsigned i = 0; i < sizeof of_rows / sizeof *of_rows; i++) names[n_names++] = of_rows[i];
    for (unsigned i = 0; i < t->n_params; i++) names[n_names++] = t->params[i].name;
    for (unsigned i = 0; i < t->n_counters; i++) names[n_names++] = t->counters[i].name;
    assert_in_range(n_names + t->n_figures, 1, sizeof names / sizeof *names);
    for (unsigned i = 0; i < t->n_figures; i++) names[n_names++] = t->figures[i].name;
    for (unsigned i = 0; i < n_names; i++)
      for (unsigned k = 0; k < i; k++)
        if (!strcmp(names[i], names[k]))
          fail_msg("%s: two columns are named %s", t->name, names[i]);
  }
}

/* In a random number of batches: the same bytes and counters as at once. */
static void check_batches(const oct_tracer *t, const uint32_t *params, const oct_run_options *run,
                          const test_trace *x, const test_stream *whole) {
  test_stream s = {.n_bytes = 0};
  void *e;
  assert_int_equal(t->encoder.create(params, run, &e, NULL), 0);
  for (size_t i = 0, n; i < x->n_insns; i += n) {
    n = 1 + below(x->n_insns - i);
    encode_part(t, e, x, i, i + n, &s);
  }
  assert_int_equal(t->encoder.flush(e, NULL), 0);
  take_bytes(t, e, &s);
  t->encoder.counters(e, s.counters);
  t->encoder.destroy(e);
  assert_int_equal(s.n_bytes, whole->n_bytes);
  assert_memory_equal(s.bytes, whole->bytes, s.n_bytes);
  assert_memory_equal(s.counters, whole->counters, t->n_counters * sizeof *s.counters);
  free(s.bytes);
}

static void check_counters(const oct_tracer *t, const test_trace *x, const test_stream *s) {
  uint64_t lost = oct_tracer_count(t, s->counters, "lost_insns");
  assert_int_equal(oct_tracer_count(t, s->counters, "insns") + lost, x->n_insns);
  assert_int_equal(oct_tracer_port_bits(t, s->counters, OCT_GROUP_TRACE), 8 * s->n_bytes);
}

/* From each of the first syncs on; the last whole trace is found from every one. */
static void check_syncs(const oct_tracer *t, const uint32_t *params, const test_trace *x,
                        const test_stream *s) {
  size_t from = 1;
  for (int round = 0; round < 4 && from < s->n_bytes; round++) {
    test_decoded d = {.start = OCT_START_SEARCH};
    int result = decode(t, params, x, s->bytes + from, s->n_bytes - from, &d);
    if (!d.counts.syncs) break; /* no sync is left */
    if (result) fail_msg("%s: from byte %zu: %s", t->name, from, oct_diag_line(&d.diag).text);
    assert_true(d.counts.insns + d.counts.lost_insns + d.first_insn >= x->n_insns);
    from += (size_t)(d.counts.first_sync_bits / 8) + 1;
  }
}

/* A cut to n bytes that the stream does not tell: formats of chips send nothing for an empty trace,
 * and Intel PT of user code ends at each system call (TIP.PGD without an address). */
static bool is_silent(const oct_tracer *t, const test_decoded *d, const uint8_t *bytes, size_t n) {
  enum { PGD = 1 };
  static const char *const names[] = {"etrace", "ntrace", "etmv4"};
  if (!strcmp(t->name, "intel-pt")) return !n || bytes[n - 1] == PGD;
  for (unsigned i = 0; i < 3; i++)
    if (!strcmp(t->name, names[i])) return d->counts.insns == 0;
  return false;
}

/* Cut off to n bytes, what is decoded is right and the end is told. */
static void check_cut(const oct_tracer *t, const uint32_t *params, const test_trace *x,
                      const test_stream *s, size_t n) {
  test_decoded d = {.start = OCT_START_IN_STEP};
  int result = decode(t, params, x, s->bytes, n, &d);
  if (result >= 0 && !is_silent(t, &d, s->bytes, n) &&
      d.counts.insns + d.counts.lost_insns != x->n_insns)
    fail_msg("%s: %zu of %zu bytes: the end is not told", t->name, n, s->n_bytes);
}

static void check_truncated(const oct_tracer *t, const uint32_t *params, const test_trace *x,
                            const test_stream *s) {
  for (int round = 0; round < 20 / ROUNDS_DIVISOR; round++)
    check_cut(t, params, x, s, below(s->n_bytes));
}

/* A byte changed, or up to 16 set alike: no crash, and after the error on from a later sync, or to
 * the end. */
static void check_damaged(const oct_tracer *t, const uint32_t *params, const test_trace *x,
                          const test_stream *s) {
  if (!s->n_bytes) return;
  for (int round = 0; round < 40 / ROUNDS_DIVISOR; round++) {
    test_decoded d = {.start = OCT_START_IN_STEP, .is_damaged = true};
    uint8_t kept[16];
    size_t at = below(s->n_bytes), n = 1 + below(sizeof kept);
    if (n > s->n_bytes - at) n = s->n_bytes - at;
    memcpy(kept, s->bytes + at, n);
    if (round & 1)
      memset(s->bytes + at, below(2) ? 0x80 : (int)below(256), n);
    else
      s->bytes[at] ^= (uint8_t)(1u << below(8));
    decode(t, params, x, s->bytes, s->n_bytes, &d);
    memcpy(s->bytes + at, kept, n);
  }
}

static void check_sweep(const oct_tracer *t, const uint32_t *params, const test_trace *x,
                        const test_stream *untimed) {
  uint64_t counters[OCT_TRACER_COUNTERS_MAX];
  void *sweep;
  if (!t->sweep) return;
  assert_int_equal(t->sweep->create(params, 1, &sweep, NULL), 0);
  const oct_tracer_input in = {.insns = x->insns,
                               .n_insns = x->n_insns,
                               .accesses = x->accesses,
                               .n_accesses = x->n_accesses,
                               .updates = x->updates,
                               .n_updates = x->n_updates};
  assert_int_equal(t->sweep->put(sweep, &in, NULL), 0);
  assert_int_equal(t->sweep->flush(sweep, NULL), 0);
  t->sweep->counters(sweep, 0, counters);
  assert_memory_equal(counters, untimed->counters, t->n_counters * sizeof *counters);
  t->sweep->destroy(sweep);
}

/* There and back. 0, or OCT_ERR_UNSUPPORTED when it cannot be encoded. */
static int round_trip(const oct_tracer *t, const uint32_t *params, const oct_run_options *run,
                      const test_trace *x, bool thorough) {
  test_stream s = {.n_bytes = 0};
  oct_diag diag = {0};
  int error = encode(t, params, run, x, &s, &diag);
  if (error == OCT_ERR_UNSUPPORTED || error == OCT_ERR_LIMIT) {
    free(s.bytes);
    return OCT_ERR_UNSUPPORTED;
  }
  if (error) fail_msg("%s: %s: %s", t->name, x->name, oct_diag_line(&diag).text);
  check_counters(t, x, &s);
  test_decoded d = {.start = OCT_START_IN_STEP};
  if (decode(t, params, x, s.bytes, s.n_bytes, &d))
    fail_msg("%s: %s: %s", t->name, x->name, oct_diag_line(&d.diag).text);
  if (d.counts.insns + d.counts.lost_insns != x->n_insns)
    fail_msg("%s: %s: %llu instructions and %llu lost of %zu", t->name, x->name,
             (unsigned long long)d.counts.insns, (unsigned long long)d.counts.lost_insns,
             x->n_insns);
  if (thorough) {
    check_batches(t, params, run, x, &s);
    check_syncs(t, params, x, &s);
    check_truncated(t, params, x, &s);
    check_damaged(t, params, x, &s);
    if (run->engine == OCT_ENGINE_UNTIMED) check_sweep(t, params, x, &s);
  }
  free(s.bytes);
  return 0;
}

/* Each engine and geometry of each tracer that takes it. Returns how many round trips there were.
 */
static unsigned all_tracers(const test_trace *x, bool thorough) {
  unsigned n_trips = 0;
  for (unsigned n = 0; oct_tracer_at(n); n++) {
    const oct_tracer *t = oct_tracer_at(n);
    for (unsigned g = 0; g < t->n_geometries; g++) {
      if (is_left_out()) continue;
      uint32_t params[OCT_TRACER_PARAMS_MAX];
      bool given[OCT_TRACER_PARAMS_MAX] = {false};
      oct_run_options run = {.engine = OCT_ENGINE_UNTIMED, .cpi_milli = 1000, .seed = 1};
      oct_tracer_defaults(t, params);
      assert_int_equal(oct_tracer_parse(t, t->geometries[g].name, params, given, NULL), 0);
      if (oct_tracer_fit(t, params, given, x->isa, x->addr_bits, x->align_bytes, NULL)) continue;
      if (round_trip(t, params, &run, x, thorough)) continue;
      n_trips++;
      if (!t->has_cycle_engine) continue;
      run.engine = OCT_ENGINE_CYCLE;
      run.stall_milli = (uint32_t)below(300);
      n_trips += !round_trip(t, params, &run, x, thorough && below(3) == 0);
    }
  }
  return n_trips;
}

static void random_traces(void **state) {
  (void)state;
  for (int round = 0; round < 6; round++) {
    if (round && !is_chosen()) continue;
    test_trace x = random_test_trace(round & 1 ? 64 : 32, 1u << below(4), 3000);
    assert_true(all_tracers(&x, true) > 0 || runs_share());
    free_test_trace(&x);
  }
  test_trace empty = random_test_trace(32, 4, 0);
  all_tracers(&empty, false);
  free_test_trace(&empty);
}

/* Cut at each byte, by each tracer that takes the trace. */
static void each_cut(void **state) {
  static const char *const names[] = {"x86-64", "riscv64", "aarch64"};
  const oct_run_options run = {.engine = OCT_ENGINE_UNTIMED, .cpi_milli = 1000, .seed = 1};
  (void)state;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/isa/%s.oct", TEST_SAMPLES, names[i]);
    test_trace x = load_test_trace(path, 300);
    for (unsigned n = 0; oct_tracer_at(n); n++) {
      const oct_tracer *t = oct_tracer_at(n);
      uint32_t params[OCT_TRACER_PARAMS_MAX];
      bool given[OCT_TRACER_PARAMS_MAX] = {false};
      test_stream s = {.n_bytes = 0};
      oct_diag diag = {0};
      if (is_left_out()) continue;
      oct_tracer_defaults(t, params);
      if (oct_tracer_fit(t, params, given, x.isa, x.addr_bits, x.align_bytes, NULL)) continue;
      if (encode(t, params, &run, &x, &s, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
      for (size_t cut = 0; cut < s.n_bytes; cut++) check_cut(t, params, &x, &s, cut);
      free(s.bytes);
    }
    free_test_trace(&x);
  }
}

static void samples(void **state) {
  static const char *const folders[] = {"", "/isa"};
  unsigned n_samples = 0;
  (void)state;
  for (unsigned f = 0; f < 2; f++) {
    char folder[512], path[1024];
    snprintf(folder, sizeof folder, "%s%s", TEST_SAMPLES, folders[f]);
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (struct dirent *entry; (entry = readdir(d));) {
      if (!strstr(entry->d_name, ".oct")) continue;
      n_samples++;
      if (!is_chosen()) continue;
      snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
      test_trace x = load_test_trace(path, 8000);
      unsigned trips = all_tracers(&x, f == 1);
      if (!trips && !runs_share()) fail_msg("%s: no tracer takes it", path);
      free_test_trace(&x);
    }
    closedir(d);
  }
  assert_true(n_samples >= 10);
}

/* Streams full of syncs, with up to 16 bytes alike at each place: a sync that is damaged itself is
 * not found again and again. */
static void damaged_syncs(void **state) {
  static const char *const traces[] = {"cjpeg.oct", "isa/riscv64.oct", "isa/x86-64.oct",
                                       "isa/aarch64.oct"};
  static const uint8_t values[] = {0, 0x55, 0x7f, 0x80, 0xff};
  unsigned n_trips = 0;
  (void)state;
  unsigned n_tracers = 0;
  while (oct_tracer_at(n_tracers)) n_tracers++;
  for (unsigned i = 0; i < sizeof traces / sizeof *traces * n_tracers; i++) {
    if (is_left_out()) continue;
    const oct_tracer *t = oct_tracer_at(i % n_tracers);
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    bool given[OCT_TRACER_PARAMS_MAX] = {false};
    const oct_run_options run = {.engine = OCT_ENGINE_UNTIMED, .cpi_milli = 1000};
    test_stream s = {.n_bytes = 0};
    char path[1024];
    int sync = oct_tracer_role(t, OCT_ROLE_SYNC_INSNS);
    oct_tracer_defaults(t, params);
    assert_true(sync >= 0);
    params[sync] = 20;
    snprintf(path, sizeof path, "%s/%s", TEST_SAMPLES, traces[i / n_tracers]);
    test_trace x = load_test_trace(path, 200);
    if (t->decoder.resync &&
        !oct_tracer_fit(t, params, given, x.isa, x.addr_bits, x.align_bytes, NULL) &&
        !encode(t, params, &run, &x, &s, NULL)) {
      uint8_t *intact = malloc(s.n_bytes);
      memcpy(intact, s.bytes, s.n_bytes);
      for (size_t at = 0; at < s.n_bytes && at < 300; at++, n_trips++) {
        test_decoded d = {.start = OCT_START_IN_STEP, .is_damaged = true};
        size_t n = 1 + below(16);
        memset(s.bytes + at, values[below(5)], n < s.n_bytes - at ? n : s.n_bytes - at);
        decode(t, params, &x, s.bytes, s.n_bytes, &d);
        memcpy(s.bytes, intact, s.n_bytes);
      }
      free(intact);
    }
    free(s.bytes);
    free_test_trace(&x);
  }
  assert_true(runs_share() || n_trips > 1000);
}

/* A cycle engine that a tracer does not have is refused, not passed over. */
static void refused_options(void **state) {
  (void)state;
  for (unsigned n = 0; oct_tracer_at(n); n++) {
    const oct_tracer *t = oct_tracer_at(n);
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    void *e = NULL;
    oct_run_options run = {.engine = OCT_ENGINE_CYCLE, .cpi_milli = 1000};
    oct_tracer_defaults(t, params);
    if (!t->has_cycle_engine)
      assert_int_equal(t->encoder.create(params, &run, &e, NULL), OCT_ERR_ARG);
  }
}

/* After a flush more may follow: both halves come back. */
static void flush_in_the_middle(void **state) {
  (void)state;
  test_trace x = random_test_trace(32, 4, 2000);
  for (unsigned n = 0; oct_tracer_at(n); n++) {
    const oct_tracer *t = oct_tracer_at(n);
    const oct_run_options run = {.engine = OCT_ENGINE_UNTIMED, .cpi_milli = 1000};
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    const bool given[OCT_TRACER_PARAMS_MAX] = {false};
    void *e;
    test_stream s = {.n_bytes = 0};
    test_decoded d = {.start = OCT_START_IN_STEP};
    oct_tracer_defaults(t, params);
    if (oct_tracer_fit(t, params, given, x.isa, x.addr_bits, x.align_bytes, NULL)) continue;
    assert_int_equal(t->encoder.create(params, &run, &e, NULL), 0);
    encode_part(t, e, &x, 0, 777, &s);
    assert_int_equal(t->encoder.flush(e, NULL), 0);
    encode_part(t, e, &x, 777, x.n_insns, &s);
    assert_int_equal(t->encoder.flush(e, NULL), 0);
    take_bytes(t, e, &s);
    t->encoder.destroy(e);
    if (decode(t, params, &x, s.bytes, s.n_bytes, &d))
      fail_msg("%s: %s", t->name, oct_diag_line(&d.diag).text);
    assert_int_equal(d.counts.insns, x.n_insns);
    free(s.bytes);
  }
  free_test_trace(&x);
}

/* The example of docs/raw-format.md. */
static void raw_example(void **state) {
  static const uint8_t expected[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                     0,    0,    0,    0x0c, 0x80, 0x80, 0x02, 0xb4, 0x24, 0x02};
  const oct_run_options run = {.engine = OCT_ENGINE_UNTIMED};
  oct_access access = {.addr = 0x1234, .size_bytes = 4};
  oct_insn insns[3] = {{.addr = 0x8000, .size_bytes = 4},
                       {.addr = 0x8004, .size_bytes = 4, .n_access = 1},
                       {.addr = 0x8008, .size_bytes = 4}};
  const test_trace x = {.name = "example", .insns = insns, .accesses = &access, .n_insns = 3};
  const oct_tracer *t = oct_tracer_find("raw");
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  test_stream s = {.n_bytes = 0};
  (void)state;
  oct_tracer_defaults(t, params);
  assert_int_equal(encode(t, params, &run, &x, &s, NULL), 0);
  assert_int_equal(s.n_bytes, sizeof expected);
  assert_memory_equal(s.bytes, expected, sizeof expected);
  free(s.bytes);
}

/* Illegal parameters and engines are refused, and no object is left. */
static void refusals(void **state) {
  (void)state;
  for (unsigned n = 0; oct_tracer_at(n); n++) {
    const oct_tracer *t = oct_tracer_at(n);
    const oct_run_options untimed = {.engine = OCT_ENGINE_UNTIMED},
                          cycle = {.engine = OCT_ENGINE_CYCLE};
    uint32_t params[OCT_TRACER_PARAMS_MAX], bad[OCT_TRACER_PARAMS_MAX];
    oct_diag diag = {0};
    void *e;
    oct_tracer_defaults(t, params);
    if (!t->has_cycle_engine)
      assert_int_equal(t->encoder.create(params, &cycle, &e, &diag), OCT_ERR_ARG);
    for (unsigned i = 0; i < t->n_params; i++) {
      if (t->params[i].max == UINT32_MAX) continue;
      memcpy(bad, params, sizeof bad);
      bad[i] = t->params[i].max + 1;
      assert_int_equal(t->encoder.create(bad, &untimed, &e, &diag), OCT_ERR_CONFIG);
      assert_non_null(strstr(oct_diag_line(&diag).text, t->params[i].name));
    }
    assert_int_equal(oct_tracer_parse(t, "nonesuch", params, NULL, &diag), OCT_ERR_CONFIG);
    assert_int_equal(oct_tracer_parse(t, "nonesuch=1", params, NULL, &diag), OCT_ERR_CONFIG);
  }
  assert_null(oct_tracer_find("nonesuch"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tables_have_no_holes),
                                     cmocka_unit_test(names_are_told_apart),
                                     cmocka_unit_test(random_traces),
                                     cmocka_unit_test(samples),
                                     cmocka_unit_test(each_cut),
                                     cmocka_unit_test(damaged_syncs),
                                     cmocka_unit_test(refused_options),
                                     cmocka_unit_test(flush_in_the_middle),
                                     cmocka_unit_test(raw_example),
                                     cmocka_unit_test(refusals)};
  seed_random("test_tracers");
  return cmocka_run_group_tests(tests, NULL, NULL);
}
