/* SPDX-License-Identifier: Apache-2.0 */
/* oct_log_values.h - values of accesses and facts of registers from a log that shows what
 * instructions wrote to registers.
 *
 * Only with the parameter `values=1`. What an access moved is in a register: that of a store before
 * the instruction, that of a load behind it. A log writes every register of every instruction;
 * facts are only what execution cannot know: all registers once they are known, and again now and
 * then, and what an instruction brought from outside. */
#ifndef OCT_LOG_VALUES_H
#define OCT_LOG_VALUES_H

#include "oct_reader_format.h"

/* Longest register that is kept. */
enum { OCT_LOG_REGISTER_MAX = 16, OCT_LOG_WRITES_MAX = 64 };

typedef struct oct_log_write {
  uint16_t number;
  uint8_t bytes[OCT_LOG_REGISTER_MAX];
} oct_log_write;

typedef struct oct_log_registers oct_log_registers; /* of a task */

typedef struct oct_log_values {
  bool is_wanted, is_reset; /* is_reset: general registers are 0 in front of each task */
  int isa;                  /* oct_isa, or -1: registers are not kept */
  oct_log_registers *tasks;
  size_t n_tasks, room_tasks;
  oct_log_write writes[OCT_LOG_WRITES_MAX]; /* of the instruction under way */
  unsigned n_writes;
} oct_log_values;

/* `values=N` of the parameters, where there are registers also `reset=N`; isa: of the trace, or -1.
 * 0 or OCT_ERR_ARG. */
int oct_log_values_open(oct_log_values *v, const oct_reader *r, int isa, oct_diag *diag);
void oct_log_values_free(oct_log_values *v);

/* If the task has no instruction yet, all its general registers are 0: it begins at reset. */
int oct_log_values_reset(oct_log_values *v, uint32_t task, oct_diag *diag);
/* Before an instruction is added: facts in front of it. */
int oct_log_values_begin(oct_log_values *v, oct_reader *r, uint32_t task, oct_diag *diag);
/* The instruction under way wrote n bytes, the lowest first, to a register; what is longer than
 * the register is cut off. */
void oct_log_values_write(oct_log_values *v, unsigned number, const uint8_t *bytes, unsigned n);
/* The last access of the batch has this value: n_bytes of it are its size, unless it has one. */
int oct_log_values_tell(oct_reader *r, uint64_t value, unsigned n_bytes, oct_diag *diag);
/* The last access of the batch has a value in the input that is not told: why, a constant. */
void oct_log_values_lose(oct_reader *r, const char *why);
/* The instruction, the last of the batch, is complete: accesses without a value get theirs from
 * registers, and these change. e: what is known of it. */
int oct_log_values_end(oct_log_values *v, oct_reader *r, const oct_map_entry *e, oct_diag *diag);

#endif
