/* SPDX-License-Identifier: Apache-2.0 */
/* test_apart.c - does a container give its map back where a program stands apart, and notice when
 * the program's file says something else? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "octrace/container.h"
#include "chunk_sums.h"
#include "octrace/trace.h"
#include "random_effect.h"
#include "test_folder.h"

static const char *const names[] = {"arm", "thumb", "aarch64", "riscv64", "x86-64", "mips"};
static oct_program *open_program(const char *name) {
  oct_program *p;
  oct_diag diag;
  char elf[300];
  snprintf(elf, sizeof elf, TEST_ELFS "/mixed-%s.elf", name);
  if (oct_program_open(elf, 0, &p, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  return p;
}

/* Where the program has code, and how much. */
static uint64_t code_address(const oct_program *p, size_t *n_bytes) {
  uint64_t addr = 0;
  while (addr < UINT64_C(1) << 28 && !oct_program_code(p, addr, 256)) addr += 4;
  assert_non_null(oct_program_code(p, addr, 256));
  for (*n_bytes = 256; oct_program_code(p, addr, *n_bytes + 2);) *n_bytes += 2;
  return addr;
}

enum { UPDATES = 4000 };

/* What programs say, with something else here and there, and what no program says. Of the former
 * *n_said. */
static void random_updates(uint64_t *seed, oct_program *p, oct_map_update *u, size_t *n_said) {
  size_t n_bytes;
  uint64_t from = 0, start = code_address(p, &n_bytes), addr = start;
  const bool may_be_thumb = oct_program_isa(p) == OCT_ISA_ARM;
  *n_said = 0;
  for (size_t i = 0; i < UPDATES; i++) {
    oct_map_entry *e = &u[i].entry;
    memset(&u[i], 0, sizeof u[i]);
    if (next_random(seed) % 3 == 0) from += next_random(seed) % 1000;
    u[i].from_insn = from;
    /* In order mostly, so that IT blocks of Thumb code come as in a trace. */
    if (next_random(seed) % 8 == 0 || addr >= start + n_bytes)
      addr = start + next_random(seed) % (n_bytes / 2) * 2;
    if (next_random(seed) % 16 &&
        (may_be_thumb && next_random(seed) % 2 ? oct_program_insn_as(p, addr, 1, e)
                                               : oct_program_insn(p, addr, e))) {
      addr += e->size_bytes;
      switch (next_random(seed) % 12) {
        case 0:
          e->n_slots++;
          break;
        case 1:
          e->flags ^= OCT_MAP_CONDITIONAL;
          break;
        case 2:
          random_effect(next_random, seed, &e->op);
          break;
        case 3:
          e->target ^= 4;
          break;
        default:
          ++*n_said;
          break;
      }
      continue;
    }
    addr += 2; /* where the program has no instruction */
    e->addr = next_random(seed) >> next_random(seed) % 64;
    e->size_bytes = (uint8_t)(1 + next_random(seed) % 15);
    e->cls = (uint8_t)(next_random(seed) % OCT_CLASS_COUNT);
    e->flags = (uint8_t)(next_random(seed) % 8);
    e->n_slots = (uint8_t)next_random(seed);
    for (unsigned k = 0; k < OCT_SLOTS_MAX; k++) e->slots[k] = (uint8_t)(next_random(seed) % 32);
  }
}

static void write_apart(const char *tracer, oct_program *p, const oct_map_update *u,
                        oct_container_totals *totals) {
  const oct_tracer *t = oct_tracer_find(tracer);
  const oct_container_info info = {.isa = "test", .program = p};
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  oct_container_writer *w;
  oct_diag diag;
  oct_tracer_defaults(t, params);
  assert_int_equal(oct_container_create(whole_path, t, params, &info, &w, &diag), 0);
  assert_int_equal(oct_container_put_map(w, u, UPDATES, &diag), 0);
  assert_int_equal(oct_container_commit(w, totals, &diag), 0);
}

/* The fields that a container of this tracer has. */
static void assert_update(const oct_tracer *t, const oct_map_update *got,
                          const oct_map_update *want) {
  const oct_map_entry *a = &got->entry, *b = &want->entry;
  assert_int_equal(got->from_insn, want->from_insn);
  assert_int_equal(a->addr, b->addr);
  assert_int_equal(a->target, b->target);
  assert_int_equal(a->size_bytes, b->size_bytes);
  assert_int_equal(a->cls, b->cls);
  assert_int_equal(a->flags, b->flags);
  assert_int_equal(a->n_slots, b->n_slots);
  assert_memory_equal(a->slots, b->slots, sizeof a->slots);
  if (t->needs_ops || t->needs_code) assert_memory_equal(&a->op, &b->op, sizeof a->op);
  if (t->needs_code && b->code_isa) assert_memory_equal(a->code, b->code, b->size_bytes);
}

