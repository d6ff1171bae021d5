/* SPDX-License-Identifier: Apache-2.0 */
/* oct_session.h - a session that does not wait for the end of a trace. */
#ifndef OCT_SESSION_H
#define OCT_SESSION_H

#include "octrace/trace.h"

/* As oct_session_open, but a trace without an index is read as far as the session goes on, and to
 * its end when it first goes back. Until its end was read, oct_session_length is UINT64_MAX. */
int oct_session_start(const char *path, const oct_read_options *options, oct_session **out,
                      oct_diag *diag);

/* Have tell called now and then during work, with the instruction that is being read. */
void oct_session_tell(oct_session *s, void (*tell)(void *context, uint64_t insn), void *context);

#endif
