/* SPDX-License-Identifier: Apache-2.0 */
/* test_state.c - is nothing forgotten of what an encoder holds? Random traces with traps and stamps
 * go through every tracer with random parameters, on every engine; once at once, and once with a
 * new encoder at each batch, which takes up the state of the last one: the same bytes and counters
 * have to leave. Bytes may be taken before the state is saved, or stay in it. */
#include "octrace/container.h"
#include "tracer_util.h"

enum { TRACE_INSNS = 700, ROUNDS = 60 / ROUNDS_DIVISOR };

typedef struct scene {
  const oct_tracer *tracer;
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  oct_run_options run;
  test_trace x;
  oct_trap traps[3 * TRACE_INSNS];
  size_t n_traps;
} scene;

/* A value of a parameter: an end of its range, or near the lower one, or anywhere. */
static uint32_t random_value(const oct_param *p) {
  uint64_t span = (uint64_t)p->max - p->min + 1, v;
  if (p->rule == OCT_POW2) {
    v = UINT64_C(1) << below(14);
  } else {
    const uint64_t some[] = {p->min, p->max, p->min + below(span < 20 ? span : 20),
                             p->min + below(span)};
    v = some[below(4)];
  }
  if (!strncmp(p->name, "sync_", 5) && below(4)) v = 16 + below(2000);
  return (uint32_t)(v < p->min ? p->min : v > p->max ? p->max : v);
}

/* Legal ones; those that say what a trace is like stay as they are. false: the tracer does not take
 * the trace. */
static bool random_params(scene *s) {
  const oct_tracer *t = s->tracer;
  const bool given[OCT_TRACER_PARAMS_MAX] = {false};
  static const char *const kept[] = {"addr_bits",      "pc_align_bits", "task_bits",
                                     "mode_bits",      "isa",           "addr_lsb_bits",
                                     "privilege_bits", "ecause_bits",   "context_bits"};
  do {
    oct_tracer_defaults(t, s->params);
    assert_int_equal(
        oct_tracer_parse(t, t->geometries[below(t->n_geometries)].name, s->params, NULL, NULL), 0);
    if (oct_tracer_fit(t, s->params, given, s->x.isa, s->x.addr_bits, s->x.align_bytes, NULL))
      return false;
    for (uint64_t n = below(12); n; n--) {
      unsigned k = (unsigned)below(t->n_params);
      bool is_kept = false;
      for (unsigned i = 0; i < sizeof kept / sizeof *kept; i++)
        is_kept = is_kept || !strcmp(t->params[k].name, kept[i]);
      if (!is_kept) s->params[k] = random_value(&t->params[k]);
    }
    int traps = oct_tracer_param(t, "traps");
    if (traps >= 0 && below(2)) s->params[traps] = 1;
    for (unsigned k = 0; k < t->n_params; k++) /* room for every trap */
      if (!strcmp(t->params[k].name, "privilege_bits") || !strcmp(t->params[k].name, "ecause_bits"))
        s->params[k] = t->params[k].max;
  } while (oct_tracer_check(t, s->params, NULL));
  return true;
}

static void random_run(scene *s) {
  s->run = (oct_run_options){
      .engine = OCT_ENGINE_UNTIMED, .cpi_milli = 1000 + (uint32_t)below(9000), .seed = below(1000)};
  if (!s->tracer->has_cycle_engine || below(4) == 0) return;
  s->run.engine = OCT_ENGINE_CYCLE;
  s->run.arrival = (oct_arrival)below(3);
  s->run.stall_milli = below(2) ? (uint32_t)below(600) : 0;
  s->run.find_depths = below(3) == 0;
  s->run.clock_divider = (uint32_t)below(4);
  int filters = oct_tracer_param(s->tracer, "filters");
  if (filters >= 0 && s->params[filters] && below(2))
    s->run.filter = below(2) ? "insns=0x8000-0x8200" : "task=1";
}

static void random_traps(scene *s) {
  int cause_bits = oct_tracer_param(s->tracer, "cause_bits");
  for (size_t i = 0; i <= s->x.n_insns; i++) {
    if (below(30)) continue;
    for (uint64_t n = 1 + below(3) / 2; n; n--) {
      oct_trap *p = &s->traps[s->n_traps++];
      *p = (oct_trap){.insn = (uint32_t)i, .kind = (uint8_t)below(OCT_TRAP_KINDS)};
      p->privilege = (uint8_t)below(4);
      if (p->kind == OCT_TRAP_PRIVILEGE) continue;
      p->cause = p->kind == OCT_TRAP_INTERRUPT ? 14 : 2; /* both known to every architecture */
      if (cause_bits >= 0) p->cause = (uint32_t)below(UINT64_C(1) << s->params[cause_bits]);
      p->addr = s->x.insns[i ? i - 1 : 0].addr;
    }
  }
}

static void random_cycles(scene *s) {
  uint64_t cycle = below(1000);
  for (size_t i = 0; i < s->x.n_insns; i++) {
    oct_insn *insn = &s->x.insns[i];
    cycle += 1 + insn->n_access + (below(20) ? 0 : below(300));
    insn->cycle = cycle;
    if (below(10)) insn->flags |= OCT_INSN_HAS_CYCLE;
  }
}

/* Batches of random sizes, cut alike whenever cut_seed is the same. Returns what the encoder says.
 */
