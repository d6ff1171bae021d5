/* SPDX-License-Identifier: Apache-2.0 */
/* oct_hold.h - the output of a stage in two registers: a word is held for a cycle, then offered.
 *
 * What is offered stays until it is taken. What is held moves up as soon as nothing is offered, or
 * that is taken. Here is what the registers do; their words, out_q and hold_q, are the stage's,
 * which loads them with out_d and hold_d where the load bits are set. */
#ifndef OCT_HOLD_H
#define OCT_HOLD_H

#include <stdbool.h>

typedef struct oct_hold {
  bool out_valid_q, hold_valid_q, out_valid_d, hold_valid_d, out_load_d, hold_load_d;
} oct_hold;

/* Before the stage takes a word. True: what is offered leaves, or nothing is. With out_load_d what
 * is held moves up: the stage sets out_d to hold_q. */
static inline bool oct_hold_eval(oct_hold *h, bool out_ready) {
  bool out_free = !h->out_valid_q || out_ready;
  h->out_load_d = h->hold_valid_q && out_free;
  h->out_valid_d = h->hold_valid_q || !out_free;
  h->hold_valid_d = h->hold_valid_q && !out_free;
  h->hold_load_d = false;
  return out_free;
}

/* The stage takes a word, which it puts into hold_d, */
static inline void oct_hold_load(oct_hold *h) {
  h->hold_load_d = h->hold_valid_d = true;
}
/* or into out_d, to be offered at once. */
static inline void oct_hold_load_out(oct_hold *h) {
  h->out_load_d = h->out_valid_d = true;
}

static inline void oct_hold_clock(oct_hold *h) {
  h->out_valid_q = h->out_valid_d;
  h->hold_valid_q = h->hold_valid_d;
}

#endif
