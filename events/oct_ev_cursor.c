/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_cursor.c - walks through the chunks of one location, by items or by records
 * (docs/events.md).
 *
 * An item is a plain event or an occurrence of a pattern. Its time is the gap before it added to
 * the decoded time of the event before; the times within an occurrence follow from the vector of
 * its pattern, with corrections, and without loss with residuals. Records that are no calls stand
 * in columns of their own and are merged in by their place. */
#include "oct_ev_cursor.h"

void oct_ev_chunks_free(oct_ev_chunk_lists *lists) {
  free(lists->chunks);
  free(lists->start);
  *lists = (oct_ev_chunk_lists){0};
}

/* Sorted by counting: a file may have millions of chunks and locations. */
int oct_ev_chunks_list(const oct_ev_store *s, uint64_t from, uint64_t to, const uint8_t *chosen,
                       oct_ev_chunk_lists *lists) {
  size_t n = s->defs.locations.n, sum = 0;
  size_t *start = calloc(n + 2, sizeof *start);
  *lists = (oct_ev_chunk_lists){.start = start};
  if (!start) return OCT_ERR_NOMEM;
  /* First how many there are, one place further on; then each to its place, by which start[i + 1]
   * moves from where the list begins to where it ends. */
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < s->n_chunks; i++) {
      const oct_ev_chunk *c = &s->chunks[i];
      if (c->to < from || c->from > to || (chosen && !chosen[c->location])) continue;
      if (pass)
        lists->chunks[start[c->location + 1]++] = (uint32_t)i;
      else
        start[c->location + 1]++;
    }
    for (size_t i = 0; i < n && !pass; i++) {
      size_t count = start[i + 1];
      start[i + 1] = sum;
      sum += count;
    }
    if (!pass && !(lists->chunks = malloc((sum + 1) * sizeof *lists->chunks))) {
      oct_ev_chunks_free(lists);
      return OCT_ERR_NOMEM;
    }
  }
  return 0;
}

void oct_ev_cursor_init(oct_ev_cursor *c, oct_ev_store *store, const uint32_t *chunks,
                        size_t n_chunks) {
  memset(c, 0, sizeof *c);
  c->store = store;
  c->chunks = chunks;
  c->n_chunks = n_chunks;
}

static int bad(const oct_ev_cursor *c, const char *what, oct_diag *diag) {
  return oct_fail_in(diag, OCT_ERR_FORMAT, c->store->name, "block at offset %llu: %s",
                     (unsigned long long)c->chunk->place.offset, what);
}

/* Read where the next other record stands. */
static void next_other(oct_ev_cursor *c) {
  oct_cursor *in = &c->in.column[OCT_EV_CHUNK_OTHERS];
  if (!c->others_left) return;
  c->other_event += oct_cursor_take_leb128(in);
  c->other_time += oct_unfold_sign(oct_cursor_take_leb128(in));
  c->other_bytes = oct_cursor_take_leb128(in);
}

/* Hold what chunks have open at once against the limit. */
static int count_open(oct_ev_cursor *c, oct_diag *diag) {
  oct_ev_store *s = c->store;
  c->open_bytes = 0;
  for (int i = 0; i < OCT_EV_CHUNK_COLUMNS; i++) c->open_bytes += c->in.column[i].n_bytes;
  s->open_bytes += c->open_bytes;
  if (!oct_ev_store_is_full(s)) return 0;
  return oct_fail_in(
      diag, OCT_ERR_LIMIT, s->name,
      "the chunks of all threads need more than %llu MiB of memory at once (--max-memory, or "
      "oct_ev_reader_max_memory, allows more)",
      (unsigned long long)((s->max_open_bytes ? s->max_open_bytes : OCT_EV_OPEN_BYTES_MAX) >> 20));
}

static int open_chunk(oct_ev_cursor *c, oct_diag *diag) {
  c->chunk = &c->store->chunks[c->chunks[c->next_chunk]];
  int error = oct_ev_store_block(c->store, &c->chunk->place, OCT_EV_BLOCK_CHUNK, &c->in, diag);
  if (error) return error;
  oct_ev_store_enter(c->store, c->chunk->segment);
  c->open = 1;
  if ((error = count_open(c, diag))) return error;
  oct_cursor *head = &c->in.column[OCT_EV_CHUNK_HEAD];
  uint64_t location = oct_cursor_take_leb128(head);
  c->items_left = oct_cursor_take_leb128(head);
  c->events_left = oct_cursor_take_leb128(head);
  c->others_left = oct_cursor_take_leb128(head);
  c->time = c->other_time = oct_cursor_take_leb128(head);
  c->event = c->other_event = 0;
  c->location = c->chunk->location;
  if (head->has_failed || location != c->chunk->location || c->events_left != c->chunk->n_events ||
      c->others_left != c->chunk->n_others)
    return bad(c, "another chunk than in the index", diag);
  next_other(c);
  return 0;
}

