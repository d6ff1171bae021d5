/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_match.c - event-patterns and the search for the one that fits best (Knüpfer 2003, sections
 * 3 and 4.1).
 *
 * An occurrence of a meta-event is a vector of time differences. It belongs to a pattern when each
 * difference is within the absolute or each within the relative threshold of the pattern's vector;
 * of several patterns the nearest takes it. Patterns are looked at in the order of their last use,
 * and whole vectors are compared only when their sums are near. Where none is similar, a pattern
 * takes the occurrence with corrections: a few differences that are given in full. Else it begins a
 * pattern, as whose vector it stands.
 *
 * At the end a pattern whose first member was the disturbed one takes the differences of the others
 * (refit), and each vector becomes the mean of its members, if all stay similar to that (keep). */
#include "oct_ev_match.h"

void oct_ev_match_reset(oct_ev_match *match, const oct_ev_params *params, const uint64_t *times) {
  match->params = params;
  match->times = times;
  match->n_patterns = match->n_vectors = 0;
  match->n_corrections = 1;
}

int oct_ev_match_begin(oct_ev_match *match, uint32_t meta, uint32_t order) {
  match->meta = meta;
  match->order = order;
  match->first_pattern = match->n_patterns;
  match->first_vector = match->n_vectors;
  match->first_correction = match->n_corrections;
  match->n_live = 0;
  return oct_ev_grow((void **)&match->actual, &match->actual_cap, order, sizeof *match->actual);
}

/* How two vectors differ: components past each threshold, the most and the sum. */
typedef struct difference {
  uint32_t abs_bad, rel_bad;
  uint64_t max_abs;
} difference;

/* 0 when more than allowed components are past both thresholds; *diff is not complete then. */
static int differ(const oct_ev_match *match, const uint64_t *actual, const uint64_t *expected,
                  uint32_t allowed, difference *diff) {
  const uint64_t t_abs = match->params->t_abs_ticks;
  const double t_rel_ppm = match->params->t_rel_ppm;
  uint32_t n = match->order - 1, abs_bad = 0, rel_bad = 0;
  uint64_t max_abs = 0;
  for (uint32_t i = 0; i < n;) {
    for (uint32_t end = n - i > 16 ? i + 16 : n; i < end; i++) {
      uint64_t off = oct_ev_apart(actual[i], expected[i]);
      abs_bad += off > t_abs;
      rel_bad += (double)off * 1e6 > (double)expected[i] * t_rel_ppm;
      max_abs = off > max_abs ? off : max_abs;
    }
    if (abs_bad > allowed && rel_bad > allowed) return 0;
  }
  *diff = (difference){.abs_bad = abs_bad, .rel_bad = rel_bad, .max_abs = max_abs};
  return 1;
}

static double max_relative(const uint64_t *actual, const uint64_t *expected, uint32_t n) {
  double most = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (actual[i] == expected[i]) continue;
    double relative = (double)oct_ev_apart(actual[i], expected[i]) / (double)expected[i];
    if (relative > most) most = relative;
  }
  return most;
}

/* How near similar vectors are, in parts of the threshold; 0 = equal. */
static double fit_of(const oct_ev_match *match, const uint64_t *actual, const uint64_t *expected,
                     const difference *diff) {
  double fit = 2;
  if (!diff->max_abs) return 0;
  if (!diff->abs_bad) fit = (double)diff->max_abs / (double)match->params->t_abs_ticks;
  if (!diff->rel_bad) {
    double relative =
        max_relative(actual, expected, match->order - 1) / (match->params->t_rel_ppm * 1e-6);
    if (relative < fit) fit = relative;
  }
  return fit;
}

static void move_to_front(oct_ev_match *match, uint32_t place) {
  uint32_t number = match->live[place];
  memmove(match->live + 1, match->live, place * sizeof *match->live);
  match->live[0] = number;
}

