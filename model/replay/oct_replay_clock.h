/* SPDX-License-Identifier: Apache-2.0 */
/* oct_replay_clock.h - the circuit of docs/replay-rtl.md, as far as time goes: the core that
 * retires, the filter's pipeline, the queue, and from there the tail of `shadow`: unroll, coder,
 * framer, output buffer, trace bus, trace port.
 *
 * No stage needs a result of the coder, but for the room in the queue. So the encoder computes what
 * the stages do, asks for room, and tells what it sent as items of the queue; here is when. */
#ifndef OCT_REPLAY_CLOCK_H
#define OCT_REPLAY_CLOCK_H

#include "oct_arrival.h"
#include "oct_replay_config.h"
#include "oct_shadow_tail.h"
#include "oct_trace_port.h"

typedef enum oct_rp_buffer { OCT_RP_QUEUE, OCT_RP_OUT, OCT_RP_BUFFERS } oct_rp_buffer;

enum {
  OCT_RP_FILTER_CYCLES = 4, /* from the core to the queue */
  OCT_RP_VALUE_CYCLES = 5,  /* from one value to the next one */
  OCT_RP_ENTRY_BEATS = 3, /* lines of accesses that the FIFO in front of the filter has room for */
  OCT_RP_MARKS = 2        /* on their way, the one that leaves included */
};

typedef struct oct_rp_mark {
  oct_frame_kind kind; /* a flush, or a sync: also one behind a loss */
  uint32_t n_bytes;
} oct_rp_mark;

typedef struct oct_rp_clock {
  oct_rp_config cfg;
  oct_run_options options;
  oct_arrivals arrivals;
  oct_coder_log log; /* `beat` of an item: the cycle in which it comes to the queue */
  oct_shadow_tail tail;
  oct_trace_port port;
  oct_rp_mark marks[OCT_RP_MARKS];
  uint32_t n_marks;
  uint32_t n_coming; /* words on their way to the queue, */
  uint32_t n_beats;  /* and accesses in front of the filter, a line each */
  uint64_t level_scale[OCT_RP_BUFFERS];
  uint64_t port_busy_cycles;
  uint64_t wait_cycles; /* of the core, for the tracer */
  uint64_t high_water[OCT_RP_BUFFERS];
  uint64_t occupancy[OCT_RP_BUFFERS][OCT_TIMED_LEVELS + 1];
} oct_rp_clock;

/* OCT_ERR_NOMEM, OCT_ERR_ARG; the caller frees all the same. */
int oct_rp_clock_init(oct_rp_clock *s, const oct_rp_config *cfg, const oct_run_options *run,
                      oct_diag *diag);
void oct_rp_clock_free(oct_rp_clock *s);

/* Up to the cycle in which the instruction, of that number, retires. OCT_ERR_LIMIT. */
int oct_rp_clock_arrive(oct_rp_clock *s, const oct_insn *insn, uint64_t number, oct_diag *diag);
/* A trap has a cycle of its own. */
void oct_rp_clock_trap(oct_rp_clock *s);
/* The instruction with these accesses has retired, in one cycle or in one for each of them. Whether
 * the FIFO in front of the filter had room; with core_waits the core waits until it has. */
bool oct_rp_clock_retire(oct_rp_clock *s, const oct_access *accesses, unsigned n);

/* Free words of the queue. */
uint32_t oct_rp_clock_room(const oct_rp_clock *s);
/* Whether there are so many. With core_waits the core waits for them; of more than the queue has,
 * it waits for those of each item, too. */
bool oct_rp_clock_takes(oct_rp_clock *s, uint32_t n_words);
/* With core_waits the core waits until a sync could be sent. */
void oct_rp_clock_wait_for_sync(oct_rp_clock *s);
/* What was coded since the last item is one, of so many words. It takes a cycle for each symbol,
 * and so many at least. */
void oct_rp_clock_item(oct_rp_clock *s, uint32_t n_words, uint32_t least_cycles);
/* There is room for a mark; a mark of so many bytes follows the last item. */
static inline bool oct_rp_clock_has_mark_room(const oct_rp_clock *s) {
  return s->n_marks < OCT_RP_MARKS;
}
void oct_rp_clock_mark(oct_rp_clock *s, oct_frame_kind kind, uint32_t n_bytes);
/* Port bits since the last sync. */
static inline uint64_t oct_rp_clock_since_sync_bits(const oct_rp_clock *s) {
  return 8 * s->tail.since_sync_bytes;
}

/* Nothing is on its way to the coder, and half of the output buffer is free: a loss may end. */
bool oct_rp_clock_can_resume(const oct_rp_clock *s);
/* One cycle in which nothing retires. */
void oct_rp_clock_wait(oct_rp_clock *s);
/* Until all has left the pins. */
void oct_rp_clock_drain(oct_rp_clock *s);

unsigned oct_rp_clock_occupancy(const oct_rp_clock *s, unsigned buffer, uint64_t *cycles);

#endif
