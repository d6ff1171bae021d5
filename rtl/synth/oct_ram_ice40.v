// SPDX-License-Identifier: Apache-2.0
// oct_ram_ice40 - the memory macro of oct_ram on an iCE40: block RAM where that pays.
//
// The FPGA has few blocks: 32 of 16 bits by 256 words in an HX8K. A memory gets blocks if each of
// them holds LEAST_BITS at least. What becomes of the others is left to Yosys.
// A block tells nothing certain of a word that is read in the cycle in which it is written. The users
// of all memories so large look at none (they have a bypass, or know that the words differ).
//
// scripts/hw synth defines OCT_RAM_MACRO, so that oct_ram takes this.
`default_nettype none

module oct_ram_macro #(
  parameter integer WIDTH      = 8,
  parameter integer DEPTH      = 16,
  parameter integer LEAST_BITS = 240
) (
  input  wire                                       clk_i,
  input  wire                                       we_i,
  input  wire [(DEPTH > 1 ? $clog2(DEPTH) : 1)-1:0] waddr_i,
  input  wire [WIDTH-1:0]                           wdata_i,
  input  wire                                       re_i,
  input  wire [(DEPTH > 1 ? $clog2(DEPTH) : 1)-1:0] raddr_i,
  output wire [WIDTH-1:0]                           rdata_o
);

  localparam integer BLOCKS = ((WIDTH + 15) / 16) * ((DEPTH + 255) / 256);

  reg [WIDTH-1:0] rdata_q;

  assign rdata_o = rdata_q;

  generate
    if (WIDTH * DEPTH >= LEAST_BITS * BLOCKS) begin : gen_block
      (* ram_style = "block" *) reg [WIDTH-1:0] mem_q [0:DEPTH-1];
      always @(posedge clk_i) begin
        if (we_i) mem_q[waddr_i] <= wdata_i;
        if (re_i) rdata_q <= we_i && waddr_i == raddr_i ? {WIDTH{1'bx}} : mem_q[raddr_i];
      end
    end else begin : gen_registers
      reg [WIDTH-1:0] mem_q [0:DEPTH-1];
      always @(posedge clk_i) begin
        if (we_i) mem_q[waddr_i] <= wdata_i;
        if (re_i) rdata_q <= mem_q[raddr_i];
      end
    end
  endgenerate

endmodule

`default_nettype wire