/* The live pattern that fits best without corrections, or -1. */
static int find_similar(const oct_ev_match *match, uint64_t sum) {
  const oct_ev_params *params = match->params;
  uint64_t t_abs_sum = params->t_abs_ticks > UINT64_MAX / match->order
                           ? UINT64_MAX
                           : params->t_abs_ticks * (match->order - 1);
  double best = 0;
  int found = -1;
  for (uint32_t i = 0; i < match->n_live; i++) {
    const oct_ev_pattern *pattern = &match->patterns[match->live[i]];
    const uint64_t *expected = match->vectors + pattern->vector;
    uint64_t off = oct_ev_apart(sum, pattern->sum);
    difference diff;
    /* The sums of similar vectors are as near; a millionth more for the rounding of Trel. */
    if (off > t_abs_sum && !oct_ev_within_rel(off, pattern->sum, params->t_rel_ppm + 1)) continue;
    if (!differ(match, match->actual, expected, 0, &diff)) continue;
    double fit = fit_of(match, match->actual, expected, &diff);
    if (found >= 0 && fit >= best) continue;
    best = fit;
    found = (int)i;
    if (fit == 0) break;
  }
  return found;
}

static uint32_t most_corrections(const oct_ev_match *match) {
  uint32_t few = (match->order - 1) / 4;
  return few < match->params->max_corrections ? few : match->params->max_corrections;
}

static void take_vector(oct_ev_match *match, const oct_ev_occurrence *occurrence) {
  const uint64_t *times = match->times + occurrence->event;
  for (uint32_t i = 0; i + 1 < match->order; i++) match->actual[i] = times[i + 1] - times[i];
}

/* The pattern used of late that needs the fewest corrections, or -1. */
static int find_disturbed(const oct_ev_match *match, uint32_t *n_bad, int *by_abs) {
  uint32_t allowed = most_corrections(match);
  int found = -1;
  if (!allowed) return -1;
  for (uint32_t i = 0; i < match->n_live && i < OCT_EV_LIVE_DISTURBED; i++) {
    difference diff;
    if (!differ(match, match->actual, match->vectors + match->patterns[match->live[i]].vector,
                allowed, &diff))
      continue;
    uint32_t bad = diff.abs_bad < diff.rel_bad ? diff.abs_bad : diff.rel_bad;
    if (found >= 0 && bad >= *n_bad) continue;
    found = (int)i;
    *n_bad = bad;
    *by_abs = diff.abs_bad <= diff.rel_bad;
  }
  return found;
}

static int add_corrections(oct_ev_match *match, oct_ev_occurrence *occurrence,
                           const uint64_t *expected, uint32_t n_bad, int by_abs) {
  if (oct_ev_grow((void **)&match->corrections, &match->corrections_cap,
                  match->n_corrections + n_bad + 1, sizeof *match->corrections))
    return OCT_ERR_NOMEM;
  occurrence->corrections = (uint32_t)match->n_corrections;
  match->corrections[match->n_corrections++] = n_bad;
  for (uint32_t i = 0; i + 1 < match->order; i++) {
    uint64_t off = oct_ev_apart(match->actual[i], expected[i]);
    int bad = by_abs ? off > match->params->t_abs_ticks
                     : !oct_ev_within_rel(off, expected[i], match->params->t_rel_ppm);
    if (!bad) continue;
    match->corrections[match->n_corrections++] = i;
    match->actual[i] = expected[i]; /* the mean of the members leaves out what is corrected */
  }
  return 0;
}

static int add_pattern(oct_ev_match *match, uint64_t sum) {
  uint32_t n = match->order - 1;
  if (oct_ev_grow((void **)&match->patterns, &match->patterns_cap, match->n_patterns + 1,
                  sizeof *match->patterns) ||
      oct_ev_grow((void **)&match->vectors, &match->vectors_cap, match->n_vectors + n,
                  sizeof *match->vectors) ||
      oct_ev_grow((void **)&match->sums, &match->sums_cap, match->n_vectors + n,
                  sizeof *match->sums))
    return OCT_ERR_NOMEM;
  match->patterns[match->n_patterns] = (oct_ev_pattern){
      .meta = match->meta, .order = match->order, .sum = sum, .vector = match->n_vectors};
  memcpy(match->vectors + match->n_vectors, match->actual, n * sizeof *match->actual);
  memset(match->sums + match->n_vectors, 0, n * sizeof *match->sums);
  match->n_vectors += n;
  if (match->n_live < OCT_EV_LIVE_MAX) match->n_live++;
  match->live[match->n_live - 1] = (uint32_t)match->n_patterns++;
  move_to_front(match, match->n_live - 1);
  return 0;
}

