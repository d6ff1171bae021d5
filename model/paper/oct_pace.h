/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pace.h - cycles of streams (timestamp = 2, docs/port-format.md, section 5): how late each
 * stream begins, against a core that retires an instruction in each cycle.
 *
 * After a stamp, which tells the cycle of an instruction, each instruction taken moves the expected
 * cycle on by one. A stream that begins in another cycle tells the difference, its delay. One that
 * is too large makes a stamp due; where that cannot stand, the delay is unknown until the next. */
#ifndef OCT_PACE_H
#define OCT_PACE_H

#include "oct_packets.h"
#include "oct_types.h"

typedef struct oct_pace {
  bool is_on, is_known; /* is_known: a decoder knows the expected cycle */
  uint64_t expected;    /* of the next instruction */
} oct_pace;

static inline bool oct_pace_is_far(const oct_pace *s, uint64_t cycle) {
  int64_t lag = (int64_t)(cycle - s->expected);
  return lag > OCT_DELAY_MAX || lag < -OCT_DELAY_MAX;
}

/* Whether an instruction of this cycle needs a stamp of its own. */
static inline bool oct_pace_needs_stamp(const oct_pace *s, uint64_t cycle) {
  return s->is_on && s->is_known && oct_pace_is_far(s, cycle);
}

/* Take an instruction behind its mark; opens: a stream begins with it, whose delay is returned.
 * *is_lost: a stamp is due. */
static inline int16_t oct_pace_take(oct_pace *s, bool opens, uint8_t mark, bool has_cycle,
                                    uint64_t cycle, bool *is_lost) {
  int64_t delay = 0;
  if (!s->is_on) return 0;
  if (mark == OCT_MARK_SYNC) s->is_known = false;
  if (mark == OCT_MARK_TIME) {
    s->is_known = true;
  } else if (opens && s->is_known) {
    bool is_far = !has_cycle || oct_pace_is_far(s, cycle);
    delay = is_far ? OCT_DELAY_UNKNOWN : (int64_t)(cycle - s->expected);
    s->is_known = !is_far;
    *is_lost = *is_lost || is_far;
  }
  s->expected = (opens && has_cycle ? cycle : s->expected) + 1;
  return (int16_t)delay;
}

#endif
