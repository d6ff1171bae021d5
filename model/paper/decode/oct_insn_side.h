/* SPDX-License-Identifier: Apache-2.0 */
/* oct_insn_side.h - instruction side of the decoder: tokens, indices and SCMT records to streams,
 * by mirrors of the stream cache and of the tuple history. */
#ifndef OCT_INSN_SIDE_H
#define OCT_INSN_SIDE_H

#include "oct_packet_queues.h"

#define OCT_DECODER_TUPLE_MAX 16

/* What the join remembers of a stream that the mirror holds: the map entry of its start. */
typedef struct oct_stream_note {
  uint32_t map_id, map_version; /* map_version 0: nothing is remembered */
} oct_stream_note;

/* A stream: where it starts, how many instructions it has; or a trap; or a stamp. */
typedef struct oct_stream_run {
  uint64_t sa;
  uint32_t sl;          /* 0: a trap or a stamp, */
  uint64_t time;        /* cycles since the last one, where trap is NULL; */
  const oct_trap *trap; /* valid until the next call */
  uint32_t task;
  int16_t delay;         /* cycles, with timestamp = 2 */
  oct_stream_note *note; /* kept with the stream, NULL when the mirror does not hold it */
} oct_stream_run;

typedef struct oct_sc_entry {
  uint64_t sa;
  uint64_t used; /* LRU stamp */
  uint32_t sl;
  uint32_t epoch;
  oct_stream_note note;
} oct_sc_entry;

typedef struct oct_sc_set {
  uint32_t epoch;
  uint16_t fifo_way;
  uint16_t plru_bits; /* bit i: node i */
} oct_sc_set;

/* Entries and sets of another epoch are invalid: a sync costs nothing, however large the cache. */
typedef struct oct_insn_side {
  oct_config cfg;
  unsigned set_bits;
  uint32_t epoch;
  oct_sc_entry *sc;
  oct_sc_set *sc_sets;
  uint64_t sc_stamp;
  uint32_t random_bits;
  uint16_t *thb; /* entry n at n * ntuple_n */
  uint32_t thb_write, thb_filled;
  uint16_t tuple[OCT_DECODER_TUPLE_MAX]; /* at hand: indices tuple_pos to tuple_n - 1 */
  unsigned tuple_pos, tuple_n;
  uint32_t tuple_scmt_seen;
  uint32_t scmt_taken; /* modulo 2^32 */
  uint32_t task;
  oct_trap trap; /* that was handed out last; */
  uint64_t time; /* likewise */
} oct_insn_side;

/* cfg was checked. OCT_ERR_NOMEM; oct_insn_side_free is to be called all the same. */
int oct_insn_side_init(oct_insn_side *s, const oct_config *cfg);
void oct_insn_side_free(oct_insn_side *s);

/* A sync: mirrors return to their start. */
void oct_insn_side_sync(oct_insn_side *s, uint32_t task);
/* Behind damage: drop the tuple at hand. The queues were cleared; a sync follows. */
void oct_insn_side_drop(oct_insn_side *s);

/* The next stream, trap or stamp: 1 and *run, 0 when none is known yet, or what was read
 * contradicts itself: OCT_ERR_PACKET and *why. */
int oct_insn_side_next(oct_insn_side *s, oct_packet_queues *q, oct_stream_run *run, oct_diag *why);

/* Carry out the task switches that come next. */
void oct_insn_side_switch_tasks(oct_insn_side *s, oct_packet_queues *q);

/* All packets of this side are used up. */
bool oct_insn_side_is_empty(const oct_insn_side *s, const oct_packet_queues *q);

#endif
