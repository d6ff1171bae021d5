/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_codec_back.c - octrace decompress and info for codec files. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "oct_codec_cli.h"
#include "oct_report.h"
#include "oct_trace_split.h"

enum { CHUNK_BYTES = 1 << 18 };

/* A file on its way back. */
typedef struct back {
  oct_codec_reader *reader;
  const char *out;
  oct_format format;
  bool salvage;                      /* damage ends the file */
  bool at_input;                     /* the error is one of it */
  bool is_cut;                       /* damage has ended it: *diag says where */
  uint64_t insns, accesses, records; /* that came back */
} back;

/* After the last of the input: got is the result of its reader, error of writing. What is to be
 * returned. */
static int input_ended(back *b, int got, int error) {
  b->at_input = !error && got < 0;
  b->is_cut = b->at_input && b->salvage && got != OCT_ERR_NOMEM && (b->insns || b->records);
  return b->at_input && !b->is_cut ? got : error;
}

static int trace_back(back *b, oct_diag *diag) {
  oct_trace_join *join;
  oct_writer *w = NULL;
  oct_trace_info info;
  oct_batch batch;
  oct_diag written;
  int got = 0, error = oct_trace_join_new(b->reader, &join, diag);
  if (error) return error;
  oct_trace_join_info(join, &info);
  const oct_write_options options = {.format = b->format, .info = &info};
  b->at_input = false;
  error = oct_writer_open(b->out, &options, &w, diag);
  while (!error && (got = oct_trace_join_next(join, &batch, diag)) > 0) {
    error = oct_writer_put(w, &batch, diag);
    b->insns += batch.n_insns;
    b->accesses += batch.n_accesses;
  }
  error = input_ended(b, got, error);
  if (w && error < 0)
    oct_writer_abort(w);
  else if (w && (error = oct_writer_commit(w, &written)) < 0)
    *diag = written;
  oct_trace_join_free(join);
  return error;
}

static int records_back(back *b, oct_diag *diag) {
  const oct_codec_head *head = oct_codec_reader_head(b->reader);
  size_t record_bytes = oct_layout_bytes(&head->channels[0].layout);
  oct_outfile *f = NULL;
  oct_diag written;
  int64_t got = 0;
  uint8_t *buffer = malloc(CHUNK_BYTES);
  if (!buffer) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  b->at_input = false;
  int error = oct_outfile_open(b->out, &f, diag);
  if (!error) error = oct_outfile_write(f, head->prefix, head->n_prefix, diag);
  while (!error &&
         (got = oct_codec_reader_get(b->reader, 0, buffer, CHUNK_BYTES / record_bytes, diag)) > 0) {
    error = oct_outfile_write(f, buffer, (size_t)got * record_bytes, diag);
    b->records += (uint64_t)got;
  }
  error = input_ended(b, (int)got, error);
  if (f && error < 0)
    oct_outfile_abort(f);
  else if (f && (error = oct_outfile_commit(f, &written)) < 0)
    *diag = written;
  free(buffer);
  return error;
}

/* Say what was kept of a damaged file. */
static int report_cut(const char *name, const back *b, bool is_trace, const oct_diag *diag) {
  char records[40];
  snprintf(records, sizeof records, "%" PRIu64 " record%s", b->records, OCT_S(b->records));
  return oct_cli_error(OCT_EXIT_LOSS, "%s: %s: kept the %s before it, how many are lost is unknown",
                       name, diag->text,
                       is_trace ? oct_cli_counts(b->insns, b->accesses).text : records);
}

