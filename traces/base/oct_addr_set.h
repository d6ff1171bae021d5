/* SPDX-License-Identifier: Apache-2.0 */
/* oct_addr_set.h - a set of addresses: which were seen before. */
#ifndef OCT_ADDR_SET_H
#define OCT_ADDR_SET_H

#include <stddef.h>
#include <stdint.h>

/* All 0: empty. */
typedef struct oct_addr_set {
  struct oct_addr_group *groups;
  size_t n, n_groups; /* used, and a power of two that there are */
} oct_addr_set;

/* 1 where the address is new, 0 where it was there, or OCT_ERR_NOMEM. */
int oct_addr_set_put(oct_addr_set *set, uint64_t addr);
/* Whether the address is there. */
int oct_addr_set_has(const oct_addr_set *set, uint64_t addr);
void oct_addr_set_free(oct_addr_set *set);

#endif
