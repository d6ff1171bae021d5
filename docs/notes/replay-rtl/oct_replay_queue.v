// SPDX-License-Identifier: Apache-2.0
// oct_replay_queue - words of items before the coder: a piece of docs/replay-rtl.md, written to be synthesised,
// not built in.
//
// The words of an instruction are seen by the reader once it has ended (commit_i); else they are taken back (drop_i). The
// memory's output is the word at the head.
`default_nettype none

module oct_replay_queue #(
  parameter  integer WIDTH = 64,
  parameter  integer WORDS = 128,
  localparam integer N     = $clog2(WORDS)
) (
  input  wire             clk_i,
  input  wire             rst_ni,
  input  wire             write_i,
  input  wire [WIDTH-1:0] word_i,
  input  wire             commit_i,
  input  wire             drop_i,
  output wire             has_room_o,
  output reg              valid_o,
  output wire [WIDTH-1:0] word_o,
  input  wire             ready_i
);

  reg  [N:0] tail_q, committed_q, head_q;
  wire [N:0] tail = tail_q + {{N{1'b0}}, write_i};
  wire [N:0] held = tail_q - head_q;
  wire       has_word = committed_q != head_q;
  wire       reads = has_word && (ready_i || !valid_o);
  assign has_room_o = !held[N];

  oct_ram #(.WIDTH(WIDTH), .DEPTH(WORDS)) u_ram (
    .clk_i(clk_i), .we_i(write_i), .waddr_i(tail_q[N-1:0]), .wdata_i(word_i),
    .re_i(reads), .raddr_i(head_q[N-1:0]), .rdata_o(word_o));

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tail_q      <= {(N+1){1'b0}};
      committed_q <= {(N+1){1'b0}};
      head_q      <= {(N+1){1'b0}};
      valid_o     <= 1'b0;
    end else begin
      tail_q <= drop_i ? committed_q : tail;
      if (commit_i) committed_q <= tail;
      if (reads) head_q <= head_q + {{N{1'b0}}, 1'b1};
      valid_o <= reads || (valid_o && !ready_i);
    end
  end

endmodule
`default_nettype wire
