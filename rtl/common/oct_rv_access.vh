// SPDX-License-Identifier: Apache-2.0
// oct_rv_access.vh - how many accesses a RISC-V instruction's opcode has, for a module's body.

  // 0 to 2; an AMO loads and stores. funct5: bits 31..27 of the word, funct3: 14..12, low: 6..0. Of a
  // compressed instruction bits 14 and 13 say it: all but 000 and 100 in bits 15 to 13 have one.
  function [1:0] slots_of(input [4:0] funct5, input [2:0] funct3, input [6:0] low);
    begin
      slots_of = 2'd0;
      case (low[1:0])
        2'b11:
          case (low[6:2])
            5'b00000, 5'b01000: slots_of = 2'd1;
            5'b00001, 5'b01001: slots_of = funct3 >= 3'd1 && funct3 <= 3'd4 ? 2'd1 : 2'd0;
            5'b01011: slots_of = funct5 == 5'd2 || funct5 == 5'd3 ? 2'd1 : 2'd2;  // LR, SC
            default: slots_of = 2'd0;
          endcase
        2'b00, 2'b10: slots_of = {1'b0, |funct3[2:1]};
        default: slots_of = 2'd0;
      endcase
    end
  endfunction
