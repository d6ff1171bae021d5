#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sweep.sh - octrace sweep: rows, axes, plans, budgets, journals, and what is wrong with them.
. "$(dirname "$0")/lib.sh"

tiny_trace 700 >a.txt
tiny_trace 1500 >b.txt
"$OCTRACE" convert a.txt a.oct
"$OCTRACE" convert b.txt b.oct
rm a.txt b.txt

# Losses are counted, and no reason to fail.
expect 0 "$OCTRACE" sweep --engine cycle -a port_pins=1 b.oct
[ "$(column overflows out)" -gt 0 ] || die "nothing was lost: $(cat out)"

# Each row is what compress says of that geometry alone.
expect 0 "$OCTRACE" sweep -a sc_entries=8..64 -a sc_ways=1,2 -a ntuple_n=0,4 -a dasc_entries=16,32 a.oct
[ "$(wc -l <out)" -eq 33 ] || die "$(wc -l <out) lines, not 33"
mv out rows.csv
column port_bits rows.csv >got
for entries in 8 16 32 64; do
  for ways in 1 2; do
    for n in 0 4; do
      for dasc in 16 32; do
        "$OCTRACE" compress -o /dev/null --json a.oct \
          -g "sc_sets=$((entries / ways)),sc_ways=$ways,ntuple_n=$n,dasc_entries=$dasc" |
          sed -n 's/^  "port_bits": \([0-9]*\),*$/\1/p'
      done
    done
  done
done >want
cmp want got || die "port bits differ from those of compress"
grep -q . want || die "nothing to compare"

# A sweep begins with the tracer's first geometry, so that all can share a pass. Where its numbers are not
# those of other commands for that, a note says with what both are the same.
bits() {
  "$OCTRACE" "$@" --json a.oct | tr ',' '\n' | sed -n 's/.*"port_bits": *\([0-9]*\).*/\1/p' | head -n 1
}
awk 'BEGIN { for (i = 0; i < 120000; i++) printf "%x\n", 4096 + 4 * ((i * 7919) % 9973) }' >jumps.txt
"$OCTRACE" convert jumps.txt jumps.oct
mv a.oct aside.oct
mv jumps.oct a.oct
note='^octrace: note: to share a pass, the geometries begin with paper (sync_period_bits=0), in other commands with sync_period_bits=131072: '
expect 0 "$OCTRACE" sweep a.oct
[ "$(wc -l <err)" -eq 2 ] || die "notes: $(cat err)"
contains err "$note"
contains err 'give them -g paper, or sweep -g sync_period_bits=131072, which takes longer$'
[ "$(bits sweep)" != "$(bits compress -o /dev/null)" ] || die "no two numbers to tell of"
[ "$(bits sweep)" = "$(bits compress -o /dev/null -g paper)" ] || die "not those of -g paper"
[ "$(bits sweep -g sync_period_bits=131072)" = "$(bits compress -o /dev/null)" ] || die "not those of compress"
mv aside.oct a.oct
rm jumps.txt
printf '[one]\nsc_ways = 1\n' >implied.ini
printf '[one]\ngeometry = ntuple_n=0\n' >settings.ini
printf '[one]\ngeometry = paper,ntuple_n=0\n[two]\ngeometry = small\n' >named.ini
for options in '' '-g ntuple_n=0' '-a sc_ways=1,2' '--plan implied.ini' '--plan settings.ini' \
  '--plan named.ini -a sc_ways=1'; do
  # shellcheck disable=SC2086 # options
  expect 0 "$OCTRACE" sweep $options a.oct
  contains err "$note"
done
for options in '-g paper' '-g tagged,ntuple_n=0' '-g sync_period_bits=0' '-a sync_period_bits=0,65536' \
  '--plan named.ini' '--tracer shadow' '--engine cycle'; do
  # shellcheck disable=SC2086 # options
  expect 0 "$OCTRACE" sweep $options a.oct
  ! grep -q 'share a pass' err || die "told although it is given: $options"
