/* SPDX-License-Identifier: Apache-2.0 */
/* oct_bench_run.c - measures one codec, or one tracer, on one input.
 *
 * Each repetition runs in a process of its own, so that its peak of memory is its own and nothing
 * that one codec leaves behind in heap or caches of the allocator helps another. */
#include "oct_bench_run.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "octrace/codec.h"

enum { REPEATS_MAX = 99, BATCH_INSNS = 65536, PORT_BYTES = 65536 };

/* What a child process tells. */
typedef struct child_report {
  int error;
  oct_diag diag;
  uint64_t raw_bytes, packed_bytes, n_records, peak_bytes;
  double pack_seconds, unpack_seconds;
} child_report;

/* A codec at work in the child. */
typedef struct bench_job {
  const oct_bench_input *in;
  const oct_codec_settings *settings; /* NULL: a tracer, */
  const oct_tracer *tracer;
  const uint32_t *params;
  bool events;
  unsigned n_threads;
} bench_job;

typedef struct memory_file {
  oct_buffer bytes;
  size_t at;
} memory_file;

static int memory_write(void *context, const void *bytes, size_t n, oct_diag *diag) {
  memory_file *m = context;
  return oct_buffer_put(&m->bytes, bytes, n) ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory") : 0;
}

static int64_t memory_read(void *context, void *bytes, size_t n, oct_diag *diag) {
  memory_file *m = context;
  size_t left = m->bytes.n_bytes - m->at;
  (void)diag;
  if (n > left) n = left;
  if (n) memcpy(bytes, m->bytes.bytes + m->at, n);
  m->at += n;
  return (int64_t)n;
}

static clockid_t bench_clock = CLOCK_MONOTONIC;

void oct_bench_clock(bool cpu) {
  bench_clock = cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
}

