/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_survey.h - what the patterns of an event file say about the program.
 *
 * Threads: A survey is for one thread at a time, different ones may be used by different threads.
 */
#ifndef OCT_EV_SURVEY_H
#define OCT_EV_SURVEY_H

#include "oct_ev_reader.h"
#include "octrace/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A sequence of calls that occurs as patterns; those of all segments and threads together. */
typedef struct oct_ev_group {
  uint32_t *ops; /* order events as function * 2 + leave */
  uint32_t order;
  uint32_t n_patterns;  /* of different time behaviour, over all segments */
  uint32_t n_locations; /* in which it occurs */
  uint64_t occurrences, disturbed, corrections;
  uint64_t covered_ticks, min_ticks, max_ticks, first_ticks;
  double mean_ticks, deviation_ticks;          /* of its duration */
  uint64_t median_ticks, p90_ticks, p99_ticks; /* half, 90 %, 99 % last no longer; exact to 1/64 */
  uint32_t worst;                              /* time difference that is corrected most often, */
  uint64_t worst_count;                        /* and how often */
} oct_ev_group;

/* A stretch of one location in which occurrences of a group follow one another. */
typedef struct oct_ev_stretch {
  uint64_t from, to;
  uint32_t location, group; /* group: index of oct_ev_survey.groups */
  uint32_t occurrences, disturbed;
} oct_ev_stretch;

typedef struct oct_ev_survey {
  oct_ev_group *groups; /* by time covered, most first */
  size_t n_groups;
  oct_ev_stretch *stretches; /* by location, then time */
  size_t n_stretches;
  uint64_t from, to, covered_ticks, plain_events; /* covered: sum over locations */
} oct_ev_survey;

/* Look at all patterns. n_stretches: about how many stretches to make of a location at most; 0 =
 * none. OCT_ERR_NOMEM and those of reading. */
int oct_ev_survey_make(oct_ev_reader *r, size_t n_stretches, oct_ev_survey *s, oct_diag *diag);
void oct_ev_survey_free(oct_ev_survey *s);

/* The call tree of a group as lines of text, with equal neighbours put together; no more than so
 * many lines and levels. To be freed; NULL: out of memory. */
char *oct_ev_group_tree(const oct_ev_group *g, const oct_ev_defs *defs, unsigned lines,
                        unsigned levels);
/* A page that draws the stretches, without anything from the network; made: how it was made, for
 * its foot. OCT_ERR_IO, OCT_ERR_NOMEM. */
int oct_ev_survey_html(const oct_ev_survey *s, const oct_ev_reader *r, const char *title,
                       const char *made, const char *path, oct_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
