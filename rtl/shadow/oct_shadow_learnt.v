// SPDX-License-Identifier: Apache-2.0
// oct_shadow_learnt - words that were learnt, on their way to the value cache. docs/shadow-format.md,
// section 6; oct_vc_learn and oct_vc_settle of model/shadow/oct_shadow_exec.h.
//
// The word that an instruction learns becomes due when the next one begins. due_*_o are those behind the
// beat at hand, for the beat that is read meanwhile; due_value_o is of the beat at hand, which had the
// cache for it. A store to the word that is due ends that; a word's number is told by its lowest bits.
// Nothing moves while moves_i is low.
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
  input  wire                 wrote_due_i,   // it had the value cache for the word that was due
  input  wire                 stores_i,      // it stores
  input  wire [11:0]          stored_i,      // there: lowest bits of the word's number
  output wire                 due_valid_o,
  output wire [ADDR_BITS-1:0] due_addr_o,
  output wire [ADDR_BITS-1:0] due_value_o
);

  localparam integer WORD_LOG2 = ADDR_BITS > 32 ? 3 : 2;

  reg                 learnt_q, due_q;
  reg [ADDR_BITS-1:0] learnt_addr_q, learnt_value_q, due_addr_q, due_value_q;
  wire                begins = valid_i && is_first_i;
  wire                due = begins ? learnt_q || (due_q && !wrote_due_i) : due_q;
  wire                is_stale = valid_i && stores_i && due_addr_o[WORD_LOG2 +: 12] == stored_i;

  assign due_valid_o = due && !is_stale && !clear_i;
  assign due_addr_o  = begins && learnt_q ? learnt_addr_q : due_addr_q;
  assign due_value_o = due_value_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      learnt_q <= 1'b0;
      due_q    <= 1'b0;
    end else if (moves_i) begin
      if (clear_i) begin
        learnt_q <= 1'b0;
        due_q    <= 1'b0;
      end else if (valid_i) begin
        due_q    <= due && !is_stale;
        learnt_q <= learns_i || (learnt_q && !is_first_i);
      end
    end
  end

  always @(posedge clk_i) begin
    if (moves_i && valid_i) begin
      if (learns_i) begin
        learnt_addr_q  <= addr_i;
        learnt_value_q <= value_i;
      end
      if (begins && learnt_q) begin
        due_addr_q  <= learnt_addr_q;
        due_value_q <= learnt_value_q;
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
    if (f_clear_q) assert (!due_q && !learnt_q);
  end
  // Nor is it due to the beat behind the sync.
  always @* if (rst_ni && clear_i) assert (!due_valid_o);

  always @(posedge clk_i) if (rst_ni) begin
    cover (wrote_due_i && learnt_q);
    cover (f_past_q && f_wrote_q && !due_q);
  end
`endif

endmodule

`default_nettype wire