done
rm implied.ini settings.ini named.ini

# A row holds each parameter that was swept, and what was counted beside it.
"$OCTRACE" convert "$SAMPLES/foreign/riscv64.spike.xz" traps.oct
expect 0 "$OCTRACE" sweep --tracer shadow -a traps=0,1 traps.oct
column traps out >got
printf '0\n1\n' | cmp - got || die "traps of the rows: $(cat got)"
[ "$(column sent_traps out | awk '{ print ($1 > 0) }' | xargs)" = '0 1' ] || die "traps sent: $(cat out)"
rm traps.oct

# Without tuples there is no ratio of theirs, neither in a row nor of that geometry alone.
expect 0 "$OCTRACE" compress -o /dev/null --json -g ntuple_n=0 a.oct
contains out '"cr_sc_i_ntuple": null'
expect 0 "$OCTRACE" compress -o /dev/null -g ntuple_n=0 a.oct
! grep -q Ntuple out || die "a ratio of tuples that are not there: $(cat out)"

# Widths are axes like others, and a geometry that is wider than the trace stays so.
expect 0 "$OCTRACE" sweep -a addr_bits=32,40,64 -a pc_align_bits=0..2 a.oct
mv out rows.csv
column port_bits rows.csv >got
for addr in 32 40 64; do
  for align in 0 1 2; do
    "$OCTRACE" compress -o /dev/null --json a.oct -g "addr_bits=$addr,pc_align_bits=$align" |
      sed -n 's/^  "port_bits": \([0-9]*\),*$/\1/p'
  done
done >want
cmp want got || die "port bits differ from those of compress at other widths"
printf '[wide]\ngeometry = wide64\n[paper]\ngeometry = paper\n' >plan.ini
expect 0 "$OCTRACE" sweep --plan plan.ini a.oct
[ "$(column addr_bits out | xargs)" = '64 32' ] || die "widths: $(column addr_bits out)"

# The same from a plan, as JSON; sums over several traces; the front.
cat >plan.ini <<'INI'
; two grids
[one]
geometry = paper, frob=0
INI
refuse 2 "$OCTRACE" sweep --plan plan.ini a.oct
contains err "plan.ini:3: 'frob': no such parameter"
cat >plan.ini <<'INI'
[one]
geometry = paper, ntuple_n=0
sc_ways = 1, 4
[two]
dasc_entries = 32..128
sc_repl = lru, plru
INI
expect 0 "$OCTRACE" sweep --plan plan.ini --pareto -o sums.csv a.oct b.oct
[ "$(grep -c '^(all),' sums.csv)" -eq 8 ] || die "no sums"
all=$(column instructions sums.csv | tail -n 1)
[ "$all" -eq 8800 ] || die "sum of instructions is $all"
column pareto sums.csv | grep -qx 1 || die "no front"
expect 0 "$OCTRACE" sweep --plan plan.ini --json a.oct
python3 - out <<'END' || die "JSON"
import json, sys
rows = json.load(open(sys.argv[1]))
assert len(rows) == 8 and {r["sc_ways"] for r in rows} == {1, 4}, rows
assert rows[0]["cr_sc_i_ntuple"] is None and rows[-1]["cr_sc_i_ntuple"] > 0
END

# The front is where nothing else has less state and fewer bits.
expect 0 "$OCTRACE" sweep --pareto -g ntuple_n=0 -a dasc_entries=16..4096 -a sc_sets=1..32 a.oct
for name in state_bytes port_bits_per_instruction pareto; do column "$name" out >"$name"; done
paste state_bytes port_bits_per_instruction pareto | awk '
  { x[NR] = $1; y[NR] = $2; p[NR] = $3 }
  END {
    for (i = 1; i <= NR; i++) {
      front = 1
      for (k = 1; k <= NR; k++)
        if (x[k] <= x[i] && y[k] <= y[i] && (x[k] < x[i] || y[k] < y[i])) front = 0
      if (front != p[i]) exit 1
      n[front]++
    }
    exit !(n[0] && n[1])
  }' || die "the front is wrong"

