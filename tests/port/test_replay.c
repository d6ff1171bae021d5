/* SPDX-License-Identifier: Apache-2.0 */
/* test_replay.c - what is held back, confirmed, dropped and told as a gap, step by step: the
 * decoder below plays a script, so that each rule of oct_replay.h stands alone, also those that no
 * stream of a tracer comes to. */
#include "tracer_util.h"

#include "octrace/container.h"

typedef enum step_kind { RUN, FAIL, MORE } step_kind; /* FAIL: then a sync is found at once */

typedef struct step {
  step_kind kind;
  uint64_t first_insn, n_insns, confirmed, lost_insns;
} step;

enum { STEPS_MAX = 16, INSNS_MAX = 100 };
static const step *steps;
static size_t at_step;
static const uint64_t *cycles; /* stamps of the instructions of each step, or NULL */
static const oct_trap *traps;  /* of each run */
static size_t n_traps;
static uint64_t told_insn;      /* what the decoder was told by behind_gap, */
static unsigned told_privilege; /* and by had_privilege */

static int create(const uint32_t *params, oct_decoder_start start, void **d, oct_diag *diag) {
  static char decoder;
  (void)params, (void)start, (void)diag;
  *d = &decoder;
  return 0;
}

static void destroy(void *d) {
  (void)d;
}

static int map(void *d, const oct_map_update *updates, size_t n, oct_diag *diag) {
  (void)d, (void)updates, (void)n, (void)diag;
  return 0;
}

static int push(void *d, const uint8_t *bytes, size_t n, oct_diag *diag) {
  (void)d, (void)bytes, (void)n, (void)diag;
  return 0;
}

static void finish(void *d) {
  (void)d;
}

static int next(void *d, oct_decoded *out, oct_diag *diag) {
  static oct_insn insns[INSNS_MAX];
  const step *s = &steps[at_step];
  (void)d;
  memset(out, 0, sizeof *out);
  if (s->kind == MORE) return 0;
  if (s->kind == FAIL) return oct_fail(diag, OCT_ERR_PACKET, "bit %zu: step", at_step);
  assert_true(s->n_insns <= INSNS_MAX);
  for (size_t i = 0; i < s->n_insns; i++)
    insns[i] = (oct_insn){.addr = 4 * (s->first_insn + i),
                          .size_bytes = 4,
                          .cycle = cycles ? cycles[at_step] : 0,
                          .flags = cycles ? OCT_INSN_HAS_CYCLE : 0};
  out->batch.insns = insns;
  out->batch.n_insns = s->n_insns;
  out->batch.traps = traps;
  out->batch.n_traps = n_traps;
  out->first_insn = s->first_insn;
  out->confirmed_insns = s->confirmed;
  out->is_gap = s->lost_insns != 0;
  out->lost_insns = s->lost_insns;
  at_step++;
  return 1;
}

static int resync(void *d, oct_diag *diag) {
  (void)d, (void)diag;
  if (steps[at_step].kind == FAIL) at_step++;
  return 1;
}

static void counts(const void *d, oct_decoder_counts *c) {
  (void)d;
  *c = (oct_decoder_counts){.syncs = 1, .bit_offset = 100 * at_step};
}

static void behind_gap(void *d, uint64_t insn) {
  (void)d;
  told_insn = insn;
}

static void had_privilege(void *d, unsigned privilege) {
  (void)d;
  told_privilege = privilege;
}

static const oct_tracer scripted = {.name = "scripted",
                                    .decoder = {.create = create,
                                                .destroy = destroy,
                                                .map = map,
                                                .push = push,
                                                .finish = finish,
                                                .next = next,
                                                .resync = resync,
                                                .counts = counts,
                                                .behind_gap = behind_gap,
                                                .had_privilege = had_privilege}};

/* Play a script; what comes, as text: "FIRST+COUNT" of each run, "-LOST" of each gap that the
 * tracer told, "!LOST" of each of damage ("!?" for a number that is not known). */
