// SPDX-License-Identifier: Apache-2.0
// oct_stamp - time stamps: counts cycles, says when a stamp is due, and holds the one under way.
//
// A stamp is due behind a sync, and when TIME_PERIOD_INSNS instructions have been taken since the last
// one. One waits for its packet at a time. time_o is the number of cycles since the stamp before, or,
// behind a sync, since the reset; the cycle after the reset is cycle 1. It is stable until done_i.
// Latency: none from due_o to take_i; time_o is that of the cycle of take_i, from the next cycle on.
//
// TIME_PERIOD_INSNS  instructions between stamps, 0 = only behind syncs
`default_nettype none

module oct_stamp #(
  parameter [31:0] TIME_PERIOD_INSNS = 32'd0
) (
  input  wire        clk_i,
  input  wire        rst_ni,
  input  wire        insn_i,  // an instruction is taken
  input  wire        sync_i,  // a sync is placed
  input  wire        take_i,  // a stamp is placed, before the instruction of this cycle
  input  wire        done_i,  // it has its packet
  input  wire        far_i,   // of oct_pace.v: an instruction of this cycle needs one,
  input  wire        lost_i,  // one was needed and could not stand
  output wire        due_o,
  output wire [55:0] time_o
);

  reg [55:0] cycle_q, last_q, time_q;
  reg [31:0] since_q;  // instructions from the last stamp on; stops at the period
  reg        need_q, busy_q;
  wire       is_late = TIME_PERIOD_INSNS != 32'd0 && since_q >= TIME_PERIOD_INSNS;

  assign due_o  = !busy_q && (need_q || is_late || far_i);
  assign time_o = time_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycle_q <= 56'd1;
      since_q <= 32'd0;
      need_q  <= 1'b0;
      busy_q  <= 1'b0;
    end else begin
      cycle_q <= cycle_q + 56'd1;
      need_q  <= sync_i || lost_i || (need_q && !take_i);
      busy_q  <= take_i || (busy_q && !done_i);
      if (take_i) since_q <= {31'd0, insn_i};
      else if (insn_i && !is_late) since_q <= since_q + {31'd0, TIME_PERIOD_INSNS != 32'd0};
    end
  end

  always @(posedge clk_i) begin
    if (take_i) time_q <= cycle_q - last_q;
    if (sync_i) last_q <= 56'd0;
    else if (take_i) last_q <= cycle_q;
  end

`ifdef FORMAL
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* if (!f_past_q) assume (!rst_ni);

  // A stamp is taken when it is due; the first comes behind a sync.
`ifdef FORMAL_OCT_STAMP
  always @* if (rst_ni && take_i) assume (due_o && insn_i && !sync_i);
`endif

  // The sum of the stamps since a sync is the cycle of the last.
  reg [55:0] f_sum_q, f_cycle_q;
  reg        f_synced_q;
  always @(posedge clk_i) begin
    f_cycle_q <= rst_ni ? f_cycle_q + 56'd1 : 56'd1;
    if (!rst_ni) f_synced_q <= 1'b0;
    else if (sync_i) f_synced_q <= 1'b1;
    if (sync_i) f_sum_q <= 56'd0;
    else if (take_i) f_sum_q <= f_sum_q + (cycle_q - last_q);
  end
  always @* if (rst_ni && f_past_q) begin
    assert (cycle_q == f_cycle_q);
    if (f_synced_q) assert (f_sum_q == last_q);
    if (TIME_PERIOD_INSNS != 32'd0) assert (since_q <= TIME_PERIOD_INSNS);
  end
  always @(posedge clk_i) if (f_past_q && rst_ni && $past(rst_ni)) begin
    if ($past(take_i && f_synced_q)) assert (f_sum_q == $past(cycle_q));
    // A stamp does not change while it waits, and no other is due.
    if ($past(busy_q && !take_i)) assert ($stable(time_o));
    if (busy_q) assert (!due_o);
    if ($past(sync_i && !busy_q)) assert (due_o);
    cover ($past(take_i, 2) && take_i && time_o != 56'd0);
    cover (TIME_PERIOD_INSNS != 32'd0 && due_o && !need_q);
  end
`endif

endmodule

`default_nettype wire
