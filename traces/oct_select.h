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
 * Values: what is left out changes registers and memory. So where a task goes on behind what is
 * left out, all its registers are told, and what was stored in the meantime is memory that somebody
 * else wrote. Where some register that was told before is not known there, a gap is.
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

/* Have tell called for each register of the task that is known in front of instruction n of those
 * that are put, from 0, which is at addr; goes_on: some of the task was selected before. 1; 0, and
 * none told: not all general ones are known there; or an error. */
typedef void oct_select_register(void *select, unsigned number, const uint8_t *bytes, unsigned n);
typedef int oct_select_registers(void *context, uint64_t n, uint64_t addr, uint32_t task,
                                 bool goes_on, oct_select_register *tell, void *select);
/* Keep values, registers and memory: registers gives what has to be told. Before the first batch.
 */
void oct_select_keep_values(oct_select *s, oct_select_registers *registers, void *context);

/* Make *kept the selected part of the next batch of the trace; it belongs to s until the next call.
 * Of the map, entries of addresses that cannot be selected are left out; without
 * oct_select_keep_values so are values, registers and memory. 0, OCT_ERR_NOMEM or an error of
 * registers. */
int oct_select_put(oct_select *s, const oct_batch *batch, oct_batch *kept);

typedef struct oct_select_counts {
  uint64_t n_insns, n_kept; /* taken in, selected */
  uint64_t n_pieces;        /* runs of selected instructions without a gap */
  bool has_stamps;          /* an instruction so far had one */
  bool has_lost_values;     /* values, registers or memory were left out */
  uint64_t n_unknown;       /* places where a gap stands for registers that are not known */
} oct_select_counts;
/* So far. */
oct_select_counts oct_select_get_counts(const oct_select *s);

#endif
