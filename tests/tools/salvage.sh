#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# salvage.sh - octrace convert --salvage: every whole block before the damage is kept, and what is
# lost is said; without it nothing stays behind.
# No transcript: bytes are changed at places that are searched in the file, and the kept instructions are
# compared with the original.
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

# A damaged mark at the start: no format without a mark takes the rest for its records.
for bytes in 10 "$size"; do
  for mark in 'O\377T' 'P\303T' OCR; do
    { printf "$mark" && head -c "$bytes" t.oct | tail -c +4; } >marked.oct
    refuse 4 "$OCTRACE" convert --salvage marked.oct new
    contains err "^octrace: marked.oct: offset 0: the mark OCTRACE at its start is damaged$"
  done
done
rm marked.oct

# A block of another trace, whole and with the right numbers and size: the index does not name it.
for differs in 0 4; do
  awk -v differs=$differs 'BEGIN {
    for (i = 0; i < 1000; i++) printf "%x L4:%x\n", 32768 + 4 * (i % 10), 4096 + 8 * i + (i >= 200 && i < 300 ? differs : 0)
  }' >"own$differs.txt"
  "$OCTRACE" convert --block-insns 100 "own$differs.txt" "own$differs.oct"
done
cmp -s own0.oct own4.oct && die "the same traces"
python3 - own0.oct own4.oct <<'PYTHON'
import sys
own, other = (open(name, "rb").read() for name in sys.argv[1:])
blocks = [at for at in range(len(own)) if own[at:at + 5] == b"OCTB\1"]
assert len(own) == len(other) and all(other[at:at + 5] == b"OCTB\1" for at in blocks)
open("foreign.oct", "wb").write(own[:blocks[2]] + other[blocks[2]:blocks[3]] + own[blocks[3]:])
PYTHON
refuse 4 "$OCTRACE" convert foreign.oct new
contains err "the index names another block here: one of the two is of another trace"
refuse 3 "$OCTRACE" convert --salvage foreign.oct new
"$OCTRACE" convert --to text new new.txt 2>err
[ "$(grep -vc '^[#!]' new.txt)" -eq 200 ] || die "not the 200 instructions before the block"
# What is cut off is a gap of what is kept.
[ "$(tail -n 1 new.txt)" = '!gap damage' ] || die "no gap where damage ended the trace"
expect 0 "$OCTRACE" info new
contains out '^gaps  *1$'
refuse 3 "$OCTRACE" convert --salvage --to champsim foreign.oct new
rm new.txt
rm new
# In a pipe the index comes last.
refuse 4 sh -c '"$1" convert - new <foreign.oct' sh "$OCTRACE"
cat foreign.oct | refuse 4 "$OCTRACE" convert - new
contains err "the index names other blocks: some before it are of another trace"
for trace in own0.oct own4.oct; do
  cat $trace | expect 0 "$OCTRACE" convert - new
  rm new
done
rm own[04].txt own[04].oct foreign.oct

# Of a part, only what belongs to it counts.
refuse 3 "$OCTRACE" convert --salvage --skip 1000 --limit 300 flipped.oct new
contains err "kept the 280 instructions and 140 accesses before it, lost 20 instructions$"
rm new
expect 0 "$OCTRACE" convert --salvage --limit 1280 flipped.oct new
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
    ! grep "may be wrong" err || die "$tool: what was unpacked before an end is right"
    expect 3 "$OCTRACE" convert --salvage --from text changed.z changed
    contains err "before it, some may be wrong (no check covers them), "
    # On standard output all of it is written before that is known.
    expect 4 "$OCTRACE" convert --from text --to text changed.z -
    contains err "before it, some may be wrong (no check covers them)$"
    expect 4 "$OCTRACE" convert --from text --to text cut.z -
    ! grep "may be wrong" err || die "$tool: what was unpacked before an end is right, on standard output"
    kept_cut=$(as_text cut | wc -l) kept_changed=$(as_text changed | wc -l)
    [ "$kept_changed" -ge "$kept_cut" ] ||
      die "$tool: $kept_changed instructions before damage, $kept_cut before the same place as an end"
  done
done
rm long.* cut* changed*
# A native trace has checks of its own: none of what it gave is in doubt.
gzip -1 -c t.oct >long.z
at=$(($(wc -c <long.z) / 2))
{ head -c "$at" long.z && tail -c +"$((at + 1))" long.z | tr '\000-\377' '\377\000-\376' | head -c 40 && tail -c +"$((at + 41))" long.z; } >changed.z
expect 3 "$OCTRACE" convert --salvage changed.z changed
contains err ": kept the [0-9]* instructions and [0-9]* accesses before it, "
! grep "may be wrong" err || die "blocks with checksums are in doubt"
rm long.* changed*

