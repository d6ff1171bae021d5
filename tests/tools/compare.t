SPDX-License-Identifier: Apache-2.0
octrace compare: the differences of two traces, of any two formats.

Whatever a trace is converted to is equal to it in all that the format has.

  $ octrace convert --limit 2000 ../data/mixed-riscv64.oct a.oct
  $ elf="--elf ../data/mixed-riscv64.elf"
  $ octrace compress -o a.octp a.oct >/dev/null 2>&1
  $ octrace compress -o shadow.octp --tracer shadow a.oct >/dev/null 2>&1
  $ octrace compress --codec vpc3 -o a.octc a.oct >/dev/null 2>&1
  $ for file in a.octp shadow.octp a.octc; do try octrace compare a.oct $file; try octrace compare $file a.oct; done
  a.oct and a.octp: 2000 instructions and 330 accesses equal
  a.octp and a.oct: 2000 instructions and 330 accesses equal
  a.oct and shadow.octp: 2000 instructions and 330 accesses equal
  shadow.octp and a.oct: 2000 instructions and 330 accesses equal
  a.oct and a.octc: 2000 instructions and 330 accesses equal
  a.octc and a.oct: 2000 instructions and 330 accesses equal
  $ for format in native text bin64 din xdin champsim cloudsuite pc pc32 pc64 etrace ntrace paper shadow; do
  >   octrace convert $elf --to $format a.oct x.$format 2>/dev/null
  >   try octrace compare $elf --from-b $format a.oct x.$format
  >   try octrace compare $elf --from $format x.$format a.oct
  > done
  a.oct and x.native: 2000 instructions and 330 accesses equal
  x.native and a.oct: 2000 instructions and 330 accesses equal
  a.oct and x.text: 2000 instructions and 330 accesses equal
  x.text and a.oct: 2000 instructions and 330 accesses equal
  a.oct and x.bin64: 2000 instructions and 330 accesses equal
  0> octrace: note: x.bin64: not compared, as this trace has none: kinds of accesses, sizes of accesses
  x.bin64 and a.oct: 2000 instructions and 330 accesses equal
  0> octrace: note: x.bin64: not compared, as this trace has none: kinds of accesses, sizes of accesses
  a.oct and x.din: 2000 instructions and 330 accesses equal
  0> octrace: note: x.din: not compared, as this trace has none: sizes of accesses
  x.din and a.oct: 2000 instructions and 330 accesses equal
  0> octrace: note: x.din: not compared, as this trace has none: sizes of accesses
  a.oct and x.xdin: 2000 instructions and 330 accesses equal
  x.xdin and a.oct: 2000 instructions and 330 accesses equal
  a.oct and x.champsim: 2000 instructions and 330 accesses equal
  0> octrace: note: x.champsim: not compared, as this trace has none: sizes of accesses
  x.champsim and a.oct: 2000 instructions and 330 accesses equal
  0> octrace: note: x.champsim: not compared, as this trace has none: sizes of accesses
  a.oct and x.cloudsuite: 2000 instructions and 330 accesses equal
  0> octrace: note: x.cloudsuite: not compared, as this trace has none: sizes of accesses
  x.cloudsuite and a.oct: 2000 instructions and 330 accesses equal
  0> octrace: note: x.cloudsuite: not compared, as this trace has none: sizes of accesses
  a.oct and x.pc: 2000 instructions and 0 accesses equal
  0> octrace: note: x.pc: not compared, as this trace has none: accesses
  x.pc and a.oct: 2000 instructions and 0 accesses equal
  0> octrace: note: x.pc: not compared, as this trace has none: accesses
  a.oct and x.pc32: 2000 instructions and 0 accesses equal
  0> octrace: note: x.pc32: not compared, as this trace has none: accesses
  x.pc32 and a.oct: 2000 instructions and 0 accesses equal
  0> octrace: note: x.pc32: not compared, as this trace has none: accesses
  a.oct and x.pc64: 2000 instructions and 0 accesses equal
  0> octrace: note: x.pc64: not compared, as this trace has none: accesses
  x.pc64 and a.oct: 2000 instructions and 0 accesses equal
  0> octrace: note: x.pc64: not compared, as this trace has none: accesses
  a.oct and x.etrace: 2000 instructions and 330 accesses equal
  x.etrace and a.oct: 2000 instructions and 330 accesses equal
  a.oct and x.ntrace: 2000 instructions and 0 accesses equal
  0> octrace: note: x.ntrace: not compared, as this trace has none: accesses
  x.ntrace and a.oct: 2000 instructions and 0 accesses equal
  0> octrace: note: x.ntrace: not compared, as this trace has none: accesses
  a.oct and x.paper: 2000 instructions and 330 accesses equal
  x.paper and a.oct: 2000 instructions and 330 accesses equal
  a.oct and x.shadow: 2000 instructions and 330 accesses equal
  x.shadow and a.oct: 2000 instructions and 330 accesses equal

