/* SPDX-License-Identifier: Apache-2.0 */
/* oct_insn_side.c - instruction side of the decoder: mirrors of the stream cache and of the tuple
 * history (docs/port-format.md, section 5).
 *
 * A token gives one index or a tuple of them. Index 0 takes the next SCMT record, whose stream
 * enters the mirror of the cache where the encoder put it; any other index is looked up there. */
#include "oct_insn_side.h"

#include "octrace/error.h"

int oct_insn_side_init(oct_insn_side *s, const oct_config *cfg) {
  uint32_t n = cfg->ntuple_n ? cfg->ntuple_n : 1;
  memset(s, 0, sizeof *s);
  s->cfg = *cfg;
  s->set_bits = (unsigned)__builtin_ctz(cfg->sc_sets);
  s->sc = calloc((size_t)cfg->sc_sets * cfg->sc_ways, sizeof *s->sc);
  s->sc_sets = calloc(cfg->sc_sets, sizeof *s->sc_sets);
  s->thb = calloc((size_t)(cfg->thb_depth + 1) * n, sizeof *s->thb);
  return s->sc && s->sc_sets && s->thb ? 0 : OCT_ERR_NOMEM;
}

void oct_insn_side_free(oct_insn_side *s) {
  free(s->sc);
  free(s->sc_sets);
  free(s->thb);
}

void oct_insn_side_sync(oct_insn_side *s, uint32_t task) {
  s->task = task;
  s->random_bits = 0xACE1;
  s->thb_write = 1;
  s->thb_filled = 0;
  if (++s->epoch) return;
  /* After 2^32 syncs an old epoch could be taken for the new one. */
  memset(s->sc, 0, (size_t)s->cfg.sc_sets * s->cfg.sc_ways * sizeof *s->sc);
  memset(s->sc_sets, 0, s->cfg.sc_sets * sizeof *s->sc_sets);
  s->epoch = 1;
}

void oct_insn_side_drop(oct_insn_side *s) {
  s->tuple_pos = s->tuple_n = 0;
  s->scmt_taken = 0;
}

bool oct_insn_side_is_empty(const oct_insn_side *s, const oct_packet_queues *q) {
  return s->tuple_pos == s->tuple_n && oct_packet_queue_is_empty(q, OCT_QUEUE_TOKENS) &&
         oct_packet_queue_is_empty(q, OCT_QUEUE_SCMTS) &&
         oct_packet_queue_is_empty(q, OCT_QUEUE_DELAYS);
}

static uint32_t sc_set_of(const oct_insn_side *s, uint64_t sa, uint32_t sl) {
  unsigned a = s->cfg.pc_align_bits;
  uint64_t set;
  switch (s->cfg.sc_index_fn) {
    case OCT_INDEX_PAPER:
      set = (sa >> 6) ^ sl; /* from bit 6 on, whatever the alignment */
      break;
    case OCT_INDEX_FOLD:
      set = (sa >> a) ^ (sa >> (a + s->set_bits)) ^ sl;
      break;
    case OCT_INDEX_CONCAT: {
      unsigned low = s->set_bits / 2;
      set = ((sa >> a) << low) | (sl & oct_mask(low));
      break;
    }
    default:
      set = sa >> a;
  }
  return (uint32_t)(set & (s->cfg.sc_sets - 1));
}

static oct_sc_set *sc_set_at(oct_insn_side *s, uint32_t set) {
  oct_sc_set *set_state = &s->sc_sets[set];
  if (set_state->epoch != s->epoch) {
    set_state->epoch = s->epoch;
    set_state->fifo_way = set == 0;
    set_state->plru_bits = 0;
  }
  return set_state;
}

