/* SPDX-License-Identifier: Apache-2.0 */
/* oct_arm_state.h - is a block of an ARM program in Thumb state? The emulator does not tell. */
#ifndef OCT_ARM_STATE_H
#define OCT_ARM_STATE_H

#include "oct_qemu_plugin.h"
#include "oct_sites.h"

/* Whether a block of n instructions is Thumb code. before is the instruction that the thread
 * executed last, or NULL; thumb and arm decode the two states; what stands before the block is
 * looked up in oct_sites.h. */
int oct_arm_is_thumb(const struct qemu_plugin_tb *tb, size_t n, const oct_version *before,
                     oct_disasm *thumb, oct_disasm *arm);
/* The bytes that an instruction has: in Thumb state fewer than the emulator says at the end of a
 * page. */
size_t oct_arm_bytes(const struct qemu_plugin_insn *insn, int is_thumb);

#endif
