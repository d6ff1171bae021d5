/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_emit.c - writes the definitions of a segment and the chunks of its locations
 * (docs/events.md).
 *
 * A location is walked from its first event on: where an occurrence of a chosen pattern begins, it
 * is written as one item, else the event as a plain one. Each gap is taken from the time that a
 * reader will have decoded, not from the true one, so that errors of lossy times do not add up. A
 * chunk ends after so many events, so that a reader can skip to a time. */
#include "oct_ev_emit.h"

#include "oct_ev_drift.h"

static int write_meta_block(oct_ev_writer *w, const oct_ev_segment *s, uint32_t from, uint32_t to,
                            oct_ev_index_out *index, oct_diag *diag) {
  for (uint32_t i = from; i < to; i++) {
    const oct_ev_meta *m = &s->metas.v[s->meta_order[i]];
    oct_buffer_put_le(&w->column[OCT_EV_META_RULE], m->rule, 1);
    oct_buffer_put_leb128(&w->column[OCT_EV_META_A],
                          m->rule == OCT_EV_RULE_JOIN ? i - s->meta_number[m->a] : m->a);
    if (m->rule != OCT_EV_RULE_PAIR)
      oct_buffer_put_leb128(&w->column[OCT_EV_META_B], i - s->meta_number[m->b]);
  }
  uint64_t offset = w->offset;
  int64_t n = oct_ev_writer_block(w, OCT_EV_BLOCK_METAS, OCT_EV_META_COLUMNS, diag);
  oct_buffer_put_leb128(&index->segments, offset - index->last_end);
  oct_buffer_put_leb128(&index->segments, (uint64_t)n);
  index->last_end = w->offset;
  return n < 0 ? (int)n : 0;
}

static int write_pattern_block(oct_ev_writer *w, const oct_ev_segment *s, uint32_t *next,
                               oct_ev_index_out *index, oct_ev_counts *counts, oct_diag *diag) {
  oct_buffer *head = &w->column[OCT_EV_PATTERN_HEAD], *vector = &w->column[OCT_EV_PATTERN_VECTOR];
  uint32_t i = *next;
  for (; i < s->n_kept && i - *next < OCT_EV_PATTERN_BLOCK &&
         vector->n_bytes < OCT_EV_PATTERN_BLOCK_BYTES;
       i++) {
    const oct_ev_merged *p = &s->patterns[s->pattern_order[i]];
    oct_buffer_put_leb128(head, s->meta_number[p->meta]);
    oct_buffer_put_leb128(head, p->order);
    oct_buffer_put_leb128(head, p->t_abs_ticks);
    oct_buffer_put_leb128(head, p->t_rel_ppm);
    for (uint32_t k = 0; k + 1 < p->order; k++) oct_buffer_put_leb128(vector, p->vector[k]);
    counts->pattern_order_sum += p->order;
  }
  uint64_t offset = w->offset;
  int64_t n = oct_ev_writer_block(w, OCT_EV_BLOCK_PATTERNS, OCT_EV_PATTERN_COLUMNS, diag);
  oct_buffer_put_leb128(&index->segments, i - *next);
  oct_buffer_put_leb128(&index->segments, offset - index->last_end);
  oct_buffer_put_leb128(&index->segments, (uint64_t)n);
  index->last_end = w->offset;
  *next = i;
  return n < 0 ? (int)n : 0;
}

int oct_ev_emit_definitions(oct_ev_writer *w, const oct_ev_segment *s, oct_ev_index_out *index,
                            oct_ev_counts *counts, oct_diag *diag) {
  int error = 0;
  oct_buffer_put_leb128(&index->segments, s->n_metas);
  oct_buffer_put_leb128(&index->segments, s->n_kept);
  for (uint32_t i = 0; i < s->n_metas && !error; i += OCT_EV_META_BLOCK) {
    uint32_t to = s->n_metas - i < OCT_EV_META_BLOCK ? s->n_metas : i + OCT_EV_META_BLOCK;
    error = write_meta_block(w, s, i, to, index, diag);
  }
  for (uint32_t i = 0; i < s->n_kept && !error;)
    error = write_pattern_block(w, s, &i, index, counts, diag);
  counts->metas += s->n_metas;
  counts->patterns += s->n_kept;
  counts->segments++;
  index->n_chunks = 0;
  return error;
}

