SPDX-License-Identifier: Apache-2.0
octrace decompress: the trace comes back, in each format, also from a later sync.

  $ tiny_trace 1000 >t.txt
  $ octrace compress -g paper,sync_period_insns=500 t.txt 2>/dev/null
  $ octrace decompress -o t.oct t.txt.octp
  $ same t.txt t.oct
  $ octrace decompress --to text -o back.txt t.txt.octp
  $ same t.txt back.txt
  $ octrace convert --limit 20000 ../samples/blowfish.oct part.oct
  $ octrace compress part.oct 2>/dev/null
  $ octrace decompress part.oct.octp >back.oct
  $ same part.oct back.oct

Files of other kinds are named.

  $ printf 'neither this nor that\n' >other
  $ octrace compress --codec plain -o t.octc t.oct 2>/dev/null
  $ for file in t.oct t.octc other; do try octrace packets $file; done
  4> octrace: t.oct: offset 0: a trace itself; expected a compressed one (.octp)
  4> octrace: t.octc: offset 0: a trace that a codec compressed; expected one of a trace port (.octp)
  4> octrace: other: offset 0: expected a compressed trace, as octrace compress writes it (.octp)
  $ octrace decompress -o new t.oct
  4> octrace: t.oct: offset 0: a trace itself; expected a compressed one (.octp)

A machine that is wider than the trace does not widen what comes back.

  $ octrace compress -g wide64 -o wide.octp t.oct 2>/dev/null
  $ octrace info wide.octp | grep addr_bits
  trace_addr_bits        32
  addr_bits              64
  $ octrace decompress wide.octp | octrace info - | grep addr_bits
  addr_bits              32

From the second sync on: what comes is the tail of the trace, 500 instructions short.

  $ octrace decompress --from-sync 1 --to text t.txt.octp | grep -v '^#' >tail.txt
  $ wc -l <tail.txt
  3500
  $ as_text t.txt | tail -n 3500 | cmp - tail.txt
  $ octrace decompress --from-sync 1000 -o none.oct t.txt.octp
  4> octrace: t.txt.octp: sync 1000: expected 0 to 7
  $ test ! -e none.oct

Traps come back, also where a run has nothing but them. What has no place for them says so, from the port and from a
codec; a tracer that sends them says nothing.

  $ awk 'BEGIN { print "8000"; for (i = 0; i < 700; i++) print "!interrupt 7"; print "8004" }' >traps.txt
  $ octrace compress -g paper,traps=1 traps.txt 2>/dev/null
  $ octrace decompress -o got.oct traps.txt.octp
  $ same traps.txt got.oct
  $ octrace decompress --to din -o traps.din traps.txt.octp
  0> octrace: note: traps.din: 700 traps and changes of privilege are left out
  $ for to in paper paper:traps=1 shadow:traps=0 shadow:traps=1; do
  >   octrace decompress --to $to -o traps.port traps.txt.octp 2>&1 | grep left || :
  > done
  octrace: note: traps.port: 700 traps and changes of privilege are left out
  octrace: note: traps.port: 700 traps and changes of privilege are left out
  $ octrace convert --isa riscv64 --to ntrace traps.txt traps.port
  0> octrace: note: traps.port: 700 traps and changes of privilege are left out
  $ octrace convert --isa riscv64 --to etrace:data=0 traps.txt traps.port
  $ octrace compress --codec plain -o traps.octc traps.txt 2>/dev/null
  $ octrace decompress --to din -o traps.din traps.octc
  0> octrace: note: traps.din: 700 traps and changes of privilege are left out
  $ octrace compress --json -o left.octp traps.txt >/dev/null
  0> octrace: note: traps.txt: 700 traps and changes of privilege are left out: -g traps=1 sends them
  $ octrace verify --isa arm --engine untimed -g paper traps.txt
  traps.txt: untimed: 2 instructions and 0 accesses equal
  0> octrace: note: traps.txt: 700 traps and changes of privilege are left out: -g traps=1 sends them
  $ octrace verify --isa arm --engine untimed -g paper,traps=1 traps.txt
  traps.txt: untimed: 2 instructions and 0 accesses equal
  $ for tracer in raw shadow; do try octrace compress --json --tracer $tracer -g traps=1 -o kept.octp traps.txt >/dev/null; done

