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
# A pipe is read once, whatever file has the name -.
: >-
cat t.txt | expect 3 "$OCTRACE" verify -g paper,port_pins=1 -
contains out '^standard input: for advice how to lose nothing, keep the trace (octrace convert - FILE.oct), and verify that file$'
rm ./-

# advised: what is printed on how nothing would be lost does so, as a command of the cycle engine.
advised() {
  grep '^    octrace ' out >commands
  [ "$(wc -l <commands)" -ge "$1" ] || die "too few commands: $(cat out)"
  ! grep -e 'untimed' commands || die 'the untimed engine has no port'
  while read -r _ command; do
    eval "expect 0 \"\$OCTRACE\" $command"
  done <commands
}

# What loses events is told how it would not, as commands that do.
expect 3 "$OCTRACE" verify -g paper,port_pins=8 --limit 20000 "$SAMPLES/cjpeg.oct"
contains err '^octrace: .*: cycle: .* lost in '
contains out 'cjpeg.oct: nothing would be lost with$'
contains out '^  [0-9]* pins and a pipelined machine:$'
contains out '^  the tracer shadow, [0-9]* pins'
contains out "^    octrace verify --limit 20000 --tracer shadow -g port_pins=.*/cjpeg.oct$"
advised 2
# Advice to take another tracer keeps what the user asks of the trace.
expect 3 "$OCTRACE" verify --engine cycle -g paper,port_pins=8,traps=1,timestamp=1,time_period_insns=100,filters=2 --limit 20000 "$SAMPLES/cjpeg.oct"
contains out '^    octrace verify .*--tracer shadow -g port_pins=[0-9]*\(,[a-z_]*=[0-9]*\)*,traps=1,timestamp=1,time_period_insns=100,filters=2 .*/cjpeg.oct$'
advised 2
# So does it for numbers of tasks that another tracer by itself has no room for.
awk 'BEGIN { srand(7); for (i = 0; i < 300; i++) printf "%x/4 L4:%x T:70000\n", 4 * int(rand() * 2 ^ 28), int(rand() * 2 ^ 31) }' >tasks.txt
expect 3 "$OCTRACE" verify --engine cycle -g paper,task_bits=17 tasks.txt
[ "$(wc -l <err)" -eq 1 ] || die "more than the loss: $(cat err)"
contains out '^    octrace verify .*--tracer shadow -g port_pins=[0-9]*\(,[a-z_]*=[0-9]*\)*,task_bits=17 .*tasks.txt$'
advised 1
expect 3 "$OCTRACE" verify --stall=100 --seed 3 --arr full --depths --limit 20000 "$SAMPLES/cjpeg.oct"
contains out "^    octrace verify --stall=100 --seed 3 --arr full --depths --limit 20000 --tracer shadow -g port_pins=.*/cjpeg.oct$"
contains out "^.*cjpeg.oct: cycle: \(would suffice\|not even these would suffice\): stream buffer [1-9]"
expect 0 "$OCTRACE" verify --depths --arrival cpi=8 --limit 3000 "$SAMPLES/cjpeg.oct"
contains out '^.*cjpeg.oct: cycle: would suffice: stream buffer [0-9]*, data buffer [0-9]*, output buffer [0-9]*$'
# The commands do for any name of the trace, and name that trace alone.
for name in "a b'c" '-dash %s' '$(x)[y]{1,2}!'; do
  cp "$SAMPLES/cjpeg.oct" "./$name"
  expect 3 "$OCTRACE" verify --engine cycle -g paper,port_pins=8 --limit 5000 -- "$name"
  advised 3
  rm "./$name"
done
expect 3 "$OCTRACE" verify --engine cycle --limit 2000 -g port_pins=1 t.txt "$SAMPLES/cjpeg.oct"
! grep '^    .*t.txt .*cjpeg' out || die 'two traces in one command'
# Without the options of the machine, however they are abbreviated.
for options in '--st 5' '--ar cpi=1' '--ar=cpi=1 --se=2' '--d --en both' '--t paper --g paper'; do
  # shellcheck disable=SC2086 # options
  expect 3 "$OCTRACE" verify $options -g port_pins=8 --limit 20000 "$SAMPLES/cjpeg.oct"
  contains out '^    octrace .*--tracer shadow -g '
  advised 2
