/* SPDX-License-Identifier: Apache-2.0 */
/* oct_path_tail.h - the path since the last branch or report, as runs of instructions that follow
 * each other in memory, so that the encoder knows where a decoder could stop too early.
 *
 * A packet that reports an address means the first place on the decoder's path that has it, once
 * all branches are used up. That is ambiguous when the tail, the path behind the last branch, comes
 * through one address twice: by two calls of one function, by recursion, by a loop of jumps alone.
 * The fields irreport and irdepth do not always tell such places apart. What does is another report
 * before: a waypoint, with the flag notify. The end of a run is always the first of its address
 * behind the beginning of the run, so the ends of runs, one after the other, are waypoints that
 * cannot be mistaken. They are needed before a sync and at mispredicted returns only, seldom even
 * there. */
#ifndef OCT_PATH_TAIL_H
#define OCT_PATH_TAIL_H

#include <stdbool.h>
#include <stdint.h>

enum { OCT_TAIL_RUNS_MAX = 256 };

typedef struct oct_tail_run {
  uint64_t start, end; /* its first and last instruction */
  uint32_t depth;      /* calls on the stack, if it ends with an implicit return; else 0 */
} oct_tail_run;

typedef struct oct_tail {
  oct_tail_run run[OCT_TAIL_RUNS_MAX];
  uint32_t n; /* runs that are over; the one under way began at start */
  uint64_t start;
  bool is_reached; /* the decoder stands on the first instruction of the first run */
} oct_tail;

/* The path goes on at addr: behind a branch, or, is_reached, on an instruction that was reported.
 */
static inline void oct_tail_restart(oct_tail *t, uint64_t addr, bool is_reached) {
  t->n = 0;
  t->start = addr;
  t->is_reached = is_reached;
}

/* The run ends with a jump at addr, to next; false when there is no room for another. */
static inline bool oct_tail_jump(oct_tail *t, uint64_t addr, uint64_t next, uint32_t depth) {
  if (t->n == OCT_TAIL_RUNS_MAX) return false;
  t->run[t->n++] = (oct_tail_run){t->start, addr, depth};
  t->start = next;
  return true;
}

/* Runs whose ends have to be reported for addr to be found where the tail is now. */
static inline uint32_t oct_tail_before(const oct_tail *t, uint64_t addr) {
  uint32_t n = t->n;
  while (n && !(t->run[n - 1].start <= addr && addr <= t->run[n - 1].end)) n--;
  return n;
}

/* The same for a return with depth calls on the stack, of the first n runs. */
static inline uint32_t oct_tail_before_return(const oct_tail *t, uint32_t n, uint32_t depth) {
  while (n && t->run[n - 1].depth != depth) n--;
  return n;
}

/* Whether the decoder stands on the end of run number i already. */
static inline bool oct_tail_is_there(const oct_tail *t, uint32_t i) {
  return i == 0 && t->is_reached && t->run[0].start == t->run[0].end;
}

#endif