The logs of two simulators of one program.

  $ octrace compare ../samples/foreign/riscv64.spike.xz ../samples/foreign/riscv64.execlog.xz
  ../samples/foreign/riscv64.spike.xz and ../samples/foreign/riscv64.execlog.xz: 3000 instructions and 537 accesses equal
  0> octrace: note: ../samples/foreign/riscv64.execlog.xz: not compared, as this trace has none: privilege

Instructions that only one trace has, others instead, and other accesses are each a difference.

  $ octrace convert --to text a.oct a.txt
  $ grep -c . a.txt
  2003
  $ awk 'NR == 103 || NR == 203 || NR == 204 { next } NR == 303 { print "0001a000/4\n0001a004/4" } NR == 400 { $1 = "00010000/4" }
  >   NR == 512 { $0 = $1 " L4:ee" } { print }' a.txt >b.txt
  $ octrace compare $elf a.txt b.txt
  - a.txt
  + b.txt
  1: at instruction 99 of -, 99 of +: 1 instruction only in -
            96  0x10394     00c59023  sh a2, 0(a1)                  run+0x7a  S2:0x11714
            97  0x10398     a39c      fsd fa5, 0(a5)                run+0x7e  S8:0x11450
            98  0x1039a     2685      addiw a3, a3, 1               run+0x80
  -         99  0x1039c     0891      addi a7, a7, 4                run+0x82
           100  0x1039e     0805      addi a6, a6, 1                run+0x84
           101  0x103a0     0589      addi a1, a1, 2                run+0x86
           102  0x103a2     fbf69ae3  bne a3, t6, 0x10356           run+0x88
  2: at instruction 199 of -, 198 of +: 2 instructions only in -
           196  0x10386     00c7561b  srliw a2, a4, 0xc             run+0x6c
           197  0x1038a     97a2      add a5, a5, s0                run+0x70
           198  0x1038c     01c8a023  sw t3, 0(a7)                  run+0x72  S4:0x115e8
  -        199  0x10390     00680023  sb t1, 0(a6)                  run+0x76  S1:0x116d6
  -        200  0x10394     00c59023  sh a2, 0(a1)                  run+0x7a  S2:0x1171c
           201  0x10398     a39c      fsd fa5, 0(a5)                run+0x7e  S8:0x11458
           202  0x1039a     2685      addiw a3, a3, 1               run+0x80
           203  0x1039c     0891      addi a7, a7, 4                run+0x82
  3: at instruction 299 of -, 296 of +: 2 instructions only in +
           296  0x10376     0147561b  srliw a2, a4, 0x14            run+0x5c
           297  0x1037a     d20607d3  fcvt.d.w fa5, a2              run+0x60
           298  0x1037e     00875e1b  srliw t3, a4, 0x8             run+0x64
  +        296  0x1a000
  +        297  0x1a004
           299  0x10382     0107531b  srliw t1, a4, 0x10            run+0x68
           300  0x10386     00c7561b  srliw a2, a4, 0xc             run+0x6c
           301  0x1038a     97a2      add a5, a5, s0                run+0x70
  4: at instruction 396 of -, 395 of +: 1 instruction only in -, 1 instruction only in +
           393  0x10364     4026d61b  sraiw a2, a3, 0x2             run+0x4a
           394  0x10368     979a      add a5, a5, t1                run+0x4e
           395  0x1036a     8a0d      andi a2, a2, 3                run+0x50
  -        396  0x1036c     078a      slli a5, a5, 0x2              run+0x52
  +        395  0x10000
           397  0x1036e     97b2      add a5, a5, a2                run+0x54
           398  0x10370     078e      slli a5, a5, 0x3              run+0x56
           399  0x10372     01d7073b  addw a4, a4, t4               run+0x58
  5: at instruction 508 of -, 507 of +: other accesses
           505  0x1037a     d20607d3  fcvt.d.w fa5, a2              run+0x60
           506  0x1037e     00875e1b  srliw t3, a4, 0x8             run+0x64
           507  0x10382     0107531b  srliw t1, a4, 0x10            run+0x68
  -        508  0x10386     00c7561b  srliw a2, a4, 0xc             run+0x6c
  +        507  0x10386     00c7561b  srliw a2, a4, 0xc             run+0x6c  L4:0xee
           509  0x1038a     97a2      add a5, a5, s0                run+0x70
           510  0x1038c     01c8a023  sw t3, 0(a7)                  run+0x72  S4:0x11618
           511  0x10390     00680023  sb t1, 0(a6)                  run+0x76  S1:0x116e2
  1> octrace: a.txt and b.txt: 5 differences, 1995 instructions equal; 4 only in the first; 3 only in the second; 1 with other accesses
  $ octrace compare --context 0 --max 2 a.txt b.txt
  - a.txt
  + b.txt
  1: at instruction 99 of -, 99 of +: 1 instruction only in -
  -         99  0x1039c
  2: at instruction 199 of -, 198 of +: 2 instructions only in -
  -        199  0x10390     S1:0x116d6
  -        200  0x10394     S2:0x1171c
  1> octrace: a.txt and b.txt: 5 differences, 1995 instructions equal; 4 only in the first; 3 only in the second; 1 with other accesses
  $ octrace compare --context 1 --ignore accesses --max 0 a.txt b.txt
  1> octrace: a.txt and b.txt: 4 differences, 1996 instructions equal; 4 only in the first; 3 only in the second
  $ octrace compare --json --max 1 a.txt b.txt | tr -d ' \n'
  {"a":"a.txt","b":"b.txt","equal":false,"instructions_equal":1995,"instructions_a":2000,"instructions_b":1999,"before_start_a":0,"before_start_b":0,"only_a":4,"only_b":3,"not_compared_a":0,"not_compared_b":0,"differences":5,"of_kind":{"sizes":0,"bytes":0,"tasks":0,"accesses":1,"traps":0,"privilege":0,"values":0,"registers":0,"gaps":0,"instructions":4},"list":[{"kinds":["instructions"],"at_a":99,"at_b":99,"only_a":1,"only_b":0,"resynchronised":true}]}
  0> octrace: a.txt and b.txt: 5 differences, 1995 instructions equal; 4 only in the first; 3 only in the second; 1 with other accesses

