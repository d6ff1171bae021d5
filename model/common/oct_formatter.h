/* SPDX-License-Identifier: Apache-2.0 */
/* oct_formatter.h - the frames in which CoreSight sends the bytes of several sources.
 *
 * oct_unframe.h tells what a frame has. Source: Arm CoreSight Architecture Specification, formatter
 * protocol (docs/references.md).
 *
 * A change of source at an odd place takes the place of the byte before it, which moves behind. A
 * formatter may tell the number of the same source again: a buffer that has wrapped round, and
 * holds the end alone, is read from such a number on. That is the caller's choice
 * (oct_formatter_tell). */
#ifndef OCT_FORMATTER_H
#define OCT_FORMATTER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "oct_unframe.h"

typedef struct oct_formatter {
  uint8_t frame[OCT_FRAME_BYTES];
  uint8_t at;           /* the next place, 0..14 */
  uint8_t id;           /* the source under way, 0 = none */
  uint8_t quiet_frames; /* that have ended since a number was told, at most 255 */
} oct_formatter;

/* A place has been filled. True, and *out, when that was the last of its frame. */
static inline bool oct_formatter_step(oct_formatter *s, uint8_t *out) {
  if (++s->at < OCT_FRAME_BYTES - 1) return false;
  memcpy(out, s->frame, OCT_FRAME_BYTES);
  memset(s->frame, 0, OCT_FRAME_BYTES);
  s->at = 0;
  if (s->quiet_frames < UINT8_MAX) s->quiet_frames++;
  return true;
}

/* Make id the source under way, or tell again that it is. True, and *out, when that completes a
 * frame. */
static inline bool oct_formatter_tell(oct_formatter *s, uint8_t id, uint8_t *out) {
  uint8_t bit = (uint8_t)(1u << s->at / 2);
  s->id = id;
  s->quiet_frames = 0;
  if (!(s->at & 1)) {
    s->frame[s->at] = (uint8_t)(id << 1 | 1);
    return oct_formatter_step(s, out);
  }
  s->frame[s->at] = (uint8_t)(s->frame[s->at - 1] | (s->frame[15] & bit ? 1 : 0));
  s->frame[s->at - 1] = (uint8_t)(id << 1 | 1);
  s->frame[15] |= bit;
  return oct_formatter_step(s, out);
}

/* A byte of source id (1..0x6f). Frames that it completes, one at most, into *out: whether there is
 * one. */
static inline bool oct_formatter_put(oct_formatter *s, uint8_t id, uint8_t byte, uint8_t *out) {
  bool has_frame = s->id != id && oct_formatter_tell(s, id, out);
  if (s->at & 1) {
    s->frame[s->at] = byte;
  } else {
    s->frame[s->at] = byte & 0xfe;
    s->frame[15] |= (uint8_t)((byte & 1u) << s->at / 2);
  }
  return oct_formatter_step(s, out) || has_frame;
}

/* Fill up the frame, so that all that was put has left; the next byte says its source again.
 * Whether there is a frame in *out. */
static inline bool oct_formatter_flush(oct_formatter *s, uint8_t *out) {
  if (!s->at) {
    s->id = 0;
    return false;
  }
  if (s->id && oct_formatter_tell(s, 0, out)) return true;
  s->at = OCT_FRAME_BYTES - 2;
  return oct_formatter_step(s, out);
}

#endif
