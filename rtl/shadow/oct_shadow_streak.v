// SPDX-License-Identifier: Apache-2.0
// oct_shadow_streak - how often in a row the decisions of each context came as predicted, up to 63; from
// then on they are silent. docs/shadow-format.md, section 5; oct_coder_silent of model/shadow/.
//
// One decision a cycle. Latency: 1 cycle: next_i is the context of the decision that comes with the
// next move, silent_o of the one that is here, and uses_i and miss_i are of that. Nothing moves while
// moves_i is low. clear_i forgets all, the decision that is here included.
//
// CONTEXTS  from 2 on
`default_nettype none

module oct_shadow_streak #(
  parameter integer CONTEXTS = 32
) (
  input  wire                        clk_i,
  input  wire                        rst_ni,
  input  wire                        moves_i,
  input  wire                        clear_i,
  input  wire [$clog2(CONTEXTS)-1:0] next_i,
  input  wire                        uses_i,
  input  wire                        miss_i,
  output wire                        silent_o
);

  localparam integer AT_BITS = $clog2(CONTEXTS);

  reg  [AT_BITS-1:0] at_q;
  wire               has_streak;
  wire [5:0]         stored;
  wire [5:0]         streak = has_streak ? stored : 6'd0;

  assign silent_o = has_streak && stored == 6'd63;

  always @(posedge clk_i) if (moves_i) at_q <= next_i;

  // Many are in a memory of 1 kbit, as compilers make no smaller one, few in flip-flops.
  localparam integer WIDTH = CONTEXTS < 32 ? 6 : 8;
  localparam integer PLACES = CONTEXTS < 32 ? CONTEXTS : CONTEXTS < 128 ? 128 : CONTEXTS;
  localparam integer PLACE_BITS = $clog2(PLACES);
  wire [PLACE_BITS:0] from = {{(PLACE_BITS + 1 - AT_BITS){1'b0}}, next_i}, to = {{(PLACE_BITS + 1 - AT_BITS){1'b0}}, at_q};
  wire [5:0]          streak_d = miss_i ? 6'd0 : silent_o ? stored : streak + 6'd1;
  wire [WIDTH:0]      word_d = {{(WIDTH - 5){1'b0}}, streak_d};
  wire [WIDTH-1:0]    word;

  assign stored = word[5:0];

  oct_ram #(
    .WIDTH (WIDTH),
    .DEPTH (PLACES),
    .BYPASS(1)
  ) u_streak (
    .clk_i  (clk_i),
    .we_i   (moves_i && uses_i),
    .waddr_i(to[PLACE_BITS-1:0]),
    .wdata_i(word_d[WIDTH-1:0]),
    .re_i   (moves_i),
    .raddr_i(from[PLACE_BITS-1:0]),
    .rdata_o(word)
  );

  wire unused = &{1'b0, from, to, word_d, word};

  oct_valid_rows #(
    .ENTRIES(CONTEXTS)
  ) u_valid (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .clear_i(moves_i && clear_i),
    .enter_i(moves_i && uses_i),
    .read_i (moves_i),
    .entry_i(next_i),
    .valid_o(has_streak)
  );

endmodule

`default_nettype wire
