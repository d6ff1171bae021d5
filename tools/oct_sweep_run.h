/* SPDX-License-Identifier: Apache-2.0 */
/* oct_sweep_run.h - runs a plan over several traces on several threads, with a journal. */
#ifndef OCT_SWEEP_RUN_H
#define OCT_SWEEP_RUN_H

#include "oct_journal.h"
#include "oct_sweep_plan.h"

/* One trace of a sweep. */
typedef struct oct_sweep_trace {
  const char *path;
  int error;       /* the trace could not be swept: it has been printed, there are no rows */
  size_t n_reused; /* rows that the journal had */
  uint64_t bytes_read;
  oct_config *cfgs;   /* the plan's geometries, with the trace's address widths */
  oct_counts *counts; /* one for each */
} oct_sweep_trace;

typedef struct oct_sweep_run {
  const oct_plan *plan;
  const oct_run_args *args;
  oct_journal *journal; /* NULL = none */
  unsigned threads;
  double save_seconds; /* between checkpoints of a trace (oct_checkpoint.h), 0 = none */
  oct_sweep_trace *traces;
  size_t n_traces;
} oct_sweep_run;

/* Sweep all traces. What is wrong with one is printed, the others go on. 0, or the exit code of
 * what went wrong. */
int oct_sweep_run_all(oct_sweep_run *r);
/* Free what the run put into r->traces. */
void oct_sweep_run_free(oct_sweep_run *r);

#endif
