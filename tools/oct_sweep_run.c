/* SPDX-License-Identifier: Apache-2.0 */
/* oct_sweep_run.c - runs a plan over several traces on several threads, with a journal. */
#include "oct_sweep_run.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "oct_checkpoint.h"
#include "oct_sweep.h"

/* The geometries of one trace that are to be run, on one engine or the other. */
typedef struct engine {
  oct_sweep *sweep;
  oct_compressor **compressors; /* cycle engine: one each */
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
  for (size_t i = 0; e->compressors && i < e->n; i++) oct_compressor_free(e->compressors[i]);
  free(e->compressors);
  oct_sweep_free(e->sweep);
}

static int engine_init(engine *e, const oct_config *cfgs, size_t n, const oct_run_options *run,
                       oct_diag *diag) {
  int error = 0;
  memset(e, 0, sizeof *e);
  e->n = n;
  if (run->engine == OCT_ENGINE_UNTIMED) return oct_sweep_new(cfgs, n, &e->sweep, diag);
  e->compressors = calloc(n, sizeof *e->compressors);
  if (!e->compressors) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  for (size_t i = 0; i < n && !error; i++)
    error = oct_compressor_new(&cfgs[i], run, &e->compressors[i], diag);
  return error;
}

static int engine_put(engine *e, const oct_batch *b, oct_diag *diag) {
  int error = 0;
  if (e->sweep) return oct_sweep_put(e->sweep, b->insns, b->n_insns, b->accesses, diag);
  for (size_t i = 0; i < e->n && !error; i++) {
    const uint8_t *bytes;
    error = oct_compressor_put(e->compressors[i], b->insns, b->n_insns, b->accesses, diag);
    oct_compressor_take(e->compressors[i], &bytes);
  }
  return error;
}

static int engine_flush(engine *e, oct_diag *diag) {
  int error = 0;
  if (e->sweep) return oct_sweep_flush(e->sweep, diag);
  for (size_t i = 0; i < e->n && !error; i++) error = oct_compressor_flush(e->compressors[i], diag);
  return error;
}

static void engine_counts(const engine *e, size_t i, oct_counts *counts) {
  oct_stats stats;
  if (e->sweep)
    oct_sweep_stats(e->sweep, i, &stats);
  else
    stats = *oct_compressor_stats(e->compressors[i]);
  oct_counts_pack(counts, &stats);
}

static void engine_move(void *machine, oct_state *io) {
  engine *e = machine;
  if (e->sweep) oct_sweep_state(e->sweep, io);
  for (size_t i = 0; e->compressors && i < e->n; i++) oct_compressor_state(e->compressors[i], io);
}

/* Run the engine, which has taken the first n_taken instructions, to the end. */
static int run_source(shared *s, oct_sweep_trace *t, oct_cli_source *source, engine *e,
                      uint64_t n_taken, oct_checkpoint *checkpoint, oct_diag *diag) {
  int got, error = 0;
  while (!error && (got = oct_cli_source_next(source, diag)) != 0) {
    if (got < 0) return got;
    uint64_t first = source->n_insns - source->batch.n_insns;
    if (first < n_taken && n_taken < source->n_insns)
      return oct_fail(diag, OCT_ERR_FORMAT, "%s: instruction %" PRIu64 " is inside of a block",
                      checkpoint->path, n_taken);
    if (first >= n_taken) {
      error = engine_put(e, &source->batch, diag);
      if (!error && oct_checkpoint_save(checkpoint, source->n_insns, engine_move, e))
        oct_cli_error(0, "sweep: %s: cannot write; a sweep that is killed goes on by whole traces",
                      checkpoint->path);
    }
    uint64_t read = oct_reader_bytes_read(source->reader);
    atomic_fetch_add(&s->insns, source->batch.n_insns);
    atomic_fetch_add(&s->bytes, read - t->bytes_read);
    t->bytes_read = read;
  }
  return error ? error : engine_flush(e, diag);
}

/* The engine as a run that was killed left it, or a new one. */
static int start_engine(shared *s, const char *path, engine *e, const oct_config *cfgs, size_t n,
                        oct_checkpoint *checkpoint, uint64_t *n_taken, oct_diag *diag) {
  const oct_run_options *run = &s->run->args->run;
  int error = engine_init(e, cfgs, n, run, diag);
  if (error) return error;
  int64_t got = oct_checkpoint_load(checkpoint, engine_move, e);
  if (got < 0) {
    engine_free(e);
    error = engine_init(e, cfgs, n, run, diag);
  }
  *n_taken = got > 0 ? (uint64_t)got : 0;
  if (got > 0) oct_cli_error(0, "sweep: %s goes on at instruction %" PRIu64, path, *n_taken);
  return error;
}

/* Take from the journal what it has; the numbers of the others go to missing, their count is
 * returned. */
static size_t look_up_rows(const oct_sweep_run *r, oct_sweep_trace *t, const uint64_t *keys,
                           size_t *missing) {
  size_t n = 0;
  for (size_t i = 0; i < r->plan->n; i++) {
    const oct_counts *known = keys ? oct_journal_find(r->journal, keys[i]) : NULL;
    if (known)
      t->counts[i] = *known;
    else
      missing[n++] = i;
  }
  t->n_reused = r->plan->n - n;
  return n;
}

/* Run the n geometries numbered missing, and write them to the journal. keys are NULL where there
 * is none. */
