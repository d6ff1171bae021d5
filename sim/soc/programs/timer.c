/* SPDX-License-Identifier: Apache-2.0 */
/* timer.c - work that a timer interrupts: the interrupts come between any two instructions. */
#include <stdint.h>

#define TIMER_PERIOD_CYCLES (*(volatile uint32_t *)0x10000004)
#define TIMER_ACKNOWLEDGE (*(volatile uint32_t *)0x1000000c)

static volatile unsigned n_interrupts;

void on_interrupt(void);
void on_interrupt(void) {
  TIMER_ACKNOWLEDGE = 0;
  n_interrupts++;
}

int main(void) {
  uint32_t x = 1, steps = 0;
  TIMER_PERIOD_CYCLES = 2000;
  while (n_interrupts < 20) {
    x = x & 1 ? 3 * x + 1 : x >> 1;
    if (x < 2) x = 27 + 2 * n_interrupts;
    steps++;
  }
  TIMER_PERIOD_CYCLES = 0;
  return steps < 100;
}
