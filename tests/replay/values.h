/* SPDX-License-Identifier: Apache-2.0 */
/* values.h - recorded programs with values in memory, and the tracer `replay` over them. */
#ifndef OCT_REPLAY_VALUES_H
#define OCT_REPLAY_VALUES_H

#include "../port/tracer_util.h"
#include "octrace/container.h"

/* A trace with what tracer_util.h has no room for. */
typedef struct replay_trace {
  test_trace x;
  oct_fact *facts;
  uint8_t *values;
  size_t n_facts, n_values;
} replay_trace;

static const oct_tracer *replay;

static const char *const programs[] = {"riscv64", "arm", "aarch64", "x86-64", "riscv32", "thumb"};
enum { PROGRAMS = sizeof programs / sizeof *programs };

static inline void read_file(const char *path, const char *name, replay_trace *t) {
  oct_source s;
  oct_diag diag = {0};
  int got;
  memset(t, 0, sizeof *t);
  if (oct_source_open(&s, path, NULL, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  test_trace *x = &t->x;
  x->name = name;
  snprintf(x->isa, sizeof x->isa, "%s", s.info.isa);
  x->addr_bits = s.info.addr_bits;
  x->align_bytes = s.info.insn_align_bytes;
  while ((got = oct_source_next(&s, &diag)) > 0) {
    const oct_batch *b = &s.batch;
    const size_t insns = x->n_insns, accesses = x->n_accesses, facts = t->n_facts;
    const uint32_t values = (uint32_t)t->n_values;
    x->updates = append(x->updates, &x->n_updates, s.updates, s.n_updates, sizeof *s.updates);
    x->insns = append(x->insns, &x->n_insns, b->insns, b->n_insns, sizeof *b->insns);
    x->accesses =
        append(x->accesses, &x->n_accesses, b->accesses, b->n_accesses, sizeof *b->accesses);
    t->facts = append(t->facts, &t->n_facts, b->facts, b->n_facts, sizeof *b->facts);
    t->values = append(t->values, &t->n_values, b->values, b->n_values, 1);
    for (size_t i = accesses; i < x->n_accesses; i++)
      if (x->accesses[i].value) x->accesses[i].value += values;
    for (size_t i = facts; i < t->n_facts; i++) {
      t->facts[i].insn += (uint32_t)insns;
      if (t->facts[i].value) t->facts[i].value += values;
    }
  }
  if (got) fail_msg("%s", oct_diag_line(&diag).text);
  oct_source_close(&s);
}

static inline void read_values(const char *isa, replay_trace *t) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s.oct", TEST_DATA, isa);
  read_file(path, isa, t);
  assert_true(t->n_values > 1000 && t->n_facts > 16);
}

static inline void free_values(replay_trace *t) {
  free_test_trace(&t->x);
  free(t->facts);
  free(t->values);
}

/* Instructions from .. to-1 into an encoder. */
static inline void put_part(const replay_trace *t, void *e, size_t from, size_t to,
                            test_stream *s) {
  const test_trace *x = &t->x;
  size_t access = 0, u = 0, v, f = 0, g;
  oct_diag diag = {0};
  for (size_t i = 0; i < from; i++) access += x->insns[i].n_access;
  while (u < x->n_updates && x->updates[u].from_insn < from) u++;
  for (v = u; v < x->n_updates && x->updates[v].from_insn < to;) v++;
  while (f < t->n_facts && t->facts[f].insn < from) f++;
  for (g = f; g < t->n_facts && t->facts[g].insn < to;) g++;
  oct_fact *facts = malloc((g - f + 1) * sizeof *facts);
  assert_non_null(facts);
  for (size_t i = f; i < g; i++) {
    facts[i - f] = t->facts[i];
    facts[i - f].insn -= (uint32_t)from;
  }
  oct_tracer_input in = {.insns = x->insns + from,
                         .n_insns = to - from,
                         .accesses = x->accesses + access,
                         .updates = x->updates + u,
                         .n_updates = v - u,
                         .facts = facts,
                         .n_facts = g - f,
                         .values = t->values,
                         .n_values = t->n_values};
  for (size_t i = from; i < to; i++) in.n_accesses += x->insns[i].n_access;
  if (replay->encoder.put(e, &in, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  take_bytes(replay, e, s);
  free(facts);
}

/* Each correction belongs to an instruction. */
static inline void check_corrections(const void *e, const uint64_t *counters) {
  static oct_correction list[4096];
  const size_t n = replay->encoder.corrections(e, list, sizeof list / sizeof *list);
  uint64_t sum = 0;
  assert_in_range(n, 0, sizeof list / sizeof *list);
  for (size_t i = 0; i < n; i++) {
    assert_true(list[i].insn->size_bytes && list[i].times);
    if (i) assert_true(list[i - 1].times >= list[i].times);
    sum += list[i].times;
  }
  const uint64_t fixes = oct_tracer_count(replay, counters, "access_corrections");
  assert_in_range(sum, fixes, fixes + oct_tracer_count(replay, counters, "jumps"));
  if (n) {
    oct_correction most;
    assert_int_equal(replay->encoder.corrections(e, &most, 1), n);
    assert_true(most.insn == list[0].insn && most.times == list[0].times);
  }
}

/* cuts: in random batches, some of them flushed. */
static inline void encode_run(const replay_trace *t, const uint32_t *params,
                              const oct_run_options *run, bool cuts, test_stream *s) {
  oct_diag diag = {0};
  void *e;
  *s = (test_stream){.n_bytes = 0};
  if (replay->encoder.create(params, run, &e, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  for (size_t i = 0, n; i < t->x.n_insns; i += n) {
    n = cuts ? 1 + below(t->x.n_insns / 3) : t->x.n_insns;
    if (n > t->x.n_insns - i) n = t->x.n_insns - i;
    put_part(t, e, i, i + n, s);
    if (cuts && below(4) == 0) assert_int_equal(replay->encoder.flush(e, &diag), 0);
  }
  assert_int_equal(replay->encoder.flush(e, &diag), 0);
  take_bytes(replay, e, s);
  replay->encoder.counters(e, s->counters);
  check_corrections(e, s->counters);
  replay->encoder.destroy(e);
  assert_int_equal(oct_tracer_port_bits(replay, s->counters, OCT_GROUP_TRACE), 8 * s->n_bytes);
}

/* Everything comes back, values included. */
static inline void decode_trace(const replay_trace *t, const uint32_t *params,
                                const test_stream *s) {
  oct_compare *c = oct_compare_new(0);
  oct_diag diag = {0};
  oct_decoded run;
  void *d;
  int got;
  assert_non_null(c);
  assert_int_equal(oct_compare_expect_facts(c, t->facts, t->n_facts, t->values), 0);
  assert_int_equal(oct_compare_expect_values(c, t->values, t->n_values), 0);
  assert_int_equal(oct_compare_expect(c, t->x.insns, t->x.n_insns, t->x.accesses), 0);
  assert_int_equal(replay->decoder.create(params, OCT_START_IN_STEP, &d, &diag), 0);
  assert_int_equal(replay->decoder.map(d, t->x.updates, t->x.n_updates, &diag), 0);
  replay->decoder.tell_results(d);
  for (size_t at = 0, n;; at += n) {
    while ((got = replay->decoder.next(d, &run, &diag)) > 0)
      if (oct_compare_run(c, &run, &diag)) fail_msg("%s: %s", t->x.name, oct_diag_line(&diag).text);
    if (got < 0) fail_msg("%s: %s", t->x.name, oct_diag_line(&diag).text);
    if (at == s->n_bytes) break;
    n = 1 + below(3000);
    if (n > s->n_bytes - at) n = s->n_bytes - at;
    assert_int_equal(replay->decoder.push(d, s->bytes + at, n, &diag), 0);
    if (at + n == s->n_bytes) replay->decoder.finish(d);
  }
  if (oct_compare_end(c, &diag)) fail_msg("%s: %s", t->x.name, oct_diag_line(&diag).text);
  replay->decoder.destroy(d);
  oct_compare_free(c);
}

#endif
