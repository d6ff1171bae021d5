@ SPDX-License-Identifier: Apache-2.0
@ arm.s - instructions of A32 and T32 whose effects are easily described wrong (capture-claims.sh; T32
@ with THUMB defined). Behind each, registers and flags decide addresses, and memory is read back.
.syntax unified
.arch armv7ve

.macro see regs:vararg
 .irp r, \regs
  mov r11, \r, lsl #21
  mov r11, r11, lsr #21
  ldrb r12, [r10, r11]
  mov r11, \r, lsr #21
  ldrb r12, [r10, r11]
 .endr
.endm

.macro see_flags
 .irp c, eq, cs, mi, vs, hi, ge, gt
  b\c 1f
  nop
1:
 .endr
.endm

.macro value reg, a, b
  movw \reg, #\a
  movt \reg, #\b
.endm

@ r0 to r7 are known, r8 and r9 point into the buffer, r10 is its start.
.macro known
  movw r10, #:lower16:buf
  movt r10, #:upper16:buf
  value r0, 0x1234, 0x5678
  value r1, 0x9abc, 0xdef0
  value r2, 0x2222, 0x3333
  value r3, 0x4444, 0x5555
  value r4, 0x6666, 0x7777
  value r5, 0x8888, 0x9999
  value r6, 0x0f1e, 0x2d3c
  mov r7, #8
  add r8, r10, #0x100
  add r9, r10, #0x200
  strd r2, r3, [r8]
  strd r4, r5, [r8, #8]
  strd r0, r1, [r8, #-8]
  strd r6, r7, [r8, #16]
  cmp r1, r2
.endm

.macro try insns:vararg
  known
 .irp i, \insns
  \i
 .endr
  see_flags
  see r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, sp
  movw r10, #:lower16:buf
  movt r10, #:upper16:buf
  ldr r0, [r10, #0x100]
  ldr r1, [r10, #0x104]
  ldr r2, [r10, #0x108]
  ldr r3, [r10, #0xf8]
  see r0, r1, r2, r3
.endm

.text
.globl _start
.ifdef THUMB
.thumb
.thumb_func
.else
.arm
.endif
_start:
  @ Exclusive accesses.
  try "ldrex r0, [r8]"
  try "ldrexb r0, [r8]"
  try "ldrexh r0, [r8]"
  try "ldrexd r0, r1, [r8]"
  try "ldrex r0, [r8]", "strex r1, r2, [r8]"
  try "ldrexd r0, r1, [r8]", "strexd r2, r4, r5, [r8]"
  try "ldrexh r0, [r8]", "strexh r1, r2, [r8]"
  try "clrex", "strex r1, r2, [r8]"
  try "clrex", "strexd r2, r4, r5, [r8]"
  @ Pairs.
  try "ldrd r0, r1, [r8]"
  try "ldrd r0, r1, [r8, #8]!"
  try "ldrd r0, r1, [r8], #-8"
  try "strd r0, r1, [r8, #-8]!"
  try "strd r0, r1, [r8], #8"
  @ Single words.
  try "ldr r0, [r8, #4]!"
  try "ldr r0, [r8], #-4"
  try "ldrb r0, [r8, #1]!"
  try "ldrsh r0, [r8], #2"
  try "ldrsb r0, [r8, r7]"
  try "str r0, [r8, #4]!"
  try "strh r0, [r8], #-2"
  try "ldr r0, [r8, r7, lsl #1]"
  try "str r0, [r8, r7]"
  @ Lists, with the base among them or not.
  try "ldmia r8, {r0, r1, r2}"
  try "ldmia r8!, {r0, r1, r2}"
  try "ldmdb r8, {r0, r1}"
  try "ldmdb r8!, {r0, r1}"
  try "ldmia r8, {r0, r8}"
  try "ldmdb r8, {r8, r9}"
  try "stmia r8, {r0, r1, r2}"
  try "stmia r8!, {r0, r1, r2}"
  try "stmdb r8!, {r0, r1}"
  try "stmia r8, {r0, r8}"
  try "push {r0, r1, lr}", "pop {r2, r3, r4}"
  try "push {r0}", "pop {r1}"
  try "pld [r8]"
  try "it eq", "ldreq r0, [r8]"
  try "ite hi", "ldrhi r0, [r8, #4]", "strls r1, [r8]"
  try "sbfx r0, r1, #3, #9"
  try "sbfx r0, r1, #3, #17"
  try "ubfx r0, r1, #3, #16"
  try "ubfx r0, r1, #3, #17"
  try "ubfx r0, r1, #0, #32"
  try "usad8 r0, r1, r2"
  try "sdiv r0, r1, r2"
  try "umaal r0, r1, r2, r3"
  try "bfi r0, r1, #4, #8"
  try "uxtah r0, r1, r2"
  try "umull r0, r1, r2, r3"
  try "mrs r0, apsr"
  try "msr apsr_nzcvq, r0"
  try "adcs r0, r1, r2"
  try "rsbs r0, r1, #0"
  try "vld1.8 {d0, d1}, [r8]!"
  try "vst4.16 {d0, d1, d2, d3}, [r8], r7"
  try "vldmia r8!, {d0, d1}"
  try "vpush {d0}", "vpop {d1}"
  try "vmov r0, r1, d0"
  try "vcmp.f64 d0, d1", "vmrs apsr_nzcv, fpscr"
.ifdef THUMB
  try "vadd.i32 d0, d1, d2"
  try "cmp r1, r1", "it eq", "cmpeq r1, r2"
  try "cmp r1, r1", "it ne", "cmpne r1, r2"
  try "cmp r1, r1", "it eq", "tsteq r1, r2"
  try "cmp r1, r1", "it eq", "cmneq r1, r2"
  try "cbz r7, 1f", "1:"
  try "ldr r0, [r8, r7, lsl #2]"
  @ Jumps by tables.
  known
  mov r0, #1
  tbb [pc, r0]
2: .byte (3f-2b)/2, (4f-2b)/2
3: nop
4: see r0, r1
  known
  mov r0, #1
  tbh [pc, r0, lsl #1]
2: .hword (3f-2b)/2, (4f-2b)/2
3: nop
4: see r0, r1
.else
  @ What T32 lacks.
  try ".inst 0xe1080091" @ swp r0, r1, [r8]
  try ".inst 0xe1480091" @ swpb r0, r1, [r8]
  try "movseq r0, r1"
  try "ldmda r8!, {r0, r1}"
  try "ldmib r8!, {r0, r1}"
  try "stmda r8!, {r0, r1}"
  try "stmib r8, {r0, r1}"
  try "ldrd r0, r1, [r8, r7]"
  try "ldrd r0, r1, [r8], r7"
  try "strd r0, r1, [r8, -r7]!"
  try "ldr r0, [r8], r7"
  try "ldr r0, [r8, -r7]!"
  try "ldr r0, [r8], -r7, lsl #1"
  try "str r0, [r8, r7, asr #1]!"
  try "ldrh r0, [r8], -r7"
  try "strh r0, [r8, r7]!"
  try "ldrsb r0, [r8, -r7]"
  try "ldreq r0, [r8, #4]!"
  try "ldmhi r8!, {r0, r1}"
  try "movs r0, r1, rrx"
  try "movs r0, r1, lsr #32"
  known
  add r0, pc, #4
  str r0, [r8]
  ldr pc, [r8]
  nop
  see r0, r1, r8
.endif
  .include "arm-memory.s"
  mov r7, #1
  mov r0, #0
  svc #0

.data
.balign 4096
buf: .zero 4096
  .zero 4096
