SPDX-License-Identifier: Apache-2.0
octrace convert cuts by meaning: function, addresses, privilege, task, time.

Two tasks, stamps, an exception into a handler of machine mode and back, an interrupt in the handler's code.

  $ cat >in.txt <<END
  > # isa riscv64
  > 8000/4 L8:1000 @1
  > 8004/4 @2
  > !exception 8 A:8008 P:3
  > 9000/4 S8:2000 @10
  > 9004/4 @11
  > !privilege P:0
  > 8008/4 @12
  > 800c/4 T:7 @13
  > !interrupt 5 A:8010 P:1
  > 9000/4 T:7 @20
  > 8010/4 T:7 @30
  > END
  $ part() { octrace convert --to text "$@" in.txt - | grep -v '^#'; }
  $ part --range 0x8000-0x8fff
  [..]
  [..]
  [..]
  [..]
  [..]
  [..]
  [..]
  [..]
  [..]

The handler: the trap that led to it comes with it, and each privilege is that of the whole trace.

  $ part --range 0x9000-
  !exception 8 A:0000000000008008 V:0000000000000000 P:3
  0000000000009000 S8:0000000000002000 @10
  0000000000009004 @11
  !privilege P:0
  !interrupt 5 A:0000000000008010 P:1
  0000000000009000 @20 T:7
  0> octrace: note: in.txt: kept 3 of 8 instructions, in 2 pieces, which now follow each other
  $ part --range 0x9004
  !privilege P:3
  0000000000009004 @11
  !privilege P:0
  0> octrace: note: in.txt: kept 1 of 8 instructions, in 1 piece, which now follow each other
  $ part --privilege u
  0000000000008000 L8:0000000000001000 @1
  0000000000008004 @2
  !exception 8 A:0000000000008008 V:0000000000000000 P:3
  !privilege P:0
  0000000000008008 @12
  000000000000800c @13 T:7
  !interrupt 5 A:0000000000008010 P:1
  0> octrace: note: in.txt: kept 4 of 8 instructions, in 2 pieces, which now follow each other
  $ part --privilege m --privilege s
  !exception 8 A:0000000000008008 V:0000000000000000 P:3
  0000000000009000 S8:0000000000002000 @10
  0000000000009004 @11
  !privilege P:0
  !interrupt 5 A:0000000000008010 P:1
  0000000000009000 @20 T:7
  0000000000008010 @30 T:7
  0> octrace: note: in.txt: kept 4 of 8 instructions, in 2 pieces, which now follow each other
  $ part --task 7
  !privilege P:0
  000000000000800c @13 T:7
  !interrupt 5 A:0000000000008010 P:1
  0000000000009000 @20 T:7
  0000000000008010 @30 T:7
  0> octrace: note: in.txt: kept 3 of 8 instructions, in 1 piece, which now follow each other
  $ part --task 1-
  !privilege P:0
  000000000000800c @13 T:7
  !interrupt 5 A:0000000000008010 P:1
  0000000000009000 @20 T:7
  0000000000008010 @30 T:7
  0> octrace: note: in.txt: kept 3 of 8 instructions, in 1 piece, which now follow each other
  $ part --time 2-10
  0000000000008004 @2
  !exception 8 A:0000000000008008 V:0000000000000000 P:3
  0000000000009000 S8:0000000000002000 @10
  0> octrace: note: in.txt: kept 2 of 8 instructions, in 1 piece, which now follow each other
  $ part --time -2 --range 0x8004-0x9fff
  0000000000008004 @2
  !exception 8 A:0000000000008008 V:0000000000000000 P:3
  0> octrace: note: in.txt: kept 1 of 8 instructions, in 1 piece, which now follow each other

A trace without traps is one of a user's program; --skip and --limit count the instructions of IN.

  $ tiny_trace 3 >tiny.txt
  $ octrace convert --to pc --privilege u tiny.txt - | wc -l
  12
  $ octrace convert --to pc --range 0x8000 --skip 1 --limit 4 tiny.txt -
  8000
  0> octrace: note: tiny.txt: kept 1 of 4 instructions, in 1 piece, which now follow each other

