// SPDX-License-Identifier: Apache-2.0
// oct_shadow_surest - of three branch probabilities the one that is farthest from one half, less sure if not all are on
// its side. docs/shadow-format.md, section 8; oct_mix_surest of model/shadow/oct_shadow_step.h.
//
// One direction a cycle. Latency: 4 cycles, those of oct_shadow_weights, which stands in its place. Nothing moves while
// moves_i is low.
`default_nettype none

module oct_shadow_surest (
  input  wire        clk_i,
  input  wire        moves_i,
  input  wire [29:0] p_i,  // by address lowest, short, long history: sign, how far from its end
  output wire [11:0] p_o   // of 4096 for a 1
);

  // Nearest to its end; of those as near the first of short, long, address.
  wire [8:0]  of_address = p_i[8:0], of_short = p_i[18:10], of_long = p_i[28:20];
  wire        is_long = of_long < of_short;
  wire [9:0]  of_history = is_long ? p_i[29:20] : p_i[19:10];
  wire [9:0]  surest = of_address < of_history[8:0] ? p_i[9:0] : of_history;
  wire        is_mixed = p_i[9] != p_i[19] || p_i[9] != p_i[29];
  reg  [9:0]  surest_3_q;
  reg         is_mixed_3_q;
  // How far from one half: 4 times, or 3, and 2.
  wire [11:0] from_half = {3'd0, ~surest_3_q[8:0]};
  wire [11:0] far = {from_half[10:0], 1'b0} + (is_mixed_3_q ? from_half : {from_half[10:0], 1'b0}) + 12'd2;
  reg  [11:0] p_4_q;

  always @(posedge clk_i) begin
    if (moves_i) begin
      {surest_3_q, is_mixed_3_q} <= {surest, is_mixed};
      p_4_q <= surest_3_q[9] ? 12'd2048 + far : 12'd2048 - far;
    end
  end

  oct_shadow_delay #(
    .WIDTH (12),
    .CYCLES(2)
  ) u_delay (
    .clk_i  (clk_i),
    .moves_i(moves_i),
    .data_i (p_4_q),
    .data_o (p_o)
  );

endmodule

`default_nettype wire