static int run_missing(shared *s, oct_sweep_trace *t, oct_cli_source *source, uint64_t hash,
                       const uint64_t *keys, const size_t *missing, size_t n, oct_diag *diag) {
  oct_config *cfgs = malloc(n * sizeof *cfgs);
  uint64_t *new_keys = malloc(n * sizeof *new_keys);
  oct_counts *counts = malloc(n * sizeof *counts);
  engine e = {.sweep = NULL};
  oct_checkpoint checkpoint = {.lock = -1};
  bool is_kept = false;
  uint64_t n_taken = 0;
  int error = cfgs && new_keys && counts ? 0 : oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  for (size_t i = 0; i < n && !error; i++) {
    cfgs[i] = t->cfgs[missing[i]];
    if (keys) new_keys[i] = keys[missing[i]];
  }
  if (!error && keys &&
      oct_checkpoint_init(&checkpoint, oct_journal_path(s->run->journal), hash,
                          XXH3_64bits(new_keys, n * sizeof *new_keys), s->run->save_seconds))
    error = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  if (!error) error = start_engine(s, t->path, &e, cfgs, n, &checkpoint, &n_taken, diag);
  if (!error) error = run_source(s, t, source, &e, n_taken, &checkpoint, diag);
  for (size_t i = 0; i < n && !error; i++) {
    engine_counts(&e, i, &counts[i]);
    t->counts[missing[i]] = counts[i];
  }
  if (!error && keys) {
    error = oct_journal_append(s->run->journal, new_keys, counts, n, diag);
    is_kept = error != 0; /* once there is room, not all is to be done again */
  }
  if (!is_kept) oct_checkpoint_remove(&checkpoint);
  oct_checkpoint_free(&checkpoint);
  engine_free(&e);
  free(cfgs);
  free(new_keys);
  free(counts);
  return error;
}

/* A run that was killed when all was in the journal left its checkpoint. */
static void remove_checkpoint(const shared *s, uint64_t hash) {
  oct_checkpoint c;
  if (oct_checkpoint_init(&c, oct_journal_path(s->run->journal), hash, 0, 0)) return;
  oct_checkpoint_remove(&c);
  oct_checkpoint_free(&c);
}

static int run_trace(shared *s, oct_sweep_trace *t, oct_diag *diag) {
  const oct_sweep_run *r = s->run;
  size_t n = r->plan->n, *missing = malloc(n * sizeof *missing);
  uint64_t *keys = NULL, hash = 0;
  oct_run_args a = *r->args;
  oct_cli_source source;
  t->cfgs = malloc(n * sizeof *t->cfgs);
  t->counts = calloc(n, sizeof *t->counts);
  int error = missing && t->cfgs && t->counts ? 0 : oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  if (!error) error = oct_cli_source_open(&source, t->path, &a, "sweep", diag);
  if (error) {
    free(missing);
    return error;
  }
  source.progress.enabled = false; /* of all traces together: show_progress */
  for (size_t i = 0; i < n && !error; i++) {
    t->cfgs[i] = r->plan->cfgs[i];
    oct_cli_fit(&t->cfgs[i], a.addr_bits_given || r->plan->addr_bits_given,
                a.pc_align_given || r->plan->pc_align_given, &source.info);
    error = oct_config_check(&t->cfgs[i], diag);
  }
  int has_hash = !error && r->journal ? oct_journal_trace_hash(t->path, &a.read, &hash, diag) : 0;
  if (has_hash < 0) error = has_hash;
  if (has_hash > 0) {
    keys = malloc(n * sizeof *keys);
    if (!keys) error = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    for (size_t i = 0; i < n && !error; i++) keys[i] = oct_journal_key(hash, &t->cfgs[i], &a);
  }
  if (!error) {
    size_t n_missing = look_up_rows(r, t, keys, missing);
    if (n_missing)
      error = run_missing(s, t, &source, hash, keys, missing, n_missing, diag);
    else
      remove_checkpoint(s, hash);
  }
  oct_cli_source_close(&source);
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
    oct_diag diag = {0};
    oct_sweep_trace *t = &s->run->traces[i];
    t->error = run_trace(s, t, &diag);
    if (t->error) oct_cli_diag(t->path, &diag);
    pthread_mutex_lock(&s->lock);
    s->n_ended++;
    s->total_bytes += (int64_t)t->bytes_read - file_bytes(t->path);
    pthread_cond_signal(&s->ended);
    pthread_mutex_unlock(&s->lock);
  }
  return NULL;
}

/* Until all traces have ended. */
static void show_progress(shared *s) {
  oct_progress progress;
  oct_progress_start(&progress, "sweep");
  pthread_mutex_lock(&s->lock);
  while (s->n_ended < s->run->n_traces) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    pthread_cond_timedwait(&s->ended, &s->lock, &until);
    uint64_t total = s->total_bytes > 0 ? (uint64_t)s->total_bytes : 0;
    oct_progress_update(&progress, atomic_load(&s->insns), atomic_load(&s->bytes), total);
  }
  pthread_mutex_unlock(&s->lock);
  oct_progress_end(&progress);
}

int oct_sweep_run_all(oct_sweep_run *r) {
  shared s = {.run = r};
  size_t n = r->threads < r->n_traces ? r->threads : r->n_traces, started = 0;
  pthread_t *threads = malloc(n * sizeof *threads);
  int code = OCT_EXIT_OK;
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
    if (r->traces[i].error) code = OCT_EXIT_INPUT;
  return code;
}

void oct_sweep_run_free(oct_sweep_run *r) {
  for (size_t i = 0; i < r->n_traces; i++) {
    free(r->traces[i].cfgs);
    free(r->traces[i].counts);
  }
}
