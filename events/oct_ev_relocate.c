/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_relocate.c - finds the blocks of an index in a file where they stand elsewhere
 * (docs/events.md), since bytes were lost or came twice.
 *
 * A block has the checksum that the index tells of it (files of version 1: none). A chunk is known
 * by its location, times and sizes. Definitions have no name of their own. What
 * stands between a chunk of one segment and one of the next is the next one's, if the number and
 * sizes of the blocks agree. Where only one side is known, or the two do not agree, a block is
 * known if no other one of the index has its sizes. A block that is not known is not used, so that
 * no definition stands for another. */
#include <stdbool.h>

#include "oct_ev_store.h"

enum { NEIGHBOURS = 64 }; /* chunks of a location that are looked at for one time, at most */

/* A block of the index. */
typedef struct entry {
  oct_ev_place *place;
  const oct_ev_chunk *chunk; /* NULL for definitions */
  uint64_t n;
  unsigned kind;
  int is_used;
  size_t last, end; /* of its segment: behind its definitions, and behind its chunks */
} entry;

typedef struct matching {
  const oct_ev_found *found;
  size_t *which;  /* entry of each, or SIZE_MAX */
  size_t *before; /* the entry that it is by what stands before it, or SIZE_MAX */
  size_t n_found, n_entries, n_by_time, n_by_size;
  entry *entries;  /* in the order of the file */
  entry **by_size; /* those of definitions */
  entry **by_time; /* those of chunks, by location and first time */
} matching;

static int fits(const entry *e, const oct_ev_found *f) {
  return e->kind == f->kind && e->n == f->n && e->place->bytes == f->place.bytes &&
         (!e->place->sum || e->place->sum == f->place.sum) &&
         (!e->chunk || (e->chunk->location == f->location && e->chunk->n_others == f->n_others &&
                        e->chunk->from <= f->time && f->time <= e->chunk->to));
}

static int in_time(const void *a, const void *b) {
  const oct_ev_chunk *x = (*(entry *const *)a)->chunk, *y = (*(entry *const *)b)->chunk;
  if (x->location != y->location) return x->location < y->location ? -1 : 1;
  if (x->from != y->from) return x->from < y->from ? -1 : 1;
  return x->place.offset < y->place.offset ? -1 : x->place.offset > y->place.offset;
}

static int compare_sizes(const entry *x, const entry *y) {
  if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
  if (x->n != y->n) return x->n < y->n ? -1 : 1;
  uint64_t a = x->place->bytes, b = y->place->bytes;
  return a < b ? -1 : a > b;
}

static int in_size(const void *a, const void *b) {
  return compare_sizes(*(entry *const *)a, *(entry *const *)b);
}

/* Whether no other definitions of the index have the sizes of e. */
static int is_alone(const matching *m, const entry *e) {
  size_t low = 0, high = m->n_by_size; /* the first one that is not before it */
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare_sizes(m->by_size[middle], e) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low + 1 >= m->n_by_size || compare_sizes(m->by_size[low + 1], e) != 0;
}

static int list_entries(matching *m, oct_ev_store *s) {
  size_t n = s->n_chunks, chunk = 0;
  for (size_t i = 0; i < s->n_parts; i++)
    n += s->parts[i].n_meta_blocks + s->parts[i].n_shape_blocks;
  m->entries = calloc(n + 1, sizeof *m->entries);
  m->by_time = calloc(s->n_chunks + 1, sizeof *m->by_time);
  m->by_size = calloc(n + 1, sizeof *m->by_size);
  m->which = calloc(m->n_found + 1, sizeof *m->which);
  m->before = calloc(m->n_found + 1, sizeof *m->before);
  if (!m->entries || !m->by_time || !m->by_size || !m->which || !m->before) return OCT_ERR_NOMEM;
  entry *e = m->entries;
  for (size_t i = 0; i < s->n_parts; i++) {
    oct_ev_part *p = &s->parts[i];
    size_t first = (size_t)(e - m->entries);
    size_t last = first + p->n_meta_blocks + p->n_shape_blocks;
    for (size_t k = 0; k < p->n_meta_blocks; k++) {
      uint64_t left = p->n_metas - k * OCT_EV_META_BLOCK;
      *e++ = (entry){.place = &p->metas[k].place,
                     .n = left < OCT_EV_META_BLOCK ? left : OCT_EV_META_BLOCK,
                     .kind = OCT_EV_BLOCK_METAS,

                     .last = last};
    }
    for (size_t k = 0; k < p->n_shape_blocks; k++)
      *e++ = (entry){.place = &p->shapes[k].place,
                     .n = p->shapes[k].n,
                     .kind = OCT_EV_BLOCK_PATTERNS,

                     .last = last};
    for (size_t k = first; k < last; k++) m->by_size[m->n_by_size++] = &m->entries[k];
    for (; chunk < s->n_chunks && s->chunks[chunk].segment == i; chunk++) {
      oct_ev_chunk *c = &s->chunks[chunk];
      m->by_time[m->n_by_time++] = e;
      *e++ = (entry){.place = &c->place,
                     .chunk = c,
                     .n = c->n_events,
                     .kind = OCT_EV_BLOCK_CHUNK,

                     .last = last};
    }
    for (size_t k = first; k < (size_t)(e - m->entries); k++)
      m->entries[k].end = (size_t)(e - m->entries);
  }
  m->n_entries = (size_t)(e - m->entries);
  qsort(m->by_time, m->n_by_time, sizeof *m->by_time, in_time);
  qsort(m->by_size, m->n_by_size, sizeof *m->by_size, in_size);
  for (size_t i = 0; i < m->n_found; i++) m->which[i] = SIZE_MAX;
  return 0;
}

