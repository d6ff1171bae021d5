/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_survey.c - what the patterns of an event file say about the program.
 *
 * The file is walked once by items. Occurrences with the same sequence of calls make a group: how
 * many there are, how long they last (mean, deviation, and percentiles from bins that grow with the
 * duration), and when they take place, as stretches of time in which they follow each other.
 * Nothing is unfolded to events. */
#include "oct_ev_survey.h"

#include <xxhash.h>

#include "oct_ev_cursor.h"
#include "oct_mask.h"

/* A group while it is counted. */
typedef struct tally {
  oct_ev_group g;
  XXH128_hash_t hash;
  double mean, square; /* of the durations, by Welford */
  uint32_t last_location;
  uint64_t *fixed;  /* corrections by index; NULL = none yet */
  uint64_t *lasted; /* occurrences by bin_of their duration */
  size_t n_bins;
} tally;

typedef struct surveyor {
  oct_ev_survey *s;
  tally *tallies;
  size_t n, cap;
  uint32_t *slots; /* hash of tallies: number + 1 */
  size_t n_slots;
  uint32_t **group_of; /* by segment and pattern: number + 1, 0 = not yet looked up */
  size_t stretches_cap;
  uint64_t grain; /* stretches of a group with gaps up to this are one */
} surveyor;

static int grow_slots(surveyor *v) {
  size_t n = v->n_slots ? 2 * v->n_slots : 256;
  uint32_t *slots = calloc(n, sizeof *slots);
  if (!slots) return OCT_ERR_NOMEM;
  for (size_t i = 0; i < v->n; i++) {
    size_t at = (size_t)v->tallies[i].hash.low64 & (n - 1);
    while (slots[at]) at = (at + 1) & (n - 1);
    slots[at] = (uint32_t)i + 1;
  }
  free(v->slots);
  v->slots = slots;
  v->n_slots = n;
  return 0;
}

/* The tally of a pattern's sequence of calls; or an error. */
static int64_t find_tally(surveyor *v, const oct_ev_shape *p) {
  if (2 * (v->n + 1) > v->n_slots && grow_slots(v)) return OCT_ERR_NOMEM;
  XXH128_hash_t hash = XXH3_128bits(p->ops, p->order * sizeof *p->ops);
  size_t at = (size_t)hash.low64 & (v->n_slots - 1);
  for (; v->slots[at]; at = (at + 1) & (v->n_slots - 1))
    if (XXH128_isEqual(v->tallies[v->slots[at] - 1].hash, hash)) return v->slots[at] - 1;
  if (oct_ev_grow((void **)&v->tallies, &v->cap, v->n + 1, sizeof *v->tallies))
    return OCT_ERR_NOMEM;
  tally *t = &v->tallies[v->n];
  memset(t, 0, sizeof *t);
  t->hash = hash;
  t->last_location = UINT32_MAX;
  t->g.order = p->order;
  if (!(t->g.ops = malloc(p->order * sizeof *p->ops))) return OCT_ERR_NOMEM;
  memcpy(t->g.ops, p->ops, p->order * sizeof *p->ops);
  v->slots[at] = (uint32_t)++v->n;
  return (int64_t)v->n - 1;
}

static int64_t tally_of(surveyor *v, oct_ev_store *store, const oct_ev_item_read *item) {
  uint32_t **known = &v->group_of[item->segment];
  if (!*known && !(*known = calloc((size_t)store->parts[item->segment].n_patterns, sizeof **known)))
    return OCT_ERR_NOMEM;
  uint32_t *group = &(*known)[item->pattern];
  if (!*group) {
    int64_t found = find_tally(v, item->shape);
    if (found < 0) return found;
    *group = (uint32_t)found + 1;
    v->tallies[found].g.n_patterns++;
  }
  return *group - 1;
}

static int count_corrections(tally *t, const oct_ev_item_read *item) {
  if (!item->n_corrections) return 0;
  if (!t->fixed && !(t->fixed = calloc(t->g.order, sizeof *t->fixed))) return OCT_ERR_NOMEM;
  t->g.disturbed++;
  t->g.corrections += item->n_corrections;
  for (uint32_t i = 0; i < item->n_corrections; i++) t->fixed[item->corrections[i]]++;
  return 0;
}

/* Bins of durations: one a tick up to 64, then 64 between a power of two and the next. */
enum { BIN_BITS = 6, BINS = 1 << BIN_BITS };

