// SPDX-License-Identifier: Apache-2.0
// oct_shadow_execute - shadow registers: what an instruction does to them, what its accesses and its
// successor teach, and what follows from them. docs/shadow-format.md, section 6;
// model/shadow/oct_shadow_execute.h, oct_shadow_exec.h, oct_shadow_step.h.
//
// One beat a cycle (docs/shadow-rtl.md), with its operation: all outputs follow from the inputs and the
// state within the cycle, and the state moves with moves_i. The value cache beside reads the word of
// the beat in the cycle before. It is told what a store writes in this one; or the word that
// is due, in the first beat of an instruction without data.
// An unknown register keeps its origin in the place of its value.
// The operations are those of A32 and RISC-V: one memory operand, registers or an immediate.
//
// ADDR_BITS    bits of an address and of a register: 32, or up to 64
// REGS         registers, 1 to 32
// LEARN_EQUAL  1: equality gives the value of an unknown register
// N_BITS       of a number of accesses
`default_nettype none

module oct_shadow_execute #(
  parameter integer ADDR_BITS   = 32,
  parameter integer REGS        = 16,
  parameter integer LEARN_EQUAL = 1,
  parameter integer N_BITS      = 6
) (
  input  wire                                  clk_i,
  input  wire                                  rst_ni,
  input  wire                                  moves_i,
  input  wire                                  clear_i,         // all state, behind this beat: a sync
  input  wire                                  forget_i,        // registers and conditions: an overflow
  input  wire                                  valid_i,         // a beat of an instruction
  input  wire [511:0]                          op_i,            // oct_shadow_types.vh
  input  wire [1:0]                            shift_kind_i,    // how its operand or index is shifted,
  input  wire [5:0]                            shift_right_i,   // and by how many bits to the right: oct_shadow_shift.v
  input  wire [7:0]                            number_0_i,      // registers that it reads: base, compared, or first operand;
  input  wire [7:0]                            number_1_i,      // index, compared, or second operand;
  input  wire [7:0]                            number_2_i,      // that of its word
  input  wire [7:0]                            next_0_i,        // the same of the beat behind
  input  wire [7:0]                            next_1_i,
  input  wire [7:0]                            next_2_i,
  input  wire [2:0]                            class_i,
  input  wire                                  has_data_i,
  input  wire                                  is_partial_i,    // another number of accesses than its bytes say
  input  wire [7:0]                            slot_i,          // of the access of this beat
  input  wire                                  is_conditional_i,
  input  wire [ADDR_BITS-1:0]                  pc_i,
  input  wire [ADDR_BITS-1:0]                  fall_i,          // address behind it
  input  wire                                  falls_i,         // it goes there
  input  wire                                  arrives_i,       // it goes to its own target
  input  wire [N_BITS-1:0]                     n_i,             // accesses made
  input  wire [N_BITS-1:0]                     at_i,
  input  wire [ADDR_BITS-1:0]                  addr_i,
  input  wire [2:0]                            after_i,         // oct_shadow_items.vh
  input  wire [ADDR_BITS-1:0]                  next_i,
  // the value cache
  input  wire                                  loaded_known_i,
  input  wire [(ADDR_BITS > 32 ? 64 : 32)-1:0] loaded_i,
  output wire                                  store_known_o,
  output wire [(ADDR_BITS > 32 ? 64 : 32)-1:0] store_o,
  input  wire                                  wrote_due_i,     // this beat had the cache for the word that is due
  output wire                                  due_valid_o,     // behind the beat that is here
  output wire [ADDR_BITS-1:0]                  due_addr_o,
  // accesses
  output wire                                  access_o,        // there is one
  output wire                                  is_partial_o,
  output wire                                  first_o,         // it has a claim, or is predicted from the one before
  output wire [3:0]                            first_context_o,
  output wire                                  first_miss_o,
  output wire                                  has_near_o,
  output wire [ADDR_BITS-1:0]                  near_o,
  // conditions and control
  output wire                                  cond_o,          // one is coded
  output wire                                  cond_is_data_o,  // it says whether there are accesses
  output wire                                  cond_decided_o,  // the shadow knows it
  output wire                                  cond_flags_o,    // it is of flags
  output wire                                  cond_miss_o,
  output wire                                  cond_holds_o,    // it does
  output wire                                  is_last_o,       // beat of the instruction
  output wire                                  is_jump_o,       // an escape, but for a class unknown
  output wire                                  is_indirect_o,   // its target is coded
  output wire                                  target_known_o,
  output wire [ADDR_BITS-1:0]                  target_o,
  output wire                                  pushes_o         // the return stack
);

  localparam integer WORD_BITS = ADDR_BITS > 32 ? 64 : 32;

`include "oct_shadow_types.vh"
`include "oct_shadow_items.vh"

  localparam integer A = ADDR_BITS, N = N_BITS;
  localparam integer W = WORD_BITS;
  localparam integer WORD_LOG2 = W == 64 ? 3 : 2;
  localparam [2:0]   FULL = WORD_LOG2[2:0];
  localparam [31:0]  REGS_32 = REGS;
  localparam [7:0]   N_REGS = REGS_32[7:0];

  // ---- State ----

  reg [6:0]      cond_known_q, cond_value_q;
  // of the instruction under way: its access before
  reg [A-1:0]    last_addr_q;
  reg [2:0]      last_size_q;

  // ---- The operation ----

  wire [7:0]  result = op_i[OP_RESULT +: 8], flags = op_i[OP_FLAGS +: 8], dest = op_i[OP_DEST +: 8];
  wire [7:0]  a = op_i[OP_A +: 8], b = op_i[OP_B +: 8], cond = op_i[OP_COND +: 8];
  wire [7:0]  width = op_i[OP_WIDTH +: 8], target_how = op_i[OP_TARGET +: 8], link_reg = op_i[OP_LINK +: 8];
  wire [3:0]  how_flags = op_i[OP_SET_FLAGS +: 4];
  wire [7:0]  base = op_i[OP_MEM0 + MEM_BASE +: 8], index = op_i[OP_MEM0 + MEM_INDEX +: 8];
  wire [7:0]  form = op_i[OP_MEM0 + MEM_FORM +: 8];
  wire [31:0] clobbers = op_i[OP_CLOBBERS +: 32];
  wire        is_known = flags[0];
  wire        has_memory = form[7];
  wire [1:0]  back = form[1:0];

  wire        is_first = at_i == {N{1'b0}};
  wire        has_accesses = n_i != {N{1'b0}};
  wire        is_last = !has_accesses || at_i + {{(N - 1){1'b0}}, 1'b1} == n_i;
  wire        has_data = has_data_i;
  wire        access = has_accesses;
  wire        is_store = slot_i[3];
  wire        loads = access && !is_store;
  wire [2:0]  size = slot_i[2:0];

  // ---- Registers read: base or the first operand, index or the second; data ----

  wire        is_of_regs = cond[6:4] == COND_REGS[6:4];
  wire [7:0]  number_0 = number_0_i, number_1 = number_1_i, data_reg = number_2_i;

  wire [A-1:0] read_0, read_1, read_2;
  wire         known_0, known_1, known_2, origin_0, origin_1;
  wire [1:0]   conf;

  // ---- The address, and what it teaches ----

  wire         is_claimed, is_of_index, learns_base, learns_index, back_known;
  wire [A-1:0] learnt_base, learnt_index, back_value, scaled;

  oct_shadow_address #(.ADDR_BITS(A)) u_address (
    .mem_i         (op_i[OP_MEM0 +: MEM_BITS]),
    .is_known_i    (is_known),
    .access_i      (access),
    .is_first_i    (is_first),
    .addr_i        (addr_i),
    .last_addr_i   (last_addr_q),
    .last_size_i   (last_size_q),
    .base_i        (read_0),
    .base_known_i  (known_0),
    .scaled_i      (scaled),
    .index_known_i (known_1),
    .conf_i        (conf),
    .is_claimed_o  (is_claimed),
    .first_o       (first_o),
    .context_o     (first_context_o),
    .miss_o        (first_miss_o),
    .has_near_o    (has_near_o),
    .near_o        (near_o),
    .is_of_index_o (is_of_index),
    .learns_base_o (learns_base),
    .learnt_base_o (learnt_base),
    .learns_index_o(learns_index),
    .learnt_index_o(learnt_index),
    .back_known_o  (back_known),
    .back_value_o  (back_value)
  );

  // ---- Conditions, and where it goes ----

  wire         is_always, claim_holds, is_cond;
  wire         is_control, is_jump, is_late, late_taken, data_done, is_indirect, pushes;
  wire [6:0]   cond_known_1, cond_value_1;

  oct_shadow_control #(.ADDR_BITS(A)) u_control (
    .op_i            (op_i),
    .class_i         (class_i),
    .is_conditional_i(is_conditional_i),
    .has_data_i      (has_data),
    .is_partial_i    (is_partial_i),
    .is_first_i      (is_first),
    .is_last_i       (is_last),
    .is_done_i       (has_accesses),
    .after_i         (after_i),
    .falls_i         (falls_i),
    .arrives_i       (arrives_i),
    .first_i         (read_0),
    .first_known_i   (known_0),
    .second_i        (read_1),
    .second_known_i  (known_1),
    .cond_known_i    (cond_known_q),
    .cond_value_i    (cond_value_q),
    .is_flags_o      (cond_flags_o),
    .is_always_o     (is_always),
    .claim_known_o   (cond_decided_o),
    .claim_holds_o   (claim_holds),
    .data_cond_o     (cond_is_data_o),
    .is_cond_o       (is_cond),
    .holds_o         (cond_holds_o),
    .miss_o          (cond_miss_o),
    .cond_known_o    (cond_known_1),
    .cond_value_o    (cond_value_1),
    .is_control_o    (is_control),
    .is_jump_o       (is_jump),
    .is_late_o       (is_late),
    .late_taken_o    (late_taken),
    .data_done_o     (data_done),
    .is_indirect_o   (is_indirect),
    .pushes_o        (pushes)
  );

  wire         is_branch = class_i == CLASS_COND_BRANCH, is_class_unknown = class_i == CLASS_UNKNOWN;

  // ---- Whether it is carried out ----

  wire         predicated = is_known && !is_always && result != RESULT_SELECT && !is_branch;
  // In the first beat (its only one, without data); the late ones in the last.
  wire         plain_no = predicated && cond_decided_o && !claim_holds;
  wire         plain_maybe = predicated && !cond_decided_o;
  wire         does_not = has_data ? !data_done : is_late ? is_control && !late_taken : plain_no;
  wire         is_sure = has_data || (is_late ? late_taken : !plain_maybe);
  wire         acts = valid_i && is_known && !does_not;
  wire         doubts = valid_i && !is_known && is_first &&
                        (class_i == CLASS_OTHER || is_class_unknown);
  wire         is_plain = !has_data && is_first;
  // Bases and clobbered registers: before words that are loaded, after those that are stored.
  reg          first_is_store_q;
  wire         first_is_store = is_first ? is_store : first_is_store_q;
  wire         is_time_of_bases = has_data ? !has_accesses || (first_is_store ? is_last : is_first) : is_plain;
  wire         writes_bases = acts && is_time_of_bases;

  // ---- Words loaded and stored ----

  wire [7:0]   load_reg;
  wire [A-1:0] loaded, load_value, load_addr, due_value, alu_value;
  wire [A-1:0] first_loaded;
  wire         loaded_known, first_loaded_known, loads_now, load_known, alu_known;
  // What the address has just taught is stored already. A base that it does not teach is what it would have taught.
  wire         is_address = access && is_first && has_memory;
  wire         stores_base = is_address && !is_of_index && data_reg == base && base < N_REGS;
  wire         stores_index = is_address && is_of_index && data_reg == index && index < N_REGS;
  wire [A-1:0] data = (learnt_base & {A{stores_base}}) | (learnt_index & {A{stores_index}}) |
                      ((has_data ? read_2 : due_value) & {A{!stores_base && !stores_index}});

  oct_shadow_words #(
    .ADDR_BITS(A),
    .N_BITS   (N)
  ) u_words (
    .clk_i               (clk_i),
    .moves_i             (moves_i),
    .valid_i             (valid_i),
    .op_i                (op_i),
    .has_data_i          (has_data),
    .is_load_i           (loads),
    .size_log2_i         (size),
    .n_i                 (n_i),
    .at_i                (at_i),
    .is_last_i           (is_last),
    .addr_i              (addr_i),
    .last_addr_i         (last_addr_q),
    .loaded_known_i      (loaded_known_i),
    .loaded_i            (loaded_i),
    .data_known_i        (known_2 || stores_base || (stores_index && learns_index)),
    .data_i              (data),
    .data_reg_i          (data_reg),
    .loaded_known_o      (loaded_known),
    .loaded_o            (loaded),
    .first_known_o       (first_loaded_known),
    .first_o             (first_loaded),
    .loads_o             (loads_now),
    .load_reg_o          (load_reg),
    .load_known_o        (load_known),
    .load_o              (load_value),
    .load_addr_o         (load_addr),
    .store_known_o       (store_known_o),
    .store_o             (store_o)
  );

  // ---- Arithmetic ----

  wire [6:0]   cond_known_alu, cond_value_alu;

  oct_shadow_alu #(.ADDR_BITS(A)) u_alu (
    .op_i        (op_i),
    .a_i         (read_0),
    .a_known_i   (known_0),
    .b_i         (read_1),
    .b_known_i   (known_1),
    .cond_known_i(cond_known_1),
    .cond_value_i(cond_value_1),
    .kind_i      (shift_kind_i),
    .by_i        (op_i[OP_B_FORM +: 6]),
    .right_i     (shift_right_i),
    .scaled_o    (scaled),
    .result_o    (alu_value),
    .known_o     (alu_known),
    .cond_known_o(cond_known_alu),
    .cond_value_o(cond_value_alu)
  );

  // ---- What control teaches ----

  wire         to_result = target_how[3:0] == TARGET_RESULT, to_loaded = target_how[3:0] == TARGET_LOADED;
  wire         is_its_slot = access && at_i == {{(N - 4){1'b0}}, target_how[7:4]};
  // The decoders load a target with the last access, or with the first of two: then it is in the beat before.
  wire         is_before = !is_first && target_how[7:4] == 4'd0;
  wire         has_loaded = to_loaded && (is_its_slot || is_before);
  wire         target_loaded_known = is_its_slot ? loaded_known : first_loaded_known;
  wire [A-1:0] target_loaded = is_its_slot ? loaded : first_loaded;
  wire         is_even = flags[5];
  assign target_known_o = acts && (to_result ? alu_known : has_loaded && target_loaded_known);
  wire [A-1:0] target_raw = to_result ? alu_value : target_loaded;
  assign target_o = {target_raw[A-1:1], target_raw[0] && !is_even};
  wire         has_word = acts && has_loaded;
  wire         moves_reg = is_known && to_result && result == RESULT_ADD && b == REG_ZERO &&
                           op_i[OP_IMM +: 64] == 64'd0 && a < 8'd32;
  // Only a target that is a register, or was loaded, teaches: so this does not wait for the result. Each has a comparator
  // of its own: what a register learns need not wait for the value cache.
  wire         reg_right = known_0 && {read_0[A-1:1], read_0[0] && !is_even} == next_i;
  wire         now_right = loaded_known && {loaded[A-1:1], loaded[0] && !is_even} == next_i;
  wire         first_right = first_loaded_known && {first_loaded[A-1:1], first_loaded[0] && !is_even} == next_i;
  wire         learns_target = valid_i && is_indirect;
  // With one of two registers known, the condition is not.
  wire         equal_shown = LEARN_EQUAL != 0 && valid_i && is_cond && is_known && is_of_regs &&
                             (cond[2:0] == CMP_EQ ? cond_holds_o : cond[2:0] == CMP_NE && !cond_holds_o);
  wire         learns_a = equal_shown && known_1 && !known_0 && number_0 < 8'd32;
  wire         learns_b = equal_shown && known_0 && !known_1 && number_1 < 8'd32;

  // ---- Three writes: a base; an index, or what control teaches; a result ----

  // Whether the instruction acts, and what control teaches, is late. So where and what is written does not wait for it:
  // the operation and the beat say what it would be.
  wire         has_back = has_memory && back != MEM_BACK_NONE[1:0] && base < N_REGS;
  wire         writes_back = writes_bases && has_back;
  wire [A-1:0] p_value = has_back && is_time_of_bases ? back_value : learnt_base;
  wire         learns_move = learns_target && moves_reg && !(acts && reg_right);
  wire         learns_last = learns_move || learns_a || learns_b;
  wire         s_on = (valid_i && learns_index) || learns_last;
  wire [7:0]   s_reg = has_memory ? index : moves_reg ? a : known_0 ? number_1 : number_0;
  wire [A-1:0] last_value = moves_reg ? next_i : known_0 ? read_0 : read_1;  // with learns_last
  wire [A-1:0] s_value = has_memory ? learnt_index : last_value;
  wire         writes_load = acts && loads_now;
  wire         has_link = link_reg < 8'd32;
  wire         writes_link = acts && has_link && is_plain;
  wire         writes_dest = acts && result != RESULT_NONE && dest < 8'd32 && is_plain;
  wire         q_on = writes_load || writes_link || writes_dest;
  wire [7:0]   q_reg = has_data ? load_reg : has_link ? link_reg : dest;
  wire         q_known = has_data ? load_known : (has_link || alu_known) && is_sure;
  wire         q_origin = has_data && !load_known && size == FULL && !form[2];  // MEM_SAME
  wire [A-1:0] q_value = has_data ? (load_known ? load_value : load_addr) : has_link ? fall_i : alu_value;

  // ---- The word that is learnt ----

  // A register that the instruction itself has just written has no origin any more.
  wire         s_kept = !(q_on && q_reg == s_reg) && !(writes_back && base == s_reg) &&
                        !(acts && is_plain && s_reg < 8'd32 && clobbers[s_reg[4:0]]);
  wire         s_origin = moves_reg || !known_0 ? origin_0 : origin_1;
  wire         learns_origin = (valid_i && learns_base && origin_0) || (valid_i && learns_index && origin_1) ||
                               (learns_last && s_origin && s_kept);
  // Whether a word that is loaded now is right, is told last.
  wire         is_word = learns_target && !moves_reg && has_word && class_i != CLASS_RETURN;
  wire         is_first_word = is_word && !is_its_slot && !first_right;
  wire [A-1:0] learnt_addr = is_first_word ? last_addr_q : learns_last ? (moves_reg || !known_0 ? read_0 : read_1) :
                             learns_base ? read_0 : read_1;
  wire [A-1:0] learnt_value = is_first_word ? next_i : learns_last ? last_value :
                              learns_base ? learnt_base : learnt_index;

  oct_shadow_learnt #(.ADDR_BITS(A)) u_learnt (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .moves_i    (moves_i),
    .clear_i    (clear_i),
    .valid_i    (valid_i),
    .is_first_i (is_first),
    .learns_i   (learns_origin || is_first_word),
    .addr_i     (learnt_addr),
    .value_i    (learnt_value),
    .is_target_i(is_word && is_its_slot),
    .right_i    (now_right),
    .last_addr_i(last_addr_q),
    .pc_i       (pc_i),
    .wrote_due_i(wrote_due_i),
    .stores_i   (access && is_store),
    .stored_i   (addr_i[WORD_LOG2 +: 12]),
    .due_valid_o(due_valid_o),
    .due_addr_o (due_addr_o),
    .due_value_o(due_value)
  );

  // ---- Registers ----

  wire forgets = forget_i || (valid_i && is_last && after_i[1:0] == AFTER_TASK);

  oct_shadow_regs #(.ADDR_BITS(A), .REGS(REGS)) u_regs (
    .clk_i(clk_i), .moves_i(moves_i), .clear_i(clear_i),
    .forget_i    (forgets),
    .doubt_i     (doubts),
    .stores_i    (valid_i && access && is_store),
    .word_i      (addr_i[WORD_LOG2 +: 12]),
    .next_0_i(next_0_i), .next_1_i(next_1_i), .next_2_i(next_2_i),
    .number_0_i(number_0), .number_1_i(number_1), .number_2_i(data_reg),
    .value_0_o(read_0), .value_1_o(read_1), .value_2_o(read_2),
    .known_o     ({known_2, known_1, known_0}),
    .has_origin_o({origin_1, origin_0}),
    .base_i      (base),
    .conf_o      (conf),
    .claims_i    (valid_i && is_claimed),
    .miss_i      (first_miss_o),
    .clobbers_i  (writes_bases ? clobbers : 32'd0),
    .learns_i    (valid_i && learns_base),
    .back_i      (writes_back),
    .p_known_i   (back_known && is_sure),
    .p_value_i   (p_value),
    .s_on_i(s_on), .s_last_i(learns_last), .s_reg_i(s_reg), .s_value_i(s_value),
    .q_on_i(q_on), .q_reg_i(q_reg), .q_known_i(q_known), .q_origin_i(q_origin), .q_value_i(q_value)
  );

  wire sets_flags = acts && how_flags != FLAGS_KEEP && is_plain;

  always @(posedge clk_i) begin
    if (moves_i) begin
      if (clear_i || forgets || doubts || (sets_flags && !is_sure)) cond_known_q <= 7'd0;
      else if (sets_flags) cond_known_q <= cond_known_alu;
      else if (valid_i) cond_known_q <= cond_known_1;
    end
  end

  always @(posedge clk_i) begin
    if (moves_i && valid_i) begin
      cond_value_q <= sets_flags ? cond_value_alu : cond_value_1;
      last_addr_q     <= addr_i;
      last_size_q     <= size;
      first_is_store_q <= first_is_store;
    end
  end

  // ---- Outputs ----
  assign access_o        = valid_i && access;
  assign is_partial_o    = valid_i && is_first && is_partial_i;
  assign cond_o          = valid_i && is_cond;
  assign is_last_o       = valid_i && is_last;
  assign is_jump_o       = valid_i && is_jump;
  assign is_indirect_o   = valid_i && is_indirect;
  assign pushes_o        = valid_i && pushes;

  // Of vectors only some fields are used.
  wire unused = &{1'b0, op_i, slot_i, flags, cond, width, form};

endmodule

`default_nettype wire
