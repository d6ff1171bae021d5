/* SPDX-License-Identifier: Apache-2.0 */
/* oct_atc.c - the calls of ATC (Michaud 2009, section 6): options, and one value at a time.
 *
 * Values that are put or taken one by one wait in a small buffer, so that the writer and the reader
 * behind it always work on many. An error is kept: later calls do nothing, and the close returns
 * it. */
#include "octrace/codec.h"

#include <stdlib.h>
#include <string.h>

#include "oct_atc_dir.h"

/* Values that go in or out one by one wait for so many. */
enum { AHEAD = 4096 };

void oct_atc_options_init(oct_atc_options *o) {
  *o = (oct_atc_options){
      .stage = OCT_STAGE_BZIP2,
      .level = 9,
      .buffer = 1000000,
      .interval = 10000000,
      .threshold = 0.1,
      .histograms = 1024,
      .n_threads = 1,
  };
}

/* Tools of a second stage, packing and unpacking. */
static const struct {
  const char *name;
  oct_stage_kind stage;
} tools[] = {
    {"cat", OCT_STAGE_NONE},      {"gzip", OCT_STAGE_GZIP},      {"gunzip", OCT_STAGE_GZIP},
    {"zcat", OCT_STAGE_GZIP},     {"pigz", OCT_STAGE_GZIP},      {"bzip2", OCT_STAGE_BZIP2},
    {"bunzip2", OCT_STAGE_BZIP2}, {"bzcat", OCT_STAGE_BZIP2},    {"pbzip2", OCT_STAGE_BZIP2},
    {"lbzip2", OCT_STAGE_BZIP2},  {"lbunzip2", OCT_STAGE_BZIP2}, {"xz", OCT_STAGE_XZ},
    {"unxz", OCT_STAGE_XZ},       {"xzcat", OCT_STAGE_XZ},       {"zstd", OCT_STAGE_ZSTD},
    {"unzstd", OCT_STAGE_ZSTD},   {"zstdcat", OCT_STAGE_ZSTD},
};

/* `-9`, or letters that say nothing new: to standard output, compress, decompress, keep, quiet,
 * verbose, force, extreme, all threads. */
static bool take_option(oct_atc_options *o, const char *word, size_t n) {
  if (n < 2 || word[0] != '-') return false;
  if (strspn(word + 1, "0123456789") >= n - 1 && n < 4) {
    o->level = atoi(word + 1);
    return true;
  }
  for (size_t i = 1; i < n; i++)
    if (!strchr("czdkqvf", word[i])) return false;
  return true;
}

int oct_atc_options_command(oct_atc_options *o, const char *command, oct_diag *diag) {
  const char *word = command + strspn(command, " "), *slash;
  size_t n = strcspn(word, " "), k = 0;
  const size_t n_tools = sizeof tools / sizeof *tools;
  while ((slash = memchr(word, '/', n))) {
    n -= (size_t)(slash + 1 - word);
    word = slash + 1;
  }
  while (k < n_tools && !(strlen(tools[k].name) == n && !memcmp(tools[k].name, word, n))) k++;
  if (k == n_tools)
    return oct_fail(diag, OCT_ERR_ARG, "'%.100s': expected bzip2, gzip, xz, zstd or cat", command);
  o->stage = tools[k].stage;
  o->level = oct_stage_default_level(o->stage);
  for (word += n; *(word += strspn(word, " ")); word += n) {
    n = strcspn(word, " ");
    if (!take_option(o, word, n))
      return oct_fail(diag, OCT_ERR_ARG, "'%.*s': expected a level", (int)(n < 100 ? n : 100),
                      word);
  }
  return oct_stage_check(o->stage, o->level, diag);
}

static int check(char mode, const oct_atc_options *o, oct_diag *diag) {
  if (!mode || !strchr("ckd", mode)) return oct_fail(diag, OCT_ERR_ARG, "mode: expected c, k or d");
  if (o->suffix && !oct_atc_suffix_ok(o->suffix))
    return oct_fail(diag, OCT_ERR_ARG, "suffix: expected at most %d printable characters, no slash",
                    OCT_ATC_SUFFIX_MAX);
  if (o->n_threads > 64) return oct_fail(diag, OCT_ERR_ARG, "threads: expected 0 to 64");
  if (mode == 'd') return 0;
  if (o->stage > OCT_STAGE_ZSTD)
    return oct_fail(diag, OCT_ERR_ARG, "stage: expected none, gzip, bzip2, xz or zstd");
  if (!o->buffer || o->buffer > OCT_ATC_BUFFER_MAX)
    return oct_fail(diag, OCT_ERR_ARG, "buffer: expected 1 to %u addresses", OCT_ATC_BUFFER_MAX);
  if (!o->interval || o->interval > OCT_ATC_INTERVAL_MAX)
    return oct_fail(diag, OCT_ERR_ARG, "interval: expected 1 to %u addresses",
                    OCT_ATC_INTERVAL_MAX);
  if (!(o->threshold >= 0 && o->threshold <= 2))
    return oct_fail(diag, OCT_ERR_ARG, "threshold: expected 0 to 2");
  if (!o->histograms || o->histograms > OCT_ATC_HISTOGRAMS_MAX)
    return oct_fail(diag, OCT_ERR_ARG, "histograms: expected 1 to %u", OCT_ATC_HISTOGRAMS_MAX);
  return oct_stage_check(o->stage, o->level, diag);
}

