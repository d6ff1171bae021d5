// SPDX-License-Identifier: Apache-2.0
// oct_shadow_items.vh - beats that enter oct_shadow_core and items that leave it, for a module's
// body. docs/shadow-rtl.md, beats and items.

// A module with this list need not use each.
// verilator lint_off UNUSEDPARAM
  // kinds of beats
  localparam [1:0]
    BEAT_STEP = 2'd0,
    BEAT_START = 2'd1,
    BEAT_MARK = 2'd2,
    BEAT_STEP_SYNC = 2'd3;  // the last of a step; behind it the mark of a sync, and the start of a period
  // what comes after an instruction
  localparam [1:0]
    AFTER_NEXT = 2'd0,
    AFTER_TASK = 2'd1,
    AFTER_END = 2'd2;
  // and the bits above them: traps come before; the instruction has a stamp
  localparam integer AFTER_TRAPS = 2, AFTER_STAMP = 3;
  // types of items: bits 2..0 of the first word
  localparam [2:0]
    ITEM_ACCESS = 3'd0,
    ITEM_BITS = 3'd1,
    ITEM_DIRECTION = 3'd2,
    ITEM_ADDRESS = 3'd3,
    ITEM_ESCAPE = 3'd4,
    ITEM_NUMBER = 3'd5,
    ITEM_TASK = 3'd6,
    ITEM_MARK = 3'd7;
  // how a decision is told
  localparam [1:0]
    MODE_NONE = 2'd0,
    MODE_SYMBOL = 2'd1,
    MODE_WRONG = 2'd2;
  // lowest bits of the fields of an access
  localparam integer
    ACCESS_FIRST_MODE = 3,
    ACCESS_FIRST = 5,
    ACCESS_FIRST_BIT = 9,
    ACCESS_STRIDE_MODE = 10,
    ACCESS_STRIDE = 12,
    ACCESS_STRIDE_BIT = 17,
    ACCESS_DIFFERS = 18,
    ACCESS_SECOND = 19,
    ACCESS_SECOND_BIT = 22,
    ACCESS_IS_CODED = 23,
    ACCESS_HAS_NEAR = 24,
    ACCESS_OLD_REF = 25,
    ACCESS_REF = 27,
    ACCESS_SIZE = 29;
  // of ITEM_BITS: three decisions, each of mode, context and outcome
  localparam integer
    BITS_FIRST = 3,
    BITS_EACH = 7,
    BITS_CONTEXT = 2,
    BITS_OUTCOME = 6;
  // of the others
  localparam integer
    DIRECTION_OUTCOME = 3,
    DIRECTION_P = 4,
    ESCAPE_KIND = 3,
    ESCAPE_TRAPS = 5,
    ESCAPE_COUNT = 6,
    ESCAPE_COUNT_BITS = 11,
    MARK_KIND = 3,
    NUMBER_STAMP = 3;
  // oct_escape, but WRONG
  localparam [1:0]
    ESCAPE_JUMP = 2'd0,
    ESCAPE_TASK = 2'd1,
    ESCAPE_PARTIAL = 2'd2,
    ESCAPE_END = 2'd3;
// verilator lint_on UNUSEDPARAM
