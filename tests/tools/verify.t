SPDX-License-Identifier: Apache-2.0
octrace verify: equal is equal, and each kind of difference is found.

  $ set -o pipefail
  $ tiny_trace 1000 >t.txt
  $ octrace verify --arrival cpi=40 t.txt
  t.txt: untimed: 4000 instructions and 2000 accesses equal
  t.txt: cycle: 4000 instructions and 2000 accesses equal
  0> octrace: note: t.txt: no known instruction set is named: pc_align_bits=2 was found in the trace
  $ octrace verify --engine untimed --json t.txt | sed -n 2,7p
    {
      "trace": "t.txt",
      "engine": "untimed",
      "equal": true,
      "instructions": 4000,
      "instructions_equal": 4000,
  $ octrace verify --engine untimed - <t.txt
  standard input: untimed: 4000 instructions and 2000 accesses equal
  0> octrace: note: standard input: no known instruction set is named: pc_align_bits=2 was found in the trace

Both engines in one pass, so that a pipe will do. A pipe is read once, whatever file has the name -.

  $ cat t.txt | try octrace verify --arrival cpi=40 -
  standard input: untimed: 4000 instructions and 2000 accesses equal
  standard input: cycle: 4000 instructions and 2000 accesses equal
  0> octrace: note: standard input: no known instruction set is named: pc_align_bits=2 was found in the trace
  $ : >-
  $ cat t.txt | try octrace verify -g paper,port_pins=1 -
  standard input: untimed: 4000 instructions and 2000 accesses equal
  standard input: no known instruction set is named: pc_align_bits=2 was found in the trace
  standard input: for advice how to lose nothing, keep the trace (octrace convert - FILE.oct), and verify that file
  3> octrace: standard input: cycle: 693 instructions equal, 3307 instructions and 1658 accesses lost in 9 gaps
  $ rm ./-

What loses events is told how it would not, as commands of the cycle engine that do, whatever the name of the trace; they
name that trace alone, without the options of the machine, however these are abbreviated. Advice to take another tracer
keeps what the user asks of the trace, and has room for its tasks.

  $ cp ../samples/cjpeg.oct "a b'c"
  $ cp ../samples/cjpeg.oct '$(x)[y]{1,2}!'
  $ ln -s ../samples/cjpeg.oct -- -dash
  $ awk 'BEGIN { srand(7); for (i = 0; i < 300; i++) printf "%x/4 L4:%x T:70000\n", 4 * int(rand() * 2 ^ 28), int(rand() * 2 ^ 31) }' >tasks.txt
  $ advised() { # the advice, which is followed, and loses nothing
  >   local bad=
  >   try octrace verify "$@" >out
  >   grep -v '^    \|equal' out
  >   while read -r _ command; do
  >     echo "    $command"
  >     eval "octrace $command" >again 2>&1 || bad="$bad $command;"
  >   done < <(grep '^    octrace' out)
  >   [ -z "$bad" ] || echo "    not without loss:$bad"
  > }
  $ advised -g paper,port_pins=8 --limit 20000 ../samples/cjpeg.oct
  ../samples/cjpeg.oct: nothing would be lost with
    8 pins and the largest buffers:
    20 pins and a pipelined machine:
    a slower core, of 3 cycles per instruction:
    the tracer shadow, 4 pins:
      verify -g paper,port_pins=8 --limit 20000 -g port_pins=8,stream_fifo_depth=64,data_fifo_depth=64,out_fifo_bytes=4096 ../samples/cjpeg.oct
      verify -g paper,port_pins=8 --limit 20000 -g pipelined=1,port_pins=20 ../samples/cjpeg.oct
      verify -g paper,port_pins=8 --limit 20000 --arrival cpi=3 ../samples/cjpeg.oct
      verify --limit 20000 --tracer shadow -g port_pins=4 ../samples/cjpeg.oct
  $ advised @ | tail -n 1
  | --engine cycle -g paper,port_pins=8,traps=1,timestamp=1,time_period_insns=100,filters=2 --limit 20000 ../samples/cjpeg.oct =>     verify --engine cycle --limit 20000 --tracer shadow -g port_pins=4,traps=1,timestamp=1,time_period_insns=100,filters=2 ../samples/cjpeg.oct
  | --engine cycle -g paper,task_bits=17 tasks.txt =>     verify --engine cycle --tracer shadow -g port_pins=4,gather_insns=1024,gather_accesses=1024,queue_words=4096,out_fifo_bytes=65536,task_bits=17 tasks.txt
  | --stall=100 --seed 3 --arr full --depths --limit 20000 ../samples/cjpeg.oct =>     verify --stall=100 --seed 3 --arr full --depths --limit 20000 --tracer shadow -g port_pins=4 ../samples/cjpeg.oct
  | --engine cycle -g paper,port_pins=8 --limit 5000 -- "a b'c" =>     verify --engine cycle --limit 5000 --tracer shadow -g port_pins=4 'a b'\''c'
  | --engine cycle -g paper,port_pins=8 --limit 5000 -- '$(x)[y]{1,2}!' =>     verify --engine cycle --limit 5000 --tracer shadow -g port_pins=4 '$(x)[y]{1,2}!'
  | --engine cycle -g paper,port_pins=8 --limit 5000 -- -dash =>     verify --engine cycle --limit 5000 --tracer shadow -g port_pins=4 -- -dash
  $ advised --engine cycle --limit 2000 -g port_pins=1 t.txt ../samples/cjpeg.oct | grep -c 't.txt .*cjpeg'
  0
  [exit 1]
  $ advised @ | tail -n 1
  | --engine cycle --limit 200 -g port_pins=1 t.txt ../samples/cjpeg.oct =>     verify --engine cycle --limit 200 --tracer shadow -g port_pins=4 t.txt
  | --st 5 -g port_pins=8 --limit 5000 ../samples/cjpeg.oct =>     verify --st 5 --limit 5000 --tracer shadow -g port_pins=4 ../samples/cjpeg.oct
  | --ar cpi=1 -g port_pins=8 --limit 5000 ../samples/cjpeg.oct =>     verify --ar cpi=1 --limit 5000 --tracer shadow -g port_pins=4 ../samples/cjpeg.oct
  | --ar=cpi=1 --se=2 -g port_pins=8 --limit 5000 ../samples/cjpeg.oct =>     verify --ar=cpi=1 --se=2 --limit 5000 --tracer shadow -g port_pins=4 ../samples/cjpeg.oct
  | --d --en both -g port_pins=8 --limit 5000 ../samples/cjpeg.oct =>     verify --d --en both --limit 5000 --tracer shadow -g port_pins=4 ../samples/cjpeg.oct
  | --t paper --g paper -g port_pins=8 --limit 5000 ../samples/cjpeg.oct =>     verify --limit 5000 --tracer shadow -g port_pins=4 ../samples/cjpeg.oct

Options keep what commands take apart: the parameters of a format, the place of a program.

  $ awk 'BEGIN { srand(7); for (i = 0; i < 300; i++) { a = 4096 * int(rand() * 100000); printf "core   0: 3 0x%016x (0x0002b303) x6  0x%016x mem 0x%016x\n", 2147483648 + 4 * i, 7919 * i * i, a } }' >spike.log
  $ advised @ | tail -n 1
  | --from spike:values=1 --engine cycle --tracer paper -g port_pins=1 spike.log =>     verify --from spike:values=1 --engine cycle --tracer shadow -g port_pins=4,gather_insns=1024,gather_accesses=1024,queue_words=4096,out_fifo_bytes=65536 spike.log
  | --from=spike:values=1 --elf ../data/mixed-riscv64.elf@0x70000000 --engine cycle --tracer paper -g port_pins=1 spike.log =>     verify --from=spike:values=1 --elf ../data/mixed-riscv64.elf@0x70000000 --engine cycle --tracer shadow -g port_pins=4,gather_insns=1024,gather_accesses=1024,queue_words=4096,out_fifo_bytes=65536 spike.log

All buffers are enlarged: 40 accesses of an instruction need room in gather, which counts them apart. What loses later
than in the part that is looked at first is tried to the end. Slower cores are looked at where the trace does not say when
instructions retire, and only those are told that are slower.

  $ awk 'BEGIN {
  >   for (i = 0; i < 300; i++) {
  >     printf "8000/4"
  >     for (k = 0; k < 40; k++) printf " L4:%x", 65536 + 4096 * i + 4 * k
  >     for (k = 1; k < 2000; k++) printf "\n%x/4", 32768 + 4 * k
  >     print ""
  >   }
  > }' >many.txt
  $ advised --tracer shadow --engine cycle many.txt | tail -n 1
      verify --engine cycle --tracer paper -g port_pins=4,stream_fifo_depth=64,data_fifo_depth=64,out_fifo_bytes=4096 many.txt
  $ awk 'BEGIN {
  >   for (i = 0; i < 210000; i++) printf "%x/4\n", 32768 + 4 * (i % 100)
  >   for (i = 0; i < 3000; i++)
  >     printf "%x/4%s\n", 32768 + 4 * (i % 100), i % 100 % 8 ? "" : sprintf(" L4:%x", 7919 * i * i % 1048576)
  > }' >late.txt
  $ awk 'BEGIN { for (i = 0; i < 3000; i++) printf "8000 @%d\n8004 L:%x\n8008 S:%x\n", 3 * i, 7919 * i * i % 1048576, 104729 * i % 1048576 }' >stamped.txt
  $ advised @ | grep -E '^    |core'
  | --engine cycle --tracer paper --limit 213000 -g paper,port_pins=1 late.txt
    a slower core, of 6 cycles per instruction:
      verify --engine cycle --tracer paper --limit 213000 -g paper,port_pins=1 -g port_pins=8 late.txt
      verify --engine cycle --tracer paper --limit 213000 -g paper,port_pins=1 -g port_pins=4,stream_fifo_depth=64,data_fifo_depth=64,out_fifo_bytes=4096 late.txt
      verify --engine cycle --tracer paper --limit 213000 -g paper,port_pins=1 -g pipelined=1,port_pins=8 late.txt
      verify --engine cycle --tracer paper --limit 213000 -g paper,port_pins=1 --arrival cpi=6 late.txt
      verify --engine cycle --limit 213000 --tracer shadow -g port_pins=4 late.txt
  | --engine cycle --arrival cpi=1 -g paper,port_pins=8 --limit 20000 ../samples/cjpeg.oct
    a slower core, of 3 cycles per instruction:
      verify --engine cycle --arrival cpi=1 -g paper,port_pins=8 --limit 20000 -g port_pins=8,stream_fifo_depth=64,data_fifo_depth=64,out_fifo_bytes=4096 ../samples/cjpeg.oct
      verify --engine cycle --arrival cpi=1 -g paper,port_pins=8 --limit 20000 -g pipelined=1,port_pins=20 ../samples/cjpeg.oct
      verify --engine cycle --arrival cpi=1 -g paper,port_pins=8 --limit 20000 --arrival cpi=3 ../samples/cjpeg.oct
      verify --engine cycle --arrival cpi=1 --limit 20000 --tracer shadow -g port_pins=4 ../samples/cjpeg.oct
  | --engine cycle --arrival cpi=3 -g paper,port_pins=4 --limit 5000 ../samples/cjpeg.oct
    a slower core, of 6 cycles per instruction:
      verify --engine cycle --arrival cpi=3 -g paper,port_pins=4 --limit 5000 -g port_pins=8 ../samples/cjpeg.oct
      verify --engine cycle --arrival cpi=3 -g paper,port_pins=4 --limit 5000 -g port_pins=4,stream_fifo_depth=64,data_fifo_depth=64,out_fifo_bytes=4096 ../samples/cjpeg.oct
      verify --engine cycle --arrival cpi=3 -g paper,port_pins=4 --limit 5000 -g pipelined=1,port_pins=8 ../samples/cjpeg.oct
      verify --engine cycle --arrival cpi=3 -g paper,port_pins=4 --limit 5000 --arrival cpi=6 ../samples/cjpeg.oct
      verify --engine cycle --arrival cpi=3 --limit 5000 --tracer shadow -g port_pins=4 ../samples/cjpeg.oct
  | --engine cycle --arrival stamps -g paper,port_pins=1,data_fifo_depth=8,stream_fifo_depth=2 stamped.txt =>     verify --engine cycle --arrival stamps -g paper,port_pins=1,data_fifo_depth=8,stream_fifo_depth=2 -g pipelined=1,port_pins=24 stamped.txt
  $ octrace verify --depths --arrival cpi=8 --limit 3000 ../samples/cjpeg.oct
  ../samples/cjpeg.oct: untimed: 3000 instructions and 825 accesses equal
  ../samples/cjpeg.oct: cycle: 3000 instructions and 825 accesses equal
  ../samples/cjpeg.oct: cycle: would suffice: stream buffer 1, data buffer 6, output buffer 32
  $ octrace verify --json -g small,port_pins=1 --limit 2000 ../samples/cjpeg.oct | value '(len(r),)'
  2
  3> octrace: ../samples/cjpeg.oct: cycle: 1273 instructions equal, 727 instructions and 290 accesses lost in 2 gaps

