/* SPDX-License-Identifier: Apache-2.0 */
/* oct_guest.h - what the capture plugin sees of the guest's memory and registers. */
#ifndef OCT_GUEST_H
#define OCT_GUEST_H

#include "oct_qemu_plugin.h"
#include "octrace/feed.h"
#include "octrace/trace.h"

/* What of the processor's state is looked at. */
enum { OCT_GUEST_STATE_BYTES = 1024 };

/* Whether registers can be read under this emulator: it, its target and this machine are known. */
int oct_guest_knows(const qemu_info_t *info);
/* Learn where the guest's memory is from an instruction that the emulator has translated; again is
 * harmless. 0, or -1: it does not say. */
int oct_guest_find_memory(const struct qemu_plugin_insn *insn);
/* The n bytes of the guest at addr: 0, or -1 when they are not there. */
int oct_guest_read(uint64_t addr, void *bytes, size_t n);

/* Before the first instruction: whether the registers at env look like those of a program that
 * begins, its stack pointer leading to its arguments. */
int oct_guest_is_start(const void *env);
/* Tell all registers at env to a feed, before its next instruction. 0 or -1. */
int oct_guest_tell_registers(oct_feed *feed, const void *env);

/* Memory that a system call of this number, with these arguments and result, has written, as far as
 * is known: *n_bytes from *addr on; 0: none. */
void oct_guest_written(const char *target, int64_t number, const uint64_t args[4], int64_t result,
                       uint64_t *addr, uint64_t *n_bytes);

#endif
