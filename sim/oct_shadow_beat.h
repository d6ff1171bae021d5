// SPDX-License-Identifier: Apache-2.0
// oct_shadow_beat.h - the beats that oct_shadow_gather gives to oct_shadow_core
// (docs/shadow-rtl.md).
#ifndef OCT_SHADOW_BEAT_H
#define OCT_SHADOW_BEAT_H

#include <cstdint>

struct Beat {
  unsigned kind = 0, n = 0, at = 0, after = 0, mark = 0;
  uint64_t pc = 0, word = 0, addr = 0, next = 0, start_pc = 0;
  uint32_t task = 0;
  bool is_known = true;
};
enum { STEP, START, MARK, STEP_SYNC };
enum { NEXT, TASK, END };
enum { SYNC, FLUSH, OVERFLOW, OVERFLOW_CUT };

#endif
