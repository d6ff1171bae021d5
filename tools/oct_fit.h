/* SPDX-License-Identifier: Apache-2.0 */
/* oct_fit.h - what would let a trace through that loses events: more pins, deeper buffers, a
 * pipelined machine, another tracer, or a core that retires more slowly. */
#ifndef OCT_FIT_H
#define OCT_FIT_H

#include "oct_cli.h"

/* How much of a trace is looked at to choose. What is chosen is tried on the whole. */
enum { OCT_FIT_INSNS = 200000 };

enum { OCT_FIT_VALUES_MAX = 9 };

/* One way: values of which each asks for more than the one before. */
typedef struct oct_fit_way {
  const oct_tracer *tracer;
  uint32_t params[OCT_TRACER_PARAMS_MAX]; /* but for the value */
  bool is_deep;                           /* all buffers are as large as they can be */
  bool is_pipelined;                      /* set, where it was not */
  bool is_core;                           /* values are thousandths of cycles an instruction, */
  uint32_t values[OCT_FIT_VALUES_MAX];    /* else pins */
  unsigned n_values;
  unsigned at; /* the least value that loses nothing, n_values: none */
} oct_fit_way;

/* Of the tracer: more pins, and with the largest buffers, and pipelined; a slower core. Of each
 * other: pins, and with the largest buffers. */
enum { OCT_FIT_WAYS_MAX = 16 };
typedef struct oct_fit {
  oct_fit_way ways[OCT_FIT_WAYS_MAX];
  unsigned n_ways;
} oct_fit;

/* Find the ways that lose nothing of the part of path that args choose, which is read anew. 0, or
 * an error with *diag. */
int oct_fit_find(const char *path, const oct_run_args *args, oct_fit *fit, oct_diag *diag);

/* Print each way found as a command: that of argv, as getopt left it, of this trace alone, with
 * other settings. OCT_ERR_NOMEM. */
int oct_fit_print(const char *path, const oct_tracer *t, const oct_fit *fit, char **argv);

#endif
