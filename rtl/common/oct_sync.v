// SPDX-License-Identifier: Apache-2.0
// oct_sync - bits from another clock: each through STAGES flip-flops of this one.
//
// A flip-flop whose input changes near the edge may take long to decide, and may take the value of before. The next
// one looks a cycle later. So between two edges of clk_i either one bit changes at most, or the bits may come one
// cycle apart. A chip puts its library's synchroniser here.
// Latency: STAGES cycles, or one more.
// With OCT_METASTABLE defined, a number of time units, a simulation without synthesis takes what has changed in so
// short a time before the edge or not, by chance.
//
// STAGES  2 or more
// WIDTH   1 or more
`default_nettype none

module oct_sync #(
  parameter integer STAGES = 2,  // from 2 on: flip-flops in a row
  parameter integer WIDTH  = 1   // from 1 on: bits
) (
`ifdef FORMAL
  // of a proof with several clocks: whether this one ticks, and what the row holds
  input  wire             f_tick_i,
  output wire [WIDTH*STAGES-1:0] f_row_o,
`endif
  input  wire             clk_i,
  input  wire             rst_ni,
  input  wire [WIDTH-1:0] async_i,  // of another clock
  output wire [WIDTH-1:0] sync_o
);

  // What is illegal stops elaboration: docs/rtl.md, conventions.
  generate
    if (STAGES < 2) begin : gen_illegal_STAGES
      oct_illegal_STAGES_expected_2_or_more u_illegal ();
    end
    if (WIDTH < 1) begin : gen_illegal_WIDTH
      oct_illegal_WIDTH_expected_1_or_more u_illegal ();
    end
  endgenerate

  wire [WIDTH-1:0] seen;
`ifdef OCT_METASTABLE
  reg [WIDTH-1:0] earlier = {WIDTH{1'b0}}, pick = {WIDTH{1'b0}};
  always @(async_i) earlier <= #(`OCT_METASTABLE) async_i;
  always @(negedge clk_i) pick <= $random;
  assign seen = (async_i & pick) | (earlier & ~pick);
`else
  assign seen = async_i;
`endif

  // Stage 0 in the low bits.
  reg [WIDTH*STAGES-1:0] row_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) row_q <= {WIDTH * STAGES{1'b0}};
`ifdef FORMAL
    else if (!f_tick_i) row_q <= row_q;
`endif
    else row_q <= {row_q[WIDTH*(STAGES-1)-1:0], seen};
  end
`ifdef FORMAL
  assign f_row_o = row_q;
`endif
  assign sync_o = row_q[WIDTH*(STAGES-1)+:WIDTH];

endmodule

`default_nettype wire
