/* SPDX-License-Identifier: Apache-2.0 */
/* oct_events_bench.c - speeds of compressing and decoding an event trace that is in memory, and how
 * much memory it takes. Usage: oct_events_bench [--lossy] TRACE [MILLIONS]: the trace is put behind
 * itself until it has so many million events (default 10). On one core. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "oct_ev_compressor.h"
#include "oct_ev_reader.h"
#include "oct_ev_source.h"

enum { BATCH = 4096, RUNS = 5 };

typedef struct memory_trace {
  oct_ev_record *records;
  size_t n, cap;
  uint64_t from, to, n_events;
  oct_ev_defs defs;
} memory_trace;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static long peak_kib(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/* Other records are left out, as their bytes do not outlive the source. */
static int load(memory_trace *t, const char *path, oct_diag *diag) {
  oct_ev_source *s;
  const oct_ev_record *r;
  size_t n;
  int got = oct_ev_source_open(path, OCT_EV_FORMAT_AUTO, &s, diag);
  if (got) return got;
  while ((got = oct_ev_source_next(s, &r, &n, diag)) > 0) {
    for (size_t i = 0; i < n; i++) {
      if (r[i].kind == OCT_EV_OTHER) continue;
      if (t->n == t->cap) {
        t->cap = t->cap ? 2 * t->cap : BATCH;
        t->records = realloc(t->records, t->cap * sizeof *t->records);
        if (!t->records) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
      }
      t->records[t->n++] = r[i];
      if (t->n == 1 || r[i].time_ticks < t->from) t->from = r[i].time_ticks;
      if (r[i].time_ticks > t->to) t->to = r[i].time_ticks;
    }
  }
  if (!got) got = oct_ev_defs_copy(&t->defs, oct_ev_source_defs(s));
  oct_ev_source_close(s);
  return got;
}

static int compress(const memory_trace *t, const oct_ev_params *params, const char *path,
                    uint64_t n_events, oct_diag *diag) {
  oct_ev_record batch[BATCH];
  oct_outfile *f;
  oct_ev_compressor *c = NULL;
  uint64_t shift = 0;
  int error = oct_outfile_open(path, &f, diag);
  if (error) return error;
  error = oct_ev_compressor_new(params, f, &c, diag);
  for (uint64_t done = 0; done < n_events && !error; shift += t->to - t->from + 1) {
    for (size_t i = 0; i < t->n && done < n_events && !error;) {
      size_t n = t->n - i < BATCH ? t->n - i : BATCH;
      if (n > n_events - done) n = (size_t)(n_events - done);
      memcpy(batch, t->records + i, n * sizeof *batch);
      for (size_t k = 0; k < n; k++) batch[k].time_ticks += shift;
      error = oct_ev_compressor_put(c, batch, n, diag);
      i += n;
      done += n;
    }
  }
  if (!error) error = oct_ev_compressor_finish(c, &t->defs, diag);
  oct_ev_compressor_free(c);
  if (error)
    oct_outfile_abort(f);
  else
    error = oct_outfile_commit(f, diag);
  return error;
}

static int decode(const char *path, uint64_t *n, uint64_t *bytes, oct_diag *diag) {
  oct_ev_reader *r;
  oct_ev_record record;
  int got = oct_ev_reader_open(path, &r, diag);
  if (got) return got;
  *n = 0;
  while ((got = oct_ev_reader_next(r, &record, diag)) > 0) ++*n;
  *bytes = oct_ev_reader_bytes_total(r);
  oct_ev_reader_close(r);
  return got;
}

typedef struct options {
  oct_ev_params given;
  uint64_t n_events;
  int time_only;
  const char *path;
} options;

static int parse(options *o, int argc, char **argv) {
  oct_ev_params_init(&o->given, 0);
  o->n_events = 10000000;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--lossy"))
      o->given.lossy = 1;
    else if (!strcmp(argv[i], "--time"))
      o->time_only = 1;
    else if (!strcmp(argv[i], "--order") && i + 1 < argc)
      o->given.max_order = (uint32_t)strtoul(argv[++i], NULL, 10);
    else if (!strcmp(argv[i], "--events") && i + 1 < argc)
      o->n_events = strtoull(argv[++i], NULL, 10);
    else if (!o->path)
      o->path = argv[i];
    else
      return 0;
  }
  return o->path != NULL;
}

static int print_time(const memory_trace *t, const options *o, const char *out, oct_diag *diag) {
  double least = 1e9;
  for (int i = 0; i < RUNS; i++) {
    double start = now();
    int error = compress(t, &o->given, out, o->n_events, diag);
    if (error) return error;
    double seconds = now() - start;
    if (seconds < least) least = seconds;
  }
  printf("%.6f\n", least);
  return 0;
}

static int print_speeds(const memory_trace *t, const options *o, const char *out, oct_diag *diag) {
  uint64_t n = 0, bytes = 0;
  long before = peak_kib();
  double start = now();
  int error = compress(t, &o->given, out, o->n_events, diag);
  double compressed = now() - start;
  long after = peak_kib();
  start = now();
  if (!error) error = decode(out, &n, &bytes, diag);
  double decoded = now() - start, millions = (double)n * 1e-6;
  if (!error)
    printf("%s: %.1f M events, %" PRIu64
           " bytes: compress %.2f M events/s, decode %.2f M "
           "events/s; memory +%.0f MiB\n",
           o->path, millions, bytes, millions / compressed, millions / decoded,
           (double)(after - before) / 1024);
  return error;
}

int main(int argc, char **argv) {
  memory_trace t = {0};
  options o = {0};
  oct_ev_params clock;
  oct_diag diag = {0};
  char out[64];
  if (!parse(&o, argc, argv)) {
    fputs("Usage: oct_events_bench [--lossy] [--order N] [--events E] [--time] TRACE\n", stderr);
    return 2;
  }
  snprintf(out, sizeof out, "/tmp/oct-events-bench-%ld", (long)getpid());
  int error = load(&t, o.path, &diag);
  oct_ev_params_init(&clock, t.defs.ticks_per_second);
  o.given.t_abs_ticks = clock.t_abs_ticks;
  o.given.drift_ticks = clock.drift_ticks;
  if (!error && !t.n) error = oct_fail(&diag, OCT_ERR_FORMAT, "%s: no events", o.path);
  if (!error) error = (o.time_only ? print_time : print_speeds)(&t, &o, out, &diag);
  remove(out);
  if (error) fprintf(stderr, "oct_events_bench: %s\n", oct_diag_line(&diag).text);
  oct_ev_defs_free(&t.defs);
  free(t.records);
  return error != 0;
}
