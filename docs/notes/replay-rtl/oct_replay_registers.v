// SPDX-License-Identifier: Apache-2.0
// oct_replay_registers - the copy of a core's registers: a piece of docs/replay-rtl.md, written to be
// synthesised, not built in.
//
// A memory has two words for each register. A write goes to the word of today. While a sync sends the registers,
// the first write of one that was not sent yet takes the other word, so that the reader finds the old one.
// The reader reads in the order of the registers.
`default_nettype none

module oct_replay_registers #(
  parameter  integer A    = 32,
  parameter  integer REGS = 32,
  localparam integer R    = $clog2(REGS)
) (
  input  wire         clk_i,
  input  wire         rst_ni,
  input  wire         start_i,     // of a sync
  input  wire         write_i,
  input  wire [R-1:0] number_i,
  input  wire [A-1:0] value_i,
  input  wire         next_i,      // the reader takes a word
  output wire [A-1:0] value_o,
  output reg          busy_o
);

  reg [REGS-1:0] today_q;   // which word is that of today
  reg [REGS-1:0] moved_q;   // written since the sync
  reg [R-1:0]    at_q;      // the next to be sent
  wire           keeps = busy_o && number_i >= at_q && !moved_q[number_i];
  wire           to = today_q[number_i] ^ keeps;
  wire           from = today_q[at_q] ^ moved_q[at_q];

  oct_ram #(.WIDTH(A), .DEPTH(2 * REGS)) u_ram (
    .clk_i(clk_i), .we_i(write_i), .waddr_i({number_i, to}), .wdata_i(value_i),
    .re_i(next_i || start_i), .raddr_i({at_q, from}), .rdata_o(value_o));

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      today_q <= {REGS{1'b0}};
      moved_q <= {REGS{1'b0}};
      at_q    <= {R{1'b0}};
      busy_o  <= 1'b0;
    end else begin
      if (write_i && keeps) begin
        today_q[number_i] <= to;
        moved_q[number_i] <= 1'b1;
      end
      if (start_i) begin
        busy_o  <= 1'b1;
        at_q    <= {R{1'b0}};
        moved_q <= {REGS{1'b0}};
      end else if (next_i) begin
        at_q   <= at_q + 1'b1;
        busy_o <= busy_o && !(&at_q);
      end
    end
  end

endmodule
`default_nettype wire
