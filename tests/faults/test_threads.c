/* SPDX-License-Identifier: Apache-2.0 */
/* test_threads.c - may different objects of the library be used by different threads, as its
 * headers say? Each thread reads traces, compresses and decompresses them by itself, and gets what
 * one thread alone gets. ThreadSanitizer, under which CI runs it (build-tsan), sees what else goes
 * wrong. */
#include <pthread.h>

#include "../codecs/codec_util.h"
#include "oct_compressor.h"
#include "oct_decoder.h"
#include "octrace/codec.h"
#include "octrace/map.h"
#include "octrace/error.h"
#include "octrace/trace.h"

enum { THREADS = 4, TRACES = 3 };

static const char *const traces[TRACES] = {TEST_SAMPLES "/x86-64.execlog.xz",
                                           TEST_SAMPLES "/aarch64.cvp.gz",
                                           TEST_SAMPLES "/riscv64.spike.xz"};

/* cmocka's checks are for its own thread. */
#define CHECK(condition)                                              \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      abort();                                                        \
    }                                                                 \
  } while (0)

static void take_decoded(oct_compressor *c, oct_decoder *d, oct_event_hash *hash) {
  const uint8_t *bytes;
  oct_decoded run;
  oct_diag diag;
  int got;
  size_t n = oct_compressor_take(c, &bytes);
  CHECK(!n || !oct_decoder_push(d, bytes, n, &diag));
  while ((got = oct_decoder_next(d, &run, &diag)) > 0) oct_event_hash_put(hash, &run.batch);
  CHECK(!got);
}

/* What comes back from a codec file. */
static uint64_t join_hash(memory_file *file) {
  const oct_source_bytes source = {memory_read, file};
  oct_event_hash *hash = oct_event_hash_new(0);
  oct_codec_reader *r;
  oct_trace_join *join;
  oct_batch b;
  oct_diag diag;
  int got;
  CHECK(hash && !oct_codec_reader_new(&source, 1, &r, &diag));
  CHECK(!oct_trace_join_new(r, &join, &diag));
  while ((got = oct_trace_join_next(join, &b, &diag)) > 0) oct_event_hash_put(hash, &b);
  CHECK(!got);
  oct_trace_join_free(join);
  oct_codec_reader_free(r);
  uint64_t value = oct_event_hash_value(hash);
  oct_event_hash_free(hash);
  return value;
}

/* A trace through reader, map, port and codec: the hash of what was read, which all give back. */
static uint64_t run_trace(const char *path) {
  memory_file file = {{0}, 0};
  const oct_sink sink = {memory_write, &file};
  oct_event_hash *read = oct_event_hash_new(0), *decoded = oct_event_hash_new(0);
  oct_map_tracker *tracker = oct_map_tracker_new();
  oct_codec_settings settings;
  oct_config cfg;
  oct_compressor *c;
  oct_decoder *d;
  oct_trace_split *split;
  oct_reader *r;
  oct_batch b;
  oct_diag diag;
  oct_insn *insns = NULL;
  int got;
  CHECK(read && decoded && tracker);
  oct_config_init(&cfg);
  CHECK(oct_config_parse(&cfg, "small,addr_bits=64,pc_align_bits=0,task_bits=32", &diag) >= 0);
  CHECK(!oct_compressor_new(&cfg, NULL, &c, &diag));
  CHECK(!oct_decoder_new(&cfg, OCT_START_IN_STEP, &d, &diag));
  CHECK(!oct_reader_open(path, NULL, &r, &diag));
  oct_codec_defaults(oct_codec_find("plain"), &settings);
  CHECK(!oct_trace_split_new(&settings, oct_reader_info(r), &sink, 2, false, &split, &diag));
  while ((got = oct_reader_next(r, &b, &diag)) > 0) {
    const oct_map_update *updates;
    insns = realloc(insns, b.n_insns * sizeof *insns);
    CHECK(insns);
    memcpy(insns, b.insns, b.n_insns * sizeof *insns);
    int64_t n = oct_map_track(tracker, &b, insns, &updates);
    CHECK(n >= 0);
    b.insns = insns;
    oct_event_hash_put(read, &b);
    CHECK(!oct_trace_split_put(split, &b, updates, (size_t)n, &diag));
    CHECK(!n || !oct_decoder_map(d, updates, (size_t)n, &diag));
    CHECK(!oct_compressor_put(c, insns, b.n_insns, b.accesses, &diag));
    take_decoded(c, d, decoded);
  }
  CHECK(!got && !oct_compressor_flush(c, &diag) && !oct_trace_split_finish(split, &diag));
  take_decoded(c, d, decoded);
  uint64_t value = oct_event_hash_value(read);
  CHECK(value == oct_event_hash_value(decoded) && value == join_hash(&file));
  free(insns);
  oct_trace_split_free(split);
  oct_reader_close(r);
  oct_compressor_free(c);
  oct_decoder_free(d);
  oct_map_tracker_free(tracker);
  oct_event_hash_free(read);
  oct_event_hash_free(decoded);
  oct_buffer_free(&file.bytes);
  return value;
}

typedef struct job {
  unsigned number;
  pthread_barrier_t *start; /* NULL: alone */
  uint64_t hash[TRACES];
} job;

static void *work(void *arg) {
  job *j = arg;
  if (j->start) pthread_barrier_wait(j->start);
  for (unsigned i = 0; i < TRACES; i++) {
    unsigned trace = (i + j->number) % TRACES;
    char name[64];
    oct_outfile *out;
    oct_diag diag;
    snprintf(name, sizeof name, "/tmp/oct-threads-%ld-%u", (long)getpid(), j->number);
    CHECK(!oct_outfile_open(name, &out, &diag));
    j->hash[trace] = run_trace(traces[trace]);
    if (i)
      oct_outfile_abort(out);
    else
      CHECK(!oct_outfile_commit(out, &diag) && !unlink(name));
  }
  return NULL;
}

static void test_threads(void **state) {
  job alone = {0}, jobs[THREADS];
  pthread_t threads[THREADS];
  pthread_barrier_t start;
  (void)state;
  assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
  /* Together first: what is set up once is set up by several at a time. */
  for (unsigned i = 0; i < THREADS; i++) {
    jobs[i].number = i;
    jobs[i].start = &start;
    assert_int_equal(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
  }
  for (unsigned i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&start);
  work(&alone);
  for (unsigned i = 0; i < THREADS; i++)
    for (unsigned k = 0; k < TRACES; k++) assert_true(jobs[i].hash[k] == alone.hash[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
