/* SPDX-License-Identifier: Apache-2.0 */
/* oct_native_index.h - inside of the library: the index of a native trace, for its reader. */
#ifndef OCT_NATIVE_INDEX_H
#define OCT_NATIVE_INDEX_H

#ifndef XXH_STATIC_LINKING_ONLY
#define XXH_STATIC_LINKING_ONLY /* a hash state in a struct */
#endif
#include "oct_native_decode.h"

#include <stdbool.h>
#include <xxhash.h>

typedef struct oct_native_index {
  uint8_t *records;      /* NULL: it was not read before the blocks */
  const uint8_t *hashes; /* behind the records, of their blocks; NULL: it has none */
  size_t n, next_hash;
  XXH64_state_t seen; /* hashes of all blocks so far, in case that the index comes behind them */
} oct_native_index;

void oct_native_index_init(oct_native_index *x);
void oct_native_index_free(oct_native_index *x);
/* Whether the payload of b has the size of an index of its number of records. */
bool oct_native_index_fits(const oct_native_block *b);
/* Keep the index that b is. Without memory it is not kept. */
void oct_native_index_keep(oct_native_index *x, const oct_native_block *b);
/* Block b, whose header is head, was read: whether the index, if it was kept and has hashes, names
 * it, by its place and its hash. */
bool oct_native_index_names(oct_native_index *x, const oct_native_block *b, const uint8_t *head);
/* Whether the index that b is, if it has hashes, names the blocks that were read. */
bool oct_native_index_names_all(const oct_native_index *x, const oct_native_block *b);

#endif
