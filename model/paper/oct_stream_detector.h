/* SPDX-License-Identifier: Apache-2.0 */
/* oct_stream_detector.h - cuts retired instructions into streams (Milenković 2007, Figure 4).
 *
 * A stream ends when the next instruction is not at the previous one plus its size, when it has the
 * maximum length, or at a mark. Latency: none; the closed stream is offered in the cycle of the
 * instruction that closes it. No back-pressure: the ingress is told by `closes` whether an
 * instruction would push a word, and gives it only when there is room. */
#ifndef OCT_STREAM_DETECTOR_H
#define OCT_STREAM_DETECTOR_H

#include "oct_types.h"

typedef struct oct_stream_detector {
  uint64_t sa, next_pc; /* PPC + size(PPC) */
  uint32_t sl;          /* 0 = no stream is open */
  uint32_t max_sl;
  int16_t delay, next_delay; /* of the open stream; of one that begins next: the caller tells */
} oct_stream_detector;

static inline void oct_stream_detector_init(oct_stream_detector *s, const oct_config *cfg) {
  memset(s, 0, sizeof *s);
  s->max_sl = (uint32_t)1 << cfg->sl_bits;
}

/* Would this instruction close the stream that is open? */
static inline bool oct_stream_detector_closes(const oct_stream_detector *s, uint64_t pc) {
  return s->sl && (pc != s->next_pc || s->sl == s->max_sl);
}

/* Would it begin one, behind this mark? */
static inline bool oct_stream_detector_opens(const oct_stream_detector *s, uint64_t pc,
                                             uint8_t mark) {
  return mark || !s->sl || oct_stream_detector_closes(s, pc);
}

/* Take a mark (before the instruction) and an instruction; true when *word is to be pushed. */
static inline bool oct_stream_detector_step(oct_stream_detector *s, bool insn_valid, uint64_t pc,
                                            uint32_t size_bytes, uint8_t mark, uint32_t task,
                                            oct_stream_word *word) {
  bool push = mark || (insn_valid && oct_stream_detector_closes(s, pc));
  if (push) {
    word->sa = s->sa;
    word->sl = s->sl;
    word->mark = mark;
    word->task = task;
    word->delay = s->delay;
    s->sl = 0;
  }
  if (insn_valid) {
    if (!s->sl) {
      s->sa = pc;
      s->delay = s->next_delay;
    }
    s->sl++;
    s->next_pc = pc + size_bytes;
  }
  return push;
}

#endif
