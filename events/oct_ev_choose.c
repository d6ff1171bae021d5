/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_choose.c - which meta-events of a location become patterns, and which are taken apart.
 *
 * From the smallest meta-event up, what an occurrence costs when it is taken apart is estimated.
 * Then from the largest down each meta-event is tried: its occurrences are matched to patterns, and
 * if records for these cost no more than its parts would, they stay; else it is taken apart by the
 * rule that made it, and its parts get its occurrences. A last comparison with keeping everything
 * takes the cheaper of both. */
#include "oct_ev_choose.h"

static int add_occurrence(oct_ev_choice *c, uint32_t meta, uint32_t event) {
  if (oct_ev_grow((void **)&c->occurrences, &c->occurrences_cap, c->n_occurrences + 1,
                  sizeof *c->occurrences))
    return OCT_ERR_NOMEM;
  uint32_t i = (uint32_t)c->n_occurrences++;
  c->occurrences[i] = (oct_ev_occurrence){.event = event};
  if (c->last[meta])
    c->occurrences[c->last[meta]].next = i;
  else
    c->first[meta] = i;
  c->last[meta] = i;
  c->count[meta]++;
  return 0;
}

static int prepare(oct_ev_choice *c, const oct_ev_location *l) {
  size_t n = l->metas.n;
  if (oct_ev_grow((void **)&c->at, &c->at_cap, l->n_events, sizeof *c->at) ||
      oct_ev_grow((void **)&c->first, &c->first_cap, n, sizeof *c->first) ||
      oct_ev_grow((void **)&c->last, &c->last_cap, n, sizeof *c->last) ||
      oct_ev_grow((void **)&c->count, &c->count_cap, n, sizeof *c->count) ||
      oct_ev_grow((void **)&c->own, &c->own_cap, n, sizeof *c->own) ||
      oct_ev_grow((void **)&c->best, &c->best_cap, n, sizeof *c->best))
    return OCT_ERR_NOMEM;
  if (l->n_events) memset(c->at, 0, l->n_events * sizeof *c->at);
  if (n) {
    memset(c->first, 0, n * sizeof *c->first);
    memset(c->last, 0, n * sizeof *c->last);
    memset(c->count, 0, n * sizeof *c->count);
  }
  c->n_occurrences = 1;
  for (size_t i = 0; i < l->n_items; i++)
    if (l->items[i].meta != OCT_EV_NONE && add_occurrence(c, l->items[i].meta, l->items[i].event))
      return OCT_ERR_NOMEM;
  return 0;
}

/* Bytes of records of one occurrence of a meta-event that is taken apart by its rule. */
static double parts_bytes(const oct_ev_choice *c, const oct_ev_meta *m) {
  if (m->rule == OCT_EV_RULE_JOIN) return c->best[m->a] + c->best[m->b];
  return 2 * OCT_EV_EVENT_BYTES + (m->rule == OCT_EV_RULE_AROUND ? c->best[m->b] : 0);
}

static void estimate(oct_ev_choice *c, const oct_ev_location *l) {
  for (size_t i = 0; i < l->metas.n; i++) {
    const oct_ev_meta *m = &l->metas.v[i];
    uint32_t own = 1;
    if (m->rule == OCT_EV_RULE_JOIN && l->metas.v[m->a].uses == m->uses) own += c->own[m->a];
    if (m->rule != OCT_EV_RULE_PAIR && l->metas.v[m->b].uses == m->uses) own += c->own[m->b];
    double defined = OCT_EV_PATTERN_BYTES + OCT_EV_PATTERN_ORDER_BYTES * (double)m->order +
                     OCT_EV_META_BYTES * (double)own;
    double kept = OCT_EV_OCCURRENCE_BYTES + defined / m->uses, apart = parts_bytes(c, m);
    c->own[i] = own;
    c->best[i] = kept < apart ? kept : apart;
  }
}

/* Whether meta-event i with n occurrences, in patterns and with corrections as counted, is kept. */
static int pays(const oct_ev_choice *c, const oct_ev_location *l, size_t i, uint64_t n,
                uint64_t patterns, uint64_t corrections) {
  const oct_ev_meta *m = &l->metas.v[i];
  uint64_t kept =
      OCT_EV_OCCURRENCE_BYTES * n + OCT_EV_CORRECTION_BYTES * corrections +
      patterns * (OCT_EV_PATTERN_BYTES + OCT_EV_PATTERN_ORDER_BYTES * (uint64_t)m->order) +
      OCT_EV_META_BYTES * (uint64_t)c->own[i];
  return (double)kept <= (double)n * parts_bytes(c, m);
}