int oct_ev_match_add(oct_ev_match *match, oct_ev_occurrence *occurrence) {
  const uint64_t *times = match->times + occurrence->event;
  uint32_t n = match->order - 1, n_bad = 0;
  int by_abs = 0;
  take_vector(match, occurrence);
  int found = find_similar(match, times[n] - times[0]);
  occurrence->corrections = 0;
  if (found < 0 && (found = find_disturbed(match, &n_bad, &by_abs)) >= 0 &&
      add_corrections(match, occurrence,
                      match->vectors + match->patterns[match->live[found]].vector, n_bad, by_abs))
    return OCT_ERR_NOMEM;
  if (found >= 0)
    move_to_front(match, (uint32_t)found);
  else if (add_pattern(match, times[n] - times[0]))
    return OCT_ERR_NOMEM;
  oct_ev_pattern *pattern = &match->patterns[match->live[0]];
  uint64_t *sums = match->sums + pattern->vector;
  for (uint32_t i = 0; i < n; i++) sums[i] += match->actual[i];
  occurrence->pattern = match->live[0];
  pattern->count++;
  pattern->disturbed += n_bad > 0;
  pattern->corrections += n_bad;
  return 0;
}

/* Note how far a member is from its pattern's vector. 0 when it is no longer similar. */
static int measure(oct_ev_match *match, const oct_ev_occurrence *occurrence) {
  oct_ev_pattern *pattern = &match->patterns[occurrence->pattern];
  const uint64_t *expected = match->vectors + pattern->vector;
  difference diff;
  take_vector(match, occurrence);
  if (occurrence->corrections) {
    const uint32_t *corrections = match->corrections + occurrence->corrections;
    for (uint32_t i = 1; i <= corrections[0]; i++)
      match->actual[corrections[i]] = expected[corrections[i]];
  }
  if (!differ(match, match->actual, expected, 0, &diff)) return 0;
  if (!diff.abs_bad) {
    if (diff.max_abs > pattern->t_abs_ticks) pattern->t_abs_ticks = diff.max_abs;
    return 1;
  }
  double ppm = max_relative(match->actual, expected, match->order - 1) * 1e6 + 1;
  uint32_t t_rel = ppm < match->params->t_rel_ppm ? (uint32_t)ppm : match->params->t_rel_ppm;
  if (t_rel > pattern->t_rel_ppm) pattern->t_rel_ppm = t_rel;
  return 1;
}

void oct_ev_match_keep(oct_ev_match *match, const oct_ev_occurrence *occurrences, uint32_t first) {
  /* sums: members' sums, then the vectors as they were found. */
  for (size_t k = match->first_pattern; k < match->n_patterns; k++) {
    oct_ev_pattern *pattern = &match->patterns[k];
    uint64_t *expected = match->vectors + pattern->vector, *sums = match->sums + pattern->vector;
    for (uint32_t i = 0; pattern->count > 1 && i + 1 < match->order; i++) {
      uint64_t mean = (sums[i] + pattern->count / 2) / pattern->count;
      sums[i] = expected[i];
      expected[i] = mean;
    }
  }
  for (uint32_t i = first; i; i = occurrences[i].next) {
    oct_ev_pattern *pattern = &match->patterns[occurrences[i].pattern];
    if (pattern->count == 1 || pattern->as_found || measure(match, &occurrences[i])) continue;
    memcpy(match->vectors + pattern->vector, match->sums + pattern->vector,
           (match->order - 1) * sizeof *match->vectors);
    pattern->as_found = 1;
    pattern->t_abs_ticks = pattern->t_rel_ppm = 0;
  }
  for (uint32_t i = first; i; i = occurrences[i].next)
    if (match->patterns[occurrences[i].pattern].as_found) measure(match, &occurrences[i]);
}

/* Set the components that are corrected in most members of a pattern to what one of those has.
 * Returns whether there are any. tally: zeroes, one a component. */
