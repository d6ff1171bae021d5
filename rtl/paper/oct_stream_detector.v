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
`default_nettype none

module oct_stream_detector #(
  parameter integer ADDR_BITS = 32,
  parameter integer SL_BITS   = 8,
  parameter integer TASK_BITS = 16
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 insn_valid_i,
  input  wire [ADDR_BITS-1:0] pc_i,
  input  wire [3:0]           size_bytes_i,
  input  wire [2:0]           mark_i,
  input  wire [TASK_BITS-1:0] task_i,
  output wire                 opens_o,  // ... and whether it would begin one
  output wire                 closes_o,
  output wire                 push_o,
  output wire [ADDR_BITS-1:0] sa_o,
  output wire [SL_BITS:0]     sl_o,
  output wire [2:0]           mark_o,
  output wire [TASK_BITS-1:0] task_o
);

`include "oct_types.vh"

  // One bit more than an address, up to 64: a stream does not run over the end of the address
  // space, except that of 64 bits.
  localparam integer NEXT_BITS = ADDR_BITS < 64 ? ADDR_BITS + 1 : 64;
  localparam [SL_BITS:0] FIRST = 1;  // the length of a stream of one instruction

  reg [ADDR_BITS-1:0] sa_q;
  reg [NEXT_BITS-1:0] next_pc_q;
  reg [SL_BITS:0]     sl_q;

  wire [NEXT_BITS-1:0] pc;
  wire                 open, fresh;

  generate
    if (ADDR_BITS < 64) begin : gen_wide_pc
      assign pc = {1'b0, pc_i};
    end else begin : gen_pc
      assign pc = pc_i;
    end
  endgenerate

  // The top bit of the length is set in the longest stream alone.
  assign open     = sl_q != {(SL_BITS+1){1'b0}};
  assign closes_o = open && (pc != next_pc_q || sl_q[SL_BITS]);
  assign opens_o  = !open || closes_o;
  assign push_o   = mark_i != MARK_NONE || (insn_valid_i && closes_o);
  assign fresh    = push_o || !open;
  assign sa_o     = sa_q;
  assign sl_o     = sl_q;
  assign mark_o   = mark_i;
  assign task_o   = task_i;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sl_q <= {(SL_BITS+1){1'b0}};
    end else if (insn_valid_i) begin
      sl_q <= fresh ? FIRST : sl_q + 1'b1;
    end else if (push_o) begin
      sl_q <= {(SL_BITS+1){1'b0}};
    end
  end

  always @(posedge clk_i) begin
    if (insn_valid_i) begin
      if (fresh) sa_q <= pc_i;
      next_pc_q <= pc + {{(NEXT_BITS-4){1'b0}}, size_bytes_i};
    end
  end

`ifdef FORMAL
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* if (!f_past_q) assume (!rst_ni);

  // What came: instructions, those of the streams pushed, first and last one of the open stream.
  reg [31:0]          f_insns_q, f_pushed_q;
  reg [ADDR_BITS-1:0] f_first_q, f_last_q;
  reg [3:0]           f_size_q;
  wire [31:0]         f_sl = {{(31-SL_BITS){1'b0}}, sl_q};

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_insns_q  <= 32'd0;
      f_pushed_q <= 32'd0;
    end else begin
      f_insns_q  <= f_insns_q + {31'd0, insn_valid_i};
      f_pushed_q <= f_pushed_q + (push_o ? f_sl : 32'd0);
    end
  end

  always @(posedge clk_i) begin
    if (insn_valid_i) begin
      if (push_o || sl_q == 0) f_first_q <= pc_i;
      f_last_q <= pc_i;
      f_size_q <= size_bytes_i;
    end
  end

  always @* if (rst_ni) begin
    // Each instruction is in one stream: those pushed and the open one make up all.
    assert (f_insns_q == f_pushed_q + f_sl);
    // No stream is longer than 2^SL_BITS.
    assert (f_sl <= (32'd1 << SL_BITS));
    if (open) begin
      // A stream begins at its first instruction.
      assert (sa_q == f_first_q);
      assert (next_pc_q == {{(NEXT_BITS-ADDR_BITS){1'b0}}, f_last_q} + f_size_q);
      // An instruction elsewhere than behind the last one is not in its stream.
      if (insn_valid_i && pc_i != f_last_q + f_size_q) assert (push_o);
    end
    // A stream that is pushed without a mark has instructions.
    if (push_o && mark_i == MARK_NONE) assert (sl_o != 0);
  end

`ifdef FORMAL_OCT_STREAM_DETECTOR
  always @(posedge clk_i) if (rst_ni) begin
    // The longest stream ends; one ends at a jump, and one over the end of the address space.
    cover (insn_valid_i && push_o && f_sl == (32'd1 << SL_BITS) && pc == next_pc_q);
    cover (insn_valid_i && push_o && f_sl == 32'd2 && pc_i != f_last_q + f_size_q);
    cover (insn_valid_i && push_o && mark_i == MARK_NONE && pc_i == f_last_q + f_size_q &&
           pc_i < f_last_q);
    // A mark without a stream.
    cover (push_o && sl_o == 0 && !insn_valid_i && f_insns_q != 32'd0);
  end
`endif
`endif

endmodule

`default_nettype wire
