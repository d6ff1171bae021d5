# SPDX-License-Identifier: Apache-2.0
# mips-memory.s - every instruction with a memory operand, with the macros of mips.s. After each the
# buffer is read back, which shows where the operand was and what it became. $10 points into the buffer.

.macro places i
  try "\i, 0($10)"
  try "\i, 8($10)"
  try "\i, -8($10)"
  try "addiu $12, $10, -0x7ff8", "\i, 0x7ff8($12)"
  try "lui $12, %hi(buf+0x108)", "\i, %lo(buf+0x108)($12)"
.endm
 .irp i, lb, lbu, lh, lhu, lw, lwl, lwr, ll, sb, sh, sw, swl, swr
  places "\i $6"
  places "\i $0"
 .endr
 .irp i, lwl, lwr, swl, swr, lb, lbu, sb
  try "\i $6, 1($10)"
  try "\i $6, 2($10)"
  try "\i $6, 3($10)"
 .endr
 .irp i, lwc1, swc1, ldc1, sdc1
  places "\i $f2"
 .endr
 .irp i, lb, lw, ll, lwl
  try "\i $10, 0($10)"
 .endr
 .irp i, lwxc1, ldxc1
  try "li $12, 8", "\i $f2, $12($10)"
 .endr
 .irp i, swxc1, sdxc1
  try "li $12, 8", "\i $f2, $12($10)"
 .endr
  try "lwl $6, 1($10)", "lwr $6, 4($10)"
  try "swl $6, 1($10)", "swr $6, 4($10)"
  try "ll $6, 0($10)", "sc $7, 0($10)", "sc $8, 0($10)"
  try "pref 4, 8($10)"
  try "synci 0($10)"
  # In a slot, and behind one that is skipped.
 .irp i, "lw $6, 0($10)", "sw $6, 0($10)", "lwl $6, 1($10)"
  try "beq $4, $4, 1f", "\i", "nop", "1:"
  try "beq $4, $5, 1f", "\i", "nop", "1:"
  try "beql $4, $4, 1f", "\i", "nop", "1:"
  try "beql $4, $5, 1f", "\i", "nop", "1:"
  try "beql $4, $4, 1f", "\i", "1:"
  try "beql $4, $5, 1f", "\i", "1:"
  try "bal 1f", "\i", "nop", "1:"
 .endr
