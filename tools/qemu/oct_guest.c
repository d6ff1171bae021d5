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

int oct_guest_sets_handler(const char *target, int64_t number,
                           const uint64_t args[OCT_GUEST_ARGUMENTS], uint64_t *addr) {
  enum { ARM = 174, GENERIC = 134, X86_64 = 13 };
  const int is_x86 = !strcmp(target, "x86_64");
  uint8_t word[8];
  const unsigned w = guest.state->word_bytes;
  if (number != (is_x86                                              ? X86_64
                 : !strcmp(target, "arm") || !strcmp(target, "i386") ? ARM
                                                                     : GENERIC) ||
      oct_guest_read_safely(w == 4 ? (uint32_t)args[1] : args[1], word, w))
    return 0;
  *addr = oct_get_le(word, (int)w);
  if (!strcmp(target, "arm")) *addr &= ~UINT64_C(1); /* Thumb state */
  return 1;
}

/* Calls that fill a buffer or take it back: its argument, and how long it is: a number that an
 * argument or the result is, or 1, times a number of bytes. A call may have several rows; one that
 * writes nothing has NOTHING. */
enum {
  RESULT = -1,
  ONE = -2,
  NOTHING = -3,
  ADVISED = -4, /* argument 1, where the advice (argument 2) is to drop the pages */
  MOVED = -5,   /* what a mapping does not have any more behind the call */
  BREAK = -6,   /* what is behind a smaller end of the data */
  PIECES = -7,  /* an array of struct iovec, and its length in the next argument */
  MESSAGE = -8  /* a struct msghdr */
};
enum { GENERIC, ARM, I386, X86_64, ABIS, NO_CALL = -1 };
typedef struct call {
  int32_t numbers[ABIS];
  int8_t buffer; /* RESULT: the result is its address */
  int8_t of;
  int16_t times[2]; /* of 64 bits, of 32 bits */
} call;

enum { STAT = 128, STAT_X86 = 144, UTSNAME = 390, ADDRESS = 128 };

