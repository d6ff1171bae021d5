// SPDX-License-Identifier: Apache-2.0
// aarch64-memory.s - every form of memory operand, and every instruction that has one, with the macros
// of aarch64.s. After each the buffer is read back, which shows where its operand was and what it became.
// x7 is 8.

 .irp i, "ldr x", "str x", "ldr w", "str w", "ldrb w", "strb w", "ldrh w", "strh w", "ldrsb w", "ldrsb x", "ldrsh w", "ldrsh x", "ldrsw x", "ldr b", "str b", "ldr h", "str h", "ldr s", "str s", "ldr d", "str d", "ldr q", "str q"
  try "\i\()0, [x8]"
  try "\i\()0, [x8, #16]"
  try "\i\()0, [x8], #-8"
  try "\i\()0, [x8, #8]!"
  try "\i\()0, [x8, #-8]!"
  try "\i\()0, [x8, x7]"
  try "\i\()0, [x8, w7, uxtw]"
  try "\i\()0, [x8, w7, sxtw]"
  try "\i\()0, [x8, x7, sxtx]"
  try "mov x7, #-8", "\i\()0, [x8, w7, sxtw]"
 .endr
 .irp i, "ldr x0, [x8, x7, lsl #3]", "str x0, [x8, w7, uxtw #3]", "ldr w0, [x8, x7, lsl #2]", "str w0, [x8, w7, sxtw #2]", "ldrh w0, [x8, x7, lsl #1]", "strh w0, [x8, w7, uxtw #1]", "ldrsw x0, [x8, x7, lsl #2]", "ldrsh x0, [x8, w7, sxtw #1]", "ldr q0, [x8, x7, lsl #4]", "str q0, [x8, w7, uxtw #4]", "ldr d0, [x8, x7, lsl #3]", "str s0, [x8, x7, lsl #2]", "ldr h0, [x8, x7, lsl #1]"
  try "\i"
 .endr
  // Of one byte, index shifted by 0.
 .irp i, ldrb, strb, ldrsb
  try "\i w0, [x8, x7, lsl #0]"
 .endr
  // Behind the instruction.
 .irp i, "ldr x0", "ldr w0", "ldrsw x0", "ldr s0", "ldr d0", "ldr q0"
  try "\i, 1f", "b 2f", ".balign 16", "1: .quad 0x123, 0x456", "2:"
 .endr
  // Unscaled, and as if without privilege.
 .irp i, "ldur x", "stur x", "ldur w", "stur w", "ldurb w", "sturb w", "ldurh w", "sturh w", "ldursb w", "ldursb x", "ldursh x", "ldursw x", "ldur b", "stur h", "ldur s", "stur d", "ldur q", "stur q", "ldtr x", "sttr x", "ldtr w", "sttr w", "ldtrb w", "sttrb w", "ldtrh w", "sttrh w", "ldtrsb x", "ldtrsh w", "ldtrsw x"
  try "\i\()0, [x8, #-8]"
  try "\i\()0, [x8, #5]"
 .endr
  // Pairs.
 .irp i, "ldp x0, x1", "stp x0, x1", "ldp w0, w1", "stp w0, w1", "ldpsw x0, x1", "ldp s0, s1", "stp s0, s1", "ldp d0, d1", "stp d0, d1", "ldp q0, q1", "stp q0, q1"
  try "\i, [x8]"
  try "\i, [x8, #-16]"
  try "\i, [x8], #16"
  try "\i, [x8, #32]!"
 .endr
 .irp i, "ldnp x0, x1", "stnp x0, x1", "ldnp w0, w1", "stnp w0, w1", "ldnp d0, d1", "stnp q0, q1"
  try "\i, [x8, #16]"
 .endr
  // In order, exclusive, and atomic.
 .irp i, "ldar x0", "ldar w0", "ldarb w0", "ldarh w0", "stlr x0", "stlr w0", "stlrb w0", "stlrh w0", "ldlar x0", "stllr w0", "ldapr x0", "ldapr w0", "ldaprb w0", "ldaprh w0", "ldxr x0", "ldxrb w0", "ldxrh w0", "ldaxrh w0"
  try "\i, [x8]"
 .endr
 .irp i, "ldapur x0", "ldapur w0", "ldapurb w0", "ldapurh w0", "ldapursw x0", "ldapursb w0", "ldapursh x0", "stlur x0", "stlur w0", "stlurb w0", "stlurh w0"
  try "\i, [x8, #-8]"
 .endr
 .irp i, add, clr, eor, set, smax, smin, umax, umin
  try "ld\i x0, x1, [x8]"
  try "ld\i w0, w1, [x8]"
  try "ld\i\()alb w0, w1, [x8]"
  try "ld\i\()h w0, w1, [x8]"
  try "st\i x0, [x8]"
  try "st\i w0, [x8]"
  try "st\i\()b w0, [x8]"
  try "st\i\()lh w0, [x8]"
 .endr
 .irp i, "swp x0, x1", "swpal w0, w1", "swpb w0, w1", "swph w0, w1", "cas x0, x1", "casal w0, w1", "casb w0, w1", "cash w0, w1", "casp x0, x1, x2, x3", "caspal w0, w1, w2, w3"
  try "\i, [x8]"
 .endr
  try "mov x0, x3", "cas x0, x1, [x8]"
  // Structures of vectors: one to four registers, whole, one lane, and one value for all lanes.
