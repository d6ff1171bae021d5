# SPDX-License-Identifier: Apache-2.0
# x86.s - instructions of 32-bit x86 whose effects are easily described wrong (capture-claims.sh): what 64-bit code
# lacks, and what loads segments. Behind each, registers and flags decide addresses and branches, and memory is read back.

# Addresses by the low and the high half of registers.
.macro see regs:vararg
 .irp r, \regs
  mov %\r, place
  push %ebp
  mov place, %ebp
  and $0x7f8, %ebp
  push %eax
  movb buf(%ebp), %al
  mov place, %ebp
  shr $21, %ebp
  movb buf(%ebp), %al
  pop %eax
  pop %ebp
 .endr
.endm

.macro see_flags
 .irp c, o, b, e, be, s, l, le
  j\c 1f
  nop
1:
 .endr
.endm

# Known values everywhere, and known flags.
.macro known
  mov $0x89abcdef, %eax
  mov $0x11223344, %ebx
  mov $3, %ecx
  mov $0xfedcba98, %edx
  mov $buf+0x100, %esi
  mov $buf+0x200, %edi
  mov $stack+128, %ebp
  mov $stack, %esp
  movl $0x5a6978aa, (%esi)
  movl $0x0f0102bb, (%edi)
  mov %ds, 4(%esi)
  cmp $2, %ecx
.endm

# One or more instructions, then all that they may have changed.
.macro try insns:vararg
  known
 .irp i, \insns
  \i
 .endr
  see_flags
  see eax, ebx, ecx, edx, esi, edi, ebp, esp
  mov buf+0x100, %ebx
  see ebx
  mov buf+0x200, %ebx
  see ebx
.endm

.text
.globl _start
_start:
  cld
  # A thread's area at 16 bytes behind the buffer, so that addresses by gs are not those without.
  mov $243, %eax
  mov $area, %ebx
  int $0x80
  mov area, %eax
  lea 3(,%eax,8), %eax
  mov %eax, selector
  mov %ax, %gs
  # Decimal arithmetic.
 .irp i, aaa, aas, daa, das, aam, aad
  try "\i"
  try "mov $0x9f, %eax", "\i"
  try "mov $0x1234, %eax", "\i"
 .endr
  try "aam $7"
  try "aad $7"
  # Segments: what loads one reads the emulator's tables.
 .irp s, ds, es, ss, fs, gs
  try "push %\s", "pop %\s"
  try "pushw %\s", "popw %\s"
  try "mov %\s, %eax", "mov %eax, %\s"
  try "mov %\s, (%esi)", "mov (%esi), %\s"
 .endr
 .irp i, les, lds, lfs, lss
  try "\i (%esi), %eax"
  try "mov %ds, 2(%esi)", "\i (%esi), %ax"
 .endr
  try "mov selector, %eax", "mov %eax, 4(%esi)", "lgs (%esi), %ebx"
  try "lar 4(%esi), %eax"
  try "lsl 4(%esi), %eax"
  try "verr 4(%esi)"
  try "verw 4(%esi)"
  # Addresses by a segment that begins elsewhere.
  try "gs movsb"
  try "gs lodsl"
  try "gs rep movsb"
  try "gs cmpsb"
  try "gs stosb"
  try "gs scasb"
  try "mov $buf, %ebx", "mov $5, %al", "gs xlat"
  try "mov %gs:buf, %eax"
  try "mov %gs:(%esi), %ebx"
  try "lea %gs:8(%esi), %ebx"
  try "pushl %gs:8(%esi)", "popl %gs:16(%esi)"
  # What else 64-bit code lacks.
  try "mov $5, %eax", "bound %eax, bounds"
  try "pusha", "popa"
  try "pushaw", "popaw"
  try "push %cs", "pop %eax"
  try "inc %eax", "dec %ebx"
  try "mov $buf, %ebx", "mov $5, %al", "xlat"
  try ".byte 0xd6" # salc
  try "mov $1f, %eax", "jmp *%eax", "1:"
  mov $1, %eax
  xor %ebx, %ebx
  int $0x80

.data
.balign 64
# Number, start, limit, and that it is of 32 bits and counted in pages.
area: .long -1, 64, 0xfffff, 0x51
selector: .long 0
bounds: .long 0x80000000, 0x7fffffff
place: .long 0
.balign 4096
buf: .zero 8192
stack: .zero 4096
