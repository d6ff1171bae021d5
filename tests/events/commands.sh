#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# commands.sh - octrace events on text: there and back, parts, patterns, bad input.
. "$(dirname "$0")/../tools/lib.sh"

awk 'BEGIN {
  print "# ticks_per_second 1000000000"
  for (i = 0; i < 20000; i++) {
    thread = "t" i % 3; t += 20 + i * 7 % 5
    print t, thread, "enter solve(std::vector<int, 2> const&)"
    if (i % 9 == 0) print t, thread, "send to=1 tag=" i
    for (k = 0; k < 3; k++) {
      t += 100 + (i % 1000 == 7 ? 90000 : 0); print t, thread, "enter step"
      t += 30; print t, thread, "leave step"
    }
    t += 5; print t, thread, "leave solve(std::vector<int, 2> const&)"
  }
}' >t.txt
records() { grep -v '^#' "$1"; }

expect 0 "$OCTRACE" events compress t.txt
contains out '^160000 events and 2223 other records'
mv t.txt.octev t.octev
expect 0 "$OCTRACE" events decompress t.octev -o back.txt
records t.txt >want
records back.txt | cmp want -
expect 0 "$OCTRACE" events verify t.octev t.txt
contains out 'equal: 160000 events'
expect 0 "$OCTRACE" events verify - t.txt <t.octev
contains out '^standard input: equal: 160000 events'
"$OCTRACE" events decompress - <t.octev | cmp back.txt -
# A file of version 1, whose index names no checksums.
awk 'BEGIN {
  for (i = 0; i < 400; i++) printf "%d t%d %s f%d\n", 10 * i + i % 3, i % 4 / 2, i % 2 ? "leave" : "enter", i % 8 / 2
}' >old.txt
expect 0 "$OCTRACE" events decompress "$DATA/version-1.octev" -o new.txt
records new.txt | cmp old.txt -
rm old.txt new.txt
"$OCTRACE" events compress - <t.txt >piped.octev
"$OCTRACE" events decompress piped.octev | records /dev/stdin | cmp want -
gzip -c t.octev >t.octev.gz
"$OCTRACE" events decompress t.octev.gz | cmp back.txt -
[ "$(wc -c <t.octev)" -lt 200000 ] || die "the file has $(wc -c <t.octev) bytes"
"$OCTRACE" events convert --to records t.txt -o t.rec
[ "$(wc -c <t.rec)" -eq 2880000 ] || die "18 bytes per event"

# Lossy: within the thresholds, and a difference past them is found.
expect 0 "$OCTRACE" events compress --lossy --tabs 50ns --trel 0.1 t.txt -o lossy.octev
expect 0 "$OCTRACE" events verify - t.txt <lossy.octev
contains out '^standard input: within the thresholds: '
expect 0 "$OCTRACE" events verify lossy.octev t.txt
contains out 'within the thresholds'
expect 0 "$OCTRACE" events info lossy.octev
contains out '^mode  *lossy'
contains out '^t_abs_ticks  *50$'
[ "$(wc -c <lossy.octev)" -lt 10000 ] || die "lossy: $(wc -c <lossy.octev) bytes"
awk '$3 == "leave" && !n && NR > 1000 { $1 += 11; n = 1 } { print }' t.txt >other.txt
expect 1 "$OCTRACE" events verify - other.txt <t.octev
contains out '^standard input: differs: '
expect 1 "$OCTRACE" events verify t.octev other.txt
contains out 'differs: thread t., record [0-9]*: another time'
sed '5000s/step/stop/' t.txt >other.txt
expect 1 "$OCTRACE" events verify t.octev other.txt
contains out 'another function'
head -n 90000 t.txt >other.txt
expect 1 "$OCTRACE" events verify t.octev other.txt
contains out 'the file has more records'

