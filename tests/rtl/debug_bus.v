// SPDX-License-Identifier: Apache-2.0
// debug_bus - test: a debugger with a clock of its own reads and writes a component through
// oct_apb_cross and oct_coresight, with the registers of the compressor behind them.
//
// Every answer is held against what a model of the registers says. The component sees each access of the debugger once, not before
// its second phase, and nothing in reset; the bus reads as zeros where it answers nothing. Now and then one side is reset
// at any time of an access, and the other one meanwhile; the next access comes as soon as the debugger's side is out of it. +seed= and +period= (of the
// debugger's clock, in tenths of the other's) vary a run. Prints one line, and stops at the first error.
`timescale 1ns / 100ps
`default_nettype none

module debug_bus #(
  parameter integer STAGES = 2
);
  localparam integer ACCESSES = 4000;
  localparam [31:0] KEY = 32'hc5ac_ce55;

  integer seed, period, n, errors, waited, asked, served;
  reg     m_clk = 1'b0, s_clk = 1'b0, m_reset = 1'b0, s_reset = 1'b0;
  real    half;
  always #5 s_clk = !s_clk;
  always #half m_clk = !m_clk;

  wire m_rst_n, s_rst_n;
  oct_reset_sync u_m_reset (.clk_i(m_clk), .rst_async_ni(m_reset), .scan_i(1'b0), .rst_no(m_rst_n));
  oct_reset_sync u_s_reset (.clk_i(s_clk), .rst_async_ni(s_reset), .scan_i(1'b0), .rst_no(s_rst_n));

  reg         niden = 1'b1, spniden = 1'b0, is_secure = 1'b0, is_debugger = 1'b0;
  reg         psel = 1'b0, penable = 1'b0, pwrite;
  reg  [11:0] paddr;
  reg  [31:0] pwdata;
  wire [31:0] prdata, x_pwdata, x_prdata, d_pwdata, d_prdata;
  wire        pready, pslverr, x_psel, x_penable, x_pwrite, x_pready, x_pslverr;
  wire        d_psel, d_penable, d_pwrite, d_pready, d_pslverr, enable, trace_enable;
  wire [11:0] x_paddr;
  wire [11:0] d_paddr;
  wire [31:0] sync_period_insns;
  wire [6:0]  atid;

  // The compressor's registers let wait now and then.
  reg goes = 1'b1;
  always @(posedge s_clk) goes <= {$random(seed)} % 3 != 0;

  oct_apb_cross #(.STAGES(STAGES)) u_cross (
    .m_clk_i(m_clk), .m_rst_ni(m_rst_n), .m_psel_i(psel), .m_penable_i(penable), .m_pwrite_i(pwrite),
    .m_paddr_i(paddr), .m_pwdata_i(pwdata), .m_prdata_o(prdata), .m_pready_o(pready),
    .m_pslverr_o(pslverr), .s_clk_i(s_clk), .s_rst_ni(s_rst_n), .s_psel_o(x_psel),
    .s_penable_o(x_penable), .s_pwrite_o(x_pwrite), .s_paddr_o(x_paddr), .s_pwdata_o(x_pwdata),
    .s_prdata_i(x_prdata), .s_pready_i(x_pready), .s_pslverr_i(x_pslverr)
  );
  oct_coresight #(.JEP106_ID(7'h3b), .JEP106_BANK(4'd4), .PART(12'habc), .REVISION(4'd5)) u_coresight (
    .clk_i(s_clk), .rst_ni(s_rst_n), .psel_i(x_psel), .penable_i(x_penable), .pwrite_i(x_pwrite),
    .paddr_i(x_paddr), .pwdata_i(x_pwdata), .prdata_o(x_prdata), .pready_o(x_pready),
    .pslverr_o(x_pslverr), .is_debugger_i(is_debugger), .niden_i(niden), .spniden_i(spniden),
    .is_secure_i(is_secure), .trace_enable_o(trace_enable), .dev_psel_o(d_psel), .dev_penable_o(d_penable),
    .dev_pwrite_o(d_pwrite), .dev_paddr_o(d_paddr), .dev_pwdata_o(d_pwdata), .dev_prdata_i(d_prdata),
    .dev_pready_i(d_pready && goes), .dev_pslverr_i(d_pslverr)
  );
  oct_regs u_regs (
    .clk_i(s_clk), .rst_ni(s_rst_n), .psel_i(d_psel), .penable_i(d_penable && goes), .pwrite_i(d_pwrite),
    .paddr_i(d_paddr), .pwdata_i(d_pwdata), .prdata_o(d_prdata), .pready_o(d_pready),
    .pslverr_o(d_pslverr), .overflow_i(1'b0), .lost_insns_i(2'd0), .lost_access_i(1'b0), .lost_traps_i(4'd0), .errors_i(6'd0),
    .stream_count_i(32'd0), .data_count_i(32'd0), .out_count_bytes_i(32'd0), .enable_o(enable),
    .sync_period_insns_o(sync_period_insns), .atid_o(atid)
  );

  // What the crossing may do at all.
  task wrong(input [8*40-1:0] what);
    begin
      $display("access %0d: %0s", n, what);
      errors = errors + 1;
    end
  endtask
  always @(posedge x_psel) if (m_reset && s_reset && penable !== 1'b1) wrong("the component is asked before the debugger asks");
  always @(posedge s_clk) if (x_psel && x_penable && x_pready) served = served + 1;
  // Each access has a first phase, of one cycle, and then a second until it is answered.
  reg [1:0] phase = 2'd0;  // of the cycle before: 0 none, 1 first, 2 second, without an answer
  always @(posedge s_clk) begin
    if (s_rst_n === 1'b1 && phase != 2'd0 && !(x_psel && x_penable)) wrong("an access without its second phase");
    if (s_rst_n === 1'b1 && x_psel && x_penable && phase == 2'd0) wrong("an access without its first phase");
    phase = s_rst_n !== 1'b1 || !x_psel ? 2'd0 : !x_penable ? 2'd1 : x_pready ? 2'd0 : 2'd2;
  end
  always @(negedge m_clk) if (m_reset) begin
    if (pready !== 1'b0 && !(psel && penable)) wrong("an answer without an access");
    if (!(pready && !pwrite) && prdata !== 32'd0) wrong("data without a read");
    if (!pready && pslverr !== 1'b0) wrong("an error without an answer");
  end

  // One access, as APB has it.
  task access(input is_write, input [11:0] addr, input [31:0] data);
    begin
      asked = asked + 1;
      @(posedge m_clk) #1;
      psel = 1'b1; penable = 1'b0; pwrite = is_write; paddr = addr; pwdata = data;
      @(posedge m_clk) #1 penable = 1'b1;
      @(negedge m_clk);
      for (waited = 0; !pready && waited < 1000; waited = waited + 1) @(negedge m_clk);
      if (!pready) begin
        $display("access %0d: %h: no answer", n, addr);
        errors = errors + 1;
      end
    end
  endtask
  task idle;
    begin
      @(posedge m_clk) #1;
      psel = 1'b0; penable = 1'b0;
    end
  endtask
  // An access that a reset cuts off, at the latest when its answer is there.
  integer left;
  reg     m_first;
  task reset_in_access(input is_write, input [11:0] addr, input [31:0] data);
    begin
      @(posedge m_clk) #1;
      psel = 1'b1; penable = 1'b0; pwrite = is_write; paddr = addr; pwdata = data;
      @(posedge m_clk) #1 penable = 1'b1;
      for (left = {$random(seed)} % ((STAGES + 3) * (10 + period)); left > 0 && !pready; left = left - 1) #1;
      m_first = $random(seed);
      {m_reset, s_reset} = m_first ? 2'b01 : 2'b10;
      if (m_first) {psel, penable} = 2'b00;
      #({$random(seed)} % 60);
      {m_reset, s_reset, psel, penable} = 4'd0;
      #(1 + {$random(seed)} % 60);
      if ({x_psel, x_penable, pready} !== 3'd0) wrong("something happens in reset");
      asked = 0; served = 0;
      locked = 1'b1; claim = 4'd0; sync_period = 32'd1048576;
      m_first = $random(seed);
      {m_reset, s_reset} = m_first ? 2'b10 : 2'b01;
      #({$random(seed)} % 60);
      {m_reset, s_reset} = 2'b11;
      wait (m_rst_n);
    end
  endtask
  task expect_read(input [11:0] addr, input [31:0] want, input want_error);
    begin
      access(1'b0, addr, $random(seed));  // which a read does not write
      if (prdata !== want || pslverr !== want_error) begin
        $display("access %0d: %h: read %h error %b, expected %h error %b", n, addr, prdata, pslverr, want, want_error);
        errors = errors + 1;
      end
      idle;
    end
  endtask

  // What stands beside an access: no data, and no second phase of one that is not there.
  always @(posedge s_clk) if (s_rst_n && errors == 0) begin
    if (!(x_psel && x_penable && !x_pwrite) && x_prdata !== 32'd0) wrong("data without a read");
    if (d_penable && !d_psel) wrong("a second phase without a first");
  end

  // The model.
  reg        locked;
  reg [3:0]  claim;
  reg [31:0] sync_period;
  reg [31:0] value;
  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    if (!$value$plusargs("period=%d", period)) period = 13;
    half = period * 0.5;
    errors = 0; asked = 0; served = 0; n = 0;
    locked = 1'b1; claim = 4'd0; sync_period = 32'd1048576;
    #33;
    if ({x_psel, x_penable, pready} !== 3'd0) wrong("something happens in reset");
    {m_reset, s_reset} = 2'b11;
    wait (m_rst_n && s_rst_n);  // an access at once
    expect_read(12'hfe0, 32'hbc, 1'b0);
    expect_read(12'hfe4, 32'hba, 1'b0);
    expect_read(12'hfe8, 32'h5b, 1'b0);
    expect_read(12'hfd0, 32'h04, 1'b0);
    expect_read(12'hff0, 32'h0d, 1'b0);
    expect_read(12'hff4, 32'h90, 1'b0);
    expect_read(12'hff8, 32'h05, 1'b0);
    expect_read(12'hffc, 32'hb1, 1'b0);
    expect_read(12'hfcc, 32'h13, 1'b0);
    expect_read(12'hfb8, 32'h8c, 1'b0);
    for (n = 0; n < ACCESSES && errors == 0; n = n + 1) begin
      value = $random(seed);
      {is_debugger, is_secure, spniden, niden} = $random(seed);
      case ({$random(seed)} % 13)
        0: begin access(1'b1, 12'hfb0, KEY); idle; if (!is_debugger) locked = 1'b0; end
        1: begin access(1'b1, 12'hfb0, value); idle; if (!is_debugger) locked = value != KEY; end
        2: begin access(1'b1, 12'hfa0, value); idle; if (!locked || is_debugger) claim = claim | value[3:0]; end
        3: begin access(1'b1, 12'hfa4, value); idle; if (!locked || is_debugger) claim = claim & ~value[3:0]; end
        4: begin access(1'b1, 12'h008, value); idle; if (!locked || is_debugger) sync_period = value; end
        5: expect_read(12'hfa4, {28'd0, claim}, 1'b0);
        6: expect_read(12'h008, sync_period, 1'b0);
        7: expect_read(12'hfb4, {30'd0, locked && !is_debugger, !is_debugger}, 1'b0);
        8: if (value[0]) expect_read(12'h038, 32'd0, 1'b1); else expect_read(12'h000, 32'h4f435452, 1'b0);
        10: expect_read(12'hfa0, 32'hf, 1'b0);
        11: expect_read(12'h800 | {1'b0, value[8:0], 2'd0} & 12'h77c, 32'd0, 1'b0);  // without a register
        12: reset_in_access(value[0], value[1] ? 12'h008 : 12'hfa0, value);
        9: expect_read(12'hfb8, {24'd0, 1'b1, niden && spniden, 3'b001, niden, 2'd0}, 1'b0);
      endcase
      if (trace_enable !== (is_secure ? niden && spniden : niden)) begin
        $display("access %0d: tracing is %b with niden %b, spniden %b, secure %b", n, trace_enable, niden, spniden, is_secure);
        errors = errors + 1;
      end
      if (sync_period_insns !== sync_period) begin
        $display("access %0d: SYNC_PERIOD is %h, expected %h", n, sync_period_insns, sync_period);
        errors = errors + 1;
      end
    end
    if (asked !== served) wrong("not as many accesses served as asked for");
    if (errors == 0) $display("fine: %0d accesses, seed %0d, period %0d", ACCESSES, seed, period);
    else $display("FAILED");
    $finish;
  end
endmodule

`default_nettype wire
