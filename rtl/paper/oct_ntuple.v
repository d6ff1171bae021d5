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
`default_nettype none

module oct_ntuple #(
`include "oct_params.vh"
,
  parameter integer  // follow from those: none is set
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

`include "oct_types.vh"

  // the word taken last, and which of its items are still to leave, in this order;
  reg  [ADDR_BITS-1:0]  sa_q;
  reg  [SL_BITS:0]      sl_q;
  reg  [TASK_BITS-1:0]  task_q;
  reg  [2:0]            mark_q;
  reg                   has_scmt_q;
  reg                   has_rest_q;    // the index, or a part of a tuple
  reg                   has_mark_q;
  // a tuple under search leaves before the mark: either the word with the mark completed it, or
  // it has left before the word was taken; and before an SCMT if it was offered first
  reg                   has_search_q;
  reg                   search_first_q;

  wire                  take;
  wire                  has_stream;
  wire                  completes;
  wire                  rest;          // the word has an index or a part
  wire                  search_done;
  wire                  found;
  wire [THB_BITS-1:0]   number;
  wire [INDEX_BITS-1:0] index_held;
  wire                  offer_search;
  wire                  pop_scmt;
  wire                  pop_rest;
  wire                  pop_search;
  wire                  pop_mark;
  wire                  words_left;
  wire                  search_left;

  assign has_stream = sl_i != {(SL_BITS + 1){1'b0}};
  assign offer_search = search_first_q ||
                        (!has_scmt_q && !has_rest_q && has_search_q && search_done);
  assign out_valid_o = offer_search || has_scmt_q || has_rest_q || (has_mark_q && !has_search_q);
  assign pop_search = out_ready_i && offer_search;
  assign pop_scmt = out_ready_i && !offer_search && has_scmt_q;
  assign pop_rest = out_ready_i && !has_scmt_q && has_rest_q;
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
      search_first_q <= 1'b0;
    end else if (take) begin
      has_scmt_q <= has_stream && index_i == {INDEX_BITS{1'b0}};
      has_rest_q <= rest;
      has_mark_q <= mark_i != MARK_NONE;
      has_search_q <= completes || search_left;
      search_first_q <= offer_search && !out_ready_i;
    end else begin
      has_scmt_q <= has_scmt_q && !pop_scmt;
      has_rest_q <= has_rest_q && !pop_rest;
      has_mark_q <= has_mark_q && !pop_mark;
      has_search_q <= search_left;
      search_first_q <= offer_search && !out_ready_i;
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
    if (offer_search) begin
      out_kind_o = found ? ITEM_TUPLE_HIT : ITEM_TUPLE_MISS;
      out_value_o[THB_BITS-1:0] = number;
    end else if (has_scmt_q) begin
      out_kind_o = ITEM_SCMT;
      out_value_o[SL_BITS:0] = sl_q;
    end else if (has_rest_q) begin
      out_kind_o = NTUPLE_N > 0 ? ITEM_TUPLE_PART : ITEM_INDEX;
      out_value_o[INDEX_BITS-1:0] = index_held;
    end else begin
      out_kind_o = ITEM_MARK;
      out_value_o[TASK_BITS-1:0] = task_q;
    end
  end

  generate
    if (NTUPLE_N > 0) begin : gen_tuple
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
        .found_o   (found),
        .number_o  (number)
      );
`ifdef FORMAL
      (* hierconn *) wire \u_thb.active_q ;
