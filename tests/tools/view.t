SPDX-License-Identifier: Apache-2.0
octrace view: a line for each instruction.

Bytes, assembly, symbols and accesses, as far as the trace and the program have them.

  $ octrace view --limit 6 --skip 2 --elf ../data/mixed-riscv64.elf ../data/mixed-riscv64.oct
           2  0x10128     1f2000ef  jal 0x1031a
           3  0x1031a     7139      addi sp, sp, -64              run
           4  0x1031c     f822      sd s0, 48(sp)                 run+0x2  S8:0x40008007c0
           5  0x1031e     81018413  addi s0, gp, -2032            run+0x4
           6  0x10322     f426      sd s1, 40(sp)                 run+0x8  S8:0x40008007b8
           7  0x10324     ec4e      sd s3, 24(sp)                 run+0xa  S8:0x40008007a8
  $ octrace view --limit 2 ../data/mixed-riscv64.oct
           0  0x10120
           1  0x10124
  $ octrace convert --to text --limit 3 ../data/mixed-riscv64.oct - | octrace view -
           0  0x10120
           1  0x10124
           2  0x10128
  $ for isa in aarch64 arm mips thumb x86-64; do octrace view --skip 20 --limit 2 --elf ../data/mixed-$isa.elf ../data/mixed-$isa.oct; done
          20  0x40044c    53147c23  lsr w3, w1, #0x14             run+0x4c
          21  0x400450    53087c25  lsr w5, w1, #8                run+0x50
          20  0x1036c     e1a0a423  lsr sl, r3, #8                run+0x4c
          21  0x10370     e081124b  add r1, r1, fp, asr #4        run+0x50
          20  0x400478    256b4e6d  addiu $t3, $t3, 0x4e6d        run+0x48
          21  0x40047c    240c0040  addiu $t4, $zero, 0x40        run+0x4c
          20  0x1028c     eb01112b  add.w r1, r1, fp, asr #4      run+0x44
          21  0x10290     f840af04  str sl, [r0, #4]!             run+0x48  S4:0x114b0
          20  0x4003c3    8888e0164000    mov byte ptr [rax + 0x4016e0], cl  run+0x43  S1:0x4016e0
          21  0x4003c9    89d1            mov ecx, edx                  run+0x49
  $ octrace view --csv - --limit 3 --skip 2 --elf ../data/mixed-riscv64.elf ../data/mixed-riscv64.oct
  number,address,size,bytes,assembly,symbol,source,accesses,traps,task,cycle
  2,0x10128,4,1f2000ef,"jal 0x1031a","","",,,0,
  3,0x1031a,2,7139,"addi sp, sp, -64","run","",,,0,
  4,0x1031c,2,f822,"sd s0, 48(sp)","run+0x2","",S8:0x40008007c0,,0,

Traps, changes of privilege, tasks and cycles.

  $ cat >t.txt <<END
  > # isa arm
  > 8000 L4:100 S:200 @5
  > !exception 2 A:8004 V:1f P:3
  > !privilege P:0
  > 8100 T:7
  > 8104 T:7 @9
  > !interrupt 7 A:8108
  > END
  $ octrace view t.txt
           0  0x8000      L4:0x100 S:0x200  @5
              !exception 2 at 0x8004 (0x1f) to privilege 3
              !privilege 0
              !task 7
           1  0x8100
           2  0x8104  @9
              !interrupt 7 at 0x8108
  $ octrace view --csv - t.txt
  number,address,size,bytes,assembly,symbol,source,accesses,traps,task,cycle
  0,0x8000,4,,"","","",L4:0x100 S:0x200,,0,5
  1,0x8100,4,,"","","",,!exception 2 at 0x8004 (0x1f) to privilege 3 !privilege 0,7,
  2,0x8104,4,,"","","",,,7,9

A line for each access.

  $ octrace view --accesses t.txt
  pc,address,access,size,number,task,cycle,value
  0x8000,0x100,L,4,0,0,5,
  0x8000,0x200,S,,0,0,5,
  $ octrace view --accesses --csv - --skip 1 --limit 10 --from champsim ../samples/foreign/x86-64.champsim.xz
  pc,address,access,size,number,task,cycle,value
  0x400104,0x40008007a8,S,,1,0,,
  0x400380,0x40008007a0,S,,2,0,,

Values of accesses, of their size; registers and memory that the trace tells, of the task that goes on.

  $ cat >v.txt <<'END'
  > # isa riscv64
  > !register x10=0000000000000007
  > !register f1=3ff0000000000000
  > 8000 L8:100=00000000deadbeef S1:200=00 L2:300
  > !memory 30 16
  > !memory 40 =00ff10
  > !gap overflow I:5
  > !register x2=0000000000000001
  > 8004 T:3 S4:104=00000001
  > !register x2=0000000000000002
  > END
  $ octrace convert v.txt v.oct
  0> octrace: note: v.txt: instructions are missing in 1 gap of the trace (1 overflow)
  $ octrace view v.oct
              !register x10=0x0000000000000007
              !register f1=0x3ff0000000000000
           0  0x8000      L8:0x100=0xdeadbeef S1:0x200=0x0 L2:0x300
              !task 3
              !memory 0x30 16
              !memory 0x40 =00ff10
              !gap overflow
              !register x2=0x0000000000000001
           1  0x8004      S4:0x104=0x1
              !register x2=0x0000000000000002
  0> octrace: note: v.oct: instructions are missing in 1 gap of the trace (1 overflow)
  $ octrace view --csv - v.oct
  number,address,size,bytes,assembly,symbol,source,accesses,traps,task,cycle
  0,0x8000,4,,"","","",L8:0x100=0xdeadbeef S1:0x200=0x0 L2:0x300,!register x10=0x0000000000000007 !register f1=0x3ff0000000000000,0,
  1,0x8004,4,,"","","",S4:0x104=0x1,!memory 0x30 16 !memory 0x40 =00ff10 !gap overflow !register x2=0x0000000000000001,3,
  0> octrace: note: v.oct: instructions are missing in 1 gap of the trace (1 overflow)
  $ octrace view --accesses v.oct
  pc,address,access,size,number,task,cycle,value
  0x8000,0x100,L,8,0,0,,0x00000000deadbeef
  0x8000,0x200,S,1,0,0,,0x00
  0x8000,0x300,L,2,0,0,,
  0x8004,0x104,S,4,1,3,,0x00000001
  0> octrace: note: v.oct: instructions are missing in 1 gap of the trace (1 overflow)
  $ octrace view --accesses ../samples/threads.oct | head -n 2
  pc,address,access,size,number,task,cycle,value
  0x3f7be5b0,0x3ecfeb6c,S,4,0,2,,

A file of them is replaced only by all of them, and is never the trace itself.

  $ octrace view --csv rows t.txt && octrace view --csv - t.txt | cmp - rows
  $ octrace view --accesses --csv rows ../samples/threads.oct && octrace view --accesses ../samples/threads.oct | cmp - rows
  $ cp rows before && { cat t.txt && echo ?; } >bad.txt
  $ octrace view --csv rows bad.txt
  4> octrace: bad.txt:8: expected a hexadecimal address, found '?'
  $ cmp rows before && ls | grep -c rows
  1
  $ cp t.txt same.txt && octrace view --csv same.txt same.txt
  2> octrace: same.txt: input and output are the same file
  $ octrace view --csv no/rows t.txt
  4> octrace: no/rows: No such file or directory
  $ octrace view --csv /dev/full t.txt
  4> octrace: /dev/full: cannot write: No space left on device

From any place, the same lines come.

  $ octrace view ../samples/threads.oct >all
  $ for n in 0 1 1000 70000; do octrace view --skip $n --limit 500 ../samples/threads.oct >part; grep -v '!task' part | sed '501,$d' >x
  >   grep -v '!task' all | tail -n +$((n + 1)) | head -n 500 | cmp - x; done

Assembly of RISC-V is that of objdump, but for the names of immediate forms. Without an objdump, nothing is compared.

  $ program=../data/mixed-riscv64
  $ octrace view --csv - --elf $program.elf $program.oct | tail -n +2 | sed -E 's/^[0-9]+,(0x[0-9a-f]+),[^"]*"([^"]*)".*/\1 \2/' | sort -u >ours
  $ wc -l <ours
  262
  $ plain() { tr '\t' ' ' | sed -E 's/, */,/g; s/0x//g; s/ +$//' | sort -u; }
  $ immediate() { sed -E 's/\t(add|and|or|xor|sll|srl|sra)(w?)(\t.*,-?(0x[0-9a-f]+|[0-9]+))$/\t\1i\2\3/'; }
  $ if command -v riscv64-linux-gnu-objdump >/dev/null; then
  >   riscv64-linux-gnu-objdump -d $program.elf | sed -nE 's/^ +([0-9a-f]+):\t[0-9a-f]+ +\t/\1\t/; T; s/ *[<#].*//; p' | immediate | plain >theirs
  >   plain <ours | comm -23 - theirs
  > fi

What may be wrong with the command line.

  $ octrace view @
  |  => 2> octrace: view: one trace is needed (see octrace view --help)
  | --csv => 2> octrace: view: option '--csv' needs a value (see octrace view --help)
  | a b => 2> octrace: view: one trace is needed (see octrace view --help)
  | missing => 4> octrace: missing: cannot open: No such file or directory
  | --skip 1M ../data/mixed-arm.oct => 4> octrace: ../data/mixed-arm.oct: --skip 1000000 leaves nothing: the trace has no more instructions
