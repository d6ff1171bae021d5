/* SPDX-License-Identifier: Apache-2.0 */
/* oct_core_rules.h - does the core keep the rules of the core interface?
 *
 * What breaks a rule is not taken: the ingress counts it as lost and marks the gap, as it does when
 * a buffer is full. A flag for each rule stays set in the register ERRORS until it is cleared. The
 * accesses of an instruction come in consecutive cycles, the first with the instruction itself, so
 * an access needs one in the cycle before it that was not the last. A trap has a cycle of its own.
 * (The flag of time comes from the stamps: the instruction is taken.)
 * Latency: none. */
#ifndef OCT_CORE_RULES_H
#define OCT_CORE_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "octrace/trace.h"

/* Flags: X(name, bit, meaning), for the Verilog too. */
#define OCT_CORE_ERRORS(X)                                                                 \
  X(OCT_CORE_ERROR_ACCESS, 0, "an access, terminator or lead without an instruction")      \
  X(OCT_CORE_ERROR_ADDRESS, 1, "an instruction address that is not aligned")               \
  X(OCT_CORE_ERROR_SIZE, 2, "an instruction of no bytes, or of a part of the alignment")   \
  X(OCT_CORE_ERROR_ADAPTER, 3, "a rule that the adapter before the compressor saw broken") \
  X(OCT_CORE_ERROR_TRAP, 4, "a trap beside an instruction or an access, or of no kind")    \
  X(OCT_CORE_ERROR_TIME, 5, "a stamp left out, as the core's time went back")
enum {
#define OCT_X(name, bit, text) name = 1 << (bit),
  OCT_CORE_ERRORS(OCT_X)
#undef OCT_X
};

typedef struct oct_core_rules {
  uint32_t align_mask;
  bool open_q; /* an access may follow */
} oct_core_rules;

typedef struct oct_core_rules_in {
  bool insn_valid, da_valid, da_end, core_error;
  uint64_t insn_addr;
  uint8_t insn_size_bytes;
  bool trap_valid;
  uint8_t trap_kind; /* of oct_trap */
} oct_core_rules_in;

static inline void oct_core_rules_init(oct_core_rules *s, uint32_t pc_align_bits) {
  *s = (oct_core_rules){.align_mask = (1u << pc_align_bits) - 1};
}

/* The flags of this cycle, 0 when all rules are kept; the state moves on with it. */
static inline uint32_t oct_core_rules_eval(oct_core_rules *s, const oct_core_rules_in *in) {
  uint32_t errors = 0;
  bool is_orphan = in->da_valid && !in->insn_valid && !s->open_q;
  if (is_orphan) errors |= OCT_CORE_ERROR_ACCESS;
  if (in->insn_valid && (in->insn_addr & s->align_mask)) errors |= OCT_CORE_ERROR_ADDRESS;
  if (in->insn_valid && (!in->insn_size_bytes || (in->insn_size_bytes & s->align_mask)))
    errors |= OCT_CORE_ERROR_SIZE;
  if (in->core_error) errors |= OCT_CORE_ERROR_ADAPTER;
  if (in->trap_valid && (in->insn_valid || in->da_valid || in->trap_kind >= OCT_TRAP_KINDS))
    errors |= OCT_CORE_ERROR_TRAP;
  s->open_q = in->da_valid && !in->da_end && !is_orphan;
  return errors;
}

#endif
