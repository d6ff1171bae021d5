// SPDX-License-Identifier: Apache-2.0
// oct_shadow_rvc - the instruction of four bytes that one of two bytes stands for (RISC-V, C and Zcb).
//
// Combinational. What is reserved is told, as in traces/isa/oct_rv_reserved.h; the word then has its accesses
// alone. One thing gets lost in an instruction of four bytes, and is for the user to keep: a constant of
// RV32 is no wider than a register.
//
// ADDR_BITS  bits of an address: 32 is RV32, more is RV64
`default_nettype none

module oct_shadow_rvc #(
  parameter integer ADDR_BITS = 32
) (
  input  wire [15:0] short_i,  // quadrant 0, 1 or 2
  output reg  [31:0] word_o,
  output wire        is_constant_o,
  output reg         is_reserved_o
);

  localparam [0:0] IS_64 = ADDR_BITS > 32;
  localparam [6:0] OP_LOAD = 7'h03, OP_LOAD_FP = 7'h07, OP_IMM = 7'h13, OP_IMM_32 = 7'h1b,
      OP_STORE = 7'h23, OP_STORE_FP = 7'h27, OP_OP = 7'h33, OP_LUI = 7'h37, OP_32 = 7'h3b,
      OP_BRANCH = 7'h63, OP_JALR = 7'h67, OP_JAL = 7'h6f;
  localparam [31:0] FENCE = 32'h0000000f, EBREAK = 32'h00100073;
  localparam [4:0] X0 = 5'd0, RA = 5'd1, SP = 5'd2;
  localparam [2:0] F_ADD = 3'd0, F_SLL = 3'd1, F_XOR = 3'd4, F_SR = 3'd5, F_OR = 3'd6, F_AND = 3'd7,
      BYTE = 3'd0, HALF = 3'd1, WORD = 3'd2, DOUBLE = 3'd3, UNSIGNED_BYTE = 3'd4, UNSIGNED_HALF = 3'd5;

  function [31:0] immediate(input [6:0] op, input [2:0] what, input [4:0] rd, input [4:0] rs1,
                            input [11:0] imm);
    immediate = {imm, rs1, what, rd, op};
  endfunction

  function [31:0] registers(input [6:0] op, input [6:0] funct7, input [2:0] what,
                            input [4:0] rd, input [4:0] rs1, input [4:0] rs2);
    registers = {funct7, rs2, rs1, what, rd, op};
  endfunction

  function [31:0] store(input [6:0] op, input [2:0] what, input [4:0] rs2, input [4:0] rs1,
                        input [11:0] imm);
    store = {imm[11:5], rs2, rs1, what, imm[4:0], op};
  endfunction

  // Bit 12 is the sign, bits 11..1 the others, the same for all of them here.
  function [31:0] jump(input [4:0] rd, input sign, input [10:0] offset);
    jump = {sign, offset[9:0], offset[10], {8{sign}}, rd, OP_JAL};
  endfunction

  wire [15:0] s = short_i;
  wire [4:0]  rd = s[11:7], rs2 = s[6:2];
  wire [4:0]  high_rd = {2'b01, s[9:7]}, high_rs2 = {2'b01, s[4:2]};
  wire [11:0] imm = {{7{s[12]}}, s[6:2]};
  wire [11:0] word_offset = {5'd0, s[5], s[12:10], s[6], 2'd0};
  wire [11:0] double_offset = {4'd0, s[6:5], s[12:10], 3'd0};
  wire [11:0] load_word = {4'd0, s[3:2], s[12], s[6:4], 2'd0};
  wire [11:0] load_double = {3'd0, s[4:2], s[12], s[6:5], 3'd0};
  wire [11:0] store_word = {4'd0, s[8:7], s[12:9], 2'd0};
  wire [11:0] store_double = {3'd0, s[9:7], s[12:10], 3'd0};
  wire [11:0] stack_place = {2'd0, s[10:7], s[12:11], s[5], s[6], 2'd0};
  wire [11:0] stack_step = {{3{s[12]}}, s[4:3], s[5], s[2], s[6], 4'd0};
  wire [10:0] jump_offset = {s[12], s[8], s[10:9], s[6], s[7], s[2], s[11], s[5:3]};
  wire [31:0] move = registers(OP_OP, 7'd0, F_ADD, rd, s[12] ? rd : X0, rs2);
  wire [31:0] branch = {{4{s[12]}}, s[6:5], s[2], X0, high_rd, 2'b00, s[13], s[11:10], s[4:3],
                        s[12], OP_BRANCH};

  // Codes 3 and 7 are of doublewords, in RV32 of single-precision numbers.
  wire [6:0]  load_3 = IS_64 ? OP_LOAD : OP_LOAD_FP;
  wire [6:0]  store_7 = IS_64 ? OP_STORE : OP_STORE_FP;
  wire [2:0]  size_3 = IS_64 ? DOUBLE : WORD;

  // c.zext.b, c.sext.b, c.zext.h, c.sext.h, c.zext.w (RV64), c.not.
  reg [31:0] change;
  always @* begin
    case (s[4:2])
      3'd0: change = immediate(OP_IMM, F_AND, high_rd, high_rd, 12'h0ff);
      3'd1: change = immediate(OP_IMM, F_SLL, high_rd, high_rd, 12'h604);
      3'd2: change = registers(IS_64 ? OP_32 : OP_OP, 7'h04, F_XOR, high_rd, high_rd, X0);
      3'd3: change = immediate(OP_IMM, F_SLL, high_rd, high_rd, 12'h605);
      3'd4: change = registers(OP_32, 7'h04, F_ADD, high_rd, high_rd, X0);
      default: change = immediate(OP_IMM, F_XOR, high_rd, high_rd, 12'hfff);
    endcase
  end

  // c.srli, c.srai, c.andi and arithmetic of two registers of x8 to x15.
  reg [31:0] arithmetic;
  always @* begin
    if (!s[11])
      arithmetic = immediate(OP_IMM, F_SR, high_rd, high_rd, {1'b0, s[10], 4'd0, s[12], s[6:2]});
    else if (!s[10])
      arithmetic = immediate(OP_IMM, F_AND, high_rd, high_rd, imm);
    else
      case ({s[12], s[6:5]})
        3'd0: arithmetic = registers(OP_OP, 7'h20, F_ADD, high_rd, high_rd, high_rs2);
        3'd1: arithmetic = registers(OP_OP, 7'h00, F_XOR, high_rd, high_rd, high_rs2);
        3'd2: arithmetic = registers(OP_OP, 7'h00, F_OR, high_rd, high_rd, high_rs2);
        3'd3: arithmetic = registers(OP_OP, 7'h00, F_AND, high_rd, high_rd, high_rs2);
        3'd4: arithmetic = registers(OP_32, 7'h20, F_ADD, high_rd, high_rd, high_rs2);
        3'd5: arithmetic = registers(OP_32, 7'h00, F_ADD, high_rd, high_rd, high_rs2);
        3'd7: arithmetic = change;
        // c.mul: a register that gets some value
        default: arithmetic = registers(OP_OP, 7'h01, F_ADD, high_rd, high_rd, high_rs2);
      endcase
  end

  // c.lbu, c.lhu and c.lh, c.sb, c.sh.
  wire [11:0] byte_offset = {10'd0, s[5], s[6]}, half_offset = {10'd0, s[5], 1'b0};
  reg  [31:0] zcb_access;
  always @* begin
    case (s[12:10])
      3'd0: zcb_access = immediate(OP_LOAD, UNSIGNED_BYTE, high_rs2, high_rd, byte_offset);
      3'd1: zcb_access = immediate(OP_LOAD, s[6] ? HALF : UNSIGNED_HALF, high_rs2, high_rd, half_offset);
      3'd2: zcb_access = store(OP_STORE, BYTE, high_rs2, high_rd, byte_offset);
      3'd3: zcb_access = s[6] ? FENCE : store(OP_STORE, HALF, high_rs2, high_rd, half_offset);
      default: zcb_access = FENCE;
    endcase
  end

  always @* begin
    case ({s[1:0], s[15:13]})
      5'o00: word_o = immediate(OP_IMM, F_ADD, high_rs2, SP, stack_place);
      5'o01: word_o = immediate(OP_LOAD_FP, DOUBLE, high_rs2, high_rd, double_offset);
      5'o02: word_o = immediate(OP_LOAD, WORD, high_rs2, high_rd, word_offset);
      5'o03: word_o = immediate(load_3, size_3, high_rs2, high_rd, IS_64 ? double_offset : word_offset);
      5'o04: word_o = zcb_access;
      5'o05: word_o = store(OP_STORE_FP, DOUBLE, high_rs2, high_rd, double_offset);
      5'o06: word_o = store(OP_STORE, WORD, high_rs2, high_rd, word_offset);
      5'o07: word_o = store(store_7, size_3, high_rs2, high_rd, IS_64 ? double_offset : word_offset);
      5'o10: word_o = immediate(OP_IMM, F_ADD, rd, rd, imm);
      5'o11: word_o = IS_64 ? immediate(OP_IMM_32, F_ADD, rd, rd, imm) : jump(RA, s[12], jump_offset);
      5'o12: word_o = immediate(OP_IMM, F_ADD, rd, X0, imm);
      // Without a constant it is c.mop.n, which does nothing, or pushes ra.
      5'o13: word_o = rd == SP ? immediate(OP_IMM, F_ADD, SP, SP, stack_step) :
                      {s[12], s[6:2]} == 6'd0 ? FENCE :
                                 {{15{s[12]}}, s[6:2], rd, OP_LUI};
      5'o14: word_o = arithmetic;
      5'o15: word_o = jump(X0, s[12], jump_offset);
      5'o16, 5'o17: word_o = branch;
      5'o20: word_o = immediate(OP_IMM, F_SLL, rd, rd, {6'd0, s[12], s[6:2]});
      5'o21: word_o = immediate(OP_LOAD_FP, DOUBLE, rd, SP, load_double);
      5'o22: word_o = immediate(OP_LOAD, WORD, rd, SP, load_word);
      5'o23: word_o = immediate(load_3, size_3, rd, SP, IS_64 ? load_double : load_word);
      5'o24: word_o = rs2 != X0 ? move :
                      rd != X0 ? immediate(OP_JALR, 3'd0, s[12] ? RA : X0, rd, 12'd0) : EBREAK;
      5'o25: word_o = store(OP_STORE_FP, DOUBLE, rs2, SP, store_double);
      5'o26: word_o = store(OP_STORE, WORD, rs2, SP, store_word);
      5'o27: word_o = store(store_7, size_3, rs2, SP, IS_64 ? store_double : store_word);
      default: word_o = FENCE;  // nothing
    endcase
  end

  always @* begin
    case ({s[1:0], s[15:13]})
      5'o00: is_reserved_o = s[12:5] == 8'd0;
      5'o04: is_reserved_o = s[12] || (s[11:10] == 2'd3 && s[6]);
      5'o11: is_reserved_o = IS_64 && rd == X0;
      5'o13: is_reserved_o = {s[12], s[6:2]} == 6'd0 && (!rd[0] || rd[4]);  // but c.mop.n
      5'o14:
        if (!s[11]) is_reserved_o = !IS_64 && s[12];
        else if (s[12:10] != 3'd7) is_reserved_o = 1'b0;
        else if (s[6:5] == 2'd3) is_reserved_o = s[4:3] == 2'd3 || (s[4:2] == 3'd4 && !IS_64);
        else is_reserved_o = !IS_64 && !s[6];
      5'o20: is_reserved_o = !IS_64 && s[12];
      5'o22: is_reserved_o = rd == X0;
      5'o23: is_reserved_o = IS_64 && rd == X0;
      5'o24: is_reserved_o = rd == X0 && rs2 == X0 && !s[12];
      default: is_reserved_o = 1'b0;
    endcase
  end

  assign is_constant_o = s[1:0] == 2'd1 && s[15:13] == 3'd2;

endmodule

`default_nettype wire
