SPDX-License-Identifier: Apache-2.0
An output that is the input, by whatever name, is refused and left as it was.

  $ tiny_trace 100 >t
  $ octrace compress -o t.octp t 2>/dev/null
  $ ln t hard
  $ ln -s t soft
  $ ln -s t.octp soft.octp
  $ sha256sum t t.octp >sums
  $ for name in t hard soft ./t "$PWD/t"; do
  >   try octrace convert t $name
  >   try octrace convert --to da32 $name t
  >   try octrace compress -o $name t
  > done
  2> octrace: convert: t: input and output are the same file
  2> octrace: convert: t: input and output are the same file
  2> octrace: compress: t: input and output are the same file
  2> octrace: convert: hard: input and output are the same file
  2> octrace: convert: t: input and output are the same file
  2> octrace: compress: hard: input and output are the same file
  2> octrace: convert: soft: input and output are the same file
  2> octrace: convert: t: input and output are the same file
  2> octrace: compress: soft: input and output are the same file
  2> octrace: convert: ./t: input and output are the same file
  2> octrace: convert: t: input and output are the same file
  2> octrace: compress: ./t: input and output are the same file
  2> octrace: convert: $T/here/t: input and output are the same file
  2> octrace: convert: t: input and output are the same file
  2> octrace: compress: $T/here/t: input and output are the same file
  $ for name in t.octp soft.octp; do
  >   try octrace decompress -o $name t.octp
  >   try octrace decompress -o $name - <t.octp
  > done
  2> octrace: decompress: t.octp: input and output are the same file
  2> octrace: decompress: t.octp: input and output are the same file
  2> octrace: decompress: soft.octp: input and output are the same file
  2> octrace: decompress: soft.octp: input and output are the same file

The name that compress makes up.

  $ ln -s t t2.octp
  $ ln t t2
  $ octrace compress t2
  2> octrace: compress: t2.octp: input and output are the same file

The file of the program is an input too, and so is the plan of a sweep; tables and pages are outputs.

  $ cp ../data/mixed-arm.elf elf
  $ printf '[a]\nsc_sets=1,2\n' >plan
  $ sha256sum elf plan >>sums
  $ octrace @
  | convert --elf elf t elf => 2> octrace: convert: elf: input and output are the same file
  | compress --elf ./elf@0x1000 -o elf t => 2> octrace: compress: elf: input and output are the same file
  | report --elf elf --html elf t => 2> octrace: report: elf: input and output are the same file
  | bench --elf elf --csv elf t => 2> octrace: bench: elf: input and output are the same file
  | sweep --elf elf -o elf t => 2> octrace: sweep: elf: input and output are the same file
  | sweep --elf elf --journal elf t => 2> octrace: sweep: elf: input and output are the same file
  | sweep --plan plan -o plan t => 2> octrace: sweep: plan: input and output are the same file
  | sweep --plan plan --journal ./plan t => 2> octrace: sweep: ./plan: input and output are the same file
  | sweep -o x.svg --plot x.svg t => 2> octrace: sweep: x.svg: table and plot are the same file
  | bench --csv hard t => 2> octrace: bench: hard: input and output are the same file
  | bench --tracers --csv t t => 2> octrace: bench: t: input and output are the same file
  | report --html soft t => 2> octrace: report: soft: input and output are the same file
  | report --html - t => 2> octrace: report: --html: expected a file, as standard output has the report (see octrace report --help)
  | decompress --gaps - t.octp => 2> octrace: decompress: standard output: the trace and --gaps are the same file

