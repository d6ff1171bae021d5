// SPDX-License-Identifier: Apache-2.0
// oct_shadow_unroll - from the items of the queue to symbols: what oct_shadow_symbol takes.
// docs/shadow-rtl.md, items; docs/shadow-format.md, sections 3, 5, 7; oct_shadow_{data,encode}.h.
//
// An item has up to some twenty symbols, one a cycle; `step` says which is next, and what comes behind
// it. A symbol's probabilities are read when it is chosen and learn when it leaves, so that the next
// one finds what they learnt. Each level of a tree of lengths is a table of its own.
//
// Latency: 1 cycle. Back-pressure: valid/ready. A number and a mark take a cycle without a symbol. A
// mark of a sync returns all probabilities to one half.
//
// ADDR_BITS   of an address
// TASK_BITS   of a task number
// TRAPS       1: an escape may bring traps, whose bits come beside the items, as trap_next_o asks for them
// SYNC_KEEPS  1: a sync keeps the probabilities
`default_nettype none

module oct_shadow_unroll #(
  parameter integer ADDR_BITS  = 32,
  parameter integer TASK_BITS  = 16,
  parameter integer TRAPS      = 0,
  parameter integer TIMESTAMP  = 0,
  parameter integer SYNC_KEEPS = 0
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 valid_i,
  input  wire [ADDR_BITS+3:0] first_i,
  input  wire [ADDR_BITS+3:0] second_i,
  output wire                 ready_o,       // with the item's last symbol
  input  wire [7:0]           trap_value_i,  // oct_shadow_traps
  input  wire [3:0]           trap_count_i,
  input  wire                 trap_last_i,
  output wire                 trap_next_o,
  output wire [1:0]           trap_behind_o,
  input  wire [63:0]          stamp_v_i,     // oct_shadow_stamps
  input  wire [6:0]           stamp_i,
  output wire                 stamp_done_o,
  output wire                 clear_o,       // a sync passes
  output wire                 out_valid_o,
  input  wire                 out_ready_i,
  output wire [1:0]           out_kind_o,    // this and the next as oct_shadow_symbol has them
  output wire [1:0]           out_n_o,
  output wire [1:0]           out_room_o,
  output wire [35:0]          out_p_o,
  output wire [2:0]           out_outcome_o,
  output wire [7:0]           out_value_o,
  output wire [3:0]           out_count_o
);

  localparam integer W = ADDR_BITS + 4;

`include "oct_shadow_items.vh"

  localparam [1:0] SYMBOL = 2'd0, ESCAPE = 2'd1, RAW = 2'd2, END = 2'd3;
  localparam integer NUMBER_WIDTH = W > 64 ? 64 : W;

  reg  [3:0]   step_q;
  reg  [1:0]   decision_q;   // that is next, of an access or of three bits; 0: the first one
  reg  [6:0]   left_q;       // raw bits
  reg  [NUMBER_WIDTH-1:0] number_q;  // silent decisions before the next wrong one

  wire [2:0]   kind = first_i[2:0];
  wire         is_access = kind == ITEM_ACCESS;
  wire         is_bits = kind == ITEM_BITS;
  wire         is_stamp = TIMESTAMP != 0 && kind == ITEM_NUMBER && first_i[NUMBER_STAMP];
  wire         is_missing, is_less, is_far, is_late, was_less;
  wire [1:0]   was_late;
  assign {is_missing, was_late, was_less, is_less, is_far, is_late} = stamp_i;

  // ---- The decision at hand ----

  // Modes of those behind the first one.
  wire [1:0]   mode_1 = is_bits ? first_i[BITS_FIRST + BITS_EACH +: 2] : first_i[ACCESS_STRIDE_MODE +: 2];
  wire [1:0]   mode_2 = first_i[BITS_FIRST + 2 * BITS_EACH +: 2];
  // An item begins with the first decision that comes; there is one.
  wire         skips = decision_q == 2'd0 && first_i[BITS_FIRST +: 2] == MODE_NONE;
  wire [1:0]   decision = !skips ? decision_q : is_bits && mode_1 == MODE_NONE ? 2'd2 : 2'd1;
  wire [6:0]   bits_at = decision == 2'd0 ? first_i[BITS_FIRST +: 7] :
                         decision == 2'd1 ? first_i[BITS_FIRST + BITS_EACH +: 7] :
                                            first_i[BITS_FIRST + 2 * BITS_EACH +: 7];
  wire         is_stride = is_access && decision == 2'd1;
  wire [1:0]   mode = is_bits ? bits_at[1:0] :
                      is_stride ? first_i[ACCESS_STRIDE_MODE +: 2] : first_i[ACCESS_FIRST_MODE +: 2];
  wire         outcome = is_bits ? bits_at[BITS_OUTCOME] :
                         is_stride ? first_i[ACCESS_STRIDE_BIT] : first_i[ACCESS_FIRST_BIT];
  wire [3:0]   context_bits = is_bits ? bits_at[BITS_CONTEXT +: 4] : first_i[ACCESS_FIRST +: 4];
  wire         differs = first_i[ACCESS_DIFFERS];
  wire         is_coded = first_i[ACCESS_IS_CODED];
  wire         is_both = is_stride && differs && mode == MODE_SYMBOL;

