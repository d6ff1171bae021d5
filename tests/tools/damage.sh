#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# damage.sh - octrace decompress on a port stream with flipped bits: nothing wrong gets out, it goes
# on behind the damage, and says what is missing.
# No transcript: places of damage are computed from sizes, and the kept instructions are compared with the
# original.
. "$(dirname "$0")/lib.sh"

"$OCTRACE" convert --to text "$SAMPLES/cjpeg.oct" - | awk 'NR <= 60000' >all.txt
"$OCTRACE" compress -g sync_period_bits=16384 -o all.octp all.txt 2>err
expect 0 "$OCTRACE" decompress --to text -o back.txt all.octp
as_text all.txt >want
as_text back.txt | cmp - want

"$FLIP" all.octp bad.octp 40000 90000
expect 3 "$OCTRACE" decompress --gaps gaps.csv --to text -o back.txt bad.octp
contains err '^octrace: bad.octp: damaged in 2 places, first: bit [0-9]*: .*: kept [0-9]* instructions and [0-9]* accesses, lost [0-9]* instructions'
[ "$(wc -l <gaps.csv)" -eq 3 ] || die "not two gaps: $(cat gaps.csv)"
contains gaps.csv '^[0-9]*,[0-9]*,,"damage: bit [0-9]*: .*"$'
# The trace without the gaps is what came back.
awk -F, 'NR == FNR { if (FNR > 1) for (i = 0; i < $2; i++) gone[$1 + i]; next }
  !(FNR - 1 in gone)' gaps.csv want >kept
as_text back.txt | cmp - kept
[ "$(wc -l <kept)" -gt 40000 ] || die "too much was lost: $(wc -l <kept)"

# Nothing is left of a file: the list says so, and is none of before.
"$OCTRACE" compress -g paper --limit 200 -o short.octp all.txt 2>err
"$FLIP" short.octp nothing.octp 3
cp gaps.csv stale
for how in '' --unconfirmed; do
  cp stale gaps.csv
  # shellcheck disable=SC2086 # an option or none
  refuse 4 "$OCTRACE" decompress $how --gaps gaps.csv -o none.oct nothing.octp
  [ ! -e none.oct ] || die "none.oct left behind"
  [ "$(wc -l <gaps.csv)" -eq 2 ] || die "not one gap: $(cat gaps.csv)"
  contains gaps.csv '^0,[0-9]*,,"damage: .*"$'
done

# All of it, wrong or not.
expect 3 "$OCTRACE" decompress --unconfirmed --to text -o all-back.txt bad.octp
[ "$(as_text all-back.txt | wc -l)" -gt "$(as_text back.txt | wc -l)" ] || die "no more unconfirmed"
# The last period: what is missing reaches up to the end, which the container knows.
bits=$(($("$OCTRACE" compress --json -g sync_period_bits=16384 -o x.octp all.txt 2>err |
  sed -n 's/^ *"port_bits": \([0-9]*\),*$/\1/p')))
"$FLIP" all.octp bad.octp $((bits - 3000))
expect 3 "$OCTRACE" decompress --gaps gaps.csv --to text -o back.txt bad.octp
awk -F, -v n="$(wc -l <want)" 'NR == 2 { exit $1 + $2 != n }' gaps.csv || die "the last gap: $(cat gaps.csv)"
# A container that is to be equal is not, at the first damage.
refuse 4 "$OCTRACE" verify --container bad.octp all.txt

# An end that tells of other numbers than the port did, with its checksum: what came is kept, and the end
# is not believed.
"$FLIP" all.octp bad.octp +5
refuse 4 "$OCTRACE" decompress --to text -o back.txt bad.octp
n=$(wc -l <want)
contains err "^octrace: bad.octp: the end chunk counts $((n + 5)) instructions (0 lost) and .*, the port bits of $n (0) and .*: wrote all"
as_text back.txt | cmp - want
contains err ": wrote all $n instructions and [0-9]* accesses of the file; some may be wrong, missing or twice\$"
! grep -q -e --salvage err || die "advice that does not help: $(cat err)"
# Of other numbers of changes of the program map, whether chunks are damaged or not.
"$FLIP" all.octp bad.octp map+3
for how in '' --salvage; do
  # shellcheck disable=SC2086 # an option or none
  refuse 4 "$OCTRACE" decompress $how --to text -o back.txt bad.octp
  contains err "^octrace: bad.octp: the end chunk counts [0-9]* changes of the program map, the file has [0-9]*: wrote all $n"
  [ "$(wc -l <err)" -eq 1 ] || die "more than a line: $(cat err)"
  as_text back.txt | cmp - want
