// SPDX-License-Identifier: Apache-2.0
// oct_ram_sink - keeps what comes over the trace bus in an on-chip RAM, to be read by the debugger.
//
// Bytes are packed into words of 32 bits, the first byte lowest. The RAM is a circular buffer: the
// newest words overwrite the oldest. With the register bit stop_when_full it stops at its end instead.
// trigger_i starts a countdown: capture stops with the TRG-th word that is full in a later cycle, so
// that what led to the trigger and what followed are both there; with TRG = 0, with the trigger's cycle.
// Bytes behind the last word of a full RAM or of a countdown are dropped. If capture stops otherwise,
// all bytes up to that cycle are kept: those that fill no word are written a cycle later, padded with
// zeros; STS says how many of them count.
// The debugger asks for a flush by FFCR, whose bit stays set until afready_i. All up to that cycle is then in the RAM;
// with stop_on_flush capture stops there.
// Latency: 1 cycle from a beat to the RAM. Back-pressure: none, atready_o is always set.
// Registers have the names and places of CoreSight's Embedded Trace Buffer where it has them:
//   0x04 RDP words of the RAM; 0x0c STS bit 0 it has wrapped round or is full, bit 1 it has been
//   triggered, bit 2 it has stopped, bits 9:8 bytes of the last word that count, less one; 0x10 RRD the
//   word at RRP, reading it adds one to RRP; 0x14 RRP; 0x18 RWP, where the next word goes; 0x1c TRG;
//   0x20 CTL bit 0 capture is enabled (set after reset), bit 1 stop_when_full; 0x300 FFSR bit 0 a flush is under
//   way, bit 1 capture has stopped; 0x304 FFCR bit 6 a 1 asks for a flush, reads as 1 until it is done, bit 12
//   stop_on_flush.
// Parameters: DEPTH_WORDS (a power of two from 2 on).
`default_nettype none

module oct_ram_sink #(
  parameter integer DEPTH_WORDS = 1024  // a power of two from 2 on: words of 32 bits
) (
  input  wire        clk_i,
  input  wire        rst_ni,
  // the trace bus
  input  wire        atvalid_i,
  input  wire [31:0] atdata_i,
  input  wire [1:0]  atbytes_i,  // bytes less one
  output wire        atready_o,  // always 1
  output wire        afvalid_o,  // a flush, held until afready_i
  input  wire        afready_i,
  input  wire        trigger_i,  // stops capture after TRG words; 0 if nothing does
  // the debugger
  input  wire        psel_i,
  input  wire        penable_i,
  input  wire        pwrite_i,
  input  wire [11:0] paddr_i,
  input  wire [31:0] pwdata_i,
  output reg  [31:0] prdata_o,
  output wire        pready_o,
  output wire        pslverr_o
);

  // What is illegal stops elaboration: docs/rtl.md, conventions.
  generate
    if (DEPTH_WORDS < 2 || (DEPTH_WORDS & (DEPTH_WORDS - 1)) != 0) begin : gen_illegal_DEPTH_WORDS
      oct_illegal_DEPTH_WORDS_expected_a_power_of_two_from_2_on u_illegal ();
    end
  endgenerate

  localparam integer WORD_BITS = $clog2(DEPTH_WORDS);
  localparam [31:0] DEPTH_32 = DEPTH_WORDS;
  localparam [11:0] RDP = 12'h004, STS = 12'h00c, RRD = 12'h010, RRP = 12'h014, RWP = 12'h018, TRG = 12'h01c,
      CTL = 12'h020, FFSR = 12'h300, FFCR = 12'h304;

  reg [31:0]          ram_q[0:DEPTH_WORDS-1];
  reg [31:0]          read_q;
  reg [WORD_BITS-1:0] write_at_q, read_at_q;
  reg [23:0]          held_q;        // zeros above held_bytes_q
  reg [1:0]           held_bytes_q;  // 0..3
  reg [1:0]           last_bytes_q;  // of the last word, less one
  reg                 enable_q, stop_when_full_q, ended_q, stopped_q, wrapped_q, triggered_q;
  reg                 flush_q, stop_on_flush_q;
  reg [31:0]          countdown_q, trg_q;

  // What a beat makes of what is held: up to 7 bytes, of which the lowest 4 are a word.
  wire        takes = atvalid_i && !ended_q;
  wire [2:0]  beat_bytes = {1'b0, atbytes_i} + 3'd1;
  wire [31:0] beat = atdata_i & (32'hffff_ffff >> {2'd3 - atbytes_i, 3'd0});
  wire [55:0] joined = {32'd0, held_q} | ({24'd0, beat} << {held_bytes_q, 3'd0});
  wire [2:0]  joined_bytes = {1'b0, held_bytes_q} + beat_bytes;
  wire        fills_word = takes && joined_bytes[2];

  wire is_access = psel_i && penable_i;
  wire is_write = is_access && pwrite_i;
  wire writes_ctl = is_write && paddr_i == CTL;
  wire writes_ffcr = is_write && paddr_i == FFCR;
  wire flushed = flush_q && afready_i;
  wire at_end = &write_at_q;
  // The last word that there is room for, or that is asked for behind a trigger.
  wire cuts = fills_word && ((stop_when_full_q && at_end) || (triggered_q && countdown_q == 32'd1));
  wire triggers = trigger_i && !triggered_q;
  wire ends = cuts || (writes_ctl && !pwdata_i[0]) || (triggers && trg_q == 32'd0) ||
      (flushed && stop_on_flush_q);

  wire        writes_rest = ended_q && !stopped_q && held_bytes_q != 2'd0;
  wire        writes = fills_word || writes_rest;
  wire [31:0] word = fills_word ? joined[31:0] : {8'd0, held_q};

  assign atready_o = 1'b1;
  assign afvalid_o = flush_q;
  assign pready_o  = 1'b1;
  assign pslverr_o = is_access && !(paddr_i == RDP || paddr_i == STS || paddr_i == RRD || paddr_i == RRP ||
      paddr_i == RWP || paddr_i == TRG || paddr_i == CTL || paddr_i == FFSR || paddr_i == FFCR);

  always @(posedge clk_i) begin
    // A reset leaves what there is, so it also gates the RAM, which has none.
    // verilator lint_off SYNCASYNCNET
    if (writes && rst_ni) ram_q[write_at_q] <= word;
    // verilator lint_on SYNCASYNCNET
    read_q <= ram_q[read_at_q];
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_at_q       <= 0;
      read_at_q        <= 0;
      held_q           <= 24'd0;
      held_bytes_q     <= 2'd0;
      last_bytes_q     <= 2'd3;
      enable_q         <= 1'b1;
      stop_when_full_q <= 1'b0;
      ended_q          <= 1'b0;
      stopped_q        <= 1'b0;
      wrapped_q        <= 1'b0;
      triggered_q      <= 1'b0;
      countdown_q      <= 32'd0;
      trg_q            <= 32'd0;
      flush_q          <= 1'b0;
      stop_on_flush_q  <= 1'b0;
    end else begin
      if (writes) begin
        write_at_q <= write_at_q + 1'b1;
        wrapped_q  <= wrapped_q || at_end;
      end
      if (fills_word) begin
        held_q       <= joined[55:32];
        held_bytes_q <= cuts ? 2'd0 : joined_bytes[1:0];
      end else if (takes) begin
        held_q       <= joined[23:0];
        held_bytes_q <= joined_bytes[1:0];
      end
      if (writes_rest) last_bytes_q <= held_bytes_q - 2'd1;
      if (triggered_q && fills_word) countdown_q <= countdown_q - 32'd1;
      if (triggers) begin
        triggered_q <= 1'b1;
        countdown_q <= trg_q;
      end
      if (ends) ended_q <= 1'b1;
      if (ended_q) stopped_q <= 1'b1;
      flush_q <= (flush_q && !afready_i) || (writes_ffcr && pwdata_i[6]);
      if (writes_ffcr) stop_on_flush_q <= pwdata_i[12];
      if (is_write && paddr_i == TRG) trg_q <= pwdata_i;
      if (is_write && paddr_i == RRP) read_at_q <= pwdata_i[WORD_BITS-1:0];
      else if (is_access && !pwrite_i && paddr_i == RRD) read_at_q <= read_at_q + 1'b1;
      if (writes_ctl) begin
        enable_q         <= pwdata_i[0];
        stop_when_full_q <= pwdata_i[1];
        if (pwdata_i[0] && !enable_q) begin  // capture starts afresh
          ended_q      <= 1'b0;
          stopped_q    <= 1'b0;
          wrapped_q    <= 1'b0;
          triggered_q  <= 1'b0;
          write_at_q   <= 0;
          held_q       <= 24'd0;
          held_bytes_q <= 2'd0;
          last_bytes_q <= 2'd3;
        end
      end
    end
  end

  always @(*) begin
    case (paddr_i)
      RDP: prdata_o = DEPTH_32;
      STS: prdata_o = {22'd0, last_bytes_q, 5'd0, stopped_q, triggered_q, wrapped_q};
      RRD: prdata_o = read_q;
      RRP: prdata_o = {{(32 - WORD_BITS) {1'b0}}, read_at_q};
      RWP: prdata_o = {{(32 - WORD_BITS) {1'b0}}, write_at_q};
      TRG: prdata_o = trg_q;
      CTL: prdata_o = {30'd0, stop_when_full_q, enable_q};
      FFSR: prdata_o = {30'd0, stopped_q, flush_q};
      FFCR: prdata_o = {19'd0, stop_on_flush_q, 5'd0, flush_q, 6'd0};
      default: prdata_o = 32'd0;
    endcase
  end

endmodule

`default_nettype wire
