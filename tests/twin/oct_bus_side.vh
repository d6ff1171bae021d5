// SPDX-License-Identifier: Apache-2.0
// oct_bus_side.vh - the ports of a compressor that have nothing to do with a core, last in a port list.

  input  wire [1:0]           trigger_i,  // of the core, or of the adapter's port
  input  wire                 atclken_i,
  input  wire                 atready_i,
  input  wire                 syncreq_i,
`include "oct_bus_ports.vh"
