/* SPDX-License-Identifier: Apache-2.0 */
/* oct_sweep_plan.h - which geometries to sweep: cross products of axes, within a state budget; and
 * which of them are worth their state.
 *
 * Threads: A plan is for one thread at a time while it is made; then any threads may read it. */
#ifndef OCT_SWEEP_PLAN_H
#define OCT_SWEEP_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "oct_reader.h"
#include "oct_tracer.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OCT_PLAN_MAX 65536
#define OCT_PLAN_COMBINATIONS_MAX 67108864 /* of values of axes, legal or not */
#define OCT_PLAN_LEFT_OUT_MAX 64

/* Values of a tracer's parameters; what is behind them is 0. */
typedef struct oct_plan_geometry {
  uint32_t params[OCT_TRACER_PARAMS_MAX];
} oct_plan_geometry;

typedef struct oct_plan {
  const oct_tracer *tracer;
  double max_state_bytes;        /* 0 = any */
  oct_plan_geometry *geometries; /* legal, distinct, in the order of the axes, the last changing
                                    first */
  size_t n;
  void *seen;         /* the same, sorted, by tsearch */
  size_t n_too_large; /* left out for their state */
  size_t n_left_out;  /* combinations that are no legal geometry, and unknown axes */
  char *left_out[OCT_PLAN_LEFT_OUT_MAX]; /* a line for each of the first of them */
  const char *timed_axis; /* of several values that only the cycle engine minds, or NULL */
  bool given[OCT_TRACER_PARAMS_MAX]; /* by an axis: not to be taken from the trace */
  /* The state that counts against max_state_bytes is the most that a geometry has for one of these
   * traces, whose widths it takes but in the parameters of fixed (NULL: none) and given. With none
   * its own widths count. Owned by the caller, as is fixed; needed while geometries are added. */
  const oct_trace_info *infos;
  size_t n_infos;
  const bool *fixed;
  uint64_t reserved[1]; /* 0 */
} oct_plan;

void oct_plan_init(oct_plan *p, const oct_tracer *tracer);
void oct_plan_free(oct_plan *p);

/* Add the cross product of axes "NAME=LIST" over a base geometry. NAME is a parameter, or
 * an axis of the tracer (oct_tracer_axis). LIST has numbers and ranges A..B, A..B+STEP or
 * A..B*FACTOR between commas; a plain range goes by doubling where a power of two is expected and
 * by one elsewhere; values may have names (oct_value_names). Without axes the base alone is added.
 * Combinations that are illegal or too large are noted in *p and left out. OCT_ERR_ARG: an unknown
 * axis; OCT_ERR_CONFIG: a bad list, or an axis twice; OCT_ERR_LIMIT: more than OCT_PLAN_MAX
 * geometries or OCT_PLAN_COMBINATIONS_MAX combinations; OCT_ERR_NOMEM. */
int oct_plan_add_grid(oct_plan *p, const uint32_t *base, const char *const *axes, size_t n_axes,
                      oct_diag *diag);

/* Whether text is an axis "NAME=LIST" as above, alone. 0, OCT_ERR_ARG (unknown), OCT_ERR_CONFIG (a
 * bad list), OCT_ERR_LIMIT (more than 4096 values), OCT_ERR_NOMEM; *diag says why. */
int oct_plan_check_axis(const oct_tracer *tracer, const char *text, oct_diag *diag);
/* Note something that is left out. OCT_ERR_NOMEM. */
int oct_plan_leave_out(oct_plan *p, const char *what, const char *why, oct_diag *diag);

/* Mark, of n points, those for which no other has less or equal of both x and y and less of one. A
 * lossy point is not marked, however good it looks, for it left out what costs bits, and counts for
 * nothing against the others; where all are lossy, they are compared as if none were. No value may
 * be NaN. OCT_ERR_NOMEM. */
int oct_pareto(const double *x, const double *y, const bool *lossy, size_t n, bool *front);

/* The same among the points of each group alone, and without lossy points in any case. */
int oct_pareto_of_groups(const double *x, const double *y, const bool *lossy, const uint32_t *group,
                         size_t n, bool *front);

/* The parameter of which a picture of these geometries has a line for each value: a number of ways
 * where one varies, else the one of the fewest values, of at most 8, where two or more vary. Its
 * number, or -1. */
int oct_plan_line_param(const oct_tracer *tracer, const oct_plan_geometry *geometries, size_t n);

#ifdef __cplusplus
}
#endif
#endif
