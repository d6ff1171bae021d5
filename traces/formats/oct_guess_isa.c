/* SPDX-License-Identifier: Apache-2.0 */
/* oct_guess_isa.c - the instruction set of a text, by words of its disassembly (oct_guess_isa.h).
 */
#include "oct_guess_isa.h"

#include "octrace/trace.h"

#include <stdbool.h>
#include <string.h>

/* Words that only QEMU's disassembly of this set has. */
static const struct {
  oct_isa isa;
  const char *words[6];
} marks[OCT_ISA_VOTES] = {
    {OCT_ISA_X86_64, {"(%r", "%rsp", "%rax", "%rip", "q    ", "%rdi"}},
    {OCT_ISA_AARCH64, {"[x", "[sp", "x29", "x30", ", w", "adrp"}},
    {OCT_ISA_RISCV64, {"(sp)", "auipc", "addi  ", "sext.w", "c.", "ret  "}},
    {OCT_ISA_MIPS, {"addiu", "$sp", "$v0", "(gp)", "lui\t", "$ra"}},
    {OCT_ISA_ARM, {"r0", "r3", "[r", "{r", "bx   ", "pc, "}},
};

/* Names that only instructions of other sets have: S/390, PowerPC, SPARC, LoongArch, m68k, SuperH,
 * Alpha, PA-RISC, Xtensa, MicroBlaze, OpenRISC, Nios II, Hexagon. */
static const char *const foreign[] = {
    "larl",   "brasl", "stmg",   "lmg",   "lghi",      "mflr",   "mtlr",      "stdu",
    "stwu",   "addis", "cmpldi", "sethi", "stx",       "addi.d", "pcaddu12i", "lu12i.w",
    "moveal", "movel", "mov.l",  "sts.l", "ldah",      "zapnot", "ldil",      "addil",
    "l32r",   "l32i",  "s32i.n", "brlid", "rtsd",      "l.addi", "l.movhi",   "l.sw",
    "orhi",   "ldwio", "stw",    "memw",  "allocframe"};

static bool ends_word(char c) {
  return c == ' ' || c == '\t' || c == '"' || c == '\n' || c == '\r';
}

static size_t count_words(const char *word, const char *p, size_t n) {
  const size_t length = strlen(word);
  const char *at = p, *end = p + n;
  size_t count = 0;
  while ((at = memmem(at, (size_t)(end - at), word, length))) {
    count += at > p && ends_word(at[-1]) && (at + length == end || ends_word(at[length]));
    at += length;
  }
  return count;
}

void oct_isa_votes_add(oct_isa_votes *votes, const char *p, size_t n) {
  for (size_t t = 0; t < OCT_ISA_VOTES; t++)
    for (size_t w = 0; w < sizeof marks[t].words / sizeof *marks[t].words; w++) {
      const char *word = marks[t].words[w], *at = p;
      while ((at = memmem(at, n - (size_t)(at - p), word, strlen(word)))) at++, votes->n[t]++;
    }
  for (size_t w = 0; w < sizeof foreign / sizeof *foreign; w++)
    votes->n_foreign += count_words(foreign[w], p, n);
}

int oct_isa_votes_best(const oct_isa_votes *votes) {
  size_t best = 0;
  int isa = -1;
  if (votes->n_foreign) return -1;
  for (size_t t = 0; t < OCT_ISA_VOTES; t++)
    if (votes->n[t] > best) best = votes->n[t], isa = (int)marks[t].isa;
  return isa;
}