static size_t bin_of(uint64_t ticks) {
  if (ticks < BINS) return (size_t)ticks;
  unsigned shift = oct_bit_width(ticks) - 1 - BIN_BITS;
  return ((size_t)(shift + 1) << BIN_BITS) + (size_t)((ticks >> shift) & (BINS - 1));
}

/* The longest duration of a bin. */
static uint64_t bin_end(size_t bin) {
  if (bin < BINS) return bin;
  unsigned shift = (unsigned)(bin >> BIN_BITS) - 1;
  return (((uint64_t)(bin & (BINS - 1)) + BINS + 1) << shift) - 1;
}

static int count_duration(tally *t, uint64_t ticks) {
  size_t bin = bin_of(ticks);
  if (bin >= t->n_bins) {
    size_t n = bin + 1 > 2 * t->n_bins ? bin + 1 : 2 * t->n_bins;
    uint64_t *p = realloc(t->lasted, n * sizeof *p);
    if (!p) return OCT_ERR_NOMEM;
    memset(p + t->n_bins, 0, (n - t->n_bins) * sizeof *p);
    t->lasted = p;
    t->n_bins = n;
  }
  t->lasted[bin]++;
  return 0;
}

/* What this share of the occurrences, in percent, last at most. */
static uint64_t percentile(const tally *t, unsigned percent) {
  uint64_t n = t->g.occurrences, wanted = n / 100 * percent + (n % 100 * percent + 99) / 100;
  size_t bin = 0;
  for (uint64_t seen = t->lasted[0]; seen < wanted; seen += t->lasted[bin]) bin++;
  uint64_t ticks = bin_end(bin);
  if (ticks < t->g.min_ticks) return t->g.min_ticks;
  return ticks < t->g.max_ticks ? ticks : t->g.max_ticks;
}

/* Add an occurrence to the stretch before, or begin one. What is too short to be seen between two
 * stretches goes with the one before. */
static int stretch(surveyor *v, uint32_t location, uint32_t group, uint64_t from, uint64_t to,
                   int disturbed) {
  oct_ev_survey *s = v->s;
  oct_ev_stretch *last = s->n_stretches ? &s->stretches[s->n_stretches - 1] : NULL;
  if (last && last->location == location && from - last->to <= v->grain &&
      (last->group == group || to - last->from <= v->grain)) {
    last->to = to;
    last->occurrences++;
    last->disturbed += (uint32_t)disturbed;
    return 0;
  }
  if (oct_ev_grow((void **)&s->stretches, &v->stretches_cap, s->n_stretches + 1,
                  sizeof *s->stretches))
    return OCT_ERR_NOMEM;
  s->stretches[s->n_stretches++] = (oct_ev_stretch){.from = from,
                                                    .to = to,
                                                    .location = location,
                                                    .group = group,
                                                    .occurrences = 1,
                                                    .disturbed = (uint32_t)disturbed};
  return 0;
}

static int look(surveyor *v, oct_ev_store *store, uint32_t location, const oct_ev_item_read *item) {
  if (!item->shape) {
    v->s->plain_events++;
    return 0;
  }
  int64_t group = tally_of(v, store, item);
  if (group < 0) return (int)group;
  tally *t = &v->tallies[group];
  uint64_t from = item->times[0], to = item->times[item->n_events - 1], ticks = to - from;
  if (!t->g.occurrences || ticks < t->g.min_ticks) t->g.min_ticks = ticks;
  if (!t->g.occurrences || from < t->g.first_ticks) t->g.first_ticks = from;
  if (ticks > t->g.max_ticks) t->g.max_ticks = ticks;
  t->g.covered_ticks += ticks;
  v->s->covered_ticks += ticks;
  double off = (double)ticks - t->mean;
  t->mean += off / (double)++t->g.occurrences;
  t->square += off * ((double)ticks - t->mean);
  if (t->last_location != location) t->g.n_locations++; /* locations come one after another */
  t->last_location = location;
  if (count_corrections(t, item) || count_duration(t, ticks)) return OCT_ERR_NOMEM;
  return v->grain ? stretch(v, location, (uint32_t)group, from, to, item->n_corrections > 0) : 0;
}

