SPDX-License-Identifier: Apache-2.0
Places where instructions are missing stay in a trace, with their causes, and no command takes their two sides for one run. holes.py
has the gaps of trace units.

  $ cat >a.txt <<END
  > # isa riscv64
  > !gap beginning
  > 10000 I:13000000
  > !gap no-image A:5000 I:3 D:1
  > !gap overflow I:7
  > 10004 T:1 I:63100000
  > !gap lost
  > !exception 2 A:10008 V:0 P:3
  > 10008 T:1 I:ef008000
  > 10010 T:1 I:13000000
  > !gap damage
  > END
  $ octrace convert --gaps gaps.csv a.txt a.oct
  0> octrace: note: a.txt: instructions are missing in 5 gaps of the trace (1 overflow, 1 lost, 1 no-image, 1 beginning, 1 damage)
  $ cat gaps.csv
  instruction,lost_instructions,lost_accesses,cause
  0,,,"beginning"
  1,3,1,"no-image at 0x5000"
  4,7,,"overflow"
  12,,,"lost"
  14,,,"damage"
  $ octrace info a.oct | grep gaps
  gaps                   5
  0> octrace: note: a.oct: instructions are missing in 5 gaps of the trace (1 overflow, 1 lost, 1 no-image, 1 beginning, 1 damage)
  $ octrace convert --to text a.oct - 2>notes | grep -v '^#'
  !gap beginning
  0000000000010000
  !gap no-image A:0000000000005000 I:3 D:1
  !gap overflow I:7
  0000000000010004 T:1
  !exception 2 A:0000000000010008 V:0000000000000000 P:3
  !gap lost
  0000000000010008 T:1
  0000000000010010 T:1
  !gap damage
  $ octrace view a.oct 2>notes
              !gap beginning
           0  0x10000     00000013  nop
              !task 1
              !gap no-image at 0x5000
              !gap overflow
           1  0x10004     00001063  bnez zero, 0x10004
              !exception 2 at 0x10008 to privilege 3
              !gap lost
           2  0x10008     008000ef  jal 0x10010
           3  0x10010     00000013  nop
              !gap damage
  $ octrace view --csv - a.oct 2>notes | cut -d, -f 1,2,9
  number,address,traps
  0,0x10000,!gap beginning
  1,0x10004,
  2,0x10008,!exception 2 at 0x10008 to privilege 3 !gap lost
  3,0x10010,

What carries gaps gives them back; what does not says how many it leaves out.

  $ for tracer in paper shadow raw etrace ntrace replay; do
  >   octrace compress --tracer $tracer -o a.octp a.oct >out 2>notes && octrace info a.octp | grep -h gaps
  >   octrace decompress --gaps back.csv --to text a.octp 2>notes | grep '^!gap\|^[0-9]' | cut -d' ' -f 1-2 >back.txt
  >   cmp gaps.csv back.csv && octrace convert --to text a.oct - 2>notes | grep '^!gap\|^[0-9]' | cut -d' ' -f 1-2 | cmp - back.txt
  > done
  gaps                   5
  gaps                   5
  gaps                   5
  gaps                   5
  gaps                   5
  gaps                   5
  $ for codec in vpc3 shadow plain sequitur; do
  >   octrace compress --codec $codec -o a.octc a.oct >out 2>notes
  >   octrace decompress --gaps back.csv -o back.oct a.octc 2>notes
  >   cmp gaps.csv back.csv && as_text back.oct 2>notes | cmp - <(as_text a.oct 2>notes)
  > done
  $ octrace convert --to @ a.oct out 2>&1 | grep 'not marked'
  | champsim => octrace: note: out: 5 gaps of the trace are not marked: the format has no place for them
  | din => octrace: note: out: 5 gaps of the trace are not marked: the format has no place for them
  | pc64 => octrace: note: out: 5 gaps of the trace are not marked: the format has no place for them
  | etrace:data=0 => octrace: note: out: 5 gaps of the trace are not marked: the format has no place for them

A part has the gaps that it contains.

  $ part() { octrace convert --to text "$@" a.oct - 2>notes | grep -v '^#'; }
  $ part --limit 1
  !gap beginning
  0000000000010000
  $ part --skip 1 --limit 1
  !gap no-image A:0000000000005000 I:3 D:1
  !gap overflow I:7
  0000000000010004 T:1
  $ part --skip 3
  0000000000010010 T:1
  !gap damage
  $ part --range 0x10010-0x10010
  !privilege P:3
  0000000000010010 T:1
  !gap damage
  $ part --task 0
  !gap beginning
  0000000000010000
  !gap no-image A:0000000000005000 I:3 D:1
  !gap overflow I:7
  $ octrace info --limit 1 a.oct 2>&1 | grep gap
  octrace: note: a.oct: instructions are missing in 1 gap of the trace (1 beginning)
  gaps                   1

