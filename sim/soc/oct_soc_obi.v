// SPDX-License-Identifier: Apache-2.0
// oct_soc_obi - two ports with request, grant and answer (Ibex's, OBI's) on the one memory port of oct_soc.
//
// A request is granted when none is under way, or in the cycle in which the one before is answered; the
// data port goes first. The memory port holds the request until it is ready, which is the answer. So one
// request is under way at a time, and answers come in the order of the grants.
`default_nettype none

module oct_soc_obi (
  input  wire        clk_i,
  input  wire        rst_ni,
  // instructions
  input  wire        instr_req_i,
  output wire        instr_gnt_o,
  input  wire [31:0] instr_addr_i,
  output wire        instr_rvalid_o,
  output wire [31:0] instr_rdata_o,
  // data
  input  wire        data_req_i,
  output wire        data_gnt_o,
  input  wire        data_we_i,
  input  wire [3:0]  data_be_i,
  input  wire [31:0] data_addr_i,
  input  wire [31:0] data_wdata_i,
  output wire        data_rvalid_o,
  output wire [31:0] data_rdata_o,
  // memory: a request holds until it is ready
  output wire        mem_valid_o,
  output wire [31:0] mem_addr_o,
  output wire [31:0] mem_wdata_o,
  output wire [3:0]  mem_wstrb_o,
  input  wire        mem_ready_i,
  input  wire [31:0] mem_rdata_i
);

  reg        busy_q, is_data_q;
  reg [31:0] addr_q, wdata_q;
  reg [3:0]  wstrb_q;

  wire is_free = !busy_q || mem_ready_i;
  assign data_gnt_o = data_req_i && is_free;
  assign instr_gnt_o = instr_req_i && !data_req_i && is_free;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q    <= 1'b0;
      is_data_q <= 1'b0;
      addr_q    <= 32'd0;
      wdata_q   <= 32'd0;
      wstrb_q   <= 4'd0;
    end else if (is_free) begin
      busy_q    <= data_gnt_o || instr_gnt_o;
      is_data_q <= data_gnt_o;
      addr_q    <= data_gnt_o ? data_addr_i : instr_addr_i;
      wdata_q   <= data_wdata_i;
      wstrb_q   <= data_gnt_o && data_we_i ? data_be_i : 4'd0;
    end
  end

  assign mem_valid_o = busy_q;
  assign mem_addr_o  = addr_q;
  assign mem_wdata_o = wdata_q;
  assign mem_wstrb_o = wstrb_q;
  assign data_rvalid_o  = busy_q && mem_ready_i && is_data_q;
  assign instr_rvalid_o = busy_q && mem_ready_i && !is_data_q;
  assign data_rdata_o   = mem_rdata_i;
  assign instr_rdata_o  = mem_rdata_i;

endmodule

`default_nettype wire
