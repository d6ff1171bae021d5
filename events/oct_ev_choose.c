/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_choose.c - which meta-events of a location become patterns, and which are taken apart.
 *
 * From the smallest meta-event up, what an occurrence costs when it is taken apart is estimated.
 * Then from the largest down each meta-event is tried: its occurrences are matched to patterns, and
 * if records for these cost no more than its parts would, they stay; else it is taken apart by the
 * rule that made it, and its parts get its occurrences. A last comparison with keeping everything
 * takes the cheaper of both. */
#include "oct_ev_choose.h"

static int add_occurrence(oct_ev_choice *choice, uint32_t meta, uint32_t event) {
  if (oct_ev_grow((void **)&choice->occurrences, &choice->occurrences_cap,
                  choice->n_occurrences + 1, sizeof *choice->occurrences))
    return OCT_ERR_NOMEM;
  uint32_t i = (uint32_t)choice->n_occurrences++;
  choice->occurrences[i] = (oct_ev_occurrence){.event = event};
  if (choice->last[meta])
    choice->occurrences[choice->last[meta]].next = i;
  else
    choice->first[meta] = i;
  choice->last[meta] = i;
  choice->count[meta]++;
  return 0;
}

static int prepare(oct_ev_choice *choice, const oct_ev_location *location) {
  size_t n = location->metas.n;
  if (oct_ev_grow((void **)&choice->at, &choice->at_cap, location->n_events, sizeof *choice->at) ||
      oct_ev_grow((void **)&choice->first, &choice->first_cap, n, sizeof *choice->first) ||
      oct_ev_grow((void **)&choice->last, &choice->last_cap, n, sizeof *choice->last) ||
      oct_ev_grow((void **)&choice->count, &choice->count_cap, n, sizeof *choice->count) ||
      oct_ev_grow((void **)&choice->own, &choice->own_cap, n, sizeof *choice->own) ||
      oct_ev_grow((void **)&choice->best, &choice->best_cap, n, sizeof *choice->best))
    return OCT_ERR_NOMEM;
  if (location->n_events) memset(choice->at, 0, location->n_events * sizeof *choice->at);
  if (n) {
    memset(choice->first, 0, n * sizeof *choice->first);
    memset(choice->last, 0, n * sizeof *choice->last);
    memset(choice->count, 0, n * sizeof *choice->count);
  }
  choice->n_occurrences = 1;
  for (size_t i = 0; i < location->n_items; i++)
    if (location->items[i].meta != OCT_EV_NONE &&
        add_occurrence(choice, location->items[i].meta, location->items[i].event))
      return OCT_ERR_NOMEM;
  return 0;
}

/* Bytes of records of one occurrence of a meta-event that is taken apart by its rule. */
static double parts_bytes(const oct_ev_choice *choice, const oct_ev_meta *meta) {
  if (meta->rule == OCT_EV_RULE_JOIN) return choice->best[meta->a] + choice->best[meta->b];
  return 2 * OCT_EV_EVENT_BYTES + (meta->rule == OCT_EV_RULE_AROUND ? choice->best[meta->b] : 0);
}

static void estimate(oct_ev_choice *choice, const oct_ev_location *location) {
  for (size_t i = 0; i < location->metas.n; i++) {
    const oct_ev_meta *meta = &location->metas.v[i];
    uint32_t own = 1;
    if (meta->rule == OCT_EV_RULE_JOIN && location->metas.v[meta->a].uses == meta->uses)
      own += choice->own[meta->a];
    if (meta->rule != OCT_EV_RULE_PAIR && location->metas.v[meta->b].uses == meta->uses)
      own += choice->own[meta->b];
    double defined = OCT_EV_PATTERN_BYTES + OCT_EV_PATTERN_ORDER_BYTES * (double)meta->order +
                     OCT_EV_META_BYTES * (double)own;
    double kept = OCT_EV_OCCURRENCE_BYTES + defined / meta->uses, apart = parts_bytes(choice, meta);
    choice->own[i] = own;
    choice->best[i] = kept < apart ? kept : apart;
  }
}

/* Whether meta-event i with n occurrences, in patterns and with corrections as counted, is kept. */
static int pays(const oct_ev_choice *choice, const oct_ev_location *location, size_t i, uint64_t n,
                uint64_t patterns, uint64_t corrections) {
  const oct_ev_meta *meta = &location->metas.v[i];
  uint64_t kept =
      OCT_EV_OCCURRENCE_BYTES * n + OCT_EV_CORRECTION_BYTES * corrections +
      patterns * (OCT_EV_PATTERN_BYTES + OCT_EV_PATTERN_ORDER_BYTES * (uint64_t)meta->order) +
      OCT_EV_META_BYTES * (uint64_t)choice->own[i];
  return (double)kept <= (double)n * parts_bytes(choice, meta);
}