# A budget of state.
expect 0 "$OCTRACE" sweep -a dasc_entries=16..4096 --max-state 4K a.oct
[ "$(wc -l <out)" -eq 6 ] || die "$(wc -l <out) lines within 4K"
contains err '4 of 9 geometries have more than 4096 bytes'
column state_bytes out | awk '$1 > 4096 { exit 1 }' || die "too much state"
refuse 2 "$OCTRACE" sweep --max-state 4Q a.oct
# It is that of the machine which the trace gets: 64-bit addresses need more.
expect 0 "$OCTRACE" sweep --tracer shadow -a vc_sets=8,64 --limit 1000 --max-state 8K "$SAMPLES/isa/riscv64.oct"
contains err '1 of 2 geometries has more than 8192 bytes'
[ "$(column state_bytes out | awk '$1 <= 8192' | wc -l)" -eq 1 ] || die "not the one within 8K"
expect 0 "$OCTRACE" sweep --tracer shadow -a vc_sets=8,64 --limit 1000 --max-state 8K "$SAMPLES/sha1.oct"
[ "$(wc -l <out)" -eq 3 ] || die "a geometry is missing that fits 32-bit addresses"
expect 0 "$OCTRACE" sweep --tracer shadow -a vc_sets=8,64 --limit 1000 --max-state 8K "$SAMPLES/sha1.oct" "$SAMPLES/isa/riscv64.oct"
contains err '1 of 2 geometries has more than 8192 bytes'
expect 0 "$OCTRACE" sweep --tracer shadow -a vc_sets=8,64 -a addr_bits=64 --limit 1000 --max-state 8K "$SAMPLES/sha1.oct"
contains err '1 of 2 geometries has more than 8192 bytes'

# The journal: a second run sweeps nothing again, a torn one goes on, a foreign line is passed over.
expect 0 "$OCTRACE" sweep --plan plan.ini --journal j -o first.csv a.oct b.oct
! grep -v -e 'was found in the trace$' -e 'note: to share a pass' err || die "more than the notes"
expect 0 "$OCTRACE" sweep --plan plan.ini --journal j -o second.csv a.oct b.oct
contains err '16 of 16 rows were in j'
cmp first.csv second.csv || die "another table from the journal"
size=$(wc -c <j)
head -c $((size - 100)) j >torn
echo 'not a line' >>torn
expect 0 "$OCTRACE" sweep --plan plan.ini --journal torn -o third.csv a.oct b.oct
contains err '15 of 16 rows were in torn'
cmp first.csv third.csv || die "another table from the torn journal"
expect 0 "$OCTRACE" sweep --plan plan.ini --journal torn -o third.csv a.oct b.oct
contains err '16 of 16 rows were in torn'
expect 0 "$OCTRACE" sweep --plan plan.ini --journal j --limit 100 -o fourth.csv a.oct
! grep -v -e 'was found in the trace$' -e 'note: to share a pass' err || die "rows of another limit were taken"
[ ! -e first.csv.journal ] || die "the journal was left behind"

printf 'not hexadecimal\n' >bad.txt
expect 4 "$OCTRACE" sweep --plan plan.ini -o none.csv bad.txt
[ -z "$(find . -name 'none.csv*')" ] || die "a sweep of nothing left something behind"
# Killed and started again: the journal that comes by itself. The second trace never ends.
mkfifo endless
"$OCTRACE" sweep -j 1 --plan plan.ini -o killed.csv a.oct endless 2>err &
pid=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  [ -s killed.csv.journal ] && break
  sleep 0.5
