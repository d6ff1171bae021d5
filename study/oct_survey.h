/* SPDX-License-Identifier: Apache-2.0 */
/* oct_survey.h - counts what a trace consists of, as Table 1 of Milenković 2007 does.
 *
 * Threads: A survey is for one thread at a time, different ones may be used by different threads.
 */
#ifndef OCT_SURVEY_H
#define OCT_SURVEY_H

#include <stdbool.h>

#include "oct_event.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct oct_survey {
  uint64_t insns, accesses, loads, stores, task_switches, streams;
  uint64_t unique_insns, unique_streams, tasks; /* distinct */
  uint32_t max_sl;
  uint32_t insn_sizes; /* bit n: there are instructions of n bytes */
  struct oct_survey_state *state;
  uint64_t exceptions, interrupts, privilege_changes; /* the last: without a trap */
  uint64_t reserved[1];                               /* 0 */
} oct_survey;

/* Start counting; a longer stream is cut. OCT_ERR_NOMEM. */
int oct_survey_init(oct_survey *s, uint32_t stream_insns_max);
int oct_survey_put(oct_survey *s, const oct_batch *batch);
/* Close the last stream. */
int oct_survey_end(oct_survey *s);
/* A stream: where it starts, how often it ran, its length in instructions. */
typedef struct oct_survey_stream {
  uint64_t sa, count;
  uint32_t sl;
} oct_survey_stream;
/* The streams that most instructions ran in, most first; up to room of them. Returns how many. */
size_t oct_survey_top(const oct_survey *s, oct_survey_stream *top, size_t room);
/* What the sizes of the instructions say of the instruction set. Never NULL. */
const char *oct_survey_isa(const oct_survey *s);
void oct_survey_free(oct_survey *s);

#ifdef __cplusplus
}
#endif
#endif
