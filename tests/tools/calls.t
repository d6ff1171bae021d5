SPDX-License-Identifier: Apache-2.0
octrace calls: folded stacks, JSON, event traces; every instruction set; what is wrong.

One program for each instruction set: it sorts by recursion, then makes a sum.

  $ for isa in arm thumb aarch64 riscv64 x86-64 mips; do
  >   octrace calls --elf ../data/mixed-$isa.elf ../data/mixed-$isa.oct - 2>/dev/null >folded
  >   sed 's/^[^;]*;//; s/ [0-9]*$//; s/\(;sort\|;fibonacci\)*$/;.../' folded | sort -u | grep run | xargs
  >   [ $(awk '{ n += $NF } END { print n }' folded) = $(octrace info ../data/mixed-$isa.oct | sed -n 's/^instructions *//p') ]
  > done | uniq -c
        6 run;... run;checksum;... run;multiply;... run;plus_one;... run;select_one;... run;twice;...

The event trace goes through octrace events; a clock turns stamps into seconds.

  $ octrace calls --to text --elf ../data/mixed-riscv64.elf ../data/mixed-riscv64.oct calls.txt
  $ octrace events compress -o calls.octev calls.txt | head -n 1
  418 events and 0 other records: 9 patterns of 14 meta-events, 156 occurrences (0 disturbed), 46 plain events
  $ octrace calls --to octev --elf ../data/mixed-riscv64.elf -o direct.octev ../data/mixed-riscv64.oct
  $ octrace events decompress calls.octev | cmp - calls.txt
  $ octrace events decompress direct.octev | cmp - calls.txt

Stamps: a trap handler on top, two tasks; JSON.

  $ cat >in.txt <<END
  > # isa riscv64
  > 8000/4 I:ef00c000 @100
  > 800c/4 I:13000000 @110
  > !interrupt 7 A:8010 P:3
  > 9000/4 I:73002030 @120
  > !privilege P:0
  > 8010/4 I:67800000 @130
  > 8000/4 I:ef00c000 @135 T:1
  > 8004/4 I:13000000 @140
  > END
  $ octrace calls --to text --clock 1M in.txt
  # octrace events: time thread enter|leave function
  # ticks_per_second 1000000
  # process task\s0 trace
  # process task\s1 trace
  100 task\s0 enter 0x8000
  110 task\s0 enter 0x800c
  120 task\s0 enter 0x9000
  130 task\s0 leave 0x9000
  135 task\s1 enter 0x8000
  140 task\s0 leave 0x800c
  140 task\s0 leave 0x8000
  140 task\s1 leave 0x8000
  0> octrace: note: in.txt: functions are named by their addresses: --elf FILE has their names
  $ octrace calls in.txt
  task 0;0x8000 10
  task 0;0x8000;0x800c 15
  task 0;0x8000;0x800c;0x9000 10
  task 1;0x8000 5
  0> octrace: note: in.txt: functions are named by their addresses: --elf FILE has their names
  $ octrace calls --to chrome --clock 1M in.txt 2>/dev/null
  {"displayTimeUnit":"ns","traceEvents":[
  {"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"task 0"}},
  {"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"task 1"}},
  {"ph":"B","pid":1,"tid":1,"ts":100.000,"name":"0x8000"},
  {"ph":"B","pid":1,"tid":1,"ts":110.000,"name":"0x800c"},
  {"ph":"B","pid":1,"tid":1,"ts":120.000,"name":"0x9000"},
  {"ph":"E","pid":1,"tid":1,"ts":130.000,"name":"0x9000"},
  {"ph":"B","pid":1,"tid":2,"ts":135.000,"name":"0x8000"},
  {"ph":"E","pid":1,"tid":1,"ts":140.000,"name":"0x800c"},
  {"ph":"E","pid":1,"tid":1,"ts":140.000,"name":"0x8000"},
  {"ph":"E","pid":1,"tid":2,"ts":140.000,"name":"0x8000"}
  ]}

What cannot be.

  $ printf '8000\n8004\n' >bare.txt
  $ octrace calls @
  | bare.txt x => 4> octrace: bare.txt: no instruction's class is known, as the trace has no code: give the program with --elf FILE
  | --to frob in.txt x => 2> octrace: calls: --to: expected folded, chrome, text, otf2, octev or records, found 'frob' (see octrace calls --help)
  | --to uftrace in.txt x => 2> octrace: calls: --to: expected folded, chrome, text, otf2, octev or records, found 'uftrace' (see octrace calls --help)
  | --clock 0 in.txt x => 2> octrace: calls: --clock '0': expected a number from 1 (1000, 10K, 2M) (see octrace calls --help)
  | -o x in.txt y => 2> octrace: calls: a trace, and at most one output, is needed (see octrace calls --help)
  | -o in.txt in.txt => 2> octrace: calls: in.txt: input and output are the same file
  | in.txt x y => 2> octrace: calls: a trace, and at most one output, is needed (see octrace calls --help)
  | in.txt in.txt => 2> octrace: calls: in.txt: input and output are the same file
  $ ls
  bare.txt
  calls.octev
  calls.txt
  direct.octev
  folded
  in.txt

Returns that match nothing do not search a deep stack: 100,000 of them, with as many calls under way.

  $ python3 - >deep.txt <<'END'
  > print("# isa riscv64\n10000 I:ef000000\n" + "10000\n" * 100000 + "20000 I:67800000")
  > for i in range(100000): print(f"{0x20008 + 8 * i:x} I:67800000")
  > END
  $ timeout 60 octrace calls --to records deep.txt records 2>err && tail -n 1 err
  octrace: note: deep.txt: 100000 returns to a place from which no call was seen