static const char *play(const step *script, bool is_finished) {
  static char text[400];
  const uint32_t no_params[1] = {0};
  oct_replay *r;
  oct_diag diag = {0};
  oct_decoded run;
  oct_gap gap;
  size_t n = 0;
  int got;
  steps = script;
  at_step = 0;
  assert_int_equal(oct_replay_new(&scripted, no_params, OCT_START_IN_STEP, NULL, &r, &diag), 0);
  oct_replay_expect(r, 64, 4);
  if (is_finished) oct_replay_finish(r);
  text[0] = '\0';
  while ((got = oct_replay_next(r, &run, &gap, &diag)) > 0) {
    for (size_t i = 0; i < run.batch.n_insns; i++)
      assert_int_equal(run.batch.insns[i].addr, 4 * (run.first_insn + i));
    if (run.batch.n_insns)
      n += (size_t)snprintf(text + n, sizeof text - n, "%llu+%zu ",
                            (unsigned long long)run.first_insn, run.batch.n_insns);
    if (!run.is_gap) continue;
    n += gap.lost_insns == UINT64_MAX
             ? (size_t)snprintf(text + n, sizeof text - n, "%c? ", gap.error ? '!' : '-')
             : (size_t)snprintf(text + n, sizeof text - n, "%c%llu ", gap.error ? '!' : '-',
                                (unsigned long long)gap.lost_insns);
  }
  assert_int_equal(got, 0);
  oct_replay_free(r);
  return text;
}

#define EXPECT(is_finished, expected, ...)                    \
  do {                                                        \
    const step script[] = {__VA_ARGS__, {.kind = MORE}};      \
    assert_string_equal(play(script, is_finished), expected); \
  } while (0)

/* A run waits until all of it is under a check: its end, not its beginning, and what its gap lost.
 */
static void waits(void **state) {
  (void)state;
  EXPECT(false, "0+10 ", {RUN, 0, 10, 10, 0});
  EXPECT(false, "", {RUN, 0, 10, 9, 0});
  EXPECT(false, "", {RUN, 0, 10, 0, 0}, {RUN, 10, 10, 5, 0});
  EXPECT(false, "0+10 ", {RUN, 0, 10, 0, 0}, {RUN, 10, 10, 10, 0});
  EXPECT(false, "0+10 ", {RUN, 0, 10, 0, 0}, {RUN, 10, 10, 19, 0});
  EXPECT(false, "0+10 10+10 ", {RUN, 0, 10, 0, 0}, {RUN, 10, 10, 0, 0}, {RUN, 20, 0, 20, 0});
  EXPECT(false, "", {RUN, 0, 10, 12, 5});
  EXPECT(false, "0+10 -5 ", {RUN, 0, 10, 15, 5});
  /* A port without checks. */
  EXPECT(false, "0+10 10+3 ", {RUN, 0, 10, UINT64_MAX, 0}, {RUN, 10, 3, UINT64_MAX, 0});
}

/* Damage drops what waits, and only that; behind it counts the first run that a check confirms. */
static void drops(void **state) {
  (void)state;
  EXPECT(true, "0+10 !? ", {RUN, 0, 10, 10, 0}, {RUN, 10, 10, 10, 0}, {.kind = FAIL});
  EXPECT(true, "0+10 !20 30+10 ", {RUN, 0, 10, 10, 0}, {RUN, 10, 10, 10, 0}, {.kind = FAIL},
         {RUN, 30, 10, 40, 0});
  /* Two damaged places without anything confirmed between them are one gap. */
  EXPECT(true, "0+10 !30 40+5 ", {RUN, 0, 10, 10, 0}, {.kind = FAIL}, {RUN, 20, 10, 0, 0},
         {.kind = FAIL}, {RUN, 40, 5, 45, 0});
}

/* A check before damage says nothing of what comes behind it, whatever its number: not even where
 * the decoder still tells the old one. */
