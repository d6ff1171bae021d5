# SPDX-License-Identifier: Apache-2.0
# x86-64-memory.s - every form of memory operand, and every instruction that has one, with the macros
# of x86-64.s. After each its operand is read back, which shows where it was and what it became.

# Addresses: base, displacement, index, scale, absolute, behind the instruction, segment, 32 bits.
 .irp place, "(%rsi)", "-8(%rsi)", "0x80(%rsi)", "buf+0x100", "buf+0x100(%rip)", "(%rsi,%rcx)", "8(%rsi,%rcx,8)", "-4(%rsi,%rcx,4)", "buf+0x100(,%rcx,8)", "%fs:(%rsi)", "%fs:buf+0x100", "%gs:8(%rsi)", "(%esi)", "8(%esi,%ecx,4)", "(%rbp)", "(%rsp)", "8(%rsp,%rcx,2)", "(%r8)", "8(%r8,%r9,2)"
  try "mov $buf+0x140, %r8d", "mov $1, %r9d", "mov \place, %rax"
  try "mov $buf+0x140, %r8d", "mov $1, %r9d", "movl \place, %ebx"
  try "mov $buf+0x140, %r8d", "mov $1, %r9d", "mov %rdx, \place", "mov \place, %rax"
  try "mov $buf+0x140, %r8d", "mov $1, %r9d", "addw $5, \place", "mov \place, %rax"
  try "mov $buf+0x140, %r8d", "mov $1, %r9d", "lea \place, %rax"
 .endr
  try "movabs buf+0x100, %rax"
  try "movabs %rax, buf+0x100"
  try "movabs buf+0x100, %al"
  try "movabs %al, buf+0x100"

# An instruction in one width.
.macro sized i, s, operands:vararg
  try "\i\s \operands"
.endm
.macro sized_lock i, s, operands:vararg
  try "lock \i\s \operands"
.endm
.macro small_bit i, s, operands:vararg
  try "mov $0x19, %ebx", "\i\s \operands"
.endm

# In each width: r and q are registers of it.
.macro every_width s, r, q
 .irp i, rcl, rcr, rol, ror, shl, shr, sar
  .irp count, $1, $3, %cl
  sized \i, \s, \count, (%rsi)
  sized \i, \s, \count, \q
  .endr
 .endr
 .irp i, not, neg, inc, dec
  sized \i, \s, (%rsi)
  sized_lock \i, \s, (%rsi)
  sized \i, \s, \q
 .endr
 .irp i, adc, sbb, and, or, xor, add, sub, cmp
  sized \i, \s, $5, (%rsi)
  sized \i, \s, $5, \q
  sized \i, \s, \q, (%rsi)
  sized \i, \s, (%rsi), \q
  sized \i, \s, \r, \q
 .endr
 .irp i, adc, sbb, and, or, xor, add, sub
  sized_lock \i, \s, $5, (%rsi)
  sized_lock \i, \s, \q, (%rsi)
 .endr
 .irp i, xchg, xadd, cmpxchg
  sized \i, \s, \q, (%rsi)
  sized \i, \s, \r, \q
  sized_lock \i, \s, \q, (%rsi)
 .endr
  try "cmpxchg\s \q, (%rsi)", "cmpxchg\s \q, (%rsi)"
  try "test\s $5, (%rsi)"
  try "test\s \q, (%rsi)"
  try "mov\s \q, (%rsi)"
  try "mov\s (%rsi), \q"
  try "mov\s $5, (%rsi)"
  try "mul\s (%rsi)"
  try "imul\s (%rsi)"
  try "mov $0, %edx", "mov $0x55, %eax", "div\s (%rsi)"
  try "mov $0, %edx", "mov $0x55, %eax", "idiv\s (%rsi)"
.endm
  every_width b, %al, %bl
  every_width b, %ah, %bh
  every_width w, %ax, %bx
  every_width l, %eax, %ebx
  every_width q, %rax, %rbx

# In each but bytes.
.macro every_wide s, r, q
  try "imul\s (%rsi), \q"
  try "imul\s $3, (%rsi), \q"
  try "imul\s $300, (%rsi), \q"
  try "movbe\s \q, (%rsi)"
  try "movbe\s (%rsi), \q"
 .irp i, shld, shrd
  sized \i, \s, $3, \q, (%rsi)
  sized \i, \s, %cl, \q, (%rsi)
 .endr
 .irp i, bt, bts, btr, btc
  sized \i, \s, $3, (%rsi)
  small_bit \i, \s, \q, (%rsi)
 .endr
  sized_lock bts, \s, $3, (%rsi)
 .irp i, bsf, bsr, popcnt, tzcnt, lzcnt
  sized \i, \s, (%rsi), \q
 .endr
 .irp c, o, no, b, ae, e, ne, be, a, s, ns, p, np, l, ge, le, g
  sized cmov\c, \s, (%rsi), \q
  sized cmov\c, \s, \r, \q
 .endr
