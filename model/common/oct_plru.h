/* SPDX-License-Identifier: Apache-2.0 */
/* oct_plru.h - tree pseudo-LRU: one bit for each node of a binary tree over the ways, which points
 * towards the half that was used longer ago. Node 1 is the root, node i stands in bit i. */
#ifndef OCT_PLRU_H
#define OCT_PLRU_H

#include <stdint.h>

/* Point every node on the path to way away from it; ways is a power of two, 1..64. */
static inline uint64_t oct_plru_use(uint64_t bits, uint32_t ways, uint32_t way) {
  uint32_t node = 1;
  for (uint32_t half = ways >> 1; half; half >>= 1) {
    uint32_t right = (way & half) != 0;
    bits = (bits & ~(UINT64_C(1) << node)) | ((uint64_t)(right ^ 1u) << node);
    node = 2 * node + right;
  }
  return bits;
}

/* The way that all nodes point to. */
static inline uint32_t oct_plru_victim(uint64_t bits, uint32_t ways) {
  uint32_t node = 1;
  while (node < ways) node = 2 * node + (uint32_t)((bits >> node) & 1u);
  return node - ways;
}

#endif
