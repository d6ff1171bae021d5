#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tracers.sh - every tracer goes through every command that takes one, by its name alone.
. "$(dirname "$0")/lib.sh"

for trace in cjpeg isa/riscv64 isa/x86-64 isa/aarch64; do
  "$OCTRACE" convert --limit 3000 "$SAMPLES/$trace.oct" "$(basename "$trace").oct"
done
mv cjpeg.oct cut.oct
"$OCTRACE" list tracers >tracers
count=0
while read -r tracer _; do
  # A trace of an instruction set that it takes.
  trace=
  for one in cut.oct riscv64.oct x86-64.oct aarch64.oct; do
    "$OCTRACE" compress --tracer "$tracer" "$one" -o out.octp 2>err && trace=$one && break
    grep -q 'instruction set' err || die "$tracer: $(cat err)"
  done
  [ -n "$trace" ] || die "$tracer takes no trace: $(cat err)"
  count=$((count + 1))
  grep -q '^  all ' err || die "$tracer: no report"
  ! grep -q '[0-9]bits' err || die "$tracer: a figure sticks to its unit"
  expect 0 "$OCTRACE" info out.octp
  contains out "^tracer  *$tracer\$"
  expect 0 "$OCTRACE" list params --tracer "$tracer"
  expect 0 "$OCTRACE" list geometries --tracer "$tracer"
  expect 0 "$OCTRACE" decompress --to text out.octp -o back.txt
  [ "$(grep -c . back.txt)" -ge 3000 ] || die "$tracer: not all came back"
  expect 0 "$OCTRACE" verify --engine untimed --tracer "$tracer" "$trace"
  expect 0 "$OCTRACE" verify --container out.octp "$trace"
  expect 0 "$OCTRACE" sweep --tracer "$tracer" --pareto --json "$trace"
  contains out "\"tracer\":\"$tracer\""
  expect 0 "$OCTRACE" report --tracer "$tracer" --cycle-insns 500 "$trace"
  contains out 'pins that a queue'
  expect 0 "$OCTRACE" report --tracer "$tracer" --cycle-insns 500 --csv - "$trace"
  expect 0 "$OCTRACE" bench --repeat 1 --codec plain --tracer "$tracer" "$trace"
  contains out "^  tracer $tracer "
  rm out.octp
done <tracers
[ "$count" -ge 2 ] || die "$count tracers"

# What they send is as one wants to compare it: raw is the most, and one table has them all.
expect 0 "$OCTRACE" bench --repeat 1 --codec plain --tracer raw --tracer paper --csv t.csv cut.oct
awk -F, '$2 == "\"tracer raw\"" { raw = $4 } $2 == "\"tracer paper\"" { paper = $4 }
  END { exit !(raw > 2 * paper && paper > 0) }' t.csv || die "$(cat t.csv)"

# The journal goes by names: a sweep goes on from one, and counts the same.
expect 0 "$OCTRACE" sweep --tracer raw -a stream_insns_max=1..8 --journal j -o one.csv cut.oct
expect 0 "$OCTRACE" sweep --tracer raw -a stream_insns_max=1..8 --journal j -o two.csv cut.oct
contains err 'rows were in j'
cmp one.csv two.csv || die "a journal's rows differ"
grep -q ' insns=bb8 ' j || die "no counters by name: $(cat j)"

refuse 2 "$OCTRACE" compress --tracer nonesuch cut.oct
contains err "unknown tracer 'nonesuch'"
refuse 2 "$OCTRACE" compress --tracer raw --engine cycle cut.oct
contains err 'the tracer raw has no cycle engine'
refuse 2 "$OCTRACE" compress --tracer raw -g sc_ways=4 cut.oct
contains err "'sc_ways': no such parameter"
