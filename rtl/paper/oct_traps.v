// SPDX-License-Identifier: Apache-2.0
// oct_traps - the traps that wait for their packet, beside the stream buffer: two at most.
//
// Each has a mark in the stream buffer, or one that is still to be placed; the mark of the first is the
// first of these. push_i comes only when full_o is not set. undo_i takes back the last, whose mark has
// not been placed. pop_i: the first has its packet. Latency: a trap is told in the cycle after its push.
//
// WORD_BITS  bits of a trap
`default_nettype none

module oct_traps #(
  parameter integer WORD_BITS = 75
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

  reg [WORD_BITS-1:0] first_q, last_q;
  reg [1:0]           count_q;

  assign full_o = count_q == 2'd2;
  assign trap_o = first_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) count_q <= 2'd0;
    else count_q <= count_q + {1'b0, push_i} - {1'b0, undo_i} - {1'b0, pop_i};
  end

  always @(posedge clk_i) begin
    if (push_i) last_q <= trap_i;
    if (push_i && (count_q == 2'd0 || pop_i)) first_q <= trap_i;
    else if (pop_i) first_q <= last_q;
  end

`ifdef FORMAL
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* if (!f_past_q) assume (!rst_ni);

  // What the ingress keeps: it pushes only where there is room, and takes nothing from an empty queue.
`ifdef FORMAL_OCT_TRAPS
  always @* if (rst_ni) begin
    assume (!(push_i && (full_o || undo_i)));
    assume ({1'b0, undo_i} + {1'b0, pop_i} <= count_q);
  end
`endif

  // The queue beside it, as two places that move up.
  reg [WORD_BITS-1:0] f_word_q[0:1];
  wire [1:0]          f_left = count_q - {1'b0, undo_i} - {1'b0, pop_i};
  always @(posedge clk_i) begin
    if (pop_i) f_word_q[0] <= f_word_q[1];
    if (push_i && f_left == 2'd0) f_word_q[0] <= trap_i;
    if (push_i && f_left == 2'd1) f_word_q[1] <= trap_i;
  end
  always @* if (rst_ni) begin
    assert (count_q <= 2'd2);
    // The first that came and has not gone stands at the output, and the other behind it.
    if (count_q != 2'd0) assert (trap_o == f_word_q[0]);
    if (count_q == 2'd2) assert (last_q == f_word_q[1]);
  end
  always @(posedge clk_i) if (f_past_q && rst_ni && $past(rst_ni)) begin
    cover ($past(full_o && pop_i) && trap_o != $past(trap_o));
    cover ($past(push_i && pop_i) && trap_o != $past(trap_o));
    cover ($past(full_o && undo_i && pop_i) && !full_o);
  end
`endif

endmodule

`default_nettype wire
