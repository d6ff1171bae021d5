/* SPDX-License-Identifier: Apache-2.0 */
/* chunk_sums.h - checksums of containers that a test changes or puts together. */
#ifndef CHUNK_SUMS_H
#define CHUNK_SUMS_H

#include <stdlib.h>

#include "oct_container_format.h"

typedef struct chunk_sums {
  uint64_t head, last; /* checksums of the head, and of the chunk before */
  uint64_t number;     /* of the next chunk */
} chunk_sums;

/* The bytes of the head of a container, its checksum included. */
static inline size_t head_bytes(const uint8_t *file) {
  return OCT_CONTAINER_MAGIC_BYTES + 4 + oct_get_u32(file + OCT_CONTAINER_MAGIC_BYTES) + 8;
}

/* Give the head its checksum; chunks follow. */
static inline chunk_sums renew_head(uint8_t *file) {
  size_t n = head_bytes(file) - 8;
  uint64_t sum = XXH64(file, n, 0);
  oct_put_u64(file + n, sum);
  return (chunk_sums){.head = sum, .last = sum};
}

/* Let a chunk be the next one of its file. Its bytes, with its header. */
static inline size_t renew_chunk(uint8_t *chunk, chunk_sums *s) {
  enum { BYTES = OCT_CONTAINER_CHUNK_HEADER_BYTES };
  size_t n = oct_get_u32(chunk + 4);
  oct_put_u64(chunk + OCT_CONTAINER_BEFORE_AT, s->last);
  if (oct_container_sum(chunk, BYTES, chunk + BYTES, n, s->head + s->number++, &s->last)) abort();
  oct_put_u64(chunk + BYTES - OCT_CONTAINER_SUM_BYTES, s->last);
  return BYTES + n;
}

/* All of a container whose chunks are whole but for their checksums. */
static inline void renew_sums(uint8_t *file, size_t n_bytes) {
  chunk_sums s = renew_head(file);
  for (size_t at = head_bytes(file); at < n_bytes;) at += renew_chunk(file + at, &s);
}

#endif
