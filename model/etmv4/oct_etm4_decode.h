/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etm4_decode.h - octrace's own ETMv4 decoder, for streams of its encoder. */
#ifndef OCT_ETM4_DECODE_H
#define OCT_ETM4_DECODE_H

#include "oct_etm4.h"
#include "oct_map_walk.h"
#include "oct_tracer.h"

typedef struct oct_etm4_decoder {
  oct_etm4_params p;
  oct_map_walk walk;
  oct_buffer raw;     /* bytes as they came, not yet taken out of frames */
  oct_buffer in;      /* bytes of the trace unit */
  size_t at;          /* next byte of in */
  uint64_t taken;     /* bytes of the trace unit before in.bytes[0] */
  uint64_t raw_taken; /* bytes of the stream that are in `in` or went before */
  uint8_t id;         /* source under way in the frames */
  bool is_aligned;    /* it is known where frames begin */
  bool is_finished, is_searching;
  oct_etm4_history history;
  oct_etm4_stack stack;
  oct_etm4_atoms atoms; /* not yet used */
  bool pop_pending;     /* an indirect branch whose target comes, or is on the stack */
  bool is_exception;    /* an exception whose address comes, */
  uint64_t exception;   /* of this type, */
  bool is_going;        /* on the way to that address */
  uint64_t to;
  bool is_on;                       /* tracing goes on */
  bool needs_address;               /* where it goes on comes next */
  bool is_synced, is_lost, in_sync; /* in_sync: behind an A-Sync, before its address */
  bool has_number;
  uint64_t number; /* instructions that the timestamp of the sync counts */
  uint64_t ip, bit;
  uint32_t id_of_last, task;
  uint64_t insn, out_insn;
  oct_buffer out; /* oct_insn */
  bool has_gap;
  uint64_t gap_insns;
  oct_decoder_counts counts;
  int error;
  oct_diag diag;
} oct_etm4_decoder;

int oct_etm4_decoder_init(oct_etm4_decoder *d, const uint32_t *params, oct_decoder_start start);
void oct_etm4_decoder_free(oct_etm4_decoder *d);
int oct_etm4_decoder_push(oct_etm4_decoder *d, const uint8_t *bytes, size_t n);
/* Bits of the stream that were used, up to a frame. */
static inline uint64_t oct_etm4_decoder_bit(const oct_etm4_decoder *d) {
  uint64_t left = d->in.n_bytes - d->at;
  if (!d->p.frames) return 8 * (d->taken + d->at);
  return d->raw_taken > left ? 8 * (d->raw_taken - left) : 0;
}
/* The next packet at d->at: 1, 0 when more bytes are needed, or an error. */
int oct_etm4_decoder_packet(oct_etm4_decoder *d, oct_etm4_packet *p);
/* As the functions of oct_tracer_decoder. */
int oct_etm4_decoder_next(oct_etm4_decoder *d, oct_decoded *out, oct_diag *diag);
int oct_etm4_decoder_resync(oct_etm4_decoder *d);

#endif
