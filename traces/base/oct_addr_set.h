/* SPDX-License-Identifier: Apache-2.0 */
/* oct_addr_set.h - a set of addresses: which were seen before. */
#ifndef OCT_ADDR_SET_H
#define OCT_ADDR_SET_H

#include <stddef.h>
#include <stdint.h>

/* All 0: empty. */
typedef struct oct_addr_set {
  uint64_t *slots; /* 0: free, as address 0 has a field of its own */
  size_t n, n_slots;
  int has_zero;
} oct_addr_set;

/* 1 where the address is new, 0 where it was there, or OCT_ERR_NOMEM. */
int oct_addr_set_put(oct_addr_set *set, uint64_t addr);
/* Whether the address is there. */
int oct_addr_set_has(const oct_addr_set *set, uint64_t addr);
void oct_addr_set_free(oct_addr_set *set);

#endif
