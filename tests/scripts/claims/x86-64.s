# SPDX-License-Identifier: Apache-2.0
# x86-64.s - instructions whose effects are easily described wrong (capture-claims.sh). Behind each,
# registers and flags decide addresses and branches, and memory is read back.

# Addresses by the halves of registers.
.macro see regs:vararg
 .irp r, \regs
  mov %\r, %r15
  and $0x7f8, %r15d
  mov buf(%r15), %r14b
  mov %\r, %r15
  shr $32, %r15
  and $0x7f8, %r15d
  mov buf(%r15), %r14b
 .endr
.endm

.macro see_all
  see rax, rbx, rcx, rdx, rsi, rdi, rbp, rsp, r8, r9
.endm

.macro see_flags
 .irp c, o, b, e, be, s, l, le
  j\c 1f
  nop
1:
 .endr
.endm

# A word of memory that was loaded.
.macro see_memory place
  mov \place, %r13
  see r13
.endm

# Known values everywhere, and known flags.
.macro known
  movabs $0x0123456789abcdef, %rax
  movabs $0x1122334455667788, %rbx
  mov $3, %ecx
  movabs $0xfedcba9876543210, %rdx
  mov $buf+0x100, %esi
  mov $buf+0x200, %edi
  mov $buf+0x300, %ebp
  mov $stack, %rsp
  movabs $0x0f1e2d3c4b5a6978, %r8
  movabs $0x0a0b0c0d0e0f0102, %r9
  mov %r8, (%rsi)
  mov %r9, (%rdi)
  cmp $2, %ecx
.endm

# One or more instructions, then all that they may have changed.
.macro try insns:vararg
  known
 .irp i, \insns
  \i
 .endr
  see_flags
  see_all
  see_memory buf+0x100
  see_memory buf+0x200
.endm

