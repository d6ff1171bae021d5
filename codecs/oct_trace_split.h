/* SPDX-License-Identifier: Apache-2.0 */
/* oct_trace_split.h - an event trace to channels of records in a codec file, and back, without
 * loss: instructions (address, size, task, time stamp), their accesses (address, size, kind),
 * traps, and the program map. The channels: docs/codec-file.md.
 *
 * Threads: A splitter or joiner is for one thread at a time, different ones may be used by
 * different threads. */
#ifndef OCT_TRACE_SPLIT_H
#define OCT_TRACE_SPLIT_H

#include "oct_codec_file.h"
#include "oct_map.h"
#include "oct_reader.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct oct_trace_split oct_trace_split;

/* Start a codec file for a trace; info and settings are copied. apart: as oct_codec_head has it, to
 * be told the sinks with oct_codec_writer_apart of oct_trace_split_writer. Errors of
 * oct_codec_writer_new, and OCT_ERR_CONFIG when the codec takes neither (PC, ED) records nor 64-bit
 * addresses. */
int oct_trace_split_new(const oct_codec_settings *settings, const oct_trace_info *info,
                        const oct_sink *sink, unsigned n_threads, bool apart,
                        oct_trace_split **split, oct_diag *diag);
/* Append instructions with their accesses, and traps; the batch's map is not read. updates are what
 * an oct_map_tracker gave for them; its count of instructions must have begun at 0 with this file.
 * OCT_ERR_MAP when they do not explain the instructions, OCT_ERR_LIMIT for an address that breaks
 * info->insn_align_bytes, and errors of codec and sink. */
int oct_trace_split_put(oct_trace_split *s, const oct_batch *batch, const oct_map_update *updates,
                        size_t n_updates, oct_diag *diag);
int oct_trace_split_finish(oct_trace_split *s, oct_diag *diag);
/* The file being written, for totals and statistics. */
oct_codec_writer *oct_trace_split_writer(const oct_trace_split *s);
void oct_trace_split_free(oct_trace_split *s); /* NULL is allowed */

typedef struct oct_trace_join oct_trace_join;

/* Bring a trace back from an open codec file of content OCT_CONTENT_TRACE, which stays the
 * caller's. OCT_ERR_FORMAT, OCT_ERR_NOMEM. */
int oct_trace_join_new(oct_codec_reader *reader, oct_trace_join **join, oct_diag *diag);
/* Take up to n entries of a program map, changed ones included, instead of OCT_READ_MAP_MAX. A file
 * of more ends in OCT_ERR_LIMIT. */
void oct_trace_join_map_max(oct_trace_join *j, uint64_t n);
/* What the trace says of itself; strings belong to the reader. */
void oct_trace_join_info(const oct_trace_join *j, oct_trace_info *info);
/* The next batch, owned by the join until its next call: 1, 0 at the end, or an error that says the
 * instruction or the offset. All instructions before damage are given before the error.
 * OCT_INSN_END is not set. */
int oct_trace_join_next(oct_trace_join *j, oct_batch *batch, oct_diag *diag);
/* Behind an error of oct_trace_join_next: go on with the next segment that is whole (as
 * oct_codec_reader_resync): 1, and in *insn the number of its first instruction, counted from the
 * beginning of the trace. 0: none follows. OCT_ERR_NOMEM, errors of the source. */
int oct_trace_join_resync(oct_trace_join *j, uint64_t *insn, oct_diag *diag);
void oct_trace_join_free(oct_trace_join *j); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
