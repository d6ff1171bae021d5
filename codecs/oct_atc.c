/* SPDX-License-Identifier: Apache-2.0 */
/* oct_atc.c - ATC (Michaud 2009): addresses to a directory and back.
 *
 * Writing: without loss the trace is one chunk, with loss the intervals that no chunk before looks
 * like (sections 4.1 and 5.2). Addresses are gathered to a buffer, which is sorted by bytesort and
 * packed in pieces. With loss they are gathered to an interval: if the table has a profile within
 * the threshold, only the number of that chunk and the maps of bytes are noted; else the interval
 * becomes a chunk and its profile enters the table.
 *
 * Reading: INFO lists the intervals. One that is a chunk is unpacked and unsorted a buffer at a
 * time; one that imitates a chunk takes its addresses through the maps of bytes. Chunks that later
 * intervals need again are kept in memory as long as there is room; those not used for longest go
 * first.
 *
 * The calls are those of section 6. Values that are put or taken one by one wait in a small buffer,
 * so that the two halves always work on many. An error is kept: later calls do nothing, and the
 * close returns it. */
#include "octrace/codec.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "oct_atc_dir.h"
#include "oct_atc_pieces.h"
#include "oct_checksum.h"
#include "oct_input.h"

static int no_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

/* ---- Writing ---- */

typedef struct oct_atc_writer {
  oct_atc_options options;
  char suffix[OCT_ATC_SUFFIX_MAX + 1];
  oct_atc_dir dir;
  oct_atc_info info;
  oct_atc_table table;
  oct_atc_packer *packer;
  oct_buffer values;   /* gathered: at most a buffer, with loss an interval */
  oct_buffer scratch;  /* of bytesort */
  oct_buffer columns;  /* its result */
  XXH64_state_t *hash; /* of the chunk being written, NULL when none is */
} oct_atc_writer;

static void free_writer(oct_atc_writer *w) {
  if (!w) return;
  oct_atc_packer_free(w->packer);
  oct_atc_dir_free(&w->dir);
  oct_atc_info_free(&w->info);
  oct_atc_table_free(&w->table);
  oct_buffer_free(&w->values);
  oct_buffer_free(&w->scratch);
  oct_buffer_free(&w->columns);
  XXH64_freeState(w->hash);
  free(w);
}

static int new_writer(const char *dirname, bool lossy, const oct_atc_options *options,
                      oct_atc_writer **writer, oct_diag *diag) {
  oct_atc_writer *w = calloc(1, sizeof *w);
  *writer = NULL;
  if (!w) return no_memory(diag);
  w->options = *options;
  strcpy(w->suffix, options->suffix);
  w->info.lossy = lossy;
  w->info.stage = options->stage;
  w->info.buffer = options->buffer;
  w->info.interval = options->interval;
  w->info.threshold = options->threshold;
  int error = oct_atc_dir_make(&w->dir, dirname, w->suffix, options->replace, diag);
  if (!error && oct_atc_table_init(&w->table, options->histograms)) error = no_memory(diag);
  if (!error) w->packer = oct_atc_packer_new(options->stage, options->level, options->n_threads);
  if (!error && !w->packer) error = no_memory(diag);
  if (error)
    free_writer(w);
  else
    *writer = w;
  return error;
}

static int begin_written(oct_atc_writer *w, oct_diag *diag) {
  uint32_t number = (uint32_t)oct_atc_n_chunks(&w->info) + 1;
  if (oct_atc_info_add_chunk(&w->info) || oct_atc_info_add_interval(&w->info, number, 0, NULL) ||
      !(w->hash = XXH64_createState()))
    return no_memory(diag);
  XXH64_reset(w->hash, 0);
  char *path = oct_atc_path(w->dir.temporary, number, w->suffix);
  int error = path ? oct_atc_packer_begin(w->packer, path, number, diag) : no_memory(diag);
  free(path);
  return error;
}

