#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# uncounted.sh - octrace decompress behind gaps whose length nobody tells: it says "at least", leaves the
# number out of the list, and writes no instruction of code that may have changed in the gap.
. "$(dirname "$0")/lib.sh"

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
