/* SPDX-License-Identifier: Apache-2.0 */
/* oct_arm_state.h - is a block of an ARM program in Thumb state? The emulator does not tell. */
#ifndef OCT_ARM_STATE_H
#define OCT_ARM_STATE_H

#include "oct_isa.h"
#include "oct_qemu_plugin.h"

/* Whether a block of n instructions is Thumb code. thumb and arm decode the two states; what stands
 * before the block is looked up in oct_sites.h. */
int oct_arm_is_thumb(const struct qemu_plugin_tb *tb, size_t n, oct_disasm *thumb, oct_disasm *arm);

#endif
