// SPDX-License-Identifier: Apache-2.0
// oct_funnel - several trace sources onto one trace bus (AMBA ATB v1.1), each beat with the number of its source.
//
// The source that has the bus keeps it for HOLD beats while it has some and others wait; then the next one with a
// beat, in turn, takes it. A beat that is offered stays until it is taken.
// A flush of the receiver is passed on to every source. One that has answered waits until all have, because what it
// has now came behind the flush; so a source that never pauses does not keep the others from ending it. afready_o
// follows in a cycle without a beat.
//
// Latency: none. Back-pressure: atready_i goes to the source that has the bus, atvalid_o depends on the sources'
// atvalid in the same cycle. Bus and sources run in the cycles with atclken_i.
//
// SOURCES  trace sources (1 to 8)
// HOLD     beats that one keeps the bus while others wait (1 to 255)
`default_nettype none

module oct_funnel #(
  parameter integer SOURCES = 2,  // 1 to 8: trace sources
  parameter integer HOLD = 16  // 1 to 255: beats that a source keeps the bus while others wait
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  input  wire                  atclken_i,  // clock enable of the trace bus, that of all sources
  // the sources, number 0 in the low bits
  input  wire [SOURCES-1:0]    s_atvalid_i,
  output wire [SOURCES-1:0]    s_atready_o,
  input  wire [32*SOURCES-1:0] s_atdata_i,
  input  wire [2*SOURCES-1:0]  s_atbytes_i,  // bytes less one
  input  wire [7*SOURCES-1:0]  s_atid_i,     // 1 to 0x6f, each its own, or 0x7d: a trigger
  output wire [SOURCES-1:0]    s_afvalid_o,
  input  wire [SOURCES-1:0]    s_afready_i,
  output wire [SOURCES-1:0]    s_syncreq_o,
  // the receiver
  output wire                  atvalid_o,
  input  wire                  atready_i,
  output reg  [31:0]           atdata_o,
  output reg  [1:0]            atbytes_o,
  output reg  [6:0]            atid_o,
  input  wire                  afvalid_i,
  output wire                  afready_o,
  input  wire                  syncreq_i
);

  // What is illegal stops elaboration: docs/rtl.md, conventions.
  generate
    if (SOURCES < 1 || SOURCES > 8) begin : gen_illegal_SOURCES
      oct_illegal_SOURCES_expected_1_to_8 u_illegal ();
    end
    if (HOLD < 1 || HOLD > 255) begin : gen_illegal_HOLD
      oct_illegal_HOLD_expected_1_to_255 u_illegal ();
    end
  endgenerate

  localparam [31:0] HOLD_32 = HOLD;

  reg [SOURCES-1:0] grant_q;    // who has or had the bus, one bit
  reg [7:0]         held_q;     // beats of it that were taken, since others could
  reg               stalled_q;  // a beat of it is offered
  reg [SOURCES-1:0] flushed_q;  // sources that have answered this flush

  // Who sends: the one that has the bus, else the next behind it in turn.
  wire [SOURCES-1:0]   may    = s_atvalid_i & ~(afvalid_i ? flushed_q : {SOURCES{1'b0}});
  wire [SOURCES-1:0]   others = may & ~grant_q;
  wire                 keeps  = stalled_q ||
      (|(may & grant_q) && ({24'd0, held_q} < HOLD_32 || others == {SOURCES{1'b0}}));
  wire [2*SOURCES-1:0] twice  = {others, others};
  wire [2*SOURCES-1:0] behind = twice & ~({{SOURCES{1'b0}}, grant_q} | ({{SOURCES{1'b0}}, grant_q} - 1'b1));
  wire [2*SOURCES-1:0] lowest = behind & (~behind + 1'b1);
  wire [SOURCES-1:0]   turn   = lowest[SOURCES-1:0] | lowest[2*SOURCES-1:SOURCES];
  wire [SOURCES-1:0]   grant  = keeps ? grant_q : turn;

  assign atvalid_o   = |(grant & s_atvalid_i);
  assign s_atready_o = atready_i ? grant & s_atvalid_i : {SOURCES{1'b0}};
  assign s_syncreq_o = {SOURCES{syncreq_i}};

  // Its beat.
  integer n;
  always @* begin
    atdata_o  = 32'd0;
    atbytes_o = 2'd0;
    atid_o    = 7'd0;
    for (n = 0; n < SOURCES; n = n + 1) begin
      atdata_o  = atdata_o | (s_atdata_i[32*n+:32] & {32{grant[n]}});
      atbytes_o = atbytes_o | (s_atbytes_i[2*n+:2] & {2{grant[n]}});
      atid_o    = atid_o | (s_atid_i[7*n+:7] & {7{grant[n]}});
    end
  end

  assign s_afvalid_o = afvalid_i ? ~flushed_q : {SOURCES{1'b0}};
  wire [SOURCES-1:0] answered = flushed_q | (s_afready_i & s_afvalid_o);
  assign afready_o = afvalid_i && &answered && !atvalid_o;

  wire [7:0] held = keeps ? held_q : 8'd0;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      grant_q   <= {SOURCES{1'b0}} + 1'b1;
      held_q    <= 8'd0;
      stalled_q <= 1'b0;
      flushed_q <= {SOURCES{1'b0}};
    end else if (atclken_i) begin
      if (atvalid_o) grant_q <= grant;
      if (atvalid_o) held_q <= atready_i && held != 8'hff ? held + 8'd1 : held;
      stalled_q <= atvalid_o && !atready_i;
      flushed_q <= afvalid_i && !afready_o ? answered : {SOURCES{1'b0}};
    end
  end

`ifdef FORMAL
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* if (!f_past_q) assume (!rst_ni);

  // The sources keep the rules of the bus: a beat stays until it is taken, nothing changes without the bus, and a
  // flush is answered while it is asked for, behind the last beat. The receiver holds its flush.
  integer s;
  always @(posedge clk_i) if (f_past_q && rst_ni && $past(rst_ni)) begin
    for (s = 0; s < SOURCES; s = s + 1) begin
      if ($past(s_atvalid_i[s] && !(atclken_i && s_atready_o[s])))
        assume (s_atvalid_i[s] && $stable(s_atdata_i[32*s+:32]) && $stable(s_atbytes_i[2*s+:2]) && $stable(s_atid_i[7*s+:7]));
      if (!$past(atclken_i)) assume ($stable(s_atvalid_i[s]) && $stable(s_afready_i[s]) && $stable(s_atid_i[7*s+:7]));
    end
    if ($past(afvalid_i && !(atclken_i && afready_o))) assume (afvalid_i);
    if (!$past(atclken_i)) assume ($stable(afvalid_i));
  end
  always @(posedge clk_i) begin
    assume ((s_afready_i & ~s_afvalid_o) == {SOURCES{1'b0}});
    assume ((s_afready_i & s_atvalid_i) == {SOURCES{1'b0}});
  end

  // Beats that were taken while any one source waited, and how many turns it is from the bus.
  (* anyconst *) wire [2:0] f_who;
  always @* assume (f_who < SOURCES);
  reg  [15:0] f_waits_q;
  wire        f_waits = may[f_who] && !grant[f_who];
  wire [15:0] f_hold = HOLD;
  reg  [15:0] f_away;
  always @* begin
    f_away = 16'd0;
    for (s = 0; s < SOURCES; s = s + 1)
      if (grant_q[s]) f_away = f_who >= s ? f_who - s : f_who + SOURCES - s;
  end
  wire [15:0] f_left = f_hold > {8'd0, held_q} ? f_hold - {8'd0, held_q} : 16'd0;
  always @(posedge clk_i) begin
    if (!rst_ni || (atclken_i && !f_waits)) f_waits_q <= 16'd0;
    else if (atclken_i && atvalid_o && atready_i) f_waits_q <= f_waits_q + 16'd1;
  end

  always @(posedge clk_i) if (rst_ni && f_past_q) begin
    // One source at a time, and a beat is taken from it when the receiver takes it: none is lost or doubled.
    assert (grant_q != {SOURCES{1'b0}} && (grant_q & (grant_q - 1'b1)) == {SOURCES{1'b0}});
    assert ((grant & (grant - 1'b1)) == {SOURCES{1'b0}});
    assert (|s_atready_o == (atvalid_o && atready_i));
    for (n = 0; n < SOURCES; n = n + 1)
      if (s_atready_o[n])
        assert (atdata_o == s_atdata_i[32*n+:32] && atbytes_o == s_atbytes_i[2*n+:2] && atid_o == s_atid_i[7*n+:7]);
    // The bus is not idle while a source may send.
    if (may != {SOURCES{1'b0}}) assert (atvalid_o);
    // A source waits for its turns of HOLD beats each, and no longer.
    if (f_waits_q != 16'd0) begin
      assert (f_away != 16'd0 && s_atvalid_i[f_who] && !(stalled_q && f_left == 16'd0));
      assert (f_waits_q + f_left + (f_away - 16'd1) * f_hold <= (SOURCES - 1) * f_hold);
    end
    assert (f_waits_q <= (SOURCES - 1) * f_hold);
    // A flush is answered when every source has, and nothing is offered.
    if (afready_o) assert (afvalid_i && !atvalid_o && &(flushed_q | s_afready_i));
    if (!afvalid_i) assert (s_afvalid_o == {SOURCES{1'b0}} && !afready_o);
    if (stalled_q) assert ((grant_q & s_atvalid_i) != {SOURCES{1'b0}});
  end
  always @(posedge clk_i) if (f_past_q && rst_ni && $past(rst_ni)) begin
    // A beat that is offered stays until it is taken; nothing changes without the bus.
    if ($past(atvalid_o && !(atclken_i && atready_i)))
      assert (atvalid_o && $stable(atdata_o) && $stable(atbytes_o) && $stable(atid_o));
    if (!$past(atclken_i)) assert ($stable(atvalid_o));
    // A source is asked until it answers.
    for (n = 0; n < SOURCES; n = n + 1)
      if ($past(s_afvalid_o[n] && !(atclken_i && s_afready_i[n]))) assert (s_afvalid_o[n]);
    cover (f_waits_q == (SOURCES - 1) * f_hold);
    cover (afready_o && $past(afvalid_i && |s_afready_i && !afready_o));
    cover (s_atready_o[SOURCES-1] && $past(s_atready_o[0]));
  end
`endif

endmodule

`default_nettype wire
