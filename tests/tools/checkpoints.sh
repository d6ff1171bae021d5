#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# checkpoints.sh - octrace sweep: whose a checkpoint is, and that none is left behind.
. "$(dirname "$0")/lib.sh"

trace=$SAMPLES/djpeg.oct
set -- -g paper -a thb_depth=3..255+8 --limit 600000
expect 0 "$OCTRACE" sweep "$@" "$trace" "$trace"
mv out whole.csv

# parts: the checkpoints beside j.
parts() {
  find . -name 'j.*.part' -o -name 'j.*.new'
}
# kill_within OPTION...: leaves the checkpoint of a sweep over the trace beside j, which has not all
# of its rows.
kill_within() {
  for _ in 1 2 3 4 5 6 7 8 9 10; do # it may end, or save nothing whole, before it is killed
    rm -f j j.*.part j.*.new
    "$OCTRACE" sweep "$@" --save-every 0.001 --journal j -o part.csv "$trace" &
    while kill -0 $! 2>/dev/null; do
      [ -z "$(find . -name 'j.*.part')" ] || kill -KILL $! || :
      sleep 0.01
    done
    wait $! || :
    [ -s j ] || [ -z "$(find . -name 'j.*.part')" ] || return 0
  done
  return 1
}

# The same trace twice, at a time: one of them has the checkpoint, and nothing is said.
expect 0 "$OCTRACE" sweep "$@" --save-every 0.0001 -j 2 --journal twice -o twice.csv "$trace" "$trace"
[ ! -s err ] || die "twice: $(cat err)"
cmp whole.csv twice.csv || die "another table of the same trace twice"
# Likewise two sweeps on one journal, of which one is killed: the other keeps no checkpoint of it.
for i in 1 2; do
  "$OCTRACE" sweep "$@" --save-every 0.0001 --journal j -o "two$i.csv" "$trace" "$trace" 2>"err$i" &
done
wait
cmp whole.csv two1.csv || die "another table of the first of two"
cmp whole.csv two2.csv || die "another table of the second of two"
! grep -q 'cannot write' err1 err2 || die "two: $(cat err1 err2)"
[ -z "$(parts)" ] || die "two: left behind: $(parts)"

# Killed when all was in the journal: only the checkpoint is left to go.
mv j whole
kill_within "$@" 2>/dev/null || die "the sweep was not killed"
cp whole j
expect 0 "$OCTRACE" sweep "$@" --journal j -o part.csv "$trace"
contains err '32 of 32 rows were in j'
[ -z "$(parts)" ] || die "left behind: $(parts)"
# Without saving any more it is taken, and goes.
kill_within "$@" 2>/dev/null || die "the sweep was not killed"
expect 0 "$OCTRACE" sweep "$@" --save-every 0 --journal j -o part.csv "$trace"
contains err 'goes on at instruction [1-9]'
[ -z "$(parts)" ] || die "left behind: $(parts)"

# A journal that comes by itself takes those of other traces with it, and nothing else.
mkdir sub
keep='t.csv.journal.x.part t.csv.journal.0123456789abcdef.parts u.csv.journal.0123456789abcdef.part'
for name in $keep t.csv.journal.0123456789abcdef.part t.csv.journal.0123456789abcdef.new; do
  echo something >"sub/$name"
done
expect 0 "$OCTRACE" sweep --limit 1000 -o sub/t.csv "$trace"
# shellcheck disable=SC2086 # names
[ "$(find sub -type f | sort | xargs)" = "$(printf 'sub/%s\n' $keep t.csv | sort | xargs)" ] ||
  die "$(ls sub)"

# Where the journal cannot grow any more, the trace has no rows, but its checkpoint stays.
rm j
yes '' 2>/dev/null | head -c 3000000 >j
(
  trap '' XFSZ
  ulimit -f 2000 # blocks of 512 bytes, or of 1024
  refuse 4 "$OCTRACE" sweep "$@" --save-every 0.001 --journal j -o none.csv "$trace"
)
contains err ': cannot write the journal j: File too large$'
[ -n "$(parts)" ] || die "no checkpoint is left"
expect 0 "$OCTRACE" sweep "$@" --journal j -o none.csv "$trace" "$trace"
contains err 'goes on at instruction [1-9]'
cmp whole.csv none.csv || die "another table when there was room again"
[ -z "$(parts)" ] || die "left behind: $(parts)"

# Two sweeps on one output: with the journal of the output, the later one is refused at once; with
# journals of their own, what ends first stays, and the other says so.
mkfifo feed
"$OCTRACE" sweep -a thb_depth=3 -o one.csv feed 2>err1 &
pid=$!
exec 9>feed
# It has locked the journal once it has opened the output.
# shellcheck disable=SC2010 # the names are those of links
until ls -l "/proc/$pid/fd" | grep -q -e "$work/#" -e "$work/one.csv.octrace-"; do sleep 0.01; done
refuse 4 "$OCTRACE" sweep -a thb_depth=3..5 -o one.csv "$trace"
contains err 'one.csv.journal: another sweep is at work on it'
expect 0 "$OCTRACE" sweep -a thb_depth=3..5 --journal other -o one.csv --limit 1000 "$trace"
cp one.csv first.csv
cat "$trace" >&9
exec 9>&-
code=0
wait "$pid" || code=$?
[ "$code" -eq 4 ] || die "exit code $code of the second of two"
contains err1 'one.csv: cannot write: another program wrote it in the meantime'
cmp first.csv one.csv || die "the first of two disappeared"