static int walk(surveyor *v, oct_ev_store *store, oct_diag *diag) {
  oct_ev_chunk_lists lists;
  const oct_ev_item_read *item;
  int got = oct_ev_chunks_list(store, 0, UINT64_MAX, NULL, &lists);
  if (got < 0) oct_fail_in(diag, got, store->name, "out of memory");
  for (uint32_t l = 0; l < store->defs.locations.n && got >= 0; l++) {
    oct_ev_cursor cursor;
    size_t first = lists.start[l];
    oct_ev_cursor_init(&cursor, store, lists.chunks + first, lists.start[l + 1] - first);
    while ((got = oct_ev_cursor_item(&cursor, &item, diag)) > 0)
      if ((got = look(v, store, l, item)) < 0) {
        oct_fail_in(diag, got, store->name, "%s", oct_error_text(got));
        break;
      }
    oct_ev_cursor_free(&cursor);
  }
  oct_ev_chunks_free(&lists);
  return got < 0 ? got : 0;
}

typedef struct rank {
  uint64_t covered;
  uint32_t tally;
} rank;

static int by_covered(const void *a, const void *b) {
  const rank *x = a, *y = b;
  if (x->covered != y->covered) return x->covered < y->covered ? 1 : -1;
  return x->tally < y->tally ? -1 : 1;
}

/* Root of the mean square without the mathematical library: by Newton. */
static double root(double square) {
  double x = square > 1 ? square : 1;
  for (int i = 0; i < 200 && x * x - square > 1e-9 * square; i++) x = (x + square / x) / 2;
  return square > 0 ? x : 0;
}

static int conclude(surveyor *v) {
  oct_ev_survey *s = v->s;
  rank *ranks = malloc((v->n + 1) * sizeof *ranks);
  uint32_t *place = malloc((v->n + 1) * sizeof *place);
  s->groups = calloc(v->n + 1, sizeof *s->groups);
  if (!ranks || !place || !s->groups) {
    free(ranks);
    free(place);
    return OCT_ERR_NOMEM;
  }
  for (size_t i = 0; i < v->n; i++)
    ranks[i] = (rank){.covered = v->tallies[i].g.covered_ticks, .tally = (uint32_t)i};
  qsort(ranks, v->n, sizeof *ranks, by_covered);
  for (size_t i = 0; i < v->n; i++) {
    tally *t = &v->tallies[ranks[i].tally];
    t->g.mean_ticks = t->mean;
    t->g.median_ticks = percentile(t, 50);
    t->g.p90_ticks = percentile(t, 90);
    t->g.p99_ticks = percentile(t, 99);
    t->g.deviation_ticks = root(t->square / (double)t->g.occurrences);
    for (uint32_t k = 0; t->fixed && k + 1 < t->g.order; k++) {
      if (t->fixed[k] <= t->g.worst_count) continue;
      t->g.worst = k;
      t->g.worst_count = t->fixed[k];
    }
    place[ranks[i].tally] = (uint32_t)i;
    s->groups[s->n_groups++] = t->g;
    t->g.ops = NULL;
  }
  for (size_t i = 0; i < s->n_stretches; i++) s->stretches[i].group = place[s->stretches[i].group];
  free(ranks);
  free(place);
  return 0;
}

int oct_ev_survey_make(oct_ev_reader *r, size_t n_stretches, oct_ev_survey *s, oct_diag *diag) {
  oct_ev_store *store = oct_ev_reader_store(r);
  surveyor v = {.s = s};
  memset(s, 0, sizeof *s);
  oct_ev_reader_span(r, &s->from, &s->to);
  if (n_stretches) v.grain = (s->to - s->from) / n_stretches + 1;
  v.group_of = calloc(store->n_parts + 1, sizeof *v.group_of);
  int error = v.group_of ? walk(&v, store, diag) : OCT_ERR_NOMEM;
  if (!error) error = conclude(&v);
  if (error == OCT_ERR_NOMEM) oct_fail_in(diag, error, store->name, "out of memory");
  for (size_t i = 0; i < v.n; i++) {
    free(v.tallies[i].g.ops);
    free(v.tallies[i].fixed);
    free(v.tallies[i].lasted);
  }
  for (size_t i = 0; v.group_of && i < store->n_parts; i++) free(v.group_of[i]);
  free(v.group_of);
  free(v.tallies);
  free(v.slots);
  if (error) oct_ev_survey_free(s);
  return error;
}

void oct_ev_survey_free(oct_ev_survey *s) {
  for (size_t i = 0; i < s->n_groups; i++) free(s->groups[i].ops);
  free(s->groups);
  free(s->stretches);
  memset(s, 0, sizeof *s);
}