done
kill -KILL "$pid"
wait "$pid" || :
[ -s killed.csv.journal ] || die "no journal"
[ ! -e killed.csv ] || die "a table was written"
expect 0 "$OCTRACE" sweep --plan plan.ini -o killed.csv a.oct b.oct
contains err '8 of 16 rows were in killed.csv.journal'
cmp first.csv killed.csv || die "another table after a kill"
[ ! -e killed.csv.journal ] || die "the journal stays after the end"

# A journal is nothing else: not a trace, not the table, not somebody's file, not a device.
cp a.oct c.oct
refuse 2 "$OCTRACE" sweep --journal c.oct c.oct
refuse 2 "$OCTRACE" sweep --journal same -o same a.oct
echo 'A letter.' >letter
refuse 4 "$OCTRACE" sweep --journal letter a.oct
contains err 'letter: not a journal'
[ "$(cat letter)" = 'A letter.' ] || die "somebody's file was written"
refuse 4 "$OCTRACE" sweep --journal /dev/zero a.oct
cmp a.oct c.oct || die "a trace was written"
mkdir folder
refuse 4 "$OCTRACE" sweep -o folder a.oct
refuse 4 "$OCTRACE" sweep -o /dev/full a.oct
rm c.oct letter
[ ! -e folder.journal ] && [ ! -e /dev/full.journal ] && [ ! -e same ] || die "left behind"

# A pipe is read once, and has no journal.
"$OCTRACE" sweep a.oct | sed 's/^a.oct/pipe/' >wanted
mkfifo pipe
cat a.oct >pipe &
expect 0 timeout 60 "$OCTRACE" sweep -o piped.csv pipe
wait
cmp wanted piped.csv || die "another table from a pipe"

# What the reading depends on is part of the key: another program, another sweep.
if command -v cc >/dev/null; then
  echo 'int main(void) { return 0; }' >p.c
  cc -no-pie -o p p.c
  addr=$(nm p | sed -n 's/^0*\([0-9a-f]*\) T main$/\1/p')
  printf '%s\n' "$addr" "$addr" >pc.txt
  expect 0 "$OCTRACE" sweep -g paper --isa x86-64 --journal k -o k.csv pc.txt
  expect 0 "$OCTRACE" sweep -g paper --isa x86-64 --elf p --journal k -o k.csv pc.txt
  [ ! -s err ] || die "rows of another program were taken: $(cat err)"
fi

