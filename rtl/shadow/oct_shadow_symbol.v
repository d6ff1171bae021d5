// SPDX-License-Identifier: Apache-2.0
// oct_shadow_symbol - from the decisions of a symbol to the part of the interval that it keeps.
// docs/shadow-format.md, section 4; model/shadow/oct_shadow_encode.h, oct_shadow_coder.h.
//
// A symbol has n_i decisions (1 to 3) out of room_i (n_i to 3) in its brackets; with room_i 1 the less
// likely outcome is at the top, and the other one has the rest. Each decision has a probability of a
// 1 and an outcome, the first in the low bits. Escapes, raw bits and ends go through in their order.
// The output is the input of oct_shadow_coder.
//
// Latency: 6 cycles, two for each decision: a product, and the parts after it. Back-pressure: valid/ready, output stable while stalled,
// one symbol a cycle. No parameters.
`default_nettype none

module oct_shadow_symbol (
  input  wire        clk_i,
  input  wire        rst_ni,
  input  wire        valid_i,
  input  wire [1:0]  kind_i,      // 0 symbol, 1 escape, 2 raw bits, 3 end
  input  wire [1:0]  n_i,
  input  wire [1:0]  room_i,
  input  wire [47:0] p_i,         // of 65536, 1 to 65535 each
  input  wire [2:0]  outcome_i,
  input  wire [7:0]  value_i,     // of raw bits
  input  wire [3:0]  count_i,
  output wire        ready_o,
  output wire        out_valid_o,
  input  wire        out_ready_i,
  output wire [1:0]  out_kind_o,  // as oct_shadow_coder has it
  output wire [16:0] out_begin_o,
  output wire [16:0] out_end_o,
  output wire [7:0]  out_value_o,
  output wire [3:0]  out_count_o
);

  localparam [1:0] SYMBOL = 2'd0, ESCAPE = 2'd1, PART = 2'd0, REST = 2'd1;
  localparam [16:0] ESCAPE_PARTS = 17'd16, WHOLE = 17'd65536;
  // A word on its way: begin, end, kind, value, count, decisions left, room left, probabilities and
  // outcomes of those left, end less begin.
  localparam integer REST_BITS = 17 + 17 + 2 + 8 + 4, WORD_BITS = REST_BITS + 2 + 2 + 48 + 3 + 17;

  wire        moves = out_ready_i || !out_valid_o;
  reg  [5:0]  valid_q;
  // A plain symbol's probability is that of the less likely outcome.
  wire        is_plain = kind_i == SYMBOL && room_i == 2'd1;
  wire        is_swapped = is_plain && p_i[15:0] > 16'h8000;
  wire [15:0] first_p = is_swapped ? 16'd0 - p_i[15:0] : p_i[15:0];
  wire        first_outcome = outcome_i[0] ^ is_swapped;
  // It has all below when it is the likely one: begin is then where that starts.
  wire        is_rest = is_plain && !first_outcome;
  wire [WORD_BITS-1:0] words [0:3];

  assign words[0] = {WHOLE - ESCAPE_PARTS, outcome_i[2:1], first_outcome, p_i[47:16], first_p, room_i,
                     kind_i == SYMBOL ? n_i : 2'd0, count_i, value_i,
                     kind_i[1] ? kind_i : is_rest ? REST : PART,
                     kind_i == ESCAPE ? ESCAPE_PARTS : WHOLE, kind_i == ESCAPE ? 17'd0 : ESCAPE_PARTS};

  genvar g;
  generate
    for (g = 0; g < 3; g = g + 1) begin : gen_decision
      reg  [WORD_BITS-1:0] word_q, product_word_q;
      reg  [16:0] product_q;
      wire [32:0] product = {16'd0, words[g][WORD_BITS-1 -: 17]} * {17'd0, words[g][REST_BITS+4 +: 16]};
      wire [2:0]  outcome;
      wire [47:0] p;
      wire [1:0]  room, n;
      wire [3:0]  count;
      wire [7:0]  value;
      wire [1:0]  kind;
      wire [16:0] last, first, width;
      wire [16:0] least = 17'd1 << (room - 2'd1);
      wire [16:0] most = width - least;
      wire [16:0] part = product_q > most ? most : product_q < least ? least : product_q;
      wire [16:0] cut = first + part;
      wire        comes = n != 2'd0;
      // The rest is told by where it begins.
      wire        is_low = kind == REST;

      assign {width, outcome, p, room, n, count, value, kind, last, first} = product_word_q;

      always @(posedge clk_i) begin
        if (moves) begin
          product_q      <= product[32:16];
          product_word_q <= words[g];
          word_q <= {outcome[0] ? part : width - part, 1'b0, outcome[2:1], 16'd0, p[47:16],
                     room - 2'd1, comes ? n - 2'd1 : 2'd0, count, value, kind,
                     comes && (outcome[0] || is_low) ? cut : last,
                     comes && !outcome[0] && !is_low ? cut : first};
        end
      end

      assign words[g+1] = word_q;
      wire unused = &{1'b0, product[15:0], p[15:0]};
    end
  endgenerate

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 6'd0;
    else if (moves) valid_q <= {valid_q[4:0], valid_i};
  end

  assign ready_o     = moves;
  assign out_valid_o = valid_q[5];
  assign {out_count_o, out_value_o, out_kind_o, out_end_o, out_begin_o} = words[3][REST_BITS-1:0];

  wire unused = &{1'b0, words[3][WORD_BITS-1:REST_BITS]};

endmodule

`default_nettype wire
