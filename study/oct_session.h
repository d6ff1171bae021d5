/* SPDX-License-Identifier: Apache-2.0 */
/* oct_session.h - a session that does not wait for the end of a trace. */
#ifndef OCT_SESSION_H
#define OCT_SESSION_H

#include "octrace/trace.h"

/* As oct_session_open, but a trace without an index is read as far as the session goes on, and to
 * its end when it first goes back. Until its end was read, oct_session_length is UINT64_MAX. */
int oct_session_start(const char *path, const oct_read_options *options, oct_session **out,
                      oct_diag *diag);

/* Have tell called now and then during work, with the instruction that is being read. Where it
 * gives true, the work ends: the position is one on the way, when it was back one in front of which
 * no place was found. */
void oct_session_tell(oct_session *s, bool (*tell)(void *context, uint64_t insn), void *context);

/* As oct_session_register, also a register that the trace does not tell: what execution has, which
 * begins with 0. *is_told: whether oct_session_register has it. */
bool oct_session_executed(oct_session *s, uint32_t task_number, unsigned number, uint8_t *bytes,
                          bool *is_told);

/* Whether the access at which a run ended changed a byte of its place, or made one known. */
bool oct_session_has_changed(const oct_session *s);

/* Files of code that were met so far: how many, of the session until its next call. */
size_t oct_session_modules(const oct_session *s, const oct_module **modules);

#endif
