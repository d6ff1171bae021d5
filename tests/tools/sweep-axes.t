SPDX-License-Identifier: Apache-2.0
octrace sweep: axes, plans and budgets, and what is wrong with them. Illegal geometries are named, the others run; what
cannot be understood stops it.

  $ tiny_trace 700 >a.txt
  $ octrace convert --isa arm a.txt a.oct
  $ rows() { column "$1" - | xargs; }
  $ try octrace sweep -g paper -a sc_entries=4,16 -a sc_ways=4,8 a.oct | rows sc_sets
  1 4 2
  $ octrace sweep -g paper -a sc_entries=4,16 -a sc_ways=4,8 a.oct >/dev/null
  4> octrace: sweep: illegal geometry left out: sc_entries=4,sc_ways=8: sc_entries=4: expected a multiple of sc_ways=8
  $ octrace sweep -a sc_entries=0,64 a.oct >/dev/null
  4> octrace: sweep: illegal geometry left out: sc_entries=0: expected a multiple of sc_ways=4 other than 0
  4> octrace: note: to share a pass, the geometries begin with paper (sync_period_bits=0), in other commands with sync_period_bits=131072: give them -g paper, or sweep -g sync_period_bits=131072, which takes longer
  $ octrace sweep --max-state 1 -a sc_ways=1 a.oct
  4> octrace: sweep: 1 of 1 geometries has more than 1 byte of state
  4> octrace: sweep: no geometry is left

Entries that are no sets of so many ways are left out, not rounded; unknown axes, too.

  $ octrace sweep -g paper -a sc_entries=4,5,7,8,10 a.oct 2>/dev/null | rows sc_sets
  1 2
  $ octrace sweep -g paper -a sc_entries=4,5,7,8,10 a.oct >/dev/null
  4> octrace: sweep: illegal geometry left out: sc_entries=5: expected a multiple of sc_ways=4
  4> octrace: sweep: illegal geometry left out: sc_entries=7: expected a multiple of sc_ways=4
  4> octrace: sweep: illegal geometry left out: sc_entries=10: expected a multiple of sc_ways=4
  $ octrace sweep -g paper -a frob=1 -a sc_ways=2,4 -a grob=x a.oct 2>/dev/null | rows sc_ways
  2 4
  $ octrace sweep -g paper -a frob=1 -a sc_ways=2,4 -a grob=x a.oct >/dev/null
  4> octrace: sweep: axis left out: unknown axis 'frob': expected a parameter or sc_entries
  4> octrace: sweep: axis left out: unknown axis 'grob': expected a parameter or sc_entries

  $ each octrace sweep a.oct <<END
  > -a sc_entries=0
  > -a sc_sets=3
  > -a frob=1
  > -j 0 -a sc_sets=1
  > -a sc_sets=
  > -a sc_sets=8..
  > -a sc_sets=8..4
  > -a sc_sets=8..16*1
  > -a sc_sets=8..16+0
  > -a sc_sets=a
  > -a sc_sets=1,,2
  > -a sc_sets=lru
  > -a sc_sets=99999999999
  > -a sc_sets=1 -a sc_sets=2
  > -a sc_sets=1,2 -a sc_entries=64
  > -a port_pins=1,2
  > --depths
  > --arrival=cpi=2
  > --stall=10
  > -a sc_repl=LRU
  > -a sc_index_fn=paper,xor
  > -a sc_ways=1,8..1,4
  > -a sc_ways=4294967296
  > -a sc_ways=1..99999999999,2
  > -a sc_ways=1..8*1
  > -a sc_ways=1..8+0,3
  > --max-state 4Q
  > --plan none.ini
  > --plan .
  > --plot plot.jpg
  > --plot plot
  > END
  4> octrace: sweep: illegal geometry left out: sc_entries=0: expected a multiple of sc_ways=4 other than 0
  4> octrace: sweep: no geometry is left
  4> octrace: sweep: illegal geometry left out: sc_sets=3: expected a power of two
  4> octrace: sweep: no geometry is left
  2> octrace: sweep: unknown axis 'frob': expected a parameter or sc_entries
  2> octrace: sweep: --jobs '0': expected a number from 1 to 1024 (see octrace sweep --help)
  2> octrace: sweep: axis sc_sets: no values: expected some, as in sc_sets=1..1024
  2> octrace: sweep: axis sc_sets: '8..': expected numbers and ranges A..B, A..B+STEP or A..B*FACTOR
  2> octrace: sweep: axis sc_sets: '8..4': expected the smaller number first, as in 4..8
  2> octrace: sweep: axis sc_sets: '8..16*1': expected a factor of 2 or more
  2> octrace: sweep: axis sc_sets: '8..16+0': expected a step of 1 or more
  2> octrace: sweep: axis sc_sets: 'a': expected numbers and ranges A..B, A..B+STEP or A..B*FACTOR
  2> octrace: sweep: axis sc_sets: ',2': expected numbers and ranges A..B, A..B+STEP or A..B*FACTOR
  2> octrace: sweep: axis sc_sets: 'lru': expected numbers and ranges A..B, A..B+STEP or A..B*FACTOR
  2> octrace: sweep: axis sc_sets: '99999999999': expected a number up to 1024
  2> octrace: sweep: axis sc_sets is given twice
  2> octrace: sweep: axes sc_sets and sc_entries: expected one of them
  2> octrace: sweep: axis port_pins changes nothing without --engine cycle (see octrace sweep --help)
  2> octrace: sweep: --depths is for --engine cycle (see octrace sweep --help)
  2> octrace: sweep: --arrival is for --engine cycle (see octrace sweep --help)
  2> octrace: sweep: --stall is for --engine cycle (see octrace sweep --help)
  2> octrace: sweep: axis sc_repl: 'LRU': expected lru, fifo, plru or random, or 0 to 3
  2> octrace: sweep: axis sc_index_fn: 'xor': expected paper, fold, concat or sa, or 0 to 3
  2> octrace: sweep: axis sc_ways: '8..1': expected the smaller number first, as in 1..8
  2> octrace: sweep: axis sc_ways: '4294967296': expected a number up to 16
  2> octrace: sweep: axis sc_ways: '99999999999': expected a number up to 16
  2> octrace: sweep: axis sc_ways: '1..8*1': expected a factor of 2 or more
  2> octrace: sweep: axis sc_ways: '1..8+0': expected a step of 1 or more
  2> octrace: sweep: --max-state '4Q': expected a number of bytes (8192, 8K) (see octrace sweep --help)
  4> octrace: sweep: none.ini: No such file or directory
  4> octrace: sweep: .: Is a directory
  2> octrace: sweep: --plot 'plot.jpg': expected a name in .svg, .png or .pdf (see octrace sweep --help)
  2> octrace: sweep: --plot 'plot': expected a name in .svg, .png or .pdf (see octrace sweep --help)

