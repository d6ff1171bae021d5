// SPDX-License-Identifier: Apache-2.0
// oct_rv_access.vh - what a RISC-V instruction's opcode says of its accesses, for the body of a module with XLEN.

  // {loads, stores, log2 of its bytes}; an AMO loads and stores. funct5: bits 31..27 of the word, code: 15..10,
  // low: 6..0. Of a compressed instruction bits 15 to 13 say it: 1 and 5 doubles, 2 and 6 words, 3 and 7 as wide as
  // the core; 4 of quadrant 0 are those of Zcb: c.lbu, c.lhu and c.lh, c.sb, c.sh by bits 12 to 10.
  function [4:0] access_of(input [4:0] funct5, input [5:0] code, input [6:0] low);
    reg [2:0] funct3;
    reg is_float, is_short, is_zcb;
    begin
      funct3    = code[4:2];
      is_float  = funct3 >= 3'd1 && funct3 <= 3'd4;
      is_short  = |code[4:3];
      is_zcb    = code[5:2] == 4'd8 && !(code[1] && code[0] && low[6]);
      access_of = 5'd0;
      case (low[1:0])
        2'b11:
          case (low[6:2])
            5'b00000: access_of = {2'b10, 1'b0, funct3[1:0]};
            5'b01000: access_of = {2'b01, 1'b0, funct3[1:0]};
            5'b00001: access_of = {is_float, 1'b0, funct3};
            5'b01001: access_of = {1'b0, is_float, funct3};
            5'b01011: access_of = {funct5 != 5'd3, funct5 != 5'd2, funct3};  // but SC, but LR
            default: access_of = 5'd0;
          endcase
        2'b00, 2'b10:
          if (!low[1] && code[5:3] == 3'd4)
            access_of = {is_zcb && !code[1], is_zcb && code[1], 2'd0, code[0]};
          else
            access_of = {is_short && !code[5], is_short && code[5],
                         code[4:3] == 2'd2 || (code[4:3] == 2'd3 && XLEN == 32) ? 3'd2 : 3'd3};
        default: access_of = 5'd0;
      endcase
    end
  endfunction
