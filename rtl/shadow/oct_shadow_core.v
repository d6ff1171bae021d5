// SPDX-License-Identifier: Apache-2.0
// oct_shadow_core - the stages of `shadow` from gather to the queue: beats in, items out, both as
// docs/shadow-rtl.md has them.
//
//   decoder | read | execute | flow, stride table | mix | items
//
// One beat a cycle. Latency: 12 cycles from a beat to its items. Back-pressure: while items are there and
// out_ready_i is low, nothing moves; ready_o is low then, while a beat has more than two items, and
// while a wide store frees words of the value cache. ready_o does not depend on valid_i. All state of
// a period travels in order: a mark in place of a beat resets each stage as it passes.
//
// ISA         0 A32, 1 RISC-V (RV32, or RV64 if ADDR_BITS is above 32)
// SYNC_KEEPS  1: a sync keeps the state
// The others are parameters of the stages.
`default_nettype none

module oct_shadow_core #(
  parameter  integer ISA            = 0,
  parameter  integer ADDR_BITS      = 32,
  parameter  integer PC_ALIGN_BITS  = 2,
  parameter  integer TASK_BITS      = 16,
  parameter  integer REGS           = 16,
  parameter  integer VC_SETS        = 64,
  parameter  integer VC_WAYS        = 5,
  parameter  integer VC_TAG_BITS    = 8,
  parameter  integer STRIDE_ENTRIES = 128,
  parameter  integer STRIDE_BITS    = 24,
  parameter  integer DIFF_BITS      = 24,
  parameter  integer DFCM_ENTRIES   = 128,
  parameter  integer PC_ENTRIES     = 256,
  parameter  integer SHORT_ENTRIES  = 512,
  parameter  integer SHORT_BITS     = 6,
  parameter  integer LONG_ENTRIES   = 512,
  parameter  integer LONG_BITS      = 16,
  parameter  integer MIX_SETS       = 8,
  parameter  integer MIX_SHIFT      = 7,
  parameter  integer BRANCH_LIMIT   = 4,
  parameter  integer PATH_ENTRIES   = 64,
  parameter  integer TARGET_ENTRIES = 64,
  parameter  integer RETURN_ENTRIES = 8,
  parameter  integer HISTORY_ALL    = 1,
  parameter  integer LEARN_EQUAL    = 1,
  parameter  integer SYNC_KEEPS     = 0,
  localparam integer W              = ADDR_BITS + 4
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 valid_i,
  output wire                 ready_o,
  input  wire [1:0]           kind_i,
  input  wire [ADDR_BITS-1:0] pc_i,
  input  wire [31:0]          word_i,
  input  wire                 word_known_i,
  input  wire [4:0]           n_i,
  input  wire [3:0]           at_i,
  input  wire [ADDR_BITS-1:0] addr_i,
  input  wire [1:0]           after_i,
  input  wire [ADDR_BITS-1:0] next_i,
  input  wire [TASK_BITS-1:0] task_i,
  input  wire [1:0]           mark_i,
  output wire [1:0]           out_valid_o,   // the second only with the first
  input  wire                 out_ready_i,   // both are taken
  output wire [1:0]           out_two_o,     // the item has a second word
  output wire [2*W-1:0]       out_first_o,   // an item; its second word is the higher one
  output wire [2*W-1:0]       out_second_o
);

`include "oct_shadow_types.vh"
`include "oct_shadow_items.vh"

  localparam integer A = ADDR_BITS;
  localparam integer WORD_BITS = A > 32 ? 64 : 32;
  localparam [2:0]   FULL = A > 32 ? 3'd3 : 3'd2;
  localparam [1:0]   SYNC = 2'd0;

  wire moves, cache_ready;

  // ---- Decoder ----

  reg          r_valid_q, r_word_known_q;
  reg  [1:0]   r_kind_q, r_after_q, r_mark_q;
  reg  [A-1:0] r_pc_q, r_addr_q, r_next_q;
  reg  [4:0]   r_n_q;
  reg  [3:0]   r_at_q;
  reg  [TASK_BITS-1:0] r_task_q;
  wire [511:0] r_op;
  wire [2:0]   r_class, r_size_bytes;
  wire [A-1:0] r_target;
  wire [4:0]   r_n_slots;
  wire [7:0]   r_first_slot, r_next_slot;
  wire         r_is_conditional;
  wire         r_moves = moves && cache_ready;
  wire         takes = valid_i && ready_o;
  wire         decodes = takes && kind_i == BEAT_STEP && at_i == 4'd0;

  assign ready_o = r_moves;

  generate
    if (ISA == 0) begin : gen_a32
      wire unused;
      oct_shadow_a32 u_decoder (
        .clk_i               (clk_i),
        .rst_ni              (rst_ni),
        .valid_i             (decodes),
        .word_i              (word_i),
        .addr_i              (pc_i[31:0]),
        .ready_o             (unused_ready),
        .out_valid_o         (unused),
        .out_ready_i         (1'b1),
        .out_op_o            (r_op),
        .out_class_o         (r_class),
        .out_target_o        (r_target[31:0]),
        .out_size_bytes_o    (r_size_bytes),
        .out_n_slots_o       (r_n_slots),
        .out_slot_o          (r_first_slot),
        .out_next_slot_o     (r_next_slot),
        .out_is_conditional_o(r_is_conditional)
      );
      wire unused_ready;
    end else begin : gen_rv
      wire unused, unused_ready;
      oct_shadow_rv #(
        .ADDR_BITS(A)
      ) u_decoder (
        .clk_i               (clk_i),
        .rst_ni              (rst_ni),
        .valid_i             (decodes),
        .word_i              (word_i),
        .addr_i              (pc_i),
        .ready_o             (unused_ready),
        .out_valid_o         (unused),
        .out_ready_i         (1'b1),
        .out_op_o            (r_op),
        .out_class_o         (r_class),
        .out_target_o        (r_target),
        .out_size_bytes_o    (r_size_bytes),
        .out_n_slots_o       (r_n_slots),
        .out_slot_o          (r_first_slot),
        .out_next_slot_o     (r_next_slot),
        .out_is_conditional_o(r_is_conditional)
      );
    end
  endgenerate

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) r_valid_q <= 1'b0;
    else if (r_moves) r_valid_q <= valid_i;
  end

  always @(posedge clk_i) begin
    if (takes) begin
      r_kind_q  <= kind_i;
      r_word_known_q <= word_known_i;
      r_after_q <= after_i;
      r_mark_q  <= mark_i;
      r_pc_q    <= pc_i;
      r_addr_q  <= addr_i;
      r_next_q  <= next_i;
      r_n_q     <= n_i;
      r_at_q    <= at_i;
      r_task_q  <= task_i;
    end
  end

  // ---- Read: the value cache ----

  wire         r_is_step = r_valid_q && r_kind_q == BEAT_STEP;
  wire [7:0]   r_slot = r_at_q == 4'd0 ? r_first_slot : r_next_slot;
  wire         r_has_data = r_word_known_q && r_n_slots != 5'd0;
  wire         r_access = r_is_step && r_has_data && r_n_q != 5'd0;
  wire         r_is_store = r_slot[3];
  wire         due_valid;
  wire [A-1:0] due_addr;
  wire         r_due = r_is_step && !r_has_data && r_at_q == 4'd0 && due_valid;

  // ---- Execute ----

  reg          x_valid_q, x_due_q;
  reg  [1:0]   x_kind_q, x_after_q, x_mark_q;
  reg  [A-1:0] x_pc_q, x_addr_q, x_next_q, x_target_q, base_q;
  reg  [4:0]   x_n_q, x_n_slots_q;
  reg  [3:0]   x_at_q;
  reg  [TASK_BITS-1:0] x_task_q;
  reg  [511:0] x_op_q;
  reg  [2:0]   x_class_q, x_size_bytes_q;
  reg  [7:0]   x_slot_q;
  reg          x_is_conditional_q;
  wire         x_is_step = x_valid_q && x_kind_q == BEAT_STEP;
  wire         x_is_start = x_valid_q && x_kind_q == BEAT_START;
  wire         x_is_mark = x_valid_q && x_kind_q == BEAT_MARK;
  wire         x_clears = x_is_mark && x_mark_q == SYNC && SYNC_KEEPS == 0;
  wire         x_forgets = (x_is_mark && x_mark_q[1]) || (x_is_start && x_after_q == AFTER_TASK);

  wire         loaded_known, store_known;
  wire [WORD_BITS-1:0] loaded, store;
  wire         x_access, x_partial, x_first, x_first_miss, x_has_near;
  wire [3:0]   x_first_context;
  wire [A-1:0] x_near, x_fall, x_to;
  wire         x_cond, x_cond_is_data, x_decided, x_flags, x_cond_miss, x_holds, x_last, x_jump, x_indirect;
  wire         x_to_known, x_pushes;

  oct_shadow_cache #(
    .ADDR_BITS  (A),
    .VC_SETS    (VC_SETS),
    .VC_WAYS    (VC_WAYS),
    .VC_TAG_BITS(VC_TAG_BITS)
  ) u_cache (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .moves_i    (moves),
    .clear_i    (moves && x_clears),
    .valid_i    ((r_access && (r_op[OP_FLAGS] || r_is_store)) || r_due),
    .is_write_i (r_is_store || !r_has_data),
    .addr_i     (r_has_data ? r_addr_q : due_addr),
    .size_log2_i(r_has_data ? r_slot[2:0] : FULL),
    .is_known_i (store_known),
    .value_i    (store),
    .ready_o    (cache_ready),
    .known_o    (loaded_known),
    .value_o    (loaded)
  );

  oct_shadow_execute #(
    .ADDR_BITS  (A),
    .REGS       (REGS),
    .LEARN_EQUAL(LEARN_EQUAL)
  ) u_execute (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .moves_i         (moves),
    .clear_i         (x_clears),
    .forget_i        (x_forgets),
    .valid_i         (x_is_step),
    .op_i            (x_op_q),
    .class_i         (x_class_q),
    .target_i        (x_target_q),
    .size_bytes_i    (x_size_bytes_q),
    .n_slots_i       (x_n_slots_q),
    .slot_i          (x_slot_q),
    .is_conditional_i(x_is_conditional_q),
    .pc_i            (x_pc_q),
    .n_i             (x_n_q),
    .at_i            (x_at_q),
    .addr_i          (x_addr_q),
    .after_i         (x_after_q),
    .next_i          (x_next_q),
    .loaded_known_i  (loaded_known),
    .loaded_i        (loaded),
    .store_known_o   (store_known),
    .store_o         (store),
    .wrote_due_i     (x_due_q),
    .due_valid_o     (due_valid),
    .due_addr_o      (due_addr),
    .access_o        (x_access),
    .is_partial_o    (x_partial),
    .first_o         (x_first),
    .first_context_o (x_first_context),
    .first_miss_o    (x_first_miss),
    .has_near_o      (x_has_near),
    .near_o          (x_near),
    .cond_o          (x_cond),
    .cond_is_data_o  (x_cond_is_data),
    .cond_decided_o  (x_decided),
    .cond_flags_o    (x_flags),
    .cond_miss_o     (x_cond_miss),
    .cond_holds_o    (x_holds),
    .is_last_o       (x_last),
    .is_jump_o       (x_jump),
    .is_indirect_o   (x_indirect),
    .target_known_o  (x_to_known),
    .target_o        (x_to),
    .pushes_o        (x_pushes),
    .fall_o          (x_fall)
  );

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      x_valid_q <= 1'b0;
      base_q    <= {A{1'b0}};
    end else if (moves) begin
      x_valid_q <= r_valid_q && cache_ready;
      if (x_clears) base_q <= {A{1'b0}};
      else if (x_last && x_after_q == AFTER_END) base_q <= x_pc_q;
    end
  end

  always @(posedge clk_i) begin
    if (moves) begin
      x_kind_q           <= r_kind_q;
      x_after_q          <= r_after_q;
      x_mark_q           <= r_mark_q;
      x_pc_q             <= r_pc_q;
      x_addr_q           <= r_addr_q;
      x_next_q           <= r_next_q;
      x_n_q              <= r_n_q;
      x_at_q             <= r_at_q;
      x_task_q           <= r_task_q;
      x_op_q             <= r_word_known_q ? r_op : 512'd0;
      x_class_q          <= r_word_known_q ? r_class : CLASS_UNKNOWN;
      x_target_q         <= r_target;
      x_size_bytes_q     <= r_word_known_q ? r_size_bytes : 3'd4;
      x_n_slots_q        <= r_has_data ? r_n_slots : 5'd0;
      x_slot_q           <= r_slot;
      x_is_conditional_q <= r_word_known_q && r_is_conditional;
      x_due_q            <= r_due;
    end
  end

  // ---- Behind execute: what the stages need, and what goes along to the items ----

  localparam integer E_BITS = 30 + TASK_BITS;
  localparam integer G_BITS = 22;
  localparam integer S_BITS = 17 + A;
  wire         x_is_task = (x_last || x_is_start) && x_after_q == AFTER_TASK;
  wire         x_is_end = (x_last || x_is_start) && x_after_q == AFTER_END;
  wire         x_unknown = x_access && (!x_first || x_first_miss);

  // Each by cycles behind execute: 1 to 9, 3 to 9, 6 to 9, 4 to 9; the newest is the lowest.
  reg  [9*E_BITS-1:0]  e_q;
  reg  [7*G_BITS-1:0]  g_q;
  reg  [4*S_BITS-1:0]  s_q;
  reg  [6*(A+1)-1:0]   v_q;
  reg  [9:1]           clear_q;
  // flow
  reg          f_last_q, f_cond_q, f_decided_q, f_holds_q, f_elsewhere_q, f_jump_q, f_is_unknown_q;
  reg          f_indirect_q, f_return_q, f_known_q, f_pushes_q;
  reg  [A-1:0] f_pc_q, f_fall_q, f_next_q, f_to_q;
  // stride
  reg          t_valid_q, t_group_q, t_has_near_q;
  reg  [A-1:0] t_pc_q, t_addr_q, t_near_q;
  // addresses
  reg          a_is_start_1_q, a_is_start_2_q, a_is_moved_1_q, a_is_moved_2_q;
  reg  [A-1:0] a_pc_2_q, a_fall_2_q, a_next_2_q, a_base_3_q, a_to_3_q;

  wire [A-1:0] pc_at = x_pc_q + {{(A - 4){1'b0}}, x_at_q};

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {f_last_q, f_cond_q, f_jump_q, f_is_unknown_q, f_indirect_q, f_pushes_q, t_valid_q} <= 7'd0;
      clear_q <= 9'd0;
    end else if (moves) begin
      f_last_q       <= x_last;
      f_cond_q       <= x_cond;
      f_jump_q       <= x_jump || (x_last && x_after_q == AFTER_TASK);
      f_is_unknown_q <= x_last && x_class_q == CLASS_UNKNOWN;
      f_indirect_q   <= x_indirect;
      f_pushes_q     <= x_pushes;
      t_valid_q      <= x_unknown;
      clear_q        <= {clear_q[8:1], x_clears};
    end
  end

  wire direction, outcome, is_jump, is_told;
  wire [63:0] history;
  wire [2:0]  guess, guess_miss;
  wire [11:0] guess_context;
  reg         m_valid_q, m_outcome_q;
  reg [63:0]  m_history_q;
  reg [A-1:0] m_pc_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      e_q            <= {(9 * E_BITS){1'b0}};
      g_q            <= {(7 * G_BITS){1'b0}};
      m_valid_q      <= 1'b0;
      a_is_start_1_q <= 1'b0;
      a_is_start_2_q <= 1'b0;
      a_is_moved_1_q <= 1'b0;
      a_is_moved_2_q <= 1'b0;
    end else if (moves) begin
      e_q <= {e_q[8*E_BITS-1:0], x_task_q, x_is_mark, x_mark_q, x_is_start, x_last, x_partial, x_n_q, x_cond, x_cond_is_data,
                 x_decided, x_flags, x_cond_miss, x_access, x_first, x_first_context, x_first_miss,
                 x_slot_q[2:0], x_is_task, x_is_end, x_holds, 1'b0};
      g_q <= {g_q[6*G_BITS-1:0], direction, outcome, guess, guess_miss, guess_context, is_jump && !e_q[E_BITS+3],
                 is_jump || is_told || a_is_moved_2_q};
      m_valid_q      <= direction;
      // A jump's address, with a task or without; that of a start.
      a_is_start_1_q <= x_is_start;
      a_is_start_2_q <= a_is_start_1_q;
      a_is_moved_1_q <= x_is_start && x_after_q != AFTER_END;
      a_is_moved_2_q <= a_is_moved_1_q;
    end
  end

  always @(posedge clk_i) begin
    if (moves) begin
      f_decided_q   <= x_decided;
      f_holds_q     <= x_holds;
      f_elsewhere_q <= x_after_q != AFTER_NEXT;
      f_return_q    <= x_class_q == CLASS_RETURN;
      f_known_q     <= x_to_known;
      f_pc_q        <= x_pc_q;
      f_fall_q      <= x_is_start ? base_q : x_fall;
      f_next_q      <= x_is_start ? x_pc_q : x_next_q;
      f_to_q        <= x_to;
      t_group_q     <= x_at_q != 4'd0;
      t_has_near_q  <= x_has_near;
      t_pc_q        <= pc_at;
      t_addr_q      <= x_addr_q;
      t_near_q      <= x_near;
      a_pc_2_q      <= f_pc_q;
      a_fall_2_q    <= f_fall_q;
      a_next_2_q    <= f_next_q;
      a_base_3_q    <= is_jump || a_is_start_2_q ? a_fall_2_q : a_pc_2_q;
      a_to_3_q      <= a_next_2_q;
      m_outcome_q   <= outcome;
      m_history_q   <= history;
      m_pc_q        <= a_pc_2_q;
      v_q           <= {v_q[5*(A+1)-1:0], distance_v};
      s_q           <= {s_q[3*S_BITS-1:0], stride_out};
    end
  end

  // v of address(b): the sign in the lowest bit.
  wire [A:0] to_up = {1'b0, a_to_3_q} >> PC_ALIGN_BITS, from_up = {1'b0, a_base_3_q} >> PC_ALIGN_BITS;
  wire [A:0] moved = to_up - from_up;
  wire [A:0] distance_v = A == 64 ? {1'b0, {moved[A-2:0], 1'b0} ^ {A{moved[A-1]}}} :
                                    {moved[A-1:0], 1'b0} ^ {(A + 1){moved[A]}};

  oct_shadow_flow #(
    .ADDR_BITS     (A),
    .PC_ALIGN_BITS (PC_ALIGN_BITS),
    .PATH_ENTRIES  (PATH_ENTRIES),
    .TARGET_ENTRIES(TARGET_ENTRIES),
    .RETURN_ENTRIES(RETURN_ENTRIES),
    .HISTORY_ALL   (HISTORY_ALL)
  ) u_flow (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .moves_i           (moves),
    .clear_i           (clear_q[1]),
    .valid_i           (f_last_q),
    .pc_i              (f_pc_q),
    .fall_i            (f_fall_q),
    .next_i            (f_next_q),
    .cond_i            (f_cond_q),
    .cond_decided_i    (f_decided_q),
    .cond_holds_i      (f_holds_q),
    .leaves_i          (f_elsewhere_q),
    .is_jump_i         (f_jump_q),
    .is_class_unknown_i(f_is_unknown_q),
    .is_indirect_i     (f_indirect_q),
    .is_return_i       (f_return_q),
    .target_known_i    (f_known_q),
    .target_i          (f_to_q),
    .pushes_i          (f_pushes_q),
    .direction_o       (direction),
    .outcome_o         (outcome),
    .history_o         (history),
    .is_jump_o         (is_jump),
    .is_told_o         (is_told),
    .guess_o           (guess),
    .guess_miss_o      (guess_miss),
    .guess_context_o   (guess_context)
  );

  wire         stride_valid, hit, agree, other_hit, has_near;
  wire [4:0]   place;
  wire [2:0]   other_context;
  wire [1:0]   old_ref, ref_d;
  wire [A-1:0] diff;
  wire [S_BITS-1:0] stride_out = {diff, ref_d, old_ref, has_near, other_context, other_hit, place, agree, hit,
                                  1'b0};

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
    .clear_i            (clear_q[1]),
    .valid_i            (t_valid_q),
    .pc_i               (t_pc_q),
    .group_i            (t_group_q),
    .addr_i             (t_addr_q),
    .has_near_i         (t_has_near_q),
    .near_i             (t_near_q),
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

  wire [11:0] p;

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
    .clear_i  (clear_q[3]),
    .valid_i  (m_valid_q),
    .pc_i     (m_pc_q),
    .history_i(m_history_q),
    .outcome_i(m_outcome_q),
    .p_o      (p)
  );

  // ---- Items ----

  wire [TASK_BITS-1:0] e_task;
  wire         e_is_mark, e_is_start, e_last, e_partial, e_cond, e_cond_is_data, e_decided, e_flags, e_cond_miss;
  wire         e_access, e_first, e_first_miss, e_is_task, e_is_end, e_direction, e_outcome, e_is_jump, e_is_told;
  wire [1:0]   e_mark, e_old_ref, e_ref;
  wire [4:0]   e_n, e_context;
  wire [3:0]   e_first_context;
  wire [2:0]   e_size, e_guess, e_guess_miss, e_other_context;
  wire [11:0]  e_guess_context;
  wire [A-1:0] e_diff;
  wire         e_hit, e_agree, e_other_hit, e_has_near;
  wire [2:0]   unused_bits;

  assign {e_task, e_is_mark, e_mark, e_is_start, e_last, e_partial, e_n, e_cond, e_cond_is_data, e_decided, e_flags,
          e_cond_miss, e_access, e_first, e_first_context, e_first_miss, e_size, e_is_task, e_is_end,
          unused_bits[1:0]} = e_q[8*E_BITS +: E_BITS];
  assign {e_direction, e_outcome, e_guess, e_guess_miss, e_guess_context, e_is_jump, e_is_told} = g_q[6*G_BITS +: G_BITS];
  assign {e_diff, e_ref, e_old_ref, e_has_near, e_other_context, e_other_hit, e_context, e_agree, e_hit,
          unused_bits[2]} = s_q[3*S_BITS +: S_BITS];

  oct_shadow_emit #(
    .ADDR_BITS(A),
    .TASK_BITS(TASK_BITS)
  ) u_emit (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .ready_o        (moves),
    .clear_i        (clear_q[9]),
    .is_mark_i      (e_is_mark),
    .mark_i         (e_mark),
    .is_start_i     (e_is_start),
    .is_last_i      (e_last),
    .is_partial_i   (e_partial),
    .n_i            (e_n),
    .cond_i         (e_cond),
    .cond_is_data_i (e_cond_is_data),
    .cond_decided_i (e_decided),
    .cond_flags_i   (e_flags),
    .cond_miss_i    (e_cond_miss),
    .direction_i    (e_direction),
    .outcome_i      (e_outcome),
    .p_i            (p),
    .access_i       (e_access),
    .first_i        (e_first),
    .first_context_i(e_first_context),
    .first_miss_i   (e_first_miss),
    .size_log2_i    (e_size),
    .hit_i          (e_hit),
    .agree_i        (e_agree),
    .context_i      (e_context),
    .other_hit_i    (e_other_hit),
    .other_context_i(e_other_context),
    .has_near_i     (e_has_near),
    .old_ref_i      (e_old_ref),
    .ref_i          (e_ref),
    .diff_i         (e_diff),
    .guess_i        (e_guess),
    .guess_miss_i   (e_guess_miss),
    .guess_context_i(e_guess_context),
    .is_jump_i      (e_is_jump),
    .is_task_i      (e_is_task),
    .is_end_i       (e_is_end),
    .task_i         (e_task),
    .is_told_i      (e_is_told),
    .address_i      (v_q[5*(A+1) +: A+1]),
    .out_valid_o    (out_valid_o),
    .out_ready_i    (out_ready_i),
    .out_two_o      (out_two_o),
    .out_first_o    (out_first_o),
    .out_second_o   (out_second_o)
  );

  wire unused = &{1'b0, unused_bits, stride_valid, r_target, WORD_BITS[0]};

endmodule

`default_nettype wire
