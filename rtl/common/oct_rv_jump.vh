// SPDX-License-Identifier: Apache-2.0
// oct_rv_jump.vh - the class of RISC-V's jumps, for the body of a module that names the classes:
// traces/isa/oct_rv_jump.h, which has the definition, in Verilog.

  function rv_is_link(input [4:0] register);
    rv_is_link = register == 5'd1 || register == 5'd5;
  endfunction

  function [2:0] rv_jal_class(input [4:0] rd);
    rv_jal_class = rv_is_link(rd) ? CLASS_DIRECT_CALL : CLASS_DIRECT_JUMP;
  endfunction

  function [2:0] rv_jalr_class(input [4:0] rd, input [4:0] rs1);
    rv_jalr_class =
        rs1 == 5'd0 ? rv_jal_class(rd) :
        !rv_is_link(rd) ? (rv_is_link(rs1) ? CLASS_RETURN : CLASS_INDIRECT_JUMP) :
        rv_is_link(rs1) && rs1 != rd ? CLASS_INDIRECT_JUMP : CLASS_INDIRECT_CALL;
  endfunction

  // uret, sret, mret, mnret, dret
  function rv_is_trap_return(input [31:0] word);
    rv_is_trap_return = word == 32'h00200073 || word == 32'h10200073 || word == 32'h30200073 ||
                        word == 32'h70200073 || word == 32'h7b200073;
  endfunction
