@ SPDX-License-Identifier: Apache-2.0
@ arm-memory.s - every form of memory operand of A32 and T32, and every instruction that has one, with
@ the macros of arm.s. After each the buffer is read back, which shows where its operand was and what it
@ became. r7 is 8.

 .irp i, ldr, str, ldrb, strb, ldrh, strh, ldrsb, ldrsh
  try "\i r0, [r8]"
  try "\i r0, [r8, #12]"
  try "\i r0, [r8, #-8]"
  try "\i r0, [r8], #4"
  try "\i r0, [r8], #-4"
  try "\i r0, [r8, #4]!"
  try "\i r0, [r8, #-8]!"
  try "\i r0, [r8, r7]"
  try "cmp r7, #8", "it eq", "\i\()eq r0, [r8, #4]"
  try "cmp r7, #8", "it ne", "\i\()ne r0, [r8, #4]!"
  try "cmp r7, #8", "it ls", "\i\()ls r0, [r8], #-4"
 .endr
 .irp i, ldr, str, ldrb, strb
  try "\i r0, [r8, r7, lsl #2]"
 .endr
.ifndef THUMB
 .irp i, ldr, str, ldrb, strb
  try "\i r0, [r8, r7, lsr #1]"
  try "\i r0, [r8, -r7, lsl #1]"
  try "\i r0, [r8, r7, asr #2]!"
  try "\i r0, [r8, r7, asr #32]"
  try "\i r0, [r8, r7, lsr #32]"
  try "\i r0, [r8, r7, ror #2]"
  try "\i r0, [r8], r7, lsl #2"
  try "\i r0, [r8], -r7, lsr #1"
  try "\i r0, [r8], r7, ror #3"
  try "cmp r7, #0x80000000", "lsr r7, #3", "lsl r7, #4", "\i r0, [r8, r7, rrx]"
 .endr
 .irp i, ldr, str, ldrb, strb, ldrh, strh, ldrsb, ldrsh
  try "\i r0, [r8, -r7]"
  try "\i r0, [r8], r7"
  try "\i r0, [r8], -r7"
  try "\i r0, [r8, r7]!"
  try "\i r0, [r8, -r7]!"
 .endr
 .irp i, ldrd, strd
  try "\i r0, r1, [r8, r7]"
  try "\i r0, r1, [r8, -r7]!"
  try "\i r0, r1, [r8, r7]!"
  try "\i r0, r1, [r8], r7"
  try "\i r0, r1, [r8], -r7"
 .endr
 .irp i, ldrt, strt, ldrbt, strbt
  try "\i r0, [r8], r7, lsl #1"
 .endr
 .irp i, ldrt, strt, ldrbt, strbt, ldrht, strht, ldrsbt, ldrsht
  try "\i r0, [r8], #4"
  try "\i r0, [r8], -r7"
 .endr
 .irp i, ldmda, ldmib, stmda, stmib
  try "\i r8, {r0, r1, r2}"
  try "\i r8!, {r0, r1, r2}"
  try "\i r8, {r5}"
  try "\i r8!, {r5}"
 .endr
  try "ldmib r8, {r1, r8}"
  try "stmda r8, {r8, r9}"
  try "ldm r8!, {r0, lr}"
.else
 .irp i, ldrt, strt, ldrbt, strbt, ldrht, strht, ldrsbt, ldrsht
  try "\i r0, [r8, #4]"
 .endr
  @ The short encodings: low registers, and the stack pointer.
 .irp i, "ldr r0, [r1, #4]", "str r0, [r1, #4]", "ldrb r0, [r1, #3]", "strb r0, [r1, #3]", "ldrh r0, [r1, #2]", "strh r0, [r1, #2]", "ldr r0, [r1, r7]", "str r0, [r1, r7]", "ldrb r0, [r1, r7]", "strb r0, [r1, r7]", "ldrh r0, [r1, r7]", "strh r0, [r1, r7]", "ldrsb r0, [r1, r7]", "ldrsh r0, [r1, r7]", "ldm r1!, {r0, r2}", "ldm r1, {r0, r1}", "stm r1!, {r0, r2}", "ldr r0, [sp, #4]", "str r0, [sp, #4]"
  try "mov r1, r8", "\i"
 .endr
