/* SPDX-License-Identifier: Apache-2.0 */
/* oct_guest.c - what the capture plugin sees of the guest's memory and registers.
 *
 * In user mode the guest's memory is the emulator's own, at a fixed distance, which the emulator
 * tells for each instruction that it translates. Plugins of this interface do not see registers,
 * but generated code has the address of the processor's state in a register of the machine when it
 * calls the plugin, and at the beginning of a block all of the guest's registers are in that state.
 * Where they are there is that of QEMU 7.2, which is checked at the start: the stack pointer leads
 * to the arguments, and words beside the registers have what the emulator gives a new processor. */
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

/* A word of the state of a new processor. */
typedef struct mark {
  uint16_t offset;
  uint8_t may_be_zero; /* of processors without what it is for */
  uint32_t word;
} mark;

enum { BANKS_MAX = 3, MARKS_MAX = 3, WORDS_MAX = 3 };

/* ---- Registers of status, which the emulator keeps in parts ---- */

static uint32_t word_at(const uint8_t *env, unsigned offset) {
  return (uint32_t)oct_get_le(env + offset, 4);
}

/* Flags, each a word: carry; overflow and sign as bit 31; zero if it is 0. */
enum { CARRY = 0, OVERFLOW = 4, SIGN = 8, ZERO = 12, STICKY = 16, GREATER = 20, IT_BITS = 24 };
static uint32_t flags_at(const uint8_t *flags) {
  return (word_at(flags, SIGN) & 1u << 31) | (uint32_t)!word_at(flags, ZERO) << 30 |
         word_at(flags, CARRY) << 29 | (word_at(flags, OVERFLOW) & 1u << 31) >> 3;
}

/* Exceptions of floating point, as bits of FPSR and FPSCR: those of each mode of computation, as it
 * is kept, and saturation. */
static uint32_t exceptions_at(const uint8_t *modes, const uint8_t *saturated) {
  enum { MODES = 4, MODE_BYTES = 14, DENORMAL_INPUT = 0x20, TOLD = 0x9f };
  uint32_t all = 0, any = 0;
  for (unsigned i = 0; i < MODES; i++) {
    const uint32_t soft = (uint32_t)oct_get_le(modes + i * MODE_BYTES, 2);
    all |= soft | (soft & DENORMAL_INPUT) << 2;
  }
  for (unsigned i = 0; i < 16; i += 4) any |= word_at(saturated, i);
  return (all & TOLD) | (uint32_t)(any != 0) << 27;
}

/* Each fills words in the order of the target's list, and says in bits which of them it knows. */
static unsigned arm_words(const uint8_t *env, uint32_t *words) {
  enum { FLAGS = 520, THUMB = 333, FPSCR = 3708, SATURATED = 3776, VECTORS = 3792, MODES = 3800 };
  const uint8_t *flags = env + FLAGS;
  const uint32_t it = word_at(flags, IT_BITS);
  words[0] = flags_at(flags) | word_at(flags, STICKY) << 27 | (it & 3) << 25 | (it & 0xfc) << 8 |
             word_at(flags, GREATER) << 16 | (uint32_t)(env[THUMB] & 1) << 5 | 0x10;
  words[1] = ((word_at(env, FPSCR) | exceptions_at(env + MODES, env + SATURATED)) & 0xf7c0009f) |
             word_at(env, VECTORS) << 16 | word_at(env, VECTORS + 4) << 20;
  return 3;
}

static unsigned aarch64_words(const uint8_t *env, uint32_t *words) {
  enum { FLAGS = 528, FPSCR = 11980, SATURATED = 12048, MODES = 12072 };
  words[0] = flags_at(env + FLAGS);
  words[1] = word_at(env, FPSCR) & 0x07c00000;
  words[2] = exceptions_at(env + MODES, env + SATURATED);
  return 7;
}

static uint32_t fcsr_of(uint32_t rounding, uint32_t soft) {
  uint32_t exceptions = 0;
  for (unsigned i = 0; i < 5; i++) exceptions |= (soft >> i & 1) << (4 - i);
  return rounding << 5 | exceptions;
}
static unsigned riscv32_words(const uint8_t *env, uint32_t *words) {
  words[0] = fcsr_of(word_at(env, 4644), word_at(env, 4712));
  return 1;
}
static unsigned riscv64_words(const uint8_t *env, uint32_t *words) {
  words[0] = fcsr_of(word_at(env, 4936), word_at(env, 5048));
  return 1;
}

