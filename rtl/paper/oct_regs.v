// SPDX-License-Identifier: Apache-2.0
// oct_regs - the registers that a debugger reads and writes over APB: control, and what was lost.
//
// | offset | name          | access | content                                                 |
// |--------|---------------|--------|---------------------------------------------------------|
// | 0x00   | ID            | r      | 0x4f435452                                              |
// | 0x04   | CTRL          | rw     | bit 0: enable (1 after reset)                           |
// | 0x08   | SYNC_PERIOD   | rw     | instructions between syncs, 0 = only the first          |
// | 0x0c   | ATID          | rw     | bits 6..0: trace source number on the trace bus, 1 to   |
// |        |               |        | 0x6f; a write of another value is ignored               |
// | 0x10   | OVERFLOWS     | r      | times that a buffer was full; this and the next five    |
// | 0x14   | LOST_INSNS    | r      | instructions dropped        stop at all ones            |
// | 0x18   | LOST_ACCESSES | r      | data accesses dropped                                   |
// | 0x1c   | HIGH_STREAM   | r      | most entries ever in the stream buffer                  |
// | 0x20   | HIGH_DATA     | r      | most entries ever in the data buffer                    |
// | 0x24   | HIGH_OUT      | r      | most bytes ever in the output FIFO                      |
// | 0x28   | CLEAR         | w      | any value: the six above, and LOST_TRAPS, return to 0   |
// | 0x2c   | ERRORS        | rw     | rules of the core interface that the core broke: bit 0  |
// |        |               |        | access, 1 address, 2 size, 3 adapter, 4 trap: see       |
// |        |               |        | oct_core_rules.v; 5 time went back: oct_stamp.v; each   |
// |        |               |        | stays until a 1 is written to it                        |
// | 0x30   | TIME          | r      | time stamps: bit 0 there are some; bits 6..4 their      |
// |        |               |        | source, 1 the core's time, 3 the cycles of clk_i;       |
// |        |               |        | bit 15 as bit 0; bits 29..24 their width, 63 at most    |
// | 0x34   | LOST_TRAPS    | r      | traps dropped that no filter left out; counts and       |
// |        |               |        | returns to 0 as LOST_INSNS does                         |
//
// An access takes the APB's two cycles, without wait states; any other offset, a write to a
// read-only register or a read of CLEAR answers with pslverr_o and changes nothing. Counts include
// the cycle before the read.
//
// SYNC_PERIOD_INSNS  instructions between syncs after reset
// TIMESTAMP, TIME_SOURCE  0: no stamps; 1: they are of the core's time
// TIME_BITS  width of a stamp
`default_nettype none

module oct_regs #(
  parameter [31:0]  SYNC_PERIOD_INSNS = 32'd1048576,
  parameter integer TIMESTAMP = 0,
  parameter integer TIME_SOURCE = 0,
  parameter integer TIME_BITS = 56
) (
  input  wire         clk_i,
  input  wire         rst_ni,
`include "oct_apb_ports.vh"
  // events of this cycle
  input  wire         overflow_i,
  input  wire [1:0]   lost_insns_i,  // so many
  input  wire         lost_access_i,
  input  wire [3:0]   lost_traps_i,  // so many
  input  wire [5:0]   errors_i,
  // held in this cycle
  input  wire [31:0]  stream_count_i,
  input  wire [31:0]  data_count_i,
  input  wire [31:0]  out_count_bytes_i,
  output wire         enable_o,
  output wire [31:0]  sync_period_insns_o,
  output wire [6:0]   atid_o
);