Plans: file and line of what is wrong; no rows of a bad plan.

  $ long=$(awk 'BEGIN { while (n++ < 120) printf "1, " }')
  $ for plan in 'sc_sets = 1' '[]\nsc_sets = 1' '[a]\nnonsense' '[a]\nsc_sets = 1\n[b\nsc_ways = 2' "[a]\nsc_sets = $long" \
  >   '; all\n[a]' '[a]\nsc_sets = 1\n[b]\n; nothing yet\n\n[c]\nsc_sets = 2' '[a]\nsc_sets = 1\n[a] ; again' \
  >   '[a]\nsc_sets = 1\n [b]\nsc_ways = 1' '; nothing' '[a]\nsc_sets = x\nsc_ways = 1' '[a]\nsc_sets = 1\nsc_sets = 2' \
  >   '[a]\ngeometry = paper\ngeometry = wide64' '[a]\ngeometry = paper, frob=0' '[a]\nfrob = 1'; do
  >   printf "$plan\n" >plan.ini
  >   try octrace sweep --plan plan.ini a.oct
  > done
  4> octrace: sweep: plan.ini:1: 'sc_sets': expected a [section] with a name before it
  4> octrace: sweep: plan.ini:2: 'sc_sets': expected a [section] with a name before it
  4> octrace: sweep: plan.ini:2: expected [section] or NAME = VALUE
  4> octrace: sweep: plan.ini:3: expected [section] or NAME = VALUE
  4> octrace: sweep: plan.ini:2: expected a line of at most 198 bytes
  4> octrace: sweep: plan.ini:2: an empty [section]: expected lines NAME = VALUE in it, such as geometry = paper
  4> octrace: sweep: plan.ini:3: an empty [section]: expected lines NAME = VALUE in it, such as geometry = paper
  4> octrace: sweep: plan.ini:3: an empty [section]: expected lines NAME = VALUE in it, such as geometry = paper
  2> octrace: sweep: plan.ini:3: axis sc_sets: '[b]': expected numbers and ranges A..B, A..B+STEP or A..B*FACTOR
  4> octrace: sweep: plan.ini: expected a [section] with lines NAME = VALUE
  2> octrace: sweep: plan.ini:2: axis sc_sets: 'x': expected numbers and ranges A..B, A..B+STEP or A..B*FACTOR
  2> octrace: sweep: plan.ini:1: [a]: axis sc_sets is given twice
  2> octrace: sweep: plan.ini:3: geometry is given twice
  2> octrace: sweep: plan.ini:2: 'frob': no such parameter
  4> octrace: sweep: axis left out: plan.ini:2: unknown axis 'frob': expected a parameter or sc_entries
  4> octrace: sweep: no geometry is left

