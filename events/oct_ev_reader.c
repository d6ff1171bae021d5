/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_reader.c - reads compressed event files: chooses chunks and merges locations by time.
 *
 * The index tells which chunks touch the locations and times asked for. Each location has a cursor
 * (oct_ev_cursor.c); a heap over their next times gives the records in order. With salvage a
 * damaged block is noted and passed over. Without it, it is told when all records before it were
 * given, those of other locations too. */
#include "oct_ev_reader.h"

#include "oct_ev_cursor.h"

/* A location's cursor and the record that it gives next. */
typedef struct lane {
  oct_ev_cursor cursor;
  oct_ev_record record;
  int error; /* instead of the record: what is damaged there */
  oct_diag why;
} lane;

struct oct_ev_reader {
  oct_ev_store store;
  uint64_t from, to;
  oct_ev_chunk_lists chunks; /* those selected */
  lane *lanes;
  size_t n_lanes;
  lane **heap; /* those that have a record, the first one on top */
  size_t n_heap;
  lane *given; /* whose record was returned last */
  int selected;
  bool is_all, gave_all; /* all is asked for; and was given */
  oct_ev_damage damage;
};

static int start(oct_ev_reader *r, int error, oct_ev_reader **out) {
  if (error) {
    free(r);
    return error;
  }
  r->damage.n_places = r->store.n_damaged;
  r->damage.first = r->store.damage;
  r->damage.is_unknown = r->store.is_rebuilt;
  *out = r;
  return 0;
}

static int open_path(const char *path, oct_ev_care care, oct_ev_reader **out, oct_diag *diag) {
  oct_ev_reader *r = calloc(1, sizeof *r);
  *out = NULL;
  if (!r) return oct_fail_in(diag, OCT_ERR_NOMEM, path, "out of memory");
  return start(r, oct_ev_store_open(&r->store, path, care, diag), out);
}

int oct_ev_reader_open(const char *path, oct_ev_reader **out, oct_diag *diag) {
  return open_path(path, OCT_EV_REFUSE, out, diag);
}

int oct_ev_reader_open_part(const char *path, oct_ev_reader **out, oct_diag *diag) {
  return open_path(path, OCT_EV_STOP, out, diag);
}

int oct_ev_reader_open_salvage(const char *path, oct_ev_reader **out, oct_diag *diag) {
  return open_path(path, OCT_EV_SALVAGE, out, diag);
}

static int open_memory(const void *bytes, size_t n, int trust, oct_ev_care care,
                       oct_ev_reader **out, oct_diag *diag) {
  oct_ev_reader *r = calloc(1, sizeof *r);
  *out = NULL;
  if (!r) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  return start(r, oct_ev_store_open_memory(&r->store, bytes, n, trust, care, diag), out);
}

int oct_ev_reader_open_memory(const void *bytes, size_t n, int trust, oct_ev_reader **out,
                              oct_diag *diag) {
  return open_memory(bytes, n, trust, OCT_EV_REFUSE, out, diag);
}

int oct_ev_reader_open_memory_part(const void *bytes, size_t n, int trust, oct_ev_reader **out,
                                   oct_diag *diag) {
  return open_memory(bytes, n, trust, OCT_EV_STOP, out, diag);
}

int oct_ev_reader_open_memory_salvage(const void *bytes, size_t n, int trust, oct_ev_reader **out,
                                      oct_diag *diag) {
  return open_memory(bytes, n, trust, OCT_EV_SALVAGE, out, diag);
}

void oct_ev_reader_max_memory(oct_ev_reader *r, uint64_t bytes) {
  r->store.max_open_bytes = bytes;
}

static void end_selection(oct_ev_reader *r) {
  for (size_t i = 0; i < r->n_lanes; i++) oct_ev_cursor_free(&r->lanes[i].cursor);
  free(r->lanes);
  free(r->heap);
  oct_ev_chunks_free(&r->chunks);
  r->lanes = NULL;
  r->heap = NULL;
  r->given = NULL;
  r->n_lanes = r->n_heap = 0;
}

void oct_ev_reader_close(oct_ev_reader *r) {
  if (!r) return;
  end_selection(r);
  oct_ev_store_close(&r->store);
  free(r);
}

const oct_ev_params *oct_ev_reader_params(const oct_ev_reader *r) {
  return &r->store.params;
}
const oct_ev_counts *oct_ev_reader_counts(const oct_ev_reader *r) {
  return &r->store.counts;
}
const oct_ev_defs *oct_ev_reader_defs(const oct_ev_reader *r) {
  return &r->store.defs;
}
bool oct_ev_reader_lacks_names(const oct_ev_reader *r) {
  return r->store.lacks_names;
}
uint64_t oct_ev_reader_bytes_read(const oct_ev_reader *r) {
  return r->store.bytes_read;
}
uint64_t oct_ev_reader_bytes_total(const oct_ev_reader *r) {
  return r->store.bytes_total;
}
oct_ev_store *oct_ev_reader_store(oct_ev_reader *r) {
  return &r->store;
}

void oct_ev_reader_span(const oct_ev_reader *r, uint64_t *from, uint64_t *to) {
  *from = *to = 0;
  for (size_t i = 0; i < r->store.n_chunks; i++) {
    const oct_ev_chunk *c = &r->store.chunks[i];
    if (!i || c->from < *from) *from = c->from;
    if (c->to > *to) *to = c->to;
  }
}

