#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# two-sweeps.sh - octrace sweep: two at a time on one trace, journal or output.
# No transcript: commands run at the same time, one under a limit of the size of its files.
. "$(dirname "$0")/lib.sh"

trace=$SAMPLES/djpeg.oct
set -- -g paper -a thb_depth=3..255+8 --limit 100000
expect 0 "$OCTRACE" sweep "$@" "$trace" "$trace"
mv out whole.csv

# The same trace twice, at a time, and two sweeps on one journal: the same table.
expect 0 "$OCTRACE" sweep "$@" -j 2 --journal twice -o twice.csv "$trace" "$trace"
[ ! -s err ] || die "twice: $(cat err)"
cmp whole.csv twice.csv || die "another table of the same trace twice"
for i in 1 2; do
  "$OCTRACE" sweep "$@" --journal j -o "two$i.csv" "$trace" "$trace" 2>"err$i" &
done
wait
cmp whole.csv two1.csv || die "another table of the first of two"
cmp whole.csv two2.csv || die "another table of the second of two"

# Where the journal cannot grow any more, the trace has no rows.
rm j
yes '' 2>/dev/null | head -c 3000000 >j
(
  trap '' XFSZ
  ulimit -f 2000 # blocks of 512 bytes, or of 1024
  refuse 4 "$OCTRACE" sweep "$@" --journal j -o none.csv "$trace"
)
contains err ': j: cannot write the journal: File too large$'
expect 0 "$OCTRACE" sweep "$@" --journal j -o none.csv "$trace" "$trace"
cmp whole.csv none.csv || die "another table when there was room again"

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
