SPDX-License-Identifier: Apache-2.0
octrace compress: default name, both engines, report, JSON, options.

  $ tiny_trace 1000 >t.txt
  $ octrace compress t.txt
  0> instructions 4000, accesses 2000, terminators 0, streams 1000, task switches 0, traps 0, syncs 1
  0> port accounting          bits   bits/instruction
  0>   SCIT/Tuple             1096     0.2740  indices in the stream cache, and in the tuple history buffer (THB)
  0>   SCMT                     38     0.0095  stream cache misses: start and length
  0>   DT                     2000     0.5000  hit bits of the data address stride cache (DASC), and their repetitions
  0>   DMT                    9216     2.3040  data addresses that the DASC missed
  0>   task                      0     0.0000  task switches
  0>   trap                      0     0.0000  traps and changes of privilege
  0>   time                      0     0.0000  time stamps in cycles
  0>   sync                    165     0.0413  sync, overflow and flush packets
  0>   header                 1457     0.3643  packet prefixes
  0>   pad                       4     0.0010  padding
  0>   all                   13976     3.4940
  0> CR SC.I 18.18, CR SC.I+Ntuple 111.1, CR DASC.D 5.706, stream cache hit rate 0.999, tuple hit rate 0.984, DASC hit rate 0.856
  0> octrace: note: t.txt: no known instruction set is named: pc_align_bits=2 was found in the trace
  $ ls
  t.txt
  t.txt.octp

The bits of each tracer are below each other, however long its words are.

  $ for tracer in paper raw shadow etrace ntrace replay; do
  >   octrace compress --tracer $tracer --limit 20K -o x.octp ../samples/isa/riscv64.oct 2>&1 |
  >     sed -nE 's|^(port accounting.*bits)   bits/.*|\1|p; s/^(  [A-Za-z].*[0-9])   +[0-9]+\.[0-9]{4}.*/\1/p' |
  >     awk '{print length}' | sort -u | wc -l
  > done | sort -u
  1
  $ rm x.octp

JSON, parts of a trace, parameters; depths are found when asked for.

  $ octrace compress --json --engine untimed -o a.octp t.txt | grep -E '"(instructions|port_bits_per_instruction)"'
    "instructions": 4000,
    "port_bits_per_instruction": 3.4940000000000002,
  $ octrace compress --json --engine cycle --arrival cpi=20 -o b.octp t.txt | grep -E 'cycles"|high_water|sufficient|largest'
      "cycles": 80022,
      "port_busy_cycles": 874,
      "sufficient_overflows": 0,
          "high_water": 1,
          "high_water": 1,
          "high_water": 12,
  $ octrace compress --json --engine cycle --arrival cpi=20 --depths -o b.octp t.txt | grep -E 'sufficient|largest'
      "sufficient_overflows": 0,
          "sufficient": 1
          "sufficient": 1
          "sufficient": 32
  $ octrace compress --json --limit 100 --skip 50 -o c.octp t.txt | grep '"instructions"'
    "instructions": 100,
  $ octrace compress --json -g small,port_pins=4 -o d.octp t.txt | grep '"port_pins"'
      "port_pins": 4,

Address width and alignment: as the trace needs, as a wider geometry has them, as they are given.

  $ octrace convert --to bin64 t.txt t.bin64
  $ octrace convert t.bin64 wide.oct
  0> octrace: note: t.bin64: taken for bin64, as it has numbers and no mark: --from names a format
  $ octrace convert t.txt narrow.oct
  $ width() { octrace compress --json -o w.octp "$@" 2>/dev/null | sed -nE 's/.*"(addr_bits|pc_align_bits)": ([0-9]+).*/\2/p' | xargs; }
  $ while read -r options; do echo "$options: $(width --limit 1000 $options)"; done <<END
  > narrow.oct
  > wide.oct
  > -g wide64 narrow.oct
  > -g paper,addr_bits=48,pc_align_bits=2 narrow.oct
  > ../samples/cjpeg.oct
  > -g wide64 ../samples/cjpeg.oct
  > -g wide64,addr_bits=32 ../samples/cjpeg.oct
  > --isa x86 t.txt
  > END
  narrow.oct: 32 2
  wide.oct: 64 2
  -g wide64 narrow.oct: 64 0
  -g paper,addr_bits=48,pc_align_bits=2 narrow.oct: 48 2
  ../samples/cjpeg.oct: 32 2
  -g wide64 ../samples/cjpeg.oct: 64 0
  -g wide64,addr_bits=32 ../samples/cjpeg.oct: 32 0
  --isa x86 t.txt: 32 0
  $ printf '8000/2\n8004/4\n' >two.txt
  $ width two.txt # a size counts, too
  32 1

