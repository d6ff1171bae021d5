/* SPDX-License-Identifier: Apache-2.0 */
/* flip_port_bit.c - copies a container with single bits of its port stream flipped, as a capture
 * over a bad cable would be: the container around them is sound. With +N its end tells of N more
 * instructions than there are, with map+N of N more changes of the program map.
 * Usage: IN OUT BIT|+N|map+N... */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "oct_container_format.h"

static int is_bit(const char *what) {
  return what[0] != '+' && what[0] != 'm';
}

/* Let the end of the file, chunk number `number`, count n more changes, with its checksum. */
static int add_changes(const char *path, uint64_t number, uint64_t n) {
  uint8_t end[OCT_CONTAINER_CHUNK_HEADER_BYTES + OCT_CONTAINER_END_BYTES];
  uint8_t *changes = end + sizeof end - 8, *sum = end + OCT_CONTAINER_HASHED_HEADER_BYTES;
  FILE *f = fopen(path, "r+b");
  XXH64_state_t *hash = XXH64_createState();
  if (!f || !hash || fseek(f, -(long)sizeof end, SEEK_END) || !fread(end, sizeof end, 1, f))
    return 1;
  oct_put_u64(changes, oct_get_u64(changes) + n);
  XXH64_reset(hash, number);
  XXH64_update(hash, end, OCT_CONTAINER_HASHED_HEADER_BYTES);
  XXH64_update(hash, end + OCT_CONTAINER_CHUNK_HEADER_BYTES, OCT_CONTAINER_END_BYTES);
  oct_put_u64(sum, XXH64_digest(hash));
  XXH64_freeState(hash);
  return fseek(f, -(long)sizeof end, SEEK_END) || !fwrite(end, sizeof end, 1, f) || fclose(f);
}

int main(int argc, char **argv) {
  oct_container_reader *r;
  oct_container_writer *w;
  oct_chunk chunk;
  oct_diag diag = {0};
  uint64_t base = 0, n_chunks = 0;
  int got;
  if (argc < 3) return 2;
  if (oct_container_open(argv[1], &r, &diag) ||
      oct_container_create(argv[2], oct_container_tracer(r), oct_container_params(r),
                           oct_container_get_info(r), &w, &diag))
    return fprintf(stderr, "%s\n", diag.text), 1;
  while ((got = oct_container_next(r, &chunk, &diag)) > 0) {
    if (chunk.kind == OCT_CHUNK_MAP) {
      got = oct_container_put_map(w, chunk.updates, chunk.n_updates, &diag);
    } else if (chunk.kind == OCT_CHUNK_BITS) {
      uint8_t *copy = malloc(chunk.n_bytes + 1);
      if (!copy) return 1;
      memcpy(copy, chunk.bytes, chunk.n_bytes);
      for (int i = 3; i < argc; i++) {
        if (!is_bit(argv[i])) continue;
        uint64_t bit = strtoull(argv[i], NULL, 0) - base;
        if (bit / 8 < chunk.n_bytes) copy[bit / 8] ^= (uint8_t)(1 << bit % 8);
      }
      got = oct_container_put_bits(w, copy, chunk.n_bytes, &diag);
      base += 8 * chunk.n_bytes;
      free(copy);
    } else {
      for (int i = 3; i < argc; i++)
        if (argv[i][0] == '+') chunk.totals.insns += strtoull(argv[i], NULL, 0);
      got = oct_container_commit(w, &chunk.totals, &diag);
    }
    if (got) break;
    n_chunks++;
  }
  for (int i = 3; i < argc && !got; i++)
    if (!strncmp(argv[i], "map+", 4))
      got = add_changes(argv[2], n_chunks - 1, strtoull(argv[i] + 4, NULL, 0));
  oct_container_close(r);
  return got ? (fprintf(stderr, "%s\n", diag.text), 1) : 0;
}
