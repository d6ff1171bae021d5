// SPDX-License-Identifier: Apache-2.0
// oct_async_fifo - a FIFO whose ends have a clock each.
//
// Each end counts in binary, and shows the other its count in Gray code, of which one bit changes at a time: what
// the other sees through oct_sync is the count of now or of shortly before. So the writer may hold the FIFO for
// full, and the reader for empty, a little longer than it is, never shorter. A word is written before its
// count goes up, and so stands still when it is read.
// Latency: a word is seen STAGES + 1 edges of the reader's clock after it was written, a freed place by the writer
// likewise. From DEPTH = 4 * STAGES on, clocks of the same speed move a word a cycle.
// The resets of both ends have to overlap in time; what is in the FIFO is lost. What comes from the reset of the writer's
// end to that of the reader's means nothing.
// Its timing constraints are in rtl/octrace.sdc.
//
// WIDTH   1 or more
// DEPTH   a power of two, 2 or more
// STAGES  2 or more
`default_nettype none

module oct_async_fifo #(
  parameter integer WIDTH  = 32,  // from 1 on: bits of a word
  parameter integer DEPTH  = 8,   // a power of two from 2 on: words
  parameter integer STAGES = 2    // from 2 on: flip-flops in a row that each count crosses
) (
  // the writer
  input  wire             w_clk_i,
  input  wire             w_rst_ni,
  input  wire             w_valid_i,
  output wire             w_ready_o,
  input  wire [WIDTH-1:0] w_data_i,
  // the reader
  input  wire             r_clk_i,
  input  wire             r_rst_ni,
  output wire             r_valid_o,
  input  wire             r_ready_i,
  output wire [WIDTH-1:0] r_data_o
);

  // What is illegal stops elaboration: docs/rtl.md, conventions.
  generate
    if (WIDTH < 1) begin : gen_illegal_WIDTH
      oct_illegal_WIDTH_expected_1_or_more u_illegal ();
    end
    if (DEPTH < 2 || (DEPTH & (DEPTH - 1)) != 0) begin : gen_illegal_DEPTH
      oct_illegal_DEPTH_expected_a_power_of_two_from_2_on u_illegal ();
    end
    if (STAGES < 2) begin : gen_illegal_STAGES
      oct_illegal_STAGES_expected_2_or_more u_illegal ();
    end
  endgenerate

  // A count has a bit more than a place, which tells full from empty.
  localparam integer AT_BITS = $clog2(DEPTH);
  localparam integer COUNT_BITS = AT_BITS + 1;
  localparam [COUNT_BITS-1:0] ONE = 1;
  // Two counts that are DEPTH apart differ in the two upper bits of their codes.
  localparam [COUNT_BITS-1:0] FULL = ONE << AT_BITS | ONE << (AT_BITS - 1);

`ifdef FORMAL
  (* anyseq *) wire w_tick, r_tick;  // the edges of the clocks come in any order
  wire [COUNT_BITS*STAGES-1:0] f_w_row, f_r_row;
`else
  wire w_tick = 1'b1, r_tick = 1'b1;
`endif

  reg  [WIDTH-1:0]      words_q [0:DEPTH-1];
  reg  [COUNT_BITS-1:0] w_count_q, w_gray_q, r_count_q, r_gray_q;
  wire [COUNT_BITS-1:0] w_gray_seen, r_gray_seen;

  oct_sync #(.STAGES(STAGES), .WIDTH(COUNT_BITS)) u_w_gray (
`ifdef FORMAL
    .f_tick_i(r_tick),
    .f_row_o (f_w_row),
`endif
    .clk_i   (r_clk_i),
    .rst_ni  (r_rst_ni),
    .async_i (w_gray_q),
    .sync_o  (w_gray_seen)
  );
  oct_sync #(.STAGES(STAGES), .WIDTH(COUNT_BITS)) u_r_gray (
