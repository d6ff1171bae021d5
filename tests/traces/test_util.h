/* SPDX-License-Identifier: Apache-2.0 */
/* test_util.h - what the tests of traces/ share: random traces, whole-file input and output. */
#ifndef OCT_TEST_UTIL_H
#define OCT_TEST_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../test_random.h"
#include "octrace/trace.h"

typedef struct trace {
  oct_insn *insns;
  oct_access *accesses;
  oct_map_entry *map;
  oct_trap *traps;
  size_t n_insns, n_accesses, n_map, n_traps;
} trace;

/* Overwrite one of n bytes with any, or with one of the n bytes of `from` (NULL: none). */
static inline void spoil_byte(uint8_t *bytes, uint64_t n, const uint8_t *from) {
  uint64_t at = below(n);
  bytes[at] = from && below(2) ? from[below(n)] : (uint8_t)random_u64();
}

static inline trace trace_new(size_t room_insns, size_t room_accesses) {
  trace t = {0};
  t.insns = calloc(room_insns + 1, sizeof *t.insns);
  t.accesses = calloc(room_accesses + 1, sizeof *t.accesses);
  t.map = calloc(room_insns + 1, sizeof *t.map);
  return t;
}

static inline void trace_free(trace *t) {
  free(t->insns);
  free(t->accesses);
  free(t->map);
  free(t->traps);
}

static inline oct_batch batch_of(const trace *t) {
  return (oct_batch){.insns = t->insns,
                     .n_insns = t->n_insns,
                     .accesses = t->accesses,
                     .n_accesses = t->n_accesses,
                     .map = t->map,
                     .n_map = t->n_map,
                     .traps = t->traps,
                     .n_traps = t->n_traps};
}

enum { TRAPS_AT_ONCE = 3 };

/* Traps of every kind before and behind the instructions, up to TRAPS_AT_ONCE at one place; at
 * least one behind the last. */
static inline void add_random_traps(trace *t) {
  t->traps = calloc(t->n_insns * TRAPS_AT_ONCE + TRAPS_AT_ONCE, sizeof *t->traps);
  assert_non_null(t->traps);
  for (size_t i = 0; i <= t->n_insns; i++) {
    uint64_t n = i == t->n_insns || below(20) == 0 ? 1 + below(TRAPS_AT_ONCE) : 0;
    for (; n; n--) {
      oct_trap *x = &t->traps[t->n_traps++];
      x->insn = (uint32_t)i;
      x->kind = (uint8_t)below(OCT_TRAP_KINDS);
      x->privilege = (uint8_t)below(OCT_PRIVILEGE_UNKNOWN + 1);
      if (x->kind == OCT_TRAP_PRIVILEGE) continue;
      x->cause = below(4) ? (uint32_t)below(24) : (uint32_t)random_u64();
      x->addr = i && below(3) ? t->insns[i - 1].addr + t->insns[i - 1].size_bytes : random_u64();
      if (x->kind == OCT_TRAP_EXCEPTION && below(3)) x->tval = random_magnitude();
    }
  }
}

static inline int same_trap(const oct_trap *a, const oct_trap *b) {
  return a->kind == b->kind && a->privilege == b->privilege && a->cause == b->cause &&
         a->addr == b->addr && a->tval == b->tval;
}

/* Instructions with jumps, tasks, stamps and accesses of every kind, extreme addresses included. */
static inline trace random_trace(size_t n_insns, size_t max_accesses) {
  trace t = trace_new(n_insns, n_insns * max_accesses);
  uint64_t pc = 0x8000, cycle = 0;
  uint32_t task = 0;
  for (size_t i = 0; i < n_insns; i++) {
    oct_insn *insn = &t.insns[i];
    insn->addr = pc;
    insn->size_bytes = (uint8_t)(below(8) ? 4 : 1 + below(15));
    if (below(200) == 0) task = (uint32_t)random_u64(), cycle = random_magnitude();
    insn->task = task;
    if (below(3) == 0) {
      uint64_t step = below(100) ? below(9) : random_magnitude();
      insn->flags = OCT_INSN_HAS_CYCLE;
      insn->cycle = cycle = cycle > UINT64_MAX - step ? UINT64_MAX : cycle + step;
    }
    insn->n_access = (uint16_t)(below(3) ? 0 : below(max_accesses + 1));
    for (unsigned k = 0; k < insn->n_access; k++) {
      oct_access *a = &t.accesses[t.n_accesses++];
      a->addr = below(20) ? 0x10000 + 4 * below(1000) : random_u64();
      a->size_bytes = (uint8_t)(below(4) ? 1u << below(7) : 0);
      a->is_store = (uint8_t)below(2);
    }
    pc += insn->size_bytes;
    if (below(8) == 0) pc = below(50) ? 0x8000 + below(4096) : random_u64();
  }
  t.n_insns = n_insns;
  return t;
}

/* A writable path for this process; the string is static. */
static inline const char *scratch(const char *name) {
  static char path[2][256];
  static int turn;
  const char *dir = getenv("TMPDIR");
  turn ^= 1;
  snprintf(path[turn], sizeof path[turn], "%s/oct-test-%ld-%s", dir ? dir : "/tmp", (long)getpid(),
           name);
  return path[turn];
}

static inline uint8_t *load(const char *path, size_t *n) {
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  fseek(f, 0, SEEK_END);
  *n = (size_t)ftell(f);
  rewind(f);
  uint8_t *p = malloc(*n + 1);
  assert_int_equal(fread(p, 1, *n, f), *n);
  fclose(f);
  return p;
}

