/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_codec_back.c - records of codec files, which octrace convert brings back, and octrace info
 * of codec files. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "oct_codec_cli.h"
#include "oct_gap_list.h"
#include "oct_module_text.h"
#include "oct_module_list.h"
#include "oct_report.h"
#include "octrace/codec.h"

enum { CHUNK_BYTES = 1 << 18 };

/* Records on their way back. */
typedef struct back {
  oct_codec_reader *reader;
  const char *out;
  oct_outfile *gaps; /* or NULL */
  bool salvage;      /* go on behind damage */
  bool at_input;     /* the error is one of it */
  uint64_t records;  /* that came back */
  oct_gaps missing;  /* records, all by damage, */
  bool is_cut;       /* and up to the end, whose number is not known */
  oct_progress progress;
} back;

/* The input ended in the error got. Whether what came before is to be kept. */
static bool keeps(back *b, int got) {
  bool is_damage = got != OCT_ERR_NOMEM && got != OCT_ERR_LIMIT && got != OCT_ERR_UNSUPPORTED;
  b->at_input = true;
  return is_damage && (b->records || b->salvage);
}

/* What is missing from number `from` on: up to number `to`, or with to < from up to the end. */
static int put_missing(back *b, uint64_t from, uint64_t to, const oct_diag *why, oct_diag *diag) {
  const bool has_end = to >= from;
  oct_gap gap = {.insn = from,
                 .lost_insns = has_end ? to - from : UINT64_MAX,
                 .lost_accesses = UINT64_MAX,
                 .least_insns = has_end ? to - from : 0,
                 .error = why->error,
                 .diag = *why,
                 .is_end = !has_end};
  oct_gaps_add(&b->missing, &gap);
  b->is_cut = !has_end;
  return oct_gaps_put(b->gaps, &gap, diag);
}

/* Of a file of which nothing is left nothing is made. */
static int nothing_kept(back *b, oct_diag *diag) {
  b->at_input = true;
  *diag = b->missing.first;
  return diag->error;
}

/* All records into f; 0 or an error, of the input or of writing. */
static int put_records(back *b, oct_outfile *f, uint8_t *buffer, oct_diag *diag) {
  const oct_codec_head *head = oct_codec_reader_head(b->reader);
  const size_t record_bytes = oct_layout_bytes(&head->channels[0].layout);
  uint64_t total[OCT_CHANNELS_MAX];
  int error = oct_outfile_write(f, head->prefix, head->n_prefix, diag);
  while (error >= 0) {
    oct_diag why;
    int64_t got = oct_codec_reader_get(b->reader, 0, buffer, CHUNK_BYTES / record_bytes, diag);
    uint64_t from = oct_codec_reader_position(b->reader, 0);
    if (!got) return 0;
    if (got > 0) {
      error = oct_outfile_write(f, buffer, (size_t)got * record_bytes, diag);
      b->records += (uint64_t)got;
      oct_progress_update(&b->progress, b->records, 0, 0);
      continue;
    }
    if (!keeps(b, (int)got)) return (int)got;
    why = *diag;
    got = b->salvage ? oct_codec_reader_resync(b->reader, diag) : 0;
    if (got < 0) return (int)got;
    b->at_input = false;
    uint64_t to = got ? oct_codec_reader_position(b->reader, 0) : 0;
    if (!got && b->salvage && oct_codec_reader_totals(b->reader, total)) to = total[0];
    error = put_missing(b, from, to, &why, diag);
    if (!got) break;
  }
  return error < 0 ? error : 0;
}

static int records_back(back *b, oct_diag *diag) {
  oct_outfile *f = NULL;
  uint8_t *buffer = malloc(CHUNK_BYTES);
  if (!buffer) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  b->at_input = false;
  int error = oct_outfile_open(b->out, &f, diag);
  if (!error) error = put_records(b, f, buffer, diag);
  if (!error && b->missing.n_damages && !b->records) error = nothing_kept(b, diag);
  if (f && error < 0)
    oct_outfile_abort(f);
  else if (f)
    error = oct_outfile_commit(f, diag);
  free(buffer);
  return error;
}

