/* SPDX-License-Identifier: Apache-2.0 */
/* flip_port_bit.c - copies a container with single bits of its port stream flipped, as a capture
 * over a bad cable would be: the container around them is sound. With +N its end tells of N more
 * instructions than there are, with accesses+N, lost+N or map+N of N more accesses, lost accesses
 * or changes of the program map.
 * Usage: IN OUT BIT|+N|accesses+N|lost+N|map+N... */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../port/chunk_sums.h"

static int is_bit(const char *what) {
  return what[0] >= '0' && what[0] <= '9';
}

/* Let the end of the file count n more changes. */
static int add_changes(const char *path, uint64_t n) {
  enum { CHANGES_AT = OCT_CONTAINER_END_BYTES - 8 };
  FILE *f = fopen(path, "r+b");
  long n_bytes = f && !fseek(f, 0, SEEK_END) ? ftell(f) : 0;
  uint8_t *bytes = malloc((size_t)n_bytes + 1);
  if (!bytes || !n_bytes || fseek(f, 0, SEEK_SET) || !fread(bytes, (size_t)n_bytes, 1, f)) return 1;
  uint8_t *changes = bytes + n_bytes - OCT_CONTAINER_END_BYTES + CHANGES_AT;
  oct_put_u64(changes, oct_get_u64(changes) + n);
  renew_sums(bytes, (size_t)n_bytes);
  int r = fseek(f, 0, SEEK_SET) || !fwrite(bytes, (size_t)n_bytes, 1, f) || fclose(f);
  free(bytes);
  return r;
}

int main(int argc, char **argv) {
  oct_container_reader *r;
  oct_container_writer *w;
  oct_chunk chunk;
  oct_diag diag = {0};
  uint64_t base = 0;
  int got;
  if (argc < 3) return 2;
  if (oct_container_open(argv[1], &r, &diag) ||
      oct_container_create(argv[2], oct_container_tracer(r), oct_container_params(r),
                           oct_container_get_info(r), &w, &diag))
    return fprintf(stderr, "%s\n", oct_diag_line(&diag).text), 1;
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
      for (int i = 3; i < argc; i++) {
        oct_container_totals *t = &chunk.totals;
        uint64_t *field = argv[i][0] == '+'                   ? &t->insns
                          : !strncmp(argv[i], "accesses+", 9) ? &t->accesses
                          : !strncmp(argv[i], "lost+", 5)     ? &t->lost_accesses
                                                              : NULL;
        if (field) *field += strtoull(strchr(argv[i], '+') + 1, NULL, 0);
      }
      got = oct_container_commit(w, &chunk.totals, &diag);
    }
    if (got) break;
  }
  for (int i = 3; i < argc && !got; i++)
    if (!strncmp(argv[i], "map+", 4)) got = add_changes(argv[2], strtoull(argv[i] + 4, NULL, 0));
  oct_container_close(r);
  return got ? (fprintf(stderr, "%s\n", oct_diag_line(&diag).text), 1) : 0;
}