static inline void save(const char *path, const void *p, size_t n) {
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(p, 1, n, f), n);
  assert_int_equal(fclose(f), 0);
}

static inline void write_trace(const char *path, const trace *t, oct_write_options *options) {
  oct_writer *w;
  oct_diag diag = {0};
  oct_batch batch = batch_of(t);
  if (oct_writer_open(path, options, &w, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  if (oct_writer_put(w, &batch, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  if (oct_writer_commit(w, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
}

/* Append n items to an array of *count; its room is the next power of two, at least 1024. */
static inline void *append(void *array, size_t *count, const void *items, size_t n, size_t size) {
  size_t room = 1024;
  while (room < *count) room *= 2;
  if (!array || *count + n > room) {
    while (room < *count + n) room *= 2;
    array = realloc(array, room * size);
    assert_non_null(array);
  }
  if (n) memcpy((char *)array + *count * size, items, n * size);
  *count += n;
  return array;
}

/* Give the batch of n instructions of t from number first on its traps, those behind the last of t
 * with that. What is returned is the batch's, to be freed. */
static inline oct_trap *take_traps(const trace *t, size_t first, size_t n, oct_batch *b) {
  size_t from = oct_traps_before(t->traps, t->n_traps, first);
  size_t to = oct_traps_before(t->traps, t->n_traps, first + n + (first + n == t->n_insns));
  oct_trap *own = malloc((to - from + 1) * sizeof *own);
  assert_non_null(own);
  for (size_t i = from; i < to; i++) {
    own[i - from] = t->traps[i];
    own[i - from].insn -= (uint32_t)first;
  }
  b->traps = own;
  b->n_traps = to - from;
  return own;
}

/* Append the traps of a batch whose first instruction is number first of t. */
static inline void append_traps(trace *t, size_t first, const oct_trap *traps, size_t n) {
  if (!n) return;
  t->traps = append(t->traps, &t->n_traps, traps, n, sizeof *traps);
  for (size_t i = t->n_traps - n; i < t->n_traps; i++) t->traps[i].insn += (uint32_t)first;
}

/* Read what is left of a reader; returns the last result. The trace must be empty. */
static inline int drain(oct_reader *r, trace *t, oct_diag *diag) {
  oct_batch b;
  int rc;
  while ((rc = oct_reader_next(r, &b, diag)) == 1) {
    append_traps(t, t->n_insns, b.traps, b.n_traps);
    t->insns = append(t->insns, &t->n_insns, b.insns, b.n_insns, sizeof *b.insns);
    t->accesses = append(t->accesses, &t->n_accesses, b.accesses, b.n_accesses, sizeof *b.accesses);
    t->map = append(t->map, &t->n_map, b.map, b.n_map, sizeof *b.map);
  }
  return rc;
}

/* Open and read; an error of opening or reading is returned. */
static inline int read_trace(const char *path, const oct_read_options *options, trace *t,
                             oct_diag *diag) {
  oct_reader *r;
  int rc = oct_reader_open(path, options, &r, diag);
  memset(t, 0, sizeof *t);
  if (rc) return rc;
  rc = drain(r, t, diag);
  oct_reader_close(r);
  return rc;
}

/* Whether b has the traps before the n instructions of a from number first on, those behind them
 * too where is_end. */
static inline void assert_traps(const trace *a, size_t first, size_t n, int is_end,
                                const trace *b) {
  size_t from = oct_traps_before(a->traps, a->n_traps, first);
  size_t to = oct_traps_before(a->traps, a->n_traps, first + n + (is_end ? 1 : 0));
  assert_int_equal(b->n_traps, to - from);
  for (size_t i = 0; i < b->n_traps; i++)
    if (!same_trap(&a->traps[from + i], &b->traps[i]) ||
        a->traps[from + i].insn != b->traps[i].insn + first)
      fail_msg("trap %zu differs", i);
}

/* Whether b is the n instructions of a from number first on. */
static inline void assert_part(const trace *a, size_t first, size_t n, const trace *b) {
  size_t access = 0;
  assert_int_equal(b->n_insns, n);
  for (size_t i = 0; i < first; i++) access += a->insns[i].n_access;
  for (size_t i = 0, k = 0; i < n; i++) {
    const oct_insn *x = &a->insns[first + i], *y = &b->insns[i];
    if (x->addr != y->addr || x->task != y->task || x->cycle != y->cycle ||
        x->n_access != y->n_access || x->size_bytes != y->size_bytes || x->flags != y->flags)
      fail_msg("instruction %zu differs", first + i);
    for (unsigned j = 0; j < x->n_access; j++, k++) {
      const oct_access *p = &a->accesses[access + k], *q = &b->accesses[k];
      if (p->addr != q->addr || p->size_bytes != q->size_bytes || p->is_store != q->is_store)
        fail_msg("access %u of instruction %zu differs", j, first + i);
    }
  }
}

/* Read n bytes as a trace, as read_trace does a file. */
static inline int read_bytes(const void *p, size_t n, oct_format format, trace *t, oct_diag *diag) {
  const char *path = scratch("foreign");
  oct_read_options options = {.format = format};
  save(path, p, n);
  memset(diag, 0, sizeof *diag);
  int rc = read_trace(path, &options, t, diag);
  unlink(path);
  return rc;
}

#endif
