#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# stamps.sh - --arrival stamps: instructions retire by the trace's own cycle stamps, long pauses count
# in full, and a trace without stamps is refused.
. "$(dirname "$0")/lib.sh"

tiny_trace 1000 >none.txt
for command in 'compress --engine cycle -o new' 'verify --engine cycle' verify report 'report --json'; do
  # shellcheck disable=SC2086 # a command and its options
  refuse 4 "$OCTRACE" $command --arrival stamps none.txt
  contains err '^octrace: none.txt: expected cycle stamps, by which --arrival stamps lets instructions retire, found none in the first 4000 instructions$'
done
refuse 4 "$OCTRACE" compress --engine cycle -o new --arrival stamps --skip 10 --limit 1 - <none.txt
contains err '^octrace: standard input: .*, found none in the first 1 instruction$'
only none.txt

# count NAME FILE: this count of the cycle engine.
count() {
  "$OCTRACE" compress --engine cycle --arrival stamps --json -o new "$2" 2>err |
    sed -n "s/^ *\"$1\": \([0-9]*\),*\$/\1/p" | head -n 1
}
# stamped PAUSE: three instructions, the last after a pause.
stamped() {
  printf '8000 @10\n8004 @11\n8008 @%s\n' "$((11 + $1))"
}
stamped 1000 >short.txt
stamped 1000000 >long.txt
stamped 4000000000000000 >longest.txt
short=$(count cycles short.txt)
[ "$(($(count cycles long.txt) - short))" -eq 999000 ] || die "cycles of a long pause"
[ "$(($(count cycles longest.txt) - short))" -eq 3999999999999000 ] || die "cycles of the longest"
[ "$(count port_busy_cycles longest.txt)" = "$(count port_busy_cycles short.txt)" ] || die "busy"
expect 0 "$OCTRACE" report --json --arrival stamps longest.txt
contains out '"cycles": 40000000000000[0-9][0-9],$'

# An instruction without a stamp follows the one before, and what nobody can count is refused.
printf '8000 @10\n8004\n8008 @10\n800c @13\n' >some.txt
expect 0 "$OCTRACE" verify --engine cycle --arrival stamps some.txt
printf '8000 @10\n8004\n8008 @18446744073709551615\n' >beyond.txt
for command in 'verify --engine cycle' report; do
  # shellcheck disable=SC2086 # a command and its options
  refuse 4 "$OCTRACE" $command --arrival stamps beyond.txt
  contains err '^octrace: beyond.txt: instruction 2: a cycle stamp 18446744073709551605 cycles after the first: expected 4611686018427387904 at most$'
done

# A stamp that goes back is refused by every command, text by its line, native by its block, unless
# another task ran in between, as on another core.
printf '8000 @10 T:1\n8004 T:1\n# a comment\n8008 T:1 @9\n800c @12 T:1\n' >back.txt
for command in info verify report sweep 'convert --to text' 'compress -o new' 'bench --codec plain'; do
  # shellcheck disable=SC2086 # a command and its options
  set -- $command
  [ "$1" != convert ] || set -- "$@" -
  last=back.txt
  [ "$1" != convert ] || { set -- convert --to text back.txt; last=new; }
  refuse 4 "$OCTRACE" "$@" "$last"
  contains err "^octrace: back.txt:4: expected a cycle stamp of @10 or later, as the line before it has the same task, found '@9'"
done
sed 's/^8004 T:1/8004 T:2/' back.txt >tasks.txt
expect 0 "$OCTRACE" convert tasks.txt tasks.oct
expect 0 "$OCTRACE" verify --engine untimed tasks.oct
refuse 4 "$OCTRACE" verify --arrival stamps --engine cycle tasks.oct
contains err '^octrace: tasks.oct: instruction 2: expected a cycle stamp of 10 or later, as --arrival stamps goes by them, found 9$'

# `paper` holds one stamp at a time, and leaves out those that are due meanwhile (docs/port-format.md, time stamps);
# `shadow` leaves none out. Nothing is lost.
awk 'BEGIN { for (i = 0; i < 4000; i++) printf "%x\n", 32768 + i % 7 * 4 }' >steady.txt
# count_stamps TRACER CPI LEAST MOST: so many of the 4000 instructions have a stamp
count_stamps() {
  expect 0 "$OCTRACE" compress --engine cycle --tracer "$1" -g timestamp=1,time_period_insns=1,port_pins=32 --arrival "cpi=$2" -o steady.octp steady.txt
  expect 0 "$OCTRACE" decompress --to text steady.octp
  [ "$(grep -c '^[0-9a-f]' out)" -eq 4000 ] || die "$1, CPI $2: instructions are lost"
  n=$(grep -c '^[0-9a-f].*@' out)
  [ "$n" -ge "$3" ] && [ "$n" -le "$4" ] || die "$1, CPI $2: $n stamps, not $3 to $4"
}
count_stamps paper 1 780 820
count_stamps paper 4 1990 2000
count_stamps paper 8 3990 3999
count_stamps shadow 1 4000 4000
count_stamps shadow 8 4000 4000
