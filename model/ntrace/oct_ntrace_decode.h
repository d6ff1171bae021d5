/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ntrace_decode.h - the N-Trace decoder. */
#ifndef OCT_NTRACE_DECODE_H
#define OCT_NTRACE_DECODE_H

#include "oct_buffer.h"
#include "oct_map_walk.h"
#include "oct_ntrace.h"
#include "oct_tracer.h"

/* Outcomes of branches: those of hist, behind its stop bit, `times` times. */
typedef struct oct_nt_outcomes {
  uint64_t hist;
  uint32_t left; /* of this time */
  uint64_t times;
} oct_nt_outcomes;

typedef struct oct_nt_decoder {
  oct_nt_params p;
  oct_map_walk walk;
  oct_buffer in;
  size_t at;
  uint64_t base_bytes, bit;
  bool is_finished, is_searching;
  oct_buffer outcomes; /* oct_nt_outcomes, from first_outcome on */
  size_t first_outcome;
  uint64_t icnt;        /* halfwords to go, */
  oct_nt_message held;  /* to where this message says, */
  bool has_held;        /* if there is one */
  uint64_t repeat_icnt; /* of the last direct branch, */
  uint64_t n_repeat;    /* which comes as many times again */
  bool is_on, is_synced, is_lost, needs_number;
  uint64_t ip;    /* the next instruction, unless */
  bool is_behind; /* it is what follows entry id */
  uint32_t id, task;
  uint64_t last_addr;
  oct_nt_stack stack;
  uint64_t insn, out_insn;
  oct_buffer out;
  bool has_gap;
  uint64_t gap_insns;
  oct_decoder_counts counts;
  int error;
  oct_diag diag;
} oct_nt_decoder;

int oct_nt_decoder_init(oct_nt_decoder *d, const uint32_t *params, oct_decoder_start start);
void oct_nt_decoder_free(oct_nt_decoder *d);
int oct_nt_decoder_push(oct_nt_decoder *d, const uint8_t *bytes, size_t n);
/* The next message of our source: 1, 0 when more bytes are needed, or an error. */
int oct_nt_decoder_message(oct_nt_decoder *d, oct_nt_message *m, const oct_nt_listen *listen);
/* As the functions of oct_tracer_decoder. */
int oct_nt_decoder_next(oct_nt_decoder *d, oct_decoded *out, oct_diag *diag);
int oct_nt_decoder_resync(oct_nt_decoder *d);

#endif
