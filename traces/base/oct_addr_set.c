/* SPDX-License-Identifier: Apache-2.0 */
/* oct_addr_set.c - a set of addresses. Those of 64 bytes share a group, with a bit for each, since
 * code stands close together; groups are in a table with open addressing, at most two thirds full.
 */
#include "oct_addr_set.h"

#include <stdlib.h>

#include "octrace/error.h"
#include "oct_hash.h"

enum { GROUPS_MIN_BITS = 6, GROUP_LOG2 = 6 };

typedef struct oct_addr_group {
  uint64_t number; /* of its first address, without the lowest bits */
  uint64_t bits;   /* 0: the place is free */
} group;

static uint64_t bit_of(uint64_t addr) {
  return UINT64_C(1) << (addr & ((1u << GROUP_LOG2) - 1));
}

/* The group with this number, or the free place where it belongs. */
static group *place(const oct_addr_set *set, uint64_t number) {
  uint64_t i = number * OCT_HASH_FACTOR >> 32;
  group *g;
  while ((g = &set->groups[i & (set->n_groups - 1)])->bits && g->number != number) i++;
  return g;
}

static int grow(oct_addr_set *set) {
  const oct_addr_set old = *set;
  set->n_groups = old.n_groups ? 2 * old.n_groups : (size_t)1 << GROUPS_MIN_BITS;
  set->groups = calloc(set->n_groups, sizeof *set->groups);
  if (!set->groups) {
    *set = old;
    return OCT_ERR_NOMEM;
  }
  for (size_t i = 0; i < old.n_groups; i++)
    if (old.groups[i].bits) *place(set, old.groups[i].number) = old.groups[i];
  free(old.groups);
  return 0;
}

int oct_addr_set_put(oct_addr_set *set, uint64_t addr) {
  if (3 * (set->n + 1) > 2 * set->n_groups && grow(set)) return OCT_ERR_NOMEM;
  group *g = place(set, addr >> GROUP_LOG2);
  const uint64_t bit = bit_of(addr);
  if (g->bits & bit) return 0;
  set->n += !g->bits;
  g->number = addr >> GROUP_LOG2;
  g->bits |= bit;
  return 1;
}

int oct_addr_set_has(const oct_addr_set *set, uint64_t addr) {
  return set->n_groups && (place(set, addr >> GROUP_LOG2)->bits & bit_of(addr)) != 0;
}

void oct_addr_set_free(oct_addr_set *set) {
  free(set->groups);
  *set = (oct_addr_set){0};
}