static int comes_before(const lane *a, const lane *b) {
  if (a->record.time_ticks != b->record.time_ticks)
    return a->record.time_ticks < b->record.time_ticks;
  return a->record.location < b->record.location;
}

static void sift_down(oct_ev_reader *r, size_t i) {
  for (;;) {
    size_t first = i, left = 2 * i + 1, right = left + 1;
    if (left < r->n_heap && comes_before(r->heap[left], r->heap[first])) first = left;
    if (right < r->n_heap && comes_before(r->heap[right], r->heap[first])) first = right;
    if (first == i) return;
    lane *moved = r->heap[i];
    r->heap[i] = r->heap[first];
    r->heap[first] = moved;
    i = first;
  }
}

const oct_ev_damage *oct_ev_reader_damage(const oct_ev_reader *r) {
  return &r->damage;
}

/* Whether the error is damage of a block. */
static int is_damage(int error) {
  return error == OCT_ERR_FORMAT || error == OCT_ERR_CHECKSUM || error == OCT_ERR_TRUNCATED ||
         error == OCT_ERR_LIMIT;
}

/* The lane's next record within the times asked for, or its damage: 1, 0 at the end, or an error.
 */
static int advance(oct_ev_reader *r, lane *l, oct_diag *diag) {
  for (;;) {
    oct_diag own = {0};
    int got;
    while ((got = oct_ev_cursor_record(&l->cursor, &l->record, &own)) > 0)
      if (l->record.time_ticks >= r->from && l->record.time_ticks <= r->to) return 1;
    if (!got) return 0;
    if (!is_damage(got) || oct_ev_store_is_full(&r->store)) {
      if (diag) *diag = own;
      return got;
    }
    if (r->store.care != OCT_EV_SALVAGE) {
      uint64_t from = l->cursor.chunk->from; /* all that is missing is at that time or later */
      if (from > l->record.time_ticks) l->record.time_ticks = from;
      l->error = got;
      l->why = own;
      return 1;
    }
    if (!r->damage.n_places++) r->damage.first = own;
    r->damage.lost_events += oct_ev_cursor_skip(&l->cursor);
  }
}

int oct_ev_reader_select(oct_ev_reader *r, uint64_t from, uint64_t to, const uint8_t *chosen,
                         oct_diag *diag) {
  const size_t n = r->store.defs.locations.n, *start;
  end_selection(r);
  r->from = from;
  r->to = to;
  r->is_all = !from && to == UINT64_MAX && !chosen;
  r->gave_all = false;
  oct_ev_store_forget_seen(&r->store);
  r->selected = 1;
  int error = oct_ev_chunks_list(&r->store, from, to, chosen, &r->chunks);
  start = r->chunks.start;
  for (size_t i = 0; !error && i < n; i++) r->n_lanes += start[i + 1] > start[i];
  r->lanes = error ? NULL : calloc(r->n_lanes + 1, sizeof *r->lanes);
  r->heap = error ? NULL : calloc(r->n_lanes + 1, sizeof(lane *));
  if (!r->lanes || !r->heap) {
    r->n_lanes = 0;
    return oct_fail_in(diag, OCT_ERR_NOMEM, r->store.name, "out of memory");
  }
  size_t k = 0;
  for (size_t i = 0; i < n; i++)
    if (start[i + 1] > start[i])
      oct_ev_cursor_init(&r->lanes[k++].cursor, &r->store, r->chunks.chunks + start[i],
                         start[i + 1] - start[i]);
  for (size_t i = 0; i < r->n_lanes; i++) {
    int got = advance(r, &r->lanes[i], diag);
    if (got < 0) return got;
    if (got) r->heap[r->n_heap++] = &r->lanes[i];
  }
  for (size_t i = r->n_heap; i-- > 0;) sift_down(r, i);
  return 0;
}

/* All was given. Do the totals say so? Where damage is passed over, they are damage, too. */
static int end(oct_ev_reader *r, oct_diag *diag) {
  oct_diag own = {0};
  bool is_first = !r->gave_all;
  r->gave_all = true;
  if (!r->is_all || !is_first || r->store.is_rebuilt || r->damage.n_places) return 0;
  int error = oct_ev_store_check_totals(&r->store, &own);
  if (!error) return 0;
  if (r->store.care == OCT_EV_SALVAGE) {
    r->damage.n_places = 1;
    r->damage.first = own;
    return 0;
  }
  if (diag) *diag = own;
  return error;
}

bool oct_ev_reader_gave_all(const oct_ev_reader *r) {
  return r->gave_all;
}

int oct_ev_reader_next(oct_ev_reader *r, oct_ev_record *record, oct_diag *diag) {
  int error;
  if (!r->selected && (error = oct_ev_reader_select(r, 0, UINT64_MAX, NULL, diag))) return error;
  if (r->given) {
    int got = advance(r, r->given, diag);
    r->given = NULL;
    if (got < 0) return got;
    if (!got) r->heap[0] = r->heap[--r->n_heap];
    sift_down(r, 0);
  }
  if (!r->n_heap && r->store.care == OCT_EV_STOP && r->store.n_damaged) {
    if (diag) *diag = r->store.damage;
    return r->store.damage.error;
  }
  if (!r->n_heap) return end(r, diag);
  if (r->heap[0]->error) {
    if (diag) *diag = r->heap[0]->why;
    return r->heap[0]->error;
  }
  r->given = r->heap[0];
  *record = r->given->record;
  return 1;
}
