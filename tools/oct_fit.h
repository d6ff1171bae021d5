/* SPDX-License-Identifier: Apache-2.0 */
/* oct_fit.h - what would let a trace through that loses events: more pins, deeper buffers, a
 * pipelined machine, another tracer, or a core that retires more slowly. */
#ifndef OCT_FIT_H
#define OCT_FIT_H

#include "oct_cli.h"

/* How much of a trace is looked at. */
enum { OCT_FIT_INSNS = 200000 };

typedef struct oct_fit {
  bool loses;     /* in the part that was looked at; if not, nothing else is told */
  uint64_t insns; /* of that part */
  uint32_t
      pins; /* fewest, in steps of four, that lose nothing with the buffers as they are; 0: none */
  uint32_t pins_deep;      /* likewise with the largest buffers */
  uint32_t pins_pipelined; /* likewise where every stage takes an item a cycle */
  /* The other tracer that sends the fewest bits, NULL: none sends fewer. Port bits of the part. */
  const oct_tracer *other;
  uint64_t bits, other_bits;
  bool tried_cores;   /* slower ones, unless the trace says when instructions retire */
  uint32_t cpi_milli; /* least of a few, with the geometry as it is; 0: none */
} oct_fit;

/* Look at the first OCT_FIT_INSNS instructions of path that args choose, which is read anew. 0, or
 * an error with *diag. */
int oct_fit_find(const char *path, const oct_run_args *args, oct_fit *fit, oct_diag *diag);

/* Print each way found as a command: that of argv, as getopt left it, with other settings.
 * OCT_ERR_NOMEM. */
int oct_fit_print(const char *path, const oct_tracer *t, const oct_fit *fit, int argc, char **argv);

#endif