/* Flags are often left to be computed; how is known only where they are set themselves. */
static unsigned x86_64_words(const uint8_t *env, uint32_t *words) {
  enum { REST = 136, FLAGS = 152, HOW = 168, HOW_SET = 1, DIRECTION = 172 };
  words[0] = word_at(env, REST) | word_at(env, FLAGS) | (word_at(env, DIRECTION) & 0x400);
  return word_at(env, HOW) == HOW_SET;
}

static const struct state {
  const char *target;
  oct_isa isa;
  uint8_t sp, word_bytes;
  bank banks[BANKS_MAX];
  uint8_t words[WORDS_MAX];
  unsigned (*fill)(const uint8_t *env, uint32_t *words);
  mark marks[MARKS_MAX];
} states[] = {
    /* Marks of Arm: the frequency of the timer, behind the thread pointers; fpexc. */
    {"arm",
     OCT_ISA_ARM,
     13,
     4,
     {{0, 4, 0, 15, 4}, {1352, 4, 34, 1, 4}, {3168, 8, OCT_REG_FLOAT, 32, 8}},
     {OCT_REG_STATUS, 35},
     arm_words,
     {{1360, 1, 62500000}, {3736, 0, 1u << 30}}},
    {"aarch64",
     OCT_ISA_AARCH64,
     31,
     8,
     {{64, 8, 0, 32, 8}, {1296, 8, 34, 1, 8}, {3184, 256, OCT_REG_FLOAT, 32, 16}},
     {OCT_REG_STATUS, 35, 36},
     aarch64_words,
     {{1368, 1, 62500000}, {12008, 0, 1u << 30}}},
    /* RISC-V: no reservation; NaNs of floating point. */
    {"riscv32",
     OCT_ISA_RISCV32,
     2,
     4,
     {{0, 4, 0, 32, 4}, {256, 8, OCT_REG_FLOAT, 32, 8}},
     {OCT_REG_STATUS},
     riscv32_words,
     {{4636, 0, UINT32_MAX}, {4716, 0, 1 << 24}}},
    {"riscv64",
     OCT_ISA_RISCV64,
     2,
     8,
     {{0, 8, 0, 32, 8}, {512, 8, OCT_REG_FLOAT, 32, 8}},
     {OCT_REG_STATUS},
     riscv64_words,
     {{4920, 0, UINT32_MAX}, {5052, 0, 1 << 24}}},
    /* x86-64: a user's code segment; the control words of both units of floating point. */
    {"x86_64",
     OCT_ISA_X86_64,
     4,
     8,
     {{0, 8, 0, 16, 8}, {288, 24, 34, 2, 8}, {848, 64, OCT_REG_FLOAT, 16, 16}},
     {OCT_REG_STATUS},
     x86_64_words,
     {{208, 0, 0x33}, {612, 0, 0x037f << 16}, {836, 0, 0x1f80}}},
    {"i386", OCT_ISA_X86, 4, 4, {{0, 4, 0, 8, 4}}, {0}, NULL, {{0}}},
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

void oct_guest_read(uint64_t addr, void *bytes, size_t n) {
  memcpy(bytes, guest.base + addr, n);
}

int oct_guest_read_safely(uint64_t addr, void *bytes, size_t n) {
  const struct iovec to = {bytes, n}, from = {guest.base + addr, n};
  return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)n ? 0 : -1;
}

/* Whether each mark is as in a new processor. */
static int has_marks(const uint8_t *env) {
  for (size_t i = 0; i < MARKS_MAX; i++) {
    const mark *m = &guest.state->marks[i];
    const uint32_t word = word_at(env, m->offset);
    if (m->word && word != m->word && (word || !m->may_be_zero)) return 0;
  }
  return 1;
}

static uint64_t general_at(const uint8_t *env, unsigned number) {
  const bank *b = &guest.state->banks[0];
  return number < b->count ? oct_get_le(env + b->offset + (size_t)b->step * number, b->bytes) : 0;
}

