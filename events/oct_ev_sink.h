/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_sink.h - writes event traces in any format.
 *
 * Threads: A sink is for one thread at a time, different ones may be used by different threads,
 * but of OTF2 archives one at a time in the program: so does the OTF2 library want it. */
#ifndef OCT_EV_SINK_H
#define OCT_EV_SINK_H

#include "oct_ev_source.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct oct_ev_sink oct_ev_sink;

/* Write path ("-": standard output; OTF2: a directory that does not exist yet) in a format: text,
 * OTF2, records, or compressed with params. defs is looked at while records are put and when the
 * sink is committed. Nothing is left under path unless that is done. OCT_ERR_IO, OCT_ERR_CONFIG,
 * OCT_ERR_UNSUPPORTED, OCT_ERR_NOMEM. */
int oct_ev_sink_open(const char *path, oct_ev_format format, const oct_ev_defs *defs,
                     const oct_ev_params *params, oct_ev_sink **s, oct_diag *diag);
int oct_ev_sink_put(oct_ev_sink *s, const oct_ev_record *records, size_t n, oct_diag *diag);
/* Complete the output and free the sink, in every case. counts (or NULL): what was counted while
 * compressing; note (or NULL): what could not be written, in words, or an empty text. */
int oct_ev_sink_commit(oct_ev_sink *s, oct_ev_counts *counts, char note[200], oct_diag *diag);
/* Remove what was written and free. NULL is allowed. */
void oct_ev_sink_abort(oct_ev_sink *s);

#ifdef __cplusplus
}
#endif
#endif
