/* SPDX-License-Identifier: Apache-2.0 */
/* test_settings.c - does every tracer give traces back at random settings? Parameters of the list
 * are at their least, their most, their default or anything between, all at once, as far as the
 * tracer takes them together; traces are of each instruction set, with traps where they are sent,
 * on both engines. Then the stream is damaged: a tracer with checks must give out nothing wrong.
 * How many pairs of such values were tried is printed.
 *
 * Usage: test_port_settings [ROUNDS]. OCT_TEST_SEED=N repeats a run; the seed is printed. */
#include "damage.h"

enum { TRACES = 9, INSNS = 1200, CLASSES = 4, DAMAGES = 8 };

static unsigned rounds = 24;
static test_trace traces[TRACES];

/* Damages of streams with checks, and those after which anything wrong came. */
static unsigned n_damages, n_wrong;

/* Of a tracer: the values that two parameters had in one run, each of a class. */
static uint8_t pairs[OCT_TRACER_PARAMS_MAX][OCT_TRACER_PARAMS_MAX][CLASSES][CLASSES];

static unsigned class_of(const oct_param *p, uint32_t value) {
  return value == p->def ? 0 : value == p->min ? 1 : value == p->max ? 2 : 3;
}

/* Memory and time that a parameter may cost a test. */
static uint32_t most(const oct_param *p) {
  enum { ENTRIES_MAX = 4096 };
  bool is_period = strstr(p->name, "sync") || strstr(p->name, "period");
  return p->max > ENTRIES_MAX && !is_period && p->def <= ENTRIES_MAX ? ENTRIES_MAX : p->max;
}

static uint32_t random_value(const oct_param *p) {
  uint32_t max = most(p);
  switch (below(6)) {
    case 0:
      return p->min;
    case 1:
      return max;
    case 2:
      return p->def;
    case 3:
      return p->min + (uint32_t)below(20);
    case 4:
      return UINT32_C(1) << below(32);
    default:
      return p->min + (uint32_t)below((uint64_t)max - p->min + 1);
  }
}

/* Set parameters one after the other, each only if all are legal then. */
static void random_params(const oct_tracer *t, uint32_t *params, bool *given) {
  unsigned one_in = 1 + (unsigned)below(4);
  oct_tracer_defaults(t, params);
  memset(given, 0, OCT_TRACER_PARAMS_MAX * sizeof *given);
  if (below(2)) /* begin elsewhere */
    assert_int_equal(
        oct_tracer_parse(t, t->geometries[below(t->n_geometries)].name, params, NULL, NULL), 0);
  for (unsigned turn = 0; turn < 2 * t->n_params; turn++) {
    unsigned i = (unsigned)below(t->n_params);
    uint32_t before = params[i];
    if (below(one_in)) continue;
    params[i] = random_value(&t->params[i]);
    given[i] = true;
    bool is_legal = params[i] >= t->params[i].min && params[i] <= most(&t->params[i]) &&
                    !oct_tracer_check(t, params, NULL);
    if (is_legal) continue;
    params[i] = before;
    given[i] = false;
  }
}

static void count_pairs(const oct_tracer *t, const uint32_t *params) {
  for (unsigned i = 0; i < t->n_params; i++)
    for (unsigned k = 0; k < i; k++)
      pairs[i][k][class_of(&t->params[i], params[i])][class_of(&t->params[k], params[k])] = 1;
}

static unsigned pairs_counted(const oct_tracer *t) {
  unsigned n = 0;
  for (unsigned i = 0; i < t->n_params; i++)
    for (unsigned k = 0; k < i; k++)
      for (unsigned c = 0; c < CLASSES * CLASSES; c++) n += pairs[i][k][c / CLASSES][c % CLASSES];
  return n;
}

static const char *text_of(const oct_tracer *t, const uint32_t *params) {
  static char text[8192];
  size_t at = 0;
  text[0] = 0;
  for (unsigned i = 0; i < t->n_params; i++)
    if (params[i] != t->params[i].def)
      at += (size_t)snprintf(text + at, sizeof text - at, "%s%s=%u", at ? "," : "",
                             t->params[i].name, params[i]);
  return text;
}

/* The whole trace, with its traps. As the encoder's functions. */
static int encode_traps(experiment *x, const oct_run_options *run, oct_diag *diag) {
  const oct_tracer_input in = {.insns = x->trace.insns,
                               .n_insns = x->trace.n_insns,
                               .accesses = x->trace.accesses,
                               .n_accesses = x->trace.n_accesses,
                               .updates = x->trace.updates,
                               .n_updates = x->trace.n_updates,
                               .traps = x->traps,
                               .n_traps = x->n_traps};
  void *e;
  int error = x->tracer->encoder.create(x->params, run, &e, diag);
  if (error) return error;
  error = x->tracer->encoder.put(e, &in, diag);
  if (!error) error = x->tracer->encoder.flush(e, diag);
  if (!error) take_bytes(x->tracer, e, &x->stream);
  x->tracer->encoder.destroy(e);
  return error;
}

