/* SPDX-License-Identifier: Apache-2.0 */
/* oct_packet_queues.h - what packets say, waiting for those who use it: values between the parser,
 * which puts them, and the two sides, which take them.
 *
 * The instruction side has tokens, the indices of tuples, the streams of SCMT packets, traps,
 * stamps and the delays of streams; the data side has patterns of DT bits and the addresses of DMT
 * packets. A barrier is a packet before which both sides have to be used up; it waits beside the
 * queues. */
#ifndef OCT_PACKET_QUEUES_H
#define OCT_PACKET_QUEUES_H

#include <stdbool.h>

#include "oct_bits.h"
#include "oct_cutter.h"
#include "octrace/trace.h"

typedef enum oct_token_kind {
  OCT_TOKEN_HIT,   /* value: number of the tuple */
  OCT_TOKEN_TUPLE, /* a tuple miss: its indices stand in the index queue */
  OCT_TOKEN_PART,  /* n indices in the index queue */
  OCT_TOKEN_INDEX, /* value: index */
  OCT_TOKEN_TASK,  /* value: task */
  OCT_TOKEN_TRAP,  /* it stands in the queue of traps, */
  OCT_TOKEN_TIME   /* in that of stamps */
} oct_token_kind;

typedef struct oct_token {
  uint16_t kind, n;
  uint32_t value;
  uint32_t count;     /* the same packet so many times */
  uint32_t scmt_seen; /* SCMT packets that came before it, modulo 2^32 */
} oct_token;

typedef struct oct_scmt {
  uint64_t sa;
  uint32_t sl;
} oct_scmt;

typedef struct oct_dt_run {
  uint32_t pattern, count;
  uint32_t n_bits;
} oct_dt_run;

typedef struct oct_dmt {
  uint64_t addr;
  uint8_t is_terminator;
} oct_dmt;

OCT_QUEUE_OF(token, oct_token)
OCT_QUEUE_OF(index, uint16_t)
OCT_QUEUE_OF(scmt, oct_scmt)
OCT_QUEUE_OF(dt, oct_dt_run)
OCT_QUEUE_OF(dmt, oct_dmt)
OCT_QUEUE_OF(trap, oct_trap)
OCT_QUEUE_OF(time, uint64_t)
OCT_QUEUE_OF(delay, int16_t)

typedef enum oct_packet_queue {
  OCT_QUEUE_TOKENS,
  OCT_QUEUE_INDICES,
  OCT_QUEUE_SCMTS,
  OCT_QUEUE_DTS,
  OCT_QUEUE_DMTS,
  OCT_QUEUE_TRAPS,
  OCT_QUEUE_TIMES,
  OCT_QUEUE_DELAYS,
  OCT_PACKET_QUEUES
} oct_packet_queue;

typedef struct oct_packet_queues {
  oct_queue of[OCT_PACKET_QUEUES];
  uint32_t n_scmts; /* put so far, modulo 2^32 */
} oct_packet_queues;

static inline bool oct_packet_queue_is_empty(const oct_packet_queues *q, oct_packet_queue which) {
  return !oct_queue_count(&q->of[which]);
}

static inline void oct_packet_queues_clear(oct_packet_queues *q) {
  for (unsigned i = 0; i < OCT_PACKET_QUEUES; i++) q->of[i].head = q->of[i].tail = 0;
  q->n_scmts = 0;
}

static inline void oct_packet_queues_free(oct_packet_queues *q) {
  for (unsigned i = 0; i < OCT_PACKET_QUEUES; i++) free(q->of[i].bytes);
}

typedef enum oct_port_barrier_kind {
  OCT_BARRIER_NONE,
  OCT_BARRIER_SYNC,
  OCT_BARRIER_FLUSH,
  OCT_BARRIER_OVERFLOW,
  OCT_BARRIER_CHECK /* the sides need not be used up */
} oct_port_barrier_kind;

typedef struct oct_port_barrier {
  oct_port_barrier_kind kind;
  uint64_t insns;    /* sync: its instruction number; overflow: instructions lost */
  uint64_t accesses; /* overflow: accesses lost */
  uint32_t task;     /* of a sync */
  uint8_t privilege; /* of a sync or an overflow, with traps */
  bool is_found;     /* a sync that a search has found */
  uint64_t bit;      /* where its packet begins */
  oct_check check;
} oct_port_barrier;

#endif
