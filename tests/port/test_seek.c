/* SPDX-License-Identifier: Apache-2.0 */
/* test_seek.c - a player that need not hand out the first instructions goes to a sync near the
 * wanted one, and gives from there what the trace has. That it decodes nothing before is seen by a
 * wrong bit in the first period. Where numbers of the stream are not those of the trace, it goes
 * nowhere. */
#include "tracer_util.h"

#include <unistd.h>

#include "octrace/container.h"

enum { LEFT_MAX_BYTES = 5 << 15 }; /* of port bits that may be decoded before the wanted place */

static void write_container(const char *path, const oct_tracer *t, const uint32_t *params,
                            const test_trace *x, const test_stream *s, uint64_t lost_insns) {
  const oct_container_info info = {
      .isa = x->isa, .addr_bits = x->addr_bits, .insn_align_bytes = x->align_bytes};
  const oct_container_totals totals = {
      .insns = x->n_insns, .accesses = x->n_accesses, .lost_insns = lost_insns};
  oct_container_writer *w;
  oct_diag diag = {0};
  if (oct_container_create(path, t, params, &info, &w, &diag) ||
      oct_container_put_map(w, x->updates, x->n_updates, &diag) ||
      oct_container_put_bits(w, s->bytes, s->n_bytes, &diag) ||
      oct_container_commit(w, &totals, &diag))
    fail_msg("%s", oct_diag_line(&diag).text);
}

/* Leave out what may be of n instructions, and hold all others against the trace. How many were
 * left out. */
static uint64_t seek(const char *path, const oct_tracer *t, const uint32_t *params,
                     const test_trace *x, uint64_t n) {
  const oct_replay_options options = {.ends_at_damage = true};
  const oct_access *expected = x->accesses;
  oct_player p;
  oct_decoded run;
  oct_gap gap;
  oct_diag diag = {0};
  uint64_t next, passed;
  int got;
  if (oct_player_open(&p, path, 0, 0, NULL, &options, &diag) ||
      oct_player_seek(&p, n, &passed, &diag))
    fail_msg("%s", oct_diag_line(&diag).text);
  next = 0;
  while ((got = oct_player_next(&p, &run, &gap, &diag)) > 0) {
    if (passed && !next && run.batch.n_insns) assert_int_equal(run.first_insn, passed);
    compare_run(t, params, x, &run, &next, &expected);
  }
  oct_player_close(&p);
  if (got) fail_msg("%s", oct_diag_line(&diag).text);
  assert_int_equal(next, x->n_insns);
  return passed;
}

static void seek_in(const char *name, const char *settings, const char *sample, bool has_syncs) {
  char source[1024], path[] = "/tmp/oct_seek_XXXXXX";
  snprintf(source, sizeof source, "%s/%s.oct", TEST_SAMPLES, sample);
  const oct_tracer *t = oct_tracer_find(name);
  test_trace x = load_test_trace(source, UINT64_MAX);
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  fit_params(t, settings, &x, params);
  test_stream s = encode_whole(t, params, &x, NULL, 0);
  const uint64_t left_max = x.n_insns * LEFT_MAX_BYTES / s.n_bytes;
  assert_true(s.n_bytes > LEFT_MAX_BYTES);
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  write_container(path, t, params, &x, &s, 0);
  const uint64_t last = seek(path, t, params, &x, x.n_insns - 1);
  assert_true(has_syncs ? last && last + left_max > x.n_insns : !last);
  const uint64_t places[] = {0, 1, x.n_insns / 2, last, last + 1, x.n_insns, UINT64_MAX};
  for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
    const uint64_t passed = seek(path, t, params, &x, places[i]);
    assert_true(passed <= places[i] - (places[i] != 0));
    assert_true(!has_syncs || places[i] > x.n_insns || passed + left_max > places[i]);
  }
  if (has_syncs) {
    s.bytes[200] ^= 8;
    write_container(path, t, params, &x, &s, 0);
    assert_int_equal(seek(path, t, params, &x, x.n_insns - 1), last);
    s.bytes[200] ^= 8;
    write_container(path, t, params, &x, &s, 1);
    oct_player p;
    uint64_t passed;
    oct_diag diag = {0};
    const oct_replay_options options = {.ends_at_damage = true};
    assert_int_equal(oct_player_open(&p, path, 0, 0, NULL, &options, &diag), 0);
    assert_int_equal(oct_player_seek(&p, x.n_insns, &passed, &diag), 0);
    assert_int_equal(passed, 0);
    oct_player_close(&p);
  }
  unlink(path);
  free(s.bytes);
  free_test_trace(&x);
}

static void by_number(void **state) {
  (void)state;
  seek_in("paper", "sync_period_bits=20000", "stringsearch", true);
  seek_in("paper", "sync_period_bits=0", "stringsearch", false);
  seek_in("paper", "sync_period_bits=20000,check_bits=0", "stringsearch", false);
  seek_in("shadow", "sync_insns=5000", "blowfish", true);
  seek_in("raw", "sync_period_insns=5000", "cjpeg", false);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(by_number)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
