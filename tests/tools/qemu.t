SPDX-License-Identifier: Apache-2.0
Logs of QEMU -d in_asm,exec,nochain are recognised and read: blocks of instructions, and which were executed.

  $ show() { octrace info "$@" 2>err | grep -E '^(format|isa|gaps) ' && octrace convert --to text:bytes=1 "$@" - 2>err | grep -v '^#'; }
  $ cat >riscv.log <<'END'
  > ----------------
  > IN: main
  > Priv: 3; Virt: 0
  > 0x0000000000010150:  1141              addi                    sp,sp,-16
  > 0x0000000000010152:  ff7ff0ef          jal                     ra,-10                  # 0x10148
  > 
  > Trace 0: 0x7f8bd4000100 [00000000/0000000000010150/00000000/ff001000] main
  > ----------------
  > IN: f
  > Priv: 0; Virt: 0
  > 0x0000000000010148:  4501              mv                      a0,zero
  > 0x000000000001014a:  8082              ret                     
  > 
  > Trace 0: 0x7f8bd4000280 [00000000/0000000000010148/00000000/ff001000] f
  > Trace 1: 0x7f8bd4000100 [00000000/0000000000010150/00000000/ff001000] main
  > END
  $ show riscv.log
  format                 qemu
  isa                    riscv64
  !privilege P:3
  0000000000010150/2 I:4111
  0000000000010152 I:eff07fff
  !privilege P:0
  0000000000010148/2 I:0145
  000000000001014a/2 I:8280
  !privilege P:3
  0000000000010150/2 T:1
  0000000000010152 T:1

Registers (-d cpu) and the code of the host (-d out_asm) do not tell the instruction set.

  $ cat >dumps.log <<'END'
  > IN: f
  > 0x0000000000010148:  4501              mv                      a0,zero
  > 0x000000000001014a:  8082              ret                     
  > 
  > OUT: [size=48]
  > 0x7f8bd4000280:  8b 5d f0                 movl     -0x10(%rbp), %ebx
  > 0x7f8bd4000283:  48 89 5d 50              movq     %rbx, 0x50(%rbp)
  > 
  > Trace 0: 0x7f8bd4000280 [0000000000000000/0000000000010148/00000000/ff001000] f
  >  pc       0000000000010148
  >  x24/s8   0000000000000000 x25/s9   0000000000000000 x26/s10  0000000000000000 x27/s11  0000000000000000
  >  x28/t3   0000000000000000 x29/t4   0000000000000000 x30/t5   0000000000000000 x31/t6   0000000000000000
  > END
  $ show dumps.log
  format                 qemu
  isa                    riscv64
  0000000000010148/2 I:0145
  000000000001014a/2 I:8280

An instruction set that octrace does not know is not taken for another one: of S/390, x86-64 has more of the words.

  $ cat >s390.log <<'END'
  > IN: f
  > 0x01000840:  4140 f008       la       %r4, 8(%r15)
  > 0x01000844:  e330 f000 0004  lg       %r3, 0(%r15)
  > 0x0100084a:  a709 fff0       lghi     %r0, -0x10
  > 0x0100084e:  07fe            br       %r14
  > 
  > Trace 0: 0x7f8bd4000280 [0000000000000000/0000000001000840/00000000/ff001000] f
  > END
  $ show s390.log
  format                 qemu
  isa                    unknown
  0000000001000840
  0000000001000844/6
  000000000100084a
  000000000100084e

An instruction of x86 may need two lines. 32 bits are known by the width of an address, and --isa wins.

  $ cat >x86.log <<'END'
  > IN: 
  > 0x00401000:  48 b8 11 22 33 44 55 66  movabsq  $0x8877665544332211, %rax
  > 0x00401008:  77 88
  > 0x0040100a:  eb f4                    jmp      0x401000
  > 
  > Trace 0: 0x7fce7c000100 [0000000000000000/0000000000401000/1040c0b3/00000200] 
  > END
  $ show x86.log
  format                 qemu
  isa                    x86-64
  0000000000401000/10 I:48b81122334455667788
  000000000040100a/2 I:ebf4
  $ printf 'IN: \n0x0040100a:  90  nop\n0x0040100b:  c3  ret\n\nTrace 0: 0x7f0 [00000000/0040100a/0/0] \n' >x32.log
  $ show --isa x86 x32.log
  format                 qemu
  isa                    x86
  0040100a/1 I:90
  0040100b/1 I:c3