.text
.globl _start
_start:
  cld
  # Comparisons of strings in vector registers.
  try "pcmpistri $8, %xmm0, %xmm1"
  try "pcmpestri $8, %xmm0, %xmm1"
  try "pcmpistrm $8, %xmm0, %xmm1"
  try "pcmpestrm $8, %xmm0, %xmm1"
  try "vpcmpistri $8, %xmm0, %xmm1"
  try "vtestps %xmm0, %xmm1"
  try "ptest %xmm0, %xmm1"
  try "ucomisd %xmm0, %xmm1"
  try "cmpltsd (%rsi), %xmm0"
  try "cmp $5, %rax", "cmplesd (%rsi), %xmm0", "cmplesd %xmm1, %xmm0"
  try "movsd %xmm0, (%rsi)"
  # Strings, up and down, once and repeated.
 .irp i, movsb, movsw, movsl, movsq, stosb, stosw, stosl, stosq, lodsb, lodsw, lodsl, lodsq, scasb, scasw, scasl, scasq, cmpsb, cmpsw, cmpsl, cmpsq
  try "\i"
  try "rep \i"
  known
  std
  \i
  see_all
  rep \i
  see_all
  cld
  \i
  see_flags
  see_all
 .endr
 .irp i, scasb, scasw, cmpsw, cmpsq
  try "repne \i"
 .endr
  try "mov $0, %ecx", "rep movsb"
  try "addr32 movsb"
  try "addr32 lodsl"
  try "addr32 rep stosb"
  try "movabs $0x100000003, %rcx", "addr32 rep stosb"
  try "movabs $0x100000000, %rcx", "addr32 rep movsw"
  try "movabs $0x100000002, %rcx", "addr32 repe cmpsb"
  # Addresses by a segment that begins elsewhere.
  mov $158, %eax
  mov $0x1002, %edi
  mov $0x40, %esi
  syscall
 .irp i, movsb, lodsq, cmpsb, stosb, scasb
  try "fs \i"
  try "fs rep \i"
 .endr
  try "mov $buf, %ebx", "mov $5, %eax", "fs xlat"
  try "mov $buf, %ebx", "mov $5, %eax", "addr32 xlat"
  try "mov %fs:(%rsi), %rax"
  try "lea %fs:8(%rsi), %rax"
  try "pushq %fs:8(%rsi)", "popq %fs:16(%rsi)"
  # movsxd without REX.W extends nothing.
  try ".byte 0x63, 0xf8" # movsxd %eax, %edi
  try "movl $-3, (%rsi)", ".byte 0x63, 0x3e" # movsxd (%rsi), %edi
  try ".byte 0x66, 0x63, 0xf8" # movsxd %eax, %di
  # The stack.
  try "pushw $-3"
  try "pushw $0x1234", "popw %ax"
  try "pushq $-5", "pop %rbx"
  try "pushq $0x12345678", "pop %rbx"
  try "push %fs", "pop %rax"
  try "push %gs", "pop %gs"
  try "pushw %fs", "popw %fs"
  try "mov %ss, %eax", "push %rax", "pop %fs"
  try "mov %ss, %eax", "mov %eax, (%rsi)", "mov (%rsi), %ds"
  try "mov %ss, %eax", "mov %eax, 4(%rsi)", "lfs (%rsi), %ebx"
  try "mov %ss, %eax", "mov %eax, (%rsi)", "lar (%rsi), %ebx"
  try "pushw %ax", "popw %bx"
  try "pushw (%rsi)", "popw (%rdi)"
  try "pushq (%rsi)", "popq (%rdi)"
  try "pushfq", "popfq"
  try "pushfw", "popfw"
  try "pushfq", "std", "lodsb", "popfq", "lodsb"
  try "pushfw", "std", "movsb", "popfw", "movsb"
  try "push %rsp", "pop %rsp"
  try "push %rax", "popq 8(%rsp)"
  try "enter $16, $0"
  try "enter $0x80, $0", "leave"
  try "enter $16, $2"
  try "mov %rsp, %rbp", "enter $8, $1", "leave"
  try "mov %rsp, %rbp", "leavew"
  # Exchanges.
  try "xchg %rax, (%rsi)"
  try "xchg %eax, (%rsi)"
  try "xchg %ax, (%rsi)"
  try "xchg %al, 3(%rsi)"
  try "xchg %rax, %rbx"
  try "xchg %eax, %ebx"
  try "xchg %ah, %bl"
  try "xadd %rax, (%rsi)"
  try "lock xadd %eax, (%rdi)"
  try "xadd %rax, %rbx"
  try "cmpxchg %rbx, (%rsi)"
  try "mov (%rsi), %rax", "lock cmpxchg %rbx, (%rsi)"
  try "cmpxchg %ebx, %edx"
  try "cmpxchg8b (%rsi)"
  try "lock cmpxchg16b (%rsi)"
  try "mov (%rsi), %rax", "mov 8(%rsi), %rdx", "lock cmpxchg16b (%rsi)"
  try "mov $buf, %ebx", "xlat"
  try "btsq $5, (%rsi)"
  try "mov $99, %eax", "btcl %eax, (%rsi)"
  try "lock addl $5, (%rsi)"
  try "negq (%rsi)"
  try "sete (%rsi)"
  try "movbe (%rsi), %rax"
  # Rotations of memory, and what masks decide.
 .irp i, rol, ror, rcl, rcr
  try "\i\()q $1, (%rsi)"
  try "\i\()l $3, (%rdi)"
  try "\i\()w %cl, (%rsi)"
  try "\i\()b $1, 5(%rsi)"
 .endr
  try "vpcmpeqd %ymm1, %ymm1, %ymm1", "vpslldq $4, %ymm1, %ymm1", "vpmaskmovd %ymm0, %ymm1, (%rsi)"
  try "vpmaskmovq (%rsi), %xmm1, %xmm0"
  try "vmaskmovps %ymm0, %ymm1, (%rdi)"
  try "maskmovdqu %xmm1, %xmm0"
  # Far calls and returns.
  movl $2f, far
  known
  lcall *far
2:
  see_all
  known
  push $0x33
  push $3f
  lretq
  nop
3:
  see_all
  # Areas.
  try "fnstenv buf+0x100"
  try "fldenv buf+0x100"
  try "fnsave buf+0x100"
  try "frstor buf+0x100"
  try "fxsave buf+0x100"
  try "fistpl (%rsi)"
  try "fld1", "fstpt (%rsi)"
  try "fld1", "fbstp (%rsi)", "fbld (%rsi)"
  try "movups %xmm0, (%rsi)"
  try "vmovups %ymm0, (%rsi)"
  try "mov $2, %ecx", "loop 1f", "1:"
  try "jrcxz 1f", "1:"
  try "jecxz 1f", "1:"
  .include "x86-64-memory.s"
  mov $60, %eax
  xor %edi, %edi
  syscall

.data
.balign 64
buf: .zero 4096
far: .long 0
  .word 0x33
.balign 16
  .zero 4096
stack: .zero 256
