// SPDX-License-Identifier: Apache-2.0
// oct_rv_class.vh - the class of a RISC-V instruction by its bytes, for the body of a module with XLEN that
// names the classes and has oct_rv_jump.vh: oct_rv_class of traces/isa/oct_rv_jump.h in Verilog.

  function [2:0] rv_class(input [31:0] word);
    begin
      rv_class = CLASS_OTHER;
      if (word[1:0] == 2'b11) begin
        case (word[6:2])
          5'b11000: rv_class = CLASS_COND_BRANCH;
          5'b11001: rv_class = rv_jalr_class(word[11:7], word[19:15]);
          5'b11011: rv_class = rv_jal_class(word[11:7]);
          default: rv_class = rv_is_trap_return(word) ? CLASS_INDIRECT_JUMP : CLASS_OTHER;
        endcase
      end else if (word[1:0] == 2'b01) begin
        if (word[15:13] == 3'd5) rv_class = CLASS_DIRECT_JUMP;
        else if (word[15:13] == 3'd1 && XLEN == 32) rv_class = CLASS_DIRECT_CALL;
        else if (word[15:14] == 2'b11) rv_class = CLASS_COND_BRANCH;
      end else if (word[1:0] == 2'b10 && word[15:13] == 3'd4 && word[6:2] == 5'd0 && word[11:7] != 5'd0) begin
        rv_class = rv_jalr_class({4'd0, word[12]}, word[11:7]);  // c.jr, c.jalr
      end
    end
  endfunction