A container has its own tracer and parameters; each kind of difference is found.

  $ octrace compress -o t.octp t.txt 2>err
  $ octrace verify --container t.octp @
  | t.txt => t.txt: container: 4000 instructions and 2000 accesses equal
  | -g small t.txt => 2> octrace: verify: --container has its own tracer and parameters (see octrace verify --help)
  | --tracer raw t.txt => 2> octrace: verify: --container has its own tracer and parameters (see octrace verify --help)
  $ differs() { sed "$1" t.txt | try octrace verify --container t.octp -; }
  $ differs @
  | '5s/8000/9000/' => 1> octrace: standard input: container: instruction 4: expected 0x9000 of 4 bytes in task 0, decoded 0x8000 of 4 bytes in task 0
  | '2002s/L/S/' => 1> octrace: standard input: container: instruction 2001 (0x8004), access 0: expected store of 0 bytes at 0x17d0, decoded load of 0 bytes at 0x17d0
  | '2002s/:17d0/:17d4/' => 1> octrace: standard input: container: instruction 2001 (0x8004), access 0: expected load of 0 bytes at 0x17d4, decoded load of 0 bytes at 0x17d0
  | '2002s/ L.*//' => 1> octrace: standard input: container: instruction 2001 (0x8004): expected 0 accesses, decoded 1
  | '$d' => 1> octrace: standard input: container: instruction 3999: expected the end, decoded 0x800c
  | '$p' => 1> octrace: standard input: container: instruction 4000: expected 0x800c, decoded the end

