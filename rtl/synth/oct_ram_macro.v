// SPDX-License-Identifier: Apache-2.0
// oct_ram_macro - stand-in for cell synthesis: a memory macro's ports, registered, without its cells.
//
// scripts/hw synth defines OCT_RAM_MACRO, so that oct_ram takes this; it counts the memory's bits apart
// and leaves out its area. The output register stands for the access time of a macro, the input
// registers for the setup; with OCT_RAM_WRITE_FIRST also of one that writes first. No memory compiler makes
// memories of a few bits: those of fewer than OCT_RAM_LEAST_BITS, where that is defined, are flip-flops.
`default_nettype none
`ifndef OCT_RAM_LEAST_BITS
`define OCT_RAM_LEAST_BITS 0
`endif

module oct_ram_macro #(
`ifdef OCT_RAM_WRITE_FIRST
  parameter integer WRITE_FIRST = 0,
`endif
  parameter integer WIDTH = 8,
  parameter integer DEPTH = 16
) (
  input  wire                                       clk_i,
  input  wire                                       we_i,
  input  wire [(DEPTH > 1 ? $clog2(DEPTH) : 1)-1:0] waddr_i,
  input  wire [WIDTH-1:0]                           wdata_i,
  input  wire                                       re_i,
  input  wire [(DEPTH > 1 ? $clog2(DEPTH) : 1)-1:0] raddr_i,
  output wire [WIDTH-1:0]                           rdata_o
);

  localparam integer ADDR_BITS = DEPTH > 1 ? $clog2(DEPTH) : 1;
`ifndef OCT_RAM_WRITE_FIRST
  localparam integer WRITE_FIRST = 0;
`endif

  generate
    if (WIDTH * DEPTH < `OCT_RAM_LEAST_BITS) begin : gen_registers
      reg [WIDTH-1:0] mem_q [0:DEPTH-1];
      reg [WIDTH-1:0] rdata_q;

      always @(posedge clk_i) begin
        if (we_i) mem_q[waddr_i] <= wdata_i;
        if (re_i) rdata_q <= WRITE_FIRST != 0 && we_i && waddr_i == raddr_i ? wdata_i : mem_q[raddr_i];
      end

      assign rdata_o = rdata_q;
    end else begin : gen_cells
      oct_ram_macro_cells #(
        .WIDTH    (WIDTH),
        .ADDR_BITS(ADDR_BITS)
      ) u_cells (
        .clk_i    (clk_i),
        .control_i({we_i, waddr_i, re_i, raddr_i}),
        .wdata_i  (wdata_i),
        .rdata_o  (rdata_o)
      );
    end
  endgenerate

endmodule

(* keep_hierarchy *)
module oct_ram_macro_cells #(
  parameter integer WIDTH     = 8,
  parameter integer ADDR_BITS = 4
) (
  input  wire                     clk_i,
  input  wire [2*ADDR_BITS+1:0]   control_i,
  input  wire [WIDTH-1:0]         wdata_i,
  output wire [WIDTH-1:0]         rdata_o
);

  (* keep *) reg [WIDTH-1:0]       wdata_q, rdata_q;
  (* keep *) reg [2*ADDR_BITS+1:0] control_q;

  assign rdata_o = rdata_q;

  always @(posedge clk_i) begin
    control_q <= control_i;
    wdata_q   <= wdata_i;
    rdata_q   <= wdata_q;
  end

endmodule

`default_nettype wire
