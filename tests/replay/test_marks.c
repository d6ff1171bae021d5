/* SPDX-License-Identifier: Apache-2.0 */
/* test_marks.c - does the number of a mark tell a part of the stream that comes twice? Traps by the
 * hundred come between instructions, more than fit between two syncs by bits; then each part of the
 * stream comes twice, or a later one comes again. Nothing may come out twice, and no sync may
 * follow a period without instructions. */
#include "../port/tracer_util.h"
#include "octrace/container.h"

enum { INSNS = 60, TRAPS = 100, MARKS_MAX = 4096 };

static const oct_tracer *replay;

/* Traps alone, before the trace and after some instructions. */
static test_stream encode_traps(const test_trace *x, const uint32_t *params) {
  const oct_run_options run = {.engine = OCT_ENGINE_UNTIMED, .cpi_milli = 1000};
  test_stream s = {.n_bytes = 0};
  oct_diag diag = {0};
  oct_trap traps[TRAPS];
  void *e;
  assert_int_equal(replay->encoder.create(params, &run, &e, &diag), 0);
  for (size_t i = 0; i < INSNS; i++) {
    const size_t n = i % 7 ? below(3) : 1 + below(TRAPS);
    for (size_t k = 0; k < n; k++)
      traps[k] = (oct_trap){.kind = OCT_TRAP_INTERRUPT, .cause = below32(1000), .addr = 0x1000};
    const oct_tracer_input in = {.traps = traps, .n_traps = n};
    assert_int_equal(replay->encoder.put(e, &in, &diag), 0);
    encode_part(replay, e, x, i, i + 1, &s);
  }
  assert_int_equal(replay->encoder.flush(e, &diag), 0);
  take_bytes(replay, e, &s);
  replay->encoder.destroy(e);
  return s;
}

typedef struct came {
  uint64_t insns, traps, last;
  bool is_told, goes_back;
} came;

static came decode_traps(const test_trace *x, const uint32_t *params, const uint8_t *bytes,
                         size_t n_bytes) {
  oct_replay *r;
  oct_decoded run;
  oct_gap gap;
  oct_diag diag = {0};
  came c = {0};
  assert_int_equal(oct_replay_new(replay, params, OCT_START_IN_STEP, NULL, &r, &diag), 0);
  assert_int_equal(oct_replay_map(r, x->updates, x->n_updates, &diag), 0);
  assert_int_equal(oct_replay_push(r, bytes, n_bytes, &diag), 0);
  oct_replay_finish(r);
  while (oct_replay_next(r, &run, &gap, &diag) > 0) {
    c.is_told |= gap.error != 0;
    c.goes_back |= run.batch.n_insns && run.first_insn < c.last;
    c.insns += run.batch.n_insns;
    c.traps += run.batch.n_traps;
    if (run.batch.n_insns) c.last = run.first_insn + run.batch.n_insns;
  }
  oct_replay_free(r);
  return c;
}

/* Where marks begin. The numbers of this test have one byte. */
static size_t find_marks(const test_stream *s, size_t *at) {
  size_t n = 0;
  for (size_t i = 0; i + 2 < s->n_bytes; i++)
    if (s->bytes[i] == 255 && s->bytes[i + 1] == 255 && s->bytes[i + 2]) {
      assert_true(n < MARKS_MAX);
      at[n++] = i;
    }
  return n;
}

static void parts_come_twice(void **state) {
  static size_t at[MARKS_MAX];
  (void)state;
  for (unsigned round = 0; round < 8; round++) {
    test_trace x = random_test_trace(32, 4, INSNS);
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    char settings[64];
    snprintf(settings, sizeof settings, "traps=1,sync_bits=%u,sync_insns=%u", (unsigned)below(1000),
             round % 2 ? 0 : 1 + (unsigned)below(9));
    fit_params(replay, settings, &x, params);
    test_stream s = encode_traps(&x, params);
    const size_t n = find_marks(&s, at);
    const came whole = decode_traps(&x, params, s.bytes, s.n_bytes);
    assert_false(whole.is_told);
    assert_int_equal(whole.insns, INSNS);
    for (size_t i = 1; i < n; i++)
      if (s.bytes[at[i] + 2] == 1) assert_int_not_equal(s.bytes[at[i] + 3], s.bytes[at[i - 1] + 3]);
    /* Parts from..to-1 come again behind part to-1. */
    for (size_t k = 0; n > 1 && k < 4 * n; k++) {
      const size_t from = below(n - 1), to = from + 1 + (k % 2 ? below(n - 1 - from) : 0);
      const size_t more = at[to] - at[from];
      uint8_t *bytes = malloc(s.n_bytes + more);
      assert_non_null(bytes);
      memcpy(bytes, s.bytes, at[to]);
      memcpy(bytes + at[to], s.bytes + at[from], s.n_bytes - at[from]);
      const came c = decode_traps(&x, params, bytes, s.n_bytes + more);
      if (!c.is_told || c.goes_back || c.insns > INSNS || c.traps > whole.traps)
        fail_msg("%s: parts %zu to %zu of %zu: %llu instructions and %llu of %llu traps%s",
                 settings, from, to, n, (unsigned long long)c.insns, (unsigned long long)c.traps,
                 (unsigned long long)whole.traps, c.is_told ? "" : ", and nothing is told");
      free(bytes);
    }
    free(s.bytes);
    free_test_trace(&x);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(parts_come_twice)};
  replay = oct_tracer_find("replay");
  seed_random("marks of replay");
  return cmocka_run_group_tests(tests, NULL, NULL);
}
