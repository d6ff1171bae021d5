// SPDX-License-Identifier: Apache-2.0
// oct_ram_macro - stand-in for cell synthesis: a memory macro's ports, registered, without its cells.
//
// scripts/hw synth defines OCT_RAM_MACRO, so that oct_ram takes this; it counts the memory's bits apart
// and leaves out its area. The output register stands for the access time of a macro, the input
// registers for the setup; with OCT_RAM_WRITE_FIRST also of one that writes first.
`default_nettype none

(* keep_hierarchy *)
module oct_ram_macro #(
`ifdef OCT_RAM_WRITE_FIRST
  parameter  integer WRITE_FIRST = 0,
`endif
  parameter  integer WIDTH     = 8,
  parameter  integer DEPTH     = 16,
  localparam integer ADDR_BITS = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
  input  wire                 clk_i,
  input  wire                 we_i,
  input  wire [ADDR_BITS-1:0] waddr_i,
  input  wire [WIDTH-1:0]     wdata_i,
  input  wire                 re_i,
  input  wire [ADDR_BITS-1:0] raddr_i,
  output wire [WIDTH-1:0]     rdata_o
);

  (* keep *) reg [WIDTH-1:0]       wdata_q, rdata_q;
  (* keep *) reg [2*ADDR_BITS+1:0] control_q;

  assign rdata_o = rdata_q;

  always @(posedge clk_i) begin
    control_q <= {we_i, waddr_i, re_i, raddr_i};
    wdata_q   <= wdata_i;
    rdata_q   <= wdata_q;
  end

endmodule

`default_nettype wire
