// SPDX-License-Identifier: Apache-2.0
// oct_bus_ports.vh - the ports of a compressor to debugger and trace bus, last in a port list. A compressor without a trace
// port has atclken_i, atready_i and syncreq_i beside them.

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
  output wire [31:0]          atdata_o,
  output wire [1:0]           atbytes_o,
  output wire [6:0]           atid_o,
  output wire                 afready_o
