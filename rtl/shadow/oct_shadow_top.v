// SPDX-License-Identifier: Apache-2.0
// oct_shadow_top - the tracer `shadow` and its trace port: the pins of include/octrace/tracer.h.
//
// Core, debugger and trace bus as in oct_shadow_compressor.v; the trace bus ends in the trace port and is
// brought out to be watched. port_data_o are the pins, with bits on all of them when port_valid_o is
// set; port_stall_i: the receiver takes none in this cycle; end_i: tracing is over, bits that do not
// fill the pins leave padded. Parameters: oct_shadow_params.vh.
`default_nettype none

module oct_shadow_top #(
`include "oct_shadow_params.vh"
) (
`include "oct_core_ports.vh"
  input  wire [31:0]          insn_word_i,        // its bytes, the first lowest,
  input  wire                 insn_word_valid_i,  // if they are known
  input  wire                 lead_valid_i,       // one of the same task ahead of it, without accesses: RETIRE_WIDTH = 2
  input  wire [ADDR_BITS-1:0] lead_addr_i,
  input  wire [3:0]           lead_size_bytes_i,
  input  wire [31:0]          lead_word_i,
  input  wire                 lead_word_valid_i,
  output wire                 atready_o,
  // the trace port
  input  wire                 port_stall_i,
  input  wire                 end_i,
  output wire                 port_valid_o,
  output wire [PORT_PINS-1:0] port_data_o,
`include "oct_bus_ports.vh"
);

  wire [31:0] at_mask = 32'hffff_ffff >> {~atbytes_o, 3'd0};

  oct_shadow_compressor #(
`include "oct_shadow_pass.vh"
  ) u_compressor (
`include "oct_core_pass.vh"
    .insn_word_i      (insn_word_i),
    .insn_word_valid_i(insn_word_valid_i),
    .lead_valid_i     (lead_valid_i),
    .lead_addr_i      (lead_addr_i),
    .lead_size_bytes_i(lead_size_bytes_i),
    .lead_word_i      (lead_word_i),
    .lead_word_valid_i(lead_word_valid_i),
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
    .atdata_i (atdata_o & at_mask),
    .atbytes_i(atbytes_o),
    .end_i    (end_i),
    .stall_i  (port_stall_i),
    .atready_o(atready_o),
    .valid_o  (port_valid_o),
    .data_o   (port_data_o)
  );

endmodule

`default_nettype wire
