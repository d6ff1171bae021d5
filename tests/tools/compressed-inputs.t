SPDX-License-Identifier: Apache-2.0
A compressed file is a trace for every command that takes one: the same instructions, from a file, a pipe and a packed pipe,
and any part of them. What is compressed again is the same.

  $ set -o pipefail
  $ octrace convert --limit 20000 ../samples/threads.oct t.oct
  $ octrace convert --to text t.oct t.txt
  $ octrace convert --to text --skip 5000 --limit 100 t.oct part.txt
  $ octrace compress --tracer paper -g sync_period_insns=4096 -o paper.octp t.oct 2>err
  $ octrace compress --tracer shadow -o shadow.octp t.oct 2>err
  $ for codec in vpc3 shadow; do octrace compress --codec $codec -o $codec.octc t.oct 2>err; done
  $ for file in paper.octp shadow.octp vpc3.octc shadow.octc; do
  >   octrace convert --to text $file - | cmp - t.txt
  >   octrace convert --to text - - <$file | cmp - t.txt
  >   xz -0 <$file | octrace convert --to text - - | cmp - t.txt
  >   octrace convert --to text --skip 5000 --limit 100 $file - | cmp - part.txt
  >   octrace compress --tracer shadow -o again.octp $file 2>err
  >   cmp -s again.octp shadow.octp || octrace convert --to text again.octp - | cmp - t.txt
  >   octrace sweep --tracer paper -g paper --json $file 2>err | grep -o '"instructions":20000'
  >   head -c $(($(wc -c <$file) / 2)) $file >cut
  >   try octrace convert --to text cut cut.txt # half of it is no trace
  > done
  "instructions":20000
  4> octrace: cut: offset 12995: a chunk is cut short
  "instructions":20000
  4> octrace: cut: offset 2417: a chunk is cut short
  "instructions":20000
  4> octrace: cut: offset 3809: the file ends within a stream, which begins at offset 3540
  "instructions":20000
  4> octrace: cut: offset 2224: the file ends within a stream, which begins at offset 1369
  $ ls cut.txt
  2> ls: cannot access 'cut.txt': No such file or directory

From a later sync on.

  $ octrace decompress --from-sync 2 --to text -o from.txt paper.octp
  $ octrace convert --from octp:from_sync=2 --to text paper.octp - | cmp - from.txt
  $ octrace convert --from-sync 2 --to text paper.octp - | cmp - from.txt
  $ for command in 'view' 'info' 'stats --json' 'report --json --no-tracers --cycle-insns 100' 'calls --to text' 'filter --json' 'sweep -a port_pins=4' 'verify --engine untimed' 'bench --tracers' 'compress -o from.octp' 'decompress --to text' 'convert -o x'; do
  >   octrace $command --from-sync 2 paper.octp >out 2>err && echo ${command%% *} $?
  >   octrace $command --from-sync 2 t.txt 2>&1 >out | sort -u || true
  > done | sort | uniq -c
        1 bench 0
        1 calls 0
        1 compress 0
        1 convert 0
        1 decompress 0
        1 filter 0
        1 info 0
        1 octrace: t.txt: offset 0: expected a compressed trace, as octrace compress writes it (.octp)
       11 octrace: t.txt: sync 2: a trace of the format text has no syncs; expected an .octp or .octc
        1 report 0
        1 stats 0
        1 sweep 0
        1 verify 0
        1 view 0
  $ octrace compare --from-sync 2 paper.octp from.txt >out
  0> octrace: note: from.txt: not compared, as this trace has none: sizes of instructions
  $ octrace compare --from-sync-b 2 from.txt paper.octp >out
  0> octrace: note: from.txt: not compared, as this trace has none: sizes of instructions
  $ octrace decompress --to text from.octp 2>err | grep -v '^#' | cmp - <(grep -v '^#' from.txt)
  $ octrace view --from-sync 2 paper.octp | cut -d ' ' -f 2- >got && octrace view from.txt | cut -d ' ' -f 2- | cmp got -
  $ octrace decompress --skip 1000 --limit 10 --to pc paper.octp | cmp - <(octrace convert --skip 1000 --limit 10 --to pc t.txt -)
  $ octrace convert -j 2 --max-memory 100 --to pc shadow.octc - | cmp - <(octrace decompress -j 0 --to pc shadow.octc)
  $ octrace convert --from octp:from_sync=x --to text paper.octp x.txt
  4> octrace: paper.octp: the format octp: expected from_sync=N; found 'from_sync=x'

What is missing is listed as decompress lists it, and instructions are numbered alike.

  $ octrace convert --limit 300000 ../samples/blowfish.oct b.oct
  $ for tracer in paper shadow; do
  >   octrace compress --tracer $tracer -o good.octp b.oct 2>err
  >   for at in 3 5 8; do
  >     cp good.octp bad.octp
  >     printf '\000\377\252' | dd of=bad.octp bs=1 seek=$(($(wc -c <good.octp) * at / 10)) conv=notrunc 2>err
  >     touch want.txt got.txt
  >     octrace decompress --salvage --gaps want.csv --to text -o want.txt bad.octp 2>err
  >     octrace convert --salvage --gaps got.csv --to text bad.octp got.txt 2>err
  >     cmp want.csv got.csv && cmp want.txt got.txt && wc -l <got.csv
  >     rm want.txt got.txt
  >   done
  > done | xargs
  2 2 2 2 2 2
