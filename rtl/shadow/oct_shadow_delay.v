// SPDX-License-Identifier: Apache-2.0
// oct_shadow_delay - what came some cycles ago: a line of CYCLES words, in registers, as so few bits are no memory.
//
// Nothing moves while moves_i is low. There is no reset: the first CYCLES words that come out are unknown, and a valid
// bit beside tells so.
//
// WIDTH   bits of a word
// CYCLES  from data_i to data_o, from 2 on
`default_nettype none

module oct_shadow_delay #(
  parameter integer WIDTH  = 8,
  parameter integer CYCLES = 8
) (
  input  wire             clk_i,
  input  wire             moves_i,
  input  wire [WIDTH-1:0] data_i,
  output wire [WIDTH-1:0] data_o
);

  reg [WIDTH*CYCLES-1:0] words_q;  // the newest lowest

  always @(posedge clk_i) if (moves_i) words_q <= {words_q[WIDTH*(CYCLES-1)-1:0], data_i};

  assign data_o = words_q[WIDTH*(CYCLES-1) +: WIDTH];

endmodule

`default_nettype wire
