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
cmp elf "$DATA/mixed-arm.elf"
rm elf
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
