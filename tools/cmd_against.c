/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_against.c - octrace verify --against: what came through the trace port is held against what
 * came through a software codec.
 *
 * The trace goes through the codec into a temporary file first. Then it goes through the model, and
 * the events that its decoder gives are compared with those that the codec gives back. Rolling
 * hashes of all three, the trace itself included, must agree at the end. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "oct_codec_cli.h"
#include "octrace/container.h"
#include "octrace/codec.h"

typedef struct against_run {
  oct_codec_settings settings;
  unsigned n_threads;
  const char *path;
  oct_run_args args;
  FILE *file;
  oct_codec_reader *reader;
  oct_trace_join *join;
  void *encoder, *decoder; /* of args.tracer */
  oct_compare *compare;
  bool over; /* the codec has given all */
  oct_event_hash *trace, *trace_stamps, *codec, *codec_stamps, *port;
  uint64_t n_accesses;
} against_run;

static int file_write(void *context, const void *bytes, size_t n, oct_diag *diag) {
  FILE *f = context;
  return fwrite(bytes, 1, n, f) == n ? 0
                                     : oct_fail(diag, OCT_ERR_IO, "temporary file: cannot write");
}

/* Trace to codec file. */
static int encode(against_run *r, oct_diag *diag) {
  const oct_sink sink = {file_write, r->file};
  oct_trace_split *split = NULL;
  oct_source s;
  int got = 0, error = oct_cli_open(&s, r->path, &r->args, "compress", diag);
  if (error < 0) return error;
  error = oct_trace_split_new(&r->settings, oct_reader_info(s.reader), &sink, r->n_threads, false,
                              &split, diag);
  while (!error && (got = oct_source_next(&s, diag)) > 0) {
    oct_event_hash_put(r->trace, &s.batch);
    oct_event_hash_put(r->trace_stamps, &s.batch);
    error = oct_trace_split_put(split, &s.batch, s.updates, s.n_updates, diag);
  }
  if (!error && got < 0) error = got;
  if (!error) error = oct_trace_split_finish(split, diag);
  oct_trace_split_free(split);
  oct_cli_close(&s, &r->args, error);
  return error;
}

/* Have n_insns of the codec's events waiting, fewer only at their end. */
static int expect_more(against_run *r, size_t n_insns, oct_diag *diag) {
  while (!r->over && oct_compare_pending(r->compare) < n_insns) {
    oct_batch batch;
    int got = oct_trace_join_next(r->join, &batch, diag);
    if (got < 0) return got;
    r->over = !got;
    if (!got) break;
    oct_event_hash_put(r->codec, &batch);
    oct_event_hash_put(r->codec_stamps, &batch);
    bool traps = oct_tracer_trap_parts(r->args.tracer, r->args.params);
    if ((traps && oct_compare_expect_traps(r->compare, batch.traps, batch.n_traps)) ||
        oct_compare_expect(r->compare, batch.insns, batch.n_insns, batch.accesses))
      return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  }
  return 0;
}

/* Give the decoder what the compressor made, and compare what it makes of it. */
static int pump(against_run *r, oct_diag *diag) {
  const uint8_t *bytes;
  oct_decoded run;
  const oct_tracer *t = r->args.tracer;
  size_t n = t->encoder.take(r->encoder, &bytes);
  int got, error = n ? t->decoder.push(r->decoder, bytes, n, diag) : 0;
  while (!error && (got = t->decoder.next(r->decoder, &run, diag)) != 0) {
    if (got < 0) return got;
    oct_event_hash_put(r->port, &run.batch);
    r->n_accesses += run.batch.n_accesses;
    error = expect_more(r, run.batch.n_insns + (run.batch.n_traps > 0), diag);
    if (!error) error = oct_compare_run(r->compare, &run, diag);
  }
  return error;
}

/* Trace through the model, beside the codec file. */
static int compare(against_run *r, oct_diag *diag) {
  oct_source s;
  int got = 0, error = oct_cli_open(&s, r->path, &r->args, "verify", diag);
  if (error < 0) return error;
  const oct_tracer *t = r->args.tracer;
  error = t->encoder.create(r->args.params, &r->args.run, &r->encoder, diag);
  if (!error) error = t->decoder.create(r->args.params, OCT_START_IN_STEP, &r->decoder, diag);
  while (!error && (got = oct_source_next(&s, diag)) > 0) {
    const oct_tracer_input in = oct_tracer_input_of(&s.batch, s.updates, s.n_updates);
    if (s.n_updates) error = t->decoder.map(r->decoder, s.updates, s.n_updates, diag);
    if (!error) error = t->encoder.put(r->encoder, &in, diag);
    if (!error) error = pump(r, diag);
  }
  if (!error && got < 0) error = got;
  if (!error) error = t->encoder.flush(r->encoder, diag);
  if (!error) error = pump(r, diag);
  if (!error) {
    t->decoder.finish(r->decoder);
    error = pump(r, diag);
  }
  if (!error) error = expect_more(r, 1, diag);
  if (!error) error = oct_compare_end(r->compare, diag);
  oct_cli_close(&s, &r->args, error);
  if (error) return error;
  uint64_t trace = oct_event_hash_value(r->trace), codec = oct_event_hash_value(r->codec);
  if (trace != codec || trace != oct_event_hash_value(r->port))
    return oct_fail(diag, OCT_ERR_MISMATCH,
                    "port and codec agree event by event, but hash to %016" PRIx64
                    " and %016" PRIx64 ", the trace to %016" PRIx64,
                    oct_event_hash_value(r->port), codec, trace);
  if (oct_event_hash_value(r->trace_stamps) != oct_event_hash_value(r->codec_stamps))
    return oct_fail(diag, OCT_ERR_MISMATCH, "the codec gives back other time stamps or traps");
  return 0;
}