`include "oct_types.vh"

  localparam [31:0] ID = 32'h4f43_5452;
  // As trTsControl of RISC-V's trace control interface has it.
  localparam [31:0] BITS_32 = TIME_BITS > 63 ? 63 : TIME_BITS;
  localparam [31:0] TIME = TIMESTAMP == 0 ? 32'd0 :
      {2'd0, BITS_32[5:0], 8'd0, 1'b1, 8'd0, TIME_SOURCE != 0 ? 3'd1 : 3'd3, 4'd1};

  reg         enable_q;
  reg  [31:0] sync_period_insns_q;
  reg  [6:0]  atid_q;
  reg  [5:0]  errors_q;
  reg  [15:0] overflows_q, lost_insns_q, lost_accesses_q, lost_traps_q;
  reg  [15:0] high_stream_q, high_data_q, high_out_q;

  wire [16:0] more_insns = {1'b0, lost_insns_q} + {15'd0, lost_insns_i};
  wire [16:0] more_traps = {1'b0, lost_traps_q} + {13'd0, lost_traps_i};
  wire [15:0] stream_count = stream_count_i[31:16] != 16'd0 ? 16'hffff : stream_count_i[15:0];
  wire [15:0] data_count = data_count_i[31:16] != 16'd0 ? 16'hffff : data_count_i[15:0];
  wire [15:0] out_count_bytes = out_count_bytes_i[31:16] != 16'd0 ? 16'hffff : out_count_bytes_i[15:0];
  wire access = psel_i && penable_i;
  wire write  = access && pwrite_i;
  wire clear  = write && paddr_i == REG_CLEAR;

  // An unknown offset reads as 0.
  reg  [31:0] read_data;
  reg        readable;
  always @* begin
    readable = 1'b1;
    case (paddr_i)
      REG_ID:            read_data = ID;
      REG_CTRL:          read_data = {31'd0, enable_q};
      REG_SYNC_PERIOD:   read_data = sync_period_insns_q;
      REG_ATID:          read_data = {25'd0, atid_q};
      REG_OVERFLOWS:     read_data = {16'd0, overflows_q};
      REG_LOST_INSNS:    read_data = {16'd0, lost_insns_q};
      REG_LOST_ACCESSES: read_data = {16'd0, lost_accesses_q};
      REG_HIGH_STREAM:   read_data = {16'd0, high_stream_q};
      REG_HIGH_DATA:     read_data = {16'd0, high_data_q};
      REG_HIGH_OUT:      read_data = {16'd0, high_out_q};
      REG_ERRORS:        read_data = {26'd0, errors_q};
      REG_TIME:          read_data = TIME;
      REG_LOST_TRAPS:    read_data = {16'd0, lost_traps_q};
      default: begin
        read_data = 32'd0;
        readable  = 1'b0;
      end
    endcase
  end

  wire writable = paddr_i == REG_CTRL || paddr_i == REG_SYNC_PERIOD || paddr_i == REG_ATID ||
                  paddr_i == REG_CLEAR || paddr_i == REG_ERRORS;

  // The bus reserves 0 and what is from 0x70 on.
  wire is_source = pwdata_i[6:0] != 7'd0 && pwdata_i[6:4] != 3'd7;

  assign prdata_o            = access && !pwrite_i ? read_data : 32'd0;
  assign pready_o            = 1'b1;
  assign pslverr_o           = access && !(pwrite_i ? writable : readable);
  assign enable_o            = enable_q;
  assign sync_period_insns_o = sync_period_insns_q;
  assign atid_o              = atid_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      enable_q            <= 1'b1;
      sync_period_insns_q <= SYNC_PERIOD_INSNS;
      atid_q              <= 7'd1;
    end else if (write) begin
      if (paddr_i == REG_CTRL) enable_q <= pwdata_i[0];
      if (paddr_i == REG_SYNC_PERIOD) sync_period_insns_q <= pwdata_i;
      if (paddr_i == REG_ATID && is_source) atid_q <= pwdata_i[6:0];
    end
  end

  // What is broken while its bit is cleared stays.
  wire [5:0] cleared = write && paddr_i == REG_ERRORS ? pwdata_i[5:0] : 6'd0;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) errors_q <= 6'd0;
    else errors_q <= (errors_q & ~cleared) | errors_i;
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      overflows_q     <= 16'd0;
      lost_insns_q    <= 16'd0;
      lost_accesses_q <= 16'd0;
      lost_traps_q    <= 16'd0;
      high_stream_q   <= 16'd0;
      high_data_q     <= 16'd0;
      high_out_q      <= 16'd0;
    end else if (clear) begin
      overflows_q     <= 16'd0;
      lost_insns_q    <= 16'd0;
      lost_accesses_q <= 16'd0;
      lost_traps_q    <= 16'd0;
      high_stream_q   <= 16'd0;
      high_data_q     <= 16'd0;
      high_out_q      <= 16'd0;
    end else begin
      if (overflow_i && overflows_q != 16'hffff) overflows_q <= overflows_q + 16'd1;
      lost_insns_q <= more_insns[16] ? 16'hffff : more_insns[15:0];
      if (lost_access_i && lost_accesses_q != 16'hffff) lost_accesses_q <= lost_accesses_q + 16'd1;
      lost_traps_q <= more_traps[16] ? 16'hffff : more_traps[15:0];
      if (stream_count > high_stream_q) high_stream_q <= stream_count;
      if (data_count > high_data_q) high_data_q <= data_count;
      if (out_count_bytes > high_out_q) high_out_q <= out_count_bytes;
    end
  end

`ifdef FORMAL
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* if (!f_past_q) assume (!rst_ni);

  always @* if (rst_ni) begin
    // No wait states; an error, and data, only in the access phase, which is the second cycle.
    assert (pready_o);
    if (!psel_i || !penable_i) assert (!pslverr_o && prdata_o == 32'd0);
    if (pwrite_i) assert (prdata_o == 32'd0);
    // Each offset answers as the table above says, and no other.
    if (access && !pwrite_i)
      assert (pslverr_o == ((paddr_i > REG_HIGH_OUT && paddr_i != REG_ERRORS && paddr_i != REG_TIME && paddr_i != REG_LOST_TRAPS) || paddr_i[1:0] != 2'd0));
    if (access && pwrite_i)
      assert (pslverr_o == (paddr_i != REG_CTRL && paddr_i != REG_SYNC_PERIOD &&
                            paddr_i != REG_ATID && paddr_i != REG_CLEAR && paddr_i != REG_ERRORS));
    if (access && !pwrite_i && paddr_i == REG_ID) assert (prdata_o == ID);
    // No number that the bus reserves.
    assert (atid_o >= 7'd1 && atid_o <= 7'h6f);
  end

  wire f_clear = psel_i && penable_i && pwrite_i && paddr_i == REG_CLEAR;
  always @(posedge clk_i) if (f_past_q && rst_ni) begin
    if (!$past(rst_ni)) begin
      // After reset tracing is on, and nothing is counted.
      assert (enable_o && atid_o == 7'd1 && sync_period_insns_o == SYNC_PERIOD_INSNS);
      assert (overflows_q == 16'd0 && lost_insns_q == 16'd0 && lost_accesses_q == 16'd0 && lost_traps_q == 16'd0);
    end else if ($past(f_clear)) begin
      // CLEAR clears, also what the same cycle would have counted.
      assert (overflows_q == 16'd0 && lost_insns_q == 16'd0 && lost_accesses_q == 16'd0 && lost_traps_q == 16'd0);
      assert (high_stream_q == 16'd0 && high_data_q == 16'd0 && high_out_q == 16'd0);
    end else begin
      // Nothing else makes a count fall, and no event is missed below all ones.
      assert (overflows_q - $past(overflows_q) ==
              {15'd0, $past(overflow_i && overflows_q != 16'hffff)});
      assert (lost_insns_q == ({1'b0, $past(lost_insns_q)} + {15'd0, $past(lost_insns_i)} > 17'hffff ? 16'hffff :
                               $past(lost_insns_q) + {14'd0, $past(lost_insns_i)}));
      assert (lost_accesses_q - $past(lost_accesses_q) ==
              {15'd0, $past(lost_access_i && lost_accesses_q != 16'hffff)});
      assert (lost_traps_q == ({1'b0, $past(lost_traps_q)} + {13'd0, $past(lost_traps_i)} > 17'hffff ? 16'hffff :
                               $past(lost_traps_q) + {12'd0, $past(lost_traps_i)}));
      // A high-water mark is the most that there ever was.
      assert (high_stream_q >= $past(high_stream_q) && high_stream_q >= $past(stream_count));
      assert (high_data_q >= $past(high_data_q) && high_data_q >= $past(data_count));
      assert (high_out_q >= $past(high_out_q) && high_out_q >= $past(out_count_bytes));
      if (high_stream_q != $past(high_stream_q)) assert (high_stream_q == $past(stream_count));
      if (high_data_q != $past(high_data_q)) assert (high_data_q == $past(data_count));
      if (high_out_q != $past(high_out_q)) assert (high_out_q == $past(out_count_bytes));
    end
    // A control register changes with a write to it alone, in the access phase.
    if ($past(rst_ni && !(psel_i && penable_i && pwrite_i)))
      assert ($stable(enable_o) && $stable(sync_period_insns_o) && $stable(atid_o));
    if ($past(rst_ni && paddr_i != REG_CTRL)) assert ($stable(enable_o));
    if ($past(rst_ni && paddr_i != REG_SYNC_PERIOD)) assert ($stable(sync_period_insns_o));
    if ($past(rst_ni && paddr_i != REG_ATID)) assert ($stable(atid_o));
    // Each that it does not reserve can be written.
    if ($past(rst_ni && psel_i && penable_i && pwrite_i && paddr_i == REG_ATID && pwdata_i[6:0] >= 7'd1 && pwdata_i[6:0] <= 7'h6f))
      assert (atid_o == $past(pwdata_i[6:0]));
    // A flag rises with its rule, and falls by a write of 1 alone.
    if ($past(rst_ni)) assert ((errors_q & $past(errors_i)) == $past(errors_i));
    if ($past(rst_ni)) assert ((errors_q & ~$past(errors_i | errors_q)) == 6'd0);
    if ($past(rst_ni && !(psel_i && penable_i && pwrite_i && paddr_i == REG_ERRORS)))
      assert ((errors_q & $past(errors_q)) == $past(errors_q));
    cover ($past(rst_ni) && $past(errors_q) == 6'h3f && errors_q == 6'h15);

    // Tracing switched off and on again by writes; a count read back after two events.
    cover ($past(rst_ni) && enable_o && !$past(enable_o));
    cover (access && !pwrite_i && paddr_i == REG_OVERFLOWS && prdata_o == 32'd2);
    // A count cleared while its event comes again.
    cover ($past(rst_ni && f_clear && lost_insns_i == 2'd2 && lost_insns_q != 16'd0));
    cover ($past(rst_ni) && high_data_q > $past(high_data_q));
  end
`endif

endmodule

`default_nettype wire
