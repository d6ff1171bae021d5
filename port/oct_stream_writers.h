/* SPDX-License-Identifier: Apache-2.0 */
/* oct_stream_writers.h - inside of the library: writers of what a tracer's port gives. */
#ifndef OCT_STREAM_WRITERS_H
#define OCT_STREAM_WRITERS_H

#include "oct_reader_format.h"

/* Writes the stream of the tracer of the format's name (oct_stream_writer.c). */
extern const oct_writer_ops oct_stream_writer;
/* Likewise, in a snapshot folder (oct_snapshot_writer.c). */
extern const oct_writer_ops oct_snapshot_writer;

#endif
