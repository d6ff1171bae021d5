// SPDX-License-Identifier: Apache-2.0
// oct_ram - stand-in for cell synthesis: a memory macro's ports, registered, without its cells.
//
// scripts/synth reads it in place of rtl/oct_ram.v, counts the memory's bits apart and leaves out the
// area of oct_ram_macro. Its output register stands for the access time of a macro, its input
// registers for the setup. The write-first bypass is logic and stays.
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

  wire [WIDTH-1:0] rdata;

  oct_ram_macro #(
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

      assign rdata_o = bypass_q ? wdata_q : rdata;
    end else begin : g_no_bypass
      assign rdata_o = rdata;
    end
  endgenerate

endmodule

(* keep_hierarchy *)
module oct_ram_macro #(
  parameter  WIDTH     = 8,
  parameter  DEPTH     = 16,
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

  (* keep *) reg [WIDTH-1:0]       wdata_q, rdata_q;
  (* keep *) reg [2*ADDR_BITS+1:0] control_q;

  assign rdata_o = rdata_q;

  always @(posedge clk_i) begin
    control_q <= {we_i, waddr_i, re_i, raddr_i};
    wdata_q   <= wdata_i;
    rdata_q   <= wdata_q;
  end

endmodule