/* A chunk being filled. */
typedef struct chunk {
  oct_ev_writer *w;
  const oct_ev_params *params;
  oct_ev_location *l;
  oct_ev_counts *counts;
  uint32_t location;
  uint32_t first_event, event; /* the chunk's first, and the next to be written */
  uint64_t n_items, base;
  size_t other;              /* the next other record to be written */
  const uint8_t *other_text; /* its bytes */
} chunk;

static void note_drift(chunk *c, uint64_t decoded, uint64_t actual) {
  uint64_t drift = oct_ev_apart(decoded, actual);
  if (drift > c->counts->max_drift_ticks) c->counts->max_drift_ticks = drift;
}

/* Write the gap before the item that begins at c->event; returns the decoded time of that event. */
static uint64_t put_gap(chunk *c) {
  oct_ev_location *l = c->l;
  uint64_t t = l->times[c->event], gap = t - l->prev_actual, decoded = t;
  if (c->params->lossy)
    decoded = l->prev_decoded + oct_ev_drift_gap(c->params, l->prev_decoded - l->prev_actual, gap);
  if (!c->n_items) c->base = l->prev_decoded = decoded;
  oct_buffer_put_leb128(&c->w->column[OCT_EV_CHUNK_GAPS], decoded - l->prev_decoded);
  c->n_items++;
  l->times[c->event] = decoded;
  l->prev_actual = t;
  l->prev_decoded = decoded;
  return decoded;
}

static void put_plain(chunk *c) {
  uint32_t op = c->l->ops[c->event];
  oct_buffer_put_leb128(
      &c->w->column[OCT_EV_CHUNK_TOKENS],
      (uint64_t)(op >> 1) << 2 | (op & 1 ? OCT_EV_TOKEN_LEAVE : OCT_EV_TOKEN_ENTER));
  put_gap(c);
  note_drift(c, c->l->prev_decoded, c->l->prev_actual);
  c->event++;
  c->counts->plain_events++;
}

/* Write corrections and, when lossless, residuals of the occurrence at c->event. */
static void put_vector(chunk *c, const oct_ev_merged *p, const uint32_t *corrections,
                       uint64_t decoded) {
  oct_buffer *fix = &c->w->column[OCT_EV_CHUNK_CORRECTIONS];
  oct_buffer *rest = &c->w->column[OCT_EV_CHUNK_RESIDUALS];
  uint64_t *t = c->l->times + c->event, before = c->l->prev_actual;
  uint32_t n_fix = corrections ? corrections[0] : 0, k = 1, last = 0;
  if (n_fix) oct_buffer_put_leb128(fix, n_fix);
  if (!c->params->lossy && !oct_buffer_room(rest, (size_t)p->order * OCT_LEB128_MAX)) return;
  uint8_t *out = rest->bytes + rest->n_bytes;
  for (uint32_t i = 0; i + 1 < p->order; i++) {
    uint64_t d = t[i + 1] - before, e = p->vector[i];
    before = t[i + 1];
    if (k <= n_fix && corrections[k] == i) {
      oct_buffer_put_leb128(fix, i - last);
      oct_buffer_put_leb128(fix, d);
      last = i;
      k++;
      e = d;
    } else if (!c->params->lossy) {
      out = oct_leb128_put(out, oct_fold_sign(d - e));
      e = d;
    }
    decoded += e;
    t[i + 1] = decoded;
    if (c->params->lossy) note_drift(c, decoded, before);
  }
  if (!c->params->lossy) rest->n_bytes = (size_t)(out - rest->bytes);
  c->l->prev_actual = before;
  c->l->prev_decoded = decoded;
}

/* Other records before event `before`, which is in the chunk or its end. */
static void put_others(chunk *c, uint32_t before, uint64_t floor) {
  oct_ev_location *l = c->l;
  uint64_t last = c->base;
  uint32_t at = c->first_event;
  for (; c->other < l->n_others && l->others[c->other].event < before; c->other++) {
    const oct_ev_other_at *o = &l->others[c->other];
    uint64_t time = o->time_ticks;
    if (c->params->lossy) {
      uint64_t low = o->event > c->first_event ? l->times[o->event - 1] : floor;
      if (time < low) time = low;
      if (o->event < c->event && time > l->times[o->event]) time = l->times[o->event];
    }
    oct_buffer *b = &c->w->column[OCT_EV_CHUNK_OTHERS];
    oct_buffer_put_leb128(b, o->event - at);
    oct_buffer_put_leb128(b, oct_fold_sign(time - last));
    oct_buffer_put_leb128(b, o->bytes);
    oct_buffer_put(&c->w->column[OCT_EV_CHUNK_OTHER_TEXT], c->other_text, o->bytes);
    c->other_text += o->bytes;
    at = o->event;
    last = time;
  }
}

