/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_segment.c - the name spaces of all locations merged into that of a segment (Knüpfer 2003,
 * section 4.2).
 *
 * A hash of the construction finds an equal meta-event, a hash of the vector an equal pattern. A
 * meta-event with patterns stays if what these save over all locations is more than its definition
 * and those of its parts cost; patterns are numbered by how often they occur, so that frequent ones
 * have short numbers. */
#include "oct_ev_segment.h"

#include <xxhash.h>

/* Translate the meta-events that a location's patterns need, parts first. */
static int merge_metas(oct_ev_segment *s, const oct_ev_location *l, const oct_ev_choice *c,
                       uint32_t *translation) {
  size_t n = l->metas.n;
  for (size_t i = 0; i < n; i++) translation[i] = OCT_EV_NONE;
  for (size_t i = 0; i < c->match.n_patterns; i++) translation[c->match.patterns[i].meta] = 0;
  for (size_t i = n; i-- > 0;) {
    const oct_ev_meta *m = &l->metas.v[i];
    if (translation[i] == OCT_EV_NONE) continue;
    if (m->rule == OCT_EV_RULE_JOIN) translation[m->a] = 0;
    if (m->rule != OCT_EV_RULE_PAIR) translation[m->b] = 0;
  }
  for (size_t i = 0; i < n; i++) {
    const oct_ev_meta *m = &l->metas.v[i];
    if (translation[i] == OCT_EV_NONE) continue;
    int64_t token =
        oct_ev_meta_get(&s->metas, m->rule, m->rule == OCT_EV_RULE_JOIN ? translation[m->a] : m->a,
                        m->rule == OCT_EV_RULE_PAIR ? 0 : translation[m->b], m->order);
    if (token < 0) return (int)token;
    translation[i] = (uint32_t)token;
  }
  return 0;
}

static size_t hash_pattern(uint32_t meta, uint32_t order, const uint64_t *vector) {
  return (size_t)XXH3_64bits_withSeed(vector, (order - 1) * sizeof *vector, meta);
}

static int grow_slots(oct_ev_segment *s) {
  size_t n = s->n_slots ? 2 * s->n_slots : 256;
  uint32_t *slots = calloc(n, sizeof *slots);
  if (!slots) return OCT_ERR_NOMEM;
  for (size_t i = 0; i < s->n_patterns; i++) {
    const oct_ev_merged *p = &s->patterns[i];
    size_t at = hash_pattern(p->meta, p->order, p->vector) & (n - 1);
    while (slots[at]) at = (at + 1) & (n - 1);
    slots[at] = (uint32_t)i + 1;
  }
  free(s->slots);
  s->slots = slots;
  s->n_slots = n;
  return 0;
}

/* The place of a pattern in s->patterns: that of an equal one, or a new one. */
static int64_t place_pattern(oct_ev_segment *s, uint32_t meta, uint32_t order,
                             const uint64_t *vector) {
  if (2 * (s->n_patterns + 1) > s->n_slots && grow_slots(s)) return OCT_ERR_NOMEM;
  size_t at = hash_pattern(meta, order, vector) & (s->n_slots - 1);
  for (; s->slots[at]; at = (at + 1) & (s->n_slots - 1)) {
    const oct_ev_merged *p = &s->patterns[s->slots[at] - 1];
    if (p->meta == meta && !memcmp(p->vector, vector, (order - 1) * sizeof *vector))
      return s->slots[at] - 1;
  }
  if (oct_ev_grow((void **)&s->patterns, &s->patterns_cap, s->n_patterns + 1, sizeof *s->patterns))
    return OCT_ERR_NOMEM;
  s->patterns[s->n_patterns] =
      (oct_ev_merged){.meta = meta, .order = order, .number = OCT_EV_NONE, .vector = vector};
  s->slots[at] = (uint32_t)++s->n_patterns;
  return (int64_t)s->n_patterns - 1;
}

static int merge_location(oct_ev_segment *s, size_t at, const oct_ev_location *l,
                          const oct_ev_choice *c) {
  const oct_ev_match *m = &c->match;
  uint32_t *metas = malloc((l->metas.n + 1) * sizeof *metas);
  uint32_t *patterns = malloc((m->n_patterns + 1) * sizeof *patterns);
  s->translation[at] = patterns;
  int error = metas && patterns ? merge_metas(s, l, c, metas) : OCT_ERR_NOMEM;
  for (size_t i = 0; i < m->n_patterns && !error; i++) {
    const oct_ev_pattern *p = &m->patterns[i];
    int64_t place = place_pattern(s, metas[p->meta], p->order, m->vectors + p->vector);
    if (place < 0) {
      error = (int)place;
      break;
    }
    oct_ev_merged *q = &s->patterns[place];
    patterns[i] = (uint32_t)place;
    q->count += p->count;
    q->disturbed += p->disturbed;
    q->corrections += p->corrections;
    if (p->t_abs_ticks > q->t_abs_ticks) q->t_abs_ticks = p->t_abs_ticks;
    if (p->t_rel_ppm > q->t_rel_ppm) q->t_rel_ppm = p->t_rel_ppm;
  }
  free(metas);
  return error;
}

/* A meta-event that has patterns, and the bytes of records that they save. */
typedef struct root {
  int64_t gain;
  uint32_t meta;
} root;

static int by_gain(const void *a, const void *b) {
  const root *x = a, *y = b;
  if (x->gain != y->gain) return x->gain < y->gain ? 1 : -1;
  return x->meta < y->meta ? -1 : x->meta > y->meta;
}

/* Mark root and its parts as needed, unless their definitions eat up the gain; list is the memory
 * for those newly marked. Returns whether root is kept. */
