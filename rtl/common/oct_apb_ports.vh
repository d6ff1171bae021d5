// SPDX-License-Identifier: Apache-2.0
// oct_apb_ports.vh - the ports of registers to the debugger's bus, APB, inside a port list.

  input  wire                 psel_i,
  input  wire                 penable_i,
  input  wire                 pwrite_i,
  input  wire [11:0]          paddr_i,
  input  wire [31:0]          pwdata_i,
  output wire [31:0]          prdata_o,
  output wire                 pready_o,
  output wire                 pslverr_o,
