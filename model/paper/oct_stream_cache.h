/* SPDX-License-Identifier: Apache-2.0 */
/* oct_stream_cache.h - set-associative cache of streams (Milenković 2007, section 2.1 and Figure
 * 4).
 *
 * Input: stream words. Output: an index per stream, 0 for a miss, and the descriptor of what
 * missed. Latency: 1 cycle on a hit, 2 on a miss (read, then write-back); a new stream is taken
 * every 1 or 2 cycles likewise. Back-pressure: valid/ready, output stable while stalled. Index
 * functions and replacement: docs/port-format.md, section 5. */
#ifndef OCT_STREAM_CACHE_H
#define OCT_STREAM_CACHE_H

#include "oct_hold.h"
#include "oct_types.h"

typedef struct oct_stream_entry {
  uint64_t sa;
  uint64_t used; /* time of last use, for LRU */
  uint32_t sl;   /* 0 = invalid */
} oct_stream_entry;

typedef struct oct_stream_cache {
  oct_config cfg;
  oct_stats *stats;
  oct_stream_entry *entries; /* NSET * NWAY */
  uint16_t *plru;            /* tree bits of a set, node i in bit i */
  uint8_t *fifo;             /* next way of a set */
  uint64_t now;
  uint32_t lfsr;
  uint32_t index_bits, ns, ne;
  /* timed shell */
  oct_hold hold;
  oct_index_word out_q, hold_q, out_d, hold_d;
} oct_stream_cache;

/* Allocates; OCT_ERR_NOMEM. stats is kept. */
int oct_stream_cache_init(oct_stream_cache *s, const oct_config *cfg, oct_stats *stats);
void oct_stream_cache_free(oct_stream_cache *s);

/* Forget everything, as at a sync. */
void oct_stream_cache_reset(oct_stream_cache *s);
/* The set that a stream belongs to. */
uint32_t oct_stream_cache_set(const oct_stream_cache *s, uint64_t sa, uint32_t sl);
/* Is the set among a number of sets the low bits of the set among twice as many? */
static inline bool oct_stream_cache_sets_nest(const oct_config *cfg) {
  return cfg->sc_index_fn == OCT_INDEX_PAPER || cfg->sc_index_fn == OCT_INDEX_SA;
}
/* Look up and update: the index, or 0 for a miss, after which the stream is in the cache. */
uint32_t oct_stream_cache_step(oct_stream_cache *s, uint64_t sa, uint32_t sl);
/* Account for streams of which so many hit; the step does it for each. */
static inline void oct_stream_cache_account(const oct_stream_cache *s, uint64_t streams,
                                            uint64_t hits) {
  s->stats->streams += streams;
  s->stats->sc_hits += hits;
  s->stats->paper_scit += streams * s->index_bits;
  s->stats->paper_scmt += (streams - hits) * (s->cfg.addr_bits + s->cfg.sl_bits);
}
/* Take a word: its stream, then its mark. */
static inline oct_index_word oct_stream_cache_take(oct_stream_cache *s, const oct_stream_word *w) {
  oct_index_word r = {.sa = w->sa, .sl = w->sl, .index = 0, .task = w->task, .mark = w->mark};
  if (w->sl) r.index = oct_stream_cache_step(s, w->sa, w->sl);
  if (w->mark == OCT_MARK_SYNC) oct_stream_cache_reset(s);
  return r;
}

typedef struct oct_stream_cache_in {
  bool valid;
  const oct_stream_word *word;
  bool out_ready;
} oct_stream_cache_in;
/* Returns ready: the word given is taken with this clock. Outputs: hold.out_valid_q, out_q. */
bool oct_stream_cache_eval(oct_stream_cache *s, const oct_stream_cache_in *in);
void oct_stream_cache_clock(oct_stream_cache *s);

#endif
