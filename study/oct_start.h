/* SPDX-License-Identifier: Apache-2.0 */
/* oct_start.h - what registers hold where a part of a trace begins. */
#ifndef OCT_START_H
#define OCT_START_H

#include "octrace/trace.h"

/* Have tell called for each register of the task with which execution goes on at the session's
 * place: 1; 0, and none told, where not all general ones are known. goes_on: the task has run
 * before, so that those are wanted, too, which are 0 as in a new one. */
int oct_start_registers(oct_session *session, uint32_t task, bool goes_on,
                        void (*tell)(void *context, unsigned number, const uint8_t *bytes,
                                     unsigned n),
                        void *context);

typedef struct oct_start oct_start;

/* Of each task that has run in the first n instructions of the trace at path, by executing these.
 * *out, to be freed: NULL where the trace has no values and registers, or nothing executes it. 0,
 * or an error of reading. */
int oct_start_find(const char *path, const oct_read_options *options, uint64_t n, oct_start **out,
                   oct_diag *diag);
/* Have it told in a batch of the rest, in front of the first instruction of each task, unless the
 * batch tells it. The batch is valid until the next call. 0 or OCT_ERR_NOMEM. */
int oct_start_put(oct_start *s, oct_batch *b);
void oct_start_free(oct_start *s);

#endif
