/* SPDX-License-Identifier: Apache-2.0 */
/* oct_param.h - tables of parameters and of named geometries, and settings over them.
 *
 * Values are an array of uint32_t in the order of the table.
 *
 * Threads: Tables are constant; all functions may be called by any threads on values of their own.
 */
#ifndef OCT_PARAM_H
#define OCT_PARAM_H

#include <stdbool.h>
#include <stdint.h>

#include "oct_error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rule of a parameter beside its range. */
typedef enum oct_param_rule {
  OCT_ANY,
  OCT_POW2 /* a power of two, or 0 where min is 0 */
} oct_param_rule;

/* A parameter. A container keeps parameters by name; where an older file lacks one, it has
 * `absent`, the value that the machine had before the parameter existed. */
typedef struct oct_param {
  const char *name;
  uint32_t def, min, max;
  oct_param_rule rule;
  const char *unit; /* "bits", "entries", "insns", ... or "" */
  const char *text; /* what it means, one line */
  uint32_t absent;
} oct_param;

/* A named geometry: settings over the defaults, "name=value,name=value". */
typedef struct oct_geometry {
  const char *name, *text, *settings;
} oct_geometry;

typedef struct oct_param_table {
  const oct_param *params;
  unsigned n_params;
  const oct_geometry *geometries;
  unsigned n_geometries;
} oct_param_table;

/* Number of the parameter of that name, or -1. */
int oct_param_find(const oct_param_table *t, const char *name);
/* All defaults. */
void oct_param_defaults(const oct_param_table *t, uint32_t *values);
/* Is each value within its own range and rule? 0, or OCT_ERR_CONFIG with the first that is not in
 * *diag. */
int oct_param_check(const oct_param_table *t, const uint32_t *values, oct_diag *diag);
/* Set one parameter from decimal text. OCT_ERR_CONFIG: unknown name, not a number, or out of its
 * own range; values are unchanged then. */
int oct_param_set(const oct_param_table *t, uint32_t *values, const char *name, const char *text,
                  oct_diag *diag);
/* Start from the defaults and take a named geometry's settings. OCT_ERR_CONFIG: none of that name.
 * given, if not NULL, gets true for each parameter that is set. */
int oct_param_geometry(const oct_param_table *t, const char *name, uint32_t *values, bool *given);
/* A geometry's name, "name=value,...", or both ("tiny,port_pins=4"), over what values hold. given
 * as above. OCT_ERR_CONFIG, and nothing is changed; OCT_ERR_NOMEM. Rules over several parameters
 * are for the caller to check. */
int oct_param_parse(const oct_param_table *t, const char *text, uint32_t *values, bool *given,
                    oct_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
