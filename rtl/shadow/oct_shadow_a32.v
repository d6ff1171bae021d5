// SPDX-License-Identifier: Apache-2.0
// oct_shadow_a32 - the effect and the map entry of an ARM instruction (A32), as
// traces/isa/oct_isa_arm.c and oct_shadow_arm.c have them.
//
// Latency: 1 cycle. What the word alone tells goes through a register; the program counter, which is
// the instruction's address and 8, is added behind it. Back-pressure: valid/ready, output stable
// while stalled, one instruction a cycle. Immediate, offset and target are never in one instruction,
// so they share a register. Addresses have 32 bits and are multiples of 4.
`default_nettype none

module oct_shadow_a32 (
  input  wire         clk_i,
  input  wire         rst_ni,
  input  wire         valid_i,
  input  wire [31:0]  word_i,
  input  wire [31:0]  addr_i,
  output wire         ready_o,
  output wire         out_valid_o,
  input  wire         out_ready_i,
  output wire [511:0] out_op_o,         // oct_shadow_types.vh
  output wire [2:0]   out_class_o,
  output wire [31:0]  out_target_o,     // 0 when the class has none
  output wire [2:0]   out_size_bytes_o,
  output wire [5:0]   out_n_slots_o,
  output wire [7:0]   out_slot_o,       // of access 0
  output wire [7:0]   out_next_slot_o,  // of the others
  output wire         out_is_conditional_o
);

`include "oct_shadow_types.vh"

  localparam [3:0] SP = 4'd13, LR = 4'd14, PC = 4'd15, FP = 4'd11;
  localparam [3:0] EOR = 4'd1, SUB = 4'd2, RSB = 4'd3, ADD = 4'd4, ADC = 4'd5, RSC = 4'd7, TEQ = 4'd9,
      CMP = 4'd10, CMN = 4'd11, ORR = 4'd12, MOV = 4'd13, BIC = 4'd14, MVN = 4'd15;
  localparam [3:0] ALWAYS = 4'd14, NO_COND = 4'd15;

  wire [31:0] w = word_i;
  wire [3:0]  cond = w[31:28], opcode = w[24:21];
  wire [3:0]  rn = w[19:16], rd = w[15:12], rs = w[11:8], rm = w[3:0];
  wire [7:0]  rn_8 = {4'd0, rn}, rd_8 = {4'd0, rd}, rm_8 = {4'd0, rm};
  wire        is_before = w[24], is_up = w[23], is_back = w[21], is_load = w[20];

  // ---- Kinds of instructions ----

  wire is_free = cond == NO_COND;  // the space without a condition
  wire [7:0] space = is_free ? 8'd0 : 8'd1 << w[27:25];
  wire is_extra = space[0] && w[7] && w[4];
  wire is_tests = w[24:23] == 2'd2;  // tst teq cmp cmn, or without S
  wire is_misc = space[0] && !is_extra && is_tests && !w[20];
  wire is_by_register = space[0] && !is_extra && !is_misc && w[4];
  wire is_misc_imm = space[1] && is_tests && !w[20];
  wire is_imm = space[1] && !is_misc_imm;
  wire is_reg = space[0] && !is_extra && !is_misc && !w[4];
  wire is_single = space[2] || (space[3] && !w[4]);
  wire is_media = space[3] && w[4];
  wire is_block = space[4], is_branch = space[5];
  wire is_coprocessor = space[7] || (is_free && w[27:24] == 4'd14);
  wire is_coprocessor_transfer = space[6] || (is_free && w[27:25] == 3'd6);
  wire is_multiply = is_extra && w[6:5] == 2'd0;  // multiplies, swp, exclusive loads and stores
  wire is_half = is_extra && !is_multiply;
  wire is_pair = is_half && !is_load && w[6];
  wire is_bx = is_misc && w[22:21] == 2'd1 && !w[7] && !w[6] && w[5:4] != 2'd0;
  wire is_float_unit = w[11:9] == 3'd5;
  wire is_between = !is_before && !is_up && !is_back;  // registers, no memory
  wire is_float = space[6] && !is_between && is_float_unit;
  wire is_swap = is_multiply && is_before && !is_up;
  wire is_exclusive = is_multiply && is_before && is_up;
  wire is_try = is_exclusive && !is_load && w[9];  // an exclusive store, no stl
  wire is_two_words = is_exclusive && is_load && w[22:21] == 2'd1;
  wire is_blx = is_free && w[27:25] == 3'd5;
  wire is_vector = is_free && w[27:24] == 4'd4 && !w[20];
  wire is_exception = is_free && (w[27:25] == 3'd4 || w[27:20] == 8'h10);

  // ---- The operand of data processing and of transfers: register, form and value ----

  wire       is_shifted = is_reg || (is_single && w[25]);
  wire [1:0] kind = w[6:5];
  wire [4:0] amount = w[11:7];
  wire       is_by_32 = kind != 2'd0 && amount == 5'd0;  // or rotated through carry
  wire       is_gone = is_by_32 && kind != 2'd2;
  wire [7:0] shift = is_gone ? 8'd0 : is_by_32 ? SHIFT_SIGNED | 8'd31 : {kind, 1'b0, amount};
  wire       has_pc = is_shifted && rm == PC && !is_gone;  // its value is the program counter
  // The program counter is 0: this is no index. (It is 8 ahead.)
  wire       is_pc_0 = addr_i[31:3] == 29'h1fffffff && !addr_i[2];
  wire [7:0] b_form = is_reg ? shift : is_misc_imm && w[22:21] == 2'd2 ? 8'd16 : 8'd0;
  reg  [7:0] operand;
  always @* begin
    operand = REG_ZERO;
    if (is_shifted) begin
      operand = rm_8;
      if (is_gone) operand = kind == 2'd1 ? REG_ZERO : REG_NONE;
      else if (rm == PC)
        operand = shift != 8'd0 || (is_single && !is_pc_0) ? REG_NONE : REG_ZERO;
    end
    if (is_half && !w[22]) operand = rm == PC ? REG_NONE : rm_8;
  end

  wire [31:0] byte_32 = {24'd0, w[7:0]};
  wire [4:0]  rotation = {w[11:8], 1'b0};
  wire [63:0] rotated = {byte_32, byte_32} >> rotation;
  wire        is_constant = operand == REG_ZERO;

  // ---- Arithmetic ----

  wire is_dp = is_reg || is_imm;
  wire is_carry = opcode >= ADC && opcode <= RSC;
  wire is_alu = is_dp && !is_carry;
  wire is_pc_add = is_alu && opcode == ADD && rn == PC;
  wire is_pc_sub = is_alu && opcode == SUB && rn == PC && is_constant;
  wire is_arithmetic = (opcode >= SUB && opcode <= RSC) || opcode == CMP || opcode == CMN;
  wire is_extend = is_media && w[9:4] == 6'd7 && rn == PC && w[11:10] == 2'd0 &&
                   w[27:23] == 5'b01101 && w[21];
  wire is_shift = is_by_register && opcode == MOV && kind != 2'd3 && rm != PC;
  wire is_move_wide = is_misc_imm && !w[21];
  wire is_jump = is_bx && rm != PC;
  wire is_unknown = (is_dp && is_carry) || (is_by_register && !is_shift);
  // The value that is compared with 0 below: an immediate, or the program counter.
  wire is_value_0 = is_imm ? w[7:0] == 8'd0 : !has_pc || is_pc_0;
  wire inverts = is_alu && is_constant && (opcode == BIC || opcode == MVN);
  wire negates = is_alu && opcode == SUB && is_constant && rn != PC && !w[20];

  // Where oct_shadow_simplify has one name for several, it is that.
  reg [7:0] result;
  always @* begin
    result = RESULT_NONE;
    if (is_alu)
      case (opcode)
        EOR, TEQ: result = is_constant && is_value_0 ? RESULT_ADD : RESULT_XOR;
        ORR: result = is_constant && is_value_0 ? RESULT_ADD : RESULT_OR;
        SUB, CMP: result = is_pc_sub || negates ? RESULT_ADD : RESULT_SUB;
        RSB: result = RESULT_RSB;
        ADD, CMN, MOV: result = RESULT_ADD;
        BIC: result = inverts ? RESULT_AND : RESULT_BIC;
        MVN: result = inverts ? RESULT_ADD : RESULT_ORN;
        default: result = RESULT_AND;
      endcase
    if (is_shift) result = kind == 2'd0 ? RESULT_SHL : kind == 2'd1 ? RESULT_SHR : RESULT_SAR;
    if (is_move_wide) result = w[22] ? RESULT_INSERT : RESULT_ADD;
    if (is_extend || is_jump) result = RESULT_ADD;
  end

  reg [7:0] a, b, dest;
  always @* begin
    a    = REG_NONE;
    b    = REG_NONE;
    dest = REG_NONE;
    if (is_alu) begin
      a = opcode == MOV || opcode == MVN || is_pc_add || is_pc_sub ? REG_ZERO :
          rn == PC ? REG_NONE : rn_8;
      b = operand;
      if (!is_tests && rd != PC) dest = rd_8;
    end
    if (is_shift) begin
      a    = rm_8;
      b    = {4'd0, rs};
      dest = rd_8;
    end
    if (is_move_wide || is_extend) begin
      a    = is_move_wide && w[22] ? rd_8 : REG_ZERO;
      b    = is_extend ? rm_8 : REG_ZERO;
      dest = rd_8;
    end
    if (is_jump) begin
      a = rm_8;
      b = REG_ZERO;
    end
  end

  wire [7:0] b_extend = is_shift ? EXTEND_U8 :
      !is_extend ? EXTEND_NONE :
      w[22] ? (w[20] ? EXTEND_U16 : EXTEND_U8) : (w[20] ? EXTEND_S16 : EXTEND_S8);

  wire is_exception_return = is_alu && w[20] && !is_tests && rd == PC;
  reg  [3:0] set_flags;
  always @* begin
    set_flags = FLAGS_KEEP;
    if (is_alu && w[20])
      set_flags = is_exception_return ? FLAGS_UNKNOWN : is_arithmetic ? FLAGS_ALU :
                  (is_imm ? rotation == 5'd0 : kind == 2'd0 && amount == 5'd0) ? FLAGS_NZ : FLAGS_NZ_C;
    if (is_shift && w[20]) set_flags = FLAGS_NZ_C;
    if ((is_unknown || (is_multiply && !is_before)) && w[20]) set_flags = FLAGS_UNKNOWN;
    if (is_misc && !is_bx && w[7:4] == 4'd0 && w[21]) set_flags = FLAGS_UNKNOWN;  // msr
    if (is_misc_imm && w[21] && rn != 4'd0) set_flags = FLAGS_UNKNOWN;
    if (is_coprocessor && !w[24] && w[4] && is_load && rd == PC) set_flags = FLAGS_UNKNOWN;
  end

  // ---- Memory ----

  wire is_transfer = is_single || is_half;
  wire is_lost = is_transfer && operand == REG_NONE;  // its address is not followed
  wire is_index = operand != REG_ZERO;
  wire is_step = is_transfer && !is_before && !is_index && !is_lost;
  wire is_pc_base = rn == PC && ((is_transfer && !is_lost) || is_float);
  wire has_memory = is_transfer || is_swap || is_exclusive || is_block || is_float || is_vector;
  reg  [4:0] count;  // of the list
  always @* begin : p_count
    integer i;
    count = 5'd0;
    for (i = 0; i < 16; i = i + 1) count = count + {4'd0, w[i]};
  end
  wire [12:0] offset_12 = is_half ? (w[22] ? {5'd0, w[11:8], w[3:0]} : 13'd0) :
                          is_single ? (w[25] ? 13'd0 : {1'b0, w[11:0]}) : {3'd0, w[7:0], 2'd0};
  wire [12:0] moved = is_up ? offset_12 : 13'd0 - offset_12;
  wire [12:0] list_bytes = {6'd0, count, 2'd0};
  wire [12:0] step = is_block ? (is_up ? list_bytes : 13'd0 - list_bytes) :
                     is_step || (is_float && is_back && rn != PC) ? moved : 13'd0;
  // From the base to the lowest word of the list.
  wire [12:0] lowest = (is_up ? 13'd0 : 13'd0 - list_bytes) + (is_up == is_before ? 13'd4 : 13'd0);
  reg  [7:0]  form;
  always @* begin
    form = 8'd0;
    if (has_memory && !is_lost && !(is_block && rn == PC)) begin
      form = MEM_VALID;
      if (is_swap || is_try) form = form | MEM_SAME;
      if (is_transfer && is_index && !is_up) form = form | MEM_MINUS;
      if (rn != PC) begin
        if (is_transfer && is_before && is_back) form = form | MEM_BACK_ADDRESS;
        if (is_transfer && !is_before) form = form | (is_index ? MEM_BACK_INDEX : MEM_BACK_STEP);
        if ((is_block || is_float) && is_back) form = form | MEM_BACK_STEP;
      end
    end
  end

  wire       loads = is_half ? (is_pair ? !w[5] : is_load) : is_load;
  wire [3:0] rd_next = rd + 4'd1;
  reg  [7:0] data0, data1;
  always @* begin
    data0 = REG_NONE;
    data1 = REG_NONE;
    if (is_transfer && rd != PC) data0 = rd_8;
    if (is_pair && rd_next != PC) data1 = {4'd0, rd_next};
    if (is_swap) begin
      data0 = rd_8;
      data1 = rm_8;
    end
    if (is_exclusive && !is_try) begin
      data0 = is_load ? rd_8 : rm_8;
      if (is_two_words) data1 = {4'd0, rd_next};
    end
  end

  // ---- Targets, registers that get some value, the rest ----

  wire is_loaded_pc = is_transfer && loads && rd == PC;
  wire is_loaded_next = is_pair && loads && rd_next == PC;
  wire is_loaded_list = is_block && is_load && w[15];
  wire is_to_unknown = (is_unknown && rd == PC && !(is_by_register && is_tests)) || (is_bx && rm == PC) ||
                       (is_exception && w[27:25] == 3'd4 && w[20]);
  wire [3:0] last = count[3:0] - 4'd1;
  wire [7:0] target = is_loaded_list ? {last, TARGET_LOADED} :
      is_loaded_pc ? {4'd0, TARGET_LOADED} : is_loaded_next ? {4'd1, TARGET_LOADED} :
      is_to_unknown ? {4'd0, TARGET_UNKNOWN} :
      is_jump || (is_alu && !is_tests && rd == PC) ? {4'd0, TARGET_RESULT} : {4'd0, TARGET_NONE};
  wire [7:0] code = w[27:20];
  wire clobbers_rn = (is_misc && w[7]) || (is_multiply && !is_before) ||
                     (is_lost && (!is_before || is_back)) ||
                     (is_media && !is_extend && code >= 8'h70 && code < 8'h7a) ||
                     (is_coprocessor_transfer && (is_between ? w[22] && is_load : !is_float_unit && is_back)) ||
                     (is_vector && rm != PC) || (is_exception && w[21]);
  wire clobbers_rd = (is_unknown && !(is_by_register && is_tests)) ||
                     (is_misc && (w[7] ? w[22:21] == 2'd2 :
                                  !is_bx && !(w[7:4] == 4'd0 && w[21]) && w[7:4] != 4'd7)) ||
                     (is_multiply && (is_before ? is_try : w[23] || w[22:20] == 3'd4)) ||
                     (is_media && !is_extend && !(code == 8'h7f && w[7:4] == 4'hf)) ||  // all but udf
                     (is_coprocessor_transfer && is_between && w[22] && is_load) ||
                     (is_coprocessor && !w[24] && w[4] && is_load && rd != PC);
  wire is_call = is_coprocessor && w[24];  // swi
  wire is_banked = is_block && w[22] && is_load;
  wire is_system = is_exception_return || (is_misc && !is_bx && w[7:4] == 4'd7) || is_banked || is_call ||
                   is_exception;
  wire is_even = is_bx || is_loaded_pc || is_loaded_next || is_loaded_list;
  wire [15:0] clobbers = (({15'd0, clobbers_rn} << rn) | ({15'd0, clobbers_rd} << rd) |
                          {15'd0, is_call} | ({15'd0, is_two_words} << rd_next) | (w[15:0] & {16{is_banked}})) &
                         {is_free, 15'h7fff};
  wire is_link = (is_branch && w[24]) || is_blx || (is_bx && w[5:4] == 2'd3);
  wire is_signed = is_half && is_load && w[6];

  // ---- The map entry ----

  wire is_swap_slot = is_swap && w[21:20] == 2'd0;
  wire is_float_size = w[11:8] == 4'd10 || w[11:8] == 4'd11;
  wire is_float_slot = space[6] && is_float_size && (is_before || is_up);
  wire [7:0] words = w[8] ? {1'b0, w[7:1]} : w[7:0];
  wire [2:0] size_log2 = is_single || is_swap ? (w[22] ? 3'd0 : 3'd2) :
      is_half ? (is_pair ? 3'd2 : is_load && w[6:5] == 2'd2 ? 3'd0 : 3'd1) :
      is_float_slot && w[8] ? 3'd3 : 3'd2;
  wire       is_slot_store = !is_swap && (is_half ? !loads : !is_load);
  wire [7:0] slot = {3'd0, rn == PC && !is_swap, is_slot_store, size_log2};
  reg  [5:0] n_slots;
  reg  [2:0] class_d;
  always @* begin
    n_slots = 6'd0;
    if (is_single || is_half || is_swap_slot) n_slots = is_pair || is_swap_slot ? 6'd2 : 6'd1;
    if (is_block) n_slots = {1'b0, count};
    if (is_float_slot)
      n_slots = is_before && !is_back ? 6'd1 : words > 8'd32 ? 6'd32 : words[5:0];
    class_d = CLASS_OTHER;
    if (is_bx)
      class_d = w[5:4] == 2'd3 ? CLASS_INDIRECT_CALL : rm == LR ? CLASS_RETURN : CLASS_INDIRECT_JUMP;
    if ((is_dp || is_by_register) && !is_tests && rd == PC)
      class_d = !w[25] && opcode == MOV && w[11:0] == {8'd0, LR} ? CLASS_RETURN : CLASS_INDIRECT_JUMP;
    if (is_single && is_load && rd == PC)
      class_d = w[27:0] == 28'h49df004 ? CLASS_RETURN : CLASS_INDIRECT_JUMP;
    if (is_loaded_list)
      class_d = rn == SP || (rn == FP && w[13]) ? CLASS_RETURN : CLASS_INDIRECT_JUMP;
    if (is_branch)
      class_d = w[24] ? CLASS_DIRECT_CALL : cond == ALWAYS ? CLASS_DIRECT_JUMP : CLASS_COND_BRANCH;
    if (is_blx) class_d = CLASS_DIRECT_CALL;
  end
  wire acts = n_slots != 6'd0 || (class_d != CLASS_OTHER && class_d != CLASS_COND_BRANCH);

  // ---- The value, and what is done to it behind the register ----

  wire is_imm_value = is_alu || is_move_wide;
  wire is_pc_value = has_pc && (is_alu || is_single);
  reg  [31:0] value;
  always @* begin
    value = {{19{moved[12]}}, moved};
    if (is_reg || is_swap || is_exclusive || is_vector || is_step || (is_float && !is_before && rn != PC))
      value = 32'd0;
    if (is_imm) value = rotated[31:0];
    if (is_move_wide) value = {16'd0, rn, w[11:0]};
    if (is_block) value = {{19{lowest[12]}}, lowest};
    if (is_branch || is_blx) value = {{6{w[23]}}, w[23:0], is_blx && w[24], 1'b0};
  end

  // ---- The register ----

  reg                 valid_q;
  reg  [OP_BITS-1:0]  op_d, op_q;  // but for what follows
  reg  [31:0]         value_q, pc_q;
  reg                 is_imm_q, is_target_q, is_offset_q;
  reg                 is_pc_value_q;   // the value is the program counter,
  reg                 adds_pc_q;       // to which it is added again
  reg                 inverts_q, negates_q;
  reg                 has_ones_q;      // above a constant's 32 bits
  reg                 is_unsigned_q;   // the same of an offset
  reg  [2:0]          class_q;
  reg  [5:0]          n_slots_q;
  reg  [7:0]          slot_q;
  reg                 is_swap_slot_q, is_conditional_q;

  assign ready_o     = !valid_q || out_ready_i;
  assign out_valid_o = valid_q;

  always @* begin
    op_d = {OP_BITS{1'b0}};
    op_d[OP_MEM0 + MEM_STEP +: 32] = {{19{step[12]}}, step};
    op_d[OP_MEM0 + MEM_BASE +: 8]  = !has_memory ? REG_NONE : is_pc_base ? REG_ZERO : rn_8;
    op_d[OP_MEM0 + MEM_INDEX +: 8] = !has_memory ? REG_NONE :
                                     is_transfer && !is_lost ? operand : REG_ZERO;
    op_d[OP_MEM0 + MEM_SHIFT +: 8] = is_single && w[25] && !is_lost ? shift : 8'd0;
    op_d[OP_MEM0 + MEM_FORM +: 8]  = form;
    op_d[OP_MEM1 + MEM_BASE +: 8]  = REG_NONE;
    op_d[OP_MEM1 + MEM_INDEX +: 8] = REG_NONE;
    op_d[OP_LIST +: 32]            = is_block && !w[22] ? {17'd0, w[14:0]} : 32'd0;
    op_d[OP_CLOBBERS +: 32]        = {16'd0, clobbers};
    op_d[OP_FLAGS +: 8]            = EFFECT_KNOWN | (is_even ? EFFECT_EVEN_TARGET : 8'd0) |
                                     (is_system ? EFFECT_SYSTEM : 8'd0);
    op_d[OP_RESULT +: 8]           = result;
    op_d[OP_DEST +: 8]             = dest;
    op_d[OP_A +: 8]                = a;
    op_d[OP_B +: 8]                = b;
    op_d[OP_B_FORM +: 8]           = is_alu || is_misc_imm ? b_form : 8'd0;
    op_d[OP_B_EXTEND +: 8]         = b_extend;
    op_d[OP_WIDTH +: 8]            = 8'd2 | (is_signed ? EFFECT_LOAD_SIGNED : 8'd0);
    op_d[OP_SET_FLAGS +: 8]        = {4'd15, set_flags};
    op_d[OP_COND +: 8]             = cond < ALWAYS ? COND_FLAGS | {4'd0, cond} : COND_ALWAYS;
    op_d[OP_COND_A +: 8]           = REG_NONE;
    op_d[OP_COND_B +: 8]           = REG_NONE;
    op_d[OP_DATA0 +: 8]            = data0;
    op_d[OP_DATA1 +: 8]            = data1;
    op_d[OP_TARGET +: 8]           = target;
    op_d[OP_LINK +: 8]             = is_link ? {4'd0, LR} : REG_NONE;
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (ready_o) valid_q <= valid_i;
  end

  always @(posedge clk_i) begin
    if (valid_i && ready_o) begin
      op_q             <= op_d;
      value_q          <= value;
      pc_q             <= addr_i + 32'd8;
      is_imm_q         <= is_imm_value;
      is_target_q      <= is_branch || is_blx;
      is_offset_q      <= has_memory;
      is_pc_value_q    <= is_pc_value;
      adds_pc_q        <= is_pc_add || is_pc_sub || is_pc_base || is_branch || is_blx;
      inverts_q        <= inverts;
      negates_q        <= negates || is_pc_sub || (is_single && is_pc_value && !is_up);
      has_ones_q       <= inverts || (negates && !is_value_0);
      is_unsigned_q    <= is_pc_base;
      class_q          <= class_d;
      n_slots_q        <= n_slots;
      slot_q           <= slot;
      is_swap_slot_q   <= is_swap_slot;
      is_conditional_q <= acts && cond < ALWAYS;
    end
  end

  // ---- Behind it: addresses ----

  wire [31:0] part = (is_pc_value_q ? pc_q : value_q) ^ {32{inverts_q || negates_q}};
  wire [31:0] sum = (adds_pc_q ? pc_q : 32'd0) + part + {31'd0, negates_q};
  reg  [OP_BITS-1:0] op;

  always @* begin
    op = op_q;
    op[OP_IMM +: 64] = is_imm_q ? {{32{has_ones_q}}, sum} : 64'd0;
    op[OP_MEM0 + MEM_OFFSET +: 64] = is_offset_q ? {{32{sum[31] && !is_unsigned_q}}, sum} : 64'd0;
  end

  assign out_op_o             = op;
  assign out_class_o          = class_q;
  assign out_target_o         = is_target_q ? sum : 32'd0;
  assign out_size_bytes_o     = 3'd4;
  assign out_n_slots_o        = n_slots_q;
  assign out_slot_o           = n_slots_q != 6'd0 ? slot_q : 8'd0;
  assign out_next_slot_o      = n_slots_q <= 6'd1 ? 8'd0 : is_swap_slot_q ? slot_q | SLOT_STORE : slot_q;
  assign out_is_conditional_o = is_conditional_q;

  wire unused = &{1'b0, rotated[63:32]};

endmodule

`default_nettype wire
