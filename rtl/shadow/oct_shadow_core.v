// SPDX-License-Identifier: Apache-2.0
// oct_shadow_core - the stages of `shadow` from gather to the queue: beats in, items out, both as
// docs/shadow-rtl.md has them.
//
//   decoder | read | execute | flow, stride table | mix | items
//
// One beat a cycle. Latency: 12 cycles from a beat to its items. Back-pressure: while items are there and
// out_ready_i is low, nothing moves; ready_o is low then, while a beat has more than two items, and
// while a store frees more words of the value cache than two. ready_o does not depend on valid_i. All state of
// a period travels in order: a mark, or a sync with a step, resets each stage as it passes.
`default_nettype none

module oct_shadow_core #(
`include "oct_shadow_params.vh"
,
  parameter integer  // follow from those: none is set
`include "oct_shadow_widths.vh"
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 valid_i,
  output wire                 ready_o,
  input  wire [1:0]           kind_i,
  input  wire [ADDR_BITS-1:0] pc_i,
  input  wire [31:0]          word_i,
  input  wire                 word_known_i,
  input  wire [N_BITS-1:0]    n_i,
  input  wire [N_BITS-1:0]    at_i,
  input  wire [ADDR_BITS-1:0] addr_i,
  input  wire [3:0]           after_i,
  input  wire [ADDR_BITS-1:0] next_i,
  input  wire [TASK_BITS-1:0] task_i,
  input  wire [1:0]           mark_i,
  input  wire [ADDR_BITS-1:0] start_pc_i,    // behind BEAT_STEP_SYNC, until its items are out
  output wire [1:0]           out_valid_o,   // the second only with the first
  input  wire                 out_ready_i,   // both are taken
  output wire [1:0]           out_two_o,     // the item has a second word
  output wire [2*W-1:0]       out_first_o,   // an item; its second word is the higher one
  output wire [2*W-1:0]       out_second_o,
  output wire                 is_empty_o     // no beat and no item is here
);

`include "oct_shadow_types.vh"
`include "oct_shadow_items.vh"

  localparam integer A = ADDR_BITS, N = N_BITS;

  wire moves;

  // ---- Decoder, value cache, registers ----

  wire x_valid, front_is_empty, x_is_start, x_is_mark, x_clears, x_access, x_partial, x_first, x_first_miss, x_has_near, x_cond;
  wire x_cond_is_data, x_decided, x_flags, x_cond_miss, x_holds, x_last, x_jump, x_indirect, x_to_known, x_pushes, x_syncs, x_falls;
  wire [1:0] x_mark_q;
  wire [2:0] x_class_q;
  wire [3:0] x_after_q, x_first_context;
  wire [7:0] x_slot_q;
  wire [A-1:0] x_pc_q, x_addr_q, x_next_q, base_q, x_near, x_fall, x_to, flow_pc, access_pc;
  wire [N-1:0] x_n_q, x_at_q;
  wire [TASK_BITS-1:0] next_task;

  oct_shadow_front #(
`include "oct_shadow_pass.vh"
  ) u_front (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .moves_i        (moves),
    .valid_i        (valid_i),
    .ready_o        (ready_o),
    .kind_i         (kind_i),
    .pc_i           (pc_i),
    .word_i         (word_i),
    .word_known_i   (word_known_i),
    .n_i            (n_i),
    .at_i           (at_i),
    .addr_i         (addr_i),
    .after_i        (after_i),
    .next_i         (next_i),
    .task_i         (task_i),
    .mark_i         (mark_i),
    .valid_o        (x_valid),
    .is_empty_o     (front_is_empty),
    .is_start_o     (x_is_start),
    .is_mark_o      (x_is_mark),
    .clears_o       (x_clears),
    .syncs_o        (x_syncs),
    .mark_o         (x_mark_q),
    .after_o        (x_after_q),
    .class_o        (x_class_q),
    .slot_o         (x_slot_q),
    .pc_o           (x_pc_q),
    .addr_o         (x_addr_q),
    .next_o         (x_next_q),
    .at_o           (x_at_q),
    .n_o            (x_n_q),
    .access_pc_o    (access_pc),
    .next_task_o    (next_task),
    .base_o         (base_q),
    .access_o       (x_access),
    .partial_o      (x_partial),
    .first_o        (x_first),
    .first_miss_o   (x_first_miss),
    .has_near_o     (x_has_near),
    .first_context_o(x_first_context),
    .near_o         (x_near),
    .fall_o         (x_fall),
    .falls_o        (x_falls),
    .to_o           (x_to),
    .cond_o         (x_cond),
    .cond_is_data_o (x_cond_is_data),
    .decided_o      (x_decided),
    .flags_o        (x_flags),
    .cond_miss_o    (x_cond_miss),
    .holds_o        (x_holds),
    .last_o         (x_last),
    .jump_o         (x_jump),
    .indirect_o     (x_indirect),
    .to_known_o     (x_to_known),
    .pushes_o       (x_pushes)
  );

  // ---- Behind execute: what the stages need, and what goes along to the items ----

  wire         x_is_task = (x_last || x_is_start) && x_after_q[1:0] == AFTER_TASK;
  wire         x_is_end = (x_last || x_is_start) && x_after_q[1:0] == AFTER_END;
  wire         x_traps = (x_last || x_is_start) && x_after_q[AFTER_TRAPS];
  reg  [9:1]   clear_q, valid_q;  // by cycles behind execute

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {clear_q, valid_q} <= 18'd0;
    else if (moves) begin
      clear_q <= {clear_q[8:1], x_clears};
      valid_q <= {valid_q[8:1], x_valid};
    end
  end

  wire direction, outcome, is_jump, is_told;
  wire [63:0] history;
  wire [2:0]  guess, guess_miss;
  wire [11:0] guess_context, p;
  reg  [11:0] p_q;
  wire [A:0]  distance;
  reg         m_valid_q, m_outcome_q;
  reg [63:0]  m_history_q;
  reg [A-1:0] m_pc_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) m_valid_q <= 1'b0;
    else if (moves) m_valid_q <= direction;
  end

  always @(posedge clk_i) begin
    if (moves) begin
      m_outcome_q <= outcome;
      m_history_q <= history;
      m_pc_q      <= flow_pc;
      p_q         <= p;
    end
  end

  // Behind a sync b is 0.
  wire [A-1:0] start_up = start_pc_i >> PC_ALIGN_BITS;
  wire [A:0] start_v = {start_up, 1'b0} ^ {(A + 1){A == 64 && start_up[A-1]}};

  oct_shadow_flow #(
    .ADDR_BITS     (A),
    .PC_ALIGN_BITS (PC_ALIGN_BITS),
    .PATH_ENTRIES  (PATH_ENTRIES),
    .TARGET_ENTRIES(TARGET_ENTRIES),
    .RETURN_ENTRIES(RETURN_ENTRIES),
    .HISTORY_ALL   (HISTORY_ALL), .SHORT_BITS(SHORT_BITS), .LONG_BITS(LONG_BITS)
  ) u_flow (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .moves_i           (moves),
    .clear_i           (x_clears),
    .valid_i           (x_last),
    .pc_i              (x_is_start ? base_q : x_pc_q),
    .size_bytes_i      (x_fall[2:0] - x_pc_q[2:0]),
    .next_i            (x_is_start ? x_pc_q : x_next_q),
    .falls_i           (x_falls),
    .cond_i            (x_cond),
    .cond_decided_i    (x_decided),
    .cond_holds_i      (x_holds),
    .leaves_i          (x_after_q[1:0] != AFTER_NEXT),  // read where there are no traps (is_class_unknown_i)
    .is_jump_i         (x_jump || (x_last && (x_is_task || (x_traps && !x_is_end)))),
    .is_class_unknown_i(x_last && x_class_q == CLASS_UNKNOWN && !x_traps),
    .is_indirect_i     (x_indirect),
    .is_return_i       (x_class_q == CLASS_RETURN),
    .target_known_i    (x_to_known),
    .target_i          (x_to),
    .pushes_i          (x_pushes),
    .is_moved_i        (x_is_start && !x_is_end),
    .is_task_i         (x_is_task),
    .direction_o       (direction),
    .outcome_o         (outcome),
    .history_o         (history),
    .is_jump_o         (is_jump),
    .is_told_o         (is_told),
    .guess_o           (guess),
    .guess_miss_o      (guess_miss),
    .guess_context_o   (guess_context),
    .pc_o              (flow_pc),
    .distance_o        (distance)
  );

  wire         stride_valid, hit, agree, other_hit, has_near;
  wire [4:0]   place;
  wire [2:0]   other_context;
  wire [1:0]   old_ref, ref_d;
  wire [A-1:0] diff;

  oct_shadow_stride #(
    .ADDR_BITS     (A),
    .PC_ALIGN_BITS (PC_ALIGN_BITS),
    .STRIDE_ENTRIES(STRIDE_ENTRIES),
    .STRIDE_BITS   (STRIDE_BITS),
    .DIFF_BITS     (DIFF_BITS),
    .DFCM_ENTRIES  (DFCM_ENTRIES)
  ) u_stride (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .moves_i            (moves),
    .clear_i            (x_clears),
    .valid_i            (x_access && (!x_first || x_first_miss)),
    .pc_i               (access_pc),
    .group_i            (x_at_q != {N{1'b0}}),
    .addr_i             (x_addr_q),
    .has_near_i         (x_has_near),
    .near_i             (x_near),
    .out_valid_o        (stride_valid),
    .out_hit_o          (hit),
    .out_agree_o        (agree),
    .out_context_o      (place),
    .out_other_hit_o    (other_hit),
    .out_other_context_o(other_context),
    .out_has_near_o     (has_near),
    .out_old_ref_o      (old_ref),
    .out_ref_o          (ref_d),
    .out_diff_o         (diff)
  );

  oct_shadow_mix #(
    .ADDR_BITS    (A),
    .PC_ALIGN_BITS(PC_ALIGN_BITS),
    .PC_ENTRIES   (PC_ENTRIES),
    .SHORT_ENTRIES(SHORT_ENTRIES),
    .SHORT_BITS   (SHORT_BITS),
    .LONG_ENTRIES (LONG_ENTRIES),
    .LONG_BITS    (LONG_BITS),
    .MIX_SETS     (MIX_SETS),
    .MIX_SHIFT    (MIX_SHIFT),
    .BRANCH_LIMIT (BRANCH_LIMIT)
  ) u_mix (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .moves_i  (moves),
    .clear_i  (clear_q[2]),
    .valid_i  (m_valid_q),
    .pc_i     (m_pc_q),
    .history_i(m_history_q),
    .outcome_i(m_outcome_q),
    .p_o      (p)
  );

  // ---- Items ----

  wire         e_is_mark, e_is_start, e_last, e_partial, e_cond, e_cond_is_data, e_decided, e_cond_miss;
  wire         e_access, e_first, e_first_miss, e_stamp, e_traps, e_is_task, e_is_end, e_syncs, e_direction, e_outcome, e_is_jump, e_is_told,
               e_hit, e_agree, e_other_hit;
  wire [1:0]   e_mark;
  wire [2:0]   e_guess, e_guess_miss;

  // Contexts come a cycle before: their streaks are read then.
  wire         next_flags;
  wire [3:0]   next_first;
  wire [4:0]   next_place;
  wire [11:0]  next_guess;

  // What waits for the probability of a direction. What is found in cycles 0 and 1 waits in lines until cycle 3; from there
  // to cycle 8 all stands in a memory of 1 kbit, of which four words are used in turn: a word is read in the cycle in
  // which the next one is written there. Contexts come out a cycle before the rest.
  wire [22:0] of_execute;
  wire [21:0] of_flow;
  wire [30:0] last;  // a cycle later than the others
  reg  [30:0] last_q;
  reg  [1:0]  turn_q;
  wire [10:0] spare;

  oct_shadow_delay #(.WIDTH(23), .CYCLES(3)) u_of_execute (
    .clk_i(clk_i), .moves_i(moves),
    .data_i ({x_flags, x_first_context,
              x_last && x_after_q[AFTER_STAMP], x_traps, x_is_mark, x_mark_q, x_is_start, x_last, x_partial, x_cond, x_cond_is_data, x_decided,
              x_cond_miss, x_access, x_first, x_first_miss, x_is_task, x_is_end, x_syncs}),
    .data_o (of_execute)
  );

  oct_shadow_delay #(.WIDTH(22), .CYCLES(2)) u_of_flow (
    .clk_i(clk_i), .moves_i(moves),
    .data_i ({guess_context, direction, outcome, guess, guess_miss, is_jump, is_told}),
    .data_o (of_flow)
  );

  oct_ram #(.WIDTH(64), .DEPTH(16)) u_decisions (
    .clk_i  (clk_i),
    .we_i   (moves),
    .waddr_i({2'd0, turn_q}),
    .wdata_i({11'd0, of_execute[22:18], place, of_flow[21:10], of_execute[17:0], of_flow[9:0], other_hit, agree, hit}),
    .re_i   (moves),
    .raddr_i({2'd0, turn_q}),
    .rdata_o({spare, next_flags, next_first, next_place, next_guess, last})
  );

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) turn_q <= 2'd0;
    else if (moves) turn_q <= turn_q + 2'd1;
  end

  always @(posedge clk_i) if (moves) last_q <= last;

  assign {e_stamp, e_traps, e_is_mark, e_mark, e_is_start, e_last, e_partial, e_cond, e_cond_is_data, e_decided,
          e_cond_miss, e_access, e_first, e_first_miss, e_is_task, e_is_end, e_syncs,
          e_direction, e_outcome, e_guess, e_guess_miss, e_is_jump, e_is_told, e_other_hit, e_agree, e_hit} = last_q;

  oct_shadow_emit #(.ADDR_BITS(A), .TASK_BITS(TASK_BITS), .N_BITS(N)) u_emit (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .ready_o        (moves),
    .clear_i        (clear_q[9]),
    .valid_i        (valid_q[9]),
    .is_mark_i      (e_is_mark),
    .mark_i         (e_mark),
    .is_start_i     (e_is_start),
    .syncs_i        (e_syncs),
    .start_i        (start_v),
    .is_last_i      (e_last),
    .is_partial_i   (e_partial),
    .cond_i         (e_cond),
    .cond_is_data_i (e_cond_is_data),
    .cond_decided_i (e_decided),
    .cond_miss_i    (e_cond_miss),
    .direction_i    (e_direction),
    .outcome_i      (e_outcome),
    .p_i            (p_q),
    .access_i       (e_access),
    .first_i        (e_first),
    .first_miss_i   (e_first_miss),
    .hit_i          (e_hit),
    .agree_i        (e_agree),
    .other_hit_i    (e_other_hit),
    .guess_i        (e_guess),
    .guess_miss_i   (e_guess_miss),
    .is_jump_i      (e_is_jump),
    .is_task_i      (e_is_task),
    .is_end_i       (e_is_end),
    .traps_i        (e_traps),
    .stamp_i        (e_stamp),
    .is_told_i      (e_is_told),
    .next_valid_i   (valid_q[8]),
    .next_flags_i   (next_flags),
    .next_first_i   (next_first),
    .next_stride_i  (next_place),
    .next_guess_i   (next_guess),
    .task_i         (next_task),
    .execute_i      ({x_first_context, x_slot_q[2:0], x_n_q}),
    .guess_contexts_i(guess_context),
    .address_i      (distance),
    .stride_i       ({place, other_context, has_near, old_ref, ref_d, diff}),
    .out_valid_o    (out_valid_o),
    .out_ready_i    (out_ready_i),
    .out_two_o      (out_two_o),
    .out_first_o    (out_first_o),
    .out_second_o   (out_second_o)
  );

  assign is_empty_o = front_is_empty && valid_q == 9'd0 && out_valid_o == 2'd0;

  wire unused = &{1'b0, stride_valid, x_slot_q, x_fall, spare};

endmodule

`default_nettype wire