static int run_encoder(const scene *s, uint64_t cut_seed, bool is_handed_on, test_stream *out,
                       oct_diag *diag) {
  const oct_tracer *t = s->tracer;
  const test_trace *x = &s->x;
  size_t access = 0, trap = 0, u = 0;
  void *e;
  int error = t->encoder.create(s->params, &s->run, &e, diag);
  if (error) return error;
  for (size_t i = 0, n; i < x->n_insns && !error; i += n) {
    oct_trap own[3 * TRACE_INSNS];
    const uint64_t cut = random_step(&cut_seed);
    oct_tracer_input in = {.insns = x->insns + i, .accesses = x->accesses + access};
    n = 1 + (cut >> 40) % (cut >> 60 ? 4 : 100);
    if (n > x->n_insns - i) n = x->n_insns - i;
    in.n_insns = n;
    for (size_t k = i; k < i + n; k++) in.n_accesses += x->insns[k].n_access;
    access += in.n_accesses;
    in.updates = x->updates + u;
    for (; u < x->n_updates && x->updates[u].from_insn < i + n; u++) in.n_updates++;
    size_t end = i + n == x->n_insns ? i + n + 1 : i + n;
    for (; trap < s->n_traps && s->traps[trap].insn < end; trap++) {
      own[in.n_traps] = s->traps[trap];
      own[in.n_traps++].insn -= (uint32_t)i;
    }
    in.traps = own;
    error = t->encoder.put(e, &in, diag);
    if (!error && (cut >> 30 & 31) == 0) error = t->encoder.flush(e, diag);
    if (cut >> 20 & 1) take_bytes(t, e, out);
    if (!is_handed_on || error) continue;
    memory_state m = {.io.move = memory_state_save};
    t->encoder.state(e, &m.io);
    assert_int_equal(m.io.error, 0);
    t->encoder.destroy(e);
    assert_int_equal(t->encoder.create(s->params, &s->run, &e, diag), 0);
    m.io.move = memory_state_restore;
    t->encoder.state(e, &m.io);
    assert_int_equal(m.io.error, 0);
    assert_int_equal(m.at, m.n);
    free(m.bytes);
  }
  if (!error) error = t->encoder.flush(e, diag);
  take_bytes(t, e, out);
  t->encoder.counters(e, out->counters);
  t->encoder.destroy(e);
  return error;
}

static void print_scene(const scene *s) {
  uint32_t defaults[OCT_TRACER_PARAMS_MAX];
  oct_tracer_defaults(s->tracer, defaults);
  print_message("%s, %s engine, stall %u, depths %d, arrival %d:", s->tracer->name,
                s->run.engine == OCT_ENGINE_CYCLE ? "cycle" : "untimed", s->run.stall_milli,
                s->run.find_depths, s->run.arrival);
  for (unsigned i = 0; i < s->tracer->n_params; i++)
    if (s->params[i] != defaults[i])
      print_message(" %s=%u", s->tracer->params[i].name, s->params[i]);
  print_message("\n");
}

static void compare(const scene *s, const test_stream *whole, const test_stream *parts) {
  size_t at = 0, n = whole->n_bytes < parts->n_bytes ? whole->n_bytes : parts->n_bytes;
  while (at < n && whole->bytes[at] == parts->bytes[at]) at++;
  if (at < n || whole->n_bytes != parts->n_bytes) {
    print_scene(s);
    fail_msg("byte %zu differs, of %zu and %zu", at, whole->n_bytes, parts->n_bytes);
  }
  for (unsigned i = 0; i < s->tracer->n_counters; i++)
    if (whole->counters[i] != parts->counters[i]) {
      print_scene(s);
      fail_msg("%s: %llu, expected %llu", s->tracer->counters[i].name,
               (unsigned long long)parts->counters[i], (unsigned long long)whole->counters[i]);
    }
}

/* true: the tracer takes this trace. */
static bool hand_on(const oct_tracer *t, const char *isa) {
  scene *s = calloc(1, sizeof *s);
  test_stream whole = {0}, parts = {0};
  oct_diag diag = {0};
  char path[1024];
  assert_non_null(s);
  s->tracer = t;
  if (isa) {
    snprintf(path, sizeof path, "%s/isa/%s.oct", TEST_SAMPLES, isa);
    s->x = load_test_trace(path, TRACE_INSNS);
  } else {
    s->x = random_test_trace(below(2) ? 32 : 64, 1u << below(4), TRACE_INSNS);
  }
  int error = random_params(s) ? 0 : OCT_ERR_UNSUPPORTED;
  random_run(s);
  random_traps(s);
  random_cycles(s);
  uint64_t cut_seed = random_u64();
  if (!error) error = run_encoder(s, cut_seed, false, &whole, &diag);
  if (!error) {
    error = run_encoder(s, cut_seed, true, &parts, &diag);
    if (error) fail_msg("%s: %s", t->name, oct_diag_line(&diag).text);
    compare(s, &whole, &parts);
  }
  free(whole.bytes);
  free(parts.bytes);
  free_test_trace(&s->x);
  free(s);
  return !error;
}

static void state_is_whole(void **state) {
  static const char *const isas[] = {NULL, NULL, "riscv64", "x86-64", "thumb", "aarch64", "mips"};
  (void)state;
  for (unsigned n = 0; oct_tracer_at(n); n++) {
    const oct_tracer *t = oct_tracer_at(n);
    unsigned n_taken = 0, rounds = t->has_cycle_engine ? ROUNDS : ROUNDS / 4;
    for (unsigned i = 0; i < 40 * rounds && n_taken < rounds && t->encoder.state; i++)
      n_taken += hand_on(t, isas[below(7)]);
    if (t->encoder.state && n_taken < rounds) fail_msg("%s: %u traces", t->name, n_taken);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(state_is_whole)};
  seed_random("test_state");
  return cmocka_run_group_tests(tests, NULL, NULL);
}
