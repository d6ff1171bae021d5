/* SPDX-License-Identifier: Apache-2.0 */
/* oct_trace_join_state.h - inside of the library: what the parts of joining share, events
 * (oct_trace_join_events.c), segments of a codec that takes whole traces
 * (oct_trace_join_segments.c) and instructions (oct_trace_join.c). */
#ifndef OCT_TRACE_JOIN_STATE_H
#define OCT_TRACE_JOIN_STATE_H

#include "octrace/trace.h"
#include "oct_segment_codec.h"
#include "oct_trace_channels.h"

enum { JOIN_INSNS = 65536, JOIN_CHUNK_BYTES = 49152 };

/* Records of a channel that were read and not yet used. */
typedef struct chunk {
  size_t from, to, record_bytes;
  uint8_t bytes[JOIN_CHUNK_BYTES];
} chunk;

/* An event that was read and did not take place yet. */
typedef struct joined_event {
  uint64_t insn; /* before which it takes place */
  int kind;
  uint64_t value;      /* of OCT_EVENT_BEGIN */
  oct_map_entry entry; /* of a kind that changes the map */
  oct_trap trap;       /* of OCT_EVENT_TRAP */
} joined_event;

/* A segment of a codec that takes whole traces that was read from the file: all but its
 * instructions. */
typedef struct joined_segment {
  joined_event *events;
  size_t n_events, room_events, at_event;
  oct_buffer cycles;
  size_t at_cycle;
} joined_segment;

struct oct_trace_join {
  oct_codec_reader *reader;
  oct_map *map;
  oct_disasm_set *disasm;
  oct_counted counted;
  bool addresses, ended;
  unsigned pc_shift;
  uint64_t n_insns;            /* so far */
  uint64_t event_insn;         /* before which the event that was read takes place */
  uint64_t event_value;        /* of OCT_EVENT_BEGIN */
  oct_map_entry entry;         /* of an event that changes the map */
  oct_trap trap;               /* of OCT_EVENT_TRAP */
  int event;                   /* it, or -1: none was read */
  uint64_t run_addr, run_left; /* next instruction's address; instructions left in the run */
  uint64_t high, cycle;
  uint32_t task, id;
  bool stamped;
  bool takes_again; /* the last entry that was said again is a new one here */
  chunk channels[OCT_TRACE_CHANNELS];
  /* Of a codec that takes whole traces: */
  const oct_segment_codec *codec;
  oct_segment_get *get;     /* instructions and accesses come from it, or NULL */
  joined_segment *segments; /* a ring of those that were loaded */
  unsigned n_segments, oldest, n_loaded;
  bool all_loaded;
  uint64_t loaded_insns; /* before the segment to be loaded next */
  oct_diag load_failure; /* error != 0: why loading ended */
  uint64_t entry_end;    /* of the entry before that followed from its bytes */
  const uint8_t *addrs;  /* of the instruction's accesses, */
  size_t stride;         /* so many bytes apart */
  oct_insn *insns;
  oct_access *accesses;
  oct_map_entry *entries;
  oct_trap *traps;
  size_t n_traps, room_traps;
  uint64_t map_max, n_map; /* entries allowed, and taken so far */
  size_t n_insns_batch, n_accesses, room_accesses, n_entries, room_entries;
  oct_diag failure; /* error != 0: what comes behind the last batch */
};

/* Say the instruction and what is wrong with the file. Returns OCT_ERR_FORMAT. */
int oct_join_bad(const oct_trace_join *j, const char *what, oct_diag *diag);

/* The next record of a channel, or byte of one that has bytes. */
int oct_join_record(oct_trace_join *j, unsigned channel, const uint8_t **record, oct_diag *diag);
int oct_join_varint(oct_trace_join *j, unsigned channel, uint64_t *value, oct_diag *diag);

/* A number of n bytes, lowest first. */
static inline uint64_t oct_join_load(const uint8_t *p, unsigned n) {
  uint64_t v = 0;
  for (unsigned i = 0; i < n; i++) v |= (uint64_t)p[i] << 8 * i;
  return v;
}

/* Whether the event changes the program map. */
static inline bool oct_join_is_map(int event) {
  return event == OCT_EVENT_MAP || event == OCT_EVENT_CODE || event == OCT_EVENT_OPERATION ||
         event == OCT_EVENT_FOLLOWS || event == OCT_EVENT_FOLLOWS_AGAIN;
}

/* Read the next event and where it takes place. */
int oct_join_event(oct_trace_join *j, oct_diag *diag);

/* ---- Of a codec that takes whole traces ---- */

/* Open what j needs for it. OCT_ERR_FORMAT, OCT_ERR_NOMEM. */
int oct_join_segment_new(oct_trace_join *j, oct_diag *diag);
/* As oct_join_event, from the segments. */
int oct_join_segment_event(oct_trace_join *j, oct_diag *diag);
/* The next byte of the segment's time stamps. */
int oct_join_segment_cycle(oct_trace_join *j, const uint8_t **byte, oct_diag *diag);
/* Behind an error: go to the start of the next segment that is there. 1, 0 at the end, or an error.
 */
int oct_join_segment_resync(oct_trace_join *j, oct_diag *diag);
/* After the event that ends the trace: nothing may be left. */
int oct_join_segment_end(oct_trace_join *j, oct_diag *diag);
void oct_join_segment_free(oct_trace_join *j);

#endif
