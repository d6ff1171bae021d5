/* SPDX-License-Identifier: Apache-2.0 */
/* oct_cache.h - one set-associative write-back cache of blocks, tags only. */
#ifndef OCT_CACHE_H
#define OCT_CACHE_H

#include "octrace/cache.h"

/* Where the bits that are looked up stand. A block is an address shifted right by line_log2. */
typedef struct oct_cache {
  oct_cache_config config;
  unsigned line_log2;
  uint64_t set_mask;
  /* sets * ways of block << 1 | dirty, all ones where empty. LRU and FIFO sets are lists, last used
   * or last come first; the ways of the others stay where they are. */
  uint64_t *lines;
  uint64_t *plru;  /* tree bits of a set (oct_plru.h), or NULL */
  uint64_t random; /* state of the generator, the same in every run */
} oct_cache;

/* An empty cache. OCT_ERR_CONFIG with *diag, OCT_ERR_NOMEM. */
int oct_cache_init(oct_cache *c, const oct_cache_config *config, oct_diag *diag);
void oct_cache_free(oct_cache *c);

/* What became of an access. */
typedef struct oct_cache_result {
  bool miss;
  bool write_back;  /* a block that was stored to had to leave: */
  uint64_t evicted; /* this one */
} oct_cache_result;

/* oct_cache_access where the block does not stand first in its set. */
oct_cache_result oct_cache_search(oct_cache *c, uint64_t block, bool is_store);

/* Look a block up, and update: it is in the cache afterwards, unless a store missed that does not
 * allocate. */
static inline oct_cache_result oct_cache_access(oct_cache *c, uint64_t block, bool is_store) {
  uint64_t *first = c->lines + (block & c->set_mask) * c->config.ways;
  if (*first >> 1 == block && !c->plru) {
    *first |= is_store;
    oct_cache_result hit = {false, false, 0};
    return hit;
  }
  return oct_cache_search(c, block, is_store);
}

#endif
