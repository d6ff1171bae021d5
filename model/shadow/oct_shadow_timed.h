/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_timed.h - the machine of docs/shadow-rtl.md, cycle by cycle.
 *
 * The compressor needs no result of its coder to go on: so what a stage computes is left to the
 * untimed encoder, which takes an instruction when it leaves gather, and this file keeps the time:
 * when that is, when its decisions come to the queue, which symbol the coder takes, when its bytes
 * are in the output buffer and on the trace bus, and what is lost. */
#ifndef OCT_SHADOW_TIMED_H
#define OCT_SHADOW_TIMED_H

#include "oct_buffer.h"
#include "oct_shadow_encode.h"
#include "oct_shadow_encoder.h"
#include "oct_trace_port.h"

enum {
  OCT_PIPE_CYCLES = 8,  /* from gather to the head of the queue */
  OCT_CODER_CYCLES = 5, /* from there to the output buffer */
  OCT_CODER_RING = 8,
  OCT_SYMBOL_BYTES = 4, /* most that a symbol brings */
  OCT_TIMED_LEVELS = 64 /* of occupancy, and one for empty */
};

typedef enum oct_timed_buffer {
  OCT_TIMED_GATHER,
  OCT_TIMED_QUEUE,
  OCT_TIMED_OUT,
  OCT_TIMED_BUFFERS
} oct_timed_buffer;

typedef struct oct_timed_stats {
  uint64_t cycles, port_busy_cycles;
  uint64_t overflows, lost_insns, lost_accesses;
  uint64_t high_water[OCT_TIMED_BUFFERS];
  uint64_t sufficient[OCT_TIMED_BUFFERS]; /* sizes that would have done */
  uint64_t occupancy[OCT_TIMED_BUFFERS][OCT_TIMED_LEVELS + 1];
} oct_timed_stats;

typedef struct oct_shadow_timed {
  oct_shadow_config cfg;
  uint64_t level_scale[OCT_TIMED_BUFFERS]; /* from what a buffer holds to its level */
  oct_shadow_encoder *encoder;
  oct_coder_log log;
  /* Gather: rings. An instruction retired in the cycle `came`, its last access in `complete`. */
  oct_insn *insns;
  uint64_t *came, *complete;
  oct_access *accesses, *together;
  uint64_t insn_head, insn_tail, access_head, access_tail;
  uint64_t busy_until; /* execute: with the accesses of one instruction */
  bool has_open;       /* the last one in gather waits for accesses */
  bool is_arrived;     /* the encoder knows the first one in gather already */
  bool is_dropping, is_flushing;
  bool is_cut;                        /* the instruction before the loss lacks accesses */
  bool is_flush_coded;                /* all that was there and the mark of the flush */
  uint64_t lost_insns, lost_accesses; /* since dropping began */
  /* Queue and coder. */
  uint64_t item_head, symbol_head;
  uint64_t words_left;   /* of the queue: words that the coder is done with */
  uint32_t symbols_left; /* of the item at the head; 0: not begun */
  uint32_t bytes_seen;   /* of the coder, modulo 2^32 */
  /* Output buffer, its first byte being coded.bytes[crossed]. */
  uint8_t under_way[OCT_CODER_RING];
  uint32_t n_under_way, n_out;
  oct_buffer coded;
  size_t crossed, handed;
  oct_trace_port port;
  oct_timed_stats stats;
  int error;
  oct_diag diag;
} oct_shadow_timed;

/* OCT_ERR_NOMEM; the caller frees all the same. */
int oct_shadow_timed_init(oct_shadow_timed *s, const oct_shadow_config *cfg, oct_diag *diag);
void oct_shadow_timed_free(oct_shadow_timed *s);
/* One clock cycle but for what the core brings in it: then comes oct_shadow_timed_retire, as often
 * as something retires. Whether the pins carry bits; end: tracing is over, the last pins are
 * padded. */
bool oct_shadow_timed_cycle(oct_shadow_timed *s, bool is_stalled, bool is_end);
/* insn: an instruction retires, or NULL; access: one is made, of the last instruction, or NULL;
 * is_last: that has no more. */
void oct_shadow_timed_retire(oct_shadow_timed *s, const oct_insn *insn, const oct_access *access,
                             bool is_last);
/* The end of a trace: call once, then oct_shadow_timed_flushed in each cycle until it is true: all
 * is on the trace bus. */
void oct_shadow_timed_flush(oct_shadow_timed *s);
bool oct_shadow_timed_flushed(oct_shadow_timed *s);
/* No cycle changes anything until something retires. */
bool oct_shadow_timed_rests(const oct_shadow_timed *s);
void oct_shadow_timed_rest(oct_shadow_timed *s, uint64_t n_cycles);
/* As oct_tracer_encoder.state. */
void oct_shadow_timed_state(oct_shadow_timed *s, oct_state *io);
size_t oct_shadow_timed_take(oct_shadow_timed *s, const uint8_t **bytes);

#endif
