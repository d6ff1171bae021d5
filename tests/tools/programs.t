SPDX-License-Identifier: Apache-2.0
The whole chain holds for every instruction set and format, with the program's ELF file or without, and for programs that
change under the same addresses: there and back through both engines, nothing lost.

  $ set -o pipefail
  $ foreign=../samples/foreign data=../data
  $ whole() { try octrace verify --engine both --arrival cpi=8 -g max "$@" | grep -v 'note: \|no known' | sed -E 's/.*: (untimed|cycle): //' | uniq -c; }
  $ for isa in arm thumb aarch64 riscv64 x86-64 mips; do
  >   whole $data/mixed-$isa.oct
  >   whole --elf $data/mixed-$isa.elf $foreign/$isa.execlog.xz
  > done
        2 11811 instructions and 2094 accesses equal
        2 3000 instructions and 601 accesses equal
        2 12555 instructions and 2094 accesses equal
        2 3000 instructions and 591 accesses equal
        2 12410 instructions and 1851 accesses equal
        2 3000 instructions and 609 accesses equal
        2 13471 instructions and 1931 accesses equal
        2 3000 instructions and 537 accesses equal
        2 14881 instructions and 2115 accesses equal
        2 3000 instructions and 455 accesses equal
        2 13615 instructions and 1901 accesses equal
        2 3000 instructions and 487 accesses equal
  $ for trace in x86-64.lackey.xz mips.din.xz mips.xdin.xz mips.dinbin.xz x86-64.champsim.xz riscv64.spike.xz aarch64.gem5.xz \
  >   x86-64.drmemtrace.zip aarch64.cvp.gz x86-64.pinatrace.xz x86-64.vpc3.xz; do whole $foreign/$trace; done | sort | uniq -c
        1       2 14881 instructions and 2075 accesses equal
        2       2 3000 instructions and 455 accesses equal
        3       2 3000 instructions and 487 accesses equal
        1       2 3000 instructions and 537 accesses equal
        1       2 3000 instructions and 598 accesses equal
        1       2 3000 instructions and 609 accesses equal
        2       2 455 instructions and 455 accesses equal
  $ whole @
  | --from cloudsuite $foreign/x86-64.cloudsuite.xz =>       2 3000 instructions and 455 accesses equal
  | --limit 20000 $data/simplescalar.txt.xz =>       2 2008 instructions and 568 accesses equal

A native trace of version 1 gets its bytes from the program. Another build is recognised by every command.

  $ for isa in arm aarch64 riscv64 x86-64 mips; do octrace info --elf $data/mixed-$isa.elf $data/mixed-$isa.oct | grep effect_p; done | uniq -c
        5 effect_percent         100.000
  $ cp $data/mixed-riscv64.elf elf
  $ rebuild elf rebuilt.elf
  $ octrace convert --elf elf $data/mixed-riscv64.oct bytes.oct
  $ octrace info bytes.oct | grep code_percent
  code_percent           100.000
  $ for trace in $data/mixed-riscv64.oct bytes.oct; do
  >   for command in info 'compress --output=new' 'compress --tracer shadow --output=new' 'compress --codec shadow --output=new' \
  >     'verify --tracer shadow' 'report --cycle-insns 0' 'bench --tracer shadow' 'sweep -a vc_ways=2,3 --tracer shadow --output=new'; do
  >     try octrace $command --elf rebuilt.elf $trace
  >   done
  >   for command in convert filter; do try octrace $command --elf rebuilt.elf $trace new; done
  > done 2>&1 | sed 's/: its instr.*//; s/[0-9]* of [0-9]* .*//' | sort | uniq -c
       20 4> octrace: rebuilt.elf: another program than that of the trace (another build, or loaded elsewhere):
  $ ls new
  2> ls: cannot access 'new': No such file or directory