/* At most a buffer of addresses to the chunk. */
static int put_buffer(oct_atc_writer *w, const uint64_t *values, size_t n, oct_diag *diag) {
  uint8_t *columns[OCT_BYTESORT_COLUMNS_MAX];
  uint8_t *bytes = oct_buffer_room(&w->columns, 8 * n), le[4096];
  uint8_t *scratch = oct_buffer_room(&w->scratch, 16 * n);
  if (!bytes || !scratch) return no_memory(diag);
  for (unsigned k = 0; k < 8; k++) columns[k] = bytes + k * n;
  oct_bytesort(values, n, 8, columns, (uint64_t *)(void *)scratch);
  for (size_t i = 0; i < n; i += sizeof le / 8) {
    size_t part = n - i < sizeof le / 8 ? n - i : sizeof le / 8;
    oct_values_store(values + i, part, 8, le);
    XXH64_update(w->hash, le, 8 * part);
  }
  oct_atc_chunks(&w->info)[oct_atc_n_chunks(&w->info) - 1].n += n;
  return oct_atc_packer_put(w->packer, bytes, 8 * n, &w->info, diag);
}

static int end_written(oct_atc_writer *w, oct_diag *diag) {
  oct_atc_chunks(&w->info)[oct_atc_n_chunks(&w->info) - 1].hash = XXH64_digest(w->hash);
  XXH64_freeState(w->hash);
  w->hash = NULL;
  return oct_atc_packer_end(w->packer, &w->info, diag);
}

/* An interval becomes a chunk. */
static int put_chunk(oct_atc_writer *w, const uint64_t *values, size_t n, oct_diag *diag) {
  int error = begin_written(w, diag);
  for (size_t at = 0; !error && at < n; at += w->options.buffer)
    error =
        put_buffer(w, values + at, n - at < w->options.buffer ? n - at : w->options.buffer, diag);
  return error ? error : end_written(w, diag);
}

/* Section 5.2. Only whole intervals are compared: at the end of the trace a shorter one may follow,
 * which becomes a chunk. */
static int put_interval(oct_atc_writer *w, const uint64_t *values, size_t n, oct_diag *diag) {
  uint8_t maps[OCT_ATC_BYTES][OCT_ATC_SYMBOLS];
  unsigned mask;
  if (n < w->options.interval) return put_chunk(w, values, n, diag);
  oct_atc_profile *profile = malloc(sizeof *profile);
  if (!profile) return no_memory(diag);
  oct_atc_profile_make(values, n, profile);
  uint32_t chunk = oct_atc_imitate(&w->table, profile, w->options.threshold, &mask, maps);
  int error = 0;
  if (chunk) {
    if (oct_atc_info_add_interval(&w->info, chunk, mask, maps)) error = no_memory(diag);
  } else {
    error = put_chunk(w, values, n, diag);
    uint32_t number = (uint32_t)oct_atc_n_chunks(&w->info);
    if (!error && oct_atc_table_add(&w->table, profile, number)) error = no_memory(diag);
  }
  free(profile);
  return error;
}

/* The gathered addresses are a buffer, or an interval, or the last. */
static int flush(oct_atc_writer *w, oct_diag *diag) {
  const uint64_t *values = (const uint64_t *)(const void *)w->values.bytes;
  size_t n = w->values.n_bytes / 8;
  int error = 0;
  w->values.n_bytes = 0;
  w->info.n_addresses += n;
  if (w->info.lossy) return put_interval(w, values, n, diag);
  if (!w->hash) error = begin_written(w, diag);
  return error ? error : put_buffer(w, values, n, diag);
}

static int write_values(oct_atc_writer *w, const uint64_t *values, size_t n, oct_diag *diag) {
  const size_t most = w->info.lossy ? w->options.interval : w->options.buffer;
  int error = 0;
  while (!error && n) {
    size_t part = most - w->values.n_bytes / 8;
    if (part > n) part = n;
    if (oct_buffer_put(&w->values, values, 8 * part)) return no_memory(diag);
    values += part;
    n -= part;
    if (w->values.n_bytes == 8 * most) error = flush(w, diag);
  }
  return error;
}

