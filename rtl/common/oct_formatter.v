// SPDX-License-Identifier: Apache-2.0
// oct_formatter - frames of CoreSight for the beats of several trace sources.
//
// A frame has 16 bytes; bytes 0 to 14 carry data or, at even places, the number of a source, byte 15 the
// lowest bits of the even places (model/common/oct_formatter.h has the rules). Sources are ATB v1.1: a
// beat of 1 to 4 bytes is taken in one cycle. The source that has the bus keeps it for HOLD beats while it
// has some; then the next one with a beat, in turn, takes it. Frames leave as words of 32 bits, the first
// byte lowest.
// flush_i, held until flush_done_o, asks every source for a flush; when all have answered, and no beat is
// left, the frame is filled up with source 0, and flush_done_o follows its last word.
//
// Latency: from the last byte of a frame to its first word 1 cycle. Back-pressure: atready_o falls while a
// whole frame waits for its four words to be taken; a frame takes at least four beats.
//
// SOURCES  trace sources (1 to 8)
// HOLD     beats that one keeps the bus while others wait (1 to 255)
`default_nettype none

module oct_formatter #(
  parameter integer SOURCES = 2,
  parameter integer HOLD = 16
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  // the sources, number 0 in the low bits
  input  wire [SOURCES-1:0]    atvalid_i,
  output wire [SOURCES-1:0]    atready_o,
  input  wire [32*SOURCES-1:0] atdata_i,
  input  wire [2*SOURCES-1:0]  atbytes_i,  // bytes less one
  input  wire [7*SOURCES-1:0]  atid_i,     // 1 to 0x6f, each its own
  output wire [SOURCES-1:0]    afvalid_o,
  input  wire [SOURCES-1:0]    afready_i,
  // the receiver's flush
  input  wire                  flush_i,
  output wire                  flush_done_o,
  // frames
  output wire                  valid_o,
  input  wire                  ready_i,
  output wire [31:0]           data_o
);

  localparam [31:0] HOLD_32 = HOLD;

  reg [127:0]       frame_q;    // being filled
  reg [3:0]         at_q;       // the next place, 0 to 14
  reg [6:0]         id_q;       // the source under way, 0 = none
  reg [127:0]       out_q;      // whole
  reg [2:0]         words_q;    // of it that have not been taken, 0 to 4
  reg [SOURCES-1:0] grant_q;    // who had the bus last, one bit
  reg [7:0]         held_q;     // for how many beats
  reg [SOURCES-1:0] flushed_q;  // sources that have answered this flush
  reg               padded_q;   // the frame has been filled up for it

  // Who sends: the one that has the bus, else the next behind it in turn.
  wire [SOURCES-1:0]   others = atvalid_i & ~grant_q;
  wire                 keeps  = |(atvalid_i & grant_q) && ({24'd0, held_q} < HOLD_32 || others == {SOURCES{1'b0}});
  wire [2*SOURCES-1:0] twice  = {others, others};
  wire [2*SOURCES-1:0] behind = twice & ~({{SOURCES{1'b0}}, grant_q} | ({{SOURCES{1'b0}}, grant_q} - 1'b1));
  wire [2*SOURCES-1:0] lowest = behind & (~behind + 1'b1);
  wire [SOURCES-1:0]   turn   = lowest[SOURCES-1:0] | lowest[2*SOURCES-1:SOURCES];
  wire [SOURCES-1:0]   grant  = keeps ? grant_q : turn;
  wire                 room   = words_q == 3'd0 || (words_q == 3'd1 && ready_i);
  wire                 takes  = room && |(grant & atvalid_i);
  assign atready_o = room ? grant & atvalid_i : {SOURCES{1'b0}};

  // Its beat.
  reg [31:0] beat;
  reg [1:0]  bytes;
  reg [6:0]  id;
  integer    n;
  always @* begin
    beat  = 32'd0;
    bytes = 2'd0;
    id    = 7'd0;
    for (n = 0; n < SOURCES; n = n + 1) begin
      beat  = beat | (atdata_i[32*n+:32] & {32{grant[n]}});
      bytes = bytes | (atbytes_i[2*n+:2] & {2{grant[n]}});
      id    = id | (atid_i[7*n+:7] & {7{grant[n]}});
    end
  end

  // When all have answered, and none has a beat, the frame is filled up.
  wire all_flushed = flush_i && &(flushed_q | afready_i) && atvalid_i == {SOURCES{1'b0}};
  wire pads        = all_flushed && room && !padded_q;

  // A place of the frame is filled: the frame after it and, if that was the last place, the whole one.
  // Bits: 0 to 127 the frame, 128 to 131 the next place, 132 whether a frame is whole, 133 on that frame.
  localparam integer STATE_BITS = 261;
  function [STATE_BITS-1:0] filled(input [STATE_BITS-1:0] s, input [127:0] frame);
    begin
      filled = s;
      filled[127:0] = frame;
      filled[131:128] = s[131:128] + 4'd1;
      if (s[131:128] == 4'd14) begin
        filled[260:133] = frame;
        filled[132]     = 1'b1;
        filled[131:128] = 4'd0;
        filled[127:0]   = 128'd0;
      end
    end
  endfunction

  // The source changes: its number here or, at an odd place, before the byte that stands there.
  function [STATE_BITS-1:0] changed(input [STATE_BITS-1:0] s, input [6:0] to);
    reg [127:0] frame;
    reg [3:0]   at;
    reg [6:0]   prev;  // first bit of the byte in front
    begin
      frame  = s[127:0];
      at     = s[131:128];
      prev   = {at - 4'd1, 3'd0};
      if (!at[0]) begin
        frame[{at, 3'd0}+:8] = {to, 1'b1};
      end else begin
        frame[{at, 3'd0}+:8] = {frame[prev+1+:7], frame[7'd120 + {4'd0, at[3:1]}]};
        frame[prev+:8]     = {to, 1'b1};
        frame[7'd120 + {4'd0, at[3:1]}] = 1'b1;
      end
      changed = filled(s, frame);
    end
  endfunction

  function [STATE_BITS-1:0] put(input [STATE_BITS-1:0] s, input [7:0] data);
    reg [127:0] frame;
    reg [3:0]   at;
    begin
      frame = s[127:0];
      at    = s[131:128];
      if (at[0]) begin
        frame[{at, 3'd0}+:8] = data;
      end else begin
        frame[{at, 3'd0}+:8] = {data[7:1], 1'b0};
        frame[7'd120 + {4'd0, at[3:1]}] = data[0];
      end
      put = filled(s, frame);
    end
  endfunction

  reg [STATE_BITS-1:0] state;
  reg                  pads_frame;
  integer              k;
  always @* begin
    state      = {128'd0, 1'b0, at_q, frame_q};
    pads_frame = 1'b0;
    if (takes) begin
      if (id != id_q) state = changed(state, id);
      for (k = 0; k < 4; k = k + 1) if (k <= {30'd0, bytes}) state = put(state, beat[8*k+:8]);
    end else if (pads && at_q != 4'd0) begin
      pads_frame = 1'b1;
      if (id_q != 7'd0) state = changed(state, 7'd0);
    end
  end

  assign valid_o      = words_q != 3'd0;
  assign data_o       = out_q[31:0];
  assign flush_done_o = padded_q && words_q == 3'd0;
  assign afvalid_o    = flush_i ? ~flushed_q : {SOURCES{1'b0}};

  wire next = valid_o && ready_i;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      frame_q   <= 128'd0;
      at_q      <= 4'd0;
      id_q      <= 7'd0;
      words_q   <= 3'd0;
      grant_q   <= {SOURCES{1'b0}} + 1'b1;
      held_q    <= 8'd0;
      flushed_q <= {SOURCES{1'b0}};
      padded_q  <= 1'b0;
    end else begin
      frame_q <= pads_frame ? 128'd0 : state[127:0];
      at_q    <= pads_frame ? 4'd0 : state[131:128];
      if (takes) id_q <= id;
      else if (pads) id_q <= 7'd0;
      if (state[132] || pads_frame) words_q <= 3'd4;
      else if (next) words_q <= words_q - 3'd1;
      if (takes) grant_q <= grant;
      if (takes) held_q <= keeps ? (held_q == 8'hff ? held_q : held_q + 8'd1) : 8'd1;
      flushed_q <= flush_i && !flush_done_o ? flushed_q | (afready_i & afvalid_o) : {SOURCES{1'b0}};
      padded_q  <= (padded_q || pads) && !flush_done_o;
    end
  end
  always @(posedge clk_i) begin
    if (state[132]) out_q <= state[260:133];
    else if (pads_frame) out_q <= state[127:0];
    else if (next) out_q <= {32'd0, out_q[127:32]};
  end

endmodule

`default_nettype wire
