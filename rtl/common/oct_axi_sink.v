// SPDX-License-Identifier: Apache-2.0
// oct_axi_sink - writes what comes over the trace bus into system memory, as a master on AXI4.
//
// Bytes are packed into words of DATA_BITS, the first byte lowest; words wait in a FIFO. A burst begins when the FIFO has
// all its words, and ends at a multiple of the longest one: it never crosses 4 Kbyte. One burst is under way at a time; the write
// pointer moves when its answer is there, so that all below it can be read. The memory is a ring: from its last word
// the pointer goes back to the first one, or capture stops there. Nothing outside of the ring is written.
// Back-pressure: atready_o is 0 while the FIFO is full. While nothing is captured, beats are taken and dropped.
//
// Registers are those of a RAM sink of the RISC-V Trace Control Interface, at its addresses (writes to start, limit
// and pointer count while nothing is captured):
//   0x000 trRamControl: 0 trRamActive (0: all registers are reset, once the bus is idle, then it reads as 0), 1 trRamEnable,
//         3 trRamEmpty, 4 trRamMode (1: system memory), 8 trRamStopOnWrap
//   0x004 trRamImpl; 0x010, 0x014 trRamStart; 0x018, 0x01c trRamLimit, the last 4 bytes of the ring: both are rounded down, and up,
//         to bursts; 0x020, 0x024 trRamWP with bit 0 trRamWrap, rounded down to a burst when written
//   0xe00 of this module: 7:0 bytes of the last word that count, less one; 8 the memory answered a burst with an error,
//         cleared by a 1
// A 0 to trRamEnable asks the source for a flush (afvalid_o) and writes all up to its answer, the last word padded with
// zeros; then trRamEmpty is 1. A 1 meanwhile is ignored. A pointer outside of the ring goes to its start when capture
// begins.
// Latency: a word waits until its burst is whole. A burst takes a cycle for each word, one more, and those until the memory
// answers.
`default_nettype none

module oct_axi_sink #(
  parameter integer ADDR_BITS   = 32,  // 16 to 64: bits of an address
  parameter integer DATA_BITS   = 32,  // 32, 64, 128: bits of a word
  parameter integer BURST_BEATS = 16,  // a power of two from 2 to 256: words of the longest burst
  parameter integer FIFO_BURSTS = 2    // from 1 on: longest bursts that the FIFO holds
) (
  input  wire                   clk_i,
  input  wire                   rst_ni,
  // the trace bus
  input  wire                   atvalid_i,
  output wire                   atready_o,
  input  wire [31:0]            atdata_i,
  input  wire [1:0]             atbytes_i,  // bytes less one
  output wire                   afvalid_o,  // a flush, held until afready_i
  input  wire                   afready_i,
  // the debugger
  input  wire                   psel_i,
  input  wire                   penable_i,
  input  wire                   pwrite_i,
  input  wire [11:0]            paddr_i,
  input  wire [31:0]            pwdata_i,
  output reg  [31:0]            prdata_o,
  output wire                   pready_o,
  output wire                   pslverr_o,
  // the memory
  output wire                   awvalid_o,
  input  wire                   awready_i,
  output wire [ADDR_BITS-1:0]   awaddr_o,
  output wire [7:0]             awlen_o,    // words less one
  output wire [2:0]             awsize_o,   // always whole words
  output wire [1:0]             awburst_o,  // always INCR
  output wire                   wvalid_o,
  input  wire                   wready_i,
  output wire [DATA_BITS-1:0]   wdata_o,
  output wire [DATA_BITS/8-1:0] wstrb_o,    // always all
  output wire                   wlast_o,
  input  wire                   bvalid_i,
  output wire                   bready_o,
  input  wire [1:0]             bresp_i
);

  // What is illegal stops elaboration: docs/rtl.md, conventions.
  generate
    if (ADDR_BITS < 16 || ADDR_BITS > 64) begin : gen_illegal_ADDR_BITS
      oct_illegal_ADDR_BITS_expected_16_to_64 u_illegal ();
    end
    if (DATA_BITS != 32 && DATA_BITS != 64 && DATA_BITS != 128) begin : gen_illegal_DATA_BITS
      oct_illegal_DATA_BITS_expected_32_64_or_128 u_illegal ();
    end
    if (BURST_BEATS < 2 || BURST_BEATS > 256 || (BURST_BEATS & (BURST_BEATS - 1)) != 0) begin : gen_illegal_BURST_BEATS
      oct_illegal_BURST_BEATS_expected_a_power_of_two_from_2_to_256 u_illegal ();
    end
    if (FIFO_BURSTS < 1) begin : gen_illegal_FIFO_BURSTS
      oct_illegal_FIFO_BURSTS_expected_1_or_more u_illegal ();
    end
  endgenerate

  localparam integer WORD_BYTES = DATA_BITS / 8;
  localparam integer WORD_LOG2 = $clog2(WORD_BYTES);
  localparam integer BURST_LOG2 = $clog2(BURST_BEATS);
  localparam integer RING_LOG2 = WORD_LOG2 + BURST_LOG2;  // what start and limit are rounded to
  localparam integer WORD_AT_BITS = ADDR_BITS - WORD_LOG2;
  localparam integer BURST_AT_BITS = ADDR_BITS - RING_LOG2;
  localparam integer BEAT_BITS = BURST_LOG2 + 1;
  localparam integer FIFO_WORDS = BURST_BEATS * FIFO_BURSTS;
  localparam integer COUNT_BITS = $clog2(FIFO_WORDS + 1);
  localparam integer HELD_BITS = DATA_BITS - 8;
  localparam integer BYTES_BITS = WORD_LOG2 + 1;
  localparam [31:0] BURST_32 = BURST_BEATS, SIZE_32 = WORD_LOG2;

  localparam [11:0] CONTROL = 12'h000, IMPL = 12'h004, START_LOW = 12'h010, START_HIGH = 12'h014, LIMIT_LOW = 12'h018,
      LIMIT_HIGH = 12'h01c, WP_LOW = 12'h020, WP_HIGH = 12'h024, LAST = 12'he00;
  // Version 1.0, a RAM sink, which has system memory.
  localparam [31:0] IMPL_VALUE = 32'h0000_2901;

  // OFF; RUNS; FLUSHES until the source answers; DRAINS what it has; DROPS what it has.
  localparam [2:0] OFF = 3'd0, RUNS = 3'd1, FLUSHES = 3'd2, DRAINS = 3'd3, DROPS = 3'd4;

  reg [2:0]               phase_q;
  reg                     active_q, leaves_q, stop_on_wrap_q, wrap_q, error_q;
  reg [BURST_AT_BITS-1:0] start_q, limit_q;
  reg [WORD_AT_BITS-1:0]  at_q;  // trRamWP
  reg [WORD_LOG2-1:0]     last_bytes_q;

  // ---- Bytes to words ----

  reg  [HELD_BITS-1:0] held_q;  // zeros above held_bytes_q
  reg  [WORD_LOG2-1:0] held_bytes_q;
  wire                 captures = phase_q == RUNS || phase_q == FLUSHES;
  wire                 fifo_ready, fifo_valid;
  wire [COUNT_BITS-1:0] fifo_count;
  wire                 takes = captures && atvalid_i && fifo_ready;
  wire [31:0]          beat = atdata_i & (32'hffff_ffff >> {2'd3 - atbytes_i, 3'd0});
  wire [DATA_BITS+23:0] joined = {32'd0, held_q} | ({{(DATA_BITS - 8){1'b0}}, beat} << {held_bytes_q, 3'd0});
  wire [BYTES_BITS-1:0] joined_bytes = {1'b0, held_bytes_q} + {{(BYTES_BITS - 2){1'b0}}, atbytes_i} + {{WORD_LOG2{1'b0}}, 1'b1};
  wire                 fills_word = takes && joined_bytes[WORD_LOG2];
  wire                 pads = phase_q == DRAINS && held_bytes_q != {WORD_LOG2{1'b0}} && fifo_ready;
  wire [DATA_BITS-1:0] word = pads ? {8'd0, held_q} : joined[DATA_BITS-1:0];

  assign atready_o = !captures || fifo_ready;
  assign afvalid_o = phase_q == FLUSHES;

  // ---- Bursts ----

  reg                  aw_q, w_q, b_q;  // address, words and answer are under way
  reg  [BEAT_BITS-1:0] beats_q, left_q;
  wire                 is_idle = !aw_q && !w_q && !b_q;
  wire                 sends = w_q && wready_i;
  wire [BEAT_BITS-1:0] to_edge = BURST_32[BEAT_BITS-1:0] - {1'b0, at_q[BURST_LOG2-1:0]};
  wire                 has_burst = {{BEAT_BITS{1'b0}}, fifo_count} >= {{COUNT_BITS{1'b0}}, to_edge};
  wire                 has_rest = phase_q == DRAINS && held_bytes_q == {WORD_LOG2{1'b0}} && fifo_valid;
  wire [COUNT_BITS+BEAT_BITS-1:0] rest = {{BEAT_BITS{1'b0}}, fifo_count};
  wire                 begins = is_idle && (captures || phase_q == DRAINS) && (has_burst || has_rest);
  wire                 drops = phase_q == DROPS && is_idle && fifo_valid;

  // The answer: where the next burst goes.
  wire                 done = b_q && !aw_q && !w_q && bvalid_i;
  wire [WORD_AT_BITS-1:0] next_at = at_q + {{(WORD_AT_BITS - BEAT_BITS){1'b0}}, beats_q};
  wire                 is_whole = next_at[BURST_LOG2-1:0] == {BURST_LOG2{1'b0}};
  wire                 wraps = done && is_whole && at_q[WORD_AT_BITS-1:BURST_LOG2] >= limit_q;
  wire                 stops = wraps && stop_on_wrap_q;

  oct_fifo #(
    .WIDTH (DATA_BITS),
    .DEPTH (FIFO_WORDS),
    .MEMORY(1)
  ) u_words (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (fills_word || pads),
    .data_i (word),
    .pop_i  (sends || drops),
    .ready_o(fifo_ready),
    .valid_o(fifo_valid),
    .data_o (wdata_o),
    .count_o(fifo_count)
  );

  wire [8:0] beats_less_1 = {{(9 - BEAT_BITS){1'b0}}, beats_q} - 9'd1;
  assign awvalid_o = aw_q;
  assign awaddr_o  = {at_q, {WORD_LOG2{1'b0}}};
  assign awlen_o   = beats_less_1[7:0];
  assign awsize_o  = SIZE_32[2:0];
  assign awburst_o = 2'b01;
  assign wvalid_o  = w_q;
  assign wstrb_o   = {WORD_BYTES{1'b1}};
  assign wlast_o   = left_q == {{BURST_LOG2{1'b0}}, 1'b1};
  assign bready_o  = b_q && !aw_q && !w_q;

  // ---- Registers ----

  wire is_access = psel_i && penable_i;
  wire is_write = is_access && pwrite_i;
  wire writes_control = is_write && paddr_i == CONTROL;
  wire sets_ring = is_write && active_q && phase_q == OFF;
  wire is_empty = is_idle && !fifo_valid && held_bytes_q == {WORD_LOG2{1'b0}} && (phase_q == OFF || phase_q == RUNS);
  wire enables = writes_control && pwdata_i[0] && pwdata_i[1] && active_q && !leaves_q && phase_q == OFF;
  wire leaves = writes_control && !pwdata_i[0];
  wire [BURST_AT_BITS-1:0] burst_at = at_q[WORD_AT_BITS-1:BURST_LOG2];
  wire is_outside = burst_at < start_q || burst_at > limit_q;

  // Addresses of 64 bits as the registers have them, and what a write makes of them.
  function [63:0] written(input [63:0] old, input [31:0] value, input is_high);
    written = is_high ? {value, old[31:0]} : {old[63:32], value};
  endfunction

  wire [63:0] start_64 = {{(64 - BURST_AT_BITS){1'b0}}, start_q} << RING_LOG2;
  wire [63:0] limit_64 = ({{(64 - BURST_AT_BITS){1'b0}}, limit_q} << RING_LOG2) | ((64'd1 << RING_LOG2) - 64'd4);
  wire [63:0] at_64 = {{(64 - WORD_AT_BITS){1'b0}}, at_q} << WORD_LOG2;
  // verilator lint_off UNUSEDSIGNAL
  wire [63:0] start_d = written(start_64, pwdata_i, paddr_i == START_HIGH);
  wire [63:0] limit_d = written(limit_64, pwdata_i, paddr_i == LIMIT_HIGH);
  wire [63:0] at_d = written(at_64, pwdata_i, paddr_i == WP_HIGH);
  // verilator lint_on UNUSEDSIGNAL

  assign pready_o  = 1'b1;
  assign pslverr_o = is_access && !(paddr_i == CONTROL || paddr_i == IMPL || paddr_i == START_LOW || paddr_i == START_HIGH ||
      paddr_i == LIMIT_LOW || paddr_i == LIMIT_HIGH || paddr_i == WP_LOW || paddr_i == WP_HIGH || paddr_i == LAST);

  always @(*) begin
    case (paddr_i)
      CONTROL: prdata_o = {23'd0, stop_on_wrap_q, 3'd0, 1'b1, is_empty, 1'b0, phase_q == RUNS, active_q};
      IMPL: prdata_o = IMPL_VALUE;
      START_LOW: prdata_o = start_64[31:0];
      START_HIGH: prdata_o = start_64[63:32];
      LIMIT_LOW: prdata_o = limit_64[31:0];
      LIMIT_HIGH: prdata_o = limit_64[63:32];
      WP_LOW: prdata_o = {at_64[31:2], 1'b0, wrap_q};
      WP_HIGH: prdata_o = at_64[63:32];
      LAST: prdata_o = {23'd0, error_q, {(8 - WORD_LOG2){1'b0}}, last_bytes_q};
      default: prdata_o = 32'd0;
    endcase
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q        <= OFF;
      active_q       <= 1'b0;
      leaves_q       <= 1'b0;
      stop_on_wrap_q <= 1'b0;
      wrap_q         <= 1'b0;
      error_q        <= 1'b0;
      start_q        <= {BURST_AT_BITS{1'b0}};
      limit_q        <= {BURST_AT_BITS{1'b0}};
      at_q           <= {WORD_AT_BITS{1'b0}};
      last_bytes_q   <= {WORD_LOG2{1'b1}};
      held_q         <= {HELD_BITS{1'b0}};
      held_bytes_q   <= {WORD_LOG2{1'b0}};
      aw_q           <= 1'b0;
      w_q            <= 1'b0;
      b_q            <= 1'b0;
      beats_q        <= {BEAT_BITS{1'b0}};
      left_q         <= {BEAT_BITS{1'b0}};
    end else begin
      // Bytes to words.
      if (takes) begin
        held_q       <= fills_word ? {{(HELD_BITS - 24){1'b0}}, joined[DATA_BITS+23:DATA_BITS]} : joined[HELD_BITS-1:0];
        held_bytes_q <= joined_bytes[WORD_LOG2-1:0];
      end
      if (pads) begin
        held_q       <= {HELD_BITS{1'b0}};
        held_bytes_q <= {WORD_LOG2{1'b0}};
        last_bytes_q <= held_bytes_q - 1'b1;
      end

      // Bursts.
      if (begins) begin
        {aw_q, w_q, b_q} <= 3'b111;
        beats_q <= has_burst ? to_edge : rest[BEAT_BITS-1:0];
        left_q  <= has_burst ? to_edge : rest[BEAT_BITS-1:0];
      end
      if (awvalid_o && awready_i) aw_q <= 1'b0;
      if (sends) begin
        left_q <= left_q - 1'b1;
        if (wlast_o) w_q <= 1'b0;
      end
      if (done) begin
        b_q  <= 1'b0;
        at_q <= wraps ? {start_q, {BURST_LOG2{1'b0}}} : next_at;
        if (wraps) wrap_q <= 1'b1;
        if (bresp_i[1]) error_q <= 1'b1;
      end

      // Registers.
      if (sets_ring) begin
        case (paddr_i)
          START_LOW, START_HIGH: start_q <= start_d[ADDR_BITS-1:RING_LOG2];
          LIMIT_LOW, LIMIT_HIGH: limit_q <= limit_d[ADDR_BITS-1:RING_LOG2];
          WP_LOW, WP_HIGH: begin
            at_q <= {at_d[ADDR_BITS-1:RING_LOG2], {BURST_LOG2{1'b0}}};
            if (paddr_i == WP_LOW) wrap_q <= pwdata_i[0];
          end
          default: begin
          end
        endcase
      end
      if (is_write && paddr_i == LAST && pwdata_i[8] && !(done && bresp_i[1])) error_q <= 1'b0;
      if (writes_control && pwdata_i[0] && !leaves_q) begin
        active_q <= 1'b1;
        if (phase_q == OFF) stop_on_wrap_q <= active_q && pwdata_i[8];
      end
      if (enables) begin
        phase_q      <= RUNS;
        last_bytes_q <= {WORD_LOG2{1'b1}};
        if (is_outside) at_q <= {start_q, {BURST_LOG2{1'b0}}};
      end
      if (writes_control && !pwdata_i[1] && phase_q == RUNS) phase_q <= FLUSHES;
      if (phase_q == FLUSHES && afready_i) phase_q <= DRAINS;
      if (phase_q == DRAINS && is_idle && !fifo_valid && held_bytes_q == {WORD_LOG2{1'b0}}) phase_q <= OFF;
      if (stops || leaves) begin
        phase_q      <= DROPS;
        held_q       <= {HELD_BITS{1'b0}};
        held_bytes_q <= {WORD_LOG2{1'b0}};
      end
      if (stops && (fifo_valid || held_bytes_q != {WORD_LOG2{1'b0}})) last_bytes_q <= {WORD_LOG2{1'b1}};  // the rest is dropped
      if (leaves) leaves_q <= active_q;
      if (phase_q == DROPS && is_idle && !fifo_valid && !leaves) begin
        phase_q <= OFF;
        if (leaves_q) begin
          active_q       <= 1'b0;
          leaves_q       <= 1'b0;
          stop_on_wrap_q <= 1'b0;
          wrap_q         <= 1'b0;
          error_q        <= 1'b0;
          start_q        <= {BURST_AT_BITS{1'b0}};
          limit_q        <= {BURST_AT_BITS{1'b0}};
          at_q           <= {WORD_AT_BITS{1'b0}};
          last_bytes_q   <= {WORD_LOG2{1'b1}};
        end
      end
    end
  end

`ifdef FORMAL
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* begin
    if (!f_past_q) assume (!rst_ni);
    assume (!bvalid_i || bready_o);  // a memory answers what it was asked
  end

  // Where a burst may go: the ring, or its first burst if that begins after the last.
  wire f_in_ring = burst_at >= start_q && (burst_at <= limit_q || burst_at == start_q);
  wire f_runs = captures || phase_q == DRAINS;
  wire f_is_busy = aw_q || w_q || b_q;
  reg  f_aw_waits_q = 1'b0, f_w_waits_q = 1'b0;
  reg  [ADDR_BITS+7:0] f_aw_q;
  reg  [DATA_BITS:0]   f_w_q;
  always @(posedge clk_i) begin
    f_aw_waits_q <= rst_ni && awvalid_o && !awready_i;
    f_w_waits_q  <= rst_ni && wvalid_o && !wready_i;
    f_aw_q       <= {awaddr_o, awlen_o};
    f_w_q        <= {wdata_o, wlast_o};
  end
  always @* if (f_past_q && rst_ni) begin
    assert (phase_q <= DROPS);
    if (f_runs) assert (active_q && f_in_ring);
    if (f_is_busy) begin
      assert (b_q && f_in_ring && phase_q != OFF && active_q);
      // As many words as the address says, all in the FIFO, and none after the edge of the longest burst.
      assert (beats_q != 0 && beats_q <= to_edge && left_q <= beats_q && w_q == (left_q != 0));
      if (w_q) assert (fifo_count >= left_q);
    end
    if (phase_q == OFF) assert (!fifo_valid && held_bytes_q == 0 && !leaves_q);
    if (leaves_q) assert (phase_q == DROPS);
    if (phase_q == DROPS) assert (held_bytes_q == 0);
    if (aw_q) assert (b_q);
    // The bus waits with what it has.
    if (f_aw_waits_q) assert (awvalid_o && {awaddr_o, awlen_o} == f_aw_q);
    if (f_w_waits_q) assert (wvalid_o && {wdata_o, wlast_o} == f_w_q);
  end
  always @(posedge clk_i) if (f_past_q && rst_ni) begin
    cover (wraps && !stops && start_q != limit_q);
    cover (stops && fifo_valid);
    cover (begins && !has_burst);
    cover (leaves && w_q && left_q != beats_q);
    cover (enables && is_outside);
  end
`endif

  wire unused = &{1'b0, bresp_i[0], rest, beats_less_1[8]};

endmodule

`default_nettype wire
