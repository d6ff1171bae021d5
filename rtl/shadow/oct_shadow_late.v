// SPDX-License-Identifier: Apache-2.0
// oct_shadow_late - what items have and no decision needs: it stands in memories while its beat is under way.
//
// All of a beat is one word of memory. It is written at the place that its beat will have in oct_shadow_emit, when the
// last of it comes, and what comes before waits in registers. It is read by that place when the beat is taken to be
// sent. Outputs stay from take_i to the next one. What is read first is unknown: nothing of it is sent.
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

  localparam integer EXECUTE_BITS = N_BITS + 7;

  reg [4*TASK_BITS-1:0]    task_q;     // the newest lowest
  reg [3*EXECUTE_BITS-1:0] execute_q;
  reg [2*12-1:0]           guess_q;
  reg [ADDR_BITS:0]        address_q;
  wire [3:0]               to = at_i + 4'd6;

  always @(posedge clk_i) begin
    if (moves_i) begin
      task_q    <= {task_q[3*TASK_BITS-1:0], task_i};
      execute_q <= {execute_q[2*EXECUTE_BITS-1:0], execute_i};
      guess_q   <= {guess_q[11:0], guess_i};
      address_q <= address_i;
    end
  end

  // One beat may wait in emit: there are more places than moves ahead.
  oct_ram #(.WIDTH(TASK_BITS + EXECUTE_BITS + 12 + 2 * ADDR_BITS + 14), .DEPTH(16)) u_beats (
    .clk_i  (clk_i),
    .we_i   (moves_i),
    .waddr_i(to),
    .wdata_i({task_q[4*TASK_BITS-1 -: TASK_BITS], execute_q[3*EXECUTE_BITS-1 -: EXECUTE_BITS], guess_q[23:12], address_q, stride_i}),
    .re_i   (take_i),
    .raddr_i(from_i),
    .rdata_o({task_o, execute_o, guess_o, address_o, stride_o})
  );

endmodule

`default_nettype wire
