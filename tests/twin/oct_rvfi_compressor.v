// SPDX-License-Identifier: Apache-2.0
// oct_rvfi_compressor - RVFI of two channels to the trace bus, for the test of both together.
`default_nettype none

module oct_rvfi_compressor #(
`include "oct_params.vh"
  ,
`include "oct_widths.vh"
) (
  input  wire                       clk_i,
  input  wire                       rst_ni,
  // the core, channel 0 in the low bits
  input  wire [1:0]                 rvfi_valid_i,
  input  wire [63:0]                rvfi_insn_i,
  input  wire [2*ADDR_BITS-1:0]     rvfi_pc_rdata_i,
  input  wire [2*ADDR_BITS-1:0]     rvfi_mem_addr_i,
  input  wire [ADDR_BITS/4-1:0]     rvfi_mem_rmask_i,
  input  wire [ADDR_BITS/4-1:0]     rvfi_mem_wmask_i,
  input  wire [1:0]                 rvfi_trap_i,
  input  wire [1:0]                 rvfi_intr_i,
  input  wire [3:0]                 rvfi_mode_i,
  input  wire [CAUSE_BITS-1:0]      cause_i,
  input  wire [ADDR_BITS-1:0]       epc_i,
  input  wire [ADDR_BITS-1:0]       tval_i,
  // the debugger
  input  wire                       psel_i,
  input  wire                       penable_i,
  input  wire                       pwrite_i,
  input  wire [11:0]                paddr_i,
  input  wire [31:0]                pwdata_i,
  output wire [31:0]                prdata_o,
  output wire                       pready_o,
  output wire                       pslverr_o,
  input  wire [1:0]                 trigger_i,
  // the trace bus
  input  wire                       atclken_i,
  input  wire                       atready_i,
  input  wire                       afvalid_i,
  input  wire                       syncreq_i,
  output wire                       atvalid_o,
  output wire [31:0]                atdata_o,
  output wire [1:0]                 atbytes_o,
  output wire [6:0]                 atid_o,
  output wire                       afready_o
);

  wire                  insn_valid, da_valid, da_end, trap_valid, core_error;
  wire [ADDR_BITS-1:0]  insn_addr, da_addr, trap_addr, trap_tval;
  wire [3:0]            insn_size_bytes;
  wire [2:0]            priv, trap_privilege;
  wire [1:0]            trap_kind;
  wire [CAUSE_BITS-1:0] trap_cause;
  wire                  unused_error;
  wire [2:0]            unused_class;
  wire [31:0]           unused_word;

  oct_rvfi #(
    .XLEN(ADDR_BITS),
    .CHANNELS(2),
    .DEPTH(8),
    .TRAPS(TRAPS),
    .CAUSE_BITS(CAUSE_BITS)
  ) u_adapter (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .rvfi_valid_i      (rvfi_valid_i),
    .rvfi_insn_i       (rvfi_insn_i),
    .rvfi_pc_rdata_i   (rvfi_pc_rdata_i),
    .rvfi_mem_addr_i   (rvfi_mem_addr_i),
    .rvfi_mem_rmask_i  (rvfi_mem_rmask_i),
    .rvfi_mem_wmask_i  (rvfi_mem_wmask_i),
    .rvfi_trap_i       (rvfi_trap_i),
    .rvfi_intr_i       (rvfi_intr_i),
    .rvfi_mode_i       (rvfi_mode_i),
    .cause_i           (cause_i),
    .epc_i             (epc_i),
    .tval_i            (tval_i),
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
    .core_error_o      (core_error),
    .insn_class_o      (unused_class),
    .insn_word_o       (unused_word),
    .error_o           (unused_error)
  );

  oct_compressor #(
`include "oct_pass.vh"
  ) u_compressor (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .task_i            ({TASK_BITS{1'b0}}),
    .insn_valid_i      (insn_valid),
    .insn_addr_i       (insn_addr),
    .insn_size_bytes_i (insn_size_bytes),
    .da_valid_i        (da_valid),
    .da_end_i          (da_end),
    .da_addr_i         (da_addr),
    .priv_i            (TRAPS != 0 ? priv : 3'd3),
    .trap_valid_i      (trap_valid),
    .trap_kind_i       (trap_kind),
    .trap_privilege_i  (trap_privilege),
    .trap_cause_i      (trap_cause),
    .trap_addr_i       (trap_addr),
    .trap_tval_i       (trap_tval),
    .core_error_i      (core_error),
    .trigger_i         (trigger_i),
    .psel_i            (psel_i),
    .penable_i         (penable_i),
    .pwrite_i          (pwrite_i),
    .paddr_i           (paddr_i),
    .pwdata_i          (pwdata_i),
    .prdata_o          (prdata_o),
    .pready_o          (pready_o),
    .pslverr_o         (pslverr_o),
    .atclken_i         (atclken_i),
    .atready_i         (atready_i),
    .afvalid_i         (afvalid_i),
    .syncreq_i         (syncreq_i),
    .atvalid_o         (atvalid_o),
    .atdata_o          (atdata_o),
    .atbytes_o         (atbytes_o),
    .atid_o            (atid_o),
    .afready_o         (afready_o)
  );

endmodule

`default_nettype wire
