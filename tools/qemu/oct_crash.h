/* SPDX-License-Identifier: Apache-2.0 */
/* oct_crash.h - end a trace when a signal ends the program. */
#ifndef OCT_CRASH_H
#define OCT_CRASH_H

/* Call `end` before a signal ends the emulator as it ended the guest. It takes effect where the
 * plugin is also preloaded (LD_PRELOAD); where that names a descriptor, it is closed. A signal that
 * the emulator does not see, such as SIGKILL, ends all at once. NULL: no more. */
void oct_crash_before_end(void (*end)(void));

#endif