static void leave_chunk(oct_ev_cursor *c) {
  if (!c->open) return;
  free(c->in.memory);
  c->store->open_bytes -= c->open_bytes;
  oct_ev_store_leave(c->store, c->chunk->segment);
  c->open = 0;
}

static void close_chunk(oct_ev_cursor *c) {
  c->next_chunk += (size_t)(c->open != 0);
  leave_chunk(c);
}

uint64_t oct_ev_cursor_skip(oct_ev_cursor *c) {
  uint64_t given = c->open ? c->event - (c->item.n_events - c->at) : 0;
  uint64_t n_events = c->chunk->n_events;
  if (c->open)
    close_chunk(c);
  else
    c->next_chunk++;
  c->items_left = c->events_left = c->others_left = c->event = 0;
  c->item.n_events = c->at = 0;
  return n_events > given ? n_events - given : 0;
}

/* Whether all of a chunk that was read to its end was used. */
static int check_end(const oct_ev_cursor *c, oct_diag *diag) {
  if (c->events_left) return bad(c, "fewer events than its number", diag);
  for (int i = 0; i < OCT_EV_CHUNK_COLUMNS; i++)
    if (c->in.column[i].has_failed || c->in.column[i].n_bytes)
      return bad(c, "a column is too short or too long", diag);
  return 0;
}

/* Corrections of an occurrence: indices to c->corrections, values to the times' places. */
static int read_corrections(oct_ev_cursor *c, const oct_ev_shape *p, oct_diag *diag) {
  oct_cursor *in = &c->in.column[OCT_EV_CHUNK_CORRECTIONS];
  uint64_t n = oct_cursor_take_leb128(in), index = 0;
  if (in->has_failed || !n || n >= p->order) return bad(c, "number of corrections", diag);
  if (oct_ev_grow((void **)&c->corrections, &c->corrections_cap, n, sizeof *c->corrections))
    return oct_fail_in(diag, OCT_ERR_NOMEM, c->store->name, "out of memory");
  for (uint64_t i = 0; i < n; i++) {
    uint64_t step = oct_cursor_take_leb128(in);
    index += step;
    if (in->has_failed || step > p->order || index + 1 >= p->order || (i && !step))
      return bad(c, "index of a correction", diag);
    c->corrections[i] = (uint32_t)index;
    c->times[index + 1] = oct_cursor_take_leb128(in);
  }
  c->item.n_corrections = (uint32_t)n;
  return 0;
}

static int read_occurrence(oct_ev_cursor *c, uint64_t pattern, int disturbed, oct_diag *diag) {
  const oct_ev_shape *p;
  int error = oct_ev_store_shape(c->store, c->chunk->segment, pattern, 1, &p, diag);
  if (error) return error;
  if (oct_ev_grow((void **)&c->times, &c->times_cap, p->order, sizeof *c->times))
    return oct_fail_in(diag, OCT_ERR_NOMEM, c->store->name, "out of memory");
  c->item.n_corrections = 0;
  if (disturbed && (error = read_corrections(c, p, diag))) return error;
  oct_cursor *rest = &c->in.column[OCT_EV_CHUNK_RESIDUALS];
  uint32_t k = 0, n_fix = c->item.n_corrections;
  int exact = !c->store->params.lossy;
  c->times[0] = c->time;
  for (uint32_t i = 0; i + 1 < p->order; i++) {
    uint64_t d = p->vector[i];
    if (k < n_fix && c->corrections[k] == i) {
      d = c->times[i + 1];
      k++;
    } else if (exact) {
      d += oct_unfold_sign(oct_cursor_take_leb128(rest));
    }
    c->times[i + 1] = c->time += d;
  }
  c->item.pattern = pattern;
  c->item.shape = p;
  c->item.n_events = p->order;
  c->item.ops = p->ops;
  c->item.corrections = c->corrections;
  return 0;
}

