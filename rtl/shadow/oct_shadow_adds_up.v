// SPDX-License-Identifier: Apache-2.0
// oct_shadow_adds_up - whether two numbers have a given sum, without their addition.
//
// Combinational. a + b = sum where a + b + ~sum is -1, that is, all ones. The three numbers become two, the bits that
// are odd and the carries; and two numbers are -1 together if each bit is in just one of them. So no carry goes
// through the word.
//
// WIDTH  bits of each
`default_nettype none

module oct_shadow_adds_up #(
  parameter integer WIDTH = 32
) (
  input  wire [WIDTH-1:0] a_i,
  input  wire [WIDTH-1:0] b_i,
  input  wire [WIDTH-1:0] sum_i,
  output wire             is_o
);

  wire [WIDTH-1:0] rest = ~sum_i;
  wire [WIDTH-1:0] odd = a_i ^ b_i ^ rest;
  wire [WIDTH-1:0] carries = (a_i & b_i) | (a_i & rest) | (b_i & rest);

  assign is_o = &(odd ^ {carries[WIDTH-2:0], 1'b0});

  wire unused = &{1'b0, carries[WIDTH-1]};

endmodule

`default_nettype wire
