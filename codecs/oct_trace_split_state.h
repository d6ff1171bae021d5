/* SPDX-License-Identifier: Apache-2.0 */
/* oct_trace_split_state.h - inside of the library: what the parts of splitting share, map entries
 * (oct_trace_split_map.c) and instructions (oct_trace_split.c). */
#ifndef OCT_TRACE_SPLIT_STATE_H
#define OCT_TRACE_SPLIT_STATE_H

#include "oct_codec_format.h"
#include "octrace/trace.h"
#include "octrace/error.h"
#include "oct_segment_codec.h"
#include "oct_trace_channels.h"

/* Bytes of records gathered before they go to a channel's encoder. */
#define GATHER_BYTES 49152
/* The most that is appended at a time: an event of a map entry with its operation. */
#define PUT_BYTES (16 + OCT_EVENT_MAP_BYTES + OCT_EFFECT_BYTES)

/* Records on their way to a channel. */
typedef struct gather {
  size_t n_bytes, record_bytes;
  uint8_t bytes[GATHER_BYTES + PUT_BYTES];
} gather;

struct oct_trace_split {
  oct_codec_writer *writer;
  oct_map *map;
  oct_counted counted, said; /* said: in this group of segments */
  /* Of a codec that takes whole traces: */
  const oct_segment_codec *segments;
  oct_segment_put *put; /* instructions and accesses go through it, or NULL */
  bool told;            /* bytes went to a channel since the last look */
  oct_disasm_set *disasm;
  uint64_t entry_end, entry_hash;
  bool addresses; /* flow and data are 64-bit addresses alone */
  unsigned pc_shift;
  uint64_t n_insns, event_insn; /* so far; of the last event */
  uint64_t run_start, run_insns, run_next;
  uint64_t high, cycle;
  uint32_t task, id; /* id: map number of the last instruction */
  bool stamped;
  gather channels[OCT_TRACE_CHANNELS];
};

static inline int oct_split_flush(oct_trace_split *s, unsigned channel, oct_diag *diag) {
  gather *g = &s->channels[channel];
  size_t n = g->n_bytes / g->record_bytes;
  g->n_bytes = 0;
  return n ? oct_codec_writer_put(s->writer, channel, g->bytes, n, diag) : 0;
}

/* Append at most PUT_BYTES to a channel. */
static inline int oct_split_put(oct_trace_split *s, unsigned channel, const void *bytes, size_t n,
                                oct_diag *diag) {
  gather *g = &s->channels[channel];
  if (s->put) {
    s->told = true;
    int error = s->segments->put_bytes(s->put, channel, bytes, n);
    return error ? oct_fail(diag, error, "out of memory") : 0;
  }
  memcpy(g->bytes + g->n_bytes, bytes, n);
  g->n_bytes += n;
  return g->n_bytes >= GATHER_BYTES ? oct_split_flush(s, channel, diag) : 0;
}

static inline size_t oct_split_varint(uint8_t *p, uint64_t v) {
  return (size_t)(oct_leb128_put(p, v) - p);
}

static inline int oct_split_number(oct_trace_split *s, unsigned channel, uint64_t v,
                                   oct_diag *diag) {
  uint8_t bytes[OCT_LEB128_MAX];
  size_t n = oct_split_varint(bytes, v);
  return oct_split_put(s, channel, bytes, n, diag);
}

static inline int oct_split_event(oct_trace_split *s, enum oct_trace_event kind,
                                  const void *payload, size_t n, oct_diag *diag) {
  uint8_t bytes[PUT_BYTES];
  size_t length = oct_split_varint(bytes, s->n_insns - s->event_insn);
  bytes[length++] = (uint8_t)kind;
  if (n) memcpy(bytes + length, payload, n);
  s->event_insn = s->n_insns;
  return oct_split_put(s, OCT_CHANNEL_EVENT, bytes, length + n, diag);
}

/* Say an entry of a group before, once in this one, with what continues it. */
int oct_split_map_again(oct_trace_split *s, uint32_t id, oct_diag *diag);
/* A change of the map. OCT_ERR_MAP, OCT_ERR_NOMEM, errors of codec and sink. */
int oct_split_map(oct_trace_split *s, const oct_map_entry *e, oct_diag *diag);

#endif
