/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_match.h - event-patterns: meta-events with a representative vector of time differences,
 * and the search for the one that fits best (Knüpfer 2003, sections 3 and 4.1).
 *
 * Patterns of one meta-event are found at a time: oct_ev_match_begin, oct_ev_match_add for each of
 * its occurrences, oct_ev_match_refit, then oct_ev_match_keep or oct_ev_match_drop. */
#ifndef OCT_EV_MATCH_H
#define OCT_EV_MATCH_H

#include "oct_ev_bytes.h"
#include "oct_ev_types.h"

/* Patterns of a meta-event that are looked at; of more, those used last. */
enum { OCT_EV_LIVE_MAX = 64, OCT_EV_LIVE_DISTURBED = 8 };

typedef struct oct_ev_pattern {
  uint32_t meta, order;
  uint32_t count, disturbed, corrections;
  uint32_t as_found;    /* 1: the vector is the first member's, not the mean */
  uint64_t sum;         /* of the vector: its duration */
  uint64_t t_abs_ticks; /* most deviation of those similar by Tabs; of the others, by Trel: */
  uint32_t t_rel_ppm;
  size_t vector; /* offset of order - 1 time differences in oct_ev_match.vectors */
} oct_ev_pattern;

/* An occurrence of a meta-event. */
typedef struct oct_ev_occurrence {
  uint32_t event; /* its first */
  uint32_t next;  /* the next of the same meta-event, 0 = none */
  uint32_t pattern;
  uint32_t corrections; /* 0, or offset in corrections: their number, then their indices */
} oct_ev_occurrence;

typedef struct oct_ev_match {
  const oct_ev_params *params;
  const uint64_t *times;
  oct_ev_pattern *patterns;
  size_t n_patterns, patterns_cap;
  uint64_t *vectors, *sums; /* representatives; sums over members, in the same places */
  size_t n_vectors, vectors_cap, sums_cap;
  uint32_t *corrections; /* [0] is not used */
  size_t n_corrections, corrections_cap;
  /* the meta-event under way */
  uint32_t meta, order;
  size_t first_pattern, first_vector, first_correction;
  uint32_t live[OCT_EV_LIVE_MAX], n_live;
  uint64_t *actual; /* time differences of the occurrence looked at */
  size_t actual_cap;
  uint64_t *spare;
  size_t spare_cap;
} oct_ev_match;

/* Whether a time difference is within the thresholds of a decoded one. */
static inline int oct_ev_within_rel(uint64_t off, uint64_t decoded, uint32_t t_rel_ppm) {
  return (double)off * 1e6 <= (double)decoded * t_rel_ppm;
}
static inline uint64_t oct_ev_apart(uint64_t a, uint64_t b) {
  return a > b ? a - b : b - a;
}

/* Start anew with the times of a location. */
void oct_ev_match_reset(oct_ev_match *match, const oct_ev_params *params, const uint64_t *times);
/* OCT_ERR_NOMEM. */
int oct_ev_match_begin(oct_ev_match *match, uint32_t meta, uint32_t order);
/* Sets pattern and corrections of it. OCT_ERR_NOMEM. */
int oct_ev_match_add(oct_ev_match *match, oct_ev_occurrence *occurrence);
/* Correct representatives that were disturbed themselves. list: the occurrences added, linked from
 * first on in occurrences. OCT_ERR_NOMEM. */
int oct_ev_match_refit(oct_ev_match *match, oct_ev_occurrence *occurrences, uint32_t first);
/* Settle the representatives as the mean of their members where all stay similar to it. */
void oct_ev_match_keep(oct_ev_match *match, const oct_ev_occurrence *occurrences, uint32_t first);
/* Forget the patterns since oct_ev_match_begin. */
void oct_ev_match_drop(oct_ev_match *match);
void oct_ev_match_free(oct_ev_match *match);

#endif
