/* SPDX-License-Identifier: Apache-2.0 */
/* oct_atc_read.c - an ATC directory back to addresses.
 *
 * INFO lists the intervals. One that is a chunk is unpacked and unsorted a buffer at a time; one
 * that imitates a chunk takes its addresses through the maps of bytes. Chunks that later intervals
 * need again are kept in memory as long as there is room; those not used for longest go first. */
#include <inttypes.h>
#include <stdio.h>
#include <xxhash.h>

#include "oct_atc_dir.h"
#include "oct_atc_pieces.h"
#include "octrace/codec.h"
#include "oct_checksum.h"
#include "oct_input.h"

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

struct oct_atc_reader {
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
};

static int no_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

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

int oct_atc_reader_new(const char *dirname, const oct_atc_options *options, oct_atc_reader **reader,
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
    oct_atc_reader_free(r);
  else
    *reader = r;
  return error;
}

void oct_atc_reader_free(oct_atc_reader *r) {
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

const oct_atc_info *oct_atc_reader_info(const oct_atc_reader *r) {
  return &r->info;
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

static int end_chunk(oct_atc_reader *r, oct_diag *diag) {
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
  return r->left ? 0 : end_chunk(r, diag);
}

int64_t oct_atc_reader_get(oct_atc_reader *r, uint64_t *values, size_t max, oct_diag *diag) {
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
