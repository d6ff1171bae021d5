// SPDX-License-Identifier: Apache-2.0
// oct_apb_cross - APB from the clock of the debug bus to that of the trace source.
//
// The master's side holds address and data while it waits for pready_o, as APB demands. So only one bit
// crosses in each direction: a request that toggles, and an answer that follows it, each through
// oct_sync. When the request arrives, what it asks for has long been stable; so is what was
// read when the answer arrives.
// Latency: an access takes STAGES + 3 cycles of the slave's clock and STAGES + 2 of the master's, at
// most. A reset of one side, also between accesses, needs a reset of the other while it lasts: else the two bits differ.
// Its timing constraints are in rtl/octrace.sdc.
//
// STAGES  2 or more
`default_nettype none

module oct_apb_cross #(
  parameter integer STAGES    = 2,  // from 2 on: flip-flops in a row that each signal crosses
  parameter integer ADDR_BITS = 12  // from 1 on: address bits of the debug bus
) (
  // the debug bus, with its clock and reset
  input  wire                 m_clk_i,
  input  wire                 m_rst_ni,
  input  wire                 m_psel_i,
  input  wire                 m_penable_i,
  input  wire                 m_pwrite_i,
  input  wire [ADDR_BITS-1:0] m_paddr_i,
  input  wire [31:0]          m_pwdata_i,
  output wire [31:0]          m_prdata_o,
  output wire                 m_pready_o,
  output wire                 m_pslverr_o,
  // the registers (oct_coresight or the compressor), with their clock and reset
  input  wire                 s_clk_i,
  input  wire                 s_rst_ni,
  output wire                 s_psel_o,
  output wire                 s_penable_o,
  output wire                 s_pwrite_o,
  output wire [ADDR_BITS-1:0] s_paddr_o,
  output wire [31:0]          s_pwdata_o,
  input  wire [31:0]          s_prdata_i,
  input  wire                 s_pready_i,
  input  wire                 s_pslverr_i
);

  // What is illegal stops elaboration: docs/rtl.md, conventions.
  generate
    if (STAGES < 2) begin : gen_illegal_STAGES
      oct_illegal_STAGES_expected_2_or_more u_illegal ();
    end
    if (ADDR_BITS < 1) begin : gen_illegal_ADDR_BITS
      oct_illegal_ADDR_BITS_expected_1_or_more u_illegal ();
    end
  endgenerate

  // The master's side: an access toggles the request, once; the answer toggles back to equal it.
  reg  request_q, waits_q;
  wire answer;
  wire asks = m_psel_i && m_penable_i;
  wire done = waits_q && answer == request_q;

  reg  answer_q;  // of the slave's side
  oct_sync #(.STAGES(STAGES)) u_answer (
    .clk_i  (m_clk_i),
    .rst_ni (m_rst_ni),
    .async_i(answer_q),
    .sync_o (answer)
  );
  always @(posedge m_clk_i or negedge m_rst_ni) begin
    if (!m_rst_ni) begin
      request_q <= 1'b0;
      waits_q   <= 1'b0;
    end else begin
      if (asks && !waits_q) begin
        request_q <= !request_q;
        waits_q   <= 1'b1;
      end else if (done) waits_q <= 1'b0;
    end
  end

  // The slave's side: a setup cycle, then access cycles until the slave is ready.
  reg        setup_q, access_q, error_q;
  reg [31:0] data_q;
  wire       request;
  oct_sync #(.STAGES(STAGES)) u_request (
    .clk_i  (s_clk_i),
    .rst_ni (s_rst_ni),
    .async_i(request_q),
    .sync_o (request)
  );

  always @(posedge s_clk_i or negedge s_rst_ni) begin
    if (!s_rst_ni) begin
      answer_q <= 1'b0;
      setup_q  <= 1'b0;
      access_q <= 1'b0;
    end else begin
      setup_q  <= request != answer_q && !setup_q && !access_q;
      access_q <= setup_q || (access_q && !s_pready_i);
      if (access_q && s_pready_i) answer_q <= request;
    end
  end

  always @(posedge s_clk_i) if (access_q && s_pready_i) {error_q, data_q} <= {s_pslverr_i, s_prdata_i};

  assign s_psel_o    = setup_q || access_q;
  assign s_penable_o = access_q;
  assign s_pwrite_o  = m_pwrite_i;
  assign s_paddr_o   = m_paddr_i;
  assign s_pwdata_o  = m_pwdata_i;
  assign m_pready_o  = done;
  assign m_prdata_o  = done && !m_pwrite_i ? data_q : 32'd0;
  assign m_pslverr_o = done && error_q;

endmodule

`default_nettype wire
