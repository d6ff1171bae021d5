// SPDX-License-Identifier: Apache-2.0
// oct_fifo - the stream buffer and the data buffer: a FIFO of registers.
//
// Latency: 1 cycle from push to head. ready_o = not full, whatever is popped in the same cycle.
// Who pushes looks at ready_o first, and who pops at valid_o; neither is checked here.
//
// WIDTH  bits of a word
// DEPTH  words
module oct_fifo #(
  parameter  WIDTH      = 8,
  parameter  DEPTH      = 2,
  localparam COUNT_BITS = $clog2(DEPTH + 1)
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  input  wire                  push_i,
  input  wire [WIDTH-1:0]      data_i,
  input  wire                  pop_i,
  output wire                  ready_o,
  output wire                  valid_o,
  output wire [WIDTH-1:0]      data_o,
  output wire [COUNT_BITS-1:0] count_o
);

  localparam PTR_BITS = DEPTH > 1 ? $clog2(DEPTH) : 1;
  localparam [31:0] FULL_32 = DEPTH;
  localparam [31:0] LAST_32 = DEPTH - 1;
  localparam [COUNT_BITS-1:0] FULL = FULL_32[COUNT_BITS-1:0];
  localparam [PTR_BITS-1:0]   LAST = LAST_32[PTR_BITS-1:0];
  localparam [COUNT_BITS-1:0] COUNT_ONE = 1;
  localparam [PTR_BITS-1:0]   PTR_ONE = 1;

  reg [WIDTH-1:0]      word_q [0:DEPTH-1];
  reg [PTR_BITS-1:0]   head_q, tail_q;
  reg [COUNT_BITS-1:0] count_q;

  assign ready_o = count_q != FULL;
  assign valid_o = count_q != {COUNT_BITS{1'b0}};
  assign data_o  = word_q[head_q];
  assign count_o = count_q;

  always @(posedge clk_i) begin
    if (push_i) word_q[tail_q] <= data_i;
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q  <= {PTR_BITS{1'b0}};
      tail_q  <= {PTR_BITS{1'b0}};
      count_q <= {COUNT_BITS{1'b0}};
    end else begin
      if (push_i) tail_q <= tail_q == LAST ? {PTR_BITS{1'b0}} : tail_q + PTR_ONE;
      if (pop_i)  head_q <= head_q == LAST ? {PTR_BITS{1'b0}} : head_q + PTR_ONE;
      if (push_i && !pop_i) count_q <= count_q + COUNT_ONE;
      if (pop_i && !push_i) count_q <= count_q - COUNT_ONE;
    end
  end

endmodule
