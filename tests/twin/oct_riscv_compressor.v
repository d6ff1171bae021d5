// SPDX-License-Identifier: Apache-2.0
// oct_riscv_compressor - RISC-V's trace ingress port to the trace bus, for the test of both together.
`default_nettype none

module oct_riscv_compressor #(
`include "oct_params.vh"
,
  parameter integer  // follow from those: none is set
`include "oct_widths.vh"
) (
  input  wire                       clk_i,
  input  wire                       rst_ni,
  input  wire                       gate_i,
  // instructions
  input  wire [7:0]                 itype_i,
  input  wire [CAUSE_BITS-1:0]      cause_i,
  input  wire [ADDR_BITS-1:0]       tval_i,
  input  wire [63:0]                time_i,
  input  wire                       halted_i,
  input  wire                       reset_i,
  input  wire [2:0]                 priv_i,
  input  wire [2*ADDR_BITS-1:0]     iaddr_i,
  input  wire [TASK_BITS-1:0]       context_i,
  input  wire [1:0]                 ctype_i,
  input  wire [7:0]                 iretire_i,  // halfwords of each block
  input  wire [1:0]                 ilastsize_i,  // of the last instruction: 0 one halfword, 1 two
  input  wire [127:0]               words_i,  // the first halfword lowest
  // data
  input  wire [1:0]                 dretire_i,
  input  wire [7:0]                 dtype_i,
  input  wire [2*ADDR_BITS-1:0]     daddr_i,
  input  wire [5:0]                 dsize_i,
  input  wire [3:0]                 dblock_i,
  input  wire [7:0]                 iaddr_lsbs_i,  // bits 4..1 of the instruction's address
`include "oct_bus_side.vh"
);

`include "oct_behind_adapter.vh"
  wire [2:0]            unused_class;
  wire [31:0]           unused_word;

  oct_riscv_ingress #(
    .XLEN(ADDR_BITS),
    .BLOCKS(2),
    .BLOCK_HALFWORDS(4),
    .ACCESSES(2),
    .CAUSE_BITS(CAUSE_BITS),
    .CONTEXT_BITS(TASK_BITS),
    .DEPTH(4),
    .TIME_BITS(TIME_SOURCE != 0 ? 64 : 0)
  ) u_adapter (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .gate_i            (gate_i),
    .itype_i           (itype_i),
    .cause_i           (cause_i),
    .tval_i            (tval_i),
    .time_i            (time_i),
    .halted_i          (halted_i),
    .reset_i           (reset_i),
    .priv_i            (priv_i),
    .iaddr_i           (iaddr_i),
    .context_i         (context_i),
    .ctype_i           (ctype_i),
    .iretire_i         (iretire_i),
    .ilastsize_i       (ilastsize_i),
    .words_i           (words_i),
    .trigger_i         (trigger_i),
    .dretire_i         (dretire_i),
    .dtype_i           (dtype_i),
    .daddr_i           (daddr_i),
    .dsize_i           (dsize_i),
    .dblock_i          (dblock_i),
    .iaddr_lsbs_i      (iaddr_lsbs_i),
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
    .task_o            (core_task),
    .trigger_o         (core_trigger)
  );

endmodule

`default_nettype wire
