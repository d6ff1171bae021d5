/* SPDX-License-Identifier: Apache-2.0 */
/* test_privilege.c - behind damage a sync tells the privilege only where it is another than the one
 * that was handed out last: each instruction has its privilege, and no change is told twice. */
#include "tracer_util.h"

#include "octrace/container.h"

enum { INSNS = 4000, DAMAGES = 16 };

/* Traps of which each changes the privilege; privileges[i] is then that of instruction i. */
static oct_trap *changes_of(const test_trace *x, size_t *n, uint8_t *privileges) {
  oct_trap *traps = calloc(x->n_insns, sizeof *traps);
  uint8_t privilege = OCT_PRIVILEGE_UNKNOWN;
  assert_non_null(traps);
  *n = 0;
  for (size_t i = 0; i < x->n_insns; i++) {
    if (i == 1 || below(300) == 0) {
      bool is_trap = below(2);
      privilege = (uint8_t)((privilege + 1 + below(3)) % 4);
      traps[(*n)++] =
          (oct_trap){.insn = (uint32_t)i,
                     .kind = (uint8_t)(is_trap ? OCT_TRAP_INTERRUPT : OCT_TRAP_PRIVILEGE),
                     .privilege = privilege,
                     .addr = is_trap ? x->insns[i].addr : 0};
    }
    privileges[i] = privilege;
  }
  return traps;
}

typedef struct heard {
  const uint8_t *expected; /* of each instruction */
  uint8_t privilege;
  size_t n_insns, n_gaps;
} heard;

static void take_runs(const oct_tracer *t, oct_replay *r, heard *h) {
  oct_decoded run;
  oct_gap gap;
  oct_diag diag = {0};
  int got;
  while ((got = oct_replay_next(r, &run, &gap, &diag)) > 0) {
    const oct_trap *p = run.batch.traps, *end = p + run.batch.n_traps;
    for (size_t i = 0; i <= run.batch.n_insns; i++) {
      for (; p < end && p->insn <= i; p++) {
        if (p->kind == OCT_TRAP_PRIVILEGE && p->privilege == h->privilege)
          fail_msg("%s: before instruction %llu: privilege %u is told again", t->name,
                   (unsigned long long)(run.first_insn + i), p->privilege);
        h->privilege = p->privilege;
      }
      if (i < run.batch.n_insns && h->privilege != h->expected[run.first_insn + i])
        fail_msg("%s: instruction %llu: privilege %u, expected %u", t->name,
                 (unsigned long long)(run.first_insn + i), h->privilege,
                 h->expected[run.first_insn + i]);
    }
    h->n_insns += run.batch.n_insns;
    h->n_gaps += run.is_gap != 0;
  }
  if (got < 0) fail_msg("%s: %s", t->name, diag.text);
}

/* lacks: this update of the program map is not there; breaks: bytes are missing at a third, too. */
static heard replay(const oct_tracer *t, const uint32_t *params, const test_trace *x,
                    const test_stream *s, const heard *from, size_t lacks, bool breaks,
                    bool is_unconfirmed) {
  const oct_replay_options options = {.is_unconfirmed = is_unconfirmed};
  oct_map_update *updates = malloc(x->n_updates * sizeof *updates);
  size_t n_updates = 0, third = s->n_bytes / 3;
  heard h = *from;
  oct_replay *r;
  oct_diag diag = {0};
  assert_non_null(updates);
  for (size_t i = 0; i < x->n_updates; i++)
    if (i != lacks) updates[n_updates++] = x->updates[i];
  assert_int_equal(oct_replay_new(t, params, OCT_START_IN_STEP, &options, &r, &diag), 0);
  assert_int_equal(oct_replay_map(r, updates, n_updates, &diag), 0);
  assert_int_equal(oct_replay_push(r, s->bytes, third, &diag), 0);
  take_runs(t, r, &h);
  if (breaks) {
    oct_fail(&diag, OCT_ERR_CHECKSUM, "bytes are missing");
    const oct_diag why = diag;
    assert_int_equal(oct_replay_break(r, &why, updates, n_updates, &diag), 0);
    third += 40;
  }
  assert_int_equal(oct_replay_push(r, s->bytes + third, s->n_bytes - third, &diag), 0);
  oct_replay_finish(r);
  take_runs(t, r, &h);
  oct_replay_free(r);
  free(updates);
  return h;
}

/* An update whose address has no other: without it the instruction is not known. */
static size_t only_update(const test_trace *x) {
  for (;;) {
    size_t lacks = below(x->n_updates), n = 0;
    for (size_t i = 0; i < x->n_updates; i++)
      n += x->updates[i].entry.addr == x->updates[lacks].entry.addr;
    if (n == 1) return lacks;
  }
}

static void once(const char *name, const char *settings) {
  const oct_tracer *t = oct_tracer_find(name);
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  test_trace x = random_test_trace(32, 4, INSNS);
  uint8_t privileges[INSNS];
  size_t n_traps, n_lost = 0;
  fit_params(t, settings, &x, params);
  oct_trap *traps = changes_of(&x, &n_traps, privileges);
  test_stream s = encode_whole(t, params, &x, traps, n_traps);
  int check = oct_tracer_param(t, name[0] == 's' ? "check" : "check_bits");
  const heard start = {.expected = privileges, .privilege = OCT_PRIVILEGE_UNKNOWN};
  assert_int_equal(replay(t, params, &x, &s, &start, SIZE_MAX, false, false).n_insns, INSNS);
  for (unsigned i = 0; i < DAMAGES; i++) {
    heard h = replay(t, params, &x, &s, &start, only_update(&x), i & 1, i & 2);
    n_lost += h.n_insns < INSNS && h.n_gaps > 2;
  }
  assert_true(n_lost > DAMAGES / 4);
  for (unsigned i = 0; i < DAMAGES && params[check]; i++) {
    s.bytes[below(s.n_bytes)] ^= (uint8_t)(1u << below(8));
    replay(t, params, &x, &s, &start, SIZE_MAX, false, false);
  }
  free(s.bytes);
  free(traps);
  free_test_trace(&x);
}

static void told_once(void **state) {
  (void)state;
  seed_random("privilege");
  for (unsigned round = 0; round < 8; round++) {
    once("shadow", "traps=1,sync_insns=50");
    once("shadow", "traps=1,sync_insns=50,check=0");
    once("paper", "traps=1,sync_period_insns=50");
    once("paper", "traps=1,sync_period_bits=1024,check_period_bits=128");
    once("paper", "traps=1,sync_period_insns=50,check_bits=0");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(told_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