static int replace_corrected(oct_ev_match *match, const oct_ev_occurrence *occurrences,
                             uint32_t first, uint32_t number, uint64_t *tally) {
  const oct_ev_pattern *pattern = &match->patterns[number];
  int changed = 0;
  for (uint32_t i = first; i; i = occurrences[i].next) {
    if (occurrences[i].pattern != number || !occurrences[i].corrections) continue;
    const uint32_t *corrections = match->corrections + occurrences[i].corrections;
    for (uint32_t k = 1; k <= corrections[0]; k++) {
      if (2 * ++tally[corrections[k]] <= pattern->count) continue;
      const uint64_t *times = match->times + occurrences[i].event + corrections[k];
      match->vectors[pattern->vector + corrections[k]] = times[1] - times[0];
      changed = 1;
    }
  }
  return changed;
}

/* The first member of a pattern may itself be disturbed, so that all others are corrected where it
 * was: replace those components if all members stay within what corrections are allowed. */
static int refit(oct_ev_match *match, oct_ev_occurrence *occurrences, uint32_t first,
                 uint32_t number) {
  oct_ev_pattern *pattern = &match->patterns[number];
  uint32_t n = match->order - 1, allowed = most_corrections(match);
  uint64_t *expected = match->vectors + pattern->vector, *sums = match->sums + pattern->vector;
  if (oct_ev_grow((void **)&match->spare, &match->spare_cap, 2 * (size_t)n, sizeof *match->spare))
    return OCT_ERR_NOMEM;
  memset(match->spare, 0, n * sizeof *match->spare);
  memcpy(match->spare + n, expected, n * sizeof *expected);
  if (!replace_corrected(match, occurrences, first, number, match->spare)) return 0;
  difference diff;
  for (uint32_t i = first; i; i = occurrences[i].next) {
    if (occurrences[i].pattern != number) continue;
    take_vector(match, &occurrences[i]);
    if (differ(match, match->actual, expected, allowed, &diff)) continue;
    memcpy(expected, match->spare + n, n * sizeof *expected);
    return 0;
  }
  pattern->disturbed = pattern->corrections = 0;
  memset(sums, 0, n * sizeof *sums);
  for (uint32_t i = first; i; i = occurrences[i].next) {
    oct_ev_occurrence *occurrence = &occurrences[i];
    if (occurrence->pattern != number) continue;
    take_vector(match, occurrence);
    differ(match, match->actual, expected, allowed, &diff);
    uint32_t n_bad = diff.abs_bad < diff.rel_bad ? diff.abs_bad : diff.rel_bad;
    occurrence->corrections = 0;
    if (n_bad && add_corrections(match, occurrence, expected, n_bad, diff.abs_bad <= diff.rel_bad))
      return OCT_ERR_NOMEM;
    pattern->disturbed += n_bad > 0;
    pattern->corrections += n_bad;
    for (uint32_t k = 0; k < n; k++) sums[k] += match->actual[k];
  }
  return 0;
}

int oct_ev_match_refit(oct_ev_match *match, oct_ev_occurrence *occurrences, uint32_t first) {
  /* Each pattern costs a walk over all occurrences, so few patterns only. */
  if (match->n_patterns - match->first_pattern > OCT_EV_LIVE_MAX) return 0;
  for (size_t k = match->first_pattern; k < match->n_patterns; k++) {
    const oct_ev_pattern *pattern = &match->patterns[k];
    if (pattern->count < 3 || 2 * (uint64_t)pattern->corrections <= pattern->count) continue;
    if (refit(match, occurrences, first, (uint32_t)k)) return OCT_ERR_NOMEM;
  }
  return 0;
}

void oct_ev_match_drop(oct_ev_match *match) {
  match->n_patterns = match->first_pattern;
  match->n_vectors = match->first_vector;
  match->n_corrections = match->first_correction;
}

void oct_ev_match_free(oct_ev_match *match) {
  free(match->patterns);
  free(match->vectors);
  free(match->sums);
  free(match->corrections);
  free(match->actual);
  free(match->spare);
  memset(match, 0, sizeof *match);
}
