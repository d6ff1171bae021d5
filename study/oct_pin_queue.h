/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pin_queue.h - how many pins a tracer's bits need, by a queue: one simple model for all
 * tracers, with or without a cycle engine.
 *
 * The bits that the untimed engine sends for an instruction join a queue when it retires; pins many
 * bits leave in each cycle in which the pins move. Nothing else takes time. The fewest pins with
 * which the queue never holds more than a buffer of N bytes are what the port needs.
 *
 * Threads: A queue is for one thread at a time, different ones may be used by different threads. */
#ifndef OCT_PIN_QUEUE_H
#define OCT_PIN_QUEUE_H

#include <stdint.h>

#include "octrace/trace.h"
#include "octrace/tracer.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { OCT_PIN_QUEUE_PINS = 32, OCT_PIN_QUEUE_CLOCKS = 4 };
/* The pins move once in so many cycles. */
extern const uint32_t oct_pin_queue_dividers[OCT_PIN_QUEUE_CLOCKS];

typedef struct oct_pin_queue {
  oct_run_options run; /* its arrival; stamps are taken as one instruction a cycle */
  uint64_t cycle_milli, cycle, moved_cycle;                      /* moved_cycle: of the levels */
  uint64_t level_bits[OCT_PIN_QUEUE_CLOCKS][OCT_PIN_QUEUE_PINS]; /* of pins - 1 */
  uint64_t most_bits[OCT_PIN_QUEUE_CLOCKS][OCT_PIN_QUEUE_PINS];
} oct_pin_queue;

void oct_pin_queue_init(oct_pin_queue *q, const oct_run_options *run);
/* An instruction retires, for which n_bits were sent. */
void oct_pin_queue_put(oct_pin_queue *q, const oct_insn *insn, uint64_t n_bits);
/* The fewest pins that a buffer of so many bytes needs at clock number c; 0: more than 32. */
uint32_t oct_pin_queue_needs(const oct_pin_queue *q, unsigned c, uint64_t buffer_bytes);

#ifdef __cplusplus
}
#endif
#endif
