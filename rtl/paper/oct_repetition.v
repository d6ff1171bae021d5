// SPDX-License-Identifier: Apache-2.0
// oct_repetition - finite state machine that counts repeated patterns of data hit bits.
//
// The bits are cut into patterns of W. A complete pattern that equals the held one raises its
// count, up to 2^C + 1; otherwise the held pattern is emitted and the new one is held with count 1.
// A mark emits the held pattern and what is left of an incomplete one. With C = 0 each pattern is
// emitted at once. Misses pass through as DMT items, ahead of what their bit completes.
// Latency: 1 cycle from a word to its first item. Back-pressure: valid/ready, output stable while
// stalled; a word is taken when all items of the one before leave, ready_o does not depend on it.
// Parameters: REP_PATTERN_BITS (W), REP_COUNT_BITS (C, 0 = no counting).
`default_nettype none

module oct_repetition #(
`include "oct_params.vh"
,
  parameter integer  // follow from those: none is set
`include "oct_widths.vh"
) (
  input  wire                        clk_i,
  input  wire                        rst_ni,
  input  wire                        valid_i,
  input  wire [ADDR_BITS-1:0]        da_i,
  input  wire [1:0]                  kind_i,
  input  wire                        hit_i,
  input  wire [2:0]                  mark_i,
  output wire                        ready_o,
  output wire                        out_valid_o,
  input  wire                        out_ready_i,
  output reg  [3:0]                  out_kind_o,
  output wire [2:0]                  out_mark_o,
  output wire [ADDR_BITS-1:0]        out_addr_o,
  output wire [REP_PATTERN_BITS-1:0] out_value_o,
  output reg  [DATA_N_BITS-1:0]      out_n_o
);

`include "oct_types.vh"

  localparam integer W = REP_PATTERN_BITS;
  localparam integer BIT_BITS = W > 1 ? $clog2(W) : 1;
  localparam integer COUNT_BITS = REP_COUNT_BITS + 1;
  localparam [31:0] LAST_BIT_32 = W - 1;
  localparam [31:0] MAX_COUNT_32 = REP_COUNT_BITS > 0 ? (32'd1 << REP_COUNT_BITS) + 32'd1 : 32'd1;
  localparam [BIT_BITS-1:0] LAST_BIT = LAST_BIT_32[BIT_BITS-1:0];
  localparam [COUNT_BITS-1:0] MAX_COUNT = MAX_COUNT_32[COUNT_BITS-1:0];
  localparam [COUNT_BITS-1:0] ONCE = 1;

  // the pattern being collected, and the one held
  reg  [W-1:0]          bits_q;
  reg  [BIT_BITS-1:0]   bit_count_q;
  reg  [W-1:0]          held_q;
  reg  [COUNT_BITS-1:0] held_count_q;  // 0: none
  // items of the word taken last that are still to leave, in this order
  reg                   has_early_q;   // the held pattern, before a mark
  reg                   has_part_q;
  reg                   has_mark_q;
  reg                   has_dmt_q;
  reg                   has_late_q;    // the held pattern, or with C = 0 the new one
  reg  [ADDR_BITS-1:0]  da_q;
  reg                   is_end_q;
  reg  [2:0]            mark_q;
  reg  [W-1:0]          part_q;
  reg  [BIT_BITS-1:0]   part_count_q;
  reg  [W-1:0]          leaving_q;     // pattern of the early or late item
  reg  [COUNT_BITS-1:0] leaving_count_q;

  wire                  take;
  wire                  has_mark;
  wire                  has_data;
  wire                  completes;
  wire                  repeats;
  wire                  late;
  wire [W-1:0]          bits_before;   // as the bit finds them: after a mark there are none
  wire [BIT_BITS-1:0]   bit_count_before;
  wire [COUNT_BITS-1:0] held_count_before;
  reg  [W-1:0]          pattern;
  integer               i;

  assign has_mark = mark_i != MARK_NONE;
  assign has_data = kind_i != DATA_NONE;
  assign bits_before = has_mark ? {W{1'b0}} : bits_q;
  assign bit_count_before = has_mark ? {BIT_BITS{1'b0}} : bit_count_q;
  assign held_count_before = has_mark ? {COUNT_BITS{1'b0}} : held_count_q;

  always @* begin
    pattern = bits_before;
    for (i = 0; i < W; i = i + 1) if (bit_count_before == i[BIT_BITS-1:0]) pattern[i] = hit_i;
  end

  assign completes = has_data && bit_count_before == LAST_BIT;
  assign repeats = held_count_before != {COUNT_BITS{1'b0}} && held_count_before != MAX_COUNT &&
                   pattern == held_q;
  assign late = completes && (REP_COUNT_BITS == 0 ||
                              (held_count_before != {COUNT_BITS{1'b0}} && !repeats));

  assign out_valid_o = has_early_q || has_part_q || has_mark_q || has_dmt_q || has_late_q;
  // all but one of the items have left, and that one leaves
  assign ready_o = !out_valid_o ||
      (out_ready_i &&
       !(has_early_q && (has_part_q || has_mark_q || has_dmt_q || has_late_q)) &&
       !(has_part_q && (has_mark_q || has_dmt_q || has_late_q)) &&
       !(has_mark_q && (has_dmt_q || has_late_q)) && !(has_dmt_q && has_late_q));
  assign take = valid_i && ready_o;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      has_early_q <= 1'b0;
      has_part_q <= 1'b0;
      has_mark_q <= 1'b0;
      has_dmt_q <= 1'b0;
      has_late_q <= 1'b0;
    end else if (take) begin
      has_early_q <= has_mark && held_count_q != {COUNT_BITS{1'b0}};
      has_part_q <= has_mark && bit_count_q != {BIT_BITS{1'b0}};
      has_mark_q <= has_mark;
      has_dmt_q <= has_data && !hit_i;
      has_late_q <= late;
    end else if (out_ready_i) begin
      has_early_q <= 1'b0;
      has_part_q <= has_part_q && has_early_q;
      has_mark_q <= has_mark_q && (has_early_q || has_part_q);
      has_dmt_q <= has_dmt_q && (has_early_q || has_part_q || has_mark_q);
      has_late_q <= has_late_q && (has_early_q || has_part_q || has_mark_q || has_dmt_q);
    end
  end

  always @(posedge clk_i) begin
    if (take) begin
      da_q <= da_i;
      is_end_q <= kind_i == DATA_END;
      mark_q <= mark_i;
      part_q <= bits_q;
      part_count_q <= bit_count_q;
      leaving_q <= REP_COUNT_BITS == 0 ? pattern : held_q;
      leaving_count_q <= REP_COUNT_BITS == 0 ? ONCE : held_count_q;
    end
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      bits_q <= {W{1'b0}};
      bit_count_q <= {BIT_BITS{1'b0}};
      held_count_q <= {COUNT_BITS{1'b0}};
    end else if (take) begin
      if (completes) begin
        bits_q <= {W{1'b0}};
        bit_count_q <= {BIT_BITS{1'b0}};
        if (REP_COUNT_BITS != 0) held_count_q <= repeats ? held_count_before + 1'b1 : ONCE;
      end else begin
        bits_q <= has_data ? pattern : bits_before;
        bit_count_q <= has_data ? bit_count_before + 1'b1 : bit_count_before;
        held_count_q <= held_count_before;
      end
    end
  end

  always @(posedge clk_i) begin
    if (take && completes) held_q <= pattern;
  end

  assign out_mark_o = mark_q;
  assign out_addr_o = da_q;
  assign out_value_o = has_part_q && !has_early_q ? part_q : leaving_q;

  always @* begin
    out_n_o = {DATA_N_BITS{1'b0}};
    if (has_part_q && !has_early_q) out_n_o[BIT_BITS-1:0] = part_count_q;
    else out_n_o[COUNT_BITS-1:0] = leaving_count_q;
    if (has_early_q) out_kind_o = leaving_count_q == ONCE ? ITEM_PATTERN : ITEM_REPEAT;
    else if (has_part_q) out_kind_o = ITEM_PATTERN_PART;
    else if (has_mark_q) out_kind_o = ITEM_MARK;
    else if (has_dmt_q) out_kind_o = is_end_q ? ITEM_DMT_END : ITEM_DMT;
    else out_kind_o = leaving_count_q == ONCE ? ITEM_PATTERN : ITEM_REPEAT;
  end

`ifdef FORMAL
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* if (!f_past_q) assume (!rst_ni);

  localparam [31:0] F_W = W;
  wire        f_pop = out_valid_o && out_ready_i;
  wire        f_has_leaving = has_early_q || has_late_q;
  wire        f_is_pattern = out_kind_o == ITEM_PATTERN || out_kind_o == ITEM_REPEAT;
  wire        f_is_part = out_kind_o == ITEM_PATTERN_PART;
  wire        f_is_dmt = out_kind_o == ITEM_DMT || out_kind_o == ITEM_DMT_END;
  wire [31:0] f_n = {{(32 - DATA_N_BITS){1'b0}}, out_n_o};
  wire [31:0] f_held_count = {{(32 - COUNT_BITS){1'b0}}, held_count_q};
  wire [31:0] f_leaving_count = {{(32 - COUNT_BITS){1'b0}}, leaving_count_q};
  wire [31:0] f_bit_count = {{(32 - BIT_BITS){1'b0}}, bit_count_q};
  wire [31:0] f_part_count = {{(32 - BIT_BITS){1'b0}}, part_count_q};

  // What came in and what went out, counted: bits, records that missed, marks.
  reg  [31:0] f_bits_in_q, f_bits_out_q;
  reg  [31:0] f_misses_in_q, f_misses_out_q;
  reg  [31:0] f_marks_in_q, f_marks_out_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {f_bits_in_q, f_bits_out_q} <= 64'd0;
      {f_misses_in_q, f_misses_out_q} <= 64'd0;
      {f_marks_in_q, f_marks_out_q} <= 64'd0;
    end else begin
      if (take && has_data) f_bits_in_q <= f_bits_in_q + 32'd1;
      if (take && has_data && !hit_i) f_misses_in_q <= f_misses_in_q + 32'd1;
      if (take && has_mark) f_marks_in_q <= f_marks_in_q + 32'd1;
      if (f_pop && f_is_pattern) f_bits_out_q <= f_bits_out_q + f_n * F_W;
      if (f_pop && f_is_part) f_bits_out_q <= f_bits_out_q + f_n;
      if (f_pop && f_is_dmt) f_misses_out_q <= f_misses_out_q + 32'd1;
      if (f_pop && out_kind_o == ITEM_MARK) f_marks_out_q <= f_marks_out_q + 32'd1;
    end
  end

  // Any one bit: where it stands, its place in the pattern there, and its value.
  localparam [2:0] F_OUT = 3'd0, F_BITS = 3'd1, F_HELD = 3'd2, F_LEAVING = 3'd3, F_PART = 3'd4;
  (* anyseq *) wire    f_choose;
  reg  [2:0]           f_at_q;
  reg  [BIT_BITS-1:0]  f_place_q;
  reg                  f_value_q;
  wire                 f_chosen = f_choose && f_at_q == F_OUT && take && has_data;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_at_q <= F_OUT;
    end else if (f_chosen) begin
      f_at_q <= !completes ? F_BITS : REP_COUNT_BITS == 0 ? F_LEAVING : F_HELD;
      f_place_q <= bit_count_before;
      f_value_q <= hit_i;
    end else begin
      if (take && f_at_q == F_BITS && has_mark) f_at_q <= F_PART;
      else if (take && f_at_q == F_BITS && completes)
        f_at_q <= REP_COUNT_BITS == 0 ? F_LEAVING : F_HELD;
      if (take && f_at_q == F_HELD && (has_mark || (completes && !repeats))) f_at_q <= F_LEAVING;
      if (f_pop && f_is_pattern && f_at_q == F_LEAVING) f_at_q <= F_OUT;
      if (f_pop && f_is_part && f_at_q == F_PART) f_at_q <= F_OUT;
    end
  end

  always @* if (rst_ni) begin
    // Counts never exceed 2^C + 1, and what leaves has what its packet can say.
    assert (f_held_count <= MAX_COUNT_32);
    if (REP_COUNT_BITS == 0) assert (f_held_count == 32'd0);
    if (f_has_leaving) assert (f_leaving_count >= 32'd1 && f_leaving_count <= MAX_COUNT_32);
    assert (f_bit_count < F_W);
    if (out_valid_o && out_kind_o == ITEM_PATTERN) assert (f_n == 32'd1);
    if (out_valid_o && out_kind_o == ITEM_REPEAT) assert (f_n >= 32'd2 && f_n <= MAX_COUNT_32);
    if (out_valid_o && f_is_part) assert (f_n >= 32'd1 && f_n < F_W);
    // A word has one pattern to emit, before its mark or after.
    assert (!has_early_q || !has_late_q);
    assert (!has_early_q || has_mark_q);
    assert (!has_part_q || (has_mark_q && f_part_count != 32'd0 && f_part_count < F_W));
    // Nothing is lost or made: each bit has left, or is collected, held or about to leave;
    assert (f_bits_in_q - f_bits_out_q ==
            f_bit_count + f_held_count * F_W + (f_has_leaving ? f_leaving_count * F_W : 32'd0) +
            (has_part_q ? f_part_count : 32'd0));
    // so are misses and marks.
    assert (f_misses_in_q - f_misses_out_q == {31'd0, has_dmt_q});
    assert (f_marks_in_q - f_marks_out_q == {31'd0, has_mark_q});
    // A bit keeps its value and its place in the pattern.
    assert (f_at_q <= F_PART);
    if (f_at_q == F_BITS) assert (f_place_q < bit_count_q && bits_q[f_place_q] == f_value_q);
    if (f_at_q == F_HELD) assert (f_held_count != 32'd0 && held_q[f_place_q] == f_value_q);
    if (f_at_q == F_LEAVING) assert (f_has_leaving && leaving_q[f_place_q] == f_value_q);
    if (f_at_q == F_PART)
      assert (has_part_q && f_place_q < part_count_q && part_q[f_place_q] == f_value_q);
    if (f_at_q != F_OUT) assert ({{(32 - BIT_BITS){1'b0}}, f_place_q} < F_W);
    if (out_valid_o && f_is_pattern && f_at_q == F_LEAVING)
      assert (out_value_o[f_place_q] == f_value_q);
    if (out_valid_o && f_is_part && f_at_q == F_PART) assert (out_value_o[f_place_q] == f_value_q);
    // Bits that are not there are zero.
    assert (bits_q >> bit_count_q == {W{1'b0}});
  end

  wire [8+ADDR_BITS+W+DATA_N_BITS-1:0] f_out =
      {out_valid_o, out_kind_o, out_mark_o, out_addr_o, out_value_o, out_n_o};
  reg                                  f_stalled_q = 1'b0;
  reg  [8+ADDR_BITS+W+DATA_N_BITS-1:0] f_out_q;

  always @(posedge clk_i) begin
    f_stalled_q <= rst_ni && out_valid_o && !out_ready_i;
    f_out_q <= f_out;
  end

  always @(posedge clk_i) if (rst_ni) begin
    // What is offered stays until it is taken.
    if (f_stalled_q) assert (f_out == f_out_q);
    // A word that emits all it can, the highest count, a bit that has been through.
    cover ((has_early_q || REP_COUNT_BITS == 0) && (has_part_q || W == 1) && has_mark_q && has_dmt_q);
    cover (out_valid_o && f_is_pattern && f_n == MAX_COUNT_32);
    cover (f_pop && f_is_pattern && f_at_q == F_LEAVING && f_value_q && f_bits_in_q > F_W + F_W);
    cover (has_late_q && has_dmt_q);
  end
`endif

endmodule

`default_nettype wire
