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
              !register x2=0x0000004000800e40
              !register f1=0x3ff0000000000000
           0  0x10000     00013503  ld a0, 0(sp)                  L8:0x4000800e40=0xdeadbeef S4:0x20=0x1 L4:0x24
              !interrupt 7 at 0x10004 to privilege 3
              !memory 0x30 16
              !memory 0x40 =00ff10
           1  0x10004     S1:0x21=0xfe
           2  0x10008     L2:0x30=0x1234
              !register x10=0x0000000000000007
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
  $ printf '# isa mips\n1000 I:00000000\n' | octrace compress --tracer replay --json -o mips.octp - >/dev/null
  0> octrace: note: replay executes nothing: this build has no emulator for mips: every access is reported, at many bits
  $ octrace compress --tracer replay -o replay.octp t.oct >/dev/null 2>&1
  $ octrace convert --to text replay.octp - | grep '^0'
  0000000000010000 L8:0000004000800e40=00000000deadbeef S4:0000000000000020=00000001 L4:0000000000000024
  0000000000010004/2 S1:0000000000000021=fe
  0000000000010008 L2:0000000000000030=1234

`compare` compares what both tell of accesses and of registers at the same place; what only one tells is not compared, unless it is strict.

  $ sed 's/deadbeef/deadbe0f/; s/x10=0000000000000007/x10=0000000000000008/' t.txt >u.txt
  $ octrace compare --context 0 t.oct u.txt
  - t.oct
  + u.txt
  1: at instruction 0 of -, 0 of +: other values of accesses
  -          0  0x10000     00013503  ld a0, 0(sp)                  L8:0x4000800e40=0xdeadbeef S4:0x20=0x1 L4:0x24
  +          0  0x10000     00013503  ld a0, 0(sp)                  L8:0x4000800e40=0xdeadbe0f S4:0x20=0x1 L4:0x24
  2: at instruction 3 of -, 3 of +: other registers
  -             !register x10=0x0000000000000007
  +             !register x10=0x0000000000000008
  1> octrace: t.oct and u.txt: 2 differences, 2 instructions equal; 1 with other values of accesses; 1 with other registers
  $ octrace compare --json t.oct u.txt | grep -A2 '"kinds"'
        "kinds": [
          "values"
        ],
  --
        "kinds": [
          "registers"
        ],
  0> octrace: t.oct and u.txt: 2 differences, 2 instructions equal; 1 with other values of accesses; 1 with other registers
  $ octrace compare --ignore values,registers t.oct u.txt
  t.oct and u.txt: 3 instructions and 5 accesses equal
  $ sed 's/=00000001//; s/=1234//; /^!register/d' t.txt >some.txt
  $ octrace compare t.oct some.txt
  t.oct and some.txt: 3 instructions and 5 accesses equal
  0> octrace: note: some.txt: not compared, as this trace has none: registers
  0> octrace: note: some.txt: not compared, as this trace has it not everywhere: value of 2 accesses
  $ octrace compare --strict --context 0 t.oct some.txt
  - t.oct
  + some.txt
  1: at instruction 0 of -, 0 of +: other values of accesses, registers
  -             !register x2=0x0000004000800e40
  -             !register f1=0x3ff0000000000000
  -          0  0x10000     00013503  ld a0, 0(sp)                  L8:0x4000800e40=0xdeadbeef S4:0x20=0x1 L4:0x24
  +          0  0x10000     00013503  ld a0, 0(sp)                  L8:0x4000800e40=0xdeadbeef S4:0x20 L4:0x24
  2: at instruction 2 of -, 2 of +: other values of accesses
  -          2  0x10008     L2:0x30=0x1234
  +          2  0x10008     L2:0x30
  3: at instruction 3 of -, 3 of +: other registers
  -             !register x10=0x0000000000000007
  1> octrace: t.oct and some.txt: 3 differences, 1 instruction equal; 2 with other values of accesses; 2 with other registers
  $ sed 's/\(:[0-9a-f]*\)=[0-9a-f]*/\1/g; /^!register/d' t.txt >none.txt
  $ octrace compare t.oct none.txt
  t.oct and none.txt: 3 instructions and 5 accesses equal
  0> octrace: note: none.txt: not compared, as this trace has none: values of accesses, registers
  $ octrace compare t.oct replay.octp
  t.oct and replay.octp: 3 instructions and 5 accesses equal
  0> octrace: note: replay.octp: not compared, as this trace has none: traps, privilege, registers

