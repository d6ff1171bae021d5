/* SPDX-License-Identifier: Apache-2.0 */
/* oct_calls.h - function calls out of an instruction trace, as records of an event trace and as a
 * tree with the time of each stack.
 *
 * Times are cycle stamps if the first batch has some, else numbers of instructions.
 *
 * Threads: an oct_calls is for one thread at a time. */
#ifndef OCT_CALLS_H
#define OCT_CALLS_H

#include "oct_ev_types.h"
#include "oct_functions.h"
#include "octrace/map.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct oct_calls oct_calls;

/* A stack: function on top of the stack of node `parent`. Node 0 is the empty stack. */
typedef struct oct_calls_node {
  uint32_t parent, function; /* of the definitions */
  uint32_t location;
  uint64_t self_ticks; /* while exactly this was the stack */
} oct_calls_node;

/* has_delay_slots: jumps take effect after the next instruction. The caller frees *c.
 * OCT_ERR_NOMEM. */
int oct_calls_new(const oct_functions *functions, bool has_delay_slots, oct_calls **c);
void oct_calls_free(oct_calls *c); /* NULL is allowed */
/* Take a batch whose instructions have classes (oct_map_track). *records, n of them, belong to c
 * until the next call. OCT_ERR_NOMEM, OCT_ERR_LIMIT (names). */
int oct_calls_put(oct_calls *c, const oct_batch *batch, const oct_ev_record **records, size_t *n);
/* After the last batch: leave the calls that are open, at its end. */
int oct_calls_end(oct_calls *c, const oct_ev_record **records, size_t *n);
/* Functions and locations (tasks) so far. */
oct_ev_defs *oct_calls_defs(oct_calls *c);
bool oct_calls_has_stamps(const oct_calls *c);
/* All stacks so far; a parent has a smaller number than its children. */
const oct_calls_node *oct_calls_nodes(const oct_calls *c, size_t *n);

typedef struct oct_calls_counts {
  uint64_t calls, returns;
  uint64_t tail_calls;      /* jumps into another function */
  uint64_t unwound;         /* calls left by a longjmp, an exception of C++, a return past them */
  uint64_t missed_returns;  /* to a place from which nothing on the stack was called */
  uint64_t discontinuities; /* places where the trace goes on elsewhere without a jump or a trap */
  uint64_t traps;           /* exceptions and interrupts */
} oct_calls_counts;
oct_calls_counts oct_calls_get_counts(const oct_calls *c);

#ifdef __cplusplus
}
#endif
#endif
