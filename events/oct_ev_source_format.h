/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_source_format.h - what the readers of event traces share. */
#ifndef OCT_EV_SOURCE_FORMAT_H
#define OCT_EV_SOURCE_FORMAT_H

#include "oct_ev_bytes.h"
#include "oct_ev_source.h"
#include "oct_input.h"

enum { OCT_EV_BATCH = 4096, OCT_EV_BATCH_BYTES = 1 << 20 };

typedef struct oct_ev_source_ops {
  int (*open)(oct_ev_source *s, oct_diag *diag); /* state is to be freed by close in every case */
  int (*next)(oct_ev_source *s, oct_diag *diag); /* fills records: 1, 0 at the end, or an error */
  void (*close)(oct_ev_source *s);
} oct_ev_source_ops;

struct oct_ev_source {
  const oct_ev_source_ops *ops;
  oct_ev_format format;
  char *path;
  oct_input *in; /* standard input when it was read to tell the format, until a reader takes it */
  void *state;
  oct_ev_defs own;
  const oct_ev_defs *defs; /* own, unless the reader has its own */
  oct_ev_record *records;  /* OCT_EV_BATCH */
  size_t n;
  oct_buffer bytes; /* of other records; records have offsets until the batch is full */
  char note[200];
};

/* Whether the batch takes another record. */
static inline int oct_ev_source_room(const oct_ev_source *s) {
  return s->n < OCT_EV_BATCH && s->bytes.n_bytes < OCT_EV_BATCH_BYTES;
}
/* Add a record to the batch. */
static inline oct_ev_record *oct_ev_source_add(oct_ev_source *s, uint64_t time_ticks,
                                               uint32_t location, uint32_t function,
                                               oct_ev_kind kind) {
  oct_ev_record *r = &s->records[s->n++];
  *r = (oct_ev_record){
      .time_ticks = time_ticks, .location = location, .function = function, .kind = kind};
  return r;
}
/* Add an other record of a form; its bytes are put together from two pieces. */
int oct_ev_source_add_other(oct_ev_source *s, uint64_t time_ticks, uint32_t location,
                            oct_ev_other_form form, const void *bytes, size_t n_bytes,
                            oct_diag *diag);
/* Parse decimal digits; returns the place behind them, or NULL when there are none or too many. */
const char *oct_ev_parse_number(const char *p, const char *end, uint64_t *value);
/* Seconds with up to nine digits behind a point, as nanoseconds; likewise. */
const char *oct_ev_parse_seconds(const char *p, const char *end, uint64_t *nanoseconds);

extern const oct_ev_source_ops oct_ev_text_source, oct_ev_uftrace_source, oct_ev_dump_source,
    oct_ev_otf2_source;

#endif
