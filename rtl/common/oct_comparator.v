// SPDX-License-Identifier: Apache-2.0
// oct_comparator - a pair of comparators, primary and secondary, with its registers (oct_filter.v).
//
// Each half compares an address, a task or a data address with its match value; the second can be a
// mask of the first. The result is the first half's, both, not both, or a latch that the first sets
// and that holds up to the instruction at which the second is met, that one included.
// Latency: none; a write holds from the next cycle on.
//
// A match value has more bits than a task; those above are ignored, as the control interface has it.
//
// ADDR_BITS     bits of an address (2 to 64)
// CONTEXT_BITS  bits of a task, at most ADDR_BITS
`default_nettype none

module oct_comparator #(
  parameter integer ADDR_BITS = 32,  // 2 to 64
  parameter integer CONTEXT_BITS = 16  // 1 to 32
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  // a write of the debugger to one of its registers
  input  wire                 write_i,
  input  wire [4:0]           offset_i,     // bytes
  input  wire [31:0]          data_i,
  output reg  [31:0]          data_o,       // what a read gives
  output reg                  has_reg_o,    // there is one at the offset
  // the instruction under way, and the access of this cycle
  input  wire                 insn_valid_i, // it is one of this cycle
  input  wire [ADDR_BITS-1:0] pc_i,
  input  wire [ADDR_BITS-1:0] context_i,
  input  wire                 has_access_i,
  input  wire [ADDR_BITS-1:0] da_addr_i,
  output wire                 met_o
);

  // What is illegal stops elaboration: docs/rtl.md, conventions.
  generate
    if (ADDR_BITS < 2 || ADDR_BITS > 64) begin : gen_illegal_ADDR_BITS
      oct_illegal_ADDR_BITS_expected_2_to_64 u_illegal ();
    end
    if (CONTEXT_BITS < 1 || CONTEXT_BITS > 32) begin : gen_illegal_CONTEXT_BITS
      oct_illegal_CONTEXT_BITS_expected_1_to_32 u_illegal ();
    end
  endgenerate

  localparam [4:0] CONTROL = 5'h00, P_MATCH_LOW = 5'h10, P_MATCH_HIGH = 5'h14, S_MATCH_LOW = 5'h18,
      S_MATCH_HIGH = 5'h1c;
  localparam [13:0] CONTROL_MASK = 14'h377f;
  localparam [1:0] INPUT_IADDR = 2'd0, INPUT_CONTEXT = 2'd1, INPUT_TVAL = 2'd2;
  localparam [2:0] IS_EQUAL = 3'd0, IS_NOT_EQUAL = 3'd1, IS_LESS = 3'd2, IS_AT_MOST = 3'd3,
      IS_GREATER = 3'd4, IS_SPECIAL = 3'd6, IS_ALWAYS = 3'd7;
  localparam [1:0] MODE_P = 2'd0, MODE_BOTH = 2'd1, MODE_NOT_BOTH = 2'd2, MODE_LATCH = 2'd3;

  function holds(input [2:0] test, input [ADDR_BITS-1:0] value, input [ADDR_BITS-1:0] match);
    case (test)
      IS_EQUAL:     holds = value == match;
      IS_NOT_EQUAL: holds = value != match;
      IS_LESS:      holds = value < match;
      IS_AT_MOST:   holds = value <= match;
      IS_GREATER:   holds = value > match;
      default:      holds = value >= match;
    endcase
  endfunction

  reg  [13:0]          control_q;
  reg  [ADDR_BITS-1:0] p_match_q, s_match_q;
  reg                  latch_q, stop_q;  // between start and stop; the stop has been seen

  wire [1:0] p_input = control_q[1:0];
  wire [1:0] s_input = control_q[3:2];
  wire [2:0] p_test  = control_q[6:4];
  wire [2:0] s_test  = control_q[10:8];
  wire [1:0] mode    = control_q[13:12];

  wire                 is_mask  = s_test == IS_SPECIAL;
  wire [ADDR_BITS-1:0] mask     = is_mask ? s_match_q : {ADDR_BITS{1'b1}};
  wire [ADDR_BITS-1:0] p_value  = p_input == INPUT_IADDR ? pc_i : p_input == INPUT_CONTEXT ? context_i : da_addr_i;
  wire [ADDR_BITS-1:0] s_value  = s_input == INPUT_IADDR ? pc_i : s_input == INPUT_CONTEXT ? context_i : da_addr_i;
  localparam [ADDR_BITS-1:0] CONTEXT_MASK = {ADDR_BITS{1'b1}} >> (ADDR_BITS - CONTEXT_BITS);
  wire [ADDR_BITS-1:0] p_match  = p_match_q & (p_input == INPUT_CONTEXT ? CONTEXT_MASK : {ADDR_BITS{1'b1}});
  wire [ADDR_BITS-1:0] s_match  = s_match_q & (s_input == INPUT_CONTEXT ? CONTEXT_MASK : {ADDR_BITS{1'b1}});
  wire                 p_usable = !p_input[1] || (p_input != INPUT_TVAL && has_access_i);
  wire                 s_usable = !s_input[1] || (s_input != INPUT_TVAL && has_access_i);
  wire p = p_test == IS_ALWAYS ||
           (p_test != IS_SPECIAL && p_usable && holds(p_test, p_value & mask, p_match & mask));
  wire s = is_mask || s_test == IS_ALWAYS || (s_usable && holds(s_test, s_value, s_match));
  wire latched = (latch_q && !(insn_valid_i && stop_q)) || p;

  assign met_o = mode == MODE_P ? p : mode == MODE_BOTH ? p && s : mode == MODE_NOT_BOTH ? !(p && s) : latched;

  // Both halves of a match value, one bit wider than the widest.
  wire [64:0] p_wide = {{(65-ADDR_BITS){1'b0}}, p_match_q};
  wire [64:0] s_wide = {{(65-ADDR_BITS){1'b0}}, s_match_q};
  wire [63:0] p_next = offset_i == P_MATCH_HIGH ? {data_i, p_wide[31:0]} : {p_wide[63:32], data_i};
  wire [63:0] s_next = offset_i == S_MATCH_HIGH ? {data_i, s_wide[31:0]} : {s_wide[63:32], data_i};
  wire        unused = &{1'b0, p_wide[64], s_wide[64], p_next, s_next};

  always @* begin
    has_reg_o = 1'b1;
    case (offset_i)
      CONTROL:      data_o = {18'd0, control_q};
      P_MATCH_LOW:  data_o = p_wide[31:0];
      P_MATCH_HIGH: data_o = p_wide[63:32];
      S_MATCH_LOW:  data_o = s_wide[31:0];
      S_MATCH_HIGH: data_o = s_wide[63:32];
      default: begin
        data_o    = 32'd0;
        has_reg_o = 1'b0;
      end
    endcase
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      control_q <= 14'd0;
      p_match_q <= {ADDR_BITS{1'b0}};
      s_match_q <= {ADDR_BITS{1'b0}};
      latch_q   <= 1'b0;
      stop_q    <= 1'b0;
    end else begin
      if (write_i && (offset_i == P_MATCH_LOW || offset_i == P_MATCH_HIGH)) p_match_q <= p_next[ADDR_BITS-1:0];
      if (write_i && (offset_i == S_MATCH_LOW || offset_i == S_MATCH_HIGH)) s_match_q <= s_next[ADDR_BITS-1:0];
      if (write_i && offset_i == CONTROL) begin
        control_q <= data_i[13:0] & CONTROL_MASK;
        latch_q   <= data_i[13:12] == MODE_LATCH && data_i[6:4] == IS_SPECIAL;  // primed
        stop_q    <= 1'b0;
      end else if (mode == MODE_LATCH && (insn_valid_i || has_access_i)) begin
        latch_q <= latched;
        stop_q  <= (stop_q && !insn_valid_i) || (latched && s);
      end
    end
  end

`ifdef FORMAL
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* if (!f_past_q) assume (!rst_ni);
  always @* assume (context_i <= CONTEXT_MASK);

  // A range of addresses: from P to S, both included.
  wire f_is_range = control_q == 14'h1350;
  // Start at P, stop at S, both of instructions.
  wire f_is_latch = control_q == 14'h3000;
  always @* if (rst_ni) begin
    if (f_is_range) assert (met_o == (pc_i >= p_match_q && pc_i <= s_match_q));
    if (f_is_latch && insn_valid_i && pc_i == p_match_q) assert (met_o);
    if (mode != MODE_LATCH && p_input == INPUT_CONTEXT && p_test == IS_EQUAL && mode == MODE_P && !is_mask)
      assert (met_o == (context_i[CONTEXT_BITS-1:0] == p_match_q[CONTEXT_BITS-1:0]));
    assert (!stop_q || latch_q);
  end
  always @(posedge clk_i) if (f_past_q && rst_ni && $past(rst_ni) && $past(f_is_latch && !write_i) && f_is_latch) begin
    // Between start and stop it stays, and it ends with the instruction at the stop.
    if ($past(met_o && (insn_valid_i || has_access_i) && pc_i != s_match_q && !stop_q)) assert (met_o);
    if ($past(insn_valid_i && met_o && pc_i == s_match_q) && !insn_valid_i && !has_access_i) assert (met_o);
    if ($past(insn_valid_i && met_o && pc_i == s_match_q) && insn_valid_i && pc_i != p_match_q) assert (!met_o);
    cover ($past(insn_valid_i && met_o && pc_i == s_match_q) && insn_valid_i && !met_o);
    cover (met_o && pc_i != p_match_q && insn_valid_i);
  end
`endif

endmodule

`default_nettype wire
