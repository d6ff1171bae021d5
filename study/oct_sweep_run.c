/* SPDX-License-Identifier: Apache-2.0 */
/* oct_sweep_run.c - runs a plan over several traces on several threads, with a journal.
 *
 * A thread takes a trace at a time. Where there are more threads than traces left, and each
 * geometry is run alone, those to spare take the encoders of a batch in turn. */
#include "octrace/sweep.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The geometries of one trace that are to be run: all at once where the tracer can, or an encoder
 * for each. */
typedef struct engine {
  const oct_tracer *tracer;
  void *sweep;
  void **encoders;
  size_t n;
} engine;

/* What the threads share. */
typedef struct shared {
  oct_sweep_run *run;
  atomic_size_t next_trace;
  atomic_uint_fast64_t insns, bytes;
  pthread_mutex_t lock; /* of what is below */
  pthread_cond_t ended;
  size_t n_ended;
  int64_t total_bytes; /* of traces that have ended, what was read of them; of the others, their
                          files */
} shared;

static void engine_free(engine *e) {
  for (size_t i = 0; e->encoders && i < e->n; i++) e->tracer->encoder.destroy(e->encoders[i]);
  free(e->encoders);
  if (e->sweep) e->tracer->sweep->destroy(e->sweep);
}

/* params: n arrays, one behind the other. */
static int engine_init(engine *e, const oct_tracer *t, const uint32_t *params, size_t n,
                       const oct_run_options *run, oct_diag *diag) {
  int error = 0;
  *e = (engine){.tracer = t, .n = n};
  if (run->engine == OCT_ENGINE_UNTIMED && t->sweep)
    return t->sweep->create(params, n, &e->sweep, diag);
  e->encoders = calloc(n, sizeof *e->encoders);
  if (!e->encoders) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  for (size_t i = 0; i < n && !error; i++)
    error = t->encoder.create(params + i * t->n_params, run, &e->encoders[i], diag);
  return error;
}

/* A batch on its way into all encoders. */
typedef struct batch_put {
  engine *engine;
  const oct_tracer_input *in;
  atomic_size_t next;
  pthread_mutex_t lock; /* of what is below */
  size_t failed;        /* the first encoder that did, or n */
  int error;
  oct_diag diag;
} batch_put;

static void *put_some(void *arg) {
  batch_put *p = arg;
  const engine *e = p->engine;
  size_t i;
  while ((i = atomic_fetch_add(&p->next, 1)) < e->n) {
    const uint8_t *bytes;
    oct_diag diag = {0};
    int error = e->tracer->encoder.put(e->encoders[i], p->in, &diag);
    e->tracer->encoder.take(e->encoders[i], &bytes);
    if (!error) continue;
    pthread_mutex_lock(&p->lock);
    if (i < p->failed) {
      p->failed = i;
      p->error = error;
      p->diag = diag;
    }
    pthread_mutex_unlock(&p->lock);
  }
  return NULL;
}

/* threads: how many may work on it, this one among them. A batch is work for long enough that they
 * are started anew each time. */
static int engine_put(engine *e, const oct_source *s, unsigned threads, oct_diag *diag) {
  enum { THREADS_MAX = 256 };
  const oct_tracer_input in = oct_tracer_input_of(&s->batch, s->updates, s->n_updates);
  pthread_t others[THREADS_MAX];
  unsigned started = 0;
  if (e->sweep) return e->tracer->sweep->put(e->sweep, &in, diag);
  batch_put p = {.engine = e, .in = &in, .failed = e->n};
  pthread_mutex_init(&p.lock, NULL);
  while (started + 1 < threads && started + 1 < e->n && started < THREADS_MAX &&
         !pthread_create(&others[started], NULL, put_some, &p))
    started++;
  put_some(&p);
  while (started) pthread_join(others[--started], NULL);
  pthread_mutex_destroy(&p.lock);
  if (p.error && diag) *diag = p.diag;
  return p.error;
}

static int engine_flush(engine *e, oct_diag *diag) {
  int error = 0;
  if (e->sweep) return e->tracer->sweep->flush(e->sweep, diag);
  for (size_t i = 0; i < e->n && !error; i++)
    error = e->tracer->encoder.flush(e->encoders[i], diag);
  return error;
}

static void engine_counters(const engine *e, size_t i, uint64_t *values) {
  if (e->sweep)
    e->tracer->sweep->counters(e->sweep, i, values);
  else
    e->tracer->encoder.counters(e->encoders[i], values);
}

