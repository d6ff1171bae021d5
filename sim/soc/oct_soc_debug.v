// SPDX-License-Identifier: Apache-2.0
// oct_soc_debug - the debugger's side of oct_soc: oct_coresight ahead of the compressor's registers, and the gate of the core's
// adapter, as docs/integration.md has them.
//
// While an instruction of the privilege SECURE_MODE retires, the core is in the secure world. The chip's authentication
// signals allow tracing, but not of that world. The debugger is an external one.
//
// SECURE_MODE  0 to 3; 4: there is no secure world
`default_nettype none

module oct_soc_debug #(
  parameter integer CHANNELS = 1,
  parameter integer SECURE_MODE = 4
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  input  wire                  psel_i,
  input  wire                  penable_i,
  input  wire                  pwrite_i,
  input  wire [11:0]           paddr_i,
  input  wire [31:0]           pwdata_i,
  output wire [31:0]           prdata_o,
  // of the core, and whether that may be traced
  input  wire [CHANNELS-1:0]   rvfi_valid_i,
  input  wire [2*CHANNELS-1:0] rvfi_mode_i,
  output wire                  gate_o,
  // the compressor
  output wire                  dev_psel_o,
  output wire                  dev_penable_o,
  output wire                  dev_pwrite_o,
  output wire [11:0]           dev_paddr_o,
  output wire [31:0]           dev_pwdata_o,
  input  wire [31:0]           dev_prdata_i,
  input  wire                  dev_pready_i,
  input  wire                  dev_pslverr_i
);

  wire [CHANNELS-1:0] is_secure;
  genvar c;
  generate
    for (c = 0; c < CHANNELS; c = c + 1) begin : gen_channel
      assign is_secure[c] = rvfi_valid_i[c] && {30'd0, rvfi_mode_i[2*c+:2]} == SECURE_MODE;
    end
  endgenerate

  wire pready, pslverr;
  wire unused_answer = &{1'b0, pready, pslverr};

  oct_coresight u_coresight (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .psel_i        (psel_i),
    .penable_i     (penable_i),
    .pwrite_i      (pwrite_i),
    .paddr_i       (paddr_i),
    .pwdata_i      (pwdata_i),
    .prdata_o      (prdata_o),
    .pready_o      (pready),
    .pslverr_o     (pslverr),
    .is_debugger_i (1'b1),
    .niden_i       (1'b1),
    .spniden_i     (1'b0),
    .is_secure_i   (|is_secure),
    .trace_enable_o(gate_o),
    .dev_psel_o    (dev_psel_o),
    .dev_penable_o (dev_penable_o),
    .dev_pwrite_o  (dev_pwrite_o),
    .dev_paddr_o   (dev_paddr_o),
    .dev_pwdata_o  (dev_pwdata_o),
    .dev_prdata_i  (dev_prdata_i),
    .dev_pready_i  (dev_pready_i),
    .dev_pslverr_i (dev_pslverr_i)
  );

endmodule

`default_nettype wire
