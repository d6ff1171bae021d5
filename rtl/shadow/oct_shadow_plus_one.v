// SPDX-License-Identifier: Apache-2.0
// oct_shadow_plus_one - a long number and one.
//
// Combinational. A register beside the number says whether its lower half is full, all ones. So no carry goes through
// more than half of the number.
//
// WIDTH  bits of the number, from 4 on
`default_nettype none

module oct_shadow_plus_one #(
  parameter integer WIDTH = 32
) (
  input  wire [WIDTH-1:0] value_i,
  input  wire             is_full_i,  // its lower WIDTH / 2 bits
  output wire [WIDTH-1:0] sum_o,
  output wire             is_full_o   // those of the sum
);

  localparam integer LOW = WIDTH / 2;
  localparam integer HIGH = WIDTH - LOW;

  wire [LOW-1:0]  low = value_i[LOW-1:0];
  wire [HIGH-1:0] high = value_i[WIDTH-1:LOW];

  assign sum_o     = {high + {{(HIGH - 1){1'b0}}, is_full_i}, low + {{(LOW - 1){1'b0}}, 1'b1}};
  assign is_full_o = &low[LOW-1:1] && !low[0];

endmodule

`default_nettype wire
