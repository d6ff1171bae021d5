/* SPDX-License-Identifier: Apache-2.0 */
/* test_uncounted.c - gaps in the trace of a program that writes itself all the while. Bytes of a
 * stream are left out, of some machines without a number that tells how many instructions that is.
 * Is every instruction behind the gap one that was executed there, and is no number of it too high?
 * Where syncs count, the numbers must be right. Then chunks of a container are damaged: is nothing
 * decoded with code that a lost chunk replaced? */
#include <stdio.h>

#include "tracer_util.h"

#include "chunk_sums.h"
#include "octrace/container.h"

enum { SITES = 200, INSNS = 20000, PART = 100, PARTS = INSNS / PART, BASE = 0x8000 };

static const struct {
  const char *tracer, *geometry;
  bool is_counted;
} machines[] = {
    {"etrace", "all,sync_period_insns=300,time_bits=0,addr_bits=32", false},
    {"etrace", "base,sync_period_insns=300,time_bits=8,addr_bits=32", false},
    {"etrace", "sync_period_insns=300,time_bits=0,data=0,addr_bits=32", false},
    {"etrace", "all,sync_period_insns=300,addr_bits=32", true},
    {"ntrace", "all,sync_period_insns=300,count=0", false},
    {"ntrace", "all,sync_period_insns=300", true},
    {"intel-pt", "sync_period_insns=300,tsc=0", false},
    {"intel-pt", "sync_period_insns=300", true},
    {"etmv4", "sync_period_insns=300,timestamp=0", false},
    {"etmv4", "sync_period_insns=300", true},
    {"raw", "sync_period_insns=300", true},
    {"paper", "sync_period_insns=300", true},
    {"shadow", "sync_insns=300", true},
};

/* What one part of the trace gives: bytes, and the changes that stand before them. */
typedef struct part {
  size_t from_byte, to_byte, from_update, to_update;
} part;

typedef struct run {
  test_trace trace;
  part parts[PARTS + 1];
  test_stream stream;
} run;

static oct_map_entry random_site(unsigned i) {
  static const uint8_t classes[] = {
      OCT_CLASS_OTHER,       OCT_CLASS_OTHER,         OCT_CLASS_OTHER,
      OCT_CLASS_COND_BRANCH, OCT_CLASS_COND_BRANCH,   OCT_CLASS_DIRECT_JUMP,
      OCT_CLASS_DIRECT_CALL, OCT_CLASS_INDIRECT_JUMP, OCT_CLASS_RETURN};
  oct_map_entry e = {.addr = BASE + 4 * i, .size_bytes = 4};
  e.cls = i + 1 == SITES ? OCT_CLASS_DIRECT_JUMP : classes[below(sizeof classes)];
  bool is_direct = e.cls == OCT_CLASS_COND_BRANCH || e.cls == OCT_CLASS_DIRECT_JUMP ||
                   e.cls == OCT_CLASS_DIRECT_CALL;
  /* Intel PT has no count of it a jump to itself was made. */
  if (is_direct) e.target = BASE + 4 * ((i + 1 + below(SITES - 1)) % SITES);
  if (e.cls == OCT_CLASS_OTHER && below(3) == 0) {
    e.n_slots = 1;
    e.slots[0] = (uint8_t)(2 | (below(2) ? OCT_SLOT_STORE : 0));
  }
  return e;
}

/* A program that changes once in changes_every instructions; 0: never. Its entries are told when
 * they are first executed, as a tracker of the map does. */
