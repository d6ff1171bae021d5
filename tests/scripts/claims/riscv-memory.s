# SPDX-License-Identifier: Apache-2.0
# riscv-memory.s - every instruction with a memory operand, with the macros of riscv.s. After each the
# buffer is read back, which shows where the operand was and what it became.

.macro places i
  try "\i, 0(s0)"
  try "\i, 8(s0)"
  try "\i, -8(s0)"
  try "lui s1, 1", "add s1, s1, s0", "\i, -2048(s1)"
.endm
 .irp i, "lb a2", "lbu a2", "lh a2", "lhu a2", "lw a2", "sb a3", "sh a3", "sw a3", "flw f1", "fsw f1", "fld f1", "fsd f1", "sw zero", "lw zero"
  places "\i"
 .endr
 .irp i, "c.lw a2", "c.sw a3", "c.fld f8", "c.fsd f8"
  try "\i, 0(s0)"
  try "\i, 8(s0)"
 .endr
 .irp i, "c.lwsp a2", "c.swsp a3", "c.fldsp f1", "c.fsdsp f1"
  try "mv sp, s1", "\i, 0(sp)"
  try "mv sp, s1", "\i, 8(sp)", "c.lwsp a5, 8(sp)"
 .endr
.macro atomics w, order
 .irp i, amoadd, amoswap, amoxor, amoand, amoor, amomin, amomax, amominu, amomaxu
  changes \i, .\w\order
 .endr
  try "lr.\w\order a2, (s0)", "sc.\w\order a3, a4, (s0)", "sc.\w\order a3, a4, (s0)"
  try "lr.\w\order s0, (s0)"
.endm
.macro changes i, w
  try "\i\w a2, a3, (s0)"
  try "\i\w s0, a3, (s0)"
  try "\i\w a2, s0, (s0)"
  try "\i\w a3, a3, (s0)", "\i\w a3, a3, (s0)"
.endm
  atomics w
  atomics w, .aq
  atomics w, .rl
  atomics w, .aqrl
  # An address that several instructions make.
  try "auipc a2, 0", "lw a3, 0(a2)"
  try "lui a2, %hi(buf+0x104)", "lw a3, %lo(buf+0x104)(a2)"
  try "lui a2, %hi(buf+0x104)", "sw a3, %lo(buf+0x104)(a2)"
  try "c.mv a2, s0", "c.addi a2, 4", "c.lw a3, 0(a2)"
  try "c.addi4spn a2, sp, 16", "sub a2, a2, sp", "add a2, a2, s0", "c.lw a3, 0(a2)"
.ifdef RV64
 .irp i, "ld a2", "lwu a2", "sd a3", "sd zero"
  places "\i"
 .endr
 .irp i, "c.ld a2", "c.sd a3"
  try "\i, 0(s0)"
  try "\i, 8(s0)"
 .endr
  try "mv sp, s1", "c.sdsp a3, 8(sp)", "c.ldsp a2, 8(sp)"
  atomics d
  atomics d, .aqrl
.else
 .irp i, "c.flw f8", "c.fsw f8"
  try "\i, 0(s0)"
  try "\i, 8(s0)"
 .endr
  try "mv sp, s1", "c.fswsp f1, 8(sp)", "c.flwsp f2, 8(sp)"
.endif
