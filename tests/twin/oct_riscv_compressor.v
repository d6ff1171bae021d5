// SPDX-License-Identifier: Apache-2.0
// oct_riscv_compressor - RISC-V's trace ingress port to the trace bus, for the test of both together.
`default_nettype none

module oct_riscv_compressor #(
`include "oct_params.vh"
  ,
`include "oct_widths.vh"
) (
  input  wire                       clk_i,
  input  wire                       rst_ni,
  // instructions
  input  wire [7:0]                 itype_i,
  input  wire [CAUSE_BITS-1:0]      cause_i,
  input  wire [ADDR_BITS-1:0]       tval_i,
  input  wire [2:0]                 priv_i,
  input  wire [2*ADDR_BITS-1:0]     iaddr_i,
  input  wire [TASK_BITS-1:0]       context_i,
  input  wire [1:0]                 ctype_i,
  input  wire [7:0]                 iretire_i,  // halfwords of each block
  input  wire [1:0]                 ilastsize_i,  // of the last instruction: 0 one halfword, 1 two
  input  wire [127:0]               words_i,  // the first halfword lowest
  // data
  input  wire                       dretire_i,
  input  wire [3:0]                 dtype_i,
  input  wire [ADDR_BITS-1:0]       daddr_i,
  input  wire [1:0]                 dblock_i,
  input  wire [3:0]                 iaddr_lsbs_i,  // bits 4..1 of the instruction's address
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
  wire [TASK_BITS-1:0]  context_task;
  wire [2:0]            unused_class;
  wire [31:0]           unused_word;

  oct_riscv_ingress #(
    .XLEN(ADDR_BITS),
    .BLOCKS(2),
    .BLOCK_HALFWORDS(4),
    .CAUSE_BITS(CAUSE_BITS),
    .CONTEXT_BITS(TASK_BITS),
    .DEPTH(4)
  ) u_adapter (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .itype_i           (itype_i),
    .cause_i           (cause_i),
    .tval_i            (tval_i),
    .priv_i            (priv_i),
    .iaddr_i           (iaddr_i),
    .context_i         (context_i),
    .ctype_i           (ctype_i),
    .iretire_i         (iretire_i),
    .ilastsize_i       (ilastsize_i),
    .words_i           (words_i),
    .dretire_i         (dretire_i),
    .dtype_i           (dtype_i),
    .daddr_i           (daddr_i),
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
    .core_error_o      (core_error),
    .insn_class_o      (unused_class),
    .insn_word_o       (unused_word),
    .task_o            (context_task)
  );

  oct_compressor #(
`include "oct_pass.vh"
  ) u_compressor (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .task_i            (context_task),
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
