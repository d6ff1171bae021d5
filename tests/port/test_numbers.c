/* SPDX-License-Identifier: Apache-2.0 */
/* test_numbers.c - bits flip and bytes are lost in streams without checks, or many come twice, so
 * that numbers in syncs are wrong. No gap is told to be longer than the bytes between can make it,
 * the place of each gap is that of what came before it, and what is not known is left open. An
 * instruction that breaks a rule of the trace costs what stands before the next sync, not the rest
 * of a run. What a stream has lost in front of a sync is a gap, too, and
 * bytes lost in frames cost no more than others. A stream may count any number of instructions, the
 * highest that there is included: no decoder takes one for a mark of its own. */
#include "tracer_util.h"

#include "octrace/container.h"

/* Behind the last sync nothing corrects what came too often. */
enum { INSNS = 20000, PERIOD = 300, ROUNDS = 150, BESIDE = 2 * PERIOD };

/* The gaps of known length that were told, and those of unknown length in *n_open. The undamaged
 * stream has n_bytes; where this one has more, many came twice, and of each instruction behind them
 * it must be told that its number is not known. */
static unsigned check_gaps(const oct_tracer *t, const uint32_t *params, const test_trace *x,
                           const test_stream *s, size_t n_bytes, unsigned *n_open) {
  oct_replay *r;
  oct_decoded out;
  oct_gap gap;
  oct_diag diag = {0};
  uint64_t next = 0;
  unsigned n = 0;
  assert_int_equal(oct_replay_new(t, params, OCT_START_IN_STEP, NULL, &r, &diag), 0);
  assert_int_equal(oct_replay_map(r, x->updates, x->n_updates, &diag), 0);
  assert_int_equal(oct_replay_push(r, s->bytes, s->n_bytes, &diag), 0);
  oct_replay_finish(r);
  while (oct_replay_next(r, &out, &gap, &diag) > 0) {
    assert_true(out.first_insn == next);
    uint64_t end = out.first_insn + out.batch.n_insns;
    if (s->n_bytes > n_bytes && !out.is_uncounted && end > x->n_insns + BESIDE)
      fail_msg("%s: instruction %llu of %zu", t->name, (unsigned long long)end, x->n_insns);
    next += out.batch.n_insns + out.lost_insns;
    if (!out.is_gap) continue;
    assert_true(gap.insn == out.first_insn + out.batch.n_insns);
    *n_open += gap.lost_insns == UINT64_MAX;
    if (gap.lost_insns == UINT64_MAX || !gap.error) continue;
    assert_true(gap.lost_insns <= (uint64_t)2 * PERIOD * (s->n_bytes / 4 + 2));
    n++;
  }
  oct_replay_counts counts;
  oct_replay_get_counts(r, &counts);
  assert_true(counts.insns + counts.damaged_insns + counts.lost_insns == next);
  oct_replay_free(r);
  return n;
}

static void spoil(const char *name, const char *settings, const test_trace *x) {
  const oct_tracer *t = oct_tracer_find(name);
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  fit_params(t, settings, x, params);
  test_stream s = encode_whole(t, params, x, NULL, 0);
  unsigned n = 0, n_open = 0;
  uint8_t *bytes = malloc(2 * s.n_bytes);
  assert_non_null(bytes);
  for (unsigned i = 0; i < ROUNDS; i++) {
    test_stream spoilt = {.bytes = bytes, .n_bytes = s.n_bytes};
    memcpy(bytes, s.bytes, s.n_bytes);
    for (unsigned k = 0; k < 1 + i % 4 && i % 3 != 1; k++)
      bytes[below(s.n_bytes)] ^= (uint8_t)(1u << below(8));
    if (i % 3 == 0) { /* and a byte is lost */
      size_t at = below(s.n_bytes);
      memmove(bytes + at, bytes + at + 1, s.n_bytes - at - 1);
      spoilt.n_bytes--;
    } else if (i % 3 == 1) { /* or, alone, many come twice */
      size_t block = s.n_bytes / 4 + below(s.n_bytes / 4), at = below(s.n_bytes - block);
      memmove(bytes + at + block, bytes + at, s.n_bytes - at);
      spoilt.n_bytes += block;
    }
    n += check_gaps(t, params, x, &spoilt, s.n_bytes, &n_open);
  }
  if (!n) fail_msg("%s,%s: no gap of known length", name, settings);
  printf("%s,%s: %u gaps of known length, %u of unknown\n", name, settings, n, n_open);
  free(bytes);
  free(s.bytes);
}

