// SPDX-License-Identifier: Apache-2.0
// oct_core_ports.vh - the ports of a compressor up to those of the core, first in a port list.

  input  wire                 clk_i,
  input  wire                 rst_ni,
  // the core
  input  wire                 insn_valid_i,
  input  wire [ADDR_BITS-1:0] insn_addr_i,
  input  wire [3:0]           insn_size_bytes_i,
  input  wire [TASK_BITS-1:0] task_i,
  input  wire                 da_valid_i,
  input  wire                 da_end_i,
  input  wire [ADDR_BITS-1:0] da_addr_i,
  input  wire [2:0]           priv_i,        // privilege level of the instruction
  input  wire [1:0]           trigger_i,     // external triggers, pulses
  input  wire                 core_error_i,  // the adapter saw a rule of its own interface broken
  input  wire                 trap_valid_i,  // a trap, in a cycle of its own: oct_retire of include/octrace/tracer.h
  input  wire [1:0]           trap_kind_i,
  input  wire [2:0]           trap_privilege_i,
  input  wire [CAUSE_BITS-1:0] trap_cause_i,
  input  wire [ADDR_BITS-1:0] trap_addr_i,
  input  wire [ADDR_BITS-1:0] trap_tval_i,
  input  wire [63:0]          time_i,        // of the instruction, for stamps with TIME_SOURCE = 1
