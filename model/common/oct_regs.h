/* SPDX-License-Identifier: Apache-2.0 */
/* oct_regs.h - the registers that a debugger reads and writes over APB: control, and what was lost.
 *
 * | offset | name           | access | content                                                 |
 * |--------|----------------|--------|---------------------------------------------------------|
 * | 0x00   | ID             | r      | 0x4f435452                                              |
 * | 0x04   | CTRL           | rw     | bit 0: enable (1 after reset)                           |
 * | 0x08   | SYNC_PERIOD    | rw     | instructions between syncs, 0 = only the first          |
 * | 0x0c   | ATID           | rw     | bits 6..0: trace source number on the trace bus, 1 to   |
 * |        |                |        | 0x6f; a write of another value is ignored               |
 * | 0x10   | OVERFLOWS      | r      | times that a buffer was full; this and the next five    |
 * | 0x14   | LOST_INSNS     | r      | instructions dropped        stop at 65535               |
 * | 0x18   | LOST_ACCESSES  | r      | data accesses dropped                                   |
 * | 0x1c   | HIGH_STREAM    | r      | most entries ever in the stream buffer                  |
 * | 0x20   | HIGH_DATA      | r      | most entries ever in the data buffer                    |
 * | 0x24   | HIGH_OUT       | r      | most bytes ever in the output FIFO                      |
 * | 0x28   | CLEAR          | w      | any value: the six above, and LOST_TRAPS, return to 0   |
 * | 0x2c   | ERRORS         | rw     | rules of the core interface that the core broke: bit 0  |
 * |        |                |        | access, 1 address, 2 size, 3 adapter, 4 trap, 5 time:   |
 * |        |                |        | oct_core_rules.h; each stays until a 1 is written to it |
 * | 0x30   | TIME           | r      | time stamps: bit 0 there are some; bits 6..4 their      |
 * |        |                |        | source, 1 the core's time, 3 the compressor's cycles;   |
 * |        |                |        | bit 15 as bit 0; bits 29..24 their width, 63 at most    |
 * | 0x34   | LOST_TRAPS     | r      | traps dropped that no filter left out; counts and       |
 * |        |                |        | returns to 0 as LOST_INSNS does                         |
 *
 * An access takes the APB's two cycles, without wait states; any other offset, a write to a
 * read-only register or a read of CLEAR answers with slverr and changes nothing. Counts include the
 * cycle before the read. */
#ifndef OCT_REGS_H
#define OCT_REGS_H

#include "oct_inline.h"
#include "octrace/tracer.h"

#include <stdbool.h>
#include <stdint.h>

#define OCT_REGS_ID 0x4f435452u
#define OCT_REGS_COUNTS 6 /* OVERFLOWS to HIGH_OUT */
#define OCT_REGS_COUNT_MAX 0xffffu

/* Offsets: X(name, bytes), for the Verilog too (rtl/paper/oct_types.vh). */
#define OCT_REGS(X)              \
  X(OCT_REG_ID, 0x00)            \
  X(OCT_REG_CTRL, 0x04)          \
  X(OCT_REG_SYNC_PERIOD, 0x08)   \
  X(OCT_REG_ATID, 0x0c)          \
  X(OCT_REG_OVERFLOWS, 0x10)     \
  X(OCT_REG_LOST_INSNS, 0x14)    \
  X(OCT_REG_LOST_ACCESSES, 0x18) \
  X(OCT_REG_HIGH_STREAM, 0x1c)   \
  X(OCT_REG_HIGH_DATA, 0x20)     \
  X(OCT_REG_HIGH_OUT, 0x24)      \
  X(OCT_REG_CLEAR, 0x28)         \
  X(OCT_REG_ERRORS, 0x2c)        \
  X(OCT_REG_TIME, 0x30)          \
  X(OCT_REG_LOST_TRAPS, 0x34)
#define OCT_X(name, offset) name = offset,
enum { OCT_REGS(OCT_X) };
#undef OCT_X

typedef struct oct_regs {
  bool enable_q, enable_d;
  uint32_t sync_period_insns_q, sync_period_insns_d;
  uint8_t atid_q, atid_d;
  uint32_t errors_q, errors_d;
  uint32_t time;                                               /* what TIME says */
  uint32_t count_q[OCT_REGS_COUNTS], count_d[OCT_REGS_COUNTS]; /* from OVERFLOWS on */
  uint32_t lost_traps_q, lost_traps_d;
} oct_regs;

typedef struct oct_regs_in {
  oct_apb_in apb;
  bool overflow;      /* of this cycle, */
  uint8_t lost_insns; /* 0 to 2, */
  bool lost_access;
  uint8_t lost_traps;                                 /* 0 to 9, */
  uint32_t errors;                                    /* and these flags of oct_core_rules.h */
  uint32_t stream_count, data_count, out_count_bytes; /* held in this cycle */
} oct_regs_in;

/* stamp_bits: of a time stamp; 0: there are none. */
void oct_regs_init(oct_regs *s, uint32_t sync_period_insns, unsigned stamp_bits, bool is_core_time);
/* Outputs: *out of this cycle; enable_q, sync_period_insns_q, atid_q. */
void oct_regs_eval(oct_regs *s, const oct_regs_in *in, oct_apb_out *out);
void oct_regs_clock(oct_regs *s);

/* Is more held than ever before? */
static inline bool oct_regs_rise(const oct_regs *s, uint32_t stream_count, uint32_t data_count,
                                 uint32_t out_count_bytes) {
  const uint32_t *high = s->count_q + OCT_REGS_COUNTS / 2;
  return stream_count > high[0] || data_count > high[1] || out_count_bytes > high[2];
}

#endif
