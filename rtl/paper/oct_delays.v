// SPDX-License-Identifier: Apache-2.0
// oct_delays - the delays of streams (TIMESTAMP = 2) on their way past the stream cache to the output.
//
// Takes what the stream buffer takes: of a word that has a stream (stream_i) its delay, and its mark, if that
// is a barrier. A word with both gives two items, one after the other: out_mark_o 0 tells a delay.
// Latency: 1 cycle from push to item. Back-pressure: ready_o; an item is stable until it is taken.
//
// TIMESTAMP      with any but 2 it is always ready, and gives nothing
// DEPTH, PASSES  as of the stream buffer (oct_fifo.v); at least DELAYS_LEAST, since the mark of a flush or an overflow stays
//                here until the tuple before it has left, while the stream cache has taken its own out of the
//                stream buffer
`default_nettype none

module oct_delays #(
  parameter integer TIMESTAMP = 2,
  parameter integer DEPTH = 4,
  parameter integer PASSES = 0
) (
  input  wire        clk_i,
  input  wire        rst_ni,
  input  wire        push_i,
  input  wire        stream_i,
  input  wire [11:0] delay_i,
  input  wire [2:0]  mark_i,
  output wire        ready_o,
  output wire        out_valid_o,
  input  wire        out_ready_i,
  output wire [2:0]  out_mark_o,
  output wire [11:0] out_delay_o
);

`include "oct_types.vh"

  wire is_barrier = mark_i == MARK_SYNC || mark_i == MARK_OVERFLOW || mark_i == MARK_FLUSH;

  generate
    if (TIMESTAMP == 2) begin : gen_delays
      localparam integer COUNT_BITS = $clog2(DEPTH + 1);
      reg                   told_q;  // the head's delay has gone, its barrier not yet
      wire                  has_stream;
      wire [2:0]            mark;
      wire [COUNT_BITS-1:0] count;
      wire                  tells    = has_stream && !told_q;
      wire                  is_first = tells && mark != MARK_NONE;
      wire                  taken    = out_valid_o && out_ready_i;

      assign out_mark_o = tells ? MARK_NONE : mark;

      oct_fifo #(
        .WIDTH (16),
        .DEPTH (DEPTH),
        .PASSES(PASSES)
      ) u_buffer (
        .clk_i  (clk_i),
        .rst_ni (rst_ni),
        .push_i (push_i && (stream_i || is_barrier)),
        .data_i ({stream_i, is_barrier ? mark_i : MARK_NONE, delay_i}),
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
      wire unused_count = &{1'b0, count};
    end else begin : gen_no_delays
      wire unused = &{1'b0, clk_i, rst_ni, push_i, stream_i, delay_i, is_barrier, out_ready_i};
      assign {ready_o, out_valid_o, out_mark_o, out_delay_o} = {1'b1, 1'b0, MARK_NONE, 12'd0};
    end
  endgenerate

`ifdef FORMAL
`ifdef FORMAL_OCT_DELAYS
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* begin
    if (!f_past_q) assume (!rst_ni);
    if (rst_ni && push_i) assume (ready_o);
  end

  // As many delays leave as streams came, and as many barriers, each delay before its barrier.
  wire      f_taken = out_valid_o && out_ready_i;
  reg [5:0] f_delays_in_q, f_delays_out_q, f_marks_in_q, f_marks_out_q;
  always @(posedge clk_i) begin
    f_delays_in_q  <= rst_ni ? f_delays_in_q + {5'd0, push_i && stream_i} : 6'd0;
    f_marks_in_q   <= rst_ni ? f_marks_in_q + {5'd0, push_i && is_barrier} : 6'd0;
    f_delays_out_q <= rst_ni ? f_delays_out_q + {5'd0, f_taken && out_mark_o == MARK_NONE} : 6'd0;
    f_marks_out_q  <= rst_ni ? f_marks_out_q + {5'd0, f_taken && out_mark_o != MARK_NONE} : 6'd0;
  end
  always @* if (rst_ni && f_past_q && !out_valid_o)
    assert (f_delays_in_q == f_delays_out_q && f_marks_in_q == f_marks_out_q);
  always @(posedge clk_i) if (f_past_q && rst_ni && $past(rst_ni)) begin
    if ($past(out_valid_o && !out_ready_i)) assert (out_valid_o && $stable(out_mark_o) && $stable(out_delay_o));
    // Behind the delay of a word with both comes its barrier.
    cover ($past(f_taken && out_mark_o == MARK_NONE) && f_taken && out_mark_o != MARK_NONE && f_delays_out_q == 6'd2);
  end
`endif
`endif

endmodule

`default_nettype wire
