/* SPDX-License-Identifier: Apache-2.0 */
/* oct_atb_formatter.h - frames of CoreSight for the beats of several trace sources, cycle by cycle:
 * the twin of rtl/common/oct_formatter.v, around oct_formatter.h.
 *
 * The source that has the bus keeps it for `hold` beats while it has some and others wait; then the
 * next one in turn takes it. Frames leave as words of 32 bits. A flush asks every source; when all
 * have answered, the frame is filled up. */
#ifndef OCT_ATB_FORMATTER_H
#define OCT_ATB_FORMATTER_H

#include "oct_formatter.h"

enum { OCT_ATB_SOURCES_MAX = 8 };

typedef struct oct_atb_formatter {
  uint32_t n, hold;
  oct_formatter formatter;
  uint8_t out[OCT_FRAME_BYTES]; /* a whole frame, */
  uint32_t words;               /* and how many of its words have not been taken */
  uint32_t owner, held;
  uint32_t flushed; /* bits: sources that have answered this flush */
  bool padded;
} oct_atb_formatter;

typedef struct oct_atb_source {
  bool atvalid, afready;
  uint8_t atbytes, atid; /* bytes less one */
  uint32_t atdata;
} oct_atb_source;

typedef struct oct_atb_formatter_out {
  uint32_t atready, afvalid; /* a bit for each source */
  bool flush_done, valid;
  uint32_t data;
} oct_atb_formatter_out;

void oct_atb_formatter_init(oct_atb_formatter *s, uint32_t n_sources, uint32_t hold);
/* One cycle. flush: held until flush_done; ready: the word is taken. */
void oct_atb_formatter_cycle(oct_atb_formatter *s, const oct_atb_source *sources, bool flush,
                             bool ready, oct_atb_formatter_out *out);

#endif
