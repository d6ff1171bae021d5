/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_match.c - event-patterns and the search for the one that fits best. */
#include "oct_ev_match.h"

void oct_ev_match_reset(oct_ev_match *m, const oct_ev_params *params, const uint64_t *times) {
  m->params = params;
  m->times = times;
  m->n_patterns = m->n_vectors = 0;
  m->n_corrections = 1;
}

int oct_ev_match_begin(oct_ev_match *m, uint32_t meta, uint32_t order) {
  m->meta = meta;
  m->order = order;
  m->first_pattern = m->n_patterns;
  m->first_vector = m->n_vectors;
  m->first_correction = m->n_corrections;
  m->n_live = 0;
  return oct_ev_grow((void **)&m->d, &m->d_cap, order, sizeof *m->d);
}

/* How two vectors differ: components past each threshold, the most and the sum. */
typedef struct difference {
  uint32_t abs_bad, rel_bad;
  uint64_t max_abs;
} difference;

/* 0 when more than allowed components are past both thresholds; *x is not complete then. */
static int differ(const oct_ev_match *m, const uint64_t *d, const uint64_t *e, uint32_t allowed,
                  difference *x) {
  const uint64_t t_abs = m->params->t_abs_ticks;
  const double t_rel_ppm = m->params->t_rel_ppm;
  uint32_t n = m->order - 1, abs_bad = 0, rel_bad = 0;
  uint64_t max_abs = 0;
  for (uint32_t i = 0; i < n;) {
    for (uint32_t end = n - i > 16 ? i + 16 : n; i < end; i++) {
      uint64_t off = oct_ev_apart(d[i], e[i]);
      abs_bad += off > t_abs;
      rel_bad += (double)off * 1e6 > (double)e[i] * t_rel_ppm;
      max_abs = off > max_abs ? off : max_abs;
    }
    if (abs_bad > allowed && rel_bad > allowed) return 0;
  }
  *x = (difference){.abs_bad = abs_bad, .rel_bad = rel_bad, .max_abs = max_abs};
  return 1;
}

static double max_relative(const uint64_t *d, const uint64_t *e, uint32_t n) {
  double most = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (d[i] == e[i]) continue;
    double r = (double)oct_ev_apart(d[i], e[i]) / (double)e[i];
    if (r > most) most = r;
  }
  return most;
}

/* How near similar vectors are, in parts of the threshold; 0 = equal. */
static double fit_of(const oct_ev_match *m, const uint64_t *d, const uint64_t *e,
                     const difference *x) {
  double fit = 2;
  if (!x->max_abs) return 0;
  if (!x->abs_bad) fit = (double)x->max_abs / (double)m->params->t_abs_ticks;
  if (!x->rel_bad) {
    double r = max_relative(d, e, m->order - 1) / (m->params->t_rel_ppm * 1e-6);
    if (r < fit) fit = r;
  }
  return fit;
}

static void move_to_front(oct_ev_match *m, uint32_t at) {
  uint32_t pattern = m->live[at];
  memmove(m->live + 1, m->live, at * sizeof *m->live);
  m->live[0] = pattern;
}

/* The live pattern that fits best without corrections, or -1. */
static int find_similar(const oct_ev_match *m, uint64_t sum) {
  const oct_ev_params *p = m->params;
  uint64_t t_abs_sum =
      p->t_abs_ticks > UINT64_MAX / m->order ? UINT64_MAX : p->t_abs_ticks * (m->order - 1);
  double best = 0;
  int found = -1;
  for (uint32_t i = 0; i < m->n_live; i++) {
    const oct_ev_pattern *q = &m->patterns[m->live[i]];
    const uint64_t *e = m->vectors + q->vector;
    uint64_t off = oct_ev_apart(sum, q->sum);
    difference x;
    /* The sums of similar vectors are as near; a millionth more for the rounding of Trel. */
    if (off > t_abs_sum && !oct_ev_within_rel(off, q->sum, p->t_rel_ppm + 1)) continue;
    if (!differ(m, m->d, e, 0, &x)) continue;
    double fit = fit_of(m, m->d, e, &x);
    if (found >= 0 && fit >= best) continue;
    best = fit;
    found = (int)i;
    if (fit == 0) break;
  }
  return found;
}

static uint32_t most_corrections(const oct_ev_match *m) {
  uint32_t few = (m->order - 1) / 4;
  return few < m->params->max_corrections ? few : m->params->max_corrections;
}

static void take_vector(oct_ev_match *m, const oct_ev_occurrence *o) {
  const uint64_t *t = m->times + o->event;
  for (uint32_t i = 0; i + 1 < m->order; i++) m->d[i] = t[i + 1] - t[i];
}