Where no instruction set gives the alignment, the first batch does, and a note says so, once in every command that has
a machine made for a trace; --isa gives it, and convert keeps it. The bits are those of the trace that names its set.

  $ octrace convert --isa arm t.txt arm.oct
  $ octrace info arm.oct | grep -E '^(isa|insn_align_bytes) '
  isa                    arm
  insn_align_bytes       4
  $ octrace info t.txt | grep found
  insn_align_bytes_found 4
  $ for command in 'verify --engine untimed' 'verify --engine cycle' 'report --cycle-insns 100' \
  >   'bench --repeat 1 --codec plain --tracer paper' 'bench --tracers' 'sweep -a sc_entries=16' 'compress -o w.octp'; do
  >   for trace in narrow arm; do
  >     octrace $command $trace.oct 2>$trace.err >$trace.out
  >     echo "$command, $trace: $(grep -c 'octrace: note: narrow.oct: no known instruction set is named: pc_align_bits=2' $trace.err)"
  >   done
  >   diff <(sed 's/ *[0-9.]* MB.s.*//; s/narrow/arm/' narrow.out) <(sed 's/ *[0-9.]* MB.s.*//' arm.out) >/dev/null || echo "$command: differs"
  > done
  verify --engine untimed, narrow: 1
  verify --engine untimed, arm: 0
  verify --engine cycle, narrow: 1
  verify --engine cycle, arm: 0
  report --cycle-insns 100, narrow: 1
  report --cycle-insns 100, arm: 0
  report --cycle-insns 100: differs
  bench --repeat 1 --codec plain --tracer paper, narrow: 1
  bench --repeat 1 --codec plain --tracer paper, arm: 0
  bench --repeat 1 --codec plain --tracer paper: differs
  bench --tracers, narrow: 1
  bench --tracers, arm: 0
  bench --tracers: differs
  sweep -a sc_entries=16, narrow: 1
  sweep -a sc_entries=16, arm: 0
  compress -o w.octp, narrow: 1
  compress -o w.octp, arm: 0
  $ octrace verify --engine cycle -g port_pins=1 narrow.oct
  narrow.oct: no known instruction set is named: pc_align_bits=2 was found in the trace
  narrow.oct: nothing would be lost with
    4 pins:
      octrace verify --engine cycle -g port_pins=1 -g port_pins=4 narrow.oct
    4 pins and a pipelined machine:
      octrace verify --engine cycle -g port_pins=1 -g pipelined=1,port_pins=4 narrow.oct
    a slower core, of 4 cycles per instruction:
      octrace verify --engine cycle -g port_pins=1 --arrival cpi=4 narrow.oct
    the tracer shadow, 4 pins:
      octrace verify --engine cycle --tracer shadow -g port_pins=4 narrow.oct
  3> octrace: narrow.oct: cycle: 693 instructions equal, 3307 instructions and 1658 accesses lost in 9 gaps

A set that octrace does not know is named, but gives no alignment. What lies otherwise later on is refused with what to do.

  $ { echo '# isa martian' && cat t.txt; } >martian.txt
  $ octrace compress -o w.octp martian.txt 2>&1 | grep note
  octrace: note: martian.txt: no known instruction set is named: pc_align_bits=2 was found in the trace
  $ awk 'BEGIN { for (i = 0; i < 70000; i++) print "8000"; print "8002" }' >late.txt
  $ octrace info late.txt | grep found
  insn_align_bytes_found 2
  0> octrace: note: late.txt: taken for text, as it has numbers and no mark: --from names a format
  $ octrace compress -o w.octp late.txt
  4> octrace: late.txt: instruction 70000 (0x8002): no multiple of 4 bytes, as all before it are: run this with -g pc_align_bits=0, or name the instruction set with --isa
  $ width -g pc_align_bits=0 late.txt
  32 0
  $ octrace sweep -a pc_align_bits=0 late.txt >/dev/null # none goes by what was found
  0> octrace: note: to share a pass, the geometries begin with paper (sync_period_bits=0), in other commands with sync_period_bits=131072: give them -g paper, or sweep -g sync_period_bits=131072, which takes longer

What does not fit the machine is answered with what to do, by each tracer that has the parameter.

  $ printf '4000\n4001\n' >odd
  $ printf '4000\n123456780\n' >wide
  $ printf '4000\n4004 L:123456780\n' >data
  $ printf '4000\n4004 T:300\n' >task
  $ for tracer in paper shadow; do
  >   each octrace compress --tracer $tracer -o w.octp <<END
  > -g pc_align_bits=2 odd
  > -g addr_bits=32 wide
  > -g addr_bits=32 data
  > -g task_bits=8 task
  > END
  >   octrace compress --tracer $tracer -g pc_align_bits=0 -o w.octp odd 2>/dev/null && octrace decompress w.octp >/dev/null
  > done
  4> octrace: odd: instruction 1 (0x4001): expected a multiple of 4 bytes, as pc_align_bits=2 asks for: give -g pc_align_bits=0, or another --isa if you gave one
  4> octrace: wide: instruction 1 (0x123456780): wider than addr_bits=32: give -g addr_bits=64
  4> octrace: data: instruction 1: data address 0x123456780: wider than addr_bits=32: give -g addr_bits=64
  4> octrace: task: instruction 1: task 300: wider than task_bits=8: give -g task_bits=9
  4> octrace: odd: instruction 1 (0x4001): expected a multiple of 4 bytes, as pc_align_bits=2 asks for: give -g pc_align_bits=0, or another --isa if you gave one
  4> octrace: wide: instruction 1 (0x123456780): wider than addr_bits=32: give -g addr_bits=64
  4> octrace: data: instruction 1: data address 0x123456780: wider than addr_bits=32: give -g addr_bits=64
  4> octrace: task: instruction 1: task 300: wider than task_bits=8: give -g task_bits=9

