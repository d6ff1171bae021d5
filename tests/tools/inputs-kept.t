SPDX-License-Identifier: Apache-2.0
No output replaces any file that its command has read, whoever named it. A snapshot is a folder: each of its files is an
input, by whatever name.

  $ set -o pipefail
  $ octrace convert --elf ../data/mixed-aarch64.elf ../data/mixed-aarch64.oct whole.oct
  $ octrace convert --to etmv4 whole.oct snap
  $ cp -r snap before
  $ for file in snapshot.ini trace.ini core.ini etm.ini trace.bin memory1.bin; do
  >   ln -f snap/$file hard
  >   for name in snap/$file ./snap/../snap/$file hard; do
  >     try octrace convert --from etmv4 snap $name
  >     try octrace compress --from etmv4 -o $name snap
  >   done
  > done 2>&1 | sed 's/^\(..\).*: \(i.*\)/\1\2/' | sort | uniq -c
       36 2>input and output are the same file
  $ octrace @
  | report --limit 100 --no-tracers --from etmv4 --html snap/trace.bin snap >out => 2> octrace: snap/trace.bin: input and output are the same file
  | filter snap snap/trace.bin => 2> octrace: snap/trace.bin: input and output are the same file
  | convert --from etmv4 --to etmv4 snap snap => 2> octrace: convert: snap: input and output are the same file
  $ diff -r before snap

A folder of octrace that holds an input of another kind is not replaced as a whole.

  $ cp ../data/mixed-aarch64.oct snap/memory2.bin
  $ octrace convert --elf ../data/mixed-aarch64.elf --to etmv4 snap/memory2.bin snap
  2> octrace: snap: input and output are the same file
  $ cmp ../data/mixed-aarch64.oct snap/memory2.bin && rm snap/memory2.bin
  $ octrace convert --to etmv4 whole.oct snap

perf.data names the program; uftrace writes a folder; streams stand apart, as outputs over a program, and as inputs.

  $ cp ../data/mixed-x86-64.elf program
  $ octrace convert --elf program ../data/mixed-x86-64.oct x86.oct
  $ octrace convert --to intel-pt x86.oct stream
  $ python3 $HERE/../tracers/make_perf.py perf.data map:101:program thread:101:stream
  $ cp -r $HERE/../events/data/threads uf
  $ cp ../data/mixed-arm.elf x.2
  $ octrace compress --codec plain --apart --elf x.2 -o x ../data/mixed-arm.oct
  2> octrace: x.2: input and output are the same file
  $ cmp x.2 ../data/mixed-arm.elf && ls x*
  x.2
  x86.oct
  $ octrace compress --codec plain --apart -o y ../data/mixed-arm.oct 2>err
  $ sha256sum program perf.data uf/* y* >sums
  $ octrace convert perf.data copy.oct
  $ octrace @
  | convert perf.data program => 2> octrace: convert: program: input and output are the same file
  | compress -o program perf.data => 2> octrace: program: input and output are the same file
  | filter perf.data program => 2> octrace: program: input and output are the same file
  | convert --gaps program perf.data copy.oct => 2> octrace: convert: program: input and output are the same file
  | bench --codec plain --csv program perf.data >out => 2> octrace: program: input and output are the same file
  | bench --tracers --csv program perf.data >out => 2> octrace: program: input and output are the same file
  | report --limit 100 --no-tracers --html program perf.data >out => 2> octrace: program: input and output are the same file
  | sweep --geometry sc_sets=1 -o program perf.data => 2> octrace: program: input and output are the same file
  | fidelity --csv program copy.oct perf.data >out => 2> octrace: program: input and output are the same file
  | stats --html program perf.data >out => 2> octrace: program: input and output are the same file
  | stats --bbv program perf.data >out => 2> octrace: program: input and output are the same file
  | calls perf.data program => 2> octrace: program: input and output are the same file
  | convert perf.data perf.data => 2> octrace: convert: perf.data: input and output are the same file
  | decompress -o back.oct --gaps y.1 y => 2> octrace: decompress: y.1: input and output are the same file
  | decompress -o y.1 y => 2> octrace: decompress: y.1: input and output are the same file
  | decompress -o back.oct --gaps y y => 2> octrace: decompress: y: input and output are the same file
  $ for file in uf/*.dat uf/task.txt; do try octrace events compress uf -o $file; done
  2> octrace: uf/18040.dat: input and output are the same file
  2> octrace: uf/18042.dat: input and output are the same file
  2> octrace: uf/18043.dat: input and output are the same file
  2> octrace: uf/18044.dat: input and output are the same file
  2> octrace: uf/task.txt: input and output are the same file
  $ sha256sum --quiet -c sums
  $ ls back.oct
  2> ls: cannot access 'back.oct': No such file or directory
  $ for again in 1 2; do try octrace decompress -o back.oct --gaps gaps.csv y; done
