/* SPDX-License-Identifier: Apache-2.0 */
/* oct_bandwidth.h - the trace-port bandwidth report of one trace, as JSON, CSV, text and HTML. */
#ifndef OCT_BANDWIDTH_H
#define OCT_BANDWIDTH_H

#include <jansson.h>
#include <stdio.h>

#include "oct_cli.h"
#include "oct_symbols.h"

typedef struct oct_bandwidth_options {
  const oct_run_args *run;
  uint64_t cycle_insns; /* how much of a trace the cycle model runs through, 0 = all */
  uint64_t top;         /* streams that miss most, this many */
  bool no_tracers;      /* leave out the comparison of all tracers */
  uint64_t clock_hz;    /* of the core, for rates of the port; 0 = none */
  const oct_symbols *symbols;
} oct_bandwidth_options;

/* Run a trace through both engines. NULL and *diag on error. The caller frees the object. */
json_t *oct_bandwidth_collect(const char *path, const oct_bandwidth_options *o, oct_diag *diag);
/* On one or two screens. */
void oct_bandwidth_text(FILE *f, json_t *report);
/* Rows of trace,table,key,name,value; with a head when asked for. */
void oct_bandwidth_csv(FILE *f, json_t *report, bool head);
/* A self-contained page of an array of reports, with plots by matplotlib. OCT_ERR_IO. */
int oct_bandwidth_html(json_t *reports, const char *command, const char *path, oct_diag *diag);

#endif
