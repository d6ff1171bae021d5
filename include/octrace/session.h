/* SPDX-License-Identifier: Apache-2.0 */
/* octrace/session.h - a recorded program at any instruction: registers, memory as far as the trace
 * tells it, and runs forward and back to places and accesses.
 *
 * The trace needs values and facts, as `octrace capture --values` and the decoder of `replay` give
 * them. Positions are numbers of instructions: at n the first n have been carried out.
 *
 * Threads: A session is for one thread at a time, different ones may be used by different threads.
 */
#ifndef OCTRACE_SESSION_H
#define OCTRACE_SESSION_H

#include "trace.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct oct_session oct_session;

/* Open a trace of any format. 0 and *out, to be closed; an error of oct_reader_open or
 * oct_reader_next; OCT_ERR_UNSUPPORTED: no values and registers, or no emulator for the instruction
 * set. */
int oct_session_open(const char *path, const oct_read_options *options, oct_session **out,
                     oct_diag *diag);
void oct_session_close(oct_session *s);

oct_isa oct_session_isa(const oct_session *s);
uint64_t oct_session_length(const oct_session *s);
uint64_t oct_session_at(const oct_session *s);
/* Of the next instruction, of the last one at the end. */
uint64_t oct_session_pc(oct_session *s);
uint32_t oct_session_task(const oct_session *s);
bool oct_session_is_thumb(oct_session *s);

/* Be at position n, or at the end. An error of reading. */
int oct_session_go(oct_session *s, uint64_t n, oct_diag *diag);

/* A register of the task (oct_isa_registers): false, and zeros, where it is not known. */
bool oct_session_register(oct_session *s, uint32_t task_number, unsigned number, uint8_t *bytes);
/* The bytes from addr on: how many of n are known, up to the first that is not. */
size_t oct_session_read(oct_session *s, uint64_t addr, uint8_t *bytes, size_t n);
/* Tasks that have run so far: the numbers of at most n, how many there are. */
size_t oct_session_tasks(const oct_session *s, uint32_t *tasks, size_t n);

/* Where a run ends. */
typedef enum oct_session_kind {
  OCT_SESSION_BREAK, /* in front of the instruction at addr */
  OCT_SESSION_WRITE, /* at a store to one of n_bytes at addr, */
  OCT_SESSION_READ,  /* a load, */
  OCT_SESSION_ACCESS /* or either */
} oct_session_kind;
typedef struct oct_session_place {
  oct_session_kind kind;
  uint64_t addr, n_bytes;
} oct_session_place;

/* Run on to the first of n places, behind the instruction that makes the access, or to position
 * `to`; back to the last one before, in front of that instruction, or to position `to`. *hit is its
 * number, or n. An error of reading. */
int oct_session_run(oct_session *s, uint64_t to, const oct_session_place *places, size_t n,
                    size_t *hit, oct_diag *diag);
int oct_session_run_back(oct_session *s, uint64_t to, const oct_session_place *places, size_t n,
                         size_t *hit, oct_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