static void take(matching *m, size_t found, size_t e) {
  m->which[found] = e;
  m->entries[e].is_used = 1;
}

/* A chunk by what it holds: the only one that it can be, or the one that stood there. */
static void match_chunk(matching *m, size_t found) {
  const oct_ev_found *f = &m->found[found];
  size_t low = 0, high = m->n_by_time, n = 0, one = SIZE_MAX;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const oct_ev_chunk *c = m->by_time[middle]->chunk;
    if (c->location < f->location || (c->location == f->location && c->from <= f->time))
      low = middle + 1;
    else
      high = middle;
  }
  size_t last = low > NEIGHBOURS ? low - NEIGHBOURS : 0;
  for (size_t i = low; i-- > last && m->by_time[i]->chunk->location == f->location;) {
    const entry *e = m->by_time[i];
    if (!fits(e, f)) continue;
    one = (size_t)(e - m->entries);
    if (e->place->offset == f->place.offset) {
      n = 1;
      break;
    }
    n++;
  }
  if (n == 1) take(m, found, one);
}

static int is_next(const oct_ev_found *a, const oct_ev_found *b) {
  return a->place.offset + a->place.bytes == b->place.offset;
}

/* Definitions by what stands before and behind them. */
static void match_definitions(matching *m, uint64_t head_bytes) {
  size_t next = SIZE_MAX;
  for (size_t i = 0; i < m->n_found; i++) {
    const oct_ev_found *f = &m->found[i];
    if (i ? !is_next(f - 1, f) : f->place.offset != head_bytes) next = SIZE_MAX;
    if (!i && f->place.offset == head_bytes) next = 0;
    m->before[i] = next < m->n_entries && fits(&m->entries[next], f) ? next : SIZE_MAX;
    if (f->kind != OCT_EV_BLOCK_CHUNK)
      next = m->before[i] == SIZE_MAX ? SIZE_MAX : next + 1;
    else
      next = m->which[i] == SIZE_MAX ? SIZE_MAX : m->entries[m->which[i]].end;
  }
  size_t segment = SIZE_MAX; /* of the next chunk that is known: the end of its definitions */
  size_t last = SIZE_MAX;    /* the entry that stands behind what is looked at */
  for (size_t i = m->n_found; i-- > 0;) {
    const oct_ev_found *f = &m->found[i];
    if (i + 1 == m->n_found || !is_next(f, f + 1)) last = SIZE_MAX;
    if (f->kind == OCT_EV_BLOCK_CHUNK) {
      last = m->which[i] == SIZE_MAX ? SIZE_MAX : m->entries[m->which[i]].last;
      if (last != SIZE_MAX) segment = last;
      continue;
    }
    size_t behind =
        last != SIZE_MAX && last && fits(&m->entries[last - 1], f) ? last - 1 : SIZE_MAX;
    size_t before = m->before[i], one = behind == SIZE_MAX ? before : behind;
    last = behind;
    bool is_between =
        behind == SIZE_MAX && before != SIZE_MAX && m->entries[before].last == segment;
    if (one == SIZE_MAX || (!is_between && before != behind && !is_alone(m, &m->entries[one])))
      continue;
    take(m, i, one);
  }
}

int64_t oct_ev_store_relocate(oct_ev_store *s, const oct_ev_found *found, size_t n_found) {
  matching m = {.found = found, .n_found = n_found};
  int64_t n_chunks = list_entries(&m, s);
  if (!n_chunks) {
    for (size_t i = 0; i < n_found; i++)
      if (found[i].kind == OCT_EV_BLOCK_CHUNK) match_chunk(&m, i);
    match_definitions(&m, s->head_bytes);
    for (size_t i = 0; i < m.n_entries; i++)
      if (!m.entries[i].is_used) m.entries[i].place->bytes = 0;
    for (size_t i = 0; i < n_found; i++) {
      if (m.which[i] == SIZE_MAX) continue;
      *m.entries[m.which[i]].place = found[i].place;
      n_chunks += found[i].kind == OCT_EV_BLOCK_CHUNK;
    }
  }
  free(m.entries);
  free(m.by_time);
  free(m.by_size);
  free(m.before);
  free(m.which);
  return n_chunks;
}