Loss is said, and is exit status 3: one pin is too few for streams that never repeat.

  $ awk 'BEGIN { for (i = 0; i < 20000; i++) printf "%x L:%x\n", 4 * ((i * 7919) % 65536), i * i * 64 % 4294967296 }' >wild.txt
  $ try octrace compress -g paper,port_pins=1,sync_period_insns=0 --engine cycle wild.txt | grep lost
  3> overflows 48: 19808 instructions and 19808 accesses lost
  3> octrace: wild.txt: 19808 instructions and 19808 accesses lost in 48 overflows
  $ octrace verify --container wild.txt.octp wild.txt
  3> octrace: wild.txt: container: 192 instructions equal, 19808 instructions and 19808 accesses lost in 48 gaps

Where what is missing: the trace with these instructions left out is what came back.

  $ octrace decompress --gaps gaps.csv --to text -o wild.back wild.txt.octp
  3> octrace: wild.txt.octp: 19808 instructions and 19808 accesses lost in 48 gaps
  $ awk -F, 'NR > 1 { insns += $2; accesses += $3 } END { print insns, "instructions and", accesses, "accesses in", NR - 1, "gaps" }' gaps.csv
  19808 instructions and 19808 accesses in 48 gaps
  $ head -n 1 gaps.csv
  instruction,lost_instructions,lost_accesses,cause
  $ awk -F, 'NR == FNR { if (FNR > 1) for (i = 0; i < $2; i++) gone[$1 + i]; next } !(FNR - 1 in gone) { print $1 }' \
  >   gaps.csv <(as_text wild.txt) | sed 's/[/ ].*//' | cmp - <(as_text wild.back 2>notes | sed '/^!gap/d; s/[/ ].*//')
  $ octrace decompress --gaps gaps.csv -o back.oct t.txt.octp
  $ cat gaps.csv
  instruction,lost_instructions,lost_accesses,cause
  $ octrace decompress --gaps gaps.csv -o back.oct t.octc
  $ cat gaps.csv
  instruction,lost_instructions,lost_accesses,cause
  $ printf '8000\n8004\n"x"\n' >bad.txt; octrace convert --salvage --gaps gaps.csv bad.txt back.oct
  3> octrace: bad.txt:3: expected a hexadecimal address, found '"x"': kept the 2 instructions and 0 accesses before it, how many are lost is unknown
  $ cat gaps.csv
  instruction,lost_instructions,lost_accesses,cause
  2,,,"damage: line 3: expected a hexadecimal address, found '""x""'"
  $ octrace decompress @
  | --gaps back.oct -o back.oct t.txt.octp => 2> octrace: decompress: back.oct: the trace and --gaps are the same file
  | --gaps t.txt.octp -o back.oct t.txt.octp => 2> octrace: decompress: t.txt.octp: input and output are the same file
  | --gaps - t.txt.octp => 2> octrace: decompress: standard output: the trace and --gaps are the same file
  | --gaps no/such/folder -o none.oct t.txt.octp => 4> octrace: no/such/folder: No such file or directory

