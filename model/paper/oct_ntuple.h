/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ntuple.h - replaces N-tuples of stream cache indices by their place in a history buffer
 * (Milenković 2007, Figures 3 and 4).
 *
 * Input: index words. Output: items for the output controller (SCMT, tuple hit, tuple miss, marks).
 * Latency: 1 cycle for an SCMT, a mark or, with N = 0, an index; a tuple is searched for in N
 * cycles, THB_DEPTH / N entries a cycle, while the next is collected: one index a cycle is taken
 * without a stall. Back-pressure: valid/ready, output stable while stalled. */
#ifndef OCT_NTUPLE_H
#define OCT_NTUPLE_H

#include "oct_types.h"

typedef struct oct_tuple_key {
  uint64_t word[OCT_TUPLE_MAX / 4]; /* the N indices as they stand in tuple, then zeros */
} oct_tuple_key;

typedef struct oct_ntuple {
  oct_config cfg;
  oct_stats *stats;
  uint32_t index_bits, thb_bits;
  oct_tuple_key *thb; /* entry 1 is thb[0] */
  uint16_t *thb_hash; /* of each entry, so that a search compares many at a time */
  uint32_t thb_count, thb_write;
  uint16_t tuple[OCT_TUPLE_MAX];
  uint32_t tuple_count;
  /* timed shell: items waiting to leave, one a cycle; a tuple under search; and the mark of the
   * word that completed it, which leaves after it */
  oct_item queue_q[OCT_ITEMS_MAX], queue_d[OCT_ITEMS_MAX];
  uint32_t queue_count_q, queue_count_d;
  oct_item search_q, search_d;
  uint32_t search_cycles_q, search_cycles_d; /* cycles left; 0 with search_valid_q: found */
  bool search_valid_q, search_valid_d;
  bool search_first_q, search_first_d; /* offered already: it stays ahead of what is queued now */
  oct_item after_q, after_d;
  bool after_valid_q, after_valid_d;
} oct_ntuple;

/* Allocates; OCT_ERR_NOMEM. stats is kept. */
int oct_ntuple_init(oct_ntuple *s, const oct_config *cfg, oct_stats *stats);
void oct_ntuple_free(oct_ntuple *s);
void oct_ntuple_reset(oct_ntuple *s);

/* The items of a word without tuples (N = 0), which no state has a part in: an SCMT behind a miss,
 * the index, and the mark. At most OCT_ITEMS_MAX, in order; their number is returned. */
unsigned oct_ntuple_step_plain(const oct_index_word *w, oct_item *items);

/* Take one index word and write what it causes, at most OCT_ITEMS_MAX items in order, to items;
 * their number is returned. */
unsigned oct_ntuple_step(oct_ntuple *s, const oct_index_word *w, oct_item *items);

typedef struct oct_ntuple_in {
  bool valid;
  const oct_index_word *word;
  bool out_ready;
} oct_ntuple_in;
/* The item offered in this cycle, or NULL. */
const oct_item *oct_ntuple_out(const oct_ntuple *s);
/* Returns ready: the word given is taken with this clock. */
bool oct_ntuple_eval(oct_ntuple *s, const oct_ntuple_in *in);
void oct_ntuple_clock(oct_ntuple *s);

#endif