An unknown axis is named, the others run. Each header begins a grid of its own.

  $ printf '[a]\nsc_sets = 1, 2\nfrob = 1\nsc_ways = 1\n[b]\ngrob = 2\n[c]\ndasc_entries = 64\n' >plan.ini
  $ octrace sweep -g paper --plan plan.ini a.oct 2>/dev/null | rows sc_sets
  1 2 32
  $ octrace sweep -g paper --plan plan.ini a.oct >/dev/null
  4> octrace: sweep: axis left out: plan.ini:3: unknown axis 'frob': expected a parameter or sc_entries
  4> octrace: sweep: axis left out: plan.ini:6: unknown axis 'grob': expected a parameter or sc_entries
  $ printf '\357\273\277[a]\nsc_sets = 1, 2\n[a]; again\nsc_ways=1\n[b]\nsc_ways=2' >plan.ini
  $ octrace sweep -g paper --plan plan.ini a.oct | cut -d , -f 1-4
  trace,tracer,addr_bits,pc_align_bits
  a.oct,paper,32,2
  a.oct,paper,32,2
  a.oct,paper,32,2
  a.oct,paper,32,2
  $ printf '[wide]\ngeometry = wide64\n[paper]\ngeometry = paper\n' >plan.ini
  $ octrace sweep --plan plan.ini a.oct | rows addr_bits
  64 32

A budget of state is that of the machine which the trace gets: 64-bit addresses need more.

  $ octrace sweep -g paper -a dasc_entries=16..4096 --max-state 4K a.oct 2>/dev/null | rows state_bytes
  2586 2666 2826 3146 3786
  $ octrace sweep -g paper -a dasc_entries=16..4096 --max-state 4K a.oct >/dev/null
  0> octrace: sweep: 4 of 9 geometries have more than 4096 bytes of state
  $ for traces in isa/riscv64.oct sha1.oct 'sha1.oct ../samples/isa/riscv64.oct' 'sha1.oct -a addr_bits=64'; do
  >   try octrace sweep --tracer shadow -a vc_sets=8,64 --limit 1000 --max-state 8K ../samples/$traces |
  >     awk '/^[0-9]>/ { print; next } !/^trace/ { n++ } END { print n, "rows" }'
  > done
  0> octrace: sweep: 1 of 2 geometries has more than 8192 bytes of state
  1 rows
  2 rows
  0> octrace: sweep: 1 of 2 geometries has more than 8192 bytes of state
  2 rows
  0> octrace: sweep: 1 of 2 geometries has more than 8192 bytes of state
  1 rows

A name that is not UTF-8, as JSON has to be, has its column all the same. One bad trace among many is named.

  $ mkdir names && cp a.oct "names/$(printf 'l\344rm.oct')"
  $ octrace sweep -g paper names/*.oct | rows trace
  names/lxe4rm.oct
  $ head -c 300 a.oct >bad.oct
  $ octrace sweep -j 1 -g paper bad.oct a.oct none.oct | rows trace
  a.oct
  0> octrace: bad.oct: offset 300: the trace ends before its end block
  0> octrace: none.oct: cannot open: No such file or directory
  $ octrace sweep -j 1 -g paper -o some.csv bad.oct a.oct none.oct
  4> octrace: bad.oct: offset 300: the trace ends before its end block
  4> octrace: none.oct: cannot open: No such file or directory
  $ octrace sweep -o none.csv none.oct
  4> octrace: none.oct: cannot open: No such file or directory
  $ ls *.csv
  some.csv

A journal is nothing else: not a trace, not the table, not a file of somebody, not a device.

  $ cp a.oct c.oct
  $ echo 'A letter.' >letter
  $ mkdir folder
  $ octrace sweep -g paper @
  | --journal c.oct c.oct => 2> octrace: sweep: c.oct: input and output are the same file
  | --journal same -o same a.oct => 2> octrace: sweep: same: output and journal are the same file
  | --journal letter a.oct => 4> octrace: letter: not a journal: expected a file of hexadecimal lines
  | --journal /dev/zero a.oct => 4> octrace: /dev/zero: not a journal: expected a file of hexadecimal lines
  | -o folder a.oct => 4> octrace: folder: Is a directory
  | -o /dev/full a.oct => 4> octrace: /dev/full: cannot write: No space left on device
  $ cat letter
  A letter.
  $ cmp a.oct c.oct
  $ ls folder.journal /dev/full.journal same 2>/dev/null
  [exit 2]

The cycle engine: pins and depths matter; losses are counted, and no reason to fail. Threads give the same rows.

  $ octrace sweep --engine cycle -a port_pins=1,32 --limit 2000 -o lossy.csv a.oct
  $ rows lost_instructions <lossy.csv
  1567 0
  $ for jobs in 1 5; do
  >   octrace sweep -j $jobs --engine cycle -a port_pins=4..32+4 -a data_fifo_depth=4,8 --limit 2000 a.oct | sha256sum
  > done | uniq -c | sed 's/ [0-9a-f]*  -//'
        2
