/* SPDX-License-Identifier: Apache-2.0 */
/* tracer_util.h - traces in memory, and a tracer's encoder and decoder over them. */
#ifndef OCT_TRACER_UTIL_H
#define OCT_TRACER_UTIL_H

#include <dirent.h>

#include "../traces/test_util.h"
#include "octrace/trace.h"
#include "octrace/tracer.h"

/* Address sanitizer takes twenty times as long: fewer rounds there, all in the plain run. */
#ifdef __SANITIZE_ADDRESS__
enum { ROUNDS_DIVISOR = 4 };
#else
enum { ROUNDS_DIVISOR = 1 };
#endif

/* A trace that went through the map tracker. */
typedef struct test_trace {
  const char *name;
  char isa[24];
  uint32_t addr_bits, align_bytes;
  oct_insn *insns;
  oct_access *accesses;
  oct_map_update *updates;
  size_t n_insns, n_accesses, n_updates;
} test_trace;

typedef struct test_stream {
  uint8_t *bytes;
  size_t n_bytes;
  uint64_t counters[OCT_TRACER_COUNTERS_MAX];
} test_stream;

typedef struct test_decoded {
  oct_decoder_start start;
  bool is_damaged; /* what comes is not compared; after errors the decoder is to find on */
  oct_decoder_counts counts;
  uint64_t first_insn;
  oct_diag diag;
} test_decoded;

static inline void free_test_trace(test_trace *x) {
  free(x->insns);
  free(x->accesses);
  free(x->updates);
}

/* A random program: sizes, slots, some conditional, some variable, string moves, loops; on every
 * other trace task switches. */
static inline test_trace random_test_trace(uint32_t addr_bits, uint32_t align_bytes,
                                           size_t n_insns) {
  enum { PROGRAM = 300, ACCESSES_MAX = 40 };
  struct {
    uint64_t addr, base;
    uint8_t size, slots, may_fail, is_variable, is_string;
  } program[PROGRAM];
  test_trace x = {"random", "unknown", addr_bits, align_bytes, NULL, NULL, NULL, n_insns, 0, 0};
  uint64_t mask = addr_bits >= 64 ? UINT64_MAX : (UINT64_C(1) << addr_bits) - 1, addr = 0x8000;
  oct_map_tracker *tracker = oct_map_tracker_new();
  const oct_map_update *updates;
  bool has_tasks = below(2);
  uint32_t task = 0;
  size_t at = 0;
  x.insns = calloc(n_insns + 1, sizeof *x.insns);
  x.accesses = malloc((n_insns + 1) * ACCESSES_MAX * sizeof *x.accesses);
  for (unsigned i = 0; i < PROGRAM; i++) {
    program[i].addr = addr;
    program[i].size = (uint8_t)(align_bytes * (1 + below(align_bytes >= 8 ? 1 : 2)));
    program[i].slots = below(3) ? 0 : (uint8_t)(1 + (below(6) ? 0 : below(ACCESSES_MAX - 1)));
    program[i].may_fail = below(5) == 0;
    program[i].is_variable = below(40) == 0;
    program[i].is_string = below(2) == 0; /* loads and stores in turn */
    program[i].base = random_u64() & mask;
    addr += program[i].size + (below(50) ? 0 : 64);
  }
  for (size_t i = 0; i < n_insns; i++) {
    oct_insn *insn = &x.insns[i];
    uint32_t n = program[at].slots;
    insn->addr = program[at].addr;
    insn->size_bytes = program[at].size;
    insn->task = task;
    if (program[at].may_fail && n) n = (uint32_t)below(n + 1);
    if (program[at].is_variable) n = (uint32_t)below(20);
    insn->n_access = (uint16_t)n;
    for (uint32_t k = 0; k < n; k++) {
      oct_access *a = &x.accesses[x.n_accesses++];
      a->addr = (program[at].base + 4 * k) & mask;
      if (below(10) == 0) a->addr = (a->addr ^ below(UINT64_C(1) << 30)) & mask;
      a->size_bytes = 4;
      a->is_store = program[at].is_string && (k & 1);
      if (below(500) == 0) a->is_store = !a->is_store;
    }
    program[at].base += at & 15;
    if (below(8) == 0)
      at = below(3) ? (at > 12 ? at - below(12) : 0) : below(PROGRAM);
    else
      at = (at + 1) % PROGRAM;
    if (has_tasks && below(500) == 0) task = (uint32_t)below(2);
  }
  oct_batch batch = {x.insns, n_insns, x.accesses, x.n_accesses, NULL, 0, NULL,
                     0,       NULL,    0,          NULL,         0};
  int64_t got = oct_map_track(tracker, &batch, x.insns, &updates);
  assert_true(got >= 0);
  x.updates = append(NULL, &x.n_updates, updates, (size_t)got, sizeof *updates);
  oct_map_tracker_free(tracker);
  return x;
}