static void each_tracer(void **state) {
  (void)state;
  test_trace rv = load_test_trace(TEST_SAMPLES "/isa/riscv64.oct", INSNS);
  test_trace x86 = load_test_trace(TEST_SAMPLES "/isa/x86-64.oct", INSNS);
  test_trace a64 = load_test_trace(TEST_SAMPLES "/isa/aarch64.oct", INSNS);
  spoil("etrace", "base,sync_period_insns=300", &rv);
  spoil("etrace", "all,sync_period_insns=300", &rv);
  spoil("etrace", "all,data=0,time_bits=48,sync_period_insns=300", &rv);
  spoil("ntrace", "all,sync_period_insns=300", &rv);
  spoil("intel-pt", "sync_period_insns=300", &x86);
  spoil("etmv4", "sync_period_insns=300", &a64);
  spoil("raw", "sync_period_insns=300", &rv);
  spoil("paper", "sync_period_insns=300,check_bits=0", &a64);
  spoil("shadow", "sync_insns=300,check=0", &a64);
  free_test_trace(&rv);
  free_test_trace(&x86);
  free_test_trace(&a64);
}

/* A loop of four instructions, which leaves 32 bits once. */
static test_trace leaving_trace(const char *isa) {
  enum { LOOP = 0x8000, AT = 7000 };
  const uint64_t far = UINT64_C(1) << 32;
  test_trace x = {.addr_bits = 64, .align_bytes = 4, .n_insns = INSNS, .n_updates = 5};
  snprintf(x.isa, sizeof x.isa, "%s", isa);
  x.insns = calloc(x.n_insns, sizeof *x.insns);
  x.updates = calloc(x.n_updates, sizeof *x.updates);
  assert_true(x.insns && x.updates);
  for (size_t i = 0; i < x.n_updates; i++)
    x.updates[i].entry = (oct_map_entry){.addr = i < 4 ? LOOP + 4 * i : far,
                                         .size_bytes = 4,
                                         .cls = i < 3 ? OCT_CLASS_OTHER : OCT_CLASS_INDIRECT_JUMP};
  for (size_t i = 0; i < x.n_insns; i++) {
    const oct_map_entry *e = &x.updates[i == AT ? 4 : (i - (i > AT)) % 4].entry;
    x.insns[i] = (oct_insn){
        .addr = e->addr, .size_bytes = 4, .flags = (uint8_t)(e->cls << OCT_INSN_CLASS_SHIFT)};
  }
  return x;
}

/* What breaks a rule of the trace costs no more than up to the next sync. */
static void break_rule(const char *name, const char *settings, const char *isa) {
  test_trace x = leaving_trace(isa);
  const oct_tracer *t = oct_tracer_find(name);
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  fit_params(t, settings, &x, params);
  test_stream s = encode_whole(t, params, &x, NULL, 0);
  oct_replay *r;
  oct_decoded out;
  oct_gap gap;
  oct_diag diag = {0};
  assert_int_equal(oct_replay_new(t, params, OCT_START_IN_STEP, NULL, &r, &diag), 0);
  oct_replay_expect(r, 32, 4);
  assert_int_equal(oct_replay_map(r, x.updates, x.n_updates, &diag), 0);
  assert_int_equal(oct_replay_push(r, s.bytes, s.n_bytes, &diag), 0);
  oct_replay_finish(r);
  while (oct_replay_next(r, &out, &gap, &diag) > 0)
    for (size_t i = 0; i < out.batch.n_insns; i++) assert_true(!(out.batch.insns[i].addr >> 32));
  oct_replay_counts counts;
  oct_replay_get_counts(r, &counts);
  printf("%s,%s: %u of %u instructions lost\n", name, settings, (unsigned)(INSNS - counts.insns),
         INSNS);
  assert_true(counts.insns < INSNS && counts.insns >= INSNS - PERIOD - 64);
  assert_true(counts.damages == 1 && counts.insns + counts.damaged_insns == INSNS);
  oct_replay_free(r);
  free(s.bytes);
  free_test_trace(&x);
}

