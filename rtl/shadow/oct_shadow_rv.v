// SPDX-License-Identifier: Apache-2.0
// oct_shadow_rv - the effect and the map entry of a RISC-V instruction: RV32 or RV64 with
// G, C, Zcb, Zba and Zbb's extensions, as traces/isa/oct_isa_riscv.c and oct_shadow_riscv.c have them.
//
// Latency: 1 cycle. What the word alone tells goes through a register; the instruction's address is
// added behind it. Back-pressure: valid/ready, output stable while stalled, one instruction a cycle.
// An instruction of two bytes stands in the low half of the word, whatever the high half is, and is
// decoded as the one of four that it stands for. What is no instruction has the size that its two lowest bits tell, class unknown
// and an operation of zeros. Immediate, offset and target are never in one instruction, so they
// share a register.
//
// ADDR_BITS  bits of an address: 32 is RV32, 33 to 64 is RV64, whose addresses have zeros above
`default_nettype none

module oct_shadow_rv #(
  parameter integer ADDR_BITS = 32
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 valid_i,
  input  wire [31:0]          word_i,
  input  wire [ADDR_BITS-1:0] addr_i,
  output wire                 ready_o,
  output wire                 out_valid_o,
  input  wire                 out_ready_i,
  output wire [511:0]         out_op_o,        // oct_shadow_types.vh
  output wire [2:0]           out_class_o,
  output wire [ADDR_BITS-1:0] out_target_o,    // 0 when the class has none
  output wire [2:0]           out_size_bytes_o,
  output wire [5:0]           out_n_slots_o,
  output wire [7:0]           out_slot_o,      // of access 0
  output wire [7:0]           out_next_slot_o, // of the others
  output wire                 out_is_conditional_o
);

`include "oct_shadow_types.vh"

  localparam [0:0] IS_64 = ADDR_BITS > 32;
  localparam [7:0] WIDTH_WORD = 8'd2 | EFFECT_SIGNED_RESULT;
  localparam [7:0] WIDTH_REGISTER = IS_64 ? 8'd3 : 8'd2;
  localparam [4:0] AMO_SWAP = 5'd1, AMO_LR = 5'd2, AMO_SC = 5'd3;

  // x0 reads 0, and what is written to it is lost.
  function [7:0] source(input [4:0] register);
    source = register == 5'd0 ? REG_ZERO : {3'd0, register};
  endfunction

  function [7:0] dest(input [4:0] register);
    dest = register == 5'd0 ? REG_NONE : {3'd0, register};
  endfunction

