#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# frames.sh - do the bytes of each of several sources decode out of frames of CoreSight, as a RAM sink keeps them and with
# the syncs of pins: whole, from the middle on, and cut? Is what is no such file refused in one line?
. "$(dirname "$0")/../tools/lib.sh"

elf=$DATA/mixed-riscv64.elf
"$OCTRACE" convert --elf "$elf" "$DATA/mixed-riscv64.oct" whole.oct
"$OCTRACE" convert --skip 5000 whole.oct late.oct
# Of E-Trace and N-Trace without accesses: what comes back is compared with what their bare bytes give.
paper=sync_period_insns=1000,pc_align_bits=1 shadow=sync_insns=700
etrace=addr_bits=40,addr_lsb_bits=0,data=0,time_bits=0 ntrace=return_stack=32
expect 0 "$OCTRACE" convert --to "paper:$paper" whole.oct paper.port
expect 0 "$OCTRACE" convert --to "shadow:$shadow" late.oct shadow.port
expect 0 "$OCTRACE" convert --to "etrace:$etrace" whole.oct etrace.port
expect 0 "$OCTRACE" convert --to "ntrace:$ntrace" late.oct ntrace.port
text() { "$OCTRACE" convert --from "$1" --elf "$elf" --to text "$2" - | grep -v '^#'; }
text "paper:$paper" paper.port >paper.want
text "shadow:$shadow" shadow.port >shadow.want
text "etrace:$etrace" etrace.port >etrace.want
text "ntrace:$ntrace" ntrace.port >ntrace.want
"$OCTRACE" convert --to text whole.oct - | grep -v '^#' | cmp - paper.want || die "another trace of paper"

# all SEED SYNCS REPEAT: four sources in one file; each decodes as alone.
all() {
  "$MAKE_FRAMES" "$1" "$2" "$3" 5 paper.port 111 shadow.port 1 etrace.port 42 ntrace.port >sink.bin
  for source in "paper:frames=5,$paper" "shadow:frames=111,$shadow" "etrace:frames=1,$etrace" "ntrace:$ntrace,frames=42"; do
    text "$source" sink.bin >got
    cmp "${source%%:*}.want" got || die "another trace: $source, seed $1, syncs $2, repeat $3"
  done
}
for seed in 1 2 3; do
  all $seed 0 0
  all $seed 10 1
done
# Compressed, as other input; from a pipe; frames=0 are no frames.
gzip -c sink.bin >sink.bin.gz
text "paper:frames=5,$paper" sink.bin.gz | cmp paper.want - || die "another trace of a compressed file"
text "paper:frames=5,$paper" - <sink.bin | cmp paper.want - || die "another trace of a pipe"
expect 0 "$OCTRACE" convert --to "paper:tiny,$paper" whole.oct tiny.port
"$MAKE_FRAMES" 1 0 0 7 tiny.port 8 paper.port >tiny.bin
text "paper:tiny,$paper,frames=7" tiny.bin | cmp paper.want - || die "another trace of a geometry"
text "paper:frames=0,$paper" paper.port | cmp paper.want - || die "another trace without frames"

# rest FORMAT SKIPPED: the trace from a sync on, of a file that begins in the middle.
rest() {
  tail -c +$(($2 + 1)) sink.bin >part
  expect 0 "$OCTRACE" convert --from "$1" --elf "$elf" part rest.oct
  "$OCTRACE" convert --to text rest.oct - | grep -v '^#\|^!gap' >got
  n=$(wc -l <got)
  [ "$n" -gt 3000 ] || die "$n instructions of a rest: $1, from byte $2"
  tail -n "$n" "${1%%:*}.want" | cmp - got || die "another rest: $1, from byte $2"
  [ "$2" -lt 500 ] || contains err '^octrace: note: part: the trace lacks its beginning$'
}
# With syncs, from any byte on; without, from a frame on. (shadow has sent all by byte 3000.)
size=$(wc -c <sink.bin)
for skipped in 1 2 3 37 600 801 802 803; do
  rest "paper:frames=5,$paper" $skipped
  rest "shadow:frames=111,$shadow" $skipped
done
for skipped in 0 1 2 3; do rest "paper:frames=5,$paper" $((size / 3 + skipped)); done
all 4 0 0
for skipped in 16 800 1008; do
  rest "paper:frames=5,$paper" $skipped
  rest "shadow:frames=111,$shadow" $skipped
done