What only one of them tells is counted.

  $ sed 's/=00000001//; /^!register x10/d' t.txt >some.txt
  $ octrace compare some.txt t.oct
  some.txt and t.oct: 3 instructions and 5 accesses equal
  0> octrace: note: some.txt: not compared, as this trace has it not everywhere: value of 1 access
  0> octrace: note: some.txt: not compared, as this trace has it not everywhere: content of 1 register
  $ octrace compare --ignore values,registers some.txt t.oct
  some.txt and t.oct: 3 instructions and 5 accesses equal

`verify` wants the registers of each task to come back.

  $ registers() { for r in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do echo "!register r$r=0000$1"; done; }
  $ { echo '# isa armv5te'; registers 8000; echo '1000/4 T:1 I:0000a0e1'; registers 9000; echo '1000/4 T:2 I:0000a0e1'; } >all.txt
  $ sed '/=00009000/d' all.txt >lost.txt
  $ octrace verify --tracer replay --engine untimed all.txt
  all.txt: untimed: 2 instructions and 0 accesses equal
  $ octrace compress --tracer replay -o lost.octp lost.txt >/dev/null 2>&1
  $ octrace verify --container lost.octp lost.txt
  lost.txt: container: 2 instructions and 0 accesses equal
  $ octrace verify --container lost.octp all.txt
  1> octrace: all.txt: container: before instruction 1: expected the registers of task 2, decoded none

Where tasks take turns in another way, each has its own values and registers.

  $ printf '%s\n' '# isa riscv64' '!register x10=0000000000000007' '80/4 T:1 L4:20=00000001' '!register x10=0000000000000009' '80/4 T:2 L4:20=00000002' '84/4 T:2' '!register x10=0000000000000005' >a.txt
  $ printf '%s\n' '# isa riscv64' '!register x10=0000000000000009' '80/4 T:2 L4:20=00000002' '84/4 T:2' '!register x10=0000000000000007' '80/4 T:1 L4:20=00000001' >b.txt
  $ sed '$d' a.txt >whole.txt
  $ octrace compare whole.txt b.txt
  whole.txt and b.txt: 3 instructions and 2 accesses equal
  $ sed 's/x10=0000000000000007/x10=0000000000000008/; s/00000001/00000003/' b.txt >c.txt
  $ octrace compare --context 0 a.txt c.txt
  - a.txt
  + c.txt
  1: at instruction 0 of -, 2 of +: other values of accesses, registers
  -             !register x10=0x0000000000000007
  -          0  0x80        L4:0x20=0x1  T:1
  +             !register x10=0x0000000000000008
  +          2  0x80        L4:0x20=0x3  T:1
  1> octrace: note: c.txt: not compared, as this trace has it not everywhere: content of 1 register
  1> octrace: a.txt and c.txt: 1 difference, 2 instructions equal; 1 with other values of accesses; 1 with other registers

Tables of tracers say what each gives, where the trace has values; `replay` is measured with them.

  $ octrace bench --tracers t.oct | awk '$2 ~ /^(geometry|paper|shadow|base|replay)$/ { print $1, $2, $NF }'
  tracer geometry gives
  paper paper addresses
  shadow shadow addresses
  replay replay everything
  $ octrace report t.oct | grep -E ' everything$' | wc -l
  3
  $ octrace bench --tracer replay t.oct >/dev/null