uint64_t oct_guest_stack(const void *env) {
  return general_at(env, guest.state->sp);
}

int oct_guest_is_start(const void *env) {
  enum { ARGUMENTS_MAX = 1 << 20 };
  uint8_t words[16], letter;
  const unsigned w = guest.state->word_bytes;
  const uint64_t sp = oct_guest_stack(env);
  if (!has_marks(env) || sp % w || oct_guest_read_safely(sp, words, 2 * w)) return 0;
  const uint64_t n = oct_get_le(words, (int)w), first = oct_get_le(words + w, (int)w);
  return n && n < ARGUMENTS_MAX && !oct_guest_read_safely(first, &letter, 1);
}

void oct_guest_keep_registers(oct_guest_state *state, const void *env) {
  uint8_t *to = state->banks;
  for (size_t i = 0; i < BANKS_MAX; i++) {
    const bank *b = &guest.state->banks[i];
    const uint8_t *from = (const uint8_t *)env + b->offset;
    for (unsigned k = 0; k < b->count; k++, from += b->step, to += b->bytes)
      memcpy(to, from, b->bytes);
  }
  state->known = guest.state->fill ? guest.state->fill(env, state->words) : 0;
}

int oct_guest_tell_registers(oct_feed *feed, const oct_guest_state *state, int64_t which) {
  int failed = 0;
  const uint8_t *p = state->banks;
  for (size_t i = 0; i < BANKS_MAX && (!i || which == OCT_GUEST_ALL); i++) {
    const bank *b = &guest.state->banks[i];
    for (unsigned k = 0; k < b->count; k++, p += b->bytes)
      if (which == OCT_GUEST_ALL || which >> k & 1)
        failed |= oct_feed_register(feed, b->first + k, p, b->bytes) < 0;
  }
  for (unsigned i = 0; i < WORDS_MAX && which == OCT_GUEST_ALL; i++) {
    uint8_t bytes[8];
    const unsigned number = guest.state->words[i];
    oct_put_le(bytes, state->words[i], 8);
    if (state->known >> i & 1)
      failed |= oct_feed_register(feed, number, bytes,
                                  oct_isa_register_bytes(guest.state->isa, number)) < 0;
  }
  return failed ? -1 : 0;
}

int oct_guest_address(const void *env, const oct_effect_mem *m, uint64_t *addr) {
  if (!(m->form & OCT_MEM_VALID) ||
      m->form & (OCT_MEM_BACK | OCT_MEM_MINUS | OCT_MEM_INDEX_EXTEND) || m->base == OCT_REG_NONE ||
      m->index == OCT_REG_NONE || m->shift >= OCT_SHIFT_RIGHT)
    return 0;
  *addr = general_at(env, m->base) + m->offset + (general_at(env, m->index) << m->shift);
  if (guest.state->word_bytes == 4) *addr = (uint32_t)*addr;
  return 1;
}

int oct_guest_sets_handler(const char *target, int64_t number, const uint64_t args[4],
                           uint64_t *addr) {
  enum { ARM = 174, GENERIC = 134, X86_64 = 13 };
  const int is_x86 = !strcmp(target, "x86_64");
  uint8_t word[8];
  const unsigned w = guest.state->word_bytes;
  if (number != (is_x86                                              ? X86_64
                 : !strcmp(target, "arm") || !strcmp(target, "i386") ? ARM
                                                                     : GENERIC) ||
      oct_guest_read_safely(args[1], word, w))
    return 0;
  *addr = oct_get_le(word, (int)w);
  if (!strcmp(target, "arm")) *addr &= ~UINT64_C(1); /* Thumb state */
  return 1;
}

/* Calls that fill a buffer or take it back: its argument, and how long it is: that of an argument,
 * the result, or a number of bytes. */
