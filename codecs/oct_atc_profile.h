/* SPDX-License-Identifier: Apache-2.0 */
/* oct_atc_profile.h - inside of ATC: what an interval looks like, how far it is from another, and
 * the table of those that became chunks (Michaud 2009, sections 5.1 and 5.2). */
#ifndef OCT_ATC_PROFILE_H
#define OCT_ATC_PROFILE_H

#include <stddef.h>
#include <stdint.h>

enum { OCT_ATC_BYTES = 8, OCT_ATC_SYMBOLS = 256 };

/* The histograms of an interval of n addresses; byte 0 is the least significant. */
typedef struct oct_atc_profile {
  uint64_t n;
  uint32_t count[OCT_ATC_BYTES][OCT_ATC_SYMBOLS];  /* h[j] */
  uint32_t sorted[OCT_ATC_BYTES][OCT_ATC_SYMBOLS]; /* h'[j](i) = h[j](p[j](i)), decreasing */
  uint8_t order[OCT_ATC_BYTES][OCT_ATC_SYMBOLS];   /* p[j], equal counts by their byte */
} oct_atc_profile;

void oct_atc_profile_make(const uint64_t *values, size_t n, oct_atc_profile *profile);
/* d(a, b) of two histograms of n addresses each, 0 .. 2. */
double oct_atc_histogram_distance(const uint32_t *a, const uint32_t *b, uint64_t n);
/* D(a, b), formula (2); both of the same n > 0. */
double oct_atc_profile_distance(const oct_atc_profile *a, const oct_atc_profile *b);
/* What makes the bytes of interval `from` imitate those of `to`: map[j] for each set bit j of the
 * result, where the unsorted histograms are further apart than threshold. */
unsigned oct_atc_translation(const oct_atc_profile *from, const oct_atc_profile *to,
                             double threshold, uint8_t map[][OCT_ATC_SYMBOLS]);

/* The histogram table: a ring of the newest chunks. */
typedef struct oct_atc_table {
  struct oct_atc_table_entry {
    oct_atc_profile profile;
    uint32_t chunk;
  } * *entries;
  size_t room, n, next; /* next: where the next one goes, the oldest when the table is full */
} oct_atc_table;

/* 0 or OCT_ERR_NOMEM. */
int oct_atc_table_init(oct_atc_table *table, size_t room);
void oct_atc_table_free(oct_atc_table *table);
/* 0 or OCT_ERR_NOMEM. */
int oct_atc_table_add(oct_atc_table *table, const oct_atc_profile *profile, uint32_t chunk);
/* The chunk at the smallest distance, if that is below threshold, the oldest of several; its
 * number, and *profile; or 0. */
uint32_t oct_atc_table_find(const oct_atc_table *table, const oct_atc_profile *profile,
                            double threshold, const oct_atc_profile **found);
/* Whether an interval can be imitated, section 5.2: the chunk found so, *mask and map as
 * oct_atc_translation gives them; or 0. */
uint32_t oct_atc_imitate(const oct_atc_table *table, const oct_atc_profile *profile,
                         double threshold, unsigned *mask, uint8_t map[][OCT_ATC_SYMBOLS]);
/* The imitation: n addresses with the bytes of mask translated. maps has 256 bytes for each bit
 * set, the least significant first. */
void oct_atc_translate(const uint8_t *maps, unsigned mask, const uint64_t *from, uint64_t *to,
                       size_t n);

#endif
