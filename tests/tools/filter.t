SPDX-License-Identifier: Apache-2.0
octrace filter: what misses, in which formats, what is printed, and what is wrong.

Two lines of code; a load and a store of one line, one of another, one over the end of its line.

  $ cat >in.txt <<END
  > 8000/4
  > 8004/4 L4:10000 S4:10004
  > 803e/4 L4:20000 @7
  > 8000/4 L4:10020 L8:1003c T:3
  > END
  $ octrace filter in.txt out.oct
  0> of 4 instructions and 5 accesses: 4 instructions and 3 accesses, 5 blocks
  0> instruction cache (size=32K,ways=4,line=64,repl=lru,allocate=yes): hit rate 50.0000 %
  0>   4 looked up, 2 missed, in 2 lines
  0> data cache (size=32K,ways=4,line=64,repl=lru,allocate=yes): hit rate 40.0000 %
  0>   5 looked up, 3 missed, in 3 lines; 1 store, 0 missed; 0 write-backs
  $ as_text out.oct
  00008000
  00008004 L4:00010000
  0000803e L4:00020000 @7
  00008000 L8:0001003c T:3

Blocks in the order of the look-ups.

  $ blocks() { od -A n -v -w8 -t x8 "$@" | sed 's/^ 0*//' | xargs; }
  $ octrace filter @
  | --to blocks in.txt blocks 2>/dev/null && blocks blocks => 8000 10000 8040 20000 10040
  | --to blocks --icache off in.txt - 2>/dev/null | blocks => 10000 20000 10040
  | --to blocks --dcache off - - <in.txt 2>/dev/null | blocks => 8000 8040

One line in all: the store is written back when its line leaves. Without allocation it never comes.

  $ one=size=64,ways=1,line=64
  $ octrace filter --to blocks --write-backs --icache off --dcache $one in.txt - 2>/dev/null | blocks
  10000 20000 10001 10000 10040
  $ printf '8000 S4:10000 L4:10000 S4:20000 L4:10000\n' >stores.txt
  $ octrace filter --to blocks --icache off --dcache $one,allocate=no stores.txt - 2>/dev/null | blocks
  10000 10000 20000

JSON and the preset vpc3: 10000 and 20000 share a line of the cache.

  $ octrace filter --preset vpc3 --json in.txt
  {
    "trace": "in.txt",
    "instructions": 4,
    "accesses": 5,
    "kept_instructions": 3,
    "kept_accesses": 4,
    "blocks": 4,
    "instruction_cache": null,
    "data_cache": {
      "cache": "size=16K,ways=1,line=64,repl=lru,allocate=yes",
      "accesses": 5,
      "misses": 4,
      "hit_rate": [#],
      "stores": 1,
      "store_misses": 0,
      "line_misses": 4,
      "write_backs": 1
    }
  }

A part of a trace; a real one, whose events are a trace like any other, in each format.

  $ octrace filter --skip 99999 in.txt nothing.oct
  4> octrace: in.txt: --skip 99999 leaves nothing: the trace has no more instructions
  $ test ! -e nothing.oct
  $ octrace filter --skip 1 --limit 2 --json in.txt | grep '"instructions"'
    "instructions": 2,
  $ for sample in cjpeg threads; do
  >   octrace filter --limit 100000 ../samples/$sample.oct real.oct 2>/dev/null
  >   try octrace verify --engine untimed real.oct
  >   octrace filter --limit 100000 --preset vpc3 --to vpc3 ../samples/$sample.oct real.vpc3 2>/dev/null
  >   octrace filter --limit 100000 --preset vpc3 ../samples/$sample.oct real.oct 2>/dev/null
  >   octrace convert --to vpc3 real.oct - | cmp - real.vpc3
  >   try octrace verify --engine untimed real.oct
  > done
  real.oct: untimed: [#] instructions and [#] accesses equal
  real.oct: untimed: [#] instructions and [#] accesses equal
  real.oct: untimed: [#] instructions and [#] accesses equal
  real.oct: untimed: [#] instructions and [#] accesses equal

What missed in a direct-mapped cache misses there again: nothing else ever takes its place.

  $ octrace filter --limit 200000 --preset vpc3 ../samples/cjpeg.oct once.oct 2>/dev/null
  $ octrace filter --preset vpc3 once.oct twice.oct 2>/dev/null
  $ same once.oct twice.oct
  $ as_text once.oct | wc -l
  [#]

The map explains an instruction of which any number of accesses of any kinds miss.

  $ awk 'BEGIN { printf "8000"; for (i = 0; i < 40; i++) printf " %s4:%x", i % 3 ? "L" : "S", 4096 * i; print "" }' >many.txt
  $ octrace filter many.txt many.oct 2>/dev/null
  $ octrace verify --engine untimed many.oct
  many.oct: untimed: 1 instruction and 40 accesses equal
  0> octrace: note: many.oct: no known instruction set is named: pc_align_bits=2 was found in the trace

What is wrong: one line, and nothing left behind.

  $ rm ./*
  $ printf '8000\n8004 L:1000\n' >in.txt
  $ printf '8000\nfrob\n' >bad.txt
  $ printf '123456789000 L:1000\n' >wide.txt
  $ octrace filter @
  | --preset vpc4 in.txt => 2> octrace: filter: preset 'vpc4': expected atc or vpc3 (see octrace filter --help)
  | --dcache size=33K in.txt x.oct => 2> octrace: filter: cache: size=33792: expected ways * line (256) times a power of two, at most 1024M (see octrace filter --help)
  | --icache lines=4 in.txt x.oct => 2> octrace: filter: --icache: cache: 'lines=4': expected size=BYTES, ways=N, line=BYTES, repl=lru|fifo|plru|random or allocate=yes|no (see octrace filter --help)
  | --icache off --dcache off in.txt x.oct => 2> octrace: filter: cache: both are off: nothing would be left (see octrace filter --help)
  | --write-backs in.txt x.oct => 2> octrace: filter: option --write-backs is for --to blocks (see octrace filter --help)
  | --json in.txt - => 2> octrace: filter: --json and OUT cannot both go to standard output (see octrace filter --help)
  | --limit x in.txt => 2> octrace: filter: --limit 'x': expected a number from 1 (1000, 10K, 2M) (see octrace filter --help)
  | --to frob in.txt x => 2> octrace: filter: unknown format 'frob': expected one that octrace list formats lists (see octrace filter --help)
  | in.txt x y => 2> octrace: filter: an input, and at most one output, is needed (see octrace filter --help)
  | in.txt in.txt => 2> octrace: filter: in.txt: input and output are the same file
  | none.txt x.oct => 4> octrace: none.txt: cannot open: No such file or directory
  | in.txt nowhere/x.oct => 4> octrace: nowhere/x.oct: No such file or directory
  | --to lackey in.txt x.oct => 2> octrace: filter: format 'lackey' can only be read: expected one that octrace list formats lists as written (see octrace filter --help)
  | --to blocks bad.txt x.blk => 4> octrace: bad.txt:2: expected a hexadecimal address, found 'frob': nothing is written (octrace convert --salvage keeps the 1 instruction and 0 accesses before it)
  | --to vpc3 wide.txt x.vpc3 => 4> octrace: x.vpc3: address 0x123456789000 does not fit into vpc3
  $ ls
  bad.txt
  in.txt
  wide.txt
