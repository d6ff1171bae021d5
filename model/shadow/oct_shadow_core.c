/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_core.c - beats through the core of the compressor, cycle by cycle.
 *
 * Items come to the queue, two a cycle, from the beat at the end of the core, where another one
 * may wait for it. The core moves if there is a place for one more then. The value cache may hold
 * the next beat back, as it frees words for the one before. */
#include "oct_shadow_core.h"

enum { ITEMS_PER_CYCLE = 2 };

/* Items at the end; whether the core moves. */
static bool arrive(oct_shadow_core *s, const oct_coder_log *log, const oct_core_in *in,
                   oct_core_out *out) {
  const bool waits = s->items_arrived != s->items_first;
  const uint64_t left = s->items_first - in->n_items_out;
  if (in->is_ready) out->n_items = left < ITEMS_PER_CYCLE ? (uint32_t)left : ITEMS_PER_CYCLE;
  const bool leaves = left == out->n_items;
  if (!leaves && waits) return false;
  if (leaves) s->items_first = s->items_arrived;
  uint64_t *last = &s->beats[s->beat_at];
  while (*last && s->items_arrived < log->n_items &&
         log->items[s->items_arrived & log->items_mask].beat == *last)
    s->items_arrived++;
  if (leaves && !waits) s->items_first = s->items_arrived;
  s->n_beats -= *last != 0;
  *last = 0;
  return true;
}

/* The core moves: the beat behind the decoder is read, unless the value cache still frees words;
 * whether the decoder takes another one. */
static bool read_decoded(oct_shadow_core *s) {
  const bool reads = !s->frees_left;
  s->beats[s->beat_at] = reads ? s->decoded : 0;
  s->beat_at = s->beat_at ? s->beat_at - 1 : OCT_CORE_CYCLES - 1;
  if (!reads) {
    s->frees_left--;
    return false;
  }
  s->frees_left = s->decoded_frees;
  s->decoded = s->decoded_frees = 0;
  return true;
}

void oct_shadow_core_cycle(oct_shadow_core *s, const oct_coder_log *log, const oct_core_in *in,
                           oct_core_out *out) {
  *out = (oct_core_out){.n_items = 0};
  out->takes = arrive(s, log, in, out) && read_decoded(s);
}

void oct_shadow_core_put(oct_shadow_core *s, uint64_t beat, uint32_t frees) {
  s->decoded = beat;
  s->decoded_frees = frees;
  s->n_beats++;
}