One trace may begin earlier, as a simulator's boot ROM does, or end later.

  $ { head -n 3 a.txt; printf '00001000/4\n00001004/4\n'; tail -n +4 a.txt; } >boot.txt
  $ octrace compare a.txt boot.txt
  a.txt and boot.txt: 2000 instructions and 330 accesses equal
  0> octrace: note: boot.txt: 2 instructions before the start of the comparison
  $ octrace compare --start exact --context 1 a.txt boot.txt
  - a.txt
  + boot.txt
  1: at instruction 0 of -, 0 of +: 2 instructions only in +
  +          0  0x1000
  +          1  0x1004
             0  0x10120
  1> octrace: a.txt and boot.txt: 1 difference, 2000 instructions equal; 2 only in the second
  $ octrace compare --start 0x10124 a.txt boot.txt
  a.txt and boot.txt: 1999 instructions and 330 accesses equal
  0> octrace: note: a.txt: 1 instruction before the start of the comparison
  0> octrace: note: boot.txt: 3 instructions before the start of the comparison
  $ octrace compare --start 0x7777 a.txt boot.txt
  4> octrace: a.txt: no instruction at the start address 0x7777 in the 2000 instructions of the trace
  $ head -n 1000 a.txt >short.txt
  $ octrace compare --context 1 a.txt short.txt
  - a.txt
  + short.txt
  1: at instruction 997 of -, 997 of +: + ends, - goes on
           996  0x10370
  -        997  0x10372
  -        998  0x10376
  -        999  0x1037a
  -       1000  0x1037e
  -       1001  0x10382
  -       1002  0x10386
  -       1003  0x1038a
  -       1004  0x1038c     S4:0x11664
  -       1005  0x10390     S1:0x116f5
  -       1006  0x10394     S2:0x1175a
  -        ...
  1> octrace: a.txt and short.txt: 1 difference, 997 instructions equal; 1003 only in the first
  $ octrace compare --ignore end short.txt a.txt
  short.txt and a.txt: 997 instructions and 155 accesses equal
  0> octrace: note: a.txt: 1003 instructions after the end of the comparison
  $ octrace compare --limit 500 a.txt short.txt
  a.txt and short.txt: 500 instructions and 79 accesses equal
  $ octrace compare --skip 100 --skip-b 100 --limit 100 a.txt b.txt
  - a.txt
  + b.txt
  1: at instruction 199 of -, 198 of +: 1 instruction only in -, 2 instructions only in +
           196  0x10386
           197  0x1038a
           198  0x1038c     S4:0x115e8
  -        199  0x10390     S1:0x116d6
  +        198  0x10398     S8:0x11458
  +        199  0x1039a
  1> octrace: note: a.txt: 1 instruction before the start of the comparison
  1> octrace: a.txt and b.txt: 1 difference, 98 instructions equal; 1 only in the first; 2 only in the second