static void sc_use(oct_insn_side *s, uint32_t index) {
  uint32_t ways = s->cfg.sc_ways;
  if (s->cfg.sc_repl == OCT_REPL_LRU) {
    s->sc[index].used = ++s->sc_stamp;
  } else if (s->cfg.sc_repl == OCT_REPL_PLRU) {
    oct_sc_set *set_state = sc_set_at(s, index / ways);
    unsigned node = 1;
    for (uint32_t half = ways / 2; half; half /= 2) {
      unsigned is_right = (index & half) != 0;
      if (is_right)
        set_state->plru_bits &= (uint16_t) ~(1u << node);
      else
        set_state->plru_bits |= (uint16_t)(1u << node);
      node = 2 * node + is_right;
    }
  }
}

/* The way that a new stream of this set takes. The set has a usable way. */
static uint32_t sc_victim(oct_insn_side *s, uint32_t set) {
  uint32_t ways = s->cfg.sc_ways, first = set == 0;
  const oct_sc_entry *e = s->sc + (size_t)set * ways;
  oct_sc_set *set_state = sc_set_at(s, set);
  if (s->cfg.sc_repl == OCT_REPL_FIFO) {
    uint32_t way = set_state->fifo_way;
    set_state->fifo_way = (uint16_t)(way + 1 == ways ? first : way + 1);
    return way;
  }
  for (uint32_t way = first; way < ways; way++)
    if (e[way].epoch != s->epoch) return way;
  uint32_t way = first;
  if (s->cfg.sc_repl == OCT_REPL_LRU) {
    for (uint32_t w = first + 1; w < ways; w++)
      if (e[w].used < e[way].used) way = w;
    return way;
  }
  if (s->cfg.sc_repl == OCT_REPL_PLRU) {
    unsigned node = 1;
    while (node < ways) node = 2 * node + ((set_state->plru_bits >> node) & 1);
    way = node - ways;
  } else {
    s->random_bits = (s->random_bits >> 1) ^ (s->random_bits & 1 ? 0xB400 : 0);
    way = s->random_bits & (ways - 1);
  }
  return way < first ? first : way;
}

/* Make entry the stream to be handed out. */
static int give(const oct_insn_side *s, oct_stream_run *run, uint64_t sa, uint32_t sl,
                oct_stream_note *note) {
  *run = (oct_stream_run){.sa = sa, .sl = sl, .task = s->task, .note = note};
  return 1;
}

static int take_index(oct_insn_side *s, oct_packet_queues *q, uint32_t index, oct_stream_run *run,
                      oct_diag *why) {
  oct_queue *scmts = &q->of[OCT_QUEUE_SCMTS];
  oct_sc_entry *e;
  if (index) {
    if (index >= s->cfg.sc_sets * s->cfg.sc_ways || s->sc[index].epoch != s->epoch)
      return oct_fail(why, OCT_ERR_PACKET, "stream cache index %u is empty", index);
    e = &s->sc[index];
    sc_use(s, index);
    return give(s, run, e->sa, e->sl, &e->note);
  }
  if ((int32_t)(s->tuple_scmt_seen - s->scmt_taken) <= 0)
    return oct_fail(why, OCT_ERR_PACKET, "a stream cache miss without its SCMT packet");
  oct_scmt scmt = *oct_scmt_front(scmts);
  oct_scmt_pop(scmts);
  s->scmt_taken++;
  uint32_t set = sc_set_of(s, scmt.sa, scmt.sl);
  if (s->cfg.sc_ways == 1 && set == 0) return give(s, run, scmt.sa, scmt.sl, NULL);
  index = set * s->cfg.sc_ways + sc_victim(s, set);
  e = &s->sc[index];
  e->sa = scmt.sa;
  e->sl = scmt.sl;
  e->epoch = s->epoch;
  e->note.map_version = 0;
  sc_use(s, index);
  return give(s, run, e->sa, e->sl, &e->note);
}

/* The tuple at hand enters the history. */
static void thb_put(oct_insn_side *s) {
  uint32_t n = s->cfg.ntuple_n;
  memcpy(s->thb + (size_t)s->thb_write * n, s->tuple, n * sizeof *s->thb);
  if (s->thb_filled < s->thb_write) s->thb_filled = s->thb_write;
  s->thb_write = s->thb_write == s->cfg.thb_depth ? 1 : s->thb_write + 1;
}