/* How many threads a trace may have: an even share of those that no other trace needs. */
static unsigned threads_of_a_trace(shared *s) {
  pthread_mutex_lock(&s->lock);
  size_t left = s->run->n_traces - s->n_ended;
  pthread_mutex_unlock(&s->lock);
  return left < s->run->threads && left ? s->run->threads / (unsigned)left : 1;
}

/* Run the engine to the end of the trace. */
static int run_source(shared *s, oct_sweep_trace *t, oct_source *source, engine *e,
                      oct_diag *diag) {
  int got, error = 0;
  while (!error && (got = oct_source_next(source, diag)) != 0) {
    if (got < 0) return got;
    error = engine_put(e, source, threads_of_a_trace(s), diag);
    uint64_t read = oct_reader_bytes_read(source->reader);
    atomic_fetch_add(&s->insns, source->batch.n_insns);
    atomic_fetch_add(&s->bytes, read - t->bytes_read);
    t->bytes_read = read;
  }
  return error ? error : engine_flush(e, diag);
}

/* Take from the journal what it has; the numbers of the others go to missing, their count is
 * returned. */
static size_t look_up_rows(const oct_sweep_run *r, oct_sweep_trace *t, const uint64_t *keys,
                           size_t *missing) {
  const oct_tracer *tracer = r->plan->tracer;
  size_t n = 0;
  for (size_t i = 0; i < r->plan->n; i++)
    if (!keys ||
        !oct_journal_find(r->journal, keys[i], tracer, t->counters + i * tracer->n_counters))
      missing[n++] = i;
  t->n_reused = r->plan->n - n;
  return n;
}

/* Run the n geometries numbered missing, and write them to the journal. keys are NULL where there
 * is none. */
static int run_missing(shared *s, oct_sweep_trace *t, oct_source *source, const uint64_t *keys,
                       const size_t *missing, size_t n, oct_diag *diag) {
  const oct_tracer *tracer = s->run->plan->tracer;
  size_t params_bytes = tracer->n_params * sizeof(uint32_t);
  uint32_t *params = malloc(n * params_bytes + 1);
  uint64_t *new_keys = malloc(n * sizeof *new_keys);
  uint64_t *counters = malloc(n * tracer->n_counters * sizeof *counters);
  engine e = {.tracer = tracer};
  int error = params && new_keys && counters ? 0 : oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  for (size_t i = 0; i < n && !error; i++) {
    memcpy(params + i * tracer->n_params, t->geometries[missing[i]].params, params_bytes);
    if (keys) new_keys[i] = keys[missing[i]];
  }
  if (!error) error = engine_init(&e, tracer, params, n, s->run->run, diag);
  if (!error) error = run_source(s, t, source, &e, diag);
  for (size_t i = 0; i < n && !error; i++) {
    uint64_t *values = counters + i * tracer->n_counters;
    engine_counters(&e, i, values);
    memcpy(t->counters + missing[i] * tracer->n_counters, values,
           tracer->n_counters * sizeof *values);
  }
  if (!error && keys)
    error = oct_journal_append(s->run->journal, new_keys, tracer, counters, n, diag);
  engine_free(&e);
  free(params);
  free(new_keys);
  free(counters);
  return error;
}

/* The plan's geometries, fitted to the trace. */
static int fit_geometries(const oct_sweep_run *r, oct_sweep_trace *t, const oct_trace_info *info,
                          oct_diag *diag) {
  const oct_tracer *tracer = r->plan->tracer;
  bool given[OCT_TRACER_PARAMS_MAX];
  int error = 0;
  for (unsigned i = 0; i < tracer->n_params; i++) given[i] = r->given[i] || r->plan->given[i];
  for (size_t i = 0; i < r->plan->n && !error; i++) {
    uint32_t *params = t->geometries[i].params;
    t->geometries[i] = r->plan->geometries[i];
    error = oct_tracer_fit(tracer, params, given, info->isa, info->addr_bits,
                           info->insn_align_bytes, diag);
    if (!error) error = oct_tracer_check(tracer, params, diag);
  }
  return error;
}

/* Whether a geometry goes by an alignment that was found in the trace. */
static bool uses_found_align(const oct_plan *plan, const oct_sweep_trace *t) {
  int align = oct_tracer_role(plan->tracer, OCT_ROLE_PC_ALIGN_BITS);
  if (align < 0 || plan->given[align]) return false;
  for (size_t i = 0; i < plan->n; i++)
    if (t->geometries[i].params[align]) return true;
  return false;
}

