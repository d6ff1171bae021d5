SPDX-License-Identifier: Apache-2.0
Values of accesses, registers and memory that others wrote: text and native keep them, with blocks of any size and from any instruction on.

  $ cat >t.txt <<'END'
  > # isa riscv64
  > !register sp=0000004000800e40
  > !register 10/=00
  > END
  $ try octrace info t.txt
  4> octrace: t.txt:2: expected NAME=VALUE of a register of the instruction set, or its number, found 'sp=0000004000800e40'
  $ cat >t.txt <<'END'
  > # isa riscv64
  > !register x2=0000004000800e40
  > !register f1=3ff0000000000000
  > 10000 L8:4000800e40=00000000deadbeef S4:20=00000001 L4:24 I:03350100
  > !memory 30 16
  > !memory 40 =00ff10
  > !interrupt 7 A:10004 P:3
  > 10004/2 S1:21=fe
  > 10008 L2:30=1234
  > !register x10=0000000000000007
  > END
  $ octrace convert t.txt t.oct
  $ octrace convert --to text:bytes=1 t.oct -
  # pc[/size_bytes] [L|S[size_bytes]:da ...] [@cycle] [T:task] [I:bytes]
  # isa riscv64
  # insn_align_bytes 2
  !register x2=0000004000800e40
  !register f1=3ff0000000000000
  0000000000010000 L8:0000004000800e40=00000000deadbeef S4:0000000000000020=00000001 L4:0000000000000024 I:03350100
  !interrupt 7 A:0000000000010004 P:3
  !memory 0000000000000030 16
  !memory 0000000000000040 =00ff10
  0000000000010004/2 S1:0000000000000021=fe
  0000000000010008 L2:0000000000000030=1234
  !register x10=0000000000000007
  $ octrace info t.oct | grep -E '^(values|facts|loads|stores) '
  loads                  3
  stores                 2
  values                 4
  facts                  5
  $ octrace view --isa riscv64 t.oct
           0  0x10000     00013503  ld a0, 0(sp)                  L8:0x4000800e40=0xdeadbeef S4:0x20=0x1 L4:0x24
              !interrupt 7 at 0x10004 to privilege 3
           1  0x10004     S1:0x21=0xfe
           2  0x10008     L2:0x30=0x1234
  $ octrace convert --skip 1 --to text t.oct -
  # pc[/size_bytes] [L|S[size_bytes]:da ...] [@cycle] [T:task]
  # isa riscv64
  # insn_align_bytes 2
  !interrupt 7 A:0000000000010004 P:3
  !memory 0000000000000030 16
  !memory 0000000000000040 =00ff10
  0000000000010004/2 S1:0000000000000021=fe
  0000000000010008 L2:0000000000000030=1234
  !register x10=0000000000000007
  $ for block in 1 2 3; do
  >   octrace convert --block-insns $block t.oct b.oct
  >   octrace convert --to text:bytes=1 b.oct b.txt
  >   octrace convert --to text:bytes=1 t.oct - | cmp - b.txt
  >   octrace convert --skip 1 --to text b.oct b.txt; octrace convert --skip 1 --to text t.oct - | cmp - b.txt
  > done
  0> octrace: b.oct: offset 1096: a fact after the instructions of its block: nothing is written (--salvage keeps the 3 instructions and 5 accesses before it)
  0> cmp: b.txt: No such file or directory
  0> octrace: b.oct: offset 1096: a fact after the instructions of its block: nothing is written (--salvage keeps the 2 instructions and 2 accesses before it)
  0> cmp: b.txt: No such file or directory
  0> octrace: b.oct: offset 886: a fact after the instructions of its block: nothing is written (--salvage keeps the 3 instructions and 5 accesses before it)
  0> cmp: b.txt: No such file or directory
  0> octrace: b.oct: offset 886: a fact after the instructions of its block: nothing is written (--salvage keeps the 2 instructions and 2 accesses before it)
  0> cmp: b.txt: No such file or directory

What is wrong with a value is told.

  $ for line in '10 L4:20=12' '10 L:20=12' '10 L4:20=0000000g' '!register x32=00' '!register x1=00' '!register x1' \
  >   '!memory 20' '!memory 20 0' '!memory 20 =0' '!memory 20 4 5'; do
  >   printf '# isa riscv64\n%s\n10\n' "$line" >w.txt; try octrace info w.txt
  > done
  4> octrace: w.txt:2: expected the value of an access of known size, two hexadecimal digits a byte, found '12'
  4> octrace: w.txt:2: expected the value of an access of known size, two hexadecimal digits a byte, found '12'
  4> octrace: w.txt:2: expected the value of an access of known size, two hexadecimal digits a byte, found '0000000g'
  4> octrace: w.txt:2: expected NAME=VALUE of a register of the instruction set, or its number, found 'x32=00'
  4> octrace: w.txt:2: expected the register's value, two hexadecimal digits a byte, found '00'
  4> octrace: w.txt:2: expected NAME=VALUE of a register of the instruction set, or its number, found 'x1'
  4> octrace: w.txt:2: expected a decimal number of bytes, or = and the bytes, found ''
  4> octrace: w.txt:2: expected a decimal number of bytes, or = and the bytes, found '0'
  4> octrace: w.txt:2: expected a decimal number of bytes, or = and the bytes, found '=0'
  4> octrace: w.txt:2: expected the end of the line, found '5'

A tracer that carries no values leaves them out; `replay` gives them back, also where it cannot execute.

  $ octrace compress --tracer raw -o raw.octp t.oct >/dev/null 2>&1; octrace convert --to text raw.octp - | grep -c =
  0
  [exit 1]
  $ octrace compress --tracer replay -o replay.octp t.oct >/dev/null 2>&1
  $ octrace convert --to text replay.octp - | grep '^0'
  0000000000010000 L8:0000004000800e40=00000000deadbeef S4:0000000000000020=00000001 L4:0000000000000024
  0000000000010004/2 S1:0000000000000021=fe
  0000000000010008 L2:0000000000000030=1234
