#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# commands.sh - compress --codec, decompress, info and verify --against on the command line.
. "$TOOLS/lib.sh"

tiny_trace 1000 >t.txt
"$OCTRACE" convert t.txt t.oct

# A trace there and back, by file and by pipe, whichever codec is found in the file.
expect 0 "$OCTRACE" compress --codec vpc3 t.oct
[ -s t.oct.octc ] || die "no t.oct.octc"
contains err 'ratio'
as_text t.oct >want
expect 0 "$OCTRACE" decompress -o back.oct t.oct.octc
as_text back.oct >got
cmp want got
"$OCTRACE" compress --codec plain:stage=xz,level=1 -o - - <t.oct 2>err | "$OCTRACE" decompress - |
  "$OCTRACE" convert --to text - - | grep -v '^#' | cmp want -
expect 0 "$OCTRACE" compress --codec vpc --jobs 0 --limit 100 --json -o c.octc t.oct
contains out '"instructions": 100'
expect 0 "$OCTRACE" compress --codec vpc3 --stats -o c.octc t.oct
contains err 'ED DFCM1a'
contains err 'ED not predicted'

# The head says which codec it was; info checks the whole file.
expect 0 "$OCTRACE" info t.oct.octc
contains out 'vpc3:stage=bzip2,level=9'
contains out 'instructions *4000'
expect 0 "$OCTRACE" info --json t.oct.octc
contains out '"accesses": 2000'

# Records of a trace as the published file, and such a file there and back.
expect 0 "$OCTRACE" compress --codec plain:stage=none --input mem -o mem.octc t.oct
expect 0 "$OCTRACE" decompress -o mem.vpc3 mem.octc
[ "$(head -c 4 mem.vpc3)" = vpc3 ] || die "not a vpc3 file"
[ "$(wc -c <mem.vpc3)" -eq $((4 + 12 * 2000)) ] || die "records are missing"
for kind in loads stores; do
  expect 0 "$OCTRACE" compress --codec vpc3 --input $kind -o k.octc t.oct
  expect 0 "$OCTRACE" decompress -o k.vpc3 k.octc
  [ "$(wc -c <k.vpc3)" -eq $((4 + 12 * 1000)) ] || die "not 1000 $kind"
done
expect 0 "$OCTRACE" compress --codec vpc3 mem.vpc3
expect 0 "$OCTRACE" decompress -o again.vpc3 mem.vpc3.octc
cmp mem.vpc3 again.vpc3
head -c 12000 mem.vpc3 >want.records
expect 0 "$OCTRACE" compress --codec 'vpc:spec=16: L1=1, L2=64: FCM1[2]' --input records \
  -o r.octc want.records
expect 0 "$OCTRACE" decompress -o got.records r.octc
cmp want.records got.records

# Records are recognised in a pipe, too, and what is none stays whole for its reader.
"$OCTRACE" compress --codec vpc3 -o p.octc - <mem.vpc3 2>err
expect 0 "$OCTRACE" decompress -o p.vpc3 p.octc
cmp mem.vpc3 p.vpc3
mkfifo pipe
for file in mem.vpc3 t.oct; do
  cat $file >pipe &
  expect 0 "$OCTRACE" compress --codec vpc3 -o $file.p pipe
  wait
done
expect 0 "$OCTRACE" decompress -o p.vpc3 mem.vpc3.p
cmp mem.vpc3 p.vpc3
expect 0 "$OCTRACE" decompress -o p.oct t.oct.p
as_text p.oct | cmp want -

# A part of the records.
expect 0 "$OCTRACE" compress --codec vpc3 --skip 10 --limit 100 -o part.octc mem.vpc3
expect 0 "$OCTRACE" decompress -o part.vpc3 part.octc
{ printf vpc3 && tail -c +125 mem.vpc3 | head -c 1200; } | cmp - part.vpc3

