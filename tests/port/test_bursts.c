/* SPDX-License-Identifier: Apache-2.0 */
/* test_bursts.c - short streams with many marks, from machines that lose instructions and parts of
 * them, damaged by bursts: at each bit every burst of up to so many bits (the argument; 6), and
 * longer ones at random. What is handed out is what the undamaged stream has at its place: also
 * whether an instruction lacks accesses, which no instruction itself says, only the mark behind it.
 * A check of 16 bits finds every short burst, but for one in 2^16 that makes a mark none. */
#include "tracer_util.h"

#include "octrace/container.h"

enum { INSNS = 160, RANDOM_BURSTS = 5000, CHECK_BITS = 16, PARTIAL_MIN = 4 };

typedef struct reference { /* the undamaged stream */
  const oct_tracer *tracer;
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  test_trace trace;
  test_stream stream;
  oct_insn insns[INSNS];
  const oct_access *accesses[INSNS]; /* of each instruction of the trace */
  bool came[INSNS];
  size_t n_partial, n_lost;
} reference;

static uint64_t n_right; /* instructions that came from damaged streams */

static void take_reference(reference *x, const oct_decoded *run) {
  for (size_t i = 0; i < run->batch.n_insns; i++) {
    x->insns[run->first_insn + i] = run->batch.insns[i];
    x->came[run->first_insn + i] = true;
    x->n_partial += (run->batch.insns[i].flags & OCT_INSN_PARTIAL) != 0;
  }
  x->n_lost += run->lost_insns;
}

/* True when all of a run is as the undamaged stream has it. */
static bool is_right(const reference *x, const oct_decoded *run) {
  const oct_access *a = run->batch.accesses;
  for (size_t i = 0; i < run->batch.n_insns; i++) {
    uint64_t at = run->first_insn + i;
    const oct_insn *is = &run->batch.insns[i];
    if (at >= INSNS || !x->came[at]) return false;
    const oct_insn *was = &x->insns[at];
    if (is->addr != was->addr || is->task != was->task || is->n_access != was->n_access ||
        (is->flags ^ was->flags) & OCT_INSN_PARTIAL)
      return false;
    for (unsigned k = 0; k < is->n_access; k++, a++)
      if (a->addr != x->accesses[at][k].addr) return false;
    n_right++;
  }
  return true;
}

/* Hand out all of the stream; false when anything of it is wrong. */
static bool play(reference *x, const uint8_t *bytes, bool is_reference) {
  oct_replay *r;
  oct_diag diag = {0};
  oct_decoded run;
  oct_gap gap;
  bool is_good = true;
  if (oct_replay_new(x->tracer, x->params, OCT_START_IN_STEP, NULL, &r, &diag) ||
      oct_replay_map(r, x->trace.updates, x->trace.n_updates, &diag) ||
      oct_replay_push(r, bytes, x->stream.n_bytes, &diag))
    fail_msg("%s", diag.text);
  oct_replay_finish(r);
  while (oct_replay_next(r, &run, &gap, &diag) > 0) {
    if (is_reference) take_reference(x, &run);
    is_good &= is_right(x, &run);
  }
  oct_replay_free(r);
  return is_good;
}

static void flip(uint8_t *bytes, size_t n_bytes, size_t at, uint64_t burst) {
  for (; burst && at < 8 * n_bytes; burst >>= 1, at++)
    bytes[at / 8] ^= (uint8_t)((burst & 1) << at % 8);
}

static bool burst_passes(reference *x, size_t at, uint64_t burst) {
  flip(x->stream.bytes, x->stream.n_bytes, at, burst);
  bool is_good = play(x, x->stream.bytes, false);
  flip(x->stream.bytes, x->stream.n_bytes, at, burst);
  return !is_good;
}

static void free_stream(reference *x) {
  free_test_trace(&x->trace);
  free(x->stream.bytes);
}

/* A stream that has all of it, with its machine's losses. */
static void make_stream(reference *x, const char *tracer, const char *settings) {
  const oct_run_options run = {
      .engine = OCT_ENGINE_CYCLE, .arrival = OCT_ARRIVAL_CPI, .cpi_milli = 10000};
  oct_diag diag = {0};
  for (;;) {
    memset(x, 0, sizeof *x);
    x->tracer = oct_tracer_find(tracer);
    x->trace = random_test_trace(32, 4, INSNS);
    const oct_access *a = x->trace.accesses;
    for (size_t i = 0; i < INSNS; a += x->trace.insns[i++].n_access) x->accesses[i] = a;
    fit_params(x->tracer, settings, &x->trace, x->params);
    if (encode(x->tracer, x->params, &run, &x->trace, &x->stream, &diag)) fail_msg("%s", diag.text);
    assert_true(play(x, x->stream.bytes, true));
    if (x->n_partial >= PARTIAL_MIN && x->n_lost < INSNS / 2) return;
    free_stream(x);
  }
}

static void damage(const char *tracer, const char *settings, unsigned longest) {
  static reference x;
  size_t n_wrong = 0, n_events = 0;
  make_stream(&x, tracer, settings);
  n_right = 0;
  for (size_t at = 0; at < 8 * x.stream.n_bytes; at++)
    for (uint64_t burst = 1; burst < UINT64_C(1) << longest; burst += 2, n_events++)
      n_wrong += burst_passes(&x, at, burst);
  for (unsigned i = 0; i < RANDOM_BURSTS; i++) {
    unsigned n = CHECK_BITS + 1 + (unsigned)below(64 - CHECK_BITS);
    uint64_t ends = UINT64_C(1) << (n - 1) | 1, burst = (random_u64() & (ends - 1)) | ends;
    n_wrong += burst_passes(&x, (size_t)below(8 * x.stream.n_bytes), burst);
  }
  n_events += RANDOM_BURSTS;
  printf(
      "%s: %s: %zu bytes, %zu instructions lost, %zu lack accesses; %zu of %zu bursts gave "
      "wrong ones\n",
      tracer, settings, x.stream.n_bytes, x.n_lost, x.n_partial, n_wrong, n_events);
  assert_true(n_wrong <= 4 + 2 * (n_events >> CHECK_BITS));
  assert_true(n_right > 0);
  free_stream(&x);
}

static unsigned longest_burst = 6;

static void bursts(void **state) {
  (void)state;
  damage("shadow",
         "port_pins=16,out_fifo_bytes=32,queue_words=32,gather_insns=8,gather_accesses=4,"
         "sync_insns=40",
         longest_burst);
  damage("paper", "port_pins=2,out_fifo_bytes=32,data_fifo_depth=2,sync_period_insns=40",
         longest_burst);
}

int main(int argc, char **argv) {
  if (argc > 1) longest_burst = (unsigned)strtoul(argv[1], NULL, 10);
  seed_random("bursts");
  const struct CMUnitTest tests[] = {cmocka_unit_test(bursts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
