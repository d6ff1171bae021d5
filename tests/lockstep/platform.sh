#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# platform.sh - does the SystemC platform fail, in one line, on Verilog with a fault: the comparator
# with cycle, port and both values, the Verilog alone with what does not come back? And are wrong
# command lines refused?
. "$(dirname "$0")/../tools/lib.sh"

geometry=tiny,port_pins=31
trace=$SAMPLES/cjpeg.oct
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
platform() {
  rm -rf faulty
  expect 0 "$SOURCE/scripts/hw" plant --copy faulty --only "$1"
  "$SOURCE/sim/verilate" "$work/platform" "$BUILD" systemc "$work/faulty" oct_top "$geometry" \
    "$SOURCE/sim/systemc/oct_platform.cpp"
  expect 1 ./platform --limit 20000 "$trace"
  one_line "oct_platform: $trace: cycle [0-9]*, $2: model 0x[0-9a-f]*, rtl 0x[0-9a-f]*"
  expect 1 ./platform --limit 20000 --compressor rtl "$trace"
  one_line "oct_platform: $trace: $3"
  expect 0 ./platform --limit 20000 --compressor model "$trace"
}
platform 'lost numbers sent in the wrong order' atdata_o 'instruction [0-9]*: expected .*, decoded .*'
platform 'lost instructions not counted in the registers' prdata_o \
  'the registers tell of [0-9]* lost instructions, but [0-9]* are missing'
platform 'FIFO one word shorter' atvalid_o 'the compressor does not end its flush'

# Command lines, with the program of the last fault.
while IFS='|' read -r arguments text; do
  # shellcheck disable=SC2086 # several arguments
  expect 2 ./platform $arguments
  one_line "oct_platform: $text (see oct_platform --help)"
done <<END
|one trace is needed
a b|one trace is needed
--nonesuch a|unknown option '--nonesuch'
--limit= a|limit '' is not a number from 1
--limit|option '--limit' needs a value
--stall 1000 a|stall '1000' is not a number from 0 to 999
--seed x a|seed 'x' is not a number from 0
--compressor c a|unknown compressor 'c': expected model, rtl or both
--tracer raw a|this program is of the tracer paper
--tracer none a|this program is of the tracer paper
END
expect 4 ./platform nonesuch.oct
one_line 'oct_platform: nonesuch.oct: cannot open: No such file or directory'
printf 'zz\n' >'two
lines'
expect 4 ./platform 'two
lines'
one_line "oct_platform: two lines:1: expected a hexadecimal address, found 'zz' (octrace list formats lists those that can be read)"
expect 4 ./platform ''
one_line "oct_platform: '': cannot open: No such file or directory"
expect 0 ./platform --version
contains out '^oct_platform [0-9]'
expect 0 ./platform --help
contains out '^Usage: oct_platform'

code=0
./platform --limit 1000 --compressor model "$trace" >/dev/full 2>err || code=$?
[ $code -eq 4 ] || die "exit code $code on a full disk"
one_line 'oct_platform: standard output: cannot write: No space left on device'
code=0
./platform --limit 1000 --compressor model "$trace" >&- 2>err || code=$?
[ $code -eq 4 ] || die "exit code $code without standard output"
one_line 'oct_platform: standard output: cannot write: Bad file descriptor'

# The program that users call, at a geometry of theirs.
expect 2 "$BUILD/sim/oct_platform" --tracer raw "$trace"
one_line 'oct_platform: --tracer raw: it has no Verilog (see oct_platform --help)'
unset SYSTEMC_DISABLE_COPYRIGHT_MESSAGE # what it says is not among the lines of the program called so
expect 0 "$BUILD/sim/oct_platform" --limit 3000 -g "$geometry" "$trace"
contains err "oct_platform: building geometry $geometry"
contains out 'model and rtl equal; decoded from the pins: 3000 instructions equal\|decoded from the pins: '
! grep -q 'OSCI\|Copyright' out err || die "lines of SystemC"
expect 0 "$BUILD/sim/oct_platform" --geometry="$geometry" --limit 3000 "$trace"
! grep -q building err || die "built twice"
expect 2 "$BUILD/sim/oct_platform" -g nonesuch "$trace"
one_line "oct_platform: 'nonesuch': expected a geometry or name=value (see oct_platform --help)"
expect 2 "$BUILD/sim/oct_platform" "$trace" -g
one_line "oct_platform: option '-g' needs a value (see oct_platform --help)"
