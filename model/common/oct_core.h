/* SPDX-License-Identifier: Apache-2.0 */
/* oct_core.h - the traced core and the trace receiver: in which cycle an instruction retires, and
 * in which the port is stalled. Gives the inputs of the cycle-level compressor, one cycle at a
 * time, to whatever runs it: the C model, the Verilog, or both. */
#ifndef OCT_CORE_H
#define OCT_CORE_H

#include "oct_arrival.h"
#include "octrace/trace.h"
#include "octrace/tracer.h"

#include <stddef.h>

typedef struct oct_core {
  oct_run_options options;
  oct_arrivals arrivals;
  /* the instruction under way */
  const oct_insn *insn;
  const oct_access *accesses;
  uint64_t until_cycle;     /* idle up to here */
  uint32_t record, records; /* cycles with an access or terminator; at least 1 */
  uint8_t priv;             /* of it, as the traps before it told; 0 = a program */
  uint32_t insn_word;       /* of the instruction under way, where the caller knows and sets it, */
  bool insn_word_valid;     /* and this */
} oct_core;

/* What a machine has room for, as its parameters of these names say. */
typedef struct oct_core_widths {
  uint32_t addr_bits, pc_align_bits, task_bits;
} oct_core_widths;

/* The pc_align_bits of a machine for a trace whose instruction addresses are multiples of
 * insn_align_bytes (1, 2, 4 or 8): 0 to 3. */
static inline uint32_t oct_core_align_bits(uint32_t insn_align_bytes) {
  uint32_t bits = 0;
  while (bits < 3 && (2u << bits) <= insn_align_bytes) bits++;
  return bits;
}

/* Do instructions, of which the first has number first_insn in the trace, fit a machine's widths?
 * The number of their accesses, or OCT_ERR_LIMIT and the first that does not in *diag. */
int64_t oct_core_check(oct_core_widths widths, const oct_insn *insns, size_t n_insns,
                       const oct_access *accesses, uint64_t first_insn, oct_diag *diag);

/* The same of one instruction: 0 or OCT_ERR_LIMIT. */
int oct_core_check_insn(const oct_core_widths *widths, const oct_insn *insn,
                        const oct_access *accesses, uint64_t number, oct_diag *diag);

/* Does it have a time, for a machine with time_source = 1 whose stamps have so many bits? 0, or
 * OCT_ERR_CONFIG and *diag. */
int oct_core_check_time(const oct_insn *insn, unsigned stamp_bits, uint64_t number, oct_diag *diag);

void oct_core_init(oct_core *s, const oct_run_options *options);
/* The next instruction (with OCT_INSN_END as oct_map_track sets it), which has this number in the
 * trace; it and its accesses stay the caller's and are read until oct_core_next has returned false.
 * 0, or OCT_ERR_LIMIT and *diag for a stamp more than OCT_CYCLES_MAX after the first. */
int oct_core_put(oct_core *s, const oct_insn *insn, const oct_access *accesses, uint64_t number,
                 oct_diag *diag);
/* For how many cycles from now nothing retires. */
uint64_t oct_core_pause_cycles(const oct_core *s);
/* Leave out n_cycles of these: the caller knows what they would do. */
void oct_core_skip(oct_core *s, uint64_t n_cycles);
/* The inputs of the next cycle; false, and nothing written, when the instruction has been given
 * whole. */
bool oct_core_next(oct_core *s, oct_pins_in *in);
/* The inputs of a cycle in which nothing retires. */
void oct_core_idle(oct_core *s, oct_pins_in *in);
/* Those of a cycle with a trap before an instruction of this task. */
void oct_core_trap(oct_core *s, const oct_trap *trap, uint32_t task, oct_pins_in *in);
/* Does a trap fit these widths? 0, or OCT_ERR_LIMIT and *diag; number: of the next instruction. */
int oct_core_check_trap(uint32_t addr_bits, uint32_t cause_bits, const oct_trap *trap,
                        uint64_t number, oct_diag *diag);

#endif
