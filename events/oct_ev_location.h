/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_location.h - what one location (thread) has buffered, as events and meta-events.
 *
 * Rules are applied as leaves come (Knüpfer 2003, section 2.2). A call that has more than N events,
 * or holds an event that has no partner, stays outside of meta-events, and so do its callers. */
#ifndef OCT_EV_LOCATION_H
#define OCT_EV_LOCATION_H

#include "oct_ev_bytes.h"
#include "oct_ev_meta.h"
#include "oct_ev_types.h"

#define OCT_EV_NONE UINT32_MAX

/* A call that is open. */
typedef struct oct_ev_frame {
  uint32_t item, event, function;
  uint32_t plain; /* holds something that is no meta-event, so it cannot become one */
} oct_ev_frame;

/* A meta-event, or OCT_EV_NONE for a plain event, that begins at this event. */
typedef struct oct_ev_item {
  uint32_t meta, event;
} oct_ev_item;

/* How often a function is open. */
typedef struct oct_ev_open {
  uint32_t key; /* function + 1; 0: the slot is free */
  uint32_t n;
} oct_ev_open;

typedef struct oct_ev_other_at {
  uint64_t time_ticks;
  uint32_t event; /* it stands before this event */
  uint32_t bytes; /* of others_text */
} oct_ev_other_at;

typedef struct oct_ev_location {
  uint32_t n_events;
  uint64_t *times;
  uint32_t *ops; /* function * 2 + 1 for a leave */
  size_t times_cap, ops_cap;
  oct_ev_item *items;
  size_t n_items, items_cap;
  oct_ev_frame *frames; /* kept over segments, as plain ones */
  size_t depth, frames_cap;
  oct_ev_open *open; /* hash of the calls that are open; only from the first leave on that is not of
                        the innermost one, */
  size_t n_open, n_open_slots; /* with the slots in use, and all */
  oct_ev_metas metas;
  oct_ev_other_at *others;
  size_t n_others, others_cap;
  oct_buffer others_text;
  uint64_t last_time;                 /* of any record, ever */
  uint64_t prev_actual, prev_decoded; /* lossy: last event written, as it was and as decoded */
  uint64_t stray_leaves, lost_leaves; /* since the start */
} oct_ev_location;

/* Take an event. Its time is not before that of the last. OCT_ERR_NOMEM, OCT_ERR_LIMIT. */
int oct_ev_location_enter(oct_ev_location *l, uint64_t time_ticks, uint32_t function);
int oct_ev_location_leave(oct_ev_location *l, uint64_t time_ticks, uint32_t function,
                          uint32_t max_order);
int oct_ev_location_other(oct_ev_location *l, const oct_ev_record *r);
/* Join neighbours outside of a call by rule 3 up to max_order. To be called when all is in. */
int oct_ev_location_join(oct_ev_location *l, uint32_t max_order);
/* Empty the buffer and the name space; open calls stay open. */
void oct_ev_location_clear(oct_ev_location *l);
void oct_ev_location_free(oct_ev_location *l);

#endif
