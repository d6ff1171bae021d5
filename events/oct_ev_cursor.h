/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_cursor.h - walks through the chunks of one location, by items or by records. */
#ifndef OCT_EV_CURSOR_H
#define OCT_EV_CURSOR_H

#include "oct_ev_store.h"

/* A plain event or an occurrence of a pattern. */
typedef struct oct_ev_item_read {
  uint32_t segment, chunk;
  uint64_t pattern;          /* in its segment; UINT64_MAX: a plain event */
  const oct_ev_shape *shape; /* NULL: a plain event */
  uint32_t n_events;
  const uint32_t *ops;   /* function * 2 + leave, of each event */
  const uint64_t *times; /* of each event */
  uint32_t n_corrections;
  const uint32_t *corrections; /* indices of the time differences corrected */
} oct_ev_item_read;

typedef struct oct_ev_cursor {
  oct_ev_store *store;
  const uint32_t *chunks; /* numbers of chunks of one location, not owned */
  size_t n_chunks, next_chunk;
  uint32_t location;
  int open;            /* a chunk is, */
  uint64_t open_bytes; /* which has so many in memory */
  const oct_ev_chunk *chunk;
  oct_ev_columns in;
  uint64_t items_left, events_left, others_left;
  uint64_t event;       /* number in the chunk of the next event of items not yet read */
  uint64_t time;        /* of the last event */
  uint64_t other_event; /* the next other record: before which event, when, how long */
  uint64_t other_time, other_bytes;
  oct_ev_item_read item;
  uint32_t at; /* next event of item to be given as record */
  uint32_t plain_op;
  uint64_t *times;
  uint32_t *corrections;
  size_t times_cap, corrections_cap;
} oct_ev_cursor;

/* Numbers of chunks by their locations: those of location i are chunks[start[i]] up to, without it,
 * chunks[start[i + 1]], in the order of the file. */
typedef struct oct_ev_chunk_lists {
  uint32_t *chunks;
  size_t *start; /* one more than there are locations */
} oct_ev_chunk_lists;

/* List those that have records from `from` to `to`, of the locations with chosen[i] (NULL: all). 0
 * or OCT_ERR_NOMEM. */
int oct_ev_chunks_list(const oct_ev_store *s, uint64_t from, uint64_t to, const uint8_t *chosen,
                       oct_ev_chunk_lists *lists);
void oct_ev_chunks_free(oct_ev_chunk_lists *lists);

/* A cursor over the chunks of a location, as they are listed. */
void oct_ev_cursor_init(oct_ev_cursor *c, oct_ev_store *store, const uint32_t *chunks,
                        size_t n_chunks);
/* 1 and the next item, valid until the next call; 0 at the end; or an error. Other records are
 * passed over. Either items or records are to be asked for. */
int oct_ev_cursor_item(oct_ev_cursor *c, const oct_ev_item_read **item, oct_diag *diag);
/* 1 and the next record, whose bytes are valid until the next call; 0 at the end; or an error. */
int oct_ev_cursor_record(oct_ev_cursor *c, oct_ev_record *r, oct_diag *diag);
/* After an error: go to the next chunk. Returns how many events of the chunk were not given. */
uint64_t oct_ev_cursor_skip(oct_ev_cursor *c);
void oct_ev_cursor_free(oct_ev_cursor *c);
/* Set the first and last time of a chunk of the store, by reading it; what of it is whole. */
int oct_ev_cursor_find_times(oct_ev_store *s, uint32_t number, oct_diag *diag);

#endif
