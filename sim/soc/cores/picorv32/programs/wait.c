/* SPDX-License-Identifier: Apache-2.0 */
/* wait.c - a core that waits for its interrupts (waitirq of PicoRV32), with them masked and not. */
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
  TIMER_PERIOD_CYCLES = 500;
  for (unsigned i = 0; i < 20; i++) {
    __asm__ volatile("li t0, -1\n.word 0x0602e28b" ::: "t0"); /* maskirq t0, t0 */
    __asm__ volatile(".word 0x0800430b" ::: "t1");            /* waitirq t1 */
    __asm__ volatile("li t0, 0\n.word 0x0602e28b" ::: "t0");
    __asm__ volatile("beq x0, x0, 1f\nnop\n1:");
  }
  TIMER_PERIOD_CYCLES = 0;
  return n_interrupts < 15;
}