enum {
  RESULT = -1,
  LENGTH_ARGUMENT = -8, /* + a: argument a */
  ADVISED = -9,         /* argument 1, where the advice (argument 2) is to drop the pages */
  MOVED = -10,          /* what a mapping does not have any more behind the call */
  BREAK = -11           /* what is behind a smaller end of the data */
};
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
                               {222, RESULT, LENGTH_ARGUMENT + 1},
                               {215, 0, LENGTH_ARGUMENT + 1},
                               {233, 0, ADVISED},
                               {216, 0, MOVED},
                               {214, RESULT, BREAK}};
static const call arm[] = {{3, 1, RESULT},
                           {180, 1, RESULT},
                           {85, 1, RESULT},
                           {183, 0, RESULT},
                           {217, 1, RESULT},
                           {384, 0, RESULT},
                           {195, 1, 104},
                           {196, 1, 104},
                           {197, 1, 104},
                           {327, 2, 104},
                           {122, 0, 390},
                           {263, 1, 8},
                           {78, 0, 8},
                           {403, 1, 16},
                           {192, RESULT, LENGTH_ARGUMENT + 1},
                           {91, 0, LENGTH_ARGUMENT + 1},
                           {220, 0, ADVISED},
                           {163, 0, MOVED},
                           {45, RESULT, BREAK}};
static const call x86_64[] = {{0, 1, RESULT},
                              {17, 1, RESULT},
                              {89, 1, RESULT},
                              {79, 0, RESULT},
                              {217, 1, RESULT},
                              {318, 0, RESULT},
                              {4, 1, 144},
                              {5, 1, 144},
                              {6, 1, 144},
                              {262, 2, 144},
                              {63, 0, 390},
                              {228, 1, 16},
                              {96, 0, 16},
                              {9, RESULT, LENGTH_ARGUMENT + 1},
                              {11, 0, LENGTH_ARGUMENT + 1},
                              {28, 0, ADVISED},
                              {25, 0, MOVED},
                              {12, RESULT, BREAK}};

static const call *calls_of(const char *target, size_t *n) {
  if (!strcmp(target, "arm")) return *n = sizeof arm / sizeof *arm, arm;
  if (!strcmp(target, "x86_64")) return *n = sizeof x86_64 / sizeof *x86_64, x86_64;
  *n = sizeof generic / sizeof *generic;
  return strcmp(target, "aarch64") && strcmp(target, "riscv64") && strcmp(target, "riscv32")
             ? NULL
             : generic;
}

static uint64_t page_end(uint64_t addr) {
  enum { PAGE = 4096 };
  return (addr + PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

/* A mapping is elsewhere, or shorter. Its contents elsewhere are read as they are used. */
static void take_mapping(const uint64_t args[4], uint64_t now, uint64_t *addr, uint64_t *n_bytes) {
  const uint64_t before = page_end(args[1]), left = now == args[0] ? page_end(args[2]) : 0;
  *addr = args[0] + left;
  *n_bytes = before > left ? before - left : 0;
}

static void take_break(uint64_t now, uint64_t *addr, uint64_t *n_bytes) {
  static uint64_t before;
  *addr = page_end(now);
  *n_bytes = page_end(before) > *addr ? page_end(before) - *addr : 0;
  before = now;
}

void oct_guest_written(const char *target, int64_t number, const uint64_t args[4], int64_t result,
                       uint64_t *addr, uint64_t *n_bytes) {
  size_t n;
  const call *c = calls_of(target, &n);
  *addr = *n_bytes = 0;
  if (!c || (result < 0 && result > -4096)) return;
  for (size_t i = 0; i < n; i++, c++) {
    if (c->number != number) continue;
    if (c->length == MOVED) {
      take_mapping(args, (uint64_t)result, addr, n_bytes);
      return;
    }
    if (c->length == BREAK) {
      take_break((uint64_t)result, addr, n_bytes);
      return;
    }
    const bool drops = args[2] == 4 || args[2] == 8; /* MADV_DONTNEED, MADV_FREE */
    *addr = c->buffer == RESULT ? (uint64_t)result : args[c->buffer];
    *n_bytes = c->length == RESULT    ? (uint64_t)result
               : c->length >= 0       ? (uint64_t)c->length
               : c->length == ADVISED ? (drops ? args[1] : 0)
                                      : args[(c->length - LENGTH_ARGUMENT) & 3];
    if (!*addr) *n_bytes = 0;
    return;
  }
}
