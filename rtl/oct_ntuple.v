// SPDX-License-Identifier: Apache-2.0
// oct_ntuple - replaces N-tuples of stream cache indices by their place in a history buffer.
//
// Input: index words. Output: items for the output controller (SCMT, tuple hit, tuple miss, part of
// a tuple, index, marks). A word is kept until its items have left; a tuple is searched for beside,
// while the next is collected.
// Latency: 1 cycle for an SCMT, a mark or, with NTUPLE_N = 0, an index; NTUPLE_N cycles for a tuple.
// Back-pressure: valid/ready, output stable while stalled; ready_o depends on the word. One index a
// cycle is taken without a stall while out_ready_i is high and the streams hit: a tuple every
// NTUPLE_N cycles is searched for in the worst case.
// Parameters: NTUPLE_N (indices in a tuple, 0 = off), THB_DEPTH (tuples), THB_UPDATE (0: a tuple
// enters the history on a miss, 1: always), widths in bits.

module oct_ntuple #(
`include "oct_params.vh"
,
`include "oct_widths.vh"
) (
  input  wire                       clk_i,
  input  wire                       rst_ni,
  input  wire                       valid_i,
  input  wire [ADDR_BITS-1:0]       sa_i,
  input  wire [SL_BITS:0]           sl_i,
  input  wire [INDEX_BITS-1:0]      index_i,
  input  wire [TASK_BITS-1:0]       task_i,
  input  wire [2:0]                 mark_i,
  output wire                       ready_o,
  output wire                       out_valid_o,
  input  wire                       out_ready_i,
  output reg  [3:0]                 out_kind_o,
  output wire [2:0]                 out_mark_o,
  output wire [ADDR_BITS-1:0]       out_addr_o,
  output reg  [INSN_VALUE_BITS-1:0] out_value_o,
  output wire [4:0]                 out_n_o,
  output wire [TUPLE_BITS-1:0]      out_tuple_o
);

  localparam [2:0] MARK_NONE = 3'd0;
  localparam [3:0] ITEM_INDEX = 4'd0;
  localparam [3:0] ITEM_TUPLE_HIT = 4'd1;
  localparam [3:0] ITEM_TUPLE_MISS = 4'd2;
  localparam [3:0] ITEM_TUPLE_PART = 4'd3;
  localparam [3:0] ITEM_SCMT = 4'd4;
  localparam [3:0] ITEM_MARK = 4'd10;

  // the word taken last, and which of its items are still to leave, in this order;
  reg  [ADDR_BITS-1:0]  sa_q;
  reg  [SL_BITS:0]      sl_q;
  reg  [TASK_BITS-1:0]  task_q;
  reg  [2:0]            mark_q;
  reg                   has_scmt_q;
  reg                   has_rest_q;    // the index, or a part of a tuple
  reg                   has_mark_q;
  // a tuple under search leaves before the mark: either the word with the mark completed it, or
  // it has left before the word was taken
  reg                   has_search_q;

  wire                  take;
  wire                  has_stream;
  wire                  completes;
  wire                  rest;          // the word has an index or a part
  wire                  search_done;
  wire [THB_BITS-1:0]   number;
  wire [INDEX_BITS-1:0] index_held;
  wire                  pop_scmt;
  wire                  pop_rest;
  wire                  pop_search;
  wire                  pop_mark;
  wire                  words_left;
  wire                  search_left;

  assign has_stream = sl_i != {(SL_BITS + 1){1'b0}};
  assign out_valid_o = has_scmt_q || has_rest_q || (has_search_q ? search_done : has_mark_q);
  assign pop_scmt = out_ready_i && has_scmt_q;
  assign pop_rest = out_ready_i && !has_scmt_q && has_rest_q;
  assign pop_search = out_ready_i && !has_scmt_q && !has_rest_q && has_search_q && search_done;
  assign pop_mark = out_ready_i && !has_scmt_q && !has_rest_q && !has_search_q && has_mark_q;

  assign words_left = (has_scmt_q && !pop_scmt) || (has_rest_q && !pop_rest) ||
                      (has_mark_q && !pop_mark);
  assign search_left = has_search_q && !pop_search;
  assign ready_o = !words_left && !(search_left && (completes || mark_i != MARK_NONE));
  assign take = valid_i && ready_o;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      has_scmt_q <= 1'b0;
      has_rest_q <= 1'b0;
      has_mark_q <= 1'b0;
      has_search_q <= 1'b0;
    end else if (take) begin
      has_scmt_q <= has_stream && index_i == {INDEX_BITS{1'b0}};
      has_rest_q <= rest;
      has_mark_q <= mark_i != MARK_NONE;
      has_search_q <= completes || search_left;
    end else begin
      has_scmt_q <= has_scmt_q && !pop_scmt;
      has_rest_q <= has_rest_q && !pop_rest;
      has_mark_q <= has_mark_q && !pop_mark;
      has_search_q <= search_left;
    end
  end

  always @(posedge clk_i) begin
    if (take) begin
      sa_q <= sa_i;
      sl_q <= sl_i;
      task_q <= task_i;
      mark_q <= mark_i;
    end
  end

  assign out_mark_o = mark_q;
  assign out_addr_o = sa_q;

  always @* begin
    out_value_o = {INSN_VALUE_BITS{1'b0}};
    if (has_scmt_q) begin
      out_kind_o = ITEM_SCMT;
      out_value_o[SL_BITS:0] = sl_q;
    end else if (has_rest_q) begin
      out_kind_o = NTUPLE_N > 0 ? ITEM_TUPLE_PART : ITEM_INDEX;
      out_value_o[INDEX_BITS-1:0] = index_held;
    end else if (has_search_q) begin
      out_kind_o = number != {THB_BITS{1'b0}} ? ITEM_TUPLE_HIT : ITEM_TUPLE_MISS;
      out_value_o[THB_BITS-1:0] = number;
    end else begin
      out_kind_o = ITEM_MARK;
      out_value_o[TASK_BITS-1:0] = task_q;
    end
  end

  generate
    if (NTUPLE_N > 0) begin : gen_tuple
      localparam [2:0] MARK_SYNC = 3'd2;
      localparam [31:0] N_32 = NTUPLE_N;
      localparam [31:0] LAST_32 = NTUPLE_N - 1;
      localparam integer KEPT_N = NTUPLE_N > 1 ? NTUPLE_N - 1 : 1;

      reg  [KEPT_N*INDEX_BITS-1:0] tuple_q;   // being collected, or the part that leaves
      reg  [KEPT_N*INDEX_BITS-1:0] tuple_d;
      reg  [TUPLE_BITS-1:0]        part;
      reg  [TUPLE_BITS-1:0]        key_d;
      reg  [TUPLE_BITS-1:0]        key_q;     // under search
      reg  [3:0]                   count_q;   // 0..N-1
      reg  [3:0]                   part_n_q;
      wire                         start;
      integer                      i;

      assign completes = has_stream && count_q == LAST_32[3:0];
      assign rest = mark_i != MARK_NONE && !completes && (has_stream || count_q != 4'd0);
      assign start = take && completes;
      assign index_held = {INDEX_BITS{1'b0}};
      assign out_n_o = has_rest_q ? {1'b0, part_n_q} : N_32[4:0];
      assign out_tuple_o = has_rest_q ? part : key_q;

      always @* begin
        tuple_d = tuple_q;
        part = {TUPLE_BITS{1'b0}};
        key_d = {TUPLE_BITS{1'b0}};
        for (i = 0; i < NTUPLE_N - 1; i = i + 1) begin
          if (count_q == i[3:0]) tuple_d[i*INDEX_BITS+:INDEX_BITS] = index_i;
          part[i*INDEX_BITS+:INDEX_BITS] = tuple_q[i*INDEX_BITS+:INDEX_BITS];
          key_d[i*INDEX_BITS+:INDEX_BITS] = tuple_q[i*INDEX_BITS+:INDEX_BITS];
        end
        key_d[TUPLE_BITS-1-:INDEX_BITS] = index_i;
      end

      always @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) count_q <= 4'd0;
        else if (take && (completes || mark_i != MARK_NONE)) count_q <= 4'd0;
        else if (take && has_stream) count_q <= count_q + 4'd1;
      end

      always @(posedge clk_i) begin
        if (take && has_stream) tuple_q <= tuple_d;
        if (take) part_n_q <= count_q + {3'd0, has_stream};
        if (start) key_q <= key_d;
      end

      oct_thb #(
        .WIDTH      (TUPLE_BITS),
        .N          (NTUPLE_N),
        .DEPTH      (THB_DEPTH),
        .UPDATE     (THB_UPDATE),
        .NUMBER_BITS(THB_BITS)
      ) u_thb (
        .clk_i     (clk_i),
        .rst_ni    (rst_ni),
        .clear_i   (pop_mark && mark_q == MARK_SYNC),
        .start_i   (start),
        .next_key_i(key_d),
        .key_i     (key_q),
        .done_o    (search_done),
        .number_o  (number)
      );
    end else begin : gen_index
      reg [INDEX_BITS-1:0] index_q;

      assign completes = 1'b0;
      assign rest = has_stream;
      assign search_done = 1'b1;
      assign number = {THB_BITS{1'b0}};
      assign index_held = index_q;
      assign out_n_o = 5'd0;
      assign out_tuple_o = {TUPLE_BITS{1'b0}};

      always @(posedge clk_i) begin
        if (take) index_q <= index_i;
      end
    end
  endgenerate

endmodule
