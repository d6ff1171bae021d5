/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_choose.c - which meta-events of a location become patterns, and which are taken apart. */
#include "oct_ev_choose.h"

/* Bytes of records that do not depend on how often a pattern occurs. */
static uint64_t definition_bytes(uint64_t order) {
  return OCT_EV_PATTERN_BYTES + OCT_EV_PATTERN_ORDER_BYTES * order + OCT_EV_META_BYTES;
}

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
      oct_ev_grow((void **)&c->count, &c->count_cap, n, sizeof *c->count))
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

/* An estimate of what occurrences of a part cost when n of its whole are taken apart: its
 * definitions count when it does not occur by itself. */
static uint64_t part_bytes(const oct_ev_choice *c, const oct_ev_location *l, uint32_t part,
                           uint64_t n) {
  uint64_t order = l->metas.v[part].order;
  uint64_t plain = OCT_EV_EVENT_BYTES * order * n;
  uint64_t kept = OCT_EV_OCCURRENCE_BYTES * n + (c->count[part] ? 0 : definition_bytes(order));
  return plain < kept ? plain : kept;
}

static uint64_t parts_bytes(const oct_ev_choice *c, const oct_ev_location *l, const oct_ev_meta *m,
                            uint64_t n) {
  if (m->rule == OCT_EV_RULE_JOIN) return part_bytes(c, l, m->a, n) + part_bytes(c, l, m->b, n);
  uint64_t around = 2 * OCT_EV_EVENT_BYTES * n;
  return m->rule == OCT_EV_RULE_PAIR ? around : around + part_bytes(c, l, m->b, n);
}

/* Whether a meta-event with n occurrences, in patterns and with corrections as counted, is kept. */
static int pays(const oct_ev_choice *c, const oct_ev_location *l, const oct_ev_meta *m, uint64_t n,
                uint64_t patterns, uint64_t corrections) {
  uint64_t kept = OCT_EV_OCCURRENCE_BYTES * n + OCT_EV_CORRECTION_BYTES * corrections +
                  patterns * (definition_bytes(m->order) - OCT_EV_META_BYTES) + OCT_EV_META_BYTES;
  return kept < OCT_EV_EVENT_BYTES * m->order * n && kept <= parts_bytes(c, l, m, n);
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

int oct_ev_choose(oct_ev_choice *c, const oct_ev_location *l, const oct_ev_params *params) {
  oct_ev_match *match = &c->match;
  oct_ev_match_reset(match, params, l->times);
  if (prepare(c, l)) return OCT_ERR_NOMEM;
  /* Parts have smaller tokens than what is made of them, so one way down sees all. */
  for (size_t k = l->metas.n; k-- > 0;) {
    const oct_ev_meta *m = &l->metas.v[k];
    uint64_t n = c->count[k], corrections = 0;
    if (!n) continue;
    if (oct_ev_match_begin(match, (uint32_t)k, m->order)) return OCT_ERR_NOMEM;
    int keep = params->keep_all || n > 1 || pays(c, l, m, 1, 1, 0);
    for (uint32_t i = c->first[k]; i && keep; i = c->occurrences[i].next)
      if (oct_ev_match_add(match, &c->occurrences[i])) return OCT_ERR_NOMEM;
    for (size_t q = match->first_pattern; q < match->n_patterns; q++)
      corrections += match->patterns[q].corrections;
    if (keep && !params->keep_all)
      keep = pays(c, l, m, n, match->n_patterns - match->first_pattern, corrections);
    if (keep) {
      oct_ev_match_keep(match, c->occurrences, c->first[k]);
      for (uint32_t i = c->first[k]; i; i = c->occurrences[i].next)
        c->at[c->occurrences[i].event] = i;
    } else {
      oct_ev_match_drop(match);
      if (take_apart(c, l, (uint32_t)k)) return OCT_ERR_NOMEM;
    }
  }
  return 0;
}

void oct_ev_choice_free(oct_ev_choice *c) {
  oct_ev_match_free(&c->match);
  free(c->occurrences);
  free(c->at);
  free(c->first);
  free(c->last);
  free(c->count);
  memset(c, 0, sizeof *c);
}
