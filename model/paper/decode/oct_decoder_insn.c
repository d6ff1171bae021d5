/* SPDX-License-Identifier: Apache-2.0 */
/* oct_decoder_insn.c - instruction side of the decoder: mirrors of the stream cache and of the
 * tuple history (docs/port-format.md, section 5).
 *
 * A token gives one index or a tuple of them. Index 0 takes the next SCMT record, whose stream
 * enters the mirror of the cache where the encoder put it; any other index is looked up there. */
#include "oct_decoder_state.h"

int oct_decoder_is_insn_side_empty(const oct_decoder *d) {
  return d->tuple_pos == d->tuple_n && !oct_queue_count(&d->tokens) && !oct_queue_count(&d->scmts);
}

static uint32_t sc_set_of(const oct_decoder *d, uint64_t sa, uint32_t sl) {
  unsigned a = d->cfg.pc_align_bits;
  uint64_t set;
  switch (d->cfg.sc_index_fn) {
    case OCT_INDEX_PAPER:
      set = (sa >> 6) ^ sl; /* from bit 6 on, whatever the alignment */
      break;
    case OCT_INDEX_FOLD:
      set = (sa >> a) ^ (sa >> (a + d->set_bits)) ^ sl;
      break;
    case OCT_INDEX_CONCAT: {
      unsigned low = d->set_bits / 2;
      set = ((sa >> a) << low) | (sl & oct_mask(low));
      break;
    }
    default:
      set = sa >> a;
  }
  return (uint32_t)(set & (d->cfg.sc_sets - 1));
}

static oct_sc_set *sc_set_at(oct_decoder *d, uint32_t set) {
  oct_sc_set *s = &d->sc_sets[set];
  if (s->epoch != d->epoch) {
    s->epoch = d->epoch;
    s->fifo_way = set == 0;
    s->plru_bits = 0;
  }
  return s;
}

static void sc_use(oct_decoder *d, uint32_t index) {
  uint32_t ways = d->cfg.sc_ways;
  if (d->cfg.sc_repl == OCT_REPL_LRU) {
    d->sc[index].used = ++d->sc_stamp;
  } else if (d->cfg.sc_repl == OCT_REPL_PLRU) {
    oct_sc_set *s = sc_set_at(d, index / ways);
    unsigned node = 1;
    for (uint32_t half = ways / 2; half; half /= 2) {
      unsigned is_right = (index & half) != 0;
      if (is_right)
        s->plru_bits &= (uint16_t) ~(1u << node);
      else
        s->plru_bits |= (uint16_t)(1u << node);
      node = 2 * node + is_right;
    }
  }
}

/* The way that a new stream of this set takes. The set has a usable way. */
static uint32_t sc_victim(oct_decoder *d, uint32_t set) {
  uint32_t ways = d->cfg.sc_ways, first = set == 0;
  const oct_sc_entry *e = d->sc + (size_t)set * ways;
  oct_sc_set *s = sc_set_at(d, set);
  if (d->cfg.sc_repl == OCT_REPL_FIFO) {
    uint32_t way = s->fifo_way;
    s->fifo_way = (uint16_t)(way + 1 == ways ? first : way + 1);
    return way;
  }
  for (uint32_t way = first; way < ways; way++)
    if (e[way].epoch != d->epoch) return way;
  uint32_t way = first;
  if (d->cfg.sc_repl == OCT_REPL_LRU) {
    for (uint32_t w = first + 1; w < ways; w++)
      if (e[w].used < e[way].used) way = w;
    return way;
  }
  if (d->cfg.sc_repl == OCT_REPL_PLRU) {
    unsigned node = 1;
    while (node < ways) node = 2 * node + ((s->plru_bits >> node) & 1);
    way = node - ways;
  } else {
    d->random_bits = (d->random_bits >> 1) ^ (d->random_bits & 1 ? 0xB400 : 0);
    way = d->random_bits & (ways - 1);
  }
  return way < first ? first : way;
}