`ifdef FORMAL
    .f_tick_i(w_tick),
    .f_row_o (f_r_row),
`endif
    .clk_i   (w_clk_i),
    .rst_ni  (w_rst_ni),
    .async_i (r_gray_q),
    .sync_o  (r_gray_seen)
  );

  assign w_ready_o = w_gray_q != (r_gray_seen ^ FULL);
  wire                  writes  = w_valid_i && w_ready_o && w_tick;
  wire [COUNT_BITS-1:0] w_count = w_count_q + ONE;
  always @(posedge w_clk_i or negedge w_rst_ni) begin
    if (!w_rst_ni) begin
      w_count_q <= {COUNT_BITS{1'b0}};
      w_gray_q  <= {COUNT_BITS{1'b0}};
    end else if (writes) begin
      w_count_q <= w_count;
      w_gray_q  <= w_count ^ w_count >> 1;
    end
  end
  always @(posedge w_clk_i) if (writes) words_q[w_count_q[AT_BITS-1:0]] <= w_data_i;

  assign r_valid_o = r_gray_q != w_gray_seen;
  assign r_data_o  = words_q[r_count_q[AT_BITS-1:0]];
  wire                  reads   = r_valid_o && r_ready_i && r_tick;
  wire [COUNT_BITS-1:0] r_count = r_count_q + ONE;
  always @(posedge r_clk_i or negedge r_rst_ni) begin
    if (!r_rst_ni) begin
      r_count_q <= {COUNT_BITS{1'b0}};
      r_gray_q  <= {COUNT_BITS{1'b0}};
    end else if (reads) begin
      r_count_q <= r_count;
      r_gray_q  <= r_count ^ r_count >> 1;
    end
  end

`ifdef FORMAL
  // In a proof a step is an edge of either clock, of both or of none.
  reg f_past_q = 1'b0;
  always @(posedge w_clk_i) f_past_q <= 1'b1;
  always @* begin
    assume (w_rst_ni == r_rst_ni);
    if (!f_past_q) assume (!w_rst_ni);
  end

  function [COUNT_BITS-1:0] binary(input [COUNT_BITS-1:0] gray);
    integer b;
    begin
      binary = {COUNT_BITS{1'b0}};
      for (b = 0; b < COUNT_BITS; b = b + 1) binary = binary ^ gray >> b;
    end
  endfunction

  // A word with any number, followed through the FIFO.
  (* anyconst *) wire [COUNT_BITS-1:0] f_which;
  reg  [WIDTH-1:0]      f_word_q;
  wire [COUNT_BITS-1:0] f_used = w_count_q - r_count_q;  // words in the FIFO
  wire [COUNT_BITS-1:0] f_behind = f_which - r_count_q;
  always @(posedge w_clk_i) if (writes && w_count_q == f_which) f_word_q <= w_data_i;

  // What each flip-flop of a row shows is at most as new as the one before it.
  reg [COUNT_BITS-1:0] f_at, f_next;
  integer k;
  always @* if (f_past_q) begin
    assert (f_used <= DEPTH);
    assert (w_gray_q == (w_count_q ^ w_count_q >> 1) && r_gray_q == (r_count_q ^ r_count_q >> 1));
    f_next = f_used;
    for (k = 0; k < STAGES; k = k + 1) begin
      f_at = binary(f_w_row[COUNT_BITS*k+:COUNT_BITS]) - r_count_q;
      assert (f_at <= f_next);
      f_next = f_at;
    end
    f_next = f_used;
    for (k = 0; k < STAGES; k = k + 1) begin
      f_at = w_count_q - binary(f_r_row[COUNT_BITS*k+:COUNT_BITS]);
      assert (f_at >= f_next && f_at <= DEPTH);
      f_next = f_at;
    end
    // Never over the end, and each word comes as it was written.
    if (writes) assert (f_used < DEPTH);
    if (reads) assert (f_used != {COUNT_BITS{1'b0}});
    if (f_behind < f_used) assert (words_q[f_which[AT_BITS-1:0]] == f_word_q);
    if (reads && r_count_q == f_which) assert (r_data_o == f_word_q);
  end
  always @(posedge w_clk_i) if (f_past_q && w_rst_ni) begin
    cover (f_used == DEPTH && !w_ready_o);
    cover (reads && writes && f_used == DEPTH - 1);
    cover (r_count_q == DEPTH + 1 && f_used == 0);
  end
`endif

endmodule

`default_nettype wire
