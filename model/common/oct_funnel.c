/* SPDX-License-Identifier: Apache-2.0 */
/* oct_funnel.c - several trace sources onto one bus (oct_funnel.h). */
#include "oct_funnel.h"

#include <string.h>

void oct_funnel_init(oct_funnel *s, uint32_t n_sources, uint32_t hold) {
  memset(s, 0, sizeof *s);
  s->n = n_sources;
  s->hold = hold;
}

/* Who sends, of the sources in `may`: n when none does. */
static uint32_t choose(const oct_funnel *s, uint32_t may) {
  if (s->stalled) return s->owner;
  uint32_t next = s->n;
  for (uint32_t i = 1; i < s->n && next == s->n; i++)
    if (may >> (s->owner + i) % s->n & 1) next = (s->owner + i) % s->n;
  bool keeps = (may >> s->owner & 1) && (s->held < s->hold || next == s->n);
  return keeps ? s->owner : next;
}

void oct_funnel_cycle(oct_funnel *s, const oct_atb_source *sources, bool ready, bool flush,
                      oct_funnel_out *out) {
  uint32_t all = (1u << s->n) - 1, beats = 0, answers = 0;
  memset(out, 0, sizeof *out);
  for (uint32_t k = 0; k < s->n; k++) {
    beats |= (uint32_t)sources[k].atvalid << k;
    answers |= (uint32_t)sources[k].afready << k;
  }
  uint32_t i = choose(s, beats & ~(flush ? s->flushed : 0));
  if (flush) out->afvalid = all & ~s->flushed;
  answers = s->flushed | (answers & out->afvalid);
  if (i < s->n) {
    out->bus = sources[i];
    if (ready) out->atready = 1u << i;
    if (i != s->owner) s->held = 0;
    s->owner = i;
    s->held += ready && s->held < 255;
  }
  s->stalled = i < s->n && !ready;
  out->bus.afready = flush && answers == all && i == s->n;
  s->flushed = flush && !out->bus.afready ? answers : 0;
}
