/* SPDX-License-Identifier: Apache-2.0 */
/* oct_guess_isa.c - the instruction set of a text, by words of its disassembly (oct_guess_isa.h).
 */
#include "oct_guess_isa.h"

#include "octrace/trace.h"

#include <string.h>

/* Words that only QEMU's disassembly of this set has. */
static const struct {
  oct_isa isa;
  const char *words[6];
} marks[] = {
    {OCT_ISA_X86_64, {"(%r", "%rsp", "%rax", "%rip", "q    ", "%rdi"}},
    {OCT_ISA_AARCH64, {"[x", "[sp", "x29", "x30", ", w", "adrp"}},
    {OCT_ISA_RISCV64, {"(sp)", "auipc", "addi  ", "sext.w", "c.", "ret  "}},
    {OCT_ISA_MIPS, {"addiu", "$sp", "$v0", "(gp)", "lui\t", "$ra"}},
    {OCT_ISA_ARM, {"r0", "r3", "[r", "{r", "bx   ", "pc, "}},
};

int oct_guess_isa(const char *p, size_t n) {
  size_t best = 0;
  int isa = -1;
  for (size_t t = 0; t < sizeof marks / sizeof *marks; t++) {
    size_t count = 0;
    for (size_t w = 0; w < 6; w++) {
      const char *word = marks[t].words[w], *at = p;
      while ((at = memmem(at, n - (size_t)(at - p), word, strlen(word)))) at++, count++;
    }
    if (count > best) best = count, isa = (int)marks[t].isa;
  }
  return isa;
}
