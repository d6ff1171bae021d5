#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# same-file.sh - an output that is the input, by whatever name, is refused and left as it was.
. "$(dirname "$0")/lib.sh"

tiny_trace 100 >t
"$OCTRACE" compress -o t.octp t 2>err
cp t want
cp t.octp want.octp
ln t hard
ln -s t soft
ln -s t.octp soft.octp

for name in t hard soft ./t "$PWD/t"; do
  refuse 2 "$OCTRACE" convert t "$name"
  refuse 2 "$OCTRACE" convert --to da32 "$name" t
  refuse 2 "$OCTRACE" compress -o "$name" t
  contains err "input and output are the same file"
done
# The name that compress makes up.
ln -s t t2.octp
ln t t2
refuse 2 "$OCTRACE" compress t2
contains err 't2.octp'
rm t2 t2.octp
for name in t.octp soft.octp; do
  refuse 2 "$OCTRACE" decompress -o "$name" t.octp
  refuse 2 "$OCTRACE" decompress -o "$name" - <t.octp
done
# The program's file is an input too.
cp "$DATA/mixed-arm.elf" elf
refuse 2 "$OCTRACE" convert --elf elf t elf
refuse 2 "$OCTRACE" compress --elf ./elf@0x1000 -o elf t
contains err "elf: input and output are the same file"
refuse 2 "$OCTRACE" report --elf elf --html elf t
refuse 2 "$OCTRACE" bench --elf elf --csv elf t
refuse 2 "$OCTRACE" sweep --elf elf -o elf t
refuse 2 "$OCTRACE" sweep --elf elf --journal elf t
cmp elf "$DATA/mixed-arm.elf"
rm elf
# So is a sweep's plan, and the tables and pages are outputs.
printf '[a]\nsc_sets=1,2\n' >plan
cp plan plan.want
refuse 2 "$OCTRACE" sweep --plan plan -o plan t
refuse 2 "$OCTRACE" sweep --plan plan --journal ./plan t
cmp plan plan.want
rm plan plan.want
refuse 2 "$OCTRACE" sweep -o x.svg --plot x.svg t
# Two outputs in one place, whatever it is called, before and after there is a file.
for turn in new old link; do
  [ $turn != old ] || echo old >x.svg
  [ $turn != link ] || ln -s x.svg y.svg
  other=./x.svg
  [ $turn != link ] || other=y.svg
  for outputs in "-o x.svg --plot $other" "-o $other --journal x.svg" "--journal x.svg --plot $other" \
    "-o $other --plot $PWD/x.svg"; do
    # shellcheck disable=SC2086 # options
    refuse 2 "$OCTRACE" sweep $outputs t
    contains err 'are the same file'
  done
  refuse 2 "$OCTRACE" decompress --gaps x.svg -o $other t.octp
  contains err 'the trace and --gaps are the same file'
  [ $turn = new ] || [ "$(cat x.svg)" = old ] || die "an output was written"
done
rm x.svg y.svg
refuse 2 "$OCTRACE" decompress --gaps - t.octp
refuse 2 sh -c '"$1" decompress --gaps both t.octp >both' sh "$OCTRACE"
rm both
refuse 2 "$OCTRACE" bench --csv hard t
refuse 2 "$OCTRACE" bench --tracers --csv t t
refuse 2 "$OCTRACE" report --html soft t
refuse 2 "$OCTRACE" report --html - t
# Event traces and what is made of them.
printf '1 a enter f\n2 a leave f\n' >e
"$OCTRACE" events compress e -o e.octev >/dev/null
refuse 2 "$OCTRACE" events compress e -o e
refuse 2 "$OCTRACE" events convert ./e -o e
refuse 2 "$OCTRACE" events decompress e.octev -o e.octev
refuse 2 "$OCTRACE" events patterns --html e.octev e.octev
[ "$(wc -l <e)" -eq 2 ] || die "an event trace was replaced"
rm e e.octev
# Streams apart have names of their own.
cp t x.2
refuse 4 "$OCTRACE" compress --codec plain --apart -o x x.2
cmp t x.2
rm x.2
"$OCTRACE" compress --codec plain --apart -o x t 2>err
cp x.2 want.2
refuse 2 "$OCTRACE" decompress -o x.2 x
cmp x.2 want.2
rm x x.* want.2
# A redirection has emptied the output by the time octrace runs; appending to the input never ends.
refuse 2 sh -c '"$1" convert t - >>t' sh "$OCTRACE"
contains err "standard output"
refuse 2 sh -c '"$1" decompress t.octp >>t.octp' sh "$OCTRACE"
cmp t want
cmp t.octp want.octp
only hard soft soft.octp t t.octp want want.octp

# Neither files: allowed.
"$OCTRACE" convert --to text --from text - - </dev/null >/dev/null
expect 0 "$OCTRACE" convert t /dev/null