static double now(void) {
  struct timespec t;
  clock_gettime(bench_clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t resident_bytes(void) {
  unsigned long size = 0, resident = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (!f) return 0;
  if (fscanf(f, "%lu %lu", &size, &resident) != 2) resident = 0;
  fclose(f);
  return (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Records: which ones the codec takes, and the head of a file of them. */
static int records_head(const bench_job *job, oct_codec_head *head, const oct_buffer **records,
                        oct_diag *diag) {
  oct_diag own;
  bool pairs =
      !job->in->only_addresses && !oct_codec_check_layout(job->settings, &oct_layout_pc_ed, &own);
  *records = pairs ? &job->in->records : &job->in->addresses;
  memset(head, 0, sizeof *head);
  head->settings = *job->settings;
  head->n_channels = 1;
  head->channels[0].layout = pairs ? oct_layout_pc_ed : oct_layout_addr64;
  snprintf(head->channels[0].name, sizeof head->channels[0].name, "records");
  return pairs ? 0 : oct_codec_check_layout(job->settings, &oct_layout_addr64, diag);
}

static int run_records(const bench_job *job, child_report *r) {
  oct_codec_head *head = calloc(1, sizeof *head);
  const oct_buffer *records;
  memory_file file = {{0}, 0};
  const oct_sink sink = {memory_write, &file};
  const oct_source_bytes source = {memory_read, &file};
  oct_codec_writer *w = NULL;
  oct_codec_reader *reader = NULL;
  static uint8_t chunk[12 << 14];
  if (!head) return OCT_ERR_NOMEM;
  int error = records_head(job, head, &records, &r->diag);
  size_t record_bytes = oct_layout_bytes(&head->channels[0].layout), at = 0;
  double start = now();
  if (!error) error = oct_codec_writer_new(head, &sink, job->n_threads, &w, &r->diag);
  if (!error)
    error = oct_codec_writer_put(w, 0, records->bytes, records->n_bytes / record_bytes, &r->diag);
  if (!error) error = oct_codec_writer_finish(w, &r->diag);
  oct_codec_writer_free(w);
  double packed = now();
  if (!error) error = oct_codec_reader_new(&source, job->n_threads, &reader, &r->diag);
  if (!error) oct_codec_reader_max_memory(reader, UINT64_MAX); /* the file is our own */
  int64_t got = 0;
  while (!error && (got = oct_codec_reader_get(reader, 0, chunk, sizeof chunk / record_bytes,
                                               &r->diag)) > 0) {
    size_t n = (size_t)got * record_bytes;
    if (job->settings->codec->lossless &&
        (records->n_bytes - at < n || memcmp(records->bytes + at, chunk, n)))
      error = oct_fail(&r->diag, OCT_ERR_MISMATCH, "record %zu or one soon after differs",
                       at / record_bytes);
    at += n;
  }
  r->unpack_seconds = now() - packed;
  r->pack_seconds = packed - start;
  if (!error && got < 0) error = (int)got;
  if (!error && at != records->n_bytes)
    error =
        oct_fail(&r->diag, OCT_ERR_MISMATCH, "%zu bytes came back of %zu", at, records->n_bytes);
  oct_codec_reader_free(reader);
  r->raw_bytes = records->n_bytes;
  r->packed_bytes = file.bytes.n_bytes;
  r->n_records = job->in->n_records;
  oct_buffer_free(&file.bytes);
  free(head);
  return error;
}

/* Bytes of the addresses of instructions and accesses: what the papers call the raw trace. */
static uint64_t raw_trace_bytes(const oct_bench_input *in) {
  return (uint64_t)(in->n_insns + in->n_accesses) * (in->info.addr_bits > 32 ? 8 : 4);
}

/* Call put for all events, a batch at a time. */
typedef int put_fn(void *context, const oct_insn *insns, size_t n, const oct_access *accesses,
                   const oct_map_update *updates, size_t n_updates, oct_diag *diag);
static int put_events(const oct_bench_input *in, put_fn *put, void *context, oct_diag *diag) {
  const oct_access *access = in->accesses;
  size_t update = 0;
  int error = 0;
  for (size_t i = 0; !error && i < in->n_insns; i += BATCH_INSNS) {
    size_t n = in->n_insns - i < BATCH_INSNS ? in->n_insns - i : BATCH_INSNS, last = update;
    while (last < in->n_updates && in->updates[last].from_insn < i + n) last++;
    error = put(context, in->insns + i, n, access, in->updates + update, last - update, diag);
    update = last;
    for (size_t k = i; k < i + n; k++) access += in->insns[k].n_access;
  }
  return error;
}

typedef struct tracer_run {
  const oct_bench_input *in;
  const oct_tracer *tracer;
  void *encoder;
  oct_buffer *port;
  size_t at_fact; /* the next one */
} tracer_run;

static int keep_port_bytes(tracer_run *x, oct_diag *diag) {
  const uint8_t *bytes;
  size_t n = x->tracer->encoder.take(x->encoder, &bytes);
  return oct_buffer_put(x->port, bytes, n) ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory") : 0;
}

static int put_tracer(void *context, const oct_insn *insns, size_t n, const oct_access *accesses,
                      const oct_map_update *updates, size_t n_updates, oct_diag *diag) {
  tracer_run *x = context;
  const size_t first = (size_t)(insns - x->in->insns);
  size_t n_accesses = 0, n_facts = 0;
  for (size_t i = 0; i < n; i++) n_accesses += insns[i].n_access;
  while (x->at_fact + n_facts < x->in->n_facts &&
         (x->in->facts[x->at_fact + n_facts].insn < first + n || first + n == x->in->n_insns))
    n_facts++;
  oct_fact *facts = malloc((n_facts + 1) * sizeof *facts);
  if (!facts) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  for (size_t i = 0; i < n_facts; i++) {
    facts[i] = x->in->facts[x->at_fact++];
    facts[i].insn -= (uint32_t)first;
  }
  const oct_tracer_input in = {.insns = insns,
                               .n_insns = n,
                               .accesses = accesses,
                               .n_accesses = n_accesses,
                               .updates = updates,
                               .n_updates = n_updates,
                               .facts = facts,
                               .n_facts = n_facts,
                               .values = x->in->values,
                               .n_values = x->in->n_values};
  int error = x->tracer->encoder.put(x->encoder, &in, diag);
  free(facts);
  return error ? error : keep_port_bytes(x, diag);
}

static int put_split(void *context, const oct_insn *insns, size_t n, const oct_access *accesses,
                     const oct_map_update *updates, size_t n_updates, oct_diag *diag) {
  const oct_batch batch = {.insns = insns, .n_insns = n, .accesses = accesses};
  return oct_trace_split_put(context, &batch, updates, n_updates, diag);
}

/* with_stamps: cycle stamps count too. */
static int compare_hashes(const bench_job *job, int with_stamps, oct_event_hash *back,
                          oct_diag *diag) {
  oct_event_hash *want = oct_event_hash_new(with_stamps ? OCT_HASH_STAMPS : 0);
  const oct_batch all = {
      .insns = job->in->insns, .n_insns = job->in->n_insns, .accesses = job->in->accesses};
  if (!want) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  oct_event_hash_put(want, &all);
  bool equal = oct_event_hash_value(want) == oct_event_hash_value(back);
  oct_event_hash_free(want);
  return equal || (job->settings && !job->settings->codec->lossless)
             ? 0
             : oct_fail(diag, OCT_ERR_MISMATCH, "other events came back");
}

static int run_events(const bench_job *job, child_report *r) {
  memory_file file = {{0}, 0};
  const oct_sink sink = {memory_write, &file};
  const oct_source_bytes source = {memory_read, &file};
  oct_trace_split *split = NULL;
  oct_codec_reader *reader = NULL;
  oct_trace_join *join = NULL;
  oct_event_hash *hash = oct_event_hash_new(OCT_HASH_STAMPS);
  oct_batch batch;
  size_t n_insns = 0, n_accesses = 0;
  int got = 0;
  if (!hash) return OCT_ERR_NOMEM;
  double start = now();
  int error = oct_trace_split_new(job->settings, &job->in->info, &sink, job->n_threads, false,
                                  &split, &r->diag);
  if (!error) error = put_events(job->in, put_split, split, &r->diag);
  if (!error) error = oct_trace_split_finish(split, &r->diag);
  oct_trace_split_free(split);
  double packed = now();
  if (!error) error = oct_codec_reader_new(&source, job->n_threads, &reader, &r->diag);
  if (!error) oct_codec_reader_max_memory(reader, UINT64_MAX); /* the file is our own */
  if (!error) error = oct_trace_join_new(reader, &join, &r->diag);
  while (!error && (got = oct_trace_join_next(join, &batch, &r->diag)) > 0) {
    oct_event_hash_put(hash, &batch);
    n_insns += batch.n_insns;
    n_accesses += batch.n_accesses;
  }
  r->unpack_seconds = now() - packed;
  r->pack_seconds = packed - start;
  if (!error && got < 0) error = got;
  oct_trace_join_free(join);
  oct_codec_reader_free(reader);
  /* A lossy codec gives back as many events as it was given. */
  if (!error && (n_insns != job->in->n_insns || n_accesses != job->in->n_accesses))
    error = oct_fail(&r->diag, OCT_ERR_MISMATCH, "%s came back",
                     oct_cli_counts(n_insns, n_accesses).text);
  if (!error) error = compare_hashes(job, 1, hash, &r->diag);
  oct_event_hash_free(hash);
  r->raw_bytes = raw_trace_bytes(job->in);
  r->packed_bytes = file.bytes.n_bytes;
  r->n_records = job->in->n_insns;
  oct_buffer_free(&file.bytes);
  return error;
}

/* The port bytes of all events. */
static int encode(const bench_job *job, oct_buffer *port, child_report *r) {
  const oct_tracer *t = job->tracer;
  const oct_run_options run = {.engine = OCT_ENGINE_UNTIMED, .cpi_milli = 1000, .seed = 1};
  tracer_run x = {.in = job->in, .tracer = t, .port = port};
  int error = t->encoder.create(job->params, &run, &x.encoder, &r->diag);
  if (!error) error = put_events(job->in, put_tracer, &x, &r->diag);
  if (!error) error = t->encoder.flush(x.encoder, &r->diag);
  if (!error) error = keep_port_bytes(&x, &r->diag);
  t->encoder.destroy(x.encoder);
  return error;
}

/* All of it, in pieces, as a program that reads a port would. */
static int decode(const bench_job *job, const oct_buffer *port, oct_event_hash *hash,
                  child_report *r) {
  const oct_tracer_decoder *d = &job->tracer->decoder;
  oct_decoded run;
  void *decoder;
  int got = 0, error = d->create(job->params, OCT_START_IN_STEP, &decoder, &r->diag);
  if (error) return error;
  error = d->map(decoder, job->in->updates, job->in->n_updates, &r->diag);
  for (size_t at = 0; !error && got >= 0;) {
    while (!error && (got = d->next(decoder, &run, &r->diag)) > 0)
      oct_event_hash_put(hash, &run.batch);
    if (got < 0 || at == port->n_bytes) break;
    size_t n = port->n_bytes - at < PORT_BYTES ? port->n_bytes - at : PORT_BYTES;
    error = d->push(decoder, port->bytes + at, n, &r->diag);
    at += n;
    if (at == port->n_bytes) d->finish(decoder);
  }
  d->destroy(decoder);
  return error ? error : got;
}

static int run_tracer(const bench_job *job, child_report *r) {
  oct_buffer port = {0};
  oct_event_hash *hash = oct_event_hash_new(0);
  if (!hash) return OCT_ERR_NOMEM;
  double start = now();
  int error = encode(job, &port, r);
  double packed = now();
  if (!error) error = decode(job, &port, hash, r);
  r->unpack_seconds = now() - packed;
  r->pack_seconds = packed - start;
  if (!error && oct_tracer_carries_data(job->tracer, job->params))
    error = compare_hashes(job, 0, hash, &r->diag);
  oct_event_hash_free(hash);
  r->packed_bytes = port.n_bytes;
  oct_buffer_free(&port);
  r->raw_bytes = raw_trace_bytes(job->in);
  r->n_records = job->in->n_insns;
  return error;
}

static void run_child(const bench_job *job, int to_parent) {
  child_report r = {0};
  struct rusage usage;
  uint64_t before = resident_bytes();
  r.error = !job->settings ? run_tracer(job, &r)
            : job->events  ? run_events(job, &r)
                           : run_records(job, &r);
  if (r.error) { /* what it points to stays in this process */
    r.diag.error = r.error;
    oct_fail(&r.diag, r.error, "%s", oct_diag_reason(&r.diag).text);
  }
  getrusage(RUSAGE_SELF, &usage);
  uint64_t peak = (uint64_t)usage.ru_maxrss * 1024;
  r.peak_bytes = peak > before ? peak - before : 0;
  size_t sent = 0;
  while (sent < sizeof r) {
    ssize_t n = write(to_parent, (const char *)&r + sent, sizeof r - sent);
    if (n <= 0) _exit(1);
    sent += (size_t)n;
  }
  _exit(0);
}

/* Until the child at the other end of a pipe has something to tell, or has ended. */
static void wait_for(int from_child, const oct_bench_input *in, unsigned number, unsigned total) {
  struct pollfd end = {.fd = from_child, .events = POLLIN};
  while (poll(&end, 1, 1000) == 0)
    if (in->waits) in->waits(in->waits_context, number, total);
}

/* Repetition number of total, in a child process. */
static int run_once(const bench_job *job, unsigned number, unsigned total, child_report *r,
                    oct_diag *diag) {
  int ends[2], status = 0;
  size_t got = 0;
  if (pipe(ends)) return oct_fail(diag, OCT_ERR_IO, "cannot make a pipe");
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    run_child(job, ends[1]);
  }
  close(ends[1]);
  if (pid > 0) wait_for(ends[0], job->in, number, total);
  while (pid > 0 && got < sizeof *r) {
    ssize_t n = read(ends[0], (char *)r + got, sizeof *r - got);
    if (n <= 0) break;
    got += (size_t)n;
  }
  close(ends[0]);
  if (pid < 0) return oct_fail(diag, OCT_ERR_NOMEM, "cannot start a process");
  waitpid(pid, &status, 0);
  if (got < sizeof *r)
    return oct_fail(diag, OCT_ERR_NOMEM, "the measuring process ended early (out of memory?)");
  if (r->error) *diag = r->diag;
  return r->error;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* Sorts the times. One alone tells nothing of noise: below 0. */
static double median(double *times, unsigned n, double *noise) {
  qsort(times, n, sizeof *times, by_value);
  double middle = n % 2 ? times[n / 2] : (times[n / 2 - 1] + times[n / 2]) / 2;
  *noise = n < 2 ? -1 : middle > 0 ? (times[n - 1] - times[0]) / middle : 0;
  return middle;
}

static int repeat(const bench_job *job, unsigned repeats, oct_bench_result *result,
                  oct_diag *diag) {
  double pack[REPEATS_MAX] = {0}, unpack[REPEATS_MAX] = {0};
  child_report r = {0};
  if (repeats > REPEATS_MAX) repeats = REPEATS_MAX;
  memset(result, 0, sizeof *result);
  for (unsigned i = 0; i < repeats; i++) {
    int error = run_once(job, i + 1, repeats, &r, diag);
    if (error) return error;
    pack[i] = r.pack_seconds;
    unpack[i] = r.unpack_seconds;
    if (r.peak_bytes > result->peak_bytes) result->peak_bytes = r.peak_bytes;
  }
  result->raw_bytes = r.raw_bytes;
  result->packed_bytes = r.packed_bytes;
  result->n_records = r.n_records;
  result->pack_seconds = median(pack, repeats, &result->pack_noise);
  result->unpack_seconds = median(unpack, repeats, &result->unpack_noise);
  return 0;
}

int oct_bench_codec(const oct_bench_input *in, const oct_codec_settings *s, bool events,
                    unsigned n_threads, unsigned repeats, oct_bench_result *result,
                    oct_diag *diag) {
  if (events && !in->is_trace)
    return oct_fail(diag, OCT_ERR_UNSUPPORTED, "a file of records has no events");
  const bench_job job = {.in = in, .settings = s, .events = events, .n_threads = n_threads};
  return repeat(&job, repeats, result, diag);
}

int oct_bench_tracer(const oct_bench_input *in, const oct_tracer *t, const uint32_t *params,
                     unsigned repeats, oct_bench_result *result, oct_diag *diag) {
  if (!in->is_trace) return oct_fail(diag, OCT_ERR_UNSUPPORTED, "a file of records has no events");
  const bench_job job = {.in = in, .tracer = t, .params = params, .events = true};
  return repeat(&job, repeats, result, diag);
}