/* Read the next item of the chunk that is open. */
static int read_item(oct_ev_cursor *c, oct_diag *diag) {
  uint64_t token = oct_cursor_take_leb128(&c->in.column[OCT_EV_CHUNK_TOKENS]), what = token >> 2;
  unsigned kind = token & 3;
  oct_ev_counts *seen = &c->store->seen;
  c->time += oct_cursor_take_leb128(&c->in.column[OCT_EV_CHUNK_GAPS]);
  c->items_left--;
  c->at = c->item.n_events = 0; /* nothing is given, if what follows fails */
  c->item.segment = c->chunk->segment;
  c->item.chunk = c->chunks[c->next_chunk];
  if (kind == OCT_EV_TOKEN_ENTER || kind == OCT_EV_TOKEN_LEAVE) {
    if (what >= c->store->defs.functions.n) return bad(c, "function that is not there", diag);
    if (oct_ev_grow((void **)&c->times, &c->times_cap, 1, sizeof *c->times))
      return oct_fail_in(diag, OCT_ERR_NOMEM, c->store->name, "out of memory");
    c->plain_op = (uint32_t)(2 * what + (kind == OCT_EV_TOKEN_LEAVE));
    c->times[0] = c->time;
    c->item.pattern = UINT64_MAX;
    c->item.shape = NULL;
    c->item.n_events = 1;
    c->item.ops = &c->plain_op;
    c->item.n_corrections = 0;
    seen->plain_events++;
    c->store->seen_enters += kind == OCT_EV_TOKEN_ENTER;
  } else {
    int error = read_occurrence(c, what, kind == OCT_EV_TOKEN_DISTURBED, diag);
    if (error) return error;
    seen->occurrences++;
    seen->disturbed += kind == OCT_EV_TOKEN_DISTURBED;
    seen->corrections += c->item.n_corrections;
    c->store->seen_enters += c->item.n_events / 2; /* each call is whole */
  }
  c->item.times = c->times;
  if (c->item.n_events > c->events_left) return bad(c, "more events than its number", diag);
  c->events_left -= c->item.n_events;
  c->event += c->item.n_events;
  return 1;
}

/* Go on to a chunk that has something left: 1, or 0 at the end, or an error. */
static int find_chunk(oct_ev_cursor *c, int others_too, oct_diag *diag) {
  int error;
  for (;;) {
    if (c->open && (c->items_left || (others_too && c->others_left))) return 1;
    if (c->open && others_too && (error = check_end(c, diag))) return error;
    close_chunk(c);
    if (c->next_chunk == c->n_chunks) return 0;
    if ((error = open_chunk(c, diag))) return error;
  }
}

int oct_ev_cursor_item(oct_ev_cursor *c, const oct_ev_item_read **item, oct_diag *diag) {
  int got = find_chunk(c, 0, diag);
  if (got <= 0) return got;
  *item = &c->item;
  return read_item(c, diag);
}

static int other_record(oct_ev_cursor *c, oct_ev_record *r, oct_diag *diag) {
  const uint8_t *bytes = oct_cursor_take(&c->in.column[OCT_EV_CHUNK_OTHER_TEXT], c->other_bytes);
  if (c->in.column[OCT_EV_CHUNK_OTHERS].has_failed || !bytes ||
      c->other_bytes > OCT_EV_OTHER_BYTES_MAX)
    return bad(c, "other records do not fit", diag);
  *r = (oct_ev_record){.time_ticks = c->other_time,
                       .location = c->location,
                       .kind = OCT_EV_OTHER,
                       .other = bytes,
                       .other_bytes = (uint32_t)c->other_bytes};
  c->others_left--;
  next_other(c);
  return 1;
}

int oct_ev_cursor_record(oct_ev_cursor *c, oct_ev_record *r, oct_diag *diag) {
  for (;;) {
    uint64_t event = c->event - (c->item.n_events - c->at); /* the next one's number */
    int in_item = c->open && c->at < c->item.n_events;
    if (!in_item) event = c->event;
    if (c->open && c->others_left && c->other_event <= event) return other_record(c, r, diag);
    if (in_item) {
      uint32_t op = c->item.ops[c->at];
      *r = (oct_ev_record){.time_ticks = c->item.times[c->at++],
                           .location = c->location,
                           .function = op >> 1,
                           .kind = op & 1 ? OCT_EV_LEAVE : OCT_EV_ENTER};
      return 1;
    }
    if (c->open && !c->items_left && c->others_left)
      return bad(c, "a record after the last event of its chunk", diag);
    int got = find_chunk(c, 1, diag);
    if (got <= 0) return got;
    if (c->items_left && !(c->others_left && c->other_event <= c->event) &&
        (got = read_item(c, diag)) < 0)
      return got;
  }
}

void oct_ev_cursor_free(oct_ev_cursor *c) {
  leave_chunk(c);
  free(c->times);
  free(c->corrections);
  memset(c, 0, sizeof *c);
}

int oct_ev_cursor_find_times(oct_ev_store *s, uint32_t number, oct_diag *diag) {
  oct_ev_chunk *k = &s->chunks[number];
  oct_ev_cursor c;
  oct_ev_record r;
  int got;
  int is_first = 1;
  k->to = UINT64_MAX;
  if (k->n_events > OCT_EV_CHUNK_EVENTS + OCT_EV_ORDER_MAX) return 0; /* none of our writer's */
  k->to = k->from;
  oct_ev_cursor_init(&c, s, &number, 1);
  while ((got = oct_ev_cursor_record(&c, &r, diag)) > 0) {
    if (is_first || r.time_ticks < k->from) k->from = r.time_ticks;
    if (is_first || r.time_ticks > k->to) k->to = r.time_ticks;
    is_first = 0;
  }
  oct_ev_cursor_free(&c);
  return got == OCT_ERR_NOMEM || got == OCT_ERR_IO ? got : 0;
}
