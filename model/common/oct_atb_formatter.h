/* SPDX-License-Identifier: Apache-2.0 */
/* oct_atb_formatter.h - frames of CoreSight for the beats of several trace sources, cycle by cycle:
 * the twin of rtl/common/oct_formatter.v, behind oct_funnel.h and around oct_formatter.h.
 *
 * Frames leave as words of 32 bits. A flush asks every source; when all have answered, the frame is
 * filled up. A source that stays has its number told again every repeat_frames frames. */
#ifndef OCT_ATB_FORMATTER_H
#define OCT_ATB_FORMATTER_H

#include "oct_formatter.h"
#include "oct_funnel.h"

typedef struct oct_atb_formatter {
  oct_funnel funnel;
  oct_formatter formatter;
  uint32_t repeat_frames;
  uint8_t out[OCT_FRAME_BYTES]; /* a whole frame, */
  uint32_t words;               /* and how many of its words have not been taken */
  bool flushed;                 /* all sources have answered this flush, */
  bool padded;                  /* and the frame has been filled up for it */
} oct_atb_formatter;

typedef struct oct_atb_formatter_out {
  uint32_t atready, afvalid; /* a bit for each source */
  bool flush_done, valid;
  uint32_t data;
} oct_atb_formatter_out;

void oct_atb_formatter_init(oct_atb_formatter *s, uint32_t n_sources, uint32_t hold,
                            uint32_t repeat_frames);
/* One cycle. flush: held until flush_done; ready: the word is taken. */
void oct_atb_formatter_cycle(oct_atb_formatter *s, const oct_atb_source *sources, bool flush,
                             bool ready, oct_atb_formatter_out *out);

#endif