static int write_info(oct_atc_writer *w, oct_diag *diag) {
  oct_buffer text = {0}, packed = {0};
  oct_diag own = {0};
  char *path = oct_atc_path(w->dir.temporary, 0, w->suffix);
  FILE *f = NULL;
  int error = path ? oct_atc_info_print(&w->info, &text, diag) : no_memory(diag);
  if (!error) {
    error = oct_general_compress(w->options.stage, w->options.level, text.bytes, text.n_bytes,
                                 &packed, &own);
    if (error) oct_fail_in(diag, error, path, "%.100s", oct_diag_reason(&own).text);
  }
  if (!error && !(f = fopen(path, "wb")))
    error = oct_fail_in(diag, OCT_ERR_IO, path, "cannot create: %s", strerror(errno));
  bool failed = f && fwrite(packed.bytes, 1, packed.n_bytes, f) != packed.n_bytes;
  if (f && fclose(f)) failed = true;
  if (failed) error = oct_fail_in(diag, OCT_ERR_IO, path, "cannot write: %s", strerror(errno));
  free(path);
  oct_buffer_free(&text);
  oct_buffer_free(&packed);
  return error;
}

static int finish_writing(oct_atc_writer *w, oct_diag *diag) {
  int error = w->values.n_bytes ? flush(w, diag) : 0;
  if (!error && w->hash) error = end_written(w, diag);
  if (!error) error = write_info(w, diag);
  return error ? error : oct_atc_dir_commit(&w->dir, diag);
}

/* ---- Reading ---- */

/* Decoded chunks kept, together. */
#define KEPT_BYTES_MAX ((size_t)256 << 20)
enum { KEPT_MAX = 64 };

/* A decoded chunk, of which all or the beginning is there. */
typedef struct kept {
  uint32_t chunk; /* 0: free */
  bool whole;
  uint64_t used; /* the interval that used it last */
  oct_buffer values;
} kept;

typedef struct oct_atc_reader {
  char *dir;
  char suffix[OCT_ATC_SUFFIX_MAX + 1];
  oct_atc_info info;
  oct_atc_unpacker *unpacker;
  uint32_t *uses; /* of each chunk, by the intervals from the current one on */
  size_t interval;
  const oct_atc_interval *current; /* NULL between intervals */
  uint64_t left;                   /* addresses of the interval not yet decoded */
  const uint64_t *run;             /* decoded and not yet given out: run[at .. n) */
  size_t at, n;
  oct_buffer columns, values; /* of a buffer; values: and scratch */
  XXH64_state_t *hash;        /* of the chunk being decoded */
  kept kept[KEPT_MAX];
  kept *filling; /* what the chunk being decoded is kept in, or NULL */
} oct_atc_reader;

/* All of INFO, undone. */
static int read_info_text(const char *path, oct_buffer *text, oct_diag *diag) {
  const size_t step = 1 << 20;
  oct_input *in;
  int64_t got = 1;
  int error = oct_input_open(path, &in, diag);
  if (error < 0) return error;
  while (!error && got) {
    uint8_t *p = oct_buffer_room(text, step);
    if (!p) {
      error = no_memory(diag);
    } else if (text->n_bytes > OCT_ATC_INFO_BYTES_MAX) {
      error = oct_diag_in(diag, path,
                          oct_fail_at(diag, OCT_ERR_FORMAT, OCT_AT_BYTE, text->n_bytes,
                                      "more than %zu bytes", OCT_ATC_INFO_BYTES_MAX));
    } else {
      got = oct_input_read(in, p, step, diag);
      if (got < 0)
        error = (int)got;
      else
        text->n_bytes += (size_t)got;
    }
  }
  oct_input_close(in);
  return error;
}

