/* SPDX-License-Identifier: Apache-2.0 */
/* oct_guest.c - what the capture plugin sees of the guest's memory and registers.
 *
 * In user mode the guest's memory is the emulator's own, at a fixed distance, which the emulator
 * tells for each instruction that it translates. Plugins of this interface do not see registers,
 * but generated code has the address of the processor's state in a register of the machine when it
 * calls the plugin, and at the beginning of a block all of the guest's registers are in that state.
 * Its general registers stand at its beginning in every version of the emulator that has this
 * interface; that is checked at the start, where the stack pointer leads to the arguments. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "oct_guest.h"

#include <sys/uio.h>
#include <unistd.h>

/* Where a target has registers in its state. */
typedef struct bank {
  uint16_t offset, step; /* of the first, and from one to the next, in bytes */
  uint8_t first, count, bytes;
} bank;

static const struct state {
  const char *target;
  oct_isa isa;
  uint8_t sp, word_bytes;
  bank banks[2];
} states[] = {
    {"arm", OCT_ISA_ARM, 13, 4, {{0, 4, 0, 15, 4}}},
    {"aarch64", OCT_ISA_AARCH64, 31, 8, {{64, 8, 0, 32, 8}}},
    {"riscv32", OCT_ISA_RISCV32, 2, 4, {{0, 4, 0, 32, 4}, {256, 8, OCT_REG_FLOAT, 32, 8}}},
    {"riscv64", OCT_ISA_RISCV64, 2, 8, {{0, 8, 0, 32, 8}, {512, 8, OCT_REG_FLOAT, 32, 8}}},
    {"x86_64", OCT_ISA_X86_64, 4, 8, {{0, 8, 0, 16, 8}}},
    {"i386", OCT_ISA_X86, 4, 4, {{0, 4, 0, 8, 4}}},
};

static struct {
  const struct state *state;
  uint8_t *base; /* of the guest's address 0 */
  int has_base;
} guest;

int oct_guest_knows(const qemu_info_t *info) {
#if !defined(__x86_64__)
  return 0;
#endif
  for (size_t i = 0; i < sizeof states / sizeof *states; i++)
    if (!strcmp(states[i].target, info->target_name)) guest.state = &states[i];
  return guest.state != NULL;
}

int oct_guest_find_memory(const struct qemu_plugin_insn *insn) {
  if (guest.has_base) return 0;
  uint8_t *host = qemu_plugin_insn_haddr(insn);
  if (!host) return -1;
  guest.base = host - qemu_plugin_insn_vaddr(insn);
  guest.has_base = 1;
  return 0;
}

int oct_guest_read(uint64_t addr, void *bytes, size_t n) {
  memcpy(bytes, guest.base + addr, n);
  return 0;
}

/* The same of memory that may not be there. */
static int read_safely(uint64_t addr, void *bytes, size_t n) {
  const struct iovec to = {bytes, n}, from = {guest.base + addr, n};
  return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)n ? 0 : -1;
}

static const uint8_t *register_at(const void *env, unsigned number) {
  const bank *b = &guest.state->banks[0];
  return (const uint8_t *)env + b->offset + (size_t)b->step * (number - b->first);
}

int oct_guest_is_start(const void *env) {
  enum { ARGUMENTS_MAX = 1 << 20 };
  uint8_t words[16], letter;
  const unsigned w = guest.state->word_bytes;
  const uint64_t sp = oct_get_le(register_at(env, guest.state->sp), (int)w);
  if (sp % w || read_safely(sp, words, 2 * w)) return 0;
  const uint64_t n = oct_get_le(words, (int)w), first = oct_get_le(words + w, (int)w);
  return n && n < ARGUMENTS_MAX && !read_safely(first, &letter, 1);
}

int oct_guest_tell_registers(oct_feed *feed, const void *env) {
  int failed = 0;
  for (size_t i = 0; i < sizeof guest.state->banks / sizeof *guest.state->banks; i++) {
    const bank *b = &guest.state->banks[i];
    const uint8_t *p = (const uint8_t *)env + b->offset;
    for (unsigned k = 0; k < b->count; k++, p += b->step)
      failed |= oct_feed_register(feed, b->first + k, p, b->bytes) < 0;
  }
  return failed ? -1 : 0;
}

/* Calls that fill a buffer: its argument, and how long it is: that of an argument, the result, or
 * a number of bytes. */
enum { RESULT = -1, LENGTH_ARGUMENT = -8 }; /* LENGTH_ARGUMENT + a: argument a */
typedef struct call {
  int16_t number;
  int8_t buffer; /* RESULT: the result is its address */
  int16_t length;
} call;

static const call generic[] = {{63, 1, RESULT},
                               {67, 1, RESULT},
                               {78, 2, RESULT},
                               {17, 0, RESULT},
                               {61, 1, RESULT},
                               {278, 0, RESULT},
                               {207, 1, RESULT},
                               {80, 1, 128},
                               {79, 2, 128},
                               {160, 0, 390},
                               {113, 1, 16},
                               {169, 0, 16},
                               {222, RESULT, LENGTH_ARGUMENT + 1}};
static const call arm[] = {{3, 1, RESULT},   {180, 1, RESULT}, {85, 1, RESULT},
                           {183, 0, RESULT}, {217, 1, RESULT}, {384, 0, RESULT},
                           {195, 1, 104},    {196, 1, 104},    {197, 1, 104},
                           {327, 2, 104},    {122, 0, 390},    {263, 1, 8},
                           {78, 0, 8},       {403, 1, 16},     {192, RESULT, LENGTH_ARGUMENT + 1}};
static const call x86_64[] = {{0, 1, RESULT},   {17, 1, RESULT},
                              {89, 1, RESULT},  {79, 0, RESULT},
                              {217, 1, RESULT}, {318, 0, RESULT},
                              {4, 1, 144},      {5, 1, 144},
                              {6, 1, 144},      {262, 2, 144},
                              {63, 0, 390},     {228, 1, 16},
                              {96, 0, 16},      {9, RESULT, LENGTH_ARGUMENT + 1}};

static const call *calls_of(const char *target, size_t *n) {
  if (!strcmp(target, "arm")) return *n = sizeof arm / sizeof *arm, arm;
  if (!strcmp(target, "x86_64")) return *n = sizeof x86_64 / sizeof *x86_64, x86_64;
  *n = sizeof generic / sizeof *generic;
  return strcmp(target, "aarch64") && strcmp(target, "riscv64") && strcmp(target, "riscv32")
             ? NULL
             : generic;
}

void oct_guest_written(const char *target, int64_t number, const uint64_t args[4], int64_t result,
                       uint64_t *addr, uint64_t *n_bytes) {
  size_t n;
  const call *c = calls_of(target, &n);
  *addr = *n_bytes = 0;
  if (!c || (result < 0 && result > -4096)) return;
  for (size_t i = 0; i < n; i++, c++) {
    if (c->number != number) continue;
    *addr = c->buffer == RESULT ? (uint64_t)result : args[c->buffer];
    *n_bytes = c->length == RESULT ? (uint64_t)result
               : c->length >= 0    ? (uint64_t)c->length
                                   : args[(c->length - LENGTH_ARGUMENT) & 3];
    if (!*addr) *n_bytes = 0;
    return;
  }
}