# Where the next instruction tells the size, the last one before a cut goes: it would have another size.
awk 'BEGIN { srand(3); for (a = 4096; i < 300; i++) { s = 1 + int(15 * rand()); printf "%x/%d\n", a, s; a += s } }' >long.txt
for format in champsim:64 cloudsuite:96; do
  expect 0 "$OCTRACE" convert --to "${format%:*}" long.txt long
  expect 0 "$OCTRACE" convert --from "${format%:*}" --to text long long.whole
  for records in 2 3 40 120 121 122 123 200 299; do
    for cut in 10 63; do
      head -c $((${format#*:} * records + cut)) long >"cut"
      expect 3 "$OCTRACE" convert --salvage --from "${format%:*}" --to text cut cut.txt
      [ "$(tail -n 1 cut.txt)" = '!gap damage' ] || die "$format, $records: no gap at the end"
      sed -i '$d' cut.txt
      kept=$(wc -l <cut.txt)
      [ "$kept" -ge $((records - 1)) ] || die "$format: $kept lines of $records records"
      head -n "$kept" long.whole | cmp - cut.txt || die "$format, $records: the last instruction is another"
    done
  done
done
rm long* cut*

# Nothing to keep, or a damage of the output: as without the option.
head -c $(($(block 0) + 50)) t.oct >none.oct
refuse 4 "$OCTRACE" convert --salvage none.oct new
refuse 4 "$OCTRACE" convert --salvage missing new
[ ! -w /dev/full ] || refuse 4 "$OCTRACE" convert --salvage short.oct /dev/full
only bad.txt flipped.oct got none.oct short.gz short.oct t.oct t.txt want

# Compressed files. A container of many chunks of bits, with syncs often; its chunks, from their headers.
awk 'BEGIN { srand(2); for (i = 0; i < 200000; i++) printf "%x L:%x\n", 32768 + 4 * (i % 1000), rand() * 2^31 }' >many.txt
expect 0 "$OCTRACE" compress -g paper,sync_period_insns=5000 -o many.octp many.txt
as_text many.txt >want
chunks=$(python3 - many.octp <<'PYTHON'
import struct, sys
data = open(sys.argv[1], "rb").read()
at = 12 + struct.unpack_from("<I", data, 8)[0] + 8
while at < len(data):
    kind, stored = data[at], struct.unpack_from("<I", data, at + 4)[0]
    print(f"{at}:{kind}:{stored}")
    at += 28 + stored
PYTHON
)
[ "$(echo "$chunks" | grep -c :1:)" -ge 3 ] || die "chunks of bits: $chunks"
second=$(echo "$chunks" | grep :1: | sed -n 2p)
begin=${second%%:*} stored=${second##*:}

# damage FILE OFFSET: FILE with another byte there, as damaged.
damage() {
  { head -c "$2" "$1" && printf '\377\001\377' && tail -c +"$(($2 + 4))" "$1"; } >damaged
}
# Its payload, its size, what it names, or its checksum is damaged, or all of it is gone: before and behind it all is
# kept but up to the next sync.
for place in $((begin + 28 + stored / 2)) $((begin + 4)) $((begin + 13)) $((begin + 21)) gone; do
  if [ "$place" = gone ]; then
    { head -c "$begin" many.octp && tail -c +"$((begin + 28 + stored + 1))" many.octp; } >damaged
  else
    damage many.octp "$place"
  fi
  expect 4 "$OCTRACE" decompress --gaps gaps --to text -o new damaged
  contains err "^octrace: damaged: offset $begin: .*: wrote the [0-9]* instructions and [0-9]* accesses before it; the rest is missing"
  grep -v '^#\|^!gap ' new >got
  insn=$(wc -l <got)
  [ "$insn" -ge 1000 ] || die "only $insn instructions before the damage"
  contains gaps "^$insn,,,\"damage: "
  head -n "$insn" want | cmp - got
  refuse 3 "$OCTRACE" decompress --salvage --gaps gaps --to text -o new damaged
  contains err "^octrace: damaged: damaged in 1 place, first: offset $begin: .*: kept [0-9]* instructions"
  grep -v '^#\|^!gap ' new >got
  insn=$(awk -F, 'NR == 2 { print $1 }' gaps) lost=$(awk -F, 'NR == 2 { print $2 }' gaps)
  [ "$(wc -l <gaps)" -eq 2 ] || die "gaps: $(cat gaps)"
  contains err "lost $lost instructions\$"
  [ $((lost % 5000 + insn % 5000)) -eq 5000 ] || [ $(((lost + insn) % 5000)) -eq 0 ] ||
    die "not up to a sync: $lost at $insn"
  { head -n "$insn" want && tail -n +"$((insn + lost + 1))" want; } | cmp - got
done
# A pipe, and an end that is gone: what stands before it.
damage many.octp "$begin"
expect 3 sh -c 'cat damaged | "$1" decompress --salvage --to text - >new' sh "$OCTRACE"
grep -v '^#\|^!gap ' new >got
head -n "$(wc -l <got)" want | cmp - got
head -c $((begin + 1000)) many.octp >damaged
refuse 3 "$OCTRACE" decompress --salvage --to text -o new damaged
contains err 'how many are lost is unknown'
# To standard output goes what stands before damage, too, as a trace that is whole.
expect 4 sh -c '"$1" decompress damaged >new.oct' sh "$OCTRACE"
expect 0 "$OCTRACE" convert --to text new.oct new2
grep -v '^#\|^!gap ' new >got
grep -v '^#\|^!gap ' new2 | cmp got -
rm new*

# A codec's file: each segment can be read alone. One that is damaged (in its streams, its head or its
# mark, with a byte lost, a byte doubled, or all of it gone) costs itself.
segments() {
  grep -a -b -o "$(printf 'OCTSEG')" "$1" | cut -d : -f 1
}
# around FILE COUNT: `new` has what `gaps` says is missing at one place, of COUNT lines of want.
around() {
  grep -v '^#\|^!gap ' new >got
  insn=$(awk -F, 'NR == 2 { print $1 }' gaps) lost=$(awk -F, 'NR == 2 { print $2 }' gaps)
  [ "$(wc -l <gaps)" -eq 2 ] || die "$1: gaps: $(cat gaps)"
  [ -n "$lost" ] && [ "$lost" -gt 0 ] && [ "$lost" -lt "$2" ] || die "$1: lost '$lost' at $insn"
  contains err "lost $lost instructions\$"
  { head -n "$insn" want && tail -n +"$((insn + lost + 1))" want; } | cmp - got
}
for codec in vpc3 plain sequitur; do
  expect 0 "$OCTRACE" compress --codec $codec:stage=none,segment=1 -o many.octc many.txt
  expect 0 "$OCTRACE" decompress --to text -o new many.octc
  grep -v '^#' new | cmp - want
  second=$(($(segments many.octc | sed -n 2p) - 1)) third=$(($(segments many.octc | sed -n 3p) - 1))
  [ "$(segments many.octc | wc -l)" -ge 4 ] || die "$codec: $(segments many.octc | wc -l) segments"
  middle=$(((second + third) / 2))
  case $codec in
  vpc3) places="$middle lost doubled gone" ;;
  plain) places="$second $((second + 30)) head" ;;
  *) places=lost ;;
  esac
  for place in $places; do
    case $place in
    lost) { head -c "$middle" many.octc && tail -c +"$((middle + 2))" many.octc; } >damaged ;;
    doubled) { head -c "$middle" many.octc && tail -c +"$middle" many.octc; } >damaged ;;
    head) { head -c "$((second + 20))" many.octc && tail -c +"$((second + 22))" many.octc; } >damaged ;;
    gone) { head -c "$second" many.octc && tail -c +"$((third + 1))" many.octc; } >damaged ;;
    *) damage many.octc "$place" ;;
    esac
    rm -f new
    expect 4 "$OCTRACE" decompress --to text -o new damaged
    contains err '^octrace: damaged: .*: wrote the [0-9]* instructions and [0-9]* accesses before it; the rest'
    grep -v '^#\|^!gap ' new >got
    head -n "$(wc -l <got)" want | cmp - got
    rm new
    expect 3 "$OCTRACE" decompress --salvage --gaps gaps --to text -o new damaged
    contains err '^octrace: damaged: damaged in 1 place, first: .*: kept [0-9]* instructions and [0-9]* accesses, '
    around "$codec $place" 110000
  done