The instruction set that `replay` executes is the trace's, or none; ARM and Thumb are of one processor. The list, its text and the error name the
same ones.

  $ for command in compress verify report bench sweep; do echo $command; try octrace $command --tracer replay -g isa=5 t.oct | tail -n 1; done
  compress
  4> octrace: t.oct: isa=5 (aarch64): the trace is of riscv64: expected that, or no isa
  verify
  4> octrace: t.oct: isa=5 (aarch64): the trace is of riscv64: expected that, or no isa
  report
  4> octrace: t.oct: isa=5 (aarch64): the trace is of riscv64: expected that, or no isa
  bench
  4> octrace: t.oct: isa=5 (aarch64): the trace is of riscv64: expected that, or no isa
  sweep
  4> octrace: t.oct: isa=5 (aarch64): the trace is of riscv64: expected that, or no isa
  $ for isa in 0 4; do octrace verify --tracer replay --engine untimed -g isa=$isa t.oct; done
  t.oct: untimed: 3 instructions and 5 accesses equal
  t.oct: untimed: 3 instructions and 5 accesses equal
  0> octrace: note: t.oct: 1 trap or change of privilege is left out: -g traps=1 sends them
  0> octrace: note: t.oct: 1 trap or change of privilege is left out: -g traps=1 sends them
  $ sed 's/riscv64/mips/; /register/d; s/ I:.*//' t.txt | try octrace verify --tracer replay -g isa=4 -
  4> octrace: standard input: isa=4 (riscv64): the trace is of mips: expected 0, or no isa
  $ for isa in arm thumb; do for n in 1 2; do printf '# isa %s\n1000/2 I:c046\n' $isa | octrace verify --engine untimed --tracer replay -g isa=$n -; done; done
  standard input: untimed: 1 instruction and 0 accesses equal
  standard input: untimed: 1 instruction and 0 accesses equal
  standard input: untimed: 1 instruction and 0 accesses equal
  standard input: untimed: 1 instruction and 0 accesses equal
  $ octrace list params --tracer replay | grep '^isa'
  isa                       0  0..5, 7  instruction set that is executed: 1 ARM, 2 Thumb, 3 RISC-V 32, 4 RISC-V 64, 5 AArch64, 7 x86-64; 0: none
  $ try octrace list params --tracer replay -g isa=6
  2> octrace: list: isa=6 (x86): this build has no emulator for it: expected 0, 1 (arm), 2 (thumb), 3 (riscv32), 4 (riscv64), 5 (aarch64), 7 (x86-64) (see octrace list geometries and params)

A part that is selected has values. Of a pipe it has none, and a note says so; a cut by number keeps them.

  $ printf '# isa riscv64\n!register x2=0000004000800e40\n10000 L8:30=0000000000000007 I:03350100\n10004\n' >part.txt
  $ octrace convert --to text --range 0x10000-0x10003 part.txt -
  # pc[/size_bytes] [L|S[size_bytes]:da ...] [@cycle] [T:task]
  # isa riscv64
  # insn_align_bytes 2
  !register x2=0000004000800e40
  0000000000010000 L8:0000000000000030=0000000000000007
  0> octrace: note: part.txt: kept 1 of 2 instructions, in 1 piece, which now follow each other
  $ octrace convert --to text --range 0x10004-0x10007 part.txt -
  # pc[/size_bytes] [L|S[size_bytes]:da ...] [@cycle] [T:task]
  # isa riscv64
  # insn_align_bytes 2
  0000000000010004
  0> octrace: note: part.txt: kept 1 of 2 instructions, in 1 piece, which now follow each other
  $ octrace convert --to text --range 0x10000-0x10003 - - <part.txt | tail -1
  0000000000010000 L8:0000000000000030
  0> octrace: note: standard input: kept 1 of 2 instructions, in 1 piece, which now follow each other
  0> octrace: note: standard input: values, registers and memory are left out: to keep them takes a file, which is read twice, and an emulator that executes it
  $ octrace convert --to din --range 0x10000-0x10003 - - <part.txt | head -1
  2 0000000000010000
  0> octrace: note: standard input: kept 1 of 2 instructions, in 1 piece, which now follow each other
  $ octrace convert --to text --limit 1 part.txt - | grep -c =
  2
