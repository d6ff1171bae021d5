/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pin_queue.c - how many pins a tracer's bits need, by a queue.
 *
 * Most instructions send nothing. What left the queues since bits came last is taken out when bits
 * come again. */
#include "oct_pin_queue.h"

#include <string.h>

const uint32_t oct_pin_queue_dividers[OCT_PIN_QUEUE_CLOCKS] = {1, 2, 4, 8};

void oct_pin_queue_init(oct_pin_queue *q, const oct_run_options *run) {
  memset(q, 0, sizeof *q);
  q->run = *run;
}

/* The cycle in which the instruction retires: one a cycle, and one more for each access after the
 * first. */
static uint64_t retire_cycle(oct_pin_queue *q, const oct_insn *insn) {
  uint64_t cycle = q->cycle + (insn->n_access > 1 ? insn->n_access : 1u);
  if (q->run.arrival != OCT_ARRIVAL_CPI) return cycle;
  q->cycle_milli += q->run.cpi_milli;
  return q->cycle_milli / 1000 > cycle ? q->cycle_milli / 1000 : cycle;
}

void oct_pin_queue_put(oct_pin_queue *q, const oct_insn *insn, uint64_t n_bits) {
  q->cycle = retire_cycle(q, insn);
  if (!n_bits) return;
  for (unsigned c = 0; c < OCT_PIN_QUEUE_CLOCKS; c++) {
    uint32_t divider = oct_pin_queue_dividers[c];
    uint64_t moves = q->cycle / divider - q->moved_cycle / divider;
    for (unsigned p = 0; p < OCT_PIN_QUEUE_PINS; p++) {
      uint64_t left = moves * (p + 1), level = q->level_bits[c][p];
      level = (level > left ? level - left : 0) + n_bits;
      q->level_bits[c][p] = level;
      if (level > q->most_bits[c][p]) q->most_bits[c][p] = level;
    }
  }
  q->moved_cycle = q->cycle;
}

uint32_t oct_pin_queue_needs(const oct_pin_queue *q, unsigned c, uint64_t buffer_bytes) {
  for (uint32_t p = 0; p < OCT_PIN_QUEUE_PINS; p++)
    if (q->most_bits[c][p] <= 8 * buffer_bytes) return p + 1;
  return 0;
}
