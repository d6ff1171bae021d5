// SPDX-License-Identifier: Apache-2.0
// oct_shadow_weights - three branch probabilities, mixed by weights that learn. docs/shadow-format.md, section 8;
// oct_code_direction of model/shadow/oct_shadow_step.h.
//
// One direction a cycle. Latency: 4 cycles: stretch; products; sum; squash; a part of oct_shadow_mix, whose cycles 2 to
// 5 these are. The outcome comes with the probabilities. What it teaches the weights takes 2 cycles more and waits until
// the sixth direction behind it has read them. Nothing moves while moves_i is low. clear_i forgets all, the direction
// that comes with it included, for those behind it.
//
// MIX_SETS   sets of weights, a power of two
// MIX_SHIFT  how slowly weights learn
`default_nettype none

module oct_shadow_weights #(
  parameter integer MIX_SETS  = 8,
  parameter integer MIX_SHIFT = 7
) (
  input  wire                                             clk_i,
  input  wire                                             rst_ni,
  input  wire                                             moves_i,
  input  wire                                             clear_i,
  input  wire                                             valid_i,
  input  wire [29:0]                                      p_i,        // by address lowest: sign, how far from its end
  input  wire [(MIX_SETS > 1 ? $clog2(MIX_SETS) : 1)-1:0] set_i,
  input  wire                                             outcome_i,
  output wire [11:0]                                      p_o         // of 4096 for a 1
);

  localparam integer MB = MIX_SETS > 1 ? $clog2(MIX_SETS) : 1;
  localparam integer DELAY = 6;
  localparam [31:0]  START = 819;

  // Cycles have the numbers of oct_shadow_mix.
  reg  [7:3]    valid_q;
  reg           clear_3_q;
  reg           outcome_3_q, outcome_4_q, outcome_5_q, outcome_6_q;
  reg  [MB-1:0] set_3_q;

  // ---- Cycle 2: stretch ----

  // 16 ln((2048 - t) / t) at t = 2^i, and how much less it is at the next i.
  function [11:0] stretch_point(input [3:0] i);
    case (i)
      4'd0: stretch_point = {7'd122, 5'd11};
      4'd1: stretch_point = {7'd111, 5'd11};
      4'd2: stretch_point = {7'd100, 5'd11};
      4'd3: stretch_point = {7'd89, 5'd11};
      4'd4: stretch_point = {7'd78, 5'd12};
      4'd5: stretch_point = {7'd66, 5'd11};
      4'd6: stretch_point = {7'd55, 5'd12};
      4'd7: stretch_point = {7'd43, 5'd12};
      4'd8: stretch_point = {7'd31, 5'd13};
      4'd9: stretch_point = {7'd18, 5'd18};
      default: stretch_point = 12'd0;
    endcase
  endfunction

`include "oct_length.vh"

  // Of sums the high bits are used, of what is shifted the low ones.
  // verilator lint_off UNUSEDSIGNAL
  // Between two points by the three bits below the highest of t = 2 p + 1. The sign, and the amount.
  function [7:0] stretched(input [9:0] p);
    reg [9:0]  t;
    reg [12:0] up;
    reg [6:0]  length;
    reg [3:0]  i;
    reg [6:0]  point;
    reg [4:0]  less;
    reg [9:0]  sum;
    begin
      t = {p[8:0], 1'b1};
      length = length_of({55'd0, p[8:0]});
      i      = length[3:0];
      up  = {t, 3'd0} >> i;
      {point, less} = stretch_point(i);
      sum = {point, 3'd0} - {5'd0, less} * {7'd0, up[2:0]};
      stretched = {!p[9], sum[9:3]};
    end
  endfunction

  // verilator lint_on UNUSEDSIGNAL

  reg  [23:0] stretch_3_q;
  wire [23:0] stretch_7;

  // ---- Cycle 3: products with the weights; they learn from an older direction ----

  // Weights stand in two memories with the same content, as two sets are read; what is read next is known
  // a cycle before. A lesson is written long before it is read.
  // A lesson is a stretch of 7 bits by an error of 10, less what is cut off.
  localparam integer LESSON = 17 - MIX_SHIFT;
  localparam integer SUM_BITS = (LESSON > 13 ? LESSON : 13) + 1;

  reg  [MIX_SETS-1:0] is_taught_q;
  reg  [DELAY-1:0]    has_lesson_q;
  reg  [MB-1:0]       lesson_set_q [0:DELAY-1];
  reg  [2:0]          slot_q;
  reg  [MB-1:0]       old_set_q;
  wire [2:0]          slot_7;
  wire [MB-1:0]       set_7;
  reg                 is_taught_3_q, is_old_taught_q;
  wire [2:0]          slot_d = clear_3_q ? 3'd0 : !valid_q[3] ? slot_q : slot_q == 3'd5 ? 3'd0 : slot_q + 3'd1;
  wire [MB-1:0]       old_set_d = lesson_set_q[slot_d];
  wire [38:0]         stored, old_stored;
  reg  [38:0]         taught_q;  // what was written while they were read, if to the same place
  reg                 is_fresh_3_q, is_old_fresh_q;
  wire [38:0]         weights = !is_taught_3_q ? {3{START[12:0]}} : is_fresh_3_q ? taught_q : stored;
  wire [38:0]         old_weights = !is_old_taught_q ? {3{START[12:0]}} : is_old_fresh_q ? taught_q : old_stored;
  wire [3*LESSON+2:0] lesson, old_lesson;  // by which each weight moves, and 1 more
  wire                teaches = moves_i && valid_q[3] && has_lesson_q[slot_q];
  wire [38:0]         taught;
  reg  [47:0]         product_4_q;

  // The memories have 1 kbit at least, but for few sets: compilers make no smaller ones.
  localparam integer PLACES = MIX_SETS < 32 && MIX_SETS > 4 ? 32 : MIX_SETS, LESSONS = 32;
  localparam integer PLACE_BITS = PLACES > 1 ? $clog2(PLACES) : 1;
  wire [PLACE_BITS:0] place = {{(PLACE_BITS + 1 - MB){1'b0}}, set_i};
  wire [PLACE_BITS:0] old_place_d = {{(PLACE_BITS + 1 - MB){1'b0}}, old_set_d};
  wire [PLACE_BITS:0] old_place_q = {{(PLACE_BITS + 1 - MB){1'b0}}, old_set_q};
  wire                unused_places = &{1'b0, place, old_place_d, old_place_q};

  oct_ram #(
    .WIDTH(39),
    .DEPTH(PLACES)
  ) u_weights (
    .clk_i  (clk_i),
    .we_i   (teaches),
    .waddr_i(old_place_q[PLACE_BITS-1:0]),
    .wdata_i(taught),
    .re_i   (moves_i),
    .raddr_i(place[PLACE_BITS-1:0]),
    .rdata_o(stored)
  );

  oct_ram #(
    .WIDTH(39),
    .DEPTH(PLACES)
  ) u_old_weights (
    .clk_i  (clk_i),
    .we_i   (teaches),
    .waddr_i(old_place_q[PLACE_BITS-1:0]),
    .wdata_i(taught),
    .re_i   (moves_i),
    .raddr_i(old_place_d[PLACE_BITS-1:0]),
    .rdata_o(old_stored)
  );

  oct_ram #(
    .WIDTH(3 * LESSON + 3),
    .DEPTH(LESSONS)
  ) u_lesson (
    .clk_i  (clk_i),
    .we_i   (moves_i && valid_q[7]),
    .waddr_i({2'd0, slot_7}),
    .wdata_i(lesson),
    .re_i   (moves_i),
    .raddr_i({2'd0, slot_d}),
    .rdata_o(old_lesson)
  );

  oct_shadow_delay #(
    .WIDTH (27 + MB),
    .CYCLES(4)
  ) u_delay (
    .clk_i  (clk_i),
    .moves_i(moves_i),
    .data_i ({stretch_3_q, slot_q, set_3_q}),
    .data_o ({stretch_7, slot_7, set_7})
  );

  genvar g;
  generate
    for (g = 0; g < 3; g = g + 1) begin : gen_weight
      wire [LESSON-1:0]  by = old_lesson[LESSON*g +: LESSON];
      wire [12:0]        old = old_weights[13*g +: 13];
      wire [SUM_BITS:0]  moved = {{(SUM_BITS - 13){old[12]}}, old, 1'b1} +
                                 {{(SUM_BITS - LESSON){by[LESSON-1]}}, by, old_lesson[3*LESSON+g]};
      wire [SUM_BITS-1:0] sum = moved[SUM_BITS:1];
      wire               is_below = sum[SUM_BITS-1], is_far = sum[SUM_BITS-1:12] != {(SUM_BITS - 12){is_below}};
      // At most 4095 up or down.
      assign taught[13*g +: 13] = is_far ? {is_below, {11{!is_below}}, 1'b1} :
                                  {is_below, sum[11:1], sum[0] || (is_below && sum[11:1] == 11'd0)};

      // The amount alone is multiplied: a sign counts with the sum. The weight's sign bit is worth -128.
      wire [7:0]         high = weights[13*g+5 +: 8];
      wire [7:0]         st = stretch_3_q[8*g +: 8];
      wire [14:0]        product = {8'd0, high[6:0]} * {8'd0, st[6:0]} - {1'b0, st[6:0] & {7{high[7]}}, 7'd0};
      wire               unused_bit = moved[0];
      always @(posedge clk_i) if (moves_i) product_4_q[16*g +: 16] <= {st[7], product};
    end
  endgenerate

  // ---- Cycle 4: sum, cut to -127..127 ----

  wire [17:0] product_0 = {{3{product_4_q[14]}}, product_4_q[14:0]} ^ {18{product_4_q[15]}};
  wire [17:0] product_1 = {{3{product_4_q[30]}}, product_4_q[30:16]} ^ {18{product_4_q[31]}};
  wire [17:0] product_2 = {{3{product_4_q[46]}}, product_4_q[46:32]} ^ {18{product_4_q[47]}};
  wire [17:0] sum_4 = product_0 + product_1 + product_2 + {17'd0, product_4_q[15]} + {17'd0, product_4_q[31]} +
                      {17'd0, product_4_q[47]};
  wire signed [11:0] x_4 = sum_4[17:6];
  reg  signed [7:0]  x_5_q;

  // ---- Cycle 5: squash ----

  // 4096 / (1 + e^(x / 16)) at x = 8 i, and how much less it is at the next i.
  function [19:0] squash_point(input [3:0] i);
    case (i)
      4'd0: squash_point = {11'd2047, 9'd501};
      4'd1: squash_point = {11'd1546, 9'd444};
      4'd2: squash_point = {11'd1102, 9'd355};
      4'd3: squash_point = {11'd747, 9'd259};
      4'd4: squash_point = {11'd488, 9'd177};
      4'd5: squash_point = {11'd311, 9'd117};
      4'd6: squash_point = {11'd194, 9'd74};
      4'd7: squash_point = {11'd120, 9'd46};
      4'd8: squash_point = {11'd74, 9'd29};
      4'd9: squash_point = {11'd45, 9'd18};
      4'd10: squash_point = {11'd27, 9'd10};
      4'd11: squash_point = {11'd17, 9'd7};
      4'd12: squash_point = {11'd10, 9'd4};
      4'd13: squash_point = {11'd6, 9'd2};
      4'd14: squash_point = {11'd4, 9'd2};
      default: squash_point = {11'd2, 9'd1};
    endcase
  endfunction

  // Of a negative x, ~x is at hand, which is one less than its amount.
  wire [6:0]  x_amount = x_5_q[6:0] ^ {7{x_5_q[7]}};
  wire [3:0]  behind = {1'b0, x_amount[2:0]} + {3'd0, x_5_q[7]};
  wire [10:0] y_point;
  wire [8:0]  y_less;
  wire [13:0] y_8 = {y_point, 3'd0} - {5'd0, y_less} * {10'd0, behind};
  wire [11:0] y = {1'b0, y_8[13:3]};
  reg  [11:0] p_6_q;

  assign {y_point, y_less} = squash_point(x_amount[6:3]);

  assign p_o = p_6_q;

  // ---- Cycles 6 and 7: what it teaches ----

  wire [12:0]        error_13 = {outcome_6_q, 12'd0} - {1'b0, p_6_q};
  reg  [9:0]         error_7_q;

  generate
    for (g = 0; g < 3; g = g + 1) begin : gen_lesson
      // As above; what a sign leaves below the cut counts 1 if it is 0.
      wire [7:0]  st = stretch_7[8*g +: 8];
      wire [16:0] product = {10'd0, st[6:0]} * {8'd0, error_7_q[8:0]} - {1'b0, st[6:0] & {7{error_7_q[9]}}, 9'd0};
      wire [16:0] cut = product & ~({17{1'b1}} << MIX_SHIFT);
      assign lesson[LESSON*g +: LESSON] = product[16:MIX_SHIFT] ^ {LESSON{st[7]}};
      assign lesson[3*LESSON+g] = st[7] && cut == 17'd0;
    end
  endgenerate

  // ---- Registers ----

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q      <= 5'd0;
      clear_3_q    <= 1'b0;
      is_taught_q  <= {MIX_SETS{1'b0}};
      has_lesson_q <= {DELAY{1'b0}};
      slot_q       <= 3'd0;
    end else if (moves_i) begin
      valid_q   <= {valid_q[6:3], valid_i};
      clear_3_q <= clear_i;
      slot_q    <= slot_d;
      if (clear_3_q) begin
        valid_q[7:4]  <= 4'd0;
        is_taught_q   <= {MIX_SETS{1'b0}};
        has_lesson_q  <= {DELAY{1'b0}};
      end else begin
        if (teaches) is_taught_q[old_set_q] <= 1'b1;
        if (valid_q[7]) has_lesson_q[slot_7] <= 1'b1;
      end
    end
  end

  always @(posedge clk_i) begin
    if (moves_i) begin
      outcome_3_q <= outcome_i;
      outcome_4_q <= outcome_3_q;
      outcome_5_q <= outcome_4_q;
      outcome_6_q <= outcome_5_q;
      set_3_q     <= set_i;
      stretch_3_q <= {stretched(p_i[29:20]), stretched(p_i[19:10]), stretched(p_i[9:0])};
      x_5_q       <= x_4 > 12'sd127 ? 8'sd127 : x_4 < -12'sd127 ? -8'sd127 : x_4[7:0];
      p_6_q       <= x_5_q[7] ? y : 12'd4095 - y;
      error_7_q   <= {error_13[12], error_13[12:4]};
      if (valid_q[7]) lesson_set_q[slot_7] <= set_7;
      old_set_q       <= old_set_d;
      taught_q        <= taught;
      is_fresh_3_q    <= teaches && old_set_q == set_i;
      is_old_fresh_q  <= teaches && old_set_q == old_set_d;
      is_taught_3_q   <= !clear_3_q && (is_taught_q[set_i] || (teaches && old_set_q == set_i));
      is_old_taught_q <= !clear_3_q && (is_taught_q[old_set_d] || (teaches && old_set_q == old_set_d));
    end
  end

  wire unused = &{1'b0, weights, sum_4[5:0], y_8[2:0], error_13[3:0]};

endmodule

`default_nettype wire
