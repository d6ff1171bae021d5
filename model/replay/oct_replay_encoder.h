/* SPDX-License-Identifier: Apache-2.0 */
/* oct_replay_encoder.h - the encoder of the tracer `replay`, with a clock or without. */
#ifndef OCT_REPLAY_ENCODER_H
#define OCT_REPLAY_ENCODER_H

#include "oct_replay_clock.h"

/* Counters, all of 64 bits. */
typedef struct oct_rp_counts {
  uint64_t insns, accesses, traps, tasks, syncs, packets;
  uint64_t executed, told;                   /* instructions */
  uint64_t loads, sent;                      /* of executed instructions, and those sent */
  uint64_t jumps, registers, forgets, fixes; /* events */
  uint64_t leaves;                           /* execution given up */
  uint64_t symbols;                          /* steps of the coder */
  uint64_t cycles, port_busy_cycles, wait_cycles, overflows, lost_insns, lost_accesses, lost_traps;
  uint64_t high_water[OCT_RP_BUFFERS], sufficient[OCT_RP_BUFFERS], sufficient_overflows;
  uint64_t mark_bits, register_bits, event_bits, told_bits, value_bits, overhead_bits;
} oct_rp_counts;

/* As in oct_tracer_encoder, with the tracer itself; all else of it is the base's. */
int oct_rp_encoder_create(const oct_tracer *tracer, const uint32_t *params,
                          const oct_run_options *run, void **e, oct_diag *diag);
void oct_rp_encoder_destroy(void *e);
int oct_rp_encoder_put(void *e, const oct_tracer_input *in, oct_diag *diag);
int oct_rp_encoder_flush(void *e, oct_diag *diag);
/* As corrections of oct_tracer_encoder. */
size_t oct_rp_encoder_corrections(const void *e, oct_correction *list, size_t n);
void oct_rp_encoder_counts(const void *e, oct_rp_counts *counts);

/* Before the first put: it has a clock, as `run` says. OCT_ERR_ARG, OCT_ERR_NOMEM. */
int oct_rp_encoder_set_clock(void *e, const oct_run_options *run, oct_diag *diag);
/* NULL: it has none. */
const oct_rp_clock *oct_rp_encoder_clock(const void *e);

#endif