# The thresholds to the tick: every call of 100 ticks, then one of a bit more.
for case in "50 0 50 51" "0 0.1 10 11"; do
  # shellcheck disable=SC2086 # four words
  set -- $case
  awk 'BEGIN { for (i = 0; i < 500; i++) print i * 1100, "a enter f\n" i * 1100 + 100, "a leave f" }' \
    >even.txt
  expect 0 "$OCTRACE" events compress --lossy --tabs "$1" --trel "$2" even.txt -o even.octev
  awk -v off="$3" 'NR == 500 { $1 += off } { print }' even.txt >odd.txt
  expect 0 "$OCTRACE" events verify even.octev odd.txt
  awk -v off="$4" 'NR == 500 { $1 += off } { print }' even.txt >odd.txt
  expect 1 "$OCTRACE" events verify even.octev odd.txt
  contains out 'a time difference past both thresholds'
done

# How far off time stamps are is told in the unit that fits, or in ticks where the clock is unknown.
for case in '1000000000 30 ns' '1000 30 ms' '0 1 tick' '0 30 ticks'; do
  clock=${case%% *} off=${case#* }
  awk -v off="$off" -v clock="$clock" 'BEGIN {
    if (clock > 0) print "# ticks_per_second", clock
    for (i = 0; i < 500; i++) print i * 1100, "a enter f\n" i * 1100 + 100 + off * (i == 300), "a leave f"
  }' >off.txt
  expect 0 "$OCTRACE" events compress --lossy --tabs 50 --trel 0 --drift 1000 --order 2 off.txt -o off.octev
  contains out "^time stamps are off by $off at most$"
  expect 0 "$OCTRACE" events verify off.octev off.txt
  contains out "time differences off by $off at most, time stamps by $off$"
done
# So it is within a pattern that goes over many calls, of which one is longer.
expect 0 "$OCTRACE" events compress --lossy --tabs 50 --trel 0 --json off.txt -o off.octev
"$OCTRACE" events verify off.octev off.txt >verdict
contains verdict "time stamps by $(sed -n 's/.*"max_drift_ticks": \([0-9]*\).*/\1/p' out) tick"
rm off.txt off.octev verdict

# A part is what awk makes of the whole, and little is read for it.
expect 0 "$OCTRACE" events extract --begin 1000000 --end 1020000 --thread t1 t.octev -o part.txt
awk '$1 >= 1000000 && $1 <= 1020000 && $2 == "t1"' want >want.part
records part.txt | cmp want.part -
contains err 'read [0-9]* of [0-9]* bytes ([0-9.]* %)'
percent=$(sed 's/.*(\([0-9]*\)\..*/\1/' err)
[ "$percent" -lt 60 ] || die "read $percent %"
first=$(head -n 1 want | cut -d ' ' -f 1)
expect 0 "$OCTRACE" events extract --begin 1ms --end 1.02ms t.octev -o part.txt
awk -v a="$first" '$1 >= a + 1000000 && $1 <= a + 1020000' want | cmp - <<EOF
$(records part.txt)
EOF

expect 0 "$OCTRACE" events patterns --limit 1 --html page.html t.octev
contains out 'solve(std::vector<int, 2> const&)'
contains out 'step  x 3$'
contains out 'disturbed'
contains page.html '<canvas'
contains page.html 'const data='
for text in 'name="viewport"' '@media(prefers-color-scheme:dark)' '<th>median</th>' '"made":"octrace .*, 20.*events patterns'; do
  contains page.html "$text"
