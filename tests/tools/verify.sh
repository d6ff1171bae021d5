#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# verify.sh - octrace verify: equal is equal, and each kind of difference is found.
. "$(dirname "$0")/lib.sh"

tiny_trace 1000 >t.txt
expect 0 "$OCTRACE" verify --engine untimed t.txt
contains out '4000 instructions and 2000 accesses equal'
expect 0 "$OCTRACE" verify --arrival cpi=40 t.txt
[ "$(wc -l <out)" -eq 2 ] || die "not both engines"
expect 0 "$OCTRACE" verify --engine untimed --json t.txt
contains out '"equal": true'
expect 0 "$OCTRACE" verify --engine untimed - <t.txt
# Both engines in one pass, so that a pipe will do.
cat t.txt | expect 0 "$OCTRACE" verify --arrival cpi=40 -
contains out '^standard input: untimed: 4000 instructions and 2000 accesses equal$'
contains out '^standard input: cycle: 4000 instructions and 2000 accesses equal$'

# What loses events is told how it would not, as commands that do.
expect 3 "$OCTRACE" verify -g paper,port_pins=8 --limit 20000 "$SAMPLES/cjpeg.oct"
contains err '^octrace: .*: cycle: .* lost in '
contains out ' instructions nothing would be lost with$'
contains out '^  [0-9]* pins and a pipelined machine:$'
contains out '^the tracer shadow sends fewer bits: 0\.[0-9]* an instruction, paper [1-9]\.[0-9]*$'
contains out "^    octrace verify --limit 20000 .*/cjpeg.oct --tracer shadow --engine untimed$"
grep '^    octrace ' out >commands
[ "$(wc -l <commands)" -ge 2 ] || die "too few commands: $(cat out)"
while read -r _ command; do
  eval "expect 0 \"\$OCTRACE\" $command"
done <commands
# What only a cycle engine takes is not kept for another tracer.
expect 3 "$OCTRACE" verify --stall=100 --seed 3 --arr full --depths --limit 20000 "$SAMPLES/cjpeg.oct"
contains out "^    octrace verify --limit 20000 .*/cjpeg.oct --tracer shadow --engine untimed$"
expect 3 "$OCTRACE" verify --json -g small,port_pins=1 --limit 2000 "$SAMPLES/cjpeg.oct"
python3 -c 'import json, sys; assert len(json.load(open("out"))) == 2'

"$OCTRACE" compress -o t.octp t.txt 2>err
expect 0 "$OCTRACE" verify --container t.octp t.txt
refuse 2 "$OCTRACE" verify --container t.octp -g small t.txt
refuse 2 "$OCTRACE" verify --container t.octp --tracer raw t.txt
contains err 'container says tracer and parameters itself'

# differs SCRIPT TEXT: a trace changed by the sed script differs, at the place named by TEXT.
differs() {
  sed "$1" t.txt >changed.txt
  refuse 1 "$OCTRACE" verify --container t.octp changed.txt
  contains err "$2"
}
differs '5s/8000/9000/' 'instruction 4: expected 0x9000'
differs '2002s/L/S/' 'instruction 2001 .*access 0: expected store'
differs '2002s/:17d0/:17d4/' 'instruction 2001 .*access 0: expected load'
differs '2002s/ L.*//' 'instruction 2001 .*expected 0 accesses, decoded 1'
differs '$d' 'instruction 3999: expected the end'
differs '$p' 'instruction 4000: expected 0x800c'

# Loads and stores in turn, as those of `rep movs`, up to more accesses than the map can count.
awk 'BEGIN {
  for (i = 0; i < 300; i++) {
    printf "8000/2"
    for (k = 0; k < i; k++) printf " %s:%x", k % 2 ? "S4" : "L4", (k % 2 ? 65536 : 4096) + 4 * int(k / 2)
    printf "\n8002\n"
  }
}' >movs.txt
expect 0 "$OCTRACE" verify --engine untimed movs.txt
expect 0 "$OCTRACE" verify --engine untimed -g paper,dasc_entries=64,dasc_ways=4 movs.txt
# Half of a burst waits, as the DASC takes two cycles: more than twice the buffer overflows.
expect 0 "$OCTRACE" verify -g paper,data_fifo_depth=64 --arrival cpi=400 --limit 250 movs.txt
refuse 3 "$OCTRACE" verify -g paper,data_fifo_depth=64 --engine cycle --arrival cpi=400 movs.txt

for sample in "$SAMPLES"/*.oct*; do
  expect 0 "$OCTRACE" verify --engine untimed --limit 20000 "$sample"
done
