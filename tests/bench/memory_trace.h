/* SPDX-License-Identifier: Apache-2.0 */
/* memory_trace.h - a trace in memory with its map changes, for programs that measure speeds. */
#ifndef MEMORY_TRACE_H
#define MEMORY_TRACE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "octrace/map.h"
#include "octrace/trace.h"

enum { RUNS = 5, MAX_INSNS = 8000000, CHUNK_INSNS = 65536 };

/* A batch as the reader gave it: how many of each it has. */
typedef struct memory_chunk {
  size_t n_insns, n_accesses, n_updates, n_facts, n_values;
} memory_chunk;

typedef struct memory_trace {
  memory_chunk *chunks;
  size_t n_chunks;
  oct_insn *insns;
  oct_access *accesses;
  oct_map_update *updates;
  oct_fact *facts; /* they and accesses name values of their chunk */
  uint8_t *values;
  uint8_t *bits;                                 /* what an encoder made of it */
  size_t n_insns, n_accesses, n_updates, n_bits; /* n_bits in bytes */
  size_t n_facts, n_values;
  char isa[32];
  uint32_t addr_bits, insn_align_bytes;
} memory_trace;

/* Processor time, in seconds. */
static inline double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline void append(void *array, size_t *count, const void *from, size_t n, size_t element) {
  void **p = array;
  void *grown = realloc(*p, (*count + n + 1) * element);
  if (!grown) {
    fputs("out of memory\n", stderr);
    exit(1);
  }
  *p = grown;
  if (n) memcpy((char *)grown + *count * element, from, n * element);
  *count += n;
}

/* The first MAX_INSNS instructions of a trace, to be freed with free_trace. 0 or an error. */
static inline int load(memory_trace *t, const char *path, oct_diag *diag) {
  oct_reader *reader;
  oct_batch batch;
  memset(t, 0, sizeof *t);
  int got = oct_reader_open(path, NULL, &reader, diag);
  if (got < 0) return got;
  const oct_trace_info *info = oct_reader_info(reader);
  oct_map_tracker *tracker = oct_map_tracker_new();
  snprintf(t->isa, sizeof t->isa, "%s", info->isa ? info->isa : "");
  t->addr_bits = info->addr_bits;
  t->insn_align_bytes = info->insn_align_bytes;
  while (t->n_insns < MAX_INSNS && (got = oct_reader_next(reader, &batch, diag)) > 0) {
    const oct_map_update *updates;
    size_t first = t->n_insns;
    append(&t->insns, &t->n_insns, batch.insns, batch.n_insns, sizeof *batch.insns);
    append(&t->accesses, &t->n_accesses, batch.accesses, batch.n_accesses, sizeof *batch.accesses);
    int64_t n = oct_map_track(tracker, &batch, t->insns + first, &updates);
    if (n < 0) return (int)n;
    append(&t->updates, &t->n_updates, updates, (size_t)n, sizeof *updates);
    append(&t->facts, &t->n_facts, batch.facts, batch.n_facts, sizeof *batch.facts);
    append(&t->values, &t->n_values, batch.values, batch.n_values, 1);
    const memory_chunk chunk = {batch.n_insns, batch.n_accesses, (size_t)n, batch.n_facts,
                                batch.n_values};
    append(&t->chunks, &t->n_chunks, &chunk, 1, sizeof chunk);
  }
  oct_map_tracker_free(tracker);
  oct_reader_close(reader);
  return got < 0 ? got : 0;
}

static inline void free_trace(memory_trace *t) {
  free(t->insns);
  free(t->accesses);
  free(t->updates);
  free(t->facts);
  free(t->values);
  free(t->chunks);
  free(t->bits);
}

#endif
