/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_codec_back.c - octrace decompress and info for codec files. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "oct_codec_cli.h"
#include "oct_report.h"
#include "oct_trace_split.h"

enum { CHUNK_BYTES = 1 << 18 };

static int trace_back(oct_codec_reader *r, const char *out, oct_format format, bool *at_input,
                      oct_diag *diag) {
  oct_trace_join *join;
  oct_writer *w = NULL;
  oct_trace_info info;
  oct_batch batch;
  int got = 0, error = oct_trace_join_new(r, &join, diag);
  if (error) return error;
  oct_trace_join_info(join, &info);
  const oct_write_options options = {.format = format, .info = &info};
  *at_input = false;
  error = oct_writer_open(out, &options, &w, diag);
  while (!error && (got = oct_trace_join_next(join, &batch, diag)) > 0)
    error = oct_writer_put(w, &batch, diag);
  if (!error && got < 0) {
    *at_input = true;
    error = got;
  }
  if (w && error < 0)
    oct_writer_abort(w);
  else if (w)
    error = oct_writer_commit(w, diag);
  oct_trace_join_free(join);
  return error;
}

static int records_back(oct_codec_reader *r, const char *out, bool *at_input, oct_diag *diag) {
  const oct_codec_head *head = oct_codec_reader_head(r);
  size_t record_bytes = oct_layout_bytes(&head->channels[0].layout);
  oct_outfile *f = NULL;
  int64_t got = 0;
  uint8_t *buffer = malloc(CHUNK_BYTES);
  if (!buffer) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  *at_input = false;
  int error = oct_outfile_open(out, &f, diag);
  if (!error) error = oct_outfile_write(f, head->prefix, head->n_prefix, diag);
  while (!error && (got = oct_codec_reader_get(r, 0, buffer, CHUNK_BYTES / record_bytes, diag)) > 0)
    error = oct_outfile_write(f, buffer, (size_t)got * record_bytes, diag);
  if (!error && got < 0) {
    *at_input = true;
    error = (int)got;
  }
  if (f && error < 0)
    oct_outfile_abort(f);
  else if (f)
    error = oct_outfile_commit(f, diag);
  free(buffer);
  return error;
}

int oct_codec_decompress(FILE *f, const char *name, const char *out, oct_format format,
                         bool lossy) {
  oct_source_bytes source = oct_codec_file_source(f);
  oct_codec_reader *r;
  oct_diag diag = {0};
  bool at_input = true;
  oct_codec_parts parts = {0};
  int error = oct_codec_reader_new(&source, 1, &r, &diag);
  if (!error && oct_codec_reader_head(r)->apart)
    error = oct_codec_parts_open(&parts, name, r, &diag);
  if (!error && !oct_codec_reader_head(r)->settings.codec->lossless && !lossy)
    error = oct_fail(&diag, OCT_ERR_CONFIG, "codec %s is lossy: say --lossy to take what it gives",
                     oct_codec_reader_head(r)->settings.codec->name);
  if (!error)
    error = oct_codec_reader_head(r)->content == OCT_CONTENT_TRACE
                ? trace_back(r, out, format, &at_input, &diag)
                : records_back(r, out, &at_input, &diag);
  oct_codec_reader_free(r);
  oct_codec_parts_close(&parts);
  return error < 0 ? oct_cli_diag(at_input ? name : NULL, &diag) : OCT_EXIT_OK;
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
