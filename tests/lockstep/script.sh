#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# script.sh - does octrace-lockstep build what it is asked for, once, and record what it is asked to?
. "$(dirname "$0")/../tools/lib.sh"

geometry=tiny,port_pins=2
program=$BUILD/sim/lockstep-cache/paper-tiny_port_pins=2-fast
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
[ ! -s out ] || die "a speed over no cycle: $(cat out)"

printf 'zz\n' >'two
lines'
expect 4 lockstep 'two
lines'
one_line "octrace-lockstep: two lines:1: expected a hexadecimal address, found 'zz' (octrace list formats lists those that can be read)"
rm 'two
lines'

# A geometry whose text is longer than a file's name may be.
long=$geometry$(printf ',sc_sets=4%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27)
expect 0 "$BUILD/sim/octrace-lockstep" -g "$long" --random 1000
contains out '1000 cycles equal'
[ -x "$(echo "$BUILD/sim/lockstep-cache/paper-tiny_port_pins=2_sc_sets=4_"*)" ] || die "$(ls "$BUILD/sim/lockstep-cache")"

# Options in any order, values that look like options, and what comes after `--`.
expect 0 "$BUILD/sim/octrace-lockstep" --random 1000 --seed 6 -g "$geometry"
contains out "$geometry: seed 6, 1000 cycles equal"
expect 0 "$BUILD/sim/octrace-lockstep" "$SAMPLES/cjpeg.oct" --limit 2000 --geometry="$geometry" --seed=9
contains out "$geometry: seed 9"
expect 4 lockstep --limit 5 -- -g
one_line "octrace-lockstep: -g: cannot open: No such file or directory"
expect 0 "$BUILD/sim/octrace-lockstep" --nonesuch --help
contains out '^Usage: octrace-lockstep'

# Wrong command lines.
wrong() {
  text=$1
  shift
  expect 2 "$BUILD/sim/octrace-lockstep" "$@"
  [ ! -s out ] || die "output with: $*"
  one_line "octrace-lockstep: $text (see octrace-lockstep --help)"
}
wrong 'a trace or --random is needed' -g "$geometry"
wrong "'nonesuch': expected a geometry or name=value" --random 1000 -g nonesuch
wrong 'sc_ways=3: expected a power of two' --random 1000 -gpaper,sc_ways=3
wrong 'addr_bits=34: expected 32 because 16 regs mean A32 and RISC_V has 32 regs' --tracer shadow --random 1000 -g shadow,addr_bits=34
wrong '--tracer raw: it has no Verilog' --tracer raw --random 1000
wrong '--rtl coverage: there is no paper/oct_top.v' --rtl coverage --random 1000
for option in -g --geometry --coverage --rtl --tracer; do
  wrong "option '$option' needs a value" "$option"
done
ln -s nothing nowhere
mkfifo pipe
: >t.oct
while IFS='|' read -r arguments text; do
  # shellcheck disable=SC2086 # several arguments
  wrong "$text" $arguments -g "$geometry"
done <<END
--nonesuch|unknown option '--nonesuch'
-x x.oct|unknown option '-x'
--limit abc x.oct|limit 'abc' is not a number from 1
--limit 0 x.oct|limit '0' is not a number from 1
--limit 99999999999999999999 x.oct|limit '99999999999999999999' is not a number from 1
--limit= x.oct|limit '' is not a number from 1
--seed -1 x.oct|seed '-1' is not a number from 0
--stall 1000 x.oct|stall '1000' is not a number from 0 to 999
--random 1e6|random '1e6' is not a number from 1
--arrival soon x.oct|unknown arrival 'soon': expected full, cpi=X or stamps
--arrival cpi=0 x.oct|cycles per instruction '0': expected a number from 1 to 1000
--wave-from x --wave w.fst x.oct|wave-from 'x' is not a number from 0
--wave-from 5 x.oct|--wave-from needs --wave
--wave w.fst --wave-from 5 x.oct y.oct|--wave-from records one run: give one trace, or --random alone
--wave w.fst --wave-from 5 --random 9 x.oct|--wave-from records one run: give one trace, or --random alone
--wave no/such/folder.fst x.oct|--wave no/such/folder.fst: No such file or directory
--wave w.vcd x.oct|--wave w.vcd: the format is FST: expected a name in .fst
--wave pipe x.oct|--wave pipe: expected a regular file
--wave . x.oct|--wave .: Is a directory
--wave nowhere x.oct|--wave nowhere: a link that leads nowhere
--wave= x.oct|--wave: expected a file name
--coverage= x.oct|--coverage: expected a file name
--coverage pipe x.oct|--coverage pipe: expected a regular file
--coverage . x.oct|--coverage .: expected a regular file
--coverage nowhere x.oct|--coverage nowhere: a link that leads nowhere
--coverage t.oct ./t.oct|--coverage t.oct: that is a trace
--wave w.fst --coverage c.dat x.oct|--wave and --coverage do not go together
END
rm nowhere pipe t.oct
wrong "option '--limit' needs a value" -g "$geometry" x.oct --limit
only
expect 0 lockstep --version
contains out '^octrace-lockstep [0-9]'

# What cannot be written is told, once; a reader that goes away ends all quietly.
full() {
  code=0
  lockstep "$@" >/dev/full 2>err || code=$?
  [ $code -eq 4 ] && [ "$(wc -l <err)" -eq 1 ] || die "exit code $code on a full disk: $(cat err)"
  contains err 'No space left on device$'
}
full --random 1000
one_line 'octrace-lockstep: standard output: cannot write: No space left on device'
full --help
full --version
{ lockstep --help 2>err || echo $? >code; } | true
[ ! -s err ] || die "said when the reader went away: $(cat err)"

(ulimit -f 16 && expect 4 lockstep --random 20000 --wave w.fst --wave-from 0) || die "a waveform without room"
one_line 'octrace-lockstep: w.fst: cannot write: no room is left for the waveform'
[ ! -e w.fst.hier ] || die "left w.fst.hier"
rm -f w.fst

# A standard stream that is closed is no other file's.
for closed in '<&-' '2>&-' '<&- 2>&-'; do
  rm -f w.fst
  eval "lockstep --random 500 --wave w.fst --wave-from 0 >out $closed" || die "exit code $?: $closed"
  contains out '500 cycles equal'
  [ "$(head -c 1 w.fst | od -An -tx1)" = ' 00' ] || die "no waveform: $closed"
done
code=0
lockstep --random 500 --wave w.fst --wave-from 0 >&- 2>err || code=$?
[ $code -eq 4 ] || die "exit code $code without standard output"
one_line 'octrace-lockstep: standard output: cannot write: Bad file descriptor'
rm -f w.fst code
printf '8000\n' >one.txt
expect 0 lockstep one.txt
contains out '^one.txt: [0-9]* cycles equal; decoded from the pins: 1 instruction equal, 0 lost in 0 overflows$'
expect 0 lockstep - <one.txt
contains out '^standard input: [0-9]* cycles equal'
rm one.txt

# A trace that the machine is too narrow for is named, and so is one that would do.
printf '100000002\n100000006\n' >wide.txt
expect 4 lockstep wide.txt
one_line "octrace-lockstep: wide.txt: instruction 0 (0x[0-9a-f]*): does not fit the widths of this machine; it may fit -g $geometry,addr_bits=64,pc_align_bits=0"
rm wide.txt

expect 0 lockstep --random 1000 --wave w.fst
[ ! -e w.fst ] || die "a waveform without a difference"
expect 0 lockstep --random 1000 --wave w.fst --wave-from 0
[ "$(wc -c <w.fst)" -gt 1000 ] || die "no waveform of random stimulus"
rm w.fst
# The writer keeps names in a file beside the waveform: none of somebody else's.
echo precious >w.fst.hier
expect 2 lockstep --random 1000 --wave w.fst --wave-from 0
contains err '^octrace-lockstep: --wave w.fst: .*w.fst.hier exists, and the writer would remove it: give another name'
[ "$(cat w.fst.hier)" = precious ] || die "w.fst.hier was changed"
rm w.fst.hier
: >target
ln -s target w.fst
expect 0 lockstep --random 1000 --wave w.fst --wave-from 0
[ -L w.fst ] && [ "$(wc -c <target)" -gt 1000 ] || die "the link to the waveform was replaced"
rm target
expect 0 lockstep --wave t.fst --wave-from 500 --limit 1000 "$SAMPLES/cjpeg.oct"
[ "$(wc -c <t.fst)" -gt 1000 ] || die "no waveform of a trace"

expect 0 "$BUILD/sim/octrace-lockstep" --coverage c.dat -g "$geometry" --random 1000
grep -q "^C '" c.dat || die "no coverage"
wrong '--coverage no/such/c.dat: cannot be written' --coverage no/such/c.dat -g "$geometry" --random 1000
wrong "unknown option '--nonesuch'" --coverage d.dat -g "$geometry" --nonesuch
[ ! -e d.dat ] || die "coverage of no run"

# Verilog that does not build: not a difference, and no program is left.
cp -r "$SOURCE/rtl" rtl
echo 'endmodule' >>rtl/common/oct_fifo.v
expect 4 lockstep --rtl rtl --random 1000
contains err 'oct_fifo.v'
