/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_location.c - what one location (thread) has buffered, as events and meta-events (Knüpfer
 * 2003, section 2).
 *
 * Enters push a frame. On a leave, all that stands since the enter is folded to one meta-event by
 * three rules: a call without calls in it (1), a call around a meta-event (2), two meta-events in a
 * row (3). Equal constructions get the same token, so that a repeated call is recognised by one
 * look.
 *
 * A leave is nearly always of the innermost call. Where it is not, a hash tells whether its
 * function is open at all; it is filled when it is first needed, and kept up from then on. */
#include "oct_ev_location.h"

#include "oct_hash.h"

static int push_event(oct_ev_location *l, uint64_t time_ticks, uint32_t op) {
  if (oct_ev_grow((void **)&l->times, &l->times_cap, (size_t)l->n_events + 1, sizeof *l->times) ||
      oct_ev_grow((void **)&l->ops, &l->ops_cap, (size_t)l->n_events + 1, sizeof *l->ops))
    return OCT_ERR_NOMEM;
  l->times[l->n_events] = time_ticks;
  l->ops[l->n_events++] = op;
  l->last_time = time_ticks;
  return 0;
}

static int push_item(oct_ev_location *l, uint32_t meta, uint32_t event) {
  if (oct_ev_grow((void **)&l->items, &l->items_cap, l->n_items + 1, sizeof *l->items))
    return OCT_ERR_NOMEM;
  l->items[l->n_items++] = (oct_ev_item){.meta = meta, .event = event};
  return 0;
}

/* The slot of a function, or the free one where it belongs. */
static oct_ev_open *find_open(oct_ev_open *slots, size_t n_slots, uint32_t function) {
  size_t at = (size_t)(function * OCT_HASH_FACTOR >> 32) & (n_slots - 1);
  while (slots[at].key && slots[at].key != function + 1) at = (at + 1) & (n_slots - 1);
  return &slots[at];
}

/* Make the hash anew for the calls that are open, at most half full. */
static int fill_open(oct_ev_location *l) {
  size_t n_slots = 16;
  while (n_slots < 4 * l->depth) n_slots *= 2;
  oct_ev_open *slots = calloc(n_slots, sizeof *slots);
  if (!slots) return OCT_ERR_NOMEM;
  l->n_open = 0;
  for (size_t i = 0; i < l->depth; i++) {
    oct_ev_open *o = find_open(slots, n_slots, l->frames[i].function);
    l->n_open += !o->key;
    o->key = l->frames[i].function + 1;
    o->n++;
  }
  free(l->open);
  l->open = slots;
  l->n_open_slots = n_slots;
  return 0;
}

/* A call is pushed, where there is a hash. */
static int count_open(oct_ev_location *l, uint32_t function) {
  if (!l->open) return 0;
  if (2 * (l->n_open + 1) > l->n_open_slots) return fill_open(l);
  oct_ev_open *o = find_open(l->open, l->n_open_slots, function);
  l->n_open += !o->key;
  o->key = function + 1;
  o->n++;
  return 0;
}

/* Whether a function that the innermost call is not of is open: 1, 0, or OCT_ERR_NOMEM. */
static int is_open(oct_ev_location *l, uint32_t function) {
  if (!l->depth) return 0;
  if (!l->open && fill_open(l)) return OCT_ERR_NOMEM;
  return find_open(l->open, l->n_open_slots, function)->n > 0;
}

static oct_ev_frame pop(oct_ev_location *l) {
  oct_ev_frame f = l->frames[--l->depth];
  if (l->open) find_open(l->open, l->n_open_slots, f.function)->n--;
  return f;
}

int oct_ev_location_enter(oct_ev_location *l, uint64_t time_ticks, uint32_t function) {
  if (oct_ev_grow((void **)&l->frames, &l->frames_cap, l->depth + 1, sizeof *l->frames) ||
      push_event(l, time_ticks, 2 * function) || push_item(l, OCT_EV_NONE, l->n_events - 1))
    return OCT_ERR_NOMEM;
  l->frames[l->depth++] = (oct_ev_frame){
      .item = (uint32_t)l->n_items - 1, .event = l->n_events - 1, .function = function};
  return count_open(l, function);
}

/* Replace the items from the frame's enter on, all but it meta-events, by one meta-event: rule 3 as
 * often as there is more than one, then rule 2; or rule 1. */