`include "oct_rv_jump.vh"

  wire [31:0] expanded;
  wire        is_short_constant, is_short_reserved;
  wire        is_short = word_i[1:0] != 2'b11;
  wire        is_insn = is_short ? word_i[15:0] != 16'd0 : word_i[4:2] != 3'b111;
  wire [31:0] w = is_short ? expanded : word_i;

  oct_shadow_rvc #(
    .ADDR_BITS(ADDR_BITS)
  ) u_rvc (
    .short_i      (word_i[15:0]),
    .word_o       (expanded),
    .is_constant_o(is_short_constant),
    .is_reserved_o(is_short_reserved)
  );

  // ---- Kinds of instructions ----

  wire [4:0] opcode = w[6:2];
  wire [4:0] rd = w[11:7], rs1 = w[19:15], rs2 = w[24:20];
  wire [2:0] width = w[14:12];
  wire [6:0] what = w[31:25];
  wire       is_float_size = width != 3'd0 && width <= 3'd4;

  wire is_load = opcode == 5'h00, is_store = opcode == 5'h08, is_atomic = opcode == 5'h0b;
  wire is_float_load = opcode == 5'h01 && is_float_size, is_float_store = opcode == 5'h09 && is_float_size;
  wire is_immediate = opcode == 5'h04 || opcode == 5'h06, is_register = opcode == 5'h0c || opcode == 5'h0e;
  wire is_word = opcode[1];  // of these two
  wire is_auipc = opcode == 5'h05, is_lui = opcode == 5'h0d;
  wire is_branch = opcode == 5'h18, is_jalr = opcode == 5'h19, is_jal = opcode == 5'h1b;
  wire is_system = opcode == 5'h1c, is_float = opcode == 5'h14;
  wire is_nothing = opcode == 5'h01 || opcode == 5'h09 || opcode == 5'h03 || opcode[4:2] == 3'b100;
  wire is_known = is_load || is_store || is_atomic || is_immediate || is_register || is_auipc ||
                  is_lui || is_branch || is_jalr || is_jal || is_system || is_float || is_nothing;

  // What is reserved, as in traces/isa/oct_rv_reserved.h: bit n of FLOAT_KINDS is that bits 31 to 27 may be n.
  localparam [31:0] FLOAT_KINDS = 32'h5550093f;
  reg is_long_reserved;

  always @* begin
    case (opcode)
      5'h00: is_long_reserved = width == 3'd7 || (!IS_64 && (width == 3'd3 || width == 3'd6));
      5'h03: is_long_reserved = width > 3'd2;
      5'h06, 5'h0e: is_long_reserved = !IS_64;
      5'h08: is_long_reserved = width > 3'd3 || (!IS_64 && width == 3'd3);
      5'h0b: is_long_reserved = width > (IS_64 ? 3'd3 : 3'd2) ||
                                (w[28:27] != 2'd0 && w[31:29] != 3'd0 && w[31:27] != 5'd5);
      5'h14: is_long_reserved = !FLOAT_KINDS[w[31:27]];
      5'h18: is_long_reserved = width[2:1] == 2'b01;
      5'h19: is_long_reserved = width != 3'd0;
      5'h1c: is_long_reserved = width == 3'd0 && rd != 5'd0;
      default: is_long_reserved = !is_known;
    endcase
  end

  wire is_reserved = is_short ? is_short_reserved : is_long_reserved;

  // ---- Arithmetic ----

  // With an immediate: shifts and extensions move register rs1 as B, all others add to it as a.
  wire is_far = w[25] && (is_word || !IS_64);  // no shift has such an amount
  wire is_slli = width == 3'd1 && what[6:1] == 6'd0 && !is_far;
  wire is_slli_uw = width == 3'd1 && what[6:1] == 6'd2 && is_word;
  wire is_sext = width == 3'd1 && what == 7'h30 && w[24:21] == 4'd2 && !is_word;
  wire is_right = width == 3'd5 && {what[6], what[4:1]} == 5'd0 && !is_far;
  wire is_moved = is_slli || is_slli_uw || is_sext || is_right;
  wire is_plain = width == 3'd0 || (!is_word && (width == 3'd4 || width[2:1] == 2'b11));
  wire [5:0] amount = {w[25] && (is_slli_uw || (IS_64 && !is_word)), w[24:20]};

  // Of registers: the first are a and b as they stand; in Zba and Zbb rs1 is B.
  wire is_negated = what[5];
  wire is_base = (what & 7'h5f) == 7'd0 &&
                 (width == 3'd0 || width == 3'd5 ||
                  (is_word ? width == 3'd1 && !is_negated :
                   width[2:1] == 2'b11 || ((width == 3'd1 || width == 3'd4) && !is_negated)));
  wire is_shadd = what == 7'h10 && !width[0] && width != 3'd0;
  wire is_add_uw = what == 7'd4 && is_word && width == 3'd0;
  wire is_zext = what == 7'd4 && width == 3'd4 && rs2 == 5'd0 && is_word == IS_64;

  wire is_imm_alu = is_immediate && (is_moved || is_plain);
  wire is_reg_alu = is_register && (is_base || is_shadd || is_add_uw || is_zext);
  wire is_narrow = is_word && ((is_immediate && (is_slli || is_right || is_plain)) ||
                               (is_register && is_base));
  wire [4:0] a = is_jalr || (is_immediate && !is_moved) || (is_register && is_base) ? rs1 :
                 is_register && !is_zext ? rs2 : 5'd0;
  wire [4:0] b = (is_immediate && is_moved) || (is_register && !is_base) ? rs1 :
                 is_register ? rs2 : 5'd0;
  wire       writes = (is_imm_alu || is_reg_alu || is_auipc || is_lui) && rd != 5'd0;
  reg  [7:0] alu;
  reg        inverts;  // B is ~0

  // What oct_shadow_simplify has one name for, has one here: moves, constants and what x0 leaves.
  always @* begin
    alu     = RESULT_ADD;
    inverts = 1'b0;
    if (is_immediate && is_plain) begin
      case (width)
        3'd4: if (rs1 != 5'd0 && w[31:20] != 12'd0) alu = RESULT_XOR;
        3'd6: if (rs1 != 5'd0 && w[31:20] != 12'd0) alu = RESULT_OR;
        3'd7: alu = RESULT_AND;
        default: alu = RESULT_ADD;
      endcase
    end else if (is_register && is_base) begin
      case (width)
        3'd0: if (is_negated && rs2 != 5'd0) alu = RESULT_SUB;
        3'd1: alu = RESULT_SHL;
        3'd4: if (rs1 != 5'd0 && rs2 != 5'd0) alu = RESULT_XOR;
        3'd5: alu = is_negated ? RESULT_SAR : RESULT_SHR;
        3'd6: begin
          if (is_negated) begin
            inverts = rs1 == 5'd0 && rs2 == 5'd0;
            if (!inverts) alu = RESULT_ORN;
          end else if (rs1 != 5'd0 && rs2 != 5'd0) begin
            alu = RESULT_OR;
          end
        end
        default: begin
          inverts = is_negated && rs2 == 5'd0;
          alu     = is_negated && !inverts ? RESULT_BIC : RESULT_AND;
        end
      endcase
    end
  end

  wire [7:0] b_form = is_immediate && is_right ? (w[30] ? SHIFT_SIGNED : SHIFT_RIGHT) | {2'd0, amount} :
                      is_immediate && (is_slli || is_slli_uw) ? SHIFT_LEFT | {2'd0, amount} :
                      is_register && is_shadd && !is_base ? SHIFT_LEFT | {6'd0, width[2:1]} : 8'd0;
  wire [7:0] b_extend =
      is_immediate ? (is_slli_uw ? EXTEND_U32 :
                      is_sext ? (w[20] ? EXTEND_S16 : EXTEND_S8) : EXTEND_NONE) :
      is_register ? (is_zext ? EXTEND_U16 :
                     is_add_uw || (is_shadd && is_word) ? EXTEND_U32 : EXTEND_NONE) : EXTEND_NONE;

  // ---- Everything else ----

  wire       clobbers_rd = (is_immediate && !is_imm_alu) || (is_register && !is_reg_alu) ||
                           (is_atomic && w[31:27] == AMO_SC) || (is_system && width != 3'd0) ||
                           (is_float && w[31:30] == 2'b11 && w[28:27] == 2'b00) ||
                           (is_float && w[31:27] == 5'h14);
  wire       is_zero = opcode == 5'h03 && width == 3'd2;  // cbo.zero and its kin
  wire       is_ecall = w == 32'h00000073;
  wire       is_return = rv_is_trap_return(w);
  wire       has_memory = is_load || is_store || is_float_load || is_float_store || is_atomic;
  wire       stores = is_store || is_float_store || (is_atomic && w[31:27] == AMO_SC);
  wire       is_pair = is_atomic && w[31:27] != AMO_LR && w[31:27] != AMO_SC;
  wire [7:0] slot = {5'd0, width & {!(is_load || is_store), 2'b11}};
  reg  [2:0] compare, class_d;
  wire [7:0] flags = EFFECT_KNOWN | (IS_64 ? EFFECT_64 : 8'd0) | (is_jalr ? EFFECT_EVEN_TARGET : 8'd0) |
                     ((is_system && width == 3'd0) || is_zero ? EFFECT_SYSTEM : 8'd0);
  wire [7:0] width_d = (is_narrow ? WIDTH_WORD : WIDTH_REGISTER) |
                       ((is_load && !width[2]) || is_atomic ? EFFECT_LOAD_SIGNED : 8'd0);
  wire [7:0] data0 = is_load || (is_atomic && w[31:27] != AMO_SC) ? dest(rd) :
                     is_store ? source(rs2) : REG_NONE;
  wire [7:0] data1 = is_atomic && w[31:27] == AMO_SWAP ? source(rs2) : REG_NONE;
  wire [7:0] form = has_memory ? MEM_VALID | (is_atomic ? MEM_SAME : 8'd0) : 8'd0;

  always @* begin
    case (width)
      3'd1: compare = CMP_NE;
      3'd4: compare = CMP_LT;
      3'd5: compare = CMP_GE;
      3'd6: compare = CMP_LTU;
      3'd7: compare = CMP_GEU;
      default: compare = CMP_EQ;
    endcase
    class_d = CLASS_OTHER;
    if (is_branch) class_d = CLASS_COND_BRANCH;
    if (is_jal) class_d = rv_jal_class(rd);
    if (is_jalr) class_d = rv_jalr_class(rd, rs1);
    if (is_return) class_d = CLASS_INDIRECT_JUMP;
    if (!is_insn) class_d = CLASS_UNKNOWN;
  end

  // ---- The value: an immediate, a constant, an offset of a memory operand or of a target ----

  wire is_imm = is_jalr || (writes && ((is_immediate && !is_moved) || is_lui || inverts));
  reg  [31:0] value;

  always @* begin
    value = {{20{w[31]}}, w[31:20]};
    if (is_store || is_float_store) value = {{20{w[31]}}, w[31:25], w[11:7]};
    if (is_auipc || is_lui) value = {w[31:12], 12'd0};
    if (is_branch) value = {{20{w[31]}}, w[7], w[30:25], w[11:8], 1'b0};
    if (is_jal) value = {{12{w[31]}}, w[19:12], w[20], w[30:21], 1'b0};
    if (is_atomic) value = 32'd0;
    if (is_register) value = 32'hffffffff;
  end

  // ---- The register ----

  reg                  valid_q;
  reg  [OP_BITS-1:0]   unknown;
  reg  [OP_BITS-1:0]   op_d, op_q;  // but for what follows
  reg                  is_imm_q, is_sum_q, is_target_q, is_constant_q, is_offset_q;
  reg                  is_cut_q;    // a constant of RV32 has zeros above
  reg  [31:0]          value_q;
  reg  [ADDR_BITS-1:0] addr_q;
  reg                  clobbers_q, clobbers_all_q;
  reg  [4:0]           clobbered_q;
  reg  [2:0]           class_q, size_bytes_q;
  reg                  has_slot_q, has_next_q, is_conditional_q;
  reg  [7:0]           slot_q;
  wire                 takes = valid_i && ready_o;

  assign ready_o     = !valid_q || out_ready_i;
  assign out_valid_o = valid_q;

  // What is not known may write any register, and go anywhere that its class allows.
  always @* begin
    unknown = {OP_BITS{1'b0}};
    unknown[OP_MEM0 + MEM_BASE +: 8]  = REG_NONE;
    unknown[OP_MEM0 + MEM_INDEX +: 8] = REG_NONE;
    unknown[OP_MEM1 + MEM_BASE +: 8]  = REG_NONE;
    unknown[OP_MEM1 + MEM_INDEX +: 8] = REG_NONE;
    unknown[OP_FLAGS +: 8]            = EFFECT_KNOWN | (IS_64 ? EFFECT_64 : 8'd0);
    unknown[OP_DEST +: 8]             = REG_NONE;
    unknown[OP_A +: 8]                = REG_NONE;
    unknown[OP_B +: 8]                = REG_NONE;
    unknown[OP_WIDTH +: 8]            = WIDTH_REGISTER;
    unknown[OP_SET_FLAGS +: 8]        = {4'd15, FLAGS_KEEP};
    unknown[OP_COND +: 8]             = is_branch ? COND_UNKNOWN : COND_ALWAYS;
    unknown[OP_COND_A +: 8]           = REG_NONE;
    unknown[OP_COND_B +: 8]           = REG_NONE;
    unknown[OP_DATA0 +: 8]            = REG_NONE;
    unknown[OP_DATA1 +: 8]            = REG_NONE;
    unknown[OP_TARGET +: 8]           = {4'd0, is_jalr ? TARGET_UNKNOWN : TARGET_NONE};
    unknown[OP_LINK +: 8]             = REG_NONE;
  end

  always @* begin
    op_d = {OP_BITS{1'b0}};
    op_d[OP_MEM0 + MEM_BASE +: 8]  = has_memory ? source(rs1) : REG_NONE;
    op_d[OP_MEM0 + MEM_INDEX +: 8] = has_memory ? REG_ZERO : REG_NONE;
    op_d[OP_MEM0 + MEM_FORM +: 8]  = form;
    op_d[OP_MEM1 + MEM_BASE +: 8]  = REG_NONE;
    op_d[OP_MEM1 + MEM_INDEX +: 8] = REG_NONE;
    op_d[OP_FLAGS +: 8]            = flags;
    op_d[OP_RESULT +: 8]           = writes || is_jalr ? alu : RESULT_NONE;
    op_d[OP_DEST +: 8]             = writes ? {3'd0, rd} : REG_NONE;
    op_d[OP_A +: 8]                = writes || is_jalr ? source(a) : REG_NONE;
    op_d[OP_B +: 8]                = writes || is_jalr ? source(b) : REG_NONE;
    op_d[OP_B_FORM +: 8]           = b_form;
    op_d[OP_B_EXTEND +: 8]         = b_extend;
    op_d[OP_WIDTH +: 8]            = width_d;
    op_d[OP_SET_FLAGS +: 8]        = {4'd15, FLAGS_KEEP};
    op_d[OP_COND +: 8]             = is_branch ? COND_REGS | {5'd0, compare} : COND_ALWAYS;
    op_d[OP_COND_A +: 8]           = is_branch ? source(rs1) : REG_NONE;
    op_d[OP_COND_B +: 8]           = is_branch ? source(rs2) : REG_NONE;
    op_d[OP_DATA0 +: 8]            = data0;
    op_d[OP_DATA1 +: 8]            = data1;
    op_d[OP_TARGET +: 8]           = {4'd0, is_jalr ? TARGET_RESULT :
                                            is_return ? TARGET_UNKNOWN : TARGET_NONE};
    op_d[OP_LINK +: 8]             = is_jalr || is_jal ? dest(rd) : REG_NONE;
    if (is_reserved) op_d = unknown;
    if (!is_insn) op_d = {OP_BITS{1'b0}};
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (ready_o) valid_q <= valid_i;
  end

  always @(posedge clk_i) begin
    if (takes) begin
      op_q             <= op_d;
      is_imm_q         <= is_insn && !is_reserved && is_imm;
      is_sum_q         <= is_insn && !is_reserved && is_auipc && writes;
      is_target_q      <= is_insn && (is_branch || is_jal);
      is_constant_q    <= is_insn && is_jalr && rs1 == 5'd0;
      is_offset_q      <= is_insn && !is_reserved && has_memory;
      is_cut_q         <= !IS_64 && (is_lui || (is_short && is_short_constant));
      value_q          <= value;
      addr_q           <= addr_i;
      clobbers_q       <= is_insn && (clobbers_rd ? rd != 5'd0 : is_ecall);
      clobbered_q      <= clobbers_rd ? rd : 5'd10;
      clobbers_all_q   <= is_insn && is_reserved;
      class_q          <= class_d;
      size_bytes_q     <= is_short ? 3'd2 : 3'd4;
      has_slot_q       <= is_insn && has_memory;
      has_next_q       <= is_insn && is_pair;
      slot_q           <= slot | (stores ? SLOT_STORE : 8'd0);
      is_conditional_q <= is_insn && is_atomic && w[31:27] == AMO_SC;
    end
  end

  // ---- Behind it: addresses ----

  wire [63:0] wide = {{32{value_q[31] && !is_cut_q}}, value_q};
  wire [63:0] sum = {{(64 - ADDR_BITS){1'b0}}, addr_q} + wide;
  reg  [OP_BITS-1:0] op;

  always @* begin
    op = op_q;
    op[OP_IMM +: 64] = is_imm_q ? wide : is_sum_q ? {sum[63:32] & {32{IS_64}}, sum[31:0]} : 64'd0;
    op[OP_MEM0 + MEM_OFFSET +: 64] = is_offset_q ? wide : 64'd0;
    op[OP_CLOBBERS +: 32] = {{31{clobbers_all_q}}, 1'b0} | ({31'd0, clobbers_q} << clobbered_q);
  end

  assign out_op_o             = op;
  assign out_class_o          = class_q;
  assign out_target_o         = is_target_q ? sum[ADDR_BITS-1:0] :
                                is_constant_q ? {wide[ADDR_BITS-1:1], 1'b0} : {ADDR_BITS{1'b0}};
  assign out_size_bytes_o     = size_bytes_q;
  assign out_n_slots_o        = {4'd0, has_next_q, has_slot_q && !has_next_q};
  assign out_slot_o           = has_slot_q ? slot_q : 8'd0;
  assign out_next_slot_o      = has_next_q ? slot_q | SLOT_STORE : 8'd0;
  assign out_is_conditional_o = is_conditional_q;

endmodule

`default_nettype wire
