/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_tail.c - from the queue to the trace bus, cycle by cycle: from the bus back to the
 * queue, so that each stage sees in a cycle what the next one does in it. */
#include "oct_shadow_tail.h"

#include <string.h>

void oct_shadow_tail_init(oct_shadow_tail *s, uint32_t out_fifo_bytes) {
  memset(s, 0, sizeof *s);
  s->out_words = out_fifo_bytes / OCT_BEAT_BYTES;
  s->is_ended = true; /* the first mark ends no period */
}

/* ---- Framer and output buffer ---- */

/* Bytes behind those that do not fill a word yet: at most one word more. */
static uint32_t pack(oct_shadow_tail *s, uint32_t n_bytes) {
  s->since_sync_bytes += n_bytes;
  s->n_held += n_bytes;
  if (s->n_held < OCT_BEAT_BYTES) return 0;
  s->n_held -= OCT_BEAT_BYTES;
  return 1;
}

/* A byte of the mark; true with its last one. */
static bool frame_mark(oct_shadow_tail *s, const oct_tail_in *in, uint32_t *pushed) {
  *pushed = pack(s, 1);
  if (++s->mark_at < in->mark_bytes) return false;
  s->mark_at = 0;
  s->is_ended = false;
  if (in->mark == OCT_FRAME_SYNC) s->since_sync_bytes = 0;
  if (in->mark == OCT_FRAME_FLUSH) s->flush = OCT_TAIL_PACK;
  return true;
}

/* One cycle of the framer; whether it takes what the coder offers. */
static bool cycle_framer(oct_shadow_tail *s, const oct_tail_in *in, oct_tail_out *out,
                         uint32_t *pushed) {
  bool is_full = s->n_words == s->out_words;
  *pushed = 0;
  switch (s->flush) {
    case OCT_TAIL_DRAIN:
      return false;
    case OCT_TAIL_PACK:
      if (s->n_held && is_full) return false;
      *pushed = s->n_held != 0;
      s->last_bytes = s->n_held ? s->n_held : OCT_BEAT_BYTES;
      s->n_held = 0;
      s->flush = OCT_TAIL_DRAIN;
      return false;
    default:
      break;
  }
  if (is_full) return false;
  if (s->is_ended) {
    out->mark_done = in->has_mark && frame_mark(s, in, pushed);
    return false;
  }
  if (s->has_coded) {
    *pushed = pack(s, s->coded_bytes);
    s->is_ended = s->coded_end;
  }
  return true;
}

/* The bus takes a beat; what the framer pushed is in the buffer with the next cycle. */
static void cycle_bus(oct_shadow_tail *s, const oct_tail_in *in, oct_tail_out *out,
                      bool was_draining, uint32_t pushed) {
  out->atvalid = s->atvalid_q;
  out->flush_out = s->flush_out_q;
  out->flush_done = s->flush_out_q && in->atclken;
  out->atbytes = was_draining && s->n_words == 1 ? s->last_bytes : OCT_BEAT_BYTES;
  s->n_words += pushed;
  if (out->atvalid && in->atready && in->atclken) s->n_words--;
  if (out->flush_done) s->flush = OCT_TAIL_NO_FLUSH;
  if (!in->atclken) return;
  s->atvalid_q = s->n_words != 0;
  s->flush_out_q = s->flush == OCT_TAIL_DRAIN && !s->n_words;
}

/* ---- Coder, symbol, unroll ---- */

static void offer(oct_shadow_tail *s, uint32_t n_bytes, bool is_end) {
  s->has_coded = n_bytes || is_end;
  s->coded_bytes = (uint8_t)n_bytes;
  s->coded_end = is_end;
}

/* The last stage of the coder, when its output is free; whether the stages before it move. */
static bool cycle_bytes(oct_shadow_tail *s) {
  if (s->closes) {
    offer(s, s->end_steps[1], true);
    s->closes = false;
    return false;
  }
  if (s->fills) {
    offer(s, s->end_steps[0], false);
    s->fills = false;
    s->closes = true;
    return false;
  }
  uint32_t *last = &s->coder[s->coder_at], symbol = *last;
  *last = 0;
  s->n_under_way -= symbol != 0;
  offer(s, symbol & OCT_LOG_BYTES, false);
  if (symbol & OCT_LOG_END) {
    s->fills = true;
    s->end_steps[0] = symbol >> OCT_LOG_STEP_BITS & OCT_LOG_BYTES;
    s->end_steps[1] = symbol >> (2 * OCT_LOG_STEP_BITS) & OCT_LOG_BYTES;
  }
  return true;
}

/* The ring moves on: its last stage, which is empty, becomes its first. */
static uint32_t *enter(uint32_t *ring, uint32_t n, uint32_t *at) {
  uint32_t *first = &ring[*at];
  *at = *at ? *at - 1 : n - 1;
  return first;
}

/* The next symbol of the queue; 0: there is none. */
static uint32_t unroll(oct_shadow_tail *s, const oct_coder_log *log) {
  if (s->item_head == s->n_items_in) return 0;
  const oct_coder_item_log *item = &log->items[s->item_head & log->items_mask];
  if (!s->cycles_left) s->cycles_left = item->n_symbols ? item->n_symbols : 1;
  if (!--s->cycles_left) {
    s->queue_words -= item->n_words;
    s->item_head++;
  }
  if (!item->n_symbols) return 0;
  s->n_under_way++;
  uint32_t symbol = log->symbols[s->symbol_head++ & log->symbols_mask];
  if (!(symbol & OCT_LOG_END)) {
    s->n_traps_out += (symbol & OCT_LOG_TRAP) != 0;
    s->n_stamps_out += (symbol & OCT_LOG_STAMP) != 0;
  }
  return symbol | OCT_TAIL_VALID;
}

static void cycle_symbols(oct_shadow_tail *s, const oct_coder_log *log, bool coder_moves) {
  uint32_t *last = &s->symbols[s->symbol_at];
  if (coder_moves) {
    *enter(s->coder, OCT_CODER_CYCLES, &s->coder_at) = *last;
    *last = 0;
  }
  bool moves = !*last;
  if (moves) *enter(s->symbols, OCT_SYMBOL_CYCLES, &s->symbol_at) = s->unrolled;
  if (moves || !s->unrolled) s->unrolled = unroll(s, log);
}

/* No cycle changes anything until an item or a mark comes. */
static bool rests(const oct_shadow_tail *s, const oct_tail_in *in) {
  return oct_shadow_tail_is_empty(s) && s->item_head == s->n_items_in && !s->n_words &&
         !s->atvalid_q && s->flush == OCT_TAIL_NO_FLUSH && !s->flush_out_q &&
         !(s->is_ended && in->has_mark);
}

void oct_shadow_tail_cycle(oct_shadow_tail *s, const oct_coder_log *log, const oct_tail_in *in,
                           oct_tail_out *out) {
  *out = (oct_tail_out){.atvalid = false};
  if (rests(s, in)) return;
  bool was_draining = s->flush == OCT_TAIL_DRAIN, coder_moves = false;
  uint32_t pushed;
  bool framer_takes = cycle_framer(s, in, out, &pushed);
  cycle_bus(s, in, out, was_draining, pushed);
  if (framer_takes || !s->has_coded) coder_moves = cycle_bytes(s);
  cycle_symbols(s, log, coder_moves);
}

void oct_shadow_tail_put(oct_shadow_tail *s, const oct_coder_log *log) {
  s->queue_words += log->items[s->n_items_in++ & log->items_mask].n_words;
}
