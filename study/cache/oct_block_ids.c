/* SPDX-License-Identifier: Apache-2.0 */
/* oct_block_ids.c - numbers distinct blocks in order of appearance.
 *
 * An open-addressing hash table with linear probing, its keys and numbers in arrays of their own,
 * kept at most three quarters full. The slot of a block that will be asked for can be fetched
 * ahead. */
#include "oct_block_ids.h"

#include <stdlib.h>

#include "octrace/error.h"
#include "oct_hash.h"

enum { FIRST_SIZE = 4096 };

int oct_block_ids_init(oct_block_ids *b) {
  *b = (oct_block_ids){.size = FIRST_SIZE};
  b->blocks = malloc(FIRST_SIZE * sizeof *b->blocks);
  b->ids = calloc(FIRST_SIZE, sizeof *b->ids);
  if (b->blocks && b->ids) return 0;
  oct_block_ids_free(b);
  return OCT_ERR_NOMEM;
}

void oct_block_ids_free(oct_block_ids *b) {
  free(b->blocks);
  free(b->ids);
  *b = (oct_block_ids){0};
}

static size_t first_slot(const oct_block_ids *b, uint64_t block) {
  return (size_t)((block * OCT_HASH_FACTOR) >> 24) & (b->size - 1);
}

void oct_block_ids_prefetch(const oct_block_ids *b, uint64_t block) {
  size_t i = first_slot(b, block);
  __builtin_prefetch(&b->blocks[i]);
  __builtin_prefetch(&b->ids[i]);
}

static size_t slot_of(const oct_block_ids *b, uint64_t block) {
  size_t i = first_slot(b, block);
  while (b->ids[i] && b->blocks[i] != block) i = (i + 1) & (b->size - 1);
  return i;
}

static int grow(oct_block_ids *b) {
  oct_block_ids grown = {.size = 2 * b->size, .count = b->count};
  grown.blocks = malloc(grown.size * sizeof *grown.blocks);
  grown.ids = calloc(grown.size, sizeof *grown.ids);
  if (!grown.blocks || !grown.ids) {
    oct_block_ids_free(&grown);
    return OCT_ERR_NOMEM;
  }
  for (size_t i = 0; i < b->size; i++) {
    if (!b->ids[i]) continue;
    size_t to = slot_of(&grown, b->blocks[i]);
    grown.blocks[to] = b->blocks[i];
    grown.ids[to] = b->ids[i];
  }
  oct_block_ids_free(b);
  *b = grown;
  return 0;
}

int64_t oct_block_ids_get(oct_block_ids *b, uint64_t block) {
  size_t i = slot_of(b, block);
  if (b->ids[i]) return b->ids[i];
  if (b->count == UINT32_MAX - 1) return OCT_ERR_LIMIT;
  if (4 * ((size_t)b->count + 1) > 3 * b->size) {
    if (grow(b)) return OCT_ERR_NOMEM;
    i = slot_of(b, block);
  }
  b->blocks[i] = block;
  b->ids[i] = ++b->count;
  return b->count;
}
