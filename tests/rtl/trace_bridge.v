// SPDX-License-Identifier: Apache-2.0
// trace_bridge - test: a trace source and a receiver, each with its clock, joined by oct_atb_cross.
//
// Every beat arrives, once and in order. A flush is answered when all that the source sent before its own answer has been
// taken, and nothing that it sent after. A request for a sync reaches the source: now and then two come in a row, between
// pauses, and the source has to see two. oct_atb_check looks at both buses. What changes shortly before an edge is seen by
// chance (OCT_METASTABLE). Now and then one side is reset, and the other one meanwhile. At the end nobody waits: then a beat moves each cycle of the slower side, if the FIFO is deep.
// +seed= and +period= (of the receiver's clock, in tenths of the source's) vary a run. Prints one line.
`timescale 1ns / 100ps
`default_nettype none

module trace_bridge #(
  parameter integer DEPTH  = 8,
  parameter integer STAGES = 2
);
  localparam integer BEATS = 6000;

  integer seed, period, errors, n_flushes, n_resets, n_syncs;
  reg     s_clk = 1'b0, m_clk = 1'b0, s_reset = 1'b0, m_reset = 1'b0, hurries = 1'b0;
  real    half;
  always #5 s_clk = !s_clk;
  always #half m_clk = !m_clk;

  wire s_rst_n, m_rst_n;
  oct_reset_sync u_s_reset (.clk_i(s_clk), .rst_async_ni(s_reset), .scan_i(1'b0), .rst_no(s_rst_n));
  oct_reset_sync u_m_reset (.clk_i(m_clk), .rst_async_ni(m_reset), .scan_i(1'b0), .rst_no(m_rst_n));

  reg         s_clken = 1'b1, m_clken = 1'b1, valid = 1'b0, ready = 1'b0, answer = 1'b0, flush = 1'b0, sync = 1'b0;
  reg  [31:0] sent = 32'd0, taken = 32'd0, answered = 32'd0;
  wire        s_ready, s_flush, s_sync, m_valid, m_answer;
  wire [31:0] m_data;
  wire [1:0]  m_bytes;
  wire [6:0]  m_id;

  // What a beat with a number has.
  function [40:0] beat(input [31:0] number);
    beat = {7'd1 + {1'b0, number[5:0]}, number[4:3], number * 32'h9e37_79b1};
  endfunction

  wire [40:0] s_beat = beat(sent);
  oct_atb_cross #(.DEPTH(DEPTH), .STAGES(STAGES)) u_cross (
    .s_clk_i(s_clk), .s_rst_ni(s_rst_n), .s_atclken_i(s_clken), .s_atvalid_i(valid), .s_atready_o(s_ready),
    .s_atdata_i(s_beat[31:0]), .s_atbytes_i(s_beat[33:32]), .s_atid_i(s_beat[40:34]),
    .s_afvalid_o(s_flush), .s_afready_i(answer), .s_syncreq_o(s_sync),
    .m_clk_i(m_clk), .m_rst_ni(m_rst_n), .m_atclken_i(m_clken), .m_atvalid_o(m_valid), .m_atready_i(ready),
    .m_atdata_o(m_data), .m_atbytes_o(m_bytes), .m_atid_o(m_id), .m_afvalid_i(flush), .m_afready_o(m_answer), .m_syncreq_i(sync)
  );
  oct_atb_check u_source (
    .clk_i(s_clk), .rst_ni(s_rst_n), .atclken_i(s_clken), .atvalid_i(valid), .atready_i(s_ready), .atdata_i(s_beat[31:0]),
    .atbytes_i(s_beat[33:32]), .atid_i(s_beat[40:34]), .afvalid_i(s_flush), .afready_i(answer)
  );
  oct_atb_check u_receiver (
    .clk_i(m_clk), .rst_ni(m_rst_n), .atclken_i(m_clken), .atvalid_i(m_valid), .atready_i(ready), .atdata_i(m_data),
    .atbytes_i(m_bytes), .atid_i(m_id), .afvalid_i(flush), .afready_i(m_answer)
  );

  task wrong(input [8*60-1:0] what);
    begin
      $display("beat %0d at %0t, after %0d resets: %0s", taken, $time, n_resets, what);
      errors = errors + 1;
    end
  endtask
  function one_in(input integer n);
    one_in = {$random(seed)} % n == 0;
  endfunction

  // The source: in runs of beats and pauses. It answers a flush when it offers nothing.
  reg s_busy = 1'b0;
  always @(posedge s_clk or negedge s_rst_n) begin
    if (s_rst_n !== 1'b1) begin
      valid <= 1'b0; answer <= 1'b0;
    end else if (s_clken) begin
      if (valid && s_ready) sent <= sent + 1;
      if (answer) answer <= 1'b0;
      if (answer && s_flush) answered <= sent;
      if (one_in(40)) s_busy = !s_busy;
      if (!valid || s_ready) begin
        valid  <= hurries || (s_busy && !one_in(3) && !(s_flush && !answer));
        if (s_flush && !answer && one_in(4)) begin
          answer <= 1'b1;
          valid <= 1'b0;
        end
      end
    end
    s_clken <= hurries || !one_in(4);
  end

  // Requests for a sync: by chance, then none, then two in a row, then none until both have crossed.
  localparam [1:0] RANDOM = 2'd0, BEFORE = 2'd1, PAIR = 2'd2, AFTER = 2'd3;
  reg [1:0] mode = RANDOM;
  integer   mode_left = 100, mode_seen = 0, pause;
  task next_mode;
    begin
      pause = 1 + 8 * (STAGES + 6) * (10 + period) / period;
      if (mode == BEFORE) mode_seen = 0;
      if (mode == AFTER && mode_seen != 2) wrong("two requests for a sync are not two");
      mode = mode + 2'd1;
      mode_left = mode == RANDOM ? 100 : mode == PAIR ? 2 : pause;
    end
  endtask

  // The receiver.
  reg m_slow = 1'b0;
  always @(posedge m_clk or negedge m_rst_n) begin
    if (m_rst_n !== 1'b1) begin
      ready <= 1'b0; flush <= 1'b0; sync <= 1'b0;
    end else if (m_clken) begin
      if (m_valid && ready) begin
        // Without the source's reset: see the head of oct_atb_cross.
        if (s_reset && {m_id, m_bytes, m_data} !== beat(taken)) wrong("another beat was expected");
        taken <= taken + 1;
      end
      if (m_answer) begin
        if (!flush) wrong("an answer without a flush");
        if (s_reset && taken !== answered) wrong("an answer before the last beat, or after the next");
        n_flushes = n_flushes + 1;
        flush <= !hurries && one_in(2);
      end else if (!flush) flush <= !hurries && one_in(50);
      if (one_in(60)) m_slow = !m_slow;
      ready <= hurries || (m_slow ? one_in(6) : !one_in(5));
      if (mode_left == 0) next_mode;
      mode_left = mode_left - 1;
      sync <= mode == RANDOM ? one_in(30) : mode == PAIR;
    end
    m_clken <= hurries || !one_in(4);
  end

  // Of requests for a sync: the source sees one in the time that bits take to cross, and none without.
  integer waits_sync = 0, n_asked = 0;
  always @(posedge m_clk) if (m_rst_n === 1'b1 && m_clken && sync) begin
    n_asked = n_asked + 1;
    if (waits_sync == 0) waits_sync = 1;
  end
  reg s_sync_last = 1'b0;
  always @(posedge s_clk) if (s_rst_n !== 1'b1) waits_sync = 0;
  else begin
    if (waits_sync != 0) waits_sync = waits_sync + 1;
    if (s_clken && s_sync) begin
      n_syncs = n_syncs + 1;
      mode_seen = mode_seen + 1;
      waits_sync = 0;
      if (n_asked == 0) wrong("a sync that nobody asked for");
      if (s_sync_last) wrong("a sync of two cycles");
    end
    if (s_clken) s_sync_last = s_sync;
    if (waits_sync > 400 + 60 * period) begin
      wrong("a sync does not arrive");
      waits_sync = 0;
    end
  end

  // A reset of one side and then of both, at any time.
  task reset;
    begin
      if ($random(seed) & 1) s_reset = 1'b0; else m_reset = 1'b0;
      #({$random(seed)} % 60);
      {s_reset, m_reset} = 2'b00;
      #(1 + {$random(seed)} % 60);
      if ({m_valid, m_answer, s_flush, s_sync} !== 4'd0) wrong("something happens in reset");
      taken = sent;
      mode = RANDOM;
      mode_left = 100;
      if ($random(seed) & 1) s_reset = 1'b1; else m_reset = 1'b1;
      #({$random(seed)} % 60);
      {s_reset, m_reset} = 2'b11;
      n_resets = n_resets + 1;
    end
  endtask

  // Nothing stops.
  integer last = -1;
  always #200000 if (last == taken) begin
    $display("beat %0d: nothing moves", taken);
    $finish;
  end else last = taken;

  integer start, cycles, left;
  initial begin
    errors = 0; n_flushes = 0; n_resets = 0; n_syncs = 0;
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    if (!$value$plusargs("period=%d", period)) period = 10;
    half = period * 0.5;
    #17 {s_reset, m_reset} = 2'b11;
    while (taken < BEATS && errors < 10) begin
      left = taken + 1 + {$random(seed)} % 800;
      wait (taken >= left || errors >= 10);
      #({$random(seed)} % 100) reset;
    end
    // Without pauses.
    @(posedge m_clk) hurries = 1'b1;
    wait (!flush);
    #(2000 * (period + 10));
    start = taken;
    #(1000 * (period > 10 ? period : 10));
    cycles = taken - start;
    if (DEPTH >= 4 * STAGES && (cycles < 998 || cycles > 1002)) wrong("not a beat a cycle");
    if (n_flushes < 50 || n_syncs < 20 || n_resets < 10) wrong("hardly anything happened");
    if (errors == 0) $display("fine: %0d beats, %0d flushes, %0d syncs, %0d resets, %0d beats in 1000 cycles", taken, n_flushes, n_syncs, n_resets, cycles);
    $finish;
  end
endmodule

`default_nettype wire
