// SPDX-License-Identifier: Apache-2.0
// oct_traps - the traps that wait for their packet, beside the stream buffer: PLACES at most.
//
// Each has a mark in the stream buffer, or one that is still to be placed; the mark of the first is the
// first of these. push_i comes only when full_o is not set. undo_i takes back the last, whose mark has
// not been placed. pop_i: the first has its packet. Latency: a trap is told in the cycle after its push.
//
// WORD_BITS  bits of a trap
// PLACES     1 to 7; oct_ingress.h has the number of the model
`default_nettype none

module oct_traps #(
  parameter integer WORD_BITS = 75,
  parameter integer PLACES = 4
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 push_i,
  input  wire [WORD_BITS-1:0] trap_i,
  input  wire                 undo_i,
  input  wire                 pop_i,
  output wire                 full_o,
  output wire [WORD_BITS-1:0] trap_o
);

  localparam [31:0] PLACES_32 = PLACES;

  reg  [PLACES*WORD_BITS-1:0] words_q;  // the first lowest
  reg  [2:0]                  count_q;
  wire [2:0]                  left = count_q - {2'd0, pop_i};
  wire [PLACES*WORD_BITS-1:0] moved = pop_i ? words_q >> WORD_BITS : words_q;

  assign full_o = count_q == PLACES_32[2:0];
  assign trap_o = words_q[WORD_BITS-1:0];

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) count_q <= 3'd0;
    else count_q <= left + {2'd0, push_i} - {2'd0, undo_i};
  end

  integer p;
  always @(posedge clk_i) begin
    for (p = 0; p < PLACES; p = p + 1)
      words_q[WORD_BITS*p+:WORD_BITS] <= push_i && {29'd0, left} == p ? trap_i : moved[WORD_BITS*p+:WORD_BITS];
  end

`ifdef FORMAL
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* if (!f_past_q) assume (!rst_ni);

  // What the ingress keeps: it pushes only where there is room, and takes nothing from an empty queue.
`ifdef FORMAL_OCT_TRAPS
  always @* if (rst_ni) begin
    assume (!(push_i && (full_o || undo_i)));
    assume ({2'd0, undo_i} + {2'd0, pop_i} <= count_q);
  end
`endif

  // Any one of the traps that come, and how many stand before it.
  (* anyseq *) wire   f_follow;
  reg                 f_waits_q = 1'b0;
  reg [WORD_BITS-1:0] f_word_q;
  reg [2:0]           f_before_q;
  always @(posedge clk_i) begin
    if (!rst_ni || (undo_i && f_before_q + 3'd1 == count_q) || (pop_i && f_before_q == 3'd0)) f_waits_q <= 1'b0;
    else if (f_waits_q) f_before_q <= f_before_q - {2'd0, pop_i};
    if (rst_ni && push_i && f_follow && !f_waits_q) begin
      f_waits_q  <= 1'b1;
      f_word_q   <= trap_i;
      f_before_q <= left;
    end
  end
  wire [PLACES*WORD_BITS-1:0] f_from = words_q >> (WORD_BITS * f_before_q);
  always @* if (rst_ni) begin
    assert (count_q <= PLACES_32[2:0]);
    // It stays, behind those that came before it, until it is the first.
    if (f_waits_q) assert (f_before_q < count_q && f_from[WORD_BITS-1:0] == f_word_q);
    if (f_waits_q && f_before_q == 3'd0) assert (trap_o == f_word_q);
  end
  always @(posedge clk_i) if (f_past_q && rst_ni && $past(rst_ni)) begin
    cover ($past(full_o && pop_i) && trap_o != $past(trap_o));
    cover ($past(push_i && pop_i) && trap_o != $past(trap_o));
    cover ($past(full_o && undo_i && pop_i) && !full_o);
  end
`endif

endmodule

`default_nettype wire
