/* SPDX-License-Identifier: Apache-2.0 */
/* oct_stream_cache.c - set-associative cache of streams: lookup, the four replacements, latency
 * (Milenković 2007, section 2.1).
 *
 * The index function makes a set of start and length. Its ways are compared; on a hit the index is
 * set times ways plus way, on a miss 0, and the stream takes an invalid way or the victim of LRU,
 * FIFO, tree-PLRU or a shift register. Way 0 of set 0 is never used, since its index is that of a
 * miss. Source of index functions and replacements: docs/port-format.md, section 5. */
#include "oct_stream_cache.h"

#include <stdlib.h>

#include "oct_plru.h"

/* The published index function takes the bits of SA from this one on, whatever the alignment. */
enum { PAPER_FROM_BIT = 6 };

#define LFSR_SEED 0xACE1u
#define LFSR_TAPS 0xB400u

int oct_stream_cache_init(oct_stream_cache *s, const oct_config *cfg, oct_stats *stats) {
  size_t sets = cfg->sc_sets;
  oct_widths w;
  memset(s, 0, sizeof *s);
  s->cfg = *cfg;
  s->stats = stats;
  oct_config_widths(cfg, &w);
  s->index_bits = w.index_bits;
  s->ns = oct_log2(cfg->sc_sets);
  s->ne = oct_log2(cfg->sc_sets * cfg->sc_ways);
  s->entries = malloc(sets * cfg->sc_ways * sizeof *s->entries);
  s->plru = malloc(sets * sizeof *s->plru);
  s->fifo = malloc(sets * sizeof *s->fifo);
  if (!s->entries || !s->plru || !s->fifo) {
    oct_stream_cache_free(s);
    return OCT_ERR_NOMEM;
  }
  oct_stream_cache_reset(s);
  return 0;
}

void oct_stream_cache_free(oct_stream_cache *s) {
  free(s->entries);
  free(s->plru);
  free(s->fifo);
  s->entries = NULL;
  s->plru = NULL;
  s->fifo = NULL;
}

void oct_stream_cache_reset(oct_stream_cache *s) {
  size_t sets = s->cfg.sc_sets;
  memset(s->entries, 0, sets * s->cfg.sc_ways * sizeof *s->entries);
  memset(s->plru, 0, sets * sizeof *s->plru);
  memset(s->fifo, 0, sets * sizeof *s->fifo);
  if (s->cfg.sc_ways > 1) s->fifo[0] = 1; /* way 0 of set 0 is index 0, the miss */
  s->now = 0;
  s->lfsr = LFSR_SEED;
}

uint32_t oct_stream_cache_set(const oct_stream_cache *s, uint64_t sa, uint32_t sl) {
  uint64_t pcw = sa >> s->cfg.pc_align_bits;
  unsigned lo = s->ns / 2;
  uint64_t set;
  switch (s->cfg.sc_index_fn) {
    case OCT_INDEX_PAPER:
      set = (sa >> PAPER_FROM_BIT) ^ sl;
      break;
    case OCT_INDEX_FOLD:
      set = pcw ^ (pcw >> s->ns) ^ sl;
      break;
    case OCT_INDEX_CONCAT:
      set = (pcw << lo) | (sl & oct_mask(lo));
      break;
    default:
      set = pcw;
  }
  return (uint32_t)(set & (s->cfg.sc_sets - 1));
}

/* An invalid way was never used, so the first of them is the least recently used. */
static uint32_t lru_victim(const oct_stream_entry *e, uint32_t first, uint32_t ways) {
  uint32_t victim = first;
  for (uint32_t w = first + 1; w < ways; w++)
    if (e[w].used < e[victim].used) victim = w;
  return victim;
}

static uint32_t choose_way(oct_stream_cache *s, uint32_t set, uint32_t first) {
  const oct_stream_entry *e = s->entries + (size_t)set * s->cfg.sc_ways;
  uint32_t ways = s->cfg.sc_ways;
  uint32_t way;
  if (s->cfg.sc_repl == OCT_REPL_LRU) return lru_victim(e, first, ways);
  if (s->cfg.sc_repl == OCT_REPL_FIFO) {
    way = s->fifo[set];
    s->fifo[set] = (uint8_t)(way + 1 < ways ? way + 1 : first);
    return way;
  }
  for (way = first; way < ways; way++)
    if (!e[way].sl) return way;
  if (s->cfg.sc_repl == OCT_REPL_PLRU) {
    way = oct_plru_victim(s->plru[set], ways);
  } else {
    s->lfsr = (s->lfsr >> 1) ^ (s->lfsr & 1 ? LFSR_TAPS : 0);
    way = s->lfsr & (ways - 1);
  }
  return way < first ? first : way;
}

uint32_t oct_stream_cache_step(oct_stream_cache *s, uint64_t sa, uint32_t sl) {
  uint32_t set = oct_stream_cache_set(s, sa, sl);
  uint32_t ways = s->cfg.sc_ways;
  uint32_t first = set == 0;
  oct_stream_entry *e = s->entries + (size_t)set * ways;
  uint32_t index = 0;
  uint32_t way;
  for (way = first; way < ways; way++) {
    if (e[way].sa != sa || e[way].sl != sl) continue;
    index = set * ways + way;
    break;
  }
  oct_stream_cache_account(s, 1, index != 0);
  if (!index) {
    if (first >= ways) return 0;
    way = choose_way(s, set, first);
    e[way].sa = sa;
    e[way].sl = sl;
  }
  e[way].used = ++s->now;
  if (s->cfg.sc_repl == OCT_REPL_PLRU)
    s->plru[set] = (uint16_t)oct_plru_use(s->plru[set], ways, way);
  return index;
}

static void take_word(oct_stream_cache *s, const oct_stream_word *w) {
  oct_index_word r = {.sa = w->sa, .sl = w->sl, .task = w->task, .mark = w->mark};
  if (w->sl) r.index = oct_stream_cache_step(s, w->sa, w->sl);
  if (w->mark == OCT_MARK_SYNC) oct_stream_cache_reset(s);
  if (w->sl && !r.index) {
    s->hold_d = r;
    oct_hold_load(&s->hold);
  } else {
    s->out_d = r;
    oct_hold_load_out(&s->hold);
  }
}

bool oct_stream_cache_eval(oct_stream_cache *s, const oct_stream_cache_in *in) {
  bool out_free = oct_hold_eval(&s->hold, in->out_ready);
  bool ready = !s->hold.hold_valid_q && out_free;
  if (s->hold.out_load_d) s->out_d = s->hold_q;
  if (in->valid && ready) take_word(s, in->word);
  return ready;
}

void oct_stream_cache_clock(oct_stream_cache *s) {
  if (s->hold.out_load_d) s->out_q = s->out_d;
  if (s->hold.hold_load_d) s->hold_q = s->hold_d;
  oct_hold_clock(&s->hold);
}
