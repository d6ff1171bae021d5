/* SPDX-License-Identifier: Apache-2.0 */
/* test_round_trip.c - does every trace come back, whole and in parts, whatever it holds and however
 * it is compressed? */
#include "events_util.h"

#include "oct_ev_sink.h"

enum { FUNCTIONS = 12, DEPTH = 6 };

/* A thread that runs random programs: a tree of calls by number, always the same for a number. */
typedef struct thread {
  uint64_t time;
  uint32_t location;
} thread;

static void call(events *t, thread *th, uint32_t program, uint32_t depth, int noise) {
  uint32_t function = program % FUNCTIONS;
  th->time += 5 + below32(3);
  if (noise && !below32(200)) th->time += below32(5000);
  add_event(t, th->time, th->location, function, OCT_EV_ENTER, NULL);
  if (noise && !below32(50)) add_event(t, th->time, th->location, 0, OCT_EV_OTHER, "message");
  uint32_t n = depth < DEPTH ? program / 7 % 4 : 0;
  for (uint32_t i = 0; i < n; i++) call(t, th, program * 31 + i % 2 * 17 + 1, depth + 1, noise);
  th->time += 10 + below32(4);
  if (noise && !below32(500)) return; /* its leave is lost */
  add_event(t, th->time, th->location, function, OCT_EV_LEAVE, NULL);
  if (noise && !below32(500))
    add_event(t, th->time, th->location, below32(FUNCTIONS), OCT_EV_LEAVE, NULL);
}

static void make_trace(events *t, uint32_t locations, uint32_t calls, int noise) {
  thread th[8];
  memset(t, 0, sizeof *t);
  name_all(t, FUNCTIONS, locations);
  for (uint32_t i = 0; i < locations; i++) th[i] = (thread){1000 + below32(1000), i};
  for (uint32_t i = 0; i < calls; i++) {
    uint32_t location = below32(locations);
    call(t, &th[location], below32(8) ? below32(3) : below32(5000), 0, noise);
  }
}

static int by_time(const void *a, const void *b) {
  const oct_ev_record *x = a, *y = b;
  return x->time_ticks < y->time_ticks ? -1 : x->time_ticks > y->time_ticks;
}

static void random_params(oct_ev_params *p) {
  static const uint32_t orders[] = {0, 2, 3, 4, 10, 64, 256, 4000, 65536};
  oct_ev_params_init(p, 0);
  p->max_order = orders[below32(9)];
  p->t_abs_ticks = below32(3) ? below32(30) : 0;
  p->t_rel_ppm = below32(3) ? below32(500000) : 0;
  p->max_corrections = below32(12);
  p->keep_all = !below32(4);
  p->buffer_events = below32(2) ? 1024 : 1u << 20;
}

static void test_random(void **state) {
  (void)state;
  seed_random("random");
  for (int i = 0; i < 60; i++) {
    if (is_left_out()) continue;
    events t;
    oct_ev_params p;
    oct_ev_counts counts;
    oct_ev_reader *r;
    oct_diag diag = {0};
    uint32_t locations = 1 + below32(5);
    make_trace(&t, locations, below32(600), i % 2);
    random_params(&p);
    file_bytes f = compress_events(&t, &p, &counts);
    assert_int_equal(oct_ev_reader_open_memory(f.p, f.n, 0, &r, &diag), 0);
    assert_records(r, &t, 0, UINT64_MAX, -1, 0);
    assert_memory_equal(oct_ev_reader_counts(r), &counts, sizeof counts);
    if (!p.keep_all) assert_true(oct_ev_size_after(&counts) <= oct_ev_size_before(&counts));
    oct_ev_reader_close(r);
    free(f.p);
    free_events(&t);
  }
}

/* Each time difference of a lossy file is within the thresholds, and each time stamp in the bound
 * of the drift. */
static void check_lossy(oct_ev_reader *r, const events *t, const oct_ev_params *p) {
  uint64_t before[8], before_decoded[8];
  size_t at[8] = {0};
  int seen[8] = {0};
  oct_ev_record got;
  oct_diag diag = {0};
  while (oct_ev_reader_next(r, &got, &diag) > 0) {
    uint32_t l = got.location;
    while (t->r[at[l]].location != l) at[l]++;
    const oct_ev_record *want = &t->r[at[l]++];
    assert_int_equal(got.kind, want->kind);
    if (got.kind == OCT_EV_OTHER) continue;
    assert_int_equal(got.function, want->function);
    uint64_t a = want->time_ticks, b = got.time_ticks;
    assert_true((a > b ? a - b : b - a) <= (seen[l] ? p->drift_ticks : 0));
    if (seen[l]) {
      uint64_t d = a - before[l], e = b - before_decoded[l], off = d > e ? d - e : e - d;
      assert_true(e < UINT64_MAX / 2); /* never back */
      assert_true(off <= p->t_abs_ticks || (double)off * 1e6 <= (double)e * p->t_rel_ppm);
    }
    seen[l] = 1;
    before[l] = a;
    before_decoded[l] = b;
  }
  assert_int_equal(diag.error, 0);
}

