// SPDX-License-Identifier: Apache-2.0
// oct_shadow_queue - the queue before the coder: items of one or two words, up to two of them a cycle.
// docs/shadow-rtl.md, items; model/shadow/oct_shadow_tail.c.
//
// Latency: 1 cycle. Back-pressure: ready_o, which does not depend on the items that come: there is room
// for two items of two words. The item at the head is taken with pop_i; its second word means
// nothing if it has one only. Items follow each other word by word, at any place.
//
// ADDR_BITS    of an address: a word has 4 more
// QUEUE_WORDS  places, from 16 on
`default_nettype none

module oct_shadow_queue #(
  parameter  integer ADDR_BITS   = 32,
  parameter  integer QUEUE_WORDS = 128,
  localparam integer WORD_BITS   = ADDR_BITS + 4,
  localparam integer COUNT_BITS = $clog2(QUEUE_WORDS + 1)
) (
  input  wire                   clk_i,
  input  wire                   rst_ni,
  input  wire [1:0]             valid_i,   // the second item only with the first
  input  wire [1:0]             two_i,     // of each: it has a second word
  input  wire [2*WORD_BITS-1:0] first_i,   // an item, the second word above
  input  wire [2*WORD_BITS-1:0] second_i,
  output wire                   ready_o,
  output wire                   valid_o,
  output wire [WORD_BITS-1:0]   first_o,   // words of the item at the head
  output wire [WORD_BITS-1:0]   second_o,
  input  wire                   pop_i,
  output wire [COUNT_BITS-1:0]  count_o    // words
);

  localparam integer PTR_BITS = $clog2(QUEUE_WORDS);
  localparam [31:0] WORDS_32 = QUEUE_WORDS, LAST_READY_32 = QUEUE_WORDS - 4;
  localparam [PTR_BITS:0] SIZE = WORDS_32[PTR_BITS:0];
  localparam [COUNT_BITS-1:0] LAST_READY = LAST_READY_32[COUNT_BITS-1:0];

  reg  [WORD_BITS-1:0]  word_q [0:QUEUE_WORDS-1];
  reg  [QUEUE_WORDS-1:0]      two_q;     // at the place of a first word: a second one follows
  reg  [PTR_BITS-1:0]   head_q, tail_q;
  reg  [COUNT_BITS-1:0] count_q;

  // The place that is n behind another.
  function [PTR_BITS-1:0] behind(input [PTR_BITS-1:0] place, input [2:0] n);
    reg [PTR_BITS:0] sum;
    begin
      sum = {1'b0, place} + {{(PTR_BITS - 2){1'b0}}, n};
      if (sum >= SIZE) sum = sum - SIZE;
      behind = sum[PTR_BITS-1:0];
    end
  endfunction

  wire       push = valid_i[0] && ready_o;
  wire [2:0] n_first = valid_i[0] ? two_i[0] ? 3'd2 : 3'd1 : 3'd0;
  wire [2:0] n_second = valid_i[1] ? two_i[1] ? 3'd2 : 3'd1 : 3'd0;
  wire [2:0] n_push = push ? n_first + n_second : 3'd0;
  wire [2:0] n_pop = pop_i ? two_q[head_q] ? 3'd2 : 3'd1 : 3'd0;
  wire [PTR_BITS-1:0] second_at = behind(tail_q, n_first);

  assign ready_o  = count_q <= LAST_READY;
  assign valid_o  = count_q != {COUNT_BITS{1'b0}};
  assign first_o  = word_q[head_q];
  assign second_o = word_q[behind(head_q, 3'd1)];
  assign count_o  = count_q;

  always @(posedge clk_i) begin
    if (push) begin
      word_q[tail_q] <= first_i[WORD_BITS-1:0];
      two_q[tail_q]  <= two_i[0];
      if (two_i[0]) word_q[behind(tail_q, 3'd1)] <= first_i[2*WORD_BITS-1:WORD_BITS];
      if (valid_i[1]) begin
        word_q[second_at] <= second_i[WORD_BITS-1:0];
        two_q[second_at]  <= two_i[1];
        if (two_i[1]) word_q[behind(second_at, 3'd1)] <= second_i[2*WORD_BITS-1:WORD_BITS];
      end
    end
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q  <= {PTR_BITS{1'b0}};
      tail_q  <= {PTR_BITS{1'b0}};
      count_q <= {COUNT_BITS{1'b0}};
    end else begin
      head_q  <= behind(head_q, n_pop);
      tail_q  <= behind(tail_q, n_push);
      count_q <= count_q + {{(COUNT_BITS - 3){1'b0}}, n_push} - {{(COUNT_BITS - 3){1'b0}}, n_pop};
    end
  end

endmodule

`default_nettype wire
