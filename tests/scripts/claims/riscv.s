# SPDX-License-Identifier: Apache-2.0
# riscv.s - instructions of RV32 and (with RV64 defined) RV64 whose effects are easily described wrong
# (capture-claims.sh). Behind each, registers decide addresses, and memory is read back.
.option norelax

.macro see regs:vararg
 .irp r, \regs
  andi t5, \r, 0x7f8
  add t5, t5, s11
  lbu t6, 0(t5)
  srli t5, \r, 20
  andi t5, t5, 0x7f8
  add t5, t5, s11
  lbu t6, 0(t5)
 .endr
.endm

# a0 to a5 are known, s0 and s1 point into the buffer, s11 is its start.
.macro known
  lui s11, %hi(buf)
  addi s11, s11, %lo(buf)
  li a0, 0x12345678
  li a1, 0x9abcdef0
  li a2, -0x7654321
  li a3, 0x45455
  li a4, 3
  li a5, 0x7fff8001
  addi s0, s11, 0x100
  addi s1, s11, 0x200
  sw a0, 0(s0)
  sw a1, 4(s0)
  sw a2, 8(s0)
.endm

.macro try insns:vararg
  known
 .irp i, \insns
  \i
 .endr
  see a0, a1, a2, a3, a4, a5, s0, s1, ra
  lw a0, 0x100(s11)
  lw a1, 0x104(s11)
  see a0, a1
.endm

.text
.globl _start
_start:
  .irp i, amoadd, amoswap, amoxor, amoand, amoor, amomin, amomax, amominu, amomaxu
  try "\i\().w a2, a3, (s0)"
  try "\i\().w.aqrl zero, a3, (s0)"
  .endr
  try "lr.w a2, (s0)"
  try "lr.w.aq zero, (s0)"
  try "lr.w a2, (s0)", "sc.w a3, a4, (s0)"
  try "lr.w a2, (s0)", "sc.w zero, a4, (s0)"
  try "sc.w a3, a4, (s1)"
  try "lb a2, 3(s0)"
  try "lhu a2, 6(s0)"
  try "sb a3, 1(s0)"
  try "sh a3, 2(s0)"
  try "c.lw a2, 4(s0)"
  try "c.sw a3, 4(s0)"
  try "c.addi4spn a2, sp, 16"
  try "c.lui a2, 0x1f"
  try "c.li a2, -3"
  try "c.srai a2, 5"
  try "c.andi a2, -5"
  try "c.sub a2, a3"
  try "slt a2, a3, a4"
  try "sltiu a2, a3, 9"
  try "sra a2, a1, a4"
  try "srai a2, a1, 7"
  try "mulh a2, a3, a5"
  try "div a2, a1, a4"
  try "auipc a2, 1"
  try "csrr a2, cycle"
  try "csrrw a2, fflags, a3"
  try "fence"
  try "flw ft0, 0(s0)", "fsw ft0, 4(s0)"
  try "fmv.x.w a2, ft0"
  .irp b, beq, bne, blt, bge, bltu, bgeu
  try "\b a0, a1, 1f", "nop", "1:"
  try "\b a1, a0, 1f", "nop", "1:"
  try "\b a4, a4, 1f", "nop", "1:"
  .endr
  try "c.beqz a2, 1f", "nop", "1:"
  try "c.bnez a2, 1f", "nop", "1:"
  try "jal 1f", "nop", "1:"
  try "la a2, 1f", "jalr a3, 0(a2)", "nop", "1:"
  try "la a2, 1f", "jalr a2, 0(a2)", "nop", "1:"
  try "la a2, 1f", "addi a2, a2, -8", "jalr ra, 8(a2)", "nop", "1:"
  try "la a2, 1f", "addi a2, a2, 1", "jr a2", "nop", "1:"
  try "la a2, 1f", "c.jalr a2", "nop", "1:"
  try "la ra, 1f", "ret", "nop", "1:"
.ifdef RV64
  .irp i, amoadd, amoswap, amoxor, amomax, amominu
  try "\i\().d a2, a3, (s0)"
  .endr
  try "lr.d a2, (s0)", "sc.d a3, a4, (s0)"
  try "sc.d a3, a4, (s1)"
  try "lwu a2, 4(s0)"
  try "ld a2, 0(s0)"
  try "sd a3, 0(s0)"
  try "addiw a2, a1, -1"
  try "addw a2, a1, a5"
  try "subw a2, a3, a1"
  try "sllw a2, a1, a4"
  try "sraiw a2, a1, 3"
  try "srliw a2, a1, 3"
  try "c.addiw a2, 0"
  try "c.subw a2, a3"
  try "c.ld a2, 8(s0)"
  try "c.sd a3, 8(s0)"
  try "fld ft0, 0(s0)", "fsd ft0, 8(s0)"
.endif
  .include "riscv-memory.s"
  li a7, 93
  li a0, 0
  ecall

.data
.balign 4096
buf: .zero 4096