static int read_info(oct_atc_reader *r, oct_diag *diag) {
  oct_buffer text = {0};
  oct_diag own = {0};
  char *path = oct_atc_path(r->dir, 0, r->suffix);
  int error = path ? read_info_text(path, &text, diag) : no_memory(diag);
  if (!error) {
    error = oct_atc_info_parse((const char *)text.bytes, text.n_bytes, &r->info, &own);
    if (error) oct_fail_in(diag, error, path, "unpacked: %.150s", oct_diag_reason(&own).text);
  }
  free(path);
  oct_buffer_free(&text);
  return error;
}

static int count_uses(oct_atc_reader *r, oct_diag *diag) {
  r->uses = calloc(oct_atc_n_chunks(&r->info) + 1, sizeof *r->uses);
  if (!r->uses) return no_memory(diag);
  for (size_t i = 0; i < oct_atc_n_intervals(&r->info); i++)
    r->uses[oct_atc_intervals(&r->info)[i].chunk]++;
  return 0;
}

static void free_reader(oct_atc_reader *r) {
  if (!r) return;
  oct_atc_unpacker_free(r->unpacker);
  oct_atc_info_free(&r->info);
  oct_buffer_free(&r->columns);
  oct_buffer_free(&r->values);
  for (unsigned i = 0; i < KEPT_MAX; i++) oct_buffer_free(&r->kept[i].values);
  XXH64_freeState(r->hash);
  free(r->uses);
  free(r->dir);
  free(r);
}

static int new_reader(const char *dirname, const oct_atc_options *options, oct_atc_reader **reader,
                      oct_diag *diag) {
  oct_atc_reader *r = calloc(1, sizeof *r);
  int error = 0;
  *reader = NULL;
  if (!r || !(r->dir = strdup(dirname))) {
    free(r);
    return no_memory(diag);
  }
  size_t n = strlen(r->dir);
  while (n > 1 && r->dir[n - 1] == '/') r->dir[--n] = '\0';
  if (options->suffix)
    strcpy(r->suffix, options->suffix);
  else
    error = oct_atc_dir_suffix(r->dir, r->suffix, diag);
  if (!error) error = read_info(r, diag);
  if (!error) error = count_uses(r, diag);
  if (!error) r->unpacker = oct_atc_unpacker_new(r->info.stage, options->n_threads);
  if (!error && !r->unpacker) error = no_memory(diag);
  if (!error && !(r->hash = XXH64_createState())) error = no_memory(diag);
  if (error)
    free_reader(r);
  else
    *reader = r;
  return error;
}

static const kept *find_kept(oct_atc_reader *r, uint32_t chunk) {
  for (unsigned i = 0; i < KEPT_MAX; i++)
    if (r->kept[i].chunk == chunk && r->kept[i].whole) {
      r->kept[i].used = r->interval;
      return &r->kept[i];
    }
  return NULL;
}

/* A place for a chunk of n_bytes, taken from those not used for longest. NULL when it is too large
 * to be kept. */
static kept *make_place(oct_atc_reader *r, uint32_t chunk, uint64_t n_bytes) {
  if (n_bytes > KEPT_BYTES_MAX) return NULL;
  for (;;) {
    uint64_t sum = n_bytes;
    kept *oldest = NULL, *place = NULL;
    for (unsigned i = 0; i < KEPT_MAX; i++) {
      kept *k = &r->kept[i];
      if (!k->chunk) {
        place = k;
      } else {
        sum += 8 * oct_atc_chunks(&r->info)[k->chunk - 1].n;
        if (!oldest || k->used < oldest->used) oldest = k;
      }
    }
    if (place && sum <= KEPT_BYTES_MAX) {
      place->chunk = chunk;
      place->whole = false;
      place->used = r->interval;
      return place;
    }
    oct_buffer_free(&oldest->values);
    oldest->chunk = 0;
  }
}

