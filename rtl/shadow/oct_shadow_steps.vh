// SPDX-License-Identifier: Apache-2.0
// oct_shadow_steps.vh - steps of oct_shadow_unroll through an item, and its numbers, for its body.

  // Steps of an item. NEXT chooses, at its beginning and behind a decision, what comes.
  localparam [3:0]
    NEXT = 4'd0,
    WRONG_ONE = 4'd1,     // behind the escape of a wrong one: that it is one
    ESCAPE_ZERO = 4'd2,   // behind another escape: that it is none
    ESCAPE_WHICH = 4'd3,
    NUMBER_SHORT = 4'd4,
    NUMBER_LONG = 4'd5,
    NUMBER_BITS = 4'd6,
    SECOND = 4'd7,        // second guess, behind a wrong first one
    REFERENCE = 4'd8,
    LENGTH_HIGH = 4'd9,
    LENGTH_LOW = 4'd10,
    BITS = 4'd11,         // of a difference, an address, a task, a number of accesses
    CLOSE = 4'd12,        // end of the period
    COUNT = 4'd13,
    TRAP = 4'd14,         // bits of the traps, which oct_shadow_traps gives
    DONE = 4'd15;

  // Where the probabilities of a symbol are: oct_shadow_tables.vh.
  localparam [3:0] T_SINGLE = 4'd0, T_STRIDE = 4'd1, T_SECOND = 4'd2, T_REF = 4'd3, T_HIGH = 4'd4, T_LOW = 4'd5,
                   T_GIVEN = 4'd6, T_NONE = 4'd7, T_TIME = 4'd8;

  function [63:0] wide(input [NUMBER_WIDTH-1:0] v);
    begin
      wide = 64'd0;
      wide[NUMBER_WIDTH-1:0] = v;
    end
  endfunction

  // ---- Lengths and raw bits ----

  localparam [31:0] ADDR_32 = ADDR_BITS, TASK_32 = TASK_BITS;
  wire [1:0]   ref_at = first_i[ACCESS_REF +: 2];
  wire [1:0]   size_log2 = first_i[ACCESS_SIZE +: 2];
  wire         negative = second_i[ADDR_BITS-1];
  wire [ADDR_BITS-1:0] diff = second_i[ADDR_BITS-1:0];
  wire         is_odd = (size_log2 == 2'd1 && diff[0]) || (size_log2 == 2'd2 && diff[1:0] != 2'd0) ||
                        (size_log2 == 2'd3 && diff[2:0] != 3'd0);
  wire [ADDR_BITS-1:0] magnitude = (negative ? ~diff : diff) >> (is_odd ? 2'd0 : size_log2);
  wire [63:0]  value = is_stamp ? stamp_v_i : is_access ? {{(64 - ADDR_BITS){1'b0}}, magnitude} :
                       kind == ITEM_TASK ? {{(64 - TASK_BITS){1'b0}}, second_i[TASK_BITS-1:0]} :
                       wide(second_i[NUMBER_WIDTH-1:0]);
  wire [63:0]  number = kind == ITEM_ESCAPE ? wide(second_i[NUMBER_WIDTH-1:0]) : wide(number_q);
  wire [6:0]   value_length = length_of(value);
  wire [6:0]   number_length = length_of(number);
  wire         is_long = value_length >= 7'd31;
  wire [4:0]   told = is_long ? 5'd31 : value_length[4:0];
  wire [6:0]   value_bits = is_long ? (is_access ? ADDR_32[6:0] : 7'd64) : value_length - 7'd1;
  // Whether an item ends is found without the lengths.
  wire         has_bits = value[63:1] != 63'd0, number_has_bits = number[63:1] != 63'd0, number_is_long = number[63:6] != 58'd0;
  wire         sends_number = step_q == NUMBER_BITS;
  wire [63:0]  raw_of = step_q == COUNT ? {{(64 - ESCAPE_COUNT_BITS){1'b0}}, first_i[ESCAPE_COUNT +: ESCAPE_COUNT_BITS]} : sends_number ? number : value;
  wire [6:0]   raw_left = step_q == NEXT ? TASK_32[6:0] : left_q;
  wire [3:0]   raw_count = raw_left > 7'd8 ? 4'd8 : raw_left[3:0];
  wire [6:0]   raw_rest = raw_left - {3'd0, raw_count};
  wire [63:0]  raw_shifted = raw_of >> raw_rest;