# Cut within a frame.
size=$(wc -c <sink.bin)
half=$((size / 32 * 16))
head -c $((half + 5)) sink.bin >part
refuse 4 "$OCTRACE" convert --from "paper:frames=5,$paper" --elf "$elf" part new
contains err "^octrace: part: offset $((half + 5)): the last frame has 5 of 16 bytes: expected whole frames, from the first byte or from a full sync on: nothing is written"
expect 3 "$OCTRACE" convert --salvage --from "paper:frames=5,$paper" --elf "$elf" part rest.oct
"$OCTRACE" convert --to text rest.oct - | grep -v '^#\|^!gap' >got
[ "$(wc -l <got)" -gt 1000 ] || die "$(wc -l <got) instructions of a half"
head -n "$(wc -l <got)" paper.want | cmp - got || die "another beginning"

# Compressed and damaged: what comes before that is kept.
gzip -c sink.bin >sink.bin.gz
head -c $(($(wc -c <sink.bin.gz) / 2)) sink.bin.gz >part.gz
refuse 4 "$OCTRACE" convert --from "paper:frames=5,$paper" --elf "$elf" part.gz new
expect 3 "$OCTRACE" convert --salvage --from "paper:frames=5,$paper" --elf "$elf" part.gz rest.oct
"$OCTRACE" convert --to text rest.oct - | grep -v '^#\|^!gap' >got
[ "$(wc -l <got)" -gt 1000 ] || die "$(wc -l <got) instructions of half a compressed file"
head -n "$(wc -l <got)" paper.want | cmp - got || die "another beginning of a compressed file"

# A source that is not there; nothing at all; a reserved source; a sync where none may stand.
refuse 4 "$OCTRACE" convert --from "paper:frames=6,$paper" --elf "$elf" sink.bin new
one_line 'octrace: sink.bin: no bytes of source 6: expected frames=1, 5, 42, 111 (one of them)'
refuse 4 "$OCTRACE" convert --from "etrace:frames=6,$etrace" --elf "$elf" sink.bin new
contains err 'no bytes of source 6: expected frames=1, 5, 42, 111'
"$MAKE_FRAMES" 1 0 0 9 paper.port >one.bin
refuse 4 "$OCTRACE" convert --from "shadow:frames=6,$shadow" --elf "$elf" one.bin new
one_line 'octrace: one.bin: no bytes of source 6: expected frames=9'
# No source at all: nothing, and padding.
: >empty
head -c 4096 /dev/zero | tr '\000' '\001' >padding
for none in empty padding; do
  refuse 4 "$OCTRACE" convert --from "paper:frames=6,$paper" --elf "$elf" "$none" new
  one_line "octrace: $none: no source sent anything in these frames of CoreSight"
done
{ head -c $half sink.bin; printf '\341'; tail -c +$((half + 2)) sink.bin; } >part
refuse 4 "$OCTRACE" convert --from "paper:frames=5,$paper" --elf "$elf" part new
contains err "^octrace: part: offset $half: the reserved source 0x70: expected frames of CoreSight, whose first begins with the file or after a full sync"
# (A file whose first sync stands within a frame is taken to begin in the middle.)
{ head -c $((half + 4)) sink.bin; printf '\377\377\377\177'; tail -c +$((half + 5)) sink.bin; } >part
{ printf '\377\377\377\177'; cat part; } >synced
refuse 4 "$OCTRACE" convert --from "paper:frames=5,$paper" --elf "$elf" synced new
contains err "^octrace: synced: offset $((half + 8)): a full sync within a frame: bytes before it are missing"
refuse 4 "$OCTRACE" convert --from "paper:frames=112,$paper" --elf "$elf" sink.bin new
contains err 'frames'
refuse 4 "$OCTRACE" convert --from "paper:$paper" --elf "$elf" sink.bin new
[ ! -e new ] || die "half of a trace is left"

# Of a lone source, from the middle on: a formatter that tells its number once leaves nothing to go by, and one that tells it
# again does.
head -c 4096 /dev/zero >zeros
tail -c +321 one.bin >rest.bin
for none in zeros rest.bin; do
  refuse 4 "$OCTRACE" convert --from "paper:frames=9,$paper" --elf "$elf" "$none" new
  one_line "octrace: $none: none of these frames of CoreSight has the number of a source: expected one every few frames (a ring that has wrapped round needs REPEAT_FRAMES of oct_formatter, or a flush now and then)"
done
"$MAKE_FRAMES" 1 0 8 9 paper.port >sink.bin
text "paper:frames=9,$paper" sink.bin | cmp paper.want - || die "another trace of a number that is told again"
for skipped in 320 336 4000; do rest "paper:frames=9,$paper" $skipped; done
