/* SPDX-License-Identifier: Apache-2.0 */
/* test_values.c - does `replay` give traces with values back? Recorded programs at every geometry
 * and at random settings, in random batches: each
 * instruction, address and value is equal, and nearly all was executed. Again where the trace lies
 * about values, registers and addresses, which has to cost bits and nothing else. From later syncs,
 * and with damage: what comes is right, or there is an error. */
#include <math.h>

#include "../port/tracer_util.h"
#include "octrace/container.h"

/* A trace with what tracer_util.h has no room for. */
typedef struct replay_trace {
  test_trace x;
  oct_fact *facts;
  uint8_t *values;
  size_t n_facts, n_values;
} replay_trace;

static const oct_tracer *replay;

static void read_values(const char *isa, replay_trace *t) {
  char path[512];
  oct_source s;
  oct_diag diag = {0};
  int got;
  memset(t, 0, sizeof *t);
  snprintf(path, sizeof path, "%s/%s.oct", TEST_DATA, isa);
  if (oct_source_open(&s, path, NULL, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  test_trace *x = &t->x;
  x->name = isa;
  snprintf(x->isa, sizeof x->isa, "%s", s.info.isa);
  x->addr_bits = s.info.addr_bits;
  x->align_bytes = s.info.insn_align_bytes;
  while ((got = oct_source_next(&s, &diag)) > 0) {
    const oct_batch *b = &s.batch;
    const size_t insns = x->n_insns, accesses = x->n_accesses, facts = t->n_facts;
    const uint32_t values = (uint32_t)t->n_values;
    x->updates = append(x->updates, &x->n_updates, s.updates, s.n_updates, sizeof *s.updates);
    x->insns = append(x->insns, &x->n_insns, b->insns, b->n_insns, sizeof *b->insns);
    x->accesses =
        append(x->accesses, &x->n_accesses, b->accesses, b->n_accesses, sizeof *b->accesses);
    t->facts = append(t->facts, &t->n_facts, b->facts, b->n_facts, sizeof *b->facts);
    t->values = append(t->values, &t->n_values, b->values, b->n_values, 1);
    for (size_t i = accesses; i < x->n_accesses; i++)
      if (x->accesses[i].value) x->accesses[i].value += values;
    for (size_t i = facts; i < t->n_facts; i++) {
      t->facts[i].insn += (uint32_t)insns;
      if (t->facts[i].value) t->facts[i].value += values;
    }
  }
  if (got) fail_msg("%s", oct_diag_line(&diag).text);
  oct_source_close(&s);
  assert_true(t->n_values > 1000 && t->n_facts > 16);
}

static void free_values(replay_trace *t) {
  free_test_trace(&t->x);
  free(t->facts);
  free(t->values);
}

/* Instructions from .. to-1 into an encoder. */
static void put_part(const replay_trace *t, void *e, size_t from, size_t to, test_stream *s) {
  const test_trace *x = &t->x;
  size_t access = 0, u = 0, v, f = 0, g;
  oct_diag diag = {0};
  for (size_t i = 0; i < from; i++) access += x->insns[i].n_access;
  while (u < x->n_updates && x->updates[u].from_insn < from) u++;
  for (v = u; v < x->n_updates && x->updates[v].from_insn < to;) v++;
  while (f < t->n_facts && t->facts[f].insn < from) f++;
  for (g = f; g < t->n_facts && t->facts[g].insn < to;) g++;
  oct_fact *facts = malloc((g - f + 1) * sizeof *facts);
  assert_non_null(facts);
  for (size_t i = f; i < g; i++) {
    facts[i - f] = t->facts[i];
    facts[i - f].insn -= (uint32_t)from;
  }
  oct_tracer_input in = {.insns = x->insns + from,
                         .n_insns = to - from,
                         .accesses = x->accesses + access,
                         .updates = x->updates + u,
                         .n_updates = v - u,
                         .facts = facts,
                         .n_facts = g - f,
                         .values = t->values,
                         .n_values = t->n_values};
  for (size_t i = from; i < to; i++) in.n_accesses += x->insns[i].n_access;
  if (replay->encoder.put(e, &in, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  take_bytes(replay, e, s);
  free(facts);
}

static void encode_trace(const replay_trace *t, const uint32_t *params, bool cuts, test_stream *s) {
  const oct_run_options run = {.engine = OCT_ENGINE_UNTIMED, .cpi_milli = 1000};
  oct_diag diag = {0};
  void *e;
  *s = (test_stream){.n_bytes = 0};
  if (replay->encoder.create(params, &run, &e, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  for (size_t i = 0, n; i < t->x.n_insns; i += n) {
    n = cuts ? 1 + below(t->x.n_insns / 3) : t->x.n_insns;
    if (n > t->x.n_insns - i) n = t->x.n_insns - i;
    put_part(t, e, i, i + n, s);
    if (cuts && below(4) == 0) assert_int_equal(replay->encoder.flush(e, &diag), 0);
  }
  assert_int_equal(replay->encoder.flush(e, &diag), 0);
  take_bytes(replay, e, s);
  replay->encoder.counters(e, s->counters);
  replay->encoder.destroy(e);
  assert_int_equal(oct_tracer_port_bits(replay, s->counters, OCT_GROUP_TRACE), 8 * s->n_bytes);
}

/* Everything comes back, values included. */
static void decode_trace(const replay_trace *t, const uint32_t *params, const test_stream *s) {
  oct_compare *c = oct_compare_new(0);
  oct_diag diag = {0};
  oct_decoded run;
  void *d;
  int got;
  assert_non_null(c);
  assert_int_equal(oct_compare_expect_values(c, t->values, t->n_values), 0);
  assert_int_equal(oct_compare_expect(c, t->x.insns, t->x.n_insns, t->x.accesses), 0);
  assert_int_equal(replay->decoder.create(params, OCT_START_IN_STEP, &d, &diag), 0);
  assert_int_equal(replay->decoder.map(d, t->x.updates, t->x.n_updates, &diag), 0);
  for (size_t at = 0, n;; at += n) {
    while ((got = replay->decoder.next(d, &run, &diag)) > 0)
      if (oct_compare_run(c, &run, &diag)) fail_msg("%s: %s", t->x.name, oct_diag_line(&diag).text);
    if (got < 0) fail_msg("%s: %s", t->x.name, oct_diag_line(&diag).text);
    if (at == s->n_bytes) break;
    n = 1 + below(3000);
    if (n > s->n_bytes - at) n = s->n_bytes - at;
    assert_int_equal(replay->decoder.push(d, s->bytes + at, n, &diag), 0);
    if (at + n == s->n_bytes) replay->decoder.finish(d);
  }
  if (oct_compare_end(c, &diag)) fail_msg("%s: %s", t->x.name, oct_diag_line(&diag).text);
  replay->decoder.destroy(d);
  oct_compare_free(c);
}

static void random_params(const replay_trace *t, uint32_t *params) {
  static const char *const names[] = {"filter_sets",   "filter_ways",  "line_bytes", "grain_bytes",
                                      "value_entries", "told_entries", "sync_insns", "sync_bits"};
  fit_params(replay, replay->geometries[below(replay->n_geometries)].name, &t->x, params);
  for (int k = 0; k < 3; k++) {
    const int i = oct_tracer_param(replay, names[below(sizeof names / sizeof *names)]);
    const oct_param *p = &replay->params[i];
    uint32_t v = (uint32_t)(random_u64() >> (32 + below(32)));
    if (p->rule == OCT_POW2 && v) v = 1u << (31 - __builtin_clz(v));
    if (v < p->min) v = p->min;
    if (v > p->max || v > 20000) v = p->max < 20000 ? p->max : 4096;
    if (p->role && v < 300) v = 300;
    params[i] = v;
  }
  if (oct_tracer_check(replay, params, NULL)) random_params(t, params);
}

static const char *const programs[] = {"riscv64", "arm", "aarch64", "x86-64", "riscv32"};
enum { PROGRAMS = sizeof programs / sizeof *programs };

static void recorded_programs(void **state) {
  (void)state;
  for (unsigned p = 0; p < PROGRAMS; p++) {
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    replay_trace t;
    test_stream s;
    read_values(programs[p], &t);
    for (unsigned g = 0; g < replay->n_geometries; g++) {
      fit_params(replay, replay->geometries[g].name, &t.x, params);
      encode_trace(&t, params, false, &s);
      /* All but the system calls is executed, as the emulator does it, in a tenth of a bit. */
      assert_in_range(oct_tracer_count(replay, s.counters, "told"), 1, 10);
      assert_int_equal(oct_tracer_count(replay, s.counters, "access_corrections"), 0);
      assert_int_equal(oct_tracer_count(replay, s.counters, "leaves"), 0);
      assert_in_range(10 * 8 * s.n_bytes / t.x.n_insns, 0, 1);
      decode_trace(&t, params, &s);
      free(s.bytes);
    }
    free_values(&t);
  }
}

static void random_settings(void **state) {
  (void)state;
  seed_random("settings");
  for (unsigned round = 0; round < 12 / ROUNDS_DIVISOR; round++) {
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    replay_trace t;
    test_stream s;
    if (!is_chosen()) continue;
    read_values(programs[below(PROGRAMS)], &t);
    random_params(&t, params);
    encode_trace(&t, params, below(2), &s);
    decode_trace(&t, params, &s);
    free(s.bytes);
    free_values(&t);
  }
}

/* A trace that is not what the emulator makes of the program: whatever it says comes back. */
static void lies(void **state) {
  (void)state;
  seed_random("lies");
  for (unsigned round = 0; round < 12 / ROUNDS_DIVISOR; round++) {
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    replay_trace t;
    test_stream s;
    if (!is_chosen()) continue;
    read_values(programs[below(PROGRAMS)], &t);
    const uint64_t mask = t.x.addr_bits == 32 ? UINT32_MAX : UINT64_MAX;
    const unsigned n = 1 + (unsigned)below(200);
    for (unsigned i = 0; i < n; i++) {
      oct_access *a = &t.x.accesses[below(t.x.n_accesses)];
      switch (below(4)) {
        case 0:
          t.values[below(t.n_values)] ^= (uint8_t)(1 + below(255));
          break;
        case 1:
          a->addr = (a->addr + random_u64() % 64) & mask;
          break;
        case 2:
          a->value = 0;
          break;
        default: { /* a fact moves on */
          oct_fact *f = &t.facts[t.n_facts - 1];
          if (f->insn + 2 < t.x.n_insns) f->insn++;
        }
      }
    }
    random_params(&t, params);
    encode_trace(&t, params, below(2), &s);
    decode_trace(&t, params, &s);
    free(s.bytes);
    free_values(&t);
  }
}

/* From anywhere, and with damage. */
static void damage(void **state) {
  (void)state;
  seed_random("damage");
  for (unsigned p = 0; p < PROGRAMS; p++) {
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    replay_trace t;
    test_stream s;
    read_values(programs[p], &t);
    fit_params(replay, "replay,sync_insns=3000", &t.x, params);
    encode_trace(&t, params, false, &s);
    for (unsigned round = 0; round < 20 / ROUNDS_DIVISOR; round++) {
      const size_t from = below(s.n_bytes), at = from + below(s.n_bytes - from);
      const uint8_t flip = (uint8_t)(below(4) ? 1u << below(8) : 0);
      const oct_access *expected = t.x.accesses;
      uint64_t next = 0, n_right = 0;
      oct_diag diag = {0};
      oct_decoded run;
      void *d;
      int got;
      s.bytes[at] ^= flip;
      assert_int_equal(replay->decoder.create(params, OCT_START_SEARCH, &d, &diag), 0);
      assert_int_equal(replay->decoder.map(d, t.x.updates, t.x.n_updates, &diag), 0);
      assert_int_equal(replay->decoder.push(d, s.bytes + from, s.n_bytes - from, &diag), 0);
      replay->decoder.finish(d);
      for (;;) {
        while ((got = replay->decoder.next(d, &run, &diag)) > 0) {
          const oct_access *a = run.batch.accesses;
          compare_run(replay, params, &t.x, &run, &next, &expected);
          for (size_t i = 0; i < run.batch.n_accesses; i++, a++) {
            const oct_access *e = expected - run.batch.n_accesses + i;
            const uint8_t *value = oct_value_of(&run.batch, a->value);
            if (e->value) assert_non_null(value);
            if (e->value) assert_memory_equal(value, t.values + e->value - 1, e->size_bytes);
          }
          n_right += run.batch.n_insns;
        }
        if (!got || replay->decoder.resync(d, &diag) <= 0) break;
      }
      if (!flip && from < s.n_bytes / 2) assert_true(n_right >= t.x.n_insns / 3);
      replay->decoder.destroy(d);
      s.bytes[at] ^= flip;
    }
    free(s.bytes);
    free_values(&t);
  }
}

int main(void) {
  replay = oct_tracer_find("replay");
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  if (!replay) return 1;
  oct_tracer_defaults(replay, params);
  params[oct_tracer_param(replay, "isa")] = OCT_ISA_ARM + 1;
  if (oct_tracer_check(replay, params, NULL)) return 77; /* this build has no emulator */
  const struct CMUnitTest tests[] = {cmocka_unit_test(recorded_programs),
                                     cmocka_unit_test(random_settings), cmocka_unit_test(lies),
                                     cmocka_unit_test(damage)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
