// SPDX-License-Identifier: Apache-2.0
// oct_ram - synchronous RAM with one write port and one read port.
//
// Latency: 1 cycle; rdata_o holds what was last read until the next read. No back-pressure.
// A read of the word that is written in the same cycle gives the old word, or, with BYPASS, the
// new one. There is no reset: a word that was never written is unknown.
//
// WIDTH   bits of a word
// DEPTH   words
// BYPASS  1: write first, at the price of a compare and a register of WIDTH bits beside the RAM
module oct_ram #(
  parameter  WIDTH     = 8,
  parameter  DEPTH     = 16,
  parameter  BYPASS    = 0,
  localparam ADDR_BITS = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
  input  wire                 clk_i,
  input  wire                 we_i,
  input  wire [ADDR_BITS-1:0] waddr_i,
  input  wire [WIDTH-1:0]     wdata_i,
  input  wire                 re_i,
  input  wire [ADDR_BITS-1:0] raddr_i,
  output wire [WIDTH-1:0]     rdata_o
);

  reg [WIDTH-1:0] mem_q [0:DEPTH-1];
  reg [WIDTH-1:0] rdata_q;

  always @(posedge clk_i) begin
    if (we_i) mem_q[waddr_i] <= wdata_i;
    if (re_i) rdata_q <= mem_q[raddr_i];
  end

  generate
    if (BYPASS != 0) begin : g_bypass
      reg             bypass_q;
      reg [WIDTH-1:0] wdata_q;

      always @(posedge clk_i) begin
        if (re_i) begin
          bypass_q <= we_i && waddr_i == raddr_i;
          wdata_q  <= wdata_i;
        end
      end

      assign rdata_o = bypass_q ? wdata_q : rdata_q;
    end else begin : g_no_bypass
      assign rdata_o = rdata_q;
    end
  endgenerate

endmodule