.macro structures elements, n, bytes
 .irp i, ld1, st1, ld\n, st\n
  try "\i {\elements}, [x8]"
  try "\i {\elements}, [x8], #\bytes"
  try "\i {\elements}, [x8], x7"
 .endr
.endm
.macro lanes elements, n, bytes
 .irp i, ld\n, st\n
  try "\i {\elements}[1], [x8]"
  try "\i {\elements}[1], [x8], #\bytes"
  try "\i {\elements}[1], [x8], x7"
 .endr
.endm
.macro every_lane elements, n, bytes
  try "ld\n\()r {\elements}, [x8]"
  try "ld\n\()r {\elements}, [x8], #\bytes"
  try "ld\n\()r {\elements}, [x8], x7"
.endm
 .irp t, 8b, 4h, 2s
  structures "v0.\t", 1, 8
  structures "v0.\t, v1.\t", 2, 16
  structures "v0.\t, v1.\t, v2.\t", 3, 24
  structures "v0.\t, v1.\t, v2.\t, v3.\t", 4, 32
 .endr
 .irp t, 16b, 8h, 4s, 2d
  structures "v0.\t", 1, 16
  structures "v0.\t, v1.\t", 2, 32
  structures "v0.\t, v1.\t, v2.\t", 3, 48
  structures "v0.\t, v1.\t, v2.\t, v3.\t", 4, 64
 .endr
  try "ld1 {v0.1d}, [x8], #8"
  try "st1 {v0.1d, v1.1d, v2.1d}, [x8], x7"
.macro by_element t, whole, bytes
  lanes "v0.\t", 1, \bytes
  lanes "v0.\t, v1.\t", 2, 2*\bytes
  lanes "v0.\t, v1.\t, v2.\t", 3, 3*\bytes
  lanes "v0.\t, v1.\t, v2.\t, v3.\t", 4, 4*\bytes
  every_lane "v0.\whole", 1, \bytes
  every_lane "v0.\whole, v1.\whole", 2, 2*\bytes
  every_lane "v0.\whole, v1.\whole, v2.\whole", 3, 3*\bytes
  every_lane "v0.\whole, v1.\whole, v2.\whole, v3.\whole", 4, 4*\bytes
.endm
  by_element b, 16b, 1
  by_element h, 4h, 2
  by_element s, 4s, 4
  by_element d, 2d, 8
  // Caches.
  try "prfm pldl1keep, [x8]"
  try "prfm pstl1strm, [x8, x7, lsl #3]"
  try "prfum pldl1keep, [x8, #-8]"
  try "dc cvau, x8"
  try "add x8, x26, #0x400", "dc zva, x8"
