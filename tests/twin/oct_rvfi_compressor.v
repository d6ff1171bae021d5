// SPDX-License-Identifier: Apache-2.0
// oct_rvfi_compressor - RVFI of two channels to the trace bus, for the test of both together.
`default_nettype none

module oct_rvfi_compressor #(
`include "oct_params.vh"
,
  parameter integer  // follow from those: none is set
`include "oct_widths.vh"
) (
  input  wire                       clk_i,
  input  wire                       rst_ni,
  input  wire                       gate_i,
  // the core, channel 0 in the low bits
  input  wire [1:0]                 rvfi_valid_i,
  input  wire [63:0]                rvfi_insn_i,
  input  wire [2*ADDR_BITS-1:0]     rvfi_pc_rdata_i,
  input  wire [2*ADDR_BITS-1:0]     rvfi_mem_addr_i,
  input  wire [ADDR_BITS/4-1:0]     rvfi_mem_rmask_i,
  input  wire [ADDR_BITS/4-1:0]     rvfi_mem_wmask_i,
  input  wire [1:0]                 rvfi_trap_i,
  input  wire [1:0]                 rvfi_intr_i,
  input  wire [1:0]                 rvfi_halt_i,
  input  wire [3:0]                 rvfi_mode_i,
  input  wire [CAUSE_BITS-1:0]      cause_i,
  input  wire [ADDR_BITS-1:0]       epc_i,
  input  wire [ADDR_BITS-1:0]       tval_i,
  input  wire                       halted_i,
  input  wire [63:0]                time_i,
`include "oct_bus_side.vh"
);

`include "oct_behind_adapter.vh"
  wire                  unused_error;
  wire [2:0]            unused_class;
  wire [31:0]           unused_word;

  assign core_task    = {TASK_BITS{1'b0}};
  assign core_trigger = trigger_i;

  oct_rvfi #(
    .XLEN(ADDR_BITS),
    .CHANNELS(2),
    .DEPTH(8),
    .TRAPS(TRAPS),
    .CAUSE_BITS(CAUSE_BITS),
    .TIME_BITS(TIME_SOURCE != 0 ? 64 : 0)
  ) u_adapter (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .gate_i            (gate_i),
    .rvfi_valid_i      (rvfi_valid_i),
    .rvfi_insn_i       (rvfi_insn_i),
    .rvfi_pc_rdata_i   (rvfi_pc_rdata_i),
    .rvfi_mem_addr_i   (rvfi_mem_addr_i),
    .rvfi_mem_rmask_i  (rvfi_mem_rmask_i),
    .rvfi_mem_wmask_i  (rvfi_mem_wmask_i),
    .rvfi_trap_i       (rvfi_trap_i),
    .rvfi_intr_i       (rvfi_intr_i),
    .rvfi_halt_i       (rvfi_halt_i),
    .rvfi_mode_i       (rvfi_mode_i),
    .cause_i           (cause_i),
    .epc_i             (epc_i),
    .tval_i            (tval_i),
    .halted_i          (halted_i),
    .time_i            (time_i),
    .insn_valid_o      (insn_valid),
    .insn_addr_o       (insn_addr),
    .insn_size_bytes_o (insn_size_bytes),
    .da_valid_o        (da_valid),
    .da_end_o          (da_end),
    .da_addr_o         (da_addr),
    .priv_o            (priv),
    .trap_valid_o      (trap_valid),
    .trap_kind_o       (trap_kind),
    .trap_privilege_o  (trap_privilege),
    .trap_cause_o      (trap_cause),
    .trap_addr_o       (trap_addr),
    .trap_tval_o       (trap_tval),
    .time_o            (core_time),
    .core_error_o      (core_error),
    .insn_class_o      (unused_class),
    .insn_word_o       (unused_word),
    .error_o           (unused_error)
  );

endmodule

`default_nettype wire
