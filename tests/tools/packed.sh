#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# packed.sh - damage in compressed traces: messages say that their offsets are of the unpacked data.
. "$(dirname "$0")/lib.sh"

# at FILE OFFSET TEXT: the message about this file.
at() {
  refuse 4 "$OCTRACE" info "$1"
  contains err "^octrace: $1: offset $2: $3"
}

# A damaged record, behind the bytes that a format is recognised by, and a file that ends within one.
xz -dc "$SAMPLES/foreign/x86-64.champsim.xz" | head -c 6400 >good
{ head -c 5120 good; printf XXXXXXXXXXXXXXXX; tail -c +5137 good; } >champsim
head -c 6390 good >ends
tiny_trace 1000 >t.txt
"$OCTRACE" convert t.txt native
head -c 300 native >native-cut
unpacked=' of the unpacked data'
at champsim 5120 'expected branch and taken of 0 or 1'
at ends 6336 'the trace ends within a record of 64 bytes'
at native-cut 300 'the trace ends before its end block'
for packer in gzip bzip2 xz zstd; do
  for file in champsim ends native-cut; do "$packer" -c -q "$file" >"$file.$packer"; done
  at "champsim.$packer" "5120$unpacked" 'expected branch and taken of 0 or 1'
  at "ends.$packer" "6336$unpacked" 'the trace ends within a record of 64 bytes'
  at "native-cut.$packer" "300$unpacked" 'the trace ends before its end block'
  # Damage of the packed bytes themselves is told by how much could be unpacked.
  "$packer" -c -q t.txt | head -c 150 >"short.$packer"
  at "short.$packer" "[0-9]*$unpacked" "the $packer stream ends too early"
done
# Where the stream ends too early, the last instruction may lack accesses that stood behind it: it goes.
for file in mips.din mips.dinbin mips.xdin x86-64.lackey aarch64.gem5; do
  format=${file#*.} whole=$SAMPLES/foreign/$file.xz
  [ "$format" != dinbin ] || format=din-binary
  "$OCTRACE" convert --isa "${file%.*}" --from "$format" --to text "$whole" want || die "$file"
  bytes=$(wc -c <"$whole") accesses=0
  for part in 30 60 75 85 95; do
    head -c $((bytes * part / 100)) "$whole" >cut.xz
    expect 3 "$OCTRACE" convert --isa "${file%.*}" --from "$format" --to text --salvage cut.xz got
    head -n "$(wc -l <got)" want | cmp - got || die "$file, $part %: the last instruction is another"
    accesses=$((accesses + $(grep -c '[LS][0-9]*:' got)))
    rm got
  done
  [ "$accesses" -gt 50 ] || die "$file: $accesses accesses"
  rm want
done
# The same where the instructions and accesses of drmemtrace end within a record.
python3 -m zipfile -e "$SAMPLES/foreign/x86-64.drmemtrace.zip" unzipped
"$OCTRACE" convert --to text unzipped/chunk.0000 want
bytes=$(wc -c <unzipped/chunk.0000)
for records in $(seq 1 16); do
  head -c $((bytes / 24 * 12 + records * 12 + 5)) unzipped/chunk.0000 >cut.0000
  expect 3 "$OCTRACE" convert --to text --salvage cut.0000 got
  head -n "$(wc -l <got)" want | cmp - got || die "drmemtrace, $records: the last instruction is another"
  rm got
done
# A flipped bit in them may unpack to text that cannot be: it is the packed stream that is told.
awk 'BEGIN { for (i = 0; i < 60000; i++) printf "%x L4:%x\n", 32768 + 4 * (i % 997), i * 2654435761 % 4294967296 }' >long.txt
for packer in gzip bzip2 xz zstd; do
  "$packer" -c -q long.txt >long
  bytes=$(wc -c <long)
  { head -c $((bytes / 2)) long; printf XXXX; tail -c +$((bytes / 2 + 5)) long; } >"long.$packer"
  at "long.$packer" "[0-9]*$unpacked" "damaged $packer stream"
  # What a named output costs is told, with how to have what stands before the damage.
  case $packer in
    xz | zstd)
      refuse 4 "$OCTRACE" convert "long.$packer" part.oct
      contains err 'damaged .*: nothing is written (--salvage keeps the [0-9]* instructions and [0-9]* accesses before it, some may be wrong (no check covers them))$'
      [ ! -e part.oct ] || die "a part under the name of the whole"
      expect 3 "$OCTRACE" convert --salvage "long.$packer" part.oct
      rm part.oct
      ;;
  esac
done