/* What came of a stream: instructions, wrong ones among them, wrong traps. */
typedef struct came {
  uint64_t n_insns, wrong, wrong_traps, first_wrong;
  bool is_told;  /* that it is damaged */
  bool has_loss; /* the tracer said that it lost some itself */
  bool has_checks;
  oct_diag diag;
} came;

static came replay(const experiment *x, const uint8_t *bytes, size_t n_bytes) {
  oct_replay *r;
  oct_decoded run;
  oct_gap gap;
  fault_marks marks = {0};
  came c = {.first_wrong = UINT64_MAX};
  oct_diag *diag = &c.diag;
  uint64_t next = 0;
  int got;
  if (oct_replay_new(x->tracer, x->params, OCT_START_IN_STEP, NULL, &r, diag) ||
      oct_replay_map(r, x->trace.updates, x->trace.n_updates, diag))
    fail_msg("%s", oct_diag_line(diag).text);
  for (size_t at = 0, n; at <= n_bytes; at += n) {
    n = 1 + below(1000);
    if (n > n_bytes - at) n = n_bytes - at;
    if (n && oct_replay_push(r, bytes + at, n, diag)) fail_msg("%s", oct_diag_line(diag).text);
    if (!n) oct_replay_finish(r);
    while ((got = oct_replay_next(r, &run, &gap, diag)) > 0) {
      const oct_access *a = run.batch.accesses;
      c.has_checks |= run.confirmed_insns != UINT64_MAX;
      if (run.batch.n_traps > 8 * n_bytes) fail_msg("more traps than bits");
      c.n_insns += run.batch.n_insns;
      c.has_loss |= run.is_gap && !gap.error;
      c.is_told |= gap.error != 0;
      if (gap.error) c.diag = gap.diag;
      if (!run.is_uncounted) {
        take_fault_traps(&marks, x->traps, x->n_traps, &run, run.first_insn != next);
        for (size_t i = 0; i < run.batch.n_insns; i++) {
          bool is_wrong = !is_same(x, run.first_insn + i, &run.batch.insns[i], a);
          if (is_wrong && !c.wrong++) c.first_wrong = run.first_insn + i;
          if (run.batch.insns[i].n_access) a += run.batch.insns[i].n_access;
        }
      }
      marks.is_behind_gap |= run.is_gap || gap.error;
      next = run.first_insn + run.batch.n_insns;
      if (c.n_insns > 1000000) break; /* damage can mean billions */
    }
    if (got || !n) break;
  }
  c.wrong_traps = marks.wrong;
  c.is_told |= got < 0;
  oct_replay_free(r);
  return c;
}

/* Bits, bytes and blocks at random. */
static size_t spoil(const test_stream *s, uint8_t *bytes) {
  size_t at = below(s->n_bytes), n = 1 + below(below(2) ? 4 : 200);
  if (n > s->n_bytes - at) n = s->n_bytes - at;
  memcpy(bytes, s->bytes, s->n_bytes);
  switch (below(4)) {
    case 0:
      bytes[at] ^= (uint8_t)(1u << below(8));
      return s->n_bytes;
    case 1:
      for (size_t i = 0; i < n; i++) bytes[at + i] = (uint8_t)random_u64();
      return s->n_bytes;
    case 2:
      memmove(bytes + at, bytes + at + n, s->n_bytes - at - n);
      return s->n_bytes - n;
    default:
      memmove(bytes + at + n, s->bytes + at, s->n_bytes - at);
      return s->n_bytes + n;
  }
}

/* Without checks of the port wrong instructions may come. */
static void check_damage(const experiment *x) {
  uint8_t *bytes = malloc(2 * x->stream.n_bytes + 1);
  assert_non_null(bytes);
  for (unsigned i = 0; i < DAMAGES && x->stream.n_bytes; i++) {
    size_t n = spoil(&x->stream, bytes);
    const came c = replay(x, bytes, n);
    n_damages += x->has_checks;
    if (!x->has_checks || (!c.wrong && !c.wrong_traps)) continue;
    n_wrong++;
    printf("%s,%s: %s: damaged: %llu instructions and %llu traps wrong, the first %llu: %s\n",
           x->tracer->name, text_of(x->tracer, x->params), x->trace.name,
           (unsigned long long)c.wrong, (unsigned long long)c.wrong_traps,
           (unsigned long long)c.first_wrong, oct_diag_line(&c.diag).text);
  }
  free(bytes);
}

