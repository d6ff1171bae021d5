/* SPDX-License-Identifier: Apache-2.0 */
/* oct_trace_channels.h - inside of the library: the channels of a trace, which splitting and
 * joining share. */
#ifndef OCT_TRACE_CHANNELS_H
#define OCT_TRACE_CHANNELS_H

#include "octrace/trace.h"
#include "oct_effect_file.h"
#include "octrace/codec.h"

enum {
  OCT_CHANNEL_FLOW,  /* runs of instructions that follow one another in memory */
  OCT_CHANNEL_DATA,  /* data accesses */
  OCT_CHANNEL_RUN,   /* lengths of the runs, when flow is addresses alone */
  OCT_CHANNEL_COUNT, /* accesses made by instructions that count */
  OCT_CHANNEL_CYCLE, /* differences of time stamps */
  OCT_CHANNEL_EVENT, /* enum oct_trace_event, each behind the instructions since the last one */
  OCT_TRACE_CHANNELS
};

enum oct_trace_event {
  OCT_EVENT_END = 0,       /* of the trace */
  OCT_EVENT_CUT = 1,       /* of the segment */
  OCT_EVENT_TASK = 2,      /* varint: task number */
  OCT_EVENT_MAP = 3,       /* map entry */
  OCT_EVENT_HIGH = 4,      /* varint: what the following runs' starts have above 32 bits */
  OCT_EVENT_STAMPED = 5,   /* time stamps begin, or end */
  OCT_EVENT_COUNTED = 6,   /* the next instruction's address counts its accesses from here on */
  OCT_EVENT_CODE = 7,      /* map entry, instruction set, and the instruction's bytes */
  OCT_EVENT_OPERATION = 8, /* map entry and effect */
  OCT_EVENT_BEGIN = 9,     /* of a group of segments, not the first; varint: instructions before */
  /* Only of codecs that take whole traces: */
  OCT_EVENT_FOLLOWS = 10,       /* map entry that follows from its bytes */
  OCT_EVENT_FOLLOWS_AGAIN = 11, /* likewise, OCT_EVENT_MAP_AGAIN */
  /* Of all codecs: a trap. A byte: kind, privilege << 4. Varints: cause and address, but of a
     change of privilege; tval of an exception. */
  OCT_EVENT_TRAP = 12,
  /* A gap. A byte: its cause. Varints: of OCT_GAP_NO_IMAGE the address; instructions and accesses
   * that are missing, plus 1, or 0. */
  OCT_EVENT_GAP = 13,
  /* Not of codecs that take whole traces, from version 4 of the file on: a map entry by its form */
  OCT_EVENT_ENTRY = 14
};

/* In the flags of a map entry: it held before the group of segments, too, and is said for those who
 * did not read that. */
enum { OCT_EVENT_MAP_AGAIN = 0x80 };

/* addr, target, size, class, slots, flags, slot bytes */
enum { OCT_EVENT_MAP_BYTES = 8 + 8 + 4 + OCT_SLOTS_MAX };

/* A set of map numbers, a bit for each: the instructions known to count besides those whose map
 * entry says so, and those that a group of segments has said. */
typedef struct oct_counted {
  uint8_t *bits;
  size_t n_bytes;
} oct_counted;

static inline bool oct_counted_has(const oct_counted *c, uint32_t id) {
  return id / 8 < c->n_bytes && (c->bits[id / 8] >> id % 8 & 1);
}

/* 0 or OCT_ERR_NOMEM. */
static inline int oct_counted_add(oct_counted *c, uint32_t id) {
  if (id / 8 >= c->n_bytes) {
    size_t n = 2 * ((size_t)id / 8 + 512);
    uint8_t *p = (uint8_t *)realloc(c->bits, n);
    if (!p) return OCT_ERR_NOMEM;
    memset(p + c->n_bytes, 0, n - c->n_bytes);
    c->bits = p;
    c->n_bytes = n;
  }
  c->bits[id / 8] |= (uint8_t)(1u << id % 8);
  return 0;
}

static inline void oct_counted_clear(oct_counted *c) {
  if (c->n_bytes) memset(c->bits, 0, c->n_bytes);
}

/* The number of the entry at addr, which is executed after entry id, or UINT32_MAX; so may id be.
 */
static inline uint32_t oct_entry_after(oct_map *map, uint32_t id, uint64_t addr) {
  return id == UINT32_MAX ? oct_map_find(map, addr) : oct_map_follow(map, id, addr);
}

/* Whether the number of accesses is said each time the instruction runs. */
static inline bool oct_counts(const oct_counted *c, const oct_map_head *e, uint32_t id) {
  return (e->flags & (OCT_MAP_VARIABLE | OCT_MAP_CONDITIONAL)) || oct_counted_has(c, id);
}

#endif
