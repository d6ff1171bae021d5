/* SPDX-License-Identifier: Apache-2.0 */
/* oct_atc_profile.c - histograms of intervals, their distance, translations, and the table (Michaud
 * 2009, sections 5.1 and 5.2).
 *
 * An interval is described by eight histograms, one for each byte of its addresses, each also
 * sorted by count. Two intervals look alike when their sorted histograms are near: then a
 * translation of byte values, the i-th most frequent of one to the i-th of the other, turns one
 * into an imitation of the other. The table keeps the profiles of the newest chunks in a ring and
 * is searched from end to end. */
#include "oct_atc_profile.h"

#include <stdlib.h>
#include <string.h>

#include "octrace/error.h"

/* By decreasing count, then by byte: what a stable sort gives. */
static int compare_keys(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static void sort_histogram(const uint32_t *count, uint32_t *sorted, uint8_t *order) {
  uint64_t keys[OCT_ATC_SYMBOLS];
  for (unsigned c = 0; c < OCT_ATC_SYMBOLS; c++) keys[c] = (uint64_t)~count[c] << 8 | c;
  qsort(keys, OCT_ATC_SYMBOLS, sizeof *keys, compare_keys);
  for (unsigned i = 0; i < OCT_ATC_SYMBOLS; i++) {
    order[i] = (uint8_t)keys[i];
    sorted[i] = count[order[i]];
  }
}

void oct_atc_profile_make(const uint64_t *values, size_t n, oct_atc_profile *p) {
  memset(p->count, 0, sizeof p->count);
  p->n = n;
  for (size_t i = 0; i < n; i++)
    for (unsigned j = 0; j < OCT_ATC_BYTES; j++) p->count[j][values[i] >> 8 * j & 255]++;
  for (unsigned j = 0; j < OCT_ATC_BYTES; j++)
    sort_histogram(p->count[j], p->sorted[j], p->order[j]);
}

double oct_atc_histogram_distance(const uint32_t *a, const uint32_t *b, uint64_t n) {
  uint64_t sum = 0;
  for (unsigned c = 0; c < OCT_ATC_SYMBOLS; c++) sum += a[c] < b[c] ? b[c] - a[c] : a[c] - b[c];
  return (double)sum / (double)n;
}

double oct_atc_profile_distance(const oct_atc_profile *a, const oct_atc_profile *b) {
  double most = 0;
  for (unsigned j = 0; j < OCT_ATC_BYTES; j++) {
    double d = oct_atc_histogram_distance(a->sorted[j], b->sorted[j], a->n);
    if (d > most) most = d;
  }
  return most;
}

unsigned oct_atc_translation(const oct_atc_profile *from, const oct_atc_profile *to,
                             double threshold, uint8_t map[][OCT_ATC_SYMBOLS]) {
  unsigned mask = 0;
  for (unsigned j = 0; j < OCT_ATC_BYTES; j++) {
    if (!(oct_atc_histogram_distance(from->count[j], to->count[j], from->n) > threshold)) continue;
    mask |= 1u << j;
    for (unsigned i = 0; i < OCT_ATC_SYMBOLS; i++) map[j][from->order[j][i]] = to->order[j][i];
  }
  return mask;
}

int oct_atc_table_init(oct_atc_table *t, size_t room) {
  *t = (oct_atc_table){.room = room};
  t->entries = calloc(room, sizeof *t->entries);
  return t->entries ? 0 : OCT_ERR_NOMEM;
}

void oct_atc_table_free(oct_atc_table *t) {
  for (size_t i = 0; i < t->n; i++) free(t->entries[i]);
  free(t->entries);
  *t = (oct_atc_table){0};
}

int oct_atc_table_add(oct_atc_table *t, const oct_atc_profile *profile, uint32_t chunk) {
  if (t->next == t->n) {
    t->entries[t->n] = malloc(sizeof **t->entries);
    if (!t->entries[t->n]) return OCT_ERR_NOMEM;
    t->n++;
  }
  t->entries[t->next]->profile = *profile;
  t->entries[t->next]->chunk = chunk;
  t->next = (t->next + 1) % t->room;
  return 0;
}

uint32_t oct_atc_table_find(const oct_atc_table *t, const oct_atc_profile *profile,
                            double threshold, const oct_atc_profile **found) {
  double least = threshold;
  uint32_t chunk = 0;
  size_t oldest = t->n == t->room ? t->next : 0;
  for (size_t i = 0; i < t->n; i++) {
    const struct oct_atc_table_entry *e = t->entries[(oldest + i) % t->n];
    double d = oct_atc_profile_distance(&e->profile, profile);
    if (!(d < least)) continue;
    least = d;
    chunk = e->chunk;
    *found = &e->profile;
  }
  return chunk;
}

uint32_t oct_atc_imitate(const oct_atc_table *t, const oct_atc_profile *profile, double threshold,
                         unsigned *mask, uint8_t map[][OCT_ATC_SYMBOLS]) {
  const oct_atc_profile *like;
  uint32_t chunk = oct_atc_table_find(t, profile, threshold, &like);
  if (chunk) *mask = oct_atc_translation(like, profile, threshold, map);
  return chunk;
}

void oct_atc_translate(const uint8_t *maps, unsigned mask, const uint64_t *from, uint64_t *to,
                       size_t n) {
  const uint8_t *map[OCT_ATC_BYTES];
  unsigned shifts[OCT_ATC_BYTES], n_maps = 0;
  uint64_t kept_bits = UINT64_MAX;
  for (unsigned j = 0; j < OCT_ATC_BYTES; j++) {
    if (!(mask >> j & 1)) continue;
    map[n_maps] = maps + OCT_ATC_SYMBOLS * n_maps;
    shifts[n_maps++] = 8 * j;
    kept_bits &= ~((uint64_t)255 << 8 * j);
  }
  for (size_t i = 0; i < n; i++) {
    uint64_t v = from[i] & kept_bits;
    for (unsigned m = 0; m < n_maps; m++)
      v |= (uint64_t)map[m][from[i] >> shifts[m] & 255] << shifts[m];
    to[i] = v;
  }
}
