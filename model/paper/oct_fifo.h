/* SPDX-License-Identifier: Apache-2.0 */
/* oct_fifo.h - the stream buffer and the data buffer: a FIFO of registers.
 *
 * Latency: 1 cycle from push to head. ready = not full, whatever is popped in the same cycle; or,
 * with passes, not full or popped. */
#ifndef OCT_FIFO_H
#define OCT_FIFO_H

#include "oct_types.h"

#define OCT_FIFO_DEPTH_MAX 64

typedef union oct_fifo_word {
  oct_stream_word stream;
  oct_data_word data;
} oct_fifo_word;

typedef struct oct_fifo {
  uint32_t depth;
  bool passes; /* a word is taken when full if one is popped in the same cycle */
  oct_fifo_word word_q[OCT_FIFO_DEPTH_MAX];
  uint32_t head_q, count_q;
  bool push_d, pop_d;
} oct_fifo;

static inline void oct_fifo_init(oct_fifo *s, uint32_t depth, bool passes) {
  memset(s, 0, sizeof *s);
  s->depth = depth;
  s->passes = passes;
}

static inline bool oct_fifo_ready(const oct_fifo *s, bool pop) {
  return s->count_q < s->depth || (s->passes && pop);
}
static inline bool oct_fifo_valid(const oct_fifo *s) {
  return s->count_q > 0;
}
static inline const oct_fifo_word *oct_fifo_head(const oct_fifo *s) {
  return &s->word_q[s->head_q];
}

/* push may be NULL. Pushing when not ready, or popping when not valid, is a fault of the top. The
 * word goes to its place at once, where it is not seen until the clock counts it. */
static inline void oct_fifo_eval(oct_fifo *s, const oct_fifo_word *push, bool pop) {
  uint32_t at = s->head_q + s->count_q;
  if (push) s->word_q[at < s->depth ? at : at - s->depth] = *push;
  s->push_d = push != NULL;
  s->pop_d = pop;
}

static inline void oct_fifo_clock(oct_fifo *s) {
  uint32_t next = s->head_q + 1 < s->depth ? s->head_q + 1 : 0;
  s->count_q = s->count_q + s->push_d - s->pop_d;
  s->head_q = s->pop_d ? next : s->head_q;
}

#endif
