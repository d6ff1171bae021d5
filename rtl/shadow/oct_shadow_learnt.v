// SPDX-License-Identifier: Apache-2.0
// oct_shadow_learnt - words that were learnt, on their way to the value cache. docs/shadow-format.md,
// section 6; oct_vc_learn and oct_vc_settle of model/shadow/oct_shadow_exec.h.
//
// The word that an instruction learns becomes due when the next one begins. due_*_o are those behind the
// beat at hand, for the beat that is read meanwhile; due_value_o is of the beat at hand, which had the
// cache for it. A store to the word that is due ends that; a word's number is told by its lowest bits.
// Nothing moves while moves_i is low.
//
// A loaded target teaches its word where it was wrong. That is told last, so it is kept for the next beat, which is the
// first of the instruction at the true target: its address is the word, that of the access before its place.
//
// ADDR_BITS  bits of an address
`default_nettype none

module oct_shadow_learnt #(
  parameter integer ADDR_BITS = 32
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 moves_i,
  input  wire                 clear_i,
  input  wire                 valid_i,       // a beat,
  input  wire                 is_first_i,    // the first of its instruction
  input  wire                 learns_i,
  input  wire [ADDR_BITS-1:0] addr_i,
  input  wire [ADDR_BITS-1:0] value_i,
  input  wire                 is_target_i,   // its last beat, and its target was loaded there:
  input  wire                 right_i,       // it was right, or else is learnt in place of the other
  input  wire [ADDR_BITS-1:0] last_addr_i,   // of the access before
  input  wire [ADDR_BITS-1:0] pc_i,
  input  wire                 wrote_due_i,   // it had the value cache for the word that was due
  input  wire                 stores_i,      // it stores
  input  wire [11:0]          stored_i,      // there: lowest bits of the word's number
  output wire                 due_valid_o,
  output wire [ADDR_BITS-1:0] due_addr_o,
  output wire [ADDR_BITS-1:0] due_value_o
);

  localparam integer WORD_LOG2 = ADDR_BITS > 32 ? 3 : 2;

  reg                 learnt_q, is_target_q, right_q, due_q;
  reg [ADDR_BITS-1:0] learnt_addr_q, learnt_value_q, due_addr_q, due_value_q;
  wire                begins = valid_i && is_first_i;
  wire                is_wrong = is_target_q && !right_q;
  wire                learnt = learnt_q || is_wrong;
  wire [ADDR_BITS-1:0] learnt_addr = is_wrong ? last_addr_i : learnt_addr_q;
  wire                due = begins ? learnt || (due_q && !wrote_due_i) : due_q;
  // Both are compared before it is known which of them is due.
  wire                is_new = begins && learnt;
  wire                is_same = is_new ? learnt_addr[WORD_LOG2 +: 12] == stored_i : due_addr_q[WORD_LOG2 +: 12] == stored_i;
  wire                is_stale = valid_i && stores_i && is_same;

  assign due_valid_o = due && !is_stale && !clear_i;
  assign due_addr_o  = is_new ? learnt_addr : due_addr_q;
  assign due_value_o = due_value_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      learnt_q    <= 1'b0;
      is_target_q <= 1'b0;
      due_q       <= 1'b0;
    end else if (moves_i) begin
      if (clear_i) begin
        learnt_q    <= 1'b0;
        is_target_q <= 1'b0;
        due_q       <= 1'b0;
      end else if (valid_i) begin
        due_q       <= due && !is_stale;
        learnt_q    <= learns_i || (learnt_q && !is_first_i);
        is_target_q <= is_target_i;
      end
    end
  end

  always @(posedge clk_i) begin
    if (moves_i && valid_i) begin
      right_q <= right_i;
      if (learns_i) begin
        learnt_addr_q  <= addr_i;
        learnt_value_q <= value_i;
      end
      if (is_new) begin
        due_addr_q  <= learnt_addr;
        due_value_q <= is_wrong ? pc_i : learnt_value_q;
      end
    end
  end

`ifdef FORMAL
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* if (!f_past_q) assume (!rst_ni);
  // A word is written only when it is due.
  always @* if (wrote_due_i) assume (valid_i && is_first_i && due_q);

  reg f_due_q, f_moves_q, f_stale_q, f_wrote_q, f_clear_q;
  always @(posedge clk_i) begin
    f_due_q    <= due_q;
    f_moves_q  <= moves_i && rst_ni;
    f_stale_q  <= is_stale;
    f_wrote_q  <= wrote_due_i;
    f_clear_q  <= clear_i;
  end

  always @* if (rst_ni && f_past_q && f_moves_q) begin
    // What is due stays until it is written or another one is, or a store changes it, and nothing
    // outlives a sync.
    if (f_due_q && !f_wrote_q && !f_clear_q && !f_stale_q) assert (due_q);
    if (f_stale_q) assert (!due_q);
    if (f_clear_q) assert (!due_q && !learnt_q && !is_target_q);
  end
  // A word is due to the beat behind unless this beat stores to it, be it the one that was due or the one that has just become so.
  always @* if (rst_ni && !clear_i)
    assert (due_valid_o == (due && !(valid_i && stores_i && due_addr_o[WORD_LOG2 +: 12] == stored_i)));
  // Nor is it due to the beat behind the sync.
  always @* if (rst_ni && clear_i) assert (!due_valid_o);

  always @(posedge clk_i) if (rst_ni) begin
    cover (wrote_due_i && learnt_q);
    cover (wrote_due_i && is_wrong);
    cover (f_past_q && f_wrote_q && !due_q);
    cover (is_new && is_stale && due_q && due_addr_q != learnt_addr);
  end
`endif

endmodule

`default_nettype wire
