/* SPDX-License-Identifier: Apache-2.0 */
/* oct_stream.h - inside of the library: what writers of the streams of trace units share. */
#ifndef OCT_STREAM_H
#define OCT_STREAM_H

#include "oct_reader_format.h"
#include "octrace/tracer.h"

/* The state of such a writer begins with this. */
typedef struct oct_stream {
  const oct_tracer *tracer; /* of the format's name */
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  void *encoder;
  oct_map_tracker *map;
  oct_insn *insns; /* a copy of the batch's, room of them */
  size_t room;
  /* Takes bytes of the stream. */
  int (*write)(oct_writer *w, const uint8_t *bytes, size_t n, oct_diag *diag);
  /* Is told of changes of the map before they are encoded; may be NULL. */
  int (*learn)(oct_writer *w, const oct_map_update *updates, size_t n, oct_diag *diag);
} oct_stream;

/* As the functions of oct_writer_ops. open: *s is zero but for the functions, and to be ended in
 * every case, after which its owner frees it. */
int oct_stream_open(oct_writer *w, oct_stream *s, oct_diag *diag);
int oct_stream_put(oct_writer *w, const oct_batch *b, oct_diag *diag);
int oct_stream_finish(oct_writer *w, oct_diag *diag);
void oct_stream_end(oct_stream *s);

#endif