A function: its own instructions and no other.

  $ riscv="--elf ../data/mixed-riscv64.elf ../data/mixed-riscv64.oct"
  $ octrace convert --function checksum $riscv f.oct
  0> octrace: note: ../data/mixed-riscv64.oct: kept 4181 of 13471 instructions, in 1 piece, which now follow each other
  $ octrace info --top 5 --elf ../data/mixed-riscv64.elf f.oct | sed -n 's/.* 0x[0-9a-f]* *\([a-z]*\).*/\1/p' | uniq
  checksum
  $ octrace verify --engine untimed f.oct
  f.oct: untimed: 4181 instructions and 64 accesses equal
  $ octrace convert --function checksum --function run $riscv g.oct
  0> octrace: note: ../data/mixed-riscv64.oct: kept 6790 of 13471 instructions, in 132 pieces, which now follow each other
  $ octrace compress --tracer etrace -o g.octp g.oct 2>/dev/null && octrace decompress -o h.oct g.octp && same g.oct h.oct

A part of instructions that are not in a row goes through every tracer.

  $ octrace convert --function run $riscv h.oct 2>/dev/null
  $ for tracer in $(octrace list tracers | cut -d ' ' -f 1); do octrace verify --engine untimed --tracer $tracer h.oct; done
  h.oct: untimed: 2609 instructions and 399 accesses equal
  h.oct: untimed: 2609 instructions and 399 accesses equal
  h.oct: untimed: 2609 instructions and 399 accesses equal
  h.oct: untimed: 2609 instructions and 399 accesses equal
  h.oct: untimed: 2609 instructions and 0 accesses equal
  h.oct: untimed: 2609 instructions and 399 accesses equal
  0> octrace: h.oct: a trace of instruction set 'riscv64': Intel PT carries x86 only (x86, x86-64)
  0> octrace: h.oct: a trace of instruction set 'riscv64': ETMv4 carries Arm only (arm, thumb, aarch64)

What cannot be.

  $ octrace convert @
  | --function main in.txt x.oct => 4> octrace: in.txt: names no file of its program, to look up --function main: --elf FILE names it
  | --function frob --elf ../data/mixed-riscv64.elf ../data/mixed-riscv64.oct x.oct => 4> octrace: --function: no file of --elf has a function 'frob'
  | --range 8-4 in.txt x.oct => 2> octrace: convert: --range: expected LOW-HIGH (0x8000-0x8fff), found '8-4' (see octrace convert --help)
  | --range x in.txt x.oct => 2> octrace: convert: --range: expected LOW-HIGH (0x8000-0x8fff), found 'x' (see octrace convert --help)
  | --range - in.txt x.oct => 2> octrace: convert: --range: expected LOW-HIGH (0x8000-0x8fff), found '-' (see octrace convert --help)
  | --privilege x in.txt x.oct => 2> octrace: convert: --privilege: expected u, s, m, el0 to el3 or 0 to 6, found 'x' (see octrace convert --help)
  | --privilege 7 in.txt x.oct => 2> octrace: convert: --privilege: expected u, s, m, el0 to el3 or 0 to 6, found '7' (see octrace convert --help)
  | --task 4294967296 in.txt x.oct => 2> octrace: convert: --task: expected a task or a range of tasks, found '4294967296' (see octrace convert --help)
  | --time 3 in.txt x.oct => 2> octrace: convert: --time: expected LOW-HIGH in cycles, found '3' (see octrace convert --help)
  | --range 1-2 in.txt x.oct => 4> octrace: in.txt: the options select none of 8 instructions; numbers of --range without 0x are decimal
  | --range 0x1-0x2 in.txt x.oct => 4> octrace: in.txt: the options select none of 8 instructions
  | --time 1-2 tiny.txt x.oct => 4> octrace: tiny.txt: the options select none of 12 instructions, which have no cycle stamps
  $ rm -f f.oct g.oct* h.oct; ls
  in.txt
  tiny.txt
