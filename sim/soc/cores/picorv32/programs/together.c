/* SPDX-License-Identifier: Apache-2.0 */
/* together.c - the timer's interrupt at the same time as an exception, which PicoRV32 makes an interrupt too:
 * both are pending when the handler begins. */
#include <stdint.h>

#define TIMER_PERIOD_CYCLES (*(volatile uint32_t *)0x10000004)
#define TIMER_ACKNOWLEDGE (*(volatile uint32_t *)0x1000000c)

static volatile unsigned n_timer, n_exceptions, n_both;

void on_interrupt(uint32_t pending);
void on_interrupt(uint32_t pending) {
  TIMER_ACKNOWLEDGE = 0;
  if (pending & 8) n_timer++;
  if (pending & 6) n_exceptions++;
  if ((pending & 8) && (pending & 6)) n_both++;
}

int main(void) {
  static uint32_t words[2];
  char *odd = (char *)words + 1;
  uint32_t x = 0;
  for (unsigned i = 0; i < 40; i++) {
    TIMER_PERIOD_CYCLES = 150 + i;
    __asm__ volatile("ecall");
    __asm__ volatile("lw %0, 0(%1)" : "=r"(x) : "r"(odd));
    __asm__ volatile(".half 0x0000");
    TIMER_PERIOD_CYCLES = 0;
  }
  return n_exceptions != 120 || n_timer < 5 || n_both < 5;
}
