/* SPDX-License-Identifier: Apache-2.0 */
/* oct_fit.h - what would let a trace through that loses events: more pins, deeper buffers, a
 * pipelined machine, another tracer, or a core that retires more slowly. */
#ifndef OCT_FIT_H
#define OCT_FIT_H

#include <stdbool.h>
#include <stdint.h>

#include "octrace/trace.h"
#include "octrace/tracer.h"

/* How much of a trace is looked at to choose. What is chosen is tried on the whole. */
enum { OCT_FIT_INSNS = 200000, OCT_FIT_PINS_MAX = 32 };

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

/* The trace. */
typedef struct oct_fit_trace {
  /* Open it anew, up to limit instructions, 0: all that were asked for. params: those of the
   * machine asked for, which suit the trace. 0, or an error with *diag. */
  int (*open)(void *context, uint64_t limit, oct_source *s, uint32_t *params, oct_diag *diag);
  void (*close)(void *context, oct_source *s, int error);
  /* Let another tracer's parameters, but for those given, suit the trace: an error where it cannot
   * take it. */
  int (*suit)(const oct_tracer *t, uint32_t *params, const bool *given, const oct_trace_info *info,
              oct_diag *diag);
  void *context;
  uint64_t limit; /* instructions of it that were asked for, 0: all */
} oct_fit_trace;

/* Find the ways that lose nothing of the trace. run: of the cycle engine. 0, or an error with
 * *diag. */
int oct_fit_find(const oct_fit_trace *trace, const oct_tracer *t, const oct_run_options *run,
                 oct_fit *fit, oct_diag *diag);

/* Whether a way sets parameter i as the size of a buffer. */
bool oct_fit_sets_depth(const oct_fit_way *w, unsigned i);
/* The parameter by which a way has content number i of the trace, from 0 on (traps, stamps, ...).
 */
enum { OCT_FIT_UNCHANGED = -1, OCT_FIT_NO_MORE = -2 };
int oct_fit_content(const oct_fit_way *w, unsigned i);

#endif
