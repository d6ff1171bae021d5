/* SPDX-License-Identifier: Apache-2.0 */
/* oct_bench_tracers.h - one table of all tracers that can take a trace. */
#ifndef OCT_BENCH_TRACERS_H
#define OCT_BENCH_TRACERS_H

#include "oct_bench_run.h"

/* Encode each trace with every tracer that takes its instruction set, in each of its geometries (in
 * the first alone where there are more than eight), and print the table, with a->json as JSON; csv
 * is a file that gets the same columns, or NULL. An exit status. */
int oct_bench_tracers(char **files, size_t n_files, oct_run_args *a, const char *csv);

#endif