static test_trace self_writing(size_t n_insns, unsigned changes_every) {
  test_trace x = {"self-writing", "unknown", 32, 4, NULL, NULL, NULL, n_insns, 0, 0};
  oct_map_entry sites[SITES];
  bool is_told[SITES] = {false};
  unsigned at = 0;
  x.insns = calloc(n_insns, sizeof *x.insns);
  x.accesses = calloc(n_insns, sizeof *x.accesses);
  for (unsigned i = 0; i < SITES; i++) sites[i] = random_site(i);
  for (size_t i = 0; i < n_insns; i++) {
    if (changes_every && below(changes_every) == 0) {
      unsigned changed = (unsigned)below(SITES);
      sites[changed] = random_site(changed);
      is_told[changed] = false;
    }
    const oct_map_entry *e = &sites[at];
    if (!is_told[at]) {
      const oct_map_update update = {i, *e};
      x.updates = append(x.updates, &x.n_updates, &update, 1, sizeof update);
    }
    is_told[at] = true;
    x.insns[i] = (oct_insn){.addr = e->addr, .size_bytes = 4, .n_access = e->n_slots};
    x.insns[i].flags = (uint8_t)(e->cls << OCT_INSN_CLASS_SHIFT);
    if (e->n_slots)
      x.accesses[x.n_accesses++] =
          (oct_access){0x10000 + 4 * below(1000), 4, (e->slots[0] & OCT_SLOT_STORE) != 0};
    bool jumps = e->cls != OCT_CLASS_OTHER && (e->cls != OCT_CLASS_COND_BRANCH || below(2));
    at = !jumps ? at + 1 : e->target ? (unsigned)(e->target - BASE) / 4 : (unsigned)below(SITES);
  }
  return x;
}

static void encode_parts(const oct_tracer *t, const uint32_t *params, run *r) {
  const oct_run_options options = {.cpi_milli = 1000};
  size_t u = 0;
  void *e;
  oct_diag diag = {0};
  if (t->encoder.create(params, &options, &e, &diag)) fail_msg("%s", diag.text);
  for (size_t i = 0; i < PARTS; i++) {
    part *p = &r->parts[i];
    *p = (part){.from_byte = r->stream.n_bytes, .from_update = u};
    encode_part(t, e, &r->trace, i * PART, (i + 1) * PART, &r->stream);
    while (u < r->trace.n_updates && r->trace.updates[u].from_insn < (i + 1) * PART) u++;
    p->to_byte = r->stream.n_bytes;
    p->to_update = u;
  }
  r->parts[PARTS] = (part){r->stream.n_bytes, 0, u, u};
  if (t->encoder.flush(e, &diag)) fail_msg("%s", diag.text);
  take_bytes(t, e, &r->stream);
  r->parts[PARTS].to_byte = r->stream.n_bytes;
  t->encoder.destroy(e);
}

/* What was handed out since the last gap. */
typedef struct segment {
  oct_insn *insns;
  size_t n, delivered;
  uint64_t first, next; /* numbers: of its first instruction, and the least of what comes next */
  bool is_uncounted;
} segment;

/* The instructions of the segment stand in the trace one after another, from its number on, or from
 * a later one where it is not known. */
static void check(const test_trace *x, segment *s, const char *what) {
  uint64_t to = s->is_uncounted ? x->n_insns : s->first + 1;
  bool is_there = s->n == 0;
  for (uint64_t from = s->first; !is_there && from < to && from + s->n <= x->n_insns; from++) {
    size_t i = 0;
    while (i < s->n && s->insns[i].addr == x->insns[from + i].addr &&
           oct_insn_class(&s->insns[i]) == oct_insn_class(&x->insns[from + i]))
      i++;
    is_there = i == s->n;
  }
  if (!is_there)
    fail_msg("%s: %zu instructions from %llu on were not executed so", what, s->n,
             (unsigned long long)s->first);
  s->delivered += s->n;
  s->n = 0;
}

/* A run that was handed out, and the gap behind it. */
static void take_run(const test_trace *x, const oct_decoded *run, const oct_gap *gap, segment *s,
                     const char *what) {
  if (!s->n) s->first = run->first_insn;
  if (run->batch.n_insns) s->is_uncounted = run->is_uncounted;
  if (run->first_insn < s->next)
    fail_msg("%s: instruction %llu after %llu", what, (unsigned long long)run->first_insn,
             (unsigned long long)s->next - 1);
  s->next = run->first_insn + run->batch.n_insns;
  s->insns = append(s->insns, &s->n, run->batch.insns, run->batch.n_insns, sizeof *s->insns);
  if (run->is_gap) check(x, s, what);
  /* Its length is told if, and only if, it is known. */
  if (run->is_gap && gap->error && !gap->is_end)
    assert_int_equal(gap->lost_insns == UINT64_MAX, run->is_uncounted);
}

static void take(oct_replay *p, const test_trace *x, segment *s, const char *what) {
  oct_decoded got;
  oct_gap gap;
  oct_diag diag = {0};
  int rc;
  while ((rc = oct_replay_next(p, &got, &gap, &diag)) > 0) take_run(x, &got, &gap, s, what);
  if (rc) fail_msg("%s: %s", what, diag.text);
}

