#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# packets.sh - octrace packets: every bit of a port stream belongs to a packet, from any sync on the
# packets are the same, and damage ends the list where it shows.
. "$(dirname "$0")/lib.sh"

# all_bits FILE LIST: the packets of the list follow each other from bit 0 to the end of the stream.
all_bits() {
  port_bytes=$("$OCTRACE" info "$1" | sed -n 's/^port_bytes  *//p')
  awk -v bits=$((8 * port_bytes)) '$1 != at { exit 1 } { at = $1 + $2 } END { exit at != bits }' "$2" ||
    die "$1: a gap, or not $port_bytes bytes: $(tail -n 1 "$2")"
}

for sample in "$SAMPLES"/*.oct; do
  for geometry in paper odd,sync_period_bits=65536; do
    "$OCTRACE" compress -g "$geometry" --limit 30000 -o s.octp "$sample" >report 2>&1
    expect 0 "$OCTRACE" packets s.octp
    all_bits s.octp out
  done
done

# The zeros that fill up pins, behind the last flush.
tiny_trace 100 >t.txt
"$OCTRACE" compress --engine cycle -g port_pins=31 -o pins.octp t.txt >report 2>&1
expect 0 "$OCTRACE" packets pins.octp
all_bits pins.octp out

# The names and fields of the format's own example (docs/port-format.md), whose addresses the untimed
# engine sends earlier.
cat >example.txt <<'END'
8000
8004 L:100
8008
8000
8004 L:104
8008
END
"$OCTRACE" compress -g ntuple_n=0,rep_count_bits=0,check_bits=0,pc_align_bits=2,sl_bits=8 \
  -o example.octp example.txt >report 2>&1
expect 0 "$OCTRACE" packets example.octp
sed -E 's/^ *([0-9]+) +([0-9]+) +([0-9-]+)  /\1 \2 \3 /; s/ +/ /g; s/ ;.*//' out >got
cat >want <<'END'
0 121 0 sync insn=0 task=0
121 34 - DMT addr=0x100
155 42 - SCMT sa=0x2000 sl=2
197 10 - index index=0
207 34 - DMT addr=0x104
241 10 - index index=12
251 13 - part of a pattern n=2 bit=0x0
264 16 - flush n=5
END
diff want got >&2 || die "not the packets of the example"

# The marks and periods of shadow, whole, with losses, behind a flipped bit.
"$OCTRACE" compress --tracer shadow -g sync_insns=9000 --limit 30000 -o marks.octp "$SAMPLES/cjpeg.oct" >report 2>&1
expect 0 "$OCTRACE" packets marks.octp
all_bits marks.octp out
[ "$(grep -c ' sync  ' out)" -eq 4 ] || die "not four syncs"
[ "$(grep -c ' period .*insns=9000' out)" -eq 3 ] || die "not three periods of 9000 instructions"
"$OCTRACE" compress --tracer shadow --engine cycle -g shadow-tiny,port_pins=1,out_fifo_bytes=32 --limit 30000 \
  -o lossy.octp "$SAMPLES/cjpeg.oct" >report 2>&1 || [ $? -eq 3 ] || die "compress"
expect 0 "$OCTRACE" packets lossy.octp
contains out ' overflow .*lost_insns=[1-9]'
# Syncs by bits come however many overflows end periods before, so damage costs no more than between two.
"$OCTRACE" compress --tracer shadow -g sync_bits=4096,port_pins=1 --engine cycle --limit 60000 -o often.octp \
  "$SAMPLES/stringsearch.oct" >report 2>&1 || [ $? -eq 3 ]
expect 0 "$OCTRACE" packets often.octp
contains out ' overflow '
awk '$4 == "sync" { if ($1 - last > most) most = $1 - last; last = $1 } END { exit !(most > 4096 && most < 6144) }' out ||
  die "syncs too far apart: $(grep -c ' sync ' out) syncs"

# From a later sync the same packets.
"$OCTRACE" compress -g sync_period_bits=16384 --limit 60000 -o all.octp "$SAMPLES/cjpeg.oct" >report 2>&1
"$OCTRACE" packets all.octp >all
syncs=$(grep -c ' sync  ' all)
[ "$syncs" -ge 5 ] || die "only $syncs syncs"
for n in 0 1 $((syncs - 1)); do
  expect 0 "$OCTRACE" packets --from-sync "$n" all.octp
  awk -v n="$n" '/ sync  / { seen++ } seen > n' all | cmp - out || die "other packets from sync $n"
done
refuse 4 "$OCTRACE" packets --from-sync "$syncs" all.octp
contains err "^octrace: all.octp: sync $syncs: expected 0 to $((syncs - 1))$"

# JSON says the same, whole or damaged.
cat >check.py <<'END'
import json
import sys

packets = json.load(open(sys.argv[1]))
lines = open(sys.argv[2]).read().splitlines()
assert len(packets) == len(lines), (len(packets), len(lines))
for p, line in zip(packets, lines):
    number = "-" if p["instruction"] is None else str(p["instruction"])
    assert line.split()[:3] == [str(p["bit"]), str(p["bits"]), number], line
    assert p["packet"] in line and line.endswith(p["text"]), line
    for f in p["fields"]:
        assert f"{f['name']}={f['value']}" in line, line
        assert int(str(f["value"]), 0) >> f["bits"] == 0, line
END
expect 0 "$OCTRACE" packets --json all.octp
python3 check.py out all

# A flipped bit: the packets before it, one line, and nothing behind it.
"$FLIP" all.octp bad.octp 40000
refuse 4 "$OCTRACE" packets bad.octp
contains err '^octrace: bad.octp: bit [0-9]*: '
bit=$(sed 's/.*bit \([0-9]*\):.*/\1/' err)
[ "$bit" -gt 39000 ] && [ "$bit" -lt 80000 ] || die "damage at bit 40000 shows at bit $bit"
awk '$1 > 39000 { exit } { print }' all >before
head -n "$(wc -l <before)" out | cmp - before || die "other packets before the damage"
awk -v bit="$bit" '{ at = $1 + $2 } END { exit at != bit }' out || die "the list does not end at bit $bit"
mv out bad
refuse 4 "$OCTRACE" packets --json bad.octp
python3 check.py out bad
refuse 4 "$OCTRACE" packets --from-sync $((syncs - 1)) bad.octp
[ ! -s out ] || die "packets behind the damage: $(head -n 1 out)"

# Of every tracer that has a list.
listed=0
"$OCTRACE" list tracers >tracers
while read -r tracer _; do
  [ "$tracer" != replay ] || continue
  for trace in riscv64 x86-64 aarch64; do
    "$OCTRACE" compress --tracer "$tracer" --limit 5000 -o t.octp "$SAMPLES/isa/$trace.oct" >report 2>&1 && break
  done
  expect 0 "$OCTRACE" packets t.octp
  awk '$1 < at { exit 1 } { at = $1 + $2 }' out || die "$tracer: packets that overlap"
  mv out list
  expect 0 "$OCTRACE" packets --json t.octp
  python3 check.py out list
  grep -q '"sync":true' out || die "$tracer: no sync"
  listed=$((listed + 1))
done <tracers
[ "$listed" -ge 5 ] || die "only $listed tracers have a list"

refuse 2 "$OCTRACE" packets --from-sync x all.octp
contains err "^octrace: packets: sync number 'x' is not a number"
refuse 4 "$OCTRACE" packets "$SAMPLES/sha1.oct"
"$OCTRACE" packets - <all.octp | cmp - all || die "not the same from standard input"