Traces that differ in gaps alone are not equal.

  $ grep -v 'gap no' a.txt >b.txt
  $ octrace compare a.oct b.txt 2>notes
  - a.oct
  + b.txt
  1: at instruction 1 of -, 1 of +: other gaps
  -             !gap no-image at 0x5000
  -             !gap overflow
  -          1  0x10004     00001063  bnez zero, 0x10004  T:1
  +             !gap overflow
  +          1  0x10004     00001063  bnez zero, 0x10004  T:1
                !exception 2 at 0x10008 to privilege 3
                !gap lost
             2  0x10008     008000ef  jal 0x10010  T:1
             3  0x10010     00000013  nop  T:1
                !gap damage
  [exit 1]
  $ octrace compare a.oct a.txt 2>notes
  a.oct and a.txt: 4 instructions and 0 accesses equal
  $ octrace compare --ignore gaps a.oct b.txt 2>notes
  a.oct and b.txt: 4 instructions and 0 accesses equal

A branch before a gap went nowhere that is known, a block ends, and a call stack begins anew where nothing else is known.

  $ cat >branch.txt <<END
  > # isa riscv64
  > 10000 I:63080000
  > 10010 I:63080000
  > !gap lost
  > 10020 I:13000000
  > END
  $ octrace stats branch.txt 2>notes | grep -i 'branch\|taken'
  conditional branches              1   100.00 % taken
  conditional branch                2    66.67              0              0
  $ grep -v gap branch.txt >whole.txt && octrace stats whole.txt 2>notes | grep -i 'branch\|taken'
  conditional branches              2   100.00 % taken
  conditional branch                2    66.67              0              0
  $ cat >call.txt <<END
  > # isa riscv64
  > 10000 I:ef000010
  > !gap lost
  > 20000 I:13000000
  > 20004 I:13000000
  > END
  $ octrace calls call.txt 2>notes
  0x10000 1
  0x20000 2
  $ grep -v gap call.txt >whole.txt && octrace calls whole.txt 2>notes
  0x10000 1
  0x10000;0x20000 2

Bad lines are told.

  $ octrace info <(printf '# isa riscv64\n!gap %s\n10000\n' '@')
  | nothing => 4> octrace: /dev/fd/63:2: expected overflow, lost, no-image, beginning or damage, found 'nothing'
  | overflow A:5 => 4> octrace: /dev/fd/63:2: expected A:addr of no-image, I:instructions or D:accesses, found 'A:5'
  | lost X:5 => 4> octrace: /dev/fd/63:2: expected A:addr of no-image, I:instructions or D:accesses, found 'X:5'
  | no-image A:x => 4> octrace: /dev/fd/63:2: expected a hexadecimal address, found 'x'

An address of which N-Trace left out the top is no hole where the program has code at the whole address.

  $ high() { # high BITS ADDRESS: a loop at a high address, traced with extend_addr=BITS, and read with its program alone
  >   python3 -c 'import struct, sys; base = int(sys.argv[1], 16); code = bytes.fromhex("1300000067800200")
  > ident = b"\x7fELF\2\1\1"
  > open("high.elf", "wb").write(struct.pack("<16sHHIQQQIHHHHHH", ident, 2, 243, 1, base, 64, 0, 0, 64, 56, 1, 64, 0, 0)
  >                              + struct.pack("<IIQQQQQQ", 1, 5, 120, base, base, len(code), len(code), 4) + code)' $2
  >   printf '%s0 I:13000000\n%s4 I:67800200\n' ${2%0} ${2%0} ${2%0} ${2%0} | sed '1i # isa riscv64' >high.txt
  >   octrace convert --to ntrace:extend_addr=$1 high.txt high.nt
  >   octrace convert --from ntrace --elf high.elf --gaps gaps.csv --to text high.nt high.back
  >   cat gaps.csv; grep -v '^#' high.back
  > }
  $ high 64 ffffffff80000000
  instruction,lost_instructions,lost_accesses,cause
  ffffffff80000000
  ffffffff80000004
  ffffffff80000000
  ffffffff80000004
  $ high 32 80000000
  instruction,lost_instructions,lost_accesses,cause
  0000000080000000
  0000000080000004
  0000000080000000
  0000000080000004
  $ high 0 ffffffff80000000
  instruction,lost_instructions,lost_accesses,cause
  ffffffff80000000
  ffffffff80000004
  ffffffff80000000
  ffffffff80000004

