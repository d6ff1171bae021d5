// SPDX-License-Identifier: Apache-2.0
// oct_replay_value - what a value is counted from: a piece of docs/replay-rtl.md, written to be synthesised, not
// built in. Registers of 32 bits, 32 entries.
//
// One item at a time, in 5 cycles, while the item before leaves: read the entry; add the stride and take the difference;
// compare, learn, fold; find lengths; add what each kind costs, and take the cheapest.
`default_nettype none

module oct_replay_value #(
  parameter  integer A       = 32,
  parameter  integer ENTRIES = 32,
  localparam integer E       = $clog2(ENTRIES),
  localparam integer NEAR    = 20
) (
  input  wire            clk_i,
  input  wire            rst_ni,
  input  wire            clear_i,
  input  wire            valid_i,
  output wire            ready_o,
  input  wire [E-1:0]    entry_i,
  input  wire [1:0]      size_i,       // log2 of the bytes
  input  wire [A-1:0]    value_i,
  input  wire            has_near_i,
  input  wire [NEAR-1:0] near_i,       // folded difference from its address
  input  wire [47:0]     from_i,       // three probabilities of kinds, of this size
  output wire            valid_o,
  input  wire            ready_i,
  output wire [1:0]      size_o, confidence_o,
  output reg             is_next_o, is_last_o, asks_last_o,
  output reg  [1:0]      kind_o,
  output wire [5:0]      length_o,
  output wire [A-1:0]    number_o
);

  function automatic [A-1:0] fold(input [A-1:0] d, input [1:0] size);
    reg sign;
    begin
      sign = size == 2'd0 ? d[7] : size == 2'd1 ? d[15] : d[A-1];
      fold = {d[A-2:0], 1'b0} ^ {A{sign}};
      if (size == 2'd0) fold[A-1:8] = 0;
      else if (size == 2'd1) fold[A-1:16] = 0;
    end
  endfunction
  function automatic [5:0] length(input [A-1:0] v);
    integer i;
    begin
      length = 6'd0;
      for (i = 0; i < A; i = i + 1) if (v[i]) length = i + 1;
    end
  endfunction
  function automatic [5:0] cost(input [4:0] part);
    case (part)
      5'd0: cost = 48; 5'd1: cost = 35; 5'd2: cost = 29; 5'd3: cost = 26; 5'd4: cost = 23; 5'd5: cost = 20;
      5'd6: cost = 18; 5'd7: cost = 17; 5'd8: cost = 15; 5'd9: cost = 14; 5'd10: cost = 13; 5'd11: cost = 12;
      5'd12: cost = 11; 5'd13: cost = 10; 5'd14: cost = 9; 5'd15: cost = 8; 5'd16: cost = 8; 5'd17: cost = 7;
      5'd18: cost = 6; 5'd19: cost = 6; 5'd20: cost = 5; 5'd21: cost = 5; 5'd22: cost = 4; 5'd23: cost = 4;
      5'd24: cost = 3; 5'd25: cost = 3; 5'd26: cost = 2; 5'd27: cost = 2; 5'd28: cost = 1; 5'd29: cost = 1;
      5'd30: cost = 1; default: cost = 0;
    endcase
  endfunction

  reg  [4:0]       state_q;   // one bit for each cycle; the last: the outcome is there
  reg  [ENTRIES-1:0] written_q;
  reg              is_written_q, near_q;
  reg  [E-1:0]     entry_q;
  reg  [1:0]       size_q, confidence_q;
  reg  [A-1:0]     value_q, diff_q, next_q;  // next_q: then the value, folded
  reg  [NEAR-1:0]  near_d_q;
  reg  [5:0]       length_zero_q, length_last_q, length_near_q;
  wire [A+17:0]    stored;
  wire [A+17:0]    word = is_written_q ? stored : {(A+18){1'b0}};
  wire             takes = valid_i && ready_o;
  assign ready_o = state_q == 5'd0 || (state_q[4] && ready_i);
  assign valid_o = state_q[4];

  wire [A-1:0] mask = size_q == 2'd0 ? 255 : size_q == 2'd1 ? 65535 : {A{1'b1}};
  wire         is_next = ((next_q ^ value_q) & mask) == {A{1'b0}};

  oct_ram #(.WIDTH(A + 18), .DEPTH(ENTRIES)) u_ram (
    .clk_i(clk_i), .we_i(state_q[1]), .waddr_i(entry_q),
    .wdata_i({is_next ? (&confidence_q ? 2'd3 : confidence_q + 2'd1) : confidence_q == 2'd0 ? 2'd0 : confidence_q - 2'd1,
              diff_q[15:0], value_q}),
    .re_i(takes), .raddr_i(entry_i), .rdata_o(stored));

  // Cycle 5.
  wire [6:0] tree_zero  = cost(~from_i[15:11]) + cost(~from_i[31:27]);
  wire [6:0] tree_last  = cost(~from_i[15:11]) + cost(from_i[31:27]);
  wire [6:0] tree_near  = cost(from_i[15:11]) + cost(~from_i[47:43]);
  wire [6:0] tree_bytes = cost(from_i[15:11]) + cost(from_i[47:43]);
  reg  [6:0] trees_q [0:3];
  wire [9:0] costs_zero  = trees_q[0] + 10'd20 + {1'b0, length_zero_q, 3'd0};
  wire [9:0] costs_last  = trees_q[1] + 10'd20 + {1'b0, length_last_q, 3'd0};
  wire [9:0] costs_near  = trees_q[2] + 10'd20 + {1'b0, length_near_q, 3'd0};
  wire [9:0] costs_bytes = trees_q[3] + (10'd52 << size_q);
  wire       last_wins  = costs_last < costs_zero;
  wire       bytes_win  = costs_bytes < costs_near || !near_q;
  wire       b_wins = (bytes_win ? costs_bytes : costs_near) < (last_wins ? costs_last : costs_zero);

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q      <= 5'd0;
      written_q    <= {ENTRIES{1'b0}};
      is_written_q <= 1'b0;
    end else begin
      state_q <= takes ? 5'd1 : state_q[4] && !ready_i ? state_q : state_q << 1;
      if (takes) is_written_q <= written_q[entry_i];
      if (clear_i) written_q <= {ENTRIES{1'b0}};
      else if (state_q[1]) written_q[entry_q] <= 1'b1;
    end
  end

  always @(posedge clk_i) begin
    if (takes) begin
      entry_q  <= entry_i;
      size_q   <= size_i;
      value_q  <= value_i;
      near_q   <= has_near_i;
      near_d_q <= near_i;
    end
    if (state_q[0]) begin
      next_q       <= word[A-1:0] + {{(A-16){word[A+15]}}, word[A +: 16]};
      diff_q       <= value_q - word[A-1:0];
      asks_last_o  <= word[A +: 16] != 16'd0;
      confidence_q <= word[A+16 +: 2];
    end
    if (state_q[1]) begin
      is_next_o <= is_next;
      is_last_o <= (diff_q & mask) == {A{1'b0}};
      next_q    <= fold(value_q, size_q);
      diff_q    <= fold(diff_q, size_q);
    end
    if (state_q[2]) begin
      length_zero_q <= length(next_q);
      length_last_q <= length(diff_q);
      length_near_q <= length({{(A-NEAR){1'b0}}, near_d_q});
      trees_q[0] <= tree_zero;
      trees_q[1] <= tree_last;
      trees_q[2] <= tree_near;
      trees_q[3] <= tree_bytes;
    end
    if (state_q[3]) kind_o <= {b_wins, b_wins ? bytes_win : last_wins};
  end

  assign size_o = size_q;
  assign confidence_o = confidence_q;
  assign length_o = kind_o[1] ? length_near_q : kind_o[0] ? length_last_q : length_zero_q;
  assign number_o = kind_o[1] ? (kind_o[0] ? value_q : {{(A-NEAR){1'b0}}, near_d_q}) : kind_o[0] ? diff_q : next_q;

endmodule
`default_nettype wire