done
# All buffers are enlarged: 40 accesses of an instruction need room in gather, which counts them
# apart.
awk 'BEGIN {
  for (i = 0; i < 300; i++) {
    printf "8000/4"
    for (k = 0; k < 40; k++) printf " L4:%x", 65536 + 4096 * i + 4 * k
    for (k = 1; k < 2000; k++) printf "\n%x/4", 32768 + 4 * k
    print ""
  }
}' >many.txt
expect 3 "$OCTRACE" verify --tracer shadow --engine cycle many.txt
contains out 'gather_accesses=1024'
advised 1
# What loses later than in the part that is looked at first is tried to the end.
awk 'BEGIN {
  for (i = 0; i < 210000; i++) printf "%x/4\n", 32768 + 4 * (i % 100)
  for (i = 0; i < 3000; i++)
    printf "%x/4%s\n", 32768 + 4 * (i % 100), i % 100 % 8 ? "" : sprintf(" L4:%x", 7919 * i * i % 1048576)
}' >late.txt
expect 3 "$OCTRACE" verify --engine cycle --tracer paper --limit 213000 -g paper,port_pins=1 late.txt
contains out '^    octrace verify --engine cycle --tracer paper --limit 213000 -g paper,port_pins=1 -g port_pins='
advised 2
# Slower cores are looked at where the trace does not say when instructions retire, and only those
# are told that are slower.
expect 3 "$OCTRACE" verify --engine cycle --arrival cpi=1 -g paper,port_pins=8 --limit 20000 "$SAMPLES/cjpeg.oct"
contains out '^  a slower core, of [0-9.]* cycles an instruction:$'
expect 3 "$OCTRACE" verify --engine cycle --arrival cpi=3 -g paper,port_pins=4 --limit 5000 "$SAMPLES/cjpeg.oct"
contains out '^  a slower core, of \(4\|6\|8\|12\|16\) cycles an instruction:$'
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "8000 @%d\n8004 L:%x\n8008 S:%x\n", 3 * i, 7919 * i * i % 1048576, 104729 * i % 1048576 }' >stamped.txt
expect 3 "$OCTRACE" verify --engine cycle --arrival stamps -g paper,port_pins=1,data_fifo_depth=8,stream_fifo_depth=2 stamped.txt
! grep core out || die 'a core where the trace says when instructions retire'
expect 3 "$OCTRACE" verify --json -g small,port_pins=1 --limit 2000 "$SAMPLES/cjpeg.oct"
python3 -c 'import json, sys; assert len(json.load(open("out"))) == 2'

"$OCTRACE" compress -o t.octp t.txt 2>err
expect 0 "$OCTRACE" verify --container t.octp t.txt
refuse 2 "$OCTRACE" verify --container t.octp -g small t.txt
refuse 2 "$OCTRACE" verify --container t.octp --tracer raw t.txt
contains err 'container has its own tracer and parameters'

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

# More traps ahead of the first instruction than the circuit keeps: the first mark, which comes
# before the loss, does not tell the privilege behind it.
awk 'BEGIN { for (i = 0; i < 12; i++) print "!interrupt 1 P:3"; print "8000" }' >lost.txt
expect 3 "$OCTRACE" verify --isa arm --engine cycle --tracer shadow -g shadow,traps=1 lost.txt
contains err ' 1 instruction equal, 0 instructions, 0 accesses and 12 traps lost in 1 gap$'
expect 3 "$OCTRACE" verify --json --isa arm --engine cycle --tracer shadow -g shadow,traps=1 lost.txt
[ "$(grep -c '"lost_traps": 12' out)" -eq 2 ] || die "traps lost in JSON: $(grep lost_traps out)"

for sample in "$SAMPLES"/*.oct*; do
  expect 0 "$OCTRACE" verify --engine untimed --limit 20000 "$sample"
done