static void broken_rules(void **state) {
  (void)state;
  break_rule("etrace", "all,sync_period_insns=300", "riscv64");
  break_rule("ntrace", "all,sync_period_insns=300", "riscv64");
  break_rule("intel-pt", "sync_period_insns=300", "x86-64");
  break_rule("etmv4", "sync_period_insns=300", "aarch64");
  break_rule("raw", "sync_period_insns=300", "riscv64");
  break_rule("paper", "sync_period_insns=300,check_bits=0,addr_bits=40", "aarch64");
  break_rule("shadow", "sync_insns=300,check=0", "aarch64");
}

/* A replay that is to end at damage says which. */
static void end_late(const oct_tracer *t, const uint32_t *params, const test_trace *x,
                     const uint8_t *bytes, size_t n_bytes) {
  const oct_replay_options strict = {.ends_at_damage = true};
  oct_replay *r;
  oct_decoded out;
  oct_gap gap;
  oct_diag diag = {0};
  assert_int_equal(oct_replay_new(t, params, OCT_START_IN_STEP, &strict, &r, &diag), 0);
  assert_int_equal(oct_replay_map(r, x->updates, x->n_updates, &diag), 0);
  assert_int_equal(oct_replay_push(r, bytes, n_bytes, &diag), 0);
  oct_replay_finish(r);
  int error = oct_replay_next(r, &out, &gap, &diag);
  assert_true(error < 0 && diag.error == error);
  oct_replay_free(r);
}

/* Bytes in front of a sync are missing: a gap of error, from instruction 0 on. Behind a sync that
 * keeps the tables nothing can come. */
static void begin_late(const char *name, const char *settings, const test_trace *x,
                       bool keeps_tables) {
  const oct_tracer *t = oct_tracer_find(name);
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  fit_params(t, settings, x, params);
  test_stream s = encode_whole(t, params, x, NULL, 0);
  void *packets;
  oct_packet p;
  oct_diag diag = {0};
  unsigned n = 0;
  assert_int_equal(t->packets.create(params, OCT_START_IN_STEP, &packets, &diag), 0);
  if (t->packets.map) assert_int_equal(t->packets.map(packets, x->updates, x->n_updates, &diag), 0);
  assert_int_equal(t->packets.push(packets, s.bytes, s.n_bytes, &diag), 0);
  t->packets.finish(packets);
  while (t->packets.next(packets, &p, &diag) > 0) {
    if (!p.is_sync || !p.bit || p.bit % 8) continue;
    oct_replay *r;
    oct_decoded out;
    oct_gap gap;
    uint64_t n_told = 0;
    assert_int_equal(oct_replay_new(t, params, OCT_START_IN_STEP, NULL, &r, &diag), 0);
    assert_int_equal(oct_replay_map(r, x->updates, x->n_updates, &diag), 0);
    assert_int_equal(oct_replay_push(r, s.bytes + p.bit / 8, s.n_bytes - p.bit / 8, &diag), 0);
    oct_replay_finish(r);
    while (oct_replay_next(r, &out, &gap, &diag) > 0) {
      if (out.batch.n_insns && !n_told) fail_msg("%s: instructions before the gap", name);
      if (gap.error && !gap.insn) n_told = gap.lost_insns;
    }
    oct_replay_counts counts;
    oct_replay_get_counts(r, &counts);
    assert_true(n_told && counts.damages == 1);
    if (keeps_tables)
      assert_true(n_told == UINT64_MAX && !counts.insns);
    else
      assert_true(counts.damaged_insns == n_told && n_told + counts.insns == x->n_insns);
    oct_replay_free(r);
    end_late(t, params, x, s.bytes + p.bit / 8, s.n_bytes - p.bit / 8);
    n++;
  }
  if (!n) fail_msg("%s,%s: no sync begins with a byte", name, settings);
  printf("%s,%s: %u beginnings\n", name, settings, n);
  t->packets.destroy(packets);
  free(s.bytes);
}