`include "oct_length.vh"
`include "oct_shadow_steps.vh"

  // ---- What is sent in this cycle, and what comes behind it ----

  wire         has_traps = TRAPS != 0 && first_i[ESCAPE_TRAPS];
  wire         closes = first_i[ESCAPE_KIND +: 2] == ESCAPE_END;
  wire [3:0]   step = step_q == NEXT && kind == ITEM_ADDRESS ? LENGTH_HIGH : step_q;
  reg          sends, ends;
  reg  [1:0]   a_kind, a_n, a_room;
  reg  [2:0]   a_outcome;
  reg  [7:0]   a_value;
  reg  [3:0]   a_count;
  reg  [3:0]   a_tables;    // where the probabilities are
  reg  [3:0]   step_d;
  reg  [1:0]   decision_d;
  reg  [6:0]   left_d;
  reg          takes_number;


  // Behind a decision: another one, the reference, or nothing.
  reg  [3:0]   behind;
  reg  [1:0]   behind_decision;
  always @* begin
    behind          = DONE;
    behind_decision = 2'd0;
    if (is_bits) begin
      if (decision == 2'd0 && mode_1 != MODE_NONE) begin
        behind          = NEXT;
        behind_decision = 2'd1;
      end else if (decision != 2'd2 && mode_2 != MODE_NONE) begin
        behind          = NEXT;
        behind_decision = 2'd2;
      end
    end else if (is_access) begin
      if (decision == 2'd0 && mode_1 != MODE_NONE) begin
        behind          = NEXT;
        behind_decision = 2'd1;
      end else if (is_coded) begin
        behind          = REFERENCE;
        behind_decision = 2'd1;
      end
    end
    if (is_stride && differs && mode == MODE_WRONG) begin
      behind          = SECOND;
      behind_decision = 2'd1;
    end
  end

  // Behind the number of an escape.
  wire [3:0]   after_number = kind != ITEM_ESCAPE ? behind :
                              has_traps ? TRAP :
                              first_i[ESCAPE_KIND +: 2] == ESCAPE_PARTIAL ? COUNT : closes ? CLOSE : DONE;

  always @* begin
    sends        = 1'b1;
    ends         = 1'b0;
    a_kind       = SYMBOL;
    a_n          = 2'd1;
    a_room       = 2'd1;
    a_outcome    = 3'd0;
    a_value      = raw_shifted[7:0];
    a_count      = raw_count;
    a_tables     = T_NONE;
    step_d       = DONE;
    decision_d   = decision_q;
    left_d       = raw_rest;
    takes_number = 1'b0;
    case (step)
      NEXT: case (kind)
        ITEM_ACCESS, ITEM_BITS: begin
          a_tables  = is_stride ? T_STRIDE : T_SINGLE;
          a_outcome = {1'b0, first_i[ACCESS_SECOND_BIT], outcome};
          if (mode == MODE_WRONG) begin
            a_kind    = ESCAPE;
            a_outcome = 3'd1;
            step_d    = WRONG_ONE;
          end else begin
            if (is_both) begin
              a_room = 2'd2;
              a_n    = outcome ? 2'd2 : 2'd1;
            end
            step_d     = behind;
            decision_d = behind_decision;
          end
        end
        ITEM_DIRECTION: begin
          a_tables  = T_GIVEN;
          a_outcome = {2'd0, first_i[DIRECTION_OUTCOME]};
        end
        ITEM_ESCAPE: {a_kind, step_d} = {ESCAPE, ESCAPE_ZERO};
        ITEM_NUMBER: if (!is_stamp) begin
          {sends, takes_number} = 2'b01;
        end else if (decision_q == 2'd0) begin  // whether it is missing
          a_tables             = T_SINGLE;
          a_outcome            = {2'd0, is_missing};
          {step_d, decision_d} = {is_missing ? DONE : NEXT, 2'd1};
        end else begin
          a_tables  = T_TIME;
          a_room    = 2'd3;
          a_n       = !is_late ? 2'd1 : is_far ? 2'd2 : 2'd3;
          a_outcome = {is_less, is_far, is_late};
          step_d    = is_late && is_far ? LENGTH_HIGH : DONE;
        end
        ITEM_TASK: begin
          a_kind = RAW;
          step_d = raw_rest == 7'd0 ? DONE : BITS;
        end
        default: sends = 1'b0;
      endcase
      WRONG_ONE: begin
        a_kind  = RAW;
        a_value = 8'd1;
        a_count = 4'd1;
        step_d  = NUMBER_SHORT;
      end
      ESCAPE_ZERO: begin
        a_kind  = RAW;
        a_value = 8'd0;
        a_count = 4'd1;
        step_d  = ESCAPE_WHICH;
      end
      ESCAPE_WHICH: begin
        a_kind  = RAW;
        a_value = has_traps ? 8'd4 : {6'd0, first_i[ESCAPE_KIND +: 2]};
        a_count = TRAPS != 0 ? 4'd3 : 4'd2;
        step_d  = NUMBER_SHORT;
      end
      NUMBER_SHORT: begin
        a_kind  = RAW;
        a_value = number_is_long ? 8'd7 : {1'b0, number_length};
        a_count = 4'd3;
        left_d  = number_length - 7'd1;
        step_d  = number_is_long ? NUMBER_LONG : number_has_bits ? NUMBER_BITS : after_number;
        if (!number_has_bits) left_d = 7'd16;
      end
      NUMBER_LONG: begin
        a_kind  = RAW;
        a_value = {1'b0, number_length};
        a_count = 4'd6;
        left_d  = number_length - 7'd1;
        step_d  = NUMBER_BITS;
      end
      NUMBER_BITS: begin
        a_kind = RAW;
        step_d = raw_rest == 7'd0 ? after_number : NUMBER_BITS;
        if (raw_rest == 7'd0) left_d = 7'd16;
      end
      COUNT: begin
        a_kind = RAW;
        step_d = raw_rest == 7'd0 ? DONE : COUNT;
      end
      TRAP: begin
        a_kind  = RAW;
        a_value = trap_value_i;
        a_count = trap_count_i;
        step_d  = !trap_last_i ? TRAP : closes ? CLOSE : DONE;
      end
      CLOSE: a_kind = END;
      SECOND: begin
        a_tables  = T_SECOND;
        a_outcome = {2'd0, first_i[ACCESS_SECOND_BIT]};
        step_d    = is_coded ? REFERENCE : DONE;
      end
      REFERENCE: begin
        a_tables = T_REF;
        a_room   = 2'd2;
        a_n      = size_log2 != 2'd0 ? 2'd2 : 2'd1;
        if (!first_i[ACCESS_HAS_NEAR]) begin
          a_outcome = {1'b0, is_odd, ref_at[0]};
        end else if (ref_at[1]) begin
          a_outcome = {1'b0, is_odd, 1'b1};
        end else begin
          a_room    = 2'd3;
          a_n       = size_log2 != 2'd0 ? 2'd3 : 2'd2;
          a_outcome = {is_odd, ref_at[0], 1'b0};
        end
        step_d = LENGTH_HIGH;
      end
      LENGTH_HIGH: begin
        a_tables  = T_HIGH;
        a_room    = 2'd3;
        a_n       = 2'd3;
        a_outcome = {told[2], told[3], told[4]};
        step_d    = LENGTH_LOW;
      end
      LENGTH_LOW: begin
        a_tables  = T_LOW;
        a_room    = is_access ? 2'd3 : 2'd2;
        a_n       = is_access ? 2'd3 : 2'd2;
        a_outcome = {negative, told[0], told[1]};
        left_d    = value_bits;
        step_d    = has_bits ? BITS : DONE;
      end
      BITS: begin
        a_kind = RAW;
        step_d = raw_rest == 7'd0 ? DONE : BITS;
      end
      default: sends = 1'b0;
    endcase
    ends = step_d == DONE;
    // Behind the escape of a wrong decision.
    if (step_d == NEXT || step_d == SECOND || step_d == REFERENCE) begin
      if (step_q == NUMBER_SHORT || step_q == NUMBER_BITS) decision_d = behind_decision;
    end
  end

  wire       ends_wrong = (step_q == NUMBER_SHORT || step_q == NUMBER_BITS) && kind != ITEM_ESCAPE &&
                          step_d != NUMBER_LONG && step_d != NUMBER_BITS;

  // ---- The symbol that is chosen, with the probabilities as they are read ----

  reg          b_valid_q;
  reg  [1:0]   b_kind_q, b_n_q, b_room_q;
  reg  [2:0]   b_outcome_q;
  reg  [3:0]   b_tables_q;
  reg  [7:0]   b_value_q;
  reg  [3:0]   b_count_q;
  reg          b_is_near_q, b_has_near_q, b_is_access_q;
  reg  [11:0]  b_given_q;
  wire         advances = !b_valid_q || out_ready_i;
  wire         chosen = valid_i && advances;
  wire         clear = chosen && kind == ITEM_MARK && first_i[MARK_KIND +: 2] == 2'd0 && SYNC_KEEPS == 0;
  wire         leaves = b_valid_q && out_ready_i;

  assign ready_o = chosen && ends;
  assign clear_o = clear;
  assign stamp_done_o = chosen && ends && is_stamp;
  assign trap_next_o = chosen && step_q == TRAP;
  // In a trap another one is 0, the next instruction 1, its task 2, the end 3.
  assign trap_behind_o = {first_i[ESCAPE_KIND], 1'b1} ^ {1'b0, first_i[ESCAPE_KIND +: 2] == ESCAPE_TASK};

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      step_q     <= NEXT;
      decision_q <= 2'd0;
      left_q     <= 7'd0;
      number_q   <= {NUMBER_WIDTH{1'b0}};
      b_valid_q  <= 1'b0;
    end else if (advances) begin
      b_valid_q <= chosen && sends;
      if (chosen) begin
        step_q     <= ends ? NEXT : step_d;
        decision_q <= ends ? 2'd0 : decision_d;
        left_q     <= left_d;
        if (takes_number) number_q <= second_i[NUMBER_WIDTH-1:0];
        else if (ends_wrong) number_q <= {NUMBER_WIDTH{1'b0}};
      end
    end
  end

  always @(posedge clk_i) begin
    if (advances) begin
      b_kind_q      <= a_kind;
      b_n_q         <= a_n;
      b_room_q      <= a_room;
      b_outcome_q   <= a_outcome;
      b_value_q     <= a_value;
      b_count_q     <= a_count;
      b_tables_q    <= a_tables;
      b_is_near_q   <= ref_at[1];
      b_has_near_q  <= first_i[ACCESS_HAS_NEAR];
      b_is_access_q <= is_access;
      b_given_q     <= first_i[DIRECTION_P +: 12];
    end
  end

  // ---- Probabilities ----

  wire        reads = chosen && sends;
  wire [1:0]  tree = is_access ? ref_at : 2'd3;
  // claim 0 to 7, target 8 to 15, next 16 and 17, decided 18 and 19, leave 20 to 22
  wire [4:0]  bits_single = context_bits < 4'd8 ? {2'b01, context_bits[2:0]} :
                            context_bits < 4'd10 ? {4'b1001, context_bits[0]} :
                                                   {3'b101, context_bits[1:0] - 2'd2};
  wire [4:0]  single_index = is_stamp ? 5'd23 : is_access ? (context_bits[3] ? {4'b1000, context_bits[0]} : {2'b00, context_bits[2:0]}) :
                             bits_single;
  wire        of_ref = b_tables_q == T_REF, of_high = b_tables_q == T_HIGH, of_low = b_tables_q == T_LOW;
  wire        of_time = b_tables_q == T_TIME;
  wire        of_stride = b_tables_q == T_STRIDE, of_second = b_tables_q == T_SECOND;
  wire        of_three = b_has_near_q && !b_is_near_q;  // references
  wire        has_aligned = of_ref && (b_n_q == 2'd3 || (b_n_q == 2'd2 && !of_three));
  wire        aligned_bit = b_n_q == 2'd3 ? b_outcome_q[2] : b_outcome_q[1];

`include "oct_shadow_tables.vh"

  oct_shadow_prob #(
    .ENTRIES(TIMESTAMP != 0 ? 120 : 108)
  ) u_prob_0 (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .clear_i(clear),
    .read_i (reads),
    .index_i(at_0),
    .learn_i(leaves && (b_tables_q == T_SINGLE || of_stride || of_ref || of_high || of_low || of_time)),
    .bit_i  (b_outcome_q[0]),
    .p_o    (p_0)
  );

  oct_shadow_prob #(
    .ENTRIES(TIMESTAMP != 0 ? 112 : 84)
  ) u_prob_1 (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .clear_i(clear),
    .read_i (reads),
    .index_i(at_1),
    .learn_i(leaves && (of_second || (of_stride && b_kind_q == SYMBOL && b_n_q == 2'd2) || (of_ref && of_three) ||
                        of_high || of_low || (of_time && b_n_q != 2'd1))),
    .bit_i  (of_second ? b_outcome_q[0] : b_outcome_q[1]),
    .p_o    (p_1)
  );

  oct_shadow_prob #(
    .ENTRIES(TIMESTAMP != 0 ? 44 : 40)
  ) u_prob_2 (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .clear_i(clear),
    .read_i (reads),
    .index_i(at_2),
    .learn_i(leaves && (has_aligned || of_high || (of_low && b_is_access_q) || (of_time && b_n_q == 2'd3))),
    .bit_i  (of_ref ? aligned_bit : b_outcome_q[2]),
    .p_o    (p_2)
  );

  // That of a direction came with it.
  wire        is_given = b_tables_q == T_GIVEN || b_tables_q == T_NONE;
  wire [35:0] p = {p_2, of_ref && !of_three ? p_2 : p_1, is_given ? b_given_q : of_second ? p_1 : p_0};

  assign out_valid_o   = b_valid_q;
  assign out_kind_o    = b_kind_q;
  assign out_n_o       = b_n_q;
  assign out_room_o    = b_room_q;
  assign out_p_o       = p;
  assign out_outcome_o = b_outcome_q;
  assign out_value_o   = b_value_q;
  assign out_count_o   = b_count_q;

  wire unused = &{1'b0, raw_shifted[63:8]};

`ifdef FORMAL
`ifdef FORMAL_OCT_SHADOW_UNROLL
`include "oct_shadow_unroll_formal.vh"
`endif
`endif

endmodule

`default_nettype wire
