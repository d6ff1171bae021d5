/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_timed.h - the machine of docs/shadow-rtl.md, cycle by cycle, with the pins of its
 * Verilog: ingress, gather, core, tail, registers and port, each a stage with input, output and
 * state.
 *
 * The compressor needs no result of its coder to go on: so what a stage computes is left to the
 * untimed encoder, which takes an instruction when it leaves gather, and this file keeps the time:
 * when that is, when its decisions come to the queue, which symbol the coder takes, when its bytes
 * are in the output buffer and on the trace bus, and what is lost. */
#ifndef OCT_SHADOW_TIMED_H
#define OCT_SHADOW_TIMED_H

#include "octrace/error.h"
#include "octrace/tracer.h"
#include "oct_regs.h"
#include "oct_shadow_core.h"
#include "oct_shadow_encoder.h"
#include "oct_shadow_gather.h"
#include "oct_shadow_ingress.h"
#include "oct_shadow_tail.h"
#include "oct_trace_port.h"

/* Bits of a stamp that is a cycle, in a circuit. */
enum { OCT_CYCLE_BITS = 56 };
typedef struct oct_timed_stats {
  uint64_t cycles, port_busy_cycles;
  uint64_t high_water[OCT_TIMED_BUFFERS];
  uint64_t sufficient[OCT_TIMED_BUFFERS]; /* sizes that would have done */
  uint64_t occupancy[OCT_TIMED_BUFFERS][OCT_TIMED_LEVELS + 1];
} oct_timed_stats;

/* The stages, and what joins them. Each stage is changed by its own file only. */
typedef struct oct_shadow_timed {
  oct_shadow_config cfg;
  uint64_t level_scale[OCT_TIMED_BUFFERS]; /* from what a buffer holds to its level */
  oct_shadow_encoder *encoder;
  oct_coder_log log;
  oct_shadow_ingress ingress;
  oct_shadow_gather gather;
  oct_shadow_core core;
  oct_shadow_tail rear;
  oct_regs regs;
  oct_trace_port port;
  uint8_t atid_q;  /* of the bus: a new one waits for a stalled beat */
  bool flush_ends; /* in this cycle */
  /* Bytes from the output buffer's first one on, which is coded.bytes[crossed]. */
  oct_buffer coded;
  size_t crossed, handed;
  oct_timed_stats stats;
  int error;
  oct_diag diag;
} oct_shadow_timed;

/* OCT_ERR_CONFIG, OCT_ERR_NOMEM; the caller frees all the same. */
int oct_shadow_timed_init(oct_shadow_timed *s, const oct_shadow_config *cfg, oct_diag *diag);
void oct_shadow_timed_free(oct_shadow_timed *s);
/* One clock cycle; without the trace port, which means nothing then. An error stays in s->error. */
void oct_shadow_timed_cycle(oct_shadow_timed *s, const oct_pins_in *in, oct_pins_out *out);
void oct_shadow_timed_cycle_bus(oct_shadow_timed *s, const oct_pins_in *in, const oct_pins_bus *bus,
                                oct_pins_out *out);
/* What retires in the same cycle besides, if the retire width is above 1: past the filter. */
void oct_shadow_timed_retire(oct_shadow_timed *s, const oct_retire *r);
/* No cycle changes anything until something retires. */
bool oct_shadow_timed_rests(const oct_shadow_timed *s);
void oct_shadow_timed_rest(oct_shadow_timed *s, uint64_t n_cycles);
/* As oct_tracer_encoder.state. */
void oct_shadow_timed_counts(const oct_shadow_timed *s, oct_shadow_counts *counts);
size_t oct_shadow_timed_take(oct_shadow_timed *s, const uint8_t **bytes);

static inline uint32_t oct_shadow_out_bytes(const oct_shadow_timed *s) {
  return OCT_BEAT_BYTES * s->rear.n_words;
}

#endif
