#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# threads.sh - a trace of as many threads as are taken: there and back within the limits of memory, and
# one more is refused.
. "$(dirname "$0")/../tools/lib.sh"

# trace THREADS: each calls one function twice, all in turn.
trace() {
  awk -v n="$1" 'BEGIN {
    for (k = 0; k < 4; k++) for (i = 0; i < n; i++) print ++t, "t" i, (k % 2 ? "leave" : "enter"), "f" i % 50
  }'
}

trace 65536 >t.txt
# Some room for the program itself: address space, of which it uses less.
(
  # shellcheck disable=SC3045 # dash has it, too
  ulimit -v 1500000
  expect 0 "$OCTRACE" events compress t.txt -o t.octev
)
contains out '^262144 events'
(
  # shellcheck disable=SC3045 # dash has it, too
  ulimit -v 500000
  expect 0 "$OCTRACE" events info t.octev
  expect 0 "$OCTRACE" events verify t.octev t.txt
  expect 0 "$OCTRACE" events patterns t.octev
  expect 0 "$OCTRACE" events decompress t.octev -o back.txt
)
grep -v '^#' back.txt | cmp - t.txt || die "other records came back"
refuse 4 "$OCTRACE" events decompress --max-memory 1 t.octev
contains err 't.octev: the chunks of all threads need more than 1 MiB of memory at once (--max-memory'

trace 65537 >more.txt
refuse 4 "$OCTRACE" events compress more.txt -o more.octev
contains err 'more.txt: more than 65536 threads (--max-threads'
expect 0 "$OCTRACE" events compress --max-threads 65537 more.txt -o more.octev
expect 0 "$OCTRACE" events verify more.octev more.txt