Loads and stores in turn, as those of `rep movs`, up to more accesses than the map can count. Half of a burst waits, as
the DASC takes two cycles: more than twice the buffer overflows.

  $ awk 'BEGIN {
  >   for (i = 0; i < 300; i++) {
  >     printf "8000/2"
  >     for (k = 0; k < i; k++) printf " %s:%x", k % 2 ? "S4" : "L4", (k % 2 ? 65536 : 4096) + 4 * int(k / 2)
  >     printf "\n8002\n"
  >   }
  > }' >movs.txt
  $ octrace verify @ movs.txt
  | --engine untimed
  movs.txt: untimed: 600 instructions and 44850 accesses equal
  0> octrace: note: movs.txt: no known instruction set is named: pc_align_bits=1 was found in the trace
  | --engine untimed -g paper,dasc_entries=64,dasc_ways=4
  movs.txt: untimed: 600 instructions and 44850 accesses equal
  0> octrace: note: movs.txt: no known instruction set is named: pc_align_bits=1 was found in the trace
  | -g paper,data_fifo_depth=64 --arrival cpi=400 --limit 250
  movs.txt: untimed: 250 instructions and 7750 accesses equal
  movs.txt: cycle: 250 instructions and 7750 accesses equal
  0> octrace: note: movs.txt: no known instruction set is named: pc_align_bits=1 was found in the trace
  | -g paper,data_fifo_depth=64 --engine cycle --arrival cpi=400
  movs.txt: no known instruction set is named: pc_align_bits=1 was found in the trace
  movs.txt: nothing would be lost with
    4 pins and a pipelined machine:
      octrace verify -g paper,data_fifo_depth=64 --engine cycle --arrival cpi=400 -g pipelined=1,port_pins=4 movs.txt
    the tracer shadow, 4 pins and the largest buffers:
      octrace verify --engine cycle --arrival cpi=400 --tracer shadow -g port_pins=4,gather_insns=1024,gather_accesses=1024,queue_words=4096,out_fifo_bytes=65536 movs.txt
  3> octrace: movs.txt: cycle: 600 instructions equal, 0 instructions and 14878 accesses lost in 172 gaps

