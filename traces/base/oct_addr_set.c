/* SPDX-License-Identifier: Apache-2.0 */
/* oct_addr_set.c - a set of addresses by open addressing, at most half full. */
#include "oct_addr_set.h"

#include <stdlib.h>

#include "octrace/error.h"
#include "oct_hash.h"

enum { SLOTS_MIN_BITS = 10 };

/* The slot of the address, or the free one where it belongs. */
static uint64_t *place(const oct_addr_set *set, uint64_t addr) {
  uint64_t i = addr * OCT_HASH_FACTOR >> 32;
  while (set->slots[i & (set->n_slots - 1)] && set->slots[i & (set->n_slots - 1)] != addr) i++;
  return &set->slots[i & (set->n_slots - 1)];
}

static int grow(oct_addr_set *set) {
  const oct_addr_set old = *set;
  set->n_slots = old.n_slots ? 2 * old.n_slots : (size_t)1 << SLOTS_MIN_BITS;
  set->slots = calloc(set->n_slots, sizeof *set->slots);
  if (!set->slots) {
    *set = old;
    return OCT_ERR_NOMEM;
  }
  for (size_t i = 0; i < old.n_slots; i++)
    if (old.slots[i]) *place(set, old.slots[i]) = old.slots[i];
  free(old.slots);
  return 0;
}

int oct_addr_set_put(oct_addr_set *set, uint64_t addr) {
  if (!addr) {
    int is_new = !set->has_zero;
    set->has_zero = 1;
    return is_new;
  }
  if (2 * (set->n + 1) > set->n_slots && grow(set)) return OCT_ERR_NOMEM;
  uint64_t *slot = place(set, addr);
  if (*slot) return 0;
  *slot = addr;
  set->n++;
  return 1;
}

int oct_addr_set_has(const oct_addr_set *set, uint64_t addr) {
  if (!addr) return set->has_zero;
  return set->n_slots && *place(set, addr) == addr;
}

void oct_addr_set_free(oct_addr_set *set) {
  free(set->slots);
  *set = (oct_addr_set){0};
}