A file of the program that has nothing of the trace is told once, with where it was loaded if bytes tell; an error is told
alone.

  $ octrace convert --to text bytes.oct text.txt
  $ octrace info --elf elf bytes.oct | wc -l
  32
  $ octrace @ 2>&1 >out | grep elf || :
  | info --elf elf@0x10000000 bytes.oct => octrace: note: elf: it was loaded elsewhere: give --elf elf@0x0
  | verify --engine untimed --elf elf@0x10000000 bytes.oct => octrace: note: elf: it was loaded elsewhere: give --elf elf@0x0
  | report --cycle-insns 0 --elf elf@0x10000000 bytes.oct => octrace: note: elf: it was loaded elsewhere: give --elf elf@0x0
  | compress --output=new --elf elf@0x10000000 bytes.oct => octrace: note: elf: it was loaded elsewhere: give --elf elf@0x0
  | filter --elf elf@0x10000000 bytes.oct => octrace: note: elf: it was loaded elsewhere: give --elf elf@0x0
  | sweep --elf elf@0x10000000 bytes.oct => octrace: note: elf: it was loaded elsewhere: give --elf elf@0x0
  | bench --repeat 1 --codec plain --elf elf@0x10000000 bytes.oct => octrace: note: elf: it was loaded elsewhere: give --elf elf@0x0
  | compress --output=new --codec=vpc3 --elf elf@0x10000000 bytes.oct => octrace: note: elf: it was loaded elsewhere: give --elf elf@0x0
  | convert --elf elf@0x10000000 --to native bytes.oct new => octrace: note: elf: it was loaded elsewhere: give --elf elf@0x0
  | convert --elf elf@0x10000000 --to text bytes.oct new => octrace: note: elf: it was loaded elsewhere: give --elf elf@0x0
  | convert --elf elf@0x10000000 --to pc bytes.oct new => octrace: note: elf: it was loaded elsewhere: give --elf elf@0x0
  | convert --elf elf --to pc bytes.oct new
  | convert --isa riscv64 --elf elf@0x10000000 text.txt new => octrace: note: elf: no instruction of the trace is in it: if it was loaded elsewhere, give --elf elf@BIAS
  | filter --elf elf@0x10000000 bytes.oct new => octrace: note: elf: it was loaded elsewhere: give --elf elf@0x0
  | info --isa riscv64 --elf elf@0x10000000 text.txt => octrace: note: elf: no instruction of the trace is in it: if it was loaded elsewhere, give --elf elf@BIAS
  | info --elf elf --elf elf@0x10000000 bytes.oct => octrace: note: elf: it was loaded elsewhere: give --elf elf@0x0
  $ { cat text.txt; echo nonsense; } >bad.txt
  $ for command in info verify 'verify --against plain' report bench 'sweep -a sc_ways=1' 'compress -o x' 'compress --codec plain -o x' filter; do
  >   try octrace $command --isa riscv64 --elf elf@0x10000000 bad.txt
  > done | cut -c1-80 | sort | uniq -c
        9 4> octrace: bad.txt:13475: expected a hexadecimal address, found 'nonsense'

The program's file gives what the trace leaves out: all sizes are right, all entries have a class. Moved by a bias the
addresses are not the program's.

  $ trace=$foreign/x86-64.champsim.xz x86=$data/mixed-x86-64.elf
  $ addresses() { octrace convert --to text --limit 3000 "$@" - | grep -v '^#' | cut -d' ' -f1; }
  $ addresses $data/mixed-x86-64.oct >want
  $ addresses --elf $x86 $trace | cmp want -
  $ addresses $trace >want
  $ addresses --elf $x86@0x1000000 $trace | cmp want -
  0> octrace: note: ../data/mixed-x86-64.elf: no instruction of the trace is in it: if it was loaded elsewhere, give --elf ../data/mixed-x86-64.elf@BIAS
  $ octrace info --elf $x86 $trace | grep -oE '^isa .*|sort\+0x50'
  isa                    x86-64
  sort+0x50
  sort+0x50
  $ octrace info --json --top 3 --elf $x86 $trace | grep -c '"symbol"'
  3
  $ octrace info --top 0 $trace | grep isa_guess
  isa_guess              sizes of many kinds (x86)
  $ octrace convert --insn-bytes 5 --to text $trace - | grep -v '^#' | grep -vc '/5' || :
  0
  $ objcopy --strip-all $x86 bare.elf 2>found || strip_sections $x86 bare.elf
  $ quiet octrace @ --limit 1000 --elf bare.elf $trace
  | info
  | report --cycle-insns 100 --no-tracers

