// SPDX-License-Identifier: Apache-2.0
// aarch64.s - instructions whose effects are easily described wrong (capture-claims.sh). Behind each,
// registers and flags decide addresses and branches, and memory is read back.

// Addresses by the halves of registers.
.macro see regs:vararg
 .irp r, \regs
  and x27, \r, #0x7f8
  ldrb w28, [x26, x27]
  lsr x27, \r, #32
  and x27, x27, #0x7f8
  ldrb w28, [x26, x27]
 .endr
.endm

.macro see_flags
 .irp c, eq, hs, mi, vs, hi, ge, gt
  b.\c 1f
  nop
1:
 .endr
.endm

.macro value reg, a, b, c, d
  movz \reg, #\a
  movk \reg, #\b, lsl #16
  movk \reg, #\c, lsl #32
  movk \reg, #\d, lsl #48
.endm

// x0 to x7 are known, x8 and x9 point into the buffer, x26 is its start.
.macro known
  adrp x26, buf
  value x0, 0x1234, 0x5678, 0x9abc, 0xdef0
  value x1, 0x2222, 0x3333, 0x4444, 0x5555
  value x2, 0x6666, 0x7777, 0x8888, 0x9999
  value x3, 0x0f1e, 0x2d3c, 0x4b5a, 0x6978
  value x4, 0x1111, 0x0101, 0x1010, 0x0110
  value x5, 0x3456, 0x6543, 0x1357, 0x7531
  value x6, 0x0246, 0x6420, 0x2468, 0x8642
  value x7, 0x0008, 0x0000, 0x0000, 0x0000
  add x8, x26, #0x100
  add x9, x26, #0x200
  stp x3, x4, [x8]
  stp x5, x6, [x8, #16]
  stp x4, x3, [x9]
  cmp x1, x2
.endm

.macro try insns:vararg
  known
 .irp i, \insns
  \i
 .endr
  see_flags
  see x0, x1, x2, x3, x4, x5, x6, x7, x8, x9
  ldp x10, x11, [x26, #0x100]
  ldp x12, x13, [x26, #0x110]
  see x10, x11, x12, x13
.endm

.text
.globl _start
_start:
  // Exclusive accesses, alone and in pairs, that succeed and fail.
  try "ldxr x0, [x8]"
  try "ldaxr w0, [x8]"
  try "ldxrb w0, [x8]"
  try "ldxp w0, w1, [x8]"
  try "ldaxp w0, w1, [x8]"
  try "ldxp x0, x1, [x8]"
  try "ldaxp x0, x1, [x8]"
  try "ldxr x0, [x8]", "stxr w1, x2, [x8]"
  try "ldxr w0, [x8]", "stlxr w1, w2, [x8]"
  try "clrex", "stxr w1, x2, [x8]"
  try "ldxp x0, x1, [x8]", "stxp w2, x5, x6, [x8]"
  try "ldxp w0, w1, [x8]", "stxp w2, w5, w6, [x8]"
  try "ldaxp w0, w1, [x8]", "stlxp w2, w5, w6, [x8]"
  try "clrex", "stxp w2, x5, x6, [x8]"
  try "ldar x0, [x8]"
  try "stlr w0, [x8]"
  try "ldapr x0, [x8]"
  try "ldapur w0, [x8, #4]"
  try "stlur x0, [x8, #8]"
  // Atomic changes.
  try "cas x3, x1, [x8]"
  try "cas x2, x1, [x8]"
  try "casb w2, w1, [x8]"
  try "casal w2, w1, [x8]"
  try "casp x4, x5, x0, x1, [x8]"
  try "casp w4, w5, w0, w1, [x8]"
  try "mov x4, x3", "mov x5, x10", "caspal x4, x5, x0, x1, [x8]"
  try "caspa w4, w5, w0, w1, [x8]"
  try "caspl x4, x5, x0, x1, [x8]"
  try "swp x0, x1, [x8]"
  try "swpal w0, w1, [x8]"
  try "swpb w0, w1, [x8]"
  try "ldadd x0, x1, [x8]"
  try "ldclrh w0, w1, [x8]"
  try "ldsmin x0, x1, [x8]"
  try "stadd x0, [x8]"
  // Pairs and single registers, with write-back.
  try "ldp x0, x1, [x8]"
  try "ldp x0, x1, [x8, #16]!"
  try "ldp x0, x1, [x8], #-16"
  try "ldp w0, w1, [x8, #-8]!"
  try "ldpsw x0, x1, [x8], #8"
  try "ldp x0, xzr, [x8]"
  try "stp x0, x1, [x8, #16]!"
  try "stp x0, xzr, [x8], #16"
  try "stp w0, w1, [x8], #-8"
  try "ldnp x0, x1, [x8]"
  try "ldp q0, q1, [x8], #32"
  try "stp d0, d1, [x8, #16]!"
  try "ldr x0, [x8, #8]!"
  try "ldr x0, [x8], #-8"
  try "ldrsb w0, [x8, #1]!"
  try "ldrsh x0, [x8], #2"
  try "str x0, [x8, #8]!"
  try "strb w0, [x8], #-1"
  try "ldr x0, [x8, x7, lsl #3]"
  try "ldr w0, [x8, w7, sxtw #2]"
  try "str x0, [x8, w7, uxtw]"
  try "ldr q0, [x8], #16"
  try "str q0, [x8, #16]!"
  // Structures.
  try "ld1 {v0.16b}, [x8], #16"
  try "ld1 {v0.4s, v1.4s, v2.4s, v3.4s}, [x8], #64"
  try "ld2 {v0.8b, v1.8b}, [x8], x7"
  try "ld3 {v0.4h, v1.4h, v2.4h}, [x8], #24"
  try "ld4 {v0.2d, v1.2d, v2.2d, v3.2d}, [x8]"
  try "st1 {v0.8h, v1.8h}, [x8], x7"
  try "st2 {v0.4s, v1.4s}, [x8], #32"
  try "st3 {v0.16b, v1.16b, v2.16b}, [x8]"
  try "st4 {v0.h, v1.h, v2.h, v3.h}[3], [x8], #8"
  try "ld1 {v0.s}[2], [x8], #4"
  try "ld2r {v0.4s, v1.4s}, [x8], #8"
  // The system.
  try "prfm pldl1keep, [x8]"
  try "prfm pldl1keep, [x8, x7]"
  try "dc zva, x8"
  try "mrs x0, rndr"
  try "mrs x0, rndrrs"
  try "mrs x0, nzcv"
  try "msr nzcv, x0"
  try "mrs x0, tpidr_el0"
  try "cfinv"
  try "setf8 w0"
  try "rmif x0, #4, #15"
  try "fcmp d0, d1"
  try "fmov x0, d0"
  try "csel x0, x1, x2, hi"
  try "bfi x0, x1, #8, #16"
  try "ubfiz x0, x1, #4, #8"
  try "tbz x0, #4, 1f", "1:"
  try "tbnz x0, #35, 1f", "1:"
  try "cbz w7, 1f", "1:"
  .include "aarch64-memory.s"
  mov x8, #93
  mov x0, #0
  svc #0

.data
.balign 4096
buf: .zero 4096