done
refuse 4 "$OCTRACE" decompress --from-sync 1 -o back.oct bad.octp
# The number that stands for none in memory is none in a file.
has=$(sed -n 's/.*the file has \([0-9]*\).*/\1/p' err)
"$FLIP" all.octp most.octp "map+-$((has + 1))"
refuse 4 "$OCTRACE" decompress -o back.oct most.octp
contains err 'the end chunk counts 18446744073709551615 changes of the program map, the file has'
# A tracer that carries no data cannot tell how many accesses there were, but what cannot be is refused.
for isa in riscv64.ntrace x86-64.intel-pt aarch64.etmv4; do
  expect 0 "$OCTRACE" compress --tracer "${isa#*.}" --limit 3000 -o nodata.octp "$SAMPLES/isa/${isa%.*}.oct"
  expect 0 "$OCTRACE" decompress -o back.oct nodata.octp
  for more in accesses+1000000000 lost+1 lost+1000000000; do
    "$FLIP" nodata.octp bad-end.octp $more
    refuse 4 "$OCTRACE" decompress -o back.oct bad-end.octp
    contains err '^octrace: bad-end.octp: the end chunk counts .*: wrote all 3000 instructions'
  done
done
rm most.octp nodata.octp bad-end.octp
size=$(wc -c <bad.octp)
{ head -c $((size - 1000)) bad.octp && printf '\125\125' && tail -c 998 bad.octp; } >worse.octp
refuse 4 "$OCTRACE" decompress --salvage --to text -o back.txt worse.octp

# The whole program map is damaged, and no trap was traced: no change of privilege comes of it.
expect 0 "$OCTRACE" compress --tracer shadow -g sync_bits=2000,traps=1 --limit 3000 -o traps.octp "$SAMPLES/sha1.oct"
size=$(wc -c <traps.octp)
{ head -c $((size - 1400)) traps.octp && printf '\125\125' && tail -c 1398 traps.octp; } >bad.octp
refuse 4 "$OCTRACE" decompress --salvage --to text -o back.txt bad.octp
! grep -q '^!' back.txt || die "traps that were not there: $(grep '^!' back.txt)"

# A sync whose number says that it stands earlier, among what is confirmed: what follows it is not.
expect 0 "$OCTRACE" compress --limit 10000 -g sync_period_bits=4096 -o sync.octp "$SAMPLES/isa/aarch64.oct"
"$OCTRACE" packets sync.octp >packets
# The first sync of an instruction from 1024 to 2047, 1024 less.
bit=$(awk '$4 == "sync" && int($3 / 1024) == 1 { print $1 + 147; exit }' packets)
at=$(awk '$4 == "sync" && int($3 / 1024) == 1 { print $3; exit }' packets)
[ -n "$at" ] || die "no sync of an instruction from 1024 to 2047"
"$FLIP" sync.octp bad.octp "$bit"
expect 3 "$OCTRACE" decompress --gaps gaps.csv --to text -o back.txt bad.octp
contains gaps.csv "^$at,[0-9]*,,\"damage: .*sync at instruction $((at - 1024)), expected $at\"$"
[ "$(wc -l <gaps.csv)" -eq 2 ] || die "gaps: $(cat gaps.csv)"

# One bit that makes an address wider than the trace has, or a cycle stamp go back: no packet is wrong by
# itself, and yet it is damage, with what came before and what follows kept.
# rules TRACE TRACER GEOMETRY WHAT BIT...: some of these flips show by WHAT; of each, the list tells all that is missing.
rules() {
  trace=$1 tracer=$2 geometry=$3 what=$4
  shift 4
  "$OCTRACE" compress --tracer "$tracer" -g "$geometry" --limit 30000 -o sound.octp "$trace" 2>err
  "$OCTRACE" decompress --to text -o sound.txt sound.octp
  as_text sound.txt >want
  found=0
  for bit in "$@"; do
    "$FLIP" sound.octp bad.octp "$bit"
    for how in '' --unconfirmed; do
      code=0
      # shellcheck disable=SC2086 # an option or none
      "$OCTRACE" decompress $how --gaps gaps.csv --to text -o back.txt bad.octp 2>err || code=$?
      case $code in
        0 | 3 | 4) [ "$(wc -l <err)" -le 1 ] || die "more than a line: $(cat err)" ;;
        *) die "$tracer, bit $bit, $how: exit code $code: $(cat err)" ;;
      esac
      as_text back.txt >got # what was written can be read
      grep -q "$what" err || continue
      [ "$code" -eq 3 ] || die "$tracer, bit $bit, $how: exit code $code: $(cat err)"
      contains gaps.csv "^[0-9]*,[0-9]*,,\"damage: before bit [0-9]*: .*$what"
      [ "$(wc -l <got)" -gt 15000 ] || die "$tracer, bit $bit, $how: only $(wc -l <got) were kept"
      awk -F, 'FNR > 1 { lost += $2 } END { print lost + 0 }' gaps.csv >lost
      [ $(($(wc -l <got) + $(cat lost))) -eq 30000 ] || die "$tracer, bit $bit, $how: $(wc -l <got) and $(cat lost)"
      found=$((found + 1))
    done
  done
  [ $found -gt 0 ] || die "$tracer $geometry: no flip showed by '$what'"
}
# shellcheck disable=SC2046 # each number is a bit
rules "$SAMPLES/sha1.oct" raw sync_period_insns=500 'as the trace has' $(seq 17629 679 24000)
# shellcheck disable=SC2046
rules "$SAMPLES/sha1.oct" paper wide64 'as the trace has' $(seq 20000 3422 50000)
# (A trace as text, without the bytes of its instructions, so that there are periods to spoil.)
rules all.txt shadow timestamp=1,time_period_insns=1,sync_bits=2048,check=0 'a cycle stamp' 2332 7976 8972 15529 33540 50970 60266

