/* SPDX-License-Identifier: Apache-2.0 */
/* exceptions.c - what no program should do: illegal instructions, environment calls, accesses that
 * are not aligned, each between any others. PicoRV32 makes interrupts of them. */
#include <stdint.h>

static volatile unsigned n_interrupts;

void on_interrupt(void);
void on_interrupt(void) {
  n_interrupts++;
}

int main(void) {
  static uint32_t words[4];
  uint32_t x = 0;
  char *odd = (char *)words + 1;
  for (unsigned i = 0; i < 20; i++) {
    __asm__ volatile("ecall");
    __asm__ volatile("ebreak");
    __asm__ volatile(".option push\n.option norvc\nebreak\n.option pop");
    __asm__ volatile(".word 0xffffffff");
    __asm__ volatile(".half 0x0000");
    __asm__ volatile("lw %0, 0(%1)" : "=r"(x) : "r"(odd));
    __asm__ volatile("lh %0, 0(%1)" : "=r"(x) : "r"(odd));
    __asm__ volatile("sw %0, 1(%1)" ::"r"(x), "r"(odd));
    __asm__ volatile("sh %0, 0(%1)" ::"r"(x), "r"(odd));
    __asm__ volatile("beq x0, x0, 1f\necall\n1:ecall");
  }
  return n_interrupts < 20 * 10;
}