# Addresses for a codec that takes any records.
awk 'BEGIN { for (i = 0; i < 500; i++) printf "%c%c......", 65 + i % 7, 65 + i % 25 }' >addresses
for codec in sequitur bytesort plain:split=fields; do
  expect 0 "$OCTRACE" compress --codec $codec --input addresses -o a.octc addresses
  expect 0 "$OCTRACE" info a.octc
  contains out 'record_bytes *8'
  expect 0 "$OCTRACE" decompress -o a.back a.octc
  cmp addresses a.back
done
refuse 4 "$OCTRACE" compress --codec vpc3 --input addresses -o a.octc addresses

# With loss: addresses, of which octrace fidelity tells what they are good for; and a trace, of which
# the addresses of data alone are imitated. What a lossy codec gives back is only taken on request.
python3 -c "import random, struct, sys
random.seed(4)
addrs = [(i // 1000 % 3 + 1 << 24) + 64 * random.randrange(1000) for i in range(20000)]
open('exact', 'wb').write(struct.pack('<%dQ' % len(addrs), *addrs))"
expect 0 "$OCTRACE" compress --codec atc-lossy:interval=1000,threshold=500 --input addresses --stats \
  -o l.octc exact
contains err '^  intervals  *20$'
contains err '^  imitated  *95.00 %$'
refuse 4 "$OCTRACE" decompress -o lossy l.octc
contains err 'l.octc: codec atc-lossy is lossy: give --lossy to accept its result'
[ ! -e lossy ] || die "written nevertheless"
expect 0 "$OCTRACE" decompress --lossy -o lossy l.octc
[ "$(wc -c <lossy)" -eq 160000 ] || die "not as many addresses"
cmp -s exact lossy && die "nothing is lost"
expect 0 "$OCTRACE" fidelity --sets 2..64 --ways 4 exact lossy
expect 0 "$OCTRACE" info l.octc
contains out '^promise  *lossy$'
expect 0 "$OCTRACE" compress --codec atc-lossy:interval=100,threshold=2000 -o lt.octc - <t.oct
expect 0 "$OCTRACE" decompress --lossy --to text -o lossy.txt lt.octc
grep -v '^#' lossy.txt | sed 's/\([LS]\):[0-9a-f]*/\1/' >got
sed 's/\([LS]\):[0-9a-f]*/\1/' want | cmp - got
grep -v '^#' lossy.txt | cmp -s - want && die "nothing is lost"
refuse 2 "$OCTRACE" verify --against atc-lossy t.oct
contains err 'octrace fidelity'
refuse 2 "$OCTRACE" compress --codec atc-lossy:interval=0 -o l2.octc t.oct
refuse 4 "$OCTRACE" compress --codec atc-lossy --input mem -o l2.octc t.oct
[ ! -e l2.octc ] || die "l2.octc was written"

# What only the port's files have, and what is no codec.
refuse 4 "$OCTRACE" decompress --from-sync 1 -o x t.oct.octc
contains err 't.oct.octc: sync 1: expected 0 to 0'
expect 0 "$OCTRACE" decompress --gaps g -o x t.oct.octc
rm g x
refuse 2 "$OCTRACE" compress --codec VPC3 t.oct
contains err 'codec: expected one of vpc3|.*|plain|shadow, found .VPC3'

# The output is not the input.
cp mem.vpc3 same.vpc3
refuse 2 "$OCTRACE" compress --codec vpc3 -o same.vpc3 same.vpc3
refuse 2 "$OCTRACE" compress --codec plain --input records -o ./same.vpc3 same.vpc3
cmp mem.vpc3 same.vpc3

# The four streams apart, each a file that the second stage's own tool reads.
expect 0 "$OCTRACE" compress --codec vpc3:segment=1 --apart -o apart.octc mem.vpc3
for k in 1 2 3 4; do bzip2 -t "apart.octc.$k" 2>/dev/null || bzip2 -tv "apart.octc.$k"; done
[ "$(bzip2 -dc apart.octc.1 | wc -c)" -eq 2000 ] || die "not 2000 PC codes"
expect 0 "$OCTRACE" decompress -o again.vpc3 apart.octc
cmp mem.vpc3 again.vpc3
expect 0 "$OCTRACE" info apart.octc
expect 0 "$OCTRACE" compress --codec vpc3 --apart -o trace.octc t.oct
expect 0 "$OCTRACE" decompress --to text -o got trace.octc
grep -v '^#' got | cmp - want
rm apart.octc.3
refuse 4 "$OCTRACE" decompress -o again.vpc3 apart.octc
contains err 'apart.octc.3: '
refuse 2 "$OCTRACE" compress --codec vpc3 --apart -o - t.oct
# All files or none: none beside what is no regular file, and none when one of them fails.
mkdir parts
ln -s /dev/full parts/full
ln -s /dev/null parts/null
for out in parts/full parts/null; do
  refuse 2 "$OCTRACE" compress --codec vpc3 --apart -o $out t.oct
  contains err '--apart needs a regular file'
done
[ "$(ls parts | tr '\n' ' ')" = 'full null ' ] || die "parts beside a device: $(ls parts)"
rm parts/null
mv parts/full parts/a.3
refuse 4 "$OCTRACE" compress --codec vpc3 --apart -o parts/a t.oct
contains err 'parts/a.3: cannot write'
[ "$(ls parts)" = a.3 ] || die "left after a failure: $(ls parts)"
mkdir parts/b.3
refuse 4 "$OCTRACE" compress --codec vpc3 --apart -o parts/b t.oct
contains err '^octrace: parts/b.3: Is a directory$'
rm -r parts

expect 0 "$OCTRACE" verify --against vpc3 t.oct
contains out '4000 instructions and 2000 accesses equal, hash '
refuse 2 "$OCTRACE" verify --against vpc3 - <t.oct
contains err 'reads the trace twice, but standard input can be read only once'
mkfifo twice
refuse 2 "$OCTRACE" verify --against vpc3 twice
contains err 'reads the trace twice, but twice can be read only once'
rm twice
expect 0 "$OCTRACE" list codecs
contains out '^vpc3 '

# Whole traces by the codec shadow: the same file and trace whatever the threads, in one segment or in
# many; no records; a file of another version of the program map.
for items in 500 16777216; do
  for threads in 0 3; do
    expect 0 "$OCTRACE" compress --codec "shadow:items=$items" --jobs $threads -o "s$threads.octc" t.oct
  done
  cmp s0.octc s3.octc
  for threads in 0 1 3 64; do
    expect 0 "$OCTRACE" decompress --jobs $threads --to text -o got s0.octc
    grep -v '^#' got | cmp - want
  done
  expect 0 "$OCTRACE" verify --against "shadow:items=$items,machine=shadow-tiny" t.oct
done
refuse 2 "$OCTRACE" decompress --jobs 65 s0.octc
contains err "^octrace: decompress: --jobs: expected a number from 0 to 64, found '65'"
# ... with the bytes of the instructions, from which map entries follow; behind damage.
for trace in "$SAMPLES"/isa/*.oct*; do
  expect 0 "$OCTRACE" verify --against shadow:items=3000 "$trace"
done
expect 0 "$OCTRACE" compress --codec shadow:items=3000 -o cut.octc "$trace"
size=$(wc -c <cut.octc)
head -c $((size * 6 / 10)) cut.octc >damaged.octc
printf 'XXXX' >>damaged.octc
tail -c +$((size * 6 / 10 + 5)) cut.octc >>damaged.octc
rm -f part
status=0
"$OCTRACE" decompress --salvage --gaps gaps -o part damaged.octc 2>err || status=$?
[ "$status" -eq 3 ] || die "salvage ended with $status"
contains err 'lost [0-9]* instructions'
rm part gaps damaged.octc cut.octc
refuse 4 "$OCTRACE" compress --codec shadow mem.vpc3
contains err 'codec shadow takes whole traces, not records'
refuse 2 "$OCTRACE" compress --codec shadow:machine=none t.oct
contains err "machine: 'none': expected a geometry or name=value"
# All behind machine= is its own: an option of the codec there is told to stand before it.
refuse 2 "$OCTRACE" compress --codec shadow:machine=shadow,level=9 t.oct
contains err "machine: 'level': no such parameter; .* come before it"
expect 0 "$OCTRACE" compress --codec shadow:level=9,machine=shadow,vc_ways=2 -o last.octc t.oct
refuse 2 "$OCTRACE" compress --codec shadow:items=0 t.oct
# The largest segment that may be written can be read; more is refused.
expect 0 "$OCTRACE" compress --codec shadow:items=357826560 -o large.octc t.oct
expect 0 "$OCTRACE" decompress --to text -o got large.octc
grep -v '^#' got | cmp - want
refuse 2 "$OCTRACE" compress --codec shadow:items=357826561 -o none t.oct
contains err 'items: expected a number from 1 to 357826560'
rm large.octc
expect 0 "$OCTRACE" bench --codec shadow t.oct
contains out '^  shadow '
# A file of version 1, whose segments build on each other: it comes back; of a damaged one what stands
# before the damage.
"$OCTRACE" convert --to text --limit 400 "$CODEC_DATA/versions.oct" - | grep -v '^#' >want
expect 0 "$OCTRACE" decompress --to text -o old.txt "$CODEC_DATA/version-1.octc"
grep -v '^#' old.txt | cmp want -
rm old.txt
expect 0 "$OCTRACE" info "$CODEC_DATA/version-1.octc"
contains out '^instructions  *400$'
# One of version 2, whose blocks do not name those before them.
"$OCTRACE" convert --to text "$CODEC_DATA/versions.oct" - | grep -v '^#' >want
expect 0 "$OCTRACE" decompress --to text -o old.txt "$CODEC_DATA/version-2.octc"
grep -v '^#' old.txt | cmp want -
rm old.txt

# Bad input: one line that says what and where, and no file.
mkdir bad
cd bad || exit
cp ../mem.vpc3.octc whole.octc
size=$(wc -c <whole.octc)
head -c $((size - 5)) whole.octc >cut.octc
refuse 4 "$OCTRACE" decompress -o x cut.octc
contains err 'cut.octc: offset [0-9]*: .*: wrote the [0-9]* records before it; the rest is missing'
cmp ../mem.vpc3 x
rm x
refuse 4 "$OCTRACE" info cut.octc
printf 'vpc3123456789' >odd.vpc3
refuse 4 "$OCTRACE" compress --codec vpc3 odd.vpc3
contains err 'offset 13: '
refuse 4 "$OCTRACE" compress --codec vpc3 --input vpc3 whole.octc
refuse 4 "$OCTRACE" compress --codec vpc3 missing
refuse 4 "$OCTRACE" compress --codec vpc3 -o /dev/full ../mem.vpc3
contains err '^octrace: /dev/full: '
refuse 2 "$OCTRACE" compress --codec none ../t.oct
refuse 2 "$OCTRACE" compress --codec vpc3:level=77 ../t.oct
refuse 2 "$OCTRACE" compress --codec 'vpc:spec=64: L1=3' ../t.oct
contains err 'character 8: '
refuse 4 "$OCTRACE" compress --codec 'vpc:spec=16: L1=1, L2=64: FCM1[2]' ../t.oct
refuse 2 "$OCTRACE" verify --against vpc3 -
refuse 2 "$OCTRACE" verify --against none ../t.oct
refuse 2 "$OCTRACE" compress --codec vpc3 --input what ../t.oct
refuse 2 "$OCTRACE" compress --codec vpc3 --json -o - ../t.oct
only cut.octc odd.vpc3 whole.octc
