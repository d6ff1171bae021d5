/* SPDX-License-Identifier: Apache-2.0 */
/* oct_native_index.c - the index of a native trace (docs/trace-format.md, kind 3).
 *
 * By it blocks are skipped, and those of another trace are noticed, which are whole and have the
 * right numbers. An index of before 2026-11-26 has no hashes. */
#include "oct_native_index.h"

#include "oct_checksum.h"
#include "oct_reader_format.h"

#include <stdlib.h>
#include <string.h>

void oct_native_index_init(oct_native_index *x) {
  memset(x, 0, sizeof *x);
  XXH64_reset(&x->seen, 0);
}

void oct_native_index_free(oct_native_index *x) {
  free(x->records);
}

static bool has_hashes(const oct_native_block *b) {
  return b->raw_bytes == oct_index_bytes(b->n_items);
}

bool oct_native_index_fits(const oct_native_block *b) {
  return has_hashes(b) || b->raw_bytes == (uint64_t)b->n_items * OCT_INDEX_RECORD_BYTES;
}

void oct_native_index_keep(oct_native_index *x, const oct_native_block *b) {
  x->records = malloc(b->raw_bytes + 1);
  if (!x->records) return;
  memcpy(x->records, b->payload, b->raw_bytes);
  x->n = b->n_items;
  if (has_hashes(b)) x->hashes = x->records + x->n * OCT_INDEX_RECORD_BYTES;
}

bool oct_native_index_names(oct_native_index *x, const oct_native_block *b, const uint8_t *head) {
  const uint8_t *hash = head + (OCT_BLOCK_HEADER_BYTES - OCT_INDEX_HASH_BYTES);
  uint64_t offset = 0;
  XXH64_update(&x->seen, hash, OCT_INDEX_HASH_BYTES);
  if (!x->hashes) return true;
  for (; x->next_hash < x->n; x->next_hash++) {
    offset = oct_get_le(x->records + x->next_hash * OCT_INDEX_RECORD_BYTES, 8);
    if (offset >= b->offset) break;
  }
  bool is_named =
      x->next_hash < x->n && offset == b->offset &&
      !memcmp(x->hashes + x->next_hash * OCT_INDEX_HASH_BYTES, hash, OCT_INDEX_HASH_BYTES);
  return oct_checksum_is(is_named, true);
}

bool oct_native_index_names_all(const oct_native_index *x, const oct_native_block *b) {
  const uint8_t *hashes = b->payload + (size_t)b->n_items * OCT_INDEX_RECORD_BYTES;
  return !has_hashes(b) ||
         oct_checksum_is(XXH64(hashes, (size_t)b->n_items * OCT_INDEX_HASH_BYTES, 0),
                         XXH64_digest(&x->seen));
}
