#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# salvage.sh - octrace convert --salvage: every whole block before the damage is kept, and what is
# lost is said; without it nothing stays behind.
. "$(dirname "$0")/lib.sh"

tiny_trace 1000 >t.txt
as_text t.txt >want
"$OCTRACE" convert --block-insns 64 t.txt t.oct
size=$(wc -c <t.oct)

# kept COUNT FILE: FILE holds the first COUNT instructions of the trace, whole.
kept() {
  as_text "$2" >got
  [ "$(wc -l <got)" -eq "$1" ] || die "$(wc -l <got) instructions kept, not $1"
  head -n "$1" want | cmp - got
  expect 0 "$OCTRACE" info "$2"
}

# The start of a block: block NUMBER (from 0) of the events.
block() {
  grep -a -b -o "$(printf 'OCTB\001')" t.oct | cut -d : -f 1 | sed -n "$(($1 + 1))p"
}

# Cut short: what is lost is not known.
head -c $(($(block 10) + 50)) t.oct >short.oct
refuse 4 "$OCTRACE" convert short.oct new
refuse 3 "$OCTRACE" convert --salvage short.oct new
contains err "^octrace: short.oct: offset [0-9]*: the trace ends within a block: "
contains err "kept the 640 instructions and 320 accesses before it, how many are lost is unknown$"
kept 640 new
rm new
refuse 3 "$OCTRACE" convert --salvage - new <short.oct
kept 640 new
rm new
refuse 3 sh -c '"$1" convert --salvage short.oct - >new' sh "$OCTRACE"
kept 640 new
rm new

# A changed byte: the end still knows how many there were.
at=$(($(block 20) + 45))
{ head -c "$at" t.oct; printf 'X'; tail -c $((size - at - 1)) t.oct; } >flipped.oct
refuse 4 "$OCTRACE" convert flipped.oct new
refuse 3 "$OCTRACE" convert --salvage flipped.oct new
contains err "offset $(block 20): block checksum does not match: "
contains err "kept the 1280 instructions and 640 accesses before it, lost 2720 instructions$"
kept 1280 new
rm new

# Of a part, only what belongs to it counts.
refuse 3 "$OCTRACE" convert --salvage --skip 1000 --count 300 flipped.oct new
contains err "kept the 280 instructions and 140 accesses before it, lost 20 instructions$"
rm new
expect 0 "$OCTRACE" convert --salvage --count 1280 flipped.oct new
kept 1280 new
rm new
expect 0 "$OCTRACE" convert --salvage t.oct new
kept 4000 new
rm new

# Other formats, and a compressed stream that ends too early.
refuse 3 "$OCTRACE" convert --salvage --to da32 flipped.oct new
[ "$(wc -c <new)" -eq 2560 ] || die "da32 of $(wc -c <new) bytes"
rm new
{ head -n 100 t.txt; echo nonsense; tail -n 3900 t.txt; } >bad.txt
refuse 3 "$OCTRACE" convert --salvage bad.txt new
contains err "^octrace: bad.txt:101: "
kept 100 new
rm new
gzip -c t.txt | head -c 2000 >short.gz
refuse 3 "$OCTRACE" convert --salvage --from text short.gz new
contains err "the gzip stream ends too early: "
as_text new >got
[ -s got ] || die "nothing kept"
head -n "$(wc -l <got)" want | cmp - got
rm new

# Of a compressed trace with a changed byte at least as much as of one that ends there.
awk 'BEGIN { srand(1); for (i = 0; i < 60000; i++) printf "%x L:%x\n", 4 * i, rand() * 2^31 }' >long.txt
for tool in gzip bzip2 xz zstd; do
  $tool -1 -c long.txt >long.z
  for part in 3 5 7; do
    at=$(($(wc -c <long.z) * part / 10))
    head -c "$at" long.z >cut.z
    { cat cut.z && tail -c +"$((at + 1))" long.z | tr '\000-\377' '\377\000-\376' | head -c 40 &&
      tail -c +"$((at + 41))" long.z; } >changed.z
    expect 3 "$OCTRACE" convert --salvage --from text cut.z cut
    expect 3 "$OCTRACE" convert --salvage --from text changed.z changed
    kept_cut=$(as_text cut | wc -l) kept_changed=$(as_text changed | wc -l)
    [ "$kept_changed" -ge "$kept_cut" ] ||
      die "$tool: $kept_changed instructions before damage, $kept_cut before the same place as an end"
  done
done
rm long.* cut* changed*

# Nothing to keep, or a damage of the output: as without the option.
head -c $(($(block 0) + 50)) t.oct >none.oct
refuse 4 "$OCTRACE" convert --salvage none.oct new
refuse 4 "$OCTRACE" convert --salvage missing new
[ ! -w /dev/full ] || refuse 4 "$OCTRACE" convert --salvage short.oct /dev/full
only bad.txt flipped.oct got none.oct short.gz short.oct t.oct t.txt want
