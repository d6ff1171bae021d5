/* SPDX-License-Identifier: Apache-2.0 */
/* oct_block_ids.h - numbers distinct blocks 1, 2, ... in order of appearance.
 *
 * oct_stream_ids numbers streams, whose key is longer and which it keeps by number: four times the
 * memory for each, and traces have hundreds of millions of blocks. */
#ifndef OCT_BLOCK_IDS_H
#define OCT_BLOCK_IDS_H

#include <stddef.h>
#include <stdint.h>

typedef struct oct_block_ids {
  uint64_t *blocks; /* open addressing, a power of two, at most 3/4 used */
  uint32_t *ids;    /* of the block in the same slot, 0 = free */
  size_t size;
  uint32_t count;
} oct_block_ids;

/* Start empty; OCT_ERR_NOMEM. */
int oct_block_ids_init(oct_block_ids *b);
void oct_block_ids_free(oct_block_ids *b);
/* Fetch into the host's cache what oct_block_ids_get will look at. */
void oct_block_ids_prefetch(const oct_block_ids *b, uint64_t block);
/* The number of a block; a new one is the new count. OCT_ERR_NOMEM; OCT_ERR_LIMIT beyond 2^32 - 2
 * blocks. */
int64_t oct_block_ids_get(oct_block_ids *b, uint64_t block);

#endif
