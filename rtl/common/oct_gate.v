// SPDX-License-Identifier: Apache-2.0
// oct_gate - what a compressor has ahead of its ingress: rules of the core interface, and the filter.
//
// Ports, parameters and behaviour are those of oct_core_rules.v and oct_filter.v. Latency: none.
`default_nettype none

module oct_gate #(
  parameter integer ADDR_BITS = 32,
  parameter integer PC_ALIGN_BITS = 2,
  parameter integer TASK_BITS = 16,
  parameter integer FILTERS = 4
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  // the debugger, the filter's registers alone
  input  wire                 psel_i,
  input  wire                 penable_i,
  input  wire                 pwrite_i,
  input  wire [11:0]          paddr_i,
  input  wire [31:0]          pwdata_i,
  output wire [31:0]          prdata_o,
  output wire                 pready_o,
  output wire                 pslverr_o,
  // the core
  input  wire                 insn_valid_i,
  input  wire [ADDR_BITS-1:0] insn_addr_i,
  input  wire [3:0]           insn_size_bytes_i,
  input  wire [TASK_BITS-1:0] task_i,
  input  wire [2:0]           priv_i,
  input  wire                 da_valid_i,
  input  wire                 da_end_i,
  input  wire [ADDR_BITS-1:0] da_addr_i,
  input  wire [1:0]           trigger_i,
  input  wire                 core_error_i,
  input  wire                 trap_valid_i,
  input  wire [1:0]           trap_kind_i,
  // to the ingress
  output wire [4:0]           errors_o,
  output wire                 skip_o,
  output wire                 da_valid_o,
  output wire                 da_end_o
);

  oct_core_rules #(
    .ADDR_BITS    (ADDR_BITS),
    .PC_ALIGN_BITS(PC_ALIGN_BITS)
  ) u_rules (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .insn_valid_i     (insn_valid_i),
    .insn_addr_i      (insn_addr_i),
    .insn_size_bytes_i(insn_size_bytes_i),
    .da_valid_i       (da_valid_i),
    .da_end_i         (da_end_i),
    .core_error_i     (core_error_i),
    .trap_valid_i     (trap_valid_i),
    .trap_kind_i      (trap_kind_i),
    .errors_o         (errors_o)
  );

  oct_filter #(
    .ADDR_BITS(ADDR_BITS),
    .TASK_BITS(TASK_BITS),
    .FILTERS  (FILTERS)
  ) u_filter (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .psel_i      (psel_i),
    .penable_i   (penable_i),
    .pwrite_i    (pwrite_i),
    .paddr_i     (paddr_i),
    .pwdata_i    (pwdata_i),
    .prdata_o    (prdata_o),
    .pready_o    (pready_o),
    .pslverr_o   (pslverr_o),
    .insn_valid_i(insn_valid_i),
    .insn_addr_i (insn_addr_i),
    .task_i      (task_i),
    .priv_i      (priv_i),
    .da_valid_i  (da_valid_i),
    .da_end_i    (da_end_i),
    .da_addr_i   (da_addr_i),
    .trigger_i   (trigger_i),
    .skip_o      (skip_o),
    .da_valid_o  (da_valid_o),
    .da_end_o    (da_end_o)
  );

endmodule

`default_nettype wire