static int begin_interval(oct_atc_reader *r, oct_diag *diag) {
  r->current = &oct_atc_intervals(&r->info)[r->interval];
  const uint32_t chunk = r->current->chunk;
  const uint64_t n = oct_atc_chunks(&r->info)[chunk - 1].n;
  r->uses[chunk]--;
  r->filling = NULL;
  r->left = n;
  const kept *k = find_kept(r, chunk);
  if (k) {
    r->run = (const uint64_t *)(const void *)k->values.bytes;
    r->at = 0;
    r->n = (size_t)n;
    r->left = 0;
    return 0;
  }
  if (r->uses[chunk]) r->filling = make_place(r, chunk, 8 * n);
  XXH64_reset(r->hash, 0);
  char *path = oct_atc_path(r->dir, chunk, r->suffix);
  int error =
      path ? oct_atc_unpacker_begin(r->unpacker, path, &r->info, chunk, diag) : no_memory(diag);
  free(path);
  return error;
}

static int end_read(oct_atc_reader *r, oct_diag *diag) {
  const uint32_t chunk = r->current->chunk;
  if (r->filling) r->filling->whole = true;
  if (oct_checksum_is(oct_atc_chunks(&r->info)[chunk - 1].hash, XXH64_digest(r->hash))) return 0;
  char *path = oct_atc_path(r->dir, chunk, r->suffix);
  int error = path ? oct_diag_in(diag, path,
                                 oct_fail_at(diag, OCT_ERR_CHECKSUM, OCT_AT_BYTE, 0,
                                             "the checksum of its addresses does not match"))
                   : no_memory(diag);
  free(path);
  return error;
}

/* The next buffer of the chunk. */
static int decode_buffer(oct_atc_reader *r, oct_diag *diag) {
  const uint8_t *columns[OCT_BYTESORT_COLUMNS_MAX];
  uint8_t le[4096];
  size_t n = (size_t)(r->left < r->info.buffer ? r->left : r->info.buffer);
  r->columns.n_bytes = 0;
  int error = oct_atc_unpacker_get(r->unpacker, 8 * n, &r->columns, diag);
  if (error) return error;
  uint64_t *values = (uint64_t *)(void *)oct_buffer_room(&r->values, 16 * n);
  if (!values) return no_memory(diag);
  for (unsigned k = 0; k < 8; k++) columns[k] = r->columns.bytes + k * n;
  oct_bytesort_undo(columns, n, 8, values, values + n);
  for (size_t i = 0; i < n; i += sizeof le / 8) {
    size_t part = n - i < sizeof le / 8 ? n - i : sizeof le / 8;
    oct_values_store(values + i, part, 8, le);
    XXH64_update(r->hash, le, 8 * part);
  }
  if (r->filling && oct_buffer_put(&r->filling->values, values, 8 * n)) return no_memory(diag);
  r->run = values;
  r->at = 0;
  r->n = n;
  r->left -= n;
  return r->left ? 0 : end_read(r, diag);
}

static int64_t read_values(oct_atc_reader *r, uint64_t *values, size_t max, oct_diag *diag) {
  while (r->at == r->n) {
    int error = 0;
    if (r->current && !r->left) {
      r->current = NULL;
      r->interval++;
    }
    if (!r->current) {
      if (r->interval == oct_atc_n_intervals(&r->info)) return 0;
      error = begin_interval(r, diag);
    } else {
      error = decode_buffer(r, diag);
    }
    if (error) return error;
  }
  size_t n = r->n - r->at < max ? r->n - r->at : max;
  if (r->current->mask)
    oct_atc_translate(r->info.maps.bytes + r->current->maps, r->current->mask, r->run + r->at,
                      values, n);
  else
    memcpy(values, r->run + r->at, 8 * n);
  r->at += n;
  return (int64_t)n;
}

/* ---- The calls ---- */

/* Values that go in or out one by one wait for so many. */
enum { AHEAD = 4096 };

