/* SPDX-License-Identifier: Apache-2.0 */
/* oct_sweep_run.h - runs a plan over several traces on several threads, with a journal.
 *
 * Threads: A run starts threads of its own; one thread calls it. Different runs may go on at a
 * time. */
#ifndef OCT_SWEEP_RUN_H
#define OCT_SWEEP_RUN_H

#include "oct_journal.h"
#include "oct_sweep_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One trace of a sweep. */
typedef struct oct_sweep_trace {
  const char *path;
  int error; /* the trace could not be swept: diag says why, there are no rows */
  oct_diag diag;
  size_t n_reused; /* rows that the journal had */
  uint64_t bytes_read;
  oct_plan_geometry *geometries; /* the plan's, fitted to the trace */
  uint64_t *counters;            /* n_counters of the tracer for each */
  uint64_t found_align_bytes;    /* as oct_source has it, where a geometry goes by it; or 0 */
  uint64_t reserved[3];          /* 0 */
} oct_sweep_trace;

typedef struct oct_sweep_run {
  const oct_plan *plan;
  const oct_run_options *run;
  const oct_source_options *source;
  const bool *given;    /* parameters that are not to be taken from a trace, beside the plan's */
  oct_journal *journal; /* NULL = none */
  unsigned threads;
  double save_seconds; /* between checkpoints of a trace (oct_checkpoint.h), 0 = none */
  oct_sweep_trace *traces;
  size_t n_traces;
  /* Called from any thread, never two at a time: a trace has failed; a line to be shown. */
  void (*failed)(void *context, const oct_sweep_trace *trace);
  void (*notice)(void *context, const char *line);
  /* Likewise, if not NULL: so many instructions of a trace have been read, and it is to be closed.
   */
  void (*read)(void *context, const oct_reader *reader, uint64_t n_insns);
  /* Every second: instructions, and bytes of how many, over all traces. */
  void (*progress)(void *context, uint64_t n_insns, uint64_t done_bytes, uint64_t total_bytes);
  void *context;
  uint64_t reserved[4]; /* 0 */
} oct_sweep_run;

/* Sweep all traces; where one fails the others go on. 0, or the error of one of them, or
 * OCT_ERR_NOMEM or OCT_ERR_ARG
 * (reserved) with nothing done. */
int oct_sweep_run_all(oct_sweep_run *r);
/* Free what the run put into r->traces. */
void oct_sweep_run_free(oct_sweep_run *r);

#ifdef __cplusplus
}
#endif
#endif
