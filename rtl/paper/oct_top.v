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
`include "oct_core_ports.vh"
  input  wire [2:0]           insn_class_i,  // oct_class of include/octrace/trace.h
  output wire                 atready_o,
  // the trace port
  input  wire                 port_stall_i,
  input  wire                 end_i,
  output wire                 port_valid_o,
  output wire [PORT_PINS-1:0] port_data_o,
`include "oct_bus_ports.vh"
);

  wire unused_insn_class = &{1'b0, insn_class_i};

  oct_compressor #(
`include "oct_pass.vh"
  ) u_compressor (
`include "oct_core_pass.vh"
    .atready_i        (atready_o),
    .atclken_i        (1'b1),
    .syncreq_i        (1'b0),
`include "oct_bus_pass.vh"
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
