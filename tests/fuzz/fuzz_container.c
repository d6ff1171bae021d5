/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_container.c - any bytes as a container: reading it ends with a result.
 *
 * Checksums are put right first, as no fuzzer guesses them. Start it with files of octrace
 * compress. */
#define XXH_STATIC_LINKING_ONLY
#include <string.h>
#include <xxhash.h>

#include "oct_container.h"
#include "oct_fuzz.h"

enum { HEAD_BYTES = OCT_CONTAINER_MAGIC_BYTES + 4, CHUNK_BYTES = 20, CHECKED_BYTES = 12 };

static size_t load32(const uint8_t *p) {
  return (size_t)p[0] | (size_t)p[1] << 8 | (size_t)p[2] << 16 | (size_t)p[3] << 24;
}

/* docs/container-format.md, sections 1 and 2. */
static void put_checksums_right(uint8_t *p, size_t n) {
  uint64_t sum, chunk = 0;
  if (n < HEAD_BYTES) return;
  size_t at = HEAD_BYTES + load32(p + OCT_CONTAINER_MAGIC_BYTES);
  if (at > n || n - at < sizeof sum) return;
  sum = XXH64(p, at, 0);
  memcpy(p + at, &sum, sizeof sum);
  for (at += sizeof sum; n - at >= CHUNK_BYTES; chunk++) {
    size_t stored = load32(p + at + 4);
    XXH64_state_t state;
    if (stored > n - at - CHUNK_BYTES) return;
    XXH64_reset(&state, chunk);
    XXH64_update(&state, p + at, CHECKED_BYTES);
    XXH64_update(&state, p + at + CHUNK_BYTES, stored);
    sum = XXH64_digest(&state);
    memcpy(p + at + CHECKED_BYTES, &sum, sizeof sum);
    at += CHUNK_BYTES + stored;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  oct_container_reader *r;
  oct_chunk chunk;
  oct_diag diag;
  char path[32];
  uint8_t *bytes = malloc(size + 1);
  if (!bytes) abort();
  if (size) memcpy(bytes, data, size);
  put_checksums_right(bytes, size);
  int fd = fuzz_file(bytes, size, path);
  if (!oct_container_open(path, &r, &diag)) {
    while (oct_container_next(r, &chunk, &diag) > 0)
      for (size_t i = 0; chunk.kind == OCT_CHUNK_MAP && i < chunk.n_updates; i++)
        if (!chunk.updates[i].entry.size_bytes) abort();
    oct_container_close(r);
  }
  close(fd);
  free(bytes);
  return 0;
}
