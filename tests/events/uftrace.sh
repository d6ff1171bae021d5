#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# uftrace.sh - recordings of threads and of several processes: those kept here, and, where uftrace is
# there, new ones held against what uftrace dump prints.
. "$(dirname "$0")/../tools/lib.sh"

for name in threads ring; do
  expect 0 "$OCTRACE" events compress "$DATA/$name" -o "$name.octev"
  expect 0 "$OCTRACE" events verify "$name.octev" "$DATA/$name"
  expect 0 "$OCTRACE" events decompress "$name.octev" -o "$name.txt"
  expect 0 "$OCTRACE" events compress --lossy "$DATA/$name" -o lossy.octev
  expect 0 "$OCTRACE" events verify lossy.octev "$DATA/$name"
done
[ "$(grep -c '^# process' threads.txt)" -eq 4 ] || die "threads: not 4 threads"
[ "$(grep -c 'enter deep$' threads.txt)" -eq 804 ] || die "threads: not 4 x 201 levels"
[ "$(grep -c 'enter leaf$' threads.txt)" -eq 484 ] || die "threads: not 4 x 121 leaves"
[ "$(grep '^# process' ring.txt | cut -d ' ' -f 4 | sort -u | wc -l)" -eq 4 ] ||
  die "ring: not 4 processes"
[ "$(grep -c 'enter receive_token$' ring.txt)" -eq 100 ] || die "ring: not 4 x 25 messages"
# A forked process begins inside of fork and main: leaves without an enter.
expect 0 "$OCTRACE" events info ring.octev
contains out '^stray_leaves  *6$'

# A byte order mark in front of each text changes nothing.
cp -r "$DATA/ring" marked
for file in marked/task.txt marked/*.map marked/*.sym; do
  { printf '\357\273\277' && cat "$file"; } >x && mv x "$file"
done
expect 0 "$OCTRACE" events compress marked -o marked.octev
expect 0 "$OCTRACE" events decompress marked.octev -o marked.txt
cmp ring.txt marked.txt || die "other events behind byte order marks"

cp -r "$DATA/ring" cut
for file in cut/*.dat; do head -c 1000 "$file" >x && mv x "$file"; done
refuse 4 "$OCTRACE" events compress cut
contains err 'offset 992: 8 bytes: expected a record of 16'
rm cut/task.txt
refuse 4 "$OCTRACE" events compress cut

if ! command -v uftrace >out || ! command -v gcc >out; then
  echo "uftrace or gcc is missing: no new recording"
  exit 0
fi
for name in threads ring; do
  gcc -O1 -pg -o "$name" "$PROGRAMS/$name.c" -lpthread
  uftrace record --no-pager --no-event -d new "./$name" >out 2>&1 || die "uftrace record"
  expect 0 "$OCTRACE" events compress new -o new.octev
  uftrace dump -d new >dump.txt
  expect 0 "$OCTRACE" events verify new.octev dump.txt
  contains out 'equal: [0-9]* events'
  # Times and functions, read by other means.
  sed -n 's/^ *\([0-9]*\)\.\([0-9]*\)  *\([0-9]*\): \[\(e[a-z]*\) *\] \([^(]*\)(.*/\1\2 \3 \4 \5/p' \
    dump.txt | sed 's/ entry / enter /; s/ exit / leave /' | sort >want
  "$OCTRACE" events decompress new.octev | grep -v '^#' | sort >got
  cmp want got
  # Arguments are kept through the dump; the directory alone does not tell their sizes.
  uftrace record --no-pager --no-event -A leaf@arg1 -A compute@arg1 -d arguments "./$name" >out 2>&1
  refuse 4 "$OCTRACE" events compress arguments -o x
  contains err 'uftrace dump'
  uftrace dump -d arguments >dump.txt
  expect 0 "$OCTRACE" events compress dump.txt -o arguments.octev
  expect 0 "$OCTRACE" events decompress arguments.octev
  contains out 'args.0. '
  rm -rf new arguments
done