/* The first n_insns of a file. */
static inline test_trace load_test_trace(const char *path, uint64_t n_insns) {
  const oct_source_options options = {.limit = n_insns};
  test_trace x = {.name = path};
  oct_source s;
  oct_diag diag = {0};
  int got;
  if (oct_source_open(&s, path, &options, &diag))
    fail_msg("%s: %s", path, oct_diag_line(&diag).text);
  const oct_trace_info *info = oct_reader_info(s.reader);
  snprintf(x.isa, sizeof x.isa, "%s", info->isa);
  x.addr_bits = info->addr_bits;
  x.align_bytes = info->insn_align_bytes;
  while ((got = oct_source_next(&s, &diag)) > 0) {
    x.insns = append(x.insns, &x.n_insns, s.batch.insns, s.batch.n_insns, sizeof *x.insns);
    x.accesses =
        append(x.accesses, &x.n_accesses, s.batch.accesses, s.batch.n_accesses, sizeof *x.accesses);
    x.updates = append(x.updates, &x.n_updates, s.updates, s.n_updates, sizeof *x.updates);
  }
  if (got) fail_msg("%s: %s", path, oct_diag_line(&diag).text);
  oct_source_close(&s);
  return x;
}

static inline void take_bytes(const oct_tracer *t, void *e, test_stream *s) {
  const uint8_t *bytes;
  size_t n = t->encoder.take(e, &bytes);
  s->bytes = append(s->bytes, &s->n_bytes, bytes, n, 1);
}

/* Instructions from .. to-1. */
static inline int try_part(const oct_tracer *t, void *e, const test_trace *x, size_t from,
                           size_t to, test_stream *s, oct_diag *diag) {
  size_t access = 0, last, u = 0, v;
  for (size_t i = 0; i < from; i++) access += x->insns[i].n_access;
  last = access;
  for (size_t i = from; i < to; i++) last += x->insns[i].n_access;
  while (u < x->n_updates && x->updates[u].from_insn < from) u++;
  for (v = u; v < x->n_updates && x->updates[v].from_insn < to;) v++;
  const oct_tracer_input in = {.insns = x->insns + from,
                               .n_insns = to - from,
                               .accesses = x->accesses + access,
                               .n_accesses = last - access,
                               .updates = x->updates + u,
                               .n_updates = v - u};
  int error = t->encoder.put(e, &in, diag);
  if (!error) take_bytes(t, e, s);
  return error;
}

static inline void encode_part(const oct_tracer *t, void *e, const test_trace *x, size_t from,
                               size_t to, test_stream *s) {
  oct_diag diag = {0};
  if (try_part(t, e, x, from, to, s, &diag)) fail_msg("%s: %s", t->name, oct_diag_line(&diag).text);
}

static inline int encode(const oct_tracer *t, const uint32_t *params, const oct_run_options *run,
                         const test_trace *x, test_stream *s, oct_diag *diag) {
  void *e;
  int error = t->encoder.create(params, run, &e, diag);
  if (error) return error;
  error = try_part(t, e, x, 0, x->n_insns, s, diag);
  if (!error) error = t->encoder.flush(e, diag);
  if (!error) take_bytes(t, e, s);
  t->encoder.counters(e, s->counters);
  t->encoder.destroy(e);
  return error;
}

/* The time of a core as stamps of a trace: of each instruction; it stands still, jumps ahead, and
 * now and then it goes back. */
static inline void stamp_core_time(test_trace *x) {
  uint64_t time = random_u64() >> (8 + below(56));
  for (size_t i = 0; i < x->n_insns; i++) {
    time += below(2) * below(4);
    if (below(500) == 0) time += random_magnitude() >> 20;
    if (below(100) == 0) time -= below(2) ? below(10) : below(3000);
    time &= (UINT64_C(1) << 56) - 1;
    x->insns[i].cycle = time;
    x->insns[i].flags |= OCT_INSN_HAS_CYCLE;
  }
}

/* Settings over a tracer's defaults, fitted to a trace. */
static inline void fit_params(const oct_tracer *t, const char *settings, const test_trace *x,
                              uint32_t *params) {
  bool given[OCT_TRACER_PARAMS_MAX] = {false};
  oct_diag diag = {0};
  oct_tracer_defaults(t, params);
  if (oct_tracer_parse(t, settings, params, given, &diag) ||
      oct_tracer_fit(t, params, given, x->isa, x->addr_bits, x->align_bytes, &diag))
    fail_msg("%s: %s: %s", t->name, settings, oct_diag_line(&diag).text);
}

