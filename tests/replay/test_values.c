/* SPDX-License-Identifier: Apache-2.0 */
/* test_values.c - does `replay` give traces with values back? Recorded programs at every geometry
 * and at random settings, in random batches: each
 * instruction, address and value is equal, and nearly all was executed. Again where the trace lies
 * about values, registers and addresses, which has to cost bits and nothing else. From later syncs,
 * and with damage: what comes is right, or there is an error. */
#include <math.h>

#include "values.h"

static void encode_trace(const replay_trace *t, const uint32_t *params, bool cuts, test_stream *s) {
  const oct_run_options run = {.engine = OCT_ENGINE_UNTIMED, .cpi_milli = 1000};
  encode_run(t, params, &run, cuts, s);
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

/* The bits of each program at the default geometry, as a hash (FNV): a change of the format changes
 * them, and nothing else may. */
static void check_golden(unsigned program, const test_stream *s) {
  static const uint64_t golden[PROGRAMS] = {
      UINT64_C(0x73575fe0fa8d2543), UINT64_C(0x653a44d69d7546f2), UINT64_C(0x0b0135e591077ae0),
      UINT64_C(0xbf82b9f2068e8691), UINT64_C(0x80f93655d74d0272), UINT64_C(0xf5e8d610be92be13)};
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < s->n_bytes; i++) hash = (hash ^ s->bytes[i]) * UINT64_C(0x100000001b3);
  if (hash != golden[program])
    fail_msg("%s: other bits: 0x%016llx", programs[program], (unsigned long long)hash);
}

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
      if (!g) check_golden(p, &s);
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
    if (is_left_out()) continue;
    read_values(programs[below(PROGRAMS)], &t);
    random_params(&t, params);
    encode_trace(&t, params, below(2), &s);
    decode_trace(&t, params, &s);
    free(s.bytes);
    free_values(&t);
  }
}

/* Execution stops and goes on anywhere, in blocks of conditional code, too. */
static void syncs_anywhere(void **state) {
  (void)state;
  seed_random("syncs anywhere");
  for (unsigned p = 0; p < PROGRAMS; p++) {
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    char settings[64];
    replay_trace t;
    test_stream s;
    if (is_left_out()) continue;
    read_values(programs[p], &t);
    snprintf(settings, sizeof settings, "replay,sync_insns=%u", 256 + (unsigned)below(100));
    fit_params(replay, settings, &t.x, params);
    encode_trace(&t, params, false, &s);
    assert_int_equal(oct_tracer_count(replay, s.counters, "access_corrections"), 0);
    assert_in_range(oct_tracer_count(replay, s.counters, "told"), 1, 10);
    decode_trace(&t, params, &s);
    free(s.bytes);
    free_values(&t);
  }
}

/* At first, and again where the program has returned from the system: a register of status with
 * bits that the emulator has otherwise, and those of its flags. */
static void status_comes_back(void **state) {
  static const uint64_t words[PROGRAMS] = {
      [0] = 0x100, [1] = 0x110, [2] = 0x80000400, [3] = 0x246, [4] = 0x100, [5] = 0x130};
  (void)state;
  for (unsigned p = 0; p < PROGRAMS; p++) {
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    replay_trace t;
    test_stream s;
    read_values(programs[p], &t);
    const unsigned n = oct_isa_register_bytes((oct_isa)oct_isa_by_name(t.x.isa), OCT_REG_STATUS);
    uint8_t bytes[8];
    for (unsigned i = 0; i < n; i++) bytes[i] = (uint8_t)(words[p] >> 8 * i);
    const oct_fact first = {.kind = OCT_FACT_REGISTER,
                            .number = OCT_REG_STATUS,
                            .n_bytes = n,
                            .value = (uint32_t)t.n_values + 1};
    oct_fact last = first;
    last.insn = t.facts[t.n_facts - 1].insn;
    t.values = append(t.values, &t.n_values, bytes, n, 1);
    for (int i = 0; i < 2; i++) t.facts = append(t.facts, &t.n_facts, &last, 1, sizeof last);
    memmove(t.facts + 1, t.facts, (t.n_facts - 1) * sizeof *t.facts);
    t.facts[0] = first;
    fit_params(replay, "replay", &t.x, params);
    encode_trace(&t, params, false, &s);
    decode_trace(&t, params, &s);
    free(s.bytes);
    free_values(&t);
  }
}

/* x0 of RISC-V can be nothing else. */
static void keep_zero(const replay_trace *t) {
  for (size_t i = 0; i < t->n_facts && !strncmp(t->x.name, "riscv", 5); i++)
    if (t->facts[i].kind == OCT_FACT_REGISTER && !t->facts[i].number)
      memset(t->values + (t->facts[i].value - 1), 0, t->facts[i].n_bytes);
}

/* A trace that is not what the emulator makes of the program: whatever it says comes back. */
static void lies(void **state) {
  (void)state;
  seed_random("lies");
  for (unsigned round = 0; round < 12 / ROUNDS_DIVISOR; round++) {
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    replay_trace t;
    test_stream s;
    if (is_left_out()) continue;
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
    keep_zero(&t);
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
    if (is_left_out()) continue;
    read_values(programs[p], &t);
    fit_params(replay, "replay,sync_insns=3000", &t.x, params);
    encode_trace(&t, params, false, &s);
    for (unsigned round = 0; round < 20 / ROUNDS_DIVISOR; round++) {
      if (round && !is_chosen()) continue;
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
                                     cmocka_unit_test(random_settings),
                                     cmocka_unit_test(syncs_anywhere),
                                     cmocka_unit_test(status_comes_back),
                                     cmocka_unit_test(lies),
                                     cmocka_unit_test(damage)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