int oct_atc_open_options(oct_atc *atc, char mode, const char *dirname,
                         const oct_atc_options *options) {
  static const char *const suffixes[OCT_STAGE_COUNT] = {"raw", "gz", "bz2", "xz", "zst"};
  oct_atc_options o = *options;
  memset(atc, 0, sizeof *atc);
  atc->error = check(mode, &o, &atc->diag);
  if (!atc->error && !*dirname)
    atc->error = oct_fail(&atc->diag, OCT_ERR_ARG, "expected the name of a directory");
  if (!atc->error && !(atc->values = malloc(AHEAD * sizeof *atc->values)))
    atc->error = oct_fail(&atc->diag, OCT_ERR_NOMEM, "out of memory");
  if (atc->error) return atc->error;
  if (mode == 'd') {
    atc->error = oct_atc_reader_new(dirname, &o, &atc->reader, &atc->diag);
  } else {
    if (!o.suffix) o.suffix = suffixes[o.stage];
    atc->error = oct_atc_writer_new(dirname, mode == 'k', &o, &atc->writer, &atc->diag);
    if (!atc->error) atc->room = AHEAD;
  }
  return atc->error;
}

int oct_atc_open(oct_atc *atc, char mode, const char *dirname, const char *suffix,
                 const char *command) {
  oct_atc_options o;
  oct_diag diag = {0};
  oct_atc_options_init(&o);
  o.suffix = suffix;
  int error = command ? oct_atc_options_command(&o, command, &diag) : 0;
  if (!error) return oct_atc_open_options(atc, mode, dirname, &o);
  *atc = (oct_atc){.error = error, .diag = diag};
  return error;
}

/* Values that came one by one. */
static int put_waiting(oct_atc *atc) {
  size_t n = atc->n;
  atc->n = 0;
  if (!atc->error && n) atc->error = oct_atc_writer_put(atc->writer, atc->values, n, &atc->diag);
  if (atc->error) atc->room = 0;
  return atc->error;
}

int oct_atc_drain(oct_atc *atc) {
  if (!atc->error && !atc->writer)
    atc->error = oct_fail(&atc->diag, OCT_ERR_ARG, "not open for writing");
  return put_waiting(atc);
}

int oct_atc_put(oct_atc *atc, const uint64_t *values, size_t n) {
  int error = oct_atc_drain(atc);
  if (error) return error;
  atc->error = oct_atc_writer_put(atc->writer, values, n, &atc->diag);
  if (atc->error) atc->room = 0;
  return atc->error;
}

int64_t oct_atc_get(oct_atc *atc, uint64_t *values, size_t max) {
  if (!atc->error && !atc->reader)
    atc->error = oct_fail(&atc->diag, OCT_ERR_ARG, "not open for reading");
  if (atc->error) return atc->error;
  size_t n = atc->n - atc->at < max ? atc->n - atc->at : max;
  if (n) {
    memcpy(values, atc->values + atc->at, n * sizeof *values);
    atc->at += n;
    return (int64_t)n;
  }
  int64_t got = oct_atc_reader_get(atc->reader, values, max, &atc->diag);
  if (got < 0) atc->error = (int)got;
  return got;
}

int oct_atc_fill(oct_atc *atc) {
  atc->at = atc->n = 0;
  if (!atc->values) return atc->error;
  int64_t got = oct_atc_get(atc, atc->values, AHEAD);
  if (got > 0) atc->n = (size_t)got;
  return (int)got;
}

void oct_atc_count(const oct_atc *atc, oct_atc_counts *c) {
  const oct_atc_info *info = atc->writer   ? oct_atc_writer_info(atc->writer)
                             : atc->reader ? oct_atc_reader_info(atc->reader)
                                           : NULL;
  *c = atc->counts;
  if (!info) return;
  *c = (oct_atc_counts){0};
  c->addresses = info->n_addresses;
  c->intervals = oct_atc_n_intervals(info);
  c->chunks = oct_atc_n_chunks(info);
  for (size_t i = 0; i < c->intervals; i++) c->translated += oct_atc_intervals(info)[i].mask != 0;
  for (size_t i = 0; i < info->pieces.n_bytes / sizeof(oct_atc_piece); i++)
    c->file_bytes += oct_atc_pieces(info)[i].packed_bytes;
}

void oct_atc_abort(oct_atc *atc) {
  oct_atc_count(atc, &atc->counts);
  oct_atc_writer_free(atc->writer);
  oct_atc_reader_free(atc->reader);
  free(atc->values);
  atc->writer = NULL;
  atc->reader = NULL;
  atc->values = NULL;
  atc->at = atc->n = atc->room = 0;
}

int oct_atc_close(oct_atc *atc) {
  if (atc->writer && !put_waiting(atc)) atc->error = oct_atc_writer_finish(atc->writer, &atc->diag);
  oct_atc_abort(atc);
  return atc->error;
}
