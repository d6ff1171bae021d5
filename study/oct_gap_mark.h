/* SPDX-License-Identifier: Apache-2.0 */
/* oct_gap_mark.h - a gap in the place of a trap, for lists that have both in order. */
#ifndef OCT_GAP_MARK_H
#define OCT_GAP_MARK_H

#include "octrace/trace.h"

/* The kind of such a trap; its cause is an oct_gap_cause, its addr that of the fact. */
enum { OCT_TRAP_GAP = OCT_TRAP_KINDS };

static inline oct_trap oct_gap_mark(const oct_fact *gap) {
  return (oct_trap){.kind = OCT_TRAP_GAP,
                    .cause = gap->number,
                    .addr = gap->addr,
                    .insn = gap->insn,
                    .privilege = OCT_PRIVILEGE_UNKNOWN};
}

#endif
