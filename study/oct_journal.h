/* SPDX-License-Identifier: Apache-2.0 */
/* oct_journal.h - an append-only file of what was counted, so that a sweep that was killed goes on.
 *
 * A line for each pair of trace and geometry: a key that names both by checksum, the counters by
 * name, and a checksum of the line. A torn or foreign line is passed over; files can be joined by
 * `cat`.
 *
 * Threads: oct_journal_append may be called by several threads at a time; opening and closing is
 * for one. */
#ifndef OCT_JOURNAL_H
#define OCT_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "oct_source.h"
#include "oct_tracer.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct oct_journal oct_journal;

/* Open or create the file at path and take in what it holds; with alone, only if nobody else has it
 * open in this way. OCT_ERR_IO, also when somebody has; OCT_ERR_NOMEM; OCT_ERR_FORMAT: it begins as
 * no journal does, or is no regular file. */
int oct_journal_open(const char *path, bool alone, oct_journal **j, oct_diag *diag);
/* Counters of t that stand under key, into values: those that the line lacks are 0. False when
 * there is no such line, or it has a counter that t does not know. */
bool oct_journal_find(const oct_journal *j, uint64_t key, const oct_tracer *t, uint64_t *values);
/* Append n records, n_counters values each, in one write, which reaches the disk before it returns.
 * May be called by several threads, and by several programs on one file. OCT_ERR_IO, OCT_ERR_NOMEM.
 */
int oct_journal_append(oct_journal *j, const uint64_t *keys, const oct_tracer *t,
                       const uint64_t *values, size_t n, oct_diag *diag);
const char *oct_journal_path(const oct_journal *j);
void oct_journal_close(oct_journal *j);

/* Checksum of a trace's bytes and of what its reading depends on besides: instruction set, program.
 * 1; 0 for what can be read only once, or is a folder, and has no checksum; OCT_ERR_IO,
 * OCT_ERR_NOMEM. */
int oct_journal_trace_hash(const char *path, const oct_read_options *read, uint64_t *hash,
                           oct_diag *diag);
/* The key of a geometry (as run: fitted to the trace), of how it is run and of what, and of this
 * version of the program. */
uint64_t oct_journal_key(uint64_t trace_hash, const oct_tracer *t, const uint32_t *params,
                         const oct_run_options *run, const oct_source_options *source);

#ifdef __cplusplus
}
#endif
#endif
