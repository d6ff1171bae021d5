# SPDX-License-Identifier: Apache-2.0
# mips.s - instructions whose effects are easily described wrong (capture-claims.sh). Behind each,
# registers decide addresses, and memory is read back.
.set noreorder
.set noat

.macro see regs:vararg
 .irp r, \regs
  andi $24, $\r, 0x7fc
  addu $24, $24, $28
  lbu $25, 0($24)
  srl $24, $\r, 20
  andi $24, $24, 0x7fc
  addu $24, $24, $28
  lbu $25, 0($24)
 .endr
.endm

.macro value reg, high, low
  lui $\reg, \high
  ori $\reg, $\reg, \low
.endm

# $4 to $9 are known, $10 and $11 point into the buffer, $28 is its start.
.macro known
  lui $28, %hi(buf)
  addiu $28, $28, %lo(buf)
  value 4, 0x1234, 0x5678
  value 5, 0x9abc, 0xdef0
  value 6, 0x2222, 0x3333
  value 7, 0x4444, 0x5555
  value 8, 0x6666, 0x7777
  li $9, 2
  addiu $10, $28, 0x100
  addiu $11, $28, 0x200
  sw $4, 0($10)
  sw $5, 4($10)
  sw $6, 8($10)
.endm

.macro try insns:vararg
  known
 .irp i, \insns
  \i
 .endr
  see 4, 5, 6, 7, 8, 9, 10, 11, 31
  lw $4, 0x100($28)
  lw $5, 0x104($28)
  see 4, 5
.endm

.text
.globl __start
__start:
  try "lwl $6, 1($10)"
  try "lwr $6, 2($10)"
  try "lwl $6, 1($10)", "lwr $6, 4($10)"
  try "swl $6, 1($10)"
  try "swr $6, 2($10)"
  try "ll $6, 0($10)"
  try "ll $6, 0($10)", "sc $7, 0($10)"
  try "sc $7, 4($10)"
  try "lb $6, 1($10)"
  try "lhu $6, 2($10)"
  try "sb $6, 3($10)"
  try "sh $6, 2($10)"
  try "movz $6, $7, $0"
  try "movn $6, $7, $0"
  try "movn $6, $7, $9"
  try "ext $6, $7, 3, 9"
  try "ins $6, $7, 4, 8"
  try "rotr $6, $7, 5"
  try "rotrv $6, $7, $9"
  try "sllv $6, $7, $9"
  try "srav $6, $5, $9"
  try "seb $6, $5"
  try "seh $6, $5"
  try "wsbh $6, $5"
  try "slt $6, $7, $8"
  try "sltiu $6, $7, 9"
  try "nor $6, $7, $8"
  try "not $6, $7"
  try "mul $6, $7, $8"
  try "clz $6, $7"
  try "mult $7, $8", "mflo $6"
  try "rdhwr $6, $29"
  try "pref 0, 0($10)"
  # Branches, whose slots change a register.
  .irp b, beq, bne, beql, bnel
  try "\b $4, $4, 1f", "addiu $6, $6, 64", "nop", "1:"
  try "\b $4, $5, 1f", "addiu $6, $6, 64", "nop", "1:"
  .endr
  .irp b, bltz, bgez, blez, bgtz, bltzl, bgezl, blezl, bgtzl, bltzal, bgezal, bltzall, bgezall
  try "\b $4, 1f", "addiu $6, $6, 64", "nop", "1:"
  try "\b $5, 1f", "addiu $6, $6, 64", "nop", "1:"
  .endr
  try "bal 1f", "addiu $6, $6, 64", "nop", "1:"
  try "beql $4, $5, 1f", "sw $6, 0($10)", "1:"
  try "beql $4, $4, 1f", "sw $6, 0($10)", "1:"
  # Those that only skip their slot.
  .irp b, beql, bnel
  try "\b $4, $4, 1f", "addiu $6, $6, 64", "1:"
  try "\b $4, $5, 1f", "addiu $6, $6, 64", "1:"
  .endr
  try "lui $12, %hi(1f)", "addiu $12, $12, %lo(1f)", "jr $12", "addiu $6, $6, 64", "nop", "1:"
  try "lui $12, %hi(1f)", "addiu $12, $12, %lo(1f)", "jalr $12", "addiu $6, $6, 64", "nop", "1:"
  try "lui $12, %hi(1f)", "addiu $12, $12, %lo(1f)", "jalr $7, $12", "addiu $6, $6, 64", "nop", "1:"
  try "jal 1f", "addiu $6, $6, 64", "nop", "1:"
  .include "mips-memory.s"
  li $2, 4001
  li $4, 0
  syscall

.data
.balign 4096
buf: .space 4096
