// SPDX-License-Identifier: Apache-2.0
// oct_gate - what a compressor has ahead of its ingress: rules of the core interface, the filter, and its
// registers, of which those of the filter stand above all others.
//
// Ports, parameters and behaviour are those of oct_core_rules.v, oct_filter.v and oct_regs.v. more_errors_i: rules
// that are checked elsewhere, for the register ERRORS. Latency: none.
`default_nettype none

module oct_gate #(
  parameter integer ADDR_BITS = 32,
  parameter integer PC_ALIGN_BITS = 2,
  parameter integer TASK_BITS = 16,
  parameter integer FILTERS = 4,
  parameter [31:0]  SYNC_PERIOD_INSNS = 32'd1048576,
  parameter integer TIMESTAMP = 0,
  parameter integer TIME_SOURCE = 0,
  parameter integer TIME_BITS = 56
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
`include "oct_apb_ports.vh"
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
  output wire                 da_end_o,
  // of the compressor, for its registers, and from them
  input  wire [5:0]           more_errors_i,
  input  wire                 overflow_i,
  input  wire [1:0]           lost_insns_i,
  input  wire                 lost_access_i,
  input  wire [3:0]           lost_traps_i,
  input  wire [31:0]          stream_count_i,
  input  wire [31:0]          data_count_i,
  input  wire [31:0]          out_count_bytes_i,
  output wire                 enable_o,
  output wire [31:0]          sync_period_insns_o,
  output wire [6:0]           atid_o
);

  // Who is not asked answers 0.
  wire        is_filter = paddr_i >= 12'h100;
  wire [31:0] filter_prdata, regs_prdata;
  wire        filter_pready, regs_pready, filter_pslverr, regs_pslverr;
  assign prdata_o = filter_prdata | regs_prdata;
  assign {pready_o, pslverr_o} = {filter_pready && regs_pready, filter_pslverr || regs_pslverr};

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
    .psel_i      (psel_i && is_filter),
    .penable_i   (penable_i),
    .pwrite_i    (pwrite_i),
    .paddr_i     (paddr_i),
    .pwdata_i    (pwdata_i),
    .prdata_o    (filter_prdata),
    .pready_o    (filter_pready),
    .pslverr_o   (filter_pslverr),
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

  oct_regs #(
    .SYNC_PERIOD_INSNS(SYNC_PERIOD_INSNS),
    .TIMESTAMP        (TIMESTAMP),
    .TIME_SOURCE      (TIME_SOURCE),
    .TIME_BITS        (TIME_BITS)
  ) u_regs (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .psel_i             (psel_i && !is_filter),
    .penable_i          (penable_i),
    .pwrite_i           (pwrite_i),
    .paddr_i            (paddr_i),
    .pwdata_i           (pwdata_i),
    .prdata_o           (regs_prdata),
    .pready_o           (regs_pready),
    .pslverr_o          (regs_pslverr),
    .overflow_i         (overflow_i),
    .lost_insns_i       (lost_insns_i),
    .lost_access_i      (lost_access_i),
    .lost_traps_i       (lost_traps_i),
    .errors_i           ({1'b0, errors_o} | more_errors_i),
    .stream_count_i     (stream_count_i),
    .data_count_i       (data_count_i),
    .out_count_bytes_i  (out_count_bytes_i),
    .enable_o           (enable_o),
    .sync_period_insns_o(sync_period_insns_o),
    .atid_o             (atid_o)
  );

endmodule

`default_nettype wire
