/* SPDX-License-Identifier: Apache-2.0 */
/* oct_sequitur_map.h - inside of the library: 64-bit values to numbers from 0, in order of coming.
 */
#ifndef OCT_SEQUITUR_MAP_H
#define OCT_SEQUITUR_MAP_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "octrace/error.h"
#include "oct_hash.h"

typedef struct oct_number_map {
  uint64_t *values; /* [n_values], by number */
  uint32_t *places; /* open addressing, linear probing: number + 1, 0 when empty */
  uint32_t n_values, places_log2;
} oct_number_map;

enum { OCT_NUMBER_MAP_LOG2_MIN = 10, OCT_NUMBER_MAP_LOG2_MAX = 31 };

static inline uint32_t oct_number_map_home(uint64_t value, uint32_t log2) {
  value ^= value >> 32;
  return (uint32_t)((value * OCT_HASH_FACTOR) >> (64 - log2));
}

/* Twice the places, and values for half of them: 0 or OCT_ERR_NOMEM. */
static inline int oct_number_map_grow(oct_number_map *m) {
  uint32_t log2 = m->places_log2 ? m->places_log2 + 1 : OCT_NUMBER_MAP_LOG2_MIN;
  if (log2 > OCT_NUMBER_MAP_LOG2_MAX) return OCT_ERR_NOMEM;
  const uint32_t mask = ((uint32_t)1 << log2) - 1;
  uint64_t *values = (uint64_t *)realloc(m->values, sizeof *values << (log2 - 1));
  if (!values) return OCT_ERR_NOMEM;
  m->values = values;
  uint32_t *places = (uint32_t *)calloc((size_t)1 << log2, sizeof *places);
  if (!places) return OCT_ERR_NOMEM;
  for (uint32_t number = 0; number < m->n_values; number++) {
    uint32_t at = oct_number_map_home(values[number], log2);
    while (places[at]) at = (at + 1) & mask;
    places[at] = number + 1;
  }
  free(m->places);
  m->places = places;
  m->places_log2 = log2;
  return 0;
}

/* The value's number, a new one where it has none: 0 or OCT_ERR_NOMEM. */
static inline int oct_number_map_get(oct_number_map *m, uint64_t value, uint32_t *number) {
  if ((uint64_t)m->n_values * 2 + 2 > (uint64_t)1 << m->places_log2 && oct_number_map_grow(m))
    return OCT_ERR_NOMEM;
  const uint32_t mask = ((uint32_t)1 << m->places_log2) - 1;
  uint32_t at = oct_number_map_home(value, m->places_log2);
  for (; m->places[at]; at = (at + 1) & mask)
    if (m->values[m->places[at] - 1] == value) {
      *number = m->places[at] - 1;
      return 0;
    }
  m->values[m->n_values++] = value;
  m->places[at] = m->n_values;
  *number = m->n_values - 1;
  return 0;
}

/* Forget all values; keeps the memory. */
static inline void oct_number_map_reset(oct_number_map *m) {
  if (m->places) memset(m->places, 0, sizeof *m->places << m->places_log2);
  m->n_values = 0;
}

static inline void oct_number_map_free(oct_number_map *m) {
  free(m->values);
  free(m->places);
  memset(m, 0, sizeof *m);
}

#endif
