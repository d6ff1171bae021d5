// SPDX-License-Identifier: Apache-2.0
// oct_shadow_control - whether the condition of an instruction is known, whether it held, and how the
// instruction's successor is told. docs/shadow-format.md, sections 3, 6 and 8; oct_shadow_cond,
// oct_shadow_reveal of model/shadow/oct_shadow_exec.h, oct_shadow_step.h.
//
// Combinational. Conditions are of flags or of two registers.
//
// ADDR_BITS  bits of an address and of a register: 32, or up to 64
`default_nettype none

module oct_shadow_control #(
  parameter integer ADDR_BITS = 32
) (
  input  wire [511:0]         op_i,             // oct_shadow_types.vh
  input  wire [2:0]           class_i,
  input  wire                 is_conditional_i,
  input  wire                 has_data_i,       // by its operation
  input  wire                 is_partial_i,
  input  wire                 is_first_i,       // beat of the instruction
  input  wire                 is_last_i,
  input  wire                 is_done_i,        // it made accesses
  input  wire [2:0]           after_i,          // oct_shadow_items.vh
  input  wire                 falls_i,          // to the next address
  input  wire                 arrives_i,        // at its own target
  input  wire [ADDR_BITS-1:0] first_i,          // registers that the condition compares
  input  wire                 first_known_i,
  input  wire [ADDR_BITS-1:0] second_i,
  input  wire                 second_known_i,
  input  wire [6:0]           cond_known_i,     // conditions of the flags
  input  wire [6:0]           cond_value_i,
  output wire                 is_flags_o,
  output wire                 is_always_o,
  output wire                 claim_known_o,    // the shadow knows whether it holds,
  output wire                 claim_holds_o,    // and it does
  output wire                 data_cond_o,      // it says whether there are accesses
  output wire                 is_cond_o,        // it is coded
  output wire                 holds_o,          // it held
  output wire                 miss_o,
  output wire [6:0]           cond_known_o,
  output wire [6:0]           cond_value_o,
  output wire                 is_control_o,     // its successor is coded as a decision
  output wire                 is_jump_o,        // as an escape, but for a class unknown
  output wire                 is_late_o,        // carried out with its condition
  output wire                 late_taken_o,
  output wire                 data_done_o,      // its accesses do not say that it was not carried out
  output wire                 is_indirect_o,    // its target is coded
  output wire                 pushes_o          // the return stack
);

`include "oct_shadow_types.vh"
`include "oct_shadow_items.vh"

  localparam integer A = ADDR_BITS;

  wire [7:0]   cond = op_i[OP_COND +: 8];
  wire         is_known = op_i[OP_FLAGS];
  wire         is_of_regs = cond[6:4] == COND_REGS[6:4];
  wire         is_late = is_conditional_i && !has_data_i && class_i > CLASS_COND_BRANCH;

  // ---- Conditions ----

  wire [2:0]   which = cond[3:1];
  wire         cond_bit_known = cond_known_i[which], cond_bit = cond_value_i[which];
  wire         is_flags = cond[6:4] == COND_FLAGS[6:4], is_always = cond[6:4] == COND_ALWAYS[6:4];
  wire         is_equal = first_i == second_i;
  wire         below = first_i < second_i;
  wire         is_less = first_i[A-1] == second_i[A-1] ? below : first_i[A-1];
  reg          regs_hold;
  always @* begin
    case (cond[2:0])
      CMP_EQ: regs_hold = is_equal;
      CMP_NE: regs_hold = !is_equal;
      CMP_LT: regs_hold = is_less;
      CMP_GE: regs_hold = !is_less;
      CMP_LE: regs_hold = is_less || is_equal;
      CMP_GT: regs_hold = !is_less && !is_equal;
      CMP_LTU: regs_hold = below;
      default: regs_hold = !below;
    endcase
  end
  wire         claim_known = is_known && (is_always || (is_flags && cond_bit_known) ||
                                          (is_of_regs && first_known_i && second_known_i));
  wire         claim_holds = is_always || (is_flags ? cond_bit ^ cond[0] : regs_hold);

  // ---- Where it goes ----

  wire         falls = falls_i, arrives = arrives_i;
  wire         is_direct = class_i == CLASS_DIRECT_JUMP || class_i == CLASS_DIRECT_CALL;
  wire         is_branch = class_i == CLASS_COND_BRANCH;
  wire         is_class_unknown = class_i == CLASS_UNKNOWN;
  wire         has_control = is_branch || class_i >= CLASS_INDIRECT_JUMP || (is_direct && is_conditional_i);
  wire         data_done = is_done_i || !is_conditional_i || !has_data_i;
  wire         can_follow = is_branch ? arrives || falls :
                            !data_done ? falls : (is_late && falls) || !is_direct || arrives;
  wire         goes_on = is_last_i && after_i == {1'b0, AFTER_NEXT};
  wire         is_control = goes_on && has_control && can_follow;
  wire         lies_ahead = is_direct ? arrives : falls;
  wire         is_jump = goes_on && !is_class_unknown && !(has_control ? can_follow : lies_ahead);
  wire         late_taken = is_control && is_late && !falls;
  wire         data_cond = is_first_i && has_data_i && !is_partial_i && is_conditional_i;
  wire         control_cond = is_control && (is_branch || is_late);
  wire         holds = data_cond ? is_done_i : is_branch ? arrives : !falls;
  wire         is_cond = data_cond || control_cond;
  wire         cond_miss = holds != claim_holds;
  // What it was made of is known now, unless it was known before.
  wire         reveals = is_cond && is_known && (!claim_known || cond_miss);
  wire         is_done = is_late ? late_taken : data_done;
  wire         is_indirect = is_control && class_i >= CLASS_INDIRECT_JUMP && is_done;
  wire         pushes = is_last_i && (class_i == CLASS_DIRECT_CALL ? (is_late ? late_taken : !is_control || data_done) :
                                    is_indirect && class_i == CLASS_INDIRECT_CALL);

  // ---- What is known of the flags then ----

  wire [6:0]   revealed = 7'd1 << which;
  wire [6:0]   known = cond_known_i | (reveals && is_flags ? revealed : 7'd0);
  wire [6:0]   value = reveals && is_flags ?
                              (cond_value_i & ~revealed) | (holds ^ cond[0] ? revealed : 7'd0) : cond_value_i;

  assign is_flags_o    = is_flags;
  assign is_always_o   = is_always;
  assign claim_known_o = claim_known;
  assign claim_holds_o = claim_holds;
  assign data_cond_o   = data_cond;
  assign is_cond_o     = is_cond;
  assign holds_o       = holds;
  assign miss_o        = cond_miss;
  assign cond_known_o  = known;
  assign cond_value_o  = value;
  assign is_control_o  = is_control;
  assign is_jump_o     = is_jump;
  assign is_late_o     = is_late;
  assign late_taken_o  = late_taken;
  assign data_done_o   = data_done;
  assign is_indirect_o = is_indirect;
  assign pushes_o      = pushes;

  wire unused = &{1'b0, op_i, cond};

endmodule

`default_nettype wire
