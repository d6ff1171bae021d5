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

module oct_repetition #(
`include "oct_params.vh"
,
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

  localparam [2:0] MARK_NONE = 3'd0;
  localparam [1:0] DATA_NONE = 2'd0;
  localparam [1:0] DATA_END = 2'd2;
  localparam [3:0] ITEM_DMT = 4'd5;
  localparam [3:0] ITEM_DMT_END = 4'd6;
  localparam [3:0] ITEM_PATTERN = 4'd7;
  localparam [3:0] ITEM_REPEAT = 4'd8;
  localparam [3:0] ITEM_PATTERN_PART = 4'd9;
  localparam [3:0] ITEM_MARK = 4'd10;

  localparam integer W = REP_PATTERN_BITS;
  localparam integer BIT_BITS = W > 1 ? $clog2(W) : 1;
  localparam integer COUNT_BITS = REP_COUNT_BITS + 1;
  localparam [31:0] LAST_BIT_32 = W - 1;
  localparam [31:0] MAX_COUNT_32 = REP_COUNT_BITS > 0 ? (32'd1 << REP_COUNT_BITS) + 32'd1 : 32'd1;
  localparam [BIT_BITS-1:0] LAST_BIT = LAST_BIT_32[BIT_BITS-1:0];
  localparam [COUNT_BITS-1:0] MAX_COUNT = MAX_COUNT_32[COUNT_BITS-1:0];
  localparam [COUNT_BITS-1:0] ONE = 1;

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
      leaving_count_q <= REP_COUNT_BITS == 0 ? ONE : held_count_q;
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
        if (REP_COUNT_BITS != 0) held_count_q <= repeats ? held_count_before + ONE : ONE;
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
    if (has_early_q) out_kind_o = leaving_count_q == ONE ? ITEM_PATTERN : ITEM_REPEAT;
    else if (has_part_q) out_kind_o = ITEM_PATTERN_PART;
    else if (has_mark_q) out_kind_o = ITEM_MARK;
    else if (has_dmt_q) out_kind_o = is_end_q ? ITEM_DMT_END : ITEM_DMT;
    else out_kind_o = leaving_count_q == ONE ? ITEM_PATTERN : ITEM_REPEAT;
  end

endmodule