/* Write what is filled. first_other and floor: the state before the chunk. */
static int end_chunk(chunk *c, uint64_t floor, oct_ev_index_out *index, oct_diag *diag) {
  oct_ev_location *l = c->l;
  int at_end = c->event == l->n_events;
  size_t first_other = c->other;
  if (!c->n_items && first_other < l->n_others) c->base = l->others[first_other].time_ticks;
  put_others(c, at_end ? UINT32_MAX : c->event, floor);
  size_t n_others = c->other - first_other;
  uint32_t n_events = c->event - c->first_event;
  uint64_t from = c->base, to = n_events ? l->times[c->event - 1] : c->base;
  if (n_others) {
    uint64_t first = l->others[first_other].time_ticks, last = l->others[c->other - 1].time_ticks;
    if (first < from) from = first;
    if (last > to) to = last;
  }
  oct_buffer *head = &c->w->column[OCT_EV_CHUNK_HEAD];
  oct_buffer_put_leb128(head, c->location);
  oct_buffer_put_leb128(head, c->n_items);
  oct_buffer_put_leb128(head, n_events);
  oct_buffer_put_leb128(head, n_others);
  oct_buffer_put_leb128(head, c->base);
  uint64_t offset = c->w->offset;
  int64_t n = oct_ev_writer_block(c->w, OCT_EV_BLOCK_CHUNK, OCT_EV_CHUNK_COLUMNS, diag);
  if (n < 0) return (int)n;
  oct_buffer_put_leb128(&index->chunks, c->location);
  oct_buffer_put_leb128(&index->chunks, oct_fold_sign(from - index->last_time));
  oct_buffer_put_leb128(&index->chunks, to - from);
  oct_buffer_put_leb128(&index->chunks, n_events);
  oct_buffer_put_leb128(&index->chunks, n_others);
  oct_buffer_put_leb128(&index->chunks, offset - index->last_end);
  oct_buffer_put_leb128(&index->chunks, (uint64_t)n);
  index->last_time = from;
  index->last_end = c->w->offset;
  index->n_chunks++;
  c->first_event = c->event;
  c->n_items = 0;
  return 0;
}

/* Write the item at c->event: an occurrence, or plain events. */
static void put_item(chunk *c, const oct_ev_segment *s, size_t at, const oct_ev_choice *choice) {
  uint32_t i = choice->at[c->event];
  const oct_ev_occurrence *o = &choice->occurrences[i];
  uint32_t number = i ? oct_ev_segment_pattern(s, at, o->pattern) : OCT_EV_NONE;
  if (number == OCT_EV_NONE) {
    put_plain(c);
    return;
  }
  const oct_ev_merged *p = &s->patterns[s->pattern_order[number]];
  const uint32_t *fix = o->corrections ? choice->match.corrections + o->corrections : NULL;
  oct_buffer_put_leb128(
      &c->w->column[OCT_EV_CHUNK_TOKENS],
      (uint64_t)number << 2 | (fix ? OCT_EV_TOKEN_DISTURBED : OCT_EV_TOKEN_PATTERN));
  put_vector(c, p, fix, put_gap(c));
  c->event += p->order;
  c->counts->occurrences++;
  c->counts->disturbed += fix != NULL;
  c->counts->corrections += fix ? fix[0] : 0;
}

int oct_ev_emit_location(oct_ev_writer *w, const oct_ev_segment *s, size_t at, uint32_t location,
                         oct_ev_location *l, const oct_ev_choice *choice,
                         const oct_ev_params *params, oct_ev_index_out *index,
                         oct_ev_counts *counts, oct_diag *diag) {
  chunk c = {.w = w,
             .params = params,
             .l = l,
             .counts = counts,
             .location = location,
             .other_text = l->others_text.bytes};
  uint64_t floor = l->prev_decoded;
  int error = 0;
  counts->events += l->n_events;
  counts->others += l->n_others;
  while (c.event < l->n_events && !error) {
    put_item(&c, s, at, choice);
    if (c.event - c.first_event < OCT_EV_CHUNK_EVENTS && c.event < l->n_events) continue;
    error = end_chunk(&c, floor, index, diag);
    floor = l->prev_decoded;
  }
  if (!error && c.other < l->n_others) error = end_chunk(&c, floor, index, diag);
  return error;
}
