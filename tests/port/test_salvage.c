/* SPDX-License-Identifier: Apache-2.0 */
/* test_salvage.c - behind a damaged MAP chunk nothing is read where the chunk may have changed what
 * the map says: of three MAP chunks the second is damaged. And bytes made to look like headers do
 * not keep a search behind damage from its end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "octrace/container.h"
#include "oct_container_format.h"

enum { MAP_CHUNKS = 3, BITS_BYTES = 65536 };

typedef struct map_case {
  const char *says;
  oct_map_entry entries[MAP_CHUNKS][2]; /* of each MAP chunk; size 0: no more */
  int has_map;
} map_case;

#define ENTRY(a, first_slot)                                             \
  {                                                                      \
    .addr = (a), .size_bytes = 4, .n_slots = 20, .slots = { first_slot } \
  }
#define MORE(a, number, first_slot)                                                             \
  {                                                                                             \
    .addr = (a), .target = (number), .size_bytes = 4, .n_slots = 4, .flags = OCT_MAP_CONTINUES, \
    .slots = {                                                                                  \
      first_slot                                                                                \
    }                                                                                           \
  }

static const map_case cases[] = {
    {"an instruction that was not there", {{ENTRY(8, 2)}, {ENTRY(16, 2)}, {ENTRY(24, 2)}}, 1},
    {"another entry", {{ENTRY(8, 2)}, {ENTRY(8, 3)}, {ENTRY(24, 2)}}, 0},
    {"accesses from 16 on are others",
     {{ENTRY(8, 2), MORE(8, 16, 2)}, {ENTRY(8, 2), MORE(8, 16, 3)}, {ENTRY(24, 2)}},
     0},
    {"what continues an entry stands alone", {{ENTRY(8, 2)}, {MORE(8, 16, 3)}, {ENTRY(24, 2)}}, 0},
    {"there are more accesses with a slot",
     {{ENTRY(8, 2), MORE(8, 16, 2)}, {MORE(8, 20, 3)}, {ENTRY(24, 2)}},
     0},
    {"a change that is told twice", {{ENTRY(8, 2)}, {ENTRY(8, 3)}, {ENTRY(8, 3)}}, 0},
};

/* A MAP chunk of each group of entries, and BITS behind it. */
static void write_maps(const char *path, const map_case *c) {
  static const uint8_t bits[BITS_BYTES];
  const oct_tracer *t = oct_tracer_find("paper");
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  const oct_container_info info = {.isa = NULL};
  const oct_container_totals totals = {.insns = 1};
  oct_container_writer *w;
  oct_diag diag = {0};
  oct_tracer_defaults(t, params);
  assert_int_equal(oct_container_create(path, t, params, &info, &w, &diag), 0);
  for (unsigned chunk = 0; chunk < MAP_CHUNKS; chunk++) {
    for (unsigned i = 0; i < 2 && c->entries[chunk][i].size_bytes; i++) {
      const oct_map_update u = {.from_insn = 100 * chunk, .entry = c->entries[chunk][i]};
      assert_int_equal(oct_container_put_map(w, &u, 1, &diag), 0);
    }
    assert_int_equal(oct_container_put_bits(w, bits, sizeof bits, &diag), 0);
  }
  assert_int_equal(oct_container_commit(w, &totals, &diag), 0);
}

/* Flip a bit in the payload of the second MAP chunk. */
static void damage_second_map(const char *path) {
  oct_container_reader *r;
  oct_chunk chunk;
  oct_diag diag = {0};
  uint64_t offset = 0;
  assert_int_equal(oct_container_open(path, &r, &diag), 0);
  for (unsigned n_maps = 0; n_maps < 2; n_maps += chunk.kind == OCT_CHUNK_MAP) {
    offset = oct_container_bytes_read(r);
    assert_int_equal(oct_container_next(r, &chunk, &diag), 1);
  }
  oct_container_close(r);
  FILE *f = fopen(path, "r+b");
  assert_non_null(f);
  long at = (long)offset + OCT_CONTAINER_CHUNK_HEADER_BYTES + 1;
  assert_int_equal(fseek(f, at, SEEK_SET), 0);
  int byte = fgetc(f);
  assert_int_equal(fseek(f, at, SEEK_SET), 0);
  fputc(byte ^ 4, f);
  assert_int_equal(fclose(f), 0);
}

static void each_loss(void **state) {
  (void)state;
  char path[] = "/tmp/oct_salvage_XXXXXX";
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    oct_container_reader *r;
    oct_container_totals totals;
    oct_diag diag = {0};
    write_maps(path, &cases[i]);
    for (int is_damaged = 0; is_damaged < 2; is_damaged++) {
      if (is_damaged) damage_second_map(path);
      assert_int_equal(oct_container_open(path, &r, &diag), 0);
      int has_map = oct_container_has_map(r, &totals, &diag);
      oct_container_close(r);
      if (has_map != (is_damaged ? cases[i].has_map : 1))
        fail_msg("%s: damaged %d: the map is there: %d", cases[i].says, is_damaged, has_map);
      assert_int_equal(totals.insns, 1);
    }
  }
  unlink(path);
}

/* What this program has read, in bytes; 0 where the system does not count that. */
static unsigned long long bytes_read(void) {
  unsigned long long n = 0;
  FILE *f = fopen("/proc/self/io", "r");
  if (f && fscanf(f, "rchar: %llu", &n) != 1) n = 0;
  if (f) fclose(f);
  return n;
}

/* Headers of large chunks and nothing else: of each the chunk is there, but is not whole. Of the
 * 256 GB that they stand for a small part is read. To hash all of it, with each of 64 numbers,
 * would take an hour; the time-out of the test would tell. */
static void nothing_but_headers(void **state) {
  enum { CHUNK = 1 << 20, FILE_BYTES = 8 << 20, BYTES = OCT_CONTAINER_CHUNK_HEADER_BYTES };
  (void)state;
  char path[] = "/tmp/oct_headers_XXXXXX";
  uint8_t header[BYTES] = {OCT_CONTAINER_BITS, OCT_CONTAINER_RAW}, *bytes = malloc(FILE_BYTES);
  int fd = mkstemp(path);
  assert_true(fd >= 0 && bytes);
  close(fd);
  oct_put_u32(header + 4, CHUNK);
  oct_put_u32(header + 8, CHUNK);
  for (size_t at = 0; at < FILE_BYTES; at++) bytes[at] = header[at % BYTES];
  write_maps(path, &cases[0]);
  damage_second_map(path);
  FILE *f = fopen(path, "ab");
  assert_non_null(f);
  assert_int_equal(fwrite(bytes, 1, FILE_BYTES, f), FILE_BYTES);
  assert_int_equal(fclose(f), 0);
  oct_container_reader *r;
  oct_chunk chunk;
  oct_diag diag = {0};
  const unsigned long long before = bytes_read();
  unsigned n_chunks = 0, n_damages = 0;
  assert_int_equal(oct_container_open(path, &r, &diag), 0);
  for (int got = 1; got > 0;) {
    got = oct_container_next(r, &chunk, &diag);
    n_chunks += got > 0;
    if (got >= 0) continue;
    n_damages++;
    got = oct_container_skip_damage(r, &diag);
    assert_true(got >= 0);
  }
  /* All but the damaged one, and the end, behind which something follows. */
  assert_int_equal(n_chunks, 2 * MAP_CHUNKS - 1);
  assert_int_equal(n_damages, 2);
  assert_true(bytes_read() - before < 64ull << 30);
  oct_container_close(r);
  free(bytes);
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_loss),
                                     cmocka_unit_test(nothing_but_headers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