A far jump has a segment in front of a colon. Lines of the host's code, as out_asm writes them, are none of the block.

  $ cat >boot.log <<'END'
  > IN: 
  > 0x00000000fffffff0:  ea 5b e0 00 f0           ljmpw    $0xf000:$0xe05b
  > 
  > OUT: [size=64]
  >   -- guest addr 0x00000000fffffff0 + tb prologue
  > 0x7f8680000100:  8b 5d f8                 movl     -8(%rbp), %ebx
  > 0x7f8680000103:  85 db                    testl    %ebx, %ebx
  > 
  > Trace 0: 0x7f8680000100 [00000000ffff0000/00000000fffffff0/00000040/ff000000] 
  > END
  $ octrace convert --from qemu --isa x86-64 --to text boot.log - | grep -v '^#'
  00000000fffffff0/5

ARM and Thumb, by the width of the words.

  $ cat >arm.log <<'END'
  > IN: 
  > 0x00010098:  fa0000a0  blx      #0x10320
  > 
  > Trace 0: 0x7fc3ec0000c0 [00000480/00010098/00000000/00000200] 
  > IN: 
  > 0x00010320:  f000 f8d6  bl       #0x104d0
  > 
  > Trace 0: 0x7fc3ec0001c0 [00800480/00010320/00000000/00000200] 
  > IN: 
  > 0x000104d0:  4834       ldr      r0, [pc, #0xd0]
  > 0x000104d2:  4770       bx       lr
  > 
  > Trace 0: 0x7fc3ec0002c0 [00800480/000104d0/00000000/00000200] 
  > END
  $ show arm.log
  format                 qemu
  isa                    arm
  00010098 I:a00000fa
  00010320 Ithumb:00f0d6f8
  000104d0/2 Ithumb:3448
  000104d2/2 Ithumb:7047

QEMU without a disassembler has the bytes of a block, and needs the instruction set.

  $ cat >objd.log <<'END'
  > IN: 
  > 0x00010150:  
  > OBJD-T: 4111eff0
  > OBJD-T: 7fff
  > 
  > Trace 0: 0x7f8bd4000100 [00000000/00010150/00000000/ff001000] main
  > END
  $ show --isa riscv32 objd.log
  format                 qemu
  isa                    riscv32
  00010150/2 I:4111
  00010152 I:eff07fff
  $ octrace info objd.log
  4> octrace: objd.log:3: expected --isa (or --elf) for bytes without a disassembly, found 'OBJD-T: 4111eff0'

MIPS has no bytes there: sizes come from the next address.

  $ cat >mips.log <<'END'
  > IN: 
  > 0x00400110:  jal	0x400430
  > 0x00400114:  addiu	sp,sp,-8
  > 
  > Trace 0: 0x7f68140000c0 [00000000/00400110/000000e2/00000200] 
  > END
  $ show mips.log
  format                 qemu
  isa                    mips
  00400110
  00400114

Traps of -d int: what an exception left of a block; a block that was not begun.

  $ cat >int.log <<'END'
  > IN: main
  > Priv: 1; Virt: 0
  > 0x80000000:  00052503          lw                      a0,0(a0)
  > 0x80000004:  00052583          lw                      a1,0(a0)
  > 0x80000008:  00000073          ecall
  > 
  > Trace 0: 0x7f8bd4000100 [00000000/80000000/00000000/ff001000] main
  > riscv_cpu_do_interrupt: hart:0, async:0, cause:0000000d, epc:0x80000004, tval:0x00001000, desc=load_page_fault
  > IN: trap
  > Priv: 3; Virt: 0
  > 0x80000100:  30200073          mret
  > 
  > Trace 0: 0x7f8bd4000200 [00000000/80000100/00000000/ff001000] trap
  > Trace 0: 0x7f8bd4000100 [00000000/80000000/00000000/ff001000] main
  > riscv_cpu_do_interrupt: hart:0, async:0, cause:00000009, epc:0x80000008, tval:0x00000000, desc=s_call
  > Trace 0: 0x7f8bd4000200 [00000000/80000100/00000000/ff001000] trap
  > Trace 0: 0x7f8bd4000100 [00000000/80000000/00000000/ff001000] main
  > Stopped execution of TB chain before 0x7f8bd4000100 [80000000] main
  > riscv_cpu_do_interrupt: hart:0, async:1, cause:00000007, epc:0x80000000, tval:0x00000000, desc=m_timer
  > Trace 0: 0x7f8bd4000200 [00000000/80000100/00000000/ff001000] trap
  > END
  $ show int.log
  format                 qemu
  isa                    riscv32
  !privilege P:1
  80000000 I:03250500
  !exception 13 A:80000004 V:00001000 P:3
  80000100 I:73002030
  !privilege P:1
  80000000
  80000004 I:83250500
  !exception 9 A:80000008 V:00000000 P:3
  80000100
  !privilege P:1
  !interrupt 7 A:80000000 P:3
  80000100

With a hypervisor, the privileges of its machines are others.

  $ sed 's/1; Virt: 0/1; Virt: 1/' int.log >machine.log
  $ show machine.log | grep -n '^!privilege'
  3:!privilege P:6
  7:!privilege P:6
  12:!privilege P:6

A block that was translated again, at another place of the host; one that QEMU went to without a line; one that is unknown.

  $ cat >again.log <<'END'
  > IN: main
  > 0x00010150:  0001              nop
  > 0x00010152:  bffd              j                       -2                      # 0x10150
  > 
  > Trace 0: 0x100 [00000000/00010150/00000000/ff001000] main
  > IN: main
  > 0x00010150:  0001              nop
  > 
  > Trace 0: 0x200 [00000000/00010150/00000000/ff001001] main
  > Trace 0: 0x100 [00000000/00010150/00000000/ff001000] main
  > Trace 0: 0x300 [00000000/00010190/00000000/ff001000] main
  > IN: main
  > 0x00010170:  00000013              nop
  > 
  > Trace 0: 0x200 [00000000/00010150/00000000/ff001001] main
  > Trace 0: 0x400 [00000000/00010170/00000000/ff001001] main
  > END
  $ show --isa riscv32 again.log
  format                 qemu
  isa                    riscv32
  gaps                   3
  00010150/2 I:0100
  00010152/2 I:fdbf
  00010150/2
  !gap lost
  00010150/2
  00010152/2
  !gap lost
  00010150/2
  !gap lost
  00010170 I:13000000

What is wrong.

  $ printf 'IN: main\n0x00010150:  0001  nop\n' >bad.log && octrace info --isa riscv32 bad.log
  4> octrace: bad.log: none of its lines (2) is 'Trace CPU: HOST [BASE/PC/...]' after 'IN:' of its block (-d in_asm,exec,nochain)
  $ printf 'Trace 0: 0x100 [00000000/00010150/00000000/ff001000] main\n' >bad.log && octrace info bad.log
  4> octrace: bad.log: none of its lines (1) is 'Trace CPU: HOST [BASE/PC/...]' after 'IN:' of its block (-d in_asm,exec,nochain)
  $ { cat riscv.log; printf 'Trace 0: 0x100 [00000000]\n'; } >bad.log && octrace info bad.log 2>&1 >out
  octrace: bad.log:16: expected 'Trace CPU: HOST [BASE/PC/...]', found 'Trace 0: 0x100 [00000000]'
  [exit 4]
  $ { cat riscv.log; printf 'Trace 0: 0x7f8bd4000100 [0/10150/0/0]\nIN: \nOBJD-T: 4111e\nOBJD-T: 41x1\n'; } >bad.log && octrace info bad.log 2>&1 >out
  octrace: bad.log:19: expected at most 16384 bytes of two hexadecimal digits, found 'x1'
  [exit 4]
  $ printf 'IN: \n0x00401000:  48 b8 11 22 33 44 55 66  movabsq  $0x8877665544332211, %%rax\n0x00401009:  77 88\n' >bad.log && octrace info bad.log
  4> octrace: bad.log:3: expected the rest of the instruction before, found '0x00401009:  77 88'
