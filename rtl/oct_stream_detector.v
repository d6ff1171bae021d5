// SPDX-License-Identifier: Apache-2.0
// oct_stream_detector - cuts retired instructions into streams.
//
// A stream ends when the next instruction is not at the previous one plus its size, when it has
// the maximum length, or at a mark, which stands before the instruction of its cycle. Latency:
// none; the closed stream is offered in the cycle of what closes it. No back-pressure: closes_o
// tells, for whatever stands on pc_i, whether that instruction would push a word, and it is given
// only when there is room.
//
// ADDR_BITS  bits of an address
// SL_BITS    log2 of the longest stream in instructions
// TASK_BITS  bits of a task number
module oct_stream_detector #(
  parameter ADDR_BITS = 32,
  parameter SL_BITS   = 8,
  parameter TASK_BITS = 16
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 insn_valid_i,
  input  wire [ADDR_BITS-1:0] pc_i,
  input  wire [3:0]           size_bytes_i,
  input  wire [2:0]           mark_i,
  input  wire [TASK_BITS-1:0] task_i,
  output wire                 closes_o,
  output wire                 push_o,
  output wire [ADDR_BITS-1:0] sa_o,
  output wire [SL_BITS:0]     sl_o,
  output wire [2:0]           mark_o,
  output wire [TASK_BITS-1:0] task_o
);

  // One bit more than an address, up to 64: a stream does not run over the end of the address
  // space, except that of 64 bits.
  localparam NEXT_BITS = ADDR_BITS < 64 ? ADDR_BITS + 1 : 64;
  localparam [SL_BITS:0] SL_ONE = 1;

  reg [ADDR_BITS-1:0] sa_q;
  reg [NEXT_BITS-1:0] next_pc_q;
  reg [SL_BITS:0]     sl_q;

  wire [NEXT_BITS-1:0] pc;
  wire                 open, fresh;

  generate
    if (ADDR_BITS < 64) begin : g_wide_pc
      assign pc = {1'b0, pc_i};
    end else begin : g_pc
      assign pc = pc_i;
    end
  endgenerate

  // The top bit of the length is set in the longest stream alone.
  assign open     = sl_q != {(SL_BITS+1){1'b0}};
  assign closes_o = open && (pc != next_pc_q || sl_q[SL_BITS]);
  assign push_o   = mark_i != 3'd0 || (insn_valid_i && closes_o);
  assign fresh    = push_o || !open;
  assign sa_o     = sa_q;
  assign sl_o     = sl_q;
  assign mark_o   = mark_i;
  assign task_o   = task_i;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sl_q <= {(SL_BITS+1){1'b0}};
    end else if (insn_valid_i) begin
      sl_q <= fresh ? SL_ONE : sl_q + SL_ONE;
    end else if (push_o) begin
      sl_q <= {(SL_BITS+1){1'b0}};
    end
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sa_q      <= {ADDR_BITS{1'b0}};
      next_pc_q <= {NEXT_BITS{1'b0}};
    end else if (insn_valid_i) begin
      if (fresh) sa_q <= pc_i;
      next_pc_q <= pc + {{(NEXT_BITS-4){1'b0}}, size_bytes_i};
    end
  end

endmodule