/* The pattern used of late that needs the fewest corrections, or -1. */
static int find_disturbed(const oct_ev_match *m, uint32_t *n_bad, int *by_abs) {
  uint32_t allowed = most_corrections(m);
  int found = -1;
  if (!allowed) return -1;
  for (uint32_t i = 0; i < m->n_live && i < OCT_EV_LIVE_DISTURBED; i++) {
    difference x;
    if (!differ(m, m->d, m->vectors + m->patterns[m->live[i]].vector, allowed, &x)) continue;
    uint32_t bad = x.abs_bad < x.rel_bad ? x.abs_bad : x.rel_bad;
    if (found >= 0 && bad >= *n_bad) continue;
    found = (int)i;
    *n_bad = bad;
    *by_abs = x.abs_bad <= x.rel_bad;
  }
  return found;
}

static int add_corrections(oct_ev_match *m, oct_ev_occurrence *o, const uint64_t *e, uint32_t n_bad,
                           int by_abs) {
  if (oct_ev_grow((void **)&m->corrections, &m->corrections_cap, m->n_corrections + n_bad + 1,
                  sizeof *m->corrections))
    return OCT_ERR_NOMEM;
  o->corrections = (uint32_t)m->n_corrections;
  m->corrections[m->n_corrections++] = n_bad;
  for (uint32_t i = 0; i + 1 < m->order; i++) {
    uint64_t off = oct_ev_apart(m->d[i], e[i]);
    int bad =
        by_abs ? off > m->params->t_abs_ticks : !oct_ev_within_rel(off, e[i], m->params->t_rel_ppm);
    if (!bad) continue;
    m->corrections[m->n_corrections++] = i;
    m->d[i] = e[i]; /* the mean of the members leaves out what is corrected */
  }
  return 0;
}

static int add_pattern(oct_ev_match *m, uint64_t sum) {
  uint32_t n = m->order - 1;
  if (oct_ev_grow((void **)&m->patterns, &m->patterns_cap, m->n_patterns + 1,
                  sizeof *m->patterns) ||
      oct_ev_grow((void **)&m->vectors, &m->vectors_cap, m->n_vectors + n, sizeof *m->vectors) ||
      oct_ev_grow((void **)&m->sums, &m->sums_cap, m->n_vectors + n, sizeof *m->sums))
    return OCT_ERR_NOMEM;
  m->patterns[m->n_patterns] =
      (oct_ev_pattern){.meta = m->meta, .order = m->order, .sum = sum, .vector = m->n_vectors};
  memcpy(m->vectors + m->n_vectors, m->d, n * sizeof *m->d);
  memset(m->sums + m->n_vectors, 0, n * sizeof *m->sums);
  m->n_vectors += n;
  if (m->n_live < OCT_EV_LIVE_MAX) m->n_live++;
  m->live[m->n_live - 1] = (uint32_t)m->n_patterns++;
  move_to_front(m, m->n_live - 1);
  return 0;
}

int oct_ev_match_add(oct_ev_match *m, oct_ev_occurrence *o) {
  const uint64_t *t = m->times + o->event;
  uint32_t n = m->order - 1, n_bad = 0;
  int by_abs = 0;
  take_vector(m, o);
  int found = find_similar(m, t[n] - t[0]);
  o->corrections = 0;
  if (found < 0 && (found = find_disturbed(m, &n_bad, &by_abs)) >= 0 &&
      add_corrections(m, o, m->vectors + m->patterns[m->live[found]].vector, n_bad, by_abs))
    return OCT_ERR_NOMEM;
  if (found >= 0)
    move_to_front(m, (uint32_t)found);
  else if (add_pattern(m, t[n] - t[0]))
    return OCT_ERR_NOMEM;
  oct_ev_pattern *q = &m->patterns[m->live[0]];
  uint64_t *sums = m->sums + q->vector;
  for (uint32_t i = 0; i < n; i++) sums[i] += m->d[i];
  o->pattern = m->live[0];
  q->count++;
  q->disturbed += n_bad > 0;
  q->corrections += n_bad;
  return 0;
}

/* Note how far a member is from its pattern's vector. 0 when it is no longer similar. */
static int measure(oct_ev_match *m, const oct_ev_occurrence *o) {
  oct_ev_pattern *q = &m->patterns[o->pattern];
  const uint64_t *e = m->vectors + q->vector;
  difference x;
  take_vector(m, o);
  if (o->corrections) {
    const uint32_t *c = m->corrections + o->corrections;
    for (uint32_t i = 1; i <= c[0]; i++) m->d[c[i]] = e[c[i]];
  }
  if (!differ(m, m->d, e, 0, &x)) return 0;
  if (!x.abs_bad) {
    if (x.max_abs > q->t_abs_ticks) q->t_abs_ticks = x.max_abs;
    return 1;
  }
  double ppm = max_relative(m->d, e, m->order - 1) * 1e6 + 1;
  uint32_t t_rel = ppm < m->params->t_rel_ppm ? (uint32_t)ppm : m->params->t_rel_ppm;
  if (t_rel > q->t_rel_ppm) q->t_rel_ppm = t_rel;
  return 1;
}

