// SPDX-License-Identifier: Apache-2.0
// oct_delays - the delays of streams (TIMESTAMP = 2) on their way past the stream cache to the output.
//
// A word has a stream's delay, if stream_i, and the barrier behind it, if mark_i is one; it has at least one
// of the two. A word with both gives two items, one after the other: out_mark_o 0 tells a delay.
// Latency: 1 cycle from push to item. Back-pressure: ready_o; an item is stable until it is taken.
//
// DEPTH, PASSES  as of the stream buffer (oct_fifo.v)
`default_nettype none

module oct_delays #(
  parameter integer DEPTH = 2,
  parameter integer PASSES = 0
) (
  input  wire        clk_i,
  input  wire        rst_ni,
  input  wire        push_i,
  input  wire        stream_i,
  input  wire [11:0] delay_i,
  input  wire [2:0]  mark_i,  // a barrier, or 0
  output wire        ready_o,
  output wire        out_valid_o,
  input  wire        out_ready_i,
  output wire [2:0]  out_mark_o,
  output wire [11:0] out_delay_o
);

  localparam integer COUNT_BITS = $clog2(DEPTH + 1);
  reg                   told_q;  // the head's delay has gone, its barrier not yet
  wire                  has_stream;
  wire [2:0]            mark;
  wire [COUNT_BITS-1:0] count;
  wire                  tells    = has_stream && !told_q;
  wire                  is_first = tells && mark != 3'd0;
  wire                  taken    = out_valid_o && out_ready_i;
  wire                  unused_count = &{1'b0, count};

  assign out_mark_o = tells ? 3'd0 : mark;

  oct_fifo #(
    .WIDTH (16),
    .DEPTH (DEPTH),
    .PASSES(PASSES)
  ) u_buffer (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (push_i),
    .data_i ({stream_i, mark_i, delay_i}),
    .pop_i  (taken && !is_first),
    .ready_o(ready_o),
    .valid_o(out_valid_o),
    .data_o ({has_stream, mark, out_delay_o}),
    .count_o(count)
  );

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) told_q <= 1'b0;
    else if (taken) told_q <= is_first;
  end

`ifdef FORMAL
`ifdef FORMAL_OCT_DELAYS
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* begin
    if (!f_past_q) assume (!rst_ni);
    if (rst_ni && push_i) assume (ready_o && (stream_i || mark_i != 3'd0));
  end

  // As many delays leave as streams came, and as many barriers, each delay before its barrier.
  reg [5:0] f_delays_in_q, f_delays_out_q, f_marks_in_q, f_marks_out_q;
  always @(posedge clk_i) begin
    f_delays_in_q  <= rst_ni ? f_delays_in_q + {5'd0, push_i && stream_i} : 6'd0;
    f_marks_in_q   <= rst_ni ? f_marks_in_q + {5'd0, push_i && mark_i != 3'd0} : 6'd0;
    f_delays_out_q <= rst_ni ? f_delays_out_q + {5'd0, taken && out_mark_o == 3'd0} : 6'd0;
    f_marks_out_q  <= rst_ni ? f_marks_out_q + {5'd0, taken && out_mark_o != 3'd0} : 6'd0;
  end
  always @* if (rst_ni && f_past_q) begin
    if (count == {COUNT_BITS{1'b0}}) assert (f_delays_in_q == f_delays_out_q && f_marks_in_q == f_marks_out_q);
    if (count == {COUNT_BITS{1'b0}}) assert (!told_q);
  end
  always @(posedge clk_i) if (f_past_q && rst_ni && $past(rst_ni)) begin
    if ($past(out_valid_o && !out_ready_i)) assert (out_valid_o && $stable(out_mark_o) && $stable(out_delay_o));
    cover ($past(taken && is_first) && taken && out_mark_o != 3'd0 && f_delays_out_q == 6'd2);
  end
`endif
`endif

endmodule

`default_nettype wire
