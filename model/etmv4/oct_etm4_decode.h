/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etm4_decode.h - octrace's own ETMv4 decoder, for streams of its encoder. */
#ifndef OCT_ETM4_DECODE_H
#define OCT_ETM4_DECODE_H

#include "oct_decoder_base.h"
#include "oct_etm4.h"

typedef struct oct_etm4_decoder {
  oct_decoder_base base; /* `in` has the bytes of the trace unit */
  oct_etm4_params p;
  oct_buffer raw;    /* frames as they came, */
  size_t raw_at;     /* of which these bytes were taken apart, */
  uint64_t raw_gone; /* behind so many that are no longer there */
  uint8_t id;        /* source under way in the frames */
  bool is_aligned;   /* it is known where frames begin, */
  bool is_shifted;   /* or the last one was not where one begins */
  oct_etm4_history history;
  oct_etm4_stack stack;
  oct_etm4_atoms atoms; /* not yet used */
  bool pop_pending;     /* an indirect branch whose target comes, or is on the stack */
  bool is_exception;    /* an exception whose address comes, */
  uint64_t exception;   /* of this type, */
  bool is_going;        /* on the way to that address */
  uint64_t to;
  bool is_trap;       /* it was reached, and is a trap */
  bool is_on;         /* tracing goes on */
  bool needs_address; /* where it goes on comes next */
  bool in_sync;       /* behind an A-Sync, before its address */
  bool has_number;
  uint64_t number; /* instructions that the timestamp of the sync counts */
} oct_etm4_decoder;

/* As the functions of oct_tracer_decoder. */
int oct_etm4_decoder_init(void *d, const uint32_t *params, oct_diag *diag);
void oct_etm4_decoder_destroy(void *d);
int oct_etm4_decoder_push(void *d, const uint8_t *bytes, size_t n, oct_diag *diag);
int oct_etm4_decoder_next(void *d, oct_decoded *out, oct_diag *diag);
int oct_etm4_decoder_resync(void *d, oct_diag *diag);
void oct_etm4_decoder_counts(const void *d, oct_decoder_counts *counts);

/* Go to the next A-Sync, if there is one. */
bool oct_etm4_decoder_search(void *d);

/* The next packet at d->at: 1, 0 when more bytes are needed, or an error. */
int oct_etm4_decoder_packet(oct_etm4_decoder *d, oct_etm4_packet *p);

#endif
