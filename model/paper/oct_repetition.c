/* SPDX-License-Identifier: Apache-2.0 */
/* oct_repetition.c - data repetition FSM (Milenković 2007, section 2.2; oct_repetition.h).
 *
 * A complete pattern is compared with the one held. Equal, it raises the count until that is full;
 * else the held one is sent, as a pattern or as a repetition, and the new one is held. A mark sends
 * what is held and what is left of an incomplete pattern, each in its own item. */
#include "oct_repetition.h"

void oct_repetition_init(oct_repetition *s, const oct_config *cfg, oct_stats *stats) {
  memset(s, 0, sizeof *s);
  s->cfg = *cfg;
  s->stats = stats;
  s->max_count = cfg->rep_count_bits ? ((uint32_t)1 << cfg->rep_count_bits) + 1 : 1;
}

static unsigned emit_held(oct_repetition *s, oct_item *item) {
  if (!s->held_count) return 0;
  item->kind = s->held_count == 1 ? OCT_ITEM_PATTERN : OCT_ITEM_REPEAT;
  item->value = s->held;
  item->n = s->held_count;
  s->held_count = 0;
  return 1;
}

unsigned oct_repetition_take_pattern(oct_repetition *s, oct_item *items) {
  unsigned n = 0;
  if (s->held_count && s->held_count < s->max_count && s->bits == s->held) {
    s->held_count++;
  } else {
    n = emit_held(s, items);
    s->held = s->bits;
    s->held_count = 1;
    if (s->max_count == 1) n += emit_held(s, items + n);
  }
  s->bits = 0;
  s->bit_count = 0;
  return n;
}

unsigned oct_repetition_take_mark(oct_repetition *s, uint8_t mark, oct_item *items) {
  unsigned n = emit_held(s, items);
  if (s->bit_count) {
    items[n].kind = OCT_ITEM_PATTERN_PART;
    items[n].value = s->bits;
    items[n++].n = s->bit_count;
    s->bits = 0;
    s->bit_count = 0;
  }
  items[n].kind = OCT_ITEM_MARK;
  items[n++].mark = mark;
  return n;
}

const oct_item *oct_repetition_out(const oct_repetition *s) {
  return s->queue_count_q ? &s->queue_q[0] : NULL;
}

bool oct_repetition_eval(oct_repetition *s, const oct_repetition_in *in) {
  bool ready;
  s->queue_pop_d = s->queue_count_q && in->out_ready;
  s->queue_count_d = s->queue_count_q - s->queue_pop_d;
  ready = !s->queue_count_d;
  s->queue_load_d = in->valid && ready;
  if (s->queue_load_d) s->queue_count_d = oct_repetition_step(s, in->word, s->queue_d);
  return ready;
}

void oct_repetition_clock(oct_repetition *s) {
  if (s->queue_load_d)
    for (uint32_t i = 0; i < s->queue_count_d; i++) s->queue_q[i] = s->queue_d[i];
  else if (s->queue_pop_d)
    for (uint32_t i = 0; i < s->queue_count_d; i++) s->queue_q[i] = s->queue_q[i + 1];
  s->queue_count_q = s->queue_count_d;
}
