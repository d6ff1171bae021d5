/* SPDX-License-Identifier: Apache-2.0 */
/* oct_windows.h - counts over time: what a run counted in each window of instructions. The windows
 * double in length as the trace turns out to be longer, so that there are never more than
 * OCT_WINDOWS_MAX.
 *
 * Threads: Windows are for one thread at a time, different ones may be used by different threads.
 */
#ifndef OCT_WINDOWS_H
#define OCT_WINDOWS_H

#include <stddef.h>

#include "octrace/tracer.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { OCT_WINDOWS_MAX = 256, OCT_WINDOW_FIRST_INSNS = 1024, OCT_WINDOW_COUNTERS_MAX = 32 };

typedef struct oct_windows {
  const oct_tracer *tracer;
  unsigned counter[OCT_WINDOW_COUNTERS_MAX]; /* numbers of the tracer's counters of port bits, */
  unsigned n_counters;                       /* as many as there is room for */
  uint64_t window_insns;
  size_t n; /* the last may be shorter */
  struct {
    uint64_t insns, bits[OCT_WINDOW_COUNTERS_MAX];
  } window[OCT_WINDOWS_MAX];
  uint64_t last_insns, last_bits[OCT_WINDOW_COUNTERS_MAX];
} oct_windows;

void oct_windows_init(oct_windows *w, const oct_tracer *t);
/* How many instructions may be put before the next call of oct_windows_take; at least 1. */
uint64_t oct_windows_room(const oct_windows *w);
/* Take in what was counted since the last call. */
void oct_windows_take(oct_windows *w, const uint64_t *counters);

#ifdef __cplusplus
}
#endif
#endif