static void test_lossy(void **state) {
  (void)state;
  seed_random("lossy");
  for (int i = 0; i < 60; i++) {
    if (is_left_out()) continue;
    events t;
    oct_ev_params p;
    oct_ev_counts counts;
    oct_ev_reader *r;
    oct_diag diag = {0};
    uint32_t locations = 1 + below32(5);
    make_trace(&t, locations, below32(600), i % 2);
    random_params(&p);
    p.lossy = 1;
    p.drift_ticks = below32(200);
    file_bytes f = compress_events(&t, &p, &counts);
    assert_int_equal(oct_ev_reader_open_memory(f.p, f.n, 0, &r, &diag), 0);
    assert_int_equal(oct_ev_reader_params(r)->lossy, 1);
    check_lossy(r, &t, &p);
    if (!p.keep_all) assert_true(oct_ev_size_after(&counts) <= oct_ev_size_before(&counts));
    assert_true(counts.max_drift_ticks <= p.drift_ticks);
    oct_ev_reader_select(r, 0, UINT64_MAX, NULL, &diag);
    assert_records(r, &t, 0, UINT64_MAX, -1, 1);
    oct_ev_reader_close(r);
    free(f.p);
    free_events(&t);
  }
}

static void test_parts(void **state) {
  (void)state;
  seed_random("parts");
  events t;
  oct_ev_params p;
  oct_ev_reader *r;
  oct_diag diag = {0};
  make_trace(&t, 4, 60000, 0);
  qsort(t.r, t.n, sizeof *t.r, by_time); /* no two of a thread at one time, without noise */
  oct_ev_params_init(&p, 0);
  p.buffer_events = 100000;
  file_bytes f = compress_events(&t, &p, NULL);
  uint64_t first = t.r[0].time_ticks, span = t.r[t.n - 1].time_ticks - first;
  for (int i = 0; i < 30; i++) {
    if (is_left_out()) continue;
    assert_int_equal(oct_ev_reader_open_memory(f.p, f.n, 0, &r, &diag), 0);
    uint64_t opened = oct_ev_reader_bytes_read(r);
    assert_true(opened < f.n / 50);
    uint64_t from = first + span / 1000 * below32(1000);
    uint64_t to = from + span / 1000;
    uint8_t chosen[4] = {0};
    uint32_t location = below32(4);
    chosen[location] = 1;
    int one = i % 2;
    assert_int_equal(oct_ev_reader_select(r, from, to, one ? chosen : NULL, &diag), 0);
    assert_records(r, &t, from, to, one ? (int64_t)location : -1, 0);
    /* A thousandth of the time touches at most two chunks of the thread and the definitions that
     * these need: 9 % of the file, 17 % where the two are of two segments; a thread whole has 25 %
     * and its definitions. */
    if (one) assert_true(oct_ev_reader_bytes_read(r) < f.n / 5);
    oct_ev_reader_close(r);
  }
  free(f.p);
  free_events(&t);
}

static void test_deep(void **state) {
  enum { DEEP = 1000000 };
  static const uint32_t orders[] = {2, 256, 65536};
  (void)state;
  for (int i = 0; i < 3; i++) {
    events t = {0};
    oct_ev_params p;
    oct_ev_counts counts;
    oct_ev_reader *r;
    oct_diag diag = {0};
    name_all(&t, 2, 1);
    for (uint32_t k = 0; k < DEEP; k++) add_event(&t, 3 * k, 0, k % 2, OCT_EV_ENTER, NULL);
    for (uint32_t k = DEEP; k-- > 0;)
      add_event(&t, 3 * DEEP + 2 * (DEEP - k), 0, k % 2, OCT_EV_LEAVE, NULL);
    oct_ev_params_init(&p, 0);
    p.max_order = orders[i];
    file_bytes f = compress_events(&t, &p, &counts);
    assert_int_equal(counts.open_enters + counts.stray_leaves + counts.lost_leaves, 0);
    assert_int_equal(oct_ev_reader_open_memory(f.p, f.n, 0, &r, &diag), 0);
    assert_records(r, &t, 0, UINT64_MAX, -1, 0);
    oct_ev_reader_close(r);
    free(f.p);
    free_events(&t);
  }
}

