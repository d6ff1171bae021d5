# SPDX-License-Identifier: Apache-2.0
# compressed-inputs.sh - is a compressed file a trace for every command that takes one?
. "$(dirname "$0")/lib.sh"

"$OCTRACE" convert --limit 20000 "$SAMPLES/threads.oct" t.oct
"$OCTRACE" convert --to text t.oct t.txt
"$OCTRACE" convert --to text --skip 5000 --limit 100 t.oct part.txt
"$OCTRACE" compress --tracer paper -g sync_period_insns=4096 -o paper.octp t.oct >out
"$OCTRACE" compress --tracer shadow -o shadow.octp t.oct >out
"$OCTRACE" compress --codec vpc3 -o vpc3.octc t.oct >out
"$OCTRACE" compress --codec shadow -o shadow.octc t.oct >out
for file in paper.octp shadow.octp vpc3.octc shadow.octc; do
  # The same instructions, from a file, a pipe and a packed pipe, and any part of them.
  "$OCTRACE" convert --to text "$file" back.txt
  cmp back.txt t.txt
  "$OCTRACE" convert --to text - - <"$file" | cmp - t.txt
  xz -0 <"$file" | "$OCTRACE" convert --to text - - | cmp - t.txt
  "$OCTRACE" convert --to text --skip 5000 --limit 100 "$file" - | cmp - part.txt
  # With the program map: what is compressed again is the same.
  "$OCTRACE" compress --tracer shadow -o again.octp "$file" >out
  cmp again.octp shadow.octp || {
    "$OCTRACE" convert --to text again.octp again.txt
    cmp again.txt t.txt
  }
  "$OCTRACE" sweep --tracer paper -g paper --json "$file" >out
  contains out '"instructions":20000'
  # Damage is an error, and with --salvage what is whole is kept.
  size=$(wc -c <"$file")
  head -c $((size / 2)) "$file" >cut
  refuse 4 "$OCTRACE" convert --to text cut cut.txt
  [ ! -e cut.txt ] || die "$file: half of it became a trace"
done
# From a later sync on.
"$OCTRACE" decompress --from-sync 2 --to text -o from.txt paper.octp
"$OCTRACE" convert --from octp:from_sync=2 --to text paper.octp also.txt
cmp from.txt also.txt
"$OCTRACE" convert --from-sync 2 --to text paper.octp also.txt
cmp from.txt also.txt
# What is missing is listed as decompress lists it, and instructions are numbered alike.
"$OCTRACE" convert --limit 300000 "$SAMPLES/blowfish.oct" b.oct
for tracer in paper shadow; do
  "$OCTRACE" compress --tracer $tracer -o good.octp b.oct >out
  for at in 3 5 8; do
    cp good.octp bad.octp
    printf '\000\377\252' | dd of=bad.octp bs=1 seek=$(($(wc -c <good.octp) * at / 10)) conv=notrunc 2>err
    "$OCTRACE" decompress --salvage --gaps want.csv --to text -o want.txt bad.octp 2>err || [ $? -ge 3 ]
    "$OCTRACE" convert --salvage --gaps got.csv --to text bad.octp got.txt 2>err || [ $? -ge 3 ]
    [ "$(wc -l <want.csv)" -gt 1 ] || die 'no gap is listed'
    cmp want.csv got.csv
    if [ -e want.txt ]; then cmp want.txt got.txt; else [ ! -e got.txt ]; fi
    rm -f want.txt got.txt
  done
done
refuse 4 "$OCTRACE" convert --from octp:from_sync=x --to text paper.octp x.txt
contains err 'expected from_sync=N'