int oct_codec_decompress(FILE *f, const char *name, const char *out, oct_format format, bool lossy,
                         bool salvage) {
  oct_source_bytes source = oct_codec_file_source(f);
  back b = {.out = out, .format = format, .salvage = salvage, .at_input = true};
  oct_diag diag = {0};
  bool is_trace = false;
  oct_codec_parts parts = {0};
  int error = oct_codec_reader_new(&source, 1, &b.reader, &diag);
  if (!error && oct_codec_reader_head(b.reader)->apart)
    error = oct_codec_parts_open(&parts, name, b.reader, &diag);
  int code = error ? 0 : oct_codec_parts_distinct("decompress", name, parts.n, out);
  if (!error && !code && !oct_codec_reader_head(b.reader)->settings.codec->lossless && !lossy)
    error = oct_fail(&diag, OCT_ERR_CONFIG, "codec %s is lossy: say --lossy to take what it gives",
                     oct_codec_reader_head(b.reader)->settings.codec->name);
  if (!error && !code) {
    is_trace = oct_codec_reader_head(b.reader)->content == OCT_CONTENT_TRACE;
    error = is_trace ? trace_back(&b, &diag) : records_back(&b, &diag);
  }
  oct_codec_reader_free(b.reader);
  oct_codec_parts_close(&parts);
  if (code) return code;
  if (error < 0) return oct_cli_diag(b.at_input ? name : NULL, &diag);
  return b.is_cut ? report_cut(name, &b, is_trace, &diag) : OCT_EXIT_OK;
}

/* Walk through the whole file, which checks all of it. */
static int walk(oct_codec_reader *r, json_t *o, oct_diag *diag) {
  const oct_codec_head *head = oct_codec_reader_head(r);
  int64_t got = 0;
  uint64_t insns = 0, accesses = 0;
  if (head->content == OCT_CONTENT_TRACE) {
    oct_trace_join *join;
    oct_batch batch;
    int error = oct_trace_join_new(r, &join, diag);
    if (error) return error;
    while ((got = oct_trace_join_next(join, &batch, diag)) > 0) {
      insns += batch.n_insns;
      accesses += batch.n_accesses;
    }
    oct_trace_join_free(join);
    json_object_set_new(o, "instructions", json_integer((json_int_t)insns));
    json_object_set_new(o, "accesses", json_integer((json_int_t)accesses));
    return (int)got;
  }
  size_t record_bytes = oct_layout_bytes(&head->channels[0].layout);
  uint8_t *buffer = malloc(CHUNK_BYTES);
  if (!buffer) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  while ((got = oct_codec_reader_get(r, 0, buffer, CHUNK_BYTES / record_bytes, diag)) > 0)
    accesses += (uint64_t)got;
  free(buffer);
  json_object_set_new(o, "records", json_integer((json_int_t)accesses));
  json_object_set_new(o, "record_bytes", json_integer((json_int_t)record_bytes));
  return (int)got;
}

int oct_codec_info(FILE *f, const char *name, bool json) {
  oct_source_bytes source = oct_codec_file_source(f);
  oct_codec_reader *r;
  oct_diag diag = {0};
  char codec[OCT_CODEC_TEXT_MAX + 256];
  const char *key;
  json_t *value, *o = json_object();
  oct_codec_parts parts = {0};
  int error = oct_codec_reader_new(&source, 1, &r, &diag);
  if (!error) {
    const oct_codec_head *head = oct_codec_reader_head(r);
    oct_codec_print(&head->settings, codec, sizeof codec);
    json_object_set_new(o, "file", oct_report_string(name));
    json_object_set_new(o, "format", json_string("codec"));
    json_object_set_new(o, "codec", json_string(codec));
    json_object_set_new(o, "promise",
                        json_string(head->settings.codec->lossless ? "lossless" : "lossy"));
    json_object_set_new(o, "content",
                        json_string(head->content == OCT_CONTENT_TRACE ? "trace" : "records"));
    if (head->content == OCT_CONTENT_TRACE) {
      json_object_set_new(o, "isa", oct_report_string(head->isa));
      json_object_set_new(o, "origin", oct_report_string(head->origin));
      json_object_set_new(o, "command", oct_report_string(head->command));
    }
    if (head->apart) error = oct_codec_parts_open(&parts, name, r, &diag);
    if (!error) error = walk(r, o, &diag);
    oct_codec_reader_free(r);
    oct_codec_parts_close(&parts);
  }
  if (error < 0 || json) {
    if (error >= 0) return oct_report_print(o);
    json_decref(o);
    return oct_cli_diag(name, &diag);
  }
  error = oct_report_memory();
  if (error) {
    json_decref(o);
    return error;
  }
  json_object_foreach(o, key, value) {
    if (json_is_string(value))
      printf("%-22s %s\n", key, json_string_value(value));
    else
      printf("%-22s %" JSON_INTEGER_FORMAT "\n", key, json_integer_value(value));
  }
  json_decref(o);
  return OCT_EXIT_OK;
}