/* Leave out the bytes of some parts, here and there. */
static size_t play(const oct_tracer *t, const uint32_t *params, const run *r, unsigned gaps_every,
                   const char *what, oct_replay_counts *counts, unsigned *n_breaks) {
  static const oct_diag why = {.error = OCT_ERR_CHECKSUM, .text = "bytes are missing"};
  segment s = {0};
  oct_replay *p;
  oct_diag diag = {0};
  *n_breaks = 0;
  if (oct_replay_new(t, params, OCT_START_IN_STEP, NULL, &p, &diag)) fail_msg("%s", diag.text);
  for (size_t i = 0; i <= PARTS; i++) {
    const part *q = &r->parts[i];
    const oct_map_update *updates = r->trace.updates + q->from_update;
    assert_int_equal(oct_replay_map(p, updates, q->to_update - q->from_update, &diag), 0);
    if (i > 5 && i < PARTS && below(gaps_every) == 0) {
      assert_int_equal(oct_replay_break(p, &why, r->trace.updates, q->to_update, &diag), 0);
      ++*n_breaks;
      continue;
    }
    assert_int_equal(
        oct_replay_push(p, r->stream.bytes + q->from_byte, q->to_byte - q->from_byte, &diag), 0);
    if (i == PARTS) oct_replay_finish(p);
    take(p, &r->trace, &s, what);
  }
  check(&r->trace, &s, what);
  oct_replay_get_counts(p, counts);
  oct_replay_free(p);
  free(s.insns);
  return s.delivered;
}

static void test_machine(const oct_tracer *t, const uint32_t *params, bool is_counted,
                         const char *what) {
  static const unsigned every[] = {0, 5000, 500, 50};
  uint64_t uncounted = 0;
  for (unsigned k = 0; k < sizeof every / sizeof *every; k++) {
    run r = {.trace = self_writing(INSNS, every[k])};
    oct_replay_counts counts;
    unsigned n_breaks;
    encode_parts(t, params, &r);
    assert_int_equal(play(t, params, &r, UINT32_MAX, what, &counts, &n_breaks), INSNS);
    assert_int_equal(counts.damages, 0);
    for (unsigned n = 0; n < 10; n++) {
      size_t delivered = play(t, params, &r, 20, what, &counts, &n_breaks);
      uncounted += counts.uncounted;
      /* A program that does not change comes back but for the gaps and what precedes a sync. */
      if (!every[k] && delivered + n_breaks * 1000 < INSNS)
        fail_msg("%s: %zu instructions back, %u gaps", what, delivered, n_breaks);
    }
    free(r.stream.bytes);
    free_test_trace(&r.trace);
  }
  assert_true(is_counted ? !uncounted : uncounted > 20);
}

static void test_gaps(void **state) {
  (void)state;
  for (unsigned i = 0; i < sizeof machines / sizeof *machines; i++) {
    const oct_tracer *t = oct_tracer_find(machines[i].tracer);
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    oct_diag diag = {0};
    char what[128];
    oct_tracer_defaults(t, params);
    if (oct_tracer_parse(t, machines[i].geometry, params, NULL, &diag)) fail_msg("%s", diag.text);
    snprintf(what, sizeof what, "%s %s", machines[i].tracer, machines[i].geometry);
    test_machine(t, params, machines[i].is_counted, what);
  }
}

