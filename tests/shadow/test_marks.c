/* SPDX-License-Identifier: Apache-2.0 */
/* test_marks.c - is each bit of a mark of `shadow` that is always the same held against that, with
 * and without checks? Is the last instruction before a mark that is none left out? How many zero
 * bytes may follow the last flush? */
#include "../port/tracer_util.h"
#include "octrace/container.h"
#include "oct_shadow_frame.h"

extern const oct_tracer oct_tracer_shadow;
static const oct_tracer *const t = &oct_tracer_shadow;

enum { INSNS = 600, MARKS_MAX = 64, ZEROS_MAX = 4 };

typedef struct found {
  bool is_damaged;
  uint64_t first_gap; /* of damage: instructions that came before it */
} found;

static found replay(const uint32_t *params, const test_trace *x, const uint8_t *bytes, size_t n) {
  oct_replay *r;
  oct_decoded run;
  oct_gap gap;
  oct_diag diag = {0};
  found f = {false, 0};
  assert_int_equal(oct_replay_new(t, params, OCT_START_IN_STEP, NULL, &r, &diag), 0);
  assert_int_equal(oct_replay_map(r, x->updates, x->n_updates, &diag), 0);
  assert_int_equal(oct_replay_push(r, bytes, n, &diag), 0);
  oct_replay_finish(r);
  while (oct_replay_next(r, &run, &gap, &diag) > 0) {
    if (gap.error && !f.is_damaged) f.first_gap = gap.insn;
    f.is_damaged |= gap.error != 0;
  }
  assert_int_equal(diag.error, 0);
  oct_replay_free(r);
  return f;
}

/* Where marks begin: nothing else has three bytes of ones. */
static size_t find_marks(const test_stream *s, size_t *at) {
  size_t n = 0;
  for (size_t i = 0; i + OCT_MARK_ONES < s->n_bytes && n < MARKS_MAX; i++)
    if (s->bytes[i] == 255 && s->bytes[i + 1] == 255 && s->bytes[i + 2] == 255) at[n++] = i;
  return n;
}

static test_stream compress(const char *settings, const test_trace *x, uint32_t *params) {
  const oct_run_options run = {
      .engine = OCT_ENGINE_CYCLE, .arrival = OCT_ARRIVAL_CPI, .cpi_milli = 1000};
  test_stream s = {.n_bytes = 0};
  oct_diag diag = {0};
  fit_params(t, settings, x, params);
  if (encode(t, params, &run, x, &s, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  return s;
}

static void bits_that_stand(void **state) {
  static const char *const settings[] = {
      "port_pins=1,out_fifo_bytes=32,queue_words=16,gather_insns=8,sync_insns=100,check=0",
      "port_pins=1,out_fifo_bytes=32,queue_words=16,gather_insns=8,sync_insns=100,check=1"};
  (void)state;
  for (unsigned m = 0; m < 2; m++) {
    test_trace x = random_test_trace(32, 4, INSNS);
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    test_stream s = compress(settings[m], &x, params);
    const oct_shadow_config cfg = oct_shadow_config_of(params);
    size_t at[MARKS_MAX], n = find_marks(&s, at);
    unsigned kinds[OCT_FRAME_KINDS] = {0};
    assert_false(replay(params, &x, s.bytes, s.n_bytes).is_damaged);
    for (size_t i = 0; i < n; i++) {
      uint8_t *mark = s.bytes + at[i], *kind = mark + OCT_MARK_ONES;
      const unsigned n_bytes = oct_mark_bytes(&cfg, (oct_frame_kind)(*kind >> 1));
      kinds[*kind >> 1]++;
      *kind ^= 1;
      if (!replay(params, &x, s.bytes, s.n_bytes).is_damaged)
        fail_msg("%s: mark %zu of an odd kind passes", settings[m], i);
      *kind ^= 1;
      for (unsigned byte = OCT_MARK_ONES; byte < n_bytes; byte++) {
        mark[byte] ^= 128;
        if (!replay(params, &x, s.bytes, s.n_bytes).is_damaged)
          fail_msg("%s: the top bit of byte %u of mark %zu passes", settings[m], byte, i);
        mark[byte] ^= 128;
      }
    }
    assert_true(kinds[OCT_FRAME_SYNC] && kinds[OCT_FRAME_FLUSH]);
    assert_true(kinds[OCT_FRAME_OVERFLOW] + kinds[OCT_FRAME_OVERFLOW_CUT]);
    free(s.bytes);
    free_test_trace(&x);
  }
}

/* A mark of a number that is too large by one: of the instruction before it nobody knows whether it
 * is whole. */
static void last_before_no_mark(void **state) {
  (void)state;
  test_trace x = random_test_trace(32, 4, INSNS);
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  fit_params(t, "sync_insns=50,check=0", &x, params);
  test_stream s = encode_whole(t, params, &x, NULL, 0);
  size_t at[MARKS_MAX], n = find_marks(&s, at);
  assert_true(n > 5);
  for (size_t i = 1; i < n; i++) {
    uint8_t *number = s.bytes + at[i] + OCT_MARK_ONES + 1;
    uint64_t insns = number[0] + 128u * number[1];
    if (number[0] == 127) continue; /* the next byte would change, too */
    number[0]++;
    found f = replay(params, &x, s.bytes, s.n_bytes);
    number[0]--;
    assert_true(f.is_damaged);
    if (f.first_gap != insns - 1)
      fail_msg("mark %zu: %llu instructions came before it, of %llu", i,
               (unsigned long long)f.first_gap, (unsigned long long)insns);
  }
  free(s.bytes);
  free_test_trace(&x);
}

static void zeros_at_end(void **state) {
  (void)state;
  test_trace x = random_test_trace(32, 4, INSNS);
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  fit_params(t, "sync_insns=50", &x, params);
  test_stream s = encode_whole(t, params, &x, NULL, 0);
  uint8_t *bytes = calloc(1, s.n_bytes + 2 * ZEROS_MAX);
  assert_non_null(bytes);
  memcpy(bytes, s.bytes, s.n_bytes);
  for (size_t zeros = 0; zeros < 2 * ZEROS_MAX; zeros++)
    if (replay(params, &x, bytes, s.n_bytes + zeros).is_damaged != (zeros > ZEROS_MAX))
      fail_msg("%zu zero bytes behind the last flush", zeros);
  for (size_t n = 1; n <= ZEROS_MAX; n++)
    for (size_t bit = 0; bit < 8 * n; bit++) {
      uint8_t *byte = &bytes[s.n_bytes + bit / 8];
      *byte = (uint8_t)(1 << bit % 8);
      if (!replay(params, &x, bytes, s.n_bytes + n).is_damaged)
        fail_msg("bit %zu of %zu bytes behind the last flush is set", bit, n);
      *byte = 0;
    }
  free(bytes);
  free(s.bytes);
  free_test_trace(&x);
}

int main(void) {
  seed_random("marks");
  const struct CMUnitTest tests[] = {cmocka_unit_test(bits_that_stand),
                                     cmocka_unit_test(last_before_no_mark),
                                     cmocka_unit_test(zeros_at_end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
