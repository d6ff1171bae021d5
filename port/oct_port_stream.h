/* SPDX-License-Identifier: Apache-2.0 */
/* oct_port_stream.h - inside of the library: the bare stream of a tracer's port as a format of
 * traces, and what other writers of the streams of trace units share with it. */
#ifndef OCT_PORT_STREAM_H
#define OCT_PORT_STREAM_H

#include "oct_reader_format.h"
#include "octrace/tracer.h"

/* The tracer is the one of the format's name. */
extern const oct_reader_ops oct_port_stream_reader;
extern const oct_writer_ops oct_port_stream_writer;

/* The state of such a writer begins with this. */
typedef struct oct_port_stream {
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
} oct_port_stream;

/* As the functions of oct_writer_ops. open: *s is zero but for the functions, and to be ended in
 * every case, after which its owner frees it. */
int oct_port_stream_open(oct_writer *w, oct_port_stream *s, oct_diag *diag);
int oct_port_stream_put(oct_writer *w, const oct_batch *b, oct_diag *diag);
int oct_port_stream_finish(oct_writer *w, oct_diag *diag);
void oct_port_stream_end(oct_port_stream *s);

#endif
