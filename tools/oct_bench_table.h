/* SPDX-License-Identifier: Apache-2.0 */
/* oct_bench_table.h - what octrace bench measured, as a table, JSON or CSV. */
#ifndef OCT_BENCH_TABLE_H
#define OCT_BENCH_TABLE_H

#include "oct_bench_run.h"

typedef struct oct_bench_row {
  const char *path, *codec;
  uint64_t n_insns;
  uint32_t found_align_bytes; /* of a tracer's row, as oct_source has it */
  bool failed, lossy;
  oct_diag_text why; /* it failed */
  oct_bench_result r;
} oct_bench_row;

typedef struct oct_bench_table {
  oct_bench_row *rows; /* files x codecs */
  size_t n_files, n_codecs;
} oct_bench_table;

void oct_bench_print_table(const oct_bench_table *t);
int oct_bench_print_json(const oct_bench_table *t);
/* 0 or an error with *diag. */
int oct_bench_write_csv(const oct_bench_table *t, const char *path, oct_diag *diag);

#endif
