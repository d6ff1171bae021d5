// SPDX-License-Identifier: Apache-2.0
// oct_shadow_stride - an access that the shadow does not know: stride table, table of differences,
// and the reference that the address is nearest to. docs/shadow-format.md, section 7;
// oct_code_unknown of model/shadow/oct_shadow_data.h.
//
// The address is known, so nothing waits for a decision: a guess is right if the distance from the
// last address equals it. Latency: 3 cycles. The first reads the entry, the second the table of
// differences, by the entry's stride; there stride, last address and confidence are written back.
// The third compares, writes differences, and finds the nearest reference; the fourth writes history and reference,
// while the result goes out. What is written is found by the next access. One access a cycle. Nothing moves while
// moves_i is low.
// clear_i forgets all, the access that comes with it included, for those behind it.
//
// ADDR_BITS       bits of an address
// PC_ALIGN_BITS   instruction addresses are multiples of 2^this
// STRIDE_ENTRIES  entries of the stride table, a power of two from 4 on
// STRIDE_BITS     bits of a stride
// DIFF_BITS       bits of a difference
// DFCM_ENTRIES    entries of the table of differences, a power of two from 2 on, or 0: none
`default_nettype none

module oct_shadow_stride #(
  parameter integer ADDR_BITS      = 32,
  parameter integer PC_ALIGN_BITS  = 2,
  parameter integer STRIDE_ENTRIES = 128,
  parameter integer STRIDE_BITS    = 32,
  parameter integer DIFF_BITS      = 28,
  parameter integer DFCM_ENTRIES   = 256
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 moves_i,
  input  wire                 clear_i,
  input  wire                 valid_i,
  input  wire [ADDR_BITS-1:0] pc_i,
  input  wire                 group_i,
  input  wire [ADDR_BITS-1:0] addr_i,
  input  wire                 has_near_i,
  input  wire [ADDR_BITS-1:0] near_i,
  output wire                 out_valid_o,
  output wire                 out_hit_o,         // the first guess is right
  output wire                 out_agree_o,       // both are the same
  output wire [4:0]           out_context_o,     // of the first guess
  output wire                 out_other_hit_o,   // the other is right
  output wire [2:0]           out_other_context_o,
  output wire                 out_has_near_o,
  output wire [1:0]           out_old_ref_o,     // context of the reference
  output wire [1:0]           out_ref_o,
  output wire [ADDR_BITS-1:0] out_diff_o         // from the reference, signed
);

  localparam integer A = ADDR_BITS;
  localparam integer SB = STRIDE_BITS < A ? STRIDE_BITS : A;
  localparam integer DB = DIFF_BITS < A ? DIFF_BITS : A;
  localparam integer AT_BITS = STRIDE_ENTRIES < 4 ? 2 : $clog2(STRIDE_ENTRIES);  // fewer than 4: refused, not here
  // Hash and confidence are for the table of differences alone.
  localparam integer ENTRY_BITS = A + SB + (DFCM_ENTRIES == 0 ? 0 : 12 + 2);

  wire moves = moves_i;
  reg  clear_1_q, clear_2_q;

  // With the sign above.
  function [63:0] stride_64(input [SB-1:0] s);
    integer i;
    for (i = 0; i < 64; i = i + 1) stride_64[i] = s[i < SB ? i : SB - 1];
  endfunction

  // ---- Cycle 0: the entry's place ----

  wire [63:0] w = {{(64 - A){1'b0}}, pc_i} >> PC_ALIGN_BITS;
  wire [63:0] w_folded = w ^ w >> 5 ^ w >> 9;
  wire [AT_BITS-1:0] at = w_folded[AT_BITS-1:0] ^ {group_i, {(AT_BITS - 1){1'b0}}};

  reg               valid_1_q, has_near_1_q;
  reg [AT_BITS-1:0] at_1_q;
  reg [A-1:0]       addr_1_q, near_1_q;  // the address stays until the next access
  reg               is_none_q;           // no access since the clear
  reg [A-1:0]       before_1_q;          // the access before, of any instruction

  // ---- Cycle 1: the entry ----

  wire                  is_valid;
  wire [ENTRY_BITS-1:0] stored;
  // The access before wrote this entry while it was read: its address and stride are still here.
  reg                   is_fresh_1_q;
  reg  [A-1:0]          now_2_q;
  wire [A-1:0]          last = (is_fresh_1_q ? before_1_q : stored[A-1:0]) & {A{is_valid}};
  wire [SB-1:0]         stride = (is_fresh_1_q ? now_2_q[SB-1:0] : stored[A +: SB]) & {SB{is_valid}};
  wire [11:0]           hash;
  wire [1:0]            conf;
  wire [A-1:0]          now = addr_1_q - last;
  wire [63:0]           stride_wide = stride_64(stride);
  wire                  is_stride = stride_wide[A-1:0] == now;
  wire [63:0]           new_hash = stride_wide ^ stride_wide >> 12 ^ stride_wide >> 24;
  wire [1:0]            new_conf = !is_stride ? 2'd0 : conf == 2'd3 ? 2'd3 : conf + 2'd1;
  wire [A+SB+13:0]      new_entry = {new_conf, new_hash[11:0], now[SB-1:0], addr_1_q};

  generate
    if (DFCM_ENTRIES == 0) begin : gen_no_choice
      assign {conf, hash} = 14'd0;
      wire unused = &{1'b0, new_entry[A+SB +: 14]};
    end else begin : gen_choice
      reg [13:0] written_q;
      always @(posedge clk_i) if (moves) written_q <= new_entry[A+SB +: 14];
      assign {conf, hash} = (is_fresh_1_q ? written_q : stored[A+SB +: 14]) & {14{is_valid}};
    end
  endgenerate

  reg               valid_2_q, has_near_2_q, is_stride_2_q, is_old_2_q;
  reg [AT_BITS-1:0] at_2_q;
  reg [A-1:0]       from_before_2_q, from_near_2_q;
  reg [SB-1:0]      stride_2_q;
  reg [1:0]         conf_2_q;

  oct_ram #(
    .WIDTH(ENTRY_BITS),
    .DEPTH(STRIDE_ENTRIES)
  ) u_entry (
    .clk_i  (clk_i),
    .we_i   (valid_1_q && moves),
    .waddr_i(at_1_q),
    .wdata_i(new_entry[ENTRY_BITS-1:0]),
    .re_i   (valid_i && moves),
    .raddr_i(at),
    .rdata_o(stored)
  );

  oct_valid_rows #(
    .ENTRIES(STRIDE_ENTRIES)
  ) u_valid (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .clear_i(moves && clear_1_q),
    .enter_i(valid_1_q && moves),
    .read_i (valid_i && moves),
    .entry_i(at),
    .valid_o(is_valid)
  );

  // ---- Cycle 2: differences, history ----

  wire        agree, is_diff;
  wire [1:0]  diff_conf;
  wire        diff_first = !agree && diff_conf[1] && diff_conf > conf_2_q;
  wire        hit = diff_first ? is_diff : is_stride_2_q;
  // The access before has this entry, and has not written it yet.
  reg         is_fresh_2_q;
  reg  [2:0]  history_3_q;
  wire [2:0]  stored_history, spare;
  wire [1:0]  stored_ref;
  wire [2:0]  history = !is_old_2_q ? 3'd0 : is_fresh_2_q ? history_3_q : stored_history;

  generate
    if (DFCM_ENTRIES == 0) begin : gen_no_differences
      assign agree     = 1'b1;
      assign is_diff   = is_stride_2_q;
      assign diff_conf = 2'd0;
      wire unused = &{1'b0, stride_2_q, hash, clear_2_q};
    end else begin : gen_differences
      localparam integer PLACE_BITS = $clog2(DFCM_ENTRIES);
      wire [63:0] mixed = stride_wide ^ stride_wide >> 7 ^ {49'd0, hash, 3'd0};
      wire [63:0] mixed_folded = mixed ^ mixed >> PLACE_BITS;
      wire [PLACE_BITS-1:0] place = mixed_folded[PLACE_BITS-1:0];
      reg  [PLACE_BITS-1:0] place_q;
      wire                  is_known;
      wire [DB+1:0]         stored_diff;
      wire [DB-1:0]         diff = is_known ? stored_diff[DB-1:0] : {DB{1'b0}};
      wire [1:0]            sure = is_known ? stored_diff[DB+1:DB] : 2'd0;
      reg  [63:0]           diff_wide;
      wire [63:0]           stride_was = stride_64(stride_2_q);
      wire                  is_same = now_2_q[DB-1:0] == diff;
      wire [1:0]            new_sure = is_same ? (sure == 2'd3 ? 2'd3 : sure + 2'd1) :
                                       sure == 2'd0 ? 2'd0 : sure - 2'd1;
      wire [DB-1:0]         new_diff = sure == 2'd0 ? now_2_q[DB-1:0] : diff;

      assign agree     = diff_wide == stride_was;
      assign is_diff   = diff_wide[A-1:0] == now_2_q;
      assign diff_conf = sure;

      always @* begin : p_diff
        integer i;
        for (i = 0; i < 64; i = i + 1) diff_wide[i] = diff[i < DB ? i : DB - 1];
      end

      always @(posedge clk_i) if (moves) place_q <= place;

      oct_ram #(
        .WIDTH (DB + 2),
        .DEPTH (DFCM_ENTRIES),
        .BYPASS(1)
      ) u_diff (
        .clk_i  (clk_i),
        .we_i   (valid_2_q && moves),
        .waddr_i(place_q),
        .wdata_i({new_sure, new_diff}),
        .re_i   (valid_1_q && moves),
        .raddr_i(place),
        .rdata_o(stored_diff)
      );

      oct_valid_rows #(
        .ENTRIES(DFCM_ENTRIES)
      ) u_known (
        .clk_i  (clk_i),
        .rst_ni (rst_ni),
        .clear_i(moves && clear_2_q),
        .enter_i(valid_2_q && moves),
        .read_i (valid_1_q && moves),
        .entry_i(place),
        .valid_o(is_known)
      );

      wire unused = &{1'b0, mixed_folded, diff_wide};
    end
  endgenerate

  // ---- Cycle 2, too: the reference that leaves the shortest difference ----

`include "oct_length.vh"

  // Bits of a number's amount.
  function [6:0] amount_length(input [A-1:0] value);
    amount_length = length_of({{(64 - A){1'b0}}, value[A-1] ? ~value : value});
  endfunction

  wire [6:0]        last_length = amount_length(now_2_q), before_length = amount_length(from_before_2_q);
  // What is near costs 2 bits less to say.
  wire [6:0]        near_cost = amount_length($unsigned($signed(from_near_2_q) >>> 2));
  wire              is_before = before_length < last_length;
  wire              is_near = has_near_2_q && near_cost < last_length && near_cost < before_length;

  // ---- Cycle 3: the reference of the entry ----

  reg               valid_3_q, has_near_3_q;
  reg               hit_3_q, agree_3_q, other_hit_3_q;
  reg [4:0]         context_3_q;
  reg [2:0]         other_context_3_q;
  reg [AT_BITS-1:0] at_3_q;
  reg [1:0]         nearest_3_q;
  reg [A-1:0]       diff_3_q;
  reg [1:0]         old_ref_3_q;
  wire              is_coded = !hit_3_q && !other_hit_3_q;
  wire [1:0]        new_ref = is_coded ? nearest_3_q : old_ref_3_q;

  // History and reference of an entry, in a word of 8 bits, which memory compilers make. It is written in cycle 3.
  oct_ram #(
    .WIDTH (8),
    .DEPTH (STRIDE_ENTRIES),
    .BYPASS(1)
  ) u_history (
    .clk_i  (clk_i),
    .we_i   (valid_3_q && moves),
    .waddr_i(at_3_q),
    .wdata_i({3'd0, new_ref, history_3_q}),
    .re_i   (valid_1_q && moves),
    .raddr_i(at_1_q),
    .rdata_o({spare, stored_ref, stored_history})
  );

  // ---- Registers ----

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clear_1_q   <= 1'b0;
      clear_2_q   <= 1'b0;
      valid_1_q   <= 1'b0;
      valid_2_q   <= 1'b0;
      valid_3_q   <= 1'b0;
      is_none_q   <= 1'b1;
    end else begin
      if (moves) begin
        clear_1_q   <= clear_i;
        clear_2_q   <= clear_1_q;
        valid_1_q   <= valid_i;
        valid_2_q   <= valid_1_q;
        valid_3_q   <= valid_2_q;
        is_none_q   <= clear_i || (is_none_q && !valid_i);
      end
    end
  end

  always @(posedge clk_i) begin
    if (moves) begin
      at_1_q            <= at;
      is_fresh_1_q      <= valid_1_q && at_1_q == at;
      if (valid_i) addr_1_q <= addr_i;
      near_1_q          <= near_i;
      has_near_1_q      <= has_near_i;
      before_1_q        <= addr_1_q & {A{!is_none_q}};
      at_2_q            <= at_1_q;
      is_fresh_2_q      <= valid_2_q && at_2_q == at_1_q;
      has_near_2_q      <= has_near_1_q;
      is_old_2_q        <= is_valid;
      is_stride_2_q     <= is_stride;
      stride_2_q        <= stride;
      conf_2_q          <= conf;
      now_2_q           <= now;
      from_before_2_q   <= addr_1_q - before_1_q;
      from_near_2_q     <= addr_1_q - near_1_q;
      at_3_q            <= at_2_q;
      has_near_3_q      <= has_near_2_q;
      old_ref_3_q       <= !is_old_2_q ? 2'd0 : is_fresh_2_q ? new_ref : stored_ref;
      history_3_q       <= {history[1:0], hit};
      hit_3_q           <= hit;
      agree_3_q         <= agree;
      other_hit_3_q     <= !agree && (diff_first ? is_stride_2_q : is_diff);
      context_3_q       <= agree ? {2'd0, history} :
                           diff_first ? {2'd1, history[1:0], diff_conf[0]} :
                           {1'b1, history[1:0], conf_2_q};
      other_context_3_q <= {diff_first, history[1:0]};
      nearest_3_q       <= is_near ? 2'd2 : {1'b0, is_before};
      diff_3_q          <= is_near ? from_near_2_q : is_before ? from_before_2_q : now_2_q;
    end
  end

  assign out_valid_o         = valid_3_q;
  assign out_hit_o           = hit_3_q;
  assign out_agree_o         = agree_3_q;
  assign out_context_o       = context_3_q;
  assign out_other_hit_o     = other_hit_3_q;
  assign out_other_context_o = other_context_3_q;
  assign out_has_near_o      = has_near_3_q;
  assign out_old_ref_o       = old_ref_3_q;
  assign out_ref_o           = nearest_3_q;
  assign out_diff_o          = diff_3_q;

  wire unused = &{1'b0, w_folded, new_hash, stride_wide, spare};

endmodule

`default_nettype wire
