/* SPDX-License-Identifier: Apache-2.0 */
/* oct_tracer_rows.h - one trace through all tracers that take it, at their named geometries: what
 * port bits are spent on. */
#ifndef OCT_TRACER_ROWS_H
#define OCT_TRACER_ROWS_H

#include <jansson.h>

#include "oct_cli.h"

/* One tracer at one geometry. Bits, and packets, are set by oct_tracer_rows_flush. */
typedef struct oct_tracer_row {
  const oct_tracer *tracer;
  const char *geometry;
  uint32_t params[OCT_TRACER_PARAMS_MAX]; /* as the trace wants them */
  bool has_data;                          /* data addresses leave the port */
  void *encoder;                          /* NULL: it does not take the trace, */
  oct_diag why;                           /* for this reason, */
  bool is_other; /* or because it is for other instruction sets than the trace says to have */
  uint64_t insn, data, sync, overhead, packets;
} oct_tracer_row;

enum { OCT_TRACER_ROWS_MAX = 128 };
typedef struct oct_tracer_rows {
  oct_tracer_row row[OCT_TRACER_ROWS_MAX];
  size_t n;
  oct_trace_info info;
  uint64_t n_insns, n_accesses;
  bool has_values; /* the trace */
} oct_tracer_rows;

/* Rows in the order of the list of tracers, for a trace of this description; to be freed in any
 * case. Tracers that cannot take it keep their row, without an encoder. OCT_ERR_NOMEM. */
int oct_tracer_rows_init(oct_tracer_rows *r, const oct_trace_info *info, oct_diag *diag);
void oct_tracer_rows_free(oct_tracer_rows *r);
/* Part of the trace, and its end. Rows whose tracer cannot carry it lose their encoder. */
int oct_tracer_rows_put(oct_tracer_rows *r, const oct_tracer_input *in, oct_diag *diag);
int oct_tracer_rows_flush(oct_tracer_rows *r, oct_diag *diag);

/* What the row's decoder has of the trace: "path", "addresses" too, or "everything". */
const char *oct_tracer_row_gives(const oct_tracer_rows *r, const oct_tracer_row *row);
/* A row as an object; figures per instruction of the trace. */
json_t *oct_tracer_row_json(const oct_tracer_rows *r, const oct_tracer_row *row);
/* All rows that took the trace; tracer and reason of those that did not, but could, if the trace
 * said more or less. */
json_t *oct_tracer_rows_json(const oct_tracer_rows *r);
json_t *oct_tracer_rows_refused(const oct_tracer_rows *r);
/* A line on a run of tracer t with the parameters own beside these rows: in what it differs from
 * the row that is nearest to it; null when it is one of them, or t has none. NULL: out of memory,
 * as oct_report_lacks_memory tells. */
json_t *oct_tracer_rows_note(const oct_tracer_rows *r, const oct_tracer *t, const uint32_t *own);

#endif