/* A whole trace at once, untimed, with its traps. The bytes are the caller's. */
static inline test_stream encode_whole(const oct_tracer *t, const uint32_t *params,
                                       const test_trace *x, const oct_trap *traps, size_t n_traps) {
  const oct_run_options run = {.engine = OCT_ENGINE_UNTIMED, .cpi_milli = 1000};
  const oct_tracer_input in = {.insns = x->insns,
                               .n_insns = x->n_insns,
                               .accesses = x->accesses,
                               .n_accesses = x->n_accesses,
                               .updates = x->updates,
                               .n_updates = x->n_updates,
                               .traps = traps,
                               .n_traps = n_traps};
  test_stream s = {.n_bytes = 0};
  oct_diag diag = {0};
  void *e;
  if (t->encoder.create(params, &run, &e, &diag) || t->encoder.put(e, &in, &diag) ||
      t->encoder.flush(e, &diag))
    fail_msg("%s: %s", t->name, oct_diag_line(&diag).text);
  take_bytes(t, e, &s);
  t->encoder.destroy(e);
  return s;
}

/* Hold a run against the trace from instruction number *next, whose accesses begin at *expected. */
static inline void compare_run(const oct_tracer *t, const uint32_t *params, const test_trace *x,
                               const oct_decoded *run, uint64_t *next,
                               const oct_access **expected) {
  const oct_access *a = run->batch.accesses;
  bool has_data = oct_tracer_carries_data(t, params);
  for (; run->batch.n_insns && *next < run->first_insn && *next < x->n_insns; ++*next)
    *expected += x->insns[*next].n_access;
  if (run->batch.n_insns) assert_int_equal(run->first_insn, *next);
  for (size_t i = 0; i < run->batch.n_insns; i++, ++*next) {
    const oct_insn *d = &run->batch.insns[i], *e = &x->insns[*next];
    bool is_partial = d->flags & OCT_INSN_PARTIAL;
    if (*next >= x->n_insns || d->addr != e->addr || d->size_bytes != e->size_bytes ||
        d->task != e->task)
      fail_msg("%s: %s: instruction %llu differs", t->name, x->name, (unsigned long long)*next);
    if (has_data && (is_partial ? d->n_access > e->n_access : d->n_access != e->n_access))
      fail_msg("%s: %s: instruction %llu: %u accesses, expected %u", t->name, x->name,
               (unsigned long long)*next, d->n_access, e->n_access);
    for (unsigned k = 0; has_data && k < d->n_access; k++, a++)
      if (a->addr != (*expected)[k].addr || a->is_store != (*expected)[k].is_store ||
          a->size_bytes != (*expected)[k].size_bytes)
        fail_msg("%s: %s: access %u of instruction %llu differs", t->name, x->name, k,
                 (unsigned long long)*next);
    *expected += e->n_access;
  }
}

/* Decode in pieces of random length. The decoder's last answer: 0, or the error in d->diag. */
static inline int decode(const oct_tracer *t, const uint32_t *params, const test_trace *x,
                         const uint8_t *bytes, size_t n_bytes, test_decoded *d) {
  const oct_access *expected = x->accesses;
  size_t at = 0, piece = 1 + below(5000);
  unsigned n_errors = 0;
  uint64_t next = 0, found_bit = UINT64_MAX; /* where the decoder went on last */
  bool has_first = false, is_finished = false;
  oct_decoded run;
  void *decoder;
  int got;
  int error = t->decoder.create(params, d->start, &decoder, &d->diag);
  if (error == OCT_ERR_CONFIG && d->start == OCT_START_SEARCH) return error; /* has no syncs */
  if (error) fail_msg("%s", oct_diag_line(&d->diag).text);
  assert_int_equal(t->decoder.map(decoder, x->updates, x->n_updates, &d->diag), 0);
  for (;;) {
    while ((got = t->decoder.next(decoder, &run, &d->diag)) > 0) {
      /* What is told of a loss counts as well. */
      if (!has_first && (run.batch.n_insns || run.is_gap)) d->first_insn = run.first_insn;
      has_first = has_first || run.batch.n_insns || run.is_gap;
      if (!d->is_damaged) compare_run(t, params, x, &run, &next, &expected);
    }
    if (got < 0) {
      assert_true(d->diag.text[0]);
      if (!d->is_damaged || !t->decoder.resync || ++n_errors > 100) break;
      if (t->decoder.resync(decoder, &d->diag) > 0) {
        t->decoder.counts(decoder, &d->counts);
        if (d->counts.bit_offset == found_bit)
          fail_msg("%s: goes on at bit %llu again and again", t->name,
                   (unsigned long long)found_bit);
        found_bit = d->counts.bit_offset;
        continue;
      }
    }
    if (is_finished) break;
    size_t n = n_bytes - at < piece ? n_bytes - at : piece;
    assert_int_equal(t->decoder.push(decoder, bytes + at, n, &d->diag), 0);
    at += n;
    if (at == n_bytes) t->decoder.finish(decoder);
    is_finished = at == n_bytes;
  }
  t->decoder.counts(decoder, &d->counts);
  t->decoder.destroy(decoder);
  return got;
}

#endif