static int run(against_run *r, oct_diag *diag) {
  r->file = tmpfile();
  int why = errno;
  r->compare = oct_compare_new(0);
  uint32_t parts = oct_tracer_trap_parts(r->args.tracer, r->args.params);
  int with = parts == OCT_TRAPS_ALL ? OCT_HASH_TRAPS : 0;
  r->trace = oct_event_hash_new(with);
  r->trace_stamps = oct_event_hash_new(OCT_HASH_STAMPS | OCT_HASH_TRAPS);
  r->codec = oct_event_hash_new(with);
  r->codec_stamps = oct_event_hash_new(OCT_HASH_STAMPS | OCT_HASH_TRAPS);
  r->port = oct_event_hash_new(with);
  if (!r->file) return oct_fail(diag, OCT_ERR_IO, "temporary file: %s", strerror(why));
  if (r->compare) oct_compare_trap_parts(r->compare, parts);
  if (!r->compare || !r->trace || !r->trace_stamps || !r->codec || !r->codec_stamps || !r->port)
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  int error = encode(r, diag);
  if (error) return error;
  if (fflush(r->file) || fseek(r->file, 0, SEEK_SET))
    return oct_fail(diag, OCT_ERR_IO, "temporary file: cannot write");
  const oct_source_bytes source = oct_codec_file_source(r->file);
  error = oct_codec_reader_new(&source, r->n_threads, &r->reader, diag);
  if (!error) oct_codec_reader_max_memory(r->reader, UINT64_MAX); /* the file is our own */
  if (!error) error = oct_trace_join_new(r->reader, &r->join, diag);
  return error ? error : compare(r, diag);
}

static void release(against_run *r) {
  if (r->file) fclose(r->file);
  oct_trace_join_free(r->join);
  oct_codec_reader_free(r->reader);
  r->args.tracer->encoder.destroy(r->encoder);
  r->args.tracer->decoder.destroy(r->decoder);
  oct_compare_free(r->compare);
  oct_event_hash_free(r->trace);
  oct_event_hash_free(r->trace_stamps);
  oct_event_hash_free(r->codec);
  oct_event_hash_free(r->codec_stamps);
  oct_event_hash_free(r->port);
  free(r);
}

int oct_codec_verify(const char *path, const char *codec, unsigned n_threads,
                     const oct_run_args *a) {
  oct_diag diag = {0};
  struct stat st;
  if (!strcmp(path, "-") || (!stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
    return oct_cli_usage("verify", "--against reads the trace twice, but %s can be read only once",
                         oct_cli_input_name(path));
  against_run *r = calloc(1, sizeof *r);
  if (!r) return oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  r->path = path;
  r->args = *a;
  r->args.run.engine = OCT_ENGINE_UNTIMED;
  r->n_threads = n_threads;
  int code = OCT_EXIT_OK;
  if (oct_codec_parse(codec, &r->settings, &diag))
    code = oct_codec_refuse("verify", codec, &diag);
  else if (!r->settings.codec->lossless)
    code = oct_cli_error(OCT_EXIT_USAGE,
                         "verify: codec %s is lossy and gives back other addresses; to see the "
                         "difference, use 'octrace fidelity'",
                         r->settings.codec->name);
  if (!code) {
    int error = run(r, &diag);
    if (error == OCT_ERR_MISMATCH)
      code = oct_cli_error(OCT_EXIT_DIFFER, "%s: against %s: %s", path, r->settings.codec->name,
                           oct_diag_reason(&diag).text);
    else if (error < 0)
      code = oct_cli_diag(path, &diag);
    else
      printf("%s: against %s: %s equal, hash %016" PRIx64 "\n", oct_cli_shown(path).text, codec,
             oct_cli_counts(oct_compare_equal(r->compare), r->n_accesses).text,
             oct_event_hash_value(r->trace));
  }
  release(r);
  return code;
}
