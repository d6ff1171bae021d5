/* SPDX-License-Identifier: Apache-2.0 */
/* storm.c - interrupts so close that each handler is followed by the next: on branches, jumps,
 * loads and stores. */
#include <stdint.h>

#define TIMER_PERIOD_CYCLES (*(volatile uint32_t *)0x10000004)
#define TIMER_ACKNOWLEDGE (*(volatile uint32_t *)0x1000000c)

static volatile unsigned n_interrupts;

void on_interrupt(void);
void on_interrupt(void) {
  TIMER_ACKNOWLEDGE = 0;
  n_interrupts++;
  TIMER_PERIOD_CYCLES = n_interrupts < 200 ? 11 + n_interrupts % 97 : n_interrupts < 300 ? 1 : 0;
}

static __attribute__((noinline)) unsigned fib(unsigned n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(void) {
  TIMER_PERIOD_CYCLES = 50;
  unsigned sum = 0;
  while (n_interrupts < 300) sum += fib(n_interrupts % 7);
  return !sum;
}
