/* SPDX-License-Identifier: Apache-2.0 */
/* events_util.h - what the tests of event traces share: random programs, files in memory. */
#ifndef EVENTS_UTIL_H
#define EVENTS_UTIL_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../test_random.h"
#include "oct_ev_bytes.h"
#include "oct_ev_compressor.h"
#include "oct_ev_file.h"
#include "oct_ev_reader.h"

typedef struct events {
  oct_ev_record *r;
  size_t n, cap;
  oct_ev_defs defs;
} events;

static inline void add_event(events *t, uint64_t time, uint32_t location, uint32_t function,
                             oct_ev_kind kind, const char *other) {
  if (t->n == t->cap) {
    t->cap = t->cap ? 2 * t->cap : 1024;
    t->r = realloc(t->r, t->cap * sizeof *t->r);
    assert_non_null(t->r);
  }
  t->r[t->n++] = (oct_ev_record){.time_ticks = time,
                                 .location = location,
                                 .function = function,
                                 .kind = kind,
                                 .other = (const uint8_t *)other,
                                 .other_bytes = other ? (uint32_t)strlen(other) : 0};
}

/* Name functions f0.. and threads t0.. . */
static inline void name_all(events *t, uint32_t functions, uint32_t locations) {
  char name[32];
  for (uint32_t i = 0; i < functions; i++) {
    int n = snprintf(name, sizeof name, "f%u", i);
    assert_int_equal(oct_ev_defs_function(&t->defs, name, (size_t)n, i), i);
  }
  for (uint32_t i = 0; i < locations; i++) {
    int n = snprintf(name, sizeof name, "t%u", i);
    assert_int_equal(oct_ev_defs_location(&t->defs, name, (size_t)n, "p", i), i);
  }
}

static inline void free_events(events *t) {
  free(t->r);
  oct_ev_defs_free(&t->defs);
}

typedef struct file_bytes {
  uint8_t *p;
  size_t n;
} file_bytes;

/* Compress to bytes in memory. */
static inline file_bytes compress_events(const events *t, const oct_ev_params *p,
                                         oct_ev_counts *counts) {
  char path[64];
  oct_outfile *f;
  oct_ev_compressor *c;
  oct_diag diag = {0};
  file_bytes out = {NULL, 0};
  snprintf(path, sizeof path, "/tmp/oct-events-%ld", (long)getpid());
  assert_int_equal(oct_outfile_open(path, &f, &diag), 0);
  assert_int_equal(oct_ev_compressor_new(p, f, &c, &diag), 0);
  for (size_t i = 0; i < t->n; i += 1000)
    if (oct_ev_compressor_put(c, t->r + i, t->n - i < 1000 ? t->n - i : 1000, &diag))
      fail_msg("%s", oct_diag_line(&diag).text);
  assert_int_equal(oct_ev_compressor_finish(c, &t->defs, &diag), 0);
  if (counts) *counts = *oct_ev_compressor_counts(c);
  oct_ev_compressor_free(c);
  assert_int_equal(oct_outfile_commit(f, &diag), 0);
  FILE *in = fopen(path, "rb");
  assert_non_null(in);
  fseek(in, 0, SEEK_END);
  out.n = (size_t)ftell(in);
  rewind(in);
  out.p = malloc(out.n + 1);
  assert_int_equal(fread(out.p, 1, out.n, in), out.n);
  fclose(in);
  unlink(path);
  return out;
}

/* The records of r, in the order of the file, equal those of t that lie in the selection: in the
 * order of time, then of locations. lossy: times are not compared. */
static inline void assert_records(oct_ev_reader *r, const events *t, uint64_t from, uint64_t to,
                                  int64_t location, int lossy) {
  uint32_t n_locations = t->defs.locations.n;
  size_t *at = calloc(n_locations + 1u, sizeof *at), *seen = calloc(n_locations + 1u, sizeof *seen);
  uint64_t last = 0;
  oct_ev_record got;
  oct_diag diag = {0};
  int more;
  while ((more = oct_ev_reader_next(r, &got, &diag)) > 0) {
    uint32_t l = got.location;
    assert_true(l < n_locations);
    size_t *k = &at[l];
    while (*k < t->n && (t->r[*k].location != l || t->r[*k].time_ticks < from)) ++*k;
    assert_true(*k < t->n);
    const oct_ev_record *want = &t->r[(*k)++];
    assert_int_equal(got.kind, want->kind);
    if (!lossy) assert_int_equal(got.time_ticks, want->time_ticks);
    if (!lossy) assert_true(got.time_ticks >= last);
    assert_true(lossy || (got.time_ticks >= from && got.time_ticks <= to));
    last = got.time_ticks;
    if (got.kind == OCT_EV_OTHER) {
      assert_int_equal(got.other_bytes, want->other_bytes);
      assert_memory_equal(got.other, want->other, want->other_bytes);
    } else {
      assert_int_equal(got.function, want->function);
    }
    seen[l]++;
  }
  if (more < 0) fail_msg("%s", oct_diag_line(&diag).text);
  for (size_t i = 0; i < t->n; i++) {
    const oct_ev_record *x = &t->r[i];
    if (location >= 0 && x->location != location) continue;
    if (x->time_ticks < from || x->time_ticks > to) continue;
    assert_true(seen[x->location] > 0);
    seen[x->location]--;
  }
  for (uint32_t i = 0; i < n_locations; i++) assert_int_equal(seen[i], 0);
  free(at);
  free(seen);
}

enum { BLOCKS_MAX = 64 };

/* Where the blocks of a file begin, and the last one ends: how many. */
static inline size_t find_blocks(const file_bytes *f, size_t start[BLOCKS_MAX + 1]) {
  size_t n = 0, at = OCT_EV_MAGIC_BYTES + 4 + (size_t)oct_ev_load(f->p + OCT_EV_MAGIC_BYTES, 4) + 8;
  for (; at + OCT_EV_TAIL_BYTES < f->n; at = start[n]) {
    assert_true(n < BLOCKS_MAX);
    start[n++] = at;
    start[n] = at + OCT_EV_BLOCK_HEAD_BYTES + (size_t)oct_ev_load(f->p + at + 4, 4);
  }
  return n;
}

#endif
