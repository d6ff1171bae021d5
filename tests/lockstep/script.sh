#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# script.sh - does octrace-lockstep build what it is asked for, once, and record what it is asked to?
. "$(dirname "$0")/../tools/lib.sh"

geometry=tiny,port_pins=2
program=$BUILD/sim/lockstep-cache/tiny_port_pins=2-fast
lockstep() {
  "$BUILD/sim/octrace-lockstep" -g "$geometry" "$@"
}

# A program older than the sources is built anew, one that is not is taken.
mkdir -p "$BUILD/sim/lockstep-cache"
printf '#!/bin/sh\nexit 9\n' >"$program"
chmod +x "$program"
touch -d 2000-01-01 "$program"
expect 0 lockstep --random 1000 --seed 5
contains err "building geometry $geometry"
contains out "seed 5, 1000 cycles equal"
expect 0 lockstep --stall 100 --limit 2000 "$SAMPLES/cjpeg.oct"
[ ! -s err ] || die "built twice"
contains out 'cycles equal; decoded from the pins: [0-9]* instructions equal'
expect 4 lockstep nonesuch.oct
contains err nonesuch.oct

# Wrong command lines; --wave is refused where nothing would be recorded.
expect 2 "$BUILD/sim/octrace-lockstep" -g nonesuch --random 1000
contains err "'nonesuch'"
expect 2 lockstep
expect 2 lockstep --random 1000 -g paper
for option in -g --geometry --coverage; do
  expect 2 "$BUILD/sim/octrace-lockstep" "$option"
  [ "$(cat err)" = "octrace-lockstep: $option: expected a value" ] || die "$option: $(cat err)"
done
expect 2 "$program" --wave w.fst --random 1000
contains err 'built without waveforms'

expect 0 lockstep --random 1000 --wave w.fst
[ "$(wc -c <w.fst)" -gt 1000 ] || die "no waveform of random stimulus"
expect 0 lockstep --wave t.fst --wave-from 500 --limit 1000 "$SAMPLES/cjpeg.oct"
[ "$(wc -c <t.fst)" -gt 1000 ] || die "no waveform of a trace"
expect 2 lockstep --wave both.fst --random 1000 "$SAMPLES/cjpeg.oct"
[ ! -e both.fst ] || die "a waveform of two runs"
expect 2 lockstep --wave no/such/folder.fst --random 1000

expect 0 "$BUILD/sim/octrace-lockstep" --coverage c.dat -g "$geometry" --random 1000
grep -q "^C '" c.dat || die "no coverage"
expect 2 "$BUILD/sim/octrace-lockstep" --coverage no/such/c.dat -g "$geometry" --random 1000
[ "$(cat err)" = "octrace-lockstep: --coverage no/such/c.dat: cannot be written" ] || die "$(cat err)"
