#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compress.sh - octrace compress: default name, both engines, report, JSON, options.
. "$(dirname "$0")/lib.sh"

tiny_trace 1000 >t.txt
expect 0 "$OCTRACE" compress t.txt
[ -s t.txt.octp ] || die "no t.txt.octp"
contains err 'port accounting'
contains err 'paper accounting'
[ ! -s out ] || die "something on standard output"

expect 0 "$OCTRACE" compress --json --engine untimed -o a.octp t.txt
contains out '"instructions": 4000'
contains out '"port_bits_per_instruction"'
expect 0 "$OCTRACE" compress --json --engine cycle --arrival cpi=20 -o b.octp t.txt
contains out '"cycles"'
contains out '"high_water"'

expect 0 "$OCTRACE" compress --json --limit 100 --skip 50 -o c.octp t.txt
contains out '"instructions": 100'
expect 0 "$OCTRACE" compress --json -g small,port_pins=4 -o d.octp t.txt
contains out '"port_pins": 4'

# The same seed stalls the same cycles.
for i in 1 2; do
  "$OCTRACE" compress --engine cycle --arrival cpi=20 --stall 300 --seed 7 -o "s$i.octp" t.txt 2>err ||
    [ $? -eq 3 ]
done
cmp s1.octp s2.octp

for sample in "$SAMPLES"/*.oct*; do
  expect 0 "$OCTRACE" compress --limit 20000 -o sample.octp "$sample"
done