static int run_trace(shared *s, oct_sweep_trace *t, oct_diag *diag) {
  const oct_sweep_run *r = s->run;
  const oct_tracer *tracer = r->plan->tracer;
  size_t n = r->plan->n, *missing = malloc(n * sizeof *missing);
  uint64_t *keys = NULL, hash = 0;
  oct_source source;
  t->geometries = malloc(n * sizeof *t->geometries);
  t->counters = calloc(n, tracer->n_counters * sizeof *t->counters);
  int error =
      missing && t->geometries && t->counters ? 0 : oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  if (!error) error = oct_source_open(&source, t->path, r->source, diag);
  if (error) {
    free(missing);
    return error;
  }
  error = fit_geometries(r, t, &source.info, diag);
  if (error || !uses_found_align(r->plan, t)) source.found_align_bytes = 0;
  t->found_align_bytes = source.found_align_bytes;
  int has_hash =
      !error && r->journal ? oct_journal_trace_hash(t->path, &r->source->read, &hash, diag) : 0;
  if (has_hash < 0) error = has_hash;
  if (has_hash > 0) {
    keys = malloc(n * sizeof *keys);
    if (!keys) error = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    for (size_t i = 0; i < n && !error; i++)
      keys[i] = oct_journal_key(hash, tracer, t->geometries[i].params, r->run, r->source);
  }
  if (!error) {
    size_t n_missing = look_up_rows(r, t, keys, missing);
    if (n_missing) error = run_missing(s, t, &source, keys, missing, n_missing, diag);
  }
  if (!error && r->read) {
    pthread_mutex_lock(&s->lock);
    r->read(r->context, source.reader, source.n_insns);
    pthread_mutex_unlock(&s->lock);
  }
  oct_source_close(&source);
  free(missing);
  free(keys);
  return error;
}

static int64_t file_bytes(const char *path) {
  struct stat file;
  return stat(path, &file) ? 0 : (int64_t)file.st_size;
}

static void *work(void *arg) {
  shared *s = arg;
  size_t i;
  while ((i = atomic_fetch_add(&s->next_trace, 1)) < s->run->n_traces) {
    oct_sweep_trace *t = &s->run->traces[i];
    t->error = run_trace(s, t, &t->diag);
    pthread_mutex_lock(&s->lock);
    if (t->error) s->run->failed(s->run->context, t);
    s->n_ended++;
    s->total_bytes += (int64_t)t->bytes_read - file_bytes(t->path);
    pthread_cond_signal(&s->ended);
    pthread_mutex_unlock(&s->lock);
  }
  return NULL;
}

/* Until all traces have ended. */
static void show_progress(shared *s) {
  pthread_mutex_lock(&s->lock);
  while (s->n_ended < s->run->n_traces) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    pthread_cond_timedwait(&s->ended, &s->lock, &until);
    uint64_t total = s->total_bytes > 0 ? (uint64_t)s->total_bytes : 0;
    s->run->progress(s->run->context, atomic_load(&s->insns), atomic_load(&s->bytes), total);
  }
  pthread_mutex_unlock(&s->lock);
}

int oct_sweep_run_all(oct_sweep_run *r) {
  shared s = {.run = r};
  size_t n = r->threads < r->n_traces ? r->threads : r->n_traces, started = 0;
  pthread_t *threads = malloc(n * sizeof *threads);
  int error = 0;
  for (size_t i = 0; i < r->n_traces; i++) s.total_bytes += file_bytes(r->traces[i].path);
  pthread_mutex_init(&s.lock, NULL);
  pthread_cond_init(&s.ended, NULL);
  while (threads && started < n && !pthread_create(&threads[started], NULL, work, &s)) started++;
  if (!started) work(&s); /* no thread to be had: one after the other, here */
  show_progress(&s);
  for (size_t i = 0; i < started; i++) pthread_join(threads[i], NULL);
  pthread_cond_destroy(&s.ended);
  pthread_mutex_destroy(&s.lock);
  free(threads);
  for (size_t i = 0; i < r->n_traces; i++)
    if (r->traces[i].error) error = r->traces[i].error;
  return error;
}

void oct_sweep_run_free(oct_sweep_run *r) {
  for (size_t i = 0; i < r->n_traces; i++) {
    free(r->traces[i].geometries);
    free(r->traces[i].counters);
  }
}