/* Make entry the stream at hand. */
static void start_stream(oct_decoder *d, uint64_t sa, uint32_t sl, oct_sc_entry *entry) {
  d->pc = sa;
  d->stream_left = sl;
  if (!entry) {
    d->map_id = OCT_NO_ID;
    return;
  }
  if (entry->map_version != d->map_version || entry->map_id == OCT_NO_ID) {
    entry->map_id = oct_map_find(d->map, sa);
    entry->map_version = d->map_version;
  }
  d->map_id = entry->map_id;
}

static int take_index(oct_decoder *d, uint32_t index) {
  if (index) {
    oct_sc_entry *e = &d->sc[index];
    if (index >= d->cfg.sc_sets * d->cfg.sc_ways || e->epoch != d->epoch)
      return oct_decoder_fail_before(d, OCT_ERR_PACKET, "stream cache index %u is empty", index);
    sc_use(d, index);
    start_stream(d, e->sa, e->sl, e);
    return 1;
  }
  if ((int32_t)(d->tuple_scmt_seen - d->scmt_taken) <= 0)
    return oct_decoder_fail_before(d, OCT_ERR_PACKET,
                                   "a stream cache miss without its SCMT packet");
  oct_scmt scmt = *oct_scmt_front(&d->scmts);
  oct_scmt_pop(&d->scmts);
  d->scmt_taken++;
  uint32_t set = sc_set_of(d, scmt.sa, scmt.sl);
  if (d->cfg.sc_ways == 1 && set == 0) {
    start_stream(d, scmt.sa, scmt.sl, NULL);
    return 1;
  }
  index = set * d->cfg.sc_ways + sc_victim(d, set);
  oct_sc_entry *e = &d->sc[index];
  e->sa = scmt.sa;
  e->sl = scmt.sl;
  e->epoch = d->epoch;
  e->map_id = OCT_NO_ID;
  sc_use(d, index);
  start_stream(d, e->sa, e->sl, e);
  return 1;
}

/* The tuple at hand enters the history. */
static void thb_put(oct_decoder *d) {
  uint32_t n = d->cfg.ntuple_n;
  memcpy(d->thb + (size_t)d->thb_write * n, d->tuple, n * sizeof *d->thb);
  if (d->thb_filled < d->thb_write) d->thb_filled = d->thb_write;
  d->thb_write = d->thb_write == d->cfg.thb_depth ? 1 : d->thb_write + 1;
}

static void take_indices(oct_decoder *d, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    d->tuple[i] = *oct_index_front(&d->indices);
    oct_index_pop(&d->indices);
  }
  d->tuple_n = n;
}

/* Carry out the next token. The tuple at hand is used up. */
static int take_token(oct_decoder *d) {
  oct_token *t = oct_token_front(&d->tokens);
  uint32_t n = d->cfg.ntuple_n;
  d->tuple_pos = d->tuple_n = 0;
  d->tuple_scmt_seen = t->scmt_seen;
  switch ((oct_token_kind)t->kind) {
    case OCT_TOKEN_HIT:
      if (!t->value || t->value > d->thb_filled)
        return oct_decoder_fail_before(d, OCT_ERR_PACKET, "tuple %u is not in the history",
                                       t->value);
      memcpy(d->tuple, d->thb + (size_t)t->value * n, n * sizeof *d->thb);
      d->tuple_n = n;
      if (d->cfg.thb_update) thb_put(d);
      break;
    case OCT_TOKEN_TUPLE:
      take_indices(d, n);
      thb_put(d);
      break;
    case OCT_TOKEN_PART:
      take_indices(d, t->n);
      break;
    case OCT_TOKEN_INDEX:
      d->tuple[0] = (uint16_t)t->value;
      d->tuple_n = 1;
      break;
    case OCT_TOKEN_TASK:
      d->task = t->value;
      break;
  }
  if (--t->count == 0) oct_token_pop(&d->tokens);
  return 0;
}

int oct_decoder_next_stream(oct_decoder *d) {
  while (d->tuple_pos == d->tuple_n) {
    if (!oct_queue_count(&d->tokens)) return 0;
    int r = take_token(d);
    if (r) return r;
  }
  return take_index(d, d->tuple[d->tuple_pos++]);
}
