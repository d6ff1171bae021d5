// SPDX-License-Identifier: Apache-2.0
// oct_stamp - time stamps: counts cycles, says when a stamp is due, and holds the one under way.
//
// A stamp is due behind a sync, and when TIME_PERIOD_INSNS instructions have been taken since the last
// one. One waits for its packet at a time. time_o is the number of cycles since the stamp before, or,
// behind a sync, since the reset; the cycle after the reset is cycle 1. It is stable until done_i.
// With TIME_SOURCE = 1 time is that of the core, of the instruction, in place of cycles. Stamps do not go back: where
// it is less than the last stamp, over syncs too, the stamp that is due stays away until it is not, and
// back_o says so with each instruction that is taken meanwhile.
// Latency: none from due_o to take_i; time_o is that of the cycle of take_i, from the next cycle on.
//
// TIME_PERIOD_INSNS  instructions between stamps, 0 = only after syncs
// TIME_SOURCE        0 cycles, 1 core_time_i
`default_nettype none

module oct_stamp #(
  parameter [31:0]  TIME_PERIOD_INSNS = 32'd0,
  parameter integer TIME_SOURCE = 0
) (
  input  wire        clk_i,
  input  wire        rst_ni,
  input  wire [55:0] core_time_i,  // with TIME_SOURCE = 1
  input  wire        insn_i,  // an instruction is taken
  input  wire        sync_i,  // a sync is placed
  input  wire        take_i,  // a stamp is placed, before the instruction of this cycle
  input  wire        done_i,  // it has its packet
  input  wire        far_i,   // of oct_pace.v: an instruction of this cycle needs one,
  input  wire        lost_i,  // one was needed and could not stand
  output wire        due_o,
  output wire        back_o,
  output wire [55:0] time_o
);

  reg  [55:0] last_q, time_q;
  reg  [31:0] since_q;  // instructions from the last stamp on; stops at the period
  reg         need_q, busy_q;
  wire        is_late = TIME_PERIOD_INSNS != 32'd0 && since_q >= TIME_PERIOD_INSNS;
  wire        is_due = !busy_q && (need_q || is_late || far_i);
  wire        goes_back;
  wire [55:0] now, from;  // of now; the stamp before, 0 behind a sync

  assign due_o  = is_due && !goes_back;
  assign back_o = is_due && goes_back && insn_i;
  assign time_o = time_q;

  generate
    if (TIME_SOURCE != 0) begin : gen_core_time
      reg synced_q;  // no stamp since
      assign now = core_time_i;
      assign from = synced_q ? 56'd0 : last_q;
      assign goes_back = now < last_q;
      always @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          synced_q <= 1'b1;
          last_q   <= 56'd0;
        end else begin
          synced_q <= sync_i || (synced_q && !take_i);
          if (take_i) last_q <= now;
        end
      end
    end else begin : gen_cycles
      wire unused_core_time = &{1'b0, core_time_i};
      reg [55:0] cycle_q;
      assign now = cycle_q;
      assign from = last_q;
      assign goes_back = 1'b0;
      always @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) cycle_q <= 56'd1;
        else cycle_q <= cycle_q + 56'd1;
      end
      always @(posedge clk_i) begin
        if (sync_i) last_q <= 56'd0;
        else if (take_i) last_q <= now;
      end
    end
  endgenerate

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      since_q <= 32'd0;
      need_q  <= 1'b0;
      busy_q  <= 1'b0;
    end else begin
      need_q  <= sync_i || lost_i || (need_q && !take_i);
      busy_q  <= take_i || (busy_q && !done_i);
      if (take_i) since_q <= {31'd0, insn_i};
      else if (insn_i && !is_late) since_q <= since_q + {31'd0, TIME_PERIOD_INSNS != 32'd0};
    end
  end

  always @(posedge clk_i) if (take_i) time_q <= now - from;

`ifdef FORMAL
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* if (!f_past_q) assume (!rst_ni);

  // A stamp is taken when it is due; the first comes behind a sync.
`ifdef FORMAL_OCT_STAMP
  always @* if (rst_ni && take_i) assume (due_o && insn_i && !sync_i);
`endif

  // The sum of the stamps since a sync is the time of the last.
  reg [55:0] f_sum_q, f_last_q;
  reg        f_synced_q, f_stamped_q;
  always @(posedge clk_i) begin
    if (!rst_ni) {f_synced_q, f_stamped_q} <= 2'b00;
    else {f_synced_q, f_stamped_q} <= {f_synced_q || sync_i, f_stamped_q || take_i};
    if (take_i) f_last_q <= now;
    if (sync_i) f_sum_q <= 56'd0;
    else if (take_i) f_sum_q <= f_sum_q + (now - from);
  end
  always @* if (rst_ni && f_past_q) begin
    if (f_synced_q) assert (f_sum_q == from);
    if (TIME_PERIOD_INSNS != 32'd0) assert (since_q <= TIME_PERIOD_INSNS);
    if (TIME_SOURCE != 0) begin
      assert (f_stamped_q ? last_q == f_last_q : last_q == 56'd0);
      // No stamp is less than any before it, and one that is due is placed or told.
      if (take_i) assert (!f_stamped_q || now >= f_last_q);
      if (insn_i && is_due) assert (due_o != back_o);
    end else begin
      assert (!back_o && due_o == is_due);
    end
  end
  always @(posedge clk_i) if (f_past_q && rst_ni && $past(rst_ni)) begin
    if ($past(take_i && f_synced_q)) assert (f_sum_q == $past(now));
    if (TIME_SOURCE == 0) assert (now == $past(now) + 56'd1);
    // A stamp does not change while it waits, and no other is due.
    if ($past(busy_q && !take_i)) assert ($stable(time_o));
    if (busy_q) assert (!due_o && !back_o);
    if ($past(sync_i && !busy_q)) assert (due_o || goes_back);
    cover ($past(take_i, 2) && take_i && time_o != 56'd0);
    cover (TIME_PERIOD_INSNS != 32'd0 && due_o && !need_q);
`ifdef FORMAL_OCT_STAMP
    // Time goes back, behind a sync, and on again; two stamps with the same time.
    cover (TIME_SOURCE == 0 || (take_i && f_synced_q && $past(back_o) && $past(sync_i, 2)));
    cover (TIME_SOURCE == 0 || (take_i && f_stamped_q && now == f_last_q));
`endif
  end
`endif

endmodule

`default_nettype wire
