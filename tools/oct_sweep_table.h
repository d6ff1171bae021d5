/* SPDX-License-Identifier: Apache-2.0 */
/* oct_sweep_table.h - the rows of a sweep as CSV and JSON. */
#ifndef OCT_SWEEP_TABLE_H
#define OCT_SWEEP_TABLE_H

#include <jansson.h>

#include "octrace/error.h"
#include "octrace/sweep.h"

/* The name in column `trace` of what all traces sum up to. */
#define OCT_SWEEP_ALL "(all)"

/* Write a row for each trace that was swept and each geometry, and for all traces together when
 * they are several of the same address widths. pareto: mark, for each trace, the front of port bits
 * per instruction against state bytes. What a plot needs goes into the JSON array rows, too, unless
 * it is NULL: the rows of all traces together, else those of each, with two fronts marked in any
 * case, that of all ("pareto") and that of the same value of parameter number line_param, or of all
 * where it is -1 ("on_line"). OCT_ERR_IO, OCT_ERR_NOMEM. */
int oct_sweep_table_write(const oct_sweep_run *r, bool json, bool pareto, oct_outfile *out,
                          json_t *rows, int line_param, oct_diag *diag);

#endif
