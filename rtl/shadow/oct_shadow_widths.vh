// SPDX-License-Identifier: Apache-2.0
// oct_shadow_widths.vh - what follows from the parameters of `shadow`. Stands after oct_shadow_params.vh and a comma in a
// parameter list. A module with this list need not use each.

// verilator lint_off UNUSEDPARAM
  localparam integer
    // 0 A32, 1 RISC-V (RV32, or RV64 if ADDR_BITS is above 32): no other instruction set here has 16 registers
    ISA = REGS == 16 ? 0 : 1,
    // a number of accesses
    N_BITS = $clog2(GATHER_ACCESSES + 32),
    // a word of an item
    W = ADDR_BITS + 4,
    // a number of words of the queue
    QUEUE_BITS = $clog2(QUEUE_WORDS + 1),
    // a trap: kind, privilege, cause, address and value
    TRAP_BITS = 2 * ADDR_BITS + CAUSE_BITS + 5
// verilator lint_on UNUSEDPARAM
