/* SPDX-License-Identifier: Apache-2.0 */
/* oct_task_part.h - one task's part of a trace, the same however the tasks took turns.
 *
 * A trap or a fact belongs to the task of the next instruction; at the end of the trace (a fact: of
 * its batch), to that of the last one. A change of privilege comes where an instruction of the task
 * has another privilege than the traps before it say.
 *
 * Threads: an oct_task_part is for one thread at a time. */
#ifndef OCT_TASK_PART_H
#define OCT_TASK_PART_H

#include "octrace/trace.h"

/* The tasks of a trace, in the order of their first instructions. All zeros: none. */
typedef struct oct_task_list {
  uint32_t *tasks;
  size_t n, room, recent;
} oct_task_list;

/* Add those of a batch. 0 or OCT_ERR_NOMEM. */
int oct_task_list_add(oct_task_list *l, const oct_batch *batch);
void oct_task_list_free(oct_task_list *l);

/* Which tasks of two traces are the same: by number if all numbers of one trace are in the other,
 * or else in the order of their first instructions. The partner of number i of `one` goes into
 * of_one[i], that of number i of `other` into of_other[i]; SIZE_MAX: none. True: by number. */
bool oct_task_list_match(const oct_task_list *one, const oct_task_list *other, size_t *of_one,
                         size_t *of_other);

typedef struct oct_task_part oct_task_part;

/* The caller frees it. NULL: out of memory. */
oct_task_part *oct_task_part_new(uint32_t task);
void oct_task_part_free(oct_task_part *p); /* NULL is allowed */

/* Make *kept the task's part of the next batch, or of the end of the trace (batch NULL); it belongs
 * to p until the next call. All entries of the map stay. 0 or OCT_ERR_NOMEM. */
int oct_task_part_put(oct_task_part *p, const oct_batch *batch, oct_batch *kept);

/* The number in the trace of instruction number n of the part; for the next one to come, that of
 * the last one plus 1. Instructions before `forget` are not asked for any more. */
uint64_t oct_task_part_number(const oct_task_part *p, uint64_t n);
void oct_task_part_forget(oct_task_part *p, uint64_t forget);

#endif
