/* SPDX-License-Identifier: Apache-2.0 */
/* trace_codec.h - traces to codec files in memory, and back. */
#ifndef OCT_TRACE_CODEC_H
#define OCT_TRACE_CODEC_H

#include "codec_util.h"
#include "../traces/random_program.h"
#include "octrace/codec.h"

/* Of writer and reader. Segments of the tracer `shadow` go other ways with threads than without. */
static unsigned n_threads = 1;

/* Trace to codec file in memory, in batches of odd sizes. Returns the segments of the file. */
static inline uint64_t split_trace(const trace *t, const oct_codec_settings *s, uint32_t align,
                                   memory_file *m) {
  const oct_trace_info info = {.isa = "test",
                               .origin = "random",
                               .command = "none",
                               .addr_bits = 64,
                               .insn_align_bytes = align};
  const oct_sink sink = {memory_write, m};
  oct_map_tracker *tracker = oct_map_tracker_new();
  oct_trace_split *split;
  oct_diag diag = {0};
  size_t access = 0;
  oct_insn *insns = malloc((t->n_insns + 1) * sizeof *insns);
  if (oct_trace_split_new(s, &info, &sink, n_threads, false, &split, &diag))
    fail_msg("%s", oct_diag_line(&diag).text);
  for (size_t i = 0, step = 1; i < t->n_insns; i += step, step = step * 7 % 4093) {
    const oct_map_update *updates;
    if (step > t->n_insns - i) step = t->n_insns - i;
    oct_batch b = {t->insns + i, step, t->accesses + access, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0};
    oct_trap *own = take_traps(t, i, step, &b);
    for (size_t k = 0; k < step; k++) b.n_accesses += t->insns[i + k].n_access;
    access += b.n_accesses;
    int64_t n = oct_map_track(tracker, &b, insns, &updates);
    assert_true(n >= 0);
    b.insns = insns;
    if (oct_trace_split_put(split, &b, updates, (size_t)n, &diag))
      fail_msg("%s", oct_diag_line(&diag).text);
    free(own);
  }
  if (oct_trace_split_finish(split, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  uint64_t segments = oct_codec_writer_totals(oct_trace_split_writer(split))->segments;
  oct_trace_split_free(split);
  oct_map_tracker_free(tracker);
  free(insns);
  return segments;
}

static inline int join_trace(memory_file *m, trace *t, oct_diag *diag) {
  const oct_source_bytes source = {memory_read, m};
  oct_codec_reader *r;
  oct_trace_join *join;
  oct_batch b;
  m->at = 0;
  memset(t, 0, sizeof *t);
  int got = oct_codec_reader_new(&source, n_threads, &r, diag);
  if (got) return got;
  got = oct_trace_join_new(r, &join, diag);
  while (!got && (got = oct_trace_join_next(join, &b, diag)) == 1) {
    append_traps(t, t->n_insns, b.traps, b.n_traps);
    t->insns = append(t->insns, &t->n_insns, b.insns, b.n_insns, sizeof *b.insns);
    t->accesses = append(t->accesses, &t->n_accesses, b.accesses, b.n_accesses, sizeof *b.accesses);
    t->map = append(t->map, &t->n_map, b.map, b.n_map, sizeof *b.map);
    got = 0;
  }
  oct_trace_join_free(join);
  oct_codec_reader_free(r);
  return got;
}

#endif