/* Write the trace as a container of several chunks of map and of bits; its bytes. */
static uint8_t *write_container(const oct_tracer *t, const uint32_t *params, const test_trace *x,
                                const char *path, size_t *n_bytes) {
  const oct_container_info info = {.isa = "unknown"};
  const oct_container_totals totals = {.insns = x->n_insns, .accesses = x->n_accesses};
  const oct_run_options options = {.cpi_milli = 1000};
  oct_container_writer *w;
  oct_diag diag = {0};
  size_t u = 0;
  void *e;
  assert_int_equal(t->encoder.create(params, &options, &e, &diag), 0);
  assert_int_equal(oct_container_create(path, t, params, &info, &w, &diag), 0);
  for (size_t i = 0, n; i < x->n_insns; i += n) {
    test_stream s = {.n_bytes = 0};
    size_t from = u;
    n = x->n_insns - i < 10000 ? x->n_insns - i : 10000;
    encode_part(t, e, x, i, i + n, &s);
    while (u < x->n_updates && x->updates[u].from_insn < i + n) u++;
    if (i + n == x->n_insns) {
      assert_int_equal(t->encoder.flush(e, &diag), 0);
      take_bytes(t, e, &s);
    }
    assert_int_equal(oct_container_put_map(w, x->updates + from, u - from, &diag), 0);
    assert_int_equal(oct_container_put_bits(w, s.bytes, s.n_bytes, &diag), 0);
    free(s.bytes);
  }
  assert_int_equal(oct_container_commit(w, &totals, &diag), 0);
  t->encoder.destroy(e);
  return load(path, n_bytes);
}

static size_t play_container(const char *path, const test_trace *x, const char *what) {
  static const oct_replay_options options;
  segment s = {0};
  oct_decoded run;
  oct_player p;
  oct_gap gap;
  oct_diag diag = {0};
  assert_int_equal(oct_player_open(&p, path, 0, 0, NULL, &options, &diag), 0);
  p.salvage = true;
  int got;
  while ((got = oct_player_next(&p, &run, &gap, &diag)) > 0) take_run(x, &run, &gap, &s, what);
  if (got) fail_msg("%s: %s", what, diag.text);
  check(x, &s, what);
  oct_player_close(&p);
  free(s.insns);
  return s.delivered;
}

/* Each chunk but the end damaged, and then left out. The number of those of the map. */
static unsigned damage_chunks(const oct_tracer *t, const uint32_t *params, const test_trace *x) {
  char path[] = "/tmp/oct_uncounted_XXXXXX", what[160];
  unsigned n_bits = 0, n_map = 0;
  size_t n_bytes, least = SIZE_MAX;
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  uint8_t *bytes = write_container(t, params, x, path, &n_bytes), *copy = malloc(n_bytes);
  assert_int_equal(play_container(path, x, t->name), x->n_insns);
  size_t at = head_bytes(bytes);
  for (size_t n; bytes[at] != 3; at += n) {
    bool is_bits = bytes[at] == 1;
    n = OCT_CONTAINER_CHUNK_HEADER_BYTES + oct_get_u32(bytes + at + 4);
    snprintf(what, sizeof what, "%s, chunk of %s at %zu", t->name, is_bits ? "bits" : "map", at);
    memcpy(copy, bytes, n_bytes);
    copy[at + below(n)] ^= 1;
    save(path, copy, n_bytes);
    size_t damaged = play_container(path, x, what);
    memcpy(copy + at, bytes + at + n, n_bytes - at - n);
    save(path, copy, n_bytes - n);
    size_t without = play_container(path, x, what);
    if (is_bits && damaged < least) least = damaged;
    if (is_bits && without < least) least = without;
    n_bits += is_bits;
    n_map += !is_bits;
  }
  assert_true(n_bits && n_map);
  /* Lost bits cost their chunk; a lost map costs all that comes behind it where it may have held a
   * change, and else at most the places that it describes. */
  assert_true(least || n_bits < 4);
  free(bytes);
  free(copy);
  unlink(path);
  return n_map;
}

static void test_chunks(void **state) {
  static const struct {
    const char *tracer, *geometry;
  } how[] = {{"raw", "sync_period_insns=500"},
             {"paper", "sync_period_insns=500"},
             {"shadow", "sync_insns=500"}};
  unsigned n_map = 0;
  (void)state;
  for (unsigned k = 0; k < 2 * sizeof how / sizeof *how; k++) {
    const oct_tracer *t = oct_tracer_find(how[k / 2].tracer);
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    oct_diag diag = {0};
    test_trace x = self_writing(300000, k % 2 ? 500 : 0);
    oct_tracer_defaults(t, params);
    if (oct_tracer_parse(t, how[k / 2].geometry, params, NULL, &diag)) fail_msg("%s", diag.text);
    n_map += damage_chunks(t, params, &x);
    free_test_trace(&x);
  }
  assert_true(n_map > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_gaps), cmocka_unit_test(test_chunks)};
  seed_random("uncounted");
  return cmocka_run_group_tests(tests, NULL, NULL);
}
