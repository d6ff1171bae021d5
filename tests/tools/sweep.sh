#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sweep.sh - octrace sweep: rows, axes, plans and journals. sweep-axes.t has what is wrong with them.
. "$(dirname "$0")/lib.sh"

tiny_trace 700 >a.txt
tiny_trace 1500 >b.txt
"$OCTRACE" convert a.txt a.oct
"$OCTRACE" convert b.txt b.oct
rm a.txt b.txt

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

# The same from a plan, as JSON; sums over several traces; the front.
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

