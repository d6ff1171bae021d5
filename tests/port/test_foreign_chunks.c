/* SPDX-License-Identifier: Apache-2.0 */
/* test_foreign_chunks.c - chunks of another container, whole and at their own numbers, are refused;
 * where the two files are the same up to there, the chunk behind them tells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "chunk_sums.h"

enum {
  CHUNKS = 8,
  BITS_BYTES = 65536,
  CHUNK_BYTES = BITS_BYTES + OCT_CONTAINER_CHUNK_HEADER_BYTES
};

static char own_path[] = "/tmp/oct_own_XXXXXX", other_path[] = "/tmp/oct_other_XXXXXX";

/* A container whose chunk number i has bytes of value values[i]. Its size. */
static size_t write_chunks(const char *path, const char *command, const uint8_t *values,
                           uint8_t **file) {
  static uint8_t bits[BITS_BYTES];
  const oct_tracer *t = oct_tracer_find("paper");
  const oct_container_info info = {.command = command};
  const oct_container_totals totals = {.insns = 1};
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  oct_container_writer *w;
  oct_diag diag = {0};
  oct_tracer_defaults(t, params);
  assert_int_equal(oct_container_create(path, t, params, &info, &w, &diag), 0);
  for (unsigned i = 0; i < CHUNKS; i++) {
    memset(bits, values[i], sizeof bits);
    assert_int_equal(oct_container_put_bits(w, bits, sizeof bits, &diag), 0);
  }
  assert_int_equal(oct_container_commit(w, &totals, &diag), 0);
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  assert_int_equal(fseek(f, 0, SEEK_END), 0);
  size_t n = (size_t)ftell(f);
  *file = malloc(n);
  assert_non_null(*file);
  rewind(f);
  assert_int_equal(fread(*file, 1, n, f), n);
  fclose(f);
  return n;
}

/* What a reader that skips damage gives: the values of its chunks as text, '!' for each damage, and
 * '.' for the end. */
static void read_chunks(const uint8_t *file, size_t n, char *said) {
  oct_container_reader *r;
  oct_chunk chunk;
  oct_diag diag = {0};
  int got;
  FILE *f = fopen(own_path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(file, 1, n, f), n);
  assert_int_equal(fclose(f), 0);
  assert_int_equal(oct_container_open(own_path, &r, &diag), 0);
  while ((got = oct_container_next(r, &chunk, &diag)) != 0) {
    if (got > 0) {
      *said++ = chunk.kind == OCT_CHUNK_END ? '.' : (char)chunk.bytes[0];
      continue;
    }
    assert_int_equal(got, OCT_ERR_CHECKSUM);
    *said++ = '!';
    if (oct_container_skip_damage(r, &diag) != 1) break;
  }
  *said = 0;
  oct_container_close(r);
}

typedef struct mixture {
  const char *says, *command, *own, *other;
  unsigned from, to; /* these chunks are the other file's */
  int flipped;       /* a bit of this chunk is, too; -1: of none */
  const char *expected;
} mixture;

static const mixture mixtures[] = {
    {"nothing", "a", "abcdefgh", "ABCDEFGH", 3, 3, -1, "abcdefgh."},
    {"a file of another command", "b", "abcdefgh", "ABCDEFGH", 3, 4, -1, "abc!efgh."},
    {"many chunks of it", "b", "abcdefgh", "ABCDEFGH", 3, 6, -1, "abc!gh."},
    {"all of it", "b", "abcdefgh", "ABCDEFGH", 0, 8, -1, "!."},
    {"the same command", "a", "abcdefgh", "ABCDEFGH", 3, 4, -1, "abc!efgh."},
    {"the same head", "a", "abcdefgh", "aBCDEFGH", 3, 4, -1, "abc!efgh."},
    {"many chunks, the same head", "a", "abcdefgh", "aBCDEFGH", 2, 5, -1, "ab!!!fgh."},
    {"the first one", "a", "abcdefgh", "ABCDEFGH", 0, 1, -1, "!bcdefgh."},
    {"the same beginning", "a", "abcdefgh", "abcdEFGH", 3, 4, -1, "abcdefgh."},
    {"the last of the same beginning", "a", "abcdefgh", "abcdEFGH", 4, 5, -1, "abcdE!!!!"},
    {"damage before it", "b", "abcdefgh", "ABCDEFGH", 4, 5, 3, "abc!fgh."},
    {"damage behind it", "a", "abcdefgh", "aBCDEFGH", 3, 4, 4, "abc!fgh."},
};

static void each_mixture(void **state) {
  (void)state;
  for (unsigned i = 0; i < sizeof mixtures / sizeof *mixtures; i++) {
    const mixture *m = &mixtures[i];
    uint8_t *own, *other;
    char said[4 * CHUNKS];
    size_t n = write_chunks(own_path, "a", (const uint8_t *)m->own, &own);
    assert_int_equal(write_chunks(other_path, m->command, (const uint8_t *)m->other, &other), n);
    size_t head = head_bytes(own), at = head + m->from * (size_t)CHUNK_BYTES;
    memcpy(own + at, other + at, (m->to - m->from) * (size_t)CHUNK_BYTES);
    if (m->flipped >= 0) own[head + (unsigned)m->flipped * (size_t)CHUNK_BYTES + 100] ^= 4;
    read_chunks(own, n, said);
    if (strcmp(said, m->expected) != 0) fail_msg("%s: %s, expected %s", m->says, said, m->expected);
    free(own);
    free(other);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_mixture)};
  int own = mkstemp(own_path), other = mkstemp(other_path);
  if (own < 0 || other < 0) return 1;
  close(own);
  close(other);
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(own_path);
  unlink(other_path);
  return failed;
}