static void take_indices(oct_insn_side *s, oct_packet_queues *q, unsigned n) {
  oct_queue *indices = &q->of[OCT_QUEUE_INDICES];
  for (unsigned i = 0; i < n; i++) {
    s->tuple[i] = *oct_index_front(indices);
    oct_index_pop(indices);
  }
  s->tuple_n = n;
}

/* Carry out the next token. The tuple at hand is used up. */
static int take_token(oct_insn_side *s, oct_packet_queues *q, oct_diag *why) {
  oct_token *t = oct_token_front(&q->of[OCT_QUEUE_TOKENS]);
  uint32_t n = s->cfg.ntuple_n;
  s->tuple_pos = s->tuple_n = 0;
  s->tuple_scmt_seen = t->scmt_seen;
  switch ((oct_token_kind)t->kind) {
    case OCT_TOKEN_HIT:
      if (!t->value || t->value > s->thb_filled)
        return oct_fail(why, OCT_ERR_PACKET, "tuple %u is not in the history", t->value);
      memcpy(s->tuple, s->thb + (size_t)t->value * n, n * sizeof *s->thb);
      s->tuple_n = n;
      if (s->cfg.thb_update) thb_put(s);
      break;
    case OCT_TOKEN_TUPLE:
      take_indices(s, q, n);
      thb_put(s);
      break;
    case OCT_TOKEN_PART:
      take_indices(s, q, t->n);
      break;
    case OCT_TOKEN_INDEX:
      s->tuple[0] = (uint16_t)t->value;
      s->tuple_n = 1;
      break;
    case OCT_TOKEN_TASK:
      s->task = t->value;
      break;
    case OCT_TOKEN_TIME:
      s->time = *oct_time_front(&q->of[OCT_QUEUE_TIMES]);
      oct_time_pop(&q->of[OCT_QUEUE_TIMES]);
      break;
    case OCT_TOKEN_TRAP:
      s->trap = *oct_trap_front(&q->of[OCT_QUEUE_TRAPS]);
      oct_trap_pop(&q->of[OCT_QUEUE_TRAPS]);
      break;
  }
  if (--t->count == 0) oct_token_pop(&q->of[OCT_QUEUE_TOKENS]);
  return 0;
}

int oct_insn_side_next(oct_insn_side *s, oct_packet_queues *q, oct_stream_run *run, oct_diag *why) {
  while (s->tuple_pos == s->tuple_n) {
    if (oct_packet_queue_is_empty(q, OCT_QUEUE_TOKENS)) return 0;
    unsigned kind = oct_token_front(&q->of[OCT_QUEUE_TOKENS])->kind;
    int r = take_token(s, q, why);
    if (r) return r;
    if (kind != OCT_TOKEN_TRAP && kind != OCT_TOKEN_TIME) continue;
    *run = (oct_stream_run){.trap = kind == OCT_TOKEN_TRAP ? &s->trap : NULL, .time = s->time};
    return 1;
  }
  /* A stream waits for its delay. */
  oct_queue *delays = &q->of[OCT_QUEUE_DELAYS];
  if (s->cfg.timestamp == 2 && !oct_queue_count(delays)) return 0;
  int r = take_index(s, q, s->tuple[s->tuple_pos++], run, why);
  if (r == 1 && s->cfg.timestamp == 2) {
    run->delay = *oct_delay_front(delays);
    oct_delay_pop(delays);
  }
  return r;
}

void oct_insn_side_switch_tasks(oct_insn_side *s, oct_packet_queues *q) {
  oct_queue *tokens = &q->of[OCT_QUEUE_TOKENS];
  while (oct_queue_count(tokens) && oct_token_front(tokens)->kind == OCT_TOKEN_TASK) {
    s->task = oct_token_front(tokens)->value;
    oct_token_pop(tokens);
  }
}