static int take_apart(oct_ev_choice *choice, const oct_ev_location *location, uint32_t token) {
  const oct_ev_meta *meta = &location->metas.v[token];
  uint32_t next;
  for (uint32_t i = choice->first[token]; i; i = next) {
    uint32_t event = choice->occurrences[i].event;
    next = choice->occurrences[i].next;
    if (meta->rule == OCT_EV_RULE_JOIN &&
        (add_occurrence(choice, meta->a, event) ||
         add_occurrence(choice, meta->b, event + location->metas.v[meta->a].order)))
      return OCT_ERR_NOMEM;
    if (meta->rule == OCT_EV_RULE_AROUND && add_occurrence(choice, meta->b, event + 1))
      return OCT_ERR_NOMEM;
  }
  return 0;
}

/* Choose patterns. *apart: how many meta-events that occur repeatedly were taken apart. */
static int choose(oct_ev_choice *choice, const oct_ev_location *location,
                  const oct_ev_params *params, int keep_all, size_t *apart) {
  oct_ev_match *match = &choice->match;
  oct_ev_match_reset(match, params, location->times);
  if (prepare(choice, location)) return OCT_ERR_NOMEM;
  estimate(choice, location);
  *apart = 0;
  /* Parts have smaller tokens than what is made of them, so one way down sees all. */
  for (size_t k = location->metas.n; k-- > 0;) {
    const oct_ev_meta *meta = &location->metas.v[k];
    uint64_t n = choice->count[k], corrections = 0;
    if (!n) continue;
    if (oct_ev_match_begin(match, (uint32_t)k, meta->order)) return OCT_ERR_NOMEM;
    int keep = keep_all || n > 1 || pays(choice, location, k, 1, 1, 0);
    for (uint32_t i = choice->first[k]; i && keep; i = choice->occurrences[i].next)
      if (oct_ev_match_add(match, &choice->occurrences[i])) return OCT_ERR_NOMEM;
    if (keep && oct_ev_match_refit(match, choice->occurrences, choice->first[k]))
      return OCT_ERR_NOMEM;
    for (size_t pattern = match->first_pattern; pattern < match->n_patterns; pattern++)
      corrections += match->patterns[pattern].corrections;
    if (keep && !keep_all)
      keep = pays(choice, location, k, n, match->n_patterns - match->first_pattern, corrections);
    if (keep) {
      oct_ev_match_keep(match, choice->occurrences, choice->first[k]);
      for (uint32_t i = choice->first[k]; i; i = choice->occurrences[i].next)
        choice->at[choice->occurrences[i].event] = i;
    } else {
      oct_ev_match_drop(match);
      if (take_apart(choice, location, (uint32_t)k)) return OCT_ERR_NOMEM;
      *apart += n > 1;
    }
  }
  return 0;
}

/* Bytes of records of what was chosen. */
static uint64_t chosen_bytes(const oct_ev_choice *choice, const oct_ev_location *location) {
  uint64_t bytes = OCT_EV_EVENT_BYTES * (uint64_t)location->n_events;
  uint32_t *needed = choice->count; /* has done its duty */
  memset(needed, 0, location->metas.n * sizeof *needed);
  for (size_t i = 0; i < choice->match.n_patterns; i++) {
    const oct_ev_pattern *p = &choice->match.patterns[i];
    bytes += OCT_EV_PATTERN_BYTES + OCT_EV_PATTERN_ORDER_BYTES * (uint64_t)p->order +
             OCT_EV_CORRECTION_BYTES * (uint64_t)p->corrections;
    bytes -= (OCT_EV_EVENT_BYTES * (uint64_t)p->order - OCT_EV_OCCURRENCE_BYTES) * p->count;
    needed[p->meta] = 1;
  }
  for (size_t i = location->metas.n; i-- > 0;) {
    const oct_ev_meta *meta = &location->metas.v[i];
    if (!needed[i]) continue;
    bytes += OCT_EV_META_BYTES;
    if (meta->rule == OCT_EV_RULE_JOIN) needed[meta->a] = 1;
    if (meta->rule != OCT_EV_RULE_PAIR) needed[meta->b] = 1;
  }
  return bytes;
}

int oct_ev_choose(oct_ev_choice *choice, const oct_ev_location *location,
                  const oct_ev_params *params) {
  size_t apart;
  if (params->keep_all) return choose(choice, location, params, 1, &apart);
  int error = choose(choice, location, params, 0, &apart);
  if (error || !apart) return error;
  /* Parts were taken to be as regular as their wholes; where they were not, wholes are better. */
  oct_ev_choice wholes = {0};
  error = choose(&wholes, location, params, 1, &apart);
  if (!error && chosen_bytes(&wholes, location) < chosen_bytes(choice, location)) {
    oct_ev_choice parts = *choice;
    *choice = wholes;
    wholes = parts;
  }
  oct_ev_choice_free(&wholes);
  return error;
}

void oct_ev_choice_free(oct_ev_choice *choice) {
  oct_ev_match_free(&choice->match);
  free(choice->occurrences);
  free(choice->at);
  free(choice->first);
  free(choice->last);
  free(choice->count);
  free(choice->own);
  free(choice->best);
  memset(choice, 0, sizeof *choice);
}
