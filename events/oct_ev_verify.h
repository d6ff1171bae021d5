/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_verify.h - compares a compressed event file with its original.
 *
 * Threads: The function may be called by several threads, on sources of their own. */
#ifndef OCT_EV_VERIFY_H
#define OCT_EV_VERIFY_H

#include "oct_ev_reader.h"
#include "oct_ev_source.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct oct_ev_verdict {
  int equal; /* exactly, or within the thresholds of a lossy file */
  uint64_t events, others;
  uint64_t max_off_ticks;  /* lossy: most that a time stamp of an event is off */
  uint64_t max_diff_ticks; /* lossy: most that a time difference is off */
  char difference[240];    /* where they first differ */
} oct_ev_verdict;

/* Compare every location's records in order. A lossy file is equal when kinds and functions are the
 * same, first times are exact, and each time difference d of neighbouring events of a location,
 * decoded as d', has |d - d'| <= Tabs or |d - d'| <= Trel d'. Returns 0 with *v, or what failed in
 * reading either. */
int oct_ev_verify(oct_ev_reader *r, oct_ev_source *original, oct_ev_verdict *v, oct_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
