// SPDX-License-Identifier: Apache-2.0
// oct_fpga - the compressor behind few pins, to place and route it alone on an FPGA.
//
// All inputs but clock and reset come from a shift register; all outputs but the trace port are
// folded into one. A core on the same FPGA would sit in their place.
`default_nettype none

module oct_fpga #(
`include "oct_params.vh"
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 serial_i,
  input  wire                 apply_i,
  output wire                 port_valid_o,
  output wire [PORT_PINS-1:0] port_data_o,
  output reg                  other_o
);

  localparam integer REST = 2 * ADDR_BITS + TASK_BITS + 53;
  localparam integer TIME = REST + 16 + CAUSE_BITS + 2 * ADDR_BITS;
  localparam integer INPUT_BITS = TIME + (TIME_SOURCE != 0 ? 64 : 0);

  reg  [INPUT_BITS-1:0] shift_q, input_q;
  wire [31:0]           prdata, atdata;
  wire [6:0]            atid;
  wire [1:0]            atbytes;
  wire                  pready, pslverr, atvalid, atready, afready;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      shift_q <= {INPUT_BITS{1'b0}};
      input_q <= {INPUT_BITS{1'b0}};
      other_o <= 1'b0;
    end else begin
      shift_q <= {shift_q[INPUT_BITS-2:0], serial_i};
      if (apply_i) input_q <= shift_q;
      other_o <= ^{prdata, atdata, atid, atbytes, pready, pslverr, atvalid, atready, afready};
    end
  end

  wire [63:0] core_time;
  generate
    if (TIME_SOURCE != 0) begin : gen_time
      assign core_time = input_q[TIME +: 64];
    end else begin : gen_no_time
      assign core_time = 64'd0;
    end
  endgenerate

  oct_top #(
`include "oct_pass.vh"
  ) u_top (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .insn_valid_i     (input_q[0]),
    .da_valid_i       (input_q[1]),
    .da_end_i         (input_q[2]),
    .afvalid_i        (input_q[3]),
    .port_stall_i     (input_q[4]),
    .end_i            (input_q[5]),
    .psel_i           (input_q[6]),
    .penable_i        (input_q[7]),
    .pwrite_i         (input_q[8]),
    .insn_size_bytes_i(input_q[12:9]),
    .insn_class_i     (3'd0),
    .paddr_i          ({input_q[REST +: 4], input_q[20:13]}),
    .priv_i           (input_q[REST + 4 +: 3]),
    .trigger_i        (input_q[REST + 7 +: 2]),
    .core_error_i     (input_q[REST + 9]),
    .trap_valid_i     (input_q[REST + 10]),
    .trap_kind_i      (input_q[REST + 11 +: 2]),
    .trap_privilege_i (input_q[REST + 13 +: 3]),
    .trap_cause_i     (input_q[REST + 16 +: CAUSE_BITS]),
    .trap_addr_i      (input_q[REST + 16 + CAUSE_BITS +: ADDR_BITS]),
    .time_i           (core_time),
    .trap_tval_i      (input_q[REST + 16 + CAUSE_BITS + ADDR_BITS +: ADDR_BITS]),
    .pwdata_i         (input_q[52:21]),
    .task_i           (input_q[53 +: TASK_BITS]),
    .insn_addr_i      (input_q[53 + TASK_BITS +: ADDR_BITS]),
    .da_addr_i        (input_q[53 + TASK_BITS + ADDR_BITS +: ADDR_BITS]),
    .prdata_o         (prdata),
    .pready_o         (pready),
    .pslverr_o        (pslverr),
    .atvalid_o        (atvalid),
    .atready_o        (atready),
    .atdata_o         (atdata),
    .atbytes_o        (atbytes),
    .atid_o           (atid),
    .afready_o        (afready),
    .port_valid_o     (port_valid_o),
    .port_data_o      (port_data_o)
  );

endmodule

`default_nettype wire
