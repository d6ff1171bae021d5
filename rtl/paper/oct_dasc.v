// SPDX-License-Identifier: Apache-2.0
// oct_dasc - data address stride cache: is an access its entry's last address plus its stride?
//
// Tagless and direct mapped, or tagged and set-associative with LRU. Its table (oct_dasc_table) is
// read with the word's arrival, compared and written back in the next cycle. Latency: 2 cycles, one
// word every 2 cycles, or with PIPELINED every cycle: then the table hands on what it writes back,
// and ready_o depends on out_ready_i. Back-pressure: valid/ready; the output is stable while it is
// stalled, and one more word waits behind it. A sync mark forgets all, before its own word.
//
// ADDR_BITS      bits of an address
// PC_ALIGN_BITS  instruction addresses are multiples of 2^this
// DASC_ENTRIES   entries, a power of two
// DASC_WAYS      0 tagless and direct mapped; else tagged, ways, a power of two
// STRIDE_BITS    bits of a stride, which is signed
// PIPELINED      1: one word a cycle
`default_nettype none

module oct_dasc #(
  parameter integer ADDR_BITS     = 32,
  parameter integer PC_ALIGN_BITS = 2,
  parameter integer DASC_ENTRIES  = 1024,
  parameter integer DASC_WAYS     = 0,
  parameter integer STRIDE_BITS   = 8,
  parameter integer PIPELINED     = 0
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,

  input  wire                 valid_i,
  output wire                 ready_o,
  input  wire [ADDR_BITS-1:0] pc_i,
  input  wire [3:0]           slot_i,
  input  wire [ADDR_BITS-1:0] da_i,
  input  wire [1:0]           kind_i,
  input  wire [2:0]           mark_i,

  output wire                 out_valid_o,
  input  wire                 out_ready_i,
  output wire [ADDR_BITS-1:0] out_da_o,
  output wire [1:0]           out_kind_o,
  output wire                 out_hit_o,
  output wire [2:0]           out_mark_o
);

`include "oct_types.vh"

  // The word under way: held_q, and its first cycle, that of the compare: lookup_q.
  reg                  lookup_q, held_q, hit_q;
  reg  [ADDR_BITS-1:0] da_q;
  reg  [1:0]           kind_q;
  reg  [2:0]           mark_q;
  // The output.
  reg                  out_valid_q, out_hit_q;
  reg  [ADDR_BITS-1:0] out_da_q;
  reg  [1:0]           out_kind_q;
  reg  [2:0]           out_mark_q;

  wire                 take, move, out_free, hit;

  assign out_free = !out_valid_q || out_ready_i;
  assign take     = valid_i && ready_o;
  assign move     = held_q && out_free;

  oct_dasc_table #(
    .ADDR_BITS    (ADDR_BITS),
    .PC_ALIGN_BITS(PC_ALIGN_BITS),
    .DASC_ENTRIES (DASC_ENTRIES),
    .DASC_WAYS    (DASC_WAYS),
    .STRIDE_BITS  (STRIDE_BITS),
    .PIPELINED    (PIPELINED)
  ) u_table (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .clear_i (take && mark_i == MARK_SYNC),
    .read_i  (take),
    .pc_i    (pc_i),
    .slot_i  (slot_i),
    .access_i(lookup_q && kind_q == DATA_ACCESS),
    .da_i    (da_q),
    .hit_o   (hit)
  );

  assign ready_o     = !held_q || (PIPELINED != 0 && out_free);
  assign out_valid_o = out_valid_q;
  assign out_da_o    = out_da_q;
  assign out_kind_o  = out_kind_q;
  assign out_hit_o   = out_hit_q;
  assign out_mark_o  = out_mark_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lookup_q    <= 1'b0;
      held_q      <= 1'b0;
      out_valid_q <= 1'b0;
    end else begin
      lookup_q    <= take;
      held_q      <= take || (held_q && !out_free);
      out_valid_q <= move || (out_valid_q && !out_ready_i);
    end
  end

  always @(posedge clk_i) begin
    if (take) begin
      da_q   <= da_i;
      kind_q <= kind_i;
      mark_q <= mark_i;
    end
  end

  always @(posedge clk_i) if (lookup_q) hit_q <= hit;

  always @(posedge clk_i) begin
    if (move) begin
      out_da_q   <= da_q;
      out_kind_q <= kind_q;
      out_hit_q  <= lookup_q ? hit : hit_q;
      out_mark_q <= mark_q;
    end
  end

