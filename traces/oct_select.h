/* SPDX-License-Identifier: Apache-2.0 */
/* oct_select.h - the part of a trace that is selected by address, task, privilege and time.
 *
 * Each of these has a set of ranges. An instruction is selected if each set that is not empty has
 * its value. Its accesses, task and stamp come with it.
 *
 * An exception or interrupt is kept if the instruction before or after it is selected. Wherever the
 * privilege of a selected instruction is another one than the kept traps say, a change of privilege
 * is put before it. The instructions before and after a gap follow each other, as in all traces.
 *
 * Threads: an oct_select is for one thread at a time. */
#ifndef OCT_SELECT_H
#define OCT_SELECT_H

#include "octrace/trace.h"

typedef enum oct_select_kind {
  OCT_SELECT_ADDR,
  OCT_SELECT_TASK,
  OCT_SELECT_PRIVILEGE, /* of an instruction without one: 0, as programs have */
  OCT_SELECT_TIME,      /* cycles; of an instruction without a stamp: the last stamp before it. No
                         * instruction before the first stamp is selected */
  OCT_SELECT_KINDS
} oct_select_kind;

typedef struct oct_select oct_select;

/* Selects every instruction. The caller frees it. NULL: out of memory. */
oct_select *oct_select_new(void);
void oct_select_free(oct_select *s); /* NULL is allowed */
/* Add the range first .. last, both included, first <= last, to the set of that kind, from the next
 * batch on. 0 or OCT_ERR_NOMEM. */
int oct_select_add(oct_select *s, oct_select_kind kind, uint64_t first, uint64_t last);
/* Whether a set has a range. */
bool oct_select_is_active(const oct_select *s);
/* The kind's ranges come between batches: no instruction is selected while there are none. */
void oct_select_await(oct_select *s, oct_select_kind kind);

/* Make *kept the selected part of the next batch of the trace; it belongs to s until the next call.
 * Of the map, entries of addresses that cannot be selected are left out. So are values, registers
 * and memory: what is between two pieces may change them. 0 or OCT_ERR_NOMEM. */
int oct_select_put(oct_select *s, const oct_batch *batch, oct_batch *kept);

typedef struct oct_select_counts {
  uint64_t n_insns, n_kept; /* taken in, selected */
  uint64_t n_pieces;        /* runs of selected instructions without a gap */
  bool has_stamps;          /* an instruction so far had one */
  bool has_lost_values;     /* values, registers or memory were left out */
} oct_select_counts;
/* So far. */
oct_select_counts oct_select_get_counts(const oct_select *s);

#endif