`endif
    end else begin : gen_index
      reg [INDEX_BITS-1:0] index_q;

      assign completes = 1'b0;
      assign rest = has_stream;
      assign search_done = 1'b1;
      assign found = 1'b0;
      assign number = {THB_BITS{1'b0}};
      assign index_held = index_q;
      assign out_n_o = 5'd0;
      assign out_tuple_o = {TUPLE_BITS{1'b0}};

      always @(posedge clk_i) begin
        if (take) index_q <= index_i;
      end
    end
  endgenerate

`ifdef FORMAL
  localparam [31:0] F_N = NTUPLE_N;
  localparam integer F_OUT_BITS =
      8 + ADDR_BITS + INSN_VALUE_BITS + 5 + TUPLE_BITS;
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* if (!f_past_q) assume (!rst_ni);

  wire        f_pop = out_valid_o && out_ready_i;
  wire        f_is_scmt = out_kind_o == ITEM_SCMT;
  wire        f_is_index = out_kind_o == ITEM_INDEX;
  wire        f_is_part = out_kind_o == ITEM_TUPLE_PART;
  wire        f_is_tuple = out_kind_o == ITEM_TUPLE_HIT || out_kind_o == ITEM_TUPLE_MISS;
  wire        f_is_miss = has_stream && index_i == {INDEX_BITS{1'b0}};
  wire [31:0] f_collected;  // indices that wait for a tuple
  wire [31:0] f_part_n;
  wire        f_flows;      // at the speed of the input, the search included

  // What came in and what went out, counted: streams, misses, marks.
  reg  [31:0] f_streams_in_q, f_streams_out_q;
  reg  [31:0] f_misses_in_q, f_misses_out_q;
  reg  [31:0] f_marks_in_q, f_marks_out_q;
  // So far the output was always ready, and only hits without a mark came.
  reg         f_quick_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {f_streams_in_q, f_streams_out_q} <= 64'd0;
      {f_misses_in_q, f_misses_out_q} <= 64'd0;
      {f_marks_in_q, f_marks_out_q} <= 64'd0;
      f_quick_q <= 1'b1;
    end else begin
      if (take && has_stream) f_streams_in_q <= f_streams_in_q + 32'd1;
      if (take && f_is_miss) f_misses_in_q <= f_misses_in_q + 32'd1;
      if (take && mark_i != MARK_NONE) f_marks_in_q <= f_marks_in_q + 32'd1;
      if (f_pop && f_is_tuple) f_streams_out_q <= f_streams_out_q + F_N;
      if (f_pop && f_is_part) f_streams_out_q <= f_streams_out_q + {27'd0, out_n_o};
      if (f_pop && f_is_index) f_streams_out_q <= f_streams_out_q + 32'd1;
      if (f_pop && f_is_scmt) f_misses_out_q <= f_misses_out_q + 32'd1;
      if (f_pop && out_kind_o == ITEM_MARK) f_marks_out_q <= f_marks_out_q + 32'd1;
      if (!out_ready_i || (valid_i && (f_is_miss || mark_i != MARK_NONE))) f_quick_q <= 1'b0;
    end
  end

  always @* if (rst_ni) begin
    // Nothing is lost or made: each stream has left in an item, or is collected, under search or
    // about to leave; so are misses and marks.
    assert (f_streams_in_q - f_streams_out_q ==
            f_collected + (has_search_q ? F_N : 32'd0) + (has_rest_q ? f_part_n : 32'd0));
    assert (f_misses_in_q - f_misses_out_q == {31'd0, has_scmt_q});
    assert (f_marks_in_q - f_marks_out_q == {31'd0, has_mark_q});
    // A part and the mark behind it come when no search is under way.
    if (NTUPLE_N > 0 && has_rest_q) assert (has_mark_q && !has_search_q);
    if (search_first_q) assert (has_search_q && search_done);
    if (has_mark_q) assert (mark_q != MARK_NONE);
    // While the output is ready and the streams hit, an index is taken in every cycle.
    if (f_quick_q) assert (f_flows && !has_scmt_q && !has_mark_q && !search_first_q);
    if (f_quick_q && valid_i && !f_is_miss && mark_i == MARK_NONE) assert (ready_o || !out_ready_i);
  end

  // what is offered, of the fields that the kind uses
  wire                  f_is_many = f_is_part || out_kind_o == ITEM_TUPLE_MISS;
  wire [F_OUT_BITS-1:0] f_out = {
    out_valid_o, out_kind_o,
    out_kind_o == ITEM_MARK ? out_mark_o : MARK_NONE,
    f_is_scmt ? out_addr_o : {ADDR_BITS{1'b0}},
    f_is_many ? {INSN_VALUE_BITS{1'b0}} : out_value_o,
    f_is_many ? {out_n_o, out_tuple_o} : {(5 + TUPLE_BITS){1'b0}}
  };
  reg                   f_stalled_q = 1'b0;
  reg  [F_OUT_BITS-1:0] f_out_q;

  always @(posedge clk_i) begin
    f_stalled_q <= rst_ni && out_valid_o && !out_ready_i;
    f_out_q <= f_out;
  end

  // What is offered stays until it is taken.
  always @* if (rst_ni && f_stalled_q) assert (f_out == f_out_q);

  generate
    if (NTUPLE_N > 0) begin : gen_f_tuple
      // Any one index: where it stands, its place in the tuple there, and its value.
      localparam [1:0] F_OUT = 2'd0, F_COLLECTED = 2'd1, F_SEARCH = 2'd2, F_PART = 2'd3;
      (* anyseq *) wire      f_choose;
      reg  [1:0]             f_at_q;
      reg  [3:0]             f_place_q;
      reg  [INDEX_BITS-1:0]  f_index_q;
      wire [INDEX_BITS-1:0]  f_kept = gen_tuple.part[f_place_q*INDEX_BITS+:INDEX_BITS];
      wire [INDEX_BITS-1:0]  f_searched = gen_tuple.key_q[f_place_q*INDEX_BITS+:INDEX_BITS];
      wire [INDEX_BITS-1:0]  f_leaving = out_tuple_o[f_place_q*INDEX_BITS+:INDEX_BITS];
      reg  [31:0]            f_search_cycles_q;
      wire [31:0]            f_count = {28'd0, gen_tuple.count_q};

      assign f_collected = f_count;
      assign f_part_n = {28'd0, gen_tuple.part_n_q};
      assign f_flows = !has_rest_q && (!has_search_q || f_count <= f_search_cycles_q);

      always @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          f_at_q <= F_OUT;
          f_search_cycles_q <= 32'd0;
        end else begin
          if (gen_tuple.start) f_search_cycles_q <= 32'd0;
          else if (!search_done) f_search_cycles_q <= f_search_cycles_q + 32'd1;
          if (f_choose && f_at_q == F_OUT && take && has_stream) begin
            f_at_q <= completes ? F_SEARCH : mark_i != MARK_NONE ? F_PART : F_COLLECTED;
            f_place_q <= gen_tuple.count_q;
            f_index_q <= index_i;
          end else if (take && f_at_q == F_COLLECTED) begin
            if (completes) f_at_q <= F_SEARCH;
            else if (mark_i != MARK_NONE) f_at_q <= F_PART;
          end else if (f_pop && ((f_is_tuple && f_at_q == F_SEARCH) ||
                                 (f_is_part && f_at_q == F_PART))) begin
            f_at_q <= F_OUT;
          end
        end
      end

      always @* if (rst_ni) begin
        assert (f_count < F_N);
        assert (!gen_tuple.u_thb.active_q || has_search_q);
        assert (f_at_q == F_OUT || {28'd0, f_place_q} < F_N);
        // The result of a search is offered N cycles after the word that completed the tuple.
        if (has_search_q) assert (search_done == (f_search_cycles_q >= F_N - 32'd1));
        if (has_rest_q) assert (f_part_n > 32'd0 && f_part_n < F_N && f_count == 32'd0);
        // An index keeps its value and its place in the tuple, until the tuple leaves.
        if (f_at_q == F_COLLECTED)
          assert (f_place_q < gen_tuple.count_q && f_kept == f_index_q);
        if (f_at_q == F_SEARCH) assert (has_search_q && f_searched == f_index_q);
        if (f_at_q == F_PART)
          assert (has_rest_q && f_place_q < gen_tuple.part_n_q && f_kept == f_index_q);
        if (out_valid_o && ((f_is_tuple && f_at_q == F_SEARCH) || (f_is_part && f_at_q == F_PART)))
          assert (f_leaving == f_index_q && {1'b0, f_place_q} < out_n_o);
      end

      always @(posedge clk_i) if (rst_ni) begin
        // A tuple found without a stall, one that waits behind an SCMT, a part.
        cover (f_quick_q && out_valid_o && out_kind_o == ITEM_TUPLE_HIT);
        cover (has_scmt_q && has_search_q && search_done && !search_first_q);
        cover (search_first_q && has_scmt_q);
        cover (NTUPLE_N == 1 || (f_pop && f_is_part && f_at_q == F_PART));
        cover (has_mark_q && has_search_q);
      end
    end else begin : gen_f_index
      assign f_collected = 32'd0;
      assign f_part_n = 32'd1;
      assign f_flows = 1'b1;
      always @* if (rst_ni) assert (!has_search_q);

      // An SCMT, its index and a mark, of one word.
      always @(posedge clk_i) if (rst_ni) cover (has_scmt_q && has_rest_q && has_mark_q);
    end
  endgenerate
`endif

endmodule

`default_nettype wire
