/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_sink_format.h - what the writers of event traces share. */
#ifndef OCT_EV_SINK_FORMAT_H
#define OCT_EV_SINK_FORMAT_H

#include "oct_ev_bytes.h"
#include "oct_ev_compressor.h"
#include "oct_ev_sink.h"
#include "octrace/error.h"

typedef struct oct_ev_sink_ops {
  int (*open)(oct_ev_sink *s, oct_diag *diag);
  int (*put)(oct_ev_sink *s, const oct_ev_record *records, size_t n, oct_diag *diag);
  int (*finish)(oct_ev_sink *s, oct_diag *diag); /* before the file is committed */
  void (*close)(oct_ev_sink *s);                 /* after finish, or instead of it */
} oct_ev_sink_ops;

struct oct_ev_sink {
  const oct_ev_sink_ops *ops;
  char *path;
  const oct_ev_defs *defs;
  const oct_ev_params *params;
  oct_outfile *file; /* NULL for OTF2 */
  oct_buffer out;
  int started;        /* text: the head is written */
  uint32_t n_checked; /* text: functions whose names were looked at */
  oct_ev_compressor *compressor;
  void *state;
  char note[200];
};

extern const oct_ev_sink_ops oct_ev_otf2_sink;

#endif
