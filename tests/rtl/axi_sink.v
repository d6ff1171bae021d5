// SPDX-License-Identifier: Apache-2.0
// axi_sink - test: a trace source, oct_axi_sink, a memory on AXI4 and a debugger.
//
// Captures follow each other, with rings of any place and size, pointers inside and outside, with and without a stop at
// the end of the ring, ended by the debugger in any state. After each the memory is as it should be, byte by byte, and so are
// the pointer and the mark of a wrap. The bus is looked at: nothing changes while it waits, no burst leaves the ring or
// crosses 4 Kbyte, words are as many as the address said. Some captures are given up; then registers are as after reset.
// +seed= varies a run. Prints one line.
`timescale 1ns / 100ps
`default_nettype none

module axi_sink #(
  parameter integer DATA_BITS   = 32,
  parameter integer BURST_BEATS = 16,
  parameter integer FIFO_BURSTS = 2
);
  localparam integer ADDR_BITS = 40, WORD_BYTES = DATA_BITS / 8, BURST_BYTES = BURST_BEATS * WORD_BYTES;
  // The bytes of memory that are looked at, on both sides of a multiple of 4 Gbyte.
  localparam integer RINGS = 64 * BURST_BYTES;
  localparam [63:0]  BASE = 64'h13_0000_0000 - RINGS / 2;
  localparam integer CAPTURES = 100;

  integer seed, errors = 0, n_wraps = 0, n_stops = 0, n_left = 0, n_partial = 0, n_full = 0, n_faults = 0;
  reg     clk = 1'b0, rst_n = 1'b0;
  always #5 clk = !clk;

  reg          valid = 1'b0, answer = 1'b0;
  reg  [31:0]  data = 32'd0;
  reg  [1:0]   bytes = 2'd0;
  wire         ready, flush;
  reg          psel = 1'b0, penable = 1'b0, pwrite = 1'b0;
  reg  [11:0]  paddr = 12'd0;
  reg  [31:0]  pwdata = 32'd0;
  wire [31:0]  prdata;
  wire         pready, pslverr;
  wire                   awvalid, wvalid, wlast, bready;
  reg                    awready = 1'b0, wready = 1'b0, bvalid = 1'b0;
  wire [ADDR_BITS-1:0]   awaddr;
  wire [7:0]             awlen;
  wire [2:0]             awsize;
  wire [1:0]             awburst;
  wire [DATA_BITS-1:0]   wdata;
  wire [WORD_BYTES-1:0]  wstrb;
  reg  [1:0]             bresp = 2'd0;

  oct_axi_sink #(.ADDR_BITS(ADDR_BITS), .DATA_BITS(DATA_BITS), .BURST_BEATS(BURST_BEATS), .FIFO_BURSTS(FIFO_BURSTS)) u_sink (
    .clk_i(clk), .rst_ni(rst_n), .atvalid_i(valid), .atready_o(ready), .atdata_i(data), .atbytes_i(bytes),
    .afvalid_o(flush), .afready_i(answer), .psel_i(psel), .penable_i(penable), .pwrite_i(pwrite), .paddr_i(paddr),
    .pwdata_i(pwdata), .prdata_o(prdata), .pready_o(pready), .pslverr_o(pslverr), .awvalid_o(awvalid), .awready_i(awready),
    .awaddr_o(awaddr), .awlen_o(awlen), .awsize_o(awsize), .awburst_o(awburst), .wvalid_o(wvalid), .wready_i(wready),
    .wdata_o(wdata), .wstrb_o(wstrb), .wlast_o(wlast), .bvalid_i(bvalid), .bready_o(bready), .bresp_i(bresp)
  );

  task wrong(input [8*60-1:0] what);
    begin
      $display("at %0t: %0s", $time, what);
      errors = errors + 1;
      if (errors >= 10) $finish;
    end
  endtask
  function one_in(input integer n);
    one_in = {$random(seed)} % n == 0;
  endfunction

  // ---- The memory, as it is and as it should be ----

  reg [7:0]  memory [0:RINGS-1], want [0:RINGS-1];
  reg [63:0] start, limit, at;  // the ring: first byte, last burst, and the next byte
  reg        stops, is_full, gives_up;
  integer    n_bytes;           // of this capture

  task put(input [7:0] value);
    if (!is_full) begin
      want[at - BASE] = value;
      n_bytes = n_bytes + 1;
      at = at + 1;
      if (at == limit + BURST_BYTES) begin
        at = start;
        is_full = stops;
      end
    end
  endtask

  // ---- The source: in runs and pauses; bytes beyond those of a beat are anything ----

  reg     s_fast = 1'b0, offers = 1'b0;
  integer b;
  always @(posedge clk) if (rst_n) begin
    if (valid && ready && u_sink.captures) for (b = 0; b <= bytes; b = b + 1) put(data[8*b+:8]);
    if (answer) answer <= 1'b0;
    if (one_in(100)) s_fast = !s_fast;
    if (!valid || ready) begin
      valid <= offers && (s_fast || one_in(6));
      data  <= $random(seed);
      bytes <= s_fast && one_in(2) ? 2'd3 : $random(seed);
    end
    if (flush && !answer && one_in(20)) answer <= 1'b1;
  end

  // ---- The memory's side of the bus ----

  reg                  m_slow = 1'b0, has_aw = 1'b0, has_w = 1'b0, fails = 1'b0;
  reg [ADDR_BITS-1:0]  to;
  reg [7:0]            len;
  integer              n_words = 0, k;
  reg [DATA_BITS-1:0]  words [0:255];
  reg                  aw_waits = 1'b0, w_waits = 1'b0;
  reg [ADDR_BITS+7:0]  aw_was;
  reg [DATA_BITS:0]    w_was;
  always @(posedge clk) if (rst_n) begin
    if (aw_waits && (!awvalid || {awaddr, awlen} !== aw_was)) wrong("an address changes while it waits");
    if (w_waits && (!wvalid || {wdata, wlast} !== w_was)) wrong("a word changes while it waits");
    aw_waits = awvalid && !awready;
    aw_was = {awaddr, awlen};
    w_waits = wvalid && !wready;
    w_was = {wdata, wlast};
    if (wvalid && (^wdata === 1'bx || wstrb !== {WORD_BYTES{1'b1}})) wrong("a word is unknown");
    if (awvalid && awready) begin
      if (has_aw) wrong("two addresses");
      if (awsize !== $clog2(WORD_BYTES) || awburst !== 2'b01) wrong("another kind of burst");
      has_aw = 1'b1;
      {to, len} = {awaddr, awlen};
      if ((to & 4095) + (len + 1) * WORD_BYTES > 4096) wrong("a burst crosses 4 Kbyte");
      if (to < start || to + (len + 1) * WORD_BYTES > limit + BURST_BYTES) wrong("a burst leaves the ring");
      if (to % WORD_BYTES != 0) wrong("no whole words");
      if (len + 1 != BURST_BEATS) n_partial = n_partial + 1; else n_full = n_full + 1;
    end
    if (wvalid && wready) begin
      if (has_w) wrong("words after the last");
      words[n_words] = wdata;
      n_words = n_words + 1;
      has_w = wlast;
    end
    if (bvalid && bready) bvalid <= 1'b0;
    if (has_aw && has_w && !bvalid && !one_in(m_slow ? 30 : 2)) begin
      if (n_words != len + 1) wrong("other than as many words as said");
      for (k = 0; k < n_words * WORD_BYTES; k = k + 1) memory[to + k - BASE] = words[k / WORD_BYTES] >> 8 * (k % WORD_BYTES);
      has_aw = 1'b0;
      has_w = 1'b0;
      n_words = 0;
      bvalid <= 1'b1;
      bresp <= one_in(40) ? 2'd2 : one_in(40) ? 2'd3 : 2'd0;
    end
    if (bvalid && bready && bresp[1]) fails = 1'b1;
    if (bready && !bvalid && !has_aw && !has_w && n_words != 0) wrong("waits for an answer to nothing");
    if (one_in(200)) m_slow = !m_slow;
    awready <= !has_aw && !(awvalid && awready) && !bvalid && !one_in(m_slow ? 3 : 8);
    wready <= !m_slow || one_in(4);
  end

  // ---- The debugger ----

  task write(input [11:0] address, input [31:0] value);
    begin
      @(posedge clk) #1 {psel, pwrite, paddr, pwdata} = {2'b11, address, value};
      @(posedge clk) #1 penable = 1'b1;
      @(posedge clk) #1 {psel, penable} = 2'b00;
    end
  endtask
  reg [31:0] got;
  task read(input [11:0] address);
    begin
      @(posedge clk) #1 {psel, pwrite, paddr} = {2'b10, address};
      @(posedge clk) #1 penable = 1'b1;
      #3 got = prdata;
      if (pslverr) wrong("an address is not known");
      @(posedge clk) #1 {psel, penable} = 2'b00;
    end
  endtask
  task write_64(input [11:0] address, input [63:0] value);
    begin
      write(address, value[31:0]);
      write(address + 12'd4, value[63:32]);
    end
  endtask
  reg [63:0] got_64;
  task read_64(input [11:0] address);
    begin
      read(address);
      got_64[31:0] = got;
      read(address + 12'd4);
      got_64[63:32] = got;
    end
  endtask

  integer    capture, i, turns;
  reg [63:0] pointer, end_at;
  reg        wrapped;
  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    {gives_up, is_full, stops} = 3'd0;
    start = BASE; limit = BASE; at = BASE;
    for (i = 0; i < RINGS; i = i + 1) begin
      memory[i] = $random(seed);
      want[i] = memory[i];
    end
    #23 rst_n = 1'b1;
    read(12'h000);
    if (got !== 32'h18) wrong("another control after reset");
    read(12'h004);
    if (got !== 32'h2901) wrong("another kind of component");
    write_64(12'h010, 64'hffff_ffff_ffff_ffff);
    write(12'h000, 32'h3);
    read(12'h000);
    if (got !== 32'h19) wrong("enabled before it was active");
    read_64(12'h010);
    if (got_64 !== 0) wrong("a start before it was active");
    offers = 1'b1;
    for (capture = 0; capture < CAPTURES; capture = capture + 1) begin
      // A ring, and a pointer somewhere.
      start = BASE + ({$random(seed)} % 40) * BURST_BYTES;
      limit = start + ({$random(seed)} % (one_in(3) ? 2 : 20)) * BURST_BYTES;
      pointer = one_in(3) ? BASE + ({$random(seed)} % 64) * BURST_BYTES : start;
      stops = one_in(3);
      for (i = 0; i < RINGS; i = i + 1) want[i] = memory[i];
      write_64(12'h010, start + {$random(seed)} % BURST_BYTES);
      write_64(12'h018, limit + {$random(seed)} % BURST_BYTES);
      write_64(12'h020, (pointer & ~64'd1));
      read_64(12'h010);
      if (got_64 !== start) wrong("another start");
      read_64(12'h018);
      if (got_64 !== limit + BURST_BYTES - 4) wrong("another limit");
      read_64(12'h020);
      if (got_64 !== pointer) wrong("another pointer");
      write(12'he00, 32'h100);
      fails = 1'b0;
      at = pointer < start || pointer > limit ? start : pointer;
      pointer = at;
      is_full = 1'b0;
      n_bytes = 0;
      write(12'h000, {23'd0, stops, 8'h03});
      write_64(12'h010, 64'd0);  // not while it captures
      // A while, then the end.
      turns = {$random(seed)} % (one_in(4) ? 20 : 60 * BURST_BEATS);
      for (i = 0; i < turns && !(stops && is_full && one_in(50)); i = i + 1) @(posedge clk);
      gives_up = one_in(8);
      if (gives_up) begin
        n_left = n_left + 1;
        write(12'h000, 32'h0);
        got = 1;
        while (got[0]) read(12'h000);
        if (got !== 32'h18) wrong("another control after it was given up");
        if (awvalid || wvalid || bready) wrong("the bus is not idle");
        write(12'h000, 32'h1);
        read_64(12'h010);
        if (got_64 !== 0) wrong("a start that stays");
        read_64(12'h020);
        if (got_64 !== 0) wrong("a pointer that stays");
      end else begin
        write(12'h000, {23'd0, stops, 8'h01});
        wait_empty;
        // What fills no word is padded.
        i = n_bytes % WORD_BYTES == 0 ? WORD_BYTES - 1 : n_bytes % WORD_BYTES - 1;
        read(12'he00);
        if (got[7:0] !== i[7:0]) wrong("another number of bytes in the last word");
        if (got[8] !== fails) wrong("an error is not kept, or made up");
        if (fails) n_faults = n_faults + 1;
        wrapped = n_bytes >= limit + BURST_BYTES - pointer;
        while (n_bytes % WORD_BYTES != 0) put(8'd0);
        end_at = at;
        wrapped = n_bytes >= limit + BURST_BYTES - pointer;
        read_64(12'h020);
        if ((got_64 & ~64'd3) !== end_at) wrong("another pointer at the end");
        if (got_64[0] !== wrapped) wrong("another mark of a wrap");
        if (wrapped) n_wraps = n_wraps + 1;
        if (is_full) n_stops = n_stops + 1;
        for (i = 0; i < RINGS; i = i + 1) if (memory[i] !== want[i]) begin
          $display("byte %0d of capture %0d with %0d bytes: %0h, not %0h", i, capture, n_bytes, memory[i], want[i]);
          wrong("another byte in memory");
          i = RINGS;
        end
      end
    end
    if (n_wraps < 20 || n_stops < 5 || n_left < 3 || n_partial < 10 || n_full < 100 || n_faults < 2)
      wrong("hardly anything happened");
    $display("%0s: %0d wraps, %0d stops, %0d given up, %0d bursts, %0d short ones", errors == 0 ? "fine" : "FAILED", n_wraps, n_stops,
      n_left, n_full, n_partial);
    $finish;
  end

  task wait_empty;
    begin
      got = 0;
      while (!got[3] || got[1]) read(12'h000);
    end
  endtask

  initial begin
    #20000000 wrong("it never ends");
    $finish;
  end
endmodule

`default_nettype wire
