/* SPDX-License-Identifier: Apache-2.0 */
/* oct_dasc.h - data address stride cache (Milenković 2007, section 2.2, Figures 5 and 6).
 *
 * Tagless and direct mapped, or tagged and set-associative (dasc_ways > 0). Input: data words.
 * Output: hit or miss of each access. Latency: 2 cycles (read, write-back), one access every 2
 * cycles, or, pipelined, every cycle. Back-pressure: valid/ready, output stable while stalled.
 * docs/port-format.md, section 6.
 */
#ifndef OCT_DASC_H
#define OCT_DASC_H

#include "oct_hold.h"
#include "oct_types.h"

typedef struct oct_dasc_entry {
  uint64_t lda;
  uint64_t pcw;  /* tag: the instruction, */
  uint64_t used; /* time of last use, 0 = invalid */
  int32_t stride;
  uint8_t slot; /* and the access slot */
} oct_dasc_entry;

/* The tagless cache keeps nothing but these two, so that a large one stays in the host's cache. */
typedef struct oct_dasc_pair {
  uint64_t lda;
  int32_t stride;
} oct_dasc_pair;

/* What a look-up takes of the configuration. A caller that passes constants has them compiled in.
 */
typedef struct oct_dasc_widths {
  uint32_t addr_bits, pc_align_bits, stride_bits;
} oct_dasc_widths;

typedef struct oct_dasc {
  oct_config cfg;
  oct_stats *stats;
  oct_dasc_pair *pairs;    /* tagless */
  oct_dasc_entry *entries; /* tagged */
  uint64_t now;
  uint32_t set_bits;
  uint32_t slot_set[16]; /* what a slot flips in the set: its number, reversed and at the top */
  /* timed shell */
  oct_hold hold;
  oct_dt_word out_q, hold_q, out_d, hold_d;
} oct_dasc;

/* Allocates; OCT_ERR_NOMEM. stats is kept. */
int oct_dasc_init(oct_dasc *s, const oct_config *cfg, oct_stats *stats);
void oct_dasc_free(oct_dasc *s);
void oct_dasc_reset(oct_dasc *s);

static inline oct_dasc_widths oct_dasc_widths_of(const oct_config *cfg) {
  return (oct_dasc_widths){cfg->addr_bits, cfg->pc_align_bits, cfg->stride_bits};
}

/* Set of an access. */
static inline uint32_t oct_dasc_set(const oct_dasc *s, oct_dasc_widths widths, uint64_t pc,
                                    uint32_t slot) {
  uint32_t mask = ((uint32_t)1 << s->set_bits) - 1;
  return ((uint32_t)(pc >> widths.pc_align_bits) ^ s->slot_set[slot]) & mask;
}

/* Look up and update one entry; true on a stride hit, which writes the stride that is there. */
static inline bool oct_dasc_step_pair(oct_dasc_widths widths, uint64_t *lda, int32_t *entry_stride,
                                      uint64_t da) {
  uint64_t addr_mask = oct_mask(widths.addr_bits);
  uint64_t stride = (da - *lda) & addr_mask;
  unsigned unused_bits = 32 - widths.stride_bits;
  bool hit = stride == ((uint64_t)(int64_t)*entry_stride & addr_mask);
  *entry_stride = (int32_t)((uint32_t)stride << unused_bits) >> unused_bits;
  *lda = da;
  return hit;
}

bool oct_dasc_step_tagged(oct_dasc *s, uint64_t pc, uint32_t slot, uint64_t da);

/* The tagless look-up and update; true on a stride hit. widths: those of the configuration. */
static inline bool oct_dasc_step_tagless(const oct_dasc *s, oct_dasc_widths widths, uint64_t pc,
                                         uint32_t slot, uint64_t da) {
  oct_dasc_pair *pair = &s->pairs[oct_dasc_set(s, widths, pc, slot)];
  return oct_dasc_step_pair(widths, &pair->lda, &pair->stride, da);
}

/* Account for accesses of which so many hit; the step does it for each. */
static inline void oct_dasc_account(const oct_dasc *s, uint64_t accesses, uint64_t hits) {
  s->stats->dasc_hits += hits;
  s->stats->paper_dt += accesses;
  if (hits < accesses) s->stats->paper_dmt += (accesses - hits) * s->cfg.addr_bits;
}

/* Look up and update; true on a stride hit. */
static inline bool oct_dasc_step(oct_dasc *s, uint64_t pc, uint32_t slot, uint64_t da) {
  bool hit = s->pairs ? oct_dasc_step_tagless(s, oct_dasc_widths_of(&s->cfg), pc, slot, da)
                      : oct_dasc_step_tagged(s, pc, slot, da);
  oct_dasc_account(s, 1, hit);
  return hit;
}

/* Take a word: its mark, then its access. */
static inline oct_dt_word oct_dasc_take(oct_dasc *s, const oct_data_word *w) {
  oct_dt_word dt = {.da = w->da, .kind = w->kind, .hit = 0, .mark = w->mark};
  if (w->mark == OCT_MARK_SYNC) oct_dasc_reset(s);
  if (w->kind == OCT_DATA_ACCESS) dt.hit = oct_dasc_step(s, w->pc, w->slot, w->da);
  return dt;
}

typedef struct oct_dasc_in {
  bool valid;
  const oct_data_word *word;
  bool out_ready;
} oct_dasc_in;
/* Returns ready: the word given is taken with this clock. Outputs: hold.out_valid_q, out_q. */
bool oct_dasc_eval(oct_dasc *s, const oct_dasc_in *in);
void oct_dasc_clock(oct_dasc *s);

#endif
