SPDX-License-Identifier: Apache-2.0
compress --codec, decompress, info and verify --against on the command line.

  $ set -o pipefail
  $ tiny_trace 1000 >t.txt
  $ octrace convert t.txt t.oct

A trace there and back, by file and by pipe, whichever codec is found in the file.

  $ octrace compress --codec vpc3 t.oct 2>&1 | grep -o ratio
  ratio
  $ [ -s t.oct.octc ]
  $ as_text t.oct >want
  $ octrace decompress -o back.oct t.oct.octc >out 2>err
  $ as_text back.oct >got
  $ cmp want got
  $ octrace compress --codec plain:stage=xz,level=1 -o - - <t.oct 2>err | octrace decompress - |
  >   octrace convert --to text - - | grep -v '^#' | cmp want -
  $ octrace compress --codec vpc --jobs 0 --limit 100 --json -o c.octc t.oct 2>err | grep -e '"instructions": 100'
    "instructions": 100,
  $ octrace compress --codec vpc3 --stats -o c.octc t.oct 2>&1 | grep -e 'ED DFCM1a' -e 'ED not predicted'
    ED DFCM1a             85.45 %
    ED not predicted       0.35 %

The head says which codec it was; info checks the whole file.

  $ octrace info t.oct.octc 2>err | grep -e 'vpc3:stage=bzip2,level=9' -e 'instructions *4000'
  codec                  vpc3:stage=bzip2,level=9,segment=32,group=1,update=always
  instructions           4000
  $ octrace info --json t.oct.octc 2>err | grep -e '"accesses": 2000'
    "accesses": 2000

Records of a trace as the published file, and such a file there and back.

  $ octrace compress --codec plain:stage=none --input mem -o mem.octc t.oct >out 2>err
  $ octrace decompress -o mem.vpc3 mem.octc >out 2>err
  $ [ "$(head -c 4 mem.vpc3)" = vpc3 ]
  $ [ "$(wc -c <mem.vpc3)" -eq $((4 + 12 * 2000)) ]
  $ for kind in loads stores; do
  >   try octrace compress --codec vpc3 --input $kind -o k.octc t.oct >out 2>err
  >   try octrace decompress -o k.vpc3 k.octc >out 2>err
  >   [ "$(wc -c <k.vpc3)" -eq $((4 + 12 * 1000)) ]
  > done
  $ octrace compress --codec vpc3 mem.vpc3 >out 2>err
  $ octrace decompress -o again.vpc3 mem.vpc3.octc >out 2>err
  $ cmp mem.vpc3 again.vpc3
  $ head -c 12000 mem.vpc3 >want.records
  $ octrace compress --codec 'vpc:spec=16: L1=1, L2=64: FCM1[2]' --input records -o r.octc want.records >out 2>err
  $ octrace decompress -o got.records r.octc >out 2>err
  $ cmp want.records got.records

Records are recognised in a pipe, too, and what is none stays whole for its reader.

  $ octrace compress --codec vpc3 -o p.octc - <mem.vpc3 2>err
  $ octrace decompress -o p.vpc3 p.octc >out 2>err
  $ cmp mem.vpc3 p.vpc3
  $ mkfifo pipe
  $ for file in mem.vpc3 t.oct; do
  >   timeout 60 sh -c "cat $file >pipe" &
  >   try timeout 60 octrace compress --codec vpc3 -o $file.p pipe >out 2>err
  >   wait
  > done
  $ octrace decompress -o p.vpc3 mem.vpc3.p >out 2>err
  $ cmp mem.vpc3 p.vpc3
  $ octrace decompress -o p.oct t.oct.p >out 2>err
  $ as_text p.oct | cmp want -

A part of the records.

  $ octrace compress --codec vpc3 --skip 10 --limit 100 -o part.octc mem.vpc3 >out 2>err
  $ octrace decompress -o part.vpc3 part.octc >out 2>err
  $ { printf vpc3 && head -c 1324 mem.vpc3 | tail -c 1200; } | cmp - part.vpc3