done
! grep -qE 'https?:|src=|@import' page.html || die "the page needs the network"
# Where no call sequence is found, none is announced.
printf '5 a enter f\n6 a leave f\n' >one.txt
expect 0 "$OCTRACE" events compress one.txt -o one.octev
expect 0 "$OCTRACE" events patterns one.octev
[ "$(cat out)" = '0 call sequences, 2 plain events' ] || die "$(cat out)"
rm one.txt one.octev
# Half of the calls, and 90 of a hundred, last 29 ns; the slowest 100 us: in units that fit.
awk 'BEGIN {
  print "# ticks_per_second 1000000000"
  for (i = 0; i < 100; i++) {
    print t + 0, "a enter f"; t += i % 10 ? 29 : i ? 5000 : 100000; print t + 0, "a leave f"; t += 7
  }
}' >times.txt
expect 0 "$OCTRACE" events compress --order 2 times.txt -o times.octev
expect 0 "$OCTRACE" events patterns times.octev
contains out '^   lasts [0-9.]* us on average (29 ns to 100 us, deviation .*); half within 29 ns, 90 % within 29 ns, 99 % within 5[.0-9]* us$' ||
  die "$(cat out)"
rm times.txt times.octev
expect 0 "$OCTRACE" events patterns --json t.octev
contains out '"median_ticks"'
contains out '"occurrences"'
expect 0 "$OCTRACE" events compress --json t.txt -o t2.octev
contains out '"k"'

# Unbalanced events are reported, and nothing is lost.
printf '1 a leave f\n2 a enter g\n3 a enter h\n4 a leave g\n5 a enter f\n' >u.txt
expect 0 "$OCTRACE" events compress u.txt -o u.octev
contains out '^leaves without an enter, .*: 1$'
! grep -qE '(^|[ (])1 [a-z-]*[a-rt-z]s([ ,:)]|$)' out || die "a plural of one: $(cat out)"
contains out '^enters without a leave, .*: 1$'
contains out '^enters open at the end, .*: 1$'
"$OCTRACE" events decompress u.octev | records /dev/stdin | cmp u.txt -

# Names of threads may hold blanks of any kind, or nothing.
printf '1 a\\sb\\tc\\nd\\re\\\\f enter g\n2 \\e enter h\n3 \\e leave h\n' >names.txt
"$OCTRACE" events compress names.txt -o names.octev >out
"$OCTRACE" events decompress names.octev | records /dev/stdin | cmp names.txt -

