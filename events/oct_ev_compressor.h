/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_compressor.h - compresses event records to a file of docs/events.md, as they come.
 *
 * Threads: A compressor is for one thread at a time, different ones may be used by different
 * threads. */
#ifndef OCT_EV_COMPRESSOR_H
#define OCT_EV_COMPRESSOR_H

#include "oct_ev_types.h"
#include "octrace/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct oct_ev_compressor oct_ev_compressor;

/* Write to file, which stays the caller's to commit. OCT_ERR_CONFIG, OCT_ERR_NOMEM, OCT_ERR_IO. */
int oct_ev_compressor_new(const oct_ev_params *params, oct_outfile *file, oct_ev_compressor **c,
                          oct_diag *diag);
/* Take records. Those of a location are in the order of time; between locations any order goes, but
 * one near to time makes a better file. OCT_ERR_FORMAT for times that go back and for records that
 * are too long, OCT_ERR_NOMEM, OCT_ERR_IO, OCT_ERR_LIMIT. */
int oct_ev_compressor_put(oct_ev_compressor *c, const oct_ev_record *records, size_t n,
                          oct_diag *diag);
/* Write what is buffered, definitions and index. Nothing can be put after it. */
int oct_ev_compressor_finish(oct_ev_compressor *c, const oct_ev_defs *defs, oct_diag *diag);
/* What was counted; complete after oct_ev_compressor_finish. */
const oct_ev_counts *oct_ev_compressor_counts(const oct_ev_compressor *c);
void oct_ev_compressor_free(oct_ev_compressor *c);

#ifdef __cplusplus
}
#endif
#endif