static void old_check(void **state) {
  (void)state;
  EXPECT(true, "0+10 !? ", {RUN, 0, 10, 50, 0}, {.kind = FAIL}, {RUN, 12, 10, 0, 0});
  EXPECT(true, "0+10 !2 12+10 ", {RUN, 0, 10, 50, 0}, {.kind = FAIL}, {RUN, 12, 10, 0, 0},
         {RUN, 22, 0, 22, 0});
}

/* A replay of the script, each run of which has these traps. */
static oct_replay *begin(const step *script, const oct_trap *of_runs, size_t n) {
  const uint32_t no_params[1] = {0};
  oct_replay *r;
  oct_diag diag = {0};
  steps = script;
  at_step = 0;
  traps = of_runs;
  n_traps = n;
  assert_int_equal(oct_replay_new(&scripted, no_params, OCT_START_IN_STEP, NULL, &r, &diag), 0);
  return r;
}

/* Of a run that breaks a rule comes what stands before that place, and no trap there. */
static void broken_rule(void **state) {
  static const oct_trap both[] = {{.insn = 0, .kind = OCT_TRAP_PRIVILEGE, .privilege = 1},
                                  {.insn = 1, .kind = OCT_TRAP_PRIVILEGE, .privilege = 2}};
  const step script[] = {{RUN, 0, 2, UINT64_MAX, 0}, {.kind = MORE}};
  oct_diag diag = {0};
  oct_decoded run;
  oct_gap gap;
  (void)state;
  oct_replay *r = begin(script, both, 2);
  oct_replay_expect(r, 32, 8); /* the second is at 4 */
  assert_int_equal(oct_replay_next(r, &run, &gap, &diag), 1);
  assert_int_equal(run.batch.n_insns, 1);
  assert_int_equal(run.batch.n_traps, 1);
  assert_int_equal(run.batch.traps[0].privilege, 1);
  oct_replay_free(r);
  traps = NULL;
  n_traps = 0;
}

/* A decoder that starts over where bytes are missing is told the number and the privilege of what
 * came: of what was handed out, with what the tracer lost, and not of what is dropped. */
static void starts_over(void **state) {
  static const oct_trap user[] = {{.insn = 0, .kind = OCT_TRAP_PRIVILEGE, .privilege = 3}};
  static const oct_diag why = {.error = OCT_ERR_CHECKSUM, .text = "bytes are missing"};
  const step script[] = {{RUN, 0, 10, 17, 7}, {RUN, 17, 10, 17, 0}, {.kind = MORE}};
  oct_diag diag = {0};
  oct_decoded run;
  oct_gap gap;
  (void)state;
  oct_replay *r = begin(script, user, 1);
  told_insn = told_privilege = 0;
  assert_int_equal(oct_replay_next(r, &run, &gap, &diag), 1);
  assert_int_equal(oct_replay_next(r, &run, &gap, &diag), 0);
  assert_int_equal(oct_replay_break(r, &why, NULL, 0, &diag), 0);
  assert_int_equal(told_insn, 17);
  assert_int_equal(told_privilege, 3);
  oct_replay_free(r);
  traps = NULL;
  n_traps = 0;
}

/* The time of what is dropped says nothing of what comes behind it; that of what came does. */
static void dropped_time(void **state) {
  static const uint64_t later[] = {10, 1000, 0, 20}, earlier[] = {10, 1000, 0, 9};
  (void)state;
  cycles = later;
  EXPECT(true, "0+1 !1 2+1 ", {RUN, 0, 1, 1, 0}, {RUN, 1, 1, 1, 0}, {.kind = FAIL},
         {RUN, 2, 1, 3, 0});
  cycles = earlier;
  EXPECT(true, "0+1 !? ", {RUN, 0, 1, 1, 0}, {RUN, 1, 1, 1, 0}, {.kind = FAIL}, {RUN, 2, 1, 3, 0});
  cycles = NULL;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(waits),       cmocka_unit_test(drops),
                                     cmocka_unit_test(old_check),   cmocka_unit_test(broken_rule),
                                     cmocka_unit_test(starts_over), cmocka_unit_test(dropped_time)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