Counts behind the syncs of an N-Trace stream tell of a period that is missing: of each where count=1 is given, else once two
counts agreed with the instructions between them. A TCODE 56 of another vendor is none.

  $ octrace convert --limit 2500 --elf ../data/mixed-riscv64.elf --to ntrace:sync_period_insns=50 ../data/mixed-riscv64.oct n.nt
  $ without() { # without OPTIONS: how often the stream without one period ends with each status and number of instructions
  >   python3 - <<'END_PY'
  > data = open("n.nt", "rb").read()
  > ends = [0] + [i + 1 for i, byte in enumerate(data) if byte & 3 == 3]
  > counts = [end for begin, end in zip(ends, ends[1:]) if data[begin] >> 2 == 56]
  > for i in range(len(counts) - 1):
  >   open(f"cut.{i}", "wb").write(data[:counts[i]] + data[counts[i + 1]:])
  > END_PY
  >   for cut in cut.*; do
  >     octrace convert --from ntrace:$1 --elf ../data/mixed-riscv64.elf --to text $cut cut.txt 2>err
  >     echo "$? $(cut -d: -f 4 err)"
  >   done | sort | uniq -c
  > }
  $ without count=1
       17 4  I-CNT ends within an instruction
        4 4  a branch without an outcome
        4 4  a return without an address
       20 4  a sync counts other instructions than were decoded
        4 4  outcomes without branches
  $ without history=1
       17 4  I-CNT ends within an instruction
        4 4  a branch without an outcome
        4 4  a return without an address
       20 4  a sync counts other instructions than were decoded
        4 4  outcomes without branches
  $ without count=0
       20 0
       17 4  I-CNT ends within an instruction
        4 4  a branch without an outcome
        4 4  a return without an address
        4 4  outcomes without branches
  $ python3 - <<'END_PY'
  > data = open("n.nt", "rb").read()
  > ends = [0] + [i + 1 for i, byte in enumerate(data) if byte & 3 == 3]
  > messages = [data[begin:end] for begin, end in zip(ends, ends[1:])]
  > open("other.nt", "wb").write(b"".join(bytes([0xe0, 4 * (i % 60) + 3]) if m[0] >> 2 == 56 else m for i, m in enumerate(messages)))
  > END_PY
  $ octrace convert --from ntrace --elf ../data/mixed-riscv64.elf --to text other.nt other.txt
  $ grep -vc '^[#!]' other.txt
  2500
  $ octrace convert --from ntrace:count=1 --elf ../data/mixed-riscv64.elf --to text other.nt other.txt
  4> octrace: other.nt: bit 120: a sync counts other instructions than were decoded: nothing is written (--salvage keeps the 50 instructions and 0 accesses before it, some may be wrong (no check covers them))

The list of a damaged file that gives nothing takes the place of an older one.

  $ octrace convert --limit 100 ../data/mixed-riscv64.oct sound.oct
  $ head -c -100 sound.oct >cut.oct
  $ octrace convert --gaps gaps.csv cut.oct none.oct
  4> octrace: cut.oct: offset 1456: the trace ends within a block: nothing but --gaps is written (--salvage keeps the 100 instructions and 19 accesses before it)
  $ cat gaps.csv; ls none.oct
  instruction,lost_instructions,lost_accesses,cause
  0,,,"damage: offset 1456: the trace ends within a block"
  2> ls: cannot access 'none.oct': No such file or directory
  $ octrace convert cut.oct none.oct
  4> octrace: cut.oct: offset 1456: the trace ends within a block: nothing is written (--salvage keeps the 100 instructions and 19 accesses before it)

A stream of a trace unit lacks accesses where the trace does, and its reader expects those that the program's instructions make.

  $ octrace convert --elf ../data/mixed-riscv64.elf --from ntrace n.nt bare.oct
  $ for to in etrace paper shadow etrace:data=0; do octrace convert --to $to bare.oct bare || echo $?; done
  0> octrace: note: bare: the trace has no accesses, which a reader with the program's file expects: --to etrace:data=0
  0> octrace: note: bare: the trace has no accesses, which a reader with the program's file expects
  0> octrace: note: bare: the trace has no accesses, which a reader with the program's file expects
