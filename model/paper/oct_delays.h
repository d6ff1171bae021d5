/* SPDX-License-Identifier: Apache-2.0 */
/* oct_delays.h - the delays of streams (timestamp = 2, oct_pace.h) on their way past the stream
 * cache to the output controller.
 *
 * A word of the stream buffer has one here, with its stream's delay and the barrier behind it; one
 * with neither has none. A word with both gives two items, one after the other. Latency: 1 cycle
 * from push to item. Back-pressure: as deep as the stream buffer, but delays_least of oct_config.h
 * at least. The ingress waits for both, and the mark of a flush or an overflow stays here until the
 * tuple before it has left, while the stream cache has taken its own out of the stream buffer: so
 * streams behind a flush need more room here than there. */
#ifndef OCT_DELAYS_H
#define OCT_DELAYS_H

#include "oct_fifo.h"

typedef struct oct_delays {
  bool is_on;
  oct_fifo buffer;
  bool told_q, told_d; /* the head's delay has gone, its barrier not yet */
  bool pop_d;
  oct_item item;
} oct_delays;

static inline void oct_delays_init(oct_delays *s, const oct_config *cfg) {
  oct_widths widths;
  oct_config_widths(cfg, &widths);
  memset(s, 0, sizeof *s);
  s->is_on = cfg->timestamp == 2;
  oct_fifo_init(&s->buffer, widths.delays_depth, cfg->pipelined);
}

/* The item of this cycle, or NULL. */
static inline const oct_item *oct_delays_out(oct_delays *s) {
  const oct_stream_word *w = &oct_fifo_head(&s->buffer)->stream;
  if (!oct_fifo_valid(&s->buffer)) return NULL;
  memset(&s->item, 0, sizeof s->item);
  if (w->sl && !s->told_q) {
    s->item.kind = OCT_ITEM_CYCLES;
    s->item.value = (uint16_t)w->delay;
  } else {
    s->item.kind = OCT_ITEM_MARK;
    s->item.mark = w->mark;
  }
  return &s->item;
}

/* Whether a word is taken in this cycle, once it is known whether the item is. */
static inline bool oct_delays_eval(oct_delays *s, bool out_ready) {
  const oct_stream_word *w = &oct_fifo_head(&s->buffer)->stream;
  bool taken = oct_fifo_valid(&s->buffer) && out_ready;
  bool is_first = w->sl && oct_mark_is_barrier(w->mark) && !s->told_q;
  s->told_d = taken ? is_first : s->told_q;
  s->pop_d = taken && !is_first;
  return !s->is_on || oct_fifo_ready(&s->buffer, s->pop_d);
}

/* word may be NULL: what the stream buffer takes. */
static inline void oct_delays_clock(oct_delays *s, const oct_fifo_word *word) {
  bool has_word = word && (word->stream.sl || oct_mark_is_barrier(word->stream.mark));
  if (!s->is_on) return;
  oct_fifo_eval(&s->buffer, has_word ? word : NULL, s->pop_d);
  oct_fifo_clock(&s->buffer);
  s->told_q = s->told_d;
}

#endif