# The dump of uftrace from a pipe; nothing, and what is no dump.
{
  echo 'uftrace file header: magic = 4674726163652100'
  echo '1.000000001     7: [entry] main(401136) depth: 0'
  echo '1.000000009     7: [exit ] main(401136) depth: 0'
} >d.txt
"$OCTRACE" events convert - <d.txt | records /dev/stdin >got
printf '1000000001 7 enter main\n1000000009 7 leave main\n' | cmp - got
refuse 4 "$OCTRACE" events compress - <t.octev
contains err '^octrace: standard input: a compressed event file; expected --from octev'
rm -f ./*
: >empty.txt
refuse 4 "$OCTRACE" events compress empty.txt
contains err '^octrace: empty.txt: empty, expected an event trace'
refuse 4 "$OCTRACE" events compress - <empty.txt
contains err '^octrace: standard input: empty'
echo nonsense >empty.txt
refuse 4 "$OCTRACE" events compress --from uftrace-dump empty.txt
contains err 'none of its lines (1) is SECONDS TID'
printf '1.000000001 7: [entry] f\0g(400) depth: 0\n' >nul.txt
refuse 4 "$OCTRACE" events compress nul.txt --from uftrace-dump
contains err 'nul.txt:1: expected NAME(ADDRESS) depth: N after'
rm nul.txt
refuse 4 "$OCTRACE" events compress - <empty.txt
contains err '^octrace: standard input:1: no time'
if [ -w /dev/full ]; then
  printf '1 a enter f\n2 a leave f\n' >empty.txt
  # shellcheck disable=SC2016 # $1 is the inner shell's
  refuse 4 sh -c '"$1" events convert empty.txt >/dev/full' sh "$OCTRACE"
  contains err '^octrace: standard output: cannot write: No space left on device$'
fi
rm empty.txt
printf '1 a enter f\n2 a leave\n' >bad.txt
refuse 4 "$OCTRACE" events compress bad.txt
contains err 'bad.txt:2: no function'
printf '5 a enter f\n4 a leave f\n' >bad.txt
refuse 4 "$OCTRACE" events compress bad.txt
contains err 'time 4 comes after 5'
printf 'x a enter f\n' >bad.txt
refuse 4 "$OCTRACE" events compress bad.txt
printf '1 a enter f\n2 a leave f\n' >good.txt
refuse 4 "$OCTRACE" events compress missing.txt
refuse 4 "$OCTRACE" events decompress good.txt -o out.txt
refuse 2 "$OCTRACE" events compress -n 1 good.txt
refuse 2 "$OCTRACE" events compress --trel 2 good.txt
refuse 2 "$OCTRACE" events compress --thread x good.txt
refuse 2 "$OCTRACE" events info --tabs 5 good.txt
contains err '^octrace: events info: option --tabs is for other commands '
refuse 2 "$OCTRACE" events frobnicate good.txt
refuse 2 "$OCTRACE" events compress
refuse 4 "$OCTRACE" events compress good.txt -o no/such/folder
"$OCTRACE" events compress good.txt >out
refuse 2 "$OCTRACE" events extract --thread nobody good.txt.octev
refuse 4 "$OCTRACE" decompress good.txt.octev
contains err 'which octrace events reads'
head -c 100 good.txt.octev >short.octev
refuse 4 "$OCTRACE" events decompress short.octev -o x
only bad.txt good.txt good.txt.octev short.octev

# A damaged block costs its own events: what stands before and behind it is kept.
awk 'BEGIN { for (i = 0; i < 60000; i++)
  printf "%d t%d %s f%d\n", 10 * i + i % 3, i % 4 / 2, i % 2 ? "leave" : "enter", int(i / 2) * 7919 % 50 }' >many.txt
"$OCTRACE" events compress --buffer 4096 -o many.octev many.txt >out
"$OCTRACE" events decompress many.octev -o many.back
at=$(($(wc -c <many.octev) / 2))
{ head -c $at many.octev && printf '\377\001\377' && tail -c +$((at + 4)) many.octev; } >damaged.octev
for command in extract decompress; do
  rm -f part
  refuse 4 "$OCTRACE" events $command damaged.octev -o part
  contains err '^octrace: damaged.octev: .*: wrote the [0-9]* records before it; the rest is missing'
  records part >got
  records many.back | head -n "$(wc -l <got)" | cmp - got
  [ "$(wc -l <got)" -gt 1000 ] || die "$command: $(wc -l <got) records before the damage"
done
rm got
refuse 3 "$OCTRACE" events decompress --salvage damaged.octev -o whole
expect 3 "$OCTRACE" events extract --salvage damaged.octev -o part
contains err '^octrace: damaged.octev: damaged in [0-9]* places*, first: block at offset [0-9]*: .*: lost [0-9]* events$'
lost=$(sed -n 's/.*: lost \([0-9]*\) events$/\1/p' err)
[ "$lost" -gt 0 ] && [ "$lost" -le 8192 ] || die "$lost events lost"
[ $(($(records part | wc -l) + lost)) -eq 60000 ] || die "$(records part | wc -l) kept and $lost lost"
records many.back >want
records part | diff want - | grep -q '^>' && die "salvaged what was not there"
cmp part whole
# Without its end, index and names among it, a file gives all its chunks, under other names.
head -c -2000 many.octev >damaged.octev
expect 4 "$OCTRACE" events decompress damaged.octev -o whole
contains err '^octrace: damaged.octev: .*: wrote the [0-9]* records before it; the rest is missing (--salvage continues after it); the names of functions and threads are lost, numbers replace them$'
records whole >part
[ "$(wc -l <part)" -gt 40000 ] || die "$(wc -l <part) records before the end"
expect 3 "$OCTRACE" events decompress --salvage damaged.octev -o whole
contains err '^octrace: damaged.octev: damaged in [0-9]* places*, first: .*: lost the events of damaged blocks, whose number is gone; the names of functions and threads are lost, numbers replace them$'
records whole >part
[ "$(wc -l <part)" -gt 40000 ] || die "$(wc -l <part) records of a file without its end"
# With another index, all events and their names come, and the damage is told.
at=$(($(wc -c <many.octev) - 30))
{ head -c $at many.octev && printf '\377\001\377' && tail -c +$((at + 4)) many.octev; } >damaged.octev
rm whole
expect 4 "$OCTRACE" events decompress damaged.octev -o whole
contains err '^octrace: damaged.octev: block at offset [0-9]*: .*: wrote the 60000 records before it'
! grep 'names' err || die "names are lost that are there"
cmp whole many.back
refuse 4 "$OCTRACE" events info damaged.octev
refuse 4 "$OCTRACE" events verify damaged.octev many.txt
# Another file behind it, of the same threads and functions at later times: none of its events.
awk 'BEGIN { for (i = 0; i < 200; i++) print i, "a", i % 2 ? "leave f" : "enter f" }' >one.txt
sed 's/^[0-9]*/1&000/; s/ f$/ g/' one.txt >two.txt
for i in one two; do "$OCTRACE" events compress --order 0 -o $i.octev $i.txt >out; done
cat one.octev two.octev >both.octev
refuse 3 "$OCTRACE" events decompress --salvage both.octev -o whole
contains err 'another file begins at offset'
records whole | cmp one.txt - || die "events of another file under the names of this one"
# All of a small file is read for all its events, and no more.
expect 0 "$OCTRACE" events extract one.octev -o whole
contains err "read $(wc -c <one.octev) of $(wc -c <one.octev) bytes (100.0 %)"
rm whole many.* damaged.octev part want one.* two.* both.octev