done
expect 3 sh -c '"$1" decompress --salvage --to text - <damaged >new' sh "$OCTRACE"
# The streams apart, and the last block, without which the number that is lost is not known.
expect 0 "$OCTRACE" compress --codec vpc3:stage=none,segment=1 --apart -o many.octc many.txt
for file in many.octc many.octc.*; do cp "$file" "damaged${file#many.octc}"; done
damage many.octc $(($(segments many.octc | sed -n 2p) + 30))
expect 3 "$OCTRACE" decompress --salvage --gaps gaps --to text -o new damaged
around apart 110000
rm damaged.* many.octc.*
expect 0 "$OCTRACE" compress --codec vpc3:stage=none,segment=1 -o many.octc many.txt
head -c $(($(wc -c <many.octc) - 2000)) many.octc >damaged
expect 3 "$OCTRACE" decompress --salvage --gaps gaps --to text -o new damaged
contains err 'how many are lost is unknown$'
# Records: a file of them, and how many are missing.
"$OCTRACE" compress --codec vpc3:stage=none,segment=1 --input mem -o many.octc many.txt
expect 0 "$OCTRACE" decompress -o all many.octc
damage many.octc $(($(segments many.octc | sed -n 2p) + 1000))
expect 3 "$OCTRACE" decompress --salvage --gaps gaps -o new damaged
insn=$(awk -F, 'NR == 2 { print $1 }' gaps) lost=$(awk -F, 'NR == 2 { print $2 }' gaps)
contains err "lost $lost records\$"
{ head -c $((4 + 12 * insn)) all && tail -c +"$((4 + 12 * (insn + lost) + 1))" all; } | cmp - new