Without a place from which both go on alike, the comparison ends.

  $ sed -E 's/^0000000000/0000004000/' a.txt >moved.txt
  $ octrace compare --context 0 --window 100 a.txt moved.txt
  - a.txt
  + moved.txt
  1: at instruction 0 of -, 0 of +: no place within 100 instructions from which both go on alike: the rest is not compared (--window 1600 looks farther)
  -          0  0x10120
  -          1  0x10124
  -          2  0x10128
  -          3  0x1031a
  -          4  0x1031c     S8:0x40008007c0
  -          5  0x1031e
  -          6  0x10322     S8:0x40008007b8
  -          7  0x10324     S8:0x40008007a8
  -          8  0x10326
  -          9  0x1032a
  -        ...  90 more instructions
  +          0  0x4000010120
  +          1  0x4000010124
  +          2  0x4000010128
  +          3  0x400001031a
  +          4  0x400001031c  S8:0x40008007c0
  +          5  0x400001031e
  +          6  0x4000010322  S8:0x40008007b8
  +          7  0x4000010324  S8:0x40008007a8
  +          8  0x4000010326
  +          9  0x400001032a
  +        ...  90 more instructions
  1> octrace: a.txt and moved.txt: 1 difference, 0 instructions equal; 100 only in the first; 100 only in the second; not compared: the last 1900 and 1900

A field that one trace does not have is not compared, unless that is asked for.

  $ sed 's/ .*//' a.txt >bare.txt
  $ octrace compare a.oct bare.txt
  a.oct and bare.txt: 2000 instructions and 0 accesses equal
  0> octrace: note: bare.txt: not compared, as this trace has none: accesses
  0> octrace: note: bare.txt: not compared, as this trace has it not everywhere: size of 1005 instructions
  $ octrace compare --strict --max 1 --context 0 a.oct bare.txt
  - a.oct
  + bare.txt
  1: at instruction 4 of -, 4 of +: other accesses
  -          4  0x1031c     S8:0x40008007c0
  +          4  0x1031c
  1> octrace: a.oct and bare.txt: 330 differences, 1670 instructions equal; 330 with other accesses
  $ printf '8000\n!exception 2 A:8004 V:1f P:3\n8100 L8:100\n8104 T:1\n' >t.txt
  $ printf '8000\n!exception 2\n8100 L4:100 L4:104\n8104\n' >u.txt
  $ octrace compare --isa arm t.txt u.txt
  - t.txt
  + u.txt
  1: at instruction 1 of -, 1 of +: other accesses
             0  0x8000
  -             !exception 2 at 0x8004 (0x1f) to privilege 3
  -          1  0x8100      L8:0x100
  +             !exception 2
  +          1  0x8100      L4:0x100 L4:0x104
             2  0x8104  T:1
  1> octrace: note: u.txt: not compared, as this trace has none: tasks, privilege
  1> octrace: t.txt and u.txt: 1 difference, 2 instructions equal; 1 with other accesses
  $ octrace compare --isa arm --ignore access-sizes t.txt u.txt
  t.txt and u.txt: 3 instructions and 1 access equal
  0> octrace: note: u.txt: not compared, as this trace has none: tasks, privilege
  $ printf '8000\n!interrupt 7\n8100 L4:100 L4:104\n8104 T:2\n' >u.txt
  $ octrace compare --isa arm --context 0 t.txt u.txt
  - t.txt
  + u.txt
  1: at instruction 1 of -, 1 of +: other accesses, traps
  -             !exception 2 at 0x8004 (0x1f) to privilege 3
  -          1  0x8100      L8:0x100
  +             !interrupt 7
  +          1  0x8100      L4:0x100 L4:0x104
  1> octrace: note: u.txt: tasks are the same in the order of their first instructions: 1 is 2
  1> octrace: note: u.txt: not compared, as this trace has none: privilege
  1> octrace: t.txt and u.txt: 1 difference, 2 instructions equal; 1 with other accesses; 1 with other traps
  $ octrace compare --isa arm --ignore accesses,traps,tasks t.txt u.txt
  t.txt and u.txt: 3 instructions and 1 access equal
  0> octrace: note: u.txt: tasks are the same in the order of their first instructions: 1 is 2
  0> octrace: note: u.txt: not compared, as this trace has none: privilege

