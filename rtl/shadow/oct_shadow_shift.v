// SPDX-License-Identifier: Apache-2.0
// oct_shadow_shift - an operand, shifted or rotated. docs/trace-format.md, effect; oct_shadow_shifted of
// model/shadow/.
//
// Combinational. A shift is a rotation to the right, of which some bits are kept. Which ones follows from the amount
// alone, so the two are found at the same time. The others are zeros, or the sign. The two parts come apart, for what
// has more to bring in.
//
// WIDTH  bits of the operand: 32 or 64
`default_nettype none

module oct_shadow_shift #(
  parameter integer WIDTH = 32
) (
  input  wire [WIDTH-1:0] value_i,
  input  wire             is_word_i,  // its lowest 32 bits
  input  wire [1:0]       kind_i,     // to the left, right, right with the sign; a rotation, of 32 bits
  input  wire [5:0]       by_i,       // bits
  input  wire [5:0]       right_i,    // the same, or to the left its negative
  output wire [WIDTH-1:0] inside_o,   // what is kept, with zeros beside
  output wire [WIDTH-1:0] outside_o   // what comes in, with zeros beside
);

  localparam integer W = WIDTH;
  localparam integer AMOUNT_BITS = $clog2(W);

  wire           is_left = kind_i == 2'd0, is_arithmetic = kind_i == 2'd2, is_rotation = kind_i == 2'd3;
  wire [2*W-1:0] turned = {value_i, value_i} >> right_i[AMOUNT_BITS-1:0];
  wire [W-1:0]   below = ~({W{1'b1}} << by_i[AMOUNT_BITS-1:0]);  // the lowest bits, as many as it shifts
  wire [W-1:0]   kept, above;
  wire           fill = is_arithmetic && (is_word_i ? value_i[31] : value_i[W-1]);

  generate
    genvar g;
    for (g = 0; g < W; g = g + 1) begin : gen_above
      // Shifted to the right, a word ends at its own bit 31.
      if (g < 32) assign above[g] = is_word_i ? !below[31-g] : !below[W-1-g];
      else assign above[g] = !is_word_i && !below[W-1-g];
    end
    if (W == 32) begin : gen_32
      // An amount of 32 and more is of a short instruction that RV32 does not have.
      assign kept = {32{!by_i[5]}} & (is_rotation ? {32{1'b1}} : is_left ? ~below : above);
    end else begin : gen_64
      assign kept = is_left ? ~below : above;
    end
  endgenerate

  assign inside_o  = turned[W-1:0] & kept;
  assign outside_o = {W{fill}} & ~kept;

  wire unused = &{1'b0, turned[2*W-1:W], by_i, right_i, is_rotation};

endmodule

`default_nettype wire
