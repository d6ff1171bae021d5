SPDX-License-Identifier: Apache-2.0
octrace packets: every bit of a port stream belongs to a packet, from any sync on the packets are the same, and damage ends
the list where it shows.

  $ set -o pipefail
  $ all_bits() { # the packets of FILE follow each other from bit 0 to the end of the stream
  >   try octrace packets $1 >list
  >   awk -v bits=$((8 * $(octrace info $1 | sed -n 's/^port_bytes  *//p'))) '$1 != at { exit 1 } { at = $1 + $2 } END { exit at != bits }' list ||
  >     echo "$1: a gap, or not $bits bits: $(tail -n 1 list)"
  > }
  $ for sample in ../samples/*.oct; do
  >   for geometry in paper odd,sync_period_bits=65536; do
  >     octrace compress -g $geometry --limit 30000 -o s.octp $sample 2>err
  >     all_bits s.octp
  >   done
  > done

The zeros that fill up pins, behind the last flush.

  $ tiny_trace 100 | octrace compress --engine cycle -g port_pins=31 -o pins.octp - 2>err
  $ all_bits pins.octp

The names and fields of the format's own example (docs/port-format.md), whose addresses the untimed engine sends earlier.

  $ printf '%s\n' 8000 '8004 L:100' 8008 8000 '8004 L:104' 8008 >example.txt
  $ octrace compress -g ntuple_n=0,rep_count_bits=0,check_bits=0,pc_align_bits=2,sl_bits=8 -o example.octp example.txt 2>err
  $ octrace packets example.octp | sed -E 's/ +/ /g; s/ ;.*//'
   0 121 0 sync insn=0 task=0
   121 34 - DMT addr=0x100
   155 42 - SCMT sa=0x2000 sl=2
   197 10 - index index=0
   207 34 - DMT addr=0x104
   241 10 - index index=12
   251 13 - part of a pattern n=2 bit=0x0
   264 16 - flush n=5

The marks and periods of shadow, whole, with losses. Syncs by bits come however many overflows end periods before, so damage
costs no more than between two.

  $ octrace compress --tracer shadow -g sync_insns=9000 --limit 30000 -o marks.octp ../samples/cjpeg.oct 2>err
  $ all_bits marks.octp
  $ grep -oE ' sync  | period .*insns=9000' list | sed 's/ .*insns=9000/ period/' | sort | uniq -c
        3  period
        4  sync
  $ octrace compress --tracer shadow --engine cycle -g shadow-tiny,port_pins=1,out_fifo_bytes=32 --limit 30000 -o lossy.octp ../samples/cjpeg.oct 2>err
  [exit 3]
  $ octrace packets lossy.octp | grep -cE ' overflow .*lost_insns=[1-9]'
  39
  $ octrace compress --tracer shadow -g sync_bits=4096,port_pins=1 --engine cycle --limit 60000 -o often.octp ../samples/stringsearch.oct 2>err
  [exit 3]
  $ octrace packets often.octp >list
  $ awk '$4 == "sync" { if ($1 - last > most) most = $1 - last; last = $1 } / overflow / { lost = 1 } END { print lost, (most > 4096), (most < 6144) }' list
  1 1 1

From a later sync the same packets; also from standard input. JSON says the same, whole or damaged.

  $ octrace compress -g sync_period_bits=16384 --limit 60000 -o all.octp ../samples/cjpeg.oct 2>err
  $ octrace packets all.octp >all
  $ syncs=$(grep -c ' sync  ' all)
  $ for n in 0 1 $((syncs - 1)); do
  >   octrace packets --from-sync $n all.octp >part
  >   awk -v n=$n '/ sync  / { seen++ } seen > n' all | cmp - part
  > done
  $ octrace packets - <all.octp | cmp - all
  $ cat >check.py <<'END'
  > import json, sys
  > packets, lines = json.load(open(sys.argv[1])), open(sys.argv[2]).read().splitlines()
  > assert len(packets) == len(lines), (len(packets), len(lines))
  > for p, line in zip(packets, lines):
  >     number = "-" if p["instruction"] is None else str(p["instruction"])
  >     assert line.split()[:3] == [str(p["bit"]), str(p["bits"]), number], line
  >     assert p["packet"] in line and line.endswith(p["text"]), line
  >     for f in p["fields"]:
  >         assert f"{f['name']}={f['value']}" in line, line
  >         assert int(str(f["value"]), 0) >> f["bits"] == 0, line
  > END
  $ octrace packets --json all.octp >json
  $ python3 check.py json all

A flipped bit: the packets before it, one line, and nothing behind it.

  $ $FLIP all.octp bad.octp 40000
  $ octrace packets bad.octp >bad
  4> octrace: bad.octp: bit 40336: a sync mark of too few ones
  $ awk '$1 > 39000 { exit } { print }' all >before
  $ head -n $(wc -l <before) bad | cmp before -
  $ tail -n 1 bad | awk '{ print $1 + $2 }'
  40336
  $ octrace packets --json bad.octp >json
  4> octrace: bad.octp: bit 40336: a sync mark of too few ones
  $ python3 check.py json bad
  $ octrace packets --from-sync @
  | $((syncs - 1)) bad.octp => 4> octrace: bad.octp: bit 40336: a sync mark of too few ones
  | $syncs all.octp => 4> octrace: all.octp: sync 17: expected 0 to 16
  | x all.octp => 2> octrace: packets: --from-sync 'x': expected a number from 0 (1000, 10K, 2M) (see octrace packets --help)
  | 0 ../samples/sha1.oct => 4> octrace: ../samples/sha1.oct: offset 0: a trace itself; expected a compressed one (.octp)

Of every tracer that has a list.

  $ octrace list tracers >tracers
  $ while read -r tracer _; do
  >   for trace in riscv64 x86-64 aarch64; do
  >     octrace compress --tracer $tracer --limit 5000 -o t.octp ../samples/isa/$trace.oct 2>err && break
  >   done
  >   try octrace packets t.octp >list
  >   awk '$1 < at { exit 1 } { at = $1 + $2 }' list || echo "packets that overlap"
  >   octrace packets --json t.octp >json
  >   python3 check.py json list
  >   grep -q '"sync":true' json && echo $tracer $trace
  > done <tracers
  paper riscv64
  raw riscv64
  shadow riscv64
  etrace riscv64
  ntrace riscv64
  intel-pt x86-64
  etmv4 aarch64
  replay riscv64