static void test_round_trip(void **state) {
  (void)state;
  static const char *const tracers[] = {"paper", "shadow", "etrace"};
  static oct_map_update updates[UPDATES];
  uint64_t seed = test_seed("apart");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    oct_program *p = open_program(names[i]), *other = open_program(names[(i + 1) % 6]);
    for (unsigned k = 0; k < 3; k++) {
      oct_container_totals totals = {0};
      oct_container_reader *r;
      oct_chunk chunk;
      oct_diag diag;
      size_t n = 0, n_said;
      int got;
      random_updates(&seed, p, updates, &n_said);
      assert_true(n_said > UPDATES / 8);
      write_apart(tracers[k], p, updates, &totals);
      assert_int_equal(oct_container_open(whole_path, &r, &diag), 0);
      assert_int_equal(oct_container_give_program(r, NULL, &diag), OCT_ERR_ARG);
      assert_int_equal(oct_container_give_program(r, other, &diag), OCT_ERR_ARG);
      assert_int_equal(oct_container_give_program(r, p, &diag), 0);
      while ((got = oct_container_next(r, &chunk, &diag)) > 0)
        for (size_t j = 0; chunk.kind == OCT_CHUNK_MAP && j < chunk.n_updates; j++)
          assert_update(oct_tracer_find(tracers[k]), &chunk.updates[j], &updates[n++]);
      if (got) fail_msg("%s", oct_diag_line(&diag).text);
      assert_int_equal(n, UPDATES);
      oct_container_close(r);
    }
    oct_program_close(p);
    oct_program_close(other);
  }
}

/* All 64 bits of the hashes of programs, which containers keep: XXH64 of each file's code behind
 * its address and size, with the ELF header as zeros, which was worked out elsewhere. */
static void test_hashes(void **state) {
  static const uint64_t hashes[] = {0x1cf3cd7135ff0c6a, 0xb0ef4f14a626a742, 0xd009eaadf1b379da,
                                    0x0a1c0b7cf4af7d24, 0x127d517f738f6db5, 0x488634ff3bd85f7a};
  (void)state;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    oct_program *p = open_program(names[i]);
    assert_int_equal(oct_program_images(p)[0].hash, hashes[i]);
    oct_program_close(p);
  }
}

/* A file in which the map's checksum is of other updates: as if the program were described anew. */
static void test_other_description(void **state) {
  (void)state;
  static oct_map_update updates[UPDATES];
  static uint8_t file[1 << 21], raw[1 << 20];
  uint64_t seed = test_seed("apart");
  oct_container_totals totals = {0};
  size_t n_said;
  oct_program *p = open_program("riscv64");
  random_updates(&seed, p, updates, &n_said);
  write_apart("shadow", p, updates, &totals);
  FILE *f = fopen(whole_path, "rb");
  assert_non_null(f);
  size_t n = fread(file, 1, sizeof file, f);
  fclose(f);
  uint8_t *head = file + head_bytes(file), *payload = head + OCT_CONTAINER_CHUNK_HEADER_BYTES;
  assert_int_equal(head[0], OCT_CONTAINER_OPS);
  assert_int_equal(head[1], OCT_CONTAINER_ZSTD);
  const uint32_t stored = oct_get_u32(head + 4), size = oct_get_u32(head + 8);
  assert_int_equal(ZSTD_decompress(raw, sizeof raw, payload, stored), size);
  raw[0] ^= 1;
  oct_put_u32(head + 4, size);
  head[1] = OCT_CONTAINER_RAW;
  const size_t begin = (size_t)(payload - file), rest = n - begin - stored;
  memmove(payload + size, payload + stored, rest);
  memcpy(payload, raw, size);
  renew_sums(file, begin + size + rest);
  f = fopen(whole_path, "wb");
  assert_int_equal(fwrite(file, 1, begin + size + rest, f), begin + size + rest);
  fclose(f);
  oct_container_reader *r;
  oct_chunk got;
  oct_diag diag;
  assert_int_equal(oct_container_open(whole_path, &r, &diag), 0);
  assert_int_equal(oct_container_give_program(r, p, &diag), 0);
  assert_int_equal(oct_container_next(r, &got, &diag), OCT_ERR_ARG);
  assert_non_null(strstr(oct_diag_line(&diag).text, "other instructions than the trace"));
  oct_container_close(r);
  oct_program_close(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip),
                                     cmocka_unit_test(test_hashes),
                                     cmocka_unit_test(test_other_description)};
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
