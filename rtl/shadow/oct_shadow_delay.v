// SPDX-License-Identifier: Apache-2.0
// oct_shadow_delay - what came some cycles ago: a line of CYCLES words, as a memory.
//
// The words stand in a ring. Each cycle reads the oldest word and writes the new one in its place, so
// there is one address. Nothing moves while moves_i is low. There is no reset: the first CYCLES words that
// come out are unknown, and a valid bit beside tells so.
//
// WIDTH   bits of a word
// CYCLES  from data_i to data_o, from 3 on
`default_nettype none

module oct_shadow_delay #(
  parameter integer WIDTH  = 8,
  parameter integer CYCLES = 8
) (
  input  wire             clk_i,
  input  wire             rst_ni,
  input  wire             moves_i,
  input  wire [WIDTH-1:0] data_i,
  output wire [WIDTH-1:0] data_o
);

  localparam integer PLACES = CYCLES - 1;  // one word is on the memory's output
  localparam integer AT_BITS = $clog2(PLACES);
  localparam [31:0]  LAST_32 = PLACES - 1;

  reg [AT_BITS-1:0] at_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) at_q <= {AT_BITS{1'b0}};
    else if (moves_i) at_q <= at_q == LAST_32[AT_BITS-1:0] ? {AT_BITS{1'b0}} : at_q + 1'b1;
  end

  oct_ram #(
    .WIDTH(WIDTH),
    .DEPTH(PLACES)
  ) u_words (
    .clk_i  (clk_i),
    .we_i   (moves_i),
    .waddr_i(at_q),
    .wdata_i(data_i),
    .re_i   (moves_i),
    .raddr_i(at_q),
    .rdata_o(data_o)
  );

endmodule

`default_nettype wire