More traps ahead of the first instruction than the circuit keeps: the first mark, which comes before the loss, does not
tell the privilege behind it.

  $ awk 'BEGIN { for (i = 0; i < 12; i++) print "!interrupt 1 P:3"; print "8000" }' >lost.txt
  $ octrace verify --isa arm --engine cycle --tracer shadow -g shadow,traps=1 lost.txt >out
  3> octrace: lost.txt: cycle: 1 instruction equal, 0 instructions, 0 accesses and 12 traps lost in 1 gap
  $ octrace verify --json --isa arm --engine cycle --tracer shadow -g shadow,traps=1 lost.txt | grep lost_traps
      "lost_traps": 12,
        "lost_traps": 12,
  3> octrace: lost.txt: cycle: 1 instruction equal, 0 instructions, 0 accesses and 12 traps lost in 1 gap

  $ octrace verify --engine untimed --limit 20000 ../samples/*.oct* | sed 's/, hash.*//'
  ../samples/blowfish.oct: untimed: 20000 instructions and 6215 accesses equal
  ../samples/cjpeg.oct: untimed: 20000 instructions and 5417 accesses equal
  ../samples/djpeg.oct: untimed: 20000 instructions and 4711 accesses equal
  ../samples/flite.oct: untimed: 20000 instructions and 8163 accesses equal
  ../samples/ghostscript.oct: untimed: 20000 instructions and 7059 accesses equal
  ../samples/lame.oct: untimed: 20000 instructions and 3401 accesses equal
  ../samples/sha1.oct: untimed: 20000 instructions and 5016 accesses equal
  ../samples/stringsearch.oct: untimed: 20000 instructions and 7519 accesses equal
  ../samples/threads.oct: untimed: 20000 instructions and 10358 accesses equal
  ../samples/tiffdither.oct: untimed: 20000 instructions and 4499 accesses equal
  ../samples/untoast.oct: untimed: 20000 instructions and 4298 accesses equal

