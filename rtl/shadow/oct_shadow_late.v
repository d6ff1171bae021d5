// SPDX-License-Identifier: Apache-2.0
// oct_shadow_late - what items have and no decision needs: it stands in memories while its beat is under way.
//
// A word is written at the place that its beat will have in oct_shadow_emit, as many moves ahead as there are
// up to there. It is read by that place when the beat is taken to be sent, so no register keeps it on
// the way. Outputs stay from take_i to the next one. What is read first is unknown: nothing of it is sent.
//
// ADDR_BITS, TASK_BITS, N_BITS  widths
`default_nettype none

module oct_shadow_late #(
  parameter integer ADDR_BITS = 32,
  parameter integer TASK_BITS = 16,
  parameter integer N_BITS    = 6
) (
  input  wire                  clk_i,
  input  wire                  moves_i,
  input  wire [3:0]            at_i,       // place of the beat that reaches emit
  input  wire                  take_i,
  input  wire [3:0]            from_i,     // place of the beat that is taken
  input  wire [TASK_BITS-1:0]  task_i,     // 10 moves ahead
  input  wire [N_BITS+6:0]     execute_i,  // 9
  input  wire [11:0]           guess_i,    // 8
  input  wire [ADDR_BITS:0]    address_i,  // 7
  input  wire [ADDR_BITS+12:0] stride_i,   // 6
  output wire [TASK_BITS-1:0]  task_o,
  output wire [N_BITS+6:0]     execute_o,
  output wire [11:0]           guess_o,
  output wire [ADDR_BITS:0]    address_o,
  output wire [ADDR_BITS+12:0] stride_o
);

  wire [3:0] to_task = at_i + 4'd10, to_execute = at_i + 4'd9, to_guess = at_i + 4'd8;
  wire [2:0] to_address = at_i[2:0] + 3'd7, to_stride = at_i[2:0] + 3'd6;

  // One beat may wait in emit: a memory has more places than moves ahead.
  oct_ram #(.WIDTH(TASK_BITS), .DEPTH(16)) u_task (
    .clk_i(clk_i), .we_i(moves_i), .waddr_i(to_task), .wdata_i(task_i),
    .re_i(take_i), .raddr_i(from_i), .rdata_o(task_o)
  );

  oct_ram #(.WIDTH(N_BITS + 7), .DEPTH(16)) u_execute (
    .clk_i(clk_i), .we_i(moves_i), .waddr_i(to_execute), .wdata_i(execute_i),
    .re_i(take_i), .raddr_i(from_i), .rdata_o(execute_o)
  );

  oct_ram #(.WIDTH(12), .DEPTH(16)) u_guess (
    .clk_i(clk_i), .we_i(moves_i), .waddr_i(to_guess), .wdata_i(guess_i),
    .re_i(take_i), .raddr_i(from_i), .rdata_o(guess_o)
  );

  oct_ram #(.WIDTH(ADDR_BITS + 1), .DEPTH(8)) u_address (
    .clk_i(clk_i), .we_i(moves_i), .waddr_i(to_address), .wdata_i(address_i),
    .re_i(take_i), .raddr_i(from_i[2:0]), .rdata_o(address_o)
  );

  oct_ram #(.WIDTH(ADDR_BITS + 13), .DEPTH(8)) u_stride (
    .clk_i(clk_i), .we_i(moves_i), .waddr_i(to_stride), .wdata_i(stride_i),
    .re_i(take_i), .raddr_i(from_i[2:0]), .rdata_o(stride_o)
  );

endmodule

`default_nettype wire
