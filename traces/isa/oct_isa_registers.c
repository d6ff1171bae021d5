/* SPDX-License-Identifier: Apache-2.0 */
/* oct_isa_registers.c - the registers that facts of a trace tell, set by set: names, numbers, sizes
 * (docs/trace-format.md). Numbers below 32 are those of effects. */
#include "octrace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const oct_register_bank arm[] = {
    {"r", 0, 16, 4},     {"cpsr", OCT_REG_STATUS, 1, 4}, {"tpidruro", 34, 1, 4},
    {"fpscr", 35, 1, 4}, {"d", OCT_REG_FLOAT, 32, 8},
};
static const oct_register_bank riscv32[] = {
    {"x", 0, 32, 4}, {"fcsr", OCT_REG_STATUS, 1, 4}, {"f", OCT_REG_FLOAT, 32, 8}};
static const oct_register_bank riscv64[] = {
    {"x", 0, 32, 8}, {"fcsr", OCT_REG_STATUS, 1, 4}, {"f", OCT_REG_FLOAT, 32, 8}};
static const oct_register_bank aarch64[] = {
    {"x", 0, 31, 8},    {"sp", 31, 1, 8},   {"nzcv", OCT_REG_STATUS, 1, 4}, {"tpidr_el0", 34, 1, 8},
    {"fpcr", 35, 1, 4}, {"fpsr", 36, 1, 4}, {"v", OCT_REG_FLOAT, 32, 16}};
static const oct_register_bank x86[] = {{"eax", 0, 1, 4},
                                        {"ecx", 1, 1, 4},
                                        {"edx", 2, 1, 4},
                                        {"ebx", 3, 1, 4},
                                        {"esp", 4, 1, 4},
                                        {"ebp", 5, 1, 4},
                                        {"esi", 6, 1, 4},
                                        {"edi", 7, 1, 4},
                                        {"eflags", OCT_REG_STATUS, 1, 4},
                                        {"xmm", OCT_REG_FLOAT, 8, 16}};
static const oct_register_bank x86_64[] = {{"rax", 0, 1, 8},
                                           {"rcx", 1, 1, 8},
                                           {"rdx", 2, 1, 8},
                                           {"rbx", 3, 1, 8},
                                           {"rsp", 4, 1, 8},
                                           {"rbp", 5, 1, 8},
                                           {"rsi", 6, 1, 8},
                                           {"rdi", 7, 1, 8},
                                           {"r8", 8, 1, 8},
                                           {"r9", 9, 1, 8},
                                           {"r10", 10, 1, 8},
                                           {"r11", 11, 1, 8},
                                           {"r12", 12, 1, 8},
                                           {"r13", 13, 1, 8},
                                           {"r14", 14, 1, 8},
                                           {"r15", 15, 1, 8},
                                           {"rflags", OCT_REG_STATUS, 1, 8},
                                           {"fs_base", 34, 1, 8},
                                           {"gs_base", 35, 1, 8},
                                           {"xmm", OCT_REG_FLOAT, 16, 16}};
static const oct_register_bank mips[] = {{"r", 0, 32, 4}, {"f", OCT_REG_FLOAT, 32, 4}};

#define OF(banks) banks, sizeof banks / sizeof *banks
static const struct {
  const oct_register_bank *banks;
  size_t n;
} sets[OCT_ISA_COUNT] = {
    [OCT_ISA_ARM] = {OF(arm)},         [OCT_ISA_THUMB] = {OF(arm)},
    [OCT_ISA_RISCV32] = {OF(riscv32)}, [OCT_ISA_RISCV64] = {OF(riscv64)},
    [OCT_ISA_AARCH64] = {OF(aarch64)}, [OCT_ISA_X86] = {OF(x86)},
    [OCT_ISA_X86_64] = {OF(x86_64)},   [OCT_ISA_MIPS] = {OF(mips)},
    [OCT_ISA_MIPSEL] = {OF(mips)},
};

const oct_register_bank *oct_isa_registers(oct_isa isa, size_t *n) {
  *n = sets[isa].n;
  return sets[isa].banks;
}

static const oct_register_bank *bank_of(oct_isa isa, unsigned number) {
  for (size_t i = 0; i < sets[isa].n; i++) {
    const oct_register_bank *b = &sets[isa].banks[i];
    if (number >= b->first && number - b->first < b->count) return b;
  }
  return NULL;
}

unsigned oct_isa_register_bytes(oct_isa isa, unsigned number) {
  const oct_register_bank *b = bank_of(isa, number);
  return b ? b->bytes : 0;
}

uint64_t oct_isa_general_registers(oct_isa isa) {
  enum { GENERAL = 32, ARM_PC = 15 };
  uint64_t all = 0;
  for (unsigned i = 0; i < GENERAL; i++)
    if (oct_isa_register_bytes(isa, i)) all |= UINT64_C(1) << i;
  return isa == OCT_ISA_ARM || isa == OCT_ISA_THUMB ? all & ~(UINT64_C(1) << ARM_PC) : all;
}

void oct_isa_register_name(oct_isa isa, unsigned number, char name[OCT_REGISTER_NAME_BYTES]) {
  const oct_register_bank *b = bank_of(isa, number);
  if (!b)
    *name = 0;
  else if (b->count == 1)
    snprintf(name, OCT_REGISTER_NAME_BYTES, "%s", b->name);
  else
    snprintf(name, OCT_REGISTER_NAME_BYTES, "%s%u", b->name, number - b->first);
}

int oct_isa_register_by_name(oct_isa isa, const char *name) {
  char known[OCT_REGISTER_NAME_BYTES];
  for (unsigned i = 0; i < OCT_REGISTERS_MAX; i++) {
    oct_isa_register_name(isa, i, known);
    if (*known && !strcmp(known, name)) return (int)i;
  }
  return -1;
}