/* Say what was kept of a damaged file. */
static int report_damage(const char *name, const back *b) {
  char lost[80] = "how many are lost is unknown";
  if (!b->salvage)
    return oct_cli_error(OCT_EXIT_INPUT,
                         "%s: %s: wrote the %" PRIu64
                         " record%s before it; the rest is missing (--salvage goes on after it)",
                         name, oct_diag_reason(&b->missing.first).text, b->records,
                         OCT_S(b->records));
  if (!b->is_cut)
    snprintf(lost, sizeof lost, "lost %" PRIu64 " record%s", b->missing.damaged_insns,
             OCT_S(b->missing.damaged_insns));
  return oct_cli_error(
      OCT_EXIT_LOSS, "%s: damaged in %" PRIu64 " place%s, first: %s: kept %" PRIu64 " record%s, %s",
      name, b->missing.n_damages, OCT_S(b->missing.n_damages),
      oct_diag_reason(&b->missing.first).text, b->records, OCT_S(b->records), lost);
}

int oct_codec_records(FILE *f, const char *cmd, const char *name, const char *out, const char *gaps,
                      const oct_codec_limits *limits, unsigned n_threads, bool lossy,
                      bool salvage) {
  oct_source_bytes source = oct_codec_file_source(f);
  back b = {.out = out, .salvage = salvage, .at_input = true};
  oct_diag diag = {0};
  oct_codec_parts parts = {0};
  int error = oct_codec_reader_new(&source, n_threads, &b.reader, &diag);
  if (!error) oct_codec_limit(b.reader, limits);
  if (!error && oct_codec_reader_head(b.reader)->apart)
    error = oct_codec_parts_open(&parts, name, b.reader, &diag);
  int code = error ? 0 : oct_cli_output(cmd, out);
  if (!error && !code) code = oct_cli_output(cmd, gaps);
  if (!error && !code && !oct_codec_reader_head(b.reader)->settings.codec->lossless && !lossy)
    error = oct_fail(&diag, OCT_ERR_CONFIG, "codec %s is lossy: give --lossy to accept its result",
                     oct_codec_reader_head(b.reader)->settings.codec->name);
  if (!error && !code) {
    error = oct_gaps_open(gaps, &b.gaps, &diag);
    b.at_input = !error;
    oct_progress_start(&b.progress, cmd);
    b.progress.unit = "records";
    if (!error) error = records_back(&b, &diag);
    oct_progress_end(&b.progress);
    if (error < 0)
      oct_outfile_abort(b.gaps);
    else if (b.gaps)
      error = oct_outfile_commit(b.gaps, &diag);
  }
  oct_codec_reader_free(b.reader);
  oct_codec_parts_close(&parts);
  if (code) return code;
  if (error < 0 && b.at_input) oct_gaps_put_all(gaps, &diag);
  if (error < 0) return oct_cli_diag(b.at_input ? name : NULL, &diag);
  oct_cli_tell_written(out, &(oct_write_options){.format = OCT_FORMAT_AUTO}, 0);
  return b.missing.n_damages ? report_damage(name, &b) : OCT_EXIT_OK;
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

static int put_module(void *context, const oct_module *m, oct_diag *diag) {
  (void)diag;
  json_array_append_new(context, oct_module_json(m));
  return 0;
}

int oct_codec_info(FILE *f, const char *name, const oct_codec_limits *limits, bool json) {
  oct_source_bytes source = oct_codec_file_source(f);
  oct_codec_reader *r;
  oct_diag diag = {0};
  char codec[OCT_CODEC_TEXT_MAX + 256];
  json_t *o = json_object();
  oct_codec_parts parts = {0};
  int error = oct_codec_reader_new(&source, 1, &r, &diag);
  if (!error) {
    const oct_codec_head *head = oct_codec_reader_head(r);
    oct_codec_limit(r, limits);
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
    json_t *modules = *head->modules ? json_array() : NULL;
    if (modules) error = oct_modules_tell(head->modules, put_module, modules, &diag);
    if (modules) json_object_set_new(o, "modules", modules);
    if (!error && head->apart) error = oct_codec_parts_open(&parts, name, r, &diag);
    if (!error) error = walk(r, o, &diag);
    oct_codec_reader_free(r);
    oct_codec_parts_close(&parts);
  }
  if (error >= 0) return oct_report_object(o, json, oct_modules_print);
  json_decref(o);
  return oct_cli_diag(name, &diag);
}