static int fold(oct_ev_location *l, const oct_ev_frame *f) {
  const oct_ev_item *item = l->items + f->item;
  size_t n = l->n_items - f->item;
  uint32_t order = l->n_events - f->event;
  int64_t meta;
  if (n == 1) {
    meta = oct_ev_meta_get(&l->metas, OCT_EV_RULE_PAIR, f->function, 0, 2);
  } else {
    meta = item[1].meta;
    uint32_t sum = l->metas.v[meta].order;
    for (size_t i = 2; i < n && meta >= 0; i++) {
      sum += l->metas.v[item[i].meta].order;
      meta = oct_ev_meta_get(&l->metas, OCT_EV_RULE_JOIN, (uint32_t)meta, item[i].meta, sum);
    }
    if (meta >= 0)
      meta = oct_ev_meta_get(&l->metas, OCT_EV_RULE_AROUND, f->function, (uint32_t)meta, order);
  }
  if (meta < 0) return (int)meta;
  l->items[f->item].meta = (uint32_t)meta;
  l->n_items = (size_t)f->item + 1;
  return 0;
}

int oct_ev_location_leave(oct_ev_location *l, uint64_t time_ticks, uint32_t function,
                          uint32_t max_order) {
  if (push_event(l, time_ticks, 2 * function + 1)) return OCT_ERR_NOMEM;
  bool is_innermost = l->depth && l->frames[l->depth - 1].function == function;
  int is_known = is_innermost ? 1 : is_open(l, function);
  if (is_known < 0) return is_known;
  if (!is_known) {
    l->stray_leaves++;
    if (l->depth) l->frames[l->depth - 1].plain = 1;
    return push_item(l, OCT_EV_NONE, l->n_events - 1);
  }
  oct_ev_frame f;
  uint32_t plain = 0;
  for (;;) {
    f = pop(l);
    if (f.function == function) break;
    l->lost_leaves++;
    plain = 1;
  }
  if (!plain && !f.plain && l->n_events - f.event <= max_order) return fold(l, &f);
  if (l->depth) l->frames[l->depth - 1].plain = 1;
  return push_item(l, OCT_EV_NONE, l->n_events - 1);
}

int oct_ev_location_other(oct_ev_location *l, const oct_ev_record *r) {
  if (oct_ev_grow((void **)&l->others, &l->others_cap, l->n_others + 1, sizeof *l->others))
    return OCT_ERR_NOMEM;
  oct_buffer_put(&l->others_text, r->other, r->other_bytes);
  if (l->others_text.has_failed) return OCT_ERR_NOMEM;
  l->others[l->n_others++] =
      (oct_ev_other_at){.time_ticks = r->time_ticks, .event = l->n_events, .bytes = r->other_bytes};
  l->last_time = r->time_ticks;
  return 0;
}

int oct_ev_location_join(oct_ev_location *l, uint32_t max_order) {
  size_t out = 0;
  for (size_t i = 0; i < l->n_items; i++) {
    oct_ev_item item = l->items[i];
    if (item.meta != OCT_EV_NONE && out && l->items[out - 1].meta != OCT_EV_NONE) {
      uint32_t before = l->items[out - 1].meta;
      uint32_t order = l->metas.v[before].order + l->metas.v[item.meta].order;
      if (order <= max_order) {
        int64_t meta = oct_ev_meta_get(&l->metas, OCT_EV_RULE_JOIN, before, item.meta, order);
        if (meta < 0) return (int)meta;
        l->items[out - 1].meta = (uint32_t)meta;
        continue;
      }
    }
    l->items[out++] = item;
  }
  l->n_items = out;
  return 0;
}

void oct_ev_location_clear(oct_ev_location *l) {
  l->n_events = 0;
  l->n_items = l->n_others = l->others_text.n_bytes = 0;
  for (size_t i = 0; i < l->depth; i++) l->frames[i].plain = 1;
  oct_ev_metas_clear(&l->metas);
}

void oct_ev_location_free(oct_ev_location *l) {
  free(l->times);
  free(l->ops);
  free(l->items);
  free(l->frames);
  free(l->open);
  free(l->others);
  free(l->others_text.bytes);
  oct_ev_metas_free(&l->metas);
  memset(l, 0, sizeof *l);
}