void oct_atc_options_init(oct_atc_options *o) {
  *o = (oct_atc_options){
      .stage = OCT_GENERAL_BZIP2,
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
  oct_general_kind stage;
} tools[] = {
    {"cat", OCT_GENERAL_NONE},      {"gzip", OCT_GENERAL_GZIP},      {"gunzip", OCT_GENERAL_GZIP},
    {"zcat", OCT_GENERAL_GZIP},     {"pigz", OCT_GENERAL_GZIP},      {"bzip2", OCT_GENERAL_BZIP2},
    {"bunzip2", OCT_GENERAL_BZIP2}, {"bzcat", OCT_GENERAL_BZIP2},    {"pbzip2", OCT_GENERAL_BZIP2},
    {"lbzip2", OCT_GENERAL_BZIP2},  {"lbunzip2", OCT_GENERAL_BZIP2}, {"xz", OCT_GENERAL_XZ},
    {"unxz", OCT_GENERAL_XZ},       {"xzcat", OCT_GENERAL_XZ},       {"zstd", OCT_GENERAL_ZSTD},
    {"unzstd", OCT_GENERAL_ZSTD},   {"zstdcat", OCT_GENERAL_ZSTD},
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
  o->level = oct_general_default_level(o->stage);
  for (word += n; *(word += strspn(word, " ")); word += n) {
    n = strcspn(word, " ");
    if (!take_option(o, word, n))
      return oct_fail(diag, OCT_ERR_ARG, "'%.*s': expected a level", (int)(n < 100 ? n : 100),
                      word);
  }
  return oct_general_check(o->stage, o->level, diag);
}

static int check_options(char mode, const oct_atc_options *o, oct_diag *diag) {
  if (!mode || !strchr("ckd", mode)) return oct_fail(diag, OCT_ERR_ARG, "mode: expected c, k or d");
  if (o->suffix && !oct_atc_suffix_ok(o->suffix))
    return oct_fail(diag, OCT_ERR_ARG, "suffix: expected at most %d printable characters, no slash",
                    OCT_ATC_SUFFIX_MAX);
  if (o->n_threads > 64) return oct_fail(diag, OCT_ERR_ARG, "threads: expected 0 to 64");
  if (mode == 'd') return 0;
  if (o->stage > OCT_GENERAL_ZSTD)
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
  return oct_general_check(o->stage, o->level, diag);
}

int oct_atc_open_options(oct_atc *atc, char mode, const char *dirname,
                         const oct_atc_options *options) {
  static const char *const suffixes[OCT_GENERAL_COUNT] = {"raw", "gz", "bz2", "xz", "zst"};
  oct_atc_options o = *options;
  memset(atc, 0, sizeof *atc);
  atc->error = check_options(mode, &o, &atc->diag);
  if (!atc->error && !*dirname)
    atc->error = oct_fail(&atc->diag, OCT_ERR_ARG, "expected the name of a directory");
  if (!atc->error && !(atc->values = malloc(AHEAD * sizeof *atc->values)))
    atc->error = oct_fail(&atc->diag, OCT_ERR_NOMEM, "out of memory");
  if (atc->error) return atc->error;
  if (mode == 'd') {
    atc->error = new_reader(dirname, &o, &atc->reader, &atc->diag);
  } else {
    if (!o.suffix) o.suffix = suffixes[o.stage];
    atc->error = new_writer(dirname, mode == 'k', &o, &atc->writer, &atc->diag);
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
  if (!atc->error && n) atc->error = write_values(atc->writer, atc->values, n, &atc->diag);
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
  atc->error = write_values(atc->writer, values, n, &atc->diag);
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
  int64_t got = read_values(atc->reader, values, max, &atc->diag);
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
  const oct_atc_info *info = atc->writer   ? &atc->writer->info
                             : atc->reader ? &atc->reader->info
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
  free_writer(atc->writer);
  free_reader(atc->reader);
  free(atc->values);
  atc->writer = NULL;
  atc->reader = NULL;
  atc->values = NULL;
  atc->at = atc->n = atc->room = 0;
}

int oct_atc_close(oct_atc *atc) {
  if (atc->writer && !put_waiting(atc)) atc->error = finish_writing(atc->writer, &atc->diag);
  oct_atc_abort(atc);
  return atc->error;
}
