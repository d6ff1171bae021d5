// SPDX-License-Identifier: Apache-2.0
// oct_shadow_queue - the queue before the coder: items of one or two words, up to two of them a cycle.
// docs/shadow-rtl.md, items; model/shadow/oct_shadow_tail.c.
//
// Latency: 1 cycle. Back-pressure: ready_o, which does not depend on the items that come: there is room
// for two items of two words. The item at the head is taken with pop_i; its second word means
// nothing if it has one only. Items follow each other word by word, at any place.
//
// Words that follow each other stand in different ones of four memories, as four may come in a cycle.
// Each memory reads ahead what the next head needs of it. An item that finds the queue empty goes past the
// memories.
//
// ADDR_BITS    of an address: a word has 4 more
// QUEUE_WORDS  places, from 16 on
`default_nettype none

module oct_shadow_queue #(
  parameter integer ADDR_BITS   = 32,
  parameter integer QUEUE_WORDS = 192
) (
  input  wire                               clk_i,
  input  wire                               rst_ni,
  input  wire [1:0]                         valid_i,  // the second item only with the first
  input  wire [1:0]                         two_i,    // of each: it has a second word
  input  wire [2*(ADDR_BITS+4)-1:0]         first_i,  // an item, the second word above
  input  wire [2*(ADDR_BITS+4)-1:0]         second_i,
  output wire                               ready_o,
  output wire                               valid_o,
  output wire [ADDR_BITS+3:0]               first_o,  // words of the item at the head
  output wire [ADDR_BITS+3:0]               second_o,
  input  wire                               pop_i,
  output wire [$clog2(QUEUE_WORDS + 1)-1:0] count_o   // words
);

  localparam integer WORD_BITS = ADDR_BITS + 4;
  localparam integer COUNT_BITS = $clog2(QUEUE_WORDS + 1);

  localparam integer ROWS = (QUEUE_WORDS + 3) / 4;
  localparam integer ROW_BITS = $clog2(ROWS);
  localparam integer W = WORD_BITS;
  localparam [31:0] LAST_ROW_32 = ROWS - 1, LAST_READY_32 = QUEUE_WORDS - 4;
  localparam [ROW_BITS-1:0] LAST_ROW = LAST_ROW_32[ROW_BITS-1:0];
  localparam [COUNT_BITS-1:0] LAST_READY = LAST_READY_32[COUNT_BITS-1:0];

  // A place is a row of the four memories, and which of them.
  reg  [ROW_BITS-1:0]   head_row_q, tail_row_q;
  reg  [1:0]            head_q, tail_q;
  reg  [3:0]            heads_q;  // the memory of head_q, if the item is there
  reg  [COUNT_BITS-1:0] count_q;

  function [ROW_BITS-1:0] after(input [ROW_BITS-1:0] row);
    after = row == LAST_ROW ? {ROW_BITS{1'b0}} : row + {{(ROW_BITS - 1){1'b0}}, 1'b1};
  endfunction

  // ---- Words that come, in order; with a first one, whether there is a second ----

  wire         push = valid_i[0] && ready_o;
  wire [2:0]   n_first = two_i[0] ? 3'd2 : 3'd1;
  wire [2:0]   n_second = valid_i[1] ? two_i[1] ? 3'd2 : 3'd1 : 3'd0;
  wire [2:0]   n_push = push ? n_first + n_second : 3'd0;
  wire [W:0]   second_0 = {two_i[1], second_i[W-1:0]};
  wire [W:0]   second_1 = {1'b0, second_i[2*W-1:W]};
  wire [4*W+3:0] comes = {second_1, two_i[0] ? second_0 : second_1,
                          two_i[0] ? {1'b0, first_i[2*W-1:W]} : second_0, two_i[0], first_i[W-1:0]};
  wire [2:0]   tail_sum = {1'b0, tail_q} + n_push;

  // ---- The item at the head ----

  wire [W:0]   words [0:3];
  reg          passes_q;
  reg          pushed_q;  // a cycle ago: the memories have what they had not when they were read
  reg  [2*W:0] passed_q;
  wire [W:0]   first = (words[0] & {(W + 1){heads_q[0]}}) | (words[1] & {(W + 1){heads_q[1]}}) |
                       (words[2] & {(W + 1){heads_q[2]}}) | (words[3] & {(W + 1){heads_q[3]}}) |
                       (passed_q[W:0] & {(W + 1){passes_q}});
  wire         two = first[W];
  wire [W:0]   second = (words[1] & {(W + 1){heads_q[0]}}) | (words[2] & {(W + 1){heads_q[1]}}) |
                        (words[3] & {(W + 1){heads_q[2]}}) | (words[0] & {(W + 1){heads_q[3]}}) |
                        ({1'b0, passed_q[2*W:W+1]} & {(W + 1){passes_q}});
  wire [2:0]   n_pop = two ? 3'd2 : 3'd1;
  wire [2:0]   head_sum = {1'b0, head_q} + n_pop;
  wire [ROW_BITS-1:0] next_row = after(head_row_q), popped_row = head_sum[2] ? next_row : head_row_q;
  wire [ROW_BITS-1:0] beyond_row = head_sum[2] ? after(next_row) : next_row;
  // Counts are at hand before it is known whether the item is popped, which is told last.
  wire [COUNT_BITS-1:0] popped = {{(COUNT_BITS - 2){1'b0}}, n_pop[1:0]};
  wire [COUNT_BITS-1:0] pushed_count = count_q + {{(COUNT_BITS - 3){1'b0}}, n_push};
  wire [COUNT_BITS-1:0] popped_count = pushed_count - popped;
  wire         was_some = count_q != {COUNT_BITS{1'b0}}, is_more = count_q != popped;
  wire         passes_d = pop_i ? !is_more : !was_some;

  assign ready_o  = count_q <= LAST_READY;
  assign valid_o  = count_q != {COUNT_BITS{1'b0}};
  assign first_o  = first[W-1:0];
  assign second_o = second[W-1:0];
  assign count_o  = count_q;

  // Memories of the row of a place; the others have the row behind.
  wire [3:0]   of_tail = 4'b1111 << tail_q, of_head = 4'b1111 << head_q, of_popped = 4'b1111 << head_sum[1:0];

  genvar g;
  generate
    for (g = 0; g < 4; g = g + 1) begin : gen_bank
      localparam [31:0] BANK = g;
      wire [1:0] nth = BANK[1:0] - tail_q;

      oct_ram #(
        .WIDTH(W + 1),
        .DEPTH(ROWS)
      ) u_words (
        .clk_i  (clk_i),
        .we_i   ({1'b0, nth} < n_push),
        .waddr_i(of_tail[g] ? tail_row_q : after(tail_row_q)),
        .wdata_i(comes[nth*(W+1) +: W+1]),
        .re_i   (pop_i || pushed_q),
        .raddr_i(pop_i ? (of_popped[g] ? popped_row : beyond_row) :
                         (of_head[g] ? head_row_q : next_row)),
        .rdata_o(words[g])
      );
    end
  endgenerate

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_row_q <= {ROW_BITS{1'b0}};
      head_q     <= 2'd0;
      heads_q    <= 4'd0;
      tail_row_q <= {ROW_BITS{1'b0}};
      tail_q     <= 2'd0;
      count_q    <= {COUNT_BITS{1'b0}};
      passes_q   <= 1'b0;
      pushed_q   <= 1'b0;
    end else begin
      passes_q <= passes_d;
      pushed_q <= n_push != 3'd0;
      heads_q  <= (4'd1 << (pop_i ? head_sum[1:0] : head_q)) & {4{!passes_d}};
      count_q  <= pop_i ? popped_count : pushed_count;
      tail_q   <= tail_sum[1:0];
      if (tail_sum[2]) tail_row_q <= after(tail_row_q);
      if (pop_i) begin
        head_q     <= head_sum[1:0];
        head_row_q <= popped_row;
      end
    end
  end

  always @(posedge clk_i) passed_q <= comes[2*W:0];

  wire unused = &{1'b0, second[W]};

endmodule

`default_nettype wire
