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
    DONE = 4'd15;

  function [63:0] wide(input [NUMBER_WIDTH-1:0] v);
    begin
      wide = 64'd0;
      wide[NUMBER_WIDTH-1:0] = v;
    end
  endfunction

  function [6:0] length_of(input [63:0] v);
    integer i;
    begin
      length_of = 7'd0;
      for (i = 0; i < 64; i = i + 1) if (v[i]) length_of = i[6:0] + 7'd1;
    end
  endfunction
