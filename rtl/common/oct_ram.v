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
//
// With OCT_RAM_MACRO defined the memory is an instance of oct_ram_macro, a memory of the technology
// with these ports and no bypass; else the tool infers it. With OCT_RAM_WRITE_FIRST defined the memory
// itself gives the new word where BYPASS is 1, and nothing stands beside it: the macro has a parameter
// WRITE_FIRST then, and what is inferred is a memory that writes first.
`default_nettype none

module oct_ram #(
  parameter integer WIDTH  = 8,  // from 1 on
  parameter integer DEPTH  = 16,  // from 1 on
  parameter integer BYPASS = 0  // 0, 1
) (
  input  wire                                       clk_i,
  input  wire                                       we_i,
  input  wire [(DEPTH > 1 ? $clog2(DEPTH) : 1)-1:0] waddr_i,
  input  wire [WIDTH-1:0]                           wdata_i,
  input  wire                                       re_i,
  input  wire [(DEPTH > 1 ? $clog2(DEPTH) : 1)-1:0] raddr_i,
  output wire [WIDTH-1:0]                           rdata_o
);

  // What is illegal stops elaboration: docs/rtl.md, conventions.
  generate
    if (WIDTH < 1) begin : gen_illegal_WIDTH
      oct_illegal_WIDTH_expected_1_or_more u_illegal ();
    end
    if (DEPTH < 1) begin : gen_illegal_DEPTH
      oct_illegal_DEPTH_expected_1_or_more u_illegal ();
    end
    if (BYPASS != 0 && BYPASS != 1) begin : gen_illegal_BYPASS
      oct_illegal_BYPASS_expected_0_or_1 u_illegal ();
    end
  endgenerate

`ifdef OCT_RAM_WRITE_FIRST
  localparam integer BESIDE = 0;
  localparam integer WRITE_FIRST = BYPASS;
`else
  localparam integer BESIDE = BYPASS;
  localparam integer WRITE_FIRST = 0;
`endif

  wire [WIDTH-1:0] rdata;

`ifdef OCT_RAM_MACRO
  oct_ram_macro #(
`ifdef OCT_RAM_WRITE_FIRST
    .WRITE_FIRST(WRITE_FIRST),
`endif
    .WIDTH(WIDTH),
    .DEPTH(DEPTH)
  ) u_macro (
    .clk_i  (clk_i),
    .we_i   (we_i),
    .waddr_i(waddr_i),
    .wdata_i(wdata_i),
    .re_i   (re_i),
    .raddr_i(raddr_i),
    .rdata_o(rdata)
  );
`else
  reg [WIDTH-1:0] mem_q [0:DEPTH-1];
  reg [WIDTH-1:0] rdata_q;

  always @(posedge clk_i) begin
    if (we_i) mem_q[waddr_i] <= wdata_i;
    if (re_i) rdata_q <= WRITE_FIRST != 0 && we_i && waddr_i == raddr_i ? wdata_i : mem_q[raddr_i];
  end

  assign rdata = rdata_q;
`endif

  generate
    if (BESIDE != 0) begin : gen_bypass
      reg             bypass_q;
      reg [WIDTH-1:0] wdata_q;

      always @(posedge clk_i) begin
        if (re_i) begin
          bypass_q <= we_i && waddr_i == raddr_i;
          wdata_q  <= wdata_i;
        end
      end

      assign rdata_o = bypass_q ? wdata_q : rdata;
    end else begin : gen_no_bypass
      assign rdata_o = rdata;
    end
  endgenerate

`ifdef FORMAL
  // The rule of the inputs: assumed where the RAM is what is proved, else it is the user's to keep.
`ifdef FORMAL_OCT_RAM
  `define OCT_RAM_RULE assume
`else
  `define OCT_RAM_RULE assert
`endif

  // What the properties of a user look at (as `(* hierconn *) wire \instance.f_... `): the word at
  // any one address, which f_watch_addr is, and whether rdata_o is still the word at f_raddr.
  localparam integer ADDR_BITS = DEPTH > 1 ? $clog2(DEPTH) : 1;
  (* anyconst *) reg [ADDR_BITS-1:0] f_watch_addr;
  wire [WIDTH-1:0]    f_watch_word = mem_q[f_watch_addr];
  localparam [31:0]   F_LAST_32 = DEPTH - 1;
  localparam [ADDR_BITS-1:0] F_LAST = F_LAST_32[ADDR_BITS-1:0];
  reg                 f_current_q = 1'b0;
  reg [ADDR_BITS-1:0] f_raddr_q;
  wire                f_current = f_current_q;
  wire [ADDR_BITS-1:0] f_raddr  = f_raddr_q;
  reg [ADDR_BITS-1:0] f_waddr_q;
  reg [WIDTH-1:0]     f_wdata_q;
  reg                 f_past_q = 1'b0;
  reg                 f_we_q = 1'b0;
  reg                 f_re_q = 1'b0;
  reg [WIDTH-1:0]     f_rdata_q;

  always @(posedge clk_i) begin
    f_past_q  <= 1'b1;
    f_we_q    <= we_i;
    f_re_q    <= re_i;
    f_waddr_q <= waddr_i;
    f_wdata_q <= wdata_i;
    f_rdata_q <= rdata_o;
    if (re_i) f_raddr_q <= raddr_i;
    if (re_i) f_current_q <= raddr_i <= F_LAST && (!we_i || waddr_i != raddr_i || BYPASS != 0);
    else if (we_i && waddr_i == f_raddr_q) f_current_q <= 1'b0;
  end

  // Only words that there are are written.
  always @* if (we_i) `OCT_RAM_RULE (waddr_i <= F_LAST);
`undef OCT_RAM_RULE

  always @* begin
    // What is read is what stands in the memory, until that is written over.
    if (f_current_q) assert (f_raddr_q <= F_LAST && rdata_o == mem_q[f_raddr_q]);
    // With bypass a read of the word that is written in the same cycle gives the new one.
    if (BYPASS != 0 && f_past_q && f_re_q && f_we_q && f_waddr_q == f_raddr_q)
      assert (rdata_o == f_wdata_q);
    // What was read stays until the next read.
    if (f_past_q && !f_re_q) assert (rdata_o == f_rdata_q);
    // What was written is in the memory.
    if (f_past_q && f_we_q) assert (mem_q[f_waddr_q] == f_wdata_q);
  end

`ifdef FORMAL_OCT_RAM
  always @(posedge clk_i) begin
    // A word is read in the cycle in which it is written, and then another than is written.
    cover (f_re_q && f_we_q && f_waddr_q == f_raddr_q && re_i && we_i && waddr_i != raddr_i);
  end
`endif
`endif

endmodule

`default_nettype wire