Two outputs in one place, whatever it is called, before and after there is a file.

  $ for turn in new old link; do
  >   [ $turn != old ] || echo old >x.svg
  >   [ $turn != link ] || ln -s x.svg y.svg
  >   other=./x.svg
  >   [ $turn != link ] || other=y.svg
  >   for outputs in "-o x.svg --plot $other" "-o $other --journal x.svg" "--journal x.svg --plot $other" "-o $other --plot $PWD/x.svg"; do
  >     try octrace sweep $outputs t
  >   done
  >   try octrace decompress --gaps x.svg -o $other t.octp
  > done
  2> octrace: sweep: ./x.svg: table and plot are the same file
  2> octrace: sweep: x.svg: output and journal are the same file
  2> octrace: sweep: ./x.svg: journal and plot are the same file
  2> octrace: sweep: $T/here/x.svg: table and plot are the same file
  2> octrace: decompress: x.svg: the trace and --gaps are the same file
  2> octrace: sweep: ./x.svg: table and plot are the same file
  2> octrace: sweep: x.svg: output and journal are the same file
  2> octrace: sweep: ./x.svg: journal and plot are the same file
  2> octrace: sweep: $T/here/x.svg: table and plot are the same file
  2> octrace: decompress: x.svg: the trace and --gaps are the same file
  2> octrace: sweep: y.svg: table and plot are the same file
  2> octrace: sweep: x.svg: output and journal are the same file
  2> octrace: sweep: y.svg: journal and plot are the same file
  2> octrace: sweep: $T/here/x.svg: table and plot are the same file
  2> octrace: decompress: x.svg: the trace and --gaps are the same file
  $ cat x.svg
  old
  $ (octrace decompress --gaps both t.octp >both)
  2> octrace: decompress: both: the trace and --gaps are the same file

Event traces and what is made of them.

  $ printf '1 a enter f\n2 a leave f\n' >e
  $ octrace events compress e -o e.octev >/dev/null
  $ sha256sum e e.octev >>sums
  $ for arguments in 'compress e -o e' 'convert ./e -o e' 'decompress e.octev -o e.octev' 'patterns --html e.octev e.octev'; do
  >   try octrace events $arguments
  > done
  2> octrace: events compress: e: input and output are the same file
  2> octrace: events convert: e: input and output are the same file
  2> octrace: events decompress: e.octev: input and output are the same file
  2> octrace: events patterns: e.octev: input and output are the same file

Streams apart have names of their own.

  $ cp t x.2
  $ octrace compress --codec plain --apart -o x x.2
  2> octrace: x.2: input and output are the same file
  $ cmp t x.2
  $ octrace compress --codec plain --apart -o x t 2>/dev/null
  $ sha256sum x x.2 >>sums
  $ octrace decompress -o x.2 x
  2> octrace: decompress: x.2: input and output are the same file

A redirection has emptied the output by the time octrace runs; appending to the input never ends.

  $ (octrace convert t - >>t)
  2> octrace: convert: standard output: input and output are the same file
  $ (octrace decompress t.octp >>t.octp)
  2> octrace: decompress: standard output: input and output are the same file

So does what is printed of any input, over it or behind it: nothing is.

  $ octrace compress --codec plain -o t.octc t 2>/dev/null
  $ sha256sum t.octc >>sums
  $ for command in view info stats verify calls bench 'compare t2' 'report --no-tracers' 'sweep --tracer etrace' filter 'events info' packets; do
  >   octrace $command t 1<>t
  >   octrace $command t >>t
  >   octrace $command - <t >>t
  >   octrace $command - <t.octp >>t.octp
  >   octrace $command t.octc >>t.octc
  >   octrace $command - <t.octc >>t.octc
  > done 2>&1 | cut -d : -f 3- | sort | uniq -c
       72  standard output: input and output are the same file
  $ for arguments in 'gdb t' 'view --elf t e' 'verify e t'; do
  >   (octrace $arguments >>t)
  > done
  2> octrace: gdb: standard output: input and output are the same file
  2> octrace: view: standard output: input and output are the same file
  2> octrace: verify: standard output: input and output are the same file
  $ sha256sum --quiet -c sums
  $ ls
  both
  e
  e.octev
  elf
  hard
  plan
  soft
  soft.octp
  sums
  t
  t.octc
  t.octp
  t2
  t2.octp
  x
  x.1
  x.2
  x.3
  x.4
  x.5
  x.6
  x.svg
  y.svg

Neither files: allowed.

  $ octrace convert --to text --from text - - </dev/null >/dev/null
  $ octrace convert t /dev/null
