// SPDX-License-Identifier: Apache-2.0
// oct_soc_core - no core, but a player of what one would retire: the file of the plusarg +stream has a
// line of hexadecimal digits for each cycle: what a handler is told, cause (16), exception pc (XLEN), trap value
// (XLEN); then for each channel (of CHANNELS, the last first): flags (8), word (32), pc (XLEN), memory
// address (XLEN), write mask (16), read mask (16). Flags: 0 valid, 2 trap, 3 intr, 5:4 mode, 6 halt; 1 ends the run.
//
// Macro: OCT_XLEN, the width of the core.
`default_nettype none

module oct_soc_core #(
  parameter integer CHANNELS = 1,
  parameter integer LINES = 65536,
  parameter integer XLEN = `OCT_XLEN
) (
  input  wire                   clk_i,
  input  wire                   rst_ni,
  output wire                   mem_valid_o,
  output wire [31:0]            mem_addr_o,
  output wire [31:0]            mem_wdata_o,
  output wire [3:0]             mem_wstrb_o,
  input  wire                   mem_ready_i,
  input  wire [31:0]            mem_rdata_i,
  input  wire                   irq_i,
  output wire                   halted_o,
  output wire [CHANNELS-1:0]    rvfi_trap_o,
  output wire [CHANNELS-1:0]    rvfi_intr_o,
  output wire [CHANNELS-1:0]    rvfi_halt_o,
  output wire [2*CHANNELS-1:0]  rvfi_mode_o,
  output wire [15:0]            cause_o,
  output wire [XLEN-1:0]        epc_o,
  output wire [XLEN-1:0]        tval_o,
  output wire [CHANNELS-1:0]    rvfi_valid_o,
  output wire [32*CHANNELS-1:0] rvfi_insn_o,
  output wire [XLEN*CHANNELS-1:0] rvfi_pc_rdata_o,
  output wire [XLEN*CHANNELS-1:0] rvfi_mem_addr_o,
  output wire [XLEN/8*CHANNELS-1:0] rvfi_mem_rmask_o,
  output wire [XLEN/8*CHANNELS-1:0] rvfi_mem_wmask_o
);

  localparam integer TOLD_BITS = 16 + 2 * XLEN, RECORD_BITS = 72 + 2 * XLEN;
  localparam integer LINE_BITS = TOLD_BITS + RECORD_BITS * CHANNELS;
  reg  [LINE_BITS-1:0]    line_q[0:LINES-1];
  reg  [31:0]             at_q;
  wire [LINE_BITS-1:0]    line = line_q[at_q[$clog2(LINES)-1:0]];
  wire                    ends = line[RECORD_BITS-7];
  assign {cause_o, epc_o, tval_o} = line[LINE_BITS-1-:TOLD_BITS];

  reg [8*512-1:0] program_file;
  initial if ($value$plusargs("stream=%s", program_file)) $readmemh(program_file, line_q);

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) at_q <= 32'd0;
    else if (!ends) at_q <= at_q + 32'd1;
  end

  // The store that ends the run.
  assign mem_valid_o = ends;
  assign mem_addr_o  = 32'h1000_0000;
  assign mem_wdata_o = 32'd0;
  assign mem_wstrb_o = 4'hf;
  assign halted_o    = 1'b0;
  wire unused = &{1'b0, mem_ready_i, mem_rdata_i, irq_i};

  genvar c;
  generate
    for (c = 0; c < CHANNELS; c = c + 1) begin : gen_channel
      wire [RECORD_BITS-1:0] record = line[RECORD_BITS*c+:RECORD_BITS];
      wire [7:0]             flags = record[RECORD_BITS-1-:8];
      assign rvfi_valid_o[c] = flags[0] && !ends;
      assign {rvfi_halt_o[c], rvfi_mode_o[2*c+:2], rvfi_intr_o[c], rvfi_trap_o[c]} = flags[6:2];
      assign rvfi_insn_o[32*c+:32] = record[32+2*XLEN+:32];
      assign rvfi_pc_rdata_o[XLEN*c+:XLEN] = record[32+XLEN+:XLEN];
      assign rvfi_mem_addr_o[XLEN*c+:XLEN] = record[32+:XLEN];
      assign rvfi_mem_wmask_o[XLEN/8*c+:XLEN/8] = record[16+:XLEN/8];
      assign rvfi_mem_rmask_o[XLEN/8*c+:XLEN/8] = record[0+:XLEN/8];
    end
  endgenerate

endmodule

`default_nettype wire
