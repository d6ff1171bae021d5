/* SPDX-License-Identifier: Apache-2.0 */
/* oct_guest.h - what the capture plugin sees of the guest's memory and registers. */
#ifndef OCT_GUEST_H
#define OCT_GUEST_H

#include "oct_qemu_plugin.h"
#include "octrace/feed.h"
#include "octrace/trace.h"

/* A copy of the registers: banks of them one behind the other, and registers of status, of which
 * some may not be known. */
typedef struct oct_guest_state {
  uint8_t banks[1024];
  uint32_t words[3];
  unsigned known;
} oct_guest_state;

/* Whether registers can be read under this emulator: it, its target and this machine are known. */
int oct_guest_knows(const qemu_info_t *info);
/* Learn where the guest's memory is from an instruction that the emulator has translated; again is
 * harmless. 0, or -1: it does not say. */
int oct_guest_find_memory(const struct qemu_plugin_insn *insn);
/* Whether the address of a memory operand follows from the registers at env, and which it is. */
int oct_guest_address(const void *env, const oct_effect_mem *mem, uint64_t *addr);
/* The n bytes of the guest at addr, which are there. */
void oct_guest_read(uint64_t addr, void *bytes, size_t n);
/* The same of memory that may not be there: -1 then. */
int oct_guest_read_safely(uint64_t addr, void *bytes, size_t n);

/* Before the first instruction: whether the registers at env look like those of a program that
 * begins, its stack pointer leading to its arguments. */
int oct_guest_is_start(const void *env);
/* Its stack pointer. */
uint64_t oct_guest_stack(const void *env);
/* Copy the registers at env. */
void oct_guest_keep_registers(oct_guest_state *state, const void *env);
/* Tell them to a feed, before its next instruction: of the general ones those whose bits which has,
 * OCT_GUEST_ALL: all of all kinds. 0 or -1. */
enum { OCT_GUEST_ALL = -1 };
int oct_guest_tell_registers(oct_feed *feed, const oct_guest_state *state, int64_t which);

/* Arguments of a system call that are looked at. */
enum { OCT_GUEST_ARGUMENTS = 6 };

/* Whether a system call sets the handler of signal args[0], and its address. */
int oct_guest_sets_handler(const char *target, int64_t number,
                           const uint64_t args[OCT_GUEST_ARGUMENTS], uint64_t *addr);
/* Memory that a system call has written, or taken back. */
typedef struct oct_guest_range {
  uint64_t addr, n_bytes;
} oct_guest_range;
enum { OCT_GUEST_RANGES = 16 };

/* How many ranges a system call of this number, with these arguments and result, has written. Of a
 * call that is not known, it is a piece behind each argument that may be an address. Ranges beyond
 * the last are together in it. */
size_t oct_guest_written(const char *target, int64_t number,
                         const uint64_t args[OCT_GUEST_ARGUMENTS], int64_t result,
                         oct_guest_range ranges[OCT_GUEST_RANGES]);

#endif
