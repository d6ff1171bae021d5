/* SPDX-License-Identifier: Apache-2.0 */
/* oct_repetition.h - finite state machine that counts repeated patterns of data hit bits
 * (Milenković 2007, section 2.2: "a <pattern, number of repetitions> pair").
 *
 * The bits are cut into patterns of W. A complete pattern that equals the held one raises its
 * count, up to 2^C + 1; otherwise the held pattern is emitted and the new one is held with count 1.
 * A mark emits the held pattern and what is left of an incomplete one. With C = 0 each pattern is
 * emitted at once. Misses pass through as DMT items in the cycle of their bit, ahead of it.
 * Latency: 1 cycle for a DMT item. Back-pressure: valid/ready, output stable while stalled. */
#ifndef OCT_REPETITION_H
#define OCT_REPETITION_H

#include "oct_types.h"

typedef struct oct_repetition {
  oct_config cfg;
  oct_stats *stats;
  uint32_t max_count;
  uint32_t bits, bit_count; /* pattern being collected */
  uint32_t held, held_count;
  /* timed shell */
  oct_item queue_q[OCT_ITEMS_MAX], queue_d[OCT_ITEMS_MAX];
  uint32_t queue_count_q, queue_count_d;
  bool queue_load_d, queue_pop_d; /* the queue is loaded, or moves up; else it keeps its items */
} oct_repetition;

void oct_repetition_init(oct_repetition *s, const oct_config *cfg, oct_stats *stats);

/* The pattern that is complete, and a mark: what they cause goes to items, its number is returned.
 */
unsigned oct_repetition_take_pattern(oct_repetition *s, oct_item *items);
unsigned oct_repetition_take_mark(oct_repetition *s, uint8_t mark, oct_item *items);

/* Append n hit bits, which must not go beyond the pattern; true when it is complete. */
static inline bool oct_repetition_add(oct_repetition *s, uint32_t bits, uint32_t n) {
  s->bits |= bits << s->bit_count;
  s->bit_count += n;
  return s->bit_count == s->cfg.rep_pattern_bits;
}

/* The item of a word that missed, which no state has a part in. */
static inline void oct_repetition_pass_missed(const oct_dt_word *w, oct_item *item) {
  item->kind = w->kind == OCT_DATA_END ? OCT_ITEM_DMT_END : OCT_ITEM_DMT;
  item->addr = w->da;
}

/* Take one word and write what it causes, at most OCT_ITEMS_MAX items in order, to items; their
 * number is returned. */
static inline unsigned oct_repetition_step(oct_repetition *s, const oct_dt_word *w,
                                           oct_item *items) {
  unsigned n = w->mark ? oct_repetition_take_mark(s, w->mark, items) : 0;
  if (w->kind == OCT_DATA_NONE) return n;
  if (!w->hit) oct_repetition_pass_missed(w, &items[n++]);
  if (!oct_repetition_add(s, w->hit, 1)) return n;
  /* After a mark one bit cannot complete a pattern, unless W is 1; then nothing is held. */
  return n + oct_repetition_take_pattern(s, items + n);
}

typedef struct oct_repetition_in {
  bool valid;
  const oct_dt_word *word;
  bool out_ready;
} oct_repetition_in;
/* The item offered in this cycle, or NULL. */
const oct_item *oct_repetition_out(const oct_repetition *s);
/* Returns ready: the word given is taken with this clock. */
bool oct_repetition_eval(oct_repetition *s, const oct_repetition_in *in);
void oct_repetition_clock(oct_repetition *s);

#endif
