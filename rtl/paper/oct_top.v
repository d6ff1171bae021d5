// SPDX-License-Identifier: Apache-2.0
// oct_top - the compressor and its trace port: oct_top_in and oct_top_out of model/paper/oct_top.h.
//
// Core, debugger and trace bus as in oct_compressor.v; the trace bus ends in the trace port and is
// brought out to be watched. port_data_o are the pins, with bits on all of them when port_valid_o is
// set; port_stall_i: the receiver takes none in this cycle; end_i: tracing is over, bits that do not
// fill the pins leave padded. insn_class_i is part of the core interface, as itype is of RISC-V's
// trace ingress port, for compressors that tell branches apart; no stage of this one looks at it.
// Parameters: oct_params.vh.
`default_nettype none

module oct_top #(
`include "oct_params.vh"
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  // the core
  input  wire                 insn_valid_i,
  input  wire [ADDR_BITS-1:0] insn_addr_i,
  input  wire [3:0]           insn_size_bytes_i,
  input  wire [2:0]           insn_class_i,  // oct_class of traces/oct_event.h
  input  wire [TASK_BITS-1:0] task_i,
  input  wire                 da_valid_i,
  input  wire                 da_end_i,
  input  wire [ADDR_BITS-1:0] da_addr_i,
  input  wire [2:0]           priv_i,        // as the others, of oct_compressor.v
  input  wire [1:0]           trigger_i,
  input  wire                 core_error_i,
  input  wire                 trap_valid_i,
  input  wire [1:0]           trap_kind_i,
  input  wire [2:0]           trap_privilege_i,
  input  wire [CAUSE_BITS-1:0] trap_cause_i,
  input  wire [ADDR_BITS-1:0] trap_addr_i,
  input  wire [ADDR_BITS-1:0] trap_tval_i,
  input  wire [63:0]          time_i,
  // the debugger
  input  wire                 psel_i,
  input  wire                 penable_i,
  input  wire                 pwrite_i,
  input  wire [11:0]          paddr_i,
  input  wire [31:0]          pwdata_i,
  output wire [31:0]          prdata_o,
  output wire                 pready_o,
  output wire                 pslverr_o,
  // the trace bus
  input  wire                 afvalid_i,
  output wire                 atvalid_o,
  output wire                 atready_o,
  output wire [31:0]          atdata_o,
  output wire [1:0]           atbytes_o,
  output wire [6:0]           atid_o,
  output wire                 afready_o,
  // the trace port
  input  wire                 port_stall_i,
  input  wire                 end_i,
  output wire                 port_valid_o,
  output wire [PORT_PINS-1:0] port_data_o
);

  wire unused_insn_class = &{1'b0, insn_class_i};

  oct_compressor #(
`include "oct_pass.vh"
  ) u_compressor (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .insn_valid_i     (insn_valid_i),
    .insn_addr_i      (insn_addr_i),
    .insn_size_bytes_i(insn_size_bytes_i),
    .task_i           (task_i),
    .da_valid_i       (da_valid_i),
    .da_end_i         (da_end_i),
    .da_addr_i        (da_addr_i),
    .priv_i           (priv_i),
    .trigger_i        (trigger_i),
    .core_error_i     (core_error_i),
    .trap_valid_i     (trap_valid_i),
    .trap_kind_i      (trap_kind_i),
    .trap_privilege_i (trap_privilege_i),
    .trap_cause_i     (trap_cause_i),
    .trap_addr_i      (trap_addr_i),
    .trap_tval_i      (trap_tval_i),
    .time_i           (time_i),
    .psel_i           (psel_i),
    .penable_i        (penable_i),
    .pwrite_i         (pwrite_i),
    .paddr_i          (paddr_i),
    .pwdata_i         (pwdata_i),
    .prdata_o         (prdata_o),
    .pready_o         (pready_o),
    .pslverr_o        (pslverr_o),
    .atready_i        (atready_o),
    .atclken_i        (1'b1),
    .afvalid_i        (afvalid_i),
    .syncreq_i        (1'b0),
    .atvalid_o        (atvalid_o),
    .atdata_o         (atdata_o),
    .atbytes_o        (atbytes_o),
    .atid_o           (atid_o),
    .afready_o        (afready_o)
  );

  oct_trace_port #(
    .PORT_PINS(PORT_PINS)
  ) u_port (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .atvalid_i(atvalid_o && atready_o),
    .atdata_i (atdata_o),
    .atbytes_i(atbytes_o),
    .end_i    (end_i),
    .stall_i  (port_stall_i),
    .atready_o(atready_o),
    .valid_o  (port_valid_o),
    .data_o   (port_data_o)
  );

endmodule

`default_nettype wire