static void late_beginnings(void **state) {
  (void)state;
  test_trace x = load_test_trace(TEST_SAMPLES "/isa/aarch64.oct", INSNS);
  begin_late("paper", "sync_period_insns=300", &x, false);
  begin_late("shadow", "sync_insns=300", &x, false);
  begin_late("shadow", "sync_insns=300,sync_keeps=1", &x, true);
  free_test_trace(&x);
}

/* The first bytes, or some in the middle, are missing in frames, which then begin elsewhere: that
 * is told, and costs no more than up to the next sync. */
static void lost_frames(void **state) {
  (void)state;
  enum { MOST = 40, LOST_MOST = 3 * PERIOD };
  test_trace x = load_test_trace(TEST_SAMPLES "/isa/aarch64.oct", INSNS);
  const oct_tracer *t = oct_tracer_find("etmv4");
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  fit_params(t, "sync_period_insns=300", &x, params);
  test_stream s = encode_whole(t, params, &x, NULL, 0);
  for (size_t n = 1; n <= MOST; n++) {
    const size_t at = n % 2 ? 0 : below(s.n_bytes - MOST);
    oct_replay *r;
    oct_decoded out;
    oct_gap gap;
    oct_diag diag = {0};
    unsigned n_told = 0;
    assert_int_equal(oct_replay_new(t, params, OCT_START_IN_STEP, NULL, &r, &diag), 0);
    assert_int_equal(oct_replay_map(r, x.updates, x.n_updates, &diag), 0);
    assert_int_equal(oct_replay_push(r, s.bytes, at, &diag), 0);
    assert_int_equal(oct_replay_push(r, s.bytes + at + n, s.n_bytes - at - n, &diag), 0);
    oct_replay_finish(r);
    while (oct_replay_next(r, &out, &gap, &diag) > 0) n_told += gap.error != 0;
    oct_replay_counts counts;
    oct_replay_get_counts(r, &counts);
    if (!n_told || counts.insns + LOST_MOST < x.n_insns)
      fail_msg("%zu bytes lost at %zu: %u gaps, %llu of %zu instructions", n, at, n_told,
               (unsigned long long)counts.insns, x.n_insns);
    oct_replay_free(r);
  }
  free(s.bytes);
  free_test_trace(&x);
}

/* In what an encoder holds, put another number for that of the instructions that came. */
static void renumber(const oct_tracer *t, void *e, uint64_t from, uint64_t to) {
  memory_state m = {.io.move = memory_state_save};
  unsigned n = 0;
  t->encoder.state(e, &m.io);
  for (size_t at = 0; at + sizeof from <= m.n; at++) {
    if (memcmp(m.bytes + at, &from, sizeof from) != 0) continue;
    memcpy(m.bytes + at, &to, sizeof to);
    n++;
  }
  if (!n) fail_msg("%s: an encoder does not count its instructions", t->name);
  m.io.move = memory_state_restore;
  t->encoder.state(e, &m.io);
  assert_int_equal(m.io.error, 0);
  free(m.bytes);
}

/* Follow a stream to its end: no sync's number is above what a trace can have, and none passes for
 * the mark of a port without checks. */
