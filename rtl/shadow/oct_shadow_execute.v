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
// LEARN_EQUAL  1: equality shows what an unknown register is
`default_nettype none

module oct_shadow_execute #(
  parameter  integer ADDR_BITS   = 32,
  parameter  integer REGS        = 16,
  parameter  integer LEARN_EQUAL = 1,
  localparam integer WORD_BITS   = ADDR_BITS > 32 ? 64 : 32
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 moves_i,
  input  wire                 clear_i,          // all state: a sync, in place of a beat
  input  wire                 forget_i,         // registers and conditions: an overflow
  input  wire                 valid_i,          // a beat of an instruction
  input  wire [511:0]         op_i,             // oct_shadow_types.vh
  input  wire [2:0]           class_i,
  input  wire [ADDR_BITS-1:0] target_i,
  input  wire [2:0]           size_bytes_i,
  input  wire [4:0]           n_slots_i,
  input  wire [7:0]           slot_i,           // of the access of this beat
  input  wire                 is_conditional_i,
  input  wire [ADDR_BITS-1:0] pc_i,
  input  wire [4:0]           n_i,              // accesses made
  input  wire [3:0]           at_i,
  input  wire [ADDR_BITS-1:0] addr_i,
  input  wire [1:0]           after_i,          // oct_shadow_items.vh
  input  wire [ADDR_BITS-1:0] next_i,
  // the value cache
  input  wire                 loaded_known_i,
  input  wire [WORD_BITS-1:0] loaded_i,
  output wire                 store_known_o,
  output wire [WORD_BITS-1:0] store_o,
  input  wire                 wrote_due_i,      // this beat had the cache for the word that is due
  output wire                 due_valid_o,      // behind the beat that is here
  output wire [ADDR_BITS-1:0] due_addr_o,
  // accesses
  output wire                 access_o,         // there is one
  output wire                 is_partial_o,
  output wire                 first_o,          // it has a claim, or is predicted from the one before
  output wire [3:0]           first_context_o,
  output wire                 first_miss_o,
  output wire                 has_near_o,
  output wire [ADDR_BITS-1:0] near_o,
  // conditions and control
  output wire                 cond_o,           // one is coded
  output wire                 cond_is_data_o,   // it says whether there are accesses
  output wire                 cond_decided_o,   // the shadow knows it
  output wire                 cond_flags_o,     // it is of flags
  output wire                 cond_miss_o,
  output wire                 cond_holds_o,     // it does
  output wire                 is_last_o,        // beat of the instruction
  output wire                 is_jump_o,        // an escape, but for a class unknown
  output wire                 is_indirect_o,    // its target is coded
  output wire                 target_known_o,
  output wire [ADDR_BITS-1:0] target_o,
  output wire                 pushes_o,         // the return stack
  output wire [ADDR_BITS-1:0] fall_o
);

`include "oct_shadow_types.vh"
`include "oct_shadow_items.vh"

  localparam integer A = ADDR_BITS;
  localparam integer W = WORD_BITS;
  localparam [2:0]   FULL = W == 64 ? 3'd3 : 3'd2;
  localparam integer REGS_32 = REGS;
  localparam [7:0]   N_REGS = REGS_32[7:0];

  // ---- State ----

  reg [A*REGS-1:0] value_q;
  reg [REGS-1:0] known_q, has_origin_q;
  reg [2*REGS+1:0] conf_q;  // the last one is of ZERO
  reg [6:0]      cond_known_q, cond_value_q;
  reg            learnt_valid_q, due_valid_q;
  reg [A-1:0]    learnt_addr_q, learnt_value_q, due_addr_q, due_value_q;
  // of the instruction under way: the address of its access before, the words that it loaded
  reg [A-1:0]    last_addr_q, loaded_addr_q;
  reg [2:0]      last_size_q;
  reg [31:0]     list_q;
  reg            loaded_known_q, target_known_q, has_word_q;
  reg [A-1:0]    loaded_q, target_q, word_q;

  // ---- The operation ----

  wire [7:0]  result = op_i[OP_RESULT +: 8], flags = op_i[OP_FLAGS +: 8], dest = op_i[OP_DEST +: 8];
  wire [7:0]  a = op_i[OP_A +: 8], b = op_i[OP_B +: 8], cond = op_i[OP_COND +: 8];
  wire [7:0]  width = op_i[OP_WIDTH +: 8], target_how = op_i[OP_TARGET +: 8], link_reg = op_i[OP_LINK +: 8];
  wire [3:0]  how_flags = op_i[OP_SET_FLAGS +: 4];
  wire [7:0]  base = op_i[OP_MEM0 + MEM_BASE +: 8], index = op_i[OP_MEM0 + MEM_INDEX +: 8];
  wire [7:0]  form = op_i[OP_MEM0 + MEM_FORM +: 8], shift = op_i[OP_MEM0 + MEM_SHIFT +: 8];
  wire [A-1:0] offset = op_i[OP_MEM0 + MEM_OFFSET +: A];
  wire [31:0] step_32 = op_i[OP_MEM0 + MEM_STEP +: 32];
  wire [63:0] step_64 = {{32{step_32[31]}}, step_32};
  wire [A-1:0] imm = op_i[OP_IMM +: A];
  wire [31:0] clobbers = op_i[OP_CLOBBERS +: 32];
  wire [31:0] whole_list = op_i[OP_LIST +: 32];
  wire        is_known = flags[0];
  wire        has_memory = form[7];
  wire [1:0]  back = form[1:0];

  wire        is_first = at_i == 4'd0;
  wire        is_last = n_i == 5'd0 || {1'b0, at_i} + 5'd1 >= n_i;
  wire        has_data = n_slots_i != 5'd0;
  wire        access = has_data && n_i != 5'd0;
  wire        is_store = slot_i[3];
  wire        loads = access && !is_store;
  wire [2:0]  size = slot_i[2:0];
  wire        is_partial = has_data && n_i != n_slots_i && (n_i != 5'd0 || !is_conditional_i);
  wire        is_late = is_conditional_i && !has_data && class_i > CLASS_COND_BRANCH;

  // ---- Registers read: base or the first operand, index or the second, what is stored ----

  wire [31:0] list = is_first ? whole_list : list_q;
  reg  [4:0]  list_first;
  always @* begin : p_list
    integer i;
    list_first = 5'd0;
    for (i = 31; i >= 0; i = i - 1) if (list[i]) list_first = i[4:0];
  end
  wire [7:0]  data_reg = whole_list != 32'd0 ? (list != 32'd0 ? {3'd0, list_first} : REG_NONE) :
                         at_i == 4'd0 ? op_i[OP_DATA0 +: 8] : at_i == 4'd1 ? op_i[OP_DATA1 +: 8] : REG_NONE;
  wire        is_of_regs = cond[6:4] == COND_REGS[6:4];
  wire [7:0]  number_0 = has_memory ? base : is_of_regs ? op_i[OP_COND_A +: 8] : a;
  wire [7:0]  number_1 = has_memory && index != REG_ZERO ? index : is_of_regs ? op_i[OP_COND_B +: 8] : b;

  reg  [A-1:0] read_0, read_1, read_2;
  reg          known_0, known_1, known_2, origin_0, origin_1;

  always @* begin : p_read
    integer i;
    {read_0, read_1, read_2} = {3 * A{1'b0}};
    known_0  = number_0 == REG_ZERO;
    known_1  = number_1 == REG_ZERO;
    known_2  = 1'b0;
    origin_0 = 1'b0;
    origin_1 = 1'b0;
    for (i = 0; i < REGS; i = i + 1) begin
      if (number_0 == i[7:0]) begin
        read_0   = value_q[A*i +: A];
        known_0  = known_q[i];
        origin_0 = has_origin_q[i];
      end
      if (number_1 == i[7:0]) begin
        read_1   = value_q[A*i +: A];
        known_1  = known_q[i];
        origin_1 = has_origin_q[i];
      end
      if (data_reg == i[7:0]) begin
        read_2  = value_q[A*i +: A];
        known_2 = known_q[i];
      end
    end
  end

  // ---- The address, and what it teaches ----

  wire         has_index = index != REG_ZERO && back != MEM_BACK_INDEX[1:0];
  wire [4:0]   places = shift[4:0];
  wire [63:0]  index_64 = {{(64 - A){1'b0}}, read_1};
  wire [31:0]  index_32 = read_1[31:0];
  wire [5:0]   amount = shift[5:0];
  reg  [63:0]  scaled_64;
  wire [63:0]  doubled = {index_32, index_32} >> places;
  always @* begin
    // Registers of 32 bits have all shifts, those of 64 none but to the left.
    scaled_64 = index_64;
    if (amount != 6'd0)
      case (shift[7:6])
        2'd0: scaled_64 = index_64 << amount;
        2'd1: scaled_64 = W == 32 ? {32'd0, index_32 >> places} : index_64 >> amount;
        2'd2: scaled_64 = {32'd0, $unsigned($signed(index_32) >>> places)};
        default: scaled_64 = {32'd0, doubled[31:0]};
      endcase
  end
  wire [A-1:0] scaled = form[3] ? {A{1'b0}} - scaled_64[A-1:0] : scaled_64[A-1:0];
  wire         is_claimed = access && is_first && has_memory && known_0 && (!has_index || known_1);
  wire         claimable = has_memory && known_0 && (!has_index || known_1);
  wire [A-1:0] with_offset = read_0 + offset;
  wire [A-1:0] claim = with_offset + (has_index ? scaled : {A{1'b0}});
  wire [A-1:0] size_bytes = last_size_q == 3'd7 ? {{(A - 3){1'b0}}, 3'd4} : {{(A - 1){1'b0}}, 1'b1} << last_size_q;
  wire         is_same = is_known && form[2];
  wire [A-1:0] following = last_addr_q + (is_same ? {A{1'b0}} : size_bytes);
  wire         is_later = access && !is_first;
  wire         miss = addr_i != (is_first ? claim : following);
  wire         is_fixed = base == REG_ZERO && index == REG_ZERO;
  wire         is_unknown = access && is_first && (!is_claimed || miss);

  wire [A-1:0] rest = addr_i - offset;
  wire [A-1:0] learnt_base = has_index ? rest - scaled : rest;
  wire         learns_base = is_unknown && has_memory && base < 8'd32 && (!has_index || known_1);
  wire [A-1:0] distance = rest - read_0;
  wire [A-1:0] index_up = form[3] ? {A{1'b0}} - distance : distance;
  wire [A-1:0] low_bits = ~({A{1'b1}} << amount);
  wire         learns_index = is_unknown && has_memory && has_index && !known_1 && known_0 && index < 8'd32 &&
                              shift[7:6] == 2'd0 && (index_up & low_bits) == {A{1'b0}};
  wire [A-1:0] learnt_index = $unsigned($signed(index_up) >>> amount);

  // ---- Conditions ----

  wire [2:0]   which = cond[3:1];
  wire         cond_bit_known = cond_known_q[which], cond_bit = cond_value_q[which];
  wire         is_flags = cond[6:4] == COND_FLAGS[6:4], is_always = cond[6:4] == COND_ALWAYS[6:4];
  wire         is_equal = read_0 == read_1;
  wire         below = read_0 < read_1;
  wire         is_less = read_0[A-1] == read_1[A-1] ? below : read_0[A-1];
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
                                          (is_of_regs && known_0 && known_1));
  wire         claim_holds = is_always || (is_flags ? cond_bit ^ cond[0] : regs_hold);

  // ---- Where it goes ----

  wire [A-1:0] fall = pc_i + {{(A - 3){1'b0}}, size_bytes_i};
  wire         falls = next_i == fall, arrives = next_i == target_i;
  wire         is_direct = class_i == CLASS_DIRECT_JUMP || class_i == CLASS_DIRECT_CALL;
  wire         is_branch = class_i == CLASS_COND_BRANCH;
  wire         is_class_unknown = class_i == CLASS_UNKNOWN;
  wire         has_control = is_branch || class_i >= CLASS_INDIRECT_JUMP || (is_direct && is_conditional_i);
  wire         data_done = !(n_i == 5'd0 && is_conditional_i && has_data);
  wire         can_follow = is_branch ? arrives || falls :
                            !data_done ? falls : (is_late && falls) || !is_direct || arrives;
  wire         goes_on = is_last && after_i == AFTER_NEXT;
  wire         is_control = goes_on && has_control && can_follow;
  wire         lies_ahead = is_direct ? arrives : falls;
  wire         is_jump = goes_on && !is_class_unknown && !(has_control ? can_follow : lies_ahead);
  wire         late_taken = is_control && is_late && !falls;
  wire         data_cond = is_first && has_data && !is_partial && is_conditional_i;
  wire         control_cond = is_control && (is_branch || is_late);
  wire         holds = data_cond ? n_i != 5'd0 : is_branch ? arrives : !falls;
  wire         is_cond = data_cond || control_cond;
  wire         cond_miss = holds != claim_holds;
  // What it was made of is known now, unless it was known before.
  wire         reveals = is_cond && is_known && (!claim_known || cond_miss);
  wire         is_done = is_late ? late_taken : data_done;
  wire         is_indirect = is_control && class_i >= CLASS_INDIRECT_JUMP && is_done;
  wire         pushes = is_last && (class_i == CLASS_DIRECT_CALL ? (is_late ? late_taken : !is_control || data_done) :
                                    is_indirect && class_i == CLASS_INDIRECT_CALL);

  // ---- Whether it is carried out ----

  wire         predicated = is_known && !is_always && result != RESULT_SELECT && !is_branch;
  // In the first beat (its only one, without data); the late ones in the last.
  wire         plain_no = predicated && claim_known && !claim_holds;
  wire         plain_maybe = predicated && !claim_known;
  wire         does_not = has_data ? !data_done : is_late ? is_control && !late_taken : plain_no;
  wire         is_sure = has_data || (is_late ? late_taken : !plain_maybe);
  wire         acts = valid_i && is_known && !does_not;
  wire         doubts = valid_i && !is_known && is_first &&
                        (class_i == CLASS_OTHER || is_class_unknown);
  wire         is_plain = !has_data && is_first;
  // Bases and clobbered registers: before words that are loaded, after those that are stored.
  reg          first_is_store_q;
  wire         first_is_store = is_first ? is_store : first_is_store_q;
  wire         writes_bases = acts && (has_data ? (n_i == 5'd0 || (first_is_store ? is_last : is_first)) : is_plain);

  // ---- Loaded words ----

  wire [63:0]  raw = {{(64 - W){1'b0}}, loaded_i};
  reg  [63:0]  extended;
  wire         is_signed = width[3];
  always @* begin
    case (size)
      3'd0: extended = {{56{is_signed && raw[7]}}, raw[7:0]};
      3'd1: extended = {{48{is_signed && raw[15]}}, raw[15:0]};
      3'd2: extended = {{32{is_signed && raw[31]}}, raw[31:0]};
      default: extended = raw;
    endcase
  end
  wire [A-1:0] loaded = extended[A-1:0];
  wire         loaded_known = loads && loaded_known_i;
  wire [A-1:0] first_loaded = is_first ? loaded : loaded_q;
  wire         first_loaded_known = is_first ? loaded_known : loaded_known_q;

  // ---- Arithmetic ----

  wire [A-1:0] link = fall | {{(A - 1){1'b0}}, flags[4]};
  wire [A-1:0] alu_a = a == REG_LOADED ? first_loaded : a == REG_LINK ? link : read_0;
  wire         alu_a_known = a == REG_LOADED ? first_loaded_known : a == REG_LINK || known_0;
  wire [6:0]   revealed = 7'd1 << which;
  wire [6:0]   cond_known_1 = cond_known_q | (reveals && is_flags ? revealed : 7'd0);
  wire [6:0]   cond_value_1 = reveals && is_flags ?
                              (cond_value_q & ~revealed) | (holds ^ cond[0] ? revealed : 7'd0) : cond_value_q;
  wire [A-1:0] alu_value;
  wire         alu_known;
  wire [6:0]   cond_known_alu, cond_value_alu;

  oct_shadow_alu #(
    .ADDR_BITS(A)
  ) u_alu (
    .op_i        (op_i),
    .a_i         (alu_a),
    .a_known_i   (alu_a_known),
    .b_i         (read_1),
    .b_known_i   (known_1),
    .cond_known_i(cond_known_1),
    .cond_value_i(cond_value_1),
    .result_o    (alu_value),
    .known_o     (alu_known),
    .cond_known_o(cond_known_alu),
    .cond_value_o(cond_value_alu)
  );

  // ---- Bases written back ----

  wire         base_known = known_0 || learns_base;
  wire [A-1:0] base_now = learns_base ? learnt_base : read_0;
  wire         index_known = known_1 || learns_index;
  reg  [A-1:0] back_value;
  reg          back_known;
  always @* begin
    case (back)
      MEM_BACK_ADDRESS[1:0]: begin
        back_value = access && is_first ? addr_i : claim;
        back_known = access && is_first ? base_known && (!has_index || index_known) : claimable;
      end
      MEM_BACK_STEP[1:0]: begin
        back_value = base_now + step_64[A-1:0];
        back_known = base_known;
      end
      default: begin
        back_value = base_now + scaled;
        back_known = base_known && known_1;
      end
    endcase
  end

  // ---- What control teaches ----

  wire         to_result = target_how[3:0] == TARGET_RESULT, to_loaded = target_how[3:0] == TARGET_LOADED;
  wire         is_its_slot = access && at_i == target_how[7:4];
  wire         target_known = acts && (to_result ? alu_known :
                              to_loaded && (is_its_slot ? loaded_known : !is_first && target_known_q));
  wire [A-1:0] target_raw = to_result ? alu_value : is_its_slot ? loaded : target_q;
  wire [A-1:0] target = {target_raw[A-1:1], target_raw[0] && !flags[5]};
  wire         has_word = acts && to_loaded && (is_its_slot || (!is_first && has_word_q));
  wire [A-1:0] word = is_its_slot ? addr_i : word_q;
  wire         target_right = target_known && target == next_i;
  wire         moves_reg = is_known && to_result && result == RESULT_ADD && b == REG_ZERO &&
                           op_i[OP_IMM +: 64] == 64'd0 && a < 8'd32;
  wire         learns_target = valid_i && is_indirect && !target_right;
  wire         equal_shown = LEARN_EQUAL != 0 && valid_i && reveals && is_of_regs &&
                             (cond[2:0] == CMP_EQ ? holds : cond[2:0] == CMP_NE && !holds);
  wire         learns_a = equal_shown && known_1 && !known_0 && number_0 < 8'd32;
  wire         learns_b = equal_shown && known_0 && !known_1 && number_1 < 8'd32;

  // ---- Three writes: a base; an index, or what control teaches; a result ----

  wire         writes_back = writes_bases && has_memory && back != MEM_BACK_NONE[1:0] && base < N_REGS;
  wire         p_on = (valid_i && learns_base) || writes_back;
  wire         p_known = writes_back ? back_known && is_sure && index != base : 1'b1;
  wire [A-1:0] p_value = writes_back ? back_value : learnt_base;
  wire         learns_move = learns_target && moves_reg;
  wire         learns_last = learns_move || learns_a || learns_b;
  wire         s_on = (valid_i && learns_index) || learns_last;
  wire [7:0]   s_reg = learns_move ? a : learns_a ? number_0 : learns_b ? number_1 : index;
  wire [A-1:0] s_value = learns_move ? next_i : learns_a ? read_1 : learns_b ? read_0 : learnt_index;
  // Load and store (a swap): the word is written behind the store.
  wire         swaps = form[2] && n_i == 5'd2;
  wire         loads_now = swaps ? is_last : loads;
  wire [7:0]   load_reg = swaps ? op_i[OP_DATA0 +: 8] : data_reg;
  wire         load_known = swaps ? loaded_known_q : loaded_known;
  wire [A-1:0] load_value = swaps ? loaded_q : loaded;
  wire [A-1:0] load_addr = swaps ? loaded_addr_q : addr_i;
  wire         writes_load = acts && loads_now;
  wire         writes_link = acts && link_reg < 8'd32 && (has_data ? 1'b0 : is_first);
  wire         writes_dest = acts && result != RESULT_NONE && dest < 8'd32 && is_plain;
  wire         q_on = writes_load || writes_link || writes_dest;
  wire [7:0]   q_reg = writes_load ? load_reg : writes_link ? link_reg : dest;
  wire         q_known = writes_load ? load_known : writes_link ? is_sure : alu_known && is_sure;
  wire         q_origin = writes_load && !load_known && size == FULL;
  wire [A-1:0] q_value = writes_load ? (load_known ? load_value : load_addr) : writes_link ? link : alu_value;

  // ---- The word that is learnt ----

  // A register that the instruction itself has just written has no origin any more.
  wire         s_kept = !(q_on && q_reg == s_reg) && !(writes_back && base == s_reg) &&
                        !(acts && is_plain && s_reg < 8'd32 && clobbers[s_reg[4:0]]);
  wire         s_origin = learns_move || learns_a ? origin_0 : origin_1;
  wire         learns_origin = (valid_i && learns_base && origin_0) || (valid_i && learns_index && origin_1) ||
                               (learns_last && s_origin && s_kept);
  wire         learns_word = learns_target && !moves_reg && has_word && class_i != CLASS_RETURN;
  wire [A-1:0] learnt_addr = learns_word ? word : learns_last ? (learns_b ? read_1 : read_0) :
                             learns_base ? read_0 : read_1;
  wire [A-1:0] learnt_value = learns_word ? next_i : learns_last ? s_value :
                              learns_base ? learnt_base : learnt_index;
  wire         begins = valid_i && is_first;
  wire         due_valid = begins ? learnt_valid_q || (due_valid_q && !wrote_due_i) : due_valid_q;

  assign due_valid_o = due_valid;
  assign due_addr_o  = begins && learnt_valid_q ? learnt_addr_q : due_addr_q;

  // ---- Registers ----

  wire forgets = forget_i || (valid_i && is_last && after_i == AFTER_TASK);

  genvar g;
  generate
    for (g = 0; g < REGS; g = g + 1) begin : gen_reg
      localparam [31:0] NUMBER = g;
      wire p_here = p_on && base == NUMBER[7:0];
      wire q_here = q_on && q_reg == NUMBER[7:0];
      wire clobbered = writes_bases && clobbers[g];
      wire s_here = s_on && s_reg == NUMBER[7:0] && (learns_last || (!q_here && !clobbered));

      always @(posedge clk_i) begin
        if (moves_i) begin
          if (s_here) value_q[A*g +: A] <= s_value;
          else if (q_here) value_q[A*g +: A] <= q_value;
          else if (p_here) value_q[A*g +: A] <= p_value;
        end
      end

      always @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          known_q[g]      <= 1'b0;
          has_origin_q[g] <= 1'b0;
        end else if (moves_i) begin
          if (clear_i || forgets) begin
            known_q[g]      <= 1'b0;
            has_origin_q[g] <= 1'b0;
          end else if (s_here) begin
            known_q[g]      <= 1'b1;
            has_origin_q[g] <= 1'b0;
          end else if (q_here) begin
            known_q[g]      <= q_known;
            has_origin_q[g] <= q_origin;
          end else if (writes_back && base == NUMBER[7:0]) begin
            known_q[g]      <= p_known;
            has_origin_q[g] <= 1'b0;
          end else if (clobbered) begin
            known_q[g]      <= 1'b0;
            has_origin_q[g] <= 1'b0;
          end else if (p_here) begin
            known_q[g]      <= 1'b1;
            has_origin_q[g] <= 1'b0;
          end else if (doubts) begin
            has_origin_q[g] <= 1'b0;
          end
        end
      end
    end

    for (g = 0; g <= REGS; g = g + 1) begin : gen_conf
      localparam [31:0] NUMBER = g;
      wire here = valid_i && is_claimed && base == (g == REGS ? REG_ZERO : NUMBER[7:0]);

      always @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) conf_q[2*g +: 2] <= 2'd0;
        else if (moves_i) begin
          if (clear_i || (doubts && g != REGS)) conf_q[2*g +: 2] <= 2'd0;
          else if (here) conf_q[2*g +: 2] <= miss ? 2'd0 : conf_q[2*g +: 2] == 2'd3 ? 2'd3 : conf_q[2*g +: 2] + 2'd1;
        end
      end
    end
  endgenerate

  reg [1:0] conf;
  always @* begin : p_conf
    integer i;
    conf = conf_q[2*REGS +: 2];
    for (i = 0; i < REGS; i = i + 1) if (base == i[7:0]) conf = conf_q[2*i +: 2];
  end

  wire sets_flags = acts && how_flags != FLAGS_KEEP && is_plain;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cond_known_q   <= 7'd0;
      learnt_valid_q <= 1'b0;
      due_valid_q    <= 1'b0;
    end else if (moves_i) begin
      if (clear_i || forgets || doubts || (sets_flags && !is_sure)) cond_known_q <= 7'd0;
      else if (sets_flags) cond_known_q <= cond_known_alu;
      else if (valid_i) cond_known_q <= cond_known_1;
      if (clear_i) begin
        learnt_valid_q <= 1'b0;
        due_valid_q    <= 1'b0;
      end else if (valid_i) begin
        due_valid_q    <= due_valid;
        learnt_valid_q <= learns_origin || learns_word || (learnt_valid_q && !is_first);
      end
    end
  end

  always @(posedge clk_i) begin
    if (moves_i && valid_i) begin
      cond_value_q <= sets_flags ? cond_value_alu : cond_value_1;
      if (learns_origin || learns_word) begin
        learnt_addr_q  <= learnt_addr;
        learnt_value_q <= learnt_value;
      end
      if (begins && learnt_valid_q) begin
        due_addr_q  <= learnt_addr_q;
        due_value_q <= learnt_value_q;
      end
      last_addr_q     <= addr_i;
      last_size_q     <= size;
      first_is_store_q <= first_is_store;
      list_q          <= list & (list - 32'd1);
      if (is_first) begin
        loaded_known_q <= loaded_known;
        loaded_q       <= loaded;
        loaded_addr_q  <= addr_i;
      end
      target_known_q <= target_known;
      target_q       <= target;
      has_word_q     <= has_word;
      word_q         <= word;
    end
  end

  // ---- What is stored ----

  // What the address has just taught is stored already.
  wire         stores_base = learns_base && data_reg == base && base < N_REGS;
  wire         stores_index = learns_index && data_reg == index && index < N_REGS;
  wire [A-1:0] stored = data_reg == REG_ZERO ? imm : data_reg == REG_RESULT ? alu_value :
                        data_reg == REG_LOADED ? first_loaded : data_reg == REG_LINK ? link :
                        stores_base ? learnt_base : stores_index ? learnt_index : read_2;
  wire         stored_known = data_reg == REG_ZERO || data_reg == REG_LINK || stores_base || stores_index ||
                              (data_reg == REG_RESULT ? alu_known && result != RESULT_NONE :
                               data_reg == REG_LOADED ? first_loaded_known : known_2);
  wire [63:0]  imm_64 = op_i[OP_IMM +: 64];
  wire [63:0]  stored_64 = data_reg == REG_ZERO ? imm_64 : {{(64 - A){1'b0}}, stored};

  assign store_known_o = has_data ? is_known && stored_known : 1'b1;
  assign store_o       = has_data ? stored_64[W-1:0] : due_word[W-1:0];
  wire [63:0]  due_word = {{(64 - A){1'b0}}, due_value_q};

  // ---- Outputs ----

  assign access_o        = valid_i && access;
  assign is_partial_o    = valid_i && is_first && is_partial;
  assign first_o         = is_claimed || is_later;
  assign first_context_o = is_later ? {3'b100, is_known} :
                           {1'b0, is_fixed ? 3'd7 : {index != REG_ZERO, conf}};
  assign first_miss_o    = miss;
  assign has_near_o      = is_later || (has_memory && known_0);
  assign near_o          = is_later ? following : is_claimed ? claim : with_offset;
  assign cond_o          = valid_i && is_cond;
  assign cond_is_data_o  = data_cond;
  assign cond_decided_o  = claim_known;
  assign cond_flags_o    = is_flags;
  assign cond_miss_o     = cond_miss;
  assign cond_holds_o    = holds;
  assign is_last_o       = valid_i && is_last;
  assign is_jump_o       = valid_i && is_jump;
  assign is_indirect_o   = valid_i && is_indirect;
  assign target_known_o  = target_known;
  assign target_o        = target;
  assign pushes_o        = valid_i && pushes;
  assign fall_o          = fall;

  // Of vectors only some fields are used, of wide ones only what an address has.
  wire unused = &{1'b0, op_i, slot_i, flags, cond, width, form, step_64, scaled_64, doubled, extended, stored_64,
                  due_word, raw};

endmodule

`default_nettype wire