`ifdef FORMAL
  reg                  f_past_q = 1'b0;
  reg                  f_reset_q = 1'b1;
  reg                  f_take_q, f_freed_q, f_stalled_q;
  reg                  f_hit_q, f_out_hit_q;
  reg  [1:0]           f_taken_q, f_left_q;
  reg  [ADDR_BITS+4:0] f_word_q, f_out_q;

  always @* if (!f_past_q) assume (!rst_ni);

  always @(posedge clk_i) begin
    f_past_q    <= 1'b1;
    f_reset_q   <= !rst_ni;
    f_take_q    <= take;
    f_freed_q   <= lookup_q && out_free;
    f_stalled_q <= out_valid_o && !out_ready_i;
    if (take) f_word_q <= {da_i, kind_i, mark_i};
    if (lookup_q) f_hit_q <= hit;
    if (move) f_out_q <= f_word_q;
    if (move) f_out_hit_q <= lookup_q ? hit : f_hit_q;
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_taken_q <= 2'd0;
      f_left_q  <= 2'd0;
    end else begin
      if (take) f_taken_q <= f_taken_q + 2'd1;
      if (out_valid_o && out_ready_i) f_left_q <= f_left_q + 2'd1;
    end
  end

  always @* if (rst_ni) begin
    // Every word taken leaves once, in order, and whole, with what its lookup said.
    assert (f_taken_q - f_left_q == {1'b0, held_q} + {1'b0, out_valid_o});
    if (held_q) assert ({da_q, kind_q, mark_q} == f_word_q);
    if (held_q && !lookup_q) assert (hit_q == f_hit_q);
    if (out_valid_o) assert ({out_da_o, out_kind_o, out_mark_o} == f_out_q);
    if (out_valid_o) assert (out_hit_o == f_out_hit_q);
    if (lookup_q) assert (held_q);
  end

  reg [ADDR_BITS+5:0] f_offered_q;
  always @(posedge clk_i) f_offered_q <= {out_da_o, out_kind_o, out_mark_o, out_hit_o};

  always @(posedge clk_i) if (rst_ni && !f_reset_q) begin
    // A word is looked up in the cycle after it was taken, in which no other is taken, or one is if
    // the output is free,
    assert (lookup_q == f_take_q);
    if (f_take_q) assert (ready_o == (PIPELINED != 0 && out_free));
    // and in the next it is offered, and another may be taken, if the one before has left.
    if (f_freed_q) assert (out_valid_o && (ready_o || PIPELINED != 0));
    // No word waits for another: one a cycle as long as the output is taken.
    if (PIPELINED != 0 && out_ready_i) assert (ready_o);
    // What is offered is stable while it is stalled.
    if (f_stalled_q)
      assert (out_valid_o && {out_da_o, out_kind_o, out_mark_o, out_hit_o} == f_offered_q);
  end

`ifdef FORMAL_OCT_DASC
  always @(posedge clk_i) if (rst_ni && !f_reset_q) begin
    // One word every 2 cycles; a word waits behind a stalled one; a hit.
    cover (f_take_q && f_freed_q == 1'b0 && out_valid_o && out_ready_i && valid_i);
    cover (f_stalled_q && held_q && !lookup_q && out_ready_i);
    cover (out_valid_o && out_hit_o && f_stalled_q);
  end
`endif
`endif

endmodule

`default_nettype wire
