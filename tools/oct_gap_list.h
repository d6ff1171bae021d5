/* SPDX-License-Identifier: Apache-2.0 */
/* oct_gap_list.h - the CSV file of --gaps: a line for each place where instructions are missing. */
#ifndef OCT_GAP_LIST_H
#define OCT_GAP_LIST_H

#include <stdbool.h>

#include "octrace/error.h"
#include "octrace/trace.h"

/* Open it with its head, and add a line. path and gaps may be NULL: none. */
int oct_gaps_open(const char *path, oct_outfile **gaps, oct_diag *diag);
int oct_gaps_put(oct_outfile *gaps, const oct_gap *gap, oct_diag *diag);
/* Of a damaged file that gave nothing: a list that says so, in place of an older one. Whether it is
 * written: not where why is no damage. */
bool oct_gaps_put_all(const char *path, const oct_diag *why);

/* The list of a trace reader: `context` of oct_gap_list_tell, for oct_read_options. error: of the
 * first line that could not be written, with diag. */
typedef struct oct_gap_list {
  oct_outfile *file; /* NULL: none */
  int error;
  oct_diag diag;
} oct_gap_list;
void oct_gap_list_tell(void *context, const oct_gap *gap);

#endif
