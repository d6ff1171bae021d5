// SPDX-License-Identifier: Apache-2.0
// oct_shadow_front - the stages of `shadow` that know the program: decoder, value cache, shadow registers.
// docs/shadow-rtl.md, beats.
//
// Latency: 2 cycles from a beat to what execute finds about it, which is not registered here. One
// beat a cycle; nothing moves while moves_i is low. Back-pressure: ready_o is also low while a wide store
// frees words of the value cache. It does not depend on valid_i.
`default_nettype none

module oct_shadow_front #(
`include "oct_shadow_params.vh"
,
  parameter integer  // follow from those: none is set
`include "oct_shadow_widths.vh"
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 moves_i,
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
  // behind the last stage here, in the cycle of execute: oct_shadow_execute has their meanings
  output wire                 valid_o,        // a beat is in execute
  output wire                 is_empty_o,     // no beat is here
  output wire                      is_start_o,
  output wire                      is_mark_o,
  output wire                      clears_o,
  output wire                      syncs_o,
  output wire [1:0]                mark_o,
  output wire [3:0]                after_o,
  output wire [2:0]                class_o,
  output wire [7:0]                slot_o,
  output wire [ADDR_BITS-1:0]      pc_o,
  output wire [ADDR_BITS-1:0]      addr_o,
  output wire [ADDR_BITS-1:0]      next_o,
  output wire [N_BITS-1:0]         at_o,
  output wire [N_BITS-1:0]         n_o,
  output wire [ADDR_BITS-1:0]      access_pc_o,   // the address, and at_o
  output wire [TASK_BITS-1:0]      next_task_o,   // of the beat that execute gets with the next move
  output wire [ADDR_BITS-1:0]      base_o,
  output wire                      access_o,
  output wire                      partial_o,
  output wire                      first_o,
  output wire                      first_miss_o,
  output wire                      has_near_o,
  output wire [3:0]                first_context_o,
  output wire [ADDR_BITS-1:0]      near_o,
  output wire [ADDR_BITS-1:0]      fall_o,
  output wire                      falls_o,       // the next address is that
  output wire [ADDR_BITS-1:0]      to_o,
  output wire                      cond_o,
  output wire                      cond_is_data_o,
  output wire                      decided_o,
  output wire                      flags_o,
  output wire                      cond_miss_o,
  output wire                      holds_o,
  output wire                      last_o,
  output wire                      jump_o,
  output wire                      indirect_o,
  output wire                      to_known_o,
  output wire                      pushes_o
);

`include "oct_shadow_types.vh"
`include "oct_shadow_items.vh"

  localparam integer A = ADDR_BITS, N = N_BITS;
  localparam integer WORD_BITS = A > 32 ? 64 : 32;
  localparam [2:0]   FULL = A > 32 ? 3'd3 : 3'd2;
  localparam [1:0]   SYNC = 2'd0;

  wire cache_ready;

  // ---- Decoder ----

  reg          r_valid_q, r_word_known_q;
  reg  [1:0]   r_kind_q, r_mark_q;
  reg  [3:0]   r_after_q;
  reg  [A-1:0] r_pc_q, r_addr_q, r_next_q;
  reg  [N-1:0] r_n_q, r_at_q;
  reg  [TASK_BITS-1:0] r_task_q;
  wire [511:0] r_op;
  wire [2:0]   r_class, r_size_bytes;
  wire [A-1:0] r_target;
  wire [5:0]   r_n_slots;
  wire [7:0]   r_first_slot, r_next_slot;
  wire         r_is_conditional;
  wire         r_moves = moves_i && cache_ready;
  wire         takes = valid_i && ready_o;
  wire         is_step = kind_i == BEAT_STEP || kind_i == BEAT_STEP_SYNC;
  wire         decodes = takes && is_step && at_i == {N{1'b0}};

  assign ready_o = r_moves;

  generate
    if (ISA == 0) begin : gen_a32
      wire        unused, unused_ready;
      wire [31:0] target;  // addresses of A32 have 32 bits
      assign r_target[31:0] = target;
      if (A > 32) begin : gen_wide
        assign r_target[A-1:32] = {(A - 32){1'b0}};
      end
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
        .out_target_o        (target),
        .out_size_bytes_o    (r_size_bytes),
        .out_n_slots_o       (r_n_slots),
        .out_slot_o          (r_first_slot),
        .out_next_slot_o     (r_next_slot),
        .out_is_conditional_o(r_is_conditional)
      );
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

  wire         r_is_step = r_valid_q && (r_kind_q == BEAT_STEP || r_kind_q == BEAT_STEP_SYNC);
  // More accesses than its bytes say: then its operation counts as not known, its class as other, and its accesses
  // have no sizes.
  wire         r_is_first = r_at_q == {N{1'b0}};
  wire [N-1:0] r_slots = r_word_known_q ? {{(N - 6){1'b0}}, r_n_slots} : {N{1'b0}};
  wire         r_exceeds = r_n_q > r_slots;
  wire         r_has_slots = r_slots != {N{1'b0}};
  wire [7:0]   r_own_slot = r_is_first || (r_exceeds && r_slots[N-1:1] == {(N - 1){1'b0}}) ? r_first_slot : r_next_slot;
  wire         r_is_store = r_has_slots && r_own_slot[3];
  wire [2:0]   r_size = r_exceeds ? SLOT_SIZE_UNKNOWN[2:0] : r_own_slot[2:0];
  wire         r_has_data = r_has_slots || r_n_q != {N{1'b0}};
  wire         r_access = r_is_step && r_n_q != {N{1'b0}};
  wire         r_is_partial = r_n_q != r_slots && (r_n_q != {N{1'b0}} || !r_is_conditional);
  wire [511:0] r_op_known = r_word_known_q ? r_op : 512'd0;
  // The value cache is not asked for a register from access 16 on.
  wire         r_loads = r_op_known[OP_FLAGS] && !r_exceeds && r_at_q[N-1:4] == {(N - 4){1'b0}};
  wire         due_valid;
  wire [A-1:0] due_addr;
  wire [7:0]   r_index = r_op_known[OP_MEM0 + MEM_INDEX +: 8];
  wire         r_has_memory = r_op_known[OP_MEM0 + MEM_FORM + 7];
  wire         r_is_of_regs = r_op_known[OP_COND + 4 +: 3] == COND_REGS[6:4];
  // What is shifted is the second, also by a register.
  wire [7:0]   r_result = r_op_known[OP_RESULT +: 8];
  wire         r_shifts = r_result == RESULT_SHL || r_result == RESULT_SHR || r_result == RESULT_SAR;
  wire [7:0]   r_number_0 = r_has_memory ? r_op_known[OP_MEM0 + MEM_BASE +: 8] :
                            r_is_of_regs ? r_op_known[OP_COND_A +: 8] :
                            r_shifts ? r_op_known[OP_B +: 8] : r_op_known[OP_A +: 8];
  wire [7:0]   r_number_1 = r_has_memory && r_index != REG_ZERO ? r_index :
                            r_is_of_regs ? r_op_known[OP_COND_B +: 8] :
                            r_shifts ? r_op_known[OP_A +: 8] : r_op_known[OP_B +: 8];
  wire [A-1:0] r_fall = r_pc_q + {{(A - 3){1'b0}}, r_size_bytes};
  wire         r_falls;

  oct_shadow_adds_up #(.WIDTH(A)) u_falls (
    .a_i(r_pc_q), .b_i({{(A - 3){1'b0}}, r_size_bytes}), .sum_i(r_next_q), .is_o(r_falls)
  );

  wire         r_due = r_is_step && !r_has_data && r_is_first && due_valid;

  // The register of the access's word: of a list, the lowest that is left.
  reg  [31:0]  list_q;
  wire [31:0]  r_whole_list = r_op_known[OP_LIST +: 32];
  // RISC-V has no lists, A32 none with the program counter.
  localparam [31:0] LISTED = ISA == 0 ? 32'h7fff : 32'd0;
  wire [31:0]  r_list = (r_is_first ? r_whole_list : list_q) & LISTED;
  reg  [4:0]   r_list_first;
  always @* begin : p_list
    integer i;
    r_list_first = 5'd0;
    for (i = 31; i >= 0; i = i - 1) if (r_list[i]) r_list_first = i[4:0];
  end
  wire [7:0]   r_number_2 = r_whole_list != 32'd0 ? (r_list != 32'd0 ? {3'd0, r_list_first} : REG_NONE) :
                            r_is_first ? r_op_known[OP_DATA0 +: 8] :
                            r_at_q == {{(N - 1){1'b0}}, 1'b1} ? r_op_known[OP_DATA1 +: 8] : REG_NONE;

  always @(posedge clk_i) if (r_is_step && r_moves) list_q <= r_list & (r_list - 32'd1);

  // ---- Execute ----

  reg          x_valid_q, x_due_q;
  reg  [1:0]   x_kind_q, x_mark_q;
  reg  [3:0]   x_after_q;
  reg  [A-1:0] x_pc_q, x_addr_q, x_next_q, x_fall_q, access_pc_q, base_q;
  reg          x_falls_q, x_arrives_q, x_has_data_q, x_is_partial_q;
  reg  [N-1:0] x_n_q, x_at_q;
  // An operation has an immediate or an offset, and a shifted operand or a shifted index. One register has both: where
  // the other is 0, nothing reads it.
  reg  [511:0] x_op_d, x_op_q, x_op;
  reg  [5:0]   x_right_q;
  reg  [7:0]   x_number_0_q, x_number_1_q, x_number_2_q;
  reg  [2:0]   x_class_q;
  reg  [7:0]   x_slot_q;
  reg          x_is_conditional_q;
  wire         x_syncs = x_valid_q && x_kind_q == BEAT_STEP_SYNC;
  wire         x_is_step = (x_valid_q && x_kind_q == BEAT_STEP) || x_syncs;
  wire         x_is_start = x_valid_q && x_kind_q == BEAT_START;
  wire         x_is_mark = x_valid_q && x_kind_q == BEAT_MARK;
  // The first mark is a sync and clears, too: so registers and tables behind it need no reset.
  reg          has_begun_q;
  wire         x_clears = x_syncs || (x_is_mark && x_mark_q == SYNC && (SYNC_KEEPS == 0 || !has_begun_q));
  wire         x_forgets = (x_is_mark && x_mark_q[1]) || (x_is_start && x_after_q[1:0] == AFTER_TASK);

  always @* begin
    x_op_d = r_exceeds ? 512'd0 : r_op_known;
    x_op_d[OP_IMM +: 64] = x_op_d[OP_IMM +: 64] | x_op_d[OP_MEM0 + MEM_OFFSET +: 64];
    x_op_d[OP_B_FORM +: 8] = x_op_d[OP_B_FORM +: 8] | x_op_d[OP_MEM0 + MEM_SHIFT +: 8];
    x_op = x_op_q;
    x_op[OP_MEM0 + MEM_OFFSET +: 64] = x_op_q[OP_IMM +: 64];
    x_op[OP_MEM0 + MEM_SHIFT +: 8] = x_op_q[OP_B_FORM +: 8];
  end

  wire         x_is_left_d = x_op_d[OP_B_FORM + 6 +: 2] == SHIFT_LEFT[7:6];

  wire         loaded_known, store_known;
  wire [WORD_BITS-1:0] loaded, store;
  wire         x_access, x_partial, x_first, x_first_miss, x_has_near;
  wire [3:0]   x_first_context;
  wire [A-1:0] x_near, x_to;
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
    .moves_i    (moves_i),
    .clear_i    (moves_i && x_clears),
    .valid_i    ((r_access && (r_loads || r_is_store)) || r_due),
    .is_write_i (r_is_store || !r_has_data),
    .addr_i     (r_has_data ? r_addr_q : due_addr),
    .size_log2_i(r_has_data ? r_size : FULL),
    .is_known_i (store_known),
    .value_i    (store),
    .ready_o    (cache_ready),
    .known_o    (loaded_known),
    .value_o    (loaded)
  );

  oct_shadow_execute #(
    .ADDR_BITS  (A),
    .REGS       (REGS),
    .LEARN_EQUAL(LEARN_EQUAL),
    .N_BITS     (N)
  ) u_execute (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .moves_i         (moves_i),
    .clear_i         (x_clears),
    .forget_i        (x_forgets),
    .valid_i         (x_is_step),
    .op_i            (x_op),
    .shift_kind_i    (x_op_q[OP_B_FORM + 6 +: 2]),
    .shift_right_i   (x_right_q),
    .number_0_i      (x_number_0_q),
    .number_1_i      (x_number_1_q),
    .number_2_i      (x_number_2_q),
    .next_0_i        (r_number_0),
    .next_1_i        (r_number_1),
    .next_2_i        (r_number_2),
    .class_i         (x_class_q),
    .has_data_i      (x_has_data_q),
    .is_partial_i    (x_is_partial_q),
    .slot_i          (x_slot_q),
    .is_conditional_i(x_is_conditional_q),
    .pc_i            (x_pc_q),
    .fall_i          (x_fall_q),
    .falls_i         (x_falls_q),
    .arrives_i       (x_arrives_q),
    .n_i             (x_n_q),
    .at_i            (x_at_q),
    .addr_i          (x_addr_q),
    .after_i         (x_after_q[2:0]),
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
    .pushes_o        (x_pushes)
  );

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      x_valid_q   <= 1'b0;
      has_begun_q <= 1'b0;
    end else if (moves_i) begin
      x_valid_q <= r_valid_q && cache_ready;
      if (x_is_mark) has_begun_q <= 1'b1;
    end
  end

  always @(posedge clk_i) begin
    if (moves_i) begin
      x_kind_q           <= r_kind_q;
      x_after_q          <= r_after_q;
      x_mark_q           <= r_mark_q;
      x_pc_q             <= r_pc_q;
      x_addr_q           <= r_addr_q;
      x_next_q           <= r_next_q;
      x_n_q              <= r_n_q;
      x_at_q             <= r_at_q;
      access_pc_q        <= r_pc_q + {{(A - N){1'b0}}, r_at_q};
      x_op_q             <= x_op_d;
      x_right_q          <= x_is_left_d ? -x_op_d[OP_B_FORM +: 6] : x_op_d[OP_B_FORM +: 6];
      x_number_0_q       <= r_number_0;
      x_number_1_q       <= r_number_1;
      x_number_2_q       <= r_number_2;
      x_class_q          <= r_exceeds ? CLASS_OTHER : r_word_known_q ? r_class : CLASS_UNKNOWN;
      x_fall_q           <= r_fall;
      x_falls_q          <= r_falls;
      x_arrives_q        <= r_next_q == r_target;
      x_has_data_q       <= r_has_data;
      x_is_partial_q     <= r_is_partial;
      x_slot_q           <= {4'd0, r_is_store, r_size};
      x_is_conditional_q <= r_word_known_q && r_is_conditional;
      x_due_q            <= r_due;
      if (x_clears) base_q <= {A{1'b0}};
      else if (x_last && x_after_q[1:0] == AFTER_END) base_q <= x_pc_q;
    end
  end

  wire unused_slot = &{1'b0, r_own_slot};

  assign valid_o         = x_valid_q;
  assign is_empty_o      = !r_valid_q && !x_valid_q;
  assign is_start_o      = x_is_start;
  assign is_mark_o       = x_is_mark;
  assign clears_o        = x_clears;
  assign syncs_o         = x_syncs;
  assign mark_o          = x_mark_q;
  assign after_o         = x_after_q;
  assign class_o         = x_class_q;
  assign slot_o          = x_slot_q;
  assign pc_o            = x_pc_q;
  assign addr_o          = x_addr_q;
  assign next_o          = x_next_q;
  assign at_o            = x_at_q;
  assign n_o             = x_n_q;
  assign access_pc_o     = access_pc_q;
  assign next_task_o     = r_task_q;
  assign base_o          = base_q;
  assign access_o        = x_access;
  assign partial_o       = x_partial;
  assign first_o         = x_first;
  assign first_miss_o    = x_first_miss;
  assign has_near_o      = x_has_near;
  assign first_context_o = x_first_context;
  assign near_o          = x_near;
  assign fall_o          = x_fall_q;
  assign falls_o         = x_falls_q;
  assign to_o            = x_to;
  assign cond_o          = x_cond;
  assign cond_is_data_o  = x_cond_is_data;
  assign decided_o       = x_decided;
  assign flags_o         = x_flags;
  assign cond_miss_o     = x_cond_miss;
  assign holds_o         = x_holds;
  assign last_o          = x_last;
  assign jump_o          = x_jump;
  assign indirect_o      = x_indirect;
  assign to_known_o      = x_to_known;
  assign pushes_o        = x_pushes;

endmodule

`default_nettype wire
