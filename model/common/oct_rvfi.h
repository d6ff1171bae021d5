/* SPDX-License-Identifier: Apache-2.0 */
/* oct_rvfi.h - from the RISC-V Formal Interface (RVFI) of a core to the core interface of a
 * compressor: the twin of rtl/common/oct_rvfi.v, which has the rules.
 *
 * What a channel retires waits in a queue; its accesses follow from its memory masks, the load
 * first. Latency: 1 cycle. No back-pressure: what comes while the queue is full is lost, until it
 * is empty, and marked by a gap. A rule that is broken is an error: nothing is passed on from then.
 * An exception waits for its handler, which tells its cause. One that halts the core is told at
 * once. In place of one that still waits when the core is halted stands a gap. */
#ifndef OCT_RVFI_H
#define OCT_RVFI_H

#include "octrace/tracer.h"

enum { OCT_RVFI_CHANNELS_MAX = 2, OCT_RVFI_DEPTH_MAX = 64 };

/* What one channel brings in a cycle; channel 0 is the older. */
typedef struct oct_rvfi_in {
  bool valid;
  uint32_t insn;
  uint64_t pc, mem_addr;
  uint8_t rmask, wmask; /* bytes from mem_addr on */
  /* Of traps: the first of a handler; it did not retire; and the core halts; its privilege; with
   * intr, what the handler is told, and with halt, what a handler would be. */
  bool intr, trap, halt;
  uint8_t mode;
  uint64_t epc, tval;
  uint32_t cause;
  uint64_t time;
} oct_rvfi_in;

typedef struct oct_rvfi_event {
  bool is_access, is_end;
  uint64_t addr;
} oct_rvfi_event;

typedef struct oct_rvfi_entry {
  uint64_t pc;
  uint32_t insn;
  oct_rvfi_event events[2];
  bool intr, trap, halt;
  bool is_cut;   /* something was left out before it */
  bool is_other; /* cause and tval are those of an exception that halts, of the same cycle */
  uint8_t mode;
  uint64_t epc, tval;
  uint32_t cause;
  uint64_t time;
} oct_rvfi_entry;

typedef struct oct_rvfi {
  uint32_t n_channels, depth;
  uint64_t addr_mask;
  bool is_64;
  oct_rvfi_entry queue[OCT_RVFI_DEPTH_MAX];
  uint32_t read, count;
  bool second, error, told;
  bool cut, cut_told; /* something was left out, and the head's gap has been told */
  bool lost, loses; /* something had no room, untold yet; what came in the newest cycle had none */
  /* Of traps: */
  bool with_traps, said, has_exception, has_mode; /* said: that of the head */
  uint8_t mode;
  uint64_t exception_pc;
  bool halted;  /* the core has been since the newest entry */
  bool gave_up; /* the next entry may begin the handler of an exception that was lost in a gap */
} oct_rvfi;

/* xlen: 32 or 64; depth: a power of two from 2 on. */
void oct_rvfi_init(oct_rvfi *s, uint32_t xlen, uint32_t n_channels, uint32_t depth,
                   bool with_traps);
/* One cycle: what leaves in it, and then what comes, if the gate is open, before the core is
 * halted, if it is; s->error is error_o of the next. */
void oct_rvfi_cycle(oct_rvfi *s, bool is_open, bool is_halted, const oct_rvfi_in *in,
                    oct_retire *out);

#endif