What stands before an end that is missing is kept, as a trace that is whole.

  $ head -c -20 wild.txt.octp >cut.octp
  $ octrace decompress --gaps gaps.csv -o none.oct cut.octp
  4> octrace: cut.octp: offset [#]: a chunk is cut short: wrote the 192 instructions and 192 accesses before it; the rest is missing (--salvage goes on after it)
  $ grep damage gaps.csv
  20000,,,"damage: offset [#]: a chunk is cut short"
  $ octrace info none.oct | grep ^instructions
  instructions           192
  0> octrace: note: none.oct: instructions are missing in 49 gaps of the trace (48 overflow, 1 damage)

A map is bounded; the bound can be raised.

  $ octrace @
  | decompress --max-map 2 -o new t.txt.octp => 4> octrace: t.txt.octp: offset [#]: more than 2 updates of the program map: the file may be damaged; --max-map N takes more
  | info --max-map 2 t.txt.octp => 4> octrace: t.txt.octp: offset [#]: more than 2 updates of the program map: the file may be damaged; --max-map N takes more
  | packets --max-map 2 t.txt.octp => 4> octrace: t.txt.octp: offset [#]: more than 2 updates of the program map: the file may be damaged; --max-map N takes more
  | info --max-map 2 part.oct => 4> octrace: part.oct: more than 2 entries of the program map (--max-map allows more)
  | decompress --max-map 2 -o new t.octc => 4> octrace: t.octc: more than 2 entries of the program map (--max-map allows more)
  | decompress --max-map 0 -o new t.txt.octp => 2> octrace: decompress: --max-map '0': expected a number from 1 (1000, 10K, 2M) (see octrace decompress --help)
  | info --max-map 0 part.oct => 2> octrace: info: --max-map '0': expected a number from 1 (1000, 10K, 2M) (see octrace info --help)
  $ each octrace >/dev/null <<END
  > decompress --max-map 1000 -o new t.octc
  > decompress --max-map 1000 --from-sync 1 -o new t.txt.octp
  > info --max-map 1000 t.txt.octp
  > packets --max-map 1000 t.txt.octp
  > info --max-map 20000 part.oct
  > END

So is the memory of a codec file: streams, buffers that sort, and predictor tables.

  $ awk 'BEGIN { for (i = 0; i < 300000; i++) printf "%08d", i }' >addresses
  $ octrace compress --codec bytesort --input addresses -o sorted.octc addresses 2>/dev/null
  $ octrace compress --codec 'vpc:spec=64: L1=1, L2=4194304: FCM1[2]' --input addresses -o tables.octc addresses 2>/dev/null
  $ for command in decompress info 'decompress --salvage'; do
  >   try octrace $command --max-memory 8 sorted.octc
  >   try octrace $command --max-memory 40 tables.octc
  > done
  4> octrace: sorted.octc: offset [#]: segment 0 needs 10 MiB of memory, 8 are the most (--max-memory, or oct_codec_reader_max_memory, allows more)
  4> octrace: tables.octc: offset [#]: segment 0 needs 67 MiB of memory, 40 are the most (--max-memory, or oct_codec_reader_max_memory, allows more)
  4> octrace: sorted.octc: offset [#]: segment 0 needs 10 MiB of memory, 8 are the most (--max-memory, or oct_codec_reader_max_memory, allows more)
  4> octrace: tables.octc: offset [#]: segment 0 needs 67 MiB of memory, 40 are the most (--max-memory, or oct_codec_reader_max_memory, allows more)
  4> octrace: sorted.octc: offset [#]: segment 0 needs 10 MiB of memory, 8 are the most (--max-memory, or oct_codec_reader_max_memory, allows more)
  4> octrace: tables.octc: offset [#]: segment 0 needs 67 MiB of memory, 40 are the most (--max-memory, or oct_codec_reader_max_memory, allows more)
  $ octrace decompress --max-memory 10 sorted.octc | cmp - addresses
  $ octrace decompress --max-memory 79 tables.octc | cmp - addresses
  $ octrace fidelity --sets 2 --ways 1 --max-memory 10 sorted.octc sorted.octc >/dev/null
  $ octrace fidelity --sets 2 --ways 1 --max-memory 8 sorted.octc sorted.octc
  4> octrace: sorted.octc: offset [#]: segment 0 needs 10 MiB of memory, 8 are the most (--max-memory, or oct_codec_reader_max_memory, allows more)
  $ octrace decompress --max-memory 0 sorted.octc
  2> octrace: decompress: --max-memory '0': expected a number from 1 (1000, 10K, 2M) (see octrace decompress --help)

The program map comes along, so that a tracer which needs classes takes the trace.

  $ octrace convert --limit 3000 ../samples/isa/riscv64.oct rv.oct
  $ octrace compress -o rv.octp rv.oct 2>/dev/null
  $ octrace decompress -o rv.back rv.octp
  $ octrace compress --tracer etrace -o e.octp rv.back >/dev/null 2>&1
  $ octrace decompress e.octp | octrace compare rv.oct - | tail -n 1
  rv.oct and standard input: 3000 instructions and 723 accesses equal
  0> octrace: note: standard input: not compared, as this trace has none: bytes of instructions

A codec's file has parameters as a trace, also where its streams stand apart.

  $ octrace compress --codec shadow --apart -o apart.octc part.oct 2>/dev/null
  $ octrace convert --from octc:jobs=2,max_memory=100 apart.octc back.oct
  $ same part.oct back.oct
  $ octrace convert --skip 19000 apart.octc tail.oct
  $ octrace convert --skip 19000 part.oct want.oct
  $ same want.oct tail.oct
  $ octrace @
  | convert --from octc:job=2 apart.octc new => 4> octrace: apart.octc: the format octc: expected from_sync=N, jobs=N, lossy=N or max_memory=N; found 'job=2'
  | convert --from octc:jobs=65 apart.octc new => 4> octrace: apart.octc: the format octc: expected from_sync=N, jobs=N, lossy=N or max_memory=N; found 'jobs=65'
  | convert --from octc:jobs=2,lossy apart.octc new => 4> octrace: apart.octc: the format octc: expected from_sync=N, jobs=N, lossy=N or max_memory=N; found 'lossy'
  | convert --from octp:jobs=2 t.txt.octp new => 4> octrace: t.txt.octp: the format octp: expected from_sync=N; found 'jobs=2'
  $ rm apart.octc.2
  $ octrace convert apart.octc new
  4> octrace: apart.octc.2: the file of stream 2: No such file or directory
