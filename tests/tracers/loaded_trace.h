/* SPDX-License-Identifier: Apache-2.0 */
/* loaded_trace.h - a trace file in memory with the bytes of its instructions, and its stream by a
 * tracer, for the tests that hold streams against the decoders of others. */
#ifndef LOADED_TRACE_H
#define LOADED_TRACE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "octrace/map.h"
#include "octrace/trace.h"
#include "octrace/tracer.h"

typedef struct loaded {
  oct_insn *insns;
  oct_map_update *updates;
  size_t n, n_updates;
  size_t without_code;
  uint32_t addr_bits, insn_align_bytes;
  oct_map *code; /* the last version of each instruction */
  oct_trap *traps;
  size_t n_traps;
} loaded;

static inline void die(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}

static inline void *grow(void *p, size_t bytes) {
  p = realloc(p, bytes + 1);
  if (!p) die("memory", "out of memory");
  return p;
}

static inline int load(const char *path, size_t most, loaded *x, char *isa, size_t isa_bytes) {
  oct_reader *reader;
  oct_diag diag;
  oct_batch b;
  const oct_map_update *updates;
  memset(x, 0, sizeof *x);
  if (oct_reader_open(path, NULL, &reader, &diag)) die(path, oct_diag_line(&diag).text);
  snprintf(isa, isa_bytes, "%s", oct_reader_info(reader)->isa);
  x->addr_bits = oct_reader_info(reader)->addr_bits;
  x->insn_align_bytes = oct_reader_info(reader)->insn_align_bytes;
  oct_map_tracker *tracker = oct_map_tracker_new();
  x->code = oct_map_new();
  while (x->n < most && oct_reader_next(reader, &b, &diag) == 1) {
    x->insns = grow(x->insns, (x->n + b.n_insns) * sizeof *x->insns);
    int64_t n = oct_map_track(tracker, &b, x->insns + x->n, &updates);
    if (n < 0) die(path, "no program map explains it");
    x->updates = grow(x->updates, (x->n_updates + (size_t)n) * sizeof *updates);
    memcpy(x->updates + x->n_updates, updates, (size_t)n * sizeof *updates);
    x->n_updates += (size_t)n;
    x->n += b.n_insns;
  }
  if (x->n > most) x->n = most;
  for (size_t i = 0; i < x->n_updates; i++) {
    oct_map_put(x->code, &x->updates[i].entry);
    x->without_code +=
        !x->updates[i].entry.code_isa && !(x->updates[i].entry.flags & OCT_MAP_CONTINUES);
  }
  oct_map_tracker_free(tracker);
  oct_reader_close(reader);
  return 0;
}

/* Cycle stamps for n instructions, of which the first is number `from`: every third cycle one, and
 * now and then a pause. */
static inline void stamp(oct_insn *insns, size_t from, size_t n) {
  uint64_t cycle = 1000;
  for (size_t i = 0; i < from + n; i++) {
    cycle += i % 1000 == 999 ? 5000 : i % 7 == 3 ? 9 : 3;
    if (i < from) continue;
    insns[i - from].cycle = cycle;
    insns[i - from].flags |= OCT_INSN_HAS_CYCLE;
  }
}

/* Up to three traps in a row every few hundred instructions, with interrupts straight behind
 * exceptions: some where the program would go on, others at the next instruction or somewhere else
 * in the program. Causes are those of an Arm core. */
static inline void add_traps(loaded *x) {
  enum { EVERY = 331, MOST = 3, CALL = 2, ABORT = 12, IRQ = 14 };
  x->traps = grow(NULL, (x->n / EVERY + 2) * MOST * sizeof *x->traps);
  for (size_t i = 0; i < x->n; i += EVERY)
    for (size_t k = 0; k <= i / EVERY % MOST; k++) {
      const oct_insn *last = &x->insns[i ? i - 1 : 0];
      oct_trap *t = &x->traps[x->n_traps++];
      size_t kind = (i / EVERY / MOST + k) % 4;
      *t = (oct_trap){.insn = (uint32_t)i, .privilege = kind ? 1 : OCT_PRIVILEGE_UNKNOWN};
      t->cause = kind == 0 ? CALL : kind == 1 ? ABORT : IRQ;
      t->kind = t->cause == IRQ ? OCT_TRAP_INTERRUPT : OCT_TRAP_EXCEPTION;
      t->addr = kind == 0   ? last->addr + last->size_bytes
                : kind == 1 ? x->insns[i].addr
                            : x->insns[(i * 7 + k) % x->n].addr;
    }
}

static inline uint8_t *encode(const char *tracer, const char *geometry, const loaded *x,
                              const char *isa, size_t *n_bytes, double *bits) {
  const oct_tracer *t = oct_tracer_find(tracer);
  static const oct_run_options untimed;
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  bool given[OCT_TRACER_PARAMS_MAX] = {false};
  const uint8_t *part;
  uint8_t *out = NULL;
  oct_diag diag;
  void *e;
  oct_tracer_defaults(t, params);
  if (oct_tracer_parse(t, geometry, params, given, &diag)) die(geometry, oct_diag_line(&diag).text);
  if (oct_tracer_fit(t, params, given, isa, x->addr_bits, x->insn_align_bytes, &diag))
    die("fit", oct_diag_line(&diag).text);
  if (t->encoder.create(params, &untimed, &e, &diag)) die("encoder", oct_diag_line(&diag).text);
  const oct_tracer_input in = {.insns = x->insns,
                               .n_insns = x->n,
                               .updates = x->updates,
                               .n_updates = x->n_updates,
                               .traps = x->traps,
                               .n_traps = x->n_traps};
  if (t->encoder.put(e, &in, &diag) || t->encoder.flush(e, &diag))
    die("encode", oct_diag_line(&diag).text);
  *n_bytes = t->encoder.take(e, &part);
  out = grow(out, *n_bytes);
  memcpy(out, part, *n_bytes);
  *bits = 8.0 * (double)*n_bytes / (double)x->n;
  t->encoder.destroy(e);
  return out;
}

#endif