# Where nothing comes of a damaged file, the list of gaps says so: none of an earlier file stays.
# spoil OFFSET FROM TO: a byte is another one.
spoil() {
  { head -c "$1" "$2" && printf '\377' && tail -c +$(($1 + 2)) "$2"; } >"$3"
}
expect 0 "$OCTRACE" compress --codec plain -o all.octc all.txt
spoil 20 all.octp bad.octp
spoil 20 all.octc bad-head.octc
spoil $(($(head -c 12 all.octc | tail -c 4 | od -An -tu4) + 60)) all.octc bad-segment.octc
for file in bad.octp bad-head.octc bad-segment.octc; do
  echo old >gaps.csv
  refuse 4 "$OCTRACE" decompress --gaps gaps.csv -o none.oct $file
  [ ! -e none.oct ] || die "$file: a trace of nothing"
  [ "$(wc -l <gaps.csv)" -eq 2 ] || die "$file: $(cat gaps.csv)"
  contains gaps.csv '^0,,,"damage: '
done
echo old >gaps.csv
refuse 4 "$OCTRACE" decompress --gaps gaps.csv -o none.oct missing.octp
contains gaps.csv '^old$'

# Behind gaps whose length nobody tells: it says "at least", leaves the number out of the list, and writes no instruction of
# code that may have changed in the gap.
# Of which geometry no sync counts: "TRACER GEOMETRY SAMPLE".
while read -r tracer geometry sample; do
  expect 0 "$OCTRACE" convert --to text --limit 20000 "$SAMPLES/isa/$sample.oct" all.txt
  as_text all.txt | cut -d ' ' -f 1 >want
  expect 0 "$OCTRACE" compress --tracer "$tracer" -g "$geometry" --limit 20000 -o all.octp "$SAMPLES/isa/$sample.oct"
  expect 0 "$OCTRACE" decompress --to text -o back.txt all.octp
  as_text back.txt | cut -d ' ' -f 1 | cmp - want
  # Bits here and there, until damage shows that something follows.
  gaps=0
  for bit in 2001 4004 6003 8010 9001 12345; do
    "$FLIP" all.octp bad.octp "$bit"
    code=0
    "$OCTRACE" decompress --gaps gaps.csv --to text -o back.txt bad.octp 2>err || code=$?
    [ "$code" -eq 3 ] || continue
    contains err "^octrace: bad.octp: damaged in [0-9]* places*, first: bit [0-9]*: .*: kept [0-9]* instructions.*, \(lost at least [0-9]* instructions\|how many are lost is unknown\)"
    contains gaps.csv '^[0-9]*,,,"damage: bit [0-9]*: .*"$'
    # What follows the last gap is the end of the trace.
    at=$(tail -n 1 gaps.csv | cut -d , -f 1) n=$(as_text back.txt | wc -l)
    tail -n $((n - at)) back.txt | cut -d ' ' -f 1 >end
    tail -n $((n - at)) want | cmp -s - end || continue
    gaps=$((gaps + 1))
  done
  [ "$gaps" -gt 0 ] || die "$tracer: no damage behind which the end came back"
done <<'END'
etrace all,sync_period_insns=500,time_bits=0 riscv64
ntrace all,sync_period_insns=500,count=0 riscv64
intel-pt sync_period_insns=500,tsc=0 x86-64
etmv4 sync_period_insns=500,timestamp=0 aarch64
END
