#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# differ.sh - does octrace-lockstep stop at a fault of the Verilog, say in one line where, and leave a
# waveform of the cycles before it?
. "$(dirname "$0")/../tools/lib.sh"

geometry=tiny,port_pins=31
fault='trace port fills up with ones at the end'
trace=$SAMPLES/cjpeg.oct
where='cycle [0-9]*, port_data_o: model 0x[0-9a-f]*, rtl 0x[0-9a-f]*'
lockstep() {
  "$BUILD/sim/octrace-lockstep" --rtl "$work/bad" -g "$geometry" --stall 100 --limit 20000 "$@"
}
# recorded FILE: it has the 200 cycles up to the difference that err tells of, and is the only one.
recorded() {
  python3 - "$1" "$(sed 's/.*, cycle \([0-9]*\),.*/\1/' err)" <<'END'
import struct, sys
with open(sys.argv[1], "rb") as file:
    kind, length, start, end = struct.unpack(">BQQQ", file.read(25))
cycle = int(sys.argv[2])
wanted = 10 * (cycle - 200), 10 * cycle
sys.exit(None if (start, end) == wanted else f"FAIL: waveform from {start} to {end}, not {wanted}")
END
  rm "$1"
  ! ls ./*.fst* 2>/dev/null || die "more than one waveform"
}

expect 0 "$SOURCE/scripts/hw" plant --copy bad --only "$fault"
expect 2 "$SOURCE/scripts/hw" plant --copy bad --only "$fault"
one_line 'hw plant: --copy bad: it is there already (see --help)'

# A trace, ahead of another that differs too; random stimulus; the file where --wave says.
expect 1 lockstep --limit 1000 "$trace"
contains err "building geometry $geometry"
rm ./*.fst
expect 1 lockstep "$trace"
one_line "octrace-lockstep: $trace: seed 1, $where; waveform in octrace-lockstep-$geometry-cjpeg-1.fst"
recorded "octrace-lockstep-$geometry-cjpeg-1.fst"
expect 1 lockstep --seed 7 --wave w.fst "$trace" "$SAMPLES/sha1.oct"
[ "$(wc -l <err)" -eq 2 ] || die "not a line for each trace"
contains err "^octrace-lockstep: $SAMPLES/sha1.oct: seed 7, $where\$"
sed -i 1q err
one_line "octrace-lockstep: $trace: seed 7, $where; waveform in w.fst"
recorded w.fst
expect 1 lockstep --random 100000 --seed 3
one_line "octrace-lockstep $geometry: seed 3, $where; waveform in octrace-lockstep-$geometry-random-3.fst"
recorded "octrace-lockstep-$geometry-random-3.fst"
cp err random
expect 1 lockstep --random 100000 --seed 3 --wave w.fst
sed 's/[^ ]*\.fst/w.fst/' random | cmp - err || die "not the same difference again"
recorded w.fst

# A geometry and a trace whose names together are longer than a file's name may be.
short=$geometry
geometry=$geometry$(printf ',sc_sets=4%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25)
long=$(printf 'long_name%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25)
cp "$trace" "$long.oct"
expect 1 lockstep "$long.oct"
wave=$(ls ./octrace-lockstep-"$short"*.fst)
contains err "; waveform in ${wave#./}\$"
sed -i '/building geometry/d' err
echo "$wave" | grep -qE "^./octrace-lockstep-${short}[a-z0-9_=,]*-[0-9a-f]{8}-long_name[a-z_]*-[0-9a-f]{8}-1.fst$" || die "$wave"
recorded "$wave"
rm "$long.oct"
geometry=$short

# Where nothing can be recorded, the difference is told all the same.
expect 1 lockstep - <"$trace"
one_line "octrace-lockstep: standard input: seed 1, $where; no waveform in octrace-lockstep-$geometry---1.fst: standard input cannot be read again"
mkdir w.fst
expect 2 lockstep --wave w.fst "$trace"
one_line 'octrace-lockstep: --wave w.fst: Is a directory (see octrace-lockstep --help)'
rmdir w.fst
cp "$trace" copy.oct
expect 2 lockstep --wave copy.oct copy.oct
one_line 'octrace-lockstep: --wave copy.oct: that is a trace (see octrace-lockstep --help)'
cmp copy.oct "$trace" || die "a trace overwritten"