static const call calls[] = {
    {{63, 3, 3, 0}, 1, RESULT, {1, 1}},                               /* read */
    {{67, 180, 180, 17}, 1, RESULT, {1, 1}},                          /* pread64 */
    {{65, 145, 145, 19}, 1, PIECES, {0, 0}},                          /* readv */
    {{69, 361, 333, 295}, 1, PIECES, {0, 0}},                         /* preadv */
    {{286, 392, 378, 327}, 1, PIECES, {0, 0}},                        /* preadv2 */
    {{78, 332, 305, 267}, 2, RESULT, {1, 1}},                         /* readlinkat */
    {{17, 183, 183, 79}, 0, RESULT, {1, 1}},                          /* getcwd */
    {{61, 217, 220, 217}, 1, RESULT, {1, 1}},                         /* getdents64 */
    {{278, 384, 355, 318}, 0, RESULT, {1, 1}},                        /* getrandom */
    {{207, 292, 371, 45}, 1, RESULT, {1, 1}},                         /* recvfrom */
    {{207, 292, 371, 45}, 4, ONE, {ADDRESS, ADDRESS}},                /* recvfrom */
    {{207, 292, 371, 45}, 5, ONE, {4, 4}},                            /* recvfrom */
    {{212, 297, 372, 47}, 1, MESSAGE, {0, 0}},                        /* recvmsg */
    {{202, 285, NO_CALL, 43}, 1, ONE, {ADDRESS, ADDRESS}},            /* accept */
    {{202, 285, NO_CALL, 43}, 2, ONE, {4, 4}},                        /* accept */
    {{242, 366, NO_CALL, 288}, 1, ONE, {ADDRESS, ADDRESS}},           /* accept4 */
    {{242, 366, NO_CALL, 288}, 2, ONE, {4, 4}},                       /* accept4 */
    {{204, 286, NO_CALL, 51}, 1, ONE, {ADDRESS, ADDRESS}},            /* getsockname */
    {{204, 286, NO_CALL, 51}, 2, ONE, {4, 4}},                        /* getsockname */
    {{205, 287, NO_CALL, 52}, 1, ONE, {ADDRESS, ADDRESS}},            /* getpeername */
    {{205, 287, NO_CALL, 52}, 2, ONE, {4, 4}},                        /* getpeername */
    {{209, 295, NO_CALL, 55}, 3, ONE, {256, 256}},                    /* getsockopt */
    {{209, 295, NO_CALL, 55}, 4, ONE, {4, 4}},                        /* getsockopt */
    {{199, 288, NO_CALL, 53}, 3, ONE, {8, 8}},                        /* socketpair */
    {{59, 359, 331, 293}, 0, ONE, {8, 8}},                            /* pipe2 */
    {{73, 336, 309, 271}, 0, 1, {8, 8}},                              /* ppoll */
    {{73, 336, 309, 271}, 2, ONE, {16, 16}},                          /* ppoll */
    {{414, 414, NO_CALL, NO_CALL}, 0, 1, {8, 8}},                     /* ppoll_time64 */
    {{414, 414, NO_CALL, NO_CALL}, 2, ONE, {16, 16}},                 /* ppoll_time64 */
    {{22, 346, 319, 281}, 1, RESULT, {16, 16}},                       /* epoll_pwait */
    {{72, 335, NO_CALL, 270}, 1, ONE, {128, 128}},                    /* pselect6 */
    {{72, 335, NO_CALL, 270}, 2, ONE, {128, 128}},                    /* pselect6 */
    {{72, 335, NO_CALL, 270}, 3, ONE, {128, 128}},                    /* pselect6 */
    {{72, 335, NO_CALL, 270}, 4, ONE, {16, 16}},                      /* pselect6 */
    {{80, NO_CALL, NO_CALL, NO_CALL}, 1, ONE, {STAT, STAT}},          /* fstat */
    {{NO_CALL, NO_CALL, NO_CALL, 5}, 1, ONE, {STAT_X86, STAT_X86}},   /* fstat */
    {{79, NO_CALL, NO_CALL, NO_CALL}, 2, ONE, {STAT, STAT}},          /* newfstatat */
    {{NO_CALL, NO_CALL, NO_CALL, 262}, 2, ONE, {STAT_X86, STAT_X86}}, /* newfstatat */
    {{291, 397, NO_CALL, 332}, 4, ONE, {256, 256}},                   /* statx */
    {{43, 99, NO_CALL, 137}, 1, ONE, {120, 64}},                      /* statfs */
    {{44, 100, NO_CALL, 138}, 1, ONE, {120, 64}},                     /* fstatfs */
    {{43, NO_CALL, NO_CALL, NO_CALL}, 2, ONE, {0, 88}},               /* statfs64 */
    {{44, NO_CALL, NO_CALL, NO_CALL}, 2, ONE, {0, 88}},               /* fstatfs64 */
    {{62, NO_CALL, NO_CALL, NO_CALL}, 3, ONE, {0, 8}},                /* llseek */
    {{160, 122, 122, 63}, 0, ONE, {UTSNAME, UTSNAME}},                /* uname */
    {{113, 263, 265, 228}, 1, ONE, {16, 8}},                          /* clock_gettime */
    {{403, 403, 403, NO_CALL}, 1, ONE, {16, 16}},                     /* clock_gettime64 */
    {{114, 264, NO_CALL, 229}, 1, ONE, {16, 8}},                      /* clock_getres */
    {{406, 406, NO_CALL, NO_CALL}, 1, ONE, {16, 16}},                 /* clock_getres64 */
    {{169, 78, 78, 96}, 0, ONE, {16, 8}},                             /* gettimeofday */
    {{169, 78, 78, 96}, 1, ONE, {8, 8}},                              /* gettimeofday */
    {{153, 43, NO_CALL, 100}, 0, ONE, {32, 16}},                      /* times */
    {{101, 162, NO_CALL, 35}, 1, ONE, {16, 8}},                       /* nanosleep */
    {{115, 265, NO_CALL, 230}, 3, ONE, {16, 8}},                      /* clock_nanosleep */
    {{407, 407, NO_CALL, NO_CALL}, 3, ONE, {16, 16}},                 /* clock_nanosleep64 */
    {{102, 105, NO_CALL, 36}, 1, ONE, {32, 16}},                      /* getitimer */
    {{103, 104, NO_CALL, 38}, 2, ONE, {32, 16}},                      /* setitimer */
    {{107, 257, NO_CALL, 222}, 2, ONE, {4, 4}},                       /* timer_create */
    {{108, 259, NO_CALL, 224}, 1, ONE, {32, 16}},                     /* timer_gettime */
    {{110, 258, NO_CALL, 223}, 3, ONE, {32, 16}},                     /* timer_settime */
    {{260, 114, 114, 61}, 1, ONE, {4, 4}},                            /* wait4 */
    {{260, 114, 114, 61}, 3, ONE, {144, 72}},                         /* wait4 */
    {{95, 280, NO_CALL, 247}, 2, ONE, {128, 128}},                    /* waitid */
    {{95, 280, NO_CALL, 247}, 4, ONE, {144, 72}},                     /* waitid */
    {{163, 76, NO_CALL, 97}, 1, ONE, {16, 8}},                        /* getrlimit */
    {{261, 369, NO_CALL, 302}, 3, ONE, {16, 16}},                     /* prlimit64 */
    {{165, 77, NO_CALL, 98}, 1, ONE, {144, 72}},                      /* getrusage */
    {{179, 116, NO_CALL, 99}, 0, ONE, {112, 64}},                     /* sysinfo */
    {{134, 174, 174, 13}, 2, ONE, {32, 20}},                          /* rt_sigaction */
    {{135, 175, 175, 14}, 2, ONE, {8, 8}},                            /* rt_sigprocmask */
    {{136, 176, NO_CALL, 127}, 0, ONE, {8, 8}},                       /* rt_sigpending */
    {{137, 177, NO_CALL, 128}, 1, ONE, {128, 128}},                   /* rt_sigtimedwait */
    {{132, 186, NO_CALL, 131}, 1, ONE, {24, 12}},                     /* sigaltstack */
    {{123, 242, 242, 204}, 2, RESULT, {1, 1}},                        /* sched_getaffinity */
    {{121, 155, NO_CALL, 143}, 1, ONE, {4, 4}},                       /* sched_getparam */
    {{158, 205, 205, 115}, 1, RESULT, {4, 4}},                        /* getgroups */
    {{148, 209, NO_CALL, 118}, 0, ONE, {4, 4}},                       /* getresuid */
    {{148, 209, NO_CALL, 118}, 1, ONE, {4, 4}},                       /* getresuid */
    {{148, 209, NO_CALL, 118}, 2, ONE, {4, 4}},                       /* getresuid */
    {{150, 211, NO_CALL, 120}, 0, ONE, {4, 4}},                       /* getresgid */
    {{150, 211, NO_CALL, 120}, 1, ONE, {4, 4}},                       /* getresgid */
    {{150, 211, NO_CALL, 120}, 2, ONE, {4, 4}},                       /* getresgid */
    {{168, 345, NO_CALL, 309}, 0, ONE, {4, 4}},                       /* getcpu */
    {{168, 345, NO_CALL, 309}, 1, ONE, {4, 4}},                       /* getcpu */
    {{71, 187, NO_CALL, 40}, 2, ONE, {8, 4}},                         /* sendfile */
    {{285, 391, NO_CALL, 326}, 1, ONE, {8, 8}},                       /* copy_file_range */
    {{285, 391, NO_CALL, 326}, 3, ONE, {8, 8}},                       /* copy_file_range */
    {{29, 54, 54, 16}, 2, ONE, {256, 256}},                           /* ioctl */
    {{232, 219, NO_CALL, 27}, 2, ONE, {256, 256}},                    /* mincore */
    {{220, 120, NO_CALL, 56}, 2, ONE, {4, 4}},                        /* clone */
    {{220, 120, NO_CALL, NO_CALL}, 4, ONE, {4, 4}},                   /* clone */
    {{NO_CALL, NO_CALL, NO_CALL, 56}, 3, ONE, {4, 4}},                /* clone */
    {{99, 338, 311, 273}, 0, NOTHING, {0, 0}},                        /* set_robust_list */
    {{96, 256, 258, 218}, 0, NOTHING, {0, 0}},                        /* set_tid_address */
    {{98, 240, 240, 202}, 0, ONE, {4, 4}},                            /* futex */
    {{98, 240, 240, 202}, 4, ONE, {4, 4}},                            /* futex */
    {{422, 422, 422, NO_CALL}, 0, ONE, {4, 4}},                       /* futex_time64 */
    {{422, 422, 422, NO_CALL}, 4, ONE, {4, 4}},                       /* futex_time64 */
    {{222, NO_CALL, NO_CALL, 9}, RESULT, 1, {1, 1}},                  /* mmap */
    {{215, 91, 91, 11}, 0, 1, {1, 1}},                                /* munmap */
    {{233, 220, 219, 28}, 0, ADVISED, {0, 0}},                        /* madvise */
    {{216, 163, 163, 25}, 0, MOVED, {0, 0}},                          /* mremap */
    {{214, 45, 45, 12}, RESULT, BREAK, {0, 0}},                       /* brk */
    {{93, 1, 1, 60}, 0, NOTHING, {0, 0}},                             /* exit */
    {{94, 248, 252, 231}, 0, NOTHING, {0, 0}},                        /* exit_group */
    {{172, 20, 20, 39}, 0, NOTHING, {0, 0}},                          /* getpid */
    {{178, 224, 224, 186}, 0, NOTHING, {0, 0}},                       /* gettid */
    {{173, 64, 64, 110}, 0, NOTHING, {0, 0}},                         /* getppid */
    {{174, 199, 199, 102}, 0, NOTHING, {0, 0}},                       /* getuid */
    {{175, 201, 201, 107}, 0, NOTHING, {0, 0}},                       /* geteuid */
    {{176, 200, 200, 104}, 0, NOTHING, {0, 0}},                       /* getgid */
    {{177, 202, 202, 108}, 0, NOTHING, {0, 0}},                       /* getegid */
    {{124, 158, 158, 24}, 0, NOTHING, {0, 0}},                        /* sched_yield */
    {{139, 173, 173, 15}, 0, NOTHING, {0, 0}},                        /* rt_sigreturn */
    {{133, 179, 179, 130}, 0, NOTHING, {0, 0}},                       /* rt_sigsuspend */
    {{NO_CALL, 27, 27, 37}, 0, NOTHING, {0, 0}},                      /* alarm */
    {{NO_CALL, 29, 29, 34}, 0, NOTHING, {0, 0}},                      /* pause */
    {{82, 118, 118, 74}, 0, NOTHING, {0, 0}},                         /* fsync */
    {{166, 60, 60, 95}, 0, NOTHING, {0, 0}},                          /* umask */
    {{155, 132, 132, 121}, 0, NOTHING, {0, 0}},                       /* getpgid */
    {{157, 66, 66, 112}, 0, NOTHING, {0, 0}},                         /* setsid */
    {{198, 281, 359, 41}, 0, NOTHING, {0, 0}},                        /* socket */
    {{201, 284, 363, 50}, 0, NOTHING, {0, 0}},                        /* listen */
    {{210, 293, 373, 48}, 0, NOTHING, {0, 0}},                        /* shutdown */
    {{19, 356, 328, 290}, 0, NOTHING, {0, 0}},                        /* eventfd2 */
    {{20, 357, 329, 291}, 0, NOTHING, {0, 0}},                        /* epoll_create1 */
    {{85, 350, 322, 283}, 0, NOTHING, {0, 0}},                        /* timerfd_create */
    {{279, 385, 356, 319}, 0, NOTHING, {0, 0}},                       /* memfd_create */
    {{283, 389, 375, 324}, 0, NOTHING, {0, 0}},                       /* membarrier */
    {{130, 238, 238, 200}, 0, NOTHING, {0, 0}},                       /* tkill */
    {{223, 270, 250, 221}, 0, NOTHING, {0, 0}},                       /* fadvise64 */
    {{122, 241, 241, 203}, 0, NOTHING, {0, 0}},                       /* sched_setaffinity */
    {{NO_CALL, 38, 38, 82}, 0, NOTHING, {0, 0}},                      /* rename */
    {{NO_CALL, 39, 39, 83}, 0, NOTHING, {0, 0}},                      /* mkdir */
    {{NO_CALL, 40, 40, 84}, 0, NOTHING, {0, 0}},                      /* rmdir */
    {{NO_CALL, 0xf0005, NO_CALL, NO_CALL}, 0, NOTHING, {0, 0}},       /* set_tls */
    {{NO_CALL, 0xf0002, NO_CALL, NO_CALL}, 0, NOTHING, {0, 0}},       /* cacheflush */
    {{64, 4, 4, 1}, 0, NOTHING, {0, 0}},                              /* write */
    {{68, 181, 181, 18}, 0, NOTHING, {0, 0}},                         /* pwrite64 */
    {{66, 146, 146, 20}, 0, NOTHING, {0, 0}},                         /* writev */
    {{57, 6, 6, 3}, 0, NOTHING, {0, 0}},                              /* close */
    {{56, 322, 295, 257}, 0, NOTHING, {0, 0}},                        /* openat */
    {{62, 19, 19, 8}, 0, NOTHING, {0, 0}},                            /* lseek */
    {{23, 41, NO_CALL, 32}, 0, NOTHING, {0, 0}},                      /* dup */
    {{24, 358, NO_CALL, 292}, 0, NOTHING, {0, 0}},                    /* dup3 */
    {{226, 125, 125, 10}, 0, NOTHING, {0, 0}},                        /* mprotect */
    {{48, 334, NO_CALL, 269}, 0, NOTHING, {0, 0}},                    /* faccessat */
    {{35, 328, NO_CALL, 263}, 0, NOTHING, {0, 0}},                    /* unlinkat */
    {{34, 323, NO_CALL, 258}, 0, NOTHING, {0, 0}},                    /* mkdirat */
    {{49, 12, NO_CALL, 80}, 0, NOTHING, {0, 0}},                      /* chdir */
    {{206, 290, NO_CALL, 44}, 0, NOTHING, {0, 0}},                    /* sendto */
    {{211, 296, NO_CALL, 46}, 0, NOTHING, {0, 0}},                    /* sendmsg */
    {{203, 283, NO_CALL, 42}, 0, NOTHING, {0, 0}},                    /* connect */
    {{200, 282, NO_CALL, 49}, 0, NOTHING, {0, 0}},                    /* bind */
    {{208, 294, NO_CALL, 54}, 0, NOTHING, {0, 0}},                    /* setsockopt */
    {{129, 37, 37, 62}, 0, NOTHING, {0, 0}},                          /* kill */
    {{131, 268, 270, 234}, 0, NOTHING, {0, 0}},                       /* tgkill */
    {{221, 11, NO_CALL, 59}, 0, NOTHING, {0, 0}},                     /* execve */
    {{167, 172, NO_CALL, 157}, 1, ONE, {16, 16}},                     /* prctl */
    {{25, 55, NO_CALL, 72}, 2, ONE, {32, 32}},                        /* fcntl */
    {{276, 382, NO_CALL, 316}, 0, NOTHING, {0, 0}},                   /* renameat2 */
    {{46, 93, NO_CALL, 77}, 0, NOTHING, {0, 0}},                      /* ftruncate */
    {{21, 251, NO_CALL, 233}, 0, NOTHING, {0, 0}},                    /* epoll_ctl */
    {{NO_CALL, 85, 85, 89}, 1, RESULT, {1, 1}},                       /* readlink */
    {{NO_CALL, 141, 141, 78}, 1, RESULT, {1, 1}},                     /* getdents */
    {{NO_CALL, 42, 42, 22}, 0, ONE, {8, 8}},                          /* pipe */
    {{NO_CALL, 168, 168, 7}, 0, 1, {8, 8}},                           /* poll */
    {{NO_CALL, 252, 256, 232}, 1, RESULT, {16, 16}},                  /* epoll_wait */
    {{NO_CALL, 142, NO_CALL, 23}, 1, ONE, {128, 128}},                /* select */
    {{NO_CALL, 142, NO_CALL, 23}, 2, ONE, {128, 128}},                /* select */
    {{NO_CALL, 142, NO_CALL, 23}, 3, ONE, {128, 128}},                /* select */
    {{NO_CALL, 142, NO_CALL, 23}, 4, ONE, {16, 16}},                  /* select */
    {{NO_CALL, 195, NO_CALL, NO_CALL}, 1, ONE, {104, 104}},           /* stat64 */
    {{NO_CALL, NO_CALL, 195, NO_CALL}, 1, ONE, {96, 96}},             /* stat64 */
    {{NO_CALL, 196, NO_CALL, NO_CALL}, 1, ONE, {104, 104}},           /* lstat64 */
    {{NO_CALL, NO_CALL, 196, NO_CALL}, 1, ONE, {96, 96}},             /* lstat64 */
    {{NO_CALL, 197, NO_CALL, NO_CALL}, 1, ONE, {104, 104}},           /* fstat64 */
    {{NO_CALL, NO_CALL, 197, NO_CALL}, 1, ONE, {96, 96}},             /* fstat64 */
    {{NO_CALL, 327, NO_CALL, NO_CALL}, 2, ONE, {104, 104}},           /* fstatat64 */
    {{NO_CALL, NO_CALL, 300, NO_CALL}, 2, ONE, {96, 96}},             /* fstatat64 */
    {{NO_CALL, 266, NO_CALL, NO_CALL}, 2, ONE, {88, 88}},             /* statfs64 */
    {{NO_CALL, 267, NO_CALL, NO_CALL}, 2, ONE, {88, 88}},             /* fstatfs64 */
    {{NO_CALL, 191, NO_CALL, NO_CALL}, 1, ONE, {8, 8}},               /* ugetrlimit */
    {{NO_CALL, 140, 140, NO_CALL}, 3, ONE, {8, 8}},                   /* llseek */
    {{NO_CALL, 192, 192, NO_CALL}, RESULT, 1, {1, 1}},                /* mmap2 */
    {{NO_CALL, 5, 5, 2}, 0, NOTHING, {0, 0}},                         /* open */
    {{NO_CALL, 63, NO_CALL, 33}, 0, NOTHING, {0, 0}},                 /* dup2 */
    {{NO_CALL, 33, 33, 21}, 0, NOTHING, {0, 0}},                      /* access */
    {{NO_CALL, 10, 10, 87}, 0, NOTHING, {0, 0}},                      /* unlink */
    {{NO_CALL, 221, NO_CALL, NO_CALL}, 2, ONE, {32, 32}},             /* fcntl64 */
    {{NO_CALL, NO_CALL, NO_CALL, 4}, 1, ONE, {STAT_X86, STAT_X86}},   /* stat */
    {{NO_CALL, NO_CALL, NO_CALL, 6}, 1, ONE, {STAT_X86, STAT_X86}},   /* lstat */
    {{NO_CALL, NO_CALL, NO_CALL, 158}, 1, ONE, {8, 8}},               /* arch_prctl */
    {{NO_CALL, NO_CALL, NO_CALL, 201}, 0, ONE, {8, 8}},               /* time */
};