Sizes are compared where both tell them, and kinds of accesses wherever the format has them.

  $ printf '# isa x86-64\n401000/5\n401005/3\n401008/2\n' >s.txt
  $ sed s/3$/2/ s.txt >other.txt
  $ octrace compare --context 0 s.txt other.txt
  - s.txt
  + other.txt
  1: at instruction 1 of -, 1 of +: other sizes of instructions (3 and 2 bytes)
  -          1  0x401005
  +          1  0x401005
  1> octrace: s.txt and other.txt: 1 difference, 2 instructions equal; 1 with other sizes of instructions
  $ sed 's,/3$,,' s.txt >some.txt
  $ try octrace compare s.txt some.txt
  s.txt and some.txt: 3 instructions and 0 accesses equal
  0> octrace: note: some.txt: not compared, as this trace has it not everywhere: size of 1 instruction
  $ sed 's,/.$,,' s.txt >none.txt
  $ try octrace compare none.txt s.txt
  none.txt and s.txt: 3 instructions and 0 accesses equal
  0> octrace: note: none.txt: not compared, as this trace has none: sizes of instructions
  $ octrace compare --strict --max 0 none.txt s.txt
  1> octrace: none.txt and s.txt: 3 differences, 0 instructions equal; 3 with other sizes of instructions
  $ octrace convert --to xdin s.txt s.xdin
  $ octrace convert --to xdin other.txt other.xdin
  $ octrace compare --max 0 s.xdin other.xdin
  1> octrace: s.xdin and other.xdin: 1 difference, 2 instructions equal; 1 with other sizes of instructions
  $ octrace compare --max 0 s.xdin other.txt
  1> octrace: s.xdin and other.txt: 1 difference, 2 instructions equal; 1 with other sizes of instructions
  $ printf '80000000/4 L8:100\n80000004/4 S4:90\n' >kinds.txt
  $ sed s/S4/L4/ kinds.txt >loads.txt
  $ octrace compare --isa riscv64 --context 0 kinds.txt loads.txt
  - kinds.txt
  + loads.txt
  1: at instruction 1 of -, 1 of +: other accesses
  -          1  0x80000004  S4:0x90
  +          1  0x80000004  L4:0x90
  1> octrace: kinds.txt and loads.txt: 1 difference, 1 instruction equal; 1 with other accesses
  $ octrace convert --to xdin kinds.txt kinds.xdin
  $ octrace convert --to xdin loads.txt loads.xdin
  $ octrace compare --max 0 kinds.xdin loads.xdin
  1> octrace: kinds.xdin and loads.xdin: 1 difference, 1 instruction equal; 1 with other accesses
  $ sed 's/[LS][48]://' kinds.txt >bare.txt
  $ try octrace compare kinds.txt bare.txt
  kinds.txt and bare.txt: 2 instructions and 2 accesses equal
  0> octrace: note: bare.txt: not compared, as this trace has none: kinds of accesses, sizes of accesses

