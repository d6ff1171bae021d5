// SPDX-License-Identifier: Apache-2.0
// oct_replay_unroll - from items to symbols, with the probabilities: a piece of docs/replay-rtl.md, written to be
// synthesised, not built in. Registers of 32 bits.
//
// An item is a value, an event with an operand, or a register of a sync. It takes a cycle for each symbol, and one
// more where a number or bytes follow. Each of the three decisions of a symbol has a memory of
// probabilities of its own: a tree has its levels in them in turn. A cycle gives the addresses; in the next one the
// probabilities go out with their outcomes, and learn.
`default_nettype none

module oct_replay_unroll #(
  parameter integer A = 32
) (
  input  wire         clk_i,
  input  wire         rst_ni,
  input  wire         clear_i,
  // Items.
  input  wire         valid_i,
  input  wire [1:0]   type_i,        // 0 value, 1 event, 2 register, 3 end
  input  wire [1:0]   size_i, confidence_i, kind_i,
  input  wire         is_next_i, is_last_i, asks_last_i,
  input  wire [2:0]   event_i,
  input  wire [5:0]   length_i,
  input  wire [A-1:0] number_i,      // folded, or bytes; of a register, itself
  input  wire [19:0]  after_i,       // of an event: instructions since the last
  output wire         ready_o,
  // Symbols, as oct_shadow_symbol takes them.
  input  wire         out_ready_i,
  output reg          out_valid_o,
  output reg  [1:0]   out_kind_o,
  output reg  [1:0]   out_n_o, out_room_o,
  output wire [35:0]  out_p_o,
  output reg  [2:0]   out_outcome_o,
  output reg  [7:0]   out_value_o,
  output reg  [3:0]   out_count_o
);

  localparam [3:0] FIRST = 4'd0, KIND = 4'd1, EVENT = 4'd2, HIGH = 4'd3, LOW = 4'd4, BELOW = 4'd5, RAW = 4'd6,
                   BYTE_1 = 4'd7, BYTE_2 = 4'd8, BYTE_3 = 4'd9, REGISTER = 4'd10, END = 4'd11, LEFT = 4'd12;
  localparam [1:0] SYMBOL = 2'd0, RAW_BITS = 2'd2, ENDS = 2'd3;

  function automatic [5:0] length(input [A-1:0] v);
    integer i;
    begin
      length = 6'd0;
      for (i = 0; i < A; i = i + 1) if (v[i]) length = i + 1;
    end
  endfunction

  reg [3:0]   state_q;
  reg [1:0]   tree_q;       // whose length: zero, last, address, other
  reg [5:0]   length_q;
  reg [A-1:0] bits_q;       // what is left, the next highest; of bytes, the next lowest
  reg [5:0]   n_left_q;     // raw bits, or bytes
  reg         operand_q;    // an operand comes behind the number under way
  reg [A-1:0] before_q;     // the register before

  wire moves = out_ready_i || !out_valid_o;

  // ---- A register: itself, or its difference from the one before, folded and measured in two cycles ----
  reg  [A-1:0] reg_value_q, reg_near_q;
  wire [A-1:0] near = number_i - before_q;
  wire [5:0]   reg_length = length(reg_value_q), near_length = length(reg_near_q);
  reg  [5:0]   reg_length_q;
  reg          is_near_q, is_zero_q;
  wire [A-1:0] reg_number = is_near_q ? reg_near_q : reg_value_q;

  // ---- Addresses and outcomes of this cycle ----
  reg  [7:0] a0, a1, a2;
  reg  [2:0] outcome;
  reg  [1:0] n, room, kind;
  reg  [7:0] raw_value;
  reg  [3:0] raw_count;
  reg        gives;
  wire [5:0] h = length_q;
  wire [7:0] b = bits_q[7:0];
  always @* begin
    a0 = 8'd0; a1 = 8'd0; a2 = 8'd0;
    outcome = 3'd0; n = 2'd3; room = 2'd3; kind = SYMBOL;
    raw_value = bits_q[A-1:A-8]; raw_count = n_left_q > 6'd8 ? 4'd8 : n_left_q[3:0];
    gives = valid_i;
    case (state_q)
      FIRST: begin
        a1 = {4'd0, size_i, confidence_i};
        a2 = {6'd0, size_i};
        outcome = {is_last_i, is_next_i, type_i == 2'd1};
        n = type_i != 2'd0 ? 2'd1 : is_next_i || !asks_last_i ? 2'd2 : 2'd3;
        gives = valid_i && type_i[1] == 1'b0;
      end
      KIND: begin
        a0 = {6'd1, size_i}; a1 = {5'd2, size_i, kind_i[1]};
        outcome = {1'b0, kind_i[0], kind_i[1]}; n = 2'd2; room = 2'd2;
      end
      EVENT: begin
        a0 = 8'd8; a1 = {7'd12, event_i[2]}; a2 = {6'd1, event_i[2:1]};
        outcome = {event_i[0], event_i[1], event_i[2]};
      end
      HIGH: begin
        a0 = {4'd1, tree_q, 2'd0}; a1 = {4'd2, tree_q, 1'b0, h[5]}; a2 = {4'd1, tree_q, h[5:4]};
        outcome = {h[3], h[4], h[5]};
      end
      LOW: begin
        a0 = {3'd1, tree_q, h[5:3]}; a1 = {2'd1, tree_q, h[5:2]}; a2 = {1'd1, tree_q, h[5:1]};
        outcome = {h[0], h[1], h[2]};
      end
      BELOW: begin
        a0 = {3'd2, tree_q, |h[5:3] ? 3'd7 : h[2:0]};
        outcome = {2'd0, bits_q[A-1]}; n = 2'd1; room = 2'd1;
      end
      RAW: kind = RAW_BITS;
      BYTE_1: begin
        a0 = 8'd9; a1 = {7'd13, b[7]}; a2 = {6'd2, b[7:6]};
        outcome = {b[5], b[6], b[7]};
      end
      BYTE_2: begin
        a0 = {5'd3, b[7:5]}; a1 = {4'd3, b[7:4]}; a2 = {3'd1, b[7:3]};
        outcome = {b[2], b[3], b[4]};
      end
      BYTE_3: begin
        a0 = {2'd1, b[7:2]}; a1 = {1'b1, b[7:1]};
        outcome = {1'b0, b[0], b[1]}; n = 2'd2; room = 2'd2;
      end
      REGISTER: begin
        a0 = 8'd10; a1 = 8'd28;
        outcome = {1'b0, is_near_q, is_zero_q}; n = is_zero_q ? 2'd1 : 2'd2; room = 2'd2;
      end
      END: kind = ENDS;
      default: gives = 1'b0;
    endcase
  end

  // ---- The next state ----
  wire [5:0] raw_taken = n_left_q > 6'd8 ? 6'd8 : n_left_q;
  wire       is_done = (state_q == FIRST && type_i == 2'd0 && (is_next_i || (is_last_i && asks_last_i))) ||
                       (state_q == LOW && length_q < 6'd2 && !operand_q) || (state_q == BELOW && n_left_q == 6'd0 && !operand_q) ||
                       (state_q == RAW && n_left_q <= 6'd8 && !operand_q) || (state_q == BYTE_3 && n_left_q == 6'd1) ||
                       (state_q == REGISTER && is_zero_q) || state_q == END;
  assign ready_o = moves && is_done;
  wire ends_number = (state_q == LOW && length_q < 6'd2) || (state_q == BELOW && n_left_q == 6'd0) ||
                     (state_q == RAW && n_left_q <= 6'd8);

  // A number is moved up, without its highest bit, once its length is known.
  wire [A-1:0] to_shift = state_q == EVENT ? {{(A-20){1'b0}}, after_i} : state_q == REGISTER ? reg_number : number_i;
  wire [5:0]   its_length = state_q == EVENT ? length({{(A-20){1'b0}}, after_i}) : state_q == REGISTER ? reg_length_q : length_i;
  reg  [A-1:0] unshifted_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= FIRST;
      operand_q <= 1'b0;
    end else if (moves && valid_i) begin
      operand_q <= state_q == EVENT || (operand_q && !ends_number);
      case (state_q)
        FIRST: state_q <= type_i == 2'd1 ? EVENT : type_i == 2'd2 ? LEFT : type_i == 2'd3 ? END :
                          is_done ? FIRST : size_i == 2'd0 ? BYTE_1 : KIND;
        LEFT: state_q <= REGISTER;
        KIND: state_q <= kind_i == 2'd3 ? BYTE_1 : HIGH;
        EVENT: state_q <= HIGH;
        REGISTER: state_q <= is_zero_q ? FIRST : HIGH;
        HIGH: state_q <= LOW;
        LOW: state_q <= length_q >= 6'd2 ? BELOW : operand_q ? HIGH : FIRST;
        BELOW: state_q <= n_left_q != 6'd0 ? RAW : operand_q ? HIGH : FIRST;
        RAW: state_q <= n_left_q > 6'd8 ? RAW : operand_q ? HIGH : FIRST;
        BYTE_1: state_q <= BYTE_2;
        BYTE_2: state_q <= BYTE_3;
        BYTE_3: state_q <= n_left_q == 6'd1 ? FIRST : BYTE_1;
        default: state_q <= FIRST;
      endcase
    end
  end

  always @(posedge clk_i) begin
    if (clear_i) before_q <= {A{1'b0}};
    if (moves && valid_i) begin
      if (state_q == FIRST) begin
        bits_q       <= number_i;
        n_left_q     <= size_i == 2'd0 ? 6'd1 : size_i == 2'd1 ? 6'd2 : 6'd4;
        reg_value_q  <= {number_i[A-2:0], 1'b0} ^ {A{number_i[A-1]}};
        reg_near_q   <= {near[A-2:0], 1'b0} ^ {A{near[A-1]}};
        is_zero_q    <= number_i == {A{1'b0}};
      end
      if (state_q == LEFT) begin
        is_near_q    <= near_length < reg_length;
        reg_length_q <= near_length < reg_length ? near_length : reg_length;
        if (!is_zero_q) before_q <= number_i;
      end
      if (state_q == KIND || state_q == EVENT || state_q == REGISTER || (ends_number && operand_q)) begin
        tree_q      <= state_q == KIND ? kind_i : 2'd3;
        length_q    <= its_length;
        if (state_q != KIND || kind_i != 2'd3) unshifted_q <= to_shift;
      end
      if (state_q == HIGH) begin
        bits_q   <= unshifted_q << (6'd33 - length_q);
        n_left_q <= length_q - 6'd2;
      end
      if (state_q == BELOW) bits_q <= bits_q << 1;
      if (state_q == RAW) begin
        bits_q   <= bits_q << 8;
        n_left_q <= n_left_q - raw_taken;
      end
      if (state_q == BYTE_3) begin
        bits_q   <= bits_q >> 8;
        n_left_q <= n_left_q - 6'd1;
      end
    end
  end

  // ---- Probabilities ----
  reg [2:0] learns_q;
  genvar g;
  generate
    for (g = 0; g < 3; g = g + 1) begin : gen_bank
      oct_shadow_prob #(.IS_BRANCH(0), .LIMIT(4), .ENTRIES(256)) u_prob (
        .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear_i),
        .read_i(moves && gives && kind == SYMBOL && n > g), .index_i(g == 0 ? a0 : g == 1 ? a1 : a2),
        .p_o(out_p_o[12*g +: 12]), .learn_i(moves && learns_q[g]), .bit_i(out_outcome_o[g]));
    end
  endgenerate

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      out_valid_o <= 1'b0;
      learns_q    <= 3'd0;
    end else if (moves) begin
      out_valid_o <= gives;
      learns_q    <= gives && kind == SYMBOL ? {n == 2'd3, n[1], 1'b1} : 3'd0;
    end
  end
  always @(posedge clk_i) begin
    if (moves) begin
      out_kind_o    <= kind;
      out_n_o       <= n;
      out_room_o    <= room;
      out_outcome_o <= outcome;
      out_value_o   <= raw_value >> (4'd8 - raw_count);
      out_count_o   <= raw_count;
    end
  end

endmodule
`default_nettype wire
