/* SPDX-License-Identifier: Apache-2.0 */
/* test_totals.c - the end chunk is held against what the rest of a container gives: each of its
 * numbers, of traces with and without losses. One that stands elsewhere than at the end is refused;
 * with salvage that is told, and
 * what comes is right. All checksums are valid. */
#include "chunk_sums.h"
#include "tracer_util.h"

#include "octrace/container.h"

enum { INSNS = 400, FIELDS = 4 };
static char path[] = "/tmp/oct_totals_XXXXXX";

/* A container of a random trace, with *totals as what its end says; given NULL, the true ones. */
static oct_container_totals write_container(const oct_tracer *t, const char *settings,
                                            bool has_losses, const test_trace *x,
                                            const oct_container_totals *said) {
  const oct_run_options run = {.engine = has_losses ? OCT_ENGINE_CYCLE : OCT_ENGINE_UNTIMED,
                               .arrival = OCT_ARRIVAL_CPI,
                               .cpi_milli = 1000};
  const oct_container_info info = {
      .command = "test", .insn_align_bytes = x->align_bytes, .addr_bits = x->addr_bits};
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  oct_container_writer *w;
  oct_diag diag = {0};
  test_stream s = {.n_bytes = 0};
  fit_params(t, settings, x, params);
  if (encode(t, params, &run, x, &s, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  oct_container_totals totals = {.insns = x->n_insns, .accesses = x->n_accesses};
  for (unsigned i = 0; i < t->n_counters; i++) {
    if (!strcmp(t->counters[i].name, "lost_insns")) totals.lost_insns = s.counters[i];
    if (!strcmp(t->counters[i].name, "lost_accesses")) totals.lost_accesses = s.counters[i];
  }
  assert_int_equal(oct_container_create(path, t, params, &info, &w, &diag), 0);
  if (t->needs_ops) oct_container_keep_ops(w);
  assert_int_equal(oct_container_put_map(w, x->updates, x->n_updates, &diag), 0);
  assert_int_equal(oct_container_put_bits(w, s.bytes, s.n_bytes, &diag), 0);
  assert_int_equal(oct_container_commit(w, said ? said : &totals, &diag), 0);
  free(s.bytes);
  return totals;
}

typedef struct outcome {
  int result;
  uint64_t insns, lost; /* that came, and that gaps told */
  size_t n_damaged;
} outcome;

static outcome play(bool salvage) {
  const oct_replay_options options = {.is_unconfirmed = false};
  outcome o = {0};
  oct_player p;
  oct_decoded run;
  oct_gap gap;
  oct_diag diag = {0};
  if (oct_player_open(&p, path, 0, 0, NULL, &options, &diag))
    fail_msg("%s", oct_diag_line(&diag).text);
  p.salvage = salvage;
  while ((o.result = oct_player_next(&p, &run, &gap, &diag)) > 0) {
    o.insns += run.batch.n_insns;
    o.lost += run.lost_insns;
  }
  o.n_damaged = p.n_damaged;
  oct_player_close(&p);
  return o;
}

static void each_number(void **state) {
  static const int64_t steps[] = {1, -1, 5, -5, INT64_MIN};
  static const struct {
    const char *tracer, *settings;
    bool has_losses;
  } machines[] = {{"paper", "sync_period_insns=100", false},
                  {"shadow", "sync_insns=100", false},
                  {"paper", "port_pins=1,out_fifo_bytes=32", true},
                  {"shadow", "port_pins=1,out_fifo_bytes=32,queue_words=16,gather_insns=8", true}};
  (void)state;
  for (unsigned m = 0; m < sizeof machines / sizeof *machines; m++) {
    const oct_tracer *t = oct_tracer_find(machines[m].tracer);
    test_trace x = random_test_trace(32, 4, INSNS);
    const oct_container_totals right =
        write_container(t, machines[m].settings, machines[m].has_losses, &x, NULL);
    outcome o = play(false);
    assert_int_equal(o.result, 0);
    assert_int_equal(o.insns + o.lost, INSNS);
    assert_true(machines[m].has_losses == (right.lost_insns != 0));
    for (unsigned f = 0; f < FIELDS; f++)
      for (unsigned k = 0; k < sizeof steps / sizeof *steps; k++) {
        if (is_left_out()) continue;
        oct_container_totals said = right;
        uint64_t *const fields[FIELDS] = {&said.insns, &said.accesses, &said.lost_insns,
                                          &said.lost_accesses};
        *fields[f] += (uint64_t)steps[k];
        write_container(t, machines[m].settings, machines[m].has_losses, &x, &said);
        for (int salvage = 0; salvage < 2; salvage++) {
          o = play(salvage);
          if (o.result != OCT_ERR_FORMAT)
            fail_msg("%s %s: number %u of the end changed by %lld passes", t->name,
                     machines[m].settings, f, (long long)steps[k]);
          assert_int_equal(o.insns + o.lost, INSNS);
        }
      }
    free_test_trace(&x);
  }
}

/* Flip a bit in the middle of the port bits, as a cable would before they were stored. */
static void spoil_bits(size_t n_spoilt) {
  size_t n;
  uint8_t *file = load(path, &n);
  size_t bits = head_bytes(file);
  while (file[bits] != OCT_CONTAINER_BITS)
    bits += OCT_CONTAINER_CHUNK_HEADER_BYTES + oct_get_u32(file + bits + 4);
  uint8_t *middle =
      file + bits + OCT_CONTAINER_CHUNK_HEADER_BYTES + oct_get_u32(file + bits + 4) / 2;
  for (size_t i = 0; i < n_spoilt; i++) middle[i] ^= 4;
  renew_sums(file, n);
  save(path, file, n);
  free(file);
}

/* Damage may cost instructions, but only as many as its gaps tell. */
static void behind_damage(void **state) {
  static const char *const settings[][2] = {{"paper", "sync_period_insns=50"},
                                            {"shadow", "sync_insns=50"}};
  (void)state;
  for (unsigned m = 0; m < 2; m++) {
    const oct_tracer *t = oct_tracer_find(settings[m][0]);
    test_trace x = random_test_trace(32, 4, INSNS);
    for (int more = -3; more <= 3; more++) {
      const oct_container_totals said = {.insns = (uint64_t)(INSNS + more),
                                         .accesses = x.n_accesses};
      write_container(t, settings[m][1], false, &x, &said);
      spoil_bits(1);
      outcome o = play(false);
      assert_true(o.insns < INSNS && o.insns + o.lost == INSNS);
      if (o.result != (more ? OCT_ERR_FORMAT : 0))
        fail_msg("%s: %d more than came pass behind damage", t->name, more);
      if (more) continue;
      /* How many accesses are missing nobody knows; more than instructions can have is wrong. */
      oct_container_totals wide = said;
      wide.accesses = (INSNS + 1) * (uint64_t)OCT_INSN_ACCESSES_MAX;
      write_container(t, settings[m][1], false, &x, &wide);
      spoil_bits(1);
      assert_int_equal(play(false).result, OCT_ERR_FORMAT);
      /* So is more lost than there was. */
      wide = said;
      wide.lost_insns = INSNS + 1;
      write_container(t, settings[m][1], false, &x, &wide);
      spoil_bits(1);
      assert_int_equal(play(false).result, OCT_ERR_FORMAT);
    }
    free_test_trace(&x);
  }
}

/* Where the number of missing instructions is not known, the end may count more than came, but not
 * less. */
static void uncounted_damage(void **state) {
  enum { SPOILT_BYTES = 32 }; /* without checks, damage of a few may pass for other data */
  static const char settings[] = "all,sync_period_insns=50,time_bits=0";
  const oct_tracer *t = oct_tracer_find("etrace");
  test_trace x = load_test_trace(TEST_SAMPLES "/isa/riscv64.oct", 18 * INSNS);
  (void)state;
  write_container(t, settings, false, &x, NULL);
  spoil_bits(SPOILT_BYTES);
  const outcome all = play(false);
  assert_true(all.insns && all.insns + all.lost < x.n_insns && !all.result);
  for (int more = -3; more <= 3; more++) {
    const oct_container_totals said = {.insns = all.insns + all.lost + (uint64_t)more,
                                       .accesses = x.n_accesses};
    write_container(t, settings, false, &x, &said);
    spoil_bits(SPOILT_BYTES);
    if (play(false).result != (more < 0 ? OCT_ERR_FORMAT : 0))
      fail_msg("an end of %d more instructions than came behind damage of unknown length", more);
  }
  free_test_trace(&x);
}

/* Move the end chunk in front of chunk number `to`. */
static void move_end(size_t to) {
  enum { END = OCT_CONTAINER_CHUNK_HEADER_BYTES + OCT_CONTAINER_END_BYTES };
  size_t n;
  uint8_t *file = load(path, &n), end[END];
  memcpy(end, file + n - END, END);
  assert_int_equal(end[0], OCT_CONTAINER_END);
  size_t at = head_bytes(file);
  while (to--) at += OCT_CONTAINER_CHUNK_HEADER_BYTES + oct_get_u32(file + at + 4);
  memmove(file + at + END, file + at, n - END - at);
  memcpy(file + at, end, END);
  renew_sums(file, n);
  save(path, file, n);
  free(file);
}

static void end_elsewhere(void **state) {
  static const char *const tracers[] = {"paper", "shadow"};
  (void)state;
  for (unsigned k = 0; k < 2; k++)
    for (size_t to = 0; to < 2; to++) {
      test_trace x = random_test_trace(32, 4, INSNS);
      const oct_tracer *t = oct_tracer_find(tracers[k]);
      const oct_container_totals none = {.insns = 0};
      for (unsigned is_empty = 0; is_empty < 2; is_empty++) {
        write_container(t, "task_bits=16", false, &x, is_empty ? &none : NULL);
        move_end(to);
        outcome o = play(false);
        assert_int_equal(o.result, OCT_ERR_FORMAT);
        assert_int_equal(o.insns, 0);
        o = play(true);
        assert_true(o.n_damaged || o.result < 0);
        assert_true(o.insns == INSNS || !o.insns);
      }
      free_test_trace(&x);
    }
}

/* Behind the last flush of a stream of paper only zeros may follow, as the last beat of a bus has
 * them, and few. */
static void behind_flush(void **state) {
  enum { ZEROS_MAX = 4 };
  const oct_tracer *t = oct_tracer_find("paper");
  test_trace x = random_test_trace(32, 4, INSNS);
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  (void)state;
  fit_params(t, "sync_period_insns=50", &x, params);
  test_stream s = encode_whole(t, params, &x, NULL, 0);
  uint8_t *bytes = calloc(1, s.n_bytes + 2 * ZEROS_MAX);
  assert_non_null(bytes);
  memcpy(bytes, s.bytes, s.n_bytes);
  for (size_t n = 0; n < 2 * ZEROS_MAX; n++)
    for (size_t bit = 0; bit <= 8 * n; bit++) { /* the last one: none is set */
      test_decoded d = {.start = OCT_START_IN_STEP};
      uint8_t *byte = &bytes[s.n_bytes + bit / 8];
      const bool is_end = bit == 8 * n && n <= ZEROS_MAX;
      if (bit < 8 * n) *byte = (uint8_t)(1 << bit % 8);
      if ((decode(t, params, &x, bytes, s.n_bytes + n, &d) == 0) != is_end)
        fail_msg("%zu bytes behind the last flush, bit %zu", n, bit);
      if (bit < 8 * n) *byte = 0;
    }
  free(bytes);
  free(s.bytes);
  free_test_trace(&x);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_number), cmocka_unit_test(behind_damage),
                                     cmocka_unit_test(uncounted_damage),
                                     cmocka_unit_test(end_elsewhere),
                                     cmocka_unit_test(behind_flush)};
  seed_random("totals");
  int fd = mkstemp(path);
  if (fd < 0) return 1;
  close(fd);
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path);
  return failed;
}
