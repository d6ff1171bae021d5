// SPDX-License-Identifier: Apache-2.0
// oct_bus_ports.vh - the ports of a compressor to debugger and trace bus, last in a port list. A compressor without a trace
// port has atclken_i, atready_i and syncreq_i beside them.

`include "oct_apb_ports.vh"
  // the trace bus
  input  wire                 afvalid_i,
  output wire                 atvalid_o,
  output wire [31:0]          atdata_o,
  output wire [1:0]           atbytes_o,
  output wire [6:0]           atid_o,
  output wire                 afready_o