/* 1 where the trace came back; 0 where it cannot be sent so. */
static int there_and_back(experiment *x) {
  const oct_tracer *t = x->tracer;
  bool is_cycle = t->has_cycle_engine && below(3) == 0;
  const oct_run_options run = {.engine = is_cycle ? OCT_ENGINE_CYCLE : OCT_ENGINE_UNTIMED,
                               .cpi_milli = 1000 + (uint32_t)below(8000)};
  oct_diag diag = {0};
  int error = encode_traps(x, &run, &diag);
  if (error) {
    if (error == OCT_ERR_NOMEM || error == OCT_ERR_PACKET)
      fail_msg("%s,%s: %s: %s", t->name, text_of(t, x->params), x->trace.name,
               oct_diag_line(&diag).text);
    return 0;
  }
  const came c = replay(x, x->stream.bytes, x->stream.n_bytes);
  bool lacks = !c.has_loss && c.n_insns != x->trace.n_insns;
  if (c.wrong || c.wrong_traps || c.is_told || lacks)
    fail_msg("%s,%s: %s: %s: %llu of %zu instructions, %llu and %llu traps wrong: %s", t->name,
             text_of(t, x->params), is_cycle ? "cycle" : "untimed", x->trace.name,
             (unsigned long long)c.n_insns, x->trace.n_insns, (unsigned long long)c.wrong,
             (unsigned long long)c.wrong_traps, oct_diag_line(&c.diag).text);
  x->has_checks = c.has_checks;
  check_damage(x);
  return 1;
}

static int try_settings(const oct_tracer *t) {
  static experiment x;
  bool given[OCT_TRACER_PARAMS_MAX];
  int taken = 0;
  memset(&x, 0, sizeof x);
  x.tracer = t;
  x.trace = traces[below(TRACES)];
  random_params(t, x.params, given);
  if (oct_tracer_fit(t, x.params, given, x.trace.isa, x.trace.addr_bits, x.trace.align_bytes, NULL))
    return 0;
  x.first_access = calloc(x.trace.n_insns + 1, sizeof *x.first_access);
  assert_non_null(x.first_access);
  for (size_t i = 0; i < x.trace.n_insns; i++)
    x.first_access[i + 1] = x.first_access[i] + x.trace.insns[i].n_access;
  if (is_set(&x, "traps")) x.traps = make_fault_traps(t, x.params, &x.trace, &x.n_traps);
  taken = there_and_back(&x);
  if (taken) count_pairs(t, x.params);
  free(x.traps);
  free(x.first_access);
  free(x.stream.bytes);
  return taken;
}

static void each_tracer(void **state) {
  static const char *const names[TRACES - 2] = {
      "sha1.oct",        "threads.oct",  "isa/thumb.oct", "isa/aarch64.oct",
      "isa/riscv64.oct", "isa/mips.oct", "isa/x86-64.oct"};
  (void)state;
  seed_random("settings");
  for (unsigned i = 0; i < TRACES - 2; i++) {
    char path[512];
    snprintf(path, sizeof path, TEST_SAMPLES "/%s", names[i]);
    traces[i] = load_test_trace(path, INSNS);
    traces[i].name = names[i];
  }
  traces[TRACES - 2] = random_test_trace(32, 4, INSNS);
  traces[TRACES - 1] = random_test_trace(64, 1, INSNS);
  for (unsigned n = 0; oct_tracer_at(n); n++) {
    const oct_tracer *t = oct_tracer_at(n);
    unsigned taken = 0, tried = 0;
    memset(pairs, 0, sizeof pairs);
    n_damages = n_wrong = 0;
    for (; taken < rounds && tried < 40 * rounds; tried++)
      taken += is_left_out() ? 1 : (unsigned)try_settings(t);
    unsigned all = t->n_params * (t->n_params - 1) / 2;
    printf("%s: %u settings, %u pairs of values of %u pairs of parameters\n", t->name, taken,
           pairs_counted(t), all);
    /* A check of 16 bits agrees by chance once in 65,536 times. */
    if (n_wrong > 1 + n_damages / 2000)
      fail_msg("%s: %u of %u damages gave out what is wrong", t->name, n_wrong, n_damages);
    if (taken < rounds) fail_msg("%s: only %u of %u settings were taken", t->name, taken, tried);
  }
  for (unsigned i = 0; i < TRACES; i++) free_test_trace(&traces[i]);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_tracer)};
  if (argc > 1) rounds = (unsigned)strtoul(argv[1], NULL, 10);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