void oct_ev_match_keep(oct_ev_match *m, const oct_ev_occurrence *occurrences, uint32_t first) {
  /* sums: members' sums, then the vectors as they were found. */
  for (size_t k = m->first_pattern; k < m->n_patterns; k++) {
    oct_ev_pattern *q = &m->patterns[k];
    uint64_t *e = m->vectors + q->vector, *s = m->sums + q->vector;
    for (uint32_t i = 0; q->count > 1 && i + 1 < m->order; i++) {
      uint64_t mean = (s[i] + q->count / 2) / q->count;
      s[i] = e[i];
      e[i] = mean;
    }
  }
  for (uint32_t i = first; i; i = occurrences[i].next) {
    oct_ev_pattern *q = &m->patterns[occurrences[i].pattern];
    if (q->count == 1 || q->as_found || measure(m, &occurrences[i])) continue;
    memcpy(m->vectors + q->vector, m->sums + q->vector, (m->order - 1) * sizeof *m->vectors);
    q->as_found = 1;
    q->t_abs_ticks = q->t_rel_ppm = 0;
  }
  for (uint32_t i = first; i; i = occurrences[i].next)
    if (m->patterns[occurrences[i].pattern].as_found) measure(m, &occurrences[i]);
}

/* Set the components that are corrected in most members of a pattern to what one of those has.
 * Returns whether there are any. tally: zeroes, one a component. */
static int replace_corrected(oct_ev_match *m, const oct_ev_occurrence *occurrences, uint32_t first,
                             uint32_t pattern, uint64_t *tally) {
  const oct_ev_pattern *q = &m->patterns[pattern];
  int changed = 0;
  for (uint32_t i = first; i; i = occurrences[i].next) {
    if (occurrences[i].pattern != pattern || !occurrences[i].corrections) continue;
    const uint32_t *c = m->corrections + occurrences[i].corrections;
    for (uint32_t k = 1; k <= c[0]; k++) {
      if (2 * ++tally[c[k]] <= q->count) continue;
      const uint64_t *t = m->times + occurrences[i].event + c[k];
      m->vectors[q->vector + c[k]] = t[1] - t[0];
      changed = 1;
    }
  }
  return changed;
}

/* The first member of a pattern may itself be disturbed, so that all others are corrected where it
 * was: replace those components if all members stay within what corrections are allowed. */
static int refit(oct_ev_match *m, oct_ev_occurrence *occurrences, uint32_t first,
                 uint32_t pattern) {
  oct_ev_pattern *q = &m->patterns[pattern];
  uint32_t n = m->order - 1, allowed = most_corrections(m);
  uint64_t *e = m->vectors + q->vector, *s = m->sums + q->vector;
  if (oct_ev_grow((void **)&m->spare, &m->spare_cap, 2 * (size_t)n, sizeof *m->spare))
    return OCT_ERR_NOMEM;
  memset(m->spare, 0, n * sizeof *m->spare);
  memcpy(m->spare + n, e, n * sizeof *e);
  if (!replace_corrected(m, occurrences, first, pattern, m->spare)) return 0;
  difference x;
  for (uint32_t i = first; i; i = occurrences[i].next) {
    if (occurrences[i].pattern != pattern) continue;
    take_vector(m, &occurrences[i]);
    if (differ(m, m->d, e, allowed, &x)) continue;
    memcpy(e, m->spare + n, n * sizeof *e);
    return 0;
  }
  q->disturbed = q->corrections = 0;
  memset(s, 0, n * sizeof *s);
  for (uint32_t i = first; i; i = occurrences[i].next) {
    oct_ev_occurrence *o = &occurrences[i];
    if (o->pattern != pattern) continue;
    take_vector(m, o);
    differ(m, m->d, e, allowed, &x);
    uint32_t n_bad = x.abs_bad < x.rel_bad ? x.abs_bad : x.rel_bad;
    o->corrections = 0;
    if (n_bad && add_corrections(m, o, e, n_bad, x.abs_bad <= x.rel_bad)) return OCT_ERR_NOMEM;
    q->disturbed += n_bad > 0;
    q->corrections += n_bad;
    for (uint32_t k = 0; k < n; k++) s[k] += m->d[k];
  }
  return 0;
}

int oct_ev_match_refit(oct_ev_match *m, oct_ev_occurrence *occurrences, uint32_t first) {
  /* Each pattern costs a walk over all occurrences, so few patterns only. */
  if (m->n_patterns - m->first_pattern > OCT_EV_LIVE_MAX) return 0;
  for (size_t k = m->first_pattern; k < m->n_patterns; k++) {
    const oct_ev_pattern *q = &m->patterns[k];
    if (q->count < 3 || 2 * (uint64_t)q->corrections <= q->count) continue;
    if (refit(m, occurrences, first, (uint32_t)k)) return OCT_ERR_NOMEM;
  }
  return 0;
}

void oct_ev_match_drop(oct_ev_match *m) {
  m->n_patterns = m->first_pattern;
  m->n_vectors = m->first_vector;
  m->n_corrections = m->first_correction;
}

void oct_ev_match_free(oct_ev_match *m) {
  free(m->patterns);
  free(m->vectors);
  free(m->sums);
  free(m->corrections);
  free(m->d);
  free(m->spare);
  memset(m, 0, sizeof *m);
}
