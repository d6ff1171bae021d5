/* SPDX-License-Identifier: Apache-2.0 */
/* oct_atb_formatter.c - several trace sources into frames (oct_atb_formatter.h).
 *
 * In a cycle the word that was offered is taken, one source's beat goes into the frame, byte by
 * byte, and a frame that is whole is offered from the next cycle on. */
#include "oct_atb_formatter.h"

void oct_atb_formatter_init(oct_atb_formatter *s, uint32_t n_sources, uint32_t hold) {
  memset(s, 0, sizeof *s);
  s->n = n_sources;
  s->hold = hold;
}

/* Who sends, of the sources that have a beat: n when none has. */
static uint32_t choose(const oct_atb_formatter *s, const oct_atb_source *sources, bool *keeps) {
  uint32_t next = s->n;
  for (uint32_t i = 1; i < s->n && next == s->n; i++)
    if (sources[(s->owner + i) % s->n].atvalid) next = (s->owner + i) % s->n;
  *keeps = sources[s->owner].atvalid && (s->held < s->hold || next == s->n);
  return *keeps ? s->owner : next;
}

static uint32_t word_of(const uint8_t *p) {
  return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

void oct_atb_formatter_cycle(oct_atb_formatter *s, const oct_atb_source *sources, bool flush,
                             bool ready, oct_atb_formatter_out *out) {
  bool room = !s->words || (s->words == 1 && ready), has_frame = false, keeps;
  uint8_t frame[OCT_FRAME_BYTES];
  uint32_t all = (1u << s->n) - 1, answers = 0, i = choose(s, sources, &keeps);
  bool is_idle = i == s->n;
  *out = (oct_atb_formatter_out){.valid = s->words > 0,
                                 .flush_done = s->padded && !s->words,
                                 .afvalid = flush ? all & ~s->flushed : 0};
  if (s->words) out->data = word_of(s->out + 4 * (4 - s->words));
  for (uint32_t k = 0; k < s->n; k++) answers |= (uint32_t)sources[k].afready << k;
  if (s->words && ready) s->words--;
  if (room && !is_idle) {
    out->atready = 1u << i;
    for (uint32_t k = 0; k <= sources[i].atbytes; k++)
      if (oct_formatter_put(&s->formatter, sources[i].atid, (uint8_t)(sources[i].atdata >> 8 * k),
                            frame)) {
        memcpy(s->out, frame, sizeof frame);
        has_frame = true;
      }
    s->held = keeps ? s->held + (s->held < 255) : 1;
    s->owner = i;
  } else if (room && flush && (s->flushed | answers) == all && !s->padded) {
    has_frame = oct_formatter_flush(&s->formatter, frame);
    if (has_frame) memcpy(s->out, frame, sizeof frame);
    s->padded = true;
  }
  if (has_frame) s->words = 4;
  s->flushed = flush && !out->flush_done ? s->flushed | (answers & out->afvalid) : 0;
  if (out->flush_done) s->padded = false;
}
