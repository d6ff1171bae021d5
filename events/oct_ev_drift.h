/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_drift.h - lossy mode: how far decoded times run away from the true ones.
 *
 * An occurrence is decoded with its pattern's time differences, so all times behind it are off by
 * the sum of the errors, the drift (decoded - true, modulo 2^64). The gap before the next item
 * takes up as much of it as the thresholds allow, so that each time difference stays within them.
 * An occurrence that would carry the drift past its bound becomes plain events, which add none. */
#ifndef OCT_EV_DRIFT_H
#define OCT_EV_DRIFT_H

#include "oct_ev_segment.h"

/* The time difference decoded for a true gap between two items. */
uint64_t oct_ev_drift_gap(const oct_ev_params *params, uint64_t drift, uint64_t gap);
/* Make plain the occurrences of location number at that the bound refuses, and take them out of the
 * segment's counts. */
void oct_ev_drift_settle(oct_ev_segment *s, size_t at, const oct_ev_location *l,
                         oct_ev_choice *choice, const oct_ev_params *params);

#endif