.endm
  every_wide w, %ax, %bx
  every_wide l, %eax, %ebx
  every_wide q, %rax, %rbx

 .irp c, o, no, b, ae, e, ne, be, a, s, ns, p, np, l, ge, le, g
  try "set\c (%rsi)"
 .endr
 .irp i, movsbw, movzbw
  try "\i (%rsi), %bx"
 .endr
 .irp i, movsbl, movswl, movzbl, movzwl
  try "\i (%rsi), %ebx"
 .endr
 .irp i, movsbq, movswq, movslq, movzbq, movzwq
  try "\i (%rsi), %rbx"
 .endr
  try "crc32b (%rsi), %ebx", "crc32w (%rsi), %ebx", "crc32l (%rsi), %ebx"
  try "crc32b (%rsi), %rbx", "crc32q (%rsi), %rbx"
 .irp i, adcx, adox
  try "\i (%rsi), %ebx"
  try "\i (%rsi), %rbx"
 .endr
 .irp i, andn, pdep, pext, mulx
  try "\i (%rsi), %eax, %ebx"
  try "\i (%rsi), %rax, %rbx"
 .endr
 .irp i, bextr, bzhi, sarx, shlx, shrx
  try "\i %ecx, (%rsi), %ebx"
  try "\i %rcx, (%rsi), %rbx"
 .endr
 .irp i, blsi, blsr, blsmsk
  try "\i (%rsi), %ebx"
  try "\i (%rsi), %rbx"
 .endr
  try "rorx $5, (%rsi), %ebx"
  try "rorx $5, (%rsi), %rbx"
  try "movnti %eax, (%rsi)"
  try "movnti %rax, (%rsi)"
  try "cmpxchg8b (%rsi)"
  try "mov %ds, (%rsi)"
  try "movw $0, (%rsi)", "movw (%rsi), %es"
  try "clflush (%rsi)"
  try "prefetchw (%rsi)"
  try "stmxcsr (%rsi)", "ldmxcsr (%rsi)"
  try "sidt (%rsi)"
  # Jumps and calls by memory, their returns, and the stack by memory.
  try "movq $1f, (%rsi)", "jmp *(%rsi)", "nop", "1:"
  try "movq $1f, (%rsi)", "jmp *-24(%rsi,%rcx,8)", "nop", "1:"
  try "movq $1f, (%rsi)", "call *(%rsi)", "nop", "1: pop %rax"
  try "movq $1f, 0x100(%rsp)", "call *0x100(%rsp)", "nop", "1: pop %rax"
  try "push $1f", "ret", "nop", "1:"
  try "push $0", "push $1f", "ret $8", "nop", "1:"
  try "pushq 8(%rsi)", "popq (%rsi)"
  try "pushq 8(%rsp)", "popq 8(%rsp)"
  try "pushw (%rsi,%rcx,8)", "popw 2(%rsi)"

# The old floating-point unit.
 .irp i, flds, fldl, fldt, filds, fildl, fildll, fadds, faddl, fmuls, fdivrl, fcoms, fcompl, fiadds, fiaddl, fimuls, ficoml, fidivl, fisubrs, fldcw
  try "fninit", "fld1", "\i (%rsi)"
 .endr
 .irp i, fsts, fstl, fstps, fstpl, fstpt, fists, fistl, fistps, fistpl, fistpll, fisttps, fisttpl, fisttpll, fnstcw, fnstsw
  try "fninit", "fld1", "\i (%rsi)"
 .endr