# A name that is not UTF-8, as JSON has to be, has its column all the same.
mkdir names
cp a.oct "names/$(printf 'l\344rm.oct')"
expect 0 "$OCTRACE" sweep names/*.oct
[ "$(column trace out)" = 'names/l\xe4rm.oct' ] || die "trace: $(column trace out)"
rm -r names

# One bad trace among many: named, the others run.
head -c 300 b.oct >bad.oct
expect 4 "$OCTRACE" sweep -o some.csv bad.oct a.oct none.oct
contains err '^octrace: .*bad.oct'
contains err '^octrace: none.oct: '
[ "$(wc -l <some.csv)" -eq 2 ] || die "rows: $(cat some.csv)"
refuse 4 "$OCTRACE" sweep -o none.csv none.oct
[ ! -e none.csv ] || die "a table of nothing"

# What is counted from here on is what is wrong, and so the trace says its alignment.
"$OCTRACE" convert a.oct a.txt
"$OCTRACE" convert --isa arm a.txt a.oct
# Illegal geometries are named, the others run; what cannot be understood stops it.
expect 4 "$OCTRACE" sweep -g paper -a sc_entries=4,16 -a sc_ways=4,8 a.oct
[ "$(wc -l <err)" -eq 1 ] || die "not one line: $(cat err)"
contains err 'sc_entries=4,sc_ways=8: .*expected a multiple of sc_ways=8'
[ "$(wc -l <out)" -eq 4 ] || die "the others did not run"
expect 4 "$OCTRACE" sweep -a sc_entries=0 a.oct
contains err 'sc_entries=0: expected a multiple of sc_ways=4 other than 0$'
refuse 2 "$OCTRACE" sweep -j 0 -a sc_sets=1 a.oct
contains err "jobs '0': expected a number from 1 to 1024"
refuse 2 "$OCTRACE" sweep -a sc_sets= a.oct
contains err 'axis sc_sets: no values: expected some, as in sc_sets=1\.\.1024$'
expect 4 "$OCTRACE" sweep -a sc_sets=3 a.oct
contains err 'sc_sets=3'
contains err 'no geometry is left'
refuse 2 "$OCTRACE" sweep -a frob=1 a.oct
contains err "^octrace: sweep: unknown axis 'frob'"
expect 4 "$OCTRACE" sweep -g paper -a frob=1 -a sc_ways=2,4 -a grob=x a.oct
[ "$(wc -l <err)" -eq 2 ] || die "not two lines: $(cat err)"
contains err "axis left out: unknown axis 'frob'"
contains err "axis left out: unknown axis 'grob'"
[ "$(wc -l <out)" -eq 3 ] || die "the other axis did not run"
for list in '' 8.. 8..4 '8..16*1' 8..16+0 a 1,,2 lru 99999999999; do
  refuse 2 "$OCTRACE" sweep -a "sc_sets=$list" a.oct
  contains err 'axis sc_sets'
done
refuse 2 "$OCTRACE" sweep -a sc_sets=1 -a sc_sets=2 a.oct
contains err 'given twice'
refuse 2 "$OCTRACE" sweep -a sc_sets=1,2 -a sc_entries=64 a.oct
contains err 'sc_sets and sc_entries'
expect 4 "$OCTRACE" sweep -a sc_entries=0,64 a.oct
contains err 'sc_entries=0: expected a multiple of sc_ways=4'
refuse 2 "$OCTRACE" sweep -a port_pins=1,2 a.oct
contains err 'port_pins changes nothing without --engine cycle'
for option in --depths --arrival=cpi=2 --stall=10; do
  refuse 2 "$OCTRACE" sweep "$option" a.oct
  contains err "${option%%=*} is for --engine cycle"
done
refuse 2 "$OCTRACE" sweep -a sc_repl=LRU a.oct
contains err "axis sc_repl: 'LRU': expected lru, fifo, plru or random, or 0 to 3"
refuse 2 "$OCTRACE" sweep -a sc_index_fn=paper,xor a.oct
contains err "axis sc_index_fn: 'xor': expected paper, fold, concat or sa, or 0 to 3"
refuse 2 "$OCTRACE" sweep -a sc_ways=1,8..1,4 a.oct
contains err "axis sc_ways: '8..1': expected the smaller number first, as in 1..8"
sweeps_not() { # sweeps_not LIST MESSAGE
  refuse 2 "$OCTRACE" sweep -a "sc_ways=$1" a.oct
  contains err "$2"
}
sweeps_not 4294967296 "axis sc_ways: '4294967296': expected a number up to 16\$"
sweeps_not 1..99999999999,2 "axis sc_ways: '99999999999': expected a number up to 16\$"
sweeps_not '1..8*1' "axis sc_ways: '1..8\*1': expected a factor of 2 or more\$"
sweeps_not 1..8+0,3 "axis sc_ways: '1..8+0': expected a step of 1 or more\$"
expect 4 "$OCTRACE" sweep --max-state 1 -a sc_ways=1 a.oct
contains err '1 of 1 geometries has more than 1 byte of state$'
# Entries that are no sets of so many ways are left out, not rounded.
expect 4 "$OCTRACE" sweep -a sc_entries=4,5,7,8,10 a.oct
[ "$(column sc_sets out | xargs)" = '1 2' ] || die "rounded: $(cat out)"
for entries in 5 7 10; do
  contains err "left out: sc_entries=$entries: expected a multiple of sc_ways=4"
done
refuse 4 "$OCTRACE" sweep --plan none.ini a.oct
refuse 4 "$OCTRACE" sweep --plan . a.oct
contains err 'Is a directory'
# bad_plan CODE WHERE-AND-WHAT TEXT: a plan that is refused, in one line with file and line.
bad_plan() {
  printf '%b' "$3" >plan.ini
  refuse "$1" "$OCTRACE" sweep --plan plan.ini a.oct
  contains err "^octrace: sweep: plan.ini:$2"
  [ ! -s out ] || die "rows of a bad plan: $3"
}
long=$(awk 'BEGIN { while (n++ < 120) printf "1, " }')
bad_plan 4 "1: 'sc_sets': expected a \[section\]" 'sc_sets = 1\n'
bad_plan 4 "2: 'sc_sets': expected a \[section\]" '[]\nsc_sets = 1\n'
bad_plan 4 '2: expected \[section\] or NAME = VALUE' '[a]\nnonsense\n'
bad_plan 4 '3: expected \[section\] or NAME = VALUE' '[a]\nsc_sets = 1\n[b\nsc_ways = 2\n'
bad_plan 4 '2: expected a line of at most 198 bytes' "[a]\nsc_sets = $long\n"
bad_plan 4 '2: an empty \[section\]: expected lines NAME = VALUE' '; all\n[a]\n'
bad_plan 4 '3: an empty \[section\]' '[a]\nsc_sets = 1\n[b]\n; nothing yet\n\n[c]\nsc_sets = 2\n'
bad_plan 4 '3: an empty \[section\]' '[a]\nsc_sets = 1\n[a] ; again\n'
bad_plan 2 "3: axis sc_sets: '\[b\]': " '[a]\nsc_sets = 1\n [b]\nsc_ways = 1\n'
bad_plan 4 ' expected a \[section\]' '; nothing\n'
bad_plan 2 '2: axis sc_sets: ' '[a]\nsc_sets = x\nsc_ways = 1\n'
bad_plan 2 '1: \[a\]: axis sc_sets is given twice' '[a]\nsc_sets = 1\nsc_sets = 2\n'
bad_plan 2 '3: geometry is given twice' '[a]\ngeometry = paper\ngeometry = wide64\n'
# An unknown axis is named, the others run.
printf '[a]\nsc_sets = 1, 2\nfrob = 1\nsc_ways = 1\n[b]\ngrob = 2\n[c]\ndasc_entries = 64\n' >plan.ini
expect 4 "$OCTRACE" sweep --plan plan.ini a.oct
contains err "axis left out: plan.ini:3: unknown axis 'frob'"
contains err "axis left out: plan.ini:6: unknown axis 'grob'"
[ "$(column sc_sets out | xargs) $(wc -l <err)" = '1 2 32 3' ] || die "$(cat out err)"
printf '[a]\nfrob = 1\n' >plan.ini
expect 4 "$OCTRACE" sweep --plan plan.ini a.oct
contains err 'no geometry is left'
# Each header begins a grid of its own.
printf '\357\273\277[a]\nsc_sets = 1, 2\n[a]; again\nsc_ways=1\n[b]\nsc_ways=2' >plan.ini
expect 0 "$OCTRACE" sweep --plan plan.ini a.oct
[ "$(wc -l <out)" -eq 5 ] || die "$(cat out)"

# The cycle engine: pins and depths matter.
expect 0 "$OCTRACE" sweep --engine cycle -a port_pins=1,32 --limit 2000 b.oct
[ "$(column lost_instructions out | sed -n 1p)" -gt "$(column lost_instructions out | sed -n 2p)" ] ||
  die "pins change nothing"

# Threads that no trace needs take geometries; the rows are the same.
for jobs in 1 5; do
  expect 0 "$OCTRACE" sweep -j $jobs --engine cycle -a port_pins=4..32+4 -a data_fifo_depth=4,8 --limit 2000 b.oct
  mv out "jobs$jobs"
done
cmp jobs1 jobs5 || die "other rows with more threads"
rm jobs1 jobs5
