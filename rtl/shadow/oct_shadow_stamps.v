// SPDX-License-Identifier: Apache-2.0
// oct_shadow_stamps - time stamps of `shadow`: in which cycle each place of gather was taken, which instruction
// has a stamp, and what the stamps on their way are against what is expected.
// docs/shadow-rtl.md, time stamps; docs/shadow-format.md, section 9; oct_shadow_time.h, oct_shadow_timed.c.
//
// The first cycle after the reset is cycle 1. due_o: the instruction in gather's register has a stamp. It is
// taken with the last beat of that one (last_i, of n_i accesses). Up to 8 are on their way; wait_o: one is due
// that has no room. Unroll sees the first of them, and takes it away with done_i; clear_i returns what is
// remembered between stamps to its initial value, as a sync passes unroll.
// With TIME_SOURCE = 1 a place has the core's time in place of a cycle. Stamps do not go back: one whose time is less
// than that of the last stamp, over syncs too, is told as missing, and back_o says so, with last_i.
// Not for stamps of each instruction (TIME_PERIOD_INSNS = 1), which stop elaboration.
//
// Latency: 1 cycle from last_i to the next due_o, and from a stamp to v_o. Back-pressure: wait_o.
//
// GATHER_INSNS       places of gather
// N_BITS             of a number of accesses
// TIME_PERIOD_INSNS  instructions between stamps, 0 = only after syncs and losses
// TIME_SOURCE        0 cycles, 1 time_i
`default_nettype none

module oct_shadow_stamps #(
  parameter integer RETIRE_WIDTH      = 1,
  parameter integer GATHER_INSNS      = 16,
  parameter integer N_BITS            = 6,
  parameter [31:0]  TIME_PERIOD_INSNS = 32'd0,
  parameter integer TIME_SOURCE       = 0
) (
  input  wire        clk_i,
  input  wire        rst_ni,
  // gather
  input  wire [63:0] time_i,    // with TIME_SOURCE = 1
  input  wire [1:0]  place_i,   // a place is taken; two are
  input  wire        load_i,    // the first of them goes to the register
  input  wire        last_i,
  input  wire [N_BITS-1:0] n_i,
  input  wire        sync_i,    // a sync comes, behind what last_i tells
  input  wire        loss_i,    // an overflow comes
  output wire        due_o,
  output wire        wait_o,
  output wire        back_o,
  // unroll
  input  wire        done_i,
  input  wire        clear_i,
  output wire [63:0] v_o,
  output wire [6:0]  stamp_o    // missing; two times before: late by something new; less the last time; less, far, new
);

  localparam integer C = TIME_SOURCE != 0 ? 64 : 56;
  localparam integer STAMP_BITS = TIME_SOURCE != 0 ? C + 1 : C;  // one says that it is missing
  localparam integer COUNT_BITS = $clog2(GATHER_INSNS + 1);

  // ---- Cycles ----

  wire [C-1:0]  now;
  reg  [C-1:0]  head_q;            // of the instruction in gather's register
  reg  [C-1:0]  expected_q;        // of the next stamp, if nothing is late
  reg  [31:0]   left_q;            // instructions before the next stamp
  reg           due_q;
  wire [C-1:0]  first;
  wire [C-1:0]  own = {{(C - N_BITS){1'b0}}, n_i[N_BITS-1:1], n_i[0] || n_i == {N_BITS{1'b0}}};
  wire [STAMP_BITS-1:0] stamp_in, stamp_out;
  wire [C-1:0]  diff = stamp_out[C-1:0];
  wire          goes_back, is_missing;
  wire          is_told = due_q && !goes_back;
  wire          ready, valid, unused_valid;
  wire [1:0]    unused_ready;
  wire [COUNT_BITS-1:0] unused_count;
  wire [3:0]    unused_stamps;

  assign due_o  = due_q;
  assign wait_o = due_q && !ready;
  assign back_o = last_i && due_q && goes_back;

  oct_fifo_pair #(
    .WIDTH(C),
    .DEPTH(GATHER_INSNS),
    .PAIRS(RETIRE_WIDTH - 1)
  ) u_cycles (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (place_i),
    .data_i ({now, now}),
    .pop_i  (load_i),
    .ready_o(unused_ready),
    .valid_o(unused_valid),
    .data_o (first),
    .count_o(unused_count)
  );

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      expected_q <= {C{1'b0}};
      due_q      <= 1'b1;
      left_q     <= 32'd0;
    end else begin
      if (sync_i) expected_q <= {C{1'b0}};
      else if (last_i) expected_q <= (is_told ? head_q : expected_q) + own;
      if (sync_i || loss_i) due_q <= 1'b1;
      else if (last_i) due_q <= !due_q && TIME_PERIOD_INSNS != 32'd0 && left_q == 32'd1;
      if (last_i) left_q <= (due_q ? TIME_PERIOD_INSNS : left_q) - 32'd1;
    end
  end

  always @(posedge clk_i) if (load_i) head_q <= first;

  wire [63:0]  wide;  // diff
  wire [C-1:0] told;  // the last stamp, of the core's time
  generate
    if (TIME_SOURCE != 0) begin : gen_core_time
      reg [C-1:0] told_q;
      assign told       = told_q;
      assign now        = time_i;
      assign goes_back  = head_q < told_q;
      assign stamp_in   = {goes_back, head_q - expected_q};
      assign is_missing = stamp_out[C];
      assign wide       = diff;
      always @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) told_q <= {C{1'b0}};
        else if (last_i && is_told) told_q <= head_q;
      end
    end else begin : gen_cycles
      wire unused_time = &{1'b0, time_i};
      reg [C-1:0] cycle_q;
      assign now        = cycle_q;
      assign {goes_back, is_missing} = 2'b00;
      assign told       = {C{1'b0}};
      assign stamp_in   = head_q - expected_q;
      assign wide       = {{(64 - C){diff[C-1]}}, diff};
      always @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) cycle_q <= {{(C - 1){1'b0}}, 1'b1};
        else cycle_q <= cycle_q + {{(C - 1){1'b0}}, 1'b1};
      end
    end
  endgenerate

  // ---- Stamps on their way ----

  oct_fifo #(
    .WIDTH (STAMP_BITS),
    .DEPTH (8),
    .MEMORY(1)
  ) u_stamps (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (last_i && due_q),
    .data_i (stamp_in),
    .pop_i  (done_i),
    .ready_o(ready),
    .valid_o(valid),
    .data_o (stamp_out),
    .count_o(unused_stamps)
  );

  // ---- The first of them, against what they were late by ----

  reg  [15:0] late_q;
  reg  [1:0]  history_q;
  reg         less_q;
  wire [63:0] d = wide - {{48{late_q[15]}}, late_q};
  wire        is_new = d != 64'd0;
  wire        fits = diff[C-1:15] == {(C - 15){diff[15]}};

  assign v_o     = {d[62:0], 1'b0} ^ {64{d[63]}};
  assign stamp_o = {is_missing, history_q, less_q, d[63], v_o > 64'd2, is_new};

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      late_q    <= 16'd0;
      history_q <= 2'd0;
      less_q    <= 1'b0;
    end else if (clear_i) begin
      late_q    <= 16'd0;
      history_q <= 2'd0;
      less_q    <= 1'b0;
    end else if (done_i && !is_missing) begin
      late_q    <= fits ? diff[15:0] : 16'd0;
      history_q <= {history_q[0], is_new};
      if (is_new) less_q <= d[63];
    end
  end

`ifdef FORMAL
`ifdef FORMAL_OCT_SHADOW_STAMPS
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  // Gather gives no instruction whose stamp has no room, and no mark with it but a sync.
  always @* begin
    if (!f_past_q) assume (!rst_ni);
    assume (!(last_i && wait_o) && !(loss_i && (last_i || sync_i)));
  end

  // Instructions since the last stamp.
  reg [31:0]  f_since_q;
  always @(posedge clk_i) if (last_i) f_since_q <= due_q ? 32'd1 : f_since_q + 32'd1;
  // The last stamp that was told, if there was one.
  reg         f_has_q;
  reg [C-1:0] f_told_q;
  always @(posedge clk_i) begin
    if (!rst_ni) f_has_q <= 1'b0;
    else if (last_i && is_told) {f_has_q, f_told_q} <= {1'b1, head_q};
  end
  always @* if (rst_ni && f_past_q) begin
    if (!due_q && TIME_PERIOD_INSNS != 32'd0)
      assert (f_since_q != 32'd0 && f_since_q < TIME_PERIOD_INSNS && left_q == TIME_PERIOD_INSNS - f_since_q);
    // No stamp is less than any before it; one that is due is told, or missing.
    if (TIME_SOURCE != 0) begin
      assert (told == (f_has_q ? f_told_q : {C{1'b0}}));
      if (last_i && due_q) assert (back_o == (f_has_q && head_q < f_told_q));
    end
    assert (stamp_o[0] == (v_o != 64'd0) && stamp_o[1] == (v_o > 64'd2));
  end
  always @(posedge clk_i) if (rst_ni && f_past_q && $past(rst_ni)) begin
    if (TIME_SOURCE == 0) assert (!back_o && now == $past(now) + 1'b1);
    cover (TIME_SOURCE == 0 || (back_o && f_has_q));
    cover (TIME_SOURCE == 0 || ($past(done_i) && $past(is_missing) && !is_missing));
    // Behind a sync or a loss the next instruction has a stamp.
    if ($past(sync_i || loss_i)) assert (due_q);
    if ($past(sync_i)) assert (expected_q == {C{1'b0}});
    cover ($past(last_i && due_q) && !due_q);
    cover (TIME_PERIOD_INSNS != 32'd0 && $past(last_i && !due_q) && due_q);
    cover ($past(done_i) && stamp_o[5:4] == 2'd3);
  end
`endif
`endif

  wire unused = &{1'b0, told, valid, unused_ready, unused_valid, unused_count, unused_stamps};

endmodule

`default_nettype wire