Each task is compared by itself, however the tasks take turns, and whatever their numbers.

  $ octrace convert --to text --skip 400K --limit 200K $SAMPLES/threads.oct all.txt
  $ { grep '^#' all.txt; for t in 3 2 1; do grep " T:$t$" all.txt; done; grep -v '^#\|T:' all.txt; true; } >turns.txt
  $ grep -c . all.txt turns.txt
  all.txt:200003
  turns.txt:200003
  $ octrace compare all.txt turns.txt
  all.txt and turns.txt: 200000 instructions and 103492 accesses equal
  $ octrace compare --in-order --max 0 all.txt turns.txt
  1> octrace: note: turns.txt: 199 instructions before the start of the comparison
  1> octrace: all.txt and turns.txt: 106270 differences, 63965 instructions equal; 31273 only in the first; 31074 only in the second; 100656 with other tasks; 43443 with other accesses
  $ octrace compare --max 0 all.txt - <turns.txt
  1> octrace: note: standard input: 199 instructions before the start of the comparison
  1> octrace: all.txt and standard input: 106270 differences, 63965 instructions equal; 31273 only in the first; 31074 only in the second; 100656 with other tasks; 43443 with other accesses
  $ sed 's/ T:3/ T:77/; s/ T:1/ T:3/' turns.txt >numbers.txt
  $ octrace compare --max 0 all.txt numbers.txt
  1> octrace: note: numbers.txt: tasks are the same in the order of their first instructions: 2 is 77, 0 is 2, 1 is 3, 3 is 0
  1> octrace: note: numbers.txt: 199 instructions before the start of the comparison
  1> octrace: all.txt and numbers.txt: 13388 differences, 122884 instructions equal; 29276 only in the first; 12218 only in the second; not compared: the last 34735 and 51594; 13105 with other accesses
  $ sed 's/ T:3/ T:77/; s/ T:1/ T:3/' all.txt >numbers.txt
  $ octrace compare all.txt numbers.txt
  all.txt and numbers.txt: 200000 instructions and 103492 accesses equal
  0> octrace: note: numbers.txt: tasks are the same in the order of their first instructions: 1 is 3, 3 is 77
  $ sed "$(grep -n ' T:2' turns.txt | sed -n 5000p | cut -d: -f1)d" turns.txt >lacks.txt
  $ octrace compare --context 1 all.txt lacks.txt
  - all.txt
  + lacks.txt
  1: at instruction 4999 of -, 43830 of +: 1 instruction only in -
          4998  0x3f7beedc  T:2
  -       4999  0x3f7beee0  T:2
          5000  0x3f7beee4  L4:0x3ce34a48  T:2
  1> octrace: all.txt and lacks.txt: 1 difference, 199999 instructions equal; 1 only in the first
  $ octrace compare --json all.txt lacks.txt
  {
    "a": "all.txt",
    "b": "lacks.txt",
    "equal": false,
    "instructions_equal": 199999,
    "instructions_a": 200000,
    "instructions_b": 199999,
    "before_start_a": 0,
    "before_start_b": 0,
    "only_a": 1,
    "only_b": 0,
    "not_compared_a": 0,
    "not_compared_b": 0,
    "differences": 1,
    "of_kind": {
      "sizes": 0,
      "bytes": 0,
      "tasks": 0,
      "accesses": 0,
      "traps": 0,
      "privilege": 0,
      "values": 0,
      "registers": 0,
      "gaps": 0,
      "instructions": 1
    },
    "list": [
      {
        "kinds": [
          "instructions"
        ],
        "at_a": 4999,
        "at_b": 43830,
        "only_a": 1,
        "only_b": 0,
        "task_a": 2,
        "task_b": 2,
        "resynchronised": true
      }
    ]
  }
  1> octrace: all.txt and lacks.txt: 1 difference, 199999 instructions equal; 1 only in the first
  $ sed '/ T:2/d' turns.txt >less.txt
  $ octrace compare --context 1 all.txt less.txt
  - all.txt
  + less.txt
  1: at instruction 0 of -, 0 of +: only - has task 2
  -          0  0x3f7bef50  S4:0x3ecfeba8  T:2
  -          1  0x3f7bef54  S4:0x3ecfeba4  T:2
  -          2  0x3f7bef58  L4:0x3d300718  T:2
  -          3  0x3f7bef5c  S4:0x3ecfeba0  T:2
  -          4  0x3f7bef60  T:2
  -          5  0x3f7be58c  S4:0x3ecfeb7c S4:0x3ecfeb80 S4:0x3ecfeb84 S4:0x3ecfeb88 S4:0x3ecfeb8c S4:0x3ecfeb90 S4:0x3ecfeb94 S4:0x3ecfeb98 S4:0x3ecfeb9c  T:2
  -          6  0x3f7be590  T:2
  -          7  0x3f7be594  L4:0x3ecfeba0  T:2
  -          8  0x3f7be598  L4:0x3ecfebac  T:2
  -          9  0x3f7be59c  L4:0x3ecfeba4  T:2
  -        ...
  1> octrace: all.txt and less.txt: 1 difference, 144310 instructions equal; 55690 only in the first
  $ { head -n 10000 turns.txt; echo x; } >half.txt
  $ octrace compare --max 0 all.txt half.txt
  4> octrace: half.txt:10001: expected a hexadecimal address, found 'x'
  $ octrace compare --start 1 all.txt turns.txt
  4> octrace: all.txt: no instruction at the start address 0x1 in the 200000 instructions of the trace