Wrong programs, sets and sizes: what is wrong with the program is said of the program, by each command.

  $ printf 'no program\n' >noise
  $ head -c 100 $data/mixed-arm.elf >short.elf
  $ mkdir folder
  $ : >empty
  $ for command in info 'compress -o x' verify bench sweep 'report --cycle-insns 0'; do
  >   for wrong in missing folder empty noise short.elf; do
  >     try octrace $command --limit 100 --elf $x86 --elf $wrong $trace
  >     try octrace $command --limit 100 --elf $wrong - <$trace
  >   done
  > done | sort | uniq -c
       12 4> octrace: empty: not an ELF file
       12 4> octrace: folder: a folder: expected an ELF file
       12 4> octrace: missing: cannot open: No such file or directory
       12 4> octrace: noise: not an ELF file
        6 4> octrace: short.elf: a file for arm: expected one for x86-64, as the first is
        6 4> octrace: short.elf: damaged ELF file: invalid data
  $ octrace @
  | info --elf '' $trace => 4> octrace: '': cannot open: No such file or directory
  | convert --elf missing $trace x => 4> octrace: missing: cannot open: No such file or directory
  | info --elf elf@there $trace => 2> octrace: info: bias 'there' is not a number (see octrace info --help)
  | info --isa z80 $trace => 2> octrace: info: unknown instruction set 'z80': expected arm, thumb, riscv32, riscv64, aarch64, x86, x86-64, mips or mipsel (see octrace info --help)
  | info --insn-bytes 16 $trace => 2> octrace: info: --insn-bytes '16': expected a number from 1 to 15 (see octrace info --help)
  | info --top many $trace => 2> octrace: info: --top 'many': expected a number from 0 to 1000 (see octrace info --help)
  | convert --to spike $trace x => 2> octrace: convert: format 'spike' can only be read: expected one that octrace list formats lists as written (see octrace convert --help)
  | decompress --to spike $trace x => 2> octrace: decompress: format 'spike' can only be read: expected one that octrace list formats lists as written (see octrace decompress --help)
  | filter --to spike $trace x => 2> octrace: filter: format 'spike' can only be read: expected one that octrace list formats lists as written (see octrace filter --help)

A program of another machine than the trace's is refused, whoever says which that is: the trace's header or format, or
--isa. Thumb is a state of ARM. So is an instruction set that is not the trace's own.

  $ octrace @
  | info --elf $x86 ../samples/sha1.oct => 4> octrace: ../data/mixed-x86-64.elf: a program for x86-64: expected one for armv5te, as the trace is (../samples/sha1.oct)
  | compress -o x --elf $x86 ../samples/sha1.oct => 4> octrace: ../data/mixed-x86-64.elf: a program for x86-64: expected one for armv5te, as the trace is (../samples/sha1.oct)
  | verify --engine untimed --elf $x86 ../samples/sha1.oct => 4> octrace: ../data/mixed-x86-64.elf: a program for x86-64: expected one for armv5te, as the trace is (../samples/sha1.oct)
  | convert --elf $data/mixed-mips.elf ../samples/sha1.oct x => 4> octrace: ../data/mixed-mips.elf: a program for mips: expected one for armv5te, as the trace is (../samples/sha1.oct)
  | info --elf $data/mixed-arm.elf $foreign/riscv64.spike.xz => 4> octrace: ../data/mixed-arm.elf: a program for arm: expected one for riscv64, as the trace is (../samples/foreign/riscv64.spike.xz)
  | info --elf $data/mixed-arm.elf $foreign/x86-64.drmemtrace.zip => 4> octrace: ../data/mixed-arm.elf: a program for arm: expected one for x86-64, as the trace is (../samples/foreign/x86-64.drmemtrace.zip)
  | info --elf $data/mixed-arm.elf $data/simplescalar.txt.xz => 4> octrace: ../data/mixed-arm.elf: a program for arm: expected one for pisa, as the trace is (../data/simplescalar.txt.xz)
  | info --elf $data/mixed-riscv64.elf --isa mips $foreign/mips.din.xz => 4> octrace: ../data/mixed-riscv64.elf: a program for riscv64: expected one for mips, as the trace is (../samples/foreign/mips.din.xz)
  | info --elf $data/mixed-thumb.elf --isa aarch64 $foreign/aarch64.execlog.xz => 4> octrace: ../data/mixed-thumb.elf: a program for arm: expected one for aarch64, as the trace is (../samples/foreign/aarch64.execlog.xz)
  | info --elf $data/mixed-mips.elf $data/mixed-thumb.oct => 4> octrace: ../data/mixed-mips.elf: a program for mips: expected one for thumb, as the trace is (../data/mixed-thumb.oct)
  | info --limit 10 --elf $data/mixed-arm.elf --isa thumb $foreign/thumb.execlog.xz => 4> octrace: ../data/mixed-arm.elf: another program than that of the trace (another build, or loaded elsewhere): 99 of 99 instructions differ, the first at 0x10098: give the right file, or no --elf
  | info --limit 10 --elf $data/mixed-thumb.elf $data/mixed-thumb.oct >out
  | info --isa riscv32 ../samples/isa/riscv64.oct => 4> octrace: ../samples/isa/riscv64.oct: a trace of riscv64, but --isa is riscv32: leave --isa out
  | compress -o x --isa riscv32 ../samples/isa/riscv64.oct => 4> octrace: ../samples/isa/riscv64.oct: a trace of riscv64, but --isa is riscv32: leave --isa out
  | verify --engine untimed --isa riscv32 ../samples/isa/riscv64.oct => 4> octrace: ../samples/isa/riscv64.oct: a trace of riscv64, but --isa is riscv32: leave --isa out
  | report --cycle-insns 0 --isa riscv32 ../samples/isa/riscv64.oct => 4> octrace: ../samples/isa/riscv64.oct: a trace of riscv64, but --isa is riscv32: leave --isa out
  | bench --isa riscv32 ../samples/isa/riscv64.oct => 4> octrace: ../samples/isa/riscv64.oct: a trace of riscv64, but --isa is riscv32: leave --isa out
  | info --isa arm $data/simplescalar.txt.xz => 4> octrace: ../data/simplescalar.txt.xz: a trace of pisa, but --isa is arm: leave --isa out
  | info --limit 10 --isa thumb ../samples/sha1.oct >out
  | info --limit 10 --isa rv64gc ../samples/isa/riscv64.oct >out
  $ ls x
  2> ls: cannot access 'x': No such file or directory
  $ printf '8000/4 T:65535\n' >task
  $ octrace convert --to cloudsuite task new
  $ octrace convert --from cloudsuite --to text new - | tail -n 1
  0000000000008000 T:65535
  $ printf '8000/4 T:65536\n' >task
  $ octrace convert --to cloudsuite task x
  4> octrace: x: instruction 0x8000: task 65536 does not fit into cloudsuite