static void test_unbalanced(void **state) {
  events t = {0};
  oct_ev_params p;
  oct_ev_counts counts;
  oct_ev_reader *r;
  oct_diag diag = {0};
  (void)state;
  name_all(&t, 4, 2);
  add_event(&t, 1, 0, 1, OCT_EV_LEAVE, NULL); /* no enter: the recording began inside */
  add_event(&t, 2, 0, 0, OCT_EV_ENTER, NULL);
  add_event(&t, 3, 0, 1, OCT_EV_ENTER, NULL);
  add_event(&t, 4, 0, 2, OCT_EV_ENTER, NULL); /* its leave is missing */
  add_event(&t, 4, 0, 0, OCT_EV_OTHER, "longjmp");
  add_event(&t, 5, 0, 1, OCT_EV_LEAVE, NULL);
  add_event(&t, 5, 1, 3, OCT_EV_ENTER, NULL); /* cut off */
  add_event(&t, 6, 0, 3, OCT_EV_LEAVE, NULL); /* entered in the other thread only */
  add_event(&t, 7, 0, 3, OCT_EV_ENTER, NULL); /* cut off, and the call around it */
  oct_ev_params_init(&p, 0);
  file_bytes f = compress_events(&t, &p, &counts);
  assert_int_equal(counts.stray_leaves, 2);
  assert_int_equal(counts.lost_leaves, 1);
  assert_int_equal(counts.open_enters, 3);
  assert_int_equal(counts.events, 8);
  assert_int_equal(counts.others, 1);
  assert_int_equal(oct_ev_reader_open_memory(f.p, f.n, 0, &r, &diag), 0);
  assert_records(r, &t, 0, UINT64_MAX, -1, 0);
  oct_ev_reader_close(r);
  free(f.p);
  free_events(&t);
}

static void test_empty_and_others_only(void **state) {
  oct_ev_params p;
  (void)state;
  for (int others = 0; others < 2; others++) {
    events t = {0};
    oct_ev_counts counts;
    oct_ev_reader *r;
    oct_diag diag = {0};
    name_all(&t, 1, 1);
    for (uint64_t i = 0; others && i < 5000; i++)
      add_event(&t, i * i, 0, 0, OCT_EV_OTHER, "a record of its own kind");
    oct_ev_params_init(&p, 0);
    file_bytes f = compress_events(&t, &p, &counts);
    assert_int_equal(oct_ev_reader_open_memory(f.p, f.n, 0, &r, &diag), 0);
    assert_records(r, &t, 0, UINT64_MAX, -1, 0);
    oct_ev_reader_close(r);
    free(f.p);
    free_events(&t);
  }
}

/* Functions that a reader of lines would not find again are refused, also those met late. */
static void test_functions_text_cannot_hold(void **state) {
  static const char *const bad[] = {"a\nb", " a", "\ta", "a\r", ""};
  (void)state;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    oct_ev_defs defs = {0};
    oct_ev_sink *s;
    oct_diag diag = {0};
    const oct_ev_record record = {.time_ticks = 1, .kind = OCT_EV_ENTER};
    assert_int_equal(oct_ev_defs_function(&defs, "f g", 3, 0), 0);
    assert_int_equal(oct_ev_defs_location(&defs, "t", 1, "p", 0), 0);
    assert_int_equal(oct_ev_sink_open("/dev/null", OCT_EV_FORMAT_TEXT, &defs, NULL, &s, &diag), 0);
    assert_int_equal(oct_ev_sink_put(s, &record, 1, &diag), 0);
    assert_int_equal(oct_ev_defs_function(&defs, bad[i], strlen(bad[i]), 1), 1);
    assert_int_equal(oct_ev_sink_put(s, &record, 1, &diag), OCT_ERR_UNSUPPORTED);
    assert_non_null(strstr(oct_diag_line(&diag).text, "/dev/null: function 1 "));
    oct_ev_sink_abort(s);
    oct_ev_defs_free(&defs);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_lossy),
      cmocka_unit_test(test_parts),
      cmocka_unit_test(test_deep),
      cmocka_unit_test(test_unbalanced),
      cmocka_unit_test(test_empty_and_others_only),
      cmocka_unit_test(test_functions_text_cannot_hold),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
