/* SPDX-License-Identifier: Apache-2.0 */
/* oct_atb_formatter.c - several trace sources into frames (oct_atb_formatter.h).
 *
 * In a cycle the word that was offered is taken, one source's beat goes into the frame, byte by
 * byte, and a frame that is whole is offered from the next cycle on. */
#include "oct_atb_formatter.h"

void oct_atb_formatter_init(oct_atb_formatter *s, uint32_t n_sources, uint32_t hold,
                            uint32_t repeat_frames) {
  memset(s, 0, sizeof *s);
  oct_funnel_init(&s->funnel, n_sources, hold);
  s->repeat_frames = repeat_frames;
}

static uint32_t word_of(const uint8_t *p) {
  return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

void oct_atb_formatter_cycle(oct_atb_formatter *s, const oct_atb_source *sources, bool flush,
                             bool ready, oct_atb_formatter_out *out) {
  bool room = !s->words || (s->words == 1 && ready), takes = room && !s->flushed;
  bool pads = room && s->flushed, has_frame = false;
  uint8_t frame[OCT_FRAME_BYTES];
  oct_funnel_out from;
  oct_funnel_cycle(&s->funnel, sources, takes, flush && !s->flushed && !s->padded, &from);
  *out = (oct_atb_formatter_out){.valid = s->words > 0,
                                 .flush_done = s->padded && !s->words,
                                 .atready = from.atready,
                                 .afvalid = from.afvalid};
  if (s->words) out->data = word_of(s->out + 4 * (4 - s->words));
  if (s->words && ready) s->words--;
  if (takes && from.bus.atvalid && s->formatter.quiet_frames >= s->repeat_frames)
    has_frame = oct_formatter_tell(&s->formatter, from.bus.atid, frame);
  for (uint32_t k = 0; takes && from.bus.atvalid && k <= from.bus.atbytes; k++)
    if (oct_formatter_put(&s->formatter, from.bus.atid, (uint8_t)(from.bus.atdata >> 8 * k), frame))
      has_frame = true;
  if (pads) has_frame = oct_formatter_flush(&s->formatter, frame);
  if (has_frame) {
    memcpy(s->out, frame, sizeof frame);
    s->words = 4;
  }
  s->flushed = (s->flushed || from.bus.afready) && !pads;
  s->padded = (s->padded || pads) && !out->flush_done;
}
