/* SPDX-License-Identifier: Apache-2.0 */
/* oct_atc_write.c - addresses to an ATC directory: without loss one chunk, with loss the intervals
 * that no chunk before looks like (Michaud 2009, sections 4.1 and 5.2).
 *
 * Addresses are gathered to a buffer, which is sorted by bytesort and packed in pieces. With loss
 * they are gathered to an interval: if the table has a profile within the threshold, only the
 * number of that chunk and the maps of bytes are noted; else the interval becomes a chunk and its
 * profile enters the table. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <xxhash.h>

#include "oct_atc_dir.h"
#include "oct_atc_pieces.h"
#include "octrace/codec.h"

struct oct_atc_writer {
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
};

static int no_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

int oct_atc_writer_new(const char *dirname, bool lossy, const oct_atc_options *options,
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
    oct_atc_writer_free(w);
  else
    *writer = w;
  return error;
}

void oct_atc_writer_free(oct_atc_writer *w) {
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

const oct_atc_info *oct_atc_writer_info(const oct_atc_writer *w) {
  return &w->info;
}

static int begin_chunk(oct_atc_writer *w, oct_diag *diag) {
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

static int end_chunk(oct_atc_writer *w, oct_diag *diag) {
  oct_atc_chunks(&w->info)[oct_atc_n_chunks(&w->info) - 1].hash = XXH64_digest(w->hash);
  XXH64_freeState(w->hash);
  w->hash = NULL;
  return oct_atc_packer_end(w->packer, &w->info, diag);
}

/* An interval becomes a chunk. */
static int put_chunk(oct_atc_writer *w, const uint64_t *values, size_t n, oct_diag *diag) {
  int error = begin_chunk(w, diag);
  for (size_t at = 0; !error && at < n; at += w->options.buffer)
    error =
        put_buffer(w, values + at, n - at < w->options.buffer ? n - at : w->options.buffer, diag);
  return error ? error : end_chunk(w, diag);
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
  if (!w->hash) error = begin_chunk(w, diag);
  return error ? error : put_buffer(w, values, n, diag);
}

int oct_atc_writer_put(oct_atc_writer *w, const uint64_t *values, size_t n, oct_diag *diag) {
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
    error = oct_stage_compress(w->options.stage, w->options.level, text.bytes, text.n_bytes,
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

int oct_atc_writer_finish(oct_atc_writer *w, oct_diag *diag) {
  int error = w->values.n_bytes ? flush(w, diag) : 0;
  if (!error && w->hash) error = end_chunk(w, diag);
  if (!error) error = write_info(w, diag);
  return error ? error : oct_atc_dir_commit(&w->dir, diag);
}