A trace cut off within a line or record.

  $ for file in x86-64.lackey.xz riscv64.spike.xz x86-64.champsim.xz aarch64.cvp.gz; do
  >   (xz -dc $foreign/$file 2>/dev/null || gzip -dc $foreign/$file) >plain
  >   head -c $(($(wc -c <plain) / 2 + 7)) plain >half
  >   try octrace convert half x
  >   rm -f x
  > done
  0> octrace: note: half: the last line has no line end and is left out: the trace may be cut off
  0> octrace: note: half: the last line has no line end and is left out: the trace may be cut off
  4> octrace: half: offset 96000: the trace ends within a record of 64 bytes: nothing is written (--salvage keeps the 1499 instructions and 207 accesses before it)
  4> octrace: half: offset 33179: the trace ends within a record: nothing is written (--salvage keeps the 1540 instructions and 333 accesses before it)

Self-modifying code, a library at the address of another, two tasks with two programs at one address: sizes, kinds and
numbers of accesses change under one address, over and over; with the file of a program that was not there. Opcodes change
too: the log of another program at the same addresses follows, and the first again.

  $ awk 'BEGIN {
  >   for (i = 0; i < 4000; i++) {
  >     if (i % 7 < 3) {
  >       printf "8000/4 L4:%x\n8004/2\n8006/4 S8:%x\n", 4096 + 4 * i, 8192 + 8 * (i % 5)
  >     } else if (i % 7 < 5) {
  >       printf "8000/2\n8002/4 S1:%x S2:%x\n8006/2\n8008/4\n", 65536 + i, 4096 - 2 * i + 8000
  >     } else {
  >       printf "8000/4 S4:%x L4:%x T:9\n8004/4 T:9\n8008/8 L8:%x T:9\n", 16 * i, 24 * i, 4 * i
  >     }
  >   } }' >changing
  $ xz -dc $foreign/thumb.execlog.xz >log
  $ xz -dc $foreign/arm.execlog.xz | sed 's/^0,/1,/' | awk 'NR == FNR { a[FNR] = $0; next }
  >   { if (FNR % 40 == 0 && FNR < 2000) for (i = FNR - 39; i <= FNR; i++) print a[i]; print }' log - >both
  $ whole @
  | changing =>       2 13142 instructions and 9142 accesses equal
  | changing -g max,sync_period_insns=256 =>       2 13142 instructions and 9142 accesses equal
  | changing -g max,sync_period_insns=4096 =>       2 13142 instructions and 9142 accesses equal
  | changing --elf $data/mixed-arm.elf@0xffff8000 =>       2 13142 instructions and 9142 accesses equal
  | both --from execlog --isa thumb =>       2 4960 instructions and 992 accesses equal
