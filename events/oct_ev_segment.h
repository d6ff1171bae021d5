/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_segment.h - the name spaces of all locations merged into that of a segment.
 *
 * Local tokens of meta-events and patterns are translated to global ones (Knüpfer 2003,
 * section 4.2). Meta-events that do not pay for their definitions over all locations become plain
 * events, so that a segment is never larger, in records, than its events. */
#ifndef OCT_EV_SEGMENT_H
#define OCT_EV_SEGMENT_H

#include "oct_ev_choose.h"

typedef struct oct_ev_merged {
  uint32_t meta, order;
  uint32_t t_rel_ppm;
  uint32_t number;
  uint64_t t_abs_ticks;
  uint64_t count, disturbed, corrections;
  const uint64_t *vector;
} oct_ev_merged;

typedef struct oct_ev_segment {
  oct_ev_metas metas;      /* global tokens */
  uint32_t *meta_number;   /* by global token: number in the file, OCT_EV_NONE = not in it */
  uint32_t *meta_order;    /* by number: global token */
  uint32_t n_metas;        /* that are in the file */
  oct_ev_merged *patterns; /* as merged; of those kept, number is that in the file */
  size_t n_patterns, patterns_cap;
  uint32_t *pattern_order; /* by number: place in patterns */
  uint32_t n_kept;
  uint32_t **translation; /* by location: from local pattern to place in patterns */
  size_t n_locations;
  uint32_t *slots; /* hash of patterns */
  size_t n_slots;
} oct_ev_segment;

/* Merge what was chosen in n locations. To be freed in every case. OCT_ERR_NOMEM, OCT_ERR_LIMIT. */
int oct_ev_segment_merge(oct_ev_segment *s, const oct_ev_location *const *locations,
                         const oct_ev_choice *choices, size_t n, const oct_ev_params *params);
/* The number in the file of a location's local pattern, or OCT_EV_NONE when its events are plain.
 */
static inline uint32_t oct_ev_segment_pattern(const oct_ev_segment *s, size_t location,
                                              uint32_t pattern) {
  return s->patterns[s->translation[location][pattern]].number;
}
/* Make all patterns plain events. */
void oct_ev_segment_drop(oct_ev_segment *s);
void oct_ev_segment_free(oct_ev_segment *s);

#endif