# Vectors.
 .irp i, movaps, movapd, movups, movupd, movdqa, movdqu
  try "\i (%rsi), %xmm1"
  try "\i %xmm1, (%rsi)"
  try "v\i (%rsi), %ymm1"
  try "v\i %ymm1, (%rsi)"
  try "v\i %xmm1, (%rsi)"
 .endr
 .irp i, movntps, movntpd, movntdq
  try "\i %xmm1, (%rsi)"
  try "v\i %ymm1, (%rsi)"
 .endr
 .irp i, movss, movsd, movd, movq, movlps, movhps, movlpd, movhpd
  try "\i (%rsi), %xmm1"
  try "\i %xmm1, (%rsi)"
 .endr
 .irp i, lddqu, movntdqa, movddup, movsldup, movshdup, addps, subpd, mulss, divsd, sqrtss, sqrtpd, rcpps, rsqrtss, minsd, maxps, andps, andnpd, orps, xorpd, ucomiss, ucomisd, comiss, comisd, cvtss2sd, cvtsd2ss, cvtdq2ps, cvtps2dq, cvttps2dq, cvtdq2pd, cvtpd2ps, cvtps2pd, unpcklps, unpckhpd, haddps, addsubpd, paddb, paddq, psubw, pmullw, pmuludq, pmaddwd, pand, pandn, por, pxor, pcmpeqb, pcmpgtd, pcmpeqq, psllw, psrad, psrlq, punpcklbw, punpckhqdq, packsswb, packusdw, pshufb, phaddw, pmaddubsw, pabsd, psignb, pminsb, pmaxud, pmulld, pmuldq, pmovzxbw, pmovzxbd, pmovzxbq, pmovsxwd, pmovsxwq, pmovsxdq, phminposuw, ptest, aesenc, aesdeclast, aesimc, psadbw, pavgb, blendvps, pblendvb
  try "\i (%rsi), %xmm1"
 .endr
 .irp i, cvtsi2ss, cvtsi2sd
  try "\i\()l (%rsi), %xmm1"
  try "\i\()q (%rsi), %xmm1"
 .endr
 .irp i, cvtss2si, cvttss2si, cvtsd2si, cvttsd2si
  try "\i (%rsi), %ebx"
  try "\i (%rsi), %rbx"
 .endr
 .irp i, pshufd, pshuflw, pshufhw, shufps, shufpd, cmpps, cmpsd, cmpss, cmppd, palignr, pinsrb, pinsrw, pinsrd, pinsrq, insertps, roundps, roundsd, blendps, pblendw, dpps, dppd, mpsadbw, pclmulqdq, aeskeygenassist, pcmpistri, pcmpestrm
  try "\i $1, (%rsi), %xmm1"
 .endr
 .irp i, pextrb, pextrw, pextrd, pextrq, extractps
  try "\i $1, %xmm1, (%rsi)"
 .endr
  try "movdqu %xmm1, (%rdi)", "maskmovdqu %xmm0, %xmm1"
 .irp i, movd, movq, paddb, pxor
  try "\i (%rsi), %mm1", "emms"
 .endr
  try "movq %mm1, (%rsi)", "movntq %mm1, (%rsi)", "emms"
  try "cvtpi2ps (%rsi), %xmm1", "emms"
  try "cvttpd2pi (%rsi), %mm1", "emms"
  try "pinsrw $1, (%rsi), %mm1", "emms"
 .irp i, vaddps, vsubpd, vpaddb, vpand, vpcmpeqd, vpshufb, vpermd, vpmulld, vpsllvd, vpsrlvq, vunpcklps, vfmadd132pd, vfmsub213ps, vfnmadd231pd, vandps, vpunpckhqdq, vpackuswb
  try "\i (%rsi), %ymm1, %ymm2"
 .endr
 .irp i, vaddss, vsubsd, vmulps, vfmadd132sd, vfmadd213ss, vcvtss2sd, vsqrtsd, vpminud, vmovhps, vmovlpd, vaesenc
  try "\i (%rsi), %xmm1, %xmm2"
 .endr
 .irp i, vbroadcastss, vpbroadcastb, vpbroadcastw, vpbroadcastd, vpbroadcastq, vpmovzxbw, vpmovsxdq, vpabsb, vlddqu, vmovddup, vptest, vcvtps2pd, vcvtdq2pd, vsqrtps, vmovntdqa, vbroadcastsd, vbroadcastf128, vbroadcasti128
  try "\i (%rsi), %ymm1"
 .endr
 .irp i, vperm2f128, vperm2i128, vshufps, vpblendd, vpalignr, vcmpps, vblendpd
  try "\i $1, (%rsi), %ymm1, %ymm2"
 .endr
 .irp i, vpermq, vpermpd, vpshufd, vroundps, vpermilps
  try "\i $1, (%rsi), %ymm1"
 .endr
 .irp i, vinsertf128, vinserti128
  try "\i $1, (%rsi), %ymm1, %ymm2"
 .endr
 .irp i, vextractf128, vextracti128
  try "\i $1, %ymm1, (%rsi)"
 .endr
  try "vblendvps %ymm1, (%rsi), %ymm2, %ymm3"
  try "vpinsrq $1, (%rsi), %xmm1, %xmm2"
  try "vpextrq $1, %xmm1, (%rsi)"
  try "vmovss (%rsi), %xmm1", "vmovss %xmm1, 4(%rsi)", "vmovsd %xmm1, 8(%rsi)"
  try "vmovd %xmm1, (%rsi)", "vmovq %xmm1, 8(%rsi)"
  try "vpxor %ymm1, %ymm1, %ymm1", "vpcmpeqd %ymm2, %ymm2, %ymm2", "vpgatherdd %ymm2, (%rsi,%ymm1,4), %ymm3"
  try "vpxor %ymm1, %ymm1, %ymm1", "vpcmpeqd %ymm2, %ymm2, %ymm2", "vgatherqpd %ymm2, 8(%rsi,%ymm1), %ymm3"
  try "vzeroupper"
