/* SPDX-License-Identifier: Apache-2.0 */
/* oct_messages.h - what the capture plugin says, apart from the guest's standard error. */
#ifndef OCT_MESSAGES_H
#define OCT_MESSAGES_H

#include <stddef.h>

/* Say why and end the guest at once: its exit handlers must not run inside a callback. The emulator
 * uses status 255 too when it cannot run a program. */
_Noreturn void oct_die(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Zeros for count items of size bytes, or the end. */
void *oct_zalloc(size_t count, size_t size);

/* As the guest begins to run: descriptor guest becomes its standard error. The emulator's own
 * stays, where the guest's files are not. */
void oct_messages_hand_over(int guest);
/* The descriptor that messages go to. */
int oct_messages_file(void);

#endif