# Memory: threads that are compressed, and the chunks of all threads at once.
printf '1 a enter f\n2 b enter f\n3 c enter f\n' >three.txt
for command in compress 'convert --to octev'; do
  # shellcheck disable=SC2086 # several words
  refuse 4 "$OCTRACE" events $command --max-threads 2 three.txt -o none.octev
  contains err '^octrace: three.txt: more than 2 threads (--max-threads, or max_threads of oct_ev_params, allows more)$'
  # shellcheck disable=SC2086
  expect 0 "$OCTRACE" events $command --max-threads 3 three.txt -o some.octev
  rm some.octev
done
refuse 2 "$OCTRACE" events compress --max-threads 0 three.txt -o none.octev
awk 'BEGIN { for (i = 0; i < 65537; i++) print i, "t" i, "enter f" i }' >many.txt
refuse 4 "$OCTRACE" events compress many.txt -o none.octev
contains err 'more than 65536 threads'
sed -i '$d' many.txt
expect 0 "$OCTRACE" events compress many.txt -o many.octev
awk 'BEGIN {
  for (i = 0; i < 100; i++) text = text "x"
  for (i = 0; i < 24000; i++) print i, "t" i % 12, i % 24 < 12 ? "note " text : "enter f"
}' >wide.txt
expect 0 "$OCTRACE" events compress wide.txt -o wide.octev
for command in decompress 'decompress --salvage' extract patterns; do
  # shellcheck disable=SC2086
  expect 0 "$OCTRACE" events $command --max-memory 8 wide.octev
done
for command in decompress 'decompress --salvage' extract; do
  # shellcheck disable=SC2086
  refuse 4 "$OCTRACE" events $command --max-memory 1 wide.octev -o none.txt
  contains err '^octrace: wide.octev: the chunks of all threads need more than 1 MiB of memory at once (--max-memory, or oct_ev_reader_max_memory, allows more)$'
  [ ! -e none.txt ] || die "a file is left"
done
refuse 4 "$OCTRACE" events verify --max-memory 1 wide.octev wide.txt
expect 0 "$OCTRACE" events verify --max-memory 8 wide.octev wide.txt
refuse 2 "$OCTRACE" events decompress --max-memory 0 wide.octev
rm many.txt many.octev wide.txt wide.octev
