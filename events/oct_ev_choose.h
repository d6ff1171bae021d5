/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_choose.h - which meta-events of a location become patterns, and which are taken apart.
 *
 * By the paper, each meta-event of maximal order becomes an occurrence of a pattern. One that costs
 * more records than its parts, or than plain events, is taken apart by its rule, and its parts are
 * looked at in the same way, unless params.keep_all. What parts cost is estimated from the smallest
 * meta-event up: as a pattern whose definitions are shared by all its uses, or taken apart itself.
 */
#ifndef OCT_EV_CHOOSE_H
#define OCT_EV_CHOOSE_H

#include "oct_ev_location.h"
#include "oct_ev_match.h"

typedef struct oct_ev_choice {
  oct_ev_match match;             /* the patterns, by local tokens */
  oct_ev_occurrence *occurrences; /* [0] is not used */
  size_t n_occurrences, occurrences_cap;
  uint32_t *at; /* by event: the occurrence that begins there, or 0 */
  size_t at_cap;
  uint32_t *first, *last, *count; /* by meta-event: its occurrences */
  uint32_t *own;                  /* by meta-event: it and those parts that occur nowhere else */
  double *best; /* by meta-event: estimated bytes of records of one occurrence, cut at best */
  size_t first_cap, last_cap, count_cap, own_cap, best_cap;
} oct_ev_choice;

/* OCT_ERR_NOMEM, OCT_ERR_LIMIT. */
int oct_ev_choose(oct_ev_choice *choice, const oct_ev_location *location,
                  const oct_ev_params *params);
void oct_ev_choice_free(oct_ev_choice *choice);

#endif
