// SPDX-License-Identifier: Apache-2.0
// oct_shadow_tables.vh - where the probabilities of a symbol stand in the three memories of oct_shadow_unroll, for
// its body.

  // A symbol has at most three decisions. Each of the three memories has all tables of which a symbol
  // has one entry at most: single, stride, length 4, reference, length 1; length 5, second, length 2,
  // reference 1; aligned, length 3, sign.
  reg  [6:0]  at_0, at_1;
  reg  [5:0]  at_2;
  wire [11:0] p_0, p_1, p_2;

  always @* begin
    case (a_tables)
      T_SINGLE: at_0 = {2'b00, single_index};
      T_STRIDE: at_0 = {2'b01, first_i[ACCESS_STRIDE +: 5]};
      T_LOW:    at_0 = is_stamp ? {4'b1110, told[4:2]} : {2'b10, tree, told[4:2]};
      T_TIME:   at_0 = {5'b00110, was_late};
      T_REF:    at_0 = {4'b1100, first_i[ACCESS_HAS_NEAR], first_i[ACCESS_OLD_REF +: 2]};
      default:  at_0 = is_stamp ? 7'd28 : {5'b11010, tree};
    endcase
    case (a_tables)
      T_LOW:   at_1 = is_stamp ? {3'b110, told[4:1]} : {1'b0, tree, told[4:1]};
      T_HIGH:  at_1 = is_stamp ? {6'b101100, told[4]} : {4'b1001, tree, told[4]};
      T_TIME:  at_1 = 7'd84;
      T_REF:   at_1 = {5'b10100, first_i[ACCESS_OLD_REF +: 2]};
      default: at_1 = {4'b1000, first_i[ACCESS_SECOND +: 3]};
    endcase
    case (a_tables)
      T_LOW:   at_2 = {3'b100, ref_at, told > 5'd6};
      T_HIGH:  at_2 = is_stamp ? {4'b1010, told[4:3]} : {2'b01, tree, told[4:3]};
      T_TIME:  at_2 = {5'b10011, was_less};
      default: at_2 = {2'b00, ref_at, size_log2};
    endcase
  end