What breaks a rule of the trace itself, decoding would refuse: no tracer takes it, with whatever parameters, and no codec.

  $ printf '4000/2\n4002/2\n' >half
  $ for how in '--tracer paper' '--tracer shadow -g pc_align_bits=0' '--tracer raw' '--tracer replay' '--codec vpc3' '--codec shadow'; do
  >   for trace in odd half; do
  >     try octrace compress $how --isa arm -o odd.oc $trace
  >     case $how in --tracer*) try octrace verify $how --isa arm $trace ;; esac
  >   done
  > done 2>&1 | sort | uniq -c
       10 4> octrace: half: instruction 1 (0x4002): expected a multiple of 4 bytes, as of the trace or --isa
       10 4> octrace: odd: instruction 1 (0x4001): expected a multiple of 4 bytes, as of the trace or --isa
  $ ls odd.oc
  2> ls: cannot access 'odd.oc': No such file or directory

The same seed stalls the same cycles.

  $ for i in 1 2; do octrace compress --engine cycle --arrival cpi=20 --stall 300 --seed 7 -o s$i.octp t.txt 2>/dev/null; done
  $ cmp s1.octp s2.octp

A loss of traps by themselves is reported as any other: more wait at once than the machine keeps.

  $ awk 'BEGIN { for (i = 0; i < 12; i++) print "!interrupt 1 P:3"; print "8000" }' >lost.txt
  $ for tracer in paper shadow; do
  >   try octrace compress --isa arm --engine cycle --tracer $tracer -g traps=1 -o lost.octp lost.txt | grep lost
  >   try octrace decompress -o lost.oct lost.octp
  >   try octrace verify --container lost.octp --isa arm lost.txt
  > done
  3> overflows 1: 0 instructions, 0 accesses and 6 traps lost
  3> octrace: lost.txt: 0 instructions, 0 accesses and 6 traps lost in 1 overflow
  3> octrace: lost.octp: 0 instructions and 0 accesses lost in 1 gap; only traps can be missing in 1 of them
  3> octrace: lost.txt: container: 1 instruction equal, 0 instructions, 0 accesses and 6 traps lost in 1 gap
  3> overflows 1: 0 instructions, 0 accesses and 12 traps lost
  3> octrace: lost.txt: 0 instructions, 0 accesses and 12 traps lost in 1 overflow
  3> octrace: lost.octp: 0 instructions and 0 accesses lost in 1 gap; only traps can be missing in 1 of them
  3> octrace: lost.txt: container: 1 instruction equal, 0 instructions, 0 accesses and 12 traps lost in 1 gap

What a filter leaves out is no loss, nor is it with traps. What is wrong with --filter is an error of the command line.

  $ awk 'BEGIN {
  >   for (i = 0; i < 40; i++) {
  >     for (k = 0; k < 8; k++) printf "%x\n", 32768 + 4 * k
  >     printf "!exception %d A:8020 P:3\n", i % 16
  >     for (k = 0; k < 8; k++) printf "%x\n", 65536 + 4 * k
  >     print "!privilege P:0"
  >   }
  > }' >filtered.txt
  $ for tracer in paper shadow; do
  >   for span in 0x8000-0x801f 0x10000-0x1001f; do
  >     try octrace compress --json --isa arm --engine cycle --arrival cpi=40 --tracer $tracer -g traps=1,filters=4 \
  >       --filter insns=$span -o filtered.octp filtered.txt | grep -E '(lost|filtered)_traps|overflows"' | xargs
  >   done
  > done
  overflows: 0, lost_traps: 40, filtered_traps: 40, sufficient_overflows: 0,
  overflows: 0, lost_traps: 40, filtered_traps: 40, sufficient_overflows: 0,
  overflows: 0, lost_traps: 80, filtered_traps: 80, sufficient_overflows: 0,
  overflows: 0, lost_traps: 79, filtered_traps: 79, sufficient_overflows: 0,
  $ octrace compress --engine cycle -g filters=4 --filter insns=zz -o f filtered.txt
  2> octrace: compress: --filter: insns=zz: expected two addresses of 32 bits, such as 0x8000-0x8fff (see octrace compress --help)
  $ ls f
  2> ls: cannot access 'f': No such file or directory

Each sample.

  $ for sample in ../samples/*.oct; do try octrace compress --json --limit 20000 -o sample.octp $sample >/dev/null; done
