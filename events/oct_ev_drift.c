/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_drift.c - lossy mode: how far decoded times run away from the true ones. */
#include "oct_ev_drift.h"

static uint64_t magnitude(uint64_t drift) {
  return drift >> 63 ? 0 - drift : drift;
}

uint64_t oct_ev_drift_gap(const oct_ev_params *params, uint64_t drift, uint64_t gap) {
  /* What is decoded is what Trel refers to, so a shorter gap allows less. */
  double rel = params->t_rel_ppm * 1e-6;
  uint64_t tolerance = (uint64_t)((double)gap * (rel / (1 + rel)));
  if (tolerance) tolerance--; /* rounding */
  if (params->t_abs_ticks > tolerance) tolerance = params->t_abs_ticks;
  uint64_t take = magnitude(drift) < tolerance ? magnitude(drift) : tolerance;
  if (drift >> 63) return gap + take;
  return take < gap ? gap - take : 0;
}

/* The drift behind an occurrence; *most is the farthest that it goes on the way. */
static uint64_t drift_through(const oct_ev_merged *p, const uint32_t *corrections,
                              const uint64_t *t, uint64_t drift, uint64_t *most) {
  uint32_t n_fix = corrections ? corrections[0] : 0, k = 1;
  for (uint32_t i = 0; i + 1 < p->order; i++) {
    if (k <= n_fix && corrections[k] == i) {
      k++;
      continue;
    }
    drift += p->vector[i] - (t[i + 1] - t[i]);
    if (magnitude(drift) > *most) *most = magnitude(drift);
  }
  return drift;
}

void oct_ev_drift_settle(oct_ev_segment *s, size_t at, const oct_ev_location *l,
                         oct_ev_choice *choice, const oct_ev_params *params) {
  uint64_t drift = l->prev_decoded - l->prev_actual, before = l->prev_actual;
  for (uint32_t event = 0; event < l->n_events;) {
    const uint64_t *t = l->times + event;
    uint32_t i = choice->at[event];
    const oct_ev_occurrence *o = &choice->occurrences[i];
    drift += oct_ev_drift_gap(params, drift, t[0] - before) - (t[0] - before);
    before = t[0];
    event++;
    if (!i || oct_ev_segment_pattern(s, at, o->pattern) == OCT_EV_NONE) continue;
    oct_ev_merged *p = &s->patterns[s->translation[at][o->pattern]];
    const uint32_t *fix = o->corrections ? choice->match.corrections + o->corrections : NULL;
    uint64_t most = 0, after = drift_through(p, fix, t, drift, &most);
    if (most <= params->drift_ticks || most <= magnitude(drift)) {
      drift = after;
      before = t[p->order - 1];
      event += p->order - 1;
      continue;
    }
    choice->at[event - 1] = 0;
    p->count--;
    p->disturbed -= fix != NULL;
    p->corrections -= fix ? fix[0] : 0;
  }
}
