/* SPDX-License-Identifier: Apache-2.0 */
/* oct_exec.h - end a trace when exec replaces the program, emulator and plugin included. */
#ifndef OCT_EXEC_H
#define OCT_EXEC_H

#include <stddef.h>
#include <stdint.h>

/* Whether this system call of the emulator's target (its name for itself) replaces the program. */
int oct_exec_is_call(const char *target, int64_t number);
/* Before the call: the trace has gone to the file, but for its end. It is written when the call has
 * succeeded, after a line to messages. 0, or -1 with errno. */
int oct_exec_begin(int file, const uint8_t *end, size_t n_bytes, int messages);
/* The call came back: the trace goes on. */
void oct_exec_failed(void);

#endif