static void follow(const oct_tracer *t, const uint32_t *params, const test_trace *x,
                   oct_decoder_start start, const uint8_t *bytes, size_t n_bytes) {
  int check = oct_tracer_param(t, "check_bits");
  if (check < 0) check = oct_tracer_param(t, "check");
  const bool has_checks = check >= 0 && params[check];
  oct_replay *r;
  oct_decoded out;
  oct_gap gap;
  oct_diag diag = {0};
  int got;
  assert_int_equal(oct_replay_new(t, params, start, NULL, &r, &diag), 0);
  assert_int_equal(oct_replay_map(r, x->updates, x->n_updates, &diag), 0);
  assert_int_equal(oct_replay_push(r, bytes, n_bytes, &diag), 0);
  oct_replay_finish(r);
  while ((got = oct_replay_next(r, &out, &gap, &diag)) > 0) {
    assert_true(out.first_insn + out.batch.n_insns <= OCT_INSN_NUMBER_MAX + (uint64_t)x->n_insns);
    assert_true(!has_checks || out.confirmed_insns != UINT64_MAX);
  }
  oct_replay_free(r);
}

static void count_from(const char *name, const char *settings, const char *sample) {
  enum { FIRST = 4999, NEAR = 2 };
  char path[1024];
  snprintf(path, sizeof path, "%s/isa/%s.oct", TEST_SAMPLES, sample);
  test_trace x = load_test_trace(path, 2 * FIRST);
  const oct_tracer *t = oct_tracer_find(name);
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  fit_params(t, settings, &x, params);
  const uint64_t numbers[] = {0,          FIRST,      OCT_INSN_NUMBER_MAX,
                              UINT32_MAX, UINT64_MAX, UINT64_MAX >> 22};
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
    for (uint64_t number = numbers[i] - NEAR; number != numbers[i] + NEAR + 1; number++) {
      const oct_run_options run = {.engine = OCT_ENGINE_UNTIMED};
      test_stream s = {0};
      oct_diag diag = {0};
      void *e;
      assert_int_equal(t->encoder.create(params, &run, &e, &diag), 0);
      encode_part(t, e, &x, 0, FIRST, &s);
      assert_int_equal(t->encoder.flush(e, &diag), 0);
      take_bytes(t, e, &s);
      size_t n_first = s.n_bytes;
      renumber(t, e, FIRST, number);
      encode_part(t, e, &x, FIRST, x.n_insns, &s);
      (void)t->encoder.flush(e, &diag); /* it need not like the number either */
      take_bytes(t, e, &s);
      t->encoder.destroy(e);
      follow(t, params, &x, OCT_START_IN_STEP, s.bytes, s.n_bytes);
      follow(t, params, &x, OCT_START_IN_STEP, s.bytes + n_first, s.n_bytes - n_first);
      follow(t, params, &x, OCT_START_SEARCH, s.bytes + n_first, s.n_bytes - n_first);
      free(s.bytes);
    }
  free_test_trace(&x);
}

static void extreme_counts(void **state) {
  (void)state;
  count_from("raw", "sync_period_insns=300", "riscv64");
  count_from("etrace", "all,sync_period_insns=300,time_bits=64", "riscv64");
  count_from("etrace", "base,sync_period_insns=0", "riscv64");
  count_from("ntrace", "all,sync_period_insns=300", "riscv64");
  count_from("intel-pt", "sync_period_insns=300", "x86-64");
  count_from("etmv4", "sync_period_insns=300", "aarch64");
  count_from("paper", "sync_period_insns=300,addr_bits=64", "aarch64");
  count_from("paper", "sync_period_insns=300,addr_bits=64,check_bits=0", "aarch64");
  count_from("shadow", "sync_insns=300", "aarch64");
  count_from("shadow", "sync_insns=300,check=0", "aarch64");
}

int main(void) {
  seed_random("numbers");
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_tracer), cmocka_unit_test(broken_rules),
                                     cmocka_unit_test(late_beginnings),
                                     cmocka_unit_test(lost_frames),
                                     cmocka_unit_test(extreme_counts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
