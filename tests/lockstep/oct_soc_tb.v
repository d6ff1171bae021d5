// SPDX-License-Identifier: Apache-2.0
// oct_soc_tb - the system of sim/soc in a simulator of four states: what leaves it, byte by byte, and whether
// anything unknown does.
//
// Each cycle is that of sim/soc/oct_soc.cpp, which is compared. Plusargs: +stream or +program, as oct_soc.v and the core
// have them; +bytes, the file for what left the pins or the AXI4-Stream, or for the beats of the trace bus with another sink; +flush, cycles
// from a flush to the next, 0: the last one alone. It ends with `fine`, or says what is unknown or wrong.
`default_nettype none
`timescale 1ns/1ps

module oct_soc_tb #(
  parameter integer XLEN = 32,
  parameter integer CHANNELS = 1,
  parameter integer TASK_BITS = 16,
  parameter integer TRAPS = 0,
  parameter integer CAUSE_BITS = 6,
  parameter integer PORT_PINS = 16,
  parameter integer SINK = 0,
  parameter integer TIME_SOURCE = 0
) ();
  localparam integer MOST_CYCLES = 3000000, MOST_FLUSH_CYCLES = 20000;

  reg                  clk = 1'b0, rst_n = 1'b1, is_flushing = 1'b0, stop = 1'b0, ends = 1'b0;
  wire                 flush_done, done, halted, core_error, error, port_valid, atvalid, atready, afready, tvalid;
  wire [PORT_PINS-1:0] port_data;
  wire [31:0]          atdata, exit_code;
  wire [1:0]           atbytes;
  integer              file, i, lane, flush, cycles = 0, held_bits = 0, faults = 0;
  reg [63:0]           held = 64'd0;
  wire                 tlast;
  wire [31:0]          tdata;
  wire [3:0]           tkeep;
  reg                  tready;
  // Random of sim/oct_dut.h, which says when the receiver of a stream pauses: seed 1, each cycle one of 0 to 7.
  reg [63:0]           random = 64'h9e3779b97f4a7c15 + 64'h2545f4914f6cdd1d, drawn;
  reg [8*512-1:0]      name;

  oct_soc #(
    .XLEN(XLEN), .CHANNELS(CHANNELS), .TASK_BITS(TASK_BITS), .TRAPS(TRAPS), .CAUSE_BITS(CAUSE_BITS), .PORT_PINS(PORT_PINS), .SINK(SINK),
    .TIME_SOURCE(TIME_SOURCE)
  ) u_soc (
    .clk_i(clk), .rst_ni(rst_n), .psel_i(1'b0), .penable_i(1'b0), .pwrite_i(1'b0), .paddr_i(13'd0), .pwdata_i(32'd0),
    .prdata_o(), .afvalid_i(is_flushing), .flush_done_o(flush_done), .afvalid_o(), .afready_o(afready), .stop_i(stop),
    .end_i(ends), .done_o(done), .exit_code_o(exit_code), .char_valid_o(), .char_o(), .halted_o(halted), .error_o(error),
    .core_error_o(core_error), .rvfi_valid_o(), .rvfi_insn_o(), .rvfi_pc_o(), .rvfi_mem_addr_o(), .rvfi_rmask_o(),
    .rvfi_wmask_o(), .rvfi_trap_o(), .rvfi_intr_o(), .rvfi_halt_o(), .rvfi_mode_o(), .cause_o(), .epc_o(), .tval_o(), .insn_valid_o(),
    .insn_addr_o(), .insn_size_bytes_o(), .insn_class_o(), .insn_word_o(), .da_valid_o(), .da_end_o(), .da_addr_o(),
    .priv_o(), .trap_valid_o(), .trap_kind_o(), .trap_privilege_o(), .trap_cause_o(), .trap_addr_o(), .trap_tval_o(),
    .time_o(), .atvalid_o(atvalid), .atready_o(atready), .atdata_o(atdata), .atbytes_o(atbytes),
    .port_valid_o(port_valid), .port_data_o(port_data), .tvalid_o(tvalid), .tready_i(tready), .tdata_o(tdata), .tkeep_o(tkeep),
    .tlast_o(tlast)
  );

  task fault(input [8*24-1:0] what);
    begin
      $display("cycle %0d: %0s", cycles, what);
      faults = faults + 1;
    end
  endtask

  task put(input [31:0] data, input integer n_bits);
    begin
      if (^data === 1'bx) fault("unknown bits leave");
      held = held | {32'd0, data} << held_bits;
      for (held_bits = held_bits + n_bits; held_bits >= 8; held_bits = held_bits - 8) begin
        $fwrite(file, "%c", held[7:0]);
        held = held >> 8;
      end
    end
  endtask

  // What is on the outputs, and the next edge.
  task cycle;
    begin
      random = random ^ random >> 12;
      random = random ^ random << 25;
      random = random ^ random >> 27;
      drawn  = random * 64'h2545f4914f6cdd1d;
      tready = drawn[63:61] != 3'd0;
      #1;
      if (^{atvalid, atready, afready, port_valid, flush_done, core_error, error, done} === 1'bx) fault("an unknown output");
      if (atvalid && ^atbytes === 1'bx) fault("an unknown length");
      if (SINK == 0 && port_valid) put({{(32-PORT_PINS){1'b0}}, port_data}, PORT_PINS);
      if (SINK == 3) begin
        if (tvalid === 1'bx || (tvalid && ^{tlast, tkeep} === 1'bx)) fault("an unknown transfer");
        for (lane = 0; lane < 4; lane = lane + 1)
          if (tvalid && tready && tkeep[lane]) put(tdata >> 8 * lane & 32'hff, 8);
      end
      if ((SINK == 1 || SINK == 2) && atvalid && atready) put(atdata & ~(32'hffff_ff00 << {atbytes, 3'd0}), 8 * atbytes + 8);
      if (flush_done) is_flushing <= 1'b0;
      #1 clk = 1'b1;
      #1 clk = 1'b0;
      cycles = cycles + 1;
    end
  endtask

  // A flush goes on to its end.
  task flush_out;
    begin
      for (i = 0; is_flushing && faults == 0; i = i + 1) begin
        cycle;
        if (i == MOST_FLUSH_CYCLES) fault("a flush does not end");
      end
    end
  endtask

  initial begin
    if (!$value$plusargs("flush=%d", flush)) flush = 0;
    if (!$value$plusargs("bytes=%s", name)) $finish;
    file = $fopen(name, "wb");
    #1 rst_n = 1'b0;
    for (i = 0; i < 4; i = i + 1) begin #1 clk = 1'b1; #1 clk = 1'b0; end
    rst_n = 1'b1;
    while (!done && !halted && cycles < MOST_CYCLES && faults == 0) begin
      if (flush != 0 && cycles % flush == flush - 1) is_flushing = 1'b1;
      cycle;
    end
    stop = 1'b1;
    for (i = 0; i < 8; i = i + 1) cycle;
    flush_out;
    is_flushing = 1'b1;
    flush_out;
    ends = 1'b1;
    for (i = 0; i < 2 || (SINK == 0 && port_valid) || (SINK == 3 && tvalid); i = i + 1) cycle;
    if (held_bits != 0) $fwrite(file, "%c", held[7:0]);
    $fclose(file);
    if (!done) fault("the run does not end");
    if (done && exit_code !== 32'd0) fault("the program failed");
    if (error !== 1'b0) fault("a rule of RVFI is broken");
    if (faults == 0) $display("fine: %0d cycles", cycles);
    $finish;
  end
endmodule

`default_nettype wire