A compressed file of the whole trace, of which a part is compared: the same part of both.

  $ octrace compress -g paper,port_pins=32 -o part.octp t.txt >out 2>&1
  $ try octrace verify --container part.octp --skip 1500 --limit 1000 t.txt
  t.txt: container: 1000 instructions and 500 accesses equal
  $ try octrace verify --container part.octp --skip 3900 t.txt
  t.txt: container: 100 instructions and 50 accesses equal
  $ try octrace verify --container part.octp --limit 10 t.txt
  t.txt: container: 10 instructions and 5 accesses equal
  $ try octrace verify --container part.octp --skip 1500 --limit 1M t.txt
  t.txt: container: 2500 instructions and 1250 accesses equal
  $ sed '2000s/.*/9000/' t.txt >other.txt
  $ for part in '--limit 1999' '--skip 2000' '--skip 1998 --limit 2'; do try octrace verify --container part.octp $part other.txt; done
  other.txt: container: 1999 instructions and 1000 accesses equal
  other.txt: container: 2000 instructions and 1000 accesses equal
  1> octrace: other.txt: container: instruction 1999: expected 0x9000 of 4 bytes in task 0, decoded 0x800c of 4 bytes in task 0
  $ octrace compress -g paper,port_pins=1 --engine cycle -o lost.octp t.txt >out 2>&1
  [exit 3]
  $ try octrace verify --container lost.octp t.txt
  3> octrace: t.txt: container: 693 instructions equal, 3307 instructions and 1658 accesses lost in 9 gaps
  $ try octrace verify --container lost.octp --skip 1000 t.txt
  3> octrace: t.txt: container: 455 instructions equal, 2545 instructions and 1276 accesses lost in 8 gaps
  $ try octrace verify --container lost.octp --limit 2000 t.txt
  3> octrace: t.txt: container: 433 instructions equal, 1567 instructions and 786 accesses lost in 5 gaps
  $ try octrace verify --container lost.octp --skip 1000 --limit 1000 t.txt
  3> octrace: t.txt: container: 195 instructions equal, 805 instructions and 404 accesses lost in 4 gaps
