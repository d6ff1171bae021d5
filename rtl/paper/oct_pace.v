// SPDX-License-Identifier: Apache-2.0
// oct_pace - cycles of streams (TIMESTAMP = 2): how late each stream begins, against a core that retires
// an instruction in each cycle.
//
// After a stamp each instruction moves the expected cycle on by one. lag_q is the cycle of now less the
// expected one, up to FAR. The stream that begins takes it as its delay: delay_o, of the open stream, in
// two's complement. A lag that is too large makes a stamp due (far_o); where that cannot stand, the delay
// is the lowest number, which means unknown, and a stamp is due as soon as can be (lost_o).
// Latency: none from lag to far_o; the delay is told from the cycle after the stream's first instruction on.
`default_nettype none

module oct_pace (
  input  wire        clk_i,
  input  wire        rst_ni,
  input  wire        insn_i,   // an instruction is taken,
  input  wire        opens_i,  // and a stream begins with it
  input  wire        sync_i,   // a sync is placed
  input  wire        time_i,   // a stamp is placed, before the instruction
  output wire        far_o,
  output wire        lost_o,
  output wire [11:0] delay_o
);

  localparam [11:0] FAR = 12'd2048;
  localparam [11:0] UNKNOWN = 12'h800;

  reg [11:0] lag_q, delay_q;
  reg        known_q;  // a decoder knows the expected cycle
  wire       is_far = lag_q == FAR;
  wire       opens  = insn_i && opens_i;

  assign far_o   = known_q && is_far;
  assign lost_o  = opens && far_o && !time_i && !sync_i;
  assign delay_o = delay_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lag_q   <= 12'd0;
      known_q <= 1'b0;
    end else begin
      if (opens) lag_q <= 12'd0;
      else if (!insn_i && !is_far) lag_q <= lag_q + 12'd1;
      known_q <= time_i || (known_q && !sync_i && !lost_o);
    end
  end

  always @(posedge clk_i) begin
    if (opens) delay_q <= time_i || sync_i || !known_q ? 12'd0 : is_far ? UNKNOWN : lag_q;
  end

`ifdef FORMAL
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* if (!f_past_q) assume (!rst_ni);
  always @* if (rst_ni && time_i) assume (insn_i && opens_i && !sync_i);

  // What a decoder works out: the cycle of a stream is that of the stream before and its length, and its
  // delay. Cycles and instructions are counted beside it.
  reg [15:0] f_cycle_q, f_expected_q, f_begun_q;
  always @(posedge clk_i) begin
    f_cycle_q <= f_cycle_q + 16'd1;
    if (opens) f_begun_q <= f_cycle_q;
    if (insn_i) f_expected_q <= (opens_i ? f_cycle_q : f_expected_q) + 16'd1;
  end
  reg [15:0] f_decoded_q;  // the cycle that the decoder expects for the next instruction, if it knows
  reg        f_knows_q;
  always @(posedge clk_i) begin
    if (!rst_ni) f_knows_q <= 1'b0;
    else if (opens) f_knows_q <= time_i || (known_q && !sync_i && !is_far);
    else if (sync_i) f_knows_q <= 1'b0;
    if (time_i) f_decoded_q <= f_cycle_q + 16'd1;
    else if (opens && known_q && !is_far) f_decoded_q <= f_decoded_q + {4'd0, lag_q} + 16'd1;
    else if (insn_i) f_decoded_q <= f_decoded_q + 16'd1;
  end
  always @* if (rst_ni && f_past_q) begin
    assert (lag_q <= 12'd2048 && known_q == f_knows_q);
    // A delay is told up to 2047, the most that a packet has (docs/port-format.md, section 5).
    assert (far_o == (known_q && lag_q > 12'd2047));
    if (known_q) assert (f_decoded_q == f_expected_q);
    if (known_q && !is_far) assert (f_cycle_q == f_expected_q + {4'd0, lag_q});
  end
  always @(posedge clk_i) if (f_past_q && rst_ni && $past(rst_ni)) begin
    if ($past(opens && known_q && !is_far && !time_i && !sync_i)) assert (delay_o == $past(lag_q));
    cover ($past(opens && known_q && !time_i) && delay_o == 12'd3);
    cover (known_q && $past(!known_q));
  end
`endif

endmodule

`default_nettype wire
