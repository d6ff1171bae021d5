// SPDX-License-Identifier: Apache-2.0
// oct_shadow_mix - the probability of a direction: three branch probabilities, by address and by two
// lengths of history, mixed by weights or the surest. docs/shadow-format.md, section 8; oct_code_direction of
// model/shadow/oct_shadow_step.h.
//
// One direction a cycle. Latency: 6 cycles: tables; learning; 4 of oct_shadow_weights or oct_shadow_surest. The
// outcome comes with the direction. Nothing moves while moves_i is low. clear_i forgets
// all, the direction that comes with it included, for those behind it.
//
// ADDR_BITS      bits of an address
// PC_ALIGN_BITS  instruction addresses are multiples of 2^this
// PC_ENTRIES     branch probabilities by address, a power of two from 2 on
// SHORT_ENTRIES  ... with the last SHORT_BITS outcomes
// LONG_ENTRIES   ... with the last LONG_BITS outcomes
// MIX_SETS       sets of weights, a power of two, or 0: the surest counts
// MIX_SHIFT      how slowly weights learn
// BRANCH_LIMIT   how slowly probabilities learn after three uses
`default_nettype none

module oct_shadow_mix #(
  parameter integer ADDR_BITS     = 32,
  parameter integer PC_ALIGN_BITS = 2,
  parameter integer PC_ENTRIES    = 128,
  parameter integer SHORT_ENTRIES = 512,
  parameter integer SHORT_BITS    = 6,
  parameter integer LONG_ENTRIES  = 512,
  parameter integer LONG_BITS     = 16,
  parameter integer MIX_SETS      = 8,
  parameter integer MIX_SHIFT     = 7,
  parameter integer BRANCH_LIMIT  = 4
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 moves_i,
  input  wire                 clear_i,
  input  wire                 valid_i,
  input  wire [ADDR_BITS-1:0] pc_i,
  input  wire [63:0]          history_i,
  input  wire                 outcome_i,
  output wire [11:0]          p_o         // of 4096 for a 1, 6 cycles later
);

  localparam integer PB = $clog2(PC_ENTRIES);
  localparam integer SB = $clog2(SHORT_ENTRIES);
  localparam integer LB = $clog2(LONG_ENTRIES);
  localparam integer MB = MIX_SETS > 1 ? $clog2(MIX_SETS) : 1;
  localparam [31:0]  LAST_SET = MIX_SETS - 1;

  // ---- Cycle 0: the places ----

  // The last n_bits outcomes in `bits` bits.
  function [63:0] folded(input [63:0] history, input integer n_bits, input integer bits);
    integer i;
    reg [63:0] h, f;
    begin
      f = 64'd0;
      h = n_bits >= 64 ? history : history & ~({64{1'b1}} << n_bits);
      for (i = 0; i < 64; i = i + 1) begin
        f = h != 64'd0 ? (f << 1 | f >> (bits - 1)) ^ h : f;
        h = h >> bits;
      end
      folded = f;
    end
  endfunction

  wire [63:0]   w = {{(64 - ADDR_BITS){1'b0}}, pc_i} >> PC_ALIGN_BITS;
  wire [63:0]   by_pc = w ^ w >> PB;
  wire [63:0]   by_short = w ^ w >> 5 ^ folded(history_i, SHORT_BITS, SB);
  wire [63:0]   by_long = w ^ w >> 7 ^ folded(history_i, LONG_BITS, LB);
  wire [63:0]   by_set = w ^ w >> 4;
  wire [MB-1:0] set = by_set[MB-1:0] & LAST_SET[MB-1:0];

  // ---- On the way ----

  reg           valid_1_q, valid_2_q, clear_1_q, clear_2_q, outcome_1_q, outcome_2_q;
  reg [MB-1:0]  set_1_q, set_2_q;
  wire          reads = moves_i && valid_i, learns = moves_i && valid_1_q;

  // ---- Cycle 1: probabilities, which learn ----

  wire [35:0]   p_now;
  reg  [29:0]   p_2_q;  // sign, and what is above half as far below it

  function [9:0] mirrored(input [9:0] p);
    mirrored = {p[9], p[8:0] ^ {9{p[9]}}};
  endfunction

  oct_shadow_prob #(
    .IS_BRANCH(1),
    .LIMIT    (BRANCH_LIMIT),
    .ENTRIES  (PC_ENTRIES)
  ) u_pc (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .clear_i(moves_i && clear_1_q),
    .read_i (reads),
    .index_i(by_pc[PB-1:0]),
    .p_o    (p_now[11:0]),
    .learn_i(learns),
    .bit_i  (outcome_1_q)
  );

  oct_shadow_prob #(
    .IS_BRANCH(1),
    .LIMIT    (BRANCH_LIMIT),
    .ENTRIES  (SHORT_ENTRIES)
  ) u_short (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .clear_i(moves_i && clear_1_q),
    .read_i (reads),
    .index_i(by_short[SB-1:0]),
    .p_o    (p_now[23:12]),
    .learn_i(learns),
    .bit_i  (outcome_1_q)
  );

  oct_shadow_prob #(
    .IS_BRANCH(1),
    .LIMIT    (BRANCH_LIMIT),
    .ENTRIES  (LONG_ENTRIES)
  ) u_long (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .clear_i(moves_i && clear_1_q),
    .read_i (reads),
    .index_i(by_long[LB-1:0]),
    .p_o    (p_now[35:24]),
    .learn_i(learns),
    .bit_i  (outcome_1_q)
  );

  // ---- Cycles 2 to 5: how they count ----

  generate
    if (MIX_SETS == 0) begin : gen_surest
      oct_shadow_surest u_surest (
        .clk_i  (clk_i),
        .moves_i(moves_i),
        .p_i    (p_2_q),
        .p_o    (p_o)
      );
      wire unused_too = &{1'b0, valid_2_q, clear_2_q, outcome_2_q, set_2_q};
    end else begin : gen_weights
      oct_shadow_weights #(
        .MIX_SETS (MIX_SETS),
        .MIX_SHIFT(MIX_SHIFT)
      ) u_weights (
        .clk_i    (clk_i),
        .rst_ni   (rst_ni),
        .moves_i  (moves_i),
        .clear_i  (clear_2_q),
        .valid_i  (valid_2_q),
        .p_i      (p_2_q),
        .set_i    (set_2_q),
        .outcome_i(outcome_2_q),
        .p_o      (p_o)
      );
    end
  endgenerate

  // ---- Registers ----

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_1_q    <= 1'b0;
      valid_2_q    <= 1'b0;
      clear_1_q    <= 1'b0;
      clear_2_q    <= 1'b0;
    end else if (moves_i) begin
      valid_1_q <= valid_i;
      valid_2_q <= valid_1_q;
      clear_1_q <= clear_i;
      clear_2_q <= clear_1_q;
    end
  end

  always @(posedge clk_i) begin
    if (moves_i) begin
      outcome_1_q <= outcome_i;
      outcome_2_q <= outcome_1_q;
      set_1_q     <= set;
      set_2_q     <= set_1_q;
      p_2_q       <= {mirrored(p_now[33:24]), mirrored(p_now[21:12]), mirrored(p_now[9:0])};
    end
  end

  wire unused = &{1'b0, p_now, by_pc, by_short, by_long, by_set};

endmodule

`default_nettype wire