/* Which numbers a target has, or -1. */
static int abi_of(const char *target) {
  static const struct {
    const char *target;
    int abi;
  } abis[] = {{"aarch64", GENERIC}, {"riscv64", GENERIC}, {"riscv32", GENERIC},
              {"arm", ARM},         {"i386", I386},       {"x86_64", X86_64}};
  for (size_t i = 0; i < sizeof abis / sizeof *abis; i++)
    if (!strcmp(abis[i].target, target)) return abis[i].abi;
  return -1;
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

typedef struct written {
  oct_guest_range *ranges;
  size_t n;
} written;

static void add(written *w, uint64_t addr, uint64_t n_bytes) {
  enum { FIRST_PAGE = 4096 }; /* below it are numbers, not addresses */
  const uint64_t last_addr = guest.state->word_bytes == 4 ? UINT32_MAX : INT64_MAX;
  if (addr < FIRST_PAGE || addr > last_addr || !n_bytes) return;
  if (n_bytes - 1 > last_addr - addr) n_bytes = last_addr - addr + 1;
  if (w->n < OCT_GUEST_RANGES) {
    w->ranges[w->n++] = (oct_guest_range){addr, n_bytes};
    return;
  }
  oct_guest_range *last = &w->ranges[w->n - 1];
  const uint64_t end = last->addr + last->n_bytes, new_end = addr + n_bytes;
  last->addr = addr < last->addr ? addr : last->addr;
  last->n_bytes = (end > new_end ? end : new_end) - last->addr;
}

/* The pieces that the first n_bytes went to, of an array of n struct iovec. */
static void add_pieces(written *w, uint64_t at, uint64_t n, uint64_t n_bytes) {
  enum { PIECES_MAX = 1024 }; /* as Linux has it */
  const unsigned word = guest.state->word_bytes;
  uint8_t words[16];
  for (uint64_t i = 0; i < n && i < PIECES_MAX && n_bytes; i++, at += 2 * word) {
    if (oct_guest_read_safely(at, words, 2 * word)) return;
    const uint64_t length = oct_get_le(words + word, (int)word);
    const uint64_t here = length < n_bytes ? length : n_bytes;
    add(w, oct_get_le(words, (int)word), here);
    n_bytes -= here;
  }
}

/* Name, pieces, control data and flags. */
static void add_message(written *w, uint64_t at, uint64_t n_bytes) {
  enum { WORDS = 7, NAME = 0, ARRAY = 2, COUNT = 3, CONTROL = 4, CONTROL_BYTES = 5 };
  const unsigned word = guest.state->word_bytes;
  uint8_t bytes[WORDS * 8];
  uint64_t words[WORDS];
  if (oct_guest_read_safely(at, bytes, WORDS * word)) return;
  for (unsigned i = 0; i < WORDS; i++) words[i] = oct_get_le(bytes + i * word, (int)word);
  add(w, at, WORDS * word);
  add(w, words[NAME], ADDRESS);
  add(w, words[CONTROL], words[CONTROL_BYTES]);
  add_pieces(w, words[ARRAY], words[COUNT], n_bytes);
}

static void add_row(written *w, const call *c, const uint64_t *args, int64_t result) {
  enum { DONTNEED = 4, FREE = 8 };
  const uint64_t buffer = c->buffer == RESULT ? (uint64_t)result : args[c->buffer];
  const uint64_t done = result < 0 ? 0 : (uint64_t)result;
  uint64_t addr, n_bytes;
  switch (c->of) {
    case NOTHING:
      return;
    case MOVED:
      take_mapping(args, (uint64_t)result, &addr, &n_bytes);
      add(w, addr, n_bytes);
      return;
    case BREAK:
      take_break((uint64_t)result, &addr, &n_bytes);
      add(w, addr, n_bytes);
      return;
    case ADVISED:
      if (args[2] == DONTNEED || args[2] == FREE) add(w, buffer, args[1]);
      return;
    case PIECES:
      add_pieces(w, buffer, args[c->buffer + 1], done);
      return;
    case MESSAGE:
      add_message(w, buffer, done);
      return;
    default:
      add(w, buffer,
          (c->of == ONE      ? 1
           : c->of == RESULT ? done
                             : args[c->of]) *
              (uint64_t)c->times[guest.state->word_bytes == 4]);
  }
}

size_t oct_guest_written(const char *target, int64_t number,
                         const uint64_t args[OCT_GUEST_ARGUMENTS], int64_t result,
                         oct_guest_range ranges[OCT_GUEST_RANGES]) {
  enum { INTERRUPTED = -4, ABSENT = -38, ERRORS = -4096, PIECE_BYTES = 256 };
  /* An interrupted sleep tells its rest. */
  const bool failed = result < 0 && result > ERRORS && result != INTERRUPTED;
  const int abi = abi_of(target);
  written w = {ranges, 0};
  bool is_known = false;
  uint64_t numbers[OCT_GUEST_ARGUMENTS];
  if (abi < 0) return 0;
  if (result == ABSENT) return 0;
  /* Numbers of 32 bits come with a sign. */
  const bool is_narrow = guest.state->word_bytes == 4;
  for (size_t i = 0; i < OCT_GUEST_ARGUMENTS; i++)
    numbers[i] = is_narrow ? (uint32_t)args[i] : args[i];
  if (is_narrow && (result >= 0 || result <= ERRORS)) result = (uint32_t)result;
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (calls[i].numbers[abi] == number) {
      is_known = true;
      if (!failed) add_row(&w, &calls[i], numbers, result);
    }
  for (size_t i = 0; i < OCT_GUEST_ARGUMENTS && !is_known; i++) add(&w, numbers[i], PIECE_BYTES);
  return w.n;
}
