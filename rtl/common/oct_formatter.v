// SPDX-License-Identifier: Apache-2.0
// oct_formatter - frames of CoreSight for the beats of several trace sources.
//
// A frame has 16 bytes; bytes 0 to 14 carry data or, at even places, the number of a source, byte 15 the
// lowest bits of the even places (model/common/oct_formatter.h has the rules). Sources are ATB v1.1: a
// beat of 1 to 4 bytes is taken in one cycle. Which source has the bus is oct_funnel's choice. Frames leave as words
// of 32 bits, the first byte lowest.
// The number of a source that stays is told again with the first beat behind REPEAT_FRAMES frames without it, so that
// a buffer that has wrapped round can be read: of any REPEAT_FRAMES frames in a row, one tells its source.
// flush_i, held until flush_done_o, asks every source for a flush; when all have answered, the frame is filled up
// with source 0, and flush_done_o follows its last word.
//
// Latency: from the last byte of a frame to its first word 1 cycle. Back-pressure: atready_o falls while a
// whole frame waits for its four words to be taken; a frame takes at least four beats.
//
// SOURCES  trace sources (1 to 8)
// HOLD     beats that one keeps the bus while others wait (1 to 255)
// REPEAT_FRAMES  frames from the number of a source to the same one again (1 to 255); 8 as in Arm's TPIU
`default_nettype none

module oct_formatter #(
  parameter integer SOURCES = 2,  // 1 to 8: trace sources
  parameter integer HOLD = 16,  // 1 to 255: beats that a source keeps its turn while others wait
  parameter integer REPEAT_FRAMES = 8  // 1 to 255: frames from the number of a source to the same one again
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  // the sources, number 0 in the low bits
  input  wire [SOURCES-1:0]    atvalid_i,
  output wire [SOURCES-1:0]    atready_o,
  input  wire [32*SOURCES-1:0] atdata_i,
  input  wire [2*SOURCES-1:0]  atbytes_i,  // bytes less one
  input  wire [7*SOURCES-1:0]  atid_i,     // 1 to 0x6f, each its own, or 0x7d: a trigger
  output wire [SOURCES-1:0]    afvalid_o,
  input  wire [SOURCES-1:0]    afready_i,
  // the receiver's flush
  input  wire                  flush_i,  // hold until flush_done_o
  output wire                  flush_done_o,  // the last frame has left
  // frames, to a receiver of words: RAM, pins, DMA; all four bytes count
  output wire                  valid_o,
  input  wire                  ready_i,
  output wire [31:0]           data_o
);

  // What is illegal stops elaboration: docs/rtl.md, conventions.
  generate
    if (SOURCES < 1 || SOURCES > 8) begin : gen_illegal_SOURCES
      oct_illegal_SOURCES_expected_1_to_8 u_illegal ();
    end
    if (HOLD < 1 || HOLD > 255) begin : gen_illegal_HOLD
      oct_illegal_HOLD_expected_1_to_255 u_illegal ();
    end
    if (REPEAT_FRAMES < 1 || REPEAT_FRAMES > 255) begin : gen_illegal_REPEAT_FRAMES
      oct_illegal_REPEAT_FRAMES_expected_1_to_255 u_illegal ();
    end
  endgenerate

  localparam integer QUIET_BITS = $clog2(REPEAT_FRAMES + 2);  // 2 at least
  localparam [31:0] REPEAT_32 = REPEAT_FRAMES;

  reg [127:0] frame_q;   // being filled
  reg [3:0]   at_q;      // the next place, 0 to 14
  reg [6:0]   id_q;      // the source under way, 0 = none
  reg [127:0] out_q;     // whole
  reg [2:0]   words_q;   // of it that have not been taken, 0 to 4
  reg         flushed_q; // all sources have answered this flush
  reg         padded_q;  // the frame has been filled up for it
  reg [QUIET_BITS-1:0] quiet_q; // frames that have ended since a number was told, 0 to REPEAT_FRAMES

  wire [31:0] beat;
  wire [1:0]  bytes;
  wire [6:0]  id;
  wire        has_beat, all_flushed;
  wire [SOURCES-1:0] unused_syncreq;
  wire        room  = words_q == 3'd0 || (words_q == 3'd1 && ready_i);
  wire        takes = has_beat && room && !flushed_q;
  wire        pads  = flushed_q && room;
  wire        tells = takes && (id != id_q || quiet_q == REPEAT_32[QUIET_BITS-1:0]);

  oct_funnel #(
    .SOURCES(SOURCES),
    .HOLD   (HOLD)
  ) u_funnel (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .atclken_i  (1'b1),
    .s_atvalid_i(atvalid_i),
    .s_atready_o(atready_o),
    .s_atdata_i (atdata_i),
    .s_atbytes_i(atbytes_i),
    .s_atid_i   (atid_i),
    .s_afvalid_o(afvalid_o),
    .s_afready_i(afready_i),
    .s_syncreq_o(unused_syncreq),
    .atvalid_o  (has_beat),
    .atready_i  (room && !flushed_q),
    .atdata_o   (beat),
    .atbytes_o  (bytes),
    .atid_o     (id),
    .afvalid_i  (flush_i && !flushed_q && !padded_q),
    .afready_o  (all_flushed),
    .syncreq_i  (1'b0)
  );

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

  // The number of a source: here or, at an odd place, before the byte that stands there.
  function [STATE_BITS-1:0] told(input [STATE_BITS-1:0] s, input [6:0] to);
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
      told = filled(s, frame);
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
    if (tells) state = told(state, id);
    for (k = 0; k < 4; k = k + 1) if (takes && k <= {30'd0, bytes}) state = put(state, beat[8*k+:8]);
    if (!takes && pads && at_q != 4'd0) begin
      pads_frame = 1'b1;
      if (id_q != 7'd0) state = told(state, 7'd0);
    end
  end

  assign valid_o      = words_q != 3'd0;
  assign data_o       = out_q[31:0];
  assign flush_done_o = padded_q && words_q == 3'd0;

  wire next     = valid_o && ready_i;
  wire whole    = state[132] || pads_frame;
  wire told_any = tells || (pads_frame && id_q != 7'd0);
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      frame_q   <= 128'd0;
      at_q      <= 4'd0;
      id_q      <= 7'd0;
      words_q   <= 3'd0;
      flushed_q <= 1'b0;
      padded_q  <= 1'b0;
      quiet_q   <= {QUIET_BITS{1'b0}};
    end else begin
      frame_q <= pads_frame ? 128'd0 : state[127:0];
      at_q    <= pads_frame ? 4'd0 : state[131:128];
      if (takes) id_q <= id;
      else if (pads) id_q <= 7'd0;
      if (whole) words_q <= 3'd4;
      else if (next) words_q <= words_q - 3'd1;
      flushed_q <= (flushed_q || all_flushed) && !pads;
      padded_q  <= (padded_q || pads) && !flush_done_o;
      quiet_q   <= (told_any ? {QUIET_BITS{1'b0}} : quiet_q) + {{(QUIET_BITS-1){1'b0}}, whole};
    end
  end
  always @(posedge clk_i) begin
    if (state[132]) out_q <= state[260:133];
    else if (pads_frame) out_q <= state[127:0];
    else if (next) out_q <= {32'd0, out_q[127:32]};
  end

`ifdef FORMAL
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* if (!f_past_q) assume (!rst_ni);
  always @* if (has_beat) assume (id != 7'd0);

  // The frame that this cycle fills, and the one that it begins, if the first is whole.
  wire [127:0] f_frame  = state[132] ? state[260:133] : state[127:0];
  wire         f_moves = told_any && at_q[0];  // the number takes the place of the byte in front
  wire [4:0]   f_places = {4'd0, told_any} + (takes ? {3'd0, bytes} + 5'd1 : 5'd0);
  reg  [127:0] f_frame_q;
  reg          f_moved_q;
  always @(posedge clk_i) f_moved_q <= rst_ni && (f_moved_q || (f_moves && takes));
  always @(posedge clk_i) if (whole) f_frame_q <= f_frame;

  // Any byte of the beat, its place behind those that were filled, and what a receiver reads there.
  (* anyseq *) wire [1:0] f_byte;
  wire [4:0]   f_place = {1'b0, at_q} + {4'd0, told_any} + {3'd0, f_byte};
  wire         f_is_next = f_place >= 5'd15;
  wire [4:0]   f_place_in = f_is_next ? f_place - 5'd15 : f_place;
  wire [127:0] f_in = f_is_next ? state[127:0] : f_frame;
  wire [127:0] f_from_place = f_in >> {f_place_in, 3'd0};
  wire [7:0]   f_low_bits = f_in[127:120] >> f_place_in[4:1];
  wire [7:0]   f_read = f_place_in[0] ? f_from_place[7:0] : {f_from_place[7:1], f_low_bits[0]};
  // Any place that had been filled before, and its lowest bit.
  (* anyseq *) wire [3:0] f_old;
  wire [127:0] f_old_place = frame_q >> {f_old, 3'd0};
  wire [127:0] f_new_place = f_frame >> {f_old, 3'd0};
  wire         f_is_kept = f_old < (f_moves ? at_q - 4'd1 : at_q);
  wire [127:0] f_prev = frame_q >> {at_q - 4'd1, 3'd0};  // of the byte in front, and where that is then
  wire [127:0] f_at = f_frame >> {at_q, 3'd0};
  wire [127:0] f_before = f_frame >> {at_q - 4'd1, 3'd0};
  // Frames in a row that have ended without a number, behind the first of all.
  reg  [8:0]   f_quiet_q;
  wire         f_tells = frame_q[0] || frame_q[16] || frame_q[32] || frame_q[48] || frame_q[64] || frame_q[80] || frame_q[96] || frame_q[112];
  wire         f_told = f_frame[0] || f_frame[16] || f_frame[32] || f_frame[48] || f_frame[64] || f_frame[80] || f_frame[96] || f_frame[112];
  always @(posedge clk_i) if (!rst_ni) f_quiet_q <= 9'd0; else if (whole) f_quiet_q <= f_told ? 9'd0 : f_quiet_q + 9'd1;
  // That the number of the same source is told again.
  reg          f_repeated_q;
  always @(posedge clk_i) f_repeated_q <= rst_ni && (f_repeated_q || (tells && id == id_q));

  always @* if (rst_ni && f_past_q) begin
    assert (at_q <= 4'd14 && (id_q != 7'd0 || at_q == 4'd0));
    // Places that are not filled are zero.
    for (k = 0; k < 15; k = k + 1)
      if (k >= {28'd0, at_q}) assert (frame_q[8*k+:8] == 8'd0 && (k % 2 == 1 || !frame_q[120+k/2]));
    // No byte is lost, doubled or out of its order: a beat fills as many places as it has bytes, and one for
    // a new source, each byte is read from its place, and what had been filled stays.
    if (takes) assert ({1'b0, at_q} + f_places == {1'b0, state[131:128]} + (state[132] ? 5'd15 : 5'd0));
    if (takes && f_byte <= bytes) assert (f_read == beat[8*f_byte+:8]);
    if (f_is_kept) assert (f_old_place[7:0] == f_new_place[7:0]);
    if (f_is_kept && !f_old[0]) assert (frame_q[120+f_old[3:1]] == f_frame[120+f_old[3:1]]);
    // A new source has its number at an even place. One that comes at an odd place stands in front of the byte that
    // stood there, and holds only behind it.
    if (told_any && !at_q[0]) assert (f_at[7:0] == {takes ? id : 7'd0, 1'b1} && !f_frame[120+at_q[3:1]]);
    if (f_moves) assert (f_before[7:0] == {takes ? id : 7'd0, 1'b1} && f_frame[120+at_q[3:1]]);
    if (f_moves) assert (f_at[7:0] == {f_prev[7:1], frame_q[120+at_q[3:1]]});
    // Of REPEAT_FRAMES frames in a row one has a number: that of the same source comes again in time, and not before.
    assert ({23'd0, f_quiet_q} < REPEAT_FRAMES);
    assert (quiet_q <= REPEAT_32[QUIET_BITS-1:0]);
    if (quiet_q != {QUIET_BITS{1'b0}}) assert ({23'd0, f_quiet_q} + 32'd1 == {{(32-QUIET_BITS){1'b0}}, quiet_q} && !f_tells);
    else if (id_q != 7'd0) assert (f_tells);
    if (quiet_q == REPEAT_32[QUIET_BITS-1:0]) assert (at_q <= 4'd4);
    if (tells && id == id_q) assert ({23'd0, f_quiet_q} + 32'd1 == REPEAT_FRAMES);
    // A frame is whole before the next: it leaves in four words of its own.
    assert (|atready_o == takes);
    if (whole) assert (words_q == 3'd0 || (words_q == 3'd1 && ready_i));
    assert (words_q <= 3'd4);
    if (words_q == 3'd4) assert (out_q == f_frame_q);
    if (words_q == 3'd3) assert (out_q[95:0] == f_frame_q[127:32]);
    if (words_q == 3'd2) assert (out_q[63:0] == f_frame_q[127:64]);
    if (words_q == 3'd1) assert (out_q[31:0] == f_frame_q[127:96]);
  end
  always @(posedge clk_i) if (f_past_q && rst_ni && $past(rst_ni)) begin
    if ($past(valid_o && !ready_i)) assert (valid_o && $stable(data_o));
    // A flush leaves nothing in a frame.
    if ($past(pads)) assert (at_q == 4'd0 && id_q == 7'd0);
    // A change at an odd place, a number again, and then a flush that fills up the frame and ends.
    cover (f_moved_q && f_repeated_q && flush_done_o && $past(words_q) == 3'd1);
  end
`endif

endmodule

`default_nettype wire