static int take_apart(oct_ev_choice *c, const oct_ev_location *l, uint32_t token) {
  const oct_ev_meta *m = &l->metas.v[token];
  uint32_t next;
  for (uint32_t i = c->first[token]; i; i = next) {
    uint32_t event = c->occurrences[i].event;
    next = c->occurrences[i].next;
    if (m->rule == OCT_EV_RULE_JOIN &&
        (add_occurrence(c, m->a, event) || add_occurrence(c, m->b, event + l->metas.v[m->a].order)))
      return OCT_ERR_NOMEM;
    if (m->rule == OCT_EV_RULE_AROUND && add_occurrence(c, m->b, event + 1)) return OCT_ERR_NOMEM;
  }
  return 0;
}

/* Choose patterns. *apart: how many meta-events that occur repeatedly were taken apart. */
static int choose(oct_ev_choice *c, const oct_ev_location *l, const oct_ev_params *params,
                  int keep_all, size_t *apart) {
  oct_ev_match *match = &c->match;
  oct_ev_match_reset(match, params, l->times);
  if (prepare(c, l)) return OCT_ERR_NOMEM;
  estimate(c, l);
  *apart = 0;
  /* Parts have smaller tokens than what is made of them, so one way down sees all. */
  for (size_t k = l->metas.n; k-- > 0;) {
    const oct_ev_meta *m = &l->metas.v[k];
    uint64_t n = c->count[k], corrections = 0;
    if (!n) continue;
    if (oct_ev_match_begin(match, (uint32_t)k, m->order)) return OCT_ERR_NOMEM;
    int keep = keep_all || n > 1 || pays(c, l, k, 1, 1, 0);
    for (uint32_t i = c->first[k]; i && keep; i = c->occurrences[i].next)
      if (oct_ev_match_add(match, &c->occurrences[i])) return OCT_ERR_NOMEM;
    if (keep && oct_ev_match_refit(match, c->occurrences, c->first[k])) return OCT_ERR_NOMEM;
    for (size_t q = match->first_pattern; q < match->n_patterns; q++)
      corrections += match->patterns[q].corrections;
    if (keep && !keep_all)
      keep = pays(c, l, k, n, match->n_patterns - match->first_pattern, corrections);
    if (keep) {
      oct_ev_match_keep(match, c->occurrences, c->first[k]);
      for (uint32_t i = c->first[k]; i; i = c->occurrences[i].next)
        c->at[c->occurrences[i].event] = i;
    } else {
      oct_ev_match_drop(match);
      if (take_apart(c, l, (uint32_t)k)) return OCT_ERR_NOMEM;
      *apart += n > 1;
    }
  }
  return 0;
}

/* Bytes of records of what was chosen. */
static uint64_t chosen_bytes(const oct_ev_choice *c, const oct_ev_location *l) {
  uint64_t bytes = OCT_EV_EVENT_BYTES * (uint64_t)l->n_events;
  uint32_t *needed = c->count; /* has done its duty */
  memset(needed, 0, l->metas.n * sizeof *needed);
  for (size_t i = 0; i < c->match.n_patterns; i++) {
    const oct_ev_pattern *p = &c->match.patterns[i];
    bytes += OCT_EV_PATTERN_BYTES + OCT_EV_PATTERN_ORDER_BYTES * (uint64_t)p->order +
             OCT_EV_CORRECTION_BYTES * (uint64_t)p->corrections;
    bytes -= (OCT_EV_EVENT_BYTES * (uint64_t)p->order - OCT_EV_OCCURRENCE_BYTES) * p->count;
    needed[p->meta] = 1;
  }
  for (size_t i = l->metas.n; i-- > 0;) {
    const oct_ev_meta *m = &l->metas.v[i];
    if (!needed[i]) continue;
    bytes += OCT_EV_META_BYTES;
    if (m->rule == OCT_EV_RULE_JOIN) needed[m->a] = 1;
    if (m->rule != OCT_EV_RULE_PAIR) needed[m->b] = 1;
  }
  return bytes;
}

int oct_ev_choose(oct_ev_choice *c, const oct_ev_location *l, const oct_ev_params *params) {
  size_t apart;
  if (params->keep_all) return choose(c, l, params, 1, &apart);
  int error = choose(c, l, params, 0, &apart);
  if (error || !apart) return error;
  /* Parts were taken to be as regular as their wholes; where they were not, wholes are better. */
  oct_ev_choice wholes = {0};
  error = choose(&wholes, l, params, 1, &apart);
  if (!error && chosen_bytes(&wholes, l) < chosen_bytes(c, l)) {
    oct_ev_choice parts = *c;
    *c = wholes;
    wholes = parts;
  }
  oct_ev_choice_free(&wholes);
  return error;
}

void oct_ev_choice_free(oct_ev_choice *c) {
  oct_ev_match_free(&c->match);
  free(c->occurrences);
  free(c->at);
  free(c->first);
  free(c->last);
  free(c->count);
  free(c->own);
  free(c->best);
  memset(c, 0, sizeof *c);
}