Addresses for a codec that takes any records.

  $ awk 'BEGIN { for (i = 0; i < 500; i++) printf "%c%c......", 65 + i % 7, 65 + i % 25 }' >addresses
  $ for codec in sequitur bytesort plain:split=fields; do
  >   try octrace compress --codec $codec --input addresses -o a.octc addresses >out 2>err
  >   try octrace info a.octc 2>err | grep -e 'record_bytes *8'
  >   try octrace decompress -o a.back a.octc >out 2>err
  >   cmp addresses a.back
  > done
  record_bytes           8
  record_bytes           8
  record_bytes           8
  $ octrace compress --codec vpc3 --input addresses -o a.octc addresses
  4> octrace: addresses: codec vpc3 takes records of 12 bytes in 2 fields, not of 8 in 1

With loss: addresses, of which octrace fidelity tells what they are good for; and a trace, of which
the addresses of data alone are imitated. What a lossy codec gives back is only taken on request.

  $ python3 -c "import random, struct, sys
  > random.seed(4)
  > addrs = [(i // 1000 % 3 + 1 << 24) + 64 * random.randrange(1000) for i in range(20000)]
  > open('exact', 'wb').write(struct.pack('<%dQ' % len(addrs), *addrs))"
  $ octrace compress --codec atc-lossy:interval=1000,threshold=500 --input addresses --stats -o l.octc exact 2>&1 | grep -e '^  intervals  *20$' -e '^  imitated  *95.00 %$'
    intervals            20
    imitated              95.00 %
  $ octrace decompress -o lossy l.octc
  4> octrace: l.octc: codec atc-lossy is lossy: give --lossy to accept its result
  $ [ ! -e lossy ]
  $ octrace decompress --lossy -o lossy l.octc >out 2>err
  $ [ "$(wc -c <lossy)" -eq 160000 ]
  $ cmp -s exact lossy
  [exit 1]
  $ octrace fidelity --sets 2..64 --ways 4 exact lossy >out 2>err
  $ octrace info l.octc 2>err | grep -e '^promise  *lossy$'
  promise                lossy
  $ octrace compress --codec atc-lossy:interval=100,threshold=2000 -o lt.octc - <t.oct >out 2>err
  $ octrace decompress --lossy --to text -o lossy.txt lt.octc >out 2>err
  $ grep -v '^#' lossy.txt | sed 's/\([LS]\):[0-9a-f]*/\1/' >got
  $ sed 's/\([LS]\):[0-9a-f]*/\1/' want | cmp - got
  $ grep -v '^#' lossy.txt | cmp -s - want
  [exit 1]
  $ octrace verify --against atc-lossy t.oct
  2> octrace: verify: codec atc-lossy is lossy and gives back other addresses; to see the difference, use 'octrace fidelity'
  $ octrace compress @
  | --codec atc-lossy:interval=0 -o l2.octc t.oct => 2> octrace: compress: interval: expected a number from 1 to 100000000, found '0' (see octrace compress --help)
  | --codec atc-lossy --input mem -o l2.octc t.oct => 4> octrace: t.oct: codec atc-lossy takes records of 8 bytes in 1 field, not of 12 in 2
  $ [ ! -e l2.octc ]

What only the port's files have, and what is no codec.

  $ octrace decompress --from-sync 1 -o x t.oct.octc
  4> octrace: t.oct.octc: sync 1: expected 0 to 0
  $ octrace decompress --gaps g -o x t.oct.octc >out 2>err
  $ rm g x
  $ octrace compress --codec VPC3 t.oct
  2> octrace: compress: codec: expected one of vpc3|vpc|sequitur|bytesort|unshuffle|atc-lossy|plain|shadow, found 'VPC3' (see octrace compress --help)

The output is not the input.

  $ cp mem.vpc3 same.vpc3
  $ octrace compress @
  | --codec vpc3 -o same.vpc3 same.vpc3 => 2> octrace: compress: same.vpc3: input and output are the same file
  | --codec plain --input records -o ./same.vpc3 same.vpc3 => 2> octrace: compress: ./same.vpc3: input and output are the same file
  $ cmp mem.vpc3 same.vpc3

The four streams apart, each a file that the second stage's own tool reads.

  $ octrace compress --codec vpc3:segment=1 --apart -o apart.octc mem.vpc3 >out 2>err
  $ for k in 1 2 3 4; do bzip2 -t "apart.octc.$k" 2>/dev/null || bzip2 -tv "apart.octc.$k"; done
  $ [ "$(bzip2 -dc apart.octc.1 | wc -c)" -eq 2000 ]
  $ octrace decompress -o again.vpc3 apart.octc >out 2>err
  $ cmp mem.vpc3 again.vpc3
  $ octrace info apart.octc >out 2>err
  $ octrace compress --codec vpc3 --apart -o trace.octc t.oct >out 2>err
  $ octrace decompress --to text -o got trace.octc >out 2>err
  $ grep -v '^#' got | cmp - want
  $ rm apart.octc.3
  $ octrace decompress -o again.vpc3 apart.octc
  4> octrace: apart.octc.3: the file of stream 3: No such file or directory
  $ octrace compress --codec vpc3 --apart -o - t.oct
  2> octrace: compress: --apart needs a file name (see octrace compress --help)

All files or none: none beside what is no regular file, and none when one of them fails.

  $ mkdir parts
  $ ln -s /dev/full parts/full
  $ ln -s /dev/null parts/null
  $ for out in parts/full parts/null; do
  >   try octrace compress --codec vpc3 --apart -o $out t.oct
  > done
  2> octrace: compress: --apart needs a regular file, and parts/full is none (see octrace compress --help)
  2> octrace: compress: --apart needs a regular file, and parts/null is none (see octrace compress --help)
  $ [ "$(ls parts | tr '\n' ' ')" = 'full null ' ]
  $ rm parts/null
  $ mv parts/full parts/a.3
  $ octrace compress --codec vpc3 --apart -o parts/a t.oct
  4> octrace: parts/a.3: cannot write: No space left on device
  $ [ "$(ls parts)" = a.3 ]
  $ mkdir parts/b.3
  $ octrace compress --codec vpc3 --apart -o parts/b t.oct
  4> octrace: parts/b.3: Is a directory
  $ rm -r parts
  $ octrace verify @
  | --against vpc3 t.oct 2>err | grep -e '4000 instructions and 2000 accesses equal, hash ' => t.oct: against vpc3: 4000 instructions and 2000 accesses equal, hash 4fc77f661ab72379
  | --against vpc3 - <t.oct => 2> octrace: verify: --against reads the trace twice, but standard input can be read only once (see octrace verify --help)
  $ mkfifo twice
  $ octrace verify --against vpc3 twice
  2> octrace: verify: --against reads the trace twice, but twice can be read only once (see octrace verify --help)
  $ rm twice
  $ octrace list codecs 2>err | grep -e '^vpc3 '
  vpc3         version 1, (PC, ED) records, lossless: VPC3 of 2004: value predictors for (PC, data) records

Whole traces by the codec shadow: the same file and trace whatever the threads, in one segment or in
many; no records; a file of another version of the program map.

  $ for items in 500 16777216; do
  >   for threads in 0 3; do
  >     try octrace compress --codec "shadow:items=$items" --jobs $threads -o "s$threads.octc" t.oct >out 2>err
  >   done
  >   cmp s0.octc s3.octc
  >   for threads in 0 1 3 64; do
  >     try octrace decompress --jobs $threads --to text -o got s0.octc >out 2>err
  >     grep -v '^#' got | cmp - want
  >   done
  >   try octrace verify --against "shadow:items=$items,machine=shadow-tiny" t.oct >out 2>err
  > done
  $ octrace decompress --jobs 65 s0.octc
  2> octrace: decompress: --jobs '65': expected a number from 0 to 64 (see octrace decompress --help)

... with the bytes of the instructions, from which map entries follow; behind damage.

  $ for trace in ../samples/isa/*.oct*; do
  >   try octrace verify --against shadow:items=3000 "$trace" >out 2>err
  > done
  $ octrace compress --codec shadow:items=3000 -o cut.octc "$trace" >out 2>err
  $ size=$(wc -c <cut.octc)
  $ head -c $((size * 6 / 10)) cut.octc >damaged.octc
  $ printf 'XXXX' >>damaged.octc
  $ tail -c +$((size * 6 / 10 + 5)) cut.octc >>damaged.octc
  $ octrace decompress --salvage --gaps gaps -o part damaged.octc
  3> octrace: damaged.octc: damaged in 1 place, first: offset 49622: the checksum of a block's head does not match: kept 97790 instructions and 35076 accesses, lost 2210 instructions
  $ rm part gaps damaged.octc cut.octc
  $ octrace compress @
  | --codec shadow mem.vpc3 => 4> octrace: mem.vpc3: codec shadow takes whole traces, not records
  | --codec shadow:machine=none t.oct => 2> octrace: compress: machine: 'none': expected a geometry or name=value; everything after machine= is of the tracer shadow (octrace list params --tracer shadow), so options of the codec come before it (see octrace compress --help)

All behind machine= is its own: an option of the codec there is told to stand before it.

  $ octrace compress @
  | --codec shadow:machine=shadow,level=9 t.oct => 2> octrace: compress: machine: 'level': no such parameter; everything after machine= is of the tracer shadow (octrace list params --tracer shadow), so options of the codec come before it (see octrace compress --help)
  | --codec shadow:level=9,machine=shadow,vc_ways=2 -o last.octc t.oct >out 2>err
  | --codec shadow:items=0 t.oct => 2> octrace: compress: items: expected a number from 1 to 357826560, found '0' (see octrace compress --help)

The largest segment that may be written can be read; more is refused.

  $ octrace compress --codec shadow:items=357826560 -o large.octc t.oct >out 2>err
  $ octrace decompress --to text -o got large.octc >out 2>err
  $ grep -v '^#' got | cmp - want
  $ octrace compress --codec shadow:items=357826561 -o none t.oct
  2> octrace: compress: items: expected a number from 1 to 357826560, found '357826561' (see octrace compress --help)
  $ rm large.octc
  $ octrace bench --repeat 1 --codec shadow t.oct 2>err | grep -o '^  shadow '
    shadow
    shadow

A file of version 1, whose segments build on each other: it comes back; of a damaged one what stands
before the damage.

  $ octrace convert --to text --limit 400 "$HERE/../codecs/data/versions.oct" - | grep -v '^#' >want
  $ octrace decompress --to text -o old.txt "$HERE/../codecs/data/version-1.octc" >out 2>err
  $ grep -v '^#' old.txt | cmp want -
  $ rm old.txt
  $ octrace info "$HERE/../codecs/data/version-1.octc" 2>err | grep -e '^instructions  *400$'
  instructions           400

One of version 2, whose blocks do not name those before them.

  $ octrace convert --to text "$HERE/../codecs/data/versions.oct" - | grep -v '^#' >want
  $ octrace decompress --to text -o old.txt "$HERE/../codecs/data/version-2.octc" >out 2>err
  $ grep -v '^#' old.txt | cmp want -
  $ rm old.txt

One of version 3, whose entries of the program map are whole each.

  $ octrace convert --to text:bytes=1 --limit 400 "$SAMPLES/isa/riscv64.oct" - | grep -v '^#' >want
  $ octrace decompress --to text:bytes=1 -o old.txt "$HERE/../codecs/data/version-3.octc" >out 2>err
  $ grep -v '^#' old.txt | cmp want -
  $ rm old.txt

Code that changes with each instruction costs a few bytes more than its own. The codec shadow has no need of version 4.

  $ awk 'BEGIN {
  >   print "# isa riscv64"
  >   for (i = 0; i < 20000; i++) printf "%016x%s I:%02x%02x%02x%02x\n", 65536 + i % 500 * 4, i % 3 ? "/4" : "/4 L8:0000000000008000", i % 3 ? 19 : 3, i % 3 ? 0 : 48, int(i / 256) % 256, i % 256
  > }' >changing.txt
  $ octrace compress --codec plain:stage=none -o changing.octc changing.txt >out 2>err
  $ test "$(wc -c <changing.octc)" -lt $((20000 * 16)) && head -c 8 changing.octc && echo
  OCTCODC4
  $ octrace decompress --to text:bytes=1 -o back.txt changing.octc >out 2>err
  $ grep -v '^#' changing.txt | cut -d/ -f1 >want && grep -v '^#' back.txt | cut -c 1-16 | cmp want -
  $ octrace convert --to text:bytes=1 changing.txt - | cmp - back.txt
  $ octrace compress --codec shadow -o whole.octc changing.txt >out 2>err && head -c 8 whole.octc && echo
  OCTCODC3

Bad input: one line that says what and where, and no file.

  $ mkdir bad
  $ cd bad || exit
  $ cp ../mem.vpc3.octc whole.octc
  $ size=$(wc -c <whole.octc)
  $ head -c $((size - 5)) whole.octc >cut.octc
  $ octrace decompress -o x cut.octc
  4> octrace: cut.octc: offset 613: the file ends within the head of a block, which begins at offset 562: wrote the 2000 records before it; the rest is missing (--salvage goes on after it)
  $ cmp ../mem.vpc3 x
  $ rm x
  $ octrace info cut.octc
  4> octrace: cut.octc: offset 613: the file ends within the head of a block, which begins at offset 562
  $ printf 'vpc3123456789' >odd.vpc3
  $ octrace compress @
  | --codec vpc3 odd.vpc3 => 4> octrace: odd.vpc3: offset 13: the file ends within a record of 12 bytes
  | --codec vpc3 --input vpc3 whole.octc => 4> octrace: whole.octc: offset 0: expected the text 'vpc3'
  | --codec vpc3 missing => 4> octrace: missing: cannot open: No such file or directory
  | --codec vpc3 -o /dev/full ../mem.vpc3 => 4> octrace: /dev/full: cannot write: No space left on device
  | --codec none ../t.oct => 2> octrace: compress: codec: expected one of vpc3|vpc|sequitur|bytesort|unshuffle|atc-lossy|plain|shadow, found 'none' (see octrace compress --help)
  | --codec vpc3:level=77 ../t.oct => 2> octrace: compress: level: expected a number from 0 to 22, found '77' (see octrace compress --help)
  | --codec 'vpc:spec=64: L1=3' ../t.oct => 2> octrace: compress: spec, character 8: expected a power of two, found '3' (see octrace compress --help)
  | --codec 'vpc:spec=16: L1=1, L2=64: FCM1[2]' ../t.oct => 4> octrace: ../t.oct: a trace gives records of 32 and 64 bits or of 64 bits, which codec vpc with these options does not take
  $ octrace verify @
  | --against vpc3 - => 2> octrace: verify: --against reads the trace twice, but standard input can be read only once (see octrace verify --help)
  | --against none ../t.oct => 2> octrace: verify: codec: expected one of vpc3|vpc|sequitur|bytesort|unshuffle|atc-lossy|plain|shadow, found 'none' (see octrace verify --help)
  $ octrace compress @
  | --codec vpc3 --input what ../t.oct => 2> octrace: compress: unknown input 'what': expected one that octrace help compress lists (see octrace compress --help)
  | --codec vpc3 --json -o - ../t.oct => 2> octrace: compress: --json and the file cannot both go to standard output (see octrace compress --help)
  $ ls | xargs
  cut.octc odd.vpc3 whole.octc
