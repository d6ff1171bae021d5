// SPDX-License-Identifier: Apache-2.0
// oct_shadow_symbol - from the decisions of a symbol to the part of the interval that it keeps.
// docs/shadow-format.md, section 4; model/shadow/oct_shadow_encode.h, oct_shadow_coder.h.
//
// A symbol has n_i decisions (1 to 3) out of room_i (n_i to 3) in its brackets; with room_i 1 the less
// likely outcome is at the top, and the other one has the rest. Each decision has a probability of a
// 1 and an outcome, the first in the low bits. Escapes, raw bits and ends go through in their order.
// The output is the input of oct_shadow_coder.
//
// Latency: 5 cycles. The first decision needs no product: its part is its probability. The second and
// the third have two cycles each: a product, and the parts after it. Back-pressure: valid/ready,
// output stable while stalled, one symbol a cycle. No parameters.
`default_nettype none

module oct_shadow_symbol (
  input  wire        clk_i,
  input  wire        rst_ni,
  input  wire        valid_i,
  input  wire [1:0]  kind_i,      // 0 symbol, 1 escape, 2 raw bits, 3 end
  input  wire [1:0]  n_i,
  input  wire [1:0]  room_i,
  input  wire [35:0] p_i,         // of 4096, 4 to 4091 each; 1 to 4094 with room_i 1
  input  wire [2:0]  outcome_i,
  input  wire [7:0]  value_i,     // of raw bits
  input  wire [3:0]  count_i,     // 1 to 8
  output wire        ready_o,
  output wire        out_valid_o,
  input  wire        out_ready_i,
  output wire [1:0]  out_kind_o,  // as oct_shadow_coder has it
  output wire [11:0] out_width_o,
  output wire [12:0] out_end_o
);

  localparam [1:0] SYMBOL = 2'd0, ESCAPE = 2'd1, RAW = 2'd2, END = 2'd3, PART = 2'd0, REST = 2'd1;

  wire        moves = out_ready_i || !out_valid_o;
  reg  [4:0]  valid_q;

  // ---- First decision ----

  // A plain symbol's probability is that of the less likely outcome. The other one has all below: its
  // end is then of no use.
  wire        is_plain = room_i == 2'd1;
  wire        is_swapped = is_plain && p_i[11];
  wire [11:0] first_part = is_swapped ? ~p_i[11:0] : p_i[11:0];
  wire        first_outcome = outcome_i[0] ^ is_swapped;
  wire [12:0] first_cut = {1'b0, first_part} + 13'd1;
  // Raw bits are one of 2^count_i equal parts.
  wire [3:0]  raw_shift = 4'd12 - count_i;
  wire [11:0] raw_begin = {4'd0, ~value_i} << raw_shift;

  // A word on its way: begin (behind the last decision the end), width, kind, decisions left, their probabilities
  // and outcomes, and what is kept for the outcomes.
  localparam integer PARTS_BITS = 13 + 13 + 2, WORD_BITS = PARTS_BITS + 2 + 16 + 2 + 2;
  reg  [12:0] begin_q, width_q;
  reg  [1:0]  kind_q, n_q, room_q, outcome_q;
  reg  [15:0] p_q;
  wire [WORD_BITS-1:0] words [0:2];

  always @(posedge clk_i) begin
    if (moves) begin
      begin_q   <= kind_i == ESCAPE ? 13'd0 : kind_i == RAW ? {1'b0, raw_begin} :
                   first_outcome || is_plain ? 13'd1 : first_cut;
      width_q   <= kind_i == ESCAPE ? 13'd1 : kind_i == RAW ? 13'd1 << raw_shift :
                   {1'b0, first_outcome ? first_part : ~first_part};
      kind_q    <= kind_i == END ? END : kind_i == SYMBOL && is_plain && !first_outcome ? REST : PART;
      n_q       <= kind_i == SYMBOL ? n_i - 2'd1 : 2'd0;
      room_q    <= room_i - 2'd1;
      p_q       <= {p_i[35:28], p_i[23:16]};
      outcome_q <= outcome_i[2:1];
    end
  end

  assign words[0] = {outcome_q, p_q, room_q, n_q, kind_q, width_q, begin_q};

  // ---- The others: the highest 8 bits of width and of probability are multiplied ----

  genvar g;
  generate
    for (g = 0; g < 2; g = g + 1) begin : gen_decision
      reg  [WORD_BITS-1:0] word_q, product_word_q;
      reg  [11:0] product_q;
      reg  [12:0] most_q;  // the part leaves room for the others: known while the product is not
      wire [15:0] product = {8'd0, words[g][17 +: 8]} * {8'd0, words[g][PARTS_BITS+4 +: 8]};
      wire [1:0]  outcome, room, n, kind;
      wire [15:0] p;
      wire [12:0] width, first;
      wire [12:0] least = 13'd1 << (room - 2'd1);
      wire [1:0]  room_before = words[g][PARTS_BITS+2 +: 2];
      wire [12:0] part = {1'b0, product_q} > most_q ? most_q : {1'b0, product_q} < least ? least : {1'b0, product_q};
      wire [12:0] cut = first + part, last = first + width;
      wire        comes = n != 2'd0;
      wire [12:0] rest = !comes ? width : outcome[0] ? part : width - part;
      wire        is_upper = comes && outcome[0];
      wire [12:0] bound = g == 1 ? (is_upper ? cut : last) : comes && !is_upper ? cut : first;

      assign {outcome, p, room, n, kind, width, first} = product_word_q;

      always @(posedge clk_i) begin
        if (moves) begin
          product_q      <= product[15:4];
          most_q         <= words[g][13 +: 13] - (13'd1 << (room_before - 2'd1));
          product_word_q <= words[g];
          word_q <= {1'b0, outcome[1], 8'd0, p[15:8], room - 2'd1, comes ? n - 2'd1 : 2'd0, kind,
                     rest, bound};
        end
      end

      assign words[g+1] = word_q;
      wire unused = &{1'b0, product[3:0], p[7:0]};
    end
  endgenerate

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 5'd0;
    else if (moves) valid_q <= {valid_q[3:0], valid_i};
  end

  assign ready_o     = moves;
  assign out_valid_o = valid_q[4];
  assign out_end_o   = words[2][12:0];
  assign out_width_o = words[2][24:13];
  assign out_kind_o  = words[2][27:26];

  wire unused = &{1'b0, words[2][WORD_BITS-1:PARTS_BITS], words[2][25], p_i[27:24], p_i[15:12]};

`ifdef FORMAL
  // It takes a symbol in each cycle in which its output is taken.
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* begin
    if (!f_past_q) assume (!rst_ni);
    if (rst_ni && (out_ready_i || !out_valid_o)) assert (ready_o);
    cover (rst_ni && f_past_q && valid_q == 5'b11111);
  end
`endif

endmodule

`default_nettype wire