.endif
 .irp i, "ldr r0", "ldrb r0", "ldrh r0", "ldrsb r0", "ldrsh r0", "ldrd r0, r1", "vldr s0", "vldr d0"
  try "\i, 1f", "b 2f", ".balign 8", "1: .word 0x123, 0x456", "2: nop"
 .endr
 .irp i, ldrd, strd
  try "\i r0, r1, [r8]"
  try "\i r0, r1, [r8, #8]"
  try "\i r0, r1, [r8, #-8]"
  try "\i r0, r1, [r8, #8]!"
  try "\i r0, r1, [r8], #-8"
 .endr
 .irp i, ldmia, ldmdb, stmia, stmdb
  try "\i r8, {r0, r1, r2}"
  try "\i r8!, {r0, r1, r2}"
  try "\i r8!, {r5, r6}"
  try "cmp r7, #8", "it eq", "\i\()eq r8!, {r0, r1}"
  try "cmp r7, #8", "it ne", "\i\()ne r8!, {r0, r1}"
 .endr
  try "ldm r8, {r1, r8}"
  try "stm r8, {r1, r8}"
  try "push {r0, r1}", "pop {r2, r3}"
  try "push {r0, r1, lr}", "pop {r4, r5, lr}"
  try "push {r5}", "pop {r6}"
  try "push {r10}", "pop {r9}"
.arch armv8-a
 .irp i, "lda r0", "ldab r0", "ldah r0", "stl r0", "stlb r0", "stlh r0", "ldrex r0", "ldrexb r0", "ldrexh r0", "ldrexd r0, r1", "ldaex r0", "ldaexb r0", "ldaexd r0, r1"
  try "\i, [r8]"
 .endr
  try "ldrex r0, [r8]", "strex r1, r2, [r8]"
  try "ldrexb r0, [r8]", "strexb r1, r2, [r8]"
  try "ldrexh r0, [r8]", "strexh r1, r2, [r8]"
  try "ldrexd r0, r1, [r8]", "strexd r2, r4, r5, [r8]"
  try "ldaex r0, [r8]", "stlex r1, r2, [r8]"
  try "ldaexd r0, r1, [r8]", "stlexd r2, r4, r5, [r8]"
.ifndef THUMB
.arch armv7ve
  try "swp r0, r1, [r8]"
  try "swpb r0, r1, [r8]"
.endif
  @ Floating point.
 .irp i, vldr, vstr
  try "\i s0, [r8]"
  try "\i s1, [r8, #-8]"
  try "\i d0, [r8, #8]"
  try "\i d17, [r8]"
 .endr
 .irp i, vldmia, vstmia, vldmdb, vstmdb
  try "\i r8!, {s0}"
  try "\i r8!, {s1-s5}"
  try "\i r8!, {d0}"
  try "\i r8!, {d1-d3}"
 .endr
 .irp i, vldmia, vstmia
  try "\i r8, {s1-s3}"
  try "\i r8, {d16-d18}"
 .endr
  try "vpush {d0-d2}", "vpop {d4-d6}"
  try "vpush {s1}", "vpop {s2}"
  @ Structures of vectors.
.macro places i, elements
  try "\i {\elements}, [r8]"
  try "\i {\elements}, [r8]!"
  try "\i {\elements}, [r8], r7"
.endm
.macro structures k, t
  places \k\()1.\t, "d0"
  places \k\()1.\t, "d0, d1"
  places \k\()1.\t, "d0, d1, d2"
  places \k\()1.\t, "d0, d1, d2, d3"
  places \k\()2.\t, "d0, d1"
  places \k\()2.\t, "d0, d2"
  places \k\()2.\t, "d0, d1, d2, d3"
  places \k\()3.\t, "d0, d1, d2"
  places \k\()3.\t, "d0, d2, d4"
  places \k\()4.\t, "d0, d1, d2, d3"
  places \k\()4.\t, "d0, d2, d4, d6"
  places \k\()1.\t, "d0[1]"
  places \k\()2.\t, "d0[1], d1[1]"
  places \k\()3.\t, "d0[1], d1[1], d2[1]"
  places \k\()4.\t, "d0[1], d1[1], d2[1], d3[1]"
.endm
.macro every_lane t
  places vld1.\t, "d0[]"
  places vld1.\t, "d0[], d1[]"
  places vld2.\t, "d0[], d1[]"
  places vld2.\t, "d0[], d2[]"
  places vld3.\t, "d0[], d1[], d2[]"
  places vld4.\t, "d0[], d1[], d2[], d3[]"
.endm
 .irp t, 8, 16, 32
  structures vld, \t
  structures vst, \t
  every_lane \t
 .endr
 .irp i, vld1.64, vst1.64
  places \i, "d0"
  places \i, "d0, d1"
  places \i, "d0, d1, d2, d3"
 .endr
  try "vld1.64 {d0, d1}, [r8:128]!"
  try "vst4.16 {d0[1], d1[1], d2[1], d3[1]}, [r8:64], r7"
  try "pld [r8]"
  try "pld [r8, r7, lsl #2]"
  try "pli [r8, #4]"
  try "pldw [r8, #-4]"