Traps and privilege belong to the task whose instruction follows.

  $ printf '# isa riscv64\n!privilege P:3\n80/4\n84/4\n!privilege P:0\n90/4 T:1\n!interrupt 7 P:3\n88/4\n!privilege P:0\n94/4 T:1\n' >harts.txt
  $ printf '# isa riscv64\n!privilege P:0\n90/4 T:1\n!privilege P:3\n80/4\n84/4\n!interrupt 7 P:3\n88/4\n!privilege P:0\n94/4 T:1\n' >turned.txt
  $ octrace compare harts.txt turned.txt
  harts.txt and turned.txt: 5 instructions and 0 accesses equal
  $ sed 's/interrupt 7/interrupt 8/' turned.txt >other.txt
  $ octrace compare --context 0 harts.txt other.txt
  - harts.txt
  + other.txt
  1: at instruction 3 of -, 3 of +: other traps
  -             !interrupt 7 to privilege 3
  -          3  0x88
  +             !interrupt 8 to privilege 3
  +          3  0x88
  1> octrace: harts.txt and other.txt: 1 difference, 4 instructions equal; 1 with other traps

Bytes of instructions are compared where both traces have them.

  $ line='core   0: 0x%s (0x%s) x\ncore   0: 3 0x%s (0x%s) x5 0x0\n'
  $ printf "$line" 80000000 00000297 80000000 00000297 80000004 00128293 80000004 00128293 >spike.log
  $ sed 's/00128293/00228293/' spike.log >rtl.log
  $ octrace compare spike.log rtl.log
  - spike.log
  + rtl.log
  1: at instruction 1 of -, 1 of +: other bytes of instructions
                !privilege 3
             0  0x80000000  00000297  auipc t0, 0x0
  -          1  0x80000004  00128293  addi t0, t0, 1
  +          1  0x80000004  00228293  addi t0, t0, 2
  1> octrace: spike.log and rtl.log: 1 difference, 1 instruction equal; 1 with other bytes of instructions

What may be wrong with the command line.

  $ octrace compare @
  | a.oct => 2> octrace: compare: two traces are needed (see octrace compare --help)
  | - - => 2> octrace: compare: standard input can be only one of the two traces (see octrace compare --help)
  | --ignore x a.oct a.oct => 2> octrace: compare: cannot ignore 'x': expected sizes, bytes, tasks, accesses, access-kinds, access-sizes, values, registers, traps, privilege, gaps or end (see octrace compare --help)
  | --window 0 a.oct a.oct => 2> octrace: compare: --window '0': expected a number from 1 to 1048576 (see octrace compare --help)
  | --start x a.oct a.oct => 2> octrace: compare: --start 'x': expected an address (0x80000000) or exact (see octrace compare --help)
  | --max x a.oct a.oct => 2> octrace: compare: --max 'x': expected a number from 0 (1000, 10K, 2M) (see octrace compare --help)
  | a.oct missing => 4> octrace: missing: cannot open: No such file or directory
  | missing a.oct => 4> octrace: missing: cannot open: No such file or directory
  | --skip-b 1M a.oct a.oct => 4> octrace: a.oct: --skip 1000000 leaves nothing: the trace has no more instructions
