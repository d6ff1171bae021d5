// SPDX-License-Identifier: Apache-2.0
// oct_bus_side.vh - the ports of a compressor that have nothing to do with a core, last in a port list.

  // the debugger
  input  wire                       psel_i,
  input  wire                       penable_i,
  input  wire                       pwrite_i,
  input  wire [11:0]                paddr_i,
  input  wire [31:0]                pwdata_i,
  output wire [31:0]                prdata_o,
  output wire                       pready_o,
  output wire                       pslverr_o,
  input  wire [1:0]                 trigger_i,  // of the core, or of the adapter's port
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