static int keep_root(oct_ev_segment *s, const root *r, uint32_t *list, int keep_all) {
  uint64_t most = keep_all ? UINT64_MAX : r->gain > 0 ? (uint64_t)r->gain / OCT_EV_META_BYTES : 0;
  size_t n = 0;
  if (s->meta_number[r->meta] == OCT_EV_NONE) {
    s->meta_number[r->meta] = 0;
    list[n++] = r->meta;
  }
  for (size_t i = 0; i < n && n <= most; i++) {
    const oct_ev_meta *m = &s->metas.v[list[i]];
    uint32_t part[2] = {m->b, m->a};
    int n_parts = m->rule == OCT_EV_RULE_JOIN ? 2 : m->rule == OCT_EV_RULE_AROUND ? 1 : 0;
    for (int k = 0; k < n_parts; k++) {
      if (s->meta_number[part[k]] != OCT_EV_NONE) continue;
      s->meta_number[part[k]] = 0;
      list[n++] = part[k];
    }
  }
  if (n <= most && (keep_all || r->gain > 0)) return 1;
  while (n) s->meta_number[list[--n]] = OCT_EV_NONE;
  return 0;
}

typedef struct rank {
  uint64_t count;
  uint32_t place;
} rank;

static int by_count(const void *a, const void *b) {
  const rank *x = a, *y = b;
  if (x->count != y->count) return x->count < y->count ? 1 : -1;
  return x->place < y->place ? -1 : x->place > y->place;
}

/* Number the patterns of kept meta-events by how often they occur. */
static int number_patterns(oct_ev_segment *s, const uint8_t *kept) {
  rank *ranks = malloc((s->n_patterns + 1) * sizeof *ranks);
  s->pattern_order = malloc((s->n_patterns + 1) * sizeof *s->pattern_order);
  if (!ranks || !s->pattern_order) {
    free(ranks);
    return OCT_ERR_NOMEM;
  }
  for (size_t i = 0; i < s->n_patterns; i++)
    if (kept[s->patterns[i].meta])
      ranks[s->n_kept++] = (rank){.count = s->patterns[i].count, .place = (uint32_t)i};
  qsort(ranks, s->n_kept, sizeof *ranks, by_count);
  for (uint32_t i = 0; i < s->n_kept; i++) {
    s->pattern_order[i] = ranks[i].place;
    s->patterns[ranks[i].place].number = i;
  }
  free(ranks);
  return 0;
}

static int choose_roots(oct_ev_segment *s, int keep_all) {
  size_t n = s->metas.n, n_roots = 0;
  int64_t *gain = calloc(n + 1, sizeof *gain);
  uint8_t *kept = calloc(n + 1, 1);
  uint32_t *list = malloc((n + 1) * sizeof *list);
  root *roots = malloc((n + 1) * sizeof *roots);
  s->meta_number = malloc((n + 1) * sizeof *s->meta_number);
  s->meta_order = malloc((n + 1) * sizeof *s->meta_order);
  int error = OCT_ERR_NOMEM;
  if (!gain || !kept || !list || !roots || !s->meta_number || !s->meta_order) goto end;
  for (size_t i = 0; i < s->n_patterns; i++) {
    const oct_ev_merged *p = &s->patterns[i];
    gain[p->meta] +=
        (int64_t)(OCT_EV_EVENT_BYTES * (uint64_t)p->order * p->count) -
        (int64_t)(OCT_EV_OCCURRENCE_BYTES * p->count + OCT_EV_CORRECTION_BYTES * p->corrections +
                  OCT_EV_PATTERN_BYTES + OCT_EV_PATTERN_ORDER_BYTES * (uint64_t)p->order);
    kept[p->meta] = 1;
  }
  for (size_t i = 0; i < n; i++) {
    s->meta_number[i] = OCT_EV_NONE;
    if (kept[i]) roots[n_roots++] = (root){.gain = gain[i], .meta = (uint32_t)i};
  }
  qsort(roots, n_roots, sizeof *roots, by_gain);
  for (size_t i = 0; i < n_roots; i++)
    kept[roots[i].meta] = (uint8_t)keep_root(s, &roots[i], list, keep_all);
  for (size_t i = 0; i < n; i++) {
    if (s->meta_number[i] == OCT_EV_NONE) continue;
    s->meta_order[s->n_metas] = (uint32_t)i;
    s->meta_number[i] = s->n_metas++;
  }
  error = number_patterns(s, kept);
end:
  free(gain);
  free(kept);
  free(list);
  free(roots);
  return error;
}

int oct_ev_segment_merge(oct_ev_segment *s, const oct_ev_location *const *locations,
                         const oct_ev_choice *choices, size_t n, const oct_ev_params *params) {
  memset(s, 0, sizeof *s);
  s->translation = calloc(n + 1, sizeof *s->translation);
  if (!s->translation) return OCT_ERR_NOMEM;
  s->n_locations = n;
  for (size_t i = 0; i < n; i++) {
    int error = merge_location(s, i, locations[i], &choices[i]);
    if (error) return error;
  }
  return choose_roots(s, (int)params->keep_all);
}

void oct_ev_segment_drop(oct_ev_segment *s) {
  for (size_t i = 0; i < s->n_patterns; i++) s->patterns[i].number = OCT_EV_NONE;
  s->n_metas = s->n_kept = 0;
}

void oct_ev_segment_free(oct_ev_segment *s) {
  oct_ev_metas_free(&s->metas);
  free(s->meta_number);
  free(s->meta_order);
  free(s->patterns);
  free(s->pattern_order);
  for (size_t i = 0; i < s->n_locations; i++) free(s->translation[i]);
  free(s->translation);
  free(s->slots);
  memset(s, 0, sizeof *s);
}
