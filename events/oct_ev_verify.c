/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_verify.c - compares a compressed event file with its original.
 *
 * Both are read in the order of the original. Names are compared once and their numbers translated;
 * times must be equal without loss, and within the thresholds with it. */
#include "oct_ev_verify.h"

#include <stdio.h>

#include "oct_ev_cursor.h"
#include "oct_ev_match.h"

/* A location of the file: its records are asked for as the original has them. */
typedef struct side {
  oct_ev_cursor cursor;
  uint64_t n_events, before, before_decoded;
} side;

typedef struct comparison {
  oct_ev_store *store;
  oct_ev_source *original;
  oct_ev_chunk_lists chunks;
  side *sides;                   /* by location of the file */
  uint32_t *function, *location; /* from numbers of the original to those of the file */
  size_t n_functions, function_cap, n_locations, location_cap;
  oct_ev_verdict *v;
} comparison;

static int differ(comparison *c, uint32_t location, const char *what) {
  const oct_ev_defs *d = oct_ev_source_defs(c->original);
  snprintf(c->v->difference, sizeof c->v->difference, "thread %.100s, record %llu: %s",
           oct_ev_names_text(&d->locations, location),
           (unsigned long long)(c->v->events + c->v->others), what);
  return 1;
}

/* Extend a table from the original's names to the file's; UINT32_MAX where it has no such name. */
static int map_names(const oct_ev_names *from, const oct_ev_names *to, uint32_t **map, size_t *n,
                     size_t *cap) {
  if (oct_ev_grow((void **)map, cap, from->n, sizeof **map)) return OCT_ERR_NOMEM;
  for (; *n < from->n; (*n)++) {
    const char *name = oct_ev_names_text(from, (uint32_t)*n);
    int64_t found = oct_ev_names_find(to, name, strlen(name));
    (*map)[*n] = found < 0 ? UINT32_MAX : (uint32_t)found;
  }
  return 0;
}

static int compare_times(comparison *c, side *s, const oct_ev_record *a, const oct_ev_record *b) {
  const oct_ev_params *p = &c->store->params;
  uint64_t d = a->time_ticks - s->before, e = b->time_ticks - s->before_decoded;
  uint64_t off = oct_ev_apart(d, e), stamp = oct_ev_apart(a->time_ticks, b->time_ticks);
  int first = !s->n_events++;
  s->before = a->time_ticks;
  s->before_decoded = b->time_ticks;
  if (!p->lossy || first) return stamp ? differ(c, a->location, "another time") : 0;
  if (stamp > c->v->max_off_ticks) c->v->max_off_ticks = stamp;
  if (off > c->v->max_diff_ticks) c->v->max_diff_ticks = off;
  if (off > p->t_abs_ticks && !oct_ev_within_rel(off, e, p->t_rel_ppm))
    return differ(c, a->location, "a time difference past both thresholds");
  return 0;
}

/* 0 equal, 1 different, or an error. */
static int compare_record(comparison *c, const oct_ev_record *a, oct_diag *diag) {
  oct_ev_record b;
  uint32_t location = c->location[a->location];
  if (location == UINT32_MAX) return differ(c, a->location, "the file has no such thread");
  side *s = &c->sides[location];
  int got = oct_ev_cursor_record(&s->cursor, &b, diag);
  if (got < 0) return got;
  if (!got) return differ(c, a->location, "the file ends");
  if (a->kind != b.kind) return differ(c, a->location, "another kind of record");
  if (a->kind == OCT_EV_OTHER) {
    c->v->others++;
    if (a->other_bytes != b.other_bytes || memcmp(a->other, b.other, b.other_bytes))
      return differ(c, a->location, "another other record");
    if (!c->store->params.lossy && a->time_ticks != b.time_ticks)
      return differ(c, a->location, "another time");
    return 0;
  }
  c->v->events++;
  if (c->function[a->function] != b.function) return differ(c, a->location, "another function");
  return compare_times(c, s, a, &b);
}

static int open_sides(comparison *c) {
  size_t n = c->store->defs.locations.n;
  c->sides = calloc(n + 1, sizeof *c->sides);
  if (!c->sides || oct_ev_chunks_list(c->store, 0, UINT64_MAX, NULL, &c->chunks))
    return OCT_ERR_NOMEM;
  for (size_t i = 0; i < n; i++) {
    size_t first = c->chunks.start[i];
    oct_ev_cursor_init(&c->sides[i].cursor, c->store, c->chunks.chunks + first,
                       c->chunks.start[i + 1] - first);
  }
  return 0;
}

static int compare_all(comparison *c, oct_diag *diag) {
  const oct_ev_record *records;
  size_t n;
  int got, result = 0;
  while (!result && (got = oct_ev_source_next(c->original, &records, &n, diag)) != 0) {
    if (got < 0) return got;
    const oct_ev_defs *d = oct_ev_source_defs(c->original);
    if (map_names(&d->functions, &c->store->defs.functions, &c->function, &c->n_functions,
                  &c->function_cap) ||
        map_names(&d->locations, &c->store->defs.locations, &c->location, &c->n_locations,
                  &c->location_cap))
      return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    for (size_t i = 0; i < n && !result; i++) result = compare_record(c, &records[i], diag);
  }
  uint32_t n_locations = c->store->defs.locations.n;
  for (uint32_t i = 0; i < n_locations && !result; i++) {
    oct_ev_record extra;
    result = oct_ev_cursor_record(&c->sides[i].cursor, &extra, diag);
    if (result > 0)
      snprintf(c->v->difference, sizeof c->v->difference,
               "thread %.100s: the file has more records",
               oct_ev_names_text(&c->store->defs.locations, i));
  }
  return result ? result : oct_ev_store_check_totals(c->store, diag);
}

int oct_ev_verify(oct_ev_reader *r, oct_ev_source *original, oct_ev_verdict *v, oct_diag *diag) {
  comparison c = {.store = oct_ev_reader_store(r), .original = original, .v = v};
  memset(v, 0, sizeof *v);
  int result = open_sides(&c);
  result = result ? oct_fail(diag, result, "out of memory") : compare_all(&c, diag);
  v->equal = result == 0;
  for (uint32_t i = 0; c.sides && i < c.store->defs.locations.n; i++)
    oct_ev_cursor_free(&c.sides[i].cursor);
  oct_ev_chunks_free(&c.chunks);
  free(c.sides);
  free(c.function);
  free(c.location);
  return result < 0 ? result : 0;
}
